/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes: figures of published algorithms by formulas, their texts, and the grid that moves least.
 */
#include <jansson.h>

#include <shardwalk/algorithm.h>
#include <shardwalk/choice.h>
#include <shardwalk/number.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/schemes.h"

/* ---- reading lines ---- */

static const char *text_at(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static int64_t int_at(const json_t *line, const char *key)
{
	assert_true(json_is_integer(json_object_get(line, key)));
	return json_integer_value(json_object_get(line, key));
}

static int64_t item(const json_t *list, size_t n)
{
	return json_integer_value(json_array_get(list, n));
}

/* Calls `look` with each line of a file; returns how many there are. */
static int each_line(const char *file, void (*look)(const json_t *line))
{
	FILE *in = cases_open(file);
	char *text = NULL;
	size_t room = 0;
	int lines = 0;

	assert_non_null(in);
	for (; getline(&text, &room, in) > 0; lines++) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		sw_arena_clear(arena);
		look(line);
		json_decref(line);
	}
	free(text);
	fclose(in);
	return lines;
}

/* ---- recipes ---- */

/* The row whose name a line begins with, the longest; the first of several. */
static const sw_schedule_algorithm *row_of(const char *name)
{
	const sw_schedule_algorithm *row, *found = NULL;

	for (int n = 0; (row = sw_schedule_algorithm_at(n)) != NULL; n++)
		if (strncmp(name, row->name, strlen(row->name)) == 0 &&
			(found == NULL || strlen(row->name) > strlen(found->name)))
			found = row;
	return found;
}

static void set_machine(const json_t *machine, sw_recipe_question *question)
{
	question->processors = 1;
	for (size_t level = 0; level < json_array_size(machine); level++)
		for (size_t n = 0; n < json_array_size(json_array_get(machine, level)); n++) {
			question->level[question->axes] = (int)level;
			question->extent[question->axes] = item(json_array_get(machine, level), n);
			question->processors *= question->extent[question->axes++];
		}
}

/* Sizes of letters, from shapes of arrays in the order of the statement. */
static void set_sizes(const sw_schedule_algorithm *row, const json_t *shapes, sw_recipe_question *question)
{
	const json_t *shape = NULL;
	int dim = 0;

	for (const char *at = row->statement; *at != '\0'; at++) {
		const char *letter = strchr(row->letters, *at);

		if (letter == NULL && json_object_get(shapes, (char[]){*at, '\0'}) != NULL) {
			shape = json_object_get(shapes, (char[]){*at, '\0'});
			dim = 0;
		} else if (letter != NULL) {
			question->size[letter - row->letters] = item(shape, (size_t)dim++);
		}
	}
}

/* The number behind the last comma of a command of the line that begins so; 0: there is none. */
static int64_t number_in(const json_t *commands, const char *begins)
{
	size_t n;
	json_t *command;

	json_array_foreach(commands, n, command) if (strncmp(json_string_value(command), begins, strlen(begins)) ==
		0) return atoll(strrchr(json_string_value(command), ',') + 1);
	return 0;
}

static void same_commands(const char *name, const json_t *commands, const sw_recipe *recipe)
{
	assert_int_equal(json_array_size(commands), recipe->commands);
	for (int n = 0; n < recipe->commands; n++)
		if (strcmp(json_string_value(json_array_get(commands, (size_t)n)), recipe->command[n]) != 0)
			fail_msg("%s: %s", name, recipe->command[n]);
}

/* The texts of the line say where arrays are at home; what the notation cannot say is no text there. */
static void same_homes(const json_t *homes, const sw_recipe *recipe)
{
	sw_mesh mesh;

	scheme_mesh(&recipe->scheme, &mesh);
	for (int n = 0; n < recipe->scheme.arrays; n++) {
		const json_t *home = json_object_get(homes, recipe->array[n]);
		const char *why = NULL;
		sw_text text = {0};
		bool said = sw_distal_print(&mesh, &recipe->scheme.array[n].home, &text, &why);

		assert_true(said == json_is_string(home));
		if (said)
			assert_string_equal(sw_text_get(&text), json_string_value(home));
		sw_text_free(&text);
	}
}

/* ---- figures ---- */

static void same_list(const char *name, const char *key, const json_t *line, const int64_t *found)
{
	const json_t *list = json_object_get(line, key);

	for (size_t n = 0; n < json_array_size(list); n++)
		if (item(list, n) != found[n])
			fail_msg("%s: %s of %zu is %lld", name, key, n, (long long)found[n]);
}

