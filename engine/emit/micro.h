/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step as compilers of arrays say it: reshapes and transposes around one collective along one dimension.
 */
#ifndef SW_EMIT_MICRO_H
#define SW_EMIT_MICRO_H

#include <shardwalk/number.h>

#include "emit/write.h"

#define SW_MAX_MICRO_RANK (SW_MAX_DIMS + SW_MAX_FACTORS + 2)
#define SW_MAX_MICROS 16

typedef enum sw_micro_op {
	SW_MICRO_RESHAPE,
	SW_MICRO_TRANSPOSE, /* dimension i of the result is dimension perm[i] */
	SW_MICRO_GATHER,    /* concatenates along `dim` in the order of the places */
	SW_MICRO_SWAP, /* piece n of dimension `dim`, of size 1 each, goes to place n; they are in the order of the places then */
	SW_MICRO_PERMUTE,
	SW_MICRO_SLICE, /* from where a device's tile begins after the step */
	SW_MICRO_ORDER  /* piece b of dimension `dim` is what place order[b] brought */
} sw_micro_op;

typedef struct sw_micro {
	sw_micro_op op;
	int rank;
	int64_t shape[SW_MAX_MICRO_RANK]; /* of the result */
	int perm[SW_MAX_MICRO_RANK];
	int dim;
} sw_micro;

typedef struct sw_micros {
	int count;
	sw_micro micro[SW_MAX_MICROS];
} sw_micros;

/* Error: P06 for an exchange, which is none. */
bool sw_emit_micros(const sw_emitter *e, const sw_motion *motion, sw_micros *micros);

#endif
