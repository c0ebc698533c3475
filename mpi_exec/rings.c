/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that pass pieces on, by messages: rings, or trees, for what all members take part in alike, chains to and from a root.
 */
#define _GNU_SOURCE
#include "rings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/reduction_plan.h>

#include "program.h"
#include "tree.h"
#include "watch.h"

/* Pieces [first, last) of a list, as bytes of the tile. */
struct piece {
	const int *number;
	int first, last;
};

/* The group of this rank in a step. */
struct group {
	int size, me;
	const int32_t *member; /* slots */
	int *list;             /* pieces that are worked on, block after block */
	int *begin;            /* where the block of each member begins in it; one more */
};

/* ---- pieces of tiles ---- */

static int64_t begin_of(const ex_rings *c, int piece)
{
	return sw_piece_begin(c->count, c->pieces, piece);
}

/* What slots have before each step, and after the last. */
static bool follow(ex_rings *c, sw_arena *arena)
{
	c->held = SW_NEW_ZERO(arena, const sw_pieces *, c->plan->program.steps + 1);
	for (int k = 0; c->held != NULL && k < c->plan->program.steps; k++) {
		if (c->plan->program.step[k].passing == SW_PASSES_AT_ONCE)
			continue;
		for (int i = k; i <= k + 1 && (i == k || c->held[k] != NULL); i++)
			c->held[i] = c->held[i] != NULL ? c->held[i] : sw_plan_pieces(c->plan, i, c->pieces, arena, NULL);
		if (c->held[k] == NULL || c->held[k + 1] == NULL)
			return false;
	}
	return c->held != NULL;
}

/* ---- opening ---- */

/* Trees follow the levels of the system. */
static bool read_system(const sw_plan *plan, sw_system *system, ex_fault *fault)
{
	sw_diag diag = {0};

	return sw_plan_system(plan, system, &diag) ||
		ex_fault_set(fault, EX_NO, "P03", "an allreduce by trees wants a plan that says its system: %s",
			diag.message);
}

static bool has_trees(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].passing == SW_PASSES_BY_TREES)
			return true;
	return false;
}

static bool find_ranks(ex_rings *c, sw_arena *arena)
{
	const sw_mesh *mesh = &c->plan->problem.mesh;

	c->rank_of = SW_NEW(arena, int64_t, mesh->devices);
	for (int64_t p = 0; c->rank_of != NULL && p < mesh->devices; p++) {
		c->rank_of[p] = sw_device_at(mesh->order, p);
		if (c->rank_of[p] == c->team->rank)
			c->slot = p;
	}
	return c->rank_of != NULL;
}

bool ex_rings_lay_out(ex_rings *c, ex_team *team, const sw_plan *plan, sw_arena *arena, ex_fault *fault)
{
	*c = (ex_rings){.team = team, .plan = plan, .throttle = {.team = team, .share.file = -1}};
	c->element = sw_dtype_bytes(plan->problem.from.dtype);
	c->pieces = sw_plan_pieces_of_tile(plan);
	c->adder = ex_adder_of(plan->problem.from.dtype);
	if (has_trees(plan) && !read_system(plan, &c->system, fault))
		return false;
	if (!find_ranks(c, arena) || !follow(c, arena))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].passing != SW_PASSES_AT_ONCE)
			c->bytes = sw_larger(c->bytes, ex_tile_elements(plan, k) * c->element);
	return true;
}

bool ex_rings_open(ex_rings *c, ex_fault *fault)
{
	c->in = malloc((size_t)c->bytes + 64);
	c->out = malloc((size_t)c->bytes + 64);
	return (c->in != NULL && c->out != NULL) ||
		ex_fault_set(fault, EX_LACKS, "E01", "cannot allocate %lld bytes", (long long)(2 * c->bytes));
}

void ex_rings_close(ex_rings *c)
{
	free(c->in);
	free(c->out);
	ex_throttle_close(&c->throttle);
}

/* ---- pieces ---- */

