/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans made by hand and at random: their groups, their JSON there and back, the checker, the execution.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include <shardwalk/json.h>
#include <shardwalk/plan.h>

#include "array/prime_parts.h"
#include "kit/draw.h"
#include "plan/lines.h"
#include "plan/shrink.h"
#include "kit/kit.h"

/* ---- plans from text ---- */

typedef struct row {
	sw_op op;
	const char *gather, *split; /* "0:2 1:2" */
	const char *type;           /* after the step */
} row;

typedef struct bench {
	sw_arena *arena;
	sw_plan plan;
	sw_diag diag;
} bench;

static void must(bool done, const sw_diag *diag)
{
	if (!done)
		fail_msg("%s", diag->message);
}

static int entries_of(const char *text, sw_entry *entry)
{
	int count = 0, used;
	while (text && sscanf(text, "%d:%ld%n", &entry[count].dim, &entry[count].factor, &used) == 2) {
		text += used;
		count++;
	}
	return count;
}

static void bench_open(bench *b, const char *mesh, const char *problem, int steps)
{
	memset(b, 0, sizeof *b);
	b->arena = sw_arena_new();
	assert_non_null(b->arena);
	sw_mesh read;
	must(sw_mesh_parse(sw_str_of(mesh), &read, &b->diag), &b->diag);
	must(sw_problem_parse(&read, sw_str_of(problem), &b->plan.problem, &b->diag), &b->diag);
	b->plan.strategy = SW_FUSED;
	b->plan.local_cost = -1;
	b->plan.has_bound = true;
	b->plan.program.steps = steps;
	assert_true(sw_plan_room(&b->plan, steps, b->arena));
}

static void bench_close(bench *b)
{
	sw_arena_free(b->arena);
}

static void bench_total(bench *b)
{
	must(sw_plan_total(&b->plan, &b->diag), &b->diag);
	b->plan.budget = b->plan.height;
}

static void step_of(const sw_call *call, sw_step *step, sw_arena *arena)
{
	const sw_entries entries = {call->gathers, call->splits, call->gather, call->split};
	*step = (sw_step){.op = call->op};
	assert_true(sw_step_keep(step, &entries, arena));
}

/* A plan from rows, with its sums but without groups. */
static void bench_plan(bench *b, const char *mesh, const char *problem, const row *rows, int count)
{
	bench_open(b, mesh, problem, count);
	for (int k = 0; k < count; k++) {
		sw_step *step = &b->plan.program.step[k];
		sw_type *type = SW_NEW(b->arena, sw_type, 1);
		must(sw_type_parse(&b->plan.problem.mesh, sw_str_of(rows[k].type), type, &b->diag), &b->diag);
		step->op = rows[k].op;
		sw_call call = {.op = rows[k].op};
		call.gathers = entries_of(rows[k].gather, call.gather);
		call.splits = entries_of(rows[k].split, call.split);
		step_of(&call, step, b->arena);
		b->plan.program.value[k + 1].type = type;
		memcpy(b->plan.program.value[k + 1].tile, type->tile, sizeof type->tile);
	}
	bench_total(b);
}

static void bench_group(bench *b)
{
	must(sw_plan_group(&b->plan, b->arena, &b->diag), &b->diag);
}

/* Takes the type of a step away and leaves the map. */
static void bench_untype(bench *b, int k)
{
	sw_plan *plan = &b->plan;
	int64_t *map = SW_NEW(b->arena, int64_t, plan->problem.mesh.devices * plan->problem.from.rank);
	must(sw_plan_map(plan, k + 1, map, &b->diag), &b->diag);
	plan->program.value[k + 1].type = NULL;
	plan->program.value[k + 1].map = map;
}

static void groups_are(const bench *b, int k, const int32_t *want, int count)
{
	assert_non_null(b->plan.program.step[k].groups);
	for (int d = 0; d < count; d++)
		assert_int_equal(b->plan.program.step[k].groups[d], want[d]);
}

static void checks(const bench *b)
{
	sw_diag diag;
	must(sw_plan_check(&b->plan, &diag), &diag);
}

static sw_verdict verified(const bench *b)
{
	sw_verdict verdict;
	sw_diag diag;
	must(sw_plan_verify(&b->plan, NULL, &verdict, &diag), &diag);
	return verdict;
}

static const row three_steps[] = {
	{SW_ALLTOALL, "0:2", "1:2", "[6{x:(1)2}12, 1{x:(2)2,y}12]"},
	{SW_ALLPERMUTE, NULL, NULL, "[6{y:(1)2}12, 1{y:(2)3,x}12]"},
	{SW_ALLTOALL, "1:3", "0:3", "[2{y}12, 3{x}12]"},
};

static void three_open(bench *b)
{
	bench_plan(b, "{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", three_steps, 3);
	bench_group(b);
	b->plan.lower_bound = 12;
	b->plan.local_cost = 12;
}

/* ---- groups ---- */

static void three_step_plan(void **state)
{
	(void)state;
	static const int32_t first[] = {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 12, 18, 13, 19, 14, 20, 15, 21, 16, 22, 17,
		23};
	static const int32_t sources[] = {0, 6, 1, 12, 18, 13, 7, 2, 8, 19, 14, 20};
	bench b;
	three_open(&b);
	assert_int_equal(b.plan.cost, 18);
	assert_int_equal(b.plan.height, 6);
	assert_int_equal(b.plan.live_peak, 12);
	assert_int_equal(b.plan.permutes, 1);
	assert_true(b.plan.normal_form);
	groups_are(&b, 0, first, 24);
	for (int d = 0; d < 12; d++)
		assert_int_equal(b.plan.program.step[1].source[d], sources[d]);
	for (int d = 0; d < 24; d++)
		assert_int_equal(b.plan.program.step[2].groups[d], d);
	checks(&b);
	assert_true(verified(&b).right);
	assert_int_equal(verified(&b).elements, 24 * 6);
	bench_close(&b);
}

/* Popping x and pushing the unused y pairs the two digits across. */
static void diagonal_alltoall(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLTOALL, "0:2", "1:2", "[8, 4{y}8]"}};
	bench b;
	bench_plan(&b, "{x: 2, y: 2}", "[4{x}8, 8] ~> [8, 4{y}8]", rows, 1);
	bench_group(&b);
	groups_are(&b, 0, (int32_t[]){0, 3, 2, 1}, 4);
	checks(&b);
	assert_true(verified(&b).right);
	bench_close(&b);
}

/* A group never needs two replicas of one piece, and takes them in the order of the devices. */
static void replicas_in_order(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLGATHER, "0:2", NULL, "[8]"}};
	bench b;
	bench_plan(&b, "{r: 3, x: 2}", "[4{x}8] ~> [8]", rows, 1);
	bench_group(&b);
	groups_are(&b, 0, (int32_t[]){0, 1, 2, 3, 4, 5}, 6);
	bench_close(&b);
	bench_plan(&b, "{x: 2, r: 3}", "[4{x}8] ~> [8]", rows, 1);
	bench_group(&b);
	groups_are(&b, 0, (int32_t[]){0, 3, 1, 4, 2, 5}, 6);
	assert_true(verified(&b).right);
	bench_close(&b);
}

static void several_dimensions(void **state)
{
	(void)state;
	static const row gather[] = {{SW_ALLGATHER, "0:2 1:2", NULL, "[4, 4]"}};
	static const row move[] = {{SW_ALLTOALL, "0:2 1:2", "2:4", "[4, 4, 2{y,x}8]"}};
	bench b;
	bench_plan(&b, "{y: 2, x: 2}", "[2{x}4, 2{y}4] ~> [4, 4]", gather, 1);
	bench_group(&b);
	groups_are(&b, 0, (int32_t[]){0, 2, 1, 3}, 4);
	checks(&b);
	bench_close(&b);
	bench_plan(&b, "{y: 2, x: 2}", "[2{x}4, 2{y}4, 8] ~> [4, 4, 2{y,x}8]", move, 1);
	bench_group(&b);
	groups_are(&b, 0, (int32_t[]){0, 2, 1, 3}, 4);
	checks(&b);
	assert_true(verified(&b).right);
	bench_close(&b);
}

