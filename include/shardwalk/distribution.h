/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions: types that map each device to any set of elements.
 *
 *     [1{x,..}13]    [2{x@1,..}13]    [5+4+3+1{x}13]    [{x}13] by balanced    [3{x}12] shift 1 union [3{x}12]
 *     [2{r,..}9, 2{c,..}9] over {r: 2, c: 3} on 0,2-3 only 2:8, :    [13] at {0: 0-3 8; 2: 4+2*3 2-3+4*6}    [9]+ at FILE
 *
 * Inside of the bracket blocks come round again (`..`), begin at another device (`@`), or have stated sizes.  Behind it stand words,
 * which act from the left; `over` gives a member of a union a mesh of its own, before all else.  A tile type is the regular case:
 * what equals one is one.
 *
 * What one device has follows from its number, however many elements and devices there are.  A distribution is a small value that
 * points into the arena it was read into.
 *
 * Source: seed 002, section 3.
 */
#ifndef SHARDWALK_DISTRIBUTION_H
#define SHARDWALK_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/holding.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>
#include <shardwalk/uneven.h>

#pragma GCC visibility push(default)

typedef struct sw_member_range {
	int32_t begin, end; /* members begin to end - 1 */
} sw_member_range;

typedef struct sw_distribution {
	bool tile;       /* it is a tile type ... */
	sw_type type;    /* ... namely this one; else the array alone, every dimension whole, without sums */
	int64_t devices; /* of the mesh */
	bool each;       /* `+`: every device that has an element has a term of its own */
	int members;     /* of the union, 1 or more */
	const struct sw_distribution_member *member;
	const sw_member_range *range; /* of each device, which no other members are of; NULL: all may be of it */
} sw_distribution;

/* What texts may refer to.  Each pointer may be NULL. */
typedef struct sw_distribution_names {
	const sw_uneven_rule *rule; /* of sizes that do not divide, where `by` is missing */

	/* The distribution of this name; NULL: there is none.  It has to live as long as what is read. */
	const sw_distribution *(*named)(const void *of, sw_str name);

	/* The text of the file `at NAME` says; false: the diagnostic is set, without a place. */
	bool (*file)(const void *of, sw_str name, sw_arena *arena, sw_str *text, sw_diag *diag);
	const void *of; /* what both are handed */

	bool pads; /* sizes that do not divide are padded in tile types, by sw_type_parse_any */
} sw_distribution_names;

/* Reads a distribution; `names` may be NULL.  It points into the arena, and to the mesh nowhere.  Errors: those of types; T09 where united
 * types are of different arrays; T13 to T16. */
bool sw_distribution_parse(const sw_mesh *mesh, sw_str text, const sw_distribution_names *names, sw_arena *arena,
	sw_distribution *distribution, sw_diag *diag);

/* A tile type as a distribution.  false: no memory. */
bool sw_distribution_of_type(const sw_mesh *mesh, const sw_type *type, sw_arena *arena,
	sw_distribution *distribution);

/* The distribution that says what a holding of whole values has, of the element type of `array`: a tile type where it equals one, else device
 * by device.  A single value is had where a device is defined.  Errors: S08 where it takes more than 2^20 devices or 2^16 pieces, T16 where
 * no device is defined. */
bool sw_distribution_of_holding(const sw_mesh *mesh, const sw_holding *holding, const sw_type *array, sw_arena *arena,
	sw_distribution *distribution, sw_diag *diag);

/* A tile type of the same array that is near: cut by the axes of its first bracket, without rounds; by none where their sizes do not
 * divide. */
void sw_distribution_near_tile(const sw_mesh *mesh, const sw_distribution *distribution, sw_type *type);

/* Adds the text, which reads back as the same; with `dtype`, the element type stands before each bracket. */
void sw_distribution_print(const sw_mesh *mesh, const sw_distribution *distribution, bool dtype, sw_text *text);

/* What each device has.  `distribution` has to live as long, as has `arena`; `order` as in sw_holding_of_type. */
bool sw_holding_of_distribution(const sw_mesh *mesh, const sw_distribution *distribution, const int64_t *order,
	sw_arena *arena, sw_holding *holding);

/* ---- types of any kind ----
 *
 * Values and the ends of problems are a tile type, and words where they are none (type.h). */

/* Reads a type: a tile type, as sw_type_parse_as does, `words` is NULL then; else the array alone, every dimension whole, and in
 * `words` what devices have of it, which lives in the arena. */
bool sw_type_parse_any(const sw_mesh *mesh, sw_str text, const sw_distribution_names *names, sw_arena *arena,
	sw_type *type, const sw_distribution **words, sw_diag *diag);

/* Adds its text, as sw_type_print_real and sw_distribution_print do. */
void sw_type_print_any(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, bool dtype,
	sw_text *text);

/* What each device has under it; see sw_holding_of_type and sw_holding_of_distribution. */
bool sw_holding_of_any(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, const int64_t *order,
	sw_arena *arena, sw_holding *holding);

/* Has every device the same under both?  false where there is no memory, too. */
bool sw_type_same_any(const sw_mesh *mesh, const sw_type *a, const sw_distribution *a_words, const sw_type *b,
	const sw_distribution *b_words);

/* Refuses a type with words where only tile types can stand: T17.  false. */
bool sw_type_refuse_words(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, sw_span at,
	sw_diag *diag);

/* As sw_type_agree.  T04 (the position is empty) where one is padded, and the other one has words. */
bool sw_type_agree_any(sw_type *a, const sw_distribution *a_words, sw_type *b, const sw_distribution *b_words,
	sw_diag *diag);

/* Reads `FROM ~> TO`, each of any kind.  Errors: as sw_problem_parse_as and sw_distribution_parse, T04 where one end is padded and the
 * other one has words. */
bool sw_problem_parse_any(const sw_mesh *mesh, sw_str text, bool pads, const sw_distribution_names *names,
	sw_arena *arena, sw_problem *problem, sw_diag *diag);

/* What each device has before and after.  The problem has to live as long.  false: no memory. */
bool sw_problem_holdings(const sw_problem *problem, sw_arena *arena, sw_holding *from, sw_holding *to);

/* How many indices of each dimension a device has under a type of any kind, as local sizes of libraries tell it, where some of them may be
 * 0.  false: it is undefined there, the type is a union, or there is no memory. */
bool sw_type_local_sizes(const sw_type *type, const sw_distribution *words, int64_t device, sw_arena *arena,
	int64_t *size);

/* What ScaLAPACK says of a matrix: blocks of one size that come round again over a grid of two dimensions. */
typedef struct sw_block_cyclic {
	int64_t size[2], block[2],
		first[2];    /* of the matrix; of the blocks; the row and column of processes that have the first */
	int64_t grid[2]; /* devices 0, 1, ..., row by row, or, where it is turned, column by column */
	bool turned;
	bool part, cropped; /* only these rows and columns of it, which keep their place, or are an array of their own */
	int64_t low[2], high[2];
} sw_block_cyclic;

/* The same as such a matrix, or as a part of one.  false: no memory, `why_not` is NULL then, or the reason. */
bool sw_block_cyclic_of(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, sw_arena *arena,
	sw_block_cyclic *says, const char **why_not);

/* Is it a word that stands behind types, and hence no name of one? */
bool sw_distribution_is_word(sw_str name);

#pragma GCC visibility pop

#endif
