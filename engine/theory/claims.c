/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims about types and sequences of them: sections 3 and 4 of seed 000, and lemma 5.1.
 */
#include "theory/claims.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "theory/low.h"

sw_outcome sw_refute(sw_try *work, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(work->why, TRY_WHY, format, arguments);
	va_end(arguments);
	return SW_REFUTES;
}

sw_outcome sw_claim_memory(sw_try *work)
{
	sw_diag_memory(work->diag);
	return SW_FAILS;
}

/* ---- offsets ---- */

/* The number of the tile at an offset, -1 where none of the type's tiles begins there. */
static int64_t offsets_tile(const sw_case_mesh *mesh, const sw_case_type *type, const int64_t *offset)
{
	int64_t number = 0;
	for (int d = 0; d < mesh->rank; d++) {
		int64_t tile = sw_case_tile(mesh, type, d);
		if (offset[d] < 0 || offset[d] >= mesh->global[d] || offset[d] % tile != 0)
			return -1;
		number = number * (mesh->global[d] / tile) + offset[d] / tile;
	}
	return number;
}

/* Every base offset is one of the grid, and each of the grid is on as many devices as every other. */
sw_outcome sw_claim_offsets(const sw_case *one, sw_try *work)
{
	const sw_case_mesh *mesh = &one->mesh;
	int64_t devices = sw_case_devices(mesh), tiles = 1, held[CASE_DEVICES] = {0};
	sw_mesh made;
	sw_type type;
	int64_t *map = SW_NEW(work->arena, int64_t, devices * mesh->rank);
	if (!map)
		return sw_claim_memory(work);
	if (!sw_case_mesh_make(mesh, &made, work->diag) ||
		!sw_case_type_make(mesh, &made, &one->type[0], &type, work->diag))
		return SW_FAILS;
	sw_plan plan = {.problem = {.mesh = made, .from = type, .to = type}};
	if (!sw_plan_room(&plan, 0, work->arena))
		return sw_claim_memory(work);
	if (!sw_plan_map(&plan, 0, map, work->diag))
		return SW_FAILS;
	for (int d = 0; d < mesh->rank; d++)
		tiles *= mesh->global[d] / sw_case_tile(mesh, &one->type[0], d);
	for (int64_t d = 0; d < devices; d++) {
		int64_t tile = offsets_tile(mesh, &one->type[0], map + d * mesh->rank);
		if (tile < 0)
			return sw_refute(work, "device %lld begins at no multiple of the tile", (long long)d);
		held[tile]++;
	}
	for (int64_t t = 0; t < tiles; t++)
		if (held[t] != devices / tiles)
			return sw_refute(work, "tile %lld is held by %lld devices, not by %lld", (long long)t, (long long)held[t],
				(long long)(devices / tiles));
	return SW_HOLDS;
}

/* ---- the permutation between two maps ---- */

/* How many devices the cycles of a bijection hold together: all, if it is one. */
static int64_t permutation_cycles(const int64_t *source, int64_t devices)
{
	bool seen[CASE_DEVICES] = {false};
	int64_t held = 0;
	for (int64_t d = 0; d < devices; d++)
		for (int64_t at = d; !seen[at]; at = source[at]) {
			seen[at] = true;
			held++;
		}
	return held;
}

sw_outcome sw_claim_permutation(const sw_case *one, sw_try *work)
{
	const sw_case_mesh *mesh = &one->mesh;
	int64_t have[CASE_DEVICES * CASE_DIMS], want[CASE_DEVICES * CASE_DIMS], source[CASE_DEVICES];
	sw_low *low = SW_NEW(work->arena, sw_low, 1);
	bool right;
	if (!low)
		return sw_claim_memory(work);
	if (!sw_low_start(low, mesh, &one->type[0], work->arena, work->diag))
		return SW_FAILS;
	sw_low_map(low, have);
	for (int64_t d = 0; d < low->devices; d++)
		sw_case_offset(mesh, &one->type[1], d, want + d * mesh->rank);
	if (!sw_low_match(mesh, have, want, source))
		return sw_refute(work, "no permutation of the devices turns one map into the other");
	if (permutation_cycles(source, low->devices) != low->devices)
		return sw_refute(work, "the cycles of the permutation leave devices out");
	if (!sw_low_permute(low, source, work->diag) || !sw_low_execute(low, 1, &one->type[1], &right, work->diag))
		return SW_FAILS;
	return right ? SW_HOLDS : sw_refute(work, "the permuted tiles are not those of the second type");
}

