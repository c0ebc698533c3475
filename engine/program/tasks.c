/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula repeated: rounds, tasks, arcs, and after how many steps all depends on all.
 */
#include <shardwalk/tasks.h>

#include <string.h>

#include <shardwalk/number.h>

#include "program/formula.h"

/* ---- several steps in a row ---- */

static bool deep_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const sw_deep_need *deep = of;

	if (!sw_holding_region(&deep->need->needed, device, arena, region))
		return false;
	for (int64_t step = 1; step < deep->steps; step++)
		if (!sw_need_image(deep->need, region, arena, region))
			return false;
	return true;
}

static bool deep_defined(const void *of, int64_t device)
{
	const sw_deep_need *deep = of;

	return sw_holding_defined(&deep->need->needed, device);
}

void sw_deep_need_of(const sw_need *need, int64_t steps, sw_deep_need *deep)
{
	const sw_holding *needed = &need->needed;

	*deep = (sw_deep_need){need, steps, {deep_region, deep_defined, deep, NULL}, {0}};
	sw_holding_of_rule(needed->devices, needed->rank, needed->global, &deep->rule, &deep->needed);
}

/* ---- a round ---- */

/* What is counted. */
typedef struct counting {
	const sw_need *need;
	const sw_pulse *pulse;
	sw_arena *arena; /* of what stays */
	sw_diag *diag;
	sw_tasks *tasks;
} counting;

static bool stopped(const counting *c, int64_t done, int64_t total)
{
	if (sw_pulse_beat(c->pulse, "tasks", done, total))
		return false;
	sw_diag_set(c->diag, SW_S03, (sw_span){0, 0}, "stopped");
	return true;
}

static bool count_arcs(counting *c, sw_round *round)
{
	int64_t devices = c->need->needed.devices;
	int32_t *list = SW_NEW(c->arena, int32_t, devices);

	for (int64_t d = 0; d < devices && list != NULL; d++) {
		int64_t count = sw_relation_before(round->relation, d, list);
		if (count < 0)
			return sw_diag_memory(c->diag);
		round->arcs += count;
	}
	return list != NULL || sw_diag_memory(c->diag);
}

static bool count_messages(counting *c, sw_round *round)
{
	sw_arena *arena = sw_arena_new();
	sw_messages messages;
	bool made = arena != NULL && sw_relation_messages(round->relation, SW_SENDER_BALANCED, arena, &messages);

	for (int64_t k = 0; made && k < messages.count; k++)
		round->elements += messages.message[k].elements;
	round->messages = made ? messages.count : 0;
	sw_arena_free(arena);
	return made || sw_diag_memory(c->diag);
}

/* What a device computes in the steps before the last one and its owner does too. */
static bool recomputed_on(const counting *c, int64_t steps, int64_t device, sw_arena *arena, int64_t *count)
{
	sw_region own, later, more;

	if (!sw_holding_region(c->need->held, device, arena, &own))
		return false;
	later = own;
	for (int64_t step = 1; step < steps; step++) {
		if (!sw_need_image(c->need, &later, arena, &later) || !sw_region_minus(&later, &own, arena, &more))
			return false;
		*count += sw_region_size(&more);
	}
	return true;
}

static bool count_recomputed(counting *c, sw_round *round)
{
	sw_arena *arena = sw_arena_new();
	bool made = arena != NULL;

	for (int64_t d = 0; made && round->steps > 1 && d < c->need->needed.devices; d++) {
		sw_arena_clear(arena);
		made = recomputed_on(c, round->steps, d, arena, &round->recomputed);
	}
	sw_arena_free(arena);
	return made || sw_diag_memory(c->diag);
}

/* What is between two holdings comes `times` times. */
static bool count_between(counting *c, const sw_holding *from, const sw_holding *to, int64_t times, sw_round *round)
{
	sw_tasks *t = c->tasks;

	round->relation = sw_relation_new(from, to, NULL, c->arena, c->diag);
	if (round->relation == NULL || !count_arcs(c, round) || !count_messages(c, round))
		return false;
	t->arcs += times * round->arcs;
	t->messages += times * round->messages;
	t->elements += times * round->elements;
	return true;
}

static bool count_round(counting *c, int64_t steps, int64_t times, sw_round *round)
{
	sw_deep_need *deep = SW_NEW(c->arena, sw_deep_need, 1);

	if (deep == NULL)
		return sw_diag_memory(c->diag);
	sw_deep_need_of(c->need, steps, deep);
	*round = (sw_round){.steps = steps};
	if (!count_between(c, c->need->held, &deep->needed, times, round) || !count_recomputed(c, round))
		return false;
	c->tasks->rounds += times;
	c->tasks->recomputed += times * round->recomputed;
	return true;
}

