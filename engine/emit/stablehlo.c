/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as a StableHLO module: what one device computes, with the collectives over the partitions.
 */
#include "emit/lists.h"

#include <stdio.h>

#include "emit/mlir.h"

typedef struct writer {
	sw_emitter *e;
	sw_dtype dtype;
	int64_t shape[SW_MAX_ARRAY_OP_RANK]; /* of the present value, %v<now>; %v0 is the argument */
	int rank, now, channels;
} writer;

static void add_numbers(sw_text *text, const char *open, const int64_t *number, int count)
{
	sw_text_add(text, open);
	sw_emit_numbers(text, number, count);
	sw_text_add_char(text, ']');
}

/* `%v2 = "stablehlo.op"(%v1`, after which the other operands come. */
static void begin(const writer *w, const char *op)
{
	sw_text_addf(w->e->text, "    %%v%d = \"stablehlo.%s\"(%%v%d", w->now + 1, op, w->now);
}

/* The type of the present value, and of that which an operation makes. */
static void add_present(const writer *w)
{
	sw_mlir_tensor(w->e->text, w->shape, w->rank, w->dtype);
}

static void add_made(const writer *w, const sw_array_op *array_op)
{
	sw_mlir_tensor(w->e->text, array_op->shape, array_op->rank, w->dtype);
}

/* `, others) -> tensor<..>` behind the types of other operands; the result becomes the present value. */
static void end_types(writer *w, const sw_array_op *array_op, int others, const char *other)
{
	for (int k = 0; k < others; k++)
		sw_text_addf(w->e->text, ", %s", other);
	sw_text_add(w->e->text, ") -> ");
	add_made(w, array_op);
	sw_text_add_char(w->e->text, '\n');
	for (int i = 0; i < array_op->rank; i++)
		w->shape[i] = array_op->shape[i];
	w->rank = array_op->rank;
	w->now++;
}

/* ` : (tensor<..>, others) -> tensor<..>` */
static void end(writer *w, const sw_array_op *array_op, int others, const char *other)
{
	sw_text_add(w->e->text, " : (");
	add_present(w);
	end_types(w, array_op, others, other);
}

static void add_channel(writer *w)
{
	sw_text_addf(w->e->text, "channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>", ++w->channels);
}

static void add_groups(writer *w, const sw_device_step *m)
{
	sw_text *text = w->e->text;

	sw_text_add(text, "replica_groups = dense<[");
	sw_emit_rows(text, m->group, m->groups, m->size, "[", ", ", "]");
	sw_text_addf(text, "]> : tensor<%lldx%lldxi64>, ", (long long)m->groups, (long long)m->size);
	add_channel(w);
}

static void add_gather(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	begin(w, "all_gather");
	sw_text_addf(w->e->text, ") {all_gather_dim = %d : i64, ", array_op->dim);
	add_groups(w, m);
	sw_text_add(w->e->text, ", use_global_device_ids}");
	end(w, array_op, 0, NULL);
}

/* A reduction that adds, with its region. */
static void add_sum(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	bool scatters = array_op->op == SW_ARRAY_SCATTER;
	sw_text *text = w->e->text, scalar = {0};

	sw_mlir_tensor(&scalar, NULL, 0, w->dtype);
	begin(w, scatters ? "reduce_scatter" : "all_reduce");
	sw_emit_line(w->e, ") ({\n    ^bb0(%%x: %s, %%y: %s):", sw_text_get(&scalar), sw_text_get(&scalar));
	sw_emit_line(w->e, "      %%sum = stablehlo.add %%x, %%y : %s\n      stablehlo.return %%sum : %s",
		sw_text_get(&scalar), sw_text_get(&scalar));
	sw_text_add(text, "    }) {");
	if (scatters)
		sw_text_addf(text, "scatter_dimension = %d : i64, ", array_op->dim);
	add_groups(w, m);
	sw_text_add(text, ", use_global_device_ids}");
	end(w, array_op, 0, NULL);
	sw_text_free(&scalar);
}

static void add_swap(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	begin(w, "all_to_all");
	sw_text_addf(w->e->text, ") {split_dimension = %d : i64, concat_dimension = %d : i64, split_count = %lld : i64, ",
		array_op->dim, array_op->dim, (long long)m->size);
	add_groups(w, m);
	sw_text_add_char(w->e->text, '}');
	end(w, array_op, 0, NULL);
}

static void add_permute(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	begin(w, "collective_permute");
	sw_text_add(w->e->text, ") {source_target_pairs = dense<[");
	for (int64_t d = 0; d < w->e->devices; d++)
		sw_text_addf(w->e->text, "%s[%d, %lld]", d ? ", " : "", (int)m->step->source[d], (long long)d);
	sw_text_addf(w->e->text, "]> : tensor<%lldx2xi64>, ", (long long)w->e->devices);
	add_channel(w);
	sw_text_add_char(w->e->text, '}');
	end(w, array_op, 0, NULL);
}

