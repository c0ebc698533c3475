/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans as code: what can be checked without compilers.  HLO modules are read back by the project's own reader
 * and executed; the other formats are looked at for what they have to say, and for refusals.  Scripts compile
 * and run them.
 */
#include <shardwalk/emit.h>
#include <shardwalk/hlo.h>

#include "kit/problem.h"
#include "kit/kit.h"

struct bench {
	sw_arena *arena;
	sw_text text;
	sw_diag diag;
	sw_problem problem;
	sw_plan plan;
};

static void bench_start(struct bench *b)
{
	*b = (struct bench){.arena = sw_arena_new()};
	assert_non_null(b->arena);
}

static void bench_end(struct bench *b)
{
	sw_text_free(&b->text);
	sw_arena_free(b->arena);
}

static void plan_for(struct bench *b, sw_strategy strategy)
{
	sw_plan_options options = {.strategy = strategy};

	if (!sw_plan_find(&b->problem, &options, b->arena, &b->plan, &b->diag))
		fail_msg("%s", b->diag.message);
}

static void plan_text(struct bench *b, const char *mesh, const char *problem, sw_strategy strategy)
{
	assert_true(sw_mesh_parse(sw_str_of(mesh), &b->problem.mesh, &b->diag));
	if (!sw_problem_parse(&b->problem.mesh, sw_str_of(problem), &b->problem, &b->diag))
		fail_msg("%s: %s", problem, b->diag.message);
	plan_for(b, strategy);
}

static const char *emit(struct bench *b, sw_emit_kind kind)
{
	sw_text_clear(&b->text);
	if (!sw_emit(kind, &b->plan, NULL, b->arena, &b->text, &b->diag))
		fail_msg("%s: %s", sw_emit_name(kind), b->diag.message);
	return sw_text_get(&b->text);
}

static void refused(struct bench *b, sw_emit_kind kind, const char *word)
{
	sw_text_clear(&b->text);
	sw_text_add(&b->text, "kept");
	assert_false(sw_emit(kind, &b->plan, NULL, b->arena, &b->text, &b->diag));
	assert_int_equal(b->diag.code, SW_P06);
	if (!strstr(b->diag.message, word))
		fail_msg("'%s' does not speak of '%s'", b->diag.message, word);
	assert_true(*b->diag.hint != '\0');
	assert_string_equal(sw_text_get(&b->text), "kept");
}

static void holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("there is no '%s' in:\n%s", part, text);
}

static int times(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)); text++)
		count++;
	return count;
}

/* ---- HLO, read back ---- */

static void same_steps(const sw_plan *a, const sw_plan *b)
{
	assert_int_equal(a->program.steps, b->program.steps);
	for (int k = 0; k < a->program.steps; k++) {
		assert_int_equal(a->program.step[k].op, b->program.step[k].op);
		assert_memory_equal(a->program.value[k + 1].tile, b->program.value[k + 1].tile,
			(size_t)a->problem.from.rank * sizeof(int64_t));
	}
}

/* The chain is the plan: the same steps, from the same tiles, and every element comes where `to` says. */
static void read_back(struct bench *b)
{
	sw_hlo_import import;
	sw_verdict verdict;
	int64_t *mine, *read;
	size_t numbers = (size_t)(b->problem.mesh.devices * b->problem.from.rank);

	if (!sw_hlo_read_module((sw_str){sw_text_get(&b->text), b->text.length}, NULL, b->arena, &import, &b->diag))
		fail_msg("%s\n%s", b->diag.message, sw_text_get(&b->text));
	if (import.count != 1)
		fail_msg("%d chains (%s) in:\n%s", import.count, import.lefts ? import.left[0].reason : "none left",
			sw_text_get(&b->text));
	same_steps(&b->plan, &import.chains[0].plan);
	if (!sw_plan_verify(&import.chains[0].plan, &(sw_verify_options){.scale = true}, &verdict, &b->diag))
		fail_msg("%s", b->diag.message);
	assert_true(verdict.right);
	mine = SW_NEW(b->arena, int64_t, numbers);
	read = SW_NEW(b->arena, int64_t, numbers);
	assert_true(sw_plan_map(&b->plan, b->plan.program.steps, mine, &b->diag));
	assert_true(sw_plan_map(&import.chains[0].plan, b->plan.program.steps, read, &b->diag));
	assert_memory_equal(mine, read, numbers * sizeof *mine);
}

