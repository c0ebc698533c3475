/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moves between layouts: what is popped from the ends of rows, and where it is pushed.
 */
#include "search/moves.h"

/* ---- on the way ---- */

int sw_moves_agreement(const sw_moves *m, int row)
{
	return sw_row_draft_agreement(m, &m->now, &m->to, row);
}

static bool is_home(const sw_moves *m, int row)
{
	return m->now.length[row] >= m->to.length[row] && sw_moves_agreement(m, row) == m->to.length[row];
}

bool sw_moves_are_home(const sw_moves *m)
{
	for (int r = 0; r < m->rows; r++)
		if (!is_home(m, r))
			return false;
	return true;
}

void sw_moves_begin(sw_moves *m)
{
	sw_row_draft_copy(m, &m->before, &m->now);
	m->popped = 0;
	m->factor = 1;
	m->aim = SW_ANYWHERE;
	m->arrived = false;
}

bool sw_moves_exhausted(const sw_moves *m)
{
	return m->edges + m->tried / 4 > m->most_edges || m->failed;
}

static bool enough(const sw_moves *m)
{
	return m->arrived || sw_moves_exhausted(m);
}

/* May a row stay as it is, after what was popped from it? */
static bool stays_on_the_way(const sw_moves *m, int row)
{
	int agreed = m->aim == SW_ANYWHERE ? 0 : sw_moves_agreement(m, row);

	if (m->aim == SW_ANYWHERE || agreed == m->to.length[row])
		return true;
	return agreed == m->now.length[row] && (m->aim == SW_TOWARDS || (m->popped >> m->dim[row] & 1) == 0);
}

/* Of a row that `to` goes on from: can this part, or one that makes a larger part with others, come next? */
static bool goes_on(const sw_moves *m, int row, int part)
{
	uint8_t rest[SW_MAX_FACTORS];
	int n = sw_row_draft_rest(m, &m->now, &m->to, row, rest);

	for (int k = 0; k < n && (k == 0 || sw_moves_join(m, rest[k - 1], rest[k])); k++)
		if (m->factor_of[rest[k]] == m->factor_of[part])
			return m->cuts->at[rest[0]].axis == m->cuts->at[part].axis &&
				m->cuts->at[rest[0]].pre == m->cuts->at[part].pre;
	return n == 0;
}

/* And may this part be pushed onto it? */
static bool leads_home(const sw_moves *m, int row, int part)
{
	int at = m->now.length[row];

	if (m->aim == SW_ANYWHERE)
		return true;
	if (m->mixed != 0)
		return goes_on(m, row, part);
	return at >= m->to.length[row] || m->kind[m->to.at[row][at]] == m->kind[part];
}

/* ---- edges ---- */

static void offer(sw_moves *m)
{
	m->edges++;
	m->offer(m->context);
}

/* The parts that split by the same as `part`, blanks among them. */
static uint64_t of_factor(const sw_moves *m, int part)
{
	return m->of_factor[part < m->parts ? part : part - m->parts];
}

/* Of each prime of which a part is free: the part that `to` goes on with, or a blank. */
static uint64_t choice_with_blanks(const sw_moves *m, int row)
{
	int at = m->now.length[row];
	bool goes_on = at < m->to.length[row] && sw_moves_agreement(m, row) == at;
	uint64_t out = 0;

	for (uint64_t rest = m->all, same; rest != 0; rest &= ~same) {
		same = of_factor(m, __builtin_ctzll(rest));
		uint64_t blanks = same & ~m->all & ~m->now.used;
		uint64_t next = goes_on ? same & ~m->now.used & sw_part_bit(m->to.at[row][at]) : 0;

		if (__builtin_popcountll(same & m->now.used) == __builtin_popcountll(same & m->all))
			continue;
		out |= next;
		if (next == 0 || m->to.summed != 0)
			out |= blanks & -blanks;
	}
	return out;
}

