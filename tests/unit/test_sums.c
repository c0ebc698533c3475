/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of steps that finish and make sums: what they lead to, what they refuse, and random sequences of them, which are
 * checked, executed, written and read.
 */
#include <shardwalk/plan.h>
#include <shardwalk/sequence.h>
#include <shardwalk/transfers.h>

#include "kit/arena.h"
#include "kit/by_hand.h"
#include "kit/problem.h"

/* ---- by the table ---- */

struct applied {
	const char *before, *call, *after, *printed;
	int64_t cost;
};

static const struct applied applied[] = {
	{"[8{x}16, 12]+{y}", "reducescatter(1, {y})", "[8{x}16, 6{y}12]", "reducescatter(1, {y})", 96},
	{"[8{x}16, 12]+{y}", "reducescatter(1, y)", "[8{x}16, 6{y}12]", "reducescatter(1, {y})", 96},
	{"[8{x}16, 12]+{y}", "reducescatter(0, {y})", "[4{y,x}16, 12]", "reducescatter(0, {y})", 96},
	{"[8{x}16, 12]+{y}", "allreduce {y}", "[8{x}16, 12]", "allreduce {y}", 192},
	{"[8{x}16, 12]+{y}", "allreduce(y)", "[8{x}16, 12]", "allreduce {y}", 192},
	{"[8{x}16, 12]", "zeros {y}", "[8{x}16, 12]+{y}", "zeros {y}", 0},
	{"[8{x}16, 12]", "pad(0)", "[16, 12]+{x}", "pad(0, 2)", 0},
	{"[4{x,y}16, 12]+{z}", "pad(0, 4)", "[16, 12]+{x,y,z}", "pad(0, 4)", 0},
	{"[8{x}16, 6{y}12]", "pad [[0,2],[1,2]]", "[16, 12]+{x,y}", "pad(0:2 1:2)", 0},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,4]]", "[16, 3{x,y}12]", "reducescatter {y} [[0,2]] [[1,4]]",
		96},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,4]] {y,x}", "[16, 3{y,x}12]",
		"reducescatter {y} [[0,2]] [[1,4]] {y,x}", 96},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,{y,x}]]", "[16, 3{y,x}12]",
		"reducescatter {y} [[0,2]] [[1,4]] {y,x}", 96},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [] [[1,2]] {z}", "[8{x}16, 6{z}12]", "reducescatter {y} [] [[1,2]] {z}",
		96},
	{"[16, 12]+{x,y}", "reducescatter {x,y} [] [[0,2],[1,2]]", "[8{x}16, 6{y}12]",
		"reducescatter {x,y} [] [[0,2],[1,2]]", 192},
	{"[16, 12]+{x,y}", "reducescatter(0, {y,x})", "[4{y,x}16, 12]", "reducescatter(0, {y,x})", 192},
	{"[16, 12]+{x,y}", "allreduce {x}", "[16, 12]+{y}", "allreduce {x}", 384},
	{"[8{x}16, 12]+{y}", "allpermute [8{y}16, 12]+{x}", "[8{y}16, 12]+{x}", "allpermute [8{y}16, 12]+{x}", 96},
	{"[8{x}16, 12]+{y}", "alltoall(0, 1)", "[16, 6{x}12]+{y}", "alltoall(0, 1, 2)", 96},
	{"[8{x}16, 12]+{y}", "dynslice(1, z)", "[8{x}16, 6{z}12]+{y}", "dynslice(1, z)", 0},
	{"[]+{x}", "allreduce {x}", "[]", "allreduce {x}", 2},
	{"[]", "zeros {x,z}", "[]+{x,z}", "zeros {x,z}", 0},
	{"[16, 12]+{x,o}", "allreduce {x,o}", "[16, 12]+{o}", "allreduce {x}", 384},
	{"[16, 12]+{x,o}", "allreduce {x}", "[16, 12]+{o}", "allreduce {x}", 384},
	{"[16, 12]+{x}", "allreduce {o,x}", "[16, 12]", "allreduce {x}", 384},
	{"[16, 12]+{y,o}", "reducescatter(1, {y,o})", "[16, 6{y}12]+{o}", "reducescatter(1, {y})", 192},
	{"[16, 12]", "zeros {x,o}", "[16, 12]+{x}", "zeros {x}", 0},
	{"[16, 12]", "dynslice(0, {x,o})", "[8{x}16, 12]", "dynslice(0, x)", 0},
	{"[8{o,x}16, 12]", "alltoall(0, 1, {o,x})", "[16, 6{x}12]", "alltoall(0, 1, {x})", 96},
};

