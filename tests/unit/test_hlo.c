/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partitioned HLO modules: what XLA's compiler emitted becomes plans that check and execute.
 */
#define _GNU_SOURCE
#include <jansson.h>

#include <shardwalk/hlo.h>

#include "kit/mutate.h"
#include "kit/cases.h"
#include "kit/kit.h"

static char *file_text(const char *name, size_t *length)
{
	FILE *file = fopen(name, "rb");
	char *text = NULL;
	size_t room = 0;

	*length = 0;
	if (file == NULL)
		return NULL;
	do {
		room += 65536;
		text = realloc(text, room);
		*length += fread(text + *length, 1, room - *length, file);
	} while (*length == room);
	fclose(file);
	return text;
}

static void check_and_execute(const sw_plan *plan, const char *what)
{
	sw_verify_options options = {.scale = true};
	sw_verdict verdict;
	sw_diag diag = {0};

	if (!sw_plan_check(plan, &diag))
		fail_msg("%s: %s", what, diag.message);
	if (!sw_plan_verify(plan, &options, &verdict, &diag) || !verdict.right)
		fail_msg("%s: not verified (%s)", what, diag.message);
}

static const char *const ends_names[] = {"annotated", "implied", "derived"};

/* `12 first..last annotated x1: [4, 2{a}4] ~> [4, 4]; allgather [4, 4]` and a line for every reason. */
static const char *import_text(const sw_hlo_import *import)
{
	static sw_text text;

	sw_text_clear(&text);
	for (int c = 0; c < import->count; c++) {
		const sw_hlo_chain *chain = &import->chains[c];
		const sw_problem *problem = &chain->plan.problem;

		sw_text_addf(&text, "%d %s..%s %s x%d: ", (int)chain->line, chain->first, chain->last,
			ends_names[chain->ends], (int)chain->count);
		sw_type_print(&problem->mesh, &problem->from, true, &text);
		sw_text_add(&text, " ~> ");
		sw_type_print(&problem->mesh, &problem->to, false, &text);
		for (int k = 0; k < chain->plan.program.steps; k++) {
			sw_text_addf(&text, "; %s ", sw_collective_of(chain->plan.program.step[k].op)->name);
			sw_type_print_tile(chain->plan.program.value[k + 1].tile, problem->from.rank, &text);
		}
		if (chain->runs != chain->count || chain->open)
			sw_text_addf(&text, "; runs %d%s", (int)chain->runs, chain->open ? " or more" : "");
		for (sw_hlo_finding f = 0; f < SW_HLO_FINDING_COUNT; f++)
			if (chain->found >> f & 1)
				sw_text_addf(&text, "; found %s", sw_hlo_finding_name(f));
		if (chain->at_most && chain->ends != SW_HLO_IMPLIED)
			sw_text_add(&text, "; at most");
		if (chain->remark != NULL)
			sw_text_addf(&text, " (%s)", chain->remark);
		sw_text_add(&text, "\n");
		check_and_execute(&chain->plan, sw_text_get(&text));
	}
	for (int k = 0; k < import->lefts; k++)
		sw_text_addf(&text, "- %d %s x%d: %s\n", (int)import->left[k].line, import->left[k].first,
			(int)import->left[k].count, import->left[k].reason);
	return sw_text_get(&text);
}

static void expect_import(const char *text, size_t length, const char *what, const char *expected)
{
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	if (!sw_hlo_read_module((sw_str){text, length}, NULL, arena, &import, &diag))
		fail_msg("%s: %s", what, diag.message);
	if (strcmp(import_text(&import), expected) != 0)
		fail_msg("%s:\n%s", what, import_text(&import));
	sw_arena_free(arena);
}

/* ---- small modules ---- */

#define SUMS(devices) \
	"HloModule m, num_partitions=" devices "\n" \
	"%add {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n" \
	"%max {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] maximum(%x, %y)\n}\n" \
	"ENTRY %main {\n"
#define ENTRY(devices) "HloModule m, num_partitions=" devices "\n\nENTRY %main {\n"

#define SHIFTS "it shifts values among devices that hold the same part of an array, as a ring or a pipeline does"

