/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What plans take when they run: the first problems of a file on 8 devices, their arrays scaled to a tenth, planned by several
 * strategies under the model `calibrated`, and executed on 8 ranks in turns, every element checked.
 *
 *     bench_executed [CASES.jsonl [PROBLEMS [LAUNCHES]]]      default: ../shared/cases/paper-like.jsonl 100 3
 *
 * Times are the medians over the launches.  Printed: each strategy's time against that of `fused`, and every problem in which
 * `fused` takes longer, with both plans in short.  The same as JSON goes to executed.json in the folder that BUILD names (else
 * `build`).  It needs the program (SHARDWALK), the executor beside it, and mpiexec.
 */
#include "bench_ranks.h"

#include <sys/wait.h>

enum { MOST_RUN = 200, MOST_LAUNCHES = 32, STRATEGIES = 4 };

static const char *const strategies[STRATEGIES] = {"fused", "xla", "shardy", "direct"};

struct entry {
	char name[64], steps[256];
	bool planned;
	int launches;
	double seconds[MOST_LAUNCHES], predicted;
};

struct bench {
	const char *folder, *program, *executor;
	sw_problem problems[MOST_RUN];
	char names[MOST_RUN][64];
	int count, launches, wrong;
	struct entry entries[MOST_RUN][STRATEGIES];
};

static void read_cases(struct bench *b, const char *path, int most)
{
	FILE *file = fopen(path, "r");
	char line[8192];

	while (file != NULL && b->count < most && fgets(line, sizeof line, file) != NULL)
		b->count += read_tenth(line, &b->problems[b->count], b->names[b->count], sizeof b->names[0]);
	if (file != NULL)
		fclose(file);
}

static bool write_cases(const struct bench *b)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/problems.jsonl", b->folder);
	FILE *file = fopen(path, "w");
	if (file == NULL)
		return false;
	for (int k = 0; k < b->count; k++) {
		json_t *json = problem_json(&b->problems[k], b->names[k]);

		json_dumpf(json, file, JSON_COMPACT);
		fputc('\n', file);
		json_decref(json);
	}
	return fclose(file) == 0;
}

/* ---- plans ---- */

static bool keep_plan(struct bench *b, int k, int s, const char *line)
{
	struct entry *entry = &b->entries[k][s];
	json_t *json = json_loads(line, 0, NULL);
	char path[4096];

	entry->planned = json_object_get(json, "steps") != NULL;
	snprintf(entry->name, sizeof entry->name, "%d-%d.json", k, s);
	if (entry->planned) {
		entry->predicted = json_number_value(json_object_get(json, "model_cost"));
		describe_steps(json, entry->steps, sizeof entry->steps);
		snprintf(path, sizeof path, "%s/%s", b->folder, entry->name);
		FILE *file = fopen(path, "w");
		if (file != NULL) {
			fputs(line, file);
			fclose(file);
		}
	}
	json_decref(json);
	return true;
}

static bool plan_all(struct bench *b, int s)
{
	char path[4096], *line = NULL;
	size_t room = 0;
	int k = 0;

	snprintf(path, sizeof path, "%s/problems.jsonl", b->folder);
	FILE *pipe = plans_of(b->program, path, strategies[s]);
	while (pipe != NULL && k < b->count && getline(&line, &room, pipe) > 0)
		keep_plan(b, k++, s, line);
	free(line);
	if (pipe != NULL)
		pclose(pipe);
	return k == b->count;
}

/* ---- runs ---- */

static struct entry *entry_named(struct bench *b, const char *file)
{
	const char *name = strrchr(file, '/');
	int k, s;

	name = name != NULL ? name + 1 : file;
	if (sscanf(name, "%d-%d.json", &k, &s) != 2 || k < 0 || k >= b->count || s < 0 || s >= STRATEGIES)
		return NULL;
	return &b->entries[k][s];
}

static void read_records(struct bench *b, FILE *pipe)
{
	struct entry *entry = NULL;
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, pipe) > 0) {
		json_t *json = json_loads(line, 0, NULL);
		const char *record = json_string_value(json_object_get(json, "record"));

		if (record != NULL && strcmp(record, "start") == 0)
			entry = entry_named(b, json_string_value(json_object_get(json, "file")));
		if (record != NULL && strcmp(record, "total") == 0 && entry != NULL && entry->launches < MOST_LAUNCHES)
			entry->seconds[entry->launches++] = json_number_value(
				json_object_get(json_object_get(json, "seconds"), "median"));
		if (record != NULL && strcmp(record, "check") == 0)
			b->wrong += !json_is_true(json_object_get(json, "verified"));
		json_decref(json);
	}
	free(line);
}

/* One launch of the executor runs the plans of all strategies for one problem after the other. */
static bool run_all(struct bench *b, int launch)
{
	size_t size = (size_t)b->count * STRATEGIES * (strlen(b->folder) + 32) + 8192;
	char *command = malloc(size);
	int used = snprintf(command, size, "cd '%s' && mpiexec -n %d '%s' --launch %d --reps 15 --total", b->folder,
		RANKS, b->executor, launch);

	for (int k = 0; k < b->count; k++)
		for (int s = 0; s < STRATEGIES; s++)
			if (b->entries[k][s].planned && *b->entries[k][s].steps)
				used += snprintf(command + used, size - (size_t)used, " %s", b->entries[k][s].name);
	FILE *pipe = popen(command, "r");
	free(command);
	if (pipe == NULL)
		return false;
	read_records(b, pipe);
	return pclose(pipe) == 0;
}

