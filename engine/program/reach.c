/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All depends on all: devices in a row by doubling, any others as sets that grow.
 */
#include "program/reach.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#define WORK_MOST ((int64_t)1 << 24) /* families of sets that are united, before it is given up */

/* ---- lists ---- */

/* A list of devices for each device: those of d are device[first[d]] up to that of d + 1. */
typedef struct lists {
	int64_t count;
	const int64_t *first, *device;
} lists;

/* Whom each device needs in a step. */
static bool list_before(sw_relation *relation, int64_t devices, sw_arena *arena, lists *before)
{
	int32_t *list = SW_NEW(arena, int32_t, devices);
	int64_t *first = SW_NEW(arena, int64_t, devices + 1), *all = NULL;
	int count = 0, room = 0;

	for (int64_t d = 0; d < devices; d++) {
		int64_t found = list != NULL && first != NULL ? sw_relation_before(relation, d, list) : -1;
		if (found < 0)
			return false;
		first[d] = count;
		for (int64_t k = 0; k < found; k++) {
			if (!SW_GROW(arena, all, count, room, 64))
				return false;
			all[count++] = list[k];
		}
	}
	first[devices] = count;
	*before = (lists){devices, first, all};
	return true;
}

/* ---- devices in a row ---- */

/* The devices on which each depends, `from` to `to`; numbers go on around the ends of a circle. */
typedef struct row {
	int64_t from, to;
} row;

typedef struct rows {
	int64_t devices;
	bool circle;
	row *of;
} rows;

/* A list as one row, on a circle as near to `device` as may be.  false: it is none. */
static bool row_of(const int64_t *list, int64_t count, int64_t device, int64_t devices, row *found)
{
	int64_t gap = 0, best;

	for (int64_t k = 1; k < count; k++)
		if (list[k] != list[k - 1] + 1) {
			if (gap > 0)
				return false;
			gap = k;
		}
	if (count == 0 || (gap > 0 && (list[0] != 0 || list[count - 1] != devices - 1)))
		return false;
	*found = (row){gap > 0 ? list[gap] - devices : list[0], gap > 0 ? list[gap - 1] : list[count - 1]};
	best = llabs(found->from + found->to - 2 * device);
	for (int turn = -1; turn <= 1; turn += 2)
		if (llabs(found->from + found->to + 2 * turn * devices - 2 * device) < best) {
			*found = (row){found->from + turn * devices, found->to + turn * devices};
			break;
		}
	return true;
}

/* Rows that go on where their neighbours end: then what several need in a row is one, too. */
static bool go_on_together(const rows *r)
{
	for (int64_t d = 0; d + !r->circle < r->devices; d++) {
		row next = d + 1 < r->devices ? r->of[d + 1] : (row){r->of[0].from + r->devices, r->of[0].to + r->devices};
		if (next.from < r->of[d].from || next.to < r->of[d].to || next.from > r->of[d].to + 1)
			return false;
	}
	return true;
}

/* false: some list is no row. */
static bool rows_of(const lists *before, rows *r)
{
	for (int64_t d = 0; d < r->devices; d++) {
		const int64_t *list = &before->device[before->first[d]];
		if (!row_of(list, before->first[d + 1] - before->first[d], d, r->devices, &r->of[d]))
			return false;
		r->circle = r->circle || r->of[d].from < 0 || r->of[d].to >= r->devices;
	}
	return go_on_together(r);
}

/* A number of a circle as a device and whole turns. */
static int64_t turn_of(const rows *r, int64_t *device)
{
	int64_t turns = *device / r->devices - (*device % r->devices < 0);

	*device -= turns * r->devices;
	return turns * r->devices;
}

/* First the steps of `a`, then those of `b`; `all`: each depends on every device then. */
static void join_rows(const rows *a, const rows *b, rows *both, bool *all)
{
	*all = true;
	for (int64_t d = 0; d < a->devices; d++) {
		row last = b->of[d];
		int64_t from = turn_of(a, &last.from), to = turn_of(a, &last.to);
		both->of[d] = (row){a->of[last.from].from + from, a->of[last.to].to + to};
		*all = *all && both->of[d].to - both->of[d].from + 1 >= a->devices;
	}
}

#define DOUBLINGS 62

/* All numbers of steps that are powers of two up to `most`, until all depend on all, or nothing changes any more.  How many; 0: no
 * memory. */
