/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare FILE: seconds that others measured for sums over axes of placements, beside those of the model `ports`.
 *
 *     {"system": [4, 16], "hardware": "A100", "axes": [4, 16], "matrix": [[4, 1], [1, 16]], "reduce": [0],
 *      "algorithm": "tree", "allreduce_s": 89.7, "optimal_s": 56.13, "speedup": 1.6}
 *
 * In place of `hardware` a line may have the levels' `bandwidth`, `shared` and `latency`; `payload` is bytes on each device, without
 * it 2^31 floats.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "command/placement/algorithms.h"
#include "command/placement/reduction.h"
#include "host/file.h"
#include "session/sample.h"
#include "views/draw.h"

#define USUAL_PAYLOAD 8589934592.0
#define FAR 1.5 /* times, where measured and predicted disagree */

/* A cell of the table that was measured. */
struct measured {
	const char *name, *hardware, *algorithm, *placement;
	uint64_t reduction; /* the same for all placements of one reduction */
	bool outer;         /* the outermost level is crossed */
	double allreduce, optimal, speedup, said_allreduce, said_optimal;
};

struct table_of_times {
	int count, room;
	struct measured *cell;
};

/* ---- a line ---- */

static double number_of(json_t *line, const char *key, double otherwise)
{
	json_t *value = json_object_get(line, key);

	return json_is_number(value) ? json_number_value(value) : otherwise;
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

static bool has_levels(json_t *line, sw_system *system)
{
	json_t *bandwidth = json_object_get(line, "bandwidth"), *shared = json_object_get(line, "shared");
	json_t *latency = json_object_get(line, "latency");

	for (int j = 0; j < system->count; j++) {
		sw_level *level = &system->level[j];

		snprintf(level->name, sizeof level->name, "l%d", j);
		level->bandwidth = json_number_value(json_array_get(bandwidth, (size_t)j));
		level->latency = json_number_value(json_array_get(latency, (size_t)j));
		level->shared = json_is_true(json_array_get(shared, (size_t)j));
		system->devices *= level->size;
	}
	return json_array_size(bandwidth) == (size_t)system->count;
}

static bool read_system(json_t *line, sw_system *system)
{
	const char *hardware = json_string_value(json_object_get(line, "hardware"));
	int64_t size[SW_MAX_LEVELS];
	int count;

	if (!sizes_of_line(json_object_get(line, "system"), SW_MAX_LEVELS, size, &count))
		return false;
	if (hardware != NULL && (strcmp(hardware, "A100") == 0 || strcmp(hardware, "V100") == 0))
		return sw_system_named(sw_str_of(hardware[0] == 'A' ? "p2-a100" : "p2-v100"), size[0], system) &&
			count == system->count && size[1] == system->level[1].size;
	*system = (sw_system){.count = count, .devices = 1};
	for (int j = 0; j < count; j++)
		system->level[j].size = size[j];
	return has_levels(line, system);
}

static bool read_placement(json_t *line, const sw_system *system, sw_placement *placement)
{
	json_t *matrix = json_object_get(line, "matrix");

	*placement = (sw_placement){.axes = (int)json_array_size(matrix), .levels = system->count};
	if (placement->axes < 1 || placement->axes > SW_MAX_PLACED)
		return false;
	for (int j = 0; j < system->count; j++) {
		int64_t product = 1;

		for (int i = 0; i < placement->axes; i++) {
			json_t *factor = json_array_get(json_array_get(matrix, (size_t)i), (size_t)j);

			placement->factor[i][j] = json_integer_value(factor);
			if (placement->factor[i][j] < 1 || !sw_mul(product, placement->factor[i][j], &product))
				return false;
		}
		if (product != system->level[j].size)
			return false;
	}
	return true;
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

static bool predict(struct invocation *run, json_t *line, struct measured *cell, sw_diag *diag)
{
	sw_allreduce_way way = strcmp(cell->algorithm, "tree") == 0 ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
	double bytes = number_of(line, "payload", USUAL_PAYLOAD);
	uint32_t summed = read_reduce(line);
	sw_reduction_program best;
	sw_placement placement;
	sw_system system;
	sw_ports ports;

	if (!read_system(line, &system) || !read_placement(line, &system, &placement) || summed >> placement.axes != 0 ||
		summed == 0)
		return sw_diag_set(diag, SW_B04, (sw_span){0, 0}, "system, matrix and reduce of '%.40s' do not fit",
			cell->name);
	if (!sw_ports_make(&system, &placement, summed, way, &ports, diag))
		return false;
	sw_text matrix = {0};
	sw_placement_print(&placement, &matrix);
	cell->placement = sw_arena_copy(run->arena, sw_text_get(&matrix), matrix.length);
	sw_text_free(&matrix);
	if (cell->placement == NULL)
		return sw_diag_memory(diag);
	for (int i = 0; i < placement.axes; i++)
		cell->outer = cell->outer || ((summed >> i & 1) && placement.factor[i][0] > 1);
	cell->said_allreduce = sw_ports_allreduce(&ports, bytes);
	cell->said_optimal = cell->said_allreduce;
	if (ports.hierarchy.count == 0)
		return true;
	const sw_contexts *contexts = contexts_asked(run->session, ports.hierarchy.count, diag);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, &ports, bytes, 5, &best))
		return sw_diag_memory(diag);
	cell->said_optimal = best.total;
	return true;
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
		.reduction = reduction_of(line),
		.allreduce = number_of(line, "allreduce_s", 0),
		.optimal = number_of(line, "optimal_s", 0)};
	cell->speedup = number_of(line, "speedup", cell->optimal > 0 ? cell->allreduce / cell->optimal : 1);
	if (!(cell->allreduce > 0 && cell->optimal > 0))
		return sw_diag_set(diag, SW_B04, (sw_span){0, 0}, "'%.40s' lacks allreduce_s or optimal_s, in seconds",
			cell->name);
	return predict(run, line, cell, diag);
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

