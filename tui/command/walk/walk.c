/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that go on with a walk: the search, or the contexts of a sum, whichever is newest.
 */
#include "command/walk/walk.h"

#include <stdlib.h>
#include <string.h>

#include "answer/watch.h"
#include "language/names.h"
#include "views/walk_words.h"

#define MOST_STEPS 1000000

bool walk_begin(struct invocation *run, sw_walk **walk, sw_diag *diag)
{
	return session_walked(run->session, walk, diag);
}

/* ---- what is told of it ---- */

void walk_add_tile(struct table *table, sw_walk *walk, const int64_t *tile)
{
	sw_text text = {0};
	sw_walk_print_place(walk, tile, &text);
	table_add_text(table, &text);
}

void walk_add_via(struct table *table, sw_walk *walk, const sw_node *node)
{
	sw_text text = {0};
	if (node->is_start)
		sw_text_add(&text, "start");
	else
		sw_walk_print_move(walk, &node->via, &text);
	if (node->is_goal)
		sw_text_add(&text, "  (goal)");
	table_add_text(table, &text);
}

void walk_add_cost(struct table *table, sw_walk *walk, int64_t cost)
{
	table_add(table, "%s", words_cost(walk, cost).text);
}

void walk_say_where(const struct invocation *run, sw_walk *walk)
{
	document_line(run->answer, "%s: step %d: %s seen, %s looked at%s", sw_walk_words_of(walk)->name,
		sw_walk_settled(walk), words_plural(sw_walk_seen(walk), "node", "nodes").text,
		words_plural(sw_walk_edges_seen(walk), "edge", "edges").text,
		sw_walk_done(walk) ? "; the goal is visited" : "");
}

/* ---- the same as JSON ---- */

