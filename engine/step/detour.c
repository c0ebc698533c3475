/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building detours: first what moves between which dimensions (sizes only), then which parts of axes do it.
 *
 * Why a detour exists: per dimension, cancel what is both lost and gained; then prime by prime, what is lost in
 * some dimensions and gained in others is moved by alltoalls.  What remains to be sliced has no prime in common
 * with what remains to be gathered, so after slicing it no prime is used more often than at one of the two ends.
 */
#include "step/detour.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "step/part_list.h"
#include "base/room.h"
#include "step/row.h"

#define BRIDGE_MAX_FLOWS 64 /* each has a prime factor of its own, and a mesh has 40 */

/* "factor `factor` leaves dimension `from` for dimension `to`" */
typedef struct detour_flow {
	int from, to;
	int64_t factor;
} detour_flow;

/* A detour by sizes: slice, move, gather. */
typedef struct detour_plan {
	int64_t slice[SW_MAX_DIMS], gather[SW_MAX_DIMS];
	int flows;
	detour_flow flow[BRIDGE_MAX_FLOWS];
} detour_plan;

/* One alltoall: the flows that are in it, by dimension. */
typedef struct detour_move {
	int64_t gather[SW_MAX_DIMS], split[SW_MAX_DIMS];
} detour_move;

typedef struct detour_builder {
	const sw_mesh *mesh;
	const sw_type *to;
	bool multi_dim; /* dimensions in one step */
	bool prefers;   /* pick the parts that the target has, where possible */
	int64_t slice[SW_MAX_DIMS], gather[SW_MAX_DIMS];
	int moves;
	detour_move move[BRIDGE_MAX_FLOWS];
	sw_sequence *out;
} detour_builder;

/* The ways to build one detour that are tried. */
typedef enum detour_way {
	BRIDGE_UNHINTED = 1,   /* do not keep the flows of the alltoalls that stand there */
	BRIDGE_DESCENDING = 2, /* match dimensions from the last one on */
	BRIDGE_LAST_FIRST = 4, /* alltoalls in the other order */
	BRIDGE_WAYS = 8
} detour_way;

/* ---- by sizes ---- */

static void detour_net(const sw_type *from, const sw_type *to, detour_plan *plan)
{
	plan->flows = 0;
	for (int d = 0; d < from->rank; d++) {
		int64_t common = sw_gcd(from->tile[d], to->tile[d]);
		plan->slice[d] = from->tile[d] / common;
		plan->gather[d] = to->tile[d] / common;
	}
}

/* Moves as much of `most` as dimension i loses and dimension j gains. */
static void detour_add_flow(detour_plan *plan, int i, int j, int64_t most)
{
	int64_t factor = sw_gcd(sw_gcd(plan->gather[i], plan->slice[j]), most);
	if (factor == 1)
		return;
	plan->gather[i] /= factor;
	plan->slice[j] /= factor;
	for (int f = 0; f < plan->flows; f++)
		if (plan->flow[f].from == i && plan->flow[f].to == j) {
			plan->flow[f].factor *= factor;
			return;
		}
	SW_ROOM(plan->flow, plan->flows);
	plan->flow[plan->flows++] = (detour_flow){i, j, factor};
}

/* The flows of the alltoalls that the detour replaces. */
static void detour_keep_flows(const sw_sequence *sequence, int first, int count, detour_plan *plan)
{
	for (int k = first; k < first + count; k++) {
		const sw_call *call = sw_sequence_call(sequence, k);
		for (int g = 0; g < call->gathers; g++)
			for (int s = 0; s < call->splits; s++)
				detour_add_flow(plan, call->gather[g].dim, call->split[s].dim,
					sw_gcd(call->gather[g].factor, call->split[s].factor));
	}
}

static void detour_match(detour_plan *plan, int rank, bool descending)
{
	for (int a = 0; a < rank; a++)
		for (int b = 0; b < rank; b++) {
			int i = descending ? rank - 1 - a : a;
			detour_add_flow(plan, i, b, plan->gather[i]);
		}
}

static void detour_reverse_flows(detour_plan *plan)
{
	for (int f = 0; f < plan->flows / 2; f++) {
		detour_flow flow = plan->flow[f];
		plan->flow[f] = plan->flow[plan->flows - 1 - f];
		plan->flow[plan->flows - 1 - f] = flow;
	}
}

/* Can the flow join the move: does no dimension gather and split then? */
static bool detour_joins(const detour_move *move, detour_flow flow)
{
	return move->split[flow.from] == 1 && move->gather[flow.to] == 1;
}

