/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans between types with sums: against a search that looks at all states of four and of eight devices and shares no code with
 * the engine; and random problems, whose plans are checked and executed (PROBLEMS says how many).
 */
#include <math.h>

#include <shardwalk/arena.h>
#include <shardwalk/plan.h>
#include <shardwalk/walk.h>

#include "kit/problem.h"
#include "plan/tile_numbers.h"

enum { PARTS = 3, RANK = 3, STATES = 400 };

/* ---- all states ---- */

/* Parts major to minor in each dimension, and those that are summed. */
typedef struct state {
	int length[RANK];
	int part[RANK][PARTS];
	unsigned summed;
	int64_t tile[RANK], size;
	double cost;
} state;

typedef struct world {
	int parts, rank;
	sw_part part[PARTS];
	int64_t global[RANK];
	bool multi_dim, volume;
	unsigned without;
	int64_t budget;
	int count;
	state at[STATES];
} world;

static unsigned cutting(const world *w, const state *s)
{
	unsigned parts = 0;

	for (int i = 0; i < w->rank; i++)
		for (int k = 0; k < s->length[i]; k++)
			parts |= 1u << s->part[i][k];
	return parts;
}

static int64_t product(const world *w, unsigned parts)
{
	int64_t out = 1;

	for (int p = 0; p < w->parts; p++)
		out *= (parts >> p & 1) != 0 ? w->part[p].size : 1;
	return out;
}

static bool same(const world *w, const state *a, const state *b)
{
	if (a->summed != b->summed)
		return false;
	for (int i = 0; i < w->rank; i++)
		if (a->length[i] != b->length[i] ||
			memcmp(a->part[i], b->part[i], (size_t)a->length[i] * sizeof *a->part[i]) != 0)
			return false;
	return true;
}

static int find_state(const world *w, const state *s)
{
	int k = 0;

	while (k < w->count && !same(w, &w->at[k], s))
		k++;
	return k;
}

/* All states that have at least what `s` has. */
static void add_states(world *w, const state *s)
{
	if (find_state(w, s) < w->count)
		return;
	assert_true(w->count < STATES);
	w->at[w->count++] = *s;
	unsigned free = ((1u << w->parts) - 1) & ~cutting(w, s) & ~s->summed;
	for (int p = 0; p < w->parts; p++) {
		state next = *s;

		if ((free >> p & 1) == 0)
			continue;
		next.summed |= 1u << p;
		add_states(w, &next);
		for (int i = 0; i < w->rank; i++) {
			if (s->tile[i] % w->part[p].size != 0)
				continue;
			next = *s;
			next.part[i][next.length[i]++] = p;
			next.tile[i] /= w->part[p].size;
			next.size /= w->part[p].size;
			add_states(w, &next);
		}
	}
}

/* What one step does to the dimensions; false where one of them is neither popped nor pushed alone. */
typedef struct difference {
	unsigned popped, pushed;
	int pops, pushes;
} difference;

static bool differ(const world *w, const state *a, const state *b, difference *d)
{
	*d = (difference){0};
	for (int i = 0; i < w->rank; i++) {
		const state *more = a->length[i] > b->length[i] ? a : b;
		int least = a->length[i] < b->length[i] ? a->length[i] : b->length[i];

		if (memcmp(a->part[i], b->part[i], (size_t)least * sizeof *a->part[i]) != 0)
			return false;
		for (int k = least; k < more->length[i]; k++)
			*(more == a ? &d->popped : &d->pushed) |= 1u << more->part[i][k];
		d->pops += a->length[i] > least;
		d->pushes += b->length[i] > least;
	}
	return true;
}

static double share(const world *w, double whole, int64_t group)
{
	return w->volume ? whole * (double)(group - 1) / (double)group : whole;
}

static bool may(const world *w, sw_op op)
{
	return (w->without >> op & 1) == 0;
}

