/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whom a plan borrows: devices that hold copies at both ends, and take part in between.
 */
#include "plan/borrow.h"

#include "array/parts.h"
#include "cost/reach.h"
#include "step/row.h"

/* The parts of a type, sums included, behind those that are there. */
static int add_parts(const sw_type *type, sw_part *parts, int count)
{
	for (int i = 0; i <= type->rank; i++)
		count += sw_type_parts(type, i, parts + count);
	return count;
}

/* The parts that some step cuts along and neither end has anything of, in the order of sums. */
static int borrowed_parts(const sw_plan *plan, sw_part borrowed[SW_MAX_PARTS])
{
	sw_part ends[2 * SW_MAX_PARTS], parts[SW_MAX_PARTS];
	int count = 0, ended = add_parts(&plan->problem.to, ends, add_parts(&plan->problem.from, ends, 0));

	for (int k = 0; k + 1 < plan->program.steps; k++) {
		int n = plan->program.value[k + 1].type != NULL ? add_parts(plan->program.value[k + 1].type, parts, 0) : 0;

		for (int p = 0; p < n && count < SW_MAX_PARTS; p++)
			if (parts[p].size > 1 && sw_parts_clash(ends, ended, parts[p]) < 0 &&
				sw_parts_clash(borrowed, count, parts[p]) < 0)
				borrowed[count++] = parts[p];
	}
	return sw_parts_order_sums(borrowed, count);
}

static void parts_text(const sw_mesh *mesh, const sw_part *parts, int count, sw_text *text)
{
	for (int p = 0; p < count; p++) {
		sw_text_add(text, p == 0 ? "" : p + 1 < count ? ", " : " and ");
		sw_part_print(mesh, parts[p], text);
	}
}

static void seconds_text(double seconds, sw_text *text)
{
	static const char *const units[] = {"s", "ms", "us", "ns"};
	int unit = 0;

	for (; unit < 3 && seconds < 1; unit++)
		seconds *= 1000;
	sw_text_addf(text, seconds < 100 ? "%.3g %s" : "%.0f %s", seconds, units[unit]);
}

/* ---- beside one step ---- */

enum { MOST_DEVICES = 4096 }; /* of which one step is looked for */

/* The quickest collective that leads from end to end at once; NULL: none does. */
static const sw_plan *one_step(const sw_plan *plan, const sw_machine *machine, double *seconds, sw_arena *arena)
{
	const sw_plan *best = NULL;

	for (int op = 0; op < SW_COLLECTIVES && plan->problem.mesh.devices <= MOST_DEVICES; op++) {
		sw_plan *one = SW_NEW(arena, sw_plan, 1);

		if (sw_row((sw_op)op)->among != SW_AMONG_GROUPS || one == NULL ||
			!sw_plan_one_step(&plan->problem, (sw_op)op, arena, one, NULL))
			continue;
		double takes = sw_predict_seconds(one, 0, machine);
		if (takes >= 0 && (best == NULL || takes < *seconds)) {
			best = one;
			*seconds = takes;
		}
	}
	return best;
}

/* "one allgather over Y takes 559 us; borrowing X takes 280 us" */
static void add_times(const sw_plan *plan, const sw_machine *machine, const sw_part *parts, int count,
	sw_arena *arena, sw_text *text)
{
	const sw_mesh *mesh = &plan->problem.mesh;
	double seconds = 0;
	const sw_plan *one = one_step(plan, machine, &seconds, arena);
	const char *join = " over ";
	sw_reach reach;

	if (one == NULL)
		return;
	sw_reach_step(one, 0, &reach);
	sw_text_addf(text, "%sone %s", text->length > 0 ? "; " : "", sw_row(one->program.step[0].op)->name);
	for (int axis = 0; axis < mesh->count; axis++)
		if (sw_reach_crosses(&reach, axis)) {
			sw_text_addf(text, "%s%s", join, mesh->axis[axis].name);
			join = " and ";
		}
	sw_text_add(text, " takes ");
	seconds_text(seconds, text);
	sw_text_add(text, "; borrowing ");
	parts_text(mesh, parts, count, text);
	sw_text_add(text, " takes ");
	seconds_text(sw_predict_seconds(plan, -1, machine), text);
}

bool sw_note_borrowed(sw_plan *plan, const sw_machine *machine, sw_arena *arena)
{
	sw_part parts[SW_MAX_PARTS];
	bool sums = sw_type_sums(&plan->problem.from, parts) > 0 || sw_type_sums(&plan->problem.to, parts) > 0;
	int count = sums || machine != NULL ? borrowed_parts(plan, parts) : 0;
	sw_text text = {0};

	if (count == 0 || plan->note != NULL)
		return true;
	if (sums) {
		sw_text_add(&text, "it borrows the devices along ");
		parts_text(&plan->problem.mesh, parts, count, &text);
		sw_text_add(&text, ", which hold copies at both ends: with a part on each, less is left to sum");
	}
	if (machine != NULL)
		add_times(plan, machine, parts, count, arena, &text);
	bool failed = text.failed;
	plan->note = failed || text.length == 0 ? NULL : sw_arena_copy(arena, sw_text_get(&text), text.length);
	failed = failed || (text.length > 0 && plan->note == NULL);
	sw_text_free(&text);
	return !failed;
}
