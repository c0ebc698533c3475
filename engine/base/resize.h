/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays on the heap that grow.
 */
#ifndef SW_BASE_RESIZE_H
#define SW_BASE_RESIZE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Gives the array that `*where` (of any pointer type) points to room for `count` items of `size` bytes, count > 0.  false
 * where memory is short: it stays as it is. */
static inline bool sw_resize(void *where, int64_t count, size_t size)
{
	void *array;

	memcpy(&array, where, sizeof array);
	array = reallocarray(array, (size_t)count, size);
	if (array == NULL)
		return false;
	memcpy(where, &array, sizeof array);
	return true;
}

#endif
