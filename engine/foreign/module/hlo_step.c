/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes one instruction of a chain: from what the devices hold before it to what they hold after, exactly.
 */
#include "foreign/module/dims.h"
#include "foreign/module/hlo_parts.h"
#include "base/room.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- values ---- */

hlo_value *hlo_value_new(graph_reading *r, int rank, const int64_t *global, const int64_t *base, const hlo_form *form)
{
	assert(rank >= 0 && rank <= SW_MAX_DIMS);
	hlo_value *value = SW_NEW(r->work, hlo_value, 1);
	int64_t *sizes = SW_NEW(r->work, int64_t, rank);
	size_t bytes = offsetof(hlo_form, atom) + (size_t)form->first[form->dims] * sizeof(sw_digit);
	hlo_form *kept = sw_arena_alloc(r->work, 1, bytes);
	if (!value || !sizes || !kept) {
		r->failed = true;
		return NULL;
	}
	memcpy(sizes, global, (size_t)rank * sizeof(*sizes));
	memcpy(kept, form, bytes);
	*value = (hlo_value){rank, sizes, base, kept};
	return value;
}

const hlo_value *hlo_value_plain(graph_reading *r, const hlo_shape *shape, const int64_t *global, const int64_t *base)
{
	hlo_form form;
	int64_t size = 1;
	if (shape->rank > SW_MAX_DIMS)
		return NULL;
	for (int i = 0; i < shape->rank; i++)
		if (shape->dim[i] < 1 || global[i] < shape->dim[i] || !sw_mul(size, global[i], &size) || size > HLO_MOST)
			return NULL;
	hlo_form_start(&form, shape->rank, shape->dim);
	return hlo_value_new(r, shape->rank, global, base, &form);
}

static void form_copy(hlo_form *to, const hlo_form *from)
{
	memcpy(to, from, offsetof(hlo_form, atom) + (size_t)from->first[from->dims] * sizeof(sw_digit));
}

static int64_t *base_new(graph_reading *r, const hlo_value *from)
{
	int64_t *base = SW_NEW(r->work, int64_t, r->devices * from->rank);
	if (!base)
		r->failed = true;
	else if (from->base)
		memcpy(base, from->base, (size_t)(r->devices * from->rank) * sizeof(*base));
	else
		memset(base, 0, (size_t)(r->devices * from->rank) * sizeof(*base));
	return base;
}

static int64_t base_at(const hlo_value *value, int64_t device, int i)
{
	return value->base ? value->base[device * value->rank + i] : 0;
}

/* ---- glue ---- */

/* A reshape by way of memory: the operand's order there, cut anew. */
static bool form_bitcast(hlo_form *form, const hlo_shape *from, const hlo_shape *to)
{
	int64_t dim[HLO_DIMS];
	int back[HLO_DIMS];
	for (int i = 0; i < to->rank; i++) {
		dim[i] = to->dim[to->major[i]];
		back[to->major[i]] = i;
	}
	return hlo_form_transpose(form, from->rank, from->major) && hlo_form_reshape(form, to->rank, dim) &&
		hlo_form_transpose(form, to->rank, back);
}

/* Joins the pieces of a tuple's all-to-all along the dimension of a concatenation. */
static bool form_join(hlo_form *form, const graph_instruction *at, const hlo_shape *shape)
{
	int from[HLO_DIMS], into;
	if (hlo_positions(at, "dimensions", form->dims - 1, &into, 1) != 1)
		return false;
	for (int k = 0; k < form->dims; k++)
		from[k] = k < into ? k + 1 : k == into ? 0 : k;
	return hlo_form_transpose(form, form->dims, from) && hlo_form_reshape(form, shape->rank, shape->dim);
}

/* Each dimension becomes one of the result. */
static bool form_follow(hlo_form *form, const graph_dims *dims)
{
	int from[HLO_DIMS];
	for (int k = 0; k < dims->from; k++)
		from[dims->into[k]] = k;
	return hlo_form_transpose(form, dims->from, from);
}

bool hlo_glue_form(graph_reading *r, int i, hlo_form *form)
{
	const graph_module *m = r->module;
	const graph_instruction *at = &m->instruction[i];
	hlo_shape from, to;
	graph_dims dims;
	if (!hlo_shape_read(at->shape, &to))
		return false;
	switch (at->op) {
	case HLO_RESHAPE:
		return hlo_form_reshape(form, to.rank, to.dim);
	case HLO_TRANSPOSE:
		return graph_dims_of(m, at, 0, &to, &dims) && form_follow(form, &dims);
	case HLO_BITCAST:
		return hlo_shape_read(m->instruction[r->link[i].source].shape, &from) && from.rank == form->dims &&
			form_bitcast(form, &from, &to);
	case HLO_CONCATENATE:
		return form_join(form, at, &to);
	default:
		return to.rank == form->dims;
	}
}

