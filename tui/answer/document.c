/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pieces of a document.
 */
#include "answer/document.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/json.h>

#include "answer/wrap.h"

void document_start(struct document *document, int width)
{
	*document = (struct document){.width = width};
	document->last = &document->first;
}

static void piece_clear(struct piece *piece)
{
	sw_text_free(&piece->text);
	table_free(&piece->table);
	canvas_free(&piece->canvas);
	sw_text_free(&piece->said);
}

void document_clear(struct document *document)
{
	while (document->first) {
		struct piece *piece = document->first;
		document->first = piece->next;
		piece_clear(piece);
		free(piece);
	}
	piece_clear(&document->nowhere);
	sw_arena_free(document->arena);
	sw_text_free(&document->json);
	bool whole = document->whole, for_programs = document->for_programs;
	document_start(document, document->width);
	document->whole = whole;
	document->for_programs = for_programs;
}

bool document_is_empty(const struct document *document)
{
	return !document->first && !document_has_json(document) && !document->failed;
}

void document_join(struct document *document, struct document *other)
{
	while (other->first) {
		struct piece *piece = other->first;
		other->first = piece->next;
		piece->next = NULL;
		if (piece->kind == PIECE_REMARK) {
			piece_clear(piece);
			free(piece);
			continue;
		}
		*document->last = piece;
		document->last = &piece->next;
	}
	document->failed |= other->failed;
	document_clear(other);
}

/* ---- pieces ---- */

static struct piece *add(struct document *document, enum piece_kind kind)
{
	struct piece *piece = calloc(1, sizeof(*piece));
	document->failed |= !piece;
	if (!piece) {
		piece_clear(&document->nowhere);
		return &document->nowhere;
	}
	piece->kind = kind;
	*document->last = piece;
	document->last = &piece->next;
	return piece;
}

void document_lines(struct document *document, sw_text *text)
{
	document->failed |= text->failed;
	plain_blanks(text);
	if (text->length && !text->failed)
		add(document, PIECE_LINES)->text = *text;
	else
		sw_text_free(text);
	*text = (sw_text){0};
}

void document_line(struct document *document, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	sw_text_add_char(&text, '\n');
	document_lines(document, &text);
}

void document_remark(struct document *document, const char *format, va_list arguments)
{
	struct piece *piece = add(document, PIECE_REMARK);
	sw_text_addv(&piece->text, format, arguments);
	document->failed |= piece->text.failed;
}

struct table *document_table(struct document *document, const struct column *columns)
{
	struct table *table = &add(document, PIECE_TABLE)->table;
	table_start(table, columns);
	return table;
}

static struct piece *add_picture(struct document *document)
{
	struct piece *piece = add(document, PIECE_PICTURE);
	canvas_reset(&piece->canvas, document->width);
	sw_text_free(&piece->said);
	return piece;
}

struct canvas *document_canvas(struct document *document)
{
	return &add_picture(document)->canvas;
}

void document_say(struct document *document, int column, const char *format, ...)
{
	struct piece *piece = add_picture(document);
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&piece->said, format, arguments);
	va_end(arguments);
	piece->said_at = column;
	piece_say(piece, &piece->canvas);
	piece->canvas.failed |= piece->said.failed;
}

void piece_say(const struct piece *piece, struct canvas *canvas)
{
	canvas_put_wrapped(canvas, piece->said_at, 0, canvas->width - piece->said_at, 2, ROLE_TEXT,
		sw_text_get(&piece->said));
}

/* ---- pieces of reports ---- */

static struct piece *add_text(struct document *document, enum piece_kind kind, sw_text *text)
{
	struct piece *piece = add(document, kind);
	document->failed |= text->failed;
	sw_text_free(&piece->text);
	piece->text = *text;
	*text = (sw_text){0};
	return piece;
}

void document_title(struct document *document, sw_text *title, sw_text *under)
{
	sw_text_add_char(title, '\0');
	sw_text_add(title, sw_text_get(under));
	title->failed |= under->failed;
	sw_text_free(under);
	add_text(document, PIECE_TITLE, title);
}

void document_heading(struct document *document, const char *title)
{
	sw_text text = {0};
	sw_text_add(&text, title);
	add_text(document, PIECE_HEADING, &text);
}

void document_words(struct document *document, sw_text *words)
{
	add_text(document, PIECE_WORDS, words);
}

void document_item(struct document *document, sw_text *words)
{
	add_text(document, PIECE_ITEM, words);
}

void document_code(struct document *document, sw_text *lines)
{
	add_text(document, PIECE_CODE, lines);
}

void document_picture(struct document *document, struct canvas *canvas, sw_text *statement)
{
	struct piece *piece = add_text(document, PIECE_PICTURE, statement);
	canvas_free(&piece->canvas);
	piece->canvas = *canvas;
	*canvas = (struct canvas){0};
}

bool words_piece(const char **words, sw_str *piece, bool *code)
{
	const char *at = *words, *close = *at == '`' ? strchr(at + 1, '`') : NULL;
	if (!*at)
		return false;
	*code = close != NULL;
	if (close) {
		*piece = (sw_str){at + 1, (size_t)(close - at - 1)};
		*words = close + 1;
		return true;
	}
	size_t length = strcspn(at + 1, "`") + 1;
	*piece = (sw_str){at, length};
	*words = at + length;
	return true;
}

/* ---- for programs ---- */

struct fields *document_fields(struct document *document, const char *schema)
{
	if (document->fields || document->failed || !document->for_programs)
		return document->fields;
	document->arena = sw_arena_new();
	document->fields = document->arena ? fields_new(document->arena) : NULL;
	document->failed |= !document->fields;
	if (schema) {
		field_text(document->fields, "schema", schema);
		document->unsigned_yet = true;
	}
	return document->fields;
}

/* Which keys, and keys that end so, are in which units. */
static void add_units(struct fields *in)
{
	static const struct {
		const char *unit, *keys[7];
	} units[] = {{"elements", {"cost", "volume", "height", "live_peak", "localsize", "budget"}}, {"bytes", {"bytes"}},
		{"seconds", {"seconds"}}};
	struct fields *said = field_object(in, "units");
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		struct fields *keys = field_list(said, units[i].unit);
		for (int k = 0; units[i].keys[k]; k++)
			field_text(keys, NULL, units[i].keys[k]);
	}
}

void document_sign(struct document *document)
{
	if (!document->unsigned_yet)
		return;
	document->unsigned_yet = false;
	field_text(document->fields, "program", sw_written_by());
	add_units(document->fields);
}

void document_json(struct document *document, sw_text *text)
{
	document->failed |= text->failed;
	sw_text_free(&document->json);
	document->json = *text;
	*text = (sw_text){0};
}

bool document_has_json(const struct document *document)
{
	return document->fields || document->json.length;
}

bool document_is_answered(const struct document *document)
{
	return document->for_programs && document_has_json(document);
}

bool document_shows(const struct document *document, const struct piece *piece)
{
	return piece->kind == PIECE_REMARK || !document_is_answered(document);
}

const char *plural(int64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}
