/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * export: a format is a row of the table, and one function writes it.
 */
#include "command/export/export.h"

#include <string.h>

#include <shardwalk/emit.h>
#include <shardwalk/schedule_program.h>

#include "command/advise/advise.h"
#include "command/export/film.h"
#include "command/plan.h"
#include "command/placement/reduction.h"
#include "command/import/warned.h"
#include "language/names.h"
#include "command/programs/planned.h"
#include "host/interrupt.h"
#include "session/present.h"
#include "session/schedules.h"

static bool write_plan_file(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
	sw_text *text, sw_diag *diag)
{
	(void)format;
	sw_plan file = *plan;
	file.program.claimed = false; /* whoever reads the file knows that all of it is claimed */
	return sw_plan_write(&file, option_given(run, OPTION_MAPS) ? SW_JSON_MAPS : 0, text, diag);
}

/* The code formats of the engine. */
static sw_emit_kind kind_of(const struct export_format *format)
{
	int kind = 0;
	while (strcmp(sw_emit_name((sw_emit_kind)kind), format->name) != 0)
		kind++;
	return (sw_emit_kind)kind;
}

static bool write_code(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
	sw_text *text, sw_diag *diag)
{
	sw_emit_kind kind = kind_of(format);
	if (sw_emit(kind, plan, NULL, run->arena, text, diag))
		return true;
	if (plan->program.steps > 0 && plan->program.step->by.words && kind == SW_EMIT_SHARD_MAP && diag->code == SW_P06)
		reductions_hint_plain(run, diag);
	return false;
}

/* The file is about the devices of the warning, which may not be all of the program's. */
static void say_group(const struct invocation *run)
{
	struct group group = warned_group_now(&run->session->state);
	sw_text text = {0};
	if (group.is == GROUP_NONE)
		return;
	group_print(&group, &text);
	console_remark(run->session->console, "%s", sw_text_get(&text));
	console_remark(run->session->console,
		"the file is for %lld devices; `advise` says what to type for all of "
		"them",
		(long long)group.devices);
	sw_text_free(&text);
}

/* Formats of constraints also take the word `advice`: then they go through the waypoints that it finds for their system. */
static bool write_advice(const struct invocation *run, const struct export_format *format, sw_advise_target target,
	sw_text *text, sw_diag *diag)
{
	sw_plan plan = {.program.steps = 0};
	sw_advice advice;
	struct plan_request asked;
	const struct state *state = &run->session->state;
	if (!session_problem(run->session, &plan.problem, diag) || !advise_order(&plan.problem, diag) ||
		!plan_request_read(run, NULL, &asked, diag) ||
		!advise_find(run, &asked, &plan.problem, target, &advice, diag))
		return false;
	plan.problem = advice.problem;
	plan.problem.mesh.order = state->mesh.order;
	if (!sw_plan_room(&plan, 0, run->arena))
		return sw_diag_memory(diag);
	say_group(run);
	return sw_emit(kind_of(format), &plan, &advice, run->arena, text, diag);
}

/* The word `program`, or a program where no problem is defined; or a formula of which none can be made, which says why. */
static bool wants_program(const struct invocation *run, const struct export_format *format)
{
	const struct word *word = argument(run, 2);
	const struct kept_program *kept;
	sw_problem problem;
	sw_diag why = {.code = SW_OK};
	if (format->write != write_code)
		return false;
	if (word)
		return sw_str_is(word->text, "program");
	return (session_program(run->session, &kept, &why) || why.code != SW_L07) &&
		!session_problem(run->session, &problem, NULL);
}

/* The plan file is that of the program: the word `program`, or what `run` would execute. */
static bool wants_planned(const struct invocation *run)
{
	const struct word *word = argument(run, 2);
	return word ? sw_str_is(word->text, "program") : planned_is_present(run->session);
}

/* How the plan is looked for. */
#define PLANNED OPTION(STRATEGY), OPTION(MODEL), OPTION(BUDGET), OPTION(LIVE), OPTION(WITHOUT)