/* The cheapest step by the rules of the table; negative: there is none. */
static double step_cost(const world *w, const state *a, const state *b)
{
	bool shape = memcmp(a->tile, b->tile, (size_t)w->rank * sizeof *a->tile) == 0;
	bool one = w->multi_dim;
	unsigned left = a->summed & ~b->summed, came = b->summed & ~a->summed;
	double size = (double)a->size, permute = -1;
	difference d;

	if (shape && product(w, a->summed) == product(w, b->summed) && may(w, SW_ALLPERMUTE))
		permute = size;
	if (!differ(w, a, b, &d))
		return permute;
	one = one || (d.pops <= 1 && d.pushes <= 1);
	int64_t brought = product(w, d.popped) * product(w, left);
	if (left == 0 && came == 0 && d.popped == 0 && d.pushed != 0 && may(w, SW_DYNSLICE))
		return 0;
	if (left == 0 && came != 0 && d.popped == 0 && d.pushed == 0 && may(w, SW_ZEROS))
		return 0;
	if (left == 0 && came != 0 && d.popped == came && d.pushed == 0 && may(w, SW_PAD))
		return 0;
	if (left == 0 && came == 0 && d.popped != 0 && d.pushed == 0 && one)
		return share(w, (double)b->size, product(w, d.popped));
	if (left == 0 && came == 0 && d.popped != 0 && brought == product(w, d.pushed) && one)
		return share(w, size, brought);
	if (left != 0 && came == 0 && d.popped == 0 && d.pushed == 0)
		return share(w, 2 * size, brought);
	if (left != 0 && came == 0 && d.pushed != 0 && brought == product(w, d.pushed) &&
		(w->multi_dim || (d.pops == 0 && d.pushes == 1)))
		return share(w, size, brought);
	return permute;
}

/* Costs from one state to all. */
static void solve(world *w, int from)
{
	bool done[STATES] = {false};

	for (int k = 0; k < w->count; k++)
		w->at[k].cost = k == from ? 0 : INFINITY;
	for (;;) {
		int best = -1;

		for (int k = 0; k < w->count; k++)
			if (!done[k] && isfinite(w->at[k].cost) && (best < 0 || w->at[k].cost < w->at[best].cost))
				best = k;
		if (best < 0)
			return;
		done[best] = true;
		for (int k = 0; k < w->count; k++) {
			double cost = k != best && w->at[k].size <= w->budget ? step_cost(w, &w->at[best], &w->at[k]) : -1;

			if (cost >= 0)
				w->at[k].cost = fmin(w->at[k].cost, w->at[best].cost + cost);
		}
	}
}

/* ---- worlds ---- */

static void read_parts(world *w, const sw_mesh *mesh)
{
	w->parts = 0;
	for (int a = 0; a < mesh->count; a++)
		for (int64_t pre = 1, size = mesh->axis[a].size, prime = size % 2 == 0 ? 2 : size; pre < size; pre *= prime)
			w->part[w->parts++] = (sw_part){a, pre, prime};
}

static void make_world(world *w, const sw_mesh *mesh, const char *shape)
{
	sw_type type = type_of(mesh, shape);
	state s = {.size = sw_type_globalsize(&type)};

	read_parts(w, mesh);
	w->rank = type.rank;
	w->count = 0;
	memcpy(w->global, type.global, (size_t)type.rank * sizeof *w->global);
	memcpy(s.tile, type.global, (size_t)type.rank * sizeof *s.tile);
	add_states(w, &s);
}

static void to_type(const world *w, const sw_mesh *mesh, const char *shape, const state *s, sw_type *type)
{
	sw_part parts[PARTS];
	int n = 0;

	*type = type_of(mesh, shape);
	for (int i = 0; i < w->rank; i++)
		for (int k = s->length[i] - 1; k >= 0; k--)
			parts[n++] = w->part[s->part[i][k]];
	assert_true(sw_type_partition(mesh, type, s->length, parts, NULL));
	n = 0;
	for (int p = 0; p < w->parts; p++)
		if ((s->summed >> p & 1) != 0)
			parts[n++] = w->part[p];
	assert_true(sw_type_set_sums(mesh, type, parts, n, NULL));
}

