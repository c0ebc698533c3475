/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scanner of meshes and types.
 */
#include "base/scan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

static bool scan_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool scan_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool scan_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of the UTF-8 character at the start of `text`; 0 where there is none. */
static size_t scan_utf8(sw_str text)
{
	const unsigned char *at = (const unsigned char *)text.at;
	unsigned char lead = at[0];
	size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
	if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || length > text.length)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((at[i] & 0xC0) != 0x80)
			return 0;
	bool overlong = (lead == 0xE0 && at[1] < 0xA0) || (lead == 0xF0 && at[1] < 0x90);
	bool surrogate = lead == 0xED && at[1] > 0x9F;
	bool beyond = lead == 0xF4 && at[1] > 0x8F;
	return overlong || surrogate || beyond ? 0 : length;
}

/* C0 and C1 control characters: they would act on the terminal that shows the message. */
static bool scan_is_control(sw_str text)
{
	unsigned char lead = (unsigned char)text.at[0];
	return lead < 0x20 || lead == 0x7F || (lead == 0xC2 && text.length > 1 && (unsigned char)text.at[1] < 0xA0);
}

static sw_str scan_rest(sw_str text, size_t from)
{
	return (sw_str){text.at + from, text.length - from};
}

/* Length of the character that can be shown at the start of `text`; 0 where the byte there is no text. */
static size_t scan_glyph(sw_str text)
{
	return scan_is_control(text) ? 0 : scan_utf8(text);
}

sw_quote sw_scan_quote(sw_str word)
{
	sw_quote quote = {"'"};
	size_t used = 1;
	size_t i = 0;
	while (i < word.length && used < 44) {
		size_t length = scan_glyph(scan_rest(word, i));
		if (length)
			memcpy(quote.text + used, word.at + i, length);
		else
			snprintf(quote.text + used, 5, "0x%02x", (unsigned char)word.at[i]);
		used += length ? length : 4;
		i += length ? length : 1;
	}
	memcpy(quote.text + used, i < word.length ? "...'" : "'", i < word.length ? 5 : 2);
	return quote;
}

int sw_scan_peek(sw_scan *scan)
{
	while (scan->at < scan->text.length && scan_is_blank(scan->text.at[scan->at]))
		scan->at++;
	return scan->at < scan->text.length ? (unsigned char)scan->text.at[scan->at] : -1;
}

bool sw_scan_take(sw_scan *scan, char c)
{
	if (sw_scan_peek(scan) != (unsigned char)c)
		return false;
	scan->at++;
	return true;
}

/* Where the word that starts at `at` ends. */
static size_t scan_word_end(sw_str text, size_t at)
{
	while (at < text.length) {
		char c = text.at[at];
		bool plain = scan_is_letter(c) || scan_is_digit(c) || c == '.' || c == '+' || c == '-';
		size_t length = plain ? 1 : (unsigned char)c < 0x80 ? 0 : scan_glyph(scan_rest(text, at));
		if (length == 0)
			break;
		at += length;
	}
	return at;
}

sw_str sw_scan_word(sw_scan *scan, sw_span *at)
{
	sw_scan_peek(scan);
	size_t end = scan_word_end(scan->text, scan->at);
	*at = (sw_span){scan->at, end};
	scan->at = end;
	return (sw_str){scan->text.at + at->begin, at->end - at->begin};
}

sw_str sw_scan_bare(sw_scan *scan, sw_span *at)
{
	sw_scan_peek(scan);
	size_t end = scan->at;
	while (end < scan->text.length &&
		(scan_is_letter(scan->text.at[end]) || (end > scan->at && scan_is_digit(scan->text.at[end]))))
		end++;
	*at = (sw_span){scan->at, end};
	scan->at = end;
	return (sw_str){scan->text.at + at->begin, at->end - at->begin};
}

sw_span sw_scan_next_span(sw_scan *scan)
{
	if (sw_scan_peek(scan) < 0)
		return (sw_span){scan->at, scan->at};
	size_t end = scan_word_end(scan->text, scan->at);
	return (sw_span){scan->at, end > scan->at ? end : scan->at + 1};
}

static bool scan_refuse_byte(sw_scan *scan, size_t at)
{
	sw_diag_set(scan->diag, SW_L10, (sw_span){at, at + 1}, "the byte 0x%02x is not text",
		(unsigned char)scan->text.at[at]);
	sw_diag_expected(scan->diag, "printable text in UTF-8");
	sw_diag_found(scan->diag, "byte 0x%02x", (unsigned char)scan->text.at[at]);
	sw_diag_hint(scan->diag, "remove the byte; it may come from another kind of file or another encoding");
	return false;
}

static char scan_closer(char opened)
{
	return opened == '{' ? '}' : opened == '[' ? ']' : opened == '(' ? ')' : opened;
}

