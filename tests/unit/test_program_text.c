/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of products and programs as other systems write them.
 */
#include <jansson.h>

#include <shardwalk/emit.h>
#include <shardwalk/program_text.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/mutate.h"
#include "kit/read_back.h"

static bool read_product(const sw_mesh *mesh, sw_str text, sw_product *product, sw_diag *diag)
{
	*diag = (sw_diag){.code = SW_OK};
	return sw_product_read(mesh, text, arena, product, diag);
}

static void mesh_of(const char *text, sw_mesh *mesh)
{
	sw_diag diag;
	if (!sw_mesh_parse(sw_str_of(text), mesh, &diag))
		fail_msg("%s: %s", text, diag.message);
}

/* `ij,jk->ik A, B as C` */
static const char *written(const sw_mesh *mesh, const sw_product *product)
{
	sw_text text = {0};
	sw_equation_print(&product->equation, &text);
	sw_text_add(&text, " ");
	sw_type_print(mesh, &product->a, product->a.dtype_given, &text);
	sw_text_add(&text, ", ");
	sw_type_print(mesh, &product->b, product->b.dtype_given, &text);
	if (product->wanted) {
		sw_text_add(&text, " as ");
		sw_type_print(mesh, &product->as, false, &text);
	}
	const char *kept = sw_arena_copy(arena, sw_text_get(&text), text.length);
	sw_text_free(&text);
	return kept;
}

static const struct product_row {
	const char *text, *mesh, *means;
} products[] = {
	{"jnp.einsum('bd,df->bf', x: bf16[8,2048] P('x', 'y'), w: bf16[2048,8192] P(None, 'y'), out_sharding=P('x', 'y'))",
		"{x: 4, y: 2}", "bd,df->bf bf16[2{x}8, 1024{y}2048], bf16[2048, 4096{y}8192] as [2{x}8, 4096{y}8192]"},
	{"jnp.einsum('bd,df->bf', x: f32[8,2048] P('x', None), w: f32[2048,8192] P(None, 'y'))", "{x: 4, y: 2}",
		"bd,df->bf f32[2{x}8, 2048], f32[2048, 4096{y}8192]"},
	{"y = jax.numpy.einsum(\"bd,df->bf\", f32[8@x,2048], w: float32[2048,8192@(x,y)], precision='highest', "
	 "out_shardings=PartitionSpec('x',),)",
		"{x: 4, y: 2}", "bd,df->bf f32[2{x}8, 2048], f32[2048, 1024{y,x}8192] as [2{x}8, 8192]"},
	{"jnp.dot(x: f32[8,2048] P('x'), w: f32[2048])", "{x: 4, y: 2}", "ij,j->i f32[2{x}8, 2048], f32[2048]"},
	{"jnp.dot(x: f32[8,16], w: f32[4,16,2@x])", "{x: 2}", "ij,kjl->ikl f32[8, 16], f32[4, 16, 1{x}2]"},
	{"jnp.matmul(x: f32[6@x,8,16], w: f32[6@x,16,32])", "{x: 2}",
		"ijk,ikl->ijl f32[3{x}6, 8, 16], f32[3{x}6, 16, 32]"},
	{"jnp.matmul(x: f32[6@x,8,16], w: f32[16,32])", "{x: 2}", "ijk,kl->ijl f32[3{x}6, 8, 16], f32[16, 32]"},
	{"x: f32[8@x,2048] @ w: f32[2048@x,8192]", "{x: 4}", "ij,jk->ik f32[2{x}8, 2048], f32[512{x}2048, 8192]"},
	{"f32[8@x,2048] @ f32[2048,8192@y]", "{x: 4, y: 2}", "ij,jk->ik f32[2{x}8, 2048], f32[2048, 4096{y}8192]"},
	{"z = (x: f32[8@x,2048]{U:y}) @ (w: f32[2048,8192] P())", "{x: 4, y: 2}",
		"ij,jk->ik f32[2{x}8, 2048]+{y}, f32[2048, 8192]"},
	{"jnp.matmul(x: f32[8,2048] P('x', unreduced={'y'}), w: f32[2048,8192], out_sharding=P('x', unreduced={'y'}))",
		"{x: 4, y: 2}", "ij,jk->ik f32[2{x}8, 2048]+{y}, f32[2048, 8192] as [2{x}8, 8192]+{y}"},
	{"A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]", "{X: 4}",
		"ij,jk->ik [64, 8{X}32], [8{X}32, 48] as [64, 12{X}48]"},
	{"A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K] {U_X}", "{X: 4}",
		"ij,jk->ik [64, 8{X}32], [8{X}32, 48] as [64, 48]+{X}"},
	{"A[I_{XY}:64, J] * B[J:32, K:48]", "{X: 4, Y: 2}", "ij,jk->ik [8{Y,X}64, 32], [32, 48]"},
	{"bf16[B_X:8, D_Y:2048] · W[D, F_Y:8192] → C[B_X, F_Y]", "{X: 4, Y: 2}",
		"bd,df->bf bf16[2{X}8, 1024{Y}2048], bf16[2048, 4096{Y}8192] as [2{X}8, 4096{Y}8192]"},
	{"A[batch_X:8, i:4] B[batch_X, I:4, i] -> C[batch_X, I]", "{X: 2}",
		"bi,bIi->bI [4{X}8, 4], [4{X}8, 4, 4] as [4{X}8, 4]"},
};

