/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations as a user writes them: what they do to types, how they are printed, and for every premise that
 * fails the code, the columns and the number that broke it.
 */
#include <shardwalk/collective.h>

#include "kit/problem.h"

static void expect_type(const sw_mesh *mesh, const sw_type *type, const char *expected)
{
	sw_text text = {0};
	sw_type_print(mesh, type, false, &text);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
}

/* ---- what is accepted ---- */

typedef struct accepted {
	const char *mesh, *before, *text, *after;
	const char *printed; /* the canonical form */
	int64_t cost;
} accepted;

static const accepted accepted_rows[] = {
	/* one axis, or a part of one */
	{"{x: 4, y: 6}", "[12, 12]", "dynslice(0, x)", "[3{x}12, 12]", "dynslice(0, x)", 0},
	{"{x: 4, y: 6}", "[12, 12]", "dynslice(1,y:(2)3)", "[12, 4{y:(2)3}12]", "dynslice(1, y:(2)3)", 0},
	{"{x: 4, y: 6}", "[3{x}12, 12]", "dynslice(0, y:(2)3)", "[1{y:(2)3,x}12, 12]", "dynslice(0, y:(2)3)", 0},
	{"{x: 4}", "[6{x:(1)2}12]", "dynslice(0, x:(2)2)", "[3{x}12]", "dynslice(0, x:(2)2)", 0},
	{"{x: 4}", "[6{x:(2)2}12]", "dynslice(0, x:(1)2)", "[3{x:(1)2,x:(2)2}12]", "dynslice(0, x:(1)2)", 0},
	{"{\"odd name\": 4}", "[12]", "dynslice(0, \"odd name\")", "[3{\"odd name\"}12]", "dynslice(0, \"odd name\")", 0},
	{"{x: 4, y: 2}", "[16]", "dynslice(0, {x, y})", "[2{x,y}16]", "dynslice(0, {x,y})", 0},
	{"{x: 4, y: 2}", "[16]", " dynslice ( 0 , 8 ) ", "[2{y,x}16]", "dynslice(0, 8)", 0},
	/* gathers: as written, by a factor, by a part of an axis */
	{"{x: 4, y: 6}", "[3{x}12, 12]", "allgather(0)", "[12, 12]", "allgather(0, 4)", 144},
	{"{x: 4, y: 6}", "[3{x}12, 12]", "allgather(0, 2)", "[6{x:(1)2}12, 12]", "allgather(0, 2)", 72},
	{"{x: 4, y: 6}", "[2{y}12, 12]", "allgather(0, 2)", "[4{y:(1)3}12, 12]", "allgather(0, 2)", 48},
	{"{x: 4, y: 6}", "[2{y}12, 12]", "allgather(0, 3)", "[6{y:(1)2}12, 12]", "allgather(0, 3)", 72},
	{"{x: 4, y: 2}", "[2{y,x}16]", "allgather(0, 4)", "[8{x:(1)2}16]", "allgather(0, 4)", 8},
	{"{x: 4, y: 2}", "[2{y,x}16]", "gather [[0, 8]]", "[16]", "allgather(0, 8)", 16},
	{"{u: 1, x: 4}", "[3{u,x}12]", "allgather(0)", "[12]", "allgather(0, 4)", 12},
	/* alltoalls */
	{"{x: 4, y: 6}", "[3{x}12, 12]", "alltoall(0, 1)", "[12, 3{x}12]", "alltoall(0, 1, 4)", 36},
	{"{x: 4, y: 6}", "[3{x}12, 2{y}12]", "alltoall(0, 1, 2)", "[6{x:(1)2}12, 1{x:(2)2,y}12]", "alltoall(0, 1, 2)", 6},
	{"{x: 4, y: 4}", "[32{x,y}512, 128]", "alltoall(0, 1)", "[128{y}512, 32{x}128]", "alltoall(0, 1, 4)", 4096},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(0, 1, {y})", "[4, 2{y}4]", "alltoall(0, 1, {y})", 8},
	{"{x: 2, y: 2}", "[1{x,y}4, 4]", "alltoall(0, 1, {y,x})", "[4, 1{y,x}4]", "alltoall(0, 1, {y,x})", 4},
	/* several dimensions */
	{"{x: 4, y: 2}", "[3{x}12, 4{y}8]", "gather [[0,2],[1,2]]", "[6{x:(1)2}12, 8]", "allgather(0:2 1:2)", 48},
	{"{x: 4, y: 2}", "[3{x}12, 4{y}8]", "gather [[1,2],[0,2]]", "[6{x:(1)2}12, 8]", "allgather(0:2 1:2)", 48},
	{"{x: 4, y: 2}", "[12, 8]", "split [[0,2],[1,4]]", "[6{x:(1)2}12, 2{y,x:(2)2}8]", "dynslice(0:2 1:4)", 0},
	{"{x: 4, y: 2}", "[12, 8]", "split [[1,{y}],[0,{x}]]", "[3{x}12, 4{y}8]", "dynslice(0:x 1:y)", 0},
	{"{x: 4, y: 6}", "[12, 12]", "split [[0,6]]", "[2{y:(1)3,x:(1)2}12, 12]", "dynslice(0, 6)", 0},
	{"{x: 2, y: 2}", "[2{x}4, 2{y}4, 8]", "alltoall [[0,2],[1,2]] [[2,4]]", "[4, 4, 2{x,y}8]",
		"alltoall(gather 0:2 1:2, split 2:4)", 32},
	{"{x: 6}", "[2{x}12, 12, 12]", "alltoall [[0,6]] [[1,3],[2,2]]", "[12, 4{x:(2)3}12, 6{x:(1)2}12]",
		"alltoall(gather 0:6, split 1:3 2:2)", 288},
	{"{x: 2, y: 3}", "[6{x}12, 4{y}12, 12, 12]", "alltoall [[0,2],[1,3]] [[3,2],[2,3]]", "[12, 12, 4{y}12, 6{x}12]",
		"alltoall(gather 0:2 1:3, split 2:3 3:2)", 3456},
	{"{x: 2, y: 2}", "[2{x}4, 2{y}4, 8]", "alltoall(gather 0:2 1:2, split 2:4)", "[4, 4, 2{x,y}8]",
		"alltoall(gather 0:2 1:2, split 2:4)", 32},
	{"{x: 2, y: 2}", "[2{x}4, 2{y}4, 8]", "alltoall ( gather 1 : 2 , 0:2 split 2:4 )", "[4, 4, 2{x,y}8]",
		"alltoall(gather 0:2 1:2, split 2:4)", 32},
	{"{x: 4, y: 2}", "[3{x}12, 4{y}8]", "allgather(1:2, 0:2)", "[6{x:(1)2}12, 8]", "allgather(0:2 1:2)", 48},
	{"{x: 4, y: 2}", "[3{x}12, 4{y}8]", "gather(gather 1:2 0:2)", "[6{x:(1)2}12, 8]", "allgather(0:2 1:2)", 48},
	{"{x: 4, y: 2}", "[12, 8]", "dynslice(1:{y} 0:x)", "[3{x}12, 4{y}8]", "dynslice(0:x 1:y)", 0},
	{"{x: 4, y: 2, z: 2}", "[16, 8]", "split(split 0:{x,y}, 1:z)", "[2{x,y}16, 4{z}8]", "dynslice(0:{x,y} 1:z)", 0},
	{"{x: 4, y: 2}", "[16]", "dynslice(0:8)", "[2{y,x}16]", "dynslice(0, 8)", 0},
	/* permutations and exchanges */
	{"{x: 4, y: 4}", "[32{x}128]", "allpermute [32{y}128]", "[32{y}128]", "allpermute [32{y}128]", 32},
	{"{x: 4, y: 4}", "[32{x}128]", "exchange [128]", "[128]", "exchange [128]", 128},
};

