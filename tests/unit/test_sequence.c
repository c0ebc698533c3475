/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences and their rewriting: the examples of the paper, the naive sequences of problems, and random
 * sequences, with every single rewrite checked.
 */
#include <shardwalk/number.h>
#include <shardwalk/sequence.h>

#include "array/prime_parts.h"
#include "step/part_list.h"
#include "kit/problem.h"

#define MAX_TEST_DEVICES 64
#define MAX_REWRITES 400

/* ---- small helpers ---- */

/* The printed type; it stays until the fourth call after. */
static const char *shown(const sw_mesh *mesh, const sw_type *type)
{
	static char rooms[4][512];
	static int turn;
	sw_text text = {0};
	sw_type_print(mesh, type, false, &text);
	turn = (turn + 1) % 4;
	snprintf(rooms[turn], sizeof(rooms[turn]), "%s", sw_text_get(&text));
	sw_text_free(&text);
	return rooms[turn];
}

/* Appends operations separated by ';'. */
static void push_all(sw_sequence *sequence, const char *operations)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	while (*operations) {
		size_t length = strcspn(operations, ";");
		sw_call call;
		sw_type after;
		sw_diag diag;
		const sw_type *before = sw_sequence_type(sequence, sw_sequence_count(sequence));
		if (!sw_call_read(mesh, before, NULL, (sw_str){operations, length}, &call, &after, &diag))
			fail_msg("%.*s on %s: %s", (int)length, operations, shown(mesh, before), diag.message);
		assert_true(sw_sequence_push(sequence, &call, &diag));
		operations += length + (operations[length] == ';');
	}
}

static sw_sequence *sequence_of(const char *mesh_text, const char *start, const char *operations)
{
	sw_mesh mesh = mesh_of(mesh_text);
	sw_type type = type_of(&mesh, start);
	sw_sequence *sequence = sw_sequence_new(&mesh, &type);
	assert_non_null(sequence);
	push_all(sequence, operations);
	return sequence;
}

static sw_sequence *naive_of(const char *mesh_text, const char *problem_text)
{
	sw_problem problem;
	sw_diag diag;
	sw_mesh mesh = mesh_of(mesh_text);
	if (!sw_problem_parse(&mesh, sw_str_of(problem_text), &problem, &diag))
		fail_msg("%s: %s", problem_text, diag.message);
	sw_sequence *sequence = sw_sequence_naive(&problem, &diag);
	assert_non_null(sequence);
	return sequence;
}

