/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ends a stretch of devices.
 */
#include "array/stretch.h"

#include <shardwalk/number.h>

void sw_stretch_end(sw_stretch *stretch, int64_t devices)
{
	stretch->devices = sw_larger(1, sw_smaller(stretch->devices, devices));
}

/* Past the ends of 64 bits is past every end of an array. */
static int64_t moved(int64_t at, int64_t by)
{
	int64_t to;

	return sw_add(at, by, &to) ? to : by > 0 ? INT64_MAX : INT64_MIN;
}

void sw_stretch_move(sw_stretch *stretch, int dim, int64_t by)
{
	stretch->low[dim] = moved(stretch->low[dim], by);
	stretch->high[dim] = moved(stretch->high[dim], by);
}

void sw_stretch_within(sw_stretch *stretch, int dim, int64_t low, int64_t high)
{
	if (stretch->step[dim] == 0)
		return;
	if (stretch->low[dim] < low || stretch->high[dim] > high)
		sw_stretch_end(stretch, 1);
	else
		sw_stretch_end(stretch, (high - stretch->high[dim]) / stretch->step[dim] + 1);
}

void sw_stretch_same(sw_stretch *stretch, int64_t device, int64_t stride)
{
	sw_stretch_end(stretch, stride - device % stride);
}
