/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions and holdings: random sets of indices against lists of all of them, and what devices have by digits, by offsets, by
 * regions and by a rule against each other and against the type that says it.
 */
#include <shardwalk/holding.h>

#include "kit/arena.h"
#include "kit/indices.h"
#include "kit/problem.h"

enum { INDICES = 96, SETS = 4000, REGIONS = 600, TYPES = 400 };

/* ---- indices of a dimension ---- */

static int64_t count_of(const bool *member, int64_t size)
{
	int64_t count = 0;

	for (int64_t i = 0; i < size; i++)
		count += member[i];
	return count;
}

static void is_set(const sw_indices *indices, const bool *member)
{
	for (int i = 0; i < indices->count; i++) {
		const sw_family *f = &indices->family[i];
		assert_true(f->first >= 0 && f->run > 0 && f->run <= f->step && f->count > 0);
	}
	for (int64_t i = 0; i < INDICES; i++)
		assert_int_equal(sw_indices_has(indices, i), member[i]);
	assert_int_equal(sw_indices_size(indices), count_of(member, INDICES));
}

static void sets_are_those_of_all_indices(void **state)
{
	(void)state;
	draw random = draw_start("families");
	bool both[INDICES], left[INDICES], all[INDICES];

	for (int n = 0; n < SETS; n++) {
		sw_arena_clear(arena);
		sw_indices a = draw_indices(&random, INDICES), b = draw_indices(&random, INDICES), made;
		for (int64_t i = 0; i < INDICES; i++) {
			bool in_a = sw_indices_has(&a, i), in_b = sw_indices_has(&b, i);
			both[i] = in_a && in_b;
			left[i] = in_a && !in_b;
			all[i] = in_a || in_b;
		}
		assert_true(sw_indices_meet(&a, &b, arena, &made));
		is_set(&made, both);
		assert_true(sw_indices_minus(&a, &b, arena, &made));
		is_set(&made, left);
		assert_true(sw_indices_union(&a, &b, arena, &made));
		is_set(&made, all);
		assert_int_equal(sw_indices_equal(&a, &b), memcmp(both, all, sizeof all) == 0);
		assert_true(sw_indices_equal(&made, &made));
	}
}

/* As it is in order, the set that has these members is as that made of single indices. */
static void one_text_for_a_set(const sw_indices *made, const bool *member)
{
	sw_family single[INDICES];
	sw_indices ordered[2];
	int count = 0;

	for (int64_t i = 0; i < INDICES; i++)
		if (member[i])
			single[count++] = (sw_family){i, 1, 1, 1};
	assert_true(sw_indices_in_order(made->family, made->count, INDICES, arena, &ordered[0]));
	assert_true(sw_indices_in_order(single, count, INDICES, arena, &ordered[1]));
	is_set(&ordered[0], member);
	assert_int_equal(ordered[0].count, ordered[1].count);
	for (int i = 0; i < ordered[0].count; i++)
		assert_memory_equal(&ordered[0].family[i], &ordered[1].family[i], sizeof *single);
}

static void sets_are_made_of_any_families(void **state)
{
	(void)state;
	draw random = draw_start("any families");
	bool all[INDICES];

	for (int n = 0; n < SETS; n++) {
		sw_family family[2 * DRAW_FAMILIES];
		sw_indices made, again;
		int count = 0;
		sw_arena_clear(arena);
		memset(all, 0, sizeof all);
		for (int part = 0; part < 2; part++) {
			sw_indices some = draw_indices(&random, INDICES);
			for (int64_t i = 0; i < INDICES; i++)
				all[i] |= sw_indices_has(&some, i);
			for (int i = 0; i < some.count && count < 2 * DRAW_FAMILIES; i++)
				family[count++] = some.family[i];
		}
		assert_true(sw_indices_of(family, count, arena, &made));
		for (int64_t i = 0; i < INDICES; i++)
			all[i] = false;
		for (int k = 0; k < count; k++)
			for (int64_t i = 0; i < INDICES; i++)
				all[i] |= sw_indices_has(&(sw_indices){1, &family[k]}, i);
		is_set(&made, all);
		assert_true(sw_indices_of(made.family, made.count, arena, &again) && sw_indices_equal(&made, &again));
		one_text_for_a_set(&made, all);
	}
}

