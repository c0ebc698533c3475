/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules: a statement over arrays, where these lie, and how its loops are cut, placed and rotated; what follows from that.
 *
 *     A(i,j) = B(i,k) * C(k,j)
 *     .distribute({i,j}, {io,jo}, {ii,ji}, Grid(3,3)).divide(k, ko, ki, 3).reorder({ko,ii,ji,ki})
 *     .rotate(ko, {io,jo}, kos).communicate(A, jo).communicate({B,C}, kos).substitute({ii,ji,ki}, gemm)
 *
 * On the way from the text to messages:
 *
 *     sw_schedule_problem_of   reads the statement, over arrays with homes
 *     sw_schedule_new          the loops of the statement, all on processor 0
 *     sw_schedule_read         takes commands from a text: each makes a schedule of the one before
 *     sw_lowering_of           who runs which iterations, in how many steps, and what is fetched when
 *     sw_lowering_...          what one processor needs, keeps and is sent in one step; totals; a run on virtual processors
 *
 * Nothing is stored for each processor and step: what happens there follows from the values of the loops.
 *
 * Everything lives in the arena that it was made in, and points to what it was made of.  Sizes and volumes count elements.
 * The grid of the paper is a mesh, whose dimensions are its axes, perhaps in levels.  Processors are its devices, without an order.  Levels
 * count from 1; a unit of level k is what coordinates on the axes of the first k levels name, row-major: of the last level a
 * processor, of level 1 of two a node.
 *
 * Source: seed 003, sections 3.3, 5 and 6; where it is silent, the rules of the cases that are kept beside this project.
 */
#ifndef SHARDWALK_SCHEDULE_H
#define SHARDWALK_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/formula.h>
#include <shardwalk/holding.h>
#include <shardwalk/mesh.h>
#include <shardwalk/region.h>
#include <shardwalk/sender.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

/* ---- what is computed, over what ---- */

/* An array that a statement may name. */
typedef struct sw_schedule_array {
	sw_str name;
	int rank;
	int64_t size[SW_MAX_DIMS];
	const sw_holding *home; /* of whole values; it has to live as long */
} sw_schedule_array;

/* A name that stands where a number is expected: an axis for its size, a parameter for its value. */
typedef struct sw_schedule_number {
	sw_str name;
	int64_t value;
} sw_schedule_number;

typedef struct sw_schedule_problem {
	sw_str statement; /* as it was typed, which has to live as long */
	sw_formula formula;
	const sw_mesh *mesh;
	const sw_holding *const *home; /* of each array of the formula */
	int numbers;
	const sw_schedule_number *number;
	bool from_home; /* elements come from homes alone, never from who used them last */
} sw_schedule_problem;

/* Reads a statement: a formula (formula.h) whose accesses have letters alone, over these arrays; `problem` gets all but its
 * numbers and `from_home`.  Errors, with places in the statement: those of sw_formula_parse and sw_formula_fit; F02; F15 for other
 * indices than letters, functions and words; E01. */
bool sw_schedule_problem_of(sw_str statement, const sw_mesh *mesh, const sw_schedule_array *array, int arrays,
	sw_arena *arena, sw_schedule_problem *problem, sw_diag *diag);

/* Do schedules compute the formula?  false: F15, as above. */
bool sw_schedule_computes(const sw_formula *formula, sw_diag *diag);

/* How many units a level of the mesh has; of level 0 one, the whole machine. */
int64_t sw_schedule_units(const sw_mesh *mesh, int level);

/* ---- commands ---- */

/* One row each: identifier, word. */
#define SW_SCHEDULE_COMMANDS(X) \
	X(DIVIDE, "divide") \
	X(SPLIT, "split") \
	X(COLLAPSE, "collapse") \
	X(REORDER, "reorder") \
	X(DISTRIBUTE, "distribute") \
	X(COMMUNICATE, "communicate") \
	X(ROTATE, "rotate") \
	X(PARALLELIZE, "parallelize") \
	X(PRECOMPUTE, "precompute") \
	X(SUBSTITUTE, "substitute")

typedef enum sw_schedule_word {
#define X(id, word) SW_SCHEDULE_##id,
	SW_SCHEDULE_COMMANDS(X)
#undef X
		SW_SCHEDULE_WORD_COUNT
} sw_schedule_word;

/* What parser, help and manual read. */
typedef struct sw_schedule_command_row {
	const char *word;
	const char *arguments; /* "i, io, ii, PARTS"; forms are separated by a bar */
	const char *premise;   /* what has to hold before */
	const char *refusal;   /* the codes by which it is refused */
	const char *effect;    /* a sentence */
	const char *example;   /* a command over the loops i, j, k of a product of matrices, or ones before it */
} sw_schedule_command_row;

