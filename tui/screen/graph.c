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

static bool level_take(struct graph_index *graph, const sw_node *node)
{
	struct graph_level *level = level_make(graph, node->localsize);
	if (!level || !grow((void **)&level->ids, &level->room, level->count + 1, sizeof(*level->ids)))
		return false;
	level->ids[level->count++] = node->id;
	return true;
}

/* ---- names ---- */

static bool name_take(struct graph_index *graph, const sw_node *node)
{
	sw_text text = {0};
	sw_text_addf(&text, "%d ", node->id);
	sw_type_print_tile(node->tile, sw_walk_problem(graph->walk)->from.rank, &text);
	sw_text_add(&text, node->is_start ? " start" : node->is_goal ? " goal" : "");
	size_t needed = graph->names_length + text.length + 2;
	char *names = graph->names;
	if (needed > graph->names_room) {
		graph->names_room = 2 * needed + 1024;
		names = realloc(graph->names, graph->names_room);
	}
	bool ok = names && !text.failed &&
	    grow((void **)&graph->name_at, &graph->name_room, node->id + 1, sizeof(*graph->name_at));
	if (ok) {
		graph->names = names;
		graph->name_at[node->id - 1] = graph->names_length;
		memcpy(names + graph->names_length, sw_text_get(&text), text.length);
		graph->names_length += text.length + 1;
		names[graph->names_length - 1] = '\n';
		names[graph->names_length] = '\0';
		graph->name_most = (int)text.length > graph->name_most ? (int)text.length : graph->name_most;
	}
	sw_text_free(&text);
	return ok;
}

static bool name_has(const struct graph_index *graph, int id, const char *text)
{
	size_t from = graph->name_at[id - 1];
	size_t to = id < graph->seen ? graph->name_at[id] : graph->names_length;
	return !*text || memmem(graph->names + from, to - from, text, strlen(text)) != NULL;
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
	free(graph->name_at);
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
	if (seen < graph->seen)
		graph->names_length = graph->name_at[seen];
	graph->seen = seen;
}

static void graph_filter(struct graph_index *graph, const char *filter)
{
	sw_node node;
	levels_clear(graph);
	snprintf(graph->filter, sizeof(graph->filter), "%s", filter);
	for (int id = 1; id <= graph->seen; id++)
		if (name_has(graph, id, filter) && sw_walk_node(graph->walk, id, &node))
			graph->failed |= !level_take(graph, &node);
}

void graph_follow(struct graph_index *graph, const sw_walk *walk, int number, const char *filter)
{
	int seen = sw_walk_seen(walk);
	sw_node node;
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
	while (graph->seen < seen && !graph->failed && sw_walk_node(walk, graph->seen + 1, &node)) {
		graph->failed |= !name_take(graph, &node);
		graph->seen++;
		if (!graph->failed && name_has(graph, node.id, graph->filter))
			graph->failed |= !level_take(graph, &node);
	}
}

/* ---- searching ---- */

/* The number of the node whose name holds this place. */
static int node_at_place(const struct graph_index *graph, size_t place)
{
	int low = 1, high = graph->seen;
	while (low < high) {
		int middle = low + (high - low + 1) / 2;
		if (graph->name_at[middle - 1] <= place)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

int graph_search(const struct graph_index *graph, const char *text, int id, int direction, bool *wrapped,
    long long *at, long long *of)
{
	int first = 0, last = 0, before = 0, after = 0, found = 0;
	size_t length = strlen(text);
	const char *place = graph->names;
	*at = *of = 0;
	while (length && place && (place = memmem(place, graph->names_length - (size_t)(place - graph->names), text,
	    length))) {
		int node = node_at_place(graph, (size_t)(place - graph->names));
		++*of;
		first = first ? first : node;
		last = node;
		before = node < id ? node : before;
		after = !after && node > id ? node : after;
		place = graph->names + (node < graph->seen ? graph->name_at[node] : graph->names_length);
	}
	found = direction > 0 ? (after ? after : first) : (before ? before : last);
	*wrapped = found && (direction > 0 ? !after : !before);
	for (place = graph->names; found && place; ++*at) {
		place = memmem(place, graph->names_length - (size_t)(place - graph->names), text, length);
		int node = place ? node_at_place(graph, (size_t)(place - graph->names)) : found + 1;
		if (node > found)
			break;
		place = graph->names + (node < graph->seen ? graph->name_at[node] : graph->names_length);
	}
	return found;
}
