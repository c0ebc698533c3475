/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of sizes that do not divide: the rules against tables and second implementations, padded types and
 * problems against counting, plans of padded arrays there and back through a file.
 */
#include <shardwalk/plan.h>
#include <shardwalk/uneven.h>

#include "kit/draw.h"
#include "kit/problem.h"

static sw_type padded_of(const sw_mesh *mesh, const char *text)
{
	sw_type type;
	sw_diag diag;
	if (!sw_type_parse_as(mesh, sw_str_of(text), true, &type, &diag))
		fail_msg("%s: %s", text, diag.message);
	return type;
}

static sw_uneven uneven_of(int64_t size, int count, const int64_t *cut)
{
	sw_uneven uneven;
	assert_true(sw_uneven_start(size, cut, count, &uneven, NULL));
	return uneven;
}

/* ---- the rules ---- */

/* Sizes of DTensor's local shards (PyTorch 2), of XLA's tiles (jaxlib 0.10), of numpy.array_split. */
static const struct known_row {
	int64_t size;
	int count;
	int64_t cut[4];
	const char *sizes[SW_UNEVEN_RULE_COUNT]; /* the last ones may be missing */
} known[] = {
	{17, 1, {8}, {"3,3,3,3,3,2,0,0", "3,3,3,3,3,2,0,0", "3,2,2,2,2,2,2,2", "3,2,2,2,2,2,2,2", "3,3,3,3,3,2,0,0"}},
	{10, 1, {6}, {"2,2,2,2,2,0", "2,2,2,2,2,0", "2,2,2,2,1,1"}},
	{10, 2, {2, 3}, {"2,2,2,2,2,0", "2,2,1,2,2,1", "2,2,2,2,1,1"}},
	{10, 2, {3, 2}, {"2,2,2,2,2,0", "2,2,2,2,1,1", "2,2,2,2,1,1"}},
	{5, 1, {4}, {"2,2,1,0", "2,2,1,0", "2,1,1,1"}},
	{3, 2, {2, 3}, {"1,1,1,0,0,0", "1,1,0,1,0,0", "1,1,1,0,0,0"}},
	{7, 2, {4, 2}, {"1,1,1,1,1,1,1,0", "1,1,1,1,1,1,1,0", "1,1,1,1,1,1,1,0"}},
	{9, 3, {2, 2, 2}, {"2,2,2,2,1,0,0,0", "2,1,1,1,1,1,1,1", "2,1,1,1,1,1,1,1"}},
	{25, 2, {3, 4}, {"3,3,3,3,3,3,3,3,1,0,0,0", "3,3,3,0,3,3,3,0,2,2,2,1", "3,2,2,2,2,2,2,2,2,2,2,2"}},
	{1, 1, {3}, {"1,0,0", "1,0,0", "1,0,0"}},
	{12, 2, {2, 3}, {"2,2,2,2,2,2", "2,2,2,2,2,2", "2,2,2,2,2,2", "2,2,2,2,2,2", "2,2,2,2,2,2"}},
	{17, 2, {2, 4}, {"3,3,3,3,3,2,0,0", "3,3,3,0,2,2,2,2", "3,2,2,2,2,2,2,2", "3,2,2,2,2,2,2,2", "3,3,3,0,3,3,2,0"}},
};

static void known_sizes(void **state)
{
	const struct known_row *row = *state;
	sw_uneven uneven = uneven_of(row->size, row->count, row->cut);
	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT && row->sizes[rule] != NULL; rule++) {
		sw_text text = {0};
		sw_uneven_print(&uneven, (sw_uneven_rule)rule, 64, &text);
		assert_string_equal(sw_text_get(&text), row->sizes[rule]);
		sw_text_free(&text);
	}
}

/* torch.chunk: pieces of the rounded up size as long as elements last. */
static int64_t chunk_slowly(int64_t size, int64_t pieces, int64_t which, int64_t *begin)
{
	int64_t each = (size + pieces - 1) / pieces, left = size;
	for (int64_t i = 0; i < which; i++) {
		int64_t taken = left < each ? left : each;
		left -= taken;
		*begin += taken;
	}
	return left < each ? left : each;
}

/* Index by index. */
static int64_t floor_slowly(const sw_uneven *u, int64_t which, int64_t *begin)
{
	int64_t size = 0;
	for (int64_t i = 0; i < u->size; i++) {
		*begin += i * u->pieces / u->size < which;
		size += i * u->pieces / u->size == which;
	}
	return size;
}

