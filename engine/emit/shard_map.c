/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a plan under JAX's shard_map: each is the collective itself, so the compiler has no choice.
 *
 * Where the groups of a step are lines along axes of the mesh, the axes are named; else the groups are listed,
 * by the numbers of devices over all axes.
 */
#include "emit/python.h"

#include "emit/array_ops.h"
#include "emit/reduction.h"
#include "base/room.h"
#include "step/row.h"

typedef struct writer {
	sw_emitter *e;
	const sw_mesh *mesh;
	int base; /* steps of other plans in the same program, before these */
	int k;    /* step, from 0 */
	sw_device_step device_step;
	bool named; /* the groups are these axes, major to minor */
	int axes[SW_MAX_PARTS], axis_count;
	sw_piece_lists lists; /* of a plan with steps on pieces of tiles */
} writer;

/* ---- groups as axes ---- */

/* The axes that make up a digit of the device's number, major to minor. */
static bool name_digit(writer *w, const sw_digit *digit)
{
	int64_t top = digit->stride * digit->size;

	for (int a = 0; a < w->mesh->count && top > digit->stride; a++) {
		const sw_axis *axis = &w->mesh->axis[a];

		if (axis->size == 1 || axis->stride * axis->size != top)
			continue;
		SW_ROOM(w->axes, w->axis_count);
		w->axes[w->axis_count++] = a;
		top = axis->stride;
	}
	return top == digit->stride;
}

static bool name_groups(writer *w)
{
	sw_digit member[SW_MAX_DIGITS];
	int count = w->device_step.lined ? sw_groups_members(&w->device_step.lines, member) : 0;

	w->axis_count = 0;
	for (int n = 0; n < count; n++)
		if (!name_digit(w, &member[n]))
			return false;
	return count > 0;
}

/* ---- steps on pieces of tiles ---- */

/* A step that leaves the sum on one device, or leaves devices out, has no form. */
static bool has_form(const sw_emitter *e, int k)
{
	static const char next_best[] =
		"`reductions` lists others: the first without reduce, broadcast and masters will do; or export mpi";
	const sw_step *step = &e->steps[k];

	if (sw_rooted(step->op))
		return sw_emit_refuse(e, next_best, "step %d, '%s', has no form in JAX: no device may hold less than others",
			k + 1, sw_row(step->op)->name);
	return step->grouped == e->devices ||
		sw_emit_refuse(e, next_best, "step %d leaves devices out, which collectives of JAX do not", k + 1);
}

/* The array has a row a piece, which come into their order where they are not. */
static bool take_pieces(writer *w, sw_array_ops *to)
{
	static const sw_array_op_kind ops[SW_BRINGS_ROOT][SW_LEAVES_ROOT] = {
		[SW_BRINGS_TERMS] = {[SW_LEAVES_ALL] = SW_ARRAY_SUM, [SW_LEAVES_PARTS] = SW_ARRAY_SCATTER},
		[SW_BRINGS_PARTS] = {[SW_LEAVES_ALL] = SW_ARRAY_GATHER},
	};
	const sw_step *step = &w->e->steps[w->k];
	const sw_collective *row = sw_row(step->op);

	if (!has_form(w->e, w->k))
		return false;
	w->named = false;
	w->device_step = (sw_device_step){.step = step,
		.groups = step->grouped / step->group_size,
		.size = step->group_size,
		.group = step->groups};
	to->count = 0;
	to->array_op[to->count++] = (sw_array_op){.op = ops[row->brings][row->leaves]};
	if (w->lists.order[w->k + 1])
		to->array_op[to->count++] = (sw_array_op){.op = SW_ARRAY_ORDER};
	return true;
}

static bool is_by_pieces(const writer *w, int k)
{
	return k >= 0 && k < w->e->plan->program.steps && sw_emit_by_pieces(w->e, k);
}

/* Elements of a tile before step k. */
static int64_t size_at(const writer *w, int k)
{
	int64_t size = 1;

	for (int i = 0; i < w->e->rank; i++)
		size *= w->e->plan->program.value[k].tile[i];
	return size;
}

