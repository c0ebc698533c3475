/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices: compared with all grids and steps there are, one processor at a time, and read back as commands.
 */
#include <math.h>

#include <shardwalk/algorithm.h>
#include <shardwalk/choice.h>
#include <shardwalk/number.h>

#include "kit/arena.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/schemes.h"

static draw drawn;

static int64_t below(int64_t n)
{
	return draw_below(&drawn, (int)n);
}

/* ---- statements ---- */

static const struct statement {
	const char *text;
	const char *kernel; /* NULL: none */
} statements[] = {
	{"A(i,j) = B(i,k) * C(k,j)", "gemm"},
	{"out(m,n) = left(m,k) * right(k,n)", "gemm"},
	{"a(i) = B(i,k) * c(k)", "gemv"},
	{"A(i,j) = B(i,j,k) * c(k)", "ttv"},
	{"A(i,j,l) = B(i,j,k) * C(k,l)", "ttm"},
	{"A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", "mttkrp"},
	{"a = B(i,j,k) * C(i,j,k)", "innerprod"},
	{"A(i,j) = B(i,j) + 2*C(j,i)", NULL},
	{"A(i,j) = b(i) * c(j)", NULL},
	{"A(i,j) = B(j,i)", NULL},
};

/* Reads a statement, whose letters have these sizes in the order of the letters. */
static void read_statement(const char *text, const int64_t *size, sw_formula *formula)
{
	sw_diag diag;

	if (!sw_formula_parse(sw_str_of(text), NULL, arena, formula, &diag))
		fail_msg("%s: %s", text, diag.message);
	for (int n = 0; n < formula->accesses; n++) {
		const sw_formula_access *access = &formula->access[n];
		int64_t sizes[SW_MAX_DIMS];
		int rank = formula->array[access->array].rank;

		for (int dim = 0; dim < rank; dim++)
			sizes[dim] =
				size[(const char *)memchr(formula->letter, access->index[dim].letter, (size_t)formula->letters) -
					formula->letter];
		assert_true(sw_formula_set_array(formula, access->array, rank, sizes, NULL));
	}
	assert_true(sw_formula_fit(formula, NULL));
}

static void draw_scheme(const struct statement *row, int64_t most, sw_formula *formula, sw_scheme *scheme)
{
	int64_t size[SW_MAX_LETTERS];

	for (int n = 0; n < SW_MAX_LETTERS; n++)
		size[n] = 1 + below(most);
	read_statement(row->text, size, formula);
	assert_true(sw_scheme_of_formula(formula, scheme, NULL));
}

static void cut_some_letter(sw_scheme *scheme)
{
	sw_scheme_divide(scheme, (int)below(scheme->letters), 1 + below(6));
	for (int array = 0; array < scheme->arrays; array++)
		for (int dim = 0; dim < scheme->array[array].rank; dim++)
			scheme->array[array].stepwise |= scheme->array[array].letter[dim] == scheme->time;
}

/* ---- figures ---- */

static void figures_follow_without_a_look_at_each_processor(void **state)
{
	const struct statement *row = *state;

	for (int n = 0; n < 200; n++) {
		sw_schedule_totals totals;
		sw_grid_choice figures;
		sw_formula formula;
		sw_scheme scheme;
		int64_t volume;

		sw_arena_clear(arena);
		draw_scheme(row, 30, &formula, &scheme);
		for (int axis = 0; axis < scheme.axes; axis++)
			scheme.extent[axis] = 1 + below(4);
		if (below(3) > 0)
			cut_some_letter(&scheme);
		assert_true(sw_scheme_totals(&scheme, arena, &totals, NULL));
		sw_grid_figures(&scheme, &figures);
		assert_int_equal(figures.peak, totals.most_peak);
		assert_int_equal(figures.held, totals.most_held);
		assert_int_equal(figures.received, totals.most_received);
		assert_int_equal(figures.sent, totals.most_sent);
		assert_int_equal(figures.flops, totals.most_flops);
		assert_true(sw_scheme_volumes(&scheme, &volume));
		assert_int_equal(volume, totals.volume);
	}
}

