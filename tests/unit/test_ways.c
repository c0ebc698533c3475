/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways of a product: recorded costs, fronts, bounds of memory and seconds, and a search over the joint states of both operands.
 */
#include <math.h>

#include <jansson.h>

#include <shardwalk/hardware.h>
#include <shardwalk/simulate.h>
#include <shardwalk/ways.h>

#include "kit/cases.h"
#include "kit/problem.h"
#include "program/pairs.h"
#include "search/distances.h"

static const char *text_at(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static double number_at(const json_t *line, const char *key)
{
	return json_number_value(json_object_get(line, key));
}

static void read_type(const sw_product *p, const json_t *line, const char *key, sw_type *type)
{
	char text[300];

	snprintf(text, sizeof text, "%s%s", text_at(line, "dtype"), text_at(line, key));
	*type = type_of(&p->mesh, text);
}

static void read_product(const json_t *line, sw_product *p)
{
	sw_diag diag;

	p->mesh = mesh_of(text_at(line, "mesh"));
	assert_true(sw_equation_parse(sw_str_of(text_at(line, "einsum")), &p->equation, &diag));
	read_type(p, line, "a", &p->a);
	read_type(p, line, "b", &p->b);
	read_type(p, line, "as", &p->as);
	p->wanted = true;
}

static void find_ways(const sw_product *p, const sw_ways_options *options, sw_arena *arena, sw_ways *ways)
{
	sw_diag diag;

	if (!sw_ways_find(p, options, arena, ways, &diag))
		fail_msg("%s", diag.message);
}

static void each_line(const char *file_name, void (*one)(const json_t *line))
{
	FILE *file = cases_open(file_name);
	static char text[65536];
	int lines = 0;

	assert_non_null(file);
	while (fgets(text, sizeof text, file) != NULL) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		one(line);
		json_decref(line);
		lines++;
	}
	assert_true(lines > 0);
	fclose(file);
}

/* ---- elements ---- */

static void same_front(const json_t *line, const sw_ways *ways)
{
	const json_t *front = json_object_get(line, "front");
	size_t k = 0;
	const sw_way *last = NULL;

	for (int64_t n = 0; n < ways->count && json_is_array(front); n++) {
		const sw_way *way = &ways->way[n];

		if (!way->front ||
			(last != NULL && way->cost <= last->cost && way->flops == last->flops && way->memory == last->memory))
			continue;
		const json_t *right = json_array_get(front, k++);
		if (right == NULL || way->cost != json_number_value(json_array_get(right, 0)) ||
			way->flops != json_integer_value(json_array_get(right, 1)) ||
			way->memory != json_integer_value(json_array_get(right, 2)))
			fail_msg("%s: front [%g, %lld, %lld] is another", text_at(line, "name"), way->cost, (long long)way->flops,
				(long long)way->memory);
		last = way;
	}
	if (json_is_array(front) && k != json_array_size(front))
		fail_msg("%s: the front has %zu corners", text_at(line, "name"), k);
}

static void same_live(const json_t *line, const sw_product *p)
{
	const json_t *bounds = json_object_get(line, "live");

	for (size_t k = 0; k < json_array_size(bounds); k++) {
		const json_t *bound = json_array_get(bounds, k), *cost = json_object_get(bound, "cost");
		sw_arena *arena = sw_arena_new();
		sw_ways_options options = {.live = json_integer_value(json_object_get(bound, "live"))};
		sw_ways ways;

		find_ways(p, &options, arena, &ways);
		double right = json_is_null(cost) ? INFINITY : json_number_value(cost);
		if (!(ways.least <= right) || !(ways.least >= right))
			fail_msg("%s: live %lld: %g, not %g", text_at(line, "name"), (long long)options.live, ways.least, right);
		if (ways.fitting == 0 && ways.count > 0) {
			options.live = ways.admits;
			find_ways(p, &options, arena, &ways);
			assert_true(ways.fitting > 0);
		}
		sw_arena_free(arena);
	}
}

static void one_product(const json_t *line)
{
	sw_arena *arena = sw_arena_new();
	sw_product p;
	sw_ways ways;
	sw_ways_options options = {.live = 0};

	read_product(line, &p);
	find_ways(&p, &options, arena, &ways);
	if (ways.least != number_at(line, "cost"))
		fail_msg("%s: cost %g", text_at(line, "name"), ways.least);
	assert_true(ways.proved);
	same_front(line, &ways);
	same_live(line, &p);
	sw_arena_free(arena);
}

static void recorded_products_cost_as_much(void **state)
{
	(void)state;
	each_line("programs-einsum.jsonl", one_product);
}

