/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways of a product: distances of each operand and of the result, and every legal pair of types between them.
 */
#define _GNU_SOURCE
#include <shardwalk/ways.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/hardware.h>
#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "base/keys.h"
#include "program/pairs.h"
#include "search/distances.h"
#include "search/orders.h"

/* One of the three arrays: all its types, and what it costs to be in each. */
typedef struct array {
	sw_type_space space;
	sw_distances *distances;
	int32_t end;   /* the state it is in, or wanted in */
	double *cost;  /* without a bound of memory */
	double *tight; /* within it; of B see `waiting` */
} array;

/* Costs of B while A' of one size waits, where memory is bounded. */
typedef struct waiting {
	int64_t size;
	double *cost;
	struct waiting *next;
} waiting;

struct sw_ways_made {
	sw_ways_options options;
	sw_arena *arena;
	array of[3];       /* elements */
	array timed[3];    /* seconds, over whole axes */
	int32_t *plain[3]; /* of a state of `timed`: that of `of` */
	int32_t *model[3]; /* of a state of `of`: that with the parts of an axis that stand together in their order */
	double *height[3]; /* the least sum of tiles before and after a step, on the way from or to each state */
	waiting *while_a;  /* of B */
};

typedef struct sw_ways_made made;

static const char *const order_names[] = {
#define X(id, name, about) name,
	SW_WAYS_ORDERS(X)
#undef X
};

static const char *const order_abouts[] = {
#define X(id, name, about) about,
	SW_WAYS_ORDERS(X)
#undef X
};

const char *sw_ways_order_name(sw_ways_order order)
{
	assert((unsigned)order < SW_WAYS_ORDER_COUNT);
	return order_names[order];
}

const char *sw_ways_order_about(sw_ways_order order)
{
	assert((unsigned)order < SW_WAYS_ORDER_COUNT);
	return order_abouts[order];
}

/* ---- arrays and their types ---- */

static size_t most_bytes(const made *m)
{
	return (m->options.memory > 0 ? m->options.memory : SW_WAYS_MEMORY) / 8;
}

static bool make_array(made *m, const sw_product *product, const sw_type *shape, const sw_prime_parts *factors,
	const sw_machine *machine, array *out, sw_diag *diag)
{
	const sw_space_types types = {shape, factors, shape->dtype != SW_PRED};

	if (!sw_type_space_init(&out->space, &product->mesh, &types, most_bytes(m), m->arena, diag))
		return false;
	out->distances = sw_distances_new(&out->space, machine, most_bytes(m), m->arena, diag);
	out->cost = SW_NEW(m->arena, double, out->space.count);
	return out->distances != NULL && (out->cost != NULL || sw_diag_memory(diag));
}

/* Can all types be said in this order of primes? */
static bool order_fits(const sw_product *p, const sw_prime_parts *factors)
{
	const sw_type *types[] = {&p->a, &p->b, &p->as};
	uint8_t order[SW_MAX_FACTORS];
	int first[SW_MAX_DIMS + 1];
	uint64_t sums;

	for (int k = 0; k < (p->wanted ? 3 : 2); k++)
		if (!sw_prime_parts_split(&p->mesh, factors, types[k], order, first) ||
			!sw_prime_parts_split_sums(factors, types[k], &sums))
			return false;
	return true;
}

/* An order of primes in which all types of a product can be said; false where there is none. */
static bool order_for(const sw_product *p, sw_arena *arena, sw_prime_parts *factors)
{
	sw_problem *ends = SW_NEW(arena, sw_problem, 1);
	sw_orders *orders = SW_NEW(arena, sw_orders, 1);

	sw_prime_parts_default(&p->mesh, factors);
	if (order_fits(p, factors))
		return true;
	if (ends == NULL || orders == NULL)
		return false;
	*ends = (sw_problem){.mesh = p->mesh, .from = p->a, .to = p->b};
	sw_orders_init(orders, ends);
	for (int k = 0; sw_orders_choose(orders, &p->mesh, k, factors); k++)
		if (order_fits(p, factors))
			return true;
	return false;
}

static bool refuse_orders(sw_diag *diag)
{
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "operands and result split an axis in incompatible orders");
	sw_diag_hint(diag, "redistribute one of them first");
	return false;
}

