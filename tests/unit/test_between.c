/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between types of any kind: how devices store what they have, plans of recorded moves and of random types, checked and executed.
 */
#include <jansson.h>

#include <shardwalk/between.h>
#include <shardwalk/distribution.h>
#include <shardwalk/emit.h>
#include <shardwalk/local.h>
#include <shardwalk/plan.h>
#include <shardwalk/transfers.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/mutate.h"
#include "kit/problem.h"

/* ---- storing ---- */

enum { MOST = 400 };

struct array {
	int rank, elements;
	int64_t size[3];
};

static void element_of(const struct array *array, int number, int64_t *index)
{
	for (int dim = array->rank - 1; dim >= 0; dim--) {
		index[dim] = number % array->size[dim];
		number /= (int)array->size[dim];
	}
}

static sw_indices draw_indices(draw *random, int64_t size)
{
	sw_family *family = SW_NEW(arena, sw_family, 2);
	int count = 1 + draw_below(random, 2);
	sw_indices drawn;

	for (int i = 0; i < count; i++) {
		int64_t first = draw_below(random, (int)size), step = 1 + draw_below(random, 5),
				run = 1 + draw_below(random, (int)step);
		run = run < size - first ? run : size - first;
		int64_t most = (size - first - run) / step + 1, runs = 1 + draw_below(random, (int)most);
		family[i] = (sw_family){first, run, runs > 1 ? step : run, runs};
		if (run == step) /* one run */
			family[i] = (sw_family){first, run * runs, run * runs, 1};
	}
	assert_true(sw_indices_of(family, count, arena, &drawn));
	return drawn;
}

static sw_region draw_region(draw *random, const struct array *array)
{
	sw_region region = {array->rank, 0, NULL};

	for (int n = 1 + draw_below(random, 3); n > 0; n--) {
		sw_indices set[3];
		for (int dim = 0; dim < array->rank; dim++)
			set[dim] = draw_indices(random, array->size[dim]);
		assert_true(sw_region_union(&region, &(sw_region){array->rank, 1, set}, arena, &region));
	}
	return region;
}

static void numbers_are_right(const struct array *array, const sw_region *region, const sw_local *local)
{
	int64_t index[3], back[3], place[3], count = 0;

	for (int e = 0; e < array->elements; e++) {
		element_of(array, e, index);
		bool has = sw_region_has(region, index);
		assert_int_equal(sw_local_index(local, index), has ? count : -1);
		if (!has)
			continue;
		assert_true(sw_local_element(local, count++, back, place));
		assert_memory_equal(back, index, sizeof *index * (size_t)array->rank);
	}
	assert_int_equal(local->size, count);
	assert_false(sw_local_element(local, count, back, NULL));
}

struct walk {
	int seen[MOST]; /* by local indices of the second, those of the first and 1 more */
	int64_t elements;
};

static bool walk_loops(void *user, const sw_loops *loops)
{
	struct walk *w = user;
	int64_t elements = 1;

	for (int i = 0; i < loops->loops; i++) {
		assert_true(loops->count[i] > 1);
		elements *= loops->count[i];
	}
	assert_int_equal(elements, loops->elements);
	for (int64_t n = 0; n < elements; n++) {
		int64_t from = loops->from, into = loops->into, left = n;
		for (int i = loops->loops - 1; i >= 0; i--) {
			from += left % loops->count[i] * loops->from_by[i];
			into += left % loops->count[i] * loops->into_by[i];
			left /= loops->count[i];
		}
		assert_int_equal(w->seen[into], 0);
		w->seen[into] = (int)from + 1;
	}
	w->elements += elements;
	return true;
}

static void loops_are_right(const struct array *array, const sw_region *a, const sw_region *b)
{
	sw_local one, other;
	sw_region both;
	struct walk walk = {{0}, 0};
	int64_t index[3];

	assert_true(sw_local_of(a, arena, &one) && sw_local_of(b, arena, &other));
	numbers_are_right(array, a, &one);
	assert_true(sw_region_meet(a, b, arena, &both));
	assert_true(sw_local_loops(&both, &one, &other, arena, walk_loops, &walk));
	assert_int_equal(walk.elements, sw_region_size(&both));
	for (int e = 0; e < array->elements; e++) {
		element_of(array, e, index);
		if (sw_region_has(&both, index))
			assert_int_equal(walk.seen[sw_local_index(&other, index)], sw_local_index(&one, index) + 1);
	}
}

static void storing(void **state)
{
	(void)state;
	draw random = draw_start("storing");

	for (int n = 0; n < 3000; n++) {
		struct array array = {.rank = 1 + draw_below(&random, 3), .elements = 1};
		sw_arena_clear(arena);
		for (int dim = 0; dim < array.rank; dim++) {
			array.size[dim] = 1 + draw_below(&random, array.rank == 1 ? MOST : array.rank == 2 ? 20 : 7);
			array.elements *= (int)array.size[dim];
		}
		sw_region a = draw_region(&random, &array), b = draw_region(&random, &array);
		loops_are_right(&array, &a, &b);
	}
}