/* ---- pieces ---- */

/* The pieces of an operation, as digits along the array's dimensions: every group has the same. */
typedef struct pieces {
	int count;
	sw_digit atom[SW_MAX_DIGITS]; /* major to minor */
} pieces;

static void delta_of(const hlo_value *from, const int32_t *group, int64_t j, int64_t *delta)
{
	for (int i = 0; i < from->rank; i++)
		delta[i] = base_at(from, group[j], i) - base_at(from, group[0], i);
}

/* The one dimension along which a delta goes up, or -1. */
static int delta_dim(const int64_t *delta, int rank)
{
	int dim = -1;
	for (int i = 0; i < rank; i++) {
		if (delta[i] < 0 || (delta[i] > 0 && dim >= 0))
			return -1;
		if (delta[i] > 0)
			dim = i;
	}
	return dim;
}

/* How often the digit that begins with member `step` counts on evenly. */
static int64_t digit_size(const hlo_value *from, const int32_t *group, int64_t step, int64_t size, int dim,
	int64_t stride)
{
	int64_t delta[SW_MAX_DIMS], count = 1;
	while ((count + 1) * step <= size) {
		delta_of(from, group, count * step, delta);
		if (delta_dim(delta, from->rank) != dim || delta[dim] != count * stride)
			break;
		count++;
	}
	while (size / step % count != 0)
		count--;
	return count;
}

static bool pieces_find(const hlo_value *from, const int32_t *group, int64_t size, pieces *p)
{
	int64_t delta[SW_MAX_DIMS];
	sw_digit found[SW_MAX_DIGITS];
	int count = 0;
	for (int64_t step = 1; step < size;) {
		delta_of(from, group, step, delta);
		int dim = delta_dim(delta, from->rank);
		if (dim < 0 || count == 64)
			return false;
		int64_t extent = digit_size(from, group, step, size, dim, delta[dim]);
		if (extent < 2)
			return false;
		SW_ROOM(found, count);
		found[count++] = (sw_digit){.size = extent, .stride = delta[dim], .dim = dim};
		step *= extent;
	}
	p->count = count;
	for (int k = 0; k < count; k++)
		p->atom[k] = found[count - 1 - k];
	return true;
}

static void pieces_offset(const pieces *p, int64_t j, int64_t *offset)
{
	for (int k = p->count - 1; k >= 0; k--) {
		offset[p->atom[k].dim] += j % p->atom[k].size * p->atom[k].stride;
		j /= p->atom[k].size;
	}
}

/* Do all groups have these pieces? */
static bool pieces_hold(const hlo_value *from, const graph_groups *groups, int64_t devices, const pieces *p)
{
	for (int64_t g = 0; g < devices; g += groups->size)
		for (int64_t j = 0; j < groups->size; j++) {
			int64_t want[SW_MAX_DIMS] = {0}, have[SW_MAX_DIMS];
			pieces_offset(p, j, want);
			delta_of(from, groups->member + g, j, have);
			if (memcmp(want, have, (size_t)from->rank * sizeof(*want)) != 0)
				return false;
		}
	return true;
}

/* ---- steps ---- */

typedef struct taking {
	graph_reading *r;
	int i;
	const graph_instruction *at;
	const hlo_value *from;
	hlo_step *step;
	const char **reason;
	hlo_form form;
	int64_t before[SW_MAX_DIMS];
} taking;

static const hlo_value *refuse(const taking *t, const char *reason)
{
	*t->reason = reason;
	return NULL;
}

static const char no_box[] = "its tiles are not boxes of the array";

static const hlo_value *finish(taking *t, const int64_t *base)
{
	const hlo_value *from = t->from;
	if (!hlo_form_box(&t->form, from->rank, t->step->tile))
		return refuse(t, no_box);
	t->step->instruction = t->i;
	t->step->base = base;
	return hlo_value_new(t->r, from->rank, from->global, base, &t->form);
}