/* ---- all depends on all ---- */

/* The devices on whose inputs each depends after some steps, as a set each. */
typedef struct reach {
	int64_t devices;
	int64_t size; /* of all sets */
	sw_indices *of;
	sw_arena *arena;
} reach;

/* A list of devices for each device: those of d are device[first[d]] up to that of d + 1. */
typedef struct lists {
	int64_t count;
	const int64_t *first, *device;
} lists;

/* Whom each device needs in a step. */
static bool list_before(sw_relation *relation, int64_t devices, sw_arena *arena, lists *before)
{
	int32_t *list = SW_NEW(arena, int32_t, devices);
	int64_t *first = SW_NEW(arena, int64_t, devices + 1), *all = NULL;
	int count = 0, room = 0;

	for (int64_t d = 0; d < devices; d++) {
		int64_t found = list != NULL && first != NULL ? sw_relation_before(relation, d, list) : -1;
		if (found < 0)
			return false;
		first[d] = count;
		for (int64_t k = 0; k < found; k++) {
			if (!SW_GROW(arena, all, count, room, 64))
				return false;
			all[count++] = list[k];
		}
	}
	first[devices] = count;
	*before = (lists){devices, first, all};
	return true;
}

/* The families of the sets of all that device `d` needs, in a list that grows; how many, -1: no memory. */
static int collect_sets(const lists *before, const reach *now, int64_t d, sw_arena *arena, sw_family **list,
	int *room)
{
	int count = 0;

	for (int64_t k = before->first[d]; k < before->first[d + 1]; k++) {
		const sw_indices *set = &now->of[before->device[k]];
		for (int n = 0; n < set->count; n++) {
			if (!sw_arena_grow(arena, list, count, room, 16, sizeof **list))
				return -1;
			(*list)[count++] = set->family[n];
		}
	}
	return count;
}

/* A step more: all on which those depend that each needs. */
static bool go_on(const lists *before, const reach *now, reach *next)
{
	sw_family *list = NULL;
	int room = 0;

	sw_arena_clear(next->arena);
	next->of = SW_NEW(next->arena, sw_indices, next->devices);
	next->size = 0;
	for (int64_t d = 0; d < next->devices && next->of != NULL; d++) {
		int count = collect_sets(before, now, d, next->arena, &list, &room);
		if (count < 0 || !sw_indices_of(list, count, next->arena, &next->of[d]))
			return false;
		next->size += sw_indices_size(&next->of[d]);
	}
	return next->of != NULL;
}

/* Before the first step each depends on itself. */
static bool start_reach(reach *r, int64_t devices)
{
	sw_family *family;

	*r = (reach){devices, devices, NULL, sw_arena_new()};
	if (r->arena == NULL)
		return false;
	r->of = SW_NEW(r->arena, sw_indices, devices);
	family = SW_NEW(r->arena, sw_family, devices);
	for (int64_t d = 0; d < devices && r->of != NULL && family != NULL; d++)
		r->of[d] = sw_indices_range(d, d + 1, &family[d]);
	return r->of != NULL && family != NULL;
}

static bool is_same(const reach *a, const reach *b)
{
	bool same = a->size == b->size;

	for (int64_t d = 0; d < a->devices && same; d++)
		same = sw_indices_equal(&a->of[d], &b->of[d]);
	return same;
}

/* How many pairs there are of a device that makes something, and one that holds something. */
static int64_t all_pairs(const sw_need *need)
{
	int64_t holders = 0, makers = 0;

	for (int64_t d = 0; d < need->needed.devices; d++) {
		holders += sw_holding_size(need->held, d) > 0;
		makers += sw_holding_size(&need->needed, d) > 0;
	}
	return holders * makers;
}

/* Whom each needs in a step, and of whom each gets what was made, before a step that is not the first. */
typedef struct arcs {
	lists step, move;
} arcs;

static int64_t longest_list(const lists *of)
{
	int64_t longest = 0;

	for (int64_t n = 0; n < of->count; n++)
		longest = sw_larger(longest, of->first[n + 1] - of->first[n]);
	return longest;
}

/* After so many steps all depend on all, or they never do: what n devices need in any step fills all pairs by (n - 1)^2 + 1
 * steps (Wielandt), and sets of one stay sets of one. */
static int64_t most_steps(const arcs *a, int64_t steps)
{
	int64_t devices = a->step.count, most;

	if (longest_list(&a->step) < 2 && longest_list(&a->move) < 2)
		return sw_smaller(steps, 1);
	return sw_mul(devices - 1, devices - 1, &most) ? sw_smaller(steps, most + 2) : steps;
}