static void test_hlo_reads_back(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 2}, {4, 2, 1}, {2, 3, 2}, {6, 2, 1}, {3, 3, 1}};
	static const sw_strategy strategies[] = {SW_FUSED, SW_EXACT, SW_PAPER, SW_NAIVE};
	draw random = draw_start("hlo");
	int read = 0;

	(void)state;
	for (int n = 0; n < 200; n++) {
		struct bench b;

		bench_start(&b);
		draw_problem(&random, meshes[n % 5], 3, 1 + n % 3, &b.problem);
		plan_for(&b, strategies[n % 4]);
		if (b.plan.program.steps && !strstr(emit(&b, SW_EMIT_HLO), " gather(")) {
			read_back(&b);
			read++;
		}
		bench_end(&b);
	}
	assert_true(read > 50);
}

static void test_hlo_says(void **state)
{
	struct bench b;
	const char *text;

	(void)state;
	bench_start(&b);
	plan_text(&b, "{x: 4, y: 2}", "[4{x}16, 8{y}16] ~> [16, 8{y}16]", SW_FUSED);
	text = emit(&b, SW_EMIT_HLO);
	holds(text, "num_partitions=8");
	holds(text, "%param = f32[4,8]{1,0} parameter(0), sharding={devices=[4,2]<=[8]}");
	holds(text,
		"ROOT %all-gather.1 = f32[16,8]{1,0} all-gather(%param), channel_id=1, "
		"replica_groups=[2,4]<=[4,2]T(1,0), dimensions={0}");
	text = emit(&b, SW_EMIT_STABLEHLO);
	holds(text,
		"\"stablehlo.all_gather\"(%v0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], "
		"[1, 3, 5, 7]]> : tensor<2x4xi64>");
	plan_text(&b, "{x: 4}", "[] ~> []", SW_FUSED);
	text = emit(&b, SW_EMIT_HLO);
	holds(text, "ROOT %param = f32[] parameter(0), sharding={replicated}");
	bench_end(&b);
}

/* ---- constraints ---- */

static void test_constraints(void **state)
{
	struct bench b;
	const char *text;

	(void)state;
	bench_start(&b);
	plan_text(&b, "{x: 4, y: 2}", "bf16[4{x}16, 8{y}16] ~> bf16[8{y}16, 4{x}16]", SW_FUSED);
	assert_int_equal(b.plan.program.steps, 2);
	text = emit(&b, SW_EMIT_JAX);
	holds(text, "mesh = Mesh(np.array(jax.devices()[:8]).reshape(2, 2, 2), (\"x0\", \"x1\", \"y\"))");
	holds(text, "SOURCES = [P((\"x0\", \"x1\"), \"y\")]");
	holds(text, "a = lax.with_sharding_constraint(a, NamedSharding(mesh, P(\"x0\", (\"y\", \"x1\"))))");
	holds(text, "DTYPE = jnp.dtype(\"bfloat16\")");
	text = emit(&b, SW_EMIT_DTENSOR);
	holds(text, "torch.arange(8).reshape(2, 2, 2).permute(0, 2, 1), mesh_dim_names=(\"x0\", \"y\", \"x1\"))");
	holds(text, "a = a.redistribute(placements=[Shard(0), Shard(1), Shard(1)])");
	text = emit(&b, SW_EMIT_SHARDY);
	holds(text, "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>");
	holds(text, "sdy.sharding_constraint %a <@mesh, [{\"x\":(1)2}, {\"y\", \"x\":(2)2}]> : tensor<16x16xbf16>");
	text = emit(&b, SW_EMIT_SHARD_MAP);
	holds(text, "a = lax.all_to_all(a, \"x1\", split_axis=1, concat_axis=0, tiled=True)\n");
	holds(text, "a = lax.ppermute(a, AXES, PAIRS_2)");
	bench_end(&b);
}

