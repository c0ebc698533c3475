/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows, their keys, and the moves between them.
 */
#include "search/moves.h"

#include <string.h>

#include "base/room.h"

/* ---- rows ---- */

void sw_moves_init(sw_moves *m, const sw_type *shape, const sw_prime_parts *factors)
{
	m->rank = m->rows = shape->rank;
	m->parts = factors->count;
	m->most = factors->count;
	m->counted = m->backward = m->failed = false;
	m->all = sw_part_bits(factors->count);
	m->alike = m->mixed = 0;
	m->edges = m->tried = 0;
	m->most_edges = INT64_MAX;
	memcpy(m->global, shape->global, sizeof m->global);
	for (int i = 0; i <= shape->rank; i++) {
		m->dim[i] = m->first[i] = i;
		m->takes[i] = m->all;
	}
	for (int p = 0; p < factors->count; p++) {
		m->factor_of[p] = factors->at[p].prime;
		m->kind[p] = (uint8_t)p;
		m->of_kind[p] = m->meets[p] = sw_part_bit(p);
		m->alike_below[p] = 0;
	}
}

void sw_moves_like(sw_moves *m, int a, int b)
{
	m->kind[b] = (uint8_t)a;
	m->alike |= sw_part_bit(b);
	m->alike_below[b] = m->of_kind[a] & (sw_part_bit(b) - 1);
	m->of_kind[a] |= sw_part_bit(b);
}

void sw_moves_count(sw_moves *m)
{
	int kinds = 0;

	m->counted = true;
	for (int a = 0; a < m->parts; a++) {
		if (m->kind[a] != a)
			continue;
		kinds++;
		for (int b = a + 1; b < m->parts; b++)
			if (m->factor_of[b] == m->factor_of[a])
				sw_moves_like(m, a, b);
	}
	m->rows = 0;
	for (int i = 0; i < m->rank; i++) {
		m->first[i] = m->rows;
		for (int a = 0; a < m->parts; a++)
			if (m->kind[a] == a) {
				m->dim[m->rows] = i;
				m->takes[m->rows++] = m->of_kind[a];
			}
	}
	m->first[m->rank] = m->rows;
}

void sw_row_draft_clear(const sw_moves *m, sw_row_draft *rows)
{
	rows->used = 0;
	rows->size = 1;
	for (int r = 0; r < m->rows; r++)
		rows->length[r] = 0;
	for (int i = 0; i < m->rank; i++) {
		rows->tile[i] = m->global[i];
		rows->size *= m->global[i];
	}
}

/* ---- parts of all orders ---- */

/* Do two parts, one behind the other, make one larger part? */
static bool joins(const sw_moves *m, int part, int next)
{
	const sw_prime_part *a, *b;

	if ((m->mixed >> part & 1) == 0)
		return false;
	a = &m->cuts->at[part];
	b = &m->cuts->at[next];
	return a->axis == b->axis && a->pre * a->prime == b->pre;
}

static bool joins_before(const sw_moves *m, const sw_row_draft *rows, int row, int at)
{
	return at > 0 && at < rows->length[row] && joins(m, rows->at[row][at - 1], rows->at[row][at]);
}

/* Where the larger part ends that begins at this place of a row. */
static int run_end(const sw_moves *m, const sw_row_draft *rows, int row, int begin)
{
	int end = begin + 1;

	while (joins_before(m, rows, row, end))
		end++;
	return end;
}

/* Where the larger part begins that a row ends with. */
static int last_run(const sw_moves *m, const sw_row_draft *rows, int row)
{
	int begin = rows->length[row] - 1;

	while (joins_before(m, rows, row, begin))
		begin--;
	return begin;
}

/* Exchanges a part and the one behind it, which make one larger part. */
static void exchange(const sw_moves *m, uint8_t *pair)
{
	uint8_t first = pair[0], second = pair[1];

	pair[0] = m->sooner[second][m->prime[first]];
	pair[1] = m->later[first][m->prime[second]];
}

