/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of engine/base/python.c: lists in place and as slices, what is refused and where, and texts that are none.
 */
#include "base/python.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/mutate.h"

#define MUTANTS 3000

/* ---- in place ---- */

/* Numbers and lists of these, as `(1 [2 3])`: each list in the brackets that it has. */
static bool walk(sw_scan *scan, sw_text *out)
{
	sw_py_list list;
	int64_t number;
	if (!sw_py_open(&list, scan, SW_PY_BRACKETS, NULL)) {
		bool read = sw_scan_number(scan, "item", 0, 99, &number);
		if (read)
			sw_text_add_int(out, number);
		return read;
	}
	sw_text_add_char(out, scan->text.at[list.open.begin]);
	while (sw_py_next(&list)) {
		sw_text_add(out, list.count > 1 ? " " : "");
		if (!walk(scan, out))
			return false;
	}
	sw_text_add_char(out, list.close);
	return list.ok;
}

static const struct walked_row {
	const char *text, *found;
} walked_rows[] = {
	{"()", "()"},
	{"(1)", "(1)"},
	{" ( 1 , 2 ) ", "(1 2)"},
	{"(1,)", "(1)"},
	{"[1, (2, {3}), [], 4,]", "[1 (2 {3}) [] 4]"},
	{"[\n\t1,\n\t2,\n]", "[1 2]"},
	{"7", "7"},
};

static void walks(void **state)
{
	const struct walked_row *row = *state;
	sw_diag diag = {.code = SW_OK};
	sw_scan scan = {.text = sw_str_of(row->text), .syntax = SW_N01, .diag = &diag};
	sw_text out = {0};
	assert_true(walk(&scan, &out));
	assert_string_equal(sw_text_get(&out), row->found);
	assert_true(sw_scan_finish(&scan, "value"));
	sw_text_free(&out);
}

static const struct refused_row {
	const char *text;
	sw_code code;
	size_t begin, end, also;
	const char *expected;
} refused_rows[] = {
	{"(1 2)", SW_N01, 3, 4, 0, "a comma or ')'"},
	{"(1, [2 3], 4)", SW_N01, 7, 8, 4, "a comma or ']'"},
	{"{1, 2)", SW_N01, 5, 6, 0, "a comma or '}'"},
	{"(1, 2", SW_L06, 0, 1, 0, "')'"},
	{"(1, [2, 3", SW_L06, 4, 5, 0, "']'"},
	{"(1,", SW_L06, 0, 1, 0, "')'"},
	{"(,)", SW_N01, 1, 2, 0, "a number, the item"},
	{"(1,,2)", SW_N01, 3, 4, 0, "a number, the item"},
	{"(", SW_N01, 1, 1, 0, "a number, the item"},
	{"[1, x]", SW_N01, 4, 5, 0, "a number, the item"},
};

static void refuses(void **state)
{
	const struct refused_row *row = *state;
	sw_diag diag = {.code = SW_OK};
	sw_scan scan = {.text = sw_str_of(row->text), .syntax = SW_N01, .diag = &diag};
	sw_text out = {0};
	assert_false(walk(&scan, &out));
	assert_int_equal(diag.code, row->code);
	assert_int_equal(diag.at.begin, row->begin);
	assert_int_equal(diag.at.end, row->end);
	assert_int_equal(diag.also.begin, row->also);
	assert_string_equal(diag.expected, row->expected);
	sw_text_free(&out);
}

/* Another bracket than those that may be there is left, or refused where it is. */
static void opens_what_is_asked_for(void **state)
{
	sw_diag diag = {.code = SW_OK};
	sw_scan scan = {.text = sw_str_of("  [1]"), .syntax = SW_N01, .diag = &diag};
	sw_py_list list;
	(void)state;
	assert_false(sw_py_open(&list, &scan, "({", NULL));
	assert_int_equal(diag.code, SW_OK);
	assert_int_equal(scan.at, 2);
	assert_false(sw_py_open(&list, &scan, "(", "'(' and the mesh"));
	assert_int_equal(diag.at.begin, 2);
	assert_int_equal(diag.at.end, 3);
	assert_string_equal(diag.expected, "'(' and the mesh");
	assert_true(sw_py_open(&list, &scan, "[", "'['"));
	assert_int_equal(list.open.begin, 2);
}