static void sets_are_moved(void **state)
{
	(void)state;
	draw random = draw_start("moved");
	bool moved[INDICES];

	for (int n = 0; n < SETS; n++) {
		sw_arena_clear(arena);
		sw_indices a = draw_indices(&random, INDICES), made;
		int64_t by = draw_below(&random, 5 * INDICES) - 2 * INDICES;
		bool wrap = n % 2;
		memset(moved, 0, sizeof moved);
		for (int64_t i = 0; i < INDICES; i++) {
			int64_t to = wrap ? ((i + by) % INDICES + INDICES) % INDICES : i + by;
			if (to >= 0 && to < INDICES)
				moved[to] = sw_indices_has(&a, i);
		}
		assert_true(sw_indices_shift(&a, by, INDICES, wrap, arena, &made));
		is_set(&made, moved);
	}
}

static void sets_are_cut_out(void **state)
{
	(void)state;
	draw random = draw_start("slices");
	bool place[INDICES];

	for (int n = 0; n < SETS; n++) {
		sw_arena_clear(arena);
		sw_indices a = draw_indices(&random, INDICES), made;
		int64_t first = draw_below(&random, INDICES), most = INDICES - first, step = 1 + draw_below(&random, 5);
		int64_t count = 1 + draw_below(&random, (int)((most - 1) / step + 1));
		sw_family slice = n % 2 ? (sw_family){first, most, most, 1} :
								  (sw_family){first, 1, count > 1 ? step : 1, count};
		step = n % 2 ? 1 : step;
		count = n % 2 ? most : count;
		for (int64_t i = 0; i < INDICES; i++)
			place[i] = i < count && sw_indices_has(&a, first + i * step);
		assert_true(sw_indices_places(&a, &slice, arena, &made));
		is_set(&made, place);
	}
}

/* Families whose steps have few factors in common. */
static void families_that_seldom_meet(void **state)
{
	(void)state;
	draw random = draw_start("seldom");
	enum { LONG = 4000 };

	for (int n = 0; n < SETS; n++) {
		sw_arena_clear(arena);
		sw_family one[2];
		sw_indices made;
		for (int k = 0; k < 2; k++) {
			int64_t run = 1 + draw_below(&random, 12), step = run + 1 + draw_below(&random, 90);
			one[k] = (sw_family){draw_below(&random, 200), run, step, 2 + draw_below(&random, 38)};
		}
		assert_true(sw_indices_meet(&(sw_indices){1, &one[0]}, &(sw_indices){1, &one[1]}, arena, &made));
		int64_t common = 0;
		for (int64_t i = 0; i < LONG + 200; i++) {
			bool in = sw_indices_has(&(sw_indices){1, &one[0]}, i) && sw_indices_has(&(sw_indices){1, &one[1]}, i);
			assert_int_equal(sw_indices_has(&made, i), in);
			common += in;
		}
		assert_int_equal(sw_indices_size(&made), common);
	}
}

static void large_families_are_not_counted_out(void **state)
{
	(void)state;
	const int64_t big = (int64_t)1 << 40;
	sw_family even = {0, 1, 2, big}, third = {0, 1, 3, big}, half = {0, big, big, 1};
	sw_indices a = {1, &even}, b = {1, &third}, c = {1, &half}, made;
	sw_text text = {0};

	assert_true(sw_indices_meet(&a, &b, arena, &made));
	assert_int_equal(made.count, 1);
	assert_int_equal(made.family->step, 6);
	assert_int_equal(sw_indices_size(&made), (big * 2 - 1) / 6 + 1);
	assert_true(sw_indices_minus(&a, &c, arena, &made));
	assert_int_equal(sw_indices_size(&made), big / 2);
	sw_indices_print(&made, &text);
	assert_string_equal(sw_text_get(&text),
		"1099511627776:1099511627777 1099511627778:1099511627779 .. 2199023255550:2199023255551");
	sw_text_free(&text);
}

