/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slices, edit distance, and the growing buffer.
 */
#define _GNU_SOURCE /* memmem */
#include <shardwalk/text.h>

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_FIRST 64     /* bytes of a buffer's first allocation */
#define INT_ROOM 20       /* of the longest number of 64 bits, with its sign */
#define DISTANCE_LIMIT 63 /* a larger limit counts as this */

sw_str sw_str_of(const char *text)
{
	return (sw_str){text, text ? strlen(text) : 0};
}

bool sw_str_equal(sw_str a, sw_str b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

bool sw_str_is(sw_str a, const char *text)
{
	return sw_str_equal(a, sw_str_of(text));
}

static bool text_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool sw_str_ends(sw_str text, const char *with)
{
	size_t length = strlen(with);
	return text.length >= length && memcmp(text.at + text.length - length, with, length) == 0;
}

static const char *text_find(sw_str text, const char *words)
{
	return text.length ? memmem(text.at, text.length, words, strlen(words)) : NULL;
}

sw_str sw_str_past(sw_str text, const char *words)
{
	const char *at = text_find(text, words);
	return at ? sw_str_behind(text, (size_t)(at - text.at) + strlen(words)) : (sw_str){text.at, 0};
}

bool sw_str_holds(sw_str text, const char *words)
{
	return text_find(text, words) != NULL;
}

sw_str sw_str_trim(sw_str a)
{
	while (a.length && text_is_blank(a.at[0])) {
		a.at++;
		a.length--;
	}
	while (a.length && text_is_blank(a.at[a.length - 1]))
		a.length--;
	return a;
}

sw_str sw_str_unquoted(sw_str text)
{
	text = sw_str_trim(text);
	bool quoted = text.length > 1 && (*text.at == '"' || *text.at == '\'') && text.at[text.length - 1] == *text.at;
	return quoted ? sw_str_inner(text) : text;
}

static int text_min(int a, int b)
{
	return a < b ? a : b;
}

sw_str sw_str_word(sw_str *rest)
{
	sw_str word = sw_str_trim(*rest);
	size_t length = 0;
	while (length < word.length && !text_is_blank(word.at[length]))
		length++;
	*rest = sw_str_trim(sw_str_behind(word, length));
	return (sw_str){word.at, length};
}

/* ---- brackets ---- */

static const struct nesting {
	const char *quotes;
	bool escapes, to_end; /* backslashes in strings; a string that is never closed goes to the end */
	bool comments, angles, arrows;
} nestings[] = {
	[SW_NESTING_PLAIN] = {.quotes = ""},
	[SW_NESTING_TYPES] = {.quotes = "\"'"},
	[SW_NESTING_VALUES] = {.quotes = "\"'", .angles = true},
	[SW_NESTING_PYTHON] = {.quotes = "\"'", .to_end = true},
	[SW_NESTING_HLO] = {.quotes = "\"", .escapes = true, .to_end = true, .comments = true},
	[SW_NESTING_MLIR] = {.quotes = "\"", .escapes = true, .to_end = true, .angles = true, .arrows = true},
};

/* The position behind the string whose quote opens at `at`. */
static size_t text_string_end(sw_str text, size_t at, const struct nesting *as)
{
	size_t end = at + 1;
	for (; end < text.length && text.at[end] != text.at[at]; end++)
		end += as->escapes && text.at[end] == '\\';
	return end < text.length ? end + 1 : as->to_end ? text.length : at + 1;
}

static size_t text_comment_end(sw_str text, size_t at)
{
	for (at += 2; at + 1 < text.length; at++)
		if (text.at[at] == '*' && text.at[at + 1] == '/')
			return at + 2;
	return text.length;
}

static bool text_follows(sw_str text, size_t at, char c)
{
	return at + 1 < text.length && text.at[at + 1] == c;
}

size_t sw_str_step_sign(sw_str text, size_t at, sw_nesting as, int *depth)
{
	assert(at < text.length);
	const struct nesting *nesting = &nestings[as];
	switch (text.at[at]) {
	case '"':
	case '\'':
		return strchr(nesting->quotes, text.at[at]) ? text_string_end(text, at, nesting) : at + 1;
	case '/':
		return nesting->comments && text_follows(text, at, '*') ? text_comment_end(text, at) : at + 1;
	case '-':
		return at + 1 + (nesting->arrows && text_follows(text, at, '>'));
	case '<':
	case '>':
		*depth += !nesting->angles ? 0 : text.at[at] == '<' ? 1 : -1;
		return at + 1;
	case '(':
	case '[':
	case '{':
		++*depth;
		return at + 1;
	case ')':
	case ']':
	case '}':
		--*depth;
		return at + 1;
	default:
		return at + 1;
	}
}

size_t sw_str_balanced(sw_str text, size_t at, sw_nesting as)
{
	int depth = 0;
	at = at < text.length ? sw_str_step(text, at, as, &depth) : at;
	bool opens = depth > 0;
	while (depth > 0 && at < text.length)
		at = sw_str_step(text, at, as, &depth);
	return opens && depth == 0 ? at : 0;
}

size_t sw_str_outside(sw_str text, size_t at, sw_nesting as, const char *sign)
{
	assert(*sign != '\0');
	int depth = 0;
	while (at < text.length) {
		if (depth == 0 && text.at[at] == *sign && sw_str_starts(sw_str_behind(text, at), sign))
			return at;
		at = sw_str_step(text, at, as, &depth);
	}
	return text.length;
}

sw_str sw_str_split(sw_str list, size_t *at, sw_nesting as)
{
	size_t begin = *at < list.length ? *at : list.length, end = sw_str_outside(list, begin, as, ",");
	*at = end + 1;
	return sw_str_trim((sw_str){list.at + begin, end - begin});
}

/* Three rows of the distance table, cut to the diagonals that can stay within the limit.  Entry k of the
 * row for a[i] stands for b[i + k - limit]; one unreachable entry pads each side. */
typedef struct distance_band {
	int limit;
	int row[3][2 * DISTANCE_LIMIT + 3];
} distance_band;

static int distance_cell(const distance_band *band, sw_str a, sw_str b, size_t i, size_t j, int k)
{
	const int *above2 = band->row[(i + 1) % 3] + 1;
	const int *above = band->row[(i + 2) % 3] + 1;
	const int *here = band->row[i % 3] + 1;
	if (j == 0)
		return (int)i;
	if (i == 0)
		return (int)j;
	int best = above[k] + (a.at[i - 1] != b.at[j - 1]);
	best = text_min(best, text_min(above[k + 1], here[k - 1]) + 1);
	bool swapped = i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1];
	return swapped ? text_min(best, above2[k] + 1) : best;
}

