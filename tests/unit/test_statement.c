/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas as statements of programs: texts both ways, what they compute against whole arrays and against numbers made here, files,
 * parts that wait for senders, refusals.
 */
#include <shardwalk/computation.h>
#include <shardwalk/formula_parts.h>
#include <shardwalk/simulate.h>

#include "kit/arena.h"
#include "kit/problem.h"

static void read_program(const char *text, sw_program *program)
{
	const char *kept = sw_arena_copy(arena, text, strlen(text));
	sw_diag diag;

	if (!sw_program_parse((sw_str){kept, strlen(kept)}, NULL, arena, program, &diag))
		fail_msg("%s (%s)\n%s", diag.message, diag.expected, text);
}

static void plan_program(const char *text, sw_program *planned)
{
	const sw_plan_options options = {.strategy = SW_FUSED};
	sw_program *program = SW_NEW_ZERO(arena, sw_program, 1);
	sw_diag diag;

	read_program(text, program);
	if (!sw_program_plan(program, NULL, &options, arena, planned, &diag))
		fail_msg("%s\n%s", diag.message, text);
}

#define ONE(mesh, inputs, result, statement) \
	"mesh " mesh "\n\nfn main(" inputs ") -> " result " {\n  " statement "\n  return y\n}\n"
#define HALO "y = compute \"y[i] = 2*x[i] - x[i-1] - x[i+1]\" as [4{x}24]"

