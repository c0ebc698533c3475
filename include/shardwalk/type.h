/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributed array types: which tile of a global array each device holds.
 *
 * Source: seed 000, sections 2.1 and 4.1, figures 6 and 7.
 *
 *     f32[3{x}12, 2{y}12]      [{x}12, 7]      [6{x:(1)2}12, 1{x:(2)2,y}12]      "[8{}8]"      [3{x}12, 12]+{y}
 *
 * A dimension is `tile{axes}global`; axes are minor to major: the first varies fastest along the dimension.
 * A part of an axis is `x:(pre)size`, `pre` being the product of the more major parts of that axis.
 *
 * Behind the bracket `+{y}` says that values are still to be summed: the devices along y hold terms, and the value is their
 * sum.  Where a tile lies does not depend on that.
 */
#ifndef SHARDWALK_TYPE_H
#define SHARDWALK_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_MAX_DIMS 16
#define SW_MAX_PARTS 104 /* 64 axes and the prime factors of 2^40 devices */

/* Element types.  One row each: identifier, name, bytes, aliases separated by blanks. */
#define SW_DTYPES(X) \
	X(PRED, "pred", 1, "bool i1") \
	X(I8, "i8", 1, "s8 int8") \
	X(U8, "u8", 1, "uint8") \
	X(F8E4M3FN, "f8e4m3fn", 1, "float8_e4m3fn") \
	X(F8E4M3, "f8e4m3", 1, "float8_e4m3") \
	X(F8E4M3B11FNUZ, "f8e4m3b11fnuz", 1, "float8_e4m3b11fnuz") \
	X(F8E4M3FNUZ, "f8e4m3fnuz", 1, "float8_e4m3fnuz") \
	X(F8E5M2, "f8e5m2", 1, "float8_e5m2") \
	X(F8E5M2FNUZ, "f8e5m2fnuz", 1, "float8_e5m2fnuz") \
	X(F8E3M4, "f8e3m4", 1, "float8_e3m4") \
	X(F8E8M0FNU, "f8e8m0fnu", 1, "float8_e8m0fnu") \
	X(I16, "i16", 2, "s16 int16 short") \
	X(U16, "u16", 2, "uint16") \
	X(F16, "f16", 2, "float16 half") \
	X(BF16, "bf16", 2, "bfloat16") \
	X(I32, "i32", 4, "s32 int32 int") \
	X(U32, "u32", 4, "uint32") \
	X(F32, "f32", 4, "float32 float") \
	X(I64, "i64", 8, "s64 int64 long") \
	X(U64, "u64", 8, "uint64") \
	X(F64, "f64", 8, "float64 double") \
	X(C64, "c64", 8, "complex64") \
	X(C128, "c128", 16, "complex128")

typedef enum sw_dtype {
#define X(id, name, bytes, aliases) SW_##id,
	SW_DTYPES(X)
#undef X
		SW_DTYPE_COUNT
} sw_dtype;

const char *sw_dtype_name(sw_dtype dtype);
int sw_dtype_bytes(sw_dtype dtype);

/* The element type of this name or alias; false where there is none (T07, with the nearest name). */
bool sw_dtype_parse(sw_str name, sw_dtype *dtype, sw_diag *diag);

/* A part of a mesh axis: its devices differ in `coordinate / (size of axis / (pre * size)) % size`.
 * pre = 1 and size = the axis's size: the whole axis. */
typedef struct sw_part {
	int axis;
	int64_t pre;
	int64_t size;
} sw_part;

/* The parts of a type in few bytes.  Of an axis of size 1 the whole is a part, which needs no extent. */
typedef struct sw_packed_parts {
	uint8_t axis[SW_MAX_PARTS];
	uint8_t ones;        /* how many are of size 1 */
	uint8_t extent[175]; /* pre and size of the others, one after the other, 7 bits of a number a byte */
} sw_packed_parts;

typedef struct sw_type {
	int64_t tile[SW_MAX_DIMS];   /* the local type */
	int64_t global[SW_MAX_DIMS]; /* tile * sizes of the parts */
	int64_t padding;             /* 0: all elements are real; else what sw_type_size tells (uneven.h) */
	sw_dtype dtype;
	bool dtype_given;               /* false: f32 because nothing was said */
	uint8_t rank;                   /* number of dimensions, 0 to SW_MAX_DIMS */
	uint8_t first[SW_MAX_DIMS + 2]; /* dimension i has parts first[i] to first[i + 1] - 1, i = rank: the sums */
	sw_packed_parts packed;
} sw_type;

/* Part `i` of a type.  Minor to major within a dimension; neighbours that make one larger part are one. */
sw_part sw_type_part(const sw_type *type, int i);

/* The parts of dimension `dim`, minor to major, into `parts`; how many there are. */
int sw_type_parts(const sw_type *type, int dim, sw_part *parts);

/* Puts other parts into dimension `dim`.  Tiles and sizes stay what they are: whoever changes them sees to both.
 * `dim` may be the rank, for the sums, whose parts come in their order then: sw_type_set_sums sees to it. */
void sw_type_put(sw_type *type, int dim, const sw_part *parts, int count);

/* How many tiles the parts of dimension `dim` make. */
int64_t sw_type_cuts(const sw_type *type, int dim);

/* The parts over which values are still to be summed, into `parts`; how many there are.  They stand in the order of the
 * mesh, the minor part of an axis first, and neighbours that make one larger part are one. */
int sw_type_sums(const sw_type *type, sw_part *parts);

/* How many terms make up a value, each on other devices: the product of the sizes of the sums; 1: values are whole. */
int64_t sw_type_terms(const sw_type *type);

/* The number of the term that `device` holds, 0 to terms - 1: the first of the sums varies fastest. */
int64_t sw_type_term(const sw_mesh *mesh, const sw_type *type, int64_t device);

