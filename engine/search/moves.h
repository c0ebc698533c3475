/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moves from one layout to others: parts leave the ends of rows and come to the ends of others.
 *
 * A row belongs to a dimension and takes some of the parts.  Layouts have one row a dimension, major to minor, that takes all
 * parts.  Local types are layouts in which all parts of one prime are alike and their order does not count: they have a row
 * for each dimension and prime, so that only lengths tell them apart.  Of parts that are alike only one is ever chosen from.
 *
 * Where rows hold the parts of all orders in which axes can be cut, they are types: an axis of 6 stands as 2 and 3 or as 3 and
 * 2, and of neighbours that make one larger part any prime may leave first.  Such a run is written with ascending primes, and so
 * are sums.
 */
#ifndef SW_SEARCH_MOVES_H
#define SW_SEARCH_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/collective.h>

#include "search/bound.h"
#include "search/layout.h"

#define SW_MAX_ROWS (SW_MAX_DIMS * SW_MAX_PRIMES)

/* A layout while moves are made from it. */
typedef struct sw_row_draft {
	int length[SW_MAX_ROWS];
	uint8_t at[SW_MAX_ROWS][SW_MAX_FACTORS];
	uint64_t used;   /* bit f: part f stands somewhere or is summed, or meets one that does */
	uint64_t summed; /* parts over which values are still to be summed */
	int64_t tile[SW_MAX_DIMS], size;
} sw_row_draft;

typedef enum sw_aim {
	SW_ANYWHERE,
	SW_TOWARDS, /* to where every row agrees with `to` as far as it goes */
	SW_HOME     /* to where gathers alone lead to `to`; one way there is as good as any other */
} sw_aim;

typedef void sw_moves_offer(void *context);
typedef bool sw_moves_hope(void *context);

typedef struct sw_moves {
	int rank, rows, parts;
	bool counted;  /* rows of parts that are alike */
	bool backward; /* moves that lead to the layout instead of from it */
	bool sums;     /* parts may be summed: of layouts */
	bool blanks;   /* see sw_moves_blank */
	int dim[SW_MAX_ROWS];
	int most;                   /* parts that can stand at once */
	int first[SW_MAX_DIMS + 1]; /* rows of dimension i: first[i] to first[i + 1] - 1 */
	uint64_t takes[SW_MAX_ROWS];
	uint64_t all, alike;                   /* parts; those that a lower one is like */
	int64_t factor_of[SW_MAX_PRIME_PARTS]; /* by which a part splits a tile */
	uint8_t kind[SW_MAX_PRIME_PARTS];      /* of a part: the lowest that it is like */
	uint64_t of_kind[SW_MAX_PRIME_PARTS];  /* parts of a kind */
	uint64_t alike_below[SW_MAX_PRIME_PARTS];
	uint64_t meets[SW_MAX_PRIME_PARTS];               /* parts that cannot stand beside a part, itself included */
	uint64_t of_factor[SW_MAX_PRIME_PARTS];           /* of a part, with blanks: those that split by the same */
	uint64_t mixed;                                   /* parts of axes of several primes that are cut in any order */
	const sw_prime_parts *cuts;                       /* the parts, where some are mixed; for these ... */
	uint8_t prime[SW_MAX_PRIME_PARTS];                /* ... the number of the prime, ascending */
	uint8_t later[SW_MAX_PRIME_PARTS][SW_MAX_PRIMES]; /* the same digit behind one more prime */
	uint8_t sooner[SW_MAX_PRIME_PARTS][SW_MAX_PRIMES];
	int64_t global[SW_MAX_DIMS];
	sw_row_draft to, before, now; /* the goal; the layout that moves start from; where one leads */
	/* what is being offered */
	sw_op op;
	unsigned popped; /* dimensions that were popped from */
	int64_t factor;  /* product of what was popped */
	sw_aim aim;      /* of alltoalls */
	bool arrived;    /* one was offered whose aim is home */
	sw_moves_offer *offer;
	sw_moves_hope *hope; /* is asked once sums and operation are chosen, whether to go on; NULL: yes */
	void *context;
	int64_t edges, tried, most_edges; /* offered; ways of popping and pushing, those that led nowhere too */
	bool failed;                      /* the offers have to end */
} sw_moves;

/* Rows for the layouts of a shape, all of whose parts differ.  Fills neither `to` nor what is offered. */
void sw_moves_init(sw_moves *moves, const sw_type *shape, const sw_prime_parts *factors);

/* Part `b` is like part `a`, which is like no lower one. */
void sw_moves_like(sw_moves *moves, int a, int b);

/* Rows for local types. */
void sw_moves_count(sw_moves *moves);

/* Rows for types: `cuts` are the parts of all orders, and have to live as long. */
void sw_moves_mix(sw_moves *moves, const sw_mesh *mesh, const sw_prime_parts *cuts);

/* A size, at least 0, by a prime.  Nearly all are 2, and a division takes as long as ten other operations. */
static inline int64_t sw_by_prime(int64_t size, int64_t prime)
{
	return prime == 2 ? size >> 1 : size / prime;
}

