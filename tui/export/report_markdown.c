/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports as Markdown: pictures are blocks of text, in the alphabet of answers.
 */
#include "export/report.h"

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
	while (report_piece(&words, &piece, &code)) {
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

/* ---- the functions ---- */

static void begin(struct report *report, const char *title, const char *under)
{
	sw_text_add(report->text, "# ");
	add_words(report->text, title);
	sw_text_add(report->text, "\n\n");
	add_words(report->text, under);
	sw_text_add(report->text, "\n\n");
}

static void heading(struct report *report, const char *title)
{
	sw_text_add(report->text, "## ");
	add_words(report->text, title);
	sw_text_add(report->text, "\n\n");
}

static void words(struct report *report, const char *words)
{
	add_words(report->text, words);
	sw_text_add(report->text, "\n\n");
}

static void item(struct report *report, int number, const char *words)
{
	sw_text_addf(report->text, "%d. ", number);
	add_words(report->text, words);
	sw_text_add_char(report->text, '\n');
}

static void end_items(struct report *report)
{
	sw_text_add_char(report->text, '\n');
}

static void code(struct report *report, const char *lines)
{
	add_fenced(report->text, "", lines);
}

static void picture(struct report *report, const struct picture *picture)
{
	const struct canvas_style style = {.ascii = report->run->session->console.style.ascii};
	sw_text lines = {0};
	canvas_print(&picture->canvas, &style, &lines);
	sw_text_addf(report->text, "`%s`:\n\n", sw_text_get(&picture->statement));
	add_fenced(report->text, "text", sw_text_get(&lines));
	sw_text_free(&lines);
}

/* One newline ends the last block, not two. */
static void end(struct report *report)
{
	sw_text *text = report->text;
	while (text->length > 1 && text->data[text->length - 1] == '\n' && text->data[text->length - 2] == '\n')
		text->data[--text->length] = '\0';
}

const struct report_writer report_markdown = {begin, heading, words, item, end_items, code, picture, end};