static bool refuse_parts(const char *name, sw_diag *diag)
{
	sw_diag_set(diag, SW_S11, (sw_span){0, 0},
		"%s uses a part of an axis, but seconds are known only over "
		"whole axes",
		name);
	sw_diag_hint(diag, "use the model paper, or name the parts as axes of the mesh");
	return false;
}

/* What was measured are products of f32 and f64. */
static bool refuse_dtype(sw_dtype dtype, sw_diag *diag)
{
	sw_diag_set(diag, SW_S11, (sw_span){0, 0}, "products of %s were not measured", sw_dtype_name(dtype));
	sw_diag_expected(diag, "f32 or f64");
	sw_diag_hint(diag, "`calibrate` measures products of f32; `model roofline` takes any element type");
	return false;
}

static bool check_machine(const sw_machine *machine, sw_dtype dtype, sw_diag *diag)
{
	static const sw_equation one = {.rank = {0}};

	if (machine == NULL || sw_product_seconds(machine, &one, dtype, NULL, NULL) >= 0)
		return true;
	if (sw_machine_flops(machine) > 0)
		return refuse_dtype(dtype, diag);
	sw_diag_set(diag, SW_S11, (sw_span){0, 0}, "hardware '%s' states no flops, so the time of a product is unknown",
		machine->name != NULL ? machine->name : "unnamed");
	sw_diag_expected(diag, "operations a second");
	sw_diag_hint(diag, "define some: hardware mine = 50GB/s 2us flops 1e14");
	return false;
}

static bool check_wanted(const sw_product *p, const sw_type *result, sw_diag *diag)
{
	return !p->wanted || sw_type_redistributable(&p->as, result, diag);
}

/* Spaces of the three arrays in one manner. */
static bool make_arrays(made *m, const sw_product *p, const sw_type *result, const sw_prime_parts *factors,
	const sw_machine *machine, array of[3], sw_diag *diag)
{
	static const char *const names[] = {"A", "B", "the result"};
	const sw_type *shapes[] = {&p->a, &p->b, result}, *ends[] = {&p->a, &p->b, &p->as};

	for (int k = 0; k < 3; k++) {
		if (!make_array(m, p, shapes[k], factors, machine, &of[k], diag))
			return false;
		of[k].end = k == 2 && !p->wanted ? 0 : sw_type_space_find(&of[k].space, ends[k]);
		if (of[k].end < 0)
			return refuse_parts(names[k], diag);
	}
	return true;
}

static bool map_states(made *m)
{
	sw_type type;

	for (int k = 0; k < 3; k++) {
		const sw_type_space *whole = &m->timed[k].space;

		m->plain[k] = SW_NEW(m->arena, int32_t, whole->count);
		if (m->plain[k] == NULL)
			return false;
		for (int32_t s = 0; s < whole->count; s++) {
			sw_type_space_at(whole, s, &type);
			m->plain[k][s] = sw_type_space_find(&m->of[k].space, &type);
		}
	}
	return true;
}

/* Where parts of one axis stand together in a dimension, they come in their order. */
static int32_t in_order(const sw_type_space *s, int32_t arrangement)
{
	int32_t ordered = 0;

	for (int d = 0; d < s->rank; d++) {
		int parts[SW_SPACE_PARTS], part, count = 0;

		for (int32_t a = arrangement; (a = sw_type_space_pop(s, a, d, &part)) >= 0; count++) {
			int at = count;

			for (; at > 0 && s->factors.at[parts[at - 1]].axis == s->factors.at[part].axis &&
				 s->factors.at[parts[at - 1]].pre < s->factors.at[part].pre;
				 at--)
				parts[at] = parts[at - 1];
			parts[at] = part;
		}
		while (count > 0)
			ordered = sw_type_space_push(s, ordered, d, parts[--count]);
	}
	return ordered;
}

static bool find_models(made *m)
{
	for (int k = 0; k < 3; k++) {
		const sw_type_space *s = &m->of[k].space;

		m->model[k] = SW_NEW(m->arena, int32_t, s->count);
		if (m->model[k] == NULL)
			return false;
		for (int32_t n = 0; n < s->count; n++)
			m->model[k][n] = sw_type_space_state(s, in_order(s, s->of[n]), s->sums[n]);
	}
	return true;
}

