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

#include "foreign/module/mlir_groups.h"
#include "foreign/module/mlir_weigh.h"
#include "foreign/module/trips.h"

#define AGAIN_MOST 1000000 /* operations that are gone through again with other shardings */
#define BEAT 1024          /* operations */
#define ASKED_DEEP 8       /* calls through which what a body asks for is looked for */

/* A function with the shardings of its arguments. */
typedef struct variant {
	int function;
	const mlir_cuts **args, **results;
	int count; /* results */
	int part;  /* of the runs */
	bool busy;
	bool quiet, partial; /* as the walk was */
	uint32_t hash;
	int before; /* in the same list, or -1 */
} variant;

/* An operation that asks for a sharding of a value, or a call that has it as operand k. */
typedef struct asker {
	int op, k, next; /* next: of the same value, or -1 */
} asker;

typedef struct walk {
	mlir_flow *flow;
	const graph_module *m;
	mlir_moves *out;
	variant *variant;
	int *list; /* variants by hash: as many lists as there is room for variants; -1: empty */
	asker *asker;
	int *asked; /* of each value, its first asker, or -1 */
	int *first; /* of each function, its first variant, or -1 */
	int variants, askers, move_room, variant_room, asker_room;
	int collective_room;
	graph_reading *r;
	int part;     /* of the runs: what is walked through */
	bool quiet;   /* in a manual computation: only collectives are looked at */
	bool partial; /* as in a collective */
	int depth;
	int64_t again; /* operations that are gone through again */
	int64_t visits;
	const sw_pulse *pulse;
	sw_diag *diag;
} walk;

static void visit_region(walk *w, int region);

static bool has_room(walk *w, bool grown)
{
	w->flow->failed |= !grown;
	return grown;
}

static bool goes_on(const walk *w)
{
	return !w->flow->failed && w->diag->code == SW_OK;
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
	if (!to || w->quiet)
		return;
	out->asked++;
	if (!from) {
		out->unsaid_line = out->unsaid++ ? out->unsaid_line : line;
		return;
	}
	if (same_tiles(w, from, to) || !has_room(w, SW_GROW(w->flow->arena, out->move, out->count, w->move_room, 64)))
		return;
	out->move[out->count++] =
		(mlir_move){.from = from, .to = to, .value = value, .at = at, .line = line, .part = w->part};
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

/* What is asked for with its open dimensions as they are in `from`, and those of `open`. */
static const mlir_cuts *filled(walk *w, const mlir_cuts *from, const mlir_cuts *to, uint32_t open)
{
	return to && from ? mlir_fill_open(w->flow, from, to, open | to->base->open) : to;
}

/* ---- constraints ---- */

/* Is it one, and what does it ask for?  *open: dimensions that it leaves to the compiler. */
static sw_str asked_by(const graph_instruction *op, uint32_t *open)
{
	int64_t free[SW_MAX_DIMS];
	*open = 0;
	if (hlo_flow_of(op->op) == HLO_FLOW_ASKS && op->op != HLO_SHARDING) {
		sw_str out = mlir_sharding_in(op->attributes, "out_sharding=");
		return out.length ? out : mlir_sharding_in(op->attributes, "");
	}
	if (op->op != HLO_SHARDING)
		return (sw_str){"", 0};
	int count = mlir_list(op->attributes, "unspecified_dims=[", free, SW_MAX_DIMS);
	for (int k = 0; k < count; k++)
		*open |= free[k] < 32 ? 1u << free[k] : 0;
	return mlir_sharding_in(op->attributes, "mhlo.sharding = ");
}

static void visit_constraint(walk *w, const graph_instruction *op, sw_str text, uint32_t open)
{
	int value = graph_operand_of(w->m, op, 0), result = op->first_result;
	const mlir_cuts *from = known(w, value), *to = op->results ? read_cuts(w, text, result) : NULL;
	to = filled(w, from, to, open);
	move(w, value, from, to, op->at, op->line);
	if (op->results)
		w->flow->known[result] = to;
}

static void visit_manual(walk *w, const graph_instruction *op)
{
	sw_str in = mlir_shardings_in(op->attributes, "in_shardings=["),
		   out = mlir_shardings_in(op->attributes, "out_shardings=["), text;
	for (int k = 0; k < op->operands && (text = mlir_next_sharding(&in, k == 0)).length; k++) {
		int value = graph_operand_of(w->m, op, k);
		const mlir_cuts *from = known(w, value), *to = filled(w, from, read_cuts(w, text, value), 0);
		move(w, value, from, to, op->at, op->line);
	}
	for (int k = 0; k < op->results; k++)
		w->flow->known[op->first_result + k] = read_cuts(w, mlir_next_sharding(&out, k == 0), op->first_result + k);
}

/* ---- calls ---- */

/* Results of `func.func`, which may say their shardings. */
static void visit_results(walk *w, variant *v, const graph_function *f)
{
	int last = w->m->computation[f->computation].root;
	const graph_instruction *op = last >= 0 ? &w->m->instruction[last] : NULL;
	v->count = op ? op->operands : 0;
	v->results = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, v->count + 1);
	w->flow->failed |= !v->results;
	size_t at = 0;
	for (int k = 0; v->results && k < v->count; k++) {
		int value = graph_operand_of(w->m, op, k);
		sw_str part = sw_str_split(f->results, &at, SW_NESTING_MLIR),
			   text = mlir_sharding_in(part, "sdy.sharding = ");
		if (!text.length)
			text = mlir_sharding_in(part, "mhlo.sharding = ");
		const mlir_cuts *to = filled(w, known(w, value), read_cuts(w, text, value), 0);
		move(w, value, known(w, value), to, op->at, op->line);
		v->results[k] = to ? to : known(w, value);
	}
}

