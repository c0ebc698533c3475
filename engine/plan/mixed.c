/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mixed plans: sums as a reduction program, what is left as steps of types, in whichever order takes less time.
 */
#include <shardwalk/reduction_plan.h>

#include <assert.h>
#include <string.h>

#define LESS (1 - 1e-9) /* times that are closer are equal */

struct mixing {
	const sw_mixing *with;
	sw_plan_options options; /* for the steps of types */
	sw_arena *arena;
	sw_plan *best;
};

/* What is done by a program, what by steps of types, and what comes first. */
struct form {
	sw_problem summed, rest;
	bool program_first;
};

/* ---- the program ---- */

static sw_reduction_problem reduction_of(const struct mixing *m, const sw_problem *problem)
{
	return (sw_reduction_problem){
		.problem = problem,
		.ports = m->with->ports,
		.model = m->best->model,
		.machine = m->with->machine,
		.best = -1,
	};
}

/* The fastest one, if the whole can be faster by it. */
static bool find_program(const struct mixing *m, const sw_type *from, sw_plan *program)
{
	double bytes = (double)sw_type_localsize(from) * sw_dtype_bytes(from->dtype);
	const sw_contexts *contexts = m->with->contexts;
	sw_context_path path;

	return sw_reduction_best(contexts, m->with->ports, bytes, 0, &path) &&
		path.seconds < m->best->model_cost * LESS && sw_context_path_plan(contexts, &path, m->arena, program) &&
		sw_reduction_price(m->with->ports, bytes, program);
}

/* ---- both, as one plan ---- */

/* The steps of `rest`, and before or behind them an all-reduce that is carried out as `inside` says. */
static bool join(const struct mixing *m, const struct form *form, const sw_plan *rest, const sw_plan *inside,
	sw_plan *mixed)
{
	int at = form->program_first ? 0 : rest->program.steps, first = form->program_first;
	sw_type *between = SW_NEW(m->arena, sw_type, 1);

	*mixed = *rest;
	mixed->problem = m->best->problem;
	mixed->origin = "mixed";
	mixed->strategy = SW_DIRECT;
	mixed->has_bound = mixed->optimal = false;
	mixed->local_cost = -1;
	mixed->program.steps = rest->program.steps + 1;
	if (between == NULL || !sw_plan_room(mixed, mixed->program.steps, m->arena))
		return false;
	*between = form->summed.to;
	memcpy(mixed->program.step + first, rest->program.step, sizeof *rest->program.step * (size_t)rest->program.steps);
	memcpy(mixed->program.value + 1, rest->program.value + 1 - first,
		sizeof *rest->program.value * (size_t)(rest->program.steps + first));
	mixed->program.step[at] = (sw_step){.op = SW_ALLREDUCE, .model_cost = inside->model_cost, .inside = inside};
	mixed->program.value[at + 1] = (sw_value){.type = between};
	memcpy(mixed->program.value[at + 1].tile, between->tile, sizeof between->tile);
	mixed->model_cost = rest->model_cost + inside->model_cost;
	return sw_plan_total(mixed, NULL) && (m->options.sizes_only || sw_plan_group(mixed, m->arena, NULL));
}

static bool is_within(const struct mixing *m, const sw_plan *plan)
{
	const sw_plan *best = m->best;

	return plan->height <= best->budget && (best->live_budget == 0 || plan->live_peak <= best->live_budget);
}

static void take(const struct mixing *m, sw_plan *plan)
{
	plan->name = m->best->name;
	plan->budget = m->best->budget;
	plan->live_budget = m->best->live_budget;
	plan->unit = m->best->unit;
	plan->search = m->best->search;
	*m->best = *plan;
}

/* ---- the forms ---- */

static bool is_nothing(const sw_problem *problem)
{
	return sw_type_same_map(&problem->mesh, &problem->from, &problem->to) && problem->to_order == NULL;
}

