/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves of an array in a step of the schedule, as a problem.
 */
#include "session/moved.h"

#include <assert.h>

#include <shardwalk/computation.h>

#include "session/present.h"
#include "session/schedules.h"

static bool add_boxes(const sw_boxes *boxes, sw_arena *arena, sw_region *region)
{
	for (int k = 0; k < boxes->count; k++) {
		sw_indices *set = SW_NEW(arena, sw_indices, boxes->rank + 1);
		sw_family *family = SW_NEW(arena, sw_family, boxes->rank + 1);
		const sw_region before = *region;
		if (set == NULL || family == NULL)
			return false;
		for (int d = 0; d < boxes->rank; d++) {
			const int64_t *at = boxes->at + ((int64_t)k * boxes->rank + d) * 2;
			set[d] = sw_indices_range(at[0], at[1], &family[d]);
		}
		const sw_region box = {boxes->rank, 1, set};
		if (!sw_region_union(&before, &box, arena, region))
			return false;
	}
	return true;
}

bool moved_region(const void *of, int64_t processor, sw_arena *arena, sw_region *region)
{
	const struct moved *moved = of;
	sw_boxes boxes;

	assert(moved->fetch >= 0 && moved->fetch < moved->lowering->fetches);
	const sw_fetch *fetch = &moved->lowering->fetch[moved->fetch];
	sw_lowering_home(moved->lowering, fetch->array, fetch->level, processor, &boxes);
	*region = (sw_region){boxes.rank, 0, NULL};
	if (moved->home && !add_boxes(&boxes, arena, region))
		return false;
	return moved->step < 0 ||
		(sw_lowering_need(moved->lowering, moved->fetch, moved->step, processor, arena, &boxes) &&
			add_boxes(&boxes, arena, region));
}

/* The type of that. */
static bool moved_type(struct session *session, const struct kept_schedule *kept, const struct moved *moved,
	sw_array_type *type, sw_diag *diag)
{
	const sw_computation *computation = kept->formula->computation;
	int array = moved->lowering->fetch[moved->fetch].array;
	const sw_formula_array *is = &computation->formula.array[array];
	struct moved *of = SW_NEW(session->arena, struct moved, 1);
	sw_holding_rule *rule = SW_NEW_ZERO(session->arena, sw_holding_rule, 1);
	sw_holding *holding = SW_NEW_ZERO(session->arena, sw_holding, 1);

	if (of == NULL || rule == NULL || holding == NULL)
		return sw_diag_memory(diag);
	*of = *moved;
	*rule = (sw_holding_rule){.region = moved_region, .of = of};
	sw_holding_of_rule(computation->mesh.devices, is->rank, is->size, rule, holding);
	type->known = false;
	return sw_array_type_of(&computation->mesh, holding, &computation->array[array].is.type, session->arena, type,
		diag);
}

static bool refuse_fetch(const struct kept_schedule *kept, int array, const char *why, sw_diag *diag)
{
	sw_str name = kept->formula->computation->formula.array[array].name;

	return sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "'%.*s' %s", (int)name.length, name.at, why);
}

bool session_enter_fetch(struct session *session, int array, sw_diag *diag)
{
	const struct kept_schedule *kept = session_schedule(session, diag);
	int64_t step = session_schedule_step(session) - 1;
	int fetch = kept != NULL ? sw_lowering_find(kept->lowering, array, 1) : -1;
	sw_array_type from, to;

	if (kept == NULL)
		return false;
	if (step < 0) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "before the first step nothing is fetched");
		sw_diag_hint(diag, "step");
		return false;
	}
	if (sw_mesh_levels(kept->problem->mesh) > 1)
		return refuse_fetch(kept, array, "goes through copies of nodes, which no type says", diag);
	if (array == 0 || fetch < 0 || !sw_fetch_begins(&kept->lowering->fetch[fetch], step))
		return refuse_fetch(kept, array, array == 0 ? "is given away, not fetched" : "is not fetched in this step",
			diag);
	const struct moved before = {kept->lowering, fetch, step - kept->lowering->fetch[fetch].every, true};
	const struct moved behind = {kept->lowering, fetch, step, false};
	if (!moved_type(session, kept, &before, &from, diag) || !moved_type(session, kept, &behind, &to, diag))
		return false;
	const sw_problem problem = {.mesh = kept->formula->computation->mesh,
		.from = from.type,
		.to = to.type,
		.from_words = from.words,
		.to_words = to.words};
	return session_enter_problem(session, -1 - array, &problem, diag);
}
