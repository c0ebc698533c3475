/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scanner over the user's text, shared by all parsers of what people write.
 *
 * It never reads backwards and never copies, so that a text of a megabyte costs a megabyte's reading.  A
 * function that fails has filled the scan's diagnostic, with positions counted from the start of the text.
 */
#ifndef SHARDWALK_BASE_SCAN_H
#define SHARDWALK_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

typedef struct sw_scan {
	sw_str text;
	size_t at;
	sw_code syntax; /* the code for what the grammar does not allow: M01, T01 */
	sw_diag *diag;
} sw_scan;

/* Room for an excerpt of the user's text: see sw_scan_quote. */
typedef struct sw_quote {
	char text[64];
} sw_quote;

/* The text between quotes, cut after some forty bytes, with bytes that are no text written as 0x1b. */
sw_quote sw_scan_quote(sw_str word);

/* Steps over blanks; the byte that comes next, or -1 at the end. */
int sw_scan_peek(sw_scan *scan);

/* Steps over blanks and, where `c` follows, over it. */
bool sw_scan_take(sw_scan *scan, char c);

/* The position of what comes next: a word, a sign, or the end. */
sw_span sw_scan_next_span(sw_scan *scan);

/* What was read from `begin` on, without blanks at its end. */
static inline sw_span sw_scan_since(const sw_scan *scan, size_t begin)
{
	return (sw_span){begin, begin + sw_str_trim((sw_str){scan->text.at + begin, scan->at - begin}).length};
}

/* Refuses what comes next.  `also` says where the surrounding bracket was opened; empty: nowhere. */
bool sw_scan_unexpected(sw_scan *scan, const char *expected, sw_span also);

/* Steps over `c`, or refuses what stands there. */
bool sw_scan_expect(sw_scan *scan, char c, const char *expected, sw_span also);

/* After an item of a list that `open` began: at a comma *more becomes true, at `close` false. */
bool sw_scan_list(sw_scan *scan, char close, const char *expected, sw_span open, bool *more);

/* Refuses anything but blanks after the end; `what` names the thing that ended. */
bool sw_scan_finish(sw_scan *scan, const char *what);

/* Reads a name, bare or in quotes; *name is without them, *at with them. */
bool sw_scan_name(sw_scan *scan, const char *expected, sw_span also, sw_str *name, sw_span *at);

/* The word that comes next (letters, digits, `_`, `.`, `+`, `-` and what is not ASCII), possibly empty. */
sw_str sw_scan_word(sw_scan *scan, sw_span *at);

/* The name without quotes that comes next, possibly empty. */
sw_str sw_scan_bare(sw_scan *scan, sw_span *at);

/* Reads a whole number of at least 1.  `what` names it in messages ("tile size"); `low` is the code for 0 and
 * below, `high` for what an int64_t does not hold; `most` is the largest number that would do. */
typedef struct sw_size_words {
	const char *what;
	sw_code low;
	sw_code high;
	int64_t most;
} sw_size_words;
bool sw_scan_size(sw_scan *scan, sw_size_words words, sw_span also, int64_t *size, sw_span *at);

/* Reads a whole number from `low` to `high`.  `what` names it in messages.  Errors: the scan's code. */
bool sw_scan_number(sw_scan *scan, const char *what, int64_t low, int64_t high, int64_t *number);

/* Reads numbers of at least `low`, with commas, up to `close`; how many, or -1. */
int sw_scan_numbers(sw_scan *scan, char close, sw_span open, const char *what, int64_t low, int64_t *number,
	int room);

/* Is it a name that stands without quotes: [A-Za-z_][A-Za-z0-9_]* ? */
bool sw_scan_is_bare(sw_str name);

/* The first byte of `name` that cannot stand in a name even in quotes (control characters, quotes, what is no
 * UTF-8), or name.length. */
size_t sw_scan_bad_byte(sw_str name);

#endif
