/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs: sums over axes of a placement, as steps of collectives within, across and between the firsts of units.
 *
 * Source: seed 001, sections 2.3 to 3.5, figures 4 to 8, appendix B.
 *
 * A hierarchy is a list of factors, outermost first.  An instruction names two of them, a slice and an ancestor above it (0 is
 * the root), and a form; it says which devices work together.  What every device holds is a set of chunks, each with the
 * devices whose share is in it.
 */
#ifndef SHARDWALK_REDUCTION_H
#define SHARDWALK_REDUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/pieces.h>
#include <shardwalk/placement.h>
#include <shardwalk/plan.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_MAX_HIERARCHY (SW_MAX_PLACED * SW_MAX_LEVELS)
#define SW_MAX_SUMMED 5 /* levels over which is summed, where programs are searched */

/* Five ways to order the factors of a placement (table 1).  One row each: identifier, letter, name. */
#define SW_HIERARCHIES(X) \
	X(LEVELS, "a", "levels of the system") \
	X(COLUMNS, "b", "factors, column by column") \
	X(ROWS, "c", "factors, row by row") \
	X(SUMMED_ROWS, "d", "factors of the axes summed over, row by row") \
	X(SUMMED_LEVELS, "e", "the same, with the factors of one level merged")

typedef enum sw_hierarchy_kind {
#define X(id, letter, name) SW_HIERARCHY_##id,
	SW_HIERARCHIES(X)
#undef X
		SW_HIERARCHY_COUNT
} sw_hierarchy_kind;

const char *sw_hierarchy_letter(sw_hierarchy_kind kind);
const char *sw_hierarchy_name(sw_hierarchy_kind kind);

/* A factor of an axis on a level. */
typedef struct sw_placed_digit {
	int64_t size, stride; /* neighbours are so many device numbers apart */
	int axis, level;
} sw_placed_digit;

typedef struct sw_hierarchy {
	int count;                       /* of factors */
	int first[SW_MAX_HIERARCHY + 1]; /* factor i consists of digit[first[i] to first[i + 1]), major to minor */
	sw_placed_digit digit[SW_MAX_HIERARCHY]; /* of the factors */
	int others;                              /* the digits that are in no factor: the hierarchy repeats over them */
	sw_placed_digit other[SW_MAX_HIERARCHY];
} sw_hierarchy;

/* A sum over axes of a placement, as one of the hierarchies has it; bit i of `summed`: axis i is summed over. */
typedef struct sw_placed_sum {
	const sw_placement *placement;
	uint32_t summed;
	sw_hierarchy_kind kind;
} sw_placed_sum;

/* The hierarchy of a placement; bit i of `summed`: axis i is summed over.  Factors of size 1 stay, or go with `bare`. */
void sw_hierarchy_make(const sw_placement *placement, sw_hierarchy_kind kind, uint32_t summed, bool bare,
	sw_hierarchy *hierarchy);

/* The size of factor i, from 0. */
int64_t sw_hierarchy_size(const sw_hierarchy *hierarchy, int i);

/* The factors [from, to) in whose digits the members of a group differ, of a hierarchy of so many. */
void sw_group_name_factors(const sw_group_name *name, int factors, int *from, int *to);

bool sw_group_name_same(const sw_group_name *a, const sw_group_name *b);

/* Reads the operation of a step and the name of its groups: `reducescatter inside node`, `allreduce across node in root`, `reduce masters
 * 2 in 1`, also in the words of the case files, and `(CPU, Parallel(server), AllReduce)` as the paper writes it.  A level stands for the
 * innermost factor that is not inside it; without `system` factors are numbers.  Errors: C01, C02, C03. */
bool sw_step_parse(sw_str text, const sw_system *system, const sw_hierarchy *hierarchy, sw_step *step, sw_diag *diag);

/* The name alone: an operation before it may be missing.  `inside node`, and, as table 2 of the paper has slices and forms,
 * `(CPU, Parallel(server))` or `CPU InsideGroup`. */
bool sw_group_name_parse(sw_str text, const sw_system *system, const sw_hierarchy *hierarchy, sw_group_name *name,
	sw_diag *diag);

/* Adds a step, or the name of its groups, in the words of the language, with the names of levels where there is a system. */
void sw_step_print(const sw_system *system, const sw_hierarchy *hierarchy, const sw_step *step, sw_text *text);
void sw_group_name_print(const sw_system *system, const sw_hierarchy *hierarchy, const sw_group_name *name,
	sw_text *text);

/* A step in the words of the case files, with numbers of factors. */
void sw_step_print_plain(const sw_step *step, sw_text *text);

/* The groups as lists of devices, one after the other: `groups` of `size` each, sorted by their first members where those of the
 * hierarchy's digits do not say otherwise.  NULL: no memory. */
