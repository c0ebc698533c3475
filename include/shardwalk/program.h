/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs: values, and steps that make them of others.  It is the one list of steps: what a text says, and what a plan is, which is a
 * chain (plan.h).
 *
 * A program has inputs, steps in order, and returns one value.  A step uses its operands in the types that they have, and makes one
 * value, whose type follows from these by a local rule.  What the text says in one statement may be several steps: where it keeps
 * a value in another type than is computed, the redistribution to it is a step of its own.  So is that of a value to where it is
 * used, which no text has; sw_assign makes these.
 *
 * Source: seed 000, section 2 and figures 7 to 9; products: product.h.
 */
#ifndef SHARDWALK_PROGRAM_H
#define SHARDWALK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/holding.h>
#include <shardwalk/mesh.h>
#include <shardwalk/product.h>
#include <shardwalk/step.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>
#include <shardwalk/value.h>

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

/* Is something computed?  Else the operand comes in another type, by a plan. */
bool sw_op_computes(sw_op op);

/* The name of the rule by which its result has its type: "T-SPMD". */
const char *sw_op_rule(sw_op op);

typedef struct sw_program_note {
	sw_span at;
	const char *text; /* a sentence without a full stop */
} sw_program_note;

typedef struct sw_program {
	sw_mesh mesh;
	sw_str name; /* of the function */
	sw_str text; /* the text that was read, which all spans speak of; empty where the program was made otherwise */
	int inputs, values, steps; /* as many values as inputs and steps */
	sw_value *
		value; /* the inputs come first, then one for each step: value `inputs + s` is what step s makes.  Two may have one
	                    name; the later one hides the earlier from there on */
	sw_step *step;
	int returned;                               /* a value */
	const sw_type *result;                      /* of the signature; of a body, behind `as` */
	const struct sw_distribution *result_words; /* as in values */
	bool result_open;                           /* `-> ?` */
	int64_t
		rounds; /* its loop is carried out so often, what it brings is the first input of the next round; 0: once */
	int loop; /* as many steps are in it; the others follow once, and what it brings is their first input; 0: all are */
	int brings; /* a value, where `loop` is above 0; else what is returned */
	int notes;
	sw_program_note *note;
	bool
		claimed; /* it was read with plans: what these cost, and how they were found, is the file's, not proved here */
} sw_program;

/* The value that step `s` makes, and the step that makes a value; -1: it is an input. */
static inline int sw_program_value_of(const sw_program *program, int s)
{
	return program->inputs + s;
}

static inline int sw_program_maker(const sw_program *program, int value)
{
	return value < program->inputs ? -1 : value - program->inputs;
}

/* The steps of its loop, and the value that a round of it brings. */
static inline int sw_program_loop(const sw_program *program)
{
	return program->loop > 0 ? program->loop : program->steps;
}

static inline int sw_program_brings(const sw_program *program)
{
	return program->loop > 0 ? program->brings : program->returned;
}

/* Is the first input ever replaced by what a round brings? */
static inline bool sw_program_repeats(const sw_program *program)
{
	return program->rounds > 1 || program->loop > 0;
}

/* Does another round follow round `round`, from 0, or what is done once behind all? */
static inline bool sw_program_goes_on(const sw_program *program, int64_t round)
{
	return round + 1 < program->rounds || program->loop > 0;
}

/* The value in which what step `s` makes is kept: its own, or that of the step behind it, which brings it there. */
static inline int sw_program_kept(const sw_program *program, int s)
{
	bool moves = s + 1 < program->steps && program->step[s + 1].why == SW_STEP_TO_KEEP;

	return sw_program_value_of(program, s) + moves;
}

/* Is it a value of the text: an input, or what a statement keeps?  Others are on the way. */
static inline bool sw_program_keeps(const sw_program *program, int value)
{
	int s = sw_program_maker(program, value);

	return s < 0 || program->step[s].why == SW_STEP_TO_KEEP ||
		(program->step[s].why == SW_STEP_WRITTEN && sw_program_kept(program, s) == value);
}

/* The written step whose result is kept in a value; -1: it is an input. */
static inline int sw_program_keeper(const sw_program *program, int value)
{
	int s = sw_program_maker(program, value);

	return s >= 0 && program->step[s].why == SW_STEP_TO_KEEP ? s - 1 : s;
}

