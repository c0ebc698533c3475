/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shortest path over local types by its parts.
 *
 * Some shortest path is in normal form, dynslice* alltoall* allgather* (seed 000, lemma 6.5; the same holds
 * for the model volume).  It is told by the node `high` at which the gathers begin: the gathers from there to
 * the goal are known in closed form, all alltoalls happen at the size of `high`, and the slices cost nothing. 
 * So gathers are chosen backwards from the goal, largest factor first, under a bound; for every `high`
 * transfers backwards find the fewest (or cheapest) alltoalls to a node that slices alone reach from the start.
 *
 * Words: backwards, a dimension lacks what the start has there and the node has not, and has a surplus where it is
 * the other way round; an alltoall i -> j gives, backwards, a factor of j's surplus to i.
 */
#ifndef SW_SEARCH_LOCAL_PATH_H
#define SW_SEARCH_LOCAL_PATH_H

#include <shardwalk/number.h>

#include "search/local.h"
#include "search/store.h"

#define PATH_MAX_TRANSFERS 128

typedef struct path_gather {
	int dim;
	int factor; /* index into the factors */
} path_gather;

/* A normal form, from its end. */
typedef struct path_form {
	int gathers, transfers;
	path_gather gather[SW_MAX_DIMS];    /* largest factor first: the last one forwards */
	uint8_t source[PATH_MAX_TRANSFERS]; /* dimensions of the alltoalls, forwards; the last one first */
	uint8_t target[PATH_MAX_TRANSFERS];
	local_key low; /* where the slices end */
	uint8_t factor[PATH_MAX_TRANSFERS][LOCAL_MAX_PRIMES];
} path_form;

/* Transfers of one prime: what was tried from, up to the order of dimensions. */
typedef struct path_memo {
	uint64_t surplus[SW_MAX_DIMS / 8];
	int64_t cost;
	int32_t moves;
	uint32_t serial; /* of the search that it belongs to */
} path_memo;

typedef struct path_search {
	const sw_local *local;
	sw_arena *arena;
	path_memo *memo; /* NULL while the search is short */
	uint32_t serial;
	sw_divisors factors;
	int64_t power[LOCAL_MAX_PRIMES][SW_MAX_FACTORS + 1];
	int from_total[LOCAL_MAX_PRIMES];
	int have_total[LOCAL_MAX_PRIMES];
	local_key have; /* the node, backwards */
	path_form now, best;
	int64_t best_cost; /* INT64_MAX: none found */
	int best_moves;
	int64_t limit;     /* dearer paths are of no interest */
	int64_t enough;    /* no path is cheaper */
	bool one_transfer; /* only forms with at most one alltoall */
	bool unsure;       /* a form was left out because its alltoalls could not be counted */
	bool stopped;
	const sw_pulse *pulse;
	int64_t settled, seen, edges; /* nodes of the tree of choices that were gone on from, all, and the choices */
} path_search;

/* What the start has and the node has not. */
typedef struct path_lack {
	int dims;       /* dimensions that lack something */
	int64_t factor; /* product of all that is lacking */
	int64_t need;   /* product of what the start uses in all beyond what the node uses in all */
	bool fits;      /* the mesh has room for what is lacking */
	bool spare;     /* the node uses more than the start: a slice will be needed */
} path_lack;

void sw_path_measure(const path_search *search, path_lack *lack);

/* Is a path of this cost and number of moves of no interest? */
static inline bool sw_path_beaten(const path_search *search, int64_t cost, int moves)
{
	return cost > search->limit || cost > search->best_cost ||
		(cost == search->best_cost && moves >= search->best_moves);
}

/* Keeps the form that stands in `now`, whose slices end at `have`, where it is better. */
void sw_path_keep(path_search *search, int64_t cost, int moves);

/* Asks now and then whether to go on. */
bool sw_path_goes_on(path_search *search);

/* The alltoalls and slices before the node `have` of local size `size`, whose gathers cost `cost`. */
void sw_path_transfers(path_search *search, int64_t cost, int64_t size, const path_lack *lack);

#endif
