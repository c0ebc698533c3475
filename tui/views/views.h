/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views: pictures and tables of meshes, types, plans and searches, drawn into canvases.
 *
 * A view clears the canvas it is given, draws as wide as the options say, and as high as it takes: the caller
 * scrolls.  What does not fit is folded with a count, and the picture says so.  Views know no terminal, no
 * colours and no alphabet.
 */
#ifndef SHARDWALK_VIEWS_VIEWS_H
#define SHARDWALK_VIEWS_VIEWS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/film.h>
#include <shardwalk/hardware.h>
#include <shardwalk/rounds.h>
#include <shardwalk/mesh.h>
#include <shardwalk/notation.h>
#include <shardwalk/plan.h>
#include <shardwalk/type.h>
#include <shardwalk/uneven.h>
#include <shardwalk/walk.h>

#include "canvas/canvas.h"

/* What so many executions of a plan come to. */
struct repeated {
	int64_t times;       /* 1: nothing is told of it */
	int64_t cost, bytes; /* of the cost, under the model paper */
	int64_t received;    /* bytes that arrive at each device */
	double seconds;      /* predicted; negative: not known */
	const char *machine; /* that they are predicted for; NULL: not known */
};

struct records;
struct times;
struct live_run;

/* What a plan takes by the model roofline where its larger end has so many bytes on a device. */
struct sweep {
	double least, most; /* of these sizes */
	double size;        /* that the bounds are of */
	int count;          /* of steps */
	const sw_roofline *step;
	double members;       /* of its only step, where that passes on pieces of this size; else 0 */
	const char *measured; /* elsewhere, by others; NULL: nothing */
};

struct advice_picture;
struct sum_look;
struct sw_computation;
struct general;
struct sets_look;
struct relation_look;
struct tasks_look;
struct schedule_look;
struct fields;
struct imports;
struct program_picture;

/* What a plan does not say itself. */
struct plan_facts {
	double volume;              /* elements that arrive from other devices */
	double predicted, measured; /* seconds; negative: not known */
	int same; /* the plan before it, from 1, that takes the same steps and whose row it shares; 0: none */
};

/* A strategy that has no plan. */
struct plan_refusal {
	const char *name, *reason;
};

/* How the costs of one strategy over many problems relate to those of another one. */
struct ratios {
	const char *name;
	int count; /* ratios, in ascending order */
	const double *ratio;
	int infinite;      /* problems with a cost against a cost of 0: left out */
	int over, missing; /* plans above the budget; problems without a plan */
};

#define VIEW_MIN_WIDTH 24 /* narrower pictures say what width they need */

