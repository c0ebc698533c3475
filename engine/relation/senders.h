/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who sends a block that several devices hold.
 */
#ifndef SHARDWALK_RELATION_SENDERS_H
#define SHARDWALK_RELATION_SENDERS_H

#include "relation/relation.h"

typedef struct sw_senders {
	const sw_blocks *held;
	const struct sw_sender_row *row;
	int64_t *total, *dealt;  /* of each block: elements that others need, and those for which a sender was chosen */
	int32_t *given, *sender; /* of each block: to whom it was given last, by whom */
	int axes;                /* of the torus on which devices are near each other */
	const int64_t *size;
} sw_senders;

/* Hops between two places on a torus, and the number of the offset: (from - to) mod its sizes, row-major. */
int64_t sw_torus_hops(int axes, const int64_t *size, const int32_t *from, const int32_t *to, int64_t *offset);

/* Receivers have to ask in the order of their numbers.  false: no memory. */
bool sw_senders_of(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_senders *senders);

int32_t sw_senders_pick(sw_senders *senders, int32_t block, int32_t receiver, int64_t size);

#endif
