/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The surface of the language: a line is cut into statements, a statement into words.
 *
 * Nothing is copied: statements and words are slices of the user's line, so that the position of whatever is wrong
 * in them is known to the column.  Quotes are `"` and `'`; inside them a backslash protects the next byte.
 */
#ifndef SHARDWALK_LANGUAGE_LINE_H
#define SHARDWALK_LANGUAGE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

/* Where a line comes from. */
struct position {
	const char *file; /* name of the script; NULL: typed at the prompt */
	int line;         /* its number, from 1 */
	sw_str text;      /* the whole line; all diagnostics count their columns from its start */
};

/* The position of a slice of the line, for a diagnostic. */
sw_span line_span(sw_str line, sw_str slice);

/* Does what the engine said about `slice` hold in the line as well?  Moves the positions; returns false. */
bool line_refuse(sw_str line, sw_str slice, sw_diag *diag);

enum line_end {
	LINE_STATEMENT, /* there was one, and more may follow */
	LINE_END,       /* nothing is left */
	LINE_OPEN,      /* a bracket or quote is still open at the end of the line: L06 with its position */
	LINE_BAD        /* cannot be cut: the rest of the line is lost */
};

/* True for a first word after which the text may be no language: a bracket without a partner is none of our affair
 * there, and a compiler's log goes on to the end of its line. */
typedef bool line_raw(sw_str word);

/* Cuts the next statement from `*rest`, a slice that ends where the line ends.  Errors: L06, L10. */
enum line_end line_next(sw_str line, sw_str *rest, line_raw *raw, sw_str *statement, sw_diag *diag);

/* A word: as it stands in the line, and without its quotes. */
struct word {
	sw_str raw;
	sw_str text;
};

/* Cuts a statement that line_next returned into words, which live in `arena`; returns how many, -1 where
 * memory is short.  Arrows (`~>`, `->`) are words of their own. */
int line_words(sw_str statement, sw_arena *arena, struct word **words);

/* The first word of a statement. */
sw_str line_first(sw_str statement);

/* The words at both ends of text that is no language: blanks in brackets belong to them, `{data: 2, fsdp: 4}`. */
sw_str line_raw_first(sw_str text);
sw_str line_raw_last(sw_str text);

/* The arrow outside quotes and brackets, or a slice of length 0. */
sw_str line_arrow(sw_str statement);

/* Is it a mesh, as `{x: 4, y: 6}`?  Inside its braces come a name and a colon; what other systems write in braces does not. */
bool line_is_mesh(sw_str text);

/* The text of a word without quotes; it lives in `arena` where there were some. */
sw_str line_unquote(sw_str raw, sw_arena *arena);

/* Is it text at all?  Error: L10 at the first byte that is not UTF-8, or is a zero byte. */
bool line_is_text(sw_str line, sw_diag *diag);

/* Adds a word so that line_words reads it as one. */
void line_print_word(sw_str word, sw_text *text);

#endif
