/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walks of a session: started where there are none, or where what they were about has changed.
 */
#include "session/walks.h"

#include <assert.h>
#include <stdlib.h>

#include <shardwalk/schedule_walk.h>
#include <shardwalk/task_walk.h>

#include "session/machine.h"
#include "session/schedules.h"
#include "session/sums.h"

/* NULL: it was not made, and `diag` says why, or there is no memory. */
static struct kept_walk *keep(struct kept_walk walk, sw_diag *diag)
{
	struct kept_walk *kept = walk.walk ? malloc(sizeof(*kept)) : NULL;
	if (kept)
		*kept = walk;
	else if (walk.walk) {
		sw_walk_free(walk.walk);
		sw_diag_memory(diag);
	}
	return kept;
}

/* ---- the search ---- */

static bool can_search(const struct session *session, sw_diag *diag)
{
	sw_problem problem;
	return session_problem(session, &problem, diag);
}

static struct kept_walk *start_search(struct session *session, sw_diag *diag)
{
	const struct settings *settings = &session->state.settings;
	sw_walk_options options = {
		.model = (sw_model)settings->value[SETTING_MODEL].number,
		.multi_dim = setting_is(settings, SETTING_MOVES, "several"),
		.without = (unsigned)settings->value[SETTING_WITHOUT].number,
		.goal_directed = setting_is(settings, SETTING_SEARCH, "astar"),
		.unit = settings->value[SETTING_BUDGET].size.scale,
	};
	sw_problem problem;
	if (!session_problem(session, &problem, diag) ||
		!size_elements(&settings->value[SETTING_BUDGET].size, &problem, &options.budget, diag))
		return NULL;
	if (options.model == SW_MODEL_PORTS) /* it prices plans, not moves */
		options.model = SW_MODEL_PAPER;
	if (!machine_find(options.model, settings->value[SETTING_HARDWARE].text, problem.mesh.devices, &options.machine,
			diag))
		return NULL;
	return keep((struct kept_walk){.kind = SW_WALK_TYPES, .walk = sw_walk_new(&problem, &options, diag)}, diag);
}

/* ---- sums ---- */

/* The sum that is there now; L07 with what to type, S08, E01. */
static bool read_sum(struct session *session, sw_context_sum *sum, sw_diag *diag)
{
	const struct placing *placing = session->state.placing;
	sw_hierarchy hierarchy;
	struct sum present;
	if (!need_placement(session, diag) || !need_sum(session, &present, diag))
		return false;
	*sum = (sw_context_sum){.system = &placing->system,
		.placement = &placing->placement,
		.axes = &placing->axes,
		.summed = present.axes,
		.bytes = present.bytes,
		.way = allreduce_asked(session),
		.goal_directed = setting_is(&session->state.settings, SETTING_SEARCH, "astar")};
	sw_hierarchy_make(&placing->placement, SW_HIERARCHY_SUMMED_LEVELS, present.axes, true, &hierarchy);
	if (hierarchy.count == 0)
		return sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the axes summed over have size 1: nothing to do");
	sum->contexts = contexts_asked(session, hierarchy.count, diag);
	return sum->contexts != NULL;
}

static bool can_sum(const struct session *session, sw_diag *diag)
{
	struct sum sum;
	return need_placement(session, diag) && need_sum(session, &sum, diag);
}

static bool sum_is_there(struct session *session, const struct kept_walk *kept, bool *there, sw_diag *diag)
{
	const sw_context_sum *was = &kept->sum;
	sw_context_sum sum;
	if (!read_sum(session, &sum, diag))
		return false;
	*there = kept->placing == session->state.placing && was->contexts == sum.contexts && was->summed == sum.summed &&
		was->bytes == sum.bytes && was->way == sum.way && was->goal_directed == sum.goal_directed;
	return true;
}

static struct kept_walk *start_reductions(struct session *session, sw_diag *diag)
{
	sw_context_sum sum;
	if (!read_sum(session, &sum, diag))
		return NULL;
	return keep((struct kept_walk){.kind = SW_WALK_CONTEXTS,
					.walk = sw_context_walk_new(&sum, diag),
					.placing = session->state.placing,
					.sum = sum},
		diag);
}

/* ---- tasks ---- */

const struct kept_tasks *session_tasks(const struct session *session, sw_diag *diag)
{
	const struct state *state = &session->state;
	if (state->tasks && state->tasks->formula == state->formula)
		return state->tasks;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0},
		state->formula ? "the formula is not repeated yet" : "there is no formula yet");
	sw_diag_hint(diag,
		state->formula ? "schedule .distribute(...) has steps, tasks 15 repeats it" :
						 "`type x = [3{x}12]`, `type y = x`, compute y[i] = x[i-1] + x[i+1], then tasks 15");
	return NULL;
}

