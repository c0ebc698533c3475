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
static bool read_factors(const struct asked *asked, sw_placement *placement, int64_t *devices)
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

static void write_states(sw_json *json, const sw_pieces *pieces)
{
	sw_json_key(json, "states");
	sw_json_open(json, '[', false);
	for (int64_t d = 0; d < pieces->devices; d++) {
		sw_json_open(json, '[', false);
		for (int p = 0; p < pieces->count; p++)
			sw_json_int(json, (int64_t)*sw_pieces_terms(pieces, d, p));
		sw_json_close(json);
	}
	sw_json_close(json);
}

static void write_refusal(sw_json *json, const sw_breach *breach, int number)
{
	sw_json_key(json, "result");
	sw_json_string(json, sw_premise_name(breach->premise));
	sw_json_key(json, "step");
	sw_json_int(json, number);
	sw_json_key(json, "group");
	sw_json_open(json, '[', false);
	for (int64_t m = 0; m < breach->size; m++)
		sw_json_int(json, breach->member[m]);
	sw_json_close(json);
}

/* Runs a step in all its groups, or in none: then the first that refuses is written. */
static bool run_step(const struct asked *asked, const sw_hierarchy *hierarchy, const sw_reduction_step *step,
	int number, sw_pieces *pieces, bool *refused)
{
	int64_t grouped, size;
	const int32_t *list = sw_reduction_members(hierarchy, step, asked->arena, &grouped, &size);

	if (list == NULL)
		return sw_diag_memory(asked->diag);
	sw_breach breach = sw_pieces_step(pieces, step->op, list, grouped, size);
	*refused = breach.premise != SW_PREMISE_HOLDS;
	if (*refused)
		write_refusal(asked->json, &breach, number);
	return true;
}

bool asked_program(const struct asked *asked)
{
	json_t *steps = json_object_get(asked->line, "steps");
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);
	sw_placement placement;
	sw_pieces pieces;
	int64_t devices;
	bool refused = false;

	if (!read_factors(asked, &placement, &devices))
		return false;
	if (devices > 62)
		return asked_refuse(asked, "sizes",
			"factors whose product is at most 62: a state is a number of as many bits");
	if (hierarchy == NULL)
		return sw_diag_memory(asked->diag);
	if (!sw_pieces_start(&pieces, devices, (int)devices, devices, NULL, asked->arena, asked->diag))
		return false;
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	for (size_t k = 0; k < json_array_size(steps) && !refused; k++) {
		const char *text = json_string_value(json_array_get(steps, k));
		sw_reduction_step step;

		if (text == NULL)
			return asked_refuse(asked, "steps", "a list of steps such as \"allreduce inside 0\"");
		if (!sw_reduction_step_parse(sw_str_of(text), NULL, hierarchy, &step, asked->diag) ||
			!run_step(asked, hierarchy, &step, (int)k + 1, &pieces, &refused))
			return false;
	}
	if (!refused) {
		sw_json_key(asked->json, "result");
		sw_json_string(asked->json, sw_pieces_done(&pieces) ? "done" : "unfinished");
	}
	write_states(asked->json, &pieces);
	return true;
}

/* ---- counts ---- */

/* Counts stay at INT64_MAX once they are there. */
static void add_count(int64_t more, int64_t *count)
{
	if (!sw_add(*count, more, count))
		*count = INT64_MAX;
}

bool asked_count(const struct asked *asked)
{
	int64_t devices, limit, count = 0;
	sw_placement placement;
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);

	if (hierarchy == NULL)
		return sw_diag_memory(asked->diag);
	if (!read_factors(asked, &placement, &devices) || !asked_whole(asked, asked->line, "limit", 5, &limit))
		return false;
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	const sw_contexts *contexts = asked_contexts(asked, hierarchy->count);
	if (contexts == NULL)
		return false;
	sw_json_key(asked->json, "by_length");
	sw_json_open(asked->json, '[', false);
	for (int64_t k = 1; k <= sw_smaller(limit, SW_MAX_REDUCTION_STEPS); k++) {
		int64_t programs = sw_contexts_programs(contexts, (int)k);

		if (programs < 0)
			return sw_diag_memory(asked->diag);
		sw_json_int(asked->json, programs);
		add_count(programs, &count);
	}
	sw_json_close(asked->json);
	sw_json_key(asked->json, "count");
	sw_json_int(asked->json, count);
	return true;
}

static bool count_on_placement(const struct asked *asked, const sw_placement *placement, uint32_t summed,
	int64_t limit, int64_t *count)
{
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);

	*count = 0;
	if (hierarchy == NULL)
		return sw_diag_memory(asked->diag);
	sw_hierarchy_make(placement, SW_HIERARCHY_SUMMED_LEVELS, summed, true, hierarchy);
	if (hierarchy->count == 0)
		return true;
	const sw_contexts *contexts = asked_contexts(asked, hierarchy->count);
	for (int64_t k = 1; contexts != NULL && k <= sw_smaller(limit, SW_MAX_REDUCTION_STEPS); k++) {
		int64_t programs = sw_contexts_programs(contexts, (int)k);

		if (programs < 0)
			return sw_diag_memory(asked->diag);
		add_count(programs, count);
	}
	return contexts != NULL;
}

bool asked_total(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	int64_t axis[SW_MAX_PLACED], limit, placements = 0, total = 0;
	uint32_t summed;
	int axes;

	if (!asked_system(asked, "system", &system) || (axes = asked_axes(asked, axis)) < 0 ||
		!asked_summed(asked, json_object_get(asked->line, "reduce"), axes, &summed) ||
		!asked_whole(asked, asked->line, "limit", 5, &limit))
		return false;
	sw_json_key(asked->json, "per_placement");
	sw_json_open(asked->json, '[', false);
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
		 more = sw_placement_next(&system, &placement), placements++) {
		int64_t count;

		if (!count_on_placement(asked, &placement, summed, limit, &count))
			return false;
		sw_json_int(asked->json, count);
		add_count(count, &total);
	}
	sw_json_close(asked->json);
	sw_json_key(asked->json, "placements");
	sw_json_int(asked->json, placements);
	sw_json_key(asked->json, "count");
	sw_json_int(asked->json, total);
	return true;
}

/* ---- what hierarchies can say ---- */

bool asked_expressive(const struct asked *asked)
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
		!asked_matrix(asked, &system, json_object_get(asked->line, "matrix"), &placement) ||
		!asked_summed(asked, json_object_get(asked->line, "reduce"), placement.axes, &summed) ||
		!asked_whole(asked, asked->line, "limit", 4, &limit) || !asked_masters(asked, &all_masters) ||
		!sw_expressive_compare(&placement, summed, all_masters, (int)sw_smaller(limit, 99), asked->arena, &expressive,
			asked->diag))
		return false;
	sw_json_key(asked->json, "programs");
	sw_json_open(asked->json, '{', false);
	for (int kind = 0; kind < SW_HIERARCHY_COUNT; kind++) {
		sw_json_key(asked->json, sw_hierarchy_letter((sw_hierarchy_kind)kind));
		sw_json_int(asked->json, expressive.programs[kind]);
	}
	sw_json_close(asked->json);
	sw_json_key(asked->json, "includes");
	sw_json_open(asked->json, '{', false);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		sw_json_key(asked->json, pairs[i].key);
		sw_json_bool(asked->json, expressive.includes[pairs[i].whole][pairs[i].part]);
	}
	sw_json_close(asked->json);
	return true;
}
