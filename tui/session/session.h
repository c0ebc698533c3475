/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session: what was defined so far, what was found, and how to go back.
 *
 * All that a command may change in the problem is the `state`, a value: a snapshot of it is taken before each
 * change, and `undo` puts the last one back.  What is large (plans, walks) is held by counts and never changed by a
 * copy's holder; named types and steps by hand are lists that only grow, in the session's arena, so that copies
 * share them.
 */
#ifndef SHARDWALK_SESSION_SESSION_H
#define SHARDWALK_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/distribution.h>
#include <shardwalk/log.h>
#include <shardwalk/mesh.h>
#include <shardwalk/owners.h>
#include <shardwalk/plan.h>
#include <shardwalk/product.h>
#include <shardwalk/tasks.h>
#include <shardwalk/type.h>
#include <shardwalk/uneven.h>
#include <shardwalk/walk.h>

#include "session/placing.h"
#include "session/records.h"
#include "session/settings.h"
#include <shardwalk/context_walk.h>

/* A type of any kind: a tile type, or, with words, the array alone and what devices have of it. */
struct any_type {
	sw_type type;
	const sw_distribution *words; /* NULL: a tile type */
};

struct named_type {
	char name[SW_NAME_SIZE];
	int failed;                    /* line of the `type` statement that failed, or 0 */
	const struct named_type *next; /* older ones; the same name further down is hidden */
	struct any_type is;
};

/* One step applied by hand.  All steps of a sequence are on types, or all are on chunks. */
struct hand_step {
	const struct hand_step
		*before; /* NULL: it was applied to the session's `from`, or each device holds its own share */
	int count;   /* steps up to this one */
	sw_step step;
	bool on_chunks;
	sw_hierarchy_kind hierarchy; /* of a step on chunks: that it was read with, and all before it */
	sw_call call;                /* of one on types: how it was applied, and ... */
	sw_type after;               /* ... what it makes */
};

/* A type on the way from `from` to `to`. */
struct stop {
	const struct stop *before; /* NULL: it comes first */
	sw_type type;
};

/* One stretch of a plan through stops. */
struct leg {
	const sw_type *from, *to;
	int steps;
	int64_t cost, height;
	double model_cost;
};

/* What a plan through stops is made of. */
struct chain {
	int count;
	struct leg *leg;
	bool has_direct; /* there is a plan without the stops */
	int direct_steps;
	int64_t direct_cost;
	double direct_model_cost;
};

struct kept_plan {
	int holders;
	int number;                /* it is result $number */
	unsigned without;          /* operations that it was not to use, bits 1 << sw_op */
	const struct chain *chain; /* NULL: it leads straight from one end to the other */
	bool renumbered;           /* the devices of `to` have the best numbers, whatever those of the problem are */
	int program, length;   /* it is so many-th of the reduction programs of at most so many steps; 0: it is none */
	const char *algorithm; /* or it is this published one, or `best`; NULL: neither */
	sw_arena *arena;
	sw_plan plan;
	const sw_owners *owners; /* of it; NULL: nobody asked for them */
};

/* The plans that `pareto` showed last. */
struct kept_pareto_set {
	sw_arena *arena; /* it lives in it itself, and so do the plans */
	sw_problem problem;
	unsigned without;
	bool open; /* with more memory than these take a cheaper one is not excluded */
	int count;
	sw_plan **plans;
};

/* What `compare` drew last; only the folders above know what is in it. */
struct view_input;
struct kept_compared {
	sw_arena *arena;                /* it lives in it itself */
	int number;                     /* no two of a session have the same */
	const char *subject;            /* that it is of (session/subject.h) */
	const char *statement;          /* that compared */
	const struct view_input *shown; /* its plans are copies */
};

/* The table that `import` showed last; only the folders above know what is in it. */
struct imports;
struct import;
struct kept_imports {
	sw_arena *arena; /* it lives in it itself */
	const struct imports *imports;
	const struct import *import;
};

/* A plan of a run: its name in the records, and its steps as a text that is the same for the same steps. */
struct run_plan {
	const char *name, *steps;
	const struct run_plan *next;
};

