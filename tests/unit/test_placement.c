/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems, placements, reduction programs and their seconds, against recorded numbers of another implementation.
 */
#include <jansson.h>
#include <math.h>

#include <shardwalk/reduction.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/kit.h"

/* ---- recorded lines ---- */

/* Calls `check` with every line of a file, and sees that there are some. */
static void each_line(const char *file, void (*check)(const json_t *line, const char *name))
{
	FILE *lines = cases_open(file);
	char *text = NULL;
	size_t room = 0;
	int count = 0;

	assert_non_null(lines);
	while (getline(&text, &room, lines) > 0) {
		sw_arena_mark mark = sw_arena_here(arena);
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		check(line, json_string_value(json_object_get(line, "name")));
		json_decref(line);
		sw_arena_back(arena, mark);
		count++;
	}
	free(text);
	fclose(lines);
	assert_true(count > 0);
}

static int64_t number_at(const json_t *list, size_t i)
{
	return json_integer_value(json_array_get(list, i));
}

static const char *word_of(const json_t *line, const char *key)
{
	const char *word = json_string_value(json_object_get(line, key));

	return word ? word : "";
}

static sw_system system_of(const json_t *line)
{
	const json_t *sizes = json_object_get(line, "system"), *bandwidth = json_object_get(line, "bandwidth");
	sw_system system = {.count = (int)json_array_size(sizes), .devices = 1};

	for (int j = 0; j < system.count; j++) {
		sw_level *level = &system.level[j];

		snprintf(level->name, sizeof level->name, "l%d", j);
		level->size = number_at(sizes, (size_t)j);
		system.devices *= level->size;
		level->bandwidth = json_number_value(json_array_get(bandwidth, (size_t)j));
		level->latency = json_number_value(json_array_get(json_object_get(line, "latency"), (size_t)j));
		level->shared = json_is_true(json_array_get(json_object_get(line, "shared"), (size_t)j));
	}
	if (strcmp(word_of(line, "topology"), "p2-v100") == 0)
		system.topology = SW_TOPOLOGY_V100;
	return system;
}

static sw_placement placement_of(const json_t *matrix)
{
	sw_placement placement = {.axes = (int)json_array_size(matrix),
		.levels = (int)json_array_size(json_array_get(matrix, 0))};

	for (int i = 0; i < placement.axes; i++)
		for (int j = 0; j < placement.levels; j++)
			placement.factor[i][j] = number_at(json_array_get(matrix, (size_t)i), (size_t)j);
	return placement;
}

static int axes_of(const json_t *line, int64_t *axis)
{
	const json_t *axes = json_object_get(line, "axes");

	for (size_t i = 0; i < json_array_size(axes); i++)
		axis[i] = number_at(axes, i);
	return (int)json_array_size(axes);
}

static uint32_t summed_of(const json_t *line)
{
	const json_t *reduce = json_object_get(line, "reduce");
	uint32_t summed = 0;

	for (size_t i = 0; i < json_array_size(reduce); i++)
		summed |= 1u << number_at(reduce, i);
	return summed;
}

static sw_step step_of(const sw_hierarchy *hierarchy, const char *text, const char *name)
{
	sw_step step;
	sw_diag diag = {0};

	if (!sw_step_parse(sw_str_of(text), NULL, hierarchy, &step, &diag))
		fail_msg("%s: %s: %s", name, text, diag.message);
	return step;
}

static void near_to(double got, double wanted, const char *name, const char *what)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%s: %s is %.15g, not %.15g", name, what, got, wanted);
}

/* ---- placements ---- */

static void same_sample(const json_t *sample, const sw_system *system, const sw_placement *placement,
	const char *name)
{
	const json_t *coordinates = json_object_get(sample, "coordinates"), *parts = json_object_get(sample, "parts");

	for (size_t d = 0; d < json_array_size(coordinates); d++) {
		int64_t coordinate[SW_MAX_PLACED];

		for (int i = 0; i < placement->axes; i++) {
			coordinate[i] = sw_placement_coordinate(placement, (int64_t)d, i);
			if (coordinate[i] != number_at(json_array_get(coordinates, d), (size_t)i))
				fail_msg("%s: device %zu, axis %d", name, d, i);
		}
		assert_int_equal(sw_placement_device(placement, coordinate), d);
	}
	for (int i = 0; i < placement->axes; i++) {
		sw_text text = {0};

		sw_placement_print_parts(system, placement, i, &text);
		assert_string_equal(sw_text_get(&text), json_string_value(json_array_get(parts, (size_t)i)));
		sw_text_free(&text);
	}
}

