/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula repeated: rounds, tasks, arcs, and after how many steps all depends on all.
 */
#include <shardwalk/tasks.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "program/formula.h"
#include "program/reach.h"

/* ---- several steps in a row ---- */

/* What a need reads where a device makes so many steps before the last what these need. */
static bool read_before(const sw_deep_need *deep, int64_t left, int64_t device, sw_arena *arena, sw_region *region)
{
	if (left == 0)
		return sw_holding_region(&deep->need->needed, device, arena, region);
	if (!sw_holding_region(&deep->first->needed, device, arena, region))
		return false;
	for (int64_t step = 1; step < left; step++)
		if (!sw_need_image(deep->first, region, arena, region))
			return false;
	return sw_need_image(deep->need, region, arena, region);
}

/* Of the input that changes all is there before the first of the steps; of others each of them reads. */
static bool deep_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const sw_deep_need *deep = of;
	sw_region more;

	if (deep->first == deep->need)
		return read_before(deep, deep->steps - 1, device, arena, region);
	if (!read_before(deep, 0, device, arena, region))
		return false;
	for (int64_t left = 1; left < deep->steps; left++)
		if (!read_before(deep, left, device, arena, &more) || !sw_region_union(region, &more, arena, region))
			return false;
	return true;
}

static bool deep_defined(const void *of, int64_t device)
{
	const sw_deep_need *deep = of;

	return sw_holding_defined(&deep->need->needed, device);
}

void sw_deep_need_of_other(const sw_need *first, const sw_need *other, int64_t steps, sw_deep_need *deep)
{
	const sw_holding *needed = &other->needed;

	*deep = (sw_deep_need){first, other, steps, {deep_region, deep_defined, deep, NULL}, {0}};
	sw_holding_of_rule(needed->devices, needed->rank, needed->global, &deep->rule, &deep->needed);
}

void sw_deep_need_of(const sw_need *need, int64_t steps, sw_deep_need *deep)
{
	sw_deep_need_of_other(need, need, steps, deep);
}

/* ---- a round ---- */

/* What is counted. */
typedef struct counting {
	const sw_need *need;
	int needs;
	const sw_pulse *pulse;
	sw_arena *arena; /* of what stays */
	sw_diag *diag;
	sw_tasks *tasks;
} counting;

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
	round->messages += made ? messages.count : 0;
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

static bool refuse_steps(const counting *c)
{
	sw_diag_set(c->diag, SW_S08, (sw_span){0, 0}, "what %lld steps make does not fit into 64 bits",
		(long long)c->tasks->steps);
	sw_diag_expected(c->diag, "fewer steps");
	return false;
}

/* Adds so many times a count. */
static bool add_times(const counting *c, int64_t times, int64_t count, int64_t *into)
{
	int64_t all;

	return (sw_mul(times, count, &all) && sw_add(*into, all, into)) || refuse_steps(c);
}

/* What is between two holdings comes `times` times. */
static bool count_between(counting *c, const sw_holding *from, const sw_holding *to, int64_t times, sw_round *round)
{
	sw_tasks *t = c->tasks;

	round->relation = sw_relation_new(from, to, NULL, c->arena, c->diag);
	if (round->relation == NULL || !count_arcs(c, round) || !count_messages(c, round))
		return false;
	return add_times(c, times, round->arcs, &t->arcs) && add_times(c, times, round->messages, &t->messages) &&
		add_times(c, times, round->elements, &t->elements);
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
	return add_times(c, times, round->recomputed, &c->tasks->recomputed);
}

/* ---- the whole ---- */

static bool count_until_all(counting *c)
{
	const sw_need *need = c->need;
	sw_relation *step = sw_relation_new(need->held, &need->needed, NULL, c->arena, c->diag);
	const sw_reach_question question = {need->held, &need->needed, step, c->tasks->move.relation, c->tasks->steps};

	return step != NULL && sw_reach_all(&question, c->pulse, &c->tasks->all_after, c->diag);
}

static bool refuse_shape(const counting *c, sw_code code, const char *why)
{
	const sw_formula *formula = c->need->points->formula;
	const sw_formula_array *left = &formula->array[0], *input = &formula->array[c->need->array];

	sw_diag_set(c->diag, code, input->at, "%s cannot become %s: %s", sw_scan_quote(left->name).text,
		sw_scan_quote(input->name).text, why);
	sw_diag_also(c->diag, left->at, "the result");
	return false;
}

/* Can what is made be read in the next step? */
static bool check(const counting *c)
{
	const sw_points *points = c->need->points;
	const sw_formula_array *left = &points->formula->array[0], *input = &points->formula->array[c->need->array];

	if (left->rank != input->rank)
		return refuse_shape(c, SW_F17, "they have different numbers of dimensions");
	if (memcmp(left->size, input->size, (size_t)left->rank * sizeof *left->size) != 0)
		return refuse_shape(c, SW_F17, "they have different sizes");
	return points->array == 0 || c->tasks->every == 1 ||
		refuse_shape(c, SW_F17, "several steps in a row are not computed where it is held");
}

/* Of rounds of as many steps as the longest one has. */
static bool count_once(counting *c)
{
	sw_tasks *t = c->tasks;
	int64_t steps = sw_smaller(t->steps, t->every);

	for (int n = 1; n < c->needs; n++) {
		sw_deep_need *deep = SW_NEW(c->arena, sw_deep_need, 1);
		if (deep == NULL)
			return sw_diag_memory(c->diag);
		sw_deep_need_of_other(c->need, &c->need[n], steps, deep);
		t->once.relation = sw_relation_new(c->need[n].held, &deep->needed, NULL, c->arena, c->diag);
		if (t->once.relation == NULL || !count_messages(c, &t->once))
			return false;
	}
	return add_times(c, 1, t->once.messages, &t->messages) && add_times(c, 1, t->once.elements, &t->elements);
}

static bool count_rounds(counting *c, const sw_holding *made)
{
	sw_tasks *t = c->tasks;

	if (t->steps >= t->every && !count_round(c, t->every, t->steps / t->every, &t->full))
		return false;
	if (t->steps % t->every > 0 && !count_round(c, t->steps % t->every, 1, &t->last))
		return false;
	if (!add_times(c, t->rounds, t->devices, &t->tasks))
		return false;
	return sw_holding_equal(made, c->need->held) || count_between(c, made, c->need->held, t->rounds - 1, &t->move);
}

bool sw_tasks_count(const sw_repetition *of, const sw_pulse *pulse, sw_arena *arena, sw_tasks *tasks, sw_diag *diag)
{
	assert(of->needs > 0 && of->steps > 0 && of->every > 0);
	counting c = {of->need, of->needs, pulse, arena, diag, tasks};
	sw_holding_rule *rule = SW_NEW(arena, sw_holding_rule, 1);
	sw_holding *made = SW_NEW(arena, sw_holding, 1);

	*tasks = (sw_tasks){.steps = of->steps, .every = of->every};
	if (rule == NULL || made == NULL)
		return sw_diag_memory(diag);
	if (!check(&c))
		return false;
	sw_points_make(of->need->points, rule, made);
	for (int64_t d = 0; d < made->devices; d++)
		tasks->devices += sw_holding_defined(made, d);
	return count_rounds(&c, made) && count_once(&c) && count_until_all(&c);
}
