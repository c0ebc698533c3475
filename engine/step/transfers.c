/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers of groups and sources.
 */
#include "step/transfers.h"

#include <assert.h>
#include <string.h>

#include "index/box.h"
#include "step/row.h"

bool sw_transfers_lack(sw_diag *diag, const char *what)
{
	return sw_diag_set(diag, SW_P05, (sw_span){0, 0}, "%s", what);
}

bool sw_transfers_meet(const sw_transfers *t, sw_transfer *transfer)
{
	int rank = t->before.rank;
	const sw_box from = {t->before.at + transfer->from * rank, t->before.tile};
	const sw_box to = {t->after.at + transfer->to * rank, t->after.tile};

	return sw_box_meet(rank, &from, &to, transfer->from_at, transfer->to_at, transfer->extent);
}

/* ---- within a device ---- */

static bool prepare_nothing(sw_transfers *t, sw_diag *diag)
{
	(void)t;
	(void)diag;
	return true;
}

static int64_t count_one(const sw_transfers *t, int64_t to)
{
	(void)t;
	(void)to;
	return 1;
}

static int64_t sender_self(const sw_transfers *t, int64_t to, int64_t n)
{
	(void)t;
	(void)n;
	return to;
}

static bool takes_self(const sw_transfers *t, int64_t from, int64_t to)
{
	(void)t;
	return from == to;
}

const sw_sending sw_sends_nothing = {prepare_nothing, count_one, sender_self, takes_self, sw_transfers_meet, NULL};

/* Of the copies that become a sum, the one whose term the value goes on in keeps it. */
static bool keeps(const sw_transfers *t, int64_t device)
{
	int32_t was = t->before.term ? t->before.term[device] : 0, is = t->after.term ? t->after.term[device] : 0;

	return is == (t->before.joins ? t->before.joins[was] : 0);
}

static int64_t count_kept(const sw_transfers *t, int64_t to)
{
	return keeps(t, to);
}

static bool takes_kept(const sw_transfers *t, int64_t from, int64_t to)
{
	return from == to && keeps(t, to);
}

const sw_sending sw_sends_kept = {prepare_nothing, count_kept, sender_self, takes_kept, sw_transfers_meet, NULL};

/* ---- groups ---- */

bool sw_transfers_positions(sw_transfers *t, sw_diag *diag)
{
	const sw_step *step = &t->step;
	int64_t devices = t->before.devices;

	if (step->groups == NULL)
		return sw_transfers_lack(diag, "it has no groups");
	if (step->group_size < 1 || step->grouped < 0 || step->grouped > devices || step->grouped % step->group_size != 0)
		return sw_transfers_lack(diag, "its groups do not divide the devices");
	t->position = SW_NEW(t->arena, int32_t, devices);
	if (t->position == NULL)
		return sw_diag_memory(diag);
	memset(t->position, -1, (size_t)devices * sizeof *t->position);
	for (int64_t n = 0; n < step->grouped; n++) {
		if (step->groups[n] < 0 || step->groups[n] >= devices)
			return sw_transfers_lack(diag, "a group names a device outside the mesh");
		t->position[step->groups[n]] = (int32_t)n;
	}
	return true;
}

static bool prepare_positions(sw_transfers *t, sw_diag *diag)
{
	return sw_transfers_positions(t, diag) &&
		(t->step.grouped == t->before.devices || sw_transfers_lack(diag, "its groups leave devices out"));
}

/* Where piece n of a block lies, pieces counted row-major over the entries and `tile` large. */
static bool prepare_pieces(sw_transfers *t, const sw_entry *entry, int count, const int64_t *tile, sw_diag *diag)
{
	int rank = t->before.rank;

	t->piece = SW_NEW_ZERO(t->arena, int64_t, t->step.group_size * rank + 1);
	if (t->piece == NULL)
		return sw_diag_memory(diag);
	for (int64_t n = 0; n < t->step.group_size; n++) {
		int64_t number = n;

		for (int e = count - 1; e >= 0; e--) {
			t->piece[n * rank + entry[e].dim] = number % entry[e].factor * tile[entry[e].dim];
			number /= entry[e].factor;
		}
	}
	return true;
}

