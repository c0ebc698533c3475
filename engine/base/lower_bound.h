/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first of ascending things that is not below something.
 */
#ifndef SHARDWALK_BASE_LOWER_BOUND_H
#define SHARDWALK_BASE_LOWER_BOUND_H

#include <stdint.h>

/* The first number from `from` to `to` - 1 of which `below`, an expression in `at`, does not hold, of all behind it neither; `to`: there is none. */
#define SW_LOWER_BOUND(from, to, below) \
	__extension__({ \
		int64_t low_ = (from), high_ = (to); \
		while (low_ < high_) { \
			int64_t at = low_ + (high_ - low_) / 2; \
			if (below) \
				low_ = at + 1; \
			else \
				high_ = at; \
		} \
		low_; \
	})

#endif
