/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index of the search graph: levels and names.
 *
 * Nodes are numbered in the order in which they were seen, so that new ones go to the ends of their levels, and
 * those that `back` takes away are found there.
 */
#define _GNU_SOURCE
#include "screen/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/text.h>
#include <shardwalk/type.h>

#define NAME_MOST (24 + SW_MAX_DIMS * 22 + 16)

static bool grow(void **memory, int *room, int needed, size_t size)
{
	if (needed <= *room)
		return true;
	int more = *room ? *room : 16;
	while (more < needed)
		more *= 2;
	void *grown = realloc(*memory, (size_t)more * size);
	if (!grown)
		return false;
	*memory = grown;
	*room = more;
	return true;
}

/* The first level that is not larger than `size`. */
static int level_slot(const struct graph_index *graph, int64_t size)
{
	int low = 0, high = graph->level_count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (graph->levels[middle].size > size)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int graph_level_of(const struct graph_index *graph, int64_t size)
{
	int slot = level_slot(graph, size);
	return slot < graph->level_count && graph->levels[slot].size == size ? slot : -1;
}

int graph_place_of(const struct graph_level *level, int id)
{
	int low = 0, high = level->count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (level->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < level->count && level->ids[low] == id ? low : -1;
}

static struct graph_level *level_make(struct graph_index *graph, int64_t size)
{
	int slot = level_slot(graph, size);
	if (slot < graph->level_count && graph->levels[slot].size == size)
		return &graph->levels[slot];
	if (!grow((void **)&graph->levels, &graph->level_room, graph->level_count + 1, sizeof(*graph->levels)))
		return NULL;
	memmove(graph->levels + slot + 1, graph->levels + slot,
		(size_t)(graph->level_count - slot) * sizeof(*graph->levels));
	graph->level_count++;
	graph->levels[slot] = (struct graph_level){.size = size};
	return &graph->levels[slot];
}

static bool level_take(struct graph_index *graph, int id)
{
	struct graph_level *level = level_make(graph, sw_walk_node_size(graph->walk, id));
	if (!level || !grow((void **)&level->ids, &level->room, level->count + 1, sizeof(*level->ids)))
		return false;
	level->ids[level->count++] = id;
	return true;
}

/* ---- names ---- */

static char *number_put(char *to, int64_t number)
{
	char digits[24];
	int count = 0;
	do
		digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (count)
		*to++ = digits[--count];
	return to;
}

/* At most NAME_MOST bytes. */
static char *name_put(char *to, const sw_walk *walk, int id)
{
	int64_t tile[SW_MAX_DIMS];
	int rank = sw_walk_problem(walk)->from.rank;
	sw_walk_node_tile(walk, id, tile);
	to = stpcpy(number_put(to, id), " [");
	for (int i = 0; i < rank; i++)
		to = number_put(i ? stpcpy(to, ", ") : to, tile[i]);
	to = stpcpy(to, "]");
	if (id == sw_walk_start(walk))
		to = stpcpy(to, " start");
	return id == sw_walk_goal(walk) ? stpcpy(to, " goal") : to;
}

void graph_name(const sw_walk *walk, int id, sw_text *text)
{
	char name[NAME_MOST];
	name_put(name, walk, id);
	sw_text_add(text, name);
}

void graph_prepare(struct graph_index *graph)
{
	while (graph->named < graph->seen && !graph->failed) {
		if (graph->names_room - graph->names_length < NAME_MOST) {
			size_t room = 2 * graph->names_room + 64 * NAME_MOST;
			char *names = realloc(graph->names, room);
			graph->failed = !names;
			graph->names = names ? names : graph->names;
			graph->names_room = names ? room : graph->names_room;
			continue;
		}
		char *end = name_put(graph->names + graph->names_length, graph->walk, ++graph->named);
		*end++ = '\n';
		graph->names_length = (size_t)(end - graph->names);
	}
}

/* The next name that has `text`, from `*place` on: its node, and *place after it; 0: there is none. */
static int name_next(const struct graph_index *graph, const char *text, size_t length, const char **place)
{
	const char *end = graph->names + graph->names_length;
	const char *found = *place ? memmem(*place, (size_t)(end - *place), text, length) : NULL;
	if (!found)
		return 0;
	const char *begin = memrchr(graph->names, '\n', (size_t)(found - graph->names));
	*place = (const char *)memchr(found, '\n', (size_t)(end - found)) + 1;
	return atoi(begin ? begin + 1 : graph->names);
}

/* ---- following the walk ---- */

static void levels_clear(struct graph_index *graph)
{
	for (int i = 0; i < graph->level_count; i++)
		free(graph->levels[i].ids);
	graph->level_count = 0;
}

void graph_forget(struct graph_index *graph)
{
	levels_clear(graph);
	free(graph->levels);
	free(graph->names);
	*graph = (struct graph_index){0};
}

/* Nodes above `seen` were taken back. */
static void graph_drop(struct graph_index *graph, int seen)
{
	int kept = 0;
	for (int i = 0; i < graph->level_count; i++) {
		struct graph_level *level = &graph->levels[i];
		while (level->count && level->ids[level->count - 1] > seen)
			level->count--;
		if (level->count)
			graph->levels[kept++] = *level;
		else
			free(level->ids);
	}
	graph->level_count = kept;
	for (; graph->named > seen; graph->named--) {
		const char *end = memrchr(graph->names, '\n', graph->names_length - 1);
		graph->names_length = end ? (size_t)(end + 1 - graph->names) : 0;
	}
	graph->seen = seen;
}

/* The levels anew, from the nodes whose names have the filter. */
static void graph_filter(struct graph_index *graph, const char *filter)
{
	levels_clear(graph);
	snprintf(graph->filter, sizeof(graph->filter), "%s", filter);
	graph_prepare(graph);
	const char *place = graph->names;
	int id = 0;
	while (*filter && (id = name_next(graph, filter, strlen(filter), &place)))
		graph->failed |= !level_take(graph, id);
	for (id = 1; !*filter && id <= graph->seen; id++)
		graph->failed |= !level_take(graph, id);
}

static bool name_has(const struct graph_index *graph, int id)
{
	char name[NAME_MOST];
	if (!*graph->filter)
		return true;
	name_put(name, graph->walk, id);
	return strstr(name, graph->filter) != NULL;
}

void graph_follow(struct graph_index *graph, const sw_walk *walk, int number, const char *filter)
{
	int seen = sw_walk_seen(walk);
	if (graph->walk != walk || graph->number != number) {
		graph_forget(graph);
		graph->number = number;
		graph->walk = walk;
		snprintf(graph->filter, sizeof(graph->filter), "%s", filter);
	}
	if (seen < graph->seen)
		graph_drop(graph, seen);
	if (strcmp(filter, graph->filter) != 0)
		graph_filter(graph, filter);
	while (graph->seen < seen && !graph->failed) {
		int id = ++graph->seen;
		if (name_has(graph, id))
			graph->failed |= !level_take(graph, id);
	}
}

/* ---- searching ---- */

/* A match on the way: its node, and the how-manieth it is. */
struct match {
	int node;
	long long at;
};

int graph_search(struct graph_index *graph, const char *text, int id, int direction, bool *wrapped, long long *at,
	long long *of)
{
	struct match first = {0, 1}, last = {0, 0}, before = {0, 0}, after = {0, 0};
	size_t length = strlen(text);
	graph_prepare(graph);
	const char *place = graph->names;
	int node;
	while (length && (node = name_next(graph, text, length, &place))) {
		last = (struct match){node, last.at + 1};
		first.node = first.node ? first.node : node;
		if (node < id)
			before = last;
		if (node > id && !after.node)
			after = last;
	}
	struct match near = direction > 0 ? after : before, far = direction > 0 ? first : last;
	*wrapped = !near.node;
	*of = last.at;
	*at = near.node ? near.at : far.at;
	return near.node ? near.node : far.node;
}
