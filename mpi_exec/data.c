/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and proving the elements.
 */
#include "data.h"

#include <string.h>

#include "watch.h"

enum { BLOCK = 1024 };                          /* elements made at once */
static const int64_t SEARCH = (int64_t)1 << 28; /* elements of an array that are searched for a narrow value */

static inline uint64_t splitmix(uint64_t i)
{
	uint64_t z = i + 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* The index whose splitmix64 is z: every step of it can be undone. */
static uint64_t splitmix_index(uint64_t z)
{
	z ^= z >> 31 ^ z >> 62;
	z *= 0x319642b2d24d8ec3u;
	z ^= z >> 27 ^ z >> 54;
	z *= 0x96de1b173f119089u;
	z ^= z >> 30 ^ z >> 60;
	return z - 0x9e3779b97f4a7c15u;
}

#define MAKE(name, type) \
	static inline __attribute__((always_inline)) void make_##name(void *out, uint64_t first, int64_t count) \
	{ \
		type *element = out; \
		for (int64_t i = 0; i < count; i++) \
			element[i] = (type)splitmix(first + (uint64_t)i); \
	}
MAKE(1, uint8_t)
MAKE(2, uint16_t)
MAKE(4, uint32_t)
MAKE(8, uint64_t)
#undef MAKE

static inline __attribute__((always_inline)) void make_16(void *out, uint64_t first, int64_t count)
{
	uint64_t *word = out;
	for (int64_t i = 0; i < count; i++) {
		word[2 * i] = splitmix(first + (uint64_t)i);
		word[2 * i + 1] = splitmix(first + (uint64_t)i + ((uint64_t)1 << 63));
	}
}

static inline __attribute__((always_inline)) void make(void *out, int64_t element, uint64_t first, int64_t count)
{
	switch (element) {
	case 1:
		make_1(out, first, count);
		break;
	case 2:
		make_2(out, first, count);
		break;
	case 4:
		make_4(out, first, count);
		break;
	case 8:
		make_8(out, first, count);
		break;
	default:
		make_16(out, first, count);
		break;
	}
}

typedef void maker(void *out, int64_t element, uint64_t first, int64_t count);

static void make_plain(void *out, int64_t element, uint64_t first, int64_t count)
{
	make(out, element, first, count);
}

#if defined(__x86_64__)
#if defined(__clang__)
#define VECTORISED
#else
#define VECTORISED __attribute__((optimize("O3")))
#endif

__attribute__((target("avx512f,avx512dq,avx512bw"))) VECTORISED static void make_wide(void *out, int64_t element,
	uint64_t first, int64_t count)
{
	make(out, element, first, count);
}

static maker *fastest(void)
{
	return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") ? make_wide : make_plain;
}
#else
static maker *fastest(void)
{
	return make_plain;
}
#endif

/* ---- the tile within the array ---- */

typedef struct window {
	const ex_program *program;
	int rank;
	int64_t element;
	const int64_t *tile, *base, *global;
	ex_shape shape;  /* from the whole array into the tile, in bytes */
	uint64_t origin; /* row-major index of the tile's first element */
} window;

static uint64_t row_major(int rank, const int64_t *size, const int64_t *index)
{
	uint64_t i = 0;
	for (int d = 0; d < rank; d++)
		i = i * (uint64_t)size[d] + (uint64_t)index[d];
	return i;
}

static void unravel(int rank, const int64_t *size, int64_t i, int64_t *index)
{
	for (int d = rank - 1; d >= 0; d--) {
		index[d] = i % size[d];
		i /= size[d];
	}
}

/* The tile before step k on device d.  Strides count elements: what matters in the array are indices. */
static void window_set(window *w, const ex_program *program, int k, int d)
{
	const sw_type *from = &program->plan->problem.from;
	*w = (window){.program = program,
		.rank = from->rank,
		.element = program->element,
		.global = from->global,
		.tile = ex_program_tile(program, k),
		.base = ex_program_base(program, k, d)};
	ex_shape_set(&w->shape, from->rank, 1, w->tile, from->global, w->tile);
	w->origin = row_major(from->rank, from->global, w->base);
}

void ex_data_fill(const ex_run *run)
{
	window w;
	ex_cursor cursor;
	maker *fill = fastest();
	char *tile = ex_run_tile(run, 0);
	window_set(&w, run->program, 0, run->team->rank);
	ex_cursor_start(&cursor, &w.shape, 0, w.shape.runs);
	for (int64_t made = 0; cursor.left > 0; ex_cursor_skip(&cursor, 1)) {
		fill(tile + cursor.into * w.element, w.element, w.origin + (uint64_t)cursor.from, w.shape.run);
		if ((made += w.shape.run) >> 20) {
			made = 0;
			ex_watch_work();
		}
	}
}

/* ---- checking ---- */

static uint64_t digest_add(uint64_t digest, const char *data, int64_t bytes)
{
	uint64_t word;
	int64_t i = 0;
	for (; i + 8 <= bytes; i += 8) {
		memcpy(&word, data + i, 8);
		digest = (digest ^ word) * 0x9fb21c651e98df25u;
		digest ^= digest >> 29;
	}
	for (; i < bytes; i++)
		digest = (digest ^ (unsigned char)data[i]) * 0x9fb21c651e98df25u;
	return digest;
}

static bool find_narrow(const unsigned char *found, int64_t elements, int64_t *index)
{
	uint32_t want;
	memcpy(&want, found, sizeof(want));
	for (int64_t i = 0; i < elements && i < SEARCH; i++) {
		if ((uint32_t)splitmix((uint64_t)i) == want) {
			*index = i;
			return true;
		}
	}
	return false;
}

static bool find_wide(const window *w, const unsigned char *found, int64_t elements, int64_t *index)
{
	uint64_t low, high;
	memcpy(&low, found, sizeof(low));
	uint64_t i = splitmix_index(low);
	if (i >= (uint64_t)elements)
		return false;
	*index = (int64_t)i;
	if (w->element == 8)
		return true;
	memcpy(&high, found + 8, sizeof(high));
	return high == splitmix(i + ((uint64_t)1 << 63));
}

/* Which device held an element at first. */
static int first_holder(const ex_program *program, const int64_t *index)
{
	const int64_t *tile = ex_program_tile(program, 0);
	for (int d = 0; d < program->ranks; d++) {
		const int64_t *base = ex_program_base(program, 0, d);
		int i = 0;
		while (i < program->plan->problem.from.rank && index[i] >= base[i] && index[i] < base[i] + tile[i])
			i++;
		if (i == program->plan->problem.from.rank)
			return d;
	}
	return -1;
}

static void say_origin(const window *w, ex_wrong *wrong)
{
	int64_t elements = sw_type_globalsize(&w->program->plan->problem.from), i = 0;
	wrong->asked = w->element >= 4;
	wrong->origin_device = -1;
	if (!wrong->asked)
		return;
	wrong->belongs = w->element == 4 ? find_narrow(wrong->found, elements, &i) :
									   find_wide(w, wrong->found, elements, &i);
	if (!wrong->belongs)
		return;
	unravel(w->rank, w->global, i, wrong->origin);
	wrong->origin_device = first_holder(w->program, wrong->origin);
}

static void say_wrong(const window *w, int64_t at, const char *expected, const char *found, ex_wrong *wrong)
{
	memset(wrong, 0, sizeof(*wrong));
	wrong->any = true;
	wrong->device = w->program->rank;
	unravel(w->rank, w->tile, at, wrong->position);
	for (int i = 0; i < w->rank; i++)
		wrong->index[i] = w->base[i] + wrong->position[i];
	memcpy(wrong->expected, expected, (size_t)w->element);
	memcpy(wrong->found, found, (size_t)w->element);
	say_origin(w, wrong);
}

/* Compares `count` elements that are consecutive in the tile and in the array. */
static bool check_run(const window *w, maker *fill, const char *tile, int64_t at, uint64_t index, int64_t count,
	ex_wrong *wrong)
{
	_Alignas(64) char expected[BLOCK * 16];
	for (int64_t done = 0, n; done < count; done += n) {
		n = count - done < BLOCK ? count - done : BLOCK;
		const char *found = tile + (at + done) * w->element;
		fill(expected, w->element, index + (uint64_t)done, n);
		if (memcmp(expected, found, (size_t)(n * w->element)) == 0)
			continue;
		int64_t i = 0;
		while (memcmp(expected + i * w->element, found + i * w->element, (size_t)w->element) == 0)
			i++;
		say_wrong(w, at + done + i, expected + i * w->element, found + i * w->element, wrong);
		return false;
	}
	return true;
}

bool ex_data_check(const ex_run *run, int k, ex_wrong *wrong, uint64_t *digest)
{
	window w;
	ex_cursor cursor;
	maker *fill = fastest();
	const char *tile = ex_run_tile(run, k);
	bool right = true;
	window_set(&w, run->program, k, run->team->rank);
	ex_cursor_start(&cursor, &w.shape, 0, w.shape.runs);
	*digest = (uint64_t)run->team->rank;
	for (int64_t seen = 0; cursor.left > 0; ex_cursor_skip(&cursor, 1)) {
		if (right)
			right = check_run(&w, fill, tile, cursor.into, w.origin + (uint64_t)cursor.from, w.shape.run, wrong);
		*digest = digest_add(*digest, tile + cursor.into * w.element, w.shape.run * w.element);
		if ((seen += w.shape.run) >> 20) {
			seen = 0;
			ex_watch_work();
		}
	}
	return right;
}
