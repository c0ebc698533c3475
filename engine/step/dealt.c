/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers by holders: every device gets what it needs of each tile from one that holds it.
 *
 * Who holds a tile sends it to itself.  The other devices that need some of it, in the order of their numbers, are dealt to
 * its holders: with s elements to send in all, the box whose middle is element m comes from holder number m * holders / s, between
 * two of them from the lower one.  Elements are counted in blocks of the size that both tiles have in common.
 *
 * Where values are still to be summed, each term of a tile counts as a tile of its own: tile n of term t has the number
 * t * tiles + n.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "index/box.h"
#include "step/transfers.h"

/* ---- the tiles that a device needs some of ---- */

typedef struct met {
	int64_t first[SW_MAX_DIMS], count[SW_MAX_DIMS], step[SW_MAX_DIMS];
	const int32_t *term; /* of each tile, the next one last; NULL: values are whole */
	int64_t terms;       /* how many are left */
	int64_t tile;        /* the number of the present one */
} met;

static int64_t met_number(const sw_transfers *t, const met *m)
{
	int64_t number = 0;

	for (int i = 0; i < t->before.rank; i++)
		number = number * t->grid[i] + m->first[i] + m->step[i];
	return m->term ? number + t->tiles * *m->term : number;
}

static int32_t term_of(const sw_tiles *tiles, int64_t device)
{
	return tiles->term ? tiles->term[device] : 0;
}

/* The terms that a device needs of each tile; how many. */
static int64_t met_terms(const sw_transfers *t, int64_t device, met *m)
{
	int32_t own = term_of(&t->after, device);

	m->term = t->first_joined ? t->joined + t->first_joined[own] : NULL;
	m->terms = t->first_joined ? t->first_joined[own + 1] - t->first_joined[own] : 1;
	return m->terms;
}

static int64_t met_start(const sw_transfers *t, int64_t device, met *m)
{
	const int64_t *need = t->after.at + device * t->after.rank, *tile = t->before.tile;
	int64_t all = met_terms(t, device, m);

	if (all == 0)
		return 0;
	for (int i = 0; i < t->after.rank; i++) {
		m->first[i] = need[i] / tile[i];
		m->count[i] = (need[i] + t->after.tile[i] - 1) / tile[i] - m->first[i] + 1;
		m->step[i] = 0;
		all *= m->count[i];
	}
	m->tile = met_number(t, m);
	return all;
}

static bool met_next(const sw_transfers *t, met *m)
{
	for (int i = t->before.rank - 1; i >= 0; i--) {
		if (++m->step[i] < m->count[i]) {
			m->tile = i == t->before.rank - 1 ? m->tile + 1 : met_number(t, m);
			return true;
		}
		m->step[i] = 0;
	}
	if (--m->terms <= 0)
		return false;
	m->term++;
	m->tile = met_number(t, m);
	return true;
}

/* The number of tile n that `device` needs. */
static int64_t met_nth(const sw_transfers *t, int64_t device, int64_t n)
{
	met m;

	met_start(t, device, &m);
	for (int i = t->before.rank - 1; i >= 0; i--) {
		m.step[i] = n % m.count[i];
		n /= m.count[i];
	}
	if (m.term)
		m.term += n;
	return met_number(t, &m);
}

/* Which of the tiles that `to` needs `from` holds; -1: none. */
static int64_t met_index(const sw_transfers *t, int64_t from, int64_t to)
{
	const int64_t *at = t->before.at + from * t->before.rank;
	int64_t n = 0;
	met m;

	if (met_start(t, to, &m) == 0)
		return -1;
	while (m.term && n < m.terms && m.term[n] != term_of(&t->before, from))
		n++;
	if (n == m.terms)
		return -1;
	for (int i = 0; i < t->before.rank; i++) {
		int64_t step = at[i] / t->before.tile[i] - m.first[i];

		if (step < 0 || step >= m.count[i])
			return -1;
		n = n * m.count[i] + step;
	}
	return n;
}

static int64_t tile_held(const sw_transfers *t, int64_t device)
{
	const int64_t *at = t->before.at + device * t->before.rank;
	int64_t number = 0;

	for (int i = 0; i < t->before.rank; i++)
		number = number * t->grid[i] + at[i] / t->before.tile[i];
	return number + t->tiles * term_of(&t->before, device);
}

/* ---- holders ---- */

static bool inside(const sw_tiles *tiles)
{
	for (int i = 0; i < tiles->rank; i++) {
		if (tiles->tile[i] < 1 || tiles->global[i] % tiles->tile[i] != 0)
			return false;
		for (int64_t d = 0; d < tiles->devices; d++) {
			int64_t at = tiles->at[d * tiles->rank + i];

			if (at < 0 || at > tiles->global[i] - tiles->tile[i])
				return false;
		}
	}
	return true;
}

