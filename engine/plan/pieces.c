/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps on pieces of tiles: what devices have after them (seed 001, figure 8), and what they cost.
 */
#include "plan/pieces.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "plan/between.h"
#include "plan/tile_numbers.h"
#include "step/premise.h"
#include "step/row.h"

int sw_plan_first_pieces(const sw_plan *plan)
{
	for (int k = 0; k <= plan->program.steps; k++)
		if (plan->program.value[k].pieces != NULL)
			return k;
	return -1;
}

int sw_plan_pieces_of_tile(const sw_plan *plan)
{
	int first = sw_plan_first_pieces(plan), passing = 0;

	if (first >= 0)
		return plan->program.value[first].pieces->count;
	while (passing < plan->program.steps && plan->program.step[passing].passing == SW_PASSES_AT_ONCE)
		passing++;
	return passing < plan->program.steps ? (int)sw_terms_joined(&plan->problem.from, &plan->problem.to) : 0;
}

bool sw_step_on_pieces(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	return plan->program.value[k].pieces != NULL || plan->program.value[k + 1].pieces != NULL;
}

/* ---- what a type says ---- */

/* Those that a type says. */
static sw_pieces *pieces_of_type(const sw_plan *plan, int k, int count, sw_arena *arena, sw_diag *diag)
{
	const sw_value *value = &plan->program.value[k];
	int64_t devices = plan->problem.mesh.devices;
	sw_pieces *pieces = SW_NEW(arena, sw_pieces, 1);
	int32_t *term = SW_NEW(arena, int32_t, devices);
	if (pieces == NULL || term == NULL)
		return sw_diag_memory(diag), NULL;
	sw_term_numbers_of_type(&plan->problem.mesh, value->type, term);
	return sw_pieces_start(pieces, devices, count, sw_type_terms(value->type), term, arena, diag) ? pieces : NULL;
}

const sw_pieces *sw_plan_pieces(const sw_plan *plan, int k, int count, sw_arena *arena, sw_diag *diag)
{
	assert(k >= 0 && k <= plan->program.steps && count >= 1);
	const sw_value *value = &plan->program.value[k];

	return value->pieces != NULL ? value->pieces : pieces_of_type(plan, k, count, arena, diag);
}

/* The same, to be changed, of lists that may be those of the value. */
static sw_pieces *own_pieces(const sw_plan *plan, int k, int count, sw_arena *arena, sw_diag *diag)
{
	const sw_value *value = &plan->program.value[k];
	sw_pieces *own;

	if (value->pieces == NULL)
		return pieces_of_type(plan, k, count, arena, diag);
	own = SW_NEW(arena, sw_pieces, 1);
	if (own == NULL)
		return sw_diag_memory(diag), NULL;
	return sw_pieces_share(value->pieces, arena, own, diag) ? own : NULL;
}

const sw_pieces *sw_plan_device_pieces(const sw_plan *plan, int k, int count, sw_arena *arena, sw_diag *diag)
{
	const sw_pieces *of_slots = sw_plan_pieces(plan, k, count, arena, diag);
	const int64_t *order = sw_plan_order(plan, k);
	sw_pieces *pieces = SW_NEW(arena, sw_pieces, 1);

	if (of_slots == NULL || order == NULL)
		return of_slots;
	if (pieces == NULL || !sw_pieces_share(of_slots, arena, pieces, diag))
		return sw_diag_memory(diag), NULL;
	for (int64_t p = 0; p < pieces->devices; p++)
		pieces->list[order[p]] = of_slots->list[p];
	return pieces;
}

/* Elements of a tile of value `k`, of whatever devices have pieces. */
static int64_t tile_size(const sw_plan *plan, int k)
{
	int64_t size = 1;

	for (int i = 0; i < plan->problem.from.rank; i++)
		size *= plan->program.value[k].tile[i];
	return size;
}

static int pieces_of(const sw_plan *plan, int k)
{
	const sw_value *value = &plan->program.value[k];

	return value->pieces != NULL ? value->pieces->count : value[1].pieces->count;
}

