/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances between all types of a shape, from many starts at once: the states leave a queue by what they cost.
 *
 * An alltoall or a reducescatter goes by way of a middle: what is left after parts were popped from some dimensions and have left
 * the sums, and by how much others have to be cut now.  Many steps share a middle, and each middle is left once for each price at
 * which it becomes cheaper, so that not every pair of states is looked at.
 */
#include "search/distances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/keys.h"
#include "base/resize.h"
#include "cost/roofline.h"
#include "search/step_prices.h"
#include "step/row.h"

/* What a step over some parts takes: hops, and for each element of the larger tile. */
typedef struct rate {
	double hops, element;
} rate;

struct sw_distances {
	const sw_type_space *space;
	bool by_step; /* what a step takes depends on where it begins and ends */
	int32_t
		weight[SW_SPACE_PARTS]; /* of a part, in what is left to push; times the parts of its prime that are left */
	int32_t radix[SW_SPACE_PARTS];
	int32_t amounts;  /* that can be left to push */
	bool *is_left;    /* [amount][part]: has it that part's prime? */
	int64_t *product; /* of a set of parts */
	int32_t *amount;  /* and what they come to */
	int32_t *class;   /* of a state: those with the same tiles and as many terms */
	int32_t *class_first, *members;
	double *class_cost;
	int32_t classes;
	rate *rates[SW_COLLECTIVES]; /* by the parts of a step, of a roofline; NULL: elements, or */
	sw_step_prices *prices;      /* step by step, without middles */
};

/* ---- what is made once ---- */

/* Amounts are products of primes, one digit for each prime; over whole axes sets of axes. */
static void set_weights(sw_distances *d)
{
	const sw_prime_parts *parts = &d->space->factors;

	d->amounts = 1;
	for (int p = 0; p < parts->count; p++) {
		int first = 0, same = 0;

		while (!d->space->whole && parts->at[first].prime != parts->at[p].prime)
			first++;
		for (int q = 0; q < parts->count; q++)
			same += parts->at[q].prime == parts->at[p].prime;
		if (!d->space->whole && first < p) {
			d->weight[p] = d->weight[first];
			d->radix[p] = d->radix[first];
			continue;
		}
		d->weight[p] = d->amounts;
		d->radix[p] = d->space->whole ? 2 : same + 1;
		d->amounts *= d->radix[p];
	}
}

/* What is asked for again and again, as tables. */
static bool fill_tables(sw_distances *d, sw_arena *arena)
{
	const sw_type_space *s = d->space;
	size_t sets = (size_t)1 << s->parts;

	d->is_left = SW_NEW(arena, bool, (size_t)d->amounts *(size_t)s->parts);
	d->product = SW_NEW(arena, int64_t, sets);
	d->amount = SW_NEW(arena, int32_t, sets);
	if (d->is_left == NULL || d->product == NULL || d->amount == NULL)
		return false;
	d->product[0] = 1;
	d->amount[0] = 0;
	for (size_t set = 1; set < sets; set++) {
		int part = __builtin_ctzll(set);

		d->product[set] = d->product[set & (set - 1)] * s->factors.at[part].prime;
		d->amount[set] = d->amount[set & (set - 1)] + d->weight[part];
	}
	for (int32_t k = 0; k < d->amounts; k++)
		for (int p = 0; p < s->parts; p++)
			d->is_left[k * s->parts + p] = k / d->weight[p] % d->radix[p] > 0;
	return true;
}

static bool number_classes(sw_distances *d, sw_arena *arena)
{
	const sw_type_space *s = d->space;
	int64_t key[SW_MAX_DIMS + 1];
	sw_keys keys;
	int bytes = (s->rank + 1) * (int)sizeof *key;

	if (!sw_keys_init(&keys, bytes))
		return false;
	for (int32_t k = 0; k < s->count; k++) {
		if (s->rank > 0)
			memcpy(key, s->tile + (int64_t)s->of[k] * s->rank, (size_t)s->rank * sizeof *key);
		key[s->rank] = d->product[s->sums[k]];
		d->class[k] = sw_keys_add(&keys, (const uint8_t *)key);
		if (d->class[k] < 0)
			break;
	}
	bool full = keys.count == 0 || d->class[s->count - 1] < 0;
	d->classes = keys.count;
	sw_keys_free(&keys);
	d->class_first = SW_NEW_ZERO(arena, int32_t, d->classes + 2);
	d->class_cost = SW_NEW(arena, double, d->classes);
	return !full && d->class_first != NULL && d->class_cost != NULL;
}

