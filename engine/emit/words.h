/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What programs compute in the words of other languages: a row an operation, and what operations of one kind have in common.
 */
#ifndef SW_EMIT_WORDS_H
#define SW_EMIT_WORDS_H

#include <shardwalk/program.h>

struct sw_program_emitter;  /* program.h */
struct sw_mlir_writer;      /* program_mlir.c */
struct sw_dtensor_writer;   /* program_dtensor.c */
struct sw_shard_map_writer; /* program_shard_map.c */
struct sw_c_writer;         /* program_mpi.c */

/* How a step is written, by dialect.  NULL: it is refused before. */
typedef struct sw_writing {
	void (*whole)(const struct sw_program_emitter *w, int s); /* an expression of numpy on whole arrays */
	bool (*jax)(const struct sw_program_emitter *w, int s);
	bool (*dtensor)(const struct sw_dtensor_writer *d, int s);
	bool (*mlir)(struct sw_mlir_writer *m, int s);
	void (*shard_map)(const struct sw_shard_map_writer *c, int s); /* an expression of jax on the tiles of a device */
	/* in C: what it needs of the templates, its tables, and the word by which it is run */
	void (*c_needs)(struct sw_c_writer *c, const sw_program *program, int s);
	void (*c_tables)(const struct sw_c_writer *c, int s);
	void (*c_operation)(const struct sw_c_writer *c, int s);
	const char *c;
} sw_writing;

typedef struct sw_words {
	const sw_writing *writing;
	const char *python;            /* `%a` and `%b` are operands, `%n` is the module, and `negative` negates */
	const char *outside;           /* the same outside bodies, where that differs */
	bool jax_sums;                 /* JAX has a rule for operands that are sums */
	const char *torch;             /* a function of tiles */
	const char *mlir;              /* an operation of StableHLO, ... */
	const char *constant;          /* ... and the second operand of what is a function of one */
	const char *c;                 /* the function of the templates, ... */
	unsigned c_need, c_bound_need; /* ... what it needs of them, also where results are rounded, ... */
	const char *c_bound;           /* ... and the rule for its rounding */
} sw_words;

const sw_words *sw_words_of(sw_program_op op);

/* Columns of the table. */
void sw_whole_elements(const struct sw_program_emitter *w, int s);
void sw_whole_product(const struct sw_program_emitter *w, int s);
void sw_whole_body(const struct sw_program_emitter *w, int s);
bool sw_jax_operation(const struct sw_program_emitter *w, int s);
bool sw_jax_move(const struct sw_program_emitter *w, int s);
bool sw_jax_product(const struct sw_program_emitter *w, int s);
bool sw_jax_body(const struct sw_program_emitter *w, int s);
bool sw_dtensor_operation(const struct sw_dtensor_writer *d, int s);
bool sw_dtensor_product(const struct sw_dtensor_writer *d, int s);
bool sw_dtensor_move(const struct sw_dtensor_writer *d, int s);
bool sw_dtensor_body(const struct sw_dtensor_writer *d, int s);
bool sw_mlir_operation(struct sw_mlir_writer *m, int s);
bool sw_mlir_product(struct sw_mlir_writer *m, int s);
bool sw_mlir_move(struct sw_mlir_writer *m, int s);
bool sw_mlir_body(struct sw_mlir_writer *m, int s);
void sw_shard_map_operation(const struct sw_shard_map_writer *c, int s);
void sw_shard_map_product(const struct sw_shard_map_writer *c, int s);
void sw_shard_map_move(const struct sw_shard_map_writer *c, int s);
void sw_shard_map_body(const struct sw_shard_map_writer *c, int s);
void sw_c_needs_operation(struct sw_c_writer *c, const sw_program *program, int s);
void sw_c_needs_move(struct sw_c_writer *c, const sw_program *program, int s);
void sw_c_needs_body(struct sw_c_writer *c, const sw_program *program, int s);
void sw_c_product_tables(const struct sw_c_writer *c, int s);
void sw_c_body_tables(const struct sw_c_writer *c, int s);
void sw_c_elements(const struct sw_c_writer *c, int s);
void sw_c_product(const struct sw_c_writer *c, int s);
void sw_c_move(const struct sw_c_writer *c, int s);
void sw_c_body(const struct sw_c_writer *c, int s);

#endif