/* Elements over primes, and beside seconds, where these are too many, over whole axes as they are. */
static bool make_all(made *m, const sw_product *p, const sw_type *result, sw_diag *diag)
{
	bool timed = m->options.machine != NULL;
	sw_prime_parts factors;

	if (timed && !make_arrays(m, p, result, NULL, m->options.machine, m->timed, diag))
		return false;
	if (!order_for(p, m->arena, &factors))
		return refuse_orders(diag);
	if (make_arrays(m, p, result, &factors, NULL, m->of, diag))
		return (timed ? map_states(m) : find_models(m)) || sw_diag_memory(diag);
	return timed && make_arrays(m, p, result, NULL, NULL, m->of, diag) && (map_states(m) || sw_diag_memory(diag));
}

/* ---- distances ---- */

/* What it costs to bring an array from where it is to each state; of the result, from each state to where it is wanted. */
static bool find_costs(const array *of, bool result, bool wanted, sw_distance_rules rules, double *cost,
	sw_diag *diag)
{
	for (int32_t s = 0; s < of->space.count; s++)
		cost[s] = result && !wanted ? 0 : INFINITY;
	if (result && !wanted)
		return true;
	rules.backward = result;
	cost[of->end] = 0;
	return sw_distances_find(of->distances, &rules, cost, diag);
}

static bool free_costs(const sw_product *p, const array of[3], sw_diag *diag)
{
	for (int k = 0; k < 3; k++)
		if (!find_costs(&of[k], k == 2, p->wanted, (sw_distance_rules){.live = 0}, of[k].cost, diag))
			return false;
	return true;
}

/* The arrays that ways are made of: those in seconds where there are some. */
static array *arrays_of(made *m)
{
	return m->options.machine != NULL ? m->timed : m->of;
}

static int64_t tile_of(const array *of)
{
	return sw_type_space_size(&of->space, of->end);
}

/* The rules for a step while so many elements wait. */
static sw_distance_rules while_waits(const made *m, int64_t waits)
{
	int64_t room = m->options.live - waits;

	return (sw_distance_rules){.live = room > 0 ? room : 1};
}

/* Costs of B while A' of so many elements waits; NULL: memory. */
static const double *tight_of_b(made *m, int64_t waits, sw_diag *diag)
{
	array *b = &arrays_of(m)[1];
	waiting *w = m->while_a;

	while (w != NULL && w->size != waits)
		w = w->next;
	if (w != NULL)
		return w->cost;
	w = SW_NEW(m->arena, waiting, 1);
	double *cost = SW_NEW(m->arena, double, b->space.count);
	if (w == NULL || cost == NULL)
		return sw_diag_memory(diag), NULL;
	if (!find_costs(b, false, true, while_waits(m, waits), cost, diag))
		return NULL;
	*w = (waiting){waits, cost, m->while_a};
	m->while_a = w;
	return cost;
}

/* Where memory is bounded: costs within the bound, and the least bound for each state. */
static bool tight_costs(made *m, const sw_product *p, sw_diag *diag)
{
	array *of = arrays_of(m);

	for (int k = 0; k < 3; k++) {
		size_t count = (size_t)of[k].space.count;
		sw_distance_rules rules = while_waits(m, k == 0 ? tile_of(&of[1]) : 0);

		of[k].tight = SW_NEW(m->arena, double, count);
		m->height[k] = SW_NEW(m->arena, double, count);
		if (of[k].tight == NULL || m->height[k] == NULL)
			return sw_diag_memory(diag);
		if (k != 1 && !find_costs(&of[k], k == 2, p->wanted, rules, of[k].tight, diag))
			return false;
		if (!find_costs(&of[k], k == 2, p->wanted, (sw_distance_rules){.heights = true}, m->height[k], diag))
			return false;
	}
	return true;
}

/* ---- ways ---- */

typedef struct maker {
	made *m;
	sw_ways *ways;
	const array *of;
	int64_t room; /* of the list */
	int64_t tried, models;
	sw_keys alike; /* states with parts of axes in their order, by the number of the way */
	sw_diag *diag;
} maker;

