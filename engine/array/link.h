/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links of axes: `@ 10GB/s 20us`.
 */
#ifndef SHARDWALK_ARRAY_LINK_H
#define SHARDWALK_ARRAY_LINK_H

#include <shardwalk/mesh.h>

#include "base/scan.h"

/* Reads what follows `@` into the axis: a bandwidth, a latency, or both.  Error: M07. */
bool sw_link_parse(sw_scan *scan, sw_axis *axis);

/* Reads one of the two; what is there already may not come again. */
bool sw_link_quantity(sw_scan *scan, sw_axis *axis);

/* Adds ` @ 10GB/s 20us`, or nothing where the axis has no link. */
void sw_link_print(const sw_axis *axis, sw_text *text);

#endif