/* A part of the runs in the place of that which is walked through, until it is given back; -1: no memory. */
static int enter_part(walk *w)
{
	int part = runs_add_part(&w->r->runs), outer = w->part;
	if (has_room(w, part >= 0))
		w->part = part;
	return outer;
}

static void add_call(walk *w, const runs_call *call)
{
	has_room(w, runs_add_call(&w->r->runs, *call));
}

static void walk_variant(walk *w, int k)
{
	const graph_function *f = &w->m->function[w->variant[k].function];
	int outer = enter_part(w);
	w->variant[k].part = w->part;
	w->variant[k].busy = true;
	w->depth++;
	for (int i = 0; i < f->args; i++) {
		const mlir_cuts *own = read_cuts(w, w->m->value[f->first_arg + i].sharding, f->first_arg + i);
		w->flow->known[f->first_arg + i] = own ? own : w->variant[k].args[i];
	}
	visit_region(w, f->computation);
	variant done = w->variant[k];
	visit_results(w, &done, f);
	done.busy = false;
	w->variant[k] = done;
	w->part = outer;
	w->depth--;
}

static uint32_t mix(uint32_t hash, int64_t number)
{
	return (hash ^ (uint32_t)number ^ (uint32_t)(number >> 32)) * 16777619u;
}

static uint32_t hash_of(int function, const mlir_cuts *const *args, int count)
{
	uint32_t hash = mix(2166136261u, function);
	for (int i = 0; i < count; i++) {
		const mlir_cuts *cuts = args[i];
		hash = mix(hash, cuts ? cuts->rank : -1);
		for (int d = 0; cuts && d < cuts->rank; d++)
			hash = mix(hash, cuts->first[d + 1]);
		for (int p = 0; cuts && p < cuts->first[cuts->rank]; p++)
			hash = mix(mix(mix(hash, cuts->parts[p].axis), cuts->parts[p].pre), cuts->parts[p].size);
	}
	return hash ^ hash >> 15;
}

static int find_variant(const walk *w, int function, const mlir_cuts *const *args, uint32_t hash)
{
	int k = w->variant_room ? w->list[hash & (uint32_t)(w->variant_room - 1)] : -1;
	for (; k >= 0; k = w->variant[k].before) {
		bool same = w->variant[k].function == function && w->variant[k].hash == hash &&
			w->variant[k].quiet == w->quiet && w->variant[k].partial == w->partial;
		for (int i = 0; same && i < w->m->function[function].args; i++)
			same = same_cuts(w->variant[k].args[i], args[i]);
		if (same)
			return k;
	}
	return -1;
}

