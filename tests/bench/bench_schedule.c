/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of figure 9 on 64 and 256 processors: text to totals, and messages one by one.
 *
 *     bench_schedule
 *
 * Goals: 50 us and 200 us for a schedule with its totals (volume, largest received, live memory), 100 ns for each message.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shardwalk/shardwalk.h>

static const struct algorithm {
	const char *name, *mesh, *home[3], *schedule; /* homes of A, B, C, as types */
} algorithms[] = {
	{"cannon 8 x 8", "{x: 8, y: 8}", {"[{x}8192, {y}8192]", "[{x}8192, {y}8192]", "[{x}8192, {y}8192]"},
		".distribute({i,j}, {io,jo}, {ii,ji}, Grid(8,8)).divide(k, ko, ki, 8).reorder({ko,ii,ji,ki}).rotate(ko, {io,jo}, kos)"
		".communicate(A, jo).communicate({B,C}, kos).substitute({ii,ji,ki}, gemm)"},
	{"summa 8 x 8", "{x: 8, y: 8}", {"[{x}8192, {y}8192]", "[{x}8192, {y}8192]", "[{x}8192, {y}8192]"},
		".distribute({i,j}, {io,jo}, {ii,ji}, Grid(8,8)).split(k, ko, ki, 1024).reorder({ko,ii,ji,ki})"
		".communicate(A, jo).communicate({B,C}, ko).substitute({ii,ji,ki}, gemm)"},
	{"cosma 4 x 4 x 4", "{x: 4, y: 4, z: 4}",
		{"[{z,x}8192, {y}8192]", "[{y,x}8192, {z}8192]", "[{x,z}8192, {y}8192]"},
		".distribute({i,j,k}, {io,jo,ko}, {ii,ji,ki}, Grid(4,4,4)).divide(ki, kio, kii, 2).reorder({kio,ii,ji,kii})"
		".communicate(A, ko).communicate({B,C}, kio).substitute({ii,ji,kii}, gemm)"},
	{"cannon 16 x 16", "{x: 16, y: 16}", {"[{x}8192, {y}8192]", "[{x}8192, {y}8192]", "[{x}8192, {y}8192]"},
		".distribute({i,j}, {io,jo}, {ii,ji}, Grid(16,16)).divide(k, ko, ki, 16).reorder({ko,ii,ji,ki}).rotate(ko, {io,jo}, kos)"
		".communicate(A, jo).communicate({B,C}, kos).substitute({ii,ji,ki}, gemm)"},
	{"summa 16 x 16", "{x: 16, y: 16}", {"[{x}8192, {y}8192]", "[{x}8192, {y}8192]", "[{x}8192, {y}8192]"},
		".distribute({i,j}, {io,jo}, {ii,ji}, Grid(16,16)).split(k, ko, ki, 512).reorder({ko,ii,ji,ki})"
		".communicate(A, jo).communicate({B,C}, ko).substitute({ii,ji,ki}, gemm)"},
};

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void stop(const sw_diag *diag)
{
	fprintf(stderr, "%s\n", diag->message);
	exit(1);
}

/* From homes and texts to totals. */
static const sw_lowering *add_up(const struct algorithm *algorithm, const sw_mesh *mesh,
	const sw_schedule_array *array, sw_arena *arena, sw_schedule_totals *totals)
{
	sw_schedule_problem *problem = SW_NEW(arena, sw_schedule_problem, 1);
	sw_diag diag;

	if (problem == NULL ||
		!sw_schedule_problem_of(sw_str_of("A(i,j) = B(i,k) * C(k,j)"), mesh, array, 3, arena, problem, &diag))
		stop(&diag);
	const sw_schedule *schedule = sw_schedule_read(sw_schedule_new(problem, arena), sw_str_of(algorithm->schedule),
		arena, NULL, &diag);
	const sw_lowering *lowering = schedule != NULL ? sw_lowering_of(schedule, arena, &diag) : NULL;
	if (lowering == NULL || !sw_lowering_totals(lowering, false, NULL, arena, totals, &diag))
		stop(&diag);
	return lowering;
}

static double best_of(const struct algorithm *algorithm, const sw_mesh *mesh, const sw_schedule_array *array,
	sw_schedule_totals *totals)
{
	sw_arena *arena = sw_arena_new();
	double best = 1e9;

	for (int n = 0; n < 200; n++) {
		double begin = now();
		add_up(algorithm, mesh, array, arena, totals);
		double took = now() - begin;
		best = took < best ? took : best;
		sw_arena_clear(arena);
	}
	sw_arena_free(arena);
	return best;
}

static double message_time(const struct algorithm *algorithm, const sw_mesh *mesh, const sw_schedule_array *array,
	int64_t *count)
{
	sw_arena *arena = sw_arena_new(), *scratch = sw_arena_new();
	sw_schedule_totals totals;
	sw_schedule_messages messages;
	const sw_lowering *lowering = add_up(algorithm, mesh, array, arena, &totals);
	double best = 1e9;

	for (int n = 0; n < 20; n++) {
		double begin = now();
		*count = 0;
		for (int64_t step = 0; step < lowering->steps; step++) {
			sw_arena_clear(scratch);
			if (!sw_lowering_messages(lowering, step, scratch, &messages))
				exit(1);
			*count += messages.count;
		}
		double took = now() - begin;
		best = took < best ? took : best;
	}
	sw_arena_free(arena);
	sw_arena_free(scratch);
	return best;
}

static void measure(const struct algorithm *algorithm)
{
	static const char *const names[] = {"A", "B", "C"};
	sw_schedule_array array[3];
	sw_holding holding[3];
	sw_schedule_totals totals;
	sw_mesh mesh;
	sw_type type;
	sw_diag diag;
	int64_t count;

	if (!sw_mesh_parse(sw_str_of(algorithm->mesh), &mesh, &diag))
		stop(&diag);
	for (int k = 0; k < 3; k++) {
		if (!sw_type_parse(&mesh, sw_str_of(algorithm->home[k]), &type, &diag) ||
			!sw_holding_of_type(&mesh, &type, NULL, NULL, &holding[k]))
			stop(&diag);
		array[k] = (sw_schedule_array){.name = sw_str_of(names[k]),
			.rank = 2,
			.size = {type.global[0], type.global[1]},
			.home = &holding[k]};
	}
	double took = best_of(algorithm, &mesh, array, &totals), messages = message_time(algorithm, &mesh, array, &count);
	printf("%-16s %8.1f us  volume %" PRId64 ", received %" PRId64 ", live %" PRId64 "; %" PRId64
		   " messages, %.0f ns each\n",
		algorithm->name, took * 1e6, totals.volume, totals.most_received, totals.most_peak, count,
		count > 0 ? messages / (double)count * 1e9 : 0.0);
}

int main(void)
{
	for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++)
		measure(&algorithms[k]);
	return 0;
}
