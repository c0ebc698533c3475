/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * XLA's warning "Involuntary full rematerialization".
 *
 *     ... The compiler cannot go from sharding A to B efficiently for HLO operation %x = f32[8,6]{1,0} copy(...), ...
 *     ... was not able to go from sharding A to B without doing a full rematerialization of the tensor for HLO
 *         operation: %x = ...
 *     ... The compiled was not able to go from sharding A to B without doing a full rematerialization of the tensor.
 *     ... sharding A to B ...                                (as people shorten it)
 *
 * All are read the same way: the first sharding after the words, `to`, the second one, and the value if it is named.
 * Letters are compared with no blanks between them; those that a sharding needs are put back.
 */
#define _GNU_SOURCE
#include "import/log_parts.h"

#include <string.h>

#define WORDS "Involuntaryfullrematerialization"
#define MESSAGE_MOST ((size_t)16 << 20) /* letters */
#define LEAD_MOST 400                   /* bytes before a message that lines may repeat */
#define BEFORE_FROM 400                 /* letters between the words and the first sharding */
#define BEFORE_TO 40                    /* letters between the two shardings */
#define CUT_SHOWN 60                    /* letters of a sharding whose end is missing */
#define BEAT ((size_t)1 << 20)

/* Sentences that follow: the message is at its end. */
static const char *const ends[] = {"Asthelastresort", "Youprobablywant"};

/* What follows a sharding that stands in no braces. */
static const char *const follow[] = {"to{", "to[", "efficiently", "without", "forHLO", "...", "."};

/* Before these a blank has to stand where something stands before them; and the letters that they begin with. */
static const char *const apart[] = {"last_tile_dim", "device=", "metadata={", "unreduced", "shard_as", "shard_like"};

static const char apart_first[] = "ldmus";

static sw_str skip(sw_str text, size_t length)
{
	return (sw_str){text.at + length, text.length - length};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool starts(sw_str text, const char *with)
{
	size_t length = strlen(with);
	return text.length >= length && memcmp(text.at, with, length) == 0;
}

static bool ends_with(const sw_text *text, const char *with)
{
	size_t length = strlen(with);
	return text->length >= length && memcmp(text->data + text->length - length, with, length) == 0;
}

/* The place of `word` among the first `most` letters, or SIZE_MAX. */
static size_t find(sw_str text, const char *word, size_t most)
{
	for (size_t i = 0; i < text.length && i <= most; i++)
		if (starts(skip(text, i), word))
			return i;
	return SIZE_MAX;
}

/* The length of a text in brackets, quotes heeded; 0: it does not begin with one, or it never ends. */
static size_t bracketed(sw_str text)
{
	size_t depth = 0;
	char quote = 0;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '{' || c == '[' || c == '(')
			depth++;
		else if (c == '}' || c == ']' || c == ')')
			depth -= depth > 0;
		if (!depth)
			return i ? i + 1 : 0;
	}
	return 0;
}

/* Where the first sharding begins: after the word, or SIZE_MAX. */
static size_t find_from(sw_str letters)
{
	size_t at = 0;
	for (;;) {
		size_t more = find(skip(letters, at), "sharding", BEFORE_FROM);
		if (more == SIZE_MAX || at > BEFORE_FROM)
			return SIZE_MAX;
		at += more + strlen("sharding");
		if (at < letters.length && strchr("{[", letters.at[at]))
			return at;
	}
}

/* ---- the letters of one message ---- */

static bool is_message_end(const sw_text *letters)
{
	char last = letters->data[letters->length - 1];
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (last == 't' && ends_with(letters, ends[i]))
			return true;
	return last == 'n' && ends_with(letters, WORDS);
}

/* From where the words end up to the end of the message, the next message, or an empty line. */
static bool gather(sw_log_cursor cursor, sw_text *letters, sw_diag *diag)
{
	int c = 0;
	cursor.gap = false;
	sw_text_clear(letters);
	while (letters->length < MESSAGE_MOST && (c = sw_log_next(&cursor)) >= 0 && !cursor.gap) {
		sw_text_add_char(letters, (char)c);
		if (letters->failed)
			return sw_diag_memory(diag);
		bool silent = letters->length == 2 * BEFORE_FROM &&
			find_from((sw_str){letters->data, letters->length}) == SIZE_MAX;
		if (silent || is_message_end(letters))
			break;
	}
	if (letters->length && ends_with(letters, WORDS))
		letters->length -= strlen(WORDS);
	return true;
}

