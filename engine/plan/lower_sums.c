/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering paths over local types with sums: which parts are popped, pushed and summed is chosen step by step.
 */
#include "plan/lower_sums.h"

#include <string.h>

#include "base/room.h"
#include "search/draft.h"
#include "step/row.h"

/* A layout with sums while it is changed; rows.used has the sums too. */
typedef struct sums_draft {
	sw_layout_draft rows;
	uint64_t summed;
} sums_draft;

/* A path without its permutation: state k is that after k steps. */
typedef struct sums_walk {
	sw_lowering *l;
	const sw_to_go *to_go;
	int count;
	sw_op op[SW_TO_GO_STEPS];
	int32_t node[SW_TO_GO_STEPS + 1];
	int permute;              /* steps before the permutation; -1: there is none */
	int forward;              /* layouts are known up to this state */
	int backward;             /* and from this state on, seen from the end */
	sums_draft *ahead, *back; /* count + 1 of each */
} sums_walk;

/* A step on the way, or back: the nodes at its ends. */
typedef struct sums_step {
	sw_op op;
	int32_t before, after;
} sums_step;

static int more_of(const sw_to_go *t, const sums_step *step, int prime, int slot)
{
	return sw_to_go_exponent(t, step->after, prime, slot) - sw_to_go_exponent(t, step->before, prime, slot);
}

/* The exponents, by prime, that a slot loses (sign -1) or gains by a step; their sum. */
static int amount(const sums_walk *w, const sums_step *step, int slot, int sign, int left[SW_MAX_PRIMES])
{
	int total = 0;

	for (int q = 0; q < w->to_go->primes; q++) {
		int more = sign * more_of(w->to_go, step, q, slot);

		left[q] = more > 0 ? more : 0;
		total += left[q];
	}
	return total;
}

/* Pops what a dimension loses; false where the parts at its end are others. */
static bool pop_parts(const sums_walk *w, const sw_prime_parts *factors, sums_draft *d, int dim,
	const sums_step *step, uint64_t *popped)
{
	int left[SW_MAX_PRIMES];

	for (int n = amount(w, step, dim, -1, left); n > 0; n--) {
		int part = sw_draft_pop(&d->rows, dim), q = sw_to_go_prime(w->to_go, factors->at[part].prime);

		if (left[q]-- == 0)
			return false;
		*popped |= sw_part_bit(part);
	}
	return true;
}

/* Of a pool and a prime, the part to take: of those in `first`, else of those outside `last`, the lowest; -1: there is none. */
static int choose(const sw_prime_parts *factors, uint64_t pool, int64_t prime, uint64_t first, uint64_t last)
{
	uint64_t fit = 0;

	for (; pool != 0; pool &= pool - 1)
		if (factors->at[__builtin_ctzll(pool)].prime == prime)
			fit |= pool & -pool;
	if (fit == 0)
		return -1;
	if ((fit & first) != 0)
		return __builtin_ctzll(fit & first);
	return __builtin_ctzll((fit & ~last) != 0 ? fit & ~last : fit);
}

/* The next prime that a dimension gains: that of the part which `like` has there, else the first. */
static int next_prime(const sums_walk *w, const sw_prime_parts *factors, const sums_draft *d, int dim,
	const sums_draft *like, const int left[SW_MAX_PRIMES], uint64_t *liked)
{
	int at = d->rows.length[dim], q = 0;

	*liked = 0;
	if (like != NULL && at < like->rows.length[dim]) {
		int part = like->rows.at[dim][at], own = sw_to_go_prime(w->to_go, factors->at[part].prime);

		if (left[own] > 0) {
			*liked = sw_part_bit(part);
			return own;
		}
	}
	while (left[q] == 0)
		q++;
	return q;
}

