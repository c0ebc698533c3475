/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans as JSON, schema shardwalk.plan/2: one function a part, in the order of the keys.
 */
#include <shardwalk/plan.h>

#include <shardwalk/between.h>
#include <shardwalk/json.h>
#include <shardwalk/problem_json.h>

#include "array/parts.h"
#include "plan/json_reader.h"
#include "plan/reorder.h"
#include "plan/tile_numbers.h"

static void write_int(sw_json *json, const char *key, int64_t value)
{
	sw_json_key(json, key);
	sw_json_int(json, value);
}

static void write_string(sw_json *json, const char *key, const char *value)
{
	sw_json_key(json, key);
	sw_json_string(json, value);
}

static void write_bytes(sw_json *json, const char *key, const sw_plan *plan, int64_t elements)
{
	int64_t bytes;
	if (sw_mul(elements, sw_dtype_bytes(plan->problem.from.dtype), &bytes))
		write_int(json, key, bytes);
}

/* The same sizes for who typed a budget in bytes. */
static void write_in_bytes(sw_json *json, const sw_plan *plan)
{
	int64_t all = sw_plan_height_on_all(plan);
	write_string(json, "budget_unit", sw_unit_name(plan->unit));
	write_bytes(json, "budget_bytes", plan, plan->budget);
	if (plan->live_budget > 0)
		write_bytes(json, "live_budget_bytes", plan, plan->live_budget);
	write_bytes(json, "height_bytes", plan, plan->height);
	if (all >= 0)
		write_bytes(json, "height_bytes_on_all_devices", plan, all);
	write_bytes(json, "live_peak_bytes", plan, plan->live_peak);
}

/* The device in each slot. */
static void write_devices(sw_json *json, const char *key, const int64_t *order, int64_t devices)
{
	sw_json_key(json, key);
	sw_json_open(json, '[', false);
	for (int64_t p = 0; p < devices; p++)
		sw_json_int(json, sw_device_at(order, p));
	sw_json_close(json);
}

static void write_figures(sw_json *json, const sw_plan *plan)
{
	write_string(json, "strategy", plan->origin ? plan->origin : sw_strategy_name(plan->strategy));
	write_string(json, "model", sw_model_name(plan->model));
	if (plan->machine)
		write_string(json, "machine", plan->machine);
	sw_fields_write(json, sw_budget_fields, SW_BUDGET_FIELDS, plan);
	if (plan->unit != SW_UNIT_ELEMENTS)
		write_in_bytes(json, plan);
	sw_fields_write(json, sw_figure_fields, SW_FIGURE_FIELDS, plan);
	if (sw_problem_ordered(&plan->problem)) {
		write_devices(json, "devices", plan->problem.mesh.order, plan->problem.mesh.devices);
		write_devices(json, "to_devices", sw_problem_to_order(&plan->problem), plan->problem.mesh.devices);
	}
}

/* What was read and nobody proved since. */
static void write_claims(sw_json *json, const sw_plan *plan)
{
	if (!plan->program.claimed)
		return;
	sw_json_key(json, "claimed_by_file");
	sw_json_open(json, '[', false);
	sw_json_string(json, "strategy");
	for (int i = 0; i < SW_FIGURE_FIELDS; i++)
		if (sw_figure_fields[i].claim && sw_figure_fields[i].claim(plan))
			sw_json_string(json, sw_figure_fields[i].key);
	sw_json_string(json, "search");
	sw_json_close(json);
}

static void write_search(sw_json *json, const sw_plan *plan)
{
	sw_json_key(json, "search");
	sw_json_open(json, '{', false);
	sw_fields_write(json, sw_search_fields, SW_SEARCH_FIELDS, plan);
	sw_json_close(json);
}

static void write_strings(sw_json *json, const char *key, const char *const *value, int count)
{
	sw_json_key(json, key);
	sw_json_open(json, '[', false);
	for (int i = 0; i < count; i++)
		sw_json_string(json, value[i]);
	sw_json_close(json);
}

