/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that look around in a walk: its frontier, nodes, edges, and the best way known to a node.
 */
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/watch.h"
#include "command/walk/walk.h"
#include "views/walk_words.h"

/* ---- nodes that are named ---- */

/* A local type, [6,1], or with the terms that are still to be summed, [6,1]+2. */
static bool read_tile(const struct invocation *run, const sw_walk *walk, sw_str text, int64_t *tile, sw_diag *diag)
{
	int rank = sw_walk_problem(walk)->from.rank;
	size_t end = sw_str_balanced(text, 0, SW_NESTING_PLAIN);
	sw_str terms = sw_str_trim(sw_str_behind(text, end));
	int64_t *summed = sw_walk_places(walk) > rank ? &tile[rank] : NULL;
	bool ok = end > 2 && read_numbers((sw_str){text.at + 1, end - 2}, tile, rank) == rank;
	for (int i = 0; ok && i < rank; i++)
		ok = tile[i] >= 1;
	if (summed)
		*summed = 1;
	if (terms.length)
		ok = ok && summed && *terms.at == '+' && sw_read_int(sw_str_trim(sw_str_behind(terms, 1)), summed, NULL);
	if (ok)
		return true;
	sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "'%.*s' is not a local type of this problem", AS_SHOWN(text));
	sw_diag_expected(diag, "%d %s in brackets", rank, plural(rank, "tile size", "tile sizes"));
	return refuse_at(run, text, diag);
}

