/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that walk the search graph.
 */
#include "answer/watch.h"
#include "command/plan.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "session/machine.h"
#include "views/draw.h"
#include "host/interrupt.h"

#define MOST_STEPS 1000000

static int walk_rank(const sw_walk *walk)
{
	return sw_walk_problem(walk)->from.rank;
}

static void add_tile(struct table *table, const sw_walk *walk, const int64_t *tile)
{
	sw_text text = {0};
	sw_walk_print_tile(walk, tile, &text);
	table_add_text(table, &text);
}

static void add_via(struct table *table, const sw_node *node)
{
	sw_text text = {0};
	if (node->is_start)
		sw_text_add(&text, "start");
	else
		move_text(&node->via, &text);
	if (node->is_goal)
		sw_text_add(&text, "  (goal)");
	table_add_text(table, &text);
}

/* ---- stepping ---- */

static const struct column step_columns[] = {COLUMN_RIGHT("step", ROLE_DIM), COLUMN_RIGHT("node", ROLE_NUMBER),
	COLUMN_LEFT("type", ROLE_TYPE), COLUMN_RIGHT("size", ROLE_NUMBER), COLUMN_RIGHT("distance", ROLE_NUMBER),
	COLUMN_RIGHT("from", ROLE_NUMBER), COLUMN_LEFT("by", ROLE_OP), {0}};

static void add_node(struct table *table, const sw_walk *walk, int id)
{
	sw_node node;
	if (!sw_walk_node(walk, id, &node))
		return;
	table_add(table, "%d", node.order);
	table_add(table, "%d", node.id);
	add_tile(table, walk, node.tile);
	table_add_count(table, node.localsize);
	table_add_count(table, node.distance);
	table_add_if(table, node.parent != 0, node.parent);
	add_via(table, &node);
}

static void say_where(const struct invocation *run, const sw_walk *walk)
{
	document_line(run->answer, "%d visited, %d seen, %lld edges looked at%s", sw_walk_settled(walk),
		sw_walk_seen(walk), (long long)sw_walk_edges_seen(walk), sw_walk_done(walk) ? "; the goal is visited" : "");
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
	if (!read_steps(run, &steps, diag) || !session_walk(run->session, &walk, diag))
		return false;
	struct table *table = document_table(run->answer, step_columns);
	int64_t done = 0;
	struct watch watch;
	watch_start(&watch, run->session->console);
	run->session->state.has_focus = false;
	sw_walk_pulse(walk, &watch.pulse);
	while (done < steps && sw_pulse_beat(&watch.pulse, "nodes visited", done, steps) && sw_walk_step(walk, diag)) {
		add_node(table, walk, sw_walk_current(walk));
		done++;
	}
	sw_walk_pulse(walk, NULL);
	watch_end(&watch);
	if (done)
		say_where(run, walk);
	return done > 0;
}

bool command_back(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	int64_t steps;
	if (!read_steps(run, &steps, diag) || !session_walk(run->session, &walk, diag))
		return false;
	int64_t done = 0;
	run->session->state.has_focus = false;
	while (done < steps && sw_walk_back(walk, diag))
		done++;
	if (!done)
		return false;
	struct table *table = document_table(run->answer, step_columns);
	if (sw_walk_current(walk))
		add_node(table, walk, sw_walk_current(walk));
	say_where(run, walk);
	return true;
}

static bool walk_on(struct invocation *run, sw_walk *walk, sw_diag *diag)
{
	struct watch watch;
	watch_start(&watch, run->session->console);
	run->session->state.has_focus = false;
	bool ok = sw_walk_done(walk) || sw_walk_finish(walk, &watch.pulse, diag);
	watch_end(&watch);
	return ok;
}

/* ---- paths ---- */

