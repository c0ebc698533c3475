/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the devices hold of the values of a program, as far as it follows: parameters say their sharding, and
 * operations that work place by place hand it on, into loops too.
 */
#include "foreign/module/dims.h"
#include "foreign/module/hlo_parts.h"

#include <string.h>

#include <shardwalk/notation.h>
#include <shardwalk/number.h>

const hlo_value hlo_tuple_end;

static const graph_instruction *at_of(const graph_reading *r, int i)
{
	return &r->module->instruction[i];
}

static const hlo_value *operand_value(const graph_reading *r, int i, int k)
{
	int operand = graph_operand(r->module, i, k);
	return operand >= 0 ? r->value[operand] : NULL;
}

/* ---- what an annotation says ---- */

static const hlo_value *annotated_tiles(graph_reading *r, const sw_sharding *s, const hlo_shape *shape)
{
	int64_t global[SW_MAX_DIMS];
	bool whole = s->first[s->rank] == 0;
	if (!whole && (s->rank != shape->rank || s->mesh.devices != r->devices))
		return NULL;
	for (int i = 0; i < shape->rank; i++)
		if (!sw_mul(shape->dim[i], whole ? 1 : sw_sharding_cuts(s, i), &global[i]))
			return NULL;
	if (whole)
		return hlo_value_plain(r, shape, global, NULL);
	const int64_t *table = sw_sharding_table(s, r->brief, NULL);
	int64_t *base = SW_NEW(r->work, int64_t, r->devices * shape->rank);
	if (!base)
		r->failed = true;
	if (!base || !table)
		return NULL;
	for (int64_t d = 0; d < r->devices; d++)
		for (int i = 0; i < shape->rank; i++)
			base[d * shape->rank + i] = table[d * shape->rank + i] * shape->dim[i];
	return hlo_value_plain(r, shape, global, base);
}

/* Only copies may stand beside the tiles, and terms of a sum, which the steps that follow add. */
static bool is_tiles(const sw_sharding *s)
{
	bool tiles = s->kind == SW_SHARDING_TILED;
	for (int g = 0; tiles && g < s->subgroups; g++)
		tiles = s->subgroup[g] == SW_SUBGROUP_REPLICATED || s->subgroup[g] == SW_SUBGROUP_UNREDUCED;
	return tiles;
}

static const hlo_value *annotated(graph_reading *r, const sw_sharding *s, sw_str shape_text)
{
	hlo_shape shape;
	if (!is_tiles(s) || !hlo_shape_read(shape_text, &shape) || shape.rank > SW_MAX_DIMS)
		return NULL;
	return annotated_tiles(r, s, &shape);
}

static bool sharding_read(graph_reading *r, int i, sw_sharding *s)
{
	sw_str text;
	return hlo_attribute(at_of(r, i)->attributes, "sharding", &text) &&
		sw_sharding_parse(text, NULL, r->brief, s, NULL);
}

static void know_annotated_tuple(graph_reading *r, int i, const sw_sharding *s)
{
	sw_str *part = SW_NEW(r->brief, sw_str, s->count + 1);
	const hlo_value **element = SW_NEW_ZERO(r->work, const hlo_value *, s->count + 1);
	if (!part || !element || hlo_tuple_shapes(at_of(r, i)->shape, part, s->count + 1) != s->count)
		return;
	for (int k = 0; k < s->count; k++)
		element[k] = annotated(r, &s->items[k], part[k]);
	element[s->count] = &hlo_tuple_end;
	r->tuple[i] = element;
}

/* Does the instruction say its sharding? */
static bool know_annotation(graph_reading *r, int i)
{
	sw_arena_mark mark = sw_arena_here(r->brief);
	sw_sharding *s = SW_NEW(r->brief, sw_sharding, 1);
	bool says = s && sharding_read(r, i, s);
	if (says && s->kind == SW_SHARDING_TUPLE)
		know_annotated_tuple(r, i, s);
	else if (says)
		r->value[i] = annotated(r, s, at_of(r, i)->shape);
	sw_arena_back(r->brief, mark);
	return says;
}

