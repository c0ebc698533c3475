/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is followed, in a step of a plan by its transfers, in a moment of a program by what moves in it.
 */
#include "views/followed.h"

#include <assert.h>

#include <shardwalk/owners.h>
#include <shardwalk/transfers.h>

#include "answer/words.h"

#define DEVICES_MOST 4096 /* whose transfers are looked through */

/* ---- tiles ---- */

struct view_tile followed_tile_at(const sw_owners *of, int step, const int64_t *element)
{
	bool made = step >= 0 && step <= sw_owners_steps(of) && sw_owners_holding(of, step);
	int64_t device = made ? sw_owners_at(of, step, element, 0) : -1;
	return (struct view_tile){.of = device >= 0 ? of : NULL, .step = step, .device = device};
}

bool followed_tile_has(const struct view_tile *tile, const int64_t *index)
{
	assert(tile->of);
	return sw_owners_has(tile->of, tile->step, tile->device, index);
}

bool followed_tile_region(const struct view_tile *tile, sw_arena *arena, sw_region *region)
{
	assert(tile->of);
	return sw_owners_region(tile->of, tile->step, tile->device, arena, region);
}

int64_t followed_tile_on(const sw_owners *of, int step, int64_t device, const sw_region *region, sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(arena);
	sw_region own, both = {0};
	bool known = sw_owners_region(of, step, device, arena, &own) &&
		(own.count == 0 || region->count == 0 || sw_region_meet(&own, region, arena, &both));
	int64_t size = known ? sw_region_size(&both) : -1;
	sw_arena_back(arena, mark);
	return size;
}

#define TILE_WIDEST 48 /* columns of its text */

void followed_tile_print(const struct view_tile *tile, const sw_mesh *mesh, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	sw_region region;
	sw_text all = {0};
	if (arena && followed_tile_region(tile, arena, &region))
		sw_region_print(&region, &all);
	if (all.length && all.length <= TILE_WIDEST)
		sw_text_add(text, sw_text_get(&all));
	else
		sw_text_addf(text, "(device %s %s %d)", words_device(mesh, tile->device).text,
			tile->step ? "after step" : "at moment", tile->step);
	sw_text_free(&all);
	sw_arena_free(arena);
}

/* ---- pieces ---- */

struct handing {
	followed_use *use;
	void *user;
	int64_t device; /* that is followed */
};

static bool hand(void *user, const sw_carried *carried)
{
	const struct handing *handing = user;
	handing->use(handing->user, carried->from, carried->to);
	return true;
}

static bool hand_move(void *user, const sw_moment_move *move)
{
	const struct handing *handing = user;
	if (move->from == handing->device || move->to == handing->device)
		handing->use(handing->user, move->from, move->to);
	return true;
}

static const sw_mesh *mesh_of(const struct view_input *in)
{
	return in->moments ? &in->moments->program->mesh : &in->plan->problem.mesh;
}

static bool device_each(const sw_plan *plan, int k, int64_t device, sw_arena *arena, const struct handing *handing)
{
	sw_diag ignored;
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, &ignored);
	sw_transfer piece;
	for (int64_t to = 0; transfers && to < plan->problem.mesh.devices; to++) {
		for (int64_t n = 0; to == device && n < sw_transfers_into(transfers, to); n++)
			if (sw_transfers_get(transfers, to, n, &piece) && piece.from != to)
				handing->use(handing->user, piece.from, to);
		if (to != device && sw_transfers_between(transfers, device, to, &piece))
			handing->use(handing->user, device, to);
	}
	return transfers != NULL;
}

static bool moved_each(const struct view_input *in, int k, sw_arena *arena, struct handing *handing)
{
	sw_diag ignored;
	if (in->moments)
		return sw_moments_each_move(in->moments, k + 1, arena, hand_move, handing, &ignored);
	return device_each(in->plan, k, handing->device, arena, handing);
}

static bool element_each(const struct view_input *in, int k, const struct view_options *opt, sw_arena *arena,
	struct handing *handing)
{
	sw_diag ignored;
	if (in->moments)
		return sw_moments_carries(in->moments, k + 1, &(sw_array_element){opt->array, opt->element}, arena, hand,
			handing, &ignored);
	return sw_plan_carries(in->plan, k, opt->element, arena, hand, handing, &ignored);
}