/* 2^60 indices, steps of 30 bits without a common factor but few. */
static void large_families_meet_in_few_steps(void **state)
{
	(void)state;
	const int64_t a_step = 1000003 * (int64_t)1024, b_step = 999983 * (int64_t)1024;
	sw_family one = {7, 300, a_step, (int64_t)1 << 30}, other = {2048 * 500000 + 100, 200, b_step, (int64_t)1 << 30};
	sw_indices a = {1, &one}, b = {1, &other}, made;

	assert_true(sw_indices_meet(&a, &b, arena, &made));
	assert_in_range(made.count, 1, 2);
	for (int i = 0; i < made.count; i++) {
		const sw_family *f = &made.family[i];
		assert_true(f->count == 1 || f->step == a_step / 1024 * b_step);
		int64_t ends[] = {f->first, f->first + f->run - 1, f->first + (f->count - 1) * f->step};
		for (int k = 0; k < 3; k++)
			assert_true(sw_indices_has(&a, ends[k]) && sw_indices_has(&b, ends[k]));
		assert_false(sw_indices_has(&a, f->first - 1) && sw_indices_has(&b, f->first - 1));
	}
}

/* ---- elements of an array ---- */

enum { RANK = 3, SIDE = 7 };

static sw_region draw_region(draw *random)
{
	sw_region all = {RANK, 0, NULL};

	for (int n = 1 + draw_below(random, 3); n > 0; n--) {
		sw_indices *set = SW_NEW(arena, sw_indices, RANK);
		bool empty = false;
		for (int dim = 0; dim < RANK; dim++) {
			set[dim] = draw_indices(random, SIDE);
			empty |= set[dim].count == 0;
		}
		assert_true(sw_region_union(&all, &(sw_region){RANK, !empty, set}, arena, &all));
	}
	return all;
}

static void element(int number, int64_t *index)
{
	for (int dim = RANK - 1; dim >= 0; dim--) {
		index[dim] = number % SIDE;
		number /= SIDE;
	}
}

static void regions_are_those_of_all_elements(void **state)
{
	(void)state;
	draw random = draw_start("regions");

	for (int n = 0; n < REGIONS; n++) {
		sw_arena_clear(arena);
		sw_region a = draw_region(&random), b = draw_region(&random), both, left, all, again;
		int64_t met = 0, parted = 0, joined = 0, index[RANK];
		assert_true(sw_region_meet(&a, &b, arena, &both) && sw_region_minus(&a, &b, arena, &left) &&
			sw_region_union(&a, &b, arena, &all));
		for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
			element(i, index);
			bool in_a = sw_region_has(&a, index), in_b = sw_region_has(&b, index);
			assert_int_equal(sw_region_has(&both, index), in_a && in_b);
			assert_int_equal(sw_region_has(&left, index), in_a && !in_b);
			assert_int_equal(sw_region_has(&all, index), in_a || in_b);
			met += in_a && in_b;
			parted += in_a && !in_b;
			joined += in_a || in_b;
		}
		assert_int_equal(sw_region_size(&both), met);
		assert_int_equal(sw_region_size(&left), parted);
		assert_int_equal(sw_region_size(&all), joined);
		assert_true(sw_region_union(&left, &b, arena, &again));
		assert_true(sw_region_equal(&again, &all));
		assert_int_equal(sw_region_equal(&a, &b), met == joined);
	}
}

/* ---- holdings ---- */

/* One type by digits, by offsets, by regions and by a rule. */
enum { FORMS = 4 };

static bool region_of_holding(const void *of, int64_t device, sw_arena *into, sw_region *region)
{
	return sw_holding_region(of, device, into, region);
}