/* Does index i lie in that piece of full pieces? */
static bool is_nested_in(const sw_uneven *u, int64_t i, int64_t which)
{
	int64_t full = u->size, inside = u->pieces;
	for (int level = 0; level < u->count; level++) {
		inside /= u->cut[level];
		full = (full + u->cut[level] - 1) / u->cut[level];
		if (i / full != which / inside % u->cut[level])
			return false;
		i %= full;
	}
	return true;
}

static int64_t nested_slowly(const sw_uneven *u, int64_t which, int64_t *begin)
{
	int64_t size = 0;
	*begin = -1;
	for (int64_t i = 0; i < u->size; i++) {
		bool in = is_nested_in(u, i, which);
		*begin = in && size == 0 ? i : *begin;
		size += in;
	}
	return size;
}

static int64_t piece_slowly(const sw_uneven *u, sw_uneven_rule rule, int64_t i, int64_t *begin)
{
	int64_t size = u->size, inside = u->pieces;
	*begin = 0;
	if (rule == SW_UNEVEN_FLOOR)
		return floor_slowly(u, i, begin);
	if (rule == SW_UNEVEN_NESTED)
		return nested_slowly(u, i, begin);
	if (rule == SW_UNEVEN_CEIL)
		return chunk_slowly(size, u->pieces, i, begin);
	for (int level = 0; rule == SW_UNEVEN_CHUNK && level < u->count; level++) {
		inside /= u->cut[level];
		size = chunk_slowly(size, u->cut[level], i / inside % u->cut[level], begin);
	}
	if (rule == SW_UNEVEN_CHUNK)
		return size;
	for (int64_t k = 0; k < i; k++)
		*begin += size / u->pieces + (k < size % u->pieces);
	return size / u->pieces + (i < size % u->pieces);
}

static void random_sizes(void **state)
{
	(void)state;
	draw random = draw_start("uneven");
	for (int round = 0; round < 3000; round++) {
		int64_t cut[4];
		int count = 1 + draw_below(&random, 4);
		for (int i = 0; i < count; i++)
			cut[i] = 1 + draw_below(&random, 5);
		sw_uneven u = uneven_of(1 + draw_below(&random, 40), count, cut);
		for (int r = 0; r < SW_UNEVEN_RULE_COUNT; r++) {
			sw_uneven_rule rule = (sw_uneven_rule)r;
			int64_t sum = 0, empty = 0, most = 0, before = 0;
			for (int64_t i = 0; i < u.pieces; i++) {
				int64_t begin, wanted, size = sw_uneven_piece(&u, rule, i, &begin);
				assert_int_equal(size, piece_slowly(&u, rule, i, &wanted));
				assert_int_equal(begin, size ? wanted : begin);
				assert_int_equal(begin, size ? sum : begin);
				assert_true(begin >= before && begin <= u.size - size);
				before = begin;
				sum += size;
				empty += size == 0;
				most = size > most ? size : most;
			}
			assert_int_equal(sum, u.size);
			assert_int_equal(empty, sw_uneven_empty(&u, rule));
			assert_int_equal(most, sw_uneven_largest(&u, rule));
		}
	}
}

static void large_sizes(void **state)
{
	int64_t begin;
	(void)state;
	sw_uneven u = uneven_of(INT64_MAX, 2, (int64_t[]){1 << 20, 1 << 20});
	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT; rule++) {
		int64_t size = sw_uneven_piece(&u, (sw_uneven_rule)rule, u.pieces - 1, &begin);
		assert_true(begin <= INT64_MAX - size && begin + size == INT64_MAX);
		assert_int_equal(sw_uneven_largest(&u, (sw_uneven_rule)rule), (int64_t)1 << 23);
		assert_int_equal(sw_uneven_empty(&u, (sw_uneven_rule)rule), 0);
	}
	assert_false(sw_uneven_start(5, (int64_t[]){1 << 21, 1 << 20}, 2, &u, NULL));
	assert_false(sw_uneven_start(0, (int64_t[]){4}, 1, &u, NULL));
	assert_false(sw_uneven_start(5, (int64_t[]){0}, 1, &u, NULL));
	assert_false(sw_uneven_start(5, NULL, 0, &u, NULL));
}

