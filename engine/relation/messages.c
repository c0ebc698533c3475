/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages: the shares that come from one device, and the runs of indices that they are.
 */
#include <stdlib.h>
#include <string.h>

#include "relation/shares.h"

/* ---- receiver by receiver ---- */

/* What comes from one device; many are put away at once. */
enum { IN_CHUNK = 4096 };

struct chunk {
	struct chunk *next;
	int count;
	sw_message message[IN_CHUNK];
};

struct listing {
	int rank;
	bool single;       /* a share is a message */
	sw_arena *arena;   /* of what is made */
	sw_arena *scratch; /* of what is put away */
	int parts, room;
	sw_share *part;         /* of one receiver */
	int64_t messages, most; /* 0: all */
	struct chunk *first, *last;
};

static int by_sender(const void *left, const void *right)
{
	const sw_share *a = left, *b = right;

	return a->sender != b->sender ? (a->sender > b->sender) - (a->sender < b->sender) :
									(a->block > b->block) - (a->block < b->block);
}

static void sort_parts(struct listing *l)
{
	for (int i = 1; i < l->parts; i++)
		if (l->part[i].sender < l->part[i - 1].sender) {
			qsort(l->part, (size_t)l->parts, sizeof *l->part, by_sender);
			return;
		}
}

static bool is_full(const struct listing *l)
{
	return l->most > 0 && l->messages >= l->most;
}

static bool add_message(struct listing *l, const sw_message *message)
{
	if (is_full(l))
		return true;
	if (l->last == NULL || l->last->count == IN_CHUNK) {
		struct chunk *chunk = SW_NEW(l->scratch, struct chunk, 1);
		if (chunk == NULL)
			return false;
		chunk->next = NULL;
		chunk->count = 0;
		*(l->last != NULL ? &l->last->next : &l->first) = chunk;
		l->last = chunk;
	}
	l->last->message[l->last->count++] = *message;
	l->messages++;
	return true;
}

/* Some parts from one sender as a message. */
static bool join_parts(struct listing *l, const sw_share *part, int count)
{
	size_t rank = (size_t)l->rank;
	sw_indices *set = SW_NEW(l->arena, sw_indices, (size_t)count * rank);
	sw_message message = {part->sender, part->receiver, 0, {l->rank, count, set}};

	if (set == NULL)
		return false;
	for (int i = 0; i < count; i++) {
		if (rank > 0)
			memcpy(set + (size_t)i * rank, part[i].set, rank * sizeof *set);
		message.elements += part[i].size;
	}
	return add_message(l, &message);
}

static bool add_share(struct listing *l, const sw_share *share)
{
	return add_message(l, &(sw_message){share->sender, share->receiver, share->size, {l->rank, 1, share->set}});
}

static bool end_receiver(struct listing *l)
{
	sort_parts(l);
	for (int first = 0, last = 0; first < l->parts; first = last) {
		while (last < l->parts && l->part[last].sender == l->part[first].sender)
			last++;
		if (!(last - first == 1 ? add_share(l, &l->part[first]) : join_parts(l, &l->part[first], last - first)))
			return false;
	}
	l->parts = 0;
	return true;
}

static bool list_share(void *user, const sw_share *share)
{
	struct listing *l = user;

	if (is_full(l))
		return false;
	if (share->sender == share->receiver)
		return true;
	if (l->single)
		return add_share(l, share);
	if (l->parts > 0 && share->receiver != l->part[0].receiver && !end_receiver(l))
		return false;
	if (!SW_GROW(l->scratch, l->part, l->parts, l->room, 64))
		return false;
	l->part[l->parts++] = *share;
	return true;
}

/* ---- by senders ---- */

/* Those of one sender stay in the order of receivers. */
static bool sort_messages(const struct listing *l, int32_t devices, sw_messages *messages)
{
	int64_t *next = SW_NEW_ZERO(l->scratch, int64_t, devices + 1);

	messages->count = l->messages;
	messages->message = SW_NEW(l->arena, sw_message, l->messages);
	if (next == NULL || messages->message == NULL)
		return false;
	for (const struct chunk *chunk = l->first; chunk != NULL; chunk = chunk->next)
		for (int i = 0; i < chunk->count; i++)
			next[chunk->message[i].sender + 1]++;
	for (int32_t device = 0; device < devices; device++)
		next[device + 1] += next[device];
	for (const struct chunk *chunk = l->first; chunk != NULL; chunk = chunk->next)
		for (int i = 0; i < chunk->count; i++)
			messages->message[next[chunk->message[i].sender]++] = chunk->message[i];
	return true;
}