static void hold_by_rule(const sw_holding *like, sw_holding *holding)
{
	sw_holding_rule *rule = SW_NEW_ZERO(arena, sw_holding_rule, 1);

	rule->region = region_of_holding;
	rule->of = like;
	sw_holding_of_rule(like->devices, like->rank, like->global, rule, holding);
}

static void hold(const sw_mesh *mesh, const sw_type *type, sw_holding form[FORMS])
{
	int64_t *offset = SW_NEW(arena, int64_t, mesh->devices * type->rank);
	sw_region *region = SW_NEW(arena, sw_region, mesh->devices);

	assert_true(sw_holding_of_type(mesh, type, NULL, NULL, &form[0]));
	for (int64_t d = 0; d < mesh->devices; d++) {
		sw_type_offset(mesh, type, d, offset + d * type->rank);
		assert_true(sw_holding_region(&form[0], d, arena, &region[d]));
	}
	sw_holding_of_offsets(mesh->devices, type, type->tile, offset, &form[1]);
	sw_holding_of_regions(mesh->devices, type, 1, region, NULL, &form[2]);
	hold_by_rule(&form[0], &form[3]);
}

static void forms_agree(const sw_holding *a, const sw_holding *b, const sw_type *type, const sw_mesh *mesh)
{
	int64_t one[SW_MAX_DIMS], other[SW_MAX_DIMS];

	assert_true(sw_holding_equal(a, b));
	for (int64_t d = 0; d < a->devices; d++) {
		int64_t e = a->devices - 1 - d, common = 1;
		sw_type_offset(mesh, type, d, one);
		sw_type_offset(mesh, type, e, other);
		for (int dim = 0; dim < type->rank; dim++)
			common *= one[dim] == other[dim] ? type->tile[dim] : 0;
		assert_int_equal(sw_holding_size(b, d), sw_type_localsize(type));
		assert_int_equal(sw_holding_meets(a, d, b, e), common);
		assert_int_equal(sw_holding_within(a, d, b, e), common == sw_type_localsize(type));
		assert_true(sw_holding_has(b, d, one));
		assert_int_equal(sw_holding_has(b, e, one), common > 0);
	}
}

static void forms_of_a_type_agree(void **state)
{
	(void)state;
	draw random = draw_start("holdings");

	for (int n = 0; n < TYPES; n++) {
		sw_arena_clear(arena);
		sw_mesh mesh = {0};
		sw_type type;
		sw_holding form[FORMS];
		for (int axis = 0; axis < 3; axis++)
			add_axis(&mesh, axis, 1 + draw_below(&random, 4));
		int64_t global[2] = {144, 288};
		assert_true(sw_type_replicated(SW_F32, 2, global, &type, NULL));
		draw_parts(&random, &mesh, &type);
		hold(&mesh, &type, form);
		for (int a = 0; a < FORMS; a++)
			for (int b = 0; b < FORMS; b++)
				forms_agree(&form[a], &form[b], &type, &mesh);
	}
}

static void terms_are_those_of_the_type(void **state)
{
	(void)state;
	static const char *const texts[] = {"[3{x}12, 8]+{y}", "[12, {x:(1)2}8]+{x:(2)2,y}", "[12, 8]", "[]+{x,y}"};
	sw_mesh mesh = mesh_of("{x: 4, y: 6}");

	for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
		sw_type type = type_of(&mesh, texts[n]);
		sw_holding holding;
		sw_family family;
		assert_true(sw_holding_of_type(&mesh, &type, NULL, arena, &holding));
		assert_int_equal(holding.terms, sw_type_terms(&type));
		for (int64_t d = 0; d < mesh.devices; d++) {
			sw_indices summed = sw_holding_summed(&holding, d, &family);
			assert_int_equal(sw_indices_size(&summed), 1);
			assert_int_equal(summed.family->first, sw_type_term(&mesh, &type, d));
		}
	}
}

