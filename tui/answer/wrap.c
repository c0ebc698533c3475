/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages in a terminal: rows that are too long are broken at blanks, so that no word is cut.
 */
#include "answer/wrap.h"

#include <string.h>

#include "canvas/canvas.h"

enum { INDENT = 2, ESCAPE = '\x1b' };

/* Columns that it takes, without sequences `ESC [ ... m`. */
static int shown_width(sw_str text)
{
	sw_text plain = {0};
	for (size_t i = 0; i < text.length; i++) {
		if (text.at[i] == ESCAPE) {
			const char *end = memchr(text.at + i, 'm', text.length - i);
			i = end ? (size_t)(end - text.at) : text.length;
		} else {
			sw_text_add_char(&plain, text.at[i]);
		}
	}
	int width = canvas_text_width(sw_text_get(&plain));
	sw_text_free(&plain);
	return width;
}

static sw_str next_word(sw_str row, size_t at)
{
	const char *end = at < row.length ? memchr(row.at + at, ' ', row.length - at) : NULL;
	return (sw_str){row.at + at, end ? (size_t)(end - row.at) - at : row.length - at};
}

static void wrap_row(sw_str row, int width, sw_text *out)
{
	int column = 0;
	if (shown_width(row) <= width) {
		sw_text_add_str(out, row);
		return;
	}
	for (size_t at = 0; at <= row.length;) {
		sw_str word = next_word(row, at);
		int room = shown_width(word);
		if (column > INDENT && column + 1 + room > width) {
			sw_text_addf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (at) {
			sw_text_add_char(out, ' ');
			column++;
		}
		sw_text_add_str(out, word);
		column += room;
		at += word.length + 1;
	}
}

void wrap_rows(sw_str text, int width, sw_text *out)
{
	for (size_t at = 0; at < text.length;) {
		const char *end = memchr(text.at + at, '\n', text.length - at);
		size_t length = end ? (size_t)(end - text.at) - at : text.length - at;
		wrap_row((sw_str){text.at + at, length}, width, out);
		if (end)
			sw_text_add_char(out, '\n');
		at += length + 1;
	}
}

void plain_blanks(sw_text *text)
{
	static const char blank[] = "\u00a0";
	size_t to = 0;
	if (text->length == 0 || !memchr(text->data, *blank, text->length))
		return;
	for (size_t at = 0; at < text->length; to++) {
		bool keeps = strncmp(text->data + at, blank, strlen(blank)) == 0;
		text->data[to] = keeps ? ' ' : text->data[at];
		at += keeps ? strlen(blank) : 1;
	}
	if (text->data)
		text->data[text->length = to] = '\0';
}
