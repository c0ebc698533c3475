/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of axes and parts of axes as Shardy keeps them: major to minor, whole axes and sub-axes alike.
 */
#ifndef SW_SEARCH_SHARDY_PARTS_H
#define SW_SEARCH_SHARDY_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/type.h>

#include "step/part_list.h"

/* The parts of one dimension, or parts that wait for one, stand major to minor here. */

/* The product of the parts' sizes. */
int64_t sw_shardy_parts_size(const sw_part_list *list);

/* Where the part stands, -1: nowhere. */
int sw_shardy_parts_find(const sw_part_list *list, sw_part part);

void sw_shardy_parts_insert(sw_part_list *list, int at, sw_part part);
void sw_shardy_parts_remove(sw_part_list *list, int at);
void sw_shardy_parts_push(sw_part_list *list, sw_part part);

/* At the minor end, as one part with the one before where both make a larger one. */
void sw_shardy_parts_push_merged(sw_part_list *list, sw_part part);

/* Takes parts away from the minor end, which are those of `popped` from `first` on, in whatever pieces. */
void sw_shardy_parts_pop(sw_part_list *list, const sw_part_list *popped, int first);

/* Cuts every part that overlaps one of `others` (sorted) without being within it: what lies before, the overlap,
 * and what lies after.  Parts that cannot stand in one sharding stay as they are. */
void sw_shardy_parts_align(sw_part_list *list, const sw_part_list *others);

/* By axis, then major parts first. */
void sw_shardy_parts_sort(sw_part_list *list);

/* How an axis meets a capacity: `within` fits, `rest` is what is left of it (size 0: nothing). */
typedef struct sw_shardy_part_fit {
	sw_part within, rest;
} sw_shardy_part_fit;

/* false where nothing fits: the capacity is used up, or neither size divides the other.  Otherwise it shrinks. */
bool sw_shardy_part_fits(sw_part part, int64_t *capacity, sw_shardy_part_fit *fit);

#endif