static void same_totals(const json_t *line, const sw_recipe *recipe)
{
	const char *name = text_at(line, "name");
	const json_t *volumes = json_object_get(line, "volumes");
	sw_schedule_totals totals;
	sw_diag diag;
	int64_t volume;

	if (!sw_scheme_totals(&recipe->scheme, arena, &totals, &diag))
		fail_msg("%s: %s", name, diag.message);
	assert_int_equal(totals.volume, int_at(line, "volume"));
	assert_int_equal(recipe->scheme.steps, int_at(line, "steps"));
	for (int array = 0; array < recipe->scheme.arrays; array++) {
		assert_int_equal(totals.volumes[array], int_at(volumes, recipe->array[array]));
		assert_true(sw_scheme_volume(&recipe->scheme, array, &volume));
		assert_int_equal(volume, totals.volumes[array]);
	}
	same_list(name, "received", line, totals.received);
	same_list(name, "sent", line, totals.sent);
	same_list(name, "held", line, totals.held);
	same_list(name, "peak", line, totals.peak);
	same_list(name, "peak_overlap", line, totals.peak_overlap);
	same_list(name, "flops", line, totals.flops);
}

static int compared;

static const char *without_figure(const char *name)
{
	return strncmp(name, "figure-", 7) == 0 ? strchr(name + 7, '-') + 1 : name;
}

/* COSMA's own: two million elements, a leaf of 250 x 1000 x 500. */
static void dry_run(const json_t *line)
{
	sw_recipe_question question = {0};
	sw_recipe recipe;

	set_machine(json_object_get(line, "machine"), &question);
	set_sizes(row_of("cosma"), json_object_get(line, "shapes"), &question);
	assert_true(sw_recipe_of_splits(sw_str_of("pm2,sm2,pk2"), &question, arena, &recipe, NULL));
	same_commands("dry run", json_object_get(line, "schedule"), &recipe);
	same_homes(json_object_get(line, "distributions"), &recipe);
	assert_true(recipe.exact);
	same_totals(line, &recipe);
	assert_int_equal(recipe.leaf[0], 250);
	assert_int_equal(recipe.leaf[1], 1000);
	assert_int_equal(recipe.leaf[2], 500);
}

static void published(const json_t *line)
{
	const json_t *commands = json_object_get(line, "schedule");
	const char *name = text_at(line, "name");
	const sw_schedule_algorithm *row = row_of(without_figure(name));
	sw_recipe_question question = {0};
	sw_recipe recipe;
	sw_diag diag;

	if (strncmp(name, "hierarchical-", 13) == 0)
		row = row_of(name + 13);
	if (strcmp(name, "cosma-pm2-sm2-pk2") == 0)
		dry_run(line);
	if (row == NULL || strcmp(name, "cosma-pm2-sm2-pk2") == 0)
		return;
	set_machine(json_object_get(line, "machine"), &question);
	set_sizes(row, json_object_get(line, "shapes"), &question);
	question.chunk = number_in(commands, "split(k,ko,ki,");
	if (strncmp(row->name, "cosma", 5) == 0 || (strncmp(name, "hierarchical-", 13) == 0 && row->time != '\0'))
		question.steps = number_in(commands, "divide(ki,kio,kii,");
	if (!sw_recipe_of(row, &question, arena, &recipe, &diag))
		fail_msg("%s: %s", name, diag.message);
	assert_false(recipe.moved);
	assert_string_equal(recipe.statement, text_at(line, "statement"));
	same_commands(name, commands, &recipe);
	if (recipe.exact) {
		same_homes(json_object_get(line, "distributions"), &recipe);
		same_totals(line, &recipe);
	}
	compared++;
}

static void published_schedules_have_their_texts_and_figures(void **state)
{
	(void)state;
	compared = 0;
	assert_true(each_line("distal-schedules.jsonl", published) > 0);
	assert_true(compared >= 10);
}

/* ---- large sizes, figures only ---- */

static void same_largest(const char *name, const json_t *one, const sw_recipe *recipe)
{
	sw_schedule_totals totals;
	const struct {
		const char *key;
		const int64_t *found;
	} figures[] = {{"volume", &totals.volume}, {"steps", &recipe->scheme.steps},
		{"max_received", &totals.most_received}, {"max_sent", &totals.most_sent}, {"max_held", &totals.most_held},
		{"max_peak", &totals.most_peak}, {"max_peak_overlap", &totals.most_peak_overlap},
		{"max_flops", &totals.most_flops}};

	assert_true(sw_scheme_totals(&recipe->scheme, arena, &totals, NULL));
	for (size_t n = 0; n < COUNT(figures); n++)
		if (*figures[n].found != int_at(one, figures[n].key))
			fail_msg("%s: %s is %lld", name, figures[n].key, (long long)*figures[n].found);
}