/* The first option that says how a plan is looked for. */
static const struct given *planning_option(const struct invocation *run)
{
	static const struct option_set planning = {PLANNED};
	for (int i = 0; i < run->given_count; i++)
		if (planning.has[run->given[i].option])
			return &run->given[i];
	return NULL;
}

/* A schedule says itself what moves, and systems that are told shardings find the steps: no plan is looked for. */
static bool allow_program(const struct invocation *run, const struct export_format *format, const sw_program *program,
	sw_diag *diag)
{
	const struct given *given = planning_option(run);
	bool scheduled = sw_program_lowering(program) != NULL && sw_program_moves(program) == 0;
	if (!given || (!scheduled && (format->write != write_code || sw_emit_plans(kind_of(format)))))
		return true;
	sw_diag_set(diag, SW_L05, line_span(run->position->text, given->name.raw), "no plan is made: %s",
		scheduled ? "a schedule itself says what moves" : "the system that runs the program finds the steps");
	sw_diag_hint(diag, "%s",
		scheduled ? "leave the option out; change what moves by commands of the schedule, such as `communicate`" :
					"leave the option out; `export mpi` and `export shard_map` write the steps of plans");
	return false;
}

static bool write_program(const struct invocation *run, const struct export_format *format, sw_text *text,
	sw_diag *diag)
{
	const struct kept_program *kept;
	const sw_program *program;
	sw_program planned;
	if (!session_program(run->session, &kept, diag) || !allow_program(run, format, &kept->program, diag) ||
		!planned_with_dtype(run, &kept->program, run->arena, &program, diag))
		return false;
	if (sw_emit_plans(kind_of(format)) && !sw_program_open(&kept->program))
		return planned_present(run, run->arena, &planned, diag) &&
			sw_emit_program(kind_of(format), &planned, run->arena, text, diag);
	return sw_emit_program(kind_of(format), program, run->arena, text, diag);
}

/* Does the third argument ask for advice, and is there any for this format? */
static bool wants_advice(const struct invocation *run, const struct export_format *format, sw_advise_target *target)
{
	const struct word *word = argument(run, 2);
	return word && sw_str_is(word->text, "advice") && sw_advise_parse(sw_str_of(format->name), target, NULL);
}

/* The present schedule in the words of its paper. */
static bool write_distal(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
	sw_text *text, sw_diag *diag)
{
	const struct kept_schedule *kept = session_schedule(run->session, diag);
	(void)format, (void)plan;
	if (!kept)
		return false;
	const sw_array_type *type = session_array_types(kept->formula->computation, run->arena);
	if (!type)
		return sw_diag_memory(diag);
	return sw_schedule_write_distal(kept->schedule, type, run->arena, text, diag);
}

const struct export_format export_formats[] = {
	{"plan", "the plan file, JSON: `open` and shardwalk-exec read it", EXPORTS_PLAN, write_plan_file, false,
		{OPTION(MAPS), PLANNED}},
#define X(id, name, about) {name, about, EXPORTS_PLAN, write_code, false, {OPTION(DTYPE), PLANNED}},
	SW_EMITS(X)
#undef X
		{"distal",
			"a schedule as the paper on DISTAL writes programs: machine, placements, tensors, statement and chain",
			EXPORTS_SCHEDULE, write_distal, false, {{false}}},
	{"svg",
		"a picture as SVG, with text that can be selected: VIEW as `show` takes it, or compare, pareto, explain, ...",
		EXPORTS_VIEW, export_svg, true, {{false}}},
	{"film", "the film: a still (FILE.svg), a page that plays by itself (FILE.html), or an asciicast (FILE.cast)",
		EXPORTS_SESSION, export_film, false, {OPTION(WIDTH)}},
	{"dot", "a graph for Graphviz: `plan`, the steps of a plan, or `graph`, the search", EXPORTS_WALK, export_dot,
		false, {{false}}},
	{"markdown", "a report of the session with its pictures, as text; or the answer of VIEW", EXPORTS_SESSION,
		export_markdown, true, {{false}}},
	{"html", "the same as one page, with its pictures as SVG", EXPORTS_SESSION, export_html, true, {{false}}},
};
const int export_format_count = sizeof(export_formats) / sizeof(*export_formats);