/* Devices that hold the right tile keep it; the others swap as little as possible. */
static void permutation_stays_home(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLPERMUTE, NULL, NULL, "[2{z,x}8]"}};
	bench b;
	bench_plan(&b, "{x: 2, y: 2, z: 2}", "[2{y,x}8] ~> [2{z,x}8]", rows, 1);
	bench_group(&b);
	static const int32_t want[] = {0, 2, 1, 3, 4, 6, 5, 7};
	assert_memory_equal(b.plan.program.step[0].source, want, sizeof want);
	checks(&b);
	assert_true(verified(&b).right);
	bench_close(&b);
}

static const struct corner_cases_row {
	const char *mesh, *problem;
	row rows[1];
	int count;
} corner_cases_rows[] = {
	{"{x: 4}", "[2{x}8] ~> [2{x}8]", {{0}}, 0},
	{"{x: 4}", "[] ~> []", {{0}}, 0},
	{"{x: 1}", "[8] ~> [8]", {{0}}, 0},
	{"{x: 1}", "[8{x}8] ~> [8]", {{0}}, 0},
	{"{one: 1, x: 2, two: 1}", "[4{x,one}8] ~> [8]", {{SW_ALLGATHER, "0:2", NULL, "[8{two}8]"}}, 1},
	{"{x: 2}", "[] ~> []", {{SW_ALLPERMUTE, NULL, NULL, "[]"}}, 1},
	{"{x: 6}", "[2{x:(1)3}6, 1{x:(3)2}2] ~> [6, 2]", {{SW_ALLGATHER, "0:3 1:2", NULL, "[6, 2]"}}, 1},
	{"{x: 2, y: 3}", "[2{y,x}12, 7] ~> [12, 7]", {{SW_EXCHANGE, NULL, NULL, "[12, 7]"}}, 1},
	{"{x: 2, y: 3}", "[2{y,x}12, 12] ~> [6{x}12, 4{y}12]", {{SW_EXCHANGE, NULL, NULL, "[6{x}12, 4{y}12]"}}, 1},
};

static void corner_cases(void **state)
{
	const struct corner_cases_row *row = *state;
	bench b;
	bench_plan(&b, row->mesh, row->problem, row->rows, row->count);
	bench_group(&b);
	checks(&b);
	assert_true(verified(&b).right);
	bench_close(&b);
}

static void sums_that_overflow(void **state)
{
	(void)state;
	bench b;
	bench_open(&b, "{x: 2}",
		"[4611686018427387903{x}9223372036854775806] ~> [4611686018427387903{x}9223372036854775806]", 3);
	for (int k = 0; k < 3; k++) {
		b.plan.program.step[k] = (sw_step){.op = SW_ALLPERMUTE};
		b.plan.program.value[k + 1].type = &b.plan.problem.to;
		memcpy(b.plan.program.value[k + 1].tile, b.plan.problem.to.tile, sizeof b.plan.problem.to.tile);
	}
	assert_false(sw_plan_total(&b.plan, &b.diag));
	assert_int_equal(b.diag.code, SW_S09);
	b.plan.program.steps = 2;
	assert_true(sw_plan_total(&b.plan, &b.diag));
	bench_close(&b);
}

static const struct steps_that_are_none_row {
	const char *problem;
	row step;
} steps_that_are_none_rows[] = {
	{"[2{y,x}8, 8] ~> [8, 8]", {SW_ALLGATHER, "0:2", NULL, "[4{y}8, 8]"}},
	{"[2{y,x}8, 8] ~> [8, 8]", {SW_ALLTOALL, "0:2", "1:2", "[4{y}8, 4{x}8]"}},
	{"[2{y,x}8, 8] ~> [8, 8]", {SW_ALLTOALL, "0:2", "1:4", "[4{x}8, 2{y,z}8]"}},
	{"[4{x}8, 8] ~> [8, 8]", {SW_DYNSLICE, NULL, "0:2", "[2{x,y}8, 8]"}},
	{"[4{x}8, 8] ~> [8, 8]", {SW_ALLPERMUTE, NULL, NULL, "[8, 4{x}8]"}},
	{"[4{x}8, 8] ~> [8, 8]", {SW_ALLGATHER, NULL, NULL, "[8, 8]"}},
	{"[4{x}8, 8] ~> [8, 8]", {SW_ALLGATHER, "0:4", NULL, "[8, 8]"}},
};

static void steps_that_are_none(void **state)
{
	const struct steps_that_are_none_row *row = *state;
	bench b;
	bench_plan(&b, "{x: 2, y: 2, z: 2}", row->problem, &row->step, 1);
	assert_false(sw_plan_group(&b.plan, b.arena, &b.diag));
	assert_int_equal(b.diag.code, SW_P05);
	bench_close(&b);
}

/* ---- large meshes ---- */

static const char mesh_14[] = "{a: 2, b: 16, c: 16, d: 16, e: 2}";
static const char mesh_22[] = "{a: 2048, b: 32, c: 32, e: 2}";

static const struct text_of_groups_row {
	const char *mesh, *problem;
	row step;
	const char *want;
} text_of_groups_rows[] = {
	{mesh_14, "[1{e,b}32] ~> [32]", {SW_ALLGATHER, "0:2", NULL, "[2{b}32]"}, "[8192,2]<=[16384]"},
	{mesh_14, "[1{c,b}256] ~> [32]", {SW_ALLGATHER, "0:256", NULL, "[256]"}, "[64,256]<=[2,256,32]T(0,2,1)"},
	{mesh_14, "[1{c,b}256] ~> [32]", {SW_ALLGATHER, "0:4", NULL, "[4{c:(1)4,b}256]"}, "[4096,4]<=[128,4,32]T(0,2,1)"},
	{mesh_14, "[4{e,a}16, 64] ~> [32]", {SW_ALLTOALL, "0:4", "1:4", "[16, 16{e,a}64]"},
		"[4096,4]<=[2,4096,2]T(1,0,2)"},
	{mesh_14, "[4{e,a}16, 64] ~> [32]", {SW_ALLTOALL, "0:4", "1:4", "[16, 16{a,e}64]"}, "[4096,4]<=[2,8192]T(1,0)"},
	{mesh_14, "[8{e}16, 32{a}64] ~> [32]", {SW_ALLGATHER, "0:2 1:2", NULL, "[16, 64]"}, "[4096,4]<=[2,8192]T(1,0)"},
	{mesh_22, "[1{b}32] ~> [32]", {SW_ALLGATHER, "0:32", NULL, "[32]"}, "[131072,32]<=[2048,32,64]T(0,2,1)"},
};

static void text_of_groups(void **state)
{
	const struct text_of_groups_row *row = *state;
	bench b;
	char problem[200];
	snprintf(problem, sizeof problem, "%.*s ~> %s", (int)(strstr(row->problem, " ~>") - row->problem), row->problem,
		row->step.type);
	bench_plan(&b, row->mesh, problem, &row->step, 1);
	bench_group(&b);
	assert_string_equal(b.plan.program.step[0].groups_text, row->want);
	assert_null(b.plan.program.step[0].groups);
	checks(&b);
	assert_true(verified(&b).right);
	b.plan.program.step[0].groups_text = b.plan.problem.mesh.devices > SW_MAX_MAP_DEVICES ? "[131072,32]<=[4194304]" :
																							"[1,16384]<=[16384]";
	assert_false(sw_plan_check(&b.plan, &b.diag));
	assert_int_equal(b.diag.code, SW_P05);
	bench_close(&b);
}

static void diagonals_of_large_meshes(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLTOALL, "0:16", "1:16", "[256, 16{d}256]"}};
	static const row large[] = {{SW_ALLTOALL, "0:32", "1:32", "[32, 1{c}32]"}};
	static const row permute[] = {{SW_ALLPERMUTE, NULL, NULL, "[32, 1{c}32]"}};
	bench b;
	bench_plan(&b, mesh_14, "[16{b}256, 256] ~> [256, 16{d}256]", rows, 1);
	bench_group(&b);
	assert_null(b.plan.program.step[0].groups_text);
	checks(&b);
	bench_close(&b);
	bench_plan(&b, mesh_22, "[1{b}32, 32] ~> [32, 1{c}32]", large, 1);
	assert_false(sw_plan_group(&b.plan, b.arena, &b.diag));
	assert_int_equal(b.diag.code, SW_S08);
	checks(&b);
	bench_close(&b);
	bench_plan(&b, mesh_22, "[32, 1{b}32] ~> [32, 1{c}32]", permute, 1);
	bench_group(&b);
	assert_null(b.plan.program.step[0].source);
	sw_text text = {0};
	must(sw_plan_write(&b.plan, SW_JSON_LINE, &text, &b.diag), &b.diag);
	assert_non_null(strstr(text.data, "\"pairs\": [\"[32, 1{b}32]\", \"[32, 1{c}32]\"]"));
	sw_plan again;
	must(sw_plan_read(sw_str_of(text.data), b.arena, &again, &b.diag), &b.diag);
	sw_text_clear(&text);
	assert_false(sw_plan_write(&b.plan, SW_JSON_MAPS, &text, &b.diag));
	assert_int_equal(b.diag.code, SW_S08);
	assert_int_equal(text.length, 0);
	sw_text_free(&text);
	bench_close(&b);
}

