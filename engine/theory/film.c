/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Films of rewritings: those of sw_sequence_rewrite, and what the strategy `paper` does after its search.
 */
#include <shardwalk/film.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <shardwalk/number.h>

#include "step/detour.h"
#include "step/part_list.h"
#include "step/row.h"

struct sw_film {
	int count, room;
	sw_sequence **sequence; /* count + 1 */
	sw_rewrite *rewrite;    /* count */
};

void sw_film_free(sw_film *film)
{
	if (!film)
		return;
	for (int k = 0; k <= film->count; k++)
		sw_sequence_free(film->sequence[k]);
	free(film->sequence);
	free(film->rewrite);
	free(film);
}

int sw_film_count(const sw_film *film)
{
	return film->count;
}

const sw_sequence *sw_film_sequence(const sw_film *film, int k)
{
	assert(k >= 0 && k <= film->count);
	return film->sequence[k];
}

const sw_rewrite *sw_film_rewrite(const sw_film *film, int k)
{
	assert(k >= 1 && k <= film->count);
	return &film->rewrite[k - 1];
}

/* Takes the sequence; NULL: no memory, and the sequence is gone. */
static sw_film *film_start(sw_sequence *start)
{
	sw_film *film = start ? calloc(1, sizeof *film) : NULL;
	if (film)
		film->sequence = calloc(1, sizeof *film->sequence);
	if (!film || !film->sequence) {
		sw_sequence_free(start);
		free(film);
		return NULL;
	}
	film->sequence[0] = start;
	return film;
}

static bool film_reserve(sw_film *film)
{
	if (film->count < film->room)
		return true;
	int room = film->room ? 2 * film->room : 8;
	sw_sequence **sequence = realloc(film->sequence, sizeof *sequence * (size_t)(room + 1));
	if (sequence)
		film->sequence = sequence;
	sw_rewrite *rewrite = realloc(film->rewrite, sizeof *rewrite * (size_t)room);
	if (rewrite)
		film->rewrite = rewrite;
	if (sequence && rewrite)
		film->room = room;
	return sequence && rewrite;
}

/* Takes the sequence after a rewriting. */
static bool film_add(sw_film *film, sw_sequence *after, const sw_rewrite *rewrite)
{
	if (!after || !film_reserve(film)) {
		sw_sequence_free(after);
		return false;
	}
	film->rewrite[film->count] = *rewrite;
	film->sequence[++film->count] = after;
	return true;
}

static sw_film *film_lost(sw_film *film, sw_diag *diag)
{
	sw_film_free(film);
	sw_diag_memory(diag);
	return NULL;
}

sw_film *sw_film_rewriting(const sw_sequence *start, bool multi_dim, sw_diag *diag)
{
	sw_film *film = film_start(sw_sequence_copy(start));
	for (;;) {
		sw_sequence *after = film ? sw_sequence_copy(film->sequence[film->count]) : NULL;
		sw_rewrite rewrite;
		if (!after || !sw_sequence_rewrite(after, multi_dim, &rewrite, diag)) {
			sw_sequence_free(after);
			return film_lost(film, diag);
		}
		if (rewrite.lemma == SW_LEMMA_NONE) {
			sw_sequence_free(after);
			return film;
		}
		if (!film_add(film, after, &rewrite))
			return film_lost(film, diag);
	}
}

/* ---- the strategy paper ---- */

static sw_call film_call(const sw_step *step)
{
	sw_call call = {.op = step->op, .gathers = step->gathers, .splits = step->splits};
	for (int e = 0; e < step->gathers; e++)
		call.gather[e] = step->gather[e];
	for (int e = 0; e < step->splits; e++)
		call.split[e] = step->split[e];
	return call;
}

