/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How each collective sends: the part of its row that says who takes which box from whom.
 */
#ifndef SHARDWALK_STEP_TRANSFERS_H
#define SHARDWALK_STEP_TRANSFERS_H

#include <shardwalk/transfers.h>

/* Elements of a tile that come from one device, or from all members of a group. */
#define SW_ALL_MEMBERS (-2)
typedef struct sw_run {
	int64_t begin, end;
	int32_t from;
} sw_run;

/* Elements that come from one device, where devices have others than tiles. */
typedef struct sw_moved {
	int32_t from;
	sw_loops loops;
} sw_moved;

struct sw_transfers {
	sw_step step;
	sw_tiles before, after;
	sw_arena *arena;
	const struct sw_sending *sending;
	int32_t *position;              /* of each device in the groups; -1: in none */
	int64_t *piece;                 /* where piece n lies: group size x rank */
	int64_t *brought;               /* where the tile of a device lies in what is gathered: devices x rank */
	int64_t grid[SW_MAX_DIMS];      /* tiles before the step */
	int32_t *first_holder, *holder; /* of each tile, ascending */
	int64_t tiles;                  /* of the grid before the step */
	int32_t *first_joined, *joined; /* the terms before that make up each term after, ascending; NULL: no sums */
	const int32_t *first_sender,
		*sender;        /* of each device, a sender for each tile; NULL: every tile has one holder */
	int64_t *first_run; /* of each device, runs in the order of elements, or what is moved, by senders */
	sw_run *run;
	int64_t *runs; /* of each device, how many; where that is NULL, as far as those of the next */
	const sw_moved *moved;
	bool adds; /* what is moved */
};

/* The part of a row. */
typedef struct sw_sending {
	bool (*prepare)(sw_transfers *t, sw_diag *diag); /* its tables; P05 where something is missing */
	int64_t (*count)(const sw_transfers *t, int64_t to);
	/* One box from each device: from whom box n comes (-1: from nobody), whether one comes from a device, and which, where
	 * its devices are known.  Or as many as there are: box n; `takes` may then say that none comes from a device. */
	int64_t (*sender)(const sw_transfers *t, int64_t to, int64_t n);
	bool (*takes)(const sw_transfers *t, int64_t from, int64_t to);
	bool (*box)(const sw_transfers *t, sw_transfer *transfer);
	bool (*get)(const sw_transfers *t, int64_t to, int64_t n, sw_transfer *transfer);
} sw_sending;

/* Of pieces of tiles: which boxes of those that come into a tile have one of its elements, [first, first + count). */
int64_t sw_transfers_with(const sw_transfers *t, int64_t to, int64_t element, int64_t *count);

extern const sw_sending sw_sends_nothing;   /* dynslice */
extern const sw_sending sw_sends_tiles;     /* allgather */
extern const sw_sending sw_sends_pieces;    /* alltoall */
extern const sw_sending sw_sends_whole;     /* allpermute */
extern const sw_sending sw_sends_dealt;     /* exchange: by holders */
extern const sw_sending sw_sends_terms;     /* reducescatter */
extern const sw_sending sw_sends_all_terms; /* allreduce */
extern const sw_sending sw_sends_kept;      /* zeros */
extern const sw_sending sw_sends_runs;      /* any step on pieces of tiles */
extern const sw_sending sw_sends_moved; /* exchange between types of any kind: made by the plan (plan/between.h) */

/* Where each device stands in the groups. */
bool sw_transfers_positions(sw_transfers *t, sw_diag *diag);

/* The box in which the tiles of both devices meet; false: they do not. */
bool sw_transfers_meet(const sw_transfers *t, sw_transfer *transfer);

bool sw_transfers_lack(sw_diag *diag, const char *what);

#endif