static const struct hints_name_the_rules_row {
	const char *text, *hint;
} hints_name_the_rules_rows[] = {
	{"[{x}17]",
		"XLA pads (3,3,3,3,3,2,0,0), DTensor chunks (the same), balanced systems hold 3,2,2,2,2,2,2,2: "
		"`explain 17 over 8` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding"},
	{"[3{x}17]",
		"write 3{x}24; XLA pads (3,3,3,3,3,2,0,0), DTensor chunks (the same), balanced systems hold "
		"3,2,2,2,2,2,2,2: `explain 17 over 8` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding"},
	{"[{q,p}10]",
		"XLA pads (2,2,2,2,2,0), DTensor chunks (2,2,1,2,2,1), balanced systems hold 2,2,2,2,1,1: "
		"`explain 10 over 2x3` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding"},
};

static void hints_name_the_rules(void **state)
{
	const struct hints_name_the_rules_row *row = *state;
	sw_mesh mesh = mesh_of("{p: 2, q: 3, x: 8}");
	sw_type type;
	sw_diag diag;
	assert_false(sw_type_parse(&mesh, sw_str_of(row->text), &type, &diag));
	assert_int_equal(diag.code, SW_T04);
	assert_string_equal(diag.hint, row->hint);
}

/* ---- padded types ---- */

static const struct padded_types_row {
	const char *text, *padded, *real;
} padded_types_rows[] = {
	{"[{x}17]", "f32[3{x}24]", "f32[{x}17]"},
	{"[3{x}17, 5]", "f32[3{x}24, 5]", "f32[{x}17, 5]"},
	{"bf16[{q,p}10, {x}16]", "bf16[2{q,p}12, 2{x}16]", "bf16[{q,p}10, {x}16]"},
	{"[{x}1]", "f32[1{x}8]", "f32[{x}1]"},
	{"[16, 2{x:(2)2}3]", "f32[16, 2{x:(2)2}4]", "f32[16, {x:(2)2}3]"},
};

static void padded_types(void **state)
{
	const struct padded_types_row *row = *state;
	sw_mesh mesh = mesh_of("{p: 2, q: 3, x: 8}");
	sw_type type = padded_of(&mesh, row->text);
	sw_text text = {0};
	sw_type_print(&mesh, &type, true, &text);
	assert_string_equal(sw_text_get(&text), row->padded);
	sw_text_clear(&text);
	sw_type_print_real(&mesh, &type, true, &text);
	assert_string_equal(sw_text_get(&text), row->real);
	sw_type again = padded_of(&mesh, sw_text_get(&text));
	assert_true(sw_type_equal(&type, &again));
	assert_int_equal(type.padding, again.padding);
	sw_text_free(&text);
}

static void refused_though_padded(void **state)
{
	sw_mesh mesh = mesh_of("{x: 8}");
	sw_type type;
	sw_diag diag;
	static const char *const texts[] = {"[2{x}17]", "[4{x}17]", "[{x}9223372036854775807]",
		"[{x}4611686018427387905, 2]"};
	static const sw_code codes[] = {SW_T04, SW_T04, SW_T04, SW_T10};
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_false(sw_type_parse_as(&mesh, sw_str_of(texts[i]), true, &type, &diag));
		assert_int_equal(diag.code, codes[i]);
	}
	sw_problem problem;
	assert_false(sw_problem_parse(&mesh, sw_str_of("[{x}17] ~> [17]"), &problem, &diag));
	assert_false(sw_problem_parse_as(&mesh, sw_str_of("[{x}17] ~> [18]"), true, &problem, &diag));
	assert_int_equal(diag.code, SW_T09);
	assert_false(sw_problem_parse_as(&mesh, sw_str_of("[{x}17] ~> [{x}18]"), true, &problem, &diag));
	assert_int_equal(diag.code, SW_T09);
	assert_string_equal(diag.expected, "17");
	assert_string_equal(diag.found, "18");
}

static int64_t cuts(const sw_type *type, int d)
{
	int64_t product = 1;
	for (int p = type->first[d]; p < type->first[d + 1]; p++)
		product *= sw_type_part(type, p).size;
	return product;
}

/* The smallest size that both divide, by trying. */
static int64_t pad_slowly(int64_t size, int64_t a, int64_t b)
{
	while (size % a || size % b)
		size++;
	return size;
}

/* Elements of the tile on a device that are in the array. */
static int64_t real_on(const sw_mesh *mesh, const sw_type *type, int64_t device)
{
	int64_t offset[SW_MAX_DIMS], product = 1;
	sw_type_offset(mesh, type, device, offset);
	for (int d = 0; d < type->rank; d++) {
		int64_t left = sw_type_size(type, d) - offset[d];
		product *= left < 0 ? 0 : left < type->tile[d] ? left : type->tile[d];
	}
	return product;
}