/* A formula by a schedule or without one, and the plan of a run that computed it. */
struct run_formula {
	const char *key, *plan;
	const struct run_formula *next;
};

/* What a run measured. */
struct kept_run {
	int number;      /* it is result $number */
	sw_arena *arena; /* it lives in it itself */
	bool has_problem;
	sw_problem problem; /* that was run; not known where the result was read from a file */
	const struct run_plan *plans;
	const char *ways;                   /* of which product and model, where ways were run; else NULL */
	const struct run_formula *computed; /* formulas by which schedules, where some were run; else NULL */
	struct records records;
};

struct sw_computation;

/* A formula as it was computed; it lives in the session's arena. */
struct kept_formula {
	const char *text;
	const struct sw_computation *computation;
	bool product;                   /* it is one, which was kept with it */
	const struct named_type *types; /* as they were then */
};

/* In the session's arena. */
struct kept_product {
	const char *text;
	sw_product of;
};

/* The formula as `tasks` repeats it, in the session's arena. */
struct kept_tasks {
	const struct kept_formula *formula;
	int64_t steps, every;
	sw_tasks of;
};

struct kept_schedule;
struct own_schedule;
struct kept_param;
struct kept_program;
struct program_picture;
struct held_plan;
struct chosen_plan;
struct outside;

struct kept_walk {
	int holders;
	int number; /* no two walks of a session have the same */
	sw_walk_kind kind;
	sw_walk *walk;
	const struct placing *placing;        /* of a sum: where it is */
	sw_context_sum sum;                   /* and what is summed */
	const struct kept_tasks *tasks;       /* whose rounds are walked: then it goes on where the problem changes */
	const struct kept_schedule *schedule; /* the same of its steps */
};

/* A warning of XLA that was imported.  It may speak of one group of devices of a larger problem. */
struct warning {
	sw_log_pair pair; /* what it points to lives in the session's arena; it is no problem */
	int64_t more;     /* devices that other warnings of its log speak of; 0: of no more */
	int back;         /* the row of its import that warns of the way back, of the gradient or the value; 0: none */
	int others;       /* what else uses its value in the module; -1: not known */
	bool chosen;      /* nothing in the module asks for what XLA goes to */
	bool has_mesh;
	sw_mesh mesh; /* that the user had given before */
};

/* Whose the two ends are. */
enum ends_of { ENDS_OF_NOTHING, ENDS_OF_WARNING, ENDS_OF_WHOLE };

/* What was defined or made last: what `run` and `advise` speak of where nothing else is said. */
enum subject { SUBJECT_PROBLEM, SUBJECT_PRODUCT, SUBJECT_PROGRAM, SUBJECT_FORMULA, SUBJECT_SCHEDULE };

/* What may be defined, and may fail to be. */
enum definition { DEFINED_MESH, DEFINED_SHAPE, DEFINED_FROM, DEFINED_TO, DEFINITION_COUNT };

/* A constraint that is better left out, on the way of an imported row. */
struct kept_left_out {
	sw_type from, to;   /* of the row, as it was taken */
	const char *text;   /* a sentence; NULL: there is none */
	bool offer;         /* something rises without it, or nobody knows which it is */
	const char *bound;  /* that what is saved is no more than a bound, in a sentence; NULL: it is certain */
	const char *unsure; /* why lines for it may save more or less, in a sentence; NULL: they save what they say */
	int64_t now;        /* bytes that the module brings to a device on its way; 0: it is no chain of one */
};

