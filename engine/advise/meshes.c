/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice between two meshes of different devices: which tiles the ends have, and whether those of one fit onto the devices of the other.
 *
 * Source: JAX 0.10.2, jax/_src/array.py, _array_shard_arg and shard_sharded_device_array_slow_path: a device is given a whole tile of the
 * first end where each index of the second is one of the first, else the whole array is fetched to the host and cut there.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/advise.h>
#include <shardwalk/between.h>
#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include "peers/xla_reshard.h"

static int64_t count_defined(const sw_holding *holding)
{
	int64_t count = 0;

	for (int64_t d = 0; d < holding->devices; d++)
		count += sw_holding_defined(holding, d);
	return count;
}

static int64_t count_common(const sw_holding *a, const sw_holding *b)
{
	int64_t count = 0;

	assert(a->devices == b->devices);
	for (int64_t d = 0; d < a->devices; d++)
		count += sw_holding_defined(a, d) && sw_holding_defined(b, d);
	return count;
}

bool sw_advise_between_meshes(const sw_problem *problem)
{
	sw_arena *arena = sw_arena_new();
	sw_holding from, to;
	bool differ = false;

	if (arena != NULL && sw_problem_has_words(problem) && problem->mesh.devices <= SW_MAX_MAP_DEVICES &&
		sw_problem_holdings(problem, arena, &from, &to)) {
		int64_t common = count_common(&from, &to);

		differ = common != count_defined(&from) || common != count_defined(&to);
	}
	sw_arena_free(arena);
	return differ;
}

/* ---- tiles ---- */

/* The tile of a device: one run in each dimension, which begins at a multiple of its length. */
static bool tile_of(const sw_region *region, int64_t *begin, int64_t *size)
{
	if (region->count != 1)
		return false;
	for (int i = 0; i < region->rank; i++) {
		const sw_indices *set = &sw_region_product(region, 0)[i];

		if (set->count != 1 || set->family->count != 1 || set->family->first % set->family->run != 0)
			return false;
		begin[i] = set->family->first;
		size[i] = set->family->run;
	}
	return true;
}

/* How many tiles of this size there are in the array; 0: more than devices, or of other sizes. */
static int64_t cut_by(const sw_holding *holding, const int64_t *size, int64_t *cuts)
{
	int64_t tiles = 1;

	for (int i = 0; i < holding->rank; i++) {
		cuts[i] = holding->global[i] / size[i];
		if (holding->global[i] % size[i] != 0 || !sw_mul(tiles, cuts[i], &tiles) || tiles > holding->devices)
			return 0;
	}
	return tiles;
}

/* The number of a tile; -1: its sizes are others than those of the first one. */
static int64_t number_of(const sw_holding *holding, const int64_t *cuts, const int64_t *begin, const int64_t *size)
{
	int64_t number = 0;

	for (int i = 0; i < holding->rank; i++) {
		if (size[i] != holding->global[i] / cuts[i])
			return -1;
		number = number * cuts[i] + begin[i] / size[i];
	}
	return number;
}

/* The tiles of an end, where its devices have these and all of them are there; `place` gets the number of each of its devices' tile.
 * false: no memory. */
static bool find_tiles(const sw_holding *holding, sw_arena *arena, sw_meshes_end *end, int64_t *place)
{
	int64_t begin[SW_MAX_DIMS], size[SW_MAX_DIMS], tiles = 0, seen = 0, slot = 0;
	uint8_t *is_seen = SW_NEW_ZERO(arena, uint8_t, holding->devices);
	sw_region region;

	if (is_seen == NULL)
		return false;
	for (int64_t d = 0; d < holding->devices; d++) {
		if (!sw_holding_defined(holding, d))
			continue;
		if (!sw_holding_region(holding, d, arena, &region))
			return false;
		if (!tile_of(&region, begin, size))
			return true;
		tiles = seen == 0 ? cut_by(holding, size, end->cuts) : tiles;
		int64_t number = tiles > 0 ? number_of(holding, end->cuts, begin, size) : -1;
		if (number < 0)
			return true;
		place[slot++] = number;
		seen += !is_seen[number];
		is_seen[number] = 1;
	}
	end->tiles = tiles == seen ? tiles : 0;
	return true;
}

/* ---- what device_put does ---- */

static bool is_same_cut(const sw_meshes_advice *advice, int rank)
{
	for (int i = 0; i < rank; i++)
		if (advice->end[0].cuts[i] != advice->end[1].cuts[i])
			return false;
	return advice->end[0].tiles > 0 && advice->end[1].tiles > 0;
}

/* Can the devices of one end have the tiles of the other? */
static bool fits(const sw_meshes_end *tiles, const sw_meshes_end *devices)
{
	return tiles->tiles > 0 && devices->devices % tiles->tiles == 0;
}

static sw_meshes_way way_of(const sw_meshes_advice *advice, int rank)
{
	const sw_meshes_end *end = advice->end;

	if (end[0].devices == 1 || is_same_cut(advice, rank))
		return SW_MESHES_PUT;
	if (fits(&end[1], &end[0]))
		return SW_MESHES_BEFORE;
	return fits(&end[0], &end[1]) ? SW_MESHES_BEHIND : SW_MESHES_HOST;
}

/* ---- what the jit does that changes tiles ---- */

/* The tiling of a mesh that has its devices in their order. */
static void tiling_in_order(sw_order_room *room, int rank, const int64_t *tiles, int64_t devices, sw_tiling *out)
{
	sw_order order;

	sw_order_identity(devices, &order);
	sw_tiling_make(room, rank, tiles, &order, out);
}

