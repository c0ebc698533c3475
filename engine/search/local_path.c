/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shortest path over local types at once.  See local_path.h for the idea.
 *
 * Where no normal form need be best (alltoall forbidden), or where its alltoalls cannot be counted here (several
 * primes under the model volume, or several dimensions with three primes, and only when a bound leaves room),
 * the walk is run to its end instead.
 */
#include "search/local_path.h"

#include <string.h>

#include "array/parts.h"
#include "cost/model.h"
#include "step/row.h"

#define PATH_PULSE_EVERY 4096 /* nodes between two questions whether to go on */
#define PATH_TIES 4096        /* nodes */

bool sw_path_goes_on(path_search *search)
{
	if (search->stopped)
		return false;
	if (++search->settled % PATH_PULSE_EVERY == 0 &&
		!sw_pulse_beat(search->pulse, "paths over local types", search->settled, 0))
		search->stopped = true;
	return !search->stopped;
}

void sw_path_measure(const path_search *search, path_lack *lack)
{
	const sw_local *local = search->local;
	int lacks[LOCAL_MAX_PRIMES] = {0};

	*lack = (path_lack){.factor = 1, .need = 1, .fits = true};
	for (int i = 0; i < local->rank; i++) {
		bool any = false;
		for (int p = 0; p < local->primes; p++) {
			int at = i * local->primes + p, less = local->from[at] - search->have[at];
			lacks[p] += less > 0 ? less : 0;
			any |= less > 0;
		}
		lack->dims += any;
	}
	for (int p = 0; p < local->primes; p++) {
		int need = search->from_total[p] - search->have_total[p];
		lack->factor *= search->power[p][lacks[p]];
		lack->need *= need > 0 ? search->power[p][need] : 1;
		lack->spare |= need < 0;
		lack->fits &= search->have_total[p] + lacks[p] <= local->has[p];
	}
}

void sw_path_keep(path_search *search, int64_t cost, int moves)
{
	const sw_local *local = search->local;
	path_form *best = &search->best;
	const path_form *now = &search->now;

	if (sw_path_beaten(search, cost, moves))
		return;
	search->best_cost = cost;
	search->best_moves = moves;
	best->gathers = now->gathers;
	best->transfers = now->transfers;
	memcpy(best->gather, now->gather, (size_t)now->gathers * sizeof *now->gather);
	memcpy(best->source, now->source, (size_t)now->transfers);
	memcpy(best->target, now->target, (size_t)now->transfers);
	memcpy(best->factor, now->factor, (size_t)now->transfers * sizeof *now->factor);
	memcpy(best->low, search->have, (size_t)local->width);
}

/* ---- choosing the gathers ---- */

/* The gathers chosen so far. */
typedef struct path_point {
	int64_t cost;
	int64_t size; /* of the node that they lead from */
	int factor;   /* index of the factor chosen last: later ones are no larger */
	int dim;      /* of the last one: of equal factors the dimensions ascend */
	unsigned used;
} path_point;

/* Model paper: what gathers cost that together supply `need` by factors of at most `largest`; how many there
 * are. */
static int64_t path_chain(int64_t size, int64_t need, int64_t largest, int *gathers)
{
	int64_t cost = 0;

	for (*gathers = 0; need > 1; ++*gathers) {
		cost = sw_cost_plus(cost, size);
		size = size / largest;
		need = (need + largest - 1) / largest;
	}
	return cost;
}

static int64_t path_bound_single(const path_search *search, const path_point *point, const path_lack *lack,
	int *moves)
{
	int64_t least = search->local->least, stop = point->cost, go_on;
	int gathers = 1, largest = point->factor;

	*moves = lack->dims;
	if (lack->dims == 0)
		return point->cost;
	if (lack->need == 1) {
		for (int k = 0; k < lack->dims; k++)
			stop = sw_cost_plus(stop, point->size);
		go_on = sw_cost_plus(point->cost, point->size);
	} else {
		stop = INT64_MAX;
		go_on = sw_cost_plus(point->cost,
			path_chain(point->size, lack->need, search->factors.value[largest], &gathers));
		*moves = gathers > lack->dims ? gathers : lack->dims;
	}
	for (int k = gathers; k < lack->dims; k++)
		go_on = sw_cost_plus(go_on, least);
	return stop < go_on ? stop : go_on;
}

