/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On which machines algorithms run: what fits, and the nearest where none does.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/choice.h>
#include <shardwalk/number.h>

#include "schedule/algorithm.h"

/* ---- whole roots ---- */

static int64_t root_of(int64_t n, int power)
{
	int64_t low = 1, high = (int64_t)1 << 21;

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2, product = middle * middle;

		if (power == 3)
			product = product > n ? product : product * middle;
		if (product <= n)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool is_layered(int64_t side, int64_t layers)
{
	return side % layers == 0;
}

/* ---- what fits ---- */

static bool fits_any(const int64_t *extent)
{
	return extent[0] >= 1;
}

static bool fits_cube(const int64_t *extent)
{
	return extent[0] == extent[1] && extent[1] == extent[2];
}

static bool fits_layers(const int64_t *extent)
{
	return extent[0] == extent[1] && is_layered(extent[0], extent[2]);
}

/* ---- what is nearest; false: there is none for so many processors ---- */

typedef bool (
	*nearest)(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, sw_scheme *scheme);

static bool nearest_line(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme)
{
	(void)algorithm;
	scheme->extent[0] = question->processors;
	return true;
}

static bool nearest_grid(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme)
{
	int64_t rows = root_of(question->processors, 2);

	(void)algorithm;
	while (question->processors % rows != 0)
		rows--;
	scheme->extent[0] = rows;
	scheme->extent[1] = question->processors / rows;
	return true;
}

static bool nearest_cube(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme)
{
	int64_t side = root_of(question->processors, 3);

	(void)algorithm;
	for (int axis = 0; axis < 3; axis++)
		scheme->extent[axis] = side;
	return side > 1;
}

static bool layers_of(int64_t processors, int64_t *extent)
{
	for (int64_t layers = root_of(processors, 3); layers >= 2; layers--) {
		int64_t side = root_of(processors / layers, 2);

		if (side * side * layers == processors && is_layered(side, layers)) {
			memcpy(extent, (int64_t[]){side, side, layers}, 3 * sizeof *extent);
			return true;
		}
	}
	return false;
}

static bool nearest_layers(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme)
{
	(void)algorithm;
	return layers_of(question->processors, scheme->extent);
}

static bool nearest_cuboid(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme)
{
	bool matrices = strcmp(algorithm->letters, "ijk") == 0;
	sw_grid_choice choice;
	sw_scheme grid;
	int64_t smallest;

	if (matrices)
		sw_matrices_scheme(question->size[0], question->size[1], question->size[2], &grid);
	else
		sw_schedule_algorithm_scheme(algorithm, question->size, &grid);
	if (sw_grid_choose(&(sw_grid_question){.scheme = &grid,
						   .processors = question->processors,
						   .memory = SW_NO_BOUND},
			&choice, 1, &smallest, NULL) == 0)
		return false;
	memcpy(scheme->extent, choice.scheme.extent, sizeof scheme->extent);
	return true;
}

static bool nearest_none(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme)
{
	(void)algorithm, (void)question, (void)scheme;
	return false;
}

/* ---- shapes ---- */

static const struct shape {
	int axes, outer; /* all of them, and those of the first level */
	const char *called;
	bool (*fits)(const int64_t *extent);
	nearest nearest;
	const char *next; /* which machine would do */
} shapes[SW_SHAPE_COUNT] = {
	[SW_SHAPE_LINE] = {1, 1, "a line", fits_any, nearest_line, ""},
	[SW_SHAPE_GRID] = {2, 2, "a grid", fits_any, nearest_grid, ""},
	[SW_SHAPE_CUBE] = {3, 3, "a cube", fits_cube, nearest_cube, "the smallest cube has 8 devices, 2 x 2 x 2"},
	[SW_SHAPE_LAYERS] = {3, 3, "square layers whose number divides their side", fits_layers, nearest_layers,
		"as 2 x 2 x 2, 4 x 4 x 2 or 4 x 4 x 4"},
	[SW_SHAPE_CUBOID] = {3, 3, "a block", fits_any, nearest_cuboid, ""},
	[SW_SHAPE_NODES] = {2, 1, "a line of lines", fits_any, nearest_none, "as {n: 4; g: 3}"},
	[SW_SHAPE_NODE_GRIDS] = {4, 2, "a grid of grids", fits_any, nearest_none, "as {X: 2, Y: 2; x: 1, y: 2}"},
	[SW_SHAPE_NODE_CUBE] = {4, 3, "a cube of lines", fits_cube, nearest_none, "as {x: 2, y: 2, z: 2; g: 4}"},
};

int sw_schedule_algorithm_axes(const sw_schedule_algorithm *algorithm)
{
	return shapes[algorithm->shape].axes;
}

const char *sw_schedule_algorithm_machine(const sw_schedule_algorithm *algorithm)
{
	return shapes[algorithm->shape].called;
}

bool sw_schedule_algorithm_fits(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question)
{
	const struct shape *shape = &shapes[algorithm->shape];

	if (question->axes != shape->axes)
		return false;
	for (int axis = 0; axis < question->axes; axis++)
		if (question->level[axis] != (axis >= shape->outer))
			return false;
	return shape->fits(question->extent);
}

#define SW_MOST_FEWER 4096 /* processors, while a machine is looked for that would do */

/* Says which machine of fewer processors would do, or of which levels. */
static void hint_machine(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, sw_diag *diag)
{
	const struct shape *shape = &shapes[algorithm->shape];
	sw_recipe_question fewer = *question;
	sw_scheme scheme;

	for (int n = 0; n < SW_MOST_FEWER && --fewer.processors > 0; n++)
		if (shape->nearest(algorithm, &fewer, &scheme)) {
			sw_diag_hint(diag, "on %lld devices it would, as %lld x %lld x %lld", (long long)fewer.processors,
				(long long)scheme.extent[0], (long long)scheme.extent[1], (long long)scheme.extent[2]);
			return;
		}
	sw_diag_hint(diag, "%s", shape->next);
}

bool sw_schedule_algorithm_nearest(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme, sw_diag *diag)
{
	const struct shape *shape = &shapes[algorithm->shape];

	assert(question->processors >= 1);
	if (shape->nearest(algorithm, question, scheme))
		return true;
	if (*shape->next == '\0')
		return sw_diag_set(diag, SW_S09, (sw_span){0, 0},
			"the number of moved elements does not fit into 64 "
			"bits");
	sw_diag_set(diag, SW_D40, (sw_span){0, 0}, "'%s' runs on no machine of %lld device%s", algorithm->name,
		(long long)question->processors, question->processors == 1 ? "" : "s");
	sw_diag_expected(diag, "%s", shape->called);
	hint_machine(algorithm, question, diag);
	return false;
}
