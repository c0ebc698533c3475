/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports as HTML: one file without scripts or anything from elsewhere, well-formed as XML too; pictures are SVG
 * in the page and take their colours from it.
 */
#include "export/report.h"

#include "export/color.h"
#include "export/svg.h"
#include "export/xml.h"

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
	while (report_piece(&words, &piece, &code)) {
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

static void begin(struct report *report, const char *title, const char *under)
{
	sw_text *text = report->text;
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

static void heading(struct report *report, const char *title)
{
	add_element(report->text, "h2", title);
}

static void words(struct report *report, const char *words)
{
	add_element(report->text, "p", words);
}

static void item(struct report *report, int number, const char *words)
{
	sw_text_add(report->text, number == 1 ? "<ol>\n" : "");
	add_element(report->text, "li", words);
}

static void end_items(struct report *report)
{
	sw_text_add(report->text, "</ol>\n");
}

static void code(struct report *report, const char *lines)
{
	sw_text_add(report->text, "<pre>");
	xml_add(report->text, lines);
	sw_text_add(report->text, "</pre>\n");
}

static void picture(struct report *report, const struct picture *picture)
{
	const struct svg_options options = {.name = sw_text_get(&picture->statement),
		.about = "a picture of the session",
		.in_page = true,
		.number = report->pictures};
	sw_text_add(report->text, "<figure>\n<figcaption><code>");
	xml_add(report->text, sw_text_get(&picture->statement));
	sw_text_add(report->text, "</code></figcaption>\n");
	svg_add(&picture->canvas, &options, report->text);
	sw_text_add(report->text, "</figure>\n");
}

static void end(struct report *report)
{
	sw_text_add(report->text, "</body>\n</html>\n");
}

const struct report_writer report_html = {begin, heading, words, item, end_items, code, picture, end};
