/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems as the first paper's evaluation draws them: ranks, replicated axes and sizes are distributed as in the recorded 600,
 * meshes have three axes as equal as can be, and a seed says all.
 */
#include <math.h>

#include <jansson.h>

#include <shardwalk/evaluation.h>

#include "kit/cases.h"
#include "kit/kit.h"

enum { RANKS = 6, REPLICATED = 4, TENTHS = 10, RECORDED = 600 };

/* How often there is what: arrays of each rank, ends with so many axes that hold copies, sizes between tenths. */
struct census {
	int problems, rank[RANKS], replicated[REPLICATED], size[TENTHS];
};

/* Of the recorded 600; tenths of their sizes end at these. */
static const struct census recorded = {RECORDED, {96, 107, 96, 103, 96, 102}, {496, 497, 160, 47},
	{60, 60, 60, 60, 60, 60, 60, 60, 60, 60}};
static const int64_t tenth_ends[TENTHS - 1] = {85196800, 107311104, 136478720, 184909824, 232243200, 288537600,
	370442240, 474423808, 602916864};

static int replicated(const sw_mesh *mesh, const sw_type *type)
{
	int used = 0;
	for (int i = 0; i < type->first[type->rank]; i++) {
		sw_part part = sw_type_part(type, i);
		used += part.size == mesh->axis[part.axis].size;
	}
	return mesh->count - used;
}

static void take(const sw_problem *problem, struct census *census)
{
	int64_t bytes = sw_type_globalsize(&problem->from) * sw_dtype_bytes(problem->from.dtype);
	int tenth = 0;
	while (tenth < TENTHS - 1 && bytes >= tenth_ends[tenth])
		tenth++;
	census->problems++;
	census->rank[problem->from.rank - 1]++;
	census->replicated[replicated(&problem->mesh, &problem->from)]++;
	census->replicated[replicated(&problem->mesh, &problem->to)]++;
	census->size[tenth]++;
}

/* ---- the recorded problems ---- */

static bool read_problem(const char *line, sw_problem *problem)
{
	json_t *json = json_loads(line, 0, NULL);
	const char *mesh, *from, *to;
	bool good = json_unpack(json, "{s:s, s:s, s:s}", "mesh", &mesh, "from", &from, "to", &to) == 0 &&
		sw_mesh_parse(sw_str_of(mesh), &problem->mesh, NULL) &&
		sw_type_parse(&problem->mesh, sw_str_of(from), &problem->from, NULL) &&
		sw_type_parse(&problem->mesh, sw_str_of(to), &problem->to, NULL);
	json_decref(json);
	return good;
}

/* The numbers above are those of the file, where all of it is there. */
static void test_recorded_are_as_told(void **state)
{
	(void)state;
	struct census found = {0};
	char line[8192];
	FILE *file = cases_open("paper-like.jsonl");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		sw_problem problem;
		assert_true(read_problem(line, &problem));
		take(&problem, &found);
	}
	fclose(file);
	if (found.problems == RECORDED)
		assert_memory_equal(&found, &recorded, sizeof found);
	else
		assert_in_range(found.problems, 1, RECORDED);
}

/* ---- drawn ones ---- */

/* Chi-square of two samples that may be of different sizes: are they of one kind? */
static double chi_square(const int *a, const int *b, int bins)
{
	double of_a = 0, of_b = 0, sum = 0;
	for (int i = 0; i < bins; i++) {
		of_a += a[i];
		of_b += b[i];
	}
	for (int i = 0; i < bins; i++) {
		double difference = a[i] * sqrt(of_b / of_a) - b[i] * sqrt(of_a / of_b);
		if (a[i] + b[i])
			sum += difference * difference / (a[i] + b[i]);
	}
	return sum;
}

static const struct drawing {
	const char *name;
	int64_t devices;
	uint64_t seed;
} drawings[] = {{"8 devices", 8, 1}, {"8 devices, another seed", 8, 2}, {"12 devices", 12, 1}, {"60 devices", 60, 1}};

