/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that are defined one after the other.
 */
#include "program/names.h"

#include <assert.h>
#include <string.h>

#include "base/scan.h"
#include "program/ops.h"

#define NAMES_ASKED 512 /* of the latest names, for the nearest */

void sw_names_start(sw_names *names, sw_arena *arena)
{
	memset(names, 0, sizeof(*names));
	names->arena = arena;
}

static unsigned names_list(const sw_names *names, sw_str name)
{
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * 16777619u;
	return (hash ^ hash >> 16) & ((unsigned)names->lists - 1);
}

/* The latest name of a list comes first. */
static void names_enlist(sw_names *names, int i)
{
	int *last = &names->last[names_list(names, names->name[i].name)];
	names->name[i].before = *last - 1;
	*last = i + 1;
}

static bool names_grow(sw_names *names)
{
	int lists = names->lists ? 2 * names->lists : 64;
	int *last = SW_NEW_ZERO(names->arena, int, lists);
	if (!last)
		return false;
	names->lists = lists;
	names->last = last;
	for (int i = 0; i < names->count; i++)
		names_enlist(names, i);
	return true;
}

bool sw_names_add_at(sw_names *names, sw_str name, int is, sw_span at)
{
	assert(is >= 0);
	if (names->count == names->lists && !names_grow(names))
		return false;
	if (!SW_GROW(names->arena, names->name, names->count, names->room, 16))
		return false;
	names->name[names->count] = (sw_name){name, is, -1, at};
	names_enlist(names, names->count++);
	return true;
}

bool sw_names_add(sw_names *names, sw_str name, int is)
{
	return sw_names_add_at(names, name, is, (sw_span){0, 0});
}

static const sw_name *names_get(const sw_names *names, sw_str name)
{
	if (names->count == 0)
		return NULL;
	for (int i = names->last[names_list(names, name)] - 1; i >= 0; i = names->name[i].before)
		if (sw_str_equal(names->name[i].name, name))
			return &names->name[i];
	return NULL;
}

int sw_names_find(const sw_names *names, sw_str name)
{
	const sw_name *found = names_get(names, name);
	return found ? found->is : -1;
}

bool sw_names_place(const sw_names *names, sw_str name, sw_span *at)
{
	const sw_name *found = names_get(names, name);
	if (found)
		*at = found->at;
	return found;
}

static bool names_free(const sw_names *names, sw_str name)
{
	return sw_scan_is_bare(name) && !sw_program_reserved(name) && sw_names_find(names, name) < 0;
}

sw_str sw_names_take(sw_names *names, sw_str name)
{
	sw_str stem = sw_scan_is_bare(name) ? name : sw_str_of("v"), out = name;
	sw_text text = {0};
	for (int number = 1; !names_free(names, out); number++) {
		sw_text_clear(&text);
		sw_text_add_str(&text, stem);
		sw_text_addf(&text, "_%d", number);
		if (text.failed)
			break;
		out = sw_str_of(sw_text_get(&text));
	}
	if (out.at != name.at)
		out.at = sw_arena_copy(names->arena, out.at, out.length);
	sw_text_free(&text);
	if (!out.at || !sw_names_add(names, out, 0))
		return (sw_str){NULL, 0};
	return out;
}

sw_str sw_names_nearest(const sw_names *names, sw_str name)
{
	int most = name.length <= 2 ? 1 : name.length <= 5 ? 2 : 3, first = names->count - NAMES_ASKED;
	sw_str nearest = {NULL, 0};
	for (int i = names->count - 1; i >= 0 && i >= first; i--) {
		int distance = sw_str_distance(name, names->name[i].name, most);
		if (distance > most || (size_t)distance >= name.length + (name.length == 1))
			continue;
		nearest = names->name[i].name;
		most = distance - 1;
	}
	return nearest;
}
