/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs on data: products, where values lie, planned programs and their files, execution on virtual devices.
 */
#include <math.h>

#include <jansson.h>

#include <shardwalk/cost.h>
#include <shardwalk/simulate.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/problem.h"
#include "kit/programs.h"

/* ---- products ---- */

/* Letters of both operands and the result at random, each of which has at most four. */
static void draw_equation(draw *from, sw_equation *equation)
{
	*equation = (sw_equation){0};
	for (char c = 'a'; c < 'g'; c++) {
		int in = 1 + draw_below(from, 3), kept = draw_below(from, 3);
		for (int side = 0; side < 2; side++)
			if (in >> side & 1 && equation->rank[side] < 4)
				equation->letter[side][equation->rank[side]++] = c;
		if (kept && equation->rank[2] < 4 &&
			(sw_equation_find(equation, 0, c) >= 0 || sw_equation_find(equation, 1, c) >= 0))
			equation->letter[2][equation->rank[2]++] = c;
	}
	for (int side = 0; side < 3; side++)
		for (int i = equation->rank[side] - 1; i > 0; i--) {
			int other = draw_below(from, i + 1);
			char swap = equation->letter[side][i];
			equation->letter[side][i] = equation->letter[side][other];
			equation->letter[side][other] = swap;
		}
}

static void sizes_of(const sw_equation *equation, int side, int64_t *size)
{
	static const int64_t sizes[] = {3, 1, 4, 2, 5, 3};
	for (int i = 0; i < equation->rank[side]; i++)
		size[i] = sizes[equation->letter[side][i] - 'a'];
}

static int64_t product_of(const int64_t *size, int rank)
{
	int64_t product = 1;
	for (int i = 0; i < rank; i++)
		product *= size[i];
	return product;
}

/* The two forms of a product have no loop in common. */
static void matrices_multiply_as_letters_do(void **state)
{
	(void)state;
	static const sw_dtype dtypes[] = {SW_F32, SW_F64, SW_I32, SW_I64};
	draw from = draw_start("products");
	for (int n = 0; n < 400; n++) {
		sw_equation equation;
		int64_t size[3][SW_MAX_DIMS];
		sw_dtype dtype = dtypes[n % 4];
		size_t bytes = (size_t)sw_dtype_bytes(dtype);
		void *data[4];
		sw_letters letters;
		sw_gemm gemm;
		draw_equation(&from, &equation);
		for (int side = 0; side < 3; side++)
			sizes_of(&equation, side, size[side]);
		for (int i = 0; i < 4; i++) {
			int side = i < 3 ? i : 2;
			int64_t count = product_of(size[side], equation.rank[side]);
			data[i] = calloc((size_t)count, bytes);
			for (int64_t k = 0; k < count; k++)
				sw_element_set(dtype, data[i], k, i < 2 ? draw_below(&from, 7) - 3 : 99);
		}
		sw_letters_of(&equation, size[0], size[1], &letters);
		sw_contract(&letters, dtype, data[0], data[1], data[2], 0, letters.kept ? letters.letter[0].size : 1);
		sw_gemm_of(&letters, &gemm);
		void *room = malloc((size_t)sw_gemm_room(&gemm) * bytes + 1);
		sw_gemm_run(&gemm, dtype, data[0], data[1], data[3], room, &sw_plain_multiplier);
		assert_memory_equal(data[2], data[3], (size_t)product_of(size[2], equation.rank[2]) * bytes);
		for (int i = 0; i < 4; i++)
			free(data[i]);
		free(room);
	}
}

static void a_product_is_what_one_computes_by_hand(void **state)
{
	(void)state;
	const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 0, 3};
	float c[4];
	const int64_t size_a[] = {2, 3}, size_b[] = {3, 2};
	sw_equation equation;
	sw_letters letters;
	assert_true(sw_equation_parse(sw_str_of("ij,jk->ik"), &equation, NULL));
	sw_letters_of(&equation, size_a, size_b, &letters);
	sw_contract(&letters, SW_F32, a, b, c, 0, 2);
	const float right[] = {5, 11, 14, 23};
	assert_memory_equal(c, right, sizeof right);
}