/* ---- of runs ---- */

/* Runs that devices need, out of runs that devices hold, each alone: what goes where is counted first, and then put in its place. */
struct running {
	const sw_relation *relation;
	sw_shelf *shelf;
	int64_t *next; /* of each sender, where its next message stands */
	sw_message *message;
	sw_indices *set;
	sw_family *family;
};

static void put_run(struct running *r, int32_t sender, int32_t receiver, int64_t begin, int64_t end)
{
	int64_t n = r->next[sender]++;

	r->set[n] = sw_indices_range(begin, end, &r->family[n]);
	r->message[n] = (sw_message){sender, receiver, end - begin, {1, 1, &r->set[n]}};
}

/* Counts, behind each sender, or with `put` puts. */
static void receive_run(struct running *r, int32_t receiver, const sw_family *need, bool put)
{
	const sw_blocks *held = &r->relation->held;
	int64_t begin = need->first, end = begin + need->run;

	for (int i = sw_shelf_first(r->shelf, begin); i < r->shelf->count && r->shelf->phase[i].phase < end; i++) {
		const sw_phase *phase = &r->shelf->phase[i];
		int32_t sender = held->holder[held->first_holder[phase->set]];
		int64_t last = phase->phase + phase->length;
		if (sender == receiver)
			continue;
		if (put)
			put_run(r, sender, receiver, phase->phase > begin ? phase->phase : begin, last < end ? last : end);
		else
			r->next[sender + 1]++;
	}
}

static void receive_runs(struct running *r, bool put)
{
	const sw_blocks *needed = &r->relation->needed;

	for (int32_t device = 0; device < needed->devices; device++)
		for (int32_t i = needed->first_block[device]; i < needed->first_block[device + 1]; i++)
			receive_run(r, device, sw_block_set(needed, needed->block[i], 0)->family, put);
}

static bool list_runs(struct running *r, sw_arena *arena, sw_arena *scratch, sw_messages *messages)
{
	int32_t devices = r->relation->needed.devices;

	r->next = SW_NEW_ZERO(scratch, int64_t, devices + 1);
	if (r->next == NULL)
		return false;
	receive_runs(r, false);
	for (int32_t device = 0; device < devices; device++)
		r->next[device + 1] += r->next[device];
	messages->count = r->next[devices];
	messages->message = r->message = SW_NEW(arena, sw_message, messages->count);
	r->set = SW_NEW(arena, sw_indices, messages->count);
	r->family = SW_NEW(arena, sw_family, messages->count);
	if (r->message == NULL || r->set == NULL || r->family == NULL)
		return false;
	receive_runs(r, true);
	return true;
}

/* The shelf of the runs that are held, where each device has at most one and needs at most one; NULL: it is not so. */
static sw_shelf *runs_of(const sw_relation *relation)
{
	bool alone = relation->unique && relation->single && !relation->terms && relation->held.rank == 1;

	return alone && sw_blocks_are_runs(&relation->needed) ? sw_finder_runs(relation->held.finder[0]) : NULL;
}

/* ---- all of them ---- */

bool sw_relation_messages(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_messages *messages)
{
	if (!sw_meetings_index(&relation->held, relation->arena))
		return false;
	struct running running = {.relation = relation, .shelf = runs_of(relation)};
	struct listing l = {.rank = relation->rank,
		.single = relation->single,
		.arena = arena,
		.scratch = sw_arena_new()};
	bool done = l.scratch != NULL;
	if (done && running.shelf != NULL)
		done = list_runs(&running, arena, l.scratch, messages);
	else if (done)
		done = sw_relation_shares(relation, rule, arena, list_share, &l) && end_receiver(&l) &&
			sort_messages(&l, relation->held.devices, messages);

	sw_arena_free(l.scratch);
	return done;
}

/* ---- of some receivers ---- */

static bool take_messages(const struct listing *l, sw_messages *messages)
{
	int64_t count = 0;

	messages->count = l->messages;
	messages->message = SW_NEW(l->arena, sw_message, l->messages);
	for (const struct chunk *chunk = l->first; chunk != NULL && messages->message != NULL; chunk = chunk->next)
		for (int i = 0; i < chunk->count; i++)
			messages->message[count++] = chunk->message[i];
	return messages->message != NULL;
}

