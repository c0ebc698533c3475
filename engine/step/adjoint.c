/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sequence of the derivative: walked backwards, sums and unused axes exchanged.
 *
 * Where a value is copied, its derivative is the sum over the copies, and where terms are summed, the derivative of each is that of the
 * sum.  So a gather becomes a reducescatter and back, a slice becomes a pad and back, and the others stay what they are.
 */
#include <shardwalk/sequence.h>

#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "step/call.h"
#include "step/part_list.h"
#include "step/row.h"

typedef struct turning {
	const sw_mesh *mesh;
	const sw_type *before, *after; /* of the step of the derivative */
	sw_sequence *out;
} turning;

bool sw_type_adjoint(const sw_mesh *mesh, const sw_type *type, sw_type *adjoint, sw_diag *diag)
{
	sw_part_list free;
	sw_part_list_free_of(mesh, type, &free);
	*adjoint = *type;
	return sw_type_set_sums(mesh, adjoint, free.at, free.count, diag);
}

/* Removes from the sums what they share with `part`, of which they may have a factor only. */
static void remove_shared(sw_part_list *sums, sw_part part)
{
	sw_part_list all = *sums;
	for (int s = 0; s < all.count; s++) {
		int64_t ends = all.at[s].pre * all.at[s].size, end = part.pre * part.size;
		int64_t from = all.at[s].pre > part.pre ? all.at[s].pre : part.pre, to = ends < end ? ends : end;
		if (all.at[s].axis == part.axis && from < to)
			sw_part_list_remove(sums, (sw_part){part.axis, from, to / from});
	}
}

static void sums_that_leave(const sw_type *before, const sw_type *after, sw_call *call)
{
	sw_part_list sums, left;
	sw_part_list_of(before, before->rank, &sums);
	sw_part_list_of(after, after->rank, &left);
	for (int p = 0; p < left.count; p++)
		remove_shared(&sums, left.at[p]);
	for (int p = 0; p < sums.count; p++)
		if (sums.at[p].size > 1) {
			SW_ROOM(call->sum, call->sums);
			call->sum[call->sums++] = sums.at[p];
		}
}

static sw_call call_of(sw_op op, const sw_entry *gather, int gathers, const sw_entry *split, int splits)
{
	sw_call call = {.op = op, .gathers = gathers, .splits = splits};
	for (int e = 0; e < gathers; e++)
		call.gather[e] = gather[e];
	for (int e = 0; e < splits; e++)
		call.split[e] = split[e];
	return call;
}

static const sw_type *reached(const turning *t)
{
	return sw_sequence_type(t->out, sw_sequence_count(t->out));
}

/* Keeps the steps since `start` where they lead to the type after, and takes them back where they do not. */
static bool keep_if(const turning *t, int start, bool leads)
{
	leads = leads && sw_type_equal(reached(t), t->after);
	while (!leads && sw_sequence_count(t->out) > start)
		sw_sequence_pop(t->out);
	return leads;
}

static bool push_all(const turning *t, const sw_call *calls, int count)
{
	int start = sw_sequence_count(t->out);
	bool leads = true;
	for (int k = 0; leads && k < count; k++)
		leads = sw_sequence_push(t->out, &calls[k], NULL);
	return keep_if(t, start, leads);
}

/* A call with the parts that it pushes left out where the rule takes them, else named. */
static bool push_one(const turning *t, sw_call *call)
{
	if (sw_row(call->op)->among != SW_AMONG_NONE && push_all(t, call, 1))
		return true;
	sw_call_name_pushes(call, t->after);
	if (call->sums && call->splits == 1 && !call->gathers) {
		sw_call own = *call;
		sw_call_sum_pushes(&own);
		if (push_all(t, &own, 1))
			return true;
	}
	return push_all(t, call, 1);
}

/* A reducescatter that popped as well: what it popped moves back, and what it summed is gathered; at worst all that it pushed is
 * gathered and cut again. */
static bool push_two(const turning *t, const sw_call *step)
{
	int64_t popped = 1;
	for (int g = 0; g < step->gathers; g++)
		popped *= step->gather[g].factor;
	sw_entry back = {step->split[0].dim, popped}, rest = {step->split[0].dim, step->split[0].factor / popped};
	sw_call calls[2] = {call_of(SW_ALLTOALL, &back, 1, step->gather, step->gathers),
		call_of(SW_ALLGATHER, &rest, 1, NULL, 0)};
	sw_call_name_pushes(&calls[0], t->after);
	if (step->splits == 1 && push_all(t, calls, 2))
		return true;
	sw_call turned[2] = {calls[1], calls[0]};
	if (step->splits == 1 && push_all(t, turned, 2))
		return true;
	calls[0] = call_of(SW_ALLGATHER, step->split, step->splits, NULL, 0);
	calls[1] = call_of(SW_DYNSLICE, NULL, 0, step->gather, step->gathers);
	sw_call_name_pushes(&calls[1], t->after);
	return push_all(t, calls, 2);
}

static bool push_turned(const turning *t, const sw_call *step)
{
	const sw_collective *row = sw_row(step->op), *turned = sw_row(row->adjoint);
	if (row->terms == SW_TERMS_ADDED && step->splits && step->gathers)
		return push_two(t, step);
	sw_call call = call_of(row->adjoint, step->split, step->splits, step->gather, step->gathers);
	call.has_target = turned->told == SW_TOLD_BY_TYPE;
	if (call.has_target)
		call.target = *t->after;
	call.target.dtype_given = false;
	if (turned->terms == SW_TERMS_ADDED)
		sums_that_leave(t->before, t->after, &call);
	else if (turned->terms == SW_TERMS_OF_COPIES)
		sums_that_leave(t->after, t->before, &call);
	return push_one(t, &call);
}