/* Tiles, each term of one counted; -1: too many to number. */
static int64_t grid_tiles(sw_transfers *t)
{
	int64_t tiles = 1;

	for (int i = 0; i < t->before.rank; i++) {
		t->grid[i] = t->before.global[i] / t->before.tile[i];
		if (!sw_mul(tiles, t->grid[i], &tiles))
			return -1;
	}
	t->tiles = tiles;
	if (t->before.term && !sw_mul(tiles, t->before.terms, &tiles))
		return -1;
	return tiles < INT32_MAX ? tiles : -1;
}

/* Sorts the terms before the step by those after it that they are parts of. */
static bool join_terms(sw_transfers *t, sw_diag *diag)
{
	int64_t before = t->before.term ? t->before.terms : 1, after = t->after.term ? t->after.terms : 1;

	if (!t->before.term && !t->after.term)
		return true;
	t->first_joined = SW_NEW_ZERO(t->arena, int32_t, after + 2);
	t->joined = SW_NEW(t->arena, int32_t, before);
	if (t->first_joined == NULL || t->joined == NULL)
		return sw_diag_memory(diag);
	for (int64_t n = 0; n < before; n++)
		t->first_joined[(t->before.joins ? t->before.joins[n] : 0) + 2]++;
	for (int64_t n = 2; n <= after + 1; n++)
		t->first_joined[n] += t->first_joined[n - 1];
	for (int64_t n = 0; n < before; n++)
		t->joined[t->first_joined[(t->before.joins ? t->before.joins[n] : 0) + 1]++] = (int32_t)n;
	return true;
}

/* The devices that hold each tile; sets whether any tile has several. */
static bool list_holders(sw_transfers *t, int64_t tiles, bool *copies, sw_diag *diag)
{
	int64_t devices = t->before.devices;
	int32_t *first = SW_NEW_ZERO(t->arena, int32_t, tiles + 2);

	t->first_holder = first;
	t->holder = SW_NEW(t->arena, int32_t, devices);
	if (first == NULL || t->holder == NULL)
		return sw_diag_memory(diag);
	for (int64_t d = 0; d < devices; d++)
		first[tile_held(t, d) + 2]++;
	for (int64_t n = 2; n <= tiles + 1; n++) {
		*copies = *copies || first[n] > 1;
		first[n] += first[n - 1];
	}
	for (int64_t d = 0; d < devices; d++)
		t->holder[first[tile_held(t, d) + 1]++] = (int32_t)d;
	return true;
}

static int64_t holders_of(const sw_transfers *t, int64_t tile)
{
	return t->first_holder[tile + 1] - t->first_holder[tile];
}

/* ---- dealing ---- */

typedef struct deal {
	sw_transfers *t;
	int64_t unit[SW_MAX_DIMS], old[SW_MAX_DIMS], new[SW_MAX_DIMS]; /* tiles in blocks */
	int64_t need[SW_MAX_DIMS];                                     /* of the present device, in blocks */
	int64_t *total, *dealt;                                        /* of each tile, in blocks */
	int32_t *first, *sender;
} deal;

static void deal_units(deal *x)
{
	for (int i = 0; i < x->t->before.rank; i++) {
		int64_t old = x->t->before.tile[i], new = x->t->after.tile[i];

		x->unit[i] = sw_gcd(old, new);
		x->old[i] = old / x->unit[i];
		x->new[i] = new / x->unit[i];
	}
}

static int64_t deal_start(deal *x, int64_t device, met *m)
{
	for (int i = 0; i < x->t->after.rank; i++)
		x->need[i] = x->t->after.at[device * x->t->after.rank + i] / x->unit[i];
	return met_start(x->t, device, m);
}

/* How many blocks of a tile the present device needs. */
static int64_t blocks_of(const deal *x, const met *m)
{
	int64_t blocks = 1;

	for (int i = 0; i < x->t->before.rank; i++)
		blocks *= sw_overlap((m->first[i] + m->step[i]) * x->old[i], x->old[i], x->need[i], x->new[i]);
	return blocks;
}

static int32_t deal_sender(const deal *x, int64_t device, int64_t mine, const met *m)
{
	const sw_transfers *t = x->t;
	int64_t holders = holders_of(t, m->tile);
	const int32_t *holder = t->holder + t->first_holder[m->tile];

	if (holders == 0)
		return -1;
	if (m->tile == mine)
		return (int32_t)device;
	int64_t blocks = blocks_of(x, m);
	assert(blocks > 0 && x->dealt[m->tile] + blocks <= x->total[m->tile]);
	uint64_t middle = 2 * (uint64_t)x->dealt[m->tile] + (uint64_t)blocks, all = 2 * (uint64_t)x->total[m->tile];
	uint64_t number = all ? (middle * (uint64_t)holders - 1) / all : 0;
	x->dealt[m->tile] += blocks;
	return holder[number < (uint64_t)holders ? number : (uint64_t)holders - 1];
}