/* In which units the figures are; among others, whose head says the rest, only what depends on the model. */
static void write_units(sw_json *json, const sw_plan *plan, bool among_others)
{
	static const char *const figures[] = {"cost", "height", "live_peak", "localsize", "budget", "model_cost"};
	bool timed = sw_model_is_timed(plan->model);
	int from = among_others ? 5 : 0, to = timed || plan->model == SW_MODEL_PAPER ? 5 : 6;
	if (from == to && !timed)
		return;
	sw_json_key(json, "units");
	sw_json_open(json, '{', false);
	if (to > from)
		write_strings(json, "elements", figures + from, to - from);
	if (timed)
		write_strings(json, "seconds", figures + 5, 1);
	sw_json_close(json);
}

static void write_entries(sw_json *json, const char *key, const sw_entry *entry, int count)
{
	if (count == 0)
		return;
	sw_json_key(json, key);
	sw_json_open(json, '[', false);
	for (int e = 0; e < count; e++)
		sw_json_ints(json, (int64_t[]){entry[e].dim, entry[e].factor}, 2);
	sw_json_close(json);
}

/* The parts that a step sums, as a type writes them. */
static void write_sum(sw_json *json, const sw_plan *plan, int k)
{
	sw_part part[SW_MAX_PARTS];
	int count = sw_step_summed(plan, k, part);
	if (count == 0)
		return;
	sw_json_key(json, "sum");
	sw_json_open(json, '[', false);
	for (int p = 0; p < count; p++) {
		size_t begin = sw_json_text_begin(json);
		sw_part_print(&plan->problem.mesh, part[p], json->text);
		sw_json_text_end(json, begin);
	}
	sw_json_close(json);
}

static void write_group_list(sw_json *json, const char *key, const int32_t *groups, int64_t size, int64_t devices)
{
	sw_json_key(json, key);
	sw_json_open(json, '[', false);
	for (int64_t d = 0; d < devices; d += size) {
		sw_json_open(json, '[', false);
		for (int64_t m = 0; m < size; m++)
			sw_json_int(json, groups[d + m]);
		sw_json_close(json);
	}
	sw_json_close(json);
}

static void write_groups(sw_json *json, const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	if (step->groups_text)
		write_string(json, "groups", step->groups_text);
	else if (step->groups)
		write_group_list(json, "groups", step->groups, step->group_size, step->grouped);
}

/* [source, destination] for every device; without sources, the types that say it. */
static void write_slot_pairs(sw_json *json, const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	const sw_type *before = plan->program.value[k].type, *after = plan->program.value[k + 1].type;
	if (!step->source && (!before || !after))
		return;
	sw_json_key(json, "pairs");
	sw_json_open(json, '[', false);
	if (step->source) {
		for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
			sw_json_ints(json, (int64_t[]){step->source[d], d}, 2);
	} else {
		sw_json_type(json, &plan->problem.mesh, before);
		sw_json_type(json, &plan->problem.mesh, after);
	}
	sw_json_close(json);
}

/* From which device to which, where these are not the slots. */
static void write_device_pairs(sw_json *json, const sw_plan *plan, int k)
{
	const int64_t *from = sw_plan_order(plan, k), *to = sw_plan_order(plan, k + 1);
	const int32_t *source = plan->program.step[k].source;
	if (!sw_problem_ordered(&plan->problem) || !source)
		return;
	sw_json_key(json, "device_pairs");
	sw_json_open(json, '[', false);
	for (int64_t p = 0; p < plan->problem.mesh.devices; p++)
		sw_json_ints(json, (int64_t[]){sw_device_at(from, source[p]), sw_device_at(to, p)}, 2);
	sw_json_close(json);
}

static void write_pairs(sw_json *json, const sw_plan *plan, int k)
{
	write_slot_pairs(json, plan, k);
	write_device_pairs(json, plan, k);
}

/* From whom each device takes what it needs: by device, a sender for each tile; or the rule from which that follows. */
static void write_senders(sw_json *json, const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	int64_t devices = plan->problem.mesh.devices;
	if (sw_problem_has_words(&plan->problem))
		write_string(json, "sender", sw_sender_rule_name(step->rule));
	if (!step->sender)
		return;
	sw_json_key(json, "senders");
	sw_json_open(json, '[', false);
	for (int64_t d = 0; d < devices; d++) {
		sw_json_open(json, '[', false);
		for (int32_t n = step->first_sender[d]; n < step->first_sender[d + 1]; n++)
			sw_json_int(json, step->sender[n]);
		sw_json_close(json);
	}
	sw_json_close(json);
}

