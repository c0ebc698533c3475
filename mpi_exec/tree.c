/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two trees at once: what has come is added or kept, and passed on as soon as it can be; nobody waits for one neighbour alone.
 */
#define _GNU_SOURCE
#include "tree.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include <shardwalk/reduction.h>

#include "watch.h"

enum { TREES = 2, PIECE_LEAST = 64 << 10, PIECES_MOST = 32, NAP = 20000 };

/* Pieces that go to a neighbour, or come from one, in their order. */
struct stream {
	int rank;
	int64_t count;       /* of pieces that were sent, or that have come and were taken in */
	bool waits;          /* one is to come */
	ex_passage *passage; /* of each piece that is sent; of the one that comes */
	char *room;          /* for a piece that is to be added */
};

/* One tree, as a rank sees it. */
struct tree {
	char *data;
	int64_t elements, pieces;
	int tag, kids;
	bool root;
	struct stream *from_kid, *to_kid, to_parent, from_parent;
};

struct trees {
	ex_throttle *throttle;
	const ex_adder *adder;
	struct tree tree[TREES];
	sw_arena *arena;
};

int64_t ex_tree_pieces(int64_t bytes)
{
	int64_t pieces = bytes / PIECE_LEAST;

	return pieces < 1 ? 1 : pieces > PIECES_MOST ? PIECES_MOST : pieces;
}

/* ---- pieces ---- */

static char *piece_at(const struct trees *t, const struct tree *tree, int64_t n)
{
	return tree->data + tree->elements * n / tree->pieces * t->adder->element;
}

static int64_t piece_bytes(const struct trees *t, const struct tree *tree, int64_t n)
{
	return piece_at(t, tree, n + 1) - piece_at(t, tree, n);
}

/* Sends all up to piece `ready`. */
static bool send_on(const struct trees *t, const struct tree *tree, struct stream *to, int64_t ready, int tag)
{
	bool any = to->count < ready;

	for (; to->count < ready; to->count++)
		ex_throttle_send(t->throttle, piece_at(t, tree, to->count), piece_bytes(t, tree, to->count), to->rank, tag,
			&to->passage[to->count]);
	return any;
}

/* Asks for the next piece, or looks whether it has come. */
static bool has_come(const struct trees *t, const struct tree *tree, struct stream *from, void *into, int tag)
{
	if (!from->waits)
		ex_throttle_receive(t->throttle, into, piece_bytes(t, tree, from->count), from->rank, tag, from->passage);
	from->waits = !ex_passage_has_come(from->passage);
	return !from->waits;
}

/* ---- a tree ---- */

/* Pieces that all kids have brought. */
static int64_t added(const struct tree *tree)
{
	int64_t least = tree->pieces;

	for (int k = 0; k < tree->kids; k++)
		least = tree->from_kid[k].count < least ? tree->from_kid[k].count : least;
	return least;
}

static bool take_from_kids(const struct trees *t, const struct tree *tree)
{
	bool any = false;

	for (int k = 0; k < tree->kids; k++) {
		struct stream *kid = &tree->from_kid[k];

		if (kid->count == tree->pieces || !has_come(t, tree, kid, kid->room, tree->tag))
			continue;
		ex_add_to(t->adder, piece_at(t, tree, kid->count), kid->room, piece_bytes(t, tree, kid->count));
		kid->count++;
		any = true;
	}
	return any;
}

/* A sum takes the place of what went up. */
static bool take_from_parent(const struct trees *t, struct tree *tree)
{
	struct stream *parent = &tree->from_parent;
	int64_t n = parent->count;

	if (n == tree->to_parent.count || !ex_passage_has_come(&tree->to_parent.passage[n]) ||
		!has_come(t, tree, parent, piece_at(t, tree, n), tree->tag + 1))
		return false;
	parent->count++;
	return true;
}

static bool get_on(const struct trees *t, struct tree *tree)
{
	bool any = take_from_kids(t, tree);
	int64_t sums;

	if (!tree->root) {
		any = send_on(t, tree, &tree->to_parent, added(tree), tree->tag) || any;
		any = take_from_parent(t, tree) || any;
	}
	sums = tree->root ? added(tree) : tree->from_parent.count;
	for (int k = 0; k < tree->kids; k++)
		any = send_on(t, tree, &tree->to_kid[k], sums, tree->tag + 1) || any;
	return any;
}