static void filled_lists_need_an_item(void **state)
{
	sw_scan scan = {.text = sw_str_of("()"), .syntax = SW_N01};
	sw_py_list list;
	(void)state;
	assert_true(sw_py_open(&list, &scan, "(", NULL));
	list.filled = true;
	assert_true(sw_py_next(&list));
	assert_int_equal(sw_scan_peek(&scan), ')');
}

static const struct value_row {
	const char *text, *value, *rest;
} value_rows[] = {
	{"P('x', None), 2", "P('x', None)", ", 2"},
	{" a.b(1)[2] )", "a.b(1)[2]", ")"},
	{"'a, b'", "'a, b'", ""},
	{"'a, b", "'a", ", b"},
	{"\"it's, so\", 1", "\"it's, so\"", ", 1"},
	{"<Mesh dims=[1, 2], of=3>, 4", "<Mesh dims=[1, 2], of=3>", ", 4"},
	{"{'x': (1, 2)}}", "{'x': (1, 2)}", "}"},
	{"", "", ""},
	{")", "", ")"},
	{"f(1", "f(1", ""},
};

static void steps_over_values(void **state)
{
	const struct value_row *row = *state;
	sw_scan scan = {.text = sw_str_of(row->text), .syntax = SW_N01};
	assert_true(sw_str_is(sw_py_value(&scan), row->value));
	assert_true(sw_str_is(sw_str_behind(scan.text, scan.at), row->rest));
}

static void stops_at_zero_bytes(void **state)
{
	sw_scan scan = {.text = {"f(1\0)", 5}, .syntax = SW_N01};
	(void)state;
	sw_py_value(&scan);
	assert_int_equal(scan.at, 3);
}

static void names_and_words(void **state)
{
	sw_scan scan = {.text = sw_str_of("jax.sharding.Mesh axis_names = 'x'"), .syntax = SW_N01};
	sw_span at;
	(void)state;
	assert_true(sw_str_is(sw_py_word(&scan, &at), "Mesh"));
	assert_int_equal(at.begin, 0);
	assert_int_equal(at.end, 17);
	assert_false(sw_py_named(&scan, "axis_name"));
	assert_int_equal(scan.at, 17);
	assert_true(sw_py_named(&scan, "axis_names"));
	assert_int_equal(sw_scan_peek(&scan), '\'');
	assert_false(sw_py_named(&scan, "x"));
}

static void rest_ends_behind_the_bracket(void **state)
{
	sw_scan scan = {.text = sw_str_of("(first, f(2, 3), third=[4],) behind"), .syntax = SW_N01};
	sw_py_list list;
	sw_span at;
	(void)state;
	assert_true(sw_py_open(&list, &scan, "(", NULL));
	sw_scan_word(&scan, &at);
	assert_true(sw_py_rest(&list));
	assert_true(sw_str_is(sw_scan_word(&scan, &at), "behind"));
}

/* ---- slices ---- */

/* Items with a sign where they begin, their keys before a colon. */
static void list_items(sw_str list, sw_text *out)
{
	for (sw_py_item item; sw_py_take(&list, &item);) {
		sw_text_add_char(out, '|');
		sw_text_add_str(out, item.key);
		sw_text_add(out, item.key.length ? ":" : "");
		sw_text_add_str(out, item.value);
	}
}

static const struct walked_row item_rows[] = {
	{"", ""},
	{"  ", ""},
	{"1", "|1"},
	{"1, 2", "|1|2"},
	{"1, 2,", "|1|2"},
	{"1,, 2", "|1||2"},
	{"(1, 2), [3, 4]", "|(1, 2)|[3, 4]"},
	{"a=1, b = (2, 3), c", "|a:1|b:(2, 3)|c"},
	{"'a': 1, \"b\" : {'c': 2}", "|a:1|b:{'c': 2}"},
	{"'a' 1, 'b, c'", "|'a' 1|'b, c'"},
	{"x: f32[8, 4] P('x'), y == 2, f(a=1)", "|x: f32[8, 4] P('x')|y == 2|f(a=1)"},
	{"'': 1, =2, 'a", "|'': 1|=2|'a"},
};