/* Who works with whom. */
static void (*const write_among[SW_AMONG_COUNT])(sw_json *json, const sw_plan *plan, int k) = {
	[SW_AMONG_NONE] = write_groups, /* none; those of a file that was read may have some */
	[SW_AMONG_GROUPS] = write_groups,
	[SW_AMONG_PAIRS] = write_pairs,
	[SW_AMONG_ALL] = write_senders,
};

/* Without a word of it the first permute changes the order of devices, or no step does. */
static bool order_is_told(const sw_plan *plan, int k)
{
	int changes = 0, last = -1;
	for (int i = 0; i < plan->program.steps; i++) {
		changes += plan->program.step[i].order != NULL;
		last = plan->program.step[i].order ? i : last;
	}
	return plan->program.step[k].order && (changes > 1 || last != sw_plan_first_permute(plan));
}

static bool write_group_devices(sw_json *json, const sw_plan *plan, int k, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	sw_step step;
	if (!arena)
		return sw_diag_memory(diag);
	bool ok = sw_step_on_devices(plan, k, arena, &step, diag);
	if (ok)
		write_group_list(json, "device_groups", step.groups, step.group_size, plan->problem.mesh.devices);
	sw_arena_free(arena);
	return ok;
}

/* The device in each slot after a step, and who works together, where the step changes that. */
static bool write_order(sw_json *json, const sw_plan *plan, int k, sw_diag *diag)
{
	const sw_step *step = &plan->program.step[k];
	if (!order_is_told(plan, k))
		return true;
	write_devices(json, "devices", step->order, plan->problem.mesh.devices);
	return !step->groups || write_group_devices(json, plan, k, diag);
}

static void write_why(sw_json *json, const sw_plan *plan, int k)
{
	sw_json_key(json, "why");
	size_t begin = sw_json_text_begin(json);
	sw_plan_why(plan, k, json->text);
	sw_json_text_end(json, begin);
}

/* Into how many pieces tiles are cut, and how sums of them are made for all. */
static void write_pieces(sw_json *json, const sw_plan *plan)
{
	int pieces = sw_plan_pieces_of_tile(plan);
	bool trees = false;
	for (int k = 0; k < plan->program.steps; k++)
		trees = trees || plan->program.step[k].passing == SW_PASSES_BY_TREES;
	if (pieces > 0)
		write_int(json, "chunks", pieces);
	if (trees)
		write_string(json, "allreduce", "tree");
}

static bool write_step(sw_json *json, const sw_plan *plan, int k, sw_diag *diag);

/* Steps, and what is told of those that pass on pieces. */
static bool write_inside(sw_json *json, const sw_plan *inside, sw_diag *diag)
{
	bool ok = true;
	if (!inside)
		return true;
	sw_json_key(json, "inside");
	sw_json_open(json, '{', false);
	write_string(json, "machine", inside->machine);
	write_pieces(json, inside);
	sw_json_key(json, "steps");
	sw_json_open(json, '[', false);
	for (int k = 0; ok && k < inside->program.steps; k++)
		ok = write_step(json, inside, k, diag);
	sw_json_close(json);
	sw_json_close(json);
	return ok;
}

/* The type of the blocks that devices have, where pieces make such and no type says the whole tiles. */
static void write_pieces_type(sw_json *json, const sw_plan *plan, int k)
{
	const sw_type *type = plan->program.value[k].blocks;
	if (!type)
		return;
	sw_json_key(json, "pieces_type");
	sw_json_type(json, &plan->problem.mesh, type);
}

