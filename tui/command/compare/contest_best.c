/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best schedule of a formula as a recipe.
 */
#include <assert.h>

#include "command/compare/compare_schedules.h"

/* Is it a product of two matrices?  Then the summed letter alone is cut in steps. */
static bool is_matrices(const sw_formula *formula)
{
	sw_equation equation;

	return sw_formula_equation(formula, &equation) && formula->letters == 3 && formula->kept == 2 &&
		equation.rank[0] == 2 && equation.rank[1] == 2;
}

/* Commands, one a line behind a dot each. */
static bool take_commands(sw_text *text, sw_arena *arena, sw_recipe *recipe)
{
	const char *all = sw_text_keep(text, arena);
	size_t length;

	for (const char *at = all; at != NULL && *at != '\0'; at += length) {
		at += *at == '.';
		for (length = 0; at[length] != '\0' && at[length] != '\n';)
			length++;
		assert(recipe->commands < SW_RECIPE_COMMANDS);
		recipe->command[recipe->commands] = sw_arena_copy(arena, at, length);
		if (recipe->command[recipe->commands++] == NULL)
			return false;
		length += at[length] == '\n';
	}
	return all != NULL;
}

static bool take_names(const sw_formula *formula, sw_arena *arena, sw_recipe *recipe)
{
	for (int n = 0; n < formula->arrays; n++) {
		recipe->array[n] = sw_arena_copy(arena, formula->array[n].name.at, formula->array[n].name.length);
		if (recipe->array[n] == NULL)
			return false;
	}
	return true;
}

bool contest_write(const struct contest *contest, const sw_scheme *scheme, sw_arena *arena, sw_recipe *recipe,
	sw_diag *diag)
{
	sw_text text = {0};

	*recipe = (sw_recipe){.scheme = *scheme, .exact = true, .statement = contest->statement};
	sw_scheme_print(&recipe->scheme, contest->formula, &text);
	return (take_commands(&text, arena, recipe) && take_names(contest->formula, arena, recipe)) ||
		sw_diag_memory(diag);
}

bool contest_recipe(const struct contest *contest, const sw_scheme *scheme, sw_arena *arena, sw_recipe *recipe,
	sw_diag *diag)
{
	sw_scheme used = *scheme;

	if (!is_matrices(contest->formula))
		sw_scheme_drop_axes(&used);
	return contest_write(contest, &used, arena, recipe, diag);
}

bool contest_is_of_matrices(const struct contest *contest)
{
	return is_matrices(contest->formula);
}

/* Places in the formula are none in the line that runs. */
bool contest_scheme(const struct contest *contest, sw_scheme *scheme, sw_diag *diag)
{
	bool found = contest->schedules && sw_scheme_of_formula(contest->formula, scheme, diag);

	if (!contest->schedules)
		*diag = contest->why;
	if (!found)
		diag->at = diag->also = (sw_span){0, 0};
	return found;
}

bool contest_family(const struct contest *contest, sw_scheme *scheme, sw_grid_question *question, sw_diag *diag)
{
	*question = (sw_grid_question){.scheme = scheme,
		.times = is_matrices(contest->formula) ? 1U << 2 : ~0U,
		.processors = contest->processors,
		.memory = contest->live,
		.rates = contest->by_time ? &contest->rates : NULL};
	return contest_scheme(contest, scheme, diag);
}

bool contest_best(const struct contest *contest, sw_arena *arena, sw_recipe *recipe, sw_diag *diag)
{
	sw_scheme scheme;
	sw_grid_question question;
	sw_grid_choice choice;
	int64_t smallest;

	return contest_family(contest, &scheme, &question, diag) &&
		sw_grid_choose(&question, &choice, 1, &smallest, diag) > 0 &&
		contest_recipe(contest, &choice.scheme, arena, recipe, diag);
}