static void check_placements(const json_t *line, const char *name)
{
	const json_t *matrices = json_object_get(line, "matrices"), *sample = json_object_get(line, "sample");
	sw_system system = system_of(line);
	int64_t axis[SW_MAX_PLACED], count = json_integer_value(json_object_get(line, "count")), listed = 0;
	int axes = axes_of(line, axis);
	sw_placement placement;

	assert_int_equal(sw_placements_count(&system, axis, axes), count);
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
		 more = sw_placement_next(&system, &placement), listed++) {
		if (matrices != NULL) {
			sw_placement wanted = placement_of(json_array_get(matrices, (size_t)listed));

			if (memcmp(&wanted, &placement, sizeof wanted) != 0)
				fail_msg("%s: matrix %lld", name, (long long)listed);
		}
		if (sample != NULL && listed == json_integer_value(json_object_get(sample, "index")))
			same_sample(sample, &system, &placement, name);
	}
	assert_int_equal(listed, count);
}

static void test_placements(void **state)
{
	(void)state;
	each_line("p2-placements.jsonl", check_placements);
}

/* ---- orders of others ---- */

/* Megatron's order has the fastest axis first, and the axes of the line stand slowest first. */
static bool megatron(const json_t *line, const sw_system *system, sw_placement *placement)
{
	const json_t *axes = json_object_get(line, "axes"), *sizes = json_object_get(line, "sizes");
	int64_t size[SW_MAX_PLACED];
	int straddles;

	for (size_t i = 0; i < json_array_size(axes); i++)
		size[i] = json_integer_value(json_object_get(sizes, json_string_value(json_array_get(axes, i))));
	return sw_placement_row_major(system, size, (int)json_array_size(axes), placement, &straddles);
}

static bool hybrid(const json_t *line, const sw_system *system, sw_placement *placement)
{
	const json_t *inner = json_object_get(line, "mesh_shape"), *outer = json_object_get(line, "dcn_mesh_shape");
	int64_t in[SW_MAX_PLACED], out[SW_MAX_PLACED];
	int straddles;

	for (size_t i = 0; i < json_array_size(inner); i++) {
		in[i] = number_at(inner, i);
		out[i] = number_at(outer, i);
	}
	return sw_placement_hybrid(system, out, in, (int)json_array_size(inner), placement, &straddles);
}

/* The devices of the mesh, row-major over its axes. */
static void same_devices(const json_t *devices, const sw_placement *placement, const char *name)
{
	for (size_t slot = 0; slot < json_array_size(devices); slot++) {
		int64_t coordinate[SW_MAX_PLACED], rest = (int64_t)slot;

		for (int i = placement->axes - 1; i >= 0; i--) {
			int64_t size = 1;

			for (int j = 0; j < placement->levels; j++)
				size *= placement->factor[i][j];
			coordinate[i] = rest % size;
			rest /= size;
		}
		if (sw_placement_device(placement, coordinate) != number_at(devices, slot))
			fail_msg("%s: slot %zu", name, slot);
	}
}

static void check_order(const json_t *line, const char *name)
{
	const json_t *matrix = json_object_get(line, "matrix");
	sw_system system = system_of(line);
	sw_placement placement;
	bool found = strcmp(word_of(line, "from"), "jax") == 0 ? hybrid(line, &system, &placement) :
															 megatron(line, &system, &placement);

	assert_int_equal(found, json_is_array(matrix));
	if (!found)
		return;
	sw_placement wanted = placement_of(matrix);
	if (memcmp(&wanted, &placement, sizeof wanted) != 0)
		fail_msg("%s: another matrix", name);
	same_devices(json_object_get(line, "devices"), &placement, name);
}

static void test_orders(void **state)
{
	(void)state;
	each_line("p2-orders.jsonl", check_order);
}

/* ---- groups ---- */

