/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping the plans of a table, and copying one of them out of it.
 */
#include "session/pareto_set.h"

#include <string.h>

/* ---- copies ---- */

/* Takes a block of memory over: NULL stays NULL, and `failed` is set where memory is short. */
static const void *take(const void *from, int64_t count, size_t size, sw_arena *arena, bool *failed)
{
	void *to = from ? sw_arena_alloc(arena, (size_t)count + !count, size) : NULL;
	if (to)
		memcpy(to, from, (size_t)count * size);
	*failed |= from && !to;
	return to;
}

static const char *take_words(const char *words, sw_arena *arena, bool *failed)
{
	return words ? take(words, (int64_t)strlen(words) + 1, 1, arena, failed) : NULL;
}

static void take_step(sw_step *step, const sw_problem *problem, sw_arena *arena, bool *failed)
{
	int64_t devices = problem->mesh.devices;
	const sw_entries entries = {step->gathers, step->splits, step->gather, step->split};
	*failed |= !sw_step_keep(step, &entries, arena);
	step->groups = take(step->groups, step->grouped, sizeof(*step->groups), arena, failed);
	step->source = take(step->source, devices, sizeof(*step->source), arena, failed);
	int64_t senders = step->sender ? step->first_sender[devices] : 0;
	step->first_sender = take(step->first_sender, devices + 1, sizeof(*step->first_sender), arena, failed);
	step->sender = take(step->sender, senders, sizeof(*step->sender), arena, failed);
	step->order = take(step->order, devices, sizeof(*step->order), arena, failed);
	step->groups_text = take_words(step->groups_text, arena, failed);
	step->by.words = take_words(step->by.words, arena, failed);
	const sw_plan *inside = step->inside ? plan_copy(step->inside, arena) : NULL;
	*failed |= step->inside && !inside;
	step->inside = inside;
}

static void take_value(sw_value *value, const sw_problem *problem, sw_arena *arena, bool *failed)
{
	int64_t numbers = problem->mesh.devices * problem->from.rank;
	value->type = take(value->type, 1, sizeof(*value->type), arena, failed);
	value->map = take(value->map, numbers, sizeof(*value->map), arena, failed);
	sw_pieces *pieces = value->pieces ? SW_NEW(arena, sw_pieces, 1) : NULL;
	*failed |= value->pieces && (!pieces || !sw_pieces_copy(value->pieces, arena, pieces, NULL));
	value->pieces = pieces;
}

const sw_plan *plan_copy(const sw_plan *plan, sw_arena *arena)
{
	bool failed = false;
	sw_plan *copy = SW_NEW(arena, sw_plan, 1);
	if (!copy)
		return NULL;
	*copy = *plan;
	copy->name = take_words(plan->name, arena, &failed);
	copy->origin = take_words(plan->origin, arena, &failed);
	copy->machine = take_words(plan->machine, arena, &failed);
	copy->note = take_words(plan->note, arena, &failed);
	sw_problem *problem = &copy->problem;
	failed |= !sw_device_order_copy(problem->mesh.order, problem->mesh.devices, arena, &problem->mesh.order) ||
		!sw_device_order_copy(problem->to_order, problem->mesh.devices, arena, &problem->to_order);
	if (!sw_plan_own(copy, 0, arena))
		return NULL;
	for (int k = 0; k < plan->program.steps; k++)
		take_step(&copy->program.step[k], &plan->problem, arena, &failed);
	for (int k = 0; k <= plan->program.steps; k++)
		take_value(&copy->program.value[k], &plan->problem, arena, &failed);
	return failed ? NULL : copy;
}

/* ---- the table ---- */

static void print_problem(const sw_problem *problem, sw_text *text)
{
	sw_mesh_print(&problem->mesh, text);
	sw_type_print(&problem->mesh, &problem->from, true, text);
	sw_type_print(&problem->mesh, &problem->to, true, text);
}

static bool same_problem(const sw_problem *one, const sw_problem *other)
{
	sw_text a = {0}, b = {0};
	print_problem(one, &a);
	print_problem(other, &b);
	bool same = !a.failed && !b.failed && strcmp(sw_text_get(&a), sw_text_get(&b)) == 0;
	same = same && one->mesh.order == other->mesh.order && one->to_order == other->to_order;
	sw_text_free(&a);
	sw_text_free(&b);
	return same;
}

void session_keep_pareto_set(struct session *session, sw_arena *arena, const sw_problem *problem,
	const struct kept_pareto_set *shown)
{
	struct kept_pareto_set *set = SW_NEW(arena, struct kept_pareto_set, 1);
	sw_plan **list = SW_NEW(arena, sw_plan *, shown->count);
	if (!set || !list) {
		sw_arena_free(arena);
		return;
	}
	memcpy(list, shown->plans, (size_t)shown->count * sizeof(*list));
	*set = *shown;
	set->arena = arena;
	set->problem = *problem;
	set->plans = list;
	if (session->pareto_set)
		sw_arena_free(session->pareto_set->arena);
	session->pareto_set = set;
}

const struct kept_pareto_set *session_pareto_set(const struct session *session, const sw_problem *problem)
{
	const struct kept_pareto_set *set = session->pareto_set;
	return set && same_problem(&set->problem, problem) ? set : NULL;
}

const sw_plan *session_proved_plan(const struct session *session, const sw_problem *problem, unsigned without)
{
	const struct kept_plan *kept = session->state.plan;
	if (!kept || kept->chain || kept->renumbered || kept->without != without ||
		!same_problem(&kept->plan.problem, problem))
		return NULL;
	return kept->plan.has_bound && kept->plan.optimal && !kept->plan.program.claimed ? &kept->plan : NULL;
}
