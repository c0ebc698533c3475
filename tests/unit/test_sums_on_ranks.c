/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of the executor that add, without MPI: every element type on every processor there is here, boxes with gaps, and
 * elements of 16 bits, whose sums are rounded once.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

#define LINE ROWS_LINE
#include "../../mpi_exec/rows.c"
#undef LINE
#include "../../mpi_exec/copy.c"
#include "../../mpi_exec/add.c"
#include "../../mpi_exec/sum.c"

enum { TERMS = 9, ELEMENTS = 1037 };

/* ---- elements of 16 bits ---- */

static double bf16_as_number(uint16_t half)
{
	int exponent = half >> 7 & 0xff, digits = half & 0x7f;
	double value = exponent ? ldexp(128 + digits, exponent - 134) : ldexp(digits, -133);
	return half & 0x8000 ? -value : value;
}

static double f16_as_number(uint16_t half)
{
	int exponent = half >> 10 & 0x1f, digits = half & 0x3ff;
	double value = exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);
	return half & 0x8000 ? -value : value;
}

struct format {
	float (*from)(uint16_t half);
	uint16_t (*to)(float value);
	double (*number)(uint16_t half);
	uint16_t endless;
};

static float read_bf16(uint16_t half)
{
	return from_bf16(half);
}

static uint16_t write_bf16(float value)
{
	return to_bf16(value);
}

static float read_f16(uint16_t half)
{
	return from_f16(half);
}

static uint16_t write_f16(float value)
{
	return to_f16(value);
}

static const struct format formats[] = {{read_bf16, write_bf16, bf16_as_number, 0x7f80},
	{read_f16, write_f16, f16_as_number, 0x7c00}};

/* Every number is read as what it is, and written as what it was. */
static void every_half_is_read_and_written(void **state)
{
	(void)state;
	for (size_t f = 0; f < COUNT(formats); f++)
		for (uint32_t half = 0; half < 0x10000; half++) {
			float value = formats[f].from((uint16_t)half);
			if ((half & 0x7fff) > formats[f].endless) {
				assert_true(isnan(value));
				assert_true((formats[f].to(value) & 0x7fff) > formats[f].endless);
				continue;
			}
			assert_int_equal(formats[f].to(value), half);
			if ((half & 0x7fff) == formats[f].endless)
				assert_true(isinf(value) && !signbit(value) == !(half & 0x8000));
			else
				assert_true((double)value == formats[f].number((uint16_t)half));
		}
}

/* Between two neighbours the nearer one, in the middle the even one; beyond the last half of a step there is no number. */
static void halves_are_rounded_to_the_nearest(void **state)
{
	(void)state;
	for (size_t f = 0; f < COUNT(formats); f++)
		for (uint16_t half = 0; half + 1 < formats[f].endless; half++) {
			double low = formats[f].number(half), high = formats[f].number(half + 1);
			float middle = (float)((low + high) / 2);
			uint16_t even = half & 1 ? half + 1 : half;
			if ((double)middle != (low + high) / 2)
				continue;
			assert_int_equal(formats[f].to(middle), even);
			assert_int_equal(formats[f].to(nextafterf(middle, 0)), half);
			assert_int_equal(formats[f].to(nextafterf(middle, INFINITY)), half + 1);
			assert_int_equal(formats[f].to(-middle), even | 0x8000);
		}
	assert_int_equal(to_f16(65519), 0x7bff);
	assert_int_equal(to_f16(65520), 0x7c00);
	assert_int_equal(to_f16(1e30f), 0x7c00);
	assert_int_equal(to_f16(-INFINITY), 0xfc00);
	assert_int_equal(to_bf16(3.4e38f), 0x7f80);
}

/* ---- one type after the other ---- */

struct rows_here {
	const ex_adder *row;
	bool there;
};

static int processors(struct rows_here here[3])
{
	int count = 0;
	here[count++] = (struct rows_here){plain_rows, true};
#if defined(__x86_64__)
	here[count++] = (struct rows_here){avx2_rows, __builtin_cpu_supports("avx2")};
	here[count++] = (struct rows_here){avx512_rows, rows() == avx512_rows};
#endif
	return count;
}

static uint64_t random_bits(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 11 ^ *seed >> 40;
}