static void texts_of_lines(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "[4,2]", "[4,2]<=[8", "[4,2]<=[2,4]T(1,1)", "[4,2]<=[2,4]T(0)",
		"[4,2]<=[9]", "[4,2]<=[8]x", "[4,3]<=[8]", "[-4,2]<=[8]", "[4,2]<=[2,4]T(1,2)", "[4,2,1]<=[8]", "[,]<=[8]",
		"[4,2]<=[0,8]", "[99999999999999999999,2]<=[8]"};
	sw_groups lines;
	int32_t device[8];
	for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
		assert_false(sw_groups_parse(sw_str_of(wrong[n]), 8, &lines));
	assert_true(sw_groups_parse(sw_str_of("[4,2]<=[2,4]T(1,0)"), 8, &lines));
	sw_digits_expand_narrow(lines.digit, lines.count, device);
	assert_memory_equal(device, ((int32_t[]){0, 4, 1, 5, 2, 6, 3, 7}), sizeof device);
	assert_true(sw_groups_parse(sw_str_of("[2,4]<=[2,2,2]T(2,0,1)"), 8, &lines));
	sw_digits_expand_narrow(lines.digit, lines.count, device);
	assert_memory_equal(device, ((int32_t[]){0, 2, 4, 6, 1, 3, 5, 7}), sizeof device);
	sw_text text = {0};
	sw_groups_print(&lines, &text);
	assert_string_equal(text.data, "[2,4]<=[4,2]T(1,0)"); /* the same, in the fewest dimensions */
	sw_text_free(&text);
}

/* ---- random plans ---- */

typedef struct wander {
	draw from;
	sw_mesh mesh;
	sw_prime_parts factors;
	int rank;
	int64_t global[SW_MAX_DIMS];
	int held[SW_MAX_DIMS][SW_MAX_FACTORS], count[SW_MAX_DIMS]; /* factors of each dimension, minor to major */
	int loose[SW_MAX_FACTORS], looses;
} wander;

static int64_t wander_tile(const wander *w, int dim)
{
	int64_t tile = w->global[dim];
	for (int k = 0; k < w->count[dim]; k++)
		tile /= w->factors.at[w->held[dim][k]].prime;
	return tile;
}

static void wander_type(const wander *w, sw_type *type)
{
	sw_part parts[SW_MAX_FACTORS];
	sw_diag diag;
	int n = 0;
	for (int i = 0; i < w->rank; i++)
		for (int k = 0; k < w->count[i]; k++) {
			const sw_prime_part *f = &w->factors.at[w->held[i][k]];
			parts[n++] = (sw_part){f->axis, f->pre, f->prime};
		}
	must(sw_type_replicated(SW_F32, w->rank, w->global, type, &diag), &diag);
	must(sw_type_partition(&w->mesh, type, w->count, parts, &diag), &diag);
}

static void wander_push(wander *w, int dim, int factor)
{
	memmove(w->held[dim] + 1, w->held[dim], (size_t)w->count[dim]++ * sizeof(int));
	w->held[dim][0] = factor;
}

static int wander_pop(wander *w, int dim)
{
	int factor = w->held[dim][0];
	memmove(w->held[dim], w->held[dim] + 1, (size_t)--w->count[dim] * sizeof(int));
	return factor;
}

static void wander_shuffle(wander *w, int *list, int count)
{
	for (int k = count - 1; k > 0; k--) {
		int other = draw_below(&w->from, k + 1), kept = list[k];
		list[k] = list[other];
		list[other] = kept;
	}
}

static void entry_grow(sw_entry *entry, int *count, int dim, int64_t factor)
{
	for (int e = 0; e < *count; e++)
		if (entry[e].dim == dim) {
			entry[e].factor *= factor;
			return;
		}
	int at = (*count)++;
	for (; at > 0 && entry[at - 1].dim > dim; at--)
		entry[at] = entry[at - 1];
	entry[at] = (sw_entry){dim, factor};
}

/* Pushes factors of the loose ones onto dimensions that are not gathered, `product` in all (0: one or more); false
 * where that does not work out. */
static bool wander_split(wander *w, sw_call *step, int64_t product)
{
	int64_t done = 1;
	wander_shuffle(w, w->loose, w->looses);
	for (int k = 0; k < w->looses && (product == 0 || done < product);) {
		int64_t prime = w->factors.at[w->loose[k]].prime;
		int dim = draw_below(&w->from, w->rank);
		bool gathered = false;
		for (int e = 0; e < step->gathers; e++)
			gathered = gathered || step->gather[e].dim == dim;
		if (gathered || wander_tile(w, dim) % prime != 0 || (product && product / done % prime != 0)) {
			k++;
			continue;
		}
		wander_push(w, dim, w->loose[k]);
		entry_grow(step->split, &step->splits, dim, prime);
		w->loose[k] = w->loose[--w->looses];
		done *= prime;
		if (product == 0 && draw_below(&w->from, 2))
			break;
	}
	return product ? done == product : done > 1;
}

static int64_t wander_gather(wander *w, sw_call *step)
{
	int64_t product = 1;
	for (int i = 0; i < w->rank; i++)
		while (w->count[i] > 0 && draw_below(&w->from, 2)) {
			int factor = wander_pop(w, i);
			w->loose[w->looses++] = factor;
			entry_grow(step->gather, &step->gathers, i, w->factors.at[factor].prime);
			product *= w->factors.at[factor].prime;
		}
	return product;
}

static void wander_permute(wander *w)
{
	int all[SW_MAX_FACTORS];
	for (int k = 0; k < w->factors.count; k++)
		all[k] = k;
	for (int n = 0; n < 20; n++) {
		int a = draw_below(&w->from, w->factors.count), b = draw_below(&w->from, w->factors.count);
		if (w->factors.at[a].prime != w->factors.at[b].prime)
			continue;
		int kept = all[a];
		all[a] = all[b];
		all[b] = kept;
	}
	for (int i = 0; i < w->rank; i++)
		for (int k = 0; k < w->count[i]; k++)
			w->held[i][k] = all[w->held[i][k]];
	for (int k = 0; k < w->looses; k++)
		w->loose[k] = all[w->loose[k]];
}

/* One random step from where `w` is; false (and nothing has changed) where the draw came to nothing. */
static bool wander_step(wander *w, sw_call *step)
{
	wander kept = *w;
	bool good;
	memset(step, 0, sizeof *step);
	step->op = (sw_op)draw_below(&w->from, 4);
	if (step->op == SW_DYNSLICE) {
		good = wander_split(w, step, 0);
	} else if (step->op == SW_ALLPERMUTE) {
		wander_permute(w);
		good = true;
	} else {
		int64_t product = wander_gather(w, step);
		good = product > 1 && (step->op == SW_ALLGATHER || wander_split(w, step, product));
	}
	if (!good) {
		kept.from = w->from;
		*w = kept;
	}
	return good;
}

static void wander_start(wander *w)
{
	static const char *const meshes[] = {"{x: 2, y: 2, z: 2}", "{x: 4, y: 6}", "{x: 12}", "{x: 2, y: 3, z: 2}",
		"{x: 16}", "{x: 4, one: 1, y: 4}", "{x: 3, y: 3}", "{x: 2, y: 8, z: 2}", "{x: 6, y: 6}"};
	static const int64_t sizes[] = {24, 36, 16, 12, 8, 72};
	sw_diag diag;
	const char *mesh = meshes[draw_below(&w->from, (int)(sizeof meshes / sizeof *meshes))];
	must(sw_mesh_parse(sw_str_of(mesh), &w->mesh, &diag), &diag);
	sw_prime_parts_default(&w->mesh, &w->factors);
	w->rank = 1 + draw_below(&w->from, 3);
	memset(w->count, 0, sizeof w->count);
	w->looses = w->factors.count;
	for (int i = 0; i < w->rank; i++)
		w->global[i] = sizes[draw_below(&w->from, (int)(sizeof sizes / sizeof *sizes))];
	for (int k = 0; k < w->looses; k++)
		w->loose[k] = k;
	sw_call ignored = {0};
	wander_split(w, &ignored, 0);
	wander_split(w, &ignored, 0);
}

