/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moves between layouts with sums: parts join the sums and leave them.
 */
#include "search/moves.h"

static void offer(sw_moves *m)
{
	m->edges++;
	m->offer(m->context);
}

static int64_t product_of(const sw_moves *m, uint64_t parts)
{
	int64_t product = 1;

	for (; parts != 0; parts &= parts - 1)
		product *= m->factor_of[__builtin_ctzll(parts)];
	return product;
}

/* Parts of which those that are alike are taken from the lowest on. */
static bool is_first_of_kinds(const sw_moves *m, uint64_t parts, uint64_t among)
{
	for (uint64_t rest = parts & m->alike; rest != 0; rest &= rest - 1)
		if ((among & m->alike_below[__builtin_ctzll(rest)] & ~parts) != 0)
			return false;
	return true;
}

void sw_moves_blank(sw_moves *m)
{
	m->blanks = true;
	for (int p = 0; p < m->parts; p++) {
		int blank = m->parts + p, first = m->parts;

		m->factor_of[blank] = m->factor_of[p];
		m->kind[blank] = (uint8_t)blank;
		m->of_kind[blank] = m->meets[blank] = sw_part_bit(blank);
		m->alike_below[blank] = 0;
		while (m->factor_of[first] != m->factor_of[blank])
			first++;
		if (first != blank)
			sw_moves_like(m, first, blank);
	}
	for (int p = 0; p < m->parts; p++) {
		m->of_factor[p] = 0;
		for (int q = 0; q < 2 * m->parts; q++)
			if (m->factor_of[q] == m->factor_of[p])
				m->of_factor[p] |= sw_part_bit(q);
	}
}

/* Is a part of this factor free? */
static bool is_free(const sw_moves *m, int part)
{
	uint64_t same = m->of_factor[part];

	return __builtin_popcountll(same & m->now.used) < __builtin_popcountll(same & m->all);
}

void sw_moves_zeros(sw_moves *m)
{
	uint64_t pool = m->all & ~m->now.used & (m->blanks ? m->to.summed : m->all);

	m->op = SW_ZEROS;
	for (uint64_t rest = pool; rest != 0 && !sw_moves_exhausted(m); rest &= rest - 1) {
		uint64_t part = rest & -rest;

		if (!is_first_of_kinds(m, part, pool) || (m->blanks && !is_free(m, __builtin_ctzll(part))))
			continue;
		sw_row_draft_sum(&m->now, part);
		offer(m);
		sw_row_draft_unsum(&m->now, part);
	}
}

static void pad_as(sw_moves *m, uint64_t part)
{
	sw_row_draft_sum(&m->now, part);
	offer(m);
	sw_row_draft_unsum(&m->now, part);
}

void sw_moves_pads(sw_moves *m)
{
	m->op = SW_PAD;
	for (int r = 0; r < m->rows && !sw_moves_exhausted(m); r++) {
		if (m->now.length[r] == 0)
			continue;
		int part = sw_row_draft_pop(m, &m->now, r);
		uint64_t wanted = part < m->parts ? 0 : m->of_factor[part - m->parts] & m->to.summed & ~m->now.used;

		pad_as(m, sw_part_bit(part));
		if (wanted != 0)
			pad_as(m, wanted & -wanted);
		sw_row_draft_push(m, &m->now, r, part);
	}
}

/* Takes parts out of the sum, each choice of them once, and makes of it what `make` does. */
static void sum_parts(sw_moves *m, void (*make)(sw_moves *m, bool multi_dim), bool multi_dim)
{
	uint64_t summed = m->now.summed;

	for (uint64_t parts = summed; parts != 0 && !sw_moves_exhausted(m); parts = (parts - 1) & summed) {
		m->tried++;
		if (!is_first_of_kinds(m, parts, summed))
			continue;
		m->factor = product_of(m, parts);
		sw_row_draft_unsum(&m->now, parts);
		make(m, multi_dim);
		sw_row_draft_sum(&m->now, parts);
	}
	m->factor = 1;
}

static void offer_whole(sw_moves *m, bool multi_dim)
{
	(void)multi_dim;
	offer(m);
}

static void scatter(sw_moves *m, bool multi_dim)
{
	if (m->hope == NULL || m->hope(m->context))
		sw_moves_swap(m, multi_dim);
}

void sw_moves_allreduces(sw_moves *m)
{
	m->op = SW_ALLREDUCE;
	sum_parts(m, offer_whole, false);
}

void sw_moves_scatters(sw_moves *m, bool multi_dim)
{
	m->op = SW_REDUCESCATTER;
	sum_parts(m, scatter, multi_dim);
}

void sw_moves_permuted_sums(sw_moves *m, bool differ)
{
	uint64_t free = m->all & ~m->now.used;
	int64_t terms = product_of(m, m->before.summed);

	for (uint64_t parts = free;; parts = (parts - 1) & free) {
		m->tried++;
		if (product_of(m, parts) == terms && is_first_of_kinds(m, parts, free) &&
			(differ || parts != m->before.summed)) {
			sw_row_draft_sum(&m->now, parts);
			offer(m);
			sw_row_draft_unsum(&m->now, parts);
		}
		if (parts == 0 || sw_moves_exhausted(m))
			return;
	}
}
