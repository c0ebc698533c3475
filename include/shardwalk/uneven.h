/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes that do not divide: what the systems do with 17 rows over 8 devices, and planning on a padded array.
 *
 * Five rules are about.  They agree where a size divides, and differ in which devices hold how much where it does
 * not, so that none may be taken silently.
 */
#ifndef SHARDWALK_UNEVEN_H
#define SHARDWALK_UNEVEN_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* identifier, name, the rule in words, who has it */
#define SW_UNEVEN_RULES(X) \
	X(CEIL, "ceil", \
		"tiles of the size divided by the number of pieces, rounded up; the last are short or " \
		"empty", \
		"XLA (JAX inside jit, PyTorch/XLA), Shardy, GSPMD") \
	X(CHUNK, "chunk", "the same for each mesh axis in turn, the major one first, within the previous piece", \
		"PyTorch: torch.chunk, DTensor, FSDP2") \
	X(BALANCED, "balanced", "sizes that differ by at most one; the first pieces are the larger ones", \
		"numpy.array_split, mpi4py-fft, HeAT, PETSc and most MPI codes") \
	X(FLOOR, "floor", "index i of n is in piece i * P / n of P, rounded down", "Chapel: blockDist") \
	X(NESTED, "nested", \
		"for each mesh axis in turn, the full previous piece divided and rounded " \
		"up", \
		"DISTAL, Legion")

typedef enum sw_uneven_rule {
#define X(id, name, words, who) SW_UNEVEN_##id,
	SW_UNEVEN_RULES(X)
#undef X
		SW_UNEVEN_RULE_COUNT
} sw_uneven_rule;

#define SW_UNEVEN_COMPARED 3 /* how many of them, from the first on, the hint of a refused size compares */

const char *sw_uneven_name(sw_uneven_rule rule);
const char *sw_uneven_words(sw_uneven_rule rule);
const char *sw_uneven_who(sw_uneven_rule rule);

/* What systems do when they are asked for such an array. */
typedef struct sw_uneven_system {
	const char *name, *does;
} sw_uneven_system;
#define SW_UNEVEN_SYSTEMS 5
extern const sw_uneven_system sw_uneven_systems[SW_UNEVEN_SYSTEMS];

/* A dimension of `size` cut in cut[0] pieces, each of them in cut[1], and so on: major to minor. */
typedef struct sw_uneven {
	int64_t size;
	int count;
	int64_t cut[SW_MAX_PARTS];
	int64_t pieces; /* the product of the cuts */
} sw_uneven;

/* The rule of this name; SW_UNEVEN_RULE_COUNT: there is none. */
sw_uneven_rule sw_uneven_named(sw_str name);

/* Starts one.  L12 or L13 where a size or a cut is below 1 or they are too many. */
bool sw_uneven_start(int64_t size, const int64_t *cut, int count, sw_uneven *uneven, sw_diag *diag);

/* How much piece i holds; `begin`, where not NULL, gets where it begins.  No piece begins before the one before it. */
int64_t sw_uneven_piece(const sw_uneven *uneven, sw_uneven_rule rule, int64_t i, int64_t *begin);

/* The largest piece, which is what every device must have room for, and how many pieces are empty. */
int64_t sw_uneven_largest(const sw_uneven *uneven, sw_uneven_rule rule);
int64_t sw_uneven_empty(const sw_uneven *uneven, sw_uneven_rule rule);

/* Adds "3,3,3,3,3,2,0,0"; of more than `most` pieces the first ones and "...". */
void sw_uneven_print(const sw_uneven *uneven, sw_uneven_rule rule, int64_t most, sw_text *text);

/* Sets the hint of a size that was refused: what the three rules make of it, and where to go on.  `part`: what cuts
 * the dimension, minor to major; `before`: what to say first. */
void sw_uneven_hint(sw_diag *diag, const char *before, int64_t size, const sw_part *part, int count);

/* ---- padded arrays ---- */

/* The smallest multiple of `tiles` that holds `size`.  false: it would not fit. */
bool sw_uneven_pad(int64_t size, int64_t tiles, int64_t *padded);

/* Where one of two types of one array is padded: pads both to the smallest sizes that the parts of both divide.  Nothing
 * changes where their real sizes differ, or where it would not fit. */
void sw_uneven_agree(sw_type *a, sw_type *b);

/* Pads a type to the sizes of `like`, where it is of the same array: of its real sizes, or of its padded ones, as plans
 * are printed.  Nothing changes where it is not, or its parts do not divide them. */
void sw_uneven_fit(sw_type *type, const sw_type *like);

/* As sw_type_redistributable of two types that may yet have to be padded alike: real sizes are compared, and
 * an element type said on one side holds for both.  T09. */
bool sw_uneven_same_array(const sw_type *a, const sw_type *b, sw_diag *diag);

/* Adds a sentence for each dimension that is padded: to what, and where XLA would pad each end otherwise.  `to` may
 * be NULL. */
void sw_uneven_explain(const sw_type *from, const sw_type *to, const char *between, sw_text *text);

/* As sw_type_print; a padded type with its real sizes and without tiles, as sw_type_parse_as reads it back. */
void sw_type_print_real(const sw_mesh *mesh, const sw_type *type, bool dtype, sw_text *text);

/* Elements that are padding: over all devices; on the device that has most; devices that hold nothing else. */
typedef struct sw_padding_count {
	int64_t total, most, empty;
	int64_t elements; /* held over all devices, padding included */
} sw_padding_count;

/* Counts them.  Above 2^63 elements over all devices: INT64_MAX. */
void sw_type_padding(const sw_mesh *mesh, const sw_type *type, sw_padding_count *count);

#pragma GCC visibility pop

#endif