static void print_sequence(const sw_sequence *sequence)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	sw_text text = {0};
	sw_mesh_print(mesh, &text);
	sw_text_addf(&text, "\n  %s\n", shown(mesh, sw_sequence_type(sequence, 0)));
	for (int k = 0; k < sw_sequence_count(sequence); k++) {
		sw_text_add(&text, "  ");
		sw_call_print(mesh, sw_sequence_call(sequence, k), &text);
		sw_text_addf(&text, "  %s\n", shown(mesh, sw_sequence_type(sequence, k + 1)));
	}
	fprintf(stderr, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- a slow second opinion on what a step means ---- */

typedef struct box {
	int64_t at[SW_MAX_DIMS], size[SW_MAX_DIMS];
} box;

/* The tile of a device, digit by digit from its coordinates. */
static box tile_of(const sw_mesh *mesh, const sw_type *type, int64_t device)
{
	box tile;
	for (int d = 0; d < type->rank; d++) {
		int64_t weight = type->tile[d];
		tile.at[d] = 0;
		tile.size[d] = type->tile[d];
		for (int p = type->first[d]; p < type->first[d + 1]; p++) {
			sw_part part = sw_type_part(type, p);
			int64_t coordinate = sw_mesh_coordinate(mesh, device, part.axis);
			int64_t minor = mesh->axis[part.axis].size / (part.pre * part.size);
			tile.at[d] += weight * (coordinate / minor % part.size);
			weight *= part.size;
		}
	}
	return tile;
}

static bool box_inside(const box *inner, const box *outer, int rank)
{
	for (int d = 0; d < rank; d++)
		if (inner->at[d] < outer->at[d] || inner->at[d] + inner->size[d] > outer->at[d] + outer->size[d])
			return false;
	return true;
}

static bool box_same(const box *a, const box *b, int rank)
{
	return box_inside(a, b, rank) && box_inside(b, a, rank);
}

/* How many different ones of `tiles` lie in `room`. */
static int64_t boxes_inside(const box *tiles, int64_t count, const box *room, int rank)
{
	int64_t found = 0;
	for (int64_t i = 0; i < count; i++) {
		bool first = box_inside(&tiles[i], room, rank);
		for (int64_t j = 0; j < i && first; j++)
			first = !box_same(&tiles[i], &tiles[j], rank);
		found += first;
	}
	return found;
}

static int64_t copies_of(const box *tiles, int64_t count, const box *tile, int rank)
{
	int64_t copies = 0;
	for (int64_t i = 0; i < count; i++)
		copies += box_same(&tiles[i], tile, rank);
	return copies;
}

/* The block that a tile belongs to when `size` tells the block's extents. */
static box block_of(const box *tile, const int64_t *size, int rank)
{
	box block = {0};
	for (int d = 0; d < rank; d++) {
		block.at[d] = tile->at[d] / size[d] * size[d];
		block.size[d] = size[d];
	}
	return block;
}

/* Nothing appears from nowhere: gathered pieces exist around each device, split pieces come out of what it had. */
static void check_meaning(const sw_mesh *mesh, const sw_type *before, const sw_call *call, const sw_type *after)
{
	box old[MAX_TEST_DEVICES], new[MAX_TEST_DEVICES];
	int rank = before->rank;
	int64_t devices = mesh->devices, size[SW_MAX_DIMS], gathered = 1, split = 1;
	assert_true(devices <= MAX_TEST_DEVICES);
	for (int64_t i = 0; i < devices; i++) {
		old[i] = tile_of(mesh, before, i);
		new[i] = tile_of(mesh, after, i);
	}
	for (int d = 0; d < rank; d++) {
		size[d] = before->tile[d] > after->tile[d] ? before->tile[d] : after->tile[d];
		gathered *= size[d] / before->tile[d];
		split *= size[d] / after->tile[d];
	}
	for (int64_t i = 0; i < devices; i++) {
		box from = block_of(&old[i], size, rank), to = block_of(&new[i], size, rank);
		assert_int_equal(copies_of(new, devices, &new[i], rank), copies_of(new, devices, &new[0], rank));
		if (call->op == SW_ALLPERMUTE) {
			assert_int_equal(copies_of(old, devices, &new[i], rank), copies_of(new, devices, &new[i], rank));
			continue;
		}
		assert_true(box_same(&from, &to, rank));
		assert_int_equal(boxes_inside(old, devices, &from, rank), gathered);
		assert_int_equal(boxes_inside(new, devices, &to, rank), split);
	}
	assert_true(call->op == SW_DYNSLICE || call->op == SW_ALLPERMUTE || gathered > 1);
	assert_true(call->op == SW_ALLGATHER || call->op == SW_ALLPERMUTE || split > 1);
	if (call->op == SW_ALLTOALL)
		assert_int_equal(gathered, split);
}

/* Every call applies, means what it says, and is read back from its print. */
static void check_legal(const sw_sequence *sequence)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	for (int k = 0; k < sw_sequence_count(sequence); k++) {
		const sw_call *call = sw_sequence_call(sequence, k);
		const sw_type *before = sw_sequence_type(sequence, k), *after = sw_sequence_type(sequence, k + 1);
		sw_type applied, read_type;
		sw_call read_call;
		sw_diag diag;
		sw_text text = {0};
		assert_true(sw_call_apply(mesh, before, call, &applied, &diag));
		assert_true(sw_type_equal(&applied, after));
		sw_call_print(mesh, call, &text);
		if (!sw_call_read(mesh, before, NULL, sw_str_of(sw_text_get(&text)), &read_call, &read_type, &diag))
			fail_msg("%s on %s: %s", sw_text_get(&text), shown(mesh, before), diag.message);
		assert_true(sw_type_equal(&read_type, after));
		assert_int_equal(read_call.op, call->op);
		sw_text_free(&text);
		check_meaning(mesh, before, call, after);
	}
}

/* ---- rewriting to the end, with every step checked ---- */

