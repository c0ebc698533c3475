/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements of schedules: formulas over arrays with homes.
 */
#include "schedule/state.h"

#include <assert.h>

#include "base/scan.h"
#include "program/formula.h"

int64_t sw_schedule_units(const sw_mesh *mesh, int level)
{
	int64_t units = 1;

	assert(level >= 0 && level <= sw_mesh_levels(mesh));
	for (int axis = 0; axis < mesh->count; axis++)
		if (mesh->axis[axis].level < level)
			units *= mesh->axis[axis].size;
	return units;
}

static bool refuse_array(const sw_formula_array *is, const sw_schedule_array *array, int arrays, sw_diag *diag)
{
	int near = -1;

	sw_diag_set(diag, SW_F02, (sw_span){is->at.begin, is->at.begin + is->name.length}, "there is no array %s",
		sw_scan_quote(is->name).text);
	for (int k = 0; k < arrays; k++)
		if (sw_str_same_letters(array[k].name, is->name) || sw_str_distance(array[k].name, is->name, 1) <= 1)
			near = k;
	sw_diag_expected(diag, "an array that has a type");
	if (near >= 0 && is->name.length > 1)
		sw_diag_hint(diag, "did you mean '%.*s'?", SW_STR_ARGS(array[near].name));
	else
		sw_diag_hint(diag, "define it: type %.*s = ...", SW_STR_ARGS(is->name));
	return false;
}

bool sw_schedule_computes(const sw_formula *formula, sw_diag *diag)
{
	assert(formula->accesses > 0);
	for (int k = 0; k < formula->sum.terms; k++)
		for (int n = 0; n < formula->sum.term[k].factors; n++)
			if (formula->sum.term[k].factor[n].kind == SW_FACTOR_FUNCTION)
				return sw_diag_set(diag, SW_F15, formula->access[0].at,
					"a schedule computes sums of products, and no function such as '%.*s'",
					SW_STR_ARGS(formula->sum.term[k].factor[n].word));
	if (formula->wrap || formula->on >= 0)
		return sw_diag_set(diag, SW_F15, formula->access[0].at, "a schedule chooses the place itself: leave out '%s'",
			formula->wrap ? "wrap" : "on");
	for (int k = 0; k < formula->accesses; k++)
		if (!sw_formula_is_plain(formula, &formula->access[k])) {
			sw_diag_set(diag, SW_F15, formula->access[k].at, "the indices of '%.*s' are not single letters",
				SW_STR_ARGS(formula->array[formula->access[k].array].name));
			sw_diag_expected(diag, "a letter for each dimension");
			return false;
		}
	return true;
}

/* Gives the arrays of the formula their sizes and homes. */
static bool know_arrays(sw_formula *formula, const sw_schedule_array *array, int arrays, const sw_holding **home,
	sw_diag *diag)
{
	for (int k = 0; k < formula->arrays; k++) {
		int found = 0;
		while (found < arrays && !sw_str_equal(array[found].name, formula->array[k].name))
			found++;
		if (found == arrays)
			return refuse_array(&formula->array[k], array, arrays, diag);
		if (!sw_formula_set_array(formula, k, array[found].rank, array[found].size, diag))
			return false;
		home[k] = array[found].home;
	}
	return true;
}

bool sw_schedule_problem_of(sw_str statement, const sw_mesh *mesh, const sw_schedule_array *array, int arrays,
	sw_arena *arena, sw_schedule_problem *problem, sw_diag *diag)
{
	sw_schedule_problem out = {.statement = statement, .mesh = mesh};

	assert(mesh != NULL && arena != NULL);
	if (!sw_formula_parse(statement, NULL, arena, &out.formula, diag) || !sw_schedule_computes(&out.formula, diag))
		return false;
	const sw_holding **home = SW_NEW_ZERO(arena, const sw_holding *, out.formula.arrays);
	if (home == NULL)
		return sw_diag_memory(diag);
	if (!know_arrays(&out.formula, array, arrays, home, diag) || !sw_formula_fit(&out.formula, diag))
		return false;
	out.home = home;
	*problem = out;
	return true;
}
