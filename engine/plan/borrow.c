/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whom a plan borrows: devices that hold copies at both ends, and take part in between.
 */
#include "plan/borrow.h"

#include "array/parts.h"

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

	for (int k = 0; k + 1 < plan->count; k++) {
		int n = plan->steps[k].type != NULL ? add_parts(plan->steps[k].type, parts, 0) : 0;

		for (int p = 0; p < n && count < SW_MAX_PARTS; p++)
			if (parts[p].size > 1 && sw_parts_clash(ends, ended, parts[p]) < 0 &&
				sw_parts_clash(borrowed, count, parts[p]) < 0)
				borrowed[count++] = parts[p];
	}
	return sw_parts_order_sums(borrowed, count);
}

bool sw_note_borrowed(sw_plan *plan, sw_arena *arena)
{
	sw_part parts[SW_MAX_PARTS];
	int count = borrowed_parts(plan, parts);
	sw_text text = {0};

	if (count == 0 || plan->note != NULL)
		return true;
	sw_text_add(&text, "it borrows the devices along ");
	for (int p = 0; p < count; p++) {
		sw_text_add(&text, p == 0 ? "" : p + 1 < count ? ", " : " and ");
		sw_part_print(&plan->problem.mesh, parts[p], &text);
	}
	sw_text_add(&text, ", which hold copies at both ends: cut among them, less is left to sum");
	plan->note = text.failed ? NULL : sw_arena_copy(arena, sw_text_get(&text), text.length);
	sw_text_free(&text);
	return plan->note != NULL;
}
