/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Neighbouring steps as one: where a single collective leads from what is held before the first to what is held after the
 * last, as any devices may form its groups (seed 000, section 7.1).
 */
#include <shardwalk/plan.h>

#include <string.h>

#include "cost/alike.h"
#include "plan/tile_numbers.h"
#include "step/entries.h"
#include "step/row.h"

typedef struct merger {
	const sw_plan *plan;
	sw_arena *arena;
	sw_diag *diag;
	int first;    /* the steps from this one on ... */
	int end;      /* ... up to this one, which is not among them, are looked at */
	sw_step step; /* that does what they do; its operation is SW_OP_COUNT where nothing has to be done */
	sw_text why;
} merger;

/* ---- which collective it would have to be ---- */

/* "gather dimension 0 by 4 and dimension 1 by 2" */
static void say_entries(const char *what, const sw_entry *entry, int count, sw_text *text)
{
	for (int e = 0; e < count; e++)
		sw_text_addf(text, "%s dimension %d by %lld", e ? " and" : what, entry[e].dim, (long long)entry[e].factor);
}

static int64_t product_of(const sw_entry *entry, int count)
{
	int64_t product = 1;
	for (int e = 0; e < count; e++)
		product *= entry[e].factor;
	return product;
}

/* Is every dimension's tile a multiple or a part of the one before? */
static bool has_entries(merger *m)
{
	const int64_t *before = m->plan->program.value[m->first].tile, *after = m->plan->program.value[m->end].tile;
	for (int i = 0; i < m->plan->problem.from.rank; i++) {
		if (after[i] % before[i] == 0 || before[i] % after[i] == 0)
			continue;
		sw_text_addf(&m->why,
			"tiles of %lld become tiles of %lld along dimension %d, which is neither gathered nor split",
			(long long)before[i], (long long)after[i], i);
		return false;
	}
	return true;
}

/* false: no memory. */
static bool find_entries(merger *m)
{
	return sw_step_entries_between(&m->step, m->plan->program.value[m->first].tile,
		m->plan->program.value[m->end].tile, m->plan->problem.from.rank, m->arena);
}

/* Steps that finish or make sums stay what they are. */
static bool has_sums(const merger *m)
{
	for (int k = m->first; k < m->end; k++)
		if (sw_changes_terms(m->plan->program.step[k].op))
			return true;
	return false;
}

static bool has_exchange(const merger *m)
{
	for (int k = m->first; k < m->end; k++)
		if (sw_is_exchange(m->plan, k))
			return true;
	return false;
}

/* false: no collective gathers and splits so. */
static bool find_op(merger *m)
{
	sw_step *step = &m->step;
	step->op = step->gathers && step->splits ? SW_ALLTOALL :
		step->gathers                        ? SW_ALLGATHER :
		step->splits                         ? SW_DYNSLICE :
											   SW_ALLPERMUTE;
	if (!sw_swaps(step->op) || product_of(step->gather, step->gathers) == product_of(step->split, step->splits))
		return true;
	sw_text_add(&m->why, "together they");
	say_entries(" gather", step->gather, step->gathers, &m->why);
	sw_text_add(&m->why, " and");
	say_entries(" split", step->split, step->splits, &m->why);
	sw_text_add(&m->why, ": an alltoall does both by the same factor, so tiles keep their size");
	return false;
}

/* ---- what devices hold ---- */

/* Tiles are numbered as if all had one shape: numbers of other shapes say nothing of each other. */
static bool same_tile(const merger *m)
{
	return memcmp(m->plan->program.value[m->first].tile, m->plan->program.value[m->end].tile,
			   sizeof(int64_t) * (size_t)m->plan->problem.from.rank) == 0;
}