int64_t *sw_named_groups(const sw_hierarchy *hierarchy, const sw_group_name *name, sw_arena *arena, int64_t *groups,
	int64_t *size);

/* The same as the steps of plans have them, of at most INT32_MAX devices. */
int32_t *sw_named_members(const sw_hierarchy *hierarchy, const sw_group_name *name, sw_arena *arena, int64_t *grouped,
	int64_t *size);

/* The name of groups of `size` devices each, one after the other, `grouped` in all, in the bare hierarchy of levels of the fewest axes
 * that has one, which are `summed`.  false: there is none. */
bool sw_group_name_find(const sw_placement *placement, const int64_t *member, int64_t grouped, int64_t size,
	sw_arena *arena, uint32_t *summed, sw_group_name *name);

/* ---- seconds: the model `ports` ---- */

/* How one all-reduce runs. */
typedef enum sw_allreduce_way {
	SW_ALLREDUCE_RING,
	SW_ALLREDUCE_TREE /* chains inside units, two binary trees between their firsts, as NCCL has them */
} sw_allreduce_way;

/* Who stands above whom in one of the two trees (0, 1) over the members of a group: numbers of members, -1 for the root. */
void sw_tree_parents(const sw_system *system, const int64_t *member, int64_t size, int tree, int64_t *parent);

/* A sum over some axes of a placement, and the ports that it loads. */
typedef struct sw_ports {
	const sw_system *system;
	const sw_placement *placement;
	sw_allreduce_way way;
	sw_hierarchy hierarchy;        /* SUMMED_LEVELS, bare */
	double repeats[SW_MAX_LEVELS]; /* devices in a unit that no factor tells apart */
	int64_t degree[SW_MAX_SUMMED]; /* edges of the busiest node of the two trees over a factor */
	/* a price that is not that of ports, of steps whose groups have two or more devices; NULL: it is */
	double (*seconds)(const struct sw_ports *ports, const sw_step *step, const double *bytes);
	const void *own; /* what that knows */
} sw_ports;

/* false: more than SW_MAX_SUMMED levels are summed over (S08), or a level has no bandwidth (L07). */
bool sw_ports_make(const sw_system *system, const sw_placement *placement, uint32_t summed, sw_allreduce_way way,
	sw_ports *ports, sw_diag *diag);

/* Seconds of a step.  bytes[c] is what a device of class c brings: bit h - 1 - i of c is 0 where its digit of factor i (from
 * 0) of h is 0; all others are alike. */
double sw_ports_seconds(const sw_ports *ports, const sw_step *step, const double *bytes);

/* Ports of one kind, and what a step loads the busiest of them with. */
typedef struct sw_port_load {
	char name[SW_NAME_SIZE]; /* of the unit that has one: a level; `pair` and `ring` of nodes with a ring of eight */
	int64_t ports;           /* how many there are */
	double bandwidth;        /* bytes per second; 0: none given */
	bool shared;             /* one for both directions */
	double bytes, seconds;
} sw_port_load;

#define SW_MAX_PORT_KINDS (SW_MAX_LEVELS + 1)

/* The kinds of ports of a system, the outermost first, without a load; how many. */
int sw_system_ports(const sw_system *system, sw_port_load load[SW_MAX_PORT_KINDS]);

/* What a step loads them with; bytes as in sw_ports_seconds.  How many kinds; -1: no memory. */
int sw_ports_loads(const sw_ports *ports, const sw_step *step, const double *bytes,
	sw_port_load load[SW_MAX_PORT_KINDS]);

/* Seconds of one all-reduce over all that is summed, of `bytes` on each device. */
double sw_ports_allreduce(const sw_ports *ports, double bytes);

/* What no algorithm that sums on devices can beat, for `bytes` on each device. */
double sw_ports_bound(const sw_ports *ports, double bytes);

/* ---- programs ---- */

/* All that devices can hold after steps that begin with their own shares, with the digits other than 0 of a factor alike: a graph
 * without cycles. */
typedef struct sw_contexts sw_contexts;

/* The graph for sums over so many factors of more than one; with `all_masters` the form `masters` carries every operation, else
 * all-reduces.  It takes no more than `memory` bytes (0: no bound), give or take one context: where there are more contexts it is not
 * complete, and what is found in it is the best of a part.  NULL: S08, S03 stopped by `pulse`, E01.  Freed with sw_contexts_free. */
sw_contexts *sw_contexts_new(int factors, bool all_masters, int64_t memory, const sw_pulse *pulse, sw_diag *diag);
void sw_contexts_free(sw_contexts *contexts);
bool sw_contexts_complete(const sw_contexts *contexts);

/* How many contexts there are, and how many programs of exactly `length` steps: INT64_MAX where there are as many or more, -1
 * where there is no memory. */
int sw_contexts_count(const sw_contexts *contexts);
int64_t sw_contexts_programs(const sw_contexts *contexts, int length);