static bool node_by_number(const struct invocation *run, sw_walk *walk, sw_str text, sw_node *node, sw_diag *diag)
{
	int64_t id = 0;
	bool number = sw_read_int(text, &id, NULL);
	if (number && id >= 1 && id <= sw_walk_seen(walk) && sw_walk_node(walk, (int)id, node))
		return true;
	sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no node '%.*s'", AS_SHOWN(text));
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

static void say_node(const struct invocation *run, sw_walk *walk, const sw_node *node)
{
	sw_text text = {0};
	sw_text_addf(&text, "%s: ", sw_walk_words_of(walk)->name);
	if (node->id)
		sw_text_addf(&text, "node %d ", node->id);
	sw_walk_print_place(walk, node->place, &text);
	sw_text_addf(&text, ": %s %s, %s", sw_walk_words_of(walk)->size, words_count(node->size).text,
		words_node(node->state));
	if (node->id)
		sw_text_addf(&text, ", distance %s", words_cost(walk, node->distance).text);
	sw_text_add(&text, node->is_start ? ", start" : node->is_goal ? ", goal" : "");
	sw_text_add(&text, !node->leads_on ? ", a dead end" : "");
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

/* ---- the frontier ---- */

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
	if (count)
		document_line(run->answer, "%s: %s in the frontier", sw_walk_words_of(walk)->name,
			words_plural(count, "node", "nodes").text);
	else
		document_line(run->answer, "%s: the frontier is empty", sw_walk_words_of(walk)->name);
	return walk_answer_nodes(run, walk, ids, count, WALK_FRONTIER, diag);
}

/* ---- edges ---- */

static void print_edge(const struct row_at *at, sw_text *text)
{
	sw_walk_print_move((sw_walk *)at->of, &((const sw_edge *)at->row)->move, text);
}

/* Refused steps of a sum lead nowhere. */
static void print_end(const struct row_at *at, sw_text *text)
{
	const sw_edge *edge = at->row;
	if (edge->state != SW_EDGE_REFUSED || sw_walk_problem(at->of))
		sw_walk_print_place((sw_walk *)at->of, edge->place, text);
}

static int64_t cost_of(const struct row_at *at)
{
	const sw_edge *edge = at->row;
	return edge->state == SW_EDGE_REFUSED ? -1 : edge->move.cost;
}

static double seconds_of(const struct row_at *at)
{
	return (double)cost_of(at) * sw_walk_words_of(at->of)->unit;
}

static void print_cost(const struct row_at *at, sw_text *text)
{
	if (cost_of(at) >= 0)
		sw_text_add(text, words_cost(at->of, cost_of(at)).text);
}

static const char *state_of(const struct row_at *at)
{
	return words_edge(((const sw_edge *)at->row)->state);
}

static const char *why_of(const struct row_at *at)
{
	const sw_edge *edge = at->row;
	return edge->state == SW_EDGE_REFUSED ? edge->why : NULL;
}

static void print_state(const struct row_at *at, sw_text *text)
{
	sw_text_addf(text, why_of(at) ? "%s: %s" : "%s", state_of(at), why_of(at));
}

static const struct row_column edge_columns[] = {
	ROW_BY("by", "operation", TEXT, .print = print_edge, .role = ROLE_OP),
	ROW_BY("", "to", TEXT, .named = walk_word, .print = print_end, .role = ROLE_TYPE),
	ROW_AT("node", "node", LARGE, sw_edge, node, .least = 1),
	ROW_AT(NULL, "", LARGE, sw_edge, size, .named = walk_word, .part = WALK_SIZE),
	ROW_BY("cost", "cost", COUNT, .count_of = cost_of, .print = print_cost, .unless = WALK_SECONDS),
	ROW_BY("cost", "cost", NUMBER, .number_of = seconds_of, .print = print_cost, .when = WALK_SECONDS),
	ROW_BY("state", NULL, WORD, .word_of = state_of, .folds = true),
	ROW_BY("why", NULL, WORD, .word_of = why_of),
	ROW_BY(NULL, "", TEXT, .print = print_state),
};

const struct rows walk_edge_words = ROWS_WORDS(edge_columns);

static const struct row_column refused_columns[] = {
	ROW_BY(NULL, "operation", TEXT, .print = print_edge, .role = ROLE_OP),
	ROW_BY(NULL, "refused", WORD, .word_of = why_of, .role = ROLE_WALL),
};

/* Refused steps of a sum stand last, in a table of their own. */
static bool answer_edges(const struct invocation *run, sw_walk *walk, struct fields *fields, const sw_edge *edges,
	int count, sw_diag *diag)
{
	int leading = count;
	while (!sw_walk_problem(walk) && leading > 0 && edges[leading - 1].state == SW_EDGE_REFUSED)
		leading--;
	struct rows all = ROWS_OF(edge_columns, edges, count, .of = walk, .is = walk_unit(walk), .rises = true);
	const struct rows refused = ROWS_OF(refused_columns, edges + leading, count - leading, .of = walk);
	struct rows ways = all;
	ways.count = leading;
	if (!rows_arrange(&ways, run->answer, diag) || !rows_arrange(&all, run->answer, diag))
		return false;
	rows_table(&ways, run->answer, NULL);
	if (!leading)
		document_line(run->answer, "no edges lead out of this node");
	if (count == SW_EDGES_MOST)
		document_line(run->answer, "the first %s edges; there are more", words_count(count).text);
	rows_table(&refused, run->answer, NULL);
	return rows_list(&all, fields, "edges", diag);
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
	struct fields *fields = walk_fields(run, walk);
	walk_node_fields(fields, walk, &node);
	say_node(run, walk, &node);
	return answer_edges(run, walk, fields, edges, count, diag);
}

/* ---- one node ---- */

/* Steps, or takes steps back, until the round of this number is done. */
static bool walk_to(const struct invocation *run, sw_walk *walk, int64_t number, sw_diag *diag)
{
	struct watch watch;
	bool there = true;
	watch_start(&watch, run->session->console);
	while (there && sw_walk_settled(walk) != number) {
		there = sw_pulse_beat(&watch.pulse, "rounds done", sw_walk_settled(walk), number) ||
			sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped with %d rounds done", sw_walk_settled(walk));
		there = there && (sw_walk_settled(walk) > number ? sw_walk_back(walk, diag) : sw_walk_step(walk, diag));
	}
	watch_end(&watch);
	return there;
}

/* Numbers of a chain name all of its nodes, whether they were seen or not. */
static bool goto_round(const struct invocation *run, sw_walk *walk, sw_diag *diag)
{
	sw_str text = argument(run, 0)->raw;
	int64_t place[SW_MAX_DIMS] = {0};
	sw_node node;
	if (!sw_read_int(text, &place[0], NULL))
		return node_by_number(run, walk, text, &node, diag);
	if (!sw_walk_node_at(walk, place, &node, diag))
		return refuse_at(run, text, diag);
	run->session->state.has_focus = false;
	if (!walk_to(run, walk, place[0], diag) || !sw_walk_node(walk, sw_walk_current(walk), &node))
		return false;
	walk_node_fields(walk_fields(run, walk), walk, &node);
	say_node(run, walk, &node);
	walk_say_where(run, walk);
	return true;
}

bool command_goto(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	struct state *state = &run->session->state;
	if (!walk_begin(run, &walk, diag))
		return false;
	if (sw_walk_words_of(walk)->chain)
		return goto_round(run, walk, diag);
	if (!read_node(run, walk, &node, diag))
		return false;
	state->has_focus = true;
	memcpy(state->focus, node.place, sizeof(state->focus));
	walk_node_fields(walk_fields(run, walk), walk, &node);
	say_node(run, walk, &node);
	return true;
}

/* ---- paths ---- */

bool walk_answer_path(const struct invocation *run, sw_walk *walk, int id, sw_diag *diag)
{
	int count = sw_walk_path(walk, id, NULL, 0);
	int *ids = SW_NEW(run->arena, int, count + 1);
	if (!ids)
		return sw_diag_memory(diag);
	sw_walk_path(walk, id, ids, count);
	return walk_answer_nodes(run, walk, ids, count, WALK_PATH, diag);
}

bool command_path(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	if (!walk_begin(run, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	if (!node.id) {
		sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "the search has not seen this node yet");
		sw_diag_hint(diag, "`step` or `finish` continues; `frontier` lists the next nodes");
		return argument(run, 0) ? refuse_at(run, argument(run, 0)->raw, diag) : false;
	}
	document_line(run->answer, "%s: path to node %d, distance %s", sw_walk_words_of(walk)->name, node.id,
		words_cost(walk, node.distance).text);
	return walk_answer_path(run, walk, node.id, diag);
}