static bool add_path(const struct invocation *run, const sw_walk *walk, int id, sw_diag *diag)
{
	static const struct column columns[] = {COLUMN_RIGHT("node", ROLE_NUMBER), COLUMN_LEFT("by", ROLE_OP),
		COLUMN_LEFT("type", ROLE_TYPE), COLUMN_RIGHT("size", ROLE_NUMBER), COLUMN_RIGHT("cost", ROLE_NUMBER),
		COLUMN_RIGHT("distance", ROLE_NUMBER), {0}};
	struct table *table = document_table(run->answer, columns);
	int count = sw_walk_path(walk, id, NULL, 0);
	int *ids = SW_NEW(run->arena, int, count);
	if (!ids)
		return sw_diag_memory(diag);
	sw_walk_path(walk, id, ids, count);
	for (int i = 0; i < count; i++) {
		sw_node node;
		if (!sw_walk_node(walk, ids[i], &node))
			continue;
		sw_text by = {0};
		if (i)
			move_text(&node.via, &by);
		else
			sw_text_add(&by, "start");
		table_add(table, "%d", node.id);
		table_add_text(table, &by);
		add_tile(table, walk, node.tile);
		table_add_count(table, node.localsize);
		table_add_count(table, i ? node.via.cost : 0);
		table_add_count(table, node.distance);
	}
	return true;
}

bool command_continue(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	if (!session_walk(run->session, &walk, diag) || !walk_on(run, walk, diag))
		return false;
	if (!add_path(run, walk, sw_walk_goal(walk), diag))
		return false;
	say_where(run, walk);
	return true;
}

/* ---- finish ---- */

static bool plan_sizes(const struct invocation *run, sw_walk *walk, sw_strategy strategy, sw_plan *plan,
	sw_diag *diag)
{
	const struct settings *settings = &run->session->state.settings;
	struct watch watch;
	sw_plan_options options = {
		.strategy = strategy,
		.model = (sw_model)settings->value[SETTING_MODEL].number,
		.budget = sw_walk_budget(walk),
		.unit = sw_walk_unit(walk),
		.without = (unsigned)settings->value[SETTING_WITHOUT].number,
		.sizes_only = true,
		.pulse = &watch.pulse,
	};
	if (options.model == SW_MODEL_PORTS) /* the walk counts elements then, too */
		options.model = SW_MODEL_PAPER;
	if (!machine_find(options.model, settings->value[SETTING_HARDWARE].text, sw_walk_problem(walk)->mesh.devices,
			&options.machine, diag))
		return false;
	watch_start(&watch, run->session->console);
	bool ok = sw_plan_find(sw_walk_problem(walk), &options, run->arena, plan, diag);
	watch_end(&watch);
	return ok;
}

/* As the walk counts: elements, or nanoseconds. */
static int64_t plan_cost(const sw_plan *plan)
{
	return (int64_t)(sw_model_is_timed(plan->model) ? plan->model_cost * 1e9 + 0.5 : plan->model_cost);
}

static const char *cost_unit(sw_model model)
{
	return sw_model_is_timed(model) ? " ns" : "";
}