static void takes_items(void **state)
{
	const struct walked_row *row = *state;
	sw_text out = {0};
	list_items(sw_str_of(row->text), &out);
	assert_string_equal(sw_text_get(&out), row->found);
	sw_text_free(&out);
}

static const struct walked_row inside_rows[] = {
	{"(1, 2)", "1, 2"},
	{" ( 1 ) ", "1"},
	{"(1)(2)", "(1)(2)"},
	{"[1]", "1"},
	{"{1}", "{1}"},
	{"(1", "(1"},
	{"x", "x"},
	{"", ""},
	{"()", ""},
	{"(')')", "')'"},
};

static void takes_brackets_off(void **state)
{
	const struct walked_row *row = *state;
	assert_true(sw_str_is(sw_py_inside(sw_str_of(row->text), "(["), row->found));
}

static const struct call_row {
	const char *text, *function, *arguments;
} call_rows[] = {
	{"f()", "f", ""},
	{"jnp.einsum('ij,jk->ik', a, b)", "einsum", "'ij,jk->ik', a, b"},
	{"a.b (f(1), 2)", "b", "f(1), 2"},
	{"(1, 2)", "", "1, 2"},
	{"f", NULL, NULL},
	{"f(1) + 2", NULL, NULL},
	{"a @ f(1)", NULL, NULL},
	{"f(1)(2)", NULL, NULL},
	{"f(1", NULL, NULL},
	{"f(')'", NULL, NULL},
	{"", NULL, NULL},
};

static void finds_calls(void **state)
{
	const struct call_row *row = *state;
	sw_str function, arguments;
	bool call = sw_py_call(sw_str_of(row->text), &function, &arguments);
	assert_int_equal(call, row->function != NULL);
	assert_true(!call || (sw_str_is(function, row->function) && sw_str_is(arguments, row->arguments)));
}

/* ---- drawn ---- */

/* A value, and what `walk` finds in it, with the same brackets and other blanks. */
static void draw_value(draw *from, int depth, sw_text *text, sw_text *found)
{
	static const char *const blanks[] = {"", " ", "\n ", "\t"};
	int count = draw_below(from, 4), kind = draw_below(from, 3);
	sw_text_add(text, blanks[draw_below(from, 4)]);
	if (depth == 0 || draw_below(from, 3) == 0) {
		int64_t number = draw_below(from, 100);
		sw_text_add_int(text, number);
		sw_text_add_int(found, number);
		return;
	}
	sw_text_add_char(text, SW_PY_BRACKETS[kind]);
	sw_text_add_char(found, SW_PY_BRACKETS[kind]);
	for (int i = 0; i < count; i++) {
		sw_text_add(text, i ? "," : "");
		sw_text_add(found, i ? " " : "");
		draw_value(from, depth - 1, text, found);
		sw_text_add(text, blanks[draw_below(from, 4)]);
	}
	sw_text_add(text, count && draw_below(from, 3) == 0 ? "," : "");
	sw_text_add_char(text, ")]}"[kind]);
	sw_text_add_char(found, ")]}"[kind]);
}

/* The same from slices. */
static void walk_slices(sw_str text, sw_text *out)
{
	sw_str inner = sw_py_inside(text, SW_PY_BRACKETS);
	text = sw_str_trim(text);
	if (inner.length == text.length) {
		sw_text_add_str(out, text);
		return;
	}
	bool first = true;
	sw_text_add_char(out, *text.at);
	for (sw_py_item item; sw_py_take(&inner, &item); first = false) {
		sw_text_add(out, first ? "" : " ");
		walk_slices(item.text, out);
	}
	sw_text_add_char(out, text.at[text.length - 1]);
}

