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

/* The factor of a split, or its parts where the call names them; several, and any where `braces` are asked for, in braces. */
static void call_print_amount(const sw_mesh *mesh, const sw_call *call, int k, int begin, bool braces, sw_text *text)
{
	if (call->count[k] == 0)
		sw_text_addf(text, "%" PRId64, call->split[k].factor);
	else if (call->count[k] == 1 && !braces)
		sw_part_print(mesh, call->pushed[begin], text);
	else
		call_print_parts(mesh, call->pushed + begin, call->count[k], text);
}

/* `0:2 1:2` */
static void call_print_gathers(const sw_call *call, sw_text *text)
{
	for (int g = 0; g < call->gathers; g++)
		sw_text_addf(text, "%s%d:%" PRId64, g ? " " : "", call->gather[g].dim, call->gather[g].factor);
}

/* `0:2 1:x 2:{y,z}` */
static void call_print_splits(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	for (int s = 0, begin = 0; s < call->splits; begin += call->count[s++]) {
		sw_text_addf(text, "%s%d:", s ? " " : "", call->split[s].dim);
		call_print_amount(mesh, call, s, begin, false, text);
	}
}

void sw_print_slice(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	sw_text_addf(text, "%s(", sw_row(call->op)->name);
	if (call->splits == 1) {
		sw_text_addf(text, "%d, ", call->split[0].dim);
		call_print_amount(mesh, call, 0, 0, false, text);
	} else {
		call_print_splits(mesh, call, text);
	}
	sw_text_add_char(text, ')');
}

void sw_print_gather(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	(void)mesh;
	sw_text_addf(text, "%s(", sw_row(call->op)->name);
	if (call->gathers == 1)
		sw_text_addf(text, "%d, %" PRId64, call->gather[0].dim, call->gather[0].factor);
	else
		call_print_gathers(call, text);
	sw_text_add_char(text, ')');
}

void sw_print_swap(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	sw_text_addf(text, "%s(", sw_row(call->op)->name);
	if (call->gathers == 1 && call->splits == 1) {
		sw_text_addf(text, "%d, %d, ", call->gather[0].dim, call->split[0].dim);
		call_print_amount(mesh, call, 0, 0, true, text);
	} else {
		sw_text_add(text, "gather ");
		call_print_gathers(call, text);
		sw_text_add(text, ", split ");
		call_print_splits(mesh, call, text);
	}
	sw_text_add_char(text, ')');
}

void sw_print_sums(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	sw_text_addf(text, "%s ", sw_row(call->op)->name);
	call_print_parts(mesh, call->sum, call->sums, text);
}

/* ` [[0,2],[1,2]]` */
static void call_print_list(const sw_entry *entry, int count, sw_text *text)
{
	sw_text_add(text, " [");
	for (int e = 0; e < count; e++)
		sw_text_addf(text, "%s[%d,%" PRId64 "]", e ? "," : "", entry[e].dim, entry[e].factor);
	sw_text_add_char(text, ']');
}

void sw_print_scatter(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	int named = 0;
	for (int s = 0; s < call->splits; s++)
		named += call->count[s];
	if (call->gathers == 0 && call->splits == 1 && !named) {
		sw_text_addf(text, "%s(%d, ", sw_row(call->op)->name, call->split[0].dim);
		call_print_parts(mesh, call->sum, call->sums, text);
		sw_text_add_char(text, ')');
		return;
	}
	sw_print_sums(mesh, call, text);
	call_print_list(call->gather, call->gathers, text);
	call_print_list(call->split, call->splits, text);
	if (named) {
		sw_text_add_char(text, ' ');
		call_print_parts(mesh, call->pushed, named, text);
	}
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

void sw_call_print_beside(const sw_mesh *mesh, const sw_call *call, sw_text *text)
{
	if (sw_row(call->op)->told == SW_TOLD_BY_TYPE)
		sw_text_add(text, sw_row(call->op)->name);
	else
		sw_call_print(mesh, call, text);
}
