/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pictures of systems, placements and sums show: the step that is looked at, what devices hold before and after it, what
 * it loads ports with, and the programs of all placements.
 */
#include "command/placement/sum_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/placement/grouped.h"
#include "command/placement/reduction.h"
#include "host/interrupt.h"

#define LENGTH_SHOWN 5
#define PLACEMENTS_SHOWN 1000

/* The plan, where its steps say their groups in words: a reduction program. */
static const sw_plan *program_of(const struct session *session)
{
	const struct kept_plan *kept = session->state.plan;

	return kept != NULL && kept->plan.program.steps > 0 && kept->plan.program.step->by.words != NULL ? &kept->plan :
																									   NULL;
}

int sum_look_steps(const struct session *session)
{
	const struct hand_step *hand = session_hand(&session->state, true);
	const sw_plan *program = program_of(session);

	if (hand != NULL)
		return hand->count;
	return program != NULL ? program->program.steps : 0;
}

/* ---- the step ---- */

/* A step of a plan, whose groups are named in the hierarchy that is set now. */
static bool take_named(const sw_summing *start, const sw_step *from, sw_step *step)
{
	*step = (sw_step){.op = from->op};
	return from->by.words != NULL &&
		sw_group_name_parse(sw_str_of(from->by.words), start->system, &start->hierarchy, &step->by, NULL);
}

/* The steps by hand, else those of the program that is the plan, with room for one more; how many. */
static int steps_looked_at(struct session *session, sw_arena *arena, sw_step **steps)
{
	const sw_plan *program = program_of(session);
	sw_summing *start = SW_NEW(arena, sw_summing, 1);
	int read = 0;

	if (session_hand(&session->state, true) != NULL || program == NULL || start == NULL ||
		!grouped_start(session, arena, start, NULL))
		return grouped_steps(session, arena, steps);
	*steps = SW_NEW(arena, sw_step, program->program.steps + 1);
	while (*steps != NULL && read < program->program.steps &&
		take_named(start, &program->program.step[read], &(*steps)[read]))
		read++;
	return read == program->program.steps ? read : 0;
}

static bool state_after(struct session *session, int count, sw_arena *arena, sw_summing *summing, sw_diag *diag)
{
	sw_step *steps;
	int there = steps_looked_at(session, arena, &steps);
	bool ok = grouped_start(session, arena, summing, diag);

	for (int k = 0; ok && k < count && k < there; k++)
		ok = sw_summing_apply(summing, &steps[k], arena, diag);
	return ok;
}

/* The states before and after a step. */
static bool take_states(struct session *session, int number, sw_arena *arena, struct sum_look *look, sw_diag *diag)
{
	sw_summing *before = SW_NEW(arena, sw_summing, 1), *after = SW_NEW(arena, sw_summing, 1);

	if (before == NULL || after == NULL)
		return sw_diag_memory(diag);
	if (!state_after(session, number > 0 ? number - 1 : 0, arena, before, diag) ||
		!state_after(session, number, arena, after, diag))
		return diag->code != SW_E01;
	look->before = number > 0 ? before : NULL;
	look->after = after;
	look->kind = after->sum.kind;
	return true;
}

static bool take_step(struct session *session, int step, sw_str instruction, sw_arena *arena, struct sum_look *look,
	sw_diag *diag)
{
	sw_step *steps;
	int count = steps_looked_at(session, arena, &steps);

	look->number = step == VIEW_ALL || step > count ? count : step;
	if (steps == NULL)
		return sw_diag_memory(diag);
	if (!take_states(session, look->number, arena, look, diag))
		return false;
	if (instruction.length > 0 && look->after != NULL) {
		look->number = 0;
		look->step = steps + count;
		return sw_group_name_parse(instruction, look->after->system, &look->after->hierarchy, &steps[count].by, diag);
	}
	if (look->number > 0)
		look->step = &steps[look->number - 1];
	return true;
}

/* ---- the load ---- */

/* One all-reduce where there are no steps. */
static bool take_load(struct session *session, sw_arena *arena, struct sum_look *look)
{
	static const sw_step whole = {.op = SW_ALLREDUCE, .by = {SW_FORM_INSIDE, 0, 0, NULL}};
	const struct placing *placing = look->placing;
	sw_ports *ports = SW_NEW(arena, sw_ports, 1);
	double *brought = SW_NEW(arena, double, 1 << SW_MAX_SUMMED), seconds;
	sw_step *steps;

	steps_looked_at(session, arena, &steps);
	if (ports == NULL || brought == NULL || steps == NULL)
		return false;
	if (!sw_ports_make(&placing->system, &placing->placement, look->summed, allreduce_asked(session), ports, NULL) ||
		ports->hierarchy.count == 0)
		return true;
	bool by_hand = look->number > 0 && look->kind == SW_HIERARCHY_SUMMED_LEVELS;
	if ((look->number > 0 && !by_hand) || (look->number == 0 && look->step != NULL))
		return true;
	if (!sw_reduction_brought(ports, look->bytes, by_hand ? steps : &whole, by_hand ? look->number - 1 : 0, brought,
			&seconds))
		return true;
	look->ports = ports;
	look->brought = brought;
	look->step = by_hand ? look->step : &whole;
	return true;
}

