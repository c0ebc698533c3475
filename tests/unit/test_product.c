/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of sharded arrays: equations, the rule EINSUM, recorded cases.
 */
#include <jansson.h>

#include <shardwalk/product.h>

#include "kit/cases.h"
#include "kit/problem.h"

static sw_equation equation_of(const char *text)
{
	sw_equation equation;
	sw_diag diag;

	if (!sw_equation_parse(sw_str_of(text), &equation, &diag))
		fail_msg("%s: %s", text, diag.message);
	return equation;
}

/* ---- equations ---- */

static void is_printed_as_it_was_read(void **state)
{
	(void)state;
	static const char *const texts[][2] = {{" ij , jk -> i k ", "ij,jk->ik"}, {"i,i->", "i,i->"}, {",->", ",->"},
		{"bIj,bjK->bIK", "bIj,bjK->bIK"}};
	for (size_t k = 0; k < COUNT(texts); k++) {
		sw_equation equation = equation_of(texts[k][0]);
		sw_text text = {0};

		sw_equation_print(&equation, &text);
		assert_string_equal(sw_text_get(&text), texts[k][1]);
		sw_text_free(&text);
	}
}

static const struct wrong {
	const char *text;
	size_t begin, end;
	const char *hint; /* a part of it */
} wrong[] = {
	{"ij,jk->ii", 8, 9, "leave one 'i' out"},
	{"iij,jk->ik", 1, 2, "another letter"},
	{"ij,jk->iz", 8, 9, "leave 'z' out"},
	{"ij,jk", 5, 5, "ij,jk->ik"},
	{"bd,df", 5, 5, "bd,df->bf"},
	{"...ij,jk->...ik", 0, 3, "zij,jk->zik"},
	{"...ij,...jk", 0, 3, "zij,zjk->zik"},
	{"ijk", 0, 3, "looks like"},
	{"ij,jk,kl->il", 0, 12, "multiply two of them first"},
	{"ij,j1->i", 4, 5, "looks like"},
	{"ij,jk->ik!", 9, 10, "looks like"},
	{"", 0, 0, "looks like"},
};

static void is_refused(void **state)
{
	const struct wrong *row = *state;
	sw_equation equation;
	sw_diag diag;

	assert_false(sw_equation_parse(sw_str_of(row->text), &equation, &diag));
	assert_int_equal(diag.code, SW_A02);
	assert_string_equal(diag.rule, SW_RULE_EQUATION);
	assert_int_equal(diag.at.begin, row->begin);
	assert_int_equal(diag.at.end, row->end);
	if (strstr(diag.hint, row->hint) == NULL)
		fail_msg("%s: %s", row->text, diag.hint);
}

/* Whatever stands there, it is read or refused at a place of the text. */
static void any_text_is_read_or_refused(void **state)
{
	static const char signs[] = "abcijkAB,,->->.. 1{";
	draw random = draw_start("equations");

	(void)state;
	for (int n = 0; n < 20000; n++) {
		char text[24];
		int length = draw_below(&random, (int)sizeof text);
		sw_equation equation;
		sw_diag diag;
		sw_text meant = {0};

		for (int k = 0; k < length; k++)
			text[k] = signs[draw_below(&random, (int)sizeof signs - 1)];
		sw_str slice = {text, (size_t)length};
		sw_equation_complete(slice, draw_below(&random, 5), draw_below(&random, 5), &meant);
		sw_text_free(&meant);
		if (sw_equation_parse(slice, &equation, &diag)) {
			sw_equation_print(&equation, &meant);
			sw_text_free(&meant);
			continue;
		}
		assert_int_equal(diag.code, SW_A02);
		assert_true(diag.at.begin <= diag.at.end && diag.at.end <= slice.length);
	}
}

/* ---- the rule ---- */

static const struct ruled {
	const char *equation, *a, *b, *rule, *says; /* a part of the message */
} ruled[] = {
	{"ij,jk->ij", "[4, 6]", "[5, 3]", SW_RULE_SIZE, "'j' is 6 in A and 5 in B"},
	{"ij,jk->ik", "[4, 6, 2]", "[6, 3]", SW_RULE_RANK, "A has 3 dimensions, the equation 2 letters"},
	{"ij,j->i", "[4, 6]", "[6, 3]", SW_RULE_RANK, "B has 2 dimensions, the equation 1 letter for it"},
	{"ij,jk->ik", "[4, 3{x}6]", "[6, 4]", SW_RULE_SHARED, "letter 'j' is partitioned differently in A and in B"},
	{"ij,jk->ik", "[2{x}4, 6]", "[6, 2{x}4]", SW_RULE_AXIS, "axis x cuts letter 'i' of A and letter 'k' of B"},
	{"ij,jk->ik", "[4, 6]+{x}", "[6, 4]+{x}", SW_RULE_PAIRED, "both sums over x"},
	{"ij,jk->ik", "[4, 6]+{x}", "[6, 2{x}4]", SW_RULE_PAIRED, "A is a sum over x, which cuts letter 'k' of B"},
	{"ij,jk->ik", "[2{y}4, 6]", "[6, 4]+{y}", SW_RULE_PAIRED, "B is a sum over y, which cuts letter 'i' of A"},
};

