/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as an HLO module, in the form that XLA's partitioner dumps.
 */
#include "emit/lists.h"

#include <stdio.h>

typedef struct writer {
	sw_emitter *e;
	const char *dtype;
	char now[32]; /* the value that the next instruction takes */
	int values, channels;
	bool last; /* the next instruction is the root */
} writer;

static const char *const dtypes[SW_DTYPE_COUNT] = {
	[SW_PRED] = "pred",
	[SW_I8] = "s8",
	[SW_U8] = "u8",
	[SW_F8E4M3FN] = "f8e4m3fn",
	[SW_F8E4M3] = "f8e4m3",
	[SW_F8E4M3B11FNUZ] = "f8e4m3b11fnuz",
	[SW_F8E4M3FNUZ] = "f8e4m3fnuz",
	[SW_F8E5M2] = "f8e5m2",
	[SW_F8E5M2FNUZ] = "f8e5m2fnuz",
	[SW_F8E3M4] = "f8e3m4",
	[SW_F8E8M0FNU] = "f8e8m0fnu",
	[SW_I16] = "s16",
	[SW_U16] = "u16",
	[SW_F16] = "f16",
	[SW_BF16] = "bf16",
	[SW_I32] = "s32",
	[SW_U32] = "u32",
	[SW_F32] = "f32",
	[SW_I64] = "s64",
	[SW_U64] = "u64",
	[SW_F64] = "f64",
	[SW_C64] = "c64",
	[SW_C128] = "c128",
};

static void add_list(sw_text *text, const int64_t *number, int count)
{
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s%lld", k ? "," : "", (long long)number[k]);
}

static void add_shape(const writer *w, const int64_t *size, int rank, bool layout)
{
	sw_text *text = w->e->text;

	sw_text_addf(text, "%s[", w->dtype);
	add_list(text, size, rank);
	sw_text_add_char(text, ']');
	if (!layout || !rank)
		return;
	for (int i = rank - 1; i >= 0; i--)
		sw_text_addf(text, "%s%d", i == rank - 1 ? "{" : ",", i);
	sw_text_add_char(text, '}');
}

/* Starts an instruction on the present value, with operands before and behind it, whose result becomes the present value. */
static void begin_among(writer *w, const char *op, const sw_array_op *array_op, const char *before,
	const char *behind)
{
	sw_text *text = w->e->text;
	char name[32];

	snprintf(name, sizeof name, "%%%s.%d", op, ++w->values);
	sw_text_addf(text, "  %s%s = ", w->last ? "ROOT " : "", name);
	add_shape(w, array_op->shape, array_op->rank, true);
	sw_text_addf(text, " %s(%s%s%s)", op, before, w->now, behind);
	snprintf(w->now, sizeof w->now, "%s", name);
}

static void begin(writer *w, const char *op, const sw_array_op *array_op, const char *operands)
{
	begin_among(w, op, array_op, "", operands);
}

static void add_groups(writer *w, const sw_device_step *m, int dim, const char *more)
{
	sw_text_addf(w->e->text, ", channel_id=%d, replica_groups=", ++w->channels);
	sw_xla_groups(m, w->e->text);
	sw_text_addf(w->e->text, ", dimensions={%d}%s\n", dim, more);
}

/* The computation of a reduction that adds. */
static void add_sum(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	bool scatters = array_op->op == SW_ARRAY_SCATTER;

	begin(w, scatters ? "reduce-scatter" : "all-reduce", array_op, "");
	sw_text_addf(w->e->text, ", channel_id=%d, replica_groups=", ++w->channels);
	sw_xla_groups(m, w->e->text);
	sw_text_add(w->e->text, ", use_global_device_ids=true");
	if (scatters)
		sw_text_addf(w->e->text, ", dimensions={%d}", array_op->dim);
	sw_text_add(w->e->text, ", to_apply=%add\n");
}

static void add_transpose(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	(void)m;
	begin(w, "transpose", array_op, "");
	for (int i = 0; i < array_op->rank; i++)
		sw_text_addf(w->e->text, "%s%d", i ? "," : ", dimensions={", array_op->perm[i]);
	sw_text_add(w->e->text, "}\n");
}

static void add_permute(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	begin(w, "collective-permute", array_op, "");
	sw_text_addf(w->e->text, ", channel_id=%d, source_target_pairs={", ++w->channels);
	for (int64_t d = 0; d < w->e->devices; d++)
		sw_text_addf(w->e->text, "%s{%d,%lld}", d ? "," : "", (int)m->step->source[d], (long long)d);
	sw_text_add(w->e->text, "}\n");
}

/* ---- slices ---- */

