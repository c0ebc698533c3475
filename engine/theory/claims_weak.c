/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims about sequences up to permutations: sections 5 and 6 of seed 000.
 */
#include <string.h>

#include "base/room.h"
#include "theory/claims.h"
#include "theory/low.h"
#include "plan/reorder.h"

/* ---- lowering ---- */

/* Which axis carries out a step on another type of the same tiles: any of the same size in the dimension that loses it, or
 * any that is free; -1: there is none. */
static int lower_axis(const sw_low *low, const sw_case_step *step, int64_t size, sw_draw *draw)
{
	int able[CASE_AXES], count = 0;
	for (int a = 0; a < low->mesh->axes; a++)
		if (low->mesh->size[a] == size && sw_case_dim_of(low->mesh, &low->type, a) == step->from) {
			SW_ROOM(able, count);
			able[count++] = a;
		}
	return count ? able[sw_draw_below(draw, count)] : -1;
}

static sw_outcome lower_step(sw_low *low, const sw_case_mesh *mesh, const sw_case_step *drawn, sw_draw *draw,
	sw_try *work)
{
	sw_case_step step = *drawn;
	step.axis = lower_axis(low, drawn, mesh->size[drawn->axis], draw);
	if (step.axis < 0)
		return sw_refute(work, "step %d needs an axis of %lld, but there is none", low->plan.program.steps + 1,
			(long long)mesh->size[drawn->axis]);
	return sw_low_step(low, &step, work->diag) ? SW_HOLDS : SW_FAILS;
}

/* Devices in an order that is drawn. */
static void lower_shuffle(int64_t *source, int64_t devices, sw_draw *draw)
{
	for (int64_t d = 0; d < devices; d++)
		source[d] = d;
	for (int64_t d = devices - 1; d > 0; d--) {
		int64_t other = sw_draw_below(draw, (int)d + 1), kept = source[d];
		source[d] = source[other];
		source[other] = kept;
	}
}

/* Any type of the same tiles. */
static const sw_case_type *lower_start(const sw_case_space *space, const sw_case_type *type, sw_draw *draw)
{
	int able[SPACE_TYPES], count = 0;
	for (int t = 0; t < space->count; t++)
		if (sw_case_same_tile(space->mesh, &space->type[t], type)) {
			SW_ROOM(able, count);
			able[count++] = t;
		}
	return &space->type[able[sw_draw_below(draw, count)]];
}

const sw_case_type *sw_lowering_start(const sw_case *one, sw_arena *arena)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, arena);
	sw_draw draw = {one->salt};
	return space ? lower_start(space, &one->type[0], &draw) : NULL;
}

/* The steps of a case carried out on `start`, a type of the tiles of its first one; of its permutations nothing is left, or
 * they are any permutations of the devices. */
static sw_outcome lower_all(const sw_case *one, const sw_case_type *start, bool permutes, sw_low *low, sw_draw *draw,
	sw_try *work)
{
	int64_t source[CASE_DEVICES];
	sw_case_step step;
	if (!sw_low_start(low, &one->mesh, start, work->arena, work->diag))
		return SW_FAILS;
	for (int k = 0; k + 1 < one->count; k++) {
		sw_outcome outcome = SW_HOLDS;
		sw_case_step_between(&one->mesh, &one->type[k], &one->type[k + 1], &step);
		if (step.op != SW_ALLPERMUTE) {
			outcome = lower_step(low, &one->mesh, &step, draw, work);
		} else if (permutes) {
			lower_shuffle(source, low->devices, draw);
			outcome = sw_low_permute(low, source, work->diag) ? SW_HOLDS : SW_FAILS;
		}
		if (outcome != SW_HOLDS)
			return outcome;
		if (!sw_case_same_tile(&one->mesh, &low->type, &one->type[k + 1]))
			return sw_refute(work, "after step %d the tiles do not have the shape in the sequence", k + 1);
	}
	return SW_HOLDS;
}

/* After every step each device holds what the device map says. */
static sw_outcome lower_executed(const sw_low *low, sw_try *work)
{
	for (int steps = 1; steps <= low->plan.program.steps; steps++) {
		bool right;
		if (!sw_low_execute(low, steps, NULL, &right, work->diag))
			return SW_FAILS;
		if (!right)
			return sw_refute(work, "after step %d a device holds another tile than its place says", steps);
	}
	return SW_HOLDS;
}

sw_outcome sw_claim_lowering(const sw_case *one, sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_low *low = SW_NEW(work->arena, sw_low, 1);
	sw_draw draw = {one->salt};
	if (!space || !low)
		return sw_claim_memory(work);
	sw_outcome outcome = lower_all(one, lower_start(space, &one->type[0], &draw), false, low, &draw, work);
	if (outcome != SW_HOLDS)
		return outcome;
	int permute = sw_plan_first_permute(&low->plan);
	return permute < 0 ? lower_executed(low, work) : sw_refute(work, "step %d is a permute", permute + 1);
}

/* ---- lifting ---- */

/* Does an operation lead from some type of the tiles of `before` to one of those of `after`? */
static bool lift_leads(const sw_case_space *space, const sw_case_type *before, const sw_case_type *after, sw_op op)
{
	for (int a = 0; a < space->count; a++)
		for (int b = 0; b < space->count; b++)
			if (space->step[a][b] == op + 1 && sw_case_same_tile(space->mesh, &space->type[a], before) &&
				sw_case_same_tile(space->mesh, &space->type[b], after))
				return true;
	return false;
}