static void sort_members(sw_distances *d)
{
	const sw_type_space *s = d->space;

	for (int32_t k = 0; k < s->count; k++)
		d->class_first[d->class[k] + 2]++;
	for (int32_t c = 2; c < d->classes + 2; c++)
		d->class_first[c] += d->class_first[c - 1];
	for (int32_t k = 0; k < s->count; k++)
		d->members[d->class_first[d->class[k] + 1]++] = k;
}

static bool set_rates(sw_distances *d, const sw_machine *machine, sw_arena *arena)
{
	const sw_type_space *s = d->space;
	double bytes = sw_dtype_bytes(s->shape.dtype);
	sw_reach reach;

	for (int op = 0; op < SW_COLLECTIVES; op++) {
		if (sw_row((sw_op)op)->among != SW_AMONG_GROUPS)
			continue;
		d->rates[op] = SW_NEW(arena, rate, d->amounts);
		if (d->rates[op] == NULL)
			return false;
		for (uint32_t set = 0; set < (uint32_t)d->amounts; set++) {
			sw_reach_axes(s, set, &reach);
			sw_roofline one = sw_roofline_step(machine, (sw_op)op, d->product[set], 1, s->mesh, &reach);
			d->rates[op][set] = (rate){one.hops, one.bytes * bytes};
		}
	}
	return true;
}

static int64_t middles_of(const sw_distances *d)
{
	return d->by_step ? 0 : ((int64_t)d->space->count << d->space->rank) * d->amounts;
}

/* With a queue, of twice two numbers for each state. */
int64_t sw_distances_beside(const sw_distances *d)
{
	return middles_of(d) * (int64_t)sizeof(double) + (int64_t)d->space->count * 2 * 2 * (int64_t)sizeof(int64_t);
}

static double bytes_for(const sw_distances *d)
{
	const sw_type_space *s = d->space;

	return (double)sw_distances_beside(d) + (double)s->count * 4 * sizeof *d->members;
}

/* A roofline says what a step takes by its axes and its larger tile; other machines look at both tiles. */
static bool ask_machine(sw_distances *d, const sw_machine *machine, size_t most_bytes, sw_arena *arena)
{
	if (machine == NULL || machine->roofline)
		return machine == NULL || set_rates(d, machine, arena);
	d->prices = sw_step_prices_new(d->space, machine, most_bytes / 4, arena);
	return d->prices != NULL;
}

sw_distances *sw_distances_new(const sw_type_space *space, const sw_machine *machine, size_t most_bytes,
	sw_arena *arena, sw_diag *diag)
{
	sw_distances *d = SW_NEW_ZERO(arena, sw_distances, 1);

	if (d == NULL)
		return sw_diag_memory(diag), NULL;
	d->space = space;
	d->by_step = machine != NULL && !machine->roofline;
	set_weights(d);
	if (bytes_for(d) > (double)most_bytes) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "all ways between %d types take more than %zu MB", space->count,
			most_bytes / 1000000);
		sw_diag_hint(diag, "try a mesh with fewer devices, or join axes");
		return NULL;
	}
	d->class = SW_NEW(arena, int32_t, space->count);
	d->members = SW_NEW(arena, int32_t, space->count);
	if (d->class == NULL || d->members == NULL || !fill_tables(d, arena) || !number_classes(d, arena) ||
		!ask_machine(d, machine, most_bytes, arena))
		return sw_diag_memory(diag), NULL;
	sort_members(d);
	return d;
}

/* ---- one search ---- */

typedef struct finder {
	sw_distances *d;
	const sw_type_space *space;
	const sw_distance_rules *rules;
	double *cost;
	double *middle; /* [state][popped dimensions][amount]: what it costs to be there */
	sw_heap queue;
	bool failed;
	unsigned without;
	uint32_t all;
	/* the state that left the queue */
	int32_t arrangement;
	uint32_t sums;
	int64_t size;
	double at;
	/* what is being tried */
	sw_op op;
	uint32_t terms; /* of a reducescatter: parts that are summed; step by step: that an alltoall moves */
	uint32_t keeps; /* and sums that stay */
	double price;   /* of the middle */
} finder;

/* A way of popping, or of pushing. */
typedef struct ways {
	unsigned dims;  /* that were popped */
	uint32_t parts; /* that were popped, or pushed */
	int32_t amount; /* of what was popped, or what is left to push */
} ways;

typedef void visitor(finder *f, int32_t arrangement, ways way);

