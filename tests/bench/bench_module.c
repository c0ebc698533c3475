/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long it takes to read a module of 100,000 lines with 5,000 all-reduces: the median of five.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shardwalk/hlo.h>

#define SUMS 5000
#define BETWEEN 18 /* instructions between two sums */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void write_module(sw_text *text)
{
	static const char *const groups[] = {"[4,2]<=[8]", "[4,2]<=[4,2]T(1,0)", "{{0,1,2,3},{4,5,6,7}}"};
	sw_text_add(text,
		"HloModule big, num_partitions=8\n\n%add {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
		"  ROOT %s = f32[] add(%x, %y)\n}\n\nENTRY %main {\n"
		"  %v0 = f32[64,64]{1,0} parameter(0), sharding={devices=[1,8]<=[8]}\n"
		"  %q = f32[64,64]{1,0} parameter(1), sharding={devices=[8,1]<=[8]}\n");
	for (int i = 0, v = 0; i < SUMS; i++) {
		sw_text_addf(text,
			"  %%d%d = f32[64,64]{1,0} dot(%%v%d, %%q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n", i, v);
		sw_text_addf(text,
			"  %%v%d = f32[64,64]{1,0} all-reduce(%%d%d), channel_id=%d, replica_groups=%s, to_apply=%%add\n", v + 1,
			i, i + 1, groups[i % 3]);
		v++;
		for (int k = 0; k < BETWEEN; k++, v++)
			sw_text_addf(text, "  %%v%d = f32[64,64]{1,0} %s(%%v%d)\n", v + 1, k % 2 ? "tanh" : "negate", v);
	}
	sw_text_addf(text, "  ROOT %%o = f32[64,64]{1,0} copy(%%v%d)\n}\n", SUMS * (BETWEEN + 1));
}

int main(void)
{
	sw_text text = {0};
	double taken[5];
	sw_hlo_import import = {0};

	write_module(&text);
	for (int k = 0; k < 5; k++) {
		sw_arena *arena = sw_arena_new();
		sw_diag diag = {0};
		double start = now();
		if (!arena || !sw_hlo_read_module((sw_str){sw_text_get(&text), text.length}, NULL, arena, &import, &diag)) {
			fprintf(stderr, "not read: %s\n", diag.message);
			return 1;
		}
		taken[k] = now() - start;
		sw_arena_free(arena);
	}
	qsort(taken, 5, sizeof *taken, by_value);
	printf("a module of %d lines, %lld collectives: %.3f s (goal 1 s)\n", SUMS * (BETWEEN + 2) + 13,
		(long long)import.collectives, taken[2]);
	sw_text_free(&text);
	return import.collectives != SUMS || import.left_out != 0;
}
