/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans as text, step by step.
 */
#include <shardwalk/distribution.h>
#include <shardwalk/plan.h>

#include <assert.h>
#include <string.h>

#include "array/parts.h"

/* ---- a step ---- */

/* Adds the innermost parts of a dimension that make up `factor`, in braces where they are several; false where
 * none do. */
static bool print_pushed(const sw_mesh *mesh, const sw_type *type, sw_entry entry, sw_text *text)
{
	int count = 0;
	sw_text parts = {0};
	for (int i = type->first[entry.dim]; i < type->first[entry.dim + 1] && entry.factor > 1; i++) {
		sw_part part = sw_type_part(type, i);
		if (part.size > entry.factor) {
			if (part.size % entry.factor)
				break;
			part.pre *= part.size / entry.factor;
			part.size = entry.factor;
		}
		if (entry.factor % part.size)
			break;
		sw_text_add(&parts, count++ ? "," : "");
		sw_part_print(mesh, part, &parts);
		entry.factor /= part.size;
	}
	sw_text_addf(text, count > 1 ? "{%s}" : "%s", sw_text_get(&parts));
	sw_text_free(&parts);
	return entry.factor == 1;
}

/* A slice of one dimension by the axes that it takes. */
static bool print_slice(const sw_plan *plan, int k, sw_text *text)
{
	const sw_step *step = &plan->program.step[k];
	const sw_type *after = plan->program.value[k + 1].type;
	sw_text parts = {0};
	bool named = step->gathers == 0 && step->splits == 1 && after &&
		print_pushed(&plan->problem.mesh, after, step->split[0], &parts);
	if (named)
		sw_text_addf(text, "%s(%d, %s)", sw_collective_of(step->op)->name, step->split[0].dim, sw_text_get(&parts));
	sw_text_free(&parts);
	return named;
}

static void print_factors(const sw_plan *plan, int k, sw_text *text)
{
	const sw_step *step = &plan->program.step[k];
	sw_call call;
	if (print_slice(plan, k, text))
		return;
	sw_step_call(step, &call);
	sw_call_print(NULL, &call, text);
}

static void print_parts(const sw_plan *plan, int k, sw_text *text)
{
	sw_call call;
	sw_plan_call(plan, k, &call);
	sw_call_print(&plan->problem.mesh, &call, text);
}

/* The type that it leads to stands beside it. */
static void print_name(const sw_plan *plan, int k, sw_text *text)
{
	sw_text_add(text, sw_collective_of(plan->program.step[k].op)->name);
}

void sw_plan_print_step(const sw_plan *plan, int k, sw_text *text)
{
	assert(k >= 0 && k < plan->program.steps);
	static void (*const print[SW_TOLD_COUNT])(const sw_plan *plan, int k, sw_text *text) =
		{[SW_TOLD_BY_FACTORS] = print_factors, [SW_TOLD_BY_PARTS] = print_parts, [SW_TOLD_BY_TYPE] = print_name};
	const sw_step *step = &plan->program.step[k];
	const sw_collective *row = sw_collective_of(step->op);
	if (step->passing != SW_PASSES_AT_ONCE)
		sw_text_addf(text, "%s%s%s", row->name, step->by.words ? " " : "", step->by.words ? step->by.words : "");
	else
		print[row->told](plan, k, text);
}

/* ---- a plan ---- */

static int operations_width(const sw_plan *plan)
{
	size_t width = strlen("from");
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text text = {0};
		sw_plan_print_step(plan, k, &text);
		width = text.length > width ? text.length : width;
		sw_text_free(&text);
	}
	return (int)width;
}

static void print_after(const sw_plan *plan, const sw_type *type, const sw_distribution *words, sw_text *text)
{
	if (words)
		sw_distribution_print(&plan->problem.mesh, words, false, text);
	else if (type)
		sw_type_print(&plan->problem.mesh, type, false, text);
	else
		sw_text_add(text, "no type");
	sw_text_add_char(text, '\n');
}

static void print_row(const sw_plan *plan, int k, int width, sw_text *text)
{
	const sw_step *step = &plan->program.step[k];
	sw_text operation = {0};
	sw_plan_print_step(plan, k, &operation);
	sw_text_addf(text, "%3d  %-*s  cost %lld  ", k + 1, width, sw_text_get(&operation), (long long)step->cost);
	print_after(plan, plan->program.value[k + 1].type, plan->program.value[k + 1].words, text);
	sw_text_free(&operation);
}

static void print_totals(const sw_plan *plan, sw_text *text)
{
	sw_text_addf(text, "cost %lld elements per device%s\n", (long long)plan->cost,
		!plan->has_bound  ? "" :
			plan->optimal ? ", optimal: proved" :
							", not proved optimal");
	sw_text_addf(text, "height %lld, peak memory %lld\n", (long long)plan->height, (long long)plan->live_peak);
}

void sw_plan_print(const sw_plan *plan, sw_text *text)
{
	int width = operations_width(plan);
	sw_text_addf(text, "plan  strategy %s, %lld devices of %s\n",
		plan->origin ? plan->origin : sw_strategy_name(plan->strategy), (long long)plan->problem.mesh.devices,
		sw_dtype_name(plan->problem.from.dtype));
	sw_text_addf(text, "  0  %-*s  ", width, "from");
	print_after(plan, &plan->problem.from, plan->problem.from_words, text);
	for (int k = 0; k < plan->program.steps; k++)
		print_row(plan, k, width, text);
	print_totals(plan, text);
}
