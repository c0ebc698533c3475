/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the collectives of a program move, each of them, understood or not.
 */
#ifndef SW_FOREIGN_COLLECTIVES_H
#define SW_FOREIGN_COLLECTIVES_H

#include "foreign/module/reading.h"

/* A collective, and where it runs. */
typedef struct collective {
	int instruction, part; /* part: of the runs */
	bool planned;          /* it is a step of a redistribution that was understood */
	bool partial;          /* in a manual computation over some axes only: shapes are of more than a device holds */
} collective;

/* Fills r->traffic: what each instruction moves each time it runs; count 0: it is no collective.  false: no memory. */
bool graph_traffic_find(graph_reading *r);

/* Adds a row for each of these, which lives in r->arena; traffic_finish is left to do.  false: no memory. */
bool graph_traffic_give(graph_reading *r, const collective *met, int count, sw_traffic *traffic, int *room);

#endif