static const struct module {
	const char *what, *text, *expected;
} modules[] = {
	{"an all-to-all of tuples",
		ENTRY(
			"4") "  %p = f32[8,4]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}\n"
				 "  %s0 = f32[2,4]{1,0} slice(f32[8,4]{1,0} %p), slice={[0:2], [0:4]}\n"
				 "  %s1 = f32[2,4]{1,0} slice(f32[8,4]{1,0} %p), slice={[2:4], [0:4]}\n"
				 "  %s2 = f32[2,4]{1,0} slice(f32[8,4]{1,0} %p), slice={[4:6], [0:4]}\n"
				 "  %s3 = f32[2,4]{1,0} slice(f32[8,4]{1,0} %p), slice={[6:8], [0:4]}\n"
				 "  %a = (f32[2,4], f32[2,4], f32[2,4], /*index=3*/f32[2,4]{1,0}) all-to-all(%s0, %s1, %s2, /*index=3*/%s3), "
				 "replica_groups={{0,1,2,3}}\n"
				 "  %g0 = f32[2,4]{1,0} get-tuple-element(%a), index=0\n"
				 "  %g1 = f32[2,4]{1,0} get-tuple-element(%a), index=1\n"
				 "  %g2 = f32[2,4]{1,0} get-tuple-element(%a), index=2\n"
				 "  %g3 = f32[2,4]{1,0} get-tuple-element(%a), index=3\n"
				 "  ROOT %c = f32[2,16]{1,0} concatenate(%g0, %g1, %g2, %g3), dimensions={1}\n"
				 "}\n",
		"9 a..a annotated x1: f32[8, 4{a}16] ~> [2{a}8, 16]; alltoall [2, 16]\n"},
	{"pieces that the program itself puts in another order",
		ENTRY("2") "  %p = f32[8,4] parameter(0), sharding={devices=[1,2]<=[2]}\n"
				   "  %s0 = f32[4,4] slice(%p), slice={[0:4], [0:4]}\n"
				   "  %s1 = f32[4,4] slice(%p), slice={[4:8], [0:4]}\n"
				   "  %a = (f32[4,4], f32[4,4]) all-to-all(%s0, %s1), replica_groups={{0,1}}\n"
				   "  %g0 = f32[4,4] get-tuple-element(%a), index=0\n"
				   "  %g1 = f32[4,4] get-tuple-element(%a), index=1\n"
				   "  ROOT %c = f32[4,8] concatenate(%g1, %g0), dimensions={1}\n"
				   "}\n",
		"7 a..a annotated x1: f32[8, 4{a}8] ~> [4{a}8, 8]; alltoall [4, 8]\n"},
	{"groups that fit the array only as the program sees it after its reshape",
		ENTRY("2") "  %p = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n"
				   "  %r = f32[2,2] reshape(%p)\n"
				   "  ROOT %g = f32[2,4] all-gather(%r), replica_groups={{0,1}}, dimensions={1}\n"
				   "}\n",
		"6 g..g implied x1: f32[2, 2{a}4] ~> [2, 4]; allgather [2, 4] (its operands imply another sharding; this is "
		"the one that its groups imply)\n"},
	{"devices in an order that is no mesh's",
		ENTRY("4") "  %p = f32[2] parameter(0), sharding={devices=[4]0,3,1,2}\n"
				   "  ROOT %g = f32[8] all-gather(%p), replica_groups={{0,3,1,2}}, dimensions={0}\n"
				   "}\n",
		"5 g..g annotated x1: f32[2{a}8] ~> [8]; allgather [8]\n"},
	{"two orders of devices without a mesh for both",
		ENTRY("4") "  %p = f32[2] parameter(0), sharding={devices=[4]0,3,1,2}\n"
				   "  ROOT %g = f32[2] collective-permute(%p), source_target_pairs={{0,0},{3,1},{1,2},{2,3}}\n"
				   "}\n",
		"- 5 g x1: no mesh has axes for both of its ends\n"},
	{"slices placed by what a device computes",
		ENTRY("4") "  p = f32[8,4]{1,0} parameter(0), sharding={replicated}\n"
				   "  id = u32[] partition-id()\n"
				   "  i = s32[] convert(id)\n"
				   "  zero = s32[] constant(0)\n"
				   "  two = s32[] constant(2)\n"
				   "  three = s32[] constant(3)\n"
				   "  big = s32[] constant(100)\n"
				   "  last = pred[] compare(i, three), direction=GE\n"
				   "  m = s32[] multiply(i, two)\n"
				   "  high = s32[] constant(6)\n"
				   "  c = s32[] clamp(zero, m, high)\n"
				   "  s = s32[] select(last, big, c)\n"
				   "  ROOT r = f32[2,4]{1,0} dynamic-slice(p, s, zero), dynamic_slice_sizes={2,4}\n"
				   "}\n",
		"16 r..r annotated x1: f32[8, 4] ~> [2{a}8, 4]; dynslice [2, 4]\n"},
	{"slices whose table the dump leaves out",
		ENTRY("16") "  p = f32[32] parameter(0), sharding={replicated}\n"
					"  i = u32[] partition-id()\n"
					"  t = s32[16] constant({...})\n"
					"  o = s32[1] dynamic-slice(t, i), dynamic_slice_sizes={1}\n"
					"  s = s32[] reshape(o)\n"
					"  ROOT r = f32[2] dynamic-slice(p, s), dynamic_slice_sizes={2}\n"
					"}\n",
		"- 9 r x1: the text leaves out where its slices start: dump it with --xla_dump_large_constants\n"},
	{"slices that are no tiles",
		ENTRY("2") "  p = f32[8] parameter(0), sharding={replicated}\n"
				   "  i = u32[] partition-id()\n"
				   "  ROOT r = f32[2] dynamic-slice(p, i), dynamic_slice_sizes={2}\n"
				   "}\n",
		"- 6 r x1: its slices are not even tiles of what the device holds\n"},
	{"collectives that start and are done, over replicas; a layout that is another",
		"// of an optimised program\n"
		"HloModule m, replica_count=4\n\nENTRY %main {\n"
		"  %p = f32[2,4]{1,0} parameter(0)\n"
		"  %s = (f32[2,4]{1,0}, f32[8,4]{1,0}) all-gather-start(%p), replica_groups={{0,1,2,3}}, dimensions={0}\n"
		"  %d = f32[8,4]{1,0} all-gather-done(%s)\n"
		"  %t = f32[8,4]{0,1} copy(%d)\n"
		"  ROOT %b = f32[4,8]{1,0} bitcast(%t)\n"
		"}\n",
		"6 s..s implied x1: f32[2{a}8, 4] ~> [8, 4]; allgather [8, 4]\n"},
	{"a sharding that goes through a tuple and a fusion",
		"HloModule m, num_partitions=4\n"
		"%f (a: f32[4,2]) -> f32[4,2] {\n"
		"  %a = f32[4,2]{1,0} parameter(0)\n"
		"  ROOT %n = f32[4,2]{1,0} negate(%a)\n"
		"}\n"
		"ENTRY %main (p: (f32[4,2], s32[])) -> f32[4,8] {\n"
		"  %p = (f32[4,2]{1,0}, /*index=1*/s32[]) parameter(0), sharding={{devices=[1,4]0,2,1,3}, {replicated}}\n"
		"  %g = f32[4,2]{1,0} get-tuple-element(%p), index=0\n"
		"  %n = f32[4,2]{1,0} fusion(%g), kind=kLoop, calls=%f\n"
		"  ROOT %x = f32[4,8]{1,0} all-gather(%n), replica_groups={{0,2,1,3}}, dimensions={1}\n"
		"}\n",
		"10 x..x derived x1: f32[4, 2{a,b}8] ~> [4, 8]; allgather [4, 8]\n"},
	{"a compiled all-to-all whose first piece is cut before the dimension is split, the others after it",
		"HloModule m, num_partitions=4\n"
		"%f0 (a: f32[2,8,2]) -> f32[1,4,2] {\n"
		"  %a = f32[2,8,2]{2,1,0} parameter(0)\n"
		"  ROOT %s = f32[1,4,2]{2,1,0} slice(%a), slice={[0:1], [0:4], [0:2]}\n"
		"}\n"
		"%f1 (a: f32[2,8,2]) -> f32[1,4,2] {\n"
		"  %a = f32[2,8,2]{2,1,0} parameter(0)\n"
		"  ROOT %s = f32[1,4,2]{2,1,0} slice(%a), slice={[0:1], [4:8], [0:2]}\n"
		"}\n"
		"%f2 (a: f32[2,8,2]) -> f32[1,4,2] {\n"
		"  %a = f32[2,8,2]{2,1,0} parameter(0)\n"
		"  %b = f32[4,4,2]{2,1,0} bitcast(%a)\n"
		"  %c = f32[4,4,2]{2,1,0} copy(%b)\n"
		"  ROOT %s = f32[1,4,2]{2,1,0} slice(%c), slice={[2:3], [0:4], [0:2]}\n"
		"}\n"
		"%f3 (a: f32[2,8,2]) -> f32[1,4,2] {\n"
		"  %a = f32[2,8,2]{2,1,0} parameter(0)\n"
		"  %b = f32[4,4,2]{2,1,0} bitcast(%a)\n"
		"  ROOT %s = f32[1,4,2]{2,1,0} slice(%b), slice={[3:4], [0:4], [0:2]}\n"
		"}\n"
		"ENTRY %main {\n"
		"  %p = f32[16,2]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}\n"
		"  %q = f32[2,8,2]{2,1,0} bitcast(%p)\n"
		"  %s0 = f32[1,4,2]{2,1,0} fusion(%q), kind=kLoop, calls=%f0\n"
		"  %s1 = f32[1,4,2]{2,1,0} fusion(%q), kind=kLoop, calls=%f1\n"
		"  %s2 = f32[1,4,2]{2,1,0} fusion(%q), kind=kLoop, calls=%f2\n"
		"  %s3 = f32[1,4,2]{2,1,0} fusion(%q), kind=kLoop, calls=%f3\n"
		"  %x = (f32[1,4,2], f32[1,4,2], f32[1,4,2], f32[1,4,2]) all-to-all(%s0, %s1, %s2, %s3), replica_groups={{0,1,2,3}}\n"
		"  %g0 = f32[1,4,2]{2,1,0} get-tuple-element(%x), index=0\n"
		"  %g1 = f32[1,4,2]{2,1,0} get-tuple-element(%x), index=1\n"
		"  %g2 = f32[1,4,2]{2,1,0} get-tuple-element(%x), index=2\n"
		"  %g3 = f32[1,4,2]{2,1,0} get-tuple-element(%x), index=3\n"
		"  %c = f32[4,4,2]{2,1,0} concatenate(%g0, %g1, %g2, %g3), dimensions={0}\n"
		"  %t = f32[4,4,2]{2,1,0} transpose(%c), dimensions={1,0,2}\n"
		"  ROOT %b = f32[4,8]{1,0} bitcast(%t)\n"
		"}\n",
		"28 x..x annotated x1: f32[16, 2{a}8] ~> [4{a}16, 8]; alltoall [4, 8]\n"},
	{"pieces of several dimensions that do not follow each other are none of a value",
		"HloModule m, num_partitions=2\n"
		"%f0 (a: f32[2,4]) -> f32[1,2] {\n"
		"  %a = f32[2,4]{1,0} parameter(0)\n"
		"  ROOT %s = f32[1,2]{1,0} slice(%a), slice={[0:1], [1:3]}\n"
		"}\n"
		"%f1 (a: f32[2,4]) -> f32[1,2] {\n"
		"  %a = f32[2,4]{1,0} parameter(0)\n"
		"  ROOT %s = f32[1,2]{1,0} slice(%a), slice={[1:2], [0:2]}\n"
		"}\n"
		"ENTRY %main {\n"
		"  %p = f32[2,4]{1,0} parameter(0), sharding={devices=[1,2]<=[2]}\n"
		"  %s0 = f32[1,2]{1,0} fusion(%p), kind=kLoop, calls=%f0\n"
		"  %s1 = f32[1,2]{1,0} fusion(%p), kind=kLoop, calls=%f1\n"
		"  %x = (f32[1,2], f32[1,2]) all-to-all(%s0, %s1), replica_groups={{0,1}}\n"
		"  %g0 = f32[1,2]{1,0} get-tuple-element(%x), index=0\n"
		"  ROOT %t = (f32[1,2]) tuple(%g0)\n"
		"}\n",
		"- 14 x x1: it takes several values, or pieces of several values\n"},
	{"what a compiler computes between the pieces of an all-to-all and their places",
		ENTRY("2") "  %p = f32[4,1,4] parameter(0), sharding={devices=[2,1,1]<=[2]}\n"
				   "  %s0 = f32[4,1,2] slice(%p), slice={[0:4], [0:1], [0:2]}\n"
				   "  %s1 = f32[4,1,2] slice(%p), slice={[0:4], [0:1], [2:4]}\n"
				   "  %a = (f32[4,1,2], f32[4,1,2]) all-to-all(%s0, %s1), replica_groups={{0,1}}\n"
				   "  %g0 = f32[4,1,2] get-tuple-element(%a), index=0\n"
				   "  %g1 = f32[4,1,2] get-tuple-element(%a), index=1\n"
				   "  %c = f32[4,2,2] concatenate(%g0, %g1), dimensions={1}\n"
				   "  %n = f32[4,2,2] negate(%c)\n"
				   "  %t = f32[2,4,2] transpose(%n), dimensions={1,0,2}\n"
				   "  %b = f32[8,2] reshape(%t)\n"
				   "  ROOT %g = f32[8,4] all-gather(%b), replica_groups={{0,1}}, dimensions={1}\n"
				   "}\n",
		"7 a..a annotated x1: f32[4{a}8, 1, 4] ~> [8, 1, 2{a}4]; alltoall [8, 1, 2]\n"
		"14 g..g derived x1: f32[8, 1, 2{a}4] ~> [8, 1, 4]; allgather [8, 1, 4]\n"},
	{"one value that is used twice between steps makes two chains, the same steps twice one",
		ENTRY("4") "  %p = bf16[2,4] parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}\n"
				   "  %q = bf16[2,4] parameter(1), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}\n"
				   "  %x = bf16[4,4] all-gather(%p), replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0}\n"
				   "  %y = bf16[4,4] all-gather(%q), replica_groups={{0,2},{1,3}}, dimensions={0}\n"
				   "  %z = bf16[4,4] collective-permute(%x), source_target_pairs={{0,1},{1,0},{2,3},{3,2}}\n"
				   "  ROOT %t = (bf16[4,4], bf16[4,4], bf16[4,4]) tuple(%x, %y, %z)\n"
				   "}\n",
		"6 x..x annotated x2: bf16[2{a}4, 4] ~> [4, 4]; allgather [4, 4]\n"
		"- 8 z x1: " SHIFTS "\n"},
	{"a stage of a pipeline: what looks like copies is shifted, and what follows is of the same places",
		ENTRY("4") "  %p = f32[2,4] parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}\n"
				   "  %t = f32[2,4] tanh(%p)\n"
				   "  %c = f32[2,4] collective-permute(%t), source_target_pairs={{0,1},{1,0},{2,3},{3,2}}\n"
				   "  ROOT %g = f32[4,4] all-gather(%c), replica_groups={{0,2},{1,3}}, dimensions={0}\n"
				   "}\n",
		"7 g..g derived x1: f32[2{a}4, 4] ~> [4, 4]; allgather [4, 4]; at most\n"
		"- 6 c x1: " SHIFTS "\n"},
	{"copies that an annotation says are shifted for nothing",
		ENTRY("4") "  %p = f32[2,4] parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}\n"
				   "  ROOT %c = f32[2,4] collective-permute(%p), source_target_pairs={{0,1},{1,0},{2,3},{3,2}}\n"
				   "}\n",
		"5 c..c annotated x1: f32[2{a}4, 4] ~> [2{a}4, 4]; allpermute [2, 4]\n"},
	{"a shift behind a gather, of which nothing is annotated, ends the chain",
		ENTRY("4") "  %p = f32[4,2] parameter(0)\n"
				   "  %e = f32[4,2] exponential(%p)\n"
				   "  %a = f32[8,2] all-gather(%e), replica_groups={{0,2},{1,3}}, dimensions={0}\n"
				   "  ROOT %c = f32[8,2] collective-permute(%a), source_target_pairs={{0,1},{1,0},{2,3},{3,2}}\n"
				   "}\n",
		"6 a..a implied x1: f32[4{a}8, 2] ~> [8, 2]; allgather [8, 2]\n"
		"- 7 c x1: " SHIFTS "\n"},
	{"a branch of a conditional gets what its operand holds, and gives what others do",
		"HloModule m, num_partitions=4\n"
		"%b0 {\n"
		"  %x = f32[2,4] parameter(0)\n"
		"  ROOT %g = f32[4,4] all-gather(%x), replica_groups={{0,2},{1,3}}, dimensions={0}\n"
		"}\n"
		"%b1 {\n"
		"  %y = f32[2,4] parameter(0)\n"
		"  ROOT %k = f32[4,4] custom-call(%y)\n"
		"}\n"
		"ENTRY %main {\n"
		"  %i = s32[] parameter(0)\n"
		"  %p = f32[2,4] parameter(1), sharding={devices=[2,2]<=[4]}\n"
		"  %q = f32[2,4] parameter(2), sharding={devices=[2,2]<=[4]}\n"
		"  %r = f32[4,4] conditional(%i, %q, %p), branch_computations={%b0, %b1}\n"
		"  ROOT %h = f32[4,8] all-gather(%r), replica_groups={{0,1},{2,3}}, dimensions={1}\n"
		"}\n",
		"4 g..g derived x1: f32[2{a}4, 4{b}8] ~> [4, 4{b}8]; allgather [4, 4]\n"
		"15 h..h derived x1: f32[4, 4{b}8] ~> [4, 8]; allgather [4, 8]; at most\n"},
	{"what computes, what is not even, and what nobody says",
		ENTRY("4") "  %p = f32[2,4] parameter(0)\n"
				   "  %r = f32[2,4] all-reduce(%p), replica_groups={}, to_apply=%add\n"
				   "  %g = f32[4,4] all-gather(%r), replica_groups={{0,1},{2}}, dimensions={0}\n"
				   "  %h = f32[4,4] collective-permute(%g), source_target_pairs={{0,1},{1,2}}\n"
				   "  ROOT %k = f32[4,4] collective-permute(%h), source_target_pairs={{0,1},{1,0},{2,2},{3,3}}\n"
				   "}\n",
		"- 5 r x1: it combines by an unknown operation, but only sums are planned\n"
		"- 6 g x3: the sharding of its value is unknown, and its groups do not imply it\n"},
	{"what a product leaves is summed, to all and in pieces",
		SUMS(
			"4") "  %p = f32[16,8] parameter(0), sharding={devices=[1,4]<=[4]}\n"
				 "  %q = f32[8,12] parameter(1), sharding={devices=[4,1]<=[4]}\n"
				 "  %d = f32[16,12] dot(%p, %q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
				 "  %r = f32[16,12] all-reduce(%d), replica_groups={{0,1},{2,3}}, to_apply=%add\n"
				 "  ROOT %s = f32[16,6] reduce-scatter(%r), replica_groups=[2,2]<=[2,2]T(1,0), dimensions={1}, to_apply=%add\n"
				 "}\n",
		"16 r..s derived x1: f32[16, 12]+{a,b} ~> [16, 6{a}12]; allreduce [16, 12]; reducescatter [16, 6]\n"},
	{"sums of several arrays, which begin and end",
		SUMS(
			"4") "  %p = f32[4,4] parameter(0)\n"
				 "  %q = f32[2,2] parameter(1)\n"
				 "  %t = (f32[4,4], f32[2,2]) all-reduce-start(%p, %q), replica_groups=[2,2]<=[4], to_apply=%add\n"
				 "  %u = (f32[4,4], f32[2,2]) all-reduce-done(%t)\n"
				 "  %g0 = f32[4,4] get-tuple-element(%u), index=0\n"
				 "  %g1 = f32[2,2] get-tuple-element(%u), index=1\n"
				 "  %v = ((f32[4,4]), f32[2,4]) reduce-scatter-start(%g0), replica_groups={{0,2},{1,3}}, dimensions={0}, "
				 "to_apply=%add\n"
				 "  %w = f32[2,4] reduce-scatter-done(%v)\n"
				 "  ROOT %r = (f32[2,4], f32[2,2]) tuple(%w, %g1)\n"
				 "}\n",
		"15 t..v implied x1: f32[4, 4]+{a,b} ~> [2{a}4, 4]; allreduce [4, 4]; reducescatter [2, 4]\n"
		"15 t..t implied x1: f32[2{a}4, 2]+{b} ~> [2{a}4, 2]; allreduce [2, 2]\n"},
	{"what people look for in sums",
		SUMS("4") "  %id = u32[] partition-id()\n"
				  "  %z = s32[] constant(0)\n"
				  "  %o = s32[4] constant({0, 4, 0, 4})\n"
				  "  %os = s32[1] dynamic-slice(%o, %id), dynamic_slice_sizes={1}\n"
				  "  %at = s32[] reshape(%os)\n"
				  "  %h = s32[4] constant({0, 0, 4, 4})\n"
				  "  %hs = s32[1] dynamic-slice(%h, %id), dynamic_slice_sizes={1}\n"
				  "  %by = s32[] reshape(%hs)\n"
				  "  %p = f32[8,8] parameter(0), sharding={devices=[1,1,4]<=[4] last_tile_dims={replicated}}\n"
				  "  %e = f32[8,8] exponential(%p)\n"
				  "  %r = f32[8,8] all-reduce(%e), replica_groups={{0,1},{2,3}}, to_apply=%add\n"
				  "  %s = f32[4,8] dynamic-slice(%r, %at, %z), dynamic_slice_sizes={4,8}\n"
				  "  %f = f32[8,8] negate(%p)\n"
				  "  %r2 = f32[8,8] all-reduce(%f), replica_groups={}, to_apply=%add\n"
				  "  %s2 = f32[4,8] dynamic-slice(%r2, %at, %z), dynamic_slice_sizes={4,8}\n"
				  "  %g = f32[8,8] tanh(%p)\n"
				  "  %r3 = f32[8,8] all-reduce(%g), replica_groups={{0,1},{2,3}}, to_apply=%add\n"
				  "  %s3 = f32[4,8] dynamic-slice(%r3, %by, %z), dynamic_slice_sizes={4,8}\n"
				  "  ROOT %t = (f32[4,8], f32[4,8], f32[4,8]) tuple(%s, %s2, %s3)\n"
				  "}\n",
		"23 r..s derived x1: f32[8, 8]+{b} ~> [4{b}8, 8]; allreduce [8, 8]; dynslice [4, 8]; found reduce-scatter; found copies; at most\n"
		"26 r2..s2 derived x1: f32[8, 8]+{a,b} ~> [4{b}8, 8]; allreduce [8, 8]; dynslice [4, 8]; found fewer-axes\n"
		"29 r3..s3 derived x1: f32[8, 8]+{b} ~> [4{a}8, 8]; allreduce [8, 8]; dynslice [4, 8]; found at-once; found copies; at most\n"},
	{"terms that are annotated, and cut before they are summed",
		SUMS(
			"4") "  %id = u32[] partition-id()\n"
				 "  %z = s32[] constant(0)\n"
				 "  %o = s32[4] constant({0, 0, 4, 4})\n"
				 "  %os = s32[1] dynamic-slice(%o, %id), dynamic_slice_sizes={1}\n"
				 "  %at = s32[] reshape(%os)\n"
				 "  %p = f32[8,8] parameter(0), sharding={devices=[1,1,2,2]<=[2,2]T(1,0) last_tile_dims={unreduced, replicated}}\n"
				 "  %c = f32[4,8] dynamic-slice(%p, %at, %z), dynamic_slice_sizes={4,8}\n"
				 "  %s = f32[4,4] reduce-scatter(%c), replica_groups={{0,1},{2,3}}, dimensions={1}, to_apply=%add\n"
				 "  ROOT %g = f32[4,8] all-gather(%s), replica_groups={{0,1},{2,3}}, dimensions={1}\n"
				 "}\n",
		"19 c..g annotated x1: f32[8, 8]+{b} ~> [4{a}8, 8]; dynslice [4, 8]; reducescatter [4, 4]; allgather [4, 8]\n"},
	{"what is no sum, and groups that are none",
		SUMS("4") "  %p = f32[4,4] parameter(0)\n"
				  "  %m = f32[4,4] all-reduce(%p), replica_groups={{0,1},{2,3}}, to_apply=%max\n"
				  "  ROOT %b = f32[4,4] all-reduce(%m), replica_groups={{0,1,2},{3}}, to_apply=%add\n"
				  "}\n",
		"- 14 m x1: it combines by maximum, but only sums are planned\n"
		"- 15 b x1: the sharding of its value is unknown, and its groups do not imply it: groups {{0,1,2},{3}}\n"},
};

