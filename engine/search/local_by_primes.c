/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Refining both ends prime by prime, and one alltoall for each prime.
 */
#include "search/local_by_primes.h"

#include <string.h>

#include "search/bound.h"

/* One prime over the dimensions: how often it splits each at both ends, and how often it could. */
struct spread {
	int from[SW_MAX_DIMS], to[SW_MAX_DIMS], room[SW_MAX_DIMS];
	int level; /* parts in use at the smallest tile */
};

static int exponent(int64_t n, int64_t prime)
{
	int e = 0;

	for (; n % prime == 0; n /= prime)
		e++;
	return e;
}

static void measure(const sw_problem *problem, int64_t prime, int have, struct spread *s)
{
	int room = 0;

	for (int i = 0; i < problem->from.rank; i++) {
		s->room[i] = exponent(problem->from.global[i], prime);
		s->from[i] = s->room[i] - exponent(problem->from.tile[i], prime);
		s->to[i] = s->room[i] - exponent(problem->to.tile[i], prime);
		room += s->room[i];
	}
	s->level = room < have ? room : have;
}

/* Adds parts to `own` up to the level: where `other` has more first, then wherever there is room. */
static void refine(const struct spread *s, int rank, int *own, const int *other)
{
	int missing = s->level;

	for (int i = 0; i < rank; i++)
		missing -= own[i];
	for (int i = 0; i < rank; i++)
		for (; missing > 0 && own[i] < other[i]; missing--)
			own[i]++;
	for (int i = 0; i < rank; i++)
		for (; missing > 0 && own[i] < s->room[i]; missing--)
			own[i]++;
}

/* The tile after `before` is split by `to` instead of `from` times the prime; whether that changes it. */
static bool respread(int64_t prime, int rank, const int *from, const int *to, const int64_t *before, int64_t *after)
{
	bool changed = false;

	for (int i = 0; i < rank; i++) {
		after[i] = before[i];
		for (int k = from[i]; k < to[i]; k++)
			after[i] /= prime;
		for (int k = to[i]; k < from[i]; k++)
			after[i] *= prime;
		changed = changed || from[i] != to[i];
	}
	return changed;
}

static void add_step(sw_layout_path *path, sw_op op, const int64_t tile[SW_MAX_DIMS])
{
	sw_layout_step *step = &path->step[path->count++];

	step->op = op;
	memcpy(step->tile, tile, sizeof step->tile);
}

bool sw_local_by_primes(const sw_space *space, sw_arena *arena, sw_layout_path *path)
{
	struct spread spread[SW_MAX_PRIMES];
	int64_t tile[SW_MAX_DIMS], next[SW_MAX_DIMS];
	const sw_problem *problem = space->problem;
	sw_primes primes;
	bool sliced = false;

	sw_primes_of(&primes, &space->factors);
	memset(tile, 0, sizeof tile);
	memcpy(tile, problem->from.tile, (size_t)space->rank * sizeof *tile);
	*path = (sw_layout_path){0, SW_NEW(arena, sw_layout_step, 1 + primes.count)};
	if (path->step == NULL)
		return false;
	for (int q = 0; q < primes.count; q++) {
		struct spread *s = &spread[q];
		int before[SW_MAX_DIMS];

		measure(problem, primes.prime[q], primes.have[q], s);
		memcpy(before, s->from, sizeof before);
		refine(s, space->rank, s->from, s->to);
		refine(s, space->rank, s->to, s->from);
		sliced = respread(primes.prime[q], space->rank, before, s->from, tile, next) || sliced;
		memcpy(tile, next, (size_t)space->rank * sizeof *tile);
	}
	if (sliced)
		add_step(path, SW_DYNSLICE, tile);
	for (int q = 0; q < primes.count; q++)
		if (respread(primes.prime[q], space->rank, spread[q].from, spread[q].to, tile, next)) {
			memcpy(tile, next, (size_t)space->rank * sizeof *tile);
			add_step(path, SW_ALLTOALL, tile);
		}
	return true;
}