const sw_schedule_command_row *sw_schedule_command_at(int n); /* NULL behind the last */

/* Kernels that `substitute` knows; the names of arrays and letters of their statements do not count. */
typedef struct sw_schedule_kernel {
	const char *name;      /* "gemm" */
	const char *statement; /* "A(i,j) = B(i,k) * C(k,j)" */
} sw_schedule_kernel;

const sw_schedule_kernel *sw_schedule_kernel_at(int n); /* NULL behind the last */

/* The kernel that a word names: without a prefix `X::`, whatever its capitals.  NULL: there is none. */
const sw_schedule_kernel *sw_schedule_kernel_named(sw_str word);

/* ---- schedules ---- */

typedef struct sw_schedule_loop {
	sw_str name;
	int64_t extent;
	int variable;          /* the number of its name among all that were loops */
	bool distributed;      /* in space; else in time */
	bool threads, reduces; /* parallelize; its terms are added by threads */
	bool leaf;             /* a kernel runs it */
	bool summed;           /* it comes from a letter that the left side lacks */
} sw_schedule_loop;

/* `communicate(array, loop)` as it was said. */
typedef struct sw_schedule_communicate {
	int array, variable;
} sw_schedule_communicate;

struct sw_schedule_state;

/* A schedule is a value: a command makes another one of it, and `before` takes the last command back. */
typedef struct sw_schedule {
	const sw_schedule_problem *problem;
	const struct sw_schedule *before; /* NULL: no command yet */
	int commands;                     /* since the statement */
	sw_str command;                   /* the last one, as it was typed, without a dot before it; empty: none */
	int numbers;                      /* names in it that stood for numbers; each is a part of its text */
	const sw_schedule_number *number;
	int loops; /* outer first */
	const sw_schedule_loop *loop;
	int communicates;
	const sw_schedule_communicate *communicate;
	const sw_schedule_kernel *kernel;      /* NULL: the leaf is loops */
	const struct sw_schedule_state *state; /* how names became others: engine/schedule/ alone reads it */
} sw_schedule;

/* The loops of a statement, in the order of its letters.  NULL: no memory. */
const sw_schedule *sw_schedule_new(const sw_schedule_problem *problem, sw_arena *arena);

/* Takes the commands of a text: one, or a chain `.a(..).b(..)`, with or without the first dot, over any number of lines, with comments from
 * `//` to the end of a line and `;` at the end.  All are taken or none.  Errors, with places in the text: D11 to D34; the number of the command
 * that is refused, from 0 in this text, is in *refused (NULL: nobody asks).  NULL on error. */
const sw_schedule *sw_schedule_read(const sw_schedule *schedule, sw_str text, sw_arena *arena, int *refused,
	sw_diag *diag);

/* Is this the beginning of a chain: a dot, or the word of a command and a bracket? */
bool sw_schedule_begins(sw_str line);

/* Does a text begin with a word that is a command, or with none?  false: D12, with the nearest command or algorithm. */
bool sw_schedule_knows(sw_str text, sw_diag *diag);

/* The number of a loop that is there, outer first; -1: there is none. */
int sw_schedule_find(const sw_schedule *schedule, sw_str name);

/* Command n (from 0) as it was typed. */
sw_str sw_schedule_command_text(const sw_schedule *schedule, int n);

/* The schedule after commands 0 to n; its last command is command n. */
const sw_schedule *sw_schedule_after(const sw_schedule *schedule, int n);

/* Adds command n with the numbers in place of their names: what it is whatever these stand for later. */
void sw_schedule_print_command(const sw_schedule *schedule, int n, sw_text *text);

/* Adds the concrete index notation: `forall io jo ii ji k: A(i,j) += B(i,k) * C(k,j) s.t. divide(i,io,ii,3), ...`. */
void sw_schedule_print(const sw_schedule *schedule, sw_text *text);

/* ---- lowering ---- */

/* An array is fetched (of the left side: given away) at a level when a loop goes on. */
typedef struct sw_fetch {
	int array, level;
	int loop;      /* of the schedule; -1: there is no loop */
	bool stated;   /* by a command; else where the naive completion puts it */
	int64_t every; /* it happens in the steps that are multiples of this */
} sw_fetch;

struct sw_lowered;