/* The text ends before the bracket or quote at `open` is closed. */
static bool scan_refuse_open(sw_scan *scan, sw_span open)
{
	char opened = scan->text.at[open.begin];
	char close = scan_closer(opened);
	sw_diag_set(scan->diag, SW_L06, open, "'%c' is never closed", opened);
	sw_diag_expected(scan->diag, "'%c'", close);
	sw_diag_found(scan->diag, "the end of the text");
	sw_diag_hint(scan->diag, "add %c", close);
	return false;
}

bool sw_scan_unexpected(sw_scan *scan, const char *expected, sw_span also)
{
	sw_span at = sw_scan_next_span(scan);
	bool end = at.begin == at.end;
	if (end && also.end > also.begin)
		return scan_refuse_open(scan, also);
	if (!end && scan_glyph(scan_rest(scan->text, at.begin)) == 0)
		return scan_refuse_byte(scan, at.begin);
	sw_quote quote = sw_scan_quote((sw_str){scan->text.at + at.begin, at.end - at.begin});
	if (end)
		sw_diag_set(scan->diag, scan->syntax, at, "the text ends too early");
	else
		sw_diag_set(scan->diag, scan->syntax, at, "%s is not allowed here", quote.text);
	sw_diag_expected(scan->diag, "%s", expected);
	sw_diag_found(scan->diag, "%s", end ? "the end of the text" : quote.text);
	if (also.end > also.begin)
		sw_diag_also(scan->diag, also, "opened here");
	return false;
}

bool sw_scan_expect(sw_scan *scan, char c, const char *expected, sw_span also)
{
	return sw_scan_take(scan, c) || sw_scan_unexpected(scan, expected, also);
}

bool sw_scan_list(sw_scan *scan, char close, const char *expected, sw_span open, bool *more)
{
	int next = sw_scan_peek(scan);
	if (next < 0)
		return scan_refuse_open(scan, open);
	*more = next == ',';
	if (next != ',' && next != (unsigned char)close)
		return sw_scan_unexpected(scan, expected, open);
	scan->at++;
	if (*more && sw_scan_peek(scan) < 0)
		return scan_refuse_open(scan, open);
	return true;
}

bool sw_scan_finish(sw_scan *scan, const char *what)
{
	assert(scan->at <= scan->text.length);
	int next = sw_scan_peek(scan);
	if (next < 0)
		return true;
	sw_span at = sw_scan_next_span(scan);
	if (next != ']' && next != '}' && next != ')') {
		char expected[64];
		snprintf(expected, sizeof(expected), "nothing more after the %s", what);
		return sw_scan_unexpected(scan, expected, (sw_span){0, 0});
	}
	sw_diag_set(scan->diag, SW_L06, at, "'%c' closes nothing", next);
	sw_diag_expected(scan->diag, "nothing more after the %s", what);
	sw_diag_found(scan->diag, "'%c'", next);
	sw_diag_hint(scan->diag, "remove it, or open the bracket it belongs to");
	return false;
}

bool sw_scan_is_bare(sw_str name)
{
	if (name.length == 0 || !scan_is_letter(name.at[0]))
		return false;
	for (size_t i = 1; i < name.length; i++)
		if (!scan_is_letter(name.at[i]) && !scan_is_digit(name.at[i]))
			return false;
	return true;
}

size_t sw_scan_bad_byte(sw_str name)
{
	size_t at = 0;
	while (at < name.length && name.at[at] != '"') {
		size_t length = scan_glyph(scan_rest(name, at));
		if (length == 0)
			break;
		at += length;
	}
	return at;
}

static bool scan_quoted_name(sw_scan *scan, sw_str *name, sw_span *at)
{
	size_t begin = scan->at + 1;
	const char *close = memchr(scan->text.at + begin, scan->text.at[scan->at], scan->text.length - begin);
	if (!close)
		return scan_refuse_open(scan, (sw_span){scan->at, scan->at + 1});
	*name = (sw_str){scan->text.at + begin, (size_t)(close - scan->text.at) - begin};
	*at = (sw_span){scan->at, begin + name->length + 1};
	size_t bad = sw_scan_bad_byte(*name);
	if (bad < name->length && name->at[bad] != '"')
		return scan_refuse_byte(scan, begin + bad);
	scan->at = at->end;
	return true;
}

/* A name that needs quotes and stands without them. */
static bool scan_refuse_name(sw_scan *scan, sw_str name, sw_span at)
{
	sw_quote quote = sw_scan_quote(name);
	sw_diag_set(scan->diag, scan->syntax == SW_M01 ? SW_M06 : SW_T01, at, "%s is not a name", quote.text);
	sw_diag_expected(scan->diag, "a letter or '_', then letters, digits and '_'");
	sw_diag_found(scan->diag, "%s", quote.text);
	if (name.length <= 32)
		sw_diag_hint(scan->diag, "put any other name in quotes: \"%.*s\"", (int)name.length, name.at);
	else
		sw_diag_hint(scan->diag, "put any other name in quotes");
	return false;
}

