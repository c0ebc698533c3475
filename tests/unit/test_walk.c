/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of local types, its stepper and its shortest paths, against an exhaustive search written here from the definition.
 */
#include <jansson.h>

#include <shardwalk/walk.h>

#include "base/heap.h"
#include "search/graph.h"
#include "kit/cases.h"
#include "kit/problem.h"

#define NAIVE_NODES 400
#define NEVER INT64_MAX

/* ---- random numbers and problems ---- */

static draw random_from;

static int random_below(int n)
{
	return draw_below(&random_from, n);
}

/* Every axis partitions one dimension or none, in `where`. */
static void place_axes(const sw_mesh *mesh, int rank, const int *where, const int64_t *global, sw_type *type)
{
	int count[SW_MAX_DIMS] = {0}, flats = 0;
	sw_part flat[SW_MAX_PARTS];

	for (int i = 0; i < rank; i++)
		for (int k = 0; k < mesh->count; k++)
			if (where[k] == i) {
				flat[flats++] = (sw_part){k, 1, mesh->axis[k].size};
				count[i]++;
			}
	assert_true(sw_type_replicated(SW_F32, rank, global, type, NULL));
	assert_true(sw_type_partition(mesh, type, count, flat, NULL));
}

/* A mesh of some of these sizes, dimensions that both ends divide, and a little more. */
static void random_problem(sw_problem *problem, const int *sizes, int kinds, int axes, int rank)
{
	static const int more[] = {1, 1, 1, 2, 3, 4, 5, 6};
	int from[8], to[8];
	int64_t global[SW_MAX_DIMS], split[2][SW_MAX_DIMS];

	problem->to_order = NULL;
	problem->mesh = (sw_mesh){0};
	for (int k = 0; k < axes; k++) {
		char name[2] = {(char)('a' + k), 0};
		assert_true(sw_mesh_add(&problem->mesh, sw_str_of(name), sizes[random_below(kinds)], NULL));
	}
	for (int i = 0; i < rank; i++)
		split[0][i] = split[1][i] = 1;
	for (int k = 0; k < axes; k++) {
		from[k] = random_below(rank + 1) - (random_below(4) == 0);
		to[k] = random_below(rank + 1) - (random_below(4) == 0);
		if (from[k] >= 0 && from[k] < rank)
			split[0][from[k]] *= problem->mesh.axis[k].size;
		if (to[k] >= 0 && to[k] < rank)
			split[1][to[k]] *= problem->mesh.axis[k].size;
	}
	for (int i = 0; i < rank; i++) {
		int64_t n = split[0][i];
		while (n % split[1][i])
			n += split[0][i];
		global[i] = n * more[random_below(8)];
	}
	place_axes(&problem->mesh, rank, from, global, &problem->from);
	place_axes(&problem->mesh, rank, to, global, &problem->to);
}

static const int twos[] = {2, 2, 4}, threes[] = {3}, mixed[] = {2, 3, 4, 6}, more_primes[] = {2, 3, 5, 6};

static void random_any(sw_problem *problem)
{
	switch (random_below(4)) {
	case 0:
		random_problem(problem, twos, 3, 1 + random_below(4), 1 + random_below(4));
		break;
	case 1:
		random_problem(problem, threes, 1, 1 + random_below(3), 1 + random_below(4));
		break;
	case 2:
		random_problem(problem, mixed, 4, 1 + random_below(3), 1 + random_below(3));
		break;
	default:
		random_problem(problem, more_primes, 4, 1 + random_below(3), 1 + random_below(3));
	}
}

static void random_options(const sw_problem *problem, sw_walk_options *options)
{
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);

	*options = (sw_walk_options){.model = random_below(2) ? SW_MODEL_VOLUME : SW_MODEL_PAPER,
		.multi_dim = random_below(3) == 0};
	if (random_below(3) == 0)
		options->budget = (from > to ? from : to) * (1 + random_below(4));
	if (random_below(4) == 0)
		options->without = 1u << random_below(3);
}