/* Elements of a type, small where it is floating, so that a sum of them is a number. */
static void make_elements(sw_dtype dtype, uint64_t *seed, char *at)
{
	int64_t bytes = sw_dtype_bytes(dtype);
	for (int64_t i = 0; i < ELEMENTS; i++) {
		uint64_t bits[2] = {random_bits(seed) * 0x9e3779b97f4a7c15u, random_bits(seed) * 0x9e3779b97f4a7c15u};
		float narrow[2] = {(float)(int32_t)bits[0] * 0x1p-20f, (float)(int32_t)bits[1] * 0x1p-20f};
		double wide[2] = {narrow[0] / 3, narrow[1] / 7};
		uint16_t half = dtype == SW_BF16 ? to_bf16(narrow[0]) : to_f16(narrow[0]);
		const void *one = dtype == SW_F32 || dtype == SW_C64 ? (void *)narrow :
			dtype == SW_F64 || dtype == SW_C128              ? (void *)wide :
			dtype == SW_F16 || dtype == SW_BF16              ? (void *)&half :
															   (void *)bits;
		memcpy(at + i * bytes, one, (size_t)bytes);
	}
}

/* The sum of element i, term after term, by the type's own arithmetic. */
static void sum_one(sw_dtype dtype, char (*term)[ELEMENTS * 16], int count, int64_t i, char *sum)
{
	int64_t bytes = sw_dtype_bytes(dtype);
	float narrow[2] = {0, 0}, part[2];
	double wide[2] = {0, 0}, wide_part[2];
	uint64_t all = 0, bits = 0;
	for (int t = 0; t < count; t++) {
		const char *at = term[t] + i * bytes;
		uint16_t half;
		memcpy(&half, at, 2);
		memcpy(part, at, bytes == 4 ? 4 : 8);
		memcpy(wide_part, at, bytes == 16 ? 16 : 8);
		memcpy(&bits, at, (size_t)(bytes < 8 ? bytes : 8));
		part[0] = dtype == SW_BF16 ? from_bf16(half) : dtype == SW_F16 ? from_f16(half) : part[0];
		for (int k = 0; k < 2; k++) {
			narrow[k] = t ? narrow[k] + part[k] : part[k];
			wide[k] = t ? wide[k] + wide_part[k] : wide_part[k];
		}
		all += bits;
	}
	uint16_t half = dtype == SW_BF16 ? to_bf16(narrow[0]) : to_f16(narrow[0]);
	const void *one = dtype == SW_F32 || dtype == SW_C64 ? (void *)narrow :
		dtype == SW_F64 || dtype == SW_C128              ? (void *)wide :
		dtype == SW_F16 || dtype == SW_BF16              ? (void *)&half :
														   (void *)&all;
	memcpy(sum, one, (size_t)bytes);
}

static char given[TERMS][ELEMENTS * 16];

static void check_adder(const ex_adder *adder, sw_dtype dtype, int count)
{
	static char sum[ELEMENTS * 16], found[ELEMENTS * 16], expected[16];
	int64_t bytes = sw_dtype_bytes(dtype);
	assert_int_equal(adder->element, bytes);
	for (int t = 0, n; t < count; t += n) {
		const void *from[EX_ADD_MOST];
		n = count - t < EX_ADD_MOST ? count - t : EX_ADD_MOST;
		for (int k = 0; k < n; k++)
			from[k] = given[t + k];
		adder->add(sum, from, n, t > 0, ELEMENTS);
	}
	if (adder->end)
		adder->end(found, sum, ELEMENTS);
	for (int64_t i = 0; i < ELEMENTS; i++) {
		sum_one(dtype, given, count, i, expected);
		assert_memory_equal((adder->end ? found : sum) + i * bytes, expected, (size_t)bytes);
	}
}

static void every_type_is_added(void **state)
{
	(void)state;
	struct rows_here here[3];
	int count = processors(here);
	uint64_t seed = 42;
	for (int dtype = 0; dtype < SW_DTYPE_COUNT; dtype++) {
		bool added = plain_rows[dtype].add != NULL;
		assert_true(added == (dtype != SW_PRED && strncmp(sw_dtype_name((sw_dtype)dtype), "f8", 2) != 0));
		assert_true((ex_adder_of((sw_dtype)dtype) != NULL) == added);
		for (int t = 0; added && t < TERMS; t++)
			make_elements((sw_dtype)dtype, &seed, given[t]);
		for (int p = 0; added && p < count; p++)
			for (int terms = 2; here[p].there && terms <= TERMS; terms++)
				check_adder(&here[p].row[dtype], (sw_dtype)dtype, terms);
	}
}