/* A random plan of at most four steps. */
static void wander_plan(wander *w, bench *b)
{
	memset(b, 0, sizeof *b);
	b->arena = sw_arena_new();
	wander_start(w);
	b->plan.strategy = SW_FUSED;
	b->plan.has_bound = true;
	b->plan.local_cost = -1;
	b->plan.problem.mesh = w->mesh;
	wander_type(w, &b->plan.problem.from);
	assert_true(sw_plan_room(&b->plan, 4, b->arena));
	b->plan.problem.to = b->plan.problem.from;
	int wanted = draw_below(&w->from, 5);
	for (int n = 0; n < 40 && b->plan.program.steps < wanted; n++) {
		sw_call step;
		if (!wander_step(w, &step))
			continue;
		step_of(&step, &b->plan.program.step[b->plan.program.steps], b->arena);
		sw_type *type = SW_NEW(b->arena, sw_type, 1);
		wander_type(w, type);
		b->plan.problem.to = *type;
		b->plan.program.value[++b->plan.program.steps].type = type;
		memcpy(b->plan.program.value[b->plan.program.steps].tile, type->tile, sizeof type->tile);
	}
	bench_total(b);
	bench_group(b);
}

static int32_t *groups_copy(const bench *b, int k)
{
	const sw_step *step = &b->plan.program.step[k];
	const int32_t *list = step->op == SW_ALLPERMUTE ? step->source : step->groups;
	int32_t *copy = SW_NEW(b->arena, int32_t, b->plan.problem.mesh.devices);
	if (list)
		memcpy(copy, list, (size_t)b->plan.problem.mesh.devices * sizeof *copy);
	return list ? copy : NULL;
}

/* The groups follow from the maps, whether these are types or not. */
static void maps_give_the_same_groups(bench *b)
{
	int32_t *kept[4];
	size_t bytes = (size_t)b->plan.problem.mesh.devices * sizeof(int32_t);
	for (int k = 0; k < b->plan.program.steps; k++)
		kept[k] = groups_copy(b, k);
	for (int k = 0; k < b->plan.program.steps; k++)
		bench_untype(b, k);
	bench_group(b);
	for (int k = 0; k < b->plan.program.steps; k++) {
		const sw_step *step = &b->plan.program.step[k];
		if (kept[k])
			assert_memory_equal(step->op == SW_ALLPERMUTE ? step->source : step->groups, kept[k], bytes);
	}
}

static void same_json(const bench *b, unsigned flags)
{
	sw_text text = {0}, again = {0};
	sw_plan read, plan = b->plan;
	sw_diag diag;
	plan.program.claimed = false;
	must(sw_plan_write(&plan, flags, &text, &diag), &diag);
	if (!sw_plan_read(sw_str_of(text.data), b->arena, &read, &diag))
		fail_msg("%s in %s", diag.message, text.data);
	assert_true(read.program.claimed);
	read.program.claimed = false;
	must(sw_plan_write(&read, flags, &again, &diag), &diag);
	assert_string_equal(text.data, again.data);
	sw_text_free(&text);
	sw_text_free(&again);
}

/* Its program says so too, and so does the one with what is inside of steps in their places. */
static void is_a_chain(const bench *b)
{
	sw_plan flat;
	int *outer;
	assert_true(sw_plan_unfold(&b->plan, b->arena, &flat, &outer));
	const sw_program *const chains[] = {&b->plan.program, &flat.program};
	for (int n = 0; n < 2; n++) {
		const sw_program *chain = chains[n];
		assert_true(sw_mesh_equal(&chain->mesh, &b->plan.problem.mesh));
		assert_true(chain->inputs == 1 && chain->values == chain->steps + 1 && chain->returned == chain->steps);
		for (int k = 0; k < chain->steps; k++) {
			assert_true(chain->step[k].operands == 1 && chain->step[k].operand[0] == k);
			assert_int_equal(chain->value[k].last, k);
			assert_int_equal(chain->value[k].bytes,
				chain->value[k].localsize * sw_dtype_bytes(b->plan.problem.from.dtype));
		}
	}
}

static void random_plans(void **state)
{
	(void)state;
	wander w = {.from = draw_start("random_plans")};
	for (int n = 0; n < 400; n++) {
		bench b;
		wander_plan(&w, &b);
		is_a_chain(&b);
		checks(&b);
		assert_true(verified(&b).right);
		same_json(&b, SW_JSON_LINE);
		same_json(&b, SW_JSON_MAPS);
		maps_give_the_same_groups(&b);
		checks(&b);
		assert_true(verified(&b).right);
		same_json(&b, 0);
		bench_close(&b);
	}
}

/* Whatever is swapped in groups or sources: the checker refuses it, and the execution ends wrong unless what was
 * swapped is the same. */
static void damaged_groups_are_found(void **state)
{
	(void)state;
	wander w = {.from = draw_start("damaged_groups_are_found")};
	int wrong = 0;
	for (int n = 0; n < 300; n++) {
		bench b;
		sw_diag diag;
		sw_verdict verdict;
		wander_plan(&w, &b);
		int k = b.plan.program.steps ? draw_below(&w.from, b.plan.program.steps) : 0;
		int32_t *list = b.plan.program.steps ? groups_copy(&b, k) : NULL;
		int devices = (int)b.plan.problem.mesh.devices, at = draw_below(&w.from, devices);
		int other = draw_below(&w.from, devices);
		if (!list || list[at] == list[other]) {
			bench_close(&b);
			continue;
		}
		list[at] = list[other];
		if (b.plan.program.step[k].op == SW_ALLPERMUTE)
			b.plan.program.step[k].source = list;
		else
			b.plan.program.step[k].groups = list;
		assert_false(sw_plan_check(&b.plan, &diag));
		assert_int_equal(diag.code, SW_P05);
		must(sw_plan_verify(&b.plan, NULL, &verdict, &diag), &diag);
		wrong += !verdict.right; /* a later step may overwrite what went wrong */
		bench_close(&b);
	}
	assert_true(wrong > 50);
}

/* ---- maps that are no types ---- */

static int64_t divisor_drawn(draw *from, int64_t n)
{
	for (;;) {
		int64_t f = 2 + draw_below(from, (int)n - 1);
		if (n % f == 0)
			return f;
	}
}

/* The devices in an order drawn at random. */
static int32_t *devices_drawn(bench *b, draw *from)
{
	int devices = (int)b->plan.problem.mesh.devices;
	int32_t *order = SW_NEW(b->arena, int32_t, devices);
	for (int d = 0; d < devices; d++) {
		int at = draw_below(from, d + 1);
		order[d] = order[at];
		order[at] = d;
	}
	return order;
}

/* After a step that gathers f tiles along dimension `in` and, if `out` is not negative, splits along that:
 * everybody
 * takes a piece of his block at random, all pieces equally often. */
static int64_t *map_drawn(bench *b, draw *from, int in, int64_t f, int out)
{
	const sw_type *type = &b->plan.problem.from;
	int64_t devices = b->plan.problem.mesh.devices, rank = type->rank;
	int64_t *map = SW_NEW(b->arena, int64_t, devices * rank);
	int32_t *order = devices_drawn(b, from);
	must(sw_plan_map(&b->plan, 0, map, &b->diag), &b->diag);
	for (int64_t d = 0; d < devices; d++)
		map[d * rank + in] -= map[d * rank + in] % (type->tile[in] * f);
	if (out < 0)
		return map;
	int64_t *block = SW_NEW(b->arena, int64_t, devices * rank);
	memcpy(block, map, (size_t)(devices * rank) * sizeof *map);
	for (int64_t n = 0; n < devices; n++) {
		int64_t earlier = 0, d = order[n];
		for (int64_t m = 0; m < n; m++)
			earlier += memcmp(block + d * rank, block + order[m] * rank, (size_t)rank * sizeof *map) == 0;
		map[d * rank + out] += earlier % f * (type->tile[out] / f);
	}
	return map;
}

/* A plan of two steps: through a map drawn at random to the whole array everywhere.  false: the draw came to
 * nothing. */
