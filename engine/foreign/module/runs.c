/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of a program in an order in which callers come before what they call: weights add up from its end, runs from its start.
 */
#include "foreign/module/runs.h"

#include <assert.h>

#include <shardwalk/log.h>
#include <shardwalk/number.h>

int runs_add_part(runs *all)
{
	if (!SW_GROW(all->arena, all->part, all->parts, all->part_room, 64))
		return -1;
	all->part[all->parts] = (runs_part){.first = -1};
	return all->parts++;
}

bool runs_add_call(runs *all, runs_call call)
{
	assert(call.from >= 0 && call.from < all->parts && call.to >= 0 && call.to < all->parts);
	if (!SW_GROW(all->arena, all->call, all->calls, all->call_room, 64))
		return false;
	call.next = all->part[call.from].first;
	all->call[all->calls] = call;
	all->part[call.from].first = all->calls++;
	all->part[call.to].callers++;
	return true;
}

/* How many parts are in the order; what calls itself is not. */
static int find_order(runs *all, int *order)
{
	int count = 0;
	for (int k = 0; k < all->parts; k++) {
		all->part[k].count = !all->part[k].callers;
		if (!all->part[k].callers)
			order[count++] = k;
	}
	for (int done = 0; done < count; done++)
		for (int k = all->part[order[done]].first; k >= 0; k = all->call[k].next)
			if (--all->part[all->call[k].to].callers == 0)
				order[count++] = all->call[k].to;
	return count;
}

static double weight_of(const runs *all, int call)
{
	return all->part[all->call[call].to].weight;
}

/* Call k is the last of its choice; of those that move as much the first one stays. */
static void drop_cheaper(runs *all, int k)
{
	int best = k, choice = all->call[k].choice, count = 0;
	for (int other = k; other >= 0 && all->call[other].choice == choice; other = all->call[other].next, count++)
		if (weight_of(all, other) >= weight_of(all, best))
			best = other;
	for (int other = k; other >= 0 && all->call[other].choice == choice; other = all->call[other].next)
		all->call[other].dropped = other != best;
	all->branches += count > 1 && weight_of(all, best) > 0;
}

static void weigh(runs *all, runs_part *part)
{
	int last = -1;
	for (int k = part->first; k >= 0; k = all->call[k].next) {
		const runs_call *call = &all->call[k];
		if (call->choice >= 0 && call->choice != last)
			drop_cheaper(all, k);
		last = call->choice;
		if (!call->dropped)
			part->weight += weight_of(all, k) * (call->times < 0 ? 1 : (double)call->times);
	}
}

static void count_call(const runs_part *from, const runs_call *call, runs_part *to)
{
	bool dropped = call->dropped || from->untaken;
	to->untaken = dropped && to->count == 0;
	if (!to->loop)
		to->loop = call->loop ? call->loop : from->loop;
	if (dropped)
		return;
	to->count = runs_add(to->count, from->count, call->times < 0 ? 1 : call->times);
	to->open = to->open || from->open || call->times < 0;
}

bool runs_settle(runs *all)
{
	int *order = SW_NEW(all->arena, int, all->parts + 1);
	int count = order ? find_order(all, order) : 0;
	for (int done = count; done-- > 0;)
		weigh(all, &all->part[order[done]]);
	for (int done = 0; done < count; done++)
		for (int k = all->part[order[done]].first; k >= 0; k = all->call[k].next)
			count_call(&all->part[order[done]], &all->call[k], &all->part[all->call[k].to]);
	for (int k = 0; order && k < all->parts; k++)
		if (all->part[k].callers > 0) {
			all->part[k].count = 1;
			all->part[k].open = true;
		}
	return order != NULL;
}

int64_t runs_add(int64_t count, int64_t more, int64_t times)
{
	assert(count >= 0 && more >= 0 && times >= 0);
	int64_t product;
	if (!sw_mul(more, times, &product) || product > SW_RUNS_MOST)
		product = SW_RUNS_MOST;
	return count + product < SW_RUNS_MOST ? count + product : SW_RUNS_MOST;
}
