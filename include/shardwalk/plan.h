/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans: the steps that carry an array from one distributed type to another, with device groups, costs and
 * memory; how to find them, write them, read them, and prove them right.
 *
 * Sizes and costs are in elements per device unless a name says bytes or seconds.
 */
#ifndef SHARDWALK_PLAN_H
#define SHARDWALK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/holding.h>
#include <shardwalk/mesh.h>
#include <shardwalk/number.h>
#include <shardwalk/program.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* ---- strategies and cost models: rows of tables ---- */

typedef enum sw_strategy_flags {
	SW_PROVES = 1,        /* it keeps the budget, and says how much of "nothing is cheaper" is proved */
	SW_SEARCHES = 2,      /* of models in seconds it prices many plans, among them those of other strategies */
	SW_ONE_DIMENSION = 4, /* a step gathers, or splits, one dimension at most */
	SW_FOLLOWS = 8,       /* it does what another system does */
	SW_FOR_SUMS = 16,     /* between whole values it does what `fused` does */
	SW_BETWEEN_ANY = 32   /* it plans between types of any kind; others between tile types only */
} sw_strategy_flags;

/* Identifier, the function sw_candidates_... that finds its plans (plan/strategy.h), name, flags, and what it is. */
#define SW_STRATEGIES(X) \
	X(NAIVE, naive, "naive", 0, "gather every partitioned dimension, then slice: the obvious way") \
	X(PAPER, paper, "paper", SW_PROVES | SW_ONE_DIMENSION, \
		"shortest path over local types, turned into steps with at most one permutation, as published") \
	X(EXACT, exact, "exact", SW_PROVES | SW_SEARCHES | SW_ONE_DIMENSION, \
		"cheapest plan of one-dimension collectives, including the permutation") \
	X(FUSED, fused, "fused", SW_PROVES | SW_SEARCHES, \
		"cheapest plan in which one step may gather and split several dimensions (the default)") \
	X(XLA, xla, "xla", SW_FOLLOWS, \
		"what XLA's partitioner does: patterns in a fixed order, otherwise the whole array everywhere") \
	X(SHARDY, shardy, "shardy", SW_FOLLOWS, \
		"what Shardy's pass does: slice, permute, all-to-alls, gather, in at most two rounds") \
	X(DTENSOR, dtensor, "dtensor", SW_FOLLOWS, \
		"what PyTorch DTensor does: greedy, one mesh axis at each step; a search for orders that are not its " \
		"own") \
	X(DTENSOR_MIN_COST, dtensor_min_cost, "dtensor-min-cost", SW_FOLLOWS, \
		"what DTensor does when asked for the least cost: always its search") \
	X(DIRECT, direct, "direct", SW_BETWEEN_ANY, \
		"one exchange of point-to-point messages: every device receives what it needs from a holder") \
	X(SUM_FIRST, sum_first, "sum-first", SW_FOR_SUMS, \
		"one allreduce over all sums, then the cheapest plan, whatever memory it needs")

typedef enum sw_strategy {
#define X(id, find, name, flags, about) SW_##id,
	SW_STRATEGIES(X)
#undef X
		SW_STRATEGY_COUNT
} sw_strategy;

const char *sw_strategy_name(sw_strategy strategy);
const char *sw_strategy_about(sw_strategy strategy);
bool sw_strategy_is(sw_strategy strategy, unsigned flags);                 /* has it all of these? */
bool sw_strategy_parse(sw_str name, sw_strategy *strategy, sw_diag *diag); /* S04 with the nearest name */

#define SW_MODELS(X) \
	X(PAPER, "paper", "elements", "figure 11 of the paper: the size of the tiles that a step makes or moves") \
	X(VOLUME, "volume", "elements", "elements that actually arrive from another device") \
	X(LATENCY, "latency", "s", "seconds on the hardware that is set: rounds, bytes over links, and packing") \
	X(CALIBRATED, "calibrated", "s", "seconds by the rates that `calibrate` measured on this machine") \
	X(ROOFLINE, "roofline", "s", \
		"seconds on the hardware that is set: a step takes the longer of its hops and its bytes") \
	X(PORTS, "ports", "s", "seconds on the ports of the system that is set: a step takes its busiest port")

