/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probes: what the machine is like right now, so that times taken at different moments can be compared.
 */
#ifndef EX_PROBE_H
#define EX_PROBE_H

#include "team.h"

typedef struct ex_probe {
	double hop;       /* seconds for a cache line from one core to another; 0: not measured */
	double bandwidth; /* bytes per second of streaming copies on two cores at once; 0: not measured */
} ex_probe;

/* All ranks call it; the first two of the first host work for about 20 ms, the others sleep. */
void ex_probe_take(ex_team *team, ex_probe *probe);

/* Processor time used on this host since the machine started, and by this process. */
typedef struct ex_usage {
	double wall, all, mine; /* seconds; all < 0: not known */
} ex_usage;
void ex_usage_take(ex_usage *usage);

/* The share of the hosts' processor time that others used between two moments; -1: not known.  Collective. */
double ex_usage_of_others(ex_team *team, const ex_usage *before, const ex_usage *after);

#endif
