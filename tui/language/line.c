/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cutting lines: brackets, quotes, comments, arrows.  One scanner knows what is inside of what; statements, words
 * and arrows are found with it.
 */
#define _GNU_SOURCE
#include "language/line.h"

#include <ctype.h>
#include <string.h>

#include <shardwalk/distal.h>

#define DEPTH 64 /* brackets inside brackets */

struct scanner {
	sw_str text;
	size_t at;
	char quote; /* the open one, or 0 */
	size_t quote_at;
	int depth;
	size_t open_at[DEPTH];
	bool ok;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static char peek(const struct scanner *scanner, size_t ahead)
{
	size_t at = scanner->at + ahead;
	return at < scanner->text.length ? scanner->text.at[at] : '\0';
}

static bool at_end(const struct scanner *scanner)
{
	return scanner->at >= scanner->text.length;
}

static bool is_outside(const struct scanner *scanner)
{
	return !scanner->quote && scanner->depth == 0;
}

static char closer_of(char open)
{
	return open == '(' ? ')' : open == '[' ? ']' : '}';
}

/* An apostrophe inside a word is a letter of it. */
static bool opens_quote(const struct scanner *scanner, char c)
{
	if (c == '"')
		return true;
	char before = scanner->at ? scanner->text.at[scanner->at - 1] : ' ';
	return c == '\'' && (is_blank(before) || strchr("([{,=:", before));
}

static void scanner_open(struct scanner *scanner)
{
	if (scanner->depth < DEPTH)
		scanner->open_at[scanner->depth++] = scanner->at;
	else
		scanner->ok = false;
}

static void scanner_close(struct scanner *scanner, char c)
{
	if (scanner->depth && closer_of(scanner->text.at[scanner->open_at[scanner->depth - 1]]) == c)
		scanner->depth--;
	else
		scanner->ok = false;
}

/* Goes over one byte (two where a backslash protects the second).  `ok` falls, and the byte stays, where a bracket
 * has no partner. */
static void scanner_step(struct scanner *scanner)
{
	char c = peek(scanner, 0);
	if (scanner->quote) {
		if (c == '\\' && scanner->at + 1 < scanner->text.length)
			scanner->at++;
		else if (c == scanner->quote)
			scanner->quote = 0;
	} else if (opens_quote(scanner, c)) {
		scanner->quote = c;
		scanner->quote_at = scanner->at;
	} else if (c == '(' || c == '[' || c == '{') {
		scanner_open(scanner);
	} else if (c == ')' || c == ']' || c == '}') {
		scanner_close(scanner, c);
	}
	if (scanner->ok)
		scanner->at++;
}

/* `#` at the start of the line or after a blank, with a blank, `!` or the end of the line after it. */
static bool is_comment(const struct scanner *scanner, sw_str line)
{
	const char *at = scanner->text.at + scanner->at;
	if (*at != '#' || !is_outside(scanner))
		return false;
	bool starts = at == line.at || is_blank(at[-1]);
	char next = peek(scanner, 1);
	return starts && (next == '\0' || next == '!' || is_blank(next));
}

static size_t arrow_length(const struct scanner *scanner)
{
	char c = peek(scanner, 0);
	return (c == '~' || c == '-') && peek(scanner, 1) == '>' ? 2 : 0;
}

sw_span line_span(sw_str line, sw_str slice)
{
	if (slice.at < line.at || slice.at > line.at + line.length)
		return (sw_span){0, 0};
	size_t begin = (size_t)(slice.at - line.at);
	return (sw_span){begin, begin + slice.length};
}

bool line_refuse(sw_str line, sw_str slice, sw_diag *diag)
{
	sw_span span = line_span(line, slice);
	if (span.end == 0 && slice.length)
		diag->at = diag->also = (sw_span){0, 0};
	else if (diag->at.begin == 0 && diag->at.end == 0)
		diag->at = span;
	else
		sw_diag_shift(diag, span.begin);
	return false;
}

/* ---- statements ---- */

static enum line_end refuse_open(const struct scanner *scanner, sw_str line, sw_diag *diag)
{
	size_t at = scanner->quote ? scanner->quote_at : scanner->open_at[scanner->depth - 1];
	sw_span position = line_span(line, (sw_str){scanner->text.at + at, 1});
	char open = scanner->text.at[at];
	sw_diag_set(diag, SW_L06, position, "'%c' is never closed", open);
	sw_diag_expected(diag, "'%c'", scanner->quote ? open : closer_of(open));
	sw_diag_found(diag, "the end of the line");
	sw_diag_hint(diag, "close it or remove it; a statement may continue on the next line, until an empty line");
	return LINE_OPEN;
}

static enum line_end refuse_bracket(const struct scanner *scanner, sw_str line, sw_diag *diag)
{
	char c = peek(scanner, 0);
	sw_diag_set(diag, SW_L06, line_span(line, (sw_str){scanner->text.at + scanner->at, 1}), "'%c' closes nothing", c);
	if (scanner->depth >= DEPTH) {
		sw_diag_set(diag, SW_L06, diag->at, "more than %d nested brackets", DEPTH);
	} else if (scanner->depth) {
		size_t open = scanner->open_at[scanner->depth - 1];
		sw_diag_expected(diag, "'%c'", closer_of(scanner->text.at[open]));
		sw_diag_also(diag, line_span(line, (sw_str){scanner->text.at + open, 1}), "this is open");
	}
	sw_diag_found(diag, "'%c'", c);
	sw_diag_hint(diag, "brackets come in pairs: () [] {}");
	return LINE_BAD;
}

static sw_str take(sw_str *rest, size_t length, size_t skip)
{
	sw_str taken = sw_str_trim((sw_str){rest->at, length});
	rest->at += length + skip;
	rest->length -= length + skip;
	return taken;
}

static sw_str skip_blanks(sw_str text)
{
	while (text.length && (is_blank(*text.at) || *text.at == ';')) {
		text.at++;
		text.length--;
	}
	return text;
}

static sw_str cut_newline(sw_str *rest)
{
	const char *end = memchr(rest->at, '\n', rest->length);
	return end ? take(rest, (size_t)(end - rest->at), 1) : take(rest, rest->length, 0);
}

/* The end of the statement: where it stops, and how many bytes part it from the next. */
static size_t scan_statement(struct scanner *scanner, sw_str line)
{
	while (!at_end(scanner) && scanner->ok) {
		char c = peek(scanner, 0);
		if (is_outside(scanner) && (c == ';' || c == '\n'))
			return 1;
		if (is_comment(scanner, line)) {
			const char *end = memchr(scanner->text.at + scanner->at, '\n', scanner->text.length - scanner->at);
			return end ? (size_t)(end - scanner->text.at) - scanner->at : scanner->text.length - scanner->at;
		}
		scanner_step(scanner);
	}
	return 0;
}

/* A line of a compiler's log: `spmd_partitioner.cc:569]`, or XLA's warning. */
static bool is_logged(sw_str line)
{
	static const char warning[] = "nvoluntary", source[] = ".cc:";
	const char *position = memmem(line.at, line.length, source, strlen(source)), *end = line.at + line.length;
	bool numbered = position && position + strlen(source) < end && isdigit((unsigned char)position[strlen(source)]);
	return numbered || memmem(line.at, line.length, warning, strlen(warning));
}

/* Cuts `text`, where `rest` begins, like a statement; false where a bracket or quote in it has no partner. */
static bool cut_whole(sw_str text, sw_str line, sw_str *rest, sw_str *statement)
{
	struct scanner scanner = {.text = text, .ok = true};
	size_t skip = scan_statement(&scanner, line);
	if (!scanner.ok || !is_outside(&scanner))
		return false;
	*statement = take(rest, scanner.at, skip ? skip : scanner.at < rest->length);
	return true;
}

/* Text that is no language ends where its line does, unless it, or with it the lines that follow, can be cut like a statement; a
 * log cannot. */
static sw_str cut_raw(sw_str *rest, sw_str line)
{
	const char *end = memchr(rest->at, '\n', rest->length);
	sw_str first = {rest->at, end ? (size_t)(end - rest->at) : rest->length}, statement;
	if (!is_logged(first) &&
		(cut_whole(first, line, rest, &statement) || (end && cut_whole(*rest, line, rest, &statement))))
		return statement;
	return cut_newline(rest);
}

enum line_end line_next(sw_str line, sw_str *rest, line_raw *raw, sw_str *statement, sw_diag *diag)
{
	for (;;) {
		*rest = skip_blanks(*rest);
		if (!rest->length)
			return LINE_END;
		struct scanner scanner = {.text = *rest, .ok = true};
		if (!is_comment(&scanner, line) && raw && raw(line_first(*rest))) {
			*statement = cut_raw(rest, line);
			return LINE_STATEMENT;
		}
		size_t skip = scan_statement(&scanner, line);
		if (!scanner.ok)
			return refuse_bracket(&scanner, line, diag);
		if (!is_outside(&scanner))
			return refuse_open(&scanner, line, diag);
		*statement = take(rest, scanner.at, skip);
		if (statement->length)
			return LINE_STATEMENT;
	}
}

/* ---- words ---- */

sw_str line_first(sw_str statement)
{
	statement = sw_str_trim(statement);
	size_t length = 0;
	while (length < statement.length && !is_blank(statement.at[length]) && statement.at[length] != ';')
		length++;
	return (sw_str){statement.at, length};
}

static int depth_of(char c)
{
	return (c && strchr("([{", c)) - (c && strchr(")]}", c));
}

sw_str line_raw_first(sw_str text)
{
	size_t length = 0;
	for (int depth = 0; length < text.length && (depth > 0 || (unsigned char)text.at[length] > ' ');)
		depth += depth_of(text.at[length++]);
	return (sw_str){text.at, length};
}

sw_str line_raw_last(sw_str text)
{
	size_t begin = text.length;
	for (int depth = 0; begin > 0 && (depth < 0 || (unsigned char)text.at[begin - 1] > ' ');)
		depth += depth_of(text.at[--begin]);
	return sw_str_behind(text, begin);
}

/* Goes to the end of the word that starts here. */
static void scan_word(struct scanner *scanner)
{
	if (arrow_length(scanner)) {
		scanner->at += 2;
		return;
	}
	while (!at_end(scanner) && scanner->ok) {
		if (is_outside(scanner) && (is_blank(peek(scanner, 0)) || arrow_length(scanner)))
			return;
		scanner_step(scanner);
	}
}

static int count_or_cut(sw_str statement, sw_arena *arena, struct word *words)
{
	struct scanner scanner = {.text = statement, .ok = true};
	int count = 0;
	for (;;) {
		while (!at_end(&scanner) && is_blank(peek(&scanner, 0)))
			scanner.at++;
		if (at_end(&scanner))
			return count;
		size_t begin = scanner.at;
		scan_word(&scanner);
		if (!scanner.ok) {
			scanner.at++;
			scanner.ok = true;
		}
		if (words) {
			words[count].raw = (sw_str){statement.at + begin, scanner.at - begin};
			words[count].text = line_unquote(words[count].raw, arena);
		}
		count++;
	}
}

int line_words(sw_str statement, sw_arena *arena, struct word **words)
{
	int count = count_or_cut(statement, arena, NULL);
	*words = SW_NEW(arena, struct word, count);
	return *words ? count_or_cut(statement, arena, *words) : -1;
}

sw_str line_arrow(sw_str statement)
{
	struct scanner scanner = {.text = statement, .ok = true};
	sw_str sizes, places;
	bool placed = sw_distal_is(statement, &sizes, &places); /* `f64[9, 9] xy->xy`, whose arrow is its own */
	while (!at_end(&scanner) && scanner.ok) {
		bool own = placed && peek(&scanner, 0) == '-';
		if (is_outside(&scanner) && arrow_length(&scanner) && !own)
			return (sw_str){statement.at + scanner.at, 2};
		scanner_step(&scanner);
	}
	return (sw_str){statement.at + statement.length, 0};
}

static size_t after_blanks(sw_str text, size_t at)
{
	while (at < text.length && (text.at[at] == ' ' || text.at[at] == '\t'))
		at++;
	return at;
}

bool line_is_mesh(sw_str text)
{
	size_t at, begin;
	if (!text.length || *text.at != '{')
		return false;
	begin = at = after_blanks(text, 1);
	while (at < text.length && (isalnum((unsigned char)text.at[at]) || text.at[at] == '_'))
		at++;
	bool named = at > begin;
	at = after_blanks(text, at);
	return named && at < text.length && text.at[at] == ':';
}

/* Quotes inside brackets belong to what stands there. */
static bool has_outer_quotes(sw_str raw)
{
	struct scanner scanner = {.text = raw, .ok = true};
	while (!at_end(&scanner) && scanner.ok) {
		scanner_step(&scanner);
		if (scanner.quote && scanner.depth == 0)
			return true;
	}
	return false;
}

sw_str line_unquote(sw_str raw, sw_arena *arena)
{
	if (!has_outer_quotes(raw))
		return raw;
	char *out = sw_arena_alloc(arena, raw.length + 1, 1);
	if (!out)
		return raw;
	size_t length = 0;
	struct scanner scanner = {.text = raw, .ok = true};
	while (!at_end(&scanner) && scanner.ok) {
		char quote = scanner.quote;
		size_t at = scanner.at;
		scanner_step(&scanner);
		bool is_mark = scanner.depth == 0 && scanner.quote != quote;
		if (!is_mark && scanner.at)
			out[length++] = raw.at[quote && raw.at[at] == '\\' ? scanner.at - 1 : at];
	}
	out[length] = '\0';
	return (sw_str){out, length};
}

/* ---- text ---- */

/* Length of the UTF-8 sequence at `at`, 0 where there is none. */
static size_t utf8_length(const unsigned char *at, size_t room)
{
	static const struct {
		unsigned char mask, lead, low, high;
		size_t length;
	} rows[] = {
		{0x80, 0x00, 0, 0, 1},
		{0xE0, 0xC0, 0x80, 0xBF, 2},
		{0xF0, 0xE0, 0x80, 0xBF, 3},
		{0xF8, 0xF0, 0x80, 0xBF, 4},
	};
	for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
		if ((at[0] & rows[row].mask) != rows[row].lead)
			continue;
		size_t length = rows[row].length;
		if (length > room || at[0] == 0 || at[0] == 0xC0 || at[0] == 0xC1 || at[0] > 0xF4)
			return 0;
		for (size_t i = 1; i < length; i++)
			if (at[i] < rows[row].low || at[i] > rows[row].high)
				return 0;
		bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
		bool outside = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
		return overlong || outside ? 0 : length;
	}
	return 0;
}

