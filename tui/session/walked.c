/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search over local types as something that can be walked, and what is asked of every walk.
 */
#include "session/walked.h"

/* ---- any walk ---- */

int walked_places(const struct walked *walk)
{
	sw_walk *search = walked_search(walk);
	return search ? sw_walk_places(search) : walk->row->places;
}

bool walked_is_dead_end(const struct walked *walk, const int64_t *tile)
{
	return walk->row->dead_end && walk->row->dead_end(walk->of, tile);
}

sw_walk *walked_search(const struct walked *walk)
{
	return walk && walk->row == &walk_of_search ? walk->of : NULL;
}

struct walked walked_again(const struct walked *walk, sw_diag *diag)
{
	return (struct walked){walk->row, walk->row->again(walk->of, diag)};
}

void walked_free(struct walked *walk)
{
	if (walk->row)
		walk->row->free(walk->of);
	*walk = (struct walked){0};
}

void walked_pulse(const struct walked *walk, const sw_pulse *pulse)
{
	if (walk->row->pulse)
		walk->row->pulse(walk->of, pulse);
}

bool walked_finish(const struct walked *walk, const sw_pulse *pulse, sw_diag *diag)
{
	return walk->row->finish(walk->of, pulse, diag);
}

/* ---- the search ---- */

static void *search_again(const void *of, sw_diag *diag)
{
	return sw_walk_again(of, diag);
}

static void search_free(void *of)
{
	sw_walk_free(of);
}

static bool search_step(void *of, sw_diag *diag)
{
	return sw_walk_step(of, diag);
}

static bool search_back(void *of, sw_diag *diag)
{
	return sw_walk_back(of, diag);
}

static bool search_finish(void *of, const sw_pulse *pulse, sw_diag *diag)
{
	return sw_walk_finish(of, pulse, diag);
}

static void search_pulse(void *of, const sw_pulse *pulse)
{
	sw_walk_pulse(of, pulse);
}

static bool search_done(const void *of)
{
	return sw_walk_done(of);
}

static int search_current(const void *of)
{
	return sw_walk_current(of);
}

static int search_seen(const void *of)
{
	return sw_walk_seen(of);
}

static int search_settled(const void *of)
{
	return sw_walk_settled(of);
}

static int64_t search_edges_seen(const void *of)
{
	return sw_walk_edges_seen(of);
}

static int search_goal(const void *of)
{
	return sw_walk_goal(of);
}

static int64_t search_largest(const void *of)
{
	return sw_walk_budget(of);
}

static bool search_node(const void *of, int id, sw_node *node)
{
	return sw_walk_node(of, id, node);
}

static bool search_node_at(const void *of, const int64_t *tile, sw_node *node, sw_diag *diag)
{
	return sw_walk_node_at(of, tile, node, diag);
}

static int64_t search_node_size(const void *of, int id)
{
	return sw_walk_node_size(of, id);
}

static int64_t search_node_distance(const void *of, int id)
{
	return sw_walk_node_distance(of, id);
}

static int search_node_parent(const void *of, int id)
{
	return sw_walk_node_parent(of, id);
}

static int search_node_order(const void *of, int id)
{
	return sw_walk_node_order(of, id);
}

static void search_node_tile(const void *of, int id, int64_t *tile)
{
	sw_walk_node_tile(of, id, tile);
}

static int search_frontier(const void *of, int *ids, int room)
{
	return sw_walk_frontier(of, ids, room);
}

static int search_edges(const void *of, const int64_t *tile, bool refused, sw_arena *arena, sw_edge **edges)
{
	return sw_walk_edges(of, tile, refused, arena, edges);
}

static int search_path(const void *of, int id, int *ids, int room)
{
	return sw_walk_path(of, id, ids, room);
}

static void search_print_tile(const void *of, const int64_t *tile, sw_text *text)
{
	sw_walk_print_tile(of, tile, text);
}

const struct walk_row walk_of_search = {
	.name = "search",
	.about = "local types between both ends, by what their collectives cost",
	.node = "type",
	.size = "size",
	.again = search_again,
	.free = search_free,
	.step = search_step,
	.back = search_back,
	.finish = search_finish,
	.pulse = search_pulse,
	.done = search_done,
	.current = search_current,
	.seen = search_seen,
	.settled = search_settled,
	.edges_seen = search_edges_seen,
	.goal = search_goal,
	.largest = search_largest,
	.node_of = search_node,
	.node_at = search_node_at,
	.node_size = search_node_size,
	.node_distance = search_node_distance,
	.node_parent = search_node_parent,
	.node_order = search_node_order,
	.node_tile = search_node_tile,
	.frontier = search_frontier,
	.edges = search_edges,
	.path = search_path,
	.print_tile = search_print_tile,
};
