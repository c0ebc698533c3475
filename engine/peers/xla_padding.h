/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reaches a device in a step of XLA where sizes do not divide (jaxlib 0.10.2, 2026).
 *
 * XLA pads each tiling by itself: a dimension of n elements in t tiles has tiles of ceil(n / t).  Where the tiles of two
 * tilings do not nest, neighbours send each other halos before or after the collective.  Elements, not bytes; of the device
 * that most reaches.
 */
#ifndef SW_PEERS_XLA_PADDING_H
#define SW_PEERS_XLA_PADDING_H

#include <stdint.h>

#include "peers/xla_tiling.h"

/* A step between two tilings of an array with these sizes: a permute where both have as many tiles, an exchange where some
 * dimensions have more and others fewer, a slice where none has fewer; 0 of gathers, see below. */
double sw_xla_received(const int64_t *size, const sw_tiling *before, const sw_tiling *after);

/* Gathers until there are `tiles`, which divide those of `before`, all dimensions in one sequence: what is padded is cut off
 * at its end.  A dimension that is at most half as long as it has tiles becomes whole by an all-reduce. */
double sw_xla_gathered(const int64_t *size, const sw_tiling *before, const int64_t *tiles);

#endif