/* ---- seconds ---- */

static void near(const char *name, const char *what, double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * fabs(b)))
		fail_msg("%s: %s %.15g is not %.15g", name, what, a, b);
}

static void same_turns(const json_t *line, const json_t *right, const sw_ways *ways, const sw_way *way)
{
	const char *letter;
	json_t *size;

	json_object_foreach((json_t *)json_object_get(right, "turn"), letter, size)
	{
		sw_turn turn;
		double at;

		assert_true(sw_ways_turn(ways, way, *letter, &turn, &at, NULL));
		if ((turn == SW_TURN_NEVER) != json_is_null(size))
			fail_msg("%s: %s %s turns otherwise in %s", text_at(line, "name"), text_at(right, "a"),
				text_at(right, "b"), letter);
		if (turn == SW_TURN_AT)
			near(text_at(line, "name"), letter, at, json_number_value(size));
	}
}

static void same_way(const json_t *line, const json_t *right, const sw_ways *ways, const sw_way *way)
{
	static const char *const keys[] = {"a", "b", "product"};
	const char *name = text_at(line, "name");
	sw_type types[3];

	sw_ways_types(ways, way, types);
	for (int k = 0; k < 3; k++) {
		sw_text text = {0};

		sw_type_print(&ways->product->mesh, &types[k], false, &text);
		if (strcmp(sw_text_get(&text), text_at(right, keys[k])) != 0)
			fail_msg("%s: %s instead of %s", name, sw_text_get(&text), text_at(right, keys[k]));
		sw_text_free(&text);
	}
	near(name, "comm", way->comm, number_at(right, "comm_seconds"));
	near(name, "math", way->math, number_at(right, "math_seconds"));
	assert_int_equal(way->memory, json_integer_value(json_object_get(right, "memory")));
	same_turns(line, right, ways, way);
}

/* By seconds that are no rounding apart: -1, 0, 1. */
static int order_of(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(a, b) ? 0 : a < b ? -1 : 1;
}

/* Of ways that move for as long, the one that multiplies faster comes first. */
static void ties_are_broken_by_the_product(const json_t *line, const sw_ways *ways)
{
	for (int64_t n = 1; n < ways->count; n++) {
		const sw_way *a = &ways->way[n - 1], *b = &ways->way[n];
		bool tie = order_of(fmax(a->comm, a->math), fmax(b->comm, b->math)) == 0 && order_of(a->comm, b->comm) == 0;

		if (tie && order_of(a->math, b->math) > 0)
			fail_msg("%s: way %lld multiplies longer than the next", text_at(line, "name"), (long long)n);
	}
}

static bool beats(const sw_way *a, const sw_way *b)
{
	int order = order_of(a->comm, b->comm);

	return order <= 0 && a->flops <= b->flops && a->memory <= b->memory &&
		(order < 0 || a->flops < b->flops || a->memory < b->memory);
}

static void stars_are_for_seconds(const json_t *line, const sw_ways *ways)
{
	for (int64_t n = 0; n < ways->count; n++) {
		bool beaten = false;

		for (int64_t k = 0; k < ways->count && !beaten; k++)
			beaten = beats(&ways->way[k], &ways->way[n]);
		if (ways->way[n].front == beaten)
			fail_msg("%s: the star of way %lld", text_at(line, "name"), (long long)n + 1);
	}
}

static void one_timed(const json_t *line)
{
	sw_arena *arena = sw_arena_new();
	sw_machine machine;
	const json_t *list = json_object_get(line, "ways");
	sw_ways_options options = {.machine = &machine};
	sw_product p;
	sw_ways ways;

	read_product(line, &p);
	assert_true(sw_hardware_roofline(sw_hardware_named(sw_str_of(text_at(line, "hardware"))), arena, &machine));
	find_ways(&p, &options, arena, &ways);
	near(text_at(line, "name"), "sum", ways.least_sum, number_at(line, "least_sum_seconds"));
	near(text_at(line, "name"), "overlap", ways.least_overlap, number_at(line, "least_overlap_seconds"));
	sw_ways_sort(&ways, SW_WAYS_BY_OVERLAP);
	ties_are_broken_by_the_product(line, &ways);
	stars_are_for_seconds(line, &ways);
	assert_true(ways.count >= (int64_t)json_array_size(list));
	for (size_t k = 0; k < json_array_size(list); k++)
		same_way(line, json_array_get(list, k), &ways, &ways.way[k]);
	sw_arena_free(arena);
}

static void recorded_ways_take_as_long(void **state)
{
	(void)state;
	each_line("programs-ways.jsonl", one_timed);
}

