/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic: how often and how much every device sends and receives, and who is connected by it, without a list of messages.
 */
#ifndef SHARDWALK_RELATION_TRAFFIC_H
#define SHARDWALK_RELATION_TRAFFIC_H

#include "relation/relation.h"

/* One device. */
typedef struct sw_station {
	int32_t in, out;                      /* messages */
	int32_t source;                       /* who sent the last that came in, -1: nobody */
	bool whole;                           /* every message that it sends is all it holds */
	int64_t held, needed, kept, received; /* elements */
} sw_station;

/* Devices that are connected, and some messages of whom. */
typedef struct sw_party {
	int32_t members, senders, receivers;
	int64_t messages;
} sw_party;

typedef struct sw_traffic {
	sw_relation *relation;
	sw_sender_rule rule;
	int32_t devices;
	sw_station *station;
	int32_t parties;
	sw_party *party;
	int32_t *first, *member; /* of each party, ascending; parties by their first members */
	int64_t messages;
	bool general; /* the rest was not looked at: all devices are one party, and no rule but the last can hold */
} sw_traffic;

/* It lives in `arena`.  false: no memory. */
bool sw_traffic_of(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_traffic *traffic);

/* Gives every message to `use`, receiver by receiver, with its elements. */
typedef bool (*sw_traffic_use)(void *user, int32_t sender, int32_t receiver, int64_t elements);
bool sw_traffic_messages(const sw_traffic *traffic, sw_traffic_use use, void *user);

/* Does a receiver hold something, and need all of it? */
static inline bool sw_station_extends(const sw_station *station)
{
	return station->held > 0 && station->kept == station->held;
}

#endif