static void forbids(void **state)
{
	const struct ruled *row = *state;
	sw_mesh mesh = mesh_of("{x: 2, y: 2}");
	sw_equation equation = equation_of(row->equation);
	sw_type a = type_of(&mesh, row->a), b = type_of(&mesh, row->b), result;
	sw_diag diag;

	assert_false(sw_product_local(&mesh, &equation, &a, &b, &result, &diag));
	assert_string_equal(diag.rule, row->rule);
	if (strstr(diag.message, row->says) == NULL)
		fail_msg("%s", diag.message);
}

static const struct local {
	const char *equation, *a, *b, *result;
} locals[] = {
	{"ij,jk->ik", "bf16[4, 3{x}6]", "[3{x}6, 2{y}4]", "bf16[4, 2{y}4]+{x}"},
	{"ij,jk->k", "[2{x}4, 6]", "f64[6, 4]+{y}", "f64[4]+{x,y}"},
	{"ij,jk->ik", "[4{z:(1)2}8, 6{z:(2)3}18]", "[6{z:(2)3}18, 4{x}8]", "f32[4{z:(1)2}8, 4{x}8]+{z:(2)3}"},
	{"ij,jk->ik", "[2{z:(1)2}4, 6]", "[6, 3{z:(2)3}9]+{x}", "f32[2{z:(1)2}4, 3{z:(2)3}9]+{x}"},
	{"ij,jk->ik", "[4, 6{one}6]", "[6{one}6, 3]", "f32[4, 3]"},
	{"ij,jk->ik", "[4{one}4, 6]", "[6, 3{one}3]", "f32[4, 3]"},
	{"ij,jk->ik", "[4, 3{x,one}6]", "[3{x}6, 3]+{one}", "f32[4, 3]+{x}"},
};

static void has_a_type(void **state)
{
	const struct local *row = *state;
	sw_mesh mesh = mesh_of("{x: 2, y: 2, z: 6, one: 1}");
	sw_equation equation = equation_of(row->equation);
	sw_type a = type_of(&mesh, row->a), b = type_of(&mesh, row->b), result;
	sw_text text = {0};
	sw_diag diag;

	if (!sw_product_local(&mesh, &equation, &a, &b, &result, &diag))
		fail_msg("%s", diag.message);
	sw_type_print(&mesh, &result, true, &text);
	assert_string_equal(sw_text_get(&text), row->result);
	sw_text_free(&text);
}

/* ---- recorded lines ---- */

static const char *text_at(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void same_cases(const json_t *line, unsigned cases)
{
	const json_t *wanted = json_object_get(line, "cases");
	unsigned right = 0;

	for (size_t k = 0; k < json_array_size(wanted); k++)
		right |= 1u << json_integer_value(json_array_get(wanted, k));
	if (cases != right)
		fail_msg("%s: cases %x, not %x", text_at(line, "name"), cases, right);
}

static void same_local(const json_t *line, const sw_mesh *mesh, const sw_equation *equation, const sw_type *a,
	const sw_type *b)
{
	const json_t *local = json_object_get(line, "local");
	const char *rule = text_at(local, "rule");
	sw_type result;
	sw_diag diag;
	int64_t flops;

	if (rule != NULL) {
		assert_false(sw_product_local(mesh, equation, a, b, &result, &diag));
		assert_string_equal(diag.rule, rule);
		return;
	}
	sw_type right = type_of(mesh, text_at(local, "type"));
	if (!sw_product_local(mesh, equation, a, b, &result, &diag))
		fail_msg("%s: %s", text_at(line, "name"), diag.message);
	assert_true(sw_type_equal(&result, &right));
	assert_true(sw_product_flops(equation, a, b, &flops, &diag));
	assert_int_equal(flops, json_integer_value(json_object_get(local, "flops")));
}

static void recorded_products_have_their_types_and_cases(void **state)
{
	FILE *file = cases_open("programs-einsum.jsonl");
	char text[8192];
	int lines = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(text, sizeof text, file) != NULL) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		sw_mesh mesh = mesh_of(text_at(line, "mesh"));
		sw_equation equation = equation_of(text_at(line, "einsum"));
		sw_type a = type_of(&mesh, text_at(line, "a")), b = type_of(&mesh, text_at(line, "b"));
		same_cases(line, sw_product_cases(&mesh, &equation, &a, &b));
		same_local(line, &mesh, &equation, &a, &b);
		json_decref(line);
		lines++;
	}
	assert_true(lines > 0);
	fclose(file);
}

static const struct alone {
	const char *a, *b;
} alone[] = {{"[4, 6{one}6]", "[6{one}6, 3]"}, {"[4, 6{one}6]", "[6, 3]"}, {"[4{one}4, 6]", "[6, 3{one}3]"},
	{"[4, 6]+{one}", "[6, 3]+{one}"}, {"[4, 6]+{one}", "[6, 3{one}3]"}};

static void an_axis_of_size_1_makes_no_case(void **state)
{
	const struct alone *row = *state;
	sw_mesh mesh = mesh_of("{one: 1}");
	sw_equation equation = equation_of("ij,jk->ik");
	sw_type a = type_of(&mesh, row->a), b = type_of(&mesh, row->b);

	assert_int_equal(sw_product_cases(&mesh, &equation, &a, &b), 1u << 1);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(is_printed_as_it_was_read),
		ROWS(is_refused, wrong, text),
		TEST(any_text_is_read_or_refused),
		ROWS(forbids, ruled, says),
		ROWS(has_a_type, locals, result),
		ROWS(an_axis_of_size_1_makes_no_case, alone, a),
		TEST(recorded_products_have_their_types_and_cases),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
