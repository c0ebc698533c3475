/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DTensor's search: Dijkstra's algorithm over the placements of the mesh dimensions and their shard orders.
 *
 * An edge changes one mesh dimension.  The order in which edges are made decides between paths of equal time, and
 * times are sums of doubles: both are as in the original.
 */
#include "peers/dtensor_redistribute.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/keys.h"
#include "base/resize.h"

/* Paths that wait; the original has no limit but takes minutes for as many. */
#define MOST_ENTRIES (1 << 22)

/* DTensor's model of a link, in microseconds and GiB a second.  On CPU, where the record was made, it takes every
 * device for a host of its own. */
static const struct {
	double latency, bandwidth;
} within_host = {0.6, 87.7}, between_hosts = {2.7, 87.7 * 0.22};
static const double base_latency = 6.6, alltoall_penalty = 1.0;

/* A path: its last state, the time until there, and the path without its last edge.  Its number is its age. */
struct entry {
	double time;
	int32_t state, before;
};

#define BEAT_EDGES 16384 /* between two beats of the pulse: a state of many axes and dimensions has hundreds */

struct search {
	const sw_mesh *mesh;
	int64_t edges, beaten; /* edges tried; those at the last beat of the pulse */
	int rank, axes;
	double bytes; /* of the array */
	double latency[SW_MAX_AXES], bandwidth[SW_MAX_AXES];
	sw_dtensor_plan *plan;
	sw_keys states; /* placements of the axes */
	bool *settled;  /* of each state */
	int32_t room;
	struct entry *entries;
	int32_t made, entry_room;
	sw_heap queue; /* of entries */
	bool sums;     /* an end has sums: only then are there edges to them */
};

/* ---- states ---- */

static const sw_placement *state_at(const struct search *s, int state)
{
	return (const sw_placement *)sw_keys_at(&s->states, state);
}

/* The number of a state, which is new or not; -1: out of memory. */
static int number_of(struct search *s, const sw_placement *placements)
{
	int32_t count = s->states.count, n = sw_keys_add(&s->states, (const uint8_t *)placements);
	int32_t room = s->room == 0 ? 256 : 2 * s->room;

	if (n < count)
		return n;
	if (n == s->room) {
		if (!sw_resize(&s->settled, room, sizeof *s->settled))
			return -1;
		s->room = room;
	}
	s->settled[n] = false;
	return n;
}

/* ---- the queue: the shortest time first, among equal ones the oldest path ---- */

static bool add_entry(struct search *s, int state, int before, double time)
{
	int32_t room = s->entry_room == 0 ? 256 : 2 * s->entry_room;
	int64_t priority; /* numbers that are not negative stand in the order of their bits */

	if (s->made == s->entry_room) {
		if (!sw_resize(&s->entries, room, sizeof *s->entries))
			return false;
		s->entry_room = room;
	}
	memcpy(&priority, &time, sizeof priority);
	s->entries[s->made] = (struct entry){time, state, before};
	return sw_heap_put(&s->queue, s->made++, priority, 0);
}

static bool push(struct search *s, int state, int before, double time)
{
	if (s->made == MOST_ENTRIES)
		s->plan->end = SW_DTENSOR_TOO_LARGE;
	else if (!add_entry(s, state, before, time))
		s->plan->end = SW_DTENSOR_MEMORY;
	return s->plan->end == SW_DTENSOR_DONE;
}

/* ---- the model of time ---- */

static void set_links(struct search *s)
{
	int64_t devices = 1;

	for (int m = s->axes - 1; m >= 0; m--) {
		devices *= s->mesh->axis[m].size;
		s->latency[m] = devices > 1 ? between_hosts.latency : within_host.latency;
		s->bandwidth[m] = devices > 1 ? between_hosts.bandwidth : within_host.bandwidth;
	}
}

/* Rounded: the compiler may not fuse the product with a sum. */
static double product(double a, double b)
{
	volatile double rounded = a * b;

	return rounded;
}

/* Microseconds for so many hops around a ring in which every device has so many GiB, in the end or in the beginning. */
static double hops_time(const struct search *s, int axis, double gib, double hops)
{
	double size = (double)s->mesh->axis[axis].size;
	double latency = base_latency + product(hops, s->latency[axis]);
	double seconds = product(gib, hops) / size / s->bandwidth[axis];

	return latency + product(seconds, 1e6);
}