typedef struct sw_lowering {
	const sw_schedule *schedule;
	sw_sender_rule
		senders; /* who sends what several have: the nearest, among equals one that used it in the step before */
	int64_t steps;
	int times; /* loops in time whose iterations are steps, outer first */
	const int *time;
	int spaces; /* loops in space: axis d of the mesh has loop space[d]; behind them coordinates are 0 */
	const int *space;
	int fetches; /* by arrays, then by levels */
	const sw_fetch *fetch;
	const struct sw_lowered *in; /* engine/schedule/ alone reads it */
} sw_lowering;

/* Lowers a schedule.  Errors, without places: D35, D36, S08 for homes that are more than 2^16 boxes on a unit, E01.  NULL on error. */
const sw_lowering *sw_lowering_of(const sw_schedule *schedule, sw_arena *arena, sw_diag *diag);

/* Adds pseudocode in the form of figures 10, 11 and 13: processors in parallel, loops in time, what moves in them. */
bool sw_lowering_print(const sw_lowering *lowering, sw_arena *arena, sw_text *text);

/* The values of the loops time[0..times) in a step, from 0. */
void sw_lowering_at(const sw_lowering *lowering, int64_t step, int64_t *value);

/* The number of a fetch; -1: there is none. */
int sw_lowering_find(const sw_lowering *lowering, int array, int level);

/* Is it fetched in this step? */
static inline bool sw_fetch_begins(const sw_fetch *fetch, int64_t step)
{
	return step % fetch->every == 0;
}

/* Has a unit no points in any step, as a coordinate is from a loop's extent on? */
bool sw_lowering_idle(const sw_lowering *lowering, int level, int64_t unit);

/* ---- one step ---- */

/* Boxes of an array: low and high (which is not in it) of each dimension, box after box.  Of a single value (rank 0) a box has no numbers. */
typedef struct sw_boxes {
	int rank, count;
	const int64_t *at;
} sw_boxes;

int64_t sw_boxes_size(const sw_boxes *boxes);

/* The region gets all that is in some of the boxes, which may meet; what it gains lives in the arena.  false: no memory. */
bool sw_region_add_boxes(const sw_boxes *boxes, sw_arena *arena, sw_region *region);

/* What a unit has in the beginning.  It lives as long as the lowering. */
void sw_lowering_home(const sw_lowering *lowering, int array, int level, int64_t unit, sw_boxes *home);

/* What a unit needs, or makes of the left side, from the last fetch on before the end of this step: bounding boxes, one an access, cut where they meet.
 * false: no memory. */
bool sw_lowering_need(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	sw_boxes *need);

/* The elements of that which its points touch, strided where they are.  false: no memory. */
bool sw_lowering_touched(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	sw_region *touched);

/* What it keeps beside its home in this step: the boxes of a need that is not at home, or of sums that are given away later.  Of the left side a
 * node's copy has a box for each that a processor inside gives to it until then, too.  false: no memory. */
bool sw_lowering_buffer(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	sw_boxes *buffer);

/* The points at which a processor computes in a step, in dimensions that are the letters.  false: no memory. */
bool sw_lowering_points(const sw_lowering *lowering, int64_t step, int64_t processor, sw_arena *arena,
	sw_region *points);

/* Elements alive on a unit in a step, home included; `next`: while what the next step brings arrives.  -1: no memory. */
int64_t sw_lowering_live(const sw_lowering *lowering, int level, int64_t unit, int64_t step, bool next,
	sw_arena *scratch);

/* ---- messages ---- */

#define SW_NODE_COPY (-1) /* in place of a unit: the copy of the node that the other end is in */

/* Why this one sends. */
typedef enum sw_schedule_source {
	SW_SOURCE_COPY, /* its own node has it */
	SW_SOURCE_USED, /* the nearest that has it, from the step before */
	SW_SOURCE_HOME, /* the nearest that has it, at home */
	SW_SOURCE_SUM   /* it made terms of it */
} sw_schedule_source;

typedef struct sw_schedule_message {
	int32_t fetch;  /* its array and its level, whose units these are: */
	int16_t source; /* sw_schedule_source */
	bool behind;    /* it is sent behind the last step, not before it */
	int64_t from, to;
	int64_t owner; /* of the left side: the processor at whose home it is added; -1: a copy's */
	int64_t elements;
	int64_t distance;   /* hops on the torus; 0 of a node's copy */
	const int64_t *box; /* as in sw_boxes */
} sw_schedule_message;

/* What moves before a step is computed, inputs first, then what of the left side is given away; that behind the last step comes last. */
typedef struct sw_schedule_messages {
	int64_t count, outs; /* the last `outs` of them are of the left side */
	const sw_schedule_message *message;
} sw_schedule_messages;