static void applies(void **state)
{
	const struct applied *row = *state;
	sw_mesh mesh = mesh_of("{x: 2, y: 2, z: 2, o: 1}");
	sw_type before = type_of(&mesh, row->before), right = type_of(&mesh, row->after), after, again;
	sw_call call;
	sw_diag diag;
	sw_text text = {0};
	if (!sw_call_read(&mesh, &before, NULL, sw_str_of(row->call), &call, &after, &diag))
		fail_msg("%s: %s", row->call, diag.message);
	assert_true(sw_type_equal(&after, &right));
	assert_int_equal(sw_paper_cost(call.op, sw_type_localsize(&before), sw_type_localsize(&after)), row->cost);
	sw_call_print(&mesh, &call, &text);
	assert_string_equal(sw_text_get(&text), row->printed);
	assert_true(sw_call_read(&mesh, &before, NULL, sw_str_of(sw_text_get(&text)), &call, &again, &diag));
	assert_true(sw_type_equal(&again, &after));
	sw_text_free(&text);
}

struct refused {
	const char *before, *call;
	sw_code code;
	const char *hint; /* a part of it */
};

static const struct refused refused[] = {
	{"[8{x}16, 12]+{y}", "allreduce {x}", SW_C12, "the sums are: y"},
	{"[16]", "allreduce {x}", SW_C12, "no sums"},
	{"[16]+{x,z}", "allreduce {y}", SW_C12, "the sums are: x, z"},
	{"[7]+{x}", "reducescatter(0, {x})", SW_C14, "what remains: allreduce {x}"},
	{"[7, 4]+{x}", "reducescatter(0, {x})", SW_C14, "what remains: reducescatter(1, {x}), allreduce {x}"},
	{"[16]+{y}", "dynslice(0, y)", SW_C04, "unused: x, z"},
	{"[16]+{y}", "zeros {y}", SW_C04, "unused: x, z"},
	{"[8{y}16]", "zeros {y}", SW_C04, "unused: x, z"},
	{"[16]+{y}", "pad(0)", SW_C06, ""},
	{"pred[8{x}16]", "pad(0)", SW_T11, ""},
	{"pred[16]", "zeros {x}", SW_T11, ""},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,2]]", SW_C13, "push 4"},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,4]] {y,z,x}", SW_C02, ""},
	{"[8{x}16, 12]+{y,z}", "reducescatter {y} [[0,2]] [[1,4]] {y,z}", SW_C04, ""},
	{"[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[0,4]]", SW_C08, ""},
	{"[8{x}16, 12]+{y}", "allpermute [8{y}16, 12]", SW_C13, "sum first"},
	{"[8{x}16, 12]", "allpermute [8{x}16, 12]+{y}", SW_C13, "zeros or pad"},
	{"[16]+{x}", "allreduce {x,x}", SW_T03, ""},
	{"[16]+{x}", "allreduce 2", SW_C02, ""},
	{"[16]+{x}", "allreduce {}", SW_C02, ""},
	{"[16]+{x}", "allreduce {q}", SW_T02, ""},
	{"[16]+{x}", "allreduce {x", SW_L06, ""},
	{"[16]+{x}", "allreduce", SW_C02, ""},
	{"[16]+{x}", "reducescatter(0)", SW_C02, ""},
	{"[16]+{x}", "reducescatter {x}", SW_C02, ""},
	{"[16]+{x}", "reducescatter(0, 2)", SW_C02, ""},
	{"[16]+{x}", "reducescatter(1, {x})", SW_C03, ""},
	{"[16]+{o}", "allreduce {o}", SW_C02, "leave it out"},
	{"[16]+{x,o}", "reducescatter(0, {o})", SW_C02, "leave it out"},
	{"[16]", "zeros {o}", SW_C02, "leave it out"},
};

static void refuses(void **state)
{
	const struct refused *row = *state;
	sw_mesh mesh = mesh_of("{x: 2, y: 2, z: 2, o: 1}");
	sw_type before = type_of(&mesh, row->before), after;
	sw_call call;
	sw_diag diag;
	assert_false(sw_call_read(&mesh, &before, NULL, sw_str_of(row->call), &call, &after, &diag));
	if (diag.code != row->code)
		fail_msg("%s: %s: %s", row->call, sw_code_info_of(diag.code)->name, diag.message);
	assert_non_null(strstr(diag.hint, row->hint));
}

/* ---- random sequences ---- */

