/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bridges tried one after the other: the route to each in the grid of `from`, and on in that of `to`.
 */
#include "advise/common_type.h"

#include "search/store.h"
#include "search/orders.h"
#include "base/room.h"

enum { MOST_BRIDGES = 48, MOST_HOPS = 2000 };

struct common_search {
	const sw_problem *problem;
	sw_hopper *hopper;
	sw_route_limits limits; /* `below`: what the next has to be at least as good as */
	sw_orders *orders;
	int axis[SW_MAX_AXES], axes; /* that the ends cut in different orders */
	sw_problem *half;
	sw_stops *there, *on, *best;
	sw_route_end end;
};

/* ---- common types ---- */

static bool is_split_twice(const struct common_search *s, int axis)
{
	for (int k = 0; k < s->axes; k++)
		if (s->axis[k] == axis)
			return true;
	return false;
}

static int64_t common_type_count(const struct common_search *s)
{
	int64_t count = s->axes > 0 ? 2 : 0;

	for (int k = 0; k < s->axes && count < MOST_BRIDGES; k++)
		count *= s->problem->from.rank + 1;
	return count < MOST_BRIDGES ? count : MOST_BRIDGES;
}

/* Adds the parts that a dimension of an end has of the other axes. */
static int take_parts(const struct common_search *s, const sw_type *end, int dim, sw_part *parts)
{
	int count = 0;

	for (int k = end->first[dim]; k < end->first[dim + 1]; k++)
		if (!is_split_twice(s, sw_type_part(end, k).axis))
			parts[count++] = sw_type_part(end, k);
	return count;
}

/* Bridge `choice`: a digit for the end that has the other axes so, then one for the dimension of each whole axis,
 * where it is the most minor; beyond the last dimension it is in none. */
static bool make_common_type(const struct common_search *s, int64_t choice, sw_type *type)
{
	const sw_mesh *mesh = &s->problem->mesh;
	const sw_type *end = choice % 2 ? &s->problem->to : &s->problem->from;
	sw_part parts[SW_MAX_PARTS + SW_MAX_AXES];
	int count[SW_MAX_DIMS], n = 0, rank = end->rank;

	for (int i = 0; i < rank; i++) {
		int64_t choices = choice / 2;
		int start = n;

		for (int k = 0; k < s->axes; k++, choices /= rank + 1)
			if (choices % (rank + 1) == i) {
				SW_ROOM(parts, n);
				parts[n++] = (sw_part){s->axis[k], 1, mesh->axis[s->axis[k]].size};
			}
		n += take_parts(s, end, i, parts + n);
		count[i] = n - start;
	}
	*type = *end;
	return n <= SW_MAX_PARTS && sw_type_partition(mesh, type, count, parts, NULL) &&
		sw_type_localsize(type) <= s->limits.budget;
}

/* ---- the two halves ---- */

static void search_half(struct common_search *s, const sw_prime_parts *atoms, int64_t below, sw_stops *stops)
{
	sw_route_limits limits = s->limits;
	sw_grid grid;

	limits.below = below;
	s->hopper->asked = 0;
	if (sw_grid_init(&grid, s->half, atoms, limits.budget, limits.without, false))
		s->end = sw_route_search(&grid, s->hopper, &limits, stops);
	else if (grid.failed)
		s->end = SW_ROUTE_MEMORY;
	sw_grid_end(&grid);
}

static bool goes_on(const struct common_search *s)
{
	return s->end == SW_ROUTE_DONE || s->end == SW_ROUTE_CAPPED;
}

/* false: no route below that cost. */
static bool find_half(struct common_search *s, const sw_type *from, const sw_type *to, int64_t below, sw_stops *stops)
{
	sw_prime_parts atoms;

	s->half->from = *from;
	s->half->to = *to;
	stops->count = 0;
	sw_orders_init(s->orders, s->half);
	for (int k = 0; goes_on(s) && stops->count == 0 && k < SW_MAX_ORDERS; k++) {
		if (!sw_orders_choose(s->orders, &s->half->mesh, k, &atoms))
			break;
		search_half(s, &atoms, below, stops);
	}
	return goes_on(s) && stops->count > 0;
}

static bool join(sw_stops *there, const sw_stops *on)
{
	if (there->count + on->count - 1 > SW_ROUTE_STOPS)
		return false;
	for (int k = 1; k < on->count; k++) {
		SW_ROOM(there->type, there->count);
		there->type[there->count++] = on->type[k];
	}
	return true;
}

static bool is_better(const sw_stops *a, const sw_stops *b)
{
	if (b->count == 0 || a->cost != b->cost)
		return b->count == 0 || a->cost < b->cost;
	return a->count != b->count ? a->count < b->count : a->steps < b->steps;
}

static void try_common_type(struct common_search *s, const sw_type *common)
{
	int64_t below = s->limits.below;

	if (!find_half(s, &s->problem->from, common, below, s->there))
		return;
	below = below == SW_NEVER ? SW_NEVER : below - s->there->cost;
	if (!find_half(s, common, &s->problem->to, below, s->on) || !join(s->there, s->on))
		return;
	sw_route_shorten(s->hopper, &s->limits, s->there);
	if (s->there->count == 0 || !is_better(s->there, s->best))
		return;
	*s->best = *s->there;
	s->limits.below = s->best->cost + 1;
}

static void find_axes(struct common_search *s)
{
	sw_orders_init(s->orders, s->problem);
	for (int a = 0; a < s->problem->mesh.count; a++)
		if (s->orders->count[a] == 0) {
			SW_ROOM(s->axis, s->axes);
			s->axis[s->axes++] = a;
		}
}

sw_route_end sw_common_type_search(const sw_problem *problem, sw_hopper *hopper, const sw_route_limits *limits,
	sw_stops *stops)
{
	struct common_search s = {.problem = problem, .hopper = hopper, .limits = *limits, .best = stops};
	sw_arena *arena = hopper->arena;
	sw_arena_mark mark = sw_arena_here(arena);
	sw_type *common = SW_NEW(arena, sw_type, 1);

	stops->count = 0;
	s.orders = SW_NEW(arena, sw_orders, 1);
	s.half = SW_NEW(arena, sw_problem, 1);
	s.there = SW_NEW(arena, sw_stops, 2);
	s.on = s.there + 1;
	if (common == NULL || s.orders == NULL || s.half == NULL || s.there == NULL)
		return SW_ROUTE_MEMORY;
	*s.half = *problem;
	s.limits.most_hops = MOST_HOPS < limits->most_hops ? MOST_HOPS : limits->most_hops;
	find_axes(&s);
	for (int64_t k = 0; k < common_type_count(&s) && goes_on(&s); k++)
		if (make_common_type(&s, k, common))
			try_common_type(&s, common);
	sw_arena_back(arena, mark);
	return s.end;
}
