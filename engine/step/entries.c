/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step gathers and splits.
 */
#include "step/entries.h"

#include <assert.h>
#include <string.h>

#include "base/room.h"
#include "step/row.h"

bool sw_step_keep(sw_step *step, const sw_entries *entries, sw_arena *arena)
{
	assert(entries->gathers >= 0 && entries->splits >= 0);
	int count = entries->gathers + entries->splits;
	sw_entry *own = SW_NEW(arena, sw_entry, count);
	if (own == NULL && count > 0)
		return false;
	step->gathers = entries->gathers;
	step->splits = entries->splits;
	step->gather = own;
	step->split = own ? own + entries->gathers : NULL;
	if (entries->gathers > 0)
		memcpy(own, entries->gather, sizeof *own * (size_t)entries->gathers);
	if (entries->splits > 0)
		memcpy(own + entries->gathers, entries->split, sizeof *own * (size_t)entries->splits);
	return true;
}

void sw_step_call(const sw_step *step, sw_call *call)
{
	assert(step->gathers <= SW_MAX_DIMS && step->splits <= SW_MAX_DIMS);
	*call = (sw_call){.op = step->op, .gathers = step->gathers, .splits = step->splits};
	if (step->gathers > 0)
		memcpy(call->gather, step->gather, sizeof *step->gather * (size_t)step->gathers);
	if (step->splits > 0)
		memcpy(call->split, step->split, sizeof *step->split * (size_t)step->splits);
}

bool sw_step_entries_between(sw_step *step, const int64_t *before, const int64_t *after, int rank, sw_arena *arena)
{
	assert(rank <= SW_MAX_DIMS);
	sw_entry gather[SW_MAX_DIMS], split[SW_MAX_DIMS];
	sw_entries entries = {0, 0, gather, split};
	for (int i = 0; i < rank && sw_row(step->op)->among != SW_AMONG_ALL; i++) {
		if (after[i] > before[i]) {
			SW_ROOM(gather, entries.gathers);
			gather[entries.gathers++] = (sw_entry){i, after[i] / before[i]};
		} else if (after[i] < before[i]) {
			SW_ROOM(split, entries.splits);
			split[entries.splits++] = (sw_entry){i, before[i] / after[i]};
		}
	}
	return sw_step_keep(step, &entries, arena);
}
