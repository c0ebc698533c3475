/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements of the theory: all hold on drawn cases; those that rest on axes of prime size do not without it; wrong ones,
 * made here on purpose, are refuted soon by a small case.
 */
#include "theory/claims.h"
#include "theory/low.h"
#include "kit/kit.h"

#define SLICE (1u << SW_DYNSLICE)
#define GATHER (1u << SW_ALLGATHER)
#define MOVE (1u << SW_ALLTOALL)
#define PERMUTE (1u << SW_ALLPERMUTE)
#define ALL (SLICE | GATHER | MOVE | PERMUTE)

static uint64_t seed_of_tests(void)
{
	const char *seed = getenv("SEED");
	return seed ? strtoull(seed, NULL, 10) : 20240607;
}

static const char *named(const sw_statement *statement)
{
	static char name[40];
	snprintf(name, sizeof name, "%s %s", sw_statement_kind_name(statement->kind), statement->number);
	return name;
}

static void test_all_hold(void **state)
{
	(void)state;
	sw_trial_options options = {.cases = 300, .seed = seed_of_tests()};
	print_message("SEED=%llu\n", (unsigned long long)options.seed);
	for (int n = 0; sw_statement_at(n); n++) {
		sw_arena *arena = sw_arena_new();
		sw_trial trial;
		sw_diag diag;
		options.cases = sw_statement_at(n)->known ? 3000 : 300;
		if (!sw_statement_try(sw_statement_at(n), &options, arena, &trial, &diag))
			fail_msg("%s: %s", named(sw_statement_at(n)), diag.message);
		if (trial.refuted != (sw_statement_at(n)->known != NULL))
			fail_msg("%s: %s\n%s", named(sw_statement_at(n)), trial.why, trial.script);
		if (!trial.refuted)
			assert_int_equal(trial.held, options.cases);
		sw_arena_free(arena);
	}
}

/* Without the premise of primes, those that need it are refuted, and no other. */
static void test_primes_are_needed(void **state)
{
	(void)state;
	sw_trial_options options = {.cases = 2000, .seed = 1, .unsplit = true};
	for (int n = 0; sw_statement_at(n); n++) {
		const sw_statement *statement = sw_statement_at(n);
		if (statement->paper != SW_PAPER_REDISTRIBUTION)
			continue;
		sw_arena *arena = sw_arena_new();
		sw_trial trial;
		assert_true(sw_statement_try(statement, &options, arena, &trial, NULL));
		if (trial.refuted != statement->needs_primes)
			fail_msg("%s: %s", named(statement), trial.refuted ? trial.why : "it holds without primes");
		sw_arena_free(arena);
	}
}

/* ---- what is printed and not meant ---- */

static void test_printed_forms(void **state)
{
	(void)state;
	const sw_trial_options options = {.cases = 100, .seed = 1};
	int printed = 0;
	for (int n = 0; sw_statement_at(n); n++) {
		const sw_statement *statement = sw_statement_at(n);
		sw_arena *arena = sw_arena_new();
		sw_trial trial;
		assert_true(!statement->printed || sw_statement_try(statement, &options, arena, &trial, NULL));
		if (statement->printed) {
			assert_true(trial.misprinted && !trial.refuted);
			assert_int_equal(trial.devices, 2);
			assert_non_null(strstr(trial.why, "k = 1"));
			assert_non_null(strstr(trial.why, "F(1) is empty"));
			printed++;
		}
		sw_arena_free(arena);
	}
	assert_int_equal(printed, 1);
}

/* ---- wrong statements ---- */

/* A peak in two steps: the permutation is forgotten. */
static sw_outcome wrong_two_steps(const sw_case *one, sw_try *work)
{
	static const sw_case_form two = {.next = {{2, 2, 2, 2}, {3, 3, 3, 3}, {0}}, .ends = 7};
	return sw_claim_way(one, &two, sw_case_ends(one), "sequence of two steps", work);
}

/* As low as the smaller end. */
static sw_outcome wrong_height(const sw_case *one, sw_try *work)
{
	int64_t first = sw_case_size(&one->mesh, &one->type[0]);
	int64_t last = sw_case_size(&one->mesh, &one->type[one->count - 1]);
	return sw_claim_way(one, &sw_form_any, first < last ? first : last, "sequence", work);
}

/* Gathers in front. */
static sw_outcome wrong_order(const sw_case *one, sw_try *work)
{
	static const sw_case_form turned = {.next = {{3, 1, 2, 2}, {3, 0, 2, 2}, {3, 0, 0, 0}}, .ends = 7};
	return sw_claim_way(one, &turned, sw_case_ends(one), "normal form", work);
}

