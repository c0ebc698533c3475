/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and proving the elements.
 */
#include "data.h"

#include <string.h>

#include "half.h"
#include "requests.h"
#include "watch.h"

enum { BLOCK = 1024, BLOCK_LINE = 64 };         /* elements made at once; bytes that no element crosses */
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

/* ---- terms ---- */

/* What the elements of a plan with sums are. */
typedef struct numbers {
	sw_dtype dtype;
	int64_t term, terms; /* of a value so many, or the value itself for terms 1 */
} numbers;

/* The integers up to which every one is an element of the type; 0: the elements are integers, which wrap. */
static int64_t exact_to(sw_dtype dtype)
{
	switch (dtype) {
	case SW_BF16:
		return 1 << 8;
	case SW_F16:
		return 1 << 11;
	case SW_F32:
	case SW_C64:
		return 1 << 24;
	case SW_F64:
	case SW_C128:
		return (int64_t)1 << 53;
	default:
		return 0;
	}
}

static int64_t from_middle(uint64_t random, int64_t most)
{
	return (int64_t)(random % (uint64_t)(2 * most + 1)) - most;
}

/* A value is at most half of what is exact, and so is the sum of the magnitudes of all terms but the last, twice. */
static int64_t value_of(sw_dtype dtype, uint64_t i)
{
	int64_t exact = exact_to(dtype);
	return exact ? from_middle(splitmix(i), exact / 2) : (int64_t)splitmix(i);
}

static int64_t free_term(sw_dtype dtype, uint64_t i, int64_t term, int64_t terms)
{
	uint64_t random = splitmix(i ^ splitmix((uint64_t)term + 1));
	int64_t room = exact_to(dtype) / 4, others = terms - 1;
	if (!exact_to(dtype))
		return (int64_t)random;
	return term >= room ? 0 : from_middle(random, room / (others < room ? others : room));
}

static int64_t number_of(const numbers *n, uint64_t i)
{
	if (n->terms == 1)
		return value_of(n->dtype, i);
	if (n->term + 1 < n->terms)
		return free_term(n->dtype, i, n->term, n->terms);
	uint64_t last = (uint64_t)value_of(n->dtype, i);
	for (int64_t term = 0; term < n->term; term++)
		last -= (uint64_t)free_term(n->dtype, i, term, n->terms);
	return (int64_t)last;
}

static void write_number(sw_dtype dtype, int64_t real, int64_t imaginary, void *out)
{
	float narrow[2] = {(float)real, (float)imaginary};
	double wide[2] = {(double)real, (double)imaginary};
	uint16_t half = to_f16((float)real);
	switch (dtype) {
	case SW_F16:
		memcpy(out, &half, sizeof(half));
		break;
	case SW_BF16:
		memcpy(out, (const char *)narrow + 2, 2);
		break;
	case SW_F32:
	case SW_C64:
		memcpy(out, narrow, (size_t)sw_dtype_bytes(dtype));
		break;
	case SW_F64:
	case SW_C128:
		memcpy(out, wide, (size_t)sw_dtype_bytes(dtype));
		break;
	default:
		memcpy(out, &real, (size_t)sw_dtype_bytes(dtype));
		break;
	}
}

static void make_numbers(const numbers *n, void *out, uint64_t first, int64_t count)
{
	int64_t bytes = sw_dtype_bytes(n->dtype);
	bool two = n->dtype == SW_C64 || n->dtype == SW_C128;
	for (int64_t i = 0; i < count; i++) {
		uint64_t at = first + (uint64_t)i;
		int64_t imaginary = two ? number_of(n, at + ((uint64_t)1 << 63)) : 0;
		write_number(n->dtype, number_of(n, at), imaginary, (char *)out + i * bytes);
	}
}

/* ---- the tile within the array ---- */

typedef struct window {
	const ex_program *program;
	numbers numbers;
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
	w->numbers = (numbers){from->dtype, 0, 1};
}

/* The values themselves, or the terms of a plan with sums. */
static void produce(const window *w, maker *fill, void *out, uint64_t first, int64_t count)
{
	if (w->program->adder)
		make_numbers(&w->numbers, out, first, count);
	else
		fill(out, w->element, first, count);
}

void ex_data_each(const ex_run *run, int k, ex_data_use use, void *user)
{
	window w;
	ex_cursor cursor;
	window_set(&w, run->program, k, run->team->rank);
	ex_cursor_start(&cursor, &w.shape, 0, w.shape.runs);
	for (int64_t seen = 0; cursor.left > 0; ex_cursor_skip(&cursor, 1)) {
		use(user, cursor.into, w.origin + (uint64_t)cursor.from, w.shape.run);
		if ((seen += w.shape.run) >> 20) {
			seen = 0;
			ex_watch_work();
		}
	}
}

