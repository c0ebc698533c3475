/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * StableHLO as JAX prints it: what its constraints move, along operations, through calls and loops; and damaged modules.
 */
#define _GNU_SOURCE
#include <shardwalk/log.h>
#include <shardwalk/program_text.h>

#include "kit/arena.h"
#include "kit/kit.h"
#include "kit/mutate.h"
#include "kit/read_back.h"

static char *file_text(const char *name)
{
	FILE *file = fopen(name, "rb");
	char *text = NULL;
	size_t room = 0, length = 0;

	if (file == NULL)
		fail_msg("there is no %s", name);
	do {
		room += 65536;
		text = realloc(text, room);
		length += fread(text + length, 1, room - length - 1, file);
	} while (length + 1 == room);
	fclose(file);
	text[length] = '\0';
	return text;
}

/* `5 x12 %0 sine f32[16,32] [{"x"}, {}] -> [{}, {"x"}]: [4{x}16, 32] ~> [16, 8{x}32] at train.py:3` */
static const char *log_text(const sw_log *log)
{
	static sw_text text;

	sw_text_clear(&text);
	for (int i = 0; i < log->count; i++) {
		const sw_log_pair *pair = &log->pairs[i];

		sw_text_addf(&text, "%d x%d%s %%%s %s %s %s -> %s: ", (int)pair->line, (int)pair->runs, pair->open ? "?" : "",
			pair->name[0], pair->op, pair->shape, pair->from, pair->to);
		if (pair->problem != NULL) {
			const sw_problem made = sw_log_problem_of(pair), *problem = &made;
			sw_type_print(&problem->mesh, &problem->from, false, &text);
			sw_text_add(&text, " ~> ");
			sw_type_print(&problem->mesh, &problem->to, false, &text);
		} else {
			sw_text_add(&text, pair->why->message);
		}
		if (pair->source != NULL)
			sw_text_addf(&text, " at %s", pair->source);
		sw_text_add(&text, "\n");
	}
	if (log->unsaid)
		sw_text_addf(&text, "%d unsaid from line %d\n", (int)log->unsaid, (int)log->unsaid_line);
	return sw_text_get(&text);
}

/* ---- a module's lines and blanks ---- */

/* Without what its lines begin with; or, but for what `#` begins, on one line. */
static void relaid(const char *module, bool one_line, sw_text *text)
{
	sw_text_clear(text);
	while (*module) {
		module += strspn(module, " ");
		size_t length = strcspn(module, "\n");
		bool apart = *module == '#' || !one_line;

		if (length) {
			if (apart && text->length && sw_text_get(text)[text->length - 1] != '\n')
				sw_text_add(text, "\n");
			sw_text_add_str(text, (sw_str){module, length});
			sw_text_add(text, apart ? "\n" : " ");
		}
		module += length + (module[length] != '\0');
	}
}

/* The number at the start of each line, and after "from line", is left out. */
static void without_lines(const char *lines, sw_text *text)
{
	sw_text_clear(text);
	for (const char *at = lines; *at; at++) {
		bool number = *at >= '0' && *at <= '9' &&
			(at == lines || at[-1] == '\n' || (at - lines > 5 && memcmp(at - 5, "line ", 5) == 0));
		if (number)
			at += strspn(at, "0123456789");
		sw_text_add_char(text, *at);
	}
}

static void expect_relaid(const char *what, const char *module, const char *expected)
{
	sw_text text = {0}, is = {0}, has = {0};

	without_lines(expected, &has);
	for (int one_line = 0; one_line < 2; one_line++) {
		sw_log log;
		sw_diag diag = {0};

		relaid(module, one_line, &text);
		if (!sw_log_read((sw_str){sw_text_get(&text), text.length}, NULL, arena, &log, &diag))
			fail_msg("%s, %s: %s", what, one_line ? "on one line" : "not indented", diag.message);
		without_lines(log_text(&log), &is);
		if (log.module == NULL || strcmp(sw_text_get(&is), sw_text_get(&has)) != 0)
			fail_msg("%s, %s:\n%s", what, one_line ? "on one line" : "not indented", sw_text_get(&is));
		sw_arena_clear(arena);
	}
	sw_text_free(&text);
	sw_text_free(&is);
	sw_text_free(&has);
}

static void expect(const char *what, const char *module, const char *expected)
{
	sw_log log;
	sw_diag diag = {0};

	if (!sw_log_read(sw_str_of(module), NULL, arena, &log, &diag))
		fail_msg("%s: %s", what, diag.message);
	if (log.module == NULL || strcmp(log_text(&log), expected) != 0)
		fail_msg("%s:\n%s", what, log_text(&log));
	sw_arena_clear(arena);
	expect_relaid(what, module, expected);
}

/* ---- single operations ---- */

#define HEAD \
	"module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n" \
	"  sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n"
#define MAIN(arguments) HEAD "  func.func public @main(" arguments ") -> (tensor<8x8xf32>) {\n"
#define ARGUMENT(sizes, sharding) "%arg0: tensor<" sizes "xf32> {sdy.sharding = #sdy.sharding<@mesh, " sharding ">}"
#define END "    return %arg0 : tensor<8x8xf32>\n  }\n}\n"

