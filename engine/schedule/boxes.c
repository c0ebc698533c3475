/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of boxes, from which others are taken.
 */
#include "schedule/lower.h"

#include <string.h>

int64_t sw_boxes_size(const sw_boxes *boxes)
{
	int64_t size = 0;

	for (int k = 0; k < boxes->count; k++)
		size += sw_bounds_size(boxes->at + (int64_t)k * 2 * boxes->rank, boxes->rank);
	return size;
}

bool sw_boxes_equal(const sw_boxes *a, const sw_boxes *b)
{
	if (a->count != b->count)
		return false;
	for (int64_t k = 0; k < (int64_t)a->count * 2 * a->rank; k++)
		if (a->at[k] != b->at[k])
			return false;
	return true;
}

bool sw_boxes_inside(const sw_boxes *a, const sw_boxes *b, sw_arena *scratch)
{
	bool taken = true;

	if (a->count <= 1 && b->count <= 1)
		return a->count == 0 || (b->count == 1 && sw_bounds_inside(a->at, b->at, a->rank));
	sw_arena_mark mark = sw_arena_here(scratch);
	sw_box_list left = {.arena = scratch, .rank = a->rank};
	for (int k = 0; k < a->count && taken; k++)
		taken = sw_box_list_add_copy(&left, a->at + (int64_t)k * 2 * a->rank);
	for (int k = 0; k < b->count && taken && left.count > 0; k++)
		taken = sw_box_list_minus(&left, b->at + (int64_t)k * 2 * b->rank);
	sw_arena_back(scratch, mark);
	return taken && left.count == 0;
}

int64_t *sw_box_list_add(sw_box_list *list)
{
	if (list->count < list->room)
		return list->at + (int64_t)list->count++ * 2 * list->rank;
	size_t size = sizeof(int64_t) * 2 * (size_t)(list->rank > 0 ? list->rank : 1);

	if (!sw_arena_grow(list->arena, &list->at, list->count, &list->room, 8, size))
		return NULL;
	return list->at + (int64_t)list->count++ * 2 * list->rank;
}

bool sw_box_list_add_copy(sw_box_list *list, const int64_t *box)
{
	int64_t *made = sw_box_list_add(list);

	for (int k = 0; made != NULL && k < 2 * list->rank; k++)
		made[k] = box[k];
	return made != NULL;
}

/* Adds what of a box is outside of the other one, which it meets in `both`. */
static bool add_outside(sw_box_list *list, const int64_t *box, const int64_t *both)
{
	int64_t left[2 * SW_MAX_DIMS];

	memcpy(left, box, sizeof *box * 2 * (size_t)list->rank);
	for (int d = 0; d < 2 * list->rank; d += 2)
		for (int side = 0; side < 2; side++) {
			int64_t low = side == 0 ? left[d] : both[d + 1], high = side == 0 ? both[d] : left[d + 1];
			if (low < high) {
				int64_t *made = sw_box_list_add(list);
				if (made == NULL)
					return false;
				memcpy(made, left, sizeof *left * 2 * (size_t)list->rank);
				made[d] = low;
				made[d + 1] = high;
			}
			if (side == 1) {
				left[d] = both[d];
				left[d + 1] = both[d + 1];
			}
		}
	return true;
}

bool sw_box_list_minus(sw_box_list *list, const int64_t *box)
{
	int64_t both[2 * SW_MAX_DIMS], old[2 * SW_MAX_DIMS];
	int count = list->count, kept = 0, rank = list->rank;
	bool met = false;

	if (count == 1 && sw_bounds_inside(list->at, box, rank)) {
		list->count = 0;
		return true;
	}
	for (int k = 0; k < count && !met; k++)
		met = sw_bounds_meet(list->at + (int64_t)k * 2 * rank, box, rank, both);
	if (!met)
		return true;
	for (int k = 0; k < count; k++) {
		memcpy(old, list->at + (int64_t)k * 2 * rank, sizeof *old * 2 * (size_t)rank);
		bool added = sw_bounds_meet(old, box, rank, both) ? add_outside(list, old, both) :
															sw_box_list_add_copy(list, old);
		if (!added)
			return false;
	}
	kept = list->count - count;
	memmove(list->at, list->at + (int64_t)count * 2 * rank, sizeof *old * 2 * (size_t)(kept * rank));
	list->count = kept;
	return true;
}

bool sw_box_list_has(const sw_box_list *list, const int64_t *box)
{
	for (int k = 0; k < list->count; k++)
		if (memcmp(list->at + (int64_t)k * 2 * list->rank, box, sizeof *box * 2 * (size_t)list->rank) == 0)
			return true;
	return false;
}