static void check_lowering(const json_t *line, const char *name)
{
	const json_t *sizes = json_object_get(line, "sizes"), *wanted = json_object_get(line, "groups");
	sw_placement placement = placement_of(json_object_get(line, "matrix"));
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	char text[64];
	int64_t groups, size;

	sw_hierarchy_make(&placement, (sw_hierarchy_kind)(*word_of(line, "hierarchy") - 'a'), summed_of(line), false,
		hierarchy);
	assert_int_equal(hierarchy->count, json_array_size(sizes));
	for (int i = 0; i < hierarchy->count; i++)
		assert_int_equal(sw_hierarchy_size(hierarchy, i), number_at(sizes, (size_t)i));
	snprintf(text, sizeof text, "reduce %s", word_of(line, "instruction"));
	sw_step step = step_of(hierarchy, text, name);
	int64_t *list = sw_named_groups(hierarchy, &step.by, arena, &groups, &size);
	assert_int_equal(groups, json_array_size(wanted));
	for (int64_t g = 0; g < groups; g++)
		for (int64_t m = 0; m < size; m++)
			if (list[g * size + m] != number_at(json_array_get(wanted, (size_t)g), (size_t)m))
				fail_msg("%s: group %lld", name, (long long)g);
}

static void test_groups(void **state)
{
	(void)state;
	each_line("p2-lowering.jsonl", check_lowering);
}

/* ---- what programs do ---- */

static sw_placement one_axis(const json_t *sizes)
{
	sw_placement placement = {.axes = 1, .levels = (int)json_array_size(sizes)};

	for (int j = 0; j < placement.levels; j++)
		placement.factor[0][j] = number_at(sizes, (size_t)j);
	return placement;
}

/* What a program came to, and the step in which it was refused. */
static sw_breach run_program(const sw_hierarchy *hierarchy, const json_t *steps, sw_pieces *pieces, const char *name,
	size_t *step_refused)
{
	sw_breach breach = {.premise = SW_PREMISE_HOLDS};

	for (size_t k = 0; k < json_array_size(steps); k++) {
		sw_step step = step_of(hierarchy, json_string_value(json_array_get(steps, k)), name);
		int64_t grouped, size;
		const int32_t *list = sw_named_members(hierarchy, &step.by, arena, &grouped, &size);

		*step_refused = k + 1;
		assert_true(sw_pieces_step(pieces, step.op, list, grouped, size, &breach));
		if (breach.premise != SW_PREMISE_HOLDS)
			break;
	}
	return breach;
}

static void check_program(const json_t *line, const char *name)
{
	const json_t *states = json_object_get(line, "states"), *group = json_object_get(line, "group");
	sw_placement placement = one_axis(json_object_get(line, "sizes"));
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	sw_pieces pieces;
	int devices = (int)json_array_size(states);

	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	assert_true(sw_pieces_start(&pieces, devices, devices, devices, NULL, arena, NULL));
	size_t refused = 0;
	sw_breach outcome = run_program(hierarchy, json_object_get(line, "steps"), &pieces, name, &refused);
	const char *result = outcome.premise != SW_PREMISE_HOLDS ? sw_premise_name(outcome.premise) :
		sw_pieces_done(&pieces)                              ? "done" :
															   "unfinished";
	assert_string_equal(result, word_of(line, "result"));
	for (int d = 0; d < devices; d++)
		for (int c = 0; c < devices; c++)
			if ((int64_t)*sw_pieces_terms(&pieces, d, c) != number_at(json_array_get(states, (size_t)d), (size_t)c))
				fail_msg("%s: device %d, chunk %d", name, d, c);
	if (outcome.premise == SW_PREMISE_HOLDS)
		return;
	assert_int_equal(refused, json_integer_value(json_object_get(line, "step")));
	for (int64_t m = 0; m < outcome.size; m++)
		assert_int_equal(outcome.member[m], number_at(group, (size_t)m));
}

static void test_programs(void **state)
{
	(void)state;
	each_line("p2-programs.jsonl", check_program);
}

/* ---- how many programs there are ---- */

static sw_contexts *graphs[SW_MAX_SUMMED + 1][2];

static const sw_contexts *graph_of(int factors, bool all_masters)
{
	sw_contexts **graph = &graphs[factors][all_masters];

	if (*graph == NULL)
		*graph = sw_contexts_new(factors, all_masters, 0, NULL, NULL);
	assert_non_null(*graph);
	return *graph;
}

static bool all_masters(const json_t *line)
{
	return strcmp(word_of(line, "masters"), "all") == 0;
}

