/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often the computations of a module run while it runs once: calls add up, loops multiply, and of the branches of a
 * conditional that which moves most counts.  How often a loop runs is said by the compiler (known_trip_count), or follows from
 * a counter that starts, steps and ends at constants.
 */
#define _GNU_SOURCE
#include "foreign/module/hlo_parts.h"
#include "foreign/module/trips.h"

#include <string.h>

#include <shardwalk/number.h>

#define AROUND_MOST 16 /* loops around a loop through which a constant is followed */

/* One computation calls another. */
typedef struct call {
	int instruction, callee, next; /* next: the next call by the same computation, or -1 */
	int64_t times;                 /* -1: the module does not tell */
	bool dropped;                  /* another branch of the same conditional moves more */
} call;

typedef struct counting {
	hlo_reading *r;
	call *call;
	int calls, room;
	int *first;     /* of each computation, its calls */
	int *callers;   /* of each computation, how many calls are not counted yet */
	int *loop;      /* of each computation, the loop that it is the body or the condition of, or -1 */
	int *ready;     /* computations, callers before those that they call */
	int order;      /* how many; what calls itself is not among them */
	double *weight; /* of each computation: bytes that a device gets while it runs once */
} counting;

static const graph_instruction *at_of(const counting *c, int i)
{
	return &c->r->module->instruction[i];
}

/* ---- numbers that loops carry ---- */

/* What is the same number in another form. */
static int bare(const counting *c, int i)
{
	while (i >= 0 &&
		(at_of(c, i)->op == HLO_COPY || at_of(c, i)->op == HLO_BITCAST || at_of(c, i)->op == HLO_RESHAPE ||
			at_of(c, i)->op == HLO_CONVERT))
		i = graph_operand(c->r->module, i, 0);
	return i;
}

/* The element of the loop's values that instruction `i` of its body or condition is, or -1. */
static int64_t element_of(const counting *c, int i)
{
	i = bare(c, i);
	if (i < 0 || at_of(c, i)->op != HLO_ELEMENT)
		return -1;
	int from = graph_operand(c->r->module, i, 0);
	return from >= 0 && at_of(c, from)->op == HLO_PARAMETER ? hlo_element_index(at_of(c, i)) : -1;
}

/* Element `index` of a tuple, or -1. */
static int tuple_element(const counting *c, int tuple, int64_t index)
{
	while (tuple >= 0 && (at_of(c, tuple)->op == HLO_BARRIER || at_of(c, tuple)->op == HLO_COPY))
		tuple = graph_operand(c->r->module, tuple, 0);
	bool right = tuple >= 0 && at_of(c, tuple)->op == HLO_TUPLE && index < at_of(c, tuple)->operands;
	return right ? graph_operand(c->r->module, tuple, (int)index) : -1;
}

static int body_of(const counting *c, int loop)
{
	sw_str text;
	return hlo_attribute(at_of(c, loop)->attributes, "body", &text) ? hlo_computation_named(c->r->module, text) : -1;
}

/* What the body makes of an element of its values, or -1. */
static int next_element(const counting *c, int loop, int64_t index)
{
	int body = body_of(c, loop);
	return body >= 0 ? tuple_element(c, c->r->module->computation[body].root, index) : -1;
}

/* A whole number that is known before the program runs, also one that loops around it only hand on. */
static bool constant_of(const counting *c, int i, int64_t *number)
{
	for (int around = 0; i >= 0 && around < AROUND_MOST; around++) {
		const hlo_scalar *s = hlo_scalar_of(c->r, i);
		if (s && s->count == 1 && !s->own) {
			*number = s->value[0];
			return true;
		}
		int64_t index = element_of(c, i);
		int loop = c->loop[at_of(c, i)->computation];
		if (index < 0 || loop < 0 || element_of(c, next_element(c, loop, index)) != index)
			return false;
		i = tuple_element(c, graph_operand(c->r->module, loop, 0), index);
	}
	return false;
}

/* ---- how often a loop runs ---- */

static bool trips_said(const counting *c, int loop, int64_t *trips)
{
	static const char key[] = "known_trip_count";
	sw_str attributes = at_of(c, loop)->attributes;
	const char *said = memmem(attributes.at, attributes.length, key, sizeof(key) - 1);
	if (!said)
		return false;
	said += sizeof(key) - 1;
	sw_str rest = {said, (size_t)(attributes.at + attributes.length - said)};
	const char *end = memchr(rest.at, '}', rest.length);
	return end && hlo_numbers((sw_str){rest.at, (size_t)(end - rest.at)}, trips, 1) == 1 && *trips >= 0;
}

