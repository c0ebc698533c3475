/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who has an element after each step, by the digits of holdings where they have some.
 */
#include "plan/owners.h"

#include <assert.h>

#include <shardwalk/collective.h>

#include "plan/tile_numbers.h"

/* How the terms of a value come from those of the one before it. */
struct change {
	bool follows; /* else their numbers say which they are */
	bool pads;    /* a device keeps what it has, and the rest of its tile is 0: the element says which term that is */
	const sw_type *before, *after; /* their sums say which term each becomes a part of */
};

/* Those of a plan. */
struct of_plan {
	struct sw_owners owners;
	const sw_plan *plan;
	sw_holding *holding;   /* of each value */
	struct change *change; /* of each value */
	const int64_t **slot;  /* of each value the slot of each device; NULL: its number */
};

static const struct of_plan *plan_owners(const sw_owners *owners)
{
	return (const struct of_plan *)owners;
}

/* ---- of a holding ---- */

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

bool sw_holding_adds(const sw_holding *holding, int64_t slot, const int64_t *index, int64_t number)
{
	sw_family family;

	if (!sw_holding_has(holding, slot, index))
		return false;
	sw_indices summed = sw_holding_summed(holding, slot, &family);
	return sw_indices_has(&summed, number);
}

static int64_t slot_by_asking(const sw_holding *holding, const int64_t *index, int64_t term)
{
	for (int64_t slot = 0; slot < holding->devices; slot++)
		if (sw_holding_adds(holding, slot, index, term))
			return slot;
	return -1;
}

int64_t sw_holding_first(const sw_holding *holding, const int64_t *index, int64_t number)
{
	bool digits = holding->region == NULL && holding->offset == NULL && holding->rule == NULL &&
		holding->slot == NULL;

	return (digits ? slot_by_digits : slot_by_asking)(holding, index, number);
}

/* ---- made of a plan ---- */

/* From the first value that has most terms they are followed through the steps. */
static void follow_terms(struct of_plan *owners, int first)
{
	const sw_plan *plan = owners->plan;

	for (int k = first; k < plan->program.steps && owners->owners.terms > 1; k++) {
		if (owners->holding[k + 1].summed != NULL || owners->holding[k].summed != NULL)
			continue;
		sw_manner manner = sw_collective_of(plan->program.step[k].op)->manner;
		owners->change[k + 1] = (struct change){true, manner == SW_MANNER_PADDED, sw_plan_sums_before(plan, k),
			sw_plan_sums_before(plan, k + 1)};
	}
}

/* Do maps hide which terms devices have? */
static bool sums_unsaid(const sw_plan *plan, int k)
{
	const sw_value *value = &plan->program.value[k];

	return value->type == NULL && value->pieces == NULL && sw_type_terms(sw_plan_sums_before(plan, k)) > 1;
}

static bool fill(struct of_plan *owners, sw_arena *arena, sw_diag *diag)
{
	int first = 0;

	for (int k = 0; k <= owners->plan->program.steps; k++) {
		if (!sw_plan_holding(owners->plan, k, arena, &owners->holding[k]) || sums_unsaid(owners->plan, k)) {
			sw_diag_set(diag, SW_P06, (sw_span){0, 0},
				"no single sum describes what a device has after step "
				"%d",
				k);
			sw_diag_hint(diag, "`show state` and `show plan` draw such plans");
			return false;
		}
		if (owners->holding[k].terms > owners->owners.terms) {
			owners->owners.terms = owners->holding[k].terms;
			first = k;
		}
	}
	follow_terms(owners, first);
	return true;
}

/* The slots of an order of devices. */
static bool turn_order(struct of_plan *owners, int k, sw_arena *arena)
{
	const int64_t *order = sw_plan_order(owners->plan, k);
	int64_t devices = owners->plan->problem.mesh.devices, *slot;

	owners->slot[k] = NULL;
	if (order == NULL)
		return true;
	slot = SW_NEW(arena, int64_t, devices);
	for (int64_t i = 0; slot != NULL && i < devices; i++)
		slot[order[i]] = i;
	owners->slot[k] = slot;
	return slot != NULL;
}

static const struct sw_owners_kind kind_of_plan;

