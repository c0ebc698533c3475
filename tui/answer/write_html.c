/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports as HTML: one file without scripts or anything from elsewhere, well-formed as XML too; pictures are SVG
 * in the page and take their colours from it.
 */
#include "answer/document.h"

#include "answer/color.h"
#include "answer/svg.h"
#include "answer/xml.h"

#include <string.h>

static void add_piece(sw_text *text, sw_str piece)
{
	sw_text copy = {0};
	sw_text_add_str(&copy, piece);
	xml_add(text, sw_text_get(&copy));
	sw_text_free(&copy);
}

static void add_words(sw_text *text, const char *words, bool marked)
{
	sw_str piece;
	bool code;
	while (words_piece(&words, &piece, &code)) {
		sw_text_add(text, code && marked ? "<code>" : "");
		add_piece(text, piece);
		sw_text_add(text, code && marked ? "</code>" : "");
	}
}

static void add_page_style(sw_text *text)
{
	sw_text_addf(text,
		":root{color-scheme:light dark}\nbody{margin:2em auto;max-width:62em;padding:0 1em;"
		"font-family:system-ui,sans-serif;line-height:1.5;color:%s;background:%s}\n",
		color_light.ink, color_light.paper);
	sw_text_add(text,
		"pre,code{font-family:ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;font-size:.9em}\n"
		"pre{padding:.6em 1em;border:1px solid #8888;border-radius:4px;white-space:pre-wrap}\n"
		"figure{margin:1em 0}\nfigcaption{font-size:.9em}\nsvg{display:block;max-width:100%;height:auto}\n"
		".under{margin-top:-.6em}\n");
	sw_text_addf(text, "@media screen and (prefers-color-scheme:dark){\nbody{color:%s;background:%s}\n}\n",
		color_dark.ink, color_dark.paper);
	sw_text_add(text,
		"@media print{\nbody{margin:0;max-width:none}\nfigure,pre,li{break-inside:avoid}\n"
		"h2{break-after:avoid}\n}\n");
}

static void add_title(sw_text *text, const char *title, const char *under)
{
	sw_text_add(text,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
	add_words(text, title, false);
	sw_text_add(text, "</title>\n<style>\n");
	add_page_style(text);
	svg_add_style(NULL, text);
	sw_text_add(text, "</style>\n</head>\n<body>\n<h1>");
	add_words(text, title, true);
	sw_text_add(text, "</h1>\n<p class=\"under\">");
	add_words(text, under, true);
	sw_text_add(text, "</p>\n");
}

static void add_element(sw_text *text, const char *name, const char *words)
{
	sw_text_addf(text, "<%s>", name);
	add_words(text, words, true);
	sw_text_addf(text, "</%s>\n", name);
}

static void add_code(sw_text *text, const char *lines)
{
	sw_text_add(text, "<pre>");
	xml_add(text, lines);
	sw_text_add(text, "</pre>\n");
}

static void add_picture(sw_text *text, const struct canvas *canvas, const char *statement, int number)
{
	const struct svg_options options = {.name = statement,
		.about = "a picture of the session",
		.in_page = true,
		.number = number};
	sw_text_add(text, "<figure>\n<figcaption><code>");
	xml_add(text, statement);
	sw_text_add(text, "</code></figcaption>\n");
	svg_add(canvas, &options, text);
	sw_text_add(text, "</figure>\n");
}

static void add_table(sw_text *text, const struct document *document, const struct table *table, int number)
{
	struct table copy = *table;
	struct canvas canvas = {0};
	table_draw(&copy, document->width, &canvas);
	add_picture(text, &canvas, "", number);
	canvas_free(&canvas);
}

bool document_write_html(const struct document *document, sw_text *text, sw_diag *diag)
{
	int pictures = 0;
	bool listed = false;
	for (const struct piece *piece = document->first; piece; piece = piece->next) {
		const char *words = sw_text_get(&piece->text);
		if ((piece->kind == PIECE_ITEM) != listed)
			sw_text_add(text, listed ? "</ol>\n" : "<ol>\n");
		listed = piece->kind == PIECE_ITEM;
		switch (piece->kind) {
		case PIECE_TITLE:
			add_title(text, words, words + strlen(words) + 1);
			break;
		case PIECE_HEADING:
			add_element(text, "h2", words);
			break;
		case PIECE_ITEM:
			add_element(text, "li", words);
			break;
		case PIECE_PICTURE:
			add_picture(text, &piece->canvas, words, ++pictures);
			break;
		case PIECE_TABLE:
			add_table(text, document, &piece->table, ++pictures);
			break;
		case PIECE_LINES:
		case PIECE_CODE:
			add_code(text, words);
			break;
		default:
			add_element(text, "p", words);
		}
	}
	sw_text_add(text, listed ? "</ol>\n" : "");
	sw_text_add(text, "</body>\n</html>\n");
	return (!document->failed && !text->failed) || sw_diag_memory(diag);
}