struct state {
	bool has[DEFINITION_COUNT];
	int failed[DEFINITION_COUNT]; /* line of the statement of a script that failed, or 0 */
	sw_mesh mesh;
	bool found_mesh; /* it was found from numbers of devices: no program has axes by these names */
	sw_type shape;   /* replicated: only sizes and element type count */
	sw_type from, to;
	const sw_distribution *from_words,
		*to_words; /* of an end that `has` not, as it is no tile type: its type is the array alone; else NULL */
	const int64_t *to_order;              /* the devices in the slots of the mesh in the end; NULL: as in the mesh */
	const struct warning *warning;        /* the last that was imported; NULL: none */
	const struct kept_left_out *left_out; /* of the last import; NULL: none, and of other ends no more */
	enum ends_of ends_of;                 /* the warning's own, or of the problem that it is about */
	const struct named_type *types;
	const struct placing *placing;      /* parallelism axes on a system in levels; NULL: no system is defined */
	const struct kept_product *product; /* of the last `einsum`; NULL: there was none */
	const struct kept_formula *formula; /* of the last `compute`; NULL: there was none */
	const struct kept_tasks *tasks;     /* of the last `tasks`, be it of an older formula; NULL: there was none */
	const struct kept_schedule
		*schedule; /* of the last formula (session/schedules.h), or of an older one; NULL: there is none */
	const struct kept_schedule *taken; /* that of a row of `compare`; NULL: no row was taken */
	const struct own_schedule *own;    /* what stood there before it (command/compare/taken.c); NULL: nothing did */
	const struct kept_param *params;   /* numbers with names, the newest first */
	const struct stop *via;            /* the last stop between both ends; NULL: there is none */
	const struct hand_step *hand;      /* the last step by hand; NULL: there is none */
	const struct hand_step *normal, *rewritten; /* the normal form made last, and the steps it was made from */
	struct kept_plan *plan;
	struct kept_walk *walks[SW_WALK_KINDS]; /* NULL: not begun */
	sw_walk_kind walked;                    /* the one that steps go on */
	bool has_focus;                         /* `goto` chose a node of it to look at; the next step looks at its own */
	int64_t focus[SW_MAX_DIMS];             /* its local type, or its context */
	struct settings settings;
	bool old_budget;                    /* it was said of another mesh */
	const struct kept_program *program; /* the present one (session/present.h); NULL: there is none */
	const struct chosen_plan *chosen;   /* plans of its redistributions, the last chosen first */
	enum subject subject;
	int entered; /* the redistribution of it that is the problem, from 1; 0: none is; of the formula the array, from -1 down */
	int entered_level; /* of a mesh with levels, at which an array of a schedule is entered; 0: there are none */
	bool entered_step; /* it is what moves of the array in a step of a schedule, whose nearest holders send */
	struct outside *outside; /* what `leave` gives back; NULL where none is entered */
};

/* What stood there before a redistribution was entered. */
struct outside {
	int holders;
	struct state state;
};

/* The moments of the present program (command/programs/moments.h), in their own arena, where they live themselves. */
struct kept_moments {
	sw_arena *arena;
	const struct kept_program *of;
	const struct chosen_plan *chosen;
	const struct program_picture *picture; /* whose plans they have; NULL: it was not drawn */
	const struct sw_moments *moments;
};

/* How the present program was drawn last, for the screens. */
struct kept_picture {
	sw_arena *arena; /* it lives in it itself */
	const struct kept_program *of;
	const struct chosen_plan *chosen;
	const struct program_picture *picture;
};

#define SESSION_UNDO 64
#define SESSION_RESULTS 64

struct snapshot {
	struct state state;
	char statement[80];
};

struct live_run;

/* A state to come back to. */
struct place {
	struct state state;
	int settled[SW_WALK_KINDS]; /* nodes, by its walks */
};

/* A graph of sums, as far as the setting `plan_memory` let it grow. */
struct kept_contexts {
	struct kept_contexts *before;
	int factors;
	bool all_masters;
	int64_t memory;
	sw_contexts *contexts;
};

#define RANKED_TOPS 3

/* Sums whose programs were compared on ranks, and in how many the fastest is among the first 1, 5 and 10 predicted. */
struct ranked_sums {
	int sums, within[RANKED_TOPS];
	int programs; /* the most that one of them had */
};

