/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of seconds that others measured for sums over axes of placements:
 *
 *     {"name": "pub-0049", "hardware": "A100", "system": [4, 16], "axes": [4, 16], "matrix": [[4, 1], [1, 16]], "reduce": [0],
 *      "algorithm": "tree", "allreduce_s": 89.7, "optimal_s": 56.13, "speedup": 1.6, "faster": 10, "programs": 53,
 *      "synthesis_s": 0.043}
 *
 * In place of `hardware` a line may have the levels' `bandwidth`, `shared` and `latency`; `payload` is bytes on each device, without
 * it 2^31 floats.  `faster` of `programs` are those of all placements of the sum together.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <shardwalk/number.h>

#include "command/batch/asked.h"
#include "command/placement/algorithms.h"
#include "command/placement/measured.h"
#include "command/placement/reduction.h"
#include "host/file.h"

#define USUAL_PAYLOAD 8589934592.0
#define LONGEST 5 /* steps of the programs that are counted */
#define MOST_PROGRAMS 1e12
#define CONTRADICTION 1.5 /* times, between a speed-up and the times it is of */

double predicted_speedup(const struct predicted *predicted)
{
	return predicted->optimal > 0 ? predicted->allreduce / predicted->optimal : 1;
}

/* ---- a line ---- */

static double number_of(json_t *line, const char *key, double otherwise)
{
	json_t *value = json_object_get(line, key);

	return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* -1: the line does not say it, or more than there can be. */
static int64_t count_of(json_t *line, const char *key)
{
	double number = number_of(line, key, -1);

	return number >= 0 && number <= MOST_PROGRAMS ? (int64_t)number : -1;
}

static const char *text_of(json_t *line, const char *key, sw_arena *arena)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text != NULL ? sw_arena_copy(arena, text, strlen(text)) : "";
}

static bool sizes_of_line(json_t *list, int most, int64_t *size, int *count)
{
	*count = (int)json_array_size(list);
	for (int i = 0; i < *count && i < most; i++) {
		size[i] = json_integer_value(json_array_get(list, (size_t)i));
		if (size[i] < 1)
			return false;
	}
	return *count > 0 && *count <= most;
}

/* The system of measured hardware; NULL: the line says its levels itself. */
static const char *system_of_hardware(json_t *line)
{
	const char *hardware = json_string_value(json_object_get(line, "hardware"));

	if (hardware == NULL || (strcmp(hardware, "A100") != 0 && strcmp(hardware, "V100") != 0))
		return NULL;
	return hardware[0] == 'A' ? "p2-a100" : "p2-v100";
}

static bool read_system(json_t *line, sw_system *system, sw_diag *diag)
{
	const char *named = system_of_hardware(line);
	int64_t size[SW_MAX_LEVELS];
	int count;

	if (!sizes_of_line(json_object_get(line, "system"), SW_MAX_LEVELS, size, &count))
		return false;
	if (named != NULL)
		return sw_system_named(sw_str_of(named), size[0], system) && count == system->count &&
			size[1] == system->level[1].size;
	return asked_system(&(struct problem_json){.json = line, .in.diag = diag}, "system", system) &&
		json_array_size(json_object_get(line, "bandwidth")) == (size_t)count;
}

static bool read_placement(json_t *line, const sw_system *system, sw_placement *placement, sw_diag *diag)
{
	return asked_matrix(&(struct problem_json){.json = line, .in.diag = diag}, system,
		json_object_get(line, "matrix"), placement);
}

static uint32_t read_reduce(json_t *line)
{
	json_t *list = json_object_get(line, "reduce"), *axis;
	uint32_t axes = 0;
	size_t i;

	json_array_foreach(list, i, axis)
	{
		if (json_is_integer(axis) && json_integer_value(axis) >= 0 && json_integer_value(axis) < SW_MAX_PLACED)
			axes |= (uint32_t)1 << json_integer_value(axis);
	}
	return axes;
}

