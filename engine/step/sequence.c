/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences of collectives: growing, shrinking, measuring.
 *
 * Source: seed 000, definitions 4.4 and 4.5, figure 11, equation (2) for the naive sequence.
 */
#include <shardwalk/sequence.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "step/detour.h"
#include "step/part_list.h"
#include "base/room.h"
#include "step/row.h"

typedef struct sequence_step {
	sw_call call;
	sw_type after;
} sequence_step;

struct sw_sequence {
	sw_mesh mesh;
	sw_type start;
	int count, capacity;
	sequence_step *steps;
};

sw_sequence *sw_sequence_new(const sw_mesh *mesh, const sw_type *start)
{
	sw_sequence *sequence = calloc(1, sizeof(*sequence));
	if (!sequence)
		return NULL;
	sequence->mesh = *mesh;
	sequence->start = *start;
	sw_type_strip(&sequence->start);
	return sequence;
}

void sw_sequence_free(sw_sequence *sequence)
{
	if (!sequence)
		return;
	free(sequence->steps);
	free(sequence);
}

/* Makes room for `count` steps. */
static bool sequence_reserve(sw_sequence *sequence, int count)
{
	if (count <= sequence->capacity)
		return true;
	int capacity = count < 4 ? 4 : count + count / 2;
	sequence_step *steps = realloc(sequence->steps, sizeof(*steps) * (size_t)capacity);
	if (!steps)
		return false;
	sequence->steps = steps;
	sequence->capacity = capacity;
	return true;
}

sw_sequence *sw_sequence_copy(const sw_sequence *sequence)
{
	sw_sequence *copy = sw_sequence_new(&sequence->mesh, &sequence->start);
	if (!copy || !sequence_reserve(copy, sequence->count)) {
		sw_sequence_free(copy);
		return NULL;
	}
	if (sequence->count)
		memcpy(copy->steps, sequence->steps, sizeof(*copy->steps) * (size_t)sequence->count);
	copy->count = sequence->count;
	return copy;
}

const sw_mesh *sw_sequence_mesh(const sw_sequence *sequence)
{
	return &sequence->mesh;
}

int sw_sequence_count(const sw_sequence *sequence)
{
	return sequence->count;
}

const sw_call *sw_sequence_call(const sw_sequence *sequence, int k)
{
	assert(k >= 0 && k < sequence->count);
	return &sequence->steps[k].call;
}

const sw_type *sw_sequence_type(const sw_sequence *sequence, int k)
{
	assert(k >= 0 && k <= sequence->count);
	return k == 0 ? &sequence->start : &sequence->steps[k - 1].after;
}

/* Leaves out pushed parts of size 1. */
static void sequence_strip(sw_call *call)
{
	int kept = 0;
	for (int k = 0, p = 0; k < call->splits; k++) {
		int count = call->count[k];
		for (int end = p + count; p < end; p++)
			if (call->pushed[p].size > 1) {
				SW_ROOM(call->pushed, kept);
				call->pushed[kept++] = call->pushed[p];
			} else
				call->count[k]--;
	}
	if (call->has_target)
		sw_type_strip(&call->target);
}

bool sw_sequence_push(sw_sequence *sequence, const sw_call *call, sw_diag *diag)
{
	if (sw_row(call->op)->among == SW_AMONG_ALL) {
		sw_diag_set(diag, SW_C01, (sw_span){0, 0}, "an 'exchange' is not a step of a sequence");
		sw_diag_expected(diag, "dynslice, allgather, alltoall or allpermute");
		sw_diag_hint(diag, "`plan direct` plans with one exchange");
		return false;
	}
	if (!sequence_reserve(sequence, sequence->count + 1))
		return sw_diag_memory(diag);
	sequence_step *step = &sequence->steps[sequence->count];
	step->call = *call;
	sequence_strip(&step->call);
	const sw_type *before = sw_sequence_type(sequence, sequence->count);
	if (!sw_call_apply(&sequence->mesh, before, &step->call, &step->after, diag))
		return false;
	sequence->count++;
	return true;
}

bool sw_sequence_pop(sw_sequence *sequence)
{
	if (sequence->count == 0)
		return false;
	sequence->count--;
	return true;
}

/* ---- measures ---- */

static int64_t sequence_sum(int64_t a, int64_t b)
{
	int64_t sum;
	return sw_add(a, b, &sum) ? sum : INT64_MAX;
}

int64_t sw_sequence_cost(const sw_sequence *sequence, int k)
{
	int64_t before = sw_type_localsize(sw_sequence_type(sequence, k));
	int64_t after = sw_type_localsize(sw_sequence_type(sequence, k + 1));
	return sw_paper_cost(sw_sequence_call(sequence, k)->op, before, after);
}

/* Adds step k, of the sizes before and after it. */
static void sequence_count_step(const sw_sequence *sequence, int k, int64_t before, int64_t after, sw_measure *sum)
{
	bool permutes = sw_row(sw_sequence_call(sequence, k)->op)->among == SW_AMONG_PAIRS;
	int64_t cost = sw_sequence_cost(sequence, k);
	int64_t live = sequence_sum(before, after);
	sum->cost = sequence_sum(sum->cost, cost);
	sum->local_cost = sequence_sum(sum->local_cost, permutes ? 0 : cost);
	sum->permutes += permutes;
	if (after > sum->height)
		sum->height = after;
	if (live > sum->live_peak)
		sum->live_peak = live;
}