static const char *const texts[] = {
	ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", HALO),
	ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "y = compute \"y[i] = f(x[i-1], x[i], 3*x[i+2]) wrap\" as [4{x}24]"),
	ONE("{x: 6}", "x : i64[4{x}24]", "i64[4{x}24]", "y = compute \"y[i] = x[i-5]*x[i+1] - 3\" as i64[4{x}24]"),
	ONE("{x: 4}", "x : \"[2{x,..}24]\"", "\"[3{x,..}24]\"",
		"y = compute \"y[i] = x[i] + x[i+1]\" as \"[3{x,..}24]\""),
	ONE("{x: 4}", "x : \"[{x}13] by balanced\"", "\"[{x}13] by floor\"",
		"y = compute \"y[i] = 5*x[i] - x[i-3]\" as \"[{x}13] by floor\""),
	ONE("{x: 4}", "A : [3{x}12, 12], x : [3{x}12]", "[3{x}12]", "y = compute \"y[i] = A[i, j]*x[j]\" as [3{x}12]"),
	ONE("{x: 4}", "A : [12, 3{x}12], x : [3{x}12]", "[3{x}12]",
		"y = compute \"y[i] = A[i, j]*x[j] on A\" as [3{x}12]"),
	ONE("{x: 2, y: 3}", "x : f64[6{x}12, 3{y}9]", "f64[6{x}12, 3{y}9]",
		"y = compute \"y[i, j] = f(x[i, j], x[i-1, j], x[i+1, j], x[i, j-1], x[i, j+1])\" as f64[6{x}12, 3{y}9]"),
	ONE("{x: 4}", "A : \"[1{x,..}8, 5]\"", "\"[5, 1{x,..}8]\"",
		"y = compute \"y[i, j] = A[j, i]\" as \"[5, 1{x,..}8]\""),
	ONE("{x: 4}", "A : \"[1{x,..}8, 6]\", B : [6, 4]", "[2{x}8, 4]",
		"y = compute \"y[i, k] = A[i, j]*B[j, k] - A[i, 3] on A\" as [2{x}8, 4]"),
	ONE("{x: 4}", "x : \"[2{x,..}12]\", a : [5]", "[3{x}12]", "y = compute \"y[i] = f(a[:], x[i])\" as [3{x}12]"),
	ONE("{x: 4}", "x : [2{x}8]", "[4{x}16]", "y = compute \"y[i] = f(x[i/2], x[(i+1)/2])\" as [4{x}16]"),
	ONE("{x: 4}", "x : [4{x}16]", "[2{x}8]", "y = compute \"y[i] = f(x[2*i], x[2*i+1])\" as [2{x}8]"),
	ONE("{x: 3}", "z : [4{x}12], x : [12]", "[4{x}12]", "y = compute \"z[i] += x[i+1]\""),
	ONE("{x: 3}", "z : \"[1{x,..}12]\", x : [4{x}12]", "\"[1{x,..}12]\"", "y = compute \"z[i] += 2*x[i] on x\""),
	ONE("{p: 3, q: 4}", "A : [4{p}12, 3{q}12], x : [1{p,q}12]", "[1{q,p}12]",
		"y = compute \"y[i] = A[i, j]*x[j] on A\" as [1{q,p}12]"),
	ONE("{x: 6}", "x : f64[4{x}24]", "f64[4{x}24]",
		"y = compute \"y[i] = 2*x[i] - x[i-1] - x[i+1]\" as f64[4{x}24]\n  repeat 5"),
	ONE("{x: 6}", "x : i64[4{x}24]", "i64[4{x}24]",
		"y = compute \"y[i] = f(x[i-1], x[i], x[i+1]) wrap\" every 3 as i64[4{x}24]\n  repeat 4"),
	ONE("{x: 2, y: 2}", "x : f64[6{x}12, 5{y}10]", "f64[6{x}12, 5{y}10]",
		"y = compute \"y[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] - x[i, j+1]\" every 2 as f64[6{x}12, 5{y}10]"),
	ONE("{x: 4}", "x : \"[2{x,..}24]\"", "\"[2{x,..}24]\"",
		"b = compute \"b[i] = x[i] + x[i+1]\" as [6{x}24]\n  y = redistribute b as \"[2{x,..}24]\"\n  repeat 3"),
	ONE("{x: 6}", "x : i64[4{x}24]", "i64[4{x}24]",
		"z = compute \"z[i] = f(x[i-1], x[i], x[i+1]) wrap\" every 3 as i64[4{x}24]\n  repeat 4\n"
		"  y = compute \"y[i] = f(x[i-1], x[i], x[i+1]) wrap\" every 2 as i64[4{x}24]"),
	ONE("{x: 4}", "x : i64[8{x}32], c : \"i64[1{x,..}32]\", d : i64[32]", "i64[8{x}32]",
		"z = compute \"z[i] = x[i-1] + c[i+1]*x[i] - x[i+1] + d[i-2]\" every 3 as i64[8{x}32]\n  repeat 1\n"
		"  y = compute \"y[i] = x[i-1] + c[i+1]*x[i] - x[i+1] + d[i-2]\" as i64[8{x}32]"),
	ONE("{x: 4}", "c : \"i64[1{x,..}32]\", x : i64[8{x}32]", "\"i64[1{x,..}32]\"",
		"y = compute \"y[i] = c[i-1] + x[i+1]*c[i]\" every 2 as \"i64[1{x,..}32]\"\n  repeat 3"),
	ONE("{x: 4}", "x : [3{x}12], w : [12]", "[3{x}12]",
		"a = compute \"a[i] = w[i+1] - w[i]\" as [3{x}12]\n  b = add x a\n  repeat 3\n  c = add b x\n  y = relu c"),
	"mesh {x: 6}\n\nfn main(x : [4{x}24], w : [24]) -> [4{x}24] {\n  a = compute \"a[i] = x[i-1] + x[i+1]\" as [4{x}24]\n"
	"  b = relu a\n  c = compute \"c[i] = b[i-2]*w[i] - x[i]\" as \"[1{x,..}24]\"\n  y = redistribute c as [4{x}24]\n"
	"  return y\n}\n",
};

/* What was read is printed, and read again. */
static void texts_are_read_and_printed(void **state)
{
	const char *text = *(const char *const *)*state;
	sw_program program, again;
	sw_text out = {0}, more = {0};

	read_program(text, &program);
	sw_program_print(&program, &out);
	assert_string_equal(sw_text_get(&out), text);
	read_program(sw_text_get(&out), &again);
	sw_program_print(&again, &more);
	assert_string_equal(sw_text_get(&more), text);
	sw_text_free(&out);
	sw_text_free(&more);
}

static void devices_compute_what_whole_arrays_do(void **state)
{
	sw_program planned;
	sw_simulated result;
	sw_diag diag;

	plan_program(*(const char *const *)*state, &planned);
	if (!sw_simulate(&planned, NULL, &result, &diag))
		fail_msg("%s", diag.message);
	if (!result.right)
		fail_msg("step %d, device %d: %g instead of %g", result.wrong.step + 1, (int)result.wrong.device,
			result.wrong.found, result.wrong.expected);
	assert_true(result.exact);
	assert_true(result.compared > 0);
}

