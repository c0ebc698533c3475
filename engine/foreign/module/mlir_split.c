/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cuts StableHLO into statements, whatever its lines and blanks are: an operation up to the brace that opens its region,
 * or all of it where it has none; the brace that closes a region, with what belongs to the operation behind it.
 */
#include "foreign/module/mlir.h"

#include <string.h>

typedef struct scan {
	sw_str text;
	size_t begin;
	int depth, braces; /* open brackets of the statement; those of them that are braces */
	bool typed;        /* its types have begun, so another operation may follow them */
} scan;

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool mlir_is_name(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '$' || c == '-';
}

static char sign_at(sw_str text, size_t at)
{
	return at < text.length ? text.at[at] : '\0';
}

static size_t line_end(sw_str text, size_t at)
{
	const char *end = at < text.length ? memchr(text.at + at, '\n', text.length - at) : NULL;
	return end ? (size_t)(end - text.at) : text.length;
}

static bool is_comment(sw_str text, size_t at)
{
	return sign_at(text, at) == '/' && sign_at(text, at + 1) == '/';
}

/* Behind blanks and comments. */
static size_t skip_blanks(sw_str text, size_t at)
{
	while (at < text.length && (is_blank(text.at[at]) || is_comment(text, at)))
		at = is_blank(text.at[at]) ? at + 1 : line_end(text, at);
	return at;
}

/* Behind the string that begins here.  None goes on in the next line. */
static size_t string_end(sw_str text, size_t at)
{
	for (at++; at < text.length && text.at[at] != '\n'; at++) {
		if (text.at[at] == '"')
			return at + 1;
		at += text.at[at] == '\\' && sign_at(text, at + 1) != '\n';
	}
	return at < text.length ? at : text.length;
}

static sw_str word_at(sw_str text, size_t at)
{
	size_t length = 0;
	while (mlir_is_name(sign_at(text, at + length)))
		length++;
	return (sw_str){text.at + at, length};
}

/* The last sign before this one that is no blank; '\0': the statement begins here.  An arrow counts as its `-`. */
static char sign_before(const scan *s, size_t at)
{
	while (at > s->begin && is_blank(s->text.at[at - 1]))
		at--;
	if (at == s->begin)
		return '\0';
	bool arrow = at - s->begin > 1 && s->text.at[at - 1] == '>' && s->text.at[at - 2] == '-';
	return arrow ? '-' : s->text.at[at - 1];
}

/* `%name =` or `%name:2 =` */
static bool is_result(sw_str text, size_t at)
{
	at += 1 + word_at(text, at + 1).length;
	at += sign_at(text, at) == ':';
	at += word_at(text, at).length;
	return sign_at(text, skip_blanks(text, at)) == '=';
}

static bool ends_in_return(sw_str word)
{
	static const char key[] = "return";
	size_t length = sizeof(key) - 1;
	return word.length >= length && memcmp(word.at + word.length - length, key, length) == 0;
}

static bool is_one_of(sw_str word, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (sw_str_is(word, words[i]))
			return true;
	return false;
}

/* Words that nothing but a statement begins with. */
static bool is_opening_word(sw_str word)
{
	static const char *const words[] = {"func.func", "sdy.mesh"};
	return is_one_of(word, words, sizeof(words) / sizeof(*words));
}

/* Words between or behind types. */
static bool is_joining_word(sw_str word)
{
	static const char *const words[] = {"loc", "attributes", "to", "do", "else"};
	return is_one_of(word, words, sizeof(words) / sizeof(*words));
}

/* Does this brace open a region?  In one stand operations; in a dictionary or a set stand names, alone or before `=`. */
static bool opens_region(sw_str text, size_t brace)
{
	size_t at = skip_blanks(text, brace + 1);
	char first = sign_at(text, at);
	if (first == '%' || first == '^' || first == '\0')
		return true;
	if (first == '"')
		return sign_at(text, skip_blanks(text, string_end(text, at))) == '(';
	sw_str word = word_at(text, at);
	if (!is_letter(first))
		return false;
	char next = sign_at(text, skip_blanks(text, at + word.length));
	return ends_in_return(word) || (next != '=' && next != ',' && next != '}');
}

/* Does an operation begin here? */
static bool begins_operation(const scan *s, size_t at)
{
	sw_str text = s->text;
	char first = text.at[at], before = sign_before(s, at);
	bool behind_types = s->typed && s->depth <= 0 && !strchr(",:=-", before);
	if (first == '%')
		return behind_types && is_result(text, at);
	if (first == '"' || first == '^')
		return behind_types;
	if (!is_letter(first) || mlir_is_name(text.at[at - 1]) || strchr("@#!%", text.at[at - 1]))
		return false;
	sw_str word = word_at(text, at);
	return is_opening_word(word) || (behind_types && !is_joining_word(word));
}

/* Does the statement end where its line does? */
static bool ends_with_line(const scan *s, size_t at)
{
	char before = sign_before(s, at), next;
	at = skip_blanks(s->text, at);
	next = sign_at(s->text, at);
	sw_str word = word_at(s->text, at);
	if (strchr(",=(", before))
		return false;
	if (s->depth > 0)
		return is_opening_word(word) || ends_in_return(word) || (next == '%' && is_result(s->text, at));
	bool resources = next == '{' && sign_at(s->text, at + 1) == '-';
	return before != ':' && before != '-' && (resources || next == '\0' || !strchr(":,{(=-<>])", next)) &&
		!is_joining_word(word);
}

