/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long planning takes, types in and plan with its groups out, on one core: the problems of a file of cases and
 * problems on meshes of 2^20 devices, by every strategy; and how much memory it takes.
 *
 *     bench_plan [CASES.jsonl]      default: ../shared/cases/paper-like.jsonl where it is, else problems of that kind
 */
#include "bench_problem.h"

enum { LARGE_PROBLEMS = 24, REPEATS = 7 };

/* ---- measuring ---- */

struct figure {
	double seconds;
	size_t bytes;
	bool optimal;
	double gap; /* cost over lower bound */
};

static struct figure measure(const sw_problem *problem, sw_strategy strategy, int64_t prove, int repeats)
{
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = strategy, .prove = prove};
	struct figure figure = {0};
	double taken[REPEATS];
	sw_plan plan;

	for (int k = 0; k < repeats; k++) {
		sw_diag diag;
		double begin = now();

		sw_arena_clear(arena);
		if (!sw_plan_find(problem, &options, arena, &plan, &diag)) {
			fprintf(stderr, "no plan: %s\n", diag.message);
			exit(1);
		}
		taken[k] = now() - begin;
	}
	sort(taken, repeats);
	figure.seconds = taken[repeats / 2];
	figure.bytes = sw_arena_bytes(arena);
	figure.optimal = plan.optimal;
	figure.gap = plan.has_bound && plan.lower_bound > 0 ? (double)plan.cost / (double)plan.lower_bound : 1;
	sw_arena_free(arena);
	return figure;
}

static void bench_cases(const sw_problem *problems, int count, const char *what)
{
	static double seconds[MOST_PROBLEMS];

	printf("\n%d problems (%s), median of %d runs each, microseconds a problem\n", count, what, REPEATS);
	printf("  %-8s %8s %8s %8s %10s   goal (fused): median 30, 99 %% 1000\n", "strategy", "median", "99 %", "largest",
		"proved");
	for (int s = 0; s <= SW_FUSED; s++) { /* the project's own; bench_compare measures the others */
		int proved = 0;

		for (int k = 0; k < count; k++) {
			struct figure figure = measure(&problems[k], (sw_strategy)s, 0, REPEATS);

			seconds[k] = figure.seconds;
			proved += figure.optimal;
		}
		sort(seconds, count);
		printf("  %-8s %8.1f %8.1f %8.1f %6d/%d\n", sw_strategy_name((sw_strategy)s), 1e6 * seconds[count / 2],
			1e6 * seconds[count * 99 / 100], 1e6 * seconds[count - 1], proved, count);
	}
}

static void bench_large(int axes, int64_t size)
{
	draw random = {1};
	sw_problem *problem = malloc(sizeof *problem);

	printf("\n2^20 devices, %d axes of %lld, arrays of 6 dimensions of 1024, %d problems, milliseconds\n", axes,
		(long long)size, LARGE_PROBLEMS);
	printf("  %-8s %8s %8s %8s %8s   goal: paper 50 ms, exact and fused 1000 ms, 200 MB\n", "strategy", "median",
		"largest", "MB", "proved");
	for (int s = SW_PAPER; s <= SW_FUSED; s++) {
		double seconds[LARGE_PROBLEMS], gap = 1;
		size_t bytes = 0;
		int proved = 0;

		for (int k = 0; k < LARGE_PROBLEMS; k++) {
			draw_problem(&random, axes, size, 6, 1024, 2 + k % 4 * 4, problem);
			struct figure figure = measure(problem, (sw_strategy)s, 0, 1);

			seconds[k] = figure.seconds;
			proved += figure.optimal;
			gap = figure.gap > gap ? figure.gap : gap;
			bytes = figure.bytes > bytes ? figure.bytes : bytes;
		}
		sort(seconds, LARGE_PROBLEMS);
		printf("  %-8s %8.2f %8.2f %8.1f %5d/%d   largest cost / lower bound %.3f\n",
			sw_strategy_name((sw_strategy)s), 1e3 * seconds[LARGE_PROBLEMS / 2], 1e3 * seconds[LARGE_PROBLEMS - 1],
			1e-6 * (double)bytes, proved, LARGE_PROBLEMS, gap);
	}
	free(problem);
}

/* Three axes, as equal as can be. */
static const int64_t several_primes[][3] = {{3, 2, 2}, {4, 3, 2}, {4, 3, 3}, {5, 4, 3}};

static void draw_several_primes(draw *random, const int64_t *axes, int rank, sw_problem *problem)
{
	static const int64_t factors[] = {1, 2, 3, 4, 5, 8};
	sw_type *ends[] = {&problem->from, &problem->to};
	int64_t global[SW_MAX_DIMS], devices = axes[0] * axes[1] * axes[2];

	memset(problem, 0, sizeof *problem);
	for (int a = 0; a < 3; a++)
		sw_mesh_add(&problem->mesh, (sw_str){&"abc"[a], 1}, axes[a], NULL);
	for (int i = 0; i < rank; i++)
		global[i] = devices * factors[draw_below(random, 6)];
	for (int k = 0; k < 2; k++) {
		sw_type_replicated(SW_F32, rank, global, ends[k], NULL);
		deal(random, &problem->mesh, ends[k], 4);
	}
}