void walk_cost_field(struct fields *in, const char *key, sw_walk *walk, int64_t cost)
{
	if (cost < 0)
		field_null(in, key);
	else if (sw_walk_words_of(walk)->unit > 0)
		field_number(in, key, (double)cost * sw_walk_words_of(walk)->unit);
	else
		field_int(in, key, cost);
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

void walk_node_fields(struct fields *in, const char *key, sw_walk *walk, const sw_node *node)
{
	struct fields *fields = field_object(in, key);
	sw_text name = {0}, by = {0};
	sw_walk_print_place(walk, node->place, &name);
	if (node->id)
		field_int(fields, "node", node->id);
	else
		field_null(fields, "node");
	field_printed(fields, sw_walk_words_of(walk)->node, &name);
	field_int(fields, sw_walk_words_of(walk)->size, node->size);
	walk_cost_field(fields, "distance", walk, node->distance);
	field_bool(fields, "visited", node->state == SW_NODE_SETTLED);
	field_bool(fields, "goal", node->is_goal);
	if (!node->parent) {
		field_null(fields, "from");
		field_null(fields, "by");
		return;
	}
	sw_walk_print_move(walk, &node->via, &by);
	field_int(fields, "from", node->parent);
	field_printed(fields, "by", &by);
}

void walk_nodes_fields(struct fields *in, sw_walk *walk, const int *ids, int count)
{
	struct fields *list = field_list(in, "nodes");
	sw_node node;
	for (int i = 0; i < count; i++)
		if (sw_walk_node(walk, ids[i], &node))
			walk_node_fields(list, NULL, walk, &node);
}

/* ---- stepping ---- */

static void add_node(struct table *table, sw_walk *walk, int id)
{
	sw_node node;
	if (!sw_walk_node(walk, id, &node))
		return;
	table_add(table, "%d", node.order);
	table_add(table, "%d", node.id);
	walk_add_tile(table, walk, node.place);
	table_add_count(table, node.size);
	walk_add_cost(table, walk, node.distance);
	table_add_if(table, node.parent != 0, node.parent);
	walk_add_via(table, walk, &node);
}

/* The nodes that steps visited. */
static void tell_steps(const struct invocation *run, sw_walk *walk, const int *ids, int count)
{
	const struct column columns[] = {COLUMN_RIGHT("step", ROLE_DIM), COLUMN_RIGHT("node", ROLE_NUMBER),
		COLUMN_LEFT(sw_walk_words_of(walk)->node, ROLE_TYPE), COLUMN_RIGHT(sw_walk_words_of(walk)->size, ROLE_NUMBER),
		COLUMN_RIGHT("distance", ROLE_NUMBER), COLUMN_RIGHT("from", ROLE_NUMBER), COLUMN_LEFT("by", ROLE_OP), {0}};
	if (wants_json(run)) {
		walk_nodes_fields(walk_fields(run, walk), walk, ids, count);
		return;
	}
	struct table *table = count ? document_table(run->answer, columns) : NULL;
	for (int i = 0; i < count; i++)
		add_node(table, walk, ids[i]);
	walk_say_where(run, walk);
}

static bool read_steps(const struct invocation *run, int64_t *steps, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	*steps = 1;
	return !word || read_count(run, word, 1, MOST_STEPS, steps, diag);
}

bool command_step(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	int64_t steps;
	int *ids = NULL, done = 0, room = 0;
	if (!read_steps(run, &steps, diag) || !walk_begin(run, &walk, diag))
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
	if (done)
		tell_steps(run, walk, ids, done);
	return done > 0;
}

bool command_back(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	int64_t steps;
	if (!read_steps(run, &steps, diag) || !walk_begin(run, &walk, diag))
		return false;
	int64_t done = 0;
	run->session->state.has_focus = false;
	while (done < steps && sw_walk_back(walk, diag))
		done++;
	if (!done)
		return false;
	int now = sw_walk_current(walk);
	tell_steps(run, walk, &now, now ? 1 : 0);
	return true;
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
	if (!walk_add_path(run, walk, sw_walk_goal(walk), diag))
		return false;
	if (!wants_json(run))
		walk_say_where(run, walk);
	return true;
}

/* ---- which walk ---- */

static const char *kind_at(const void *context, int n)
{
	(void)context;
	return n < WALK_KINDS ? session_walk_words((enum walk_kind)n)->name : NULL;
}

/* How far it is, or what is missing before it can begin. */
static void state_of(const struct session *session, enum walk_kind kind, sw_text *text)
{
	const struct kept_walk *kept = session->state.walks[kind];
	sw_diag why;
	if (!session_walkable(session, kind, &why))
		sw_text_addf(text, "no: %s", why.message);
	else if (kept)
		sw_text_addf(text, "step %d", sw_walk_settled(kept->walk));
	else
		sw_text_add(text, "not begun");
}

static void list_walks(const struct invocation *run)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_CURRENT), COLUMN_LEFT("walk", ROLE_LABEL),
		COLUMN_LEFT("", ROLE_NUMBER), COLUMN_LEFT("of", ROLE_TEXT), {0}};
	const struct state *state = &run->session->state;
	document_line(run->answer, "%s: steps go on there", session_walk_words(state->walked)->name);
	struct table *table = document_table(run->answer, columns);
	for (int kind = 0; kind < WALK_KINDS; kind++) {
		const sw_walk_words *row = session_walk_words((enum walk_kind)kind);
		sw_text text = {0};
		state_of(run->session, (enum walk_kind)kind, &text);
		table_add(table, "%s", kind == (int)state->walked ? "*" : "");
		table_add(table, "%s", row->name);
		table_add_text(table, &text);
		table_add(table, "%s", row->about);
	}
}

static void list_walks_fields(const struct invocation *run)
{
	const struct state *state = &run->session->state;
	struct fields *fields = document_fields(run->answer, "shardwalk.walk/1"), *list;
	field_text(fields, "command", run->command->name);
	field_text(fields, "walk", session_walk_words(state->walked)->name);
	list = field_list(fields, "walks");
	for (int kind = 0; kind < WALK_KINDS; kind++) {
		struct fields *row = field_object(list, NULL);
		const struct kept_walk *kept = state->walks[kind];
		sw_diag why;
		field_text(row, "walk", session_walk_words((enum walk_kind)kind)->name);
		field_bool(row, "possible", session_walkable(run->session, (enum walk_kind)kind, &why));
		field_int(row, "visited", kept ? sw_walk_settled(kept->walk) : 0);
	}
}

bool command_walk(struct invocation *run, sw_diag *diag)
{
	const struct names names = {kind_at, NULL, "walk", "`walk` lists what can be walked"};
	const struct word *word = argument(run, 0);
	sw_walk *walk;
	if (!word) {
		(wants_json(run) ? list_walks_fields : list_walks)(run);
		return true;
	}
	int kind = name_find(&names, word->text, SW_L08, diag);
	if (kind < 0)
		return refuse_at(run, word->raw, diag);
	if (!session_walk_of(run->session, (enum walk_kind)kind, &walk, diag))
		return false;
	session_walk_on(run->session, (enum walk_kind)kind);
	if (wants_json(run))
		walk_fields(run, walk);
	else
		walk_say_where(run, walk);
	return true;
}