bool sw_step_piece_tiles(const sw_plan *plan, int k, sw_arena *arena, int64_t *size, sw_tiles tiles[2], sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps);
	*size = tile_size(plan, k);
	for (int i = 0; i < 2; i++) {
		tiles[i] = (sw_tiles){.rank = 1,
			.devices = plan->problem.mesh.devices,
			.global = size,
			.tile = size,
			.pieces = sw_plan_device_pieces(plan, k + i, pieces_of(plan, k), arena, diag)};
		if (tiles[i].pieces == NULL)
			return false;
	}
	return true;
}

/* ---- what a type makes of pieces ---- */

/* Do pieces of tiles that lie as `from` says, in terms of that, make what `type` says? */
static bool make_type(const sw_mesh *mesh, const sw_type *from, const sw_pieces *pieces, const sw_type *type,
	sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(arena);
	sw_type whole[2] = {*from, *type};
	const uint64_t *sums = NULL;

	for (int i = 0; i < 2; i++)
		sw_type_put(&whole[i], whole[i].rank, NULL, 0);
	if (type->dtype == from->dtype && sw_type_same_map(mesh, &whole[0], &whole[1]))
		sums = sw_sums_of_terms(mesh, from, type, arena);
	bool makes = sums != NULL;
	for (int64_t d = 0; makes && d < pieces->devices; d++)
		makes = sw_pieces_are(pieces, d, 0, pieces->count, sums + sw_type_term(mesh, type, d) * pieces->words);
	sw_arena_back(arena, mark);
	return makes;
}

/* ---- a step ---- */

/* Who is called how in a refusal. */
struct naming {
	const sw_mesh *mesh;
	const sw_type *type; /* the last one: terms are counted by it */
};

static void name_device(const void *of, int64_t device, sw_text *text)
{
	const struct naming *naming = of;

	sw_text_addf(text, "device %lld", (long long)sw_device_at(naming->mesh->order, device));
}

static bool same_tile(const sw_mesh *mesh, const sw_type *type, int64_t a, int64_t b)
{
	int64_t one[SW_MAX_DIMS], other[SW_MAX_DIMS];

	sw_type_offset(mesh, type, a, one);
	sw_type_offset(mesh, type, b, other);
	return memcmp(one, other, sizeof *one * (size_t)type->rank) == 0;
}

/* A device that has this term by the type, of the same tile. */
static int64_t owner_of(const void *of, int64_t device, int64_t term)
{
	const struct naming *naming = of;
	int64_t owner = 0;

	while (owner + 1 < naming->mesh->devices &&
		(sw_type_term(naming->mesh, naming->type, owner) != term ||
			!same_tile(naming->mesh, naming->type, owner, device)))
		owner++;
	return owner;
}

/* The number of a device with its digits along the sums of a type alone. */
static int64_t along_sums(const sw_mesh *mesh, const sw_type *type, int64_t device)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);
	int64_t number = 0;

	for (int p = 0; p < count; p++) {
		int64_t stride = sw_part_stride(mesh, parts[p]);

		number += device / stride % parts[p].size * stride;
	}
	return number;
}

struct following {
	const sw_plan *plan;
	int k;
	char *where;
	sw_diag *diag;
};

static bool fail(const struct following *f, sw_code code, const char *field, const char *why)
{
	snprintf(f->where, SW_WHERE_SIZE, "steps[%d].%s", f->k, field);
	return sw_diag_set(f->diag, code, (sw_span){0, 0}, "step %d ('%s'): %s", f->k + 1,
		sw_row(f->plan->program.step[f->k].op)->name, why);
}

/* The type before all steps that pass on what is summed: groups stay within its sums. */
static const sw_type *summed_from(const sw_plan *plan, int k)
{
	while (k > 0 && plan->program.step[k - 1].passing != SW_PASSES_AT_ONCE)
		k--;
	return sw_plan_sums_before(plan, k);
}