static void check_rewrite(const sw_sequence *old, const sw_sequence *new, const sw_rewrite *rewrite)
{
	int count = sw_sequence_count(new);
	assert_true(sw_type_equal(sw_sequence_type(old, 0), sw_sequence_type(new, 0)));
	assert_true(sw_type_equal(sw_sequence_type(old, sw_sequence_count(old)), sw_sequence_type(new, count)));
	assert_int_equal(count, sw_sequence_count(old) - rewrite->removed + rewrite->added);
	assert_true(rewrite->after.height <= rewrite->before.height);
	assert_true(rewrite->after.local_cost <= rewrite->before.local_cost);
	assert_true(rewrite->words[0] && !strstr(rewrite->words, "(null)"));
	for (int k = 0; k <= count; k++) {
		int there = k < rewrite->first + rewrite->added ? k : k - rewrite->added + rewrite->removed;
		if (k <= rewrite->first || k >= rewrite->first + rewrite->added)
			assert_true(sw_type_equal(sw_sequence_type(new, k), sw_sequence_type(old, there)));
	}
	check_legal(new);
}

static void check_lemma(const sw_sequence *old, const sw_rewrite *rewrite)
{
	sw_op first = sw_sequence_call(old, rewrite->first)->op;
	sw_op last = sw_sequence_call(old, rewrite->first + rewrite->removed - 1)->op;
	if (rewrite->lemma == SW_LEMMA_PEAK)
		assert_true(first == SW_ALLGATHER && last == SW_DYNSLICE);
	if (rewrite->lemma == SW_LEMMA_RISING)
		assert_true(first == SW_ALLGATHER && (last == SW_ALLTOALL || last == SW_ALLPERMUTE));
	if (rewrite->lemma == SW_LEMMA_FALLING)
		assert_true((first == SW_ALLTOALL || first == SW_ALLPERMUTE) && last == SW_DYNSLICE);
}

static void check_end(const sw_sequence *sequence)
{
	int count = sw_sequence_count(sequence);
	int64_t from = sw_type_localsize(sw_sequence_type(sequence, 0));
	int64_t to = sw_type_localsize(sw_sequence_type(sequence, count));
	sw_measure end = sw_sequence_measure(sequence);
	assert_true(end.normal_form);
	assert_true(end.height <= (from > to ? from : to));
	for (int k = 1; k < count; k++)
		assert_false(sw_sequence_call(sequence, k)->op == SW_ALLPERMUTE &&
			sw_sequence_call(sequence, k - 1)->op == SW_ALLPERMUTE);
}

/* Rewrites until nothing is left; how often. */
static int normalize(sw_sequence *sequence, bool multi_dim)
{
	for (int rewrites = 0; rewrites < MAX_REWRITES; rewrites++) {
		sw_sequence *old = sw_sequence_copy(sequence);
		sw_rewrite rewrite;
		sw_diag diag;
		assert_non_null(old);
		assert_true(sw_sequence_rewrite(sequence, multi_dim, &rewrite, &diag));
		if (rewrite.lemma == SW_LEMMA_NONE) {
			sw_sequence_free(old);
			check_end(sequence);
			return rewrites;
		}
		check_lemma(old, &rewrite);
		check_rewrite(old, sequence, &rewrite);
		sw_sequence_free(old);
	}
	print_sequence(sequence);
	fail_msg("no end after %d rewrites", MAX_REWRITES);
	return MAX_REWRITES;
}

/* ---- the paper's examples ---- */

typedef struct example {
	const char *mesh, *start, *operations, *end;
	int64_t height, cost;
} example;

