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
	m->counted = m->backward = m->failed = false;
	m->all = sw_part_bits(factors->count);
	m->alike = 0;
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
		m->of_kind[p] = sw_part_bit(p);
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

void sw_rows_clear(const sw_moves *m, sw_rows *rows)
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

void sw_rows_push(const sw_moves *m, sw_rows *rows, int row, int part)
{
	SW_ROOM(rows->at[row], rows->length[row]);
	rows->at[row][rows->length[row]++] = (uint8_t)part;
	rows->tile[m->dim[row]] /= m->factor_of[part];
	rows->size /= m->factor_of[part];
	rows->used |= sw_part_bit(part);
}

int sw_rows_pop(const sw_moves *m, sw_rows *rows, int row)
{
	int part = rows->at[row][--rows->length[row]];

	rows->tile[m->dim[row]] *= m->factor_of[part];
	rows->size *= m->factor_of[part];
	rows->used &= ~sw_part_bit(part);
	return part;
}

void sw_rows_copy(const sw_moves *m, sw_rows *to, const sw_rows *from)
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

void sw_rows_fill(const sw_moves *m, sw_rows *rows, const sw_prime_parts *factors, const sw_layout *layout)
{
	sw_rows_clear(m, rows);
	for (int i = 0; i < m->rank; i++)
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++) {
			int part = layout->order[k], row = row_of(m, i, factors->at[part].prime);

			sw_rows_push(m, rows, row, m->counted ? __builtin_ctzll(m->takes[row] & ~rows->used) : part);
		}
}

/* ---- keys ---- */

int sw_moves_key_bytes(const sw_moves *m)
{
	return (m->counted ? 0 : m->parts) + m->rows;
}

void sw_rows_write(const sw_moves *m, const sw_rows *rows, uint8_t *key)
{
	uint8_t *length = key + (m->counted ? 0 : m->parts);

	for (int r = 0; r < m->rows; r++) {
		length[r] = (uint8_t)rows->length[r];
		for (int k = 0; !m->counted && k < rows->length[r]; k++)
			*key++ = m->kind[rows->at[r][k]];
	}
	while (key < length)
		*key++ = 0xff;
}

void sw_rows_read(const sw_moves *m, const uint8_t *key, sw_rows *rows)
{
	const uint8_t *length = key + (m->counted ? 0 : m->parts);

	sw_rows_clear(m, rows);
	for (int r = 0; r < m->rows; r++)
		for (int k = 0; k < length[r]; k++) {
			uint64_t parts = m->counted ? m->takes[r] : m->of_kind[*key++];

			sw_rows_push(m, rows, r, __builtin_ctzll(parts & ~rows->used));
		}
}

/* ---- on the way ---- */

int sw_moves_agreement(const sw_moves *m, int row)
{
	int n = 0, most = m->to.length[row];

	if (m->now.length[row] < most)
		most = m->now.length[row];
	while (n < most && m->kind[m->now.at[row][n]] == m->kind[m->to.at[row][n]])
		n++;
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
	sw_rows_copy(m, &m->before, &m->now);
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

/* And may this part be pushed onto it? */
static bool leads_home(const sw_moves *m, int row, int part)
{
	int at = m->now.length[row];

	return m->aim == SW_ANYWHERE || at >= m->to.length[row] || m->kind[m->to.at[row][at]] == m->kind[part];
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

/* Pushes lists of unused parts onto rows from `row` to before `end`, one part or more, and offers each outcome. */
static void push_lists(sw_moves *m, int row, int end, bool many)
{
	m->tried++;
	for (int r = row; r < end && !sw_moves_exhausted(m); r++)
		for (uint64_t rest = choice(m, r); rest != 0 && !sw_moves_exhausted(m); rest &= rest - 1) {
			int part = __builtin_ctzll(rest);

			if (!fits(m, r, part))
				continue;
			sw_rows_push(m, &m->now, r, part);
			offer(m);
			if (many)
				push_lists(m, r, end, true);
			sw_rows_pop(m, &m->now, r);
		}
}

static void pushes(sw_moves *m, int row, int end, int64_t left);

static void push_onto(sw_moves *m, int row, int end, int64_t left)
{
	for (uint64_t rest = choice(m, row); rest != 0 && !enough(m); rest &= rest - 1) {
		int part = __builtin_ctzll(rest);

		if (left % m->factor_of[part] != 0 || !fits(m, row, part) || !leads_home(m, row, part))
			continue;
		sw_rows_push(m, &m->now, row, part);
		pushes(m, row, end, left / m->factor_of[part]);
		sw_rows_pop(m, &m->now, row);
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

static void after_pops(sw_moves *m, bool several)
{
	if (m->op == SW_ALLGATHER) {
		offer(m);
	} else if (several) {
		pushes(m, 0, m->rows, m->factor);
	} else {
		for (int j = 0; j < m->rank; j++)
			if ((m->popped >> j & 1) == 0)
				pushes(m, m->first[j], m->first[j + 1], m->factor);
	}
}

/* Pops the ends of rows from `row` on, of one dimension or of several, in every way. */
static void pops(sw_moves *m, int row, bool several)
{
	uint8_t parts[SW_MAX_FACTORS];
	unsigned bit, was = m->popped;
	int64_t factor = m->factor;
	int count = 0;

	m->tried++;
	if (row == m->rows) {
		if (was != 0)
			after_pops(m, several);
		return;
	}
	if (stays_on_the_way(m, row))
		pops(m, row + 1, several);
	bit = 1u << m->dim[row];
	if (!several && (was & ~bit) != 0)
		return;
	m->popped |= bit;
	while (m->now.length[row] > 0 && !enough(m)) {
		parts[count] = (uint8_t)sw_rows_pop(m, &m->now, row);
		m->factor *= m->factor_of[parts[count++]];
		if (stays_on_the_way(m, row))
			pops(m, row + 1, several);
	}
	while (count > 0)
		sw_rows_push(m, &m->now, row, parts[--count]);
	m->popped = was;
	m->factor = factor;
}

/* Backwards a slice gives back one part. */
static void pop_one_part(sw_moves *m)
{
	for (int r = 0; r < m->rows; r++) {
		if (m->now.length[r] == 0)
			continue;
		int part = sw_rows_pop(m, &m->now, r);

		offer(m);
		sw_rows_push(m, &m->now, r, part);
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

void sw_moves_gathers(sw_moves *m, bool several)
{
	m->op = SW_ALLGATHER;
	if (!m->backward)
		pops(m, 0, several);
	for (int i = 0; m->backward && i < m->rank; i++)
		push_lists(m, m->first[i], m->first[i + 1], true);
}

void sw_moves_alltoalls(sw_moves *m, bool several)
{
	m->op = SW_ALLTOALL;
	pops(m, 0, several);
}