uint64_t sw_moves_choice(const sw_moves *m, int row)
{
	uint64_t pool = m->takes[row] & ~m->now.used, out = pool & ~m->alike;

	if (m->counted)
		return pool & -pool;
	if (m->blanks)
		return choice_with_blanks(m, row);
	for (uint64_t rest = pool & m->alike; rest != 0; rest &= rest - 1)
		if ((pool & m->alike_below[__builtin_ctzll(rest)]) == 0)
			out |= rest & -rest;
	return out;
}

static bool fits(const sw_moves *m, int row, int part)
{
	return sw_has_prime(m->now.tile[m->dim[row]], m->factor_of[part]);
}

/* Takes back a part that was pushed, which may stand within a larger part now. */
static void take_back(sw_moves *m, int row, int part)
{
	int at = m->now.length[row] - 1;

	while (m->factor_of[m->now.at[row][at]] != m->factor_of[part])
		at--;
	sw_row_draft_pop_at(m, &m->now, row, at);
}

/* Pushes lists of unused parts onto rows from `row` to before `end`, one part or more, and offers each outcome. */
static void push_lists(sw_moves *m, int row, int end, bool many)
{
	m->tried++;
	for (int r = row; r < end && !sw_moves_exhausted(m); r++)
		for (uint64_t rest = sw_moves_choice(m, r); rest != 0 && !sw_moves_exhausted(m); rest &= rest - 1) {
			int part = __builtin_ctzll(rest);

			if (!fits(m, r, part))
				continue;
			sw_row_draft_push(m, &m->now, r, part);
			offer(m);
			if (many)
				push_lists(m, r, end, true);
			take_back(m, r, part);
		}
}

static void pushes(sw_moves *m, int row, int end, int64_t left);

static void push_onto(sw_moves *m, int row, int end, int64_t left)
{
	for (uint64_t rest = sw_moves_choice(m, row); rest != 0 && !enough(m); rest &= rest - 1) {
		int part = __builtin_ctzll(rest);

		if (!leads_home(m, row, part) || !sw_has_prime(left, m->factor_of[part]) || !fits(m, row, part))
			continue;
		sw_row_draft_push(m, &m->now, row, part);
		pushes(m, row, end, sw_by_prime(left, m->factor_of[part]));
		take_back(m, row, part);
	}
}

/* Pushes parts, of product `left` in all, onto rows from `row` to before `end` and offers each outcome. */
static void pushes(sw_moves *m, int row, int end, int64_t left)
{
	m->tried++;
	if (left == 1) {
		if (m->aim == SW_HOME && !sw_moves_are_home(m))
			return;
		m->arrived = m->aim == SW_HOME;
		offer(m);
		return;
	}
	for (int r = row; r < end && !enough(m); r++) {
		if ((m->popped >> m->dim[r] & 1) != 0)
			continue;
		push_onto(m, r, end, left);
		if (m->aim == SW_HOME && !is_home(m, r))
			return;
	}
}

static void after_pops(sw_moves *m, bool multi_dim)
{
	if (m->op == SW_ALLGATHER) {
		offer(m);
	} else if (multi_dim) {
		pushes(m, 0, m->rows, m->factor);
	} else {
		for (int j = 0; j < m->rank; j++)
			if ((m->popped >> j & 1) == 0)
				pushes(m, m->first[j], m->first[j + 1], m->factor);
	}
}

static void pops(sw_moves *m, int row, bool multi_dim);

/* Pops the end of a row in every way.  Of a larger part each prime may leave first, those that leave in ascending order. */
static void pop_row(sw_moves *m, int row, bool multi_dim, int64_t least)
{
	int begin = sw_row_draft_last_run(m, &m->now, row);
	int64_t was = m->factor, last = 0;

	for (int k = begin; k < m->now.length[row] && !enough(m); k++) {
		int64_t prime = m->factor_of[m->now.at[row][k]];

		if (prime < least || prime == last)
			continue;
		int part = sw_row_draft_pop_at(m, &m->now, row, k);
		last = prime;
		m->factor = was * prime;
		if (stays_on_the_way(m, row))
			pops(m, row + 1, multi_dim);
		if (m->now.length[row] > 0)
			pop_row(m, row, multi_dim, m->now.length[row] > begin ? prime : 0);
		sw_row_draft_push(m, &m->now, row, part);
	}
	m->factor = was;
}