static bool needs_blank(sw_str text, size_t at)
{
	char before = at ? text.at[at - 1] : '{';
	if (!strchr(apart_first, text.at[at]) || strchr("{,(=[_", before))
		return false;
	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
		if (starts(skip(text, at), apart[i]))
			return true;
	return false;
}

/* A copy with blanks where they are needed. */
static bool restore(sw_str text, sw_arena *arena, sw_str *out, sw_diag *diag)
{
	char *copy = sw_arena_alloc(arena, 2 * text.length + 1, 1);
	size_t length = 0;
	if (!copy)
		return sw_diag_memory(diag);
	for (size_t i = 0; i < text.length; i++) {
		if (needs_blank(text, i))
			copy[length++] = ' ';
		copy[length++] = text.at[i];
	}
	copy[length] = '\0';
	*out = (sw_str){copy, length};
	return true;
}

static bool keep(sw_str text, sw_arena *arena, sw_str *out, sw_diag *diag)
{
	char *copy = sw_arena_copy(arena, text.at, text.length);
	*out = (sw_str){copy, text.length};
	return copy ? true : sw_diag_memory(diag);
}

/* ---- its parts ---- */

/* The length of the sharding that begins here: brackets, or up to what may follow one. */
static size_t sharding_length(sw_str text)
{
	size_t length = bracketed(text), end = SIZE_MAX;
	if (!text.length || *text.at == '{')
		return length;
	for (size_t i = 0; i < sizeof(follow) / sizeof(*follow); i++)
		end = least(end, find(text, follow[i], 4096));
	return end == SIZE_MAX ? length : end;
}

static size_t find_to(sw_str letters, size_t from_end)
{
	sw_str rest = skip(letters, from_end);
	size_t at = find(rest, "to", BEFORE_TO);
	if (at == SIZE_MAX)
		return SIZE_MAX;
	at += strlen("to");
	if (starts(skip(rest, at), "sharding"))
		at += strlen("sharding");
	return at < rest.length && strchr("{[", rest.at[at]) ? from_end + at : SIZE_MAX;
}

