/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers of the parts of a C program share.
 */
#ifndef SW_EMIT_PROGRAM_C_H
#define SW_EMIT_PROGRAM_C_H

#include <shardwalk/between.h>
#include <shardwalk/simulate.h>
#include <shardwalk/transfers.h>

#include "emit/mpi_tables.h"
#include "emit/program.h"

/* What devices have of a value that no tile says; its holding has no devices where a tile says it. */
typedef struct sw_c_stored {
	sw_holding holding;
	const sw_local *local; /* of each device */
} sw_c_stored;

/* What moves between types of which one is no tile type; both NULL: all stays where it is. */
typedef struct sw_c_moved {
	const sw_between *between;
	const sw_transfers *transfers;
} sw_c_moved;

typedef struct sw_c_writer {
	sw_program_emitter *w;
	const sw_emitter *e;
	const sw_program *program;
	sw_mpi_tables t;
	sw_data data;
	int *first;          /* of each step that redistributes, its first stage */
	int *stage;          /* of each value */
	sw_c_stored *stored; /* of each value */
	sw_c_moved *moved;   /* of each step */
	uint64_t all;        /* what is needed */
	unsigned by_element; /* a bit for each operation */
	sw_dtype dtype;
	bool large;    /* more elements than an int counts are in one place, or sent to one */
	bool computes; /* else the result is an input */
	bool bound;    /* the result is rounded */
} sw_c_writer;

static inline bool sw_c_is_stored(const sw_c_writer *c, int value)
{
	return c->stored[value].holding.devices > 0;
}

/* Does step `s` redistribute what no tile says? */
bool sw_c_moves_stored(const sw_c_writer *c, int s);

/* The terms that make up a value. */
int64_t sw_c_terms(const sw_c_writer *c, int value);

/* Finds what devices store of all values, and what moves between them.  Errors: S08, E01. */
bool sw_c_take_stored(sw_c_writer *c);

/* What this needs; and their tables.  false: E01. */
void sw_c_needs_stored(sw_c_writer *c);
bool sw_c_stored_tables(const sw_c_writer *c);

/* Adds the fields of a value, and of a step. */
void sw_c_stored_value(const sw_c_writer *c, int value);
void sw_c_stored_move(const sw_c_writer *c, int s);

/* Adds the sizes that formulas need. */
void sw_c_formula_sizes(const sw_c_writer *c);

#endif
