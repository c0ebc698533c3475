/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of values in Python syntax.
 */
#include "base/python.h"

#include <assert.h>
#include <string.h>

/* ---- over a scan ---- */

static const struct bracket {
	char open, close;
	const char *expected;
} brackets[] = {{'(', ')', "a comma or ')'"}, {'[', ']', "a comma or ']'"}, {'{', '}', "a comma or '}'"}};

static const struct bracket *bracket_of(int c, bool opens)
{
	for (size_t i = 0; i < sizeof(brackets) / sizeof(*brackets); i++)
		if ((opens ? brackets[i].open : brackets[i].close) == c)
			return &brackets[i];
	return NULL;
}

bool sw_py_open(sw_py_list *list, sw_scan *scan, const char *which, const char *expected)
{
	int next = sw_scan_peek(scan);
	const struct bracket *bracket = bracket_of(next, true);
	*list = (sw_py_list){.scan = scan, .open = sw_scan_next_span(scan)};
	if (!bracket || !strchr(which, next))
		return expected && sw_scan_unexpected(scan, expected, (sw_span){0, 0});
	scan->at++;
	list->close = bracket->close;
	list->ok = true;
	return true;
}

bool sw_py_next(sw_py_list *list)
{
	const struct bracket *bracket = bracket_of(list->close, false);
	assert(bracket && list->ok);
	bool more = true;
	if (list->count > 0)
		list->ok = sw_scan_list(list->scan, list->close, bracket->expected, list->open, &more);
	if (!list->ok || !more || ((list->count > 0 || !list->filled) && sw_scan_take(list->scan, list->close)))
		return false;
	list->count++;
	return true;
}

bool sw_py_rest(sw_py_list *list)
{
	list->count += list->count == 0;
	while (sw_py_next(list))
		sw_py_value(list->scan);
	return list->ok;
}

sw_str sw_py_value(sw_scan *scan)
{
	int depth = 0;
	sw_scan_peek(scan);
	size_t begin = scan->at;
	while (scan->at < scan->text.length) {
		char c = scan->text.at[scan->at];
		bool ends = c == ',' || c == ')' || c == ']' || c == '}' || c == '>';
		if (c == '\0' || (ends && depth == 0))
			break;
		scan->at = sw_str_step(scan->text, scan->at, SW_NESTING_VALUES, &depth);
	}
	return sw_str_trim((sw_str){scan->text.at + begin, scan->at - begin});
}

static sw_str behind_last_dot(sw_str word)
{
	size_t at = word.length;
	while (at > 0 && word.at[at - 1] != '.')
		at--;
	return sw_str_behind(word, at);
}

sw_str sw_py_word(sw_scan *scan, sw_span *at)
{
	return behind_last_dot(sw_scan_word(scan, at));
}

bool sw_py_named(sw_scan *scan, const char *name)
{
	size_t before = scan->at;
	sw_span at;
	if (sw_str_is(sw_scan_word(scan, &at), name) && sw_scan_take(scan, '='))
		return true;
	scan->at = before;
	return false;
}

/* ---- slices ---- */

/* The end of the string in quotes at the start; 0: there is none. */
static size_t string_end(sw_str text)
{
	bool quote = text.length > 1 && (*text.at == '\'' || *text.at == '"');
	const char *end = quote ? memchr(text.at + 1, *text.at, text.length - 1) : NULL;
	return end ? (size_t)(end - text.at) + 1 : 0;
}

static bool take_key(sw_py_item *item, sw_str key, size_t length, char sign)
{
	sw_str rest = sw_str_trim(sw_str_behind(item->text, length));
	if (!key.length || !rest.length || *rest.at != sign || sw_str_starts(rest, "=="))
		return false;
	item->key = key;
	item->value = sw_str_trim(sw_str_behind(rest, 1));
	return true;
}

bool sw_py_take(sw_str *list, sw_py_item *item)
{
	size_t at = 0;
	sw_span span;
	*list = sw_str_trim(*list);
	if (!list->length)
		return false;
	sw_str text = sw_str_split(*list, &at, SW_NESTING_PYTHON);
	*list = sw_str_behind(*list, at);
	*item = (sw_py_item){.text = text, .key = {text.at, 0}, .value = text};
	size_t string = string_end(text);
	sw_scan scan = {.text = text};
	sw_str word = sw_scan_bare(&scan, &span);
	if (string)
		take_key(item, sw_str_inner((sw_str){text.at, string}), string, ':');
	else
		take_key(item, word, word.length, '=');
	return true;
}

sw_str sw_py_inside(sw_str text, const char *which)
{
	text = sw_str_trim(text);
	bool around = text.length > 1 && strchr(which, *text.at) &&
		sw_str_balanced(text, 0, SW_NESTING_PYTHON) == text.length;
	return around ? sw_str_trim(sw_str_inner(text)) : text;
}

bool sw_py_call(sw_str text, sw_str *function, sw_str *arguments)
{
	sw_scan scan = {.text = sw_str_trim(text)};
	sw_span at;
	*function = sw_py_word(&scan, &at);
	if (sw_scan_peek(&scan) != '(' || sw_str_balanced(scan.text, scan.at, SW_NESTING_PYTHON) != scan.text.length)
		return false;
	*arguments = sw_str_inner(sw_str_behind(scan.text, scan.at));
	return true;
}
