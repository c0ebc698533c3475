/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The element types that are computed with: identifier, type in C, type in which sums and products have a rule.
 */
#ifndef SW_PROGRAM_ELEMENTS_H
#define SW_PROGRAM_ELEMENTS_H

#include <stdint.h>

/* Loops that are worth it. */
#if defined(__clang__)
#define SW_VECTORISED
#else
#define SW_VECTORISED __attribute__((optimize("O3")))
#endif

#define SW_ELEMENTS(X) \
	X(F32, float, float) \
	X(F64, double, double) \
	X(I32, int32_t, uint32_t) \
	X(I64, int64_t, uint64_t)

#endif