/* ---- all there is ---- */

/* The best of all grids over three axes and all numbers of steps of k: volume, peak, steps, as the cases have it. */
struct found {
	bool any;
	int64_t extent[3], steps, volume, peak, smallest;
};

static void look_at_grid(sw_scheme *scheme, int64_t memory, struct found *found)
{
	for (int64_t steps = 1; steps <= scheme->size[2]; steps++) {
		sw_schedule_totals totals;
		bool better;

		sw_scheme_divide(scheme, 2, steps);
		assert_true(sw_scheme_totals(scheme, arena, &totals, NULL));
		found->smallest = sw_smaller(found->smallest, totals.most_peak);
		if (totals.most_peak > memory)
			continue;
		better = !found->any || totals.volume < found->volume ||
			(totals.volume == found->volume &&
				(totals.most_peak < found->peak || (totals.most_peak == found->peak && steps < found->steps)));
		if (better) {
			*found = (struct found){true, {0}, steps, totals.volume, totals.most_peak, found->smallest};
			memcpy(found->extent, scheme->extent, sizeof found->extent);
		}
		return;
	}
}

static void find_by_hand(sw_scheme *scheme, int64_t processors, int64_t memory, struct found *found)
{
	*found = (struct found){.smallest = INT64_MAX};
	for (int64_t x = 1; x <= processors; x++)
		for (int64_t y = 1; y <= processors; y++)
			if (processors % (x * y) == 0) {
				memcpy(scheme->extent, (int64_t[]){x, y, processors / (x * y)}, 3 * sizeof *scheme->extent);
				look_at_grid(scheme, memory, found);
			}
}

static void no_grid_moves_less_within_the_bound(void **state)
{
	(void)state;
	for (int n = 0; n < 150; n++) {
		int64_t smallest = 0, processors = 1 + below(24);
		struct found found;
		sw_scheme scheme, grid;
		sw_grid_choice choice;
		sw_grid_question question = {.scheme = &scheme,
			.times = 1 << 2,
			.processors = processors,
			.memory = 1 + below(400)};
		sw_diag diag;

		sw_arena_clear(arena);
		sw_matrices_scheme(1 + below(12), 1 + below(12), 1 + below(25), &scheme);
		grid = scheme;
		find_by_hand(&grid, processors, question.memory, &found);
		if (sw_grid_choose(&question, &choice, 1, &smallest, &diag) == 0) {
			assert_false(found.any);
			assert_int_equal(diag.code, SW_S01);
			assert_int_equal(smallest, found.smallest);
			continue;
		}
		assert_true(found.any);
		assert_memory_equal(choice.scheme.extent, found.extent, sizeof found.extent);
		assert_int_equal(choice.scheme.steps, found.steps);
		assert_int_equal(choice.volume, found.volume);
		assert_int_equal(choice.peak, found.peak);
	}
}

static void the_best_come_first_and_within_the_bound(void **state)
{
	const struct statement *row = *state;
	static const sw_schedule_rates rates = {1e9, 1e9, 1e-6, 8, true, 0};

	for (int n = 0; n < 40; n++) {
		sw_grid_choice choice[5];
		sw_formula formula;
		sw_scheme scheme;
		sw_grid_question question = {.scheme = &scheme,
			.times = ~0U,
			.processors = 1 + below(16),
			.memory = 1 + below(3000),
			.rates = below(2) > 0 ? &rates : NULL};
		int64_t smallest = 0;
		int count;

		sw_arena_clear(arena);
		draw_scheme(row, 20, &formula, &scheme);
		count = sw_grid_choose(&question, choice, 5, &smallest, NULL);
		assert_true(count > 0 || smallest > question.memory);
		for (int k = 0; k < count; k++) {
			sw_schedule_totals totals;

			assert_true(sw_scheme_totals(&choice[k].scheme, arena, &totals, NULL));
			assert_int_equal(totals.most_peak, choice[k].peak);
			assert_true(choice[k].peak <= question.memory);
			assert_int_equal(totals.volume, choice[k].volume);
			assert_true(k == 0 || choice[k].seconds >= choice[k - 1].seconds);
			assert_true(k == 0 || question.rates != NULL || choice[k].volume >= choice[k - 1].volume);
		}
		if (count == 0) {
			question.memory = smallest;
			assert_true(sw_grid_choose(&question, choice, 1, &smallest, NULL) == 1);
		}
	}
}

