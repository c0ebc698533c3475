/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts: types seen as prime parts of axes laid over dimensions, and routes from one layout to another.
 *
 * A space fixes a problem and the order of each axis's primes.  A layout says for every dimension which prime
 * parts partition it, major to minor; parts that stand nowhere are unused: the tiles are replicated over them.
 */
#ifndef SW_SEARCH_LAYOUT_H
#define SW_SEARCH_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/collective.h>
#include <shardwalk/type.h>

#include "array/prime_parts.h"

typedef struct sw_layout {
	uint8_t order[SW_MAX_FACTORS]; /* major to minor, dimension after dimension */
	int first[SW_MAX_DIMS + 1];    /* dimension i: order[first[i]] to order[first[i + 1] - 1] */
	uint64_t summed;               /* parts over which values are still to be summed; of spaces with sums */
} sw_layout;

static inline uint64_t sw_part_bit(int part)
{
	return (uint64_t)1 << part;
}

/* The bits of parts 0 to count - 1. */
static inline uint64_t sw_part_bits(int count)
{
	return count == 0 ? 0 : (sw_part_bit(count - 1) - 1) | sw_part_bit(count - 1);
}

typedef struct sw_space {
	const sw_problem *problem;
	int rank;
	sw_prime_parts factors;    /* the order of primes in which `from` is read */
	sw_prime_parts to_factors; /* and `to`: the same one where the space is of one order */
	bool one_order;
	bool mixed; /* the factors are the parts of all orders, of which some exclude others: layouts are types */
	bool sums;  /* values are still to be summed at one end at least */
	sw_layout from, to;
	int64_t from_size, to_size; /* elements of a tile */
} sw_space;

/* The space of a problem under an order of primes (NULL: the same one) for each end; false where a type cuts an
 * axis in a way that its order cannot express.  `problem` must outlive the space. */
bool sw_space_init(sw_space *space, const sw_problem *problem, const sw_prime_parts *from, const sw_prime_parts *to);

/* The space of all types, however axes of several primes are cut; false where these are too many ways. */
bool sw_space_of_types(sw_space *space, const sw_problem *problem);

/* Is every prime of the mesh the same?  Then *prime is it (1 for a mesh of one device). */
bool sw_space_one_prime(const sw_space *space, int64_t *prime);

/* Are the layouts of its order of primes all types?  So they are where no axis has several primes. */
bool sw_space_one_cut(const sw_space *space);

static inline int sw_layout_length(const sw_layout *layout, int dim)
{
	return layout->first[dim + 1] - layout->first[dim];
}

/* Bit f is set where part f partitions some dimension. */
uint64_t sw_layout_used(const sw_layout *layout, int rank);

/* Does dimension `dim` of one layout continue that of the other (either way round)? */
bool sw_layout_comparable(const sw_layout *a, const sw_layout *b, int dim);

/* Is every dimension of `finer` a continuation of that of `coarser`? */
bool sw_layout_extends(const sw_layout *finer, const sw_layout *coarser, int rank);

/* Tile sizes of a layout under an order of primes. */
void sw_layout_tile(const sw_space *space, const sw_prime_parts *factors, const sw_layout *layout,
	int64_t tile[SW_MAX_DIMS]);

/* One step of a path: the operation and where it leads.  Paths over local types have tiles only. */
typedef struct sw_layout_step {
	sw_op op;
	int64_t tile[SW_MAX_DIMS];
	sw_layout layout;
} sw_layout_step;

typedef struct sw_layout_path {
	int count;
	sw_layout_step *step;
} sw_layout_path;

#endif
