/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is still to be summed at both ends, and when XLA and Shardy sum and cut at once.
 */
#include "peers/sums.h"

#include <string.h>

#include "array/parts.h"
#include "base/room.h"
#include "peers/shardy_parts.h"

static void read_sums(const sw_type *type, sw_part_list *list)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);

	list->count = 0;
	for (int i = 0; i < count; i++)
		if (parts[i].size > 1)
			sw_shardy_parts_push(list, parts[i]);
	sw_shardy_parts_sort(list);
}

/* Neighbours that make one larger part become one. */
static void join(sw_part_list *list)
{
	sw_part_list joined = {.count = 0};

	for (int i = 0; i < list->count; i++)
		sw_shardy_parts_push_merged(&joined, list->at[i]);
	*list = joined;
}

static void clear_sums(sw_problem *problem)
{
	sw_type_set_sums(&problem->mesh, &problem->from, NULL, 0, NULL);
	sw_type_set_sums(&problem->mesh, &problem->to, NULL, 0, NULL);
}

void sw_peer_sums_of(const sw_problem *problem, sw_peer_sums *sums)
{
	sw_part_list from, to, other;

	read_sums(&problem->from, &from);
	read_sums(&problem->to, &to);
	other = from;
	sw_shardy_parts_align(&from, &to);
	sw_shardy_parts_align(&to, &other);
	sums->kept.count = sums->ended.count = sums->begun.count = 0;
	for (int i = 0; i < from.count; i++)
		sw_shardy_parts_push(sw_shardy_parts_find(&to, from.at[i]) >= 0 ? &sums->kept : &sums->ended, from.at[i]);
	for (int i = 0; i < to.count; i++)
		if (sw_shardy_parts_find(&from, to.at[i]) < 0)
			sw_shardy_parts_push(&sums->begun, to.at[i]);
	join(&sums->kept);
	join(&sums->ended);
	join(&sums->begun);
	sums->zeros = sums->begun;
	sums->pads = false;
	sums->terms = sw_shardy_parts_size(&sums->ended);
	sums->bare = *problem;
	clear_sums(&sums->bare);
}

bool sw_peer_sums_put(const sw_peer_sums *sums, const sw_part_list *more, const sw_type *bare, sw_type *type)
{
	sw_part_list both = sums->kept;

	for (int i = 0; more != NULL && i < more->count; i++)
		sw_shardy_parts_push(&both, more->at[i]);
	*type = *bare;
	return sw_type_set_sums(&sums->bare.mesh, type, both.at, both.count, NULL);
}

/* ---- dimensions ---- */

static void read_dimension(const sw_type *type, int dim, sw_part_list *list)
{
	list->count = 0;
	for (int k = type->first[dim + 1] - 1; k >= type->first[dim]; k--)
		if (sw_type_part(type, k).size > 1)
			sw_shardy_parts_push(list, sw_type_part(type, k));
}

/* What `after` has behind all of `before`, major to minor; false where it does not begin so. */
static bool read_cut(const sw_type *before, const sw_type *after, int dim, sw_part_list *cut)
{
	sw_part_list had;

	read_dimension(before, dim, &had);
	read_dimension(after, dim, cut);
	for (int i = 0; i < had.count; i++) {
		sw_part part = had.at[i];

		if (cut->count == 0 || cut->at[0].axis != part.axis || cut->at[0].pre != part.pre ||
			cut->at[0].size % part.size != 0)
			return false;
		cut->at[0] = (sw_part){part.axis, part.pre * part.size, cut->at[0].size / part.size};
		if (cut->at[0].size == 1)
			sw_shardy_parts_remove(cut, 0);
	}
	return true;
}

/* The type with other parts, which stand major to minor. */
static bool cut_as(const sw_mesh *mesh, const sw_type *shape, const sw_part_list *lists, sw_type *type)
{
	sw_part minor_first[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], total = 0;

	for (int i = 0; i < shape->rank; i++) {
		count[i] = lists[i].count;
		for (int k = count[i] - 1; k >= 0; k--) {
			SW_ROOM(minor_first, total);
			minor_first[total++] = lists[i].at[k];
		}
	}
	*type = *shape;
	return sw_type_partition(mesh, type, count, minor_first, NULL);
}

bool sw_peer_scatters(const sw_peer_sums *sums, const sw_type *before, const sw_type *after)
{
	bool found = false;

	for (int i = 0; i < before->rank; i++) {
		sw_part_list cut;

		if (!read_cut(before, after, i, &cut))
			return false;
		if (cut.count == 0)
			continue;
		if (found || !sw_parts_same(cut.at, cut.count, sums->ended.at, sums->ended.count))
			return false;
		found = true;
	}
	return found;
}

bool sw_peer_scatters_some(const sw_peer_sums *sums, const sw_type *before, const sw_type *after, sw_type *scattered)
{
	sw_part_list lists[SW_MAX_DIMS], cut;
	int taken = 0;

	for (int i = 0; i < before->rank; i++) {
		if (!read_cut(before, after, i, &cut))
			return false;
		read_dimension(before, i, &lists[i]);
		for (int k = 0; k < cut.count && sw_shardy_parts_find(&sums->ended, cut.at[k]) >= 0; k++, taken++)
			sw_shardy_parts_push_merged(&lists[i], cut.at[k]);
	}
	return taken == sums->ended.count && cut_as(&sums->bare.mesh, before, lists, scattered);
}

/* ---- towards sums ---- */

/* Cuts a list where another one has parts that overlap its own. */
static void align(sw_part_list *list, const sw_part_list *others)
{
	sw_part_list sorted = *others;

	sw_shardy_parts_sort(&sorted);
	sw_shardy_parts_align(list, &sorted);
}

/* Are all these parts among those of `begun`, of which they are taken then? */
static bool take_all(sw_part_list *begun, const sw_part_list *parts)
{
	sw_part_list left = *begun, own = *parts;

	align(&left, parts);
	align(&own, &left);
	for (int i = 0; i < own.count; i++) {
		int at = sw_shardy_parts_find(&left, own.at[i]);

		if (at < 0)
			return false;
		sw_shardy_parts_remove(&left, at);
	}
	*begun = left;
	return true;
}

bool sw_peer_pads_last(sw_peer_sums *sums)
{
	const sw_type *from = &sums->bare.from, *to = &sums->bare.to;
	sw_part_list lists[SW_MAX_DIMS], begun = sums->begun, cut;
	bool pads = false;
	sw_type held;

	for (int i = 0; i < from->rank; i++) {
		bool own = read_cut(to, from, i, &cut) && cut.count > 0 && take_all(&begun, &cut);

		read_dimension(own ? from : to, i, &lists[i]);
		pads = pads || own;
	}
	if (!pads || !cut_as(&sums->bare.mesh, to, lists, &held))
		return false;
	join(&begun);
	sums->bare.to = held;
	sums->zeros = begun;
	sums->pads = true;
	return true;
}
