/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about placements: what is read from them, and what several answers write.
 */
#include "command/batch/asked.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/json_read.h>
#include <shardwalk/number.h>

#include "command/placement/reduction.h"

/* ---- reading ---- */

bool asked_refuse(const struct problem_json *asked, const char *key, const char *expected)
{
	sw_diag_set(asked->in.diag, SW_B03, sw_json_locate(asked->line, key),
		"\"%s\" is missing, or not what it should be", key);
	sw_diag_expected(asked->in.diag, "%s", expected);
	return false;
}

/* Whole numbers from `least` on; how many, -1: refused. */
int asked_numbers(const struct problem_json *asked, const char *key, int64_t least, int64_t *number, int room)
{
	json_t *list = json_object_get(asked->json, key);
	int count = (int)json_array_size(list);

	if (!json_is_array(list) || count > room)
		return asked_refuse(asked, key, "a list of whole numbers") ? 0 : -1;
	for (int i = 0; i < count; i++) {
		json_t *one = json_array_get(list, (size_t)i);

		number[i] = json_integer_value(one);
		if (!json_is_integer(one) || number[i] < least)
			return asked_refuse(asked, key, "a list of whole numbers") ? 0 : -1;
	}
	return count;
}

const char *asked_text(const struct problem_json *asked, const char *key, const char *usual)
{
	const char *word = json_string_value(json_object_get(asked->json, key));

	return word != NULL ? word : usual;
}

bool asked_whole(const struct problem_json *asked, json_t *of, const char *key, int64_t usual, int64_t *number)
{
	json_t *value = json_object_get(of, key);

	*number = value != NULL ? json_integer_value(value) : usual;
	return *number >= 1 || asked_refuse(asked, key, "a whole number above 0");
}

/* One of the words, NULL after the last; the first where nothing is said.  -1: refused. */
static int read_choice(const struct problem_json *asked, const char *key, const char *const *words,
	const char *expected)
{
	json_t *value = json_object_get(asked->json, key);
	const char *word = json_string_value(value);

	if (value == NULL)
		return 0;
	for (int i = 0; word != NULL && words[i] != NULL; i++)
		if (strcmp(word, words[i]) == 0)
			return i;
	asked_refuse(asked, key, expected);
	return -1;
}

/* Which ports messages pass: those of the levels where nothing else is said. */
static bool read_topology(const struct problem_json *asked, sw_system *system)
{
	static const char *const words[] = {"tree", "p2-v100", NULL};
	int found = read_choice(asked, "topology", words, "p2-v100, or no topology");

	if (found == 1)
		system->topology = SW_TOPOLOGY_V100;
	return found >= 0;
}

static bool read_ports(const struct problem_json *asked, sw_system *system)
{
	json_t *bandwidth = json_object_get(asked->json, "bandwidth"), *latency = json_object_get(asked->json, "latency");
	json_t *shared = json_object_get(asked->json, "shared");

	if (bandwidth != NULL && (int)json_array_size(bandwidth) != system->count)
		return asked_refuse(asked, "bandwidth", "bytes per second, one for each level");
	for (int j = 0; j < system->count; j++) {
		sw_level *level = &system->level[j];

		level->bandwidth = json_number_value(json_array_get(bandwidth, (size_t)j));
		level->latency = json_number_value(json_array_get(latency, (size_t)j));
		level->shared = json_is_true(json_array_get(shared, (size_t)j));
		if (bandwidth != NULL && !(level->bandwidth > 0))
			return asked_refuse(asked, "bandwidth", "bytes per second above 0");
	}
	return read_topology(asked, system);
}

bool asked_system(const struct problem_json *asked, const char *key, sw_system *system)
{
	int64_t size[SW_MAX_LEVELS];
	int count = asked_numbers(asked, key, 1, size, SW_MAX_LEVELS);

	*system = (sw_system){.count = count, .devices = 1};
	if (count <= 0)
		return count == 0 ? asked_refuse(asked, key, "the sizes of the levels, outermost first") : false;
	for (int j = 0; j < count; j++) {
		snprintf(system->level[j].name, sizeof system->level[j].name, "l%d", j);
		system->level[j].size = size[j];
		if (!sw_mul(system->devices, size[j], &system->devices) || system->devices > SW_MAX_DEVICES)
			return asked_refuse(asked, key, "sizes whose product is at most 2^40");
	}
	return read_ports(asked, system);
}