static void nothing_beats_the_front(void **state)
{
	const struct statement *row = *state;

	for (int n = 0; n < 20; n++) {
		const sw_grid_choice *front;
		sw_grid_choice least;
		sw_formula formula;
		sw_scheme scheme;
		sw_grid_question question = {.scheme = &scheme,
			.times = ~0U,
			.processors = 1 + below(16),
			.memory = SW_NO_BOUND};
		int64_t smallest;
		int count;

		sw_arena_clear(arena);
		draw_scheme(row, 20, &formula, &scheme);
		count = sw_grid_front(&question, arena, &front);
		assert_true(count > 0);
		for (int k = 1; k < count; k++) {
			assert_true(front[k].volume > front[k - 1].volume);
			assert_true(front[k].peak < front[k - 1].peak);
		}
		for (int k = 0; k < count; k++)
			assert_true(
				front[k].scheme.time < 0 || front[k].scheme.steps <= front[k].scheme.size[front[k].scheme.time]);
		assert_int_equal(sw_grid_choose(&question, &least, 1, &smallest, NULL), 1);
		assert_int_equal(front[0].volume, least.volume);
		question.memory = 0;
		assert_int_equal(sw_grid_choose(&question, &least, 1, &smallest, NULL), 0);
		assert_int_equal(front[count - 1].peak, smallest);
	}
}

/* ---- texts ---- */

/* The schedule of a scheme that is written, and read back. */
static const sw_schedule *read_back(const struct statement *row, const sw_formula *formula, const sw_scheme *scheme)
{
	const char *name[SW_SCHEME_ARRAYS];
	const sw_schedule *schedule;
	sw_text text = {0};

	sw_scheme_print(scheme, formula, &text);
	for (int n = 0; n < formula->arrays; n++)
		name[n] = sw_arena_copy(arena, formula->array[n].name.at, formula->array[n].name.length);
	schedule = scheme_schedule(scheme, row->text, name, sw_text_get(&text), arena);
	sw_text_free(&text);
	return schedule;
}

static void what_is_written_is_read_back_with_the_same_figures(void **state)
{
	const struct statement *row = *state;

	for (int n = 0; n < 50; n++) {
		const sw_schedule *schedule;
		sw_formula formula;
		sw_scheme scheme;
		int spaces = 0;

		sw_arena_clear(arena);
		draw_scheme(row, 12, &formula, &scheme);
		for (int axis = 0; axis < scheme.axes; axis++)
			scheme.extent[axis] = 1 + below(4);
		if (below(2) > 0)
			sw_scheme_drop_axes(&scheme);
		if (below(3) > 0)
			cut_some_letter(&scheme);
		schedule = read_back(row, &formula, &scheme);
		for (int loop = 0; loop < schedule->loops; loop++)
			if (schedule->loop[loop].distributed) {
				assert_int_equal(loop, spaces);
				assert_int_equal(schedule->loop[loop].extent, scheme.extent[spaces++]);
			}
		assert_int_equal(spaces, scheme.axes);
		assert_true((schedule->kernel != NULL) == (row->kernel != NULL));
		if (row->kernel != NULL)
			assert_string_equal(schedule->kernel->name, row->kernel);
		scheme_is_schedule(&scheme, schedule, arena);
	}
}

/* ---- homes that are given ---- */

