/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Element types and tensors of MLIR.
 */
#include "emit/mlir.h"

#include <assert.h>

static const char *const elements[SW_DTYPE_COUNT] = {
	[SW_PRED] = "i1",
	[SW_I8] = "i8",
	[SW_U8] = "ui8",
	[SW_F8E4M3FN] = "f8E4M3FN",
	[SW_F8E4M3] = "f8E4M3",
	[SW_F8E4M3B11FNUZ] = "f8E4M3B11FNUZ",
	[SW_F8E4M3FNUZ] = "f8E4M3FNUZ",
	[SW_F8E5M2] = "f8E5M2",
	[SW_F8E5M2FNUZ] = "f8E5M2FNUZ",
	[SW_F8E3M4] = "f8E3M4",
	[SW_F8E8M0FNU] = "f8E8M0FNU",
	[SW_I16] = "i16",
	[SW_U16] = "ui16",
	[SW_F16] = "f16",
	[SW_BF16] = "bf16",
	[SW_I32] = "i32",
	[SW_U32] = "ui32",
	[SW_F32] = "f32",
	[SW_I64] = "i64",
	[SW_U64] = "ui64",
	[SW_F64] = "f64",
	[SW_C64] = "complex<f32>",
	[SW_C128] = "complex<f64>",
};

void sw_mlir_tensor(sw_text *text, const int64_t *size, int rank, sw_dtype dtype)
{
	assert((unsigned)dtype < SW_DTYPE_COUNT);
	sw_text_add(text, "tensor<");
	for (int i = 0; i < rank; i++)
		sw_text_addf(text, "%lldx", (long long)size[i]);
	sw_text_addf(text, "%s>", elements[dtype]);
}

void sw_mlir_end(sw_text *text, const int64_t *size, int rank, sw_dtype dtype)
{
	sw_text_add(text, " : ");
	sw_mlir_tensor(text, size, rank, dtype);
	sw_text_add(text, "\n  }\n}\n");
}