static void small_modules(void **state)
{
	const struct module *row = *state;
	expect_import(row->text, strlen(row->text), row->what, row->expected);
}

/* ---- modules that XLA wrote (jaxlib 0.10.2) ---- */

static const struct module programs[] = {
	{"a step of a loop: its groups of line 66 do not fit the order in which line 49 placed the tiles",
		"tests/hlo/loop.hlo",
		"34 all-gather..all-gather derived x1: bf16[32{a}96, 192{b}384] ~> [96, 192{b}384]; allgather [96, 192]; runs 6\n"
		"51 dynamic-slice.5..dynamic-slice.5 derived x1: bf16[1, 192{b}384, 192{c}384] ~> "
		"[1, 192{b}384, 64{a,c}384]; dynslice [1, 192, 64]; runs 6\n"
		"53 all-reduce..dynamic-slice.8 derived x1: bf16[96, 64{a,c}384]+{b} ~> [48{b}96, 64{a,c}384]; "
		"allreduce [96, 64]; dynslice [48, 64]; runs 6; found reduce-scatter\n"
		"63 all-gather.1..all-gather.1 derived x1: bf16[48{b}96, 64{a,c}384] ~> [96, 64{a,c}384]; "
		"allgather [96, 64]; runs 6\n"
		"75 all-reduce.1..all-reduce.2 derived x1: f32[]+{a,b,c} ~> []; allreduce []; allreduce []; runs 6; found twice\n"
		"102 dynamic-slice.20..dynamic-slice.20 annotated x1: bf16[32{a}96, 384] ~> [32{a}96, 192{b}384]; "
		"dynslice [32, 192]\n"
		"- 66 all-to-all x1: what its groups hold does not form a block of the array\n"
		"- 69 collective-permute x1: the sharding of its value is unknown, and its groups do not imply it\n"},
	{"a loop of 5 in a loop of 12", "tests/hlo/nested.hlo",
		"55 all-to-all..all-to-all derived x1: f32[8{a}64, 64] ~> [64, 8{a}64]; alltoall [64, 8]; runs 60\n"
		"61 all-to-all.1..all-to-all.1 derived x1: f32[64, 8{a}64] ~> [8{a}64, 64]; alltoall [8, 64]; runs 60\n"
		"93 all-gather..all-gather.1 derived x1: f32[8{a}64, 64] ~> [64, 64]; allgather [16, 64]; "
		"allgather [64, 64]; runs 12 (the program constrains the sharding on the way, not only at the ends)\n"
		"108 dynamic-slice.10..collective-permute derived x1: f32[1, 64, 32{b}64] ~> [1, 64, 16{a}64]; "
		"dynslice [1, 64, 16]; allpermute [1, 64, 16]; runs 12\n"
		"118 dynamic-slice.15..collective-permute.1 derived x1: f32[64, 16{a}64] ~> [8{b,a}64, 64]; "
		"dynslice [32, 16]; alltoall [8, 64]; allpermute [8, 64]; runs 12\n"
		"132 all-reduce..all-reduce derived x1: f32[]+{a} ~> []; allreduce []; runs 12\n"
		"157 dynamic-slice.23..dynamic-slice.23 annotated x1: f32[16{a}64, 64] ~> [8{b,a}64, 64]; dynslice [8, 64]\n"
		"167 all-to-all.3..collective-permute.2 derived x1: f32[8{b,a}64, 64] ~> [32{b}64, 16{a}64]; "
		"alltoall [32, 16]; allpermute [32, 16]\n"},
	{"two layers", "tests/hlo/mlp.hlo",
		"42 dynamic-slice.4..dynamic-slice.4 annotated x1: f32[48{a}96, 384] ~> [24{b,a}96, 384]; dynslice [24, 384]\n"
		"44 collective-permute..collective-permute annotated x1: f32[384, 768{b}1536] ~> [384, 768{c}1536]; "
		"allpermute [384, 768]\n"
		"49 all-to-all..collective-permute.4 derived x1: f32[24{b,a}96, 768{c}1536] ~> [48{a}96, 768{c}1536]; "
		"alltoall [48, 384]; allpermute [48, 384]; allpermute [48, 384]; allgather [48, 768]; "
		"allpermute [48, 768] (the program constrains the sharding on the way, not only at the ends)\n"
		"58 collective-permute.3..collective-permute.5 annotated x1: f32[768{b}1536, 192{c}384] ~> "
		"[768{c}1536, 192{b}384]; allpermute [768, 192]; allpermute [768, 192]\n"
		"61 all-reduce..collective-permute.6 derived x1: f32[48{a}96, 192{b}384]+{c} ~> "
		"[48{b}96, 192{a}384]; allreduce [48, 192]; allpermute [48, 192] "
		"(the program constrains the sharding on the way, not only at the ends)\n"
		"67 all-reduce.1..all-reduce.2 derived x1: f32[]+{a} ~> []; allreduce []; allreduce []; found twice\n"},
	{"a loop that XLA's CPU compiler has fused", "tests/hlo/compiled-loops.hlo",
		"165 all-to-all.3..collective-permute derived x1: f32[16{a}64, 32{b}64] ~> [32{b}64, 16{a}64]; alltoall [32, 16]; allpermute [32, 16]; runs 5\n"
		"173 all-to-all.4..all-to-all.4 derived x1: f32[32{b}64, 16{a}64] ~> [64, 8{b,a}64]; alltoall [64, 8]; runs 5\n"
		"181 all-to-all.5..collective-permute.1 derived x1: f32[64, 8{b,a}64] ~> [16{a}64, 32{b}64]; alltoall [16, 32]; allpermute [16, 32]; runs 5\n"
		"190 all-reduce..all-reduce.1 derived x1: f32[]+{a,b} ~> []; allreduce []; allreduce []; runs 5; found twice\n"},
	{"reshards that it has fused", "tests/hlo/compiled-remat.hlo",
		"98 dynamic-slice.22..collective-permute annotated x1: f32[8{a}16, 8{b}16, 16] ~> [16, 4{a,c}16, 8{b}16]; dynslice [8, 8, 8]; alltoall [16, 4, 8]; allpermute [16, 4, 8]\n"
		"117 all-to-all.4..collective-permute.1 derived x1: f32[16, 1, 4{a,c}16, 8{b}16] ~> [8{c}16, 1, 16, 4{a,b}16]; alltoall [8, 1, 4, 16]; alltoall [8, 1, 16, 4]; allpermute [8, 1, 16, 4]\n"},
	{"reshapes of the program itself", "tests/hlo/reshaped.hlo",
		"7 all-to-all..all-to-all.3 annotated x1: f32[16{a}48, 2, 192{b}384] ~> [16{a}48, 2, 192{b}384]; "
		"alltoall [16, 1, 384]; alltoall [48, 1, 128]; alltoall [16, 1, 384]; alltoall [16, 2, 192] "
		"(the program constrains the sharding on the way, not only at the ends)\n"},
};

