/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much every device holds, needs, keeps, receives and sends.
 */
#include <string.h>

#include <shardwalk/number.h>

#include "relation/shares.h"

static bool tally_share(void *user, const sw_share *share)
{
	sw_tally *tally = user;
	sw_tally *from = &tally[share->sender];

	if (share->sender == share->receiver) {
		tally[share->receiver].kept += share->size;
		return true;
	}
	tally[share->receiver].in += share->size;
	if (!sw_add(from->out, share->size, &from->out))
		from->out = INT64_MAX;
	return true;
}

static bool count_missing(sw_relation *r, sw_tally *tally)
{
	sw_tally *plain = SW_NEW(r->arena, sw_tally, r->from->devices);

	if (plain == NULL || sw_relation_plain(r) == NULL || !sw_relation_tally(r->plain, SW_SENDER_LOWEST, plain))
		return false;
	for (int64_t device = 0; device < r->from->devices; device++)
		tally[device].missing = plain[device].missing;
	return true;
}

/* ---- without a look at who sends to whom ---- */

/* Are the elements of all blocks, each once, so many? */
static bool are_in(const sw_blocks *blocks, int64_t all)
{
	for (int32_t block = 0; all >= 0 && block < blocks->count; block++)
		all -= blocks->size[block];
	return all == 0;
}

/* Somebody, and nobody else, holds each element, and as many devices need each; of sums, each term of it. */
static bool is_even(sw_relation *r)
{
	int64_t all = r->from->terms;

	for (int dim = 0; dim < r->rank; dim++)
		if (!sw_mul(all, r->from->global[dim], &all))
			return false;
	return r->unique && are_in(&r->held, all) && are_in(&r->needed, all) && sw_relation_needs(r) > 0;
}

/* Whoever needs an element that he does not hold receives it, and each is sent to all others that need it. */
static bool tally_even(sw_relation *r, sw_tally *tally)
{
	int64_t needs = sw_relation_needs(r);
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL;

	for (int64_t device = 0; done && device < r->from->devices; device++) {
		sw_tally *one = &tally[device];
		one->kept = sw_relation_kept(r, device, scratch);
		one->in = sw_blocks_elements(&r->needed, device) - one->kept;
		one->out = sw_blocks_elements(&r->held, device) * needs - one->kept;
		done = one->kept >= 0;
	}
	sw_arena_free(scratch);
	return done;
}

/* ---- all of it ---- */

bool sw_relation_tally(sw_relation *r, sw_sender_rule rule, sw_tally *tally)
{
	memset(tally, 0, (size_t)r->from->devices * sizeof *tally);
	if (!(is_even(r) ? tally_even(r, tally) : sw_relation_shares(r, rule, NULL, tally_share, tally)))
		return false;
	for (int64_t device = 0; device < r->from->devices; device++) {
		sw_tally *one = &tally[device];
		one->held = sw_relation_elements(r, &r->held, device);
		one->needed = sw_relation_elements(r, &r->needed, device);
		one->missing = one->needed - one->kept - one->in;
	}
	return !r->terms || count_missing(r, tally);
}

static void count_more(int64_t *sum, int64_t more)
{
	if (*sum >= 0 && !sw_add(*sum, more, sum))
		*sum = -1;
}

sw_tally sw_tally_sum(const sw_tally *tally, int64_t devices)
{
	sw_tally sum = {.held = 0};

	for (const sw_tally *of = tally; of < tally + devices; of++) {
		count_more(&sum.held, of->held);
		count_more(&sum.needed, of->needed);
		count_more(&sum.kept, of->kept);
		count_more(&sum.in, of->in);
		count_more(&sum.out, of->out);
		count_more(&sum.missing, of->missing);
	}
	return sum;
}