static void test_advice_lines(void **state)
{
	struct bench b;
	static const int64_t descending[] = {3, 2, 1, 0};
	const sw_emit_mesh sorted_away = {.unnamed = true, .devices = descending};
	sw_advice advice = {.gains = true, .via_count = 1};
	const sw_type *via[1];

	(void)state;
	bench_start(&b);
	plan_text(&b, "{x: 2, y: 2}", "[8{x}16, 8{y}16] ~> [8{y}16, 8{x}16]", SW_FUSED);
	advice.problem = b.problem;
	advice.via = via;
	plan_text(&b, "{x: 2, y: 2}", "[16, 4{x,y}16] ~> [16, 16]", SW_FUSED);
	via[0] = &b.problem.from;
	assert_true(sw_emit_advice(&advice, NULL, b.arena, &b.text, &b.diag));
	assert_string_equal(sw_text_get(&b.text),
		"x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(None, (\"y\", \"x\"))))\n"
		"x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(\"y\", \"x\")))\n");
	sw_text_clear(&b.text);
	advice.target = SW_ADVISE_DTENSOR;
	assert_true(sw_emit_advice(&advice, NULL, b.arena, &b.text, &b.diag));
	holds(sw_text_get(&b.text), ".permute(1, 0), mesh_dim_names=(\"y\", \"x\"))");
	holds(sw_text_get(&b.text), "x = DTensor.from_local(x.to_local(), mesh, [Shard(1), Shard(0)], run_check=False)");
	holds(sw_text_get(&b.text), "x = x.redistribute(placements=[Shard(1), Shard(1)])");
	sw_text_clear(&b.text);
	assert_false(sw_emit_advice(&advice, &sorted_away, b.arena, &b.text, &b.diag));
	assert_int_equal(b.diag.code, SW_P06);
	assert_string_equal(sw_text_get(&b.text), "");
	advice.target = SW_ADVISE_SHARDY;
	assert_true(sw_emit_advice(&advice, NULL, b.arena, &b.text, &b.diag));
	holds(sw_text_get(&b.text),
		"%x1 = sdy.sharding_constraint %x0 <@mesh, [{}, {\"y\", \"x\"}]> : tensor<16x16xf32>");
	sw_text_clear(&b.text);
	advice.via_count = 0;
	assert_true(sw_emit_advice(&advice, NULL, b.arena, &b.text, &b.diag));
	assert_string_equal(sw_text_get(&b.text), "");
	bench_end(&b);
}

/* ---- MPI ---- */

static void test_mpi_says(void **state)
{
	struct bench b;
	const char *text;

	(void)state;
	bench_start(&b);
	plan_text(&b, "{x: 4, y: 2}", "c128[4{x}16, 8{y}16] ~> c128[16, 8{y}16]", SW_FUSED);
	text = emit(&b, SW_EMIT_MPI);
	holds(text, "#define DEVICES 8");
	holds(text, "#define ELEMENT 16");
	holds(text, "static const int group_size[STEPS] = {4};");
	holds(text, "\t{{1, 4, 2}},\n");
	assert_int_equal(times(text, "MPI_Alltoall"), 0);
	assert_int_equal(times(text, "MPI_Allgather("), 1);
	plan_text(&b, "{\"*/ x\": 4}", "[4{\"*/ x\"}16] ~> [16]", SW_FUSED);
	text = emit(&b, SW_EMIT_MPI);
	assert_int_equal(times(text, "*/ x"), 0);
	bench_end(&b);
}

/* ---- devices in an order of their own ---- */

static void test_orders_of_devices(void **state)
{
	static const int64_t before[] = {0, 1, 3, 2}, after[] = {3, 2, 1, 0}, turned[] = {0, 2, 1, 3};
	sw_plan_options options = {.strategy = SW_FUSED};
	struct bench b;
	const char *text;

	(void)state;
	bench_start(&b);
	plan_text(&b, "{x: 4}", "[2{x}8, 8] ~> [8, 2{x}8]", SW_FUSED);
	assert_true(reorder(&b.plan, before, before, &options, b.arena, &b.diag));
	text = emit(&b, SW_EMIT_HLO);
	holds(text, "sharding={devices=[4,1]0,1,3,2}");
	holds(text, "replica_groups={{0,1,3,2}}");
	holds(emit(&b, SW_EMIT_MPI), "static const long long start_0[DEVICES * DIMS] = {\n\t0, 0, 2, 0, 6, 0, 4, 0,\n};");
	holds(emit(&b, SW_EMIT_JAX), "mesh = Mesh(np.array(jax.devices())[[0, 1, 3, 2]].reshape(4), (\"x\",))");
	holds(emit(&b, SW_EMIT_SHARD_MAP), "jax.devices())[[0, 1, 3, 2]]");
	refused(&b, SW_EMIT_DTENSOR, "along axis 'x' the devices do not ascend");
	holds(emit(&b, SW_EMIT_SHARDY), "sdy.mesh @mesh = <[\"x\"=4], device_ids=[0, 1, 3, 2]>");
	plan_text(&b, "{x: 2, y: 2}", "[4{x}8, 4{y}8] ~> [8, 4{x}8]", SW_FUSED);
	assert_true(reorder(&b.plan, turned, turned, &options, b.arena, &b.diag));
	holds(emit(&b, SW_EMIT_DTENSOR), "torch.tensor([0, 2, 1, 3]).reshape(2, 2)");
	holds(emit(&b, SW_EMIT_DTENSOR), "a = a.redistribute(placements=[Shard(1), Replicate()])");
	plan_text(&b, "{x: 4}", "[2{x}8, 8] ~> [8, 2{x}8]", SW_FUSED);
	assert_true(reorder(&b.plan, before, after, &options, b.arena, &b.diag));
	refused(&b, SW_EMIT_JAX, "different orders");
	refused(&b, SW_EMIT_SHARD_MAP, "different orders");
	text = emit(&b, SW_EMIT_HLO);
	holds(text, "replica_groups={{3,2,1,0}}");
	assert_int_equal(times(text, "source_target_pairs"), 0);
	plan_text(&b, "{x: 4}", "[2{x}8, 8] ~> [2{x}8, 8]", SW_FUSED);
	assert_true(reorder(&b.plan, before, after, &options, b.arena, &b.diag));
	holds(emit(&b, SW_EMIT_HLO), "source_target_pairs={{2,0},{3,1},{1,2},{0,3}}");
	bench_end(&b);
}

