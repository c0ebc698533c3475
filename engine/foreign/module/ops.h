/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one table of operations of modules: what each is called in HLO and in StableHLO, what it is to a chain of collectives, how
 * shardings flow through it, and what it moves.
 */
#ifndef SW_FOREIGN_OPS_H
#define SW_FOREIGN_OPS_H

#include <stdbool.h>

#include <shardwalk/text.h>
#include <shardwalk/traffic.h>

/* What an operation is in a chain of collectives. */
typedef enum hlo_class {
	HLO_OPAQUE,      /* nothing is known of it */
	HLO_GLUE,        /* the same elements on the same device */
	HLO_MOVES,       /* may be a step of a chain */
	HLO_COMPUTES,    /* a collective that is no resharding */
	HLO_ELEMENTWISE, /* every element from those in the same place */
	HLO_STRUCTURE
} hlo_class;

/* How the sharding of a whole array follows from those of the operands. */
typedef enum hlo_flow {
	HLO_FLOW_NONE,   /* it does not */
	HLO_FLOW_PLACES, /* as that of an operand of the same sizes */
	HLO_FLOW_TRANSPOSE,
	HLO_FLOW_RESHAPE,
	HLO_FLOW_BROADCAST,
	HLO_FLOW_REDUCE,
	HLO_FLOW_DOT,
	HLO_FLOW_SLICES, /* dimensions that keep their size keep their axes */
	HLO_FLOW_SAID,   /* an attribute says it */
	HLO_FLOW_ASKS,   /* the program asks for it: a constraint */
	HLO_FLOW_SUMS,   /* an attribute says it, of a value of which devices hold terms */
	HLO_FLOW_COUNT
} hlo_flow;

/* Identifier, name in HLO, name in StableHLO or Shardy, class, flow, what it moves (KIND_COUNT: nothing).  A name is NULL where the
 * dialect has no operation of this row, or no name of its own for it: SHARDING, TO_FULL and TO_SHARD are targets of custom calls, PLACED is
 * any operation of StableHLO without a row. */
