/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long all ways of a product take, on one core, and how many they are.
 */
#include "bench_problem.h"

#include <shardwalk/ways.h>

enum { REPEATS = 7 };

static const struct row {
	const char *mesh, *equation, *a, *b, *as;
	double goal; /* milliseconds */
} rows[] = {
	{"{x: 2, y: 2}", "ij,jk->ik", "[64, 16{x}32]", "[16{x}32, 48]", "[64, 48]", 2},
	{"{a: 2, b: 2, c: 2}", "ij,jk->ik", "[64{a}128, 64{b}128]", "[64{b}128, 64{c}128]", "[128, 64{a}128]", 2},
	{"{a: 2, b: 2, c: 2}", "bij,bjk->bik", "[4{a}8, 64, 64{b}128]", "[8, 64{b}128, 64{c}128]", "[8, 64, 64{a}128]",
		2},
	{"{a: 4, b: 4, c: 4}", "ij,jk->ik", "[64{a}256, 64{b}256]", "[64{b}256, 64{c}256]", "[256, 64{a}256]", 200},
};

static void must(bool ok, const sw_diag *diag)
{
	if (ok)
		return;
	fprintf(stderr, "%s\n", diag->message);
	exit(1);
}

static void read_row(const struct row *row, sw_product *p)
{
	sw_diag diag;

	must(sw_mesh_parse(sw_str_of(row->mesh), &p->mesh, &diag), &diag);
	must(sw_equation_parse(sw_str_of(row->equation), &p->equation, &diag), &diag);
	must(sw_type_parse(&p->mesh, sw_str_of(row->a), &p->a, &diag), &diag);
	must(sw_type_parse(&p->mesh, sw_str_of(row->b), &p->b, &diag), &diag);
	must(sw_type_parse(&p->mesh, sw_str_of(row->as), &p->as, &diag), &diag);
	p->wanted = true;
}

int main(void)
{
	printf("all ways of a product, median of %d runs, milliseconds\n", REPEATS);
	printf("  %-20s %-14s %8s %8s %8s %8s\n", "mesh", "equation", "ways", "ms", "goal", "MB");
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		sw_product *p = calloc(1, sizeof *p);
		double taken[REPEATS];
		size_t bytes = 0;
		sw_ways ways;
		sw_diag diag;

		read_row(&rows[k], p);
		for (int n = 0; n < REPEATS; n++) {
			sw_arena *arena = sw_arena_new();
			double begin = now();

			must(sw_ways_find(p, &(sw_ways_options){.live = 0}, arena, &ways, &diag), &diag);
			taken[n] = now() - begin;
			bytes = sw_arena_bytes(arena);
			sw_arena_free(arena);
		}
		sort(taken, REPEATS);
		printf("  %-20s %-14s %8lld %8.2f %8.0f %8.1f\n", rows[k].mesh, rows[k].equation, (long long)ways.count,
			1e3 * taken[REPEATS / 2], rows[k].goal, 1e-6 * (double)bytes);
		free(p);
	}
	return 0;
}