/* Where nothing is left of the rounds, what follows reads what they bring. */
static void rounds_of_nothing_bring_what_they_return(void **state)
{
	static const char *const text =
		"mesh {x: 4}\nfn main(x : [3{x}12], w : [3{x}12]) -> [3{x}12] {\n  y = redistribute w as [3{x}12]\n  repeat 3\n"
		"  z = add x w\n  return z\n}\n";
	sw_program planned;
	sw_simulated result;

	(void)state;
	plan_program(text, &planned);
	assert_int_equal(planned.steps, 1);
	assert_int_equal(planned.step[0].operand[0], 1);
	assert_int_equal(planned.step[0].operand[1], 1);
	assert_true(sw_simulate(&planned, NULL, &result, NULL) && result.right);
}

static void files_come_back(void **state)
{
	sw_program planned, back;
	sw_text out = {0}, more = {0};
	sw_simulated result;
	sw_diag diag;

	plan_program(*(const char *const *)*state, &planned);
	assert_true(sw_program_write(&planned, 0, &out, &diag));
	if (!sw_program_read((sw_str){sw_text_get(&out), out.length}, arena, &back, &diag))
		fail_msg("%s: %s", diag.message, diag.expected);
	sw_program_print(&back, &more);
	assert_string_equal(sw_text_get(&more), *(const char *const *)*state);
	if (!sw_simulate(&back, NULL, &result, &diag))
		fail_msg("%s", diag.message);
	assert_true(result.right && back.steps == planned.steps);
	sw_text_free(&out);
	sw_text_free(&more);
}

/* ---- numbers made here ---- */

/* A program on whole arrays. */
static void make_whole(const sw_program *planned, sw_data *data, sw_reference *whole)
{
	sw_diag diag;

	assert_true(sw_data_make(planned, arena, data, &diag));
	void *memory = sw_arena_alloc(arena, (size_t)sw_reference_bytes(planned) + 64, 1);
	assert_true(sw_reference_make(data, memory, arena, whole, &diag));
	for (int i = 0; i < planned->inputs; i++)
		sw_reference_input(whole, i, 0, 2), sw_reference_input(whole, i, 1, 2);
	for (int s = 0; s < planned->steps; s++)
		for (int part = 0; part < 3; part++)
			assert_true(sw_reference_step(whole, s, part, 3));
}

static double at(const sw_reference *whole, int value, int64_t i)
{
	return i < 0 || i >= 24 ? 0 : sw_element(SW_F32, whole->array[value], i);
}

static void a_stencil_is_what_it_says(void **state)
{
	sw_program planned;
	sw_reference whole;
	sw_data data;

	(void)state;
	plan_program(texts[0], &planned);
	make_whole(&planned, &data, &whole);
	for (int64_t i = 0; i < 24; i++)
		assert_true(
			at(&whole, planned.returned, i) == 2 * at(&whole, 0, i) - at(&whole, 0, i - 1) - at(&whole, 0, i + 1));
}

/* The arguments of a function have the weights 1, 3, 5; ends are closed. */
static void a_function_has_odd_weights(void **state)
{
	sw_program planned;
	sw_reference whole;
	sw_data data;

	(void)state;
	plan_program(texts[1], &planned);
	make_whole(&planned, &data, &whole);
	for (int64_t i = 0; i < 24; i++)
		assert_true(at(&whole, planned.returned, i) ==
			at(&whole, 0, (i + 23) % 24) + 3 * at(&whole, 0, i) + 15 * at(&whole, 0, (i + 2) % 24));
}

/* Elements of a whole dimension have odd weights of their own. */
static void a_dimension_has_odd_weights(void **state)
{
	sw_program planned;
	sw_reference whole;
	sw_data data;
	double sum = 0;

	(void)state;
	plan_program(ONE("{x: 4}", "x : [3{x}12], a : [5]", "[3{x}12]",
					 "y = compute \"y[i] = f(a[:], x[i])\" as [3{x}12]"),
		&planned);
	make_whole(&planned, &data, &whole);
	for (int64_t n = 0; n < 5; n++)
		sum += (double)(2 * n + 1) * at(&whole, 1, n);
	for (int64_t i = 0; i < 12; i++)
		assert_true(at(&whole, planned.returned, i) == sum + 3 * at(&whole, 0, i));
}