bool measured_are_in(const struct invocation *run, const struct word *file, sw_text *text)
{
	sw_str rest, line;

	if (sw_str_is(file->text, "-") || !file_read_text(file_beside(run, file), text, NULL, NULL))
		return false;
	rest = (sw_str){sw_text_get(text), text->length};
	while (next_line(&rest, &line) && line.length == 0)
		;
	json_t *first = json_loadb(line.at, line.length, 0, NULL);
	bool are = json_object_get(first, "allreduce_s") != NULL && json_object_get(first, "optimal_s") != NULL;
	json_decref(first);
	return are;
}

/* ---- what the cells say ---- */

static double correlation(const struct table_of_times *cells, const char *hardware, bool optimal, sw_arena *arena)
{
	double *measured = SW_NEW(arena, double, cells->count), *said = SW_NEW(arena, double, cells->count);
	int count = 0;

	for (int i = 0; i < cells->count && measured != NULL && said != NULL; i++) {
		const struct measured *cell = &cells->cell[i];

		if (hardware != NULL && strcmp(cell->hardware, hardware) != 0)
			continue;
		measured[count] = optimal ? cell->optimal : cell->allreduce;
		said[count++] = optimal ? cell->said_optimal : cell->said_allreduce;
	}
	return count > 1 ? sample_rank_correlation(measured, said, count) : NAN;
}

static double times_off(const struct measured *cell)
{
	double a = cell->allreduce / cell->said_allreduce, b = cell->optimal / cell->said_optimal;

	a = fmax(a, 1 / a);
	b = fmax(b, 1 / b);
	return fmax(a, b);
}

static int farthest_first(const void *a, const void *b)
{
	double x = times_off(a), y = times_off(b);

	return (x < y) - (x > y);
}

struct summary {
	int faster, across, disagree;
	double mean, mean_across, largest;        /* of speed-ups above 1 */
	const struct measured *slowest, *fastest; /* of the reduction whose placements differ most */
};

static struct summary summary_of(const struct table_of_times *cells)
{
	struct summary s = {.largest = 1};

