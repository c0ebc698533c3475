/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about placements: what they ask is in the keys of the line, and the answer has those of its kind.
 *
 *     {"kind": "placements", "system": [2, 16], "axes": [2, 16]}
 *     {"kind": "best", "system": [2, 16], "bandwidth": [8e9, 270e9], "shared": [true, false], "latency": [0, 0],
 *      "matrix": [[2, 4], [1, 4]], "reduce": [0], "payload": 8589934592, "algorithm": "ring"}
 */
#include "command/placement_line.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/json.h>
#include <shardwalk/json_read.h>
#include <shardwalk/number.h>

#include "command/reduction.h"

#define MATRICES_LISTED 40

/* A line that is being answered. */
struct asked {
	struct session *session;
	json_t *line;
	sw_str text;
	sw_arena *arena;
	sw_json *json;
	sw_diag *diag;
};

/* ---- reading ---- */

static bool refuse(const struct asked *asked, const char *key, const char *expected)
{
	sw_diag_set(asked->diag, SW_B03, sw_json_locate(asked->text, key), "\"%s\" is missing, or not what it should be",
		key);
	sw_diag_expected(asked->diag, "%s", expected);
	return false;
}

/* Whole numbers from `least` on; how many, -1: refused. */
static int read_numbers(const struct asked *asked, const char *key, int64_t least, int64_t *number, int room)
{
	json_t *list = json_object_get(asked->line, key);
	int count = (int)json_array_size(list);

	if (!json_is_array(list) || count > room)
		return refuse(asked, key, "a list of whole numbers") ? 0 : -1;
	for (int i = 0; i < count; i++) {
		json_t *one = json_array_get(list, (size_t)i);

		number[i] = json_integer_value(one);
		if (!json_is_integer(one) || number[i] < least)
			return refuse(asked, key, "a list of whole numbers") ? 0 : -1;
	}
	return count;
}

static const char *word_of(const struct asked *asked, const char *key, const char *usual)
{
	const char *word = json_string_value(json_object_get(asked->line, key));

	return word != NULL ? word : usual;
}

static bool read_whole(const struct asked *asked, json_t *of, const char *key, int64_t usual, int64_t *number)
{
	json_t *value = json_object_get(of, key);

	*number = value != NULL ? json_integer_value(value) : usual;
	return *number >= 1 || refuse(asked, key, "a whole number above 0");
}

static bool read_ports(const struct asked *asked, sw_system *system)
{
	json_t *bandwidth = json_object_get(asked->line, "bandwidth"), *latency = json_object_get(asked->line, "latency");
	json_t *shared = json_object_get(asked->line, "shared");

	if (bandwidth != NULL && (int)json_array_size(bandwidth) != system->count)
		return refuse(asked, "bandwidth", "bytes per second, one for each level");
	for (int j = 0; j < system->count; j++) {
		sw_level *level = &system->level[j];

		level->bandwidth = json_number_value(json_array_get(bandwidth, (size_t)j));
		level->latency = json_number_value(json_array_get(latency, (size_t)j));
		level->shared = json_is_true(json_array_get(shared, (size_t)j));
		if (bandwidth != NULL && !(level->bandwidth > 0))
			return refuse(asked, "bandwidth", "bytes per second above 0");
	}
	if (strcmp(word_of(asked, "topology", ""), "p2-v100") == 0)
		system->topology = SW_TOPOLOGY_V100;
	return true;
}

static bool read_system(const struct asked *asked, const char *key, sw_system *system)
{
	int64_t size[SW_MAX_LEVELS];
	int count = read_numbers(asked, key, 1, size, SW_MAX_LEVELS);

	*system = (sw_system){.count = count, .devices = 1};
	if (count <= 0)
		return count == 0 ? refuse(asked, key, "sizes of levels, outermost first") : false;
	for (int j = 0; j < count; j++) {
		snprintf(system->level[j].name, sizeof system->level[j].name, "l%d", j);
		system->level[j].size = size[j];
		if (!sw_mul(system->devices, size[j], &system->devices) || system->devices > SW_MAX_DEVICES)
			return refuse(asked, key, "sizes whose product is at most 2^40");
	}
	return read_ports(asked, system);
}

