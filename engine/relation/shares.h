/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares: what flows between two holdings, block by block.
 */
#ifndef SHARDWALK_RELATION_SHARES_H
#define SHARDWALK_RELATION_SHARES_H

#include "relation/relation.h"

/* What a device needs of a block that some hold: from whom it comes, the device itself where it holds it. */
typedef struct sw_share {
	int32_t sender, receiver, block;
	int64_t size;
	const sw_indices *set; /* of each dimension; NULL: only sizes were asked */
} sw_share;

typedef bool (*sw_share_use)(void *user, const sw_share *share);

/* Gives all shares to `use`, receiver by receiver, with sets in `sets` or, where it is NULL, with sizes alone.  false: no memory, or
 * `use` said so. */
bool sw_relation_shares(sw_relation *relation, sw_sender_rule rule, sw_arena *sets, sw_share_use use, void *user);

/* Those of the receivers `first` to `last`. */
bool sw_relation_shares_to(sw_relation *relation, sw_sender_rule rule, const sw_receivers *to, sw_arena *sets,
	sw_share_use use, void *user);

/* The same, with sizes alone, of receivers that lie scattered, of every `every`-th of them; each block has one holder. */
bool sw_relation_sample(sw_relation *relation, int32_t every, sw_share_use use, void *user);

#endif
