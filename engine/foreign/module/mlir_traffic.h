/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the collectives of a StableHLO program move that the program calls itself: in manual computations, mostly.
 */
#ifndef SW_FOREIGN_MLIR_TRAFFIC_H
#define SW_FOREIGN_MLIR_TRAFFIC_H

#include "foreign/module/mlir.h"
#include "foreign/module/traffic.h"

/* Devices of the program, as far as it says. */
int64_t mlir_traffic_devices(const graph_module *module);

/* Is it a collective, and what does it move?  Its shapes are those that a device has. */
bool mlir_traffic_read(const graph_module *module, const graph_instruction *op, int64_t devices, sw_arena *brief,
	sw_traffic_row *row);

/* Is it a manual computation over some axes of its mesh only? */
bool mlir_traffic_partial(const graph_module *module, const graph_instruction *op);

#endif