/* The least bound of memory under which a way goes. */
static int64_t needs_of(const maker *k, const sw_way *way)
{
	const array *of = k->of;
	double *const *height = k->m->height;
	int64_t a = tile_of(&of[0]), b = tile_of(&of[1]), then = sw_type_space_size(&of[0].space, way->type[0]);
	int64_t first = sw_larger(a, (int64_t)height[0][way->type[0]]) + b;
	int64_t second = sw_larger(b, (int64_t)height[1][way->type[1]]) + then;

	return sw_larger(sw_larger(first, second), sw_larger(way->memory, (int64_t)height[2][way->type[2]]));
}

/* Costs within the bound of memory; INFINITY where it does not fit, negative where memory for the search is short. */
static double tight_cost(maker *k, const sw_way *way)
{
	const array *of = k->of;
	int64_t live = k->m->options.live;

	if (way->memory > live || tile_of(&of[0]) > live - tile_of(&of[1]))
		return INFINITY;
	const double *b = tight_of_b(k->m, sw_type_space_size(&of[0].space, way->type[0]), k->diag);
	return b == NULL ? -1 : of[0].tight[way->type[0]] + b[way->type[1]] + of[2].tight[way->type[2]];
}

static double free_cost(const array of[3], const int32_t state[3])
{
	return of[0].cost[state[0]] + of[1].cost[state[1]] + of[2].cost[state[2]];
}

static const int64_t *tile_in(const array *of, int32_t state)
{
	return of->space.tile + (int64_t)of->space.of[state] * of->space.rank;
}

static double product_seconds(const maker *k, const sw_way *way)
{
	return sw_product_seconds(k->m->options.machine, &k->ways->product->equation, k->ways->result.dtype,
		tile_in(&k->of[0], way->type[0]), tile_in(&k->of[1], way->type[1]));
}

/* Elements and seconds of a way within the bound; false where it cannot go, or memory is short (negative). */
static bool price(maker *k, sw_way *way)
{
	made *m = k->m;
	double cost = free_cost(k->of, way->type);

	if (m->options.live > 0 && cost < INFINITY) {
		double tight = tight_cost(k, way);

		way->fits = tight < INFINITY;
		way->needs = way->fits ? 0 : needs_of(k, way);
		cost = way->fits ? tight : cost;
	}
	way->cost = cost;
	if (m->options.machine == NULL)
		return cost < INFINITY;
	int32_t plain[3];
	for (int n = 0; n < 3; n++)
		plain[n] = m->plain[n][way->type[n]];
	way->comm = cost;
	way->math = product_seconds(k, way);
	way->cost = free_cost(m->of, plain);
	return cost < INFINITY;
}

static bool goes_on(maker *k)
{
	if (k->tried++ % 65536 != 0 || sw_pulse_beat(k->m->options.pulse, "ways", k->tried, 0))
		return true;
	return sw_diag_set(k->diag, SW_S03, (sw_span){0, 0}, "stopped before all ways were priced");
}

/* Is it better than the one that is known of those that are alike? */
static bool takes_over(const sw_way *way, const sw_way *known, bool is_model)
{
	if (way->fits != known->fits)
		return way->fits;
	if (!way->fits && way->needs != known->needs)
		return way->needs < known->needs;
	return way->cost < known->cost || (way->cost <= known->cost && is_model);
}

/* ---- orders ---- */

static int by_number(double a, double b)
{
	return (a > b) - (a < b);
}

/* Times that differ by rounding alone are the same. */
static int by_seconds(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(a, b) ? 0 : by_number(a, b);
}

static int by_type(const sw_ways *ways, const sw_way *a, const sw_way *b, int k)
{
	sw_type types[2][3];
	sw_text text[2] = {{0}, {0}};

	sw_ways_types(ways, a, types[0]);
	sw_ways_types(ways, b, types[1]);
	for (int n = 0; n < 2; n++)
		sw_type_print(&ways->product->mesh, &types[n][k], false, &text[n]);
	int order = strcmp(sw_text_get(&text[0]), sw_text_get(&text[1]));
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return order;
}