bool line_is_text(sw_str line, sw_diag *diag)
{
	for (size_t at = 0; at < line.length;) {
		const unsigned char *character = (const unsigned char *)line.at + at;
		bool plain = *character > 0 && *character < 0x80;
		size_t length = plain ? 1 : utf8_length(character, line.length - at);
		if (!length) {
			unsigned char byte = *character;
			sw_diag_set(diag, SW_L10, (sw_span){at, at + 1},
				byte ? "byte 0x%02x is not UTF-8 text" : "the text has a zero byte", byte);
			sw_diag_expected(diag, "text in UTF-8");
			sw_diag_hint(diag, "is this a script? binary files cannot be run");
			return false;
		}
		at += length;
	}
	return true;
}

void line_print_word(sw_str word, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	struct word *words = NULL;
	int count = arena ? line_words(word, arena, &words) : 0;
	sw_diag diag;
	sw_str rest = word, statement;
	bool whole = count == 1 && words[0].text.length == word.length &&
		line_next(word, &rest, NULL, &statement, &diag) == LINE_STATEMENT && statement.length == word.length &&
		*word.at != '#';
	sw_arena_free(arena);
	if (whole) {
		sw_text_add_str(text, word);
		return;
	}
	sw_text_add_char(text, '"');
	for (size_t i = 0; i < word.length; i++) {
		if (word.at[i] == '"' || word.at[i] == '\\')
			sw_text_add_char(text, '\\');
		sw_text_add_char(text, word.at[i]);
	}
	sw_text_add_char(text, '"');
}