/* ---- part by part ---- */

/* The parts of a dimension at its major end that stay, and those before and after them, which leave and come. */
typedef struct part_change {
	sw_part_list leave, come;
} part_change;

/* Do the parts of `whole` end with those of `rest`?  `come` are those before them. */
static bool ends_with(const sw_part_list *whole, const sw_part_list *rest, sw_part_list *come)
{
	sw_part_list major = *whole;
	int64_t all = sw_part_list_product(whole), kept = sw_part_list_product(rest);
	come->count = 0;
	return all % kept == 0 && sw_part_list_pop(&major, all / kept, come) && major.count == rest->count &&
		memcmp(major.at, rest->at, (size_t)rest->count * sizeof *rest->at) == 0;
}

static bool change_of(const turning *t, int dim, part_change *change)
{
	sw_part_list rest, whole;
	sw_part_list_of(t->before, dim, &rest);
	sw_part_list_of(t->after, dim, &whole);
	change->leave.count = 0;
	while (!ends_with(&whole, &rest, &change->come)) {
		int64_t primes[63];
		int count = sw_prime_factors(rest.at[0].size, primes);
		if (!count || !sw_part_list_pop(&rest, primes[0], &change->leave))
			return false;
	}
	return true;
}

/* A part leaves its dimension: where its devices are to hold terms the others are zeros, else it is gathered. */
static bool push_leaving(const turning *t, int dim, sw_part part)
{
	sw_part_list sums;
	sw_entry entry = {dim, part.size};
	sw_part_list_of(t->after, t->after->rank, &sums);
	sw_call call = call_of(sw_part_list_remove(&sums, part) ? SW_PAD : SW_ALLGATHER, &entry, 1, NULL, 0);
	return sw_sequence_push(t->out, &call, NULL);
}

/* A part comes to a dimension: terms along it are summed piece by piece, copies are cut. */
static bool push_coming(const turning *t, int dim, sw_part part)
{
	sw_part_list sums;
	sw_entry entry = {dim, part.size};
	sw_part_list_of(reached(t), t->before->rank, &sums);
	bool summed = sw_part_list_remove(&sums, part);
	sw_call call = call_of(summed ? SW_REDUCESCATTER : SW_DYNSLICE, NULL, 0, &entry, 1);
	call.sums = summed;
	call.sum[0] = call.pushed[0] = part;
	call.count[0] = !summed;
	return sw_sequence_push(t->out, &call, NULL);
}

/* Sums that no dimension gets a part of. */
static bool push_sums(const turning *t, const part_change *changes)
{
	sw_call call = {.op = SW_ALLREDUCE}, rest = {.op = SW_ALLREDUCE};
	sums_that_leave(t->before, t->after, &call);
	for (int s = 0; s < call.sums; s++) {
		bool comes = false;
		for (int d = 0; d < t->before->rank && !comes; d++) {
			sw_part_list come = changes[d].come;
			comes = sw_part_list_remove(&come, call.sum[s]);
		}
		if (!comes) {
			SW_ROOM(rest.sum, rest.sums);
			rest.sum[rest.sums++] = call.sum[s];
		}
	}
	return !rest.sums || sw_sequence_push(t->out, &rest, NULL);
}

/* Whatever the step did: what is summed in place, then what leaves each dimension, then what comes. */
static bool push_parts(const turning *t)
{
	part_change changes[SW_MAX_DIMS];
	int start = sw_sequence_count(t->out);
	bool leads = true;
	for (int d = 0; d < t->before->rank && leads; d++)
		leads = change_of(t, d, &changes[d]);
	leads = leads && push_sums(t, changes);
	for (int d = 0; d < t->before->rank && leads; d++)
		for (int p = 0; p < changes[d].leave.count && leads; p++)
			leads = push_leaving(t, d, changes[d].leave.at[p]);
	for (int d = 0; d < t->before->rank && leads; d++)
		for (int p = changes[d].come.count - 1; p >= 0 && leads; p--)
			leads = push_coming(t, d, changes[d].come.at[p]);
	return keep_if(t, start, leads);
}

static bool refuse_step(const sw_sequence *sequence, int k, sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "step %d, '%s', has no derivative as a collective", k + 1,
		sw_collective_of(sw_sequence_call(sequence, k)->op)->name);
	sw_diag_hint(diag, "`replace %d OPERATION` puts simpler steps in its place", k + 1);
	return false;
}

sw_sequence *sw_sequence_adjoint(const sw_sequence *sequence, sw_diag *diag)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	int count = sw_sequence_count(sequence);
	sw_type before, after;
	if (!sw_type_adjoint(mesh, sw_sequence_type(sequence, count), &before, diag))
		return NULL;
	sw_sequence *out = sw_sequence_new(mesh, &before);
	bool done = out || sw_diag_memory(diag);
	for (int k = count - 1; done && k >= 0; k--) {
		turning t = {mesh, &before, &after, out};
		done = sw_type_adjoint(mesh, sw_sequence_type(sequence, k), &after, diag) &&
			(push_turned(&t, sw_sequence_call(sequence, k)) || push_parts(&t) || refuse_step(sequence, k, diag));
		before = after;
	}
	if (done)
		return out;
	sw_sequence_free(out);
	return NULL;
}
