/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs: values with types, and statements that compute them from others.
 *
 * A program has inputs, statements in order, and returns one value.  A statement computes in the types in which it uses its
 * operands, by a local rule, and its result is then redistributed to the type in which the value is kept, its home.  Where a
 * statement uses a value in another type than its home, that use is a redistribution of its own; the text of a program has none
 * of these, sw_assign makes them.
 *
 * Source: seed 000, section 2 and figures 7 to 9; products: product.h.
 */
#ifndef SHARDWALK_PROGRAM_H
#define SHARDWALK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/plan.h>
#include <shardwalk/product.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* What a refusal names beside its code, in the words of figures 7 to 9 and of the rules for global statements. */
#define SW_RULE_SYNTAX "SYNTAX"
#define SW_RULE_MESH "WF-MESH"
#define SW_RULE_DIM "WF-DIM"
#define SW_RULE_TYPE "WF-TYPE"
#define SW_RULE_VAR "T-VAR"
#define SW_RULE_ARGS "T-SPMD-ARGS"
#define SW_RULE_TILE "T-SPMD-TILE"
#define SW_RULE_LOCAL "T-LOCAL"
#define SW_RULE_ASCRIBE "T-ASCRIBE"
#define SW_RULE_OUT "T-SPMD-OUT"
#define SW_RULE_DETERMINED "D-SPMD"
#define SW_RULE_REDISTRIBUTE "T-REDIST"
#define SW_RULE_RETURN "T-RETURN"
#define SW_RULE_NO_SUM "EW-SUM"
#define SW_RULE_ALIKE "EW-TYPE"

/* Operations: identifier, word, operands, where it is written, how its result is made, what it does to sums, what it is.
 * It is written as a statement, as a call in a body, or as both; its result is moved, made by a body, by a product or
 * element by element. */
enum sw_with_sums {
	SW_SUMS_NEVER, /* the operand must be whole */
	SW_SUMS_ALIKE, /* operands with equal sums, and the result has them too */
	SW_SUMS_RULED  /* the rule of the operation says */
};

#define SW_PROGRAM_OPS(X) \
	X(REDISTRIBUTE, "redistribute", 1, STATEMENT, MOVE, SW_SUMS_RULED, "the same value in another type") \
	X(SPMD, "spmd_op", -1, STATEMENT, BODY, SW_SUMS_RULED, "a body that every device runs on its tiles") \
	X(EINSUM, "einsum", 2, STATEMENT, PRODUCT, SW_SUMS_RULED, "a product over letters") \
	X(MATMUL, "matmul", 2, CALL, PRODUCT, SW_SUMS_NEVER, "a product of two tiles, in a body") \
	X(RELU, "relu", 1, BOTH, ELEMENTS, SW_SUMS_NEVER, "the larger of 0 and each element") \
	X(EXP, "exp", 1, BOTH, ELEMENTS, SW_SUMS_NEVER, "e to the power of each element") \
	X(NEG, "neg", 1, BOTH, ELEMENTS, SW_SUMS_ALIKE, "each element with the other sign") \
	X(SCALE, "scale", 1, BOTH, ELEMENTS, SW_SUMS_ALIKE, "twice each element") \
	X(ADD, "add", 2, BOTH, ELEMENTS, SW_SUMS_ALIKE, "the sum of two arrays, element by element") \
	X(MUL, "mul", 2, BOTH, ELEMENTS, SW_SUMS_RULED, "the product of two arrays, element by element")

typedef enum sw_program_op {
#define X(id, name, operands, place, making, sums, about) SW_DO_##id,
	SW_PROGRAM_OPS(X)
#undef X
		SW_DO_COUNT
} sw_program_op;

const char *sw_program_op_name(sw_program_op op);
const char *sw_program_op_about(sw_program_op op);
int sw_program_op_operands(sw_program_op op); /* -1: any number */

/* How the result is made.  Of SW_DO_COUNT, which is none, all are false. */
bool sw_program_op_moves(sw_program_op op);    /* the operand in another type, by a plan; nothing is computed */
bool sw_program_op_has_body(sw_program_op op); /* by the calls that a statement has in a body */
bool sw_program_op_multiplies(
	sw_program_op op); /* a product, by the equation of a statement; in a body of matrices */
bool sw_program_op_by_element(sw_program_op op); /* by a function of single elements */

#define SW_MAX_OPERANDS 8 /* of a global statement; a body has as many parameters */

