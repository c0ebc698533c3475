/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A log as a person sees it, whatever was done to its lines: coloured, quoted inside JSON or HTML; and the letters of a
 * message, which may be wrapped at any byte, each line with the prefix of a collector before it.
 */
#include "foreign/log/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"

#define ESCAPE 0x1B

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- colours ---- */

/* With the byte that ends it; an end of a line ends it before. */
static size_t ended(sw_str rest, size_t length)
{
	return length < rest.length && rest.at[length] != '\n' ? length + 1 : length;
}

/* Bytes of a control sequence after its ESC: `[31m`, `]0;title BEL`, `(B`. */
static size_t control_length(sw_str rest)
{
	size_t i = 1;
	if (!rest.length || *rest.at == '\n')
		return 0;
	if (*rest.at == '[') {
		while (i < rest.length && (unsigned char)rest.at[i] >= 0x20 && (unsigned char)rest.at[i] < 0x40)
			i++;
		return ended(rest, i);
	}
	if (*rest.at == ']') {
		while (i < rest.length && rest.at[i] != '\a' && rest.at[i] != ESCAPE && rest.at[i] != '\n')
			i++;
		return i < rest.length && rest.at[i] == '\a' ? i + 1 : i;
	}
	return strchr("()#", *rest.at) ? ended(rest, 1) : 1;
}

/* ---- what stands for something else ---- */

/* How letters are written inside JSON, of shells and in HTML; '\0': it stands for nothing that counts. */
static const struct written {
	const char *text;
	char letter;
} written[] = {{"\\n", '\0'}, {"\\r", '\0'}, {"\\t", '\0'}, {"\\\"", '"'}, {"\\'", '\''}, {"\\/", '/'},
	{"\\\\", '\\'}, {"\\u003c", '<'}, {"\\u003C", '<'}, {"\\u003e", '>'}, {"\\u003E", '>'}, {"\\u0027", '\''},
	{"\\u0022", '"'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&#34;", '"'},
	{"&nbsp;", '\0'}, {"\xC2\xA0", '\0'}};

static const char *const written_escape[] = {"\\u001b", "\\u001B", "\\x1b", "\\x1B", "\\033", "\\e"};

static const struct written *written_at(sw_str rest)
{
	if (*rest.at != '\\' && *rest.at != '&' && *rest.at != '\xC2')
		return NULL;
	for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++)
		if (sw_str_starts(rest, written[i].text))
			return &written[i];
	return NULL;
}

/* A control sequence whose ESC is written out: `\u001b[31m`. */
static size_t written_control(sw_str rest)
{
	for (size_t i = 0; *rest.at == '\\' && i < sizeof(written_escape) / sizeof(*written_escape); i++) {
		size_t length = strlen(written_escape[i]);
		if (sw_str_starts(rest, written_escape[i]) && rest.length > length && rest.at[length] == '[')
			return length + control_length((sw_str){rest.at + length, rest.length - length});
	}
	return 0;
}

/* Bytes that may be more, or other, than what a person sees. */
static const bool odd[256] = {[0] = true,
	['\t'] = true,
	['\r'] = true,
	[ESCAPE] = true,
	['&'] = true,
	['\\'] = true,
	['`'] = true,
	[0xC2] = true};

/* The length of what stands at the start of `rest`, and the byte that a person sees there; '\0': nothing.  Backquotes are those
 * of Markdown. */
static size_t seen_length(sw_str rest, char *seen)
{
	size_t control = *rest.at == ESCAPE ? 1 + control_length((sw_str){rest.at + 1, rest.length - 1}) :
										  written_control(rest);
	const struct written *as = control ? NULL : written_at(rest);
	*seen = control ? '\0' : as ? (as->letter ? as->letter : ' ') : *rest.at;
	if (*seen == '`' || *seen == '\t' || *seen == '\r')
		*seen = ' ';
	return control ? control : as ? strlen(as->text) : 1;
}

/* ---- bytes with positions ---- */

/* Room for so many more. */
static bool reserve(sw_log_bytes *bytes, size_t more)
{
	size_t room = bytes->room ? bytes->room : 512;
	if (bytes->room - bytes->count >= more || bytes->failed)
		return !bytes->failed;
	while (room - bytes->count < more)
		room *= 2;
	char *byte = realloc(bytes->byte, room);
	if (byte)
		bytes->byte = byte;
	size_t *position = byte ? realloc(bytes->position, room * sizeof(*position)) : NULL;
	if (position) {
		bytes->position = position;
		bytes->room = room;
	}
	bytes->failed = position == NULL;
	return !bytes->failed;
}

bool sw_log_bytes_add(sw_log_bytes *bytes, char c, size_t position)
{
	if (!reserve(bytes, 1))
		return false;
	bytes->byte[bytes->count] = c;
	bytes->position[bytes->count++] = position;
	return true;
}

void sw_log_bytes_free(sw_log_bytes *bytes)
{
	free(bytes->byte);
	free(bytes->position);
}

/* ---- cleaning ---- */

sw_span sw_log_line_at(sw_str text, size_t at)
{
	assert(at <= text.length);
	size_t rest = text.length - at, most = rest < SW_LOG_LINE_MOST ? rest : SW_LOG_LINE_MOST;
	const char *end = most ? memchr(text.at + at, '\n', most) : NULL;
	return (sw_span){at, end ? (size_t)(end - text.at) + 1 : at + most};
}

