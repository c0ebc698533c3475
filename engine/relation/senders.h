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
} sw_senders;

/* Receivers have to ask in the order of their numbers.  false: no memory. */
bool sw_senders_of(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_senders *senders);

int32_t sw_senders_pick(sw_senders *senders, int32_t block, int32_t receiver, int64_t size);

#endif
