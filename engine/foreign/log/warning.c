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
 * Where the words are missing there have to be two shardings, and a sign that a compiler says it: `go from sharding A to B`
 * is one as well, and so is `sharding A to B` with a value.
 * Letters are compared with no blanks between them; those that a sharding needs are put back.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <string.h>

#include <shardwalk/number.h>

#define WORDS "Involuntaryfullrematerialization"
#define SHARDING "sharding"
#define MESSAGE_MOST ((size_t)16 << 20) /* letters */
#define BEFORE_FROM 400                 /* letters between the words and the first sharding */
#define BEFORE_TO 40                    /* letters between the two shardings */
#define CUT_SHOWN 60                    /* letters of a sharding whose end is missing */

/* Sentences that follow: the message is at its end. */
static const char *const ends[] = {"Asthelastresort", "Youprobablywant"};

/* What follows a sharding that stands in no braces. */
static const char *const follow[] = {"to{", "to[", "efficiently", "without", "forHLO", "...", "."};

/* Before these a blank has to stand where something stands before them; and the letters that they begin with. */
static const char *const apart[] = {"last_tile_dim", "device=", "metadata={", "unreduced", "shard_as", "shard_like"};

static const char apart_first[] = "ldmus";

static bool ends_with(const sw_log_bytes *letters, const char *with)
{
	size_t length = strlen(with);
	return letters->count >= length && memcmp(letters->byte + letters->count - length, with, length) == 0;
}

/* The position of `word` among the first `most` letters, or SIZE_MAX. */
static size_t find(sw_str text, const char *word, size_t most)
{
	for (size_t i = 0; i < text.length && i <= most; i++)
		if (sw_str_starts(sw_str_behind(text, i), word))
			return i;
	return SIZE_MAX;
}

/* The length of a text in brackets, quotes heeded; 0: it does not begin with one, or it never ends.  `}` ends all that is
 * open inside of it: one bracket too few shall not reach into what follows. */
static size_t bracketed(sw_str text)
{
	size_t depth = 0, braces = 0;
	char quote = 0;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '{' || c == '[' || c == '(')
			depth++, braces += c == '{';
		else if (c == '}' && braces)
			depth = --braces ? depth - 1 : 0;
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
		size_t more = find(sw_str_behind(letters, at), SHARDING, BEFORE_FROM);
		if (more == SIZE_MAX || at > BEFORE_FROM)
			return SIZE_MAX;
		at += more + strlen(SHARDING);
		if (at < letters.length && strchr("{[", letters.at[at]))
			return at;
	}
}

/* ---- the letters of one message ---- */

/* Another message begins with its first sharding: `to sharding {` is the second one of this. */
static bool is_other(const sw_log_bytes *letters, int *shardings)
{
	*shardings += ends_with(letters, SHARDING "{") && !ends_with(letters, "to" SHARDING "{");
	return *shardings > 1;
}

static bool is_last_words(const sw_log_bytes *letters)
{
	char last = letters->byte[letters->count - 1];
	for (size_t i = 0; last == 't' && i < sizeof(ends) / sizeof(*ends); i++)
		if (ends_with(letters, ends[i]))
			return true;
	return false;
}

/* From where the opening ends up to the end of the message, the next message, or an empty line.  *whole: its last words
 * were there. */
static bool gather(const sw_log_message *m, bool *whole)
{
	sw_log_bytes *letters = m->letters;
	sw_log_cursor cursor = m->start;
	int c = 0, shardings = 0;
	cursor.gap = false;
	letters->count = 0;
	*whole = false;
	while (letters->count < MESSAGE_MOST && !*whole && (c = sw_log_next(&cursor)) >= 0 && !cursor.gap) {
		if (!sw_log_keep(&cursor, letters))
			return sw_diag_memory(m->diag);
		bool silent = letters->count == 2 * BEFORE_FROM && !shardings &&
			find_from((sw_str){letters->byte, letters->count}) == SIZE_MAX;
		if (silent || (c == 'n' && ends_with(letters, WORDS)) || (c == '{' && is_other(letters, &shardings)))
			break;
		*whole = is_last_words(letters);
	}
	letters->count -= ends_with(letters, WORDS) ? strlen(WORDS) : shardings > 1 ? strlen(SHARDING "{") : 0;
	return true;
}