static const char *problem_text(const sw_problem *problem, const sw_walk_options *options)
{
	static sw_text text;

	sw_text_clear(&text);
	sw_text_addf(&text, "mesh ");
	sw_mesh_print(&problem->mesh, &text);
	sw_text_add(&text, " ");
	sw_type_print(&problem->mesh, &problem->from, false, &text);
	sw_text_add(&text, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, false, &text);
	sw_text_addf(&text, " model %s budget %lld several %d without %u", sw_model_name(options->model),
		(long long)options->budget, options->multi_dim, options->without);
	return sw_text_get(&text);
}

/* ---- the exhaustive search ---- */

typedef struct naive {
	int rank, count;
	int64_t tile[NAIVE_NODES][SW_MAX_DIMS];
	int64_t size[NAIVE_NODES], cost[NAIVE_NODES];
	int moves[NAIVE_NODES];
} naive;

static void naive_nodes(naive *all, const sw_problem *problem, int64_t budget, int dim, int64_t split, int64_t *tile)
{
	if (dim == all->rank) {
		int64_t size = 1;
		for (int i = 0; i < all->rank; i++)
			size *= tile[i];
		if (size > budget)
			return;
		assert_true(all->count < NAIVE_NODES);
		memcpy(all->tile[all->count], tile, sizeof all->tile[0]);
		all->size[all->count++] = size;
		return;
	}
	for (int64_t f = 1; f <= problem->mesh.devices; f++)
		if (problem->from.global[dim] % f == 0 && problem->mesh.devices % (split * f) == 0) {
			tile[dim] = problem->from.global[dim] / f;
			naive_nodes(all, problem, budget, dim + 1, split * f, tile);
		}
}

/* Cost of the move from u to v, -1 where there is none. */
static int64_t naive_edge(const naive *all, const sw_walk_options *options, int u, int v)
{
	int64_t gathered = 1, split = 1;
	int gathers = 0, splits = 0;

	for (int i = 0; i < all->rank; i++) {
		int64_t a = all->tile[u][i], b = all->tile[v][i];
		if (a == b)
			continue;
		if (b % a == 0) {
			gathers++;
			gathered *= b / a;
		} else if (a % b == 0) {
			splits++;
			split *= a / b;
		} else {
			return -1;
		}
	}
	if ((gathers > 1 || splits > 1) && !options->multi_dim)
		return -1;
	if (gathers + splits == 0 || (gathers && splits && gathered != split))
		return -1;
	sw_op op = !gathers ? SW_DYNSLICE : splits ? SW_ALLTOALL : SW_ALLGATHER;
	if (options->without >> op & 1)
		return -1;
	int64_t size = op == SW_DYNSLICE ? 0 : all->size[v];
	return options->model == SW_MODEL_VOLUME ? size - size / gathered : size;
}

static int naive_find(const naive *all, const int64_t *tile)
{
	for (int k = 0; k < all->count; k++)
		if (!memcmp(all->tile[k], tile, (size_t)all->rank * sizeof *tile))
			return k;
	return -1;
}

/* Bellman and Ford: relax everything until nothing changes.  Cheapest first, then fewest moves. */
static bool naive_relax(naive *all, const sw_walk_options *options)
{
	bool changed = false;

	for (int u = 0; u < all->count; u++)
		for (int v = 0; v < all->count && all->cost[u] != NEVER; v++) {
			int64_t cost = u == v ? -1 : naive_edge(all, options, u, v);
			if (cost < 0)
				continue;
			cost += all->cost[u];
			if (cost < all->cost[v] || (cost == all->cost[v] && all->moves[u] + 1 < all->moves[v])) {
				all->cost[v] = cost;
				all->moves[v] = all->moves[u] + 1;
				changed = true;
			}
		}
	return changed;
}

static int64_t naive_shortest(naive *all, const sw_problem *problem, const sw_walk_options *options, int *moves)
{
	int64_t tile[SW_MAX_DIMS] = {0};
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);

	all->rank = problem->from.rank;
	all->count = 0;
	naive_nodes(all, problem, options->budget ? options->budget : from > to ? from : to, 0, 1, tile);
	for (int k = 0; k < all->count; k++)
		all->cost[k] = NEVER;
	int start = naive_find(all, problem->from.tile), goal = naive_find(all, problem->to.tile);
	assert_true(start >= 0 && goal >= 0);
	all->cost[start] = all->moves[start] = 0;
	while (naive_relax(all, options))
		;
	*moves = all->moves[goal];
	return all->cost[goal];
}

/* ---- the walk to its end ---- */

