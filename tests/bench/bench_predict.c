/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well the model `calibrated` predicts: problems drawn by a seed on 8 devices, their arrays scaled to a tenth, planned by six
 * strategies, every plan executed on 8 ranks, every element checked.
 *
 *     bench_predict [SEED [PROBLEMS [LAUNCHES [RAW]]]]        default: a seed from the clock, 24 problems, 10 launches
 *
 * Of 10 launches or more the first half is what is measured, of fewer all are.  Times are the medians over these launches, each of
 * them a median of 9 repetitions.  Printed: how far predicted times are from measured ones; in how many problems the plan
 * predicted to be fastest is within 5 % of the fastest; how much longer it takes at worst; the spread of the launches; and how far
 * the medians of the first half are from those of the second: what repetition alone does, which no prediction can beat.  Plans that take the same steps are one.  Two plans whose
 * times differ by less than the spread of their launches are equally fast; the spread of a plan is what lies between the second
 * shortest and the second longest of its launches (of fewer than 4: between the shortest and the longest).
 *
 * RAW is a file of JSON lines: the problems, the plans, and all records of the executor.  Where it is there already nothing is
 * planned: LAUNCHES more are added to it (0: none), and what it holds is evaluated.  So a long measurement is made in pieces.
 * The numbers go to predicted.json in the folder that BUILD names (else `build`).  It needs the program, the executor beside it,
 * mpiexec, and the cases in the folder that SHARDWALK_SHARED names (else `../shared`).
 */
#include "bench_ranks.h"

#include <sys/wait.h>

enum { MOST_DRAWN = 64, MOST_LAUNCHES = 64, STRATEGIES = 6, MOST_CASES = 4096, REPS = 9, FULL_SET = 5 };

#define BUSY 0.2

static const char *const strategies[STRATEGIES] = {"fused", "naive", "direct", "xla", "shardy", "dtensor"};

struct entry {
	bool planned, runs; /* the first of those that take the same steps runs */
	char steps[512];
	double predicted;
	int launches;
	double seconds[MOST_LAUNCHES];
};

struct bench {
	const char *program, *executor, *raw;
	char folder[64];
	int count, wrong, launches;
	int runs, disturbed; /* plans executed; those beside which others used more than BUSY of the processors */
	char names[MOST_DRAWN][64];
	struct entry entries[MOST_DRAWN][STRATEGIES];
};

/* ---- drawing ---- */

/* Problems of the file in an order that the seed gives, as far as there are enough; how many. */
static int draw_problems(const char *path, uint64_t seed, int wanted, sw_problem *problem, char (*names)[64])
{
	static char line[MOST_CASES][1024];
	FILE *file = fopen(path, "r");
	draw random = {seed};
	int lines = 0, count = 0;

	while (file != NULL && lines < MOST_CASES && fgets(line[lines], sizeof line[0], file) != NULL)
		lines++;
	if (file != NULL)
		fclose(file);
	while (lines > 0 && count < wanted) {
		int at = draw_below(&random, lines);

		count += read_tenth(line[at], &problem[count], names[count], sizeof names[0]);
		memmove(line[at], line[--lines], sizeof line[0]);
	}
	return count;
}

/* ---- the raw file ---- */

static void append(const struct bench *b, json_t *json)
{
	FILE *file = fopen(b->raw, "a");

	if (file != NULL) {
		json_dumpf(json, file, JSON_COMPACT | JSON_REAL_PRECISION(17));
		fputc('\n', file);
		fclose(file);
	}
	json_decref(json);
}

static bool write_problems(const struct bench *b, const sw_problem *problem)
{
	char path[128];

	snprintf(path, sizeof path, "%s/problems.jsonl", b->folder);
	FILE *file = fopen(path, "w");
	for (int k = 0; file != NULL && k < b->count; k++) {
		json_t *json = problem_json(&problem[k], b->names[k]);

		json_dumpf(json, file, JSON_COMPACT);
		fputc('\n', file);
		json_object_set_new(json, "record", json_string("problem"));
		append(b, json);
	}
	return file != NULL && fclose(file) == 0;
}

