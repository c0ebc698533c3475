/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops count the same way in HLO and in StableHLO: what they carry from round to round is a tuple there, values here.
 */
#include "foreign/module/trips.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/log.h>
#include <shardwalk/number.h>

#include "base/counter.h"
#include "foreign/module/dialect.h"
#include "foreign/module/hlo_text.h"

#define AROUND_MOST 16 /* loops around a loop through which a constant is followed */

static const graph_instruction *at_of(const graph_reading *r, int i)
{
	return &r->module->instruction[i];
}

/* ---- values that loops carry ---- */

/* What is the same number in another form, or as a constraint cuts it. */
static int bare(const graph_reading *r, int value)
{
	for (;;) {
		int i = graph_maker(r->module, value);
		hlo_op op = i >= 0 ? at_of(r, i)->op : HLO_OTHER;
		if (op != HLO_COPY && op != HLO_BITCAST && op != HLO_RESHAPE && op != HLO_CONVERT &&
			hlo_flow_of(op) != HLO_FLOW_ASKS)
			return value;
		value = graph_operand(r->module, i, 0);
	}
}

/* Which value of a loop, that of *loop, this one is in its body or condition, or -1. */
static int64_t carried(const graph_reading *r, int value, int *loop)
{
	const graph_module *m = r->module;
	value = bare(r, value);
	if (value >= 0 && m->value) {
		*loop = m->value[value].op < 0 ? m->value[value].loop : -1;
		return *loop >= 0 ? m->value[value].index : -1;
	}
	int from = value >= 0 && at_of(r, value)->op == HLO_ELEMENT ? graph_operand(m, value, 0) : -1;
	*loop = from >= 0 && at_of(r, from)->op == HLO_PARAMETER ? m->computation[at_of(r, value)->computation].loop : -1;
	return *loop >= 0 ? hlo_element_index(at_of(r, value)) : -1;
}

/* The same of one loop; a computation may be the body of several. */
static int64_t element_of(const graph_reading *r, int loop, int value)
{
	int other;
	int64_t k = carried(r, value, &other);
	return k >= 0 && at_of(r, other)->child[1] == at_of(r, loop)->child[1] ? k : -1;
}

/* Part k of a tuple, or of what a region returns, or -1. */
static int part_of(const graph_reading *r, int i, int64_t k)
{
	while (i >= 0 && !r->module->value && (at_of(r, i)->op == HLO_BARRIER || at_of(r, i)->op == HLO_COPY))
		i = graph_operand(r->module, i, 0);
	bool right = i >= 0 && (at_of(r, i)->op == HLO_TUPLE || at_of(r, i)->op == HLO_RETURN) &&
		k < at_of(r, i)->operands;
	return right ? graph_operand(r->module, i, (int)k) : -1;
}

/* The loop's value k before its first round, and after each. */
static int first_of(const graph_reading *r, int loop, int64_t k)
{
	if (r->module->value)
		return k < at_of(r, loop)->operands ? graph_operand(r->module, loop, (int)k) : -1;
	return part_of(r, graph_operand(r->module, loop, 0), k);
}

static int next_of(const graph_reading *r, int loop, int64_t k)
{
	int body = at_of(r, loop)->child[1];
	return body >= 0 ? part_of(r, r->module->computation[body].root, k) : -1;
}

/* A whole number that is known before the program runs, also one that loops around it only hand on. */
static bool constant_of(graph_reading *r, int value, int64_t *number)
{
	for (int around = 0; value >= 0 && around < AROUND_MOST; around++) {
		const graph_scalar *s = graph_scalar_of(r, value);
		int loop;
		if (s && s->count == 1 && !s->own) {
			*number = s->value[0];
			return true;
		}
		int64_t k = carried(r, value, &loop);
		if (k < 0 || element_of(r, loop, next_of(r, loop, k)) != k)
			return false;
		value = first_of(r, loop, k);
	}
	return false;
}

/* ---- counters ---- */

static const char *mirrored(sw_str direction)
{
	static const char *const pairs[][2] = {{"LT", "GT"}, {"GT", "LT"}, {"LE", "GE"}, {"GE", "LE"}, {"NE", "NE"}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (sw_str_is(direction, pairs[i][0]))
			return pairs[i][1];
	return "";
}

/* A counter that goes up (step > 0) or down from `start`, as long as `counter DIRECTION limit`. */
typedef struct counter {
	int64_t element, start, step, limit;
	sw_str direction;
} counter;

static int64_t count(const counter *n)
{
	return sw_counter_rounds(n->start, n->step, n->limit, n->direction);
}

/* What the condition gives. */
static int asked_by(const graph_reading *r, int loop)
{
	int condition = at_of(r, loop)->child[0], root = condition >= 0 ? r->module->computation[condition].root : -1;
	int value = root >= 0 && at_of(r, root)->op == HLO_RETURN ? graph_operand(r->module, root, 0) : root;
	return graph_maker(r->module, bare(r, value));
}

/* What the condition compares. */
static bool counter_limit(graph_reading *r, int loop, counter *out)
{
	int compare = asked_by(r, loop);
	if (compare < 0 || at_of(r, compare)->op != HLO_COMPARE || at_of(r, compare)->operands != 2 ||
		!graph_attribute(r->module, at_of(r, compare), "direction", &out->direction))
		return false;
	int left = graph_operand(r->module, compare, 0), right = graph_operand(r->module, compare, 1);
	if (constant_of(r, left, &out->limit)) {
		out->direction = sw_str_of(mirrored(out->direction));
		out->element = element_of(r, loop, right);
	} else {
		out->element = constant_of(r, right, &out->limit) ? element_of(r, loop, left) : -1;
	}
	return out->element >= 0;
}

/* What the body adds to it. */
static bool counter_step(graph_reading *r, int loop, counter *out)
{
	int next = graph_maker(r->module, bare(r, next_of(r, loop, out->element)));
	if (next < 0 || (at_of(r, next)->op != HLO_ADD && at_of(r, next)->op != HLO_SUBTRACT) ||
		at_of(r, next)->operands != 2)
		return false;
	bool adds = at_of(r, next)->op == HLO_ADD;
	int left = graph_operand(r->module, next, 0), right = graph_operand(r->module, next, 1);
	if (adds && element_of(r, loop, right) == out->element)
		return constant_of(r, left, &out->step);
	if (element_of(r, loop, left) != out->element || !constant_of(r, right, &out->step))
		return false;
	return adds || sw_mul(out->step, -1, &out->step);
}

/* ---- all together ---- */

static bool trips_said(const graph_reading *r, int loop, int64_t *trips)
{
	sw_str rest;
	if (!sw_str_after(at_of(r, loop)->attributes, "known_trip_count", &rest))
		return false;
	const char *end = memchr(rest.at, '}', rest.length);
	return end && hlo_numbers((sw_str){rest.at, (size_t)(end - rest.at)}, trips, 1) == 1 && *trips >= 0;
}

int64_t trips_of(graph_reading *r, int loop)
{
	counter n;
	int64_t trips;
	assert(at_of(r, loop)->op == HLO_WHILE);
	if (trips_said(r, loop, &trips))
		return trips;
	if (!counter_limit(r, loop, &n) || !counter_step(r, loop, &n) ||
		!constant_of(r, first_of(r, loop, n.element), &n.start))
		return -1;
	return count(&n);
}