static int64_t piece_bytes(const ex_rings *c, const struct piece *p)
{
	int64_t elements = 0;

	for (int n = p->first; n < p->last; n++)
		elements += begin_of(c, p->number[n] + 1) - begin_of(c, p->number[n]);
	return elements * c->element;
}

/* Its bytes, one after the other: where they lie, or in `room`. */
static const char *packed(const ex_rings *c, const struct piece *p, char *room)
{
	bool whole = true;
	char *at = room;

	for (int n = p->first + 1; n < p->last; n++)
		whole = whole && p->number[n] == p->number[n - 1] + 1;
	if (whole)
		return p->last > p->first ? c->tile + begin_of(c, p->number[p->first]) * c->element : room;
	for (int n = p->first; n < p->last; n++) {
		int64_t from = begin_of(c, p->number[n]) * c->element, to = begin_of(c, p->number[n] + 1) * c->element;

		memcpy(at, c->tile + from, (size_t)(to - from));
		at += to - from;
	}
	return room;
}

/* What was received: added, or in place of what is there. */
static void unpack(const ex_rings *c, const struct piece *p, const char *bytes, bool adds)
{
	for (int n = p->first; n < p->last; n++) {
		int64_t from = begin_of(c, p->number[n]) * c->element, to = begin_of(c, p->number[n] + 1) * c->element;

		if (adds)
			ex_add_to(c->adder, c->tile + from, bytes, to - from);
		else
			memcpy(c->tile + from, bytes, (size_t)(to - from));
		bytes += to - from;
	}
}

static int rank_at(const ex_rings *c, const struct group *g, int member)
{
	return (int)c->rank_of[g->member[(member % g->size + g->size) % g->size]];
}

static struct piece block_of(const struct group *g, int member)
{
	int m = (member % g->size + g->size) % g->size;

	return (struct piece){g->list, g->begin[m], g->begin[m + 1]};
}

/* One piece goes to the next member while one comes from the one before. */
static void turn(ex_rings *c, const struct group *g, struct piece send, struct piece receive, bool adds)
{
	int next = rank_at(c, g, g->me + 1), before = rank_at(c, g, g->me - 1);
	ex_passage out, in;

	ex_throttle_receive(&c->throttle, c->in, piece_bytes(c, &receive), before, 0, &in);
	ex_throttle_send(&c->throttle, packed(c, &send, c->out), piece_bytes(c, &send), next, 0, &out);
	ex_passage_wait(&in);
	ex_passage_wait(&out);
	unpack(c, &receive, c->in, adds);
	ex_passage_let_through(&in);
}

/* Each member ends with the sum of its own block. */
static void scatter(ex_rings *c, const struct group *g)
{
	for (int s = 0; s < g->size - 1; s++)
		turn(c, g, block_of(g, g->me - s - 1), block_of(g, g->me - s - 2), true);
}

/* Each member begins with its own block and ends with all. */
static void gather(ex_rings *c, const struct group *g)
{
	for (int s = 0; s < g->size - 1; s++)
		turn(c, g, block_of(g, g->me - s), block_of(g, g->me - s - 1), false);
}

/* Along a chain of ranks, some bytes at a time: each takes from the one before, adds or keeps, and passes on. */
static void chain(ex_rings *c, char *data, int64_t bytes, int before, int next, bool adds)
{
	int64_t parts = ex_tree_pieces(bytes), count = bytes / c->element;

	for (int64_t n = 0; n < parts; n++) {
		int64_t from = count * n / parts * c->element, size = count * (n + 1) / parts * c->element - from;
		ex_passage passage;

		if (before >= 0) {
			ex_throttle_receive(&c->throttle, adds ? c->in : data + from, size, before, 0, &passage);
			ex_passage_wait(&passage);
			if (adds)
				ex_add_to(c->adder, data + from, c->in, size);
			ex_passage_let_through(&passage);
		}
		if (next < 0)
			continue;
		ex_throttle_send(&c->throttle, data + from, size, next, 0, &passage);
		ex_passage_wait(&passage);
	}
}

/* ---- all that a member holds, in one place ---- */