/* ---- what follows from operands ---- */

/* Is the tensor cut as its array is: dimension by dimension, and of this shape? */
static bool is_plain(const hlo_value *value, const hlo_shape *shape)
{
	const hlo_form *form = value->form;
	if (form->dims != value->rank || !hlo_form_fits(form, shape))
		return false;
	for (int k = 0; k < form->dims; k++) {
		int count = form->first[k + 1] - form->first[k];
		const sw_digit *atom = &form->atom[form->first[k]];
		if (count > 1 || (count == 1 && (atom->dim != k || atom->stride != 1)))
			return false;
	}
	return true;
}

/* The dimension of the array that dimension k of the tensor is a tile of, or -1. */
static int dim_alone(const hlo_value *value, int k)
{
	const hlo_form *form = value->form;
	if (form->first[k + 1] - form->first[k] != 1)
		return -1;
	const sw_digit *atom = &form->atom[form->first[k]];
	for (int i = 0; i < form->first[form->dims]; i++)
		if (&form->atom[i] != atom && form->atom[i].dim == atom->dim)
			return -1;
	return atom->stride == 1 ? atom->dim : -1;
}

/* Where each dimension of a new array comes from: dimension `dim` of the array of `value`; NULL: it is whole. */
typedef struct origin {
	const hlo_value *value;
	int dim;
} origin;

static const hlo_value *value_compose(graph_reading *r, const hlo_shape *shape, const origin *from)
{
	int64_t global[SW_MAX_DIMS];
	int rank = shape->rank;
	bool cut = false;
	if (rank > SW_MAX_DIMS)
		return NULL;
	for (int k = 0; k < rank; k++) {
		global[k] = from[k].value ? from[k].value->global[from[k].dim] : shape->dim[k];
		cut = cut || global[k] != shape->dim[k];
		if (shape->dim[k] < 1 || global[k] % shape->dim[k] != 0)
			return NULL;
	}
	int64_t *base = cut ? SW_NEW(r->work, int64_t, r->devices * rank) : NULL;
	r->failed = r->failed || (cut && !base);
	for (int64_t d = 0; base && d < r->devices; d++)
		for (int k = 0; k < rank; k++) {
			const hlo_value *value = from[k].value;
			base[d * rank + k] = value && value->base ? value->base[d * value->rank + from[k].dim] : 0;
		}
	return cut && !base ? NULL : hlo_value_plain(r, shape, global, base);
}

/* Dimension k of a value's tensor as the origin of a dimension; false where it is not alone. */
static bool origin_of(const hlo_value *value, int k, origin *out)
{
	const hlo_form *form = value->form;
	int dim = dim_alone(value, k);
	if (dim < 0 && form->first[k + 1] == form->first[k] && form->dims == value->rank)
		dim = k; /* one element: of the dimension in that place, if that has nothing else */
	for (int i = 0; dim == k && form->first[k + 1] == form->first[k] && i < form->first[form->dims]; i++)
		if (form->atom[i].dim == k)
			return false;
	*out = (origin){value, dim};
	return dim >= 0;
}

/* ---- the same places in another array ---- */

/* Where one dimension of the new array begins: `weight` times what dimension `dim` of the old one does, by `stride`. */
typedef struct rebased {
	int64_t global, weight, stride;
	int dim; /* -1: it is whole */
} rebased;

/* Dimension k of the tensor as one of a new array; false where tiles would be cut across. */
static bool rebase_dim(const hlo_value *value, const int64_t *tile, int k, rebased *out)
{
	const hlo_form *form = value->form;
	*out = (rebased){hlo_form_size(form, k), 1, 1, -1};
	for (int i = form->first[k]; i < form->first[k + 1]; i++) {
		const sw_digit *atom = &form->atom[i];
		bool leads = atom->stride * atom->size == tile[atom->dim];
		if (!leads || value->global[atom->dim] == tile[atom->dim])
			continue;
		if (i > form->first[k])
			return false;
		out->dim = atom->dim;
		out->stride = atom->stride;
		out->weight = out->global / atom->size;
		return value->global[atom->dim] % atom->stride == 0 &&
			sw_mul(value->global[atom->dim] / atom->stride, out->weight, &out->global);
	}
	return true;
}

