/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of all notations share: a scanner, the sharding that grows, and the positions of its parts.
 */
#ifndef SHARDWALK_NOTATION_READ_H
#define SHARDWALK_NOTATION_READ_H

#include <shardwalk/notation.h>

#include "array/parts.h"
#include "base/python.h"
#include "base/scan.h"
#include "index/digits.h"

typedef struct sw_reader {
	sw_scan scan;
	sw_arena *arena;
	const sw_notation_context *context;
	sw_sharding *out;
	sw_span at[SW_MAX_PARTS]; /* positions of the parts */
} sw_reader;

typedef bool sw_reader_function(sw_reader *reader);
typedef bool sw_printer_function(const sw_sharding *sharding, sw_arena *arena, sw_text *text, sw_diag *diag);

/* Steps over this word or sign where it stands next. */
bool sw_read_word(sw_reader *reader, const char *word);
bool sw_read_sign(sw_reader *reader, const char *sign);

/* Does it stand next? */
bool sw_read_sees(sw_reader *reader, const char *sign);

static inline bool sw_read_number(sw_reader *reader, const char *what, int64_t low, int64_t high, int64_t *number)
{
	return sw_scan_number(&reader->scan, what, low, high, number);
}

/* Numbers with commas between them up to `close`, which `open` began; returns how many, -1 on error. */
static inline int sw_read_numbers(sw_reader *reader, char close, sw_span open, const char *what, int64_t low,
	int64_t *number, int room)
{
	return sw_scan_numbers(&reader->scan, close, open, what, low, number, room);
}

/* Digits that stand right here; false: none, or too many. */
bool sw_read_digits(sw_reader *reader, int64_t *number);

/* A mesh of these sizes whose axes have numbers, called m0, m1, ... */
bool sw_read_numbered_mesh(sw_reader *reader, const int64_t *size, int64_t count, sw_span at);

/* Adds axis number `axis` of the mesh to the dimension that is being read.  Errors: T02, T03. */
bool sw_read_axis_number(sw_reader *reader, int64_t axis, sw_span at);