static bool is_done(const struct tree *tree)
{
	bool done = tree->root ? added(tree) == tree->pieces : tree->from_parent.count == tree->pieces;

	for (int k = 0; k < tree->kids; k++)
		done = done && tree->to_kid[k].count == tree->pieces;
	return done;
}

static void wait_for_sent(const struct stream *to)
{
	for (int64_t n = 0; n < to->count; n++)
		ex_passage_wait(&to->passage[n]);
}

/* ---- the trees ---- */

static bool open_stream(const struct trees *t, const struct tree *tree, bool sends, int64_t rank,
	struct stream *stream)
{
	int64_t most = (tree->elements / tree->pieces + 1) * t->adder->element;

	*stream = (struct stream){.rank = (int)rank,
		.passage = SW_NEW(t->arena, ex_passage, sends ? tree->pieces : 1),
		.room = sends ? NULL : SW_NEW(t->arena, char, most)};
	return stream->passage != NULL && (sends || stream->room != NULL);
}

static bool open_tree(const struct trees *t, struct tree *tree, const int64_t *rank, const int64_t *parent, int ranks)
{
	int64_t mine = 0;

	while (rank[mine] != t->throttle->team->rank)
		mine++;
	tree->root = parent[mine] < 0;
	tree->from_kid = SW_NEW(t->arena, struct stream, ranks);
	tree->to_kid = SW_NEW(t->arena, struct stream, ranks);
	if (tree->from_kid == NULL || tree->to_kid == NULL)
		return false;
	for (int m = 0; m < ranks; m++)
		if (parent[m] == mine) {
			if (!open_stream(t, tree, false, rank[m], &tree->from_kid[tree->kids]) ||
				!open_stream(t, tree, true, rank[m], &tree->to_kid[tree->kids]))
				return false;
			tree->kids++;
		}
	return tree->root ||
		(open_stream(t, tree, true, rank[parent[mine]], &tree->to_parent) &&
			open_stream(t, tree, false, rank[parent[mine]], &tree->from_parent));
}

static bool open_trees(struct trees *t, const sw_system *system, const int64_t *rank, int ranks, char *data,
	int64_t elements)
{
	int64_t *parent = SW_NEW(t->arena, int64_t, ranks);

	for (int k = 0; k < TREES && parent != NULL; k++) {
		int64_t from = elements * k / TREES, to = elements * (k + 1) / TREES;

		sw_tree_parents(system, rank, ranks, k, parent);
		t->tree[k] = (struct tree){.data = data + from * t->adder->element,
			.elements = to - from,
			.pieces = ex_tree_pieces((to - from) * t->adder->element),
			.tag = 1 + 2 * k};
		if (!open_tree(t, &t->tree[k], rank, parent, ranks))
			return false;
	}
	return parent != NULL;
}

static void run_trees(struct trees *t)
{
	static const struct timespec nap = {0, NAP};

	ex_watch_wait();
	for (bool done = false; !done;) {
		bool any = false;

		done = true;
		for (int k = 0; k < TREES; k++) {
			any = get_on(t, &t->tree[k]) || any;
			done = done && is_done(&t->tree[k]);
		}
		if (any)
			ex_watch_work();
		else if (t->throttle->on)
			clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
		else
			sched_yield();
		if (!any) {
			ex_watch_wait();
			ex_watch_look();
		}
	}
	ex_watch_work();
	for (int k = 0; k < TREES; k++) {
		wait_for_sent(&t->tree[k].to_parent);
		for (int kid = 0; kid < t->tree[k].kids; kid++)
			wait_for_sent(&t->tree[k].to_kid[kid]);
	}
}

bool ex_tree_sum(ex_throttle *throttle, const ex_adder *adder, const sw_system *system, const int64_t *rank,
	int ranks, char *data, int64_t bytes)
{
	assert(ranks >= 1 && bytes % adder->element == 0);
	struct trees t = {.throttle = throttle, .adder = adder, .arena = sw_arena_new()};
	bool opened = t.arena != NULL && open_trees(&t, system, rank, ranks, data, bytes / adder->element);

	if (opened)
		run_trees(&t);
	sw_arena_free(t.arena);
	return opened;
}