/* The value of the text that an operand is: that of which it is brought to where it is used. */
static inline int sw_program_source(const sw_program *program, int operand)
{
	int s = sw_program_maker(program, operand);

	return s >= 0 && program->step[s].why == SW_STEP_TO_USE ? program->step[s].operand[0] : operand;
}

/* The types between which step `s` redistributes. */
static inline const sw_type *sw_program_from(const sw_program *program, int s)
{
	return program->value[program->step[s].operand[0]].type;
}

static inline const sw_type *sw_program_to(const sw_program *program, int s)
{
	return program->value[sw_program_value_of(program, s)].type;
}

/* What each device has of a value, whose type is not open, and how a device stores that.  false: no memory. */
bool sw_program_holding(const sw_program *program, int value, sw_arena *arena, sw_holding *holding);
struct sw_local;
bool sw_program_local(const sw_program *program, int value, int64_t device, sw_arena *arena, struct sw_local *local);

/* The most elements that a device has of it; -1: no memory. */
int64_t sw_program_elements(const sw_program *program, int value);

/* Has step `s` an operand or a result that is of no tile type? */
bool sw_program_has_words(const sw_program *program, int s);

/* What step `s`, which redistributes, is between. */
void sw_program_problem(const sw_program *program, int s, sw_problem *problem);

/* Refuses a program with formulas, or with types that are no tile types, where only tiles are known: T17. */
bool sw_program_of_tiles(const sw_program *program, sw_diag *diag);

/* Are the types of operands and result of step `s` known? */
bool sw_program_typed(const sw_program *program, int s);

/* Which values are the same in all rounds, none where there is one round: neither the first input nor made of it.  NULL: no memory. */
bool *sw_program_constants(const sw_program *program, sw_arena *arena);

/* Is any type open? */
bool sw_program_open(const sw_program *program);

/* Reads a program: its own mesh, the signature, statements, `return`; `#` and `//` start comments.  All is typed, as far as
 * no type is open.  Everything lives in `arena`, and names point into `text`, which has to live as long.
 * `pulse` may be NULL.  Errors, by position in `text`, with the rule: A01, M01 to M06, T01 to T11, A02 to A19, F01 to F19.  The first broken rule in reading order
 * counts; in a body: names, parameters, the calls, the type after `as`, T-SPMD-OUT, D-SPMD.  S03 where the pulse ended it. */
bool sw_program_parse(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_program *program, sw_diag *diag);

/* The same with files that formulas name (formula.h). */
struct sw_file_reader;
bool sw_program_parse_with(sw_str text, const struct sw_file_reader *files, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_diag *diag);

/* The program of one statement, by this computation, which lives as long.  It is repeated for so many steps, of which each round does `every`.
 * Where these do not come out even, a shorter round follows.  Errors: F14, F17, F19, A18, T17, S08, E01. */
bool sw_program_of_formula(const struct sw_computation *computation, int64_t steps, int64_t every, sw_arena *arena,
	sw_program *program, sw_diag *diag);

/* Is this text a program, rather than statements of a session: is a mesh followed by `fn`, comments aside? */
bool sw_program_is(sw_str text);

/* Adds the program in the language, as sw_program_parse reads it back: what brings an operand to where it is used is a `redistribute`
 * statement with a name of its own. */
void sw_program_print(const sw_program *program, sw_text *text);

/* The inputs from which what is returned is computed, a bit each. */
unsigned sw_program_reads(const sw_program *program);

/* The steps that the text has, uses and the return among them: which of them step `s` belongs to, from 1. */
int sw_program_statement(const sw_program *program, int s);

/* Floating-point operations of a device in products of step `s`, which is typed.  Error: S09. */
bool sw_program_flops(const sw_program *program, int s, int64_t *flops, sw_diag *diag);

/* The next step behind `s` (-1: the first) that brings a value from one place to others; -1: there is none. */
int sw_program_next_move(const sw_program *program, int s);

/* How many there are. */
int sw_program_moves(const sw_program *program);

/* The value whose elements this one has in another type, or it itself. */
int sw_program_origin(const sw_program *program, int value);

#pragma GCC visibility pop

#endif
