/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text: slices of somebody else's bytes, and a buffer to print into.
 *
 * The engine never prints: whatever becomes text is added to a sw_text that the caller passes.
 */
#ifndef SHARDWALK_TEXT_H
#define SHARDWALK_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* A slice of bytes.  It owns nothing and need not end with a zero byte. */
typedef struct sw_str {
	const char *at;
	size_t length;
} sw_str;

/* The slice over a C string. */
sw_str sw_str_of(const char *text);
bool sw_str_equal(sw_str a, sw_str b);
bool sw_str_is(sw_str a, const char *text);

/* Does it begin, or end, with that? */
static inline bool sw_str_starts(sw_str text, const char *with)
{
	size_t at = 0;
	while (with[at] && at < text.length && text.at[at] == with[at])
		at++;
	return !with[at];
}
bool sw_str_ends(sw_str text, const char *with);

/* What follows its first `length` bytes; empty where it has no more. */
static inline sw_str sw_str_behind(sw_str text, size_t length)
{
	length = length < text.length ? length : text.length;
	return (sw_str){length ? text.at + length : text.at, text.length - length};
}

/* What is between its first byte and its last, such as brackets or quotes; empty where it has no two bytes. */
static inline sw_str sw_str_inner(sw_str text)
{
	return text.length > 1 ? (sw_str){text.at + 1, text.length - 2} : sw_str_behind(text, text.length);
}

/* What follows the first place of these words; empty where they are not in it. */
sw_str sw_str_past(sw_str text, const char *words);
bool sw_str_holds(sw_str text, const char *words);

/* `a` without blanks (space, tab, carriage return, newline) at both ends. */
sw_str sw_str_trim(sw_str a);

/* Trimmed, and without the pair of quotes, "" or '', around it. */
sw_str sw_str_unquoted(sw_str text);

/* The word at the start of *rest, behind blanks and up to the next one; *rest is what follows, without blanks around. */
sw_str sw_str_word(sw_str *rest);

/* What stands between brackets, and is none.  Round, square and curly brackets count in all of them, of any kind alike. */
typedef enum sw_nesting {
	SW_NESTING_PLAIN,
	SW_NESTING_TYPES,  /* names in "" or ''; a quote that is never closed is a letter */
	SW_NESTING_VALUES, /* the same, and <> are brackets, too */
	SW_NESTING_PYTHON, /* strings in "" or ''; one that is never closed goes to the end */
	SW_NESTING_HLO,    /* strings in "" with backslashes, and comments */
	SW_NESTING_MLIR,   /* strings in "" with backslashes; <> are brackets, the > of an arrow is none */
} sw_nesting;

/* sw_str_step where no letter, digit or blank is. */
size_t sw_str_step_sign(sw_str text, size_t at, sw_nesting as, int *depth);

/* The position behind the byte, the string, the comment or the arrow at `at`; a bracket counts in *depth. */
static inline size_t sw_str_step(sw_str text, size_t at, sw_nesting as, int *depth)
{
	char c = text.at[at];
	bool plain = c == ' ' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
	return plain ? at + 1 : sw_str_step_sign(text, at, as, depth);
}

/* The position behind the bracket that opens at `at`; 0 where none does, or it is never closed. */
size_t sw_str_balanced(sw_str text, size_t at, sw_nesting as);

/* The first place from `at` on, outside of brackets, where `sign` stands; the length where there is none. */
size_t sw_str_outside(sw_str text, size_t at, sw_nesting as, const char *sign);

/* The next item of a list from *at on, without blanks around it and the comma behind it; *at becomes the length + 1 at the
 * end. */
sw_str sw_str_split(sw_str list, size_t *at, sw_nesting as);

/* Number of single-character edits (insert, delete, replace, swap of neighbours) from a to b, at most
 * `limit + 1`.  For "did you mean". */
int sw_str_distance(sw_str a, sw_str b, int limit);

/* Equal but for capitals? */
bool sw_str_same_letters(sw_str a, sw_str b);

/* The nearest of `count` names to `word`, or -1 where none is near enough to be suggested. */
int sw_str_nearest(sw_str word, const char *const *names, int count);

/* A growing buffer on the heap.  Start from {0}.  `data` ends with a zero byte once anything was added.
 * Where memory runs out `failed` is set and later additions do nothing. */
typedef struct sw_text {
	char *data;
	size_t length;
	size_t capacity;
	bool failed;
} sw_text;

/* Makes room for `more` bytes and the zero byte behind them; false: the text failed. */
bool sw_text_reserve(sw_text *text, size_t more);

void sw_text_add(sw_text *text, const char *more);
void sw_text_add_str(sw_text *text, sw_str more);
void sw_text_add_char(sw_text *text, char c);
void sw_text_add_int(sw_text *text, int64_t value); /* in decimal digits */
void sw_text_addf(sw_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sw_text_addv(sw_text *text, const char *format, va_list arguments);

/* The content as a C string; "" where nothing was added. */
const char *sw_text_get(const sw_text *text);

/* Forgets the content, keeps the memory. */
void sw_text_clear(sw_text *text);
void sw_text_free(sw_text *text);

/* Are these bytes of a file more than letters of ASCII and UTF-8: has it a byte-order mark, or zero bytes? */
bool sw_text_is_encoded(sw_str bytes);

/* Adds what a file says as UTF-8 without a mark.  It may be UTF-16 in either byte order, with a mark or without, also in
 * parts.  Zero bytes that belong to no letter become blanks; returned is how many there were. */
size_t sw_text_decode(sw_str bytes, sw_text *out);

#pragma GCC visibility pop

#endif