/* Where the tile that a device brings lies in its block. */
static bool prepare_brought(sw_transfers *t, sw_diag *diag)
{
	const sw_tiles *before = &t->before;
	int rank = before->rank;

	t->brought = SW_NEW_ZERO(t->arena, int64_t, before->devices * rank + 1);
	if (t->brought == NULL)
		return sw_diag_memory(diag);
	for (int64_t d = 0; d < before->devices; d++)
		for (int e = 0; e < t->step.gathers; e++) {
			int64_t i = t->step.gather[e].dim, tile = before->tile[i];

			t->brought[d * rank + i] = before->at[d * rank + i] / tile % t->step.gather[e].factor * tile;
		}
	return true;
}

static bool prepare_tiles(sw_transfers *t, sw_diag *diag)
{
	return prepare_positions(t, diag) && prepare_pieces(t, t->step.gather, t->step.gathers, t->before.tile, diag);
}

static bool prepare_swap(sw_transfers *t, sw_diag *diag)
{
	return prepare_positions(t, diag) && prepare_brought(t, diag) &&
		prepare_pieces(t, t->step.split, t->step.splits, t->after.tile, diag);
}

static int64_t count_group(const sw_transfers *t, int64_t to)
{
	return t->position[to] < 0 ? 0 : t->step.group_size;
}

static int64_t sender_member(const sw_transfers *t, int64_t to, int64_t n)
{
	int32_t size = (int32_t)t->step.group_size; /* short numbers divide faster: this is asked a million times */

	return t->step.groups[t->position[to] / size * size + n];
}

static bool takes_member(const sw_transfers *t, int64_t from, int64_t to)
{
	int64_t size = t->step.group_size;

	return t->position[from] >= 0 && t->position[to] >= 0 && t->position[from] / size == t->position[to] / size;
}

static const int64_t *piece_of(const sw_transfers *t, int64_t device)
{
	return t->piece + t->position[device] % t->step.group_size * t->before.rank;
}

static bool box_whole(const sw_transfers *t, sw_transfer *transfer)
{
	for (int i = 0; i < t->before.rank; i++) {
		transfer->from_at[i] = transfer->to_at[i] = 0;
		transfer->extent[i] = t->before.tile[i];
	}
	return true;
}

static bool box_tile(const sw_transfers *t, sw_transfer *transfer)
{
	box_whole(t, transfer);
	memcpy(transfer->to_at, piece_of(t, transfer->from), (size_t)t->before.rank * sizeof(int64_t));
	return true;
}

static bool box_piece(const sw_transfers *t, sw_transfer *transfer)
{
	int rank = t->before.rank;
	const int64_t *old = t->before.tile, *new = t->after.tile;

	memcpy(transfer->from_at, piece_of(t, transfer->to), (size_t)rank * sizeof(int64_t));
	memcpy(transfer->to_at, t->brought + transfer->from * rank, (size_t)rank * sizeof(int64_t));
	for (int i = 0; i < rank; i++)
		transfer->extent[i] = old[i] < new[i] ? old[i] : new[i];
	return true;
}

const sw_sending sw_sends_tiles = {prepare_tiles, count_group, sender_member, takes_member, box_tile, NULL};
const sw_sending sw_sends_pieces = {prepare_swap, count_group, sender_member, takes_member, box_piece, NULL};
const sw_sending sw_sends_terms = {prepare_swap, count_group, sender_member, takes_member, box_piece, NULL};
const sw_sending sw_sends_all_terms = {prepare_positions, count_group, sender_member, takes_member, box_whole, NULL};

/* ---- sources ---- */

/* Without sources any device that holds the tile gives it. */
static bool prepare_sources(sw_transfers *t, sw_diag *diag)
{
	const int32_t *source = t->step.source;

	if (source == NULL) {
		t->sending = &sw_sends_dealt;
		return t->sending->prepare(t, diag);
	}
	for (int64_t d = 0; d < t->before.devices; d++)
		if (source[d] < -1 || source[d] >= t->before.devices)
			return sw_transfers_lack(diag, "a source names a device outside the mesh");
	return true;
}