/* ---- against a search over joint states ---- */

/* States of both operands at once, then of the product: one operand moves at a time. */
typedef struct joint {
	sw_type_space space[3];
	double *step[3]; /* [from][to]: what one redistribution costs */
	double *cost;    /* [a][b] */
	double best;
	int32_t end;
} joint;

static void fill_steps(joint *j, int k, sw_arena *arena)
{
	const sw_type_space *s = &j->space[k];
	sw_plan_options options = {.strategy = SW_FUSED,
		.model = SW_MODEL_PAPER,
		.budget = INT64_MAX / 4,
		.sizes_only = true};
	sw_arena *plans = sw_arena_new();

	j->step[k] = SW_NEW(arena, double, (int64_t)s->count * s->count);
	for (int32_t a = 0; a < s->count; a++)
		for (int32_t b = 0; b < s->count; b++) {
			sw_problem problem = {.mesh = *s->mesh, .to_order = NULL};
			sw_plan plan;

			sw_type_space_at(s, a, &problem.from);
			sw_type_space_at(s, b, &problem.to);
			assert_true(sw_plan_find(&problem, &options, plans, &plan, NULL));
			j->step[k][(int64_t)a * s->count + b] = plan.model_cost;
			sw_arena_clear(plans);
		}
	sw_arena_free(plans);
}

static void relax_joint(joint *j, int32_t a, int32_t b)
{
	int32_t na = j->space[0].count, nb = j->space[1].count;
	double at = j->cost[(int64_t)a * nb + b];

	for (int32_t n = 0; n < na; n++)
		j->cost[(int64_t)n * nb + b] = fmin(j->cost[(int64_t)n * nb + b], at + j->step[0][(int64_t)a * na + n]);
	for (int32_t n = 0; n < nb; n++)
		j->cost[(int64_t)a * nb + n] = fmin(j->cost[(int64_t)a * nb + n], at + j->step[1][(int64_t)b * nb + n]);
}

static double joint_cost(const sw_product *p, sw_arena *arena)
{
	joint j = {.best = INFINITY};
	sw_prime_parts primes;
	sw_type result, types[2];
	const sw_type *shapes[] = {&p->a, &p->b, &result};

	sw_prime_parts_default(&p->mesh, &primes);
	assert_true(sw_product_shape(&p->equation, &p->a, &p->b, &result, NULL));
	for (int k = 0; k < 3; k++) {
		const sw_space_types types = {shapes[k], &primes, true};
		assert_true(sw_type_space_init(&j.space[k], &p->mesh, &types, 1 << 20, arena, NULL));
		fill_steps(&j, k, arena);
	}
	int32_t na = j.space[0].count, nb = j.space[1].count, nc = j.space[2].count;
	j.cost = SW_NEW(arena, double, (int64_t)na *nb);
	for (int32_t n = 0; n < na * nb; n++)
		j.cost[n] = INFINITY;
	int32_t a = sw_type_space_find(&j.space[0], &p->a), b = sw_type_space_find(&j.space[1], &p->b);
	j.cost[(int64_t)a * nb + b] = 0;
	relax_joint(&j, a, b);
	for (int32_t n = 0; n < na; n++)
		relax_joint(&j, n, b);
	j.end = sw_type_space_find(&j.space[2], &p->as);
	for (a = 0; a < na; a++)
		for (b = 0; b < nb; b++) {
			sw_type_space_at(&j.space[0], a, &types[0]);
			sw_type_space_at(&j.space[1], b, &types[1]);
			if (!sw_product_local(&p->mesh, &p->equation, &types[0], &types[1], &result, NULL))
				continue;
			int32_t c = sw_type_space_find(&j.space[2], &result);
			j.best = fmin(j.best, j.cost[(int64_t)a * nb + b] + j.step[2][(int64_t)c * nc + j.end]);
		}
	return j.best;
}

static void draw_shape(draw *random, const sw_product *p, int side, const int64_t size[128], sw_type *type)
{
	int64_t global[SW_MAX_DIMS];
	sw_part parts[SW_MAX_PARTS];
	int n = 0;

	for (int i = 0; i < p->equation.rank[side]; i++)
		global[i] = size[(int)p->equation.letter[side][i]];
	assert_true(sw_type_replicated(SW_F32, p->equation.rank[side], global, type, NULL));
	draw_parts(random, &p->mesh, type);
	for (int a = 0; a < p->mesh.count && draw_below(random, 4) == 0; a++) {
		bool used = false;
		for (int k = 0; k < type->first[type->rank]; k++)
			used = used || sw_type_part(type, k).axis == a;
		if (!used)
			parts[n++] = (sw_part){a, 1, p->mesh.axis[a].size};
	}
	assert_true(sw_type_set_sums(&p->mesh, type, parts, n, NULL));
}