/* The cost of the goal; along the way priorities never fall and the bound never exceeds what is really missing. */
static int64_t walk_all(const sw_problem *problem, const sw_walk_options *options, bool goal_directed)
{
	sw_walk_options own = *options;
	own.goal_directed = goal_directed;
	sw_walk *walk = sw_walk_new(problem, &own, NULL);
	int64_t last = 0, result = NEVER;
	sw_node node;

	assert_non_null(walk);
	while (!sw_walk_done(walk)) {
		assert_true(sw_walk_step(walk, NULL));
		assert_true(sw_walk_node(walk, sw_walk_current(walk), &node));
		assert_true(node.distance + node.bound >= last);
		last = node.distance + node.bound;
	}
	assert_true(sw_heap_check(&walk->store.queue));
	if (sw_walk_goal(walk) && sw_walk_node(walk, sw_walk_goal(walk), &node) && node.state == SW_NODE_SETTLED)
		result = node.distance;
	sw_walk_free(walk);
	return result;
}

/* The path is made of edges of the graph, costs what it says, and its slices are merged. */
static void check_path(const naive *all, const sw_problem *problem, const sw_walk_options *options,
	const sw_local_path *path)
{
	int rank = all->rank;
	int64_t cost = 0;

	assert_memory_equal(path->tiles, problem->from.tile, (size_t)rank * sizeof(int64_t));
	assert_memory_equal(path->tiles + path->count * rank, problem->to.tile, (size_t)rank * sizeof(int64_t));
	for (int k = 0; k < path->count; k++) {
		const sw_move *move = &path->moves[k];
		int64_t tile[SW_MAX_DIMS];
		int u = naive_find(all, path->tiles + k * rank), v = naive_find(all, path->tiles + (k + 1) * rank);
		assert_true(u >= 0 && v >= 0);
		assert_int_equal(naive_edge(all, options, u, v), move->cost);
		memcpy(tile, path->tiles + k * rank, sizeof(int64_t) * (size_t)rank);
		for (int e = 0; e < move->gathers; e++)
			tile[move->gather[e].dim] *= move->gather[e].factor;
		for (int e = 0; e < move->splits; e++)
			tile[move->split[e].dim] /= move->split[e].factor;
		assert_memory_equal(tile, path->tiles + (k + 1) * rank, sizeof(int64_t) * (size_t)rank);
		if (k > 0 && move->op == SW_DYNSLICE && move[-1].op == SW_DYNSLICE)
			assert_true(!options->multi_dim && move->split[0].dim > move[-1].split[0].dim);
		cost += move->cost;
	}
	assert_int_equal(cost, path->cost);
}

/* A consistent bound: along every edge it falls by no more than the edge costs. */
static void check_bounds(const naive *all, const sw_problem *problem, const sw_walk_options *options)
{
	sw_walk_options own = *options;
	own.goal_directed = true;
	sw_walk *walk = sw_walk_new(problem, &own, NULL);
	int64_t bound[NAIVE_NODES];

	for (int u = 0; u < all->count; u++) {
		sw_node node;
		assert_true(sw_walk_node_at(walk, all->tile[u], &node, NULL));
		bound[u] = node.bound;
		if (node.is_goal)
			assert_int_equal(node.bound, 0);
	}
	for (int u = 0; u < all->count; u++)
		for (int v = 0; v < all->count; v++) {
			int64_t cost = u == v ? -1 : naive_edge(all, options, u, v);
			assert_true(cost < 0 || bound[u] <= cost + bound[v]);
		}
	sw_walk_free(walk);
}

/* The edges listed are exactly those of the definition. */
static void check_edges(const naive *all, const sw_problem *problem, const sw_walk_options *options, sw_arena *arena)
{
	sw_walk *walk = sw_walk_new(problem, options, NULL);
	int u = random_below(all->count), expected = 0;
	sw_edge *edges;
	int count = sw_walk_edges(walk, all->tile[u], false, arena, &edges);

	for (int v = 0; v < all->count; v++)
		expected += u != v && naive_edge(all, options, u, v) >= 0;
	assert_int_equal(count, expected);
	for (int k = 0; k < count; k++) {
		int v = naive_find(all, edges[k].place);
		assert_true(v >= 0);
		assert_int_equal(naive_edge(all, options, u, v), edges[k].move.cost);
		assert_int_equal(all->size[v], edges[k].size);
		if (k > 0)
			assert_true(edges[k - 1].move.op == edges[k].move.op || edges[k].move.op != SW_DYNSLICE);
	}
	sw_walk_free(walk);
}

