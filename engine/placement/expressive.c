/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each hierarchy can say: theorem 3.2 of seed 001, tried.
 *
 * Programs are looked for on the devices themselves, state by state.  A step is a set of groups and an operation; the same
 * groups of two hierarchies are one set.
 */
#include <shardwalk/reduction.h>

#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "base/room.h"

#define MOST_STEPS 8
#define MOST_SETS 1024

/* Groups of devices, as one instruction of some hierarchy makes them. */
struct group_set {
	int64_t grouped, size;
	int32_t *list;   /* in the order of the digits: the first is the root */
	int32_t *sorted; /* members of each group ascending, which is what tells sets apart */
};

struct program {
	uint16_t step[MOST_STEPS]; /* set * operations + operation + 1, 0 after the last */
};

struct edge {
	int from, to;
	uint16_t step;
};

struct finder {
	sw_arena *arena;
	int devices;
	int sets;
	struct group_set set[MOST_SETS];
	/* of the hierarchy that is looked at */
	bool allowed[MOST_SETS][SW_CHUNK_OPS];
	sw_pieces held;
	sw_arena *steps; /* what devices have after one step, until the next */
	sw_keys keys;
	struct edge *edge;
	int edges, edge_room, goal;
	int *first, *distance;
	struct program *program, now;
	int programs, program_room;
};

/* ---- sets of groups ---- */

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static int32_t *sorted_members(struct finder *finder, const struct group_set *set)
{
	int32_t *sorted = SW_NEW(finder->arena, int32_t, set->grouped);

	if (sorted == NULL)
		return NULL;
	memcpy(sorted, set->list, sizeof *sorted * (size_t)set->grouped);
	for (int64_t n = 0; n < set->grouped; n += set->size)
		qsort(sorted + n, (size_t)set->size, sizeof *sorted, by_number);
	return sorted;
}

/* The number of the set, a new one where it was not seen; -1: no memory, or too many. */
static int number_of_set(struct finder *finder, const sw_hierarchy *hierarchy, const sw_group_name *name)
{
	struct group_set set;
	int s = 0;

	set.list = sw_named_members(hierarchy, name, finder->arena, &set.grouped, &set.size);
	set.sorted = set.list ? sorted_members(finder, &set) : NULL;
	if (set.sorted == NULL)
		return -1;
	size_t bytes = sizeof *set.sorted * (size_t)set.grouped;
	while (s < finder->sets &&
		!(finder->set[s].grouped == set.grouped && finder->set[s].size == set.size &&
			memcmp(finder->set[s].sorted, set.sorted, bytes) == 0))
		s++;
	if (s == MOST_SETS)
		return -1;
	if (s == finder->sets) {
		SW_ROOM(finder->set, finder->sets);
		finder->set[finder->sets++] = set;
	}
	return s;
}

static bool allow(struct finder *finder, const sw_hierarchy *hierarchy, sw_group_form form, int slice, int ancestor,
	int ops)
{
	const sw_group_name name = {form, slice, ancestor, NULL};
	int set = number_of_set(finder, hierarchy, &name);

	for (int op = 0; set >= 0 && op < ops; op++)
		finder->allowed[set][op] = finder->set[set].size > 1;
	return set >= 0;
}

static bool allow_instructions(struct finder *finder, const sw_hierarchy *hierarchy, bool all_masters)
{
	int masters = all_masters ? SW_CHUNK_OPS : 1;

	memset(finder->allowed, 0, sizeof finder->allowed);
	for (int slice = 0; slice <= hierarchy->count; slice++) {
		if (!allow(finder, hierarchy, SW_FORM_INSIDE, slice, 0, SW_CHUNK_OPS))
			return false;
		for (int ancestor = 0; ancestor < slice; ancestor++)
			if (!allow(finder, hierarchy, SW_FORM_ACROSS, slice, ancestor, SW_CHUNK_OPS) ||
				!allow(finder, hierarchy, SW_FORM_MASTERS, slice, ancestor, masters))
				return false;
	}
	return true;
}

/* ---- states ---- */

static size_t state_bytes(const struct finder *finder)
{
	return sizeof(uint64_t) * (size_t)finder->devices * (size_t)finder->devices;
}

/* Every device has, of every chunk, the shares of the devices that differ from it along summed axes only. */
static void make_goal(struct finder *finder, const sw_placement *placement, uint32_t summed, uint64_t *bits)
{
	for (int64_t d = 0; d < finder->devices; d++) {
		uint64_t wanted = 0;

		for (int64_t e = 0; e < finder->devices; e++) {
			bool same = true;

			for (int i = 0; i < placement->axes; i++)
				same = same &&
					((summed >> i & 1) ||
						sw_placement_coordinate(placement, d, i) == sw_placement_coordinate(placement, e, i));
			wanted |= (uint64_t)same << e;
		}
		for (int c = 0; c < finder->devices; c++)
			bits[d * finder->devices + c] = wanted;
	}
}

