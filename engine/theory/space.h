/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All types of an array over a small mesh, the steps between them, and the cheapest way of a given form.
 */
#ifndef SHARDWALK_THEORY_SPACE_H
#define SHARDWALK_THEORY_SPACE_H

#include <shardwalk/arena.h>

#include "theory/case.h"

#define SPACE_TYPES 106 /* three axes in three dimensions: 1 + 9 + 36 + 60 */
#define FORM_PHASES 6

typedef struct sw_case_space {
	const sw_case_mesh *mesh;
	int count;
	sw_case_type type[SPACE_TYPES];
	int64_t size[SPACE_TYPES];
	uint8_t step[SPACE_TYPES][SPACE_TYPES]; /* 1 + operation; 0: no single step */
} sw_case_space;

/* In the arena; NULL where memory is short. */
const sw_case_space *sw_case_space_of(const sw_case_mesh *mesh, sw_arena *arena);

int sw_case_space_find(const sw_case_space *space, const sw_case_type *type);

/* Which operations may follow which: in a phase, an operation leads to phase next - 1, or may not stand there (0).  A way
 * begins in phase 0 and ends in one of `ends` (bits). */
typedef struct sw_case_form {
	uint8_t next[FORM_PHASES][4]; /* by sw_op */
	unsigned ends;
} sw_case_form;

extern const sw_case_form sw_form_any, sw_form_normal;

typedef enum sw_case_price { PRICE_STEPS, PRICE_COST, PRICE_WEAK_COST } sw_case_price;

/* The cheapest way from one type to another in a form, no tile above `height` (0: no bound), into `path`, whose mesh is
 * set too.  false: there is none. */
bool sw_case_way(const sw_case_space *space, const sw_case_type *from, const sw_case_type *to,
	const sw_case_form *form, sw_case_price price, int64_t height, sw_case *path);

#endif