static const example examples[] = {
	/* figure 3 */
	{"{xdev: 4, ydev: 4}", "[64{ydev,xdev}1024, 128]", "allpermute [64{xdev,ydev}1024, 128]",
		"[64{xdev,ydev}1024, 128]", 8192, 8192},
	{"{xdev: 4, ydev: 4}", "[32{xdev}128, 16{ydev}64]", "allpermute [32{ydev}128, 16{xdev}64]",
		"[32{ydev}128, 16{xdev}64]", 512, 512},
	{"{xdev: 4, ydev: 4}", "[32{xdev}128]", "allpermute [32{ydev}128]", "[32{ydev}128]", 32, 32},
	/* figure 4, right */
	{"{xdev: 4, ydev: 4}", "[32{xdev,ydev}512, 512]", "allgather(0)", "[128{ydev}512, 512]", 65536, 65536},
	/* figure 5, row by row, both ways */
	{"{x: 4, y: 4}", "[32{x,y}512, 128]", "allpermute [32{y,x}512, 128]; alltoall(0, 1)", "[128{x}512, 32{y}128]",
		4096, 8192},
	{"{x: 4, y: 4}", "[32{x,y}512, 128]", "alltoall(0, 1); allpermute [128{x}512, 32{y}128]", "[128{x}512, 32{y}128]",
		4096, 8192},
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128]", "alltoall(0, 1); alltoall(2, 1)", "[128, 32{y,x}512, 128]", 524288,
		1048576},
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128]", "alltoall(2, 1); alltoall(0, 1); allpermute [128, 32{y,x}512, 128]",
		"[128, 32{y,x}512, 128]", 524288, 1572864},
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128]", "allgather(0); alltoall(2, 1)", "[128, 128{y}512, 128]", 2097152,
		4194304},
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128]", "alltoall(2, 1); allgather(0)", "[128, 128{y}512, 128]", 2097152,
		2621440},
	/* example 3.1 */
	{"{x1: 2, x2: 2, y1: 3, y2: 2}", "[3{x1,x2}12, 2{y1,y2}12]",
		"alltoall(1, 0); allpermute [1{x1,y1,x2}12, 6{y2}12]; alltoall(0, 1); allpermute [2{y1,y2}12, 3{x1,x2}12]",
		"[2{y1,y2}12, 3{x1,x2}12]", 6, 24},
	/* example 4.9 */
	{"{a: 8}", "[1{a}8, 8{}8]", "alltoall(0, 1)", "[8, 1{a}8]", 8, 8},
	{"{a0: 2, a1: 2, a2: 2}", "[1{a0,a1,a2}8, 8]",
		"alltoall(0, 1); allpermute [2{a2,a1}8, 4{a0}8]; alltoall(0, 1); allpermute [4{a1}8, 2{a0,a2}8]; "
		"alltoall(0, 1); allpermute [8, 1{a0,a1,a2}8]",
		"[8, 1{a0,a1,a2}8]", 8, 48},
	/* example 6.8: its first way, typed; example 7.1 */
	{"{a0: 2, a1: 2, a2: 2}", "[1{a0,a1,a2}8, 8]",
		"alltoall(0, 1); alltoall(0, 1); alltoall(0, 1); allpermute [8, 1{a0,a1,a2}8]", "[8, 1{a0,a1,a2}8]", 8, 32},
	{"{a0: 2, a1: 2, a2: 2}", "[1{a0,a1,a2}8, 8]", "alltoall(0, 1, 8)", "[8, 1{a0,a1,a2}8]", 8, 8},
};

static void examples_are_what_the_paper_says(void **state)
{
	const example *row = *state;
	sw_sequence *sequence = sequence_of(row->mesh, row->start, row->operations);
	sw_measure measure = sw_sequence_measure(sequence);
	sw_type end = type_of(sw_sequence_mesh(sequence), row->end);
	assert_true(sw_type_equal(sw_sequence_type(sequence, sw_sequence_count(sequence)), &end));
	assert_int_equal(measure.height, row->height);
	assert_int_equal(measure.cost, row->cost);
	check_legal(sequence);
	sw_sequence_free(sequence);
}

/* What rewriting makes of the examples: the steps of the normal form, and its cost. */
typedef struct outcome {
	const char *mesh, *start, *operations, *normal;
	int64_t cost;
} outcome;

