/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that go on with a walk: the search, the contexts of a sum, or the rounds of tasks, whichever is newest.
 */
#include "command/walk/walk.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/watch.h"
#include "language/names.h"
#include "session/walks.h"
#include "views/walk_words.h"

bool walk_begin(struct invocation *run, sw_walk **walk, sw_diag *diag)
{
	return session_walked(run->session, walk, diag);
}

/* ---- what is told of it ---- */

void walk_say_where(const struct invocation *run, sw_walk *walk)
{
	document_line(run->answer, "%s: step %d: %s seen, %s examined%s", sw_walk_words_of(walk)->name,
		sw_walk_settled(walk), words_plural(sw_walk_seen(walk), "node", "nodes").text,
		words_plural(sw_walk_edges_seen(walk), "edge", "edges").text,
		sw_walk_done(walk) ? "; the goal is visited" : "");
}

struct fields *walk_fields(const struct invocation *run, sw_walk *walk)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.walk/1");
	field_text(fields, "command", run->command->name);
	field_text(fields, "walk", sw_walk_words_of(walk)->name);
	field_text(fields, "unit", sw_walk_words_of(walk)->unit > 0 ? "seconds" : NULL);
	field_int(fields, "visited", sw_walk_settled(walk));
	field_int(fields, "seen", sw_walk_seen(walk));
	field_int(fields, "edges_seen", sw_walk_edges_seen(walk));
	field_bool(fields, "done", sw_walk_done(walk));
	return fields;
}

/* ---- nodes ---- */

const char *walk_word(const void *of, int part)
{
	const sw_walk_words *words = sw_walk_words_of(of);
	return part == WALK_SIZE ? words->size : words->node;
}

unsigned walk_unit(const sw_walk *walk)
{
	return sw_walk_words_of(walk)->unit > 0 ? WALK_SECONDS : 0;
}

static void print_place(const struct row_at *at, sw_text *text)
{
	sw_walk_print_place((sw_walk *)at->of, ((const sw_node *)at->row)->place, text);
}

static void print_move(const struct row_at *at, sw_text *text)
{
	const sw_node *node = at->row;
	if (node->parent)
		sw_walk_print_move((sw_walk *)at->of, &node->via, text);
}

/* How its parent leads to it. */
static void print_via(const struct row_at *at, sw_text *text)
{
	const sw_node *node = at->row;
	if (node->is_start)
		sw_text_add(text, "start");
	else
		sw_walk_print_move((sw_walk *)at->of, &node->via, text);
	if (node->is_goal)
		sw_text_add(text, "  (goal)");
}

/* The same on a path, which begins with its first node. */
static void print_by(const struct row_at *at, sw_text *text)
{
	if (at->number > 1)
		sw_walk_print_move((sw_walk *)at->of, &((const sw_node *)at->row)->via, text);
	else
		sw_text_add(text, "start");
}

enum cost { COST_DISTANCE, COST_TO_GO, COST_VIA };

static void print_cost(const struct row_at *at, sw_text *text)
{
	const sw_node *node = at->row;
	int64_t cost = at->part == COST_TO_GO ? node->bound :
		at->part == COST_VIA              ? (at->number > 1 ? node->via.cost : node->distance) :
											node->distance;
	if (at->part != COST_TO_GO || cost)
		sw_text_add(text, words_cost(at->of, cost).text);
}

static double distance_of(const struct row_at *at)
{
	return (double)((const sw_node *)at->row)->distance * sw_walk_words_of(at->of)->unit;
}

static int64_t is_visited(const struct row_at *at)
{
	return ((const sw_node *)at->row)->state == SW_NODE_SETTLED;
}