static void draw_parts_text(draw *random, const sw_mesh *mesh, sw_text *text)
{
	int count = 1 + draw_below(random, 2);
	sw_text_add_char(text, '{');
	for (int i = 0; i < count; i++) {
		const sw_axis *axis = &mesh->axis[draw_below(random, mesh->count)];
		sw_text_addf(text, "%s%s", i ? "," : "", axis->name);
		if (axis->size % 2 == 0 && axis->size > 2 && draw_below(random, 3) == 0)
			sw_text_addf(text, draw_below(random, 2) ? ":(2)%lld" : ":(1)%lld", (long long)axis->size / 2);
	}
	sw_text_add_char(text, '}');
}

static void draw_list_text(draw *random, int rank, sw_text *text)
{
	static const int factors[] = {2, 2, 2, 3, 4, 6, 8};
	int count = draw_below(random, rank > 2 ? 3 : 2);
	sw_text_add_char(text, '[');
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s[%d,%d]", i ? "," : "", draw_below(random, rank), factors[draw_below(random, 7)]);
	sw_text_add(text, "] ");
}

/* An operation that may be possible. */
static void draw_call(draw *random, const sw_problem *problem, sw_text *text)
{
	int rank = problem->from.rank, dim = draw_below(random, rank), kind = draw_below(random, 9);
	sw_type target = problem->from;
	sw_text_clear(text);
	if (kind == 0)
		sw_text_addf(text, "dynslice(%d, ", dim);
	else if (kind == 1)
		sw_text_addf(text, "allgather(%d)", dim);
	else if (kind == 2)
		sw_text_addf(text, "alltoall(%d, %d)", dim, draw_below(random, rank));
	else if (kind == 3)
		sw_text_addf(text, "reducescatter(%d, ", dim);
	else if (kind == 4 || kind == 5)
		sw_text_add(text, kind == 4 ? "allreduce " : "zeros ");
	else if (kind == 6)
		sw_text_addf(text, "pad(%d)", dim);
	else if (kind == 7)
		sw_text_add(text, "reducescatter ");
	else
		sw_text_add(text, draw_below(random, 2) ? "allpermute " : "exchange ");
	if (kind == 0 || kind == 3 || kind == 4 || kind == 5 || kind == 7)
		draw_parts_text(random, &problem->mesh, text);
	if (kind == 0 || kind == 3)
		sw_text_add_char(text, ')');
	if (kind == 7) {
		draw_list_text(random, rank, text);
		draw_list_text(random, rank, text);
		if (draw_below(random, 3) == 0)
			draw_parts_text(random, &problem->mesh, text);
	}
	if (kind == 8) {
		sw_type_set_sums(&problem->mesh, &target, NULL, 0, NULL);
		draw_parts(random, &problem->mesh, &target);
		sw_type_print(&problem->mesh, &target, false, text);
		if (draw_below(random, 2))
			sw_text_add(text, "+{a}");
	}
}

static void reads_back(const sw_plan *plan, int k, const char *said)
{
	sw_call call;
	sw_type after;
	sw_text text = {0};
	sw_diag diag;
	sw_plan_call(plan, k, &call);
	sw_call_print(&plan->problem.mesh, &call, &text);
	if (!sw_call_read(&plan->problem.mesh, plan->program.value[k].type, NULL, sw_str_of(sw_text_get(&text)), &call,
			&after, &diag))
		fail_msg("%s, printed as %s: %s", said, sw_text_get(&text), diag.message);
	if (sw_collective_of(call.op)->terms != SW_TERMS_STAY)
		assert_true(sw_type_equal(&after, plan->program.value[k + 1].type));
	sw_text_free(&text);
}

/* The file of a plan holds what the plan does. */
static void files_hold(const sw_plan *plan, sw_arena *own)
{
	sw_text text = {0}, again = {0};
	sw_plan read;
	sw_diag diag;
	assert_true(sw_plan_write(plan, SW_JSON_LINE, &text, &diag));
	if (!sw_plan_read((sw_str){sw_text_get(&text), text.length}, own, &read, &diag))
		fail_msg("%s: %s", sw_text_get(&text), diag.message);
	assert_int_equal(read.cost, plan->cost);
	assert_int_equal(read.program.steps, plan->program.steps);
	for (int k = 0; k < plan->program.steps; k++)
		assert_true(
			sw_type_same_map(&plan->problem.mesh, read.program.value[k + 1].type, plan->program.value[k + 1].type));
	sw_text_free(&text);
	sw_text_free(&again);
}

static void holds(sw_plan *plan, const char *last)
{
	sw_diag diag;
	sw_verdict verdict;
	if (!sw_plan_check(plan, &diag))
		fail_msg("after %s: %s", last, diag.message);
	if (!sw_plan_verify(plan, NULL, &verdict, &diag))
		fail_msg("after %s: %s", last, diag.message);
	if (!verdict.right)
		fail_msg("after %s: device %lld is wrong after step %d", last, (long long)verdict.wrong.device,
			verdict.wrong.step);
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text why = {0};
		sw_plan_why(plan, k, &why);
		assert_true(why.length > 0);
		sw_text_free(&why);
	}
}