static const outcome outcomes[] = {
	/* example 4.9: the long way becomes the short one of 7.1 */
	{"{a0: 2, a1: 2, a2: 2}", "[1{a0,a1,a2}8, 8]",
		"alltoall(0, 1); allpermute [2{a2,a1}8, 4{a0}8]; alltoall(0, 1); allpermute [4{a1}8, 2{a0,a2}8]; "
		"alltoall(0, 1); allpermute [8, 1{a0,a1,a2}8]",
		"alltoall(0, 1, 8)", 8},
	/* example 6.8 becomes 7.1 */
	{"{a0: 2, a1: 2, a2: 2}", "[1{a0,a1,a2}8, 8]",
		"alltoall(0, 1); alltoall(0, 1); alltoall(0, 1); allpermute [8, 1{a0,a1,a2}8]", "alltoall(0, 1, 8)", 8},
	/* figure 5, third row: the gather goes last */
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128]", "allgather(0); alltoall(2, 1)",
		"alltoall(2, 1, 4); allgather(0, 4)", 2621440},
	/* lemma 4.6, its cases */
	{"{x: 2, y: 2}", "[4{x}8, 8]", "allgather(0); dynslice(0, x)", "", 0},
	{"{x: 2, y: 2}", "[4{x}8, 8]", "allgather(0); dynslice(0, y)", "allpermute [4{y}8, 8]", 32},
	{"{x: 2, y: 3}", "[6{x}12, 8]", "allgather(0); dynslice(0, y)",
		"dynslice(0, y); allpermute [2{x,y}12, 8]; allgather(0, 2)", 48},
	{"{x: 2, y: 2}", "[4{x}8, 8]", "allgather(0); dynslice(1, x)", "alltoall(0, 1, 2)", 32},
	{"{x: 2, y: 3}", "[4{x}8, 9]", "allgather(0); dynslice(1, y)", "dynslice(1, y); allgather(0, 2)", 24},
	/* lemma 4.7, rising and falling */
	{"{x: 2, y: 2}", "[2{x,y}8, 8]", "allgather(0); alltoall(0, 1)",
		"alltoall(0, 1, 2); allpermute [4{x}8, 4{y}8]; allgather(0, 2)", 64},
	{"{x: 2, y: 2}", "[4{x}8, 4{y}8]", "allgather(0); alltoall(1, 0)", "allpermute [4{y}8, 4{x}8]; allgather(1, 2)",
		48},
	{"{x: 2, y: 2}", "[4{x}8, 8]", "alltoall(0, 1); dynslice(0, y)", "dynslice(1, y); allpermute [4{y}8, 4{x}8]", 16},
	/* neighbours that undo each other, and a permutation onto the same type */
	{"{x: 2, y: 2}", "[4{x}8, 8]", "alltoall(0, 1); alltoall(1, 0)", "", 0},
	{"{x: 2, y: 2}", "[4{x}8, 8]", "allpermute [4{x}8, 8]", "", 0},
	{"{x: 2, y: 2}", "[8, 8]", "dynslice(0, x); allgather(0)", "", 0},
};

static void append_text(sw_text *text, const sw_sequence *sequence)
{
	for (int k = 0; k < sw_sequence_count(sequence); k++) {
		sw_text_add(text, k ? "; " : "");
		sw_call_print(sw_sequence_mesh(sequence), sw_sequence_call(sequence, k), text);
	}
}

static void examples_have_their_normal_forms(void **state)
{
	const outcome *row = *state;
	sw_sequence *sequence = sequence_of(row->mesh, row->start, row->operations);
	sw_text text = {0};
	normalize(sequence, false);
	append_text(&text, sequence);
	assert_string_equal(sw_text_get(&text), row->normal);
	assert_int_equal(sw_sequence_measure(sequence).cost, row->cost);
	sw_text_free(&text);
	sw_sequence_free(sequence);
}

/* ---- naive sequences ---- */

typedef struct naive_row {
	const char *mesh, *problem;
	int steps;
	int64_t height;
} naive_row;

static const naive_row naive_rows[] = {
	{"{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", 4, 144},
	{"{x: 4, y: 4}", "[32{x,y}512, 128] ~> [128{x}512, 32{y}128]", 3, 65536},
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128] ~> [128, 32{y,x}512, 128]", 3, 8388608},
	{"{x: 4, y: 4}", "[32{x}128, 512, 32{y}128] ~> [128, 128{y}512, 128]", 3, 8388608},
	{"{xdev: 4, ydev: 4}", "[64{ydev,xdev}1024, 128] ~> [64{xdev,ydev}1024, 128]", 2, 131072},
	{"{xdev: 4, ydev: 4}", "[32{xdev}128, 16{ydev}64] ~> [32{ydev}128, 16{xdev}64]", 4, 8192},
	{"{xdev: 4, ydev: 4}", "[32{xdev}128] ~> [32{ydev}128]", 2, 128},
	{"{a: 8}", "[1{a}8, 8] ~> [8, 1{a}8]", 2, 64},
	{"{x: 4, y: 2, z: 4}", "[8{y}16, 4{x}16] ~> [16, 16]", 2, 256},
	{"{x: 4, u: 1, y: 6}", "[3{x,u}12, 2{y}12] ~> [2{y}12, 3{u,x}12]", 4, 144},
	{"{x: 12}", "[6{x:(6)2}12, 6{x:(3)2}12] ~> [12, 4{x:(2)3}12]", 3, 144},
};

