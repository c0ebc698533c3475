/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements in the order of what sums over their axes take.
 */
#define _GNU_SOURCE /* tdestroy */
#include "command/placement/ranking.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/watch.h"
#include "command/placement/reduction.h"

#define ROWS_LISTED 1000
#define PLACEMENTS_TIMED 10000000

/* ---- seconds ---- */

/* What one sum takes.  In a tree of ports the sizes that its axes have together on each level say so; where links of a unit differ,
 * as in a ring of pairs, all factors of the placement do. */
struct timed_sum {
	int sum, sizes;
	int64_t size[SW_MAX_PLACED * SW_MAX_LEVELS];
	struct seconds seconds;
};

struct ranker {
	struct invocation *run;
	struct ranking *ranking;
	void *known; /* a tree of timed_sum */
	int room;    /* rows; the fastest ROWS_LISTED of them stay where it ends */
	bool full;   /* so many stay already, in order: slower ones need no row */
};

static int by_sizes(const void *a, const void *b)
{
	const struct timed_sum *x = a, *y = b;

	return x->sum != y->sum ? x->sum - y->sum : memcmp(x->size, y->size, (size_t)x->sizes * sizeof *x->size);
}

static int64_t programs_of(const sw_contexts *contexts)
{
	int64_t programs = 0;

	for (int k = 1; k <= RANKED_STEPS; k++)
		programs += sw_contexts_programs(contexts, k);
	return programs;
}

static bool compute(const struct ranker *ranker, const sw_placement *placement, struct timed_sum *timed,
	sw_diag *diag)
{
	struct session *session = ranker->run->session;
	const struct sum *sum = &ranker->ranking->sum[timed->sum];
	sw_context_path best;
	sw_ports ports;

	if (!sw_ports_make(&session->state.placing->system, placement, sum->axes, allreduce_asked(session), &ports, diag))
		return false;
	if (ports.hierarchy.count == 0)
		return true;
	const sw_contexts *contexts = contexts_asked(session, ports.hierarchy.count, diag);
	if (contexts == NULL)
		return false;
	ranker->ranking->incomplete |= !sw_contexts_complete(contexts);
	if (!sw_reduction_best(contexts, &ports, sum->bytes, 0, &best))
		return sw_diag_memory(diag);
	timed->seconds.allreduce = sw_ports_allreduce(&ports, sum->bytes);
	timed->seconds.best = best.seconds;
	timed->seconds.programs = programs_of(contexts);
	timed->seconds.bound = ports.system->topology == SW_TOPOLOGY_TREE ? sw_ports_bound(&ports, sum->bytes) : 0;
	return true;
}

static const struct timed_sum *remember(struct ranker *ranker, const struct timed_sum *timed)
{
	struct timed_sum *kept = malloc(sizeof *kept);
	struct timed_sum **at = NULL;

	if (kept != NULL) {
		*kept = *timed;
		at = tsearch(kept, &ranker->known, by_sizes);
	}
	if (at == NULL)
		free(kept);
	return at ? *at : NULL;
}

static void name_sum(const struct ranker *ranker, const sw_placement *placement, struct timed_sum *timed)
{
	const struct placing *placing = ranker->run->session->state.placing;
	uint32_t axes = ranker->ranking->sum[timed->sum].axes;
	bool tree = placing->system.topology == SW_TOPOLOGY_TREE;

	timed->sizes = tree ? placement->levels : placement->axes * placement->levels;
	for (int j = 0; j < timed->sizes; j++)
		timed->size[j] = tree ? 1 : placement->factor[j / placement->levels][j % placement->levels];
	for (int i = 0; i < placement->axes && tree; i++)
		for (int j = 0; j < placement->levels && (axes >> i & 1); j++)
			timed->size[j] *= placement->factor[i][j];
}

/* NULL: refused. */
static const struct timed_sum *time_sum(struct ranker *ranker, const sw_placement *placement, int sum, sw_diag *diag)
{
	struct timed_sum timed = {.sum = sum};

	name_sum(ranker, placement, &timed);
	struct timed_sum **known = tfind(&timed, &ranker->known, by_sizes);
	if (known != NULL)
		return *known;
	if (!compute(ranker, placement, &timed, diag))
		return NULL;
	const struct timed_sum *kept = remember(ranker, &timed);
	if (kept == NULL)
		sw_diag_memory(diag);
	return kept;
}

