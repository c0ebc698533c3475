/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of primes, axis by axis.
 */
#include "search/orders.h"

#include <assert.h>
#include <string.h>

/* Is `value` a product of the first primes of an order? */
static bool is_cut(const int64_t *primes, int count, int64_t value)
{
	int64_t product = 1;

	for (int k = 0; k < count && product < value; k++)
		product *= primes[k];
	return product == value;
}

static bool fits(const sw_type *type, int axis, const int64_t *primes, int count)
{
	for (int k = 0; k < type->first[type->rank + 1]; k++) {
		sw_part part = sw_type_part(type, k);

		if (part.axis == axis && (!is_cut(primes, count, part.pre) || !is_cut(primes, count, part.pre * part.size)))
			return false;
	}
	return true;
}

/* The next arrangement of the same primes in lexicographic order; false after the last. */
static bool next_arrangement(int64_t *primes, int count)
{
	int i = count - 2, j = count - 1;

	while (i >= 0 && primes[i] >= primes[i + 1])
		i--;
	if (i < 0)
		return false;
	while (primes[j] <= primes[i])
		j--;
	int64_t swap = primes[i];
	primes[i] = primes[j];
	primes[j] = swap;
	for (i++, j = count - 1; i < j; i++, j--) {
		swap = primes[i];
		primes[i] = primes[j];
		primes[j] = swap;
	}
	return true;
}

/* Where the parts of an axis begin and end, as products of the more major primes: sorted, without repetition. */
static int collect_cuts(const sw_type *type, int axis, int64_t *cuts, int count)
{
	for (int k = 0; k < type->first[type->rank + 1]; k++) {
		sw_part part = sw_type_part(type, k);

		if (part.axis != axis)
			continue;
		for (int end = 0; end < 2; end++) {
			int64_t cut = end == 0 ? part.pre : part.pre * part.size;
			int at = count;

			while (at > 0 && cuts[at - 1] >= cut)
				at--;
			if (at < count && cuts[at] == cut)
				continue;
			memmove(cuts + at + 1, cuts + at, (size_t)(count - at) * sizeof *cuts);
			cuts[at] = cut;
			count++;
		}
	}
	return count;
}

/* The primes of an axis so that every cut is a product of the first of them; false where one cut does not divide the next. */
static bool order_by_cuts(const int64_t *cuts, int count, int64_t size, int64_t *primes)
{
	int64_t done = 1;
	int n = 0;

	for (int k = 0; k <= count; k++) {
		int64_t cut = k < count ? cuts[k] : size;

		if (cut % done != 0)
			return false;
		n += sw_prime_factors(cut / done, primes + n);
		done = cut;
	}
	return true;
}

enum { MOST_PRIMES = 8 }; /* an axis of more is taken apart in one order only */

static void collect_arrangements(sw_orders *orders, const sw_problem *problem, int axis)
{
	int64_t primes[63];
	int n = orders->length[axis];

	sw_prime_factors(problem->mesh.axis[axis].size, primes);
	orders->count[axis] = 0;
	do {
		if (fits(&problem->from, axis, primes, n) && fits(&problem->to, axis, primes, n))
			memcpy(orders->prime[axis][orders->count[axis]++], primes, (size_t)n * sizeof *primes);
	} while (orders->count[axis] < SW_MAX_ORDERS && next_arrangement(primes, n));
}

static void collect_axis(sw_orders *orders, const sw_problem *problem, int axis)
{
	int64_t cuts[2 * SW_MAX_PARTS + 2], primes[126];
	int64_t size = problem->mesh.axis[axis].size;
	int from = collect_cuts(&problem->from, axis, cuts, 0);
	int both = collect_cuts(&problem->to, axis, cuts, from);
	int n = orders->length[axis] = sw_prime_factors(size, primes);

	orders->count[axis] = orders->from[axis] = orders->to[axis] = 0;
	if (order_by_cuts(cuts, both, size, orders->prime[axis][0])) {
		orders->count[axis] = 1;
		if (n <= MOST_PRIMES)
			collect_arrangements(orders, problem, axis);
		return;
	}
	orders->common = false;
	orders->to[axis] = 1;
	order_by_cuts(cuts, collect_cuts(&problem->from, axis, cuts, 0), size, orders->prime[axis][0]);
	order_by_cuts(cuts, collect_cuts(&problem->to, axis, cuts, 0), size, orders->prime[axis][1]);
}

void sw_orders_init(sw_orders *orders, const sw_problem *problem)
{
	orders->axes = problem->mesh.count;
	orders->common = true;
	for (int a = 0; a < orders->axes; a++)
		collect_axis(orders, problem, a);
}

static void fill(const sw_orders *orders, const sw_mesh *mesh, const int *which, sw_prime_parts *factors)
{
	int64_t primes[SW_MAX_FACTORS];
	int n = 0;

	for (int a = 0; a < orders->axes; a++)
		for (int k = 0; k < orders->length[a]; k++)
			primes[n++] = orders->prime[a][which[a]][k];
	sw_prime_parts_ordered(mesh, primes, factors);
}

bool sw_orders_choose(const sw_orders *orders, const sw_mesh *mesh, int choice, sw_prime_parts *factors)
{
	assert(choice >= 0);
	int which[SW_MAX_AXES];

	if (!orders->common)
		return false;
	for (int a = 0; a < orders->axes; a++) {
		which[a] = choice % orders->count[a];
		choice /= orders->count[a];
	}
	if (choice > 0)
		return false;
	fill(orders, mesh, which, factors);
	return true;
}

void sw_orders_ends(const sw_orders *orders, const sw_problem *problem, sw_prime_parts *from, sw_prime_parts *to)
{
	assert(!orders->common);
	int which[2][SW_MAX_AXES];

	for (int a = 0; a < orders->axes; a++) {
		which[0][a] = orders->from[a];
		which[1][a] = orders->to[a];
	}
	fill(orders, &problem->mesh, which[0], from);
	fill(orders, &problem->mesh, which[1], to);
}
