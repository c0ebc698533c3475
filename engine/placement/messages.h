/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between devices of a system, and what they load.
 */
#ifndef SW_PLACEMENT_MESSAGES_H
#define SW_PLACEMENT_MESSAGES_H

#include <shardwalk/reduction.h>

/* What was sent over each port so far. */
typedef struct sw_messages sw_messages;

/* NULL: no memory.  The system stays the caller's. */
sw_messages *sw_messages_new(const sw_system *system);
void sw_messages_free(sw_messages *messages);

void sw_messages_send(sw_messages *messages, int64_t from, int64_t to, double bytes);

/* The messages of a group whose members bring so many bytes each; they stand in the order of their numbers (the root of a reduce or
 * a broadcast is the first).  An all-reduce runs in this way. */
void sw_messages_group(sw_messages *messages, sw_op op, sw_allreduce_way way, const int64_t *member, int64_t size,
	double bytes);

/* Seconds of the busiest port. */
double sw_messages_busiest(const sw_messages *messages);

/* The same of nodes with rings of eight, kind by kind: nodes, pairs, links of rings. */
#define SW_V100_PORTS 3
void sw_messages_v100(const sw_messages *messages, double seconds[SW_V100_PORTS]);

/* The outermost level on which two devices differ; that of equal ones is the innermost. */
int sw_messages_level(const sw_system *system, int64_t a, int64_t b);

#endif
