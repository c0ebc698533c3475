/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planning in seconds on a million devices in many dimensions: memory stays bounded, progress is told, a stop is heeded.
 */
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "kit/problem.h"
#include "plan/lower_step.h"
#include "search/layout_search.h"
#include "kit/kit.h"

enum { MOST_MEGABYTES = 90 };

static size_t bytes_in_use(void)
{
#ifdef __GLIBC__
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

/* ---- problems ---- */

struct shape {
	int axes;
	int64_t size[SW_MAX_AXES];
	int rank;
	bool uneven; /* most axes on few dimensions */
};

static int choose_dim(draw *random, const struct shape *shape)
{
	int dim = draw_below(random, shape->rank);

	for (int k = 0; k < 2 && shape->uneven; k++) {
		int other = draw_below(random, shape->rank);

		dim = other < dim ? other : dim;
	}
	return dim;
}

static void choose_slots(draw *random, const struct shape *shape, int *place, int64_t *parts)
{
	for (int i = 0; i < shape->rank; i++)
		parts[i] = 1;
	for (int a = 0; a < shape->axes; a++) {
		place[a] = draw_below(random, 10) == 0 ? -1 : choose_dim(random, shape);
		if (place[a] >= 0)
			parts[place[a]] *= shape->size[a];
	}
}

static void place_axes(const sw_mesh *mesh, const int *place, sw_type *type)
{
	int count[SW_MAX_DIMS] = {0}, n = 0;
	sw_part parts[SW_MAX_PARTS];

	for (int i = 0; i < type->rank; i++)
		for (int a = 0; a < mesh->count; a++)
			if (place[a] == i) {
				parts[n++] = (sw_part){a, 1, mesh->axis[a].size};
				count[i]++;
			}
	assert_true(sw_type_partition(mesh, type, count, parts, NULL));
}

static int64_t common_multiple(int64_t a, int64_t b)
{
	int64_t x = a, y = b;

	while (y != 0) {
		int64_t rest = x % y;

		x = y;
		y = rest;
	}
	return a / x * b;
}

static void draw_shape(draw *random, const struct shape *shape, sw_problem *problem)
{
	int place[2][SW_MAX_AXES];
	int64_t parts[2][SW_MAX_DIMS], global[SW_MAX_DIMS];

	memset(problem, 0, sizeof *problem);
	for (int a = 0; a < shape->axes; a++)
		add_axis(&problem->mesh, a, shape->size[a]);
	choose_slots(random, shape, place[0], parts[0]);
	choose_slots(random, shape, place[1], parts[1]);
	for (int i = 0; i < shape->rank; i++)
		global[i] = common_multiple(parts[0][i], parts[1][i]);
	assert_true(sw_type_replicated(SW_F32, shape->rank, global, &problem->from, NULL));
	problem->to = problem->from;
	place_axes(&problem->mesh, place[0], &problem->from);
	place_axes(&problem->mesh, place[1], &problem->to);
}

/* ---- a pulse that watches ---- */

struct watch {
	size_t before, most; /* bytes in use */
	int beats, stop_at;  /* 0: never */
};

static bool watch_beat(void *context, const char *what, long long done, long long total)
{
	struct watch *watch = context;
	size_t bytes = bytes_in_use();

	(void)done;
	(void)total;
	assert_non_null(what);
	watch->most = bytes > watch->most ? bytes : watch->most;
	watch->beats++;
	return watch->stop_at == 0 || watch->beats < watch->stop_at;
}

static bool plan_watched(const sw_problem *problem, struct watch *watch, sw_plan *plan, sw_diag *diag,
	sw_arena *arena)
{
	sw_pulse pulse = {watch_beat, watch};
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_LATENCY, .pulse = &pulse};

	watch->before = bytes_in_use();
	return sw_plan_find(problem, &options, arena, plan, diag);
}

static const struct shape shapes[] = {
	{20, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 8, false},
	{20, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 12, false},
	{20, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 16, false},
	{20, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 16, true},
	{10, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, 12, true},
	{10, {2, 3, 2, 5, 2, 3, 2, 2, 3, 2}, 12, false},
	{4, {12, 10, 6, 15}, 8, true},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Every second one; with VERIFY=full all. */
static void memory_is_bounded(void **state)
{
	draw random = draw_start("large");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < SHAPES; k += getenv("VERIFY") ? 1 : 2) {
		struct watch watch = {0};
		sw_problem problem;
		sw_plan plan;
		sw_diag diag = {0};

		draw_shape(&random, &shapes[k], &problem);
		bool found = plan_watched(&problem, &watch, &plan, &diag, arena);
		if (!found && diag.code != SW_S02 && diag.code != SW_S08)
			fail_msg("shape %d: %s", k, diag.message);
		assert_true(!found || (plan.model_bound >= 0 && plan.model_bound <= plan.model_cost));
		assert_true(watch.beats > 0);
		if (watch.most > watch.before + ((size_t)MOST_MEGABYTES << 20))
			fail_msg("shape %d: %zu bytes", k, watch.most - watch.before);
		sw_arena_clear(arena);
	}
	sw_arena_free(arena);
}

