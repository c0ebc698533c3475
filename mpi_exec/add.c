/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that add elements.
 *
 * Each is written once and compiled for plain processors, AVX2 and AVX-512; what the processor has is asked at run time.
 */
#include "add.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "half.h"

/* ---- the loops ---- */

#if defined(__clang__)
#define VECTORISED
#else
#define VECTORISED __attribute__((optimize("O3")))
#endif

/* The sum of one to four terms, behind what was summed before: the nearest cache is passed once for all of them, and memory reads
 * several tiles at a time. */
#define ADD_LOOPS(term, total, type) \
	if (count == 1) \
		for (int64_t i = 0; i < elements; i++) \
			s[i] = (type)(total + term(0)); \
	else if (count == 2) \
		for (int64_t i = 0; i < elements; i++) \
			s[i] = (type)(total + term(0) + term(1)); \
	else if (count == 3) \
		for (int64_t i = 0; i < elements; i++) \
			s[i] = (type)(total + term(0) + term(1) + term(2)); \
	else \
		for (int64_t i = 0; i < elements; i++) \
			s[i] = (type)(total + term(0) + term(1) + term(2) + term(3));
#define NUMBER(k) x##k[i]
#define BF16(k) from_bf16(x##k[i])
#define F16(k) from_f16(x##k[i])

#define ADD_KERNEL(name, type, sum_type, parts, term, for_processor, processor) \
	for_processor VECTORISED static void add_##name##_##processor(void *sum, const void *const *from, int count, \
		bool more, int64_t elements) \
	{ \
		const type *x0 = from[0], *x1 = from[count > 1], *x2 = from[count > 2 ? 2 : 0], \
				   *x3 = from[count > 3 ? 3 : 0]; \
		sum_type *restrict s = sum; \
		elements *= (parts); \
		if (more) { \
			ADD_LOOPS(term, s[i], sum_type) \
		} else { \
			ADD_LOOPS(term, (sum_type)-0.0, sum_type) \
		} \
	}

/* Rounds what was summed in f32. */
#define END_KERNEL(name, for_processor, processor) \
	for_processor VECTORISED static void end_##name##_##processor(void *into, const void *sum, int64_t elements) \
	{ \
		uint16_t *restrict half = into; \
		const float *s = sum; \
		for (int64_t i = 0; i < elements; i++) \
			half[i] = to_##name(s[i]); \
	}

#define FOR_PROCESSOR(for_processor, processor) \
	ADD_KERNEL(1, uint8_t, uint8_t, 1, NUMBER, for_processor, processor) \
	ADD_KERNEL(2, uint16_t, uint16_t, 1, NUMBER, for_processor, processor) \
	ADD_KERNEL(4, uint32_t, uint32_t, 1, NUMBER, for_processor, processor) \
	ADD_KERNEL(8, uint64_t, uint64_t, 1, NUMBER, for_processor, processor) \
	ADD_KERNEL(f32, float, float, 1, NUMBER, for_processor, processor) \
	ADD_KERNEL(f64, double, double, 1, NUMBER, for_processor, processor) \
	ADD_KERNEL(c64, float, float, 2, NUMBER, for_processor, processor) \
	ADD_KERNEL(c128, double, double, 2, NUMBER, for_processor, processor) \
	ADD_KERNEL(bf16, uint16_t, float, 1, BF16, for_processor, processor) \
	ADD_KERNEL(f16, uint16_t, float, 1, F16, for_processor, processor) \
	END_KERNEL(bf16, for_processor, processor) \
	END_KERNEL(f16, for_processor, processor)

#define NUMBERS(name, bytes, processor) \
	{ \
		bytes, bytes, add_##name##_##processor, NULL \
	}
#define HALVES(name, processor) \
	{ \
		2, 4, add_##name##_##processor, end_##name##_##processor \
	}

#define ADDERS(processor) \
	{ \
		[SW_I8] = NUMBERS(1, 1, processor), [SW_U8] = NUMBERS(1, 1, processor), [SW_I16] = NUMBERS(2, 2, processor), \
		[SW_U16] = NUMBERS(2, 2, processor), [SW_F16] = HALVES(f16, processor), [SW_BF16] = HALVES(bf16, processor), \
		[SW_I32] = NUMBERS(4, 4, processor), [SW_U32] = NUMBERS(4, 4, processor), \
		[SW_F32] = NUMBERS(f32, 4, processor), [SW_I64] = NUMBERS(8, 8, processor), \
		[SW_U64] = NUMBERS(8, 8, processor), [SW_F64] = NUMBERS(f64, 8, processor), \
		[SW_C64] = NUMBERS(c64, 8, processor), [SW_C128] = NUMBERS(c128, 16, processor), \
	}

FOR_PROCESSOR(, plain)
static const ex_adder plain_rows[SW_DTYPE_COUNT] = ADDERS(plain);

#if defined(__x86_64__)
FOR_PROCESSOR(__attribute__((target("avx2"))), avx2)
FOR_PROCESSOR(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))), avx512)
static const ex_adder avx2_rows[SW_DTYPE_COUNT] = ADDERS(avx2);
static const ex_adder avx512_rows[SW_DTYPE_COUNT] = ADDERS(avx512);

static const ex_adder *rows(void)
{
	bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
	return wide ? avx512_rows : __builtin_cpu_supports("avx2") ? avx2_rows : plain_rows;
}
#else
static const ex_adder *rows(void)
{
	return plain_rows;
}
#endif

const ex_adder *ex_adder_of(sw_dtype dtype)
{
	assert((unsigned)dtype < SW_DTYPE_COUNT);
	const ex_adder *row = &rows()[dtype];
	return row->add ? row : NULL;
}

void ex_add_to(const ex_adder *adder, void *into, const void *from, int64_t bytes)
{
	assert(bytes % adder->element == 0);
	enum { BLOCK = 4096 };
	_Alignas(64) char wide[4 * BLOCK];
	char *to = into;

	if (adder->end == NULL) {
		adder->add(to, &from, 1, true, bytes / adder->element);
		return;
	}
	for (int64_t done = 0, part; done < bytes; done += part) {
		const void *both[] = {to + done, (const char *)from + done};

		part = bytes - done < BLOCK ? bytes - done : BLOCK;
		adder->add(wide, both, 2, false, part / adder->element);
		adder->end(to + done, wide, part / adder->element);
	}
}