static int double_steps(const rows *step, int64_t most, sw_arena *arena, rows level[DOUBLINGS], bool *all)
{
	int count = 1;

	level[0] = *step;
	while (count < DOUBLINGS && (int64_t)1 << count <= most && !*all) {
		const rows *last = &level[count - 1];
		level[count] = (rows){step->devices, step->circle, SW_NEW(arena, row, step->devices)};
		if (level[count].of == NULL)
			return 0;
		join_rows(last, last, &level[count], all);
		if (!*all && memcmp(last->of, level[count].of, (size_t)step->devices * sizeof *last->of) == 0)
			break;
		count++;
	}
	return count - *all;
}

/* The most steps after which not all depend on all, found power by power; -1: no memory. */
static int64_t steps_before_all(const rows *level, int count, int64_t most, sw_arena *arena)
{
	rows done = level[count - 1], room = {done.devices, done.circle, SW_NEW(arena, row, done.devices)};
	int64_t steps = (int64_t)1 << (count - 1);
	bool all;

	if (room.of == NULL)
		return -1;
	for (int k = count - 2; k >= 0; k--) {
		if (steps + ((int64_t)1 << k) > most)
			continue;
		join_rows(&done, &level[k], &room, &all);
		if (all)
			continue;
		rows kept = done.of == level[count - 1].of ?
			(rows){done.devices, done.circle, SW_NEW(arena, row, done.devices)} :
			done;
		done = room;
		room = kept;
		steps += (int64_t)1 << k;
		if (room.of == NULL)
			return -1;
	}
	return steps;
}

static bool is_all(const rows *r)
{
	for (int64_t d = 0; d < r->devices; d++)
		if (r->of[d].to - r->of[d].from + 1 < r->devices)
			return false;
	return true;
}

/* After how many steps all depend on all; -1: not within `most`, -2: no memory. */
static int64_t count_rows(const rows *step, int64_t most, sw_arena *arena)
{
	rows level[DOUBLINGS];
	bool all = false;
	int64_t steps;
	int count;

	if (is_all(step))
		return 1;
	count = double_steps(step, most, arena, level, &all);
	if (count == 0)
		return -2;
	if (!all && ((int64_t)1 << count) <= most)
		return -1;
	steps = steps_before_all(level, count, most, arena);
	return steps < 0 ? -2 : steps < most ? steps + 1 : -1;
}

/* ---- sets of devices ---- */

/* The devices on whose inputs each depends after some steps, as a set each. */
typedef struct reach {
	int64_t devices;
	int64_t size; /* of all sets */
	int64_t work; /* families that were united for it */
	sw_indices *of;
	sw_arena *arena;
} reach;

/* The families of the sets of all that device `d` needs, in a list that grows; how many, -1: no memory. */
static int collect_sets(const lists *before, const reach *now, int64_t d, sw_arena *arena, sw_family **list,
	int *room)
{
	int count = 0;

	for (int64_t k = before->first[d]; k < before->first[d + 1]; k++) {
		const sw_indices *set = &now->of[before->device[k]];
		for (int n = 0; n < set->count; n++) {
			if (!sw_arena_grow(arena, list, count, room, 16, sizeof **list))
				return -1;
			(*list)[count++] = set->family[n];
		}
	}
	return count;
}

/* A step more: all on which those depend that each needs. */
static bool go_on(const lists *before, const reach *now, reach *next)
{
	sw_family *list = NULL;
	int room = 0;

	sw_arena_clear(next->arena);
	next->of = SW_NEW(next->arena, sw_indices, next->devices);
	next->size = 0;
	next->work = 0;
	for (int64_t d = 0; d < next->devices && next->of != NULL; d++) {
		int count = collect_sets(before, now, d, next->arena, &list, &room);
		if (count < 0 || !sw_indices_of(list, count, next->arena, &next->of[d]))
			return false;
		next->size += sw_indices_size(&next->of[d]);
		next->work += count;
	}
	return next->of != NULL;
}

/* Before the first step each depends on itself. */
static bool start_reach(reach *r, int64_t devices)
{
	sw_family *family;

	*r = (reach){devices, devices, 0, NULL, sw_arena_new()};
	if (r->arena == NULL)
		return false;
	r->of = SW_NEW(r->arena, sw_indices, devices);
	family = SW_NEW(r->arena, sw_family, devices);
	for (int64_t d = 0; d < devices && r->of != NULL && family != NULL; d++)
		r->of[d] = sw_indices_range(d, d + 1, &family[d]);
	return r->of != NULL && family != NULL;
}

static bool is_same(const reach *a, const reach *b)
{
	bool same = a->size == b->size;

	for (int64_t d = 0; d < a->devices && same; d++)
		same = sw_indices_equal(&a->of[d], &b->of[d]);
	return same;
}