/* A matrix whose columns multiply to the levels. */
static bool read_matrix(const struct asked *asked, const sw_system *system, json_t *matrix, sw_placement *placement)
{
	static const char wanted[] =
		"a row for each axis with a factor for each level, whose columns multiply to the levels";

	*placement = (sw_placement){.axes = (int)json_array_size(matrix), .levels = system->count};
	if (placement->axes < 1 || placement->axes > SW_MAX_PLACED)
		return refuse(asked, "matrix", wanted);
	for (int j = 0; j < system->count; j++) {
		int64_t product = 1;

		for (int i = 0; i < placement->axes; i++) {
			json_t *row = json_array_get(matrix, (size_t)i), *factor = json_array_get(row, (size_t)j);

			placement->factor[i][j] = json_integer_value(factor);
			if ((int)json_array_size(row) != system->count || placement->factor[i][j] < 1 ||
				!sw_mul(product, placement->factor[i][j], &product))
				return refuse(asked, "matrix", wanted);
		}
		if (product != system->level[j].size)
			return refuse(asked, "matrix", wanted);
	}
	return true;
}

static bool read_summed(const struct asked *asked, json_t *reduce, int axes, uint32_t *summed)
{
	*summed = 0;
	for (size_t i = 0; i < json_array_size(reduce); i++) {
		json_int_t axis = json_integer_value(json_array_get(reduce, i));

		if (axis < 0 || axis >= axes)
			return refuse(asked, "reduce", "numbers of axes, from 0");
		*summed |= (uint32_t)1 << axis;
	}
	return *summed != 0 || refuse(asked, "reduce", "numbers of axes, from 0");
}

static sw_allreduce_way way_asked(const struct asked *asked)
{
	return strcmp(word_of(asked, "algorithm", "ring"), "tree") == 0 ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
}

static bool all_masters_asked(const struct asked *asked)
{
	return strcmp(word_of(asked, "masters", "allreduce"), "all") == 0;
}

/* ---- writing ---- */

static void write_matrix(sw_json *json, const sw_placement *placement)
{
	sw_json_open(json, '[', false);
	for (int i = 0; i < placement->axes; i++)
		sw_json_ints(json, placement->factor[i], placement->levels);
	sw_json_close(json);
}

static void write_parts(sw_json *json, const sw_system *system, const sw_placement *placement)
{
	sw_json_open(json, '[', false);
	for (int i = 0; i < placement->axes; i++) {
		size_t begin = sw_json_text_begin(json);

		sw_placement_print_parts(system, placement, i, json->text);
		sw_json_text_end(json, begin);
	}
	sw_json_close(json);
}

/* `reducescatter parallel 1 in 0`, the numbers and words of the line. */
static void write_step(sw_json *json, const sw_reduction_step *step)
{
	size_t begin = sw_json_text_begin(json);

	sw_reduction_step_print_plain(step, json->text);
	sw_json_text_end(json, begin);
}

static void write_program(sw_json *json, const sw_reduction_program *program)
{
	sw_json_open(json, '[', false);
	for (int k = 0; k < program->count; k++)
		write_step(json, &program->step[k]);
	sw_json_close(json);
}

/* ---- placements ---- */

static int read_axes(const struct asked *asked, int64_t *axis)
{
	int axes = read_numbers(asked, "axes", 1, axis, SW_MAX_PLACED);

	return axes == 0 ? (refuse(asked, "axes", "sizes of axes") ? 0 : -1) : axes;
}

