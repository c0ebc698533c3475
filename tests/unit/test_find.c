/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding plans, against an exhaustive search over types that is as plain as possible, and against properties that hold
 * for every problem.
 */
#include <shardwalk/plan.h>
#include <shardwalk/walk.h>

#include "kit/problem.h"
#include "kit/kit.h"

/* ---- an exhaustive search ---- */

/* A type over prime axes, major to minor a dimension; nothing of the planner's is used. */
enum { DIMS = 3, PARTS = 4, MOST = 4096 };

struct arrangement {
	int length[DIMS];
	int at[DIMS][PARTS];
};

struct exhaustive {
	int rank, parts;
	int64_t prime[PARTS], global[DIMS], budget;
	bool multi_dim;
	int count;
	struct arrangement state[MOST];
	int64_t cost[MOST];
	bool settled[MOST];
};

static int64_t tile_of(const struct exhaustive *e, const struct arrangement *a, int dim)
{
	int64_t tile = e->global[dim];

	for (int k = 0; k < a->length[dim]; k++)
		tile /= e->prime[a->at[dim][k]];
	return tile;
}

static int64_t size_of(const struct exhaustive *e, const struct arrangement *a)
{
	int64_t size = 1;

	for (int i = 0; i < e->rank; i++)
		size *= tile_of(e, a, i);
	return size;
}

static bool same(const struct exhaustive *e, const struct arrangement *a, const struct arrangement *b)
{
	for (int i = 0; i < e->rank; i++) {
		if (a->length[i] != b->length[i])
			return false;
		for (int k = 0; k < a->length[i]; k++)
			if (a->at[i][k] != b->at[i][k])
				return false;
	}
	return true;
}

static int find_state(const struct exhaustive *e, const struct arrangement *a)
{
	for (int k = 0; k < e->count; k++)
		if (same(e, &e->state[k], a))
			return k;
	return -1;
}

static bool part_used(const struct exhaustive *e, const struct arrangement *a, int part)
{
	for (int i = 0; i < e->rank; i++)
		for (int k = 0; k < a->length[i]; k++)
			if (a->at[i][k] == part)
				return true;
	return false;
}

/* Every type of the array, by pushing parts one at a time. */
static void all_states(struct exhaustive *e)
{
	memset(&e->state[0], 0, sizeof e->state[0]);
	e->count = 1;
	for (int k = 0; k < e->count; k++)
		for (int i = 0; i < e->rank; i++)
			for (int p = 0; p < e->parts; p++) {
				struct arrangement next = e->state[k];

				if (part_used(e, &next, p) || tile_of(e, &next, i) % e->prime[p] != 0)
					continue;
				next.at[i][next.length[i]++] = p;
				if (find_state(e, &next) < 0) {
					assert_true(e->count < MOST);
					e->state[e->count++] = next;
				}
			}
}

/* What one collective from a to b costs, -1 where there is none.  In every dimension the common major parts stay;
 * the rest of a is popped, the rest of b is pushed. */
static int64_t edge(const struct exhaustive *e, const struct arrangement *a, const struct arrangement *b)
{
	int64_t before = size_of(e, a), after = size_of(e, b), popped = 1, pushed = 1;
	int pops = 0, pushes = 0, both = 0;
	bool same_tiles = true;

	for (int i = 0; i < e->rank; i++) {
		int common = 0;
		bool pop, push;

		while (common < a->length[i] && common < b->length[i] && a->at[i][common] == b->at[i][common])
			common++;
		pop = common < a->length[i];
		push = common < b->length[i];
		for (int k = common; k < a->length[i]; k++)
			popped *= e->prime[a->at[i][k]];
		for (int k = common; k < b->length[i]; k++)
			pushed *= e->prime[b->at[i][k]];
		pops += pop;
		pushes += push;
		both += pop && push;
		same_tiles = same_tiles && tile_of(e, a, i) == tile_of(e, b, i);
	}
	int64_t best = -1;
	if (pops == 0)
		return 0; /* dynslice */
	if (pushes == 0 && (e->multi_dim || pops == 1))
		return after; /* allgather */
	if (same_tiles)
		best = before; /* allpermute */
	if (both == 0 && pushes > 0 && popped == pushed && (e->multi_dim || (pops == 1 && pushes == 1)))
		best = before; /* alltoall */
	return best;
}

