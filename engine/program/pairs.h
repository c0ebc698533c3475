/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs: every two types of operands that multiply where their tiles lie, with the type of their product.
 */
#ifndef SW_PROGRAM_PAIRS_H
#define SW_PROGRAM_PAIRS_H

#include <shardwalk/product.h>

#include "search/type_space.h"

/* One pair: states of A, B and the product, and operations of a device.  false ends it. */
typedef bool sw_pairs_visit(void *context, const int32_t state[3], int64_t flops);

/* All of them, once each, over spaces of one mesh with the same parts.  false: a visit ended it, or operations do not fit 64 bits
 * (S09), which is so of the first pair, that of whole arrays, or of none. */
bool sw_pairs_each(const sw_equation *equation, const sw_type_space *const space[3], sw_pairs_visit *visit,
	void *context, sw_diag *diag);

#endif
