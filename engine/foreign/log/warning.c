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
 * Where the words are missing, `go from sharding A to B` is one as well, and so is `sharding A to B` with a value.
 * Letters are compared with no blanks between them; those that a sharding needs are put back.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <string.h>

#define WORDS "Involuntaryfullrematerialization"
#define SHARDING "sharding"
#define WORN " \n\r\t\x1b\\&\xC2"       /* what terminals and collectors put between letters begins with these */
#define MESSAGE_MOST ((size_t)16 << 20) /* letters */
#define LEAD_MOST 400                   /* bytes before a message that lines may repeat */
#define LEAD_FAR 4096                   /* a line that is longer before the message wraps no messages */
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
		size_t more = find(skip(letters, at), SHARDING, BEFORE_FROM);
		if (more == SIZE_MAX || at > BEFORE_FROM)
			return SIZE_MAX;
		at += more + strlen(SHARDING);
		if (at < letters.length && strchr("{[", letters.at[at]))
			return at;
	}
}

/* ---- the letters of one message ---- */

/* Another message begins with its first sharding: `to sharding {` is the second one of this. */
static bool is_other(const sw_text *letters, int *shardings)
{
	*shardings += ends_with(letters, SHARDING "{") && !ends_with(letters, "to" SHARDING "{");
	return *shardings > 1;
}

static bool is_last_words(const sw_text *letters)
{
	char last = letters->data[letters->length - 1];
	for (size_t i = 0; last == 't' && i < sizeof(ends) / sizeof(*ends); i++)
		if (ends_with(letters, ends[i]))
			return true;
	return false;
}

/* From where the words end up to the end of the message, the next message, or an empty line.  *whole: its last words
 * were there. */