static bool write_plans(const struct bench *b, int s)
{
	char path[128], *line = NULL;
	size_t room = 0;
	int k = 0;

	snprintf(path, sizeof path, "%s/problems.jsonl", b->folder);
	FILE *pipe = plans_of(b->program, path, strategies[s]);
	for (; pipe != NULL && k < b->count && getline(&line, &room, pipe) > 0; k++) {
		json_t *plan = json_loads(line, 0, NULL);

		if (json_object_get(plan, "steps") != NULL)
			append(b, json_pack("{s:s, s:i, s:i, s:O}", "record", "plan", "problem", k, "strategy", s, "plan", plan));
		json_decref(plan);
	}
	free(line);
	if (pipe != NULL)
		pclose(pipe);
	return k == b->count;
}

static struct entry *entry_at(struct bench *b, int k, int s)
{
	return k >= 0 && k < b->count && s >= 0 && s < STRATEGIES ? &b->entries[k][s] : NULL;
}

static bool is_first(struct bench *b, int k, int s)
{
	for (int other = 0; other < s; other++)
		if (b->entries[k][other].planned && strcmp(b->entries[k][other].steps, b->entries[k][s].steps) == 0)
			return false;
	return *b->entries[k][s].steps != '\0';
}

static void take_plan(struct bench *b, json_t *record)
{
	int k = (int)json_integer_value(json_object_get(record, "problem"));
	int s = (int)json_integer_value(json_object_get(record, "strategy"));
	json_t *plan = json_object_get(record, "plan");
	struct entry *entry = entry_at(b, k, s);
	char path[128];

	if (entry == NULL)
		return;
	describe_steps(plan, entry->steps, sizeof entry->steps);
	entry->planned = true;
	entry->predicted = json_number_value(json_object_get(plan, "model_cost"));
	entry->runs = is_first(b, k, s);
	snprintf(path, sizeof path, "%s/%d-%d.json", b->folder, k, s);
	json_dump_file(plan, path, JSON_COMPACT | JSON_REAL_PRECISION(17));
}

/* The entry that a record of the executor begins to speak of. */
static struct entry *take_start(struct bench *b, json_t *record)
{
	const char *file = json_string_value(json_object_get(record, "file")),
			   *name = file != NULL ? strrchr(file, '/') : NULL;
	int k, s, launch = (int)json_integer_value(json_object_get(record, "launch"));

	b->launches = launch > b->launches ? launch : b->launches;
	name = name != NULL ? name + 1 : file;
	return name != NULL && sscanf(name, "%d-%d.json", &k, &s) == 2 ? entry_at(b, k, s) : NULL;
}

static void take_total(struct entry *entry, json_t *record)
{
	json_t *median = json_object_get(json_object_get(record, "seconds"), "median");

	if (entry != NULL && entry->launches < MOST_LAUNCHES)
		entry->seconds[entry->launches++] = json_number_value(median);
}

static void take_machine(struct bench *b, json_t *record)
{
	b->runs++;
	b->disturbed += json_number_value(json_object_get(record, "others_share")) > BUSY;
}

static void read_raw(struct bench *b)
{
	FILE *file = fopen(b->raw, "r");
	struct entry *entry = NULL;
	char *line = NULL;
	size_t room = 0;

	while (file != NULL && getline(&line, &room, file) > 0) {
		json_t *json = json_loads(line, 0, NULL);
		const char *record = json_string_value(json_object_get(json, "record"));

		if (record == NULL)
			record = "";
		if (strcmp(record, "problem") == 0 && b->count < MOST_DRAWN)
			snprintf(b->names[b->count++], sizeof b->names[0], "%s",
				json_string_value(json_object_get(json, "name")));
		else if (strcmp(record, "plan") == 0)
			take_plan(b, json);
		else if (strcmp(record, "start") == 0)
			entry = take_start(b, json);
		else if (strcmp(record, "total") == 0)
			take_total(entry, json);
		else if (strcmp(record, "check") == 0)
			b->wrong += !json_is_true(json_object_get(json, "verified"));
		else if (strcmp(record, "machine") == 0)
			take_machine(b, json);
		json_decref(json);
	}
	free(line);
	if (file != NULL)
		fclose(file);
}

static bool begin_raw(struct bench *b, uint64_t seed, int wanted)
{
	static sw_problem problem[MOST_DRAWN];
	char cases[4096];
	bool ok = true;

	default_cases(cases, sizeof cases);
	b->count = draw_problems(cases, seed, wanted, problem, b->names);
	if (b->count == 0)
		printf("skipped: no problems in %s\n", cases);
	if (b->count == 0 || !calibrate(b->program) || !write_problems(b, problem))
		return false;
	for (int s = 0; s < STRATEGIES; s++)
		ok = write_plans(b, s) && ok;
	b->count = 0;
	return ok;
}