static void same_row(const json_t *line, const sw_schedule_algorithm *row)
{
	const json_t *one = json_object_get(json_object_get(line, "algorithms"), row->name);
	sw_recipe_question question = {.processors = int_at(line, "processors"),
		.size = {int_at(line, "m"), int_at(line, "n"), int_at(line, "k")}};
	const json_t *machine = json_array_get(json_object_get(one, "machine"), 0);
	sw_recipe recipe;
	sw_diag diag;

	if (!sw_recipe_of(row, &question, arena, &recipe, &diag)) {
		assert_null(one);
		assert_int_equal(diag.code, SW_D40);
		return;
	}
	assert_non_null(one);
	assert_int_equal(json_array_size(machine), recipe.scheme.axes);
	for (int axis = 0; axis < recipe.scheme.axes; axis++)
		assert_int_equal(item(machine, (size_t)axis), recipe.scheme.extent[axis]);
	same_commands(row->name, json_object_get(one, "schedule"), &recipe);
	same_homes(json_object_get(one, "distributions"), &recipe);
	same_largest(text_at(line, "name"), one, &recipe);
}

static void compared_on(const json_t *line)
{
	const sw_schedule_algorithm *row;

	for (int n = 0; (row = sw_schedule_algorithm_at(n)) != NULL; n++)
		if (strcmp(row->statement, "A(i,j) = B(i,k) * C(k,j)") == 0 &&
			row == sw_schedule_algorithm_named(sw_str_of(row->name)))
			same_row(line, row);
}

static void large_products_have_their_figures(void **state)
{
	(void)state;
	assert_true(each_line("distal-compare.jsonl", compared_on) > 0);
}

/* ---- the grid that moves least ---- */

static void best_grid(const json_t *line)
{
	const json_t *grid = json_object_get(line, "grid");
	sw_scheme scheme;
	sw_grid_question question = {.scheme = &scheme, .times = 1 << 2};
	sw_grid_choice choice;
	sw_diag diag;
	int64_t smallest = 0;

	sw_matrices_scheme(int_at(line, "m"), int_at(line, "n"), int_at(line, "k"), &scheme);
	question.processors = int_at(line, "processors");
	question.memory = int_at(line, "memory");
	if (sw_grid_choose(&question, &choice, 1, &smallest, &diag) == 0) {
		assert_int_equal(diag.code, SW_S01);
		assert_string_equal(text_at(line, "error"), "memory");
		assert_int_equal(smallest, int_at(line, "smallest"));
		return;
	}
	for (int axis = 0; axis < 3; axis++)
		if (choice.scheme.extent[axis] != item(grid, (size_t)axis))
			fail_msg("%s: %lld on axis %d", text_at(line, "name"), (long long)choice.scheme.extent[axis], axis);
	assert_int_equal(choice.scheme.steps, int_at(line, "steps"));
	assert_int_equal(choice.volume, int_at(line, "volume"));
	assert_int_equal(choice.peak, int_at(line, "peak"));
}

static void the_best_grid_moves_least_within_a_bound(void **state)
{
	(void)state;
	assert_true(each_line("distal-best.jsonl", best_grid) > 0);
}

/* ---- lowered ---- */

static draw drawn;

static int64_t below(int64_t n)
{
	return draw_below(&drawn, (int)n);
}

static void same_as_lowered(const sw_recipe *recipe)
{
	sw_text commands = {0};

	for (int n = 0; n < recipe->commands; n++)
		sw_text_addf(&commands, ".%s\n", recipe->command[n]);
	scheme_is_schedule(&recipe->scheme,
		scheme_schedule(&recipe->scheme, recipe->statement, recipe->array, sw_text_get(&commands), arena), arena);
	sw_text_free(&commands);
}

static void draw_question(sw_recipe_question *question)
{
	*question = (sw_recipe_question){.processors = 1 + below(30)};
	for (int letter = 0; letter < SW_SCHEME_LETTERS; letter++)
		question->size[letter] = 1 + below(12);
}

static void draw_machine(int axes, sw_recipe_question *question)
{
	question->axes = axes;
	question->processors = 1;
	for (int axis = 0; axis < axes; axis++)
		question->processors *= question->extent[axis] = 1 + below(axes == 1 ? 9 : axes == 2 ? 6 : 3);
}