static int64_t count_programs(const sw_placement *placement, uint32_t summed, int limit, bool all)
{
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	int64_t count = 0;

	sw_hierarchy_make(placement, SW_HIERARCHY_SUMMED_LEVELS, summed, true, hierarchy);
	for (int k = 1; hierarchy->count > 0 && k <= limit; k++)
		count += sw_contexts_programs(graph_of(hierarchy->count, all), k);
	return count;
}

static void check_count(const json_t *line, const char *name)
{
	const json_t *lengths = json_object_get(line, "by_length"), *sizes = json_object_get(line, "sizes");
	int64_t axis[SW_MAX_PLACED], count = json_integer_value(json_object_get(line, "count")), found = 0;
	sw_system system = system_of(line);
	sw_placement placement;

	for (size_t k = 0; k < json_array_size(lengths); k++) {
		int64_t programs = sw_contexts_programs(graph_of((int)json_array_size(sizes), all_masters(line)), (int)k + 1);

		if (programs != number_at(lengths, k))
			fail_msg("%s: %lld programs of %zu steps", name, (long long)programs, k + 1);
		found += programs;
	}
	int axes = axes_of(line, axis);
	for (bool more = axes > 0 && sw_placement_first(&system, axis, axes, &placement); more;
		 more = sw_placement_next(&system, &placement))
		found += count_programs(&placement, summed_of(line), (int)json_integer_value(json_object_get(line, "limit")),
			all_masters(line));
	if (found != count)
		fail_msg("%s: %lld programs, not %lld", name, (long long)found, (long long)count);
}

static void test_counts(void **state)
{
	(void)state;
	each_line("p2-counts.jsonl", check_count);
}