static void write_sample(const struct asked *asked, const sw_system *system, const sw_placement *placement,
	int64_t index)
{
	sw_json *json = asked->json;

	sw_json_key(json, "sample");
	sw_json_open(json, '{', false);
	sw_json_key(json, "index");
	sw_json_int(json, index);
	sw_json_key(json, "coordinates");
	sw_json_open(json, '[', false);
	for (int64_t d = 0; d < system->devices && system->devices <= SW_MAX_MAP_DEVICES; d++) {
		int64_t coordinate[SW_MAX_PLACED];

		for (int i = 0; i < placement->axes; i++)
			coordinate[i] = sw_placement_coordinate(placement, d, i);
		sw_json_ints(json, coordinate, placement->axes);
	}
	sw_json_close(json);
	sw_json_key(json, "parts");
	write_parts(json, system, placement);
	sw_json_close(json);
}

static bool answer_placements(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	int64_t axis[SW_MAX_PLACED], count, number = 0;
	json_t *sample = json_object_get(asked->line, "sample");
	json_int_t index = sample != NULL ? json_integer_value(json_object_get(sample, "index")) : 0;
	int axes;

	if (!read_system(asked, "system", &system) || (axes = read_axes(asked, axis)) < 0)
		return false;
	count = sw_placements_count(&system, axis, axes);
	if (count < 0)
		return sw_diag_memory(asked->diag);
	sw_json_key(asked->json, "count");
	sw_json_int(asked->json, count);
	if (count <= MATRICES_LISTED) {
		sw_json_key(asked->json, "matrices");
		sw_json_open(asked->json, '[', false);
		for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
			 more = sw_placement_next(&system, &placement))
			write_matrix(asked->json, &placement);
		sw_json_close(asked->json);
	}
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more && number <= index;
		 more = sw_placement_next(&system, &placement), number++)
		if (number == index)
			write_sample(asked, &system, &placement, index);
	return true;
}

/* ---- orders ---- */

/* The devices of the mesh, row-major over its axes. */
static void write_devices(sw_json *json, const sw_system *system, const sw_placement *placement)
{
	sw_json_key(json, "devices");
	sw_json_open(json, '[', false);
	for (int64_t slot = 0; slot < system->devices && system->devices <= SW_MAX_MAP_DEVICES; slot++) {
		int64_t coordinate[SW_MAX_PLACED], rest = slot;

		for (int i = placement->axes - 1; i >= 0; i--) {
			int64_t size = 1;

			for (int j = 0; j < placement->levels; j++)
				size *= placement->factor[i][j];
			coordinate[i] = rest % size;
			rest /= size;
		}
		sw_json_int(json, sw_placement_device(placement, coordinate));
	}
	sw_json_close(json);
}

/* 0: a size is below 1, or the product above 2^63 - 1. */
static int64_t product_of(const int64_t *size, int count)
{
	int64_t product = 1;

	for (int i = 0; i < count; i++)
		if (size[i] < 1 || !sw_mul(product, size[i], &product))
			return 0;
	return product;
}

/* *placed: there is such a placement. */
static bool place_megatron(const struct asked *asked, const sw_system *system, sw_placement *placement, bool *placed)
{
	json_t *axes = json_object_get(asked->line, "axes"), *sizes = json_object_get(asked->line, "sizes");
	int64_t size[SW_MAX_PLACED];
	int count = (int)json_array_size(axes), straddles;

	if (count < 1 || count > SW_MAX_PLACED)
		return refuse(asked, "axes", "names of axes, slowest first");
	for (int i = 0; i < count; i++)
		size[i] = json_integer_value(json_object_get(sizes, json_string_value(json_array_get(axes, (size_t)i))));
	if (product_of(size, count) != system->devices)
		return refuse(asked, "sizes", "a size for each axis, which multiply to the devices of the system");
	*placed = sw_placement_row_major(system, size, count, placement, &straddles);
	return true;
}

