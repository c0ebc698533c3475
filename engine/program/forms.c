/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forms of products: parts cut letters, each in all dimensions that have it; of the others an operand may be a sum.
 */
#include "program/forms.h"

enum { MOST_LETTERS = 2 * SW_MAX_DIMS };

struct lister {
	const sw_form_of *of;
	sw_arena *arena;
	sw_forms *forms;
	const sw_type_space *space[SW_EQUATION_SIDES];
	int letters;
	int dim[MOST_LETTERS][SW_EQUATION_SIDES]; /* of a letter; -1: it is not there */
};

/* Parts on letters, so far. */
struct draft {
	int32_t at[SW_EQUATION_SIDES]; /* arrangements */
	uint32_t used, summed;         /* parts; those that cut letters which the result lacks */
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
		return false;
	l->forms->form[l->forms->count++] = form;
	return true;
}

static double flops_of(const struct lister *l, const struct draft *draft)
{
	double flops = l->of->op == SW_DO_EINSUM ? 2 : 0;

	for (int k = 0; k < l->letters; k++) {
		int side = l->dim[k][SW_EQUATION_A] >= 0 ? SW_EQUATION_A : SW_EQUATION_B;
		const sw_type_space *space = l->space[side];

		flops *= (double)space->tile[(int64_t)draft->at[side] * space->rank + l->dim[k][side]];
	}
	return flops;
}

/* Of the parts that cut nothing some are sums of the one operand, others of the other. */
static bool add_sums(struct lister *l, const struct draft *draft)
{
	uint32_t all = (uint32_t)((uint64_t)1 << l->space[0]->parts) - 1, free = all & ~draft->used;
	double flops = flops_of(l, draft);

	for (uint32_t a = free;; a = (a - 1) & free) {
		uint32_t rest = free & ~a;

		for (uint32_t b = rest;; b = (b - 1) & rest) {
			sw_form form = {{sw_type_space_state(l->space[SW_EQUATION_A], draft->at[SW_EQUATION_A], a),
								sw_type_space_state(l->space[SW_EQUATION_B], draft->at[SW_EQUATION_B], b)},
				sw_type_space_state(l->space[SW_EQUATION_RESULT], draft->at[SW_EQUATION_RESULT], a | b | draft->summed),
				flops};

			if (!add(l, form))
				return false;
			if (b == 0)
				break;
		}
		if (a == 0)
			return true;
	}
}

static bool push(const struct lister *l, struct draft *draft, int letter, int part)
{
	for (int side = 0; side < SW_EQUATION_SIDES; side++) {
		int dim = l->dim[letter][side];

		if (dim >= 0)
			draft->at[side] = sw_type_space_push(l->space[side], draft->at[side], dim, part);
		if (draft->at[side] < 0)
			return false;
	}
	draft->used |= (uint32_t)1 << part;
	draft->summed |= l->dim[letter][SW_EQUATION_RESULT] < 0 ? (uint32_t)1 << part : 0;
	return true;
}

/* Letters from `letter` on are cut by more parts. */
static bool cut(struct lister *l, int letter, const struct draft *draft)
{
	if (!add_sums(l, draft))
		return false;
	for (; letter < l->letters; letter++)
		for (int part = 0; part < l->space[0]->parts; part++) {
			struct draft next = *draft;

			if ((draft->used >> part & 1) == 0 && push(l, &next, letter, part) && !cut(l, letter, &next))
				return false;
		}
	return true;
}

static void add_letter(struct lister *l, const sw_equation *equation, char letter)
{
	for (int side = 0; side < SW_EQUATION_SIDES; side++)
		l->dim[l->letters][side] = sw_equation_find(equation, side, letter);
	l->letters++;
}

static void letters_of_equation(struct lister *l, const sw_equation *equation)
{
	for (int side = SW_EQUATION_A; side <= SW_EQUATION_B; side++)
		for (int d = 0; d < equation->rank[side]; d++) {
			char letter = equation->letter[side][d];

			if (side == SW_EQUATION_A || sw_equation_find(equation, SW_EQUATION_A, letter) < 0)
				add_letter(l, equation, letter);
		}
}

/* Each dimension has a letter of its own, the same on all sides. */
static void letters_of_dims(struct lister *l)
{
	for (; l->letters < l->of->result->rank; l->letters++)
		for (int side = 0; side < SW_EQUATION_SIDES; side++)
			l->dim[l->letters][side] = l->letters;
}

static bool list_products(struct lister *l)
{
	struct draft nothing = {{0, 0, 0}, 0, 0};

	l->space[SW_EQUATION_A] = l->of->operand[0];
	l->space[SW_EQUATION_B] = l->of->operand[1];
	l->space[SW_EQUATION_RESULT] = l->of->result;
	if (l->of->op == SW_DO_EINSUM)
		letters_of_equation(l, l->of->equation);
	else
		letters_of_dims(l);
	return cut(l, 0, &nothing);
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

bool sw_forms_list(const sw_form_of *of, sw_arena *arena, sw_forms *forms)
{
	static const enum sw_with_sums with_sums[SW_DO_COUNT] = {
#define X(id, name, operands, sums, about) sums,
		SW_PROGRAM_OPS(X)
#undef X
	};
	struct lister l = {.of = of, .arena = arena, .forms = forms};

	*forms = (sw_forms){0};
	return with_sums[of->op] == SW_SUMS_RULED ? list_products(&l) : list_alike(&l, with_sums[of->op] == SW_SUMS_ALIKE);
}
