/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notations: how others write shardings, meshes and groups of devices.
 *
 * Each notation is a row of one table with its reader and its printer.  Whatever the notation, a text becomes a
 * sw_sharding: a mesh, perhaps an explicit order of its devices, and for every dimension the parts of axes that
 * cut it.  Two of them become a problem over one mesh (sw_sharding_problem).
 */
#ifndef SHARDWALK_NOTATION_H
#define SHARDWALK_NOTATION_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* identifier, name, what it is called, example */
#define SW_NOTATIONS(X) \
	X(PAPER, "paper", "a type of the paper", "f32[3{x}12, 2{y}12]") \
	X(HLO, "hlo", "an XLA sharding", "{devices=[2,1,4]<=[4,2]T(1,0)}") \
	X(HLO_LIST, "hlo-list", "an XLA sharding with its devices listed", "{devices=[2,2]0,2,1,3}") \
	X(HLO_NAMED, "hlo-named", "an XLA sharding over a named mesh", "{mesh[x=4,y=2], [{x}, {}]}") \
	X(SHARDY, "shardy", "a Shardy sharding", "#sdy.sharding<@mesh, [{\"x\"}, {}]>") \
	X(JAX, "jax", "a JAX PartitionSpec", "PartitionSpec('x', None)") \
	X(JAX_TYPE, "typeof", "what jax.typeof prints", "float32[8@x,4]") \
	X(DTENSOR, "dtensor", "DTensor placements", "(Shard(0), Replicate())") \
	X(ENTRIES, "torch_xla", "a partition spec of torch_xla or flax", "('x', None)") \
	X(LAYOUT, "tensorflow", "a layout of TensorFlow's DTensor", "sharding_specs:x,unsharded, mesh:|x=4,y=2|*CPU") \
	X(SBP, "oneflow", "an SBP of OneFlow", "(flow.sbp.split(0), flow.sbp.broadcast)") \
	X(BOOK, "book", "an array as the scaling book writes it", "A[I_XY, J]") \
	X(ALPA, "alpa", "an Alpa sharding", "S01R") \
	X(COLOSSAL, "colossal", "a sharding sequence of Colossal-AI", "[S01, R]") \
	X(PADDLE, "paddle", "a dims_mapping of Paddle", "dims_mapping=[0,-1]") \
	X(GSPMD, "mesh_split", "a mesh_split of GSPMD", "mesh_split(x, mesh, [0, -1])") \
	X(MEGATRON, "megatron", "a ShardedTensor of Megatron", "ShardedTensor(axis_fragmentations=(4, 1))") \
	X(MLIR, "mlir", "a sharding of MLIR's shard dialect", "#shard.sharding<@mesh, split_axes = [[0], [1]]>") \
	X(PENCIL, "pencil", "a pencil of mpi4py-fft", "Pencil axis=2") \
	X(SPLIT, "split", "a split of HeAT", "split=0") \
	X(SCALAPACK, "scalapack", "a ScaLAPACK descriptor", "DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3") \
	X(CHAPEL, "chapel", "a Chapel domain map", "{1..9} dmapped new blockCycDist(startIdx=1, blocksize=2)") \
	X(HPF, "hpf", "HPF directives", "REAL X(24); DISTRIBUTE X(CYCLIC(4)) ONTO P(3)") \
	X(LOCAL_SIZES, "petsc", "local sizes of PETSc or Tpetra", "local sizes 5 4 3 1") \
	X(COSTA, "costa", "a layout of COSTA", "rowsplit [0, 3, 7] colsplit [0, 4] owners [[0], [1]]") \
	X(DISTAL, "distal", "a placement of tensor distribution notation", "f64[9, 9] xy->xy") \
	X(GROUPS, "replica_groups", "XLA replica groups", "[4,2]<=[8]") \
	X(PAIRS, "source_target_pairs", "XLA source-target pairs", "source_target_pairs={{0,1},{1,0}}")

typedef enum sw_notation {
#define X(id, name, called, example) SW_NOTATION_##id,
	SW_NOTATIONS(X)
#undef X
		SW_NOTATION_COUNT
} sw_notation;

const char *sw_notation_name(sw_notation notation);
const char *sw_notation_called(sw_notation notation);
const char *sw_notation_example(sw_notation notation);

/* The notation that a text seems to be in; whatever is nothing else is the paper's. */
sw_notation sw_notation_guess(sw_str text);

/* Does the text look like any of them?  A type of the paper has a bracket with a number or nothing behind its name. */
bool sw_notation_known(sw_str text);

/* Has it words for what no tiles say, such as blocks that come round again?  Its texts are read as types of any kind. */
bool sw_notation_has_words(sw_notation notation);

/* The placements in a call of PyTorch, `x.redistribute(device_mesh=mesh, placements=[...])` or `distribute_tensor(x, mesh, [...])`: a
 * slice of the text, empty where it is no such call.  *moves: the tensor has other ones before, as in the first. */
sw_str sw_notation_call(sw_str text, bool *moves);

