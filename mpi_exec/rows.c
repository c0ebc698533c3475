/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row kernels: fixed lengths for short runs, the C library for long ones, and streaming stores of whole cache
 * lines where the processor has them.  What the processor has is asked at run time.
 */
#define _GNU_SOURCE
#include "rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LINE = 64, SHORTEST_STREAM = 64, SHORTEST_RAGGED = 256 };

/* Lengths that the compiler knows, so that it makes a few instructions of a run and not a call. */
#define LENGTHS(X) \
	X(1) X(2) X(4) X(8) X(12) X(16) X(20) X(24) X(28) X(32) X(36) X(40) X(44) X(48) X(52) X(56) X(60) X(64)

#define KERNEL(n) \
	static void rows_##n(char *into, int64_t into_stride, const char *from, int64_t from_stride, int64_t run, \
		int64_t rows) \
	{ \
		(void)run; \
		for (; rows > 0; rows--, into += into_stride, from += from_stride) \
			memcpy(into, from, n); \
	}
LENGTHS(KERNEL)
#undef KERNEL

static void rows_any(char *into, int64_t into_stride, const char *from, int64_t from_stride, int64_t run,
	int64_t rows)
{
	for (; rows > 0; rows--, into += into_stride, from += from_stride)
		memcpy(into, from, (size_t)run);
}

static ex_row_copy *plain_kernel(int64_t run)
{
#define AT_LENGTH(n) [n] = rows_##n,
	static ex_row_copy *const fixed[] = {LENGTHS(AT_LENGTH)};
#undef AT_LENGTH
	bool known = run > 0 && run < (int64_t)(sizeof(fixed) / sizeof(fixed[0])) && fixed[run];
	return known ? fixed[run] : rows_any;
}

#if defined(__x86_64__)

typedef void line_copy(char *into, const char *from, int64_t bytes);

__attribute__((target("avx512f"))) static void lines_avx512(char *into, const char *from, int64_t bytes)
{
	int64_t i = 0;
	for (; i + 4 * LINE <= bytes; i += 4 * LINE) {
		__m512i a = _mm512_loadu_si512(from + i), b = _mm512_loadu_si512(from + i + LINE);
		__m512i c = _mm512_loadu_si512(from + i + 2 * LINE), d = _mm512_loadu_si512(from + i + 3 * LINE);
		_mm512_stream_si512((void *)(into + i), a);
		_mm512_stream_si512((void *)(into + i + LINE), b);
		_mm512_stream_si512((void *)(into + i + 2 * LINE), c);
		_mm512_stream_si512((void *)(into + i + 3 * LINE), d);
	}
	for (; i < bytes; i += LINE)
		_mm512_stream_si512((void *)(into + i), _mm512_loadu_si512(from + i));
}

__attribute__((target("avx2"))) static void lines_avx2(char *into, const char *from, int64_t bytes)
{
	for (int64_t i = 0; i < bytes; i += LINE) {
		__m256i a = _mm256_loadu_si256((const __m256i *)(from + i));
		__m256i b = _mm256_loadu_si256((const __m256i *)(from + i + 32));
		_mm256_stream_si256((__m256i *)(into + i), a);
		_mm256_stream_si256((__m256i *)(into + i + 32), b);
	}
}

static void lines_sse2(char *into, const char *from, int64_t bytes)
{
	for (int64_t i = 0; i < bytes; i += 16)
		_mm_stream_si128((__m128i *)(into + i), _mm_loadu_si128((const __m128i *)(from + i)));
}

static inline __attribute__((always_inline)) void ragged(char *into, const char *from, int64_t run, line_copy *lines)
{
	int64_t head = -(intptr_t)into & (LINE - 1);
	if (head > run)
		head = run;
	int64_t body = (run - head) & ~(int64_t)(LINE - 1);
	memcpy(into, from, (size_t)head);
	lines(into + head, from + head, body);
	memcpy(into + head + body, from + head + body, (size_t)(run - head - body));
}

#define STREAM(name) \
	static void stream_##name(char *into, int64_t into_stride, const char *from, int64_t from_stride, int64_t run, \
		int64_t rows) \
	{ \
		bool even = (((intptr_t)into | into_stride | run) & (LINE - 1)) == 0; \
		for (; rows > 0; rows--, into += into_stride, from += from_stride) { \
			if (even) \
				lines_##name(into, from, run); \
			else \
				ragged(into, from, run, lines_##name); \
		} \
	}
STREAM(avx512)
STREAM(avx2)
STREAM(sse2)
#undef STREAM

static const struct kind {
	const char *name;
	ex_row_copy *copy;
} kinds[] = {{"sse2", stream_sse2}, {"avx2", stream_avx2}, {"avx512", stream_avx512}};

static const struct kind *kind(void)
{
	return &kinds[__builtin_cpu_supports("avx512f") ? 2 : __builtin_cpu_supports("avx2") ? 1 : 0];
}

ex_row_copy *ex_row_kernel(int64_t run, int64_t into_stride, ex_store store)
{
	bool even = ((run | into_stride) & (LINE - 1)) == 0;
	if (store == EX_STREAM && run >= (even ? SHORTEST_STREAM : SHORTEST_RAGGED))
		return kind()->copy;
	return plain_kernel(run);
}

void ex_row_fence(void)
{
	_mm_sfence();
}

const char *ex_row_kind(void)
{
	return kind()->name;
}

#else

ex_row_copy *ex_row_kernel(int64_t run, int64_t into_stride, ex_store store)
{
	(void)into_stride;
	(void)store;
	return plain_kernel(run);
}

void ex_row_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

const char *ex_row_kind(void)
{
	return "plain";
}

#endif