static void put_in_list(walk *w, int k)
{
	int *list = &w->list[w->variant[k].hash & (uint32_t)(w->variant_room - 1)];
	w->variant[k].before = *list;
	*list = k;
}

/* Room for one more, and as many lists. */
static bool more_variants(walk *w)
{
	int room = w->variant_room;
	if (!has_room(w, SW_GROW(w->flow->arena, w->variant, w->variants, w->variant_room, 64)))
		return false;
	if (room == w->variant_room)
		return true;
	w->list = SW_NEW(w->flow->arena, int, w->variant_room);
	if (!has_room(w, w->list != NULL))
		return false;
	memset(w->list, -1, (size_t)w->variant_room * sizeof(*w->list));
	for (int k = 0; k < w->variants; k++)
		put_in_list(w, k);
	return true;
}

static sw_span span_of(const graph_instruction *op)
{
	return (sw_span){op->at, op->at + op->attributes.length};
}

/* The first time that a bound is met: at a call, NULL at none. */
static void meet_bound(walk *w, const graph_instruction *op, int function, bool deep)
{
	sw_str name = w->m->function[function].name;
	sw_diag *bound = &w->out->bound;
	if (bound->code != SW_OK || !op)
		return;
	if (deep)
		sw_diag_set(bound, SW_N09, span_of(op),
			"functions call each other more than %d deep: deeper calls are not counted", MLIR_CALLS_DEEP);
	else
		sw_diag_set(bound, SW_N09, span_of(op),
			"'@%.*s' and others are called with more than %d different shardings of their arguments: further "
			"ones count like the first",
			(int)name.length, name.at, w->variants);
}

/* May it be gone through once more?  What was not yet may always. */
static bool has_bound(walk *w, int function)
{
	const graph_computation *region = &w->m->computation[w->m->function[function].computation];
	if (w->first[function] < 0)
		return true;
	if (w->again + region->count + 1 > AGAIN_MOST)
		return false;
	w->again += region->count + 1;
	return true;
}

/* The variant of a function with these arguments, walked through, or the first where that is too much; -1: there can be none.  `op`:
 * the call, NULL: none. */
static int variant_of(walk *w, int function, const mlir_cuts *const *args, const graph_instruction *op)
{
	const graph_function *f = &w->m->function[function];
	uint32_t hash = hash_of(function, args, f->args);
	int found = find_variant(w, function, args, hash);
	if (found >= 0)
		return w->variant[found].busy ? -1 : found;
	bool deep = w->depth >= MLIR_CALLS_DEEP;
	if (deep || !has_bound(w, function)) {
		meet_bound(w, op, function, deep);
		found = w->first[function];
		return found < 0 || w->variant[found].busy ? -1 : found;
	}
	const mlir_cuts **own = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, f->args + 1);
	w->flow->failed |= !own;
	if (!own || !more_variants(w))
		return -1;
	memcpy(own, args, (size_t)f->args * sizeof(*own));
	int made = w->variants++;
	w->variant[made] =
		(variant){.function = function, .args = own, .hash = hash, .quiet = w->quiet, .partial = w->partial};
	put_in_list(w, made);
	if (w->first[function] < 0)
		w->first[function] = made;
	walk_variant(w, made);
	return made;
}

static void visit_call(walk *w, const graph_instruction *op)
{
	int function = op->callee, args = function >= 0 ? w->m->function[function].args : 0;
	const mlir_cuts **given = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, args + 1);
	w->flow->failed |= !given;
	for (int k = 0; given && k < args; k++)
		given[k] = known(w, graph_operand_of(w->m, op, k));
	bool partial = w->partial;
	int callee = function >= 0 && given ? variant_of(w, function, given, op) : -1;
	w->partial = partial;
	if (callee >= 0)
		add_call(w, &(runs_call){.from = w->part, .to = w->variant[callee].part, .times = 1, .choice = -1});
	for (int k = 0; k < op->results; k++)
		w->flow->known[op->first_result + k] = callee >= 0 && k < w->variant[callee].count ?
			w->variant[callee].results[k] :
			NULL;
}

