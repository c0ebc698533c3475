/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What XLA does to a product, compared with recorded modules.  The rules miss some: how many is said, and may not grow.
 */
#include <jansson.h>
#include <string.h>

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
	bool ok = sw_xla_product_find(&p, arena, &found, &diag);
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
	assert_false(sw_xla_product_find(&p, arena, &found, &diag));
	assert_int_equal(diag.code, SW_S02);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_products_cost_as_much),
		TEST(drawn_products_mostly_do),
		TEST(axes_in_parts_are_refused),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
