/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic of a step, added up by blocks of devices.
 */
#include "views/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "views/holding.h"

#define EXCHANGE_DEVICES 4096 /* more than that many are not matched device by device */

/* The smallest block that gives at most `blocks`, of equal size where up to twice that size does. */
static int64_t block_size(int64_t devices, int blocks)
{
	int64_t least = (devices + blocks - 1) / blocks;
	for (int64_t block = least; block < 2 * least; block++)
		if (devices % block == 0)
			return block;
	return least;
}

bool traffic_new(struct traffic *traffic, int64_t devices, int blocks)
{
	int64_t block = block_size(devices, blocks);
	*traffic = (struct traffic){.devices = devices, .block = block, .blocks = (int)((devices + block - 1) / block)};
	size_t n = (size_t)traffic->blocks;
	traffic->sent = calloc(n * n, sizeof(double));
	traffic->out = calloc(n, sizeof(double));
	traffic->in = calloc(n, sizeof(double));
	return traffic->sent && traffic->out && traffic->in;
}

void traffic_free(struct traffic *traffic)
{
	free(traffic->sent);
	free(traffic->out);
	free(traffic->in);
	*traffic = (struct traffic){0};
}

/* `elements` from a device of block `from` to another device of block `to`. */
static void traffic_send(struct traffic *traffic, int from, int to, double elements)
{
	traffic->sent[(size_t)from * (size_t)traffic->blocks + (size_t)to] += elements;
	traffic->out[from] += elements;
	traffic->in[to] += elements;
	traffic->total += elements;
	if (from == to)
		traffic->inside += elements;
}

/* ---- groups ---- */

/* Every member of every group sends `piece` to every other member.  `members` counts those of a group by block. */
static void send_in_groups(struct traffic *traffic, const int32_t *list, int64_t size, double piece, int64_t *members,
	int *touched)
{
	for (int64_t begin = 0; begin + size <= traffic->devices; begin += size) {
		int count = 0;
		for (int64_t i = 0; i < size; i++) {
			int block = (int)(list[begin + i] / traffic->block);
			if (block >= 0 && block < traffic->blocks && !members[block]++)
				touched[count++] = block;
		}
		for (int a = 0; a < count; a++) {
			for (int b = 0; b < count; b++) {
				int64_t from = members[touched[a]], to = members[touched[b]] - (a == b);
				if (to > 0)
					traffic_send(traffic, touched[a], touched[b], piece * (double)from * (double)to);
			}
		}
		for (int a = 0; a < count; a++)
			members[touched[a]] = 0;
	}
}

static double size_before(const sw_plan *plan, int k)
{
	double size = 1;
	const int64_t *tile = sw_plan_tile_before(plan, k);
	for (int i = 0; i < plan->problem.from.rank; i++)
		size *= (double)tile[i];
	return size;
}

/* What a member of a group sends to each of the others. */
static double piece_of(const sw_plan *plan, int k)
{
	const sw_step *step = &plan->steps[k];
	double size = size_before(plan, k);
	return step->op == SW_ALLTOALL ? size / (double)step->group_size : size;
}

static bool send_groups(struct traffic *traffic, const sw_plan *plan, int k, const int32_t *list, sw_diag *diag)
{
	const sw_step *step = &plan->steps[k];
	if (step->group_size < 1 || !list)
		return sw_diag_set(diag, SW_P03, (sw_span){0, 0}, "step %d does not say which devices work together", k + 1);
	int64_t *members = calloc((size_t)traffic->blocks, sizeof(*members));
	int *touched = calloc((size_t)traffic->blocks, sizeof(*touched));
	if (members && touched)
		send_in_groups(traffic, list, step->group_size, piece_of(plan, k), members, touched);
	free(members);
	free(touched);
	return (members && touched) || sw_diag_memory(diag);
}

static bool add_groups(struct traffic *traffic, const sw_plan *plan, int k, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	sw_step step;
	if (!arena)
		return sw_diag_memory(diag);
	bool ok = sw_step_on_devices(plan, k, arena, &step, diag) &&
		send_groups(traffic, plan, k, step.groups ? step.groups : sw_step_groups(plan, k, arena), diag);
	sw_arena_free(arena);
	return ok;
}

/* ---- sources and maps ---- */

