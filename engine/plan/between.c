/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two types of any kind: what devices have at both ends, and who takes what.
 */
#include "plan/between.h"

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include "relation/shares.h"

bool sw_problem_has_words(const sw_problem *problem)
{
	return problem->from_words != NULL || problem->to_words != NULL;
}

/* ---- terms ---- */

int64_t sw_term_held(const sw_holding *holding, int64_t device)
{
	sw_family room;
	sw_indices summed = sw_holding_summed(holding, device, &room);

	return holding->terms > 1 && summed.count > 0 ? summed.family->first : 0;
}

int64_t sw_between_term(const sw_between *between, int end, int64_t device)
{
	return sw_term_held(&between->end[end], device);
}

/* Sorts the devices by the terms that they have before. */
static bool sort_by_terms(sw_between *b, sw_arena *arena)
{
	int64_t devices = b->end[0].devices;
	int32_t *first = SW_NEW_ZERO(arena, int32_t, b->terms + 2), *device = SW_NEW(arena, int32_t, devices);

	if (first == NULL || device == NULL)
		return false;
	for (int64_t d = 0; d < devices; d++)
		first[sw_between_term(b, 0, d) + 2]++;
	for (int64_t t = 2; t <= b->terms + 1; t++)
		first[t] += first[t - 1];
	for (int64_t d = 0; d < devices; d++)
		device[first[sw_between_term(b, 0, d) + 1]++] = (int32_t)d;
	b->first_of = first;
	b->device = device;
	return true;
}

/* Terms become others in turn; where there are as many, each stays what it is. */
static bool join_terms(sw_between *b, sw_arena *arena)
{
	int64_t after = b->end[1].terms;
	int32_t *joins = after > 1 ? SW_NEW(arena, int32_t, b->terms) : NULL;

	for (int64_t t = 0; joins != NULL && t < b->terms; t++)
		joins[t] = (int32_t)(t % after);
	b->joins = joins;
	return joins != NULL || after == 1;
}

bool sw_between_is_listed(const sw_problem *problem, sw_diag *diag)
{
	if (problem->mesh.devices <= SW_MAX_MAP_DEVICES)
		return true;
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what each of %lld devices has is too much to list",
		(long long)problem->mesh.devices);
	sw_diag_expected(diag, "at most %lld devices", (long long)SW_MAX_MAP_DEVICES);
	return false;
}

const sw_between *sw_between_of(const sw_problem *problem, sw_arena *arena, sw_diag *diag)
{
	if (!sw_between_is_listed(problem, diag))
		return NULL;
	sw_between *b = SW_NEW_ZERO(arena, sw_between, 1);
	bool held = b != NULL && sw_problem_holdings(problem, arena, &b->end[0], &b->end[1]);

	if (held && !sw_problem_check_sums(problem, &b->end[0], &b->end[1], diag))
		return NULL;
	if (held)
		b->terms = b->end[0].terms;
	if (!held || !sort_by_terms(b, arena) || !join_terms(b, arena)) {
		sw_diag_memory(diag);
		return NULL;
	}
	b->relation = sw_relation_new(&b->end[0], &b->end[1], b->joins, arena, diag);
	if (b->relation == NULL)
		return NULL;
	sw_relation_lie_on(b->relation, &problem->mesh);
	return b;
}

/* ---- what nobody has ---- */

#define MISSING_SHOWN 1024 /* devices whose missing elements are told in one text */

/* What nobody has of all that devices need, and how many of them need some. */
struct missing {
	sw_region all;
	int64_t first, devices;
};

static bool add_missing(const sw_between *between, int64_t device, sw_arena *arena, struct missing *missing)
{
	sw_region own;

	if (missing->devices++ == 0)
		missing->first = device;
	if (missing->devices > MISSING_SHOWN)
		return true;
	if (!sw_relation_missing(between->relation, device, arena, &own))
		return false;
	if (missing->devices > 1)
		return sw_region_union(&missing->all, &own, arena, &missing->all);
	missing->all = own;
	return true;
}