static int by_elements(const sw_way *a, const sw_way *b)
{
	int order = by_number(a->cost, b->cost);

	order = order != 0 ? order : by_number((double)a->flops, (double)b->flops);
	return order != 0 ? order : by_number((double)a->memory, (double)b->memory);
}

static int first_of(sw_ways_order by, const sw_way *a, const sw_way *b)
{
	switch (by) {
	case SW_WAYS_BY_TIME:
		return by_seconds(a->comm + a->math, b->comm + b->math);
	case SW_WAYS_BY_OVERLAP:
		return by_seconds(fmax(a->comm, a->math), fmax(b->comm, b->math));
	case SW_WAYS_BY_MEMORY:
		return by_number((double)a->memory, (double)b->memory);
	default:
		return 0;
	}
}

typedef struct sorting {
	const sw_ways *ways;
	sw_ways_order by;
} sorting;

static int by_states(const sw_way *a, const sw_way *b)
{
	int order = 0;

	for (int k = 0; k < 3 && order == 0; k++)
		order = (a->type[k] > b->type[k]) - (a->type[k] < b->type[k]);
	return order;
}

static int compare(const void *one, const void *other, void *context)
{
	const sw_way *a = one, *b = other;
	const sorting *s = context;

	if (a->fits != b->fits)
		return a->fits ? -1 : 1;
	int order = first_of(s->by, a, b);
	if (order == 0 && s->ways->timed && s->by != SW_WAYS_BY_COST) {
		order = by_seconds(a->comm, b->comm);
		order = order != 0 ? order : by_seconds(a->math, b->math);
		for (int k = 0; k < 2 && order == 0; k++)
			order = by_type(s->ways, a, b, k);
	}
	order = order != 0 ? order : by_elements(a, b);
	return order != 0 ? order : by_states(a, b);
}

void sw_ways_sort(sw_ways *ways, sw_ways_order by)
{
	sorting s = {ways, by};

	if (ways->count > 1)
		qsort_r(ways->way, (size_t)ways->count, sizeof *ways->way, compare, &s);
}

/* ---- the front ---- */

enum { MOST_CORNERS = 4096 };

/* What ways of the front move, compute and hold, in the order of what they move. */
typedef struct corner {
	double moves;
	int64_t flops, memory;
} corner;

/* Seconds where these are known: under a roofline those of what moves, as both may go on at once. */
static corner corner_of(const sw_ways *ways, const sw_way *way)
{
	double seconds = way->comm + (sw_ways_turns(ways) ? 0 : way->math);

	return (corner){ways->timed ? seconds : way->cost, way->flops, way->memory};
}

static int by_corner(const corner *a, const corner *b)
{
	int order = by_seconds(a->moves, b->moves);

	order = order != 0 ? order : by_number((double)a->flops, (double)b->flops);
	return order != 0 ? order : by_number((double)a->memory, (double)b->memory);
}

static int before_in_front(const void *one, const void *other, void *context)
{
	const sw_way *a = one, *b = other;
	corner left = corner_of(context, a), right = corner_of(context, b);

	return a->fits != b->fits ? (a->fits ? -1 : 1) : by_corner(&left, &right);
}

static bool is_beaten(const corner *corners, int count, const corner *by)
{
	for (int k = 0; k < count; k++)
		if (corners[k].flops <= by->flops && corners[k].memory <= by->memory && by_corner(&corners[k], by) != 0)
			return true;
	return false;
}

static bool mark_front(sw_ways *ways, sw_arena *arena)
{
	corner *corners = SW_NEW(arena, corner, MOST_CORNERS);
	int count = 0;

	if (corners == NULL)
		return false;
	if (ways->count > 1)
		qsort_r(ways->way, (size_t)ways->count, sizeof *ways->way, before_in_front, ways);
	for (int64_t n = 0; n < ways->count && ways->way[n].fits; n++) {
		const corner *last = count > 0 ? &corners[count - 1] : NULL;
		corner mine = corner_of(ways, &ways->way[n]);

		ways->way[n].front = !is_beaten(corners, count, &mine);
		bool known = last != NULL && last->flops == mine.flops && last->memory == mine.memory;
		if (ways->way[n].front && !known && count < MOST_CORNERS)
			corners[count++] = mine;
	}
	return true;
}