/* Makes alltoalls of the flows: one each, or as few as may be. */
static void detour_make_moves(detour_builder *builder, const detour_plan *plan)
{
	builder->moves = 0;
	for (int f = 0; f < plan->flows; f++) {
		detour_flow flow = plan->flow[f];
		int m = builder->multi_dim ? 0 : builder->moves;
		while (m < builder->moves && !detour_joins(&builder->move[m], flow))
			m++;
		detour_move *move = &builder->move[m];
		if (m == builder->moves) {
			builder->moves++;
			for (int d = 0; d < SW_MAX_DIMS; d++)
				move->gather[d] = move->split[d] = 1;
		}
		move->gather[flow.from] *= flow.factor;
		move->split[flow.to] *= flow.factor;
	}
}

/* ---- by parts ---- */

static const sw_type *detour_here(const detour_builder *builder)
{
	return sw_sequence_type(builder->out, sw_sequence_count(builder->out));
}

static int detour_entries(const int64_t *factor, int rank, sw_entry *entry)
{
	int count = 0;
	for (int d = 0; d < rank; d++)
		if (factor[d] > 1)
			entry[count++] = (sw_entry){d, factor[d]};
	return count;
}

/* What moves `m` and later ones push onto dimension d. */
static int64_t detour_above(const detour_builder *builder, int m, int d)
{
	int64_t product = 1;
	for (; m < builder->moves; m++)
		product *= builder->move[m].split[d];
	return product;
}

static bool detour_remove_all(sw_part_list *from, const sw_part_list *parts)
{
	sw_part_list rest = *from;
	for (int p = 0; p < parts->count; p++)
		if (!sw_part_list_remove(&rest, parts->at[p]))
			return false;
	*from = rest;
	return true;
}

/* The parts that the target has at this index, if they are unused. */
static bool detour_prefer(const detour_builder *builder, int d, int64_t factor, int64_t above, sw_part_list *free,
	sw_part_list *pushed)
{
	sw_part_list stack, passed = {0}, preferred = {0};
	sw_part_list_of(builder->to, d, &stack);
	if (!builder->prefers || !sw_part_list_pop(&stack, above, &passed) ||
		!sw_part_list_pop(&stack, factor, &preferred) || !detour_remove_all(free, &preferred))
		return false;
	*pushed = preferred;
	return true;
}

/* Pushes `factor` onto dimension d of `type`: the parts preferred, or some of `own`, which are unused too. */
static bool detour_push(const detour_builder *builder, sw_type *type, int d, int64_t factor, int64_t above,
	sw_part_list *free, sw_part_list *own)
{
	sw_part_list pushed = {0}, stack;
	bool chosen = detour_prefer(builder, d, factor, above, free, &pushed);
	if (chosen && own)
		detour_remove_all(own, &pushed);
	if (!chosen && !sw_part_list_take(own ? own : free, factor, !own, &pushed))
		return false;
	if (!chosen && own && !detour_remove_all(free, &pushed))
		return false;
	sw_part_list_of(type, d, &stack);
	sw_part_list_push(&stack, pushed.at, pushed.count);
	sw_part_list_put(type, d, &stack);
	return true;
}

/* Slices the dimensions from `begin` on, up to `end`, in one step. */
static bool detour_slice(detour_builder *builder, int begin, int end)
{
	sw_type type = *detour_here(builder);
	sw_call call = {.op = SW_DYNSLICE};
	sw_part_list free;
	sw_part_list_free_of(builder->mesh, &type, &free);
	for (int d = begin; d < end; d++) {
		if (builder->slice[d] == 1)
			continue;
		SW_ROOM(call.split, call.splits);
		call.split[call.splits++] = (sw_entry){d, builder->slice[d]};
		if (!detour_push(builder, &type, d, builder->slice[d], detour_above(builder, 0, d), &free, NULL))
			return false;
	}
	return call.splits == 0 || sw_sequence_push_to(builder->out, &call, &type);
}

static bool detour_slice_all(detour_builder *builder)
{
	int rank = builder->to->rank;
	if (builder->multi_dim)
		return detour_slice(builder, 0, rank);
	for (int d = 0; d < rank; d++)
		if (!detour_slice(builder, d, d + 1))
			return false;
	return true;
}

static bool detour_permute(detour_builder *builder, const sw_type *type)
{
	static const sw_call permute = {.op = SW_ALLPERMUTE};
	return sw_type_equal(detour_here(builder), type) || sw_sequence_push_to(builder->out, &permute, type);
}

/* Takes what the move gathers out of `type`; where the innermost parts do not make it, the parts of the
 * dimension are put into an order in which they do (*ordered). */
