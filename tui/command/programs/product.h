/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products as a user writes them, and what is told of them.
 */
#ifndef SHARDWALK_COMMAND_PRODUCT_H
#define SHARDWALK_COMMAND_PRODUCT_H

#include <shardwalk/ways.h>

#include "answer/fields.h"
#include "command/command.h"
#include "command/plan.h"

/* Reads `EQ A, B [as C]`, or what the scaling book or JAX write, over the mesh of the session; everything lives in the arena
 * of the invocation.  Errors: L03, L07, A02 to A04, those of types and of the readers, at the words in the line. */
bool product_read(const struct invocation *run, sw_str text, sw_product *product, sw_diag *diag);

/* It becomes the last product, as `EQ A, B as C`, which `ways` and `advise` are about.  Error: E01. */
bool product_keep(struct session *session, sw_str text, const sw_product *product, sw_diag *diag);

/* The machine by which a model says how long programs and products take; NULL of models that count elements, and of `ports`,
 * whose systems compute nothing.  Errors: S10, S11. */
bool product_machine(const struct plan_request *asked, const sw_mesh *mesh, const sw_machine **machine,
	sw_diag *diag);

/* Adds what is asked, "einsum", "a", "b" and "as", and what files of cases say of it, "cases" and "local". */
void product_ends_fields(const sw_product *product, struct fields *in);
void product_fields(const sw_product *product, struct fields *in);

/* The tiles that a refused product would compute where an axis cuts a letter of each operand, as `show tiles` draws them where
 * no `from` is defined; *took: there is such a product. */
bool product_tiles(struct invocation *run, bool *took, sw_diag *diag);

#endif
