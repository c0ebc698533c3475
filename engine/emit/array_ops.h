/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step as compilers of arrays say it: reshapes and transposes around one collective along one dimension.
 */
#ifndef SW_EMIT_ARRAY_OPS_H
#define SW_EMIT_ARRAY_OPS_H

#include <shardwalk/number.h>

#include "emit/write.h"

#define SW_MAX_ARRAY_OP_RANK (SW_MAX_DIMS + SW_MAX_FACTORS + 2)
#define SW_MAX_ARRAY_OPS 16

typedef enum sw_array_op_kind {
	SW_ARRAY_RESHAPE,
	SW_ARRAY_TRANSPOSE, /* dimension i of the result is dimension perm[i] */
	SW_ARRAY_GATHER,    /* concatenates along `dim` in the order of the members */
	SW_ARRAY_SWAP, /* piece n of dimension `dim`, of size 1 each, goes to member n; they are in the order of the members then */
	SW_ARRAY_PERMUTE,
	SW_ARRAY_SLICE,   /* from where a device's tile begins after the step */
	SW_ARRAY_SUM,     /* every member has the sum */
	SW_ARRAY_SCATTER, /* piece n of dimension `dim` of the sum is what member n has */
	SW_ARRAY_KEEP,    /* of the devices that hold copies one keeps its tile, the others have 0 */
	SW_ARRAY_PAD,     /* the tile stands among zeros, from where it begins before the step */
	SW_ARRAY_ORDER,   /* piece b of dimension `dim` is what member order[b] brought */
	SW_ARRAY_OP_KINDS
} sw_array_op_kind;

typedef struct sw_array_op {
	sw_array_op_kind op;
	int rank;
	int64_t shape[SW_MAX_ARRAY_OP_RANK]; /* of the result */
	int perm[SW_MAX_ARRAY_OP_RANK];
	int dim;
} sw_array_op;

typedef struct sw_array_ops {
	int count;
	sw_array_op array_op[SW_MAX_ARRAY_OPS];
} sw_array_ops;

/* Error: P06 for an exchange, which is none. */
bool sw_emit_array_ops(const sw_emitter *e, const sw_device_step *device_step, sw_array_ops *array_ops);

#endif