static bool detour_pop(const detour_move *move, sw_type *type, sw_type *ordered, sw_part_list *popped)
{
	*ordered = *type;
	for (int d = 0; d < type->rank; d++) {
		sw_part_list stack, before = {0};
		if (move->gather[d] == 1)
			continue;
		sw_part_list_of(type, d, &stack);
		if (!sw_part_list_pop(&stack, move->gather[d], &before)) {
			if (!sw_part_list_take(&stack, move->gather[d], false, &before))
				return false;
			sw_part_list whole = stack;
			sw_part_list_push(&whole, before.at, before.count);
			sw_part_list_put(ordered, d, &whole);
		}
		sw_part_list_put(type, d, &stack);
		for (int p = 0; p < before.count; p++)
			sw_part_list_append(popped, before.at[p]);
	}
	return true;
}

static bool detour_alltoall(detour_builder *builder, int m)
{
	const detour_move *move = &builder->move[m];
	sw_type type = *detour_here(builder), ordered;
	sw_call call = {.op = SW_ALLTOALL};
	sw_part_list free, popped = {0};
	if (!detour_pop(move, &type, &ordered, &popped) || !detour_permute(builder, &ordered))
		return false;
	sw_part_list_free_of(builder->mesh, &type, &free);
	call.gathers = detour_entries(move->gather, type.rank, call.gather);
	call.splits = detour_entries(move->split, type.rank, call.split);
	for (int s = 0; s < call.splits; s++) {
		int d = call.split[s].dim;
		if (!detour_push(builder, &type, d, call.split[s].factor, detour_above(builder, m + 1, d), &free, &popped))
			return false;
	}
	return sw_sequence_push_to(builder->out, &call, &type);
}

/* What dimension d is gathered from in the end, if it is what stands there now. */
static bool detour_keep_gathered(const detour_builder *builder, int d, sw_part_list *free, sw_part_list *pushed)
{
	sw_part_list stack;
	sw_part_list_of(detour_here(builder), d, &stack);
	return builder->prefers && sw_part_list_pop(&stack, builder->gather[d], pushed) &&
		detour_remove_all(free, pushed);
}

/* The type from which the last gathers lead to the target. */
static bool detour_before_gathers(const detour_builder *builder, sw_type *type)
{
	sw_part_list free, pushed[SW_MAX_DIMS];
	*type = *builder->to;
	sw_part_list_free_of(builder->mesh, type, &free);
	for (int d = 0; d < type->rank; d++) {
		pushed[d].count = 0;
		if (builder->gather[d] > 1 && !detour_keep_gathered(builder, d, &free, &pushed[d]))
			pushed[d].count = 0;
	}
	for (int d = 0; d < type->rank; d++) {
		sw_part_list stack;
		if (builder->gather[d] > 1 && pushed[d].count == 0 &&
			!sw_part_list_take(&free, builder->gather[d], false, &pushed[d]))
			return false;
		sw_part_list_of(type, d, &stack);
		sw_part_list_push(&stack, pushed[d].at, pushed[d].count);
		sw_part_list_put(type, d, &stack);
	}
	return true;
}

/* The dimension with the smallest factor that is still to be gathered: the larger ones then count fewer times. */
static int detour_next_gather(const int64_t *factor, int rank)
{
	int best = -1;
	for (int d = 0; d < rank; d++)
		if (factor[d] > 1 && (best < 0 || factor[d] < factor[best]))
			best = d;
	return best;
}

static bool detour_gather_all(detour_builder *builder)
{
	int64_t left[SW_MAX_DIMS];
	memcpy(left, builder->gather, sizeof(left));
	for (int d; (d = detour_next_gather(left, builder->to->rank)) >= 0;) {
		sw_call call = {.op = SW_ALLGATHER, .gathers = 1, .gather = {{d, left[d]}}};
		if (builder->multi_dim)
			call.gathers = detour_entries(left, builder->to->rank, call.gather);
		for (int g = 0; g < call.gathers; g++)
			left[call.gather[g].dim] = 1;
		if (!sw_sequence_push(builder->out, &call, NULL))
			return false;
	}
	return true;
}

static bool detour_build_once(detour_builder *builder)
{
	sw_type last;
	if (!detour_slice_all(builder))
		return false;
	for (int m = 0; m < builder->moves; m++)
		if (!detour_alltoall(builder, m))
			return false;
	return detour_before_gathers(builder, &last) && detour_permute(builder, &last) && detour_gather_all(builder) &&
		sw_type_equal(detour_here(builder), builder->to);
}

/* ---- forwards and backwards ---- */