static int longer; /* paths with more moves than the fewest at their cost */

static void check_problem(const sw_problem *problem, const sw_walk_options *options, sw_arena *arena)
{
	static naive all;
	sw_local_path path;
	sw_diag diag = {0};
	int moves;
	int64_t cost = naive_shortest(&all, problem, options, &moves);

	assert_int_equal(walk_all(problem, options, false), cost);
	assert_int_equal(walk_all(problem, options, true), cost);
	bool found = sw_local_shortest(problem, options, NULL, arena, &path, &diag);
	assert_int_equal(found, cost != NEVER);
	if (!found) {
		assert_int_equal(diag.code, SW_S02);
		return;
	}
	if (path.cost != cost)
		print_message("%s: %lld, not %lld\n", problem_text(problem, options), (long long)path.cost, (long long)cost);
	assert_int_equal(path.cost, cost);
	check_path(&all, problem, options, &path);
	assert_true(path.count >= moves);
	if (path.count > moves && !options->without) {
		longer++;
		if (getenv("VERBOSE"))
			print_message("%s: %d moves, not %d\n", problem_text(problem, options), path.count, moves);
	}
	if (random_below(8) == 0)
		check_bounds(&all, problem, options);
	check_edges(&all, problem, options, arena);
}

static void test_shortest_is_shortest(void **state)
{
	sw_arena *arena = sw_arena_new();
	const char *rounds = getenv("ROUNDS");
	int count = rounds ? atoi(rounds) : 2000;
	(void)state;

	random_from = draw_start(__func__);
	longer = 0;
	for (int k = 0; k < count; k++) {
		sw_problem problem;
		sw_walk_options options;
		random_any(&problem);
		random_options(&problem, &options);
		sw_arena_clear(arena);
		check_problem(&problem, &options, arena);
	}
	print_message("%d of %d paths have more moves than the fewest\n", longer, count);
	sw_arena_free(arena);
}

/* ---- step and back ---- */

typedef struct digest {
	uint64_t value;
} digest;

static void digest_add(digest *d, const void *data, size_t length)
{
	const unsigned char *byte = data;

	for (size_t k = 0; k < length; k++)
		d->value = (d->value ^ byte[k]) * 0x100000001b3u;
}

static void digest_number(digest *d, int64_t number)
{
	digest_add(d, &number, sizeof number);
}

static void digest_node(digest *d, const sw_walk *walk, int id)
{
	sw_node node;

	assert_true(sw_walk_node(walk, id, &node));
	digest_number(d, node.size);
	digest_number(d, node.state);
	digest_number(d, node.distance);
	digest_number(d, node.bound);
	digest_number(d, node.parent);
	digest_number(d, node.order);
	digest_number(d, node.via.op * 100 + node.via.cost);
	digest_add(d, node.place, sizeof node.place[0] * (size_t)sw_walk_problem(walk)->from.rank);
}

static int node_ids[20000];

/* All that one can see of a walk. */
static uint64_t walk_digest(const sw_walk *walk)
{
	digest d = {0xcbf29ce484222325u};
	int count = sw_walk_frontier(walk, node_ids, 20000);

	assert_true(count <= 20000 && sw_heap_check(&walk->store.queue));
	digest_add(&d, node_ids, (size_t)count * sizeof *node_ids);
	count = sw_walk_levels(walk, node_ids, 20000);
	digest_add(&d, node_ids, (size_t)count * sizeof *node_ids);
	for (int id = 1; id <= sw_walk_seen(walk); id++)
		digest_node(&d, walk, id);
	digest_number(&d, sw_walk_current(walk));
	digest_number(&d, sw_walk_goal(walk));
	digest_number(&d, sw_walk_settled(walk));
	digest_number(&d, sw_walk_edges_seen(walk));
	count = sw_walk_path(walk, sw_walk_goal(walk), node_ids, 20000);
	digest_add(&d, node_ids, (size_t)count * sizeof *node_ids);
	return d.value;
}