static int find_part(const sw_prime_parts *cuts, int axis, int64_t pre, int64_t prime)
{
	for (int p = 0; p < cuts->count; p++)
		if (cuts->at[p].axis == axis && cuts->at[p].pre == pre && cuts->at[p].prime == prime)
			return p;
	return 0; /* there is none, and nobody will ask */
}

/* Fills what is known of a mixed part. */
static void mix_part(sw_moves *m, const sw_primes *primes, int part)
{
	const sw_prime_part *own = &m->cuts->at[part];

	for (int q = 0; q < primes->count; q++) {
		int64_t prime = primes->prime[q];

		if (own->prime == prime)
			m->prime[part] = (uint8_t)q;
		m->later[part][q] = (uint8_t)find_part(m->cuts, own->axis, own->pre * prime, own->prime);
		m->sooner[part][q] = (uint8_t)find_part(m->cuts, own->axis, own->pre / prime, own->prime);
	}
	for (int p = 0; p < m->parts; p++)
		if (sw_prime_parts_meet(own, &m->cuts->at[p]))
			m->meets[part] |= sw_part_bit(p);
}

static bool has_one_prime(int64_t size)
{
	int64_t primes[63];
	int count = sw_prime_factors(size, primes);

	return count == 0 || primes[0] == primes[count - 1];
}

void sw_moves_mix(sw_moves *m, const sw_mesh *mesh, const sw_prime_parts *cuts)
{
	int64_t every[63];
	sw_primes primes;

	m->cuts = cuts;
	m->most = sw_prime_factors(mesh->devices, every);
	sw_primes_of(&primes, cuts);
	for (int p = 0; p < cuts->count; p++)
		if (!has_one_prime(mesh->axis[cuts->at[p].axis].size)) {
			m->mixed |= sw_part_bit(p);
			mix_part(m, &primes, p);
		}
}

/* ---- pushing and popping ---- */

static void sort_in(const sw_moves *m, sw_row_draft *rows, int row)
{
	for (int k = rows->length[row] - 1; joins_before(m, rows, row, k); k--) {
		uint8_t *pair = &rows->at[row][k - 1];

		if (m->factor_of[pair[0]] <= m->factor_of[pair[1]])
			return;
		exchange(m, pair);
	}
}

void sw_row_draft_push(const sw_moves *m, sw_row_draft *rows, int row, int part)
{
	SW_ROOM(rows->at[row], rows->length[row]);
	rows->at[row][rows->length[row]++] = (uint8_t)part;
	rows->tile[m->dim[row]] /= m->factor_of[part];
	rows->size /= m->factor_of[part];
	rows->used |= m->meets[part];
	if ((m->mixed >> part & 1) != 0)
		sort_in(m, rows, row);
}

/* Another part may meet what this one did. */
static void free_mixed(const sw_moves *m, sw_row_draft *rows)
{
	rows->used = 0;
	for (int r = 0; r < m->rows; r++)
		for (int k = 0; k < rows->length[r]; k++)
			rows->used |= m->meets[rows->at[r][k]];
}

int sw_row_draft_pop(const sw_moves *m, sw_row_draft *rows, int row)
{
	int part = rows->at[row][--rows->length[row]];

	rows->tile[m->dim[row]] *= m->factor_of[part];
	rows->size *= m->factor_of[part];
	if ((m->mixed >> part & 1) != 0)
		free_mixed(m, rows);
	else
		rows->used &= ~sw_part_bit(part);
	return part;
}

/* Pops the part at a place of the larger part that the row ends with. */
static int pop_from_run(const sw_moves *m, sw_row_draft *rows, int row, int at)
{
	for (; at + 1 < rows->length[row]; at++)
		exchange(m, &rows->at[row][at]);
	return sw_row_draft_pop(m, rows, row);
}

void sw_row_draft_copy(const sw_moves *m, sw_row_draft *to, const sw_row_draft *from)
{
	to->used = from->used;
	to->size = from->size;
	memcpy(to->tile, from->tile, (size_t)m->rank * sizeof *to->tile);
	for (int r = 0; r < m->rows; r++) {
		to->length[r] = from->length[r];
		memcpy(to->at[r], from->at[r], (size_t)from->length[r]);
	}
}

