/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers of pieces of tiles: runs of elements, from the members of a group that have them to those that have them afterwards.
 */
#include <assert.h>

#include "step/transfers.h"

#include <shardwalk/pieces.h>

#include "step/row.h"

/* Who brings a piece, and the pieces after it as far as it is the same; `from` is -1 where nobody does. */
struct giver {
	int32_t from;
	int end;
};

/* Of the first piece of each such run.  A device that comes later brings what those before it do not. */
static void find_givers(const sw_pieces *before, const int32_t *member, int64_t size, struct giver *giver)
{
	for (int p = 0; p < before->count; p++)
		giver[p] = (struct giver){-1, p + 1};
	for (int64_t m = 0; m < size; m++) {
		const sw_pieces_list *list = before->list[member[m]];

		for (int r = 0; r < list->runs; r++)
			for (int p = list->run[r].first; p < list->run[r].end; p++)
				giver[p].from = giver[p].from < 0 ? member[m] : giver[p].from;
	}
	for (int p = before->count - 2; p >= 0; p--)
		giver[p].end = giver[p].from == giver[p + 1].from ? giver[p + 1].end : p + 1;
}

/* Of all groups, one after the other; NULL where all members bring what they have, or without memory. */
static struct giver *givers_of_groups(const sw_transfers *t)
{
	const sw_step *step = &t->step;
	const sw_pieces *before = t->before.pieces;
	sw_brings brings = sw_row(step->op)->brings;
	int64_t groups = step->group_size > 0 ? step->grouped / step->group_size : 0;
	struct giver *giver = brings != SW_BRINGS_TERMS ? SW_NEW(t->arena, struct giver, groups * before->count) : NULL;

	for (int64_t g = 0; giver != NULL && g < groups; g++)
		find_givers(before, step->groups + g * step->group_size, brings == SW_BRINGS_ROOT ? 1 : step->group_size,
			giver + g * before->count);
	return giver;
}

/* Pieces that follow those that came before from the same giver are one run with them. */
static void add_run(sw_transfers *t, int64_t to, int first, int end, int32_t from)
{
	int64_t size = t->before.tile[0], *count = &t->runs[to];
	int64_t begins = sw_piece_begin(size, t->before.pieces->count, first),
			ends = sw_piece_begin(size, t->before.pieces->count, end);
	sw_run *run = t->run + t->first_run[to], *last = *count > 0 ? &run[*count - 1] : NULL;

	if (begins == ends)
		return;
	if (last != NULL && last->from == from && last->end == begins)
		last->end = ends;
	else
		run[(*count)++] = (sw_run){begins, ends, from};
}

/* What a device outside of all groups has before the step and after it. */
static void add_kept(sw_transfers *t, int64_t to)
{
	const sw_pieces_list *before = t->before.pieces->list[to], *after = t->after.pieces->list[to];

	for (int r = 0, s = 0; r < before->runs && s < after->runs;) {
		const sw_pieces_run *had = &before->run[r], *has = &after->run[s];
		int first = had->first > has->first ? had->first : has->first;
		int end = had->end < has->end ? had->end : has->end;

		if (first < end)
			add_run(t, to, first, end, (int32_t)to);
		r += had->end == end;
		s += has->end == end;
	}
}

/* What a device of a group has after the step. */
static void add_brought(sw_transfers *t, int64_t to, const struct giver *giver)
{
	const sw_pieces_list *after = t->after.pieces->list[to];
	int64_t group = t->position[to] / t->step.group_size;

	for (int r = 0; r < after->runs; r++)
		for (int p = after->run[r].first, end = after->run[r].end, next; p < end; p = next) {
			struct giver of = giver != NULL ? giver[group * t->before.pieces->count + p] :
											  (struct giver){SW_ALL_MEMBERS, end};

			next = of.end < end ? of.end : end;
			if (of.from != -1)
				add_run(t, to, p, next, of.from);
		}
}

/* A member of the same group that has the same afterwards gets the same: who was seen last; -1: nobody yet. */
static bool gets_the_same(sw_transfers *t, int64_t to, int32_t *last)
{
	const sw_pieces_list **after = t->after.pieces->list;
	int32_t *of_group = &last[t->position[to] / t->step.group_size], seen = *of_group;

	*of_group = (int32_t)to;
	if (seen < 0 || after[seen] != after[to])
		return false;
	t->first_run[to] = t->first_run[seen];
	t->runs[to] = t->runs[seen];
	return true;
}

static bool add_all(sw_transfers *t, const struct giver *giver)
{
	int64_t devices = t->before.devices, next = 0;
	int32_t *last = SW_NEW(t->arena, int32_t, devices);

	for (int64_t d = 0; last != NULL && d < devices; d++)
		last[d] = -1;
	for (int64_t d = 0; last != NULL && d < devices; d++) {
		t->first_run[d] = next;
		t->runs[d] = 0;
		if (t->position[d] >= 0 && gets_the_same(t, d, last))
			continue;
		if (t->position[d] < 0)
			add_kept(t, d);
		else
			add_brought(t, d, giver);
		next += t->runs[d];
	}
	return last != NULL;
}

static bool prepare_runs(sw_transfers *t, sw_diag *diag)
{
	int64_t devices = t->before.devices;

	if (t->before.pieces == NULL || t->after.pieces == NULL)
		return sw_transfers_lack(diag, "it works on pieces of tiles, but there are none");
	if (!sw_transfers_positions(t, diag))
		return false;
	t->first_run = SW_NEW(t->arena, int64_t, devices);
	t->runs = SW_NEW(t->arena, int64_t, devices);
	t->run = SW_NEW(t->arena, sw_run, devices * t->before.pieces->count);
	const struct giver *giver = givers_of_groups(t);
	if (t->first_run == NULL || t->runs == NULL || t->run == NULL ||
		(giver == NULL && sw_row(t->step.op)->brings != SW_BRINGS_TERMS))
		return sw_diag_memory(diag);
	assert(t->after.pieces->count == t->before.pieces->count);
	return add_all(t, giver) || sw_diag_memory(diag);
}

/* Runs of a device come either from all members of its group, or each from one. */
static int64_t givers(const sw_transfers *t, int64_t to)
{
	return t->runs[to] > 0 && t->run[t->first_run[to]].from == SW_ALL_MEMBERS ? t->step.group_size : 1;
}

static int64_t count_runs(const sw_transfers *t, int64_t to)
{
	return t->runs[to] * givers(t, to);
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

/* Nothing crosses groups. */
static bool may_take(const sw_transfers *t, int64_t from, int64_t to)
{
	int32_t one = t->position[from], other = t->position[to];

	return from == to || (one >= 0 && other >= 0 && one / t->step.group_size == other / t->step.group_size);
}

int64_t sw_transfers_with(const sw_transfers *t, int64_t to, int64_t element, int64_t *count)
{
	assert(t->sending == &sw_sends_runs);
	const sw_run *run = t->run + t->first_run[to];
	int64_t from = 0, end = t->runs[to];

	*count = 0;
	while (from < end) {
		int64_t half = (from + end) / 2;

		if (element < run[half].begin)
			end = half;
		else if (element >= run[half].end)
			from = half + 1;
		else {
			*count = givers(t, to);
			return half * *count;
		}
	}
	return 0;
}

const sw_sending sw_sends_runs = {.prepare = prepare_runs, .count = count_runs, .takes = may_take, .get = get_run};
