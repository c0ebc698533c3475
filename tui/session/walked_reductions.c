/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contexts of a sum over axes of a placement as something that can be walked.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/walked.h"

#define PICOSECOND 1e-12
#define FARTHEST 9e18 /* picoseconds */

/* ---- nodes and edges as all walks tell them ---- */

static int64_t picoseconds(double seconds)
{
	return seconds < FARTHEST * PICOSECOND ? llround(seconds / PICOSECOND) : (int64_t)FARTHEST;
}

/* A step of the sum in the place of a collective: nobody else reads it. */
static sw_move move_of(const sw_reduction_step *step, double seconds)
{
	return (sw_move){.gather = {{(int)step->op, (int64_t)step->form}},
		.split = {{step->slice, step->ancestor}},
		.cost = picoseconds(seconds)};
}

static void print_move(const void *of, const sw_move *move, sw_text *text)
{
	const sw_reduction_step step = {(sw_reduction_op)move->gather[0].dim, (sw_group_form)move->gather[0].factor,
		move->split[0].dim, (int)move->split[0].factor};
	sw_context_walk_print_step(of, &step, text);
}

static sw_node node_of(const sw_context_node *at)
{
	return (sw_node){.id = at->id,
		.tile = {at->context},
		.localsize = at->missing,
		.state = at->state,
		.distance = at->id ? picoseconds(at->distance) : -1,
		.bound = picoseconds(at->bound),
		.parent = at->parent,
		.via = move_of(&at->via, at->seconds),
		.order = at->order,
		.is_start = at->is_start,
		.is_goal = at->is_goal};
}

static bool node_read(const void *of, int id, sw_node *node)
{
	sw_context_node at;
	if (!sw_context_walk_node(of, id, &at))
		return false;
	*node = node_of(&at);
	return true;
}

static bool node_at(const void *of, const int64_t *tile, sw_node *node, sw_diag *diag)
{
	sw_context_node at;
	bool there = tile[0] >= 0 && tile[0] < sw_contexts_count(sw_context_walk_contexts(of));
	if (!there || !sw_context_walk_node_at(of, (int)tile[0], &at))
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no such context");
	*node = node_of(&at);
	return true;
}

static int64_t node_size(const void *of, int id)
{
	sw_node node;
	return node_read(of, id, &node) ? node.localsize : 0;
}

static int64_t node_distance(const void *of, int id)
{
	sw_node node;
	return node_read(of, id, &node) ? node.distance : 0;
}

static int node_parent(const void *of, int id)
{
	return sw_context_walk_node_parent(of, id);
}

static int node_order(const void *of, int id)
{
	return sw_context_walk_node_order(of, id);
}

static void node_tile(const void *of, int id, int64_t *tile)
{
	memset(tile, 0, sizeof(*tile) * SW_MAX_DIMS);
	tile[0] = sw_context_walk_node_context(of, id);
}

static bool dead_end(const void *of, const int64_t *tile)
{
	sw_context_node at;
	return sw_context_walk_node_at(of, (int)tile[0], &at) && !at.leads_on;
}

static sw_edge edge_of(const void *of, const sw_context_way *way)
{
	sw_context_node end;
	sw_edge edge = {.move = move_of(&way->step, way->seconds),
		.tile = {way->context},
		.node = way->node,
		.state = way->state};
	if (sw_context_walk_node_at(of, way->context, &end))
		edge.localsize = end.missing;
	if (way->state == SW_EDGE_REFUSED)
		snprintf(edge.why, sizeof(edge.why), "%s: %.*s", sw_code_info_of(way->code)->name, (int)sizeof(edge.why) - 8,
			way->why);
	return edge;
}

static int edges_read(const void *of, const int64_t *tile, bool refused, sw_arena *arena, sw_edge **edges)
{
	sw_context_way *ways;
	int count = sw_context_walk_edges(of, (int)tile[0], refused, arena, &ways);
	if (count < 0)
		return -1;
	*edges = SW_NEW(arena, sw_edge, count + 1);
	for (int i = 0; *edges && i < count; i++)
		(*edges)[i] = edge_of(of, &ways[i]);
	return *edges ? count : -1;
}

/* ---- the walk ---- */

static void *again(const void *of, sw_diag *diag)
{
	return sw_context_walk_again(of, diag);
}

static void release(void *of)
{
	sw_context_walk_free(of);
}

static bool step(void *of, sw_diag *diag)
{
	return sw_context_walk_step(of, diag);
}

static bool back(void *of, sw_diag *diag)
{
	return sw_context_walk_back(of, diag);
}

static bool finish(void *of, const sw_pulse *pulse, sw_diag *diag)
{
	return sw_context_walk_finish(of, pulse, diag);
}

static bool done(const void *of)
{
	return sw_context_walk_done(of);
}

static int current(const void *of)
{
	return sw_context_walk_current(of);
}

static int seen(const void *of)
{
	return sw_context_walk_seen(of);
}

static int settled(const void *of)
{
	return sw_context_walk_settled(of);
}

static int64_t edges_seen(const void *of)
{
	return sw_context_walk_edges_seen(of);
}

static int goal(const void *of)
{
	return sw_context_walk_goal(of);
}

/* Nothing is added at the start. */
static int64_t largest(const void *of)
{
	return node_size(of, 1);
}

static int frontier(const void *of, int *ids, int room)
{
	return sw_context_walk_frontier(of, ids, room);
}

static int path(const void *of, int id, int *ids, int room)
{
	return sw_context_walk_path(of, id, ids, room);
}

static void print_tile(const void *of, const int64_t *tile, sw_text *text)
{
	sw_context_walk_print(of, (int)tile[0], text);
}

const struct walk_row walk_of_reductions = {
	.name = "reductions",
	.about = "contexts of a sum over placed axes, by the seconds of steps",
	.node = "holds",
	.size = "missing",
	.unit = PICOSECOND,
	.places = 1,
	.again = again,
	.free = release,
	.step = step,
	.back = back,
	.finish = finish,
	.done = done,
	.current = current,
	.seen = seen,
	.settled = settled,
	.edges_seen = edges_seen,
	.goal = goal,
	.largest = largest,
	.node_of = node_read,
	.node_at = node_at,
	.node_size = node_size,
	.node_distance = node_distance,
	.node_parent = node_parent,
	.node_order = node_order,
	.node_tile = node_tile,
	.frontier = frontier,
	.edges = edges_read,
	.path = path,
	.print_tile = print_tile,
	.print_move = print_move,
	.dead_end = dead_end,
};