/* Pops the ends of rows from `row` on, of one dimension or of several, in every way. */
static void pops(sw_moves *m, int row, bool multi_dim)
{
	unsigned bit, was = m->popped;

	m->tried++;
	if (row == m->rows) {
		if (was != 0 || m->factor > 1)
			after_pops(m, multi_dim);
		return;
	}
	if (stays_on_the_way(m, row))
		pops(m, row + 1, multi_dim);
	bit = 1u << m->dim[row];
	if ((!multi_dim && (was & ~bit) != 0) || m->now.length[row] == 0)
		return;
	m->popped |= bit;
	pop_row(m, row, multi_dim, 0);
	m->popped = was;
}

/* Backwards a slice gives back one part. */
static void pop_one_part(sw_moves *m)
{
	for (int r = 0; r < m->rows; r++) {
		if (m->now.length[r] == 0)
			continue;
		int part = sw_row_draft_pop(m, &m->now, r);

		offer(m);
		sw_row_draft_push(m, &m->now, r, part);
	}
}

void sw_moves_slices(sw_moves *m, bool whole)
{
	m->op = SW_DYNSLICE;
	if (m->backward)
		pop_one_part(m);
	else
		push_lists(m, 0, m->rows, whole);
}

void sw_moves_gathers(sw_moves *m, bool multi_dim)
{
	m->op = SW_ALLGATHER;
	if (!m->backward)
		pops(m, 0, multi_dim);
	for (int i = 0; m->backward && i < m->rank; i++)
		push_lists(m, m->first[i], m->first[i + 1], true);
}

void sw_moves_alltoalls(sw_moves *m, bool multi_dim)
{
	m->op = SW_ALLTOALL;
	if (m->hope == NULL || m->hope(m->context))
		pops(m, 0, multi_dim);
}

void sw_moves_swap(sw_moves *m, bool multi_dim)
{
	if (multi_dim)
		pops(m, 0, true);
	else
		after_pops(m, false);
}

/* Fills rows from `row` on until tiles are as before, in every way; parts that make a larger one with ascending primes. */
static void permute_row(sw_moves *m, int row, bool moved)
{
	m->tried++;
	while (row < m->rows && m->now.tile[row] == m->before.tile[row]) {
		moved = moved || m->now.length[row] != m->before.length[row] ||
			sw_row_draft_agreement(m, &m->now, &m->before, row) < m->now.length[row];
		row++;
	}
	if (row == m->rows) {
		if (m->sums)
			sw_moves_permuted_sums(m, moved);
		else if (moved)
			offer(m);
		return;
	}
	for (uint64_t rest = sw_moves_choice(m, row); rest != 0 && !sw_moves_exhausted(m); rest &= rest - 1) {
		int part = __builtin_ctzll(rest), n = m->now.length[row];

		if (m->now.tile[row] / m->before.tile[row] % m->factor_of[part] != 0 ||
			(n > 0 && m->factor_of[part] < m->factor_of[m->now.at[row][n - 1]] &&
				sw_moves_join(m, m->now.at[row][n - 1], part)))
			continue;
		sw_row_draft_push(m, &m->now, row, part);
		permute_row(m, row, moved);
		sw_row_draft_pop(m, &m->now, row);
	}
}

void sw_moves_permutations(sw_moves *m)
{
	m->op = SW_ALLPERMUTE;
	sw_row_draft_clear(m, &m->now);
	permute_row(m, 0, false);
	sw_row_draft_copy(m, &m->now, &m->before);
}