static void whole_programs(void **state)
{
	const struct module *row = *state;
	size_t length;
	char *text = file_text(row->text, &length);

	assert_non_null(text);
	expect_import(text, length, row->what, row->expected);
	free(text);
}

static void names_and_places(void **state)
{
	static const char text[] =
		"HloModule jit_f.3, num_partitions=2\n"
		"\nFileNames\n1 \"c.py\"\n2 \"a \\\"b\\\".py\"\n\nFunctionNames\n1 \"f\"\n"
		"\nFileLocations\n1 {file_name_id=2 function_name_id=1 line=7 end_line=8 column=1 end_column=2}\n"
		"\nStackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n"
		"ENTRY %e {\n"
		"  %p = f32[2] parameter(0), sharding={devices=[2]<=[2]}, metadata={op_name=\"x[\\\"w\\\"]\" "
		"stack_frame_id=1}\n"
		"  %g = f32[4] all-gather(%p), replica_groups={{0,1}}, dimensions={0}, metadata={op_name=\"other\" "
		"stack_frame_id=9}\n"
		"  %q = s32[2] parameter(1), sharding={devices=[2]<=[2]}, metadata={op_name=\"q\"}\n"
		"  ROOT %h = s32[4] all-gather(%q), replica_groups={{0,1}}, dimensions={0}, metadata={op_name=\"f\" "
		"source_file=\"m.py\" source_line=12}\n"
		"}\n";
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	(void)state;
	assert_true(sw_hlo_read_module(sw_str_of(text), NULL, arena, &import, &diag));
	assert_string_equal(import.name, "jit_f.3");
	assert_int_equal(import.partitions, 2);
	assert_int_equal(import.instructions, 4);
	assert_int_equal(import.collectives, 2);
	assert_int_equal(import.left_out, 0);
	assert_int_equal(import.count, 2);
	assert_string_equal(import.chains[1].op_name, "f");
	assert_string_equal(import.chains[1].source, "m.py:12");
	assert_string_equal(import.chains[0].op_name, "x[\"w\"]");
	assert_string_equal(import.chains[0].source, "a \"b\".py:7");
	assert_string_equal(import.chains[0].computation, "e");
	assert_string_equal(import.chains[0].plan.name, "g");
	assert_string_equal(import.chains[0].plan.origin, "hlo");
	assert_int_equal(import.chains[0].plan.cost, 4);
	sw_arena_free(arena);
}