/* Contexts, start and goal included, of two, three and four levels. */
static bool stop_at_once(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

/* Bounded, a graph is a part that still ends on the sum, and prices are its own; stopped, there is none. */
static void test_bounded_contexts(void **state)
{
	const sw_pulse stopped = {stop_at_once, NULL};
	const sw_reduction_bounds few = {.limit = 5, .memory = 100 * 1000};
	sw_contexts *part = sw_contexts_new(4, true, 1 << 20, NULL, NULL);
	sw_context_path best, all;
	sw_plan plan;
	sw_reduction_listed listed;
	sw_placement placement;
	sw_system system;
	sw_ports ports;
	sw_diag diag;

	(void)state;
	assert_non_null(part);
	assert_false(sw_contexts_complete(part));
	assert_true(sw_contexts_complete(graph_of(4, true)));
	assert_in_range(sw_contexts_count(part), 100, sw_contexts_count(graph_of(4, true)) - 1);
	assert_true(
		sw_system_parse(sw_str_of("{a: 2 @ 1GB/s, b: 2 @ 2GB/s, c: 2 @ 3GB/s, d: 2 @ 4GB/s}"), &system, &diag));
	assert_true(sw_placement_first(&system, (int64_t[]){16}, 1, &placement));
	assert_true(sw_ports_make(&system, &placement, 1, SW_ALLREDUCE_RING, &ports, &diag));
	assert_true(sw_reduction_best(part, &ports, 1e6, 0, &best) && sw_context_path_plan(part, &best, arena, &plan));
	assert_true(sw_reduction_price(&ports, 1e6, &plan) && plan.model_cost == best.seconds);
	assert_true(
		sw_reduction_best(graph_of(4, true), &ports, 1e6, 0, &all) && all.seconds <= best.seconds * (1 + 1e-9));
	assert_true(sw_reduction_list(graph_of(4, false), &ports, 1e6, &few, arena, &listed, &diag));
	assert_true(listed.length < 5 && listed.count > 1);
	sw_contexts_free(part);
	assert_null(sw_contexts_new(5, true, 0, &stopped, &diag));
	assert_int_equal(diag.code, SW_S03);
	const sw_reduction_bounds ended = {.limit = 5, .pulse = &stopped};
	assert_false(sw_reduction_list(graph_of(4, false), &ports, 1e6, &ended, arena, &listed, &diag));
	assert_int_equal(diag.code, SW_S03);
}

static void test_contexts(void **state)
{
	(void)state;
	assert_int_equal(sw_contexts_count(graph_of(2, false)), 26);
	assert_int_equal(sw_contexts_count(graph_of(3, false)), 255);
	assert_int_equal(sw_contexts_count(graph_of(4, false)), 3436);
}

/* ---- seconds ---- */

static sw_allreduce_way way_of(const json_t *line)
{
	return strcmp(word_of(line, "algorithm"), "tree") == 0 ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
}

static double one_allreduce(const sw_ports *ports, double bytes)
{
	sw_step step = {.op = SW_ALLREDUCE, .by = {SW_FORM_INSIDE, 0, 0, NULL}};
	double each[1 << SW_MAX_SUMMED];

	for (size_t c = 0; c < COUNT(each); c++)
		each[c] = bytes;
	return sw_ports_seconds(ports, &step, each);
}

static double best_of(const sw_ports *ports, const json_t *line, double bytes, int limit)
{
	sw_context_path path;

	if (ports->hierarchy.count == 0)
		return 0;
	assert_true(sw_reduction_best(graph_of(ports->hierarchy.count, all_masters(line)), ports, bytes, limit, &path));
	return path.seconds;
}

/* Across to the innermost factor is inside. */
static sw_group_name usual(sw_group_name name, int factors)
{
	if (name.form != SW_FORM_INSIDE && name.slice == factors)
		return (sw_group_name){SW_FORM_INSIDE, name.ancestor, 0, NULL};
	return name;
}

static bool is_program(const sw_plan *program, const sw_hierarchy *hierarchy, const json_t *steps, const char *name)
{
	if (program->program.steps != (int)json_array_size(steps))
		return false;
	for (int k = 0; k < program->program.steps; k++) {
		sw_step step = step_of(hierarchy, json_string_value(json_array_get(steps, (size_t)k)), name);

		sw_group_name wanted = usual(step.by, hierarchy->count);
		if (step.op != program->program.step[k].op || !sw_group_name_same(&wanted, &program->program.step[k].by))
			return false;
	}
	return true;
}

/* The program with these steps, among those that are listed. */
static sw_plan find_program(const sw_contexts *contexts, const sw_ports *ports, const sw_reduction_listed *listed,
	const json_t *steps, const char *name)
{
	sw_plan plan;

	for (int64_t at = 0; at < listed->count; at++) {
		sw_arena_mark mark = sw_arena_here(arena);

		assert_true(sw_context_path_plan(contexts, &listed->path[at], arena, &plan));
		if (is_program(&plan, &ports->hierarchy, steps, name))
			return plan;
		sw_arena_back(arena, mark);
	}
	fail_msg("%s: a program is not listed", name);
	return plan;
}

static void check_some(const sw_ports *ports, const json_t *line, double bytes, const char *name)
{
	const json_t *some = json_object_get(line, "some");
	const sw_reduction_bounds bounds = {.limit = 5};
	sw_reduction_listed listed;

	const sw_contexts *contexts = graph_of(ports->hierarchy.count, all_masters(line));
	assert_true(sw_reduction_list(contexts, ports, bytes, &bounds, arena, &listed, NULL));
	for (size_t i = 0; i < json_array_size(some); i++) {
		const json_t *steps = json_array_get(json_array_get(some, i), 0),
					 *seconds = json_array_get(json_array_get(some, i), 1);
		sw_plan plan = find_program(contexts, ports, &listed, steps, name);

		assert_true(sw_reduction_price(ports, bytes, &plan));
		for (size_t k = 0; k < json_array_size(seconds); k++)
			near_to(plan.program.step[k].model_cost, json_number_value(json_array_get(seconds, k)), name, "a step");
	}
}

static void check_best(const json_t *line, const char *name)
{
	sw_system system = system_of(line);
	sw_placement placement = placement_of(json_object_get(line, "matrix"));
	sw_ports *ports = SW_NEW(arena, sw_ports, 1);
	double bytes = json_number_value(json_object_get(line, "payload"));
	const json_t *bound = json_object_get(line, "port_bound_s");

	assert_true(sw_ports_make(&system, &placement, summed_of(line), way_of(line), ports, NULL));
	near_to(one_allreduce(ports, bytes), json_number_value(json_object_get(line, "allreduce_s")), name, "allreduce");
	near_to(best_of(ports, line, bytes, 5), json_number_value(json_object_get(line, "best_s")), name, "best");
	near_to(best_of(ports, line, bytes, 0), json_number_value(json_object_get(line, "any_length_s")), name,
		"any length");
	if (bound != NULL)
		near_to(sw_ports_bound(ports, bytes), json_number_value(bound), name, "bound");
	check_some(ports, line, bytes, name);
}

static void test_best(void **state)
{
	(void)state;
	each_line("p2-best.jsonl", check_best);
}

static void check_choice(const json_t *line, const char *name)
{
	const json_t *placements = json_object_get(line, "placements"), *reductions = json_object_get(line, "reductions");
	sw_system system = system_of(line);
	sw_ports *ports = SW_NEW(arena, sw_ports, 1);

	for (size_t i = 0; i < json_array_size(placements); i++) {
		const json_t *wanted = json_array_get(placements, i);
		sw_placement placement = placement_of(json_object_get(wanted, "matrix"));
		double allreduce = 0, best = 0;

		for (size_t r = 0; r < json_array_size(reductions); r++) {
			const json_t *one = json_array_get(reductions, r);
			double bytes = json_number_value(json_object_get(one, "payload"));

			assert_true(sw_ports_make(&system, &placement, summed_of(one), way_of(line), ports, NULL));
			allreduce += one_allreduce(ports, bytes);
			best += best_of(ports, line, bytes, (int)json_integer_value(json_object_get(line, "limit")));
		}
		near_to(allreduce, json_number_value(json_object_get(wanted, "allreduce_s")), name, "allreduce");
		near_to(best, json_number_value(json_object_get(wanted, "best_s")), name, "best");
	}
}

static void test_choices(void **state)
{
	(void)state;
	each_line("p2-choose.jsonl", check_choice);
}

/* ---- what hierarchies can say ---- */

static void check_expressive(const json_t *line, const char *name)
{
	static const char *const includes[][3] = {{"b>=a", "b", "a"}, {"c>=b", "c", "b"}, {"d>=c", "d", "c"},
		{"d>=b", "d", "b"}, {"d>=a", "d", "a"}};
	const json_t *programs = json_object_get(line, "programs");
	sw_placement placement = placement_of(json_object_get(line, "matrix"));
	sw_expressive expressive;

	assert_true(sw_expressive_compare(&placement, summed_of(line), all_masters(line),
		(int)json_integer_value(json_object_get(line, "limit")), arena, &expressive, NULL));
	for (int kind = 0; kind < SW_HIERARCHY_COUNT; kind++)
		if (expressive.programs[kind] !=
			json_integer_value(json_object_get(programs, sw_hierarchy_letter((sw_hierarchy_kind)kind))))
			fail_msg("%s: %lld programs by hierarchy %s", name, (long long)expressive.programs[kind],
				sw_hierarchy_letter((sw_hierarchy_kind)kind));
	for (size_t i = 0; i < COUNT(includes); i++)
		if (expressive.includes[*includes[i][1] - 'a'][*includes[i][2] - 'a'] !=
			json_is_true(json_object_get(json_object_get(line, "includes"), includes[i][0])))
			fail_msg("%s: %s", name, includes[i][0]);
}

static void test_expressive(void **state)
{
	(void)state;
	each_line("p2-expressive.jsonl", check_expressive);
}

/* ---- sums on numbers ---- */

/* What a device holds of each chunk, as numbers: share of device d of chunk c is one bit of a 64-bit number, so that adding
 * twice shows. */
struct numbers {
	int devices;
	uint64_t *value; /* [device * devices + chunk] */
	bool *there;
};

static bool sums_rightly(const struct numbers *numbers)
{
	for (int i = 0; i < numbers->devices * numbers->devices; i++)
		if (!numbers->there[i] || numbers->value[i] != ((uint64_t)1 << 4 * numbers->devices) / 15)
			return false;
	return true;
}

/* As the library would: adds or moves what is there, whether that makes sense or not.  false: it could not even run. */
static bool do_numbers(struct numbers *numbers, sw_op op, const int64_t *member, int64_t size)
{
	int n = numbers->devices, at = 0, held = 0;
	uint64_t sum[8] = {0};
	bool there[8] = {false};

	for (int c = 0; c < n; c++)
		held += numbers->there[member[0] * n + c];
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < n; c++) {
			bool here = numbers->there[member[m] * n + c] && (op != SW_BROADCAST || m == 0);

			sum[c] += here ? numbers->value[member[m] * n + c] : 0;
			there[c] = there[c] || here;
		}
	if (op == SW_REDUCESCATTER && held % size != 0)
		return false;
	for (int c = 0; c < n; c++) {
		int64_t only = op == SW_REDUCE ? 0 : op == SW_REDUCESCATTER && there[c] ? at++ / (held / size) : -1;

		for (int64_t m = 0; m < size; m++) {
			numbers->there[member[m] * n + c] = there[c] && (only < 0 || m == only);
			numbers->value[member[m] * n + c] = sum[c];
		}
	}
	return true;
}

