/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts: prime parts of axes laid over dimensions.
 */
#include "search/layout.h"

#include <string.h>

bool sw_space_init(sw_space *space, const sw_problem *problem, const sw_prime_parts *from, const sw_prime_parts *to)
{
	space->problem = problem;
	space->rank = problem->from.rank;
	space->factors = *from;
	space->one_order = to == NULL;
	space->mixed = false;
	space->sums = sw_type_terms(&problem->from) > 1 || sw_type_terms(&problem->to) > 1;
	space->to_factors = *(to != NULL ? to : from);
	space->from_size = sw_type_localsize(&problem->from);
	space->to_size = sw_type_localsize(&problem->to);
	return sw_prime_parts_split(&problem->mesh, &space->factors, &problem->from, space->from.order,
			   space->from.first) &&
		sw_prime_parts_split(&problem->mesh, &space->to_factors, &problem->to, space->to.order, space->to.first) &&
		sw_prime_parts_split_sums(&space->factors, &problem->from, &space->from.summed) &&
		sw_prime_parts_split_sums(&space->to_factors, &problem->to, &space->to.summed);
}

bool sw_space_of_types(sw_space *space, const sw_problem *problem)
{
	sw_prime_parts parts;

	if (!sw_prime_parts_of_all_orders(&problem->mesh, &parts) || !sw_space_init(space, problem, &parts, NULL))
		return false;
	space->mixed = true;
	return true;
}

bool sw_space_one_prime(const sw_space *space, int64_t *prime)
{
	*prime = space->factors.count > 0 ? space->factors.at[0].prime : 1;
	for (int f = 1; f < space->factors.count; f++)
		if (space->factors.at[f].prime != *prime)
			return false;
	return true;
}

bool sw_space_one_cut(const sw_space *space)
{
	const sw_prime_parts *parts = &space->factors;

	for (int p = 1; p < parts->count; p++)
		if (parts->at[p].axis == parts->at[p - 1].axis && parts->at[p].prime != parts->at[p - 1].prime)
			return false;
	return space->one_order;
}

uint64_t sw_layout_used(const sw_layout *layout, int rank)
{
	uint64_t used = 0;

	for (int k = 0; k < layout->first[rank]; k++)
		used |= (uint64_t)1 << layout->order[k];
	return used;
}

bool sw_layout_comparable(const sw_layout *a, const sw_layout *b, int dim)
{
	int la = sw_layout_length(a, dim), lb = sw_layout_length(b, dim);

	return memcmp(a->order + a->first[dim], b->order + b->first[dim], (size_t)(la < lb ? la : lb)) == 0;
}

bool sw_layout_extends(const sw_layout *finer, const sw_layout *coarser, int rank)
{
	for (int i = 0; i < rank; i++)
		if (sw_layout_length(finer, i) < sw_layout_length(coarser, i) || !sw_layout_comparable(finer, coarser, i))
			return false;
	return true;
}

void sw_layout_tile(const sw_space *space, const sw_prime_parts *factors, const sw_layout *layout,
	int64_t tile[SW_MAX_DIMS])
{
	for (int i = 0; i < space->rank; i++) {
		tile[i] = space->problem->from.global[i];
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++)
			tile[i] /= factors->at[layout->order[k]].prime;
	}
}
