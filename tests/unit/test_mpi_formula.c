/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What exported programs store, send and compute by formulas (engine/emit/mpi/), around the tables of one on two devices: y[i] = x[i-1] +
 * f(x[i], z[:]), where x lies in turns and y in blocks, and each device has what it needs of x after an exchange.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/two_ranks.h"

#define DEVICES 2
#define DIMS 1
#define VALUES 4
#define LETTERS 1
#define ARRAYS 3
#define WHOLE(x) (x)

typedef int64_t value;
typedef uint64_t number;

#include "emit/mpi/digit.c.in"

enum { X, USED, Z, Y };

struct held {
	long long size[DIMS];
	const long long *sizes;
	const struct move *pieces;
};

struct operation {
	int operand[2], result;
	const struct move *moves;
	const struct formula *formula;
};

static const struct operation operations[2];
static const struct held values[VALUES];
static value *held[VALUES], *whole[VALUES];
static int me;
static const MPI_Datatype element = sizeof(value);

/* x[0 2 4], x[1 3 5]; x[0-2], x[2-5]; all of z on both; y[0-2], y[3-5]. */
static const struct loop loops[] = {{3, 2, 1}, {0, 0, 0}, {3, 1, 1}, {0, 0, 0}, {4, 1, 1}, {0, 0, 0}, {2, 1, 1},
	{0, 0, 0}, {2, 1, 2}, {0, 0, 0}, {0, 0, 0}};

static long long count_of(int v, int device)
{
	return values[v].sizes[device];
}

static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes + 1);
	assert_non_null(memory);
	return memory;
}

static value *array(long long count)
{
	return allocate((size_t)count * sizeof(value));
}

static long long elements(const long long size[DIMS])
{
	return size[0];
}

#include "emit/mpi/calls_stored.c.in"
#include "emit/mpi/stored.c.in"

static void find_index(int v, int device, long long n, long long index[DIMS])
{
	index[0] = numbers_of(v, device)[n];
}

static long long find_place(int v, const long long index[DIMS])
{
	assert_in_range(index[0], 0, values[v].size[0] - 1);
	return index[0];
}

#include "emit/mpi/formulas.c.in"

static const long long turns[] = {3, 3}, used[] = {3, 4}, all[] = {2, 2}, blocks[] = {3, 3};
static const struct move in_turns[] = {{-1, 0, 0, 0, 0}, {-1, 1, 1, 0, 0}, {-1, -1, 0, 0, 0}};
static const struct move as_used[] = {{-1, 0, 0, 0, 2}, {-1, 1, 2, 0, 4}, {-1, -1, 0, 0, 0}};
static const struct move on_all[] = {{-1, 0, 0, 0, 6}, {-1, 1, 0, 0, 6}, {-1, -1, 0, 0, 0}};
static const struct move in_blocks[] = {{-1, 0, 0, 0, 2}, {-1, 1, 3, 0, 2}, {-1, -1, 0, 0, 0}};

/* Device 0 gets x[0 2] and x[1], device 1 x[2 4] and x[3 5]. */
static const struct move moves[] = {{0, 0, 0, 0, 8}, {1, 0, 0, 1, 10}, {0, 1, 1, 0, 8}, {1, 1, 1, 1, 8},
	{-1, -1, 0, 0, 0}};

static const struct held values[VALUES] = {
	[X] = {{6}, turns, in_turns},
	[USED] = {{6}, used, as_used},
	[Z] = {{2}, all, on_all},
	[Y] = {{6}, blocks, in_blocks},
};

static value sum(const struct found *array, const long long *letter)
{
	const long long i = letter[0];
	return plus(get(&array[1], INDEX(i - 1), 0),
		function(2,
			(const value[]){get(&array[1], INDEX(i), 0),
				many(&array[2], (const struct reach[DIMS]){{.whole = 1}}, 0)}));
}

static const struct term terms[] = {{sum, 0}, {NULL, 0}};
static const struct family families[] = {{0, 3, 3, 1}, {0, 0, 0, 0}, {3, 1, 1, 3}, {0, 0, 0, 0}, {0, 6, 6, 1},
	{0, 0, 0, 0}};
static const struct points points[] = {{0, 0, {0}}, {1, 0, {2}}, {2, 0, {4}}, {-1, 0, {0}}};
static const struct formula formula = {3, 1, 0, 1, {Y, USED, Z}, 1, {0}, families, points, terms};
static const struct operation operations[2] = {
	{.operand = {X}, .result = USED, .moves = moves},
	{.operand = {USED, Z}, .result = Y, .formula = &formula},
};

static value element_of(int v, long long index)
{
	return v == Z ? index + 100 : (index + 1) * (index + 3);
}

static value right_at(long long i)
{
	return (i > 0 ? element_of(X, i - 1) : 0) + element_of(X, i) + 3 * (element_of(Z, 0) + 3 * element_of(Z, 1));
}

static void fill(int v, value *here)
{
	for (long long n = 0; n < count_of(v, me); n++)
		here[n] = element_of(v, numbers_of(v, me)[n]);
}

/* Where this rank has places is looked up once in a program, which is one rank: so is each test here. */
static void runs_as(int rank)
{
	static value memory[2][VALUES][6];

	for (int turn = 0; turn < 4; turn++) {
		ranks.me = me = turn % 2;
		for (int v = 0; v < VALUES; v++)
			held[v] = memory[me][v];
		fill(X, held[X]);
		fill(Z, held[Z]);
		run_stored(0);
	}
	ranks.me = me = rank;
	for (int v = 0; v < VALUES; v++)
		held[v] = memory[me][v];
	for (long long n = 0; n < count_of(USED, me); n++)
		assert_int_equal(held[USED][n], element_of(X, numbers_of(USED, me)[n]));
	run_formula(1);
	for (long long n = 0; n < 3; n++)
		assert_int_equal(held[Y][n], right_at(3 * me + n));
}

static void stored_is_sent_and_computed(void **state)
{
	(void)state;
	runs_as(1);
}

static void whole_arrays_are_the_same(void **state)
{
	value x[6], z[2];
	(void)state;
	for (int i = 0; i < 6; i++)
		x[i] = element_of(X, i);
	for (int i = 0; i < 2; i++)
		z[i] = element_of(Z, i);
	whole[USED] = x;
	whole[Z] = z;
	whole_formula(1);
	for (int i = 0; i < 6; i++)
		assert_int_equal(whole[Y][i], right_at(i));
	free(whole[Y]);
}

static void numbers_are_rounded_down(void **state)
{
	(void)state;
	assert_int_equal(floor_div(7, 2), 3);
	assert_int_equal(floor_div(-1, 2), -1);
	assert_int_equal(floor_div(-4, 2), -2);
	assert_int_equal(inside(-1, 6, 1), 5);
	assert_int_equal(inside(13, 6, 1), 1);
	assert_int_equal(inside(-1, 6, 0), -1);
	assert_int_equal(negative(times(2, 3)), -6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_is_sent_and_computed),
		cmocka_unit_test(whole_arrays_are_the_same),
		cmocka_unit_test(numbers_are_rounded_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
