/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that copy rows: `rows` runs of `run` bytes, each side with its stride.
 */
#ifndef EX_ROWS_H
#define EX_ROWS_H

#include <stdint.h>

typedef enum ex_store { EX_PLAIN, EX_STREAM } ex_store;

typedef void ex_row_copy(char *into, int64_t into_stride, const char *from, int64_t from_stride, int64_t run,
	int64_t rows);

/* The kernel for runs of this length, rows this far apart, and this kind of store. */
ex_row_copy *ex_row_kernel(int64_t run, int64_t into_stride, ex_store store);

/* Makes streaming stores visible before anything that is stored after. */
void ex_row_fence(void);

const char *ex_row_kind(void);

#endif