static bool ends_before(const scan *s, size_t at)
{
	char c = s->text.at[at];
	if (c == '\n')
		return ends_with_line(s, at);
	if (c == '}')
		return s->braces == 0;
	if (is_comment(s->text, at))
		return s->depth <= 0;
	return begins_operation(s, at);
}

static size_t step(scan *s, size_t at)
{
	char c = s->text.at[at];
	if (is_comment(s->text, at))
		return line_end(s->text, at);
	s->braces += (c == '{') - (c == '}');
	s->typed |= c == ':' && s->depth <= 0 && !(sign_at(s->text, at + 1) >= '0' && sign_at(s->text, at + 1) <= '9');
	return c == '"' ? string_end(s->text, at) : sw_str_step(s->text, at, SW_NESTING_MLIR, &s->depth);
}

/* Behind `#loc1 = ...` of one line, the resources between `{-#` and `#-}`, or a label: `^bb0(%arg0: tensor<f32>):`.  0: it is
 * none of them. */
static size_t simple_end(sw_str text, size_t begin)
{
	sw_str rest = sw_str_behind(text, begin);
	if (*rest.at == '#')
		return line_end(text, begin);
	if (sw_str_starts(rest, "{-#")) {
		size_t at = begin;
		while (at < text.length && !sw_str_starts(sw_str_behind(text, at), "#-}"))
			at++;
		return at < text.length ? at + 3 : text.length;
	}
	if (*rest.at != '^')
		return 0;
	size_t end = sw_str_outside((sw_str){rest.at, line_end(rest, 0)}, 0, SW_NESTING_MLIR, ":");
	return begin + (end < rest.length ? end + 1 : end);
}

static size_t statement_end(sw_str text, size_t begin)
{
	bool closes = text.at[begin] == '}';
	scan s = {text, begin, 0, 0, closes || sw_str_starts(sw_str_behind(text, begin), "sdy.mesh")};
	size_t at = simple_end(text, begin);
	if (at)
		return at;
	for (at = begin + closes; closes && sign_at(text, at) == ')';)
		at++;
	while (at < text.length) {
		if (at > begin && ends_before(&s, at))
			return at;
		if (text.at[at] == '{' && opens_region(text, at))
			return at + 1;
		at = step(&s, at);
	}
	return text.length;
}

bool mlir_statement(sw_str text, size_t *at, sw_str *statement)
{
	size_t begin = skip_blanks(text, *at);
	if (begin >= text.length)
		return false;
	*at = statement_end(text, begin);
	*statement = sw_str_trim((sw_str){text.at + begin, *at - begin});
	return true;
}

/* ---- where a module is ---- */

static bool begins_module(sw_str text)
{
	return sw_str_starts(text, "module @") || sw_str_starts(text, "module attributes {") ||
		sw_str_starts(text, "module {");
}

/* Behind the module that begins here, or behind the text, where it is cut.  0: no function is in it, or
 * another begins before it ends; *next: behind what was looked at. */
static size_t module_end(sw_str text, size_t begin, size_t *next)
{
	sw_str statement;
	int levels = 0;
	bool function = false;
	for (*next = begin; mlir_statement(text, next, &statement);) {
		size_t start = (size_t)(statement.at - text.at);
		if (start > begin && text.at[start - 1] == '\n' && begins_module(statement)) {
			*next = start;
			return 0;
		}
		function |= sw_str_starts(statement, "func.func ");
		levels += (statement.at[statement.length - 1] == '{') - (*statement.at == '}');
		if (levels <= 0)
			return function ? *next : 0;
	}
	return function ? text.length : 0;
}

static size_t skip_indent(sw_str text, size_t at)
{
	while (at < text.length && (text.at[at] == ' ' || text.at[at] == '\t'))
		at++;
	return at;
}

/* Words that a text without `module` begins with. */
static bool is_bare(sw_str statement)
{
	return sw_str_starts(statement, "func.func ") || sw_str_starts(statement, "sdy.mesh @");
}

/* Functions and meshes that no module is around, where the text begins with them; what follows them begins with no other word. */
static bool find_bare(sw_str text, sw_span *span)
{
	sw_str statement;
	size_t first = skip_blanks(text, 0);
	int levels = 0;
	bool function = false;
	while (sign_at(text, first) == '#')
		first = skip_blanks(text, line_end(text, first));
	*span = (sw_span){first, first};
	if (!is_bare(sw_str_behind(text, first)))
		return false;
	for (size_t at = first; mlir_statement(text, &at, &statement); span->end = at) {
		bool closes = *statement.at == '}', named = *statement.at == '#';
		if (levels <= 0 && !is_bare(statement) && !named && !(closes && function))
			break;
		function |= sw_str_starts(statement, "func.func ");
		levels += (statement.at[statement.length - 1] == '{') - (levels > 0 && closes);
	}
	return function;
}

bool mlir_find(sw_str text, size_t begin, sw_span *span)
{
	if (begin == 0 && find_bare(text, span))
		return true;
	for (size_t at = begin, next; at < text.length; at = next) {
		size_t first = skip_indent(text, at), end = 0;
		next = line_end(text, at) + 1;
		if (begins_module(sw_str_behind(text, first)) && (end = module_end(text, first, &next))) {
			end = skip_indent(text, end);
			*span = (sw_span){first, end + (sign_at(text, end) == '\n')};
			return true;
		}
	}
	return false;
}
