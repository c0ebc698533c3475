/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about seconds: the best program on a placement, and the best placement for several sums.
 *
 *     {"kind": "best", "system": [2, 16], "bandwidth": [8e9, 270e9], "shared": [true, false], "latency": [0, 0],
 *      "matrix": [[2, 4], [1, 4]], "reduce": [0], "payload": 8589934592, "algorithm": "ring"}
 */
#include "command/batch/asked.h"

#include <stdlib.h>

#include <shardwalk/number.h>

#include "command/placement/ranking.h"

/* ---- seconds ---- */

static bool asked_ports(const struct problem_json *asked, const sw_system *system, const sw_placement *placement,
	uint32_t summed, sw_ports *ports)
{
	sw_allreduce_way way;

	return asked_way(asked, &way) && sw_ports_make(system, placement, summed, way, ports, asked->in.diag);
}

/* The seconds of each step of a program that the line gives. */
static bool add_given(const struct problem_json *asked, const sw_ports *ports, double bytes, json_t *steps,
	struct fields *list)
{
	sw_step step[SW_MAX_REDUCTION_STEPS];
	sw_plan program = {.program.step = step};

	for (size_t k = 0; k < json_array_size(steps); k++) {
		const char *text = json_string_value(json_array_get(steps, k));

		if (text == NULL || k == SW_MAX_REDUCTION_STEPS)
			return asked_refuse(asked, "some", "lists of steps");
		if (!sw_step_parse(sw_str_of(text), NULL, &ports->hierarchy, &step[program.program.steps++], asked->in.diag))
			return false;
	}
	if (!sw_reduction_price(ports, bytes, &program))
		return asked_refuse(asked, "some", "programs that compute the sum");
	struct fields *seconds;
	asked_program_fields(&program, field_list(list, NULL));
	seconds = field_list(list, NULL);
	for (int k = 0; k < program.program.steps; k++)
		field_number(seconds, NULL, step[k].model_cost);
	return true;
}

static bool add_some(const struct problem_json *asked, const sw_ports *ports, double bytes)
{
	json_t *some = json_object_get(asked->json, "some");
	struct fields *list = some != NULL ? field_list(asked->answer, "some") : NULL;

	for (size_t i = 0; i < json_array_size(some); i++)
		if (!add_given(asked, ports, bytes, json_array_get(json_array_get(some, i), 0), field_list(list, NULL)))
			return false;
	return true;
}

bool asked_best(const struct problem_json *asked)
{
	sw_system system;
	sw_placement placement;
	uint32_t summed;
	sw_ports *ports = SW_NEW(asked->arena, sw_ports, 1);
	double bytes = json_number_value(json_object_get(asked->json, "payload"));
	sw_context_path best, any;
	sw_plan program;

	if (ports == NULL)
		return sw_diag_memory(asked->in.diag);
	if (!asked_system(asked, "system", &system) ||
		!asked_matrix(asked, &system, json_object_get(asked->json, "matrix"), &placement) ||
		!asked_summed(asked, json_object_get(asked->json, "reduce"), placement.axes, &summed) ||
		!asked_ports(asked, &system, &placement, summed, ports))
		return false;
	if (!(bytes > 0))
		return asked_refuse(asked, "payload", "bytes on each device");
	const sw_contexts *contexts = asked_contexts(asked, ports->hierarchy.count);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, ports, bytes, 5, &best) || !sw_reduction_best(contexts, ports, bytes, 0, &any) ||
		!sw_context_path_plan(contexts, &best, asked->arena, &program))
		return sw_diag_memory(asked->in.diag);
	field_number(asked->answer, "allreduce_s", sw_ports_allreduce(ports, bytes));
	field_number(asked->answer, "best_s", best.seconds);
	asked_program_fields(&program, field_list(asked->answer, "best"));
	field_number(asked->answer, "any_length_s", any.seconds);
	if (system.topology == SW_TOPOLOGY_TREE)
		field_number(asked->answer, "port_bound_s", sw_ports_bound(ports, bytes));
	return add_some(asked, ports, bytes);
}

/* ---- the choice of a placement ---- */

static int by_best(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->seconds.best != y->seconds.best)
		return x->seconds.best < y->seconds.best ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static bool price_choice(const struct problem_json *asked, const sw_system *system, json_t *reduction, int64_t limit,
	struct ranked *choice)
{
	sw_ports *ports = SW_NEW(asked->arena, sw_ports, 1);
	double bytes = json_number_value(json_object_get(reduction, "payload"));
	sw_context_path best;
	uint32_t summed;

	if (ports == NULL)
		return sw_diag_memory(asked->in.diag);
	if (!(bytes > 0))
		return asked_refuse(asked, "payload", "bytes on each device");
	if (!asked_summed(asked, json_object_get(reduction, "reduce"), choice->placement.axes, &summed) ||
		!asked_ports(asked, system, &choice->placement, summed, ports))
		return false;
	if (ports->hierarchy.count == 0)
		return true;
	const sw_contexts *contexts = asked_contexts(asked, ports->hierarchy.count);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, ports, bytes, (int)sw_smaller(limit, SW_MAX_REDUCTION_STEPS), &best))
		return sw_diag_memory(asked->in.diag);
	choice->seconds.allreduce += sw_ports_allreduce(ports, bytes);
	choice->seconds.best += best.seconds;
	return true;
}

bool asked_choose(const struct problem_json *asked)
{
	sw_system system;
	sw_placement placement;
	json_t *reductions = json_object_get(asked->json, "reductions");
	int64_t axis[SW_MAX_PLACED], limit;
	struct ranked *choice = NULL;
	int axes, count = 0, room = 0;

	if (!asked_system(asked, "system", &system) || (axes = asked_axes(asked, axis)) < 0 ||
		!asked_whole(asked, asked->json, "limit", 5, &limit))
		return false;
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
		 more = sw_placement_next(&system, &placement)) {
		if (!SW_GROW(asked->arena, choice, count, room, 16))
			return sw_diag_memory(asked->in.diag);
		choice[count] = (struct ranked){.placement = placement, .number = count};
		for (size_t r = 0; r < json_array_size(reductions); r++)
			if (!price_choice(asked, &system, json_array_get(reductions, r), limit, &choice[count]))
				return false;
		count++;
	}
	qsort(choice, (size_t)count, sizeof *choice, by_best);
	const struct placements_of of = {.system = &system};
	const struct rows rows = ranked_rows(choice, count, &of, RANKED_CHOICE | RANKED_TIMED);
	return rows_list(&rows, asked->answer, "placements", asked->in.diag);
}
