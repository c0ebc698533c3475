/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations of steps; and collectives: those that change which device holds which tile.
 *
 * Source: seed 000, section 2.6, figures 8, 10 and 11.  Every collective is one row of a table; the parser of
 * hand-written operations, their checker, the search, the help and the manual read that table.
 */
#ifndef SHARDWALK_COLLECTIVE_H
#define SHARDWALK_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* What programs compute, and its word in the language. */
#define SW_COMPUTATIONS(X) \
	X(SPMD, "spmd_op")              /* what a body says, which every device runs on its tiles */ \
	X(REDISTRIBUTE, "redistribute") /* nothing: the same value in another type, by collectives */ \
	X(EINSUM, "einsum")             /* a product over letters */ \
	X(COMPUTE, "compute")           /* what a formula says of the elements that it names */ \
	X(START, "start")               /* the left side of a schedule, 0 at first */ \
	X(FETCH, "fetch")               /* what a step of a schedule reads, from its nearest holders */ \
	X(LEAF, "leaf")                 /* the points of a step of a schedule */ \
	X(GIVE, "give")                 /* what was added up elsewhere, to the left side */ \
	X(MATMUL, "matmul")             /* a product of two tiles, in a body */ \
	SW_ELEMENTWISE(X)

/* Element by element, of one array or of two. */
#define SW_ELEMENTWISE(X) \
	X(RELU, "relu")   /* the larger of 0 and each element */ \
	X(EXP, "exp")     /* e to the power of each element */ \
	X(NEG, "neg")     /* each element with the other sign */ \
	X(SCALE, "scale") /* twice each element */ \
	X(ADD, "add")     /* the sum of both */ \
	X(MUL, "mul")     /* the product of both */

/* What a step does: a collective of a plan, or what a program computes. */
typedef enum sw_op {
	SW_DYNSLICE,
	SW_ALLGATHER,
	SW_ALLTOALL,
	SW_ALLPERMUTE,
	SW_EXCHANGE,
	SW_REDUCESCATTER,
	SW_ALLREDUCE,
	SW_ZEROS,
	SW_PAD,
	SW_REDUCE,
	SW_BROADCAST,
#define X(id, word) SW_##id,
	SW_COMPUTATIONS(X)
#undef X
		SW_OP_COUNT,         /* also: none */
	SW_COLLECTIVES = SW_SPMD /* how many come first */
} sw_op;

/* "along dimension `dim` by `factor`", factor > 1. */
typedef struct sw_entry {
	int dim;
	int64_t factor;
} sw_entry;

/* What the members of a group bring. */
typedef enum sw_brings {
	SW_BRINGS_TERMS, /* the same chunks, which are added up */
	SW_BRINGS_PARTS, /* other chunks each, as many */
	SW_BRINGS_ROOT   /* the first brings its chunks, over what the others have */
} sw_brings;

/* Who has what comes of it. */
typedef enum sw_leaves {
	SW_LEAVES_ALL,   /* every member all of it */
	SW_LEAVES_PARTS, /* every member its part */
	SW_LEAVES_ROOT   /* the first all of it, the others nothing */
} sw_leaves;

/* Between whom a step moves something. */
typedef enum sw_among {
	SW_AMONG_NONE,   /* nobody: each device makes its tile of its own */
	SW_AMONG_GROUPS, /* the members of a group, of which each gathers a factor or adds up terms */
	SW_AMONG_PAIRS,  /* two devices: each gets the whole tile of one, by sources */
	SW_AMONG_ALL,    /* any: each gets what it needs from whoever holds it */
	SW_AMONG_COUNT
} sw_among;

/* What becomes of terms that are still to be summed. */
typedef enum sw_on_terms {
	SW_TERMS_STAY,      /* nothing */
	SW_TERMS_ADDED,     /* they are added up: the parts that the step names leave the sums */
	SW_TERMS_OF_COPIES, /* copies become terms: unused parts join the sums, and all devices along them but one have 0 */
	SW_TERMS_OF_TILES, /* tiles become terms: the parts that are gathered join the sums, and what a device did not hold is 0 */
	SW_ON_TERMS
} sw_on_terms;

/* How a step is written: behind its name stand ... */
typedef enum sw_told {
	SW_TOLD_BY_FACTORS, /* dimensions and factors */
	SW_TOLD_BY_PARTS,   /* the parts that leave sums, or join them */
	SW_TOLD_BY_TYPE,    /* the type to reach, or nothing */
	SW_TOLD_COUNT
} sw_told;

/* In what manner tiles come of tiles; dialects have a row for each. */
typedef enum sw_manner {
	SW_MANNER_CUT,       /* a piece of the device's own */
	SW_MANNER_JOINED,    /* those of a group, side by side */
	SW_MANNER_SWAPPED,   /* a piece of each one of a group */
	SW_MANNER_PERMUTED,  /* another device's */
	SW_MANNER_DEALT,     /* pieces from anywhere */
	SW_MANNER_SCATTERED, /* a piece of the sum of a group */
	SW_MANNER_SUMMED,    /* the sum of a group */
	SW_MANNER_KEPT,      /* its own, or 0 */
	SW_MANNER_PADDED,    /* its own, among zeros */
	SW_MANNER_ROOTED,    /* the first of a group is special: no type says what devices hold then */
	SW_MANNER_COUNT
} sw_manner;

