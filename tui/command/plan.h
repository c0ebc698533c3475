/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands that plan share.
 */
#ifndef SHARDWALK_COMMAND_PLAN_H
#define SHARDWALK_COMMAND_PLAN_H

#include "command/command.h"
#include "views/views.h"

/* Settings, overridden by an invocation's argument `strategy` (may be NULL) and options; sizes are still texts,
 * because bytes and factors depend on the problem. */
struct plan_request {
	sw_strategy strategy;
	sw_model model;
	const char *hardware;
	struct size budget, live;
	unsigned without;
	int64_t prove;  /* ways to look at; see PROVED_A_MILLISECOND */
	int64_t memory; /* bytes that a search may hold */
	const sw_machine
		*ports; /* of the model `ports`, for plans over the mesh of the session; NULL: it is another model */
	const sw_mesh *ports_mesh; /* that mesh */
	bool sizes_only;           /* as in sw_plan_options; false as it is read */
};

/* The machine of the model that is asked for.  Plans over another mesh than the one that is placed know no ports: there the model
 * is `paper` in place of it. */
bool plan_request_machine(const struct plan_request *asked, const sw_mesh *mesh, sw_model *model,
	const sw_machine **machine, sw_diag *diag);
bool plan_request_read(const struct invocation *run, const struct word *strategy, struct plan_request *asked,
	sw_diag *diag);

/* Where an end is no tile type a strategy that plans between these only is passed over: the plan is direct.  Is it so? */
bool plan_request_fit(struct plan_request *asked, const sw_problem *problem);

/* The options for one problem. */
bool plan_request_options(const struct plan_request *asked, const sw_problem *problem, const sw_pulse *pulse,
	sw_plan_options *options, sw_diag *diag);

/* The machine that times are predicted for: the model's, or where that counts elements the hardware that is set. */
bool compare_machine(const struct plan_request *asked, int64_t devices, const sw_machine **machine, sw_diag *diag);

/* The same over this mesh, which may be one that lies on a system. */
bool compare_machine_on(const struct plan_request *asked, const sw_mesh *mesh, const sw_machine **machine,
	sw_diag *diag);

/* Above this many devices groups are made only for who asks for them. */
#define GROUPED_DEVICES 4096

/* sw_plan_find, with progress shown and Ctrl-C heard; the plan's search tells the seconds of all. */
bool plan_find(const struct invocation *run, const sw_problem *problem, const sw_plan_options *wanted,
	sw_arena *arena, sw_plan *plan, sw_diag *diag);

/* The present problem through its stops: a plan for each leg, and all their steps one after the other as one plan, called
 * "chain"; `chain` tells of the legs, and of the plan without stops.  Everything lives in `arena`. */
bool chain_find(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	sw_arena *arena, sw_plan *plan, const struct chain **chain, sw_diag *diag);

/* Adds "legs": [...], "direct": {...}. */
void chain_fields(const struct chain *chain, const sw_mesh *mesh, struct fields *in);

/* A refused budget is marked where it was given on this line; returns false. */
bool refuse_budget(const struct invocation *run, sw_diag *diag);

/* A plan that was made from sizes gets its groups now, in the command's arena. */
bool plan_with_groups(const struct invocation *run, const sw_plan *plan, sw_plan *grouped, sw_diag *diag);

/* The type that steps by hand have come to; it has an element type where `from`, `to` or a step says one. */
sw_type hand_type(const struct state *state);

/* Adds a step by hand that leads to `after`.  An element type that only the step says becomes that of the ends and of all
 * steps before it.  E01. */
bool hand_push(struct session *session, const sw_call *call, const sw_type *after, sw_diag *diag);

/* The steps by hand become the present plan; where there are none, there is none. */
void hand_as_plan(struct session *session);

/* Reads a file of problems, one a line, as `batch` does, and shows each to `visit`.  It may add to `out`.  A bad line, or one
 * that `visit` refuses, is told of in its place and counted.  false: nothing could be read or written. */
typedef bool problem_visit(void *context, const sw_problem *problem, const char *name, sw_arena *arena, sw_text *out,
	sw_diag *diag);
bool problems_visit(const struct invocation *run, const struct word *file, problem_visit *visit, void *context,
	sw_diag *diag);

/* Prints a plan as JSON or draws the view of it, with the seconds that it took to find it (0: not told). */
bool plan_answer(const struct invocation *run, const sw_plan *plan, double seconds, sw_diag *diag);

/* Answers with a view of what `in` holds; `options` NULL: the usual ones. */
bool view_answer(const struct invocation *run, view_function *draw, const struct view_input *in,
	const struct view_options *options, sw_diag *diag);

/* Makes a problem the session's: mesh, both ends, and their orders of devices.  E01. */
bool take_problem(struct session *session, const sw_problem *problem, sw_diag *diag);

/* Takes the text of a file for a plan or a result of `run`, as `open` does. */
bool open_text(const struct invocation *run, const struct word *file, const sw_text *text, sw_diag *diag);

#endif
