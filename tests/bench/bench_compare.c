/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each strategy's plans cost, against those of `fused`, over the problems of a file, beside what the systems themselves did
 * there (their recorded plans, where those files are); and how planning time grows with the mesh and the array.
 *
 *     bench_compare [CASES.jsonl]      default: ../shared/cases/paper-like.jsonl; without it only growth is measured
 *
 * The same as JSON, with the machine's description, goes to compare.json in the folder that BUILD names (else `build`).
 */
#include "bench_problem.h"

#include <math.h>
#include <sys/resource.h>

enum { GROWTH_PROBLEMS = 5 };

/* ---- ratios ---- */

struct tally {
	double logs, most;
	int count, higher, below, left_out, over, missing;
};

static void tally_add(struct tally *t, double cost, double fused)
{
	if (fused <= 0 && cost > 0) {
		t->left_out++;
		return;
	}
	double ratio = fused > 0 ? cost / fused : 1;
	t->logs += log(ratio > 0 ? ratio : 1);
	t->count++;
	t->higher += ratio > 1;
	t->below += ratio < 1;
	t->most = ratio > t->most ? ratio : t->most;
}

static double mean(const struct tally *t)
{
	return t->count > 0 ? exp(t->logs / t->count) : 0;
}

static json_t *tally_json(const char *name, const struct tally *t)
{
	return json_pack("{s:s, s:f, s:f, s:i, s:i, s:i, s:i, s:i, s:i}", "strategy", name, "geometric_mean", mean(t),
		"most", t->most, "problems", t->count, "higher", t->higher, "below", t->below, "against_zero", t->left_out,
		"over_budget", t->over, "missing", t->missing);
}

static void tally_print(const char *name, const struct tally *t)
{
	printf("  %-17s %8.3f %8.2f %9d %7d %6d %12d %8d\n", name, mean(t), t->most, t->count, t->higher, t->below,
		t->over, t->missing);
}

/* ---- what the systems did ---- */

#define MOST_NAMES 1024

struct known {
	char name[64];
	double fused;
	int64_t bound;
};

static int read_known(const char *path, struct known *known)
{
	FILE *file = fopen(path, "r");
	char line[16384];
	int count = 0;

	while (file != NULL && count < MOST_NAMES && fgets(line, sizeof line, file) != NULL) {
		json_t *json = json_loads(line, 0, NULL);
		const char *name = json_string_value(json_object_get(json, "name"));

		if (name != NULL && json_object_get(json, "fused_cost") != NULL) {
			snprintf(known[count].name, sizeof known->name, "%s", name);
			known[count].bound = json_integer_value(json_object_get(json, "height_bound"));
			known[count++].fused = (double)json_integer_value(json_object_get(json, "fused_cost"));
		}
		json_decref(json);
	}
	if (file != NULL)
		fclose(file);
	return count;
}

static const struct known *known_named(const struct known *known, int count, const char *name)
{
	for (int k = 0; name != NULL && k < count; k++)
		if (strcmp(known[k].name, name) == 0)
			return &known[k];
	return NULL;
}

/* The recorded plans of one planner in a file. */
static struct tally read_recorded(const char *path, const char *planner, const struct known *known, int count)
{
	FILE *file = fopen(path, "r");
	struct tally tally = {0};
	char *line = NULL;
	size_t room = 0;

	while (file != NULL && getline(&line, &room, file) > 0) {
		json_t *json = json_loads(line, 0, NULL);
		const char *by = json_string_value(json_object_get(json, "planner"));
		const struct known *case_of = known_named(known, count, json_string_value(json_object_get(json, "name")));

		if (by != NULL && strcmp(by, planner) == 0 && case_of != NULL) {
			tally_add(&tally, json_number_value(json_object_get(json, "cost")), case_of->fused);
			tally.over += json_integer_value(json_object_get(json, "height")) > case_of->bound;
		}
		json_decref(json);
	}
	free(line);
	if (file != NULL)
		fclose(file);
	return tally;
}

static json_t *bench_recorded(const char *cases)
{
	static const struct {
		const char *file, *planner;
	} rows[] = {{"xla-plans.jsonl", "xla"}, {"shardy-plans.jsonl", "shardy"}, {"dtensor-plans.jsonl", "dtensor"},
		{"dtensor-plans.jsonl", "dtensor-min-cost"}};
	static struct known known[MOST_NAMES];
	int count = read_known(cases, known);
	json_t *out = json_array();
	char path[4096];

	printf("\nwhat the systems themselves did with them, as recorded\n");
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *slash = strrchr(cases, '/');
		int folder = slash != NULL ? (int)(slash - cases) + 1 : 0;

		snprintf(path, sizeof path, "%.*s%s", folder, cases, rows[k].file);
		struct tally tally = read_recorded(path, rows[k].planner, known, count);
		if (tally.count == 0)
			continue;
		tally_print(rows[k].planner, &tally);
		json_array_append_new(out, tally_json(rows[k].planner, &tally));
	}
	return out;
}

/* ---- what strategies cost ---- */

static void compare_one(const sw_problem *problem, sw_model model, struct tally tally[SW_STRATEGY_COUNT],
	sw_arena *arena)
{
	sw_plan_options options = {.strategy = SW_FUSED, .model = model, .sizes_only = true};
	sw_plan fused, plan;

	sw_arena_clear(arena);
	if (!sw_plan_find(problem, &options, arena, &fused, NULL))
		return;
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		options.strategy = (sw_strategy)s;
		if (!sw_plan_find(problem, &options, arena, &plan, NULL)) {
			tally[s].missing++;
			continue;
		}
		tally_add(&tally[s], plan.model_cost, fused.model_cost);
		tally[s].over += plan.height > fused.budget;
	}
}

