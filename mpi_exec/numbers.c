/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Floats of any value: terms that every rank can make again, so that it can tell how far a sum is off, and how far it may be.
 */
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "half.h"

static uint64_t mixed(uint64_t element, int64_t term)
{
	uint64_t z = element * 0x9E3779B97F4A7C15u + (uint64_t)term * 0xD1B54A32D192ED03u + 1;

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* From -1 to 1. */
static double term_of(uint64_t element, int64_t term)
{
	return (double)(int64_t)(mixed(element, term) >> 11) / (double)((int64_t)1 << 52) - 1;
}

static void store(sw_dtype dtype, int64_t element, double value, char *at)
{
	float single = (float)value;
	uint16_t half = dtype == SW_F16 ? to_f16(single) : to_bf16(single);

	memcpy(at, dtype == SW_F64 ? (void *)&value : dtype == SW_F32 ? (void *)&single : (void *)&half, (size_t)element);
}

static double load(sw_dtype dtype, const char *at)
{
	double value;
	float single;
	uint16_t half;

	if (dtype == SW_F64)
		return memcpy(&value, at, sizeof value), value;
	if (dtype == SW_F32)
		return memcpy(&single, at, sizeof single), single;
	memcpy(&half, at, sizeof half);
	return dtype == SW_F16 ? from_f16(half) : from_bf16(half);
}

/* ---- the tile at first, and in the end ---- */

struct numbers {
	sw_dtype dtype;
	int64_t element, terms; /* bytes of an element; terms of a value at first */
	char *tile;
	int64_t term;       /* that is written */
	const bool *summed; /* of each term: is it in the sums of this rank? */
	int64_t count;      /* of these */
	double error, bound;
	bool right;
};

bool ex_numbers_are_floats(sw_dtype dtype)
{
	return dtype == SW_F16 || dtype == SW_BF16 || dtype == SW_F32 || dtype == SW_F64;
}

static struct numbers numbers_of(const ex_run *run, int k)
{
	sw_dtype dtype = run->program->plan->problem.from.dtype;

	return (struct numbers){.dtype = dtype,
		.element = sw_dtype_bytes(dtype),
		.terms = ex_program_terms(run->program, 0),
		.tile = ex_run_tile(run, k),
		.term = ex_program_term(run->program, 0, run->team->rank),
		.right = true};
}

static void write_terms(void *user, int64_t at, uint64_t index, int64_t count)
{
	const struct numbers *n = user;

	for (int64_t i = 0; i < count; i++)
		store(n->dtype, n->element, term_of(index + (uint64_t)i, n->term), n->tile + (at + i) * n->element);
}

void ex_numbers_fill(const ex_run *run)
{
	struct numbers numbers = numbers_of(run, 0);

	ex_data_each(run, 0, write_terms, &numbers);
}

static double roundoff(sw_dtype dtype)
{
	return dtype == SW_F64 ? DBL_EPSILON / 2 : dtype == SW_F32 ? FLT_EPSILON / 2 : dtype == SW_F16 ? 0x1p-11 : 0x1p-8;
}

/* Each term as it was stored; the error may be n - 1 roundings of the sum of sizes. */
static void compare_sums(void *user, int64_t at, uint64_t index, int64_t count)
{
	struct numbers *n = user;
	char room[8];

	for (int64_t i = 0; i < count; i++) {
		long double sum = 0, sizes = 0;

		for (int64_t t = 0; t < n->terms; t++)
			if (n->summed[t]) {
				store(n->dtype, n->element, term_of(index + (uint64_t)i, t), room);
				sum += load(n->dtype, room);
				sizes += fabs(load(n->dtype, room));
			}
		double off = fabs((double)(load(n->dtype, n->tile + (at + i) * n->element) - sum));
		double may = (double)(n->count + 1) * roundoff(n->dtype) * (double)sizes;
		n->right = n->right && off <= may;
		n->error = fmax(n->error, off);
		n->bound = fmax(n->bound, may);
	}
}

/* The terms that are in the sums of a rank: those of all devices that have the same sum in the end. */
static int64_t find_addends(const ex_program *program, int rank, bool *summed)
{
	int64_t count = 0, mine = ex_program_term(program, program->count, rank);

	for (int d = 0; d < program->ranks; d++) {
		int64_t term = ex_program_term(program, 0, d);

		if (ex_program_term(program, program->count, d) != mine || summed[term])
			continue;
		summed[term] = true;
		count++;
	}
	return count;
}

bool ex_numbers_check(const ex_run *run, sw_arena *arena, double *error, double *bound)
{
	struct numbers numbers = numbers_of(run, run->program->count);
	bool *summed = SW_NEW_ZERO(arena, bool, numbers.terms);

	if (summed != NULL) {
		numbers.count = find_addends(run->program, run->team->rank, summed);
		numbers.summed = summed;
		ex_data_each(run, run->program->count, compare_sums, &numbers);
	}
	*error = numbers.error;
	*bound = numbers.bound;
	return summed != NULL && numbers.right;
}
