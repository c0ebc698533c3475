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
	const int32_t *member;
	int64_t size;
} sw_refusal;

/* The premise that fails, R01 to R08, with the devices that break it; returns false. */
bool sw_premise_say(const sw_refusal *refusal, sw_premise premise, sw_diag *diag);

/* R09: two devices work together that have no value in common, as they differ along an axis that is not summed; returns false. */
bool sw_premise_say_crosses(const sw_refusal *refusal, int64_t other, const char *axis, sw_diag *diag);

#endif