static inline bool sw_has_prime(int64_t size, int64_t prime)
{
	return prime == 2 ? (size & 1) == 0 : size % prime == 0;
}

void sw_row_draft_clear(const sw_moves *moves, sw_row_draft *rows);
void sw_row_draft_push(const sw_moves *moves, sw_row_draft *rows, int row, int part);
int sw_row_draft_pop(const sw_moves *moves, sw_row_draft *rows, int row);
void sw_row_draft_copy(const sw_moves *moves, sw_row_draft *to, const sw_row_draft *from);

/* The sums of a layout become these parts, where some are mixed. */
void sw_row_draft_mix_sums(const sw_moves *moves, sw_row_draft *rows, uint64_t parts);

/* Parts that stand nowhere join the sums; and parts of the sums leave them. */
static inline void sw_row_draft_sum(const sw_moves *moves, sw_row_draft *rows, uint64_t parts)
{
	rows->summed |= parts;
	rows->used |= parts;
	if (moves->mixed != 0)
		sw_row_draft_mix_sums(moves, rows, rows->summed);
}

static inline void sw_row_draft_unsum(const sw_moves *moves, sw_row_draft *rows, uint64_t parts)
{
	rows->summed &= ~parts;
	rows->used &= ~parts;
	if (moves->mixed != 0)
		sw_row_draft_mix_sums(moves, rows, rows->summed);
}

/* Do two parts, one behind the other, make one larger part? */
bool sw_moves_join(const sw_moves *moves, int part, int next);

/* Where the larger part begins that a row ends with; pops the part at a place of it. */
int sw_row_draft_last_run(const sw_moves *moves, const sw_row_draft *rows, int row);
int sw_row_draft_pop_at(const sw_moves *moves, sw_row_draft *rows, int row, int at);

/* A layout under an order of primes, which has to be that of the rows where these are not counted. */
void sw_row_draft_fill(const sw_moves *moves, sw_row_draft *rows, const sw_prime_parts *factors,
	const sw_layout *layout);

/* Keys: the kinds of parts, row after row, where rows are not counted; then their number a row. */
int sw_moves_key_bytes(const sw_moves *moves);
void sw_row_draft_write(const sw_moves *moves, const sw_row_draft *rows, uint8_t *key);
void sw_row_draft_read(const sw_moves *moves, const uint8_t *key, sw_row_draft *rows);
#define SW_MAX_KEY (SW_MAX_FACTORS + SW_MAX_ROWS + 8)

/* How many parts two rows have in common from the major end, however they are cut; and how many `now` and `to` have. */
int sw_row_draft_agreement(const sw_moves *moves, const sw_row_draft *a, const sw_row_draft *b, int row);
int sw_moves_agreement(const sw_moves *moves, int row);
bool sw_moves_are_home(const sw_moves *moves);

/* The parts of row `row` of `b` behind those that it has in common with `a`; how many. */
int sw_row_draft_rest(const sw_moves *moves, const sw_row_draft *a, const sw_row_draft *b, int row,
	uint8_t rest[SW_MAX_FACTORS]);

/* Ready for the moves from what stands in `now`, which is there again after each of these. */
void sw_moves_begin(sw_moves *moves);
bool sw_moves_exhausted(const sw_moves *moves);

/* Slices by one part; `whole`: by any list of parts of any dimensions. */
void sw_moves_slices(sw_moves *moves, bool whole);

/* Gathers and alltoalls, of several dimensions or of one (of each kind). */
void sw_moves_gathers(sw_moves *moves, bool multi_dim);
void sw_moves_alltoalls(sw_moves *moves, bool multi_dim);

/* Permutations to all other layouts with the same tiles.  Of layouts. */
void sw_moves_permutations(sw_moves *moves);

/* Of layouts: what is pushed is the part that `to` goes on with, if that is free, or a blank, a part of which it is not said
 * which it is, only that one of its prime is free.  Blank k of `parts` splits as part k does.  What `to` sums may also come from
 * blanks that are padded.  Every sequence of moves between layouts is one of these too, so that nothing is left out; but not
 * every one of these can be named (blanks.h). */
void sw_moves_blank(sw_moves *moves);

/* Of layouts with sums.  One more part is summed, of one copy and zeros; the part at the end of a row joins the sums; values
 * are summed over any of the parts, in place, or while parts are popped and pushed as alltoalls do (`multi_dim`; otherwise onto
 * one row, and none is popped). */
void sw_moves_zeros(sw_moves *moves);
void sw_moves_pads(sw_moves *moves);
void sw_moves_allreduces(sw_moves *moves);
void sw_moves_scatters(sw_moves *moves, bool multi_dim);

/* The parts worth pushing onto a row: of those that are alike only the first. */
uint64_t sw_moves_choice(const sw_moves *moves, int row);

/* Offers the rows of a permutation, which differ or not, with every set of sums of the same product as before. */
void sw_moves_permuted_sums(sw_moves *moves, bool differ);

/* Pops and pushes of the operation that is being offered, whose factor so far is that of the sums. */
void sw_moves_swap(sw_moves *moves, bool multi_dim);

#endif