static bool time_row(struct ranker *ranker, struct ranked *row, sw_diag *diag)
{
	memset(&row->seconds, 0, sizeof row->seconds);
	for (int i = 0; i < ranker->ranking->sums && ranker->ranking->timed; i++) {
		const struct timed_sum *timed = time_sum(ranker, &row->placement, i, diag);

		if (timed == NULL)
			return false;
		row->seconds.allreduce += timed->seconds.allreduce;
		row->seconds.best += timed->seconds.best;
		row->seconds.bound += timed->seconds.bound;
		row->seconds.programs += timed->seconds.programs;
	}
	return true;
}

/* ---- ranking ---- */

static int by_best(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->seconds.best != y->seconds.best)
		return x->seconds.best < y->seconds.best ? -1 : 1;
	if (x->seconds.allreduce != y->seconds.allreduce)
		return x->seconds.allreduce < y->seconds.allreduce ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void keep_the_fastest(struct ranking *ranking)
{
	qsort(ranking->row, (size_t)ranking->listed, sizeof *ranking->row, by_best);
	ranking->listed = (int)sw_smaller(ranking->listed, ROWS_LISTED);
}

static bool add_row(struct ranker *ranker, const sw_placement *placement, sw_diag *diag)
{
	struct ranking *ranking = ranker->ranking;
	struct ranked *row = &ranking->row[ranking->listed];

	row->placement = *placement;
	row->number = ranking->looked++;
	if (!time_row(ranker, row, diag))
		return false;
	if (ranker->full && by_best(row, &ranking->row[ROWS_LISTED - 1]) > 0)
		return true;
	if (++ranking->listed == ranker->room) {
		keep_the_fastest(ranking);
		ranker->full = true;
	}
	return true;
}

static bool has_bandwidths(const sw_system *system)
{
	for (int j = 0; j < system->count; j++)
		if (system->level[j].bandwidth <= 0)
			return false;
	return true;
}

static bool start(struct ranker *ranker, const int64_t *size, sw_diag *diag)
{
	const struct placing *placing = ranker->run->session->state.placing;
	struct ranking *ranking = ranker->ranking;

	ranking->count = sw_placements_count(&placing->system, size, placing->axes.count);
	ranking->timed = ranking->sums > 0 && has_bandwidths(&placing->system);
	ranker->room = (int)sw_smaller(ranking->count, 2 * ROWS_LISTED) + 1;
	ranking->row = SW_NEW_ZERO(ranker->run->arena, struct ranked, ranker->room);
	return (ranking->row != NULL && ranking->count >= 0) || sw_diag_memory(diag);
}

bool rank_placements(struct invocation *run, struct ranking *ranking, sw_diag *diag)
{
	struct ranker ranker = {.run = run, .ranking = ranking};
	const struct placing *placing = run->session->state.placing;
	int64_t size[SW_MAX_PLACED], most;
	sw_placement placement;
	struct watch watch;
	bool ok;

	for (int i = 0; i < placing->axes.count; i++)
		size[i] = placing->axes.axis[i].size;
	if (!start(&ranker, size, diag))
		return false;
	most = sw_smaller(ranking->count, ranking->timed ? PLACEMENTS_TIMED : ROWS_LISTED);
	watch_start(&watch, run->session->console);
	ok = sw_placement_first(&placing->system, size, placing->axes.count, &placement) || most == 0;
	while (ok && ranking->looked < most) {
		ok = add_row(&ranker, &placement, diag);
		if (!sw_placement_next(&placing->system, &placement) ||
			(ranking->looked % 4096 == 0 && !sw_pulse_beat(&watch.pulse, "placements", ranking->looked, most)))
			break;
	}
	watch_end(&watch);
	tdestroy(ranker.known, free);
	if (ok && ranking->timed)
		keep_the_fastest(ranking);
	return ok;
}
