/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the user's program says of a chain: the lines of its collectives, and which of them names it.
 */
#include "foreign/module/hlo_parts.h"

#include <assert.h>
#include <string.h>

static const char *keep(graph_reading *r, sw_text *text, bool said)
{
	const char *copy = said && !text->failed ? sw_arena_copy(r->brief, sw_text_get(text), text->length) : NULL;
	r->failed = r->failed || (said && !copy);
	sw_text_free(text);
	return copy;
}

void hlo_said_add(graph_reading *r, int i, hlo_said *said)
{
	sw_text text = {0};
	sw_str metadata;
	if (!hlo_attribute(r->module->instruction[i].attributes, "metadata", &metadata))
		return;
	if (!said->op_name)
		said->op_name = keep(r, &text, hlo_quoted(metadata, "op_name=\"", &text));
	if (!said->source)
		said->source = keep(r, &text, hlo_source_add(r, metadata, &text));
}

static void add_line(hlo_said *said, const char *line)
{
	for (int k = 0; k < said->lines; k++)
		if (strcmp(said->line[k], line) == 0)
			return;
	said->line[said->lines++] = line;
}

/* The lines of all steps that are collectives; `most` becomes what the step says that moves most of those that have one. */
static void add_steps(graph_reading *r, const int *step, int steps, hlo_said *said, hlo_said *most)
{
	double bytes = -1;
	for (int k = 0; k < steps; k++) {
		hlo_said own = {.op_name = NULL};
		if (r->traffic[step[k]].count)
			hlo_said_add(r, step[k], &own);
		if (own.source)
			add_line(said, own.source);
		if (own.source && r->traffic[step[k]].bytes > bytes) {
			*most = own;
			bytes = r->traffic[step[k]].bytes;
		}
	}
}

hlo_said hlo_said_of(graph_reading *r, const int *step, int steps, const int *before, int count)
{
	hlo_said said = {.line = SW_NEW(r->brief, const char *, steps + 1)}, most = {.op_name = NULL};
	assert(r->traffic && steps >= 0 && count >= 0);
	if (!said.line) {
		r->failed = true;
		return said;
	}
	add_steps(r, step, steps, &said, &most);
	said.op_name = most.op_name;
	said.source = most.source;
	for (int k = 0; k < count && !said.source; k++)
		hlo_said_add(r, before[k], &said);
	if (!said.op_name && count)
		hlo_said_add(r, before[0], &said);
	if (said.source && !said.lines)
		add_line(&said, said.source);
	return said;
}

bool hlo_said_same(const hlo_said *a, const hlo_said *b)
{
	bool same = a->lines == b->lines;
	for (int k = 0; same && k < a->lines; k++)
		same = strcmp(a->line[k], b->line[k]) == 0;
	return same;
}

static const char *copy_of(graph_reading *r, const char *text)
{
	const char *copy = text ? sw_arena_copy(r->arena, text, strlen(text)) : NULL;
	r->failed = r->failed || (text && !copy);
	return copy;
}

hlo_said hlo_said_keep(graph_reading *r, const hlo_said *said)
{
	hlo_said kept = {.op_name = copy_of(r, said->op_name),
		.source = copy_of(r, said->source),
		.line = SW_NEW(r->arena, const char *, said->lines + 1),
		.lines = said->lines};
	r->failed = r->failed || !kept.line;
	for (int k = 0; kept.line && k < said->lines; k++)
		kept.line[k] = copy_of(r, said->line[k]);
	return kept;
}