typedef enum sw_model {
#define X(id, name, unit, about) SW_MODEL_##id,
	SW_MODELS(X)
#undef X
		SW_MODEL_COUNT
} sw_model;

const char *sw_model_name(sw_model model);
const char *sw_model_unit(sw_model model);
const char *sw_model_about(sw_model model);
bool sw_model_is_timed(sw_model model); /* its unit is seconds; which ones depends on a machine */
bool sw_model_parse(sw_str name, sw_model *model, sw_diag *diag); /* S05 with the nearest name */

/* ---- the plan ---- */

typedef struct sw_machine sw_machine; /* cost.h */

typedef struct sw_plan {
	const char *name; /* may be NULL */
	sw_problem problem;
	sw_strategy strategy;
	const char *origin; /* for plans that were read: the strategy as written there; else NULL */
	sw_model model;
	const char *machine;     /* models in seconds: the name of the machine; may be NULL */
	int64_t budget;          /* bound on the height, in elements */
	int64_t live_budget;     /* bound on the peak memory, in elements; 0: none */
	sw_unit unit;            /* in which both were typed, and are told of */
	int64_t cost;            /* sum of the steps' costs under the model paper */
	double model_cost;       /* the same under `model` */
	bool timed_here;         /* though its program was read, its seconds were computed here */
	bool has_bound, optimal; /* strategies paper, exact and fused only */
	int64_t lower_bound;     /* no plan of this strategy can cost less (model paper) */
	double model_bound;
	int64_t local_cost; /* optimum over local types under paper; -1: not known */
	int64_t height;     /* largest tile, both ends included */
	int64_t live_peak;  /* largest sum of a step's tiles before and after; the tile where there is no step */
	const char *note;   /* what the followed system says or does beside its steps; or NULL */
	double received;    /* elements that reach a device as the followed system pads; 0: as the steps say */
	int permutes;
	bool normal_form;
	struct {
		int64_t settled, seen, edges;
		int64_t memory; /* bytes at which a search stopped; 0: none did */
		double seconds;
	} search;
	sw_program program; /* a chain: its input is what `from` says, and step k makes value k + 1 of value k */
} sw_plan;

#define SW_SEARCH_MEMORY ((int64_t)64 << 20)

typedef struct sw_plan_options {
	sw_strategy strategy;
	sw_model model;
	int64_t budget;            /* elements; 0: the larger localsize of both ends */
	int64_t live_budget;       /* elements; 0: none */
	sw_unit unit;              /* in which messages tell of both */
	unsigned without;          /* bit 1 << sw_op: operations that are forbidden */
	int64_t prove;             /* what exact and fused may look at for a proof alone (find_searched.c) */
	int64_t memory;            /* bytes that one search may hold; 0: SW_SEARCH_MEMORY */
	bool sizes_only;           /* leave groups and sources out: nothing is allocated per device */
	const sw_machine *machine; /* of models in seconds; NULL: the default one, and no model `calibrated` */
	const sw_pulse *pulse;     /* may be NULL */
} sw_plan_options;

/* Gives a plan room for so many steps, and for the values around them: all of it is 0, but for the first value, which is what
 * `from` says.  It lives in `arena`.  false: no memory. */
bool sw_plan_room(sw_plan *plan, int steps, sw_arena *arena);

/* Gives a plan steps and values of its own, as they are, with room for `more` behind them, all 0; what these point to is shared. */
bool sw_plan_own(sw_plan *plan, int more, sw_arena *arena);

/* Finds a plan by the strategy asked for, on the devices of the problem's mesh.  Everything in `plan` lives in `arena`.
 * Errors: T09; S01 with the smallest budget that would do; S02 where forbidden operations leave no plan, or another system
 * has none, or where nobody holds what is needed; T17 where an end is no tile type, and the strategy plans between these only; S03
 * stopped before any plan was known; S08 where devices are too many to list, or maps of all would take more
 * than 1 GiB; S09; S10 where the model `calibrated` has no machine; E01. */
