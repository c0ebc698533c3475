/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums step by step: the premises say what numbers say, every refusal names who breaks it, and digits that are left out are
 * like the second.
 */
#include <string.h>

#include <shardwalk/reduction_plan.h>
#include <shardwalk/summing.h>

#include "arena.h"
#include "by_library.h"
#include "kit.h"

/* ---- premises and numbers ---- */

struct subject {
	sw_system system;
	sw_placement placement;
	sw_mesh axes;
};

static void make_subject(const char *system, const char *axes, const char *matrix, struct subject *subject)
{
	memset(subject, 0, sizeof *subject);
	assert_true(sw_system_parse(sw_str_of(system), &subject->system, NULL));
	assert_true(sw_mesh_parse(sw_str_of(axes), &subject->axes, NULL));
	subject->placement = (sw_placement){.axes = subject->axes.count, .levels = subject->system.count};
	for (int i = 0; i < subject->placement.axes; i++)
		for (int j = 0; j < subject->placement.levels; j++) {
			char *end;

			subject->placement.factor[i][j] = strtol(matrix, &end, 10);
			matrix = end;
		}
	assert_true(sw_placement_fits(&subject->system, &subject->axes, &subject->placement, NULL));
}

static void start(const struct subject *subject, uint32_t summed, sw_hierarchy_kind kind, sw_summing *summing)
{
	const sw_placed_sum sum = {&subject->placement, summed, kind};
	assert_true(sw_summing_start(&subject->system, &subject->axes, &sum, arena, summing, NULL));
}

static int all_steps(const sw_hierarchy *hierarchy, sw_step *steps)
{
	int count = 0;

	for (int op = 0; op < SW_CHUNK_OPS; op++)
		for (int a = 0; a < hierarchy->count; a++) {
			steps[count++] = (sw_step){.op = sw_chunk_ops[op], .by = {SW_FORM_INSIDE, a, 0, NULL}};
			for (int s = a + 1; s < hierarchy->count; s++) {
				steps[count++] = (sw_step){.op = sw_chunk_ops[op], .by = {SW_FORM_ACROSS, s, a, NULL}};
				steps[count++] = (sw_step){.op = sw_chunk_ops[op], .by = {SW_FORM_MASTERS, s, a, NULL}};
			}
		}
	return count;
}

struct tally {
	long sequences, right;
	long premise[SW_PREMISE_COUNT];
};

/* From a state that the steps so far lead to: `premise` is the first that failed on the way. */
static void try_all(const sw_summing *begun, const sw_summing *at, const sw_step *steps, int count, sw_step *program,
	int depth, sw_premise premise, struct tally *tally)
{
	sw_arena_mark mark = sw_arena_here(arena);

	for (int s = 0; s < count; s++) {
		sw_summing next = *at;
		sw_premise failed = premise;

		assert_true(sw_pieces_copy(&at->pieces, arena, &next.pieces, NULL));
		program[depth] = steps[s];
		if (failed == SW_PREMISE_HOLDS)
			failed = sw_summing_try(&next, &steps[s], arena);
		tally->premise[failed]++;
		/* these two refuse what does nothing: numbers cannot tell */
		if (failed != SW_PREMISE_NOTHING_NEW && failed != SW_PREMISE_NOTHING) {
			bool right = summed_by_library(begun, program, depth + 1, arena);

			assert_int_equal(right, failed == SW_PREMISE_HOLDS && sw_summing_done(&next));
			tally->sequences++;
			tally->right += right;
			if (depth < 2)
				try_all(begun, &next, steps, count, program, depth + 1, failed, tally);
		}
		sw_arena_back(arena, mark);
	}
}

typedef struct shape {
	const char *name, *system, *axes, *matrix;
	long right; /* programs of at most three steps */
} shape;

static const shape shapes[] = {
	{"2", "{a: 2}", "{x: 2}", "2", 3},
	{"8", "{a: 8}", "{x: 8}", "8", 3},
	{"2 by 2", "{a: 2, b: 2}", "{x: 4}", "2 2", 0},
	{"2 by 3", "{a: 2, b: 3}", "{x: 6}", "2 3", 0},
	{"4 by 2", "{a: 4, b: 2}", "{x: 8}", "4 2", 0},
};