bool sw_log_clean_more(sw_log_clean *clean)
{
	const sw_str text = clean->text;
	sw_log_bytes *bytes = &clean->bytes;
	size_t at = clean->end, end = sw_log_line_at(text, at).end;
	if (at == end || !reserve(bytes, end - at))
		return false;
	while (at < end) {
		size_t count = bytes->count;
		for (; at < end && !odd[(unsigned char)text.at[at]]; at++) {
			bytes->byte[count] = text.at[at];
			bytes->position[count++] = at;
		}
		char seen = '\0';
		size_t length = at < end ? seen_length((sw_str){text.at + at, text.length - at}, &seen) : 0;
		if (seen) {
			bytes->byte[count] = seen;
			bytes->position[count++] = at;
		}
		bytes->count = count;
		at += length;
	}
	clean->end = at;
	return true;
}

size_t sw_log_clean_find(const sw_log_clean *clean, size_t byte)
{
	return (size_t)SW_LOWER_BOUND(0, (int64_t)clean->bytes.count, clean->bytes.position[at] < byte);
}

void sw_log_clean_from(sw_log_clean *clean, size_t at)
{
	sw_log_bytes *bytes = &clean->bytes;
	size_t gone = at < clean->end ? sw_log_clean_find(clean, at) : bytes->count, left = bytes->count - gone;
	if (at >= clean->end)
		clean->end = at;
	if (!gone || left > gone)
		return;
	memmove(bytes->byte, bytes->byte + gone, left);
	memmove(bytes->position, bytes->position + gone, left * sizeof(*bytes->position));
	bytes->count = left;
}

/* ---- letters ---- */

/* How much of the lead this line starts with: times and other numbers may differ, and the last byte is a blank. */
static size_t lead_length(sw_str lead, sw_str line)
{
	size_t most = 0;
	for (size_t i = 0; i < lead.length && i < line.length; i++) {
		bool same = lead.at[i] == line.at[i] || (is_digit(lead.at[i]) && is_digit(line.at[i]));
		if (!same || line.at[i] == '\n')
			break;
		if (line.at[i] == ' ')
			most = i + 1;
	}
	return most;
}

static bool is_letter(char c)
{
	return (unsigned char)c > ' ' && c != 0x7F;
}

/* Passes the lead of the line that begins; a line without letters is a gap. */
static void begin_line(sw_log_cursor *cursor)
{
	const sw_log_bytes *bytes = &cursor->clean->bytes;
	if (cursor->at == bytes->count)
		sw_log_clean_more(cursor->clean);
	sw_str lead = {bytes->byte + cursor->lead, cursor->lead_length};
	sw_str line = {bytes->byte + cursor->at, bytes->count - cursor->at};
	cursor->at += lead_length(lead, line);
	size_t next = cursor->at;
	while (next < bytes->count && bytes->byte[next] != '\n' && !is_letter(bytes->byte[next]))
		next++;
	cursor->gap |= next == bytes->count || bytes->byte[next] == '\n';
}

/* Is this blank one of the text, and neither a break of a line nor a sign for something else? */
static bool is_space(const sw_log_clean *clean, size_t at)
{
	return clean->bytes.byte[at] == ' ' && strchr(" \t&\xC2", clean->text.at[clean->bytes.position[at]]);
}

int sw_log_next(sw_log_cursor *cursor)
{
	const sw_log_bytes *bytes = &cursor->clean->bytes;
	cursor->blank = false;
	while (cursor->at < bytes->count || sw_log_clean_more(cursor->clean)) {
		if (cursor->at == bytes->count)
			continue;
		char c = bytes->byte[cursor->at++];
		if (is_letter(c))
			return (unsigned char)c;
		if (c == '\n')
			begin_line(cursor);
		else
			cursor->blank |= is_space(cursor->clean, cursor->at - 1);
	}
	return -1;
}

bool sw_log_letters_at(sw_log_cursor *cursor, const char *word)
{
	for (; *word; word++)
		if (sw_log_next(cursor) != (unsigned char)*word)
			return false;
	return true;
}

bool sw_log_keep(const sw_log_cursor *cursor, sw_log_bytes *letters)
{
	assert(cursor->at > 0);
	const sw_log_bytes *bytes = &cursor->clean->bytes;
	return sw_log_bytes_add(letters, bytes->byte[cursor->at - 1], bytes->position[cursor->at - 1]);
}

static size_t position_of(const sw_log_bytes *letters, size_t i)
{
	return i < letters->count ? letters->position[i] : letters->count ? letters->position[letters->count - 1] + 1 : 0;
}

sw_span sw_log_span(const sw_log_bytes *letters, size_t begin, size_t length)
{
	size_t last = begin + (length ? length : 1) - 1;
	return (sw_span){position_of(letters, begin), position_of(letters, last) + (last < letters->count)};
}

bool sw_log_quote(sw_log_cursor cursor, size_t skip, size_t count, sw_arena *arena, sw_str *out)
{
	char *text = sw_arena_alloc(arena, 2 * count + 1, 1);
	size_t length = 0;
	if (!text)
		return false;
	for (size_t i = 0; i < skip; i++)
		sw_log_next(&cursor);
	for (size_t i = 0; i < count; i++) {
		int c = sw_log_next(&cursor);
		if (i && cursor.blank)
			text[length++] = ' ';
		text[length++] = (char)c;
	}
	text[length] = '\0';
	*out = (sw_str){text, length};
	return true;
}
