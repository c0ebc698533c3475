/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index of the search graph: names, in the order in which nodes were seen, so that those that `back` takes away are
 * the last ones.
 */
#define _GNU_SOURCE
#include "screen/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/text.h>
#include <shardwalk/type.h>

#include "views/search_graph.h"

#define PART 6000 /* names that are made with a picture: about a millisecond */
#define NAME_MOST (24 + SW_MAX_DIMS * 22 + 16)

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

/* What search_node_name says, cut at NAME_MOST bytes. */
static char *name_copy(char *to, const sw_walk *walk, int id)
{
	sw_text name = {0};
	search_node_name(walk, id, &name);
	size_t length = name.length < NAME_MOST - 1 ? name.length : NAME_MOST - 1;
	memcpy(to, sw_text_get(&name), length);
	sw_text_free(&name);
	to[length] = '\0';
	return to + length;
}

/* The same of the search, where there may be millions of nodes. */
static char *name_put(char *to, const sw_walk *walk, int id)
{
	int64_t tile[SW_MAX_DIMS];
	const sw_problem *problem = sw_walk_problem(walk);
	if (!problem)
		return name_copy(to, walk, id);
	int rank = problem->from.rank;
	sw_walk_node_place(walk, id, tile);
	to = stpcpy(number_put(to, id), " [");
	for (int i = 0; i < rank; i++)
		to = number_put(i ? stpcpy(to, ", ") : to, tile[i]);
	to = stpcpy(to, "]");
	if (sw_walk_places(walk) > rank && tile[rank] > 1)
		to = number_put(stpcpy(to, "+"), tile[rank]);
	if (id == sw_walk_start(walk))
		to = stpcpy(to, " start");
	return id == sw_walk_goal(walk) ? stpcpy(to, " goal") : to;
}

/* Names nodes up to number `last`. */
static void names_make(struct graph_index *graph, int last)
{
	while (graph->named < last && !graph->failed) {
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

void graph_prepare(struct graph_index *graph)
{
	names_make(graph, graph->seen);
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

void graph_forget(struct graph_index *graph)
{
	free(graph->names);
	free(graph->matches.node);
	*graph = (struct graph_index){0};
}

/* Names of nodes above `seen`, which were taken back. */
static void names_drop(struct graph_index *graph, int seen)
{
	for (; graph->named > seen; graph->named--) {
		const char *end = memrchr(graph->names, '\n', graph->names_length - 1);
		graph->names_length = end ? (size_t)(end + 1 - graph->names) : 0;
	}
}

void graph_follow(struct graph_index *graph, const sw_walk *walk, int number)
{
	if (graph->walk != walk || graph->number != number) {
		graph_forget(graph);
		graph->number = number;
		graph->walk = walk;
	}
	graph->seen = sw_walk_seen(walk);
	names_drop(graph, graph->seen);
	names_make(graph, graph->seen - graph->named < PART ? graph->seen : graph->named + PART);
}

/* ---- searching ---- */

/* What is looked for: text of a name; digits of a number, or none.  Neighbours often have the same numbers. */
struct needle_parts {
	const char *text;
	size_t length;
	char digits[24];
	int64_t number[2]; /* the distance and the cost that were looked at last */
	bool has[2];
};

static bool number_has(struct needle_parts *needle, int which, int64_t number)
{
	char text[24];
	if (number == needle->number[which])
		return needle->has[which];
	*number_put(text, number) = '\0';
	needle->number[which] = number;
	return needle->has[which] = strstr(text, needle->digits) != NULL;
}

static bool numbers_have(const struct graph_index *graph, int id, struct needle_parts *needle)
{
	int64_t distance = sw_walk_node_distance(graph->walk, id);
	int parent = sw_walk_node_parent(graph->walk, id);
	return number_has(needle, 0, distance) ||
		(parent && number_has(needle, 1, distance - sw_walk_node_distance(graph->walk, parent)));
}

/* The first match after node `id`; *named is the next one whose name has the text, from *place on. */
static int match_next(const struct graph_index *graph, struct needle_parts *needle, int id, int *named,
	const char **place)
{
	if (*named <= id && *place)
		*named = name_next(graph, needle->text, needle->length, place);
	if (!*named)
		*place = NULL;
	int end = *named ? *named : graph->seen + 1;
	for (int at = id + 1; *needle->digits && at < end; at++)
		if (numbers_have(graph, at, needle))
			return at;
	return *named;
}

static bool match_add(struct graph_matches *matches, int node)
{
	if (matches->count == matches->room) {
		int room = matches->room ? 2 * matches->room : 256;
		int *grown = realloc(matches->node, (size_t)room * sizeof(*grown));
		if (!grown)
			return false;
		matches->node = grown;
		matches->room = room;
	}
	matches->node[matches->count++] = node;
	return true;
}

static bool matches_are(const struct graph_index *graph, const char *text)
{
	const struct graph_matches *matches = &graph->matches;
	return matches->node && strcmp(matches->text, text) == 0 && matches->seen == graph->seen &&
		matches->settled == sw_walk_settled(graph->walk);
}

static void matches_find(struct graph_index *graph, const char *text)
{
	struct needle_parts needle = {.text = text, .length = strlen(text), .number = {-1, -1}};
	struct graph_matches *matches = &graph->matches;
	search_digits(text, needle.digits);
	graph_prepare(graph);
	const char *place = graph->names;
	int node = 0, named = 0;
	matches->count = 0;
	while (needle.length && !graph->failed && (node = match_next(graph, &needle, node, &named, &place)))
		graph->failed |= !match_add(matches, node);
	snprintf(matches->text, sizeof(matches->text), "%s", text);
	matches->seen = graph->seen;
	matches->settled = sw_walk_settled(graph->walk);
}

/* How many matches are below node `id`. */
static int matches_below(const struct graph_matches *matches, int id)
{
	int low = 0, high = matches->count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (matches->node[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int graph_search(struct graph_index *graph, const char *text, int id, int direction, bool *wrapped, long long *at,
	long long *of)
{
	const struct graph_matches *matches = &graph->matches;
	if (!matches_are(graph, text))
		matches_find(graph, text);
	int next = direction > 0 ? matches_below(matches, id + 1) : matches_below(matches, id) - 1;
	*wrapped = next < 0 || next >= matches->count;
	next = !*wrapped ? next : direction > 0 ? 0 : matches->count - 1;
	*of = matches->count;
	*at = matches->count ? next + 1 : 0;
	return matches->count ? matches->node[next] : 0;
}
