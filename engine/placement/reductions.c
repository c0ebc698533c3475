/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs are ways through the graph of contexts: counted, priced, listed, and the fastest of any length.
 */
#include "base/room.h"
#include "placement/contexts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- how many ---- */

int64_t sw_contexts_programs(const sw_contexts *contexts, int length)
{
	assert(length >= 0);
	int64_t *ways = calloc((size_t)contexts->count * 2, sizeof *ways), programs;

	if (ways == NULL)
		return -1;
	int64_t *next = ways + contexts->count;
	ways[0] = 1;
	for (int k = 0; k < length; k++) {
		memset(next, 0, sizeof *next * (size_t)contexts->count);
		for (int e = 0; e < contexts->edges; e++) {
			const struct sw_context_edge *edge = &contexts->edge[e];

			if (!sw_add(next[edge->to], ways[edge->from], &next[edge->to]))
				next[edge->to] = INT64_MAX;
		}
		memcpy(ways, next, sizeof *ways * (size_t)contexts->count);
	}
	programs = ways[contexts->goal];
	free(ways);
	return programs;
}

/* ---- prices ---- */

/* Bytes of a class: what it held at first, over the sizes of the factors that divided it. */
static double class_bytes(const sw_ports *ports, uint8_t divided, double bytes)
{
	for (int f = 0; f < ports->hierarchy.count && divided != SW_HOLDS_NOTHING; f++)
		if (divided >> f & 1)
			bytes /= (double)sw_hierarchy_size(&ports->hierarchy, f);
	return divided == SW_HOLDS_NOTHING ? 0 : bytes;
}

static double step_seconds(const sw_ports *ports, double bytes, const uint8_t *divided, const sw_step *step)
{
	double brought[SW_MAX_CLASSES];

	for (int c = 0; c < 1 << ports->hierarchy.count; c++)
		brought[c] = class_bytes(ports, divided[c], bytes);
	return sw_ports_seconds(ports, step, brought);
}

double *sw_context_prices(const sw_contexts *contexts, const sw_ports *ports, double bytes, bool all)
{
	assert(contexts->factors == ports->hierarchy.count);
	size_t kinds = (size_t)contexts->amount_count * (size_t)contexts->steps;
	double *price = malloc(sizeof *price * (size_t)(contexts->edges + 1)), *of_kind = calloc(kinds, sizeof *of_kind);
	bool *known = calloc(kinds, sizeof *known);

	if (price == NULL || of_kind == NULL || known == NULL) {
		free(price);
		price = NULL;
	}
	for (int e = 0; price != NULL && e < contexts->edges; e++) {
		const struct sw_context_edge *edge = &contexts->edge[e];
		int kind = contexts->amounts[edge->from] * contexts->steps + edge->step;
		bool wanted = all || contexts->useful[edge->to];

		if (wanted && !known[kind])
			of_kind[kind] = step_seconds(ports, bytes, contexts->divided + (int64_t)edge->from * contexts->classes,
				&contexts->step[edge->step]);
		known[kind] = known[kind] || wanted;
		price[e] = wanted ? of_kind[kind] : 0;
	}
	free(known);
	free(of_kind);
	return price;
}

/* ---- the fastest ---- */

_Static_assert(SW_MAX_SUMMED *SW_MAX_SUMMED *SW_CHUNK_OPS <= UINT8_MAX, "a path counts steps in bytes");

static void append(sw_context_path *path, const sw_contexts *contexts, int edge, double seconds)
{
	SW_ROOM(path->step, path->count);
	path->step[path->count++] = (uint8_t)contexts->edge[edge].step;
	path->seconds += seconds;
}

/* rest[k][i]: the fewest seconds from context i in at most k steps; edge[k][i]: the first of them. */
static bool fastest(const sw_contexts *contexts, const double *price, int limit, double *rest, int *edge)
{
	int n = contexts->count;
	bool changed = false;

	for (int k = 0; k <= limit; k++) {
		changed = false;
		for (int i = 0; i < n; i++) {
			rest[k * n + i] = i == contexts->goal ? 0 : INFINITY;
			edge[k * n + i] = -1;
			for (int e = contexts->first[i]; k > 0 && e < contexts->first[i + 1]; e++) {
				double seconds = price[e] + rest[(k - 1) * n + contexts->edge[e].to];

				if (seconds < rest[k * n + i]) {
					rest[k * n + i] = seconds;
					edge[k * n + i] = e;
				}
			}
			changed = changed || (k > 0 && rest[k * n + i] < rest[(k - 1) * n + i]);
		}
	}
	return !changed;
}

