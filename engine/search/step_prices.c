/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of steps between arrangements: the load of each, by tiles and groups, and what a machine says of it.
 */
#include "search/step_prices.h"

#include <assert.h>
#include <math.h>

#include "cost/latency.h"
#include "step/row.h"

struct sw_step_prices {
	const sw_type_space *space;
	const sw_machine *machine;
	bool placed; /* it matters which axes a step goes over */
	double
		*known[2]; /* [before][after], without and with sums; NAN: not asked for yet.  NULL: nothing is remembered */
};

void sw_reach_axes(const sw_type_space *s, uint32_t axes, sw_reach *reach)
{
	sw_prime_parts primes;
	uint64_t parts = 0;

	sw_prime_parts_default(s->mesh, &primes);
	for (int p = 0; p < primes.count; p++)
		for (uint32_t rest = axes; rest != 0; rest &= rest - 1)
			if (primes.at[p].axis == s->factors.at[__builtin_ctz(rest)].axis)
				parts |= (uint64_t)1 << p;
	sw_reach_parts(s->mesh, &primes, parts, reach);
}

/* ---- what is remembered ---- */

static bool remember(sw_step_prices *p, size_t most_bytes, sw_arena *arena)
{
	double pairs = (double)p->space->arrangements * p->space->arrangements;

	if (2 * pairs * sizeof *p->known[0] > (double)most_bytes)
		return true;
	for (int k = 0; k < 2; k++) {
		p->known[k] = SW_NEW(arena, double, (int64_t)pairs);
		if (p->known[k] == NULL)
			return false;
		for (int64_t n = 0; n < (int64_t)pairs; n++)
			p->known[k][n] = NAN;
	}
	return true;
}

sw_step_prices *sw_step_prices_new(const sw_type_space *space, const sw_machine *machine, size_t most_bytes,
	sw_arena *arena)
{
	assert(space->whole);
	sw_step_prices *p = SW_NEW_ZERO(arena, sw_step_prices, 1);

	if (p == NULL)
		return NULL;
	p->space = space;
	p->machine = machine;
	p->placed = sw_slots_matter(machine, space->mesh);
	return remember(p, most_bytes, arena) ? p : NULL;
}

/* Between two arrangements moves one set of axes; of what stays where it is any may be summed. */
static double *place_of(const sw_step_prices *p, sw_op op, int32_t before, int32_t after)
{
	double *known = p->known[sw_adds_terms(op)];

	return known == NULL || before == after ? NULL : &known[(int64_t)before * p->space->arrangements + after];
}

/* ---- what the machine says ---- */

static int64_t members_of(const sw_type_space *s, uint32_t axes)
{
	int64_t members = 1;

	for (uint32_t rest = axes; rest != 0; rest &= rest - 1)
		members *= s->factors.at[__builtin_ctz(rest)].prime;
	return members;
}

static double ask(const sw_step_prices *p, sw_op op, int32_t before, int32_t after, uint32_t axes)
{
	const sw_type_space *s = p->space;
	const int64_t *from = s->tile + (int64_t)before * s->rank, *to = s->tile + (int64_t)after * s->rank;
	sw_reach reach;
	sw_load load;

	sw_load_tiles(op, from, to, s->rank, sw_dtype_bytes(s->shape.dtype), members_of(s, axes), &load);
	if (p->placed)
		sw_reach_axes(s, load.group > 1 ? axes : 0, &reach);
	double seconds = sw_load_seconds(p->machine, op, &load, s->mesh, p->placed ? &reach : NULL);
	return seconds < 0 ? INFINITY : seconds;
}

double sw_step_seconds(sw_step_prices *p, sw_op op, int32_t before, int32_t after, uint32_t axes)
{
	double *known = place_of(p, op, before, after);

	if (known == NULL)
		return ask(p, op, before, after, axes);
	if (isnan(*known))
		*known = ask(p, op, before, after, axes);
	return *known;
}