/* The members of every group in the order of their pieces, row-major over the array. */
static bool order_members(taking *t, const graph_groups *groups, const int64_t *base, const int64_t *tile)
{
	graph_reading *r = t->r;
	int rank = t->from->rank;
	int32_t *out = SW_NEW(r->work, int32_t, r->devices);
	int64_t size = groups->size;
	int64_t low[SW_MAX_DIMS], span[SW_MAX_DIMS];
	if (!out) {
		r->failed = true;
		return false;
	}
	memset(out, -1, (size_t)r->devices * sizeof(*out));
	for (int64_t g = 0; g < r->devices; g += size) {
		const int32_t *group = groups->member + g;
		for (int i = 0; i < rank; i++) {
			int64_t high = low[i] = base ? base[group[0] * rank + i] : 0;
			for (int64_t j = 1; j < size; j++) {
				int64_t at = base ? base[group[j] * rank + i] : 0;
				low[i] = at < low[i] ? at : low[i];
				high = at > high ? at : high;
			}
			span[i] = (high - low[i]) / tile[i] + 1;
		}
		for (int64_t j = 0; j < size; j++) {
			int64_t piece = 0;
			for (int i = 0; i < rank; i++)
				piece = piece * span[i] + ((base ? base[group[j] * rank + i] : 0) - low[i]) / tile[i];
			if (piece < 0 || piece >= size || out[g + piece] >= 0)
				return refuse(t, "two devices of a group have the same piece") != NULL;
			out[g + piece] = group[j];
		}
	}
	t->step->member = out;
	t->step->size = size;
	return true;
}

static const graph_groups *groups_for(const taking *t)
{
	const graph_groups *groups = graph_groups_of(t->r, t->at);
	if (!groups || !groups->right) {
		refuse(t, "its groups are not of all devices, or not equally large");
		return NULL;
	}
	return groups;
}

static bool pieces_for(const taking *t, const graph_groups *groups, pieces *p)
{
	if (pieces_find(t->from, groups->member, groups->size, p) && pieces_hold(t->from, groups, t->r->devices, p))
		return true;
	refuse(t, "what its groups hold does not form a block of the array");
	return false;
}

static const hlo_value *take_gather(taking *t)
{
	const graph_groups *groups = groups_for(t);
	int dim, rank = t->from->rank;
	pieces p;
	if (!groups)
		return NULL;
	if (hlo_positions(t->at, "dimensions", t->form.dims, &dim, 1) != 1)
		return refuse(t, "it does not say the dimension");
	if (groups->size == 1)
		return t->from;
	if (!pieces_for(t, groups, &p))
		return NULL;
	int64_t *base = base_new(t->r, t->from);
	if (!base || !hlo_form_grow(&t->form, dim, p.atom, p.count))
		return refuse(t, no_box);
	for (int64_t d = 0; d < t->r->devices; d++)
		for (int i = 0; i < rank; i++)
			base[groups->member[d] * rank + i] = base_at(t->from, groups->member[d / groups->size * groups->size], i);
	t->step->op = SW_ALLGATHER;
	return order_members(t, groups, t->from->base, t->before) ? finish(t, base) : NULL;
}

bool hlo_exchange_form(graph_reading *r, int i, int64_t size, hlo_form *form, int *dim)
{
	const graph_module *m = r->module;
	const graph_instruction *at = &m->instruction[i];
	hlo_shape piece, whole;
	int64_t cut[HLO_DIMS];
	int from[HLO_DIMS], n = 0, position = -1;
	if (!r->link[i].pieces)
		return hlo_positions(at, "dimensions", form->dims, dim, 1) == 1 && hlo_form_size(form, *dim) % size == 0;
	if (at->operands != size || !hlo_shape_read(m->instruction[graph_operand(m, i, 0)].shape, &piece) ||
		!hlo_shape_read(m->instruction[r->link[i].source].shape, &whole) || piece.rank != whole.rank ||
		whole.rank != form->dims || whole.rank == HLO_DIMS)
		return false;
	for (int k = 0; k < whole.rank; k++) {
		if (piece.dim[k] != whole.dim[k] && position < 0) {
			position = n;
			SW_ROOM(cut, n);
			cut[n++] = size;
		}
		SW_ROOM(cut, n);
		cut[n++] = piece.dim[k];
	}
	if (position < 0 || !hlo_form_reshape(form, n, cut))
		return false;
	for (int k = 0; k < n; k++)
		from[k] = k == 0 ? position : k <= position ? k - 1 : k;
	*dim = 0;
	return hlo_form_transpose(form, n, from);
}