static void add_step(sw_plan *plan, const sw_call *call, const sw_type *after, sw_arena *arena)
{
	sw_step *step = &plan->program.step[plan->program.steps++];
	const sw_entries entries = {call->gathers, call->splits, call->gather, call->split};
	*step = (sw_step){.op = call->op};
	assert_true(sw_step_keep(step, &entries, arena));
	plan->program.value[plan->program.steps].type = after;
	memcpy(plan->program.value[plan->program.steps].tile, after->tile, sizeof after->tile);
}

/* ---- normal forms ---- */

static sw_sequence *as_sequence(const sw_plan *plan)
{
	sw_sequence *sequence = sw_sequence_new(&plan->problem.mesh, &plan->problem.from);
	sw_diag diag;
	for (int k = 0; k < plan->program.steps; k++) {
		sw_call call;
		sw_plan_call(plan, k, &call);
		if (!sw_sequence_push(sequence, &call, &diag))
			fail_msg("step %d: %s", k + 1, diag.message);
	}
	return sequence;
}

static void normalized(const char *from, const char *ops, const char *right, bool stays)
{
	sw_plan plan;
	sw_rewrite rewrite;
	sw_text text = {0};
	sw_problem problem = {.mesh = mesh_of("{x: 2, y: 2, z: 2}")};
	sw_diag diag;
	problem.from = problem.to = type_of(&problem.mesh, from);
	if (!by_hand(&problem, ops, arena, &plan, &diag))
		fail_msg("%s: %s", ops, diag.message);
	sw_sequence *sequence = as_sequence(&plan);
	int rewrites = 0;
	do
		assert_true(sw_sequence_rewrite(sequence, false, &rewrite, &diag) && rewrites++ < 100);
	while (rewrite.lemma != SW_LEMMA_NONE);
	for (int k = 0; k < sw_sequence_count(sequence); k++) {
		sw_text_add(&text, k ? "; " : "");
		sw_call_print(&problem.mesh, sw_sequence_call(sequence, k), &text);
	}
	assert_string_equal(sw_text_get(&text), right);
	assert_int_equal(rewrite.words[0] != 0, stays);
	sw_text_free(&text);
	sw_sequence_free(sequence);
}

static const struct normal {
	const char *from, *ops, *right;
	bool stays;
} normals[] = {
	{"[8{x}16, 12]+{y}", "allreduce {y}; dynslice(1, y)", "reducescatter(1, {y})", false},
	{"[16, 12]+{x,y}", "allreduce {x,y}; dynslice(1, y)", "reducescatter(1, {y}); allreduce {x}", false},
	{"[16, 12]+{y}", "allreduce {y}; dynslice(1, z)", "dynslice(1, z); allreduce {y}", false},
	{"[16, 12]+{x,y}", "allreduce {x}; allreduce {y}", "allreduce {y,x}", false},
	{"[16, 12]+{y}", "allreduce {y}; zeros {y}", "", false},
	{"[16, 12]+{y}", "allreduce {y}; zeros {z}", "zeros {z}; allreduce {y}", false},
	{"[16, 12]+{x,y}", "allreduce {x,y}; zeros {y}", "allreduce {x}", false},
	{"[8{x}16, 12]", "allgather(0); zeros {x}", "pad(0, 2)", false},
	{"[8{x}16, 12]", "allgather(0); zeros {x,z}", "zeros {z}; pad(0, 2)", false},
	{"[8{x}16, 12]", "pad(0); allreduce {x}", "allgather(0, 2)", false},
	{"[8{x}16, 12]", "zeros {y}; reducescatter(1, {y})", "dynslice(1, y)", false},
	{"[8{x}16, 12]", "pad(0); reducescatter(1, {x})", "alltoall(0, 1, 2)", false},
	{"[8{x}16, 12]+{y}", "allgather(0); reducescatter(1, {y})", "reducescatter(1, {y}); allgather(0, 2)", false},
	{"[8{x}16, 12]+{y}", "allreduce {y}; alltoall(0, 1)", "alltoall(0, 1, 2); allreduce {y}", false},
	{"[8{x}16, 12]+{y}", "allreduce {y}; allpermute [8{z}16, 12]", "allpermute [8{z}16, 12]+{x}; allreduce {x}",
		false},
	{"[16, 12]+{y,z}", "reducescatter(1, {y}); reducescatter(1, {z})", "reducescatter(1, {z,y})", false},
	{"[8{x}16, 12]", "pad(0); dynslice(0, y)", "pad(0, 2); dynslice(0, y)", true},
};