/* ---- runs ---- */

/* One launch of the executor runs all plans one after the other. */
static bool run_all(struct bench *b)
{
	size_t room = MOST_DRAWN * STRATEGIES * 16 + 8192;
	char *command = malloc(room);
	int used = snprintf(command, room,
		"cd '%s' && mpiexec -n %d '%s' --launch %d --reps %d --warmup 1 --total --no-reference", b->folder, RANKS,
		b->executor, ++b->launches, REPS);

	for (int k = 0; k < b->count; k++)
		for (int s = 0; s < STRATEGIES; s++)
			if (b->entries[k][s].runs)
				used += snprintf(command + used, room - (size_t)used, " %d-%d.json", k, s);
	snprintf(command + used, room - (size_t)used, " </dev/null >>'%s'", b->raw);
	int status = system(command);
	free(command);
	return status == 0;
}

/* ---- evaluation ---- */

struct evaluation {
	int plans, problems, best,
		equal; /* problems in which the choice is within 5 %; those of them that are only equal */
	double error[MOST_DRAWN * STRATEGIES], spread[MOST_DRAWN * STRATEGIES], repeated[MOST_DRAWN * STRATEGIES];
	int repeats; /* plans launched twice at least */
	double worst;
};

/* Some launches of an entry in ascending order; how many. */
static int sorted_launches(const struct entry *entry, int first, int count, double *sorted)
{
	memcpy(sorted, entry->seconds + first, (size_t)count * sizeof *sorted);
	sort(sorted, count);
	return count;
}