/* Programs that the premises allow and that end on the sum end on the right numbers. */
static void test_numbers(void **state)
{
	static const int64_t shapes[][3] = {{2, 2, 1}, {2, 3, 1}, {2, 2, 2}, {4, 2, 1}, {2, 4, 1}};

	(void)state;
	for (size_t s = 0; s < COUNT(shapes); s++) {
		sw_placement placement = {.axes = 1, .levels = 3};
		sw_ports *ports = SW_NEW_ZERO(arena, sw_ports, 1);
		sw_system system = {.count = 3, .devices = 1};

		for (int j = 0; j < 3; j++) {
			placement.factor[0][j] = system.level[j].size = shapes[s][j];
			system.level[j].bandwidth = 1e9;
			system.devices *= shapes[s][j];
		}
		assert_true(sw_ports_make(&system, &placement, 1, SW_ALLREDUCE_RING, ports, NULL));
		const sw_reduction_bounds bounds = {.limit = 4};
		sw_reduction_listed listed;
		const sw_contexts *contexts = graph_of(ports->hierarchy.count, true);
		assert_true(sw_reduction_list(contexts, ports, 1e6, &bounds, arena, &listed, NULL));
		int64_t count = listed.count;
		assert_true(count > 0);
		for (int64_t i = 0; i < count; i++) {
			int n = (int)system.devices;
			struct numbers numbers = {n, SW_NEW(arena, uint64_t, n * n), SW_NEW(arena, bool, n *n)};
			sw_plan plan;

			for (int k = 0; k < n * n; k++) {
				numbers.value[k] = (uint64_t)1 << 4 * (k / n);
				numbers.there[k] = true;
			}
			assert_true(sw_context_path_plan(contexts, &listed.path[i], arena, &plan));
			for (int k = 0; k < plan.program.steps; k++) {
				int64_t groups, size;
				int64_t *list = sw_named_groups(&ports->hierarchy, &plan.program.step[k].by, arena, &groups, &size);

				for (int64_t g = 0; g < groups; g++)
					assert_true(do_numbers(&numbers, plan.program.step[k].op, list + g * size, size));
			}
			assert_true(sums_rightly(&numbers));
		}
	}
}