static json_t *bench_strategies(const sw_problem *problems, int count, sw_model model)
{
	struct tally tally[SW_STRATEGY_COUNT] = {0};
	sw_arena *arena = sw_arena_new();
	json_t *out = json_array();

	for (int k = 0; k < count; k++)
		compare_one(&problems[k], model, tally, arena);
	printf("\nmodel %s, %d problems: %s of each strategy against fused\n", sw_model_name(model), count,
		sw_model_is_timed(model) ? "seconds" : "cost");
	printf("  %-17s %8s %8s %9s %7s %6s %12s %8s\n", "strategy", "mean", "most", "problems", "higher", "below",
		"above bound", "no plan");
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		tally_print(sw_strategy_name((sw_strategy)s), &tally[s]);
		json_array_append_new(out, tally_json(sw_strategy_name((sw_strategy)s), &tally[s]));
	}
	sw_arena_free(arena);
	return out;
}

/* ---- growth ---- */

static double plan_seconds(const sw_problem *problem, sw_strategy strategy, size_t *bytes, int *proved)
{
	sw_plan_options options = {.strategy = strategy};
	sw_arena *arena = sw_arena_new();
	double begin = now();
	sw_plan plan;

	if (sw_plan_find(problem, &options, arena, &plan, NULL))
		*proved += plan.optimal;
	double seconds = now() - begin;
	*bytes = sw_arena_bytes(arena) > *bytes ? sw_arena_bytes(arena) : *bytes;
	sw_arena_free(arena);
	return seconds;
}

/* Powers of two whose product over all dimensions is a number of elements. */
static int64_t grown_size(int rank)
{
	return rank < 4 ? 1 << 20 : rank < 8 ? 1024 : 128;
}

static json_t *grow(int axes, int64_t size, int exponent, int rank, sw_strategy strategy)
{
	draw random = {7};
	sw_problem *problem = malloc(sizeof *problem);
	double seconds[GROWTH_PROBLEMS];
	size_t bytes = 0;
	int proved = 0;

	for (int k = 0; k < GROWTH_PROBLEMS; k++) {
		draw_problem(&random, axes, size, rank, grown_size(rank), 2 + k % 4 * 4, problem);
		seconds[k] = plan_seconds(problem, strategy, &bytes, &proved);
	}
	free(problem);
	sort(seconds, GROWTH_PROBLEMS);
	printf(" %10.3f", 1e3 * seconds[GROWTH_PROBLEMS / 2]);
	return json_pack("{s:i, s:i, s:s, s:f, s:f, s:I, s:i}", "log2_devices", exponent, "dimensions", rank, "strategy",
		sw_strategy_name(strategy), "median_s", seconds[GROWTH_PROBLEMS / 2], "most_s", seconds[GROWTH_PROBLEMS - 1],
		"bytes", (json_int_t)bytes, "proved", proved);
}

static json_t *bench_growth(void)
{
	static const struct {
		int exponent, axes, size;
	} meshes[] = {{6, 6, 2}, {10, 10, 2}, {14, 7, 4}, {17, 17, 2}, {20, 10, 4}};
	json_t *out = json_array();

	printf(
		"\nplanning time with groups, milliseconds, median of %d problems   goal at 2^20, 6 dimensions: 10, 100, 300\n",
		GROWTH_PROBLEMS);
	printf("  %-10s %-10s %10s %10s %10s\n", "devices", "dimensions", "paper", "exact", "fused");
	for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++)
		for (int rank = 2; rank <= 8; rank += 2) {
			printf("  2^%-8d %-10d", meshes[m].exponent, rank);
			for (int s = SW_PAPER; s <= SW_FUSED; s++)
				json_array_append_new(out,
					grow(meshes[m].axes, meshes[m].size, meshes[m].exponent, rank, (sw_strategy)s));
			printf("\n");
		}
	return out;
}

/* ---- the whole ---- */

static json_t *describe(void)
{
	char name[256], date[32];
	time_t t = time(NULL);

	machine_name(name, sizeof name);
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&t));
	return json_pack("{s:s, s:i, s:s}", "processor", name, "cores", (int)sysconf(_SC_NPROCESSORS_ONLN), "date", date);
}

static void write_json(json_t *root)
{
	const char *build = getenv("BUILD");
	struct rusage usage;
	char path[4096];

	getrusage(RUSAGE_SELF, &usage);
	printf("\nmemory of this process at most: %.1f MB\n", 1e-3 * (double)usage.ru_maxrss);
	json_object_set_new(root, "process_bytes", json_integer((json_int_t)usage.ru_maxrss * 1024));
	snprintf(path, sizeof path, "%s/compare.json", build != NULL ? build : "build");
	if (json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0)
		printf("as JSON: %s\n", path);
	else
		printf("cannot write %s\n", path);
}

int main(int argc, char **argv)
{
	static sw_problem problems[MOST_PROBLEMS];
	const char *shared = getenv("SHARDWALK_SHARED");
	json_t *root = json_object();
	char path[4096];

	snprintf(path, sizeof path, "%s/cases/paper-like.jsonl", shared != NULL ? shared : "../shared");
	const char *cases = argc > 1 ? argv[1] : path;
	setvbuf(stdout, NULL, _IOLBF, 0);
	print_machine();
	json_object_set_new(root, "machine", describe());
	int count = read_problems(cases, problems);
	if (count > 0) {
		json_object_set_new(root, "paper", bench_strategies(problems, count, SW_MODEL_PAPER));
		json_object_set_new(root, "recorded", bench_recorded(cases));
		json_object_set_new(root, "latency", bench_strategies(problems, count, SW_MODEL_LATENCY));
	}
	json_object_set_new(root, "growth", bench_growth());
	write_json(root);
	json_decref(root);
	return 0;
}