/* Of any length: contexts are gone over once, each after those to which its edges lead. */
static bool fastest_of_any(const sw_contexts *contexts, const double *price, sw_context_path *path)
{
	double *rest = malloc(sizeof *rest * (size_t)contexts->count);
	int *edge = malloc(sizeof *edge * (size_t)contexts->count),
		*steps = calloc((size_t)contexts->count, sizeof *steps);
	bool found = rest != NULL && edge != NULL && steps != NULL;

	for (int n = 0; found && n < contexts->count; n++) {
		int at = contexts->order[n];

		rest[at] = at == contexts->goal ? 0 : INFINITY;
		edge[at] = -1;
		for (int e = contexts->first[at]; at != contexts->goal && e < contexts->first[at + 1]; e++) {
			int to = contexts->edge[e].to;
			double seconds = price[e] + rest[to];

			if (contexts->useful[to] && (seconds < rest[at] || (seconds <= rest[at] && steps[to] + 1 < steps[at]))) {
				rest[at] = seconds;
				edge[at] = e;
				steps[at] = steps[to] + 1;
			}
		}
	}
	found = found && isfinite(rest[0]) && steps[0] <= SW_MAX_REDUCTION_STEPS;
	for (int at = 0; found && at != contexts->goal; at = contexts->edge[edge[at]].to)
		append(path, contexts, edge[at], price[edge[at]]);
	free(steps);
	free(edge);
	free(rest);
	return found;
}

bool sw_reduction_best(const sw_contexts *contexts, const sw_ports *ports, double bytes, int limit,
	sw_context_path *path)
{
	assert(limit >= 0 && limit <= SW_MAX_REDUCTION_STEPS);
	*path = (sw_context_path){.count = 0};
	if (limit == 0) {
		double *each = sw_context_prices(contexts, ports, bytes, false);
		bool done = each != NULL && fastest_of_any(contexts, each, path);

		free(each);
		if (done || each == NULL)
			return done;
		limit = SW_MAX_REDUCTION_STEPS; /* none of so many steps is the fastest of any */
	}
	int most = limit < SW_MAX_REDUCTION_STEPS ? limit : SW_MAX_REDUCTION_STEPS, n = contexts->count;
	double *price = sw_context_prices(contexts, ports, bytes, false);
	double *rest = malloc(sizeof *rest * (size_t)(most + 1) * (size_t)n);
	int *edge = malloc(sizeof *edge * (size_t)(most + 1) * (size_t)n);
	bool found = price != NULL && rest != NULL && edge != NULL;

	if (found) {
		fastest(contexts, price, most, rest, edge);
		for (int at = 0, k = most; at != contexts->goal && edge[k * n + at] >= 0; k--) {
			int e = edge[k * n + at];

			append(path, contexts, e, price[e]);
			at = contexts->edge[e].to;
		}
		found = isfinite(rest[most * n]);
	}
	free(edge);
	free(rest);
	free(price);
	return found;
}

/* ---- as plans ---- */

bool sw_reduction_price(const sw_ports *ports, double bytes, sw_plan *plan)
{
	int factors = ports->hierarchy.count;
	struct sw_context_held held;

	sw_context_held_start(factors, &held);
	plan->model_cost = 0;
	for (int k = 0; k < plan->program.steps; k++) {
		sw_step *step = &plan->program.step[k];

		step->model_cost = step_seconds(ports, bytes, held.divided, step);
		plan->model_cost += step->model_cost;
		if (!sw_context_held_step(factors, step, &held))
			return false;
	}
	return sw_context_held_done(factors, &held);
}

bool sw_context_path_plan(const sw_contexts *contexts, const sw_context_path *path, sw_arena *arena, sw_plan *plan)
{
	assert(path->count >= 0 && path->count <= SW_MAX_REDUCTION_STEPS);
	*plan = (sw_plan){.program.steps = path->count,
		.program.step = SW_NEW(arena, sw_step, path->count),
		.model_cost = path->seconds};
	for (int k = 0; plan->program.step != NULL && k < path->count; k++)
		plan->program.step[k] = contexts->step[path->step[k]];
	return plan->program.step != NULL;
}

bool sw_reduction_brought(const sw_ports *ports, double bytes, const sw_step *steps, int at, double *brought,
	double *seconds)
{
	assert(at >= 0);
	int factors = ports->hierarchy.count;
	struct sw_context_held held;

	sw_context_held_start(factors, &held);
	for (int k = 0; k < at; k++)
		if (!sw_context_held_step(factors, &steps[k], &held))
			return false;
	for (int c = 0; c < 1 << factors; c++)
		brought[c] = class_bytes(ports, held.divided[c], bytes);
	*seconds = step_seconds(ports, bytes, held.divided, &steps[at]);
	return sw_context_held_step(factors, &steps[at], &held);
}

/* ---- all of them ---- */

struct listing {
	const sw_contexts *contexts;
	const double *price;
	int *distance; /* the fewest steps from a context to the sum */
	sw_arena *arena;
	sw_context_path *path, now;
	int64_t count;
	int room;
	const sw_pulse *pulse;
	bool stopped;
};