static void normalizes(void **state)
{
	const struct normal *row = *state;
	normalized(row->from, row->ops, row->right, row->stays);
}

/* Rewriting comes to an end, keeps both ends, and never raises the height or the cost without permutes; what it leads to is right. */
static void rewrites_hold(const sw_plan *plan, sw_arena *own, int *normal)
{
	sw_sequence *sequence = as_sequence(plan);
	sw_rewrite rewrite;
	sw_diag diag;
	sw_plan after = {.problem = plan->problem, .strategy = SW_DIRECT, .local_cost = -1};
	for (int rewrites = 0;; rewrites++) {
		assert_true(sw_sequence_rewrite(sequence, rewrites % 2, &rewrite, &diag));
		assert_true(
			rewrite.after.height <= rewrite.before.height && rewrite.after.local_cost <= rewrite.before.local_cost);
		if (rewrite.lemma == SW_LEMMA_NONE)
			break;
		assert_true(rewrites < 300);
	}
	int count = sw_sequence_count(sequence);
	*normal += rewrite.after.normal_form;
	assert_int_equal(rewrite.words[0] == 0, rewrite.after.normal_form);
	assert_true(sw_type_same_map(&plan->problem.mesh, sw_sequence_type(sequence, count), &plan->problem.to));
	assert_true(sw_plan_room(&after, count, own));
	for (int k = 0; k < count; k++)
		add_step(&after, sw_sequence_call(sequence, k), sw_sequence_type(sequence, k + 1), own);
	if (!sw_plan_total(&after, &diag) || !sw_plan_group(&after, own, &diag))
		fail_msg("rewritten: %s", diag.message);
	after.model_cost = (double)after.cost;
	after.budget = after.height;
	holds(&after, "rewriting");
	sw_sequence_free(sequence);
}

/* ---- derivatives ---- */

static const char three[] = "{x: 2, y: 2, z: 2}";

static const struct derived {
	const char *mesh, *from, *ops, *start, *right;
} derivatives[] = {
	{three, "[8{x}16, 12]", "allgather(0)", "f32[16, 12]+{x,y,z}", "reducescatter(0, {x})"},
	{three, "[8{x}16, 12]+{y}", "reducescatter(1, {y})", "f32[8{x}16, 6{y}12]+{z}", "allgather(1, 2)"},
	{three, "[16]+{y}", "dynslice(0, x)", "f32[8{x}16]+{z}", "pad(0, 2)"},
	{three, "[8{x}16]", "pad(0)", "f32[16]+{y,z}", "dynslice(0, x)"},
	{three, "[8{x}16, 12]", "alltoall(0, 1)", "f32[16, 6{x}12]+{y,z}", "alltoall(1, 0, 2)"},
	{three, "[16]+{x}", "allreduce {x}", "f32[16]+{x,y,z}", "allreduce {x}"},
	{three, "[16]", "zeros {x}", "f32[16]+{y,z}", "zeros {x}"},
	{three, "[8{x}16]", "allpermute [8{y}16]", "f32[8{y}16]+{x,z}", "allpermute [8{x}16]+{y,z}"},
	{three, "[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,4]]", "f32[16, 3{x,y}12]+{z}",
		"alltoall(1, 0, {x}); allgather(1, 2)"},
	{three, "[8{x}16, 12]+{y}", "reducescatter {y} [[0,2]] [[1,4]] {y,x}", "f32[16, 3{y,x}12]+{z}",
		"allgather(1, 2); alltoall(1, 0, {x})"},
	{three, "[8{x}16, 12]+{y}", "allreduce {y}; allgather(0)", "f32[16, 12]+{x,y,z}",
		"reducescatter(0, {x}); allreduce {y}"},
	{three, "[16, 12]+{x,y}", "reducescatter {x,y} [] [[0,2],[1,2]]", "f32[8{x}16, 6{y}12]+{z}",
		"allgather(0:2 1:2)"},
	{three, "[8]+{x}", "reducescatter {x} [] [[0,2]] {y}", "f32[4{y}8]+{x,z}", "allreduce {x}; pad(0, 2)"},
	{three, "[8]+{x,y}", "reducescatter {x,y} [] [[0,4]] {z,x}", "f32[2{z,x}8]+{y}",
		"allreduce {y}; pad(0, 2); allgather(0, 2)"},
	{"{x: 4, y: 2}", "[6]+{y}", "reducescatter {y} [] [[0,2]] {x:(1)2}", "f32[3{x:(1)2}6]+{x:(2)2,y}",
		"allreduce {y}; pad(0, 2)"},
};

