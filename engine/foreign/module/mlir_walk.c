/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program is walked through as it runs: functions where they are called, with the shardings that their arguments have
 * there (each different set of them once), loops once, with the shardings that their values settle on.
 *
 * The compiler gives what a loop hands on one sharding: that which its body asks for first, else what comes in.  What
 * comes in and what the body makes move there.
 */
#define _GNU_SOURCE
#include "foreign/module/mlir_walk.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "foreign/module/trips.h"

#define DEEP 64            /* calls within calls */
#define VARIANTS_MOST 4096 /* of all functions; a further call is taken for one that was there */

/* A function with the shardings of its arguments. */
typedef struct variant {
	int function;
	const mlir_cuts **args, **results;
	int count;   /* results */
	int callers; /* calls of it that are not counted yet */
	int64_t runs;
	bool open, busy;
	int first; /* its calls: edges, or -1 */
} variant;

typedef struct edge {
	int callee, next;
	int64_t times;
	bool open;
} edge;

typedef struct walk {
	mlir_flow *flow;
	const mlir_module *m;
	mlir_moves *out;
	variant *variant;
	edge *edge;
	int variants, edges, move_room, variant_room, edge_room;
	int now; /* the variant that is walked through */
	int64_t times;
	bool open;
	int depth;
} walk;

static void visit_region(walk *w, int region);

static bool has_room(walk *w, bool grown)
{
	w->flow->failed |= !grown;
	return grown;
}

/* ---- moves ---- */

static bool same_cuts(const mlir_cuts *a, const mlir_cuts *b)
{
	return a == b ||
		(a && b && a->base == b->base && a->rank == b->rank && memcmp(a->first, b->first, sizeof(a->first)) == 0 &&
			memcmp(a->parts, b->parts, (size_t)a->first[a->rank] * sizeof(*a->parts)) == 0);
}

static bool same_tiles(walk *w, const mlir_cuts *a, const mlir_cuts *b)
{
	int64_t first;
	sw_sharding *both = same_cuts(a, b) ? NULL : malloc(2 * sizeof(*both));
	if (!both)
		return true;
	sw_arena_mark mark = sw_arena_here(w->flow->arena);
	mlir_cuts_give(a, &both[0]);
	mlir_cuts_give(b, &both[1]);
	bool same = sw_sharding_differ(&both[0], &both[1], w->flow->arena, &first, NULL) == 0;
	sw_arena_back(w->flow->arena, mark);
	free(both);
	return same;
}

/* `value`, cut as `from` says, shall be cut as `to` says at this line. */
static void move(walk *w, int value, const mlir_cuts *from, const mlir_cuts *to, size_t at, int64_t line)
{
	mlir_moves *out = w->out;
	if (!to)
		return;
	out->asked++;
	if (!from) {
		out->unsaid_line = out->unsaid++ ? out->unsaid_line : line;
		return;
	}
	if (same_tiles(w, from, to) || !has_room(w, SW_GROW(w->flow->arena, out->move, out->count, w->move_room, 64)))
		return;
	out->move[out->count++] = (mlir_move){from, to, value, at, line, w->now, w->times, w->open};
}

static const mlir_cuts *known(const walk *w, int value)
{
	return value >= 0 ? w->flow->known[value] : NULL;
}

static int rank_of(const walk *w, int value)
{
	mlir_shape shape;
	return value >= 0 && mlir_shape_read(w->m->value[value].type, &shape) ? shape.rank : -1;
}

static const mlir_cuts *read_cuts(walk *w, sw_str text, int value)
{
	int rank = rank_of(w, value);
	return text.length && rank >= 0 ? mlir_cuts_read(w->flow, text, rank) : NULL;
}

/* ---- constraints ---- */

/* Is it one, and what does it ask for?  *open: dimensions that it leaves to the compiler. */
static sw_str asked_by(const mlir_op *op, uint32_t *open)
{
	int64_t free[SW_MAX_DIMS];
	*open = 0;
	if (op->kind == MLIR_CONSTRAINT) {
		sw_str out = mlir_sharding_in(op->text, "out_sharding=", 0);
		return out.length ? out : mlir_sharding_in(op->text, "", 0);
	}
	if (op->kind != MLIR_CUSTOM || !memmem(op->text.at, op->text.length, "@Sharding(", strlen("@Sharding(")))
		return (sw_str){"", 0};
	int count = mlir_list(op->text, "unspecified_dims=[", free, SW_MAX_DIMS);
	for (int k = 0; k < count; k++)
		*open |= free[k] < 32 ? 1u << free[k] : 0;
	return mlir_sharding_in(op->text, "mhlo.sharding = ", 0);
}

