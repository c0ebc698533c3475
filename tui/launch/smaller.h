/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems of the same kind for fewer devices, and with more or fewer elements.
 */
#ifndef SHARDWALK_LAUNCH_SMALLER_H
#define SHARDWALK_LAUNCH_SMALLER_H

#include <stdbool.h>

#include <shardwalk/type.h>

/* The problem on the largest part of the mesh with at most `most` devices that dropping prime factors reaches, the
 * largest factors first.  Tiles are kept, global sizes shrink.  false: no such part divides the types. */
bool problem_for_devices(const sw_problem *problem, int64_t most, sw_problem *small);

/* The problem with its dimensions shrunk as far as both types stay whole, the roomiest first, or the last one grown, until
 * the larger tile has about `bytes`.  Returns the bytes of that tile; 0 where they overflow, or there is no dimension. */
int64_t problem_for_bytes(const sw_problem *problem, int64_t bytes, sw_problem *scaled);

/* The problem with about this share (above 0, at most 1) of its elements: the roomiest dimensions are shortened, to multiples of what
 * they have in common with the number of devices, so that every layout that divides them still does.  false: no such sizes. */
bool problem_for_share(const sw_problem *problem, double share, sw_problem *scaled);

#endif