/* Every sequence of up to three steps sums rightly exactly if the premises say so. */
static void test_premises(void **state)
{
	const shape *shape = *state;
	struct subject subject;
	sw_summing summing, begun;
	sw_step steps[128], program[3];
	struct tally tally = {0};

	make_subject(shape->system, shape->axes, shape->matrix, &subject);
	start(&subject, 1, SW_HIERARCHY_SUMMED_LEVELS, &summing);
	start(&subject, 1, SW_HIERARCHY_SUMMED_LEVELS, &begun);
	int count = all_steps(&summing.small, steps);
	try_all(&begun, &summing, steps, count, program, 0, SW_PREMISE_HOLDS, &tally);
	assert_true(tally.sequences > 0);
	assert_true(tally.right >= 3);
	if (shape->right > 0)
		assert_int_equal(tally.right, shape->right);
	assert_int_equal(tally.premise[SW_PREMISE_INDIVISIBLE], 0);
}

/* ---- refusals ---- */

typedef struct refused {
	const char *name, *hierarchy, *steps;
	sw_code code;
	const char *says;
} refused;

/* The system of figure 2, shards as in its last placement. */
static const refused refusals[] = {
	{"figure 4a", "e", "reducescatter inside server;allreduce inside server", SW_R01,
		"A0 holds chunks 0-1, A1 holds 2-3: an allreduce would add different chunks"},
	{"figure 4b", "e", "allreduce inside server;allreduce inside root", SW_R02,
		"A0 and A1 both hold the share of A0 in chunk 0: an allreduce would add it twice"},
	{"counts", "e", "reduce inside server;allgather inside server", SW_R04,
		"A0 holds chunks 0-3, A1 holds no chunk: an allgather takes equally many from each"},
	{"same chunk", "e", "allgather inside root", SW_R05,
		"A0 and A1 both hold chunk 0: an allgather gathers different chunks"},
	{"root", "e", "broadcast inside root", SW_R06,
		"A1 holds shares of chunk 0 that A0, the root, does not: a broadcast would lose them"},
	{"nothing new", "e", "allreduce inside root;broadcast inside root", SW_R07,
		"A0, the root, holds what the others of its group already hold: a broadcast would bring nothing new"},
	{"nothing there", "e", "reduce inside server;allreduce across server", SW_R08,
		"no device of the group from A1 to C1 holds anything"},
	{"figure 5", "c", "allreduce across 4 in 2", SW_R09,
		"A0 and A2 work together but differ along 'data', which is not summed over: an allreduce would mix values"},
	{"levels", "a", "allreduce inside cpu", SW_R09,
		"A0 and A2 work together but differ along 'data', which is not summed over: an allreduce would mix values"},
	{"one device", "d", "allreduce inside gpu", SW_C02, "each group of `allreduce inside gpu` is one device"},
};

static bool apply_all(sw_summing *summing, const char *steps, sw_diag *diag)
{
	bool ok = true;

	while (ok && *steps) {
		size_t length = strcspn(steps, ";");
		sw_step step;

		assert_true(sw_step_parse((sw_str){steps, length}, summing->system, &summing->hierarchy, &step, NULL));
		ok = sw_summing_apply(summing, &step, arena, diag);
		steps += length + (steps[length] == ';');
	}
	return ok;
}

static sw_hierarchy_kind kind_named(const char *letter)
{
	int kind = 0;

	while (strcmp(sw_hierarchy_letter((sw_hierarchy_kind)kind), letter) != 0)
		kind++;
	return (sw_hierarchy_kind)kind;
}

static void test_refusals(void **state)
{
	const refused *refused = *state;
	struct subject subject;
	sw_summing summing;
	sw_diag diag = {0};

	make_subject("{rack: 1, server: 2, cpu: 2, gpu: 4}", "{data: 4, shard: 4}", "1 1 2 2 1 2 1 2", &subject);
	start(&subject, 2, kind_named(refused->hierarchy), &summing);
	assert_false(apply_all(&summing, refused->steps, &diag));
	assert_string_equal(sw_code_info_of(diag.code)->name, sw_code_info_of(refused->code)->name);
	assert_memory_equal(diag.message, refused->says, strlen(refused->says));
	assert_true(*diag.hint);
}