static const struct row_column node_columns[] = {
	ROW_AT(NULL, "step", COUNT, sw_node, order, .when = WALK_STEPS, .role = ROLE_DIM),
	ROW_AT("node", "node", COUNT, sw_node, id, .least = 1),
	ROW_BY(NULL, "by", TEXT, .print = print_by, .when = WALK_PATH, .role = ROLE_OP),
	ROW_BY("", "", TEXT, .named = walk_word, .print = print_place, .role = ROLE_TYPE),
	ROW_AT("", "", LARGE, sw_node, size, .named = walk_word, .part = WALK_SIZE),
	ROW_BY(NULL, "cost", COUNT, .print = print_cost, .part = COST_VIA, .when = WALK_PATH),
	ROW_AT("distance", "distance", COUNT, sw_node, distance, .print = print_cost, .folds = true,
		.unless = WALK_SECONDS),
	ROW_BY("distance", "distance", NUMBER, .number_of = distance_of, .print = print_cost, .folds = true,
		.when = WALK_SECONDS),
	ROW_BY(NULL, "to go", COUNT, .print = print_cost, .part = COST_TO_GO, .when = WALK_FRONTIER),
	ROW_BY("visited", NULL, FLAG, .count_of = is_visited),
	ROW_AT("goal", NULL, FLAG, sw_node, is_goal),
	ROW_AT("from", "from", LARGE, sw_node, parent, .least = 1, .unless = WALK_PATH),
	ROW_AT("from", NULL, COUNT, sw_node, parent, .least = 1, .when = WALK_PATH),
	ROW_BY("by", NULL, TEXT, .print = print_move),
	ROW_BY(NULL, "by", TEXT, .print = print_via, .unless = WALK_PATH, .role = ROLE_OP),
};

const struct rows walk_node_words = ROWS_WORDS(node_columns);

void walk_node_fields(struct fields *in, sw_walk *walk, const sw_node *node)
{
	const struct rows rows = ROWS_OF(node_columns, node, 1, .of = walk, .is = walk_unit(walk));
	rows_members(&rows, field_object(in, "node"), NULL);
}

#define CHAIN_LISTED 64

/* Of a long chain the first and the last: those between them are alike. */
static int nodes_listed(const sw_walk *walk, int count)
{
	return sw_walk_words_of(walk)->chain && count > CHAIN_LISTED ? CHAIN_LISTED : count;
}

bool walk_answer_nodes(const struct invocation *run, sw_walk *walk, const int *ids, int count, unsigned of,
	sw_diag *diag)
{
	int listed = nodes_listed(walk, count), there = 0;
	sw_node *nodes = SW_NEW(run->arena, sw_node, listed + 1);
	if (!nodes)
		return sw_diag_memory(diag);
	for (int i = 0; i < listed; i++)
		there += sw_walk_node(walk, ids[i < listed / 2 ? i : count - listed + i], &nodes[there]);
	const struct rows rows = ROWS_OF(node_columns, nodes, there, .of = walk, .is = of | walk_unit(walk),
		.rises = true);
	struct fields *fields = walk_fields(run, walk);
	if (listed < count) {
		document_line(run->answer, "%s: the first and the last of %s", sw_walk_words_of(walk)->name,
			words_count(count).text);
		field_int(fields, "left_out", count - listed);
	}
	return rows_answer(&rows, run->answer, fields, "nodes", diag);
}

/* ---- stepping ---- */

/* The nodes that steps visited. */
static bool tell_steps(const struct invocation *run, sw_walk *walk, const int *ids, int count, sw_diag *diag)
{
	bool ok = walk_answer_nodes(run, walk, ids, count, WALK_STEPS, diag);
	walk_say_where(run, walk);
	return ok;
}

bool command_step(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	int64_t steps = argument_number(run, 0, 1);
	int *ids = NULL, done = 0, room = 0;
	if (!walk_begin(run, &walk, diag))
		return false;
	struct watch watch;
	watch_start(&watch, run->session->console);
	run->session->state.has_focus = false;
	sw_walk_pulse(walk, &watch.pulse);
	while (done < steps && SW_GROW(run->arena, ids, done, room, 64) &&
		sw_pulse_beat(&watch.pulse, "nodes visited", done, steps) && sw_walk_step(walk, diag))
		ids[done++] = sw_walk_current(walk);
	sw_walk_pulse(walk, NULL);
	watch_end(&watch);
	return done > 0 && tell_steps(run, walk, ids, done, diag);
}