static void reads_what_was_drawn(void **state)
{
	draw from = draw_start("values");
	(void)state;
	for (int i = 0; i < 500; i++) {
		sw_text text = {0}, drawn = {0}, found = {0}, sliced = {0};
		draw_value(&from, 5, &text, &drawn);
		sw_scan scan = {.text = sw_str_of(sw_text_get(&text)), .syntax = SW_N01}, over = scan;
		assert_true(walk(&scan, &found));
		assert_string_equal(sw_text_get(&found), sw_text_get(&drawn));
		walk_slices(scan.text, &sliced);
		assert_string_equal(sw_text_get(&sliced), sw_text_get(&drawn));
		assert_true(sw_str_equal(sw_py_value(&over), sw_str_trim(scan.text)));
		sw_text_free(&text);
		sw_text_free(&drawn);
		sw_text_free(&found);
		sw_text_free(&sliced);
	}
}

static bool is_within(sw_str part, sw_str whole)
{
	return part.at >= whole.at && part.at + part.length <= whole.at + whole.length;
}

static void check_slices(sw_str text)
{
	sw_str list = text, function, arguments;
	size_t left = text.length + 1;
	for (sw_py_item item; sw_py_take(&list, &item); left = list.length) {
		assert_true(list.length < left);
		assert_true(is_within(item.text, text) && is_within(item.value, item.text) && is_within(item.key, item.text));
	}
	assert_true(is_within(sw_py_inside(text, SW_PY_BRACKETS), text));
	if (sw_py_call(text, &function, &arguments))
		assert_true(is_within(function, text) && is_within(arguments, text));
}

/* Whatever it is: nothing outside of it is read, and what is refused is in it. */
static void survives_mutants(void **state)
{
	static const char *const seeds[] = {"(1, [2, {3}], 4)", "Mesh(axis_sizes=(4, 2), axis_names=('x', 'y'))",
		"{'a': [1, 2], \"b\": f(x=1, 'c')}", "jnp.einsum('ij,jk->ik', a, b, out_sharding=P('x', None))"};
	draw from = draw_start("mutants");
	(void)state;
	for (int i = 0; i < MUTANTS; i++) {
		mutant m;
		sw_text out = {0};
		sw_diag diag = {.code = SW_OK};
		mutant_draw(&m, &from, seeds[draw_below(&from, (int)COUNT(seeds))]);
		char *copy = mutant_copy(&m);
		assert_non_null(copy);
		sw_scan scan = {.text = {copy, m.length}, .syntax = SW_N01, .diag = &diag}, over = scan;
		if (!walk(&scan, &out)) {
			assert_int_not_equal(diag.code, SW_OK);
			assert_true(diag.at.begin <= diag.at.end && diag.at.end <= m.length);
		}
		assert_true(is_within(sw_py_value(&over), over.text));
		check_slices(scan.text);
		sw_text_free(&out);
		free(copy);
	}
}

/* Brackets within brackets are stepped over without a stack. */
static void depth_costs_nothing(void **state)
{
	enum { DEPTH = 1000000 };
	char *text = malloc(2 * DEPTH);
	sw_py_item item;
	(void)state;
	assert_non_null(text);
	memset(text, '(', DEPTH);
	memset(text + DEPTH, ')', DEPTH);
	sw_str all = {text, 2 * DEPTH}, list = all;
	sw_scan scan = {.text = all, .syntax = SW_N01};
	assert_int_equal(sw_py_value(&scan).length, 2 * DEPTH);
	assert_true(sw_py_take(&list, &item));
	assert_int_equal(item.text.length, 2 * DEPTH);
	assert_int_equal(sw_py_inside(all, "(").length, 2 * DEPTH - 2);
	free(text);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(walks, walked_rows, text),
		ROWS(refuses, refused_rows, text),
		TEST(opens_what_is_asked_for),
		TEST(filled_lists_need_an_item),
		ROWS(steps_over_values, value_rows, text),
		TEST(stops_at_zero_bytes),
		TEST(names_and_words),
		TEST(rest_ends_behind_the_bracket),
		ROWS(takes_items, item_rows, text),
		ROWS(takes_brackets_off, inside_rows, text),
		ROWS(finds_calls, call_rows, text),
		TEST(reads_what_was_drawn),
		TEST(survives_mutants),
		TEST(depth_costs_nothing),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