/* ---- loops ---- */

static bool add_asker(walk *w, int value, int op, int k)
{
	if (value < 0)
		return true;
	if (!has_room(w, SW_GROW(w->flow->arena, w->asker, w->askers, w->asker_room, 64)))
		return false;
	w->asker[w->askers] = (asker){op, k, w->asked[value]};
	w->asked[value] = w->askers++;
	return true;
}

/* From the last operation on, so that the first comes first. */
static bool find_askers(walk *w)
{
	const graph_module *m = w->m;
	uint32_t open;
	w->asked = SW_NEW(w->flow->arena, int, m->values + 1);
	if (!has_room(w, w->asked != NULL))
		return false;
	memset(w->asked, -1, ((size_t)m->values + 1) * sizeof(*w->asked));
	for (int i = m->instructions - 1; i >= 0; i--) {
		const graph_instruction *op = &m->instruction[i];
		bool asks = asked_by(op, &open).length && !open;
		for (int k = op->callee >= 0 ? op->operands - 1 : 0; k >= 0 && (asks || op->callee >= 0); k--)
			if (!add_asker(w, graph_operand_of(m, op, k), i, k))
				return false;
	}
	return true;
}

/* What the body asks of this value first, directly or in a function; empty: nothing. */
static sw_str wanted(const walk *w, int region, int value, int deep)
{
	const graph_module *m = w->m;
	uint32_t open;
	for (int a = w->asked[value]; a >= 0; a = w->asker[a].next) {
		const graph_instruction *op = &m->instruction[w->asker[a].op];
		const graph_function *f = op->callee >= 0 ? &m->function[op->callee] : NULL;
		if (op->computation == region && !f)
			return asked_by(op, &open);
		if (op->computation == region && deep > 0 && w->asker[a].k < f->args)
			return wanted(w, f->computation, f->first_arg + w->asker[a].k, deep - 1);
	}
	return (sw_str){"", 0};
}

/* A region of a loop or a conditional, as often as the call says, becomes what is walked through, until w->part is what this
 * returns. */
static int visit_called(walk *w, int region, runs_call call)
{
	call.from = enter_part(w);
	call.to = w->part;
	if (call.from != call.to)
		add_call(w, &call);
	visit_region(w, region);
	return call.from;
}

static int returned(const graph_module *m, int region, int k)
{
	int last = m->computation[region].root;
	return last >= 0 ? graph_operand(m, last, k) : -1;
}

static void enter_loop(walk *w, const graph_instruction *loop)
{
	for (int k = 0; k < loop->args; k++) {
		int arg = loop->first_arg + k, init = graph_operand_of(w->m, loop, k);
		const mlir_cuts *asked = read_cuts(w, wanted(w, loop->child[1], arg, ASKED_DEEP), arg);
		asked = filled(w, known(w, init), asked, 0);
		if (asked && known(w, init))
			move(w, init, known(w, init), asked, loop->at, loop->line);
		w->flow->known[arg] = asked ? asked : known(w, init);
	}
}

static void leave_loop(walk *w, const graph_instruction *loop)
{
	int last = w->m->computation[loop->child[1]].root;
	for (int k = 0; k < loop->args; k++) {
		int value = returned(w->m, loop->child[1], k);
		const mlir_cuts *settled = known(w, loop->first_arg + k), *made = known(w, value);
		if (settled && made && last >= 0)
			move(w, value, made, settled, w->m->instruction[last].at, w->m->instruction[last].line);
		if (k < loop->results)
			w->flow->known[loop->first_result + k] = settled ? settled : made;
	}
}

static void visit_while(walk *w, const graph_instruction *loop)
{
	runs_call call = {.loop = loop->line, .choice = -1};
	if (loop->children < 2 || loop->args > loop->operands)
		return;
	enter_loop(w, loop);
	int64_t trips = trips_of(w->r, (int)(loop - w->m->instruction));
	call.times = trips < 0 ? trips : runs_add(trips, 1, 1);
	w->part = visit_called(w, loop->child[0], call);
	call.times = trips;
	int outer = visit_called(w, loop->child[1], call);
	leave_loop(w, loop);
	w->part = outer;
}

