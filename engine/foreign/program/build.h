/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that grows while somebody else's text is read: inputs come when they are first used.
 */
#ifndef SW_FOREIGN_PROGRAM_BUILD_H
#define SW_FOREIGN_PROGRAM_BUILD_H

#include <shardwalk/program_text.h>

#include "program/names.h"

/* An input, below 0, or a statement. */
typedef int build_ref;

typedef struct build_value {
	sw_str name;
	sw_type type; /* where it is open, the whole array */
	bool open, given;
	sw_span at;
} build_value;

typedef struct build_statement {
	build_value value;
	sw_op op;
	int count;
	build_ref operand[2];
	bool product; /* by the equation */
	sw_equation equation;
	sw_span at;
} build_statement;

typedef struct build {
	sw_arena *arena;
	sw_diag *diag;
	const sw_pulse *pulse; /* that typing asks; may be NULL, as it is first */
	sw_str text;           /* that is read */
	sw_mesh mesh;
	sw_names names; /* each is the index of its number */
	int *again;     /* the last number behind a name */
	int names_room;
	size_t *line_end; /* of the text, so that places have lines; NULL: not asked for yet */
	int lines;
	int inputs, input_room, statements, statement_room, conflict_room;
	int likely; /* statements: room that is made at first */
	build_value *input;
	build_statement *statement;
	sw_program_import *import;
} build;

void build_start(build *b, sw_str text, const sw_mesh *mesh, sw_program_import *import, sw_arena *arena,
	sw_diag *diag);

const build_value *build_at(const build *b, build_ref ref);

/* A value of this type, or open.  false: memory. */
bool build_input(build *b, sw_str name, const sw_type *type, bool open, sw_span at, build_ref *ref);

/* A statement.  `home`: NULL, open; or by the local rule where `ruled`.  Where the rule does not take operands as they are kept,
 * and the home is known, how it computes is left open and another statement brings it home; the import says why.
 * Errors: A02 to A09, E01. */
bool build_add(build *b, const build_statement *statement, const sw_type *home, bool ruled, build_ref *ref);

/* Keeps what the last statement made, and what is open, in this type, where that needs no statement of its own. */
bool build_close(build *b, build_ref ref, const sw_type *home);

/* The same of what is kept as the rule computes it, for a caller that knows of no other use. */
bool build_fold(build *b, build_ref ref, const sw_type *home);

/* All of it, typed.  `result` NULL: that of the value.  Errors: those of typing; S03 where the pulse ended it. */
bool build_finish(build *b, sw_str name, build_ref returned, const sw_type *result, sw_program *program);

#endif