static bool place_jax(const struct asked *asked, const sw_system *system, sw_placement *placement, bool *placed)
{
	int64_t inner[SW_MAX_PLACED], outer[SW_MAX_PLACED], units = system->level[0].size;
	int count = read_numbers(asked, "mesh_shape", 1, inner, SW_MAX_PLACED), straddles;

	if (count < 0 || read_numbers(asked, "dcn_mesh_shape", 1, outer, SW_MAX_PLACED) != count)
		return refuse(asked, "dcn_mesh_shape", "as many sizes as mesh_shape has");
	if (product_of(outer, count) != units)
		return refuse(asked, "dcn_mesh_shape", "sizes that multiply to the outermost level");
	if (product_of(inner, count) != system->devices / units)
		return refuse(asked, "mesh_shape", "sizes that multiply to the devices of a unit of the outermost level");
	*placed = sw_placement_hybrid(system, outer, inner, count, placement, &straddles);
	return true;
}

static bool answer_order(const struct asked *asked)
{
	bool jax = strcmp(word_of(asked, "from", ""), "jax") == 0, placed;
	sw_system system;
	sw_placement placement;

	if (!read_system(asked, "system", &system) ||
		!(jax ? place_jax(asked, &system, &placement, &placed) : place_megatron(asked, &system, &placement, &placed)))
		return false;
	sw_json_key(asked->json, "matrix");
	if (placed)
		write_matrix(asked->json, &placement);
	else
		sw_json_null(asked->json);
	if (placed)
		write_devices(asked->json, &system, &placement);
	return true;
}

/* ---- groups ---- */

static bool answer_lowering(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);
	sw_reduction_step step;
	uint32_t summed;
	const char *letter = word_of(asked, "hierarchy", "e");
	sw_text text = {0};

	if (hierarchy == NULL)
		return sw_diag_memory(asked->diag);
	if (!read_system(asked, "system", &system) ||
		!read_matrix(asked, &system, json_object_get(asked->line, "matrix"), &placement) ||
		!read_summed(asked, json_object_get(asked->line, "reduce"), placement.axes, &summed))
		return false;
	if (*letter < 'a' || *letter > 'e')
		return refuse(asked, "hierarchy", "a, b, c, d or e");
	sw_hierarchy_make(&placement, (sw_hierarchy_kind)(*letter - 'a'), summed, false, hierarchy);
	sw_text_addf(&text, "allreduce %s", word_of(asked, "instruction", ""));
	bool read = sw_reduction_step_parse(sw_str_of(sw_text_get(&text)), NULL, hierarchy, &step, asked->diag);
	sw_text_free(&text);
	if (!read)
		return false;

	int64_t groups, size, *list = sw_reduction_groups(hierarchy, &step, asked->arena, &groups, &size);
	if (list == NULL)
		return sw_diag_memory(asked->diag);
	sw_json_key(asked->json, "sizes");
	sw_json_open(asked->json, '[', false);
	for (int i = 0; i < hierarchy->count; i++)
		sw_json_int(asked->json, sw_hierarchy_size(hierarchy, i));
	sw_json_close(asked->json);
	sw_json_key(asked->json, "groups");
	sw_json_open(asked->json, '[', false);
	for (int64_t g = 0; g < groups; g++)
		sw_json_ints(asked->json, list + g * size, size);
	sw_json_close(asked->json);
	return true;
}

/* ---- programs ---- */

/* The factors as levels of a system with one axis. */
static bool read_factors(const struct asked *asked, sw_placement *placement, int64_t *devices)
{
	sw_system system;

	if (!read_system(asked, "sizes", &system))
		return false;
	*placement = (sw_placement){.axes = 1, .levels = system.count};
	for (int j = 0; j < system.count; j++)
		placement->factor[0][j] = system.level[j].size;
	*devices = system.devices;
	return true;
}