/* ---- the list of ways ---- */

/* The states with the parts of axes in their order. */
static void model_of(const made *m, const int32_t state[3], int32_t model[3])
{
	for (int n = 0; n < 3; n++)
		model[n] = m->model[n] != NULL ? m->model[n][state[n]] : state[n];
}

static bool is_model(const made *m, const int32_t state[3])
{
	int32_t model[3];

	model_of(m, state, model);
	return memcmp(model, state, sizeof model) == 0;
}

/* Ways that differ in the order in which parts of an axis stand together are alike, and the cheapest of them is kept: its place;
 * `count`: a new one, -1: nothing is to be done, -2: memory. */
static int64_t place_for(maker *k, const sw_way *way)
{
	int32_t key[3];

	if (k->m->model[0] == NULL)
		return k->ways->count;
	model_of(k->m, way->type, key);
	int32_t at = sw_keys_add(&k->alike, (const uint8_t *)key);
	if (at < 0)
		return -2;
	return at == k->ways->count || takes_over(way, &k->ways->way[at], is_model(k->m, way->type)) ? at : -1;
}

/* Leaves the first half of what the list has room for. */
static bool leave_half(maker *k)
{
	sw_ways *ways = k->ways;
	int32_t key[3];
	bool ok = true;

	sw_ways_sort(ways, k->m->options.by);
	ways->count = sw_smaller(ways->count, k->room / 2);
	if (k->m->model[0] == NULL)
		return true;
	sw_keys_free(&k->alike);
	ok = sw_keys_init(&k->alike, sizeof key);
	for (int64_t n = 0; n < ways->count && ok; n++) {
		model_of(k->m, ways->way[n].type, key);
		ok = sw_keys_add(&k->alike, (const uint8_t *)key) >= 0;
	}
	return ok;
}

static void summarize(sw_ways *ways, const sw_way *way)
{
	if (!way->fits) {
		ways->admits = ways->admits == 0 ? way->needs : sw_smaller(ways->admits, way->needs);
		return;
	}
	ways->least = fmin(ways->least, way->cost);
	ways->least_sum = fmin(ways->least_sum, way->comm + way->math);
	ways->least_overlap = fmin(ways->least_overlap, fmax(way->comm, way->math));
}

static bool list_way(maker *k, const sw_way *way)
{
	sw_ways *ways = k->ways;
	int64_t at = place_for(k, way);

	if (at == k->room)
		at = leave_half(k) ? place_for(k, way) : -2;
	if (at < -1)
		return false;
	if (at >= 0)
		ways->way[at] = *way;
	ways->count += at == ways->count;
	return true;
}

static bool make_way(void *context, const int32_t state[3], int64_t flops)
{
	maker *k = context;
	sw_way way = {.type = {state[0], state[1], state[2]}, .flops = flops, .fits = true};

	for (int n = 0; n < 3; n++)
		way.memory += sw_type_space_size(&k->of[n].space, state[n]);
	if (!goes_on(k))
		return false;
	if (!price(k, &way))
		return true;
	if (way.cost < 0 || way.comm < 0)
		return false;
	k->ways->priced += is_model(k->m, state);
	summarize(k->ways, &way);
	return list_way(k, &way) || sw_diag_memory(k->diag);
}

static bool count_way(void *context, const int32_t state[3], int64_t flops)
{
	maker *k = context;

	(void)flops;
	k->models += is_model(k->m, state);
	return goes_on(k);
}

static void count_fitting(sw_ways *ways)
{
	for (int64_t n = 0; n < ways->count; n++)
		ways->fitting += ways->way[n].fits;
}

/* A list with room for all ways, or for as many as its memory holds. */
static bool make_list(maker *k, const sw_type_space *const spaces[3])
{
	size_t bytes = k->m->options.list > 0 ? k->m->options.list : SW_WAYS_LIST;

	if (!sw_pairs_each(&k->ways->product->equation, spaces, count_way, k, k->diag))
		return false;
	k->tried = 0;
	k->room = sw_smaller(k->models, sw_larger(2, (int64_t)(bytes / sizeof *k->ways->way)));
	k->ways->way = SW_NEW(k->m->arena, sw_way, k->room);
	return k->ways->way != NULL || sw_diag_memory(k->diag);
}