/* Does every device hold at the end what it held before? */
static bool find_same(const merger *m, bool *same)
{
	int64_t devices = m->plan->problem.mesh.devices;
	const sw_type *before = m->plan->program.value[m->first].type, *after = m->plan->program.value[m->end].type;
	sw_arena_mark mark = sw_arena_here(m->arena);
	if (before && after) {
		*same = sw_type_same_map(&m->plan->problem.mesh, before, after);
		return true;
	}
	int32_t *numbers = SW_NEW(m->arena, int32_t, 3 * devices);
	if (!numbers)
		return sw_diag_memory(m->diag);
	bool ok = sw_tile_numbers_at(m->plan, m->first, numbers, numbers + 2 * devices, m->diag) &&
		sw_tile_numbers_at(m->plan, m->end, numbers + devices, numbers + 2 * devices, m->diag);
	*same = ok && same_tile(m) && memcmp(numbers, numbers + devices, sizeof *numbers * (size_t)devices) == 0;
	sw_arena_back(m->arena, mark);
	return ok;
}

/* The order of devices may change in a step that sends whole tiles anywhere. */
static bool keep_order(merger *m)
{
	for (int k = m->first; k < m->end; k++)
		if (m->plan->program.step[k].order) {
			m->step.order = m->plan->program.step[k].order;
			sw_text_addf(&m->why, "step %d changes the order of devices", k + 1);
		}
	if (m->step.order && sw_row(m->step.op)->told != SW_TOLD_BY_TYPE)
		return false;
	sw_text_clear(&m->why);
	return true;
}

/* Are there groups for it?  false with *legal unset: no memory. */
static bool find_groups(merger *m, bool *legal)
{
	sw_plan one = *m->plan;
	if (!sw_plan_own(&one, 0, m->arena))
		return sw_diag_memory(m->diag);
	one.program.step[m->first] = m->step;
	one.program.value[m->first + 1] = m->plan->program.value[m->end];
	one.program.steps = m->first + 1;
	sw_diag why = {.code = SW_OK};
	*legal = sw_plan_group(&one, m->arena, &why);
	if (why.code == SW_E01)
		return sw_diag_memory(m->diag);
	const char *detail = strstr(why.message, "': ");
	if (*legal)
		m->step = one.program.step[m->first];
	else
		sw_text_addf(&m->why, "no single %s does both: %s", sw_collective_of(m->step.op)->name,
			detail ? detail + 3 : why.message);
	return true;
}

static bool keep_why(merger *m, sw_merge *pair)
{
	pair->why = sw_arena_copy(m->arena, sw_text_get(&m->why), m->why.length);
	return (pair->why && !m->why.failed) || sw_diag_memory(m->diag);
}

/* ---- steps that are one ---- */

/* Is there one step that does what those from `first` to `end` do?  false: no memory. */
static bool try_one(merger *m, bool *legal)
{
	bool same = false;
	m->step = (sw_step){0};
	sw_text_clear(&m->why);
	*legal = true;
	if (!find_same(m, &same))
		return false;
	if (has_sums(m)) {
		sw_text_add(&m->why, "a step that completes or makes a sum stays separate");
		*legal = false;
		return true;
	}
	if (has_exchange(m)) {
		m->step.op = SW_EXCHANGE;
		return keep_order(m);
	}
	if (!find_entries(m))
		return false;
	*legal = has_entries(m) && find_op(m) && keep_order(m);
	if (*legal && same && !m->step.order)
		m->step.op = SW_OP_COUNT;
	return !*legal || m->step.op == SW_OP_COUNT || find_groups(m, legal);
}

/* The same, and what it costs; nothing of it stays in the arena. */
static bool price_one(merger *m, bool *legal, int64_t *cost)
{
	sw_arena_mark mark = sw_arena_here(m->arena);
	bool ok = try_one(m, legal);
	sw_arena_back(m->arena, mark);
	*cost = ok && *legal && m->step.op != SW_OP_COUNT ?
		sw_paper_cost(m->step.op, m->plan->program.value[m->first].localsize,
			m->plan->program.value[m->end].localsize) :
		0;
	return ok;
}

/* ---- which steps become one ---- */

enum { MOST_MERGED = 8 }; /* steps that are looked at together */

/* The cheapest way to cut the first steps into runs that are one step each, the fewest steps among equals. */
typedef struct cut {
	int64_t cost;
	int steps, first; /* of the last run */
} cut;

static bool is_better(const cut *a, const cut *b)
{
	return a->cost != b->cost ? a->cost < b->cost : a->steps < b->steps;
}