static void write_states(sw_json *json, const sw_chunks *chunks)
{
	sw_json_key(json, "states");
	sw_json_open(json, '[', false);
	for (int d = 0; d < chunks->devices; d++) {
		sw_json_open(json, '[', false);
		for (int c = 0; c < chunks->devices; c++)
			sw_json_int(json, (int64_t)*sw_chunks_row(chunks, d, c));
		sw_json_close(json);
	}
	sw_json_close(json);
}

/* Runs a step in all its groups, or in none: then the first that refuses is written. */
static bool run_step(const struct asked *asked, const sw_hierarchy *hierarchy, const sw_reduction_step *step,
	int number, sw_chunks *chunks, bool *refused)
{
	size_t words = (size_t)chunks->devices * (size_t)chunks->devices;
	uint64_t *before = SW_NEW(asked->arena, uint64_t, words);
	int64_t groups, size, *list = sw_reduction_groups(hierarchy, step, asked->arena, &groups, &size);

	if (before == NULL || list == NULL)
		return sw_diag_memory(asked->diag);
	memcpy(before, chunks->bits, sizeof *before * words);
	for (int64_t g = 0; g < groups && !*refused; g++) {
		sw_premise premise = sw_chunks_apply(chunks, step->op, list + g * size, size);

		if (premise == SW_PREMISE_HOLDS)
			continue;
		*refused = true;
		memcpy(chunks->bits, before, sizeof *before * words);
		sw_json_key(asked->json, "result");
		sw_json_string(asked->json, sw_premise_name(premise));
		sw_json_key(asked->json, "step");
		sw_json_int(asked->json, number);
		sw_json_key(asked->json, "group");
		sw_json_ints(asked->json, list + g * size, size);
	}
	return true;
}

static bool answer_program(const struct asked *asked)
{
	json_t *steps = json_object_get(asked->line, "steps");
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);
	sw_placement placement;
	sw_chunks chunks;
	int64_t devices;
	bool refused = false;

	if (!read_factors(asked, &placement, &devices))
		return false;
	if (devices > 62)
		return refuse(asked, "sizes", "factors whose product is at most 62: a state is a number of as many bits");
	if (hierarchy == NULL || !sw_chunks_start(&chunks, (int)devices, asked->arena))
		return sw_diag_memory(asked->diag);
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	for (size_t k = 0; k < json_array_size(steps) && !refused; k++) {
		const char *text = json_string_value(json_array_get(steps, k));
		sw_reduction_step step;

		if (text == NULL)
			return refuse(asked, "steps", "a list of steps such as \"allreduce inside 0\"");
		if (!sw_reduction_step_parse(sw_str_of(text), NULL, hierarchy, &step, asked->diag) ||
			!run_step(asked, hierarchy, &step, (int)k + 1, &chunks, &refused))
			return false;
	}
	if (!refused) {
		sw_json_key(asked->json, "result");
		sw_json_string(asked->json, sw_chunks_done(&chunks) ? "done" : "unfinished");
	}
	write_states(asked->json, &chunks);
	return true;
}

/* ---- counts ---- */

/* Counts stay at INT64_MAX once they are there. */
static void add_count(int64_t more, int64_t *count)
{
	if (!sw_add(*count, more, count))
		*count = INT64_MAX;
}

static bool answer_count(const struct asked *asked)
{
	int64_t devices, limit, count = 0;
	sw_placement placement;
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);

	if (hierarchy == NULL)
		return sw_diag_memory(asked->diag);
	if (!read_factors(asked, &placement, &devices) || !read_whole(asked, asked->line, "limit", 5, &limit))
		return false;
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	const sw_contexts *contexts = contexts_for(asked->session, hierarchy->count, all_masters_asked(asked), NULL,
		asked->diag);
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
	const sw_contexts *contexts = contexts_for(asked->session, hierarchy->count, all_masters_asked(asked), NULL,
		asked->diag);
	for (int64_t k = 1; contexts != NULL && k <= sw_smaller(limit, SW_MAX_REDUCTION_STEPS); k++) {
		int64_t programs = sw_contexts_programs(contexts, (int)k);

		if (programs < 0)
			return sw_diag_memory(asked->diag);
		add_count(programs, count);
	}
	return contexts != NULL;
}

