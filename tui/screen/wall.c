/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The budget as a slider: the wall goes up and down by the sizes that a tile can have, and plan, search and trades follow.
 *
 * The plans that trade memory against cost are a view; the wall stands in its curve.
 */
#include "screen/wall.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/compare/compare_schedules.h"
#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/panes.h"
#include "session/pareto_set.h"
#include "session/walks.h"
#include "views/draw.h"

#define DIVISORS_MOST 2000000 /* tried, of a number of devices */

/* ---- the wall ---- */

/* A size that a tile can have, if it is nearer to the wall in that direction than the best one so far. */
static void take_nearer(int64_t size, int64_t wall, int direction, int64_t *best)
{
	bool beyond = direction > 0 ? size > wall : size < wall;
	if (beyond && (!*best || (direction > 0 ? size < *best : size > *best)))
		*best = size;
}

int64_t wall_next(const sw_problem *problem, int64_t wall, int direction)
{
	int64_t all = sw_type_globalsize(&problem->from), devices = problem->mesh.devices, best = 0;
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to),
			least = from > to ? from : to;
	for (int64_t d = 1; d <= devices / d && d < DIVISORS_MOST; d++) {
		if (devices % d)
			continue;
		const int64_t cuts[] = {d, devices / d};
		for (int i = 0; i < 2; i++)
			if (all % cuts[i] == 0 && all / cuts[i] >= least)
				take_nearer(all / cuts[i], wall, direction, &best);
	}
	return best;
}

/* A plan that a strategy found here can be found again; others stay as they are. */
static bool is_found(const struct screen *screen)
{
	const sw_plan *plan = screen_plan(screen);
	return plan && !plan->origin && !session_hand(&screen->session->state, false);
}

/* The plan and the search as they were, under the new budget. */
static void follow_wall(struct screen *screen, bool planned, sw_strategy strategy, bool done, int settled)
{
	if (planned)
		screen_do(screen, true, "plan %s", sw_strategy_name(strategy));
	if (done)
		screen_do(screen, true, "finish");
	else if (settled)
		screen_do(screen, true, "step %d", settled);
}

void wall_move(struct screen *screen, int direction)
{
	sw_walk *walk;
	sw_diag diag;
	if (!session_walk(screen->session, &walk, &diag)) {
		screen_say(screen, ROLE_BAD, "%s", diag.message);
		return;
	}
	const sw_plan *plan = screen_plan(screen);
	const sw_problem *problem = sw_walk_problem(walk);
	int64_t wall = wall_next(problem, sw_walk_largest(walk), direction);
	sw_dtype dtype = problem->from.dtype;
	sw_unit unit = sw_walk_unit(walk);
	if (!wall) {
		screen_say(screen, ROLE_NOTE,
			direction > 0 ? "nothing is larger than the whole array" :
							"any lower, and one of the two ends does not fit");
		return;
	}
	bool planned = is_found(screen), here = screen_walk(screen) != NULL, done = here && sw_walk_done(walk);
	sw_strategy strategy = planned ? plan->strategy : SW_FUSED;
	int settled = here ? sw_walk_settled(walk) : 0;
	if (!screen_do(screen, true, "budget %lld", (long long)wall))
		return;
	follow_wall(screen, planned, strategy, done, settled);
	screen->viewpoint.trade = 0;
	struct words size = words_size(wall, dtype, unit), bytes = words_bytes(wall, dtype);
	bool both = strcmp(size.text, bytes.text) != 0;
	screen_say(screen, ROLE_NOTE, "the budget is %s%s%s%s%s", size.text, both ? " (" : "", both ? bytes.text : "",
		both ? ")" : "", screen_plan(screen) && !planned ? "; the plan was not made here, so it stays" : "");
}

/* ---- trades of memory against cost ---- */

static const struct kept_pareto_set *trades(const struct screen *screen)
{
	sw_problem problem;
	if (!session_problem(screen->session, &problem, NULL))
		return NULL;
	return session_pareto_set(screen->session, &problem);
}

/* Those of a formula are schedules, as they were listed; NULL: it is about plans, or none were. */
static struct listing *schedules_traded(struct screen *screen)
{
	struct listing *listing = schedules_are_present(screen->session) ? listed_of(screen, PANE_PARETO) : NULL;
	return listing && listing->of == screen->session->state.formula ? listing : NULL;
}

