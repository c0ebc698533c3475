/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that look around in a walk: its frontier, nodes, edges, and the best way known to a node.
 */
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/walk/walk.h"
#include "views/walk_words.h"

/* ---- nodes that are named ---- */

static size_t until_separator(sw_str text)
{
	size_t length = 0;
	while (length < text.length && text.at[length] != ',' && text.at[length] != ']')
		length++;
	return length;
}

/* A local type, [6,1], or with the terms that are still to be summed, [6,1]+2. */
static bool read_tile(const struct invocation *run, const sw_walk *walk, sw_str text, int64_t *tile, sw_diag *diag)
{
	int count = 0;
	const char *plus = memchr(text.at, '+', text.length);
	sw_str terms = plus ? sw_str_trim((sw_str){plus + 1, text.length - (size_t)(plus + 1 - text.at)}) : (sw_str){0};
	bool summed = sw_walk_places(walk) > sw_walk_problem(walk)->from.rank;
	sw_str whole = plus ? sw_str_trim((sw_str){text.at, (size_t)(plus - text.at)}) : text;
	bool ok = whole.length > 1 && whole.at[whole.length - 1] == ']';
	sw_str rest = whole.length ? sw_str_trim((sw_str){whole.at + 1, whole.length - 1}) : whole;
	if (summed)
		tile[sw_walk_problem(walk)->from.rank] = 1;
	if (plus)
		ok = ok && summed && sw_read_int(terms, &tile[sw_walk_problem(walk)->from.rank], NULL);
	while (ok && rest.length) {
		size_t length = until_separator(rest);
		sw_str number = sw_str_trim((sw_str){rest.at, length});
		if (count == sw_walk_problem(walk)->from.rank || !sw_read_int(number, &tile[count], NULL) || tile[count] < 1)
			break;
		count++;
		if (length >= rest.length || rest.at[length] == ']')
			break;
		rest = (sw_str){rest.at + length + 1, rest.length - length - 1};
	}
	ok = ok && count == sw_walk_problem(walk)->from.rank;
	if (ok)
		return true;
	sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "'%.*s' is no local type of this problem",
		(int)(text.length < 60 ? text.length : 60), text.at);
	sw_diag_expected(diag, "%d %s in brackets", sw_walk_problem(walk)->from.rank,
		plural(sw_walk_problem(walk)->from.rank, "tile size", "tile sizes"));
	return refuse_at(run, text, diag);
}

static bool node_by_number(const struct invocation *run, sw_walk *walk, sw_str text, sw_node *node, sw_diag *diag)
{
	int64_t id = 0;
	bool number = sw_read_int(text, &id, NULL);
	if (number && id >= 1 && id <= sw_walk_seen(walk) && sw_walk_node(walk, (int)id, node))
		return true;
	sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no node '%.*s'", (int)(text.length < 60 ? text.length : 60),
		text.at);
	sw_diag_expected(diag, "1 to %d, the nodes seen so far%s", sw_walk_seen(walk),
		sw_walk_problem(walk) ? ", or a local type such as [6,1]" : "");
	return refuse_at(run, text, diag);
}

/* The node that is named, else the one in focus, else the one last visited, else the start. */
static bool read_node(const struct invocation *run, sw_walk *walk, sw_node *node, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	const struct state *state = &run->session->state;
	int64_t tile[SW_MAX_DIMS];
	if (!word && state->has_focus)
		return sw_walk_node_at(walk, state->focus, node, diag);
	if (!word)
		return sw_walk_node(walk, sw_walk_current(walk) ? sw_walk_current(walk) : sw_walk_start(walk), node);
	if (*word->raw.at != '[' || !sw_walk_problem(walk))
		return node_by_number(run, walk, word->raw, node, diag);
	return read_tile(run, walk, word->raw, tile, diag) &&
		(sw_walk_node_at(walk, tile, node, diag) || refuse_at(run, word->raw, diag));
}

static const char *const node_words[] =
	{[SW_NODE_UNSEEN] = "unseen", [SW_NODE_FRONTIER] = "frontier", [SW_NODE_SETTLED] = "visited"};