/* Three rounds of a sum of neighbours are one formula of seven points. */
static void rounds_add_up(void **state)
{
	static const char *const rounds[] = {"as [4{x}24]\n  repeat 3", "every 3 as [4{x}24]"};

	(void)state;
	for (size_t n = 0; n < COUNT(rounds); n++) {
		sw_program planned;
		sw_reference whole;
		sw_data data;
		sw_text text = {0};
		sw_text_addf(&text,
			"mesh {x: 6}\nfn main(x : [4{x}24]) -> [4{x}24] {\n"
			"  y = compute \"y[i] = x[i-1] + x[i+1] wrap\" %s\n  return y\n}\n",
			rounds[n]);
		plan_program(sw_text_get(&text), &planned);
		assert_int_equal(planned.rounds, n == 0 ? 3 : 0);
		make_whole(&planned, &data, &whole);
		double before[24];
		for (int64_t i = 0; i < 24; i++)
			before[i] = at(&whole, 0, i);
		for (int64_t round = 1; round < planned.rounds; round++) {
			sw_reference_again(&whole, 0, 2), sw_reference_again(&whole, 1, 2);
			for (int s = 0; s < planned.steps; s++)
				assert_true(sw_reference_step(&whole, s, 0, 1));
		}
		for (int64_t i = 0; i < 24; i++)
			assert_true(at(&whole, planned.returned, i) ==
				before[(i + 21) % 24] + 3 * before[(i + 23) % 24] + 3 * before[(i + 1) % 24] + before[(i + 3) % 24]);
		sw_text_free(&text);
	}
}

static void a_product_is_one_of_einsum(void **state)
{
	sw_program planned;

	(void)state;
	plan_program(texts[5], &planned);
	assert_int_equal(planned.steps, 2);
	assert_int_equal(planned.step[1].op, SW_EINSUM);
	assert_true(planned.step[1].formula != NULL);
	plan_program(texts[0], &planned);
	assert_int_equal(planned.step[planned.steps - 1].op, SW_COMPUTE);
}

/* ---- at random ---- */

/* A type of one dimension. */
static void draw_text(draw *from, int size, sw_text *text)
{
	static const char *const forms[] = {"[%d]", "\"[{x}%d] by balanced\"", "\"[1{x,..}%d]\"", "\"[2{x,..}%d]\"",
		"\"[{x}%d] by floor\"", "\"[5{x,..}%d]\""};

	sw_text_addf(text, forms[draw_below(from, COUNT(forms))], size);
}

static void draw_access(draw *from, sw_text *text)
{
	static const char *const accesses[] = {"x[i%+d]", "w[i%+d]", "x[(i%+d)/2]", "w[2*i%+d]", "x[-i%+d]"};

	sw_text_addf(text, accesses[draw_below(from, COUNT(accesses))], draw_below(from, 9) - 4);
}

static void draw_sum(draw *from, sw_text *text)
{
	int terms = 1 + draw_below(from, 3);

	for (int k = 0; k < terms; k++) {
		sw_text_add(text, k > 0 ? (draw_below(from, 2) ? " + " : " - ") : "");
		if (draw_below(from, 4) == 0) {
			sw_text_add(text, "f(");
			draw_access(from, text);
			sw_text_add(text, ", ");
			draw_access(from, text);
			sw_text_add(text, ")");
			continue;
		}
		if (draw_below(from, 2))
			sw_text_addf(text, "%d*", 1 + draw_below(from, 4));
		draw_access(from, text);
	}
}

static void draw_statement(draw *from, sw_text *text)
{
	int size = 6 + draw_below(from, 20);

	sw_text_addf(text, "mesh {x: %d}\nfn main(x : ", 1 + draw_below(from, 5));
	draw_text(from, size, text);
	sw_text_add(text, ", w : ");
	draw_text(from, size, text);
	sw_text_add(text, ") -> ? {\n  y = compute \"y[i] = ");
	draw_sum(from, text);
	sw_text_addf(text, "%s\" as ", draw_below(from, 3) ? "" : " wrap");
	draw_text(from, size, text);
	sw_text_add(text, "\n  return y\n}\n");
}

static void drawn_statements_are_right(void **state)
{
	draw from = draw_start("statements");

	(void)state;
	for (int n = 0; n < 200; n++) {
		sw_text text = {0};
		sw_program planned;
		sw_simulated result;
		sw_diag diag;
		draw_statement(&from, &text);
		plan_program(sw_text_get(&text), &planned);
		if (!sw_simulate(&planned, NULL, &result, &diag))
			fail_msg("%s\n%s", diag.message, sw_text_get(&text));
		if (!result.right || !result.exact)
			fail_msg("value %d, device %d: %g instead of %g\n%s", result.wrong.value, (int)result.wrong.device,
				result.wrong.found, result.wrong.expected, sw_text_get(&text));
		sw_text_free(&text);
	}
}

