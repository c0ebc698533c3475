/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands for sequences by hand: apply, undo, normalize, adjoint.
 */
#include "command/placement/grouped.h"
#include "command/plan.h"
#include "command/rewriting.h"
#include "session/machine.h"
#include "views/sequence.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/sequence.h>

/* ---- the sequence as a plan, so that everything that looks at plans can look at it ---- */

static void fill_steps(const struct hand_step *hand, sw_plan *plan)
{
	for (; hand; hand = hand->before) {
		plan->program.step[hand->count - 1] = hand->step;
		plan->program.value[hand->count].type = &hand->after;
		memcpy(plan->program.value[hand->count].tile, hand->after.tile, sizeof(hand->after.tile));
	}
}

/* A sequence by hand may go above the budget, and is to be told so. */
static int64_t hand_budget(const struct state *state, const sw_plan *plan)
{
	int64_t budget;
	return size_elements(&state->settings.value[SETTING_BUDGET].size, &plan->problem, &budget, NULL) ? budget :
																									   plan->height;
}

/* The steps go on from the devices that hold `from`.  Where they end on the tiles of `to`, on devices in another order,
 * one of them may change the order as it is; none is put in. */
static void order_plan(const struct state *state, sw_arena *arena, sw_plan *plan)
{
	sw_plan_options options = {.strategy = SW_NAIVE, .without = 1u << SW_ALLPERMUTE};
	if (sw_type_same_map(&state->mesh, plan->program.value[plan->program.steps].type, &state->to))
		sw_plan_reorder(plan, &options, arena, NULL);
}

/* Under a model in seconds steps by hand take some, too. */
static void time_plan(const struct state *state, sw_plan *plan)
{
	const struct settings *settings = &state->settings;
	sw_model model = (sw_model)settings->value[SETTING_MODEL].number;
	const sw_machine *machine;
	if (!sw_model_is_timed(model) ||
		!machine_find(model, settings->value[SETTING_HARDWARE].text, state->mesh.devices, &machine, NULL) ||
		!machine_time_plan(machine, plan))
		return;
	plan->model = model;
	plan->machine = machine->name;
}

static bool make_plan(const struct state *state, const struct hand_step *hand, sw_arena *arena, sw_plan *plan,
	sw_diag *diag)
{
	*plan = (sw_plan){.strategy = SW_NAIVE, .origin = "by hand", .local_cost = -1};
	plan->problem.mesh = state->mesh;
	plan->problem.to_order = state->to_order;
	plan->problem.from = state->from;
	plan->problem.to = state->has[DEFINED_TO] ? state->to : hand->after;
	plan->program.steps = hand->count;
	if (!sw_plan_room(plan, hand->count, arena))
		return sw_diag_memory(diag);
	fill_steps(hand, plan);
	if (!sw_plan_total(plan, diag))
		return false;
	plan->model_cost = (double)plan->cost;
	plan->budget = hand_budget(state, plan);
	plan->unit = state->settings.value[SETTING_BUDGET].size.scale;
	if (!sw_plan_group(plan, arena, diag))
		return false;
	order_plan(state, arena, plan);
	time_plan(state, plan);
	return true;
}

/* The present plan becomes the sequence; without steps, or where its groups cannot be had, there is none. */
void hand_as_plan(struct session *session)
{
	sw_plan plan;
	session_drop_plan(session);
	const struct hand_step *hand = session_hand(&session->state, false);
	sw_arena *arena = hand ? sw_arena_new() : NULL;
	if (arena && make_plan(&session->state, hand, arena, &plan, NULL))
		session_keep_plan(session, arena, &plan);
	else
		sw_arena_free(arena);
}

/* ---- one more step ---- */

sw_type hand_type(const struct state *state)
{
	sw_type type = state->hand ? state->hand->after : state->from;
	type.dtype_given = type.dtype_given || state->from.dtype_given ||
		(state->has[DEFINED_TO] && state->to.dtype_given);
	return type;
}

/* Steps before are those of other states too: they are copied. */
static bool hand_take_dtype(struct session *session, sw_dtype dtype, sw_diag *diag)
{
	struct state *state = &session->state;
	state->from.dtype = dtype;
	if (state->has[DEFINED_TO])
		state->to.dtype = dtype;
	for (const struct hand_step **at = &state->hand; *at;) {
		struct hand_step *copy = SW_NEW(session->arena, struct hand_step, 1);
		if (!copy)
			return sw_diag_memory(diag);
		*copy = **at;
		copy->after.dtype = copy->call.target.dtype = dtype;
		*at = copy;
		at = &copy->before;
	}
	return true;
}

bool hand_push(struct session *session, const sw_call *call, const sw_type *after, sw_diag *diag)
{
	struct state *state = &session->state;
	bool said = after->dtype_given && !hand_type(state).dtype_given;
	if (said && !hand_take_dtype(session, after->dtype, diag))
		return false;
	struct hand_step step = {.step.op = call->op, .call = *call, .after = *after};
	const sw_entries entries = {call->gathers, call->splits, call->gather, call->split};
	return (sw_step_keep(&step.step, &entries, session->arena) || sw_diag_memory(diag)) &&
		session_add_hand(session, &step, diag);
}