/* ---- texts ---- */

static void test_system_texts(void **state)
{
	static const char *const texts[] = {"{node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}", "{a: 2, b: 3}",
		"{rack: 2 @ 1GB/s 20us, node: 2 @ 10GB/s 5us shared, \"odd name\": 8 @ 100GB/s}"};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		sw_system system;
		sw_text text = {0};

		assert_true(sw_system_parse(sw_str_of(texts[i]), &system, NULL));
		sw_system_print(&system, &text);
		assert_string_equal(sw_text_get(&text), texts[i]);
		sw_text_free(&text);
	}
}

static const struct bad_system {
	const char *text;
	sw_code code;
} bad_systems[] = {
	{"{node: 0}", SW_M03},
	{"{node: 2, node: 3}", SW_M02},
	{"{node: 2 @ 0GB/s}", SW_M07},
	{"{node: 2 @ 1GB/s fast}", SW_M07},
	{"{node: 2", SW_L06},
	{"node: 2", SW_M01},
};

static void test_bad_systems(void **state)
{
	const struct bad_system *row = *state;
	sw_system system;
	sw_diag diag = {0};

	assert_false(sw_system_parse(sw_str_of(row->text), &system, &diag));
	assert_int_equal(diag.code, row->code);
}

/* Steps print as they are read, and levels are named where one factor is on them. */
static void test_step_texts(void **state)
{
	static const char *const texts[] = {"reducescatter inside node", "allreduce across node", "allgather inside root",
		"reduce masters gpu in node", "broadcast masters node"};
	static const char *const printed[] = {"(node, InsideGroup, ReduceScatter)", "(Node, Parallel(root), AllReduce)",
		"(root, InsideGroup, AllGather)", "(GPU, Master(node), Reduce)", "(node, Master(root), Broadcast)"};
	sw_system system;
	sw_placement placement = {.axes = 1, .levels = 2, .factor = {{4, 16}}};
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);

	(void)state;
	assert_true(sw_system_named(sw_str_of("p2-a100"), 4, &system));
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	for (size_t i = 0; i < COUNT(texts); i++) {
		sw_step step;
		sw_text text = {0};
		sw_diag diag = {0};

		if (!sw_step_parse(sw_str_of(texts[i]), &system, hierarchy, &step, &diag))
			fail_msg("%s: %s", texts[i], diag.message);
		sw_step_print(&system, hierarchy, &step, &text);
		assert_string_equal(sw_text_get(&text), texts[i]);
		sw_text_clear(&text);
		if (!sw_step_parse(sw_str_of(printed[i]), &system, hierarchy, &step, &diag))
			fail_msg("%s: %s", printed[i], diag.message);
		sw_step_print(&system, hierarchy, &step, &text);
		assert_string_equal(sw_text_get(&text), texts[i]);
		sw_text_free(&text);
	}
}