static void add_transpose(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	(void)m;
	begin(w, "transpose");
	sw_text_add(w->e->text, ") {permutation = array<i64: ");
	for (int i = 0; i < array_op->rank; i++)
		sw_text_addf(w->e->text, "%s%d", i ? ", " : "", array_op->perm[i]);
	sw_text_add(w->e->text, ">}");
	end(w, array_op, 0, NULL);
}

/* ---- slices ---- */

/* Ends the list %t<number>, and looks up %s<number> in it by the number of the device. */
static void add_lookup(const writer *w, const char *number, const char *element)
{
	long long devices = (long long)w->e->devices;

	sw_emit_line(w->e,
		"]> : tensor<%lldx%s>\n    %%m%s = stablehlo.dynamic_slice %%t%s, %%device, sizes = [1] : (tensor<%lldx%s>, tensor<ui32>) -> "
		"tensor<1x%s>",
		devices, element, number, number, devices, element, element);
	sw_emit_line(w->e, "    %%s%s = stablehlo.reshape %%m%s : (tensor<1x%s>) -> tensor<%s>", number, number, element,
		element);
}

/* Where the slice begins in dimension i. */
static void add_start(const writer *w, const sw_device_step *m, int i)
{
	const sw_emitter *e = w->e;
	char number[32];

	snprintf(number, sizeof number, "%d_%d", w->now, i);
	sw_text_addf(e->text, "    %%t%s = stablehlo.constant dense<[", number);
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "%s%lld", d ? ", " : "",
			(long long)(m->to[d * e->rank + i] - m->from[d * e->rank + i]));
	add_lookup(w, number, "i64");
}

static void add_slice(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	for (int i = 0; i < w->e->rank; i++)
		add_start(w, m, i);
	begin(w, "dynamic_slice");
	for (int i = 0; i < w->e->rank; i++)
		sw_text_addf(w->e->text, ", %%s%d_%d", w->now, i);
	add_numbers(w->e->text, ") {slice_sizes = array<i64: ", array_op->shape, array_op->rank);
	w->e->text->data[w->e->text->length - 1] = '>';
	sw_text_add_char(w->e->text, '}');
	end(w, array_op, w->e->rank, "tensor<i64>");
}

/* ---- sums that begin ---- */

static void add_nought(const writer *w, const sw_array_op *array_op)
{
	sw_text *text = w->e->text;
	bool floats = w->dtype >= SW_F8E4M3FN && w->dtype <= SW_F8E8M0FNU;

	floats = floats || w->dtype == SW_F16 || w->dtype == SW_BF16 || w->dtype == SW_F32 || w->dtype == SW_F64;
	sw_text_addf(text, "    %%z%d = stablehlo.constant dense<%s> : ", w->now,
		w->dtype == SW_C64 || w->dtype == SW_C128 ? "(0.0, 0.0)" :
			floats                                ? "0.0" :
													"0");
	add_made(w, array_op);
	sw_text_add_char(text, '\n');
}

/* One of the copies stays. */
static void add_keep(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	const sw_emitter *e = w->e;
	char number[16];

	add_nought(w, array_op);
	snprintf(number, sizeof number, "%d", w->now);
	sw_text_addf(e->text, "    %%t%s = stablehlo.constant dense<[", number);
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "%s%s", d ? ", " : "", m->keeps[d] ? "true" : "false");
	add_lookup(w, number, "i1");
	sw_text_addf(e->text, "    %%v%d = \"stablehlo.select\"(%%s%d, %%v%d, %%z%d) : (tensor<i1>, ", w->now + 1, w->now,
		w->now, w->now);
	add_present(w);
	sw_text_add(e->text, ", ");
	add_present(w);
	end_types(w, array_op, 0, NULL);
}

/* The tile among zeros. */
static void add_pad(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	sw_text *text = w->e->text;
	sw_device_step back = *m;

	back.from = m->to;
	back.to = m->from;
	add_nought(w, array_op);
	for (int i = 0; i < w->e->rank; i++)
		add_start(w, &back, i);
	sw_text_addf(text, "    %%v%d = \"stablehlo.dynamic_update_slice\"(%%z%d, %%v%d", w->now + 1, w->now, w->now);
	for (int i = 0; i < w->e->rank; i++)
		sw_text_addf(text, ", %%s%d_%d", w->now, i);
	sw_text_add(text, ") : (");
	add_made(w, array_op);
	sw_text_add(text, ", ");
	add_present(w);
	end_types(w, array_op, w->e->rank, "tensor<i64>");
}

/* ---- pieces that no transpose brings into their order ---- */

