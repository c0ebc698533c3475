/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of types that multiply: each part of the mesh cuts one letter, or is a sum of one operand, or nobody uses it.
 */
#include "program/pairs.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

enum { MOST_LETTERS = 2 * SW_MAX_DIMS };

typedef struct pairs {
	const sw_equation *equation;
	const sw_type_space *const *space;
	int letters;
	int dim[MOST_LETTERS][3]; /* of A, B and the result; -1: it lacks the letter */
	sw_pairs_visit *visit;
	void *context;
	sw_diag *diag;
} pairs;

static void collect_letters(pairs *p)
{
	const sw_equation *e = p->equation;

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < e->rank[side]; i++) {
			char letter = e->letter[side][i];

			if (side == 1 && sw_equation_find(e, SW_EQUATION_A, letter) >= 0)
				continue;
			for (int s = 0; s < 3; s++)
				p->dim[p->letters][s] = sw_equation_find(e, s, letter);
			p->letters++;
		}
}

static bool flops_of(const pairs *p, const int32_t at[3], int64_t *flops)
{
	*flops = 2;
	for (int l = 0; l < p->letters; l++) {
		int s = p->dim[l][0] >= 0 ? 0 : 1;

		if (!sw_mul(*flops, p->space[s]->tile[(int64_t)at[s] * p->space[s]->rank + p->dim[l][s]], flops))
			return sw_diag_set(p->diag, SW_S09, (sw_span){0, 0}, "the operations of a device do not fit 64 bits");
	}
	return true;
}

/* Arrangements stand; of the parts that are free any may be sums of A, and of the others any of B. */
static bool choose_sums(const pairs *p, const int32_t at[3], uint32_t free, uint32_t dropped)
{
	bool sums = p->space[0]->summed;
	int64_t flops;

	if (!flops_of(p, at, &flops))
		return false;
	for (uint32_t of_a = sums ? free : 0;; of_a = (of_a - 1) & free) {
		uint32_t rest = free & ~of_a;

		for (uint32_t of_b = sums ? rest : 0;; of_b = (of_b - 1) & rest) {
			const int32_t state[] = {sw_type_space_state(p->space[0], at[0], of_a),
				sw_type_space_state(p->space[1], at[1], of_b),
				sw_type_space_state(p->space[2], at[2], dropped | of_a | of_b)};

			if ((dropped == 0 || sums) && !p->visit(p->context, state, flops))
				return false;
			if (of_b == 0)
				break;
		}
		if (of_a == 0)
			return true;
	}
}

/* Pushes a part onto a letter in all that have it; false where it does not divide. */
static bool push(const pairs *p, int letter, int part, const int32_t at[3], int32_t next[3])
{
	for (int s = 0; s < 3; s++) {
		int dim = p->dim[letter][s];

		next[s] = dim < 0 ? at[s] : sw_type_space_push(p->space[s], at[s], dim, part);
		if (next[s] < 0)
			return false;
	}
	return true;
}

static bool place(const pairs *p, int letter, const int32_t at[3], uint32_t free, uint32_t dropped)
{
	int32_t next[3];

	if (letter == p->letters)
		return choose_sums(p, at, free, dropped);
	if (!place(p, letter + 1, at, free, dropped))
		return false;
	for (uint32_t rest = free; rest != 0; rest &= rest - 1) {
		uint32_t part = rest & -rest;

		if (push(p, letter, __builtin_ctz(part), at, next) &&
			!place(p, letter, next, free & ~part, dropped | (p->dim[letter][2] < 0 ? part : 0)))
			return false;
	}
	return true;
}

bool sw_pairs_each(const sw_equation *equation, const sw_type_space *const space[3], sw_pairs_visit *visit,
	void *context, sw_diag *diag)
{
	assert(space[0]->parts == space[1]->parts && space[0]->parts == space[2]->parts);
	pairs p = {.equation = equation, .space = space, .visit = visit, .context = context, .diag = diag};
	const int32_t whole[3] = {0, 0, 0};

	collect_letters(&p);
	return place(&p, 0, whole, (uint32_t)((uint64_t)1 << space[0]->parts) - 1, 0);
}
