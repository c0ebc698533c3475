/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about programs: what one does, how many there are, and which hierarchies say them.
 *
 *     {"kind": "program", "sizes": [2, 3], "steps": ["reduce inside 1", "allreduce master 1 in 0"]}
 */
#include "command/batch/asked.h"

#include <string.h>

#include <shardwalk/number.h>

#include "command/placement/reduction.h"

/* ---- programs ---- */

/* The factors as levels of a system with one axis. */
static bool read_factors(const struct problem_json *asked, sw_placement *placement, int64_t *devices)
{
	sw_system system;

	if (!asked_system(asked, "sizes", &system))
		return false;
	*placement = (sw_placement){.axes = 1, .levels = system.count};
	for (int j = 0; j < system.count; j++)
		placement->factor[0][j] = system.level[j].size;
	*devices = system.devices;
	return true;
}

static void add_states(const sw_pieces *pieces, struct fields *list)
{
	for (int64_t d = 0; d < pieces->devices; d++) {
		struct fields *states = field_list(list, NULL);

		for (int p = 0; p < pieces->count; p++)
			field_int(states, NULL, (int64_t)*sw_pieces_terms(pieces, d, p));
	}
}

static void add_refusal(struct fields *answer, const sw_breach *breach, int number)
{
	struct fields *group;

	field_text(answer, "result", sw_premise_name(breach->premise));
	field_int(answer, "step", number);
	group = field_list(answer, "group");
	for (int64_t m = 0; m < breach->size; m++)
		field_int(group, NULL, breach->member[m]);
}

/* Runs a step in all its groups, or in none: then the first that refuses is written. */
static bool run_step(const struct problem_json *asked, const sw_hierarchy *hierarchy, const sw_step *step, int number,
	sw_pieces *pieces, bool *refused)
{
	int64_t grouped, size;
	const int32_t *list = sw_named_members(hierarchy, &step->by, asked->arena, &grouped, &size);

	if (list == NULL)
		return sw_diag_memory(asked->in.diag);
	sw_breach breach;
	if (!sw_pieces_step(pieces, step->op, list, grouped, size, &breach))
		return sw_diag_memory(asked->in.diag);
	*refused = breach.premise != SW_PREMISE_HOLDS;
	if (*refused)
		add_refusal(asked->answer, &breach, number);
	return true;
}

bool asked_program(const struct problem_json *asked)
{
	json_t *steps = json_object_get(asked->json, "steps");
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);
	sw_placement placement;
	sw_pieces pieces;
	int64_t devices;
	bool refused = false;

	if (!read_factors(asked, &placement, &devices))
		return false;
	if (devices > 62)
		return asked_refuse(asked, "sizes",
			"factors whose product is at most 62: a state is a number with that many bits");
	if (hierarchy == NULL)
		return sw_diag_memory(asked->in.diag);
	if (!sw_pieces_start(&pieces, devices, (int)devices, devices, NULL, asked->arena, asked->in.diag))
		return false;
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	for (size_t k = 0; k < json_array_size(steps) && !refused; k++) {
		const char *text = json_string_value(json_array_get(steps, k));
		sw_step step;

		if (text == NULL)
			return asked_refuse(asked, "steps", "a list of steps such as \"allreduce inside 0\"");
		if (!sw_step_parse(sw_str_of(text), NULL, hierarchy, &step, asked->in.diag) ||
			!run_step(asked, hierarchy, &step, (int)k + 1, &pieces, &refused))
			return false;
	}
	if (!refused)
		field_text(asked->answer, "result", sw_pieces_done(&pieces) ? "done" : "unfinished");
	add_states(&pieces, field_list(asked->answer, "states"));
	return true;
}

/* ---- counts ---- */

/* Counts stay at INT64_MAX once they are there. */
static void add_count(int64_t more, int64_t *count)
{
	if (!sw_add(*count, more, count))
		*count = INT64_MAX;
}