static void derives(void **state)
{
	const struct derived *row = *state;
	sw_problem problem = {.mesh = mesh_of(row->mesh)};
	sw_plan plan;
	sw_text text = {0};
	sw_diag diag;
	problem.from = problem.to = type_of(&problem.mesh, row->from);
	if (!by_hand(&problem, row->ops, arena, &plan, &diag))
		fail_msg("%s: %s", row->ops, diag.message);
	sw_sequence *sequence = as_sequence(&plan), *adjoint = sw_sequence_adjoint(sequence, &diag);
	assert_non_null(adjoint);
	for (int k = 0; k < sw_sequence_count(adjoint); k++) {
		sw_text_add(&text, k ? "; " : "");
		sw_call_print(&problem.mesh, sw_sequence_call(adjoint, k), &text);
	}
	assert_string_equal(sw_text_get(&text), row->right);
	sw_text_clear(&text);
	sw_type_print(&problem.mesh, sw_sequence_type(adjoint, 0), true, &text);
	assert_string_equal(sw_text_get(&text), row->start);
	sw_text_free(&text);
	sw_sequence_free(sequence);
	sw_sequence_free(adjoint);
}

/* The derivative of a sequence is right, and that of the derivative has the types of the sequence at both ends. */
static void derivatives_hold(const sw_plan *plan, sw_arena *own)
{
	sw_diag diag;
	sw_plan turned = {.problem = plan->problem, .strategy = SW_DIRECT, .local_cost = -1};
	sw_sequence *sequence = as_sequence(plan), *adjoint = sw_sequence_adjoint(sequence, &diag);
	if (!adjoint)
		fail_msg("derivative: %s", diag.message);
	int count = sw_sequence_count(adjoint);
	sw_type back;
	turned.problem.from = *sw_sequence_type(adjoint, 0);
	turned.problem.to = *sw_sequence_type(adjoint, count);
	assert_true(sw_type_adjoint(&plan->problem.mesh, &turned.problem.to, &back, &diag));
	assert_true(sw_type_same_map(&plan->problem.mesh, &back, sw_sequence_type(sequence, 0)));
	assert_true(sw_plan_room(&turned, count, own));
	for (int k = 0; k < count; k++)
		add_step(&turned, sw_sequence_call(adjoint, k), sw_sequence_type(adjoint, k + 1), own);
	if (!sw_plan_total(&turned, &diag) || !sw_plan_group(&turned, own, &diag))
		fail_msg("derivative: %s", diag.message);
	turned.model_cost = (double)turned.cost;
	turned.budget = turned.height;
	holds(&turned, "deriving");
	sw_sequence_free(sequence);
	sw_sequence_free(adjoint);
}

static void draw_sequence(draw *random, const sw_problem *problem, int *seen)
{
	sw_arena *own = sw_arena_new();
	sw_plan plan = {.problem = *problem, .strategy = SW_DIRECT, .local_cost = -1};
	sw_text text = {0};
	sw_diag diag;
	assert_true(sw_plan_room(&plan, 6, own));
	for (int tries = 0; tries < 60 && plan.program.steps < 6; tries++) {
		sw_call call;
		sw_type *after = SW_NEW_ZERO(own, sw_type, 1);
		const sw_type *before = plan.program.value[plan.program.steps].type;
		draw_call(random, problem, &text);
		if (!sw_call_read(&problem->mesh, before, NULL, sw_str_of(sw_text_get(&text)), &call, after, &diag)) {
			assert_true(diag.message[0] && diag.code != SW_OK);
			continue;
		}
		after->dtype_given = before->dtype_given;
		add_step(&plan, &call, after, own);
		reads_back(&plan, plan.program.steps - 1, sw_text_get(&text));
		seen[call.op]++;
	}
	plan.problem.to = *plan.program.value[plan.program.steps].type;
	if (!sw_plan_total(&plan, &diag) || !sw_plan_group(&plan, own, &diag))
		fail_msg("after %s: %s", sw_text_get(&text), diag.message);
	plan.model_cost = (double)plan.cost;
	plan.budget = plan.height;
	holds(&plan, sw_text_get(&text));
	files_hold(&plan, own);
	for (int k = 0; k < plan.program.steps; k++)
		plan.program.steps = sw_collective_of(plan.program.step[k].op)->among == SW_AMONG_ALL ? k :
																								plan.program.steps;
	plan.problem.to = *plan.program.value[plan.program.steps].type;
	rewrites_hold(&plan, own, &seen[SW_COLLECTIVES]);
	derivatives_hold(&plan, own);
	sw_text_free(&text);
	sw_arena_free(own);
}

