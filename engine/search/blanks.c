/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naming the blanks of a path.
 */
#include "search/blanks.h"

#include "base/room.h"
#include "step/row.h"

enum { MOST_BLANKS = 256, MOST_TRIES = 4096 };

/* One blank as long as it is there: in the layouts after steps begin to end - 1. */
typedef struct blank {
	int id, begin, end, name; /* name: -1: none yet */
} blank;

typedef struct naming {
	const sw_space *space;
	sw_layout_path *path;
	int parts, count, tries;
	blank at[MOST_BLANKS];
} naming;

static uint64_t used_at(const naming *n, int step)
{
	const sw_layout *layout = &n->path->step[step].layout;

	return sw_layout_used(layout, n->space->rank) | layout->summed;
}

static bool list_blanks(naming *n)
{
	uint64_t before = 0;

	for (int k = 0; k < n->path->count; k++) {
		uint64_t now = used_at(n, k) & ~sw_part_bits(n->parts);

		for (uint64_t rest = now & ~before; rest != 0; rest &= rest - 1) {
			if (n->count == MOST_BLANKS)
				return false;
			SW_ROOM(n->at, n->count);
			n->at[n->count++] = (blank){__builtin_ctzll(rest), k, n->path->count, -1};
		}
		for (int b = 0; b < n->count; b++)
			if (n->at[b].end == n->path->count && (now >> n->at[b].id & 1) == 0)
				n->at[b].end = k;
		before = now;
	}
	return true;
}

static int64_t factor_of(const naming *n, int part)
{
	return n->space->factors.at[part < n->parts ? part : part - n->parts].prime;
}

/* A blank that a pad takes to the sums as another part is that part. */
static void name_padded(naming *n, int step)
{
	const sw_layout *before = step > 0 ? &n->path->step[step - 1].layout : &n->space->from;
	const sw_layout *after = &n->path->step[step].layout;
	uint64_t left = sw_layout_used(before, n->space->rank) & ~sw_layout_used(after, n->space->rank);
	uint64_t came = after->summed & ~before->summed, renamed = came & ~left;

	for (uint64_t rest = left & ~came; rest != 0; rest &= rest - 1)
		for (uint64_t names = renamed; names != 0; names &= names - 1) {
			int id = __builtin_ctzll(rest), name = __builtin_ctzll(names);

			if (factor_of(n, id) != factor_of(n, name))
				continue;
			for (int b = 0; b < n->count; b++)
				if (n->at[b].id == id && n->at[b].end == step)
					n->at[b].name = name;
			renamed &= ~sw_part_bit(name);
			break;
		}
}

/* The parts that nothing uses as long as a blank is there, but for other blanks that have no name yet. */
static uint64_t free_names(const naming *n, const blank *own)
{
	uint64_t names = sw_part_bits(n->parts);

	for (int k = own->begin; k < own->end; k++)
		names &= ~used_at(n, k);
	for (int b = 0; b < n->count; b++)
		if (&n->at[b] != own && n->at[b].name >= 0 && n->at[b].begin < own->end && own->begin < n->at[b].end)
			names &= ~sw_part_bit(n->at[b].name);
	for (uint64_t rest = names; rest != 0; rest &= rest - 1)
		if (factor_of(n, __builtin_ctzll(rest)) != factor_of(n, own->id))
			names &= ~(rest & -rest);
	return names;
}

static bool name_from(naming *n, int b)
{
	while (b < n->count && n->at[b].name >= 0)
		b++;
	if (b == n->count)
		return true;
	for (uint64_t names = free_names(n, &n->at[b]); names != 0 && n->tries < MOST_TRIES; names &= names - 1) {
		n->tries++;
		n->at[b].name = __builtin_ctzll(names);
		if (name_from(n, b + 1))
			return true;
	}
	n->at[b].name = -1;
	return false;
}

static bool names_fit(const naming *n)
{
	for (int b = 0; b < n->count; b++)
		if (n->at[b].name >= 0 && (free_names(n, &n->at[b]) >> n->at[b].name & 1) == 0)
			return false;
	return true;
}

static void write_name(const naming *n, const blank *own)
{
	for (int k = own->begin; k < own->end; k++) {
		sw_layout *layout = &n->path->step[k].layout;

		for (int i = 0; i < layout->first[n->space->rank]; i++)
			if (layout->order[i] == own->id)
				layout->order[i] = (uint8_t)own->name;
		if ((layout->summed >> own->id & 1) != 0)
			layout->summed = (layout->summed & ~sw_part_bit(own->id)) | sw_part_bit(own->name);
	}
}

bool sw_name_blanks(const sw_space *space, sw_layout_path *path)
{
	naming n = {.space = space, .path = path, .parts = space->factors.count};

	if (!list_blanks(&n))
		return false;
	for (int k = 0; k < path->count; k++)
		if (sw_row(path->step[k].op)->terms == SW_TERMS_OF_TILES)
			name_padded(&n, k);
	if (!names_fit(&n) || !name_from(&n, 0))
		return false;
	for (int b = 0; b < n.count; b++)
		write_name(&n, &n.at[b]);
	return true;
}