static void an_order_says_which_slot_a_device_has(void **state)
{
	(void)state;
	static const int64_t order[] = {2, 0, 3, 1};
	sw_mesh mesh = mesh_of("{x: 4}");
	sw_type type = type_of(&mesh, "[2{x}8, 3]");
	sw_holding plain, ordered;
	sw_text text = {0};

	assert_true(sw_holding_of_type(&mesh, &type, NULL, NULL, &plain));
	assert_true(sw_holding_of_type(&mesh, &type, order, arena, &ordered));
	assert_false(sw_holding_equal(&plain, &ordered));
	for (int64_t slot = 0; slot < 4; slot++)
		assert_true(sw_holding_within(&plain, slot, &ordered, order[slot]));
	sw_holding_print(&ordered, 3, &text);
	assert_string_equal(sw_text_get(&text), "[4:6, 0:3]");
	sw_text_free(&text);
}

static bool is_even(const void *of, int64_t device)
{
	(void)of;
	return device % 2 == 0;
}

static bool has_nothing(const void *of, int64_t device, sw_arena *into, sw_region *region)
{
	(void)device;
	(void)into;
	*region = (sw_region){.rank = *(const int *)of};
	return true;
}

static void undefined_is_not_empty(void **state)
{
	(void)state;
	const int64_t global[] = {8, 3}, index[] = {0, 0};
	const int rank = 2;
	const sw_holding_rule rules[] = {{has_nothing, NULL, &rank, NULL}, {has_nothing, is_even, &rank, NULL}};
	sw_holding empty, even;
	sw_region region;
	sw_text text = {0};

	sw_holding_of_rule(4, rank, global, &rules[0], &empty);
	sw_holding_of_rule(4, rank, global, &rules[1], &even);
	assert_true(sw_holding_equal(&empty, &empty) && sw_holding_equal(&even, &even));
	assert_false(sw_holding_equal(&empty, &even));
	for (int64_t d = 0; d < 4; d++) {
		assert_true(sw_holding_defined(&empty, d));
		assert_int_equal(sw_holding_defined(&even, d), d % 2 == 0);
		assert_int_equal(sw_holding_size(&even, d), 0);
		assert_true(sw_holding_region(&even, d, arena, &region));
		assert_int_equal(region.count, 0);
		assert_false(sw_holding_has(&even, d, index));
	}
	sw_holding_print(&even, 0, &text);
	sw_text_add(&text, ", ");
	sw_holding_print(&even, 1, &text);
	assert_string_equal(sw_text_get(&text), "nothing, undefined");
	sw_text_free(&text);
}

static void what_is_printed(void **state)
{
	(void)state;
	static const struct {
		const char *type;
		int64_t device;
		const char *printed;
	} rows[] = {
		{"[3{x}12, 8]+{y}", 7, "[3:6, 0:8] of terms 1:2"},
		{"[12, 8]", 0, "[0:12, 0:8]"},
		{"[]", 5, "[]"},
	};
	sw_mesh mesh = mesh_of("{x: 4, y: 6}");

	for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
		sw_type type = type_of(&mesh, rows[n].type);
		sw_holding holding;
		sw_text text = {0};
		assert_true(sw_holding_of_type(&mesh, &type, NULL, NULL, &holding));
		sw_holding_print(&holding, rows[n].device, &text);
		assert_string_equal(sw_text_get(&text), rows[n].printed);
		sw_text_free(&text);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(sets_are_those_of_all_indices),
		TEST(sets_are_made_of_any_families),
		TEST(sets_are_moved),
		TEST(sets_are_cut_out),
		TEST(families_that_seldom_meet),
		TEST(large_families_are_not_counted_out),
		TEST(large_families_meet_in_few_steps),
		TEST(regions_are_those_of_all_elements),
		TEST(forms_of_a_type_agree),
		TEST(terms_are_those_of_the_type),
		TEST(an_order_says_which_slot_a_device_has),
		TEST(undefined_is_not_empty),
		TEST(what_is_printed),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
