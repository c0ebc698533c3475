/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writers of documents: text, JSON, and one picture of all of it.
 */
#include <string.h>

#include "answer/document.h"

/* ---- text ---- */

static bool write_table(const struct document *document, const struct table *table, const struct canvas_style *style,
	sw_text *text)
{
	struct table copy = *table;
	struct canvas canvas = {0};
	table_draw(&copy, document->width, &canvas);
	canvas_print(&canvas, style, text);
	bool ok = !canvas.failed;
	canvas_free(&canvas);
	return ok;
}

bool document_write_text(const struct document *document, const struct canvas_style *style, bool remarks,
	sw_text *text, sw_diag *diag)
{
	bool ok = !document->failed;
	for (const struct piece *piece = document->first; piece; piece = piece->next) {
		bool remark = piece->kind == PIECE_REMARK;
		if (!document_shows(document, piece))
			continue;
		if (piece->kind == PIECE_TABLE)
			ok &= write_table(document, &piece->table, style, text);
		else if (piece->kind == PIECE_PICTURE)
			canvas_print(&piece->canvas, style, text);
		else if (!remark || remarks)
			sw_text_addf(text, "%s%s", sw_text_get(&piece->text), remark ? "\n" : "");
		ok &= !piece->canvas.failed;
	}
	return (ok && !text->failed) || sw_diag_memory(diag);
}

/* ---- JSON ---- */

bool document_write_json(struct document *document, bool line, sw_text *text, sw_diag *diag)
{
	document_sign(document);
	bool ok = !document->failed && !document->json.failed && !(document->fields && fields_failed(document->fields));
	if (document->json.length)
		sw_text_add_str(text, (sw_str){document->json.data, document->json.length});
	else if (document->fields)
		fields_write(document->fields, line, text);
	return (ok && !text->failed) || sw_diag_memory(diag);
}

/* ---- a picture ---- */

#define WIDEST 1000 /* columns of a picture: tables may be wider than they were asked to be */

/* A row of text that is too long goes on in the next ones, further in than it began. */
static void draw_row(struct canvas *canvas, int columns, sw_str row)
{
	int y = canvas->height, in = 0;
	sw_text text = {0};
	sw_text_add_str(&text, row);
	while (in < columns / 2 && sw_text_get(&text)[in] == ' ')
		in++;
	canvas_put_wrapped(canvas, in, y, columns - in, 2, ROLE_TEXT, sw_text_get(&text) + in);
	if (canvas->height == y)
		canvas_put(canvas, 0, y, ROLE_TEXT, " ");
	sw_text_free(&text);
}

static void draw_rows(struct canvas *canvas, int columns, sw_str text)
{
	while (text.length) {
		const char *end = memchr(text.at, '\n', text.length);
		size_t row = end ? (size_t)(end - text.at) : text.length, all = row + (end != NULL);
		draw_row(canvas, columns, (sw_str){text.at, row});
		text = (sw_str){text.at + all, text.length - all};
	}
}

static void draw_canvas(struct canvas *canvas, const struct canvas *piece)
{
	canvas_copy(canvas, 0, canvas->height, piece);
	canvas->failed |= piece->failed;
}

static void draw_said(struct canvas *canvas, int columns, const struct piece *piece)
{
	struct canvas drawn = {0};
	canvas_reset(&drawn, columns);
	piece_say(piece, &drawn);
	draw_canvas(canvas, &drawn);
	canvas_free(&drawn);
}

static void draw_table(struct canvas *canvas, int columns, const struct table *table)
{
	struct table copy = *table;
	struct canvas drawn = {0};
	table_draw(&copy, columns, &drawn);
	draw_canvas(canvas, &drawn);
	canvas_free(&drawn);
}

bool document_draw(const struct document *document, struct canvas *canvas, sw_diag *diag)
{
	canvas_reset(canvas, WIDEST);
	for (const struct piece *piece = document->first; piece; piece = piece->next) {
		if (piece->kind == PIECE_LINES)
			draw_rows(canvas, document->width, (sw_str){sw_text_get(&piece->text), piece->text.length});
		else if (piece->kind == PIECE_TABLE)
			draw_table(canvas, document->width, &piece->table);
		else if (piece->said.length && piece->canvas.width != document->width)
			draw_said(canvas, document->width, piece);
		else if (piece->kind == PIECE_PICTURE)
			draw_canvas(canvas, &piece->canvas);
	}
	return (!document->failed && !canvas->failed) || sw_diag_memory(diag);
}
