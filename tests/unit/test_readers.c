/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All readers together: any text of any of them, changed, cut, or two of them grown together, is handed to each.
 * Whoever takes it says what it means, prints it, and reads that back as the same; whoever refuses it has a code, a message and a
 * place.
 */
#define _GNU_SOURCE
#include <shardwalk/hlo.h>
#include <shardwalk/log.h>
#include <shardwalk/notation.h>
#include <shardwalk/plan.h>

#include "kit/arena.h"
#include "kit/mutate.h"
#include "kit/kit.h"

#define ROUNDS 60000
#define MOST_DEVICES 512 /* of problems that are planned */

static const char *const texts[] = {
	"{x: 4, y: 2}",
	"{node: 2 @ 10GB/s 20us, \"odd one\": 3}",
	"f32[3{x}12, 2{y}12]",
	"[6{x:(1)2}12, 1{x:(2)2,y}12]",
	"[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
	"{devices=[2,1,4]<=[4,2]T(1,0)}",
	"{devices=[2,2]0,2,1,3}",
	"{devices=[4]3,2,1,0}",
	"{devices=[2,32,4]<=[2,8,4,4]T(0,2,1,3) last_tile_dim_replicate}",
	"{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
	"sharding={{replicated}, {devices=[2,1]<=[2]}, /*index=2*/{maximal device=0}}",
	"{mesh[x=4,y=2], [{x}, {y:(1)2}, {?}], replicated={}}",
	"{mesh[a=2,b=2], device_ids=(0,2,1,3), [{a}, {b}]}",
	"replica_groups=[4,2]<=[2,4]T(1,0)",
	"replica_groups={{0,1},{2,3}}",
	"replica_groups=mesh['axis_0'=2,'axis_1'=4], device_ids=([4,2]T(1,0)) {'axis_1':(2)2}",
	"source_target_pairs={{0,1},{1,0}}",
	"sdy.mesh @m = <[\"a\"=3,\"b\"=2], device_ids=[0,2,4,1,3,5]>",
	"#sdy.sharding<@mesh, [{\"x\":(1)2, \"y\", ?}p1, {}], unreduced={\"x\":(2)2}>",
	"#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>, <@mesh, [{}]>]>",
	"NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=PartitionSpec(('y', 'x'), None))",
	"Mesh(device_ids=array([[3, 2], [1, 0]]), axis_names=('x', 'y'))",
	"jax.make_mesh((4, 2), ('x', 'y'))",
	"P(None, ('x', 'y'), unreduced={'x'})",
	"float32[8@x,4@(y)]{V:x}",
	"(_StridedShard(dim=0, split_factor=2), Shard(0))",
	"DTensor(device_mesh=DeviceMesh('cuda', [[0, 1], [2, 3]], mesh_dim_names=('dp', 'tp')), placements=(Shard(dim=0), Replicate()))",
	"Spec(f32[8, 8](S(0)R) on DeviceMesh((dp=4, tp=2), 'cpu', stride=(2, 1)))",
	"[S(0)[1], S(0)[0]] on DeviceMesh((2, 2))",
	"DTensorSpec(mesh=DeviceMesh((4, 2), 'cpu', stride=(1, 4)), placements=(Shard(dim=0), Shard(dim=0)), tensor_meta=TensorMeta("
	"shape=torch.Size([8, 8]), stride=(8, 1), dtype=torch.float32), shard_order=(ShardOrderEntry(tensor_dim=0, mesh_dims=(1,0)),))",
	"Mesh(axis_sizes=(4, 2), axis_names=('x', 'y'), axis_types=(Auto, Auto))",
	"NamedSharding(mesh={'x': 4, 'y': 2}, partition_spec="
	"PartitionSpec(('x',), None))",
	"NamedSharding(mesh=OrderedDict([('x', 4), ('y', 2)]), spec=P('y'))",
	"ShapedArray(float32[8@x,4]{U:y})",
	"ShapeDtypeStruct(shape=(16, 16), dtype=float32, sharding=NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', 'y')))",
	"SingleDeviceSharding(device=CpuDevice(id=3), memory_kind=device)",
	"A[IX, J\u2093]",
	"xs.Mesh(device_ids, (4, 2), ('x', 'y'))",
	"Spec((Shard(dim=0), Replicate()) on (16, 16))",
	"Spec(S(0)[1]S(0)[0] on unknown shape)",
	"[dist.Shard(0), dist.Replicate()]",
	"%0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {\"x\"}]> : tensor<16x16xf32>",
	"%arg0: tensor<16x16xf32> {sdy.sharding = "
	"#sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}",
	"(('x', 'y'), None)",
	"(0, None)",
	"xs.mark_sharding(t, mesh, ('x', None))",
	"sharding_specs:x,unsharded, mesh:|x=4,y=2|0,1,2,3,4,5,6,7|0|/job",
	"Layout(sharding_specs=['x', 'unsharded'], mesh=<Mesh object with dims=[('x', 4), ('y', 2)], size=8>)",
	"create_mesh([('x', 4), ('y', 2)])",
	"(flow.sbp.split(0), oneflow.sbp.broadcast)",
	"[S(0), B]",
	"oneflow.placement(type=\"cuda\", ranks=[[0, 1], [2, 3]])",
	"ProcessMesh([[0, 1], [3, 2]], dim_names=['x', 'y'])",
	"mesh_split(x, mesh, [0, -1])",
	"[S01, R]",
	"shard.grid @mesh(shape = 4x2)",
	"DistSpec: shard_sequence: S0,R device_mesh_shape: (4, 2)",
	"%s = shard.sharding @mesh split_axes = [[0], [1]] : !shard.sharding",
	"mhlo.sharding = \"{devices=[4,1]<=[4]}\",",
	"(Shard(0), Shard(0)) ShardOrderEntry(tensor_dim=0, mesh_dims=(1,0))",
	"S(0)[1]S(0)[0]",
	"RP(sum)",
	"A[I_xy, J] {U_x}",
	"S01R",
	"dims_mapping=[0,-1]",
	"#shard.sharding<@mesh, split_axes = [[0], [1]]>",
	"split=0, lshape 4/4",
	"Pencil axis=1",
	"W1121 00:29:03.4 11824 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding "
	"{devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]} efficiently for HLO operation %copy.1 = f32[8,16,4]{2,1,0} copy(%p), "
	"sharding={devices=[1,8,1]<=[8]}. As the last resort, SPMD will replicate the tensor\n",
	"f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}\n",
	"HloModule m, num_partitions=4\nENTRY %main {\n  %p = f32[4,8]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}\n"
	"  ROOT %g = f32[4,32]{1,0} all-gather(f32[4,8]{1,0} %p), channel_id=1, replica_groups=[1,4]<=[4], dimensions={1}\n}\n",
	"HloModule m, num_partitions=2\nENTRY %main {\n  %p = f32[4,8]{1,0} parameter(0), sharding={devices=[1,2]<=[2]}\n"
	"  ROOT %c = f32[4,8]{1,0} collective-permute(%p), source_target_pairs={{0,1},{1,0}}, sharding={devices=[1,2]1,0}\n}\n",
	"{\"schema\": \"shardwalk.plan/1\", \"name\": null, \"mesh\": [{\"axis\": \"x\", \"size\": 2}], \"dtype\": \"f32\", \"global\": [4], "
	"\"from\": \"[2{x}4]\", \"to\": \"[4]\", \"strategy\": \"fused\", \"model\": \"paper\", \"budget\": 4, \"cost\": 4, \"lower_bound\": 4, "
	"\"optimal\": true, \"weak_cost\": 4, \"height\": 4, \"live_peak\": 6, \"permutes\": 0, \"normal_form\": true, \"search\": {\"settled\": "
	"1, \"seen\": 1, \"edges\": 1, \"seconds\": 0}, \"steps\": [{\"op\": \"allgather\", \"gather\": [[0, 2]], \"type\": \"[4]\", "
	"\"localtype\": [4], \"localsize\": 4, \"cost\": 4, \"groups\": [[0, 1]]}]}",
};

