/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best renumbering: a matching of the most weight between devices and the roles that they may play in `to`.
 *
 * Each has a price, and what a device and a role have in common is never more than both prices; where they are matched it is as
 * much, and whoever is free has price 0.  Then no matching is worth more.  Roles come one after the other; a role finds the cheapest
 * path over which others change their devices until one is free, or until it costs least to leave a role without one.
 */
#include <string.h>

#include "base/heap.h"
#include "relation/relation.h"

/* Beyond these nobody waits for the answer. */
enum { MOST_PAIRS = 1 << 22, MOST_LOOKS = 1 << 26 };

struct pair {
	int32_t device;
	int64_t common;
};

struct matching {
	sw_relation *relation;
	sw_arena *arena;
	int32_t devices;
	int32_t *first; /* of each role, among the pairs */
	int pairs, room;
	struct pair *pair;
	int32_t *at; /* where a device stands among the pairs of the present role */
	int64_t *role_price, *device_price;
	int32_t *device_of, *role_of; /* -1: free */
	/* of the search */
	sw_heap heap;     /* devices */
	int32_t *from;    /* of each device, the role that reaches it */
	int64_t *far;     /* and at what cost; -1: nobody does */
	int32_t *reached; /* devices that the search has left the heap with */
	int reaches;
	int64_t looks;
};

/* ---- what they have in common ---- */

static bool add_common(struct matching *m, int32_t role, int32_t device, int64_t common)
{
	int32_t at = m->at[device];

	if (at >= m->first[role] && at < m->pairs && m->pair[at].device == device) {
		m->pair[at].common += common;
		return true;
	}
	if (!SW_GROW(m->arena, m->pair, m->pairs, m->room, 1024))
		return false;
	m->at[device] = m->pairs;
	m->pair[m->pairs++] = (struct pair){device, common};
	return true;
}

static bool add_meetings(struct matching *m, int32_t role, const sw_meetings *met)
{
	const sw_blocks *held = &m->relation->held;

	for (int i = 0; i < met->count && m->pairs <= MOST_PAIRS; i++) {
		int32_t block = met->meeting[i].block;
		for (int32_t n = held->first_holder[block]; n < held->first_holder[block + 1]; n++)
			if (!add_common(m, role, held->holder[n], met->meeting[i].size))
				return false;
	}
	return true;
}

static bool find_pairs(struct matching *m)
{
	const sw_blocks *needed = &m->relation->needed;

	for (int32_t role = 0; role < m->devices; role++) {
		m->first[role] = m->pairs;
		for (int32_t i = needed->first_block[role]; i < needed->first_block[role + 1] && m->pairs <= MOST_PAIRS;
			 i++) {
			const sw_meetings *met = sw_relation_meetings(m->relation, needed->block[i]);
			if (met == NULL || !add_meetings(m, role, met))
				return false;
		}
	}
	m->first[m->devices] = m->pairs;
	return true;
}

/* ---- the first matching ---- */

static void match(struct matching *m, int32_t role, int32_t device)
{
	m->device_of[role] = device;
	m->role_of[device] = role;
}

/* A role starts with the price of the best that it can have. */
static void start_prices(struct matching *m)
{
	for (int32_t role = 0; role < m->devices; role++)
		for (int32_t i = m->first[role]; i < m->first[role + 1]; i++)
			if (m->pair[i].common > m->role_price[role])
				m->role_price[role] = m->pair[i].common;
}

/* Gives each role that has none a free device that is worth its price: its own, or with `any` any. */
static void match_best(struct matching *m, bool any)
{
	for (int32_t role = 0; role < m->devices; role++)
		for (int32_t i = m->first[role]; m->device_of[role] < 0 && i < m->first[role + 1]; i++) {
			const struct pair *pair = &m->pair[i];
			if (pair->common == m->role_price[role] && m->role_of[pair->device] < 0 && (any || pair->device == role))
				match(m, role, pair->device);
		}
}

/* ---- paths ---- */