static void visit_constraint(walk *w, const mlir_op *op, sw_str text, uint32_t open)
{
	int value = mlir_operand(w->m, op, 0), result = op->first_result;
	const mlir_cuts *from = known(w, value), *to = op->results ? read_cuts(w, text, result) : NULL;
	if (to && from)
		to = mlir_fill_open(w->flow, from, to, open | to->base->open);
	move(w, value, from, to, op->at, op->line);
	if (op->results)
		w->flow->known[result] = to;
}

static void visit_manual(walk *w, const mlir_op *op)
{
	sw_str text;
	for (int k = 0; k < op->operands && (text = mlir_sharding_in(op->text, "in_shardings=[", k)).length; k++) {
		int value = mlir_operand(w->m, op, k);
		move(w, value, known(w, value), read_cuts(w, text, value), op->at, op->line);
	}
	for (int k = 0; k < op->results; k++)
		w->flow->known[op->first_result + k] = read_cuts(w, mlir_sharding_in(op->text, "out_shardings=[", k),
			op->first_result + k);
}

/* ---- calls ---- */

static int function_named(const mlir_module *m, sw_str name)
{
	for (int f = 0; f < m->functions; f++)
		if (sw_str_equal(m->function[f].name, name))
			return f;
	return -1;
}

static int callee_of(const mlir_module *m, const mlir_op *op)
{
	const char *sign = memchr(op->text.at, '@', op->text.length);
	const char *open = sign ? memchr(sign, '(', (size_t)(op->text.at + op->text.length - sign)) : NULL;
	return open ? function_named(m, (sw_str){sign + 1, (size_t)(open - sign - 1)}) : -1;
}

/* Results of `func.func`, which may say their shardings. */
static void visit_results(walk *w, variant *v, const mlir_function *f)
{
	int last = w->m->region[f->region].last;
	const mlir_op *op = last >= 0 ? &w->m->op[last] : NULL;
	v->count = op ? op->operands : 0;
	v->results = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, v->count + 1);
	w->flow->failed |= !v->results;
	for (int k = 0; v->results && k < v->count; k++) {
		int value = mlir_operand(w->m, op, k);
		sw_str part = mlir_part(f->results, k), text = mlir_sharding_in(part, "sdy.sharding = ", 0);
		if (!text.length)
			text = mlir_sharding_in(part, "mhlo.sharding = ", 0);
		const mlir_cuts *to = read_cuts(w, text, value);
		move(w, value, known(w, value), to, op->at, op->line);
		v->results[k] = to ? to : known(w, value);
	}
}

static void walk_variant(walk *w, int k)
{
	walk outer = *w;
	const mlir_function *f = &w->m->function[w->variant[k].function];
	w->variant[k].busy = true;
	w->now = k;
	w->times = 1;
	w->open = false;
	w->depth++;
	for (int i = 0; i < f->args; i++) {
		const mlir_cuts *own = read_cuts(w, w->m->value[f->first_arg + i].sharding, f->first_arg + i);
		w->flow->known[f->first_arg + i] = own ? own : w->variant[k].args[i];
	}
	visit_region(w, f->region);
	variant done = w->variant[k];
	visit_results(w, &done, f);
	done.busy = false;
	done.first = w->variant[k].first;
	w->variant[k] = done;
	w->now = outer.now;
	w->times = outer.times;
	w->open = outer.open;
	w->depth--;
}

/* The variant of a function with these arguments, walked through; -1: there can be none. */
static int variant_of(walk *w, int function, const mlir_cuts *const *args)
{
	const mlir_function *f = &w->m->function[function];
	int found = -1;
	for (int k = 0; k < w->variants && found < 0; k++) {
		bool same = w->variant[k].function == function;
		for (int i = 0; same && i < f->args && w->variants < VARIANTS_MOST; i++)
			same = same_cuts(w->variant[k].args[i], args[i]);
		found = same ? k : -1;
	}
	if (found >= 0 || w->depth >= DEEP || w->variants == VARIANTS_MOST)
		return found >= 0 && w->variant[found].busy ? -1 : found;
	const mlir_cuts **own = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, f->args + 1);
	w->flow->failed |= !own;
	if (!own || !has_room(w, SW_GROW(w->flow->arena, w->variant, w->variants, w->variant_room, 64)))
		return -1;
	memcpy(own, args, (size_t)f->args * sizeof(*own));
	int made = w->variants++;
	w->variant[made] = (variant){.function = function, .args = own, .first = -1};
	walk_variant(w, made);
	return made;
}

static void add_edge(walk *w, int callee)
{
	if (!has_room(w, SW_GROW(w->flow->arena, w->edge, w->edges, w->edge_room, 64)))
		return;
	w->edge[w->edges] = (edge){callee, w->variant[w->now].first, w->times, w->open};
	w->variant[w->now].first = w->edges++;
	w->variant[callee].callers++;
}