static const struct module {
	const char *what, *text, *expected;
} modules[] = {
	{"a constraint that asks for the present sharding, and one that does not",
		MAIN(ARGUMENT("16x32",
			"[{\"x\"}, {}]")) "    %0 = sdy.sharding_constraint %arg0 <@mesh, [{\"x\"}, {}]> : tensor<16x32xf32>\n"
							  "    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {\"x\", \"y\"}]> : tensor<16x32xf32>\n" END,
		"5 x1 %0 sharding_constraint f32[16,32] [{\"x\"}, {}] -> [{}, {\"x\", \"y\"}]: [4{x}16, 32] ~> [16, 4{y,x}32]\n"},
	{"devices in another order",
		"module @jit_f attributes {mhlo.num_partitions = 4 : i32} {\n"
		"  sdy.mesh @odd = <[\"x\"=2, \"y\"=2], device_ids=[3, 1, 2, 0]>\n"
		"  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@odd, [{\"x\"}, {}]>}) -> tensor<8x8xf32> {\n"
		"    %0 = sdy.reshard %arg0 <@odd, [{}, {\"x\"}]> : tensor<8x8xf32>\n" END,
		"4 x1 %arg0 argument f32[8,8] [{\"x\"}, {}] -> [{}, {\"x\"}]: [4{x}8, 8] ~> [8, 4{x}8]\n"},
	{"a mesh in the place of its name, sub-axes, element types",
		"module @jit_f {\n"
		"  func.func public @main(%arg0: tensor<8x8xui8> {sdy.sharding = #sdy.sharding<mesh<[\"x\"=4]>, [{\"x\"}, {}]>}) -> tensor<8x8xui8> {\n"
		"    %0 = sdy.sharding_constraint %arg0 <mesh<[\"x\"=4]>, [{\"x\":(1)2}, {\"x\":(2)2}]> : tensor<8x8xui8>\n"
		"    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xui8>) -> tensor<8x8xui8>\n"
		"    %2 = sdy.sharding_constraint %1 <mesh<[\"x\"=4]>, [{}, {}]> : tensor<8x8xui8>\n" END,
		"3 x1 %arg0 argument u8[8,8] [{\"x\"}, {}] -> [{\"x\":(1)2}, {\"x\":(2)2}]: [2{x}8, 8] ~> [4{x:(1)2}8, 4{x:(2)2}8]\n"
		"5 x1 %1 transpose u8[8,8] [{\"x\":(2)2}, {\"x\":(1)2}] -> [{}, {}]: [4{x:(2)2}8, 4{x:(1)2}8] ~> [8, 8]\n"},
	{"dimensions that are left to the compiler stay as they are",
		MAIN(ARGUMENT("16x32",
			"[{\"x\"}, {\"y\"}]")) "    %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {\"x\"}]> : tensor<16x32xf32>\n"
								   "    %1 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {}]> : tensor<16x32xf32>\n" END,
		"4 x1 %arg0 argument f32[16,32] [{\"x\"}, {\"y\"}] -> [{}, {\"x\"}]: [4{x}16, 16{y}32] ~> [16, 8{x}32]\n"
		"5 x1 %arg0 argument f32[16,32] [{\"x\"}, {\"y\"}] -> [{\"x\"}, {}]: [4{x}16, 16{y}32] ~> [4{x}16, 32]\n"},
	{"so do those that are open behind an axis, of a manual computation, and of an array that is else whole",
		MAIN(ARGUMENT("16x32",
			"[{\"x\"}, {\"y\"}]")) "    %0 = sdy.sharding_constraint %arg0 <@mesh, [{\"x\", ?}, {?}]> : tensor<16x32xf32>\n"
								   "    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{?}, {\"y\", ?}]>] out_shardings=[<@mesh, [{?}, {\"y\", ?}]>] manual_axes={\"y\"} (%arg2: tensor<16x16xf32>) {\n"
								   "      %9 = stablehlo.sine %arg2 : tensor<16x16xf32>\n"
								   "      sdy.return %9 : tensor<16x16xf32>\n"
								   "    } : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
								   "    %2 = stablehlo.custom_call @Sharding(%0) {backend_config = \"unspecified_dims=[0,1]\", mhlo.sharding = \"{replicated}\"} : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
								   "    %3 = sdy.sharding_constraint %2 <@mesh, [{}, {\"y\"}]> : tensor<16x32xf32>\n" END,
		"10 x1 %2 custom_call f32[16,32] [{\"x\"}, {\"y\"}] -> [{}, {\"y\"}]: [4{x}16, 16{y}32] ~> [16, 16{y}32]\n"},
	{"reshapes that split and merge",
		MAIN(ARGUMENT("16x32",
			"[{\"x\"}, {}]")) "    %0 = stablehlo.reshape %arg0 : (tensor<16x32xf32>) -> tensor<8x1x2x32xf32>\n"
							  "    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}, {}, {\"x\"}]> : tensor<8x1x2x32xf32>\n"
							  "    %2 = stablehlo.reshape %arg0 : (tensor<16x32xf32>) -> tensor<512xf32>\n"
							  "    %3 = sdy.sharding_constraint %2 <@mesh, [{}]> : tensor<512xf32>\n"
							  "    %4 = stablehlo.reshape %arg0 : (tensor<16x32xf32>) -> tensor<2x8x32xf32>\n"
							  "    %5 = sdy.sharding_constraint %4 <@mesh, [{}, {}, {}]> : tensor<2x8x32xf32>\n" END,
		"5 x1 %0 reshape f32[8,1,2,32] [{\"x\"}, {}, {}, {}] -> [{}, {}, {}, {\"x\"}]: [2{x}8, 1, 2, 32] ~> [8, 1, 2, 8{x}32]\n"
		"7 x1 %2 reshape f32[512] [{\"x\"}] -> [{}]: [128{x}512] ~> [512]\n"
		"1 unsaid from line 9\n"},
	{"broadcasts, sums, products and slices",
		MAIN(ARGUMENT("16x32",
			"[{\"x\"}, {\"y\"}]") ", %arg1: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>}") "    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<16x32xf32>) -> tensor<16x4x32xf32>\n"
																													 "    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {\"x\"}, {\"y\"}]> : tensor<16x4x32xf32>\n"
																													 "    %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
																													 "    %2 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>\n"
																													 "    %3 = sdy.sharding_constraint %2 <@mesh, [{\"y\"}]> : tensor<16xf32>\n"
																													 "    %4 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>\n"
																													 "    %5 = sdy.sharding_constraint %4 <@mesh, [{}, {}]> : tensor<16x64xf32>\n"
																													 "    %6 = stablehlo.slice %arg0 [0:16, 0:32] : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
																													 "    %7 = sdy.sharding_constraint %6 <@mesh, [{}, {}]> : tensor<16x32xf32>\n"
																													 "    %8 = stablehlo.slice %arg0 [0:16, 0:16] : (tensor<16x32xf32>) -> tensor<16x16xf32>\n"
																													 "    %9 = sdy.sharding_constraint %8 <@mesh, [{}, {}]> : tensor<16x16xf32>\n" END,
		"5 x1 %0 broadcast_in_dim f32[16,4,32] [{\"x\"}, {}, {\"y\"}] -> [{}, {\"x\"}, {\"y\"}]: [4{x}16, 4, 16{y}32] ~> [16, 1{x}4, 16{y}32]\n"
		"8 x1 %2 reduce f32[16] [{\"x\"}] -> [{\"y\"}]: [4{x}16] ~> [8{y}16]\n"
		"10 x1 %4 dot_general f32[16,64] [{\"x\"}, {\"y\"}] -> [{}, {}]: [4{x}16, 32{y}64] ~> [16, 64]\n"
		"12 x1 %6 slice f32[16,32] [{\"x\"}, {\"y\"}] -> [{}, {}]: [4{x}16, 16{y}32] ~> [16, 32]\n"
		"1 unsaid from line 14\n"},
	{"batches, and a product that would need an axis twice",
		MAIN(ARGUMENT("8x16x32",
			"[{\"x\"}, {\"y\"}, {}]") ", %arg1: tensor<8x32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}, {\"y\"}]>}") "    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x16x32xf32>, tensor<8x32x64xf32>) -> tensor<8x16x64xf32>\n"
																																	"    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}, {}]> : tensor<8x16x64xf32>\n"
																																	"    %2 = sdy.sharding_constraint %arg1 <@mesh, [{\"x\"}, {}, {}]> : tensor<8x32x64xf32>\n"
																																	"    %3 = stablehlo.dot_general %arg0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x16x32xf32>, tensor<8x32x64xf32>) -> tensor<8x16x64xf32>\n"
																																	"    %4 = sdy.sharding_constraint %3 <@mesh, [{}, {}, {}]> : tensor<8x16x64xf32>\n" END,
		"6 x1 %arg1 argument f32[8,32,64] [{\"x\"}, {}, {\"y\"}] -> [{\"x\"}, {}, {}]: [2{x}8, 32, 32{y}64] ~> [2{x}8, 32, 64]\n"
		"8 x1 %3 dot_general f32[8,16,64] [{\"x\"}, {\"y\"}, {}] -> [{}, {}, {}]: [2{x}8, 8{y}16, 64] ~> [8, 16, 64]\n"
		"1 unsaid from line 5\n"},
	{"manual computations and results",
		HEAD "  func.func public @main(" ARGUMENT("16x32",
			"[{\"x\"}, {}]") ") -> (tensor<16x32xf32> {jax.result_info = \"\", sdy.sharding = "
							 "#sdy.sharding<@mesh, [{\"y\"}, {}]>}) {\n"
							 "    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {\"x\"}]>] out_shardings=[<@mesh, [{\"x\"}, {}]>] "
							 "manual_axes={\"x\", \"y\"} (%arg2: tensor<16x8xf32>) {\n"
							 "      %9 = stablehlo.sine %arg2 : tensor<16x8xf32>\n"
							 "      sdy.return %9 : tensor<16x8xf32>\n"
							 "    } : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
							 "    return %0 : tensor<16x32xf32>\n  }\n}\n",
		"4 x1 %arg0 argument f32[16,32] [{\"x\"}, {}] -> [{}, {\"x\"}]: [4{x}16, 32] ~> [16, 8{x}32]\n"
		"8 x1 %0 manual_computation f32[16,32] [{\"x\"}, {}] -> [{\"y\"}, {}]: [4{x}16, 32] ~> [8{y}16, 32]\n"},
	{"a function that is called with different shardings, and one that calls itself",
		MAIN(ARGUMENT("16x32",
			"[{\"x\"}, {}]")) "    %0 = call @f(%arg0) : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
							  "    %1 = func.call @f(%0) : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
							  "    %2 = func.call @f(%0) : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
							  "    %3 = func.call @g(%2) : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
							  "    return %3 : tensor<16x32xf32>\n  }\n"
							  "  func.func private @f(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {\n"
							  "    %0 = sdy.sharding_constraint %arg0 <@mesh, [{\"y\"}, {}]> : tensor<16x32xf32>\n"
							  "    return %0 : tensor<16x32xf32>\n  }\n"
							  "  func.func private @g(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {\n"
							  "    %0 = func.call @g(%arg0) : (tensor<16x32xf32>) -> tensor<16x32xf32>\n"
							  "    %1 = sdy.sharding_constraint %arg0 <@mesh, [{}, {}]> : tensor<16x32xf32>\n"
							  "    return %1 : tensor<16x32xf32>\n  }\n}\n",
		"11 x1 %arg0 argument f32[16,32] [{\"x\"}, {}] -> [{\"y\"}, {}]: [4{x}16, 32] ~> [8{y}16, 32]\n"
		"16 x1 %arg0 argument f32[16,32] [{\"y\"}, {}] -> [{}, {}]: [8{y}16, 32] ~> [16, 32]\n"},
	{"sizes that do not divide are padded, as XLA does; what propagation said",
		MAIN(ARGUMENT("17x32",
			"[{}, {\"y\"}]")) "    %0 = stablehlo.custom_call @other(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {\"x\"}]>]>} : (tensor<17x32xf32>) -> tensor<17x32xf32>\n"
							  "    %1 = stablehlo.sine %0 : tensor<17x32xf32>\n"
							  "    %2 = sdy.sharding_constraint %1 <@mesh, [{\"x\"}, {}]> : tensor<17x32xf32>\n" END,
		"6 x1 %1 sine f32[17,32] [{}, {\"x\"}] -> [{\"x\"}, {}]: [20, 8{x}32] ~> [5{x}20, 32]\n"},
	{"an element type that is none of ours",
		"module @jit_f {\n  sdy.mesh @m = <[\"x\"=2]>\n"
		"  func.func public @main(%arg0: tensor<8x!quant.uniform<i8:f32, 1.0>> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}) -> tensor<8xf32> {\n"
		"    %0 = sdy.sharding_constraint %arg0 <@m, [{}]> : tensor<8x!quant.uniform<i8:f32, 1.0>>\n" END,
		"4 x1 %arg0 argument !quant.uniform<i8:f32[8] [{\"x\"}] -> [{}]: there is no element type '!quant.uniform<i8:f32'\n"},
};