/* A[n, 2 n] = B * c on four processors: code follows the data. */
static const struct adapted {
	const char *what;
	int dim;     /* of A and B that the axis cuts */
	bool copies; /* of c; else the axis cuts it */
	int space;   /* the letter that the axis has */
	int64_t volume;
} adapted[] = {
	{"rows", 0, false, 0, 3 * 16},
	{"columns", 1, false, 1, 0},
	{"rows and copies", 0, true, 0, 0},
	{"columns and copies", 1, true, 1, 0},
};

static void code_is_adapted_to_data(void **state)
{
	const struct adapted *row = *state;
	const int64_t size[] = {8, 16};
	sw_formula formula;
	sw_scheme scheme;
	sw_grid_question question = {.scheme = &scheme, .times = ~0U, .processors = 4, .memory = SW_NO_BOUND};
	sw_grid_choice choice[2];
	sw_diag diag;
	int64_t smallest;

	read_statement("A(i,j) = B(i,j) * c(j)", size, &formula);
	assert_true(sw_scheme_of_formula(&formula, &scheme, NULL));
	scheme.axes = 1;
	scheme.extent[0] = 4;
	for (int n = 0; n < 3; n++) {
		bool copies = n == 2 && row->copies;

		scheme.array[n].home = (sw_distal){.rank = scheme.array[n].rank,
			.axes = 1,
			.cuts = copies ? 0 : 1,
			.place = {{copies ? -1 :
					n == 2    ? 0 :
								row->dim,
				-1}}};
	}
	if (sw_spaces_choose(&question, choice, 2, &smallest, &diag) == 0)
		fail_msg("%s: %s", row->what, diag.message);
	assert_int_equal(choice[0].scheme.space[0], row->space);
	assert_int_equal(choice[0].volume, row->volume);
	scheme_is_schedule(&choice[0].scheme,
		read_back(&(struct statement){"A(i,j) = B(i,j) * c(j)", NULL}, &formula, &choice[0].scheme), arena);
	question.memory = 1;
	assert_int_equal(sw_spaces_choose(&question, choice, 2, &smallest, &diag), 0);
	assert_int_equal(diag.code, SW_S01);
	assert_true(smallest > 1);
}

/* ---- what is known ---- */

static void the_balanced_cosma_is_a_choice(void **state)
{
	const int64_t size[] = {8192, 8192, 8192};
	sw_recipe_question recipe_question = {.axes = 3,
		.extent = {8, 8, 1},
		.processors = 64,
		.size = {8192, 8192, 8192},
		.steps = 20};
	sw_grid_question question = {.times = 1 << 2, .processors = 64, .memory = 4000000};
	sw_grid_choice choice;
	sw_formula formula;
	sw_scheme scheme;
	sw_recipe recipe;
	sw_text found = {0}, wanted = {0};
	int64_t smallest;

	(void)state;
	read_statement(statements[0].text, size, &formula);
	assert_true(sw_scheme_of_formula(&formula, &scheme, NULL));
	question.scheme = &scheme;
	assert_int_equal(sw_grid_choose(&question, &choice, 1, &smallest, NULL), 1);
	sw_scheme_print(&choice.scheme, &formula, &found);
	assert_true(sw_recipe_of(sw_schedule_algorithm_named(sw_str_of("cosma-balanced")), &recipe_question, arena,
		&recipe, NULL));
	for (int n = 0; n < recipe.commands; n++)
		sw_text_addf(&wanted, ".%s\n", recipe.command[n]);
	assert_string_equal(sw_text_get(&found), sw_text_get(&wanted));
	sw_text_free(&found);
	sw_text_free(&wanted);
}

/* ---- bounds ---- */

static void a_cube_meets_the_bound(void **state)
{
	sw_received_bound bound;

	(void)state;
	sw_matrices_bound(8192, 8192, 8192, 64, SW_NO_BOUND, &bound);
	assert_true(fabs(bound.elements - 9437184) < 1e-3);
	assert_string_equal(bound.source, "Al Daas and others 2022");
	sw_matrices_bound(8192, 8192, 8192, 64, 10000, &bound);
	assert_true(fabs(bound.elements - (2.0 * 8192 * 8192 * 8192 / 64 / 100 - 20000)) < 1);
	assert_string_equal(bound.source, "Smith and others 2019");
	sw_matrices_bound(3, 4, 5, 1, SW_NO_BOUND, &bound);
	assert_true(bound.elements >= 0);
}

