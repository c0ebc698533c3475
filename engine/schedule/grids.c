/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All grids of so many processors.
 */
#include <assert.h>

#include <shardwalk/mesh.h>
#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/grid_choice.h"

typedef struct grids {
	int axes, count;
	int64_t divisor[6720]; /* of the number of processors: no number up to 2^40 has more */
	int64_t *extent;
	bool (*look)(void *user);
	void *user;
} grids;

static void find_divisors(int64_t n, grids *grids)
{
	int64_t primes[63];
	int count = sw_prime_factors(n, primes);

	grids->count = 1;
	grids->divisor[0] = 1;
	for (int p = 0, before = 0; p < count; p++) {
		int end = grids->count, from = p > 0 && primes[p] == primes[p - 1] ? before : 0;

		for (int d = from; d < end; d++) {
			SW_ROOM(grids->divisor, grids->count);
			grids->divisor[grids->count++] = grids->divisor[d] * primes[p];
		}
		before = end;
	}
}

/* Ways to write what is left as a product over the axes from this one on. */
static bool from_axis(const grids *grids, int axis, int64_t left)
{
	if (axis == grids->axes - 1) {
		grids->extent[axis] = left;
		return grids->look(grids->user);
	}
	for (int n = 0; n < grids->count; n++) {
		if (left % grids->divisor[n] != 0)
			continue;
		grids->extent[axis] = grids->divisor[n];
		if (!from_axis(grids, axis + 1, left / grids->divisor[n]))
			return false;
	}
	return true;
}

bool sw_each_grid(int64_t processors, int axes, int64_t *extent, bool (*look)(void *user), void *user)
{
	grids grids = {.axes = axes, .extent = extent, .look = look, .user = user};

	assert(processors >= 1 && processors <= SW_MAX_DEVICES && axes >= 1);
	find_divisors(processors, &grids);
	return from_axis(&grids, 0, processors);
}
