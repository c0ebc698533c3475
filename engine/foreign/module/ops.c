/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations of HLO and of StableHLO, by their names.
 */
#include "foreign/module/ops.h"

#include <assert.h>
#include <string.h>

/* A name of this many letters; NULL: none. */
typedef struct op_name {
	const char *at;
	size_t length;
} op_name;

static const struct op_row {
	op_name name[2]; /* in HLO, in StableHLO */
	hlo_class kind;
	hlo_flow flow;
	sw_traffic_kind traffic;
} rows[HLO_OP_COUNT] = {
#define NAME(text) \
	{ \
		text, text ? sizeof(text) - 1 : 0 \
	}
#define X(id, hlo, mlir, kind, flow, traffic) \
	{{NAME(hlo), NAME(mlir)}, HLO_##kind, HLO_FLOW_##flow, SW_TRAFFIC_##traffic},
	HLO_OPS(X)
#undef X
#undef NAME
};

/* Further names in StableHLO. */
static const struct other_name {
	const char *name;
	hlo_op op;
} others[] = {{"call", HLO_CALL}, {"func.return", HLO_RETURN}, {"stablehlo.return", HLO_RETURN},
	{"stablehlo.if", HLO_CONDITIONAL}};

static const struct other_name targets[] = {{"@Sharding", HLO_SHARDING}, {"@SPMDShardToFullShape", HLO_TO_FULL},
	{"@SPMDFullToShardShape", HLO_TO_SHARD}, {"@xla.sdy.LocalToGlobalShape", HLO_TO_FULL},
	{"@ragged_all_to_all", HLO_RAGGED}};

static hlo_op find(sw_str name, int dialect)
{
	for (int i = 0; i < HLO_OP_COUNT && name.length; i++) {
		const op_name *own = &rows[i].name[dialect];
		if (own->length == name.length && memcmp(own->at, name.at, name.length) == 0)
			return (hlo_op)i;
	}
	return HLO_OTHER;
}

static hlo_op find_other(const struct other_name *row, size_t count, sw_str name, hlo_op none)
{
	for (size_t k = 0; k < count; k++)
		if (sw_str_is(name, row[k].name))
			return row[k].op;
	return none;
}

hlo_op hlo_op_named(sw_str name)
{
	return find(name, 0);
}

hlo_op hlo_op_in_mlir(sw_str name, sw_str target)
{
	hlo_op op = find(name, 1);
	if (op == HLO_CUSTOM)
		return find_other(targets, sizeof(targets) / sizeof(*targets), target, op);
	if (op == HLO_OTHER)
		op = find_other(others, sizeof(others) / sizeof(*others), name, op);
	bool placed = sw_str_starts(name, "stablehlo.") || sw_str_starts(name, "chlo.") || sw_str_starts(name, "mhlo.");
	return op == HLO_OTHER && placed ? HLO_PLACED : op;
}

const char *hlo_op_name(hlo_op op)
{
	assert(op < HLO_OP_COUNT);
	return rows[op].name[0].at ? rows[op].name[0].at : "";
}

hlo_class hlo_class_of(hlo_op op)
{
	assert(op < HLO_OP_COUNT);
	return rows[op].kind;
}

hlo_flow hlo_flow_of(hlo_op op)
{
	assert(op < HLO_OP_COUNT);
	return rows[op].flow;
}

sw_traffic_kind hlo_traffic_of(hlo_op op)
{
	assert(op < HLO_OP_COUNT);
	return rows[op].traffic;
}

bool hlo_reduces(hlo_op op)
{
	sw_traffic_kind traffic = hlo_traffic_of(op);
	return traffic == SW_TRAFFIC_REDUCE || traffic == SW_TRAFFIC_SCATTER;
}