static void naive_sequences_become_normal(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(naive_rows) / sizeof(*naive_rows); i++)
		for (int multi_dim = 0; multi_dim < 2; multi_dim++) {
			const naive_row *row = &naive_rows[i];
			sw_sequence *sequence = naive_of(row->mesh, row->problem);
			sw_measure naive = sw_sequence_measure(sequence);
			assert_int_equal(naive.steps, row->steps);
			assert_int_equal(naive.height, row->height);
			assert_int_equal(naive.permutes, 0);
			normalize(sequence, multi_dim);
			sw_sequence_free(sequence);
		}
}

static void arrays_that_differ_have_no_naive_sequence(void **state)
{
	(void)state;
	sw_problem problem;
	sw_diag diag;
	problem.mesh = mesh_of("{x: 2}");
	problem.from = type_of(&problem.mesh, "[8]");
	problem.to = type_of(&problem.mesh, "[4]");
	assert_null(sw_sequence_naive(&problem, &diag));
	assert_int_equal(diag.code, SW_T09);
}

/* ---- by hand ---- */

static void a_sequence_grows_and_shrinks(void **state)
{
	(void)state;
	sw_sequence *sequence = sequence_of("{x: 4, y: 2}", "[3{x}12, 8]", "dynslice(1, y); alltoall(0, 1, 2)");
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	sw_measure measure = sw_sequence_measure(sequence);
	assert_string_equal(shown(mesh, sw_sequence_type(sequence, 2)), "[6{x:(1)2}12, 2{x:(2)2,y}8]");
	assert_int_equal(measure.height, 24);
	assert_int_equal(measure.cost, 12);
	assert_int_equal(measure.live_peak, 36);
	assert_int_equal(sw_sequence_cost(sequence, 0), 0);
	assert_int_equal(sw_sequence_cost(sequence, 1), 12);
	assert_true(measure.normal_form);
	assert_true(sw_sequence_pop(sequence));
	assert_int_equal(sw_sequence_count(sequence), 1);
	assert_true(sw_sequence_pop(sequence));
	assert_false(sw_sequence_pop(sequence));
	measure = sw_sequence_measure(sequence);
	assert_int_equal(measure.live_peak, 24);
	assert_int_equal(measure.steps, 0);
	sw_sequence_free(sequence);
	sw_sequence_free(NULL);
}

static void a_refused_step_changes_nothing(void **state)
{
	(void)state;
	sw_sequence *sequence = sequence_of("{x: 4, y: 2}", "[3{x}12, 8]", "");
	sw_call call = {.op = SW_ALLGATHER, .gathers = 1, .gather = {{1, 2}}};
	sw_diag diag;
	assert_false(sw_sequence_push(sequence, &call, &diag));
	assert_int_equal(diag.code, SW_C06);
	call = (sw_call){.op = SW_EXCHANGE, .has_target = true, .target = *sw_sequence_type(sequence, 0)};
	assert_false(sw_sequence_push(sequence, &call, &diag));
	assert_int_equal(diag.code, SW_C01);
	assert_int_equal(sw_sequence_count(sequence), 0);
	sw_sequence_free(sequence);
}

static void sums_stay_at_the_largest_number(void **state)
{
	(void)state;
	sw_sequence *sequence = sequence_of("{x: 2}", "[2305843009213693952{x}4611686018427387904]",
		"allgather(0); dynslice(0, x); allgather(0); dynslice(0, x); allgather(0)");
	sw_measure measure = sw_sequence_measure(sequence);
	assert_true(measure.cost == INT64_MAX && measure.local_cost == INT64_MAX);
	assert_true(measure.live_peak == 2305843009213693952 + 4611686018427387904);
	sw_sequence_free(sequence);
}

static void every_lemma_has_words(void **state)
{
	(void)state;
	for (int lemma = 0; lemma < SW_LEMMA_COUNT; lemma++) {
		assert_true(sw_lemma_name((sw_lemma)lemma)[0]);
		assert_true(sw_lemma_about((sw_lemma)lemma)[0]);
	}
}