static bool wander_map(wander *w, bench *b)
{
	memset(b, 0, sizeof *b);
	wander_start(w);
	int in = draw_below(&w->from, w->rank), out = draw_below(&w->from, w->rank + 1) - 1;
	int64_t tile = wander_tile(w, in);
	if (tile == w->global[in] || in == out)
		return false;
	int64_t f = divisor_drawn(&w->from, w->global[in] / tile);
	if (out >= 0 && wander_tile(w, out) % f != 0)
		return false;
	b->arena = sw_arena_new();
	b->plan.strategy = SW_FUSED;
	b->plan.has_bound = true;
	b->plan.local_cost = -1;
	b->plan.problem.mesh = w->mesh;
	wander_type(w, &b->plan.problem.from);
	must(sw_type_replicated(SW_F32, w->rank, w->global, &b->plan.problem.to, &b->diag), &b->diag);
	assert_true(sw_plan_room(&b->plan, 2, b->arena));
	sw_call first = {.op = out < 0 ? SW_ALLGATHER : SW_ALLTOALL}, last = {.op = SW_ALLGATHER};
	sw_value *made = &b->plan.program.value[1];
	entry_grow(first.gather, &first.gathers, in, f);
	if (out >= 0)
		entry_grow(first.split, &first.splits, out, f);
	made->map = map_drawn(b, &w->from, in, f, out);
	made[1].type = &b->plan.problem.to;
	for (int i = 0; i < w->rank; i++) {
		made->tile[i] = wander_tile(w, i) * (i == in ? f : 1) / (i == out ? f : 1);
		made[1].tile[i] = w->global[i];
		if (made->tile[i] < w->global[i])
			entry_grow(last.gather, &last.gathers, i, w->global[i] / made->tile[i]);
	}
	step_of(&first, &b->plan.program.step[0], b->arena);
	step_of(&last, &b->plan.program.step[1], b->arena);
	b->plan.program.steps = last.gathers > 0 ? 2 : 1;
	bench_total(b);
	bench_group(b);
	return true;
}

static void maps_that_are_no_types(void **state)
{
	(void)state;
	wander w = {.from = draw_start("maps_that_are_no_types")};
	for (int n = 0; n < 300;) {
		bench b;
		if (!wander_map(&w, &b))
			continue;
		checks(&b);
		assert_true(verified(&b).right);
		same_json(&b, SW_JSON_LINE);
		bench_close(&b);
		n++;
	}
}

static void uneven_maps_are_refused(void **state)
{
	(void)state;
	for (int n = 0; n < 3; n++) {
		bench b;
		three_open(&b);
		bench_untype(&b, 0);
		int64_t *map = (int64_t *)b.plan.program.value[1].map;
		map[0] = n == 0 ? 6 : n == 1 ? 3 : -6;
		assert_false(sw_plan_group(&b.plan, b.arena, &b.diag));
		assert_int_equal(b.diag.code, SW_P05);
		assert_false(sw_plan_check(&b.plan, &b.diag));
		assert_int_equal(b.diag.code, SW_P05);
		bench_close(&b);
	}
}

/* ---- execution ---- */

static void wrong_element_is_named(void **state)
{
	(void)state;
	bench b;
	three_open(&b);
	int32_t *groups = groups_copy(&b, 0);
	groups[0] = 6;
	groups[1] = 0;
	b.plan.program.step[0].groups = groups;
	sw_verdict v = verified(&b);
	assert_false(v.right);
	assert_false(v.symbolic);
	assert_int_equal(v.wrong.step, 1);
	assert_int_equal(v.wrong.device, 0);
	assert_int_equal(v.wrong.index[0], 0);
	assert_int_equal(v.wrong.expected[0], 0);
	assert_int_equal(v.wrong.expected[1], 0);
	assert_int_equal(v.wrong.found[0], 0);
	assert_int_equal(v.wrong.found[1], 1);
	assert_int_equal(v.wrong.expected_from, 0);
	assert_int_equal(v.wrong.found_from, 0);
	bench_close(&b);

	three_open(&b);
	int32_t *source = groups_copy(&b, 1);
	source[5] = -1;
	b.plan.program.step[1].source = source;
	v = verified(&b);
	assert_false(v.right);
	assert_int_equal(v.wrong.step, 2);
	assert_int_equal(v.wrong.device, 5);
	assert_int_equal(v.wrong.found[0], -1);
	assert_int_equal(v.wrong.found_from, -1);
	assert_int_equal(v.wrong.expected_from, 13);
	bench_close(&b);
}

static void wrong_at_the_end(void **state)
{
	(void)state;
	static const row slice[] = {{SW_DYNSLICE, NULL, "0:2", "[4{y}8]"}};
	bench b;
	bench_plan(&b, "{x: 2, y: 2}", "[8] ~> [4{x}8]", slice, 1);
	bench_group(&b);
	sw_verdict v = verified(&b);
	assert_false(v.right);
	assert_int_equal(v.wrong.step, 1);
	assert_int_equal(v.wrong.device, 1);
	assert_int_equal(v.wrong.expected[0], 0);
	assert_int_equal(v.wrong.found[0], 4);
	assert_false(sw_plan_check(&b.plan, &b.diag));
	assert_int_equal(b.diag.code, SW_P03);
	b.plan.program.steps = 0;
	assert_false(sw_plan_verify(&b.plan, NULL, &v, &b.diag));
	assert_int_equal(b.diag.code, SW_P05);
	bench_close(&b);
}

static void steps_that_cannot_run(void **state)
{
	(void)state;
	static const sw_entry by_three = {0, 3}, of_none = {7, 2};
	sw_verdict v;
	for (int n = 0; n < 6; n++) {
		bench b;
		three_open(&b);
		sw_step *step = &b.plan.program.step[0];
		int32_t *groups = groups_copy(&b, 0);
		step->groups = groups;
		if (n == 0)
			groups[3] = 24;
		else if (n == 1)
			step->groups = NULL;
		else if (n == 2)
			step->gather = &by_three;
		else if (n == 3)
			step->gather = &of_none;
		else if (n == 4)
			b.plan.program.value[1].type = NULL;
		else
			step->group_size = 4;
		assert_false(sw_plan_verify(&b.plan, NULL, &v, &b.diag));
		assert_int_equal(b.diag.code, SW_P05);
		assert_false(sw_plan_check(&b.plan, &b.diag));
		bench_close(&b);
	}
}

/* What does not fit is executed with whole blocks as elements, and finds the same faults. */
static void blocks_as_elements(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLTOALL, "0:2", "1:2", "[2000000000, 2000000000{x}4000000000]"}};
	bench b;
	bench_plan(&b, "{x: 2}", "[1000000000{x}2000000000, 4000000000] ~> [2000000000, 2000000000{x}4000000000]", rows,
		1);
	bench_group(&b);
	sw_verdict v = verified(&b);
	assert_true(v.right);
	assert_true(v.symbolic);
	assert_true(v.bytes < 1000);
	b.plan.program.step[0].groups = (int32_t[]){1, 0};
	v = verified(&b);
	assert_false(v.right);
	assert_int_equal(v.wrong.device, 0);
	assert_int_equal(v.wrong.found[1], 2000000000);
	bench_close(&b);

	three_open(&b);
	sw_verify_options small = {.memory = 100};
	must(sw_plan_verify(&b.plan, &small, &v, &b.diag), &b.diag);
	assert_true(v.right && v.symbolic);
	bench_close(&b);
}

static const struct shrinking_row {
	const char *mesh, *before, *after;
} shrinking_rows[] = {
	{"{x: 4}", "[15{x}60, 7] ~> [60, 7]", "[1{x}4, 1] ~> [4, 1]"},
	{"{x: 4}", "[30{x}120] ~> [120]", "[2{x}8] ~> [8]"},
	{"{x: 6}", "[20{x}120, 36] ~> [120, 6{x}36]", "[4{x}24, 36] ~> [24, 6{x}36]"},
	{"{x: 2}", "[3{x}6, 5] ~> [3{x}6, 5]", "[1{x}2, 1] ~> [1{x}2, 1]"},
	{"{x: 2}", "[] ~> []", "[] ~> []"},
	{"{x: 2}", "[2{x}4] ~> [4]", "[2{x}4] ~> [4]"},
};

