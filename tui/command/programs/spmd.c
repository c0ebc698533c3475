/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of programs: program, enter, leave.
 */
#include "command/programs/spmd.h"
#include "answer/order.h"

#include <string.h>

#include <shardwalk/number.h>

#include "answer/watch.h"
#include "command/plan.h"
#include "command/programs/compute.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "session/machine.h"
#include "views/draw.h"

/* ---- the picture ---- */

static const sw_plan *plan_move(const struct invocation *run, const struct plan_request *asked,
	const sw_program *program, int s, sw_arena *arena, sw_diag *diag)
{
	struct plan_request fitting = *asked;
	sw_plan_options options;
	sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);
	sw_problem *problem = SW_NEW_ZERO(arena, sw_problem, 1);
	if (!plan || !problem) {
		sw_diag_memory(diag);
		return NULL;
	}
	sw_program_problem(program, s, problem);
	plan_request_fit(&fitting, problem);
	if (!plan_request_options(&fitting, problem, NULL, &options, diag))
		return NULL;
	options.sizes_only = program->mesh.devices > GROUPED_DEVICES;
	return plan_find(run, problem, &options, arena, plan, diag) ? plan : NULL;
}

/* The plan of an earlier redistribution between the same ends, or NULL. */
static const sw_plan *same_move(const sw_program *program, const struct program_move *moves, int count)
{
	const sw_type *from = sw_program_from(program, moves[count].step),
				  *to = sw_program_to(program, moves[count].step);
	for (int i = 0; i < count && !sw_program_has_words(program, moves[count].step); i++)
		if (!moves[i].chosen && !sw_program_has_words(program, moves[i].step) &&
			sw_type_equal(sw_program_from(program, moves[i].step), from) &&
			sw_type_equal(sw_program_to(program, moves[i].step), to))
			return moves[i].plan;
	return NULL;
}

static bool has_to_end(sw_code code)
{
	return code == SW_S03 || code == SW_E01 || code == SW_S10 || code == SW_S11;
}

static bool fill_moves(const struct invocation *run, const struct kept_program *kept, struct program_move *moves,
	const sw_machine *machine, sw_arena *arena, sw_diag *diag)
{
	struct plan_request asked;
	if (!plan_request_read(run, NULL, &asked, diag))
		return false;
	for (int i = 0; i < kept->moves; i++) {
		if (!sw_pulse_beat(interrupt_pulse(), "redistributions", i, kept->moves))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %d of %d redistributions", i,
				kept->moves);
		struct program_move *move = &moves[i];
		sw_diag why = {.code = SW_OK};
		move->step = kept->move[i];
		move->plan = session_chosen(run->session, i);
		move->chosen = move->plan != NULL;
		if (!move->plan)
			move->plan = same_move(&kept->program, moves, i);
		if (!move->plan)
			move->plan = plan_move(run, &asked, &kept->program, move->step, arena, &why);
		if (!move->plan && has_to_end(why.code)) {
			*diag = why;
			return false;
		}
		move->seconds = move->plan && machine ? sw_predict_seconds(move->plan, -1, machine) : -1;
	}
	return true;
}

bool program_machine(const struct session *session, int64_t devices, const sw_machine **machine, sw_diag *diag)
{
	const struct settings *settings = &session->state.settings;
	sw_model model = (sw_model)settings->value[SETTING_MODEL].number;
	const char *hardware = settings->value[SETTING_HARDWARE].text;
	*machine = NULL;
	if (!sw_model_is_timed(model) && strcmp(hardware, setting_rows[SETTING_HARDWARE].initial) == 0)
		return true;
	return machine_find(sw_model_is_timed(model) ? model : SW_MODEL_ROOFLINE, hardware, devices, machine, diag);
}

