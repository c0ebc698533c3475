/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what single devices have: `at {0: 0-3 8; 2: 4+2*3 2-3+4*6}`, and files with the owner of each index.
 */
#ifndef SHARDWALK_ARRAY_DEVICE_LIST_H
#define SHARDWALK_ARRAY_DEVICE_LIST_H

#include "array/distribution.h"
#include "base/scan.h"
#include "index/family.h"

/* What is read: of how many devices, of a dimension of which size. */
typedef struct sw_device_list_place {
	int64_t devices, size;
	sw_arena *arena;
	const sw_distribution_names *names;
} sw_device_list_place;

/* Reads what stands behind `at`.  Errors: T01, T16, B01 where there are no files, and those of reading them. */
bool sw_device_list_scan(sw_scan *scan, const sw_device_list_place *place, sw_device_list *list);

#endif