static bool add_sources(struct traffic *traffic, const sw_plan *plan, int k)
{
	const sw_step *step = &plan->steps[k];
	double size = size_before(plan, k);
	int64_t block = traffic->block;
	const int64_t *before = sw_plan_devices(plan, k), *after = sw_plan_devices(plan, k + 1);
	for (int64_t place = 0; place < traffic->devices; place++) {
		int64_t from = before ? before[step->source[place]] : step->source[place];
		int64_t device = after ? after[place] : place;
		if (from != device)
			traffic_send(traffic, (int)(from / block), (int)(device / block), size);
	}
	return true;
}

/* Two holdings while what goes from one to the other is added up. */
struct exchange {
	struct traffic *traffic;
	struct holding before, after;
	int64_t *holders;
};

/* How many elements of the tile at `to` lie in the tile `place` of `before`. */
static double overlap(const struct exchange *ex, const struct tile_place *place, const int64_t *to)
{
	double elements = 1;
	for (int i = 0; i < ex->before.rank; i++) {
		int64_t begin = place->position[i] * ex->before.tile[i], end = begin + ex->before.tile[i];
		begin = begin > to[i] ? begin : to[i];
		end = end < to[i] + ex->after.tile[i] ? end : to[i] + ex->after.tile[i];
		elements *= end > begin ? (double)(end - begin) : 0;
	}
	return elements;
}

/* The next tile of `before` that overlaps the tile at `to`; false after the last. */
static bool place_next(const struct exchange *ex, const int64_t *to, struct tile_place *place)
{
	for (int i = ex->before.rank - 1; i >= 0; i--) {
		int64_t last = (to[i] + ex->after.tile[i] - 1) / ex->before.tile[i];
		if (place->position[i] < last) {
			place->position[i]++;
			return true;
		}
		place->position[i] = to[i] / ex->before.tile[i];
	}
	return false;
}

/* Device `device` gets the tile `place` from one of its holders: from itself where it is one,
 * else from the one that stands among the holders where the device stands in the mesh: what the executor does. */
static void fetch(const struct exchange *ex, int64_t device, const struct tile_place *place, double elements)
{
	int64_t count, listed = holding_list(&ex->before, place, EXCHANGE_DEVICES, ex->holders, &count);
	for (int64_t i = 0; i < listed; i++)
		if (ex->holders[i] == device)
			return;
	if (listed)
		traffic_send(ex->traffic, (int)(ex->holders[device * listed / ex->traffic->devices] / ex->traffic->block),
			(int)(device / ex->traffic->block), elements);
}

static bool add_exchange(struct traffic *traffic, const sw_plan *plan, int k, sw_diag *diag)
{
	struct exchange ex = {traffic, holding_of_step(plan, k), holding_of_step(plan, k + 1), NULL};
	if (traffic->devices > EXCHANGE_DEVICES || !holding_known(&ex.before) || !holding_known(&ex.after))
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"who sends to whom in step %d is only worked out for at most %d devices", k + 1, EXCHANGE_DEVICES);
	ex.holders = malloc(EXCHANGE_DEVICES * sizeof(*ex.holders));
	if (!ex.holders)
		return sw_diag_memory(diag);
	for (int64_t device = 0; device < traffic->devices; device++) {
		int64_t to[SW_MAX_DIMS];
		struct tile_place place = {{0}};
		holding_offset(&ex.after, device, to);
		for (int i = 0; i < ex.before.rank; i++)
			place.position[i] = to[i] / ex.before.tile[i];
		do
			fetch(&ex, device, &place, overlap(&ex, &place, to));
		while (place_next(&ex, to, &place));
	}
	free(ex.holders);
	return true;
}

bool traffic_add(struct traffic *traffic, const sw_plan *plan, int k, sw_diag *diag)
{
	const sw_step *step = &plan->steps[k];
	if (step->op == SW_DYNSLICE)
		return true;
	if (step->source)
		return add_sources(traffic, plan, k);
	if (step->op == SW_ALLPERMUTE || step->op == SW_EXCHANGE)
		return add_exchange(traffic, plan, k, diag);
	return add_groups(traffic, plan, k, diag);
}

double traffic_per_device(const sw_plan *plan, int k)
{
	const sw_step *step = &plan->steps[k];
	if (step->op == SW_DYNSLICE)
		return 0;
	if (step->op == SW_ALLPERMUTE)
		return size_before(plan, k);
	if (step->op == SW_EXCHANGE || step->group_size < 1)
		return -1;
	return piece_of(plan, k) * (double)(step->group_size - 1);
}