/* A dimension that is cut to one element stands where it stood, if its place has nothing else. */
static bool rebase_single(const hlo_value *value, const int64_t *tile, rebased *out)
{
	const hlo_form *form = value->form;
	for (int i = 0; i < value->rank; i++) {
		if (tile[i] != 1 || value->global[i] == 1)
			continue;
		if (form->dims != value->rank || form->first[i + 1] > form->first[i])
			return false;
		out[i] = (rebased){value->global[i], 1, 1, i};
	}
	return true;
}

/* Where the old tiles of a dimension begin `stride` may not cut them. */
static bool rebase_bases(const graph_reading *r, const hlo_value *value, const rebased *from, int64_t *base)
{
	int dims = value->form->dims;
	for (int64_t d = 0; d < r->devices; d++)
		for (int k = 0; k < dims; k++) {
			int64_t at = value->base && from[k].dim >= 0 ? value->base[d * value->rank + from[k].dim] : 0;
			if (at % from[k].stride != 0)
				return false;
			base[d * dims + k] = at / from[k].stride * from[k].weight;
		}
	return true;
}

const hlo_value *hlo_value_rebase(graph_reading *r, const hlo_value *value, const hlo_shape *shape)
{
	const hlo_form *form = value->form;
	int64_t tile[SW_MAX_DIMS], global[SW_MAX_DIMS];
	rebased from[SW_MAX_DIMS];
	if (is_plain(value, shape))
		return value;
	if (!hlo_form_fits(form, shape) || form->dims > SW_MAX_DIMS || !hlo_form_box(form, value->rank, tile) ||
		!hlo_form_ordered(form, value->rank))
		return NULL;
	for (int k = 0; k < form->dims; k++)
		if (!rebase_dim(value, tile, k, &from[k]))
			return NULL;
	if (!rebase_single(value, tile, from))
		return NULL;
	int64_t *base = SW_NEW(r->work, int64_t, r->devices * form->dims);
	r->failed = r->failed || !base;
	if (!base || !rebase_bases(r, value, from, base))
		return NULL;
	for (int k = 0; k < form->dims; k++)
		global[k] = from[k].global;
	return hlo_value_plain(r, shape, global, base);
}

/* ---- operations ---- */

/* The first operand of this shape whose value is known.  Between the pieces of an all-to-all and their places a tensor
 * may be no array by itself: it stays the one that it is of. */
static const hlo_value *know_elementwise(graph_reading *r, int i)
{
	hlo_shape shape;
	const hlo_value *moved = NULL;
	if (!hlo_shape_read(at_of(r, i)->shape, &shape))
		return NULL;
	for (int k = 0; k < at_of(r, i)->operands; k++) {
		const hlo_value *value = operand_value(r, i, k);
		const hlo_value *plain = value ? hlo_value_rebase(r, value, &shape) : NULL;
		if (plain)
			return plain;
		moved = !moved && value && hlo_form_fits(value->form, &shape) ? value : moved;
	}
	return moved;
}

/* The dimensions of the result that are tiles as those of this operand, and of none before it; false: nothing is known of it. */
static bool add_origins(const hlo_value *value, const graph_dims *dims, origin *from)
{
	for (int k = 0; k < dims->from; k++) {
		int into = dims->into[k];
		if (into < 0 || into >= dims->to || from[into].value)
			continue;
		if (!origin_of(value, k, &from[into]))
			return false;
		if (!(dims->whole >> k & 1))
			continue;
		if (value->global[from[into].dim] != hlo_form_size(value->form, k))
			return false;
		from[into].value = NULL;
	}
	return true;
}

