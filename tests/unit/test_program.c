/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs: read, typed by the rules of seed 000, printed.
 */
#include <jansson.h>

#include <shardwalk/assign.h>
#include <shardwalk/program.h>

#include "kit/cases.h"
#include "kit/problem.h"
#include "program/typing.h"

static sw_program program_of(const char *text, sw_arena *arena)
{
	sw_program program;
	sw_diag diag;

	if (!sw_program_parse(sw_str_of(text), NULL, arena, &program, &diag))
		fail_msg("%s: %s\n%s", text, diag.message, diag.hint);
	return program;
}

/* The line, from 1, of the last byte before `end`. */
static int line_of(const char *text, size_t end)
{
	int line = 1;

	for (size_t i = 0; i + 1 < end; i++)
		line += text[i] == '\n';
	return line;
}

/* ---- recorded lines ---- */

static const char *text_at(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void same_type(const sw_mesh *mesh, const sw_type *type, const json_t *right)
{
	sw_text text = {0};

	sw_type_print(mesh, type, type->dtype_given, &text);
	assert_string_equal(sw_text_get(&text), json_string_value(right));
	sw_text_free(&text);
}

static void same_values(const json_t *line, const sw_program *program)
{
	const json_t *values = json_object_get(line, "values");

	size_t kept = 0;

	for (int v = 0; v < program->values; v++) {
		if (!sw_program_keeps(program, v))
			continue;
		const json_t *value = json_array_get(values, kept++);

		assert_true(sw_str_is(program->value[v].name, json_string_value(json_array_get(value, 0))));
		same_type(&program->mesh, program->value[v].type, json_array_get(value, 1));
	}
	assert_int_equal(kept, json_array_size(values));
}

static void same_moves(const json_t *line, const sw_program *program)
{
	const json_t *moves = json_object_get(line, "redistributions");
	size_t i = 0;

	assert_int_equal(sw_program_moves(program), json_array_size(moves));
	for (int s = sw_program_next_move(program, -1); s >= 0; s = sw_program_next_move(program, s)) {
		const json_t *ends = json_array_get(moves, i++);

		same_type(&program->mesh, sw_program_from(program, s), json_array_get(ends, 0));
		same_type(&program->mesh, sw_program_to(program, s), json_array_get(ends, 1));
	}
}

static void same_program(const json_t *line, const sw_program *program)
{
	same_values(line, program);
	same_moves(line, program);
	assert_int_equal(program->notes, json_integer_value(json_object_get(line, "notes")));
}

/* What is printed is the same program. */
static void same_again(const json_t *line, const sw_program *program, sw_arena *arena)
{
	sw_text text = {0};

	sw_program_print(program, &text);
	sw_program again = program_of(sw_text_get(&text), arena);
	same_program(line, &again);
	sw_text_free(&text);
}

static void same_answer(const json_t *line, sw_arena *arena)
{
	const char *text = text_at(line, "text"), *rule = text_at(line, "rule");
	sw_program program;
	sw_diag diag;
	bool typed = sw_program_parse(sw_str_of(text), NULL, arena, &program, &diag);

	if (typed != (rule == NULL))
		fail_msg("%s: %s", text_at(line, "name"), typed ? "typed" : diag.message);
	if (typed) {
		same_program(line, &program);
		same_again(line, &program, arena);
		return;
	}
	assert_string_equal(diag.rule, rule);
	assert_int_equal(line_of(text, diag.at.end), json_integer_value(json_object_get(line, "line")));
}

static void recorded_programs_are_typed_or_break_their_rule(void **state)
{
	FILE *file = cases_open("programs-typing.jsonl");
	sw_arena *arena = sw_arena_new();
	char text[8192];
	int lines = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(text, sizeof text, file) != NULL) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		same_answer(line, arena);
		json_decref(line);
		sw_arena_clear(arena);
		lines++;
	}
	assert_true(lines > 0);
	sw_arena_free(arena);
	fclose(file);
}

/* ---- what is refused ---- */