/* ---- sequences ---- */

sw_outcome sw_claim_executed(const sw_case *one, const sw_case *built, sw_try *work)
{
	bool right;
	if (one->count > 1 && (!sw_case_execute(one, work->arena, &right, work->diag)))
		return SW_FAILS;
	if (one->count > 1 && !right)
		return sw_refute(work, "the drawn steps do not lead to their last type");
	if (!sw_case_execute(built, work->arena, &right, work->diag))
		return SW_FAILS;
	return right ? SW_HOLDS : sw_refute(work, "what was built does not lead to the same tiles");
}

sw_outcome sw_claim_way(const sw_case *one, const sw_case_form *form, int64_t height, const char *promise,
	sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_case *built = SW_NEW(work->arena, sw_case, 1);
	if (!space || !built)
		return sw_claim_memory(work);
	if (!sw_case_way(space, &one->type[0], &one->type[one->count - 1], form, PRICE_STEPS, height, built))
		return sw_refute(work, "no %s of whole axes leads there with tiles of at most %lld", promise,
			(long long)height);
	return sw_claim_executed(one, built, work);
}

/* At most three steps of any kind. */
sw_outcome sw_claim_peak(const sw_case *one, sw_try *work)
{
	static const sw_case_form three = {.next = {{2, 2, 2, 2}, {3, 3, 3, 3}, {4, 4, 4, 4}, {0}}, .ends = 15};
	return sw_claim_way(one, &three, sw_case_ends(one), "sequence of up to three steps", work);
}

/* Up to two steps that keep the size, at most one of them an alltoall, and the gather last or the slice first.  Phases
 * 0 to 3: nothing yet; one permute; one alltoall; two steps. */
sw_outcome sw_claim_edge(const sw_case *one, sw_try *work)
{
	static const sw_case_form rising = {.next = {{0, 5, 3, 2}, {0, 5, 4, 4}, {0, 5, 0, 4}, {0, 5, 0, 0}, {0}},
		.ends = 1 << 4};
	static const sw_case_form falling = {.next = {{2, 0, 0, 0}, {0, 0, 4, 3}, {0, 0, 5, 5}, {0, 0, 0, 5}, {0}},
		.ends = 30};
	bool rises = sw_case_size(&one->mesh, &one->type[0]) < sw_case_size(&one->mesh, &one->type[1]);
	return sw_claim_way(one, rises ? &rising : &falling, sw_case_ends(one),
		rises ? "sequence with its allgather last" : "sequence with its dynslice first", work);
}

sw_outcome sw_claim_normal_form(const sw_case *one, sw_try *work)
{
	return sw_claim_way(one, &sw_form_normal, sw_case_ends(one), "normal form", work);
}

/* Two types, and any sequence between them. */
sw_outcome sw_claim_height(const sw_case *one, sw_try *work)
{
	const sw_case_space *space = sw_case_space_of(&one->mesh, work->arena);
	sw_case *built = SW_NEW(work->arena, sw_case, 1);
	int64_t most = sw_case_ends(one);
	bool right;
	if (!space || !built)
		return sw_claim_memory(work);
	if (!sw_case_way(space, &one->type[0], &one->type[1], &sw_form_any, PRICE_STEPS, most, built)) {
		for (int64_t height = most;
			 sw_case_way(space, &one->type[0], &one->type[1], &sw_form_any, PRICE_STEPS, height, built) == false;
			 height++)
			most = height + 1;
		return sw_refute(work,
			"the ends have tiles of at most %lld, and whole axes lead from one to the other only over %lld",
			(long long)sw_case_ends(one), (long long)most);
	}
	if (!sw_case_execute(built, work->arena, &right, work->diag))
		return SW_FAILS;
	return right ? SW_HOLDS : sw_refute(work, "what was built does not lead to the same tiles");
}