/* Proofs on meshes of several primes: how many, and what a plan takes with the search for them. */
static void bench_proofs(void)
{
	enum { PROBLEMS = 50, WAYS = 5000 /* `prove 10ms` */ };
	printf("\n%d problems each on meshes of several primes, with `prove 10ms`, milliseconds a plan\n", PROBLEMS);
	printf("  %-8s %8s %8s %8s %10s   goal: proved, or a bound of 90 %%; median 10, largest 1000\n", "devices",
		"strategy", "median", "largest", "proved");
	for (int row = 0; row < 4; row++)
		for (int s = SW_EXACT; s <= SW_FUSED; s++) {
			const int64_t *axes = several_primes[row];
			draw random = {(uint64_t)row};
			double seconds[PROBLEMS];
			int proved = 0;

			for (int k = 0; k < PROBLEMS; k++) {
				sw_problem problem;
				draw_several_primes(&random, axes, 1 + k % 6, &problem);
				struct figure figure = measure(&problem, (sw_strategy)s, WAYS, 1);
				seconds[k] = figure.seconds;
				proved += figure.optimal;
			}
			sort(seconds, PROBLEMS);
			printf("  %-8lld %8s %8.2f %8.2f %6d/%d\n", (long long)(axes[0] * axes[1] * axes[2]),
				sw_strategy_name((sw_strategy)s), 1e3 * seconds[PROBLEMS / 2], 1e3 * seconds[PROBLEMS - 1], proved,
				PROBLEMS);
		}
}

/* Some of the axes that cut nothing are summed: at the beginning, and in every third problem in the end. */
static void sum_some(draw *random, const sw_mesh *mesh, sw_type *type)
{
	sw_part parts[SW_MAX_AXES];
	int n = 0;

	for (int a = 0; a < mesh->count; a++) {
		sw_type tried = *type;

		parts[n] = (sw_part){a, 1, mesh->axis[a].size};
		n += draw_below(random, 3) > 0 && sw_type_set_sums(mesh, &tried, parts, n + 1, NULL);
	}
	sw_type_set_sums(mesh, type, parts, n, NULL);
}

static void draw_with_sums(draw *random, int64_t size, int rank, sw_problem *problem)
{
	do {
		draw_problem(random, 3, size, rank, 3 * size * size, 2, problem);
		sum_some(random, &problem->mesh, &problem->from);
		if (draw_below(random, 3) == 0)
			sum_some(random, &problem->mesh, &problem->to);
	} while (sw_type_terms(&problem->from) == 1 && sw_type_terms(&problem->to) == 1);
}

static void bench_sums(int64_t size, int repeats, const char *goal)
{
	enum { PROBLEMS = 120 };
	draw random = {1};

	printf("\n%d problems with sums on %lld devices, three axes of %lld, milliseconds a plan\n", PROBLEMS,
		(long long)(size * size * size), (long long)size);
	printf("  %-8s %8s %8s %8s %10s   goal (fused): median %s\n", "strategy", "median", "90 %", "largest", "proved",
		goal);
	for (int s = SW_EXACT; s <= SW_FUSED; s++) {
		double seconds[PROBLEMS];
		int proved = 0;

		for (int k = 0; k < PROBLEMS; k++) {
			sw_problem problem;

			draw_with_sums(&random, size, 1 + k % 4, &problem);
			struct figure figure = measure(&problem, (sw_strategy)s, 0, repeats);
			seconds[k] = figure.seconds;
			proved += figure.optimal;
		}
		sort(seconds, PROBLEMS);
		printf("  %-8s %8.3f %8.3f %8.3f %6d/%d\n", sw_strategy_name((sw_strategy)s), 1e3 * seconds[PROBLEMS / 2],
			1e3 * seconds[PROBLEMS * 9 / 10], 1e3 * seconds[PROBLEMS - 1], proved, PROBLEMS);
	}
}

int main(int argc, char **argv)
{
	static sw_problem problems[MOST_PROBLEMS];
	const char *shared = getenv("SHARDWALK_SHARED");
	char path[4096];
	draw random = {1};
	int count;

	snprintf(path, sizeof path, "%s/cases/paper-like.jsonl", shared != NULL ? shared : "../shared");
	setvbuf(stdout, NULL, _IOLBF, 0);
	print_machine();
	count = read_problems(argc > 1 ? argv[1] : path, problems);
	if (count > 0)
		bench_cases(problems, count, "the file of cases");
	for (count = 0; count < 200; count++)
		draw_problem(&random, 3, 2, 1 + count % 6, 24, 4, &problems[count]);
	bench_cases(problems, count, "drawn here, 8 devices");
	bench_sums(2, REPEATS, "0.1");
	bench_sums(8, 1, "5");
	bench_proofs();
	bench_large(20, 2);
	bench_large(10, 4);
	return 0;
}
