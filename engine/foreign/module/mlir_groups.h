/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices of a StableHLO program: its groups and pairs, and meshes as axes name them.
 */
#ifndef SW_FOREIGN_MLIR_GROUPS_H
#define SW_FOREIGN_MLIR_GROUPS_H

#include <shardwalk/notation.h>

#include "foreign/module/graph.h"
#include "foreign/module/traffic.h"

/* `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`: fills kind, count, starts and members, which live in the arena, as sw_sharding_parse
 * does.  false: it is none, or no memory. */
bool mlir_groups_read(sw_str text, sw_sharding_kind kind, sw_arena *arena, sw_sharding *out);

/* A collective of Shardy, `sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]>`, of which the shapes are those of the array: its
 * groups, and the bytes of its result on a device.  false: it is none, or its mesh is not there. */
bool mlir_axes_read(const graph_module *module, const graph_instruction *op, int64_t devices, traffic_groups *groups,
	double *result);

/* Devices of the program: as many as it says, else as its meshes have, else as its groups name. */
int64_t mlir_devices(const graph_module *module);

/* Is it a manual computation over some axes of its mesh only? */
bool mlir_is_partial(const graph_module *module, const graph_instruction *op);

#endif