static bool tile_each(const struct view_input *in, int k, const struct view_options *opt, sw_arena *arena,
	struct handing *handing)
{
	sw_diag ignored;
	sw_region region;
	if (!followed_tile_region(&opt->tile, arena, &region))
		return false;
	if (in->moments)
		return sw_moments_carries_of(in->moments, k + 1, &(sw_array_part){opt->array, &region}, arena, hand, handing,
			&ignored);
	return sw_plan_carries_of(in->plan, k, &region, arena, hand, handing, &ignored);
}

int followed_steps(const struct view_input *in)
{
	return in->moments ? in->moments->count : in->plan ? in->plan->program.steps : 0;
}

bool followed_each(const struct view_input *in, int k, const struct view_options *opt, followed_use *use, void *user)
{
	int64_t devices = mesh_of(in)->devices;
	bool device = opt->device >= 0 && opt->device < devices;
	struct handing handing = {use, user, opt->device};
	assert(k >= 0 && k < followed_steps(in));
	if ((!opt->element && !device) || devices > DEVICES_MOST)
		return false;
	sw_arena *arena = sw_arena_new();
	bool known = arena &&
		(!opt->element       ? moved_each(in, k, arena, &handing) :
				opt->tile.of ? tile_each(in, k, opt, arena, &handing) :
							   element_each(in, k, opt, arena, &handing));
	sw_arena_free(arena);
	return known;
}

/* ---- of a step ---- */

static void take(void *user, int64_t from, int64_t to)
{
	struct followed *followed = user;
	followed->pieces++;
	if (from != followed->device)
		followed->sends[from] = true;
	if (to != followed->device)
		followed->gets[to] = true;
}

/* Who has it: of a tile, and of any array of a program. */
static void find_holders(struct followed *followed, const struct view_input *in, int k,
	const struct view_options *opt, sw_arena *arena)
{
	int64_t devices = mesh_of(in)->devices;
	const sw_owners *of = in->moments ? in->moments->owners[opt->array] : opt->tile.of;
	sw_region region = {0};
	if (!opt->element || !of || devices > DEVICES_MOST || k > sw_owners_steps(of) ||
		(opt->tile.of && !followed_tile_region(&opt->tile, arena, &region)))
		return;
	followed->has = SW_NEW_ZERO(arena, bool, devices);
	for (int64_t device = 0; followed->has && sw_owners_holding(of, k) && device < devices; device++)
		followed->has[device] = opt->tile.of ? followed_tile_on(of, k, device, &region, arena) > 0 :
											   sw_owners_has(of, k, device, opt->element);
}

void followed_new(struct followed *followed, const struct view_input *in, int k, const struct view_options *opt)
{
	int64_t devices = mesh_of(in)->devices;
	*followed = (struct followed){.device = opt->element ? VIEW_ALL : opt->device};
	sw_arena *arena = opt->element || opt->device >= 0 ? sw_arena_new() : NULL;
	if (!arena)
		return;
	followed->sends = SW_NEW_ZERO(arena, bool, devices);
	followed->gets = SW_NEW_ZERO(arena, bool, devices);
	find_holders(followed, in, k, opt, arena);
	bool made = followed->sends && followed->gets;
	if (made && (k > 0 ? followed_each(in, k - 1, opt, take, followed) : followed->has != NULL))
		followed->arena = arena;
	else
		sw_arena_free(arena);
}

void followed_free(struct followed *followed)
{
	sw_arena_free(followed->arena);
	followed->arena = NULL;
}

static void note(void *user, int64_t from, int64_t to)
{
	(void)from, (void)to;
	*(bool *)user = true;
}

bool followed_moves(const struct view_input *in, int k, const struct view_options *opt)
{
	bool moves = false;
	return followed_each(in, k, opt, note, &moves) && moves;
}

void followed_print(const struct view_input *in, const struct view_options *opt, sw_text *text)
{
	if (!opt->element) {
		sw_text_addf(text, "device %lld", (long long)opt->device);
		return;
	}
	sw_text_add(text, opt->tile.of ? "tile " : "element ");
	if (in->moments)
		sw_text_add_str(text, sw_moments_name(in->moments, opt->array));
	if (opt->tile.of) {
		followed_tile_print(&opt->tile, mesh_of(in), text);
		return;
	}
	int rank = in->moments ? in->moments->program->value[in->moments->first[opt->array]].type->rank :
							 in->plan->problem.from.rank;
	sw_type_print_tile(opt->element, rank, text);
}