static int64_t sender_source(const sw_transfers *t, int64_t to, int64_t n)
{
	(void)n;
	return t->step.source[to];
}

static bool takes_source(const sw_transfers *t, int64_t from, int64_t to)
{
	return t->step.source[to] == from;
}

const sw_sending sw_sends_whole = {prepare_sources, count_one, sender_source, takes_source, box_whole, NULL};

/* ---- between types of any kind ---- */

static int64_t count_moved(const sw_transfers *t, int64_t to)
{
	return t->first_run[to + 1] - t->first_run[to];
}

static bool get_moved(const sw_transfers *t, int64_t to, int64_t n, sw_transfer *transfer)
{
	const sw_moved *moved = &t->moved[t->first_run[to] + n];

	transfer->from = moved->from;
	transfer->loops = &moved->loops;
	return true;
}

const sw_sending sw_sends_moved = {.prepare = prepare_nothing, .count = count_moved, .get = get_moved};

/* ---- of any step ---- */

const sw_transfers *sw_transfers_new(const sw_step *step, const sw_tiles *before, const sw_tiles *after,
	sw_arena *arena, sw_diag *diag)
{
	assert(before->devices == after->devices && before->rank == after->rank);
	sw_transfers *t = SW_NEW_ZERO(arena, sw_transfers, 1);

	if (t == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	t->step = *step;
	t->before = *before;
	t->after = *after;
	t->arena = arena;
	t->sending = before->pieces != NULL || after->pieces != NULL ? &sw_sends_runs :
																   sw_collective_of(step->op)->sending;
	return t->sending->prepare(t, diag) ? t : NULL;
}

/* Terms that are dealt out come one by one. */
static bool deals_terms(const sw_transfers *t)
{
	return t->first_joined != NULL || t->adds;
}

bool sw_transfers_add(const sw_transfers *t)
{
	return sw_collective_of(t->step.op)->terms == SW_TERMS_ADDED || deals_terms(t);
}

bool sw_transfers_fill(const sw_transfers *t)
{
	return sw_changes_terms(t->step.op) || deals_terms(t);
}

int64_t sw_transfers_device(const sw_transfers *t, int64_t n)
{
	assert(n >= 0 && n < t->before.devices);
	return t->position && t->step.grouped == t->before.devices ? t->step.groups[n] : n;
}

int64_t sw_transfers_into(const sw_transfers *t, int64_t to)
{
	assert(to >= 0 && to < t->after.devices);
	return t->sending->count(t, to);
}

bool sw_transfers_get(const sw_transfers *t, int64_t to, int64_t n, sw_transfer *transfer)
{
	assert(to >= 0 && to < t->after.devices && n >= 0);
	transfer->to = to;
	transfer->loops = NULL;
	if (t->sending->get != NULL)
		return t->sending->get(t, to, n, transfer);
	transfer->from = t->sending->sender(t, to, n);
	return transfer->from >= 0 && t->sending->box(t, transfer);
}

int64_t sw_transfer_size(const sw_transfers *t, const sw_transfer *transfer)
{
	int64_t size = 1;

	if (transfer->loops != NULL)
		return transfer->loops->elements;
	for (int i = 0; i < t->before.rank; i++)
		size *= transfer->extent[i];
	return size;
}

bool sw_transfers_between(const sw_transfers *t, int64_t from, int64_t to, sw_transfer *transfer)
{
	assert(from >= 0 && from < t->before.devices && to >= 0 && to < t->after.devices);
	transfer->from = from;
	transfer->to = to;
	transfer->loops = NULL;
	if (t->sending->takes != NULL && !t->sending->takes(t, from, to))
		return false;
	if (t->sending->get == NULL)
		return t->sending->box(t, transfer);
	for (int64_t n = 0; n < t->sending->count(t, to); n++)
		if (t->sending->get(t, to, n, transfer) && transfer->from == from)
			return true;
	return false;
}