static void product_is_read(void **state)
{
	const struct product_row *row = *state;
	sw_mesh mesh;
	sw_product product;
	sw_diag diag;
	mesh_of(row->mesh, &mesh);
	if (!read_product(&mesh, sw_str_of(row->text), &product, &diag))
		fail_msg("%s: %s (expected %s)", row->text, diag.message, diag.expected);
	assert_string_equal(written(&mesh, &product), row->means);
}

static const struct refused_row {
	const char *text;
	sw_code code;
	const char *at, *message;
} refused[] = {
	{"jnp.einsum('bd,df->bf', x, w)", SW_N03, "x", "the type of 'x'"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4] P('q'), w: f32[4,8])", SW_T02, "'q'", "not in the mesh"},
	{"jnp.einsum('bd,df->bf', x: f32[8@X] P('X'), w: f32[4,8])", SW_N01, "P('X')",
		"the type gives a sharding, and so does the text after it"},
	{"jnp.einsum('bd,df->bq', x: f32[8,4], w: f32[4,8])", SW_A02, "q", "q"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4], w: f32[5,8])", SW_A04, NULL, "letter 'd' is 4 in A and 5 in B"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4])", SW_N01, NULL, "too early"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4], w: f32[4,8]", SW_N01, NULL, "too early"},
	{"jnp.einsum(bd, x: f32[8,4], w: f32[4,8])", SW_N01, "bd", "cannot read"},
	{"jnp.tensordot(x: f32[8,4], w: f32[4,8])", SW_N01, NULL, "cannot read"},
	{"jnp.dot(x: f32[], w: f32[4,8])", SW_A03, NULL, "0 and of 2 dimensions"},
	{"A[I:64, J_X:32] B[J_X:33, K:48]", SW_A04, "J_X:33", "letter 'J' is 32 and 33"},
	{"A[I, J_X:32] B[J_X, K:48]", SW_N03, "A[I, J_X:32]", "the size of I"},
	{"A[I:64, J_Z:32] B[J, K:48]", SW_T02, "Z", "not in the mesh"},
	{"A[I:64, J:0] B[J, K:48]", SW_N01, NULL, NULL},
	{"A[I:64, J:32]", SW_N01, NULL, "too early"},
	{"A[I:64, J:32] B[J, K:48] C[I, K]", SW_N01, "C[I, K]", "cannot read"},
	{"A[I:64, I:64] B[I, K:48]", SW_A02, NULL, "i"},
};

static void product_is_refused(void **state)
{
	const struct refused_row *row = *state;
	sw_mesh mesh;
	sw_product product;
	sw_diag diag;
	mesh_of("{X: 4, Y: 2}", &mesh);
	assert_false(read_product(&mesh, sw_str_of(row->text), &product, &diag));
	if (diag.code != row->code || (row->message && !strstr(diag.message, row->message)))
		fail_msg("%s: %s %s", row->text, sw_code_info_of(diag.code)->name, diag.message);
	assert_true(diag.at.end <= strlen(row->text) && diag.at.begin <= diag.at.end);
	if (row->at) {
		size_t length = strlen(row->at);
		if (diag.at.end - diag.at.begin != length || memcmp(row->text + diag.at.begin, row->at, length) != 0)
			fail_msg("%s: at %.*s", row->text, (int)(diag.at.end - diag.at.begin), row->text + diag.at.begin);
	}
}

/* Whatever a text has become, it is read or refused with a position inside it. */
static void type_reads_back(const sw_mesh *mesh, const sw_type *type, sw_str from)
{
	sw_text text = {0}, again = {0};
	sw_type read;
	sw_diag diag = {.code = SW_OK};
	sw_type_print(mesh, type, true, &text);
	if (!sw_type_parse(mesh, (sw_str){sw_text_get(&text), text.length}, &read, &diag))
		fail_msg("%.*s: %s: %s", (int)from.length, from.at, sw_text_get(&text), diag.message);
	sw_type_print(mesh, &read, true, &again);
	assert_string_equal(sw_text_get(&text), sw_text_get(&again));
	sw_text_free(&text);
	sw_text_free(&again);
}

static void product_reads_back(const sw_product *product, sw_str from)
{
	sw_text text = {0}, again = {0};
	sw_equation read;
	sw_equation_print(&product->equation, &text);
	assert_true(sw_equation_parse((sw_str){sw_text_get(&text), text.length}, &read, NULL));
	sw_equation_print(&read, &again);
	assert_string_equal(sw_text_get(&text), sw_text_get(&again));
	type_reads_back(&product->mesh, &product->a, from);
	type_reads_back(&product->mesh, &product->b, from);
	if (product->wanted)
		type_reads_back(&product->mesh, &product->as, from);
	sw_text_free(&text);
	sw_text_free(&again);
}

static void changed_products_come_back(void **state)
{
	(void)state;
	draw from = draw_start("changed products");
	static mutant m;
	sw_mesh mesh;
	mesh_of("{x: 4, y: 2, X: 2}", &mesh);
	for (int round = 0; round < 10000; round++) {
		sw_product product;
		sw_diag diag;
		mutant_draw(&m, &from, products[draw_below(&from, COUNT(products))].text);
		char *copy = mutant_copy(&m);
		sw_arena_mark mark = sw_arena_here(arena);
		bool ok = read_product(&mesh, (sw_str){copy, m.length}, &product, &diag);
		if (!ok && (diag.code == SW_OK || diag.at.end > m.length || diag.at.begin > diag.at.end))
			fail_msg("%.*s: code %d at %zu to %zu", (int)m.length, copy, diag.code, diag.at.begin, diag.at.end);
		if (ok)
			product_reads_back(&product, (sw_str){copy, m.length});
		sw_arena_back(arena, mark);
		free(copy);
	}
}

