/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers for PyTorch's DTensor share.
 */
#ifndef SW_EMIT_DTENSOR_H
#define SW_EMIT_DTENSOR_H

#include "emit/python.h"

/* The order of the axes of a mesh that fits all types.  Error: P06 where there is none. */
bool sw_dtensor_order(const sw_emitter *e, const sw_type_chain *chain, int order[SW_MAX_AXES]);

/* Refuses devices that do not ascend along an axis: P06. */
bool sw_dtensor_ascends(const sw_emitter *e, const sw_mesh *mesh, const int64_t *devices);

/* Adds `DeviceMesh(...)`, and `[Shard(0), Partial()]`. */
void sw_dtensor_mesh(sw_text *text, const sw_mesh *mesh, const int64_t *devices, const int *order,
	const char *device);
void sw_dtensor_placements(sw_text *text, const sw_type_chain *chain, const sw_type *type, const int *order);

/* The first axis over which `after` is a sum and `before` is not, or -1: DTensor begins no sums. */
int sw_dtensor_begins(const sw_mesh *mesh, const sw_type *before, const sw_type *after);

/* The name of an element type in PyTorch; NULL: it has none, or gloo does not move it. */
const char *sw_dtensor_dtype(sw_dtype dtype);

#endif