/* Wanders forwards and backwards; at every depth the walk must look as it did there before. */
static void wander(sw_walk *walk, uint64_t *seen, int steps)
{
	int depth = 0, deepest = 0;

	seen[0] = walk_digest(walk);
	for (int k = 0; k < steps; k++) {
		bool forwards = random_below(5) < 3 && !sw_walk_done(walk);
		if (!forwards && depth == 0) {
			assert_false(sw_walk_back(walk, NULL));
			continue;
		}
		assert_true(forwards ? sw_walk_step(walk, NULL) : sw_walk_back(walk, NULL));
		depth += forwards ? 1 : -1;
		uint64_t now = walk_digest(walk);
		if (depth > deepest)
			seen[deepest = depth] = now;
		assert_true(now == seen[depth]);
	}
}

static void test_back_restores_everything(void **state)
{
	static uint64_t seen[2000];
	(void)state;

	random_from = draw_start(__func__);
	for (int k = 0; k < 60; k++) {
		sw_problem problem;
		sw_walk_options options;
		random_any(&problem);
		random_options(&problem, &options);
		options.goal_directed = random_below(2);
		sw_walk *walk = sw_walk_new(&problem, &options, NULL);
		assert_non_null(walk);
		wander(walk, seen, 100);
		sw_walk_free(walk);
	}
}

/* The larger graph, forwards and all the way back. */
static void test_back_from_the_end(void **state)
{
	sw_problem problem;
	(void)state;

	read_problem("{a: 4, b: 4, c: 2, d: 3}", "[8{a,d}96, 16{b}64, 12] ~> [96, 4{a,b}64, 2{d,c}12]", &problem);
	sw_walk *walk = sw_walk_new(&problem, &(sw_walk_options){.budget = 12 * 96 * 64}, NULL);
	uint64_t start = walk_digest(walk);
	assert_true(sw_walk_finish(walk, NULL, NULL));
	uint64_t end = walk_digest(walk);
	for (int round = 0; round < 2; round++) {
		while (sw_walk_settled(walk) > 0)
			assert_true(sw_walk_back(walk, NULL));
		assert_true(walk_digest(walk) == start);
		assert_true(sw_walk_finish(walk, NULL, NULL));
		assert_true(walk_digest(walk) == end);
	}
	sw_diag diag;
	assert_false(sw_walk_step(walk, &diag));
	assert_int_equal(diag.code, SW_S07);
	sw_walk_free(walk);
}

/* ---- orders ---- */

/* The first of the frontier is the one that leaves; among equals the one seen first. */
static void test_frontier_leaves_in_its_order(void **state)
{
	(void)state;

	random_from = draw_start(__func__);
	for (int k = 0; k < 40; k++) {
		sw_problem problem;
		sw_walk_options options;
		random_any(&problem);
		random_options(&problem, &options);
		options.goal_directed = random_below(2);
		sw_walk *walk = sw_walk_new(&problem, &options, NULL);
		while (!sw_walk_done(walk)) {
			int ids[1000], count = sw_walk_frontier(walk, ids, 1000);
			sw_node a, b;
			for (int i = 0; i < count; i++) {
				assert_true(sw_walk_node(walk, ids[i], &b));
				assert_int_equal(b.state, SW_NODE_FRONTIER);
				if (i > 0)
					assert_true(a.distance + a.bound < b.distance + b.bound ||
						(a.distance + a.bound == b.distance + b.bound && a.id < b.id));
				a = b;
			}
			assert_true(sw_walk_step(walk, NULL));
			assert_int_equal(sw_walk_current(walk), ids[0]);
		}
		sw_walk_free(walk);
	}
}

static void test_heap_keeps_its_order(void **state)
{
	sw_heap heap = {0};
	int64_t last = -1;
	int last_item = -1;
	(void)state;

	random_from = draw_start(__func__);
	for (int k = 0; k < 3000; k++) {
		int item = random_below(500);
		if (random_below(4) == 0 && sw_heap_has(&heap, item))
			sw_heap_remove(&heap, item);
		else
			assert_true(sw_heap_put(&heap, item, random_below(20), 0));
		if (k % 50 == 0)
			assert_true(sw_heap_check(&heap));
	}
	assert_true(heap.count > 100);
	while (heap.count) {
		int item = sw_heap_pop(&heap);
		assert_true(heap.priority[item] > last || (heap.priority[item] == last && item > last_item));
		last = heap.priority[item];
		last_item = item;
	}
	assert_int_equal(sw_heap_pop(&heap), -1);
	sw_heap_free(&heap);
}