#define HEAD "mesh {x: 2, y: 2}\nfn f(a : [4, 8{y}16], b : [8{y}16, 6], c : [4, 6]) -> [4, 6] {\n"

static const struct wrong {
	const char *text, *rule, *at,
		*says; /* the words that are marked, and a part of message, what was found or hint */
} wrong[] = {
	{HEAD "s = einsum \"ij,jk->ik\" a b\nr = add s c\nreturn r\n}", SW_RULE_ALIKE, "s c", "zeros"},
	{HEAD "s = einsum \"ij,jk->ik\" a b\nr = relu s\nreturn r\n}", SW_RULE_NO_SUM, "s",
		"[2{y}4, 6] (reducescatter, cost 24) or as [4, 3{y}6] (reducescatter, cost 24)"},
	{HEAD "s = einsum \"ij,jk->iz\" a b\nreturn s\n}", "E-EQ", "z", "leave 'z' out"},
	{HEAD "s = neg cc\nreturn s\n}", SW_RULE_VAR, "cc", "did you mean c?"},
	{HEAD "s = matmul a b\nreturn s\n}", SW_RULE_SYNTAX, "matmul", "einsum"},
	{HEAD "relu = neg c\nreturn relu\n}", SW_RULE_SYNTAX, "relu", "reserved word"},
	{HEAD "s = spmd_op c (t : [4, 6]) {\nreturn (einsum t t)\n} as [4, 6]\nreturn s\n}", SW_RULE_SYNTAX, "einsum",
		"matmul"},
	{HEAD "s = spmd_op a (t : [4, 8]) {\nreturn t\n} as [4, 8]\nreturn s\n}", SW_RULE_DETERMINED, "[4, 8]",
		"devices 0 and 1"},
	{HEAD "s = spmd_op c c (t : [4, 6], u : [4, 6]) {\nv = mul t u : [4, 5]\nreturn v\n} as [4, 6]\nreturn s\n}",
		SW_RULE_ASCRIBE, "[4, 5]", "but the result is [4, 6]"},
	{HEAD "return c\n} and more", SW_RULE_SYNTAX, "and", "nothing more"},
	{HEAD "return a\n}", SW_RULE_RETURN, "a", "[4, 8{y}16]"},
	{"mesh {x: 2, x: 2}\nfn f() -> [4] {\nreturn c\n}", SW_RULE_MESH, "x", "'x'"},
	{"mesh {x: 2}\nfn f(a : [2{x,x}8]) -> [4] {\nreturn a\n}", SW_RULE_DIM, "x", "twice"},
	{"mesh {x: 2}\nfn f(a : [2{x}4, 2{x}4]) -> [4] {\nreturn a\n}", SW_RULE_TYPE, "x", "twice"},
	{"mesh {x: 2}\nfn f(a : [2{x}4]+{z}) -> [4] {\nreturn a\n}", SW_RULE_SUM, "z", "no axis"},
	{"mesh {x: 2}\nfn f(a : ?[2{x}4]) -> [4] {\nreturn a\n}", SW_RULE_SYNTAX, "[2{x}4]", "open"},
	{"fn f() -> [4] {\nreturn c\n}", SW_RULE_SYNTAX, "fn", "mesh"},
	{"", SW_RULE_SYNTAX, "", "ends too early"},
};

static void is_refused_there(void **state)
{
	const struct wrong *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_program program;
	sw_diag diag;

	assert_false(sw_program_parse(sw_str_of(row->text), NULL, arena, &program, &diag));
	assert_string_equal(diag.rule, row->rule);
	sw_str marked = {row->text + diag.at.begin, diag.at.end - diag.at.begin};
	if (!sw_str_is(marked, row->at))
		fail_msg("'%.*s' is marked: %s", (int)marked.length, marked.at, diag.message);
	if (strstr(diag.message, row->says) == NULL && strstr(diag.hint, row->says) == NULL &&
		strstr(diag.found, row->says) == NULL && strstr(diag.expected, row->says) == NULL)
		fail_msg("%s: %s: %s", diag.message, diag.found, diag.hint);
	sw_arena_free(arena);
}