void ex_data_fill(const ex_run *run)
{
	window w;
	ex_cursor cursor;
	maker *fill = fastest();
	char *tile = ex_run_tile(run, 0);
	window_set(&w, run->program, 0, run->team->rank);
	w.numbers.term = ex_program_term(run->program, 0, run->team->rank);
	w.numbers.terms = ex_program_terms(run->program, 0);
	ex_cursor_start(&cursor, &w.shape, 0, w.shape.runs);
	for (int64_t made = 0; cursor.left > 0; ex_cursor_skip(&cursor, 1)) {
		produce(&w, fill, tile + cursor.into * w.element, w.origin + (uint64_t)cursor.from, w.shape.run);
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
	wrong->asked = w->element >= 4 && !w->program->adder;
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
	wrong->terms = 1;
	wrong->copy_of = -1;
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
		produce(w, fill, expected, index + (uint64_t)done, n);
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

/* ---- checking terms ---- */

/* The devices that hold terms or copies of one tile, and a part of what all of them hold. */
typedef struct holders {
	const window *w;
	int k, count;
	const int *device;
	int64_t chunk; /* bytes of each at hand */
	const char *all;
} holders;

static void say_term(const holders *h, int n, int copy, int64_t at, const char *expected, const char *found,
	ex_wrong *wrong)
{
	say_wrong(h->w, at, expected, found, wrong);
	wrong->device = h->device[n];
	wrong->terms = ex_program_terms(h->w->program, h->k);
	wrong->term = ex_program_term(h->w->program, h->k, wrong->device);
	wrong->copy_of = copy < 0 ? -1 : h->device[copy];
}

/* The first of them that holds the term. */
static int first_with(const holders *h, int64_t term)
{
	int n = 0;
	while (n < h->count && ex_program_term(h->w->program, h->k, h->device[n]) != term)
		n++;
	return n;
}

static bool copies_equal(const holders *h, int64_t at, int64_t bytes, ex_wrong *wrong)
{
	for (int n = 0; n < h->count; n++) {
		int first = first_with(h, ex_program_term(h->w->program, h->k, h->device[n]));
		const char *one = h->all + first * h->chunk, *two = h->all + n * h->chunk;
		int64_t i = 0, size = h->w->element;
		if (memcmp(one, two, (size_t)bytes) == 0)
			continue;
		while (memcmp(one + i * size, two + i * size, (size_t)size) == 0)
			i++;
		say_term(h, n, first, at + i, one + i * size, two + i * size, wrong);
		return false;
	}
	return true;
}

static uint64_t index_at(const window *w, int64_t at)
{
	int64_t position[SW_MAX_DIMS];
	unravel(w->rank, w->tile, at, position);
	for (int i = 0; i < w->rank; i++)
		position[i] += w->base[i];
	return row_major(w->rank, w->global, position);
}

static bool terms_add_up(const holders *h, int64_t at, int64_t bytes, ex_wrong *wrong)
{
	_Alignas(64) char sum[BLOCK * 16], expected[16];
	const window *w = h->w;
	int64_t terms = ex_program_terms(w->program, h->k), size = w->element;
	for (int64_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < (int64_t)sizeof(sum) ? bytes - done : (int64_t)sizeof(sum);
		memset(sum, 0, (size_t)n);
		for (int64_t t = 0; t < terms; t++) {
			ex_term two[2] = {{sum, {.run = n, .runs = 1}}, {NULL, {.run = n, .runs = 1}}};
			two[1].from = h->all + first_with(h, t) * h->chunk + done;
			ex_sum(w->program->adder, two, 2, sum, 0, 1, EX_PLAIN);
		}
		for (int64_t i = 0; i < n / size; i++) {
			int64_t place = at + done / size + i;
			make_numbers(&w->numbers, expected, index_at(w, place), 1);
			if (memcmp(expected, sum + i * size, (size_t)size) == 0)
				continue;
			say_term(h, 0, -1, place, expected, sum + i * size, wrong);
			return false;
		}
	}
	return true;
}

/* The devices whose tiles lie where that of this rank does, ascending. */
static int list_holders(const ex_run *run, int k, int *device)
{
	const ex_program *program = run->program;
	const int64_t *mine = ex_program_base(program, k, program->rank);
	int count = 0;
	for (int d = 0; d < program->ranks; d++)
		if (memcmp(mine, ex_program_base(program, k, d), sizeof(*mine) * (size_t)program->plan->problem.from.rank) ==
			0)
			device[count++] = d;
	return count;
}

/* What all of them hold comes to each, part by part. */
static bool check_terms(const ex_run *run, int k, const window *w, ex_wrong *wrong)
{
	enum { ROOM = 1 << 20, MOST = 4096 };
	static _Alignas(64) char all[ROOM];
	static int device[MOST];
	MPI_Comm comm;
	holders h = {.w = w, .k = k, .device = device, .all = all};
	bool right = true;
	h.count = list_holders(run, k, device);
	h.chunk = ROOM / h.count / BLOCK_LINE * BLOCK_LINE;
	int64_t bytes = w->element;
	for (int i = 0; i < w->rank; i++)
		bytes *= w->tile[i];
	MPI_Comm_split(run->team->world, device[0], run->team->rank, &comm);
	for (int64_t at = 0; at < bytes; at += h.chunk) {
		int64_t part = bytes - at < h.chunk ? bytes - at : h.chunk;
		h.chunk = part < h.chunk ? part : h.chunk;
		ex_allgather(comm, ex_run_tile(run, k) + at, (int)part, all);
		right = right && copies_equal(&h, at / w->element, part, wrong) &&
			terms_add_up(&h, at / w->element, part, wrong);
		ex_watch_work();
	}
	MPI_Comm_free(&comm);
	return right;
}

bool ex_data_check(const ex_run *run, int k, ex_wrong *wrong, uint64_t *digest)
{
	window w;
	ex_cursor cursor;
	maker *fill = fastest();
	const char *tile = ex_run_tile(run, k);
	window_set(&w, run->program, k, run->team->rank);
	bool whole = ex_program_terms(run->program, k) == 1;
	bool right = whole || check_terms(run, k, &w, wrong);
	ex_cursor_start(&cursor, &w.shape, 0, w.shape.runs);
	*digest = (uint64_t)run->team->rank;
	for (int64_t seen = 0; cursor.left > 0; ex_cursor_skip(&cursor, 1)) {
		if (right && whole)
			right = check_run(&w, fill, tile, cursor.into, w.origin + (uint64_t)cursor.from, w.shape.run, wrong);
		*digest = digest_add(*digest, tile + cursor.into * w.element, w.shape.run * w.element);
		if ((seen += w.shape.run) >> 20) {
			seen = 0;
			ex_watch_work();
		}
	}
	return right;
}
