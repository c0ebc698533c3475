/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that meet: dimension by dimension the sets that do, and of the rows of blocks those that consist of such sets.
 */
#include "relation/meetings.h"

#include <string.h>

#include <shardwalk/number.h>

#include "base/lower_bound.h"

bool sw_meetings_index(sw_blocks *blocks, sw_arena *arena)
{
	for (int dim = 0; dim < blocks->rank; dim++) {
		sw_finder *finder = blocks->finder[dim];
		if (finder != NULL)
			continue;
		finder = SW_NEW(arena, sw_finder, 1);
		if (finder == NULL || !sw_finder_of(&blocks->dim[dim], arena, finder))
			return false;
		blocks->finder[dim] = finder;
	}
	return true;
}

/* Lists are kept where blocks have sets in common, up to so many sets in them. */
enum { MOST_KEPT = 1 << 22, IN_TUPLES = 2048, BEAT = 16 };

static bool start_dimension(sw_meetings *m, int dim)
{
	const sw_sets *sets = &m->among->dim[dim], *needs = &m->needs->dim[dim];
	sw_met_sets *met = &m->met[dim];

	met->need = -1;
	met->set = SW_NEW(m->arena, int32_t, sets->count);
	met->position = SW_NEW_ZERO(m->arena, int32_t, sets->count);
	met->size = SW_NEW(m->arena, int64_t, sets->count);
	met->kept = needs->count < m->needs->count ? SW_NEW(m->arena, sw_met_list, needs->count) : NULL;
	for (int i = 0; met->kept != NULL && i < needs->count; i++)
		met->kept[i].count = -1;
	return met->set != NULL && met->position != NULL && met->size != NULL;
}

static bool is_grid(const sw_blocks *blocks)
{
	int64_t all = 1;

	for (int dim = 0; dim < blocks->rank && all <= blocks->count; dim++)
		all *= blocks->dim[dim].count;
	return all == blocks->count;
}

bool sw_meetings_of(const sw_blocks *among, const sw_blocks *needs, bool counts, sw_arena *arena,
	sw_meetings *meetings)
{
	*meetings = (sw_meetings){.among = among, .needs = needs, .arena = arena, .counts = counts, .last = -1};
	meetings->runs = among->rank == 1 ? sw_finder_runs(among->finder[0]) : NULL;
	meetings->grid = is_grid(among);
	for (int dim = 0; dim < among->rank; dim++)
		if (!start_dimension(meetings, dim))
			return false;
	return true;
}

/* ---- the sets of a dimension ---- */

/* Finds the sets that meet a needed one. */
static bool find_sets(sw_meetings *m, int dim, int32_t need)
{
	sw_met_sets *met = &m->met[dim];
	const sw_indices *wanted = &m->needs->dim[dim].set[need];
	int near = sw_finder_near(m->among->finder[dim], wanted, met->set), count = 0;
	sw_indices *both = m->counts ? NULL : SW_NEW(m->arena, sw_indices, near);

	if (!m->counts && both == NULL)
		return false;
	for (int i = 0; i < near; i++) {
		int32_t set = met->set[i];
		if (i % BEAT == BEAT - 1 && !sw_pulse_beat(m->needs->pulse, "sets compared", i, near))
			return false;
		met->size[count] = sw_sets_meet(&m->among->dim[dim].set[set], wanted, m->arena,
			m->counts ? NULL : &both[count]);
		if (met->size[count] < 0)
			return false;
		met->set[count] = set;
		count += met->size[count] > 0;
	}
	met->now = (sw_met_list){count, met->set, met->size, both};
	return true;
}

static bool keep_sets(sw_meetings *m, sw_met_sets *met, int32_t need)
{
	size_t count = (size_t)met->now.count;
	int32_t *set = SW_NEW(m->arena, int32_t, count);
	int64_t *size = SW_NEW(m->arena, int64_t, count);

	if (set == NULL || size == NULL)
		return false;
	memcpy(set, met->set, count * sizeof *set);
	memcpy(size, met->size, count * sizeof *size);
	met->kept[need] = (sw_met_list){met->now.count, set, size, met->now.both};
	m->keeps += met->now.count;
	return true;
}

static bool meet_sets(sw_meetings *m, int dim, int32_t need)
{
	sw_met_sets *met = &m->met[dim];
	bool kept = met->kept != NULL && met->kept[need].count >= 0;

	if (met->need == need)
		return true;
	met->need = -1;
	if (kept)
		met->now = met->kept[need];
	else if (!find_sets(m, dim, need) || (met->kept != NULL && m->keeps < MOST_KEPT && !keep_sets(m, met, need)))
		return false;
	met->need = need;
	for (int32_t i = 0; i < met->now.count; i++)
		met->position[met->now.set[i]] = i;
	return true;
}

/* Where a set stands among those that meet; -1: it does not. */
static int32_t position_of(const sw_met_sets *met, int32_t set)
{
	int32_t at = met->position[set];

	return at < met->now.count && met->now.set[at] == set ? at : -1;
}

/* ---- rows of them ---- */