static void drawn_as_recorded(void **state)
{
	static const double one_percent[] = {[RANKS - 1] = 15.086, [REPLICATED - 1] = 11.345, [TENTHS - 1] = 21.666};
	const struct drawing *row = *state;
	struct census found = {0};
	for (int n = 0; n < 1000; n++) {
		sw_problem problem;
		assert_true(sw_evaluation_draw(row->devices, row->seed, n, &problem, NULL));
		take(&problem, &found);
	}
	const double chi[] = {chi_square(found.rank, recorded.rank, RANKS),
		chi_square(found.replicated, recorded.replicated, REPLICATED), chi_square(found.size, recorded.size, TENTHS)};
	print_message("chi-square: ranks %.2f, replicated %.2f, sizes %.2f\n", chi[0], chi[1], chi[2]);
	assert_true(chi[0] < one_percent[RANKS - 1]);
	assert_true(chi[1] < one_percent[REPLICATED - 1]);
	assert_true(chi[2] < one_percent[TENTHS - 1]);
}

/* A drawing of another kind is told apart: rank 1 too often, copies too often, every size as often as any other. */
static void test_other_drawings_differ(void **state)
{
	(void)state;
	const int ranks[RANKS] = {300, 140, 140, 140, 140, 140}, copies[REPLICATED] = {700, 900, 300, 100},
			  sizes[TENTHS] = {29, 30, 40, 66, 64, 76, 111, 141, 175, 268};
	assert_true(chi_square(ranks, recorded.rank, RANKS) > 15.086);
	assert_true(chi_square(copies, recorded.replicated, REPLICATED) > 11.345);
	assert_true(chi_square(sizes, recorded.size, TENTHS) > 21.666);
}

static const struct mesh_row {
	const char *mesh;
	int64_t devices;
} meshes[] = {{"{a: 2, b: 2, c: 2}", 8}, {"{a: 3, b: 2, c: 2}", 12}, {"{a: 4, b: 2, c: 2}", 16},
	{"{a: 4, b: 3, c: 2}", 24}, {"{a: 3, b: 3, c: 3}", 27}, {"{a: 4, b: 3, c: 3}", 36}, {"{a: 5, b: 4, c: 3}", 60},
	{"{a: 16, b: 16, c: 16}", 4096}, {"{a: 3, b: 2}", 6}, {"{a: 7}", 7}, {"{a: 2}", 2}};

static void mesh_is_as_equal_as_can_be(void **state)
{
	const struct mesh_row *row = *state;
	sw_problem problem;
	sw_text text = {0};
	assert_true(sw_evaluation_draw(row->devices, 1, 0, &problem, NULL));
	sw_mesh_print(&problem.mesh, &text);
	assert_string_equal(sw_text_get(&text), row->mesh);
	sw_text_free(&text);
}

/* Ends differ, are of one array within the sizes, and read back as they were drawn; the same numbers make the same problem. */
static void test_drawn_are_problems(void **state)
{
	(void)state;
	static const int64_t devices[] = {2, 7, 8, 36, 4096};
	for (size_t i = 0; i < COUNT(devices); i++)
		for (int n = 0; n < 60; n++) {
			sw_problem one, again, read;
			sw_text text = {0};
			assert_true(sw_evaluation_draw(devices[i], 5, n, &one, NULL));
			assert_true(sw_evaluation_draw(devices[i], 5, n, &again, NULL));
			assert_true(sw_type_equal(&one.from, &again.from) && sw_type_equal(&one.to, &again.to));
			assert_false(sw_type_equal(&one.from, &one.to));
			assert_int_equal(one.mesh.devices, devices[i]);
			double bytes = 4.0 * (double)sw_type_globalsize(&one.from);
			assert_true(bytes >= SW_EVALUATION_LEAST && bytes <= SW_EVALUATION_MOST);
			sw_type_print(&one.mesh, &one.from, true, &text);
			sw_text_add(&text, " ~> ");
			sw_type_print(&one.mesh, &one.to, true, &text);
			assert_true(sw_problem_parse(&one.mesh, sw_str_of(sw_text_get(&text)), &read, NULL));
			assert_true(sw_type_equal(&one.from, &read.from) && sw_type_equal(&one.to, &read.to));
			sw_text_free(&text);
		}
}

static void test_too_few_or_many_devices(void **state)
{
	(void)state;
	static const int64_t wrong[] = {-1, 0, 1, SW_EVALUATION_DEVICES + 1};
	for (size_t i = 0; i < COUNT(wrong); i++) {
		sw_problem problem;
		sw_diag diag;
		assert_false(sw_evaluation_draw(wrong[i], 1, 0, &problem, &diag));
		assert_int_equal(diag.code, SW_L12);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_recorded_are_as_told),
		ROWS(drawn_as_recorded, drawings, name),
		TEST(test_other_drawings_differ),
		ROWS(mesh_is_as_equal_as_can_be, meshes, mesh),
		TEST(test_drawn_are_problems),
		TEST(test_too_few_or_many_devices),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
