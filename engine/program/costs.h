/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of costs between the values of two choices, and what is made of them when a choice is left out.
 *
 * A store makes each table once: who asks for the same thing of the same tables gets the same pointer, so that what is alike in a
 * program is computed once.  Tables never change.
 */
#ifndef SW_PROGRAM_COSTS_H
#define SW_PROGRAM_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>

#include "base/keys.h"

/* From each row to each column, row after row; INFINITY: it cannot be.  Where one may go to another row first, `detour` (rows times
 * rows) says what that costs, and no column is reached cheaper that way: rows that others reach at no more than they cost need no
 * look.  `onward` (columns times columns) says the same of going on from the column where one arrived.  NULL: not known. */
typedef struct sw_costs {
	int rows, cols;
	const double *at, *detour, *onward;
} sw_costs;

/* A list of numbers: of each value of a choice its row or column.  NULL: the value itself. */
typedef const int32_t *sw_rows_of;

/* A table between two choices: the row is that of the first one's value, the column that of the second one's. */
typedef struct sw_link_costs {
	const sw_costs *costs;
	sw_rows_of row, col;
} sw_link_costs;

enum sw_costs_failure { SW_COSTS_FINE, SW_COSTS_NO_MEMORY, SW_COSTS_FULL, SW_COSTS_STOPPED };

typedef struct sw_costs_store {
	sw_arena *arena;
	sw_keys keys;
	int made, room;
	const void **result; /* by the number of the key */
	int64_t most;        /* bytes that may be taken of the arena from here on; 0: any */
	int64_t begun;       /* what was taken of it before */
	int64_t beside;      /* what tables elsewhere take, of which there is one at a time */
	void *draft;         /* the latest one, and where the arena was before it */
	sw_arena_mark before;
	const sw_pulse *pulse;
	int64_t looked;                /* costs that were looked at since the pulse was asked */
	enum sw_costs_failure failure; /* once it is not SW_COSTS_FINE nothing more is made */
} sw_costs_store;

/* Everything that is made lives in `arena`, and all that is taken of it meanwhile counts.  false: memory. */
bool sw_costs_store_init(sw_costs_store *store, sw_arena *arena, int64_t most, const sw_pulse *pulse);
void sw_costs_store_end(sw_costs_store *store);

/* Each of these returns NULL, or false, where it fails, and store->failure says why. */

/* Bytes that may still be taken, INT64_MAX where any may. */
int64_t sw_costs_left(const sw_costs_store *store);

/* Once nothing more may be taken it is full: store->failure.  false. */
bool sw_costs_full(sw_costs_store *store);

/* Asks the pulse; false: the work is stopped, store->failure. */
bool sw_costs_goes_on(sw_costs_store *store);

/* The same, once many costs were looked at: `count` are now. */
bool sw_costs_looked(sw_costs_store *store, int64_t count);

/* Room for a list that is handed to sw_costs_rows or sw_costs_own next.  It is kept there, or given back with all that was taken of
 * the arena since. */
void *sw_costs_draft(sw_costs_store *store, int64_t count, size_t size);

/* A new table that the caller fills. */
double *sw_costs_new(sw_costs_store *store, int rows, int cols, sw_costs **table);

/* Numbers, a draft or the caller's: of equal contents one pointer. */
sw_rows_of sw_costs_rows(sw_costs_store *store, const int32_t *rows, int count);

/* What values cost, a draft or the caller's: of equal contents one pointer. */
const double *sw_costs_own(sw_costs_store *store, const double *own, int count);

/* The same link with only those rows and columns that values of the choices have, which are so many. */
bool sw_costs_trim(sw_costs_store *store, sw_link_costs *link, int first, int second);

/* From the second to the first. */
bool sw_costs_turn(sw_costs_store *store, const sw_link_costs *link, sw_link_costs *turned);

/* Both links between the same two choices as one. */
bool sw_costs_both(sw_costs_store *store, const sw_link_costs *a, const sw_link_costs *b, int first, int second,
	sw_link_costs *both);

/* `own` of the first choice, each with the least that the second one adds, whose values cost `other`.  `turned`: the link leads from
 * the second to the first. */
const double *sw_costs_absorb(sw_costs_store *store, const double *own, int first, const sw_link_costs *link,
	bool turned, const double *other, int second);

typedef struct sw_costs_values {
	const double *cost; /* of each; NULL: nothing */
	int count;
} sw_costs_values;

/* Into least[value of the first choice] what all costs at least where it is chosen: the first ones cost what they do with what was
 * absorbed in them, the second ones what all costs at least with them, in which the first choice was absorbed by this link. */
bool sw_costs_least(sw_costs_store *store, sw_costs_values first, const sw_link_costs *link, bool turned,
	sw_costs_values second, double *least);

/* From the first choice to the third by way of the best value of the second, of `count` values that cost `own`. */
bool sw_costs_through(sw_costs_store *store, const sw_link_costs *in, const double *own, int count,
	const sw_link_costs *out, sw_link_costs *through);

/* What two values cost together. */
static inline double sw_link_cost(const sw_link_costs *link, int32_t a, int32_t b)
{
	int row = link->row != NULL ? link->row[a] : a, col = link->col != NULL ? link->col[b] : b;

	return link->costs->at[(int64_t)row * link->costs->cols + col];
}

#endif