static void shrinking(void **state)
{
	const struct shrinking_row *problem = *state;
	sw_mesh mesh;
	sw_problem before, want, got;
	must(sw_mesh_parse(sw_str_of(problem->mesh), &mesh, NULL), NULL);
	must(sw_problem_parse(&mesh, sw_str_of(problem->before), &before, NULL), NULL);
	must(sw_problem_parse(&mesh, sw_str_of(problem->after), &want, NULL), NULL);
	sw_problem_shrink(&before, &got);
	assert_true(sw_type_equal(&got.from, &want.from));
	assert_true(sw_type_equal(&got.to, &want.to));
}

static void a_shrunk_problem_is_executed(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLGATHER, "0:4", NULL, "[60, 7]"}};
	bench b;
	sw_verdict v;
	bench_plan(&b, "{x: 4}", "[15{x}60, 7] ~> [60, 7]", rows, 1);
	bench_group(&b);
	must(sw_plan_verify(&b.plan, &(sw_verify_options){.scale = true}, &v, &b.diag), &b.diag);
	assert_true(v.right);
	assert_false(v.symbolic);
	assert_int_equal(v.elements, 4 * 4);
	bench_close(&b);
}

static bool stop_after(void *context, const char *what, long long done, long long total)
{
	int *left = context;
	assert_string_equal(what, "tiles");
	assert_true(done >= 0 && done <= total);
	return (*left)-- > 0;
}

static void verification_stops(void **state)
{
	(void)state;
	for (int beats = 0; beats < 10; beats++) {
		bench b;
		int left = beats;
		sw_verdict v;
		sw_verify_options options = {.pulse = &(sw_pulse){stop_after, &left}};
		three_open(&b);
		bool done = sw_plan_verify(&b.plan, &options, &v, &b.diag);
		assert_int_equal(done, beats >= 5);
		if (!done)
			assert_int_equal(b.diag.code, SW_S03);
		bench_close(&b);
	}
}

/* ---- JSON ---- */

static void written_as_designed(void **state)
{
	(void)state;
	static const char want[] =
		"{\"schema\": \"shardwalk.plan/2\", \"name\": \"figure\", \"mesh\": [{\"axis\": \"x\", \"size\": 2, "
		"\"bandwidth\": 10000000000, \"latency\": 2e-05}], \"dtype\": \"bf16\", \"global\": [8], \"from\": \"[4{x}8]\", "
		"\"to\": \"[8]\", \"strategy\": \"fused\", \"model\": \"paper\", \"budget\": 8, \"cost\": 8, \"lower_bound\": 8, "
		"\"optimal\": true, \"weak_cost\": 8, \"height\": 8, \"live_peak\": 12, \"permutes\": 0, \"normal_form\": true, "
		"\"search\": {\"settled\": 1, \"seen\": 2, \"edges\": 3, \"seconds\": 4e-05}, \"program\": \"%s\", \"units\": "
		"{\"elements\": [\"cost\", \"height\", \"live_peak\", \"localsize\", \"budget\"]}, \"steps\": [{\"op\": \"allgather\", "
		"\"gather\": [[0, 2]], \"type\": \"[8]\", \"localtype\": [8], \"localsize\": 8, \"cost\": 8, \"why\": "
		"\"x leaves dimension 0: groups of 2 devices join their tiles\", \"groups\": "
		"[[0, 1]]}], \"maps\": [[[0], [4]], [[0], [0]]]}\n";
	static const row rows[] = {{SW_ALLGATHER, "0:2", NULL, "bf16[8]"}};
	bench b;
	sw_text text = {0};
	bench_plan(&b, "{x: 2 @ 10GB/s 20us}", "bf16[4{x}8] ~> bf16[8]", rows, 1);
	bench_group(&b);
	b.plan.name = "figure";
	b.plan.lower_bound = b.plan.local_cost = 8;
	b.plan.optimal = true;
	b.plan.search.settled = 1;
	b.plan.search.seen = 2;
	b.plan.search.edges = 3;
	b.plan.search.seconds = 0.00004;
	must(sw_plan_write(&b.plan, SW_JSON_LINE | SW_JSON_MAPS, &text, &b.diag), &b.diag);
	sw_text wanted = {0};
	sw_text_addf(&wanted, want, sw_written_by());
	assert_string_equal(text.data, wanted.data);
	sw_text_free(&wanted);
	sw_text_clear(&text);
	b.plan.strategy = SW_NAIVE;
	b.plan.has_bound = false;
	must(sw_plan_write(&b.plan, SW_JSON_NO_STEPS, &text, &b.diag), &b.diag);
	assert_null(strstr(text.data, "optimal"));
	assert_null(strstr(text.data, "lower_bound"));
	assert_null(strstr(text.data, "steps"));
	sw_text_clear(&text);
	b.plan.strategy = SW_FUSED;
	b.plan.has_bound = true;
	b.plan.model = SW_MODEL_VOLUME;
	b.plan.model_cost = b.plan.program.step[0].model_cost = b.plan.model_bound = 4;
	must(sw_plan_write(&b.plan, SW_JSON_LINE, &text, &b.diag), &b.diag);
	assert_non_null(strstr(text.data, "\"weak_cost\": 8, \"model_cost\": 4, \"model_bound\": 4, \"height\""));
	assert_non_null(strstr(text.data, "\"cost\": 8, \"model_cost\": 4, \"why\": "));
	sw_text_free(&text);
	same_json(&b, 0);
	bench_close(&b);
}

static void odd_names_survive(void **state)
{
	(void)state;
	static const row rows[] = {{SW_ALLGATHER, "0:2", NULL, "[8]"}};
	bench b;
	sw_plan read;
	sw_text text = {0};
	bench_plan(&b, "{\"odd name\": 2}", "[4{\"odd name\"}8] ~> [8]", rows, 1);
	bench_group(&b);
	b.plan.name = "a \"quoted\"\\ name\n\t\x01 \xc3\xa4";
	must(sw_plan_write(&b.plan, SW_JSON_LINE, &text, &b.diag), &b.diag);
	assert_non_null(strstr(text.data, "\"a \\\"quoted\\\"\\\\ name\\n\\t\\u0001 \xc3\xa4\""));
	assert_non_null(strstr(text.data, "\"[4{\\\"odd name\\\"}8]\""));
	must(sw_plan_read(sw_str_of(text.data), b.arena, &read, &b.diag), &b.diag);
	assert_string_equal(read.name, b.plan.name);
	assert_string_equal(read.problem.mesh.axis[0].name, "odd name");
	sw_text_free(&text);
	bench_close(&b);
}

static void numbers_and_text_as_json(void **state)
{
	(void)state;
	static const double numbers[] = {0, -1, 0.1, 4e-05, 1e300, 123456789.5, 1e15, -2.5e-10, 1.0 / 3};
	sw_text text = {0};
	sw_json json;
	for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
		sw_text_clear(&text);
		sw_json_start(&json, &text, true);
		sw_json_number(&json, numbers[n]);
		assert_true(strtod(text.data, NULL) == numbers[n]);
	}
	sw_text_clear(&text);
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '[', true);
	sw_json_number(&json, 0.1);
	sw_json_number(&json, 1.0 / 0.0);
	sw_json_int(&json, INT64_MIN);
	sw_json_int(&json, INT64_MAX);
	sw_json_str(&json, (sw_str){"\xff\xe2\x82\xac\xed\xa0\x80\xc0\x80\xe2\x82", 11});
	sw_json_open(&json, '{', false);
	sw_json_close(&json);
	sw_json_close(&json);
	assert_string_equal(text.data,
		"[0.1, null, -9223372036854775808, 9223372036854775807, "
		"\"\xef\xbf\xbd\xe2\x82\xac\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\", {}]");
	sw_text_free(&text);
}

static void errors_as_json(void **state)
{
	(void)state;
	sw_diag diag;
	sw_text text = {0};
	sw_diag_set(&diag, SW_T04, (sw_span){9, 12}, "sizes of '%s' do not multiply", "x");
	sw_diag_expected(&diag, "12");
	sw_diag_write(&diag, "p1", "a.walk", 3, sw_str_of("one\n\xc3\xa4 two b\xc3\xa4"), &text);
	assert_string_equal(text.data,
		"{\"schema\": \"shardwalk.error/1\", \"name\": \"p1\", \"error\": {\"code\": \"T04\", "
		"\"message\": \"sizes of 'x' do not multiply\", \"file\": \"a.walk\", \"line\": 4, \"column\": 5, \"length\": 3, "
		"\"expected\": \"12\", \"found\": null, \"hint\": null}}\n");
	sw_text_clear(&text);
	sw_diag_memory(&diag);
	sw_diag_write(&diag, NULL, NULL, 0, (sw_str){0}, &text);
	assert_non_null(strstr(text.data, "\"name\": null"));
	assert_non_null(strstr(text.data, "\"line\": null, \"column\": null, \"length\": null"));
	sw_text_free(&text);
}

