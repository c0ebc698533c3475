/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The JSON writer.  It adds bytes to a buffer and builds no tree: a plan is written in the time that the search
 * for it takes.
 */
#define _GNU_SOURCE
#include <shardwalk/json.h>
#include <shardwalk/notation.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"

void sw_json_start(sw_json *json, sw_text *text, bool line)
{
	*json = (sw_json){.text = text, .line = line};
}

/* ---- layout ---- */

static void json_newline(sw_json *json)
{
	sw_text_add_char(json->text, '\n');
	for (int i = 0; i < json->depth; i++)
		sw_text_add_char(json->text, ' ');
}

/* Goes on to the next value or key; returns how many bytes of ", " (none or both; of a compact document the first) the caller
 * puts before it. */
static size_t json_comma(sw_json *json)
{
	uint32_t bit = (uint32_t)1 << json->depth;
	if (json->keyed) {
		json->keyed = false;
		return 0;
	}
	bool comma = json->filled & bit;
	json->filled |= bit;
	if (json->line || !(json->spread & bit))
		return !comma ? 0 : json->compact ? 1 : 2;
	if (comma)
		sw_text_add_char(json->text, ',');
	json_newline(json);
	return 0;
}

static void json_separate(sw_json *json)
{
	size_t comma = json_comma(json);
	if (comma > 0)
		sw_text_add_str(json->text, (sw_str){", ", comma});
}

void sw_json_open(sw_json *json, char bracket, bool spread)
{
	assert(bracket == '{' || bracket == '[');
	json_separate(json);
	sw_text_add_char(json->text, bracket);
	SW_ROOM(json->close, json->depth + 1);
	json->depth++;
	uint32_t bit = (uint32_t)1 << json->depth;
	json->filled &= ~bit;
	json->spread = spread ? json->spread | bit : json->spread & ~bit;
	json->close[json->depth] = bracket == '{' ? '}' : ']';
}

void sw_json_close(sw_json *json)
{
	assert(json->depth > 0 && !json->keyed);
	uint32_t bit = (uint32_t)1 << json->depth;
	char bracket = json->close[json->depth--];
	if (!json->line && json->spread & bit && json->filled & bit)
		json_newline(json);
	sw_text_add_char(json->text, bracket);
}

void sw_json_key(sw_json *json, const char *key)
{
	assert(json->close[json->depth] == '}' && !json->keyed);
	const char *opening = json->compact ? ",\"" : ", \"";
	size_t most = json->compact ? 1 : 2, skip = most - json_comma(json);
	size_t length = strlen(key);
	sw_text *text = json->text;
	json->keyed = true;
	if (!sw_text_reserve(text, most + 1 + length + 3))
		return;
	char *at = mempcpy(text->data + text->length, opening + skip, most + 1 - skip);
	at = mempcpy(mempcpy(at, key, length), "\": ", json->compact ? 2 : 3);
	*at = '\0';
	text->length = (size_t)(at - text->data);
}

/* ---- numbers ---- */

void sw_json_int(sw_json *json, int64_t value)
{
	json_separate(json);
	sw_text_add_int(json->text, value);
}

void sw_json_ints(sw_json *json, const int64_t *values, int64_t count)
{
	assert(count >= 0);
	sw_json_open(json, '[', false);
	for (int64_t k = 0; k < count; k++)
		sw_json_int(json, values[k]);
	sw_json_close(json);
}

/* A number in that many digits: 5.0, 2.5e-6. */
static void json_rounded(sw_json *json, double value)
{
	char room[40];
	snprintf(room, sizeof room, "%.*g", json->digits, value);
	char *exponent = strchr(room, 'e');
	int power = exponent ? atoi(exponent + 1) : 0;
	if (exponent)
		*exponent = '\0';
	size_t whole = strspn(room, "-0123456789");
	json_separate(json);
	sw_text_add_str(json->text, (sw_str){room, whole});
	if (room[whole])
		sw_text_addf(json->text, ".%s", room + whole + 1);
	if (exponent)
		sw_text_addf(json->text, "e%d", power);
	else if (!room[whole])
		sw_text_add(json->text, ".0");
}

void sw_json_number(sw_json *json, double value)
{
	if (!isfinite(value)) {
		sw_json_null(json);
		return;
	}
	if (json->digits) {
		json_rounded(json, value);
		return;
	}
	if (fabs(value) < 1e15 && value == (double)(int64_t)value) {
		sw_json_int(json, (int64_t)value);
		return;
	}
	char room[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(room, sizeof room, "%.*g", digits, value);
		if (strtod(room, NULL) == value)
			break;
	}
	json_separate(json);
	for (char *at = room; *at; at++)
		sw_text_add_char(json->text, strchr("0123456789+-e", *at) ? *at : '.');
}

void sw_json_bool(sw_json *json, bool value)
{
	json_separate(json);
	sw_text_add(json->text, value ? "true" : "false");
}

void sw_json_null(sw_json *json)
{
	json_separate(json);
	sw_text_add(json->text, "null");
}

/* ---- strings ---- */

/* How many bytes the UTF-8 character at the start of `text` has; 0 where that is none. */
static size_t json_character(sw_str text)
{
	const unsigned char *at = (const unsigned char *)text.at;
	size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
	if (length > text.length)
		return 0;
	for (size_t k = 1; k < length; k++)
		if ((at[k] & 0xc0) != 0x80)
			return 0;
	bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
	bool outside = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
	return overlong || outside ? 0 : length;
}

/* All of ASCII that a string has as it is. */
static bool json_plain(char c)
{
	static const bool plain[256] = {[0x20 ... '"' - 1] = true,
		['"' + 1 ... '\\' - 1] = true,
		['\\' + 1 ... 0x7f] = true};
	return plain[(unsigned char)c];
}