/* ---- room ---- */

static void nobody_shares_a_place_at_one_time(void **state)
{
	(void)state;
	enum { MOST = 60 };
	draw from = draw_start("room");
	for (int n = 0; n < 50; n++) {
		sw_tenant tenant[MOST];
		int count = 1 + draw_below(&from, MOST);
		int64_t alive[40] = {0}, least = 0;
		for (int i = 0; i < count; i++) {
			int first = draw_below(&from, 30);
			tenant[i] = (sw_tenant){.bytes = 64 * draw_below(&from, 20),
				.first = first,
				.last = first + draw_below(&from, 10)};
			for (int t = first; t <= tenant[i].last; t++)
				alive[t] += tenant[i].bytes;
		}
		int64_t region = sw_tenants_place(tenant, count, 64, arena);
		for (int t = 0; t < 40; t++)
			least = alive[t] > least ? alive[t] : least;
		assert_true(region >= least && region <= 2 * least + 64);
		for (int i = 0; i < count; i++) {
			assert_true(tenant[i].at % 64 == 0 && tenant[i].at + tenant[i].bytes <= region);
			for (int k = 0; k < i; k++)
				assert_true(tenant[i].last < tenant[k].first || tenant[k].last < tenant[i].first ||
					tenant[i].at + tenant[i].bytes <= tenant[k].at || tenant[k].at + tenant[k].bytes <= tenant[i].at);
		}
	}
}

/* ---- programs ---- */

static void plan_program(const char *text, sw_program *planned)
{
	const sw_plan_options options = {.strategy = SW_FUSED};
	sw_program *program = SW_NEW_ZERO(arena, sw_program, 1);
	char *kept = sw_arena_copy(arena, text, strlen(text));
	sw_diag diag;
	if (!sw_program_parse((sw_str){kept, strlen(kept)}, NULL, arena, program, &diag) ||
		!sw_program_plan(program, NULL, &options, arena, planned, &diag))
		fail_msg("%s\n%s", diag.message, text);
}

static sw_simulated simulated(const sw_program *planned, const char *text)
{
	sw_simulated result;
	sw_diag diag;
	if (!sw_simulate(planned, NULL, &result, &diag))
		fail_msg("%s\n%s", diag.message, text);
	return result;
}

static void assert_right(const char *text)
{
	sw_program planned;
	plan_program(text, &planned);
	sw_simulated result = simulated(&planned, text);
	if (!result.right)
		fail_msg("step %d: %g and not %g on device %lld\n%s", result.wrong.step + 1, result.wrong.found,
			result.wrong.expected, (long long)result.wrong.device, text);
}

#define CHAIN \
	"mesh {x: 2, y: 2}\n" \
	"fn main(a : [8, 4{x}8], b : [4{x}8, 16], w : [8{x}16, 8]) -> [4{y}8, 8] {\n" \
	"  c = einsum \"ij,jk->ik\" a b as [8, 8{x}16]\n" \
	"  r = relu c\n" \
	"  d = einsum \"ik,kl->il\" r w as [4{y}8, 8]\n" \
	"  return d\n}\n"

/* Bits are equal as long as every order of adding gives the same. */
static const struct exactness {
	const char *text;
	bool exact;
} exactness[] = {
	{CHAIN, true},
	{"mesh {x: 2}\nfn main(a : [4{x}8]) -> [4{x}8] {\n  b = exp a\n  c = mul b b\n  return c\n}\n", true},
	{"mesh {x: 2}\nfn main(a : [8, 4{x}8]) -> [8] {\n  b = exp a\n  c = einsum \"ij,ij->i\" b b\n  d = redistribute c as "
	 "[8]\n  return d\n}\n",
		false},
	{"mesh {x: 2}\nfn main(a : i32[8, 4{x}8]) -> i32[8] {\n  c = einsum \"ij,ij->i\" a a\n  d = redistribute c as "
	 "i32[8]\n  return d\n}\n",
		true},
	{"mesh {x: 2}\nfn main(x : i32[4{x}8]) -> i32[4{x}8] {\n  y = compute \"y[i] = 99999999999999999999*x[i]\" as i32[4{x}8]\n  return y\n}\n",
		true},
};

