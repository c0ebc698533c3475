/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk over contexts: it sees the whole graph, finds what the proof finds, goes back exactly, and every step out of a context
 * is an edge or is refused with the premise that fails.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/context_walk.h>
#include <shardwalk/summing.h>

#include "draw.h"
#include "kit.h"

static sw_arena *arena;
static sw_contexts *graphs[SW_MAX_SUMMED + 1][2];

static int begin(void **state)
{
	(void)state;
	arena = sw_arena_new();
	return arena == NULL;
}

static int end(void **state)
{
	(void)state;
	for (int factors = 0; factors <= SW_MAX_SUMMED; factors++)
		for (int all = 0; all < 2; all++)
			sw_contexts_free(graphs[factors][all]);
	sw_arena_free(arena);
	return 0;
}

static const sw_contexts *graph_of(int factors, bool all_masters)
{
	sw_contexts **graph = &graphs[factors][all_masters];

	if (*graph == NULL)
		*graph = sw_contexts_new(factors, all_masters, 0, NULL, NULL);
	assert_non_null(*graph);
	return *graph;
}

struct subject {
	sw_system system;
	sw_placement placement;
	sw_mesh axes;
	sw_context_sum sum;
};

/* One axis over all levels of a system. */
static void make_subject(const char *system, bool all_masters, struct subject *subject)
{
	char axes[40];

	memset(subject, 0, sizeof *subject);
	assert_true(sw_system_parse(sw_str_of(system), &subject->system, NULL));
	snprintf(axes, sizeof axes, "{x: %lld}", (long long)subject->system.devices);
	assert_true(sw_mesh_parse(sw_str_of(axes), &subject->axes, NULL));
	subject->placement = (sw_placement){.axes = 1, .levels = subject->system.count};
	for (int j = 0; j < subject->placement.levels; j++)
		subject->placement.factor[0][j] = subject->system.level[j].size;
	subject->sum = (sw_context_sum){.contexts = graph_of(subject->system.count, all_masters),
		.system = &subject->system,
		.placement = &subject->placement,
		.axes = &subject->axes,
		.summed = 1,
		.bytes = 0x1p30};
}

static sw_walk *walk_of(const struct subject *subject)
{
	sw_diag diag;
	sw_walk *walk = sw_context_walk_new(&subject->sum, &diag);

	if (walk == NULL)
		fail_msg("%s", diag.message);
	return walk;
}

/* ---- the whole graph ---- */

static const struct whole {
	const char *system;
	int contexts;
	int64_t first, last; /* terms that are missing at the start and at the end */
} wholes[] = {
	{"{a: 2 @ 1GB/s, b: 2 @ 4GB/s}", 26, 3, 0},
	{"{node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}", 26, 63, 0},
	{"{a: 2 @ 1GB/s, b: 3 @ 2GB/s, c: 4 @ 9GB/s}", 255, 23, 0},
	{"{a: 4 @ 1GB/s, b: 2 @ 3GB/s, c: 2 @ 5GB/s, d: 8 @ 9GB/s}", 3436, 127, 0},
};

/* Every context is visited once, none before one that is nearer, and its parent was visited before it. */
static void test_whole(void **state)
{
	const struct whole *row = *state;
	struct subject subject;
	double before = 0;

	make_subject(row->system, false, &subject);
	sw_walk *walk = walk_of(&subject);
	sw_node node, parent;

	assert_int_equal(sw_contexts_count(subject.sum.contexts), row->contexts);
	assert_true(sw_walk_node(walk, 1, &node) && node.is_start);
	assert_int_equal(node.size, row->first);
	while (sw_walk_frontier(walk, NULL, 0) > 0) {
		assert_true(sw_walk_step(walk, NULL));
		assert_true(sw_walk_node(walk, sw_walk_current(walk), &node));
		assert_true((double)node.distance >= before * (1 - 1e-9));
		assert_int_equal(node.order, sw_walk_settled(walk));
		before = (double)node.distance;
		if (node.parent == 0)
			continue;
		assert_true(sw_walk_node(walk, node.parent, &parent));
		assert_true(parent.order > 0 && parent.order < node.order);
		assert_true(llabs(parent.distance + node.via.cost - node.distance) <= 2);
		assert_true(parent.size >= node.size);
	}
	assert_int_equal(sw_walk_seen(walk), row->contexts);
	assert_int_equal(sw_walk_settled(walk), row->contexts);
	assert_true(sw_walk_node(walk, sw_walk_goal(walk), &node) && node.is_goal);
	assert_int_equal(node.size, row->last);
	assert_false(sw_walk_step(walk, NULL));
	sw_walk_free(walk);
}