bool sw_plan_find(const sw_problem *problem, const sw_plan_options *options, sw_arena *arena, sw_plan *plan,
	sw_diag *diag);

/* Brings a plan that was made for the slots of its mesh, none of whose steps changes the order of devices, to the devices that
 * its problem has there; sw_plan_find does.  Where these are others at the end than in the beginning a permute of the
 * plan changes the order; else its other steps do, each within the devices that share a block, which costs nothing (section
 * 6 of seed 000: any devices may form a group); else a permute is put in where tiles are smallest.  Under the strategies
 * paper, exact and fused no plan is called optimal by what was proved of one order.  S01, S02, S09, E01. */
bool sw_plan_reorder(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag);

/* Into how many pieces tiles are cut while sums are made piece by piece; 0: no step does that.  A plan that passes round whole tiles
 * alone has as many as terms are added, too. */
int sw_plan_pieces_of_tile(const sw_plan *plan);

/* What every slot has in value `k`, as a holding, in `arena` or in the plan.  false: no memory, or a device has pieces that are sums of
 * different terms, which no one holding says. */
bool sw_plan_holding(const sw_plan *plan, int k, sw_arena *arena, sw_holding *holding);

/* The plan with what is inside of its steps in their places, and for each step the one of `plan` that it is or is inside of (count: at the
 * end).  Lists live in `arena`, what they point to in `plan`.  false: no memory. */
bool sw_plan_unfold(const sw_plan *plan, sw_arena *arena, sw_plan *flat, int **outer);

/* What slots have of the `count` pieces of their tiles in value `k`: where a type says it all of them, each the term that is its own by
 * that type.  It lives in `arena` or in the plan.  NULL: S08, E01. */
const sw_pieces *sw_plan_pieces(const sw_plan *plan, int k, int count, sw_arena *arena, sw_diag *diag);

/* The elements that all slots together have in value `k`, copies and terms counted as often as there are; -1: they do not fit into 64
 * bits. */
int64_t sw_plan_on_all(const sw_plan *plan, int k);

/* The elements that all devices need room for: the height on each, or, between types of any kind, what they have together at most; -1
 * as above. */
int64_t sw_plan_height_on_all(const sw_plan *plan);

/* The first value of which devices have only pieces; -1: there is none. */
int sw_plan_first_pieces(const sw_plan *plan);

/* The device in each slot after step `k` (0: before the first); NULL: its number. */
const int64_t *sw_plan_order(const sw_plan *plan, int k);

/* The groups of step `k` (0-based) as a list, written out in `arena` where the plan has them as text; NULL where it has none,
 * or memory is short. */
const int32_t *sw_step_groups(const sw_plan *plan, int k, sw_arena *arena);

/* Step `k` (0-based) with groups and sources that speak of devices instead of slots, in `arena`.  Error: E01. */
bool sw_step_on_devices(const sw_plan *plan, int k, sw_arena *arena, sw_step *step, sw_diag *diag);

/* Says of the program of a plan what follows from its being a chain, in which each step reads what the one before it made: mesh,
 * numbers of values, operands, last uses, and bytes of values, -1 where they do not fit into 64 bits.  sw_plan_total does. */
void sw_plan_chain(sw_plan *plan);

/* Computes everything that follows from problem, strategy, steps (op, entries) and values (type or map, tile): localsize and cost of
 * each step, cost, height, live_peak, permutes, normal_form.  Error: S09. */
bool sw_plan_total(sw_plan *plan, sw_diag *diag);

/* The plan whose only step is this operation, with its groups.  Everything lives in `arena`, and the step's type is a copy.
 * Errors: T09, S08, S09, E01, and those of sw_plan_check where the operation does not lead from one end to the other. */
bool sw_plan_one_step(const sw_problem *problem, sw_op op, sw_arena *arena, sw_plan *plan, sw_diag *diag);

/* The devices of a group of step `k` (0-based), by what they gather and add up; 0 where it has no groups. */
int64_t sw_step_members(const sw_plan *plan, int k);

/* The elements that really arrive from other devices, per device: `received` where it is known, else what the model volume counts. */
double sw_plan_volume(const sw_plan *plan);