static void visit_call(walk *w, const mlir_op *op)
{
	int function = callee_of(w->m, op), args = function >= 0 ? w->m->function[function].args : 0;
	const mlir_cuts **given = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, args + 1);
	w->flow->failed |= !given;
	for (int k = 0; given && k < args; k++)
		given[k] = known(w, mlir_operand(w->m, op, k));
	int callee = function >= 0 && given ? variant_of(w, function, given) : -1;
	if (callee >= 0)
		add_edge(w, callee);
	for (int k = 0; k < op->results; k++)
		w->flow->known[op->first_result + k] = callee >= 0 && k < w->variant[callee].count ?
			w->variant[callee].results[k] :
			NULL;
}

/* ---- loops ---- */

/* What the body asks of this value first, directly or in a function; empty: nothing. */
static sw_str wanted(const mlir_module *m, int region, int value, int deep)
{
	sw_str none = {"", 0}, text;
	uint32_t open;
	for (int i = m->region[region].begin; i < m->region[region].end; i++) {
		const mlir_op *op = &m->op[i];
		int callee = op->kind == MLIR_CALL && deep > 0 ? callee_of(m, op) : -1;
		if (op->region == region && mlir_operand(m, op, 0) == value && (text = asked_by(op, &open)).length && !open)
			return text;
		for (int k = 0; op->region == region && callee >= 0 && k < op->operands && k < m->function[callee].args; k++)
			if (mlir_operand(m, op, k) == value)
				return wanted(m, m->function[callee].region, m->function[callee].first_arg + k, deep - 1);
	}
	return none;
}

/* `dense<12>` */
static bool constant_of(const mlir_module *m, int value, int64_t *number)
{
	const mlir_op *op = value >= 0 && m->value[value].op >= 0 ? &m->op[m->value[value].op] : NULL;
	const char *at = op && op->kind == MLIR_CONSTANT ?
		memmem(op->text.at, op->text.length, "dense<", strlen("dense<")) :
		NULL;
	size_t length = 0;
	if (!at)
		return false;
	at += strlen("dense<");
	bool below = *at == '-';
	at += below;
	while (at + length < op->text.at + op->text.length && at[length] >= '0' && at[length] <= '9')
		length++;
	if (at + length >= op->text.at + op->text.length || at[length] != '>' ||
		!sw_read_int((sw_str){at, length}, number, NULL))
		return false;
	*number = below ? -*number : *number;
	return true;
}

/* Which of the loop's values it is, or -1. */
static int carried(const mlir_op *loop, int value)
{
	return value >= loop->first_arg && value < loop->first_arg + loop->args ? value - loop->first_arg : -1;
}

static int returned(const mlir_module *m, int region, int k)
{
	int last = region >= 0 ? m->region[region].last : -1;
	return last >= 0 ? mlir_operand(m, &m->op[last], k) : -1;
}

/* A constant, also one that the loop only hands on. */
static bool limit_of(const mlir_module *m, const mlir_op *loop, int value, int64_t *number)
{
	int k = carried(loop, value);
	if (k >= 0 && returned(m, loop->child[1], k) == value)
		value = mlir_operand(m, loop, k);
	return constant_of(m, value, number);
}

/* What the body adds to value k. */
static bool step_of(const mlir_module *m, const mlir_op *loop, int k, int64_t *step)
{
	int next = returned(m, loop->child[1], k);
	const mlir_op *op = next >= 0 && m->value[next].op >= 0 ? &m->op[m->value[next].op] : NULL;
	if (!op || (op->kind != MLIR_ADD && op->kind != MLIR_SUBTRACT) || op->operands != 2)
		return false;
	int left = mlir_operand(m, op, 0), right = mlir_operand(m, op, 1);
	if (op->kind == MLIR_ADD && carried(loop, right) == k)
		return constant_of(m, left, step);
	if (carried(loop, left) != k || !constant_of(m, right, step))
		return false;
	*step = op->kind == MLIR_ADD ? *step : -*step;
	return true;
}

/* `stablehlo.compare LT, %a, %b`; -1 where the module does not tell how often the loop runs. */
static int64_t trips_of(const mlir_module *m, const mlir_op *loop)
{
	int value = returned(m, loop->child[0], 0);
	const mlir_op *compare = value >= 0 && m->value[value].op >= 0 ? &m->op[m->value[value].op] : NULL;
	int64_t start, step, limit;
	if (!compare || compare->kind != MLIR_COMPARE || compare->operands != 2 || compare->text.length < 21)
		return -1;
	sw_str direction = {compare->text.at + strlen("stablehlo.compare "), 2};
	int left = mlir_operand(m, compare, 0), right = mlir_operand(m, compare, 1), k = carried(loop, left);
	if (k < 0 || !limit_of(m, loop, right, &limit)) {
		direction = sw_str_of(trips_mirrored(direction));
		k = carried(loop, right);
		if (k < 0 || !limit_of(m, loop, left, &limit))
			return -1;
	}
	if (!step_of(m, loop, k, &step) || !constant_of(m, mlir_operand(m, loop, k), &start))
		return -1;
	return trips_counted(direction, start, step, limit);
}

