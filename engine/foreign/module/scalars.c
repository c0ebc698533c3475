/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small numbers that place slices: tables, the device's own number, and what a program computes from them.
 * Each is computed once, for all devices, when somebody asks for it.
 */
#define _GNU_SOURCE
#include "foreign/module/dialect.h"
#include "foreign/module/hlo_text.h"
#include "foreign/module/reading.h"

#include <assert.h>
#include <string.h>

#define SCALAR_MOST ((int64_t)1 << 22) /* numbers of one value over all devices */
#define SCALAR_DEPTH 400               /* of operands within operands */

static const graph_scalar *scalar_ask(graph_reading *r, int value, int depth);

static graph_scalar *scalar_new(graph_reading *r, int64_t count, bool own)
{
	if (count < 1 || count > SCALAR_MOST || (own && count > SCALAR_MOST / r->devices))
		return NULL;
	graph_scalar *made = SW_NEW(r->work, graph_scalar, 1);
	int64_t *value = SW_NEW(r->work, int64_t, own ? count * r->devices : count);
	if (!made || !value) {
		r->failed = true;
		return NULL;
	}
	*made = (graph_scalar){.count = count, .own = own, .value = value};
	return made;
}

static int64_t scalar_at(const graph_scalar *s, int64_t device, int64_t k)
{
	return s->value[(s->own ? device * s->count : 0) + (s->count == 1 ? 0 : k)];
}

static bool shape_is_whole(const hlo_shape *shape)
{
	return shape->typed &&
		(shape->dtype == SW_PRED || shape->dtype == SW_I8 || shape->dtype == SW_U8 || shape->dtype == SW_I16 ||
			shape->dtype == SW_U16 || shape->dtype == SW_I32 || shape->dtype == SW_U32 || shape->dtype == SW_I64 ||
			shape->dtype == SW_U64);
}

static int64_t shape_count(const hlo_shape *shape)
{
	int64_t count = 1;
	for (int i = 0; i < shape->rank && count <= SCALAR_MOST; i++) {
		if (shape->dim[i] < 1 || shape->dim[i] > SCALAR_MOST)
			return 0;
		count *= shape->dim[i];
	}
	return count <= SCALAR_MOST ? count : 0;
}

static graph_scalar *scalar_literal(graph_reading *r, const graph_instruction *at, const hlo_shape *shape)
{
	int64_t count = shape_count(shape);
	bool truth = shape->dtype == SW_PRED;
	sw_str text;
	if ((truth && count != 1) || !graph_attribute(r->module, at, "literal", &text))
		return NULL;
	graph_scalar *s = scalar_new(r, count, false);
	text = sw_str_trim(text);
	if (s && truth && (sw_str_is(text, "true") || sw_str_is(text, "false"))) {
		s->value[0] = sw_str_is(text, "true");
		return s;
	}
	if (!s || memchr(text.at, '.', text.length) || memchr(text.at, '"', text.length))
		return NULL;
	int64_t said = hlo_numbers(text, s->value, count);
	for (int64_t k = 1; k < count && said == 1 && r->module->value; k++)
		s->value[k] = s->value[0];
	return said == count || (said == 1 && r->module->value) ? s : NULL;
}

static graph_scalar *scalar_device(graph_reading *r)
{
	graph_scalar *s = scalar_new(r, 1, true);
	for (int64_t d = 0; s && d < r->devices; d++)
		s->value[d] = d;
	return s;
}

static graph_scalar *scalar_iota(graph_reading *r, const hlo_shape *shape)
{
	graph_scalar *s = shape->rank == 1 ? scalar_new(r, shape_count(shape), false) : NULL;
	for (int64_t k = 0; s && k < s->count; k++)
		s->value[k] = k;
	return s;
}

/* ---- a slice of a table ---- */

typedef struct table_slice {
	hlo_shape from, to;
	const graph_scalar *table, *start[HLO_DIMS];
} table_slice;

static int64_t table_index(const table_slice *t, int64_t device, int64_t k)
{
	int64_t index = 0, stride = 1;
	for (int i = t->from.rank - 1; i >= 0; i--) {
		int64_t most = t->from.dim[i] - t->to.dim[i], start = scalar_at(t->start[i], device, 0);
		start = start < 0 ? 0 : start > most ? most : start;
		index += (start + k % t->to.dim[i]) * stride;
		k /= t->to.dim[i];
		stride *= t->from.dim[i];
	}
	return index;
}

static graph_scalar *scalar_slice(graph_reading *r, int i, const hlo_shape *shape, int depth)
{
	const graph_module *m = r->module;
	table_slice t = {.to = *shape};
	int table = graph_operand(m, i, 0);
	if (!graph_shape(m, table, &t.from) || t.from.rank != shape->rank ||
		m->instruction[i].operands != shape->rank + 1)
		return NULL;
	t.table = scalar_ask(r, table, depth);
	bool own = t.table && t.table->own;
	for (int k = 0; t.table && k < shape->rank; k++) {
		t.start[k] = scalar_ask(r, graph_operand(m, i, k + 1), depth);
		if (!t.start[k] || t.to.dim[k] > t.from.dim[k])
			return NULL;
		own = own || t.start[k]->own;
	}
	graph_scalar *s = t.table ? scalar_new(r, shape_count(shape), own) : NULL;
	for (int64_t d = 0; s && d < (own ? r->devices : 1); d++)
		for (int64_t k = 0; k < s->count; k++)
			s->value[d * s->count + k] = scalar_at(t.table, d, table_index(&t, d, k));
	return s;
}

