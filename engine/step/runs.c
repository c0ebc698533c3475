/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers of pieces of tiles: runs of elements, from the members of a group that have them to those that have them afterwards.
 */
#include <assert.h>

#include "step/transfers.h"

#include <shardwalk/pieces.h>

#include "step/row.h"

/* The member of the group of `to` that brings a piece: all of them where terms are added up; -1: none. */
static int32_t giver_of(const sw_transfers *t, int64_t to, int piece)
{
	const sw_pieces *before = t->before.pieces;
	const sw_step *step = &t->step;
	sw_brings brings = sw_row(step->op)->brings;

	if (t->position[to] < 0)
		return sw_pieces_has(before, to, piece) ? (int32_t)to : -1;
	const int32_t *member = step->groups + t->position[to] / step->group_size * step->group_size;
	if (brings == SW_BRINGS_TERMS)
		return SW_ALL_MEMBERS;
	for (int64_t m = 0; m < (brings == SW_BRINGS_ROOT ? 1 : step->group_size); m++)
		if (sw_pieces_has(before, member[m], piece))
			return member[m];
	return -1;
}

/* Adds the pieces that a device has afterwards, those that follow each other from one giver as one run. */
static void add_runs(sw_transfers *t, int64_t to, int64_t *count)
{
	int64_t size = t->before.tile[0], first = *count;
	int pieces = t->before.pieces->count;
	assert(t->after.pieces->count == pieces);

	for (int p = 0; p < pieces; p++) {
		int32_t from = sw_pieces_has(t->after.pieces, to, p) ? giver_of(t, to, p) : -1;
		int64_t begin = sw_piece_begin(size, pieces, p), end = sw_piece_begin(size, pieces, p + 1);
		sw_run *last = *count > first ? &t->run[*count - 1] : NULL;

		if (from == -1 || begin == end)
			continue;
		if (last != NULL && last->from == from && last->end == begin)
			last->end = end;
		else
			t->run[(*count)++] = (sw_run){begin, end, from};
	}
}

static bool prepare_runs(sw_transfers *t, sw_diag *diag)
{
	int64_t devices = t->before.devices, count = 0;

	if (t->before.pieces == NULL || t->after.pieces == NULL)
		return sw_transfers_lack(diag, "it works on pieces of tiles, but there are none");
	if (!sw_transfers_positions(t, diag))
		return false;
	t->first_run = SW_NEW(t->arena, int64_t, devices + 1);
	t->run = SW_NEW(t->arena, sw_run, devices * t->before.pieces->count);
	if (t->first_run == NULL || t->run == NULL)
		return sw_diag_memory(diag);
	for (int64_t d = 0; d < devices; d++) {
		t->first_run[d] = count;
		add_runs(t, d, &count);
	}
	t->first_run[devices] = count;
	return true;
}

/* Runs of a device come either from all members of its group, or each from one. */
static int64_t givers(const sw_transfers *t, int64_t to)
{
	int64_t first = t->first_run[to];

	return first < t->first_run[to + 1] && t->run[first].from == SW_ALL_MEMBERS ? t->step.group_size : 1;
}

static int64_t count_runs(const sw_transfers *t, int64_t to)
{
	return (t->first_run[to + 1] - t->first_run[to]) * givers(t, to);
}

static bool get_run(const sw_transfers *t, int64_t to, int64_t n, sw_transfer *transfer)
{
	assert(n >= 0 && n < count_runs(t, to));
	int64_t size = t->step.group_size, each = givers(t, to);
	const sw_run *run = &t->run[t->first_run[to] + n / each];

	transfer->from = run->from != SW_ALL_MEMBERS ? run->from :
												   t->step.groups[t->position[to] / size * size + n % each];
	transfer->from_at[0] = transfer->to_at[0] = run->begin;
	transfer->extent[0] = run->end - run->begin;
	return true;
}

const sw_sending sw_sends_runs = {.prepare = prepare_runs, .count = count_runs, .get = get_run};