static const char *const named[] = {"cannon", "pumma", "summa", "johnson", "solomonik", "cosma", "cosma-balanced",
	"ttv", "innerprod", "ttm", "mttkrp"};

static void figures_are_those_of_the_lowered_schedule(void **state)
{
	const char *const *name = *state;
	const sw_schedule_algorithm *row = sw_schedule_algorithm_named(sw_str_of(*name));
	int lowered = 0;

	for (int n = 0; n < 60; n++) {
		sw_recipe_question question;
		sw_recipe recipe;

		sw_arena_clear(arena);
		draw_question(&question);
		if (n % 4 != 0)
			draw_machine((int)strlen(row->home[1]), &question);
		question.chunk = row->chunk > 0 && below(2) > 0 ? 1 + below(6) : 0;
		question.steps = strncmp(row->name, "cosma", 5) == 0 && below(2) > 0 ? 1 + below(6) : 0;
		if (!sw_recipe_of(row, &question, arena, &recipe, NULL))
			continue;
		assert_true(recipe.exact);
		same_as_lowered(&recipe);
		lowered++;
	}
	assert_true(lowered > 0);
}

/* ---- many processors ---- */

static void same_figures(const char *name, const sw_scheme *scheme)
{
	sw_schedule_totals all, found;
	const struct {
		const char *what;
		const int64_t *wanted, *found;
	} figures[] = {{"volume", &all.volume, &found.volume}, {"received", &all.most_received, &found.most_received},
		{"held", &all.most_held, &found.most_held}, {"live", &all.most_peak, &found.most_peak},
		{"overlap", &all.most_peak_overlap, &found.most_peak_overlap}, {"flops", &all.most_flops, &found.most_flops},
		{"idle", &all.idle, &found.idle}};

	assert_true(sw_scheme_totals(scheme, arena, &all, NULL) && sw_scheme_figures(scheme, arena, &found, NULL));
	for (size_t n = 0; n < COUNT(figures); n++)
		if (*figures[n].wanted != *figures[n].found)
			fail_msg("%s on %lld x %lld, %lld x %lld x %lld, %lld steps: %s %lld, and of all %lld", name,
				(long long)scheme->extent[0], (long long)scheme->extent[1], (long long)scheme->size[0],
				(long long)scheme->size[1], (long long)scheme->size[2], (long long)scheme->steps, figures[n].what,
				(long long)*figures[n].found, (long long)*figures[n].wanted);
}

static void largest_figures_are_those_of_all_processors(void **state)
{
	const char *const *name = *state;
	const sw_schedule_algorithm *row = sw_schedule_algorithm_named(sw_str_of(*name));
	int axes = (int)strlen(row->home[1]);

	for (int n = 0; n < 150; n++) {
		sw_recipe_question question = {0};
		sw_recipe recipe;

		sw_arena_clear(arena);
		draw_machine(axes, &question);
		question.chunk = question.steps = 0;
		question.processors = 1;
		for (int axis = 0; axis < axes; axis++)
			question.processors *= question.extent[axis] = 1 + below(axes < 3 ? 24 : 9);
		for (int letter = 0; letter < SW_SCHEME_LETTERS; letter++)
			question.size[letter] = 1 + below(n % 2 > 0 ? 40 : 400);
		question.chunk = row->chunk > 0 && below(2) > 0 ? 1 + below(30) : 0;
		if (sw_recipe_of(row, &question, arena, &recipe, NULL))
			same_figures(*name, &recipe.scheme);
	}
}