/* A matrix whose columns multiply to the levels. */
bool asked_matrix(const struct problem_json *asked, const sw_system *system, json_t *matrix, sw_placement *placement)
{
	static const char wanted[] =
		"a row for each axis with a factor for each level; the product of each column is the level";

	*placement = (sw_placement){.axes = (int)json_array_size(matrix), .levels = system->count};
	if (placement->axes < 1 || placement->axes > SW_MAX_PLACED)
		return asked_refuse(asked, "matrix", wanted);
	for (int j = 0; j < system->count; j++) {
		int64_t product = 1;

		for (int i = 0; i < placement->axes; i++) {
			json_t *row = json_array_get(matrix, (size_t)i), *factor = json_array_get(row, (size_t)j);

			placement->factor[i][j] = json_integer_value(factor);
			if ((int)json_array_size(row) != system->count || placement->factor[i][j] < 1 ||
				!sw_mul(product, placement->factor[i][j], &product))
				return asked_refuse(asked, "matrix", wanted);
		}
		if (product != system->level[j].size)
			return asked_refuse(asked, "matrix", wanted);
	}
	return true;
}

bool asked_summed(const struct problem_json *asked, json_t *reduce, int axes, uint32_t *summed)
{
	*summed = 0;
	for (size_t i = 0; i < json_array_size(reduce); i++) {
		json_int_t axis = json_integer_value(json_array_get(reduce, i));

		if (axis < 0 || axis >= axes)
			return asked_refuse(asked, "reduce", "numbers of axes, from 0");
		*summed |= (uint32_t)1 << axis;
	}
	return *summed != 0 || asked_refuse(asked, "reduce", "numbers of axes, from 0");
}

bool asked_from_jax(const struct problem_json *asked, bool *jax)
{
	static const char *const words[] = {"megatron", "jax", NULL};
	int found = read_choice(asked, "from", words, "megatron or jax");

	*jax = found == 1;
	return found >= 0;
}

bool asked_way(const struct problem_json *asked, sw_allreduce_way *way)
{
	static const char *const words[] = {"ring", "tree", NULL};
	int found = read_choice(asked, "algorithm", words, "ring or tree");

	*way = found == 1 ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
	return found >= 0;
}

bool asked_masters(const struct problem_json *asked, bool *all)
{
	static const char *const words[] = {"allreduce", "all", NULL};
	int found = read_choice(asked, "masters", words, "allreduce or all");

	*all = found == 1;
	return found >= 0;
}

const sw_contexts *asked_contexts(const struct problem_json *asked, int factors)
{
	bool all;
	const sw_contexts *contexts = asked_masters(asked, &all) ?
		contexts_for(asked->session, factors, all, asked->in.diag) :
		NULL;

	*asked->incomplete |= contexts != NULL && !sw_contexts_complete(contexts);
	return contexts;
}

bool asked_hierarchy(const struct problem_json *asked, sw_hierarchy_kind *kind)
{
	static const char *const words[] = {"e", "a", "b", "c", "d", NULL};
	static const sw_hierarchy_kind kinds[] = {SW_HIERARCHY_SUMMED_LEVELS, SW_HIERARCHY_LEVELS, SW_HIERARCHY_COLUMNS,
		SW_HIERARCHY_ROWS, SW_HIERARCHY_SUMMED_ROWS};
	int found = read_choice(asked, "hierarchy", words, "a, b, c, d or e");

	*kind = kinds[found < 0 ? 0 : found];
	return found >= 0;
}

int asked_axes(const struct problem_json *asked, int64_t *axis)
{
	int axes = asked_numbers(asked, "axes", 1, axis, SW_MAX_PLACED);

	return axes == 0 ? (asked_refuse(asked, "axes", "sizes of axes") ? 0 : -1) : axes;
}

/* ---- writing ---- */

void asked_program_fields(const sw_plan *program, struct fields *list)
{
	for (int k = 0; k < program->program.steps; k++) {
		sw_text text = {0};

		sw_step_print_plain(&program->program.step[k], &text);
		field_printed(list, NULL, &text);
	}
}