static sw_sequence *detour_build(const sw_mesh *mesh, const sw_type *from, const sw_type *to, const detour_plan *plan,
	bool multi_dim)
{
	detour_builder builder = {.mesh = mesh, .to = to, .multi_dim = multi_dim};
	memcpy(builder.slice, plan->slice, sizeof(builder.slice));
	memcpy(builder.gather, plan->gather, sizeof(builder.gather));
	detour_make_moves(&builder, plan);
	for (int attempt = 0; attempt < 2; attempt++) {
		builder.prefers = attempt == 0;
		builder.out = sw_sequence_new(mesh, from);
		if (builder.out && detour_build_once(&builder))
			return builder.out;
		sw_sequence_free(builder.out);
	}
	return NULL;
}

static sw_call detour_inverse(const sw_call *call)
{
	sw_call back = {.op = sw_row(call->op)->inverse, .gathers = call->splits, .splits = call->gathers};
	memcpy(back.gather, call->split, sizeof(back.gather));
	memcpy(back.split, call->gather, sizeof(back.split));
	return back;
}

/* The same way walked from its end to its start. */
static sw_sequence *detour_turn(const sw_sequence *there)
{
	int count = sw_sequence_count(there);
	sw_sequence *back = sw_sequence_new(sw_sequence_mesh(there), sw_sequence_type(there, count));
	for (int k = count - 1; back && k >= 0; k--) {
		sw_call call = detour_inverse(sw_sequence_call(there, k));
		if (!sw_sequence_push_to(back, &call, sw_sequence_type(there, k))) {
			sw_sequence_free(back);
			return NULL;
		}
	}
	return back;
}

/* Built from the target towards the start, which puts the permutation to the other side of the alltoalls. */
static sw_sequence *detour_build_back(const sw_mesh *mesh, const sw_type *from, const sw_type *to,
	const detour_plan *plan, bool multi_dim)
{
	detour_plan back = *plan;
	memcpy(back.slice, plan->gather, sizeof(back.slice));
	memcpy(back.gather, plan->slice, sizeof(back.gather));
	detour_reverse_flows(&back);
	for (int f = 0; f < back.flows; f++) {
		int dim = back.flow[f].from;
		back.flow[f].from = back.flow[f].to;
		back.flow[f].to = dim;
	}
	sw_sequence *there = detour_build(mesh, to, from, &back, multi_dim);
	sw_sequence *turned = there ? detour_turn(there) : NULL;
	sw_sequence_free(there);
	return turned;
}

/* ---- the cheapest ---- */

static bool detour_better(const sw_sequence *a, const sw_sequence *b)
{
	if (!a || !b)
		return a && !b;
	sw_measure left = sw_sequence_measure(a), right = sw_sequence_measure(b);
	if (left.local_cost != right.local_cost)
		return left.local_cost < right.local_cost;
	if (left.cost != right.cost)
		return left.cost < right.cost;
	return left.steps < right.steps;
}

static void detour_offer(sw_sequence **best, sw_sequence *offer)
{
	if (detour_better(offer, *best)) {
		sw_sequence *old = *best;
		*best = offer;
		offer = old;
	}
	sw_sequence_free(offer);
}

/* No permutation and at most a slice, a move and a gather: there is nothing better. */
static bool detour_perfect(const sw_sequence *best)
{
	return best && sw_sequence_count(best) <= 3 && sw_sequence_measure(best).permutes == 0;
}

static void detour_try(const sw_sequence *sequence, int first, int count, bool multi_dim, sw_sequence **best)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	const sw_type *from = sw_sequence_type(sequence, first), *to = sw_sequence_type(sequence, first + count);
	bool single = false;
	for (int way = 0; way < BRIDGE_WAYS && !single && !detour_perfect(*best); way++) {
		detour_plan plan = {0};
		detour_net(from, to, &plan);
		if (!(way & BRIDGE_UNHINTED))
			detour_keep_flows(sequence, first, count, &plan);
		detour_match(&plan, from->rank, way & BRIDGE_DESCENDING);
		if (way & BRIDGE_LAST_FIRST)
			detour_reverse_flows(&plan);
		single = plan.flows == 0;
		detour_offer(best, detour_build(mesh, from, to, &plan, multi_dim));
		detour_offer(best, detour_build_back(mesh, from, to, &plan, multi_dim));
	}
}

sw_sequence *sw_detour(const sw_sequence *sequence, int first, int count, bool multi_dim)
{
	assert(first >= 0 && count >= 1 && first + count <= sw_sequence_count(sequence));
	sw_sequence *best = NULL, *fused = NULL;
	int64_t limit = sw_sequence_measure_part(sequence, first, count).local_cost;
	detour_try(sequence, first, count, false, &best);
	if (multi_dim || !best || sw_sequence_measure(best).local_cost > limit)
		detour_try(sequence, first, count, true, &fused);
	detour_offer(&best, fused);
	return best;
}