static int64_t exhaust(struct exhaustive *e, const struct arrangement *from, const struct arrangement *to)
{
	int goal = find_state(e, to);

	for (int k = 0; k < e->count; k++) {
		e->cost[k] = INT64_MAX;
		e->settled[k] = false;
	}
	e->cost[find_state(e, from)] = 0;
	for (;;) {
		int next = -1;

		for (int k = 0; k < e->count; k++)
			if (!e->settled[k] && e->cost[k] != INT64_MAX && (next < 0 || e->cost[k] < e->cost[next]))
				next = k;
		assert_true(next >= 0);
		if (next == goal)
			return e->cost[goal];
		e->settled[next] = true;
		for (int k = 0; k < e->count; k++) {
			int64_t cost;

			if (e->settled[k] || size_of(e, &e->state[k]) > e->budget)
				continue;
			cost = edge(e, &e->state[next], &e->state[k]);
			if (cost >= 0 && e->cost[next] + cost < e->cost[k])
				e->cost[k] = e->cost[next] + cost;
		}
	}
}

static const char *problem_text(const sw_problem *problem)
{
	static sw_text text;

	sw_text_clear(&text);
	sw_mesh_print(&problem->mesh, &text);
	sw_text_add(&text, " ");
	sw_type_print(&problem->mesh, &problem->from, false, &text);
	sw_text_add(&text, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, false, &text);
	return sw_text_get(&text);
}

static void find_by(sw_arena *arena, const sw_problem *problem, sw_strategy strategy, sw_plan *plan)
{
	sw_plan_options options = {.strategy = strategy};
	sw_diag diag = {0};

	if (!sw_plan_find(problem, &options, arena, plan, &diag))
		fail_msg("%s, %s: %s (%s)", problem_text(problem), sw_strategy_name(strategy), diag.message, diag.hint);
}

/* A strategy that follows another system may refuse where that system would pad tiles, or fail. */
static bool follows(sw_arena *arena, const sw_problem *problem, sw_strategy strategy)
{
	sw_plan_options options = {.strategy = strategy};
	sw_plan plan;
	sw_diag diag = {0};

	return strategy < SW_XLA || strategy == SW_DIRECT || sw_plan_find(problem, &options, arena, &plan, &diag) ||
		diag.code != SW_S02;
}

static int64_t cost_of(sw_arena *arena, const sw_problem *problem, sw_strategy strategy)
{
	sw_plan plan;

	find_by(arena, problem, strategy, &plan);
	return plan.cost;
}

/* ---- against the exhaustive search ---- */

/* Parts are the axes themselves: meshes of prime axes only. */
static void arrangement_of(const sw_type *type, struct arrangement *out)
{
	memset(out, 0, sizeof *out);
	for (int i = 0; i < type->rank; i++)
		for (int k = type->first[i + 1] - 1; k >= type->first[i]; k--)
			out->at[i][out->length[i]++] = sw_type_part(type, k).axis;
}

static void exhaust_problem(struct exhaustive *e, const sw_problem *problem, int64_t *single, int64_t *fused)
{
	struct arrangement from, to;
	int64_t a = sw_type_localsize(&problem->from), b = sw_type_localsize(&problem->to);

	e->rank = problem->from.rank;
	e->parts = problem->mesh.count;
	e->budget = a > b ? a : b;
	memcpy(e->global, problem->from.global, sizeof e->global);
	for (int p = 0; p < e->parts; p++)
		e->prime[p] = problem->mesh.axis[p].size;
	all_states(e);
	arrangement_of(&problem->from, &from);
	arrangement_of(&problem->to, &to);
	e->multi_dim = false;
	*single = exhaust(e, &from, &to);
	e->multi_dim = true;
	*fused = exhaust(e, &from, &to);
}

static const struct {
	int64_t axes[PARTS];
	int count, rank;
	bool one_prime;
} small_meshes[] = {
	{{2, 2, 2}, 3, 3, true},
	{{3, 3}, 2, 3, true},
	{{3, 3, 3}, 3, 2, true},
	{{2, 2, 2, 2}, 4, 2, true},
	{{3, 2, 2}, 3, 3, false},
	{{2, 3}, 2, 2, false},
	{{2, 3, 2, 3}, 4, 2, false},
};