/* The row of a dimension that takes parts of this factor. */
static int row_of(const sw_moves *m, int dim, int64_t factor)
{
	int row = m->first[dim];

	while (m->counted && m->factor_of[__builtin_ctzll(m->takes[row])] != factor)
		row++;
	return row;
}

void sw_row_draft_fill(const sw_moves *m, sw_row_draft *rows, const sw_prime_parts *factors, const sw_layout *layout)
{
	sw_row_draft_clear(m, rows);
	for (int i = 0; i < m->rank; i++)
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++) {
			int part = layout->order[k], row = row_of(m, i, factors->at[part].prime);

			sw_row_draft_push(m, rows, row, m->counted ? __builtin_ctzll(m->takes[row] & ~rows->used) : part);
		}
}

/* ---- keys ---- */

int sw_moves_key_bytes(const sw_moves *m)
{
	return (m->counted ? 0 : m->most) + m->rows;
}

void sw_row_draft_write(const sw_moves *m, const sw_row_draft *rows, uint8_t *key)
{
	uint8_t *length = key + (m->counted ? 0 : m->most);

	for (int r = 0; r < m->rows; r++) {
		length[r] = (uint8_t)rows->length[r];
		for (int k = 0; !m->counted && k < rows->length[r]; k++)
			*key++ = m->kind[rows->at[r][k]];
	}
	while (key < length)
		*key++ = 0xff;
}

void sw_row_draft_read(const sw_moves *m, const uint8_t *key, sw_row_draft *rows)
{
	const uint8_t *length = key + (m->counted ? 0 : m->most);

	sw_row_draft_clear(m, rows);
	for (int r = 0; r < m->rows; r++)
		for (int k = 0; k < length[r]; k++) {
			uint64_t parts = m->counted ? m->takes[r] : m->of_kind[*key++];

			sw_row_draft_push(m, rows, r, __builtin_ctzll(parts & ~rows->used));
		}
}

/* ---- on the way ---- */

/* Of rows that agree up to `n`, with the larger part there taken as the primes that both have of it. */
static int agreement_in_run(const sw_moves *m, const sw_row_draft *a, const sw_row_draft *b, int row, int n)
{
	int begin = n, i, j;

	while (joins_before(m, a, row, begin) || joins_before(m, b, row, begin))
		begin--;
	if (begin == a->length[row] || begin == b->length[row])
		return n;
	const sw_prime_part *first = &m->cuts->at[a->at[row][begin]], *other = &m->cuts->at[b->at[row][begin]];
	if (first->axis != other->axis || first->pre != other->pre)
		return n;
	int a_end = run_end(m, a, row, begin), b_end = run_end(m, b, row, begin), common = begin;
	for (i = j = begin; i < a_end && j < b_end;) {
		int64_t p = m->factor_of[a->at[row][i]], q = m->factor_of[b->at[row][j]];

		common += p == q;
		i += p <= q;
		j += q <= p;
	}
	return common;
}

int sw_row_draft_agreement(const sw_moves *m, const sw_row_draft *a, const sw_row_draft *b, int row)
{
	int n = 0, most = a->length[row] < b->length[row] ? a->length[row] : b->length[row];

	while (n < most && m->kind[a->at[row][n]] == m->kind[b->at[row][n]])
		n++;
	return m->mixed == 0 ? n : agreement_in_run(m, a, b, row, n);
}

int sw_moves_agreement(const sw_moves *m, int row)
{
	return sw_row_draft_agreement(m, &m->now, &m->to, row);
}

/* The parts of a larger part of `b` without the primes that `a` has of it, which has all that is in common; how many. */
static int rest_of_run(const sw_moves *m, const sw_row_draft *a, const sw_row_draft *b, int row, int begin,
	int agreed, uint8_t *rest)
{
	int end = run_end(m, b, row, begin), common = begin, n = 0;
	uint8_t out[SW_MAX_FACTORS];

	memcpy(out, b->at[row], (size_t)end);
	for (int k = begin, i = begin; k < end; k++) {
		int64_t p = m->factor_of[b->at[row][k]];

		while (i < a->length[row] && m->factor_of[a->at[row][i]] < p)
			i++;
		if (common == agreed || i >= a->length[row] || m->factor_of[a->at[row][i]] != p)
			continue;
		for (int at = k; at > common; at--)
			exchange(m, &out[at - 1]);
		common++;
		i++;
	}
	for (int k = common; k < end; k++)
		rest[n++] = out[k];
	return n;
}