/* There is a problem, and no trades of it are known. */
bool makes_trades(struct screen *screen)
{
	sw_problem problem;
	if (schedules_are_present(screen->session))
		return !schedules_traded(screen);
	return session_problem(screen->session, &problem, NULL) && !trades(screen);
}

/* The trade under the cursor, from 0: the chosen one, else the cheapest below the wall. */
static int trade_now(const struct screen *screen, const struct kept_pareto_set *set)
{
	const sw_walk *walk = screen_walk(screen);
	int chosen = screen->viewpoint.trade - 1;
	if (chosen >= 0)
		return chosen < set->count ? chosen : set->count - 1;
	for (chosen = 0; walk && chosen + 1 < set->count && set->plans[chosen]->height > sw_walk_largest(walk);)
		chosen++;
	return chosen;
}

/* The plan under the cursor stands below the curve. */
static bool plan_below(const sw_plan *plan, int width, struct canvas *out, sw_diag *diag)
{
	struct canvas steps = {0};
	struct view_input in = {.plan = plan, .mesh = &plan->problem.mesh};
	struct view_options options = view_options_default(width);
	options.terse = true;
	bool ok = view_plan(&in, &options, &steps, diag);
	if (ok)
		canvas_copy(out, 0, out->height + 1, &steps);
	canvas_free(&steps);
	return ok;
}

static bool draw_traded(struct listing *listing, int width, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	bool drawn = listing_draw(listing, width, out, frame, diag);
	heads_find(out, "pareto", frame);
	heads_keep_list(out, listing, frame);
	if (listing->chosen)
		snprintf(frame->object, sizeof(frame->object), "schedule %d; Enter takes it", listing_number(listing));
	else
		snprintf(frame->object, sizeof(frame->object), "time against live memory; Down chooses one");
	return drawn;
}

bool draw_pareto(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	sw_walk *walk;
	struct listing *listing = schedules_traded(screen);
	(void)height;
	if (listing)
		return draw_traded(listing, width, out, frame, diag);
	if (!session_walk(screen->session, &walk, diag))
		return false;
	const struct kept_pareto_set *set = trades(screen);
	if (!set) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no trade of memory for cost is known yet");
		sw_diag_hint(diag, "Enter finds them, or: pareto");
		return false;
	}
	int at = trade_now(screen, set);
	struct view_options options = view_options_default(width);
	options.step = at;
	struct view_input in = {.mesh = &set->problem.mesh,
		.plans = (const sw_plan *const *)set->plans,
		.plan_count = set->count,
		.open_trades = set->open,
		.wall = sw_walk_largest(walk)};
	if (!view_pareto(&in, &options, out, diag))
		return false;
	heads_find(out, "pareto", frame);
	heads_keep(out, frame->heads ? frame->heads_y : -1, set->count, frame);
	frame->heads = 0; /* they order nothing: plans are from the most memory to the least */
	frame->row = row_chosen(out);
	if (!plan_below(set->plans[at], width, out, diag))
		return false;
	snprintf(frame->object, sizeof(frame->object), "plan %d; Enter takes it", at + 1);
	frame->at = at + 1;
	frame->of = set->count;
	return true;
}

bool move_pareto(struct screen *screen, int across, int down)
{
	struct listing *listing = schedules_traded(screen);
	if (listing)
		return listing_move(listing, across + down);
	const struct kept_pareto_set *set = trades(screen);
	if (!set)
		return false;
	int at = trade_now(screen, set) - across + down;
	screen->viewpoint.trade = 1 + (at < 0 ? 0 : at >= set->count ? set->count - 1 : at);
	if (screen->viewpoint.trade == 1)
		screen->viewpoint.top[PANE_PARETO] = 0;
	return true;
}

static void take_traded(struct screen *screen, const struct listing *listing)
{
	sw_text options = {0};
	listing_options(listing, &options);
	screen_do(screen, false, "pareto %d%s", listing_number(listing), sw_text_get(&options));
	sw_text_free(&options);
}

void open_pareto(struct screen *screen)
{
	const struct listing *listing = schedules_traded(screen);
	const struct kept_pareto_set *set = trades(screen);
	if (listing && listing->chosen)
		take_traded(screen, listing);
	else if (set && !listing)
		screen_do(screen, false, "pareto %d", trade_now(screen, set) + 1);
	else
		screen_do(screen, false, "pareto");
}