/* ---- what may not be taken, and why ---- */

static const char *refusal(const sw_walk *walk, sw_arena *arena, sw_op op, int gather, int split, int64_t factor)
{
	sw_edge *edges;
	int count = sw_walk_edges(walk, sw_walk_problem(walk)->from.tile, true, arena, &edges);

	for (int k = 0; k < count; k++) {
		const sw_move *m = &edges[k].move;
		if (m->op != op || (gather >= 0) != (m->gathers == 1) || (split >= 0) != (m->splits == 1))
			continue;
		if (gather >= 0 && (m->gather[0].dim != gather || m->gather[0].factor != factor))
			continue;
		if (split >= 0 && (m->split[0].dim != split || m->split[0].factor != factor))
			continue;
		assert_true((edges[k].state == SW_EDGE_REFUSED) == (edges[k].why[0] != 0));
		return edges[k].why;
	}
	return "not listed";
}

/* A place with millions of edges lists the first ones. */
static void test_edges_are_bounded(void **state)
{
	sw_problem problem;
	sw_arena *arena = sw_arena_new();
	sw_edge *edges;
	(void)state;

	read_problem("{a: 5040, b: 5040}",
		"[1{a}5040, 1{b}5040, 5040, 5040, 5040] ~> [5040, 5040, 5040, 1{b}5040, 1{a}5040]", &problem);
	sw_walk *walk = sw_walk_new(&problem, &(sw_walk_options){.multi_dim = true}, NULL);
	int count = sw_walk_edges(walk, problem.from.tile, false, arena, &edges);
	assert_int_equal(count, SW_EDGES_MOST);
	assert_int_equal(sw_walk_edges(walk, problem.from.tile, true, arena, &edges), SW_EDGES_MOST);
	sw_walk_free(walk);
	sw_arena_free(arena);
}

static void test_refusals_say_why(void **state)
{
	sw_problem problem;
	sw_arena *arena = sw_arena_new();
	(void)state;

	read_problem("{x: 2, y: 3}", "[6{x}12, 3] ~> [12, 1{y}3]", &problem);
	sw_walk *walk = sw_walk_new(&problem, &(sw_walk_options){.budget = 36}, NULL);
	assert_string_equal(refusal(walk, arena, SW_ALLTOALL, 0, 1, 2),
		"local size 3 of dimension 1 is not divisible by 2");
	assert_string_equal(refusal(walk, arena, SW_ALLTOALL, 1, 0, 2), "dimension 1 is not partitioned");
	assert_string_equal(refusal(walk, arena, SW_DYNSLICE, -1, 0, 2), "the mesh has no more factor 2 to slice by");
	assert_string_equal(refusal(walk, arena, SW_DYNSLICE, -1, 1, 3), "");
	assert_string_equal(refusal(walk, arena, SW_ALLGATHER, 0, -1, 2), "");
	assert_string_equal(refusal(walk, arena, SW_ALLGATHER, 0, -1, 3),
		"dimension 0 is split into 2 tiles, which is not divisible by 3");
	assert_string_equal(refusal(walk, arena, SW_ALLGATHER, 0, -1, 6), "not listed");
	sw_walk_free(walk);

	read_problem("{x: 2, y: 3}", "[6{x}12, 1] ~> [4{y}12, 1]", &problem);
	walk = sw_walk_new(&problem, &(sw_walk_options){.without = 1u << SW_DYNSLICE}, NULL);
	assert_string_equal(refusal(walk, arena, SW_ALLGATHER, 0, -1, 2), "12 elements are above the budget of 6");
	assert_string_equal(refusal(walk, arena, SW_DYNSLICE, -1, 0, 3), "dynslice is forbidden here");
	sw_walk_free(walk);
	sw_arena_free(arena);
}