static bool answer_total(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	int64_t axis[SW_MAX_PLACED], limit, placements = 0, total = 0;
	uint32_t summed;
	int axes;

	if (!read_system(asked, "system", &system) || (axes = read_axes(asked, axis)) < 0 ||
		!read_summed(asked, json_object_get(asked->line, "reduce"), axes, &summed) ||
		!read_whole(asked, asked->line, "limit", 5, &limit))
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

/* ---- seconds ---- */

static void write_seconds(sw_json *json, const char *key, double seconds)
{
	sw_json_key(json, key);
	sw_json_number(json, seconds);
}

/* The seconds of each step of a program that the line gives. */
static bool write_given(const struct asked *asked, const sw_ports *ports, const sw_contexts *contexts, double bytes,
	json_t *steps)
{
	sw_reduction_program program = {0};

	for (size_t k = 0; k < json_array_size(steps); k++) {
		const char *text = json_string_value(json_array_get(steps, k));

		if (text == NULL || k == SW_MAX_REDUCTION_STEPS)
			return refuse(asked, "some", "lists of steps");
		if (!sw_reduction_step_parse(sw_str_of(text), NULL, &ports->hierarchy, &program.step[program.count++],
				asked->diag))
			return false;
	}
	if (!sw_reduction_price(contexts, ports, bytes, &program))
		return refuse(asked, "some", "programs that make the sum");
	sw_json_open(asked->json, '[', false);
	write_program(asked->json, &program);
	sw_json_open(asked->json, '[', false);
	for (int k = 0; k < program.count; k++)
		sw_json_number(asked->json, program.seconds[k]);
	sw_json_close(asked->json);
	sw_json_close(asked->json);
	return true;
}

static bool write_some(const struct asked *asked, const sw_ports *ports, const sw_contexts *contexts, double bytes)
{
	json_t *some = json_object_get(asked->line, "some");

	if (some == NULL)
		return true;
	sw_json_key(asked->json, "some");
	sw_json_open(asked->json, '[', false);
	for (size_t i = 0; i < json_array_size(some); i++)
		if (!write_given(asked, ports, contexts, bytes, json_array_get(json_array_get(some, i), 0)))
			return false;
	sw_json_close(asked->json);
	return true;
}

static bool answer_best(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	uint32_t summed;
	sw_ports *ports = SW_NEW(asked->arena, sw_ports, 1);
	double bytes = json_number_value(json_object_get(asked->line, "payload"));
	sw_reduction_program best, any;

	if (ports == NULL)
		return sw_diag_memory(asked->diag);
	if (!read_system(asked, "system", &system) ||
		!read_matrix(asked, &system, json_object_get(asked->line, "matrix"), &placement) ||
		!read_summed(asked, json_object_get(asked->line, "reduce"), placement.axes, &summed) ||
		!sw_ports_make(&system, &placement, summed, way_asked(asked), ports, asked->diag))
		return false;
	if (!(bytes > 0))
		return refuse(asked, "payload", "bytes on each device");
	const sw_contexts *contexts = contexts_for(asked->session, ports->hierarchy.count, all_masters_asked(asked), NULL,
		asked->diag);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, ports, bytes, 5, &best) || !sw_reduction_best(contexts, ports, bytes, 0, &any))
		return sw_diag_memory(asked->diag);
	write_seconds(asked->json, "allreduce_s", sw_ports_allreduce(ports, bytes));
	write_seconds(asked->json, "best_s", best.total);
	sw_json_key(asked->json, "best");
	write_program(asked->json, &best);
	write_seconds(asked->json, "any_length_s", any.total);
	if (system.topology == SW_TOPOLOGY_TREE)
		write_seconds(asked->json, "port_bound_s", sw_ports_bound(ports, bytes));
	return write_some(asked, ports, contexts, bytes);
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
		return refuse(asked, "payload", "bytes on each device");
	if (!read_summed(asked, json_object_get(reduction, "reduce"), choice->placement.axes, &summed) ||
		!sw_ports_make(system, &choice->placement, summed, way_asked(asked), ports, asked->diag))
		return false;
	if (ports->hierarchy.count == 0)
		return true;
	const sw_contexts *contexts = contexts_for(asked->session, ports->hierarchy.count, all_masters_asked(asked), NULL,
		asked->diag);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, ports, bytes, (int)sw_smaller(limit, SW_MAX_REDUCTION_STEPS), &best))
		return sw_diag_memory(asked->diag);
	choice->allreduce += sw_ports_allreduce(ports, bytes);
	choice->best += best.total;
	return true;
}

