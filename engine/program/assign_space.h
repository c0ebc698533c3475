/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as choices, and the types among which is chosen: one space a shape, with what leads from each type to each.
 */
#ifndef SW_PROGRAM_ASSIGN_SPACE_H
#define SW_PROGRAM_ASSIGN_SPACE_H

#include <shardwalk/assign.h>

#include "program/forms.h"
#include "program/metric.h"
#include "program/minimum.h"

enum {
	SW_HOME_OPEN = -1,
	SW_HOME_ABOVE = -2
}; /* instead of a state: it is to be chosen; its tile is above the budget */

/* What it costs to use a value that may be kept in these ways: from each to each state. */
typedef struct sw_net_begins {
	sw_rows_of home, second;
	int count, shares;
	const sw_costs *costs;
} sw_net_begins;

/* All types of one shape. */
typedef struct sw_net_space {
	sw_type_space types;
	sw_distances *distances;
	int bytes;      /* of an element */
	int64_t budget; /* elements; 0: any */
	int limits, room;
	int64_t *limit; /* of the tiles before and after a step, for which there is a table */
	const sw_costs **metric;
	int begins, begin_room;
	sw_net_begins *begin;
} sw_net_space;

/* A value is kept in its home, and may be kept in a second type that is made from its home; each use begins at the cheaper one.
 * Its choice is among pairs of these. */
typedef struct sw_net_value {
	sw_net_space *space;
	int32_t home;      /* a state, or see above */
	int32_t given;     /* of an input that may be moved to its home: where it is; -1: it is none */
	int uses;          /* by statements, and the return */
	int free;          /* of these those that may begin anywhere; a body takes values as they lie */
	int last;          /* statement that needs it; that of the return stands behind all */
	int maker;         /* statement whose form makes it; -1: it is there, or a body makes it */
	int choice;        /* how it is kept; -1: there is none */
	int count;         /* ways to keep it */
	sw_rows_of at;     /* their homes */
	sw_rows_of second; /* their second types, -1: none; NULL: none has one */
	const sw_costs *
		begin; /* from each of them, or (`second` is NULL) from each state, to each state; NULL: as far as they lie apart */
} sw_net_value;

/* The forms of statements that are alike. */
typedef struct sw_net_forms {
	sw_form_of of;
	sw_forms list;
	const double *own; /* what the products cost, and ties */
} sw_net_forms;

/* A link, and where it comes from: a use of a value, or its result (operand -1). */
typedef struct sw_net_link {
	int statement, operand;
} sw_net_link;

enum sw_net_kind {
	SW_NET_ALL,
	SW_NET_RELAXED,     /* second types cost each use a share, which is a lower bound */
	SW_NET_WITHOUT_SUMS /* types with sums are left out, which is an upper bound */
};

typedef struct sw_net {
	const sw_program *program; /* as it is written */
	const sw_assign_options *options;
	sw_arena *arena;
	sw_costs_store store;
	sw_diag *diag;
	sw_prime_parts factors;
	int spaces, room;
	sw_net_space **space;
	sw_net_value *value;
	int forms;
	sw_net_forms **form_list; /* one for each that differs */
	sw_net_forms **form;      /* of each statement; NULL: it has none */
	int *form_choice;         /* -1: it has none */
	sw_choices choices;
	sw_choice *choice;
	sw_choice_link *link;
	sw_net_link *link_of;
	double tie;      /* of what costs the same smaller tiles are taken: what an element adds */
	bool impossible; /* a type that is given is above the budget */
	bool whole;
	enum sw_net_kind kind;
	bool cut; /* there are values for whose second types there is no room: they have none, or are relaxed */
} sw_net;

/* Bytes that tables may take. */
int64_t sw_net_memory(const sw_assign_options *options);

/* May it go on, of whose statements so many are done?  false: store.failure says so. */
bool sw_net_goes_on(sw_net *net, int done);

/* The space of a shape, made where this is the first value of it.  NULL: see net->diag. */
sw_net_space *sw_net_space_of(sw_net *net, const sw_type *shape);

/* Distances where the tiles before and after a step are no more than `limit` elements; 0: any. */
const sw_costs *sw_net_metric(sw_net *net, sw_net_space *space, int64_t limit);

/* options->live in elements of a space. */
int64_t sw_net_live(const sw_net *net, const sw_net_space *space);

#endif