#define HLO_OPS(X) \
	X(OTHER, NULL, NULL, OPAQUE, NONE, KIND_COUNT) \
	X(ALL_GATHER, "all-gather", "stablehlo.all_gather", MOVES, NONE, GATHER) \
	X(ALL_GATHER_START, "all-gather-start", NULL, MOVES, NONE, GATHER) \
	X(ALL_GATHER_DONE, "all-gather-done", NULL, GLUE, NONE, KIND_COUNT) \
	X(ALL_TO_ALL, "all-to-all", "stablehlo.all_to_all", MOVES, NONE, EXCHANGE) \
	X(PERMUTE, "collective-permute", "stablehlo.collective_permute", MOVES, NONE, PERMUTE) \
	X(PERMUTE_START, "collective-permute-start", NULL, MOVES, NONE, PERMUTE) \
	X(PERMUTE_DONE, "collective-permute-done", NULL, GLUE, NONE, KIND_COUNT) \
	X(DYNAMIC_SLICE, "dynamic-slice", "stablehlo.dynamic_slice", MOVES, SLICES, KIND_COUNT) \
	X(ALL_REDUCE, "all-reduce", "stablehlo.all_reduce", MOVES, NONE, REDUCE) \
	X(ALL_REDUCE_START, "all-reduce-start", NULL, MOVES, NONE, REDUCE) \
	X(ALL_REDUCE_DONE, "all-reduce-done", NULL, GLUE, NONE, KIND_COUNT) \
	X(REDUCE_SCATTER, "reduce-scatter", "stablehlo.reduce_scatter", MOVES, NONE, SCATTER) \
	X(REDUCE_SCATTER_START, "reduce-scatter-start", NULL, MOVES, NONE, SCATTER) \
	X(REDUCE_SCATTER_DONE, "reduce-scatter-done", NULL, GLUE, NONE, KIND_COUNT) \
	X(BROADCAST_OVER, "collective-broadcast", "stablehlo.collective_broadcast", COMPUTES, NONE, BROADCAST) \
	X(RAGGED, "ragged-all-to-all", NULL, COMPUTES, NONE, RAGGED) \
	X(ALL_TO_ALL_START, "all-to-all-start", NULL, COMPUTES, NONE, EXCHANGE) \
	X(BROADCAST_OVER_START, "collective-broadcast-start", NULL, COMPUTES, NONE, BROADCAST) \
	X(RAGGED_START, "ragged-all-to-all-start", NULL, COMPUTES, NONE, RAGGED) \
	X(RECV, "recv", "stablehlo.recv", COMPUTES, NONE, PERMUTE) \
	X(RESHAPE, "reshape", "stablehlo.reshape", GLUE, RESHAPE, KIND_COUNT) \
	X(TRANSPOSE, "transpose", "stablehlo.transpose", GLUE, TRANSPOSE, KIND_COUNT) \
	X(COPY, "copy", NULL, GLUE, NONE, KIND_COUNT) \
	X(BITCAST, "bitcast", NULL, GLUE, NONE, KIND_COUNT) \
	X(SLICE, "slice", "stablehlo.slice", OPAQUE, SLICES, KIND_COUNT) \
	X(CONCATENATE, "concatenate", "stablehlo.concatenate", OPAQUE, SLICES, KIND_COUNT) \
	X(PARAMETER, "parameter", NULL, OPAQUE, NONE, KIND_COUNT) \
	X(CONSTANT, "constant", "stablehlo.constant", OPAQUE, NONE, KIND_COUNT) \
	X(PARTITION_ID, "partition-id", "stablehlo.partition_id", OPAQUE, PLACES, KIND_COUNT) \
	X(REPLICA_ID, "replica-id", "stablehlo.replica_id", OPAQUE, PLACES, KIND_COUNT) \
	X(IOTA, "iota", "stablehlo.iota", OPAQUE, NONE, KIND_COUNT) \
	X(DOT, "dot", "stablehlo.dot_general", OPAQUE, DOT, KIND_COUNT) \
	X(CONVOLUTION, "convolution", "stablehlo.convolution", OPAQUE, PLACES, KIND_COUNT) \
	X(REDUCE, "reduce", "stablehlo.reduce", OPAQUE, REDUCE, KIND_COUNT) \
	X(BROADCAST, "broadcast", "stablehlo.broadcast_in_dim", OPAQUE, BROADCAST, KIND_COUNT) \
	X(UPDATE_SLICE, "dynamic-update-slice", "stablehlo.dynamic_update_slice", OPAQUE, PLACES, KIND_COUNT) \
	X(TUPLE, "tuple", "stablehlo.tuple", STRUCTURE, PLACES, KIND_COUNT) \
	X(ELEMENT, "get-tuple-element", "stablehlo.get_tuple_element", STRUCTURE, PLACES, KIND_COUNT) \
	X(BARRIER, "opt-barrier", "stablehlo.optimization_barrier", STRUCTURE, PLACES, KIND_COUNT) \
	X(WHILE, "while", "stablehlo.while", STRUCTURE, NONE, KIND_COUNT) \
	X(CALL, "call", "func.call", STRUCTURE, NONE, KIND_COUNT) \
	X(CONDITIONAL, "conditional", "stablehlo.case", STRUCTURE, NONE, KIND_COUNT) \
	X(ASYNC_START, "async-start", NULL, STRUCTURE, NONE, KIND_COUNT) \
	X(FUSION, "fusion", NULL, STRUCTURE, NONE, KIND_COUNT) \
	X(ABS, "abs", "stablehlo.abs", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(ADD, "add", "stablehlo.add", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(AND, "and", "stablehlo.and", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(CBRT, "cbrt", "stablehlo.cbrt", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(CEIL, "ceil", "stablehlo.ceil", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(CLAMP, "clamp", "stablehlo.clamp", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(COMPARE, "compare", "stablehlo.compare", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(CONVERT, "convert", "stablehlo.convert", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(COSINE, "cosine", "stablehlo.cosine", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(DIVIDE, "divide", "stablehlo.divide", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(ERF, "erf", NULL, ELEMENTWISE, NONE, KIND_COUNT) \
	X(EXP, "exponential", "stablehlo.exponential", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(EXP_MINUS, "exponential-minus-one", "stablehlo.exponential_minus_one", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(FLOOR, "floor", "stablehlo.floor", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(IS_FINITE, "is-finite", "stablehlo.is_finite", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(LOG, "log", "stablehlo.log", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(LOG_PLUS, "log-plus-one", "stablehlo.log_plus_one", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(LOGISTIC, "logistic", "stablehlo.logistic", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(MAXIMUM, "maximum", "stablehlo.maximum", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(MINIMUM, "minimum", "stablehlo.minimum", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(MULTIPLY, "multiply", "stablehlo.multiply", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(NEGATE, "negate", "stablehlo.negate", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(NOT, "not", "stablehlo.not", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(OR, "or", "stablehlo.or", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(POWER, "power", "stablehlo.power", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(REDUCE_PRECISION, "reduce-precision", "stablehlo.reduce_precision", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(REMAINDER, "remainder", "stablehlo.remainder", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(ROUND, "round-nearest-even", "stablehlo.round_nearest_even", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(RSQRT, "rsqrt", "stablehlo.rsqrt", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SELECT, "select", "stablehlo.select", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SHIFT_LEFT, "shift-left", "stablehlo.shift_left", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SHIFT_RIGHT, "shift-right-logical", "stablehlo.shift_right_logical", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SHIFT_ARITHMETIC, "shift-right-arithmetic", "stablehlo.shift_right_arithmetic", ELEMENTWISE, PLACES, \
		KIND_COUNT) \
	X(SIGN, "sign", "stablehlo.sign", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SINE, "sine", "stablehlo.sine", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SQRT, "sqrt", "stablehlo.sqrt", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(SUBTRACT, "subtract", "stablehlo.subtract", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(TAN, "tan", "stablehlo.tan", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(TANH, "tanh", "stablehlo.tanh", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(XOR, "xor", "stablehlo.xor", ELEMENTWISE, PLACES, KIND_COUNT) \
	X(CUSTOM, NULL, "stablehlo.custom_call", OPAQUE, NONE, KIND_COUNT) \
	X(SHARDING, NULL, NULL, OPAQUE, ASKS, KIND_COUNT) \
	X(TO_FULL, NULL, NULL, OPAQUE, SAID, KIND_COUNT) \
	X(TO_SHARD, NULL, NULL, OPAQUE, NONE, KIND_COUNT) \
	X(MANUAL, NULL, "sdy.manual_computation", OPAQUE, NONE, KIND_COUNT) \
	X(RETURN, NULL, "return", OPAQUE, NONE, KIND_COUNT) \
	X(SDY_CONSTRAINT, NULL, "sdy.sharding_constraint", OPAQUE, ASKS, KIND_COUNT) \
	X(SDY_RESHARD, NULL, "sdy.reshard", OPAQUE, ASKS, KIND_COUNT) \
	X(SDY_ALL_GATHER, NULL, "sdy.all_gather", OPAQUE, ASKS, GATHER) \
	X(SDY_ALL_SLICE, NULL, "sdy.all_slice", OPAQUE, ASKS, KIND_COUNT) \
	X(SDY_ALL_TO_ALL, NULL, "sdy.all_to_all", OPAQUE, ASKS, EXCHANGE) \
	X(SDY_PERMUTE, NULL, "sdy.collective_permute", OPAQUE, ASKS, PERMUTE) \
	X(SDY_ALL_REDUCE, NULL, "sdy.all_reduce", OPAQUE, SUMS, REDUCE) \
	X(SDY_REDUCE_SCATTER, NULL, "sdy.reduce_scatter", OPAQUE, SUMS, SCATTER) \
	X(SDY_REPLICATED_TO_UNREDUCED, NULL, "sdy.replicated_to_unreduced", OPAQUE, SUMS, KIND_COUNT) \
	X(SDY_SHARDED_TO_UNREDUCED, NULL, "sdy.sharded_to_unreduced", OPAQUE, SUMS, KIND_COUNT) \
	X(PAD, NULL, "stablehlo.pad", OPAQUE, SLICES, KIND_COUNT) \
	X(FFT, NULL, "stablehlo.fft", OPAQUE, NONE, KIND_COUNT) \
	X(CHOLESKY, NULL, "stablehlo.cholesky", OPAQUE, NONE, KIND_COUNT) \
	X(TRIANGULAR_SOLVE, NULL, "stablehlo.triangular_solve", OPAQUE, NONE, KIND_COUNT) \
	X(GATHER, NULL, "stablehlo.gather", OPAQUE, NONE, KIND_COUNT) \
	X(COMPOSITE, NULL, "stablehlo.composite", OPAQUE, NONE, KIND_COUNT) \
	X(PLACED, NULL, NULL, OPAQUE, PLACES, KIND_COUNT)

typedef enum hlo_op {
#define X(id, hlo, mlir, kind, flow, traffic) HLO_##id,
	HLO_OPS(X)
#undef X
		HLO_OP_COUNT
} hlo_op;

/* By the name in HLO; HLO_OTHER: none has it. */
hlo_op hlo_op_named(sw_str name);

/* By the name in StableHLO or Shardy, for a custom call with its target, `@Sharding`.  HLO_OTHER: it is of another dialect. */
hlo_op hlo_op_in_mlir(sw_str name, sw_str target);

/* In HLO; "" where it has none. */
const char *hlo_op_name(hlo_op op);

hlo_class hlo_class_of(hlo_op op);
hlo_flow hlo_flow_of(hlo_op op);

/* SW_TRAFFIC_KIND_COUNT: it is no collective. */
sw_traffic_kind hlo_traffic_of(hlo_op op);

/* Does it combine what the devices of a group hold? */
bool hlo_reduces(hlo_op op);

#endif
