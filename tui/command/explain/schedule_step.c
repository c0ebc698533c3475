/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `explain` tells of schedules.
 */
#include "command/explain/schedule_step.h"

#include <shardwalk/number.h>
#include <shardwalk/schedule_walk.h>

#include "answer/order.h"
#include "session/schedules.h"
#include "views/scheduled.h"

#define MESSAGES_MOST 64

/* ---- a step ---- */

bool is_schedule_step(sw_str word)
{
	return sw_str_is(word, "step") || sw_str_starts(word, "step ");
}

/* The step that is asked about, from 1; without a number that of the walk, or the first. */
static bool read_step(const struct invocation *run, sw_str word, struct schedule_look *look, sw_diag *diag)
{
	sw_str number = sw_str_trim(sw_str_behind(word, 4));
	int64_t steps = look->lowering->steps;

	look->step = look->step > 0 ? look->step : 1;
	if (number.length == 0)
		return true;
	if (sw_read_int(number, &look->step, NULL) && look->step >= 1 && look->step <= steps)
		return true;
	sw_diag_set(diag, SW_L12, (sw_span){0, 0}, "there is no such step");
	sw_diag_expected(diag, "1 to %lld", (long long)steps);
	return refuse_at(run, number, diag);
}

/* Which loop it is that makes something move. */
static void say_fetch(const struct schedule_look *look, const sw_fetch *fetch, const char *moves,
	struct document *answer)
{
	const sw_lowering *lowering = look->lowering;
	sw_text name = {0};
	sw_str loop = fetch->loop >= 0 ? look->schedule->loop[fetch->loop].name : (sw_str){"the statement", 13};

	schedule_print_fetch(lowering, fetch, &name);
	document_say(answer, 4, "%s: %s, as %.*s goes on%s: %s", sw_text_get(&name),
		fetch->array == 0 ? "given away" : "fetched", AS_SHOWN(loop),
		fetch->stated ? " (communicate)" : " (no command says when, so as late as possible)", moves);
	sw_text_free(&name);
}

static bool say_fetches(const struct schedule_look *look, const sw_schedule_messages *messages, sw_arena *arena,
	struct document *answer)
{
	sw_schedule_pattern pattern;

	for (int k = 0; k < look->lowering->fetches; k++) {
		const sw_fetch *fetch = &look->lowering->fetch[k];
		sw_text moves = {0};
		if (!sw_lowering_pattern(look->lowering, k, messages, arena, &pattern))
			return false;
		if (pattern.name == SW_SCHEDULE_PATTERN_NONE)
			sw_text_add(&moves,
				sw_fetch_begins(fetch, look->step - 1) ? "everything is already "
														 "there" :
														 "not in this step");
		else
			schedule_print_pattern(&pattern, messages, k, &moves);
		say_fetch(look, fetch, sw_text_get(&moves), answer);
		sw_text_free(&moves);
	}
	return true;
}

/* ---- message by message ---- */

static const sw_schedule_message *message_at(const struct row_at *at)
{
	return at->row;
}

static const sw_fetch *fetch_at(const struct row_at *at)
{
	const struct schedule_look *look = at->of;

	return &look->lowering->fetch[message_at(at)->fetch];
}

static void print_array(const struct row_at *at, sw_text *text)
{
	schedule_print_fetch(((const struct schedule_look *)at->of)->lowering, fetch_at(at), text);
}

static void print_box(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;

	schedule_print_box(message_at(at)->box, look->schedule->problem->formula.array[fetch_at(at)->array].rank, text);
}

enum { END_FROM, END_TO };

/* The node in which a unit of a level is. */
static int64_t node_of(const sw_mesh *mesh, int level, int64_t unit)
{
	return unit / (sw_schedule_units(mesh, level) / sw_schedule_units(mesh, 1));
}

static void print_end(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;
	const sw_mesh *mesh = look->schedule->problem->mesh;
	int64_t unit = at->part == END_FROM ? message_at(at)->from : message_at(at)->to;
	int64_t other = at->part == END_FROM ? message_at(at)->to : message_at(at)->from;
	int level = fetch_at(at)->level, levels = sw_mesh_levels(mesh);

	if (unit == SW_NODE_COPY)
		sw_text_addf(text, "copy of node %lld", (long long)node_of(mesh, level, other));
	else if (levels == 1)
		sw_text_addf(text, "%lld", (long long)unit);
	else if (level == 1)
		sw_text_addf(text, "node %lld", (long long)unit);
	else
		sw_text_addf(text, "%lld in node %lld", (long long)unit, (long long)node_of(mesh, level, unit));
}

