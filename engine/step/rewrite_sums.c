/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rewriting two neighbours between which sums are finished or made.
 *
 *     allreduce, dynslice      reducescatter, where what is cut is what was summed; allreduce what is left
 *     allreduce, zeros         allreduce what does not become a sum again, after zeros over what was none
 *     allgather, zeros         pad, where what was gathered becomes a sum
 *     any two                  the second one first, where it is the same step then, with smaller tiles or as large ones
 *     allreduce, allreduce     one; so zeros, pads, and reducescatters onto one dimension
 *
 * Each is tried on the types, and only what leads from the same type to the same type is taken.
 */
#include "step/rewrite_sums.h"

#include <assert.h>
#include <string.h>

#include "array/parts.h"
#include "step/call.h"
#include "step/part_list.h"
#include "step/row.h"
#include "base/room.h"

typedef struct pair {
	const sw_mesh *mesh;
	const sw_type *from, *to;
	sw_call first, second; /* with what they push named */
	sw_sequence *best;
	bool failed;
} pair;

/* Better: cheaper, else more in order, else shorter. */
static bool improves(const sw_sequence *offer, const sw_sequence *best)
{
	if (!best)
		return true;
	sw_measure a = sw_sequence_measure(offer), b = sw_sequence_measure(best);
	if (a.cost != b.cost)
		return a.cost < b.cost;
	if (a.normal_form != b.normal_form)
		return a.normal_form;
	return a.steps < b.steps;
}

/* Without the parts that it pushes where the rule takes the same; a sum in the order in which it is pushed says so by itself. */
static void shorten(const pair *p, const sw_type *before, sw_call *call)
{
	sw_call plain = *call;
	sw_type after, same;
	if (sw_row(call->op)->among == SW_AMONG_NONE || !call->splits ||
		!sw_call_apply(p->mesh, before, call, &after, NULL))
		return;
	memset(plain.count, 0, sizeof plain.count);
	if (call->sums && call->splits == 1 && !call->gathers) {
		plain.sums = call->count[0];
		memcpy(plain.sum, call->pushed, (size_t)plain.sums * sizeof *plain.sum);
	}
	if (sw_call_apply(p->mesh, before, &plain, &same, NULL) && sw_type_equal(&after, &same))
		*call = plain;
}

/* Offers a sequence of calls, where they lead from type to type. */
static void offer(pair *p, const sw_call *const *calls, int count)
{
	sw_sequence *sequence = sw_sequence_new(p->mesh, p->from);
	bool leads = sequence != NULL;
	p->failed = p->failed || !sequence;
	for (int k = 0; leads && k < count; k++) {
		sw_call call = *calls[k];
		shorten(p, sw_sequence_type(sequence, k), &call);
		leads = sw_sequence_push(sequence, &call, NULL);
	}
	leads = leads && sw_type_equal(sw_sequence_type(sequence, count), p->to);
	if (leads && improves(sequence, p->best)) {
		sw_sequence_free(p->best);
		p->best = sequence;
	} else {
		sw_sequence_free(sequence);
	}
}

static void offer_two(pair *p, const sw_call *first, const sw_call *second)
{
	const sw_call *both[] = {first, second};
	offer(p, both, 2);
}

static void offer_one(pair *p, const sw_call *only)
{
	offer(p, &only, 1);
}

/* ---- lists of parts in calls ---- */

static sw_part_list named(const sw_part *part, int count)
{
	sw_part_list list = {.count = count};
	memcpy(list.at, part, (size_t)count * sizeof *part);
	return list;
}

/* What of `all` is not in `some`; false where `some` lies not wholly in it. */
static bool without(const sw_part_list *all, const sw_part_list *some, sw_part_list *rest)
{
	*rest = *all;
	for (int k = 0; k < some->count; k++)
		if (!sw_part_list_remove(rest, some->at[k]))
			return false;
	return true;
}

static sw_call of_sums(sw_op op, const sw_part_list *sums)
{
	sw_call call = {.op = op, .sums = sums->count};
	memcpy(call.sum, sums->at, (size_t)sums->count * sizeof *sums->at);
	return call;
}

static int pushed_count(const sw_call *call)
{
	int count = 0;
	for (int s = 0; s < call->splits; s++)
		count += call->count[s];
	return count;
}

/* ---- the rules ---- */

/* allreduce, dynslice */
static void scatter(pair *p)
{
	sw_part_list summed = named(p->first.sum, p->first.sums), rest;
	sw_part_list cut = named(p->second.pushed, pushed_count(&p->second));
	if (!without(&summed, &cut, &rest))
		return;
	sw_call scattered = p->second, left = of_sums(SW_ALLREDUCE, &rest);
	scattered.op = SW_REDUCESCATTER;
	scattered.sums = cut.count;
	memcpy(scattered.sum, cut.at, (size_t)cut.count * sizeof *cut.at);
	if (rest.count)
		offer_two(p, &scattered, &left);
	else
		offer_one(p, &scattered);
}