/* ---- what cannot be said ---- */

static void test_refusals(void **state)
{
	struct bench b;

	(void)state;
	bench_start(&b);
	plan_text(&b, "{x: 4, y: 2}", "[4{x}16, 8{y}16] ~> [8{y}16, 4{x}16]", SW_DIRECT);
	refused(&b, SW_EMIT_HLO, "exchange");
	refused(&b, SW_EMIT_STABLEHLO, "exchange");
	refused(&b, SW_EMIT_SHARD_MAP, "exchange");
	emit(&b, SW_EMIT_JAX);
	emit(&b, SW_EMIT_MPI);
	plan_text(&b, "{x: 4, y: 2}", "f8e3m4[4{x}16] ~> f8e3m4[16]", SW_FUSED);
	refused(&b, SW_EMIT_DTENSOR, "f8e3m4");
	plan_text(&b, "{x: 8192}", "[1{x}8192, 16] ~> [8192, 16]", SW_FUSED);
	refused(&b, SW_EMIT_MPI, "8192 devices");
	refused(&b, SW_EMIT_HLO, "4096");
	emit(&b, SW_EMIT_DTENSOR);
	emit(&b, SW_EMIT_JAX);
	emit(&b, SW_EMIT_SHARDY);
	plan_text(&b, "{x: 4}", "i8[1000000000{x}4000000000] ~> i8[4000000000]", SW_FUSED);
	holds(emit(&b, SW_EMIT_MPI), "_c(");
	emit(&b, SW_EMIT_HLO);
	plan_text(&b, "{x: 6}", "[2{x:(2)3}6] ~> [2{x:(1)3}6]", SW_DIRECT);
	holds(emit(&b, SW_EMIT_JAX), "mesh2 = Mesh(np.array(jax.devices()[:6]).reshape(");
	refused(&b, SW_EMIT_DTENSOR, "different orders");
	refused(&b, SW_EMIT_SHARD_MAP, "different orders");
	plan_text(&b, "{x: 2, y: 2}", "[4{x,y}16] ~> [4{y,x}16]", SW_FUSED);
	refused(&b, SW_EMIT_DTENSOR, "no order");
	bench_end(&b);
}

/* Every format takes or refuses every plan, and says the same again. */
static void test_all_formats(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 2}, {2, 3, 2}, {6, 2, 1}, {1, 1, 1}};
	draw random = draw_start("formats");

	(void)state;
	for (int n = 0; n < 120; n++) {
		struct bench b;

		bench_start(&b);
		draw_problem(&random, meshes[n % 4], 3, n % 4, &b.problem);
		plan_for(&b, (sw_strategy)(n % SW_STRATEGY_COUNT));
		for (int kind = 0; kind < SW_EMIT_COUNT; kind++) {
			sw_text first = {0}, second = {0};
			bool ok = sw_emit((sw_emit_kind)kind, &b.plan, NULL, b.arena, &first, &b.diag);

			assert_int_equal(ok, sw_emit((sw_emit_kind)kind, &b.plan, NULL, b.arena, &second, &b.diag));
			assert_string_equal(sw_text_get(&first), sw_text_get(&second));
			assert_true(ok == (first.length > 0) && (ok || b.diag.code == SW_P06));
			if (kind == SW_EMIT_MPI)
				assert_true(ok);
			sw_text_free(&first);
			sw_text_free(&second);
		}
		bench_end(&b);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_hlo_reads_back),
		TEST(test_hlo_says),
		TEST(test_constraints),
		TEST(test_advice_lines),
		TEST(test_mpi_says),
		TEST(test_orders_of_devices),
		TEST(test_refusals),
		TEST(test_all_formats),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