static void says_whether_it_is_exact(void **state)
{
	const struct exactness *row = *state;
	sw_program planned;
	plan_program(row->text, &planned);
	sw_simulated result = simulated(&planned, row->text);
	assert_true(result.right);
	assert_int_equal(result.exact, row->exact);
	assert_true(row->exact ? result.bound == 0 : result.bound > 0 && result.bound < 1);
	assert_true(result.off <= result.bound);
}

/* Entries of long chains become sparser, and no bound is passed: sums of absolute values say so. */
static void long_chains_stay_exact(void **state)
{
	(void)state;
	sw_text text = {0};
	sw_program planned;
	sw_data data;
	sw_text_add(&text, "mesh {x: 2}\nfn main(v0 : [64, 64]");
	for (int i = 0; i < 12; i++)
		sw_text_addf(&text, ", w%d : [64, 32{x}64]", i);
	sw_text_add(&text, ") -> ? {\n");
	for (int i = 0; i < 12; i++)
		sw_text_addf(&text, "  v%d = einsum \"ij,jk->ik\" v%d w%d as [64, 64]\n", i + 1, i, i);
	sw_text_add(&text, "  return v12\n}\n");
	plan_program(sw_text_get(&text), &planned);
	assert_true(sw_data_make(&planned, arena, &data, NULL) && data.exact);
	for (int i = 0; i < planned.values; i++)
		assert_true(data.value[i].most < 0x1p24);
	sw_simulated result = simulated(&planned, sw_text_get(&text));
	assert_true(result.right && result.exact);
	sw_text_free(&text);
}

/* The values of a body are as many as its text has calls; after exp the bound of each is followed as well. */
static void long_bodies_are_right(void **state)
{
	(void)state;
	enum { CALLS = 300 };
	static const char *const first[] = {"neg", "exp"};
	for (int which = 0; which < 2; which++) {
		sw_text text = {0};
		sw_text_addf(&text,
			"mesh {x: 2}\nfn main(a : [4{x}8]) -> [4{x}8] {\n  y = spmd_op a (t : [4]) {\n    v0 = %s t : [4]\n",
			first[which]);
		for (int k = 1; k < CALLS; k++)
			sw_text_addf(&text, "    v%d = neg v%d : [4]\n", k, k - 1);
		sw_text_addf(&text, "    return v%d\n  } as [4{x}8]\n  return y\n}\n", CALLS - 1);
		assert_right(sw_text_get(&text));
		sw_text_free(&text);
	}
}

static void a_wrong_step_is_found(void **state)
{
	(void)state;
	sw_program planned;
	plan_program(CHAIN, &planned);
	sw_plan plan;
	int at = 0;
	while (planned.step[at].op != SW_REDISTRIBUTE)
		at++;
	plan = *planned.step[at].inside;
	sw_step *step = SW_NEW(arena, sw_step, plan.program.steps);
	memcpy(step, plan.program.step, sizeof *step * (size_t)plan.program.steps);
	int32_t *groups = SW_NEW(arena, int32_t, 4);
	assert_true(step[0].groups && step[0].group_size == 2);
	memcpy(groups, step[0].groups, 4 * sizeof *groups);
	groups[0] = step[0].groups[1];
	groups[1] = step[0].groups[0];
	step[0].groups = groups;
	plan.program.step = step;
	planned.step[at].inside = &plan;
	sw_simulated result = simulated(&planned, CHAIN);
	assert_false(result.right);
	assert_int_equal(result.wrong.step, at);
}

