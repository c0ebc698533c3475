/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data of reduction programs: terms that every rank can make again, so that it can prove every sum.
 */
#include "chunks.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The number of a tile, and with it of its elements. */
static int64_t tile_number(const ex_chunks *c, const sw_type *type, int64_t slot)
{
	int64_t at[SW_MAX_DIMS], number = 0;

	sw_type_offset(&c->plan->problem.mesh, type, slot, at);
	for (int i = 0; i < type->rank; i++)
		number = number * (type->global[i] / type->tile[i]) + at[i] / type->tile[i];
	return number;
}

static uint64_t mixed(int64_t element, int64_t term)
{
	uint64_t z = (uint64_t)element * 0x9E3779B97F4A7C15u + (uint64_t)term * 0xD1B54A32D192ED03u + 1;

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static bool is_float(sw_dtype dtype)
{
	return dtype == SW_F16 || dtype == SW_BF16 || dtype == SW_F32 || dtype == SW_F64;
}

/* A term as a number: small integers of which so many add up exactly even in eight bits of mantissa, or any from -1 to 1. */
static double float_term(uint64_t bits, ex_numbers numbers, int64_t terms)
{
	int64_t most = 120 / terms > 0 ? 120 / terms : 1;

	if (numbers == EX_EXACT)
		return (double)((int64_t)(bits % (uint64_t)(2 * most + 1)) - most);
	return (double)(int64_t)(bits >> 11) / (double)((int64_t)1 << 52) - 1;
}

static double half_of(uint16_t bits)
{
	double size = ldexp((double)(bits & 0x3ff) + ((bits >> 10 & 31) != 0 ? 1024 : 0),
		(bits >> 10 & 31 ? bits >> 10 & 31 : 1) - 25);

	return bits >> 15 ? -size : size;
}

static uint16_t to_half(double value)
{
	uint16_t sign = value < 0 ? 0x8000 : 0;
	double size = fabs(value);
	int exponent;

	if (size < ldexp(1, -14))
		return (uint16_t)(sign | (uint16_t)lrint(ldexp(size, 24)));
	frexp(size, &exponent);
	int64_t mantissa = lrint(ldexp(size, 11 - exponent));
	return (uint16_t)(sign | (uint16_t)(((int64_t)(exponent + 13) << 10) + mantissa));
}

static void store(sw_dtype dtype, int64_t element, double value, char *at)
{
	float single = (float)value;
	uint32_t bits;
	uint16_t half = to_half(value);

	memcpy(&bits, &single, sizeof bits);
	if (dtype == SW_BF16)
		half = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
	memcpy(at, dtype == SW_F64 ? (void *)&value : dtype == SW_F32 ? (void *)&single : (void *)&half, (size_t)element);
}

static double load(sw_dtype dtype, const char *at)
{
	double value;
	float single;
	uint16_t half;
	uint32_t bits;

	if (dtype == SW_F64)
		return memcpy(&value, at, sizeof value), value;
	if (dtype == SW_F32)
		return memcpy(&single, at, sizeof single), single;
	memcpy(&half, at, sizeof half);
	if (dtype == SW_F16)
		return half_of(half);
	bits = (uint32_t)half << 16;
	return memcpy(&single, &bits, sizeof single), single;
}

static void put_term(const ex_chunks *c, int64_t element, int64_t term, ex_numbers numbers, char *at)
{
	sw_dtype dtype = c->plan->problem.from.dtype;
	uint64_t bits = mixed(element, term);

	if (is_float(dtype))
		store(dtype, c->element, float_term(bits, numbers, sw_type_terms(&c->plan->problem.from)), at);
	else
		memcpy(at, &bits, (size_t)(c->element < 8 ? c->element : 8));
}

void ex_chunks_fill(ex_chunks *c, ex_numbers numbers)
{
	const sw_problem *problem = &c->plan->problem;
	int64_t first = tile_number(c, &problem->from, c->slot) * c->count;
	int64_t term = sw_type_term(&problem->mesh, &problem->from, c->slot);

	memset(c->tile, 0, (size_t)(c->count * c->element));
	for (int64_t i = 0; i < c->count; i++)
		put_term(c, first + i, term, numbers, c->tile + i * c->element);
}

/* The terms that the sums of this rank are made of, without doubles. */
struct addends {
	bool *summed; /* of each term of the sum */
	int64_t count;
};

static void find_addends(const ex_chunks *c, struct addends *addends)
{
	const sw_problem *problem = &c->plan->problem;
	int64_t mine = sw_type_term(&problem->mesh, &problem->to, c->slot);

	for (int64_t p = 0; p < problem->mesh.devices; p++) {
		int64_t term = sw_type_term(&problem->mesh, &problem->from, p);

		if (tile_number(c, &problem->from, p) != tile_number(c, &problem->from, c->slot) ||
			sw_type_term(&problem->mesh, &problem->to, p) != mine || addends->summed[term])
			continue;
		addends->summed[term] = true;
		addends->count++;
	}
}

static double roundoff(sw_dtype dtype)
{
	return dtype == SW_F64 ? DBL_EPSILON / 2 : dtype == SW_F32 ? FLT_EPSILON / 2 : dtype == SW_F16 ? 0x1p-11 : 0x1p-8;
}

/* Floats: as numbers, each term as it was stored; the error may be n - 1 roundings of the sum of sizes. */
static bool float_is_right(const ex_chunks *c, int64_t element, const char *at, ex_numbers numbers,
	const struct addends *addends, double *error, double *bound)
{
	sw_dtype dtype = c->plan->problem.from.dtype;
	int64_t terms = sw_type_terms(&c->plan->problem.from);
	long double sum = 0, sizes = 0;
	char room[8];

	for (int64_t t = 0; t < terms; t++)
		if (addends->summed[t]) {
			put_term(c, element, t, numbers, room);
			double value = load(dtype, room);

			sum += value;
			sizes += fabs(value);
		}
	double off = fabs((double)(load(dtype, at) - sum));
	double may = (double)(addends->count + 1) * roundoff(dtype) * (double)sizes;
	*error = fmax(*error, off);
	*bound = fmax(*bound, may);
	return numbers == EX_EXACT ? off <= 0 : off <= may;
}

static bool integer_is_right(const ex_chunks *c, int64_t element, const char *at, const struct addends *addends)
{
	int64_t terms = sw_type_terms(&c->plan->problem.from);
	uint64_t sum = 0;

	for (int64_t t = 0; t < terms; t++)
		sum += addends->summed[t] ? mixed(element, t) : 0;
	return memcmp(&sum, at, (size_t)(c->element < 8 ? c->element : 8)) == 0;
}

int64_t ex_chunks_check(const ex_chunks *c, ex_numbers numbers, double *error, double *bound)
{
	const sw_problem *problem = &c->plan->problem;
	int64_t first = tile_number(c, &problem->from, c->slot) * c->count, wrong = -1;
	sw_arena *arena = sw_arena_new();
	struct addends addends = {
		.summed = arena != NULL ? SW_NEW_ZERO(arena, bool, sw_type_terms(&problem->from)) : NULL};
	bool ok = addends.summed != NULL;

	*error = *bound = 0;
	if (ok)
		find_addends(c, &addends);
	for (int64_t i = 0; ok && i < c->count && wrong < 0; i++) {
		const char *at = c->tile + i * c->element;
		bool right = is_float(problem->from.dtype) ?
			float_is_right(c, first + i, at, numbers, &addends, error, bound) :
			integer_is_right(c, first + i, at, &addends);

		wrong = right ? -1 : i;
	}
	sw_arena_free(arena);
	return ok ? wrong : 0;
}
