/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types as MLIR writes them.
 */
#ifndef SW_EMIT_MLIR_H
#define SW_EMIT_MLIR_H

#include "emit/write.h"

/* Adds `tensor<8x4xf32>`. */
void sw_mlir_tensor(sw_text *text, const int64_t *size, int rank, sw_dtype dtype);

#endif