/* ---- loops ---- */

#define GATHERS \
	"  %p = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n  ROOT %g = f32[8] all-gather(%p), " \
	"replica_groups={{0,1}}, dimensions={0}\n"

/* A loop over a counter whose body calls %work, which has one chain. */
static void loop_text(sw_text *text, const char *start, const char *step, const char *condition, const char *said)
{
	sw_text_clear(text);
	sw_text_add(text, "HloModule m, num_partitions=2\n%work {\n" GATHERS "}\n");
	sw_text_addf(text,
		"%%cond {\n  %%c = (s32[], f32[4], s32[]) parameter(0)\n  %%i = s32[] get-tuple-element(%%c), index=0\n"
		"  %%n = s32[] get-tuple-element(%%c), index=2\n  %%ten = s32[] constant(10)\n"
		"  ROOT %%t = pred[] compare(%s\n}\n"
		"%%body {\n  %%b = (s32[], f32[4], s32[]) parameter(0)\n  %%i = s32[] get-tuple-element(%%b), index=0\n"
		"  %%x = f32[4] get-tuple-element(%%b), index=1\n  %%n = s32[] get-tuple-element(%%b), index=2\n"
		"  %%w = f32[8] call(%%x), to_apply=%%work\n  %%s = s32[] constant(%s)\n  %%next = s32[] add(%%i, %%s)\n"
		"  ROOT %%r = (s32[], f32[4], s32[]) tuple(%%next, %%x, %%n)\n}\n"
		"ENTRY %%main {\n  %%x = f32[4] parameter(0)\n  %%n = s32[] parameter(1)\n  %%z = s32[] constant(%s)\n"
		"  %%twelve = s32[] constant(12)\n  %%init = (s32[], f32[4], s32[]) tuple(%%z, %%x, %s)\n"
		"  ROOT %%l = (s32[], f32[4], s32[]) while(%%init), condition=%%cond, body=%%body%s\n}\n",
		condition, step, start, strstr(said, "twelve") ? "%twelve" : "%n", strstr(said, "known") ? said : "");
}

