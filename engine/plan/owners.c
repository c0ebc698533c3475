/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who has an element after each step, by the digits of holdings where they have some.
 */
#include <shardwalk/owners.h>

#include <assert.h>

#include <shardwalk/collective.h>
#include <shardwalk/transfers.h>

/* How the terms of a value come from those of the one before it. */
struct change {
	bool follows; /* else their numbers say which they are */
	bool pads;    /* a device keeps what it has, and the rest of its tile is 0: the element says which term that is */
	const int32_t *joins; /* the term that each becomes a part of; NULL: all are one */
};

struct sw_owners {
	const sw_plan *plan;
	int64_t terms;
	sw_holding *holding;   /* of each value */
	struct change *change; /* of each value */
};

/* ---- made of a plan ---- */

/* From the first value that has most terms they are followed through the steps. */
static bool follow_terms(sw_owners *owners, int first, sw_arena *arena, sw_diag *diag)
{
	const sw_plan *plan = owners->plan;

	for (int k = first; k < plan->program.steps && owners->terms > 1; k++) {
		sw_tiles tiles;

		if (owners->holding[k + 1].summed != NULL || owners->holding[k].summed != NULL)
			continue;
		if (!sw_plan_terms(plan, k, arena, &tiles, diag))
			return false;
		sw_manner manner = sw_collective_of(plan->program.step[k].op)->manner;
		owners->change[k + 1] = (struct change){true, manner == SW_MANNER_PADDED, tiles.joins};
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
	*owners = (sw_owners){plan, 1, SW_NEW(arena, sw_holding, values), SW_NEW(arena, struct change, values)};
	if (owners->holding == NULL || owners->change == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int k = 0; k < values; k++)
		owners->change[k] = (struct change){.follows = false};
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

static int64_t slot_of(const sw_owners *owners, int k, const int64_t *index, int64_t number)
{
	const sw_holding *holding = &owners->holding[k];
	bool digits = holding->region == NULL && holding->offset == NULL && holding->rule == NULL &&
		holding->slot == NULL;

	return (digits ? slot_by_digits : slot_by_asking)(holding, index, number);
}

/* The number that a term has in value `k`: from the last value on in which their numbers say which they are. */
static int64_t number_of(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	int from = k;

	while (from > 0 && owners->change[from].follows)
		from--;
	int64_t terms = owners->holding[from].terms,
			number = terms == owners->terms ? term : term * terms / owners->terms;
	while (from < k) {
		const struct change *change = &owners->change[from + 1];
		sw_family family;

		if (change->pads) {
			int64_t slot = slot_of(owners, from, index, number);
			sw_indices summed = sw_holding_summed(&owners->holding[from + 1], slot, &family);
			number = summed.family[0].first;
		} else {
			number = change->joins != NULL ? change->joins[number] : 0;
		}
		from++;
	}
	return number;
}

int64_t sw_owners_at(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	assert(k >= 0 && k <= owners->plan->program.steps);
	assert(term >= 0 && term < owners->terms);
	const int64_t *order = sw_plan_order(owners->plan, k);
	int64_t slot = slot_of(owners, k, index, number_of(owners, k, index, term));

	return slot < 0 || order == NULL ? slot : order[slot];
}