/* ---- collectives ---- */

/* What is asked for with both ends known is a redistribution, counted as that. */
static bool is_move(const walk *w, const graph_instruction *op)
{
	return hlo_flow_of(op->op) == HLO_FLOW_ASKS && !w->quiet && known(w, graph_operand_of(w->m, op, 0));
}

static void visit_collective(walk *w, const graph_instruction *op)
{
	mlir_moves *out = w->out;
	int i = (int)(op - w->m->instruction);
	if (!w->r->traffic[i].count || is_move(w, op) ||
		!has_room(w, SW_GROW(w->flow->arena, out->collective, out->collectives, w->collective_room, 16)))
		return;
	out->collective[out->collectives++] = (collective){.instruction = i, .part = w->part, .partial = w->partial};
	w->r->runs.part[w->part].weight += w->r->traffic[i].bytes;
}

/* Shapes in it are those of devices where it is over all axes of its mesh. */
static void visit_inside(walk *w, const graph_instruction *op)
{
	bool quiet = w->quiet, partial = w->partial;
	w->quiet = true;
	w->partial |= mlir_is_partial(w->m, op);
	if (op->children)
		visit_region(w, op->child[0]);
	w->quiet = quiet;
	w->partial = partial;
}

/* What all branches give as result k; NULL: it is not known, or not the same. */
static const mlir_cuts *given_by_all(walk *w, const graph_instruction *op, int k)
{
	const mlir_cuts *all = known(w, returned(w->m, op->child[0], k));
	for (int region = w->m->computation[op->child[0]].next; all && region >= 0;
		 region = w->m->computation[region].next) {
		const mlir_cuts *one = known(w, returned(w->m, region, k));
		all = one && same_tiles(w, all, one) ? all : NULL;
	}
	return all;
}

static void visit_case(walk *w, const graph_instruction *op)
{
	runs_call call = {.times = 1, .choice = (int)(op - w->m->instruction)};
	for (int region = op->children ? op->child[0] : -1; region >= 0; region = w->m->computation[region].next)
		w->part = visit_called(w, region, call);
	for (int k = 0; op->children && k < op->results; k++) {
		const mlir_cuts **result = &w->flow->known[op->first_result + k];
		*result = *result ? *result : given_by_all(w, op, k);
	}
}

/* ---- all of it ---- */

static void beat(walk *w, const graph_instruction *op)
{
	if (++w->visits % BEAT == 0 && !sw_pulse_beat(w->pulse, "operations", w->visits, w->m->instructions + w->again))
		sw_diag_set(w->diag, SW_S03, span_of(op), "stopped after %lld operations", (long long)w->visits);
}

static void visit(walk *w, const graph_instruction *op)
{
	uint32_t open;
	sw_str text = asked_by(op, &open), said;
	beat(w, op);
	visit_collective(w, op);
	if (op->op == HLO_MANUAL)
		visit_inside(w, op);
	else if (op->op == HLO_TO_SHARD || op->op == HLO_TO_FULL)
		w->partial = mlir_is_partial(w->m, op);
	if (text.length)
		visit_constraint(w, op, text, open);
	else if (op->op == HLO_MANUAL)
		visit_manual(w, op);
	else if (op->op == HLO_CALL)
		visit_call(w, op);
	else if (op->op == HLO_WHILE)
		visit_while(w, op);
	else {
		said = mlir_shardings_in(op->attributes, "sdy.sharding_per_value<[");
		for (int k = 0; k < op->results; k++)
			w->flow->known[op->first_result + k] = mlir_follow(w->flow, op, k, mlir_next_sharding(&said, k == 0));
	}
	if (op->op == HLO_CONDITIONAL)
		visit_case(w, op);
}

