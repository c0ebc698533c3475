/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The letters of a message, whatever was done to its lines: wrapped at any place, coloured, quoted inside JSON or HTML,
 * each line with the prefix of a collector before it.
 */
#include "foreign/log/parts.h"

#include <stdlib.h>
#include <string.h>

#define ESCAPE 0x1B

static bool is_blank(unsigned char c)
{
	return c <= ' ' && c != ESCAPE;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static sw_str rest_of(const sw_log_cursor *cursor)
{
	return (sw_str){cursor->text.at + cursor->at, cursor->text.length - cursor->at};
}

static bool starts(sw_str text, const char *with)
{
	size_t length = strlen(with);
	return text.length >= length && memcmp(text.at, with, length) == 0;
}

/* ---- colours ---- */

/* Bytes of a control sequence after its ESC: `[31m`, `]0;title BEL`, `(B`. */
static size_t control_length(sw_str rest)
{
	size_t i = 1;
	if (!rest.length)
		return 0;
	if (*rest.at == '[') {
		while (i < rest.length && (unsigned char)rest.at[i] >= 0x20 && (unsigned char)rest.at[i] < 0x40)
			i++;
		return i < rest.length ? i + 1 : i;
	}
	if (*rest.at == ']') {
		while (i < rest.length && rest.at[i] != '\a' && rest.at[i] != ESCAPE && rest.at[i] != '\n')
			i++;
		return i < rest.length && rest.at[i] == '\a' ? i + 1 : i;
	}
	return rest.length > 1 && strchr("()#", *rest.at) ? 2 : 1;
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
		if (starts(rest, written[i].text))
			return &written[i];
	return NULL;
}

/* A control sequence whose ESC is written out: `\u001b[31m`. */
static size_t written_control(sw_str rest)
{
	for (size_t i = 0; *rest.at == '\\' && i < sizeof(written_escape) / sizeof(*written_escape); i++) {
		size_t length = strlen(written_escape[i]);
		if (starts(rest, written_escape[i]) && rest.length > length && rest.at[length] == '[')
			return length + control_length((sw_str){rest.at + length, rest.length - length});
	}
	return 0;
}

/* The length of what stands at the start of `rest`, and the byte that a person sees there; '\0': nothing.  Backquotes are those
 * of Markdown. */
static size_t seen_length(sw_str rest, char *seen)
{
	*seen = *rest.at;
	if (!strchr("\x1b\\&\xC2`\t\r", *rest.at) || !*rest.at)
		return 1;
	size_t control = *rest.at == ESCAPE ? 1 + control_length((sw_str){rest.at + 1, rest.length - 1}) :
										  written_control(rest);
	const struct written *as = control ? NULL : written_at(rest);
	*seen = control ? '\0' : as ? (as->letter ? as->letter : ' ') : *rest.at;
	if (*seen == '`' || *seen == '\t' || *seen == '\r')
		*seen = ' ';
	return control ? control : as ? strlen(as->text) : 1;
}

/* ---- lines ---- */

/* How much of the lead this line starts with: times and other numbers may differ, and the last byte is a blank. */
static size_t lead_length(sw_str lead, sw_str line)
{
	size_t most = 0;
	for (size_t i = 0; i < lead.length && i < line.length; i++) {
		bool same = lead.at[i] == line.at[i] || (is_digit(lead.at[i]) && is_digit(line.at[i]));
		if (!same || line.at[i] == '\n')
			break;
		if (line.at[i] == ' ' || line.at[i] == '\t')
			most = i + 1;
	}
	return most;
}

static void pass_line_break(sw_log_cursor *cursor)
{
	cursor->at++;
	cursor->at += lead_length(cursor->lead, rest_of(cursor));
	sw_str rest = rest_of(cursor);
	size_t blanks = 0;
	while (blanks < rest.length && is_blank((unsigned char)rest.at[blanks]) && rest.at[blanks] != '\n')
		blanks++;
	cursor->gap |= blanks == rest.length || rest.at[blanks] == '\n';
}

static bool is_letter(char seen)
{
	return (unsigned char)seen > ' ' && seen != 0x7F;
}

static bool is_space(sw_str rest)
{
	return *rest.at == ' ' || *rest.at == '\t' || starts(rest, "&nbsp;") || starts(rest, "\xC2\xA0");
}

/* Goes to the next letter; false at the end. */
static bool pass(sw_log_cursor *cursor)
{
	while (cursor->at < cursor->text.length) {
		if (cursor->text.at[cursor->at] == '\n') {
			pass_line_break(cursor);
			continue;
		}
		char seen;
		sw_str rest = rest_of(cursor);
		size_t length = seen_length(rest, &seen);
		if (is_letter(seen))
			return true;
		cursor->blank |= is_space(rest);
		cursor->at += length;
	}
	return false;
}

int sw_log_next(sw_log_cursor *cursor)
{
	cursor->blank = false;
	char seen;
	if (!pass(cursor))
		return -1;
	cursor->at += seen_length(rest_of(cursor), &seen);
	return (unsigned char)seen;
}

void sw_log_places(sw_log_cursor cursor, const size_t *count, size_t *place, int places)
{
	size_t at = 0;
	for (int i = 0; i < places; i++) {
		for (; at < count[i]; at++)
			sw_log_next(&cursor);
		pass(&cursor);
		place[i] = cursor.at;
	}
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

/* ---- lines ---- */

static bool add_byte(sw_log_line *line, char c, size_t place)
{
	if (line->text.length == line->room) {
		size_t room = line->room ? 2 * line->room : 512;
		size_t *more = realloc(line->place, room * sizeof(*more));
		if (!more)
			return false;
		line->place = more;
		line->room = room;
	}
	line->place[line->text.length] = place;
	sw_text_add_char(&line->text, c);
	return !line->text.failed;
}

bool sw_log_line_add(sw_log_line *line, sw_str text, sw_span span)
{
	if (line->text.length && !add_byte(line, ' ', span.begin))
		return false;
	for (size_t at = span.begin; at < span.end;) {
		char seen;
		size_t length = seen_length((sw_str){text.at + at, span.end - at}, &seen);
		if (seen && !add_byte(line, seen, at))
			return false;
		at += length;
	}
	return true;
}

void sw_log_line_free(sw_log_line *line)
{
	sw_text_free(&line->text);
	free(line->place);
}
