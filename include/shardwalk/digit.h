/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A digit: `size` positions, `stride` apart.  Everything that is counted in this library is a list of them.
 */
#ifndef SHARDWALK_DIGIT_H
#define SHARDWALK_DIGIT_H

#include <stdint.h>

typedef struct sw_digit {
	int64_t size, stride;
	int64_t weight; /* of a tile's number: what one more of this digit adds to it; 0 where nothing is numbered */
	int dim;        /* of an array: along which this digit counts; 0 where there is none */
} sw_digit;

#define SW_MAX_DIGITS 128

#endif