/* Fills groups, groups_text, source and senders (where there are none yet) of every step from the types and maps before and after it
 * (seed 000, section 6: any devices may form a group, not only lines of the mesh).
 * Errors: P05 where a step is no such collective, S08, E01. */
bool sw_plan_group(sw_plan *plan, sw_arena *arena, sw_diag *diag);

/* Base offsets in every slot after step `k` (0: before the first): devices x rank numbers, row-major, into `map`.
 * Errors: S08 above SW_MAX_MAP_DEVICES, T17. */
bool sw_plan_map(const sw_plan *plan, int k, int64_t *map, sw_diag *diag);

/* The same by the numbers of the devices, in `arena`.  NULL: S08, E01. */
const int64_t *sw_plan_device_map(const sw_plan *plan, int k, sw_arena *arena, sw_diag *diag);

/* Rows of `rank` numbers, one a slot, as rows of the devices that an order (NULL: 0, 1, 2, ...) has there. */
void sw_device_order_rows(const int64_t *order, int64_t devices, int rank, const int64_t *of_slot,
	int64_t *of_device);

/* The same plan over another mesh of the same devices, whose axes its types then name; what it points to lives in `arena` or in
 * `plan`.  false: the axes cannot say one of its types, devices lie in another order, or memory ran out. */
bool sw_plan_over(const sw_plan *plan, const sw_mesh *mesh, sw_arena *arena, sw_plan *over);

/* Does every device hold in the end what `to` says?  Error: P07 with the first device that does not, E01. */
bool sw_plan_reaches(const sw_plan *plan, sw_diag *diag);

/* The type that says over which parts values are still to be summed before step `k` (count: at the end): the last one that
 * there is.  A step through maps leaves sums as they are. */
const sw_type *sw_plan_sums_before(const sw_plan *plan, int k);

/* How many terms become one in step `k` (0-based), whatever it is; 1: none do. */
int64_t sw_step_terms(const sw_plan *plan, int k);

/* Are values still to be summed at any moment? */
bool sw_plan_has_sums(const sw_plan *plan);

/* Step `k` (0-based) as one applies it by hand to the type before it: with the parts that it sums or makes terms of, and those that
 * it pushes where the rule would take others.  Where there are no types it has its factors only. */
void sw_plan_call(const sw_plan *plan, int k, sw_call *call);

/* Adds step `k` (0-based) as the language writes it: "alltoall(0, 1, 2)". */
void sw_plan_print_step(const sw_plan *plan, int k, sw_text *text);

/* Adds the plan in lines: strategy and devices, each step with its cost and the type after it, then what it costs and holds. */
void sw_plan_print(const sw_plan *plan, sw_text *text);

/* Adds why step `k` (0-based) is there, one sentence without a full stop: which axes, or parts of them, leave which
 * dimensions and where they go, then who does what.  "inside y": each piece of y is cut again; "for now": `to` has them
 * elsewhere. */
void sw_plan_why(const sw_plan *plan, int k, sw_text *text);

/* Are two neighbouring steps part of one, and why, or why not, in words without a full stop. */
typedef struct sw_merge {
	bool merged;
	int first; /* the step, from 0, with which that one begins; of two that stay apart the second */
	const char *why;
} sw_merge;

/* The plan with neighbouring steps made one where a single collective does what they do, so that it costs least under the
 * model paper and has the fewest steps then; up to eight become one.  `pairs` has room for count - 1, and tells of steps k
 * and k + 1.  The steps have groups, and cost what the model paper says; the plan is called "merged" and has no bound.
 * Everything lives in `arena`.  Errors: S09, E01. */
bool sw_plan_merge(const sw_plan *plan, sw_arena *arena, sw_plan *merged, sw_merge *pairs, sw_diag *diag);

/* ---- plan files: schema shardwalk.plan/2 ---- */

typedef enum sw_json_flags {
	SW_JSON_MAPS = 1,    /* with the base offsets of every device before and after every step */
	SW_JSON_LINE = 2,    /* on one line; otherwise indented for people */
	SW_JSON_NO_STEPS = 4 /* as in shardwalk.compare/1 */
} sw_json_flags;