static bool fill_picture(const struct invocation *run, const struct kept_program *kept, struct kept_picture *drawn,
	sw_diag *diag)
{
	const sw_machine *machine;
	struct program_move *moves = SW_NEW_ZERO(drawn->arena, struct program_move, kept->moves);
	struct program_picture *picture = SW_NEW_ZERO(drawn->arena, struct program_picture, 1);
	if (!moves || !picture)
		return sw_diag_memory(diag);
	if (!program_machine(run->session, kept->program.mesh.devices, &machine, diag) ||
		!fill_moves(run, kept, moves, machine, drawn->arena, diag))
		return false;
	*picture = (struct program_picture){.program = &kept->program,
		.source = kept->source,
		.moves = kept->moves,
		.move = moves,
		.machine = machine ? machine->name : NULL,
		.by = machine,
		.entered = run->session->state.entered};
	drawn->picture = picture;
	drawn->of = kept;
	drawn->chosen = run->session->state.chosen;
	return true;
}

bool program_picture_make(const struct invocation *run, const struct program_picture **picture, sw_diag *diag)
{
	const struct kept_program *kept;
	sw_arena *arena = sw_arena_new();
	struct kept_picture *drawn = arena ? SW_NEW_ZERO(arena, struct kept_picture, 1) : NULL;
	bool ok = drawn ? session_program(run->session, &kept, diag) : sw_diag_memory(diag);
	if (ok) {
		drawn->arena = arena;
		ok = fill_picture(run, kept, drawn, diag);
	}
	if (!ok) {
		sw_arena_free(arena);
		return false;
	}
	session_keep_picture(run->session, drawn);
	*picture = drawn->picture;
	return true;
}

/* ---- fields ---- */

static void notes_field(const sw_program *program, struct fields *fields)
{
	struct fields *notes = field_list(fields, "notes");
	for (int i = 0; i < program->notes; i++)
		field_text(notes, NULL, program->note[i].text);
}

/* What is no whole answer is none in JSON. */
static bool program_fields(const struct invocation *run, const struct program_picture *picture, sw_diag *diag)
{
	const sw_program *program = picture->program;
	struct fields *fields = document_fields(run->answer, "shardwalk.program/1");
	sw_text text = {0};
	if (!fields)
		return true;
	struct program_total total = program_sum(picture);
	field_str(fields, "name", program->name);
	field_text(fields, "file", picture->source);
	field_mesh(fields, "mesh", &program->mesh);
	struct rows values = program_value_rows(picture), moves = program_move_rows(picture);
	if (!rows_arrange(&values, run->answer, diag) || !rows_arrange(&moves, run->answer, diag) ||
		!rows_list(&values, fields, "values", diag) || !rows_list(&moves, fields, "redistributions", diag)) {
		document_clear(run->answer);
		return false;
	}
	notes_field(program, fields);
	field_bool(fields, "open", sw_program_open(program));
	field_int(fields, "entered", picture->entered);
	field_count(fields, "cost", total.cost);
	field_count(fields, "flops", total.flops);
	field_count(fields, "bytes", total.bytes);
	field_count(fields, "bytes_on_all_devices", total.bytes_on_all);
	field_digits(fields, "moved", total.moved, 9);
	field_digits(fields, "computed", total.computed, 9);
	sw_program_print(program, &text);
	field_printed(fields, "text", &text);
	return true;
}

static void pair_field(const sw_program *program, struct fields *list, int from, int to)
{
	struct fields *pair = field_list(list, NULL);
	if (from >= 0)
		program_type_field(program, from, pair, NULL);
	else
		field_str(pair, NULL, program->value[to].name);
	program_type_field(program, to, pair, NULL);
}

void program_line_fields(const sw_program *program, struct fields *fields)
{
	struct fields *values = field_list(fields, "values");
	for (int v = 0; v < program->values; v++)
		if (sw_program_keeps(program, v))
			pair_field(program, values, -1, v);
	struct fields *list = field_list(fields, "redistributions");
	for (int s = sw_program_next_move(program, -1); s >= 0; s = sw_program_next_move(program, s))
		pair_field(program, list, program->step[s].operand[0], sw_program_value_of(program, s));
	field_int(fields, "notes", program->notes);
}

/* ---- reading ---- */

