/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values: an array as devices hold it at one moment, before or after a step.
 *
 * A value belongs to whoever made it, with all that it points to.  Sizes count elements.
 */
#ifndef SHARDWALK_VALUE_H
#define SHARDWALK_VALUE_H

#include <stdint.h>

#include <shardwalk/pieces.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef struct sw_value {
	const sw_type *type; /* what slots hold; NULL where no type says that ... */
	const int64_t *map;  /* ... then their base offsets, devices x rank, row-major; or NULL ... */
	const sw_pieces
		*pieces; /* ... then which pieces they have of the tiles that the last type says, in terms of that */
	int64_t tile[SW_MAX_DIMS]; /* of every device: the local type */
	int64_t localsize;         /* the elements that a device has, at most */
} sw_value;

#pragma GCC visibility pop

#endif