/* Each of 2^40 processors has one element of each array, and receives all but one of a row and of a column. */
static void a_square_of_a_million_by_a_million_has_figures(void **state)
{
	const int64_t side = (int64_t)1 << 20;
	sw_recipe_question question = {.axes = 2,
		.extent = {side, side},
		.processors = side * side,
		.size = {side, side, side}};
	const char *const *name = *state;
	const sw_schedule_algorithm *row = sw_schedule_algorithm_named(sw_str_of(*name));
	sw_schedule_totals totals;
	sw_recipe recipe;
	sw_diag diag;

	question.chunk = row->chunk > 0;
	if (!sw_recipe_of(row, &question, arena, &recipe, &diag) ||
		!sw_scheme_figures(&recipe.scheme, arena, &totals, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(recipe.scheme.steps, side);
	assert_int_equal(totals.volumes[0], 0);
	assert_int_equal(totals.volumes[1], side * side * (side - 1));
	assert_int_equal(totals.volumes[2], side * side * (side - 1));
	assert_int_equal(totals.most_received, 2 * (side - 1));
	assert_int_equal(totals.most_held, 3);
	assert_int_equal(totals.most_peak, 5);
	assert_int_equal(totals.most_peak_overlap, 7);
}

static const char *const on_squares[] = {"cannon", "pumma", "summa"};

static void figures_of_splits_are_those_of_the_lowered_schedule(void **state)
{
	int exact = 0;

	(void)state;
	for (int n = 0; n < 100; n++) {
		sw_recipe_question question;
		sw_recipe recipe;
		sw_text text = {0};

		sw_arena_clear(arena);
		draw_question(&question);
		question.processors = 1;
		for (int split = 0, splits = 1 + (int)below(4); split < splits; split++) {
			int64_t parts = 1 + below(3);
			bool parallel = below(3) > 0;

			sw_text_addf(&text, "%s%c%c%d", split > 0 ? "," : "", parallel ? 'p' : 's', "mnk"[below(3)], (int)parts);
			question.processors *= parallel ? parts : 1;
		}
		if (!sw_recipe_of_splits(sw_str_of(sw_text_get(&text)), &question, arena, &recipe, NULL))
			fail_msg("%s", sw_text_get(&text));
		if (recipe.exact)
			same_as_lowered(&recipe);
		exact += recipe.exact;
		sw_text_free(&text);
	}
	assert_true(exact > 0);
}

/* ---- figures of the paper, and what memory buys ---- */

static const struct artefact {
	const char *what, *name;
	int axes;
	int64_t extent[3], processors, size[4], steps, chunk;
	int64_t taken, volume, peak, overlap;
} artefacts[] = {
	{"figure 9, Cannon", "cannon", 2, {3, 3}, 9, {9, 9, 9}, 0, 0, 3, 324, 45, 63},
	{"figure 9, SUMMA", "summa", 2, {3, 3}, 9, {9, 9, 9}, 0, 3, 3, 324, 45, 63},
	{"figure 9, Johnson", "johnson", 3, {2, 2, 2}, 8, {8, 8, 8}, 0, 0, 1, 192, 48, 48},
	{"figure 9, Solomonik", "solomonik", 3, {4, 4, 2}, 32, {8, 8, 8}, 0, 0, 2, 512, 20, 28},
	{"figure 9, COSMA", "cosma", 3, {2, 3, 2}, 12, {8, 9, 8}, 2, 0, 2, 272, 40, 40},
	{"long steps", "summa", 2, {2, 2}, 4, {12, 12, 12}, 0, 6, 2, 288, 180, 180},
	{"short steps", "summa", 2, {2, 2}, 4, {12, 12, 12}, 0, 1, 12, 288, 120, 132},
	{"figure 16, TTV", "ttv", 2, {2, 2}, 4, {4, 4, 5}, 0, 0, 1, 0, 29, 29},
	{"figure 16, MTTKRP", "mttkrp", 3, {2, 2, 2}, 8, {4, 6, 8, 3}, 0, 0, 1, 162, 51, 51},
	{"12.3 GB on 32 nodes", "johnson", 0, {0}, 128, {113137, 113137, 113137}, 0, 0, 1, 4 * 3 * 113137LL * 113137,
		3 * 22628LL * 22628, 3 * 22628LL * 22628},
	{"17.1 GB on 64 nodes", "johnson", 0, {0}, 256, {160000, 160000, 160000}, 0, 0, 1, 5 * 3 * 160000LL * 160000,
		3 * 26667LL * 26667, 3 * 26667LL * 26667},
};

static void artefacts_have_their_figures(void **state)
{
	const struct artefact *row = *state;
	sw_recipe_question question = {.axes = row->axes,
		.processors = row->processors,
		.steps = row->steps,
		.chunk = row->chunk};
	sw_schedule_totals totals;
	sw_recipe recipe;

	memcpy(question.extent, row->extent, sizeof row->extent);
	memcpy(question.size, row->size, sizeof row->size);
	assert_true(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of(row->name)), &question, arena, &recipe, NULL));
	assert_true(sw_scheme_totals(&recipe.scheme, arena, &totals, NULL));
	assert_int_equal(recipe.scheme.steps, row->taken);
	assert_int_equal(totals.volume, row->volume);
	assert_int_equal(totals.most_peak, row->peak);
	assert_int_equal(totals.most_peak_overlap, row->overlap);
}

/* ---- the best machine for an algorithm ---- */