/* ---- arithmetic ---- */

static int64_t arithmetic(hlo_op op, int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;
	bool divides = b != 0 && !(a == INT64_MIN && b == -1);
	switch (op) {
	case HLO_ADD:
		return (int64_t)(x + y);
	case HLO_SUBTRACT:
		return (int64_t)(x - y);
	case HLO_MULTIPLY:
		return (int64_t)(x * y);
	case HLO_DIVIDE:
		return divides ? a / b : -1;
	case HLO_REMAINDER:
		return divides ? a % b : a;
	case HLO_MAXIMUM:
		return a > b ? a : b;
	case HLO_MINIMUM:
		return a < b ? a : b;
	case HLO_AND:
		return a & b;
	case HLO_OR:
		return a | b;
	case HLO_XOR:
		return a ^ b;
	case HLO_SHIFT_LEFT:
		return b >= 0 && b < 64 ? (int64_t)(x << b) : 0;
	default:
		return b >= 0 && b < 63 ? (int64_t)(x >> b) : 0;
	}
}

static bool is_arithmetic(hlo_op op)
{
	return op == HLO_ADD || op == HLO_SUBTRACT || op == HLO_MULTIPLY || op == HLO_DIVIDE || op == HLO_REMAINDER ||
		op == HLO_MAXIMUM || op == HLO_MINIMUM || op == HLO_AND || op == HLO_OR || op == HLO_XOR ||
		op == HLO_SHIFT_LEFT || op == HLO_SHIFT_RIGHT;
}

static const struct direction {
	const char *name;
	bool less, equal, greater;
} directions[] = {{"EQ", false, true, false}, {"NE", true, false, true}, {"LT", true, false, false},
	{"LE", true, true, false}, {"GT", false, false, true}, {"GE", false, true, true}};

static const struct direction *direction_of(const graph_reading *r, const graph_instruction *at)
{
	sw_str value;
	if (!graph_attribute(r->module, at, "direction", &value))
		return NULL;
	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++)
		if (sw_str_is(value, directions[i].name))
			return &directions[i];
	return NULL;
}

static int64_t combine(const graph_instruction *at, const struct direction *direction, const int64_t *v, bool truth)
{
	switch (at->op) {
	case HLO_COMPARE:
		return v[0] < v[1] ? direction->less : v[0] > v[1] ? direction->greater : direction->equal;
	case HLO_SELECT:
		return v[0] ? v[1] : v[2];
	case HLO_CLAMP:
		return v[1] < v[0] ? v[0] : v[1] > v[2] ? v[2] : v[1];
	case HLO_NEGATE:
		return (int64_t)(0 - (uint64_t)v[0]);
	case HLO_NOT:
		return truth ? !v[0] : ~v[0];
	default:
		return arithmetic(at->op, v[0], v[1]);
	}
}

static int arity(hlo_op op)
{
	return op == HLO_SELECT || op == HLO_CLAMP ? 3 : op == HLO_NEGATE || op == HLO_NOT ? 1 : 2;
}

static graph_scalar *scalar_combine(graph_reading *r, int i, const hlo_shape *shape, int depth)
{
	const graph_instruction *at = &r->module->instruction[i];
	const struct direction *direction = at->op == HLO_COMPARE ? direction_of(r, at) : NULL;
	const graph_scalar *in[3];
	int64_t count = shape_count(shape), v[3] = {0};
	bool own = false;
	int n = arity(at->op);
	if (at->operands != n || (at->op == HLO_COMPARE && !direction))
		return NULL;
	for (int k = 0; k < n; k++) {
		in[k] = scalar_ask(r, graph_operand(r->module, i, k), depth);
		if (!in[k] || (in[k]->count != count && in[k]->count != 1))
			return NULL;
		own = own || in[k]->own;
	}
	graph_scalar *s = scalar_new(r, count, own);
	for (int64_t d = 0; s && d < (own ? r->devices : 1); d++)
		for (int64_t k = 0; k < count; k++) {
			for (int j = 0; j < n; j++)
				v[j] = scalar_at(in[j], d, k);
			s->value[d * count + k] = combine(at, direction, v, shape->dtype == SW_PRED);
		}
	return s;
}

/* The same numbers in another shape. */
static const graph_scalar *scalar_same(graph_reading *r, int i, const hlo_shape *shape, int depth)
{
	const graph_scalar *in = scalar_ask(r, graph_operand(r->module, i, 0), depth);
	return in && in->count == shape_count(shape) ? in : NULL;
}