/* ---- apply ---- */

/* Lines after the first stand further in. */
static void add_wrapped(const struct invocation *run, sw_text *words)
{
	struct canvas *canvas = document_canvas(run->answer);
	canvas_put_wrapped(canvas, 0, 0, canvas->width, 3, ROLE_TEXT, sw_text_get(words));
	canvas->failed |= words->failed;
	sw_text_free(words);
}

static void say_step(const struct invocation *run, const struct hand_step *step)
{
	const struct state *state = &run->session->state;
	const sw_type *before = step->before ? &step->before->after : &state->from;
	sw_text text = {0};
	int64_t cost;
	bool fits = sw_step_cost(step->step.op, before, &step->after, &cost);
	sw_text_addf(&text, "%d  ", step->count);
	sw_call_print_beside(&state->mesh, &step->call, &text);
	sw_text_add(&text, "  ->  ");
	sw_type_print(&state->mesh, &step->after, false, &text);
	sw_text_add(&text, "  size ");
	sw_print_count(&text, sw_type_localsize(&step->after));
	sw_text_add(&text, ", cost ");
	if (fits)
		sw_print_count(&text, cost);
	else
		sw_text_add(&text, "above 2^63");
	if (state->has[DEFINED_TO] && sw_type_same_map(&state->mesh, &step->after, &state->to))
		sw_text_add(&text,
			!state->plan || sw_plan_reaches(&state->plan->plan, NULL) ?
				"  (this is `to`)" :
				"  (the tiles of `to`, on devices in another order)");
	add_wrapped(run, &text);
}

bool command_apply(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	struct state *state = &session->state;
	sw_str text = argument(run, 0)->raw;
	if (is_grouped(text)) {
		session->shown = "state";
		return apply_grouped(run, text, diag);
	}
	session->shown = "film";
	if (!session_need(session, DEFINED_MESH, diag) || !session_need(session, DEFINED_FROM, diag))
		return false;
	if (!hand_goes_on(session, false, diag))
		return refuse_at(run, text, diag);
	sw_type before = hand_type(state), after;
	sw_call call;
	if (!sw_call_read(&state->mesh, &before, state->has[DEFINED_TO] ? &state->to : NULL, text, &call, &after, diag))
		return refuse_at(run, text, diag);
	if (!hand_push(session, &call, &after, diag))
		return false;
	hand_as_plan(session);
	say_step(run, state->hand);
	return true;
}

/* A statement of several lines is told on one. */
static void say_statement(const struct invocation *run, const char *what, const char *statement)
{
	sw_text line = {0};
	for (const char *at = statement; *at; at++) {
		bool blank = strchr(" \t\r\n", *at) != NULL;
		if (!blank || at[1] != ' ')
			sw_text_add_char(&line, blank ? ' ' : *at);
	}
	answer_remark(run->session, "%s: %s", what, sw_text_get(&line));
	sw_text_free(&line);
}

bool command_undo(struct invocation *run, sw_diag *diag)
{
	char what[80];
	if (!session_undo(run->session, what, diag))
		return false;
	answer_dress(run->session);
	say_statement(run, "undone", what);
	return true;
}

bool command_redo(struct invocation *run, sw_diag *diag)
{
	char what[80];
	if (!session_redo(run->session, what, diag))
		return false;
	answer_dress(run->session);
	say_statement(run, "redone", what);
	return true;
}

/* ---- normalize ---- */

static const struct column sequence_columns[] = {COLUMN_RIGHT("#", ROLE_DIM), COLUMN_LEFT("operation", ROLE_OP),
	COLUMN_LEFT("type", ROLE_TYPE), COLUMN_RIGHT("size", ROLE_NUMBER), COLUMN_RIGHT("cost", ROLE_NUMBER), {0}};

static void add_sequence(const struct invocation *run, const sw_sequence *sequence, int first, int added)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	struct table *table = document_table(run->answer, sequence_columns);
	for (int k = 0; k <= sw_sequence_count(sequence); k++) {
		const sw_type *type = sw_sequence_type(sequence, k);
		sw_text call = {0}, words = {0};
		if (k)
			sw_call_print_beside(mesh, sw_sequence_call(sequence, k - 1), &call);
		else
			sw_text_add(&call, "start");
		sw_type_print(mesh, type, false, &words);
		table_add(table, k > first && k <= first + added ? "* %d" : "  %d", k);
		table_add_text(table, &call);
		table_add_text(table, &words);
		table_add_count(table, sw_type_localsize(type));
		table_add_if(table, k > 0, k ? sw_sequence_cost(sequence, k - 1) : 0);
	}
}