/* What devices have, as bits; and the other way round, false where memory is short. */
static void get_state(const struct finder *finder, uint64_t *bits)
{
	for (int64_t d = 0; d < finder->devices; d++)
		sw_pieces_get(&finder->held, d, bits + d * finder->devices);
}

static bool put_state(const struct finder *finder, const uint64_t *bits)
{
	bool put = true;

	for (int64_t d = 0; put && d < finder->devices; d++)
		put = sw_pieces_put(&finder->held, d, bits + d * finder->devices);
	return put;
}

/* No device knows of another that it is not to be summed with: else nothing leads to the goal. */
static bool may_lead(const struct finder *finder, const uint64_t *state, const uint64_t *goal)
{
	for (int64_t i = 0; i < (int64_t)finder->devices * finder->devices; i++)
		if (state[i] & ~goal[i])
			return false;
	return true;
}

/* The number of the state that a step leads to; -1: none, or none that leads to the goal; -2: no memory. */
static int try_step(struct finder *finder, const struct group_set *set, sw_op op, uint64_t *state,
	const uint64_t *goal)
{
	sw_breach breach;

	if (!sw_pieces_step(&finder->held, op, set->list, set->grouped, set->size, &breach))
		return -2;
	if (breach.premise != SW_PREMISE_HOLDS)
		return -1;
	get_state(finder, state);
	if (!may_lead(finder, state, goal))
		return -1;
	int to = sw_keys_add(&finder->keys, (const uint8_t *)state);
	return to < 0 ? -2 : to;
}

static bool expand(struct finder *finder, int from, const uint64_t *goal)
{
	sw_arena_mark begun = sw_arena_here(finder->steps);
	uint64_t *state = SW_NEW(finder->steps, uint64_t, (size_t)finder->devices * (size_t)finder->devices);
	const sw_pieces_list *before[SW_MAX_EXPRESSIVE];
	bool done = state != NULL;

	if (done) {
		memcpy(state, sw_keys_at(&finder->keys, from), state_bytes(finder));
		done = put_state(finder, state);
		memcpy(before, finder->held.list, sizeof *before * (size_t)finder->devices);
	}
	for (int s = 0; s < finder->sets; s++)
		for (int op = 0; done && op < SW_CHUNK_OPS; op++) {
			if (!finder->allowed[s][op])
				continue;
			sw_arena_mark mark = sw_arena_here(finder->steps);
			int to = try_step(finder, &finder->set[s], sw_chunk_ops[op], state, goal);

			memcpy(finder->held.list, before, sizeof *before * (size_t)finder->devices);
			sw_arena_back(finder->steps, mark);
			done = to != -2 && SW_GROW(finder->arena, finder->edge, finder->edges, finder->edge_room, 256);
			if (done && to >= 0)
				finder->edge[finder->edges++] = (struct edge){from, to, (uint16_t)(s * SW_CHUNK_OPS + op + 1)};
		}
	sw_arena_back(finder->steps, begun);
	return done;
}

static bool measure(struct finder *finder)
{
	int edge = 0, count = finder->keys.count;
	bool changed = true;

	finder->first = SW_NEW(finder->arena, int, count + 1);
	finder->distance = SW_NEW(finder->arena, int, count);
	if (finder->first == NULL || finder->distance == NULL)
		return false;
	for (int i = 0; i <= count; i++) {
		while (edge < finder->edges && finder->edge[edge].from < i)
			edge++;
		finder->first[i] = edge;
		if (i < count)
			finder->distance[i] = i == finder->goal ? 0 : MOST_STEPS + 1;
	}
	while (changed) {
		changed = false;
		for (int e = finder->edges - 1; e >= 0; e--)
			if (finder->distance[finder->edge[e].to] + 1 < finder->distance[finder->edge[e].from]) {
				finder->distance[finder->edge[e].from] = finder->distance[finder->edge[e].to] + 1;
				changed = true;
			}
	}
	return true;
}

/* ---- programs ---- */

static bool list_from(struct finder *finder, int at, int depth, int limit)
{
	if (at == finder->goal) {
		if (!SW_GROW(finder->arena, finder->program, finder->programs, finder->program_room, 256))
			return false;
		finder->program[finder->programs++] = finder->now;
		return true;
	}
	for (int e = finder->first[at]; e < finder->first[at + 1]; e++) {
		if (depth + 1 + finder->distance[finder->edge[e].to] > limit)
			continue;
		finder->now.step[depth] = finder->edge[e].step;
		if (!list_from(finder, finder->edge[e].to, depth + 1, limit))
			return false;
		finder->now.step[depth] = 0;
	}
	return true;
}

static int by_steps(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct program));
}

