/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command reduce, and what the commands share that speak of sums over axes that lie on a system.
 */
#include "command/placement/reduction.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/reduction_plan.h>

#include "command/command.h"
#include "command/placement/placement.h"

/* ---- reduce ---- */

bool command_reduce(struct invocation *run, sw_diag *diag)
{
	sw_str text = sw_str_trim(argument(run, 0)->raw);
	const char *close = text.length > 0 && *text.at == '{' ? memchr(text.at, '}', text.length) : NULL;
	sw_text ends = {0};

	if (!need_axes(run->session, diag))
		return false;
	if (close == NULL || (size_t)(close - text.at) + 1 == text.length) {
		sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "the axes of the sum and its type are missing");
		sw_diag_expected(diag, "{AXIS, ...} TYPE, such as {%s} f32[1024]", run->session->state.mesh.axis[0].name);
		return refuse_at(run, text, diag);
	}
	sw_str axes = {text.at, (size_t)(close - text.at) + 1}, type = sw_str_trim(sw_str_behind(text, axes.length));
	sw_text_addf(&ends, "%.*s+%.*s ~> %.*s", (int)type.length, type.at, (int)axes.length, axes.at, (int)type.length,
		type.at);
	sw_str made = {sw_arena_copy(run->arena, sw_text_get(&ends), ends.length), ends.length};
	bool set = made.at != NULL ? problem_set_ends(run, made, diag) : sw_diag_memory(diag);
	sw_text_free(&ends);
	if (!set)
		diag->at = diag->also = (sw_span){0, 0};
	return set || refuse_at(run, text, diag);
}

/* ---- programs as plans ---- */

bool reduction_as_plan(const sw_ports *ports, const sw_problem *problem, const sw_plan *program, double best,
	sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_text system = {0};

	sw_system_print(ports->system, &system);
	sw_reduction_problem of = {.problem = problem,
		.ports = ports,
		.model = SW_MODEL_PORTS,
		.best = best,
		.machine = sw_text_keep(&system, arena)};
	return sw_reduction_plan(&of, program, arena, plan, diag);
}

void reduction_steps_text(const sw_ports *ports, const sw_plan *program, sw_text *text)
{
	for (int k = 0; k < program->program.steps; k++) {
		sw_text_add(text, k > 0 ? "; " : "");
		sw_step_print(ports->system, &ports->hierarchy, &program->program.step[k], text);
	}
}

void reduction_steps_fields(const sw_ports *ports, const sw_plan *program, struct fields *list)
{
	for (int k = 0; k < program->program.steps; k++) {
		sw_text text = {0};

		sw_step_print(ports->system, &ports->hierarchy, &program->program.step[k], &text);
		field_printed(list, NULL, &text);
	}
}

void say_incomplete(const struct invocation *run, const sw_contexts *contexts)
{
	if (!sw_contexts_complete(contexts))
		document_line(run->answer, INCOMPLETE);
}

bool rows_to_show(const struct invocation *run, int64_t there, int64_t usual, int64_t *shown, sw_diag *diag)
{
	*shown = run->answer->for_programs ? there : usual;
	if (!option_count(run, OPTION_LIMIT, 1, INT64_MAX, shown, diag))
		return false;
	*shown = sw_smaller(*shown, there);
	return true;
}
