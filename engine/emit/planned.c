/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planned programs as code: a row a format, and what the formats share.
 */
#include "emit/planned.h"

#include <stdio.h>
#include <string.h>

#include "emit/program.h"

static bool (*const writers[SW_EMIT_COUNT])(sw_planned_emitter *w) = {
	[SW_EMIT_MPI] = sw_emit_planned_mpi,
	[SW_EMIT_SHARD_MAP] = sw_emit_planned_shard_map,
};

bool sw_emit_plans(sw_emit_kind kind)
{
	return writers[kind] != NULL;
}

/* ---- refusals ---- */

/* The statement that a step belongs to; behind the last there is the return. */
static void place_of(const sw_planned_emitter *w, int s, sw_text *text)
{
	const sw_planned_step *step = &w->planned->step[s];
	sw_str name = w->planned->value[step->result].name;

	if (step->statement >= w->planned->program->statements)
		sw_text_addf(text, "the return of %.*s: ", (int)name.length, name.at);
	else
		sw_text_addf(text, "step %d, %.*s = %s: ", step->statement + 1, (int)name.length, name.at,
			sw_program_op_name(step->op));
}

bool sw_planned_refused(const sw_planned_emitter *w, int s)
{
	sw_text text = {0};
	sw_diag *diag = w->e.diag;

	if (diag->code != SW_P06)
		return false;
	place_of(w, s, &text);
	sw_text_add(&text, diag->message);
	snprintf(diag->message, sizeof diag->message, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return false;
}

bool sw_planned_refuse(const sw_planned_emitter *w, int s, const char *format, ...)
{
	char reason[160];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	sw_emit_refuse(&w->e, SW_PROGRAM_HINT, "%s", reason);
	return sw_planned_refused(w, s);
}

/* ---- words ---- */

void sw_planned_words(const sw_planned_emitter *w, int s, sw_text *text)
{
	const sw_planned_step *step = &w->planned->step[s];
	const sw_type *type = sw_planned_type(w, step->result);

	sw_text_add_str(text, w->planned->value[step->result].name);
	sw_text_addf(text, " = %s ", sw_program_op_name(step->op));
	if (sw_program_op_multiplies(step->op)) {
		sw_text_add_char(text, '"');
		sw_equation_print(sw_planned_equation(w->planned, step), text);
		sw_text_add(text, "\" ");
	}
	for (int i = 0; i < step->count; i++) {
		sw_text_add_str(text, w->planned->value[step->operand[i]].name);
		sw_text_add_char(text, ' ');
	}
	sw_text_add(text, "as ");
	sw_type_print(&w->planned->program->mesh, type, false, text);
}

/* ---- redistributions ---- */

static bool make_moves(sw_planned_emitter *w)
{
	const sw_planned *planned = w->planned;

	w->move = SW_NEW_ZERO(w->e.arena, sw_emitter, planned->count + 1);
	if (!w->move)
		return sw_diag_memory(w->e.diag);
	for (int s = 0; s < planned->count; s++) {
		const sw_plan *plan = planned->step[s].plan;

		if (!plan)
			continue;
		w->move[s] = (sw_emitter){.plan = plan,
			.arena = w->e.arena,
			.text = w->e.text,
			.diag = w->e.diag,
			.devices = plan->problem.mesh.devices,
			.rank = plan->problem.from.rank};
		if (!sw_emit_ready(&w->move[s], w->kind))
			return sw_planned_refused(w, s);
	}
	return true;
}

bool sw_emit_planned(sw_emit_kind kind, const sw_planned *planned, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_planned_emitter w = {.kind = kind,
		.planned = planned,
		.e = {.arena = arena, .text = text, .diag = diag, .devices = planned->program->mesh.devices}};
	size_t start = text->length;

	if (!writers[kind])
		return sw_emit_program(kind, planned->program, arena, text, diag);
	bool ok = make_moves(&w) && writers[kind](&w);
	if (ok && text->failed)
		ok = sw_diag_memory(diag);
	if (!ok && text->data) {
		text->length = start;
		text->data[start] = '\0';
	}
	return ok;
}