/* One call inside a body: a tile computed from tiles. */
typedef struct sw_local {
	sw_str name;      /* of the parameter or the assignment; empty for a call inside another */
	sw_program_op op; /* of a parameter SW_DO_COUNT */
	int operand[2];   /* earlier locals of the body */
	unsigned uses;    /* the parameters that it is computed from, as bits */
	int rank;
	int64_t tile[SW_MAX_DIMS];
	sw_span at;
} sw_local;

/* What every device runs on its tiles: parameters first, then calls in order, one local each. */
typedef struct sw_body {
	int parameters, count, returned;
	const sw_local *local;
	sw_type as; /* the type of the result */
} sw_body;

/* A value of the program.  The inputs come first, then one value for each statement: value `inputs + s` is that of
 * statement s.  Two values may have one name; the later one hides the earlier from there on. */
typedef struct sw_program_value {
	sw_str name;
	sw_type
		home;   /* where it is kept; where it is open, the whole array, of which only sizes and element type count */
	bool open;  /* `?`: its home is not chosen yet */
	sw_span at; /* its name in the text */
} sw_program_value;

/* The types of a statement.  Statements that are alike share them, so that they never change. */
typedef struct sw_statement_types {
	sw_type use[2];   /* those in which the first two operands are used; of SW_DO_SPMD their homes are */
	sw_type computed; /* what the local rule makes of them */
} sw_statement_types;

typedef struct sw_program_statement {
	sw_program_op op;
	int count;                       /* operands */
	int operand[SW_MAX_OPERANDS];    /* values */
	const sw_statement_types *types; /* in the arena of the program; NULL until it is typed */
	bool typed;                      /* false: an operand is open, so that of `types` only sizes are known */
	bool home_given;                 /* `as TYPE` stands there, or a home was assigned */
	sw_equation equation;            /* SW_DO_EINSUM */
	const sw_body *body;             /* SW_DO_SPMD */
	sw_span at;
} sw_program_statement;

typedef struct sw_program_note {
	sw_span at;
	const char *text; /* a sentence without a full stop */
} sw_program_note;

typedef struct sw_program {
	sw_mesh mesh;
	sw_str name; /* of the function */
	sw_str text; /* the text that was read, which all spans speak of; empty where the program was made otherwise */
	int inputs, values, statements;
	sw_program_value *value;
	sw_program_statement *statement;
	int returned;     /* a value */
	sw_type result;   /* of the signature */
	bool result_open; /* `-> ?` */
	int notes;
	sw_program_note *note;
} sw_program;

/* The value that statement `s` computes. */
static inline int sw_program_value_of(const sw_program *program, int s)
{
	return program->inputs + s;
}

/* Is any home open? */
bool sw_program_open(const sw_program *program);

/* Reads a program: its own mesh, the signature, statements, `return`; `#` and `//` start comments.  All is typed, as far as
 * no home is open.  Everything lives in `arena`, and names point into `text`, which has to live as long.
 * `pulse` may be NULL.  Errors, by position in `text`, with the rule: A01, M01 to M06, T01 to T11, A02 to A18.  The first broken rule in reading order
 * counts; in a body: names, parameters, the calls, the type after `as`, T-SPMD-OUT, D-SPMD.  S03 where the pulse ended it. */
bool sw_program_parse(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_program *program, sw_diag *diag);

/* Is this text a program, rather than statements of a session: is a mesh followed by `fn`, comments aside? */
bool sw_program_is(sw_str text);

/* Types statements anew, from the homes and, where `uses` is set, the uses that stand there (else every use is a home).
 * What a reader of other languages has put together, and what sw_assign chose, goes through here.  Errors: A02 to A18. */
bool sw_program_type(sw_program *program, bool uses, sw_arena *arena, sw_diag *diag);

/* Adds the program in the language, as sw_program_parse reads it back; uses in other types than the home become
 * `redistribute` statements with names of their own. */
void sw_program_print(const sw_program *program, sw_text *text);

/* Floating-point operations of a device in products of statement `s`, which is typed.  Error: S09. */
bool sw_program_flops(const sw_program *program, int s, int64_t *flops, sw_diag *diag);

/* What moves: of each statement its operands where they are used in another type than their home, then its result where it is
 * computed in another type than its home; last the returned value where the signature has another type. */
typedef struct sw_redistribution {
	int statement; /* `statements`: the return */
	int operand;   /* index among its operands; -1: its result */
	int value;
	sw_type from, to;
} sw_redistribution;

/* All of a typed program, in the order in which they happen, in `arena`; how many, -1 where memory is short. */
int sw_program_redistributions(const sw_program *program, sw_arena *arena, const sw_redistribution **list);

#pragma GCC visibility pop

#endif
