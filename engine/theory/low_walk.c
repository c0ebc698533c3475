/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sequence of low-level steps from a type on, with the device map after each.
 */
#include <shardwalk/theory.h>

#include <string.h>

#include "theory/low.h"

/* Whole axes, few enough of them; false: S08. */
static bool walk_case(const sw_mesh *mesh, const sw_type *type, sw_case_mesh *small, sw_case_type *out, sw_diag *diag)
{
	*small = (sw_case_mesh){.axes = mesh->count, .rank = type->rank};
	*out = (sw_case_type){0};
	if (mesh->count > CASE_AXES || type->rank > CASE_DIMS || mesh->devices > CASE_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"low-level steps are for up to %d axes, %d dimensions, %d devices", CASE_AXES, CASE_DIMS, CASE_DEVICES);
	for (int a = 0; a < mesh->count; a++)
		small->size[a] = mesh->axis[a].size;
	for (int d = 0; d < type->rank; d++) {
		sw_part parts[SW_MAX_PARTS];
		int count = sw_type_parts(type, d, parts);
		small->global[d] = type->global[d];
		for (int p = 0; p < count; p++) {
			if (parts[p].size != mesh->axis[parts[p].axis].size)
				return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "low-level steps are for whole axes");
			out->axis[d][out->count[d]++] = (uint8_t)parts[p].axis;
		}
	}
	return true;
}

static bool walk_state(const sw_low *low, const sw_mesh *mesh, sw_low_state *state, sw_diag *diag)
{
	int64_t *at = SW_NEW(low->arena, int64_t, low->devices);
	if (!at)
		return sw_diag_memory(diag);
	memcpy(at, low->at, sizeof *at * (size_t)low->devices);
	state->at = at;
	return sw_case_type_make(low->mesh, mesh, &low->type, &state->type, diag);
}

/* Every device gets the tile that the type has for its own coordinate. */
static bool walk_home(sw_low *low, sw_diag *diag)
{
	int64_t have[CASE_DEVICES * CASE_DIMS], want[CASE_DEVICES * CASE_DIMS], source[CASE_DEVICES];
	sw_low_map(low, have);
	for (int64_t d = 0; d < low->devices; d++)
		sw_case_offset(low->mesh, &low->type, d, want + d * low->mesh->rank);
	return sw_low_match(low->mesh, have, want, source) && sw_low_permute(low, source, diag);
}

/* Why a step cannot be taken: its axis does not cut the dimension that is to lose it, or cuts one already. */
static bool walk_refuse(const sw_mesh *mesh, const sw_low_call *call, sw_diag *diag)
{
	return sw_diag_set(diag, SW_C06, (sw_span){0, 0},
		call->from >= 0 ? "axis '%s' does not cut dimension %d" : "axis '%s' already cuts a dimension",
		mesh->axis[call->axis].name, call->from);
}

static bool walk_step(sw_low *low, const sw_mesh *mesh, const sw_low_call *call, sw_diag *diag)
{
	if (call->op == SW_ALLPERMUTE)
		return walk_home(low, diag);
	sw_case_step step = {call->op, call->from, call->to, call->axis};
	if (sw_case_dim_of(low->mesh, &low->type, call->axis) != call->from)
		return walk_refuse(mesh, call, diag);
	return sw_low_step(low, &step, diag);
}

bool sw_low_walk(const sw_mesh *mesh, const sw_type *start, const sw_low_call *calls, int count, sw_arena *arena,
	sw_low_state *states, sw_diag *diag)
{
	sw_low *low = SW_NEW(arena, sw_low, 1);
	sw_case_mesh *small = SW_NEW(arena, sw_case_mesh, 1);
	sw_case_type type;
	if (!low || !small)
		return sw_diag_memory(diag);
	if (!walk_case(mesh, start, small, &type, diag) || !sw_low_start(low, small, &type, arena, diag) ||
		!walk_state(low, mesh, &states[0], diag))
		return false;
	states[0].right = true;
	for (int k = 0; k < count; k++) {
		bool step_right;
		if (!walk_step(low, mesh, &calls[k], diag) || !walk_state(low, mesh, &states[k + 1], diag) ||
			!sw_low_execute(low, k + 1, NULL, &step_right, diag))
			return false;
		states[k + 1].groups = low->plan.program.step[k].groups;
		states[k + 1].group_size = low->plan.program.step[k].group_size;
		states[k + 1].right = states[k].right && step_right;
	}
	return true;
}