/* The plan itself as a sequence; NULL: P06, E01. */
static sw_sequence *film_of_plan(const sw_plan *plan, sw_diag *diag)
{
	sw_sequence *sequence = sw_sequence_new(&plan->problem.mesh, &plan->problem.from);
	if (!sequence)
		sw_diag_memory(diag);
	for (int k = 0; sequence && k < plan->program.steps; k++) {
		sw_call call = film_call(&plan->program.step[k]);
		sw_type after;
		if (plan->program.value[k + 1].type) {
			after = *plan->program.value[k + 1].type;
			sw_type_strip(&after);
			if (sw_sequence_push_to(sequence, &call, &after))
				continue;
		}
		sw_sequence_free(sequence);
		sw_diag_set(diag, SW_P06, (sw_span){0, 0},
			"step %d does not lead to a type, so there is no "
			"sequence",
			k + 1);
		return NULL;
	}
	return sequence;
}

static const sw_type *film_here(const sw_sequence *sequence)
{
	return sw_sequence_type(sequence, sw_sequence_count(sequence));
}

/* The prime to take first of a factor: of the part at the minor end where something is gathered. */
static int64_t film_prime(const sw_sequence *sequence, const sw_call *call, int64_t factor)
{
	const sw_type *type = film_here(sequence);
	int64_t primes[63], from = factor;
	if (call->gathers) {
		int dim = call->gather[0].dim;
		if (type->first[dim] == type->first[dim + 1])
			return factor;
		from = sw_gcd(factor, sw_type_part(type, type->first[dim]).size);
	}
	return from > 1 && sw_prime_factors(from, primes) ? primes[0] : factor;
}

/* One step of a path, whole or by a prime at a time, with the parts that come first; *steps: how many it took. */
static bool film_push(sw_sequence *sequence, const sw_step *step, bool split, int *steps)
{
	sw_call whole = film_call(step);
	bool simple = step->gathers <= 1 && step->splits <= 1;
	int64_t left = step->gathers ? step->gather[0].factor : step->splits ? step->split[0].factor : 1;
	for (*steps = 0; left > 1; ++*steps) {
		sw_call call = whole;
		int64_t factor = split && simple ? film_prime(sequence, &call, left) : left;
		if (simple && call.gathers)
			call.gather[0].factor = factor;
		if (simple && call.splits)
			call.split[0].factor = factor;
		if (!sw_sequence_push(sequence, &call, NULL))
			return false;
		left /= factor;
	}
	return true;
}

/* The path with its first `merged` steps whole and the others by primes, and a permutation where `to` is not reached.
 * `first` and `steps` are of step `merged - 1`, and of the next one.  NULL where the parts that come first do not do. */
static sw_sequence *film_path(const sw_plan *plan, int merged, int first[2], int steps[2])
{
	sw_sequence *sequence = sw_sequence_new(&plan->problem.mesh, &plan->problem.from);
	sw_call permute = {.op = SW_ALLPERMUTE, .has_target = true, .target = plan->problem.to};
	bool ok = sequence != NULL;
	for (int k = 0; ok && k < plan->program.steps; k++) {
		int taken = 0, begin = sw_sequence_count(sequence);
		ok = sw_row(plan->program.step[k].op)->among == SW_AMONG_PAIRS ||
			film_push(sequence, &plan->program.step[k], k >= merged, &taken);
		for (int i = 0; i < 2; i++)
			if (k == merged - 1 + i) {
				first[i] = begin;
				steps[i] = taken;
			}
	}
	if (ok && !sw_type_same_map(&plan->problem.mesh, film_here(sequence), &plan->problem.to))
		ok = sw_sequence_push(sequence, &permute, NULL);
	if (ok)
		return sequence;
	sw_sequence_free(sequence);
	return NULL;
}

static bool film_same(const sw_sequence *a, const sw_sequence *b)
{
	if (sw_sequence_count(a) != sw_sequence_count(b))
		return false;
	for (int k = 0; k <= sw_sequence_count(a); k++)
		if (!sw_type_equal(sw_sequence_type(a, k), sw_sequence_type(b, k)))
			return false;
	return true;
}

/* The first step that is another one. */
static int film_differ(const sw_sequence *a, const sw_sequence *b)
{
	int k = 0;
	while (k < sw_sequence_count(a) && k < sw_sequence_count(b) &&
		sw_type_equal(sw_sequence_type(a, k + 1), sw_sequence_type(b, k + 1)))
		k++;
	return k;
}

