/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All types of one shape on one mesh, numbered: parts laid over dimensions in every way that divides, with every choice of sums
 * among the parts that are left.
 *
 * An arrangement says which parts cut each dimension, major to minor; a state is an arrangement with the parts that are summed.
 * From an arrangement to those with one part more or less lead tables, so that nothing is looked up by its text.
 */
#ifndef SW_SEARCH_TYPE_SPACE_H
#define SW_SEARCH_TYPE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/type.h>

#include "array/prime_parts.h"

enum { SW_SPACE_PARTS = 16 }; /* of a mesh, at most */

typedef struct sw_type_space {
	const sw_mesh *mesh;
	sw_type shape; /* whole */
	bool whole;    /* parts are whole axes, otherwise primes in one order */
	bool summed;   /* it has types with sums */
	bool every;    /* it has all types: no axis has several primes that could be cut in another order */
	sw_prime_parts factors;
	int rank, parts;
	int32_t arrangements;
	int32_t *push;  /* [arrangement][dim][part]: with that part at the end; -1: it does not divide, or is in use */
	int32_t *pop;   /* [arrangement][dim]: without the last part; -1: there is none */
	uint8_t *last;  /* [arrangement][dim]: that part */
	uint32_t *used; /* parts, a bit each */
	int64_t *tile;  /* [arrangement][dim] */
	int64_t *size;  /* elements of a tile */
	int32_t *first; /* states of arrangement a: first[a] to first[a + 1] - 1 */
	int32_t count;  /* of states */
	int32_t *of;    /* of a state: its arrangement */
	uint32_t *sums; /* and its sums */
} sw_type_space;

/* Which types a space is to have. */
typedef struct sw_space_types {
	const sw_type *shape;          /* all types of its shape */
	const sw_prime_parts *factors; /* the order of primes; NULL: whole axes */
	bool sums;                     /* false: nothing is summed */
} sw_space_types;

/* It lives in `arena` and keeps `mesh`.  Errors: S08 where they are more than `most_bytes` hold; E01. */
bool sw_type_space_init(sw_type_space *space, const sw_mesh *mesh, const sw_space_types *types, size_t most_bytes,
	sw_arena *arena, sw_diag *diag);

/* The state of an arrangement with sums over these parts, of which none is in use. */
int32_t sw_type_space_state(const sw_type_space *space, int32_t arrangement, uint32_t sums);

/* The state of a type; -1: it is none of them. */
int32_t sw_type_space_find(const sw_type_space *space, const sw_type *type);

/* The type of a state. */
void sw_type_space_at(const sw_type_space *space, int32_t state, sw_type *type);

static inline int32_t sw_type_space_push(const sw_type_space *space, int32_t arrangement, int dim, int part)
{
	return space->push[((int64_t)arrangement * space->rank + dim) * space->parts + part];
}

static inline int32_t sw_type_space_pop(const sw_type_space *space, int32_t arrangement, int dim, int *part)
{
	int64_t at = (int64_t)arrangement * space->rank + dim;

	*part = space->last[at];
	return space->pop[at];
}

static inline int64_t sw_type_space_size(const sw_type_space *space, int32_t state)
{
	return space->size[space->of[state]];
}

#endif
