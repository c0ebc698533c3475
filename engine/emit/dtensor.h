/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers for PyTorch's DTensor share.
 */
#ifndef SW_EMIT_DTENSOR_H
#define SW_EMIT_DTENSOR_H

#include "emit/python.h"

#define SW_DTENSOR_NO_ORDER \
	"no order of the mesh's axes fits all types: DTensor takes the first axis of a dimension for the most major"

/* The order of the axes of a mesh that fits all types.  false: there is none. */
bool sw_dtensor_order(const sw_type_chain *chain, int order[SW_MAX_AXES]);

/* Refuses devices that do not ascend along an axis: P06. */
bool sw_dtensor_ascends(const sw_emitter *e, const sw_mesh *mesh, const int64_t *devices);

/* Adds `DeviceMesh(...)`, and `[Shard(0), Partial()]`; the order NULL: the axes as they come. */
void sw_dtensor_mesh(sw_text *text, const sw_mesh *mesh, const int64_t *devices, const int *order,
	const char *device);
void sw_dtensor_placements(sw_text *text, const sw_mesh *mesh, const sw_type *type, const int *order);

/* Adds `.redistribute(placements=[Shard(0), Replicate()])`. */
void sw_dtensor_redistribute(sw_text *text, const sw_mesh *mesh, const sw_type *type, const int *order);

#endif