/* The tiling of an end whose devices have the tiles of `place`.  false: some tiles have more copies than others, or no memory. */
static bool tiling_of_end(sw_order_room *room, int rank, const sw_meshes_end *end, const int64_t *place,
	sw_tiling *out)
{
	int64_t copies = end->devices / end->tiles, *list = SW_NEW(room->arena, int64_t, end->devices);
	int64_t *used = SW_NEW_ZERO(room->arena, int64_t, end->tiles);
	sw_order order;

	room->failed = room->failed || list == NULL || used == NULL;
	for (int64_t s = 0; s < end->devices && !room->failed; s++) {
		if (used[place[s]] == copies)
			return false;
		list[place[s] * copies + used[place[s]]++] = s;
	}
	if (room->failed)
		return false;
	sw_order_of_list(room, list, end->devices, &order);
	sw_tiling_make(room, rank, end->cuts, &order, out);
	return true;
}

typedef struct jitting {
	sw_order_room room;
	sw_arena *arena;
	const sw_type *array;
	int64_t devices;
	const sw_tiling *from, *to;
	sw_meshes_advice *advice;
	sw_xla_plan *plan;
	int64_t tried;
	int64_t tiles[SW_MAX_DIMS];
} jitting;

enum { STOPS_TRIED = 2000 };

/* false: it warns, or is not known. */
static bool goes(jitting *j, const sw_tiling *from, const sw_tiling *to)
{
	sw_xla_reshard_tilings(&j->room, j->array->global, from, to, j->plan);
	return j->plan->complete && !j->plan->crashes && !j->plan->rematerializes;
}

static void try_stop(jitting *j)
{
	sw_arena_mark mark = sw_arena_here(j->arena);
	sw_tiling stop;
	double received = 0;

	j->tried++;
	tiling_in_order(&j->room, j->array->rank, j->tiles, j->devices, &stop);
	bool ok = goes(j, j->from, &stop);
	received = j->plan->received;
	ok = ok && goes(j, &stop, j->to);
	received += j->plan->received;
	if (ok && (!j->advice->jit.stops || received < j->advice->jit.received)) {
		j->advice->jit.stops = true;
		j->advice->jit.received = received;
		memcpy(j->advice->jit.cuts, j->tiles, sizeof j->tiles);
	}
	sw_arena_back(j->arena, mark);
}

/* All tiles whose number divides that of the devices, and that divide the array, as JAX wants it. */
static void try_stops(jitting *j, int dim, int64_t left)
{
	if (dim == j->array->rank) {
		try_stop(j);
		return;
	}
	for (int64_t cuts = 1; cuts <= left && j->tried < STOPS_TRIED && !j->room.failed; cuts++) {
		if (left % cuts != 0 || j->array->global[dim] % cuts != 0)
			continue;
		j->tiles[dim] = cuts;
		try_stops(j, dim + 1, left / cuts);
	}
}

/* The devices of one end, which have its own tiles; those of the other end are on a mesh that the lines make of them. */
static bool ask_jit(const sw_problem *problem, sw_arena *arena, int64_t *const place[2], sw_meshes_advice *advice)
{
	jitting j = {.room = {.arena = arena}, .arena = arena, .array = &problem->from, .advice = advice};
	sw_tiling from, to;

	int own = advice->way == SW_MESHES_BEHIND;
	if ((advice->way != SW_MESHES_BEFORE && !own) || advice->end[own].tiles == 0)
		return true;
	j.devices = advice->end[own].devices;
	j.plan = SW_NEW(arena, sw_xla_plan, 1);
	if (j.plan == NULL)
		return false;
	tiling_in_order(&j.room, problem->from.rank, advice->end[0].cuts, j.devices, &from);
	tiling_in_order(&j.room, problem->from.rank, advice->end[1].cuts, j.devices, &to);
	if (!tiling_of_end(&j.room, problem->from.rank, &advice->end[own], place[own], own ? &to : &from))
		return !j.room.failed;
	j.from = &from;
	j.to = &to;
	goes(&j, &from, &to);
	advice->jit.known = j.plan->complete && !j.plan->crashes && !j.room.too_large;
	advice->jit.warns = j.plan->rematerializes;
	advice->jit.received = j.plan->received;
	if (advice->jit.known && advice->jit.warns)
		try_stops(&j, 0, j.devices);
	return !j.room.failed;
}

/* -1: more than 64 bits count. */
static int64_t whole_of(const sw_type *type)
{
	int64_t whole = 1;

	for (int i = 0; i < type->rank; i++)
		if (!sw_mul(whole, type->global[i], &whole))
			return -1;
	return whole;
}

bool sw_advise_meshes(const sw_problem *problem, sw_arena *arena, sw_meshes_advice *advice, sw_diag *diag)
{
	const sw_between *between = sw_between_of(problem, arena, diag);
	int64_t taken, *place[2] = {NULL, NULL};

	assert(sw_advise_between_meshes(problem));
	*advice = (sw_meshes_advice){.common = 0};
	if (between == NULL || !sw_between_complete(between, diag))
		return false;
	advice->common = count_common(&between->end[0], &between->end[1]);
	advice->whole = whole_of(&problem->from);
	bool done = sw_between_taken(between, SW_SENDER_NEAREST, &taken, &advice->received);
	for (int k = 0; done && k < 2; k++) {
		advice->end[k].devices = count_defined(&between->end[k]);
		advice->end[k].most = sw_between_most(between, k);
		place[k] = SW_NEW(arena, int64_t, between->end[k].devices);
		done = place[k] != NULL && advice->end[k].most >= 0 &&
			(between->end[k].terms > 1 || find_tiles(&between->end[k], arena, &advice->end[k], place[k]));
	}
	advice->way = way_of(advice, problem->from.rank);
	return (done && ask_jit(problem, arena, place, advice)) || sw_diag_memory(diag);
}