/* A counter that goes up (step > 0) or down from `start`, as long as `counter DIRECTION limit`. */
typedef struct counter {
	int64_t element, start, step, limit;
	sw_str direction;
} counter;

/* What the condition compares. */
static bool counter_limit(const counting *c, int loop, counter *out)
{
	sw_str text;
	int condition = hlo_attribute(at_of(c, loop)->attributes, "condition", &text) ?
		hlo_computation_named(c->r->module, text) :
		-1;
	int root = condition >= 0 ? c->r->module->computation[condition].root : -1;
	if (root < 0 || at_of(c, root)->op != HLO_COMPARE || at_of(c, root)->operands != 2 ||
		!hlo_attribute(at_of(c, root)->attributes, "direction", &out->direction))
		return false;
	int left = graph_operand(c->r->module, root, 0), right = graph_operand(c->r->module, root, 1);
	if (constant_of(c, left, &out->limit)) {
		out->direction = sw_str_of(trips_mirrored(out->direction));
		out->element = element_of(c, right);
	} else {
		out->element = constant_of(c, right, &out->limit) ? element_of(c, left) : -1;
	}
	return out->element >= 0;
}

/* What the body adds to it. */
static bool counter_step(const counting *c, int loop, counter *out)
{
	int next = bare(c, next_element(c, loop, out->element));
	if (next < 0 || (at_of(c, next)->op != HLO_ADD && at_of(c, next)->op != HLO_SUBTRACT) ||
		at_of(c, next)->operands != 2)
		return false;
	bool adds = at_of(c, next)->op == HLO_ADD;
	int left = graph_operand(c->r->module, next, 0), right = graph_operand(c->r->module, next, 1);
	if (adds && element_of(c, right) == out->element)
		return constant_of(c, left, &out->step);
	if (element_of(c, left) != out->element || !constant_of(c, right, &out->step))
		return false;
	return adds || sw_mul(out->step, -1, &out->step);
}

/* -1 where the module does not tell. */
static int64_t trips_of(const counting *c, int loop)
{
	counter n;
	int64_t trips;
	if (trips_said(c, loop, &trips))
		return trips;
	if (!counter_limit(c, loop, &n) || !counter_step(c, loop, &n) ||
		!constant_of(c, tuple_element(c, graph_operand(c->r->module, loop, 0), n.element), &n.start))
		return -1;
	return trips_counted(n.direction, n.start, n.step, n.limit);
}

/* ---- calls ---- */

static bool add_call(counting *c, int i, sw_str name, int64_t times)
{
	int callee = hlo_computation_named(c->r->module, name), from = at_of(c, i)->computation;
	if (callee < 0 || callee == from)
		return true;
	if (!SW_GROW(c->r->work, c->call, c->calls, c->room, 64))
		return false;
	c->call[c->calls] = (call){i, callee, c->first[from], times, false};
	c->first[from] = c->calls++;
	c->callers[callee]++;
	return true;
}

/* `{%a, %b}`, or one name. */
static bool add_calls(counting *c, int i, sw_str names, int64_t times)
{
	for (size_t at = 0; at < names.length;) {
		size_t begin = at;
		while (at < names.length && !strchr("{}, ", names.at[at]))
			at++;
		if (at > begin && !add_call(c, i, (sw_str){names.at + begin, at - begin}, times))
			return false;
		at += at == begin;
	}
	return true;
}

static bool add_loop(counting *c, int i)
{
	sw_str text;
	int64_t trips = trips_of(c, i);
	if (hlo_attribute(at_of(c, i)->attributes, "condition", &text) &&
		!add_calls(c, i, text, trips < 0 ? trips : trips_add(trips, 1, 1)))
		return false;
	return !hlo_attribute(at_of(c, i)->attributes, "body", &text) || add_calls(c, i, text, trips);
}

static bool calls_find(counting *c)
{
	static const char *const keys[] = {"to_apply", "calls", "branch_computations", "true_computation",
		"false_computation"};
	const graph_module *m = c->r->module;
	for (int i = 0; i < m->instructions; i++) {
		hlo_op op = at_of(c, i)->op;
		bool calls = op == HLO_CALL || op == HLO_FUSION || op == HLO_CONDITIONAL || op == HLO_ASYNC_START;
		sw_str text;
		if (op == HLO_WHILE && !add_loop(c, i))
			return false;
		for (size_t k = 0; calls && k < sizeof(keys) / sizeof(*keys); k++)
			if (hlo_attribute(at_of(c, i)->attributes, keys[k], &text) && !add_calls(c, i, text, 1))
				return false;
	}
	return true;
}

