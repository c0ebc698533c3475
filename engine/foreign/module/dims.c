/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dimensions of operands along the operations of a module, one rule for each flow of the table.
 */
#include "foreign/module/dims.h"

#include <string.h>

#include <shardwalk/number.h>

typedef struct operation {
	const graph_module *module;
	const graph_instruction *at;
	int k; /* operand */
	hlo_shape from;
	const hlo_shape *to;
} operation;

static bool of_places(const operation *op, graph_dims *dims)
{
	for (int d = 0; d < dims->from; d++)
		dims->into[d] = d;
	dims->same = dims->from == dims->to &&
		memcmp(op->from.dim, op->to->dim, (size_t)dims->to * sizeof(*op->to->dim)) == 0;
	return dims->same;
}

static bool of_transpose(const operation *op, graph_dims *dims)
{
	int order[HLO_DIMS];
	if (dims->from != dims->to || graph_positions(op->module, op->at, "dimensions", dims->from, order) != dims->to)
		return false;
	for (int d = 0; d < dims->to; d++) {
		if (dims->into[order[d]] >= 0)
			return false;
		dims->into[order[d]] = d;
	}
	return true;
}

/* Which dimensions of both shapes are the same elements: from *i and *j on, up to where their products meet. */
static bool next_group(const hlo_shape *from, const hlo_shape *to, int *i, int *j)
{
	const int64_t most = (int64_t)1 << 40;
	int64_t a = 1, b = 1;
	do {
		bool goes = a <= b && *i < from->rank ? sw_mul(a, from->dim[(*i)++], &a) :
												*j < to->rank && sw_mul(b, to->dim[(*j)++], &b);
		if (!goes || a > most || b > most)
			return false;
	} while (a != b);
	return true;
}

/* Sizes of 1 come and go; the major part of what is merged or split stays cut as it is. */
static bool of_reshape(const operation *op, graph_dims *dims)
{
	int i = 0, j = 0;
	dims->even = true;
	dims->whole = UINT32_MAX;
	while (i < dims->from || j < dims->to) {
		int first = i, d = j;
		if (!next_group(&op->from, op->to, &i, &j))
			return false;
		while (d < j && op->to->dim[d] == 1)
			d++;
		if (first == i || d == j)
			continue;
		dims->into[first] = d;
		dims->whole &= ~(UINT32_C(1) << first);
	}
	if (dims->whole == UINT32_MAX && dims->from && dims->to)
		dims->into[0] = 0;
	return true;
}

static bool of_broadcast(const operation *op, graph_dims *dims)
{
	int position[HLO_DIMS];
	if (!dims->from || graph_positions(op->module, op->at, "dimensions", dims->to, position) != dims->from)
		return false;
	for (int d = 0; d < dims->from; d++)
		dims->into[d] = op->to->dim[position[d]] == op->from.dim[d] ? position[d] : -1;
	return true;
}

/* Dimensions that are not in `out` (bits) become those from `next` on.  Returns the one behind them. */
static int number_rest(graph_dims *dims, uint32_t out, int next)
{
	for (int d = 0; d < dims->from; d++)
		if (!(out >> d & 1))
			dims->into[d] = next++;
	return next;
}

static bool of_reduce(const operation *op, graph_dims *dims)
{
	uint32_t out = 0;
	int position[HLO_DIMS], count = graph_positions(op->module, op->at, "dimensions", dims->from, position);
	for (int n = 0; n < count; n++)
		out |= UINT32_C(1) << position[n];
	return count >= 0 && number_rest(dims, out, 0) == dims->to;
}

/* Gives dimensions of the operand that both operands have, under these names, the numbers from `number` on, and adds them to *out.
 * How many they are; -1: not as many on both sides. */
static int number_pairs(const operation *op, const char *const name[2], const int rank[2], int number,
	graph_dims *dims, uint32_t *out)
{
	int position[2][HLO_DIMS], count = graph_positions(op->module, op->at, name[0], rank[0], position[0]);
	if (graph_positions(op->module, op->at, name[1], rank[1], position[1]) != count)
		return -1;
	for (int n = 0; n < count; n++) {
		dims->into[position[op->k][n]] = number + n;
		*out |= UINT32_C(1) << position[op->k][n];
	}
	return count;
}

/* The result has the batches, then what stays of the left, then what stays of the right operand. */
static bool of_dot(const operation *op, graph_dims *dims)
{
	static const char *const batch[2] = {"lhs_batch_dims", "rhs_batch_dims"};
	static const char *const sum[2] = {"lhs_contracting_dims", "rhs_contracting_dims"};
	int rank[2] = {dims->from, dims->from};
	uint32_t out = 0;
	hlo_shape other;
	if (!graph_shape(op->module, graph_operand_of(op->module, op->at, !op->k), &other))
		return false;
	rank[!op->k] = other.rank;
	int batches = number_pairs(op, batch, rank, 0, dims, &out);
	int sums = number_pairs(op, sum, rank, dims->to, dims, &out);
	int lefts = rank[0] - sums; /* dimensions of the result before those of the right operand */
	return batches >= 0 && sums >= 0 && lefts + rank[1] - sums - batches == dims->to &&
		number_rest(dims, out, op->k ? lefts : batches) == (op->k ? dims->to : lefts);
}

static bool of_slices(const operation *op, graph_dims *dims)
{
	for (int d = 0; d < HLO_DIMS && d < dims->from && dims->from == dims->to; d++) {
		dims->into[d] = d;
		dims->whole |= (uint32_t)(op->from.dim[d] != op->to->dim[d]) << d;
	}
	return dims->from == dims->to;
}

/* What a flow does, and of how many operands. */
static const struct rule {
	int operands;
	bool (*of)(const operation *op, graph_dims *dims);
} rules[HLO_FLOW_COUNT] = {
	[HLO_FLOW_PLACES] = {INT32_MAX, of_places},
	[HLO_FLOW_TRANSPOSE] = {1, of_transpose},
	[HLO_FLOW_RESHAPE] = {1, of_reshape},
	[HLO_FLOW_BROADCAST] = {1, of_broadcast},
	[HLO_FLOW_REDUCE] = {1, of_reduce},
	[HLO_FLOW_DOT] = {2, of_dot},
	[HLO_FLOW_SLICES] = {1, of_slices},
};

bool graph_dims_of(const graph_module *module, const graph_instruction *at, int k, const hlo_shape *to,
	graph_dims *dims)
{
	operation op = {.module = module, .at = at, .k = k, .to = to};
	const struct rule *rule = &rules[hlo_flow_of(at->op)];
	if (k >= rule->operands || !graph_shape(module, graph_operand_of(module, at, k), &op.from))
		return false;
	*dims = (graph_dims){.from = op.from.rank, .to = to->rank};
	for (int d = 0; d < op.from.rank; d++)
		dims->into[d] = -1;
	return rule->of(&op, dims);
}