static bool gather(sw_log_cursor cursor, sw_text *letters, bool *whole, sw_diag *diag)
{
	int c = 0, shardings = 0;
	cursor.gap = false;
	*whole = false;
	sw_text_clear(letters);
	while (letters->length < MESSAGE_MOST && !*whole && (c = sw_log_next(&cursor)) >= 0 && !cursor.gap) {
		sw_text_add_char(letters, (char)c);
		if (letters->failed)
			return sw_diag_memory(diag);
		bool silent = letters->length == 2 * BEFORE_FROM && !shardings &&
			find_from((sw_str){letters->data, letters->length}) == SIZE_MAX;
		if (silent || (c == 'n' && ends_with(letters, WORDS)) || (c == '{' && is_other(letters, &shardings)))
			break;
		*whole = is_last_words(letters);
	}
	if (letters->length && ends_with(letters, WORDS))
		letters->length -= strlen(WORDS);
	else if (shardings > 1)
		letters->length -= strlen(SHARDING "{");
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
	if (starts(skip(rest, at), SHARDING))
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

/* Bytes [begin, end) of letters in the text. */
static sw_span span_of(sw_log_cursor start, size_t begin, size_t length)
{
	const size_t count[] = {begin, begin + (length ? length : 1) - 1};
	size_t place[2];
	sw_log_places(start, count, place, 2);
	return (sw_span){place[0], place[1] < start.text.length ? place[1] + 1 : place[1]};
}

struct message {
	sw_log_cursor start;
	sw_str letters; /* from there on */
	bool whole;     /* up to its last words */
	sw_arena *arena;
	sw_diag *diag;
};

static bool keep_shape(const struct message *m, sw_str shape, sw_log_found *found)
{
	if (!shape.length)
		return true;
	found->shape.at = span_of(m->start, (size_t)(shape.at - m->letters.at), shape.length);
	return keep(shape, m->arena, &found->shape.text, m->diag);
}

/* In names blanks count. */
static bool keep_name(const struct message *m, sw_str name, sw_log_found *found)
{
	size_t begin = (size_t)(name.at - m->letters.at);
	return !name.length || sw_log_quote(m->start, begin, name.length, m->arena, &found->op_name) ||
		sw_diag_memory(m->diag);
}

/* The name in `(%param, ...)` or `(f32[8]{0} %param)`. */
static sw_str first_operand(sw_str text)
{
	size_t inside = bracketed(text), at = 0;
	while (at < inside && text.at[at] != '%' && text.at[at] != ',') {
		size_t length = strchr("[{", text.at[at]) ? bracketed(skip(text, at)) : 1;
		at += length ? length : 1;
	}
	if (at >= inside || text.at[at] != '%')
		return (sw_str){"", 0};
	sw_str name = skip(text, at + 1);
	return (sw_str){name.at, word_length(name, ".-")};
}

/* `%copy.1 = f32[8,6]{1,0} copy(...)`: name, shape and operation.  *end: what follows. */
static bool read_value(const struct message *m, size_t *end, sw_log_found *found)
{
	sw_str rest = skip(m->letters, *end);
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
	sw_str op = {rest.at, shape.length ? word_length(rest, "-") : 0};
	found->shape_cut = !shape.length && !starts(rest, "(");
	if (!starts(skip(rest, op.length), "("))
		op.length = 0;
	sw_str operand = first_operand(skip(rest, op.length));
	*end = (size_t)(rest.at - m->letters.at) + op.length;
	return keep(value, m->arena, &found->value, m->diag) && keep_shape(m, shape, found) &&
		(!op.length || keep(op, m->arena, &found->op, m->diag)) &&
		(!operand.length || keep(operand, m->arena, &found->operand, m->diag)) &&
		keep_name(m, quoted(rest, "op_name=\""), found);
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

/* The second sharding is not there, or never ends. */
static bool read_cut(const struct message *m, size_t begin, size_t length, sw_log_found *found)
{
	sw_str from = skip(m->letters, begin);
	found->cut = true;
	found->from.at = span_of(m->start, begin, length);
	found->at.end = found->message_end = found->from.at.end;
	return restore((sw_str){from.at, least(length ? length : CUT_SHOWN, from.length)}, m->arena, &found->from.text,
		m->diag);
}

/* false: it names no shardings and is no warning, or there is no memory. */
static bool read_message(const struct message *m, sw_log_found *found)
{
	size_t from = find_from(m->letters);
	if (from == SIZE_MAX)
		return false;
	size_t length = sharding_length(skip(m->letters, from));
	size_t to = length ? find_to(m->letters, from + length) : SIZE_MAX;
	size_t to_length = to == SIZE_MAX ? 0 : sharding_length(skip(m->letters, to));
	if (!to_length)
		return read_cut(m, from, length, found);
	const size_t count[] = {from, from + length - 1, to, to + to_length - 1};
	size_t place[4], end = to + to_length;
	sw_log_places(m->start, count, place, 4);
	found->from.at = (sw_span){place[0], place[1] + 1};
	found->to.at = (sw_span){place[2], place[3] + 1};
	found->at.end = found->to.at.end;
	if (!restore((sw_str){m->letters.at + from, length}, m->arena, &found->from.text, m->diag) ||
		!restore((sw_str){m->letters.at + to, to_length}, m->arena, &found->to.text, m->diag) ||
		!read_value(m, &end, found))
		return false;
	found->message_end = span_of(m->start, (m->whole ? m->letters.length : end) - 1, 1).end;
	return true;
}

/* ---- finding messages ---- */

/* Are the bytes here those of the word, as far as nothing stands between its letters? */
static bool may_begin(sw_str text, size_t at, const char *word)
{
	for (size_t i = 1; word[i] && at + i < text.length; i++)
		if (text.at[at + i] != word[i])
			return strchr(WORN, text.at[at + i]) != NULL;
	return true;
}

/* Do these letters stand here?  The cursor gets behind them. */
static bool letters_at(sw_log_cursor *cursor, const char *word)
{
	for (; *word; word++)
		if (sw_log_next(cursor) != (unsigned char)*word)
			return false;
	return true;
}

static sw_str lead_of(sw_str text, size_t at)
{
	size_t begin = at;
	while (begin > 0 && text.at[begin - 1] != '\n' && at - begin < LEAD_FAR)
		begin--;
	if (at - begin == LEAD_FAR)
		return (sw_str){"", 0};
	return (sw_str){text.at + begin, at - begin < LEAD_MOST ? at - begin : LEAD_MOST};
}

/* Does `go from` stand before this place? */
static bool goes_from(sw_str text, size_t at)
{
	static const char *const words[] = {"from", "go"};
	for (int i = 0; i < 2; i++) {
		size_t length = strlen(words[i]);
		while (at && strchr(" \n\r\t", text.at[at - 1]))
			at--;
		if (at < length || memcmp(text.at + at - length, words[i], length) != 0)
			return false;
		at -= length;
	}
	return true;
}

static const struct opening {
	const char *word;
	sw_log_opening is;
} openings[] = {
	{WORDS, SW_LOG_OPENS_REMATERIALIZATION},
	{SHARDING, SW_LOG_OPENS_SHARDING},
	{"shard_mapappliedtothefunction", SW_LOG_OPENS_SHARD_MAP},
	{"Whileredistributingfrom", SW_LOG_OPENS_REDISTRIBUTING},
	{"Oneof", SW_LOG_OPENS_ONE_OF},
	{"Sharding", SW_LOG_OPENS_IMPLIES},
};

#define OPENINGS (sizeof(openings) / sizeof(*openings))

/* The bytes that one of them begins with, and those that may follow. */
struct finder {
	sw_str text;
	bool first[256], second[256];
};

static struct finder finder_of(sw_str text)
{
	struct finder finder = {.text = text};
	for (size_t i = 0; i < OPENINGS; i++) {
		finder.first[(unsigned char)openings[i].word[0]] = true;
		finder.second[(unsigned char)openings[i].word[1]] = true;
	}
	for (const char *c = WORN; *c; c++)
		finder.second[(unsigned char)*c] = true;
	return finder;
}

/* Where one of them may stand, from `at` on, but not more than a beat away. */
static size_t find_opening(const struct finder *finder, size_t at)
{
	size_t end = least(finder->text.length, at + BEAT);
	const unsigned char *text = (const unsigned char *)finder->text.at;
	while (at < end && !(finder->first[text[at]] && at + 1 < finder->text.length && finder->second[text[at + 1]]))
		at++;
	return at;
}

/* The cursor gets behind what stands before the first sharding. */
static bool begins_here(sw_log_cursor *cursor, const struct opening *opening)
{
	sw_log_cursor ahead = *cursor;
	if (!letters_at(&ahead, opening->word))
		return false;
	if (opening->is == SW_LOG_OPENS_SHARDING)
		return sw_log_next(&ahead) == '{';
	*cursor = ahead;
	return true;
}

/* Without XLA's words there have to be two shardings, and a sign that a compiler says it. */
static bool is_warning(const struct opening *opening, sw_str text, const sw_log_found *found)
{
	return opening->is != SW_LOG_OPENS_SHARDING ||
		(!found->cut && (found->value.length || goes_from(text, found->at.begin)));
}

/* Does a colour, `[1;31m`, end here? */
static bool ends_colour(sw_str text, size_t at)
{
	if (!at || text.at[at - 1] != 'm')
		return false;
	for (at--; at > 0 && strchr("0123456789;", text.at[at - 1]);)
		at--;
	return at > 0 && text.at[at - 1] == '[';
}

/* `Sharding` inside of a longer word is that word's. */
static bool is_inside(sw_str text, size_t at)
{
	char before = at ? text.at[at - 1] : ' ';
	bool letter = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') || before == '_';
	return letter && !ends_colour(text, at);
}

/* false: there is none here, or an error. */
static bool read_here(sw_str text, size_t at, const struct opening *opening, sw_arena *arena, sw_text *letters,
	sw_log_found *found, sw_diag *diag)
{
	struct message message = {.start = {.text = text, .at = at}, .arena = arena, .diag = diag};
	if (at + 1 >= text.length || !may_begin(text, at, opening->word))
		return false;
	message.start.lead = lead_of(text, at);
	*found = (sw_log_found){.at = {at, at}, .warned = true};
	if (!begins_here(&message.start, opening))
		return false;
	if (opening->is >= SW_LOG_OPENS_REDISTRIBUTING)
		return !is_inside(text, at) && sw_log_said(message.start, opening->is, arena, letters, found, diag);
	if (!gather(message.start, letters, &message.whole, diag))
		return false;
	message.letters = (sw_str){sw_text_get(letters), letters->length};
	if (!read_message(&message, found) || !is_warning(opening, text, found))
		return false;
	found->repeats = read_repeats(text, found->at.end);
	return true;
}

static bool read_any(const struct finder *finder, size_t at, sw_arena *arena, sw_text *letters, sw_log_found *found,
	sw_diag *diag)
{
	bool ok = false;
	for (size_t i = 0; i < OPENINGS && !ok && diag->code == SW_OK; i++)
		ok = *openings[i].word == finder->text.at[at] &&
			read_here(finder->text, at, &openings[i], arena, letters, found, diag);
	return ok;
}

static bool go_on(const sw_pulse *pulse, size_t at, sw_str text, size_t *beat, sw_diag *diag)
{
	if (at - *beat <= BEAT)
		return true;
	*beat = at;
	return sw_pulse_beat(pulse, "bytes", (long long)at, (long long)text.length) ?
		true :
		sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %zu of %zu bytes", at, text.length);
}

bool sw_log_warning(sw_str text, size_t *at, const sw_pulse *pulse, sw_arena *arena, sw_log_found *found,
	sw_diag *diag)
{
	sw_text letters = {0};
	struct finder finder = finder_of(text);
	size_t beat = *at;
	bool ok = false;
	while (!ok && diag->code == SW_OK && (*at = find_opening(&finder, *at)) < text.length &&
		go_on(pulse, *at, text, &beat, diag)) {
		ok = read_any(&finder, *at, arena, &letters, found, diag);
		*at = ok ? found->message_end : *at + 1;
	}
	sw_text_free(&letters);
	return ok;
}