static bool push_parts(const sums_walk *w, const sw_prime_parts *factors, sums_draft *d, int dim,
	const sums_step *step, const sums_draft *like, uint64_t *pool)
{
	int left[SW_MAX_PRIMES];

	for (int n = amount(w, step, dim, 1, left); n > 0; n--) {
		uint64_t liked;
		int q = next_prime(w, factors, d, dim, like, left, &liked);
		int part = choose(factors, *pool, w->to_go->of[q].prime, liked, like != NULL ? like->rows.used : 0);

		if (part < 0)
			return false;
		sw_draft_push(&d->rows, dim, part);
		*pool &= ~sw_part_bit(part);
		left[q]--;
	}
	return true;
}

/* Takes so many parts of a pool, by prime, those in `first` before those outside `last`. */
static bool take_parts(const sums_walk *w, const sw_prime_parts *factors, uint64_t pool, const int *left,
	uint64_t first, uint64_t last, uint64_t *taken)
{
	for (int q = 0; q < w->to_go->primes; q++)
		for (int n = left[q]; n > 0; n--) {
			int part = choose(factors, pool & ~*taken, w->to_go->of[q].prime, first, last);

			if (part < 0)
				return false;
			*taken |= sw_part_bit(part);
		}
	return true;
}

/* Parts that the sums lose: rather those that `like` does not sum, and of these those that it has somewhere. */
static bool leave_sums(const sums_walk *w, const sw_prime_parts *factors, sums_draft *d, const sums_step *step,
	const sums_draft *like, uint64_t *left_sums)
{
	uint64_t elsewhere = like != NULL ? like->rows.used & ~like->summed : 0;
	int left[SW_MAX_PRIMES];

	amount(w, step, w->to_go->rank, -1, left);
	if (!take_parts(w, factors, d->summed, left, elsewhere, like != NULL ? like->summed : 0, left_sums))
		return false;
	d->summed &= ~*left_sums;
	d->rows.used &= ~*left_sums;
	return true;
}

static bool join_sums(const sums_walk *w, const sw_prime_parts *factors, sums_draft *d, const sums_step *step,
	const sums_draft *like, uint64_t pool)
{
	uint64_t joined = 0;
	int left[SW_MAX_PRIMES];

	amount(w, step, w->to_go->rank, 1, left);
	if (!take_parts(w, factors, pool, left, like != NULL ? like->summed : 0, like != NULL ? like->rows.used : 0,
			&joined))
		return false;
	d->summed |= joined;
	d->rows.used |= joined;
	return true;
}

/* Brings a layout over a step: what is popped, or leaves the sums, and what is unused may be pushed, or join the
 * sums; of a step that moves parts between dimensions and sums without anything being sent only just these. */
static bool shift(const sums_walk *w, const sw_prime_parts *factors, sums_draft *d, const sums_step *step,
	const sums_draft *like)
{
	bool moved = sw_row(step->op)->terms == SW_TERMS_OF_TILES;
	uint64_t popped = 0, all = sw_part_bits(factors->count);

	for (int i = 0; i < w->to_go->rank; i++)
		if (!pop_parts(w, factors, d, i, step, &popped))
			return false;
	if (!leave_sums(w, factors, d, step, like, &popped))
		return false;
	uint64_t pool = moved ? popped : all & ~d->rows.used;
	for (int i = 0; i < w->to_go->rank; i++)
		if (!push_parts(w, factors, d, i, step, like, &pool))
			return false;
	return join_sums(w, factors, d, step, like, pool);
}

/* ---- both ways ---- */

static void read_end(sums_draft *d, const sw_layout *layout, int rank)
{
	sw_draft_read(&d->rows, layout, rank);
	d->summed = layout->summed;
	d->rows.used |= layout->summed;
}

static bool init_walk(sums_walk *w, sw_lowering *l, const sw_to_go *to_go, const sw_to_go_step *steps, int count)
{
	w->l = l;
	w->to_go = to_go;
	w->count = 0;
	w->permute = -1;
	w->node[0] = to_go->from;
	for (int k = 0; k < count; k++)
		if (sw_row(steps[k].op)->among == SW_AMONG_PAIRS) {
			w->permute = w->count;
		} else {
			SW_ROOM(w->op, w->count);
			w->op[w->count++] = steps[k].op;
			w->node[w->count] = steps[k].node;
		}
	w->ahead = SW_NEW(l->arena, sums_draft, w->count + 1);
	w->back = SW_NEW(l->arena, sums_draft, w->count + 1);
	l->failed = w->ahead == NULL || w->back == NULL;
	return !l->failed;
}

