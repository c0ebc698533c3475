/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules: statements, commands and loops; what is refused, and where.
 */
#include "kit.h"

#include "arena.h"
#include "cases.h"
#include "schedules.h"

/* ---- cases ---- */

typedef void (*use_line)(json_t *line);

static int each_line(const char *file, use_line use)
{
	FILE *in = cases_open(file);
	char *text = NULL;
	size_t room = 0;
	int lines = 0;

	assert_non_null(in);
	for (; getline(&text, &room, in) > 0; lines++) {
		json_t *line = json_loads(text, 0, NULL);
		assert_non_null(line);
		use(line);
		json_decref(line);
		sw_arena_clear(arena);
	}
	free(text);
	fclose(in);
	return lines;
}

static const char *text_of(json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void compare_loops(json_t *line, const sw_schedule *schedule)
{
	json_t *loops = json_object_get(line, "loops");

	assert_int_equal(schedule->loops, json_array_size(loops));
	for (int k = 0; k < schedule->loops; k++)
		if (!sw_str_is(schedule->loop[k].name, json_string_value(json_array_get(loops, (size_t)k))))
			fail_msg("%s: loop %d is %.*s", text_of(line, "name"), k, (int)schedule->loop[k].name.length,
				schedule->loop[k].name.at);
}

static void read_line(json_t *line)
{
	sw_schedule_problem problem;
	sw_text text = {0};
	sw_diag diag = {0};
	int refused = -1;

	if (!schedule_problem(line, arena, &problem, &diag))
		fail_msg("%s: %s", text_of(line, "name"), diag.message);
	const sw_schedule *schedule = schedule_of(line, &problem, arena, &refused, &diag);
	if (schedule == NULL)
		fail_msg("%s: command %d: %s", text_of(line, "name"), refused, diag.message);
	compare_loops(line, schedule);
	sw_schedule_print(schedule, &text);
	assert_string_equal(sw_text_get(&text), text_of(line, "notation"));
	sw_text_free(&text);
}

static void loops_and_notation_are_those_of_the_cases(void **state)
{
	(void)state;
	assert_true(each_line("distal-schedules.jsonl", read_line) > 10);
}

/* The code that belongs to the name of an error. */
static sw_code code_of(const char *of, const char *name)
{
	for (int k = 0; sw_error_at(k) != NULL; k++)
		if (strcmp(sw_error_at(k)->of, of) == 0 && strcmp(sw_error_at(k)->name, name) == 0)
			return sw_error_at(k)->code;
	fail_msg("no code belongs to %s", name);
	return SW_OK;
}

static void compare_refusal(json_t *line, const char *where, const char *of, const sw_diag *diag)
{
	const char *name = text_of(line, "name");

	if (strcmp(where, text_of(line, "where")) != 0)
		fail_msg("%s: refused in %s: %s", name, where, diag->message);
	if (diag->code != code_of(of, text_of(line, "error")))
		fail_msg("%s: refused as %s: %s", name, sw_code_info_of(diag->code)->name, diag->message);
	assert_true(diag->expected[0] != '\0' || diag->hint[0] != '\0');
	assert_true(strcmp(of, "lowering") == 0 || diag->at.end > diag->at.begin);
}

static void refuse_line(json_t *line)
{
	sw_schedule_problem problem;
	sw_diag diag = {0};
	char where[32];
	int refused = -1;

	if (strncmp(text_of(line, "where"), "distribution", 12) == 0)
		return;
	if (!schedule_problem(line, arena, &problem, &diag)) {
		compare_refusal(line, "statement", "statement", &diag);
		return;
	}
	const sw_schedule *schedule = schedule_of(line, &problem, arena, &refused, &diag);
	if (schedule == NULL) {
		snprintf(where, sizeof where, "schedule %d", refused);
		compare_refusal(line, where, "schedule", &diag);
		return;
	}
	assert_null(sw_lowering_of(schedule, arena, &diag));
	compare_refusal(line, "lowering", "lowering", &diag);
}

static void what_the_cases_refuse_is_refused(void **state)
{
	(void)state;
	assert_true(each_line("distal-illegal.jsonl", refuse_line) > 10);
}

/* ---- refusals, and where ---- */

static const struct refusal {
	const char *chain;
	sw_code code;
	const char *at;    /* what is underlined */
	const char *tells; /* a part of the message, what was expected, or the hint */
} refusals[] = {
	{"", SW_D11, "", "there is no command here"},
	{".divide(i, io, ii, 2", SW_D11, "(", "never closed"},
	{".divide(i, io, ii, 2).", SW_D11, "", "no command begins here"},
	{".divide(i, io, ii, 2)reorder({io})", SW_D11, "r", "a dot is missing"},
	{".divide(i,, ii, 2)", SW_D11, "i,, ii, 2", "empty"},
	{"divide i io ii 2", SW_D11, "divide i", "a bracket is missing"},
	{".divide(i, io, ii, 2); x", SW_D11, ";", "follows the end"},
	{".communicate({A,B, j)", SW_D11, "(", "never closed"},
	{".devide(i, io, ii, 2)", SW_D12, "devide", "did you mean 'divide'?"},
	{".divide(i, io, ii)", SW_D13, "divide(i, io, ii)", "divide(i, io, ii, PARTS)"},
	{".divide(i, io, ii, two)", SW_D13, "two", "not a number"},
	{".divide(i, io, ii, GX)", SW_D13, "GX", "did you mean 'gx', which is 2?"},
	{".distribute({i,j}, {io}, {ii,ji}, Grid(2,2))", SW_D13, "{io}", "1 here, and 2 loops"},
	{".distribute({i,j}, {io,jo}, {ii,ji}, Grid(2))", SW_D13, "Grid(2)", "1 here, and 2 loops"},
	{".distribute({})", SW_D13, "{}", "no loop is named"},
	{".rotate(k, {}, ks)", SW_D13, "{}", "loops outside 'k'"},
	{".parallelize(i, cores)", SW_D13, "cores", "threads"},
	{".divide(i, 2, ii, 2)", SW_D13, "2", "is not a name"},
	{".reorder({kk, i})", SW_D14, "kk", "did you mean 'k'?"},
	{".divide(i, io, ii, 2).reorder({k, i})", SW_D15, "i", "it was cut into 'io' and 'ii'"},
	{".rotate(k, {i}, ks).communicate(B, k)", SW_D15, "k", "'ks' replaced it"},
	{".collapse(i, j, f).distribute(j)", SW_D15, "j", "'f' replaced it"},
	{".divide(k, j, ki, 2)", SW_D16, "j", "the name of a loop"},
	{".divide(k, ko, B, 2)", SW_D16, "B", "the name of an array"},
	{".divide(k, ko, ko, 2)", SW_D16, "ko", "two names"},
	{".distribute({i,j}, {p,q}, {p,r}, Grid(2,2))", SW_D16, "p", "named twice"},
	{".split(i, io, ii, -5)", SW_D17, "-5", "split(i, io, ii, 1)"},
	{".distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,0))", SW_D17, "0", "1 or more"},
	{".reorder({i, j, i})", SW_D18, "i", "each loop once"},
	{".reorder(i, j, i)", SW_D18, "i", "each loop once"},
	{".collapse(i, k, f)", SW_D19, "i, k", "reorder({i, k, j}) first"},
	{".collapse(k, i, f)", SW_D19, "k, i", "reorder({j, k, i}) first"},
	{".collapse(j, i, f)", SW_D19, "j, i", "collapse(i, j, f)"},
	{".distribute(i).divide(i, io, ii, 2)", SW_D20, "i", "divide it before distribute(i)"},
	{".distribute(i).distribute(i)", SW_D20, "i", "a loop in time: j, k"},
	{".distribute(i).parallelize(i, threads)", SW_D20, "i", "in space"},
	{".parallelize(i, threads).distribute(i)", SW_D21, "i", "a loop of threads"},
	{".rotate(k, {k}, ks)", SW_D22, "k", "loops outside it: i, j"},
	{".rotate(i, {k}, is)", SW_D23, "k", "there is none"},
	{".rotate(k, {i}, ks).reorder({ks, i})", SW_D23, "ks", "name 'i' too, before 'ks'"},
	{".rotate(j, {k}, js)", SW_D23, "k", "reorder({k, j}) first"},
	{".rotate(k, {i}, ks).rotate(ks, {j}, kt)", SW_D24, "ks", "rotate(k, {...}, ks)"},
	{".rotate(k, {i}, ks).split(ks, p, q, 2)", SW_D24, "ks", "'ks' was 'k': split it before rotate(k,{i},ks)"},
	{".rotate(k, {i}, ks).split(i, io, ii, 2)", SW_D24, "i", "split it before rotate(k,{i},ks)"},
	{".distribute(j).rotate(j, {i}, js)", SW_D25, "j", "a rotation is in time"},
	{".rotate(k, {i}, ks).distribute(ks)", SW_D25, "ks", "distribute the loops that rotate it"},
	{".communicate(B, k).rotate(k, {i}, ks)", SW_D26, "k", "rotate it before communicate(B,k)"},
	{".communicate(A, j).communicate({B,A}, j)", SW_D27, "A", "already"},
	{".communicate(a, j)", SW_D28, "a", "did you mean 'A'?"},
	{".parallelize(k, threads)", SW_D29, "k", "parallelize(k, threads, reduce)"},
	{".precompute(B(i,j), W)", SW_D30, "B(i,j)", "one of B(i,k), C(k,j), or"},
	{".precompute(B(i,k)*B(i,k), W)", SW_D30, "B(i,k)*B(i,k)", "factors of"},
	{".substitute({i,j}, gemm)", SW_D31, "{i,j}", "reorder({k,i,j}) first"},
	{".substitute({i,j,k}, gemm).reorder({k,j})", SW_D31, "k", "reorder before substitute"},
	{".substitute({i,j,k}, gem)", SW_D32, "gem", "did you mean 'gemm'?"},
	{".substitute({i,j,k}, ttv)", SW_D33, "ttv", "'gemm' computes that"},
	{".communicate(B, k).substitute({i,j,k}, gemm)", SW_D34, "k", "communicate it under a loop outside the kernel"},
	{".divide(k, ko, ki, 2).reorder({ko,i,j,ki}).substitute({i,j,ki}, gemm).communicate(B, j)", SW_D34, "j",
		"communicate(B, ko)"},
	{".substitute({i,j,k}, gemm).communicate(B, k)", SW_D34, "k", "a loop outside it"},
};

static const sw_schedule_number numbers[] = {{{"gx", 2}, 2}, {{"chunk", 5}, 3}};

static const sw_schedule_problem *product_of_squares(void)
{
	sw_schedule_problem *problem = SW_NEW(arena, sw_schedule_problem, 1);

	*problem = *schedule_squares("{x: 2, y: 2}", sw_str_of("A(i,j) = B(i,k) * C(k,j)"), arena, NULL);
	problem->number = numbers;
	problem->numbers = COUNT(numbers);
	return problem;
}

static bool tells(const sw_diag *diag, const char *words)
{
	return strstr(diag->message, words) != NULL || strstr(diag->expected, words) != NULL ||
		strstr(diag->hint, words) != NULL;
}

static void refused(void **state)
{
	const struct refusal *row = *state;
	const sw_schedule *start = sw_schedule_new(product_of_squares(), arena);
	sw_diag diag = {0};

	assert_null(sw_schedule_read(start, sw_str_of(row->chain), arena, NULL, &diag));
	if (diag.code != row->code || !tells(&diag, row->tells))
		fail_msg("%s: %s: %s, expected %s; %s", row->chain, sw_code_info_of(diag.code)->name, diag.message,
			diag.expected, diag.hint);
	sw_str at = {row->chain + diag.at.begin, diag.at.end - diag.at.begin};
	if (!sw_str_is(at, row->at))
		fail_msg("%s: '%.*s' is underlined", row->chain, (int)at.length, at.at);
	assert_int_equal(start->commands, 0);
}

/* ---- what is read ---- */

static const struct reading {
	const char *chain, *notation;
} readings[] = {
	{".divide(i, io, ii, gx) // cut\n.split(k, ko, ki, chunk);",
		"forall io ii j ko ki: A(i,j) += B(i,k) * C(k,j) s.t. divide(i,io,ii,2), split(k,ko,ki,3)"},
	{"reorder(k, j, i)", "forall k j i: A(i,j) += B(i,k) * C(k,j) s.t. reorder(k,j,i)"},
	{"divide(i, io, ii, 2)\nreorder({io})",
		"forall io ii j k: A(i,j) += B(i,k) * C(k,j) s.t. divide(i,io,ii,2), reorder(io)"},
	{". collapse ( i , j , f ) . distribute ( f )",
		"forall f k: A(i,j) += B(i,k) * C(k,j) s.t. collapse(i,j,f), distribute(f)"},
	{".distribute(i, j)", "forall i j k: A(i,j) += B(i,k) * C(k,j) s.t. distribute(i), distribute(j)"},
	{".parallelize(k, threads, reduce)",
		"forall i j k: A(i,j) += B(i,k) * C(k,j) s.t. parallelize(k,threads,reduce)"},
	{".precompute(C(k,j) * B(i,k), W)", "forall i j k: A(i,j) += B(i,k) * C(k,j) s.t. precompute(C(k,j) * B(i,k),W)"},
	{".substitute({i,j,k}, CuBLAS::GeMM)", "forall i j k: A(i,j) += B(i,k) * C(k,j) s.t. substitute({i,j,k},gemm)"},
};

static void read_as(void **state)
{
	const struct reading *row = *state;
	const sw_schedule *schedule = sw_schedule_read(sw_schedule_new(product_of_squares(), arena),
		sw_str_of(row->chain), arena, NULL, NULL);
	sw_text text = {0};

	assert_non_null(schedule);
	sw_schedule_print(schedule, &text);
	assert_string_equal(sw_text_get(&text), row->notation);
	sw_text_free(&text);
}

/* The example of each command is legal where its loops are there. */
static void examples_are_legal(void **state)
{
	const sw_schedule *start = sw_schedule_new(product_of_squares(), arena);

	(void)state;
	for (int n = 0; sw_schedule_command_at(n) != NULL; n++) {
		const sw_schedule_command_row *row = sw_schedule_command_at(n);
		sw_diag diag = {0};
		if (sw_schedule_read(start, sw_str_of(row->example), arena, NULL, &diag) == NULL)
			fail_msg("%s: %s", row->example, diag.message);
		assert_true(sw_schedule_begins(sw_str_of(row->example)));
	}
	assert_false(sw_schedule_begins(sw_str_of("divide and conquer")));
}

/* A command is taken back by going to the schedule before it. */
static void commands_are_kept(void **state)
{
	const sw_schedule *start = sw_schedule_new(product_of_squares(), arena);
	const sw_schedule *schedule = sw_schedule_read(start, sw_str_of(".divide(k, ko, ki, 2) .reorder({ko, i})"), arena,
		NULL, NULL);
	sw_text text = {0};

	(void)state;
	assert_non_null(schedule);
	assert_int_equal(schedule->commands, 2);
	assert_true(sw_str_is(sw_schedule_command_text(schedule, 0), "divide(k, ko, ki, 2)"));
	assert_true(sw_str_is(sw_schedule_command_text(schedule, 1), "reorder({ko, i})"));
	assert_ptr_equal(schedule->before->before, start);
	assert_int_equal(sw_schedule_find(schedule, sw_str_of("ko")), 0);
	assert_int_equal(sw_schedule_find(schedule->before, sw_str_of("ko")), 2);
	assert_ptr_equal(sw_schedule_after(schedule, 0), schedule->before);
	sw_schedule_print_command(schedule, 0, &text);
	assert_true(sw_str_equal(sw_str_of(sw_text_get(&text)), sw_schedule_command_text(schedule, 0)));
	sw_text_free(&text);
}

/* How many rows of the table have the code. */
static int names_of(sw_code code)
{
	int rows = 0;

	for (int n = 0; sw_error_at(n) != NULL; n++)
		rows += sw_error_at(n)->code == code;
	return rows;
}

static void every_code_has_a_name(void **state)
{
	(void)state;
	for (int code = SW_D01; code <= SW_D06; code++)
		assert_int_equal(names_of((sw_code)code), 1);
	for (int code = SW_D11; code <= SW_D36; code++)
		assert_int_equal(names_of((sw_code)code), 1);
	for (int code = SW_F01; code <= SW_F06; code++)
		assert_int_equal(names_of((sw_code)code), 1);
	assert_int_equal(names_of(SW_L01), 0);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(loops_and_notation_are_those_of_the_cases),
		TEST(what_the_cases_refuse_is_refused),
		ROWS(refused, refusals, chain),
		ROWS(read_as, readings, chain),
		TEST(examples_are_legal),
		TEST(commands_are_kept),
		TEST(every_code_has_a_name),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
