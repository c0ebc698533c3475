/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the collectives of a program bring to a device, whether anybody understands them or not: bytes need no sharding.
 *
 * Of a group of g devices and a result of b bytes a device gets from others: (g-1)/g b by an all-gather and an all-to-all, 2 (g-1)/g b
 * by an all-reduce, (g-1) b by a reduce-scatter, b by a collective-broadcast, a collective-permute and a recv.  A ragged-all-to-all
 * brings what its sizes say where they are constants, else at most what the others of the group have and what its result holds.
 * Every collective counts what the device gets that it brings most to; the mean over all devices is beside it.
 */
#ifndef SHARDWALK_TRAFFIC_H
#define SHARDWALK_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* Identifier, name. */
#define SW_TRAFFIC_KINDS(X) \
	X(GATHER, "all-gather") \
	X(EXCHANGE, "all-to-all") \
	X(PERMUTE, "collective-permute") \
	X(REDUCE, "all-reduce") \
	X(SCATTER, "reduce-scatter") \
	X(BROADCAST, "collective-broadcast") \
	X(RAGGED, "ragged-all-to-all")

typedef enum sw_traffic_kind {
#define X(id, name) SW_TRAFFIC_##id,
	SW_TRAFFIC_KINDS(X)
#undef X
		SW_TRAFFIC_KIND_COUNT
} sw_traffic_kind;

/* "all-gather" */
const char *sw_traffic_name(sw_traffic_kind kind);

/* Who gets from whom. */
typedef enum sw_traffic_form {
	SW_TRAFFIC_GROUPS, /* within groups */
	SW_TRAFFIC_PAIRS,  /* by pairs, which are none of these: */
	SW_TRAFFIC_RING,   /* every device gets the value of the one before it on a ring */
	SW_TRAFFIC_LINE,   /* the same without the way from the last device to the first */
	SW_TRAFFIC_HALO    /* a ring or a line on which a border of the tile goes, not all of it */
} sw_traffic_form;

/* Collectives of one line of the program that do the same. */
typedef struct sw_traffic_row {
	sw_traffic_kind kind;
	sw_traffic_form form;
	bool planned;            /* they are steps of a redistribution that was understood */
	bool open;               /* a loop around one of them does not say how often it runs, and counts once */
	bool untaken;            /* they are in a branch that is not counted, as another one moves more */
	bool at_most;            /* their sizes are not known before the program runs */
	bool uneven;             /* their groups are not equally large */
	bool unsized;            /* the text does not say how large they are: they count nothing */
	bool wrong;              /* their groups are none: they count as if all devices were one */
	const char *name;        /* of the first of them, without `%` */
	const char *computation; /* that it is in */
	const char *source;      /* `FILE:LINE` of the program; NULL: not known */
	const char *op_name;     /* what the program calls it; NULL: not known */
	const char *where;       /* groups or ring, in words: "2 rings of 4: 8 steps of 4.0 KiB" */
	int64_t line;            /* of the first of them, from 1 */
	int64_t count;           /* instructions */
	int64_t loop;            /* line of the innermost loop around it, from 1; 0: none */
	int64_t runs;            /* of all of them while the program runs once */
	int64_t groups, size;    /* how many groups or rings, and the devices of the largest; pairs: how many, and 1 */
	int64_t offset;          /* pairs: device that gets less device that gives, of most pairs; 0: no number */
	double bytes, mean;      /* that reach a device each time they run: the device that gets most, and the mean */
	int64_t
		beside; /* rings: products of the same body that need not wait for it, nor it for them, of the first; -1: not known */
	bool halo_round; /* halo: on rings, not on lines */
	int halo_dim;    /* halo: the dimension of the tile, and the elements of it that go: */
	int64_t halo_from, halo_to, halo_of;
} sw_traffic_row;

typedef struct sw_traffic {
	int count;
	sw_traffic_row *row;          /* in the order of the text */
	double bytes, mean;           /* all rows as often as they run */
	double planned_bytes;         /* the same of those that are planned */
	int64_t branches;             /* conditionals of which only the dearer branch counts */
	int64_t open, at_most, wrong; /* rows that run and are that */
	int64_t unsized;              /* instructions of rows that are that */
} sw_traffic;

/* Bytes of a row as often as it runs. */
double sw_traffic_bytes(const sw_traffic_row *row);

#pragma GCC visibility pop

#endif