/* The steps of a graph, by which its paths count them. */
const sw_step *sw_contexts_steps(const sw_contexts *contexts);

#define SW_MAX_REDUCTION_STEPS 24

/* A program as the search keeps it, by the numbers of its steps: thousands are found at once. */
typedef struct sw_context_path {
	double seconds;
	int count;
	uint8_t step[SW_MAX_REDUCTION_STEPS];
} sw_context_path;

/* The path of the fastest program of at most `limit` (to SW_MAX_REDUCTION_STEPS) steps, of any length where limit is 0.  false: there is no memory. */
bool sw_reduction_best(const sw_contexts *contexts, const sw_ports *ports, double bytes, int limit,
	sw_context_path *path);

/* The plan of a path: operations, names of groups, and the seconds of all together.  What devices hold on the way is known when it is
 * laid on them (sw_reduction_plan).  Its steps live in `arena`.  false: there is no memory. */
bool sw_context_path_plan(const sw_contexts *contexts, const sw_context_path *path, sw_arena *arena, sw_plan *plan);

/* Fills in the seconds of each step of such a plan, and of all.  false: it is none, or does not end on the sum. */
bool sw_reduction_price(const sw_ports *ports, double bytes, sw_plan *plan);

/* What others do.  One row each: identifier, name, who does so, function, and whether it is meant where one all-reduce runs as a ring,
 * and as a tree. */
#define SW_ALGORITHMS(X) \
	X(RING, "ring", "one allreduce, NCCL's rings", one_allreduce, true, false) \
	X(TREE, "tree", "one allreduce, NCCL's trees", one_allreduce, false, true) \
	X(RS_AG, "rs-ag", "a reducescatter and an allgather over all", scatter_and_gather, true, true) \
	X(HIERARCHICAL, "hierarchical", "BlueConnect, HCCL: level by level", level_by_level, true, true) \
	X(MASTERS, "masters", "Horovod's first, Blink, PLink: over one device of each unit", by_masters, true, true)

typedef enum sw_algorithm {
#define X(id, name, about, make, ring, tree) SW_ALGORITHM_##id,
	SW_ALGORITHMS(X)
#undef X
		SW_ALGORITHM_COUNT
} sw_algorithm;

const char *sw_algorithm_name(sw_algorithm algorithm);
const char *sw_algorithm_about(sw_algorithm algorithm);
bool sw_algorithm_is(sw_algorithm algorithm, sw_allreduce_way way);

/* Its plan over a hierarchy of so many factors of more than one, as sw_context_path_plan makes them, without seconds. */
bool sw_algorithm_plan(sw_algorithm algorithm, int factors, sw_arena *arena, sw_plan *plan);

/* What a device of each class brings to step `at` (from 0) of these, and the seconds of that step.  false: the steps before it,
 * or it, cannot be. */
bool sw_reduction_brought(const sw_ports *ports, double bytes, const sw_step *steps, int at, double *brought,
	double *seconds);

typedef struct sw_reduction_bounds {
	int limit;      /* of steps */
	int64_t memory; /* bytes of programs; 0: no bound */
	const sw_pulse *pulse;
} sw_reduction_bounds;

typedef struct sw_reduction_listed {
	sw_context_path *path; /* of each, in the arena, fastest first */
	int64_t count;
	int length; /* of at most so many steps: fewer than the limit where those of more steps take more memory */
} sw_reduction_listed;

/* All programs of the graph within the bounds.  Errors: S03, E01. */
bool sw_reduction_list(const sw_contexts *contexts, const sw_ports *ports, double bytes,
	const sw_reduction_bounds *bounds, sw_arena *arena, sw_reduction_listed *listed, sw_diag *diag);

/* Which programs each of the five hierarchies can say, as groups of devices and operations (definition 3.1). */
typedef struct sw_expressive {
	int64_t programs[SW_HIERARCHY_COUNT];
	bool includes[SW_HIERARCHY_COUNT][SW_HIERARCHY_COUNT]; /* [a][b]: a says all that b says */
} sw_expressive;

#define SW_MAX_EXPRESSIVE 64 /* devices */

/* Lists the programs of at most `limit` steps (1 to 8) that make the sum, for each hierarchy of a placement of at most
 * SW_MAX_EXPRESSIVE devices.  Errors: S08, E01. */
bool sw_expressive_compare(const sw_placement *placement, uint32_t summed, bool all_masters, int limit,
	sw_arena *arena, sw_expressive *expressive, sw_diag *diag);

/* Which groups of a hierarchy are of use: used[i] says whether a program of at most `limit` steps that makes the sum has those of name
 * i, whatever it does in them.  `masters` carries all-reduce only.  Errors: as above. */
bool sw_expressive_uses(const sw_placed_sum *sum, int limit, const sw_group_name *name, int count, sw_arena *arena,
	bool *used, sw_diag *diag);

#pragma GCC visibility pop

#endif
