/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of three arrays, two of them first, beside the same formula point by point.
 */
#include <shardwalk/arena.h>

#include "kit.h"
#include "program/formula_run.h"
#include "schedule/leaf.h"

enum { ARRAYS = 4, MOST = 1 << 16 };

typedef struct chain_case {
	const char *name;
	bool chained;
	double operations; /* of all points, where it is chained */
} chain_case;

/* Sizes: i 9, j 7, k 11, l 5. */
static const chain_case cases[] = {
	{"A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", true, 2 * (9 * 7 * 5 * 11) + 2 * (9 * 7 * 5)},
	{"A(l,i) = B(k,i,j) * C(l,j) * D(l,k)", true, 2 * (9 * 7 * 5 * 11) + 2 * (9 * 7 * 5)},
	{"A(i,l) = D(k,l) * C(j,l) * B(i,j,k)", true, 2 * (9 * 7 * 5 * 11) + 2 * (9 * 7 * 5)},
	{"A(i,l) = B(i,j) * C(j,k) * D(k,l)", true, 2 * (7 * 11 * 5) + 2 * (9 * 7 * 5)},
	{"a = b(k) * c(k) * d(i)", true, 2 * 11 + 2 * 9},
	{"A(i,j) = B(i,j) * c(i) * d(j)", false, 0},
	{"A(i,j) = B(i,k) * C(k,j)", false, 0},
	{"A(i,j) = B(i,k+1) * C(k,j) * d(k)", false, 0},
	{"A(i,l) = B(i,k) * B(i,k) * D(k,l)", false, 0},
};

static int64_t size_of(char letter)
{
	static const int64_t size[] = {9, 7, 11, 5};

	assert_true(letter >= 'i' && letter <= 'l');
	return size[letter - 'i'];
}

static void fit(sw_formula *formula)
{
	sw_diag diag;

	for (int n = 0; n < formula->accesses; n++) {
		const sw_formula_access *access = &formula->access[n];
		int64_t size[SW_MAX_DIMS] = {0};
		for (int d = 0; d < formula->array[access->array].rank; d++)
			size[d] = size_of(access->index[d].letter) + 8; /* more than the points, so that boxes are parts */
		assert_true(sw_formula_set_array(formula, access->array, formula->array[access->array].rank, size, &diag));
	}
	assert_true(sw_formula_fit(formula, &diag));
}

/* Points: from the second value of each letter on. */
static void points_of(const sw_formula *formula, sw_arena *arena, sw_region *points)
{
	sw_indices *set = SW_NEW(arena, sw_indices, formula->letters);
	sw_family *family = SW_NEW(arena, sw_family, formula->letters);

	assert_true(set != NULL && family != NULL);
	for (int l = 0; l < formula->letters; l++)
		set[l] = sw_indices_range(1, 1 + size_of(formula->letter[l]), &family[l]);
	*points = (sw_region){formula->letters, 1, set};
}

static void fill(sw_dtype dtype, void *array)
{
	for (int64_t at = 0; at < MOST; at++)
		sw_element_set(dtype, array, at, (at * 7 + at / 5) % 11 - 5);
}

static void store(const sw_formula *formula, sw_dtype dtype, sw_arena *arena, sw_stored *array)
{
	for (int n = 0; n < formula->arrays; n++) {
		sw_local *local = SW_NEW(arena, sw_local, 1);
		void *data = SW_NEW(arena, int64_t, MOST);
		assert_true(local != NULL && data != NULL);
		assert_true(sw_local_whole(formula->array[n].rank, formula->array[n].size, arena, local));
		fill(dtype, data);
		array[n] = (sw_stored){data, local};
	}
}

static void check(const chain_case *is, sw_dtype dtype, sw_arena *arena)
{
	sw_formula formula;
	sw_stored array[ARRAYS];
	sw_region points;
	sw_diag diag;
	void *found = SW_NEW_ZERO(arena, int64_t, MOST), *expected = SW_NEW_ZERO(arena, int64_t, MOST);

	assert_true(found != NULL && expected != NULL);
	assert_true(sw_formula_parse(sw_str_of(is->name), NULL, arena, &formula, &diag));
	fit(&formula);
	points_of(&formula, arena, &points);
	store(&formula, dtype, arena, array);
	const sw_formula_work work = {&formula, dtype, array, found}, plain = {&formula, dtype, array, expected};
	assert_int_equal(sw_leaf_chain(&work, &points, &sw_plain_multiplier), is->chained);
	if (is->chained) {
		assert_true(sw_leaf_chain(&work, &points, &sw_plain_multiplier)); /* it is added */
		assert_true(sw_formula_run(&plain, &points, arena) && sw_formula_run(&plain, &points, arena));
		assert_int_equal((int64_t)sw_leaf_operations(&formula, &points), (int64_t)is->operations);
	}
	assert_memory_equal(found, expected, MOST * sizeof(int64_t));
}

static void it_adds_what_points_add(void **state)
{
	static const sw_dtype dtypes[] = {SW_F32, SW_F64, SW_I32, SW_I64};
	const chain_case *is = *state;

	for (size_t n = 0; n < COUNT(dtypes); n++) {
		sw_arena *arena = sw_arena_new();
		check(is, dtypes[n], arena);
		sw_arena_free(arena);
	}
}

static void elements_are_those_that_points_touch(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_formula formula;
	sw_region points;
	sw_diag diag;
	(void)state;

	assert_true(sw_formula_parse(sw_str_of("A(i,l) = B(i,j,k) * C(j,l) * D(k,l)"), NULL, arena, &formula, &diag));
	fit(&formula);
	points_of(&formula, arena, &points);
	assert_int_equal((int64_t)sw_leaf_elements(&formula, &points), 9 * 5 + 9 * 7 * 11 + 7 * 5 + 11 * 5);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(it_adds_what_points_add, cases, name),
		TEST(elements_are_those_that_points_touch),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