/* ---- reading what is wrong ---- */

static char *replaced(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	char *out = NULL;
	assert_non_null(at);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) > 0);
	return out;
}

typedef struct damage {
	const char *old, *new;
	sw_code code;
	const char *place; /* what stands there */
} damage;

/* Every damage to the text is refused, with its code, at its place. */
static void damages_are_refused(const char *text, const damage *cases, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		char *bad = replaced(text, cases[n].old, cases[n].new);
		sw_arena *arena = sw_arena_new();
		sw_plan read;
		sw_diag diag = {0};
		if (sw_plan_read(sw_str_of(bad), arena, &read, &diag))
			fail_msg("%s was read", cases[n].new);
		if (diag.code != cases[n].code)
			fail_msg("%s: %s", cases[n].new, diag.message);
		assert_true(diag.at.end > diag.at.begin && diag.at.end <= strlen(bad) + 1);
		if (cases[n].place) {
			char *place = strndup(bad + diag.at.begin, diag.at.end - diag.at.begin);
			assert_string_equal(place, cases[n].place);
			free(place);
		}
		sw_arena_free(arena);
		free(bad);
	}
}

static const damage damages[] = {
	{"\"shardwalk.plan/2\"", "\"shardwalk.plan/3\"", SW_P02, "\"shardwalk.plan/3\""},
	{"\"shardwalk.plan/2\"", "\"shardwalk.run/1\"", SW_P01, "\"shardwalk.run/1\""},
	{"\"shardwalk.plan/2\"", "1", SW_P01, "1"},
	{"\"schema\"", "\"scheme\"", SW_P01, "{"},
	{"\"dtype\": \"f32\"", "\"dtype\": \"f33\"", SW_T07, "f33"},
	{"\"size\": 4", "\"size\": 0", SW_M03, NULL},
	{"\"size\": 4", "\"size\": \"4\"", SW_P01, "\"4\""},
	{"\"size\": 4", "\"size\": 5", SW_T04, NULL},
	{"\"axis\": \"y\"", "\"axis\": \"x\"", SW_M02, NULL},
	{"\"[3{x}12, 2{y}12]\"", "\"[3{x}12, 2{q}12]\"", SW_T02, "q"},
	{"\"to\": \"[2{y}12, 3{x}12]\"", "\"to\": \"[2{y}12, 4{x}16]\"", SW_T09, "\"[2{y}12, 4{x}16]\""},
	{"\"global\": [12, 12]", "\"global\": [12, 13]", SW_P03, "[12, 13]"},
	{"\"to\": \"[2{y}12, 3{x}12]\"", "\"to\": \"[12, 12]\"", SW_P03, "\"[2{y}12, 3{x}12]\""},
	{"\"model\": \"paper\"", "\"model\": \"papyrus\"", SW_S05, "papyrus"},
	{"\"cost\": 18", "\"cost\": 17", SW_P03, "17"},
	{"\"cost\": 18", "\"cost\": 18.5", SW_P01, "18.5"},
	{"\"cost\": 18, ", "", SW_P01, "{"},
	{"\"lower_bound\": 12", "\"lower_bound\": 19", SW_P03, "19"},
	{"\"optimal\": false", "\"optimal\": true", SW_P03, "true"},
	{"\"weak_cost\": 12", "\"weak_cost\": \"x\"", SW_P01, "\"x\""},
	{"\"height\": 6", "\"height\": 7", SW_P03, "7"},
	{"\"live_peak\": 12", "\"live_peak\": 13", SW_P03, "13"},
	{"\"permutes\": 1", "\"permutes\": 0", SW_P03, "0"},
	{"\"normal_form\": true", "\"normal_form\": false", SW_P03, "false"},
	{"\"budget\": 6", "\"budget\": 5", SW_P03, "5"},
	{"\"budget\": 6", "\"budget\": 0", SW_P01, "0"},
	{"\"budget\": 6", "\"budget\": -4", SW_P01, "-4"},
	{"\"budget\": 6", "\"budget\": 6, \"live_budget\": 0", SW_P01, "0"},
	{"\"cost\": 18", "\"cost\": -18", SW_P01, "-18"},
	{"\"lower_bound\": 12", "\"lower_bound\": -1", SW_P01, "-1"},
	{"\"weak_cost\": 12", "\"weak_cost\": -1", SW_P01, "-1"},
	{"\"height\": 6", "\"height\": 0", SW_P01, "0"},
	{"\"live_peak\": 12", "\"live_peak\": 0", SW_P01, "0"},
	{"\"permutes\": 1", "\"permutes\": -1", SW_P01, "-1"},
	{"\"settled\": ", "\"settled\": -1, \"other\": ", SW_P01, "-1"},
	{"\"seen\": ", "\"seen\": -1, \"other\": ", SW_P01, "-1"},
	{"\"edges\": ", "\"edges\": -1, \"other\": ", SW_P01, "-1"},
	{"\"seconds\": ", "\"seconds\": -1, \"other\": ", SW_P01, "-1"},
	{"\"localsize\": 6", "\"localsize\": 0", SW_P01, "0"},
	{"\"cost\": 6", "\"cost\": -1", SW_P01, "-1"},
	{"\"cost\": 6", "\"model_cost\": 5, \"cost\": 6", SW_P03, "5"},
	{"\"cost\": 18", "\"model_cost\": 17, \"cost\": 18", SW_P03, "17"},
	{"\"op\": \"alltoall\"", "\"op\": \"alltosome\"", SW_P05, "\"alltosome\""},
	{"\"op\": \"alltoall\"", "\"op\": \"allgather\"", SW_P05, "[[1, 2]]"},
	{"\"gather\": [[0, 2]]", "\"gather\": [[0, 3]]", SW_P05, NULL},
	{"\"gather\": [[0, 2]]", "\"gather\": [[2, 2]]", SW_P05, "[[2, 2]]"},
	{"\"gather\": [[0, 2]]", "\"gather\": [[0]]", SW_P01, "[[0]]"},
	{"\"split\": [[1, 2]]", "\"split\": [[1, 3]]", SW_P05, "[[1, 3]]"},
	{"\"split\": [[1, 2]]", "\"split\": [[0, 2]]", SW_P05, "[[0, 2]]"},
	{"\"localtype\": [6, 1]", "\"localtype\": [6, 2]", SW_P03, "[6, 2]"},
	{"\"localtype\": [6, 1]", "\"localtype\": [6]", SW_P03, "[6]"},
	{"\"localtype\": [6, 1]", "\"localtype\": [6, 0]", SW_P03, "[6, 0]"},
	{"\"localsize\": 6", "\"localsize\": 5", SW_P03, "5"},
	{"\"cost\": 6", "\"cost\": 5", SW_P03, "5"},
	{"\"[6{x:(1)2}12, 1{x:(2)2,y}12]\"", "\"[6{y:(1)2}12, 1{y:(2)3,x}12]\"", SW_P03, "[0, 2]"},
	{"\"[6{x:(1)2}12, 1{x:(2)2,y}12]\"", "\"[6{x:(1)2}12, 1{x:(2)3,y}12]\"", SW_T08, NULL},
	{"[[0, 6], [1, 7]", "[[6, 0], [1, 7]", SW_P05, NULL},
	{"[[0, 6], [1, 7]", "[[0, 7], [1, 6]", SW_P05, NULL},
	{"[[0, 6], [1, 7]", "[[0, 6], [0, 6]", SW_P05, NULL},
	{"[[0, 6], [1, 7]", "[[0, 24], [1, 7]", SW_P05, "[0, 24]"},
	{"[[0, 6], [1, 7]", "[[0, 6, 1], [7]", SW_P05, "[0, 6, 1]"},
	{"[[0, 6], [1, 7]", "[[1, 7]", SW_P05, NULL},
	{"[[0, 6], [1, 7]", "[7, [1, 7]", SW_P01, "7"},
	{"\"pairs\": [[0, 0], [6, 1]", "\"pairs\": [[6, 0], [0, 1]", SW_P05, NULL},
	{"\"pairs\": [[0, 0], [6, 1]", "\"pairs\": [[0, 0], [6, 0]", SW_P05, "[6, 0]"},
	{"\"pairs\": [[0, 0], [6, 1]", "\"pairs\": [[0, 0], [6]", SW_P01, "[6]"},
	{"\"pairs\"", "\"peers\"", SW_P01, "{"},
	{"\"maps\": [[[0, 0]", "\"maps\": [[[0, 1]", SW_P03, "[0, 1]"},
	{"\"maps\": [[[0, 0]", "\"maps\": [[[0]", SW_P01, "[0]"},
	{"\"maps\": [", "\"maps\": [[], ", SW_P03, NULL},
	{"\"mesh\": [", "\"mesh\": [7, ", SW_P01, "7"},
	{"\"steps\": [", "\"steps\": [7, ", SW_P01, "7"},
	{"\"steps\": [", "\"steps\": {}, \"other\": [", SW_P01, "{}"},
	{"\"schema\"", "\"cost\": 18, \"schema\"", SW_B04, NULL},
	{"\"cost\": 18", "\"cost\": 99999999999999999999", SW_B04, NULL},
	{"}", "", SW_B04, NULL},
};