/* What an edge of the ring of n members carries in one pass, of the bytes that a member brings. */
typedef enum sw_ring {
	SW_RING_PARTS,    /* (n - 1) / n */
	SW_RING_WHOLES,   /* n - 1 */
	SW_RING_TO_ROOT,  /* 1, but for the edge that leaves the first */
	SW_RING_FROM_ROOT /* 1, but for the edge that enters the first */
} sw_ring;

/* Why a group cannot do it: the premises of figure 8 of seed 001, in the order in which they are looked at. */
#define SW_PREMISES(X) \
	X(CROSSES, "crosses-axis") \
	X(CHUNKS_DIFFER, "chunks-differ") \
	X(NOTHING, "nothing") \
	X(ADDED_TWICE, "added-twice") \
	X(INDIVISIBLE, "indivisible") \
	X(COUNTS_DIFFER, "counts-differ") \
	X(SAME_CHUNK, "same-chunk") \
	X(ROOT_KNOWS_LESS, "root-knows-less") \
	X(NOTHING_NEW, "nothing-new")

typedef enum sw_premise {
	SW_PREMISE_HOLDS,
#define X(id, name) SW_PREMISE_##id,
	SW_PREMISES(X)
#undef X
		SW_PREMISE_COUNT
} sw_premise;

const char *sw_premise_name(sw_premise premise);

struct sw_call;
struct sw_call_reader; /* engine/step/call_read.c */
struct sw_call_work;   /* engine/step/call_apply.c */
struct sw_pieces;      /* what devices have of pieces of tiles, and who of a group breaks a premise: pieces.h */
struct sw_breach;
struct sw_sending; /* who takes which box from whom: engine/step/transfers.h */

/* One row of the table: words, flags, and functions. */
typedef struct sw_collective {
	sw_op op;
	const char *name;    /* "alltoall" */
	const char *usage;   /* "alltoall(FROM, TO[, FACTOR]) | alltoall(gather D:F ..., split D:F ...)" */
	const char *needs;   /* the premises, in words */
	const char *effect;  /* what happens to the type, in words */
	const char *cost;    /* the formula of the model `paper`, in words */
	const char *takes;   /* its time under the model `roofline`, in words */
	const char *action;  /* what devices do, in words; behind "groups of n devices" where they work in groups */
	const char *why;     /* why it is legal, one sentence */
	const char *why_not; /* what a refusal means, one sentence */
	const char *example; /* lines of the language */
	int phase; /* rank in a normal form: 0 what only cuts, 1 what keeps or scatters, 2 what makes tiles whole */
	bool gathers, splits; /* which entries it takes */
	bool may_gather;      /* it may gather too */
	sw_among among;
	sw_on_terms terms;
	sw_told told;
	sw_manner manner;
	sw_brings brings;                                /* where its devices work in groups: what members bring, ... */
	sw_leaves leaves;                                /* ... who has what comes of it, ... */
	int passes;                                      /* ... and how often it goes around the group */
	int64_t (*price)(int64_t before, int64_t after); /* under the model `paper`, of the sizes of tiles; NULL: 0 */
	double (*sends)(double tile, double group);      /* a member of a group to each other one; NULL: its tile */
	const char *general; /* the name of the form that lists entries: "gather"; NULL: it has none */
	sw_op inverse;       /* what leads back */
	sw_op adjoint;       /* its derivative: sums and copies exchanged, from after to before */
	bool (*read)(struct sw_call_reader *reader, sw_span open); /* arguments in parentheses; NULL: it takes a type */
	void (*print)(const sw_mesh *mesh, const struct sw_call *call, sw_text *text);
	bool (*apply)(struct sw_call_work *work); /* premises, and the effect on a type */
	const struct sw_sending *sending;
	/* on pieces of tiles: the premise that fails in a group, and what its members have after it, which fails without memory.  NULL: it has no
	 * such form */
	sw_premise (*premise)(const struct sw_pieces *pieces, const struct sw_collective *row, struct sw_breach *of);
	bool (
		*hold)(const struct sw_pieces *pieces, const struct sw_collective *row, const int32_t *member, int64_t size);
	sw_ring ring; /* on pieces: what an edge of the ring of a group carries in one pass, ... */
	bool trees;   /* ... and whether trees do it too */
} sw_collective;

/* The row of a collective, NULL of what is none; and the collective of a name, or SW_OP_COUNT. */
const sw_collective *sw_collective_of(sw_op op);
sw_op sw_op_named(sw_str name);

/* The first of a group is its root: it alone brings something, or has what comes of it.  No type says what devices hold then. */
static inline bool sw_rooted(sw_op op)
{
	const sw_collective *row = sw_collective_of(op);

	return row->brings == SW_BRINGS_ROOT || row->leaves == SW_LEAVES_ROOT;
}