static void too_much_memory_is_refused_with_the_numbers(void **state)
{
	(void)state;
	sw_program planned;
	sw_simulated result;
	sw_diag diag;
	const sw_simulate_options options = {.memory = 4096};
	plan_program(CHAIN, &planned);
	assert_false(sw_simulate(&planned, &options, &result, &diag));
	assert_int_equal(diag.code, SW_E01);
	assert_non_null(strstr(diag.message, "4 KiB"));
	plan_program(
		"mesh {x: 2}\nfn main(a : [1000000{x}2000000, 2000000], b : [2000000, 2000000]) -> ? {\n  c = einsum \"ij,jk->ik\" a b\n  return c\n}\n",
		&planned);
	assert_false(sw_simulate(&planned, NULL, &result, &diag));
	assert_int_equal(diag.code, SW_E01);
}

/* Batches over letters that stand apart, as heads do in attention, are multiplied where they lie. */
static const struct lying {
	const char *equation;
	int64_t a[4], b[4];
	int64_t batch;
	bool packs;
} lyings[] = {
	{"bihd,bjhd->bhij", {2, 3, 4, 5}, {2, 6, 4, 5}, 8, false},
	{"bhij,bjhd->bihd", {2, 4, 3, 6}, {2, 6, 4, 5}, 8, false},
	{"ij,kj->ik", {3, 4}, {5, 4}, 1, false},
	{"ji,jk->ki", {4, 3}, {4, 5}, 1, false},
	{"ijk,jl->ikl", {3, 4, 5}, {4, 6}, 1, true},
};

static void is_packed_only_where_it_has_to_be(void **state)
{
	const struct lying *row = *state;
	sw_equation equation;
	sw_letters letters;
	sw_gemm gemm;
	assert_true(sw_equation_parse(sw_str_of(row->equation), &equation, NULL));
	sw_letters_of(&equation, row->a, row->b, &letters);
	sw_gemm_of(&letters, &gemm);
	assert_int_equal(gemm.batch, row->batch);
	assert_int_equal(sw_gemm_room(&gemm) > 0, row->packs);
}

static void near(double found, double expected)
{
	if (fabs(found - expected) > 1e-12 * fabs(expected))
		fail_msg("%.17g and not %.17g", found, expected);
}

/* The product of 8 x 4 by 4 x 16, the relu of 8 x 8. */
static void seconds_follow_the_rates(void **state)
{
	(void)state;
	const sw_kernel_rate rates[] = {{SW_KERNEL_PRODUCT, 16, 2e-6, 4e9}, {SW_KERNEL_PRODUCT, 4, 2e-6, 1e9},
		{SW_KERNEL_EACH, 512, 1e-6, 1e9}};
	const sw_machine machine = {.kernels = 3, .kernel = rates}, none = {.kernels = 0};
	sw_program planned;
	plan_program(CHAIN, &planned);
	near(sw_compute_seconds(&planned, 0, &machine), 2e-6 + 1024 / (1e9 * (48.0 / 7) / 4));
	int relu = 0;
	while (planned.step[relu].op != SW_RELU)
		relu++;
	near(sw_compute_seconds(&planned, relu, &machine), 1e-6 + 512 / 1e9);
	assert_true(sw_compute_seconds(&planned, relu, &none) < 0);
	near(sw_kernel_seconds(&machine, SW_KERNEL_PRODUCT, 64, 8e9), 2);
	near(sw_kernel_seconds(&machine, SW_KERNEL_PRODUCT, 1, 1e9), 1);
	assert_true(sw_kernel_seconds(&machine, SW_KERNEL_EXP, 1, 1) < 0);
	near(sw_machine_flops(&machine), 4e9);
	for (int k = 0; k < SW_KERNEL_COUNT; k++)
		assert_int_equal(sw_kernel_named(sw_str_of(sw_kernel_name((sw_kernel)k))), k);
	assert_int_equal(sw_kernel_named(sw_str_of("later")), SW_KERNEL_COUNT);
}

