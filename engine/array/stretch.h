/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stretches: devices with successive numbers of which each has what the one before has, moved by the same step.
 *
 * Whoever asks what all devices have asks one of each stretch.  What may be longer than is found out is told shorter; one device is
 * a stretch.
 */
#ifndef SHARDWALK_ARRAY_STRETCH_H
#define SHARDWALK_ARRAY_STRETCH_H

#include <stdint.h>

#include <shardwalk/type.h>

/* What a device has of each dimension lies from `low` to `high` - 1, and that of the next one `step` further. */
typedef struct sw_stretch {
	int64_t devices; /* from this one on */
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS], step[SW_MAX_DIMS];
} sw_stretch;

/* At most so many devices. */
void sw_stretch_end(sw_stretch *stretch, int64_t devices);

/* All lies `by` further in that dimension; past the ends of 64 bits it lies at them. */
void sw_stretch_move(sw_stretch *stretch, int dim, int64_t by);

/* In a dimension that moves, only as long as all lies within `low` to `high` - 1. */
void sw_stretch_within(sw_stretch *stretch, int dim, int64_t low, int64_t high);

/* Only as long as `device` / `stride` has the same value. */
void sw_stretch_same(sw_stretch *stretch, int64_t device, int64_t stride);

#endif
