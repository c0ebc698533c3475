/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Digits: `size` positions, `stride` apart.  Everything that is counted in this engine is a list of them: the devices of a
 * mesh, the tiles of a type, the members of a group, the elements of a tensor.
 *
 * A list stands major to minor unless a name says otherwise.  Its value at an index is the sum of stride * digit, where the
 * index is written in the mixed radix of the sizes.
 */
#ifndef SHARDWALK_INDEX_DIGITS_H
#define SHARDWALK_INDEX_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/digit.h>
#include <shardwalk/text.h>

#include "base/scan.h"

/* ---- lists ---- */

/* Adds a digit at the minor end of digit[0..count): one of size 1 is left out, and one that goes on where the last ends, along
 * the same dimension, is joined with it.  Returns the new count; there is room for one more. */
int sw_digits_push(sw_digit *digit, int count, sw_digit minor);

/* The same list without size 1 and without bounds between neighbours that count on. */
int sw_digits_merge(sw_digit *digit, int count);

/* Same sizes and strides. */
bool sw_digits_equal(const sw_digit *a, int a_count, const sw_digit *b, int b_count);

/* Sorts by stride. */
void sw_digits_ascend(sw_digit *digit, int count);
void sw_digits_descend(sw_digit *digit, int count);
void sw_digits_reverse(sw_digit *digit, int count);

/* The values of all indices, and that of one. */
void sw_digits_expand(const sw_digit *digit, int count, int64_t *value);
void sw_digits_expand_narrow(const sw_digit *digit, int count, int32_t *value);
int64_t sw_digits_at(const sw_digit *digit, int count, int64_t index);

/* The digits of a list of `count` numbers, one at least; -1 where it does not start with 0, is no sum of digits, or has more than `room`. */
int sw_digits_of_list(const int64_t *list, int64_t count, sw_digit *digit, int room);

/* ---- orders of reading: `[4,2]T(1,0)` ----
 *
 * The numbers 0, 1, 2, ... as an array of that shape, transposed, and read row-major. */

/* Adds the text; false, and nothing added, where the digits are no such order of 0 to total - 1. */
bool sw_digits_print(const sw_digit *digit, int count, int64_t total, sw_text *text);

/* Reads it; the digits in the order of reading.  -1 on error: N01, M05 above 2^40. */
int sw_digits_scan(sw_scan *scan, sw_digit *digit, int room, int64_t *total);

/* For each digit of the order of reading, its index among the dimensions of the array; false as in sw_digits_print.  `shape`
 * becomes the array's sizes. */
bool sw_digits_order(const sw_digit *digit, int count, int64_t total, int64_t *shape, int *order);

/* ---- groups of equal size: `[4,2]<=[2,4]T(1,0)` ----
 *
 * All numbers in an order of reading, cut into `groups` runs of `size`: replica groups as XLA prints them. */

typedef struct sw_groups {
	int64_t groups, size;
	int count;
	sw_digit digit[SW_MAX_DIGITS]; /* of all numbers, in the order of reading */
} sw_groups;

/* Reads the text; false where it is not of that form, or does not number 0 to total - 1. */
bool sw_groups_parse(sw_str text, int64_t total, sw_groups *groups);

/* Adds the text.  An order of reading that is no transposition prints as "<=[total]". */
void sw_groups_print(const sw_groups *groups, sw_text *text);

/* Groups that run over `member` (major to minor) and count through all other digits of 0 to total - 1 in their order. */
void sw_groups_over(const sw_digit *member, int count, int64_t total, sw_groups *groups);

/* The digits that differ inside a group.  -1 where a group does not end between two digits. */
int sw_groups_members(const sw_groups *groups, sw_digit member[SW_MAX_DIGITS]);

#endif
