/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and proving the elements.
 */
#include "data.h"

#include <string.h>

#include "half.h"
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

/* Elements of the tile. */
typedef struct view {
	ex_shape shape;  /* from the whole array into the tile, in elements */
	uint64_t origin; /* row-major index of the first one, */
	int64_t at;      /* and where it is in the tile */
	int64_t term;    /* that is added there, where an end is no tile type */
} view;

typedef struct window {
	const ex_program *program;
	numbers numbers;
	int step; /* before which the tile is */
	ex_tile tile;
	int64_t element; /* bytes of one */
	const int64_t *global;
	int views;
	const view *view;
	view own;        /* of a tile the only one */
	sw_arena *arena; /* of the others, to be freed; else NULL */
} window;

static uint64_t row_major(int rank, const int64_t *size, const int64_t *index)
{
	uint64_t i = 0;
	for (int d = 0; d < rank; d++)
		i = i * (uint64_t)size[d] + (uint64_t)index[d];
	return i;
}

/* Views while they are listed. */
struct listing {
	sw_arena *arena;
	int count, room;
	view *view;
};

static bool add_view(void *user, int64_t term, const sw_loops *loops)
{
	struct listing *l = user;
	if (!SW_GROW(l->arena, l->view, l->count, l->room, 8))
		return false;
	view *added = &l->view[l->count++];
	*added = (view){.origin = (uint64_t)loops->from, .at = loops->into, .term = term};
	ex_shape_of(&added->shape, 1, loops);
	return true;
}

/* What the rank has where an end is no tile type: all its elements, each as often as it has terms. */
static void window_between(window *w, int end, int rank)
{
	struct listing l = {.arena = w->arena = sw_arena_new()};
	if (!w->arena || !sw_between_right(w->program->between, end, rank, w->arena, add_view, &l))
		ex_watch_end("out of memory, while data was looked at", "fewer elements take less");
	w->views = l.count;
	w->view = l.view;
	w->numbers.terms = w->program->between->terms;
	w->numbers.term = sw_between_term(w->program->between, end, rank);
}

/* The tile before step k on device d.  Strides count elements: what matters in the array are indices. */
static void window_set(window *w, const ex_program *program, int k, int d)
{
	const sw_type *from = &program->plan->problem.from;
	*w = (window){.program = program,
		.step = k,
		.tile = {from->rank, from->dtype, NULL, NULL},
		.element = program->element,
		.global = from->global,
		.numbers = {from->dtype, 0, 1},
		.views = 1,
		.view = &w->own};
	if (program->between) {
		window_between(w, k > 0, d);
		return;
	}
	w->tile.size = ex_program_tile(program, k);
	w->tile.base = ex_program_base(program, k, d);
	ex_shape_set(&w->own.shape, from->rank, 1, w->tile.size, from->global, w->tile.size);
	w->own.origin = row_major(from->rank, from->global, w->tile.base);
}

static void window_end(window *w)
{
	sw_arena_free(w->arena);
	w->arena = NULL;
}

/* The values themselves, or the terms of a plan with sums. */
static void produce(const window *w, maker *fill, void *out, uint64_t first, int64_t count)
{
	if (w->program->adder)
		make_numbers(&w->numbers, out, first, count);
	else
		fill(out, w->element, first, count);
}

/* Run after run of all views. */
static void window_each(const window *w, ex_data_use use, void *user)
{
	int64_t seen = 0;
	for (int n = 0; n < w->views; n++) {
		const view *v = &w->view[n];
		ex_cursor cursor;
		ex_cursor_start(&cursor, &v->shape, 0, v->shape.runs);
		for (; cursor.left > 0; ex_cursor_skip(&cursor, 1)) {
			use(user, v->at + cursor.into, v->origin + (uint64_t)cursor.from, v->shape.run);
			if ((seen += v->shape.run) >> 20) {
				seen = 0;
				ex_watch_work();
			}
		}
	}
}

void ex_data_each(const ex_run *run, int k, ex_data_use use, void *user)
{
	window w;
	window_set(&w, run->program, k, run->team->rank);
	window_each(&w, use, user);
	window_end(&w);
}

/* A tile that is filled, or compared. */
struct working {
	const window *window;
	maker *fill;
	char *tile;
	bool compares, right; /* each run with what is right; all were so far */
	uint64_t digest;
	ex_wrong *wrong;
};

static void fill_run(void *user, int64_t at, uint64_t index, int64_t count)
{
	const struct working *work = user;
	produce(work->window, work->fill, work->tile + at * work->window->element, index, count);
}

void ex_data_fill(const ex_run *run)
{
	window w;
	struct working work = {.window = &w, .fill = fastest(), .tile = ex_run_tile(run, 0)};
	window_set(&w, run->program, 0, run->team->rank);
	if (!run->program->between) {
		w.numbers.term = ex_program_term(run->program, 0, run->team->rank);
		w.numbers.terms = ex_program_terms(run->program, 0);
	}
	window_each(&w, fill_run, &work);
	window_end(&w);
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
	for (int d = 0; program->between && d < program->ranks; d++)
		if (sw_holding_has(&program->between->end[0], d, index))
			return d;
	if (program->between)
		return -1;
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
	if (!wrong->asked)
		return;
	wrong->belongs = w->element == 4 ? find_narrow(wrong->found, elements, &i) :
									   find_wide(w, wrong->found, elements, &i);
	if (!wrong->belongs)
		return;
	ex_unravel(w->tile.dims, w->global, i, wrong->origin);
	wrong->origin_device = first_holder(w->program, wrong->origin);
}

/* -1: none is. */
static int64_t first_different(const void *user, const void *found, const void *right, int64_t count)
{
	const window *w = user;
	const char *one = found, *two = right;
	int64_t i = 0, size = w->element;
	if (memcmp(one, two, (size_t)(count * size)) == 0)
		return -1;
	while (memcmp(one + i * size, two + i * size, (size_t)size) == 0)
		i++;
	return i;
}