static void json_escape(sw_text *text, char c)
{
	static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
	const char *at = c ? strchr(from, c) : NULL;
	if (at) {
		sw_text_add_char(text, '\\');
		sw_text_add_char(text, to[at - from]);
	} else {
		sw_text_addf(text, "\\u%04x", (unsigned)(unsigned char)c);
	}
}

static void json_escaped(sw_text *text, sw_str value)
{
	for (size_t at = 0; at < value.length;) {
		size_t end = at;
		while (end < value.length && json_plain(value.at[end]))
			end++;
		sw_text_add_str(text, (sw_str){value.at + at, end - at});
		if ((at = end) == value.length)
			return;
		size_t length = json_character((sw_str){value.at + at, value.length - at});
		if (length == 1)
			json_escape(text, value.at[at]);
		else if (length > 1)
			sw_text_add_str(text, (sw_str){value.at + at, length});
		else
			sw_text_add(text, "\xef\xbf\xbd");
		at += length ? length : 1;
	}
}

void sw_json_str(sw_json *json, sw_str value)
{
	json_separate(json);
	sw_text_add_char(json->text, '"');
	json_escaped(json->text, value);
	sw_text_add_char(json->text, '"');
}

void sw_json_string(sw_json *json, const char *value)
{
	if (value)
		sw_json_str(json, sw_str_of(value));
	else
		sw_json_null(json);
}

void sw_json_raw(sw_json *json, sw_str value)
{
	json_separate(json);
	sw_text_add_str(json->text, value);
}

size_t sw_json_text_begin(sw_json *json)
{
	json_separate(json);
	sw_text_add_char(json->text, '"');
	return json->text->length;
}

void sw_json_text_end(sw_json *json, size_t begin)
{
	assert(begin <= json->text->length);
	sw_text *text = json->text;
	size_t at = begin;
	while (at < text->length && json_plain(text->data[at]))
		at++;
	if (at < text->length) {
		sw_text raw = {0};
		sw_text_add_str(&raw, (sw_str){text->data + at, text->length - at});
		text->length = at;
		text->data[at] = '\0';
		text->failed = text->failed || raw.failed;
		json_escaped(text, (sw_str){sw_text_get(&raw), raw.length});
		sw_text_free(&raw);
	}
	sw_text_add_char(text, '"');
}

/* ---- errors ---- */

/* Line (from 0) and column (in characters, from 1) of a byte of `source`. */
static void json_position(sw_str source, size_t at, long *line, long *column)
{
	*line = 0;
	*column = 1;
	for (size_t k = 0; k < at && k < source.length; k++) {
		if (source.at[k] == '\n') {
			++*line;
			*column = 1;
		} else if (((unsigned char)source.at[k] & 0xc0) != 0x80) {
			++*column;
		}
	}
	if (at > source.length)
		*column += (long)(at - source.length);
}

static long json_characters(sw_str source, sw_span span)
{
	long count = 0;
	for (size_t k = span.begin; k < span.end; k++)
		count += k >= source.length || ((unsigned char)source.at[k] & 0xc0) != 0x80;
	return count;
}

static void json_known_int(sw_json *json, const char *key, long value, bool known)
{
	sw_json_key(json, key);
	if (known)
		sw_json_int(json, value);
	else
		sw_json_null(json);
}

static void json_known_text(sw_json *json, const char *key, const char *value)
{
	sw_json_key(json, key);
	sw_json_string(json, value && *value ? value : NULL);
}

/* The notations that a text could have been in. */
static void json_notations(sw_json *json)
{
	static const char *const rows[][2] = {
#define X(id, name, called, example) {name, example},
		SW_NOTATIONS(X)
#undef X
	};
	sw_json_key(json, "notations");
	sw_json_open(json, '[', false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		sw_json_open(json, '{', false);
		json_known_text(json, "name", rows[i][0]);
		json_known_text(json, "example", rows[i][1]);
		sw_json_close(json);
	}
	sw_json_close(json);
}

void sw_diag_write_value(sw_json *json, const sw_diag *diag, const char *file, long line, sw_str source)
{
	const sw_code_info *info = sw_code_info_of(diag->code);
	bool positioned = diag->at.begin != 0 || diag->at.end != 0;
	long below = 0, column = 0;
	if (positioned)
		json_position(source, diag->at.begin, &below, &column);
	sw_json_open(json, '{', false);
	json_known_text(json, "code", info ? info->name : NULL);
	json_known_text(json, "message", diag->message);
	json_known_text(json, "file", file);
	json_known_int(json, "line", line + below, line > 0);
	json_known_int(json, "column", column, positioned);
	json_known_int(json, "length", json_characters(source, diag->at), positioned);
	json_known_text(json, "expected", diag->expected);
	json_known_text(json, "found", diag->found);
	json_known_text(json, "hint", diag->hint);
	if (diag->rule) {
		sw_json_key(json, "rule");
		sw_json_string(json, diag->rule);
	}
	if (diag->code == SW_N08)
		json_notations(json);
	sw_json_close(json);
}

void sw_diag_write(const sw_diag *diag, const char *name, const char *file, long line, sw_str source, sw_text *text)
{
	sw_json json;
	sw_json_start(&json, text, true);
	sw_json_open(&json, '{', false);
	sw_json_key(&json, "schema");
	sw_json_string(&json, "shardwalk.error/1");
	sw_json_key(&json, "name");
	sw_json_string(&json, name);
	sw_json_key(&json, "error");
	sw_diag_write_value(&json, diag, file, line, source);
	sw_json_close(&json);
	sw_text_add_char(text, '\n');
}