/* ---- the lines of the cases ---- */

static void check_line(const char *name, json_t *line)
{
	const char *mesh_text = json_string_value(json_object_get(line, "mesh"));
	const char *text = json_string_value(json_object_get(line, "text"));
	const char *equation = json_string_value(json_object_get(line, "einsum"));
	sw_product product;
	sw_type type;
	sw_diag diag;
	sw_mesh mesh;
	if (!equation)
		return;
	mesh_of(mesh_text, &mesh);
	if (!read_product(&mesh, sw_str_of(text), &product, &diag))
		fail_msg("%s: %s", name, diag.message);
	sw_text printed = {0};
	sw_equation_print(&product.equation, &printed);
	assert_string_equal(sw_text_get(&printed), equation);
	sw_text_free(&printed);
	static const char *const keys[] = {"a", "b", "as"};
	const sw_type *read[] = {&product.a, &product.b, product.wanted ? &product.as : NULL};
	for (int i = 0; i < 3; i++) {
		const char *said = json_string_value(json_object_get(line, keys[i]));
		assert_true(!said == !read[i]);
		if (!said)
			continue;
		assert_true(sw_type_parse(&mesh, sw_str_of(said), &type, &diag));
		assert_true(sw_type_same_map(&mesh, &type, read[i]));
	}
}

static void lines_of_the_cases(void **state)
{
	(void)state;
	json_t *line;
	FILE *file = cases_open("programs-notations.jsonl");
	char text[4096];
	int count = 0;
	assert_non_null(file);
	while (fgets(text, sizeof(text), file) && (line = json_loads(text, 0, NULL))) {
		check_line(json_string_value(json_object_get(line, "name")), line);
		count += json_object_get(line, "einsum") != NULL;
		json_decref(line);
	}
	fclose(file);
	assert_true(count >= 4);
}

/* ---- modules ---- */

