/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of loops.
 */
#include "base/counter.h"

#include <stdbool.h>

#include <shardwalk/log.h>

/* Numbers from `start` on, `step` apart, while they are below `limit`; with `equal` also that. */
static int64_t count_up(int64_t start, int64_t step, int64_t limit, bool equal)
{
	int64_t room = limit - start + equal;
	return room <= 0 ? 0 : step > 0 ? (room - 1) / step + 1 : -1;
}

static bool is_small(int64_t number)
{
	return number > -SW_RUNS_MOST && number < SW_RUNS_MOST;
}

int64_t sw_counter_rounds(int64_t start, int64_t step, int64_t limit, sw_str direction)
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