/* Fills in best[end] from those before. */
static bool cut_at(merger *m, int end, cut *best)
{
	best[end] = (cut){.cost = best[end - 1].cost + m->plan->program.step[end - 1].cost,
		.steps = best[end - 1].steps + 1,
		.first = end - 1};
	for (int first = end - 2; first >= 0 && first >= end - MOST_MERGED; first--) {
		bool legal = false;
		int64_t cost = 0;
		m->first = first;
		m->end = end;
		if (!price_one(m, &legal, &cost))
			return false;
		cut whole = {best[first].cost + cost, best[first].steps + (m->step.op != SW_OP_COUNT), first};
		if (legal && is_better(&whole, &best[end]))
			best[end] = whole;
	}
	return true;
}

/* Why step k + 1 (0-based) begins a run of its own. */
static bool say_apart(merger *m, int k, sw_merge *pair)
{
	bool legal = false;
	int64_t cost = 0;
	m->first = k;
	m->end = k + 2;
	if (!price_one(m, &legal, &cost))
		return false;
	if (legal)
		sw_text_addf(&m->why, "one step could do both, but it costs less to merge others");
	return keep_why(m, pair);
}

static bool say_together(merger *m, int first, int end, sw_merge *pair)
{
	sw_text_clear(&m->why);
	if (m->step.op == SW_OP_COUNT)
		sw_text_addf(&m->why, "steps %d to %d undo each other: nothing is left to do", first + 1, end);
	else
		sw_text_addf(&m->why, "one %s does what steps %d %s %d do", sw_collective_of(m->step.op)->name, first + 1,
			end - first == 2 ? "and" : "to", end);
	return keep_why(m, pair);
}

/* A run becomes a step of the merged plan, or none. */
static bool merge_run(merger *m, int first, int end, sw_plan *merged, sw_merge *pairs)
{
	bool legal = true;
	m->first = first;
	m->end = end;
	m->step = m->plan->program.step[first];
	if (end - first > 1 && !try_one(m, &legal))
		return false;
	if (m->step.op != SW_OP_COUNT) {
		merged->program.step[merged->program.steps++] = m->step;
		merged->program.value[merged->program.steps] = m->plan->program.value[end];
	}
	for (int k = first; k + 1 < end; k++) {
		pairs[k] = (sw_merge){.merged = true, .first = first};
		if (!say_together(m, first, end, &pairs[k]))
			return false;
	}
	if (end == m->plan->program.steps)
		return true;
	pairs[end - 1] = (sw_merge){.first = end};
	return say_apart(m, end - 1, &pairs[end - 1]);
}

/* Runs that end where `best` cuts, the first one first. */
static bool merge_runs(merger *m, const cut *best, int end, sw_plan *merged, sw_merge *pairs)
{
	int first = best[end].first;
	return (first == 0 || merge_runs(m, best, first, merged, pairs)) && merge_run(m, first, end, merged, pairs);
}

static bool merge_all(merger *m, sw_plan *merged, sw_merge *pairs)
{
	int count = m->plan->program.steps;
	cut *best = SW_NEW(m->arena, cut, count + 1);
	if (!best)
		return sw_diag_memory(m->diag);
	best[0] = (cut){.cost = 0};
	for (int end = 1; end <= count; end++)
		if (!cut_at(m, end, best))
			return false;
	return merge_runs(m, best, count, merged, pairs);
}

bool sw_plan_merge(const sw_plan *plan, sw_arena *arena, sw_plan *merged, sw_merge *pairs, sw_diag *diag)
{
	merger m = {.plan = plan, .arena = arena, .diag = diag};
	*merged = *plan;
	merged->program.steps = 0;
	merged->has_bound = merged->optimal = merged->program.claimed = false;
	merged->local_cost = -1;
	merged->strategy = SW_FUSED;
	merged->origin = "merged";
	if (!sw_plan_own(merged, plan->program.steps, arena))
		return sw_diag_memory(diag);
	bool ok = !plan->program.steps || merge_all(&m, merged, pairs);
	sw_text_free(&m.why);
	return ok && sw_plan_total(merged, diag);
}