/* The three take turns. */
static bool go_a_step(const counting *c, const arcs *a, int64_t step, reach *last, reach *moved, reach *next)
{
	bool moves = c->tasks->move.relation != NULL && step > 1;

	return (!moves || go_on(&a->move, last, moved)) && go_on(&a->step, moves ? moved : last, next);
}

/* Steps until each depends on all, or nothing changes any more. */
static bool count_steps(counting *c, const arcs *a, reach now[3])
{
	int64_t pairs = all_pairs(c->need), most = most_steps(a, c->tasks->steps);

	for (int64_t step = 1; step <= most; step++) {
		reach *last = &now[(step + 1) % 2], *next = &now[step % 2];
		if (stopped(c, step, most))
			return false;
		if (!go_a_step(c, a, step, last, &now[2], next))
			return sw_diag_memory(c->diag);
		if (next->size == pairs) {
			c->tasks->all_after = step;
			return true;
		}
		if (is_same(last, next))
			return true;
	}
	return true;
}

static bool list_arcs(counting *c, sw_relation *step, arcs *a)
{
	int64_t devices = c->need->needed.devices;

	*a = (arcs){{0, NULL, NULL}, {0, NULL, NULL}};
	return list_before(step, devices, c->arena, &a->step) &&
		(c->tasks->move.relation == NULL || list_before(c->tasks->move.relation, devices, c->arena, &a->move));
}

static bool count_until_all(counting *c)
{
	int64_t devices = c->need->needed.devices;
	sw_relation *step = sw_relation_new(c->need->held, &c->need->needed, NULL, c->arena, c->diag);
	reach now[3] = {{0}};
	arcs a;
	bool counted = step != NULL;

	c->tasks->all_after = -1;
	for (int k = 0; k < 3 && counted; k++)
		counted = start_reach(&now[k], devices) || sw_diag_memory(c->diag);
	counted = counted && (list_arcs(c, step, &a) || sw_diag_memory(c->diag)) && count_steps(c, &a, now);
	for (int k = 0; k < 3; k++)
		sw_arena_free(now[k].arena);
	return counted;
}

/* ---- the whole ---- */

static bool refuse_shape(const counting *c, sw_code code, const char *why)
{
	const sw_formula *formula = c->need->points->formula;
	const sw_formula_array *left = &formula->array[0], *input = &formula->array[c->need->array];

	sw_diag_set(c->diag, code, input->at, "%s cannot become %s: %s", sw_scan_quote(left->name).text,
		sw_scan_quote(input->name).text, why);
	sw_diag_also(c->diag, left->at, "what is made");
	return false;
}

/* Can what is made be read in the next step? */
static bool check(const counting *c)
{
	const sw_points *points = c->need->points;
	const sw_formula_array *left = &points->formula->array[0], *input = &points->formula->array[c->need->array];

	if (left->rank != input->rank)
		return refuse_shape(c, SW_A03, "they have different numbers of dimensions");
	if (memcmp(left->size, input->size, (size_t)left->rank * sizeof *left->size) != 0)
		return refuse_shape(c, SW_A04, "they have different sizes");
	return points->array == 0 || c->tasks->every == 1 ||
		refuse_shape(c, SW_T11, "several steps in a row are computed elsewhere than it is");
}

static bool count_rounds(counting *c, const sw_holding *made)
{
	sw_tasks *t = c->tasks;

	if (t->steps >= t->every && !count_round(c, t->every, t->steps / t->every, &t->full))
		return false;
	if (t->steps % t->every > 0 && !count_round(c, t->steps % t->every, 1, &t->last))
		return false;
	t->tasks = t->rounds * t->devices;
	return sw_holding_equal(made, c->need->held) || count_between(c, made, c->need->held, t->rounds - 1, &t->move);
}

bool sw_tasks_count(const sw_need *need, int64_t steps, int64_t every, const sw_pulse *pulse, sw_arena *arena,
	sw_tasks *tasks, sw_diag *diag)
{
	counting c = {need, pulse, arena, diag, tasks};
	sw_holding_rule *rule = SW_NEW(arena, sw_holding_rule, 1);
	sw_holding *made = SW_NEW(arena, sw_holding, 1);

	*tasks = (sw_tasks){.steps = steps, .every = every};
	if (rule == NULL || made == NULL)
		return sw_diag_memory(diag);
	if (!check(&c))
		return false;
	sw_points_make(need->points, rule, made);
	for (int64_t d = 0; d < made->devices; d++)
		tasks->devices += sw_holding_defined(made, d);
	return count_rounds(&c, made) && count_until_all(&c);
}