static sw_outcome wrong_no_permutes(const sw_case *one, sw_try *work)
{
	static const sw_case_form plain = {.next = {{1, 3, 2, 0}, {0, 3, 2, 0}, {0, 3, 0, 0}}, .ends = 7};
	return sw_claim_way(one, &plain, sw_case_ends(one), "normal form", work);
}

/* Permutations cost nothing. */
static sw_outcome wrong_optimum(const sw_case *one, sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_case *weak = SW_NEW_ZERO(work->arena, sw_case, 2);
	assert_true(space && weak);
	assert_true(sw_case_way(space, &one->type[0], &one->type[1], &sw_form_any, PRICE_WEAK_COST, 0, &weak[0]));
	assert_true(sw_case_way(space, &one->type[0], &one->type[1], &sw_form_any, PRICE_COST, 0, &weak[1]));
	return sw_case_cost(&weak[1], true) <= sw_case_cost(&weak[0], false) ? SW_HOLDS :
																		   sw_refute(work, "permutations cost");
}

/* Axes stand major to minor. */
static sw_outcome wrong_offsets(const sw_case *one, sw_try *work)
{
	sw_case_type turned = one->type[0];
	for (int d = 0; d < one->mesh.rank; d++)
		for (int p = 0; p < turned.count[d]; p++)
			turned.axis[d][p] = one->type[0].axis[d][turned.count[d] - 1 - p];
	for (int64_t device = 0; device < sw_case_devices(&one->mesh); device++) {
		int64_t a[CASE_DIMS] = {0}, b[CASE_DIMS] = {0};
		sw_case_offset(&one->mesh, &one->type[0], device, a);
		sw_case_offset(&one->mesh, &turned, device, b);
		if (memcmp(a, b, sizeof a) != 0)
			return sw_refute(work, "device %lld", (long long)device);
	}
	return SW_HOLDS;
}

/* Devices keep their numbers where an axis that is not the minor one is gathered: found by execution alone. */
static sw_outcome wrong_device_map(const sw_case *one, sw_try *work)
{
	sw_low low;
	sw_case_step step;
	bool right;
	assert_true(sw_low_start(&low, &one->mesh, &one->type[0], work->arena, work->diag));
	sw_case_step_between(&one->mesh, &one->type[0], &one->type[1], &step);
	step.axis = one->type[0].axis[step.from][one->type[0].count[step.from] - 1];
	assert_true(sw_low_step(&low, &step, work->diag));
	int64_t *map = SW_NEW(work->arena, int64_t, low.devices * one->mesh.rank);
	assert_non_null(map);
	for (int64_t d = 0; d < low.devices; d++)
		low.at[d] = d;
	sw_low_map(&low, map);
	low.plan.program.value[1].map = map;
	assert_true(sw_low_execute(&low, 1, NULL, &right, work->diag));
	return right ? SW_HOLDS : sw_refute(work, "a device holds another tile");
}