static double ring_time(const struct search *s, int axis, double gib)
{
	return hops_time(s, axis, gib, (double)s->mesh->axis[axis].size - 1);
}

static double allreduce_time(const struct search *s, int axis, double gib)
{
	return hops_time(s, axis, gib, 2 * ((double)s->mesh->axis[axis].size - 1));
}

/* GiB of the array on every device. */
static double local_gib(const struct search *s, const sw_placement *placements)
{
	double shards = 1;

	for (int m = 0; m < s->axes; m++)
		if (placements[m].dim >= 0)
			shards *= (double)s->mesh->axis[m].size;
	return s->bytes / shards / 1024 / 1024 / 1024;
}

/* ---- edges ---- */

/* How many mesh dimensions shard each dimension, and which is the last of them. */
struct tails {
	int count[SW_MAX_DIMS], last[SW_MAX_DIMS];
};

static struct tails tails_of(const struct search *s, const sw_placement *placements)
{
	struct tails t = {{0}, {0}};

	for (int m = 0; m < s->axes; m++) {
		int dim = placements[m].dim;

		if (dim < 0)
			continue;
		if (t.count[dim] == 0 || placements[m].order > placements[t.last[dim]].order)
			t.last[dim] = m;
		t.count[dim]++;
	}
	return t;
}

/* The path goes on with a mesh dimension placed anew, unless it leads back. */
static bool extend(struct search *s, int path, sw_placement *placements, int axis, sw_placement to, double time)
{
	sw_placement kept = placements[axis];
	int state;

	s->edges++;
	placements[axis] = to;
	state = number_of(s, placements);
	placements[axis] = kept;
	if (state < 0) {
		s->plan->end = SW_DTENSOR_MEMORY;
		return false;
	}
	return s->settled[state] || push(s, state, path, s->entries[path].time + time);
}

static bool extend_by_alltoalls(struct search *s, int path, sw_placement *now, const struct tails *t, double gib)
{
	for (int from = 0; from < s->rank; from++)
		for (int to = 0; t->count[from] > 0 && to < s->rank; to++)
			if (to != from &&
				!extend(s, path, now, t->last[from], (sw_placement){(int8_t)to, (uint8_t)t->count[to]},
					ring_time(s, t->last[from], gib) + alltoall_penalty))
				return false;
	return true;
}

static bool extend_by_gathers(struct search *s, int path, sw_placement *now, const struct tails *t, double gib)
{
	for (int from = 0; from < s->rank; from++) {
		int axis = t->last[from];

		if (t->count[from] > 0 &&
			!extend(s, path, now, axis, (sw_placement){SW_DTENSOR_REPLICATE, 0},
				ring_time(s, axis, gib * (double)s->mesh->axis[axis].size)))
			return false;
	}
	return true;
}

static bool extend_by_allreduces(struct search *s, int path, sw_placement *now, double gib)
{
	for (int m = 0; m < s->axes; m++)
		if (now[m].dim == SW_DTENSOR_PARTIAL &&
			!extend(s, path, now, m, (sw_placement){SW_DTENSOR_REPLICATE, 0}, allreduce_time(s, m, gib)))
			return false;
	return true;
}

/* What replicates is cut, which takes no time; or terms are summed and the sum is cut. */
static bool extend_to_shards(struct search *s, int path, sw_placement *now, const struct tails *t, int before,
	double gib)
{
	for (int m = 0; m < s->axes; m++)
		for (int to = 0; now[m].dim == before && to < s->rank; to++)
			if (!extend(s, path, now, m, (sw_placement){(int8_t)to, (uint8_t)t->count[to]},
					before == SW_DTENSOR_PARTIAL ? ring_time(s, m, gib) : 0))
				return false;
	return true;
}

static bool extend_to_sums(struct search *s, int path, sw_placement *now)
{
	for (int m = 0; m < s->axes; m++)
		if (now[m].dim == SW_DTENSOR_REPLICATE && s->sums &&
			!extend(s, path, now, m, (sw_placement){SW_DTENSOR_PARTIAL, 0}, 0))
			return false;
	return true;
}