/* Where a slice begins in dimension i, looked up by the number of the device; adds the name to `operands`. */
static void add_start(writer *w, const sw_device_step *m, int i, const char *index, sw_text *operands)
{
	const sw_emitter *e = w->e;
	int n = ++w->values;

	sw_text_addf(e->text, "  %%starts.%d = %s[%lld]{0} constant({", n, index, (long long)e->devices);
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "%s%lld", d ? ", " : "",
			(long long)(m->to[d * e->rank + i] - m->from[d * e->rank + i]));
	sw_emit_line(e,
		"})\n  %%mine.%d = %s[1]{0} dynamic-slice(%%starts.%d, %%partition-id), "
		"dynamic_slice_sizes={1}\n"
		"  %%start.%d = %s[] reshape(%%mine.%d)",
		n, index, n, n, index, n);
	sw_text_addf(operands, ", %%start.%d", n);
}

static bool is_split(const sw_device_step *m, int dim)
{
	for (int k = 0; k < m->step->splits; k++)
		if (m->step->split[k].dim == dim)
			return true;
	return false;
}

static void add_slice(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	sw_text operands = {0};
	const char *index = "s32";
	int zero = ++w->values;

	for (int i = 0; i < w->e->rank; i++)
		index = m->before[i] > INT32_MAX ? "s64" : index;
	sw_emit_line(w->e, "  %%zero.%d = %s[] constant(0)", zero, index);
	for (int i = 0; i < w->e->rank; i++) {
		if (is_split(m, i))
			add_start(w, m, i, index, &operands);
		else
			sw_text_addf(&operands, ", %%zero.%d", zero);
	}
	begin(w, "dynamic-slice", array_op, sw_text_get(&operands));
	sw_text_add(w->e->text, ", dynamic_slice_sizes={");
	add_list(w->e->text, array_op->shape, array_op->rank);
	sw_text_add(w->e->text, "}\n");
	sw_text_free(&operands);
}

/* ---- sums that begin ---- */

/* Zeros of the shape of the result; the number of their name. */
static int add_nought(writer *w, const sw_array_op *array_op)
{
	int n = ++w->values;

	sw_text_addf(w->e->text, "  %%none.%d = %s[] constant(%s)\n  %%zeros.%d = ", n, w->dtype,
		*w->dtype == 'c' ? "(0, 0)" : "0", n);
	add_shape(w, array_op->shape, array_op->rank, true);
	sw_emit_line(w->e, " broadcast(%%none.%d), dimensions={}", n);
	return n;
}

/* One of the copies stays, looked up by the number of the device. */
static void add_keep(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	const sw_emitter *e = w->e;
	int n = add_nought(w, array_op);
	char all[32], zeros[32];

	sw_text_addf(e->text, "  %%keepers.%d = s32[%lld]{0} constant({", n, (long long)e->devices);
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "%s%d", d ? ", " : "", m->keeps[d]);
	sw_emit_line(e,
		"})\n  %%keeper.%d = s32[1]{0} dynamic-slice(%%keepers.%d, %%partition-id), dynamic_slice_sizes={1}\n"
		"  %%one.%d = s32[] reshape(%%keeper.%d)\n  %%keeps.%d = pred[] convert(%%one.%d)",
		n, n, n, n, n, n);
	sw_text_addf(e->text, "  %%all.%d = pred[", n);
	add_list(e->text, array_op->shape, array_op->rank);
	sw_emit_line(e, "] broadcast(%%keeps.%d), dimensions={}", n);
	snprintf(all, sizeof all, "%%all.%d, ", n);
	snprintf(zeros, sizeof zeros, ", %%zeros.%d", n);
	begin_among(w, "select", array_op, all, zeros);
	sw_text_add_char(e->text, '\n');
}

/* The tile among zeros. */
static void add_pad(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	int n = add_nought(w, array_op);
	sw_device_step back = *m;
	sw_text operands = {0};
	char zeros[32];

	back.from = m->to;
	back.to = m->from;
	for (int i = 0; i < w->e->rank; i++)
		add_start(w, &back, i, "s64", &operands);
	snprintf(zeros, sizeof zeros, "%%zeros.%d, ", n);
	begin_among(w, "dynamic-update-slice", array_op, zeros, sw_text_get(&operands));
	sw_text_add_char(w->e->text, '\n');
	sw_text_free(&operands);
}

/* ---- pieces that no transpose brings into their order ---- */