static size_t word_length(sw_str text, const char *others)
{
	size_t i = 0;
	while (i < text.length) {
		char c = text.at[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
		if (!letter && !(c && strchr(others, c)))
			break;
		i++;
	}
	return i;
}

/* `f32[8,6,10]`, and 0 for a tuple. */
static size_t shape_length(sw_str text)
{
	size_t name = word_length(text, "");
	if (!name || name == text.length || text.at[name] != '[')
		return 0;
	size_t sizes = word_length(skip(text, name + 1), ",<=?");
	size_t end = name + 1 + sizes;
	return end < text.length && text.at[end] == ']' ? end + 1 : 0;
}

/* The text between `before` and the quote after it. */
static sw_str quoted(sw_str text, const char *before)
{
	size_t at = find(text, before, text.length);
	if (at == SIZE_MAX)
		return (sw_str){"", 0};
	sw_str rest = skip(text, at + strlen(before));
	const char *end = memchr(rest.at, '"', rest.length);
	return end ? (sw_str){rest.at, (size_t)(end - rest.at)} : (sw_str){"", 0};
}

/* `%copy.1 = f32[8,6]{1,0} copy(...)`: name, shape and operation. */
static bool read_value(sw_str rest, sw_arena *arena, sw_log_found *found, sw_diag *diag)
{
	size_t at = find(rest, "HLOoperation", 400);
	if (at == SIZE_MAX)
		return true;
	rest = skip(rest, at + strlen("HLOoperation"));
	rest = starts(rest, ":") ? skip(rest, 1) : rest;
	rest = starts(rest, "ROOT") ? skip(rest, 4) : rest;
	rest = starts(rest, "%") ? skip(rest, 1) : rest;
	sw_str value = {rest.at, word_length(rest, ".-")};
	if (!starts(skip(rest, value.length), "="))
		return true;
	rest = skip(rest, value.length + 1);
	sw_str shape = {rest.at, shape_length(rest)};
	rest = skip(rest, shape.length);
	if (starts(rest, "{"))
		rest = skip(rest, bracketed(rest));
	sw_str op = {rest.at, word_length(rest, "-")};
	return keep(value, arena, &found->value, diag) && (!shape.length || keep(shape, arena, &found->shape, diag)) &&
		(!op.length || keep(op, arena, &found->op, diag)) &&
		keep(quoted(rest, "op_name=\""), arena, &found->op_name, diag);
}

/* What Ray says at the end of a line that stands for several. */
static int64_t read_repeats(sw_str text, size_t at)
{
	static const char before[] = "[repeated ";
	const char *end = memchr(text.at + at, '\n', text.length - at);
	size_t length = end ? (size_t)(end - text.at) - at : text.length - at;
	const char *found = memmem(text.at + at, length, before, strlen(before)), *last = text.at + at + length;
	int64_t count = 0;
	if (!found)
		return 0;
	for (found += strlen(before); found < last && *found >= '0' && *found <= '9' && count < 1000000000; found++)
		count = 10 * count + (*found - '0');
	return found < last && *found == 'x' ? count : 0;
}

/* Bytes [begin, end) of letters in the text. */
static sw_span span_of(sw_log_cursor start, size_t begin, size_t length)
{
	const size_t count[] = {begin, begin + (length ? length : 1) - 1};
	size_t place[2];
	sw_log_places(start, count, place, 2);
	return (sw_span){place[0], place[1] < start.text.length ? place[1] + 1 : place[1]};
}

/* The second sharding is not there, or never ends. */
static bool read_cut(sw_log_cursor start, sw_str from, size_t begin, size_t length, sw_arena *arena, sw_log_found *found,
	sw_diag *diag)
{
	found->cut = true;
	found->from.at = span_of(start, begin, length);
	found->at.end = found->from.at.end;
	return restore((sw_str){from.at, least(length ? length : CUT_SHOWN, from.length)}, arena, &found->from.text, diag);
}

/* false: it names no shardings and is no warning, or there is no memory. */
static bool read_message(sw_log_cursor start, sw_str letters, sw_arena *arena, sw_log_found *found, sw_diag *diag)
{
	size_t from = find_from(letters);
	if (from == SIZE_MAX)
		return false;
	size_t length = sharding_length(skip(letters, from));
	size_t to = length ? find_to(letters, from + length) : SIZE_MAX;
	size_t to_length = to == SIZE_MAX ? 0 : sharding_length(skip(letters, to));
	if (!to_length)
		return read_cut(start, skip(letters, from), from, length, arena, found, diag);
	const size_t count[] = {from, from + length - 1, to, to + to_length - 1};
	size_t place[4];
	sw_log_places(start, count, place, 4);
	found->from.at = (sw_span){place[0], place[1] + 1};
	found->to.at = (sw_span){place[2], place[3] + 1};
	found->at.end = found->to.at.end;
	return restore((sw_str){letters.at + from, length}, arena, &found->from.text, diag) &&
		restore((sw_str){letters.at + to, to_length}, arena, &found->to.text, diag) &&
		read_value(skip(letters, to + to_length), arena, found, diag);
}

/* ---- finding messages ---- */

/* Do the words stand here?  The cursor gets behind them. */
static bool words_at(sw_log_cursor *cursor)
{
	for (const char *word = WORDS; *word; word++)
		if (sw_log_next(cursor) != (unsigned char)*word)
			return false;
	return true;
}

static sw_str lead_of(sw_str text, size_t at)
{
	size_t begin = at;
	while (begin > 0 && text.at[begin - 1] != '\n')
		begin--;
	return (sw_str){text.at + begin, at - begin < LEAD_MOST ? at - begin : LEAD_MOST};
}

static size_t next_start(sw_str text, size_t at)
{
	const char *found = at < text.length ? memchr(text.at + at, *WORDS, text.length - at) : NULL;
	return found ? (size_t)(found - text.at) : SIZE_MAX;
}

bool sw_log_warning(sw_str text, size_t *at, const sw_pulse *pulse, sw_arena *arena, sw_log_found *found, sw_diag *diag)
{
	sw_text letters = {0};
	size_t beat = *at;
	bool ok = false;
	for (size_t i = next_start(text, *at); i != SIZE_MAX && !ok; i = next_start(text, i + 1)) {
		sw_log_cursor cursor = {.text = text, .at = i};
		if (i - beat > BEAT) {
			beat = i;
			if (!sw_pulse_beat(pulse, "bytes", (long long)i, (long long)text.length)) {
				sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %zu of %zu bytes", i, text.length);
				break;
			}
		}
		if (i + 1 >= text.length || !strchr("n \n\r\t\x1b\\&\xC2", text.at[i + 1]))
			continue;
		cursor.lead = lead_of(text, i);
		if (!words_at(&cursor))
			continue;
		*found = (sw_log_found){.at = {i, i}};
		if (!gather(cursor, &letters, diag))
			break;
		ok = read_message(cursor, (sw_str){sw_text_get(&letters), letters.length}, arena, found, diag);
		if (!ok && diag->code != SW_OK)
			break;
		found->repeats = ok ? read_repeats(text, found->at.end) : 0;
		*at = cursor.at;
	}
	sw_text_free(&letters);
	return ok;
}