static const struct counted {
	const char *start, *step, *condition, *said;
	int runs; /* below 0: the module does not tell */
} counted[] = {
	{"0", "1", "%i, %ten), direction=LT", "", 10},
	{"0", "1", "%i, %ten), direction=LE", "", 11},
	{"3", "2", "%i, %ten), direction=LT", "", 4},
	{"20", "-3", "%i, %ten), direction=GT", "", 4},
	{"20", "-5", "%i, %ten), direction=GE", "", 3},
	{"0", "5", "%i, %ten), direction=NE", "", 2},
	{"0", "1", "%ten, %i), direction=GT", "", 10},
	{"12", "1", "%i, %ten), direction=LT", "", 0},
	{"0", "1", "%i, %n), direction=LT", "twelve", 12},
	{"0", "1", "%i, %n), direction=LT", "", -1},
	{"0", "0", "%i, %ten), direction=LT", "", -1},
	{"0", "3", "%i, %ten), direction=NE", "", -1},
	{"0", "-1", "%i, %ten), direction=NE", "", -1},
	{"0", "1", "%i, %ten), direction=EQ", "", -1},
	{"0", "1", "%i, %n), direction=LT", ", backend_config={\"known_trip_count\":{\"n\":\"7\"},\"init\":\"3\"}", 7},
	{"0", "1", "%i, %n), direction=LT", ", backend_config={\"known_trip_count\":{}}, x={\"n\":\"7\"}", -1},
};