/* Which reduction a line is about, whatever its placement: a number made of its values. */
static uint64_t reduction_of(json_t *line)
{
	static const char *const keys[] = {"system", "hardware", "axes", "reduce", "algorithm"};
	uint64_t hash = 14695981039346656037u;

	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		char *text = json_dumps(json_object_get(line, keys[k]), JSON_ENCODE_ANY | JSON_COMPACT);

		for (const char *at = text; at != NULL && *at != '\0'; at++)
			hash = (hash ^ (unsigned char)*at) * 1099511628211u;
		free(text);
	}
	return hash;
}

/* What is summed where. */
struct cell_sum {
	sw_system system;
	sw_placement placement;
	uint32_t axes;
	sw_allreduce_way way;
	double bytes;
};

/* How many programs there are, and take less time than one all-reduce. */
static bool count_programs(const sw_contexts *contexts, const sw_ports *ports, double bytes, struct predicted *out,
	sw_diag *diag)
{
	const sw_reduction_bounds bounds = {.limit = LONGEST};
	sw_reduction_listed listed;
	sw_arena *arena = sw_arena_new();
	bool ok = arena != NULL ? sw_reduction_list(contexts, ports, bytes, &bounds, arena, &listed, diag) :
							  sw_diag_memory(diag);

	if (ok && listed.count > 0) {
		out->programs = listed.count;
		out->optimal = listed.path[0].seconds;
		while (out->faster < listed.count && listed.path[out->faster].seconds < out->allreduce * (1 - 1e-9))
			out->faster++;
	}
	sw_arena_free(arena);
	return ok;
}

static bool predict(struct invocation *run, const struct cell_sum *sum, struct predicted *out, sw_diag *diag)
{
	sw_ports ports;

	if (!sw_ports_make(&sum->system, &sum->placement, sum->axes, sum->way, &ports, diag))
		return false;
	*out = (struct predicted){.there = true, .allreduce = sw_ports_allreduce(&ports, sum->bytes)};
	out->optimal = out->allreduce;
	if (ports.hierarchy.count == 0)
		return true;
	const sw_contexts *contexts = contexts_asked(run->session, ports.hierarchy.count, diag);
	return contexts != NULL && count_programs(contexts, &ports, sum->bytes, out, diag);
}

/* "A100 2x16 [8 4] 0" */
static const char *name_of_sum(const struct cell_sum *sum, const char *hardware, sw_arena *arena)
{
	const sw_placement *placement = &sum->placement;
	sw_text text = {0};

	sw_text_add(&text, hardware);
	for (int j = 0; j < sum->system.count; j++)
		sw_text_addf(&text, "%s%lld", j > 0 ? "x" : text.length > 0 ? " " : "", (long long)sum->system.level[j].size);
	for (int i = 0; i < placement->axes; i++) {
		int64_t size = 1;

		for (int j = 0; j < placement->levels; j++)
			size *= placement->factor[i][j];
		sw_text_addf(&text, "%s%lld", i > 0 ? " " : " [", (long long)size);
	}
	sw_text_add_char(&text, ']');
	for (int i = 0, listed = 0; i < placement->axes; i++)
		if (sum->axes >> i & 1)
			sw_text_addf(&text, "%s%d", listed++ ? "," : " ", i);
	return sw_text_keep(&text, arena);
}

static bool name_cell(const struct cell_sum *sum, struct measured *cell, sw_arena *arena)
{
	const sw_placement *placement = &sum->placement;
	sw_text matrix = {0};

	sw_placement_print(placement, &matrix);
	cell->placement = sw_text_keep(&matrix, arena);
	cell->sum = name_of_sum(sum, cell->hardware, arena);
	for (int i = 0; i < placement->axes; i++)
		cell->outer = cell->outer || ((sum->axes >> i & 1) && placement->factor[i][0] > 1);
	return cell->placement != NULL && cell->sum != NULL;
}