static bool answer_choose(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	json_t *reductions = json_object_get(asked->line, "reductions");
	int64_t axis[SW_MAX_PLACED], limit;
	struct choice *choice = NULL;
	int axes, count = 0, room = 0;

	if (!read_system(asked, "system", &system) || (axes = read_axes(asked, axis)) < 0 ||
		!read_whole(asked, asked->line, "limit", 5, &limit))
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
		write_matrix(asked->json, &choice[i].placement);
		write_seconds(asked->json, "allreduce_s", choice[i].allreduce);
		write_seconds(asked->json, "best_s", choice[i].best);
		sw_json_close(asked->json);
	}
	sw_json_close(asked->json);
	return true;
}

/* ---- what hierarchies can say ---- */

static bool answer_expressive(const struct asked *asked)
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

	if (!read_system(asked, "system", &system) ||
		!read_matrix(asked, &system, json_object_get(asked->line, "matrix"), &placement) ||
		!read_summed(asked, json_object_get(asked->line, "reduce"), placement.axes, &summed) ||
		!read_whole(asked, asked->line, "limit", 4, &limit) ||
		!sw_expressive_compare(&placement, summed, all_masters_asked(asked), (int)sw_smaller(limit, 99), asked->arena,
			&expressive, asked->diag))
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

/* ---- lines ---- */

static const struct {
	const char *kind;
	bool (*answer)(const struct asked *asked);
} kinds[] = {{"placements", answer_placements}, {"order", answer_order}, {"lowering", answer_lowering},
	{"program", answer_program}, {"count", answer_count}, {"total", answer_total}, {"best", answer_best},
	{"choose", answer_choose}, {"expressive", answer_expressive}};

static int kind_of(json_t *line)
{
	const char *kind = json_string_value(json_object_get(line, "kind"));

	for (size_t i = 0; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kind, kinds[i].kind) == 0)
			return (int)i;
	return -1;
}

bool placement_line_asked(json_t *line)
{
	return kind_of(line) >= 0 && (json_object_get(line, "system") != NULL || json_object_get(line, "sizes") != NULL);
}

bool placement_line(struct session *session, json_t *line, sw_str text, sw_arena *arena, sw_text *out, sw_diag *diag)
{
	sw_json json;
	struct asked asked = {session, line, text, arena, &json, diag};
	const char *name = json_string_value(json_object_get(line, "name"));
	int kind = kind_of(line);

	sw_json_start(&json, out, true);
	sw_json_open(&json, '{', false);
	sw_json_key(&json, "schema");
	sw_json_string(&json, "shardwalk.placement/1");
	if (name != NULL) {
		sw_json_key(&json, "name");
		sw_json_string(&json, name);
	}
	sw_json_key(&json, "kind");
	sw_json_string(&json, kinds[kind].kind);
	if (!kinds[kind].answer(&asked)) {
		sw_text_clear(out);
		return false;
	}
	sw_json_close(&json);
	sw_text_add_char(out, '\n');
	return true;
}
