/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers of the steps of a plan: by device, as flows, and the senders that the plan records.
 */
#include <shardwalk/transfers.h>

#include <assert.h>
#include <string.h>

#include "plan/between.h"
#include "plan/devices.h"
#include "plan/finder.h"
#include "plan/pieces.h"
#include "plan/tile_numbers.h"
#include "step/transfers.h"

enum { MOST_RECORDED = 65536 }; /* senders of one step that a plan names */

/* What devices hold before step k (count: at the end). */
static bool tiles_at(const sw_plan *plan, int k, sw_arena *arena, sw_tiles *tiles, sw_diag *diag)
{
	const sw_type *from = &plan->problem.from;
	const int64_t *map = sw_plan_device_map(plan, k, arena, diag);

	*tiles = (sw_tiles){.rank = from->rank,
		.devices = plan->problem.mesh.devices,
		.global = from->global,
		.tile = plan->program.value[k].tile,
		.at = map};
	return map != NULL && sw_plan_terms(plan, k, arena, tiles, diag);
}

bool sw_plan_terms(const sw_plan *plan, int k, sw_arena *arena, sw_tiles *tiles, sw_diag *diag)
{
	assert(k >= 0 && k <= plan->program.steps);
	const sw_type *sums = sw_plan_sums_before(plan, k),
				  *next = k < plan->program.steps ? sw_plan_sums_before(plan, k + 1) : sums;
	const sw_mesh *mesh = &plan->problem.mesh;
	const int64_t *order = sw_plan_order(plan, k);
	tiles->terms = sw_type_terms(sums);
	tiles->term = tiles->joins = NULL;
	if (tiles->terms == 1 && sw_type_terms(next) == 1)
		return true;
	int32_t *slot = SW_NEW(arena, int32_t, mesh->devices), *term = SW_NEW(arena, int32_t, mesh->devices);
	int32_t *joins = SW_NEW(arena, int32_t, tiles->terms);
	if (slot == NULL || term == NULL || joins == NULL)
		return sw_diag_memory(diag);
	sw_term_numbers_of_type(mesh, sums, slot);
	for (int64_t p = 0; p < mesh->devices; p++)
		term[sw_device_at(order, p)] = slot[p];
	sw_terms_join(mesh, sums, next, joins);
	tiles->term = term;
	tiles->joins = joins;
	return true;
}

/* The step by devices, with its groups written out. */
static bool step_at(const sw_plan *plan, int k, sw_arena *arena, sw_step *step, sw_diag *diag)
{
	if (!sw_step_on_devices(plan, k, arena, step, diag))
		return false;
	if (step->groups == NULL && step->groups_text != NULL)
		step->groups = sw_step_groups(plan, k, arena);
	return true;
}

const sw_transfers *sw_plan_transfers_of(const sw_plan *plan, int k, const sw_tiles tiles[2], sw_arena *arena,
	sw_diag *diag)
{
	sw_step step;

	return step_at(plan, k, arena, &step, diag) ? sw_transfers_new(&step, &tiles[0], &tiles[1], arena, diag) : NULL;
}

static const sw_transfers *between_transfers(const sw_plan *plan, int k, sw_arena *arena, sw_diag *diag)
{
	const sw_between *between = sw_between_of(&plan->problem, arena, diag);

	return between != NULL ? sw_between_transfers(between, &plan->program.step[k], arena, diag) : NULL;
}

const sw_transfers *sw_plan_transfers(const sw_plan *plan, int k, sw_arena *arena, sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps);
	if (sw_problem_has_words(&plan->problem))
		return between_transfers(plan, k, arena, diag);
	int64_t *size = SW_NEW(arena, int64_t, 1);
	sw_tiles tiles[2];
	bool known = size != NULL &&
		(sw_step_on_pieces(plan, k) ?
				sw_step_piece_tiles(plan, k, arena, size, tiles, diag) :
				tiles_at(plan, k, arena, &tiles[0], diag) && tiles_at(plan, k + 1, arena, &tiles[1], diag));

	return known ? sw_plan_transfers_of(plan, k, tiles, arena, diag) : NULL;
}

/* ---- flows ---- */

/* The flows of a step, while they are given to their user. */
struct flows {
	const sw_plan *plan;
	int k;
	sw_flow_use use;
	void *user;
	sw_arena *arena;
	sw_step step; /* by devices */
	sw_diag *diag;
};

static bool no_flows(const struct flows *f)
{
	(void)f;
	return true;
}

static void one_flow(const struct flows *f, int32_t from, int32_t to, double elements)
{
	sw_flow flow = {&from, &to, 1, 1, elements};

	if (from != to)
		f->use(f->user, &flow);
}