static const struct module_row {
	const char *name, *text, *program, *others;
} modules[] = {
	{"two layers, a call, constants",
		"module @jit_mlp attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n"
		"  sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]> {stablehlo.mesh = {axes = [{name = \"x\", size = 4 : i64}]}}\n"
		"  func.func public @main(%arg0: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}, "
		"%arg1: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>}, %arg2: tensor<128x64xf32>) "
		"-> (tensor<16x64xf32> {jax.result_info = \"result\", sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) {\n"
		"    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : "
		"(tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>\n"
		"    %1 = call @relu(%0) : (tensor<16x128xf32>) -> tensor<16x128xf32>\n"
		"    %2 = sdy.sharding_constraint %1 <@mesh, [{\"x\"}, {\"y\"}]> : tensor<16x128xf32>\n"
		"    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [1] x [0] : (tensor<16x128xf32>, "
		"tensor<128x64xf32>) -> tensor<16x64xf32>\n"
		"    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>\n"
		"    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64xf32>\n"
		"    %5 = stablehlo.multiply %3, %4 : tensor<16x64xf32>\n"
		"    %6 = stablehlo.add %5, %arg0 : tensor<16x64xf32>\n"
		"    return %6 : tensor<16x64xf32>\n  }\n"
		"  func.func private @relu(%arg0: tensor<16x128xf32>) -> tensor<16x128xf32> {\n"
		"    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
		"    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x128xf32>\n"
		"    %1 = stablehlo.maximum %arg0, %0 : tensor<16x128xf32>\n"
		"    return %1 : tensor<16x128xf32>\n  }\n}\n",
		"mesh {x: 4, y: 2}\n"
		"\n"
		"fn main(arg0 : f32[4{x}16, 64], arg1 : f32[64, 64{y}128], arg2 : ?f32[128, 64]) -> f32[4{x}16, 64] {\n"
		"  v0 = einsum \"ij,jk->ik\" arg0 arg1 as ?\n"
		"  v1 = relu v0 as f32[4{x}16, 64{y}128]\n"
		"  v3 = einsum \"ij,jk->ik\" v1 arg2 as ?\n"
		"  v5 = scale v3 as ?\n"
		"  v6 = add v5 arg0 as ?\n"
		"  return v6\n"
		"}\n",
		""},
	{"batches, and constraints that say what is there",
		"sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n"
		"func.func @g(%q: tensor<8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}, {}]>}, "
		"%k: tensor<8x32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}, {}]>}) -> (tensor<8x16x32xf32>) {\n"
		"  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : "
		"(tensor<8x16x4xf32>, tensor<8x32x4xf32>) -> tensor<8x16x32xf32>\n"
		"  %1 = sdy.sharding_constraint %0 <@mesh, [{\"x\"}, {}, {}]> : tensor<8x16x32xf32>\n"
		"  %2 = stablehlo.exponential %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}, {}]>]>} : "
		"tensor<8x16x32xf32>\n"
		"  %3 = sdy.sharding_constraint %2 <@mesh, [{\"x\"}, {\"y\"}, {}]> : tensor<8x16x32xf32>\n"
		"  return %3 : tensor<8x16x32xf32>\n}\n",
		"mesh {x: 4, y: 2}\n"
		"\n"
		"fn g(q : f32[2{x}8, 16, 4], k : f32[2{x}8, 32, 4]) -> f32[2{x}8, 8{y}16, 32] {\n"
		"  v0 = einsum \"bij,bkj->bik\" q k\n"
		"  v2 = exp v0 as f32[2{x}8, 8{y}16, 32]\n"
		"  return v2\n"
		"}\n",
		""},
	{"sums, and the collectives of Shardy",
		"module {\n  sdy.mesh @m = <[\"x\"=2, \"y\"=2]>\n"
		"  func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {\"x\"}]>}, "
		"%b: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>}) -> "
		"(tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {\"y\"}]>}) {\n"
		"    %0 = \"stablehlo.dot_general\"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
		"[1], rhs_contracting_dimensions = [0]>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], "
		"unreduced={\"x\"}>]>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>\n"
		"    %1 = sdy.reduce_scatter [{\"x\"}, {}] %0 out_sharding=<@m, [{\"x\"}, {}]> : tensor<8x32xf32>\n"
		"    %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{\"x\"}, {}]>]>} : tensor<8x32xf32>\n"
		"    %3 = sdy.replicated_to_unreduced {\"y\"} %2 out_sharding=<@m, [{\"x\"}, {}], unreduced={\"y\"}> : "
		"tensor<8x32xf32>\n"
		"    %4 = sdy.all_reduce {\"y\"} %3 out_sharding=<@m, [{\"x\"}, {}]> : tensor<8x32xf32>\n"
		"    %5 = sdy.all_gather [{\"x\"}, {}] %4 out_sharding=<@m, [{}, {}]> : tensor<8x32xf32>\n"
		"    %6 = sdy.sharded_to_unreduced [{}, {}] %5 out_sharding=<@m, [{}, {}], unreduced={\"y\"}> : tensor<8x32xf32>\n"
		"    return %6 : tensor<8x32xf32>\n  }\n}\n",
		"mesh {x: 2, y: 2}\n"
		"\n"
		"fn main(a : f32[8, 8{x}16], b : f32[8{x}16, 32]) -> f32[8, 16{y}32] {\n"
		"  v0 = einsum \"ij,jk->ik\" a b as f32[4{x}8, 32]\n"
		"  v2 = neg v0 as f32[4{x}8, 32]+{y}\n"
		"  v4 = redistribute v2 as f32[4{x}8, 32]\n"
		"  v5 = redistribute v4 as f32[8, 32]\n"
		"  v6 = redistribute v5 as f32[8, 32]+{y}\n"
		"  result = redistribute v6 as f32[8, 16{y}32]\n"
		"  return result\n"
		"}\n",
		""},
	{"operands that are not multiplied where they are",
		"sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
		"func.func @f(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}, "
		"%b: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x32xf32> {\n"
		"  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = "
		"#sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>\n"
		"  return %0 : tensor<8x32xf32>\n}\n",
		"mesh {x: 2, y: 2}\n"
		"\n"
		"fn f(a : f32[8, 8{x}16], b : f32[16, 32]) -> f32[8, 32] {\n"
		"  v0 = einsum \"ij,jk->ik\" a b as ?\n"
		"  v0_2 = redistribute v0 as f32[8, 32]\n"
		"  return v0_2\n"
		"}\n",
		"line 3: E-SHARED letter 'j' is partitioned differently in A and in B\n"},
	{"operations that the language has not",
		"module {\n  sdy.mesh @mesh = <[\"x\"=2]>\n"
		"  func.func @main(%a: tensor<8x16xf32>, %unused: tensor<3xf32>, %w: tensor<32x16xf32> {sdy.sharding = "
		"#sdy.sharding<@mesh, [{}, {\"x\"}]>}) -> (tensor<f32>, tensor<8x32xf32>) {\n"
		"    %0 = stablehlo.transpose %w, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>} : "
		"(tensor<32x16xf32>) -> tensor<16x32xf32>\n"
		"    %1 = stablehlo.tanh %a : tensor<8x16xf32>\n"
		"    %2 = stablehlo.tanh %1 : tensor<8x16xf32>\n"
		"    %3 = stablehlo.dot_general %2, %0, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> "
		"tensor<8x32xf32>\n"
		"    %cst = stablehlo.constant dense<0.0> : tensor<f32>\n"
		"    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x32xf32>, "
		"tensor<f32>) -> tensor<f32>\n"
		"    return %4, %3 : tensor<f32>, tensor<8x32xf32>\n  }\n}\n",
		"mesh {x: 2}\n"
		"\n"
		"fn main(v2 : ?f32[8, 16], v0 : f32[8{x}16, 32]) -> ? {\n"
		"  v3 = einsum \"ij,jk->ik\" v2 v0 as ?\n"
		"  return v3\n"
		"}\n",
		"stablehlo.transpose x1 from line 4\nstablehlo.tanh x2 from line 5\n"},
};

static void module_is_read(void **state)
{
	const struct module_row *row = *state;
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0}, others = {0};
	assert_true(sw_program_is_module(sw_str_of(row->text)));
	if (!sw_program_read_module(sw_str_of(row->text), NULL, NULL, arena, &program, &import, &diag))
		fail_msg("%s: %s (%s, %zu to %zu)", row->name, diag.message, diag.expected, diag.at.begin, diag.at.end);
	sw_program_print(&program, &text);
	assert_string_equal(sw_text_get(&text), row->program);
	for (int i = 0; i < import.lefts; i++)
		sw_text_addf(&others, "%s x%d from line %d\n", import.left[i].name, (int)import.left[i].count,
			(int)import.left[i].line);
	for (int i = 0; i < import.conflicts; i++)
		sw_text_addf(&others, "line %d: %s %s\n", (int)import.conflict[i].line, import.conflict[i].rule,
			import.conflict[i].why);
	assert_string_equal(sw_text_get(&others), row->others);
	sw_program again;
	if (!sw_program_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &again, &diag))
		fail_msg("%s: %s", sw_text_get(&text), diag.message);
	sw_text_free(&text);
	sw_text_free(&others);
}

/* ---- there and back ---- */

