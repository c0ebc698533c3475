/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of parts while moves are made from them: which parts they take, pushing and popping, keys, what two layouts have in common.
 */
#include "search/moves.h"

#include <assert.h>
#include <string.h>

#include "base/room.h"

/* ---- rows ---- */

void sw_moves_init(sw_moves *m, const sw_type *shape, const sw_prime_parts *factors)
{
	m->rank = m->rows = shape->rank;
	m->parts = factors->count;
	m->most = factors->count;
	m->counted = m->backward = m->failed = m->sums = m->blanks = false;
	m->all = sw_part_bits(factors->count);
	m->alike = m->mixed = 0;
	m->edges = m->tried = 0;
	m->hope = NULL;
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
	assert(a < b && m->kind[a] == a);
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
	rows->used = rows->summed = 0;
	rows->size = 1;
	for (int r = 0; r < m->rows; r++)
		rows->length[r] = 0;
	for (int i = 0; i < m->rank; i++) {
		rows->tile[i] = m->global[i];
		rows->size *= m->global[i];
	}
}

/* ---- parts of all orders ---- */

bool sw_moves_join(const sw_moves *m, int part, int next)
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
	return at > 0 && at < rows->length[row] && sw_moves_join(m, rows->at[row][at - 1], rows->at[row][at]);
}

/* Where the larger part ends that begins at this place of a row. */
static int run_end(const sw_moves *m, const sw_row_draft *rows, int row, int begin)
{
	int end = begin + 1;

	while (joins_before(m, rows, row, end))
		end++;
	return end;
}

int sw_row_draft_last_run(const sw_moves *m, const sw_row_draft *rows, int row)
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
	rows->tile[m->dim[row]] = sw_by_prime(rows->tile[m->dim[row]], m->factor_of[part]);
	rows->size = sw_by_prime(rows->size, m->factor_of[part]);
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
	for (uint64_t rest = rows->summed; rest != 0; rest &= rest - 1)
		rows->used |= m->meets[__builtin_ctzll(rest)];
}

/* Parts of which those that make one larger part have ascending primes. */
static uint64_t ascending(const sw_moves *m, uint64_t parts)
{
	uint8_t at[SW_MAX_PRIME_PARTS];
	uint64_t out = 0;
	int n = 0;

	for (; parts != 0; parts &= parts - 1) {
		at[n] = (uint8_t)__builtin_ctzll(parts);
		for (int k = n++;
			 k > 0 && sw_moves_join(m, at[k - 1], at[k]) && m->factor_of[at[k - 1]] > m->factor_of[at[k]]; k--)
			exchange(m, &at[k - 1]);
	}
	while (n > 0)
		out |= sw_part_bit(at[--n]);
	return out;
}

void sw_row_draft_mix_sums(const sw_moves *m, sw_row_draft *rows, uint64_t parts)
{
	rows->summed = ascending(m, parts);
	free_mixed(m, rows);
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

int sw_row_draft_pop_at(const sw_moves *m, sw_row_draft *rows, int row, int at)
{
	for (; at + 1 < rows->length[row]; at++)
		exchange(m, &rows->at[row][at]);
	return sw_row_draft_pop(m, rows, row);
}

void sw_row_draft_copy(const sw_moves *m, sw_row_draft *to, const sw_row_draft *from)
{
	to->used = from->used;
	to->summed = from->summed;
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
	if (m->sums)
		sw_row_draft_sum(m, rows, layout->summed);
}

/* ---- keys ---- */

int sw_moves_key_bytes(const sw_moves *m)
{
	return (m->counted ? 0 : m->most) + m->rows + (m->sums ? (int)sizeof(uint64_t) : 0);
}

/* The lowest parts of each kind, as many as are summed. */
static uint64_t summed_kinds(const sw_moves *m, uint64_t summed)
{
	uint64_t out = 0;

	for (; summed != 0; summed &= summed - 1) {
		uint64_t pool = m->of_kind[m->kind[__builtin_ctzll(summed)]] & ~out;

		out |= pool & -pool;
	}
	return out;
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
	if (m->sums)
		memcpy(length + m->rows, &(uint64_t){summed_kinds(m, rows->summed)}, sizeof rows->summed);
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
	uint64_t summed = 0;
	if (m->sums)
		memcpy(&summed, length + m->rows, sizeof summed);
	for (; summed != 0; summed &= summed - 1) {
		uint64_t pool = m->of_kind[m->kind[__builtin_ctzll(summed)]] & ~rows->used;

		sw_row_draft_sum(m, rows, pool & -pool);
	}
}

/* ---- what two have in common ---- */

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
