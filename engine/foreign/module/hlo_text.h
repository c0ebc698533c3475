/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of an HLO module: its computations and instructions, with operands resolved.  Shapes, literals and
 * attributes stay slices of the text until somebody asks.
 */
#ifndef SW_FOREIGN_HLO_TEXT_H
#define SW_FOREIGN_HLO_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#include "foreign/module/graph.h"

/* The operation by which instruction `i`, which reduces, combines two values; HLO_OTHER: none that has a name here. */
hlo_op hlo_combines_by(const graph_module *module, int i);

/* Reads the one module of a text, or what is there of it before it breaks off.  Errors: N06, S03, E01. */
bool hlo_module_read(sw_str text, const sw_pulse *pulse, sw_arena *arena, graph_module *module, sw_diag *diag);

/* Puts what fusions compute in their place, and for a reduction of several arrays one for each.  Errors: E01. */
bool hlo_inline(graph_module *module, sw_arena *arena, sw_diag *diag);

/* The computation of this name, or -1. */
int hlo_computation_named(const graph_module *module, sw_str name);

/* ---- slices of the text ---- */

/* false: a tuple, a token, or more than HLO_DIMS dimensions. */
bool hlo_shape_read(sw_str text, hlo_shape *shape);

/* The next item between the brackets of a tuple, as sw_str_split, without the number in a comment before it. */
sw_str hlo_tuple_item(sw_str list, size_t *at);

/* The shapes of a tuple, one after the other, of which the first `room` are stored; how many there are. */
int hlo_tuple_shapes(sw_str text, sw_str *part, int room);

/* The attribute's value; false where there is none of this name. */
bool hlo_attribute(sw_str attributes, const char *name, sw_str *value);

/* The numbers of `{1,0}`, of a literal, of anything: what is no number is stepped over.  Returns how many there are,
 * of which the first `room` were stored. */
int64_t hlo_numbers(sw_str text, int64_t *number, int64_t room);

/* Which element of a tuple an instruction takes; -1: it says none. */
int64_t hlo_element_index(const graph_instruction *at);

/* The numbers of a text, each from 0 to below `limit`; -1: it says something else. */
int hlo_positions_in(sw_str text, int64_t limit, int *position, int room);

/* The numbers of an attribute, each from 0 to below `limit`; -1 where it is missing or says something else. */
int hlo_positions(const graph_instruction *at, const char *name, int64_t limit, int *position, int room);

#endif
