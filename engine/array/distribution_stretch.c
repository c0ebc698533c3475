/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far devices have the same of a distribution, moved by a step.
 */
#include "array/distribution.h"

#include <string.h>

#include "array/stretch.h"
#include "index/family.h"

/* ---- cuts ---- */

/* The digit that counts single devices, as long as it does not come round and no other changes; NULL: none counts them. */
static const sw_cut_digit *counting_digit(sw_stretch *stretch, const sw_cut *cut, int64_t device)
{
	const sw_cut_digit *counts = NULL;

	for (int i = 0; i < cut->digits; i++) {
		const sw_cut_digit *digit = &cut->digit[i];
		int64_t at = digit->stride == 1 ? device % digit->size : 0;
		if (digit->stride > 1)
			sw_stretch_same(stretch, device, digit->stride);
		if (digit->stride != 1)
			continue;
		counts = digit;
		sw_stretch_end(stretch, at < digit->first ? digit->first - at : digit->size - at);
	}
	return counts;
}

/* Pieces of the same size as the one of this number, from it on; of `count`, which nowhere grow. */
static int64_t pieces_alike(const sw_cut *cut, int64_t piece, int64_t count)
{
	int64_t begin, size = sw_uneven_piece(cut->uneven, cut->rule, piece, &begin), low = piece, high = count;

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		if (sw_uneven_piece(cut->uneven, cut->rule, middle, &begin) == size)
			low = middle;
		else
			high = middle;
	}
	return high - piece;
}

static int64_t stated_alike(const sw_cut *cut, int64_t piece, int64_t count)
{
	int64_t n = piece + 1, size = cut->begin[piece + 1] - cut->begin[piece];

	while (n < count && cut->begin[n + 1] - cut->begin[n] == size)
		n++;
	return n - piece;
}

/* Of pieces over one axis, whose sizes fall where a rule says them, unless they go up and down. */
static int64_t alike(const sw_cut *cut, const sw_cut_digit *digit, int64_t device)
{
	int64_t piece = device % digit->size;

	if (cut->entries != 1 || cut->digits != 1 || digit->first != 0)
		return 1;
	if (cut->uneven == NULL)
		return stated_alike(cut, piece, digit->size);
	return cut->rule != SW_UNEVEN_FLOOR ? pieces_alike(cut, piece, digit->size) : 1;
}

/* Blocks move as long as the last one is whole: then there are as many.  Pieces do where they are of one size. */
static void stretch_cut(sw_stretch *stretch, int dim, const sw_cut *cut, int64_t device, const sw_indices *set)
{
	const sw_cut_digit *digit = counting_digit(stretch, cut, device);
	bool whole = set->count == 1 && (cut->tile == 0 || set->family->run == cut->block);

	stretch->low[dim] = set->count > 0 ? set->family->first : 0;
	stretch->high[dim] = set->count > 0 ? sw_family_end(&set->family[set->count - 1]) : 0;
	stretch->step[dim] = digit == NULL ? 0 : cut->tile > 0 ? digit->weight : stretch->high[dim] - stretch->low[dim];
	if (digit == NULL)
		return;
	sw_stretch_end(stretch,
		!whole || sw_cut_families(cut) > 1 ? 1 :
			cut->tile > 0                  ? INT64_MAX :
											 alike(cut, digit, device));
	sw_stretch_within(stretch, dim, 0, cut->size);
}

/* ---- distributions ---- */

static void stretch_member(sw_stretch *stretch, const sw_distribution_member *member, int64_t device,
	sw_arena *scratch)
{
	sw_indices set;
	bool made = member->at == NULL && sw_member_defined(member, device);

	sw_stretch_end(stretch, made ? member->devices - device : 1);
	for (int dim = 0; made && stretch->devices > 1 && dim < member->rank; dim++) {
		made = sw_cut_indices(&member->cut[dim], device, scratch, &set);
		if (made)
			stretch_cut(stretch, dim, &member->cut[dim], device, &set);
	}
	for (int i = 0; made && stretch->devices > 1 && i < member->words; i++)
		member->word[i].row->stretch(&member->word[i], device, stretch);
	sw_stretch_end(stretch, made ? INT64_MAX : 1);
}

int64_t sw_distribution_stretch(const void *of, int64_t device, sw_arena *scratch, int64_t *step)
{
	const sw_distribution *distribution = of;
	sw_arena_mark mark = sw_arena_here(scratch);
	size_t bytes = (size_t)distribution->type.rank * sizeof *step;
	sw_stretch stretch = {.devices = INT64_MAX};

	for (int i = 0; stretch.devices > 1 && i < distribution->members; i++) {
		stretch_member(&stretch, &distribution->member[i], device, scratch);
		if (i > 0 && memcmp(step, stretch.step, bytes) != 0)
			sw_stretch_end(&stretch, 1);
		memcpy(step, stretch.step, bytes);
	}
	sw_arena_back(scratch, mark);
	return stretch.devices;
}