/* Fills the row of a[i]; false where all of it is beyond the limit. */
static bool distance_row(distance_band *band, sw_str a, sw_str b, size_t i)
{
	int beyond = band->limit + 1;
	int *here = band->row[i % 3] + 1;
	bool within = false;
	here[-1] = beyond;
	for (int k = 0; k <= 2 * band->limit; k++) {
		size_t j = i + (size_t)k - (size_t)band->limit;
		bool outside = i + (size_t)k < (size_t)band->limit || j > b.length;
		here[k] = outside ? beyond : text_min(beyond, distance_cell(band, a, b, i, j, k));
		within = within || here[k] < beyond;
	}
	here[2 * band->limit + 1] = beyond;
	return within;
}

int sw_str_distance(sw_str a, sw_str b, int limit)
{
	limit = limit < 0 ? 0 : text_min(limit, DISTANCE_LIMIT);
	size_t apart = a.length > b.length ? a.length - b.length : b.length - a.length;
	if (apart > (size_t)limit)
		return limit + 1;
	distance_band band = {.limit = limit};
	for (size_t i = 0; i <= a.length; i++)
		if (!distance_row(&band, a, b, i))
			return limit + 1;
	return band.row[a.length % 3][1 + limit + (int)b.length - (int)a.length];
}

static char text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sw_str_same_letters(sw_str a, sw_str b)
{
	if (a.length != b.length)
		return false;
	for (size_t i = 0; i < a.length; i++)
		if (text_lower(a.at[i]) != text_lower(b.at[i]))
			return false;
	return true;
}

/* How many edits a word of this length may be away and still be meant. */
static int text_edits(size_t length)
{
	return length < 2 ? 0 : length < 4 ? 1 : length < 7 ? 2 : 3;
}

int sw_str_nearest(sw_str word, const char *const *names, int count)
{
	int nearest = -1;
	int limit = text_edits(word.length);
	for (int i = 0; i < count; i++) {
		sw_str name = sw_str_of(names[i]);
		if (sw_str_same_letters(word, name))
			return i;
		int distance = sw_str_distance(word, name, limit);
		if (distance <= limit && (size_t)distance < name.length) {
			nearest = i;
			limit = distance - 1;
		}
	}
	return nearest;
}

static bool text_grow(sw_text *text, size_t more)
{
	size_t needed;
	text->failed = __builtin_add_overflow(text->length, more, &needed) || needed > SIZE_MAX / 4;
	if (text->failed)
		return false;
	size_t capacity = text->capacity ? text->capacity : TEXT_FIRST;
	while (capacity <= needed)
		capacity *= 2;
	char *data = realloc(text->data, capacity);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->capacity = capacity;
	return true;
}

bool sw_text_reserve(sw_text *text, size_t more)
{
	return !text->failed && (more < text->capacity - text->length || text_grow(text, more));
}

void sw_text_add_str(sw_text *text, sw_str more)
{
	if (!sw_text_reserve(text, more.length))
		return;
	if (more.length)
		memcpy(text->data + text->length, more.at, more.length);
	text->length += more.length;
	text->data[text->length] = '\0';
}

void sw_text_add(sw_text *text, const char *more)
{
	sw_text_add_str(text, sw_str_of(more));
}

void sw_text_add_char(sw_text *text, char c)
{
	if (!sw_text_reserve(text, 1))
		return;
	text->data[text->length++] = c;
	text->data[text->length] = '\0';
}

void sw_text_add_int(sw_text *text, int64_t value)
{
	if (value >= 0 && value < 10) {
		sw_text_add_char(text, (char)('0' + value));
		return;
	}
	char room[INT_ROOM], *end = room + INT_ROOM, *at = end;
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	do {
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (value < 0)
		*--at = '-';
	sw_text_add_str(text, (sw_str){at, (size_t)(end - at)});
}

void sw_text_addv(sw_text *text, const char *format, va_list arguments)
{
	va_list again;
	if (!sw_text_reserve(text, 0))
		return;
	size_t room = text->capacity - text->length;
	va_copy(again, arguments);
	int length = vsnprintf(text->data + text->length, room, format, arguments);
	if (length < 0) {
		text->failed = true;
		text->data[text->length] = '\0';
	} else if ((size_t)length < room) {
		text->length += (size_t)length;
	} else if (text_grow(text, (size_t)length)) {
		vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	} else {
		text->data[text->length] = '\0';
	}
	va_end(again);
}

void sw_text_addf(sw_text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(text, format, arguments);
	va_end(arguments);
}

const char *sw_text_get(const sw_text *text)
{
	return text->data ? text->data : "";
}

void sw_text_clear(sw_text *text)
{
	text->length = 0;
	text->failed = false;
	if (text->data)
		text->data[0] = '\0';
}

void sw_text_free(sw_text *text)
{
	free(text->data);
	*text = (sw_text){0};
}