static bool needs_blank(sw_str text, size_t at)
{
	char before = at ? text.at[at - 1] : '{';
	if (!strchr(apart_first, text.at[at]) || strchr("{,(=[_", before))
		return false;
	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
		if (sw_str_starts(sw_str_behind(text, at), apart[i]))
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

/* The length of the sharding that begins here: brackets, or up to what may follow one.  Where `to {` stands inside of the
 * brackets they were never closed. */
static size_t sharding_length(sw_str text)
{
	size_t length = bracketed(text), end = SIZE_MAX;
	if (!text.length)
		return 0;
	if (*text.at == '{') {
		end = find(text, "to{", length ? length : text.length);
		return end == SIZE_MAX ? length : end;
	}
	for (size_t i = 0; i < sizeof(follow) / sizeof(*follow); i++)
		end = sw_log_least(end, find(text, follow[i], 4096));
	return end == SIZE_MAX ? length : end;
}

static size_t find_to(sw_str letters, size_t from_end)
{
	sw_str rest = sw_str_behind(letters, from_end);
	size_t at = find(rest, "to", BEFORE_TO);
	if (at == SIZE_MAX)
		return SIZE_MAX;
	at += strlen("to");
	if (sw_str_starts(sw_str_behind(rest, at), SHARDING))
		at += strlen(SHARDING);
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
	size_t sizes = word_length(sw_str_behind(text, name + 1), ",<=?");
	size_t end = name + 1 + sizes;
	return end < text.length && text.at[end] == ']' ? end + 1 : 0;
}

/* The text between `before` and the quote after it. */
static sw_str quoted(sw_str text, const char *before)
{
	size_t at = find(text, before, text.length);
	if (at == SIZE_MAX)
		return (sw_str){"", 0};
	sw_str rest = sw_str_behind(text, at + strlen(before));
	const char *end = memchr(rest.at, '"', rest.length);
	return end ? (sw_str){rest.at, (size_t)(end - rest.at)} : (sw_str){"", 0};
}

/* The number behind `before`; 0 where there is none. */
static int64_t number_behind(sw_str text, const char *before)
{
	size_t at = find(text, before, text.length), length = 0;
	int64_t number;
	if (at == SIZE_MAX)
		return 0;
	sw_str rest = sw_str_behind(text, at + strlen(before));
	while (length < rest.length && rest.at[length] >= '0' && rest.at[length] <= '9')
		length++;
	return length && sw_read_int((sw_str){rest.at, length}, &number, NULL) ? number : 0;
}

static sw_str letters_of(const sw_log_message *m)
{
	return (sw_str){m->letters->byte, m->letters->count};
}

static bool keep_shape(const sw_log_message *m, sw_str shape, sw_log_found *found)
{
	if (!shape.length)
		return true;
	found->shape.at = sw_log_span(m->letters, (size_t)(shape.at - m->letters->byte), shape.length);
	return keep(shape, m->arena, &found->shape.text, m->diag);
}

/* In names blanks count. */
static bool keep_name(const sw_log_message *m, sw_str name, sw_log_found *found)
{
	size_t begin = (size_t)(name.at - m->letters->byte);
	return !name.length || sw_log_quote(m->start, begin, name.length, m->arena, &found->op_name) ||
		sw_diag_memory(m->diag);
}

/* The name in `(%param, ...)` or `(f32[8]{0} %param)`. */
static sw_str first_operand(sw_str text)
{
	size_t inside = bracketed(text), at = 0;
	while (at < inside && text.at[at] != '%' && text.at[at] != ',') {
		size_t length = strchr("[{", text.at[at]) ? bracketed(sw_str_behind(text, at)) : 1;
		at += length ? length : 1;
	}
	if (at >= inside || text.at[at] != '%')
		return (sw_str){"", 0};
	sw_str name = sw_str_behind(text, at + 1);
	return (sw_str){name.at, word_length(name, ".-")};
}

/* `%copy.1 = f32[8,6]{1,0} copy(...)`: name, shape and operation.  *end: what follows. */
static bool read_value(const sw_log_message *m, size_t *end, sw_log_found *found)
{
	sw_str rest = sw_str_behind(letters_of(m), *end);
	size_t at = find(rest, "HLOoperation", 400);
	if (at == SIZE_MAX)
		return true;
	rest = sw_str_behind(rest, at + strlen("HLOoperation"));
	rest = sw_str_starts(rest, ":") ? sw_str_behind(rest, 1) : rest;
	rest = sw_str_starts(rest, "ROOT") ? sw_str_behind(rest, 4) : rest;
	rest = sw_str_starts(rest, "%") ? sw_str_behind(rest, 1) : rest;
	sw_str value = {rest.at, word_length(rest, ".-")};
	if (!sw_str_starts(sw_str_behind(rest, value.length), "="))
		return true;
	rest = sw_str_behind(rest, value.length + 1);
	sw_str shape = {rest.at, shape_length(rest)};
	rest = sw_str_behind(rest, shape.length);
	if (sw_str_starts(rest, "{"))
		rest = sw_str_behind(rest, bracketed(rest));
	sw_str op = {rest.at, shape.length ? word_length(rest, "-") : 0};
	found->shape_cut = !shape.length && !sw_str_starts(rest, "(");
	if (!sw_str_starts(sw_str_behind(rest, op.length), "("))
		op.length = 0;
	sw_str operand = first_operand(sw_str_behind(rest, op.length));
	*end = (size_t)(rest.at - m->letters->byte) + op.length;
	found->frame = number_behind(rest, "stack_frame_id=");
	return keep(value, m->arena, &found->value, m->diag) && keep_shape(m, shape, found) &&
		(!op.length || keep(op, m->arena, &found->op, m->diag)) &&
		(!operand.length || keep(operand, m->arena, &found->operand, m->diag)) &&
		keep_name(m, quoted(rest, "op_name=\""), found);
}

/* What Ray says at the end of a line that stands for several. */
static int64_t read_repeats(sw_log_clean *clean, size_t position)
{
	static const char before[] = "[repeated ";
	const sw_log_bytes *bytes = &clean->bytes;
	size_t at = sw_log_clean_find(clean, position);
	if (at == bytes->count || !memchr(bytes->byte + at, '\n', bytes->count - at))
		sw_log_clean_more(clean);
	const char *line = bytes->byte + at, *end = memchr(line, '\n', bytes->count - at);
	const char *last = end ? end : bytes->byte + bytes->count;
	const char *found = memmem(line, (size_t)(last - line), before, strlen(before));
	int64_t count = 0;
	if (!found)
		return 0;
	for (found += strlen(before); found < last && *found >= '0' && *found <= '9' && count < 1000000000; found++)
		count = 10 * count + (*found - '0');
	return found < last && *found == 'x' ? count : 0;
}

/* The second sharding is not there, or never ends. */
static bool read_cut(const sw_log_message *m, size_t begin, size_t length, sw_log_found *found)
{
	sw_str from = sw_str_behind(letters_of(m), begin);
	found->cut = true;
	found->from.at = sw_log_span(m->letters, begin, length);
	found->at.end = found->message_end = found->from.at.end;
	return restore((sw_str){from.at, sw_log_least(length ? length : CUT_SHOWN, from.length)}, m->arena,
		&found->from.text, m->diag);
}

/* false: it names no shardings and is no warning, or there is no memory. */
static bool read_shardings(const sw_log_message *m, bool whole, sw_log_found *found)
{
	const sw_str letters = letters_of(m);
	size_t from = find_from(letters);
	if (from == SIZE_MAX)
		return false;
	size_t length = sharding_length(sw_str_behind(letters, from));
	size_t to = length ? find_to(letters, from + length) : SIZE_MAX;
	size_t to_length = to == SIZE_MAX ? 0 : sharding_length(sw_str_behind(letters, to));
	size_t end = to + to_length;
	if (!to_length)
		return read_cut(m, from, length, found);
	found->from.at = sw_log_span(m->letters, from, length);
	found->to.at = sw_log_span(m->letters, to, to_length);
	found->at.end = found->to.at.end;
	if (!restore((sw_str){letters.at + from, length}, m->arena, &found->from.text, m->diag) ||
		!restore((sw_str){letters.at + to, to_length}, m->arena, &found->to.text, m->diag) ||
		!read_value(m, &end, found))
		return false;
	found->message_end = sw_log_span(m->letters, (whole ? letters.length : end) - 1, 1).end;
	return true;
}

bool sw_log_warned(const sw_log_message *message, sw_log_found *found)
{
	bool whole;
	found->warned = true;
	if (!gather(message, &whole) || !read_shardings(message, whole, found))
		return false;
	found->repeats = read_repeats(message->start.clean, found->at.end);
	return true;
}

bool sw_log_warned_go_from(const sw_log_message *message, sw_log_found *found)
{
	return sw_log_warned(message, found) && !found->cut;
}

bool sw_log_warned_of_value(const sw_log_message *message, sw_log_found *found)
{
	return sw_log_warned_go_from(message, found) && found->value.length;
}
