/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a move of a StableHLO program brings to a device, where branches are compared by that.
 */
#ifndef SW_FOREIGN_MLIR_WEIGH_H
#define SW_FOREIGN_MLIR_WEIGH_H

#include "foreign/module/mlir_flow.h"

typedef struct mlir_weigher mlir_weigher;

/* It lives in `work`, which it uses for as long as it is asked.  NULL: no memory. */
mlir_weigher *mlir_weigher_new(const graph_module *module, const sw_pulse *pulse, sw_arena *work);

/* Bytes that a device gets where XLA moves this value; 0: XLA has no plan for it. */
double mlir_weigh(mlir_weigher *weigher, int value, const mlir_cuts *from, const mlir_cuts *to);

#endif