/* false: no memory. */
bool sw_lowering_messages(const sw_lowering *lowering, int64_t step, sw_arena *arena, sw_schedule_messages *messages);

/* One row each: identifier, word, the rule by which the messages of one fetch in one step are called so. */
#define SW_SCHEDULE_PATTERNS(X) \
	X(NONE, "none", "there is no message") \
	X(SHIFT, "shift", "all messages go equally far on the torus, and no device sends or receives twice") \
	X(PERMUTE, "permute", "no device sends or receives twice") \
	X(BROADCAST, "broadcast", "one box goes from one sender to several receivers") \
	X(EXCHANGE, "exchange", "none of the others") \
	X(REDUCE, "reduce", "parts of the left side are sent, and a loop in space comes from a summed letter") \
	X(WRITE, "write", "parts of the left side are sent, and no loop in space does")

typedef enum sw_schedule_pattern_name {
#define X(id, word, rule) SW_SCHEDULE_PATTERN_##id,
	SW_SCHEDULE_PATTERNS(X)
#undef X
		SW_SCHEDULE_PATTERN_COUNT
} sw_schedule_pattern_name;

const char *sw_schedule_pattern_word(sw_schedule_pattern_name name);
const char *sw_schedule_pattern_rule(sw_schedule_pattern_name name);

typedef struct sw_schedule_pattern {
	sw_schedule_pattern_name name;
	int axes;                    /* of a shift: those of the units of its level */
	int64_t offset[SW_MAX_AXES]; /* receiver minus sender, around the ends the shorter way, halves positive */
	int64_t messages, elements;
} sw_schedule_pattern;

/* The pattern of the messages of one fetch among these.  false: no memory. */
bool sw_lowering_pattern(const sw_lowering *lowering, int fetch, const sw_schedule_messages *messages,
	sw_arena *scratch, sw_schedule_pattern *pattern);

/* ---- all steps ---- */

/* Lists are of processors, or of arrays.  What a schedule moves, and what memory it takes, does not depend on who sends: without senders `sent`
 * is NULL, and all else is there. */
typedef struct sw_schedule_totals {
	int64_t volume, messages; /* messages: -1 without senders */
	int64_t between, inside;  /* of the volume: from node to node; inside of nodes (one level: all is between) */
	const int64_t *volumes;   /* of each array */
	const int64_t *received, *sent, *held, *peak, *peak_overlap, *flops;
	const int64_t *node_peak; /* of each node, its copies; NULL: there is one level */
	int64_t most_received, most_sent, most_held, most_peak, most_peak_overlap, most_flops;
	int64_t
		exact; /* the volume, if only what points touch moved and were kept; -1 until sw_lowering_exact.  In one step it is at most `volume`; over
	                  several it may be more, where bounds bring early what is touched later. */
	int64_t idle; /* processors without points */
} sw_schedule_totals;

/* Adds up all steps.  Errors: S09 where a number does not fit, S03, E01. */
bool sw_lowering_totals(const sw_lowering *lowering, bool senders, const sw_pulse *pulse, sw_arena *arena,
	sw_schedule_totals *totals, sw_diag *diag);

/* Works out `exact`, step by step.  Errors: as above. */
bool sw_lowering_exact(const sw_lowering *lowering, const sw_pulse *pulse, sw_schedule_totals *totals, sw_diag *diag);

/* ---- a run on virtual processors ---- */

#define SW_SCHEDULE_FIRST 6

/* The left side after a run on small integers: element r of array t is (splitmix64(r + t * 2^32) mod 7) - 3. */
typedef struct sw_schedule_result {
	int64_t sum;
	int64_t checksum; /* of value * (1 + r mod 97) over row-major indices r */
	int firsts;
	int64_t first[SW_SCHEDULE_FIRST];
	int64_t points; /* that were computed: each once */
} sw_schedule_result;

/* Element r of array t (0: the left side) of that data. */
int64_t sw_schedule_datum(int64_t array, int64_t element);

/* What the statement makes of that data on one processor.  Errors: E01. */
bool sw_schedule_reference(const sw_schedule_problem *problem, sw_arena *arena, sw_schedule_result *result,
	sw_diag *diag);

/* Moves elements as the messages say, and computes where they are: what is read is there, each point runs once.  Errors: P04 where one of this
 * does not hold, with the step and the processor; S03, E01. */
bool sw_lowering_run(const sw_lowering *lowering, const sw_pulse *pulse, sw_arena *arena, sw_schedule_result *result,
	sw_diag *diag);

#pragma GCC visibility pop

#endif