/* ---- the programs of all placements ---- */

static int by_seconds(const void *a, const void *b)
{
	const struct sum_bar *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	return x->placement - y->placement;
}

/* Programs that take as long as each other are one bar. */
static bool add_bars(struct sum_bars *bars, int *room, const sw_contexts *contexts, const sw_reduction_listed *listed,
	sw_arena *arena)
{
	for (int64_t i = 0; i < listed->count; i++) {
		const sw_context_path *path = &listed->path[i];
		struct sum_bar *last = bars->count > 0 ? &bars->bar[bars->count - 1] : NULL;

		if (last != NULL && i > 0 && fabs(path->seconds - last->seconds) <= 1e-9 * last->seconds) {
			last->programs++;
			continue;
		}
		if (!SW_GROW(arena, bars->bar, bars->count, *room, 64))
			return false;
		bars->bar[bars->count++] = (struct sum_bar){.seconds = path->seconds,
			.placement = bars->placements - 1,
			.programs = 1,
			.number = i + 1,
			.contexts = contexts,
			.first = path};
	}
	bars->programs += listed->count;
	return true;
}

static bool add_placement(struct session *session, const struct sum_look *look, struct sum_bars *bars, int *room,
	sw_arena *arena, sw_diag *diag)
{
	sw_ports *ports = SW_NEW(arena, sw_ports, 1);
	sw_reduction_listed listed;
	int p = bars->placements - 1;

	if (ports == NULL ||
		!sw_ports_make(&look->placing->system, &bars->placement[p], look->summed, allreduce_asked(session), ports,
			diag))
		return false;
	bars->allreduce[p] = ports->hierarchy.count > 0 ? sw_ports_allreduce(ports, look->bytes) : 0;
	const sw_contexts *contexts = ports->hierarchy.count > 0 ? contexts_asked(session, ports->hierarchy.count, NULL) :
															   NULL;
	if (contexts == NULL)
		return true;
	sw_reduction_bounds bounds = {LENGTH_SHOWN, memory_of_searches(session), interrupt_pulse()};
	return sw_reduction_list(contexts, ports, look->bytes, &bounds, arena, &listed, diag) &&
		(add_bars(bars, room, contexts, &listed, arena) || sw_diag_memory(diag));
}

static struct sum_bars *bars_of(struct session *session, const struct sum_look *look, sw_arena *arena, sw_diag *diag)
{
	const struct placing *placing = look->placing;
	struct sum_bars *bars = SW_NEW_ZERO(arena, struct sum_bars, 1);
	int64_t axis[SW_MAX_PLACED];
	sw_placement placement;
	int room = 0;

	if (bars == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	bars->placement = SW_NEW(arena, sw_placement, PLACEMENTS_SHOWN);
	bars->allreduce = SW_NEW_ZERO(arena, double, PLACEMENTS_SHOWN);
	if (bars->placement == NULL || bars->allreduce == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int i = 0; i < placing->axes.count; i++)
		axis[i] = placing->axes.axis[i].size;
	for (bool more = sw_placement_first(&placing->system, axis, placing->axes.count, &placement);
		 more && bars->placements < PLACEMENTS_SHOWN; more = sw_placement_next(&placing->system, &placement)) {
		bars->placement[bars->placements++] = placement;
		if (!add_placement(session, look, bars, &room, arena, diag))
			return NULL;
	}
	if (bars->count > 0)
		qsort(bars->bar, (size_t)bars->count, sizeof *bars->bar, by_seconds);
	for (int k = 0; k < bars->count; k++)
		bars->bar[k].rank = k > 0 ? bars->bar[k - 1].rank + bars->bar[k - 1].programs : 1;
	return bars;
}

/* ---- all of it ---- */

const struct sum_look *sum_look_of(struct session *session, const struct view *view, int step, sw_str instruction,
	sw_arena *arena, sw_diag *diag)
{
	struct sum_look *look = SW_NEW_ZERO(arena, struct sum_look, 1);
	struct sum sum;

	if (look == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	look->placing = session->state.placing;
	look->kind = hierarchy_asked(session);
	look->has_sum = look->placing != NULL && look->placing->has_axes && present_sum(session, &sum) == 1;
	if (!look->has_sum)
		return look;
	look->summed = sum.axes;
	look->bytes = sum.bytes;
	if (view->of == OF_SUMS) {
		look->bars = bars_of(session, look, arena, diag);
		return look->bars != NULL ? look : NULL;
	}
	if (!look->placing->placed)
		return look;
	sw_diag failed = {.code = SW_OK};
	if (!take_step(session, step, instruction, arena, look, &failed) || !take_load(session, arena, look)) {
		*diag = failed;
		return NULL;
	}
	return look;
}

const struct sum_look *sum_look_in_film(struct session *session, const sw_plan *plan, int step, double passed,
	sw_arena *arena)
{
	int about = step + (passed > 0 && plan != NULL && step < plan->program.steps);
	sw_diag ignored = {.code = SW_OK};

	if (arena == NULL || plan == NULL || program_of(session) != plan || session_hand(&session->state, true) != NULL)
		return NULL;
	return sum_look_of(session, view_named(sw_str_of("system")), about > 0 ? about : 1, (sw_str){"", 0}, arena,
		&ignored);
}