static void say_saving(const struct invocation *run, const sw_plan *lowered, const sw_plan *fused)
{
	sw_text text = {0};
	sw_text_add(&text, "fused: cost ");
	sw_print_count(&text, plan_cost(fused));
	sw_text_addf(&text, "%s in %d %s: ", cost_unit(fused->model), fused->count,
		plural(fused->count, "step", "steps"));
	if (fused->model_cost < lowered->model_cost) {
		sw_text_add(&text, "saves ");
		sw_print_count(&text, plan_cost(lowered) - plan_cost(fused));
		sw_text_addf(&text, "%s (%.0f %%)", cost_unit(fused->model),
			100 * (1 - fused->model_cost / lowered->model_cost));
	} else {
		sw_text_add(&text, "nothing to save");
	}
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

static void say_lowered(const struct invocation *run, const sw_plan *lowered, int64_t local)
{
	sw_text text = {0};
	sw_text_add(&text, "paper: made into steps, cost ");
	sw_print_count(&text, plan_cost(lowered));
	sw_text_addf(&text, "%s in %d %s", cost_unit(lowered->model), lowered->count,
		plural(lowered->count, "step", "steps"));
	if (plan_cost(lowered) > local && lowered->permutes)
		sw_text_addf(&text, ", %lld of them for %s", (long long)(plan_cost(lowered) - local),
			sw_model_is_timed(lowered->model) ? "a permutation and packing" : "a permutation");
	else if (plan_cost(lowered) > local)
		sw_text_addf(&text, ", %lld%s above the walk: packing, and axes that are slower",
			(long long)(plan_cost(lowered) - local), cost_unit(lowered->model));
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

bool command_finish(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node goal;
	sw_plan lowered, fused;
	if (!session_walk(run->session, &walk, diag) || !walk_on(run, walk, diag) ||
		!sw_walk_node(walk, sw_walk_goal(walk), &goal))
		return false;
	if (!add_path(run, walk, goal.id, diag))
		return false;
	say_where(run, walk);
	sw_text local = {0};
	sw_text_add(&local, "optimum over local types: ");
	sw_print_count(&local, goal.distance);
	sw_text_addf(&local, "%s\n", cost_unit((sw_model)run->session->state.settings.value[SETTING_MODEL].number));
	document_lines(run->answer, &local);
	if (!plan_sizes(run, walk, SW_PAPER, &lowered, diag))
		return false;
	say_lowered(run, &lowered, goal.distance);
	if (!plan_sizes(run, walk, SW_FUSED, &fused, diag))
		return false;
	say_saving(run, &lowered, &fused);
	return true;
}

/* ---- looking around ---- */

bool command_frontier(struct invocation *run, sw_diag *diag)
{
	static const struct column columns[] = {COLUMN_RIGHT("node", ROLE_NUMBER), COLUMN_LEFT("type", ROLE_TYPE),
		COLUMN_RIGHT("size", ROLE_NUMBER), COLUMN_RIGHT("distance", ROLE_NUMBER), COLUMN_RIGHT("to go", ROLE_NUMBER),
		COLUMN_RIGHT("from", ROLE_NUMBER), COLUMN_LEFT("by", ROLE_OP), {0}};
	sw_walk *walk;
	if (!session_walk(run->session, &walk, diag))
		return false;
	int count = sw_walk_frontier(walk, NULL, 0);
	int *ids = SW_NEW(run->arena, int, count);
	if (!ids)
		return sw_diag_memory(diag);
	if (!count)
		document_line(run->answer, "the frontier is empty");
	sw_walk_frontier(walk, ids, count);
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < count; i++) {
		sw_node node;
		if (!sw_walk_node(walk, ids[i], &node))
			continue;
		table_add(table, "%d", node.id);
		add_tile(table, walk, node.tile);
		table_add_count(table, node.localsize);
		table_add_count(table, node.distance);
		table_add_if(table, node.bound != 0, node.bound);
		table_add_if(table, node.parent != 0, node.parent);
		add_via(table, &node);
	}
	return true;
}

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
	bool summed = sw_walk_places(walk) > walk_rank(walk);
	sw_str whole = plus ? sw_str_trim((sw_str){text.at, (size_t)(plus - text.at)}) : text;
	bool ok = whole.length > 1 && whole.at[whole.length - 1] == ']';
	sw_str rest = whole.length ? sw_str_trim((sw_str){whole.at + 1, whole.length - 1}) : whole;
	if (summed)
		tile[walk_rank(walk)] = 1;
	if (plus)
		ok = ok && summed && sw_read_int(terms, &tile[walk_rank(walk)], NULL);
	while (ok && rest.length) {
		size_t length = until_separator(rest);
		sw_str number = sw_str_trim((sw_str){rest.at, length});
		if (count == walk_rank(walk) || !sw_read_int(number, &tile[count], NULL) || tile[count] < 1)
			break;
		count++;
		if (length >= rest.length || rest.at[length] == ']')
			break;
		rest = (sw_str){rest.at + length + 1, rest.length - length - 1};
	}
	ok = ok && count == walk_rank(walk);
	if (ok)
		return true;
	sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "'%.*s' is no local type of this problem",
		(int)(text.length < 60 ? text.length : 60), text.at);
	sw_diag_expected(diag, "%d %s in brackets", walk_rank(walk), plural(walk_rank(walk), "tile size", "tile sizes"));
	return refuse_at(run, text, diag);
}

static bool node_by_number(const struct invocation *run, const sw_walk *walk, sw_str text, sw_node *node,
	sw_diag *diag)
{
	int64_t id = 0;
	bool number = sw_read_int(text, &id, NULL);
	if (number && id >= 1 && id <= sw_walk_seen(walk) && sw_walk_node(walk, (int)id, node))
		return true;
	sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no node '%.*s'", (int)(text.length < 60 ? text.length : 60),
		text.at);
	sw_diag_expected(diag, "1 to %d, the nodes seen so far, or a local type such as [6,1]", sw_walk_seen(walk));
	return refuse_at(run, text, diag);
}