static void recorded_programs_are_right(void **state)
{
	(void)state;
	FILE *file = cases_open("programs-typing.jsonl");
	char *line = NULL;
	size_t room = 0;
	int count = 0;
	if (!file)
		skip();
	while (getline(&line, &room, file) > 0) {
		json_t *row = json_loads(line, 0, NULL);
		if (json_is_null(json_object_get(row, "rule"))) {
			assert_right(json_string_value(json_object_get(row, "text")));
			count++;
		}
		json_decref(row);
	}
	free(line);
	fclose(file);
	assert_true(count > 0);
}

/* The variable PROGRAMS says how many; FOLDER gets them as files. */
static int64_t wanted(int64_t otherwise)
{
	const char *given = getenv("PROGRAMS");
	return given ? strtoll(given, NULL, 10) : otherwise;
}

static void keep(const char *folder, int n, const sw_program *planned)
{
	char path[4096];
	sw_text text = {0};
	sw_diag diag;
	snprintf(path, sizeof path, "%s/%d-%d.json", folder, (int)planned->mesh.devices, n);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(sw_program_write(planned, SW_JSON_MAPS | SW_JSON_LINE, &text, &diag));
	fputs(sw_text_get(&text), file);
	fclose(file);
	sw_text_free(&text);
}

static void drawn_programs_are_right(void **state)
{
	(void)state;
	draw from = draw_start("programs");
	int64_t count = wanted(300);
	const char *folder = getenv("FOLDER");
	for (int64_t n = 0; n < count; n++) {
		sw_arena_mark mark = sw_arena_here(arena);
		sw_text text = {0};
		draw_program(&from, &text);
		assert_right(sw_text_get(&text));
		if (folder) {
			sw_program planned;
			plan_program(sw_text_get(&text), &planned);
			keep(folder, (int)n, &planned);
		}
		sw_text_free(&text);
		sw_arena_back(arena, mark);
	}
}

/* ---- files ---- */

static void written(const sw_program *planned, sw_text *text)
{
	sw_diag diag;
	if (!sw_program_write(planned, 0, text, &diag))
		fail_msg("%s", diag.message);
}