/* ---- plans ---- */

static void read_any(const char *mesh, const char *from, const char *to, sw_problem *problem)
{
	char text[4096];
	sw_mesh parsed = mesh_of(mesh);
	sw_diag diag;

	snprintf(text, sizeof text, "%s ~> %s", from, to);
	if (!sw_problem_parse_any(&parsed, sw_str_of(text), false, NULL, arena, problem, &diag))
		fail_msg("%s %s: %s", mesh, text, diag.message);
}

static const sw_plan_options direct = {.strategy = SW_DIRECT};

static void plan_is_right(const sw_problem *problem, const char *name, sw_plan *plan)
{
	sw_verdict verdict;
	sw_diag diag;

	if (!sw_plan_find(problem, &direct, arena, plan, &diag) || !sw_plan_check(plan, &diag) ||
		!sw_plan_verify(plan, NULL, &verdict, &diag))
		fail_msg("%s: %s", name, diag.message);
	if (!verdict.right)
		fail_msg("%s: element %lld of device %lld", name, (long long)verdict.wrong.index[0],
			(long long)verdict.wrong.device);
	assert_true(!verdict.symbolic || sw_type_globalsize(&problem->from) > 10000000);
}

/* The plan that its JSON says is the same, and right. */
static void file_is_right(const sw_plan *plan, const char *name)
{
	sw_text text = {0}, again = {0};
	sw_verdict verdict;
	sw_plan read;
	sw_diag diag;

	assert_true(sw_plan_write(plan, SW_JSON_MAPS, &text, &diag));
	if (!sw_plan_read((sw_str){sw_text_get(&text), text.length}, arena, &read, &diag))
		fail_msg("%s: %s\n%s", name, diag.message, sw_text_get(&text));
	assert_true(sw_plan_verify(&read, NULL, &verdict, &diag) && verdict.right);
	read.program.claimed = false;
	read.origin = NULL;
	assert_true(sw_plan_write(&read, 0, &again, &diag));
	assert_string_equal(sw_text_get(&text), sw_text_get(&again));
	sw_text_free(&text);
	sw_text_free(&again);
}

struct counted {
	double volume;
	int messages;
};

static void count_flow(void *user, const sw_flow *flow)
{
	struct counted *c = user;

	c->volume += flow->elements * (double)(flow->froms * flow->tos);
	c->messages++;
}

