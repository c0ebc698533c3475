/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A log is gone over once: a line that may hold something is cleaned, and offered to each kind of line that there is.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <string.h>

#define WORN " \n\r\t\x1b\\&\xC2"     /* what terminals and collectors put between letters begins with these */
#define BEAT ((size_t)1 << 18)        /* bytes */
#define LEAD_MOST ((size_t)400)       /* bytes before a message that lines may repeat */
#define LEAD_FAR 4096                 /* a line that is longer before the message wraps no messages */
#define JOINED 64                     /* lines that are one */
#define JOINED_MOST ((size_t)1 << 16) /* bytes of them */
#define VAIN 200                      /* times that lines were joined and held no pair; there is no more of it then */

/* Kinds of messages.  Letters are compared with no blanks between them.  What none of them is may be a plain line. */
static const struct kind {
	const char *opening; /* letters */
	size_t at;           /* how many of them stand before the position that is told ... */
	size_t passed;       /* ... and before what is read */
	bool word;           /* inside of a longer word it is that word's */
	sw_log_reader *read;
} kinds[] = {
	{"Involuntaryfullrematerialization", 0, 32, false, sw_log_warned},
	{"gofromsharding{", 6, 6, false, sw_log_warned_go_from},
	{"sharding{", 0, 0, false, sw_log_warned_of_value},
	{"shard_mapappliedtothefunction", 0, 29, true, sw_log_specs},
	{"Whileredistributingfrom", 0, 23, true, sw_log_redistributing},
	{"Oneof", 0, 5, true, sw_log_given},
	{"Sharding", 0, 8, true, sw_log_implied},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct scan {
	sw_log_clean clean;
	sw_log_bytes letters; /* of a message */
	sw_log_bytes joined;  /* lines that are one */
	bool first[256];      /* bytes that an opening begins with ... */
	bool second[256];     /* ... and that follow them */
	size_t at, from;      /* the line that is looked at, and the first byte that belongs to no message before */
	size_t beat;          /* where it was asked whether to go on */
	int vain;             /* times that lines were joined and held no pair */
	bool plain;           /* lines A -> B are looked for */
	const sw_pulse *pulse;
	sw_arena *arena;
	sw_log_taker *take;
	void *context;
	sw_diag *diag;
};

/* ---- a quick look at the text, of which little is cleaned ---- */

static void know_openings(struct scan *s)
{
	for (size_t i = 0; i < KINDS; i++) {
		s->first[(unsigned char)kinds[i].opening[0]] = true;
		s->second[(unsigned char)kinds[i].opening[1]] = true;
	}
	for (const char *c = WORN; *c; c++)
		s->second[(unsigned char)*c] = true;
}

/* Are the bytes here those of the opening, as far as it is not worn? */
static bool may_open(sw_str text, size_t at, const char *opening)
{
	for (; *opening && at < text.length; at++) {
		if (text.at[at] == *opening)
			opening++;
		else if (text.at[at] != ' ')
			return strchr(WORN, text.at[at]) != NULL;
	}
	return true;
}

static bool may_hold_message(const struct scan *s, sw_span span)
{
	const sw_str text = s->clean.text;
	for (size_t at = span.begin; at < span.end && at + 1 < text.length; at++) {
		if (!s->first[(unsigned char)text.at[at]] || !s->second[(unsigned char)text.at[at + 1]])
			continue;
		for (size_t i = 0; i < KINDS; i++)
			if (text.at[at] == *kinds[i].opening && may_open(text, at, kinds[i].opening))
				return true;
	}
	return false;
}

static sw_str line_of(sw_str text, sw_span span)
{
	bool ended = span.end > span.begin && text.at[span.end - 1] == '\n';
	return (sw_str){text.at + span.begin, span.end - span.begin - ended};
}

static bool is_line(sw_str text, sw_span span)
{
	return (!span.begin || text.at[span.begin - 1] == '\n') &&
		(span.end == text.length || text.at[span.end - 1] == '\n');
}

/* It has an arrow, or may go on in one that has. */
static bool may_hold_pair(sw_str text, sw_span span)
{
	sw_str line = line_of(text, span);
	return is_line(text, span) &&
		(sw_log_may_pair(line) ||
			(span.end < text.length && sw_log_goes_on(line, line_of(text, sw_log_line_at(text, span.end)))));
}

/* ---- messages ---- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The cursor gets behind what the message's reader passes. */
static bool opens(sw_log_cursor *cursor, const struct kind *kind, sw_log_found *found)
{
	sw_log_cursor ahead = *cursor;
	for (size_t i = 0; kind->opening[i]; i++) {
		if (sw_log_next(&ahead) != (unsigned char)kind->opening[i])
			return false;
		size_t position = ahead.clean->bytes.position[ahead.at - 1];
		if (i == kind->at)
			*found = (sw_log_found){.at = {position, position}};
		if (i + 1 == kind->passed)
			*cursor = ahead;
	}
	return true;
}

/* The message of this kind at a clean byte, in a line that begins at byte `line`. */
static bool read_message(struct scan *s, const struct kind *kind, size_t line, size_t at, sw_log_found *found)
{
	size_t before = at - line;
	sw_log_cursor start = {.clean = &s->clean, .at = at, .lead = line};
	start.lead_length = before >= LEAD_FAR ? 0 : before < LEAD_MOST ? before : LEAD_MOST;
	if ((kind->word && before && is_name(s->clean.bytes.byte[at - 1])) || !opens(&start, kind, found))
		return false;
	const sw_log_message message = {.start = start, .letters = &s->letters, .arena = s->arena, .diag = s->diag};
	return kind->read(&message, found);
}

/* The first message that begins with a clean byte in [at, end).  false: there is none, or an error. */
static bool find_message(struct scan *s, size_t line, size_t at, size_t end, sw_log_found *found)
{
	for (; at < end && s->diag->code == SW_OK; at++) {
		const sw_log_bytes *bytes = &s->clean.bytes;
		unsigned char first = (unsigned char)bytes->byte[at];
		if (!s->first[first] || (at + 1 < bytes->count && !s->second[(unsigned char)bytes->byte[at + 1]]))
			continue;
		for (size_t i = 0; i < KINDS && s->diag->code == SW_OK; i++)
			if (first == (unsigned char)*kinds[i].opening && read_message(s, &kinds[i], line, at, found))
				return true;
	}
	return false;
}

/* Cleans up to the end of these bytes; clean ones that begin and end with them. */
static sw_span cleaned(struct scan *s, sw_span span)
{
	while (s->clean.end < span.end && sw_log_clean_more(&s->clean))
		;
	return (sw_span){sw_log_clean_find(&s->clean, span.begin), sw_log_clean_find(&s->clean, span.end)};
}

static bool begins_message(struct scan *s, sw_span span)
{
	sw_log_found found;
	sw_arena_mark mark = sw_arena_here(s->arena);
	sw_span line = cleaned(s, span);
	bool begins = find_message(s, line.begin, line.begin, line.end, &found);
	sw_arena_back(s->arena, mark);
	return begins;
}

/* Takes the messages that begin in these bytes; *any: there is one, or the end of one. */
static bool take_messages(struct scan *s, sw_span span, bool *any)
{
	sw_log_found found;
	sw_arena_mark mark = sw_arena_here(s->arena);
	sw_span line = cleaned(s, span);
	*any = s->from > span.begin;
	if (!*any)
		s->from = span.begin;
	while (
		s->from < span.end && find_message(s, line.begin, sw_log_clean_find(&s->clean, s->from), line.end, &found)) {
		*any = true;
		s->from = found.message_end;
		if (!s->take(s->context, &found, mark))
			return false;
		mark = sw_arena_here(s->arena);
	}
	sw_arena_back(s->arena, mark);
	return s->diag->code == SW_OK;
}

/* ---- plain lines ---- */

/* A clean line without blanks at its ends. */
static sw_span trimmed(const sw_log_bytes *bytes, sw_span span)
{
	while (span.begin < span.end && bytes->byte[span.begin] == ' ')
		span.begin++;
	while (span.begin < span.end && strchr(" \n", bytes->byte[span.end - 1]))
		span.end--;
	return span;
}

static sw_str joined(const struct scan *s)
{
	return (sw_str){s->joined.byte, s->joined.count};
}

/* Adds a line to those that are one. */
static bool join(struct scan *s, sw_span span)
{
	const sw_log_bytes *bytes = &s->clean.bytes;
	sw_span line = trimmed(bytes, cleaned(s, span));
	bool ok = true;
	if (s->joined.count && line.begin < line.end)
		ok = sw_log_bytes_add(&s->joined, ' ', bytes->position[line.begin]);
	for (size_t i = line.begin; ok && i < line.end; i++)
		ok = sw_log_bytes_add(&s->joined, bytes->byte[i], bytes->position[i]);
	return ok || sw_diag_memory(s->diag);
}

/* Does this line belong to those before, as brackets and arrows say? */
static bool goes_on(struct scan *s, sw_span span)
{
	sw_span line = trimmed(&s->clean.bytes, cleaned(s, span));
	sw_str next = {s->clean.bytes.byte + line.begin, line.end - line.begin};
	return sw_log_goes_on(joined(s), next) && !begins_message(s, span);
}

/* The end of the last line that was joined to that of `span`. */
static bool join_on(struct scan *s, sw_span *span)
{
	const sw_str text = s->clean.text;
	for (int more = 0; more < JOINED && span->end < text.length; more++) {
		sw_span next = sw_log_line_at(text, span->end);
		if (next.end - span->begin > JOINED_MOST || !goes_on(s, next))
			return s->diag->code == SW_OK;
		if (!join(s, next))
			return false;
		span->end = next.end;
	}
	return true;
}

static bool take_pairs(struct scan *s, bool *any, sw_log_found *half)
{
	sw_log_plain plain = {.line = {joined(s), s->joined.position}};
	while (sw_log_plain_next(&plain, half)) {
		*any = true;
		if (!s->take(s->context, half, sw_arena_here(s->arena)))
			return false;
	}
	return true;
}

/* Takes the pairs of one line, or of those that it goes on in where it alone has none; s->at gets behind them. */
static bool take_line(struct scan *s, sw_span line)
{
	bool any = false;
	sw_log_found half;
	sw_span whole = line;
	s->joined.count = 0;
	s->at = line.end;
	if (!join(s, line) || !take_pairs(s, &any, &half))
		return false;
	if (!any && s->vain < VAIN && !join_on(s, &whole))
		return false;
	if (whole.end > line.end && !take_pairs(s, &any, &half))
		return false;
	s->vain += whole.end > line.end && !any;
	if (any)
		s->at = whole.end;
	return !half.half || s->take(s->context, &half, sw_arena_here(s->arena));
}

/* ---- line by line ---- */

/* The line in which the last message ended comes next, which may be this one. */
static void go_behind(struct scan *s, sw_span line)
{
	s->at = s->from > line.end ? s->from : line.end;
	while (s->at > line.end && s->clean.text.at[s->at - 1] != '\n')
		s->at--;
}

static bool read_line(struct scan *s)
{
	bool any = false;
	const sw_str text = s->clean.text;
	sw_span line = sw_log_line_at(text, s->at);
	bool pair = s->plain && s->from <= line.begin && may_hold_pair(text, line);
	if (!pair && !may_hold_message(s, line)) {
		s->at = line.end;
		return true;
	}
	sw_log_clean_from(&s->clean, line.begin);
	if (!take_messages(s, line, &any))
		return false;
	if (any || !pair)
		go_behind(s, line);
	else if (!take_line(s, line))
		return false;
	return !s->clean.bytes.failed || sw_diag_memory(s->diag);
}

static bool go_on(struct scan *s)
{
	if (s->at - s->beat < BEAT)
		return true;
	s->beat = s->at;
	return sw_pulse_beat(s->pulse, "bytes", (long long)s->at, (long long)s->clean.text.length) ?
		true :
		sw_diag_set(s->diag, SW_S03, (sw_span){0, 0}, "stopped after %zu of %zu bytes", s->at, s->clean.text.length);
}

bool sw_log_scan(sw_str text, bool plain, const sw_pulse *pulse, sw_arena *arena, sw_log_taker *take, void *context,
	sw_diag *diag)
{
	struct scan s = {.clean = {.text = text},
		.plain = plain,
		.pulse = pulse,
		.arena = arena,
		.take = take,
		.context = context,
		.diag = diag};
	bool ok = true;
	know_openings(&s);
	while (ok && s.at < text.length)
		ok = go_on(&s) && read_line(&s);
	sw_log_bytes_free(&s.clean.bytes);
	sw_log_bytes_free(&s.letters);
	sw_log_bytes_free(&s.joined);
	return ok;
}
