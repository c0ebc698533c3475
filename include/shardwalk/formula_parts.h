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

typedef struct sw_formula_part {
	sw_region points;
	int senders;
	const int32_t *sender; /* devices */
} sw_formula_part;

struct sw_stored;

typedef struct sw_formula_parts {
	const sw_program *program;
	int step;
	int parts;
	const sw_formula_part *part; /* some wait for nobody */
	const struct sw_stored *array;
	int64_t bytes; /* of what is made */
} sw_formula_parts;

/* The parts of step `s` on a device, whose operand number `arriving` comes by an exchange between these, with this rule; others are there.
 * Everything lives in the arena.  NULL: no memory. */
const sw_formula_parts *sw_formula_parts_of(const sw_program *program, int s, int64_t device, int arriving,
	const sw_between *between, sw_sender_rule rule, sw_arena *arena);

/* Before the first part: what is made is as it begins. */
void sw_formula_parts_begin(const sw_formula_parts *parts, const void *const *operand, void *made);

/* Computes one part; `scratch` is as it was.  false: no memory. */
bool sw_formula_parts_run(const sw_formula_parts *parts, int part, const void *const *operand, void *made,
	sw_arena *scratch);

#pragma GCC visibility pop

#endif
