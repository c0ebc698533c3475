/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that exchange: open, save, source.
 */
#include "command/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/cost.h>
#include <shardwalk/uneven.h>

#include "command/files.h"
#include "command/programs/planned.h"
#include "command/programs/schedule.h"
#include "session/machine.h"
#include "session/present.h"
#include "session/walks.h"
#include "host/file.h"
#include "host/safe.h"
#include "views/draw.h"
#include "command/film.h"
#include "command/script.h"
#include "command/programs/spmd.h"

#define SOURCE_DEPTH 16
#define SESSION_HEAD "# a session of shardwalk"

/* ---- open ---- */

bool refuse_at_file(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	if (!diag->at.end)
		diag->at = line_span(run->position->text, word->raw);
	return false;
}

/* A position inside the file that was opened says nothing about the user's line: it becomes words. */
static bool refuse_content(const struct invocation *run, const struct word *word, const sw_text *text, sw_diag *diag)
{
	size_t line = 1, column = 1;
	bool positioned = diag->at.end && diag->at.end <= text->length;
	for (size_t i = 0; positioned && i < diag->at.begin; i++) {
		column = text->data[i] == '\n' ? 1 : column + 1;
		line += text->data[i] == '\n';
	}
	char found[sizeof(diag->found)];
	snprintf(found, sizeof(found), "%s", diag->found);
	if (positioned && *found)
		sw_diag_found(diag, "%.120s, at line %zu, column %zu of the file", found, line, column);
	else if (positioned)
		sw_diag_found(diag, "line %zu, column %zu of the file", line, column);
	diag->at = diag->also = (sw_span){0, 0};
	return refuse_at_file(run, word, diag);
}

/* An end of any kind, whose words are read again, to live as long as the session. */
static bool take_end(struct session *session, enum definition what, const sw_type *type, const sw_distribution *words,
	sw_diag *diag)
{
	struct any_type end = {.type = *type};
	sw_text text = {0};
	bool ok = true;
	if (words) {
		sw_type_print_any(&session->state.mesh, type, words, true, &text);
		ok = sw_type_parse_any(&session->state.mesh, (sw_str){sw_text_get(&text), text.length}, NULL, session->arena,
			&end.type, &end.words, diag);
	}
	sw_text_free(&text);
	if (ok)
		session_put_end(&session->state, what, &end);
	return ok;
}

bool take_problem(struct session *session, const sw_problem *problem, sw_diag *diag)
{
	struct state *state = &session->state;
	session_drop_work(session);
	if (!state->has[DEFINED_MESH] || !sw_mesh_equal(&state->mesh, &problem->mesh))
		state->types = NULL;
	state->found_mesh = state->found_mesh && sw_mesh_equal(&state->mesh, &problem->mesh);
	problem_put_mesh(session, &problem->mesh);
	state->mesh.order = NULL;
	state->warning = NULL;
	state->ends_of = ENDS_OF_NOTHING;
	state->has[DEFINED_SHAPE] = false;
	state->has[DEFINED_MESH] = true;
	if (!take_end(session, DEFINED_FROM, &problem->from, problem->from_words, diag) ||
		!take_end(session, DEFINED_TO, &problem->to, problem->to_words, diag))
		return false;
	state->subject = SUBJECT_PROBLEM;
	memset(state->failed, 0, sizeof(state->failed));
	return session_keep_orders(session, problem, diag);
}