/* In a file without maps. */
static const damage bare_damages[] = {
	{"\"[6{x:(1)2}12, 1{x:(2)2,y}12]\"", "\"[6{y:(1)2}12, 1{y:(2)3,x}12]\"", SW_P05, NULL},
	{"\"[6{x:(1)2}12, 1{x:(2)2,y}12]\"", "\"[3{x}12, 2{y}12]\"", SW_P03, "\"[3{x}12, 2{y}12]\""},
	{"\"[6{x:(1)2}12, 1{x:(2)2,y}12]\"", "null", SW_P01, "null"},
};

static void damaged_files(void **state)
{
	(void)state;
	bench b;
	sw_text text = {0};
	three_open(&b);
	must(sw_plan_write(&b.plan, SW_JSON_MAPS | SW_JSON_LINE, &text, &b.diag), &b.diag);
	damages_are_refused(text.data, damages, sizeof damages / sizeof *damages);
	sw_text_clear(&text);
	must(sw_plan_write(&b.plan, 0, &text, &b.diag), &b.diag);
	damages_are_refused(text.data, bare_damages, sizeof bare_damages / sizeof *bare_damages);
	sw_text_free(&text);
	bench_close(&b);
}

static void broken_texts_never_crash(void **state)
{
	(void)state;
	draw from = draw_start("broken_texts_never_crash");
	static const char *const none[] = {"", " ", "[]", "{}", "null", "7", "\"", "{\"schema\": \"shardwalk.plan/2\"}",
		"\xff\xfe"};
	bench b;
	sw_text text = {0};
	sw_plan read;
	three_open(&b);
	for (size_t n = 0; n < sizeof none / sizeof *none; n++)
		assert_false(sw_plan_read(sw_str_of(none[n]), b.arena, &read, NULL));
	must(sw_plan_write(&b.plan, SW_JSON_MAPS, &text, &b.diag), &b.diag);
	for (int n = 0; n < 1500; n++) {
		char *bad = strdup(text.data);
		for (int k = 0; k <= draw_below(&from, 3); k++)
			bad[draw_below(&from, (int)text.length)] = "0123456789{}[]\",:x-"[draw_below(&from, 19)];
		sw_arena *arena = sw_arena_new();
		sw_diag diag;
		if (sw_plan_read((sw_str){bad, text.length - (n % 4 ? 0 : (size_t)draw_below(&from, 99))}, arena, &read,
				&diag))
			must(sw_plan_check(&read, &diag), &diag);
		sw_arena_free(arena);
		free(bad);
	}
	sw_text_free(&text);
	bench_close(&b);
}

/* Plans of others: an unknown strategy, entries and members in an order of their own, figures left out. */
static void plans_of_others(void **state)
{
	(void)state;
	static const char text[] =
		"{\"schema\": \"shardwalk.plan/2\", \"mesh\": [{\"axis\": \"y\", \"size\": 2}, {\"axis\": \"x\", \"size\": 2}],"
		" \"from\": \"[2{x}4, 2{y}4, 8]\", \"to\": \"[4, 4, 2{y,x}8]\", \"strategy\": \"theirs\", \"cost\": 32, \"height\": 32,"
		" \"steps\": [{\"op\": \"alltoall\", \"gather\": [[1, 2], [0, 2]], \"split\": [[2, 4]], \"cost\": 32,"
		" \"type\": \"[4, 4, 2{y,x}8]\", \"groups\": \"[1,4]<=[4]\"}]}";
	bench b = {.arena = sw_arena_new()};
	must(sw_plan_read(sw_str_of(text), b.arena, &b.plan, &b.diag), &b.diag);
	assert_string_equal(b.plan.origin, "theirs");
	assert_false(b.plan.has_bound);
	assert_int_equal(b.plan.local_cost, -1);
	assert_int_equal(b.plan.live_peak, 64);
	groups_are(&b, 0, (int32_t[]){0, 2, 1, 3}, 4);
	checks(&b);
	assert_true(verified(&b).right);
	same_json(&b, 0);
	bench_close(&b);
}

/* ---- somebody else's checker ---- */

/* Its pipe, or NULL where it does not stand beside the project: then `sw_plan_verify` is asked, of what is read back. */
static FILE *other_checker(void)
{
	const char *top = getenv("SRC");
	char script[1024], command[2100];
	snprintf(script, sizeof script, "%s/../shared/check/plan_check.py", top ? top : ".");
	if (access(script, R_OK) != 0 || system("command -v python3 >/dev/null 2>&1") != 0)
		return NULL;
	snprintf(command, sizeof command, "python3 '%s' - >&2", script);
	return popen(command, "w");
}

static void hand_over(bench *b, unsigned flags, sw_text *text, FILE *checker)
{
	bench again = {.arena = sw_arena_new()};
	sw_text_clear(text);
	must(sw_plan_write(&b->plan, SW_JSON_LINE | flags, text, &b->diag), &b->diag);
	if (checker != NULL) {
		fputs(text->data, checker);
	} else {
		must(sw_plan_read(sw_str_of(text->data), again.arena, &again.plan, &again.diag), &again.diag);
		assert_true(verified(&again).right);
	}
	bench_close(&again);
}

static void others_find_plans_right(void **state)
{
	(void)state;
	FILE *checker = other_checker();
	wander w = {.from = draw_start("others_find_plans_right")};
	sw_text text = {0};
	for (int n = 0; n < 250; n++) {
		bench b;
		wander_plan(&w, &b);
		if (n % 2)
			for (int k = 0; k < b.plan.program.steps; k++)
				bench_untype(&b, k);
		hand_over(&b, n % 3 ? 0 : SW_JSON_MAPS, &text, checker);
		bench_close(&b);
		if (!wander_map(&w, &b))
			continue;
		hand_over(&b, 0, &text, checker);
		bench_close(&b);
	}
	sw_text_free(&text);
	assert_true(checker == NULL || pclose(checker) == 0);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(three_step_plan),
		TEST(diagonal_alltoall),
		TEST(replicas_in_order),
		TEST(several_dimensions),
		TEST(permutation_stays_home),
		ROWS(corner_cases, corner_cases_rows, problem),
		TEST(sums_that_overflow),
		ROWS(steps_that_are_none, steps_that_are_none_rows, problem),
		ROWS(text_of_groups, text_of_groups_rows, problem),
		TEST(diagonals_of_large_meshes),
		TEST(texts_of_lines),
		TEST(random_plans),
		TEST(damaged_groups_are_found),
		TEST(maps_that_are_no_types),
		TEST(uneven_maps_are_refused),
		TEST(wrong_element_is_named),
		TEST(wrong_at_the_end),
		TEST(steps_that_cannot_run),
		TEST(blocks_as_elements),
		ROWS(shrinking, shrinking_rows, before),
		TEST(a_shrunk_problem_is_executed),
		TEST(verification_stops),
		TEST(written_as_designed),
		TEST(odd_names_survive),
		TEST(numbers_and_text_as_json),
		TEST(errors_as_json),
		TEST(damaged_files),
		TEST(broken_texts_never_crash),
		TEST(plans_of_others),
		TEST(others_find_plans_right),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
