/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be walked: graphs that are gone over step by step, one row of functions each.  Commands, pictures and keys know a
 * walk by its row alone.
 *
 * Nodes and edges of every walk are told as the search tells its own (walk.h).  Of the contexts of a sum `tile` has the number of
 * the context at its first place, `localsize` is how many terms are missing, costs are picoseconds, and what a move is only its
 * row knows.
 */
#ifndef SHARDWALK_SESSION_WALKED_H
#define SHARDWALK_SESSION_WALKED_H

#include <shardwalk/context_walk.h>
#include <shardwalk/walk.h>

struct walk_row {
	const char *name;  /* of the command `walk` */
	const char *about; /* what is walked */
	const char *node;  /* what a node is, in headings of tables */
	const char *size;  /* and its size */
	double unit;       /* seconds of one unit of cost; 0: costs are counted */
	int places;        /* numbers of a tile; 0: the walk knows */

	void *(*again)(const void *of, sw_diag *diag);
	void (*free)(void *of);
	bool (*step)(void *of, sw_diag *diag);
	bool (*back)(void *of, sw_diag *diag);
	bool (*finish)(void *of, const sw_pulse *pulse, sw_diag *diag);
	void (*pulse)(void *of, const sw_pulse *pulse);
	bool (*done)(const void *of);
	int (*current)(const void *of);
	int (*seen)(const void *of);
	int (*settled)(const void *of);
	int64_t (*edges_seen)(const void *of);
	int (*goal)(const void *of);
	int64_t (*largest)(const void *of); /* no node has a size above it */
	bool (*node_of)(const void *of, int id, sw_node *node);
	bool (*node_at)(const void *of, const int64_t *tile, sw_node *node, sw_diag *diag);
	int64_t (*node_size)(const void *of, int id);
	int64_t (*node_distance)(const void *of, int id);
	int (*node_parent)(const void *of, int id);
	int (*node_order)(const void *of, int id);
	void (*node_tile)(const void *of, int id, int64_t *tile);
	int (*frontier)(const void *of, int *ids, int room);
	int (*edges)(const void *of, const int64_t *tile, bool refused, sw_arena *arena, sw_edge **edges);
	int (*path)(const void *of, int id, int *ids, int room);
	void (*print_tile)(const void *of, const int64_t *tile, sw_text *text);
	bool (*dead_end)(const void *of, const int64_t *tile); /* no way leads on from there; NULL: nobody knows */
	void (*print_move)(const void *of, const sw_move *move, sw_text *text); /* NULL: as collectives are printed */
};

/* A walk, and where one stands in it. */
struct walked {
	const struct walk_row *row;
	void *of;
};

extern const struct walk_row walk_of_search;     /* of a sw_walk */
extern const struct walk_row walk_of_reductions; /* of a sw_context_walk */

static inline bool walked_step(const struct walked *walk, sw_diag *diag)
{
	return walk->row->step(walk->of, diag);
}

static inline bool walked_back(const struct walked *walk, sw_diag *diag)
{
	return walk->row->back(walk->of, diag);
}

static inline bool walked_done(const struct walked *walk)
{
	return walk->row->done(walk->of);
}

static inline int walked_current(const struct walked *walk)
{
	return walk->row->current(walk->of);
}

static inline int walked_seen(const struct walked *walk)
{
	return walk->row->seen(walk->of);
}

static inline int walked_settled(const struct walked *walk)
{
	return walk->row->settled(walk->of);
}

static inline int64_t walked_edges_seen(const struct walked *walk)
{
	return walk->row->edges_seen(walk->of);
}

static inline int walked_start(const struct walked *walk)
{
	(void)walk;
	return 1;
}

static inline int walked_goal(const struct walked *walk)
{
	return walk->row->goal(walk->of);
}

static inline int64_t walked_largest(const struct walked *walk)
{
	return walk->row->largest(walk->of);
}

static inline bool walked_node(const struct walked *walk, int id, sw_node *node)
{
	return walk->row->node_of(walk->of, id, node);
}

static inline bool walked_node_at(const struct walked *walk, const int64_t *tile, sw_node *node, sw_diag *diag)
{
	return walk->row->node_at(walk->of, tile, node, diag);
}

static inline int64_t walked_node_size(const struct walked *walk, int id)
{
	return walk->row->node_size(walk->of, id);
}

static inline int64_t walked_node_distance(const struct walked *walk, int id)
{
	return walk->row->node_distance(walk->of, id);
}

static inline int walked_node_parent(const struct walked *walk, int id)
{
	return walk->row->node_parent(walk->of, id);
}

static inline int walked_node_order(const struct walked *walk, int id)
{
	return walk->row->node_order(walk->of, id);
}

static inline void walked_node_tile(const struct walked *walk, int id, int64_t *tile)
{
	walk->row->node_tile(walk->of, id, tile);
}

static inline int walked_frontier(const struct walked *walk, int *ids, int room)
{
	return walk->row->frontier(walk->of, ids, room);
}

static inline int walked_edges(const struct walked *walk, const int64_t *tile, bool refused, sw_arena *arena,
	sw_edge **edges)
{
	return walk->row->edges(walk->of, tile, refused, arena, edges);
}

static inline int walked_path(const struct walked *walk, int id, int *ids, int room)
{
	return walk->row->path(walk->of, id, ids, room);
}

/* The name of a node: `[8, 12]+2`, `1/16+{node}`. */
static inline void walked_print_tile(const struct walked *walk, const int64_t *tile, sw_text *text)
{
	walk->row->print_tile(walk->of, tile, text);
}

/* Is it known that no way leads on to the goal from there? */
bool walked_is_dead_end(const struct walked *walk, const int64_t *tile);

/* Numbers of a tile that tell one node from another. */
int walked_places(const struct walked *walk);

/* The search that this is, or NULL: it is another walk. */
sw_walk *walked_search(const struct walked *walk);

/* The same before its first step; `of` is NULL where there is no memory. */
struct walked walked_again(const struct walked *walk, sw_diag *diag);

void walked_free(struct walked *walk);

/* Asked within steps that take long, until it is NULL again. */
void walked_pulse(const struct walked *walk, const sw_pulse *pulse);

bool walked_finish(const struct walked *walk, const sw_pulse *pulse, sw_diag *diag);

#endif
