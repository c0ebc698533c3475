/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Films: of normal forms, and of what the strategy `paper` did; every sequence in them leads from one end to the other.
 */
#include <shardwalk/film.h>

#include "kit/problem.h"
#include "kit/kit.h"

static sw_film *paper_film(const sw_problem *problem, sw_arena *arena, sw_plan *plan)
{
	sw_plan_options options = {.strategy = SW_PAPER};
	sw_diag diag;
	find(problem, &options, arena, plan);
	sw_film *film = sw_film_paper(plan, &diag);
	if (!film && diag.code != SW_P06)
		fail_msg("%s", diag.message);
	return film;
}

static void check_ends(const sw_film *film, const sw_problem *problem)
{
	for (int k = 0; k <= sw_film_count(film); k++) {
		const sw_sequence *sequence = sw_film_sequence(film, k);
		assert_true(sw_type_same_map(&problem->mesh, sw_sequence_type(sequence, 0), &problem->from));
		assert_true(
			sw_type_same_map(&problem->mesh, sw_sequence_type(sequence, sw_sequence_count(sequence)), &problem->to));
	}
}

/* Outside of what a rewriting takes and makes nothing changes. */
static void check_marks(const sw_film *film)
{
	for (int k = 1; k <= sw_film_count(film); k++) {
		const sw_sequence *before = sw_film_sequence(film, k - 1), *after = sw_film_sequence(film, k);
		const sw_rewrite *rewrite = sw_film_rewrite(film, k);
		assert_int_equal(sw_sequence_count(after) - sw_sequence_count(before), rewrite->added - rewrite->removed);
		assert_int_equal(rewrite->before.cost, sw_sequence_measure(before).cost);
		assert_int_equal(rewrite->after.cost, sw_sequence_measure(after).cost);
		for (int s = 0; s < rewrite->first; s++)
			assert_true(sw_type_equal(sw_sequence_type(before, s), sw_sequence_type(after, s)));
		assert_true(rewrite->words[0]);
	}
}

static void check_paper(const sw_problem *problem, int *films, int *frames)
{
	sw_arena *arena = sw_arena_new();
	sw_plan plan;
	sw_film *film = paper_film(problem, arena, &plan);
	if (film) {
		const sw_sequence *last = sw_film_sequence(film, sw_film_count(film));
		check_ends(film, problem);
		check_marks(film);
		assert_int_equal(sw_sequence_count(last), plan.program.steps);
		assert_int_equal(sw_sequence_measure(last).cost, plan.cost);
		assert_int_equal(sw_sequence_measure(last).height, plan.height);
		assert_true(sw_sequence_measure(sw_film_sequence(film, 0)).height <= plan.height);
		++*films;
		*frames += sw_film_count(film);
	}
	sw_film_free(film);
	sw_arena_free(arena);
}

static void test_paper(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 2}, {4, 2, 1}, {4, 6, 1}, {8, 3, 1}, {12, 2, 1}};
	draw random = draw_start("films");
	int films = 0, frames = 0;
	(void)state;
	for (int n = 0; n < 400; n++) {
		const int64_t *mesh = meshes[n % 5];
		sw_problem problem;
		draw_problem(&random, mesh, mesh[2] == 1 ? 2 : 3, 1 + n % 3, &problem);
		check_paper(&problem, &films, &frames);
	}
	assert_true(films > 300);
	assert_true(frames > 50);
}

/* Example 7.1: three alltoalls and a permutation become one alltoall. */
static void test_merging(void **state)
{
	sw_problem problem;
	sw_plan plan;
	sw_arena *arena = sw_arena_new();
	(void)state;
	read_problem("{a: 2, b: 2, c: 2}", "[1{a,b,c}8, 8] ~> [8, 1{a,b,c}8]", &problem);
	sw_film *film = paper_film(&problem, arena, &plan);
	assert_non_null(film);
	assert_int_equal(sw_film_count(film), 1);
	assert_int_equal(sw_film_rewrite(film, 1)->lemma, SW_LEMMA_MERGE);
	assert_int_equal(sw_film_rewrite(film, 1)->before.cost, 32);
	assert_int_equal(sw_film_rewrite(film, 1)->after.cost, 8);
	sw_film_free(film);
	sw_arena_free(arena);
}

/* Section 7.3: the permutation moves before the gather; the slice takes the axis that is wanted. */
static void test_permutation(void **state)
{
	sw_problem problem;
	sw_plan plan;
	sw_arena *arena = sw_arena_new();
	(void)state;
	read_problem("{x: 2, y: 2}", "[2{x,y}8, 8] ~> [4{x}8, 8]", &problem);
	sw_film *film = paper_film(&problem, arena, &plan);
	assert_non_null(film);
	int last = sw_film_count(film);
	assert_int_equal(sw_film_rewrite(film, last)->lemma, SW_LEMMA_PERMUTE);
	assert_int_equal(sw_film_rewrite(film, last)->before.cost, 64);
	assert_int_equal(sw_film_rewrite(film, last)->after.cost, 48);
	sw_film_free(film);
	read_problem("{x: 4, y: 4}", "[16] ~> [4{y}16]", &problem);
	film = paper_film(&problem, arena, &plan);
	assert_non_null(film);
	last = sw_film_count(film);
	assert_int_equal(sw_film_rewrite(film, last)->lemma, SW_LEMMA_CHOOSE);
	assert_int_equal(sw_film_rewrite(film, last)->after.permutes, 0);
	assert_int_equal(sw_film_rewrite(film, last)->before.permutes, 1);
	sw_film_free(film);
	sw_arena_free(arena);
}

static void test_normal_form(void **state)
{
	sw_problem problem;
	sw_diag diag;
	(void)state;
	read_problem("{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", &problem);
	sw_sequence *naive = sw_sequence_naive(&problem, &diag);
	sw_film *film = sw_film_rewriting(naive, false, &diag);
	assert_non_null(film);
	assert_true(sw_film_count(film) > 0);
	check_ends(film, &problem);
	check_marks(film);
	assert_int_equal(sw_sequence_measure(sw_film_sequence(film, 0)).height, 144);
	assert_int_equal(sw_sequence_measure(sw_film_sequence(film, sw_film_count(film))).height, 6);
	assert_true(sw_sequence_measure(sw_film_sequence(film, sw_film_count(film))).normal_form);
	sw_film_free(film);
	sw_sequence_free(naive);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_normal_form),
		TEST(test_merging),
		TEST(test_permutation),
		TEST(test_paper),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
