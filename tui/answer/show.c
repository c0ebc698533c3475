/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the document of a command to the console.
 */
#include "answer/show.h"

#include <shardwalk/json.h>

#include "answer/pager.h"
#include "host/background.h"

static bool show_table(const struct table *table, struct console *console, int width, sw_diag *diag)
{
	struct table copy = *table;
	struct canvas canvas = {0};
	table_draw(&copy, width, &canvas);
	bool ok = console_draw(console, &canvas, diag);
	canvas_free(&canvas);
	return ok;
}

static bool show_piece(const struct piece *piece, struct console *console, int width, sw_diag *diag)
{
	switch (piece->kind) {
	case PIECE_LINES:
		return console_write(console, &piece->text, diag);
	case PIECE_REMARK:
		console_remark(console, "%s", sw_text_get(&piece->text));
		return true;
	case PIECE_TABLE:
		return show_table(&piece->table, console, width, diag);
	default:
		return console_draw(console, &piece->canvas, diag);
	}
}

static bool show_json(struct document *document, struct console *console, sw_diag *diag)
{
	sw_text text = {0};
	bool ok = document_write_json(document, !console->out_terminal, &text, diag) &&
		console_write(console, &text, diag);
	sw_text_free(&text);
	return ok;
}

bool answer_show(struct document *document, struct console *console, sw_diag *diag)
{
	bool ok = true;
	for (const struct piece *piece = document->first; piece && ok; piece = piece->next)
		ok = !document_shows(document, piece) || show_piece(piece, console, document->width, diag);
	if (ok && document_has_json(document))
		ok = show_json(document, console, diag);
	return ok && (!document->failed || sw_diag_memory(diag));
}

bool answer_pass_on(struct session *session, sw_diag *diag)
{
	struct document *document = session->answer;
	if (!document || document->whole)
		return true;
	const struct console *console = session->console;
	bool ok = answer_show(document, session->console, diag);
	if (ok && console->taker && console->taker->document && console->out == stdout)
		console->taker->document(console->taker->context, document);
	document_clear(document);
	return ok;
}

bool answer_flush(struct session *session, sw_diag *diag)
{
	return answer_pass_on(session, diag) && console_flush(session->console, diag);
}

bool answer_page(struct session *session, sw_diag *diag)
{
	struct document *document = session->answer;
	struct console *console = session->console;
	sw_text text = {0};
	bool ok = document_write_text(document, &console->style, !console->quiet, &text, diag) &&
		document_write_json(document, false, &text, diag);
	if (ok)
		pager_show(console, sw_text_get(&text), text.length);
	sw_text_free(&text);
	document_clear(document);
	return ok && console_flush(console, diag);
}

void answer_dress(struct session *session)
{
	const struct settings *settings = &session->state.settings;
	bool light = setting_is(settings, SETTING_BACKGROUND, "auto") ? background_is_light() :
																	setting_is(settings, SETTING_BACKGROUND, "light");
	console_choose(session->console, (enum choice)settings->value[SETTING_COLOR].number,
		(enum choice)settings->value[SETTING_ASCII].number, light, (int)settings->value[SETTING_WIDTH].number);
}

void answer_ask_background(struct session *session)
{
	if (setting_is(&session->state.settings, SETTING_BACKGROUND, "auto") && session->console->style.colors)
		background_ask();
}

static void remark(struct session *session, const char *format, va_list arguments)
{
	struct document *document = session->answer;
	sw_text text = {0};
	if (document && (document->whole || !document_is_empty(document)))
		document_remark(document, format, arguments);
	else
		sw_text_addv(&text, format, arguments);
	if (text.length)
		console_remark(session->console, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

void answer_remark(struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	remark(session, format, arguments);
	va_end(arguments);
}

void answer_hint(struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (!session->answer || !session->answer->for_programs)
		remark(session, format, arguments);
	va_end(arguments);
}

bool answer_wrap(struct session *session, const char *command, sw_diag *diag)
{
	struct document *document = session->answer;
	const struct canvas_style plain = {.ascii = session->console->style.ascii};
	sw_text text = {0};
	for (const struct piece *piece = document->first; piece; piece = piece->next)
		if (piece->kind == PIECE_REMARK)
			console_remark(session->console, "%s", sw_text_get(&piece->text));
	bool ok = document_write_text(document, &plain, false, &text, diag);
	document_clear(document);
	if (ok && text.length) {
		document->for_programs = true;
		struct fields *fields = document_fields(document, NULL);
		field_text(fields, "schema", "shardwalk.text/1");
		field_text(fields, "command", command);
		field_printed(fields, "text", &text);
		field_text(fields, "program", sw_written_by());
	}
	sw_text_free(&text);
	return ok;
}

void answer_error(struct session *session, const struct position *position, const sw_diag *diag, const char *name)
{
	sw_text text = {0};
	sw_diag ignored;
	sw_str source = position ? position->text : (sw_str){"", 0};
	sw_diag_write(diag, name, position ? position->file : NULL, position ? position->line : 0, source, &text);
	console_write(session->console, &text, &ignored);
	sw_text_free(&text);
}
