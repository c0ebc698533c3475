/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports as Markdown: pictures are blocks of text, in the alphabet of answers.
 */
#include "answer/document.h"

#include <string.h>

/* ---- text ---- */

/* A blank that does not break is written as any other. */
static void add_plain(sw_text *text, sw_str words)
{
	for (size_t i = 0; i < words.length; i++) {
		if (words.at[i] && strchr("\\`*_[]<>#|~&", words.at[i]))
			sw_text_add_char(text, '\\');
		bool no_break = i + 1 < words.length && memcmp(words.at + i, "\xc2\xa0", 2) == 0;
		sw_text_add_char(text, no_break ? ' ' : words.at[i]);
		i += no_break;
	}
}

static void add_words(sw_text *text, const char *words)
{
	sw_str piece;
	bool code;
	while (words_piece(&words, &piece, &code)) {
		if (!code) {
			add_plain(text, piece);
			continue;
		}
		sw_text_add_char(text, '`');
		sw_text_add_str(text, piece);
		sw_text_add_char(text, '`');
	}
}

/* A fence is longer than any row of backquotes between. */
static void add_fenced(sw_text *text, const char *kind, const char *lines)
{
	size_t longest = 2, length = strlen(lines);
	for (const char *at = strchr(lines, '`'); at; at = strchr(at, '`')) {
		size_t row = strspn(at, "`");
		longest = row > longest ? row : longest;
		at += row;
	}
	sw_text fence = {0};
	for (size_t i = 0; i <= longest; i++)
		sw_text_add_char(&fence, '`');
	bool open = length && lines[length - 1] != '\n';
	sw_text_addf(text, "%s%s\n%s%s%s\n\n", sw_text_get(&fence), kind, lines, open ? "\n" : "", sw_text_get(&fence));
	sw_text_free(&fence);
}

/* ---- pieces ---- */

static void add_paragraph(sw_text *text, const char *sign, const char *words)
{
	sw_text_add(text, sign);
	add_words(text, words);
	sw_text_add(text, "\n\n");
}

static void add_item(sw_text *text, int number, const char *words)
{
	sw_text_addf(text, "%d. ", number);
	add_words(text, words);
	sw_text_add_char(text, '\n');
}

static void add_picture(sw_text *text, const struct canvas *canvas, const char *statement,
	const struct canvas_style *style)
{
	sw_text lines = {0};
	canvas_print(canvas, style, &lines);
	if (*statement)
		sw_text_addf(text, "`%s`:\n\n", statement);
	add_fenced(text, "text", sw_text_get(&lines));
	sw_text_free(&lines);
}

static void add_table(sw_text *text, const struct document *document, const struct table *table,
	const struct canvas_style *style)
{
	struct table copy = *table;
	struct canvas canvas = {0};
	table_draw(&copy, document->width, &canvas);
	add_picture(text, &canvas, "", style);
	canvas_free(&canvas);
}

static void add_piece(sw_text *text, const struct document *document, const struct piece *piece, int item,
	const struct canvas_style *style)
{
	const char *words = sw_text_get(&piece->text);
	switch (piece->kind) {
	case PIECE_TITLE:
		add_paragraph(text, "# ", words);
		add_paragraph(text, "", words + strlen(words) + 1);
		break;
	case PIECE_HEADING:
		add_paragraph(text, "## ", words);
		break;
	case PIECE_ITEM:
		add_item(text, item, words);
		break;
	case PIECE_PICTURE:
		add_picture(text, &piece->canvas, words, style);
		break;
	case PIECE_TABLE:
		add_table(text, document, &piece->table, style);
		break;
	case PIECE_LINES:
	case PIECE_CODE:
		add_fenced(text, "", words);
		break;
	default:
		add_paragraph(text, "", words);
	}
}

/* One newline ends the last block, not two. */
static void end(sw_text *text)
{
	while (text->length > 1 && text->data[text->length - 1] == '\n' && text->data[text->length - 2] == '\n')
		text->data[--text->length] = '\0';
}

bool document_write_markdown(const struct document *document, const struct canvas_style *style, sw_text *text,
	sw_diag *diag)
{
	int item = 0;
	for (const struct piece *piece = document->first; piece; piece = piece->next) {
		if (item && piece->kind != PIECE_ITEM)
			sw_text_add_char(text, '\n');
		item = piece->kind == PIECE_ITEM ? item + 1 : 0;
		add_piece(text, document, piece, item, style);
	}
	end(text);
	return (!document->failed && !text->failed) || sw_diag_memory(diag);
}