static bool write_step(sw_json *json, const sw_plan *plan, int k, sw_diag *diag)
{
	const sw_step *step = &plan->program.step[k];
	const sw_value *made = &plan->program.value[k + 1];
	sw_json_open(json, '{', false);
	write_string(json, "op", sw_collective_of(step->op)->name);
	if (step->by.words)
		write_string(json, "form", step->by.words);
	write_entries(json, "gather", step->gather, step->gathers);
	write_entries(json, "split", step->split, step->splits);
	if (step->passing == SW_PASSES_AT_ONCE)
		write_sum(json, plan, k);
	sw_json_key(json, "type");
	if (made->type)
		sw_json_type_any(json, &plan->problem.mesh, made->type, made->words);
	else
		sw_json_null(json);
	if (made->pieces)
		write_pieces_type(json, plan, k + 1);
	if (!made->words) {
		sw_json_key(json, "localtype");
		sw_json_ints(json, made->tile, plan->problem.from.rank);
	}
	sw_fields_write(json, sw_value_fields, SW_VALUE_FIELDS, made);
	sw_fields_write(json, sw_step_fields, SW_STEP_FIELDS - (plan->model == SW_MODEL_PAPER), step);
	write_why(json, plan, k);
	write_among[sw_collective_of(step->op)->among](json, plan, k);
	bool ok = write_order(json, plan, k, diag) && write_inside(json, step->inside, diag);
	sw_json_close(json);
	return ok;
}

static bool write_map(sw_json *json, const sw_plan *plan, int k, int64_t *map, sw_diag *diag)
{
	int rank = plan->problem.from.rank;
	if (!sw_plan_map(plan, k, map, diag))
		return false;
	sw_json_open(json, '[', false);
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		sw_json_ints(json, map + d * rank, rank);
	sw_json_close(json);
	return true;
}

static bool write_maps(sw_json *json, const sw_plan *plan, sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	if (devices > SW_MAX_MAP_DEVICES)
		return sw_plan_map(plan, 0, NULL, diag);
	sw_arena *arena = sw_arena_new();
	int64_t *map = arena ? SW_NEW(arena, int64_t, devices * plan->problem.from.rank) : NULL;
	bool done = map || sw_diag_memory(diag);
	sw_json_key(json, "maps");
	sw_json_open(json, '[', true);
	for (int k = 0; done && k <= plan->program.steps; k++)
		done = write_map(json, plan, k, map, diag);
	sw_json_close(json);
	sw_arena_free(arena);
	return done;
}

/* A plan through maps that are no types says nothing without its maps. */
static bool write_needs_maps(const sw_plan *plan, unsigned flags)
{
	if (sw_plan_pieces_of_tile(plan) > 0 || sw_problem_has_words(&plan->problem))
		return false;
	if (flags & SW_JSON_MAPS)
		return true;
	for (int k = 0; k < plan->program.steps; k++)
		if (!plan->program.value[k + 1].type)
			return true;
	return false;
}

static bool write_steps(sw_json *json, const sw_plan *plan, unsigned flags, sw_diag *diag)
{
	sw_json_key(json, "steps");
	sw_json_open(json, '[', true);
	for (int k = 0; k < plan->program.steps; k++)
		if (!write_step(json, plan, k, diag))
			return false;
	sw_json_close(json);
	return !write_needs_maps(plan, flags) || write_maps(json, plan, diag);
}

bool sw_plan_write(const sw_plan *plan, unsigned flags, sw_text *text, sw_diag *diag)
{
	size_t begin = text->length;
	sw_json json;
	sw_json_start(&json, text, flags & SW_JSON_LINE);
	sw_json_open(&json, '{', true);
	write_string(&json, "schema", "shardwalk.plan/2");
	write_string(&json, "name", plan->name);
	sw_json_problem(&json, &plan->problem);
	write_figures(&json, plan);
	write_pieces(&json, plan);
	write_claims(&json, plan);
	write_search(&json, plan);
	if (!(flags & SW_JSON_NO_STEPS))
		write_string(&json, "program", sw_written_by());
	write_units(&json, plan, flags & SW_JSON_NO_STEPS);
	bool done = flags & SW_JSON_NO_STEPS || write_steps(&json, plan, flags, diag);
	sw_json_close(&json);
	sw_text_add_char(text, '\n');
	if (done && !text->failed)
		return true;
	if (text->failed)
		return sw_diag_memory(diag);
	text->length = begin;
	text->data[begin] = '\0';
	return false;
}