/* What there is to show; a view takes what it needs and fails with L07 where that is missing. */
struct view_input {
	const sw_mesh *mesh;   /* view_mesh, view_type, view_tiles, view_devices */
	const sw_type *type;   /* view_type, view_tiles, view_devices; without it they take what the plan says */
	const char *type_name; /* how it is called; may be NULL */
	const sw_type *after;  /* view_tiles, view_devices: a second type, shown as "after" */
	const char *after_name;
	const int64_t *devices,
		*after_devices;          /* without a plan: the device in each slot of the mesh; NULL: its number */
	const sw_plan *plan;         /* view_plan, view_heights, view_traffic; view_tiles, view_devices with a step */
	struct repeated repeated;    /* view_plan: its sums for many executions; times 0: none */
	double planned_in;           /* view_plan: seconds that it took to find the plan; 0: not told */
	const sw_plan *const *plans; /* view_compare, in the order in which they are shown */
	const char *order;           /* of them: the word of --by; NULL: best first */
	int plan_count;
	const struct plan_facts *facts; /* view_compare, one a plan; NULL: not known */
	int64_t wall;                   /* view_pareto: the budget, in elements; 0: it is not drawn */
	bool open_trades;               /* view_pareto: with more memory than these take a cheaper one is not excluded */
	const struct plan_refusal *refusals; /* view_compare: strategies without a plan */
	int refusal_count;
	const char *machine;         /* that times are predicted for */
	const sw_hardware *hardware; /* view_type: that is set; NULL: not known */
	const char *unlike;          /* view_compare: why times measured here need not be like these; NULL: they should */
	const char *why;             /* view_compare: a sentence about the winner; NULL: none */
	const char *not_taken;       /* view_compare: why the winner is not what `plan` takes; NULL: it is */
	const struct ratios *ratios; /* view_histogram */
	int ratio_count;
	const char *against;                 /* the strategy that ratios are to, and what they are of */
	const struct advice_picture *advice; /* view_advice: waypoints and what they come to */
	const sw_film *film;                 /* view_rewriting */
	const struct sw_moments *moments;    /* view_film, view_mesh, view_traffic: of a program, in place of a plan */
	const sw_plan *beside;               /* view_film: a second plan below the first; NULL: none */
	const struct sw_moments *beside_moments; /* view_film: the same of a program */
	const char *beside_name;
	const struct sw_owners *owners, *beside_owners; /* view_film: of both; NULL: it finds them itself */
	const sw_machine *timed;           /* view_film: of plans whose model counts elements; NULL: the default one */
	const struct times *measured;      /* view_film: steps of the first plan as a run measured them; NULL: none did */
	const struct sw_program *products; /* view_terms, view_indices: the program whose products they are */
	const sw_rounds *rounds;           /* view_rounds: those of step `rounds_step` (from 0) of the plan */
	int rounds_step;
	const sw_walk *walk;                   /* view_graph */
	const struct records *times;           /* view_times: what a run measured */
	int times_number;                      /* it is result $number; 0: it has none */
	const struct sweep *sweep;             /* view_times: predictions over the size instead */
	const struct live_run *live;           /* view_times: it goes on; NULL: it is at its end */
	double now;                            /* seconds, for the time that is left */
	const sw_uneven *uneven;               /* view_uneven: a size and what cuts it */
	int64_t row_bytes;                     /* of one of its elements with all that hangs on it; 0: not known */
	const sw_sharding *sharding;           /* view_sharding */
	const sw_sharding *other;              /* view_sharding: what stands beside it; NULL: nothing */
	const struct imports *imports;         /* view_imports: what a log or a module holds */
	const struct program_picture *program; /* view_program, view_derivation */
	struct arrangement *arranged;          /* view_program, view_histogram: how rows are shown; NULL: as they come */
	const struct sw_computation *formula;  /* view_needs */
	const struct sets_look *sets;          /* view_sets (views/sets.h) */
	const struct general *general; /* view_type, view_tiles, view_devices: types that are no tile types, instead */
	const struct relation_look *relation; /* view_relation */
	const struct tasks_look *tasks;       /* view_tasks (views/computed.h) */
	const struct schedule_look
		*schedule;         /* view_loops and those after it; view_needs, view_traffic, instead (views/scheduled.h) */
	const sw_pulse *pulse; /* is asked while much is worked out; NULL: nobody watches */
	const struct sum_look *look; /* view_system and those after it (views/summed.h) */
};

#define VIEW_ALL (-1)

/* Start from view_options_default(width): everything is chosen by the view. */
/* Takes what is drawn of a long picture, and gives the canvas for what comes next.  false: an error in `diag`. */
struct view_parts {
	bool (*next)(void *context, struct canvas **out, sw_diag *diag);
	void *context;
};

/* What is drawn in a cell of a film. */
struct film_spot {
	int x, y;   /* the cell; asked */
	bool found; /* there is an element of ... */
	int moment; /* ... this picture */
	int64_t index[SW_MAX_DIMS];
	int64_t device;   /* that has it then; -1: none */
	int dims[2];      /* of the plan's array, down and across; VIEW_ALL: there is none */
	int64_t unit[2];  /* elements of a block there */
	int array;        /* of a program: whose element it is, */
	int above, below; /* and the arrays drawn above and below the one that `dims` are of, round about */
};

/* What a device has after a step, as the elements that are followed. */
struct view_tile {
	const struct sw_owners *of; /* NULL: no tile is followed */
	int step;
	int64_t device;
};

