/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What XLA does to a product, compared with recorded modules.  The rules miss some: how many is said, and may not grow.
 */
#include <jansson.h>
#include <string.h>

#include <shardwalk/advise.h>
#include <shardwalk/ways.h>

#include "kit/cases.h"
#include "kit/problem.h"

struct counts {
	int lines, cost, both, refused;
};

static bool read_type(const sw_mesh *mesh, const json_t *line, const char *key, sw_type *type)
{
	return sw_type_parse(mesh, sw_str_of(json_string_value(json_object_get(line, key))), type, NULL);
}

static void read_product(const json_t *line, sw_product *p)
{
	*p = (sw_product){.wanted = true};
	assert_true(sw_mesh_parse(sw_str_of(json_string_value(json_object_get(line, "mesh"))), &p->mesh, NULL));
	assert_true(sw_equation_parse(sw_str_of(json_string_value(json_object_get(line, "einsum"))), &p->equation, NULL));
	assert_true(read_type(&p->mesh, line, "a", &p->a) && read_type(&p->mesh, line, "b", &p->b) &&
		read_type(&p->mesh, line, "as", &p->as));
}

/* What is multiplied follows from where the operands end, by the rule; the product is where it is then wanted. */
static void ends_multiply(const sw_product *p, const sw_xla_product *found, const char *name)
{
	const sw_type *a = &found->stop[0][found->stops[0] - 1], *b = &found->stop[1][found->stops[1] - 1];
	sw_type local;
	sw_diag diag;
	sw_part sums[SW_MAX_PARTS];

	if (!sw_product_local(&p->mesh, &p->equation, a, b, &local, &diag))
		fail_msg("%s: %s", name, diag.message);
	assert_true(sw_type_equal(&found->stop[2][found->stops[2] - 1], &p->as));
	assert_true(sw_type_equal(&found->stop[0][0], &p->a) && sw_type_equal(&found->stop[1][0], &p->b));
	assert_int_equal(found->allreduce, sw_type_sums(&local, sums) > sw_type_sums(&p->as, sums));
	if (found->allreduce || sw_type_sums(&p->as, sums) > 0)
		assert_int_equal(sw_type_set_sums(&p->mesh, &local, NULL, 0, &diag), true);
	if (sw_type_sums(&p->as, sums) == 0)
		assert_true(sw_type_equal(&local, &found->stop[2][0]));
}

static void one_line(const json_t *line, struct counts *counts)
{
	sw_arena *arena = sw_arena_new();
	const char *name = json_string_value(json_object_get(line, "name"));
	const json_t *cost = json_object_get(line, "cost");
	sw_product p;
	sw_xla_product found;
	sw_diag diag;

	read_product(line, &p);
	counts->lines++;
	bool ok = sw_xla_product_find(&p, NULL, arena, &found, &diag);
	if (!json_is_integer(cost)) {
		assert_false(ok);
		assert_int_equal(diag.code, SW_S02);
		counts->refused++;
	} else if (!ok) {
		fail_msg("%s: %s", name, diag.message);
	} else {
		bool same = found.cost == json_integer_value(cost);

		ends_multiply(&p, &found, name);
		counts->cost += same;
		counts->both += same && found.flops == json_integer_value(json_object_get(line, "flops"));
	}
	sw_arena_free(arena);
}

static struct counts of_file(const char *name)
{
	struct counts counts = {0};
	FILE *file = cases_open(name);
	char *text = NULL;
	size_t room = 0;

	if (file == NULL) {
		char path[4096];
		snprintf(path, sizeof path, "tests/cases/%s", name);
		file = fopen(path, "r");
	}
	assert_non_null(file);
	while (getline(&text, &room, file) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		one_line(line, &counts);
		json_decref(line);
	}
	free(text);
	fclose(file);
	return counts;
}

