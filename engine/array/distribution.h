/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What distributions are made of: members of a union, each a bracket or a list of what devices have, and words that act on it.
 */
#ifndef SHARDWALK_ARRAY_DISTRIBUTION_H
#define SHARDWALK_ARRAY_DISTRIBUTION_H

#include <shardwalk/distribution.h>

#include "array/cut.h"
#include "array/words.h"

/* What single devices have of one dimension, in ascending order of their numbers. */
typedef struct sw_device_list {
	int64_t count;
	const int64_t *device;
	const sw_indices *set;
} sw_device_list;

typedef struct sw_distribution_member {
	const sw_mesh *mesh; /* `over`; NULL: the present one */
	int64_t devices;     /* of its mesh: the others are undefined */
	int rank;            /* of the bracket, and its sizes */
	const int64_t *size;
	const sw_cut *cut;        /* of each dimension */
	const sw_device_list *at; /* NULL: by cuts */
	bool each;                /* `+` */
	int sums;                 /* the axes over which values are to be summed, of its mesh */
	const sw_part *sum;
	int words; /* from the left */
	const sw_word *word;
} sw_distribution_member;

/* The sizes of the array that the member is of, `rank` of them. */
const int64_t *sw_member_array(const sw_distribution_member *member, int *rank);

/* Is it said what a device has, and what is it?  false of the second: no memory. */
bool sw_member_defined(const sw_distribution_member *member, int64_t device);
bool sw_member_region(const sw_distribution_member *member, int64_t device, sw_arena *arena, sw_region *region);

/* The same of a whole distribution. */
bool sw_distribution_defined(const void *distribution, int64_t device);
bool sw_distribution_region(const void *distribution, int64_t device, sw_arena *arena, sw_region *region);

/* How many devices from `device` on, itself among them, are a stretch of a distribution, and the step along each dimension. */
int64_t sw_distribution_stretch(const void *distribution, int64_t device, sw_arena *scratch, int64_t *step);

/* Decides whether a distribution of this array equals a tile type: `type` becomes that, or stays.  Then sums that every device has
 * become those over all axes that cut nothing.  Errors: T11, E01. */
bool sw_distribution_settle(const sw_mesh *mesh, sw_arena *arena, sw_distribution *distribution, sw_diag *diag);

#endif