static bool groups_are_sound(const struct following *f, sw_arena *arena)
{
	const sw_step *step = &f->plan->program.step[f->k];
	const sw_mesh *mesh = &f->plan->problem.mesh;
	const sw_type *summed = summed_from(f->plan, f->k);

	if (sw_row(step->op)->hold == NULL)
		return fail(f, SW_P05, "op", "it has no form for chunks");
	if (step->gathers > 0 || step->splits > 0)
		return fail(f, SW_P05, step->gathers > 0 ? "gather" : "split", "it works on chunks, not on dimensions");
	if (step->groups == NULL || step->group_size < 2 || step->grouped < step->group_size ||
		step->grouped > mesh->devices || step->grouped % step->group_size != 0)
		return fail(f, SW_P05, "groups", "its groups are not of two or more devices each, all of one size");
	bool *seen = SW_NEW_ZERO(arena, bool, mesh->devices);
	if (seen == NULL)
		return sw_diag_memory(f->diag);
	for (int64_t n = 0; n < step->grouped; n++) {
		int32_t d = step->groups[n];

		if (d < 0 || d >= mesh->devices || seen[d])
			return fail(f, SW_P05, "groups", "a device is in two groups, or there is no such device");
		seen[d] = true;
		int32_t first = step->groups[n - n % step->group_size];
		if (d - along_sums(mesh, summed, d) != first - along_sums(mesh, summed, first))
			return fail(f, SW_P05, "groups", "a group crosses an axis that is not summed over");
	}
	return true;
}

bool sw_step_lay(sw_step *step, const sw_hierarchy *hierarchy, const int64_t *slot, sw_arena *arena)
{
	int32_t *member = sw_named_members(hierarchy, &step->by, arena, &step->grouped, &step->group_size);

	for (int64_t n = 0; member != NULL && n < step->grouped; n++)
		member[n] = (int32_t)slot[member[n]];
	step->groups = member;
	return member != NULL;
}

/* The devices have these pieces then, or what a type says. */
static bool put_pieces(const struct following *f, const sw_pieces *pieces, const sw_said_types *types,
	sw_arena *arena, sw_value *made)
{
	const sw_mesh *mesh = &f->plan->problem.mesh;
	const sw_type *from = sw_plan_sums_before(f->plan, f->k);

	memcpy(made->tile, f->plan->program.value[f->k].tile, sizeof made->tile);
	if (made->type != NULL)
		return make_type(mesh, from, pieces, made->type, arena) ||
			fail(f, SW_P03, "type", "the devices do not hold the sums of its type");
	for (int i = 0; made->type == NULL && types != NULL && i < types->count; i++)
		if (make_type(mesh, from, pieces, &types->type[i], arena))
			made->type = &types->type[i];
	made->pieces = made->type == NULL ? pieces : NULL;
	made->blocks = made->pieces != NULL ? sw_plan_pieces_type(f->plan, f->k + 1, arena) : NULL;
	made->on_all = 0;
	return true;
}

bool sw_plan_follow(sw_plan *plan, int k, int count, const sw_said_types *types, sw_arena *arena,
	char where[SW_WHERE_SIZE], sw_diag *diag)
{
	const struct following f = {plan, k, where, diag};
	const sw_step *step = &plan->program.step[k];
	const struct naming naming = {&plan->problem.mesh, sw_plan_sums_before(plan, k)};
	const sw_piece_names names = {&naming, name_device, owner_of};
	sw_arena_mark mark = sw_arena_here(arena);
	sw_diag why = {.code = SW_OK};

	if (!groups_are_sound(&f, arena))
		return false;
	sw_pieces *after = own_pieces(plan, k, count, arena, diag);
	if (after == NULL)
		return false;
	sw_breach breach;
	if (!sw_pieces_step(after, step->op, step->groups, step->grouped, step->group_size, &breach))
		return sw_diag_memory(diag);
	if (breach.premise == SW_PREMISE_HOLDS) {
		bool put = put_pieces(&f, after, types, arena, &plan->program.value[k + 1]);
		if (plan->program.value[k + 1].pieces == NULL)
			sw_arena_back(arena, mark);
		return put;
	}
	sw_premise_say(&(sw_refusal){after, &names, step->op, &breach, NULL}, &why);
	return fail(&f, SW_P05, "groups", why.message);
}

/* ---- figures ---- */

/* Elements of the pieces that a device has, each as large as it is. */
static int64_t elements_held(const sw_pieces *pieces, int64_t size, int64_t device)
{
	const sw_pieces_list *list = pieces->list[device];
	int64_t held = 0;

	for (int r = 0; r < list->runs; r++)
		held += sw_piece_begin(size, pieces->count, list->run[r].end) -
			sw_piece_begin(size, pieces->count, list->run[r].first);
	return held;
}

