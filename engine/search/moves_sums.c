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

/* Offers what stands in the rows with more sums. */
static void offer_summed(sw_moves *m, uint64_t parts)
{
	uint64_t summed = m->now.summed, used = m->now.used;

	sw_row_draft_sum(m, &m->now, parts);
	offer(m);
	m->now.summed = summed;
	m->now.used = used;
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
		offer_summed(m, part);
	}
}

/* The part at a place of a row, where it may leave. */
static void pad_from(sw_moves *m, int row, int at)
{
	int part = sw_row_draft_pop_at(m, &m->now, row, at);
	uint64_t wanted = part < m->parts ? 0 : m->of_factor[part - m->parts] & m->to.summed & ~m->now.used;

	offer_summed(m, sw_part_bit(part));
	if (wanted != 0)
		offer_summed(m, wanted & -wanted);
	sw_row_draft_push(m, &m->now, row, part);
}

void sw_moves_pads(sw_moves *m)
{
	m->op = SW_PAD;
	for (int r = 0; r < m->rows; r++) {
		int64_t last = 0;

		if (m->now.length[r] == 0)
			continue;
		for (int k = sw_row_draft_last_run(m, &m->now, r); k < m->now.length[r] && !sw_moves_exhausted(m); k++) {
			int64_t prime = m->factor_of[m->now.at[r][k]];

			if (prime != last)
				pad_from(m, r, k);
			last = prime;
		}
	}
}

/* ---- sets of parts ---- */

/* Parts of which some are chosen in every way: also a part of a larger one that they make together. */
typedef struct choices {
	sw_moves *m;
	uint64_t among; /* those that make no larger part */
	int runs;       /* those that do, from a first part to a last */
	uint8_t first[SW_MAX_FACTORS], last[SW_MAX_FACTORS];
	void (*with)(struct choices *c, uint64_t chosen, uint64_t others);
	void (*make)(sw_moves *m, bool multi_dim);
	bool multi_dim; /* for `make` */
	bool differ;    /* the rows are others than before */
} choices;

static void add_run(choices *c, uint64_t *parts)
{
	int first = __builtin_ctzll(*parts), last = first;

	*parts &= *parts - 1;
	while (*parts != 0 && sw_moves_join(c->m, last, __builtin_ctzll(*parts))) {
		last = __builtin_ctzll(*parts);
		*parts &= *parts - 1;
	}
	c->first[c->runs] = (uint8_t)first;
	c->last[c->runs++] = (uint8_t)last;
}

static void choose_others(choices *c, uint64_t chosen, uint64_t others)
{
	for (uint64_t parts = c->among; !sw_moves_exhausted(c->m); parts = (parts - 1) & c->among) {
		c->m->tried++;
		if (is_first_of_kinds(c->m, parts, c->among))
			c->with(c, chosen | parts, others | (c->among & ~parts));
		if (parts == 0)
			return;
	}
}

/* The parts with ascending primes from one digit of an axis to another. */
static uint64_t parts_between(const sw_moves *m, int axis, int64_t begin, int64_t end)
{
	uint64_t parts = 0;

	for (int p = 0; p < m->parts && begin < end; p++) {
		const sw_prime_part *part = &m->cuts->at[p];

		if (part->axis != axis || part->pre != begin || end / begin % part->prime != 0)
			continue;
		parts |= sw_part_bit(p);
		begin *= part->prime;
	}
	return parts;
}

static void choose_runs(choices *c, int run, uint64_t chosen, uint64_t others);

/* Every way to cut a run into pieces of which every other one is chosen. */
static void cut_run(choices *c, int run, int64_t at, bool chooses, uint64_t chosen, uint64_t others)
{
	const sw_prime_part *last = &c->m->cuts->at[c->last[run]];
	int64_t left = last->pre * last->prime / at;

	if (left == 1) {
		choose_runs(c, run + 1, chosen, others);
		return;
	}
	for (int64_t k = 2; k <= left && !sw_moves_exhausted(c->m); k++) {
		if (left % k != 0)
			continue;
		uint64_t piece = parts_between(c->m, last->axis, at, at * k);

		cut_run(c, run, at * k, !chooses, chooses ? chosen | piece : chosen, chooses ? others : others | piece);
	}
}

static void choose_runs(choices *c, int run, uint64_t chosen, uint64_t others)
{
	if (run == c->runs) {
		choose_others(c, chosen, others);
		return;
	}
	int64_t begin = c->m->cuts->at[c->first[run]].pre;
	cut_run(c, run, begin, true, chosen, others);
	cut_run(c, run, begin, false, chosen, others);
}

/* Of neighbours that make one larger part `parts` has those with ascending primes. */
static void choose(choices *c, uint64_t parts)
{
	uint64_t mixed = parts & c->m->mixed;

	c->runs = 0;
	c->among = parts & ~mixed;
	while (mixed != 0)
		add_run(c, &mixed);
	choose_runs(c, 0, 0, 0);
}

/* ---- sums are finished ---- */

static void finish(choices *c, uint64_t chosen, uint64_t others)
{
	sw_moves *m = c->m;
	uint64_t summed = m->now.summed, used = m->now.used;

	if (chosen == 0)
		return;
	m->factor = product_of(m, chosen);
	sw_row_draft_unsum(m, &m->now, summed);
	sw_row_draft_sum(m, &m->now, others);
	c->make(m, c->multi_dim);
	m->now.summed = summed;
	m->now.used = used;
}

/* Takes parts out of the sum, each choice of them once, and makes of it what `make` does. */
static void sum_parts(sw_moves *m, void (*make)(sw_moves *m, bool multi_dim), bool multi_dim)
{
	choose(&(choices){.m = m, .with = finish, .make = make, .multi_dim = multi_dim}, m->now.summed);
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

/* ---- permutations ---- */

/* As many terms as before. */
static void keep_terms(choices *c, uint64_t chosen, uint64_t others)
{
	sw_moves *m = c->m;

	(void)others;
	if (product_of(m, chosen) == product_of(m, m->before.summed) && (c->differ || chosen != m->before.summed))
		offer_summed(m, chosen);
}

/* What no row has, with ascending primes. */
static uint64_t free_parts(const sw_moves *m)
{
	uint64_t pool = m->all & ~m->now.used, parts = 0;

	while (pool != 0) {
		parts |= pool & -pool;
		pool &= ~m->meets[__builtin_ctzll(pool)];
	}
	return parts;
}

void sw_moves_permuted_sums(sw_moves *m, bool differ)
{
	choose(&(choices){.m = m, .with = keep_terms, .differ = differ}, free_parts(m));
}
