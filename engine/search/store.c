/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States, their queue and their journal.
 */
#include "search/store.h"

#include <assert.h>
#include <stdlib.h>

#include "base/resize.h"

bool sw_store_init(sw_store *store, int key_bytes, bool journaled)
{
	*store = (sw_store){.journaled = journaled};
	store->failed = !sw_keys_init(&store->keys, key_bytes);
	return !store->failed;
}

void sw_store_free(sw_store *store)
{
	sw_keys_free(&store->keys);
	sw_heap_free(&store->queue);
	free(store->states);
	free(store->records);
	free(store->journal);
	*store = (sw_store){0};
}

/* A table of keys has two slots to four for each key, and a queue four numbers. */
static size_t bytes_for(const sw_store *store, int64_t keys, int64_t states)
{
	size_t queue = 2 * sizeof(int64_t) + 2 * sizeof(int32_t), slots = 2 * sizeof(int32_t);

	return (size_t)keys * ((size_t)store->keys.bytes + slots) + (size_t)states * (sizeof(sw_state) + queue);
}

size_t sw_store_bytes(const sw_store *store)
{
	return bytes_for(store, store->keys.room, store->room);
}

bool sw_store_is_full(const sw_store *store)
{
	bool more_keys = store->keys.count == store->keys.room, more_states = store->keys.count == store->room;

	return store->most_bytes > 0 &&
		bytes_for(store, (int64_t)store->keys.room << more_keys, (int64_t)store->room << more_states) >
		store->most_bytes;
}

int32_t sw_store_find(const sw_store *store, const uint8_t *key)
{
	return sw_keys_find(&store->keys, key);
}

/* What a state is still sure to add to its `minor`. */
static int64_t minor_left(const sw_store *store, const sw_state *state)
{
	return store->prime > 0 ? sw_minor(state->bound / store->prime * (store->prime - 1), 0, 0) : 0;
}

static void enqueue(sw_store *store, int32_t n)
{
	const sw_state *state = &store->states[n];

	if (!sw_heap_put(&store->queue, n, sw_cost_plus(state->cost, state->bound),
			state->minor + minor_left(store, state)))
		store->failed = true;
}

/* Makes room for the state that comes next; false: memory. */
static bool state_room(sw_store *store)
{
	int32_t room = store->room == 0 ? 64 : 2 * store->room;

	if (store->keys.count < store->room)
		return true;
	if (!sw_resize(&store->states, room, sizeof *store->states))
		return false;
	store->room = room;
	return true;
}

static bool note_change(sw_store *store, int32_t n)
{
	int64_t room = store->journal_room == 0 ? 64 : 2 * store->journal_room;

	if (!store->journaled)
		return true;
	if (store->changes == store->journal_room) {
		if (!sw_resize(&store->journal, room, sizeof *store->journal))
			return false;
		store->journal_room = room;
	}
	store->journal[store->changes++] = (sw_state_change){n, sw_heap_has(&store->queue, n), store->states[n]};
	return true;
}

static bool is_better(const sw_state *known, const sw_state *state)
{
	return state->cost < known->cost || (state->cost == known->cost && state->minor < known->minor);
}

bool sw_store_offer(sw_store *store, const uint8_t *key, const sw_state *state)
{
	int32_t count = store->keys.count, n, order = 0;

	if (state->bound == SW_NEVER || store->failed)
		return false;
	n = state_room(store) ? sw_keys_add(&store->keys, key) : -1;
	if (n >= 0 && n < count) {
		if (!is_better(&store->states[n], state))
			return false;
		order = store->states[n].order;
		store->failed = !note_change(store, n);
	}
	store->failed = store->failed || n < 0;
	if (store->failed)
		return false;
	store->states[n] = *state;
	store->states[n].order = order;
	enqueue(store, n);
	return n == count;
}

int32_t sw_store_next(const sw_store *store)
{
	return sw_heap_first(&store->queue);
}

static void note_taken(sw_store *store, int32_t n)
{
	int32_t room = store->record_room == 0 ? 64 : 2 * store->record_room;

	if (store->taken == store->record_room) {
		store->failed = !sw_resize(&store->records, room, sizeof *store->records);
		if (store->failed)
			return;
		store->record_room = room;
	}
	store->records[store->taken++] = (sw_store_record){n, store->keys.count, store->settled, store->changes,
		store->edges, store->states[n].order != 0};
}

int32_t sw_store_take(sw_store *store)
{
	int32_t n = sw_store_next(store);

	if (n >= 0 && store->journaled)
		note_taken(store, n);
	if (n < 0 || store->failed)
		return -1;
	sw_heap_pop(&store->queue);
	if (store->states[n].order == 0)
		store->states[n].order = ++store->settled;
	return n;
}

static void leave_queue(sw_store *store, int32_t n)
{
	if (sw_heap_has(&store->queue, n))
		sw_heap_remove(&store->queue, n);
}

void sw_store_back(sw_store *store)
{
	assert(store->journaled && store->taken > 0);
	sw_store_record record = store->records[--store->taken];

	while (store->changes > record.changes) {
		const sw_state_change *change = &store->journal[--store->changes];

		store->states[change->number] = change->before;
		if (change->waiting)
			enqueue(store, change->number);
		else
			leave_queue(store, change->number);
	}
	while (store->keys.count > record.count) {
		leave_queue(store, store->keys.count - 1);
		sw_keys_drop(&store->keys);
	}
	store->edges = record.edges;
	store->settled = record.settled;
	if (!record.again)
		store->states[record.taken].order = 0;
	enqueue(store, record.taken);
	store->failed = false;
}