	for (int i = 0; i < cells->count; i++) {
		const struct measured *cell = &cells->cell[i];

		s.disagree += times_off(cell) > FAR;
		s.largest = fmax(s.largest, cell->speedup);
		if (cell->speedup > 1) {
			s.faster++;
			s.mean += cell->speedup;
			s.across += cell->outer;
			s.mean_across += cell->outer ? cell->speedup : 0;
		}
		for (int k = 0; k < cells->count; k++)
			if (cells->cell[k].reduction == cell->reduction &&
				(s.slowest == NULL ||
					cell->allreduce / cells->cell[k].allreduce > s.slowest->allreduce / s.fastest->allreduce)) {
				s.slowest = cell;
				s.fastest = &cells->cell[k];
			}
	}
	s.mean /= s.faster > 0 ? s.faster : 1;
	s.mean_across /= s.across > 0 ? s.across : 1;
	return s;
}

/* ---- the answer ---- */

/* Calls with the name of each hardware once, in the order in which they come. */
static const char *hardware_after(const struct table_of_times *cells, int *at)
{
	for (; *at < cells->count; (*at)++) {
		bool seen = false;

		for (int k = 0; k < *at; k++)
			seen = seen || strcmp(cells->cell[k].hardware, cells->cell[*at].hardware) == 0;
		if (!seen)
			return cells->cell[(*at)++].hardware;
	}
	return NULL;
}

static int count_of(const struct table_of_times *cells, const char *hardware)
{
	int count = 0;

	for (int i = 0; i < cells->count; i++)
		count += strcmp(cells->cell[i].hardware, hardware) == 0;
	return count;
}

static void say_correlations(const struct invocation *run, const struct table_of_times *cells)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_RIGHT("cells", ROLE_NUMBER),
		COLUMN_RIGHT("one allreduce", ROLE_NUMBER), COLUMN_RIGHT("best program", ROLE_NUMBER), {0}};
	struct table *table;
	const char *hardware;
	int at = 0;

	document_line(run->answer, "rank correlation of measured and predicted seconds");
	table = document_table(run->answer, columns);
	while ((hardware = hardware_after(cells, &at)) != NULL) {
		table_add(table, "%s", hardware[0] != '\0' ? hardware : "-");
		table_add(table, "%d", count_of(cells, hardware));
		table_add(table, "%.2f", correlation(cells, hardware, false, run->arena));
		table_add(table, "%.2f", correlation(cells, hardware, true, run->arena));
	}
	table_add(table, "all");
	table_add(table, "%d", cells->count);
	table_add(table, "%.2f", correlation(cells, NULL, false, run->arena));
	table_add(table, "%.2f", correlation(cells, NULL, true, run->arena));
}

static void say_summary(const struct invocation *run, const struct table_of_times *cells, const struct summary *s)
{
	document_line(run->answer, "measured  %d cells; a program is faster than one allreduce in %d", cells->count,
		s->faster);
	document_line(run->answer, "  mean speed-up %.3f; of the %d across the outermost level %.3f; largest %.3g",
		s->mean, s->across, s->mean_across, s->largest);
	if (s->slowest != NULL && s->slowest != s->fastest)
		document_line(run->answer, "  one allreduce: %.2f s on %s, %.2f s on %s: %.4g times", s->slowest->allreduce,
			s->slowest->placement, s->fastest->allreduce, s->fastest->placement,
			s->slowest->allreduce / s->fastest->allreduce);
}

static void say_cells(const struct invocation *run, const struct table_of_times *cells, int rows)
{
	static const struct column columns[] = {COLUMN_LEFT("cell", ROLE_LABEL),
		{.head = "hardware", .role = ROLE_DIM, .drops = 1}, {.head = "placement", .role = ROLE_TEXT, .gives = 18},
		COLUMN_LEFT("runs as", ROLE_DIM), COLUMN_RIGHT("allreduce", ROLE_NUMBER),
		COLUMN_RIGHT("predicted", ROLE_NUMBER), COLUMN_RIGHT("best", ROLE_NUMBER),
		COLUMN_RIGHT("predicted", ROLE_NUMBER), {0}};
	struct table *table = document_table(run->answer, columns);

	for (int i = 0; i < rows; i++) {
		const struct measured *cell = &cells->cell[i];

		table_add(table, "%s", cell->name);
		table_add(table, "%s", cell->hardware);
		table_add(table, "%s", cell->placement);
		table_add(table, "%s", cell->algorithm);
		table_add(table, "%.2f s", cell->allreduce);
		table_add(table, "%s", words_seconds(cell->said_allreduce).text);
		table_add(table, "%.2f s", cell->optimal);
		table_add(table, "%s", words_seconds(cell->said_optimal).text);
	}
}