static const char *text_at(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static int moved(const json_t *line)
{
	const char *name = text_at(line, "name");
	struct counted counted = {0};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	sw_arena_clear(arena);
	read_any(text_at(line, "mesh"), text_at(line, "from"), text_at(line, "to"), &problem);
	if (json_object_get(line, "missing") != NULL) {
		assert_false(sw_plan_find(&problem, &direct, arena, &plan, &diag));
		assert_int_equal(diag.code, SW_S02);
		return 0;
	}
	plan_is_right(&problem, name, &plan);
	if (sw_problem_has_words(&problem))
		file_is_right(&plan, name);
	for (int k = 0; k < plan.program.steps; k++)
		assert_true(sw_plan_flows(&plan, k, count_flow, &counted, &diag));
	if ((int64_t)counted.volume != json_integer_value(json_object_get(line, "volume")))
		fail_msg("%s: volume %g", name, counted.volume);
	if (sw_problem_has_words(&problem) &&
		(int64_t)sw_plan_volume(&plan) != json_integer_value(json_object_get(line, "max_in")))
		fail_msg("%s: most is %g", name, sw_plan_volume(&plan));
	return 1;
}

static void each_line(const char *file_name, int (*one)(const json_t *line))
{
	static char text[1 << 18];
	FILE *file = cases_open(file_name);
	int lines = 0, planned = 0;

	if (file == NULL)
		skip();
	for (; fgets(text, sizeof text, file) != NULL; lines++) {
		json_t *line = json_loads(text, 0, NULL);
		assert_non_null(line);
		planned += one(line);
		json_decref(line);
	}
	printf("%s: %d lines, %d planned\n", file_name, lines, planned);
	fclose(file);
}

static void recorded_moves(void **state)
{
	(void)state;
	each_line("imp-moves.jsonl", moved);
}

static void recorded_matrices(void **state)
{
	(void)state;
	each_line("imp-lapack.jsonl", moved);
}

/* ---- random types ---- */

static const char *const block_cyclic[2] = {"[2{r,..}9, 2{c,..}9] over {r: 2, c: 3}",
	"[3{r,..}9, 3{c,..}9] over {r: 3, c: 2}"};

/* Each of the same array of two dimensions on six devices. */
static const char *const types[] = {"[1{x,..}14, 9]", "[14, 2{y,..}9]", "[2{y@1,..}14, 1{x,..}9]",
	"[{x,y}14, 9] by floor", "[2{r,..}14, 2{c,..}9] over {r: 2, c: 3}", "[3{r,..}14, 3{c,..}9] over {r: 3, c: 2}",
	"[14, 9]", "[14, {y}9] by balanced", "[3{x,..2,y,..}14, 9]", "[14, 9] on 2", "[14, 9] on 1,4-5",
	"[7{x}14, 3{y}9] shift 2, 1 wrap", "[14, 3{y}9] union [7{x}14, 9]",
	"[7{x}14, 9] union [7{x}14, 9] shift 1 union [7{x}14, 9] shift -1",
	"[1{x,..}14, 3{y}9] union [14, 9] only 2:11:3, 4:6", "[5+9{x}14, 2+3+4{y}9]",
	"[14, 9] only 3:9, : on 0,3 union [14, 9] on 5"};

static const char *const sums[] = {"[14, 3{y}9]+{x}", "[1{y,..}14, 9]+{x}", "[14, 9]+",
	"[2{r,..}14, 9]+{c} over {r: 2, c: 3}", "[14, 3{y}9]+ on 0-3", "[14, 9]+ on 1,4"};

/* Of the sums the first are of the same terms. */
enum { TYPES = sizeof types / sizeof *types, SUMS = sizeof sums / sizeof *sums, LIKE = 2 };

static void random_types(void **state)
{
	(void)state;
	draw random = draw_start("types");
	sw_plan plan;
	sw_problem problem;
	int planned = 0;

	for (int n = 0; n < 400; n++) {
		const char *from = n % 4 == 3 ? sums[draw_below(&random, SUMS)] : types[draw_below(&random, TYPES)];
		const char *to = n % 7 == 6 ? sums[draw_below(&random, SUMS)] : types[draw_below(&random, TYPES)];
		char name[300];
		sw_diag diag;
		sw_arena_clear(arena);
		snprintf(name, sizeof name, "%s ~> %s", from, to);
		read_any("{x: 2, y: 3}", from, to, &problem);
		const sw_between *between = sw_between_of(&problem, arena, &diag);
		if (between == NULL)
			assert_int_equal(diag.code, SW_T11);
		if (between == NULL || !sw_between_complete(between, &diag))
			continue;
		plan_is_right(&problem, name, &plan);
		if (sw_problem_has_words(&problem))
			file_is_right(&plan, name);
		planned++;
	}
	printf("%d planned\n", planned);
	assert_true(planned > 100);
}

static void write_file(const char *folder, int n, const char *ending, const sw_text *text)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%d.%s", folder, n, ending);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(sw_text_get(text), file);
	fclose(file);
}

/* For tests of the executor: the plan of the example and some of random types as files of the folder PLANS, the first as programs too. */
static void written(void **state)
{
	(void)state;
	static const char *const dtypes[] = {"f64", "f32", "i32", "bf16", "c128"};
	const char *folder = getenv("PLANS");
	if (folder == NULL)
		skip();
	draw random = draw_start("written");

	for (int n = 0; n < 24; n++) {
		const char *from = n % 4 == 3 ? sums[draw_below(&random, n % 8 == 7 ? LIKE : SUMS)] :
										types[draw_below(&random, TYPES)];
		const char *to = n % 8 == 7 ? sums[draw_below(&random, LIKE)] : types[draw_below(&random, TYPES)];
		char name[600];
		sw_text text = {0};
		sw_problem problem;
		sw_plan plan;
		sw_diag diag;
		sw_arena_clear(arena);
		if (n == 0)
			read_any("{d: 6}", block_cyclic[0], block_cyclic[1], &problem);
		else
			read_any("{x: 2, y: 3}", from, to, &problem);
		sw_dtype_parse(sw_str_of(dtypes[n % 5]), &problem.from.dtype, NULL);
		problem.to.dtype = problem.from.dtype;
		plan_is_right(&problem, from, &plan);
		snprintf(name, sizeof name, "%d: %s ~> %s", n, from, to);
		plan.name = n == 0 ? "example" : name;
		assert_true(sw_plan_write(&plan, 0, &text, &diag));
		write_file(folder, n, "json", &text);
		sw_text_clear(&text);
		if (n < 8 && plan.program.steps > 0 && sw_emit(SW_EMIT_MPI, &plan, NULL, arena, &text, &diag))
			write_file(folder, n, "c", &text);
		sw_text_free(&text);
	}
}