/* Model paper with moves of several dimensions: one gather, one alltoall at most, unless the latter does not
 * do. */
static int64_t path_bound_multi_dim(const path_search *search, const path_point *point, const path_lack *lack,
	int *moves)
{
	*moves = lack->dims > 0 && search->now.gathers == 0;
	if (lack->dims == 0)
		return point->cost;
	if (lack->fits || (lack->need == 1 && search->now.gathers == 0))
		return search->local->to_size;
	return sw_cost_plus(search->local->to_size, search->local->least);
}

/* No path whose gathers begin with those chosen costs less, or takes fewer further moves.  Model volume:
 * gathers cost to_size - size; with one alltoall of what is lacking the sum is to_size - size / lack, and two
 * alltoalls or more cost at least size. */
static int64_t path_bound(const path_search *search, const path_point *point, const path_lack *lack, int *moves)
{
	if (search->local->model == SW_MODEL_VOLUME) {
		*moves = search->local->multi_dim ? 0 : lack->dims;
		return search->local->to_size - point->size / lack->factor;
	}
	if (search->local->multi_dim)
		return path_bound_multi_dim(search, point, lack, moves);
	return path_bound_single(search, point, lack, moves);
}

static bool path_can_gather(const path_search *search, int dim, const uint8_t *factor)
{
	const sw_local *local = search->local;

	for (int p = 0; p < local->primes; p++) {
		int at = dim * local->primes + p;
		if (search->have[at] + factor[p] > local->most[at] || search->have_total[p] + factor[p] > local->has[p])
			return false;
	}
	return true;
}

static void path_change(path_search *search, int dim, const uint8_t *factor, int sign)
{
	for (int p = 0; p < search->local->primes; p++) {
		search->have[dim * search->local->primes + p] += (uint8_t)(sign * factor[p]);
		search->have_total[p] += sign * factor[p];
	}
}

static int64_t path_gather_cost(const path_search *search, int64_t before, int64_t after, int64_t factor)
{
	if (search->local->multi_dim && search->local->model == SW_MODEL_PAPER && search->now.gathers > 0)
		return 0;
	return sw_model_move_cost(search->local->model, SW_ALLGATHER, before, after, factor);
}

static void path_choose(path_search *search, const path_point *point, const path_lack *lack);

static void path_gather_along(path_search *search, const path_point *point, int dim, int k)
{
	const uint8_t *factor = search->factors.exponents + k * search->local->primes;
	int64_t value = search->factors.value[k];
	path_lack lack;
	int moves;

	search->edges++;
	if (!path_can_gather(search, dim, factor))
		return;
	path_point next = {.size = point->size / value, .factor = k, .dim = dim, .used = point->used | 1u << dim};
	next.cost = sw_cost_plus(point->cost, path_gather_cost(search, next.size, point->size, value));
	search->seen++;
	path_change(search, dim, factor, 1);
	search->now.gather[search->now.gathers++] = (path_gather){dim, k};
	sw_path_measure(search, &lack);
	int64_t bound = path_bound(search, &next, &lack, &moves);
	if (!sw_path_beaten(search, bound, moves + (search->local->multi_dim ? 1 : search->now.gathers)))
		path_choose(search, &next, &lack);
	search->now.gathers--;
	path_change(search, dim, factor, -1);
}

/* Once a path is known that none can be cheaper than, others with fewer moves are only looked for a little
 * longer. */
static bool path_enough(const path_search *search)
{
	return search->stopped || (search->best_cost <= search->enough && search->settled > PATH_TIES);
}

static void path_choose(path_search *search, const path_point *point, const path_lack *lack)
{
	const sw_local *local = search->local;

	if (!sw_path_goes_on(search))
		return;
	sw_path_transfers(search, point->cost, point->size, lack);
	if (local->without >> SW_ALLGATHER & 1 || point->size == local->least)
		return;
	for (int k = point->factor; k >= 0; k--)
		for (int i = k == point->factor ? point->dim + 1 : 0; i < local->rank; i++)
			if (!(point->used >> i & 1) && !path_enough(search))
				path_gather_along(search, point, i, k);
}

/* ---- the whole search ---- */