struct session {
	struct state state;
	sw_arena *arena;
	struct snapshot *undo[SESSION_UNDO];
	int tries; /* session_try began, once in the other */
	int undo_count;
	struct snapshot *redo[SESSION_UNDO];
	int redo_count;
	struct kept_plan *results[SESSION_RESULTS]; /* result $n is at n % SESSION_RESULTS */
	struct kept_run *runs[SESSION_RESULTS];     /* the same for results that are times */
	struct kept_run *last_run;                  /* NULL: none yet */
	struct ranked_sums ranked;
	struct live_run *live;              /* the run that goes on (session/live.h); NULL: none does */
	struct kept_picture *picture_kept;  /* of the present program; NULL: none was drawn */
	struct kept_moments *moments;       /* NULL: nobody asked for them */
	struct held_plan *chosen;           /* plans that were chosen for redistributions of programs */
	struct kept_pareto_set *pareto_set; /* NULL: none yet */
	struct kept_compared *compared;     /* NULL: nothing yet */
	int compared_count;
	struct kept_imports *imports;       /* NULL: none yet */
	struct kept_placements *placements; /* NULL: none were listed */
	struct kept_contexts *contexts;     /* the last that were needed; NULL: none yet */
	int result_count;
	int walk_count;
	struct console *console; /* where answers and messages go (answer/console.h) */
	struct document *answer; /* of the command that runs (answer/document.h); NULL: none does */
	struct screen *screen;   /* the picture, once there is one (screen/screen.h) */
	void (*print_screen)(const struct session *session,
		sw_text *text);  /* adds what makes it again; NULL: there is none */
	bool picture;        /* the prompt shall open it */
	const char *shown;   /* the view of what was made last, which the picture opens on; NULL: that it left */
	char repair[256];    /* what an empty line runs: the statement that failed with what was meant; empty: nothing */
	char running[160];   /* the statement that runs: for the report of a crash */
	struct film *film;   /* the script that is played (command/film.h); NULL: none is */
	int tour;            /* step of the tour that is on; 0: none is */
	struct place *aside; /* what was defined before a tour at the prompt; NULL: it was not kept */
	bool interactive;    /* a person is there: a line may go on, a failure changes no status */
	bool bail, echo, json;
	bool leaving;       /* `quit`, or a signal */
	int status;         /* that `quit` asked for; -1: none */
	long long failures; /* statements that failed */
	sw_code last;       /* why the last one did */
	int depth;          /* of scripts inside scripts */
};

/* With nothing defined; the console is whoever's it was. */
bool session_init(struct session *session, struct console *console);
void session_end(struct session *session);

/* ---- going back ---- */

/* Remembers the state before `statement` changes it.  Error: E01. */
bool session_remember(struct session *session, sw_str statement, sw_diag *diag);

/* After the statement: a snapshot of a state that did not change is forgotten; of a statement that failed it is
 * put back. */
void session_commit(struct session *session, bool ok);

/* Puts the last snapshot back; `what` gets its statement.  Error: S07. */
bool session_undo(struct session *session, char what[80], sw_diag *diag);

/* Takes the last session_undo back, as long as no statement has changed the state since.  Error: S07. */
bool session_redo(struct session *session, char what[80], sw_diag *diag);

/* The state as it is now, for who wants to come back to it: also the search stands where it stood.  NULL: no memory. */
struct place *session_place(const struct session *session);
void session_place_free(struct place *place);

/* Comes back to it; `undo` takes that back, as `statement`.  Error: E01. */
bool session_return(struct session *session, const struct place *place, const char *statement, sw_diag *diag);

/* What a copy of a state holds: each copy holds it once, and releases it. */
void session_hold(struct state *state);
void session_release(struct state *state);

/* What comes between is tried, which may be in the midst of another trial: the state is put back as it was, and nothing of it can be
 * undone by itself. */
void session_try(struct session *session, struct state *before);
void session_try_end(struct session *session, struct state *before);

/* ---- plans and walks ---- */

/* Makes a plan the present one and gives it the next result number. */
void session_keep_plan(struct session *session, sw_arena *arena, const sw_plan *plan);
void session_drop_plan(struct session *session);

/* Keeps a plan, which its caller holds once more, until the session ends. */
void session_hold_chosen(struct session *session, struct kept_plan *plan);

/* A walk becomes the one of its kind; that one is forgotten; steps go on with that kind from now on. */
void session_keep_walk(struct session *session, struct kept_walk *walk);
void session_drop_walk(struct session *session, sw_walk_kind kind);
bool session_walks_begun(const struct state *state, int from); /* any, of the kinds from this one on */
void session_walk_on(struct session *session, sw_walk_kind kind);

/* Result $number, NULL where there is none (any more). */
const struct kept_plan *session_result(const struct session *session, int64_t number);