static void say_node(const struct invocation *run, sw_walk *walk, const sw_node *node)
{
	sw_text text = {0};
	sw_text_addf(&text, "%s: ", sw_walk_words_of(walk)->name);
	if (node->id)
		sw_text_addf(&text, "node %d ", node->id);
	sw_walk_print_place(walk, node->place, &text);
	sw_text_addf(&text, ": %s %s, %s", sw_walk_words_of(walk)->size, words_count(node->size).text,
		node_words[node->state]);
	if (node->id)
		sw_text_addf(&text, ", distance %s", words_cost(walk, node->distance).text);
	sw_text_add(&text, node->is_start ? ", start" : node->is_goal ? ", goal" : "");
	sw_text_add(&text, !node->leads_on ? ", a dead end" : "");
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

/* ---- the frontier ---- */

static void tell_frontier(const struct invocation *run, sw_walk *walk, const int *ids, int count)
{
	const struct column columns[] = {COLUMN_RIGHT("node", ROLE_NUMBER),
		COLUMN_LEFT(sw_walk_words_of(walk)->node, ROLE_TYPE), COLUMN_RIGHT(sw_walk_words_of(walk)->size, ROLE_NUMBER),
		COLUMN_RIGHT("distance", ROLE_NUMBER), COLUMN_RIGHT("to go", ROLE_NUMBER), COLUMN_RIGHT("from", ROLE_NUMBER),
		COLUMN_LEFT("by", ROLE_OP), {0}};
	if (!count) {
		document_line(run->answer, "%s: the frontier is empty", sw_walk_words_of(walk)->name);
		return;
	}
	document_line(run->answer, "%s: %s in the frontier", sw_walk_words_of(walk)->name,
		words_plural(count, "node", "nodes").text);
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < count; i++) {
		sw_node node;
		if (!sw_walk_node(walk, ids[i], &node))
			continue;
		table_add(table, "%d", node.id);
		walk_add_tile(table, walk, node.place);
		table_add_count(table, node.size);
		walk_add_cost(table, walk, node.distance);
		if (node.bound)
			walk_add_cost(table, walk, node.bound);
		else
			table_add_if(table, false, 0);
		table_add_if(table, node.parent != 0, node.parent);
		walk_add_via(table, walk, &node);
	}
}

bool command_frontier(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	if (!walk_begin(run, &walk, diag))
		return false;
	int count = sw_walk_frontier(walk, NULL, 0);
	int *ids = SW_NEW(run->arena, int, count + 1);
	if (!ids)
		return sw_diag_memory(diag);
	sw_walk_frontier(walk, ids, count);
	if (wants_json(run))
		walk_nodes_fields(walk_fields(run, walk), walk, ids, count);
	else
		tell_frontier(run, walk, ids, count);
	return true;
}

/* ---- edges ---- */

static const char *const edge_words[] = {
	[SW_EDGE_NEW] = "new",
	[SW_EDGE_BETTER] = "better",
	[SW_EDGE_TREE] = "best way",
	[SW_EDGE_NO_BETTER] = "no better",
	[SW_EDGE_REFUSED] = "refused",
};