bool sw_relation_messages_to(sw_relation *relation, sw_sender_rule rule, const sw_receivers *to, sw_arena *arena,
	sw_messages *messages)
{
	struct listing l = {.rank = relation->rank, .arena = arena, .scratch = sw_arena_new(), .most = to->most};
	bool done = l.scratch != NULL &&
		(sw_relation_shares_to(relation, rule, to, arena, list_share, &l) || is_full(&l)) && end_receiver(&l) &&
		take_messages(&l, messages);

	sw_arena_free(l.scratch);
	return done;
}

/* ---- runs ---- */

/* How many indices of one set are followed by one of another, in a dimension of this size. */
static int64_t followed(const sw_indices *a, const sw_indices *b, sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(arena);
	sw_family *family = SW_NEW(arena, sw_family, a->count);
	sw_indices next = {a->count, family};

	for (int i = 0; family != NULL && i < a->count; i++) {
		family[i] = a->family[i];
		family[i].first++;
	}
	int64_t count = family != NULL ? sw_sets_meet(&next, b, arena, NULL) : -1;
	sw_arena_back(arena, mark);
	return count;
}

/* How many elements of one product are followed by one of another, row by row; -1: no memory.  An element is followed in its row, or
 * at the end of its row by the first of the next one. */
static int64_t products_followed(const sw_indices *a, const sw_indices *b, const int64_t *global, int rank,
	sw_arena *arena)
{
	int64_t common = 1, pairs = 0;

	for (int dim = 0; dim < rank; dim++) {
		int64_t next = followed(&a[dim], &b[dim], arena), both = sw_sets_meet(&a[dim], &b[dim], arena, NULL);
		if (next < 0 || both < 0)
			return -1;
		bool around = sw_indices_has(&a[dim], global[dim] - 1) && sw_indices_has(&b[dim], 0);
		pairs = common * next + (around ? pairs : 0);
		common *= both;
	}
	return pairs;
}

static int64_t pieces_of(const sw_region *region, const int64_t *global, sw_arena *arena)
{
	int64_t pieces = sw_region_size(region);

	for (int i = 0; i < region->count; i++)
		for (int k = 0; k < region->count; k++) {
			int64_t followed = products_followed(sw_region_product(region, i), sw_region_product(region, k), global,
				region->rank, arena);
			if (followed < 0)
				return -1;
			pieces -= followed;
		}
	return pieces;
}

int64_t sw_region_pieces(const sw_region *region, const int64_t *global)
{
	sw_arena *arena = sw_arena_new();
	int64_t pieces = arena != NULL ? pieces_of(region, global, arena) : -1;

	sw_arena_free(arena);
	return pieces;
}

int64_t sw_messages_pieces(const sw_messages *messages, const int64_t *global)
{
	sw_arena *arena = sw_arena_new();
	int64_t all = arena != NULL ? 0 : -1;

	for (int64_t i = 0; all >= 0 && i < messages->count; i++) {
		int64_t pieces = pieces_of(&messages->message[i].region, global, arena);
		all = pieces < 0 ? -1 : all + pieces;
	}
	sw_arena_free(arena);
	return all;
}

/* ---- sums ---- */

static uint64_t sum_of_family(const sw_family *f)
{
	__extension__ unsigned __int128 run = (unsigned __int128)f->run * (uint64_t)(f->run - 1) / 2,
									steps = (unsigned __int128)f->count * (uint64_t)(f->count - 1) / 2;

	return (uint64_t)f->count * ((uint64_t)f->first * (uint64_t)f->run + (uint64_t)run) +
		(uint64_t)f->run * (uint64_t)f->step * (uint64_t)steps;
}

uint64_t sw_region_sum(const sw_region *region, const int64_t *global)
{
	uint64_t sum = 0;

	for (int i = 0; i < region->count; i++) {
		uint64_t size = 1, part = 0; /* elements of the dimensions so far, and the sum of their indices */
		for (int dim = 0; dim < region->rank; dim++) {
			const sw_indices *set = &region->set[(size_t)i * (size_t)region->rank + (size_t)dim];
			uint64_t own = 0, indices = (uint64_t)sw_indices_size(set);
			for (int k = 0; k < set->count; k++)
				own += sum_of_family(&set->family[k]);
			part = part * (uint64_t)global[dim] * indices + size * own;
			size *= indices;
		}
		sum += part;
	}
	return sum;
}
