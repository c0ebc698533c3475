/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays of fixed length: what is appended to one has room there.
 *
 * The lengths follow from limits that the parsers keep (SW_MAX_DIMS, SW_MAX_PARTS, SW_MAX_FACTORS); an assert says
 * so where the array is written, and ends the program before the memory beside it is.
 */
#ifndef SHARDWALK_BASE_ROOM_H
#define SHARDWALK_BASE_ROOM_H

#include <assert.h>
#include <stddef.h>

/* The length of an array; of a pointer it does not compile. */
#define SW_LENGTH(array) \
	(sizeof(array) / sizeof((array)[0]) + 0 * sizeof(struct { \
		int is_array : __builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])) ? -1 : 1; \
	}))

/* One more can be written to `array`, which holds `count`. */
#define SW_ROOM(array, count) assert((size_t)(count) < SW_LENGTH(array))

#endif