static void exhaustive_agrees(void **state)
{
	draw random = draw_start("exhaustive");
	struct exhaustive *e = malloc(sizeof *e);
	sw_arena *arena = sw_arena_new();
	int cheaper = 0;

	(void)state;
	for (int k = 0; k < 140; k++) {
		int m = k % (int)(sizeof small_meshes / sizeof *small_meshes);
		sw_problem problem;
		sw_plan exact, fused;
		int64_t single, multi_dim;

		draw_problem(&random, small_meshes[m].axes, small_meshes[m].count, small_meshes[m].rank, &problem);
		exhaust_problem(e, &problem, &single, &multi_dim);
		sw_arena_clear(arena);
		find_by(arena, &problem, SW_EXACT, &exact);
		find_by(arena, &problem, SW_FUSED, &fused);
		if (exact.cost > single || fused.cost > multi_dim)
			fail_msg("%s: exact %lld, exhaustive %lld; fused %lld, exhaustive %lld", problem_text(&problem),
				(long long)exact.cost, (long long)single, (long long)fused.cost, (long long)multi_dim);
		if (small_meshes[m].one_prime) {
			assert_int_equal(exact.cost, single);
			assert_int_equal(fused.cost, multi_dim);
			assert_true(exact.optimal && fused.optimal);
		}
		cheaper += exact.cost < single || fused.cost < multi_dim;
		assert_true(!exact.optimal || exact.lower_bound == exact.cost);
		assert_true(fused.lower_bound <= fused.cost);
	}
	print_message("cheaper than every plan of types in %d problems\n", cheaper);
	sw_arena_free(arena);
	free(e);
}

/* ---- properties ---- */

static const struct {
	int64_t axes[8];
	int count;
} meshes[] = {{{2, 2, 2}, 3}, {{4, 6}, 2}, {{3, 2, 2}, 3}, {{4, 2, 2}, 3}, {{12}, 1}, {{2, 4}, 2}, {{5, 2}, 2},
	{{2, 2, 2, 2}, 4}, {{8, 3}, 2}, {{1, 4, 2}, 3}, {{6, 6}, 2}};

static void check_plan(const sw_problem *problem, sw_plan *plan, int64_t bound)
{
	sw_verify_options options = {0};
	sw_verdict verdict;
	sw_diag diag = {0};

	if (!sw_plan_check(plan, &diag))
		fail_msg("%s, %s: %s", problem_text(problem), sw_strategy_name(plan->strategy), diag.message);
	if (!sw_plan_verify(plan, &options, &verdict, &diag) || !verdict.right)
		fail_msg("%s, %s: not verified (%s)", problem_text(problem), sw_strategy_name(plan->strategy), diag.message);
	if (plan->strategy == SW_PAPER || plan->strategy == SW_EXACT || plan->strategy == SW_FUSED)
		assert_true(plan->height <= bound);
}

static void properties_hold(void **state)
{
	draw random = draw_start("properties");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 330; k++) {
		int m = k % (int)(sizeof meshes / sizeof *meshes);
		sw_problem problem;
		sw_plan plan[SW_STRATEGY_COUNT];
		int64_t from, to;

		draw_problem(&random, meshes[m].axes, meshes[m].count, 1 + draw_below(&random, 4), &problem);
		from = sw_type_localsize(&problem.from);
		to = sw_type_localsize(&problem.to);
		sw_arena_clear(arena);
		for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
			if (!follows(arena, &problem, (sw_strategy)s))
				continue;
			find_by(arena, &problem, (sw_strategy)s, &plan[s]);
			check_plan(&problem, &plan[s], from > to ? from : to);
		}
		assert_true(plan[SW_FUSED].cost <= plan[SW_EXACT].cost);
		assert_true(plan[SW_EXACT].cost <= plan[SW_PAPER].cost);
		assert_true(plan[SW_PAPER].local_cost <= plan[SW_EXACT].cost);
		assert_true(plan[SW_PAPER].cost <= plan[SW_PAPER].local_cost + to);
		assert_true(plan[SW_PAPER].permutes <= 1);
		assert_true(plan[SW_PAPER].normal_form);
	}
	sw_arena_free(arena);
}

static void triangle_inequality(void **state)
{
	static const int64_t axes[][4] = {{2, 2, 2}, {3, 3, 3}};
	draw random = draw_start("triangle");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 200; k++) {
		sw_problem ac, ab, bc;

		draw_problem(&random, axes[k % 2], 3, 2, &ac);
		ab = bc = ac;
		draw_parts(&random, &ac.mesh, &ab.to);
		bc.from = ab.to;
		int64_t a = sw_type_localsize(&ac.from), c = sw_type_localsize(&ac.to);
		if (sw_type_localsize(&ab.to) > (a > c ? a : c))
			continue;
		sw_arena_clear(arena);
		for (int s = SW_EXACT; s <= SW_FUSED; s++)
			if (cost_of(arena, &ac, (sw_strategy)s) >
				cost_of(arena, &ab, (sw_strategy)s) + cost_of(arena, &bc, (sw_strategy)s))
				fail_msg("%s by way of another type is cheaper", problem_text(&ac));
	}
	sw_arena_free(arena);
}