static void recorded_products_cost_as_much(void **state)
{
	(void)state;
	struct counts counts = of_file("xla-products.jsonl");

	assert_int_equal(counts.lines, 77);
	assert_int_equal(counts.refused, 10);
	print_message("%d of 67 cost as much, %d with as many flops\n", counts.cost, counts.both);
	assert_true(counts.cost >= 66);
}

static void drawn_products_mostly_do(void **state)
{
	(void)state;
	struct counts counts = of_file("xla-products-drawn.jsonl");

	assert_int_equal(counts.lines, 200);
	print_message("%d of 200 cost as much, %d with as many flops\n", counts.cost, counts.both);
	assert_true(counts.cost >= 180);
}

static void axes_in_parts_are_refused(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_product p = {.wanted = true};
	sw_xla_product found;
	sw_diag diag;

	(void)state;
	assert_true(sw_mesh_parse(sw_str_of("{x: 4}"), &p.mesh, NULL));
	assert_true(sw_equation_parse(sw_str_of("ij,jk->ik"), &p.equation, NULL));
	assert_true(sw_type_parse(&p.mesh, sw_str_of("[4{x:(1)2}8, 8]"), &p.a, NULL));
	assert_true(sw_type_parse(&p.mesh, sw_str_of("[8, 8]"), &p.b, NULL));
	p.as = p.b;
	assert_false(sw_xla_product_find(&p, NULL, arena, &found, &diag));
	assert_int_equal(diag.code, SW_S02);
	sw_arena_free(arena);
}

static void read_texts(const char *mesh, const char *equation, const char *a, const char *b, const char *as,
	sw_product *p)
{
	*p = (sw_product){.wanted = true};
	assert_true(sw_mesh_parse(sw_str_of(mesh), &p->mesh, NULL));
	assert_true(sw_equation_parse(sw_str_of(equation), &p->equation, NULL));
	assert_true(sw_type_parse(&p->mesh, sw_str_of(a), &p->a, NULL));
	assert_true(sw_type_parse(&p->mesh, sw_str_of(b), &p->b, NULL));
	assert_true(sw_type_parse(&p->mesh, sw_str_of(as), &p->as, NULL));
}

/* Compiled with these constraints, XLA's modules cost as much. */
static const struct advised {
	const char *mesh, *equation, *a, *b, *as;
	int64_t now, then; /* -1: not known */
	bool gains;
} advised[] = {
	{"{x: 4, y: 2}", "ij,jk->ik", "[8, 8{x}32]", "[16{y}32, 8]", "[8, 8]", 512, 160, true},
	{"{x: 2, y: 2}", "ij,jk->ik", "[64, 16{x}32]", "[16{x}32, 48]", "[64, 48]", 6144, 3584, true},
	{"{x: 2, y: 2}", "ij,jk->ik", "[32{x}64, 32]", "[32, 24{y}48]", "[32{x}64, 24{y}48]", 0, 0, false},
	{"{x: 2, y: 2}", "ij,jk->ik", "[64, 32]+{x}", "[32, 24{y}48]", "[32{x}64, 24{y}48]", -1, 2048, true},
};

static void constraints_are_advised(void **state)
{
	const struct advised *row = *state;
	sw_arena *arena = sw_arena_new();
	const sw_product_advice_options options = {.target = SW_ADVISE_JAX};
	sw_product p;
	sw_product_advice *advice = SW_NEW(arena, sw_product_advice, 1);
	sw_diag diag;

	read_texts(row->mesh, row->equation, row->a, row->b, row->as, &p);
	if (!sw_advise_product(&p, &options, arena, advice, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(advice->known, row->now >= 0);
	assert_int_equal(advice->now.cost, row->now >= 0 ? row->now : 0);
	assert_int_equal(advice->gains, row->gains);
	assert_int_equal(advice->cost, row->then);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_products_cost_as_much),
		TEST(drawn_products_mostly_do),
		TEST(axes_in_parts_are_refused),
		ROWS(constraints_are_advised, advised, a),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
