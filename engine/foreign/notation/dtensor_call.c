/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the placements stand in calls of PyTorch that give a tensor its own:
 *
 *     distribute_tensor(x, mesh, [Shard(0)])
 *     x.redistribute(device_mesh=mesh, placements=[Replicate(), Shard(1)])
 *     DTensor.from_local(x, mesh, [Shard(0)])
 */
#define _GNU_SOURCE
#include "foreign/notation/read.h"

#include <ctype.h>
#include <string.h>

#define CALL_MOST 4096 /* bytes */

static const sw_str nothing = {"", 0};

static const struct call_word {
	const char *name;
	bool moves; /* the tensor has placements before */
	bool method;
} words[] = {
	{"redistribute(", true, true},
	{"distribute_tensor(", false, false},
	{"from_local(", false, true},
};

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Between the brackets of the call that a text of one statement is; empty: it is none. */
static sw_str arguments_of(sw_str text, bool *moves)
{
	if (text.length > CALL_MOST)
		return nothing;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t length = strlen(words[i].name);
		const char *at = memmem(text.at, text.length, words[i].name, length);
		size_t before = at ? (size_t)(at - text.at) : 0;
		char last = before ? text.at[before - 1] : ' ';
		if (!at || is_name_byte(last) || (words[i].method && last != '.'))
			continue;
		size_t open = before + length - 1, end = sw_str_balanced(text, open, SW_NESTING_PYTHON);
		*moves = words[i].moves;
		bool alone = end && !memchr(text.at, '\n', before) && !memchr(text.at + end, '\n', text.length - end);
		return alone ? (sw_str){text.at + open + 1, end - open - 2} : nothing;
	}
	return nothing;
}

static bool are_placements(sw_str value)
{
	static const char *const begins[] = {"Shard(", "Replicate(", "Partial(", "_StridedShard(", "S(", "R", "P("};
	bool list = value.length > 2 && strchr("[(", *value.at);
	sw_str first = list ? sw_str_trim(sw_str_behind(value, 1)) : nothing;
	const char *dot = first.length ? memrchr(first.at, '.', sw_str_outside(first, 0, SW_NESTING_PLAIN, "(")) : NULL;
	first = dot ? sw_str_behind(first, (size_t)(dot - first.at) + 1) : first;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (sw_str_starts(first, begins[i]))
			return true;
	return false;
}

static bool is_mesh(sw_str value)
{
	static const char made[] = "init_device_mesh(";
	return sw_str_starts(value, "DeviceMesh(") || memmem(value.at, value.length, made, strlen(made));
}

static sw_str find(sw_str text, bool (*is)(sw_str value), bool *moves)
{
	text = sw_str_trim(text);
	sw_str list = arguments_of(text, moves);
	for (sw_py_item item; sw_py_take(&list, &item);)
		if (item.value.length && is(item.value))
			return item.value;
	return nothing;
}

sw_str sw_notation_call(sw_str text, bool *moves)
{
	*moves = false;
	return find(text, are_placements, moves);
}

sw_str sw_dtensor_called_mesh(sw_str text)
{
	bool moves;
	return find(text, is_mesh, &moves);
}