static void is_read_back_as_it_was_written(void **state)
{
	(void)state;
	sw_program planned, back;
	sw_text text = {0};
	sw_diag diag = {0};
	plan_program(CHAIN, &planned);
	written(&planned, &text);
	assert_true(sw_program_is_file((sw_str){sw_text_get(&text), text.length}));
	if (!sw_program_read((sw_str){sw_text_get(&text), text.length}, arena, &back, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(back.steps, planned.steps);
	assert_int_equal(back.values, planned.values);
	for (int i = 0; i < planned.values; i++)
		assert_true(sw_type_equal(back.value[i].type, planned.value[i].type));
	assert_true(simulated(&back, CHAIN).right);
	sw_text_free(&text);
}

static void replace_all(sw_text *text, const char *what, const char *by)
{
	sw_text out = {0};
	const char *at = sw_text_get(text), *next;
	for (; (next = strstr(at, what)) != NULL; at = next + strlen(what)) {
		sw_text_add_str(&out, (sw_str){at, (size_t)(next - at)});
		sw_text_add(&out, by);
	}
	sw_text_add(&out, at);
	sw_text_free(text);
	*text = out;
}

/* Steps of programs had other keys than those of plans. */
static void is_read_as_it_was_written_before(void **state)
{
	(void)state;
	sw_program planned, back;
	sw_text text = {0};
	sw_diag diag = {0};
	plan_program(CHAIN, &planned);
	written(&planned, &text);
	replace_all(&text, "\"inside\": ", "\"plan\": ");
	replace_all(&text, "{\"op\": \"relu\"", "{\"operation\": \"relu\"");
	replace_all(&text, "{\"op\": \"einsum\"", "{\"operation\": \"einsum\"");
	replace_all(&text, "{\"op\": \"redistribute\"", "{\"operation\": \"redistribute\"");
	if (!sw_program_read((sw_str){sw_text_get(&text), text.length}, arena, &back, &diag))
		fail_msg("%s", diag.message);
	assert_true(
		back.steps == planned.steps && back.value[back.returned].bytes == planned.value[planned.returned].bytes);
	sw_text_free(&text);
}

/* Something that follows from the text is something else there. */
static const char *const damages[][2] = {
	{"\"bytes\": 128", "\"bytes\": 129"},
	{"\"returned\": ", "\"returned\": 1"},
	{"\"op\": \"relu\"", "\"op\": \"neg\""},
	{"\"operands\": [0, 1]", "\"operands\": [1, 0]"},
	{"shardwalk.plan/2", "shardwalk.plan/9"},
	{"= relu c", "= relu q"},
	{"\"op\": \"reducescatter\"", "\"op\": \"allreduce\""},
};

static void damage_is_refused(void **state)
{
	const char *const *damage = *state;
	sw_program planned, back;
	sw_text text = {0}, other = {0};
	sw_diag diag = {0};
	plan_program(CHAIN, &planned);
	written(&planned, &text);
	const char *at = strstr(sw_text_get(&text), damage[0]);
	if (!at)
		fail_msg("no %s in %s", damage[0], sw_text_get(&text));
	sw_text_add_str(&other, (sw_str){sw_text_get(&text), (size_t)(at - sw_text_get(&text))});
	sw_text_add(&other, damage[1]);
	sw_text_add(&other, at + strlen(damage[0]));
	assert_false(sw_program_read((sw_str){sw_text_get(&other), other.length}, arena, &back, &diag));
	assert_true(diag.code != SW_OK && diag.at.end <= other.length && diag.at.end > 0);
	sw_text_free(&text);
	sw_text_free(&other);
}

/* A plan between other types than those of its step is refused with both. */
static void a_plan_of_another_step_is_refused(void **state)
{
	(void)state;
	sw_program planned, back;
	sw_text text = {0}, other = {0};
	sw_diag diag = {0};
	sw_plan plan;
	sw_plan_options options = {.strategy = SW_DIRECT};
	plan_program(CHAIN, &planned);
	int move = sw_program_next_move(&planned, -1);
	sw_problem problem = planned.step[move].inside->problem;
	problem.to = problem.from;
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	planned.step[move].inside = &plan;
	written(&planned, &text);
	assert_false(sw_program_read((sw_str){sw_text_get(&text), text.length}, arena, &back, &diag));
	assert_int_equal(diag.code, SW_P03);
	sw_type_print(&problem.mesh, &problem.from, false, &other);
	assert_non_null(strstr(diag.found, sw_text_get(&other)));
	assert_string_not_equal(diag.expected, diag.found);
	assert_true(diag.at.begin > 0 && diag.at.end <= text.length);
	sw_text_free(&text);
	sw_text_free(&other);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(matrices_multiply_as_letters_do),
		TEST(a_product_is_what_one_computes_by_hand),
		TEST(nobody_shares_a_place_at_one_time),
		NUMBERED(says_whether_it_is_exact, exactness),
		TEST(long_chains_stay_exact),
		TEST(long_bodies_are_right),
		TEST(a_wrong_step_is_found),
		TEST(too_much_memory_is_refused_with_the_numbers),
		NUMBERED(is_packed_only_where_it_has_to_be, lyings),
		TEST(seconds_follow_the_rates),
		TEST(recorded_programs_are_right),
		TEST(drawn_programs_are_right),
		TEST(is_read_back_as_it_was_written),
		TEST(is_read_as_it_was_written_before),
		TEST(a_plan_of_another_step_is_refused),
		NUMBERED(damage_is_refused, damages),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
