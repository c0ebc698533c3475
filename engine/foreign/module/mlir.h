/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * StableHLO modules, as `lower().as_text()` prints them: functions, operations with their operands, and the regions of
 * loops.  Types, attributes and locations stay slices of the text until somebody asks.
 */
#ifndef SW_FOREIGN_MLIR_H
#define SW_FOREIGN_MLIR_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/notation.h>
#include <shardwalk/text.h>

#include "foreign/module/graph.h"

#define MLIR_CALLS_DEEP 1024         /* functions within functions that are gone through */
#define MLIR_MANY ((int64_t)1 << 48) /* more operations are not told apart */

/* The statement from *at on, without blanks and comments around; *at gets behind it.  It ends with the brace that opens its
 * region, or before the one that closes that which it is in.  false: there is none. */
bool mlir_statement(sw_str text, size_t *at, sw_str *statement);

/* Is it a letter of a name? */
bool mlir_is_name(char c);

/* The first module in a text, or what a text without the word begins with as one: its bytes; false where there is none. */
bool mlir_find(sw_str text, size_t begin, sw_span *span);

/* Reads the module in these bytes of a text; `line`: the one that they begin on.  Errors: S03, N06, E01. */
bool mlir_read(sw_str text, sw_span span, int64_t line, const sw_pulse *pulse, sw_arena *arena, graph_module *module,
	sw_diag *diag);

/* By name; NULL: there is none. */
const graph_function *mlir_function_named(const graph_module *module, sw_str name);
const graph_mesh *mlir_mesh_named(const graph_module *module, sw_str name);

/* Finds the functions that are called, and counts what each of them makes.  false: memory. */
bool mlir_calls_find(graph_module *module);

/* The name of an operation in the program, and FILE:LINE, from its `loc(...)`; empty where it is not said. */
bool mlir_loc_read(graph_module *module, sw_str loc, sw_text *name, sw_text *source);

/* ---- slices ---- */

#define MLIR_DIMS 32

typedef struct mlir_shape {
	int rank;
	int64_t dim[MLIR_DIMS];
	sw_str dtype;
} mlir_shape;

/* `tensor<16x32xf32>`; false where it is no tensor of known sizes. */
bool mlir_shape_read(sw_str type, mlir_shape *shape);

/* The element type, by MLIR's name; false: it is none of ours. */
bool mlir_dtype_read(sw_str name, sw_dtype *dtype);

/* What an operation says under the name that HLO has for it: replica_groups, source_target_pairs, direction, slice, dimensions,
 * those of a product by operand, or the literal of a constant; false: nothing. */
bool mlir_attribute(const graph_instruction *op, const char *name, sw_str *value);

/* Part k of a list, cut at commas outside of brackets; empty behind its end. */
sw_str mlir_part(sw_str list, int k);

/* The numbers of `NAME = [0, 1]`; -1 where there is no such list. */
int mlir_list(sw_str text, const char *name, int64_t *number, int room);

/* What follows a key; where the key opens a bracket, up to where it closes.  Empty: the key is not there. */
sw_str mlir_shardings_in(sw_str text, const char *key);

/* The next sharding in it: `#sdy.sharding<...>`, `<@mesh, [...]>` or, as the first, `{devices=...}` in quotes; *rest gets
 * behind it.  Empty: none. */
sw_str mlir_next_sharding(sw_str *rest, bool first);

/* The first one after `key`; empty: none. */
sw_str mlir_sharding_in(sw_str text, const char *key);

#endif