/* The same array on a mesh whose axis 0 of 4 is two axes of 2 (axis 0 the major, the last the minor half). */
static void split_axis(const sw_problem *problem, sw_problem *out)
{
	const sw_type *types[] = {&problem->from, &problem->to};
	sw_type *outs[] = {&out->from, &out->to};

	*out = (sw_problem){0};
	add_axis(&out->mesh, 0, 2);
	add_axis(&out->mesh, 25, 2);
	for (int a = 1; a < problem->mesh.count; a++)
		add_axis(&out->mesh, a, problem->mesh.axis[a].size);
	for (int e = 0; e < 2; e++) {
		sw_part parts[SW_MAX_PARTS];
		int count[SW_MAX_DIMS] = {0}, n = 0;

		for (int i = 0; i < types[e]->rank; i++)
			for (int k = types[e]->first[i]; k < types[e]->first[i + 1]; k++) {
				sw_part part = sw_type_part(types[e], k);

				count[i] += part.axis == 0 ? 2 : 1;
				if (part.axis == 0) {
					parts[n++] = (sw_part){1, 1, 2};
					parts[n++] = (sw_part){0, 1, 2};
				} else {
					parts[n++] = (sw_part){part.axis + 1, 1, part.size};
				}
			}
		*outs[e] = *types[e];
		assert_true(sw_type_partition(&out->mesh, outs[e], count, parts, NULL));
	}
}

static void axes_do_not_matter(void **state)
{
	static const int64_t axes[][3] = {{4, 2}, {4, 4}};
	draw random = draw_start("axes");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 100; k++) {
		sw_problem problem, split, padded;

		draw_problem(&random, axes[k % 2], 2, 3, &problem);
		split_axis(&problem, &split);
		padded = problem;
		add_axis(&padded.mesh, 20, 1);
		sw_arena_clear(arena);
		for (int s = SW_PAPER; s <= SW_FUSED; s++) {
			int64_t cost = cost_of(arena, &problem, (sw_strategy)s);

			assert_int_equal(cost, cost_of(arena, &padded, (sw_strategy)s));
			if (s != SW_PAPER)
				assert_int_equal(cost, cost_of(arena, &split, (sw_strategy)s));
		}
	}
	sw_arena_free(arena);
}

/* ---- options ---- */

static const struct known_answers_row {
	const char *mesh, *problem;
	int64_t exact, fused;
} known_answers_rows[] = {
	{"{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", 18, 18},
	{"{x: 4, y: 2, z: 4}", "[8{y}16, 4{x}16] ~> [16, 16]", 272, 256},
	{"{a: 8}", "[1{a}8, 8] ~> [8, 1{a}8]", 8, 8},
	{"{x: 4, y: 4}", "[16, 16] ~> [4{x}16, 16]", 0, 0},
	{"{x: 4}", "[4{x}16] ~> [16]", 16, 16},
	{"{x: 4}", "[4{x}16] ~> [4{x}16]", 0, 0},
	{"{x: 1}", "[16] ~> [16]", 0, 0},
	{"{x: 2}", "[] ~> []", 0, 0},
	{"{a: 1, b: 2, c: 2}", "[2{b}4, 2{c}4, 3{a}3] ~> [4, 4{a}4, 3]", 60, 48},
	{"{a: 6}", "[3{a:(1)2}6, 2{a:(2)3}6] ~> [2{a:(1)3}6, 3{a:(3)2}6]", 12, 12},
	{"{a: 30}", "[6{a:(1)5}30, 5{a:(5)6}30] ~> [5{a:(1)6}30, 6{a:(6)5}30]", 60, 60},
};

static void known_answers(void **state)
{
	const struct known_answers_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;

	read_problem(row->mesh, row->problem, &problem);
	assert_int_equal(cost_of(arena, &problem, SW_EXACT), row->exact);
	assert_int_equal(cost_of(arena, &problem, SW_FUSED), row->fused);
	sw_arena_free(arena);
}

