/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How steps of programs are written in other languages: a row for each way in which results are made.
 */
#ifndef SW_EMIT_WRITING_H
#define SW_EMIT_WRITING_H

#include "program/ops.h"

struct sw_program_emitter;  /* program.h */
struct sw_mlir_writer;      /* program_mlir.c */
struct sw_dtensor_writer;   /* program_dtensor.c */
struct sw_shard_map_writer; /* program_shard_map.c */
struct sw_c_writer;         /* program_mpi.c */

/* Columns of the table.  Of step `s`: an expression of numpy on whole arrays, lines of JAX, DTensor and MLIR, an expression of jax on the
 * tiles of a device. */
typedef void sw_whole_writing(const struct sw_program_emitter *w, int s);
typedef bool sw_jax_writing(const struct sw_program_emitter *w, int s);
typedef bool sw_dtensor_writing(const struct sw_dtensor_writer *d, int s);
typedef bool sw_mlir_writing(struct sw_mlir_writer *m, int s);
typedef void sw_shard_map_writing(const struct sw_shard_map_writer *c, int s);
/* In C: what it needs of the templates, and its tables, or fields. */
typedef void sw_c_need(struct sw_c_writer *c, const sw_program *program, int s);
typedef bool sw_c_table(const struct sw_c_writer *c, int s); /* false: E01 */
typedef void sw_c_writing(const struct sw_c_writer *c, int s);

/* NULL: it is refused before, or there is nothing to write. */
typedef struct sw_writing {
	sw_whole_writing *whole;
	sw_jax_writing *jax;
	sw_dtensor_writing *dtensor;
	sw_mlir_writing *mlir;
	sw_shard_map_writing *shard_map;
	sw_c_need *c_needs;
	sw_c_table *c_tables;
	sw_c_writing *c_fields;
	const char *c; /* the word by which it is run */
} sw_writing;

const sw_writing *sw_writing_of(sw_op op);

static inline const sw_words *sw_words_of(sw_op op)
{
	return &sw_operation_of(op)->words;
}

sw_whole_writing sw_whole_elements, sw_whole_product, sw_whole_body;
sw_jax_writing sw_jax_elements, sw_jax_move, sw_jax_product, sw_jax_body;
sw_dtensor_writing sw_dtensor_elements, sw_dtensor_product, sw_dtensor_move, sw_dtensor_body;
sw_mlir_writing sw_mlir_elements, sw_mlir_product, sw_mlir_move, sw_mlir_body;
sw_shard_map_writing sw_shard_map_elements, sw_shard_map_product, sw_shard_map_move, sw_shard_map_body;
sw_c_need sw_c_needs_elements, sw_c_needs_product, sw_c_needs_move, sw_c_needs_body, sw_c_needs_formula;
sw_c_table sw_c_product_tables, sw_c_body_tables, sw_c_formula_tables;
sw_c_writing sw_c_elements, sw_c_product, sw_c_move, sw_c_body, sw_c_formula;

#endif