static void operations_are_read_applied_and_printed(void **state)
{
	const accepted *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_type before = type_of(&mesh, row->before), after, applied;
	sw_call call;
	sw_diag diag;
	sw_text text = {0};
	if (!sw_call_read(&mesh, &before, NULL, sw_str_of(row->text), &call, &after, &diag))
		fail_msg("%s on %s: %s", row->text, row->before, diag.message);
	expect_type(&mesh, &after, row->after);
	assert_true(sw_call_apply(&mesh, &before, &call, &applied, &diag));
	assert_true(sw_type_equal(&after, &applied));
	sw_call_print(&mesh, &call, &text);
	assert_string_equal(sw_text_get(&text), row->printed);
	assert_true(sw_call_read(&mesh, &before, NULL, sw_str_of(row->printed), &call, &applied, &diag));
	assert_true(sw_type_equal(&after, &applied));
	assert_int_equal(sw_paper_cost(call.op, sw_type_localsize(&before), sw_type_localsize(&after)), row->cost);
	sw_text_free(&text);
}

/* ---- what is refused ---- */

/* `marked` shows where the place is: one '^' under each of its columns. */
typedef struct refused {
	const char *mesh, *before, *text, *marked;
	sw_code code;
	const char *message, *hint;
} refused;

static const refused refused_rows[] = {{"{x: 2}", "[4]", "allgathr(0)",
										   /*                */ "^^^^^^^^", SW_C01, "'allgathr' is not an operation",
										   "did you mean allgather?"},
	{"{x: 2}", "[4]", "(0)", "^", SW_C01, "no operation is named", "for instance: allgather(0)"},
	{"{x: 2}", "[4]", "", "", SW_C01, "no operation is named", "for instance: allgather(0)"},
	{"{x: 2}", "[4]", "dynslice(x, 0)",
		/*                */ "         ^", SW_C02, "'x' is not the number of a dimension",
		"dimensions come first, as numbers from 0; axes after them"},
	{"{x: 2}", "[4]", "dynslice(0)",
		/*                */ "          ^", SW_C02, NULL, NULL},
	{"{x: 2}", "[4]", "dynslice",
		/*                */ "", SW_C02, NULL, NULL},
	{"{x: 2}", "[4]", "dynslice(0, x) x",
		/*                */ "               ^", SW_C02, NULL, NULL},
	{"{x: 2}", "[4]", "dynslice(0, x",
		/*                */ "        ^", SW_L06, NULL, NULL},
	{"{x: 2}", "[2{x}4]", "allgather(0, x)",
		/*                */ "             ^", SW_C02, "'allgather' gathers by a factor, not by axes",
		"the size is 2"},
	{"{x: 2}", "[2{x}4]", "allgather(0, 1)",
		/*                */ "             ^", SW_C02, "a factor of 1 moves nothing", "leave the step out"},
	{"{x: 2}", "[2{x}4]", "allgather(0, 0)",
		/*                */ "             ^", SW_C02, NULL, NULL},
	{"{x: 2}", "[2{x}4]", "allgather(0, 99999999999999999999)",
		/*                */ "             ^^^^^^^^^^^^^^^^^^^^", SW_L12, NULL, NULL},
	{"{x: 2, y: 1}", "[4]", "dynslice(0, y)",
		/*                */ "            ^", SW_C02, "axis 'y' has size 1: it splits nothing", "leave it out"},
	{"{x: 2, y: 2}", "[4, 4]", "split [[0,2],[1,{y}]]",
		/*                */ "                ^^^", SW_C02, "factors and axes cannot be mixed", NULL},
	{"{x: 2}", "[4]", "allpermute", "^^^^^^^^^^", SW_C02, "'allpermute' needs a target type", NULL},
	{"{x: 2}", "[4]", "dynslice(1, x)",
		/*                */ "         ^", SW_C03, "the type has no dimension 1",
		"dimensions are counted from 0: the last one is 0"},
	{"{x: 2}", "[4]", "dynslice(-1, x)",
		/*                */ "         ^^", SW_C03, "the type has no dimension -1", NULL},
	{"{x: 2}", "[]", "allgather(0)",
		/*                */ "          ^", SW_C03, "the type has no dimension 0", "a scalar cannot be partitioned"},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "dynslice(1, x)",
		/*                */ "            ^", SW_C04, "axis 'x' already partitions dimension 0", "unused: y"},
	{"{x: 4, y: 2}", "[6{x:(1)2}12, 8]", "dynslice(1, x)",
		/*                */ "            ^", SW_C04, "axis 'x' already partitions dimension 0", "unused: x:(2)2, y"},
	{"{x: 2}", "[2{x}4, 4]", "dynslice(1, x)",
		/*                */ "            ^", SW_C04, "axis 'x' already partitions dimension 0",
		"every axis is in use: gather or move one away first"},
	{"{x: 2, y: 2, z: 3}", "[6, 3]", "dynslice(1, y)",
		/*                */ "            ^", SW_C05,
		"local size 3 of dimension 1 is not divisible by axis y of size 2", "unused axes that fit: z"},
	{"{x: 4}", "[6]", "dynslice(0, x)",
		/*                */ "            ^", SW_C05,
		"local size 6 of dimension 0 is not divisible by axis x of size 4", "a factor of 2 would do"},
	{"{x: 4, y: 2}", "[3{x}12, 6]", "alltoall(0, 1)",
		/*                */ "            ^", SW_C05, "local size 6 of dimension 1 is not divisible by factor 4",
		"a factor of 2 would do"},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "allgather(1)",
		/*                */ "          ^", SW_C06, "dimension 1 is not partitioned", "partitioned is dimension: 0"},
	{"{x: 2, y: 2}", "[4, 4]", "alltoall(1, 0)",
		/*                */ "         ^", SW_C06, "dimension 1 is not partitioned",
		"no dimension is partitioned: every device holds the whole array"},
	{"{x: 2, y: 3}", "[2{y,x}12]", "allgather(0, 2)",
		/*                */ "             ^", SW_C07, "factor 2 is not made of the innermost axes of dimension 0",
		"an allpermute can bring the axes into another order first"},
	{"{x: 4}", "[3{x}12]", "allgather(0, 8)",
		/*                */ "             ^", SW_C07, "factor 8 is not made of the innermost axis of dimension 0",
		"the dimension is partitioned by 4 in all"},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(0, 0)",
		/*                */ "            ^", SW_C08, "dimension 0 is both gathered and split",
		"choose another dimension, or write two steps"},
	{"{x: 4, y: 2}", "[1{x}4, 4]", "gather [[0,2],[0,2]]",
		/*                */ "               ^", SW_C08, "dimension 0 is gathered twice", NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall [[0,2]] [[1,4]]",
		/*                */ "                     ^", SW_C09, "'alltoall' gathers and splits by different factors",
		"gather by 2 more, or split that much less"},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(gather 0:2, split 1:4)",
		/*                */ "                             ^", SW_C09,
		"'alltoall' gathers and splits by different factors", "gather by 2 more, or split that much less"},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(0:2, split 1:2)",
		/*                */ "         ^", SW_C02, NULL, NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(gather 0:2, 1)",
		/*                */ "                      ^", SW_C02, NULL, NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(gather 0:2)",
		/*                */ "                   ^", SW_C02, NULL, NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "alltoall(gather 0:x, split 1:x)",
		/*                */ "                  ^", SW_C02, "'alltoall' gathers by a factor, not by axes",
		"the size is 2"},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "allgather(0:2 0:2)",
		/*                */ "              ^", SW_C08, "dimension 0 is gathered twice", NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "dynslice(7:y)",
		/*                */ "         ^", SW_C03, "the type has no dimension 7", NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "allgather(0:2,)",
		/*                */ "             ^", SW_C02, NULL, NULL},
	{"{x: 2, y: 2}", "[2{x}4, 4]", "allpermute [4, 2{x}4]",
		/*                */ "           ^^^^^^^^^^", SW_C10,
		"'allpermute' keeps the local type, but dimension 0 would go from 2 to 4",
		"gather or move axes out of the dimension first"},
	{"{x: 2, y: 2}", "[2{x}4]", "split [[0,3]]",
		/*                */ "          ^", SW_C05, "local size 2 of dimension 0 is not divisible by factor 3", NULL},
	{"{x: 2, y: 2}", "[4{x}8]", "split [[0,4]]",
		/*                */ "          ^", SW_C11, "the unused axes do not have a factor 4", "unused: y"},
	{"{x: 2, yellow: 2}", "[4]", "dynslice(0, yelow)",
		/*                */ "            ^^^^^", SW_T02, "the mesh has no axis 'yelow'", "did you mean yellow?"},
	{"{x: 4}", "[4]", "dynslice(0, {x:(1)2,x})",
		/*                */ "                    ^", SW_T03, NULL, NULL},
	{"{x: 4}", "[4]", "dynslice(0, x:(1)3)",
		/*                */ "            ^^^^^^", SW_T08, NULL, NULL},
	{"{x: 2}", "[2{x}4]", "allpermute [2{x}8]",
		/*                */ "           ^^^^^^^", SW_T04, NULL, NULL},
	{"{x: 2}", "[2{x}4]", "allpermute [4{x}8]",
		/*                */ "           ^^^^^^^", SW_T09, NULL, NULL}};

