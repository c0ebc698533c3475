/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans between types of any kind: one exchange, or nothing where devices have what they need.
 */
#include <string.h>

#include <shardwalk/distribution.h>

#include "plan/between.h"
#include "plan/strategy.h"

static bool refuse_strategy(const sw_finder *f)
{
	const sw_distribution *words = f->problem->from_words != NULL ? f->problem->from_words : f->problem->to_words;
	sw_text near = {0}, found = {0};
	sw_type tile;

	sw_distribution_near_tile(&f->problem->mesh, words, &tile);
	sw_type_print(&f->problem->mesh, &tile, tile.dtype_given, &near);
	sw_distribution_print(&f->problem->mesh, words, tile.dtype_given, &found);
	sw_diag_set(f->diag, SW_T17, (sw_span){0, 0}, "this strategy plans between tile types, but %s is not one",
		f->problem->from_words != NULL ? "`from`" : "`to`");
	sw_diag_expected(f->diag, "a tile type, such as %s", sw_text_get(&near));
	sw_diag_found(f->diag, "%s", sw_text_get(&found));
	sw_diag_hint(f->diag, "`plan direct` leads from any type to any other");
	sw_text_free(&near);
	sw_text_free(&found);
	return false;
}

static bool refuse_operation(const sw_finder *f)
{
	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"between types that are not tile types there is only the "
		"exchange");
	sw_diag_hint(f->diag, "allow exchange again");
	return false;
}

/* The plan's only step leads to what `to` says. */
static bool make_step(const sw_finder *f, sw_plan *plan)
{
	sw_type *type = SW_NEW(f->arena, sw_type, 1);

	if (type == NULL)
		return false;
	*type = f->problem->to;
	plan->program.steps = 1;
	plan->program.step->op = SW_EXCHANGE;
	plan->program.step->rule = f->problem->nearest ? SW_SENDER_NEAREST : SW_SENDER_BALANCED;
	plan->program.step->order = f->problem->to_order;
	plan->program.value[1].type = type;
	plan->program.value[1].words = f->problem->to_words;
	memcpy(plan->program.value[1].tile, type->tile, sizeof type->tile);
	return true;
}

static bool considers(sw_finder *f, const sw_between *between)
{
	sw_plan *plan = SW_NEW(f->arena, sw_plan, 1);
	bool moves = !sw_holding_equal(&between->end[0], &between->end[1]);

	if (plan == NULL)
		return sw_diag_memory(f->diag);
	*plan = f->blank;
	if (moves && (f->options->without >> SW_EXCHANGE & 1) != 0)
		return refuse_operation(f);
	if (!sw_plan_room(plan, 1, f->arena) || (moves && !make_step(f, plan)))
		return sw_diag_memory(f->diag);
	if (!sw_finder_consider_plan(f, plan))
		return false;
	if (f->any && f->best.budget == 0)
		f->best.budget = f->best.height;
	return true;
}

bool sw_consider_between(sw_finder *f)
{
	if (!sw_strategy_is(f->options->strategy, SW_BETWEEN_ANY))
		return refuse_strategy(f);
	const sw_between *between = sw_between_of(f->problem, f->arena, f->diag);

	return between != NULL && sw_between_complete(between, f->diag) && considers(f, between);
}