/* allreduce, zeros */
static void keep_terms(pair *p)
{
	sw_part_list summed = named(p->first.sum, p->first.sums), made = named(p->second.sum, p->second.sums), rest;
	sw_call step;
	if (without(&summed, &made, &rest) && rest.count) {
		step = of_sums(SW_ALLREDUCE, &rest);
		offer_one(p, &step);
	} else if (without(&made, &summed, &rest) && rest.count) {
		step = of_sums(SW_ZEROS, &rest);
		offer_one(p, &step);
	}
}

/* allgather, zeros */
static void pad_instead(pair *p)
{
	sw_call pad = p->first;
	sw_type after;
	sw_part_list sums, before, joined, made = named(p->second.sum, p->second.sums), rest;
	pad.op = SW_PAD;
	offer_one(p, &pad);
	if (!sw_call_apply(p->mesh, p->from, &pad, &after, NULL))
		return;
	sw_part_list_of(&after, after.rank, &sums);
	sw_part_list_of(p->from, p->from->rank, &before);
	if (!without(&sums, &before, &joined) || !without(&made, &joined, &rest) || !rest.count)
		return;
	sw_call zeros = of_sums(SW_ZEROS, &rest);
	offer_two(p, &zeros, &pad);
}

/* Two of one kind. */
static void unite(pair *p)
{
	sw_call one = p->first;
	if (p->first.sums + p->second.sums > SW_MAX_PARTS)
		return;
	memcpy(one.sum, p->second.sum, (size_t)p->second.sums * sizeof *one.sum);
	memcpy(one.sum + p->second.sums, p->first.sum, (size_t)p->first.sums * sizeof *one.sum);
	one.sums = p->first.sums + p->second.sums;
	bool same = one.splits == 1 && p->second.splits == 1 && one.split[0].dim == p->second.split[0].dim;
	bool gathers = one.gathers == 1 && p->second.gathers == 1 && one.gather[0].dim == p->second.gather[0].dim;
	if (same)
		one.split[0].factor *= p->second.split[0].factor;
	if (gathers)
		one.gather[0].factor *= p->second.gather[0].factor;
	memset(one.count, 0, sizeof one.count);
	if (same || gathers || (!one.splits && !one.gathers))
		offer_one(p, &one);
}

/* A permute to another type before the rest: sums that are finished later are some that are unused there. */
static void permute_first(pair *p)
{
	sw_call target = p->second;
	sw_part_list free, summed = {0}, sums;
	int64_t terms = 1;
	for (int k = 0; k < p->first.sums; k++)
		terms *= p->first.sum[k].size;
	sw_part_list_free_of(p->mesh, p->to, &free);
	if (sw_row(p->first.op)->terms != SW_TERMS_ADDED || p->first.splits ||
		!sw_part_list_take(&free, terms, false, &summed))
		return;
	sw_part_list_of(p->to, p->to->rank, &sums);
	for (int k = 0; k < summed.count; k++) {
		SW_ROOM(sums.at, sums.count);
		sums.at[sums.count++] = summed.at[k];
	}
	target.target = *p->to;
	sw_part_list_put_sums(&target.target, &sums);
	sw_call finish = of_sums(p->first.op, &summed);
	offer_two(p, &target, &finish);
}

static void try_all(pair *p)
{
	const sw_collective *first = sw_row(p->first.op), *second = sw_row(p->second.op);
	bool cuts = second->manner == SW_MANNER_CUT, keeps = first->manner == SW_MANNER_SUMMED;
	if (first->op == second->op)
		unite(p);
	if (keeps && cuts)
		scatter(p);
	if (keeps && !cuts && second->among == SW_AMONG_NONE)
		keep_terms(p);
	if (first->manner == SW_MANNER_JOINED && second->terms == SW_TERMS_OF_COPIES)
		pad_instead(p);
	if (second->among == SW_AMONG_PAIRS)
		permute_first(p);
	if (first->phase > second->phase)
		offer_two(p, &p->second, &p->first);
}

bool sw_rewrite_sums(const sw_sequence *sequence, int first, sw_sequence **out)
{
	assert(first >= 0 && first + 2 <= sw_sequence_count(sequence));
	pair p = {.mesh = sw_sequence_mesh(sequence),
		.from = sw_sequence_type(sequence, first),
		.to = sw_sequence_type(sequence, first + 2),
		.first = *sw_sequence_call(sequence, first),
		.second = *sw_sequence_call(sequence, first + 1)};
	sw_call_name_pushes(&p.first, sw_sequence_type(sequence, first + 1));
	sw_call_name_pushes(&p.second, p.to);
	try_all(&p);
	*out = p.best;
	return !p.failed;
}

bool sw_same_sums(const sw_type *a, const sw_type *b)
{
	sw_part left[SW_MAX_PARTS], right[SW_MAX_PARTS];
	return sw_parts_same(left, sw_type_sums(a, left), right, sw_type_sums(b, right));
}