static const struct round_row {
	const char *name, *text;
} rounds[] = {
	{"two layers",
		"mesh {x: 2, y: 2}\nfn mlp(A: f32[8{x}16, 8], B: f32[8, 6{y}12], C: f32[6{y}12, 8]) -> f32[4{y,x}16, 8] {\n"
		"h = einsum \"ij,jk->ik\" A B\nr = relu h\no = einsum \"ij,jk->ik\" r C as f32[8{x}16, 8]\ns = add o A\n"
		"t = scale s as f32[4{y,x}16, 8]\nreturn t }"},
	{"batches and sums",
		"mesh {x: 2, y: 2}\nfn f(Q: bf16[4{x}8, 16, 2{y}4], K: bf16[4{x}8, 12, 2{y}4]) -> bf16[4{x}8, 16, 6{y}12] {\n"
		"s = einsum \"bqd,bkd->bqk\" Q K\nn = add s s\nm = redistribute n as bf16[4{x}8, 8{y}16, 12]\n"
		"e = mul m m as bf16[4{x}8, 16, 6{y}12]\nreturn e }"},
	{"sums that begin, parts of axes",
		"mesh {x: 4}\nfn f(A: i32[8{x:(1)2}16, 8]+{x:(2)2}) -> i32[16, 8]+{x} {\nb = neg A\n"
		"c = redistribute b as i32[4{x}16, 8]\nd = exp c\ne = redistribute d as i32[16, 8]+{x}\nreturn e }"},
};

/* Emitted and read again, a program moves the same between the same types. */
static void program_comes_back(const struct round_row *row, sw_emit_kind kind)
{
	sw_program program, again;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0};
	int one = -1, other = -1;
	if (!sw_program_parse(sw_str_of(row->text), NULL, arena, &program, &diag) ||
		!sw_emit_program(kind, &program, arena, &text, &diag) ||
		!sw_program_read_module(sw_str_of(sw_text_get(&text)), &program.mesh, NULL, arena, &again, &import, &diag))
		fail_msg("%s: %s\n%s", row->name, diag.message, sw_text_get(&text));
	assert_int_equal(sw_program_moves(&program), sw_program_moves(&again));
	while ((one = sw_program_next_move(&program, one)) >= 0) {
		other = sw_program_next_move(&again, other);
		assert_true(sw_type_same_map(&program.mesh, sw_program_from(&program, one), sw_program_from(&again, other)) &&
			sw_type_same_map(&program.mesh, sw_program_to(&program, one), sw_program_to(&again, other)));
	}
	assert_true(sw_type_same_map(&program.mesh, program.result, again.result));
	assert_int_equal(import.lefts + import.conflicts, 0);
	sw_text_free(&text);
}

static void modules_come_back(void **state)
{
	program_comes_back(*state, SW_EMIT_SHARDY);
	program_comes_back(*state, SW_EMIT_STABLEHLO);
}

/* Bodies, sums that begin in them, what is rounded, letters that are no matrices. */
static const struct round_row with_plans[] = {
	{"a body that makes terms",
		"mesh {x: 2, y: 2}\nfn f(A: i64[8{x}16, 4{y}8], B: i64[4{y}8, 12], v: i64[]) -> i64[12, 16] {\n"
		"h = spmd_op A B (a : [8, 4], b : [4, 12]) { t = matmul a b  u = exp t  return (add u t) } as i64[8{x}16, 12]+{y}\n"
		"o = einsum \"ij,->ji\" h v as i64[12, 16]\nreturn o }"},
	{"what is rounded",
		"mesh {x: 2}\nfn f(A: f32[8{x}16, 8], B: f32[8, 8]) -> f32[16, 8] {\nh = exp A\n"
		"o = einsum \"ij,jk->ik\" h B as f32[16, 8]\nreturn o }"},
	{"rounded in a body",
		"mesh {x: 2}\nfn f(A: f64[8, 4{x}8], B: f64[4{x}8, 6]) -> f64[8, 6]+{x} {\n"
		"h = spmd_op A B (a : [8, 4], b : [4, 6]) { c = exp a  return (matmul c b) } as f64[8, 6]+{x}\nreturn h }"},
	{"letters of one operand",
		"mesh {x: 2}\nfn f(A: f32[2{x}4, 6], B: f32[3, 6]) -> f32[4] {\n"
		"b = einsum \"ab,cb->a\" A B as f32[4]\nreturn b }"},
};

/* With plans a program is text that names each of its operations. */
static void plans_are_written(void **state)
{
	const struct round_row *row = *state;
	static const sw_emit_kind kinds[] = {SW_EMIT_MPI, SW_EMIT_SHARD_MAP};
	sw_program program;
	sw_diag diag = {.code = SW_OK};
	if (!sw_program_parse(sw_str_of(row->text), NULL, arena, &program, &diag))
		fail_msg("%s: %s", row->name, diag.message);
	for (int i = 0; i < 2; i++) {
		sw_text text = {0};
		bool ok = sw_emit_program(kinds[i], &program, arena, &text, &diag);
		if (program.value[0].type->dtype == SW_BF16 && kinds[i] == SW_EMIT_MPI)
			assert_int_equal(diag.code, SW_P06);
		else if (!ok)
			fail_msg("%s: %s", row->name, diag.message);
		for (int s = 0; ok && s < program.steps; s++) {
			char wanted[64];
			snprintf(wanted, sizeof wanted, "%.*s = ", (int)program.value[program.inputs + s].name.length,
				program.value[program.inputs + s].name.at);
			assert_non_null(strstr(sw_text_get(&text), wanted));
		}
		sw_text_free(&text);
	}
}