static void test_nodes_that_cannot_be(void **state)
{
	static const struct {
		int64_t tile[2];
		const char *why;
	} rows[] = {
		{{5, 3}, "there is no node with tile 5 in dimension 0: it does not divide 12"},
		{{0, 3}, "there is no node with tile 0 in dimension 0: it does not divide 12"},
		{{3, 3}, "tile 3 splits dimension 0 into 4, but the mesh does not have these factors"},
		{{4, 1}, "the tiling uses the factor 3 2 times, but the mesh has it 1 times"},
		{{12, 3}, "36 elements are above the budget of 18"},
	};
	sw_problem problem;
	sw_node node;
	sw_diag diag;
	(void)state;

	read_problem("{x: 2, y: 3}", "[6{x}12, 3] ~> [12, 1{y}3]", &problem);
	sw_walk *walk = sw_walk_new(&problem, &(sw_walk_options){0}, NULL);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		assert_false(sw_walk_node_at(walk, rows[k].tile, &node, &diag));
		assert_int_equal(diag.code, SW_S06);
		assert_string_equal(diag.message, rows[k].why);
	}
	assert_true(sw_walk_node_at(walk, (int64_t[]){6, 1}, &node, &diag));
	assert_int_equal(node.state, SW_NODE_UNSEEN);
	assert_int_equal(node.id, 0);
	assert_true(sw_walk_step(walk, NULL));
	assert_true(sw_walk_node_at(walk, (int64_t[]){6, 1}, &node, &diag));
	assert_int_equal(node.state, SW_NODE_FRONTIER);
	assert_int_equal(node.via.op, SW_DYNSLICE);
	assert_int_equal(node.parent, 1);
	sw_walk_free(walk);
}

static void test_budget_too_small(void **state)
{
	sw_problem problem;
	sw_diag diag;
	sw_local_path path;
	sw_arena *arena = sw_arena_new();
	sw_walk_options options = {.budget = 17};
	(void)state;

	read_problem("{x: 2, y: 3}", "[6{x}12, 3] ~> [12, 1{y}3]", &problem);
	assert_null(sw_walk_new(&problem, &options, &diag));
	assert_int_equal(diag.code, SW_S01);
	assert_non_null(strstr(diag.hint, "18"));
	assert_false(sw_local_shortest(&problem, &options, NULL, arena, &path, &diag));
	assert_int_equal(diag.code, SW_S01);
	read_problem("{x: 2}", "[6{x}12] ~> [12]", &problem);
	options = (sw_walk_options){.without = 1u << SW_ALLGATHER};
	assert_false(sw_local_shortest(&problem, &options, NULL, arena, &path, &diag));
	assert_int_equal(diag.code, SW_S02);
	sw_walk *walk = sw_walk_new(&problem, &options, NULL);
	assert_false(sw_walk_finish(walk, NULL, &diag));
	assert_int_equal(diag.code, SW_S02);
	sw_walk_free(walk);
	sw_arena_free(arena);
}

/* ---- stopping ---- */

static bool stop_after(void *context, const char *what, long long done, long long total)
{
	int *left = context;
	(void)what;
	(void)done;
	(void)total;
	return (*left)-- > 0;
}

static void test_finish_can_be_stopped(void **state)
{
	sw_problem problem;
	sw_diag diag;
	(void)state;

	read_problem("{a: 16, b: 16, c: 16}", "[1{a}16, 16{b}256, 256, 16] ~> [16, 256, 16{b}256, 1{a}16]", &problem);
	sw_walk *walk = sw_walk_new(&problem, &(sw_walk_options){0}, NULL);
	int settled = 0, rounds = 0;
	for (;; rounds++) {
		int left = 1;
		if (sw_walk_finish(walk, &(sw_pulse){stop_after, &left}, &diag))
			break;
		assert_int_equal(diag.code, SW_S03);
		assert_true(sw_walk_settled(walk) > settled);
		settled = sw_walk_settled(walk);
	}
	assert_true(rounds > 0);
	assert_true(sw_walk_done(walk));
	sw_walk_free(walk);
}

/* ---- known answers ---- */