/* Refused steps of a sum lead nowhere: they have a table of their own. */
static void tell_refused(const struct invocation *run, sw_walk *walk, const sw_edge *edges, int count)
{
	static const struct column columns[] = {COLUMN_LEFT("operation", ROLE_OP), COLUMN_LEFT("refused", ROLE_WALL),
		{0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < count; i++) {
		sw_text move = {0};
		sw_walk_print_move(walk, &edges[i].move, &move);
		table_add_text(table, &move);
		table_add(table, "%s", edges[i].why);
	}
}

static void tell_edges(const struct invocation *run, sw_walk *walk, const sw_edge *edges, int count)
{
	const struct column columns[] = {COLUMN_LEFT("operation", ROLE_OP), COLUMN_LEFT("to", ROLE_TYPE),
		COLUMN_RIGHT("node", ROLE_NUMBER), COLUMN_RIGHT(sw_walk_words_of(walk)->size, ROLE_NUMBER),
		COLUMN_RIGHT("cost", ROLE_NUMBER), COLUMN_LEFT("", ROLE_TEXT), {0}};
	struct table *table = count ? document_table(run->answer, columns) : NULL;
	for (int i = 0; i < count; i++) {
		bool refused = edges[i].state == SW_EDGE_REFUSED;
		sw_text move = {0};
		sw_walk_print_move(walk, &edges[i].move, &move);
		table_add_text(table, &move);
		walk_add_tile(table, walk, edges[i].place);
		table_add_if(table, edges[i].node != 0, edges[i].node);
		table_add_count(table, edges[i].size);
		if (refused)
			table_add_if(table, false, 0);
		else
			walk_add_cost(table, walk, edges[i].move.cost);
		table_add(table, refused ? "%s: %s" : "%s", edge_words[edges[i].state], edges[i].why);
	}
	if (!count)
		document_line(run->answer, "no edges lead out of this node");
}

static void tell_edges_fields(struct fields *in, sw_walk *walk, const sw_edge *edges, int count)
{
	struct fields *list = field_list(in, "edges");
	for (int i = 0; i < count; i++) {
		struct fields *row = field_object(list, NULL);
		sw_text move = {0}, to = {0};
		bool refused = edges[i].state == SW_EDGE_REFUSED;
		sw_walk_print_move(walk, &edges[i].move, &move);
		sw_walk_print_place(walk, edges[i].place, &to);
		field_printed(row, "by", &move);
		if (refused && !sw_walk_problem(walk)) {
			field_null(row, sw_walk_words_of(walk)->node);
			sw_text_free(&to);
		} else {
			field_printed(row, sw_walk_words_of(walk)->node, &to);
		}
		if (edges[i].node)
			field_int(row, "node", edges[i].node);
		else
			field_null(row, "node");
		walk_cost_field(row, "cost", walk, refused ? -1 : edges[i].move.cost);
		field_text(row, "state", edge_words[edges[i].state]);
		field_text(row, "why", refused ? edges[i].why : NULL);
	}
}

bool command_edges(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	sw_edge *edges;
	if (!walk_begin(run, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	int count = sw_walk_edges(walk, node.place, option_given(run, OPTION_REFUSED) != NULL, run->arena, &edges);
	if (count < 0)
		return sw_diag_memory(diag);
	if (wants_json(run)) {
		struct fields *fields = walk_fields(run, walk);
		walk_node_fields(fields, "node", walk, &node);
		tell_edges_fields(fields, walk, edges, count);
		return true;
	}
	say_node(run, walk, &node);
	int leading = count;
	while (!sw_walk_problem(walk) && leading > 0 && edges[leading - 1].state == SW_EDGE_REFUSED)
		leading--;
	tell_edges(run, walk, edges, leading);
	if (leading < count)
		tell_refused(run, walk, edges + leading, count - leading);
	return true;
}

/* ---- one node ---- */

bool command_goto(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	struct state *state = &run->session->state;
	if (!walk_begin(run, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	state->has_focus = true;
	memcpy(state->focus, node.place, sizeof(state->focus));
	if (wants_json(run))
		walk_node_fields(walk_fields(run, walk), "node", walk, &node);
	else
		say_node(run, walk, &node);
	return true;
}

/* ---- paths ---- */

static void tell_path(const struct invocation *run, sw_walk *walk, const int *ids, int count)
{
	const struct column columns[] = {COLUMN_RIGHT("node", ROLE_NUMBER), COLUMN_LEFT("by", ROLE_OP),
		COLUMN_LEFT(sw_walk_words_of(walk)->node, ROLE_TYPE), COLUMN_RIGHT(sw_walk_words_of(walk)->size, ROLE_NUMBER),
		COLUMN_RIGHT("cost", ROLE_NUMBER), COLUMN_RIGHT("distance", ROLE_NUMBER), {0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < count; i++) {
		sw_node node;
		if (!sw_walk_node(walk, ids[i], &node))
			continue;
		sw_text by = {0};
		if (i)
			sw_walk_print_move(walk, &node.via, &by);
		else
			sw_text_add(&by, "start");
		table_add(table, "%d", node.id);
		table_add_text(table, &by);
		walk_add_tile(table, walk, node.place);
		table_add_count(table, node.size);
		walk_add_cost(table, walk, i ? node.via.cost : 0);
		walk_add_cost(table, walk, node.distance);
	}
}

bool walk_add_path(const struct invocation *run, sw_walk *walk, int id, sw_diag *diag)
{
	int count = sw_walk_path(walk, id, NULL, 0);
	int *ids = SW_NEW(run->arena, int, count + 1);
	if (!ids)
		return sw_diag_memory(diag);
	sw_walk_path(walk, id, ids, count);
	if (wants_json(run))
		walk_nodes_fields(walk_fields(run, walk), walk, ids, count);
	else
		tell_path(run, walk, ids, count);
	return true;
}

bool command_path(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	if (!walk_begin(run, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	if (!node.id) {
		sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "the search has not seen this node yet");
		sw_diag_hint(diag, "`step` or `finish` goes on; `frontier` lists what is seen next");
		return argument(run, 0) ? refuse_at(run, argument(run, 0)->raw, diag) : false;
	}
	if (!wants_json(run))
		document_line(run->answer, "%s: path to node %d, distance %s", sw_walk_words_of(walk)->name, node.id,
			words_cost(walk, node.distance).text);
	return walk_add_path(run, walk, node.id, diag);
}