static const struct unsaid_row {
	const char *text;
	sw_emit_kind kind;
	const char *message;
} unsaid[] = {
	{"mesh {x: 2}\nfn f(A: ?[4, 4]) -> ? {\nb = relu A as ?\nreturn b }", SW_EMIT_JAX,
		"nothing says how input 'A' is kept"},
	{"mesh {x: 2}\nfn f(A: [4, 4]) -> [4, 4] {\nb = relu A as ?\nc = neg b as [4, 4]\nreturn c }", SW_EMIT_MPI,
		"step 1, b = relu: nothing says how it is kept"},
	{"mesh {x: 2}\nfn f(A: bf16[4, 4]) -> bf16[4, 4] {\nb = neg A\nc = relu b\nreturn c }", SW_EMIT_MPI,
		"step 1, b = neg: C computes with f32, f64, i32 and i64, one of them in a program, not with bf16"},
	{"mesh {x: 2}\nfn f(A: [131072, 65536]) -> [131072, 65536] {\nb = neg A\nreturn b }", SW_EMIT_MPI,
		"step 1, b = neg: a tile of more than 2147483647 elements is moved, and nothing else is done with it"},
	{"mesh {x: 12}\nfn f(A: [6{x:(1)2}12]) -> [4{x:(1)3}12] {\na = neg A\nb = redistribute a as [4{x:(1)3}12]\nreturn b }",
		SW_EMIT_JAX, "step 2, b = redistribute: no finer mesh has axes for its types"},
	{"mesh {x: 2, y: 2}\nfn f(A: [2{x,y}8]) -> [2{y,x}8] {\nb = redistribute A as [2{y,x}8]\nreturn b }",
		SW_EMIT_DTENSOR, "step 1, b = redistribute: no order of the mesh's axes fits all types"},
	{"mesh {x: 12}\nfn f(A: [6{x:(1)2}12]) -> [4{x:(1)3}12] {\nb = redistribute A as [4{x:(1)3}12]\nreturn b }",
		SW_EMIT_SHARD_MAP, "step 1, b = redistribute: no finer mesh has axes for 'b' and the values before it"},
	{"mesh {x: 2}\nfn f(A: [4, 4]+{x}) -> [4, 4]+{x} {\nb = neg A\nreturn b }", SW_EMIT_JAX,
		"step 1, b = neg: JAX has no rule for an operand that is a sum"},
	{"mesh {x: 2}\nfn f(A: [4, 4]) -> [4, 4]+{x} {\nb = redistribute A as [4, 4]+{x}\nreturn b }", SW_EMIT_DTENSOR,
		"step 1, b = redistribute: it begins a sum over 'x'"},
	{"mesh {x: 2}\nfn f(A: [4, 6], B: [6, 8]) -> [8, 4] {\nb = einsum \"ij,jk->ki\" A B\nreturn b }", SW_EMIT_SHARDY,
		"step 1, b = einsum: dot_general makes ik"},
	{"mesh {x: 2}\nfn f(A: [4, 6], B: [8]) -> [4, 8] {\nb = einsum \"ij,k->ik\" A B\nreturn b }", SW_EMIT_STABLEHLO,
		"letter 'j' of one operand alone is summed"},
	{"mesh {x: 2}\nfn f(A: [4, 6]) -> [4, 6] {\nb = relu A\nreturn b }", SW_EMIT_HLO, "the format hlo says"},
};

static void program_is_unsaid(void **state)
{
	const struct unsaid_row *row = *state;
	sw_program program;
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0};
	sw_text_add(&text, "before");
	if (!sw_program_parse(sw_str_of(row->text), NULL, arena, &program, &diag))
		fail_msg("%s: %s", row->text, diag.message);
	assert_false(sw_emit_program(row->kind, &program, arena, &text, &diag));
	assert_int_equal(diag.code, SW_P06);
	if (!strstr(diag.message, row->message))
		fail_msg("%s", diag.message);
	assert_string_equal(sw_text_get(&text), "before");
	sw_text_free(&text);
}

static const struct refused_module {
	const char *name, *text;
	sw_code code;
	int line;
	const char *message;
} refused_modules[] = {
	{"an axis that the mesh lacks",
		"module {\n  sdy.mesh @mesh = <[\"x\"=2]>\n  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, "
		"[{\"x\"}]>}) -> tensor<8xf32> {\n    %0 = stablehlo.negate %a : tensor<8xf32>\n"
		"    %1 = sdy.sharding_constraint %0 <@mesh, [{\"z\"}]> : tensor<8xf32>\n    return %1 : tensor<8xf32>\n  }\n}\n",
		SW_T02, 5, "axis 'z' is not in the mesh"},
	{"no mesh",
		"func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = stablehlo.negate %a : tensor<8xf32>\n  "
		"return %0 : tensor<8xf32>\n}\n",
		SW_N03, 0, "no mesh"},
	{"another mesh",
		"sdy.mesh @a = <[\"x\"=2]>\nsdy.mesh @b = <[\"x\"=4]>\nfunc.func @main(%a: tensor<8xf32> {sdy.sharding = "
		"#sdy.sharding<@b, [{\"x\"}]>}) -> tensor<8xf32> {\n  %0 = stablehlo.negate %a : tensor<8xf32>\n  return %0 : "
		"tensor<8xf32>\n}\n",
		SW_N05, 3, "mesh 'b' differs from 'a'"},
	{"a mesh that is not there",
		"sdy.mesh @a = <[\"x\"=2]>\nfunc.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{\"x\"}]>}) -> "
		"tensor<8xf32> {\n  %0 = stablehlo.negate %a : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n",
		SW_N03, 2, "no mesh 'b', but 'a'"},
	{"sizes that do not divide",
		"sdy.mesh @a = <[\"x\"=3]>\nfunc.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{\"x\"}]>}) -> "
		"tensor<8xf32> {\n  %0 = stablehlo.negate %a : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n",
		SW_T04, 2, "8"},
	{"nothing to compute",
		"sdy.mesh @a = <[\"x\"=2]>\nfunc.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = "
		"stablehlo.tanh %a : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n",
		SW_N07, 0, "the module computes and moves nothing"},
};

