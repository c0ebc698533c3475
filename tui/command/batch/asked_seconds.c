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

/* ---- seconds ---- */

static bool asked_ports(const struct asked *asked, const sw_system *system, const sw_placement *placement,
	uint32_t summed, sw_ports *ports)
{
	sw_allreduce_way way;

	return asked_way(asked, &way) && sw_ports_make(system, placement, summed, way, ports, asked->diag);
}

/* The seconds of each step of a program that the line gives. */
static bool write_given(const struct asked *asked, const sw_ports *ports, double bytes, json_t *steps)
{
	sw_reduction_program program = {0};

	for (size_t k = 0; k < json_array_size(steps); k++) {
		const char *text = json_string_value(json_array_get(steps, k));

		if (text == NULL || k == SW_MAX_REDUCTION_STEPS)
			return asked_refuse(asked, "some", "lists of steps");
		if (!sw_reduction_step_parse(sw_str_of(text), NULL, &ports->hierarchy, &program.step[program.count++],
				asked->diag))
			return false;
	}
	if (!sw_reduction_price(ports, bytes, &program))
		return asked_refuse(asked, "some", "programs that make the sum");
	sw_json_open(asked->json, '[', false);
	asked_write_program(asked->json, &program);
	sw_json_open(asked->json, '[', false);
	for (int k = 0; k < program.count; k++)
		sw_json_number(asked->json, program.seconds[k]);
	sw_json_close(asked->json);
	sw_json_close(asked->json);
	return true;
}

static bool write_some(const struct asked *asked, const sw_ports *ports, double bytes)
{
	json_t *some = json_object_get(asked->line, "some");

	if (some == NULL)
		return true;
	sw_json_key(asked->json, "some");
	sw_json_open(asked->json, '[', false);
	for (size_t i = 0; i < json_array_size(some); i++)
		if (!write_given(asked, ports, bytes, json_array_get(json_array_get(some, i), 0)))
			return false;
	sw_json_close(asked->json);
	return true;
}

bool asked_best(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	uint32_t summed;
	sw_ports *ports = SW_NEW(asked->arena, sw_ports, 1);
	double bytes = json_number_value(json_object_get(asked->line, "payload"));
	sw_reduction_program best, any;

	if (ports == NULL)
		return sw_diag_memory(asked->diag);
	if (!asked_system(asked, "system", &system) ||
		!asked_matrix(asked, &system, json_object_get(asked->line, "matrix"), &placement) ||
		!asked_summed(asked, json_object_get(asked->line, "reduce"), placement.axes, &summed) ||
		!asked_ports(asked, &system, &placement, summed, ports))
		return false;
	if (!(bytes > 0))
		return asked_refuse(asked, "payload", "bytes on each device");
	const sw_contexts *contexts = asked_contexts(asked, ports->hierarchy.count);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, ports, bytes, 5, &best) || !sw_reduction_best(contexts, ports, bytes, 0, &any))
		return sw_diag_memory(asked->diag);
	asked_write_seconds(asked->json, "allreduce_s", sw_ports_allreduce(ports, bytes));
	asked_write_seconds(asked->json, "best_s", best.total);
	sw_json_key(asked->json, "best");
	asked_write_program(asked->json, &best);
	asked_write_seconds(asked->json, "any_length_s", any.total);
	if (system.topology == SW_TOPOLOGY_TREE)
		asked_write_seconds(asked->json, "port_bound_s", sw_ports_bound(ports, bytes));
	return write_some(asked, ports, bytes);
}

/* ---- the choice of a placement ---- */

struct choice {
	sw_placement placement;
	double allreduce, best;
	int number;
};

static int by_best(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->best != y->best)
		return x->best < y->best ? -1 : 1;
	return x->number - y->number;
}

static bool price_choice(const struct asked *asked, const sw_system *system, json_t *reduction, int64_t limit,
	struct choice *choice)
{
	sw_ports *ports = SW_NEW(asked->arena, sw_ports, 1);
	double bytes = json_number_value(json_object_get(reduction, "payload"));
	sw_reduction_program best;
	uint32_t summed;

	if (ports == NULL)
		return sw_diag_memory(asked->diag);
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
		return sw_diag_memory(asked->diag);
	choice->allreduce += sw_ports_allreduce(ports, bytes);
	choice->best += best.total;
	return true;
}

bool asked_choose(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	json_t *reductions = json_object_get(asked->line, "reductions");
	int64_t axis[SW_MAX_PLACED], limit;
	struct choice *choice = NULL;
	int axes, count = 0, room = 0;

	if (!asked_system(asked, "system", &system) || (axes = asked_axes(asked, axis)) < 0 ||
		!asked_whole(asked, asked->line, "limit", 5, &limit))
		return false;
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
		 more = sw_placement_next(&system, &placement)) {
		if (!SW_GROW(asked->arena, choice, count, room, 16))
			return sw_diag_memory(asked->diag);
		choice[count] = (struct choice){.placement = placement, .number = count};
		for (size_t r = 0; r < json_array_size(reductions); r++)
			if (!price_choice(asked, &system, json_array_get(reductions, r), limit, &choice[count]))
				return false;
		count++;
	}
	qsort(choice, (size_t)count, sizeof *choice, by_best);
	sw_json_key(asked->json, "placements");
	sw_json_open(asked->json, '[', false);
	for (int i = 0; i < count; i++) {
		sw_json_open(asked->json, '{', false);
		sw_json_key(asked->json, "matrix");
		asked_write_matrix(asked->json, &choice[i].placement);
		asked_write_seconds(asked->json, "allreduce_s", choice[i].allreduce);
		asked_write_seconds(asked->json, "best_s", choice[i].best);
		sw_json_close(asked->json);
	}
	sw_json_close(asked->json);
	return true;
}
