/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules by which one of several holders sends: a function a row.
 */
#include "relation/senders.h"

#include <string.h>

#include <shardwalk/number.h>

__extension__ typedef unsigned __int128 wide;

/* Shares are dealt as well as 64 bits count them. */
static void add_up(int64_t *sum, int64_t more)
{
	if (!sw_add(*sum, more, sum))
		*sum = INT64_MAX;
}

struct sw_sender_row {
	const char *name, *text;
	bool (*prepare)(sw_senders *senders, sw_relation *relation, sw_arena *arena);
	int32_t (*pick)(sw_senders *senders, int32_t block, int32_t receiver, int64_t size);
};

static int32_t pick_lowest(sw_senders *s, int32_t block, int32_t receiver, int64_t size)
{
	(void)receiver;
	(void)size;
	return s->held->holder[s->held->first_holder[block]];
}

/* With `total` elements to send in all, the share whose middle is element m comes from holder number m * holders / total, between
 * two of them from the lower one.  What one device needs of a block comes from one. */
static int32_t pick_balanced(sw_senders *s, int32_t block, int32_t receiver, int64_t size)
{
	const int32_t *holder = s->held->holder + s->held->first_holder[block];
	int64_t holders = sw_block_holders(s->held, block);
	wide middle = 2 * (wide)s->dealt[block] + (wide)size, all = 2 * (wide)s->total[block];

	add_up(&s->dealt[block], size);
	if (s->given[block] == receiver)
		return s->sender[block];
	int64_t number = (int64_t)((middle * (wide)holders - 1) / all);
	s->given[block] = receiver;
	s->sender[block] = holder[number < holders ? number : holders - 1];
	return s->sender[block];
}

/* What each device needs of the blocks that meet a needed one, unless it holds them. */
static bool add_needed(sw_senders *s, sw_relation *relation, int32_t need)
{
	const sw_blocks *needed = &relation->needed;
	const sw_meetings *met = sw_relation_meetings(relation, need);

	for (int i = 0; met != NULL && i < met->count; i++) {
		int32_t block = met->meeting[i].block;
		for (int32_t n = needed->first_holder[need]; n < needed->first_holder[need + 1]; n++)
			if (!sw_block_held(s->held, block, needed->holder[n]))
				add_up(&s->total[block], met->meeting[i].size);
	}
	return met != NULL;
}

/* Adds up what others need of each block. */
static bool prepare_dealing(sw_senders *s, sw_relation *relation, sw_arena *arena)
{
	int32_t blocks = s->held->count;

	s->total = SW_NEW_ZERO(arena, int64_t, blocks);
	s->dealt = SW_NEW_ZERO(arena, int64_t, blocks);
	s->given = SW_NEW(arena, int32_t, blocks);
	s->sender = SW_NEW(arena, int32_t, blocks);
	if (s->total == NULL || s->dealt == NULL || s->given == NULL || s->sender == NULL)
		return false;
	memset(s->given, 0xff, (size_t)blocks * sizeof *s->given);
	for (int32_t need = 0; need < relation->needed.count; need++)
		if (!add_needed(s, relation, need))
			return false;
	return true;
}

static bool prepare_nothing(sw_senders *s, sw_relation *relation, sw_arena *arena)
{
	(void)s;
	(void)relation;
	(void)arena;
	return true;
}

/* ---- the nearest ---- */

int64_t sw_torus_hops(int axes, const int64_t *size, const int32_t *from, const int32_t *to, int64_t *offset)
{
	int64_t distance = 0;

	*offset = 0;
	for (int axis = 0; axis < axes; axis++) {
		int64_t by = from[axis] - to[axis];
		by += by < 0 ? size[axis] : 0;
		*offset = *offset * size[axis] + by;
		distance += by < size[axis] - by ? by : size[axis] - by;
	}
	return distance;
}

static void place_of(const sw_senders *s, int32_t device, int32_t *at)
{
	for (int axis = s->axes - 1; axis >= 0; axis--) {
		at[axis] = (int32_t)(device % s->size[axis]);
		device = (int32_t)(device / s->size[axis]);
	}
}

static int32_t pick_nearest(sw_senders *s, int32_t block, int32_t receiver, int64_t size)
{
	const int32_t *holder = s->held->holder + s->held->first_holder[block];
	int64_t holders = sw_block_holders(s->held, block), least = INT64_MAX, first = INT64_MAX, offset;
	int32_t best = holder[0], to[SW_MAX_AXES], at[SW_MAX_AXES];

	(void)size;
	place_of(s, receiver, to);
	for (int64_t k = 0; k < holders; k++) {
		place_of(s, holder[k], at);
		int64_t hops = sw_torus_hops(s->axes, s->size, at, to, &offset);
		if (hops > least || (hops == least && offset > first))
			continue;
		least = hops;
		first = offset;
		best = holder[k];
	}
	return best;
}

static const struct sw_sender_row rows[] = {
	[SW_SENDER_LOWEST] = {"lowest", "the device with the lowest number", prepare_nothing, pick_lowest},
	[SW_SENDER_BALANCED] = {"balanced",
		"the holders of an element share the requests of the other devices, in their order", prepare_dealing,
		pick_balanced},
	[SW_SENDER_NEAREST] = {"nearest",
		"the holder with the fewest hops on the torus of the mesh; of two, the right neighbour before the left",
		prepare_nothing, pick_nearest},
};

const char *sw_sender_rule_name(sw_sender_rule rule)
{
	return rows[rule].name;
}

const char *sw_sender_rule_text(sw_sender_rule rule)
{
	return rows[rule].text;
}

bool sw_senders_of(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_senders *senders)
{
	*senders =
		(sw_senders){.held = &relation->held, .row = &rows[rule], .axes = relation->axes, .size = relation->size};
	return senders->row->prepare(senders, relation, arena);
}

int32_t sw_senders_pick(sw_senders *senders, int32_t block, int32_t receiver, int64_t size)
{
	if (sw_block_held(senders->held, block, receiver))
		return receiver;
	return senders->row->pick(senders, block, receiver, size);
}
