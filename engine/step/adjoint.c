/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sequence of the derivative: walked backwards, sums and unused axes exchanged.
 *
 * Where a value is copied, its derivative is the sum over the copies, and where terms are summed, the derivative of each is that of the
 * sum.  So a gather becomes a reducescatter and back, a slice becomes a pad and back, and the others stay what they are.
 */
#include <shardwalk/sequence.h>

#include <string.h>

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

static void sums_that_leave(const sw_type *before, const sw_type *after, sw_call *call)
{
	sw_part_list sums, left;
	sw_part_list_of(before, before->rank, &sums);
	sw_part_list_of(after, after->rank, &left);
	for (int p = 0; p < left.count; p++)
		sw_part_list_remove(&sums, left.at[p]);
	for (int p = 0; p < sums.count; p++)
		if (sums.at[p].size > 1)
			call->sum[call->sums++] = sums.at[p];
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

/* Pushes steps that lead to the type after; takes them back where they do not. */
static bool push_all(const turning *t, const sw_call *calls, int count)
{
	int start = sw_sequence_count(t->out);
	bool leads = true;
	for (int k = 0; leads && k < count; k++)
		leads = sw_sequence_push(t->out, &calls[k], NULL);
	leads = leads && sw_type_equal(sw_sequence_type(t->out, sw_sequence_count(t->out)), t->after);
	while (!leads && sw_sequence_count(t->out) > start)
		sw_sequence_pop(t->out);
	return leads;
}

/* A call with the parts that it pushes left out where the rule takes them, else named. */
static bool push_one(const turning *t, sw_call *call)
{
	if (!sw_row(call->op)->local && push_all(t, call, 1))
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
	if (row->adds && step->splits && step->gathers)
		return push_two(t, step);
	sw_call call = call_of(row->adjoint, step->split, step->splits, step->gather, step->gathers);
	call.has_target = turned->targets;
	if (call.has_target)
		call.target = *t->after;
	call.target.dtype_given = false;
	if (turned->adds)
		sums_that_leave(t->before, t->after, &call);
	else if (turned->fills && !turned->gathers)
		sums_that_leave(t->after, t->before, &call);
	return push_one(t, &call);
}

static bool refuse_step(const sw_sequence *sequence, int k, sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "step %d, '%s', has no derivative that collectives carry out", k + 1,
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
			(push_turned(&t, sw_sequence_call(sequence, k)) || refuse_step(sequence, k, diag));
		before = after;
	}
	if (done)
		return out;
	sw_sequence_free(out);
	return NULL;
}