static void cut_in_pieces(const writer *w)
{
	int64_t size = size_at(w, w->k), count = w->lists.pieces;
	int64_t piece = (size + count - 1) / count;

	sw_emit_line(w->e, "    a = jnp.pad(a.reshape(-1), (0, %lld)).reshape(%lld, %lld)  # a row a piece%s",
		(long long)(piece * count - size), (long long)count, (long long)piece,
		piece * count > size ? ": all are of one size here, so that steps move more than the plan says" : "");
}

static void join_pieces(const writer *w)
{
	sw_text_addf(w->e->text, "    a = a.reshape(-1)[:%lld].reshape(", (long long)size_at(w, w->k + 1));
	sw_python_tuple(w->e->text, w->e->plan->program.value[w->k + 1].tile, w->e->rank);
	sw_text_add(w->e->text, ")\n");
}

/* ---- steps ---- */

static bool start(writer *w)
{
	return sw_plan_pieces_of_tile(w->e->plan) == 0 || sw_piece_lists_make(w->e, true, &w->lists);
}

static bool take_step(writer *w, int k, sw_array_ops *to)
{
	w->k = k;
	if (is_by_pieces(w, k))
		return take_pieces(w, to);
	if (!sw_emit_device_step(w->e, k, &w->device_step) || !sw_emit_array_ops(w->e, &w->device_step, to))
		return false;
	w->named = name_groups(w);
	return true;
}

/* ---- constants ---- */

static int number_of(const writer *w)
{
	return w->base + w->k + 1;
}

static void add_groups(const writer *w)
{
	const sw_device_step *m = &w->device_step;
	sw_text *text = w->e->text;

	sw_text_addf(text, "GROUPS_%d = [", number_of(w));
	for (int64_t g = 0; g < m->groups; g++) {
		sw_text_add(text, g % 4 ? " [" : "\n    [");
		for (int64_t j = 0; j < m->size; j++)
			sw_text_addf(text, "%s%d", j ? ", " : "", (int)m->group[g * m->size + j]);
		sw_text_add(text, "],");
	}
	sw_text_add(text, "\n]\n");
}

static bool add_pairs(const writer *w)
{
	sw_text *text = w->e->text;

	sw_text_addf(text, "PAIRS_%d = [", number_of(w));
	for (int64_t d = 0; d < w->e->devices; d++)
		sw_text_addf(text, "%s(%d, %lld),", d % 8 ? " " : "\n    ", (int)w->device_step.step->source[d],
			(long long)d);
	sw_text_add(text, "\n]\n");
	return true;
}

/* Where each device's tile begins in that of another: `from` one of its own map `to`. */
static bool add_starts_of(const writer *w, const int64_t *from, const int64_t *to)
{
	int rank = w->e->rank;

	sw_text_addf(w->e->text, "STARTS_%d = [", number_of(w));
	for (int64_t d = 0; d < w->e->devices; d++) {
		int64_t start[SW_MAX_DIMS] = {0};

		for (int i = 0; i < rank; i++)
			start[i] = to[d * rank + i] - from[d * rank + i];
		sw_text_add(w->e->text, d % 4 ? " (" : "\n    (");
		sw_emit_numbers(w->e->text, start, rank);
		sw_text_add(w->e->text, rank == 1 ? ",)," : "),");
	}
	sw_text_add(w->e->text, "\n]\n");
	return true;
}

/* Of what is cut, in the tile before; of what is padded, in the tile after. */
static bool add_starts(const writer *w)
{
	return add_starts_of(w, w->device_step.from, w->device_step.to);
}

static bool add_starts_after(const writer *w)
{
	return add_starts_of(w, w->device_step.to, w->device_step.from);
}