/* Steps that seconds are not asked for, and those with sums where there are none. */
static unsigned left_out(const sw_type_space *space)
{
	unsigned whole = 1u << SW_ALLPERMUTE | 1u << SW_ZEROS | 1u << SW_PAD;
	unsigned sums = 1u << SW_ZEROS | 1u << SW_PAD | 1u << SW_ALLREDUCE | 1u << SW_REDUCESCATTER;

	return (space->whole ? whole : 0) | (space->summed ? 0 : sums);
}

static bool allows(const finder *f, sw_op op)
{
	return (f->without >> op & 1) == 0;
}

static void relax(finder *f, int32_t state, double cost)
{
	int64_t order;

	if (cost >= f->cost[state])
		return;
	f->cost[state] = cost;
	memcpy(&order, &cost, sizeof order); /* of numbers that are not negative the bits are in order */
	f->failed = !sw_heap_put(&f->queue, state, order, 0) || f->failed;
}

/* Do tiles of these sizes fit? */
static bool holds(const finder *f, int64_t before, int64_t after)
{
	const sw_distance_rules *r = f->rules;

	return (r->budget == 0 || (before <= r->budget && after <= r->budget)) &&
		(r->live == 0 || before <= r->live - after);
}

static double seconds_of(const sw_distance_rules *r, rate of, double size)
{
	double bytes = of.element * size;

	switch (r->hops) {
	case SW_HOPS_NEVER:
		return bytes;
	case SW_HOPS_TILTED:
		return fmax(of.hops, bytes) + r->tilt * bytes;
	default:
		return fmax(of.hops, bytes);
	}
}

/* The cost behind a step that begins at `cost`. */
static double behind(const finder *f, double cost, uint32_t parts, int64_t before, int64_t after)
{
	const rate *rates = f->d->rates[f->op];

	if (f->rules->heights)
		return fmax(cost, (double)before + (double)after);
	if (rates == NULL)
		return cost + (double)sw_paper_cost(f->op, before, after);
	return cost + seconds_of(f->rules, rates[parts], (double)(before > after ? before : after));
}

/* To (backwards: from) this arrangement with these sums, by the operation that is being tried over these parts. */
static void go(finder *f, int32_t arrangement, uint32_t sums, uint32_t parts)
{
	bool back = f->rules->backward;
	int32_t from = back ? arrangement : f->arrangement, to = back ? f->arrangement : arrangement;
	int64_t before = f->space->size[from], after = f->space->size[to];

	if (!holds(f, before, after))
		return;
	bool priced = f->d->by_step && !f->rules->heights;
	relax(f, sw_type_space_state(f->space, arrangement, sums),
		priced ? f->at + sw_step_seconds(f->d->prices, f->op, from, to, parts) :
				 behind(f, f->at, parts, before, after));
}

/* The ends of rows from `dim` on are popped in every way. */
static void each_pop(finder *f, int32_t a, int dim, ways way, visitor *visit)
{
	int part;

	if (dim == f->space->rank) {
		visit(f, a, way);
		return;
	}
	each_pop(f, a, dim + 1, way, visit);
	way.dims |= 1u << dim;
	for (int32_t b = sw_type_space_pop(f->space, a, dim, &part); b >= 0;
		 b = sw_type_space_pop(f->space, b, dim, &part)) {
		way.parts |= (uint32_t)1 << part;
		way.amount += f->d->weight[part];
		each_pop(f, b, dim + 1, way, visit);
	}
}

/* Parts of `free` are pushed onto rows from `dim` on that were not popped, in every way, as far as the amount goes. */
static void each_push(finder *f, int32_t a, int dim, uint32_t free, ways way, visitor *visit)
{
	visit(f, a, way);
	for (int i = dim; i < f->space->rank; i++) {
		if ((way.dims >> i & 1) != 0)
			continue;
		for (uint32_t rest = free; rest != 0; rest &= rest - 1) {
			int part = __builtin_ctz(rest);
			int32_t b = sw_type_space_push(f->space, a, i, part);
			ways next = way;

			if (b < 0 || (way.amount >= 0 && !f->d->is_left[way.amount * f->space->parts + part]))
				continue;
			next.parts |= rest & -rest;
			next.amount -= way.amount >= 0 ? f->d->weight[part] : 0;
			each_push(f, b, i, free & ~next.parts, next, visit);
		}
	}
}

static const ways nothing_popped = {0, 0, 0}, any_amount = {0, 0, -1};

/* ---- steps that need no middle ---- */

/* What was popped is used no more (or, backwards, was sliced). */
static void drop_parts(finder *f, int32_t a, ways way)
{
	if (way.parts != 0)
		go(f, a, f->sums, way.parts);
}