/* -1: 64 bits do not hold it. */
static int64_t all_held(const sw_pieces *pieces, int64_t size)
{
	int64_t all = 0;

	for (int64_t d = 0; d < pieces->devices; d++)
		if (!sw_add(all, elements_held(pieces, size, d), &all))
			return -1;
	return all;
}

int64_t sw_plan_on_all(const sw_plan *plan, int k)
{
	assert(k >= 0 && k <= plan->program.steps);
	const sw_value *value = &plan->program.value[k];
	int64_t devices = plan->problem.mesh.devices, all = 0;

	if (sw_problem_has_words(&plan->problem))
		return sw_value_all(plan, k);
	if (value->pieces == NULL)
		return sw_mul(value->localsize, devices, &all) ? all : -1;
	return value->on_all != 0 ? value->on_all : all_held(value->pieces, tile_size(plan, k));
}

int64_t sw_plan_height_on_all(const sw_plan *plan)
{
	int64_t most = 0;

	if (!sw_problem_has_words(&plan->problem))
		return sw_mul(plan->height, plan->problem.mesh.devices, &most) ? most : -1;
	for (int k = 0; k <= plan->program.steps && most >= 0; k++) {
		int64_t all = sw_plan_on_all(plan, k);
		most = all < 0 ? -1 : sw_larger(most, all);
	}
	return most;
}

/* How many pieces each device has before a step and after it, of tiles of so many elements. */
struct both {
	const int *before, *after;
	int64_t size, devices;
	int count; /* of a tile */
};

/* By a type all of them.  NULL: no memory. */
static const int *count_held(const struct both *both, const sw_pieces *pieces, sw_arena *arena)
{
	int *held = SW_NEW(arena, int, both->devices);

	for (int64_t d = 0; held != NULL && d < both->devices; d++)
		held[d] = pieces != NULL ? sw_pieces_held(pieces, d) : both->count;
	return held;
}

/* Elements of so many pieces, the larger ones counted. */
static int64_t size_of(const struct both *both, int pieces)
{
	int64_t all = both->count;

	return both->size / all * pieces + (both->size % all * pieces + all - 1) / all;
}

/* Devices outside of all groups take no part. */
static int64_t cost_of(const struct both *both, const sw_step *step)
{
	int64_t cost = 0;

	for (int64_t n = 0; n < step->grouped; n += step->group_size) {
		int brought = 0, left = 0;

		for (int64_t m = n; m < n + step->group_size; m++) {
			int before = both->before[step->groups[m]];
			int after = both->after[step->groups[m]];

			brought = before > brought ? before : brought;
			left = after > left ? after : left;
		}
		cost = sw_larger(cost, sw_paper_cost(step->op, size_of(both, brought), size_of(both, left)));
	}
	return cost;
}

static bool live_of(const struct both *both, int64_t *live)
{
	*live = 0;
	for (int64_t d = 0; d < both->devices; d++) {
		int64_t own;

		if (!sw_add(size_of(both, both->before[d]), size_of(both, both->after[d]), &own))
			return false;
		*live = sw_larger(*live, own);
	}
	return true;
}

static int most_of(const struct both *both)
{
	int most = 0;

	for (int64_t d = 0; d < both->devices; d++)
		most = both->after[d] > most ? both->after[d] : most;
	return most;
}

bool sw_step_piece_figures(const sw_plan *plan, int k, sw_piece_figures *figures, sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_value *value = &plan->program.value[k];
	sw_arena *arena = sw_arena_new();
	struct both both = {.size = tile_size(plan, k),
		.devices = plan->problem.mesh.devices,
		.count = pieces_of(plan, k)};

	if (arena == NULL)
		return sw_diag_memory(diag);
	both.before = count_held(&both, value[0].pieces, arena);
	both.after = count_held(&both, value[1].pieces, arena);
	bool known = (both.before != NULL && both.after != NULL) || sw_diag_memory(diag);
	if (known) {
		figures->most = size_of(&both, most_of(&both));
		figures->all = value[1].pieces != NULL ? all_held(value[1].pieces, both.size) : 0;
		figures->cost = cost_of(&both, &plan->program.step[k]);
		known = live_of(&both, &figures->live) ||
			sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the sizes of step %d do not fit into 64 bits", k + 1);
	}
	sw_arena_free(arena);
	return known;
}