static const hlo_value *take_exchange(taking *t)
{
	const graph_groups *groups = groups_for(t);
	int dim, rank = t->from->rank;
	pieces p;
	if (!groups)
		return NULL;
	if (!hlo_exchange_form(t->r, t->i, groups->size, &t->form, &dim))
		return refuse(t, "its pieces are not those of one value");
	if (groups->size == 1) {
		return hlo_value_new(t->r, rank, t->from->global, t->from->base, &t->form);
	}
	if (!pieces_for(t, groups, &p))
		return NULL;
	int64_t *base = base_new(t->r, t->from), minor = hlo_form_size(&t->form, dim) / groups->size;
	for (int64_t d = 0; base && d < t->r->devices; d++) {
		int64_t offset[SW_MAX_DIMS] = {0};
		hlo_form_offset(&t->form, dim, d % groups->size * minor, offset);
		for (int i = 0; i < rank; i++)
			base[groups->member[d] * rank + i] =
				base_at(t->from, groups->member[d / groups->size * groups->size], i) + offset[i];
	}
	if (!base || !hlo_form_replace(&t->form, dim, groups->size, p.atom, p.count))
		return refuse(t, no_box);
	t->step->op = SW_ALLTOALL;
	const hlo_value *made = finish(t, base);
	return made && order_members(t, groups, base, t->step->tile) ? made : NULL;
}

/* ---- sums ---- */

int64_t hlo_terms_before(const hlo_step *step, int count, int k)
{
	assert(k >= 0 && k <= count);
	int64_t terms = 1;
	for (; k < count; k++)
		if (step[k].term && !sw_mul(terms, step[k].size, &terms))
			return INT64_MAX;
	return terms;
}

int64_t hlo_term_before(const hlo_step *step, int count, int k, int64_t device)
{
	assert(k >= 0 && k <= count);
	int64_t term = 0;
	for (; k < count; k++)
		term = step[k].term ? term * step[k].size + step[k].term[device] : term;
	return term;
}

/* Which device of a group holds which term is free: they are numbered as the devices are. */
static bool number_terms(taking *t, const graph_groups *groups)
{
	int32_t *term = SW_NEW(t->r->work, int32_t, t->r->devices);
	if (!term) {
		t->r->failed = true;
		return false;
	}
	for (int64_t d = 0; d < t->r->devices; d++) {
		const int32_t *group = groups->member + d / groups->size * groups->size;
		int32_t before = 0;
		for (int64_t j = 0; j < groups->size; j++)
			before += group[j] < groups->member[d];
		term[groups->member[d]] = before;
	}
	t->step->term = term;
	t->step->size = groups->size;
	return true;
}

/* Do the devices of each group hold the same tile? */
static bool holds_terms(const taking *t, const graph_groups *groups)
{
	for (int64_t d = 0; d < t->r->devices; d++)
		for (int i = 0; i < t->from->rank; i++)
			if (base_at(t->from, groups->member[d], i) !=
				base_at(t->from, groups->member[d / groups->size * groups->size], i))
				return false;
	return true;
}

static const graph_groups *groups_to_sum(taking *t)
{
	const graph_groups *groups = groups_for(t);
	if (!groups || groups->size == 1)
		return groups;
	if (!holds_terms(t, groups)) {
		refuse(t, "its groups add tiles from different positions");
		return NULL;
	}
	return number_terms(t, groups) ? groups : NULL;
}

static const hlo_value *take_sum(taking *t)
{
	const graph_groups *groups = groups_to_sum(t);
	if (!groups || groups->size == 1)
		return groups ? t->from : NULL;
	t->step->op = SW_ALLREDUCE;
	t->step->member = groups->member;
	return finish(t, t->from->base);
}

static const hlo_value *take_scatter(taking *t)
{
	const graph_groups *groups = groups_to_sum(t);
	int dim, rank = t->from->rank;
	if (!groups || groups->size == 1)
		return groups ? t->from : NULL;
	if (hlo_positions(t->at, "dimensions", t->form.dims, &dim, 1) != 1)
		return refuse(t, "it does not say the dimension");
	int64_t minor = hlo_form_size(&t->form, dim) / groups->size, *base = base_new(t->r, t->from);
	for (int64_t d = 0; base && d < t->r->devices; d++)
		hlo_form_offset(&t->form, dim, d % groups->size * minor, base + groups->member[d] * rank);
	if (!base || minor * groups->size != hlo_form_size(&t->form, dim) || !hlo_form_shrink(&t->form, dim, minor))
		return refuse(t, "its pieces are not even tiles of what the device holds");
	t->step->op = SW_REDUCESCATTER;
	const hlo_value *made = finish(t, base);
	return made && order_members(t, groups, base, t->step->tile) ? made : NULL;
}