sw_measure sw_sequence_measure_part(const sw_sequence *sequence, int first, int count)
{
	assert(first >= 0 && count >= 0 && first + count <= sequence->count);
	int64_t size = sw_type_localsize(sw_sequence_type(sequence, first));
	sw_measure sum = {.height = size, .live_peak = size, .steps = count, .normal_form = true};
	int phase = 0;
	for (int k = first; k < first + count; k++) {
		int64_t after = sw_type_localsize(sw_sequence_type(sequence, k + 1));
		int now = sw_collective_of(sw_sequence_call(sequence, k)->op)->phase;
		sequence_count_step(sequence, k, size, after, &sum);
		sum.normal_form = sum.normal_form && now >= phase;
		phase = now;
		size = after;
	}
	return sum;
}

sw_measure sw_sequence_measure(const sw_sequence *sequence)
{
	return sw_sequence_measure_part(sequence, 0, sequence->count);
}

/* ---- building from types ---- */

/* The parts that each split entry must push to lead to `after`. */
static bool sequence_find_pushes(sw_call *call, const sw_type *after)
{
	int total = 0;
	for (int k = 0; k < call->splits; k++) {
		sw_part_list stack, pushed = {0};
		sw_part_list_of(after, call->split[k].dim, &stack);
		if (!sw_part_list_pop(&stack, call->split[k].factor, &pushed))
			return false;
		call->count[k] = pushed.count;
		memcpy(call->pushed + total, pushed.at, sizeof(*pushed.at) * (size_t)pushed.count);
		total += pushed.count;
	}
	return true;
}

/* An alltoall that pushes what it pops need not say so. */
static void sequence_shorten_call(const sw_sequence *sequence, sw_call *call, const sw_type *after)
{
	sw_call shorter = *call;
	sw_type reached;
	memset(shorter.count, 0, sizeof(shorter.count));
	if (sw_swaps(call->op) &&
		sw_call_apply(&sequence->mesh, sw_sequence_type(sequence, sequence->count), &shorter, &reached, NULL) &&
		sw_type_equal(&reached, after))
		*call = shorter;
}

bool sw_sequence_push_to(sw_sequence *sequence, const sw_call *entries, const sw_type *after)
{
	sw_call call = *entries;
	if (sw_row(call.op)->among == SW_AMONG_PAIRS) {
		call.has_target = true;
		call.target = *after;
		call.target.dtype_given = false;
	}
	if (!sequence_find_pushes(&call, after))
		return false;
	sequence_shorten_call(sequence, &call, after);
	if (!sw_sequence_push(sequence, &call, NULL))
		return false;
	if (sw_type_equal(sw_sequence_type(sequence, sequence->count), after))
		return true;
	sw_sequence_pop(sequence);
	return false;
}

bool sw_sequence_replace(sw_sequence *sequence, int first, int count, const sw_sequence *middle)
{
	assert(first >= 0 && count >= 0 && first + count <= sequence->count);
	assert(sw_type_same_map(&sequence->mesh, &middle->start, sw_sequence_type(sequence, first)));
	int tail = sequence->count - first - count;
	if (!sequence_reserve(sequence, sequence->count - count + middle->count))
		return false;
	sequence_step *at = sequence->steps + first;
	if (tail)
		memmove(at + middle->count, at + count, sizeof(*at) * (size_t)tail);
	if (middle->count)
		memcpy(at, middle->steps, sizeof(*at) * (size_t)middle->count);
	sequence->count += middle->count - count;
	return true;
}

/* ---- the naive sequence ---- */

static bool sequence_gather_all(sw_sequence *sequence, const sw_type *from, sw_diag *diag)
{
	for (int d = 0; d < from->rank; d++) {
		sw_call call = {.op = SW_ALLGATHER, .gathers = 1};
		call.gather[0] = (sw_entry){d, from->global[d] / from->tile[d]};
		if (call.gather[0].factor > 1 && !sw_sequence_push(sequence, &call, diag))
			return false;
	}
	return true;
}

static bool sequence_slice_all(sw_sequence *sequence, const sw_type *to, sw_diag *diag)
{
	for (int d = 0; d < to->rank; d++) {
		sw_call call = {.op = SW_DYNSLICE, .splits = 1};
		call.split[0] = (sw_entry){d, to->global[d] / to->tile[d]};
		call.count[0] = sw_type_parts(to, d, call.pushed);
		if (call.split[0].factor > 1 && !sw_sequence_push(sequence, &call, diag))
			return false;
	}
	return true;
}

sw_sequence *sw_sequence_naive(const sw_problem *problem, sw_diag *diag)
{
	if (!sw_type_redistributable(&problem->from, &problem->to, diag))
		return NULL;
	sw_sequence *sequence = sw_sequence_new(&problem->mesh, &problem->from);
	if (!sequence) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (sequence_gather_all(sequence, &problem->from, diag) && sequence_slice_all(sequence, &problem->to, diag))
		return sequence;
	sw_sequence_free(sequence);
	return NULL;
}
