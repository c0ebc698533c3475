/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops of HLO and of StableHLO count the same way.
 */
#include "foreign/module/trips.h"

#include <assert.h>
#include <stdbool.h>

#include <shardwalk/number.h>

const char *trips_mirrored(sw_str direction)
{
	static const char *const pairs[][2] = {{"LT", "GT"}, {"GT", "LT"}, {"LE", "GE"}, {"GE", "LE"}, {"NE", "NE"}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (sw_str_is(direction, pairs[i][0]))
			return pairs[i][1];
	return "";
}

/* Numbers from `start` on, `step` apart, while they are below `limit`; with `equal` also that. */
static int64_t count_up(int64_t start, int64_t step, int64_t limit, bool equal)
{
	int64_t room = limit - start + equal;
	return room <= 0 ? 0 : step > 0 ? (room - 1) / step + 1 : -1;
}

static bool is_small(int64_t number)
{
	return number > -TRIPS_MOST && number < TRIPS_MOST;
}

int64_t trips_counted(sw_str direction, int64_t start, int64_t step, int64_t limit)
{
	bool equal = sw_str_is(direction, "LE") || sw_str_is(direction, "GE");
	if (!is_small(start) || !is_small(step) || !is_small(limit))
		return -1;
	if (sw_str_is(direction, "LT") || sw_str_is(direction, "LE"))
		return count_up(start, step, limit, equal);
	if (sw_str_is(direction, "GT") || sw_str_is(direction, "GE"))
		return count_up(-start, -step, -limit, equal);
	int64_t way = limit - start;
	bool meets = sw_str_is(direction, "NE") && step && way % step == 0 && way / step >= 0;
	return meets ? way / step : -1;
}

int64_t trips_add(int64_t runs, int64_t more, int64_t times)
{
	assert(runs >= 0 && more >= 0 && times >= 0);
	int64_t product;
	if (!sw_mul(more, times, &product) || product > TRIPS_MOST)
		product = TRIPS_MOST;
	return runs + product < TRIPS_MOST ? runs + product : TRIPS_MOST;
}