/* All paths of interest: those that cost at most `limit`, with at most one alltoall or with any number. */
static void path_pass(path_search *search, int64_t limit, bool one_transfer)
{
	path_point start = {.size = search->local->to_size, .factor = search->factors.count - 1, .dim = -1};
	path_lack lack;

	search->limit = limit;
	search->one_transfer = one_transfer;
	search->seen++;
	sw_path_measure(search, &lack);
	path_choose(search, &start, &lack);
}

/* The index of the factor that dimension `dim` lacks, -1 where it lacks nothing. */
static int path_lacking(const path_search *search, int dim)
{
	const sw_local *local = search->local;
	uint8_t lacks[LOCAL_MAX_PRIMES];

	for (int p = 0; p < local->primes; p++) {
		int at = dim * local->primes + p;
		lacks[p] = local->from[at] > search->have[at] ? local->from[at] - search->have[at] : 0;
	}
	int64_t product = sw_local_product(local, lacks);
	int k = search->factors.count - 1;
	while (k >= 0 && search->factors.value[k] > product)
		k--;
	return product == 1 ? -1 : k;
}

/* Tries first, where the mesh has room, to gather just what is lacking: slices and gathers, nothing else. */
static void path_try_gathers(path_search *search, const path_lack *lack)
{
	const sw_local *local = search->local;
	int64_t size = local->to_size, cost = 0;

	if (!lack->fits || lack->dims == 0 || local->without >> SW_ALLGATHER & 1)
		return;
	for (int i = 0; i < local->rank; i++) {
		int k = path_lacking(search, i), at = search->now.gathers;
		for (; k >= 0 && at > 0 && search->now.gather[at - 1].factor < k; at--)
			search->now.gather[at] = search->now.gather[at - 1];
		if (k >= 0) {
			search->now.gather[at] = (path_gather){i, k};
			search->now.gathers++;
		}
	}
	int gathers = search->now.gathers;
	for (int g = 0; g < gathers; g++) {
		int k = search->now.gather[g].factor;
		search->now.gathers = g;
		int64_t value = search->factors.value[k];
		cost = sw_cost_plus(cost, path_gather_cost(search, size / value, size, value));
		size /= value;
		path_change(search, search->now.gather[g].dim, search->factors.exponents + k * local->primes, 1);
	}
	search->now.gathers = gathers;
	path_lack none;
	sw_path_measure(search, &none);
	sw_path_transfers(search, cost, size, &none);
	while (search->now.gathers > 0) {
		const path_gather *gather = &search->now.gather[--search->now.gathers];
		path_change(search, gather->dim, search->factors.exponents + gather->factor * local->primes, -1);
	}
}

/* Model volume: a path with at most one alltoall costs less than to_size, all others no less; and the cheapest
 * that there could be is known.  So the best kinds are looked for first, and the search for the others is
 * rarely made. */
static void path_passes(path_search *search)
{
	const sw_local *local = search->local;
	path_point start = {.size = local->to_size};
	path_lack lack;
	int moves;

	sw_path_measure(search, &lack);
	start.factor = search->factors.count - 1;
	search->enough = path_bound(search, &start, &lack, &moves);
	path_try_gathers(search, &lack);
	if (local->model == SW_MODEL_PAPER) {
		path_pass(search, INT64_MAX, false);
		return;
	}
	path_pass(search, search->enough, true);
	if (search->best_cost == INT64_MAX)
		path_pass(search, local->to_size - 1, true);
	if (search->best_cost != INT64_MAX)
		return;
	if (local->primes == 1)
		path_pass(search, INT64_MAX, false);
	else
		search->unsure = true;
}

/* Is the walk needed to know the shortest path? */
static bool path_open(const path_search *search)
{
	const sw_local *local = search->local;
	int64_t two = sw_cost_plus(local->to_size,
		local->model == SW_MODEL_PAPER ? sw_cost_plus(local->least, local->least) : 0);

	if (!search->unsure)
		return false;
	if (local->model == SW_MODEL_PAPER && local->least > local->to_size / 2)
		two = sw_cost_plus(local->to_size, local->to_size);
	return search->best_cost > two;
}