static void cost_is_that_of_joint_states(void **state)
{
	static const char *const equations[] = {"ij,jk->ik", "ij,j->i", "i,i->", "i,j->ij", "ij,kj->ki"};
	static const int64_t sizes[] = {2, 4, 6, 8};
	draw random = draw_start("joint states");

	(void)state;
	for (int n = 0; n < 4; n++) {
		sw_arena *arena = sw_arena_new();
		sw_product p = {.mesh = mesh_of(n % 2 == 0 ? "{x: 2, y: 2}" : "{x: 4}"), .wanted = true};
		int64_t size[128];
		sw_ways_options options = {.live = 0};
		sw_ways ways;

		for (int k = 0; k < 128; k++)
			size[k] = sizes[draw_below(&random, COUNT(sizes))];
		assert_true(
			sw_equation_parse(sw_str_of(equations[draw_below(&random, COUNT(equations))]), &p.equation, NULL));
		draw_shape(&random, &p, SW_EQUATION_A, size, &p.a);
		draw_shape(&random, &p, SW_EQUATION_B, size, &p.b);
		draw_shape(&random, &p, SW_EQUATION_RESULT, size, &p.as);
		find_ways(&p, &options, arena, &ways);
		double right = joint_cost(&p, arena);
		if (!(ways.least <= right) || !(ways.least >= right))
			fail_msg("%g, over joint states %g", ways.least, right);
		sw_arena_free(arena);
	}
}

/* ---- ways that are alike ---- */

static sw_product cut_by_x(void)
{
	sw_product p = {.mesh = mesh_of("{x: 4, y: 2}"), .wanted = true};

	assert_true(sw_equation_parse(sw_str_of("ij,jk->ik"), &p.equation, NULL));
	p.a = type_of(&p.mesh, "[64, 8{x}32]");
	p.b = type_of(&p.mesh, "[16{y}32, 48]");
	p.as = type_of(&p.mesh, "[32{y}64, 48]");
	return p;
}

static void both_parts_of_an_axis_are_the_axis(void **state)
{
	const sw_product p = cut_by_x();
	sw_arena *arena = sw_arena_new();
	sw_ways ways;

	(void)state;
	find_ways(&p, &(sw_ways_options){.live = 0}, arena, &ways);
	for (int64_t n = 0; n < ways.count; n++) {
		sw_text text = {0};
		sw_type types[3];

		sw_ways_types(&ways, &ways.way[n], types);
		for (int k = 0; k < 3; k++)
			sw_type_print(&p.mesh, &types[k], false, &text);
		if (strstr(sw_text_get(&text), "x:(1)2,x:(2)2") != NULL)
			fail_msg("way %d: %s", (int)n + 1, sw_text_get(&text));
		sw_text_free(&text);
	}
	sw_arena_free(arena);
}

/* ---- a list that has no room for all ---- */

static sw_product cut_by_many(const char *mesh)
{
	sw_product p = {.mesh = mesh_of(mesh), .wanted = true};

	assert_true(sw_equation_parse(sw_str_of("ij,jk->ik"), &p.equation, NULL));
	p.a = type_of(&p.mesh, "[64, 16{x:(1)2}32]");
	p.b = type_of(&p.mesh, "[32, 48]");
	p.as = type_of(&p.mesh, "[64, 48]");
	return p;
}

static void same_listed(const sw_way *a, const sw_way *b)
{
	assert_memory_equal(a->type, b->type, sizeof a->type);
	assert_true(a->front == b->front && a->fits == b->fits && a->needs == b->needs);
}

static void same_ways(const sw_ways *some, const sw_ways *all)
{
	assert_true(some->priced == all->count && all->priced == all->count);
	assert_true(some->count > 0 && some->count < all->count && !some->complete && all->complete);
	assert_true(!(some->least < all->least) && !(some->least > all->least));
	for (int64_t n = 0; n < some->count; n++)
		same_listed(&some->way[n], &all->way[n]);
}

/* Whatever is compared first, a short list is the beginning of the long one. */
static void a_short_list_has_the_first_ways(void **state)
{
	const sw_product p = cut_by_many("{x: 12, y: 2}");
	static const sw_ways_order orders[] = {SW_WAYS_BY_COST, SW_WAYS_BY_MEMORY};
	static const int64_t live[] = {0, 4000};

	(void)state;
	for (int k = 0; k < 4; k++) {
		sw_ways_options options = {.by = orders[k % 2], .live = live[k / 2]};
		sw_arena *arena = sw_arena_new();
		sw_ways all, some;

		find_ways(&p, &options, arena, &all);
		options.list = 40 * sizeof(sw_way);
		find_ways(&p, &options, arena, &some);
		same_ways(&some, &all);
		sw_arena_free(arena);
	}
}

