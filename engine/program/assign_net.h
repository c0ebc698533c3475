/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as choices: of each open home that is used more than once, and of each statement's form.
 */
#ifndef SW_PROGRAM_ASSIGN_NET_H
#define SW_PROGRAM_ASSIGN_NET_H

#include <shardwalk/assign.h>

#include "program/forms.h"
#include "program/metric.h"
#include "program/minimum.h"

enum {
	SW_HOME_OPEN = -1,
	SW_HOME_ABOVE = -2
}; /* instead of a state: it is to be chosen; its tile is above the budget */

/* All types of one shape. */
typedef struct sw_net_space {
	sw_type_space types;
	sw_distances *distances;
	int bytes;      /* of an element */
	int64_t budget; /* elements; 0: any */
	int limits, room;
	int64_t *limit; /* of the tiles before and after a step, for which there is a table */
	const sw_costs **metric;
} sw_net_space;

typedef struct sw_net_value {
	sw_net_space *space;
	int32_t home;  /* a state, or see above */
	int uses;      /* by statements, and the return */
	int last;      /* statement that needs it; that of the return stands behind all */
	int maker;     /* statement whose form makes it; -1: it is there, or a body makes it */
	int choice;    /* of its home; -1: there is none */
	sw_rows_of at; /* states among which is chosen */
	int count;
} sw_net_value;

/* The forms of statements that are alike. */
typedef struct sw_net_forms {
	sw_form_of of;
	sw_equation equation;
	sw_forms list;
	sw_rows_of use[2], result;
	const double *own; /* what the products cost, and ties */
} sw_net_forms;

/* A link, and where it comes from: a use of a value, or its result (operand -1). */
typedef struct sw_net_link {
	int statement, operand;
} sw_net_link;

typedef struct sw_net {
	const sw_program *program;
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
} sw_net;

/* Makes the choices and their links.  false: see net->diag, or store.failure. */
bool sw_net_init(sw_net *net, const sw_program *program, const sw_assign_options *options, sw_arena *arena,
	sw_diag *diag);
void sw_net_end(sw_net *net);

/* All values whole at once, and as much again, in elements or bytes.  false: 64 bits do not count it. */
bool sw_net_most(const sw_program *program, bool bytes, int64_t *sum);

/* Distances where the tiles before and after a step are no more than `limit` elements; 0: any. */
const sw_costs *sw_net_metric(sw_net *net, sw_net_space *space, int64_t limit);

/* options->live in elements of a space. */
int64_t sw_net_live(const sw_net *net, const sw_net_space *space);

/* The form of a statement and the home of a value under these values of the choices. */
const sw_form *sw_net_form(const sw_net *net, int statement, const int32_t *value);
int32_t sw_net_home(const sw_net *net, int value, const int32_t *values);

/* What products cost under these values, and what ties add to all that they cost. */
double sw_net_products(const sw_net *net, const int32_t *values);
double sw_net_ties(const sw_net *net, const int32_t *values);

#endif