/* How many pairs there are of a device that makes something, and one that holds something. */
static int64_t all_pairs(const sw_reach_question *question)
{
	int64_t holders = 0, makers = 0;

	for (int64_t d = 0; d < question->held->devices; d++) {
		holders += sw_holding_size(question->held, d) > 0;
		makers += sw_holding_size(question->needed, d) > 0;
	}
	return holders * makers;
}

/* Whom each needs in a step, and of whom each gets what was made, before a step that is not the first. */
typedef struct arcs {
	lists step, move;
	bool moves;
} arcs;

static int64_t longest_list(const lists *of)
{
	int64_t longest = 0;

	for (int64_t n = 0; n < of->count; n++)
		longest = sw_larger(longest, of->first[n + 1] - of->first[n]);
	return longest;
}

/* After so many steps all depend on all, or they never do: what n devices need in any step fills all pairs by (n - 1)^2 + 1
 * steps (Wielandt), and sets of one stay sets of one. */
static int64_t most_steps(const arcs *a, int64_t steps)
{
	int64_t devices = a->step.count, most;

	if (longest_list(&a->step) < 2 && longest_list(&a->move) < 2)
		return sw_smaller(steps, 1);
	return sw_mul(devices - 1, devices - 1, &most) ? sw_smaller(steps, most + 2) : steps;
}

/* The three take turns. */
static bool go_a_step(const arcs *a, int64_t step, reach *last, reach *moved, reach *next)
{
	bool moves = a->moves && step > 1;

	return (!moves || go_on(&a->move, last, moved)) && go_on(&a->step, moves ? moved : last, next);
}

/* Steps until each depends on all, or nothing changes any more. */
static bool count_sets(const arcs *a, int64_t pairs, int64_t most, reach now[3], const sw_pulse *pulse,
	int64_t *after, sw_diag *diag)
{
	int64_t work = 0;

	for (int64_t step = 1; step <= most; step++) {
		reach *last = &now[(step + 1) % 2], *next = &now[step % 2];
		if (!sw_pulse_beat(pulse, "tasks", step, most))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped");
		if (!go_a_step(a, step, last, &now[2], next))
			return sw_diag_memory(diag);
		if (next->size == pairs) {
			*after = step;
			return true;
		}
		if (is_same(last, next))
			return true;
		work += next->work;
		if (work > WORK_MOST) {
			*after = SW_TASKS_NOT_COUNTED;
			return true;
		}
	}
	return true;
}

static bool reach_by_sets(const sw_reach_question *question, const arcs *a, const sw_pulse *pulse, int64_t *after,
	sw_diag *diag)
{
	reach now[3] = {{0}};
	bool counted = true;

	for (int k = 0; k < 3 && counted; k++)
		counted = start_reach(&now[k], question->held->devices) || sw_diag_memory(diag);
	counted = counted && count_sets(a, all_pairs(question), most_steps(a, question->steps), now, pulse, after, diag);
	for (int k = 0; k < 3; k++)
		sw_arena_free(now[k].arena);
	return counted;
}

/* ---- either ---- */

static bool list_arcs(const sw_reach_question *question, sw_arena *arena, arcs *a)
{
	int64_t devices = question->held->devices;

	*a = (arcs){.moves = question->move != NULL};
	return list_before(question->step, devices, arena, &a->step) &&
		(!a->moves || list_before(question->move, devices, arena, &a->move));
}

/* Where all hold and make something, and need devices in a row.  false: they do not, or there is no memory. */
static bool reach_by_rows(const sw_reach_question *question, const arcs *a, sw_arena *arena, int64_t *after)
{
	int64_t devices = question->held->devices;
	rows step = {devices, false, SW_NEW(arena, row, devices)};

	if (a->moves || step.of == NULL || all_pairs(question) != devices * devices || !rows_of(&a->step, &step))
		return false;
	*after = count_rows(&step, most_steps(a, question->steps), arena);
	return *after > -2;
}

bool sw_reach_all(const sw_reach_question *question, const sw_pulse *pulse, int64_t *after, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	bool counted = arena != NULL;
	arcs a;

	if (counted)
		counted = list_arcs(question, arena, &a);
	if (!counted)
		sw_diag_memory(diag);
	else if (!reach_by_rows(question, &a, arena, after)) {
		*after = -1;
		counted = reach_by_sets(question, &a, pulse, after, diag);
	}
	sw_arena_free(arena);
	return counted;
}