static bool make_ways(made *m, sw_ways *ways, sw_diag *diag)
{
	maker k = {.m = m, .ways = ways, .of = arrays_of(m), .diag = diag};
	const sw_type_space *spaces[] = {&k.of[0].space, &k.of[1].space, &k.of[2].space};

	if (!sw_keys_init(&k.alike, 3 * sizeof(int32_t)))
		return sw_diag_memory(diag);
	bool ok = make_list(&k, spaces) && sw_pairs_each(&ways->product->equation, spaces, make_way, &k, diag);
	ways->complete = k.models <= k.room;
	if (ok && !ways->complete && !leave_half(&k))
		ok = sw_diag_memory(diag);
	sw_keys_free(&k.alike);
	ways->priced = ways->complete ? ways->count : ways->priced;
	count_fitting(ways);
	return ok;
}

/* ---- all of it ---- */

static bool check(const sw_product *p, const sw_ways_options *options, sw_type *result, sw_diag *diag)
{
	int64_t flops;

	if (!sw_product_shape(&p->equation, &p->a, &p->b, result, diag) || !check_wanted(p, result, diag) ||
		!check_machine(options->machine, result->dtype, diag))
		return false;
	sw_type a = p->a, b = p->b;
	memcpy(a.tile, a.global, sizeof a.tile);
	memcpy(b.tile, b.global, sizeof b.tile);
	return sw_product_flops(&p->equation, &a, &b, &flops, diag);
}

static made *prepare(const sw_product *p, const sw_ways_options *options, const sw_type *result, sw_arena *arena,
	sw_diag *diag)
{
	made *m = SW_NEW_ZERO(arena, made, 1);

	if (m == NULL)
		return sw_diag_memory(diag), NULL;
	m->options = *options;
	m->arena = arena;
	return make_all(m, p, result, diag) ? m : NULL;
}

bool sw_ways_find(const sw_product *product, const sw_ways_options *options, sw_arena *arena, sw_ways *ways,
	sw_diag *diag)
{
	sw_ways out = {.product = product,
		.timed = options->machine != NULL,
		.least = INFINITY,
		.least_sum = INFINITY,
		.least_overlap = INFINITY};

	if (!check(product, options, &out.result, diag))
		return false;
	made *m = prepare(product, options, &out.result, arena, diag);
	if (m == NULL || !free_costs(product, m->of, diag) || (out.timed && !free_costs(product, m->timed, diag)) ||
		(options->live > 0 && !tight_costs(m, product, diag)))
		return false;
	out.made = m;
	out.proved = out.timed || m->of[0].space.every;
	if (!make_ways(m, &out, diag))
		return false;
	if (!mark_front(&out, arena))
		return sw_diag_memory(diag);
	sw_ways_sort(&out, options->by);
	*ways = out;
	return true;
}

void sw_ways_types(const sw_ways *ways, const sw_way *way, sw_type types[3])
{
	const made *m = ways->made;
	const array *of = m->options.machine != NULL ? m->timed : m->of;

	for (int k = 0; k < 3; k++)
		sw_type_space_at(&of[k].space, way->type[k], &types[k]);
}

/* ---- where times turn ---- */

/* Seconds without hops of what each array goes through on its way: of the plan that is the fastest with hops, and of the one
 * that is without. */
static bool without_hops(const sw_ways *ways, const sw_way *way, int k, double *chosen, double *least, sw_diag *diag)
{
	static const double tilt = 1e-6;
	const array *of = &ways->made->timed[k];
	sw_arena *arena = sw_arena_new();
	double *cost = arena == NULL ? NULL : SW_NEW(arena, double, of->space.count);
	bool wanted = ways->product->wanted;
	double with = of->cost[way->type[k]], both;
	bool ok = cost != NULL || sw_diag_memory(diag);

	ok = ok && find_costs(of, k == 2, wanted, (sw_distance_rules){.hops = SW_HOPS_NEVER}, cost, diag);
	*least = ok ? cost[way->type[k]] : 0;
	ok = ok && find_costs(of, k == 2, wanted, (sw_distance_rules){.hops = SW_HOPS_TILTED, .tilt = tilt}, cost, diag);
	both = ok ? cost[way->type[k]] : 0;
	*chosen = (both - with) / tilt;
	if (fabs(*chosen - *least) <= 1e-5 * *least)
		*chosen = *least;
	sw_arena_free(arena);
	return ok;
}