/* Is the place what the marks show?  Without marks: only that it lies in the text. */
static bool place_is(sw_span at, const char *marked, size_t length)
{
	size_t begin = strspn(marked, " ");
	if (!*marked)
		return at.begin <= length && at.end <= length;
	return at.begin == begin && at.end == strlen(marked);
}

static void premises_that_fail_are_named(void **state)
{
	const refused *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_type before = type_of(&mesh, row->before), after = before;
	sw_call call = {.op = SW_EXCHANGE};
	sw_diag diag = {0};
	if (sw_call_read(&mesh, &before, NULL, sw_str_of(row->text), &call, &after, &diag))
		fail_msg("%s on %s is accepted", row->text, row->before);
	if (diag.code != row->code)
		fail_msg("%s on %s: code %d, %s", row->text, row->before, (int)diag.code, diag.message);
	if (diag.code != SW_T04 && !place_is(diag.at, row->marked, strlen(row->text)))
		fail_msg("%s: place %zu to %zu (%s)", row->text, diag.at.begin, diag.at.end, diag.message);
	if (row->message)
		assert_string_equal(diag.message, row->message);
	if (row->hint)
		assert_string_equal(diag.hint, row->hint);
	assert_true(diag.expected[0]);
	assert_true(call.op == SW_EXCHANGE && sw_type_equal(&before, &after));
	assert_false(sw_call_read(&mesh, &before, NULL, sw_str_of(row->text), &call, &after, NULL));
}