static bool explore(struct finder *finder, const sw_placement *placement, uint32_t summed, int limit)
{
	uint64_t *goal = SW_NEW(finder->arena, uint64_t, (size_t)finder->devices * (size_t)finder->devices);
	uint64_t *start = SW_NEW(finder->arena, uint64_t, (size_t)finder->devices * (size_t)finder->devices);
	bool done;

	if (goal == NULL || start == NULL ||
		!sw_pieces_start(&finder->held, finder->devices, finder->devices, finder->devices, NULL, finder->steps, NULL))
		return false;
	make_goal(finder, placement, summed, goal);
	get_state(finder, start);
	sw_keys_add(&finder->keys, (const uint8_t *)start);
	finder->goal = sw_keys_add(&finder->keys, (const uint8_t *)goal);
	done = finder->goal >= 0;
	for (int at = 0; done && at < finder->keys.count; at++)
		done = expand(finder, at, goal);
	return done && measure(finder) && list_from(finder, 0, 0, limit);
}

static bool find_programs(struct finder *finder, const sw_placed_sum *sum, bool all_masters, int limit)
{
	sw_hierarchy *hierarchy = SW_NEW(finder->arena, sw_hierarchy, 1);
	bool found;

	if (hierarchy == NULL || !sw_keys_init(&finder->keys, (int)sizeof(uint64_t) * finder->devices * finder->devices))
		return false;
	sw_hierarchy_make(sum->placement, sum->kind, sum->summed, false, hierarchy);
	finder->edges = finder->edge_room = finder->programs = finder->program_room = 0;
	finder->edge = NULL;
	finder->program = NULL;
	memset(&finder->now, 0, sizeof finder->now);
	finder->steps = sw_arena_new();
	found = finder->steps != NULL && allow_instructions(finder, hierarchy, all_masters) &&
		explore(finder, sum->placement, sum->summed, limit);
	sw_arena_free(finder->steps);
	sw_keys_free(&finder->keys);
	if (found && finder->programs > 0)
		qsort(finder->program, (size_t)finder->programs, sizeof *finder->program, by_steps);
	return found;
}

static bool is_subset(const struct program *part, int64_t count, const struct program *whole, int64_t whole_count)
{
	for (int64_t i = 0; i < count; i++)
		if (whole_count == 0 || bsearch(&part[i], whole, (size_t)whole_count, sizeof *whole, by_steps) == NULL)
			return false;
	return true;
}

static struct finder *new_finder(const sw_placement *placement, int limit, sw_arena *arena, sw_diag *diag)
{
	struct finder *finder;
	int64_t devices = 1;

	for (int i = 0; i < placement->axes; i++)
		for (int j = 0; j < placement->levels; j++)
			devices *= placement->factor[i][j];
	if (devices > SW_MAX_EXPRESSIVE || limit < 1 || limit > MOST_STEPS) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"hierarchies are compared on at most %d devices, for 1 to %d steps", SW_MAX_EXPRESSIVE, MOST_STEPS);
		return NULL;
	}
	finder = SW_NEW_ZERO(arena, struct finder, 1);
	if (finder == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	finder->arena = arena;
	finder->devices = (int)devices;
	return finder;
}

bool sw_expressive_uses(const sw_placed_sum *sum, int limit, const sw_group_name *name, int count, sw_arena *arena,
	bool *used, sw_diag *diag)
{
	struct finder *finder = new_finder(sum->placement, limit, arena, diag);
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	bool *of_use = SW_NEW_ZERO(arena, bool, MOST_SETS);

	if (finder == NULL)
		return false;
	if (hierarchy == NULL || of_use == NULL || !find_programs(finder, sum, false, limit))
		return sw_diag_memory(diag);
	for (int p = 0; p < finder->programs; p++)
		for (int k = 0; k < MOST_STEPS && finder->program[p].step[k]; k++)
			of_use[(finder->program[p].step[k] - 1) / SW_CHUNK_OPS] = true;
	sw_hierarchy_make(sum->placement, sum->kind, sum->summed, false, hierarchy);
	for (int i = 0; i < count; i++) {
		int set = number_of_set(finder, hierarchy, &name[i]);

		if (set < 0)
			return sw_diag_memory(diag);
		used[i] = of_use[set];
	}
	return true;
}

bool sw_expressive_compare(const sw_placement *placement, uint32_t summed, bool all_masters, int limit,
	sw_arena *arena, sw_expressive *expressive, sw_diag *diag)
{
	struct finder *finder = new_finder(placement, limit, arena, diag);
	struct program *programs[SW_HIERARCHY_COUNT];

	if (finder == NULL)
		return false;
	for (int kind = 0; kind < SW_HIERARCHY_COUNT; kind++) {
		const sw_placed_sum sum = {placement, summed, (sw_hierarchy_kind)kind};

		if (!find_programs(finder, &sum, all_masters, limit))
			return sw_diag_memory(diag);
		programs[kind] = finder->program;
		expressive->programs[kind] = finder->programs;
	}
	for (int a = 0; a < SW_HIERARCHY_COUNT; a++)
		for (int b = 0; b < SW_HIERARCHY_COUNT; b++)
			expressive->includes[a][b] = is_subset(programs[b], expressive->programs[b], programs[a],
				expressive->programs[a]);
	return true;
}