/* Rows with the same numbers before a dimension. */
struct rows {
	sw_meetings *m;
	int32_t at[SW_BLOCK_DIMS]; /* the position of the set in each dimension before */
};

static int32_t set_at(const struct rows *rows, int32_t block, int dim)
{
	return rows->m->among->set[(int64_t)block * rows->m->among->rank + dim];
}

/* The first row from `low` to `high` - 1 whose number in this dimension is `set` or more. */
static int32_t first_row(const struct rows *rows, int dim, int32_t low, int32_t high, int32_t set)
{
	int32_t sets = rows->m->among->dim[dim].count;

	if (set >= sets)
		return high;
	int32_t guess = low + (int32_t)((int64_t)(high - low) * set / sets);

	if (guess < high && set_at(rows, guess, dim) >= set && (guess == low || set_at(rows, guess - 1, dim) < set))
		return guess;
	return (int32_t)SW_LOWER_BOUND(low, high, set_at(rows, (int32_t)at, dim) < set);
}

/* The end of the rows with this number, which begin with `first`, of those from `low` to `high` - 1. */
static int32_t end_of_rows(const struct rows *rows, int dim, int32_t low, int32_t high, int32_t first)
{
	if (dim == rows->m->among->rank - 1)
		return first + 1;
	return first_row(rows, dim, low, high, set_at(rows, first, dim) + 1);
}

/* What a row has in common in each dimension; NULL: no memory. */
static const sw_indices *tuple_of(const struct rows *rows)
{
	sw_meetings *m = rows->m;
	int rank = m->among->rank;

	if (m->tuple == NULL || m->tuple_room - m->tuples < rank) {
		m->tuples = 0;
		m->tuple_room = IN_TUPLES;
		m->tuple = SW_NEW(m->arena, sw_indices, IN_TUPLES);
		if (m->tuple == NULL)
			return NULL;
	}
	sw_indices *tuple = m->tuple + m->tuples;
	m->tuples += rank;
	for (int dim = 0; dim < rank; dim++)
		tuple[dim] = m->met[dim].now.both[rows->at[dim]];
	return tuple;
}

static bool add_meeting(const struct rows *rows, int32_t block)
{
	sw_meetings *m = rows->m;
	const sw_indices *set = m->counts ? NULL : tuple_of(rows);
	int64_t size = 1;

	if ((m->count == m->room && !SW_GROW(m->arena, m->meeting, m->count, m->room, 64)) || (!m->counts && set == NULL))
		return false;
	for (int dim = 0; dim < m->among->rank; dim++)
		size *= m->met[dim].now.size[rows->at[dim]];
	m->meeting[m->count++] = (sw_meeting){block, size, set};
	return true;
}

static bool meet_rows(struct rows *rows, int dim, int32_t low, int32_t high);

/* The few sets that meet, each sought among the rows. */
static bool meet_by_sets(struct rows *rows, int dim, int32_t low, int32_t high)
{
	const sw_met_list *met = &rows->m->met[dim].now;

	for (int32_t i = 0; i < met->count; i++) {
		int32_t first = first_row(rows, dim, low, high, met->set[i]);
		rows->at[dim] = i;
		if (first < high && set_at(rows, first, dim) == met->set[i] &&
			!meet_rows(rows, dim + 1, first, end_of_rows(rows, dim, low, high, first)))
			return false;
	}
	return true;
}

/* The few rows, each sought among the sets that meet. */
static bool meet_by_rows(struct rows *rows, int dim, int32_t low, int32_t high)
{
	for (int32_t first = low, end; first < high; first = end) {
		end = end_of_rows(rows, dim, low, high, first);
		rows->at[dim] = position_of(&rows->m->met[dim], set_at(rows, first, dim));
		if (rows->at[dim] >= 0 && !meet_rows(rows, dim + 1, first, end))
			return false;
	}
	return true;
}

/* Room for so many more meetings. */
static bool room_for(sw_meetings *m, int more)
{
	while (m->count + more > m->room)
		if (!SW_GROW(m->arena, m->meeting, m->room, m->room, 64))
			return false;
	return true;
}

/* What the blocks of a grid have in common in the last dimension, behind the sets that they consist of before it. */
static bool meet_last(struct rows *rows, int32_t before, int64_t size)
{
	sw_meetings *m = rows->m;
	int dim = m->among->rank - 1;
	const sw_met_sets *met = &m->met[dim];
	int32_t sets = m->among->dim[dim].count, count = met->now.count;

	if (!room_for(m, count))
		return false;
	for (int32_t i = 0; i < count; i++) {
		int32_t at = count == sets ? met->position[i] : i;
		rows->at[dim] = at;
		const sw_indices *set = m->counts ? NULL : tuple_of(rows);
		if (!m->counts && set == NULL)
			return false;
		m->meeting[m->count++] = (sw_meeting){before * sets + met->now.set[at], size * met->now.size[at], set};
	}
	return true;
}