static sw_mesh mesh;

static const char *draw_text(draw *from)
{
	return texts[draw_below(from, (int)(sizeof(texts) / sizeof(*texts)))];
}

/* A text changed, and sometimes the end of another one instead of its own. */
static void draw_mutant(mutant *m, draw *from)
{
	mutant_draw(m, from, draw_text(from));
	if (draw_below(from, 4))
		return;
	const char *other = draw_text(from);
	size_t begin = (size_t)draw_below(from, (int)strlen(other) + 1);
	m->length = (size_t)draw_below(from, (int)m->length + 1);
	mutant_insert(m, m->length, other + begin, strlen(other) - begin);
}

static bool ended(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

static void check_refusal(const char *reader, const sw_diag *diag, sw_str text)
{
	bool worded = diag->message[0] && ended(diag->message, sizeof(diag->message)) &&
		ended(diag->hint, sizeof(diag->hint)) && ended(diag->expected, sizeof(diag->expected)) &&
		ended(diag->found, sizeof(diag->found));
	bool placed = diag->at.begin <= diag->at.end && diag->at.end <= text.length &&
		diag->also.begin <= diag->also.end && diag->also.end <= text.length && (diag->at.end > 0 || text.length == 0);
	if (!sw_code_info_of(diag->code) || diag->code == SW_E01 || !worded || !placed)
		fail_msg("%s: '%s' at %zu-%zu, also %zu-%zu, of %zu: %.*s", reader, diag->message, diag->at.begin,
			diag->at.end, diag->also.begin, diag->also.end, text.length, (int)text.length, text.at);
}

/* ---- readers ---- */

static void read_language(sw_str text)
{
	sw_mesh other;
	sw_type type;
	sw_problem problem;
	sw_plan plan;
	sw_diag diag = {.code = SW_OK};
	if (!sw_mesh_parse(text, &other, &diag))
		check_refusal("mesh", &diag, text);
	if (!sw_type_parse(&mesh, text, &type, &diag))
		check_refusal("type", &diag, text);
	if (!sw_problem_parse(&mesh, text, &problem, &diag))
		check_refusal("problem", &diag, text);
	if (!sw_plan_read(text, arena, &plan, &diag))
		check_refusal("plan", &diag, text);
}

/* ---- what is read prints and reads back ---- */

static void check_again(const char *reader, bool ok, const sw_text *printed, const sw_text *again,
	const sw_diag *diag, sw_str text)
{
	if (!ok)
		fail_msg("%s does not read back: %s\n%s\nfrom %.*s", reader, diag->message, sw_text_get(printed),
			(int)text.length, text.at);
	if (strcmp(sw_text_get(printed), sw_text_get(again)) != 0)
		fail_msg("%s reads back as another:\n%s\n%s\nfrom %.*s", reader, sw_text_get(printed), sw_text_get(again),
			(int)text.length, text.at);
}

static void chain_comes_back(const sw_plan *plan, sw_str text)
{
	sw_text printed = {0}, again = {0};
	sw_plan back;
	sw_diag diag = {.code = SW_OK};
	sw_plan claimed = *plan;
	claimed.program.claimed = true; /* as what is read is */
	bool ok = sw_plan_write(&claimed, SW_JSON_LINE, &printed, &diag) &&
		sw_plan_read((sw_str){sw_text_get(&printed), printed.length}, arena, &back, &diag) &&
		sw_plan_write(&back, SW_JSON_LINE, &again, &diag);
	check_again("a chain", ok, &printed, &again, &diag, text);
	sw_text_free(&printed);
	sw_text_free(&again);
}

static void print_problem(const sw_problem *problem, sw_text *text)
{
	sw_type_print(&problem->mesh, &problem->from, true, text);
	sw_text_add(text, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, true, text);
}

static void problem_comes_back(const sw_problem *problem, sw_str text)
{
	sw_text printed = {0}, again = {0}, on = {0};
	sw_mesh back_mesh;
	sw_problem back;
	sw_diag diag = {.code = SW_OK};
	sw_mesh_print(&problem->mesh, &on);
	print_problem(problem, &printed);
	bool ok = sw_mesh_parse((sw_str){sw_text_get(&on), on.length}, &back_mesh, &diag) &&
		sw_problem_parse(&back_mesh, (sw_str){sw_text_get(&printed), printed.length}, &back, &diag);
	if (ok)
		print_problem(&back, &again);
	check_again("a pair", ok, &printed, &again, &diag, text);
	sw_text_free(&printed);
	sw_text_free(&again);
	sw_text_free(&on);
}

/* In its own notation; what that needs beside the text is what it was read with. */
static void sharding_comes_back(const sw_sharding *s, sw_str text)
{
	sw_text printed = {0}, again = {0};
	sw_sharding back;
	sw_diag diag = {.code = SW_OK};
	sw_notation_context context = {.mesh = s->mesh.count ? &s->mesh : &mesh, .rank = s->rank, .pads = s->pads};
	if (!sw_sharding_print(s, s->notation, arena, &printed, &diag)) {
		assert_true(diag.message[0]);
	} else {
		bool ok = sw_sharding_parse((sw_str){sw_text_get(&printed), printed.length}, &context, arena, &back, &diag) &&
			sw_sharding_print(&back, s->notation, arena, &again, &diag);
		check_again(sw_sharding_called(s), ok, &printed, &again, &diag, text);
	}
	sw_text_free(&printed);
	sw_text_free(&again);
}

/* ---- compilers, and what they print ---- */

static void read_compilers(sw_str text)
{
	sw_log_options options = {.mesh = &mesh};
	sw_hlo_import module;
	sw_log log;
	sw_diag diag = {.code = SW_OK};
	if (!sw_hlo_read_module(text, NULL, arena, &module, &diag))
		check_refusal("module", &diag, text);
	else
		for (int i = 0; i < module.count; i++)
			chain_comes_back(&module.chains[i].plan, text);
	if (!sw_log_read(text, &options, arena, &log, &diag))
		check_refusal("log", &diag, text);
	for (int i = 0; i < log.count; i++)
		if (!log.pairs[i].problem) {
			assert_true(log.pairs[i].why->message[0] && log.pairs[i].why->at.end <= text.length);
		} else {
			const sw_problem problem = sw_log_problem_of(&log.pairs[i]);
			problem_comes_back(&problem, text);
		}
}

static void say_everything(const sw_sharding *s)
{
	sw_text text = {0};
	sw_diag diag = {.code = SW_OK};
	for (int n = 0; n < SW_NOTATION_COUNT && s->mesh.devices <= 4096; n++)
		if (!sw_sharding_print(s, (sw_notation)n, arena, &text, &diag))
			assert_true(diag.message[0]);
		else if (s->kind == SW_SHARDING_TILED)
			sw_sharding_print_mesh(s, (sw_notation)n, arena, &text, &diag);
	sw_sharding_explain(s, &text);
	sw_text_free(&text);
}

static void plan_between(const sw_sharding *a, const sw_sharding *b)
{
	sw_reading reading;
	sw_plan plan;
	sw_plan_options options = {.strategy = SW_PAPER};
	sw_diag diag = {.code = SW_OK};
	if (a->mesh.devices > MOST_DEVICES || b->mesh.devices > MOST_DEVICES)
		return;
	if (!sw_sharding_problem(a, b, NULL, arena, &reading, &diag)) {
		assert_true(sw_code_info_of(diag.code) && diag.code != SW_E01 && diag.message[0]);
		return;
	}
	if (reading.problem.mesh.devices > MOST_DEVICES || !sw_plan_find(&reading.problem, &options, arena, &plan, &diag))
		return;
	if (!sw_plan_check(&plan, &diag))
		fail_msg("%s", diag.message);
}

/* Returns whether it is one. */
static bool read_sharding(sw_str text, int rank, sw_sharding *out)
{
	sw_notation_context context = {.mesh = &mesh, .rank = rank};
	sw_diag diag = {.code = SW_OK};
	if (sw_sharding_parse(text, &context, arena, out, &diag)) {
		say_everything(out);
		sharding_comes_back(out, text);
		return true;
	}
	check_refusal("sharding", &diag, text);
	return false;
}

/* ---- all of them ---- */

static void readers_read_or_refuse(void **state)
{
	draw from = draw_start("readers");
	mutant *m = malloc(sizeof(*m));
	sw_sharding *last = malloc(sizeof(*last)), *s = malloc(sizeof(*s));
	(void)state;
	assert_true(m && last && s);
	for (int round = 0, taken = 0; round < ROUNDS; round++) {
		draw_mutant(m, &from);
		char *copy = mutant_copy(m);
		sw_str text = {copy, m->length};
		assert_non_null(copy);
		read_language(text);
		read_compilers(text);
		if (read_sharding(text, draw_below(&from, 4) - 1, s)) {
			plan_between(s, s);
			if (taken++)
				plan_between(last, s);
			memcpy(last, s, sizeof(*s));
		}
		free(copy);
		if (round % 64 == 0) {
			sw_arena_clear(arena);
			taken = 0;
		}
	}
	free(m);
	free(last);
	free(s);
}

static int start(void **state)
{
	return arena_start(state) || !sw_mesh_parse(sw_str_of("{x: 4, y: 2}"), &mesh, NULL);
}

int main(void)
{
	static const struct kit_test tests[] = {TEST(readers_read_or_refuse)};
	return kit_run(tests, COUNT(tests), start, arena_end);
}