static int line_at(const char *text, size_t at)
{
	int line = 1;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

static void module_is_refused(void **state)
{
	const struct refused_module *row = *state;
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	assert_false(sw_program_read_module(sw_str_of(row->text), NULL, NULL, arena, &program, &import, &diag));
	if (diag.code != row->code || !strstr(diag.message, row->message))
		fail_msg("%s: %s", sw_code_info_of(diag.code)->name, diag.message);
	if (row->line)
		assert_int_equal(line_at(row->text, diag.at.begin), row->line);
}

/* ---- whatever is read prints and reads back ---- */

/* Whatever a module has become, it is read as a program that prints and reads back, or refused with places inside it. */
static void changed_modules_come_back(void **state)
{
	(void)state;
	draw from = draw_start("changed modules");
	static mutant m;
	for (int round = 0; round < 3000; round++) {
		mutant_draw(&m, &from, modules[draw_below(&from, COUNT(modules))].text);
		module_is_tried(&m);
	}
}

/* The shortest that were refused far away, or read and not read back. */
static const char *const found_modules[] = {
	"sdy.mesh @a = <,\"\"x=2\004jit>",
	"sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
	"  %0 = sdy.sharded_to_unreduced [{\"x\"}] %a out_sharding=<@mesh, [{}], unreduced={\"x\"}> : tensomain(\n"
	"  return %0 : tensor<8xf32>\n}\n",
};

static void found_module_comes_back(void **state)
{
	static mutant m;
	mutant_start(&m, *(const char *const *)*state);
	module_is_tried(&m);
}

/* ---- lines of JAX ---- */

static const char two_layers[] = "import jax.numpy as jnp\n"
								 "def f(x: f32[8,16] P('x', None),  # the batch\n"
								 "      w: f32[16@y,32]):\n"
								 "    h = jnp.einsum('bd,df->bf', x, w,\n"
								 "        out_sharding=P('x', 'y'))  # kept so\n"
								 "    h = jax.nn.relu(h)\n"
								 "    y = (h @\n"
								 "         v: f32[32@y,16])\n"
								 "    y = jax.lax.with_sharding_constraint(y, P('x', None))\n"
								 "    return y\n";

static void lines_are_a_program(void **state)
{
	(void)state;
	sw_mesh mesh;
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	mesh_of("{x: 2, y: 2}", &mesh);
	if (!sw_program_read_jax(sw_str_of(two_layers), &mesh, NULL, arena, &program, &import, &diag))
		fail_msg("%s at %zu", diag.message, diag.at.begin);
	assert_true(sw_program_is_jax(sw_str_of(two_layers)));
	assert_int_equal(program.inputs, 3);
	assert_int_equal(sw_program_statement(&program, program.steps - 1), 5);
	sw_text text = {0};
	sw_program_print(&program, &text);
	static const char *const parts[] = {"fn f(x : f32[4{x}8, 16], w : f32[8{y}16, 32], v : f32[16{y}32, 16])",
		"einsum \"bd,df->bf\" x w", "as f32[4{x}8, 16{y}32]", "relu h_2", "einsum \"ij,jk->ik\" h_3 v",
		"as f32[4{x}8, 16]\n"};
	for (size_t k = 0; k < COUNT(parts); k++)
		if (!strstr(sw_text_get(&text), parts[k]))
			fail_msg("%s is not in %s", parts[k], sw_text_get(&text));
	sw_text_free(&text);
}

/* The snippet of the book in its own form, in other words: a mesh, a function that makes shardings, arrays, a function without a name. */
static const char snippet[] =
	"import jax.numpy as jnp\n"
	"# it's a mesh\n"
	"assert len(jax.devices()) == 8\n"
	"mesh = jax.make_mesh(axis_shapes=(4, 2), axis_names=('X', 'Y'))\n"
	"def %s(*args):\n"
	"  return jax.NamedSharding(mesh, jax.sharding.PartitionSpec(*args))\n"
	"A = jnp.zeros((8, 2048), dtype=jnp.bfloat16, device=%s('X', 'Y'))\n"
	"B = jnp.ones((2048, 8192), 'bfloat16', device=%s(None, 'Y'))\n"
	"y = jax.jit(lambda B, A: jnp.einsum('BD,DF->BF', B, A), out_shardings=%s('X', 'Y'))(A, B)\n"
	"z = jax.jit(lambda y: jax.nn.relu(y), out_shardings=%s(None, 'Y'))(y)\n";

static void snippet_is_a_program(void **state)
{
	const char *p = *(const char *const *)*state;
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0}, printed = {0};
	sw_text_addf(&text, snippet, p, p, p, p, p);
	assert_true(sw_program_is_jax(sw_str_of(sw_text_get(&text))));
	if (!sw_program_read_jax(sw_str_of(sw_text_get(&text)), NULL, NULL, arena, &program, &import, &diag))
		fail_msg("%s at %zu", diag.message, diag.at.begin);
	sw_program_print(&program, &printed);
	static const char *const parts[] = {"mesh {X: 4, Y: 2}",
		"A : bf16[2{X}8, 1024{Y}2048], B : bf16[2048, 4096{Y}8192]", "einsum \"BD,DF->BF\" A B",
		"as bf16[2{X}8, 4096{Y}8192]", "relu y_2", "as bf16[8, 4096{Y}8192]"};
	for (size_t k = 0; k < COUNT(parts); k++)
		if (!strstr(sw_text_get(&printed), parts[k]))
			fail_msg("%s is not in %s", parts[k], sw_text_get(&printed));
	sw_text_free(&text);
	sw_text_free(&printed);
}

