/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategy shardy: what Shardy's pass makes of the reshard, as a plan.
 */
#include "plan/peer.h"
#include "plan/strategy.h"

#include <stdio.h>

#include "cost/latency.h"
#include "peers/shardy_reshard.h"
#include "step/row.h"

static bool refuse(sw_finder *f, const sw_shardy_plan *found)
{
	const char *op = sw_collective_of(found->stopped.op)->name;

	switch (found->end) {
	case SW_SHARDY_UNEVEN:
		return sw_peer_refuse_padding(f,
			&(sw_padding){"Shardy", found->count + 1, found->stopped.op, found->stopped.pattern, found->stopped.dim,
				found->stopped.tiles});
	case SW_SHARDY_RESIZES:
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
			"Shardy's pass ends in an error here: its step %d (%s, pattern '%s') would change the number of "
			"tiles of dimension %d to %lld",
			found->count + 1, op, found->stopped.pattern, found->stopped.dim, (long long)found->stopped.tiles);
	case SW_SHARDY_CLASH:
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
			"Shardy's step %d (%s, pattern '%s') splits an axis in two ways that cannot be in one type",
			found->count + 1, op, found->stopped.pattern);
	case SW_SHARDY_SHORT:
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
			"Shardy's two rounds end here after %d steps on a type other than 'to'", found->count);
	default:
		return sw_diag_memory(f->diag);
	}
}

/* The number of the first permute that leaves every tile where it is, from 1; 0: there is none. */
static int idle_permute(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (sw_step_moves_nothing(plan, k))
			return k + 1;
	return 0;
}

/* What a reader of the steps would wonder about. */
static bool note(sw_finder *f, sw_plan *plan)
{
	int idle = idle_permute(plan);
	char text[128];

	snprintf(text, sizeof text, "Shardy asks for step %d although it moves no tile", idle);
	return sw_peer_note(f, plan, idle > 0 ? text : NULL,
		"Shardy is followed on the padded array; it pads each end separately, and takes other steps if both "
		"ends cut what is padded");
}

/* The sum of what ends: where the pass slices at once its reduce_scatter takes what it can, and all_slice the rest. */
static bool sum_up(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums, const sw_shardy_step *first)
{
	sw_type *scattered = SW_NEW(f->arena, sw_type, 1);

	if (scattered == NULL)
		return sw_diag_memory(f->diag);
	if (sums->ended.count == 0)
		return true;
	bool scatters = first != NULL && sw_row(first->op)->among == SW_AMONG_NONE &&
		sw_peer_scatters_some(sums, &sums->bare.from, first->type, scattered);

	return sw_peer_sum_up(f, l, sums, scatters ? scattered : NULL);
}

static bool lower(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums, const sw_shardy_plan *found)
{
	if (!sum_up(f, l, sums, found->first))
		return false;
	for (const sw_shardy_step *step = found->first; step != NULL; step = step->next)
		if (!sw_peer_step_with(f, l, "Shardy", sums, step->op, step->type))
			return false;
	return sw_peer_begin_sums(f, l, sums);
}

bool sw_candidates_shardy(sw_finder *f)
{
	sw_shardy_plan found;
	sw_peer_sums *sums;
	sw_candidate c;

	if (!sw_peer_sums_take(f, "Shardy", &sums))
		return false;
	sw_candidate_begin(&c, f, &f->space);
	sw_shardy_reshard(f->arena, &sums->bare, &found);
	if (found.end != SW_SHARDY_DONE)
		return refuse(f, &found);
	return lower(f, &c.lowering, sums, &found) && note(f, &c.plan) && sw_finder_consider(f, &c);
}