/* Where more changes than was meant, as a permutation at the end goes with it, all up to the end is taken. */
static void film_widen(const sw_sequence *before, const sw_sequence *after, sw_rewrite *rewrite)
{
	int differ = film_differ(before, after);
	if (differ >= rewrite->first &&
		rewrite->added - rewrite->removed == sw_sequence_count(after) - sw_sequence_count(before))
		return;
	rewrite->first = differ < rewrite->first ? differ : rewrite->first;
	rewrite->removed = sw_sequence_count(before) - rewrite->first;
	rewrite->added = sw_sequence_count(after) - rewrite->first;
}

/* Adds what is rewritten into `after`, unless it is the same. */
static bool film_follow(sw_film *film, sw_sequence *after, sw_rewrite *rewrite)
{
	const sw_sequence *before = film->sequence[film->count];
	if (after && film_same(before, after)) {
		sw_sequence_free(after);
		return true;
	}
	rewrite->before = sw_sequence_measure(before);
	if (after) {
		film_widen(before, after, rewrite);
		rewrite->after = sw_sequence_measure(after);
	}
	return film_add(film, after, rewrite);
}

/* Steps of one kind become one, from the left to the right. */
static bool film_merge(sw_film *film, const sw_plan *plan)
{
	for (int merged = 1; merged <= plan->program.steps; merged++) {
		int first[2] = {0}, steps[2] = {0}, now[2] = {0}, taken[2] = {0};
		if (sw_row(plan->program.step[merged - 1].op)->among == SW_AMONG_PAIRS)
			continue;
		sw_sequence_free(film_path(plan, merged - 1, first, steps));
		sw_sequence *after = film_path(plan, merged, now, taken);
		sw_rewrite rewrite = {.lemma = SW_LEMMA_MERGE, .first = now[0], .removed = steps[1], .added = taken[0]};
		snprintf(rewrite.words, sizeof rewrite.words,
			"steps of one axis each are one step of all of them (section 7.1)");
		if (after && !film_follow(film, after, &rewrite))
			return false;
	}
	return true;
}

static int film_permute(const sw_sequence *sequence)
{
	int k = sw_sequence_count(sequence) - 1;
	while (k >= 0 && sw_row(sw_sequence_call(sequence, k)->op)->among != SW_AMONG_PAIRS)
		k--;
	return k;
}

/* What is left between the merged path and the plan: other axes, or another position of the permutation. */
static bool film_finish(sw_film *film, sw_sequence *plan)
{
	const sw_sequence *before = film->sequence[film->count];
	int old = film_permute(before), now = film_permute(plan), first = film_differ(before, plan);
	sw_rewrite rewrite = {
		.lemma = now >= 0 && now < old ? SW_LEMMA_PERMUTE : SW_LEMMA_CHOOSE,
		.first = first,
		.removed = sw_sequence_count(before) - first,
		.added = sw_sequence_count(plan) - first,
	};
	snprintf(rewrite.words, sizeof rewrite.words, "%s",
		rewrite.lemma == SW_LEMMA_PERMUTE ?
			"the permutation comes before the gathers, where tiles are small (section 7.3)" :
			now < 0 && old >= 0 ?
			"the axes of `to` at these places are used, so nothing is left to permute (section 7.3)" :
			"the axes of `to` at these places are used (section 7.3)");
	return film_follow(film, plan, &rewrite);
}

/* Starts where parts that come first do: by primes, or merged; else with the plan itself. */
static sw_film *film_begin(const sw_plan *plan, const sw_sequence *end)
{
	int first[2], steps[2];
	sw_sequence *start = film_path(plan, 0, first, steps);
	if (!start)
		start = film_path(plan, plan->program.steps, first, steps);
	return film_start(start ? start : sw_sequence_copy(end));
}

sw_film *sw_film_paper(const sw_plan *plan, sw_diag *diag)
{
	sw_sequence *end = film_of_plan(plan, diag);
	if (!end)
		return NULL;
	sw_film *film = film_begin(plan, end);
	if (!film || !film_merge(film, plan)) {
		sw_sequence_free(end);
		return film_lost(film, diag);
	}
	return film_finish(film, end) ? film : film_lost(film, diag);
}
