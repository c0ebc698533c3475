/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is drawn of a program.
 */
#ifndef SHARDWALK_VIEWS_PROGRAM_H
#define SHARDWALK_VIEWS_PROGRAM_H

#include <shardwalk/cost.h>
#include <shardwalk/program.h>

#include "answer/rows.h"
#include "views/views.h"

/* A redistribution with its plan. */
struct program_move {
	int step;            /* of the program */
	const sw_plan *plan; /* NULL: none is known */
	bool chosen;         /* it was chosen for it, by `leave` */
	double seconds;      /* predicted; negative: not known */
};

struct program_picture {
	const sw_program *program;
	const char *source; /* the file; NULL: none */
	int moves;
	const struct program_move *move;
	const char *machine;  /* that seconds are of; NULL: none is set */
	const sw_machine *by; /* that machine; NULL: none is set */
	int entered;          /* the redistribution that is the present problem, from 1; 0: none */
	bool unasked;         /* it was not tried to plan those without a plan */
	int marked;           /* the redistribution that is chosen on the screens, from 1; 0: none */
};

/* Its values, and what moves, for people and for programs. */
struct rows program_value_rows(const struct program_picture *picture);
struct rows program_move_rows(const struct program_picture *picture);

/* Their columns alone. */
extern const struct rows program_value_words, program_move_words;

/* What all of it comes to, on a device. */
struct program_total {
	int64_t cost;           /* of redistributions with a plan, in elements; -1: too much */
	int64_t flops;          /* of products; -1: not known */
	int64_t bytes;          /* of all values in their homes; -1: too much */
	int64_t bytes_on_all;   /* the same on all devices */
	double moved, computed; /* seconds; negative: not known */
	int unplanned, open;    /* redistributions without a plan, values without a home */
};
struct program_total program_sum(const struct program_picture *picture);

/* Adds the type of a value, and says it under a key. */
void program_type_text(const sw_program *program, int value, sw_text *text);
void program_type_field(const sw_program *program, int value, struct fields *in, const char *key);

/* Of a value that is kept: bytes of its tile, -1 where its type is open; seconds of the products of the statement that makes it, negative where
 * they are not known or there are none. */
int64_t program_value_bytes(const sw_program *program, int value);
double program_value_seconds(const struct program_picture *picture, int value);

/* Adds what makes a value: `input`, `einsum "ij,jk->ik" a b`. */
void program_value_text(const sw_program *program, int value, sw_text *text);

/* Adds the operations of a plan with their numbers: `1 alltoall, 2 allgather`; `nothing` where there are none. */
void program_steps_text(const sw_plan *plan, sw_text *text);

#endif
