/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same problem with fewer elements: what is checked on real data stays quick.
 */
#include <shardwalk/number.h>
#include <shardwalk/plan.h>

#include "plan/shrink.h"

/* The largest factor of `n` that is prime to `m`. */
static int64_t shrink_prime_to(int64_t n, int64_t m)
{
	for (int64_t common = sw_gcd(n, m); common > 1; common = sw_gcd(n, m))
		n /= common;
	return n;
}

void sw_problem_units(const sw_problem *problem, int64_t unit[SW_MAX_DIMS])
{
	for (int i = 0; i < problem->from.rank; i++)
		unit[i] = shrink_prime_to(sw_gcd(problem->from.tile[i], problem->to.tile[i]), problem->mesh.devices);
}

void sw_problem_shrink(const sw_problem *problem, sw_problem *small)
{
	int64_t unit[SW_MAX_DIMS];
	sw_problem_units(problem, unit);
	if (small != problem)
		*small = *problem;
	for (int i = 0; i < problem->from.rank; i++) {
		small->from.tile[i] /= unit[i];
		small->from.global[i] /= unit[i];
		small->to.tile[i] /= unit[i];
		small->to.global[i] /= unit[i];
	}
}