bool sw_scan_name(sw_scan *scan, const char *expected, sw_span also, sw_str *name, sw_span *at)
{
	int next = sw_scan_peek(scan);
	if (next == '"' || next == '\'')
		return scan_quoted_name(scan, name, at);
	sw_span span = {scan->at, scan_word_end(scan->text, scan->at)};
	sw_str word = {scan->text.at + span.begin, span.end - span.begin};
	if (word.length == 0)
		return sw_scan_unexpected(scan, expected, also);
	if (!sw_scan_is_bare(word))
		return scan_refuse_name(scan, word, span);
	scan->at = span.end;
	*name = word;
	*at = span;
	return true;
}

static bool scan_all_digits(sw_str word)
{
	for (size_t i = 0; i < word.length; i++)
		if (!scan_is_digit(word.at[i]))
			return false;
	return word.length > 0;
}

static bool scan_refuse_size(sw_scan *scan, sw_size_words words, sw_code code, const char *why, sw_str word,
	sw_span at)
{
	sw_quote quote = sw_scan_quote(word);
	sw_diag_set(scan->diag, code, at, "%s %s %s", words.what, quote.text, why);
	sw_diag_found(scan->diag, "%s", quote.text);
	if (code == words.high)
		sw_diag_expected(scan->diag, "a whole number up to %" PRId64, words.most);
	else
		sw_diag_expected(scan->diag, "a whole number of at least 1");
	if (code == SW_L11)
		sw_diag_hint(scan->diag, "write decimal digits only, such as 1024");
	return false;
}

static bool scan_refuse_no_size(sw_scan *scan, sw_size_words words, sw_span also)
{
	char expected[64];
	snprintf(expected, sizeof(expected), "a whole number, the %s", words.what);
	return sw_scan_unexpected(scan, expected, also);
}

bool sw_scan_size(sw_scan *scan, sw_size_words words, sw_span also, int64_t *size, sw_span *at)
{
	sw_span span = sw_scan_next_span(scan);
	sw_str word = {scan->text.at + span.begin, scan_word_end(scan->text, span.begin) - span.begin};
	bool negative = word.length > 1 && word.at[0] == '-' && scan_all_digits(scan_rest(word, 1));
	bool starts = word.length && (scan_is_digit(word.at[0]) || strchr("+-.", word.at[0]));
	bool overflow;
	if (!starts)
		return scan_refuse_no_size(scan, words, also);
	if (negative)
		return scan_refuse_size(scan, words, words.low, "is negative", word, span);
	int64_t value;
	if (!sw_read_int(word, &value, &overflow)) {
		if (overflow && scan_all_digits(word))
			return scan_refuse_size(scan, words, words.high, "is too large", word, span);
		return scan_refuse_size(scan, words, SW_L11, "is not a whole number", word, span);
	}
	if (value == 0)
		return scan_refuse_size(scan, words, words.low, "is zero", word, span);
	scan->at = span.end;
	*size = value;
	*at = span;
	return true;
}

bool sw_scan_number(sw_scan *scan, const char *what, int64_t low, int64_t high, int64_t *number)
{
	assert(low <= high);
	size_t before = scan->at;
	sw_span at;
	sw_str word = sw_scan_word(scan, &at);
	bool minus = word.length > 1 && *word.at == '-', overflow = false;
	sw_str digits = minus ? (sw_str){word.at + 1, word.length - 1} : word;
	int64_t value;
	if (word.length == 0 || (!sw_read_int(digits, &value, &overflow) && !overflow)) {
		char expected[80];
		scan->at = before;
		snprintf(expected, sizeof(expected), "a number, the %s", what);
		return sw_scan_unexpected(scan, expected, (sw_span){0, 0});
	}
	value = overflow ? INT64_MAX : value;
	value = minus ? -value : value;
	if (!overflow && value >= low && value <= high) {
		*number = value;
		return true;
	}
	sw_quote quote = sw_scan_quote(word);
	sw_diag_set(scan->diag, scan->syntax, at, "%s %s is too %s", what, quote.text, value < low ? "small" : "large");
	sw_diag_expected(scan->diag, "%" PRId64 " to %" PRId64, low, high);
	sw_diag_found(scan->diag, "%s", quote.text);
	return false;
}

int sw_scan_numbers(sw_scan *scan, char close, sw_span open, const char *what, int64_t low, int64_t *number, int room)
{
	assert(close != ',');
	int count = 0;
	bool more = true;
	while (more) {
		if (count == room) {
			sw_diag_set(scan->diag, scan->syntax, sw_scan_next_span(scan), "more than %d numbers", room);
			return -1;
		}
		if (!sw_scan_number(scan, what, low, INT64_MAX, &number[count++]))
			return -1;
		if (!sw_scan_list(scan, close, "a comma, or the closing bracket", open, &more))
			return -1;
	}
	return count;
}
