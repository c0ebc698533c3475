/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finer mesh of the same devices: axes of which only parts are used become several axes.
 */
#ifndef SW_ADVISE_FINER_H
#define SW_ADVISE_FINER_H

#include <stdbool.h>

#include <shardwalk/mesh.h>
#include <shardwalk/type.h>

/* Cuts the axes of `mesh` wherever a part in one of `count` types begins or ends; the axes of a cut one are
 * named after it, the most major first.  Devices keep their numbers.  *finer: something was cut.  false: a
 * name or the number of axes would be too long. */
bool sw_finer_mesh(const sw_mesh *mesh, const sw_type *const *types, int count, sw_mesh *out, bool *finer);

/* The type with the same map on the finer mesh, where no axis is cut within one of its parts. */
bool sw_finer_type(const sw_mesh *mesh, const sw_mesh *fine, const sw_type *type, sw_type *out);

#endif