/* ---- parts ---- */

/* Each point of a device is in one part, which waits for those whose elements it reads. */
static void parts_wait_for_senders(void **state)
{
	sw_program planned;
	sw_diag diag;

	(void)state;
	plan_program(texts[0], &planned);
	assert_int_equal(planned.steps, 2);
	const sw_plan *plan = planned.step[0].inside;
	const sw_between *between = sw_between_of(&plan->problem, arena, &diag);
	assert_non_null(between);
	const sw_formula_arrival arrival = {0, between, plan->program.step[0].rule};
	for (int64_t d = 0; d < 6; d++) {
		const sw_formula_parts *parts = sw_formula_parts_of(&planned, 1, d, &arrival, 1, arena);
		int64_t size = 0, waits = 0;
		assert_non_null(parts);
		for (int i = 0; i < parts->parts; i++) {
			size += sw_region_size(&parts->part[i].points);
			waits += parts->part[i].senders * sw_region_size(&parts->part[i].points);
			for (int n = 0; n < parts->part[i].senders; n++)
				assert_true(parts->part[i].sender[n].device == d - 1 || parts->part[i].sender[n].device == d + 1);
		}
		assert_int_equal(size, 4);
		assert_int_equal(waits, d == 0 || d == 5 ? 1 : 2);
	}
}

/* ---- refusals ---- */

static const struct refusal {
	const char *text, *code;
} refusals[] = {
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "y = compute y[i] = x[i]"), "A01"},
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "y = compute \"y[i] = x[i*i]\" as [4{x}24]"), "F07"},
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "y = compute \"z[i] = x[i]\" as [4{x}24]"), "F18"},
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "y = compute \"y[i] = w[i]\" as [4{x}24]"), "A10"},
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "y = compute \"y[i] = x[i]\""), "F02"},
	{ONE("{x: 6}", "x : ?[24]", "[4{x}24]", "y = compute \"y[i] = x[i]\" as [4{x}24]"), "A10"},
	{ONE("{x: 6}", "x : [4{x}24], z : f64[4{x}24]", "[4{x}24]",
		 "y = compute \"y[i] = x[i]*z[i] - x[i]\" as f32[4{x}24]"),
		"F19"},
	{ONE("{x: 6}", "x : \"[4{x}24] shift 1\"", "[4{x}24]", "y = relu x"), "T17"},
	{ONE("{x: 6}", "x : [4{x}24]", "[24]", "y = redistribute x as [24]\n  repeat 2"), "A18"},
	{ONE("{x: 6}", "x : [4{x}24], z : [4{x}24]", "[4{x}24]",
		 "y = compute \"z[i] += x[i-1]\" every 2 as [4{x}24]\n  repeat 2"),
		"F17"},
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "z = redistribute x as [24]\n  repeat 2\n  y = relu x"), "A18"},
	{ONE("{x: 6}", "x : [4{x}24]", "[4{x}24]", "z = relu x\n  repeat 2\n  y = relu x\n  repeat 3"), "A01"},
	{ONE("{x: 6}", "x : \"[4{x}24] shft 1\"", "[4{x}24]", "y = redistribute x as [4{x}24]"), "T01"},
};

static void what_is_wrong_is_refused(void **state)
{
	const struct refusal *row = *state;
	sw_program program;
	sw_diag diag;

	assert_false(sw_program_parse(sw_str_of(row->text), NULL, arena, &program, &diag));
	if (strcmp(sw_code_info_of(diag.code)->name, row->code) != 0)
		fail_msg("%s instead of %s: %s\n%s", sw_code_info_of(diag.code)->name, row->code, diag.message, row->text);
	assert_true(diag.at.end <= strlen(row->text));
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEXTS(texts_are_read_and_printed, texts),
		TEXTS(devices_compute_what_whole_arrays_do, texts),
		TEXTS(files_come_back, texts),
		TEST(rounds_of_nothing_bring_what_they_return),
		TEST(a_stencil_is_what_it_says),
		TEST(a_function_has_odd_weights),
		TEST(a_dimension_has_odd_weights),
		TEST(rounds_add_up),
		TEST(a_product_is_one_of_einsum),
		TEST(drawn_statements_are_right),
		TEST(parts_wait_for_senders),
		ROWS(what_is_wrong_is_refused, refusals, text),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