bool program_parse_in(sw_arena *arena, sw_str text, sw_program *program, sw_diag *diag)
{
	sw_arena_mark mark = sw_arena_here(arena);
	char *copy = sw_arena_copy(arena, text.at, text.length);
	if (!copy)
		return sw_diag_memory(diag);
	const sw_file_reader files = {compute_file, arena};
	if (sw_program_parse_with((sw_str){copy, text.length}, &files, interrupt_pulse(), arena, program, diag))
		return true;
	sw_arena_back(arena, mark);
	return false;
}

static bool is_text(sw_str text)
{
	bool mesh = sw_str_starts(text, "mesh") && text.length > 4 && (text.at[4] == ' ' || text.at[4] == '{');
	return mesh && memchr(text.at, '{', text.length) && memchr(text.at, '(', text.length);
}

/* It is called as it was written, wherever the file stands. */
static bool keep_file(struct invocation *run, const char *source, const char *name, sw_str text, sw_program *program,
	sw_diag *diag)
{
	return (program_parse_in(run->session->arena, text, program, diag) || refuse_inside(run, source, text, diag)) &&
		session_keep_program(run->session, program, name, diag);
}

static bool read_file(struct invocation *run, sw_str name, sw_program *program, sw_diag *diag)
{
	struct word word = {name, line_unquote(name, run->arena)};
	bool standard = sw_str_is(word.text, "-");
	const char *source = standard ? "standard input" : file_beside(run, &word);
	sw_text text = {0};
	if (!file_read_text(standard ? "-" : source, &text, NULL, diag))
		return refuse_at_file(run, &word, diag);
	bool ok = keep_file(run, source, standard ? NULL : file_name(run, &word),
		(sw_str){sw_text_get(&text), text.length}, program, diag);
	sw_text_free(&text);
	return ok;
}

static bool read_text(struct invocation *run, sw_str text, sw_program *program, sw_diag *diag)
{
	if (!program_parse_in(run->session->arena, text, program, diag))
		return refuse_at(run, text, diag);
	return session_keep_program(run->session, program, NULL, diag);
}

/* The program's mesh becomes that of the session, and what it does not fit is dropped. */
static void take_mesh(struct session *session, const sw_mesh *mesh)
{
	struct state *state = &session->state;
	bool had = state->has[DEFINED_MESH];
	if (had && sw_mesh_equal(&state->mesh, mesh))
		return;
	problem_take_mesh(session, mesh);
	sw_text words = {0};
	sw_mesh_print(mesh, &words);
	answer_remark(session,
		had ? "mesh %s comes with the program and replaces the old one; `undo` brings that back" :
			  "mesh %s comes with the program",
		sw_text_get(&words));
	sw_text_free(&words);
}

bool program_keep(struct invocation *run, const sw_program *program, const char *source, bool with_mesh,
	sw_diag *diag)
{
	sw_text text = {0};
	sw_program kept;
	sw_program_print(program, &text);
	bool ok = !text.failed || sw_diag_memory(diag);
	ok = ok && program_parse_in(run->session->arena, (sw_str){sw_text_get(&text), text.length}, &kept, diag) &&
		session_keep_program(run->session, &kept, source, diag);
	sw_text_free(&text);
	if (ok && with_mesh)
		take_mesh(run->session, &kept.mesh);
	return ok;
}

/* ---- program ---- */

bool program_answer(struct invocation *run, sw_diag *diag)
{
	const struct program_picture *picture;
	if (!program_picture_make(run, &picture, diag) || !program_fields(run, picture, diag))
		return false;
	struct view_input in = {.program = picture, .arranged = run->answer->arrangement};
	return view_answer(run, view_program, &in, NULL, diag);
}

bool program_open(struct invocation *run, const char *source, sw_str text, sw_diag *diag)
{
	sw_program program;
	if (!keep_file(run, source, strcmp(source, "-") == 0 ? NULL : source, text, &program, diag))
		return false;
	take_mesh(run->session, &program.mesh);
	return program_answer(run, diag);
}