static void check_count(const sw_mesh *mesh, const sw_type *type)
{
	int64_t total = 0, most = 0, empty = 0, tile = sw_type_localsize(type);
	sw_padding_count count;
	for (int64_t device = 0; device < mesh->devices; device++) {
		int64_t real = real_on(mesh, type, device);
		total += tile - real;
		most = tile - real > most ? tile - real : most;
		empty += real == 0;
	}
	sw_type_padding(mesh, type, &count);
	assert_int_equal(count.total, total);
	assert_int_equal(count.most, most);
	assert_int_equal(count.empty, empty);
	assert_int_equal(count.elements, tile * mesh->devices);
}

/* A text of a type over {a: 2, b: 3, c: 4}, each axis used at most once. */
static void random_text(draw *random, const int64_t *size, int rank, char text[128])
{
	int place[3], used = 0;
	for (int i = 0; i < 3; i++)
		place[i] = draw_below(random, rank + 1);
	text[used++] = '[';
	for (int d = 0; d < rank; d++) {
		used += sprintf(text + used, "%s", d ? ", " : "");
		const char *before = "{";
		for (int i = 0; i < 3; i++)
			if (place[i] == d) {
				used += sprintf(text + used, "%s%c", before, 'a' + i);
				before = ",";
			}
		used += sprintf(text + used, "%s%lld", *before == ',' ? "}" : "", (long long)size[d]);
	}
	strcpy(text + used, "]");
}

static sw_problem random_problem(draw *random, const sw_mesh *mesh)
{
	int64_t size[3];
	int rank = 1 + draw_below(random, 3);
	char from[128], to[128], both[300];
	sw_problem problem;
	sw_diag diag;
	for (int d = 0; d < rank; d++)
		size[d] = 1 + draw_below(random, 20);
	random_text(random, size, rank, from);
	random_text(random, size, rank, to);
	snprintf(both, sizeof(both), "%s ~> %s", from, to);
	if (!sw_problem_parse_as(mesh, sw_str_of(both), true, &problem, &diag))
		fail_msg("%s: %s", both, diag.message);
	for (int d = 0; d < rank; d++) {
		int64_t wanted = pad_slowly(size[d], cuts(&problem.from, d), cuts(&problem.to, d));
		assert_int_equal(problem.from.global[d], wanted);
		assert_int_equal(problem.to.global[d], wanted);
		assert_int_equal(sw_type_size(&problem.from, d), size[d]);
		assert_int_equal(sw_type_size(&problem.to, d), size[d]);
		assert_int_equal(problem.from.tile[d] * cuts(&problem.from, d), wanted);
	}
	return problem;
}

static void problems_are_padded_least(void **state)
{
	(void)state;
	draw random = draw_start("padded problems");
	sw_mesh mesh = mesh_of("{a: 2, b: 3, c: 4}");
	for (int round = 0; round < 2000; round++) {
		sw_problem problem = random_problem(&random, &mesh), again = problem;
		check_count(&mesh, &problem.from);
		check_count(&mesh, &problem.to);
		sw_uneven_agree(&again.to, &again.from);
		assert_true(sw_type_equal(&again.from, &problem.from) && sw_type_equal(&again.to, &problem.to));
		assert_true(sw_uneven_same_array(&problem.from, &problem.to, NULL));
	}
}

static const struct words_about_padding_row {
	const char *problem, *words;
} words_about_padding_rows[] = {
	{"[{x}17, 4] ~> [17, 4]", "dimension 0 is padded from 17 to 24, for 8 tiles"},
	{"[17, 4] ~> [{x}17, 4]", "dimension 0 is padded from 17 to 24, for 8 tiles"},
	{"[{x}17, 4] ~> [{y}17, 4]",
		"dimension 0 is padded from 17 to 40, for 8 tiles and 5 tiles; XLA pads each end "
		"separately, to 24 and to 20"},
	{"[{x}16, 4] ~> [16, {y}4]", "dimension 1 is padded from 4 to 5, for 5 tiles"},
	{"[{x}17, 4] ~> [17, {y}4]",
		"dimension 0 is padded from 17 to 24, for 8 tiles / dimension 1 is padded from 4 "
		"to 5, for 5 tiles"},
	{"[{x}16] ~> [16]", ""},
};