static void check_case(const char *line, sw_arena *arena)
{
	json_t *json = json_loads(line, 0, NULL);
	const char *name, *mesh, *from, *to;
	json_int_t cost;
	sw_problem problem;
	sw_local_path path;
	char types[1000];

	assert_non_null(json);
	assert_int_equal(json_unpack(json, "{s:s, s:s, s:s, s:s, s:I}", "name", &name, "mesh", &mesh, "from", &from, "to",
						 &to, "weak_cost", &cost),
		0);
	snprintf(types, sizeof types, "%s ~> %s", from, to);
	read_problem(mesh, types, &problem);
	assert_true(sw_local_shortest(&problem, &(sw_walk_options){0}, NULL, arena, &path, NULL));
	if (path.cost != cost)
		print_message("%s: %lld, not %lld\n", name, (long long)path.cost, (long long)cost);
	assert_int_equal(path.cost, cost);
	json_decref(json);
}

static void test_cases_like_the_papers(void **state)
{
	FILE *file = cases_open("paper-like.jsonl");
	sw_arena *arena = sw_arena_new();
	char *line = NULL;
	size_t room = 0;
	int count = 0;
	(void)state;

	if (!file) {
		sw_arena_free(arena);
		print_message("no cases here\n");
		skip();
	}
	for (; getline(&line, &room, file) > 0; count++) {
		sw_arena_clear(arena);
		check_case(line, arena);
	}
	assert_true(count > 0);
	print_message("%d cases\n", count);
	free(line);
	fclose(file);
	sw_arena_free(arena);
}

/* 2^20 devices: what can be told by thought. */
static void test_large_meshes(void **state)
{
	static const struct {
		const char *from, *to;
		int moves;
		int64_t cost;
	} rows[] = {
		/* gather along one dimension, after an alltoall to it from each of the others */
		{"[1{a}1024, 1{b}1024, 16, 16, 16, 16]", "[1024, 1024, 16, 16, 16, 16]", 2, ((int64_t)1 << 36) + (1 << 26)},
		{"[1024, 1024, 16, 16, 16, 16]", "[1{a}1024, 1{b}1024, 16, 16, 16, 16]", 2, 0},
		{"[1{a}1024, 1024, 1024, 1{b}1024, 16, 16]", "[1024, 1{b}1024, 1{a}1024, 1024, 16, 16]", 2, (int64_t)2 << 28},
	};
	sw_arena *arena = sw_arena_new();
	(void)state;

	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		sw_problem problem;
		sw_local_path path;
		char types[300];
		snprintf(types, sizeof types, "%s ~> %s", rows[k].from, rows[k].to);
		read_problem("{a: 1024, b: 1024}", types, &problem);
		assert_true(sw_local_shortest(&problem, &(sw_walk_options){0}, NULL, arena, &path, NULL));
		assert_int_equal(path.cost, rows[k].cost);
		assert_int_equal(path.count, rows[k].moves);
	}
	assert_true(sw_arena_bytes(arena) < 1 << 20);
	sw_arena_free(arena);
}

static void test_no_dimensions_and_one_device(void **state)
{
	static const char *const rows[] = {"[] ~> []", "[7] ~> [7]", "[1, 5] ~> [1, 5]"};
	sw_arena *arena = sw_arena_new();
	(void)state;

	for (int k = 0; k < 6; k++) {
		sw_problem problem;
		sw_local_path path;
		sw_node node;
		read_problem(k & 1 ? "{x: 1}" : "{x: 4}", rows[k / 2], &problem);
		for (int multi_dim = 0; multi_dim < 2; multi_dim++) {
			sw_walk_options options = {.multi_dim = multi_dim};
			assert_true(sw_local_shortest(&problem, &options, NULL, arena, &path, NULL));
			assert_int_equal(path.count, 0);
			assert_int_equal(path.cost, 0);
			sw_walk *walk = sw_walk_new(&problem, &options, NULL);
			assert_true(sw_walk_finish(walk, NULL, NULL));
			assert_true(sw_walk_node(walk, 1, &node));
			assert_true(node.is_start && node.is_goal);
			sw_walk_free(walk);
		}
	}
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_shortest_is_shortest),
		TEST(test_back_restores_everything),
		TEST(test_back_from_the_end),
		TEST(test_frontier_leaves_in_its_order),
		TEST(test_heap_keeps_its_order),
		TEST(test_edges_are_bounded),
		TEST(test_refusals_say_why),
		TEST(test_nodes_that_cannot_be),
		TEST(test_budget_too_small),
		TEST(test_finish_can_be_stopped),
		TEST(test_cases_like_the_papers),
		TEST(test_large_meshes),
		TEST(test_no_dimensions_and_one_device),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