/* Every member of a group has the sum of what all of them bring. */
static inline bool sw_sums_whole(sw_op op)
{
	const sw_collective *row = sw_collective_of(op);

	return row->passes > 0 && row->brings == SW_BRINGS_TERMS && row->leaves == SW_LEAVES_ALL;
}

/* The operations on chunks, whose rows say what a group of them holds then, in the order in which programs try and list them: the all-reduce
 * first. */
#define SW_CHUNK_OPS 5
extern const sw_op sw_chunk_ops[SW_CHUNK_OPS];

/* The one of these with this name, or SW_OP_COUNT. */
sw_op sw_chunk_op_named(sw_str name);

/* What an edge of the ring of n members carries in all, of the bytes that a member brings. */
double sw_ring_edge(sw_op op, double n);

/* The name of an operation, "alltoall"; "" where there is no such operation. */
const char *sw_op_name(sw_op op);

/* Cost of one step under the model `paper` (figure 11), in elements per device: 0 for a dynslice, zeros and a pad, the size
 * after for an allgather and an exchange, the size before for an alltoall, an allpermute and a reducescatter, twice that for an
 * allreduce, which is a reducescatter and an allgather; for a reduce the size before, for a broadcast the size after. */
int64_t sw_paper_cost(sw_op op, int64_t before, int64_t after);

/* The same of a step between two types: an exchange that adds up terms costs as much for each of them.  false: it does not fit into 64
 * bits. */
bool sw_step_cost(sw_op op, const sw_type *before, const sw_type *after, int64_t *cost);

/* The elements that each member of a group sends to each other one, from a tile of so many before the step. */
double sw_sends(sw_op op, double tile, double group);

/* An operation with all its arguments, as it is applied to one type.  Entries stand by ascending dimension. */
typedef struct sw_call {
	sw_op op;
	int gathers, splits;
	sw_entry gather[SW_MAX_DIMS];
	sw_entry split[SW_MAX_DIMS];
	int count[SW_MAX_DIMS];       /* of the parts that split entry k pushes; all 0: the rule chooses ... */
	sw_part pushed[SW_MAX_PARTS]; /* ... minor to major, entry after entry */
	int sums;                     /* of the parts that leave the sums, or join them as zeros ... */
	sw_part sum[SW_MAX_PARTS];    /* ... in the order in which a reducescatter pushes them, minor to major */
	bool has_target;              /* allpermute and exchange: the type to reach */
	sw_type target;
} sw_call;

/* Reads an operation as a user writes it and applies it to `before`:
 *
 *     dynslice(0, x)   dynslice(0, x:(1)2)   allgather(0)   allgather(0, 2)   alltoall(0, 1)   alltoall(0, 1, 2)
 *     allpermute       allpermute [2{y}12, 3{x}12]      allgather(0:2 1:2)     alltoall(gather 0:2 1:2, split 2:4)
 *     dynslice(0, 2)   (by a factor: takes unused parts of the mesh, first come first)
 *     dynslice(0, {x,y})   dynslice(0:x 1:y)   alltoall(0, 1, {x,y})   alltoall(gather 0:4, split 1:x 2:y)
 *     split [[0,{x}],[1,{y}]]   gather [[0,2],[1,2]]   alltoall [[0,4]] [[1,{x}],[2,{y}]]   (the same as lists)
 *     reducescatter(0, {y})   reducescatter {y} [[0,2]] [[1,4]]   reducescatter {y} [[0,2]] [[1,4]] {y,x}
 *     allreduce {y}   zeros {y}   pad(0)   pad(0, 2)   pad(0:2 1:2)
 *
 * Where an amount stands, a factor says how much and braces say which parts, minor to major, become the innermost
 * ones; an alltoall may push any that are unused once its own are gone (replicas make that legal).
 * `allpermute` alone goes to `to` where `to` is given and has the same local type.  `allgather(i)` and
 * `alltoall(i, j)` without a factor take the innermost axis as written (all of it).  An alltoall without
 * braces pushes the parts it popped, in their order; a reducescatter those and then what it summed, and a list behind says
 * another order, minor to major, of these or of unused ones.  Errors: C01 to C14, T02, T03, T08, L06, L11, L12 and those of a type,
 * with the premise that fails, the number that broke it, and the position in `text`.  Where `before` says no element type the
 * target's is that of the array: `*after` has it, and the call prints it. */
bool sw_call_read(const sw_mesh *mesh, const sw_type *before, const sw_type *to, sw_str text, sw_call *call,
	sw_type *after, sw_diag *diag);

/* Applies a call to a type by the rule of its row.  Errors: C02 to C14, T03, T09, T11 (positions are empty). */
bool sw_call_apply(const sw_mesh *mesh, const sw_type *before, const sw_call *call, sw_type *after, sw_diag *diag);

/* Adds the call as sw_call_read reads it back: the shortest form that says it. */
void sw_call_print(const sw_mesh *mesh, const sw_call *call, sw_text *text);

/* The same beside the type that it leads to: a call that is told by that type needs its name only. */
void sw_call_print_beside(const sw_mesh *mesh, const sw_call *call, sw_text *text);

#pragma GCC visibility pop

#endif