static const char *said(const sw_problem *problem)
{
	static char said[400];
	sw_text text = {0};

	sw_type_print(&problem->mesh, &problem->from, false, &text);
	sw_text_add(&text, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, false, &text);
	snprintf(said, sizeof said, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return said;
}

/* What is asked of the search. */
static const struct asked {
	const char *name;
	sw_strategy strategy;
	sw_model model;
	unsigned without;
} asked[] = {
	{"exact", SW_EXACT, SW_MODEL_PAPER, 0},
	{"fused", SW_FUSED, SW_MODEL_PAPER, 0},
	{"fused by volume", SW_FUSED, SW_MODEL_VOLUME, 0},
	{"exact by volume", SW_EXACT, SW_MODEL_VOLUME, 0},
	{"fused without zeros and pads", SW_FUSED, SW_MODEL_PAPER, 1u << SW_ZEROS | 1u << SW_PAD},
	{"exact without permutations", SW_EXACT, SW_MODEL_PAPER, 1u << SW_ALLPERMUTE},
	{"fused without slices", SW_FUSED, SW_MODEL_PAPER, 1u << SW_DYNSLICE},
};

static void compare(world *w, const sw_problem *problem, const struct asked *how, int from, int to, sw_arena *arena)
{
	sw_plan_options options = {.strategy = how->strategy, .model = how->model, .without = how->without};
	int64_t a = w->at[from].size, b = w->at[to].size;
	sw_diag diag;
	sw_plan plan;

	w->multi_dim = how->strategy == SW_FUSED;
	w->volume = how->model == SW_MODEL_VOLUME;
	w->without = how->without;
	w->budget = a > b ? a : b;
	solve(w, from);
	bool found = sw_plan_find(problem, &options, arena, &plan, &diag);
	if (found != isfinite(w->at[to].cost))
		fail_msg("%s, %s: %s", said(problem), how->name, found ? "there is no plan" : diag.message);
	if (!found)
		return;
	if (fabs(plan.model_cost - w->at[to].cost) > 1e-6 * plan.model_cost)
		fail_msg("%s, %s costs %g, not %g", said(problem), how->name, w->at[to].cost, plan.model_cost);
	if (!plan.optimal)
		fail_msg("%s, %s: not proved", said(problem), how->name);
	if (!sw_plan_check(&plan, &diag))
		fail_msg("%s, %s: %s", said(problem), how->name, diag.message);
}

static void all_of_four_devices(void **unused)
{
	static const char *meshes[] = {"{x: 2, y: 2}", "{x: 4}"}, *shapes[] = {"[8]", "[4, 2]", "[6, 4]", "[3, 2]", "[]"};
	world *w = malloc(sizeof *w);
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (size_t m = 0; m < COUNT(meshes); m++)
		for (size_t s = 0; s < COUNT(shapes); s++) {
			sw_problem problem = {.mesh = mesh_of(meshes[m])};

			make_world(w, &problem.mesh, shapes[s]);
			for (int k = 0; k < w->count * w->count; k++) {
				int from = k / w->count, to = k % w->count;

				if ((w->at[from].summed | w->at[to].summed) == 0)
					continue;
				to_type(w, &problem.mesh, shapes[s], &w->at[from], &problem.from);
				to_type(w, &problem.mesh, shapes[s], &w->at[to], &problem.to);
				sw_arena_clear(arena);
				for (size_t h = 0; h < COUNT(asked); h++)
					compare(w, &problem, &asked[h], from, to, arena);
			}
		}
	sw_arena_free(arena);
	free(w);
}

static void some_of_eight_devices(void **unused)
{
	static const char *meshes[] = {"{x: 2, y: 2, z: 2}", "{x: 4, y: 2}", "{x: 8}", "{x: 2, y: 3}",
		"{x: 3, y: 2, z: 2}"};
	static const char *shapes[] = {"[8]", "[4, 6]", "[12, 2]", "[6, 4, 2]"};
	draw random = draw_start("eight devices");
	world *w = malloc(sizeof *w);
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (int k = 0; k < 40; k++) {
		const char *shape = shapes[draw_below(&random, (int)COUNT(shapes))];
		sw_problem problem = {.mesh = mesh_of(meshes[draw_below(&random, (int)COUNT(meshes))])};

		make_world(w, &problem.mesh, shape);
		for (int n = 0; n < 4; n++) {
			int from = draw_below(&random, w->count), to = draw_below(&random, w->count);

			if ((w->at[from].summed | w->at[to].summed) == 0)
				continue;
			to_type(w, &problem.mesh, shape, &w->at[from], &problem.from);
			to_type(w, &problem.mesh, shape, &w->at[to], &problem.to);
			sw_arena_clear(arena);
			compare(w, &problem, &asked[draw_below(&random, (int)COUNT(asked))], from, to, arena);
		}
	}
	sw_arena_free(arena);
	free(w);
}

/* Zeros over y, which `to` does not sum, and a reducescatter that moves z as well: nothing else is as cheap without slices. */
static void zeros_in_place_of_slices(void **unused)
{
	sw_problem problem = {.mesh = mesh_of("{x: 3, y: 2, z: 2}")};
	sw_plan_options options = {.strategy = SW_FUSED, .without = 1u << SW_DYNSLICE};
	sw_arena *arena = sw_arena_new();
	sw_diag diag;
	sw_plan plan;

	(void)unused;
	problem.from = type_of(&problem.mesh, "[4, 1{z,x}6]");
	problem.to = type_of(&problem.mesh, "[2{y}4, 6]+{z}");
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(plan.cost, 10);
	assert_true(plan.optimal);
	sw_arena_free(arena);
}

static void plan_and_execute(const sw_problem *problem, sw_strategy strategy, sw_model model, sw_arena *arena,
	sw_plan *plan)
{
	sw_plan_options options = {.strategy = strategy, .model = model};
	sw_verify_options verify = {0};
	sw_verdict verdict;
	sw_diag diag;

	if (!sw_plan_find(problem, &options, arena, plan, &diag) || !sw_plan_check(plan, &diag))
		fail_msg("%s, %s: %s", said(problem), sw_strategy_name(strategy), diag.message);
	if (!sw_plan_verify(plan, &verify, &verdict, &diag) || !verdict.right)
		fail_msg("%s, %s: a wrong value (%s)", said(problem), sw_strategy_name(strategy), diag.message);
}

/* What stands at the ends cuts axes of several primes in orders that differ, or only another one does what is cheapest: costs are
 * those of a search over all types, written apart. */
static void axes_of_several_primes(void **unused)
{
	static const struct {
		const char *mesh, *text;
		int64_t exact, fused;
	} rows[] = {
		{"{x: 6}", "[6]+{x:(1)3} ~> [6]+{x:(1)2}", 7, 7},
		{"{x: 6}", "[6{x:(1)2}12]+{x:(2)3} ~> [12]+{x:(3)2}", 14, 14},
		{"{x: 12}", "[12]+{x:(2)2} ~> [4{x:(1)3}12]", 7, 7},
		{"{x: 12}", "[24, 2{x:(4)3}6]+{x:(1)2} ~> [2{x}24, 6]", 36, 24},
		{"{x: 24}", "[8{x:(6)2}16, 4{x:(12)2}8]+{x:(1)3} ~> [16, 4{x:(12)2}8]+{x:(2)2}", 80, 80},
		{"{x: 2, y: 6}", "[6, 12]+{x,y} ~> [2{y:(2)3}6, 3{y:(1)2,x}12]", 78, 72},
		{"{x: 6, y: 2}", "[6{x:(1)2}12, 12]+{y} ~> [2{x}12, 6{y}12]", 24, 24},
		{"{x: 6, y: 2}", "[1{x:(1)3,y}6]+{x:(3)2} ~> [2{x:(2)3}6]+{x:(1)2,y}", 1, 1},
		{"{x: 6, y: 6}", "[12{x}72, 8]+{y:(3)2} ~> [72, 4{x:(1)2}8]", 336, 336},
	};
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (size_t k = 0; k < COUNT(rows); k++) {
		sw_problem problem;
		sw_plan exact, fused;

		read_problem(rows[k].mesh, rows[k].text, &problem);
		sw_arena_clear(arena);
		plan_and_execute(&problem, SW_EXACT, SW_MODEL_PAPER, arena, &exact);
		plan_and_execute(&problem, SW_FUSED, SW_MODEL_PAPER, arena, &fused);
		if (exact.cost != rows[k].exact || fused.cost != rows[k].fused || !exact.optimal || !fused.optimal)
			fail_msg("%s: exact %lld, fused %lld", rows[k].text, (long long)exact.cost, (long long)fused.cost);
	}
	sw_arena_free(arena);
}

/* ---- random problems ---- */

/* Parts that cut nothing are summed now and then, those of an axis in any order of its primes. */
static void draw_sums(draw *random, const sw_mesh *mesh, sw_type *type)
{
	sw_part parts[SW_MAX_FACTORS];
	int n = 0;

	for (int a = 0; a < mesh->count; a++)
		for (int64_t pre = 1, size = mesh->axis[a].size; pre < size;) {
			int64_t primes[63];
			int count = sw_prime_factors(size / pre, primes);
			sw_part part = {a, pre, primes[draw_below(random, count)]};
			sw_type tried = *type;

			parts[n] = part;
			n += draw_below(random, 2) == 0 && sw_type_set_sums(mesh, &tried, parts, n + 1, NULL);
			pre *= part.size;
		}
	assert_true(sw_type_set_sums(mesh, type, parts, n, NULL));
}

static bool draw_with_sums(draw *random, sw_problem *problem)
{
	static const struct {
		int64_t axes[4];
		int count;
	} meshes[] = {{{2, 2}, 2}, {{4, 2}, 2}, {{2, 2, 2}, 3}, {{3, 2}, 2}, {{2, 3, 2}, 3}, {{6, 2}, 2}, {{4, 3}, 2},
		{{2, 2, 2, 2}, 4}, {{12}, 1}, {{8, 2}, 2}};
	int m = draw_below(random, (int)COUNT(meshes));

	draw_problem(random, meshes[m].axes, meshes[m].count, 1 + draw_below(random, 3), problem);
	draw_sums(random, &problem->mesh, &problem->from);
	if (draw_below(random, 3) == 0)
		draw_sums(random, &problem->mesh, &problem->to);
	return sw_type_terms(&problem->from) > 1 || sw_type_terms(&problem->to) > 1;
}

static void random_problems(void **unused)
{
	static const sw_strategy strategies[] = {SW_FUSED, SW_EXACT, SW_PAPER, SW_NAIVE, SW_SUM_FIRST, SW_DIRECT};
	int64_t problems = getenv("PROBLEMS") != NULL ? strtoll(getenv("PROBLEMS"), NULL, 10) : 600;
	draw random = draw_start("random problems");
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (int64_t k = 0; k < problems; k++) {
		sw_plan plan[SW_STRATEGY_COUNT];
		sw_problem problem;

		while (!draw_with_sums(&random, &problem))
			;
		sw_arena_clear(arena);
		for (size_t s = 0; s < COUNT(strategies); s++)
			plan_and_execute(&problem, strategies[s], SW_MODEL_PAPER, arena, &plan[strategies[s]]);
		assert_true(plan[SW_FUSED].cost <= plan[SW_EXACT].cost);
		assert_true(plan[SW_EXACT].cost <= plan[SW_PAPER].cost);
		assert_true(plan[SW_PAPER].permutes <= 1);
		assert_true(plan[SW_FUSED].height <= plan[SW_FUSED].budget);
		assert_true(plan[SW_EXACT].height <= plan[SW_EXACT].budget);
		if (plan[SW_SUM_FIRST].height <= plan[SW_FUSED].budget && plan[SW_FUSED].cost > plan[SW_SUM_FIRST].cost)
			fail_msg("%s: sum-first is cheaper", said(&problem));
	}
	sw_arena_free(arena);
}

static int64_t walked(const sw_problem *problem, bool multi_dim, bool directed)
{
	sw_walk_options options = {.multi_dim = multi_dim, .goal_directed = directed};
	sw_diag diag;
	sw_node goal;
	sw_walk *walk = sw_walk_new(problem, &options, &diag);

	if (walk == NULL || !sw_walk_finish(walk, NULL, &diag))
		fail_msg("%s: %s", said(problem), diag.message);
	assert_true(sw_walk_node(walk, sw_walk_goal(walk), &goal));
	sw_walk_free(walk);
	return goal.distance;
}

/* Nodes are local types and terms: their shortest path is what bounds the plans. */
static void walks(void **unused)
{
	draw random = draw_start("walks");
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (int k = 0; k < 120; k++) {
		sw_plan exact, fused;
		sw_problem problem;

		while (!draw_with_sums(&random, &problem))
			;
		sw_arena_clear(arena);
		plan_and_execute(&problem, SW_EXACT, SW_MODEL_PAPER, arena, &exact);
		plan_and_execute(&problem, SW_FUSED, SW_MODEL_PAPER, arena, &fused);
		for (int directed = 0; directed < 2; directed++) {
			if (walked(&problem, false, directed) != exact.local_cost)
				fail_msg("%s: walked to %lld, not %lld", said(&problem), (long long)walked(&problem, false, directed),
					(long long)exact.local_cost);
			assert_true(walked(&problem, true, directed) <= fused.cost);
		}
	}
	sw_arena_free(arena);
}

static void a_node_is_named_with_its_terms(void **unused)
{
	sw_walk_options options = {.goal_directed = true};
	int64_t there[] = {4, 12, 1}, nowhere[] = {8, 12, 4};
	sw_text text = {0};
	sw_problem problem;
	sw_node node;
	sw_diag diag;

	(void)unused;
	read_problem("{x: 2, y: 2}", "[8{x}16, 12]+{y} ~> [8{x}16, 12]", &problem);
	sw_walk *walk = sw_walk_new(&problem, &options, &diag);
	assert_true(walk != NULL && sw_walk_step(walk, &diag) && sw_walk_node(walk, 1, &node));
	assert_int_equal(sw_walk_places(walk), 3);
	sw_walk_print_place(walk, node.place, &text);
	assert_string_equal(sw_text_get(&text), "[8, 12]+2");
	sw_text_clear(&text);
	assert_true(sw_walk_node_at(walk, there, &node, &diag));
	sw_walk_print_place(walk, node.place, &text);
	assert_string_equal(sw_text_get(&text), "[4, 12]");
	assert_false(sw_walk_node_at(walk, nowhere, &node, &diag));
	assert_int_equal(diag.code, SW_S06);
	sw_text_free(&text);
	sw_walk_free(walk);
}

/* Under a model in seconds no strategy beats the one that looks at all of them. */
static void in_seconds(void **unused)
{
	static const sw_strategy strategies[] = {SW_EXACT, SW_PAPER, SW_SUM_FIRST};
	draw random = draw_start("in seconds");
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (int k = 0; k < 60; k++) {
		sw_plan fused, other;
		sw_problem problem;

		while (!draw_with_sums(&random, &problem))
			;
		sw_arena_clear(arena);
		plan_and_execute(&problem, SW_FUSED, SW_MODEL_LATENCY, arena, &fused);
		for (size_t s = 0; s < COUNT(strategies); s++) {
			plan_and_execute(&problem, strategies[s], SW_MODEL_LATENCY, arena, &other);
			if (other.height <= fused.budget && fused.model_cost > other.model_cost * (1 + 1e-9))
				fail_msg("%s: %s takes %g s, fused %g s", said(&problem), sw_strategy_name(strategies[s]),
					other.model_cost, fused.model_cost);
		}
	}
	sw_arena_free(arena);
}

/* ---- axes of size 1 ---- */

/* The type over a mesh that has axes of size 1 besides: `place` says where the old axes are, and each of the others cuts a
 * dimension somewhere, is summed, or neither. */
static void strew_singles(draw *random, const sw_type *type, const sw_mesh *mesh, const int *place, sw_type *out)
{
	sw_part parts[SW_MAX_PARTS], sums[SW_MAX_PARTS];
	int count[SW_MAX_DIMS + 1] = {0}, n = 0, where[SW_MAX_AXES];

	for (int a = 0; a < mesh->count; a++)
		where[a] = mesh->axis[a].size > 1 ? -1 : draw_below(random, type->rank + 2);
	for (int i = 0; i <= type->rank; i++) {
		sw_part own[SW_MAX_PARTS];
		int begin = n, length = sw_type_parts(type, i, own);

		for (int p = 0; p < length; p++)
			parts[n++] = (sw_part){place[own[p].axis], own[p].pre, own[p].size};
		for (int a = 0; a < mesh->count; a++)
			if (where[a] == i) {
				int at = begin + draw_below(random, n - begin + 1);

				memmove(parts + at + 1, parts + at, (size_t)(n++ - at) * sizeof *parts);
				parts[at] = (sw_part){a, 1, 1};
			}
		count[i] = n - begin;
	}
	int summed = count[type->rank];
	memcpy(sums, parts + n - summed, (size_t)summed * sizeof *sums);
	assert_true(sw_type_replicated(type->dtype, type->rank, type->global, out, NULL));
	assert_true(sw_type_partition(mesh, out, count, parts, NULL));
	assert_true(sw_type_set_sums(mesh, out, sums, summed, NULL));
}

static void with_singles(draw *random, const sw_problem *problem, sw_problem *out)
{
	int place[SW_MAX_AXES], singles = 'a';

	*out = (sw_problem){0};
	for (int a = 0; a <= problem->mesh.count; a++) {
		for (int k = draw_below(random, 2); k >= 0 && out->mesh.count < 9; k--)
			add_axis(&out->mesh, singles++ - 'a', 1);
		place[a] = out->mesh.count;
		if (a < problem->mesh.count)
			assert_true(
				sw_mesh_add(&out->mesh, sw_str_of((char[]){(char)('A' + a), 0}), problem->mesh.axis[a].size, NULL));
	}
	strew_singles(random, &problem->from, &out->mesh, place, &out->from);
	strew_singles(random, &problem->to, &out->mesh, place, &out->to);
}

/* Other systems order and move axes of size 1 like all others, as their records show; they too have a plan or a reason.  DTensor's
 * search looks at all placements over all axes. */
static void follow_singles(const sw_problem *singles, sw_strategy strategy, sw_model model, sw_arena *arena)
{
	sw_plan_options options = {.strategy = strategy, .model = model};
	sw_plan plan;
	sw_diag diag;

	if (singles->mesh.count > 5)
		return;
	if (sw_plan_find(singles, &options, arena, &plan, &diag))
		plan_and_execute(singles, strategy, model, arena, &plan);
	else
		assert_int_not_equal(diag.code, SW_E01);
}

/* An axis of size 1 cuts nothing and sums nothing: no price depends on it, and what was typed stays in the plan. */
static void axes_of_size_one_cost_nothing(void **unused)
{
	static const sw_model models[] = {SW_MODEL_PAPER, SW_MODEL_VOLUME, SW_MODEL_LATENCY, SW_MODEL_ROOFLINE};
	draw random = draw_start("axes of size 1");
	sw_arena *arena = sw_arena_new();

	(void)unused;
	for (int k = 0; k < 150; k++) {
		sw_problem problem, singles;
		sw_model model = models[k % (int)COUNT(models)];

		draw_with_sums(&random, &problem);
		with_singles(&random, &problem, &singles);
		sw_arena_clear(arena);
		for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
			sw_plan_options options = {.strategy = (sw_strategy)s, .model = model};
			sw_plan without, plan;
			sw_diag diag;

			if (sw_strategy_is((sw_strategy)s, SW_FOLLOWS)) {
				follow_singles(&singles, (sw_strategy)s, model, arena);
				continue;
			}
			if (!sw_plan_find(&problem, &options, arena, &without, &diag)) {
				assert_false(sw_plan_find(&singles, &options, arena, &plan, &diag));
				continue;
			}
			plan_and_execute(&singles, (sw_strategy)s, model, arena, &plan);
			if (plan.cost != without.cost || fabs(plan.model_cost - without.model_cost) > 1e-9 * without.model_cost)
				fail_msg("%s, %s: %g, without the axes of size 1 %g", said(&singles),
					sw_strategy_name((sw_strategy)s), plan.model_cost, without.model_cost);
			assert_true(sw_type_equal(&plan.problem.from, &singles.from));
			if (plan.program.steps > 0 && sw_type_equal(without.program.value[plan.program.steps].type, &problem.to))
				assert_true(sw_type_equal(plan.program.value[plan.program.steps].type, &singles.to));
		}
	}
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(all_of_four_devices),
		TEST(axes_of_size_one_cost_nothing),
		TEST(some_of_eight_devices),
		TEST(zeros_in_place_of_slices),
		TEST(axes_of_several_primes),
		TEST(random_problems),
		TEST(in_seconds),
		TEST(walks),
		TEST(a_node_is_named_with_its_terms),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