/* A result of a run: it is kept and shown. */
static bool open_result(const struct invocation *run, const struct word *file, const sw_text *text, sw_arena *arena,
	sw_diag *diag)
{
	struct session *session = run->session;
	struct records records = records_start(arena);
	if (!records_take_text(&records, (sw_str){sw_text_get(text), text->length}, diag)) {
		sw_arena_free(arena);
		return refuse_content(run, file, text, diag);
	}
	if (!session_keep_run(session, arena, &records))
		return sw_diag_memory(diag);
	struct view_input in = {.times = &session->last_run->records, .times_number = session->last_run->number};
	return view_answer(run, view_times, &in, NULL, diag);
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

/* Seconds of hardware that is known here are computed again; a calibration is that of some machine. */
static void time_here(const struct invocation *run, sw_plan *plan)
{
	const sw_machine *machine = NULL;
	double said = plan->model_cost;
	if (!model_has_hardware(plan->model) || !plan->machine ||
		!machine_find(plan->model, plan->machine, plan->problem.mesh.devices, &machine, NULL) ||
		!machine_time_plan(machine, plan))
		return;
	plan->timed_here = true;
	if (!near(said, plan->model_cost))
		answer_remark(run->session, "the file says %s; on hardware %s as defined here it takes %s",
			words_seconds(said).text, plan->machine, words_seconds(plan->model_cost).text);
}

static bool open_plan(const struct invocation *run, const struct word *file, const sw_text *text, sw_arena *arena,
	sw_diag *diag)
{
	sw_plan plan;
	bool prefix = option_given(run, OPTION_PREFIX);
	if (!(prefix ? sw_plan_read_prefix : sw_plan_read)((sw_str){sw_text_get(text), text->length}, arena, &plan,
			diag)) {
		sw_arena_free(arena);
		return refuse_content(run, file, text, diag);
	}
	if (!take_problem(run->session, &plan.problem, diag)) {
		sw_arena_free(arena);
		return false;
	}
	time_here(run, &plan);
	session_keep_plan(run->session, arena, &plan);
	if (run->answer->for_programs && (plan.has_bound || plan.local_cost >= 0))
		answer_remark(run->session, "bounds and optima are claims of the file: `plan` proves what it finds");
	return plan_answer(run, &plan, 0, diag);
}

bool open_text(const struct invocation *run, const struct word *file, const sw_text *text, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	if (!arena)
		return sw_diag_memory(diag);
	if (sw_program_is_file((sw_str){sw_text_get(text), text->length})) {
		sw_arena_free(arena);
		return planned_open(run, (sw_str){sw_text_get(text), text->length}, file_name(run, file), diag) ||
			refuse_content(run, file, text, diag);
	}
	bool result = records_are_in((sw_str){sw_text_get(text), text->length});
	return (result ? open_result : open_plan)(run, file, text, arena, diag);
}

/* What `save` wrote; a statement that fails says so, and the others count. */
static bool open_session(const struct invocation *run, const struct word *file, sw_diag *diag)
{
	if (run->session->depth >= SOURCE_DEPTH)
		return sw_diag_set(diag, SW_L13, line_span(run->position->text, file->raw),
			"sessions are nested more than %d deep", SOURCE_DEPTH);
	return script_run_file(run->session, file_name(run, file), diag) || refuse_at_file(run, file, diag);
}

static bool is_session(const sw_text *text)
{
	return strncmp(sw_text_get(text), SESSION_HEAD, strlen(SESSION_HEAD)) == 0;
}

bool command_open(struct invocation *run, sw_diag *diag)
{
	const struct word *file = argument(run, 0);
	sw_text text = {0};
	bool ok = file_read_text(file_name(run, file), &text, NULL, diag) || refuse_at_file(run, file, diag);
	sw_str content = {sw_text_get(&text), text.length};
	ok = ok &&
		(sw_program_is(content)   ? program_open(run, file_name(run, file), content, diag) :
				is_session(&text) ? open_session(run, file, diag) :
									open_text(run, file, &text, diag));
	sw_text_free(&text);
	return ok;
}

/* ---- save ---- */

static void save_any(const sw_mesh *mesh, const char *head, const struct any_type *type, sw_text *text)
{
	sw_text_addf(text, "%s ", head);
	sw_type_print_any(mesh, &type->type, type->words, type->type.dtype_given, text);
	sw_text_add_char(text, '\n');
}

static void save_type(const struct state *state, const char *head, const sw_type *type, sw_text *text)
{
	save_any(&state->mesh, head, &(struct any_type){.type = *type}, text);
}

static void save_end(const struct state *state, enum definition what, sw_text *text)
{
	struct any_type end;
	if (!state->via && !state->entered && session_any_end(state, what, &end))
		save_any(&state->mesh, what == DEFINED_FROM ? "from" : "to", &end, text);
}

/* The newest of this name. */
static const struct named_type *newest(const struct named_type *types, sw_str name)
{
	while (types && !sw_str_is(name, types->name))
		types = types->next;
	return types;
}

/* From one of the list on, older types first; those from `before` on are there already. */
static void save_types(const sw_mesh *mesh, const struct named_type *all, const struct named_type *type,
	const struct named_type *before, sw_text *text)
{
	if (!type || type == before)
		return;
	save_types(mesh, all, type->next, before, text);
	if (newest(all, sw_str_of(type->name)) != type || type->failed)
		return;
	sw_text head = {0};
	sw_text_addf(&head, "type %s =", type->name);
	save_any(mesh, sw_text_get(&head), &type->is, text);
	sw_text_free(&head);
}

static void save_hand(const struct state *state, const struct hand_step *step, sw_text *text)
{
	if (!step)
		return;
	save_hand(state, step->before, text);
	sw_text_add(text, "apply ");
	if (step->on_chunks)
		sw_step_print_plain(&step->step, text);
	else
		sw_call_print(&state->mesh, &step->call, text);
	sw_text_add_char(text, '\n');
}

static void save_shape(const struct state *state, sw_text *text)
{
	sw_text_add(text, "shape ");
	sw_text_add(text, state->shape.dtype_given ? sw_dtype_name(state->shape.dtype) : "");
	sw_type_print_tile(state->shape.global, state->shape.rank, text);
	sw_text_add_char(text, '\n');
}

/* The plan with all that it was asked for, whatever the settings are now. */
static void save_plan(const struct kept_plan *kept, const struct settings *settings, sw_text *text)
{
	const sw_plan *plan = &kept->plan;
	const char *hardware = settings->value[SETTING_HARDWARE].text;
	bool other = model_has_hardware(plan->model) && plan->machine && strcmp(plan->machine, hardware) != 0;
	if (other)
		sw_text_addf(text, "set hardware %s\n", plan->machine);
	int bytes = sw_dtype_bytes(plan->problem.from.dtype);
	sw_text_addf(text, "plan %s --model %s --budget %s", sw_strategy_name(plan->strategy), sw_model_name(plan->model),
		sw_size_typed(plan->budget, bytes, plan->unit).text);
	if (plan->live_budget)
		sw_text_addf(text, " --live %s", sw_size_typed(plan->live_budget, bytes, plan->unit).text);
	for (int op = 0, count = 0; op < SW_COLLECTIVES; op++)
		if (kept->without >> op & 1)
			sw_text_addf(text, "%s%s", count++ ? "," : " --without ", sw_collective_of((sw_op)op)->name);
	sw_text_add(text, kept->renumbered ? " --renumber\n" : "\n");
	if (other)
		sw_text_addf(text, "set hardware %s\n", hardware);
}

static void save_focus(sw_walk *walk, const int64_t *focus, sw_text *text)
{
	sw_node node;
	if (!sw_walk_node_at(walk, focus, &node, NULL))
		return;
	sw_text_add(text, "goto ");
	if (sw_walk_problem(walk))
		sw_walk_print_place(walk, focus, text);
	else
		sw_text_addf(text, "%d", node.id);
	sw_text_add_char(text, '\n');
}

/* A program of the present sum, by its number or by the name of its algorithm. */
static bool is_reduction(const struct kept_plan *plan)
{
	return plan != NULL && (plan->program > 0 || plan->algorithm != NULL);
}

static void save_reduction(const struct kept_plan *plan, sw_text *text)
{
	if (plan->algorithm != NULL)
		sw_text_addf(text, "reductions %s\n", plan->algorithm);
	else
		sw_text_addf(text, "reductions %d --length %d\n", plan->program, plan->length);
}

/* The walk that steps go on comes last. */
static void save_walks(const struct state *state, sw_text *text)
{
	for (int i = 0; i < SW_WALK_KINDS; i++) {
		int kind = ((int)state->walked + 1 + i) % SW_WALK_KINDS;
		const struct kept_walk *kept = state->walks[kind];
		int settled = kept ? sw_walk_settled(kept->walk) : 0;
		if (kind > 0 ? settled > 0 || kind == (int)state->walked :
					   state->has[DEFINED_FROM] && (session_walks_begun(state, 1) || is_reduction(state->plan)))
			sw_text_addf(text, "walk %s\n", session_walk_words((sw_walk_kind)kind)->name);
		if (settled)
			sw_text_addf(text, kept->schedule ? "goto %d\n" : "step %d\n", settled);
		if (kept && state->has_focus && kind == (int)state->walked)
			save_focus(kept->walk, state->focus, text);
	}
}

/* Defining hardware chooses it: what is chosen is said after that. */
static bool save_hardware(sw_text *text)
{
	bool any = false;
	for (int i = 0; hardware_at(i); i++) {
		if (hardware_rates(i))
			sw_text_addf(text, "hardware %s = %s\n", hardware_at(i)->name, hardware_rates(i));
		any |= hardware_rates(i) != NULL;
	}
	return any;
}

static void save_settings(const struct settings *settings, sw_text *text)
{
	bool chosen = save_hardware(text);
	for (int i = 0; i < SETTING_COUNT; i++)
		if ((i != SETTING_SAFE && strcmp(settings->value[i].text, setting_rows[i].initial) != 0) ||
			(chosen && i == SETTING_HARDWARE))
			sw_text_addf(text, "set %s %s\n", setting_rows[i].name, settings->value[i].text);
}

/* A mesh with an order of its devices in a notation that says it. */
static void save_mesh(const sw_mesh *mesh, sw_text *text)
{
	sw_sharding in_order = {.kind = SW_SHARDING_MESH, .named = true, .mesh = *mesh};
	sw_text_add(text, "mesh ");
	if (!mesh->order || !sw_sharding_print_mesh(&in_order, SW_NOTATION_SHARDY, NULL, text, NULL))
		sw_mesh_print(mesh, text);
	sw_text_add_char(text, '\n');
}

/* The stops, the first one first. */
static void save_stops(const struct state *state, const struct stop *stop, sw_text *text)
{
	if (!stop)
		return;
	save_stops(state, stop->before, text);
	sw_text_add(text, " ~> ");
	sw_type_print(&state->mesh, &stop->type, stop->type.dtype_given, text);
}

static void save_chain(const struct state *state, sw_text *text)
{
	sw_text_add(text, "redistribute ");
	sw_type_print(&state->mesh, &state->from, state->from.dtype_given, text);
	save_stops(state, state->via, text);
	save_type(state, " ~>", &state->to, text);
}

/* Systems, axes on them, and how these lie. */
static void save_placing(const struct placing *placing, sw_text *text)
{
	sw_text_add(text, "system ");
	if (placing->system.name)
		sw_text_addf(text, "%s %lld", placing->system.name, (long long)placing->system.level[0].size);
	else
		sw_system_print(&placing->system, text);
	sw_text_add_char(text, '\n');
	if (!placing->has_axes)
		return;
	sw_text_add(text, "axes ");
	sw_mesh_print(&placing->axes, text);
	sw_text_add_char(text, '\n');
	if (!placing->placed)
		return;
	sw_text_add(text, "place [");
	sw_placement_print(&placing->placement, text);
	sw_text_add(text, "]\n");
}

/* The plan that was chosen for a redistribution of the program, where a strategy finds it again. */
static void save_chosen(const struct state *state, int move, sw_text *text)
{
	const struct chosen_plan *chosen = state->chosen;
	while (chosen && chosen->move != move)
		chosen = chosen->before;
	if (!chosen || chosen->plan->plan.origin)
		return;
	sw_text_addf(text, "enter %d\n", move + 1);
	save_plan(chosen->plan, &state->settings, text);
	sw_text_add(text, "leave\n");
}

static void save_all_chosen(const struct state *state, sw_text *text)
{
	for (int move = 0; move < state->program->moves; move++)
		save_chosen(state, move, text);
}

/* The redistribution that is entered, or the array of the formula. */
static void save_entered(const struct state *state, sw_text *text)
{
	if (state->entered > 0)
		sw_text_addf(text, "enter %d\n", state->entered);
	if (state->entered < 0) {
		const struct kept_walk *walk = state->walks[SW_WALK_STEPS];
		if (walk && walk->schedule)
			sw_text_addf(text, "walk steps\ngoto %d\n", sw_walk_settled(walk->walk));
		sw_str name = state->formula->computation->formula.array[-1 - state->entered].name;
		sw_text_addf(text, "enter %.*s", (int)name.length, name.at);
		if (state->entered_level > 0)
			sw_text_addf(text, "@%d", state->entered_level);
		sw_text_add_char(text, '\n');
	}
}

/* The program in one line, and what was chosen for it. */
static void save_program(const struct state *state, sw_text *text)
{
	sw_text_add(text, "program ");
	size_t begin = text->length;
	sw_program_print(&state->program->program, text);
	for (size_t i = begin; i + 1 < text->length; i++)
		text->data[i] = text->data[i] == '\n' ? ' ' : text->data[i];
	save_all_chosen(state, text);
	save_entered(state, text);
}

/* The present program is the one statement that the last formula is. */
static bool is_of_formula(const struct state *state)
{
	return state->program && state->formula && state->program->formula == state->formula;
}

static void save_tasks(int64_t steps, int64_t every, sw_text *text)
{
	sw_text_addf(text, "tasks %lld", (long long)steps);
	if (every > 1)
		sw_text_addf(text, " --every %lld", (long long)every);
	sw_text_add_char(text, '\n');
}

/* How many steps its formula makes in all rounds, and how many in a row. */
static void count_steps(const sw_program *program, int64_t *steps, int64_t *every)
{
	int64_t rounds = program->rounds > 1 ? program->rounds : 1;
	*steps = 0;
	for (int s = 0; s < program->steps; s++) {
		int64_t times = program->step[s].times > 1 ? program->step[s].times : 1;
		if (program->step[s].formula) {
			*every = sw_larger(*every, times);
			*steps += s < sw_program_loop(program) ? rounds * times : times;
		}
	}
}

/* How often the present program is repeated, and the tasks that are walked, which may be others. */
static void save_all_tasks(const struct state *state, sw_text *text)
{
	const sw_program *program = is_of_formula(state) ? &state->program->program : NULL;
	const struct kept_tasks *tasks = state->tasks && state->tasks->formula == state->formula ? state->tasks : NULL;
	int64_t steps = 1, every = 1;
	if (program)
		count_steps(program, &steps, &every);
	if (steps > 1 && !(tasks && tasks->steps == steps && sw_smaller(tasks->every, steps) == every))
		save_tasks(steps, every, text);
	if (tasks)
		save_tasks(tasks->steps, tasks->every, text);
}

/* An array of the formula has another type by now, or another mesh. */
static bool formula_is_old(const struct state *state)
{
	const struct kept_formula *kept = state->formula;
	const sw_formula *formula = &kept->computation->formula;
	bool old = !sw_mesh_equal(&state->mesh, &kept->computation->mesh);
	for (int k = 0; k < formula->arrays; k++)
		old |= newest(kept->types, formula->array[k].name) != newest(state->types, formula->array[k].name);
	return old;
}

/* The formula, with types and a mesh as they were then, what was chosen for its statement, and what they are now. */
static void save_formula(const struct state *state, sw_text *text)
{
	const struct kept_formula *kept = state->formula;
	const sw_mesh *mesh = &kept->computation->mesh;
	const struct named_type *then = formula_is_old(state) ? kept->types : state->types;
	bool moved = !sw_mesh_equal(&state->mesh, mesh);
	if (moved)
		save_mesh(mesh, text);
	save_types(mesh, then, then, NULL, text);
	sw_text_addf(text, "compute %s\n", kept->text);
	save_all_tasks(state, text);
	schedule_save(state, text);
	if (is_of_formula(state))
		save_all_chosen(state, text);
	if (moved)
		save_mesh(&state->mesh, text);
	save_types(&state->mesh, state->types, state->types, then, text);
	save_entered(state, text);
}

/* Axes that are placed have a mesh of their own: a formula over another one comes before them. */
static bool is_before_placing(const struct state *state)
{
	return state->placing && state->formula && (!state->program || is_of_formula(state)) &&
		!sw_mesh_equal(&state->mesh, &state->formula->computation->mesh);
}

static bool has_formula(const struct state *state)
{
	return state->formula && (!state->program || is_of_formula(state)) &&
		(!state->placing || sw_mesh_equal(&state->mesh, &state->formula->computation->mesh));
}

static void save_early_formula(const struct state *state, sw_text *text)
{
	const struct kept_formula *kept = state->formula;
	save_mesh(&kept->computation->mesh, text);
	save_types(&kept->computation->mesh, kept->types, kept->types, NULL, text);
	sw_text_addf(text, "compute %s\n", kept->text);
	save_all_tasks(state, text);
}

static void save_state(const struct state *state, sw_text *text)
{
	sw_text_add(text, SESSION_HEAD "\n");
	if (is_before_placing(state))
		save_early_formula(state, text);
	if (state->placing)
		save_placing(state->placing, text);
	save_settings(&state->settings, text);
	schedule_save_params(state, text);
	if (state->program && !is_of_formula(state))
		save_program(state, text);
	if (!state->has[DEFINED_MESH])
		return;
	bool formula = has_formula(state);
	bool moved = formula && !sw_mesh_equal(&state->mesh, &state->formula->computation->mesh);
	if (!state->placing && !moved && (state->entered <= 0 || is_of_formula(state)))
		save_mesh(&state->mesh, text);
	if (formula)
		save_formula(state, text);
	else
		save_types(&state->mesh, state->types, state->types, is_before_placing(state) ? state->formula->types : NULL,
			text);
	if (state->has[DEFINED_SHAPE])
		save_shape(state, text);
	save_end(state, DEFINED_FROM, text);
	save_end(state, DEFINED_TO, text);
	if (state->via)
		save_chain(state, text);
	save_hand(state, state->hand, text);
	if (state->plan && !state->plan->plan.origin)
		save_plan(state->plan, &state->settings, text);
	if (is_reduction(state->plan))
		save_reduction(state->plan, text);
	save_walks(state, text);
}

void save_session(struct session *session, sw_text *text)
{
	save_state(&session->state, text);
	if (session->print_screen)
		session->print_screen(session, text);
}

bool answer_file(const struct invocation *run, const struct word *file, sw_text *text, sw_diag *diag)
{
	bool ok = true;
	if (sw_str_is(file->text, "-"))
		document_lines(run->answer, text);
	else
		ok = file_write(file_name(run, file), text, diag) || refuse_at_file(run, file, diag);
	if (ok && !sw_str_is(file->text, "-") && run->session->interactive)
		answer_remark(run->session, "'%s' is written, %zu bytes", file_name(run, file), text->length);
	sw_text_free(text);
	return ok;
}

bool command_save(struct invocation *run, sw_diag *diag)
{
	const struct word *file = argument(run, 0);
	sw_text text = {0};
	save_session(run->session, &text);
	return answer_file(run, file, &text, diag);
}

/* ---- source ---- */

static bool run_script(struct invocation *run, const char *name, sw_diag *diag)
{
	struct session *session = run->session;
	const struct word *record = option_given(run, OPTION_RECORD);
	int64_t pace = session->state.settings.value[SETTING_PACE].number;
	if (!option_given(run, OPTION_PACE) && !record)
		return script_run_file(session, name, diag);
	if (record && safe_refuses(diag, "'%.80s' would be written", file_name(run, record)))
		return false;
	return film_play(session, option_number(run, OPTION_PACE, pace), record ? file_name(run, record) : NULL, name,
		script_run_file, name, diag);
}

/* The script cannot be read, or the recording not written. */
static bool refuse_script(const struct invocation *run, const struct word *file, sw_diag *diag)
{
	const struct word *record = option_given(run, OPTION_RECORD);
	if (diag->code == SW_B02 && record)
		return refuse_at_file(run, record, diag);
	return diag->code == SW_B01 ? refuse_at_file(run, file, diag) : false;
}

bool command_source(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	const struct word *file = argument(run, 0);
	long long failures = session->failures;
	if (session->depth >= SOURCE_DEPTH) {
		sw_diag_set(diag, SW_L13, line_span(run->position->text, file->raw), "scripts are nested more than %d deep",
			SOURCE_DEPTH);
		sw_diag_hint(diag, "does the script source itself?");
		return false;
	}
	if (!run_script(run, file_name(run, file), diag))
		return refuse_script(run, file, diag);
	if (session->failures == failures)
		return true;
	long long count = session->failures - failures;
	sw_diag_set(diag, SW_L14, line_span(run->position->text, file->raw), "%lld %s of this script failed", count,
		plural(count, "statement", "statements"));
	sw_diag_hint(diag, "the errors are above");
	return false;
}