/* It is a result no more, and freed where nothing else holds it; its number is not given again. */
void session_forget_result(struct session *session, int64_t number);

/* Who has what at every moment of a plan that the session keeps, found when it is asked for first.  NULL: it keeps no such plan, or these have no
 * owners. */
const sw_owners *session_owners(const struct session *session, const sw_plan *plan);

/* Keeps what a run measured, with its arena, as the next result.  false: no memory, the arena is freed. */
bool session_keep_run(struct session *session, sw_arena *arena, const struct records *records);

/* Result $number where it is times, else NULL. */
const struct kept_run *session_run(const struct session *session, int64_t number);

/* The last run was one of ways, of this product and model: `key` is copied.  Memory that is short leaves that unsaid. */
void session_ran_ways(struct session *session, const char *key);

/* The same of a formula, by a schedule or without one, which a plan of the run computed; and the last run of it, with its plan, NULL: there was
 * none. */
void session_ran_formula(struct session *session, const char *key, const char *plan);
const struct kept_run *session_run_of_formula(const struct session *session, const char *key, const char **plan);

/* ---- what commands need ---- */

/* The mesh; the problem between tile types; L07 where nothing is defined yet, L14 where its statement failed, T17 where an end is no
 * tile type. */
bool session_need(const struct session *session, enum definition what, sw_diag *diag);
bool session_problem(const struct session *session, sw_problem *problem, sw_diag *diag);

/* An end of any kind; false: it is not defined. */
bool session_any_end(const struct state *state, enum definition what, struct any_type *end);
bool session_has_end(const struct state *state, enum definition what);

/* Makes it that end. */
void session_put_end(struct state *state, enum definition what, const struct any_type *end);

/* The problem between ends of any kind.  L07, L14. */
bool session_any_problem(const struct session *session, sw_problem *problem, sw_diag *diag);

/* The devices of a problem in the slots of its mesh become those of the session's ends.  E01. */
bool session_keep_orders(struct session *session, const sw_problem *problem, sw_diag *diag);

/* Are sizes that do not divide padded, as `set uneven pad` asks? */
bool session_pads(const struct session *session);

/* The rule of sizes that do not divide, where the setting names one; else NULL. */
const sw_uneven_rule *session_uneven(const struct session *session);

/* The same sharding of the same array, with the same padding. */
bool session_same_type(const sw_type *a, const sw_type *b);

/* The last step by hand, if the steps by hand are on chunks, or on types, as asked; else NULL. */
const struct hand_step *session_hand(const struct state *state, bool on_chunks);

/* Adds a step behind them, which gets its number.  E01. */
bool session_add_hand(struct session *session, const struct hand_step *step, sw_diag *diag);

const struct named_type *session_type(const struct session *session, sw_str name);
bool session_name_type(struct session *session, sw_str name, const struct any_type *type, int failed, sw_diag *diag);

/* The session has no system any more: the model `ports` becomes that of a new session again. */
void session_leave_ports(struct session *session);

/* The mesh is this one.  true: a system and its placement, which were of another mesh, are left. */
bool session_set_mesh(struct session *session, const sw_mesh *mesh);

/* The same on the way into one redistribution of a program: a system of as many devices is kept. */
void session_enter_mesh(struct session *session, const sw_mesh *mesh);

/* The plan as found, or L07. */
bool session_plan(const struct session *session, const sw_plan **plan, sw_diag *diag);

/* Has every device a whole tile all the time?  Else T17 where an end is no tile type, or P06: of the pieces that reduction programs pass on no type says where they lie. */
bool plan_on_tiles(const sw_plan *plan, sw_diag *diag);

/* Adds two types that are cut along the axes of the mesh that is there, or of {x: 4, y: 6}: of the shape that `from` has. */
void session_example(const struct session *session, sw_text *from, sw_text *to);

/* Forgets what follows from `from`, `to` and the mesh: walks, plan and steps by hand. */
void session_drop_work(struct session *session);

/* Keeps moments, with their arena; those before are forgotten.  NULL: none. */
void session_keep_moments(struct session *session, struct kept_moments *moments);

/* Keeps a picture, with its arena; the one before is forgotten. */
void session_keep_picture(struct session *session, struct kept_picture *picture);

#endif