static void enter_loop(walk *w, const mlir_op *loop)
{
	for (int k = 0; k < loop->args; k++) {
		int arg = loop->first_arg + k, init = mlir_operand(w->m, loop, k);
		const mlir_cuts *asked = read_cuts(w, wanted(w->m, loop->child[1], arg, 8), arg);
		if (asked && known(w, init))
			move(w, init, known(w, init), asked, loop->at, loop->line);
		w->flow->known[arg] = asked ? asked : known(w, init);
	}
}

static void leave_loop(walk *w, const mlir_op *loop)
{
	int last = w->m->region[loop->child[1]].last;
	for (int k = 0; k < loop->args; k++) {
		int value = returned(w->m, loop->child[1], k);
		const mlir_cuts *settled = known(w, loop->first_arg + k), *made = known(w, value);
		if (settled && made && last >= 0)
			move(w, value, made, settled, w->m->op[last].at, w->m->op[last].line);
		if (k < loop->results)
			w->flow->known[loop->first_result + k] = settled ? settled : made;
	}
}

static void visit_while(walk *w, const mlir_op *loop)
{
	int64_t times = w->times, trips;
	bool open = w->open;
	if (loop->children < 2 || loop->args > loop->operands)
		return;
	enter_loop(w, loop);
	trips = trips_of(w->m, loop);
	w->times = trips_add(0, times, trips < 0 ? 1 : trips);
	w->open |= trips < 0;
	visit_region(w, loop->child[1]);
	leave_loop(w, loop);
	w->times = times;
	w->open = open;
}

/* ---- all of it ---- */

static void visit(walk *w, const mlir_op *op)
{
	uint32_t open;
	sw_str text = asked_by(op, &open);
	if (text.length)
		visit_constraint(w, op, text, open);
	else if (op->kind == MLIR_MANUAL)
		visit_manual(w, op);
	else if (op->kind == MLIR_CALL)
		visit_call(w, op);
	else if (op->kind == MLIR_WHILE)
		visit_while(w, op);
	else
		for (int k = 0; k < op->results; k++)
			w->flow->known[op->first_result + k] = mlir_follow(w->flow, op, k);
}

static void visit_region(walk *w, int region)
{
	const mlir_region *at = &w->m->region[region];
	for (int i = at->begin; i < at->end && !w->flow->failed; i++)
		if (w->m->op[i].region == region)
			visit(w, &w->m->op[i]);
}

/* Callers before those that they call. */
static void add_up(walk *w)
{
	int *ready = SW_NEW(w->flow->arena, int, w->variants + 1), count = 0;
	w->flow->failed |= !ready;
	for (int k = 0; ready && k < w->variants; k++) {
		w->variant[k].runs = !w->variant[k].callers;
		if (!w->variant[k].callers)
			ready[count++] = k;
	}
	for (int done = 0; ready && done < count; done++)
		for (int e = w->variant[ready[done]].first; e >= 0; e = w->edge[e].next) {
			const variant *from = &w->variant[ready[done]];
			variant *to = &w->variant[w->edge[e].callee];
			to->runs = trips_add(to->runs, from->runs, w->edge[e].times);
			to->open |= from->open || w->edge[e].open;
			if (--to->callers == 0)
				ready[count++] = w->edge[e].callee;
		}
}

static int compare_moves(const void *a, const void *b)
{
	const mlir_move *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

bool mlir_walk(mlir_flow *flow, mlir_moves *moves)
{
	walk w = {.flow = flow, .m = flow->module, .out = moves, .now = 0};
	int main = function_named(w.m, sw_str_of("main"));
	*moves = (mlir_moves){.count = 0};
	flow->known = SW_NEW_ZERO(flow->arena, const mlir_cuts *, w.m->values + 1);
	if (!flow->known)
		return false;
	if (!w.m->functions)
		return true;
	main = main >= 0 ? main : 0;
	const mlir_cuts **none = SW_NEW_ZERO(flow->arena, const mlir_cuts *, w.m->function[main].args + 1);
	if (!none)
		return false;
	variant_of(&w, main, none);
	add_up(&w);
	for (int k = 0; k < moves->count; k++) {
		const variant *v = &w.variant[moves->move[k].variant];
		moves->move[k].times = trips_add(0, v->runs, moves->move[k].times);
		moves->move[k].open |= v->open;
	}
	if (moves->count)
		qsort(moves->move, (size_t)moves->count, sizeof(*moves->move), compare_moves);
	return !flow->failed;
}
