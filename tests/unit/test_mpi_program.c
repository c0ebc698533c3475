/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of exported MPI programs (engine/emit/mpi/), around the tables of a plan of all five operations on two devices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/two_ranks.h"

/* [4, 2] over {x: 2}: whole, rows cut, columns cut, the same in another order of devices, rows cut, whole. */
#define DEVICES 2
#define DIMS 2
#define STEPS 5
#define ELEMENT 4

#include "emit/mpi/digit.c.in"

static const long long global_size[DIMS] = {4, 2};
static const long long tile[STEPS + 1][DIMS] = {{4, 2}, {2, 2}, {4, 1}, {4, 1}, {2, 2}, {4, 2}};
static const struct digit digits[STEPS + 1][DIMS][2] = {
	{{{0, 0, 0}}, {{0, 0, 0}}},
	{{{1, 2, 2}, {0, 0, 0}}, {{0, 0, 0}}},
	{{{0, 0, 0}}, {{1, 2, 1}, {0, 0, 0}}},
	{{{0, 0, 0}}, {{0, 0, 0}}},
	{{{1, 2, 2}, {0, 0, 0}}, {{0, 0, 0}}},
	{{{0, 0, 0}}, {{0, 0, 0}}},
};
static const long long start_3[DEVICES * DIMS] = {0, 1, 0, 0};
static const long long *const starts[STEPS + 1] = {NULL, NULL, NULL, start_3, NULL, NULL};

static const int group_size[STEPS] = {0, 2, 0, 0, 2}, grouped[STEPS] = {0, 2, 0, 0, 2};
static const struct digit group_digits[STEPS][2] = {{{0, 0, 0}}, {{1, 2, 1}}, {{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}};
static const int group_5[2] = {0, 1};
static const int *const group_list[STEPS] = {NULL, NULL, NULL, NULL, group_5};
static const struct digit source_digits[STEPS][1] = {{{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}};
static const int source_3[2] = {1, 0};
static const int *const source_list[STEPS] = {NULL, NULL, source_3, NULL, NULL};
static const int first_4[3] = {0, 2, 4}, sender_4[4] = {0, 1, 1, 0};
static const int *const sender_first[STEPS] = {NULL, NULL, NULL, first_4, NULL};
static const int *const sender_list[STEPS] = {NULL, NULL, NULL, sender_4, NULL};

static int me;
static MPI_Datatype element;

#include "emit/mpi/calls.c.in"
#include "emit/mpi/steps.c.in"

static const struct step steps[STEPS + 1] = {{"slice", run_slice}, {"alltoall", run_alltoall},
	{"permute", run_permute}, {"exchange", run_exchange}, {"gather", run_gather}, {NULL, NULL}};

/* The global index of element n of the tile of a device. */
static long long global_index(int stage, int device, long long n)
{
	long long start[DIMS], index = 0, weight = 1;

	tile_start(stage, device, start);
	for (int i = DIMS - 1; i >= 0; i--) {
		index += (start[i] + n % tile[stage][i]) * weight;
		weight *= global_size[i];
		n /= tile[stage][i];
	}
	return index;
}

/* What that element is. */
static uint32_t element_at(int stage, int device, long long n)
{
	return (uint32_t)(global_index(stage, device, n) + 1) * 0x9e3779b9u;
}

static void fill(char *now)
{
	for (long long n = 0; n < elements(tile[0]); n++) {
		uint32_t one = element_at(0, me, n);

		memcpy(now + n * ELEMENT, &one, ELEMENT);
	}
}

#define TILE (4 * 2 * ELEMENT)

/* The tiles of both ranks from step to step; everything that is received is right after the second turn. */
static void every_step_is_right(void **state)
{
	char now[2][TILE], next[2][TILE];
	(void)state;
	element = ELEMENT;
	for (me = 0; me < 2; me++)
		fill(now[me]);
	for (int k = 0; k < STEPS; k++) {
		memset(ranks.bytes, 0, sizeof(ranks.bytes));
		memset(next, 0, sizeof(next));
		for (int turn = 0; turn < 4; turn++) {
			ranks.me = me = turn % 2;
			prepare_groups();
			steps[k].run(k, now[me], next[me]);
			end_groups();
		}
		memcpy(now, next, sizeof(now));
		for (me = 0; me < 2; me++)
			for (long long n = 0; n < elements(tile[k + 1]); n++) {
				uint32_t expected = element_at(k + 1, me, n);

				if (memcmp(now[me] + n * ELEMENT, &expected, ELEMENT) != 0)
					fail_msg("%s: rank %d, element %lld", steps[k].words, me, n);
			}
	}
}

static void who_sends_is_listed(void **state)
{
	(void)state;
	assert_true(takes(3, 0, 0) && takes(3, 0, 1) && takes(3, 1, 0));
	assert_true(takes(0, 1, 0)); /* not listed: from everyone */
	assert_int_equal(source_of(2, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_step_is_right),
		cmocka_unit_test(who_sends_is_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