/* Offers all devices to what a role that is reached at this cost has in common with them. */
static bool look(struct matching *m, int32_t role, int64_t cost)
{
	for (int32_t i = m->first[role]; i < m->first[role + 1]; i++) {
		int32_t device = m->pair[i].device;
		int64_t far = cost + m->role_price[role] + m->device_price[device] - m->pair[i].common;
		m->looks++;
		if (m->far[device] >= 0 && m->far[device] <= far)
			continue;
		m->far[device] = far;
		m->from[device] = role;
		if (!sw_heap_put(&m->heap, device, far, 0))
			return false;
	}
	return true;
}

/* The end of the cheapest path from a role: a device that is free, or the one of a role that is left without. */
struct end {
	int64_t cost;
	int32_t device, role; /* device -1: the role that the path begins with is left without */
};

static bool find_end(struct matching *m, int32_t start, struct end *end)
{
	*end = (struct end){m->role_price[start], -1, start};
	if (!look(m, start, 0))
		return false;
	for (int device = sw_heap_first(&m->heap); device >= 0 && m->far[device] < end->cost;
		 device = sw_heap_first(&m->heap)) {
		sw_heap_pop(&m->heap);
		m->reached[m->reaches++] = device;
		int32_t role = m->role_of[device];
		int64_t cost = m->far[device];
		if (role < 0) {
			*end = (struct end){cost, device, -1};
			return true;
		}
		if (cost + m->role_price[role] < end->cost)
			*end = (struct end){cost + m->role_price[role], device, role};
		if (!look(m, role, cost))
			return false;
	}
	return true;
}

/* What is reached before the end becomes as much dearer, or cheaper, as it is nearer. */
static void change_prices(struct matching *m, int32_t start, const struct end *end)
{
	m->role_price[start] -= end->cost;
	for (int i = 0; i < m->reaches; i++) {
		int32_t device = m->reached[i];
		if (m->far[device] >= end->cost)
			continue;
		m->device_price[device] += end->cost - m->far[device];
		if (m->role_of[device] >= 0)
			m->role_price[m->role_of[device]] -= end->cost - m->far[device];
	}
}

static void change_path(struct matching *m, const struct end *end)
{
	int32_t device = end->device;

	if (end->role >= 0)
		m->device_of[end->role] = -1;
	while (device >= 0) {
		int32_t role = m->from[device], before = m->device_of[role];
		match(m, role, device);
		device = before;
	}
}

static void forget_search(struct matching *m)
{
	while (sw_heap_first(&m->heap) >= 0)
		m->far[sw_heap_pop(&m->heap)] = -1;
	for (int i = 0; i < m->reaches; i++)
		m->far[m->reached[i]] = -1;
	m->reaches = 0;
}

static bool find_device(struct matching *m, int32_t role)
{
	struct end end;

	if (!find_end(m, role, &end))
		return false;
	change_prices(m, role, &end);
	change_path(m, &end);
	forget_search(m);
	return true;
}

/* ---- the answer ---- */

/* Those that are left free: their own number where it is free too, else the next. */
static void match_rest(struct matching *m)
{
	int32_t device = 0;

	for (int32_t role = 0; role < m->devices; role++)
		if (m->device_of[role] < 0 && m->role_of[role] < 0)
			match(m, role, role);
	for (int32_t role = 0; role < m->devices; role++) {
		if (m->device_of[role] >= 0)
			continue;
		while (m->role_of[device] >= 0)
			device++;
		match(m, role, device);
	}
}

static int64_t common_of(const struct matching *m, int32_t role, int32_t device)
{
	for (int32_t i = m->first[role]; i < m->first[role + 1]; i++)
		if (m->pair[i].device == device)
			return m->pair[i].common;
	return 0;
}

