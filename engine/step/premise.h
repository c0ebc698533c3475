/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Premises of steps on pieces that fail, in words.
 */
#ifndef SW_STEP_PREMISE_H
#define SW_STEP_PREMISE_H

#include <shardwalk/pieces.h>

/* How devices are called, and whose share a term of a device's sum is. */
typedef struct sw_piece_names {
	const void *of;
	void (*device)(const void *of, int64_t device, sw_text *text);
	int64_t (*owner)(const void *of, int64_t device, int64_t term);
} sw_piece_names;

/* A step that a group refuses. */
typedef struct sw_refusal {
	const sw_pieces *pieces;
	const sw_piece_names *names;
	sw_op op;
	const sw_breach *breach;
	const char *axis; /* SW_PREMISE_CROSSES: two members differ along it, and it is not summed; else NULL */
} sw_refusal;

/* The premise that fails, R01 to R09, with the devices that break it; returns false. */
bool sw_premise_say(const sw_refusal *refusal, sw_diag *diag);

#endif