static void try_program(const struct mixing *m)
{
	sw_reduction_problem of = reduction_of(m, &m->best->problem);
	sw_plan program, plan;

	if (!find_program(m, &m->best->problem.from, &program))
		return;
	of.best = sw_contexts_complete(m->with->contexts) ? program.model_cost : -1;
	if (sw_reduction_plan(&of, &program, m->arena, &plan, NULL) && is_within(m, &plan))
		take(m, &plan);
}

static void try_form(const struct mixing *m, const struct form *form)
{
	sw_reduction_problem of = reduction_of(m, &form->summed);
	sw_plan *inside = SW_NEW(m->arena, sw_plan, 1), rest, mixed, program;

	if (inside != NULL && find_program(m, &form->summed.from, &program) &&
		sw_plan_find(&form->rest, &m->options, m->arena, &rest, NULL) &&
		program.model_cost + rest.model_cost < m->best->model_cost * LESS &&
		sw_reduction_plan(&of, &program, m->arena, inside, NULL) && join(m, form, &rest, inside, &mixed) &&
		is_within(m, &mixed))
		take(m, &mixed);
}

/* The parts of which `type` is a sum, as bits of their axes. */
static uint64_t axes_of(const sw_type *type)
{
	sw_part part[SW_MAX_PARTS];
	uint64_t axes = 0;

	for (int p = sw_type_sums(type, part); p > 0; p--)
		axes |= UINT64_C(1) << part[p - 1].axis;
	return axes;
}

/* `to` with all that the program sums still to be summed; false: it has other uses for these axes. */
static bool unsummed(const sw_problem *problem, const sw_type *summed, sw_type *type)
{
	sw_part part[SW_MAX_PARTS], own[SW_MAX_PARTS];
	int count = sw_type_sums(&problem->to, part), others = sw_type_sums(&problem->from, own);

	for (int p = 0; p < others; p++)
		if ((axes_of(summed) >> own[p].axis & 1) == 0 && count < SW_MAX_PARTS)
			part[count++] = own[p];
	*type = problem->to;
	return sw_type_set_sums(&problem->mesh, type, part, count, NULL);
}

/* Are the axes of the mesh those of the placement, and do devices lie as they say? */
static bool lies_as_placed(const sw_mesh *mesh, const sw_placement *placement)
{
	int64_t at[SW_MAX_AXES];
	bool same = mesh->count == placement->axes;

	for (int64_t p = 0; same && p < mesh->devices; p++) {
		for (int i = 0; i < mesh->count; i++)
			at[i] = sw_mesh_coordinate(mesh, p, i);
		same = sw_placement_device(placement, at) == sw_device_at(mesh->order, p);
	}
	return same;
}

void sw_plan_mix(const sw_mixing *mixing, const sw_plan_options *options, sw_arena *arena, sw_plan *plan)
{
	assert(mixing->contexts == NULL || sw_contexts_count(mixing->contexts) > 0);
	struct mixing m = {.with = mixing, .options = *options, .arena = arena, .best = plan};
	const sw_problem problem = plan->problem;
	sw_reduction_problem of = reduction_of(&m, &problem);
	struct form form = {.summed = problem, .rest = problem, .program_first = true};

	m.options.budget = plan->budget;
	if (mixing->ports->hierarchy.count == 0 || !lies_as_placed(&problem.mesh, mixing->ports->placement) ||
		!sw_reduction_ends_on(&of, &form.summed.to, NULL))
		return;
	form.summed.to_order = NULL;
	const sw_type without = form.summed.to;
	form.rest.from = without;
	if (is_nothing(&form.rest)) {
		try_program(&m);
		return;
	}
	try_form(&m, &form);
	form = (struct form){.summed = problem, .rest = problem};
	if (problem.to_order == NULL && unsummed(&problem, &without, &form.rest.to)) {
		form.summed.from = form.rest.to;
		try_form(&m, &form);
	}
}
