/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups as one short string, in the form of the production compiler: "[4,2]<=[2,4]T(1,0)" numbers the devices
 * row-major over [2,4], transposes, and reads them off as 4 groups of 2.
 */
#ifndef SHARDWALK_PLAN_IOTA_H
#define SHARDWALK_PLAN_IOTA_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/plan.h>

#include "plan/places.h"

#define SW_MAX_IOTA 128

typedef struct sw_iota {
	int64_t groups, size;
	int count;                       /* of dimensions */
	int64_t dims[SW_MAX_IOTA];
	int perm[SW_MAX_IOTA];           /* order of reading, slowest first */
} sw_iota;

/* Reads the text; false where it is not of that form, or does not number exactly `devices` devices. */
bool sw_iota_parse(sw_str text, int64_t devices, sw_iota *iota);

/* Adds the text.  An order of reading that is no transposition prints as "<=[devices]". */
void sw_iota_print(const sw_iota *iota, sw_text *text);

/* All devices in the order of reading. */
void sw_iota_expand(const sw_iota *iota, int32_t *device);

/* The digits of a device number that differ inside a group, slowest first (their weight and dim mean nothing).
 * -1 where a group does not end between two digits. */
int sw_iota_members(const sw_iota *iota, sw_digit member[SW_MAX_IOTA]);

/* Finds the groups of a step as lines of digits, from the types before and after it.  Sets *legal to whether the
 * step is such a collective at all; false where it is not, or where its groups are no lines of digits. */
bool sw_iota_of_step(const sw_mesh *mesh, const sw_type *before, const sw_step *step, sw_iota *iota, bool *legal);

/* Two lists of digits, slowest first, without the bounds between neighbours that make one larger digit. */
int sw_digits_merge(sw_digit *digit, int count);
bool sw_digits_equal(const sw_digit *a, int a_count, const sw_digit *b, int b_count);

#endif
