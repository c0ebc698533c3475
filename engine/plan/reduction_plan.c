/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs on devices: groups by the slots of the mesh, and types where there are any.
 */
#include <shardwalk/reduction_plan.h>

#include <assert.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "plan/pieces.h"

/* ---- types ---- */

static bool is_summed(const sw_ports *ports, int axis, int level, unsigned factors)
{
	const sw_hierarchy *h = &ports->hierarchy;

	for (int f = 0; f < h->count; f++)
		for (int k = h->first[f]; k < h->first[f + 1]; k++)
			if (h->digit[k].axis == axis && h->digit[k].level == level && h->digit[k].size > 1)
				return factors >> f & 1;
	return true; /* of size 1 */
}

static bool sums_axis(const sw_ports *ports, int axis)
{
	const sw_hierarchy *h = &ports->hierarchy;

	for (int k = 0; k < h->first[h->count]; k++)
		if (h->digit[k].axis == axis)
			return true;
	return false;
}

/* `from` when these factors (a bit each) are summed. */
static bool type_of(const sw_reduction_problem *of, unsigned factors, sw_type *type, sw_diag *diag)
{
	const sw_placement *placement = of->ports->placement;
	sw_part all[SW_MAX_PARTS], left[SW_MAX_PARTS];
	int count = sw_type_sums(&of->problem->from, all), n = 0;

	for (int p = 0; p < count; p++) {
		if (!sums_axis(of->ports, all[p].axis)) {
			SW_ROOM(left, n);
			left[n++] = all[p];
			continue;
		}
		for (int j = placement->levels - 1; j >= 0 && n < SW_MAX_PARTS; j--)
			if (!is_summed(of->ports, all[p].axis, j, factors)) {
				SW_ROOM(left, n);
				left[n++] = sw_placement_part(placement, all[p].axis, j);
			}
	}
	*type = of->problem->from;
	return sw_type_set_sums(&of->problem->mesh, type, left, n, diag);
}

bool sw_reduction_ends_on(const sw_reduction_problem *of, sw_type *type, sw_diag *diag)
{
	assert(of->ports->hierarchy.count <= SW_MAX_SUMMED);
	return type_of(of, (1u << of->ports->hierarchy.count) - 1, type, diag);
}

/* Of every set of factors, the type that is left. */
static const sw_type *all_types(const sw_reduction_problem *of, sw_arena *arena, sw_diag *diag)
{
	unsigned sets = 1u << of->ports->hierarchy.count;
	sw_type *types = SW_NEW(arena, sw_type, sets);

	if (types == NULL)
		return sw_diag_memory(diag), NULL;
	for (unsigned set = 0; set < sets; set++)
		if (!type_of(of, set, &types[set], diag))
			return NULL;
	return types;
}

/* ---- groups ---- */

/* The slot of each device. */
static int64_t *slots_of(const sw_mesh *mesh, sw_arena *arena)
{
	int64_t *slot = SW_NEW(arena, int64_t, mesh->devices);

	for (int64_t p = 0; slot != NULL && p < mesh->devices; p++)
		slot[sw_device_at(mesh->order, p)] = p;
	return slot;
}

static const char *words_of(const sw_ports *ports, const sw_group_name *name, sw_arena *arena)
{
	sw_text text = {0};

	sw_group_name_print(ports->system, &ports->hierarchy, name, &text);
	return sw_text_keep(&text, arena);
}

static bool lay_step(const sw_reduction_problem *of, const sw_step *named, const int64_t *slot, sw_arena *arena,
	sw_step *step)
{
	*step = *named;
	step->by.words = words_of(of->ports, &named->by, arena);
	step->passing = of->ports->way == SW_ALLREDUCE_TREE ? SW_PASSES_BY_TREES : SW_PASSES_ROUND;
	return step->by.words != NULL && sw_step_lay(step, &of->ports->hierarchy, slot, arena);
}

bool sw_plan_system(const sw_plan *plan, sw_system *system, sw_diag *diag)
{
	if (plan->machine == NULL)
		return sw_diag_set(diag, SW_P03, (sw_span){0, 0}, "it has no `machine`");
	return sw_system_parse(sw_str_of(plan->machine), system, diag);
}

/* ---- the plan ---- */

static void set_figures(const sw_reduction_problem *of, const sw_plan *named, sw_plan *plan)
{
	*plan = (sw_plan){.problem = *of->problem,
		.strategy = SW_DIRECT,
		.origin = "reduction",
		.model = of->model,
		.machine = of->machine,
		.budget = sw_type_localsize(&of->problem->from),
		.model_cost = named->model_cost,
		.local_cost = -1,
		.program.steps = named->program.steps};
	if (of->best >= 0) {
		plan->has_bound = true;
		plan->model_bound = of->best < named->model_cost ? of->best : named->model_cost;
		plan->optimal = plan->model_bound >= named->model_cost * (1 - 1e-9);
	}
}

static bool refuse_end(const sw_reduction_problem *of, const sw_type *end, sw_diag *diag)
{
	sw_text made = {0}, wanted = {0};

	sw_type_print(&of->problem->mesh, end, true, &made);
	sw_type_print(&of->problem->mesh, &of->problem->to, true, &wanted);
	sw_diag_set(diag, SW_P07, (sw_span){0, 0}, "a reduction program ends on %s", sw_text_get(&made));
	sw_diag_expected(diag, "%s", sw_text_get(&wanted));
	sw_diag_hint(diag, "`plan` weighs sums together with the steps after them");
	sw_text_free(&made);
	sw_text_free(&wanted);
	return false;
}

static int pieces_of(const sw_hierarchy *hierarchy)
{
	int pieces = 1;

	for (int f = 0; f < hierarchy->count; f++)
		pieces *= (int)sw_hierarchy_size(hierarchy, f);
	return pieces;
}

bool sw_reduction_plan(const sw_reduction_problem *of, const sw_plan *named, sw_arena *arena, sw_plan *plan,
	sw_diag *diag)
{
	const sw_mesh *mesh = &of->problem->mesh;
	char where[SW_WHERE_SIZE];
	sw_type end;

	if (mesh->devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "a program on %lld devices is too large to be a plan",
			(long long)mesh->devices);
	if (!sw_reduction_ends_on(of, &end, diag))
		return false;
	if (!sw_type_same_map(mesh, &end, &of->problem->to))
		return refuse_end(of, &end, diag);
	int64_t *slot = slots_of(mesh, arena);
	const sw_type *types = all_types(of, arena, diag);
	if (types == NULL)
		return false;
	set_figures(of, named, plan);
	if (slot == NULL || !sw_plan_room(plan, named->program.steps, arena))
		return sw_diag_memory(diag);
	const sw_said_types said = {1 << of->ports->hierarchy.count, types};
	for (int k = 0; k < named->program.steps; k++) {
		if (!lay_step(of, &named->program.step[k], slot, arena, &plan->program.step[k]))
			return sw_diag_memory(diag);
		if (!sw_plan_follow(plan, k, pieces_of(&of->ports->hierarchy), &said, arena, where, diag))
			return false;
	}
	return sw_plan_total(plan, diag);
}