/* In a grid the number of a block follows from those of its sets, and none is sought. */
static bool meet_grid(struct rows *rows, int dim, int32_t before, int64_t size)
{
	const sw_met_sets *met = &rows->m->met[dim];
	int32_t sets = rows->m->among->dim[dim].count, count = met->now.count;

	if (dim == rows->m->among->rank - 1)
		return meet_last(rows, before, size);
	for (int32_t i = 0; i < count; i++) {
		int32_t at = count == sets ? met->position[i] : i;
		rows->at[dim] = at;
		if (!meet_grid(rows, dim + 1, before * sets + met->now.set[at], size * met->now.size[at]))
			return false;
	}
	return true;
}

static bool meet_rows(struct rows *rows, int dim, int32_t low, int32_t high)
{
	if (low == high)
		return true;
	if (dim == rows->m->among->rank)
		return add_meeting(rows, low);
	return rows->m->met[dim].now.count < high - low ? meet_by_sets(rows, dim, low, high) :
													  meet_by_rows(rows, dim, low, high);
}

/* A run among runs that do not meet each other: those from the first that ends behind its begin to the last that begins before its
 * end. */
static bool meet_runs(sw_meetings *m, sw_shelf *shelf, const sw_family *need)
{
	int64_t begin = need->first, end = begin + need->run;
	int first = sw_shelf_first(shelf, begin), last = first;

	while (last < shelf->count && shelf->phase[last].phase < end)
		last++;
	sw_family *family = m->counts ? NULL : SW_NEW(m->arena, sw_family, last - first);
	sw_indices *both = m->counts ? NULL : SW_NEW(m->arena, sw_indices, last - first);
	if (!room_for(m, last - first) || (!m->counts && (family == NULL || both == NULL)))
		return false;
	for (int i = first; i < last; i++) {
		const sw_phase *phase = &shelf->phase[i];
		int64_t from = phase->phase > begin ? phase->phase : begin, to = phase->phase + phase->length;
		to = to < end ? to : end;
		if (!m->counts)
			both[i - first] = sw_indices_range(from, to, &family[i - first]);
		m->meeting[m->count++] = (sw_meeting){phase->set, to - from, m->counts ? NULL : &both[i - first]};
	}
	return true;
}

/* Of one dimension every set is a block of its own, of the same number. */
static bool meet_line(sw_meetings *m)
{
	const sw_met_list *met = &m->met[0].now;

	if (!room_for(m, met->count))
		return false;
	for (int32_t i = 0; i < met->count; i++)
		m->meeting[m->count++] = (sw_meeting){met->set[i], met->size[i], m->counts ? NULL : &met->both[i]};
	return true;
}

static bool meet_table(sw_meetings *m)
{
	struct rows rows = {.m = m};

	return m->grid && m->among->rank > 0 ? meet_grid(&rows, 0, 0, 1) : meet_rows(&rows, 0, 0, m->among->count);
}

static bool meet_block(sw_meetings *m, int32_t block)
{
	int rank = m->among->rank;

	m->count = 0;
	if (m->runs != NULL) {
		const sw_indices *need = &m->needs->dim[0].set[m->needs->set[block]];
		if (need->count == 1 && need->family->count == 1)
			return meet_runs(m, m->runs, need->family);
	}
	for (int dim = 0; dim < rank; dim++)
		if (!meet_sets(m, dim, m->needs->set[(int64_t)block * rank + dim]))
			return false;
	return rank == 1 ? meet_line(m) : meet_table(m);
}

bool sw_meetings_ask(sw_meetings *m, int32_t block)
{
	if (m->last == block)
		return true;
	bool met = sw_pulse_beat(m->needs->pulse, "blocks compared", block, m->needs->count) && meet_block(m, block);

	m->last = met ? block : -1;
	return met;
}

/* ---- how many ---- */

/* The sets of a dimension that meet one. */
static int64_t count_sets(sw_meetings *m, int dim, int32_t need)
{
	return meet_sets(m, dim, need) ? m->met[dim].now.count : -1;
}

int64_t sw_meetings_count(sw_meetings *m, int32_t block)
{
	const int32_t *need = &m->needs->set[(int64_t)block * m->needs->rank];
	int64_t count = 1;

	if (!m->grid)
		return sw_meetings_ask(m, block) ? m->count : -1;
	for (int dim = 0; dim < m->among->rank && count > 0; dim++) {
		int64_t met = count_sets(m, dim, need[dim]);
		count = met < 0 ? -1 : count * met;
	}
	return count;
}

/* The most that a needed set has in common with one of a dimension; -1: no memory. */
static int64_t most_of_sets(sw_meetings *m, int dim, int32_t need)
{
	int64_t most = 0;

	if (!meet_sets(m, dim, need))
		return -1;
	for (int32_t i = 0; i < m->met[dim].now.count; i++)
		most = sw_larger(most, m->met[dim].now.size[i]);
	return most;
}

int64_t sw_meetings_most(sw_meetings *m, int32_t block)
{
	const int32_t *need = &m->needs->set[(int64_t)block * m->needs->rank];
	int64_t size = 1;

	for (int dim = 0; dim < m->among->rank && size > 0; dim++) {
		int64_t most = most_of_sets(m, dim, need[dim]);
		size = most < 0 ? -1 : size * most;
	}
	return size;
}