/* Element `at` of what the rank has is wrong.  Its place is which of the rank's indices it has in each dimension. */
static void say_wrong(const window *w, int64_t at, const char *expected, const char *found, ex_wrong *wrong)
{
	const ex_program *program = w->program;
	int64_t index[SW_MAX_DIMS] = {0}, place[SW_MAX_DIMS] = {0}, size[SW_MAX_DIMS];
	ex_tile tile = w->tile;
	sw_local local;
	if (program->between && sw_between_local(program->between, w->step > 0, program->rank, w->arena, &local) &&
		sw_local_element(&local, at, index, place)) {
		for (int i = 0; i < tile.dims; i++) {
			size[i] = place[i] + 1;
			index[i] -= place[i];
		}
		tile.size = size;
		tile.base = index;
		at = (int64_t)row_major(tile.dims, size, place);
	}
	ex_wrong_say(wrong, &tile, program->rank, at, expected, found);
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
		int64_t i = first_different(w, found, expected, n);
		if (i < 0)
			continue;
		say_wrong(w, at + done + i, expected + i * w->element, found + i * w->element, wrong);
		return false;
	}
	return true;
}

/* ---- checking terms ---- */

static void place_of(const void *user, int rank, int64_t *base, int64_t *term)
{
	const window *w = user;
	memcpy(base, ex_program_base(w->program, w->step, rank), sizeof(*base) * (size_t)w->tile.dims);
	*term = ex_program_term(w->program, w->step, rank);
}

static void make_sums(const void *user, int64_t at, int64_t count, void *out)
{
	const window *w = user;
	int64_t index[SW_MAX_DIMS];
	for (int64_t n = 0; n < count; n++) {
		ex_unravel(w->tile.dims, w->tile.size, at + n, index);
		for (int i = 0; i < w->tile.dims; i++)
			index[i] += w->tile.base[i];
		make_numbers(&w->numbers, (char *)out + n * w->element, row_major(w->tile.dims, w->global, index), 1);
	}
}

static bool check_terms(const ex_run *run, int k, const window *w, ex_wrong *wrong)
{
	const ex_terms terms = {.tile = w->tile,
		.data = ex_run_tile(run, k),
		.terms = ex_program_terms(w->program, k),
		.place = place_of,
		.right = make_sums,
		.differs = first_different,
		.user = w};
	return ex_terms_check(&terms, run->team, wrong);
}

/* ---- checking sums between types of any kind ---- */

/* The sums of the terms of each element, of numbers with two parts each one after the other. */
static void add_terms(const window *w, int parts, int64_t *sum)
{
	for (int n = 0; n < w->views; n++) {
		const view *v = &w->view[n];
		const numbers of = {w->numbers.dtype, v->term, w->numbers.terms};
		ex_cursor cursor;
		ex_cursor_start(&cursor, &v->shape, 0, v->shape.runs);
		for (; cursor.left > 0; ex_cursor_skip(&cursor, 1))
			for (int64_t i = 0; i < v->shape.run; i++)
				for (int part = 0; part < parts; part++) {
					uint64_t index = v->origin + (uint64_t)(cursor.from + i);
					int64_t *at = &sum[(v->at + cursor.into + i) * parts + part];
					*at = (int64_t)((uint64_t)*at + (uint64_t)number_of(&of, index + (part ? (uint64_t)1 << 63 : 0)));
				}
		ex_watch_work();
	}
}

/* Every element is the sum of the terms that there are of it. */
static bool check_sums(const window *w, const char *tile, ex_wrong *wrong)
{
	sw_dtype dtype = w->numbers.dtype;
	int parts = dtype == SW_C64 || dtype == SW_C128 ? 2 : 1;
	int64_t elements = ex_program_elements(w->program, w->step);
	int64_t *sum = SW_NEW_ZERO(w->arena, int64_t, elements * parts + 1);
	bool right = sum != NULL;
	if (!sum)
		ex_watch_end("out of memory, while data was looked at", "fewer elements take less");
	add_terms(w, parts, sum);
	for (int64_t e = 0; right && e < elements; e++) {
		_Alignas(16) char expected[16];
		const char *found = tile + e * w->element;
		write_number(dtype, sum[e * parts], parts > 1 ? sum[e * parts + 1] : 0, expected);
		right = memcmp(found, expected, (size_t)w->element) == 0;
		if (!right)
			say_wrong(w, e, expected, found, wrong);
	}
	return right;
}

/* ---- checking all ---- */

static void check_each(void *user, int64_t at, uint64_t index, int64_t count)
{
	struct working *work = user;
	const window *w = work->window;
	if (work->right && work->compares)
		work->right = check_run(w, work->fill, work->tile, at, index, count, work->wrong);
	work->digest = digest_add(work->digest, work->tile + at * w->element, count * w->element);
}

bool ex_data_check(const ex_run *run, int k, ex_wrong *wrong, uint64_t *digest)
{
	window w;
	struct working work = {.window = &w,
		.fill = fastest(),
		.tile = ex_run_tile(run, k),
		.right = true,
		.digest = (uint64_t)run->team->rank,
		.wrong = wrong};
	window_set(&w, run->program, k, run->team->rank);
	work.compares = ex_program_terms(run->program, k) == 1;
	if (run->program->between && run->program->adder && k > 0) {
		work.compares = false;
		work.right = check_sums(&w, work.tile, wrong);
	} else if (!work.compares) {
		work.right = check_terms(run, k, &w, wrong);
	}
	window_each(&w, check_each, &work);
	window_end(&w);
	*digest = work.digest;
	return work.right;
}
