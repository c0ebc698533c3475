/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A report: what a session is about, what was found, and how to make it again, with its pictures.  What is in it
 * is said once; how it is written down is a table of functions.
 */
#ifndef SHARDWALK_EXPORT_REPORT_H
#define SHARDWALK_EXPORT_REPORT_H

#include "export/picture.h"

struct report;

/* In words, what stands between two backquotes is code; everything else is text. */
struct report_writer {
	void (*begin)(struct report *report, const char *title, const char *under);
	void (*heading)(struct report *report, const char *title);
	void (*words)(struct report *report, const char *words);
	void (*item)(struct report *report, int number, const char *words); /* numbered; after the last one end_items */
	void (*end_items)(struct report *report);
	void (*code)(struct report *report, const char *lines);
	void (*picture)(struct report *report, const struct picture *picture);
	void (*end)(struct report *report);
};
extern const struct report_writer report_markdown, report_html;

struct report {
	const struct invocation *run;
	const struct report_writer *writer;
	sw_text *text;
	int columns;  /* of pictures */
	int pictures; /* so far */
	int items;    /* of the list that is open */
};

/* Errors: E01; a part that cannot be made says why in its place. */
bool report_write(const struct invocation *run, const struct report_writer *writer, sw_text *text, sw_diag *diag);

/* The next piece of words: up to a backquote that has a partner, or what is between two of them (`code`).
 * false at the end. */
bool report_piece(const char **words, sw_str *piece, bool *code);

#endif