static void random_sequences_hold(void **state)
{
	static const int64_t axes[][3] = {{2, 2, 2}, {2, 3, 2}, {4, 2, 3}, {4, 4, 1}, {8, 2, 2}};
	draw random = draw_start("sequences with sums");
	int seen[SW_COLLECTIVES + 1] = {0};
	(void)state;
	for (int round = 0; round < 600; round++) {
		sw_problem problem;
		draw_problem(&random, axes[draw_below(&random, 5)], 3, 1 + draw_below(&random, 3), &problem);
		for (int a = 0; a < 3; a++) {
			sw_part part = {a, 1, problem.mesh.axis[a].size}, sums[SW_MAX_PARTS];
			int count = sw_type_sums(&problem.from, sums);
			sums[count] = part;
			if (draw_below(&random, 2))
				sw_type_set_sums(&problem.mesh, &problem.from, sums, count + 1, NULL);
		}
		draw_sequence(&random, &problem, seen);
	}
	printf("%d in normal form\n", seen[SW_COLLECTIVES]);
	assert_true(seen[SW_COLLECTIVES] > 400);
	for (int op = 0; op < SW_COLLECTIVES; op++)
		if (!sw_rooted((sw_op)op) && seen[op] < 10)
			fail_msg("%s was drawn %d times", sw_collective_of((sw_op)op)->name, seen[op]);
}

/* ---- what is wrong is found ---- */

static void start(sw_plan *plan, const char *from, const char *to, const char *ops)
{
	sw_problem problem = {.mesh = mesh_of("{x: 2, y: 2, z: 2}")};
	sw_diag diag;
	problem.from = type_of(&problem.mesh, from);
	problem.to = type_of(&problem.mesh, to);
	if (!by_hand(&problem, ops, arena, plan, &diag))
		fail_msg("%s: %s", ops, diag.message);
	plan->strategy = SW_DIRECT;
}

static int32_t *own_groups(sw_plan *plan, int k)
{
	int32_t *groups = SW_NEW(arena, int32_t, 8);
	memcpy(groups, plan->program.step[k].groups, 8 * sizeof *groups);
	plan->program.step[k].groups = groups;
	return groups;
}

/* Two groups that swap a member add terms of different tiles. */
static void wrong_terms_are_named(void **state)
{
	(void)state;
	sw_plan plan;
	sw_verdict verdict;
	sw_diag diag;
	start(&plan, "[8{x}16]+{y,z}", "[8{x}16]+{z}", "allreduce {y}");
	assert_true(sw_plan_check(&plan, &diag));
	int32_t *groups = own_groups(&plan, 0), other = groups[1];
	groups[1] = groups[3];
	groups[3] = other;
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P05);
	assert_true(sw_plan_verify(&plan, NULL, &verdict, &diag));
	assert_false(verdict.right);
	assert_int_equal(verdict.wrong.step, 1);
	assert_int_equal(verdict.wrong.terms, 2);
	assert_in_range(verdict.wrong.device, 0, 7);
	assert_in_range(verdict.wrong.term, 0, 1);
}

static void swap(int32_t *a, int32_t *b)
{
	int32_t kept = *a;
	*a = *b;
	*b = kept;
}

/* Terms are added in any order, and may go another way than types number them, as long as copies and sums agree. */
static void groups_that_add_up_otherwise_are_right(void **state)
{
	(void)state;
	sw_plan plan;
	sw_diag diag;
	start(&plan, "[8{x}16]+{y,z}", "[8{x}16]+{z}", "allreduce {y}");
	int32_t *groups = own_groups(&plan, 0);
	swap(&groups[0], &groups[1]);
	holds(&plan, "members in another order");
	start(&plan, "[16]+{y,z}", "[8{y}16]+{z}", "reducescatter(0, {y})");
	groups = own_groups(&plan, 0);
	assert_int_equal(groups[1], 2);
	assert_int_equal(groups[3], 3);
	swap(&groups[1], &groups[3]);
	assert_false(sw_plan_check(&plan, &diag)); /* the other copy, along x, adds up as before */
	swap(&groups[5], &groups[7]);
	holds(&plan, "both copies add up crosswise");
}

