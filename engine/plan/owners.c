/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who has an element after each step, by the digits of holdings where they have some.
 */
#include <shardwalk/owners.h>

#include <assert.h>

#include <shardwalk/transfers.h>

struct sw_owners {
	const sw_plan *plan;
	int64_t terms;
	sw_holding *holding;   /* of each value */
	const int32_t **joins; /* of each value: the term of it that a term of the first with most became; NULL: by its place */
};

/* ---- made of a plan ---- */

/* Terms in the order in which the value with most has them are carried on through the steps after it. */
static bool follow_terms(sw_owners *owners, int first, sw_arena *arena, sw_diag *diag)
{
	const int32_t *before = NULL;

	for (int k = first; k < owners->plan->program.steps && owners->terms > 1; k++) {
		sw_tiles tiles;
		int32_t *after = SW_NEW(arena, int32_t, owners->terms);

		if (owners->holding[k + 1].summed != NULL || owners->holding[k].summed != NULL)
			return true;
		if (after == NULL)
			return sw_diag_memory(diag);
		if (!sw_plan_terms(owners->plan, k, arena, &tiles, diag))
			return false;
		for (int64_t t = 0; t < owners->terms; t++) {
			int64_t now = before != NULL ? before[t] : t;
			after[t] = tiles.joins != NULL && now < tiles.terms ? tiles.joins[now] : 0;
		}
		owners->joins[k + 1] = before = after;
	}
	return true;
}

/* Do maps hide which terms devices have? */
static bool sums_unsaid(const sw_plan *plan, int k)
{
	const sw_value *value = &plan->program.value[k];

	return value->type == NULL && value->pieces == NULL && sw_type_terms(sw_plan_sums_before(plan, k)) > 1;
}

static bool fill(sw_owners *owners, sw_arena *arena, sw_diag *diag)
{
	int first = 0;

	for (int k = 0; k <= owners->plan->program.steps; k++) {
		if (!sw_plan_holding(owners->plan, k, arena, &owners->holding[k]) || sums_unsaid(owners->plan, k)) {
			sw_diag_set(diag, SW_P06, (sw_span){0, 0}, "no one sum says what a device has after step %d", k);
			sw_diag_hint(diag, "`show state` and `show plan` draw such plans");
			return false;
		}
		if (owners->holding[k].terms > owners->terms) {
			owners->terms = owners->holding[k].terms;
			first = k;
		}
	}
	return follow_terms(owners, first, arena, diag);
}

const sw_owners *sw_owners_of_plan(const sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	int values = plan->program.steps + 1;
	sw_owners *owners = SW_NEW(arena, sw_owners, 1);

	if (owners == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	*owners = (sw_owners){plan, 1, SW_NEW(arena, sw_holding, values), SW_NEW(arena, const int32_t *, values)};
	if (owners->holding == NULL || owners->joins == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int k = 0; k < values; k++)
		owners->joins[k] = NULL;
	return fill(owners, arena, diag) ? owners : NULL;
}

/* ---- asked ---- */

int64_t sw_owners_terms(const sw_owners *owners)
{
	return owners->terms;
}

const sw_holding *sw_owners_holding(const sw_owners *owners, int k)
{
	assert(k >= 0 && k <= owners->plan->program.steps);
	return &owners->holding[k];
}

/* The digits that an index, or a term, asks for; all others are 0. */
static int64_t slot_by_digits(const sw_holding *holding, const int64_t *index, int64_t term)
{
	int64_t slot = 0;

	for (int i = 0; i < holding->digits; i++) {
		const sw_digit *digit = &holding->digit[i];
		int64_t at = digit->dim < holding->rank ? index[digit->dim] : term;

		slot += at / digit->weight % digit->size * digit->stride;
	}
	return slot;
}

static int64_t slot_by_asking(const sw_holding *holding, const int64_t *index, int64_t term)
{
	for (int64_t slot = 0; slot < holding->devices; slot++) {
		sw_family family;

		if (!sw_holding_has(holding, slot, index))
			continue;
		sw_indices summed = sw_holding_summed(holding, slot, &family);
		if (sw_indices_has(&summed, term))
			return slot;
	}
	return -1;
}

/* The number that a term has in value `k`. */
static int64_t term_in(const sw_owners *owners, int k, int64_t term)
{
	int64_t terms = owners->holding[k].terms;

	if (owners->joins[k] != NULL)
		return owners->joins[k][term];
	return terms == owners->terms ? term : term * terms / owners->terms;
}

int64_t sw_owners_at(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	assert(k >= 0 && k <= owners->plan->program.steps);
	assert(term >= 0 && term < owners->terms);
	const sw_holding *holding = &owners->holding[k];
	const int64_t *order = sw_plan_order(owners->plan, k);
	bool tiles = holding->region == NULL && holding->offset == NULL && holding->rule == NULL;
	int64_t now = term_in(owners, k, term);
	int64_t slot =
		(tiles && holding->slot == NULL ? slot_by_digits : slot_by_asking)(holding, index, now);

	return slot < 0 || order == NULL ? slot : order[slot];
}
