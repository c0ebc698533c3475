/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step by a formula on one device, part by part: first what needs nothing that others send, then each part as soon as all senders that it waits
 * for have sent.
 *
 * Source: seed 002, section 4.3.
 */
#ifndef SHARDWALK_FORMULA_PARTS_H
#define SHARDWALK_FORMULA_PARTS_H

#include <shardwalk/between.h>
#include <shardwalk/program.h>

#pragma GCC visibility push(default)

/* An operand that comes by an exchange between these, with this rule. */
typedef struct sw_formula_arrival {
	int operand;
	const sw_between *between;
	sw_sender_rule rule;
} sw_formula_arrival;

typedef struct sw_formula_sender {
	int arrival; /* its number */
	int32_t device;
} sw_formula_sender;

typedef struct sw_formula_part {
	int row; /* of the steps in a row, from 0 */
	sw_region points;
	int senders;
	const sw_formula_sender *sender;
} sw_formula_part;

/* One of the steps in a row: how its arrays are stored, what it makes (NULL: that of the last one is the caller's) and how many bytes. */
struct sw_stored;
typedef struct sw_formula_row {
	const struct sw_stored *array;
	void *made;
	int64_t bytes;
} sw_formula_row;

typedef struct sw_formula_parts {
	const sw_program *program;
	int step;
	int rows, parts;
	const sw_formula_row *row;
	const sw_formula_part
		*part; /* by rows: each reads what parts before it made that wait for the same senders, or fewer */
} sw_formula_parts;

/* Can a step by a formula be done in parts?  Several in a row cannot where they sum over a letter. */
bool sw_formula_parts_are(const sw_step *step);

/* The parts of step `s` on a device, to which these operands come; others are there.  Everything lives in the arena.  NULL: no memory. */
const sw_formula_parts *sw_formula_parts_of(const sw_program *program, int s, int64_t device,
	const sw_formula_arrival *arrival, int arrivals, sw_arena *arena);

/* Before the first part: what is made is as it begins.  Operands are those of the step. */
void sw_formula_parts_begin(const sw_formula_parts *parts, const void *const *operand, void *made);

/* Computes one part; `scratch` is as it was.  false: no memory. */
bool sw_formula_parts_run(const sw_formula_parts *parts, int part, const void *const *operand, void *made,
	sw_arena *scratch);

#pragma GCC visibility pop

#endif