static bool find_missing(const sw_between *between, sw_arena *arena, struct missing *missing)
{
	int64_t devices = between->end[1].devices;
	sw_tally *tally = SW_NEW(arena, sw_tally, devices);
	bool found = tally != NULL && sw_relation_tally(between->relation, SW_SENDER_LOWEST, tally);

	for (int64_t d = 0; found && d < devices; d++)
		found = tally[d].missing == 0 || add_missing(between, d, arena, missing);
	return found;
}

static bool refuse_missing(const struct missing *missing, sw_arena *arena, sw_diag *diag)
{
	sw_text text = {0};

	sw_region_print_runs(&missing->all, arena, &text);
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no device holds %s%s", sw_text_get(&text),
		missing->devices > MISSING_SHOWN ? ", and more" : "");
	sw_diag_expected(diag, "a device that holds what others need");
	sw_diag_found(diag, "device %lld needs some of it%s", (long long)missing->first,
		missing->devices > 1 ? ", and so do others" : "");
	sw_diag_hint(diag, "`show relation` lists what each device lacks; `only` and `on` reduce the need");
	sw_text_free(&text);
	return false;
}

bool sw_between_complete(const sw_between *between, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	struct missing missing = {.devices = 0};
	bool found = arena != NULL && find_missing(between, arena, &missing);

	if (!found)
		sw_diag_memory(diag);
	else if (missing.devices > 0)
		refuse_missing(&missing, arena, diag);
	sw_arena_free(arena);
	return found && missing.devices == 0;
}

/* ---- sizes ---- */

int64_t sw_between_most(const sw_between *between, int end)
{
	return sw_holding_most(&between->end[end]);
}

struct taking {
	int64_t *taken, *moved; /* of each device */
};

static bool add_taken(void *user, const sw_share *share)
{
	const struct taking *t = user;

	t->taken[share->receiver] += share->size;
	t->moved[share->receiver] += share->sender != share->receiver ? share->size : 0;
	return true;
}

bool sw_between_taken(const sw_between *between, sw_sender_rule rule, int64_t *taken, int64_t *moved)
{
	int64_t devices = between->end[1].devices;
	sw_arena *arena = sw_arena_new();
	struct taking t = {0};

	*taken = *moved = 0;
	if (arena != NULL)
		t = (struct taking){SW_NEW_ZERO(arena, int64_t, devices), SW_NEW_ZERO(arena, int64_t, devices)};
	bool done = t.taken != NULL && t.moved != NULL &&
		sw_relation_shares(between->relation, rule, NULL, add_taken, &t);
	for (int64_t d = 0; done && d < devices; d++) {
		*taken = sw_larger(*taken, t.taken[d]);
		*moved = sw_larger(*moved, t.moved[d]);
	}
	sw_arena_free(arena);
	return done;
}

/* ---- of a device ---- */

bool sw_between_local(const sw_between *between, int end, int64_t device, sw_arena *arena, sw_local *local)
{
	sw_region region;

	return sw_holding_region(&between->end[end], device, arena, &region) && sw_local_of(&region, arena, local);
}

/* What is right, while it is told. */
struct telling {
	const sw_between *between;
	sw_arena *arena;
	sw_local array, local;
	int64_t term;
	sw_term_use use;
	void *user;
};

static bool tell_loops(void *user, const sw_loops *loops)
{
	const struct telling *t = user;

	return t->use(t->user, t->term, loops);
}

static bool tell(struct telling *t, const sw_region *region)
{
	return sw_local_loops(region, &t->array, &t->local, t->arena, tell_loops, t);
}

/* What is needed of a term, as far as somebody has it: each element once. */
static bool tell_term(struct telling *t, const sw_region *needed)
{
	const sw_between *b = t->between;
	sw_region left = *needed, held, both;

	for (int32_t n = b->first_of[t->term]; left.count > 0 && n < b->first_of[t->term + 1]; n++)
		if (!sw_holding_region(&b->end[0], b->device[n], t->arena, &held) ||
			!sw_region_meet(&left, &held, t->arena, &both) || !tell(t, &both) ||
			!sw_region_minus(&left, &both, t->arena, &left))
			return false;
	return true;
}