/* Adds the plan as JSON, with a newline at its end.  Errors: S08 for maps of too many devices, E01. */
bool sw_plan_write(const sw_plan *plan, unsigned flags, sw_text *text, sw_diag *diag);

/* A plan that is read has at most so many steps; P01 where it has more. */
#define SW_PLAN_READ_MOST 2000

/* Reads one plan, of schema shardwalk.plan/2 or shardwalk.plan/1.  Types, maps, groups and sources are taken as written and then checked by sw_plan_check; costs in elements
 * are computed again.  What remains is the file's to prove: `claimed` is set.
 * Errors: B04 with the position, P01, P02, P03, P05, S08 where more devices are listed than can be checked, and those of
 * meshes and types. */
bool sw_plan_read(sw_str text, sw_arena *arena, sw_plan *plan, sw_diag *diag);

/* The same of the beginning of a plan: its steps may end anywhere (see sw_plan_reaches). */
bool sw_plan_read_prefix(sw_str text, sw_arena *arena, sw_plan *plan, sw_diag *diag);

/* Re-derives everything from the types and maps with code of its own: the first and last map, that tiles are
 * evenly held, that every step is a legal collective with these groups, and every number in the plan.  For more
 * than SW_MAX_MAP_DEVICES devices it checks types symbolically, and refuses maps.  Errors: P03, P05, S08. */
bool sw_plan_check(const sw_plan *plan, sw_diag *diag);

/* The same of the beginning of a plan: its steps may end anywhere. */
bool sw_plan_check_prefix(const sw_plan *plan, sw_diag *diag);

/* ---- proof by execution ---- */

typedef struct sw_verdict {
	bool right;
	bool symbolic;    /* the data would not fit: the maps were checked instead */
	int64_t elements; /* compared, over all devices */
	int64_t pieces;   /* of each tile: one number of each was compared, not all elements; else 0 */
	int64_t devices;
	int64_t bytes; /* held at the highest point */
	struct {       /* the first wrong element, where not right */
		int64_t device;
		int step;                          /* after which step (count: at the end) */
		int64_t index[SW_MAX_DIMS];        /* position in the device's tile */
		int64_t expected[SW_MAX_DIMS];     /* global index that belongs there */
		int64_t found[SW_MAX_DIMS];        /* global index that is there; -1 first: nothing */
		int64_t expected_from, found_from; /* devices that held them in `from`; -1: none */
		int64_t terms;   /* where values were still to be summed then: how many terms they have; else 0 or 1 */
		int64_t term;    /* the one that the device holds */
		int64_t copy_of; /* the device with another value of that term; -1: the terms do not add up */
		uint64_t sum;    /* what they make, modulo 2^64, or the value on the device */
	} wrong;
} sw_verdict;

typedef struct sw_verify_options {
	int64_t memory; /* bytes of data allowed; 0: 1 GiB */
	bool prefix;    /* compare in the end with what the last step says, wherever it stands, not with `to` */
	bool scale;     /* shrink global sizes and tiles by a common factor prime to the mesh first */
	bool full;      /* of tiles in pieces: all elements; else one number of each piece, which all share its way */
	bool data_only; /* refuse with S08 where the data does not fit, instead of checking the maps */
	const sw_pulse *pulse;
} sw_verify_options;

/* Executes the plan in this process on virtual devices: every element is its own 64-bit global index, moved
 * exactly as groups and sources say, and in the end compared on every device with what `to` says.  Where values are still to be
 * summed devices begin with terms that make that index modulo 2^64; after every step copies have to be equal, and terms to add up.
 * false only where it could not be done (S03, S08, E01, P05); a wrong element is a verdict. */
bool sw_plan_verify(const sw_plan *plan, const sw_verify_options *options, sw_verdict *verdict, sw_diag *diag);

/* A smaller problem of the same structure: every global size and its tile divided by the largest factor that
 * is common to them, prime to the mesh, and leaves at least 1.  Returns the problem unchanged where there is none. */
void sw_problem_shrink(const sw_problem *problem, sw_problem *small);

#pragma GCC visibility pop

#endif