/* No program comes to this: what devices hold is a product of factors.  Here somebody took chunks away. */
static void test_indivisible(void **state)
{
	struct subject subject;
	sw_summing summing;
	sw_step step = {.op = SW_REDUCESCATTER, .by = {SW_FORM_ACROSS, 1, 0, NULL}};
	sw_diag diag = {0};

	(void)state;
	make_subject("{a: 2, b: 3}", "{x: 6}", "2 3", &subject);
	start(&subject, 1, SW_HIERARCHY_SUMMED_LEVELS, &summing);
	for (int d = 0; d < 6; d++) {
		uint64_t bits[6] = {0};

		bits[0] = bits[1] = bits[2] = *sw_pieces_terms(&summing.pieces, d, 0);
		assert_true(sw_pieces_put(&summing.pieces, d, bits));
	}
	assert_false(sw_summing_apply(&summing, &step, arena, &diag));
	assert_int_equal(diag.code, SW_R03);
	assert_string_equal(diag.message, "A0 holds chunks 0-2, like the others, which 2 devices cannot share evenly");
}

/* ---- programs that are right ---- */

typedef struct right {
	const char *name, *system, *axes, *matrix;
	uint32_t summed;
	const char *hierarchy, *steps;
} right;

#define FIGURE_2 "{rack: 1, server: 2, cpu: 2, gpu: 4}", "{data: 4, shard: 4}", "1 1 2 2 1 2 1 2", 2
static const right programs[] = {
	{"figure 3a", FIGURE_2, "e", "allreduce inside root"},
	{"figure 3b", FIGURE_2, "e", "allreduce inside server;allreduce across server"},
	{"figure 10i", FIGURE_2, "e", "reduce inside server;allreduce masters server;broadcast inside server"},
	{"figure 10ii", FIGURE_2, "e", "reducescatter inside server;allreduce across server;allgather inside server"},
	{"by rows", FIGURE_2, "c", "allreduce inside 4"},
	{"by columns", FIGURE_2, "b", "allreduce across 8 in 7;allreduce across 4 in 3"},
	{"the axis alone", FIGURE_2, "d", "allreduce inside 2;allreduce across 2"},
	{"two axes", "{node: 2, gpu: 4}", "{a: 2, b: 2, c: 2}", "1 2 2 1 1 2", 3, "e",
		"reducescatter inside node;allreduce across node;allgather inside node"},
	{"more than are followed", "{hall: 64, node: 64, gpu: 64}", "{a: 262144}", "64 64 64", 1, "e",
		"reducescatter inside node;reducescatter across node in hall;allreduce across hall;allgather across node in hall;"
		"allgather inside node"},
};

static void test_right(void **state)
{
	const right *right = *state;
	struct subject subject;
	sw_summing summing, begun;
	sw_step steps[8];
	sw_plan plan;
	sw_verdict verdict;
	sw_diag diag = {0};
	int count = 0;

	make_subject(right->system, right->axes, right->matrix, &subject);
	start(&subject, right->summed, kind_named(right->hierarchy), &summing);
	start(&subject, right->summed, kind_named(right->hierarchy), &begun);
	if (!apply_all(&summing, right->steps, &diag))
		fail_msg("%s", diag.message);
	assert_true(sw_summing_done(&summing));
	for (const char *at = right->steps; *at; count++) {
		size_t length = strcspn(at, ";");

		assert_true(sw_step_parse((sw_str){at, length}, summing.system, &summing.hierarchy, &steps[count], NULL));
		at += length + (at[length] == ';');
	}
	assert_true(summed_by_library(&begun, steps, count, arena));
	assert_false(summed_by_library(&begun, steps, count - 1, arena));
	assert_true(sw_summing_plan(&begun, steps, count, arena, &plan, &diag));
	assert_true(sw_plan_check(&plan, &diag) && sw_plan_verify(&plan, NULL, &verdict, &diag));
	assert_true(verdict.right);
	assert_int_equal(verdict.elements, begun.devices * begun.shares);
}

static void test_names(void **state)
{
	static const struct {
		const char *system;
		int64_t device;
		const char *name;
	} rows[] = {{"{gpu: 8}", 5, "5"}, {"{node: 2, gpu: 4}", 0, "A0"}, {"{node: 2, gpu: 4}", 7, "B3"},
		{"{node: 26, gpu: 2}", 51, "Z1"}, {"{node: 27, gpu: 2}", 52, "AA0"}, {"{a: 702, b: 1}", 701, "ZZ0"},
		{"{a: 703, b: 1}", 702, "AAA0"}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		sw_system system;
		sw_text text = {0};

		assert_true(sw_system_parse(sw_str_of(rows[i].system), &system, NULL));
		sw_system_print_device(&system, rows[i].device, &text);
		assert_string_equal(sw_text_get(&text), rows[i].name);
		sw_text_free(&text);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(test_premises, shapes, name),
		ROWS(test_refusals, refusals, name),
		TEST(test_indivisible),
		ROWS(test_right, programs, name),
		TEST(test_names),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