/* One axis, cut at `cut` into two dimensions. */
static void cut_axis(const sw_mesh *mesh, int64_t cut, sw_type *type)
{
	char text[80];
	int64_t devices = mesh->devices;

	snprintf(text, sizeof text, "[{a:(1)%lld}%lld, {a:(%lld)%lld}%lld]", (long long)cut, (long long)devices,
		(long long)cut, (long long)(devices / cut), (long long)devices);
	assert_true(sw_type_parse(mesh, sw_str_of(text), type, NULL));
}

static void no_idle_permute(sw_arena *arena, const sw_problem *problem, sw_strategy strategy)
{
	sw_plan plan;

	find_by(arena, problem, strategy, &plan);
	check_plan(problem, &plan, plan.budget);
	for (int k = 0; k < plan.program.steps; k++)
		if (plan.program.step[k].op == SW_ALLPERMUTE && plan.program.value[k].type &&
			plan.program.value[k + 1].type &&
			sw_type_same_map(&problem->mesh, plan.program.value[k].type, plan.program.value[k + 1].type))
			fail_msg("%s, %s: step %d moves nothing", problem_text(problem), sw_strategy_name(strategy), k + 1);
}

/* Where no order of an axis's primes fits both ends, a step between two names of one map is none. */
static void permutes_move_tiles(void **state)
{
	static const int axes[] = {6, 12, 18, 30, 36};
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
		for (int64_t from = 2; from < axes[k]; from++)
			for (int64_t to = 2; to < axes[k]; to++) {
				char text[20];
				sw_problem problem = {.to_order = NULL};

				if (axes[k] % from != 0 || axes[k] % to != 0)
					continue;
				snprintf(text, sizeof text, "{a: %d}", axes[k]);
				assert_true(sw_mesh_parse(sw_str_of(text), &problem.mesh, NULL));
				cut_axis(&problem.mesh, from, &problem.from);
				cut_axis(&problem.mesh, to, &problem.to);
				no_idle_permute(arena, &problem, SW_PAPER);
				no_idle_permute(arena, &problem, SW_EXACT);
				no_idle_permute(arena, &problem, SW_FUSED);
				sw_arena_clear(arena);
			}
	sw_arena_free(arena);
}

static void budgets(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	read_problem("{a: 8}", "[1{a}8, 8] ~> [8, 1{a}8]", &problem);
	sw_plan_options options = {.strategy = SW_FUSED, .budget = 7};
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S01);
	assert_non_null(strstr(diag.hint, "8"));
	options.budget = 0;
	options.without = 1u << SW_ALLTOALL;
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S01);
	assert_non_null(strstr(diag.hint, "budget 16 "));
	options.budget = 16;
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	check_plan(&problem, &plan, 16);
	options.budget = 64;
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_true(plan.cost <= 64);
	check_plan(&problem, &plan, 64);
	options.without |= 1u << SW_ALLGATHER;
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S02);
	sw_arena_free(arena);
}

static void live_budget(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	read_problem("{x: 4, y: 2, z: 4}", "[8{y}16, 4{x}16] ~> [16, 16]", &problem);
	sw_plan_options options = {.strategy = SW_FUSED, .live_budget = 288};
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_true(plan.live_peak <= 288);
	options.live_budget = 200;
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S01);
	sw_arena_free(arena);
}

static void volume_model(void **state)
{
	draw random = draw_start("volume");
	static const int64_t axes[] = {2, 2, 2};
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 60; k++) {
		sw_problem problem;
		sw_plan exact, fused, other;
		sw_plan_options options = {.strategy = SW_EXACT, .model = SW_MODEL_VOLUME};

		draw_problem(&random, axes, 3, 2, &problem);
		sw_arena_clear(arena);
		assert_true(sw_plan_find(&problem, &options, arena, &exact, NULL));
		options.strategy = SW_FUSED;
		assert_true(sw_plan_find(&problem, &options, arena, &fused, NULL));
		check_plan(&problem, &fused, fused.budget);
		assert_true(fused.model_cost <= exact.model_cost);
		assert_true(fused.model_bound <= fused.model_cost);
		options.strategy = SW_PAPER;
		assert_true(sw_plan_find(&problem, &options, arena, &other, NULL));
		assert_true(exact.model_cost <= other.model_cost);
		assert_true(fused.model_cost <= (double)fused.cost);
	}
	sw_arena_free(arena);
}

/* ---- lifetime ---- */