/* Adds a sentence about what was read, which is said wherever it is used. */
void sw_read_note(sw_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses what comes next with N01. */
bool sw_read_refuse(sw_reader *reader, const char *expected);

/* Takes the mesh of the context, if there is one. */
void sw_read_known_mesh(sw_reader *reader);

/* The same.  N03 where there is none. */
bool sw_read_need_mesh(sw_reader *reader, sw_span at);

/* Adds a part of the axis of this name at the minor end of the dimension that is being read; size 0: the whole
 * axis.  Parts of size 1 are left out.  Errors: T02, T03, T08. */
bool sw_read_part(sw_reader *reader, sw_str name, sw_span at, int64_t pre, int64_t size);

/* `x`, `"x"`, `x:(1)2` */
bool sw_read_axis(sw_reader *reader);

/* Ends the dimension, or the subgroup, that is being read.  Error: T06. */
bool sw_read_end_dim(sw_reader *reader, sw_span at);
bool sw_read_end_subgroup(sw_reader *reader, sw_subgroup state, sw_span at);

/* Where a device order is the identity it is forgotten; else each id must stand once (N04).  Other numbers than 0, 1, 2, ... are kept
 * where the context allows them. */
bool sw_read_ids(sw_reader *reader, const int64_t *ids, int64_t count, sw_span at);

/* Room for a list of numbers that grows in the arena. */
typedef struct sw_numbers {
	int64_t *at;
	int64_t count, room;
} sw_numbers;
bool sw_numbers_add(sw_numbers *numbers, int64_t value, sw_arena *arena, sw_diag *diag);

/* Takes the shape of the array that the text says.  Errors: T05, T06, T10; N05 where it has other dimensions. */
bool sw_read_shape(sw_reader *reader, sw_dtype dtype, const sw_numbers *sizes);

/* Nested or flat lists of numbers in brackets of any kind, with the sizes of the first of each level. */
bool sw_read_array(sw_reader *reader, sw_numbers *numbers, int64_t *dim, int *dims);

/* The numbers alone: `(4, 2)`, `[4, 2]`, `torch.Size([4, 2])`. */
bool sw_read_sizes(sw_reader *reader, sw_numbers *numbers);

/* The names of axes that were made up: a, b, ..., z, a1, ... */
void sw_axis_name(int i, char name[SW_NAME_SIZE]);

/* ---- types with words ---- */

/* Devices that are counted as a grid, the last dimension fastest, or, where it is turned, the first.  They are the mesh that is known
 * where that has axes of these sizes. */
typedef struct sw_grid {
	int count;
	int64_t size[SW_MAX_DIMS];
	bool turned;
	char name[SW_MAX_DIMS][SW_NAME_SIZE]; /* the axis of each dimension */
} sw_grid;

/* Takes it for the mesh of the sharding, and names the axes.  Errors: N05 for too many dimensions or devices. */
bool sw_read_take_grid(sw_reader *reader, sw_grid *grid, sw_span at);

/* Takes so many devices without a grid: the mesh that is known where it has as many or more. */
bool sw_read_take_devices(sw_reader *reader, int64_t devices, sw_span at);

/* `on 2 x 3`, perhaps with `column-major` behind it; count 0: it is not there. */
bool sw_read_on_grid(sw_reader *reader, sw_grid *grid);
bool sw_read_turned(sw_reader *reader);

/* What was read is this type over the mesh of the sharding.  Frees the text.  Errors: those of types, at `at`. */
bool sw_read_words(sw_reader *reader, sw_text *type, sw_span at);

/* A whole number with a sign, whatever follows it; false: none stands there. */
bool sw_read_signed(sw_reader *reader, int64_t *number);

/* Steps over blanks, semicolons and the signs of comments. */
void sw_read_pass(sw_reader *reader, const char *signs);

/* Two ends of which one has words, as a problem over a mesh of both. */
bool sw_words_problem(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag);

/* Do two shardings speak of different devices, or of some that are not 0, 1, 2, ...?  As a problem over all of them; shape as in
 * sw_sharding_problem.  Errors: the same, and S08. */
bool sw_meshes_differ(const sw_sharding *from, const sw_sharding *to);
bool sw_meshes_problem(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag);

/* A type with `over MESH` behind each of its brackets. */
void sw_words_print_over(sw_str type, const sw_mesh *mesh, sw_text *text);

/* As sw_sharding_differ, of two of which one has words. */
int64_t sw_words_differ(const sw_sharding *a, const sw_sharding *b, sw_arena *arena, int64_t *first, sw_diag *diag);

/* What PyTorch does to one tensor dimension along each dimension of the mesh: shards it, into `split` first; 0: leaves it whole. */
typedef struct sw_strided {
	int dim; /* -1: replicated */
	int64_t split;
} sw_strided;

/* Placements that no order of axes says, of a tensor whose sizes are known: as a type with words. */
bool sw_read_strided(sw_reader *reader, const sw_strided *placed, const sw_type *shape, sw_span at);

/* ---- parts ---- */

/* The parts of the mesh that neither dimensions nor subgroups use (`states`: bits of the subgroups that count as
 * used), by descending stride; returns how many. */
int sw_sharding_rest(const sw_sharding *sharding, unsigned states, sw_part *rest, int room);

/* The subgroup's parts. */
static inline int sw_subgroup_first(const sw_sharding *sharding, int g)
{
	return sharding->first[sharding->rank + g];
}

/* Refuses to print: N02. */
bool sw_print_refuse(sw_diag *diag, sw_notation notation, const char *why);

/* Is it tiles on devices?  With `states`, neither in manual mode nor combined otherwise than by adding.  Error: N02, with the
 * reason. */
bool sw_tiles_only(const sw_sharding *sharding, bool states, sw_diag *diag);

/* The array's shape, as the sharding or the caller (*shape) says it.  Errors: N03, N05. */
bool sw_tiles_shape(const sw_sharding *sharding, const sw_type **shape, sw_diag *diag);

/* The same dimensions, and one subgroup: what is summed, in the order of the mesh.  One of UNREDUCED over a mesh is a sum over all of
 * it. */
void sw_tiles_and_sums(const sw_sharding *sharding, sw_sharding *out);

/* A type of the array of a sharding, from parts over this mesh, major to minor, those behind the last dimension being summed.  Where
 * the sharding pads, sizes that do not divide are padded. */
bool sw_tiles_type(const sw_sharding *sharding, const sw_mesh *mesh, const sw_part *parts, const int *first,
	const sw_type *shape, sw_type *type, sw_diag *diag);

/* After T04: what the systems do with the size, cut as the text itself cuts it and not the mesh that was found. */
void sw_tiles_hint(const sw_sharding *sharding, const sw_type *shape, sw_diag *diag);

/* ---- rows ---- */

sw_reader_function sw_read_paper, sw_read_hlo, sw_read_hlo_named, sw_read_shardy, sw_read_jax, sw_read_jax_type,
	sw_read_dtensor, sw_read_sbp, sw_read_entries, sw_read_layout, sw_read_book, sw_read_alpa, sw_read_colossal,
	sw_read_paddle, sw_read_gspmd, sw_read_mlir, sw_read_pencil, sw_read_split, sw_read_megatron, sw_read_groups,
	sw_read_pairs, sw_read_scalapack, sw_read_chapel, sw_read_hpf, sw_read_local_sizes, sw_read_costa, sw_read_distal;
sw_printer_function sw_print_paper, sw_print_hlo, sw_print_hlo_list, sw_print_hlo_named, sw_print_shardy,
	sw_print_jax, sw_print_jax_type, sw_print_dtensor, sw_print_sbp, sw_print_entries, sw_print_layout, sw_print_book,
	sw_print_alpa, sw_print_colossal, sw_print_paddle, sw_print_gspmd, sw_print_mlir, sw_print_pencil, sw_print_split,
	sw_print_megatron, sw_print_groups, sw_print_pairs, sw_print_scalapack, sw_print_distal, sw_print_only_read;
sw_printer_function sw_mesh_paper, sw_mesh_book, sw_mesh_shardy, sw_mesh_jax, sw_mesh_dtensor, sw_mesh_sbp,
	sw_mesh_paddle, sw_mesh_mlir;

/* `[[0, 1], [2, 3]]`: the devices of a mesh, from the axis and place on. */
void sw_print_rows(const sw_mesh *mesh, const int64_t *ids, int axis, int64_t at, sw_text *text);

/* A sharding over a finer mesh, so that every part is an axis. */
void sw_sharding_refine(const sw_sharding *sharding, sw_sharding *fine);

/* mesh<...> and mesh[...]: `{` names with `=` sizes `}` between brackets. */
bool sw_read_mesh_axes(sw_reader *reader, char close, sw_span open);

/* Mesh(...), make_mesh(...) or {'x': 4}, perhaps with a module before the name; *found tells whether it was there. */
bool sw_read_jax_mesh(sw_reader *reader, bool *found);

/* A line of a Shardy module: its sharding, and the shape of its tensor. */
sw_reader_function sw_read_shardy_line;

/* DeviceMesh(...) or init_device_mesh(...), perhaps with a module before the name; *found tells whether it was there. */
bool sw_read_dtensor_mesh(sw_reader *reader, bool *found);

/* The mesh that a call of PyTorch writes, `DeviceMesh(...)`, not its name; empty: none.  See sw_notation_call. */
sw_str sw_dtensor_called_mesh(sw_str text);

/* `[x=4,y=2], device_ids=(...)` after the word mesh, as XLA prints it. */
bool sw_read_mesh_and_order(sw_reader *reader);

#endif