/* ---- what is typed ---- */

static void comments_and_blanks_are_read(void **state)
{
	(void)state;
	static const char text[] =
		"// a # b\nmesh {\"a # b\": 2} # {\nfn f(x : [2{\"a # b\"}4]) -> [2{'a # b'}4] { // }\n"
		"y = relu x z = neg y\nreturn z }";
	sw_arena *arena = sw_arena_new();
	sw_text printed = {0};
	sw_program program = program_of(text, arena);

	assert_int_equal(program.steps, 2);
	assert_int_equal(program.step[1].operand[0], 1);
	assert_int_equal(program.returned, 2);
	assert_ptr_equal(program.value[1].name.at, text + program.value[1].at.begin);
	sw_program_print(&program, &printed);
	sw_program again = program_of(sw_text_get(&printed), arena);
	assert_int_equal(again.step[1].operand[0], 1);
	sw_text_free(&printed);
	sw_arena_free(arena);
}

static void types_left_open_are_waited_for(void **state)
{
	(void)state;
	static const char text[] = "mesh {x: 2}\nfn f(a : [4{x}8, 6], b : ?[6, 4], c : [8, 2{x}4]) -> [4{x}8, 4] {\n"
							   "  p = einsum \"ij,jk->ik\" a b as ?\n  q = add p c as ?\n  return q\n}\n";
	sw_arena *arena = sw_arena_new();
	sw_program program = program_of(text, arena), assigned;
	const sw_assign_options options = {.bytes = false};
	sw_assignment found;
	sw_diag diag;

	assert_true(sw_program_open(&program));
	assert_false(sw_program_typed(&program, 0));
	assert_int_equal(sw_program_moves(&program), 0);
	assert_true(sw_assign(&program, &options, arena, &assigned, &found, &diag));
	assert_true(found.found);
	assert_int_equal(sw_program_moves(&assigned), 1);
	int moved = sw_program_next_move(&assigned, -1);
	assert_int_equal(assigned.step[moved].why, SW_STEP_TO_USE);
	assert_int_equal(sw_program_source(&assigned, sw_program_value_of(&assigned, moved)), 2);
	sw_text printed = {0};
	sw_program_print(&assigned, &printed);
	sw_program again = program_of(sw_text_get(&printed), arena);
	assert_int_equal(again.steps, 3);
	assert_int_equal(again.step[moved].why, SW_STEP_WRITTEN);
	assert_int_equal(sw_program_moves(&again), 1);
	sw_text_free(&printed);
	sw_arena_free(arena);
}

/* What is kept elsewhere than it is computed, or used elsewhere than it is kept, is a value of its own. */
static void what_is_on_the_way_is_a_value(void **state)
{
	(void)state;
	static const char text[] = "mesh {x: 2}\nfn f(a : [4{x}8, 6]) -> [8, 3{x}6] {\n"
							   "  p = relu a as [8, 3{x}6]\n  q = neg p\n  return q\n}\n";
	sw_arena *arena = sw_arena_new();
	sw_program program = program_of(text, arena), bare;
	int of[8];

	assert_int_equal(program.steps, 3);
	assert_int_equal(program.values, 4);
	assert_int_equal(program.step[1].why, SW_STEP_TO_KEEP);
	assert_int_equal(sw_program_kept(&program, 0), 2);
	assert_false(sw_program_keeps(&program, 1));
	assert_true(sw_str_equal(program.value[1].name, program.value[2].name));
	assert_int_equal(program.step[2].operand[0], 2);
	assert_true(sw_program_bare(&program, arena, &bare, of));
	assert_int_equal(bare.steps, 2);
	assert_int_equal(of[1], of[2]);
	assert_ptr_equal(bare.value[1].type, program.value[2].type);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_programs_are_typed_or_break_their_rule),
		ROWS(is_refused_there, wrong, says),
		TEST(comments_and_blanks_are_read),
		TEST(types_left_open_are_waited_for),
		TEST(what_is_on_the_way_is_a_value),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