static bool measure_distances(struct listing *listing)
{
	const sw_contexts *contexts = listing->contexts;

	listing->distance = SW_NEW(listing->arena, int, contexts->count);
	if (listing->distance == NULL)
		return false;
	for (int n = 0; n < contexts->count; n++) {
		int at = contexts->order[n], *least = &listing->distance[at];

		*least = at == contexts->goal ? 0 : SW_MAX_REDUCTION_STEPS + 1;
		for (int e = contexts->first[at]; e < contexts->first[at + 1]; e++) {
			int further = listing->distance[contexts->edge[e].to] + 1;

			*least = further < *least ? further : *least;
		}
	}
	return true;
}

static bool keep(struct listing *listing)
{
	listing->stopped = listing->count % 1024 == 0 && !sw_pulse_beat(listing->pulse, "programs", listing->count, 0);
	if (listing->stopped || !SW_GROW(listing->arena, listing->path, (int)listing->count, listing->room, 64))
		return false;
	listing->path[listing->count++] = listing->now;
	return true;
}

static bool list_from(struct listing *listing, int at, int left)
{
	const sw_contexts *contexts = listing->contexts;
	bool kept = true;

	if (at == contexts->goal)
		return keep(listing);
	for (int e = contexts->first[at]; kept && e < contexts->first[at + 1]; e++) {
		double before = listing->now.seconds;

		if (listing->distance[contexts->edge[e].to] >= left)
			continue;
		append(&listing->now, contexts, e, listing->price[e]);
		kept = list_from(listing, contexts->edge[e].to, left - 1);
		listing->now.count--;
		listing->now.seconds = before;
	}
	return kept;
}

#define TIE 1e-9 /* seconds that are closer are equal, relative */

/* What paths are sorted by. */
struct ranked {
	double total;
	int count, at;
};

static int by_seconds(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return x->count != y->count ? x->count - y->count : x->at - y->at;
}

static int by_steps(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->count != y->count ? x->count - y->count : x->at - y->at;
}

/* Programs whose seconds differ by rounding alone: the shortest first. */
static void order_ties(struct ranked *rank, int64_t count)
{
	for (int64_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && rank[end].total <= rank[first].total * (1 + TIE);)
			end++;
		qsort(rank + first, (size_t)(end - first), sizeof *rank, by_steps);
	}
}

/* What was listed, in order.  NULL: no memory. */
static sw_context_path *ranked(const struct listing *listing)
{
	sw_context_path *sorted = SW_NEW(listing->arena, sw_context_path, listing->count + 1);
	struct ranked *rank = malloc(sizeof *rank * (size_t)(listing->count + 1));

	if (sorted != NULL && rank != NULL) {
		for (int i = 0; i < listing->count; i++)
			rank[i] = (struct ranked){listing->path[i].seconds, listing->path[i].count, i};
		qsort(rank, (size_t)listing->count, sizeof *rank, by_seconds);
		order_ties(rank, listing->count);
		for (int64_t i = 0; i < listing->count; i++)
			sorted[i] = listing->path[rank[i].at];
	}
	bool done = rank != NULL;
	free(rank);
	return done ? sorted : NULL;
}

/* The most steps that programs may have so that all of them fit into the memory, as long as those of one step do. */
static int length_that_fits(const sw_contexts *contexts, const sw_reduction_bounds *bounds)
{
	int64_t most = bounds->memory / (int64_t)(2 * sizeof(sw_context_path) + sizeof(struct ranked));
	int64_t count = 0;
	int length = 0, limit = bounds->limit < SW_MAX_REDUCTION_STEPS ? bounds->limit : SW_MAX_REDUCTION_STEPS;

	while (length < limit) {
		int64_t more = sw_contexts_programs(contexts, length + 1);

		if (bounds->memory > 0 && length > 0 && (more > most || count > most - more))
			break;
		count += more;
		length++;
	}
	return length;
}

bool sw_reduction_list(const sw_contexts *contexts, const sw_ports *ports, double bytes,
	const sw_reduction_bounds *bounds, sw_arena *arena, sw_reduction_listed *listed, sw_diag *diag)
{
	struct listing listing = {.contexts = contexts, .arena = arena, .pulse = bounds->pulse};
	double *price = sw_context_prices(contexts, ports, bytes, false);

	*listed = (sw_reduction_listed){.length = length_that_fits(contexts, bounds)};
	listing.price = price;
	bool done = price != NULL && measure_distances(&listing) && list_from(&listing, 0, listed->length);

	listed->path = done ? ranked(&listing) : NULL;
	listed->count = listing.count;
	free(price);
	if (listing.stopped)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %lld programs", (long long)listing.count);
	return listed->path != NULL || sw_diag_memory(diag);
}