bool sw_between_right(const sw_between *between, int end, int64_t device, sw_arena *arena, sw_term_use use,
	void *user)
{
	const sw_holding *holding = &between->end[end];
	struct telling t = {.between = between, .arena = arena, .use = use, .user = user};
	sw_region region;

	if (!sw_holding_region(holding, device, arena, &region) || !sw_local_of(&region, arena, &t.local) ||
		!sw_local_whole(holding->rank, holding->global, arena, &t.array))
		return false;
	int64_t own = sw_between_term(between, end, device);
	if (end == 0 || between->terms == 1) {
		t.term = end == 0 ? own : 0;
		return (end == 1 && own > 0) || tell(&t, &region);
	}
	for (; t.term < between->terms; t.term++)
		if ((between->joins == NULL || between->joins[t.term] == own) && !tell_term(&t, &region))
			return false;
	return true;
}

/* ---- costs ---- */

/* What devices take at most, and get from others. */
static bool figures_of(const sw_problem *problem, sw_sender_rule rule, int64_t *taken, int64_t *moved)
{
	sw_arena *arena = sw_arena_new();
	const sw_between *between = arena != NULL ? sw_between_of(problem, arena, NULL) : NULL;
	bool known = between != NULL && sw_between_taken(between, rule, taken, moved);

	sw_arena_free(arena);
	return known;
}

/* Whole values come once each, whoever sends them. */
static int64_t needed_of(const sw_problem *problem)
{
	sw_arena *arena = sw_arena_new();
	sw_between ends;
	bool whole = arena != NULL && sw_problem_holdings(problem, arena, &ends.end[0], &ends.end[1]) &&
		ends.end[0].terms == 1 && ends.end[1].terms == 1;
	int64_t most = whole ? sw_between_most(&ends, 1) : -1;

	sw_arena_free(arena);
	return most;
}

int64_t sw_between_cost(const sw_problem *problem, sw_sender_rule rule)
{
	int64_t taken = needed_of(problem), moved;

	return taken >= 0 || figures_of(problem, rule, &taken, &moved) ? taken : -1;
}

int64_t sw_between_moved(const sw_problem *problem, sw_sender_rule rule)
{
	int64_t taken, moved;

	return figures_of(problem, rule, &taken, &moved) ? moved : -1;
}

int64_t sw_value_most(const sw_plan *plan, int k)
{
	sw_arena *arena = sw_arena_new();
	sw_holding holding;
	int64_t most = arena != NULL && sw_plan_holding(plan, k, arena, &holding) ? sw_holding_most(&holding) : -1;

	sw_arena_free(arena);
	return most;
}

int64_t sw_value_all(const sw_plan *plan, int k)
{
	sw_arena *arena = sw_arena_new();
	sw_holding holding;
	bool known = arena != NULL && sw_plan_holding(plan, k, arena, &holding);
	int64_t all = 0;

	for (int64_t d = 0; known && d < holding.devices; d++) {
		int64_t size = sw_holding_size(&holding, d);
		known = size >= 0 && sw_add(all, size, &all);
	}
	sw_arena_free(arena);
	return known ? all : -1;
}

int64_t sw_holdings_live(const sw_holding *before, const sw_holding *after)
{
	int64_t most = 0;

	for (int64_t d = 0; d < before->devices; d++) {
		int64_t held = sw_holding_size(before, d), made = sw_holding_size(after, d), live;
		if (held < 0 || made < 0 || !sw_add(held, made, &live))
			return -1;
		most = sw_larger(most, live);
	}
	return most;
}

int64_t sw_value_live(const sw_plan *plan, int k)
{
	sw_arena *arena = sw_arena_new();
	sw_holding before, after;
	bool known = arena != NULL && sw_plan_holding(plan, k, arena, &before) &&
		sw_plan_holding(plan, k + 1, arena, &after);
	int64_t live = known ? sw_holdings_live(&before, &after) : -1;

	sw_arena_free(arena);
	return live;
}
