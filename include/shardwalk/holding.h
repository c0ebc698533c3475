/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holdings: what every device has of an array, and of which terms of a sum.
 *
 * A type is the text of a holding, a step of a plan turns one into the next.  How a holding is known differs, and is asked by
 * nobody but the functions below: by digits of device numbers, as a type says it; by the offset of one tile for each device;
 * by a list of regions; or by a rule that is asked device by device.  Sizes count elements.
 *
 * A device may be undefined: nothing is said about what it has.  That is not the same as to have nothing, though either has no
 * elements.
 *
 * A holding is a small value whose lists and rule belong to whoever made it.
 */
#ifndef SHARDWALK_HOLDING_H
#define SHARDWALK_HOLDING_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/digit.h>
#include <shardwalk/mesh.h>
#include <shardwalk/region.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* What a device has, by formula.  Both functions may be called in any order, for devices from 0 to the number of them - 1. */
typedef struct sw_holding_rule {
	/* The elements of a device that is defined, products that have none in common.  false: no memory. */
	bool (*region)(const void *of, int64_t device, sw_arena *arena, sw_region *region);
	bool (*defined)(const void *of, int64_t device); /* NULL: every device is */
	const void *of;                                  /* what all are handed */

	/* How many devices from this one on, itself among them, have what the one before has, moved along each dimension by `step`:
	 * one at least, and perhaps not all; `scratch` is as it was.  NULL: it is not said. */
	int64_t (*stretch)(const void *of, int64_t device, sw_arena *scratch, int64_t *step);
} sw_holding_rule;

typedef struct sw_holding {
	int64_t devices;
	int64_t terms; /* of each value, 1: values are whole */
	int rank;
	int64_t global[SW_MAX_DIMS];
	const int64_t *slot; /* of each device, which digits and lists count by; NULL: its number */

	int64_t tile[SW_MAX_DIMS]; /* of every device, unless regions are listed or follow from a rule */
	int digits; /* of a regular holding: they add weight * digit to the offset in dimension dim, or, where */
	sw_digit digit[SW_MAX_DIGITS]; /* dim is the rank, to the number of the term, under a rule too */

	const int64_t *offset;       /* devices x rank: of the tile of each; NULL: not by offsets */
	const sw_region *region;     /* of each device; NULL: not by regions */
	const sw_holding_rule *rule; /* NULL: not by a rule */
	const sw_indices
		*summed; /* of each device, beside regions: the terms that are added in what it holds; NULL: its only one */
} sw_holding;

/* What a type says.  `order`: the device in each slot of the mesh, NULL its number; the list of slots is made in `arena` then,
 * which is not touched without an order.  false: no memory. */
bool sw_holding_of_type(const sw_mesh *mesh, const sw_type *type, const int64_t *order, sw_arena *arena,
	sw_holding *holding);

/* Whole values in tiles of one size: tile[rank], the offsets of devices x rank, which have to live as long. */
void sw_holding_of_offsets(int64_t devices, const sw_type *array, const int64_t *tile, const int64_t *offset,
	sw_holding *holding);

/* A list of regions, one a device, and of the terms that are added in each; NULL: all of them.  Both have to live as long. */
void sw_holding_of_regions(int64_t devices, const sw_type *array, int64_t terms, const sw_region *region,
	const sw_indices *summed, sw_holding *holding);

/* Whole values of an array of these `rank` sizes, by a rule, which has to live as long. */
void sw_holding_of_rule(int64_t devices, int rank, const int64_t *global, const sw_holding_rule *rule,
	sw_holding *holding);

/* ---- of a device ---- */

/* Is it said what it has? */
bool sw_holding_defined(const sw_holding *holding, int64_t device);

/* The elements that it has, none where it is undefined, and how many these are; -1: no memory. */
bool sw_holding_region(const sw_holding *holding, int64_t device, sw_arena *arena, sw_region *region);
int64_t sw_holding_size(const sw_holding *holding, int64_t device);

/* The most that a device has; -1: no memory. */
int64_t sw_holding_most(const sw_holding *holding);

/* How many devices from this one on, itself among them, have what the one before has, moved along each dimension by `step`: one at
 * least, and perhaps not all.  `scratch` is as it was. */
int64_t sw_holding_stretch(const sw_holding *holding, int64_t device, sw_arena *scratch, int64_t *step);

/* The terms that are added in what it has, numbers from 0 to terms - 1; `family` is room for one. */
sw_indices sw_holding_summed(const sw_holding *holding, int64_t device, sw_family *family);

/* Has it the element with these `rank` indices? */
bool sw_holding_has(const sw_holding *holding, int64_t device, const int64_t *index);

/* Where its tile begins: rank numbers.  false where regions are listed or follow from a rule. */
bool sw_holding_offset(const sw_holding *holding, int64_t device, int64_t *offset);

/* ---- of two ---- */

/* Is all that device `d` has in `a` also what `e` has in `b`, summed of the same terms? */
bool sw_holding_within(const sw_holding *a, int64_t d, const sw_holding *b, int64_t e);

/* How many elements device `d` has in `a` that `e` has in `b`, whatever is summed in them; -1: no memory. */
int64_t sw_holding_meets(const sw_holding *a, int64_t d, const sw_holding *b, int64_t e);

/* Has every device the same in both, and is it defined in both or in neither? */
bool sw_holding_equal(const sw_holding *a, const sw_holding *b);

/* Adds what a device has: `[0:3, 0:8]`, and ` of terms 0:1` where values are not whole there; `undefined`. */
void sw_holding_print(const sw_holding *holding, int64_t device, sw_text *text);

#pragma GCC visibility pop

#endif
