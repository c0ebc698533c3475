/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forms of statements.
 */
#include "program/forms.h"

#include "program/ops.h"
#include "program/pairs.h"

struct lister {
	const sw_form_of *of;
	sw_arena *arena;
	sw_forms *forms;
	sw_diag *diag;
};

static bool fits(const struct lister *l, const sw_form *form)
{
	const sw_form_of *of = l->of;

	for (int k = 0; of->budget > 0 && k < of->operands; k++)
		if (sw_type_space_size(of->operand[k], form->use[k]) > of->budget)
			return false;
	return of->budget == 0 || sw_type_space_size(of->result, form->result) <= of->budget;
}

static bool add(struct lister *l, sw_form form)
{
	if (!fits(l, &form))
		return true;
	if (!SW_GROW(l->arena, l->forms->form, l->forms->count, l->forms->room, 64))
		return sw_diag_memory(l->diag);
	l->forms->form[l->forms->count++] = form;
	return true;
}

static bool add_pair(void *context, const int32_t state[3], int64_t flops)
{
	struct lister *l = context;
	bool product = l->of->op == SW_DO_EINSUM;

	return add(l,
		(sw_form){{state[SW_EQUATION_A], state[SW_EQUATION_B]}, state[SW_EQUATION_RESULT],
			product ? (double)flops : 0});
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

static bool list_products(struct lister *l)
{
	const sw_type_space *spaces[3] = {l->of->operand[0], l->of->operand[1], l->of->result};
	sw_equation each;

	element_by_element(&each, l->of->result->rank);
	return sw_pairs_each(l->of->op == SW_DO_EINSUM ? l->of->equation : &each, spaces, add_pair, l, l->diag);
}

/* Every type is used as it is, where sums allow it. */
static bool list_alike(struct lister *l, bool sums)
{
	const sw_type_space *space = l->of->result;

	for (int32_t s = 0; s < space->count; s++)
		if ((sums || space->sums[s] == 0) && !add(l, (sw_form){{s, l->of->operands > 1 ? s : -1}, s, 0}))
			return false;
	return true;
}

bool sw_forms_list(const sw_form_of *of, sw_arena *arena, sw_forms *forms, sw_diag *diag)
{
	struct lister l = {of, arena, forms, diag};
	enum sw_with_sums sums = sw_program_op_sums(of->op);

	*forms = (sw_forms){0};
	return sums == SW_SUMS_RULED ? list_products(&l) : list_alike(&l, sums == SW_SUMS_ALIKE);
}
