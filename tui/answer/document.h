/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: what a command answers, piece by piece, as people read it, and the fields that a program reads.
 *
 * Whoever fills it knows no terminal, no file and no format; text, JSON, SVG, Markdown and HTML are writers of it.  Where
 * memory runs out `failed` is set and pieces are lost: the writers say so.
 */
#ifndef SHARDWALK_ANSWER_DOCUMENT_H
#define SHARDWALK_ANSWER_DOCUMENT_H

#include <stdbool.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "answer/fields.h"
#include "canvas/canvas.h"
#include "canvas/table.h"

enum piece_kind {
	PIECE_LINES,  /* rows of text as they are, each ended by a newline */
	PIECE_REMARK, /* beside the answer: what was left out, or what to type next; a line without its newline */
	PIECE_TABLE,
	PIECE_PICTURE, /* its text: the statement that draws it; "" where that is the answered one */
	/* of reports; in their words what stands between two backquotes is code */
	PIECE_TITLE, /* its text goes on with what stands below it, after a zero byte */
	PIECE_HEADING,
	PIECE_WORDS, /* a paragraph */
	PIECE_ITEM,  /* of a numbered list: neighbours are one */
	PIECE_CODE   /* rows of text as they are */
};

struct piece {
	enum piece_kind kind;
	sw_text text;
	struct table table;   /* TABLE */
	struct canvas canvas; /* PICTURE */
	sw_text
		said; /* PICTURE: the sentence that it is, which is broken anew where the document has another width; empty: it is none */
	int said_at; /* its column */
	struct piece *next;
};

/* How rows of the answer are to be shown (order.h). */
struct arrangement {
	sw_str by, fold; /* words of columns; empty: as they come */
	sw_arena *arena;
	bool ordered, folded; /* some rows had the column */
};

struct document {
	int width;         /* columns that tables and pictures are to have */
	bool for_programs; /* fields are wanted; where there are some, people read remarks alone */
	struct piece *first, **last;
	sw_arena *arena;                 /* of the fields; NULL until there are any */
	struct fields *fields;           /* NULL: none */
	sw_text json;                    /* instead of fields: a document that was JSON already */
	bool whole;                      /* nothing of it is shown before it is whole */
	struct piece nowhere;            /* what is drawn where memory ran out */
	bool unsigned_yet;               /* who wrote the fields, and in which units, is still to be said */
	struct arrangement *arrangement; /* NULL: rows are as they come */
	bool failed;
};

/* Starts one without pieces. */
void document_start(struct document *document, int width);

/* Forgets all pieces and fields; whom it is for stays. */
void document_clear(struct document *document);

bool document_is_empty(const struct document *document);

/* ---- pieces ---- */

/* A row of text, a newline added. */
void document_line(struct document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Rows of text; takes what `text` holds. */
void document_lines(struct document *document, sw_text *text);

/* A sentence that is broken at blanks where it is too long, in a column; its further rows stand further in. */
void document_say(struct document *document, int column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void document_remark(struct document *document, const char *format, va_list arguments);

/* A table to fill; a canvas to draw on, as wide as the document.  What they point to lives until document_clear; where
 * memory runs out it is a place that nobody reads. */
struct table *document_table(struct document *document, const struct column *columns);
struct canvas *document_canvas(struct document *document);

/* The pieces of a report; each but the heading takes what the texts hold. */
void document_title(struct document *document, sw_text *title, sw_text *under);
void document_heading(struct document *document, const char *title);
void document_words(struct document *document, sw_text *words);
void document_item(struct document *document, sw_text *words);
void document_code(struct document *document, sw_text *lines);

/* Draws a sentence, broken at blanks. */
void piece_say(const struct piece *piece, struct canvas *canvas);

/* A picture that is drawn already, and the statement that draws it; takes what both hold. */
void document_picture(struct document *document, struct canvas *canvas, sw_text *statement);

/* The next piece of words: up to a backquote that has a partner, or what is between two of them (`code`).
 * false at the end. */
bool words_piece(const char **words, sw_str *piece, bool *code);

/* Takes the pieces of another document that are no remarks, and clears it. */
void document_join(struct document *document, struct document *other);

/* ---- for programs ---- */

/* The outermost object, with its schema (NULL: it comes with its members) where it is new; NULL where memory ran out, and where
 * people read the document: what is added to it is forgotten. */
struct fields *document_fields(struct document *document, const char *schema);

/* A whole document of JSON, as it is; takes what `text` holds. */
void document_json(struct document *document, sw_text *text);

/* Has it all that programs read, so that nothing has to be drawn? */
bool document_is_answered(const struct document *document);

/* Is this piece shown, where the document has fields too? */
bool document_shows(const struct document *document, const struct piece *piece);

/* Says which program wrote the fields, and in which units, unless that was said; for writers. */
void document_sign(struct document *document);

/* Has it anything for programs? */
bool document_has_json(const struct document *document);

/* ---- writers ---- */

/* Adds the pieces as text, with remarks or without. */
bool document_write_text(const struct document *document, const struct canvas_style *style, bool remarks,
	sw_text *text, sw_diag *diag);

/* Adds the fields as JSON, on one line if it shall be; those that have a schema end with the program and the units. */
bool document_write_json(struct document *document, bool line, sw_text *text, sw_diag *diag);

/* Adds all of it as Markdown, its pictures as text in this style. */
bool document_write_markdown(const struct document *document, const struct canvas_style *style, sw_text *text,
	sw_diag *diag);

/* Adds all of it as one page without scripts or anything from elsewhere, well-formed as XML too, its pictures as SVG. */
bool document_write_html(const struct document *document, sw_text *text, sw_diag *diag);

/* All of it as one picture: rows that are too long go on in the next ones. */
bool document_draw(const struct document *document, struct canvas *canvas, sw_diag *diag);

/* "1 permute", "3 steps": the word for so many. */
const char *plural(int64_t n, const char *one, const char *many);

#endif