static void a_rewrite_says_what_it_did(void **state)
{
	(void)state;
	sw_sequence *sequence = sequence_of("{x: 2, y: 3}", "[4{x}8, 9]", "allgather(0); dynslice(1, y)");
	sw_rewrite rewrite;
	assert_true(sw_sequence_rewrite(sequence, false, &rewrite, NULL));
	assert_int_equal(rewrite.lemma, SW_LEMMA_PEAK);
	assert_int_equal(rewrite.first, 0);
	assert_int_equal(rewrite.removed, 2);
	assert_int_equal(rewrite.added, 2);
	assert_string_equal(rewrite.words, "allgather 0, dynslice 1: they commute: slice first, gather last");
	assert_int_equal(rewrite.before.height, 72);
	assert_int_equal(rewrite.after.height, 36);
	assert_int_equal(rewrite.before.local_cost, 72);
	assert_int_equal(rewrite.after.local_cost, 24);
	sw_sequence_free(sequence);
}

/* ---- random sequences ---- */

static draw random_from;

static int random_below(int64_t n)
{
	return draw_below(&random_from, (int)n);
}

static int64_t random_divisor(int64_t n)
{
	int64_t divisor = 1 + random_below(n);
	while (n % divisor)
		divisor = 1 + random_below(n);
	return divisor;
}

/* An order of the primes of every axis, drawn at random. */
static void random_factors(const sw_mesh *mesh, sw_prime_parts *factors)
{
	int64_t primes[SW_MAX_FACTORS + 63];
	int count = 0;
	for (int a = 0; a < mesh->count; a++) {
		int more = sw_prime_factors(mesh->axis[a].size, primes + count);
		for (int i = more - 1; i > 0; i--) {
			int j = random_below(i + 1);
			int64_t prime = primes[count + i];
			primes[count + i] = primes[count + j];
			primes[count + j] = prime;
		}
		count += more;
	}
	assert_true(sw_prime_parts_ordered(mesh, primes, factors));
}

/* A random type with these tiles, which some type has. */
static sw_type random_type(const sw_mesh *mesh, const sw_type *shape)
{
	sw_prime_parts factors;
	uint8_t order[SW_MAX_FACTORS];
	int first[SW_MAX_DIMS + 1] = {0}, length = 0;
	bool used[SW_MAX_FACTORS] = {false};
	sw_type type;
	random_factors(mesh, &factors);
	for (int d = 0; d < shape->rank; d++) {
		int64_t left = shape->global[d] / shape->tile[d];
		while (left > 1) {
			int f = random_below(factors.count);
			if (used[f] || left % factors.at[f].prime)
				continue;
			used[f] = true;
			order[length++] = (uint8_t)f;
			left /= factors.at[f].prime;
		}
		first[d + 1] = length;
	}
	sw_prime_parts_join(mesh, &factors, shape, order, first, &type);
	return type;
}

static bool random_gathers(const sw_type *type, int most, sw_call *call)
{
	for (int d = 0; d < type->rank && call->gathers < most; d++) {
		int64_t factor = random_divisor(type->global[d] / type->tile[d]);
		if (factor > 1 && random_below(2))
			call->gather[call->gathers++] = (sw_entry){d, factor};
	}
	return call->gathers > 0;
}

/* Names unused parts for the split entries. */
static bool random_parts(const sw_mesh *mesh, const sw_type *type, sw_call *call)
{
	sw_part_list free;
	int total = 0;
	sw_part_list_free_of(mesh, type, &free);
	for (int k = 0; k < call->splits; k++) {
		int64_t left = call->split[k].factor;
		for (int tries = 0; left > 1 && tries < 30 && free.count; tries++) {
			sw_part room = free.at[random_below(free.count)];
			int64_t size = sw_gcd(random_divisor(room.size), left);
			sw_part part = {room.axis, room.pre * random_divisor(room.size / size), size};
			if (size == 1 || !sw_part_list_remove(&free, part))
				continue;
			call->pushed[total++] = part;
			call->count[k]++;
			left /= size;
		}
		if (left > 1)
			return false;
	}
	return true;
}