/* Adds up what is to be sent of each tile, and how many senders there are. */
static int64_t deal_count(deal *x)
{
	const sw_transfers *t = x->t;
	int64_t entries = 0;
	met m;

	for (int64_t d = 0; d < t->after.devices; d++) {
		int64_t mine = tile_held(t, d);

		int64_t needs = deal_start(x, d, &m);

		x->first[d] = (int32_t)entries;
		entries += needs;
		if (entries > INT32_MAX)
			return -1;
		if (needs == 0)
			continue;
		do
			x->total[m.tile] += m.tile == mine ? 0 : blocks_of(x, &m);
		while (met_next(t, &m));
	}
	x->first[t->after.devices] = (int32_t)entries;
	return entries;
}

static void deal_all(deal *x)
{
	int32_t *sender = x->sender;
	met m;

	for (int64_t d = 0; d < x->t->after.devices; d++) {
		int64_t mine = tile_held(x->t, d);

		if (deal_start(x, d, &m) == 0)
			continue;
		do
			*sender++ = deal_sender(x, d, mine, &m);
		while (met_next(x->t, &m));
	}
}

static bool deal_senders(sw_transfers *t, int64_t tiles, sw_diag *diag)
{
	deal x = {.t = t, .first = SW_NEW(t->arena, int32_t, t->after.devices + 1)};

	x.total = SW_NEW_ZERO(t->arena, int64_t, tiles);
	x.dealt = SW_NEW_ZERO(t->arena, int64_t, tiles);
	if (x.first == NULL || x.total == NULL || x.dealt == NULL)
		return sw_diag_memory(diag);
	deal_units(&x);
	int64_t entries = deal_count(&x);
	if (entries < 0)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "it has more than %d boxes", INT32_MAX);
	x.sender = SW_NEW(t->arena, int32_t, entries);
	if (x.sender == NULL)
		return sw_diag_memory(diag);
	deal_all(&x);
	t->first_sender = x.first;
	t->sender = x.sender;
	return true;
}

/* ---- senders that the plan has ---- */

static bool given_senders(sw_transfers *t, sw_diag *diag)
{
	const int32_t *first = t->step.first_sender, *sender = t->step.sender;
	met m;

	for (int64_t d = 0; d < t->after.devices; d++)
		if (first[d + 1] - first[d] != met_start(t, d, &m))
			return sw_transfers_lack(diag, "its senders are not as many as the needed tiles");
	for (int32_t n = 0; n < first[t->after.devices]; n++)
		if (sender[n] < 0 || sender[n] >= t->before.devices)
			return sw_transfers_lack(diag, "a sender is not a device of the mesh");
	t->first_sender = first;
	t->sender = sender;
	return true;
}

static bool prepare_dealt(sw_transfers *t, sw_diag *diag)
{
	bool copies = false;

	if (!inside(&t->before) || !inside(&t->after))
		return sw_transfers_lack(diag, "a tile is off the grid");
	int64_t tiles = grid_tiles(t);
	if (tiles < 0)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "it has more than %d tiles", INT32_MAX - 1);
	if (!join_terms(t, diag) || !list_holders(t, tiles, &copies, diag))
		return false;
	if (t->step.sender != NULL)
		return given_senders(t, diag);
	return !copies || deal_senders(t, tiles, diag);
}

/* ---- the row ---- */

static int64_t count_met(const sw_transfers *t, int64_t to)
{
	met m;

	return t->sender ? t->first_sender[to + 1] - t->first_sender[to] : met_start(t, to, &m);
}

static int64_t sender_dealt(const sw_transfers *t, int64_t to, int64_t n)
{
	if (t->sender)
		return t->sender[t->first_sender[to] + n];
	int64_t tile = met_nth(t, to, n);
	return holders_of(t, tile) ? t->holder[t->first_holder[tile]] : -1;
}

static bool takes_dealt(const sw_transfers *t, int64_t from, int64_t to)
{
	int64_t n = met_index(t, from, to);

	return n >= 0 && (t->sender == NULL || t->sender[t->first_sender[to] + n] == from);
}

const sw_sending sw_sends_dealt = {prepare_dealt, count_met, sender_dealt, takes_dealt, sw_transfers_meet, NULL};