/* A step that says it sums y and a type that says z. */
static void other_sums_are_refused(void **state)
{
	(void)state;
	static const char *const steps[][2] = {{"allreduce {y}", "[16]+{y}"}, {"zeros {y}", "[16]+{z}"},
		{"dynslice(0, x)", "[8{x}16]"}};
	static const char *const ends[][2] = {{"[16]+{y}", "[16]"}, {"[16]", "[16]+{y}"}, {"[16]+{y}", "[8{x}16]+{y}"}};
	for (int i = 0; i < 3; i++) {
		sw_plan plan;
		sw_diag diag = {0};
		sw_type *type = SW_NEW(arena, sw_type, 1);
		start(&plan, ends[i][0], ends[i][1], steps[i][0]);
		assert_true(sw_plan_check(&plan, &diag));
		*type = type_of(&plan.problem.mesh, steps[i][1]);
		plan.program.value[1].type = type;
		assert_false(sw_plan_check(&plan, &diag));
		assert_true(diag.code == SW_P03 || diag.code == SW_P05);
		assert_false(sw_plan_reaches(&plan, &diag));
		assert_int_equal(diag.code, SW_P07);
	}
}

/* A pad among whose zeros another axis tells terms apart than the one that leaves. */
static void misplaced_pads_are_refused(void **state)
{
	(void)state;
	sw_plan plan;
	sw_diag diag = {0};
	sw_verdict verdict;
	sw_type *type = SW_NEW(arena, sw_type, 1);
	start(&plan, "[8{x}16]", "[16]+{x}", "pad(0)");
	assert_true(sw_plan_check(&plan, &diag));
	*type = type_of(&plan.problem.mesh, "[16]+{y}");
	plan.program.value[1].type = type;
	plan.problem.to = *type;
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P05);
	assert_true(sw_plan_verify(&plan, NULL, &verdict, &diag));
	assert_false(verdict.right);
}

/* Files. */

static void sums_of_files_are_compared(void **state)
{
	(void)state;
	sw_plan plan;
	sw_diag diag = {0};
	sw_text text = {0};
	start(&plan, "[16]+{y,z}", "[16]+{z}", "allreduce {y}");
	assert_true(sw_plan_write(&plan, SW_JSON_LINE, &text, &diag));
	char *at = strstr(text.data, "\"sum\": [\"y\"]");
	assert_non_null(strstr(text.data, "\"schema\": \"shardwalk.plan/2\""));
	assert_non_null(at);
	at[9] = 'z';
	assert_false(sw_plan_read((sw_str){text.data, text.length}, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_P03);
	assert_non_null(strstr(diag.message, ".sum' is {z}, but its types sum {y}"));
	at[9] = 'q';
	assert_false(sw_plan_read((sw_str){text.data, text.length}, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_T02);
	at[8] = '7', at[9] = ' ', at[10] = ' ';
	assert_false(sw_plan_read((sw_str){text.data, text.length}, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_P01);
	sw_text_free(&text);
}

/* ---- transfers ---- */

static void transfers_say_what_they_do(void **state)
{
	(void)state;
	sw_plan plan;
	sw_diag diag;
	static const struct {
		const char *from, *to, *op;
		bool add, fill;
		int64_t into; /* the transfers into device 0, and into device 1 */
		int64_t into_next;
	} rows[] = {
		{"[16]+{z}", "[8{z}16]", "reducescatter(0, {z})", true, true, 2, 2},
		{"[16]+{z}", "[16]", "allreduce {z}", true, true, 2, 2},
		{"[16]", "[16]+{z}", "zeros {z}", false, true, 1, 0},
		{"[8{z}16]", "[16]+{z}", "pad(0)", false, true, 1, 1},
		{"[8{z}16]+{x}", "[16]+{x}", "allgather(0)", false, false, 2, 2},
		{"[16]+{y,z}", "[16]+{z}", "exchange [16]+{z}", true, true, 2, 2},
		{"[16]", "[16]+{z}", "exchange [16]+{z}", true, true, 1, 0},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		start(&plan, rows[i].from, rows[i].to, rows[i].op);
		const sw_transfers *transfers = sw_plan_transfers(&plan, 0, arena, &diag);
		assert_non_null(transfers);
		assert_int_equal(sw_transfers_add(transfers), rows[i].add);
		assert_int_equal(sw_transfers_fill(transfers), rows[i].fill);
		assert_int_equal(sw_transfers_into(transfers, 0), rows[i].into);
		assert_int_equal(sw_transfers_into(transfers, 1), rows[i].into_next);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(applies, applied, call),
		ROWS(refuses, refused, call),
		TEST(random_sequences_hold),
		ROWS(normalizes, normals, ops),
		ROWS(derives, derivatives, ops),
		TEST(wrong_terms_are_named),
		TEST(groups_that_add_up_otherwise_are_right),
		TEST(other_sums_are_refused),
		TEST(misplaced_pads_are_refused),
		TEST(sums_of_files_are_compared),
		TEST(transfers_say_what_they_do),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