/* ---- random systems ---- */

static void draw_system(draw *random, sw_text *text)
{
	int levels = 1 + draw_below(random, 3);

	sw_text_clear(text);
	for (int i = 0; i < levels; i++)
		sw_text_addf(text, "%s%c: %d @ %dGB/s%s", i > 0 ? ", " : "{", 'a' + i, 2 + draw_below(random, 5),
			1 + draw_below(random, 300), draw_below(random, 3) == 0 ? " shared" : "");
	sw_text_add(text, "}");
}

static void check_path(const sw_walk *walk, const struct subject *subject, const char *system)
{
	sw_step steps[SW_MAX_REDUCTION_STEPS];
	sw_plan taken = {.program.step = steps};
	sw_context_path best;
	sw_node node;
	int ids[SW_MAX_REDUCTION_STEPS + 1], count;
	const sw_ports *ports = sw_context_walk_ports(walk);

	assert_true(sw_reduction_best(subject->sum.contexts, ports, subject->sum.bytes, 0, &best));
	count = sw_walk_path(walk, sw_walk_goal(walk), ids, SW_MAX_REDUCTION_STEPS + 1);
	assert_in_range(count, 2, SW_MAX_REDUCTION_STEPS + 1);
	assert_int_equal(ids[0], 1);
	for (int k = 1; k < count; k++) {
		assert_true(sw_walk_node(walk, ids[k], &node));
		assert_int_equal(node.parent, ids[k - 1]);
		steps[taken.program.steps++] = *sw_context_walk_step_of(walk, &node.via);
	}
	assert_true(sw_reduction_price(ports, subject->sum.bytes, &taken));
	double distance = (double)node.distance * sw_walk_words_of(walk)->unit;
	if (fabs(taken.model_cost - best.seconds) > 1e-9 * best.seconds ||
		fabs(distance - best.seconds) > 1e-9 * best.seconds)
		fail_msg("%s: the walk takes %.12g s, its way %.12g s, the best program %.12g s", system, distance,
			taken.model_cost, best.seconds);
}

/* The way found is the fastest program of any length, whether the walk goes straight there or not. */
static void test_best(void **state)
{
	draw random = draw_start("the way that a walk over contexts finds is the best program");
	sw_text system = {0};

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct subject subject;
		int settled[2];

		draw_system(&random, &system);
		make_subject(sw_text_get(&system), draw_below(&random, 2), &subject);
		subject.sum.way = draw_below(&random, 2) ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
		for (int directed = 0; directed < 2; directed++) {
			subject.sum.goal_directed = directed;
			sw_walk *walk = walk_of(&subject);
			assert_true(sw_walk_finish(walk, NULL, NULL));
			assert_true(sw_walk_done(walk));
			check_path(walk, &subject, sw_text_get(&system));
			settled[directed] = sw_walk_settled(walk);
			sw_walk_free(walk);
		}
		assert_true(settled[1] <= settled[0]);
	}
	sw_text_free(&system);
}

/* ---- back ---- */

static void print_walk(const sw_walk *walk, sw_text *text)
{
	int ids[300], count = sw_walk_frontier(walk, ids, 300);
	sw_node node;

	sw_text_clear(text);
	sw_text_addf(text, "%d %d %lld:", sw_walk_settled(walk), sw_walk_current(walk),
		(long long)sw_walk_edges_seen(walk));
	for (int i = 0; i < count; i++)
		sw_text_addf(text, " %d", ids[i]);
	for (int id = 1; sw_walk_node(walk, id, &node); id++)
		sw_text_addf(text, "\n%d %lld %lld %d %d", id, (long long)node.place[0], (long long)node.distance,
			node.parent, node.order);
}

static void test_back(void **state)
{
	struct subject subject;
	sw_text was[26] = {0}, is = {0};

	(void)state;
	make_subject("{node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}", false, &subject);
	sw_walk *walk = walk_of(&subject);
	assert_false(sw_walk_back(walk, NULL));
	for (int i = 0; i < 26; i++) {
		print_walk(walk, &was[i]);
		assert_true(sw_walk_step(walk, NULL));
	}
	for (int i = 25; i >= 0; i--) {
		assert_true(sw_walk_back(walk, NULL));
		print_walk(walk, &is);
		assert_string_equal(sw_text_get(&is), sw_text_get(&was[i]));
		sw_text_free(&was[i]);
	}
	sw_text_free(&is);
	sw_walk_free(walk);
}

/* ---- edges ---- */