static bool start_matching(struct matching *m)
{
	int32_t n = m->devices;

	m->first = SW_NEW(m->arena, int32_t, n + 1);
	m->at = SW_NEW_ZERO(m->arena, int32_t, n);
	m->role_price = SW_NEW_ZERO(m->arena, int64_t, n);
	m->device_price = SW_NEW_ZERO(m->arena, int64_t, n);
	m->device_of = SW_NEW(m->arena, int32_t, n);
	m->role_of = SW_NEW(m->arena, int32_t, n);
	m->from = SW_NEW(m->arena, int32_t, n);
	m->far = SW_NEW(m->arena, int64_t, n);
	m->reached = SW_NEW(m->arena, int32_t, n);
	if (m->first == NULL || m->at == NULL || m->role_price == NULL || m->device_price == NULL ||
		m->device_of == NULL || m->role_of == NULL || m->from == NULL || m->far == NULL || m->reached == NULL)
		return false;
	memset(m->device_of, 0xff, (size_t)n * sizeof *m->device_of);
	memset(m->role_of, 0xff, (size_t)n * sizeof *m->role_of);
	memset(m->far, 0xff, (size_t)n * sizeof *m->far);
	return find_pairs(m);
}

static bool too_many(const struct matching *m)
{
	return m->pairs > MOST_PAIRS || m->looks > MOST_LOOKS;
}

static bool solve(struct matching *m)
{
	if (!start_matching(m))
		return false;
	if (too_many(m))
		return true;
	start_prices(m);
	match_best(m, false);
	match_best(m, true);
	for (int32_t role = 0; role < m->devices && !too_many(m); role++)
		if (m->device_of[role] < 0 && m->role_price[role] > 0 && !find_device(m, role))
			return false;
	match_rest(m);
	return true;
}

/* Where nobody gains by another number all keep theirs. */
static void answer(const struct matching *m, int32_t *role, int64_t *kept)
{
	int64_t stays = 0;

	*kept = too_many(m) ? -1 : 0;
	for (int32_t device = 0; device < m->devices; device++) {
		role[device] = device;
		stays += common_of(m, device, device);
		*kept += *kept >= 0 ? common_of(m, device, m->device_of[device]) : 0;
	}
	for (int32_t device = 0; *kept > stays && device < m->devices; device++)
		role[device] = m->role_of[device];
}

/* Nobody can keep more than he holds, nor a role more than it needs: is that so much already under the own numbers?  So it
 * is where nobody can count them.  -1: no memory. */
static int keep_all(const sw_relation *r, int32_t *role, int64_t *kept)
{
	__extension__ __int128 held = 0, needed = 0, all = 0;
	int64_t one = 0;
	sw_arena *scratch = sw_arena_new();

	for (int32_t device = 0; scratch != NULL && one >= 0 && device < r->held.devices; device++) {
		one = sw_relation_kept(r, device, scratch);
		role[device] = device;
		all += one;
		held += sw_blocks_elements(&r->held, device);
		needed += sw_blocks_elements(&r->needed, device);
	}
	bool done = scratch != NULL && one >= 0;
	sw_arena_free(scratch);
	bool fits = held <= INT64_MAX || needed <= INT64_MAX;
	*kept = fits ? (int64_t)all : -1;
	return done ? !fits || all == held || all == needed : -1;
}

/* Does every role keep as much under its own number as it has in common with any block?  That is seen in a grid without a look at all
 * pairs.  -1: no memory. */
static int keep_most(sw_relation *r, int64_t kept)
{
	int64_t most = 0;

	if (!r->single || r->needed.count == 0 || r->held.count == 0 || r->held.rank < 2)
		return 0;
	for (int32_t block = 0; block < r->needed.count; block++) {
		int64_t one = sw_relation_most(r, block);
		if (one < 0)
			return -1;
		most += one * sw_block_holders(&r->needed, block);
	}
	return most == kept;
}

bool sw_relation_relabel(sw_relation *relation, int32_t *role, int64_t *kept)
{
	int all = keep_all(relation, role, kept);
	all = all == 0 ? keep_most(relation, *kept) : all;
	int64_t pairs = all == 0 && relation->unique && relation->single ? sw_relation_pairs(relation) : 0;
	struct matching m = {.relation = relation, .devices = relation->held.devices};

	if (all != 0 || pairs < 0)
		return all > 0;
	if (pairs > MOST_PAIRS) {
		*kept = -1;
		return true;
	}
	m.arena = sw_arena_new();
	bool done = m.arena != NULL && solve(&m);
	if (done)
		answer(&m, role, kept);
	sw_heap_free(&m.heap);
	sw_arena_free(m.arena);
	return done;
}