struct view_options {
	struct film_spot *spot;          /* film: is filled; NULL: nobody asks */
	int width;                       /* columns, 1 or more */
	int height;                      /* rows one would like it to fit into, or 0: fold only what is hopeless */
	int room;                        /* tiles, devices: rows of the pane, which the picture fills; 0: not known */
	const int64_t *element;          /* tiles, devices, type, mesh, traffic: who holds it is marked; NULL: none */
	struct view_tile tile;           /* film, mesh, plan, traffic: this is followed, in which the element is */
	int array;                       /* film of a program: the array that it is of */
	int64_t hop;                     /* rounds: this hop alone, from what is held before it; VIEW_ALL: all */
	int step;                        /* of the plan: tiles and devices: 0 before the first, k after step k; before and
	                               * after are shown for k > 0.  traffic: step k, 0 all of them.  plan, heights
	                               * and compare: the row that is marked; program: the redistribution.  VIEW_ALL: tiles and devices show
	                               * first and last, traffic the total */
	int dims[2];                     /* tiles, devices: dimensions shown; VIEW_ALL: the view chooses */
	bool fold;                       /* tiles: other dimensions are folded (all their tiles in one cell) ... */
	int64_t fixed[SW_MAX_DIMS];      /* ... else fixed at this tile, counted from 0 */
	int axes[2];                     /* mesh: axes shown as rows and columns; VIEW_ALL: the view chooses */
	int64_t coordinate[SW_MAX_AXES]; /* mesh: where the axes that are not shown stand */
	int64_t device;                 /* tiles, devices, traffic: this one is marked and always shown; VIEW_ALL: none */
	const struct view_parts *parts; /* import: it is given away in parts; NULL: it is one picture */
	int node;                       /* graph: node that is marked and always shown; 0: the current one */
	int group;                      /* film: steps from one picture to the next; 0: the view chooses */
	double passed;                  /* film: this part of the step after `step` has passed, below 1 */
	bool letters;                   /* film: owners as letters, for where there are no colours */
	bool lanes;                     /* graph: in lanes */
	bool refused;                   /* graph: list refused edges of that node, with the reason */
	bool whole;                     /* reductions: all rows, for a list that scrolls */
	bool terse;                     /* plan: why a step is there is said of the marked one alone */
	bool bytes;                     /* heights, traffic: bytes instead of elements */
};

struct view_options view_options_default(int width);

typedef bool view_function(const struct view_input *in, const struct view_options *opt, struct canvas *out,
	sw_diag *diag);

view_function view_mesh;      /* axes, sizes, links, prime factors; device numbers as a grid over two axes */
view_function view_type;      /* a ruler per dimension; local type, sizes, tiles, copies, unused axes */
view_function view_tiles;     /* which devices hold which tile, over two dimensions; before and after */
view_function view_devices;   /* which tile each device holds, by ranges of devices; before and after */
view_function view_heights;   /* memory after each step as bars, the budget as a line, live memory beside it */
view_function view_film;      /* the plan as a row of pictures, with memory and time */
view_function view_rewriting; /* one rewriting of a sequence: the rule, and the heights before and after */
view_function view_rounds;    /* a collective hop by hop: what devices hold, send and have added */
view_function view_plan;      /* table of the steps, and totals */
view_function view_compare;   /* table of several plans */
view_function view_graph;     /* the search graph by levels of size */
view_function view_traffic;   /* who sends how much to whom */
view_function view_histogram; /* ratios of costs over many problems: means, extremes and how they are distributed */
view_function view_pareto;    /* memory against cost or time of several plans */
view_function view_sharding;  /* how devices come to tiles, and who holds which; two: where they differ.  `explain` */
view_function view_imports;   /* what was found in a log or a module: bytes and peaks now and planned */
view_function view_advice;    /* hops of advice, and what they come to without and with it */
view_function view_program;   /* values with types, memory and time, what moves, and what it comes to */
view_function view_derivation;  /* the rule by which each value has its type, as a tree */
view_function view_terms;       /* blocks of products as the terms that they are made of */
view_function view_indices;     /* which indices of products each device multiplies */
view_function view_uneven;      /* what the systems do with a size that does not divide.  `explain 17 over 8` */
view_function view_sets;        /* what each device holds under a type of any kind */
view_function view_relation;    /* who needs what of whom between both ends, and the pattern */
view_function view_system;      /* levels of a system, its ports, and the load of a step on them */
view_function view_placement;   /* devices with their coordinates along the axes of parallelism */
view_function view_groups;      /* who works together in a step on chunks, or in all of a hierarchy */
view_function view_state;       /* which shares of which chunks devices hold */
view_function view_hierarchies; /* factors of a placement in five orders */
view_function view_reductions;  /* programs of all placements as bars */
view_function view_needs;       /* what devices need for a formula and do not hold; of one, from whom */
view_function view_tasks;       /* rounds of tasks in layers, arcs, the critical path, what may start */
view_function view_loops;       /* the loops of a schedule, and pseudocode */
view_function view_holds;       /* what processors hold in a step of it, and who sent that */
view_function view_execution;   /* processors against time */
view_function view_times;       /* measured against predicted, per step and in all, as a table and as bars */