static double median_between(const struct entry *entry, int first, int count)
{
	double sorted[MOST_LAUNCHES];

	sorted_launches(entry, first, count, sorted);
	return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

static int measured_launches(const struct entry *entry)
{
	return entry->launches >= 2 * FULL_SET ? entry->launches / 2 : entry->launches;
}

static double median_of(const struct entry *entry)
{
	return median_between(entry, 0, measured_launches(entry));
}

static double spread_of(const struct entry *entry)
{
	double sorted[MOST_LAUNCHES];
	int count = sorted_launches(entry, 0, measured_launches(entry), sorted);
	int aside = count >= 4;

	return sorted[count - 1 - aside] - sorted[aside];
}

/* How far the median of the first half of the launches is from that of the second. */
static double repeated(const struct entry *entry)
{
	int half = entry->launches / 2;

	return half > 0 ? fabs(median_between(entry, 0, half) / median_between(entry, half, half) - 1) : 0;
}

static void evaluate_problem(struct bench *b, int k, struct evaluation *e)
{
	const struct entry *chosen = NULL, *fastest = NULL;
	int count = 0;

	for (int s = 0; s < STRATEGIES; s++) {
		const struct entry *entry = &b->entries[k][s];

		if (!entry->runs || entry->launches == 0)
			continue;
		count++;
		e->error[e->plans] = fabs(entry->predicted / median_of(entry) - 1);
		e->spread[e->plans] = spread_of(entry) / median_of(entry);
		e->plans++;
		if (entry->launches >= 2)
			e->repeated[e->repeats++] = repeated(entry);
		chosen = chosen == NULL || entry->predicted < chosen->predicted ? entry : chosen;
		fastest = fastest == NULL || median_of(entry) < median_of(fastest) ? entry : fastest;
	}
	if (count == 0)
		return;
	double more = median_of(chosen) - median_of(fastest), ratio = median_of(chosen) / median_of(fastest);
	bool equal = more < fmax(spread_of(chosen), spread_of(fastest));

	e->problems++;
	e->best += ratio <= 1.05 || equal;
	e->equal += ratio > 1.05 && equal;
	e->worst = fmax(e->worst, equal ? 1 : ratio);
	if (ratio <= 1.05)
		return;
	printf("%s: chosen %.2f of the fastest%s\n  %8.3f ms (predicted %.3f) by %s\n  %8.3f ms (predicted %.3f) by %s\n",
		b->names[k], ratio, equal ? ", as much as launches differ" : "", 1e3 * median_of(chosen),
		1e3 * chosen->predicted, chosen->steps, 1e3 * median_of(fastest), 1e3 * fastest->predicted, fastest->steps);
}

static double share(double *values, int count, double part)
{
	sort(values, count);
	return count > 0 ? values[(int)(part * (count - 1) + 0.5)] : 0;
}

static void evaluate(struct bench *b)
{
	static struct evaluation e;
	const char *build = getenv("BUILD");
	char path[4096];

	for (int k = 0; k < b->count; k++)
		evaluate_problem(b, k, &e);
	double error = share(e.error, e.plans, 0.5), most = share(e.error, e.plans, 0.9);
	printf("%d problems, %d plans, %d launches, %d with a wrong element\n", e.problems, e.plans, b->launches,
		b->wrong);
	printf("predicted against measured: median error %.1f %%, 90 %% below %.1f %%\n", 100 * error, 100 * most);
	printf(
		"the plan predicted to be fastest: within 5 %% of the fastest in %d of %d (%d of them as launches differ), at worst %.2f\n",
		e.best, e.problems, e.equal, e.worst);
	if (b->disturbed > 0)
		printf("in %d of %d runs others used more than %.0f %% of the processors: what these took says little\n",
			b->disturbed, b->runs, 100 * BUSY);
	double again = share(e.repeated, e.repeats, 0.5), most_again = share(e.repeated, e.repeats, 0.9);
	if (e.repeats > 0)
		printf("by repetition alone, medians of %d launches against %d others: median %.1f %%, 90 %% below %.1f %%\n",
			b->launches / 2, b->launches / 2, 100 * again, 100 * most_again);
	printf("spread of launches: median %.1f %%, 90 %% below %.1f %%\n", 100 * share(e.spread, e.plans, 0.5),
		100 * share(e.spread, e.plans, 0.9));
	json_t *json = json_pack("{s:i, s:i, s:i, s:f, s:f, s:i, s:i, s:f, s:f, s:f, s:f}", "problems", e.problems,
		"plans", e.plans, "launches", b->launches, "median_error", error, "error_90", most, "within_5_percent",
		e.best, "as_launches_differ", e.equal, "worst", e.worst, "median_spread", share(e.spread, e.plans, 0.5),
		"median_repeated", again, "repeated_90", most_again);
	json_object_set_new(json, "runs", json_integer(b->runs));
	json_object_set_new(json, "disturbed", json_integer(b->disturbed));
	snprintf(path, sizeof path, "%s/predicted.json", build != NULL ? build : "build");
	if (json_dump_file(json, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0)
		printf("as JSON: %s\n", path);
	json_decref(json);
}

static int argument(int argc, char **argv, int n, int most, int otherwise)
{
	int value = argc > n ? atoi(argv[n]) : otherwise;

	return value < 0 ? otherwise : value > most ? most : value;
}

int main(int argc, char **argv)
{
	static struct bench b;
	char path[128], command[128];
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
	int wanted = argument(argc, argv, 2, MOST_DRAWN, 24),
		launches = argument(argc, argv, 3, MOST_LAUNCHES, 2 * FULL_SET);
	bool ok = true;

	setvbuf(stdout, NULL, _IOLBF, 0);
	b.program = find_program("shardwalk");
	b.executor = find_program("shardwalk-exec");
	if (b.program == NULL || b.executor == NULL)
		return 0;
	snprintf(b.folder, sizeof b.folder, "/tmp/shardwalk-bench-XXXXXX");
	if (mkdtemp(b.folder) == NULL)
		return 1;
	snprintf(path, sizeof path, "%s/raw.jsonl", b.folder);
	b.raw = argc > 4 ? argv[4] : path;
	print_machine();
	if (access(b.raw, R_OK) != 0) {
		printf("seed: %llu\n", (unsigned long long)seed);
		ok = begin_raw(&b, seed, wanted);
	}
	char *raw = realpath(b.raw, NULL);
	b.raw = raw != NULL ? raw : b.raw;
	read_raw(&b);
	for (int i = 0; ok && i < launches; i++)
		ok = run_all(&b);
	memset(b.entries, 0, sizeof b.entries);
	b.count = b.wrong = b.runs = b.disturbed = 0;
	read_raw(&b);
	evaluate(&b);
	free(raw);
	snprintf(command, sizeof command, "rm -rf '%s'", b.folder);
	return system(command) == 0 && ok && b.wrong == 0 ? 0 : 1;
}
