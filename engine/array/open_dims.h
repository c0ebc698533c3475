/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dimensions whose cuts a sharding leaves to the compiler: `{"x", ?}` and `{?}` of Shardy, `unspecified_dims` of GSPMD,
 * UNCONSTRAINED of JAX.
 */
#ifndef SW_ARRAY_OPEN_DIMS_H
#define SW_ARRAY_OPEN_DIMS_H

#include <stdint.h>

#include <shardwalk/type.h>

/* `type` is asked for of a value that is kept as `had`, both over one mesh.  Its dimensions with a bit in `open` stay as they are in
 * `had`, where that begins with the cuts that are asked for and takes no axis from another dimension; else, and where sizes
 * are padded, they are as asked for. */
void sw_fill_open(const sw_type *had, uint32_t open, sw_type *type);

#endif