const sw_owners *sw_owners_of_plan(const sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	int values = plan->program.steps + 1;
	struct of_plan *owners = SW_NEW_ZERO(arena, struct of_plan, 1);

	if (owners == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	*owners = (struct of_plan){.owners = {&kind_of_plan, plan->program.steps, 1},
		.plan = plan,
		.holding = SW_NEW(arena, sw_holding, values),
		.change = SW_NEW(arena, struct change, values),
		.slot = SW_NEW(arena, const int64_t *, values)};
	bool made = owners->holding != NULL && owners->change != NULL && owners->slot != NULL;
	for (int k = 0; k < values && made; k++) {
		owners->change[k] = (struct change){.follows = false};
		made = turn_order(owners, k, arena);
	}
	if (!made) {
		sw_diag_memory(diag);
		return NULL;
	}
	return fill(owners, arena, diag) ? &owners->owners : NULL;
}

/* ---- of a plan ---- */

static const sw_holding *plan_holding(const sw_owners *owners, int k)
{
	return &plan_owners(owners)->holding[k];
}

/* From the last value on in which their numbers say which they are. */
static int64_t plan_number(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	const struct of_plan *of = plan_owners(owners);
	int from = k;

	while (from > 0 && of->change[from].follows)
		from--;
	int64_t terms = of->holding[from].terms, number = terms == owners->terms ? term : term * terms / owners->terms;
	while (from < k) {
		const struct change *change = &of->change[from + 1];
		sw_family family;

		if (change->pads) {
			int64_t slot = sw_holding_first(&of->holding[from], index, number);
			sw_indices summed = sw_holding_summed(&of->holding[from + 1], slot, &family);
			number = summed.family[0].first;
		} else {
			number = sw_term_joined(&of->plan->problem.mesh, change->before, change->after, number);
		}
		from++;
	}
	return number;
}

static int64_t plan_at(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	const int64_t *order = sw_plan_order(plan_owners(owners)->plan, k);
	int64_t slot = sw_holding_first(plan_holding(owners, k), index, plan_number(owners, k, index, term));

	return slot < 0 || order == NULL ? slot : order[slot];
}

static bool plan_has(const sw_owners *owners, int k, int64_t device, const int64_t *index)
{
	const int64_t *slot = plan_owners(owners)->slot[k];

	return sw_holding_has(plan_holding(owners, k), slot != NULL ? slot[device] : device, index);
}

static bool plan_adds(const sw_owners *owners, int k, int64_t device, const int64_t *index, int64_t term)
{
	const int64_t *slot = plan_owners(owners)->slot[k];

	return sw_holding_adds(plan_holding(owners, k), slot != NULL ? slot[device] : device, index,
		plan_number(owners, k, index, term));
}

static bool plan_region(const sw_owners *owners, int k, int64_t device, sw_arena *arena, sw_region *region)
{
	const int64_t *slot = plan_owners(owners)->slot[k];

	return sw_holding_region(plan_holding(owners, k), slot != NULL ? slot[device] : device, arena, region);
}

static void plan_print(const sw_owners *owners, int k, int64_t device, sw_text *text)
{
	const int64_t *slot = plan_owners(owners)->slot[k];

	sw_holding_print(plan_holding(owners, k), slot != NULL ? slot[device] : device, text);
}

static const struct sw_owners_kind kind_of_plan = {plan_holding, plan_number, plan_at, plan_has, plan_adds, NULL,
	plan_region, plan_print};

/* ---- asked ---- */

int sw_owners_steps(const sw_owners *owners)
{
	return owners->steps;
}

int64_t sw_owners_terms(const sw_owners *owners)
{
	return owners->terms;
}

const sw_holding *sw_owners_holding(const sw_owners *owners, int k)
{
	assert(k >= 0 && k <= owners->steps);
	return owners->kind->holding(owners, k);
}

int64_t sw_owners_at(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	assert(k >= 0 && k <= owners->steps);
	assert(term >= 0 && term < owners->terms);
	return owners->kind->at(owners, k, index, term);
}

bool sw_owners_has(const sw_owners *owners, int k, int64_t device, const int64_t *index)
{
	assert(k >= 0 && k <= owners->steps);
	assert(device >= 0);
	return owners->kind->has(owners, k, device, index);
}

bool sw_owners_adds(const sw_owners *owners, int k, int64_t device, const int64_t *index, int64_t term)
{
	assert(k >= 0 && k <= owners->steps);
	assert(device >= 0);
	assert(term >= 0 && term < owners->terms);
	return owners->kind->adds(owners, k, device, index, term);
}

int64_t sw_owners_beside(const sw_owners *owners, int k, const int64_t *index)
{
	assert(k >= 0 && k <= owners->steps);
	return owners->kind->beside != NULL ? owners->kind->beside(owners, k, index) : -1;
}

bool sw_owners_region(const sw_owners *owners, int k, int64_t device, sw_arena *arena, sw_region *region)
{
	assert(k >= 0 && k <= owners->steps);
	assert(device >= 0);
	return owners->kind->region(owners, k, device, arena, region);
}

void sw_owners_print(const sw_owners *owners, int k, int64_t device, sw_text *text)
{
	assert(k >= 0 && k <= owners->steps);
	assert(device >= 0);
	owners->kind->print(owners, k, device, text);
}