/* All that a device gets from one other is one flow. */
static void device_flows(const struct flows *f, const sw_transfers *t, int64_t device)
{
	sw_transfer transfer;
	int64_t from = -1;
	double elements = 0;

	for (int64_t n = 0, all = sw_transfers_into(t, device); n < all; n++) {
		if (!sw_transfers_get(t, device, n, &transfer))
			continue;
		if (from >= 0 && (transfer.from != from || t->moved == NULL)) {
			one_flow(f, (int32_t)from, (int32_t)device, elements);
			elements = 0;
		}
		from = transfer.from;
		elements += (double)sw_transfer_size(t, &transfer);
	}
	if (from >= 0)
		one_flow(f, (int32_t)from, (int32_t)device, elements);
}

static bool dealt_flows(const struct flows *f)
{
	int64_t devices = f->plan->problem.mesh.devices;

	if (devices > SW_MAX_DEALT)
		return sw_diag_set(f->diag, SW_S08, (sw_span){0, 0},
			"who sends to whom in step %d is only worked out for at most %d devices", f->k + 1, SW_MAX_DEALT);
	const sw_transfers *t = sw_plan_transfers(f->plan, f->k, f->arena, f->diag);
	for (int64_t d = 0; t && d < devices; d++)
		device_flows(f, t, d);
	return t != NULL;
}

/* Of tiles in pieces each member brings what it has of its tile. */
static bool group_flows(const struct flows *f)
{
	double size = (double)f->plan->program.value[f->k].localsize;
	int64_t members = f->step.group_size;

	if (sw_step_on_pieces(f->plan, f->k))
		return dealt_flows(f);
	if (members < 1 || f->step.groups == NULL)
		return sw_diag_set(f->diag, SW_P03, (sw_span){0, 0}, "step %d does not say which devices work together",
			f->k + 1);
	for (int64_t n = 0; n < f->step.grouped; n += members) {
		const int32_t *member = f->step.groups + n;
		sw_flow flow = {member, member, members, members, sw_sends(f->step.op, size, (double)members)};

		f->use(f->user, &flow);
	}
	return true;
}

static bool pair_flows(const struct flows *f)
{
	if (f->step.source == NULL)
		return dealt_flows(f);
	for (int64_t d = 0; d < f->plan->problem.mesh.devices; d++)
		one_flow(f, f->step.source[d], (int32_t)d, (double)f->plan->program.value[f->k].localsize);
	return true;
}

static bool (*const flows_among[SW_AMONG_COUNT])(const struct flows *f) = {
	[SW_AMONG_NONE] = no_flows,
	[SW_AMONG_GROUPS] = group_flows,
	[SW_AMONG_PAIRS] = pair_flows,
	[SW_AMONG_ALL] = dealt_flows,
};

static bool step_flows(const sw_plan *plan, int k, sw_flow_use use, void *user, sw_diag *diag)
{
	struct flows f = {.plan = plan, .k = k, .use = use, .user = user, .arena = sw_arena_new(), .diag = diag};

	if (f.arena == NULL)
		return sw_diag_memory(diag);
	bool done = step_at(plan, k, f.arena, &f.step, diag) &&
		flows_among[sw_collective_of(plan->program.step[k].op)->among](&f);
	sw_arena_free(f.arena);
	return done;
}

bool sw_plan_flows(const sw_plan *plan, int k, sw_flow_use use, void *user, sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_plan *inside = plan->program.step[k].inside;
	bool done = true;

	if (inside == NULL)
		return step_flows(plan, k, use, user, diag);
	for (int i = 0; done && i < inside->program.steps; i++)
		done = sw_plan_flows(inside, i, use, user, diag);
	return done;
}

/* ---- what a plan records ---- */

static bool copy_numbers(const int32_t *from, int64_t count, sw_arena *arena, const int32_t **to)
{
	int32_t *copy = SW_NEW(arena, int32_t, count);

	if (copy)
		memcpy(copy, from, (size_t)count * sizeof *copy);
	*to = copy;
	return copy != NULL;
}

static bool record(sw_plan *plan, int k, sw_arena *scratch, sw_arena *arena, sw_diag *diag)
{
	sw_step *step = &plan->program.step[k];
	const sw_transfers *t = sw_plan_transfers(plan, k, scratch, diag);
	int64_t devices = plan->problem.mesh.devices;

	if (t == NULL)
		return false;
	if (t->sender == NULL || t->first_sender[devices] > MOST_RECORDED)
		return true;
	return (copy_numbers(t->first_sender, devices + 1, arena, &step->first_sender) &&
			   copy_numbers(t->sender, t->first_sender[devices], arena, &step->sender)) ||
		sw_diag_memory(diag);
}

bool sw_plan_record_senders(sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	bool done = true;

	for (int k = 0; done && k < plan->program.steps; k++) {
		const sw_collective *row = sw_collective_of(plan->program.step[k].op);

		if (row->among != SW_AMONG_ALL || sw_problem_has_words(&plan->problem) || plan->program.step[k].sender ||
			plan->problem.mesh.devices > SW_MAX_DEALT)
			continue;
		sw_arena *scratch = sw_arena_new();
		done = scratch ? record(plan, k, scratch, arena, diag) : sw_diag_memory(diag);
		sw_arena_free(scratch);
	}
	return done;
}
