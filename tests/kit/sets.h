/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions as files of cases have them: a list of products, of which each dimension is a list of [first, run, step, count].
 */
#ifndef TESTS_KIT_SETS_H
#define TESTS_KIT_SETS_H

#include <jansson.h>

#include <shardwalk/region.h>

#include "kit/arena.h"
#include "kit/kit.h"

static inline sw_indices indices_of(const json_t *list)
{
	sw_family *family = SW_NEW(arena, sw_family, json_array_size(list));

	for (size_t n = 0; n < json_array_size(list); n++) {
		const json_t *of = json_array_get(list, n);
		int64_t number[4];
		for (size_t k = 0; k < 4; k++)
			number[k] = json_integer_value(json_array_get(of, k));
		family[n] = (sw_family){number[0], number[1], number[3] > 1 ? number[2] : number[1], number[3]};
	}
	return (sw_indices){(int)json_array_size(list), family};
}

static inline sw_region region_of(const json_t *products, int rank)
{
	size_t count = json_array_size(products);
	sw_indices *set = SW_NEW(arena, sw_indices, count * (size_t)rank);

	for (size_t n = 0; n < count; n++)
		for (int d = 0; d < rank; d++)
			set[n * (size_t)rank + (size_t)d] = indices_of(json_array_get(json_array_get(products, n), (size_t)d));
	return (sw_region){rank, (int)count, set};
}

static inline void is_region(const sw_region *made, const sw_region *expected, const char *what, int64_t device)
{
	sw_text one = {0}, other = {0};

	if (!sw_region_equal(made, expected)) {
		sw_region_print(made, &one);
		sw_region_print(expected, &other);
		fail_msg("%s of device %lld: %s instead of %s", what, (long long)device, sw_text_get(&one),
			sw_text_get(&other));
	}
}

#endif