bool sw_ways_turns(const sw_ways *ways)
{
	const sw_machine *machine = ways->made->options.machine;

	return machine != NULL && machine->roofline;
}

bool sw_ways_turn(const sw_ways *ways, const sw_way *way, char letter, sw_turn *turn, double *size, sw_diag *diag)
{
	assert(sw_ways_turns(ways));
	const sw_equation *e = &ways->product->equation;
	double grows = 0, stays = 0, chosen, least;
	bool changes = false;
	int k = 0, dim = -1;

	*turn = SW_TURN_NEVER;
	*size = 0;
	for (int side = 0; side < 3; side++) {
		bool has = sw_equation_find(e, side, letter) >= 0;

		if (!without_hops(ways, way, side, &chosen, &least, diag))
			return false;
		changes = changes || (has && chosen > least);
		*(has ? &grows : &stays) += least;
	}
	for (; k < 2 && dim < 0; k += dim < 0)
		dim = sw_equation_find(e, k, letter);
	const sw_type *with = k == 0 ? &ways->product->a : &ways->product->b;
	if (dim < 0 || !(way->math > grows * (1 + 1e-12)) || !(stays > 0))
		return true;
	*turn = changes ? SW_TURN_OTHER : SW_TURN_AT;
	*size = stays / ((way->math - grows) / (double)with->global[dim]);
	return true;
}

/* ---- without a type that is wanted ---- */

typedef struct pricing {
	const array *of;
	double *cost; /* of states of the result */
} pricing;

static bool begin_at(void *context, const int32_t state[3], int64_t flops)
{
	const pricing *p = context;
	double cost = p->of[0].cost[state[0]] + p->of[1].cost[state[1]];

	(void)flops;
	if (cost < p->cost[state[2]])
		p->cost[state[2]] = cost;
	return true;
}

static int by_price(const void *one, const void *other)
{
	const sw_ways_result *a = one, *b = other;
	int order = by_number(a->cost, b->cost);

	return order != 0 ? order : by_number((double)sw_type_localsize(&a->type), (double)sw_type_localsize(&b->type));
}

static bool price_results(made *m, const sw_product *p, sw_diag *diag)
{
	array *of = arrays_of(m);
	pricing prices = {of, of[2].cost};
	const sw_type_space *spaces[] = {&of[0].space, &of[1].space, &of[2].space};

	if (!free_costs(p, of, diag))
		return false;
	for (int32_t s = 0; s < of[2].space.count; s++)
		of[2].cost[s] = INFINITY;
	return sw_pairs_each(&p->equation, spaces, begin_at, &prices, diag) &&
		sw_distances_find(of[2].distances, &(sw_distance_rules){.live = 0}, of[2].cost, diag);
}

int64_t sw_ways_results(const sw_product *product, const sw_ways_options *options, sw_arena *arena,
	const sw_ways_result **results, sw_diag *diag)
{
	sw_product open = *product;
	sw_type result;
	int64_t count = 0;

	open.wanted = false;
	if (!check(&open, options, &result, diag))
		return -1;
	made *m = prepare(&open, options, &result, arena, diag);
	if (m == NULL || !price_results(m, &open, diag))
		return -1;
	const array *of = &arrays_of(m)[2];
	sw_ways_result *list = SW_NEW(arena, sw_ways_result, of->space.count);
	if (list == NULL)
		return sw_diag_memory(diag), -1;
	for (int32_t s = 0; s < of->space.count; s++)
		if (of->cost[s] < INFINITY) {
			sw_type_space_at(&of->space, s, &list[count].type);
			list[count++].cost = of->cost[s];
		}
	qsort(list, (size_t)count, sizeof *list, by_price);
	*results = list;
	return count;
}