static const char *const spec_names[] = {"P", "sharded"};

/* Long texts ask whether they may go on, every so many lines. */
static bool asked_once(void *context, const char *what, long long done, long long total)
{
	(void)what;
	(void)done;
	(void)total;
	return --*(int *)context > 0;
}

static bool read_long(int lines, int answers, sw_diag *diag)
{
	sw_program program;
	sw_program_import import;
	sw_pulse pulse = {asked_once, &answers};
	sw_text text = {0};
	sw_text_add(&text, "mesh = Mesh({'x': 2})\nx0 = jnp.zeros((4, 6), device=P('x'))\n");
	for (int i = 1; i < lines; i++)
		sw_text_addf(&text, "x%d = jax.nn.relu(x%d)\n", i, i - 1);
	sw_arena_mark mark = sw_arena_here(arena);
	*diag = (sw_diag){.code = SW_OK};
	bool ok = sw_program_read_jax(sw_str_of(sw_text_get(&text)), NULL, &pulse, arena, &program, &import, diag);
	sw_arena_back(arena, mark);
	sw_text_free(&text);
	return ok;
}

static void long_lines_ask(void **state)
{
	(void)state;
	sw_diag diag;
	assert_true(read_long(2000, 9, &diag));
	assert_false(read_long(2000, 7, &diag));
	assert_int_equal(diag.code, SW_S03);
	assert_false(read_long(2000, 8, &diag)); /* while all that was read is typed */
	assert_int_equal(diag.code, SW_S03);
	assert_false(read_long(SW_PROGRAM_READ_MOST + 10, 1000, &diag));
	assert_int_equal(diag.code, SW_N09);
}

static const struct refused_lines {
	const char *text;
	sw_code code;
	size_t begin, end;
} refused_lines[] = {
	{"x: f32[4,6]\ny = jnp.dot(x, w)\n", SW_N03, 27, 28},
	{"x: f32[4,6]\ny = jnp.dot(x, w: f32[5,8])\n", SW_A04, 16, 39},
	{"x: f32[4,6]\ny = jnp.cumsum(x)\n", SW_N01, 16, 29},
	{"x: f32[4@q,6]\ny = x @ x\n", SW_T02, 9, 10},
	{"x: f32[4,4]\ny = x @ x\nreturn y\nz = x @ y\n", SW_N01, 31, 40},
	{"x: f32[4,4]\nm = Mesh({'z': 8})\n", SW_N05, 16, 30},
	{"A = jnp.zeros((8, n))\n", SW_N01, 18, 19},
	{"A = jnp.zeros((8, 4), dtype=jnp.f33)\n", SW_T07, 32, 35},
	{"A = jnp.zeros((8, 4), device=P('q'))\n", SW_T02, 31, 34},
	{"A = jnp.ones(4)\ny = jax.jit(lambda B, C: B @ C)(A)\n", SW_N01, 48, 49},
	{"A = jnp.ones(4)\ny = jax.jit(f)(A)\n", SW_N01, 28, 29},
	{"def P(*args):\n  x = 2\n", SW_N01, 16, 21},
};

static void lines_are_refused(void **state)
{
	const struct refused_lines *row = *state;
	sw_mesh mesh;
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	mesh_of("{x: 2, y: 2}", &mesh);
	assert_false(sw_program_read_jax(sw_str_of(row->text), &mesh, NULL, arena, &program, &import, &diag));
	if (diag.code != row->code || diag.at.begin != row->begin || diag.at.end != row->end)
		fail_msg("%s, %s at %zu to %zu", sw_code_info_of(diag.code)->name, diag.message, diag.at.begin, diag.at.end);
}

static void changed_lines_come_back(void **state)
{
	(void)state;
	draw from = draw_start("changed lines");
	static mutant m;
	sw_mesh mesh;
	int read = 0;
	mesh_of("{x: 2, y: 2}", &mesh);
	for (int round = 0; round < 3000; round++) {
		mutant_draw(&m, &from, round % 2 ? two_layers : snippet);
		sw_program_is_jax((sw_str){m.text, m.length});
		read += program_is_tried(&m, sw_program_read_jax, &mesh);
	}
	assert_in_range(read, 30, 2970);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(product_is_read, products, text),
		ROWS(product_is_refused, refused, text),
		TEST(lines_of_the_cases),
		ROWS(module_is_read, modules, name),
		ROWS(modules_come_back, rounds, name),
		ROWS(plans_are_written, rounds, name),
		ROWS(plans_are_written, with_plans, name),
		ROWS(program_is_unsaid, unsaid, text),
		ROWS(module_is_refused, refused_modules, name),
		TEXTS(found_module_comes_back, found_modules),
		TEST(changed_modules_come_back),
		TEST(changed_products_come_back),
		TEST(lines_are_a_program),
		TEXTS(snippet_is_a_program, spec_names),
		TEST(long_lines_ask),
		ROWS(lines_are_refused, refused_lines, text),
		TEST(changed_lines_come_back),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
