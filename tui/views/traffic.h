/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who sends how much to whom: elements between blocks of neighbouring devices, from groups, sources and maps.
 */
#ifndef SHARDWALK_VIEWS_TRAFFIC_H
#define SHARDWALK_VIEWS_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/plan.h>

struct traffic {
	int64_t devices;
	int64_t block; /* neighbouring devices in one block; the last one may have fewer */
	int blocks;
	double *sent;     /* blocks x blocks, row-major: elements from a device of the row to one of the column */
	double *out, *in; /* by block: elements sent to other devices, and received from them */
	double inside;    /* elements that stay within their block but change the device */
	double total;     /* all that changes the device */
};

/* No traffic yet, in at most `blocks` blocks.  false: no memory. */
bool traffic_new(struct traffic *traffic, int64_t devices, int blocks);
void traffic_free(struct traffic *traffic);

/* Adds what one device sends to another. */
void traffic_add_message(struct traffic *traffic, int64_t from, int64_t to, double elements);

/* Adds the flows of step `k` (0-based; see sw_plan_flows).
 * false, with a reason in `diag`, where the plan does not say who works together, or there are too many devices. */
bool traffic_add(struct traffic *traffic, const sw_plan *plan, int k, sw_diag *diag);

/* What one device sends in step `k` at most, in elements; -1: not known without looking at maps. */
double traffic_per_device(const sw_plan *plan, int k);

#endif