/* What was pushed stood nowhere. */
static void take_parts(finder *f, int32_t a, ways way)
{
	if (way.parts != 0)
		go(f, a, f->sums, way.parts);
}

static void sum_popped(finder *f, int32_t a, ways way)
{
	if (way.parts != 0)
		go(f, a, f->sums | way.parts, way.parts);
}

static void cut_by_sums(finder *f, int32_t a, ways way)
{
	if (way.parts != 0)
		go(f, a, f->sums & ~way.parts, way.parts);
}

static uint32_t free_parts(const finder *f)
{
	return f->all & ~f->space->used[f->arrangement] & ~f->sums;
}

/* One part after the other is as good as several at once, but where tiles before and after are counted together. */
static void slices(finder *f)
{
	f->op = SW_DYNSLICE;
	if (!allows(f, f->op))
		return;
	if (f->rules->backward) {
		each_pop(f, f->arrangement, 0, nothing_popped, drop_parts);
	} else if (f->rules->live > 0 || f->rules->heights || f->d->by_step) {
		each_push(f, f->arrangement, 0, free_parts(f), any_amount, take_parts);
	} else {
		for (int i = 0; i < f->space->rank; i++)
			for (uint32_t rest = free_parts(f); rest != 0; rest &= rest - 1) {
				int32_t b = sw_type_space_push(f->space, f->arrangement, i, __builtin_ctz(rest));
				if (b >= 0)
					go(f, b, f->sums, rest & -rest);
			}
	}
}

static void gathers(finder *f)
{
	f->op = SW_ALLGATHER;
	if (!allows(f, f->op))
		return;
	if (f->rules->backward)
		each_push(f, f->arrangement, 0, free_parts(f), any_amount, take_parts);
	else
		each_pop(f, f->arrangement, 0, nothing_popped, drop_parts);
}

static void zeros(finder *f)
{
	uint32_t from = f->rules->backward ? f->sums : free_parts(f);

	f->op = SW_ZEROS;
	for (; from != 0 && allows(f, f->op); from &= from - 1)
		go(f, f->arrangement, f->sums ^ (from & -from), from & -from);
}

static void pads(finder *f)
{
	f->op = SW_PAD;
	if (!allows(f, f->op))
		return;
	if (f->rules->backward)
		each_push(f, f->arrangement, 0, f->sums, any_amount, cut_by_sums);
	else
		each_pop(f, f->arrangement, 0, nothing_popped, sum_popped);
}

static void allreduces(finder *f)
{
	uint32_t among = f->rules->backward ? free_parts(f) : f->sums;

	f->op = SW_ALLREDUCE;
	for (uint32_t parts = among; parts != 0 && allows(f, f->op); parts = (parts - 1) & among)
		go(f, f->arrangement, f->sums ^ parts, parts);
}

static void permutations(finder *f)
{
	sw_distances *d = f->d;
	int32_t class = d->class[sw_type_space_state(f->space, f->arrangement, f->sums)];
	double cost;

	f->op = SW_ALLPERMUTE;
	cost = behind(f, f->at, 0, f->size, f->size);
	if (!allows(f, f->op) || !holds(f, f->size, f->size) || cost >= d->class_cost[class])
		return;
	d->class_cost[class] = cost;
	for (int32_t k = d->class_first[class]; k < d->class_first[class + 1]; k++)
		relax(f, d->members[k], cost);
}

/* ---- steps by way of a middle ---- */

/* Is it worth to go on from a middle at this price?  If so it is noted. */
static bool cheaper(finder *f, int32_t a, uint32_t sums, ways way, double price)
{
	const sw_distances *d = f->d;
	int64_t state = sw_type_space_state(f->space, a, sums);
	double *known = &f->middle[((state << f->space->rank) + way.dims) * d->amounts + way.amount];

	if (price >= *known)
		return false;
	*known = price;
	return true;
}

static void arrive(finder *f, int32_t a, ways way)
{
	if (way.amount == 0)
		relax(f, sw_type_space_state(f->space, a, f->keeps), f->price);
}

/* Forwards: what was popped, and the terms that are summed, are pushed elsewhere. */
static void swap_on(finder *f, int32_t a, ways way)
{
	int64_t after = f->size / f->d->product[f->terms];
	uint32_t parts = way.parts | f->terms;

	if (parts == 0 || (f->space->whole && f->terms != 0 && way.parts != 0) || !holds(f, f->size, after))
		return;
	way.amount += f->d->amount[f->terms];
	f->price = behind(f, f->at, parts, f->size, after);
	way.parts = 0;
	if (cheaper(f, a, f->keeps, way, f->price))
		each_push(f, a, 0, f->all & ~f->space->used[a] & ~f->keeps, way, arrive);
}