static void add_order_sizes(const writer *w, const sw_array_op *array_op)
{
	sw_text *text = w->e->text;
	int others = 0;

	sw_text_add(text, ", offset_dims={");
	for (int i = 0; i < array_op->rank; i++)
		if (i != array_op->dim)
			sw_text_addf(text, "%s%d", others++ ? "," : "", i);
	sw_text_addf(text, "}, collapsed_slice_dims={%d}, start_index_map={%d}, index_vector_dim=1, slice_sizes={",
		array_op->dim, array_op->dim);
	for (int i = 0; i < array_op->rank; i++)
		sw_text_addf(text, "%s%lld", i ? "," : "", i == array_op->dim ? 1LL : (long long)array_op->shape[i]);
	sw_text_add(text, "}\n");
}

/* Every device looks up which member brought which piece. */
static void add_order(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	const sw_emitter *e = w->e;
	const int32_t *row = sw_emit_orders(e, m);
	int n = ++w->values;
	char operands[48];

	if (!row) {
		e->text->failed = true;
		return;
	}
	sw_text_addf(e->text, "  %%orders.%d = s32[%lld,%lld]{1,0} constant({ ", n, (long long)e->devices,
		(long long)m->size);
	sw_emit_rows(e->text, row, e->devices, m->size, "{ ", ", ", " }");
	sw_emit_line(e,
		" })\n  %%nought.%d = u32[] constant(0)\n  %%row.%d = s32[1,%lld]{1,0} "
		"dynamic-slice(%%orders.%d, %%partition-id, "
		"%%nought.%d), dynamic_slice_sizes={1,%lld}",
		n, n, (long long)m->size, n, n, (long long)m->size);
	sw_emit_line(e, "  %%order.%d = s32[%lld]{0} reshape(%%row.%d)", n, (long long)m->size, n);
	snprintf(operands, sizeof operands, ", %%order.%d", n);
	begin(w, "gather", array_op, operands);
	add_order_sizes(w, array_op);
}

static void add_reshape(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	(void)m;
	begin(w, "reshape", array_op, "");
	sw_text_add_char(w->e->text, '\n');
}

static void add_gather(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	begin(w, "all-gather", array_op, "");
	add_groups(w, m, array_op->dim, ", use_global_device_ids=true");
}

static void add_swap(writer *w, const sw_device_step *m, const sw_array_op *array_op)
{
	begin(w, "all-to-all", array_op, "");
	add_groups(w, m, array_op->dim, "");
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

	sw_emit_remark_problem(w->e, "// ");
	sw_text_add(text, "HloModule redistribute, entry_computation_layout={(");
	add_shape(w, from->tile, from->rank, true);
	sw_text_add(text, ")->");
	add_shape(w, to->tile, to->rank, true);
	sw_text_addf(text, "}, num_partitions=%lld\n", (long long)w->e->devices);
	if (sw_emit_adds(w->e))
		sw_emit_line(w->e,
			"\n%%add (x: %s[], y: %s[]) -> %s[] {\n  %%x = %s[] parameter(0)\n  %%y = %s[] parameter(1)\n"
			"  ROOT %%sum = %s[] add(%%x, %%y)\n}",
			w->dtype, w->dtype, w->dtype, w->dtype, w->dtype, w->dtype);
	sw_text_add(text, "\nENTRY %main (param: ");
	add_shape(w, from->tile, from->rank, false);
	sw_text_add(text, ") -> ");
	add_shape(w, to->tile, to->rank, false);
	sw_text_addf(text, " {\n  %s%%param = ", w->e->plan->program.steps ? "" : "ROOT ");
	add_shape(w, from->tile, from->rank, true);
	sw_text_add(text, " parameter(0), sharding=");
	if (!sw_xla_sharding(w->e, from, text))
		return false;
	sw_text_add_char(text, '\n');
	return true;
}

static bool add_step(writer *w, int k)
{
	const sw_emitter *e = w->e;
	sw_device_step m;
	sw_array_ops array_ops;

	if (!sw_emit_device_step(e, k, &m) || !sw_emit_array_ops(e, &m, &array_ops))
		return false;
	for (int n = 0; n < array_ops.count; n++) {
		w->last = k + 1 == e->plan->program.steps && n + 1 == array_ops.count;
		add_array_op(w, &m, &array_ops.array_op[n]);
	}
	return true;
}

bool sw_emit_hlo(sw_emitter *e)
{
	writer w = {.e = e, .dtype = dtypes[e->plan->problem.from.dtype], .now = "%param"};

	if (!add_head(&w))
		return false;
	if (e->plan->program.steps)
		sw_emit_line(e, "  %%partition-id = u32[] partition-id()");
	for (int k = 0; k < e->plan->program.steps; k++)
		if (!add_step(&w, k))
			return false;
	sw_emit_line(e, "}");
	return true;
}