/* Says over which parts values are still to be summed, in any order.  Errors: T03, T08, T11 (positions are empty). */
bool sw_type_set_sums(const sw_mesh *mesh, sw_type *type, const sw_part *parts, int count, sw_diag *diag);

/* Truth values have no sums: T11 (the position is empty) where the type is one of `pred` and has some. */
bool sw_type_check_sums(const sw_type *type, sw_diag *diag);

/* Reads a type, whole or with parts left out: a dimension is `tile{axes}global`, `{axes}global` (the tile is
 * computed), or `n`; an element type may stand before the bracket; the whole may stand in double quotes with
 * nothing else quoted inside.  A layout behind the bracket, `{1,0}` as XLA prints it, says an order in memory and
 * is passed over, before or behind the sums.  `{c:2}` as some papers write it is axis c, whose size must then be 2.
 * Errors: T01 to T08, T10, T11, with both positions where two disagree. */
bool sw_type_parse(const sw_mesh *mesh, sw_str text, sw_type *type, sw_diag *diag);

/* The same; with `pads`, sizes that do not divide are padded as XLA does: the smallest `global` that divides, with
 * `padding` at its end.  A tile that is written must be that of the padded size. */
bool sw_type_parse_as(const sw_mesh *mesh, sw_str text, bool pads, sw_type *type, sw_diag *diag);

/* Adds the canonical text of brackets and sums: one blank after a comma between dimensions, none inside braces.
 * With `dtype`, the element type stands before them. */
void sw_type_print(const sw_mesh *mesh, const sw_type *type, bool dtype, sw_text *text);

/* Adds the local type alone: `[3, 2]`. */
void sw_type_print_tile(const int64_t *tile, int rank, sw_text *text);

/* Starts a type of this shape with every dimension whole (no parts). */
bool sw_type_replicated(sw_dtype dtype, int rank, const int64_t *global, sw_type *type, sw_diag *diag);

/* Sets the parts of all dimensions: dimension i gets count[i] parts, minor to major, one dimension after the
 * other in `parts`.  Tiles are computed; neighbours are merged; sums stay.  Errors: T03, T04, T08, and T11 where a part is
 * among the sums (positions are empty). */
bool sw_type_partition(const sw_mesh *mesh, sw_type *type, const int *count, const sw_part *parts, sw_diag *diag);

/* The same; with `pads`, global sizes grow to what divides.  Error: T10. */
bool sw_type_partition_as(const sw_mesh *mesh, sw_type *type, const int *count, const sw_part *parts, bool pads,
	sw_diag *diag);

/* The size of dimension `dim` of the array, without padding, and those of all dimensions. */
int64_t sw_type_size(const sw_type *type, int dim);
void sw_type_real(const sw_type *type, int64_t real[SW_MAX_DIMS]);

/* Says which elements of `global` are real: the first `real` of each dimension, at least one. */
void sw_type_set_real(sw_type *type, const int64_t *real);

/* Is any of the type padding? */
bool sw_type_padded(const sw_type *type);

/* Elements of one tile, and of the whole array.  They fit: the parser refuses what does not. */
int64_t sw_type_localsize(const sw_type *type);
int64_t sw_type_globalsize(const sw_type *type);

/* Number of different tiles, and how many devices hold each: each term of each, where there are sums. */
int64_t sw_type_tiles(const sw_type *type);
int64_t sw_type_copies(const sw_mesh *mesh, const sw_type *type);

/* The base offset of the tile on `device`: rank numbers, in elements (figure 7a). */
void sw_type_offset(const sw_mesh *mesh, const sw_type *type, int64_t device, int64_t *offset);

/* Equal as written (canonical form), and equal in meaning: the same tile on every device, the same devices for a sum. */
bool sw_type_equal(const sw_type *a, const sw_type *b);
bool sw_type_same_map(const sw_mesh *mesh, const sw_type *a, const sw_type *b);

/* Where only one of two types says its element type, the other takes it over.  Where one pads, both are padded to
 * the smallest sizes that the parts of both divide. */
void sw_type_agree(sw_type *a, sw_type *b);

/* May `from` become `to`?  The same global sizes and element types (seed 000, section 2.5), whatever is still to be summed.
 * Errors: T09, T11. */
bool sw_type_redistributable(const sw_type *from, const sw_type *to, sw_diag *diag);

/* What is asked: an array of type `from` is needed as `to`.
 *
 * An end that is no tile type has words (distribution.h): its type says the array alone then, every dimension whole and without sums,
 * and the words say what devices hold.  Only readers that are asked for it make such ends. */
typedef struct sw_problem {
	sw_mesh mesh;
	sw_type from;
	sw_type to;
	const int64_t *to_order; /* the device in each slot of the mesh in the end; NULL: as in the mesh */
	const struct sw_distribution *from_words, *to_words; /* NULL: that end is a tile type */
	bool nearest; /* in an exchange the nearest holder sends; else all that hold an element share it */
} sw_problem;

/* The devices in the slots of the mesh in the end; NULL: their numbers. */
const int64_t *sw_problem_to_order(const sw_problem *problem);

/* Do devices lie in slots that are not those of their numbers, at one end at least? */
bool sw_problem_ordered(const sw_problem *problem);

/* Reads `FROM ~> TO` (or `->`) for a mesh; an element type said on one side holds for both.  Errors: those of the types, L02 where the arrow is missing, T09. */
bool sw_problem_parse(const sw_mesh *mesh, sw_str text, sw_problem *problem, sw_diag *diag);
bool sw_problem_parse_as(const sw_mesh *mesh, sw_str text, bool pads, sw_problem *problem, sw_diag *diag);

#pragma GCC visibility pop

#endif
