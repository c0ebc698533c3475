/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From entries to dimensions: factors become dimensions of their own, are moved, and merge into others again.
 */
#include "emit/array_ops.h"
#include "base/room.h"
#include "step/row.h"

#include <string.h>

#include <shardwalk/number.h>

/* The array as it is between two micros. */
typedef struct shape {
	int rank;
	int64_t size[SW_MAX_ARRAY_OP_RANK];
} shape;

static sw_array_op *add(sw_array_ops *to, sw_array_op_kind op, const shape *result)
{
	sw_array_op *array_op = &to->array_op[to->count++];

	array_op->op = op;
	array_op->rank = result->rank;
	array_op->dim = 0;
	memcpy(array_op->shape, result->size, (size_t)result->rank * sizeof *result->size);
	return array_op;
}

static void reshape(sw_array_ops *to, shape *now, const shape *result)
{
	if (now->rank == result->rank && memcmp(now->size, result->size, (size_t)now->rank * sizeof *now->size) == 0)
		return;
	*now = *result;
	if (to->count && to->array_op[to->count - 1].op == SW_ARRAY_RESHAPE)
		to->count--;
	add(to, SW_ARRAY_RESHAPE, result);
}

static void transpose(sw_array_ops *to, shape *now, const int *perm)
{
	shape result = {.rank = now->rank};
	bool moves = false;

	for (int i = 0; i < now->rank; i++) {
		result.size[i] = now->size[perm[i]];
		moves = moves || perm[i] != i;
	}
	if (!moves)
		return;
	*now = result;
	memcpy(add(to, SW_ARRAY_TRANSPOSE, &result)->perm, perm, (size_t)now->rank * sizeof *perm);
}

static shape shape_of(const int64_t *tile, int rank)
{
	shape result = {.rank = rank};

	memcpy(result.size, tile, (size_t)rank * sizeof *tile);
	return result;
}

static int entry_of(const sw_entry *entry, int count, int dim)
{
	for (int k = 0; k < count; k++)
		if (entry[k].dim == dim)
			return k;
	return -1;
}

/* Dimension `dim` becomes `count` dimensions of these sizes. */
static shape split_dimension(const shape *now, int dim, const int64_t *size, int count)
{
	shape result = {.rank = now->rank - 1 + count};

	memcpy(result.size, now->size, (size_t)dim * sizeof *size);
	memcpy(result.size + dim, size, (size_t)count * sizeof *size);
	memcpy(result.size + dim + count, now->size + dim + 1, (size_t)(now->rank - dim - 1) * sizeof *size);
	return result;
}

/* Factors of the entries stand at dimensions `at` and after; each is moved in front of the dimension it belongs
 * to, and melts into it.  `rank` dimensions of the array remain. */
static void merge_factors(sw_array_ops *to, shape *now, int at, const sw_entry *entry, int count,
	const int64_t *after, int rank)
{
	int perm[SW_MAX_ARRAY_OP_RANK], n = 0;
	shape result = shape_of(after, rank);

	for (int i = 0; i < rank; i++) {
		int k = entry_of(entry, count, i);

		if (k >= 0) {
			SW_ROOM(perm, n);
			perm[n++] = at + k;
		}
		SW_ROOM(perm, n);
		perm[n++] = i < at ? i : i + count;
	}
	transpose(to, now, perm);
	reshape(to, now, &result);
}

/* ---- one function a manner ---- */

static bool array_ops_of_gather(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	const sw_step *step = m->step;
	shape now = shape_of(m->before, e->rank), result;
	int64_t factor[SW_MAX_DIMS];

	if (step->gathers == 1) {
		now.size[step->gather[0].dim] *= m->size;
		add(to, SW_ARRAY_GATHER, &now)->dim = step->gather[0].dim;
		return true;
	}
	result = (shape){.rank = e->rank + 1};
	result.size[0] = 1;
	memcpy(result.size + 1, m->before, (size_t)e->rank * sizeof *m->before);
	reshape(to, &now, &result);
	now.size[0] = m->size;
	add(to, SW_ARRAY_GATHER, &now)->dim = 0;
	for (int k = 0; k < step->gathers; k++)
		factor[k] = step->gather[k].factor;
	result = split_dimension(&now, 0, factor, step->gathers);
	reshape(to, &now, &result);
	merge_factors(to, &now, 0, step->gather, step->gathers, m->after, e->rank);
	return true;
}

/* Brings the pieces into one dimension, in the order of those who get them; returns which. */
static int lay_out(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to, shape *now)
{
	const sw_step *step = m->step;
	shape result = {0};
	int perm[SW_MAX_ARRAY_OP_RANK], factors = 0, others = step->splits;

	for (int i = 0; i < e->rank; i++) {
		int k = entry_of(step->split, step->splits, i);

		if (k >= 0) {
			SW_ROOM(perm, factors);
			perm[factors++] = result.rank;
			SW_ROOM(result.size, result.rank);
			result.size[result.rank++] = step->split[k].factor;
		}
		SW_ROOM(perm, others);
		perm[others++] = result.rank;
		SW_ROOM(result.size, result.rank);
		result.size[result.rank++] = k >= 0 ? m->before[i] / step->split[k].factor : m->before[i];
	}
	reshape(to, now, &result);
	if (step->splits == 1)
		return step->split[0].dim;
	transpose(to, now, perm);
	result = (shape){.rank = e->rank + 1};
	result.size[0] = m->size;
	memcpy(result.size + 1, now->size + step->splits, (size_t)e->rank * sizeof *result.size);
	reshape(to, now, &result);
	return 0;
}

