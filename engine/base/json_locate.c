/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a value again in a JSON text that a parser has accepted: it need not be checked, only skipped.
 */
#include <shardwalk/json_read.h>

#include <stdlib.h>
#include <string.h>

static bool locate_is(sw_str text, size_t at, const char *set)
{
	return at < text.length && text.at[at] && strchr(set, text.at[at]);
}

/* Past blanks and separators. */
static size_t locate_blank(sw_str text, size_t at)
{
	while (locate_is(text, at, " \t\r\n,:"))
		at++;
	return at;
}

static size_t locate_string(sw_str text, size_t at)
{
	for (at++; at < text.length && text.at[at] != '"'; at++)
		if (text.at[at] == '\\')
			at++;
	return at + 1;
}

/* The end of the value that begins at `at`. */
static size_t locate_value(sw_str text, size_t at)
{
	int depth = 0;
	do {
		if (locate_is(text, at, "\"")) {
			at = locate_string(text, at);
		} else if (locate_is(text, at, "[{")) {
			depth++;
			at++;
		} else if (locate_is(text, at, "]}")) {
			depth--;
			at++;
		} else if (depth == 0) {
			while (at < text.length && !locate_is(text, at, " \t\r\n,:]}"))
				at++;
		} else {
			at++;
		}
	} while (depth > 0 && at < text.length);
	return at < text.length ? at : text.length;
}

/* Is the string that begins at `at` this key? */
static bool locate_is_key(sw_str text, size_t at, sw_str key)
{
	size_t end = at + 1 + key.length;
	return locate_is(text, end, "\"") && sw_str_equal((sw_str){text.at + at + 1, key.length}, key);
}

/* Moves `at` from an opening bracket to the value of the key, or the value number `index`; false: it is not there. */
static bool locate_enter(sw_str text, sw_str key, long index, size_t *at)
{
	bool object = locate_is(text, *at, "{");
	if (object != (index < 0) || !locate_is(text, *at, "{["))
		return false;
	size_t here = locate_blank(text, *at + 1);
	for (long n = 0; here < text.length && !locate_is(text, here, "]}"); n++) {
		size_t name = here;
		if (object)
			here = locate_blank(text, locate_string(text, here));
		bool found = object ? locate_is_key(text, name, key) : n == index;
		if (found) {
			*at = here;
			return true;
		}
		here = locate_blank(text, locate_value(text, here));
	}
	return false;
}

sw_span sw_json_locate(sw_str text, const char *path)
{
	size_t at = locate_blank(text, 0);
	while (*path) {
		long index = *path == '[' ? strtol(path + 1, NULL, 10) : -1;
		size_t length = strcspn(path, *path == '[' ? "]" : ".[");
		if (!locate_enter(text, (sw_str){path, length}, index, &at))
			return (sw_span){at, at + 1};
		path += length + (*path == '[');
		path += *path == '.';
	}
	return (sw_span){at, locate_value(text, at)};
}