/* Why that one sends. */
static void print_why(const struct row_at *at, sw_text *text)
{
	static const char *const words[] = {
		[SW_SOURCE_COPY] = "a copy of its own node",
		[SW_SOURCE_USED] = "used it before",
		[SW_SOURCE_HOME] = "owns it",
		[SW_SOURCE_SUM] = "computed terms of it",
	};

	sw_text_add(text, words[message_at(at)->source]);
	if (message_at(at)->source == SW_SOURCE_USED || message_at(at)->source == SW_SOURCE_HOME)
		sw_text_addf(text, ", %lld %s away", (long long)message_at(at)->distance,
			message_at(at)->distance == 1 ? "hop" : "hops");
}

static const char *source_of(const struct row_at *at)
{
	static const char *const words[] =
		{[SW_SOURCE_COPY] = "copy", [SW_SOURCE_USED] = "used", [SW_SOURCE_HOME] = "home", [SW_SOURCE_SUM] = "sum"};

	return words[message_at(at)->source];
}

static const struct row_column message_columns[] = {
	ROW_BY("array", "array", TEXT, .print = print_array, .role = ROLE_TYPE),
	ROW_BY("to", "to", TEXT, .print = print_end, .part = END_TO, .role = ROLE_LABEL),
	ROW_BY("box", "lacks", TEXT, .print = print_box),
	ROW_AT("elements", "elements", LARGE, sw_schedule_message, elements),
	ROW_BY("from", "from", TEXT, .print = print_end, .part = END_FROM, .role = ROLE_LABEL),
	ROW_AT("distance", NULL, COUNT, sw_schedule_message, distance),
	ROW_BY("source", NULL, WORD, .word_of = source_of),
	ROW_BY(NULL, "who", TEXT, .print = print_why, .as = {.fit = CELL_WRAP}),
};

bool explain_schedule_step(struct invocation *run, sw_str word, sw_diag *diag)
{
	struct schedule_look look;
	sw_schedule_messages messages;
	sw_text at = {0};

	if (session_schedule(run->session, diag) == NULL || !session_schedule_look(run->session, &look, diag) ||
		!read_step(run, word, &look, diag))
		return false;
	if (!sw_lowering_messages(look.lowering, look.step - 1, run->arena, &messages))
		return sw_diag_memory(diag);
	sw_lowering_print_at(look.lowering, look.step - 1, &at);
	document_line(run->answer, "step %lld of %lld%s%s", (long long)look.step, (long long)look.lowering->steps,
		at.length > 0 ? "  " : "", sw_text_get(&at));
	sw_text_free(&at);
	if (!say_fetches(&look, &messages, run->arena, run->answer))
		return sw_diag_memory(diag);
	struct fields *fields = document_fields(run->answer, "shardwalk.schedule_step/1");
	field_int(fields, "step", look.step);
	field_text(fields, "sender", sw_sender_rule_name(look.lowering->senders));
	struct rows rows = ROWS_OF(message_columns, messages.message, messages.count, .of = &look);
	if (fields == NULL)
		rows.count = sw_smaller(rows.count, MESSAGES_MOST);
	if (messages.count > 0 && !rows_answer(&rows, run->answer, fields, "messages", diag))
		return false;
	if (messages.count > messages.outs)
		document_say(run->answer, 0,
			"asks the %s holder: %s; at equal distance, a device that used it in the previous step comes "
			"first%s",
			sw_sender_rule_name(look.lowering->senders), sw_sender_rule_text(look.lowering->senders),
			sw_mesh_levels(look.schedule->problem->mesh) > 1 ? "; a copy on its own node comes before all "
															   "others" :
															   "");
	if (rows.count < messages.count)
		document_line(run->answer, "… and %lld more; `show traffic` draws all",
			(long long)(messages.count - rows.count));
	return true;
}

/* ---- commands ---- */

const struct sw_schedule_command_row *schedule_command_named(sw_str word)
{
	const sw_schedule_command_row *row = NULL;
	int n = 0;

	while ((row = sw_schedule_command_at(n)) != NULL && !sw_str_is(word, row->word))
		n++;
	return row;
}

int schedule_command_draw(sw_str word, struct canvas *canvas, int y)
{
	const sw_schedule_command_row *row = schedule_command_named(word);
	const struct {
		const char *head, *words;
	} parts[] = {{"written", row->arguments}, {"needs", row->premise}, {"does", row->effect},
		{"refused", row->refusal}, {"example", row->example}};

	canvas_putf(canvas, 0, y++, ROLE_TITLE, "%s, a command of schedules", row->word);
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
		if (parts[k].words == NULL)
			continue;
		canvas_put(canvas, 0, y, ROLE_LABEL, parts[k].head);
		y = canvas_put_wrapped(canvas, 9, y, canvas->width - 9, 0, ROLE_TEXT, parts[k].words);
	}
	return y;
}