static void a_stop_is_heeded(void **state)
{
	static const int stops[] = {1, 2, 3, 10, 30};
	draw random = draw_start("stop");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
		struct watch watch = {.stop_at = stops[k]};
		sw_problem problem;
		sw_plan plan;
		sw_diag diag = {0};

		draw_shape(&random, &shapes[2], &problem);
		if (!plan_watched(&problem, &watch, &plan, &diag, arena))
			assert_int_equal(diag.code, SW_S03);
		assert_int_equal(watch.beats, stops[k]); /* and is not asked again */
		sw_arena_clear(arena);
	}
	sw_arena_free(arena);
}

/* ---- the store of a search ---- */

enum { KEY = 40 };

/* A store says that it is full before it is above its bound, and what it counts is what it holds. */
static void a_store_has_a_bound(void **state)
{
	sw_store store;
	uint32_t next = 0;

	(void)state;
	assert_true(sw_store_init(&store, KEY, false));
	store.most_bytes = SW_SEARCH_MEMORY;
	size_t before = bytes_in_use();
	while (!sw_store_is_full(&store) && next < 1 << 24) {
		uint8_t key[KEY] = {0};

		next++;
		memcpy(key, &next, sizeof next);
		assert_true(sw_store_offer(&store, key, &(sw_state){.cost = next, .parent = -1}));
	}
	size_t held = bytes_in_use() - before;
	assert_in_range(sw_store_bytes(&store), SW_SEARCH_MEMORY / 4, SW_SEARCH_MEMORY);
	assert_true(held <= SW_SEARCH_MEMORY + (1 << 20) || bytes_in_use() == 0);
	sw_store_free(&store);
}

static bool count_beats(void *beats, const char *what, long long done, long long total)
{
	(void)what, (void)done, (void)total;
	++*(int64_t *)beats;
	return true;
}

/* The pulse is asked within the edges of one state too: in many dimensions it has more than anybody waits for. */
static void edges_of_one_state_beat(void **state)
{
	draw random = draw_start("beats");
	sw_arena *arena = sw_arena_new();
	sw_space *space = SW_NEW(arena, sw_space, 1);
	sw_search_result result;
	sw_prime_parts parts;
	sw_problem problem;
	int64_t beats = 0;
	sw_pulse pulse = {count_beats, &beats};

	(void)state;
	draw_shape(&random, &shapes[2], &problem);
	sw_prime_parts_default(&problem.mesh, &parts);
	assert_true(sw_space_init(space, &problem, &parts, NULL));
	sw_layout_search(space,
		&(sw_search_limits){.machine = sw_machine_default(),
			.multi_dim = true,
			.budget = INT64_MAX,
			.below = INT64_MAX / 4,
			.most_edges = 100000,
			.pulse = &pulse},
		&sw_policy_seconds, arena, &result);
	assert_true(result.edges / 4096 > result.settled && beats >= result.edges / 4096);
	sw_arena_free(arena);
}

/* ---- maps ---- */

static bool has_map(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.value[k + 1].map != NULL)
			return true;
	return false;
}

/* Where an arena holds as much as maps may take already, a plan that needs one is refused. */
static void maps_are_bounded(void **state)
{
	static const int64_t axes[] = {6, 6, 6};
	const sw_plan_options options = {.strategy = SW_PAPER};
	draw random = draw_start("maps");
	sw_arena *arena = sw_arena_new(), *crowded = sw_arena_new();
	sw_diag diag = {0};
	sw_problem problem;
	sw_plan plan;

	(void)state;
	do {
		sw_arena_clear(arena);
		draw_problem(&random, axes, 3, 3, &problem);
		assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	} while (!has_map(&plan));
	assert_non_null(SW_NEW(crowded, char, SW_MOST_MAP_BYTES));
	assert_false(sw_plan_find(&problem, &options, crowded, &plan, &diag));
	assert_int_equal(diag.code, SW_S08);
	sw_arena_free(crowded);
	sw_arena_free(arena);
}

/* ---- groups ---- */

/* One dimension gives neighbouring axes to two others: each group is a line of the mesh still, and no list of all devices. */
static void lines_are_not_listed(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	(void)state;
	read_problem("{a: 2, b: 2, c: 4096}", "[4{a,b}16, 8, 8] ~> [16, 4{a}8, 4{b}8]", &problem);
	assert_true(sw_plan_find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &plan, NULL));
	assert_int_equal(plan.program.steps, 1);
	assert_null(plan.program.step[0].groups);
	assert_string_equal(plan.program.step[0].groups_text, "[4096,4]<=[4,4096]T(1,0)");
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(memory_is_bounded),
		TEST(a_stop_is_heeded),
		TEST(a_store_has_a_bound),
		TEST(edges_of_one_state_beat),
		TEST(maps_are_bounded),
		TEST(lines_are_not_listed),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