static bool random_splits(const sw_type *type, int most, int64_t limit, sw_call *call)
{
	for (int d = 0; d < type->rank && call->splits < most; d++) {
		int64_t factor = sw_gcd(random_divisor(type->tile[d]), limit);
		bool gathered = false;
		for (int g = 0; g < call->gathers; g++)
			gathered = gathered || call->gather[g].dim == d;
		if (factor > 1 && !gathered && random_below(2)) {
			call->split[call->splits++] = (sw_entry){d, factor};
			limit /= factor;
		}
	}
	return call->splits > 0;
}

/* A random operation; it may well be refused. */
static bool random_call(const sw_mesh *mesh, const sw_type *type, sw_call *call)
{
	int most = random_below(4) ? 1 : type->rank;
	int64_t gathered = 1;
	memset(call, 0, sizeof(*call));
	call->op = (sw_op)random_below(SW_EXCHANGE);
	if (call->op == SW_ALLPERMUTE) {
		call->has_target = true;
		call->target = random_type(mesh, type);
		return true;
	}
	if (call->op != SW_DYNSLICE && !random_gathers(type, most, call))
		return false;
	for (int g = 0; g < call->gathers; g++)
		gathered *= call->gather[g].factor;
	if (call->op == SW_ALLTOALL)
		return random_splits(type, most, gathered, call);
	if (call->op == SW_DYNSLICE)
		return random_splits(type, most, mesh->devices, call) && random_parts(mesh, type, call);
	return true;
}

static sw_sequence *random_sequence(const sw_mesh *mesh)
{
	static const int64_t sizes[] = {12, 24, 16, 36, 48, 6};
	int64_t global[SW_MAX_DIMS];
	int rank = 1 + random_below(3), steps = 2 + random_below(8);
	sw_type type;
	for (int d = 0; d < rank; d++)
		global[d] = sizes[random_below(6)];
	assert_true(sw_type_replicated(SW_F32, rank, global, &type, NULL));
	sw_sequence *sequence = sw_sequence_new(mesh, &type);
	assert_non_null(sequence);
	for (int tries = 0; tries < 200 && sw_sequence_count(sequence) < steps; tries++) {
		sw_call call;
		if (random_call(mesh, sw_sequence_type(sequence, sw_sequence_count(sequence)), &call))
			sw_sequence_push(sequence, &call, NULL);
	}
	return sequence;
}

/* The same without its first steps, so that it does not always start with everything everywhere. */
static sw_sequence *without_first(const sw_sequence *sequence, int skipped)
{
	sw_sequence *rest = sw_sequence_new(sw_sequence_mesh(sequence), sw_sequence_type(sequence, skipped));
	assert_non_null(rest);
	for (int k = skipped; k < sw_sequence_count(sequence); k++)
		assert_true(sw_sequence_push(rest, sw_sequence_call(sequence, k), NULL));
	return rest;
}

static const char *const random_meshes[] = {"{x: 2, y: 2, z: 2}", "{x: 4, y: 2}", "{x: 8}", "{x: 3, y: 9}",
	"{x: 4, y: 6}", "{x: 3, y: 2, z: 2}", "{x: 12}", "{x: 6}", "{x: 6, u: 1, y: 2}", "{x: 36}"};

static void random_sequences_become_normal(void **state)
{
	(void)state;
	random_from = draw_start("random_sequences_become_normal");
	for (int round = 0; round < 300; round++) {
		sw_mesh mesh = mesh_of(random_meshes[round % (int)(sizeof(random_meshes) / sizeof(*random_meshes))]);
		sw_sequence *whole = random_sequence(&mesh);
		sw_sequence *sequence = without_first(whole, random_below(sw_sequence_count(whole) / 2 + 1));
		sw_measure before = sw_sequence_measure(sequence);
		check_legal(sequence);
		normalize(sequence, random_below(2));
		assert_true(sw_sequence_measure(sequence).local_cost <= before.local_cost);
		sw_sequence_free(sequence);
		sw_sequence_free(whole);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(examples_are_what_the_paper_says, examples, start),
		ROWS(examples_have_their_normal_forms, outcomes, start),
		TEST(naive_sequences_become_normal),
		TEST(arrays_that_differ_have_no_naive_sequence),
		TEST(a_sequence_grows_and_shrinks),
		TEST(a_refused_step_changes_nothing),
		TEST(sums_stay_at_the_largest_number),
		TEST(every_lemma_has_words),
		TEST(a_rewrite_says_what_it_did),
		TEST(random_sequences_become_normal),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