/* One number in all places of a shape, or as many as there were. */
static const graph_scalar *scalar_spread(graph_reading *r, int i, const hlo_shape *shape, int depth)
{
	const graph_scalar *in = scalar_ask(r, graph_operand(r->module, i, 0), depth);
	int64_t count = shape_count(shape);
	if (!in || in->count == count || in->count != 1)
		return in && in->count == count ? in : NULL;
	graph_scalar *s = scalar_new(r, count, in->own);
	for (int64_t d = 0; s && d < (in->own ? r->devices : 1); d++)
		for (int64_t k = 0; k < count; k++)
			s->value[d * count + k] = scalar_at(in, d, 0);
	return s;
}

/* ---- asking ---- */

static const graph_scalar *scalar_compute(graph_reading *r, int value, int depth)
{
	int i = graph_maker(r->module, value);
	const graph_instruction *at = i >= 0 ? &r->module->instruction[i] : NULL;
	hlo_shape shape;
	if (!at || at->results > 1 || !graph_shape(r->module, value, &shape) || !shape_is_whole(&shape))
		return NULL;
	switch (at->op) {
	case HLO_CONSTANT:
		return scalar_literal(r, at, &shape);
	case HLO_PARTITION_ID:
	case HLO_REPLICA_ID:
		return (at->op == HLO_PARTITION_ID) == (r->module->partitions > 1) ? scalar_device(r) : NULL;
	case HLO_IOTA:
		return scalar_iota(r, &shape);
	case HLO_DYNAMIC_SLICE:
		return scalar_slice(r, i, &shape, depth);
	case HLO_RESHAPE:
	case HLO_COPY:
	case HLO_BITCAST:
	case HLO_CONVERT:
		return scalar_same(r, i, &shape, depth);
	case HLO_BROADCAST:
		return scalar_spread(r, i, &shape, depth);
	case HLO_COMPARE:
	case HLO_SELECT:
	case HLO_CLAMP:
	case HLO_NEGATE:
	case HLO_NOT:
		return scalar_combine(r, i, &shape, depth);
	default:
		if (hlo_flow_of(at->op) == HLO_FLOW_ASKS)
			return scalar_same(r, i, &shape, depth);
		return is_arithmetic(at->op) ? scalar_combine(r, i, &shape, depth) : NULL;
	}
}

/* Is a table missing that it is computed from? */
static bool scalar_elided(const graph_reading *r, int value)
{
	int i = graph_maker(r->module, value);
	const graph_instruction *at = i >= 0 ? &r->module->instruction[i] : NULL;
	hlo_shape shape;
	if (!at || !graph_shape(r->module, value, &shape) || !shape_is_whole(&shape))
		return false;
	bool elided = at->op == HLO_CONSTANT && at->inside.length && memmem(at->inside.at, at->inside.length, "...", 3);
	for (int k = 0; k < at->operands; k++) {
		int operand = graph_operand(r->module, i, k);
		elided = elided || (operand >= 0 && r->asked[operand] == 2 && r->scalar[operand].elided);
	}
	return elided;
}

static const graph_scalar *scalar_ask(graph_reading *r, int value, int depth)
{
	if (value < 0 || depth == 0 || r->asked[value] == 1)
		return NULL;
	if (r->asked[value] == 0) {
		r->asked[value] = 1;
		const graph_scalar *found = scalar_compute(r, value, depth - 1);
		r->scalar[value] = found ? *found : (graph_scalar){.elided = scalar_elided(r, value)};
		r->asked[value] = 2;
	}
	return r->scalar[value].count ? &r->scalar[value] : NULL;
}

bool graph_scalars_start(graph_reading *r)
{
	int values = r->module->value ? r->module->values : r->module->instructions;
	assert(r->devices >= 1);
	r->scalar = SW_NEW(r->work, graph_scalar, values + 1);
	r->asked = SW_NEW_ZERO(r->work, uint8_t, values + 1);
	return r->scalar && r->asked;
}

const graph_scalar *graph_scalar_of(graph_reading *r, int value)
{
	return scalar_ask(r, value, SCALAR_DEPTH);
}

bool hlo_slices_by_device(graph_reading *r, int i)
{
	const graph_instruction *at = &r->module->instruction[i];
	bool own = false;
	for (int k = 1; k < at->operands; k++) {
		const graph_scalar *start = graph_scalar_of(r, graph_operand(r->module, i, k));
		if (!start || start->count != 1)
			return false;
		own = own || start->own;
	}
	return own && !graph_scalar_of(r, i) && !r->scalar[i].elided;
}

bool hlo_slice_elided(graph_reading *r, int i)
{
	const graph_instruction *at = &r->module->instruction[i];
	hlo_shape shape;
	if (!hlo_shape_read(at->shape, &shape) || (shape_is_whole(&shape) && shape_count(&shape) == 1))
		return false;
	for (int k = 1; k < at->operands; k++) {
		int start = graph_operand(r->module, i, k);
		if (start >= 0 && !graph_scalar_of(r, start) && r->scalar[start].elided)
			return true;
	}
	return false;
}