/* The node that is named, else the one in focus, else the one last visited, else the start. */
static bool read_node(const struct invocation *run, const sw_walk *walk, sw_node *node, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	const struct state *state = &run->session->state;
	int64_t tile[SW_MAX_DIMS];
	if (!word && state->has_focus)
		return sw_walk_node_at(walk, state->focus, node, diag);
	if (!word)
		return sw_walk_node(walk, sw_walk_current(walk) ? sw_walk_current(walk) : sw_walk_start(walk), node);
	if (*word->raw.at != '[')
		return node_by_number(run, walk, word->raw, node, diag);
	return read_tile(run, walk, word->raw, tile, diag) &&
		(sw_walk_node_at(walk, tile, node, diag) || refuse_at(run, word->raw, diag));
}

static const char *const edge_words[] = {
	[SW_EDGE_NEW] = "new",
	[SW_EDGE_BETTER] = "better",
	[SW_EDGE_TREE] = "best way",
	[SW_EDGE_NO_BETTER] = "no better",
	[SW_EDGE_REFUSED] = "refused",
};

static bool add_edges(const struct invocation *run, const sw_walk *walk, const sw_node *node, sw_diag *diag)
{
	static const struct column columns[] = {COLUMN_LEFT("operation", ROLE_OP), COLUMN_LEFT("to", ROLE_TYPE),
		COLUMN_RIGHT("node", ROLE_NUMBER), COLUMN_RIGHT("size", ROLE_NUMBER), COLUMN_RIGHT("cost", ROLE_NUMBER),
		COLUMN_LEFT("", ROLE_TEXT), {0}};
	sw_edge *edges;
	int count = sw_walk_edges(walk, node->tile, option_given(run, OPTION_REFUSED) != NULL, run->arena, &edges);
	if (count < 0)
		return sw_diag_memory(diag);
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < count; i++) {
		sw_text move = {0};
		move_text(&edges[i].move, &move);
		table_add_text(table, &move);
		add_tile(table, walk, edges[i].tile);
		table_add_if(table, edges[i].node != 0, edges[i].node);
		table_add_count(table, edges[i].localsize);
		table_add_if(table, edges[i].state != SW_EDGE_REFUSED, edges[i].move.cost);
		table_add(table, edges[i].state == SW_EDGE_REFUSED ? "%s: %s" : "%s", edge_words[edges[i].state],
			edges[i].why);
	}
	if (!count)
		document_line(run->answer, "no edges lead out of this node");
	return true;
}

static const char *const node_words[] =
	{[SW_NODE_UNSEEN] = "unseen", [SW_NODE_FRONTIER] = "frontier", [SW_NODE_SETTLED] = "visited"};

static void say_node(const struct invocation *run, const sw_walk *walk, const sw_node *node)
{
	sw_text text = {0};
	if (node->id)
		sw_text_addf(&text, "node %d ", node->id);
	sw_walk_print_tile(walk, node->tile, &text);
	sw_text_add(&text, ": size ");
	sw_print_count(&text, node->localsize);
	sw_text_addf(&text, ", %s", node_words[node->state]);
	if (node->id) {
		sw_text_add(&text, ", distance ");
		sw_print_count(&text, node->distance);
	}
	sw_text_add(&text, node->is_start ? ", start" : node->is_goal ? ", goal" : "");
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

bool command_edges(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	if (!session_walk(run->session, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	say_node(run, walk, &node);
	return add_edges(run, walk, &node, diag);
}

bool command_goto(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	struct state *state = &run->session->state;
	if (!session_walk(run->session, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	state->has_focus = true;
	memcpy(state->focus, node.tile, sizeof(state->focus));
	say_node(run, walk, &node);
	return true;
}

bool command_path(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	if (!session_walk(run->session, &walk, diag) || !read_node(run, walk, &node, diag))
		return false;
	if (!node.id) {
		sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "the search has not seen this node yet");
		sw_diag_hint(diag, "`step` or `finish` goes on; `frontier` lists what is seen next");
		return argument(run, 0) ? refuse_at(run, argument(run, 0)->raw, diag) : false;
	}
	return add_path(run, walk, node.id, diag);
}
