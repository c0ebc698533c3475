/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems as relations: who needs what of whom, and which terms of sums are joined.
 */
#include <shardwalk/distribution.h>
#include <shardwalk/relation.h>

#include "plan/tile_numbers.h"

static bool refuse_terms(sw_diag *diag)
{
	sw_diag_set(diag, SW_T11, (sw_span){0, 0}, "both ends are sums, of other terms, and one is no tile type");
	sw_diag_expected(diag, "the same sum at both ends, or whole values afterwards");
	return false;
}

/* The term after in which each term before is summed; NULL: as relations take it. */
static bool join_terms(const sw_problem *problem, const sw_holding *from, const sw_holding *to, sw_arena *arena,
	int32_t **joins, sw_diag *diag)
{
	bool tiles = problem->from_words == NULL && problem->to_words == NULL;

	*joins = NULL;
	if (to->terms == 1 || (!tiles && from->terms == to->terms))
		return true;
	if (!tiles)
		return refuse_terms(diag);
	*joins = SW_NEW(arena, int32_t, from->terms);
	if (*joins == NULL)
		return sw_diag_memory(diag);
	sw_terms_join(&problem->mesh, &problem->from, &problem->to, *joins);
	return true;
}

sw_relation *sw_problem_relation(const sw_problem *problem, sw_arena *arena, sw_diag *diag)
{
	sw_holding *from = SW_NEW(arena, sw_holding, 2), *to = from + 1;
	int32_t *joins;

	if (from == NULL || !sw_problem_holdings(problem, arena, from, to)) {
		sw_diag_memory(diag);
		return NULL;
	}
	return join_terms(problem, from, to, arena, &joins, diag) ? sw_relation_new(from, to, joins, arena, diag) : NULL;
}