static const struct bad_step {
	const char *text;
	sw_code code;
	const char *hint;
} bad_steps[] = {
	{"allreduce inside nod", SW_L08, "did you mean 'node'?"},
	{"allreduce across gpu in gpu", SW_C02, ""},
	{"allreduc inside node", SW_C01, "did you mean 'allreduce'?"},
	{"allreduce beside node", SW_C02, ""},
	{"allreduce inside 3", SW_L08, ""},
	{"allreduce", SW_C02, ""},
	{"(gpu, Parallel(gpu), AllReduce)", SW_C02, ""},
	{"(gpu, Beside(node), AllReduce)", SW_C02, ""},
	{"(gpu, Parallel(node), AllReduc)", SW_C01, "did you mean 'allreduce'?"},
};

static void test_bad_steps(void **state)
{
	const struct bad_step *row = *state;
	sw_system system;
	sw_placement placement = {.axes = 1, .levels = 2, .factor = {{4, 16}}};
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	sw_step step;
	sw_diag diag = {0};

	assert_true(sw_system_named(sw_str_of("p2-a100"), 4, &system));
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
	assert_false(sw_step_parse(sw_str_of(row->text), &system, hierarchy, &step, &diag));
	assert_int_equal(diag.code, row->code);
	assert_string_equal(diag.hint, row->hint);
}

/* From every member one comes to the one root, and no member is above more than a unit's chain and two of the others. */
static void check_tree(const int64_t *parent, int64_t size)
{
	int roots = 0;

	for (int64_t i = 0; i < size; i++) {
		int64_t at = i, steps = 0, below = 0;

		roots += parent[i] < 0;
		for (; parent[at] >= 0 && steps <= size; steps++)
			at = parent[at];
		assert_true(steps < size);
		for (int64_t k = 0; k < size; k++)
			below += parent[k] == i;
		assert_in_range(below, 0, 3);
	}
	assert_int_equal(roots, 1);
}

static void test_trees(void **state)
{
	(void)state;
	for (int64_t units = 1; units <= 9; units++)
		for (int64_t each = 1; each <= 4; each++) {
			sw_system system = {.count = 2,
				.devices = units * each,
				.level = {{.name = "node", .size = units}, {.name = "gpu", .size = each}}};
			int64_t member[36], parent[36];

			for (int64_t i = 0; i < system.devices; i++)
				member[i] = i;
			for (int tree = 0; tree < 2; tree++) {
				sw_tree_parents(&system, member, system.devices, tree, parent);
				check_tree(parent, system.devices);
				for (int64_t i = 0; i < system.devices && units > 1; i++)
					if (i % each != 0)
						assert_int_equal(parent[i], i - 1);
			}
		}
}

static int end(void **state)
{
	for (int h = 0; h <= SW_MAX_SUMMED; h++)
		for (int a = 0; a < 2; a++)
			sw_contexts_free(graphs[h][a]);
	return arena_end(state);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_placements),
		TEST(test_orders),
		TEST(test_groups),
		TEST(test_programs),
		TEST(test_counts),
		TEST(test_contexts),
		TEST(test_bounded_contexts),
		TEST(test_best),
		TEST(test_choices),
		TEST(test_trees),
		TEST(test_expressive),
		TEST(test_numbers),
		TEST(test_system_texts),
		ROWS(test_bad_systems, bad_systems, text),
		TEST(test_step_texts),
		ROWS(test_bad_steps, bad_steps, text),
	};

	return kit_run(tests, COUNT(tests), arena_start, end);
}