static void visit_region(walk *w, int region)
{
	const graph_computation *at = &w->m->computation[region];
	for (int i = at->first; i < at->first + at->count && goes_on(w); i++)
		if (w->m->instruction[i].computation == region)
			visit(w, &w->m->instruction[i]);
}

static bool has_branches(const runs *all)
{
	for (int k = 0; k < all->calls; k++)
		if (all->call[k].choice >= 0)
			return true;
	return false;
}

/* Branches are compared by what moves in them, too. */
static bool weigh_moves(const walk *w)
{
	bool any = has_branches(&w->r->runs);
	sw_arena *work = any ? sw_arena_new() : NULL;
	mlir_weigher *weigher = work ? mlir_weigher_new(w->m, w->pulse, work) : NULL;
	for (int k = 0; weigher && k < w->out->count; k++) {
		const mlir_move *move = &w->out->move[k];
		w->r->runs.part[move->part].weight += mlir_weigh(weigher, move->value, move->from, move->to);
	}
	sw_arena_free(work);
	return weigher || !any;
}

static int compare_moves(const void *a, const void *b)
{
	const mlir_move *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

static void order_moves(const walk *w, mlir_moves *moves)
{
	for (int k = 0; k < moves->count; k++) {
		const runs_part *part = &w->r->runs.part[moves->move[k].part];
		moves->move[k].times = part->count;
		moves->move[k].loop = part->loop;
		moves->move[k].open = part->open;
		moves->move[k].untaken = part->untaken;
	}
	if (moves->count)
		qsort(moves->move, (size_t)moves->count, sizeof(*moves->move), compare_moves);
}

/* All that follows from the text alone. */
static graph_reading *reading_of(graph_module *module, int64_t devices, const sw_pulse *pulse, sw_arena *arena)
{
	graph_reading *r = SW_NEW_ZERO(arena, graph_reading, 1);
	if (!r)
		return NULL;
	*r = (graph_reading){.module = module,
		.pulse = pulse,
		.work = arena,
		.brief = arena,
		.devices = devices,
		.runs = {.arena = arena}};
	return graph_groups_start(r) && graph_scalars_start(r) && graph_traffic_find(r) ? r : NULL;
}

static bool start(walk *w, graph_module *module)
{
	w->flow->known = SW_NEW_ZERO(w->flow->arena, const mlir_cuts *, w->m->values + 1);
	w->first = SW_NEW(w->flow->arena, int, w->m->functions + 1);
	for (int f = 0; w->first && f < w->m->functions; f++)
		w->first[f] = -1;
	w->r = w->out->reading = reading_of(module, w->out->devices, w->pulse, w->flow->arena);
	return w->flow->known && w->first && w->r && find_askers(w);
}

bool mlir_walk(graph_module *module, mlir_flow *flow, const sw_pulse *pulse, mlir_moves *moves, sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};
	walk w = {.flow = flow, .m = module, .out = moves, .pulse = pulse, .diag = &own, .part = -1};
	const graph_function *main = mlir_function_named(w.m, sw_str_of("main"));
	flow->module = module;
	*moves = (mlir_moves){.devices = mlir_devices(module), .bound = {.code = SW_OK}};
	if (!w.m->functions)
		return true;
	main = main ? main : w.m->function;
	const mlir_cuts **none = SW_NEW_ZERO(flow->arena, const mlir_cuts *, main->args + 1);
	if (!none || !start(&w, module))
		return sw_diag_memory(diag);
	variant_of(&w, (int)(main - w.m->function), none, NULL);
	if (goes_on(&w))
		flow->failed |= !weigh_moves(&w) || !runs_settle(&w.r->runs);
	if (flow->failed || w.r->failed)
		return sw_diag_memory(diag);
	if (own.code != SW_OK) {
		*diag = own;
		return false;
	}
	order_moves(&w, moves);
	return true;
}

bool mlir_collectives_give(const mlir_moves *moves, sw_arena *arena, sw_traffic *traffic, int *room)
{
	graph_reading *r = moves->reading;
	if (!r)
		return true;
	r->arena = arena;
	return graph_traffic_give(r, moves->collective, moves->collectives, traffic, room);
}