static bool path_start(path_search *search, const sw_local *local, const sw_pulse *pulse, sw_arena *arena)
{
	search->local = local;
	search->arena = arena;
	search->memo = NULL;
	search->serial = 0;
	search->pulse = pulse;
	search->best_cost = INT64_MAX;
	search->best_moves = 0;
	search->unsure = search->stopped = false;
	search->settled = search->seen = search->edges = 0;
	search->now.gathers = 0;
	search->limit = INT64_MAX;
	search->one_transfer = false;
	memcpy(search->have, local->to, (size_t)local->width);
	for (int p = 0; p < local->primes; p++) {
		search->from_total[p] = search->have_total[p] = 0;
		for (int at = p; at < local->width; at += local->primes) {
			search->from_total[p] += local->from[at];
			search->have_total[p] += local->to[at];
		}
		search->power[p][0] = 1;
		for (int k = 0; k < local->has[p]; k++)
			search->power[p][k + 1] = search->power[p][k] * local->prime[p];
	}
	return sw_local_divisors(local, arena, &search->factors);
}

/* ---- writing the path down ---- */

typedef struct path_writer {
	const sw_local *local;
	local_key at;
	int count, room;
	sw_move *moves;
	int64_t *tiles;
	int64_t cost;
} path_writer;

static bool path_writer_start(path_writer *writer, const sw_local *local, int room, sw_arena *arena)
{
	*writer = (path_writer){.local = local, .room = room};
	memcpy(writer->at, local->from, (size_t)local->width);
	writer->moves = SW_NEW(arena, sw_move, room);
	writer->tiles = SW_NEW(arena, int64_t, (room + 1) * local->rank);
	if (!writer->moves || !writer->tiles)
		return false;
	sw_local_tile(local, writer->at, writer->tiles);
	return true;
}

/* Appends the move to `key`; where that is where we are, nothing. */
static void path_write(path_writer *writer, const uint8_t *key)
{
	sw_move *move = &writer->moves[writer->count];

	if (!memcmp(key, writer->at, (size_t)writer->local->width))
		return;
	sw_local_move_between(writer->local, writer->at, key, move);
	writer->cost = sw_cost_plus(writer->cost, move->cost);
	writer->count++;
	memcpy(writer->at, key, (size_t)writer->local->width);
	sw_local_tile(writer->local, key, writer->tiles + writer->count * writer->local->rank);
}

/* Slices: of each dimension by all that it is sliced by, dimensions ascending; or all at once. */
static void path_write_slices(path_writer *writer, const uint8_t *low)
{
	const sw_local *local = writer->local;
	local_key key;

	memcpy(key, writer->at, (size_t)local->width);
	for (int i = 0; i < local->rank && !local->multi_dim; i++) {
		memcpy(key + i * local->primes, low + i * local->primes, (size_t)local->primes);
		path_write(writer, key);
	}
	path_write(writer, low);
}

static void path_write_transfers(path_writer *writer, const path_form *form)
{
	int primes = writer->local->primes;
	local_key key;

	memcpy(key, writer->at, (size_t)writer->local->width);
	for (int k = form->transfers - 1; k >= 0; k--) {
		for (int p = 0; p < primes; p++) {
			key[form->source[k] * primes + p] -= form->factor[k][p];
			key[form->target[k] * primes + p] += form->factor[k][p];
		}
		path_write(writer, key);
	}
}

static void path_write_gathers(path_writer *writer, const path_search *search)
{
	const path_form *form = &search->best;
	int primes = writer->local->primes;
	local_key key;

	memcpy(key, writer->at, (size_t)writer->local->width);
	for (int k = form->gathers - 1; k >= 0; k--) {
		const uint8_t *factor = search->factors.exponents + form->gather[k].factor * primes;
		for (int p = 0; p < primes; p++)
			key[form->gather[k].dim * primes + p] -= factor[p];
		path_write(writer, key);
	}
}

/* With moves of several dimensions: one alltoall to the node where the gathers begin, or one for each prime;
 * one gather. */
static void path_write_multi_dim(path_writer *writer, const path_search *search)
{
	const sw_local *local = writer->local;
	local_key high, key;
	sw_move move;

	memcpy(high, local->to, (size_t)local->width);
	for (int k = 0; k < search->best.gathers; k++)
		for (int p = 0; p < local->primes; p++)
			high[search->best.gather[k].dim * local->primes + p] +=
				search->factors.exponents[search->best.gather[k].factor * local->primes + p];
	memcpy(key, writer->at, (size_t)local->width);
	if (sw_local_move_between(local, key, high, &move))
		path_write(writer, high);
	for (int p = 0; p < local->primes; p++) {
		for (int at = p; at < local->width; at += local->primes)
			key[at] = high[at];
		path_write(writer, memcmp(writer->at, high, (size_t)local->width) ? key : high);
	}
	path_write(writer, local->to);
}