static const hlo_value *take_permute(taking *t)
{
	const graph_groups *pairs = graph_pairs_of(t->r, t->at);
	int rank = t->from->rank;
	if (!pairs || !pairs->right)
		return refuse(t, "its pairs leave devices without a tile");
	int64_t *base = base_new(t->r, t->from);
	for (int64_t d = 0; base && d < t->r->devices; d++)
		for (int i = 0; i < rank; i++)
			base[d * rank + i] = base_at(t->from, pairs->member[d], i);
	t->step->op = SW_ALLPERMUTE;
	t->step->member = pairs->member;
	return base ? finish(t, base) : NULL;
}

/* Cuts dimension k to `size` elements, from where the scalar says on every device. */
static bool slice_dim(graph_reading *r, int i, int k, int64_t size, hlo_form *form, int rank, int64_t *base)
{
	int64_t have = hlo_form_size(form, k);
	const graph_scalar *start = graph_scalar_of(r, graph_operand(r->module, i, k + 1));
	if (have == size)
		return true;
	if (!start || size < 1 || have % size != 0)
		return false;
	for (int64_t d = 0; d < r->devices; d++) {
		int64_t at = start->value[start->own ? d : 0];
		at = at < 0 ? 0 : at > have - size ? have - size : at;
		if (at % size != 0)
			return false;
		hlo_form_offset(form, k, at, base + d * rank);
	}
	return hlo_form_shrink(form, k, size);
}

bool hlo_slice_form(graph_reading *r, int i, hlo_form *form, int rank, int64_t *base)
{
	const graph_instruction *at = &r->module->instruction[i];
	hlo_shape shape;
	if (!hlo_shape_read(at->shape, &shape) || shape.rank != form->dims || at->operands != shape.rank + 1)
		return false;
	for (int k = 0; k < shape.rank; k++)
		if (!slice_dim(r, i, k, shape.dim[k], form, rank, base))
			return false;
	return true;
}

static const hlo_value *take_slice(taking *t)
{
	int64_t *base = base_new(t->r, t->from), tile[SW_MAX_DIMS];
	if (!base || !hlo_slice_form(t->r, t->i, &t->form, t->from->rank, base))
		return refuse(t, "its slices are not even tiles of what the device holds");
	if (hlo_form_box(&t->form, t->from->rank, tile) &&
		memcmp(tile, t->before, (size_t)t->from->rank * sizeof(*tile)) == 0)
		return t->from;
	t->step->op = SW_DYNSLICE;
	return finish(t, base);
}

/* Is the tensor of the shape that the text says? */
static bool shape_agrees(const taking *t, const hlo_value *made)
{
	hlo_shape shape;
	if (t->r->link[t->i].pieces && t->r->link[t->i].step)
		return true;
	if (!hlo_shape_read(t->at->shape, &shape))
		return t->at->op == HLO_ALL_GATHER_START || t->at->op == HLO_PERMUTE_START ||
			t->at->op == HLO_REDUCE_SCATTER_START;
	return hlo_form_fits(made->form, &shape);
}

static const hlo_value *take(taking *t)
{
	switch (t->at->op) {
	case HLO_ALL_GATHER:
	case HLO_ALL_GATHER_START:
		return take_gather(t);
	case HLO_ALL_TO_ALL:
		return take_exchange(t);
	case HLO_PERMUTE:
	case HLO_PERMUTE_START:
		return take_permute(t);
	case HLO_DYNAMIC_SLICE:
		return take_slice(t);
	case HLO_ALL_REDUCE:
	case HLO_ALL_REDUCE_START:
		return take_sum(t);
	case HLO_REDUCE_SCATTER:
	case HLO_REDUCE_SCATTER_START:
		return take_scatter(t);
	default:
		if (!hlo_glue_form(t->r, t->i, &t->form))
			return refuse(t, "its reshape cuts across tiles");
		return hlo_value_new(t->r, t->from->rank, t->from->global, t->from->base, &t->form);
	}
}

const hlo_value *hlo_step_take(graph_reading *r, int i, const hlo_value *from, hlo_step *step, const char **reason)
{
	taking t = {.r = r, .i = i, .at = &r->module->instruction[i], .from = from, .step = step, .reason = reason};
	*step = (hlo_step){.op = SW_OP_COUNT};
	form_copy(&t.form, from->form);
	if (!hlo_form_box(&t.form, from->rank, t.before))
		return refuse(&t, no_box);
	const hlo_value *made = take(&t);
	if (made && !shape_agrees(&t, made))
		return refuse(&t, "its shape is not that of its operand");
	return made;
}