/* A file that was changed is refused, or is a plan that is right. */
static void changed_files(void **state)
{
	(void)state;
	draw random = draw_start("files");
	static mutant changed;
	int taken = 0;

	for (int n = 0; n < 60; n++) {
		sw_text text = {0};
		sw_problem problem;
		sw_plan plan;
		sw_diag diag;
		sw_arena_clear(arena);
		read_any("{x: 2, y: 3}", types[draw_below(&random, TYPES)], types[draw_below(&random, TYPES)], &problem);
		if (!sw_problem_has_words(&problem))
			continue;
		plan_is_right(&problem, "a file", &plan);
		assert_true(sw_plan_write(&plan, 0, &text, &diag));
		for (int i = 0; i < 40; i++) {
			mutant_draw(&changed, &random, sw_text_get(&text));
			char *copy = mutant_copy(&changed);
			sw_verdict verdict;
			sw_plan read;
			if (sw_plan_read((sw_str){copy, changed.length}, arena, &read, &diag)) {
				sw_verify_options options = {.memory = 1 << 24};
				assert_true(sw_plan_verify(&read, &options, &verdict, &diag) && verdict.right);
				taken++;
			}
			free(copy);
		}
		sw_text_free(&text);
	}
	printf("%d taken\n", taken);
}

/* ---- what is refused, what is said ---- */

static void strategies_of_tiles(void **state)
{
	(void)state;
	sw_plan_options options = {.strategy = SW_FUSED};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	read_any("{x: 4}", "[1{x,..}12]", "[12]", &problem);
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_T17);
	options = (sw_plan_options){.strategy = SW_DIRECT, .without = 1u << SW_EXCHANGE};
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S02);
}

/* MPI programs are written, unless MPI adds no such terms; other formats say tiles. */
static void exported(void **state)
{
	(void)state;
	sw_text text = {0};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	read_any("{x: 4}", "[1{x,..}12]", "[12] on 2", &problem);
	plan_is_right(&problem, "gather", &plan);
	assert_true(sw_emit(SW_EMIT_MPI, &plan, NULL, arena, &text, &diag));
	assert_non_null(strstr(sw_text_get(&text), "from    f32[1{x,..}12]"));
	for (int kind = 0; kind < SW_EMIT_COUNT; kind++) {
		bool said = sw_emit((sw_emit_kind)kind, &plan, NULL, arena, &text, &diag);
		assert_int_equal(said, kind == SW_EMIT_MPI);
		assert_true(said || diag.code == SW_P06);
	}
	read_any("{x: 4}", "[12]+ on 0-2", "[12] on 2", &problem);
	plan_is_right(&problem, "sum", &plan);
	assert_true(sw_emit(SW_EMIT_MPI, &plan, NULL, arena, &text, &diag));
	read_any("{x: 4}", "bf16[12]+ on 0-2", "bf16[12] on 2", &problem);
	plan_is_right(&problem, "sum", &plan);
	assert_false(sw_emit(SW_EMIT_MPI, &plan, NULL, arena, &text, &diag));
	assert_int_equal(diag.code, SW_P06);
	sw_text_free(&text);
}

static void block_cyclic_example(void **state)
{
	(void)state;
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;
	struct counted counted = {0};

	read_any("{d: 6}", block_cyclic[0], block_cyclic[1], &problem);
	plan_is_right(&problem, "9 x 9", &plan);
	assert_true(sw_plan_flows(&plan, 0, count_flow, &counted, &diag));
	assert_int_equal(counted.messages, 20);
	assert_int_equal((int)counted.volume, 63);
	assert_int_equal(plan.height, 20);
	assert_int_equal(plan.cost, 18);
}

static void nobody_holds(void **state)
{
	(void)state;
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	read_any("{x: 4}", "[3{x}12] on 0", "[3{x}12]", &problem);
	assert_false(sw_plan_find(&problem, &direct, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S02);
	assert_string_equal(diag.message, "no device holds 3-11");
}

/* A plan whose end is another one than it says. */
static void checker_is_awake(void **state)
{
	(void)state;
	sw_problem problem, other;
	sw_plan plan;
	sw_diag diag;

	read_any("{x: 4}", "[1{x,..}12]", "[3{x}12] shift 1 wrap", &problem);
	read_any("{x: 4}", "[1{x,..}12]", "[3{x}12] shift 2 wrap", &other);
	plan_is_right(&problem, "shift", &plan);
	plan.program.value[1].words = other.to_words;
	assert_false(sw_plan_check(&plan, &diag));
	assert_false(sw_plan_reaches(&plan, &diag));
	plan.program.value[1].words = problem.to_words;
	plan.program.step->cost++;
	assert_false(sw_plan_check(&plan, &diag));
}

int main(void)
{
	static const struct kit_test tests[] = {TEST(storing), TEST(recorded_moves), TEST(recorded_matrices),
		TEST(random_types), TEST(written), TEST(changed_files), TEST(strategies_of_tiles), TEST(exported),
		TEST(block_cyclic_example), TEST(nobody_holds), TEST(checker_is_awake)};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