/* ---- steps: of the schedule, or of the tasks, where these came last ---- */

/* The schedule whose steps are walked; NULL: tasks are. */
static const struct kept_schedule *stepped(const struct session *session)
{
	const struct state *state = &session->state;
	bool tasks = state->tasks && state->tasks->formula == state->formula && state->subject == SUBJECT_FORMULA;
	return tasks ? NULL : session_kept_schedule(state);
}

static bool can_step(const struct session *session, sw_diag *diag)
{
	return stepped(session) || session_tasks(session, diag);
}

static bool steps_are_there(struct session *session, const struct kept_walk *kept, bool *there, sw_diag *diag)
{
	const struct kept_schedule *schedule = stepped(session);
	const struct kept_tasks *tasks = schedule ? NULL : session_tasks(session, diag);
	*there = tasks == kept->tasks && schedule == kept->schedule;
	return tasks || schedule;
}

static struct kept_walk *start_steps(struct session *session, sw_diag *diag)
{
	const struct kept_schedule *schedule = stepped(session);
	const struct kept_tasks *tasks = schedule ? NULL : session_tasks(session, diag);
	struct kept_walk walk = {.kind = SW_WALK_STEPS, .tasks = tasks, .schedule = schedule};
	if (!schedule && !tasks)
		return NULL;
	walk.walk = schedule ? sw_schedule_walk_new(schedule->lowering, diag) : sw_task_walk_new(&tasks->of, diag);
	return keep(walk, diag);
}

/* ---- any walk ---- */

static const struct walk_row rows[SW_WALK_KINDS] = {
	[SW_WALK_TYPES] = {.title = "The search",
		.steered = SETTING_BIT(BUDGET) | SETTING_BIT(MODEL) | SETTING_BIT(MOVES) | SETTING_BIT(SEARCH) |
			SETTING_BIT(HARDWARE) | SETTING_BIT(WITHOUT),
		.possible = can_search,
		.start = start_search},
	[SW_WALK_CONTEXTS] = {.title = "Ways to sum",
		.steered = SETTING_BIT(SEARCH) | SETTING_BIT(MASTERS) | SETTING_BIT(ALLREDUCE),
		.possible = can_sum,
		.is_there = sum_is_there,
		.start = start_reductions},
	[SW_WALK_STEPS] = {.title = "Step by step",
		.possible = can_step,
		.is_there = steps_are_there,
		.start = start_steps},
};

const struct walk_row *session_walk_row(sw_walk_kind kind)
{
	assert((unsigned)kind < SW_WALK_KINDS);
	return &rows[kind];
}

const sw_walk_words *session_walk_words(sw_walk_kind kind)
{
	assert((unsigned)kind < SW_WALK_KINDS);
	static const sw_walk_words *(*const words[SW_WALK_KINDS])(void) = {
#define X(id, words) [SW_WALK_##id] = words,
		SW_WALKS(X)
#undef X
	};
	return words[kind]();
}

int session_steer_walks(struct session *session, enum setting setting)
{
	assert((unsigned)setting < SETTING_COUNT);
	int ended = 0;
	for (int kind = 0; kind < SW_WALK_KINDS; kind++) {
		if (!session->state.walks[kind] || !(rows[kind].steered >> setting & 1))
			continue;
		session_drop_walk(session, (sw_walk_kind)kind);
		ended++;
	}
	return ended;
}

bool session_walk_of(struct session *session, sw_walk_kind kind, sw_walk **walk, sw_diag *diag)
{
	assert((unsigned)kind < SW_WALK_KINDS);
	struct kept_walk **kept = &session->state.walks[kind];
	bool there = true;
	if (*kept && rows[kind].is_there && !rows[kind].is_there(session, *kept, &there, diag))
		return false;
	if (!there)
		session_drop_walk(session, kind);
	if (!*kept) {
		struct kept_walk *begun = rows[kind].start(session, diag);
		if (!begun)
			return false;
		session_keep_walk(session, begun);
	}
	*walk = (*kept)->walk;
	return true;
}

/* Steps of a formula go on in its schedule. */
static sw_walk_kind walked_kind(const struct state *state)
{
	bool formula = state->subject == SUBJECT_FORMULA && state->entered == 0;

	return formula && state->walked == SW_WALK_TYPES ? SW_WALK_STEPS : state->walked;
}

bool session_walked(struct session *session, sw_walk **walk, sw_diag *diag)
{
	return session_walk_of(session, walked_kind(&session->state), walk, diag);
}

const struct kept_walk *session_begun(const struct session *session)
{
	return session->state.walks[walked_kind(&session->state)];
}

bool session_walk(struct session *session, sw_walk **walk, sw_diag *diag)
{
	return session_walk_of(session, SW_WALK_TYPES, walk, diag);
}