static void small_modules(void **state)
{
	const struct module *row = *state;
	expect(row->what, row->text, row->expected);
}

/* ---- loops ---- */

#define LOOP(start, step, compare) \
	MAIN(ARGUMENT("16x32", "[{\"x\"}, {}]") ", %arg1: tensor<i32>") \
	"    %c = stablehlo.constant dense<" start "> : tensor<i32>\n" \
	"    %c_5 = stablehlo.constant dense<12> : tensor<i32>\n" \
	"    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %c_5) : tensor<i32>, tensor<16x32xf32>, tensor<i32>\n" \
	"    cond {\n" \
	"      %c_1 = stablehlo.constant dense<10> : tensor<i32>\n" \
	"      %2 = stablehlo.compare " compare ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" \
	"      stablehlo.return %2 : tensor<i1>\n" \
	"    } do {\n" \
	"      %2 = sdy.sharding_constraint %iterArg_0 <@mesh, [{\"x\"}, {}]> : tensor<16x32xf32>\n" \
	"      %3 = sdy.sharding_constraint %2 <@mesh, [{}, {\"y\"}]> : tensor<16x32xf32>\n" \
	"      %c_1 = stablehlo.constant dense<" step "> : tensor<i32>\n" \
	"      %4 = stablehlo.add %iterArg, %c_1 : tensor<i32>\n" \
	"      stablehlo.return %4, %3, %iterArg_1 : tensor<i32>, tensor<16x32xf32>, tensor<i32>\n" \
	"    }\n" END

static const struct loop {
	const char *text;
	int runs; /* below 0: the module does not tell */
} loops[] = {
	{LOOP("0", "1", "LT, %iterArg, %c_1"), 10},
	{LOOP("1", "3", "LE, %iterArg, %c_1"), 4},
	{LOOP("20", "-2", "GT, %iterArg, %c_1"), 5},
	{LOOP("0", "1", "GT, %c_1, %iterArg"), 10},
	{LOOP("0", "1", "LT, %iterArg, %iterArg_1"), 12},
	{LOOP("0", "1", "LT, %iterArg, %arg1"), -1},
	{LOOP("0", "0", "LT, %iterArg, %c_1"), -1},
	{LOOP("10", "1", "LT, %iterArg, %c_1"), 0},
};

/* What the body makes goes back to what it asks for first. */
static void loops_count(void **state)
{
	const struct loop *row = *state;
	char expected[400];
	int runs = row->runs < 0 ? 1 : row->runs;
	const char *open = row->runs < 0 ? "?" : "";

	snprintf(expected, sizeof expected,
		"13 x%d%s %%2 sharding_constraint f32[16,32] [{\"x\"}, {}] -> [{}, {\"y\"}]: [4{x}16, 32] ~> [16, 16{y}32]\n"
		"16 x%d%s %%3 sharding_constraint f32[16,32] [{}, {\"y\"}] -> [{\"x\"}, {}]: [16, 16{y}32] ~> [4{x}16, 32]\n",
		runs, open, runs, open);
	expect("a loop", row->text, expected);
}

/* ---- what JAX 0.10 printed ---- */

static const struct module programs[] = {
	{"with locations", "tests/hlo/constraints.mlir",
		"7 x1 %0 sine f32[16,32] [{\"x\"}, {\"y\"}] -> [{}, {\"x\"}]: [4{x}16, 16{y}32] ~> [16, 8{x}32] at /home/ann/train.py:11\n"
		"9 x1 %2 dot_general f32[16,64] [{}, {\"y\"}] -> [{\"x\"}, {}]: [16, 32{y}64] ~> [4{x}16, 64] at /home/ann/train.py:13\n"
		"11 x1 %4 transpose f32[64,16] [{}, {\"x\"}] -> [{\"x\"}, {\"y\"}]: [64, 4{x}16] ~> [16{x}64, 8{y}16] at /home/ann/train.py:14\n"
		"12 x1 %5 sharding_constraint f32[64,16] [{\"x\"}, {\"y\"}] -> [{\"x\", \"y\"}, {}]: [16{x}64, 8{y}16] ~> [8{y,x}64, 16] at "
		"/home/ann/train.py:17\n"},
	{"shard_map, explicit axes, two modules", "tests/hlo/shardy.mlir",
		"7 x1 %1 multiply bf16[16,32] [{\"x\"}, {\"y\"}] -> [{}, {\"x\"}]: [4{x}16, 16{y}32] ~> [16, 8{x}32]\n"
		"13 x1 %4 reshape bf16[4,4,4,32] [{\"x\"}, {}, {}, {}] -> [{\"x\"}, {}, {}, {\"y\"}]: [1{x}4, 4, 4, 32] ~> [1{x}4, 4, 4, 16{y}32]\n"
		"18 x1 %8 convert bf16[4,4,32] [{\"x\"}, {}, {\"y\"}] -> [{}, {\"x\"}, {}]: [1{x}4, 4, 16{y}32] ~> [4, 1{x}4, 32]\n"
		"36 x1 %23 divide bf16[4,4,64] [{}, {\"x\"}, {\"y\"}] -> [{\"y\"}, {}, {}]: [4, 1{x}4, 32{y}64] ~> [2{y}4, 4, 64]\n"
		"46 x1 %1 sharding_constraint f32[16,32] [{\"x\"}, {\"y\"}] -> [{}, {\"x\"}]: [4{x}16, 16{y}32] ~> [16, 8{x}32]\n"
		"49 x1 %4 sharding_constraint f32[16,64] [{}, {\"y\"}] -> [{\"y\"}, {\"x\"}]: [16, 32{y}64] ~> [8{y}16, 16{x}64]\n"},
	{"the same for GSPMD", "tests/hlo/gspmd.mlir",
		"6 x1 %1 multiply bf16[16,32] {devices=[4,2]<=[8]} -> {devices=[1,4,2]<=[8] last_tile_dim_replicate}: [4{a}16, 16{b}32] ~> [16, 8{a}32]\n"
		"13 x1 %8 reshape bf16[4,4,4,32] {devices=[4,1,1,1,2]<=[8] last_tile_dim_replicate} -> {devices=[4,1,1,2]<=[8]}: "
		"[1{a}4, 4, 4, 32] ~> [1{a}4, 4, 4, 16{b}32]\n"
		"18 x1 %12 convert bf16[4,4,32] {devices=[4,1,2]<=[8]} -> {devices=[1,4,1,2]<=[8] last_tile_dim_replicate}: "
		"[1{a}4, 4, 16{b}32] ~> [4, 1{a}4, 32]\n"
		"36 x1 %27 divide bf16[4,4,64] {devices=[1,4,2]<=[8]} -> {devices=[2,1,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}: "
		"[4, 1{a}4, 32{b}64] ~> [2{b}4, 4, 64]\n"
		"49 x1 %1 custom_call f32[16,32] {devices=[4,2]<=[8]} -> {devices=[1,4,2]<=[8] last_tile_dim_replicate}: "
		"[4{a}16, 16{b}32] ~> [16, 8{a}32]\n"
		"52 x1 %4 custom_call f32[16,64] {devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate} -> {devices=[2,4]<=[4,2]T(1,0)}: "
		"[16, 32{b}64] ~> [8{b}16, 16{a}64]\n"},
	/* nested.hlo is what XLA made of it: what moves there is what is expected here, as often */
	{"a loop of 5 in a loop of 12", "tests/hlo/scan.mlir",
		"21 x12 %4#0 call f32[64,64] [{\"x\", \"y\"}, {}] -> [{\"x\"}, {}]: [8{y,x}64, 64] ~> [16{x}64, 64] at /home/ann/train.py:19\n"
		"23 x1 %1#2 while f32[64,64] [{\"x\"}, {}] -> [{\"y\"}, {\"x\"}]: [16{x}64, 64] ~> [32{y}64, 16{x}64] at /home/ann/train.py:20\n"
		"37 x12 %2 tanh f32[64,64] [{\"x\"}, {\"y\"}] -> [{}, {\"x\"}]: [16{x}64, 32{y}64] ~> [64, 16{x}64] at /home/ann/train.py:11\n"
		"39 x12 %3 sharding_constraint f32[64,64] [{}, {\"x\"}] -> [{\"x\", \"y\"}, {}]: [64, 16{x}64] ~> [8{y,x}64, 64] at /home/ann/train.py:16\n"
		"48 x60 %6 call f32[64,64] [{}, {\"x\", \"y\"}] -> [{\"x\", \"y\"}, {}]: [64, 8{y,x}64] ~> [8{y,x}64, 64] at /home/ann/train.py:16\n"
		"57 x60 %1 sine f32[64,64] [{\"x\", \"y\"}, {}] -> [{}, {\"x\", \"y\"}]: [8{y,x}64, 64] ~> [64, 8{y,x}64] at /home/ann/train.py:15\n"},
};

static void whole_programs(void **state)
{
	const struct module *row = *state;
	char *text = file_text(row->text);

	expect(row->what, text, row->expected);
	free(text);
}

/* ---- damaged modules ---- */

/* Branches with a loop and a call, without a module around them and behind a warning. */
#define BRANCHES \
	"  sdy.mesh @mesh = <[\"dp\"=2, \"tp\"=4]>\n" \
	"  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"tp\"}, " \
	"{\"dp\"}]>}) -> tensor<64x64xf32> {\n" \
	"    %z = stablehlo.constant dense<0> : tensor<i32>\n    %n = stablehlo.constant dense<3> : tensor<i32>\n" \
	"    %1 = \"stablehlo.case\"(%arg0) ({\n" \
	"      %2 = func.call @g(%arg1) : (tensor<64x64xf32>) -> tensor<64x64xf32>\n" \
	"      stablehlo.return %2 : tensor<64x64xf32>\n    }, {\n" \
	"      %3:2 = stablehlo.while(%a = %z, %b = %arg1) : tensor<i32>, tensor<64x64xf32>\n      cond {\n" \
	"        %4 = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" \
	"        stablehlo.return %4 : tensor<i1>\n      } do {\n        %5 = stablehlo.add %a, %n : tensor<i32>\n" \
	"        %7 = sdy.sharding_constraint %b <@mesh, [{}, {\"dp\"}]> : tensor<64x64xf32>\n" \
	"        %8 = sdy.sharding_constraint %7 <@mesh, [{\"tp\"}, {\"dp\"}]> : tensor<64x64xf32>\n" \
	"        stablehlo.return %5, %8 : tensor<i32>, tensor<64x64xf32>\n      }\n" \
	"      stablehlo.return %3#1 : tensor<64x64xf32>\n    }) : (tensor<i32>) -> tensor<64x64xf32>\n" \
	"    return %1 : tensor<64x64xf32>\n  }\n" \
	"  func.func private @g(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {\n" \
	"    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {}]> : tensor<64x64xf32>\n" \
	"    return %0 : tensor<64x64xf32>\n  }\n"

static const char *const branched[] = {BRANCHES, "module @m {\n" BRANCHES "}\n",
	"W1128 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding "
	"{devices=[4,2]<=[2,4]T(1,0)} to {devices=[1,2,4]<=[8] last_tile_dim_replicate} efficiently for HLO operation %param = "
	"f32[16,32]{1,0} parameter(1), sharding={devices=[4,2]<=[2,4]T(1,0)}.\nmodule @m {\n" BRANCHES "}\n"};

static void damaged(void **state)
{
	static const char *const files[] = {"tests/hlo/constraints.mlir", "tests/hlo/shardy.mlir", "tests/hlo/gspmd.mlir",
		"tests/hlo/scan.mlir", "tests/hlo/traffic/deepcond.mlir", "tests/hlo/traffic/halo.mlir",
		"tests/hlo/traffic/uneven.mlir", "tests/hlo/traffic/partial-axes.mlir"};
	draw from = draw_start("stablehlo");
	mutant *m = malloc(sizeof *m);
	int programs_read = 0;

	(void)state;
	assert_non_null(m);
	for (int round = 0; round < 3000; round++) {
		size_t small = (size_t)draw_below(&from, (int)(sizeof modules / sizeof *modules));
		int kind = draw_below(&from, 8);
		char *text = kind > 2 ? strdup(modules[small].text) :
			kind == 2         ? strdup(branched[draw_below(&from, sizeof branched / sizeof *branched)]) :
			kind == 1         ? strdup(loops[draw_below(&from, sizeof loops / sizeof *loops)].text) :
								file_text(files[draw_below(&from, sizeof files / sizeof *files)]);
		sw_log log;
		sw_diag diag = {0};

		mutant_draw(m, &from, text);
		char *copy = mutant_copy(m);
		if (!sw_log_read((sw_str){copy, m->length}, NULL, arena, &log, &diag)) {
			assert_int_equal(diag.code, SW_N06);
		} else {
			programs_read += log.module != NULL;
			for (int i = 0; i < log.count; i++) {
				const sw_log_pair *pair = &log.pairs[i];
				assert_true(pair->problem != NULL || pair->why->code != SW_OK);
				assert_true(pair->at.end <= m->length && (pair->why == NULL || pair->why->at.end <= m->length));
			}
		}
		free(copy);
		free(text);
		module_is_tried(m);
		sw_arena_clear(arena);
	}
	free(m);
	assert_true(programs_read > 2000);
}

/* ---- functions that call each other ---- */

#define ASKS(result, operand, dims) \
	"    " result " = sdy.sharding_constraint " operand " <@mesh, " dims "> : tensor<8x8xf32>\n"

static const char adds[] = "    %0 = stablehlo.add %arg0, %arg0 : tensor<8x8xf32>\n"
						   "    %1 = stablehlo.negate %0 : tensor<8x8xf32>\n";
static const char asks[] = ASKS("%0", "%arg0", "[{}, {\"x\"}]") ASKS("%1", "%0", "[{\"x\"}, {}]");

/* Each of `deep` functions calls the one before twice; the first one does `inner`. */
static void doubling(sw_text *text, int deep, const char *inner)
{
	static const char call[] = "(tensor<8x8xf32>) -> tensor<8x8xf32>\n";
	sw_text_add(text, "module @m {\n  sdy.mesh @mesh = <[\"x\"=2]>\n");
	for (int i = 0; i <= deep; i++) {
		sw_text_addf(text, "  func.func private @f%d(%%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {\n", i);
		if (i)
			sw_text_addf(text, "    %%0 = call @f%d(%%arg0) : %s    %%1 = call @f%d(%%0) : %s", i - 1, call, i - 1,
				call);
		sw_text_addf(text, "%s    return %%1 : tensor<8x8xf32>\n  }\n", i ? "" : inner);
	}
	sw_text_addf(text,
		"  func.func public @main(%%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) -> "
		"tensor<8x8xf32> {\n    %%0 = call @f%d(%%arg0) : %s    return %%0 : tensor<8x8xf32>\n  }\n}\n",
		deep, call);
}

static const struct doubling_row {
	const char *name;
	int deep;
	const char *message; /* NULL: it is read */
} doublings[] = {
	{"14 deep", 14, NULL},
	{"15 deep", 15, "'@f15' makes 196605 operations in its calls"},
	{"40 deep", 40, "'@f40' makes 6597069766653 operations in its calls"},
	{"60 deep", 60, "'@f60' makes more than 281474976710656 operations in its calls"},
};

/* Refused at the call, before anything is made. */
static void functions_are_bounded(void **state)
{
	const struct doubling_row *row = *state;
	sw_text text = {0};
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	doubling(&text, row->deep, adds);
	bool ok = sw_program_read_module((sw_str){sw_text_get(&text), text.length}, NULL, NULL, arena, &program, &import,
		&diag);
	assert_int_equal(ok, !row->message);
	if (ok) {
		assert_int_equal(program.steps, 2 << row->deep);
	} else {
		const char *at = sw_text_get(&text) + diag.at.begin;
		assert_int_equal(diag.code, SW_N09);
		assert_string_equal(diag.message, row->message);
		assert_true(strncmp(at, "%0 = call @f", 12) == 0 && atoi(at + 12) == row->deep);
	}
	sw_text_free(&text);
}

/* What they move is counted, whatever they make. */
static void moves_in_functions_are_counted(void **state)
{
	const struct doubling_row *row = *state;
	sw_text text = {0};
	sw_log log;
	doubling(&text, row->deep, asks);
	assert_true(sw_log_read((sw_str){sw_text_get(&text), text.length}, NULL, arena, &log, NULL));
	assert_int_equal(log.count, 2);
	for (int k = 0; k < log.count; k++)
		assert_int_equal(log.pairs[k].runs, row->deep < 48 ? (int64_t)1 << row->deep : SW_RUNS_MOST);
	sw_text_free(&text);
}

static void add_list(sw_text *text, int count, const char *format, const char *behind)
{
	for (int k = 0; k < count; k++) {
		sw_text_addf(text, k ? ", " : "(");
		sw_text_addf(text, format, k);
	}
	sw_text_add(text, behind);
}

/* Function i calls the one before with argument i cut in one way, and in another. */
static void different_shardings(sw_text *text, int deep)
{
	sw_text_add(text, "module @m {\n  sdy.mesh @mesh = <[\"x\"=2]>\n");
	for (int i = 0; i < deep; i++) {
		sw_text_addf(text, "  func.func %s", i + 1 < deep ? "private " : "");
		sw_text_addf(text, i + 1 < deep ? "@f%d" : "@main", i);
		add_list(text, deep, "%%arg%d: tensor<8x8xf32>", ") -> tensor<8x8xf32> {\n");
		for (int k = 0; i && k < 2; k++) {
			sw_text_addf(text,
				"    %%%d = sdy.sharding_constraint %%arg%d <@mesh, [%s]> : tensor<8x8xf32>\n    %%1%d = call @f%d",
				k, i, k ? "{\"x\"}, {}" : "{}, {\"x\"}", k, i - 1);
			for (int arg = 0; arg < deep; arg++)
				sw_text_addf(text, arg == i ? "%s%%%d" : "%s%%arg%d", arg ? ", " : "(", arg == i ? k : arg);
			add_list(text, 1, ") : (tensor<8x8xf32>", ") -> tensor<8x8xf32>\n");
		}
		sw_text_add(text, "    return %arg0 : tensor<8x8xf32>\n  }\n");
	}
	sw_text_add(text, "}\n");
}

/* A function is gone through for each of them, up to a bound. */
static void different_shardings_are_bounded(void **state)
{
	(void)state;
	sw_text text = {0};
	sw_log log;
	sw_diag diag = {.code = SW_OK};
	different_shardings(&text, 32);
	assert_true(sw_log_read((sw_str){sw_text_get(&text), text.length}, NULL, arena, &log, &diag));
	assert_non_null(log.bound);
	assert_int_equal(log.bound->code, SW_N09);
	assert_true(strncmp(sw_text_get(&text) + log.bound->at.begin, "%1", 2) == 0);
	/* each function is called twice as often as that which calls it */
	for (int i = 0; i < log.count; i++)
		assert_true(log.pairs[i].runs >= 1);
	sw_text_free(&text);
}

static bool stops(void *context, const char *what, long long done, long long total)
{
	(void)total;
	*(long long *)context = strcmp(what, "operations") == 0 ? done : 0;
	return strcmp(what, "operations") != 0;
}

/* Who reads for long asks whether to go on. */
static void functions_ask_the_pulse(void **state)
{
	(void)state;
	long long done = 0;
	const sw_pulse pulse = {stops, &done};
	sw_text text = {0};
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	doubling(&text, 14, adds);
	assert_false(sw_program_read_module((sw_str){sw_text_get(&text), text.length}, NULL, &pulse, arena, &program,
		&import, &diag));
	assert_int_equal(diag.code, SW_S03);
	assert_in_range(done, 1, 8192);
	sw_text_free(&text);
}

static const char calls_itself[] =
	"sdy.mesh @mesh = <[\"x\"=2]>\n"
	"func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<8xf32> {\n"
	"  %0 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n"
	"func.func @g(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
	"  %0 = stablehlo.negate %a : tensor<8xf32>\n  %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>\n"
	"  %2 = stablehlo.add %0, %1 : tensor<8xf32>\n  return %2 : tensor<8xf32>\n}\n";

static void what_calls_itself_is_left_out(void **state)
{
	(void)state;
	sw_program program;
	sw_program_import import;
	assert_true(sw_program_read_module(sw_str_of(calls_itself), NULL, NULL, arena, &program, &import, NULL));
	assert_int_equal(program.steps, 2);
	assert_int_equal(import.lefts, 1);
	assert_string_equal(import.left[0].name, "call");
}

/* More results than types. */
static void results_have_types(void **state)
{
	(void)state;
	static const char text[] = "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
							   "  %0:65000 = stablehlo.any %a : tensor<8xf32>\n  return %a : tensor<8xf32>\n}\n";
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	assert_false(sw_program_read_module(sw_str_of(text), NULL, NULL, arena, &program, &import, &diag));
	assert_int_equal(diag.code, SW_N06);
	assert_true(strncmp(text + diag.at.begin, "%0:65000", 8) == 0);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(small_modules, modules, what),
		ROWS(loops_count, loops, text),
		ROWS(whole_programs, programs, what),
		TEST(damaged),
		ROWS(functions_are_bounded, doublings, name),
		ROWS(moves_in_functions_are_counted, doublings, name),
		TEST(different_shardings_are_bounded),
		TEST(functions_ask_the_pulse),
		TEST(what_calls_itself_is_left_out),
		TEST(results_have_types),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
