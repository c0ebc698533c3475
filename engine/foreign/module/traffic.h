/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes of collectives, counted the same way for HLO and for StableHLO.
 */
#ifndef SW_FOREIGN_TRAFFIC_H
#define SW_FOREIGN_TRAFFIC_H

#include <shardwalk/arena.h>
#include <shardwalk/text.h>
#include <shardwalk/traffic.h>

/* What groups, or pairs, come to. */
typedef struct traffic_groups {
	bool wrong;             /* a device is in two of them, or is none */
	int64_t count, largest; /* groups; pairs: rings or lines, or pairs */
	int64_t seats;          /* devices in groups; pairs: devices that get something from another */
	int64_t offset;         /* of pairs, as in sw_traffic_row */
	sw_traffic_form form;
} traffic_groups;

/* All devices as one group. */
traffic_groups traffic_whole(int64_t devices);

/* Group g is member[start[g]] to member[start[g + 1] - 1]; no groups: all devices. */
traffic_groups traffic_groups_of(int64_t count, const int64_t *start, const int64_t *member, int64_t devices,
	sw_arena *brief);

/* member: source, target, source, ... */
traffic_groups traffic_pairs_of(int64_t count, const int64_t *member, int64_t devices, sw_arena *brief);

/* Bytes of the type of a result, a tuple too, as HLO prints it: `(f32[8,16]{1,0}, pred[4])`. */
double traffic_type_bytes(sw_str type);

/* Bytes of an element by the name of its type, in HLO and in StableHLO; 0: it has none. */
double traffic_element_bytes(sw_str name);

/* Fills form, groups, bytes and mean of a row whose kind is set, from the bytes of its result. */
void traffic_weigh(sw_traffic_row *row, double result, const traffic_groups *groups, int64_t devices);

/* A row of a ring or a line is a halo where what goes is a border of one of `rank` dimensions: of dimension d, of `size` d elements,
 * those from bound[2 d] to before bound[2 d + 1]. */
void traffic_halo(sw_traffic_row *row, int rank, const int64_t *bound, const int64_t *size);

/* Folds rows that do the same, orders them, adds up and puts forms into words.  false: memory. */
bool traffic_finish(sw_traffic *traffic, sw_arena *arena);

#endif