static bool expand(struct search *s, int path)
{
	sw_placement now[SW_MAX_AXES];
	struct tails tails;
	double gib;

	memcpy(now, state_at(s, s->entries[path].state), (size_t)s->axes * sizeof *now);
	tails = tails_of(s, now);
	gib = local_gib(s, now);
	return extend_by_alltoalls(s, path, now, &tails, gib) && extend_by_gathers(s, path, now, &tails, gib) &&
		extend_by_allreduces(s, path, now, gib) &&
		extend_to_shards(s, path, now, &tails, SW_DTENSOR_REPLICATE, gib) &&
		extend_to_shards(s, path, now, &tails, SW_DTENSOR_PARTIAL, gib) && extend_to_sums(s, path, now);
}

/* ---- the search ---- */

/* The path that first reaches the goal; -1: see the plan's end. */
static int find_path(struct search *s, int goal, const sw_pulse *pulse)
{
	while (s->queue.count > 0) {
		int path = sw_heap_pop(&s->queue), state = s->entries[path].state;

		if (state == goal)
			return path;
		if (s->settled[state])
			continue;
		s->settled[state] = true;
		s->plan->settled++;
		if (s->edges - s->beaten >= BEAT_EDGES) {
			s->beaten = s->edges;
			if (!sw_pulse_beat(pulse, "states", s->plan->settled, 0)) {
				s->plan->end = SW_DTENSOR_STOPPED;
				return -1;
			}
		}
		if (!expand(s, path))
			return -1;
	}
	return -1;
}

static int changed_axis(const struct search *s, const sw_placement *before, const sw_placement *after)
{
	int m = 0;

	while (m < s->axes - 1 && before[m].dim == after[m].dim)
		m++;
	return m;
}

/* Appends the edges of a path, the first one first. */
static void record_path(struct search *s, sw_arena *arena, int path)
{
	int length = 0;
	int *paths;

	for (int at = path; s->entries[at].before >= 0; at = s->entries[at].before)
		length++;
	paths = SW_NEW(arena, int, length + 1);
	if (paths == NULL) {
		s->plan->end = SW_DTENSOR_MEMORY;
		return;
	}
	for (int k = length, at = path; k >= 0; k--, at = s->entries[at].before)
		paths[k] = at;
	for (int k = 1; k <= length; k++) {
		const sw_placement *before = state_at(s, s->entries[paths[k - 1]].state);
		const sw_placement *after = state_at(s, s->entries[paths[k]].state);
		int axis = changed_axis(s, before, after);

		if (!sw_dtensor_record(arena, s->plan, s->axes, axis, before[axis].dim, after, SW_DTENSOR_LEAST_TIME))
			return;
	}
}

void sw_dtensor_search(sw_arena *arena, const sw_problem *problem, const sw_pulse *pulse, sw_dtensor_plan *plan)
{
	struct search s = {.mesh = &problem->mesh, .rank = problem->to.rank, .axes = problem->mesh.count, .plan = plan};
	sw_placement from[SW_MAX_AXES], to[SW_MAX_AXES];
	int start, goal, path = -1;

	*plan = (sw_dtensor_plan){.searched = true, .end = SW_DTENSOR_DONE};
	s.bytes = (double)sw_type_globalsize(&problem->to) * sw_dtype_bytes(problem->to.dtype);
	set_links(&s);
	sw_dtensor_of_type(s.mesh, &problem->from, from);
	sw_dtensor_of_type(s.mesh, &problem->to, to);
	for (int m = 0; m < s.axes; m++)
		s.sums = s.sums || from[m].dim == SW_DTENSOR_PARTIAL || to[m].dim == SW_DTENSOR_PARTIAL;
	start = sw_keys_init(&s.states, s.axes * (int)sizeof(sw_placement)) ? number_of(&s, from) : -1;
	goal = start < 0 ? -1 : number_of(&s, to);
	if (goal < 0)
		plan->end = SW_DTENSOR_MEMORY;
	else if (push(&s, start, -1, 0))
		path = find_path(&s, goal, pulse);
	if (path >= 0)
		record_path(&s, arena, path);
	plan->seen = s.states.count;
	sw_keys_free(&s.states);
	sw_heap_free(&s.queue);
	free(s.settled);
	free(s.entries);
}