static void words_about_padding(void **state)
{
	const struct words_about_padding_row *row = *state;
	sw_mesh mesh = mesh_of("{x: 8, y: 5}");
	sw_problem problem;
	sw_text words = {0};
	assert_true(sw_problem_parse_as(&mesh, sw_str_of(row->problem), true, &problem, NULL));
	sw_uneven_explain(&problem.from, &problem.to, " / ", &words);
	assert_string_equal(sw_text_get(&words), row->words);
	sw_text_free(&words);
}

/* ---- plans ---- */

static void check_plan(const sw_plan *plan, sw_arena *arena)
{
	sw_verify_options options = {.memory = 1 << 24};
	sw_verdict verdict;
	sw_plan again;
	sw_diag diag;
	sw_text text = {0};
	if (!sw_plan_check(plan, &diag) || !sw_plan_verify(plan, &options, &verdict, &diag))
		fail_msg("%s: %s", sw_strategy_name(plan->strategy), diag.message);
	assert_true(verdict.right);
	assert_true(sw_plan_write(plan, SW_JSON_LINE, &text, &diag));
	bool padded = sw_type_padded(&plan->problem.from);
	assert_true(padded == (strstr(sw_text_get(&text), "\"unpadded\": [") != NULL));
	if (!sw_plan_read((sw_str){sw_text_get(&text), text.length}, arena, &again, &diag))
		fail_msg("%s: %s", sw_text_get(&text), diag.message);
	assert_int_equal(again.problem.from.padding, plan->problem.from.padding);
	assert_int_equal(again.problem.to.padding, plan->problem.to.padding);
	for (int k = 0; k < again.program.steps; k++)
		assert_true(!again.program.value[k + 1].type ||
			again.program.value[k + 1].type->padding == plan->problem.from.padding);
	sw_text_free(&text);
}

static void every_strategy_plans_padded(void **state)
{
	(void)state;
	draw random = draw_start("padded plans");
	sw_mesh mesh = mesh_of("{a: 2, b: 3, c: 4}");
	sw_arena *arena = sw_arena_new();
	int planned = 0;
	for (int round = 0; round < 60; round++) {
		sw_problem problem = random_problem(&random, &mesh);
		for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
			sw_plan_options options = {.strategy = (sw_strategy)s};
			sw_plan plan;
			sw_diag diag;
			sw_arena_clear(arena);
			bool ok = sw_plan_find(&problem, &options, arena, &plan, &diag);
			if (!ok && (diag.code == SW_S01 || diag.code == SW_S02))
				continue;
			if (!ok)
				fail_msg("%s: %s", sw_strategy_name((sw_strategy)s), diag.message);
			bool follows = s == SW_XLA || s == SW_SHARDY || s == SW_DTENSOR || s == SW_DTENSOR_MIN_COST;
			bool says = plan.note && strstr(plan.note, "followed on the padded array");
			assert_true(says == (follows && sw_type_padded(&problem.from)));
			check_plan(&plan, arena);
			planned++;
		}
	}
	sw_arena_free(arena);
	printf("%d plans\n", planned);
	assert_true(planned > 300);
}

/* pytorch#103306: what was padded must not come back as data. */
static void five_rows_stay_five(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4}");
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	int64_t real[SW_MAX_DIMS];
	assert_true(sw_problem_parse_as(&mesh, sw_str_of("[{x}5] ~> [5]"), true, &problem, NULL));
	for (int way = 0; way < 2; way++) {
		sw_plan_options options = {.strategy = SW_FUSED};
		sw_plan plan;
		assert_true(sw_plan_find(&problem, &options, arena, &plan, NULL));
		sw_type_real(&plan.problem.to, real);
		assert_int_equal(real[0], 5);
		for (int64_t device = 0; device < 4; device++) {
			static const int64_t held[2][4] = {{5, 5, 5, 5}, {2, 2, 1, 0}};
			assert_int_equal(real_on(&mesh, &plan.problem.to, device), held[way][device]);
		}
		problem.from = plan.problem.to;
		assert_true(sw_type_parse_as(&mesh, sw_str_of("[{x}5]"), true, &problem.to, NULL));
		sw_type_agree(&problem.from, &problem.to);
	}
	sw_arena_free(arena);
}

static const char *const bad_files_are_refused_rows[] = {"[25]", "[0]", "[17, 1]", "[]", "[\"a\"]", "[17.5]"};

