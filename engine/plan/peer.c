/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies share that follow another system's planner.
 */
#include "plan/peer.h"
#include "step/row.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/uneven.h>

void sw_peer_step(sw_lowering *l, sw_op op, const sw_type *type)
{
	const int64_t *before = l->plan->program.value[l->plan->program.steps].tile;
	const sw_type *had = l->plan->program.value[l->plan->program.steps].type;

	if (sw_row(op)->among == SW_AMONG_PAIRS || had == NULL || sw_type_terms(had) != sw_type_terms(type) ||
		memcmp(before, type->tile, (size_t)type->rank * sizeof *before) != 0)
		sw_lower_to_type(l, op, type);
}

/* ---- sums ---- */

bool sw_peer_sums_take(sw_finder *f, const char *system, sw_peer_sums **sums)
{
	*sums = SW_NEW(f->arena, sw_peer_sums, 1);
	if (*sums == NULL)
		return sw_diag_memory(f->diag);
	sw_peer_sums_of(f->problem, *sums);
	sw_peer_pads_last(*sums);
	if ((*sums)->ended.count == 0 || (*sums)->begun.count == 0)
		return true;
	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"%s ends in a failed check here: 'from' has sums that 'to' does not have, and vice versa", system);
	sw_diag_expected(f->diag, "only sums that end, or only sums that begin");
	sw_diag_hint(f->diag,
		"the strategies fused, exact and dtensor plan both at once; or go through a type without sums");
	return false;
}

bool sw_peer_step_with(sw_finder *f, sw_lowering *l, const char *system, const sw_peer_sums *sums, sw_op op,
	const sw_type *type)
{
	sw_type *with = SW_NEW(f->arena, sw_type, 1);

	if (with == NULL)
		return sw_diag_memory(f->diag);
	if (!sw_peer_sums_put(sums, NULL, type, with))
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
			"%s's step %d (%s) cuts by an axis whose devices hold terms of a sum: it would mix them", system,
			l->plan->program.steps + 1, sw_collective_of(op)->name);
	sw_peer_step(l, op, with);
	return true;
}

bool sw_peer_sum_up(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums, const sw_type *scattered)
{
	sw_type *type = SW_NEW(f->arena, sw_type, 1);

	if (type == NULL)
		return sw_diag_memory(f->diag);
	sw_peer_sums_put(sums, NULL, scattered != NULL ? scattered : &sums->bare.from, type);
	sw_peer_step(l, scattered != NULL ? SW_REDUCESCATTER : SW_ALLREDUCE, type);
	return true;
}

bool sw_peer_begin_sums(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums)
{
	sw_type *type = SW_NEW(f->arena, sw_type, 1);

	if (type == NULL)
		return sw_diag_memory(f->diag);
	if (sums->begun.count == 0 && l->plan->program.steps > 0)
		l->plan->program.value[l->plan->program.steps].type = &f->problem->to;
	if (sums->zeros.count > 0 && sums->pads && sw_peer_sums_put(sums, &sums->zeros, &sums->bare.to, type))
		sw_peer_step(l, SW_ZEROS, type);
	if (sums->begun.count > 0)
		sw_peer_step(l, sums->pads ? SW_PAD : SW_ZEROS, &f->problem->to);
	return true;
}

/* ---- what is told ---- */

static void say_pieces(int64_t size, int64_t tiles, sw_diag *diag)
{
	int64_t padded;
	sw_uneven pieces;
	sw_text list = {0};
	if (!sw_uneven_start(size, &tiles, 1, &pieces, NULL) || !sw_uneven_pad(size, tiles, &padded))
		return;
	sw_uneven_print(&pieces, SW_UNEVEN_CEIL, 9, &list);
	sw_diag_found(diag, "%lld elements, padded to %lld: %s", (long long)size, (long long)padded, sw_text_get(&list));
	sw_text_free(&list);
}

bool sw_peer_refuse_padding(sw_finder *f, const sw_padding *at)
{
	assert(at->dim >= 0 && at->dim < f->problem->to.rank);
	int64_t size = f->problem->to.global[at->dim];

	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"%s would pad dimension %d here: its step %d (%s%s%s%s) cuts %lld elements into %lld tiles", at->system,
		at->dim, at->step, sw_collective_of(at->op)->name, at->pattern != NULL ? ", pattern '" : "",
		at->pattern != NULL ? at->pattern : "", at->pattern != NULL ? "'" : "", (long long)size,
		(long long)at->tiles);
	sw_diag_expected(f->diag, "a size that %lld divides", (long long)at->tiles);
	say_pieces(size, at->tiles, f->diag);
	sw_diag_hint(f->diag,
		"both ends divide, but a step between does not: `explain %lld over %lld` compares systems; plans of "
		"this program keep to even tiles, so use another strategy, or choose that size",
		(long long)size, (long long)at->tiles);
	return false;
}

bool sw_peer_note(sw_finder *f, sw_plan *plan, const char *says, const char *padded)
{
	bool both = says != NULL && sw_type_padded(&f->problem->from);
	sw_text text = {0};

	sw_text_addf(&text, "%s%s%s", says != NULL ? says : "", both ? "; " : "",
		sw_type_padded(&f->problem->from) ? padded : "");
	plan->note = text.length > 0 ? sw_arena_copy(f->arena, sw_text_get(&text), text.length) : NULL;
	bool ok = !text.failed && (plan->note != NULL || text.length == 0);
	sw_text_free(&text);
	return ok || sw_diag_memory(f->diag);
}
