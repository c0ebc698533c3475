/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the reader of jaxprs: the axes that a collective is over.
 */
#ifndef SW_FOREIGN_LOG_JAXPR_H
#define SW_FOREIGN_LOG_JAXPR_H

#include "foreign/log/printed.h"

typedef struct sw_jaxpr_axes {
	bool known;
	int count;
	int axis[SW_MAX_AXES]; /* of the mesh, major first */
	int64_t size, devices; /* of a group; of the mesh */
} sw_jaxpr_axes;

/* `axes`: `('x', 'y')` or `x`; `groups` and `size` are what its parameters say beside, or empty; mesh: NULL where it is not known. */
void sw_jaxpr_axes_read(sw_str axes, sw_str groups, sw_str size, const sw_mesh *mesh, sw_jaxpr_axes *out);

/* `((0, 1), (1, 2))` along the axes, on all devices of the mesh. */
traffic_groups sw_jaxpr_pairs(const sw_jaxpr_axes *axes, sw_str perm, const sw_mesh *mesh, sw_arena *work);

#endif