static const sw_statement_row wrong[] = {
	{.statement = {SW_STATEMENT_LEMMA, "two steps", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 3,
		.joined = true,
		.step = {GATHER, SLICE},
		.holds = wrong_two_steps},
	{.statement = {SW_STATEMENT_LEMMA, "height", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 3,
		.joined = true,
		.step = {GATHER, SLICE},
		.holds = wrong_height},
	{.statement = {SW_STATEMENT_LEMMA, "order", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.step = {ALL, ALL, ALL, ALL, ALL, ALL},
		.holds = wrong_order},
	{.statement = {SW_STATEMENT_LEMMA, "no permutes", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.step = {ALL, ALL, ALL, ALL, ALL, ALL},
		.holds = wrong_no_permutes},
	{.statement = {SW_STATEMENT_LEMMA, "optimum", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.holds = wrong_optimum},
	{.statement = {SW_STATEMENT_LEMMA, "offsets", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 1,
		.most = 1,
		.holds = wrong_offsets},
	{.statement = {SW_STATEMENT_LEMMA, "any two types", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.holds = sw_claim_permutation},
	{.statement = {SW_STATEMENT_LEMMA, "device map", "", "", "", true, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.joined = true,
		.step = {GATHER},
		.holds = wrong_device_map},
};

/* From the same seeds always: how soon a case comes, and how small it gets, is a matter of chance. */
static void test_wrong_ones_are_refuted(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
		sw_trial_options options = {.cases = 200, .seed = 20240607 + n};
		sw_arena *arena = sw_arena_new();
		sw_trial trial;
		sw_diag diag;
		if (!sw_statement_row_try(&wrong[n], &options, arena, &trial, &diag))
			fail_msg("%s: %s", wrong[n].statement.number, diag.message);
		if (!trial.refuted || trial.devices > 8)
			fail_msg("%s: %lld held, %lld devices", wrong[n].statement.number, (long long)trial.held,
				(long long)trial.devices);
		assert_true(trial.why[0] && strncmp(trial.script, "mesh {", 6) == 0);
		sw_arena_free(arena);
	}
}

/* ---- the frame ---- */

static void test_a_seed_says_all(void **state)
{
	(void)state;
	sw_trial_options options = {.cases = 2000, .seed = 7, .unsplit = true};
	const sw_statement *peak = sw_statement_of(SW_PAPER_COUNT, SW_STATEMENT_LEMMA, sw_str_of("4.6"));
	sw_trial first, second;
	sw_arena *arena = sw_arena_new();
	assert_true(sw_statement_try(peak, &options, arena, &first, NULL));
	assert_true(sw_statement_try(peak, &options, arena, &second, NULL));
	assert_true(first.refuted && second.refuted);
	assert_int_equal(first.held, second.held);
	assert_string_equal(first.script, second.script);
	assert_int_equal(first.devices, 8);
	assert_int_equal(first.rank, 1);
	sw_arena_free(arena);
}

static bool until_ten(void *context, const char *what, long long done, long long total)
{
	(void)context;
	assert_string_equal(what, "cases");
	assert_int_equal(total, 100);
	return done < 10;
}

static void test_it_can_be_stopped(void **state)
{
	(void)state;
	sw_pulse pulse = {until_ten, NULL};
	sw_trial_options options = {.cases = 100, .seed = 1, .pulse = &pulse};
	sw_arena *arena = sw_arena_new();
	sw_trial trial;
	sw_diag diag;
	assert_false(sw_statement_try(sw_statement_at(0), &options, arena, &trial, &diag));
	assert_int_equal(diag.code, SW_S03);
	assert_int_equal(trial.held, 10);
	sw_arena_free(arena);
}

/* The steps of cases are those of the engine: the same type follows. */
static void test_steps_are_those_of_the_engine(void **state)
{
	(void)state;
	sw_draw draw = {seed_of_tests()};
	sw_arena *arena = sw_arena_new();
	for (int n = 0, cases = 0; cases < 300; n++) {
		static const sw_statement_row any = {.least = 2,
			.most = 7,
			.joined = true,
			.step = {ALL, ALL, ALL, ALL, ALL, ALL}};
		sw_case one;
		bool right, failed;
		sw_arena_clear(arena);
		if (!sw_case_draw(&any, &draw, n % 2, arena, &one, &failed))
			continue;
		sw_diag diag;
		if (!sw_case_execute(&one, arena, &right, &diag))
			fail_msg("%s", diag.message);
		assert_true(right);
		cases++;
	}
	sw_arena_free(arena);
}

/* Sequence 10 of seed 000: any axis of a dimension may leave it, and the device map says who is where. */
static void test_low_level_steps(void **state)
{
	static const sw_low_call calls[] = {{SW_ALLTOALL, 0, 1, 2}, {SW_ALLTOALL, 0, 1, 1}, {SW_ALLTOALL, 0, 1, 0},
		{SW_ALLPERMUTE, -1, -1, -1}};
	static const int64_t third[] = {0, 4, 2, 6, 1, 5, 3, 7};
	sw_low_state states[5] = {0};
	sw_arena *arena = sw_arena_new();
	sw_mesh mesh;
	sw_type start, end, halves;
	sw_diag diag;
	(void)state;
	assert_true(sw_mesh_parse(sw_str_of("{a: 2, b: 2, c: 2}"), &mesh, &diag));
	assert_true(sw_type_parse(&mesh, sw_str_of("[1{a,b,c}8, 8]"), &start, &diag));
	assert_true(sw_type_parse(&mesh, sw_str_of("[8, 1{a,b,c}8]"), &end, &diag));
	assert_true(sw_low_walk(&mesh, &start, calls, 4, arena, states, &diag));
	assert_true(states[4].right && sw_type_equal(&states[3].type, &end) && sw_type_equal(&states[4].type, &end));
	assert_memory_equal(states[3].at, third, sizeof third);
	for (int64_t d = 0; d < 8; d++)
		assert_int_equal(states[4].at[d], d);
	assert_false(sw_low_walk(&mesh, &end, calls, 1, arena, states, &diag));
	assert_int_equal(diag.code, SW_C06);
	assert_true(sw_mesh_parse(sw_str_of("{a: 4}"), &mesh, &diag));
	assert_true(sw_type_parse(&mesh, sw_str_of("[4{a:(2)2}8]"), &halves, &diag));
	assert_false(sw_low_walk(&mesh, &halves, calls, 1, arena, states, &diag));
	assert_int_equal(diag.code, SW_S08);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_all_hold),
		TEST(test_primes_are_needed),
		TEST(test_printed_forms),
		TEST(test_wrong_ones_are_refuted),
		TEST(test_a_seed_says_all),
		TEST(test_it_can_be_stopped),
		TEST(test_steps_are_those_of_the_engine),
		TEST(test_low_level_steps),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
