/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each processor of a scheme has, receives, sends and computes, and most of it.
 */
#include <assert.h>

#include <shardwalk/number.h>

#include "schedule/scheme.h"

typedef struct lists {
	int64_t *volumes, *received, *sent, *held, *peak, *peak_overlap, *flops;
} lists;

bool sw_scheme_fits(const sw_scheme *scheme, int64_t processors)
{
	int64_t points = scheme->arrays, all = 0;

	for (int letter = 0; letter < scheme->letters; letter++)
		if (!sw_mul(points, scheme->size[letter], &points))
			return false;
	for (int array = 0; array < scheme->arrays; array++) {
		int64_t size = 4; /* home, and the box of two steps */

		for (int dim = 0; dim < scheme->array[array].rank; dim++)
			if (!sw_mul(size, scheme->size[scheme->array[array].letter[dim]], &size))
				return false;
		if (!sw_mul(size, processors, &size) || !sw_add(all, size, &all))
			return false;
	}
	return true;
}

static bool lists_of(const sw_scheme *scheme, sw_arena *arena, lists *lists)
{
	int64_t processors = sw_scheme_processors(scheme);
	int64_t **list[] = {&lists->received, &lists->sent, &lists->held, &lists->peak, &lists->peak_overlap,
		&lists->flops};

	lists->volumes = SW_NEW_ZERO(arena, int64_t, scheme->arrays);
	for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
		*list[n] = SW_NEW_ZERO(arena, int64_t, processors);
		if (*list[n] == NULL)
			return false;
	}
	return lists->volumes != NULL;
}

/* What a processor needs of an array in all steps, has at home, and both. */
typedef struct share {
	int64_t need, home, both;
} share;

static share share_of(const sw_scheme_plan *plan, const sw_scheme_array *array, const int64_t *at, bool works)
{
	sw_range home[SW_MAX_DIMS];
	bool here = sw_scheme_home(plan->scheme, array, at, home);
	share share = {.need = works, .home = here, .both = works && here};

	for (int dim = 0; dim < array->rank; dim++) {
		sw_range need = sw_scheme_range(plan, array->letter[dim], at);

		share.need *= sw_range_length(need);
		share.home *= here ? sw_range_length(home[dim]) : 0;
		share.both *= here ? sw_range_length(sw_range_meet(need, home[dim])) : 0;
	}
	return share;
}

static void add_moved(const sw_scheme_plan *plan, const int64_t *at, int array, sw_scheme_one *one)
{
	share share = share_of(plan, &plan->scheme->array[array], at, one->works);
	int64_t given = share.home * plan->needers[array] - share.both; /* to, or by, others */

	one->wanted[array] = share.need - share.both;
	if (array == 0) {
		one->received += given;
		one->sent += one->wanted[array];
		return;
	}
	one->received += one->wanted[array];
	if (!sw_scheme_passes_on(plan, array))
		one->sent += given;
}

void sw_scheme_one_of(const sw_scheme_plan *plan, const int64_t *at, sw_scheme_one *one)
{
	const sw_scheme *scheme = plan->scheme;

	*one = (sw_scheme_one){.works = sw_scheme_works(plan, at)};
	for (int array = 0; array < scheme->arrays; array++)
		if (!sw_scheme_array_stays(scheme, &scheme->array[array]))
			add_moved(plan, at, array, one);
	sw_scheme_live_of(plan, at, &one->live);
	one->flops = one->works ? scheme->arrays - 1 : 0;
	for (int letter = 0; letter < scheme->letters; letter++)
		one->flops *= sw_range_length(sw_scheme_range(plan, letter, at));
}

static void add_processor(const sw_scheme_plan *plan, const int64_t *at, lists *lists)
{
	int64_t number = sw_scheme_number(plan->scheme, at);
	sw_scheme_one one;

	sw_scheme_one_of(plan, at, &one);
	for (int array = 0; array < plan->scheme->arrays; array++)
		lists->volumes[array] += one.wanted[array];
	lists->received[number] = one.received;
	lists->sent[number] = one.sent;
	lists->held[number] = one.live.held;
	lists->peak[number] = one.live.most;
	lists->peak_overlap[number] = one.live.overlap;
	lists->flops[number] = one.flops;
}

static int64_t most_of(const int64_t *list, int64_t count)
{
	int64_t most = 0;

	for (int64_t n = 0; n < count; n++)
		most = sw_larger(most, list[n]);
	return most;
}

static void sum_up(const sw_scheme_plan *plan, const lists *lists, sw_schedule_totals *totals)
{
	const sw_scheme *scheme = plan->scheme;
	int64_t processors = sw_scheme_processors(scheme), working = 1;

	*totals = (sw_schedule_totals){.messages = -1, .volumes = lists->volumes};
	for (int array = 0; array < scheme->arrays; array++)
		totals->volume += lists->volumes[array];
	for (int axis = 0; axis < scheme->axes; axis++)
		working *= plan->blocks[axis];
	totals->between = totals->exact = totals->volume;
	totals->idle = processors - working;
	totals->received = lists->received;
	totals->sent = lists->sent;
	totals->held = lists->held;
	totals->peak = lists->peak;
	totals->peak_overlap = lists->peak_overlap;
	totals->flops = lists->flops;
	totals->most_received = most_of(lists->received, processors);
	totals->most_sent = most_of(lists->sent, processors);
	totals->most_held = most_of(lists->held, processors);
	totals->most_peak = most_of(lists->peak, processors);
	totals->most_peak_overlap = most_of(lists->peak_overlap, processors);
	totals->most_flops = most_of(lists->flops, processors);
}

bool sw_scheme_totals(const sw_scheme *scheme, sw_arena *arena, sw_schedule_totals *totals, sw_diag *diag)
{
	int64_t at[SW_SCHEME_AXES] = {0};
	sw_scheme_plan plan;
	lists lists;

	assert(scheme->arrays >= 1 && scheme->steps >= 1);
	if (sw_scheme_processors(scheme) > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_M05, (sw_span){0, 0},
			"numbers for each device are listed for at most "
			"%lld",
			(long long)SW_MAX_MAP_DEVICES);
	if (!sw_scheme_fits(scheme, sw_scheme_processors(scheme)))
		return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the numbers do not fit into 64 bits");
	if (!lists_of(scheme, arena, &lists))
		return sw_diag_memory(diag);
	sw_scheme_plan_of(scheme, &plan);
	do
		add_processor(&plan, at, &lists);
	while (sw_scheme_next(scheme, at));
	for (int array = 1; array < scheme->arrays; array++)
		if (sw_scheme_passes_on(&plan, array))
			sw_scheme_pass_on(&plan, array, lists.sent);
	sum_up(&plan, &lists, totals);
	return true;
}
