/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checker's part for the step between types of any kind: by holdings, element sets and no messages.
 *
 * Who may have what a device needs is asked of the relation; that it is had, and how much of it, is found by taking away from what is
 * needed what each of these holds.
 */
#include "plan/check_between.h"

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include "cost/alike.h"
#include "plan/between.h"

/* What one device needs, while it is looked at. */
struct needing {
	const sw_between *between;
	sw_arena *arena;
	int32_t *list; /* devices that may have some of it */
	int64_t count;
	sw_region needed, nobody; /* that has any term */
	int64_t taken;
};

/* Takes away what the devices from `first` on have of the same term. */
static bool take_term(struct needing *n, int64_t first)
{
	int64_t term = sw_between_term(n->between, 0, n->list[first]);
	sw_region left = n->needed, held;

	for (int64_t i = first; i < n->count && left.count > 0; i++) {
		if (sw_between_term(n->between, 0, n->list[i]) != term)
			continue;
		if (!sw_holding_region(&n->between->end[0], n->list[i], n->arena, &held) ||
			!sw_region_minus(&left, &held, n->arena, &left))
			return false;
	}
	n->taken += sw_region_size(&n->needed) - sw_region_size(&left);
	return sw_region_meet(&n->nobody, &left, n->arena, &n->nobody);
}

static bool is_first_of_term(const struct needing *n, int64_t at)
{
	int64_t term = sw_between_term(n->between, 0, n->list[at]);

	for (int64_t i = 0; i < at; i++)
		if (n->between->terms == 1 || sw_between_term(n->between, 0, n->list[i]) == term)
			return false;
	return true;
}

/* false: no memory. */
static bool look_at(struct needing *n, int64_t device)
{
	sw_arena_clear(n->arena);
	n->count = sw_relation_before(n->between->relation, device, n->list);
	if (n->count < 0 || !sw_holding_region(&n->between->end[1], device, n->arena, &n->needed))
		return false;
	n->nobody = n->needed;
	n->taken = 0;
	for (int64_t i = 0; i < n->count; i++)
		if (is_first_of_term(n, i) && !take_term(n, i))
			return false;
	return true;
}

/* NULL: everything is had; `cost` is what a device takes at most. */
static const char *look_at_all(const sw_between *between, int64_t *cost, const char **field)
{
	int64_t devices = between->end[1].devices;
	struct needing n = {.between = between, .arena = sw_arena_new()};
	sw_arena *lists = sw_arena_new();
	const char *why = NULL;

	n.list = lists != NULL ? SW_NEW(lists, int32_t, devices) : NULL;
	bool had = n.list != NULL && n.arena != NULL;
	*cost = 0;
	for (int64_t d = 0; had && why == NULL && d < devices; d++) {
		had = look_at(&n, d);
		*cost = sw_larger(*cost, n.taken);
		if (had && between->end[1].terms == 1 && sw_region_size(&n.nobody) > 0)
			why = "no device holds what a device needs";
	}
	sw_arena_free(n.arena);
	sw_arena_free(lists);
	*field = had ? "type" : NULL;
	return had ? why : "no memory";
}

/* Does the step lead to what `to` says? */
static const char *look_at_step(const sw_plan *plan, const sw_between *between, sw_arena *arena, const char **field)
{
	const sw_value *made = &plan->program.value[plan->program.steps];
	const sw_step *step = plan->program.steps > 0 ? plan->program.step : NULL;
	sw_holding last;

	*field = "op";
	if (plan->program.steps > 1 || (step != NULL && !sw_is_exchange(plan, 0)))
		return "between types that are not tile types there is only one exchange";
	*field = "gather";
	if (step != NULL && (step->gathers > 0 || step->splits > 0))
		return "an exchange has no factors";
	*field = NULL;
	if (!sw_holding_of_any(&plan->problem.mesh, made->type, made->words, sw_plan_order(plan, plan->program.steps),
			arena, &last))
		return "no memory";
	*field = "type";
	return sw_holding_equal(&last, &between->end[1]) ? NULL : "the devices do not end with the parts of 'to'";
}

static const char *look(sw_between_check *check, const sw_between *between, sw_arena *arena, const char **field)
{
	for (int end = 0; end < 2; end++)
		if ((check->most[end] = sw_between_most(between, end)) < 0)
			return "no memory";
	check->live = sw_holdings_live(&between->end[0], &between->end[1]);
	const char *why = look_at_step(check->plan, between, arena, field);
	return why != NULL || check->plan->program.steps == 0 ? why : look_at_all(between, &check->cost, field);
}

const char *sw_check_between(sw_between_check *check, sw_arena *arena, const char **field)
{
	const sw_between *between = sw_between_of(&check->plan->problem, arena, check->diag);

	*field = NULL;
	if (between == NULL)
		return "the ends do not fit together";
	const char *why = look(check, between, arena, field);
	if (why != NULL && *field == NULL)
		sw_diag_memory(check->diag);
	return why;
}
