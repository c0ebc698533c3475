/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the shortest path over local types takes: the problems of a file of cases, and problems on meshes of 2^20 devices.
 *
 *     bench_local [CASES.jsonl]      default: ../shared/cases/paper-like.jsonl, or under $SHARDWALK_SHARED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include <shardwalk/walk.h>

#define LARGE_MESHES 4

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

/* Median of five batches of `times` runs, in seconds for one. */
static double measure(const sw_problem *problem, sw_model model, bool multi_dim, int times, sw_local_path *path,
	sw_arena *arena)
{
	sw_walk_options options = {.model = model, .multi_dim = multi_dim};
	double taken[5];

	for (int batch = 0; batch < 5; batch++) {
		double start = now();
		for (int k = 0; k < times; k++) {
			sw_diag diag;
			sw_arena_clear(arena);
			if (!sw_local_shortest(problem, &options, NULL, arena, path, &diag)) {
				fprintf(stderr, "no path: %s\n", diag.message);
				exit(1);
			}
		}
		taken[batch] = (now() - start) / times;
	}
	qsort(taken, 5, sizeof *taken, by_value);
	return taken[2];
}

static bool read_problem(const char *line, sw_problem *problem)
{
	json_t *json = json_loads(line, 0, NULL);
	const char *mesh, *from, *to;
	bool good = json && json_unpack(json, "{s:s, s:s, s:s}", "mesh", &mesh, "from", &from, "to", &to) == 0 &&
		sw_mesh_parse(sw_str_of(mesh), &problem->mesh, NULL) &&
		sw_type_parse(&problem->mesh, sw_str_of(from), &problem->from, NULL) &&
		sw_type_parse(&problem->mesh, sw_str_of(to), &problem->to, NULL);

	json_decref(json);
	return good;
}

static void bench_cases(const char *name, sw_model model, bool multi_dim, sw_arena *arena)
{
	FILE *file = fopen(name, "r");
	static double taken[100000];
	int count = 0;
	char *line = NULL;
	size_t room = 0;

	if (!file) {
		printf("%s is not there: left out\n", name);
		return;
	}
	while (getline(&line, &room, file) > 0 && count < 100000) {
		sw_problem problem;
		sw_local_path path;
		if (read_problem(line, &problem))
			taken[count++] = measure(&problem, model, multi_dim, 20, &path, arena);
	}
	free(line);
	fclose(file);
	qsort(taken, (size_t)count, sizeof *taken, by_value);
	printf("%-7s %-8s %5d cases: median %8.2f us, 99%% %8.2f us, most %8.2f us\n", sw_model_name(model),
		multi_dim ? "several" : "single", count, taken[count / 2] * 1e6, taken[count * 99 / 100] * 1e6,
		taken[count - 1] * 1e6);
}

/* ---- large meshes ---- */

static const struct large_mesh {
	const char *name;
	int count;
	int64_t sizes[20];
} large_meshes[LARGE_MESHES] = {
	{"20 axes of 2", 20, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
	{"10 axes of 4", 10, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4}},
	{"6 axes of 6", 6, {6, 6, 6, 6, 6, 6}},
	{"2^10 * 3^6", 16, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3}},
};

/* How the axes lie on six dimensions: a letter an axis, the dimension or '-' for a replicated one, repeated as needed. */
static const struct large_kind {
	const char *name, *from, *to;
	int64_t global, mixed; /* size of every dimension */
} large_kinds[] = {
	{"replicated to split", "-", "012345", 1024, 864},
	{"split to replicated", "012345", "-", 1024, 864},
	{"split to other split", "001122", "334455", 1024, 864},
	{"split, rotated", "012345", "123450", 1024, 864},
	{"half to other half", "01-2-", "3-45-", 1024, 864},
	{"few to many", "0----", "5432105", 1024, 864},
	{"many to few", "0123450", "---1", 1024, 864},
	{"tight dimensions", "012345", "-", 16, 72},
	{"tight, half", "0123-", "--3450", 32, 72},
	{"tight, other split", "0011223", "5544332", 128, 216},
};

static void large_type(const sw_mesh *mesh, const char *where, int64_t n, sw_type *type)
{
	int64_t global[6];
	int count[6] = {0};
	sw_part parts[6][64], flat[SW_MAX_PARTS];

	for (int i = 0; i < 6; i++)
		global[i] = n;
	int64_t tile[6];
	memcpy(tile, global, sizeof tile);
	for (int k = 0; k < mesh->count; k++) {
		int i = where[(size_t)k % strlen(where)] - '0';
		if (i < 0 || i >= 6 || tile[i] % mesh->axis[k].size)
			continue;
		tile[i] /= mesh->axis[k].size;
		parts[i][count[i]++] = (sw_part){k, 1, mesh->axis[k].size};
	}
	int flats = 0;
	for (int i = 0; i < 6; i++)
		for (int k = 0; k < count[i]; k++)
			flat[flats++] = parts[i][k];
	if (!sw_type_replicated(SW_F32, 6, global, type, NULL) || !sw_type_partition(mesh, type, count, flat, NULL))
		exit(1);
}

static void bench_large(const struct large_mesh *large, const struct large_kind *kind, sw_arena *arena)
{
	sw_problem problem = {.mesh = {0}};

	for (int k = 0; k < large->count; k++) {
		char name[8];
		snprintf(name, sizeof name, "a%d", k);
		sw_mesh_add(&problem.mesh, sw_str_of(name), large->sizes[k], NULL);
	}
	bool threes = problem.mesh.devices % 3 == 0;
	int64_t n = threes ? kind->mixed : kind->global;
	large_type(&problem.mesh, kind->from, n, &problem.from);
	large_type(&problem.mesh, kind->to, n, &problem.to);
	printf("%-13s %-22s", large->name, kind->name);
	for (int variant = 0; variant < (threes ? 3 : 4); variant++) {
		sw_local_path path;
		double t = measure(&problem, variant & 1 ? SW_MODEL_VOLUME : SW_MODEL_PAPER, variant > 1, 1, &path, arena);
		printf(" %9.3f ms (%d)", t * 1e3, path.count);
		fflush(stdout);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *shared = getenv("SHARDWALK_SHARED");
	char name[4096];
	sw_arena *arena = sw_arena_new();

	snprintf(name, sizeof name, "%s/cases/paper-like.jsonl", shared ? shared : "../shared");
	for (int variant = 0; variant < 4; variant++)
		bench_cases(argc > 1 ? argv[1] : name, variant & 1 ? SW_MODEL_VOLUME : SW_MODEL_PAPER, variant > 1, arena);
	printf("%-36s %15s (moves) %13s %15s %15s\n", "", "paper", "volume", "paper, several", "volume, several");
	for (size_t m = 0; m < LARGE_MESHES; m++)
		for (size_t k = 0; k < sizeof large_kinds / sizeof *large_kinds; k++)
			bench_large(&large_meshes[m], &large_kinds[k], arena);
	sw_arena_free(arena);
	return 0;
}