bool command_program(struct invocation *run, sw_diag *diag)
{
	sw_str text = argument(run, 0) ? argument(run, 0)->raw : (sw_str){"", 0};
	sw_program program;
	if (text.length) {
		if (!(is_text(text) ? read_text : read_file)(run, text, &program, diag))
			return false;
		take_mesh(run->session, &program.mesh);
	}
	return program_answer(run, diag);
}

/* ---- enter and leave ---- */

static void add_move_text(const struct kept_program *kept, int i, sw_text *text)
{
	const sw_program *program = &kept->program;
	int s = kept->move[i];
	sw_str name = program->value[sw_program_value_of(program, kept->move[i])].name;
	sw_text_addf(text, "%d is %.*s, ", i + 1, (int)name.length, name.at);
	program_type_text(program, program->step[s].operand[0], text);
	sw_text_add(text, " ~> ");
	program_type_text(program, sw_program_value_of(program, s), text);
}

#define LISTED 8

static bool refuse_number(const struct invocation *run, const struct kept_program *kept, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	sw_text list = {0};
	for (int i = 0; i < kept->moves && i < LISTED; i++) {
		sw_text_add(&list, i ? "; " : "");
		add_move_text(kept, i, &list);
	}
	if (kept->moves > LISTED)
		sw_text_addf(&list, "; and %d more, which `program` lists", kept->moves - LISTED);
	sw_diag_set(diag, SW_L13, (sw_span){0, 0},
		kept->moves ? "the program has %d %s" : "the program has no redistribution", kept->moves,
		plural(kept->moves, "redistribution", "redistributions"));
	if (kept->moves)
		sw_diag_expected(diag, "a number from 1 to %d", kept->moves);
	if (word)
		sw_diag_found(diag, "%.*s", AS_SHOWN(word->text));
	sw_diag_hint(diag, "%s",
		kept->moves                         ? sw_text_get(&list) :
			sw_program_open(&kept->program) ? "some types are still open: `assign` chooses them" :
											  "everything is computed in place");
	sw_text_free(&list);
	if (word)
		diag->at = line_span(run->position->text, word->raw);
	return false;
}

bool command_enter(struct invocation *run, sw_diag *diag)
{
	const struct kept_program *kept;
	const struct word *word = argument(run, 0);
	int64_t number = 1;
	if (compute_is_subject(&run->session->state) && !(word && sw_read_int(word->text, &number, NULL)))
		return compute_enter(run, word, diag);
	if (!session_program(run->session, &kept, diag))
		return false;
	bool counted = word ? sw_read_int(word->text, &number, NULL) : kept->moves == 1;
	if (!counted || number < 1 || number > kept->moves)
		return refuse_number(run, kept, diag);
	if (!session_enter(run->session, (int)number - 1, diag))
		return false;
	sw_text text = {0};
	add_move_text(kept, (int)number - 1, &text);
	document_say(run->answer, 0, "redistribution %s", sw_text_get(&text));
	sw_text_free(&text);
	bool words = run->session->state.from_words || run->session->state.to_words;
	answer_remark(run->session,
		run->session->state.plan ? "the plan chosen for it is now the present one; `leave` goes back" :
			words                ? "`plan` and `show relation` work on it; `leave` goes back" :
								   "`plan`, `compare` and `step` work on it; `leave` goes back");
	return true;
}

bool command_leave(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	int number = session->state.entered;
	bool chose = false;
	if (!session_leave(session, &chose, diag))
		return false;
	const sw_plan *plan = chose ? session_chosen(session, number - 1) : NULL;
	sw_text steps = {0};
	if (number < 0)
		return compute_left(run, number);
	if (plan)
		program_steps_text(plan, &steps);
	if (plan)
		document_line(run->answer, "redistribution %d now uses the plan %s: %s, cost %lld", number,
			plan->origin ? plan->origin : sw_strategy_name(plan->strategy), sw_text_get(&steps),
			(long long)plan->cost);
	else
		document_line(run->answer, "redistribution %d stays as it was: no plan was chosen", number);
	sw_text_free(&steps);
	return true;
}
