/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers between two types of any kind: the shares that devices get from each other, as loops over what both store.
 */
#include "plan/between.h"

#include <stdlib.h>

#include <shardwalk/transfers.h>

#include "relation/shares.h"
#include "step/transfers.h"

struct moving {
	const sw_between *between;
	sw_transfers *transfers;
	sw_arena *scratch;
	sw_local *local[2]; /* of each device */
	int32_t sender;
	int64_t receiver; /* of what was listed last */
	int count, room;
	sw_moved *moved;
};

static int by_sender(const void *left, const void *right)
{
	const sw_moved *a = left, *b = right;

	if (a->from != b->from)
		return (a->from > b->from) - (a->from < b->from);
	return (a->loops.into > b->loops.into) - (a->loops.into < b->loops.into);
}

/* All receivers up to `next` have what they get. */
static void end_receivers(struct moving *m, int64_t next)
{
	int64_t *first = m->transfers->first_run;

	while (m->receiver < next) {
		int64_t begin = first[m->receiver];
		if (m->count > begin)
			qsort(m->moved + begin, (size_t)(m->count - begin), sizeof *m->moved, by_sender);
		first[++m->receiver] = m->count;
	}
}

static bool keep_loops(void *user, const sw_loops *loops)
{
	struct moving *m = user;
	size_t count = (size_t)loops->loops;
	int64_t *own = SW_NEW(m->transfers->arena, int64_t, 3 * count + 1);

	if (own == NULL || !SW_GROW(m->transfers->arena, m->moved, m->count, m->room, 16))
		return false;
	sw_moved *moved = &m->moved[m->count++];
	*moved = (sw_moved){m->sender, *loops};
	moved->loops.count = own;
	moved->loops.from_by = own + count;
	moved->loops.into_by = own + 2 * count;
	for (size_t i = 0; i < count; i++) {
		own[i] = loops->count[i];
		own[count + i] = loops->from_by[i];
		own[2 * count + i] = loops->into_by[i];
	}
	return true;
}

static bool add_share(void *user, const sw_share *share)
{
	struct moving *m = user;
	sw_region region = {m->between->end[0].rank, 1, share->set};
	sw_arena_mark mark = sw_arena_here(m->scratch);

	end_receivers(m, share->receiver);
	m->sender = share->sender;
	bool added = sw_local_loops(&region, &m->local[0][share->sender], &m->local[1][share->receiver], m->scratch,
		keep_loops, m);
	sw_arena_back(m->scratch, mark);
	return added;
}

static bool store_all(struct moving *m)
{
	int64_t devices = m->between->end[0].devices;

	for (int end = 0; end < 2; end++) {
		m->local[end] = SW_NEW(m->scratch, sw_local, devices);
		for (int64_t d = 0; m->local[end] != NULL && d < devices; d++)
			if (!sw_between_local(m->between, end, d, m->scratch, &m->local[end][d]))
				return false;
		if (m->local[end] == NULL)
			return false;
	}
	return true;
}

static bool list_moves(struct moving *m, sw_sender_rule rule)
{
	int64_t devices = m->between->end[0].devices;
	sw_transfers *t = m->transfers;

	t->first_run = SW_NEW_ZERO(t->arena, int64_t, devices + 1);
	if (t->first_run == NULL || m->scratch == NULL || !store_all(m) ||
		!sw_relation_shares(m->between->relation, rule, m->scratch, add_share, m))
		return false;
	end_receivers(m, devices);
	t->moved = m->moved;
	return true;
}

/* What a device stores is as a tile of one dimension, and as large on all. */
static bool as_tiles(const sw_between *between, int end, sw_arena *arena, sw_tiles *tiles)
{
	int64_t *size = SW_NEW(arena, int64_t, 1);

	if (size == NULL || (*size = sw_between_most(between, end)) < 0)
		return false;
	*tiles = (sw_tiles){.rank = 1, .devices = between->end[end].devices, .global = size, .tile = size};
	return true;
}

const sw_transfers *sw_between_transfers(const sw_between *between, const sw_step *step, sw_arena *arena,
	sw_diag *diag)
{
	sw_transfers *t = SW_NEW_ZERO(arena, sw_transfers, 1);
	struct moving m = {.between = between, .transfers = t, .scratch = sw_arena_new()};
	bool done = t != NULL && as_tiles(between, 0, arena, &t->before) && as_tiles(between, 1, arena, &t->after);

	if (done) {
		t->step = *step;
		t->arena = arena;
		t->sending = &sw_sends_moved;
		t->adds = between->terms > 1 || between->end[1].terms > 1;
		done = list_moves(&m, step->rule);
	}
	sw_arena_free(m.scratch);
	if (!done)
		sw_diag_memory(diag);
	return done ? t : NULL;
}