/* What programs get of a view. */
typedef bool view_members(const struct view_input *in, const struct view_options *opt, struct fields *fields,
	sw_diag *diag);
view_members sets_fields;     /* those of sets_members; --element: who holds it, --device: what it has */
view_members relation_fields; /* both ends, and those of relation_members */
view_members needs_fields;
view_members tasks_view_fields;
view_members schedule_view_fields;

/* What a view is drawn of, and so what the word after `show VIEW` may name. */
enum view_of {
	OF_SETS,     /* a type of any kind; without a word `from` */
	OF_RELATION, /* both ends, of any kind */
	OF_STATE,    /* what is defined; it takes no word but a plan's number */
	OF_MESH,     /* the mesh, and the plan where a step or an element is asked for */
	OF_TYPE,     /* a type; without a word that of a step, or `from` */
	OF_ENDS,     /* a type; without a word both ends, or what the plan makes of them */
	OF_PLAN,     /* a plan */
	OF_WALK,     /* the search graph as far as it was walked */
	OF_RUN,      /* what a run measured, or what is predicted over sizes */
	OF_FILM,     /* a sequence that is rewritten */
	OF_PROGRAM,  /* the present program */
	OF_SUM,      /* the present sum, and a step of it */
	OF_GROUPS,   /* that, or an instruction */
	OF_SUMS,     /* the present sum on every placement */
	OF_FORMULA,  /* the last formula that was computed */
	OF_TASKS,    /* that, as it is repeated */
	OF_SCHEDULE, /* its schedule */
	OF_COUNT
};

/* One row a view, for `show`, layouts and help. */
struct view {
	const char *name;  /* "tiles" */
	const char *about; /* one sentence */
	view_function *draw;
	enum view_of of;
	bool takes_step;      /* its word may be the number of a step */
	bool takes_total;     /* and 0, for all of them together */
	bool draws_pieces;    /* it draws plans of which devices have pieces of tiles, too */
	bool draws_words;     /* and plans between types that are no tile types, and such types */
	bool of_products;     /* without a word it is drawn of the products of a program */
	bool draws_schedule;  /* and of the schedule, where that came last */
	bool draws_program;   /* and of the moments of the present program, where that came last */
	bool follows_program; /* and what is followed in these */
	bool has_rounds;      /* it is drawn of the rounds of a step */
	const char *schema;   /* what programs get of it; NULL: what is drawn, as text */
	view_members *fields;
	int late; /* the release that it came with, 0: the first; beginnings name the view that had them first */
};
extern const struct view views[];
extern const int view_count;
const struct view *view_named(sw_str name);

/* Draws why a view has nothing to show, and what to type to fill it. */
void view_draw_empty(const sw_diag *diag, int width, struct canvas *out);

#endif