static void say_measure(const struct invocation *run, const sw_measure *measure)
{
	sw_text text = {0};
	sequence_measure_text(measure, &text);
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

static void say_rewrite(const struct invocation *run, int number, const sw_rewrite *rewrite)
{
	int first = rewrite->first + 1, last = rewrite->first + rewrite->removed;
	sw_text text = {0};
	sw_text_addf(&text, "%d. %s, %s %d", number, sw_lemma_name(rewrite->lemma),
		plural(last - first + 1, "step", "steps"), first);
	if (last > first)
		sw_text_addf(&text, " to %d", last);
	sw_text_addf(&text, ": %s", rewrite->words);
	document_line(run->answer, "%s", "");
	add_wrapped(run, &text);
	document_line(run->answer, "   height %lld -> %lld, cost %lld -> %lld", (long long)rewrite->before.height,
		(long long)rewrite->after.height, (long long)rewrite->before.cost, (long long)rewrite->after.cost);
}

static bool rewrite_all(const struct invocation *run, sw_sequence *sequence, sw_diag *diag)
{
	bool several = setting_is(&run->session->state.settings, SETTING_MOVES, "several");
	sw_measure measure = sw_sequence_measure(sequence);
	sw_rewrite rewrite;
	add_sequence(run, sequence, 0, 0);
	say_measure(run, &measure);
	for (int number = 1;; number++) {
		if (!sw_sequence_rewrite(sequence, several, &rewrite, diag))
			return false;
		if (rewrite.lemma == SW_LEMMA_NONE)
			break;
		say_rewrite(run, number, &rewrite);
		add_sequence(run, sequence, rewrite.first, rewrite.added);
	}
	measure = sw_sequence_measure(sequence);
	document_line(run->answer, "%s", "");
	say_measure(run, &measure);
	if (*rewrite.words) {
		sw_text stays = {0};
		sw_text_addf(&stays, "step %d: %s", rewrite.first + 1, rewrite.words);
		add_wrapped(run, &stays);
	}
	return true;
}

/* The normal form becomes the sequence by hand, so that one can look at it and go on. */
static bool keep_sequence(struct session *session, const sw_sequence *sequence, sw_diag *diag)
{
	struct state *state = &session->state;
	state->rewritten = session_hand(state, false);
	state->hand = NULL;
	for (int k = 0; k < sw_sequence_count(sequence); k++)
		if (!hand_push(session, sw_sequence_call(sequence, k), sw_sequence_type(sequence, k + 1), diag))
			return false;
	state->normal = state->hand;
	hand_as_plan(session);
	return true;
}

bool command_normalize(struct invocation *run, sw_diag *diag)
{
	sw_sequence *sequence = sequence_start(run->session, session_hand(&run->session->state, false), diag);
	if (!sequence)
		return false;
	bool ok = rewrite_all(run, sequence, diag) && keep_sequence(run->session, sequence, diag);
	sw_sequence_free(sequence);
	return ok;
}

/* ---- adjoint ---- */

static bool refuse_maps(int step, sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, (sw_span){0, 0},
		"what devices hold after step %d is not a type, and has no "
		"derivative",
		step);
	sw_diag_hint(diag, "`plan fused` keeps to types");
	return false;
}

/* The steps of the plan as they are applied by hand. */
static sw_sequence *plan_sequence(const sw_plan *plan, sw_diag *diag)
{
	sw_sequence *sequence = sw_sequence_new(&plan->problem.mesh, &plan->problem.from);
	bool ok = sequence || sw_diag_memory(diag);
	for (int k = 0; ok && k < plan->program.steps; k++) {
		sw_call call;
		sw_plan_call(plan, k, &call);
		ok = (plan->program.value[k + 1].type || refuse_maps(k + 1, diag)) && sw_sequence_push(sequence, &call, diag);
	}
	if (ok)
		return sequence;
	sw_sequence_free(sequence);
	return NULL;
}

static bool keep_adjoint(const struct invocation *run, const sw_sequence *adjoint, sw_diag *diag)
{
	struct state *state = &run->session->state;
	state->from = *sw_sequence_type(adjoint, 0);
	state->to = *sw_sequence_type(adjoint, sw_sequence_count(adjoint));
	state->from_words = state->to_words = NULL;
	state->has[DEFINED_TO] = true;
	return keep_sequence(run->session, adjoint, diag);
}

bool command_adjoint(struct invocation *run, sw_diag *diag)
{
	const sw_plan *plan;
	if (!session_need(run->session, DEFINED_FROM, diag) || !session_plan(run->session, &plan, diag) ||
		!plan_on_tiles(plan, diag))
		return false;
	if (sw_problem_ordered(&plan->problem)) {
		sw_diag_set(diag, SW_S02, (sw_span){0, 0},
			"the devices are not in the usual order, and a derivative does not keep another order");
		return false;
	}
	sw_sequence *sequence = plan_sequence(plan, diag),
				*adjoint = sequence ? sw_sequence_adjoint(sequence, diag) : NULL;
	bool ok = adjoint != NULL;
	if (ok) {
		sw_measure measure = sw_sequence_measure(adjoint);
		add_sequence(run, adjoint, 0, 0);
		say_measure(run, &measure);
		ok = keep_adjoint(run, adjoint, diag);
	}
	sw_sequence_free(sequence);
	sw_sequence_free(adjoint);
	return ok;
}