static const struct best {
	const char *name;
	int64_t processors, memory;
	int64_t extent[3], steps, volume;
} bests[] = {
	{"cannon", 16, SW_NO_BOUND, {4, 4}, 4, 64 * 64 * 6},
	{"summa", 4, 12288, {2, 2}, 1, 64 * 64 * 2},
	{"summa", 4, 3072 + 64, {2, 2}, 64, 64 * 64 * 2},
	{"johnson", 9, SW_NO_BOUND, {2, 2, 2}, 1, 64 * 64 * 3},
	{"cosma-balanced", 8, 7000, {2, 2, 2}, 1, 64 * 64 * 3},
	{"cosma", 8, SW_NO_BOUND, {2, 2, 2}, 1, 64 * 64 * 3},
};

static void an_algorithm_runs_on_its_best_machine(void **state)
{
	const struct best *row = *state;
	sw_recipe_question question = {.processors = row->processors, .size = {64, 64, 64}};
	sw_recipe_choice choice;
	sw_diag diag;

	if (!sw_recipe_choose(sw_schedule_algorithm_named(sw_str_of(row->name)), &question, row->memory, NULL, arena,
			&choice, &diag))
		fail_msg("%s: %s, %s", row->name, diag.message, diag.expected);
	for (int axis = 0; axis < choice.recipe.scheme.axes; axis++)
		assert_int_equal(choice.recipe.scheme.extent[axis], row->extent[axis]);
	assert_int_equal(choice.recipe.scheme.steps, row->steps);
	assert_int_equal(choice.figures.volume, row->volume);
	assert_true(choice.figures.peak <= row->memory);
	same_as_lowered(&choice.recipe);
	if (choice.next) {
		assert_false(sw_grid_is_better(&choice.next_figures, &choice.figures));
		assert_true(choice.next_figures.peak <= row->memory);
		assert_memory_not_equal(choice.next_recipe.scheme.extent, choice.recipe.scheme.extent,
			sizeof choice.recipe.scheme.extent);
		same_as_lowered(&choice.next_recipe);
	}
}

/* COSMA's is the grid that moves least of all. */
static void the_best_machine_of_cosma_is_the_best_grid(void **state)
{
	(void)state;
	for (int n = 0; n < 100; n++) {
		sw_recipe_question question = {.processors = 1 + below(24),
			.size = {1 + below(20), 1 + below(20), 1 + below(40)}};
		sw_scheme scheme;
		sw_grid_question grid = {.scheme = &scheme,
			.times = 1 << 2,
			.processors = question.processors,
			.memory = 1 + below(600)};
		sw_recipe_choice choice;
		sw_grid_choice best[2];
		int64_t smallest;
		bool found = sw_recipe_choose(sw_schedule_algorithm_named(sw_str_of("cosma-balanced")), &question,
			grid.memory, NULL, arena, &choice, NULL);

		sw_matrices_scheme(question.size[0], question.size[1], question.size[2], &scheme);
		assert_int_equal(sw_grid_choose(&grid, best, 2, &smallest, NULL), found ? 1 + choice.next : 0);
		if (!found) {
			assert_int_equal(choice.smallest, smallest);
			continue;
		}
		assert_memory_equal(choice.recipe.scheme.extent, best->scheme.extent, 3 * sizeof *best->scheme.extent);
		assert_int_equal(choice.recipe.scheme.steps, best->scheme.steps);
		assert_int_equal(choice.figures.volume, best->volume);
		assert_int_equal(choice.figures.peak, best->peak);
		if (choice.next) {
			assert_int_equal(choice.next_figures.volume, best[1].volume);
			assert_int_equal(choice.next_figures.peak, best[1].peak);
		}
	}
}

static void too_little_memory_says_the_smallest_bound(void **state)
{
	const char *const *name = *state;
	const sw_schedule_algorithm *row = sw_schedule_algorithm_named(sw_str_of(*name));
	sw_recipe_question question = {.processors = 8, .size = {12, 10, 9, 3}};
	sw_recipe_choice choice;
	sw_diag diag;
	int64_t smallest;

	assert_false(sw_recipe_choose(row, &question, 1, NULL, arena, &choice, &diag));
	assert_int_equal(diag.code, SW_S01);
	smallest = choice.smallest;
	assert_true(sw_recipe_choose(row, &question, smallest, NULL, arena, &choice, &diag));
	assert_int_equal(choice.figures.peak, smallest);
	assert_false(sw_recipe_choose(row, &question, smallest - 1, NULL, arena, &choice, &diag));
}

/* ---- names, machines, refusals ---- */

