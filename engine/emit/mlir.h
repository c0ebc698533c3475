/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types as MLIR writes them.
 */
#ifndef SW_EMIT_MLIR_H
#define SW_EMIT_MLIR_H

#include "emit/write.h"

/* Adds `tensor<8x4xf32>`. */
void sw_mlir_tensor(sw_text *text, const int64_t *size, int rank, sw_dtype dtype);

/* Adds what stands behind the value that a module returns: ` : tensor<8x4xf32>`, and the ends of function and module. */
void sw_mlir_end(sw_text *text, const int64_t *size, int rank, sw_dtype dtype);

/* Adds `sdy.mesh @mesh = <["x"=4]>` and a line break; `devices` NULL: in their order. */
void sw_shardy_mesh(sw_text *text, const sw_mesh *mesh, const int64_t *devices);

/* Adds `<@mesh, [{"x"}, {}], unreduced={"y"}>`. */
void sw_shardy_sharding(sw_text *text, const sw_mesh *mesh, const sw_type *type);

/* Adds `sdy.sharding_constraint %NAME <...> : tensor<8x4xf32>` and a line break. */
void sw_shardy_constraint(sw_text *text, const sw_mesh *mesh, const sw_type *type, const char *name);

#endif