static void bad_files_are_refused(void **state)
{
	const char *const *row = *state;
	sw_arena *arena = sw_arena_new();
	char text[512];
	sw_plan plan;
	sw_diag diag;
	snprintf(text, sizeof(text),
		"{\"schema\": \"shardwalk.plan/1\", \"name\": null, "
		"\"mesh\": [{\"axis\": \"x\", \"size\": 8}], \"dtype\": \"f32\", \"global\": [24], \"unpadded\": %s, "
		"\"from\": \"[3{x}24]\", \"to\": \"[3{x}24]\", \"strategy\": \"fused\", \"cost\": 0, \"height\": 3, \"steps\": []}",
		*row);
	assert_false(sw_plan_read(sw_str_of(text), arena, &plan, &diag));
	assert_int_equal(diag.code, SW_P03);
	assert_true(diag.at.end > diag.at.begin && diag.at.end <= strlen(text));
	assert_memory_equal(text + diag.at.begin, *row, diag.at.end - diag.at.begin);
	sw_arena_free(arena);
}

/* ---- forged files ---- */

/* A plan of a padded array; `by` is put for `what` in it. */
static void write_forged(const char *what, const char *by, sw_text *text)
{
	sw_mesh mesh = mesh_of("{x: 2, y: 3}");
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = SW_FUSED};
	sw_problem problem;
	sw_text right = {0};
	sw_plan plan;
	assert_true(sw_problem_parse_as(&mesh, sw_str_of("[{x}5, {y}7] ~> [{y}5, {x}7]"), true, &problem, NULL));
	assert_true(sw_plan_find(&problem, &options, arena, &plan, NULL));
	assert_true(sw_plan_write(&plan, SW_JSON_LINE, &right, NULL));
	const char *all = sw_text_get(&right), *at = strstr(all, what);
	if (!at)
		fail_msg("no %s in %s", what, all);
	sw_text_addf(text, "%.*s%s%s", (int)(at - all), all, by, at + strlen(what));
	sw_text_free(&right);
	sw_arena_free(arena);
}

static const struct forged_row {
	const char *what, *by;
	sw_code code;
	const char *at; /* what is blamed; NULL: nothing, the file is right */
} forged_rows[] = {
	{"\"cost\":", "\"uneven\": true, \"cost\":", SW_OK, NULL},
	{"\"permutes\": 0", "\"uneven\": true, \"permutes\": 2", SW_P03, "2"},
	{"\"unpadded\": [5, 7]", "\"unpadded\": [5, 13]", SW_P03, "[5, 13]"},
	{"\"unpadded\": [5, 7]", "\"unpadded\": [4, 7]", SW_P03, "37"},
	{"\"most_per_device\": 12", "\"most_per_device\": 13", SW_P03, "13"},
	{"\"localtype\": [6, 2]", "\"localtype\": [5, 2]", SW_P03, "[5, 2]"},
};

static void forged_files_are_refused(void **state)
{
	const struct forged_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_plan plan;
	sw_diag diag = {.code = SW_OK};
	write_forged(row->what, row->by, &text);
	const char *all = sw_text_get(&text);
	if (sw_plan_read((sw_str){all, text.length}, arena, &plan, &diag) != (row->at == NULL))
		fail_msg("%s: %s", all, diag.message);
	assert_int_equal(diag.code, row->code);
	if (row->at)
		assert_memory_equal(all + diag.at.begin, row->at, strlen(row->at));
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* A step says its array, too. */
static void steps_are_of_the_same_array(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 2, y: 3}");
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = SW_FUSED};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;
	assert_true(sw_problem_parse_as(&mesh, sw_str_of("[{x}5, {y}7] ~> [{y}5, {x}7]"), true, &problem, NULL));
	assert_true(sw_plan_find(&problem, &options, arena, &plan, NULL));
	assert_true(sw_plan_check(&plan, &diag));
	sw_type other = *plan.program.value[1].type;
	sw_type_set_real(&other, (const int64_t[]){4, 7});
	plan.program.value[1].type = &other;
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P03);
	sw_type_set_real(&other, (const int64_t[]){5, 7});
	assert_true(sw_plan_check(&plan, &diag));
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		NUMBERED(known_sizes, known),
		TEST(random_sizes),
		TEST(large_sizes),
		ROWS(hints_name_the_rules, hints_name_the_rules_rows, text),
		ROWS(padded_types, padded_types_rows, text),
		TEST(refused_though_padded),
		TEST(problems_are_padded_least),
		ROWS(words_about_padding, words_about_padding_rows, problem),
		TEST(every_strategy_plans_padded),
		TEST(five_rows_stay_five),
		TEXTS(bad_files_are_refused, bad_files_are_refused_rows),
		ROWS(forged_files_are_refused, forged_rows, by),
		TEST(steps_are_of_the_same_array),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