/* ---- the answer ---- */

static double seconds(const struct entry *entry)
{
	double sorted[MOST_LAUNCHES];

	if (entry->planned && !*entry->steps)
		return 0;
	memcpy(sorted, entry->seconds, sizeof sorted);
	sort(sorted, entry->launches);
	return entry->launches > 0 ? sorted[entry->launches / 2] : -1;
}

static json_t *compare_with(struct bench *b, int s)
{
	double logs = 0, most = 0, least = INFINITY;
	int count = 0, slower = 0, same = 0, missing = 0;
	json_t *slow = json_array();

	for (int k = 0; k < b->count; k++) {
		const struct entry *fused = &b->entries[k][0], *other = &b->entries[k][s];
		double ratio = seconds(fused) > 0 ? seconds(other) / seconds(fused) : -1;

		missing += !other->planned;
		if (strcmp(fused->steps, other->steps) == 0) {
			same++;
			ratio = 1;
		}
		if (ratio <= 0)
			continue;
		count++;
		logs += log(ratio);
		most = ratio > most ? ratio : most;
		least = ratio < least ? ratio : least;
		if (ratio >= 0.95)
			continue;
		slower++;
		if (strcmp(strategies[s], "direct") == 0)
			continue;
		printf("  %-10s %.2f of fused: %.3f ms (predicted %.3f) by %s\n", b->names[k], ratio, 1e3 * seconds(other),
			1e3 * other->predicted, other->steps);
		printf("  %-10s      fused: %.3f ms (predicted %.3f) by %s\n", "", 1e3 * seconds(fused),
			1e3 * fused->predicted, fused->steps);
		json_array_append_new(slow,
			json_pack("{s:s, s:f, s:s, s:s}", "name", b->names[k], "ratio", ratio, "steps", other->steps,
				"fused_steps", fused->steps));
	}
	printf(
		"%-8s against fused: geometric mean %.3f, from %.2f to %.2f, %d problems, %d below 0.95, %d the same plan, %d without plan\n",
		strategies[s], count ? exp(logs / count) : 0, count ? least : 0, most, count, slower, same, missing);
	return json_pack("{s:s, s:f, s:f, s:f, s:i, s:i, s:i, s:i, s:o}", "strategy", strategies[s], "geometric_mean",
		count ? exp(logs / count) : 0, "least", count ? least : 0, "most", most, "problems", count, "below_0.95",
		slower, "same_plan", same, "missing", missing, "slower", slow);
}

static void answer(struct bench *b)
{
	const char *build = getenv("BUILD");
	json_t *root = json_object(), *rows = json_array();
	char path[4096], name[256];

	for (int s = 1; s < STRATEGIES; s++)
		json_array_append_new(rows, compare_with(b, s));
	machine_name(name, sizeof name);
	json_object_set_new(root, "processor", json_string(name));
	json_object_set_new(root, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(root, "ranks", json_integer(RANKS));
	json_object_set_new(root, "launches", json_integer(b->launches));
	json_object_set_new(root, "strategies", rows);
	snprintf(path, sizeof path, "%s/executed.json", build != NULL ? build : "build");
	if (json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0)
		printf("as JSON: %s\n", path);
	json_decref(root);
}

int main(int argc, char **argv)
{
	static struct bench b;
	char cases[4096], command[64], folder[] = "/tmp/shardwalk-bench-XXXXXX";

	default_cases(cases, sizeof cases);
	b.program = find_program("shardwalk");
	b.executor = find_program("shardwalk-exec");
	if (b.program == NULL || b.executor == NULL)
		return 0;
	b.launches = argc > 3 && atoi(argv[3]) > 0 && atoi(argv[3]) <= MOST_LAUNCHES ? atoi(argv[3]) : 3;
	setvbuf(stdout, NULL, _IOLBF, 0);
	print_machine();
	read_cases(&b, argc > 1 ? argv[1] : cases,
		argc > 2 && atoi(argv[2]) > 0 && atoi(argv[2]) <= MOST_RUN ? atoi(argv[2]) : 100);
	if (b.count == 0) {
		printf("skipped: no problems in %s\n", argc > 1 ? argv[1] : cases);
		return 0;
	}
	b.folder = mkdtemp(folder);
	if (b.folder == NULL || !write_cases(&b) || !calibrate(b.program))
		return 1;
	bool ok = true;
	for (int s = 0; s < STRATEGIES; s++)
		ok = plan_all(&b, s) && ok;
	for (int launch = 1; launch <= b.launches; launch++)
		ok = run_all(&b, launch) && ok;
	answer(&b);
	printf("%d plans with a wrong element\n", b.wrong);
	snprintf(command, sizeof command, "rm -rf '%s'", b.folder);
	return system(command) == 0 && ok && b.wrong == 0 ? 0 : 1;
}