static void loops_find(counting *c)
{
	const graph_module *m = c->r->module;
	sw_str text;
	for (int k = 0; k < m->computations; k++)
		c->loop[k] = c->first[k] = -1;
	for (int i = 0; i < m->instructions; i++) {
		if (at_of(c, i)->op != HLO_WHILE)
			continue;
		int body = body_of(c, i);
		int condition = hlo_attribute(at_of(c, i)->attributes, "condition", &text) ? hlo_computation_named(m, text) :
																					 -1;
		if (body >= 0)
			c->loop[body] = i;
		if (condition >= 0)
			c->loop[condition] = i;
	}
}

/* ---- all computations ---- */

/* Callers before those that they call. */
static bool order_find(counting *c)
{
	const graph_module *m = c->r->module;
	c->ready = SW_NEW(c->r->work, int, m->computations);
	c->weight = SW_NEW_ZERO(c->r->work, double, m->computations);
	if (!c->ready || !c->weight)
		return false;
	for (int k = 0; k < m->computations; k++) {
		c->r->runs[k] = (hlo_runs){.count = !c->callers[k]};
		if (!c->callers[k])
			c->ready[c->order++] = k;
	}
	for (int done = 0; done < c->order; done++)
		for (int k = c->first[c->ready[done]]; k >= 0; k = c->call[k].next)
			if (--c->callers[c->call[k].callee] == 0)
				c->ready[c->order++] = c->call[k].callee;
	return true;
}

/* The calls of one conditional are in a row; of those that move as much the first in the text stays. */
static void dearer_branch(counting *c, int k)
{
	int best = k, conditional = c->call[k].instruction;
	for (int other = k; other >= 0 && c->call[other].instruction == conditional; other = c->call[other].next)
		if (c->weight[c->call[other].callee] >= c->weight[c->call[best].callee])
			best = other;
	for (int other = k; other >= 0 && c->call[other].instruction == conditional; other = c->call[other].next)
		c->call[other].dropped = other != best;
	c->r->branches += c->weight[c->call[best].callee] > 0;
}

/* Those that are called before their callers. */
static void weigh_all(counting *c)
{
	const graph_module *m = c->r->module;
	for (int done = c->order - 1; done >= 0; done--) {
		int at = c->ready[done], last = -1;
		const graph_computation *own = &m->computation[at];
		for (int i = own->first; i < own->first + own->count; i++)
			c->weight[at] += hlo_traffic_bytes(c->r, i);
		for (int k = c->first[at]; k >= 0; k = c->call[k].next) {
			bool branches = at_of(c, c->call[k].instruction)->op == HLO_CONDITIONAL;
			if (branches && c->call[k].instruction != last)
				dearer_branch(c, k);
			last = c->call[k].instruction;
			if (!c->call[k].dropped)
				c->weight[at] += c->weight[c->call[k].callee] * (c->call[k].times < 0 ? 1 : (double)c->call[k].times);
		}
	}
}

static void count_call(const counting *c, const hlo_runs *from, const call *of, hlo_runs *to)
{
	const graph_instruction *by = at_of(c, of->instruction);
	bool dropped = of->dropped || from->untaken;
	to->untaken = dropped && to->count == 0;
	if (!to->loop)
		to->loop = by->op == HLO_WHILE ? by->line : from->loop;
	if (dropped)
		return;
	to->count = trips_add(to->count, from->count, of->times < 0 ? 1 : of->times);
	to->open = to->open || from->open || of->times < 0;
}

/* What calls itself stays at one. */
static void runs_add_up(counting *c)
{
	for (int done = 0; done < c->order; done++)
		for (int k = c->first[c->ready[done]]; k >= 0; k = c->call[k].next)
			count_call(c, &c->r->runs[c->ready[done]], &c->call[k], &c->r->runs[c->call[k].callee]);
	for (int k = 0; k < c->r->module->computations; k++)
		if (c->callers[k] > 0)
			c->r->runs[k] = (hlo_runs){.count = 1, .open = true};
}

bool hlo_runs_find(hlo_reading *r)
{
	int count = r->module->computations;
	counting c = {.r = r,
		.first = SW_NEW(r->work, int, count),
		.callers = SW_NEW_ZERO(r->work, int, count),
		.loop = SW_NEW(r->work, int, count)};
	r->runs = SW_NEW(r->work, hlo_runs, count);
	if (!c.first || !c.callers || !c.loop || !r->runs)
		return false;
	loops_find(&c);
	if (!calls_find(&c) || !order_find(&c))
		return false;
	weigh_all(&c);
	runs_add_up(&c);
	return true;
}