sw_outcome sw_claim_lifting(const sw_case *one, sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_low *low = SW_NEW(work->arena, sw_low, 1);
	sw_draw draw = {one->salt};
	if (!space || !low)
		return sw_claim_memory(work);
	sw_outcome outcome = lower_all(one, &one->type[0], true, low, &draw, work);
	if (outcome != SW_HOLDS || (outcome = lower_executed(low, work)) != SW_HOLDS)
		return outcome;
	for (int k = 0; k < low->plan.program.steps; k++) {
		sw_op op = low->plan.program.step[k].op;
		if (op != SW_ALLPERMUTE && !lift_leads(space, &one->type[k], &one->type[k + 1], op))
			return sw_refute(work,
				"step %d, %s, is not a step up to "
				"permutations",
				k + 1, sw_collective_of(op)->name);
		if (op == SW_ALLPERMUTE && !sw_case_same_tile(&one->mesh, &one->type[k], &one->type[k + 1]))
			return sw_refute(work, "step %d, a permute, changes the tiles", k + 1);
	}
	return SW_HOLDS;
}

/* ---- costs ---- */

/* The cheapest weak way between the ends, of a form, no higher than `height`. */
static bool weak_way(const sw_case_space *space, const sw_case *one, const sw_case_form *form, int64_t height,
	sw_case *built)
{
	return sw_case_way(space, &one->type[0], &one->type[one->count - 1], form, PRICE_WEAK_COST, height, built);
}

sw_outcome sw_claim_weak_cost(const sw_case *one, sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_case *built = SW_NEW_ZERO(work->arena, sw_case, 1);
	sw_low *low = SW_NEW(work->arena, sw_low, 1);
	sw_draw draw = {one->salt};
	if (!space || !built || !low)
		return sw_claim_memory(work);
	if (!weak_way(space, one, &sw_form_normal, 0, built))
		return sw_refute(work, "no normal form of whole axes leads there");
	if (sw_case_cost(built, false) > sw_case_cost(one, false))
		return sw_refute(work, "the sequence costs %lld, the cheapest normal form %lld",
			(long long)sw_case_cost(one, false), (long long)sw_case_cost(built, false));
	sw_outcome outcome = lower_all(built, &one->type[0], false, low, &draw, work);
	return outcome == SW_HOLDS ? lower_executed(low, work) : outcome;
}

/* Lowers a weak sequence and permutes at its end where the tiles are on other devices than `to` says; *cost of all. */
static sw_outcome lower_to(const sw_case *built, const sw_case_type *from, const sw_case_type *to, uint64_t salt,
	int64_t *cost, sw_try *work)
{
	const sw_case_mesh *mesh = &built->mesh;
	int64_t have[CASE_DEVICES * CASE_DIMS], want[CASE_DEVICES * CASE_DIMS], source[CASE_DEVICES];
	sw_low *low = SW_NEW(work->arena, sw_low, 1);
	sw_draw draw = {salt};
	bool right;
	if (!low)
		return sw_claim_memory(work);
	sw_outcome outcome = lower_all(built, from, false, low, &draw, work);
	if (outcome != SW_HOLDS)
		return outcome;
	*cost = sw_case_cost(built, false);
	sw_low_map(low, have);
	for (int64_t d = 0; d < low->devices; d++)
		sw_case_offset(mesh, to, d, want + d * mesh->rank);
	if (memcmp(have, want, sizeof *have * (size_t)(low->devices * mesh->rank)) != 0) {
		if (!sw_low_match(mesh, have, want, source))
			return sw_refute(work, "no permutation leads from the last tiles to `to`");
		*cost += sw_case_size(mesh, to);
		if (!sw_low_permute(low, source, work->diag))
			return SW_FAILS;
	}
	if (!sw_low_execute(low, low->plan.program.steps, to, &right, work->diag))
		return SW_FAILS;
	return right ? SW_HOLDS : sw_refute(work, "what was built does not lead to `to`");
}

sw_outcome sw_claim_near_optimum(const sw_case *one, sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_case *weak = SW_NEW_ZERO(work->arena, sw_case, 3), *normal = weak + 1, *typed = weak + 2;
	const sw_case_type *to = &one->type[1];
	int64_t cost = 0;
	if (!space || !weak)
		return sw_claim_memory(work);
	if (!weak_way(space, one, &sw_form_any, 0, weak) ||
		!sw_case_way(space, &one->type[0], to, &sw_form_any, PRICE_COST, 0, typed) ||
		!weak_way(space, one, &sw_form_normal, sw_case_ends(one), normal))
		return sw_refute(work, "no normal form of whole axes leads there");
	sw_outcome outcome = lower_to(normal, &one->type[0], to, one->salt, &cost, work);
	if (outcome != SW_HOLDS)
		return outcome;
	int64_t least = sw_case_cost(weak, false), tile = sw_case_size(&one->mesh, to), other = sw_case_cost(typed, true);
	if (least > other)
		return sw_refute(work, "a sequence costs %lld, less than the optimum up to permutations, %lld",
			(long long)other, (long long)least);
	return cost <= least + tile ?
		SW_HOLDS :
		sw_refute(work, "the optimum costs %lld, a tile of `to` %lld, and the normal form %lld", (long long)least,
			(long long)tile, (long long)cost);
}

/* The other steps stay, and permute once in the end at most. */
sw_outcome sw_claim_one_permute(const sw_case *one, sw_try *work)
{
	const sw_case_type *to = &one->type[one->count - 1];
	int64_t cost = 0, between = sw_case_cost(one, true);
	bool right;
	if (!sw_case_execute(one, work->arena, &right, work->diag))
		return SW_FAILS;
	if (!right)
		return sw_refute(work, "the drawn steps do not lead to their last type");
	sw_outcome outcome = lower_to(one, &one->type[0], to, one->salt, &cost, work);
	if (outcome != SW_HOLDS)
		return outcome;
	return cost <= between ? SW_HOLDS :
							 sw_refute(work, "with permutations between it costs %lld, with one at the end %lld",
								 (long long)between, (long long)cost);
}
