/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of boxes and indexes over them, compared with regions, which say the same in another way.
 */
#include "kit.h"

#include "arena.h"
#include "draw.h"
#include "schedule/lower.h"

enum { LISTS = 2000, SIZE = 12 };

static draw source;

static void draw_box(int rank, int64_t *box)
{
	for (int d = 0; d < rank; d++) {
		box[2 * d] = draw_below(&source, SIZE);
		box[2 * d + 1] = box[2 * d] + 1 + draw_below(&source, SIZE);
	}
}

static sw_region region_of(int rank, const int64_t *box)
{
	sw_region region;

	assert_true(sw_lowered_box_region(box, rank, arena, &region));
	return region;
}

static sw_region all_of(const sw_box_list *list)
{
	sw_region all = {list->rank, 0, NULL};

	for (int k = 0; k < list->count; k++) {
		sw_region one = region_of(list->rank, list->at + (int64_t)k * 2 * list->rank);
		assert_true(sw_region_union(&all, &one, arena, &all));
	}
	return all;
}

/* What is left of a box after others are taken from it is the same set, and no element is in two boxes. */
static void what_is_taken_from_boxes_is_taken_from_regions(void **state)
{
	(void)state;
	for (int n = 0; n < LISTS; n++) {
		int rank = 1 + draw_below(&source, 3), times = draw_below(&source, 6);
		int64_t box[2 * SW_MAX_DIMS];
		sw_box_list list = {.arena = arena, .rank = rank};
		draw_box(rank, box);
		assert_true(sw_box_list_add_copy(&list, box));
		sw_region left = region_of(rank, box);
		for (int k = 0; k < times; k++) {
			draw_box(rank, box);
			sw_region taken = region_of(rank, box);
			assert_true(sw_box_list_minus(&list, box) && sw_region_minus(&left, &taken, arena, &left));
		}
		sw_boxes boxes = {rank, list.count, list.at};
		sw_region all = all_of(&list);
		assert_true(sw_region_equal(&all, &left));
		assert_int_equal(sw_boxes_size(&boxes), sw_region_size(&left));
		sw_arena_clear(arena);
	}
}

static void draw_list(int rank, sw_box_list *list)
{
	int64_t box[2 * SW_MAX_DIMS];

	*list = (sw_box_list){.arena = arena, .rank = rank};
	for (int count = draw_below(&source, 5); count > 0; count--) {
		draw_box(rank, box);
		assert_true(sw_box_list_add_copy(list, box));
	}
}

static void boxes_are_inside_where_regions_are(void **state)
{
	int inside = 0;

	(void)state;
	for (int n = 0; n < LISTS; n++) {
		int rank = 1 + draw_below(&source, 2);
		sw_box_list one, other;
		sw_region rest;
		draw_list(rank, &one);
		draw_list(rank, &other);
		sw_boxes a = {rank, one.count, one.at}, b = {rank, other.count, other.at};
		sw_region in = all_of(&one), out = all_of(&other);
		assert_true(sw_region_minus(&in, &out, arena, &rest));
		assert_int_equal(sw_boxes_inside(&a, &b, arena), sw_region_size(&rest) == 0);
		inside += one.count > 0 && sw_region_size(&rest) == 0;
		sw_arena_clear(arena);
	}
	assert_true(inside > 0);
}

static void pairs_of_boxes_meet_where_regions_do(void **state)
{
	(void)state;
	for (int n = 0; n < LISTS; n++) {
		int rank = 1 + draw_below(&source, 3);
		int64_t a[2 * SW_MAX_DIMS], b[2 * SW_MAX_DIMS], both[2 * SW_MAX_DIMS];
		sw_region common;
		draw_box(rank, a);
		draw_box(rank, b);
		sw_region one = region_of(rank, a), other = region_of(rank, b);
		assert_true(sw_region_meet(&one, &other, arena, &common));
		assert_int_equal(sw_bounds_common(a, b, rank), sw_region_size(&common));
		assert_int_equal(sw_bounds_meet(a, b, rank, both), sw_region_size(&common) > 0);
		if (sw_region_size(&common) > 0) {
			sw_region met = region_of(rank, both);
			assert_true(sw_region_equal(&met, &common));
		}
		sw_arena_clear(arena);
	}
}

/* ---- indexes ---- */

typedef struct visited {
	const sw_box_table *table;
	bool *seen; /* of each box */
} visited;

static bool see(void *user, int64_t unit, const int64_t *box)
{
	visited *v = user;
	int64_t k = (box - v->table->list.at) / (2 * v->table->list.rank);

	assert_true(k >= v->table->first[unit] && k < v->table->first[unit + 1] && !v->seen[k]);
	v->seen[k] = true;
	return true;
}

/* Blocks of one size, of any, or boxes that lie anywhere. */
static void draw_table(int kind, int rank, sw_box_table *table)
{
	int units = 1 + draw_below(&source, 12);
	int64_t box[2 * SW_MAX_DIMS];

	*table = (sw_box_table){.units = units,
		.first = SW_NEW(arena, int32_t, units + 1),
		.list = {.arena = arena, .rank = rank}};
	assert_non_null(table->first);
	for (int unit = 0; unit < units; unit++) {
		table->first[unit] = table->list.count;
		for (int count = draw_below(&source, 3); count > 0; count--) {
			for (int d = 0; d < rank; d++) {
				int64_t at = draw_below(&source, 5), size = kind == 0 ? 4 : 3 + at;
				box[2 * d] = kind == 0 ? at * size : at * 10;
				box[2 * d + 1] = box[2 * d] + size;
			}
			if (kind == 2)
				draw_box(rank, box);
			assert_true(sw_box_list_add_copy(&table->list, box));
		}
	}
	table->first[units] = table->list.count;
}

static void an_index_finds_all_that_meet_a_box_and_no_others(void **state)
{
	(void)state;
	for (int n = 0; n < LISTS; n++) {
		int rank = 1 + draw_below(&source, 3);
		int64_t box[2 * SW_MAX_DIMS];
		sw_box_table table;
		sw_box_index index;
		draw_table(n % 3, rank, &table);
		assert_true(sw_box_index_of(&table, arena, &index));
		draw_box(rank, box);
		if (table.list.count > 0 && draw_below(&source, 2) == 0)
			memcpy(box, table.list.at, 2 * (size_t)rank * sizeof *box);
		visited v = {&table, SW_NEW_ZERO(arena, bool, table.list.count + 1)};
		assert_non_null(v.seen);
		assert_true(sw_box_index_visit(&index, box, see, &v));
		for (int k = 0; k < table.list.count; k++)
			assert_int_equal(v.seen[k], sw_bounds_common(box, table.list.at + (int64_t)k * 2 * rank, rank) > 0);
		sw_arena_clear(arena);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(what_is_taken_from_boxes_is_taken_from_regions),
		TEST(boxes_are_inside_where_regions_are),
		TEST(pairs_of_boxes_meet_where_regions_do),
		TEST(an_index_finds_all_that_meet_a_box_and_no_others),
	};
	source = draw_start("test_schedule_boxes");
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