static void plans_outlive_problems(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_diag diag;

	(void)state;
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		sw_plan_options options = {.strategy = (sw_strategy)s};
		sw_problem *problem = malloc(sizeof *problem);
		sw_plan plan;

		read_problem("{a: 2, b: 2, c: 2}", "[8, 8{c}16, 64] ~> [2{c,a}8, 16, 32{b}64]", problem);
		assert_true(sw_plan_find(problem, &options, arena, &plan, NULL));
		memset(problem, 0xa5, sizeof *problem);
		free(problem);
		if (!sw_plan_check(&plan, &diag))
			fail_msg("%s: %s", sw_strategy_name((sw_strategy)s), diag.message);
	}
	sw_arena_free(arena);
}

/* ---- scale ---- */

static void large_meshes(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_mesh mesh = {0};
	sw_problem problem;
	sw_plan plan;

	(void)state;
	for (int a = 0; a < 20; a++)
		add_axis(&mesh, a, 4);
	assert_int_equal(mesh.devices, SW_MAX_DEVICES);
	assert_true(
		sw_problem_parse(&mesh,
			sw_str_of(
				"[{a,b,c,d,e}1024, {f,g,h,i,j}1024, {k,l,m}64, 64] ~> [{f,b,c}64, {a,g,h,d}1024, {t,l}1024, {s}64]"),
			&problem, NULL) == false);
	assert_true(sw_problem_parse(&mesh,
		sw_str_of(
			"[{a,b,c,d,e}1024, {f,g,h,i,j}1024, {k,l,m}64, 64] ~> [{f,b,c}1024, {a,g,h,d}1024, {t,l}64, {s}64]"),
		&problem, NULL));
	for (int s = SW_PAPER; s <= SW_FUSED; s++) {
		sw_plan_options options = {.strategy = (sw_strategy)s, .sizes_only = true};
		sw_diag diag;

		if (!sw_plan_find(&problem, &options, arena, &plan, &diag))
			fail_msg("%s: %s", sw_strategy_name((sw_strategy)s), diag.message);
		assert_true(plan.lower_bound <= plan.cost);
		assert_true(sw_plan_check(&plan, &diag));
	}
	assert_true(plan.optimal);
	assert_true(sw_arena_bytes(arena) < (size_t)200 << 20);
	sw_arena_free(arena);
}

static bool stop_at_once(void *context, const char *what, long long done, long long total)
{
	(void)what;
	(void)done;
	(void)total;
	return --*(int *)context > 0;
}

static void stops_anywhere(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	bool finished = false;

	(void)state;
	read_problem("{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", &problem);
	for (int beats = 1; !finished && beats < 2000; beats++) {
		int left = beats;
		sw_pulse pulse = {stop_at_once, &left};
		sw_plan_options options = {.strategy = SW_FUSED, .pulse = &pulse};
		sw_diag diag;

		sw_arena_clear(arena);
		if (sw_plan_find(&problem, &options, arena, &plan, &diag)) {
			check_plan(&problem, &plan, plan.budget);
			finished = left > 0;
		} else {
			assert_int_equal(diag.code, SW_S03);
		}
	}
	assert_true(finished);
	sw_arena_free(arena);
}

static void printed_in_lines(void **state)
{
	static const sw_plan_options options = {.strategy = SW_FUSED, .prove = 1 << 20};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_text text = {0};
	(void)state;
	read_problem("{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", &problem);
	find(&problem, &options, arena, &plan);
	sw_plan_print(&plan, &text);
	assert_string_equal(sw_text_get(&text),
		"plan  strategy fused, 24 devices of f32\n"
		"  0  from               [3{x}12, 2{y}12]\n"
		"  1  alltoall(1, 0, 3)  cost 6  [1{y:(2)3,x}12, 6{y:(1)2}12]\n"
		"  2  allpermute         cost 6  [1{x:(2)2,y}12, 6{x:(1)2}12]\n"
		"  3  alltoall(0, 1, 2)  cost 6  [2{y}12, 3{x}12]\n"
		"cost 18 elements per device, optimal: proved\n"
		"height 6, peak memory 12\n");
	assert_string_equal(sw_op_name(plan.program.step[1].op), "allpermute");
	assert_string_equal(sw_op_name(SW_OP_COUNT), "");
	sw_text_free(&text);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(printed_in_lines),
		ROWS(known_answers, known_answers_rows, problem),
		TEST(exhaustive_agrees),
		TEST(properties_hold),
		TEST(triangle_inequality),
		TEST(axes_do_not_matter),
		TEST(permutes_move_tiles),
		TEST(budgets),
		TEST(live_budget),
		TEST(volume_model),
		TEST(plans_outlive_problems),
		TEST(large_meshes),
		TEST(stops_anywhere),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