/* Pieces in the order of the members that brought them come into their own order. */
static void bring_in_order(const sw_emitter *e, const sw_device_step *m, int dim, sw_array_ops *to, shape *now)
{
	sw_digit digit[SW_MAX_DIGITS];
	int64_t by_member[SW_MAX_DIGITS];
	int perm[SW_MAX_ARRAY_OP_RANK], count = m->uniform ? sw_emit_digits(e, m->order, m->size, digit) : 0;
	shape result;

	if (count == 0) {
		add(to, SW_ARRAY_ORDER, now)->dim = dim;
		return;
	}
	for (int i = 0; i < now->rank - 1 + count; i++)
		perm[i] = i;
	for (int n = 0; n < count; n++) {
		int member = 0;

		for (int other = 0; other < count; other++)
			member += digit[other].stride > digit[n].stride;
		by_member[member] = digit[n].size;
		perm[dim + n] = dim + member;
	}
	if (count < 2)
		return;
	result = split_dimension(now, dim, by_member, count);
	reshape(to, now, &result);
	transpose(to, now, perm);
}

static bool array_ops_of_swap(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	const sw_step *step = m->step;
	shape now = shape_of(m->before, e->rank), result;
	int dim = lay_out(e, m, to, &now);
	int64_t factor[SW_MAX_DIMS];
	shape laid = now;

	add(to, SW_ARRAY_SWAP, &now)->dim = dim;
	bring_in_order(e, m, dim, to, &now);
	for (int k = 0; k < step->gathers; k++)
		factor[k] = step->gather[k].factor;
	result = split_dimension(&laid, dim, factor, step->gathers);
	reshape(to, &now, &result);
	merge_factors(to, &now, dim, step->gather, step->gathers, m->after, e->rank);
	return true;
}

/* The sum is cut in as many pieces as the group has members: along one dimension at once, else in a dimension of their own. */
static bool array_ops_of_scatter(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	shape now = shape_of(m->before, e->rank), after = shape_of(m->after, e->rank);

	if (m->step->splits < 2) {
		add(to, SW_ARRAY_SCATTER, &after)->dim = m->step->split[0].dim;
		return true;
	}
	int dim = lay_out(e, m, to, &now);
	now.size[dim] = 1;
	add(to, SW_ARRAY_SCATTER, &now)->dim = dim;
	reshape(to, &now, &after);
	return true;
}

static bool one_array_op(const sw_emitter *e, const sw_device_step *m, sw_array_op_kind op, sw_array_ops *to)
{
	shape after = shape_of(m->after, e->rank);

	add(to, op, &after);
	return true;
}

static bool array_ops_of_slice(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	return one_array_op(e, m, SW_ARRAY_SLICE, to);
}

static bool array_ops_of_permute(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	return one_array_op(e, m, SW_ARRAY_PERMUTE, to);
}

static bool array_ops_of_sum(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	return one_array_op(e, m, SW_ARRAY_SUM, to);
}

static bool array_ops_of_zeros(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	return one_array_op(e, m, SW_ARRAY_KEEP, to);
}

static bool array_ops_of_pad(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	return one_array_op(e, m, SW_ARRAY_PAD, to);
}

static bool refuse_exchange(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	(void)to;
	return sw_emit_refuse(e, "the format mpi can: messages of any size between any ranks",
		"step %d is an exchange, which is no collective of this system", (int)(m->step - e->steps) + 1);
}

bool sw_emit_array_ops(const sw_emitter *e, const sw_device_step *m, sw_array_ops *to)
{
	static bool (*const array_ops[SW_MANNER_COUNT])(const sw_emitter *e, const sw_device_step *m,
		sw_array_ops *to) = {
		[SW_MANNER_CUT] = array_ops_of_slice,
		[SW_MANNER_JOINED] = array_ops_of_gather,
		[SW_MANNER_SWAPPED] = array_ops_of_swap,
		[SW_MANNER_PERMUTED] = array_ops_of_permute,
		[SW_MANNER_DEALT] = refuse_exchange,
		[SW_MANNER_SCATTERED] = array_ops_of_scatter,
		[SW_MANNER_SUMMED] = array_ops_of_sum,
		[SW_MANNER_KEPT] = array_ops_of_zeros,
		[SW_MANNER_PADDED] = array_ops_of_pad,
		[SW_MANNER_ROOTED] = refuse_exchange,
	};

	to->count = 0;
	return array_ops[sw_row(m->step->op)->manner](e, m, to);
}
