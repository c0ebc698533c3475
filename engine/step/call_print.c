/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing calls as sw_call_read reads them back.
 */
#include <inttypes.h>

#include <shardwalk/collective.h>

#include "array/parts.h"
#include "step/call.h"
#include "step/row.h"

static void call_print_parts(const sw_mesh *mesh, const sw_part *part, int count, sw_text *text)
{
	sw_text_add_char(text, '{');
	for (int p = 0; p < count; p++) {
		sw_text_add(text, p ? "," : "");
		sw_part_print(mesh, part[p], text);
	}
	sw_text_add_char(text, '}');
}

/* A factor, or the parts where the call names them. */
static void call_print_amount(const sw_mesh *mesh, const sw_call *call, int k, int begin, sw_text *text)
{
	if (call->count[k])
		call_print_parts(mesh, call->pushed + begin, call->count[k], text);
	else
		sw_text_addf(text, "%" PRId64, call->split[k].factor);
}

static void call_print_gathers(const sw_call *call, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int g = 0; g < call->gathers; g++)
		sw_text_addf(text, "%s[%d,%" PRId64 "]", g ? "," : "", call->gather[g].dim, call->gather[g].factor);
	sw_text_add_char(text, ']');
}

static void call_print_splits(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int s = 0, begin = 0; s < call->splits; begin += call->count[s++]) {
		sw_text_addf(text, "%s[%d,", s ? "," : "", call->split[s].dim);
		call_print_amount(mesh, call, s, begin, text);
		sw_text_add_char(text, ']');
	}
	sw_text_add_char(text, ']');
}

void sw_print_slice(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	if (call->splits != 1 || !call->count[0]) {
		sw_text_addf(text, "%s ", sw_row(call->op)->general);
		call_print_splits(mesh, call, text);
		return;
	}
	sw_text_addf(text, "%s(%d, ", sw_row(call->op)->name, call->split[0].dim);
	if (call->count[0] == 1)
		sw_part_print(mesh, call->pushed[0], text);
	else
		call_print_parts(mesh, call->pushed, call->count[0], text);
	sw_text_add_char(text, ')');
}

void sw_print_gather(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	(void)mesh;
	if (call->gathers == 1) {
		sw_text_addf(text, "%s(%d, %" PRId64 ")", sw_row(call->op)->name, call->gather[0].dim,
			call->gather[0].factor);
		return;
	}
	sw_text_addf(text, "%s ", sw_row(call->op)->general);
	call_print_gathers(call, text);
}

void sw_print_swap(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	if (call->gathers == 1 && call->splits == 1) {
		sw_text_addf(text, "%s(%d, %d, ", sw_row(call->op)->name, call->gather[0].dim, call->split[0].dim);
		call_print_amount(mesh, call, 0, 0, text);
		sw_text_add_char(text, ')');
		return;
	}
	sw_text_addf(text, "%s ", sw_row(call->op)->general);
	call_print_gathers(call, text);
	sw_text_add_char(text, ' ');
	call_print_splits(mesh, call, text);
}

void sw_print_target(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	sw_text_addf(text, "%s ", sw_row(call->op)->name);
	sw_type_print(mesh, &call->target, call->target.dtype_given, text);
}

void sw_call_print(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	sw_row(call->op)->print(mesh, call, text);
}
