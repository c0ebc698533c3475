/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages: the shares that come from one device, and the runs of indices that they are.
 */
#include <stdlib.h>
#include <string.h>

#include "relation/shares.h"

/* ---- receiver by receiver ---- */

/* A share with room for what it is of. */
struct part {
	int32_t sender;
	int64_t size;
	size_t set; /* where its sets begin in `set` */
};

struct listing {
	int rank;
	sw_arena *arena;   /* of what is made */
	sw_arena *scratch; /* of what grows */
	int32_t receiver;  /* of the parts */
	int parts, part_room, set_room;
	struct part *part;
	sw_indices *set; /* of the parts, `rank` each */
	int messages, message_room;
	sw_message *message;
};

static int by_sender(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return a->sender != b->sender ? (a->sender > b->sender) - (a->sender < b->sender) :
									(a->set > b->set) - (a->set < b->set);
}

static void sort_parts(struct listing *l)
{
	for (int i = 1; i < l->parts; i++)
		if (l->part[i].sender < l->part[i - 1].sender) {
			qsort(l->part, (size_t)l->parts, sizeof *l->part, by_sender);
			return;
		}
}

/* The parts from `first` to `last` - 1 as a message. */
static bool add_message(struct listing *l, int first, int last)
{
	int rank = l->rank;
	sw_indices *set = SW_NEW(l->arena, sw_indices, (last - first) * rank);
	sw_message message = {l->part[first].sender, l->receiver, 0, {rank, last - first, set}};

	if (set == NULL || !SW_GROW(l->scratch, l->message, l->messages, l->message_room, 1024))
		return false;
	for (int i = first; i < last; i++) {
		memcpy(set + (size_t)(i - first) * (size_t)rank, l->set + l->part[i].set, (size_t)rank * sizeof *set);
		message.elements += l->part[i].size;
	}
	l->message[l->messages++] = message;
	return true;
}

static bool end_receiver(struct listing *l)
{
	sort_parts(l);
	for (int first = 0, last = 0; first < l->parts; first = last) {
		while (last < l->parts && l->part[last].sender == l->part[first].sender)
			last++;
		if (!add_message(l, first, last))
			return false;
	}
	l->parts = 0;
	return true;
}

static bool list_share(void *user, const sw_share *share)
{
	struct listing *l = user;
	int sets = l->parts * l->rank;

	if (share->sender == share->receiver)
		return true;
	if (share->receiver != l->receiver && !end_receiver(l))
		return false;
	if (share->receiver != l->receiver)
		sets = 0;
	l->receiver = share->receiver;
	if (!SW_GROW(l->scratch, l->part, l->parts, l->part_room, 64))
		return false;
	while (sets + l->rank > l->set_room)
		if (!SW_GROW(l->scratch, l->set, l->set_room, l->set_room, 64))
			return false;
	if (l->rank > 0)
		memcpy(l->set + sets, share->set, (size_t)l->rank * sizeof *l->set);
	l->part[l->parts++] = (struct part){share->sender, share->size, (size_t)sets};
	return true;
}

/* ---- by senders ---- */

/* Those of one sender stay in the order of receivers. */
static bool sort_messages(const struct listing *l, int32_t devices, sw_messages *messages)
{
	int32_t *first = SW_NEW_ZERO(l->scratch, int32_t, devices + 1);

	messages->count = l->messages;
	messages->message = SW_NEW(l->arena, sw_message, l->messages);
	if (first == NULL || messages->message == NULL)
		return false;
	for (int i = 0; i < l->messages; i++)
		first[l->message[i].sender + 1]++;
	for (int32_t device = 0; device < devices; device++)
		first[device + 1] += first[device];
	for (int i = 0; i < l->messages; i++)
		messages->message[first[l->message[i].sender]++] = l->message[i];
	return true;
}

bool sw_relation_messages(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_messages *messages)
{
	struct listing l = {.rank = relation->rank, .arena = arena, .scratch = sw_arena_new()};
	bool done = l.scratch != NULL && sw_relation_shares(relation, rule, arena, list_share, &l) && end_receiver(&l) &&
		sort_messages(&l, relation->held.devices, messages);

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
			int64_t followed = products_followed(region->set + (size_t)i * (size_t)region->rank,
				region->set + (size_t)k * (size_t)region->rank, global, region->rank, arena);
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