bool command_back(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	int64_t steps = argument_number(run, 0, 1);
	if (!walk_begin(run, &walk, diag))
		return false;
	int64_t done = 0;
	run->session->state.has_focus = false;
	while (done < steps && sw_walk_back(walk, diag))
		done++;
	if (!done)
		return false;
	int now = sw_walk_current(walk);
	return tell_steps(run, walk, &now, now ? 1 : 0, diag);
}

bool walk_on(struct invocation *run, sw_walk *walk, sw_diag *diag)
{
	struct watch watch;
	watch_start(&watch, run->session->console);
	run->session->state.has_focus = false;
	bool ok = sw_walk_done(walk) || sw_walk_finish(walk, &watch.pulse, diag);
	watch_end(&watch);
	return ok;
}

bool command_continue(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	if (!walk_begin(run, &walk, diag) || !walk_on(run, walk, diag))
		return false;
	if (!walk_answer_path(run, walk, sw_walk_goal(walk), diag))
		return false;
	walk_say_where(run, walk);
	return true;
}

struct listed_walk {
	const sw_walk_words *words;
	bool present, possible;
	int visited; /* -1: it has not begun */
	sw_diag why; /* where it is not possible */
};

/* How far it is, or what is missing before it can begin. */
static void print_state(const struct row_at *at, sw_text *text)
{
	const struct listed_walk *row = at->row;
	if (!row->possible)
		sw_text_addf(text, "no: %s", row->why.message);
	else if (row->visited >= 0)
		sw_text_addf(text, "step %d", row->visited);
	else
		sw_text_add(text, "not started");
}

static int64_t visited_of(const struct row_at *at)
{
	return sw_larger(((const struct listed_walk *)at->row)->visited, 0);
}

static const struct row_column walk_columns[] = {
	ROW_AT(NULL, "", FLAG, struct listed_walk, present, .mark = "*", .role = ROLE_CURRENT),
	ROW_THROUGH("walk", "walk", WORD, struct listed_walk, words, sw_walk_words, name, .role = ROLE_LABEL),
	ROW_AT("possible", NULL, FLAG, struct listed_walk, possible),
	ROW_BY("visited", NULL, COUNT, .count_of = visited_of),
	ROW_BY(NULL, "", TEXT, .print = print_state, .role = ROLE_NUMBER, .as = {.fit = CELL_WRAP, .gives = 24}),
	ROW_THROUGH(NULL, "of", WORD, struct listed_walk, words, sw_walk_words, about),
};

const struct rows walk_words = ROWS_WORDS(walk_columns);

static bool list_walks(const struct invocation *run, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	struct fields *fields = document_fields(run->answer, "shardwalk.walk/1");
	struct listed_walk row[SW_WALK_KINDS];
	for (int kind = 0; kind < SW_WALK_KINDS; kind++) {
		const struct kept_walk *kept = state->walks[kind];
		row[kind] = (struct listed_walk){.words = session_walk_words((sw_walk_kind)kind),
			.present = kind == (int)state->walked,
			.visited = kept ? sw_walk_settled(kept->walk) : -1};
		row[kind].possible = session_walk_row((sw_walk_kind)kind)->possible(run->session, &row[kind].why);
	}
	const struct rows rows = ROWS_OF(walk_columns, row, SW_WALK_KINDS);
	field_text(fields, "command", run->command->name);
	field_text(fields, "walk", row[state->walked].words->name);
	document_line(run->answer, "%s: steps continue there", row[state->walked].words->name);
	return rows_answer(&rows, run->answer, fields, "walks", diag);
}

bool command_walk(struct invocation *run, sw_diag *diag)
{
	sw_walk_kind kind = (sw_walk_kind)argument_number(run, 0, SW_WALK_KINDS);
	sw_walk *walk;
	if (kind == SW_WALK_KINDS)
		return list_walks(run, diag);
	if (!session_walk_of(run->session, kind, &walk, diag))
		return false;
	session_walk_on(run->session, kind);
	walk_fields(run, walk);
	walk_say_where(run, walk);
	return true;
}