/* Refuses a text that looks like none of them: N08. */
bool sw_notation_refuse(sw_str text, sw_diag *diag);

typedef enum sw_sharding_kind {
	SW_SHARDING_TILED,   /* each device holds a tile, perhaps the whole array */
	SW_SHARDING_MAXIMAL, /* one device holds everything */
	SW_SHARDING_MANUAL,  /* inside shard_map: nobody knows the whole */
	SW_SHARDING_UNKNOWN,
	SW_SHARDING_UNREDUCED, /* every device holds a part of a sum */
	SW_SHARDING_TUPLE,
	SW_SHARDING_MESH, /* the text is a mesh and nothing more */
	SW_SHARDING_GROUPS,
	SW_SHARDING_PAIRS,
	SW_SHARDING_WORDS /* what no tiles say: a type with words (distribution.h), over the mesh */
} sw_sharding_kind;

/* Devices that differ only there: have the same tile, run in manual mode, hold terms of a sum, or of something that is no
 * sum, such as a maximum. */
typedef enum sw_subgroup {
	SW_SUBGROUP_REPLICATED,
	SW_SUBGROUP_MANUAL,
	SW_SUBGROUP_UNREDUCED,
	SW_SUBGROUP_MAXIMAL,
	SW_SUBGROUP_COMBINED
} sw_subgroup;

#define SW_MAX_SUBGROUPS 4

typedef struct sw_sharding {
	sw_notation notation;
	sw_sharding_kind kind;
	bool named;           /* the axes have the names that the text, or what it was read with, gives them */
	bool own_mesh;        /* the text itself says the mesh */
	bool extends;         /* dimensions may follow that are not partitioned: the text does not say the rank */
	bool grid;            /* the text is a grid, `{4,8,4}`: one number a dimension, in which it is cut */
	bool assumed_iota;    /* the text names no devices: 0, 1, 2, ... */
	bool listed;          /* the text lists the numbers of its devices */
	bool ordered;         /* DTensor: the text itself says in which order axes cut a dimension */
	bool two_ways;        /* its letters may also be one for each dimension of the mesh */
	const char *combined; /* of a subgroup COMBINED: how, as its text says it */
	sw_str words;         /* WORDS: the type that says the same */
	const char *note;     /* what was read how, and what was left out: sentences with line breaks; NULL: none */
	char mesh_name[SW_NAME_SIZE]; /* as in `@mesh`; empty: none */
	sw_mesh mesh;                 /* count 0: no axes; devices 0 then: as many as one likes */
	const int64_t
		*numbers; /* of the devices in its slots, where they are not 0, 1, 2, ... in any order; NULL: they are */
	int rank;
	int subgroups;
	sw_subgroup subgroup[SW_MAX_SUBGROUPS];
	int first[SW_MAX_DIMS + SW_MAX_SUBGROUPS + 2]; /* dimensions, then subgroups */
	sw_part parts[SW_MAX_PARTS];                   /* major to minor */
	uint32_t open;                                 /* bit d: dimension d may be partitioned further */
	int64_t priority[SW_MAX_DIMS];                 /* -1: none */
	bool pads;                                     /* as a type, sizes that do not divide are padded */
	bool has_shape;
	sw_type shape;  /* where has_shape: sizes and element type */
	int64_t device; /* of MAXIMAL, and of a MESH of one device */
	int count;      /* TUPLE: shardings; GROUPS: groups; PAIRS: pairs; MESH: 1 where it is one device */
	struct sw_sharding *items;
	const int64_t *members; /* GROUPS: group after group; PAIRS: source, target, source, ... */
	const int64_t *starts;  /* GROUPS: group g is members[starts[g]] to members[starts[g + 1] - 1] */
} sw_sharding;

/* What a text leaves out: the mesh with the order of its devices, and the number of dimensions (-1: not known). */
typedef struct sw_notation_context {
	const sw_mesh *mesh;
	int rank;
	bool pads;            /* sizes that do not divide are padded (uneven.h) */
	bool placements;      /* letters that may be read in two ways are one for each dimension of the mesh */
	const sw_type *shape; /* NULL: not known */
	bool numbers; /* devices may have other numbers than 0, 1, 2, ...: both ends are read, for sw_sharding_problem */
} sw_notation_context;

/* Reads a text in whatever notation it is in.  Lists live in `arena`; `context` may be NULL.  Errors: N01 to N04,
 * and those of meshes and types. */
bool sw_sharding_parse(sw_str text, const sw_notation_context *context, sw_arena *arena, sw_sharding *sharding,
	sw_diag *diag);

/* Letters that may be read in two ways, `S1R`: are they of the mesh, since the other end of the redistribution is placements that cut? */
bool sw_sharding_settles(const sw_sharding *letters, const sw_sharding *other);

/* DTensor's ShardOrder beside placements: `axes` are the dimensions of the mesh that cut dimension `dim`, in the order they cut,
 * major first.  Dimensions that are not named keep the default, the order of the mesh.  Errors: N01 where others cut it, or
 * where the text says another order, C03. */