static void walk_ahead(sums_walk *w)
{
	const sw_space *space = w->l->space;
	sums_draft like;

	read_end(&like, &space->to, space->rank);
	read_end(&w->ahead[0], &space->from, space->rank);
	for (w->forward = 0; w->forward < w->count; w->forward++) {
		const sums_step step = {w->op[w->forward], w->node[w->forward], w->node[w->forward + 1]};
		sums_draft *next = &w->ahead[w->forward + 1];

		*next = w->ahead[w->forward];
		if (!shift(w, &space->factors, next, &step, space->one_order ? &like : NULL))
			return;
	}
}

/* Layouts that were found ahead are liked. */
static void walk_back(sums_walk *w)
{
	const sw_space *space = w->l->space;

	read_end(&w->back[w->count], &space->to, space->rank);
	for (w->backward = w->count; w->backward > 0; w->backward--) {
		int k = w->backward - 1;
		const sums_step step = {w->op[k], w->node[k + 1], w->node[k]};

		w->back[k] = w->back[k + 1];
		if (!shift(w, &space->to_factors, &w->back[k], &step,
				space->one_order && k <= w->forward ? &w->ahead[k] : NULL))
			return;
	}
}

/* ---- joining them ---- */

static bool same_drafts(const sums_walk *w, int state)
{
	const sums_draft *a = &w->ahead[state], *b = &w->back[state];

	return w->l->space->one_order && a->summed == b->summed && sw_draft_equal(&a->rows, &b->rows, w->to_go->rank);
}

static int meeting(const sums_walk *w)
{
	for (int k = w->forward; k >= w->backward; k--)
		if (same_drafts(w, k))
			return k;
	return -1;
}

/* A state for the permutation: where the path has it, or one of that size; or the smallest, of several the last before what stands
 * at the end of a normal form; -1: none is known from both ends. */
static int state_of_permutation(const sums_walk *w)
{
	const int64_t *size = w->to_go->size;
	int best = -1;

	if (w->permute >= w->backward && w->permute <= w->forward)
		return w->permute;
	for (int k = w->backward; k <= w->forward; k++) {
		if (w->permute >= 0 && size[w->node[k]] != size[w->node[w->permute]])
			continue;
		bool early = k == 0 || sw_row(w->op[k - 1])->phase < 2;
		if (best < 0 || size[w->node[k]] < size[w->node[best]] || (size[w->node[k]] == size[w->node[best]] && early))
			best = k;
	}
	return best;
}

static void emit(sw_lowering *l, sw_op op, const sw_prime_parts *factors, const sums_draft *d)
{
	sw_layout layout;

	sw_draft_write(&d->rows, l->space->rank, &layout);
	layout.summed = d->summed;
	sw_lower_to_layout(l, op, factors, &layout);
}

bool sw_lower_sums(sw_lowering *l, const sw_to_go *to_go, const sw_to_go_step *steps, int count)
{
	const sw_space *space = l->space;
	sums_walk w;

	if (!init_walk(&w, l, to_go, steps, count))
		return false;
	walk_ahead(&w);
	walk_back(&w);
	int change = meeting(&w);
	bool permute = change < 0;
	if (permute)
		change = state_of_permutation(&w);
	if (change < 0)
		return false;
	for (int k = 0; k < change; k++)
		emit(l, w.op[k], &space->factors, &w.ahead[k + 1]);
	if (permute)
		emit(l, SW_ALLPERMUTE, &space->to_factors, &w.back[change]);
	for (int k = change; k < w.count; k++)
		emit(l, w.op[k], &space->to_factors, &w.back[k + 1]);
	return !l->failed;
}
