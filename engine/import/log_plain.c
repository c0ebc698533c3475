/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain lines: two shardings with an arrow or `to` between them, and perhaps the shape of the array.
 *
 *     {devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}
 *     f32[16,16,16] P('y', None, 'x') to P(None, ('x', 'y'), None)
 */
#include "import/log_parts.h"

#include <string.h>

static const char *const arrows[] = {"~>", "->", "=>", "\xE2\x86\x92", " to "};
static const char *const leading[] = {"redistribute ", "reshard ", "resharding ", "from ", "sharding ", "import ", "- ", "* "};

static sw_str skip(sw_str text, size_t length)
{
	return sw_str_trim((sw_str){text.at + length, text.length - length});
}

static bool starts(sw_str text, const char *with)
{
	size_t length = strlen(with);
	return text.length >= length && memcmp(text.at, with, length) == 0;
}

/* The length of the arrow here, or 0. */
static size_t arrow_length(sw_str rest)
{
	for (size_t i = 0; i < sizeof(arrows) / sizeof(*arrows); i++)
		if (starts(rest, arrows[i]))
			return strlen(arrows[i]);
	return 0;
}

/* The first arrow outside quotes and brackets; length 0: none. */
static sw_str find_arrow(sw_str line)
{
	char quote = 0;
	for (size_t i = 0, depth = 0; i < line.length; i++) {
		char c = line.at[i];
		size_t length = quote || depth ? 0 : arrow_length((sw_str){line.at + i, line.length - i});
		if (length)
			return (sw_str){line.at + i, length};
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '{' || c == '[' || c == '(')
			depth++;
		else if (c == '}' || c == ']' || c == ')')
			depth -= depth > 0;
	}
	return (sw_str){"", 0};
}

/* The length of `f32[16,16]` at the start, or 0. */
static size_t shape_length(sw_str text)
{
	size_t i = 0;
	sw_dtype dtype;
	while (i < text.length && text.at[i] != '[' && text.at[i] > ' ')
		i++;
	if (i == text.length || text.at[i] != '[' || !sw_dtype_parse((sw_str){text.at, i}, &dtype, NULL))
		return 0;
	i++;
	while (i < text.length && text.at[i] && strchr("0123456789, ", text.at[i]))
		i++;
	return i < text.length && text.at[i] == ']' ? i + 1 : 0;
}

static sw_str take_leading(sw_str text)
{
	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++)
		if (starts(text, leading[i]))
			return take_leading(skip(text, strlen(leading[i])));
	return text;
}

/* `f32[16,16] A` or `f32[16,16]: A`; what is left is A. */
static sw_str take_shape_before(sw_str text, sw_str *shape)
{
	size_t length = shape_length(text);
	sw_str rest = skip(text, length);
	if (!length || !rest.length)
		return text;
	*shape = (sw_str){text.at, length};
	return take_leading(*rest.at == ':' || *rest.at == ',' ? skip(rest, 1) : rest);
}

/* `B f32[16,16]` or `B, f32[16,16]`; what is left is B. */
static sw_str take_shape_after(sw_str text, sw_str *shape)
{
	size_t blank = text.length;
	while (blank > 0 && text.at[blank - 1] != ' ')
		blank--;
	sw_str last = {text.at + blank, text.length - blank};
	if (!blank || !shape_length(last) || shape_length(last) != last.length)
		return text;
	*shape = last;
	sw_str rest = sw_str_trim((sw_str){text.at, blank});
	return rest.length && rest.at[rest.length - 1] == ',' ? (sw_str){rest.at, rest.length - 1} : rest;
}

static sw_log_text place(sw_str whole, sw_str slice)
{
	size_t begin = (size_t)(slice.at - whole.at);
	return (sw_log_text){slice, {begin, begin + slice.length}};
}

static bool is_sharding(sw_str text)
{
	return text.length && sw_notation_guess(text) != SW_NOTATION_PAPER;
}

/* A line of bytes that are no text holds no shardings. */
static bool is_text(sw_str line)
{
	for (size_t i = 0; i < line.length; i++)
		if ((unsigned char)line.at[i] < ' ' && line.at[i] != '\t')
			return false;
	return true;
}

bool sw_log_plain(sw_str text, sw_span line, sw_log_found *found)
{
	sw_str whole = sw_str_trim((sw_str){text.at + line.begin, line.end - line.begin}), shape = {"", 0};
	sw_str arrow = find_arrow(whole);
	if (!arrow.length || !is_text(whole))
		return false;
	const char *end = arrow.at + arrow.length;
	sw_str left = sw_str_trim((sw_str){whole.at, (size_t)(arrow.at - whole.at)});
	sw_str right = sw_str_trim((sw_str){end, (size_t)(whole.at + whole.length - end)});
	left = take_shape_before(take_leading(left), &shape);
	right = take_shape_after(right, &shape);
	if (!is_sharding(left) || !is_sharding(right))
		return false;
	*found = (sw_log_found){.at = place(text, whole).at, .from = place(text, left), .to = place(text, right),
		.shape = shape, .is_global = true};
	return true;
}