bool sw_sharding_order_by(sw_sharding *sharding, int64_t dim, const int64_t *axes, int count, sw_diag *diag);

/* Adds the canonical text in a notation, as its system prints it.  N02 where that notation cannot say it. */
bool sw_sharding_print(const sw_sharding *sharding, sw_notation notation, sw_arena *arena, sw_text *text,
	sw_diag *diag);

/* Adds the mesh that the text of sw_sharding_print speaks of, as that system writes it; nothing where it needs
 * none. */
bool sw_sharding_print_mesh(const sw_sharding *sharding, sw_notation notation, sw_arena *arena, sw_text *text,
	sw_diag *diag);

/* Adds what the text was taken for, and what it means, in words: sentences with line breaks. */
void sw_sharding_explain(const sw_sharding *sharding, sw_text *text);

/* Takes the shape of the array where the text says none: dimensions that it leaves open are whole.  N05 where it has
 * more of them than the array, or says all of its own and they are fewer. */
bool sw_sharding_take_shape(sw_sharding *sharding, const sw_type *shape, sw_diag *diag);

/* What the text of a sharding is called: as sw_notation_called, and a mesh alone by its own name. */
const char *sw_sharding_called(const sw_sharding *sharding);

/* How many tiles dimension d is cut in; `d` may be the rank, for the first subgroup. */
int64_t sw_sharding_cuts(const sw_sharding *sharding, int d);

/* Of how many parts is the sum that each tile is; 1: devices hold no parts of sums. */
int64_t sw_sharding_summands(const sw_sharding *sharding);

/* The tile of every device: devices x rank numbers, row-major; of at most SW_MAX_MAP_DEVICES.  NULL on error: N02
 * where it says no tiles, S08, E01. */
const int64_t *sw_sharding_table(const sw_sharding *sharding, sw_arena *arena, sw_diag *diag);

/* The flat list of devices in the order of the tiles, as `{devices=...}` would list them. */
const int64_t *sw_sharding_devices(const sw_sharding *sharding, sw_arena *arena, sw_diag *diag);

/* How slots come to tiles: numbered row-major over size[0], size[1], ..., they are read with dimension order[0]
 * outermost, as `<=[4,2]T(1,0)` says.  Neighbours that stay together are one dimension.  Returns how many; 0 where
 * there are more than `room`, or where the sharding says no tiles. */
int sw_sharding_order(const sw_sharding *sharding, int room, int64_t *size, int *order);

/* Two shardings as a problem over one mesh. */
typedef struct sw_reading {
	sw_problem problem; /* on the devices in their order: it has one where no mesh of axes gives it */
	bool found_mesh;    /* the mesh was recovered from device lists; its names are made up */
	int64_t gather;     /* not 0: no mesh has axes for both; the smallest groups that hold whole tiles of both */
	char remark[320];   /* what had to be done, in words; may be empty */
} sw_reading;

/* Recovers the mesh by common refinement.  `shape` gives the global sizes where the texts do not; it may be NULL.  Where they speak of
 * different devices both ends get words, each over its own mesh, over the devices of both.
 * Errors: N02 where one of them is no distributed type (the reason), N03 without shape, N05 where they speak of
 * different ranks, T04 for sizes that do not divide, S08, E01. */
bool sw_sharding_problem(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag);

/* One sharding of an array of this shape as a type over its own mesh.  Errors as above. */
bool sw_sharding_type(const sw_sharding *sharding, const sw_type *shape, sw_arena *arena, sw_type *type,
	sw_diag *diag);

/* One sharding as a type over a mesh that is given, on the devices in its slots, with parts of its axes where it takes them.  N05 where the mesh
 * has no axes for it, with one that has. */
bool sw_sharding_over(const sw_sharding *sharding, const sw_mesh *mesh, const sw_type *shape, sw_arena *arena,
	sw_type *type, sw_diag *diag);

/* The same as a type of any kind: where `*words` is not NULL the type says the array alone, and they say what devices have.  A text of
 * the kind WORDS needs no shape; where its mesh is another one, it is over that, on the first devices of this one: N05 where it has more
 * than there are. */
bool sw_sharding_any(const sw_sharding *sharding, const sw_mesh *mesh, const sw_type *shape, sw_arena *arena,
	sw_type *type, const struct sw_distribution **words, sw_diag *diag);

/* A call of ScaLAPACK's p?gemr2d: does the text hold one, and the two ends of what it moves, as WORDS over their grids.  A submatrix of
 * the same place at both ends is `only` that of both; else both are cropped.  Errors: N01, N03, N05. */
bool sw_notation_is_gemr2d(sw_str text);
bool sw_gemr2d_parse(sw_str text, const sw_notation_context *context, sw_arena *arena, sw_sharding *from,
	sw_sharding *to, sw_diag *diag);

/* On how many devices do two shardings hold different tiles, or parts of different sums?  `first` gets the first of them.  -1 on error. */
int64_t sw_sharding_differ(const sw_sharding *a, const sw_sharding *b, sw_arena *arena, int64_t *first,
	sw_diag *diag);

#pragma GCC visibility pop

#endif