static void add_cell_fields(struct fields *in, const struct measured *cell)
{
	field_text(in, "name", cell->name);
	field_number(in, "allreduce_s", cell->allreduce);
	field_number(in, "predicted_allreduce_s", cell->said_allreduce);
	field_number(in, "optimal_s", cell->optimal);
	field_number(in, "predicted_optimal_s", cell->said_optimal);
	field_bool(in, "disagrees", times_off(cell) > FAR);
}

static void add_measured_fields(const struct invocation *run, const struct table_of_times *cells,
	const struct summary *s)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.compare-measured/1"), *list;
	const char *hardware;
	int at = 0;

	field_int(fields, "cells", cells->count);
	field_int(fields, "faster", s->faster);
	field_number(fields, "mean_speedup", s->mean);
	field_int(fields, "across", s->across);
	field_number(fields, "mean_speedup_across", s->mean_across);
	field_number(fields, "largest_speedup", s->largest);
	if (s->slowest != NULL)
		field_number(fields, "largest_ratio_of_placements", s->slowest->allreduce / s->fastest->allreduce);
	field_int(fields, "disagree", s->disagree);
	list = field_list(fields, "correlations");
	while ((hardware = hardware_after(cells, &at)) != NULL) {
		struct fields *row = field_object(list, NULL);

		field_text(row, "hardware", hardware);
		field_int(row, "cells", count_of(cells, hardware));
		field_number(row, "allreduce", correlation(cells, hardware, false, run->arena));
		field_number(row, "optimal", correlation(cells, hardware, true, run->arena));
	}
	list = field_list(fields, "rows");
	for (int i = 0; i < cells->count; i++)
		add_cell_fields(field_object(list, NULL), &cells->cell[i]);
}

static bool read_cells(struct invocation *run, const struct word *file, const sw_text *text,
	struct table_of_times *cells, sw_diag *diag)
{
	sw_str rest = {sw_text_get(text), text->length}, line;

	for (int number = 1; next_line(&rest, &line); number++) {
		if (line.length == 0)
			continue;
		json_t *json = json_loadb(line.at, line.length, 0, NULL);
		bool added = json_is_object(json) ? add_line(run, json, cells, diag) :
											sw_diag_set(diag, SW_B04, (sw_span){0, 0}, "this is no JSON object");

		json_decref(json);
		if (added)
			continue;
		sw_diag_hint(diag, "line %d of '%.80s'", number, file_name(run, file));
		return false;
	}
	return true;
}

bool compare_measured(struct invocation *run, const struct word *file, const sw_text *text, sw_diag *diag)
{
	struct table_of_times cells = {0};
	struct summary s;
	int64_t shown;

	if (!read_cells(run, file, text, &cells, diag))
		return false;
	s = summary_of(&cells);
	if (wants_json(run)) {
		add_measured_fields(run, &cells, &s);
		return true;
	}
	if (!rows_to_show(run, cells.count, 10, &shown, diag))
		return false;
	say_summary(run, &cells, &s);
	say_correlations(run, &cells);
	qsort(cells.cell, (size_t)cells.count, sizeof *cells.cell, farthest_first);
	document_line(run->answer, "%d of %d disagree, more than %.2g times apart; the farthest:", s.disagree,
		cells.count, FAR);
	say_cells(run, &cells, (int)shown);
	document_line(run->answer, "the ports were chosen with these seconds in view: it is a fit, no prediction");
	return true;
}
