/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published algorithms as schedules: statement, homes and commands for a machine.
 *
 * Each is a row: on which machines it runs, where its arrays are at home, and its commands with sizes left open.  A recipe is a row
 * for one machine and sizes, perhaps with other names of arrays and letters.
 *
 * Source: seed 003, figure 9 and section 7.2 (figure 16); the machines for a number of processors are those of the cases that are
 * kept beside this project.
 */
#ifndef SHARDWALK_ALGORITHM_H
#define SHARDWALK_ALGORITHM_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/scheme.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

/* Which machines an algorithm runs on. */
typedef enum sw_machine_shape {
	SW_SHAPE_LINE,   /* any number of processors in a row */
	SW_SHAPE_GRID,   /* gx x gy; of p processors gx is the largest divisor that is at most sqrt(p) */
	SW_SHAPE_CUBE,   /* q x q x q; of p processors the largest that fits, from 8 on */
	SW_SHAPE_LAYERS, /* q x q x c, where c divides q; of p processors with the largest c from 2 on */
	SW_SHAPE_CUBOID, /* gx x gy x gz; of p processors the one that moves least, then that with the least live memory */
	SW_SHAPE_NODES,  /* a line of lines: two levels */
	SW_SHAPE_NODE_GRIDS, /* a grid of grids */
	SW_SHAPE_NODE_CUBE,  /* q x q x q nodes, a line in each */
	SW_SHAPE_COUNT
} sw_machine_shape;

#define SW_RECIPE_COMMANDS 14

typedef struct sw_schedule_algorithm {
	const char *name;  /* "cannon"; rows of one name differ in their machines */
	const char *about; /* one sentence */
	const char *source;
	const char *statement; /* in its own names, with blanks: "A(i,j) = B(i,k) * C(k,j)" */
	const char *letters;   /* "ijk" */
	sw_machine_shape shape;
	const char *space; /* the letters on the axes: "ij" */
	char time;         /* the letter that is cut in steps; 0: none */
	const char *turns; /* the letters whose outer loops rotate that in time: "ij" */
	const char *
		steps; /* how many: "x" as many as the first axis has processors, "x/z"; where a question may say: "1", "z" */
	int64_t chunk;                       /* else elements of a step, at most; 0: it has a number of steps */
	const char *stepwise;                /* arrays that are fetched in each step: "BC" */
	const char *names[SW_SCHEME_ARRAYS]; /* of the dimensions of each array, as its placement has them: "xz" */
	const char
		*home[SW_SCHEME_ARRAYS]; /* of each array, an axis a sign: the dimension that it cuts, `.` 0 alone, `*` all */
	const char *command[SW_RECIPE_COMMANDS];
} sw_schedule_algorithm;

/* Row n of the table, from 0; NULL behind the last. */
const sw_schedule_algorithm *sw_schedule_algorithm_at(int n);

/* The first row of this name; NULL: there is none.  And the next one of the same name. */
const sw_schedule_algorithm *sw_schedule_algorithm_named(sw_str name);
const sw_schedule_algorithm *sw_schedule_algorithm_other(const sw_schedule_algorithm *algorithm);

typedef struct sw_recipe_question {
	int axes; /* of the machine; 0: any machine of so many processors */
	int64_t extent[SW_SCHEME_AXES];
	int level[SW_SCHEME_AXES]; /* of each axis, from 0 */
	int64_t processors;
	int64_t size[SW_SCHEME_LETTERS]; /* of each of its letters */
	int64_t steps, chunk;            /* 0: as the algorithm has it */
	sw_str array[SW_SCHEME_ARRAYS];  /* other names; empty: its own */
	char letter[SW_SCHEME_LETTERS];  /* 0: its own */
} sw_recipe_question;

typedef struct sw_recipe {
	const sw_schedule_algorithm *algorithm; /* NULL: it follows from splits */
	sw_scheme scheme;                       /* the machine, sizes, homes; the loops, too, where `exact` */
	bool exact;                             /* the figures of the schedule are those of the scheme */
	int level[SW_SCHEME_AXES];
	const char *array[SW_SCHEME_ARRAYS]; /* names */
	const char *statement;
	int commands;
	const char *command[SW_RECIPE_COMMANDS];
	int64_t leaf[SW_SCHEME_LETTERS]; /* of a whole leaf, without levels */
	bool moved;                      /* it runs on another machine than the one that was asked about: */
	const char *remark;              /* which, in a sentence; else NULL */
} sw_recipe;

/* The recipe for a machine, or for the nearest one that does, with the texts in `arena`.  Errors: D40 where none does, with one that would; S09; D41 for
 * steps or a chunk that it does not take; E01. */
bool sw_recipe_of(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, sw_arena *arena,
	sw_recipe *recipe, sw_diag *diag);

/* The recipe that a string of COSMA's splits says, `pm2,sm2,pk2`: a dimension is cut in parallel (`p`) or in steps (`s`), in so many parts.  The
 * parallel cuts of a dimension come before its steps, as one, and have an axis of the machine; steps are loops in the order of the string.  An
 * array that all axes cut is fetched at once, another in the innermost loop that cuts it.  Errors, with the place in the string: D42; E01. */
bool sw_recipe_of_splits(sw_str splits, const sw_recipe_question *question, sw_arena *arena, sw_recipe *recipe,
	sw_diag *diag);

#pragma GCC visibility pop

#endif