/* Nine terms of bf16 that would vanish one by one beside a large one are there in the end. */
static void halves_are_rounded_once(void **state)
{
	(void)state;
	const ex_adder *adder = ex_adder_of(SW_BF16);
	uint16_t large = to_bf16(256), small = to_bf16(0.5f), found;
	const void *first[] = {&large, &small, &small, &small}, *next[] = {&small};
	float sum;
	adder->add(&sum, first, 4, false, 1);
	adder->add(&sum, next, 1, true, 1);
	adder->end(&found, &sum, 1);
	assert_true(from_bf16(found) == 258);
}

/* ---- boxes ---- */

static int64_t below(uint64_t *seed, int64_t n)
{
	return (int64_t)(random_bits(seed) % (uint64_t)n);
}

struct box {
	int rank;
	int64_t extent[4], from[4], into[4];
	int64_t from_elements, into_elements;
};

static void draw_box(uint64_t *seed, struct box *box)
{
	static const int64_t sizes[] = {1, 2, 3, 7, 16, 33, 200};
	box->rank = 1 + (int)below(seed, 4);
	box->from_elements = box->into_elements = 1;
	for (int d = 0; d < box->rank; d++) {
		box->extent[d] = sizes[below(seed, box->rank > 2 ? 5 : 7)];
		box->from[d] = box->extent[d] + (below(seed, 2) ? below(seed, 5) : 0);
		box->into[d] = box->extent[d] + (below(seed, 2) ? below(seed, 5) : 0);
		box->from_elements *= box->from[d];
		box->into_elements *= box->into[d];
	}
}

static int64_t offset(const struct box *box, const int64_t *size, int64_t element)
{
	int64_t at = 0, stride = 1;
	for (int d = box->rank - 1; d >= 0; d--) {
		at += element % box->extent[d] * stride;
		element /= box->extent[d];
		stride *= size[d];
	}
	return at;
}

/* Sums a drawn box in one or several parts and compares every element of the target, also those outside of the box. */
static void check_box(uint64_t *seed)
{
	struct box box;
	int count = 1 + (int)below(seed, TERMS);
	uint32_t *from[TERMS], elements = 1;
	ex_term term[TERMS];
	draw_box(seed, &box);
	for (int d = 0; d < box.rank; d++)
		elements *= (uint32_t)box.extent[d];
	uint32_t *into = calloc((size_t)box.into_elements, 4), *expected = calloc((size_t)box.into_elements, 4);
	for (int t = 0; t < count; t++) {
		from[t] = calloc((size_t)box.from_elements, 4);
		for (int64_t i = 0; i < box.from_elements; i++)
			from[t][i] = (uint32_t)random_bits(seed);
		term[t].from = (char *)from[t];
		ex_shape_set(&term[t].shape, box.rank, 4, box.extent, box.from, box.into);
		for (uint32_t i = 0; i < elements; i++)
			expected[offset(&box, box.into, i)] += from[t][offset(&box, box.from, i)];
	}
	int64_t runs = term[0].shape.runs, middle = below(seed, runs + 1);
	ex_store store = below(seed, 2) ? EX_STREAM : EX_PLAIN;
	if (middle)
		ex_sum(ex_adder_of(SW_U32), term, count, (char *)into, 0, middle, store);
	if (middle < runs)
		ex_sum(ex_adder_of(SW_U32), term, count, (char *)into, middle, runs - middle, store);
	assert_memory_equal(into, expected, (size_t)box.into_elements * 4);
	for (int t = 0; t < count; t++)
		free(from[t]);
	free(into);
	free(expected);
}

static void boxes_are_summed(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (int i = 0; i < 400; i++)
		check_box(&seed);
}

/* A run that is longer than a block, of elements that are rounded. */
static void long_runs_are_summed(void **state)
{
	(void)state;
	enum { LONG = 100003 };
	uint16_t *from = malloc(2 * LONG), *into = malloc(2 * LONG);
	for (int i = 0; i < LONG; i++)
		from[i] = to_f16((float)(i % 100));
	ex_term term[3];
	for (int t = 0; t < 3; t++)
		term[t] = (ex_term){(char *)from, {.run = 2 * LONG, .runs = 1}};
	ex_sum(ex_adder_of(SW_F16), term, 3, (char *)into, 0, 1, EX_STREAM);
	for (int i = 0; i < LONG; i++)
		assert_int_equal(into[i], to_f16((float)(3 * (i % 100))));
	free(from);
	free(into);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(every_half_is_read_and_written),
		TEST(halves_are_rounded_to_the_nearest),
		TEST(every_type_is_added),
		TEST(halves_are_rounded_once),
		TEST(boxes_are_summed),
		TEST(long_runs_are_summed),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