int sw_row_draft_rest(const sw_moves *m, const sw_row_draft *a, const sw_row_draft *b, int row,
	uint8_t rest[SW_MAX_FACTORS])
{
	int agreed = sw_row_draft_agreement(m, a, b, row), begin = agreed, n = 0;

	while (joins_before(m, b, row, begin))
		begin--;
	if (m->mixed != 0 && begin < b->length[row]) {
		n = rest_of_run(m, a, b, row, begin, agreed, rest);
		agreed = run_end(m, b, row, begin);
	}
	for (int k = agreed; k < b->length[row]; k++)
		rest[n++] = b->at[row][k];
	return n;
}

static bool is_home(const sw_moves *m, int row)
{
	return sw_moves_agreement(m, row) == m->to.length[row];
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

	for (int k = 0; k < n && (k == 0 || joins(m, rest[k - 1], rest[k])); k++)
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

/* The parts worth pushing onto a row: of those that are alike only the first. */
static uint64_t choice(const sw_moves *m, int row)
{
	uint64_t pool = m->takes[row] & ~m->now.used, out = pool & ~m->alike;

	if (m->counted)
		return pool & -pool;
	for (uint64_t rest = pool & m->alike; rest != 0; rest &= rest - 1)
		if ((pool & m->alike_below[__builtin_ctzll(rest)]) == 0)
			out |= rest & -rest;
	return out;
}

static bool fits(const sw_moves *m, int row, int part)
{
	return m->now.tile[m->dim[row]] % m->factor_of[part] == 0;
}

/* Takes back a part that was pushed, which may stand within a larger part now. */
static void take_back(sw_moves *m, int row, int part)
{
	int at = m->now.length[row] - 1;

	while (m->factor_of[m->now.at[row][at]] != m->factor_of[part])
		at--;
	pop_from_run(m, &m->now, row, at);
}

/* Pushes lists of unused parts onto rows from `row` to before `end`, one part or more, and offers each outcome. */
static void push_lists(sw_moves *m, int row, int end, bool many)
{
	m->tried++;
	for (int r = row; r < end && !sw_moves_exhausted(m); r++)
		for (uint64_t rest = choice(m, r); rest != 0 && !sw_moves_exhausted(m); rest &= rest - 1) {
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
	for (uint64_t rest = choice(m, row); rest != 0 && !enough(m); rest &= rest - 1) {
		int part = __builtin_ctzll(rest);

		if (left % m->factor_of[part] != 0 || !fits(m, row, part) || !leads_home(m, row, part))
			continue;
		sw_row_draft_push(m, &m->now, row, part);
		pushes(m, row, end, left / m->factor_of[part]);
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
	int begin = last_run(m, &m->now, row);
	int64_t was = m->factor, last = 0;

	for (int k = begin; k < m->now.length[row] && !enough(m); k++) {
		int64_t prime = m->factor_of[m->now.at[row][k]];

		if (prime < least || prime == last)
			continue;
		int part = pop_from_run(m, &m->now, row, k);
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
		if (was != 0)
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
	pops(m, 0, multi_dim);
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
		if (moved)
			offer(m);
		return;
	}
	for (uint64_t rest = choice(m, row); rest != 0 && !sw_moves_exhausted(m); rest &= rest - 1) {
		int part = __builtin_ctzll(rest), n = m->now.length[row];

		if (m->now.tile[row] / m->before.tile[row] % m->factor_of[part] != 0 ||
			(n > 0 && m->factor_of[part] < m->factor_of[m->now.at[row][n - 1]] &&
				joins(m, m->now.at[row][n - 1], part)))
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