static void loops_count(void **state)
{
	const struct counted *c = *state;
	sw_text text = {0};

	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	loop_text(&text, c->start, c->step, c->condition, c->said);
	if (!sw_hlo_read_module((sw_str){text.data, text.length}, NULL, arena, &import, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(import.count, 1);
	if (import.chains[0].open != (c->runs < 0) || import.chains[0].runs != (c->runs < 0 ? 1 : c->runs))
		fail_msg("runs %d", (int)import.chains[0].runs);
	sw_arena_free(arena);
	sw_text_free(&text);
}

/* Ten calls of ten calls ... run so often that it is not told any more how often; recursion counts once. */
static void calls_multiply(void **state)
{
	sw_text text = {0};
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	(void)state;
	sw_text_add(&text,
		"HloModule m, num_partitions=2\n%f0 {\n" GATHERS "}\n%r {\n  %a = f32[4] parameter(0)\n"
		"  %again = f32[4] call(%a), to_apply=%s\n" GATHERS "}\n%s {\n  %b = f32[4] parameter(0)\n"
		"  ROOT %again = f32[4] call(%b), to_apply=%r\n}\n");
	for (int depth = 1; depth <= 20; depth++) {
		sw_text_addf(&text, "%%f%d {\n  %%x = f32[4] parameter(0)\n", depth);
		for (int k = 0; k < 10; k++)
			sw_text_addf(&text, "  %s%%c%d = f32[8] call(%%x), to_apply=%%f%d\n", k == 9 ? "ROOT " : "", k,
				depth - 1);
		sw_text_add(&text, "}\n");
	}
	sw_text_add(&text, "ENTRY %main {\n  %x = f32[4] parameter(0)\n  ROOT %c = f32[8] call(%x), to_apply=%f20\n}\n");
	if (!sw_hlo_read_module((sw_str){text.data, text.length}, NULL, arena, &import, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(import.count, 1);
	assert_int_equal(import.chains[0].count, 2);
	assert_true(import.chains[0].runs == ((int64_t)1 << 48) + 1 && import.chains[0].open);
	sw_arena_free(arena);
	sw_text_free(&text);
}

/* ---- refusals ---- */

static const struct refusal {
	const char *text, *message, *at;
} refusals[] = {
	{"", "this does not begin as an HLO module does", ""},
	{"\n module @jit_f {\n}\n", "this does not begin as an HLO module does", "module @jit_f {"},
	{"HloModule m\n", "line 2: a module without computations", "HloModule m"},
	{"HloModule m\n%f {\n  ROOT %a = f32[] parameter(0)\n}\n", "line 5: no computation is the ENTRY", "HloModule m"},
	{"HloModule m\nENTRY %f {\n  ROOT %a = f32[] parameter(0)\n", "line 4: the text ends inside this computation",
		"ENTRY %f {"},
	{"HloModule m\nENTRY %f {\n  %a = f32[2] parameter(0), sharding={devices=[2]<=\n  ROOT %b = f32[2] copy(%a)\n}\n",
		"line 3: the instruction ends before its brackets do", "  %a = f32[2] parameter(0), sharding={devices=[2]<="},
	{"HloModule m\nENTRY %f {\n  %a = f32[2] param\n}\n", "line 3: this is not an instruction",
		"  %a = f32[2] param"},
	{"HloModule m\nENTRY %f {\n  what is this\n}\n", "line 3: this is not an instruction", "  what is this"},
	{"HloModule m\nENTRY %f {\n  ROOT %a = f32[] parameter(0)\n}\n\nHloModule n\n",
		"line 6: a second module begins here", "HloModule n"},
	{"HloModule m, num_partitions=99999999\nENTRY %f {\n  %a = f32[2] parameter(0)\n}\n",
		"a module for 99999999 devices: too many for a map of each", "HloModule m, num_partitions=99999999"},
};

static void refused(void **state)
{
	const struct refusal *r = *state;
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	assert_false(sw_hlo_read_module(sw_str_of(r->text), NULL, arena, &import, &diag));
	assert_int_equal(diag.code, strstr(r->message, "too many") != NULL ? SW_S08 : SW_N06);
	assert_string_equal(diag.message, r->message);
	assert_int_equal(diag.at.end - diag.at.begin, strlen(r->at));
	assert_memory_equal(r->text + diag.at.begin, r->at, strlen(r->at));
	sw_arena_free(arena);
}

static void modules_are_told_from_texts(void **state)
{
	(void)state;
	assert_true(sw_hlo_is_module(sw_str_of("\n// dumped\nHloModule m\n")));
	assert_false(sw_hlo_is_module(sw_str_of("HloModuleX")));
	assert_false(sw_hlo_is_module(sw_str_of("// HloModule m")));
}

static bool stop_at(void *context, const char *what, long long done, long long total)
{
	(void)what;
	(void)done;
	(void)total;
	return --*(int *)context > 0;
}

static void stopped(void **state)
{
	size_t length;
	char *text = file_text("tests/hlo/mlp.hlo", &length);

	(void)state;
	assert_non_null(text);
	for (int beats = 1;; beats++) {
		int left = beats;
		sw_pulse pulse = {stop_at, &left};
		sw_arena *arena = sw_arena_new();
		sw_hlo_import import;
		sw_diag diag = {0};
		bool done = sw_hlo_read_module((sw_str){text, length}, &pulse, arena, &import, &diag);

		sw_arena_free(arena);
		if (done)
			break;
		assert_int_equal(diag.code, SW_S03);
		assert_true(beats < 100);
	}
	free(text);
}

/* ---- the record ---- */

static bool same_numbers(const json_t *list, const int64_t *number, int count)
{
	bool same = (int)json_array_size(list) == count;

	for (int i = 0; same && i < count; i++)
		same = json_integer_value(json_array_get(list, (size_t)i)) == number[i];
	return same;
}

/* Are they the entries, in whatever order? */
static bool same_entries(const json_t *list, const sw_entry *entry, int count)
{
	size_t found = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		for (int e = 0; e < count; e++) {
			const json_t *pair = json_array_get(list, i);
			found += json_integer_value(json_array_get(pair, 0)) == entry[e].dim &&
				json_integer_value(json_array_get(pair, 1)) == entry[e].factor;
		}
	return found == (size_t)count && json_array_size(list) == (size_t)count;
}

static bool same_groups(const json_t *groups, const sw_step *step)
{
	size_t size = (size_t)step->group_size;

	for (size_t g = 0; g < json_array_size(groups); g++)
		for (size_t k = 0; k < size; k++)
			if (json_integer_value(json_array_get(json_array_get(groups, g), k)) != step->groups[g * size + k])
				return false;
	return true;
}

static bool same_pairs(const json_t *pairs, const sw_step *step)
{
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);
		if (json_integer_value(json_array_get(pair, 0)) != step->source[json_integer_value(json_array_get(pair, 1))])
			return false;
	}
	return true;
}

/* Where every device's slice starts within its tile. */
static bool same_starts(const json_t *starts, const sw_plan *plan, int k)
{
	int rank = plan->problem.from.rank;
	size_t devices = (size_t)plan->problem.mesh.devices, size = devices * (size_t)rank;
	int64_t *before = malloc(size * sizeof *before), *after = malloc(size * sizeof *after);
	bool same = before && after && sw_plan_map(plan, k, before, NULL) && sw_plan_map(plan, k + 1, after, NULL);

	for (size_t i = 0; same && i < size; i++)
		after[i] -= before[i];
	for (size_t d = 0; same && d < devices; d++)
		same = same_numbers(json_array_get(starts, d), after + d * (size_t)rank, rank);
	free(before);
	free(after);
	return same;
}

static bool same_step(const json_t *record, const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	const json_t *groups = json_object_get(record, "groups"), *pairs = json_object_get(record, "pairs");
	const json_t *starts = json_object_get(record, "start");

	return strcmp(json_string_value(json_object_get(record, "op")), sw_collective_of(step->op)->name) == 0 &&
		same_numbers(json_object_get(record, "localtype"), plan->program.value[k + 1].tile,
			plan->problem.from.rank) &&
		same_entries(json_object_get(record, "gather"), step->gather, step->gathers) &&
		same_entries(json_object_get(record, "split"), step->split, step->splits) &&
		(!groups || (step->groups && same_groups(groups, step))) &&
		(!pairs || (step->source && same_pairs(pairs, step))) && (!starts || same_starts(starts, plan, k));
}

/* The module's one chain is the recorded plan. */
static void expect_record(const json_t *record, const char *file)
{
	const json_t *steps = json_object_get(record, "steps");
	size_t length;
	char *text = file_text(file, &length);
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	if (!sw_hlo_read_module((sw_str){text, length}, NULL, arena, &import, &diag))
		fail_msg("%s: %s", file, diag.message);
	assert_int_equal(import.left_out, 0);
	assert_int_equal(import.count, json_array_size(steps) > 0);
	for (size_t k = 0; k < json_array_size(steps); k++)
		if (import.chains[0].plan.program.steps != (int)json_array_size(steps) ||
			!same_step(json_array_get(steps, k), &import.chains[0].plan, (int)k))
			fail_msg("%s: step %zu is another:\n%s", file, k + 1, import_text(&import));
	if (import.count > 0) {
		assert_int_equal(import.chains[0].plan.cost, json_integer_value(json_object_get(record, "cost")));
		assert_int_equal(import.chains[0].plan.height, json_integer_value(json_object_get(record, "height")));
		check_and_execute(&import.chains[0].plan, file);
	}
	sw_arena_free(arena);
	free(text);
}

static void record_agrees(void **state)
{
	char name[4096], *line = NULL;
	size_t room = 0;
	int modules_read = 0;

	(void)state;
	FILE *file = cases_open("xla-plans.jsonl");
	while (file != NULL && getline(&line, &room, file) > 0) {
		json_t *record = json_loads(line, 0, NULL);

		assert_non_null(record);
		snprintf(name, sizeof name, "%s/hlo/%s.hlo", cases_folder(),
			json_string_value(json_object_get(record, "name")));
		FILE *module = fopen(name, "r");
		if (module != NULL) {
			fclose(module);
			expect_record(record, name);
			modules_read++;
		}
		json_decref(record);
	}
	free(line);
	if (file == NULL)
		skip();
	fclose(file);
	printf("hlo: %d modules are the recorded plans\n", modules_read);
	assert_true(modules_read > 0);
}

/* ---- many instructions, and damaged ones ---- */

static void large_module(void **state)
{
	sw_text text = {0};
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};

	(void)state;
	sw_text_add(&text,
		"HloModule m, num_partitions=8\nENTRY %main {\n"
		"  %c = s32[8]{0} constant({0, 4, 8, 12, 0, 4, 8, 12})\n  %i = u32[] partition-id()\n"
		"  %z = s32[] constant(0)\n");
	for (int k = 0; k < 5000; k++) {
		sw_text_addf(&text, "  %%p%d = f32[4,%d] parameter(%d), sharding={devices=[2,4]<=[8]}\n", k, 16 + k % 50, k);
		sw_text_addf(&text, "  %%g%d = f32[4,%d] all-gather(%%p%d), dimensions={1}, replica_groups=[2,4]<=[8]\n", k,
			4 * (16 + k % 50), k);
		sw_text_addf(&text, "  %%r%d = f32[4,%d] copy(%%g%d)\n  %%n%d = f32[4,%d] negate(%%r%d)\n", k,
			4 * (16 + k % 50), k, k, 4 * (16 + k % 50), k);
	}
	sw_text_add(&text, "  ROOT %t = () tuple()\n}\n");
	if (!sw_hlo_read_module((sw_str){text.data, text.length}, NULL, arena, &import, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(import.count, 50);
	assert_int_equal(import.chains[7].count, 100);
	assert_int_equal(import.collectives, 5000);
	assert_int_equal(import.left_out, 0);
	sw_arena_free(arena);
	sw_text_free(&text);
}

static void read_mutant(const mutant *m)
{
	char *text = mutant_copy(m);
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {0};
	sw_str whole = {text, m->length};

	assert_true(text != NULL && arena != NULL);
	if (sw_hlo_read_module(whole, NULL, arena, &import, &diag))
		import_text(&import);
	else if (diag.message[0] == '\0' || diag.at.begin > diag.at.end || diag.at.end > m->length ||
		(diag.code != SW_N06 && diag.code != SW_S08))
		fail_msg("%d '%s' at %zu-%zu: %.*s", diag.code, diag.message, diag.at.begin, diag.at.end, (int)m->length,
			text);
	sw_arena_free(arena);
	free(text);
}

static void damaged(void **state)
{
	static const char *const files[] = {"tests/hlo/loop.hlo", "tests/hlo/mlp.hlo", "tests/hlo/reshaped.hlo",
		"tests/hlo/nested.hlo", "tests/hlo/traffic/async.hlo", "tests/hlo/traffic/ragged.hlo",
		"tests/hlo/traffic/cond.hlo", "tests/hlo/traffic/pipe.hlo"};
	draw from = draw_start("hlo");
	mutant *m = malloc(sizeof *m);

	(void)state;
	assert_non_null(m);
	for (int round = 0; round < 1200; round++) {
		size_t length = 0, small = (size_t)draw_below(&from, (int)(sizeof modules / sizeof *modules));
		bool large = draw_below(&from, 4) == 0;
		char *text = large ? file_text(files[draw_below(&from, sizeof files / sizeof *files)], &length) :
							 strdup(modules[small].text);

		assert_non_null(text);
		if (large)
			text = realloc(text, length + 1), text[length] = '\0';
		mutant_draw(m, &from, text);
		read_mutant(m);
		free(text);
	}
	free(m);
}

/* Sums one after the other of more terms than 64 bits count are as many chains, and each is looked at as far as it goes. */
/* No tuple has an element before its first one: nothing is read there. */
static void elements_before_the_first(void **state)
{
	static const char text[] =
		"HloModule m, num_partitions=4\n\nENTRY %main (p: f32[4,8]) -> f32[4,8] {\n"
		"  %p = f32[4,8] parameter(0), sharding={devices=[4,1]<=[4]}\n  %t = (f32[4,8], f32[4,8]) tuple(%p, %p)\n"
		"  %b = (f32[4,8], f32[4,8]) opt-barrier(%t)\n  %e = f32[4,8] get-tuple-element(%t), index=-900000\n"
		"  %f = f32[4,8] get-tuple-element(%b), index=-900000\n  ROOT %n = f32[4,8] add(%e, %f)\n}\n";
	sw_arena *arena = sw_arena_new();
	sw_hlo_import import;
	sw_diag diag = {.code = SW_OK};

	(void)state;
	if (sw_hlo_read_module(sw_str_of(text), NULL, arena, &import, &diag))
		assert_int_equal(import.count, 0);
	else
		assert_int_equal(diag.code, SW_N06);
	sw_arena_free(arena);
}

static void sums_in_a_row(void **state)
{
	enum { SUMS_IN_A_ROW = 200 };
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_hlo_import import;
	sw_diag diag = {.code = SW_OK};

	(void)state;
	sw_text_add(&text,
		SUMS("4") "  %x0 = f32[4,8] parameter(0), sharding={devices=[1,1,4]<=[4] last_tile_dims={unreduced}}\n");
	for (int i = 1; i <= SUMS_IN_A_ROW; i++)
		sw_text_addf(&text, "  %%x%d = f32[4,8] all-reduce(%%x%d), replica_groups={{0,1,2,3}}, to_apply=%%add\n", i,
			i - 1);
	sw_text_add(&text, "}\n");
	if (!sw_hlo_read_module((sw_str){sw_text_get(&text), text.length}, NULL, arena, &import, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(import.collectives, SUMS_IN_A_ROW);
	assert_int_equal(import.left_out, 0);
	assert_true(import.count > 0 && import.count <= 2);
	assert_true(sw_arena_bytes(arena) < (size_t)1 << 20);
	sw_text_free(&text);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(small_modules, modules, what),
		ROWS(whole_programs, programs, what),
		TEST(names_and_places),
		NUMBERED(loops_count, counted),
		TEST(calls_multiply),
		ROWS(refused, refusals, message),
		TEST(modules_are_told_from_texts),
		TEST(stopped),
		TEST(record_agrees),
		TEST(large_module),
		TEST(elements_before_the_first),
		TEST(sums_in_a_row),
		TEST(damaged),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
