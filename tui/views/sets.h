/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each device holds under a type of any kind, and who needs what of whom between two: what views draw, and programs get.
 */
#ifndef SHARDWALK_VIEWS_SETS_H
#define SHARDWALK_VIEWS_SETS_H

#include <shardwalk/distribution.h>
#include <shardwalk/relation.h>

#include "answer/fields.h"
#include "session/session.h"

struct sets_look {
	const sw_mesh *mesh;
	struct any_type type;
	sw_holding holding;
	bool listed;           /* there are few enough devices to list them, and to compare what they have: */
	bool disjoint, covers; /* no index is on two devices; each is on one */
	sw_arena *arena;
};

/* Is every element of its tiles one of the array?  Else T04, the position is empty. */
bool sets_check_padding(const sw_type *type, sw_diag *diag);

/* What a type says; `order` as in sw_holding_of_type.  The mesh, the type's words and the arena have to live as long.  T04 where it is
 * padded, S08, E01. */
bool sets_look_at(const sw_mesh *mesh, const struct any_type *type, const int64_t *order, sw_arena *arena,
	struct sets_look *look, sw_diag *diag);

struct relation_look {
	const sw_problem *problem;
	sw_relation *relation;
	sw_relation_question question;
	int64_t most; /* where more pairs of devices meet nobody looks at each, and the sentence says less; 0: at all */
	sw_arena *arena;
};

/* The relation of a problem, which has to live as long, as have the arena and the pulse, whom all that is looked at asks (may be NULL).  T04 where it is padded, T11, S08, E01. */
bool relation_look_at(const sw_problem *problem, const sw_pulse *pulse, sw_arena *arena, struct relation_look *look,
	sw_diag *diag);

/* Adds `0-1 6-7`, `0+4*3`: runs, and those that come three times and more by their distance; `-`: none. */
void indices_text(const sw_indices *indices, sw_arena *arena, sw_text *text);

/* The same of the elements of an array: `[0-1, 0-4]` where it has several dimensions. */
void region_text(const sw_region *region, sw_arena *arena, sw_text *text);

/* The members of schemas shardwalk.sets/1 and shardwalk.relation/1, as files of cases have them. */
bool sets_members(const struct sets_look *look, struct fields *in, sw_diag *diag);
bool relation_members(const struct relation_look *look, struct fields *in, sw_diag *diag);

/* The same of row-major indices: `sets` is a list of families a device, which is left out where it is too long. */
void sets_row_major(const struct sets_look *look, struct fields *in);

/* The mesh and both ends as members; a sentence: `20 messages, 63 elements (252 B), 18 stay, pattern general`.  false: no memory. */
bool relation_ends(const struct relation_look *look, struct fields *in);
bool relation_sentence(const struct relation_look *look, sw_text *text);

/* Says the sentence, and one about the best renumbering where more stays by it.  false: no memory. */
bool relation_say(const struct relation_look *look, struct document *document);

#endif