const char *export_subject_called(enum export_subject subject)
{
	static const char *const called[EXPORTS_END] = {
#define X(id, called) called,
		EXPORT_SUBJECTS(X)
#undef X
	};
	return called[subject];
}

/* The options of a format, as they are typed. */
static void hint_options(const struct export_format *format, sw_diag *diag)
{
	sw_text text = {0};
	for (int i = 0; i < OPTION_COUNT; i++)
		if (format->options.has[i])
			sw_text_addf(&text, "%s--%s", text.length ? ", " : "", option_rows[i].name);
	if (text.length)
		sw_diag_hint(diag, "it takes %s", sw_text_get(&text));
	else
		sw_diag_hint(diag, "it takes none");
	sw_text_free(&text);
}

/* What the command takes for other formats, this one need not. */
static bool allow_options(const struct invocation *run, const struct export_format *format, sw_diag *diag)
{
	for (int i = 0; i < run->given_count; i++) {
		const struct option_row *row = &option_rows[run->given[i].option];
		if (format->any_option || format->options.has[run->given[i].option])
			continue;
		sw_diag_set(diag, SW_L05, line_span(run->position->text, run->given[i].name.raw),
			"'export %s' has no option '--%s'", format->name, row->name);
		hint_options(format, diag);
		return false;
	}
	return true;
}

/* The types of a problem say its elements. */
static bool allow_dtype(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_DTYPE);
	if (!word)
		return true;
	sw_diag_set(diag, SW_L05, line_span(run->position->text, word->raw), "`--dtype` is for programs");
	sw_diag_hint(diag,
		"the word `program` after the file writes the present program; the types of a problem contain their "
		"element type");
	return false;
}

/* A plan that was made before is as it is, and so is that of a strategy that is named. */
static bool allow_planning(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 2), *strategy = option_given(run, OPTION_STRATEGY);
	for (int i = 0; word && *word->raw.at == '$' && i < run->given_count; i++)
		if (run->given[i].option != OPTION_MAPS)
			return sw_diag_set(diag, SW_L02, line_span(run->position->text, run->given[i].name.raw),
				"'%.*s' is an existing plan, which options cannot change", AS_SHOWN(word->text));
	if (word && strategy)
		return sw_diag_set(diag, SW_L02, line_span(run->position->text, strategy->raw),
			"the strategy is already named, '%.*s'", AS_SHOWN(word->text));
	return true;
}

static bool write_format(const struct invocation *run, const struct export_format *format, sw_text *text,
	sw_diag *diag)
{
	const sw_plan *plan;
	const struct kept_program *kept;
	sw_plan grouped;
	sw_advise_target target;
	if (!allow_options(run, format, diag))
		return false;
	if (format->subject != EXPORTS_PLAN)
		return format->write(run, format, NULL, text, diag);
	if (format->write == write_plan_file && wants_planned(run))
		return session_program(run->session, &kept, diag) && allow_program(run, format, &kept->program, diag) &&
			planned_write(run, text, diag);
	if (wants_program(run, format))
		return write_program(run, format, text, diag);
	if (format->write == write_code && !allow_dtype(run, diag))
		return false;
	if (wants_advice(run, format, &target))
		return write_advice(run, format, target, text, diag);
	if (!allow_planning(run, diag))
		return false;
	return read_solution(run, argument(run, 2), &plan, diag) && plan_with_groups(run, plan, &grouped, diag) &&
		format->write(run, format, &grouped, text, diag);
}

bool command_export(struct invocation *run, sw_diag *diag)
{
	sw_text text = {0};
	if (write_format(run, &export_formats[argument_number(run, 0, 0)], &text, diag))
		return answer_file(run, argument(run, 1), &text, diag);
	sw_text_free(&text);
	return false;
}