/* Tables of types, and each way once: no copies of lists that grew, no rooms of searches that have ended. */
static void ways_take_little_memory(void **state)
{
	const sw_product p = cut_by_many("{x: 72, y: 2, z: 2}");
	sw_arena *arena = sw_arena_new();
	sw_ways ways;

	(void)state;
	find_ways(&p, &(sw_ways_options){.live = 0}, arena, &ways);
	assert_true(ways.complete && ways.count > 200000 && sw_arena_bytes(arena) < (size_t)64 << 20);
	sw_arena_free(arena);
}

/* ---- machines that look at both tiles ---- */

static sw_machine latency_machine(sw_arena *arena)
{
	sw_hardware hardware = {.name = "mine"};
	sw_machine machine;

	assert_true(sw_hardware_parse(sw_str_of("20GB/s 3us copy 30GB/s flops 1e12"), &hardware, NULL));
	assert_true(sw_hardware_machine(&hardware, arena, &machine));
	return machine;
}

static double planned(const sw_mesh *mesh, const sw_type *from, const sw_type *to, const sw_machine *machine,
	sw_arena *arena)
{
	const sw_plan_options options = {.strategy = SW_FUSED,
		.model = SW_MODEL_LATENCY,
		.machine = machine,
		.budget = INT64_MAX / 4};
	sw_problem problem = {.mesh = *mesh, .from = *from, .to = *to};
	sw_plan plan;
	sw_diag diag;

	if (!sw_plan_find(&problem, &options, arena, &plan, &diag))
		fail_msg("%s", diag.message);
	return plan.model_cost;
}

/* Plans may permute, and cut parts of axes: they take no longer. */
static void seconds_of_ways_are_those_of_steps(void **state)
{
	const sw_product p = cut_by_x();
	sw_arena *arena = sw_arena_new();
	const sw_machine machine = latency_machine(arena);
	sw_ways ways;

	(void)state;
	find_ways(&p, &(sw_ways_options){.machine = &machine}, arena, &ways);
	assert_true(ways.timed && !sw_ways_turns(&ways));
	sw_ways_sort(&ways, SW_WAYS_BY_TIME);
	assert_true(ways.way[0].front);
	for (int64_t n = 0; n < ways.count; n++) {
		const sw_way *way = &ways.way[n];
		sw_type types[3];

		sw_ways_types(&ways, way, types);
		double least = planned(&p.mesh, &p.a, &types[0], &machine, arena) +
			planned(&p.mesh, &p.b, &types[1], &machine, arena) + planned(&p.mesh, &types[2], &p.as, &machine, arena);
		assert_true(way->comm >= least * (1 - 1e-9));
		assert_true(fabs(way->math - 1e-12 * (double)way->flops) < 1e-15);
		assert_true(n == 0 || way[-1].comm + way[-1].math <= (way->comm + way->math) * (1 + 1e-9));
	}
	assert_true(fabs(ways.least_sum - ways.way[0].comm - ways.way[0].math) < 1e-12);
	sw_arena_free(arena);
}

/* What was measured are products of f32 and f64, each with its beginning. */
static void measured_products_have_a_beginning(void **state)
{
	static const sw_kernel_rate rates[] = {{SW_KERNEL_PRODUCT, 16, 1e-5, 1e9}, {SW_KERNEL_EACH, 16, 1e-5, 1e9}};
	const sw_machine machine = {.count = 0, .kernels = COUNT(rates), .kernel = rates};
	const int64_t tile[] = {16, 16};
	const sw_product p = cut_by_x();

	(void)state;
	assert_true(fabs(sw_product_seconds(&machine, &p.equation, SW_F32, tile, tile) - 1e-5 - 8192e-9) < 1e-12);
	assert_true(sw_product_seconds(&machine, &p.equation, SW_BF16, tile, tile) < 0);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_products_cost_as_much),
		TEST(recorded_ways_take_as_long),
		TEST(cost_is_that_of_joint_states),
		TEST(both_parts_of_an_axis_are_the_axis),
		TEST(a_short_list_has_the_first_ways),
		TEST(ways_take_little_memory),
		TEST(seconds_of_ways_are_those_of_steps),
		TEST(measured_products_have_a_beginning),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