static bool predict_cell(struct invocation *run, json_t *line, struct measured *cell, sw_diag *diag)
{
	const char *named = system_of_hardware(line);
	struct cell_sum sum = {.axes = read_reduce(line),
		.way = strcmp(cell->algorithm, "tree") == 0 ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING,
		.bytes = number_of(line, "payload", USUAL_PAYLOAD)};

	if (!read_system(line, &sum.system, diag) || !read_placement(line, &sum.system, &sum.placement, diag) ||
		sum.axes >> sum.placement.axes != 0 || sum.axes == 0)
		return sw_diag_set(diag, SW_B04, (sw_span){0, 0}, "system, matrix and reduce of '%.40s' do not fit",
			cell->name);
	if (!name_cell(&sum, cell, run->arena))
		return sw_diag_memory(diag);
	if (!predict(run, &sum, &cell->by[BY_PORTS], diag))
		return false;
	const char *fitted = named != NULL ? sw_system_fitted(sw_str_of(named)) : NULL;
	return fitted == NULL || !sw_system_named(sw_str_of(fitted), sum.system.level[0].size, &sum.system) ||
		predict(run, &sum, &cell->by[BY_FIT], diag);
}

/* The digits at the end of a name. */
static int number_in(const char *name)
{
	const char *end = name + strlen(name), *at = end;

	while (at > name && isdigit((unsigned char)at[-1]))
		at--;
	return at < end && end - at < 9 ? atoi(at) : -1;
}

static bool add_line(struct invocation *run, json_t *line, struct table_of_times *cells, sw_diag *diag)
{
	struct measured *cell;

	if (!SW_GROW(run->arena, cells->cell, cells->count, cells->room, 64))
		return sw_diag_memory(diag);
	cell = &cells->cell[cells->count++];
	*cell = (struct measured){.name = text_of(line, "name", run->arena),
		.hardware = text_of(line, "hardware", run->arena),
		.algorithm = text_of(line, "algorithm", run->arena),
		.note = text_of(line, "note", run->arena),
		.reduction = reduction_of(line),
		.allreduce = number_of(line, "allreduce_s", 0),
		.optimal = number_of(line, "optimal_s", 0),
		.synthesis = number_of(line, "synthesis_s", 0),
		.programs = count_of(line, "programs"),
		.faster = count_of(line, "faster")};
	cell->number = number_in(cell->name);
	if (json_object_get(line, "source") != NULL && cells->source == NULL)
		cells->source = text_of(line, "source", run->arena);
	if (!(cell->allreduce > 0 && cell->optimal > 0))
		return sw_diag_set(diag, SW_B04, (sw_span){0, 0}, "'%.40s' lacks allreduce_s or optimal_s, in seconds",
			cell->name);
	double ratio = cell->allreduce / cell->optimal;
	cell->speedup = number_of(line, "speedup", ratio);
	cell->misprint = cell->speedup > ratio * CONTRADICTION || cell->speedup * CONTRADICTION < ratio;
	return predict_cell(run, line, cell, diag);
}

static bool next_line(sw_str *rest, sw_str *line)
{
	const char *end = rest->length > 0 ? memchr(rest->at, '\n', rest->length) : NULL;
	size_t length = end != NULL ? (size_t)(end - rest->at) : rest->length;

	if (rest->length == 0)
		return false;
	*line = sw_str_trim((sw_str){rest->at, length});
	*rest = sw_str_behind(*rest, end != NULL ? length + 1 : length);
	return true;
}

bool measured_begin(sw_str lines)
{
	sw_str line;

	while (next_line(&lines, &line) && line.length == 0)
		;
	json_t *first = json_loadb(line.at, line.length, 0, NULL);
	bool begin = json_object_get(first, "allreduce_s") != NULL && json_object_get(first, "optimal_s") != NULL;
	json_decref(first);
	return begin;
}

bool measured_read(struct invocation *run, const char *name, sw_str lines, struct table_of_times *cells,
	sw_diag *diag)
{
	sw_str line;

	for (int number = 1; next_line(&lines, &line); number++) {
		if (line.length == 0)
			continue;
		json_t *json = json_loadb(line.at, line.length, 0, NULL);
		bool added = json_is_object(json) ? add_line(run, json, cells, diag) :
											sw_diag_set(diag, SW_B04, (sw_span){0, 0},
												"this is not a JSON "
												"object");

		json_decref(json);
		if (added)
			continue;
		sw_diag_hint(diag, "line %d of '%.80s'", number, name);
		return false;
	}
	return true;
}