/* ---- a permutation without a type ---- */

static void allpermute_alone_goes_to_the_target(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4, y: 4}");
	sw_type before = type_of(&mesh, "f64[32{x}128]"), after;
	sw_type to = type_of(&mesh, "f64[32{y}128]"), larger = type_of(&mesh, "f64[128]");
	sw_call call;
	sw_diag diag;
	assert_true(sw_call_read(&mesh, &before, &to, sw_str_of("allpermute"), &call, &after, &diag));
	assert_true(sw_type_equal(&after, &to));
	assert_true(sw_call_read(&mesh, &before, NULL, sw_str_of("allpermute [32{y}128]"), &call, &after, &diag));
	assert_true(sw_type_equal(&after, &to));
	assert_false(sw_call_read(&mesh, &before, &larger, sw_str_of("allpermute"), &call, &after, &diag));
	assert_int_equal(diag.code, SW_C10);
	assert_int_equal(diag.at.end, strlen("allpermute"));
	assert_false(sw_call_read(&mesh, &before, NULL, sw_str_of("allpermute i8[32{y}128]"), &call, &after, &diag));
	assert_int_equal(diag.code, SW_T09);
}

/* ---- calls that nobody typed ---- */

static void calls_out_of_shape_are_refused(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4, y: 2}");
	sw_type before = type_of(&mesh, "[3{x}12, 4{y}8]"), after;
	static const sw_call calls[] = {
		{.op = SW_DYNSLICE},
		{.op = SW_ALLGATHER},
		{.op = SW_ALLTOALL, .gathers = 1, .gather = {{0, 2}}},
		{.op = SW_ALLGATHER, .gathers = 1, .gather = {{0, 2}}, .splits = 1, .split = {{1, 2}}},
		{.op = SW_ALLGATHER, .gathers = 2, .gather = {{1, 2}, {0, 2}}},
		{.op = SW_ALLGATHER, .gathers = 1, .gather = {{0, 1}}},
		{.op = SW_ALLGATHER, .gathers = 17},
		{.op = SW_ALLPERMUTE},
		{.op = SW_ALLTOALL,
			.gathers = 1,
			.gather = {{0, 2}},
			.splits = 1,
			.split = {{1, 2}},
			.count = {1},
			.pushed = {{7, 1, 2}}},
		{.op = SW_ALLTOALL,
			.gathers = 1,
			.gather = {{0, 2}},
			.splits = 1,
			.split = {{1, 2}},
			.count = {1},
			.pushed = {{0, 1, 4}}},
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		sw_diag diag = {0};
		assert_false(sw_call_apply(&mesh, &before, &calls[i], &after, &diag));
		assert_true(diag.code == SW_C02 || diag.code == SW_C04);
		assert_true(diag.at.begin == 0 && diag.at.end == 0);
	}
	assert_false(sw_call_apply(&mesh, &before, &(sw_call){.op = SW_OP_COUNT}, &after, NULL));
}

