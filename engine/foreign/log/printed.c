/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What readers of printed programs share: rows, groups, and values by their names.
 */
#include "foreign/log/printed.h"

#include <assert.h>
#include <string.h>

sw_traffic_row *sw_log_printed_row(sw_log_printed *printed, sw_traffic_kind kind, int64_t line)
{
	sw_traffic *traffic = printed->traffic;
	assert(line >= 1);
	if (!SW_GROW(printed->arena, traffic->row, traffic->count, *printed->room, 16)) {
		sw_diag_memory(printed->diag);
		return NULL;
	}
	sw_traffic_row *row = &traffic->row[traffic->count++];
	*row = (sw_traffic_row){.kind = kind,
		.line = line,
		.count = 1,
		.runs = 1,
		.beside = -1,
		.name = "",
		.computation = ""};
	return row;
}

traffic_groups sw_log_printed_groups(int64_t size, int64_t devices)
{
	assert(size >= 1 && devices >= size);
	int64_t count = devices / size;
	return (traffic_groups){.count = count, .largest = size, .seats = count * size, .form = SW_TRAFFIC_GROUPS};
}

static size_t hash_name(sw_str name)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * UINT64_C(1099511628211);
	return (size_t)(hash >> 16);
}

static bool is_name(sw_str a, sw_str b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Where the name is, or would be. */
static sw_log_value *slot_of(const sw_log_values *values, sw_str name)
{
	size_t mask = (size_t)values->room - 1, at = hash_name(name) & mask;
	while (values->slot[at].name.at && !is_name(values->slot[at].name, name))
		at = (at + 1) & mask;
	return &values->slot[at];
}

static bool grow(sw_log_values *values, sw_arena *arena)
{
	sw_log_values more = {.room = values->room ? 2 * values->room : 64, .count = values->count};
	more.slot = SW_NEW_ZERO(arena, sw_log_value, more.room);
	for (int i = 0; more.slot && i < values->room; i++)
		if (values->slot[i].name.at)
			*slot_of(&more, values->slot[i].name) = values->slot[i];
	if (more.slot)
		*values = more;
	return more.slot != NULL;
}

sw_log_value *sw_log_value_add(sw_log_values *values, sw_str name, sw_arena *arena)
{
	assert(name.at && name.length);
	if (2 * values->count >= values->room && !grow(values, arena))
		return NULL;
	sw_log_value *slot = slot_of(values, name);
	if (!slot->name.at) {
		*slot = (sw_log_value){.name = name, .type = {"", 0}, .sharding = {"", 0}, .spread = {"", 0}};
		values->count++;
	}
	return slot;
}

const sw_log_value *sw_log_value_find(const sw_log_values *values, sw_str name)
{
	const sw_log_value *slot = values->room && name.length ? slot_of(values, name) : NULL;
	return slot && slot->name.at ? slot : NULL;
}