static void nobody_receives_less_than_the_bound(void **state)
{
	(void)state;
	for (int n = 0; n < 200; n++) {
		int64_t m = 2 * (1 + below(20)), k = 2 * (1 + below(20)), columns = 2 * (1 + below(20)), smallest;
		sw_scheme scheme;
		sw_grid_question question = {.scheme = &scheme, .times = 1 << 2, .processors = 8, .memory = SW_NO_BOUND};
		sw_received_bound bound;
		sw_grid_choice choice;

		sw_matrices_scheme(m, columns, k, &scheme);
		assert_int_equal(sw_grid_choose(&question, &choice, 1, &smallest, NULL), 1);
		sw_matrices_bound(m, columns, k, 8, SW_NO_BOUND, &bound);
		if (choice.flops == 2 * m * columns * k / 8 && choice.held == (m * columns + m * k + columns * k) / 8)
			assert_true((double)choice.received >= bound.elements - 1e-6);
	}
}

/* ---- refusals ---- */

static void figures_that_do_not_fit_are_refused(void **state)
{
	sw_scheme scheme;
	sw_grid_question question = {.scheme = &scheme, .times = 1 << 2, .processors = 8, .memory = SW_NO_BOUND};
	const sw_grid_choice *front;
	sw_grid_choice choice;
	int64_t smallest;
	sw_diag diag;

	(void)state;
	sw_matrices_scheme((int64_t)1 << 22, (int64_t)1 << 22, (int64_t)1 << 22, &scheme);
	assert_int_equal(sw_grid_choose(&question, &choice, 1, &smallest, &diag), 0);
	assert_int_equal(diag.code, SW_S09);
	assert_int_equal(sw_spaces_choose(&question, &choice, 1, &smallest, &diag), 0);
	assert_int_equal(diag.code, SW_S09);
	assert_int_equal(sw_grid_front(&question, arena, &front), -1);
}

static const struct refused {
	const char *text, *found;
	size_t begin, end;
} refusals[] = {
	{"A(i,j) = B(i,k) * B(j,k)", "an array that is read twice", 18, 24},
	{"a(i) = B(i,j) * c(j) + d(i)", "a term that lacks a summed letter", 0, 0},
	{"A(a,b,c,d,e) = B(a,b,c,d,e,f,g,h,i)", "too many letters or arrays, or no letter", 0, 0},
};

static void a_statement_without_a_scheme_is_refused(void **state)
{
	const struct refused *row = *state;
	int64_t size[SW_MAX_LETTERS];
	sw_formula formula;
	sw_scheme scheme;
	sw_diag diag;

	for (int n = 0; n < SW_MAX_LETTERS; n++)
		size[n] = 4;
	read_statement(row->text, size, &formula);
	assert_false(sw_scheme_of_formula(&formula, &scheme, &diag));
	assert_int_equal(diag.code, SW_S02);
	assert_string_equal(diag.found, row->found);
	assert_int_equal(diag.at.begin, row->begin);
	assert_int_equal(diag.at.end, row->end);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(figures_follow_without_a_look_at_each_processor, statements, text),
		TEST(no_grid_moves_less_within_the_bound),
		ROWS(the_best_come_first_and_within_the_bound, statements, text),
		ROWS(nothing_beats_the_front, statements, text),
		ROWS(what_is_written_is_read_back_with_the_same_figures, statements, text),
		ROWS(code_is_adapted_to_data, adapted, what),
		TEST(the_balanced_cosma_is_a_choice),
		TEST(a_cube_meets_the_bound),
		TEST(nobody_receives_less_than_the_bound),
		TEST(figures_that_do_not_fit_are_refused),
		ROWS(a_statement_without_a_scheme_is_refused, refusals, text),
	};

	drawn = draw_start("choice");
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
