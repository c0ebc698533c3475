/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts for fuzzing: something valid, and then cut, copied, swapped and overwritten in a few places.
 */
#ifndef TESTS_KIT_MUTATE_H
#define TESTS_KIT_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kit/draw.h"

#define MUTANT_MOST 32768

typedef struct mutant {
	size_t length;
	char text[MUTANT_MOST];
} mutant;

/* What breaks parsers more often than chance does. */
static const char *const mutant_words[] = {"{", "}", "[", "]", "(", ")", ",", ":", ";", "\"", "'", "\\", "#", "~>",
	"->", "|", ">", "=", "$", "@", "--", " ", "\n", "\t", "0", "1", "2", "3", "4", "6", "12", "-1", "1.5", "1e9",
	"2x", "007", "4611686018427387904", "9223372036854775807", "9223372036854775808", "99999999999999999999999999",
	"x", "y", "z", "x:(1)2", "x:(2)2", "y:(2)3", "x:(3)2", "{}", "[]", "f32", "bf16", "f8e5m2", "null", "true",
	"\xc3\xa9", "\xff", "\xe2\x82", "@ 10GB/s 20us", "allpermute", "[[0,2]]", "{x,y}", "\"x\"", "..", "..3", "@1",
	" union ", " on ", " shift 5 wrap", " only 0", "+", "*", "4095", "1000000007"};

static inline void mutant_start(mutant *m, const char *text)
{
	m->length = strlen(text) < MUTANT_MOST ? strlen(text) : MUTANT_MOST;
	memcpy(m->text, text, m->length);
}

static inline void mutant_cut(mutant *m, size_t at, size_t length)
{
	memmove(m->text + at, m->text + at + length, m->length - at - length);
	m->length -= length;
}

static inline void mutant_insert(mutant *m, size_t at, const char *text, size_t length)
{
	if (m->length + length > MUTANT_MOST)
		return;
	memmove(m->text + at + length, m->text + at, m->length - at);
	memcpy(m->text + at, text, length);
	m->length += length;
}

/* A part of at most `most` bytes. */
static inline size_t mutant_part(const mutant *m, draw *from, size_t most, size_t *at)
{
	*at = (size_t)draw_below(from, (int)m->length + 1);
	size_t room = m->length - *at < most ? m->length - *at : most;
	return (size_t)draw_below(from, (int)room + 1);
}

static inline void mutant_change(mutant *m, draw *from)
{
	char part[32];
	size_t at, length = mutant_part(m, from, sizeof part, &at);
	const char *word = mutant_words[draw_below(from, (int)(sizeof mutant_words / sizeof *mutant_words))];

	switch (draw_below(from, 6)) {
	case 0: /* a part is lost */
		mutant_cut(m, at, length);
		break;
	case 1: /* a part stands twice */
		memcpy(part, m->text + at, length);
		mutant_insert(m, (size_t)draw_below(from, (int)m->length + 1), part, length);
		break;
	case 2: /* one byte is another */
		if (at < m->length)
			m->text[at] = (char)draw_below(from, 256);
		break;
	case 3: /* a word stands instead of a byte */
		mutant_cut(m, at, at < m->length);
		mutant_insert(m, at, word, strlen(word));
		break;
	case 4: /* a word more */
		mutant_insert(m, at, word, strlen(word));
		break;
	default: /* the end is missing, sometimes */
		if (draw_below(from, 4) == 0)
			m->length = at;
	}
}

static inline void mutant_draw(mutant *m, draw *from, const char *text)
{
	mutant_start(m, text);
	for (int changes = draw_below(from, 4); changes >= 0; changes--)
		mutant_change(m, from);
}

/* The text alone in memory, so that reading past its end is noticed. */
static inline char *mutant_copy(const mutant *m)
{
	char *copy = malloc(m->length + (m->length == 0));

	if (copy != NULL)
		memcpy(copy, m->text, m->length);
	return copy;
}

#endif