/* Every step out of every context is an edge, or refused for a premise of which the code speaks. */
static void test_edges(void **state)
{
	static const char *const systems[] = {"{node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}", "{a: 2 @ 1GB/s, b: 3 @ 2GB/s}",
		"{a: 8 @ 1GB/s}", "{a: 2 @ 1GB/s, b: 2 @ 3GB/s, c: 2 @ 9GB/s}"};
	bool seen[SW_R09 + 1] = {0};

	(void)state;
	for (size_t s = 0; s < COUNT(systems); s++) {
		struct subject subject;
		make_subject(systems[s], true, &subject);
		sw_walk *walk = walk_of(&subject);
		int h = subject.system.count, steps = SW_CHUNK_OPS * h * h;

		while (sw_walk_step(walk, NULL))
			continue;
		for (int context = 0; context < sw_contexts_count(subject.sum.contexts); context++) {
			sw_edge *ways;
			const int64_t place[SW_MAX_DIMS] = {context};
			int allowed = sw_walk_edges(walk, place, false, arena, &ways);
			int all = sw_walk_edges(walk, place, true, arena, &ways);

			assert_int_equal(all, steps);
			for (int i = 0; i < all; i++) {
				assert_int_equal(ways[i].state == SW_EDGE_REFUSED, i >= allowed);
				assert_int_equal(*ways[i].why != '\0', i >= allowed);
				if (i < allowed) {
					assert_true(ways[i].move.cost > 0 && ways[i].place[0] != context && ways[i].node > 0);
					continue;
				}
				assert_in_range(ways[i].code, SW_R01, SW_R08);
				seen[ways[i].code] = true;
			}
		}
		sw_walk_free(walk);
	}
	for (int code = SW_R01; code <= SW_R08; code++) /* chunks are as many as devices: what differs divides */
		assert_int_equal(seen[code], code != SW_R03);
}

/* ---- names ---- */

static const struct name {
	const char *steps; /* from the start; the first of them, then the second */
	const char *name;
} names[] = {
	{"", "1+{node,gpu}"},
	{"reducescatter inside node", "1/16+{node}"},
	{"reducescatter inside node; allreduce across node", "1/16"},
	{"reducescatter inside node; reducescatter across node", "1/64"},
	{"reducescatter inside node; allreduce across node; allgather inside node", "1"},
	{"allreduce inside node", "1+{node}"},
	{"reduce inside node", "gpu 0: 1+{node}"},
	{"reduce inside node; allreduce masters node", "gpu 0: 1"},
	{"reduce inside root", "node 0, gpu 0: 1"},
	{"allreduce masters node", "gpu 0: 1+{gpu}; else 1+{node,gpu}"},
	{"allreduce masters node; allreduce inside node", "1+45"},
};

static void test_name(void **state)
{
	const struct name *row = *state;
	struct subject subject;
	sw_text text = {0};
	const char *steps = row->steps;
	int64_t at[SW_MAX_DIMS] = {0};

	make_subject("{node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}", false, &subject);
	sw_walk *walk = walk_of(&subject);
	while (*steps != '\0') {
		size_t length = strcspn(steps, ";");
		sw_edge *ways;
		int count = sw_walk_edges(walk, at, false, arena, &ways), i = 0;

		for (; i < count; i++) {
			sw_text_clear(&text);
			sw_walk_print_move(walk, &ways[i].move, &text);
			if (text.length == length && strncmp(sw_text_get(&text), steps, length) == 0)
				break;
		}
		assert_true(i < count);
		at[0] = ways[i].place[0];
		steps += length + (steps[length] == ';' ? 2 : 0);
	}
	sw_text_clear(&text);
	sw_walk_print_place(walk, at, &text);
	assert_string_equal(sw_text_get(&text), row->name);
	sw_text_free(&text);
	sw_walk_free(walk);
}

/* ---- what is refused ---- */

static void refused(struct subject *subject, sw_code code)
{
	sw_diag diag;

	assert_null(sw_context_walk_new(&subject->sum, &diag));
	assert_int_equal(diag.code, code);
}

static void test_refused(void **state)
{
	struct subject subject;

	(void)state;
	make_subject("{node: 4, gpu: 16 @ 270GB/s}", false, &subject);
	refused(&subject, SW_L07);
	make_subject("{node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}", false, &subject);
	subject.sum.summed = 0;
	refused(&subject, SW_L07);
	subject.sum.summed = 1;
	subject.sum.contexts = graph_of(3, false);
	refused(&subject, SW_S08);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(test_whole, wholes, system),
		TEST(test_best),
		TEST(test_back),
		TEST(test_edges),
		ROWS(test_name, names, steps),
		TEST(test_refused),
	};
	return kit_run(tests, COUNT(tests), begin, end);
}