static void add_gather_dims(const writer *w, const sw_array_op *array_op)
{
	sw_text *text = w->e->text;
	int others = 0;

	sw_text_add(text, ") {dimension_numbers = #stablehlo.gather<offset_dims = [");
	for (int i = 0; i < array_op->rank; i++)
		if (i != array_op->dim)
			sw_text_addf(text, "%s%d", others++ ? ", " : "", i);
	sw_text_addf(text,
		"], collapsed_slice_dims = [%d], start_index_map = [%d], index_vector_dim = 1>, slice_sizes "
		"= array<i64: ",
		array_op->dim, array_op->dim);
	for (int i = 0; i < array_op->rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", i == array_op->dim ? 1LL : (long long)array_op->shape[i]);
	sw_text_add(text, ">}");
}

/* Every device looks up which member brought which piece. */
static void add_order(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	const sw_emitter *e = w->e;
	const int32_t *row = sw_emit_orders(e, m);
	long long size = (long long)m->size, devices = (long long)e->devices;
	char type[64];

	if (!row) {
		e->text->failed = true;
		return;
	}
	sw_text_addf(e->text, "    %%o%d = stablehlo.constant dense<[", w->now);
	sw_emit_rows(e->text, row, devices, size, "[", ", ", "]");
	sw_emit_line(e, "]> : tensor<%lldx%lldxi64>\n    %%z%d = stablehlo.constant dense<0> : tensor<ui32>", devices,
		size, w->now);
	sw_emit_line(e,
		"    %%r%d = stablehlo.dynamic_slice %%o%d, %%device, %%z%d, sizes = [1, %lld] : "
		"(tensor<%lldx%lldxi64>, tensor<ui32>, "
		"tensor<ui32>) -> tensor<1x%lldxi64>",
		w->now, w->now, w->now, size, devices, size, size);
	sw_emit_line(e, "    %%i%d = stablehlo.reshape %%r%d : (tensor<1x%lldxi64>) -> tensor<%lldxi64>", w->now, w->now,
		size, size);
	begin(w, "gather");
	sw_text_addf(e->text, ", %%i%d", w->now);
	add_gather_dims(w, array_op);
	snprintf(type, sizeof type, "tensor<%lldxi64>", size);
	end(w, array_op, 1, type);
}

static void add_reshape(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	(void)m;
	begin(w, "reshape");
	sw_text_add_char(w->e->text, ')');
	end(w, array_op, 0, NULL);
}

/* ---- the module ---- */

static void add_array_op(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	static void (*const add[])(writer * w, const sw_device_step *m, const sw_array_op *array_op) = {
		[SW_ARRAY_RESHAPE] = add_reshape,
		[SW_ARRAY_TRANSPOSE] = add_transpose,
		[SW_ARRAY_GATHER] = add_gather,
		[SW_ARRAY_SWAP] = add_swap,
		[SW_ARRAY_PERMUTE] = add_permute,
		[SW_ARRAY_SLICE] = add_slice,
		[SW_ARRAY_SUM] = add_sum,
		[SW_ARRAY_SCATTER] = add_sum,
		[SW_ARRAY_KEEP] = add_keep,
		[SW_ARRAY_PAD] = add_pad,
		[SW_ARRAY_ORDER] = add_order,
	};

	add[array_op->op](w, m, array_op);
}

static bool add_head(writer *w)
{
	const sw_type *from = &w->e->plan->problem.from, *to = &w->e->plan->problem.to;
	sw_text *text = w->e->text;

	sw_emit_line(w->e,
		"// Redistribution of an array, what each of %lld devices computes, written by "
		"shardwalk.\n//",
		(long long)w->e->devices);
	sw_emit_remark_problem(w->e, "//   ");
	sw_emit_line(w->e,
		"\nmodule @redistribute attributes {mhlo.num_partitions = %lld : i32, mhlo.num_replicas = 1 "
		": i32} {",
		(long long)w->e->devices);
	sw_text_add(text, "  func.func @main(%v0: ");
	sw_mlir_tensor(text, from->tile, from->rank, w->dtype);
	sw_text_add(text, " {mhlo.sharding = \"");
	if (!sw_xla_sharding(w->e, from, text))
		return false;
	sw_text_add(text, "\"}) -> ");
	sw_mlir_tensor(text, to->tile, to->rank, w->dtype);
	sw_text_add(text, " {\n");
	return true;
}

static bool add_step(writer *w, int k)
{
	sw_device_step m;
	sw_array_ops array_ops;

	if (!sw_emit_device_step(w->e, k, &m) || !sw_emit_array_ops(w->e, &m, &array_ops))
		return false;
	sw_text_add(w->e->text, "    // ");
	sw_emit_remark_step(w->e, k, w->e->text);
	sw_text_add_char(w->e->text, '\n');
	for (int n = 0; n < array_ops.count; n++)
		add_array_op(w, &m, &array_ops.array_op[n]);
	return true;
}

bool sw_emit_stablehlo(sw_emitter *e)
{
	const sw_type *from = &e->plan->problem.from;
	writer w = {.e = e, .dtype = from->dtype, .rank = from->rank};

	for (int i = 0; i < from->rank; i++)
		w.shape[i] = from->tile[i];
	if (!add_head(&w))
		return false;
	sw_emit_line(e, "    %%device = stablehlo.partition_id : tensor<ui32>");
	for (int k = 0; k < e->plan->program.steps; k++)
		if (!add_step(&w, k))
			return false;
	sw_text_addf(e->text, "    return %%v%d", w.now);
	sw_mlir_end(e->text, w.shape, w.rank, w.dtype);
	return true;
}