static bool path_write_form(const path_search *search, sw_arena *arena, sw_local_path *path)
{
	const sw_local *local = search->local;
	path_writer writer;

	if (!path_writer_start(&writer, local,
			local->rank + search->best.transfers + search->best.gathers + local->primes + 1, arena))
		return false;
	path_write_slices(&writer, search->best.low);
	if (local->multi_dim) {
		path_write_multi_dim(&writer, search);
	} else {
		path_write_transfers(&writer, &search->best);
		path_write_gathers(&writer, search);
	}
	*path = (sw_local_path){writer.count, writer.moves, writer.tiles, writer.cost, search->settled, search->seen,
		search->edges};
	return true;
}

/* ---- by the walk ---- */

/* Writes the nodes of a walk's path, slices that follow each other merged. */
static bool path_write_nodes(path_writer *writer, const sw_walk *walk, const int *ids, int count)
{
	local_key key, low;
	bool slicing = false;

	for (int k = 1; k < count; k++) {
		sw_node node;
		sw_walk_node(walk, ids[k], &node);
		if (!sw_local_key_of(writer->local, node.place, key, NULL))
			return false;
		bool slices = sw_row(node.via.op)->among == SW_AMONG_NONE;
		if (slicing && !slices)
			path_write_slices(writer, low);
		slicing = slices;
		if (slicing)
			memcpy(low, key, sizeof low);
		else
			path_write(writer, key);
	}
	if (slicing)
		path_write_slices(writer, low);
	return true;
}

static bool path_from_walk(const sw_walk *walk, const sw_local *local, sw_arena *arena, sw_local_path *path,
	sw_diag *diag)
{
	int goal = sw_walk_goal(walk), count = sw_walk_path(walk, goal, NULL, 0), *ids = SW_NEW(arena, int, count);
	path_writer writer;

	if (!ids || !path_writer_start(&writer, local, (count + 1) * (local->rank + 1), arena))
		return sw_diag_memory(diag);
	sw_walk_path(walk, goal, ids, count);
	if (!path_write_nodes(&writer, walk, ids, count))
		return sw_diag_memory(diag);
	*path = (sw_local_path){writer.count, writer.moves, writer.tiles, writer.cost, sw_walk_settled(walk),
		sw_walk_seen(walk), sw_walk_edges_seen(walk)};
	return true;
}

static bool path_by_walk(const sw_problem *problem, const sw_walk_options *options, const sw_local *local,
	const sw_pulse *pulse, sw_arena *arena, sw_local_path *path, sw_diag *diag)
{
	sw_walk_options directed = *options;
	directed.goal_directed = true;

	sw_walk *walk = sw_walk_new(problem, &directed, diag);
	if (!walk)
		return false;
	bool done = sw_walk_finish(walk, pulse, diag) && path_from_walk(walk, local, arena, path, diag);
	sw_walk_free(walk);
	return done;
}

bool sw_local_shortest(const sw_problem *problem, const sw_walk_options *options, const sw_pulse *pulse,
	sw_arena *arena, sw_local_path *path, sw_diag *diag)
{
	sw_local local;
	path_search search;

	if (!sw_sums_refuse(&problem->from, &problem->to, "the shortest path at once", diag) ||
		!sw_local_init(&local, problem, options, diag))
		return false;
	if (local.without >> SW_ALLTOALL & 1)
		return path_by_walk(problem, options, &local, pulse, arena, path, diag);
	if (!path_start(&search, &local, pulse, arena))
		return sw_diag_memory(diag);
	path_passes(&search);
	if (search.stopped)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0},
			"stopped before the shortest path over local types was known");
	if (path_open(&search))
		return path_by_walk(problem, options, &local, pulse, arena, path, diag);
	if (search.best_cost == INT64_MAX && !local.without)
		return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the cost of every path exceeds 64 bits");
	if (search.best_cost == INT64_MAX)
		return sw_diag_set(diag, SW_S02, (sw_span){0, 0},
			"no moves lead from 'from' to 'to' without forbidden operations");
	return path_write_form(&search, arena, path) || sw_diag_memory(diag);
}