static bool add_order(const writer *w)
{
	const sw_emitter *e = w->e;
	bool pieces = is_by_pieces(w, w->k);
	int64_t size = pieces ? w->lists.count[w->k + 1][0] : w->device_step.size;
	const int32_t *row = pieces ? w->lists.order[w->k + 1] : sw_emit_orders(e, &w->device_step);

	if (!row)
		return false;
	sw_text_addf(e->text, "ORDER_%d = [", number_of(w));
	for (int64_t n = 0; n < e->devices * size; n++)
		sw_text_addf(e->text, "%s%d%s", n % size ? ", " : "\n    [", (int)row[n], n % size == size - 1 ? "]," : "");
	sw_text_add(e->text, "\n]\n");
	return true;
}

static bool add_keepers(const writer *w)
{
	sw_text_addf(w->e->text, "KEEPS_%d = [", number_of(w));
	for (int64_t d = 0; d < w->e->devices; d++)
		sw_text_addf(w->e->text, "%s%s,", d % 8 ? " " : "\n    ", w->device_step.keeps[d] ? "True" : "False");
	sw_text_add(w->e->text, "\n]\n");
	return true;
}

static bool add_constants(const writer *w, const sw_array_ops *array_ops)
{
	static bool (*const constants[SW_ARRAY_OP_KINDS])(const writer *w) = {[SW_ARRAY_ORDER] = add_order,
		[SW_ARRAY_PERMUTE] = add_pairs,
		[SW_ARRAY_KEEP] = add_keepers,
		[SW_ARRAY_SLICE] = add_starts,
		[SW_ARRAY_PAD] = add_starts_after};

	for (int n = 0; n < array_ops->count; n++) {
		sw_array_op_kind op = array_ops->array_op[n].op;

		if (constants[op] && !constants[op](w))
			return false;
	}
	if (w->device_step.size && !w->named)
		add_groups(w);
	return true;
}

/* ---- lines of the function ---- */

static void add_names(const writer *w)
{
	if (!w->named)
		sw_text_add(w->e->text, "AXES");
	else if (w->axis_count == 1)
		sw_emit_quoted(w->e->text, w->mesh->axis[w->axes[0]].name);
	else
		sw_python_axes(w->e->text, w->mesh, w->axes, w->axis_count);
}

static void add_group_argument(const writer *w)
{
	if (!w->named)
		sw_text_addf(w->e->text, ", axis_index_groups=GROUPS_%d", number_of(w));
	sw_text_add(w->e->text, ")\n");
}

static void add_swap(const writer *w, int split, int concat)
{
	sw_text_add(w->e->text, "    a = lax.all_to_all(a, ");
	add_names(w);
	sw_text_addf(w->e->text, ", split_axis=%d, concat_axis=%d, tiled=True", split, concat);
	add_group_argument(w);
}

static void add_gather(const writer *w, int dim)
{
	sw_text_add(w->e->text, "    a = lax.all_gather(a, ");
	add_names(w);
	sw_text_addf(w->e->text, ", axis=%d, tiled=True", dim);
	add_group_argument(w);
}

static void add_shape(sw_text *text, const char *what, const sw_array_op *array_op)
{
	sw_text_addf(text, "    a = a.%s(", what);
	for (int i = 0; i < array_op->rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "",
			array_op->op == SW_ARRAY_TRANSPOSE ? (long long)array_op->perm[i] : (long long)array_op->shape[i]);
	sw_text_add(text, ")\n");
}

static void add_slice(const writer *w, const sw_array_op *array_op)
{
	sw_text *text = w->e->text;

	sw_text_addf(text, "    a = lax.dynamic_slice(a, jnp.array(STARTS_%d)[lax.axis_index(AXES)], ", number_of(w));
	sw_python_tuple(text, array_op->shape, array_op->rank);
	sw_text_add(text, ")\n");
}

static void add_sum(const writer *w, const sw_array_op *array_op)
{
	bool scatters = array_op->op == SW_ARRAY_SCATTER;

	sw_text_add(w->e->text, scatters ? "    a = lax.psum_scatter(a, " : "    a = lax.psum(a, ");
	add_names(w);
	if (scatters)
		sw_text_addf(w->e->text, ", scatter_dimension=%d, tiled=True", array_op->dim);
	add_group_argument(w);
}

