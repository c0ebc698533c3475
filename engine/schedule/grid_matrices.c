/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices over three axes, and what nobody can receive less than.
 */
#include <assert.h>
#include <math.h>

#include <shardwalk/choice.h>

#include "base/room.h"

static void place(sw_scheme_array *array, int dim, const int *axis, int axes)
{
	for (int n = 0; n < axes; n++) {
		array->home.place[axis[n]] = (sw_distal_place){.dim = dim, .at = -1};
		SW_ROOM(array->home.cut, array->home.cuts);
		array->home.cut[array->home.cuts++] = axis[n];
	}
}

void sw_matrices_scheme(int64_t m, int64_t n, int64_t k, sw_scheme *scheme)
{
	enum { I, J, K };
	static const int letter[3][2] = {{I, J}, {I, K}, {K, J}}; /* which are also the axes that cut them first */
	static const int other[3] = {K, J, I};

	*scheme = (sw_scheme){.letters = 3,
		.size = {m, n, k},
		.axes = 3,
		.extent = {1, 1, 1},
		.spaces = 3,
		.space = {I, J, K},
		.time = -1,
		.steps = 1,
		.arrays = 3};
	for (int array = 0; array < 3; array++) {
		const int first[2] = {letter[array][0], other[array]};

		scheme->array[array] = (sw_scheme_array){.rank = 2,
			.letter = {letter[array][0], letter[array][1]},
			.stepwise = array > 0,
			.home = {.rank = 2, .axes = 3}};
		place(&scheme->array[array], 0, first, 2);
		place(&scheme->array[array], 1, &letter[array][1], 1);
	}
}

void sw_matrices_bound(int64_t m, int64_t n, int64_t k, int64_t processors, int64_t memory, sw_received_bound *bound)
{
	double p = (double)processors, points = (double)m * (double)n * (double)k;
	double arrays = (double)m * (double)n + (double)m * (double)k + (double)n * (double)k;
	double alone = 3 * pow(points / p, 2.0 / 3.0) - arrays / p;
	double with = memory == SW_NO_BOUND || memory < 1 ? 0 :
														2 * points / (p * sqrt((double)memory)) - 2 * (double)memory;

	*bound = (sw_received_bound){fmax(fmax(alone, with), 0), "Al Daas and others 2022"};
	if (with > alone)
		bound->source = "Smith and others 2019";
}