static struct piece all_of(const struct group *g)
{
	return (struct piece){g->list, 0, g->begin[g->size]};
}

static char *gathered(ex_rings *c, const struct group *g)
{
	struct piece all = all_of(g);
	const char *at = packed(c, &all, c->out);

	return at == c->out ? c->out : c->tile + (at - c->tile);
}

static void spread(ex_rings *c, const struct group *g, const char *data)
{
	struct piece all = all_of(g);

	if (data == c->out)
		unpack(c, &all, data, false);
}

static void pass_along(ex_rings *c, const struct group *g, bool adds)
{
	int before = rank_at(c, g, g->me - 1), next = rank_at(c, g, g->me + 1);
	struct piece all = all_of(g);
	char *data = gathered(c, g);

	if (adds)
		chain(c, data, piece_bytes(c, &all), g->me == 1 ? -1 : before, g->me == 0 ? -1 : next, true);
	else
		chain(c, data, piece_bytes(c, &all), g->me == 0 ? -1 : before, g->me == g->size - 1 ? -1 : next, false);
	spread(c, g, data);
}

static void by_trees(ex_rings *c, const struct group *g)
{
	struct piece all = all_of(g);
	char *data = gathered(c, g);
	int64_t *rank = malloc(sizeof *rank * (size_t)g->size);

	for (int m = 0; rank != NULL && m < g->size; m++)
		rank[m] = rank_at(c, g, m);
	if (rank == NULL || !ex_tree_sum(&c->throttle, c->adder, &c->system, rank, g->size, data, piece_bytes(c, &all)))
		ex_watch_end("out of memory", "");
	spread(c, g, data);
	free(rank);
}

/* ---- a step ---- */

/* Finds this rank's group; false: it is in none. */
static bool find_group(const ex_rings *c, const sw_step *step, struct group *g)
{
	for (int64_t n = 0; n < step->grouped; n++)
		if (step->groups[n] == c->slot) {
			g->size = (int)step->group_size;
			g->me = (int)(n % step->group_size);
			g->member = step->groups + (n - g->me);
			return true;
		}
	return false;
}

/* Blocks: of a gather what each member holds, else equal parts of what all hold. */
static void list_blocks(const ex_rings *c, int k, struct group *g)
{
	bool own = sw_collective_of(c->plan->program.step[k].op)->brings == SW_BRINGS_PARTS;
	int count = 0, all = sw_pieces_held(c->held[k], g->member[0]);

	for (int m = 0; m < g->size; m++) {
		g->begin[m] = own ? count : all * m / g->size;
		for (int n = 0; n < c->pieces && (own || m == 0); n++)
			if (sw_pieces_has(c->held[k], g->member[m], n))
				g->list[count++] = n;
	}
	g->begin[g->size] = count;
}

static void run_group(ex_rings *c, const sw_collective *row, sw_passing passing, const struct group *g)
{
	bool adds = row->brings == SW_BRINGS_TERMS;

	if (sw_rooted(row->op)) {
		pass_along(c, g, adds);
	} else if (sw_sums_whole(row->op) && passing == SW_PASSES_BY_TREES) {
		by_trees(c, g);
	} else {
		if (adds)
			scatter(c, g);
		if (row->leaves == SW_LEAVES_ALL)
			gather(c, g);
	}
}

void ex_rings_step(ex_rings *c, int k, char *tile)
{
	assert(k >= 0 && k < c->plan->program.steps);
	assert(c->in != NULL && c->out != NULL);
	const sw_step *step = &c->plan->program.step[k];
	struct group g;

	c->tile = tile;
	c->count = ex_tile_elements(c->plan, k);
	if (!find_group(c, step, &g))
		return;
	g.list = malloc(sizeof *g.list * (size_t)c->pieces);
	g.begin = malloc(sizeof *g.begin * (size_t)(g.size + 1));
	if (g.list == NULL || g.begin == NULL)
		ex_watch_end("out of memory", "");
	list_blocks(c, k, &g);
	run_group(c, sw_collective_of(step->op), step->passing, &g);
	free(g.list);
	free(g.begin);
}