static void a_recipe_has_the_names_of_its_question(void **state)
{
	const sw_str names[] = {{"out", 3}, {"left", 4}, {"C", 1}};
	sw_recipe_question question = {.axes = 2, .extent = {2, 3}, .processors = 6, .size = {4, 6, 8}, .letter = "mn"};
	sw_recipe recipe;

	(void)state;
	memcpy(question.array, names, sizeof names);
	assert_true(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of("cannon")), &question, arena, &recipe, NULL));
	assert_string_equal(recipe.statement, "out(m,n) = left(m,k) * C(k,n)");
	assert_string_equal(recipe.command[0], "distribute({m,n},{mo,no},{mi,ni},Grid(2,3))");
	assert_string_equal(recipe.command[3], "rotate(ko,{mo,no},kos)");
	assert_string_equal(recipe.command[5], "communicate({left,C},kos)");
	assert_string_equal(recipe.command[6], "substitute({mi,ni,ki},gemm)");
	assert_true(sw_recipe_of_splits(sw_str_of("pn3,pm2,sk4,sk2"), &question, arena, &recipe, NULL));
	assert_false(recipe.exact);
	assert_int_equal(recipe.leaf[2], 1);
	assert_string_equal(recipe.command[2], "divide(k,ks,kr,4)");
	assert_string_equal(recipe.command[3], "divide(kr,kss,ki,2)");
	assert_string_equal(recipe.command[4], "reorder({no,mo,ks,kss,mi,ni,ki})");
	assert_string_equal(recipe.command[7], "communicate({left,C},kss)");
}

static const struct machine {
	const char *name;
	int axes;
	int64_t extent[4], processors;
	const char *remark; /* NULL: it runs there */
} machines[] = {
	{"cannon", 2, {2, 6}, 12, NULL},
	{"cannon", 1, {12}, 12, "'cannon' runs on a grid, 3 x 4"},
	{"johnson", 2, {4, 3}, 12, "'johnson' runs on a cube, 2 x 2 x 2, and uses 8 of 12 devices"},
	{"solomonik", 2, {8, 4}, 32, "'solomonik' runs on square layers whose number divides their side, 4 x 4 x 2"},
	{"solomonik", 3, {3, 3, 3}, 27, NULL},
	{"cosma", 3, {1, 2, 6}, 12, NULL},
	{"cosma", 2, {4, 4}, 16, "'cosma' runs on a block, 2 x 2 x 4"},
	{"mttkrp", 1, {8}, 8, "'mttkrp' runs on a block, 2 x 2 x 2"},
	{"ttm", 2, {2, 2}, 4, "'ttm' runs on a line, 4"},
};

static void an_algorithm_runs_on_the_nearest_machine(void **state)
{
	const struct machine *row = *state;
	sw_recipe_question question = {.axes = row->axes, .processors = row->processors, .size = {64, 64, 64, 4}};
	sw_recipe recipe;

	memcpy(question.extent, row->extent, sizeof row->extent);
	assert_true(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of(row->name)), &question, arena, &recipe, NULL));
	assert_true(recipe.moved == (row->remark != NULL));
	if (row->remark != NULL)
		assert_string_equal(recipe.remark, row->remark);
	else
		assert_memory_equal(recipe.scheme.extent, row->extent, (size_t)row->axes * sizeof *row->extent);
}

static const struct refusal {
	const char *name;
	int64_t processors, steps, chunk;
	sw_code code;
	const char *message, *hint;
} refusals[] = {
	{"johnson", 7, 0, 0, SW_D40, "'johnson' runs on no machine of 7 devices",
		"the smallest cube has 8 devices, 2 x 2 x 2"},
	{"solomonik", 16, 0, 0, SW_D40, "'solomonik' runs on no machine of 16 devices",
		"on 8 devices it would, as 2 x 2 x 2"},
	{"johnson", 1, 0, 0, SW_D40, "'johnson' runs on no machine of 1 device",
		"the smallest cube has 8 devices, 2 x 2 x 2"},
	{"cannon", 4, 3, 0, SW_D41, "'cannon' has no 'steps='", "its machine determines its steps; 'cosma' has steps="},
	{"cosma", 4, 0, 3, SW_D41, "'cosma' has no 'chunk='", "'summa' has chunk="},
	{"ttm", 4, 2, 0, SW_D41, "'ttm' has no 'steps='", "its machine determines its steps; 'cosma' has steps="},
};

static void what_an_algorithm_does_not_take_is_refused(void **state)
{
	const struct refusal *row = *state;
	sw_recipe_question question = {.processors = row->processors,
		.size = {8, 8, 8, 8},
		.steps = row->steps,
		.chunk = row->chunk};
	sw_recipe recipe;
	sw_diag diag;

	assert_false(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of(row->name)), &question, arena, &recipe, &diag));
	assert_int_equal(diag.code, row->code);
	assert_string_equal(diag.message, row->message);
	assert_string_equal(diag.hint, row->hint);
}