static void add_pad(const writer *w, const sw_array_op *array_op)
{
	sw_text_add(w->e->text, "    a = lax.dynamic_update_slice(jnp.zeros(");
	sw_python_tuple(w->e->text, array_op->shape, array_op->rank);
	sw_emit_line(w->e, ", a.dtype), a, jnp.array(STARTS_%d)[lax.axis_index(AXES)])", number_of(w));
}

static void add_array_op(const writer *w, const sw_array_op *array_op)
{
	switch (array_op->op) {
	case SW_ARRAY_RESHAPE:
		add_shape(w->e->text, "reshape", array_op);
		return;
	case SW_ARRAY_TRANSPOSE:
		add_shape(w->e->text, "transpose", array_op);
		return;
	case SW_ARRAY_GATHER:
		add_gather(w, array_op->dim);
		return;
	case SW_ARRAY_SWAP:
		add_swap(w, array_op->dim, array_op->dim);
		return;
	case SW_ARRAY_PERMUTE:
		sw_emit_line(w->e, "    a = lax.ppermute(a, AXES, PAIRS_%d)", number_of(w));
		return;
	case SW_ARRAY_SLICE:
		add_slice(w, array_op);
		return;
	case SW_ARRAY_SUM:
	case SW_ARRAY_SCATTER:
		add_sum(w, array_op);
		return;
	case SW_ARRAY_KEEP:
		sw_emit_line(w->e, "    a = jnp.where(jnp.array(KEEPS_%d)[lax.axis_index(AXES)], a, jnp.zeros_like(a))",
			number_of(w));
		return;
	case SW_ARRAY_PAD:
		add_pad(w, array_op);
		return;
	case SW_ARRAY_ORDER:
		sw_emit_line(w->e, "    a = jnp.take(a, jnp.array(ORDER_%d)[lax.axis_index(AXES)], axis=%d)", number_of(w),
			array_op->dim);
		return;
	case SW_ARRAY_OP_KINDS:
		return;
	}
}

/* One dimension against another, and the pieces come as they are wanted: one call says it. */
static bool is_plain_swap(const sw_device_step *m)
{
	if (sw_row(m->step->op)->manner != SW_MANNER_SWAPPED || m->step->gathers != 1 || m->step->splits != 1 ||
		!m->uniform)
		return false;
	for (int64_t j = 0; j < m->size; j++)
		if (m->order[j] != j)
			return false;
	return true;
}

static bool add_step(const writer *w, const sw_array_ops *array_ops)
{
	sw_text_add(w->e->text, "    # ");
	sw_emit_remark_step(w->e, w->k, w->e->text);
	sw_text_add_char(w->e->text, '\n');
	if (is_by_pieces(w, w->k) && !is_by_pieces(w, w->k - 1))
		cut_in_pieces(w);
	if (is_plain_swap(&w->device_step)) {
		add_swap(w, w->device_step.step->split[0].dim, w->device_step.step->gather[0].dim);
		return true;
	}
	for (int n = 0; n < array_ops->count; n++)
		add_array_op(w, &array_ops->array_op[n]);
	if (is_by_pieces(w, w->k) && !is_by_pieces(w, w->k + 1))
		join_pieces(w);
	return true;
}

static bool each_step(sw_emitter *e, const sw_mesh *mesh, int base,
	bool (*add)(const writer *w, const sw_array_ops *array_ops))
{
	writer w = {.e = e, .mesh = mesh, .base = base};
	sw_array_ops array_ops;

	if (!start(&w))
		return false;
	for (int k = 0; k < e->plan->program.steps; k++)
		if (!take_step(&w, k, &array_ops) || !add(&w, &array_ops))
			return false;
	return true;
}

bool sw_shard_map_constants(sw_emitter *e, const sw_mesh *mesh, int base)
{
	return each_step(e, mesh, base, add_constants);
}

bool sw_shard_map_steps(sw_emitter *e, const sw_mesh *mesh, int base)
{
	return each_step(e, mesh, base, add_step);
}
