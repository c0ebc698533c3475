/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of axes and parts of axes.
 */
#include "peers/shardy_parts.h"
#include "array/parts.h"
#include "base/room.h"

#include <assert.h>
#include <string.h>

static int64_t end_of(sw_part part)
{
	return part.pre * part.size;
}

static bool overlaps(sw_part a, sw_part b)
{
	return a.axis == b.axis && a.pre < end_of(b) && b.pre < end_of(a);
}

static bool contains(sw_part outer, sw_part inner)
{
	return outer.axis == inner.axis && outer.pre <= inner.pre && end_of(outer) >= end_of(inner);
}

/* Do the four borders of two overlapping parts form one chain of divisors? */
static bool chained(sw_part a, sw_part b)
{
	int64_t first = a.pre < b.pre ? a.pre : b.pre, second = a.pre < b.pre ? b.pre : a.pre;
	int64_t third = end_of(a) < end_of(b) ? end_of(a) : end_of(b);
	int64_t last = end_of(a) < end_of(b) ? end_of(b) : end_of(a);

	return second % first == 0 && third % second == 0 && last % third == 0;
}

int64_t sw_shardy_parts_size(const sw_part_list *list)
{
	int64_t size = 1;

	for (int k = 0; k < list->count; k++)
		size *= list->at[k].size;
	return size;
}

int sw_shardy_parts_find(const sw_part_list *list, sw_part part)
{
	for (int k = 0; k < list->count; k++)
		if (sw_part_same(list->at[k], part))
			return k;
	return -1;
}

void sw_shardy_parts_insert(sw_part_list *list, int at, sw_part part)
{
	assert(at >= 0 && at <= list->count);
	SW_ROOM(list->at, list->count);
	memmove(list->at + at + 1, list->at + at, (size_t)(list->count - at) * sizeof part);
	list->at[at] = part;
	list->count++;
}

void sw_shardy_parts_remove(sw_part_list *list, int at)
{
	assert(at >= 0 && at < list->count);
	list->count--;
	memmove(list->at + at, list->at + at + 1, (size_t)(list->count - at) * sizeof *list->at);
}

void sw_shardy_parts_push(sw_part_list *list, sw_part part)
{
	SW_ROOM(list->at, list->count);
	list->at[list->count++] = part;
}

void sw_shardy_parts_push_merged(sw_part_list *list, sw_part part)
{
	sw_part *last = list->at + list->count - 1;

	if (list->count > 0 && last->axis == part.axis && end_of(*last) == part.pre)
		last->size *= part.size;
	else
		sw_shardy_parts_push(list, part);
}

void sw_shardy_parts_pop(sw_part_list *list, const sw_part_list *popped, int first)
{
	for (int k = popped->count - 1; k >= first && list->count > 0; k--) {
		sw_part *last = list->at + list->count - 1;

		if (last->axis == popped->at[k].axis && last->pre < popped->at[k].pre)
			last->size = popped->at[k].pre / last->pre;
		else
			list->count--;
	}
}

static int first_overlapping(sw_part part, const sw_part_list *others)
{
	for (int k = 0; k < others->count; k++)
		if (overlaps(part, others->at[k]))
			return k;
	return others->count;
}

void sw_shardy_parts_align(sw_part_list *list, const sw_part_list *others)
{
	for (int k = 0; k < list->count; k++) {
		sw_part part = list->at[k];

		for (int o = first_overlapping(part, others); o < others->count; o++) {
			sw_part other = others->at[o], overlap = part;
			int64_t end = end_of(part);

			if (!overlaps(part, other) || contains(other, part) || !chained(part, other))
				break;
			sw_shardy_parts_remove(list, k);
			if (part.pre < other.pre)
				sw_shardy_parts_insert(list, k++, (sw_part){part.axis, part.pre, other.pre / part.pre});
			overlap.pre = part.pre < other.pre ? other.pre : part.pre;
			overlap.size = (end < end_of(other) ? end : end_of(other)) / overlap.pre;
			sw_shardy_parts_insert(list, k, overlap);
			if (end_of(overlap) == end)
				break;
			part = (sw_part){part.axis, end_of(overlap), end / end_of(overlap)};
			sw_shardy_parts_insert(list, ++k, part);
		}
	}
}

static bool before(sw_part a, sw_part b)
{
	return a.axis != b.axis ? a.axis < b.axis : a.pre != b.pre ? a.pre < b.pre : a.size < b.size;
}

void sw_shardy_parts_sort(sw_part_list *list)
{
	for (int k = 1; k < list->count; k++) {
		sw_part part = list->at[k];
		int at = k;

		for (; at > 0 && before(part, list->at[at - 1]); at--)
			list->at[at] = list->at[at - 1];
		list->at[at] = part;
	}
}

bool sw_shardy_part_fits(sw_part part, int64_t *capacity, sw_shardy_part_fit *fit)
{
	if (*capacity <= 1 || (part.size % *capacity != 0 && *capacity % part.size != 0))
		return false;
	if (*capacity >= part.size) {
		*fit = (sw_shardy_part_fit){part, {part.axis, 1, 0}};
		*capacity /= part.size;
		return true;
	}
	fit->within = (sw_part){part.axis, part.pre, *capacity};
	fit->rest = (sw_part){part.axis, part.pre * *capacity, part.size / *capacity};
	*capacity = 1;
	return true;
}