/* ---- the table ---- */

static void every_row_is_complete(void **state)
{
	(void)state;
	for (int op = 0; op < SW_COLLECTIVES; op++) {
		const sw_collective *row = sw_collective_of((sw_op)op);
		const char *words[] = {row->usage, row->needs, row->effect, row->cost, row->why, row->why_not, row->example};
		assert_int_equal(row->op, op);
		assert_int_equal(sw_op_named(sw_str_of(row->name)), op);
		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			assert_true(words[w] && words[w][0]);
		assert_in_range(row->phase, 0, 2);
	}
	assert_null(sw_collective_of(SW_OP_COUNT));
	assert_int_equal(sw_op_named(sw_str_of("gossip")), SW_OP_COUNT);
	assert_int_equal(sw_op_named(sw_str_of("broadcast")), SW_BROADCAST);
	assert_int_equal(sw_op_named(sw_str_of("split")), SW_DYNSLICE);
	assert_int_equal(sw_op_named(sw_str_of("gather")), SW_ALLGATHER);
}

/* Every row that says what a group holds of chunks then is in the list, once. */
static void operations_on_chunks_are_listed_once(void **state)
{
	(void)state;
	for (sw_op op = 0; op < SW_COLLECTIVES; op++) {
		const sw_collective *row = sw_collective_of(op);
		int listed = 0;

		for (int n = 0; n < SW_CHUNK_OPS; n++)
			listed += sw_chunk_ops[n] == op;
		assert_int_equal(listed, row->hold != NULL);
		assert_int_equal(sw_chunk_op_named(sw_str_of(row->name)), listed ? op : SW_OP_COUNT);
		assert_true(!listed || row->passes > 0);
	}
	assert_int_equal(sw_chunk_op_named(sw_str_of("gather")), SW_OP_COUNT);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(operations_are_read_applied_and_printed, accepted_rows, text),
		ROWS(premises_that_fail_are_named, refused_rows, text),
		TEST(allpermute_alone_goes_to_the_target),
		TEST(calls_out_of_shape_are_refused),
		TEST(every_row_is_complete),
		TEST(operations_on_chunks_are_listed_once),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
