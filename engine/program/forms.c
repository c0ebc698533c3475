/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forms of statements.
 */
#include "program/forms.h"

#include <assert.h>
#include <stdlib.h>

#include <shardwalk/number.h>

#include "base/resize.h"

#include "program/ops.h"
#include "program/pairs.h"

/* By side; on the heap until all are known. */
struct sw_form_lister {
	const sw_form_of *of;
	sw_costs_store *store;
	int32_t *side[SW_FORM_SIDES];
	int32_t count, room;
	int64_t most;
	sw_diag *diag;
};

static bool fits(const struct sw_form_lister *l, const sw_form *form)
{
	const sw_form_of *of = l->of;

	for (int k = 0; of->budget > 0 && k < of->operands; k++)
		if (sw_type_space_size(of->operand[k], form->use[k]) > of->budget)
			return false;
	return of->budget == 0 || sw_type_space_size(of->result, form->result) <= of->budget;
}

static bool grow(struct sw_form_lister *l)
{
	int32_t more = l->room > 0 ? 2 * l->room : 64;

	if (l->count >= l->most)
		return sw_costs_full(l->store);
	for (int k = 0; k < SW_FORM_SIDES; k++)
		if (!sw_resize(&l->side[k], more, sizeof *l->side[k]))
			return sw_diag_memory(l->diag);
	l->room = more;
	return true;
}

static bool goes_on(struct sw_form_lister *l)
{
	enum { OFTEN = 1 << 16 };

	if (l->count % OFTEN != OFTEN - 1 || sw_pulse_beat(l->store->pulse, "types", l->count, 0))
		return true;
	l->store->failure = SW_COSTS_STOPPED;
	return false;
}

static bool add_any(struct sw_form_lister *l, sw_form form)
{
	const int32_t states[] = {form.use[0], form.use[1], form.result};

	if (!goes_on(l) || (l->count == l->room && !grow(l)))
		return false;
	for (int k = 0; k < SW_FORM_SIDES; k++)
		l->side[k][l->count] = states[k];
	l->count++;
	return true;
}

static bool add(struct sw_form_lister *l, sw_form form)
{
	return !fits(l, &form) || add_any(l, form);
}

static bool add_pair(void *context, const int32_t state[3], int64_t flops)
{
	struct sw_form_lister *l = context;

	(void)flops;
	return add(l, (sw_form){{state[SW_EQUATION_A], state[SW_EQUATION_B]}, state[SW_EQUATION_RESULT]});
}

/* Each dimension has a letter of its own, the same on all sides. */
static void element_by_element(sw_equation *equation, int rank)
{
	for (int side = 0; side < SW_EQUATION_SIDES; side++) {
		equation->rank[side] = rank;
		for (int d = 0; d < rank; d++)
			equation->letter[side][d] = (char)('a' + d);
	}
}

static bool list_products(struct sw_form_lister *l, const sw_equation *equation)
{
	const sw_type_space *spaces[3] = {l->of->operand[0], l->of->operand[1], l->of->result};

	return sw_pairs_each(equation, spaces, add_pair, l, l->diag);
}

bool sw_forms_product(struct sw_form_lister *l)
{
	return list_products(l, l->of->equation);
}

bool sw_forms_elements(struct sw_form_lister *l)
{
	sw_equation each;

	element_by_element(&each, l->of->result->rank);
	return list_products(l, &each);
}

/* Every type is used as it is, where sums allow it. */
static bool list_alike(struct sw_form_lister *l, bool sums)
{
	const sw_type_space *space = l->of->result;

	for (int32_t s = 0; s < space->count; s++)
		if ((sums || space->sums[s] == 0) && !add(l, (sw_form){{s, l->of->operands > 1 ? s : -1}, s}))
			return false;
	return true;
}

bool sw_forms_whole(struct sw_form_lister *l)
{
	return list_alike(l, false);
}

bool sw_forms_alike(struct sw_form_lister *l)
{
	return list_alike(l, true);
}

/* It uses its operand in the type that it makes. */
bool sw_forms_moved(struct sw_form_lister *l)
{
	return add_any(l, (sw_form){{l->of->home, -1}, l->of->home});
}

static bool keep(int32_t *const side[SW_FORM_SIDES], int32_t count, sw_costs_store *store, sw_forms *forms)
{
	forms->count = count;
	for (int k = 0; k < SW_FORM_SIDES; k++)
		forms->side[k] = sw_costs_rows(store, side[k], count);
	return store->failure == SW_COSTS_FINE;
}

bool sw_forms_list(const sw_form_of *of, sw_costs_store *store, sw_forms *forms, sw_diag *diag)
{
	assert(of->operands >= 1 && of->operands <= 2 && sw_operation_of(of->op)->forms != NULL);
	enum {
		TWICE = 2,
		NUMBERS = TWICE * SW_FORM_SIDES * sizeof(int32_t)
	}; /* as they are listed, and as they are kept */
	struct sw_form_lister l = {.of = of,
		.store = store,
		.most = sw_smaller(sw_costs_left(store) / NUMBERS, INT32_MAX / 2),
		.diag = diag};
	bool listed = sw_operation_of(of->op)->forms(&l) && keep(l.side, l.count, store, forms);

	for (int k = 0; k < SW_FORM_SIDES; k++)
		free(l.side[k]);
	return listed;
}