bool asked_count(const struct problem_json *asked)
{
	int64_t devices, limit, count = 0;
	sw_placement placement;
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);

	if (hierarchy == NULL)
		return sw_diag_memory(asked->in.diag);
	if (!read_factors(asked, &placement, &devices) || !asked_whole(asked, asked->json, "limit", 5, &limit))
		return false;
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	const sw_contexts *contexts = asked_contexts(asked, hierarchy->count);
	if (contexts == NULL)
		return false;
	struct fields *list = field_list(asked->answer, "by_length");
	for (int64_t k = 1; k <= sw_smaller(limit, SW_MAX_REDUCTION_STEPS); k++) {
		int64_t programs = sw_contexts_programs(contexts, (int)k);

		if (programs < 0)
			return sw_diag_memory(asked->in.diag);
		field_int(list, NULL, programs);
		add_count(programs, &count);
	}
	field_int(asked->answer, "count", count);
	return true;
}

static bool count_on_placement(const struct problem_json *asked, const sw_placement *placement, uint32_t summed,
	int64_t limit, int64_t *count)
{
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);

	*count = 0;
	if (hierarchy == NULL)
		return sw_diag_memory(asked->in.diag);
	sw_hierarchy_make(placement, SW_HIERARCHY_SUMMED_LEVELS, summed, true, hierarchy);
	if (hierarchy->count == 0)
		return true;
	const sw_contexts *contexts = asked_contexts(asked, hierarchy->count);
	for (int64_t k = 1; contexts != NULL && k <= sw_smaller(limit, SW_MAX_REDUCTION_STEPS); k++) {
		int64_t programs = sw_contexts_programs(contexts, (int)k);

		if (programs < 0)
			return sw_diag_memory(asked->in.diag);
		add_count(programs, count);
	}
	return contexts != NULL;
}

bool asked_total(const struct problem_json *asked)
{
	sw_system system;
	sw_placement placement;
	int64_t axis[SW_MAX_PLACED], limit, placements = 0, total = 0;
	uint32_t summed;
	int axes;

	if (!asked_system(asked, "system", &system) || (axes = asked_axes(asked, axis)) < 0 ||
		!asked_summed(asked, json_object_get(asked->json, "reduce"), axes, &summed) ||
		!asked_whole(asked, asked->json, "limit", 5, &limit))
		return false;
	struct fields *list = field_list(asked->answer, "per_placement");
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
		 more = sw_placement_next(&system, &placement), placements++) {
		int64_t count;

		if (!count_on_placement(asked, &placement, summed, limit, &count))
			return false;
		field_int(list, NULL, count);
		add_count(count, &total);
	}
	field_int(asked->answer, "placements", placements);
	field_int(asked->answer, "count", total);
	return true;
}

/* ---- what hierarchies can say ---- */

bool asked_expressive(const struct problem_json *asked)
{
	static const struct {
		const char *key;
		sw_hierarchy_kind whole, part;
	} pairs[] = {{"b>=a", SW_HIERARCHY_COLUMNS, SW_HIERARCHY_LEVELS},
		{"c>=b", SW_HIERARCHY_ROWS, SW_HIERARCHY_COLUMNS}, {"d>=c", SW_HIERARCHY_SUMMED_ROWS, SW_HIERARCHY_ROWS},
		{"d>=b", SW_HIERARCHY_SUMMED_ROWS, SW_HIERARCHY_COLUMNS},
		{"d>=a", SW_HIERARCHY_SUMMED_ROWS, SW_HIERARCHY_LEVELS}};
	sw_system system;
	sw_placement placement;
	uint32_t summed;
	int64_t limit;
	sw_expressive expressive;
	bool all_masters;

	if (!asked_system(asked, "system", &system) ||
		!asked_matrix(asked, &system, json_object_get(asked->json, "matrix"), &placement) ||
		!asked_summed(asked, json_object_get(asked->json, "reduce"), placement.axes, &summed) ||
		!asked_whole(asked, asked->json, "limit", 4, &limit) || !asked_masters(asked, &all_masters) ||
		!sw_expressive_compare(&placement, summed, all_masters, (int)sw_smaller(limit, 99), asked->arena, &expressive,
			asked->in.diag))
		return false;
	struct fields *programs = field_object(asked->answer, "programs"),
				  *includes = field_object(asked->answer, "includes");
	for (int kind = 0; kind < SW_HIERARCHY_COUNT; kind++)
		field_int(programs, sw_hierarchy_letter((sw_hierarchy_kind)kind), expressive.programs[kind]);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		field_bool(includes, pairs[i].key, expressive.includes[pairs[i].whole][pairs[i].part]);
	return true;
}