static const hlo_value *know_dims(graph_reading *r, int i)
{
	origin from[HLO_DIMS] = {{NULL, 0}};
	graph_dims dims;
	hlo_shape shape;
	int follows = 0;
	if (!hlo_shape_read(at_of(r, i)->shape, &shape))
		return NULL;
	for (int k = 0; k < at_of(r, i)->operands; k++) {
		const hlo_value *value = operand_value(r, i, k);
		if (!graph_dims_of(r->module, at_of(r, i), k, &shape, &dims))
			continue;
		if (!value || value->form->dims != dims.from || !add_origins(value, &dims, from))
			return NULL;
		follows++;
	}
	return follows ? value_compose(r, &shape, from) : NULL;
}

/* What is written into stands as it stood, else as what is written, along dimensions that this fills. */
static const hlo_value *know_update(graph_reading *r, int i)
{
	const hlo_value *whole = operand_value(r, i, 0), *piece = operand_value(r, i, 1);
	origin from[HLO_DIMS];
	hlo_shape shape;
	if (whole || !piece || !hlo_shape_read(at_of(r, i)->shape, &shape) || piece->form->dims != shape.rank)
		return whole;
	for (int k = 0; k < shape.rank; k++) {
		from[k] = (origin){NULL, 0};
		if (hlo_form_size(piece->form, k) == shape.dim[k] && !origin_of(piece, k, &from[k]))
			return NULL;
	}
	return value_compose(r, &shape, from);
}

/* A dimension of one element that comes and goes does not change what is held. */
static const hlo_value *know_glue(graph_reading *r, int i)
{
	const hlo_value *value = r->link[i].source >= 0 ? r->value[r->link[i].source] : NULL;
	const char *reason;
	hlo_step step;
	return value ? hlo_step_take(r, i, value, &step, &reason) : NULL;
}

static void know_element(graph_reading *r, int i)
{
	const graph_instruction *at = at_of(r, i);
	int from = graph_operand(r->module, i, 0);
	int64_t index = hlo_element_index(at), room;
	if (from < 0 || !r->tuple[from] || index < 0)
		return;
	for (room = 0; room <= index && r->tuple[from][room] != &hlo_tuple_end; room++)
		;
	if (room > index)
		r->value[i] = r->tuple[from][index];
}

static void know_tuple(graph_reading *r, int i)
{
	int count = at_of(r, i)->operands;
	const hlo_value **element = SW_NEW_ZERO(r->work, const hlo_value *, count + 1);
	if (!element) {
		r->failed = true;
		return;
	}
	for (int k = 0; k < count; k++)
		element[k] = operand_value(r, i, k);
	element[count] = &hlo_tuple_end;
	r->tuple[i] = element;
}

void hlo_know(graph_reading *r, int i)
{
	const graph_instruction *at = at_of(r, i);
	if (r->value[i] || r->tuple[i] || know_annotation(r, i))
		return;
	switch (at->op) {
	case HLO_DOT:
	case HLO_REDUCE:
	case HLO_BROADCAST:
	case HLO_SLICE:
	case HLO_DYNAMIC_SLICE:
		r->value[i] = know_dims(r, i);
		return;
	case HLO_ALL_REDUCE:
	case HLO_ALL_REDUCE_START:
		r->value[i] = at->operands == 1 ? operand_value(r, i, 0) : NULL;
		return;
	case HLO_UPDATE_SLICE:
		r->value[i] = know_update(r, i);
		return;
	case HLO_ELEMENT:
		know_element(r, i);
		return;
	case HLO_TUPLE:
		know_tuple(r, i);
		return;
	case HLO_BARRIER:
	case HLO_WHILE:
		if (graph_operand(r->module, i, 0) >= 0)
			r->tuple[i] = r->tuple[graph_operand(r->module, i, 0)];
		return;
	default:
		if (hlo_class_of(at->op) == HLO_GLUE || at->op == HLO_CONCATENATE)
			r->value[i] = know_glue(r, i);
		else if (hlo_class_of(at->op) == HLO_ELEMENTWISE)
			r->value[i] = know_elementwise(r, i);
	}
}