static void swaps_forward(finder *f)
{
	uint32_t sums = f->sums;

	for (f->terms = sums;; f->terms = (f->terms - 1) & sums) {
		f->keeps = sums & ~f->terms;
		f->op = f->terms != 0 ? SW_REDUCESCATTER : SW_ALLTOALL;
		if (allows(f, f->op))
			each_pop(f, f->arrangement, 0, nothing_popped, swap_on);
		if (f->terms == 0)
			return;
	}
}

/* Backwards: before the step these rows stood there, and what is left of the amount was terms of a sum. */
static void came_from(finder *f, int32_t a, ways way)
{
	uint32_t free = f->all & ~f->space->used[a] & ~f->sums;

	f->op = SW_ALLTOALL;
	if (way.amount == 0) {
		if (allows(f, f->op))
			go(f, a, f->sums, way.parts);
		return;
	}
	f->op = SW_REDUCESCATTER;
	if (!allows(f, f->op) || (f->space->whole && way.parts != 0))
		return;
	for (uint32_t terms = free; terms != 0; terms = (terms - 1) & free)
		if (f->d->amount[terms] == way.amount)
			go(f, a, f->sums | terms, terms);
}

static void swap_back(finder *f, int32_t a, ways way)
{
	if (way.parts == 0 || !cheaper(f, a, f->sums, way, f->at))
		return;
	way.parts = 0;
	each_push(f, a, 0, f->all & ~f->space->used[a] & ~f->sums, way, came_from);
}

/* ---- the same steps one by one ---- */

static void arrive_swapped(finder *f, int32_t a, ways way)
{
	if (way.amount == 0)
		go(f, a, f->sums, f->terms);
}

static void push_popped(finder *f, int32_t a, ways way)
{
	f->terms = way.parts;
	way.parts = 0;
	if (f->terms != 0)
		each_push(f, a, 0, f->terms, way, arrive_swapped);
}

/* Forwards and backwards an alltoall is the same; terms are scattered, or (backwards) what was popped was terms. */
static void swaps_by_step(finder *f)
{
	f->op = SW_ALLTOALL;
	if (allows(f, f->op))
		each_pop(f, f->arrangement, 0, nothing_popped, push_popped);
	f->op = SW_REDUCESCATTER;
	if (!allows(f, f->op))
		return;
	if (f->rules->backward)
		each_pop(f, f->arrangement, 0, nothing_popped, sum_popped);
	else
		each_push(f, f->arrangement, 0, f->sums, any_amount, cut_by_sums);
}

static void swaps(finder *f)
{
	if (f->d->by_step)
		swaps_by_step(f);
	else if (f->rules->backward)
		each_pop(f, f->arrangement, 0, nothing_popped, swap_back);
	else
		swaps_forward(f);
}

/* ---- the search ---- */

static void expand(finder *f, int32_t state)
{
	static void (*const steps[])(finder * f) = {slices, gathers, zeros, pads, allreduces, permutations, swaps};

	f->arrangement = f->space->of[state];
	f->sums = f->space->sums[state];
	f->size = f->space->size[f->arrangement];
	f->at = f->cost[state];
	for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
		steps[k](f);
}

static void begin(finder *f)
{
	const sw_distances *d = f->d;

	for (int64_t k = 0; k < middles_of(d); k++)
		f->middle[k] = INFINITY;
	for (int32_t k = 0; k < d->classes; k++)
		d->class_cost[k] = INFINITY;
	for (int32_t k = 0; k < f->space->count; k++) {
		double cost = f->cost[k];

		f->cost[k] = INFINITY;
		if (cost < INFINITY && holds(f, f->rules->budget > 0 ? sw_type_space_size(f->space, k) : 0, 0))
			relax(f, k, cost);
	}
}

bool sw_distances_find(sw_distances *distances, const sw_distance_rules *rules, double *cost, sw_diag *diag)
{
	finder f = {.d = distances, .space = distances->space, .rules = rules, .cost = cost};

	f.without = rules->without | left_out(f.space);
	f.all = (uint32_t)((uint64_t)1 << f.space->parts) - 1;
	if (!sw_resize(&f.middle, middles_of(distances) + 1, sizeof *f.middle))
		return sw_diag_memory(diag);
	begin(&f);
	for (int k = sw_heap_pop(&f.queue); k >= 0 && !f.failed; k = sw_heap_pop(&f.queue))
		expand(&f, k);
	sw_heap_free(&f.queue);
	free(f.middle);
	return !f.failed || sw_diag_memory(diag);
}