static const struct split {
	const char *text, *message;
	size_t begin, end;
} splits[] = {
	{"pm2,sx2", "'sx2' is not a split", 4, 7},
	{"qm2", "'qm2' is not a split", 0, 3},
	{"pm2,,pk2", "'' is not a split", 4, 4},
	{"pm2, sm", "'sm' is not a split", 5, 7},
	{"pm2,sm0", "'sm0' has no number of parts", 4, 7},
	{"pmx2", "'pmx2' has no number of parts", 0, 4},
	{"pm2,sm2,pk3", "these splits are for 6 devices", 0, 11},
	{"sm2,sn2,sk2,sm2,sn2", "'sn2' is one loop in time too many: at most 4 are allowed", 16, 19},
	{"pm1099511627776,pm2", "'pm2' makes too many devices", 16, 19},
};

static void what_is_no_split_is_refused(void **state)
{
	const struct split *row = *state;
	sw_recipe_question question = {.processors = 4, .size = {8, 8, 8}};
	sw_recipe recipe;
	sw_diag diag;

	assert_false(sw_recipe_of_splits(sw_str_of(row->text), &question, arena, &recipe, &diag));
	assert_int_equal(diag.code, SW_D42);
	assert_string_equal(diag.message, row->message);
	assert_int_equal(diag.at.begin, row->begin);
	assert_int_equal(diag.at.end, row->end);
}

static void any_text_is_read_or_refused(void **state)
{
	sw_recipe_question question = {.processors = 4, .size = {8, 8, 8}};

	(void)state;
	for (int n = 0; n < 20000; n++) {
		char text[16];
		size_t length = (size_t)below(sizeof text);
		sw_recipe recipe;
		sw_diag diag = {0};

		for (size_t at = 0; at < length; at++)
			text[at] = "ppmmnkss,,224901 ("[below(18)];
		sw_arena_clear(arena);
		if (sw_recipe_of_splits((sw_str){text, length}, &question, arena, &recipe, &diag))
			continue;
		assert_int_equal(diag.code, SW_D42);
		assert_true(diag.at.begin <= diag.at.end && diag.at.end <= length);
	}
}

static void figures_that_do_not_fit_are_refused(void **state)
{
	sw_recipe_question question = {.processors = 4, .size = {(int64_t)1 << 40, (int64_t)1 << 40, 4}};
	sw_schedule_totals totals;
	sw_recipe recipe;
	sw_diag diag;

	(void)state;
	assert_true(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of("summa")), &question, arena, &recipe, NULL));
	assert_false(sw_scheme_totals(&recipe.scheme, arena, &totals, &diag));
	assert_int_equal(diag.code, SW_S09);
	assert_false(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of("cosma")), &question, arena, &recipe, &diag));
	assert_int_equal(diag.code, SW_S09);
	question = (sw_recipe_question){.processors = (int64_t)1 << 30, .size = {4, 4, 4}};
	assert_true(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of("summa")), &question, arena, &recipe, NULL));
	assert_false(sw_scheme_totals(&recipe.scheme, arena, &totals, &diag));
	assert_int_equal(diag.code, SW_M05);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(published_schedules_have_their_texts_and_figures),
		TEST(large_products_have_their_figures),
		TEST(the_best_grid_moves_least_within_a_bound),
		TEXTS(figures_are_those_of_the_lowered_schedule, named),
		TEXTS(largest_figures_are_those_of_all_processors, named),
		TEXTS(a_square_of_a_million_by_a_million_has_figures, on_squares),
		TEST(figures_of_splits_are_those_of_the_lowered_schedule),
		ROWS(artefacts_have_their_figures, artefacts, what),
		ROWS(an_algorithm_runs_on_its_best_machine, bests, name),
		TEST(the_best_machine_of_cosma_is_the_best_grid),
		TEXTS(too_little_memory_says_the_smallest_bound, named),
		TEST(a_recipe_has_the_names_of_its_question),
		ROWS(an_algorithm_runs_on_the_nearest_machine, machines, name),
		ROWS(what_an_algorithm_does_not_take_is_refused, refusals, name),
		ROWS(what_is_no_split_is_refused, splits, text),
		TEST(any_text_is_read_or_refused),
		TEST(figures_that_do_not_fit_are_refused),
	};

	drawn = draw_start("scheme");
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
