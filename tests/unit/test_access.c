/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accesses: images and what has them, against all elements; large ones; joined ones; texts of indices.
 */
#include <shardwalk/access.h>

#include "index/access.h"
#include "index/adjacency.h"
#include "kit/indices.h"

enum { SETS = 20000, REGIONS = 400, MOST_SIZE = 60 };

static bool is_read(const sw_index *index, bool wrap, int64_t letter, int64_t size, int64_t value)
{
	for (int64_t n = 0; n < index->width; n++) {
		int64_t sum = index->factor * letter + index->offset + n;
		int64_t at = (sum - ((sum % index->divisor) + index->divisor) % index->divisor) / index->divisor;
		at = wrap ? (at % size + size) % size : at;
		if (index->whole || at == value)
			return true;
	}
	return false;
}

static sw_index draw_index(draw *random, char letter)
{
	int64_t factor = draw_below(random, 9) - 3;
	sw_index index = {.factor = factor,
		.offset = draw_below(random, 120) - 50,
		.divisor = 1 + draw_below(random, 6),
		.width = 1 + draw_below(random, 2) * draw_below(random, 5)};

	index.letter = factor != 0 ? letter : 0;
	index.whole = draw_below(random, 20) == 0;
	return index;
}

static void images_are_those_of_all_indices(void **state)
{
	(void)state;
	draw random = draw_start("images");

	for (int n = 0; n < SETS; n++) {
		sw_arena_clear(arena);
		int64_t letters = 1 + draw_below(&random, 90), size = 1 + draw_below(&random, MOST_SIZE);
		sw_index index = draw_index(&random, 'i');
		sw_indices of = draw_indices(&random, letters), some = draw_indices(&random, size), image, preimage;
		bool wrap = draw_below(&random, 2);
		assert_true(sw_index_image(&index, &of, size, wrap, arena, &image));
		assert_true(sw_index_preimage(&index, &some, size, wrap, letters, arena, &preimage));
		for (int64_t v = 0; v < size; v++) {
			bool read = false;
			for (int64_t i = 0; i < letters; i++)
				read |= sw_indices_has(&of, i) && is_read(&index, wrap, i, size, v);
			assert_int_equal(sw_indices_has(&image, v), read);
		}
		for (int64_t i = 0; i < letters; i++) {
			bool reads = false;
			for (int64_t v = 0; v < size; v++)
				reads |= sw_indices_has(&some, v) && is_read(&index, wrap, i, size, v);
			assert_int_equal(sw_indices_has(&preimage, i), reads);
		}
		int64_t count = 0;
		for (int64_t v = -5; v < size + 5; v++)
			count += sw_indices_has(&image, v);
		assert_int_equal(sw_indices_size(&image), count);
		count = 0;
		for (int64_t i = -5; i < letters + 5; i++)
			count += sw_indices_has(&preimage, i);
		assert_int_equal(sw_indices_size(&preimage), count);
	}
}

enum { GRAPHS = 1000, MOST_ARCS = 40 };

static bool has_arc(const sw_arc *arc, int64_t count, int64_t from, int64_t to)
{
	for (int64_t k = 0; k < count; k++)
		if (arc[k].from == from && arc[k].to == to)
			return true;
	return false;
}

static void graphs_are_those_of_all_arcs(void **state)
{
	(void)state;
	draw random = draw_start("graphs");

	for (int n = 0; n < GRAPHS; n++) {
		sw_arena_clear(arena);
		int64_t rows = 1 + draw_below(&random, 50), columns = 1 + draw_below(&random, MOST_SIZE);
		int64_t arcs = draw_below(&random, MOST_ARCS);
		sw_arc *arc = SW_NEW(arena, sw_arc, arcs), kept[MOST_ARCS];
		for (int64_t k = 0; k < arcs; k++)
			kept[k] = arc[k] = (sw_arc){draw_below(&random, (int)rows), draw_below(&random, (int)columns)};
		sw_adjacency graph;
		assert_true(sw_adjacency_of_arcs(rows, columns, arcs, arc, arena, &graph));
		sw_index index = {.letter = 'i', .divisor = 1, .width = 1, .graph = &graph};
		sw_indices of = draw_indices(&random, rows), some = draw_indices(&random, columns), image, preimage;
		assert_true(sw_index_image(&index, &of, columns, false, arena, &image));
		assert_true(sw_index_preimage(&index, &some, columns, false, rows, arena, &preimage));
		for (int64_t to = 0; to < columns; to++) {
			bool read = false;
			for (int64_t from = 0; from < rows; from++)
				read |= sw_indices_has(&of, from) && has_arc(kept, arcs, from, to);
			assert_int_equal(sw_indices_has(&image, to), read);
		}
		for (int64_t from = 0; from < rows; from++) {
			bool reads = false;
			for (int64_t to = 0; to < columns; to++)
				reads |= sw_indices_has(&some, to) && has_arc(kept, arcs, from, to);
			assert_int_equal(sw_indices_has(&preimage, from), reads);
		}
	}
}

static const struct large {
	const char *index;
	int64_t first, run, step, count; /* of 2^40 elements */
	bool wrap;
	const char *image, *preimage; /* in 2^40, and of the same family */
} large[] = {
	{"i-1", 0, 64, 6400, 171798691, false, "0:63 6399:6463 12799:12863 .. 1099511615999:1099511616063",
		"1:65 6401:6465 .. 1099511616001:1099511616065"},
	{"2*i", 0, 1, 2, INT64_C(1) << 39, false, "0:1 4:5 .. 1099511627772:1099511627773", "0:549755813888"},
	{"i/2", 0, 2, 4, INT64_C(1) << 38, false, "0:1 2:3 .. 549755813886:549755813887",
		"0:4 8:12 .. 1099511627768:1099511627772"},
	{"i+1", 0, 1, 2, INT64_C(1) << 39, true, "1:2 3:4 .. 1099511627775:1099511627776",
		"1:2 3:4 .. 1099511627775:1099511627776"},
	{"-i+1099511627775", 0, 1, 2, INT64_C(1) << 39, false, "1:2 3:4 .. 1099511627775:1099511627776",
		"1:2 3:4 .. 1099511627775:1099511627776"},
};

static sw_index index_of(const char *text)
{
	sw_diag diag = {0};
	sw_scan scan = {.text = sw_str_of(text), .syntax = SW_T01, .diag = &diag};
	sw_index index;
	sw_span at, letter;

	if (!sw_index_scan(&scan, &index, &at, &letter) || !sw_scan_finish(&scan, "index"))
		fail_msg("index %s: %s", text, diag.message);
	return index;
}

static void is_printed(const sw_indices *indices, const char *text)
{
	sw_text printed = {0};

	sw_indices_print(indices, &printed);
	assert_string_equal(sw_text_get(&printed), text);
	sw_text_free(&printed);
}

static void large_families_are_not_counted_out(void **state)
{
	const struct large *row = *state;
	const int64_t size = INT64_C(1) << 40;
	sw_family family = {row->first, row->run, row->step, row->count};
	sw_indices of = {1, &family}, made;
	sw_index index = index_of(row->index);

	assert_true(sw_index_image(&index, &of, size, row->wrap, arena, &made));
	is_printed(&made, row->image);
	assert_true(sw_index_preimage(&index, &of, size, row->wrap, size, arena, &made));
	is_printed(&made, row->preimage);
}

/* ---- accesses ---- */

enum { RANK = 2, LETTERS = 3, SIDE = 7, POINTS = SIDE * SIDE * SIDE };

static const int64_t sides[] = {SIDE, SIDE, SIDE};
static const sw_letter_ranges letters = {LETTERS, "ijk", sides};

static sw_region draw_points(draw *random, int rank)
{
	sw_region all = {rank, 0, NULL};

	for (int n = 1 + draw_below(random, 3); n > 0; n--) {
		sw_indices *set = SW_NEW(arena, sw_indices, rank);
		bool empty = false;
		for (int d = 0; d < rank; d++) {
			set[d] = draw_indices(random, SIDE);
			empty |= set[d].count == 0;
		}
		assert_true(sw_region_union(&all, &(sw_region){rank, !empty, set}, arena, &all));
	}
	return all;
}

static sw_access draw_access(draw *random)
{
	sw_index *index = SW_NEW(arena, sw_index, RANK);
	int first = draw_below(random, LETTERS);

	for (int d = 0; d < RANK; d++)
		index[d] = draw_index(random, letters.letter[(first + d) % LETTERS]);
	return (sw_access){RANK, index, sides, draw_below(random, 2)};
}

static void point(int number, int rank, int64_t *index)
{
	for (int d = rank - 1; d >= 0; d--) {
		index[d] = number % SIDE;
		number /= SIDE;
	}
}

static bool reads(const sw_access *access, const int64_t *at, const int64_t *element)
{
	for (int d = 0; d < RANK; d++) {
		const sw_index *index = &access->index[d];
		int64_t letter = index->letter != 0 ? at[index->letter - 'i'] : 0;
		if (!is_read(index, access->wrap, letter, SIDE, element[d]))
			return false;
	}
	return true;
}

static void regions_are_those_of_all_points(void **state)
{
	(void)state;
	draw random = draw_start("accesses");

	for (int n = 0; n < REGIONS; n++) {
		sw_arena_clear(arena);
		sw_access access = draw_access(&random);
		sw_region of = draw_points(&random, LETTERS), some = draw_points(&random, RANK), image, preimage;
		bool read[SIDE * SIDE] = {false};
		assert_true(sw_access_image(&access, &letters, &of, arena, &image));
		assert_true(sw_access_preimage(&access, &letters, &some, arena, &preimage));
		for (int p = 0; p < POINTS; p++) {
			int64_t at[LETTERS], element[RANK];
			bool needs = false;
			point(p, LETTERS, at);
			for (int e = 0; e < SIDE * SIDE; e++) {
				point(e, RANK, element);
				bool is = reads(&access, at, element);
				read[e] |= is && sw_region_has(&of, at);
				needs |= is && sw_region_has(&some, element);
			}
			assert_int_equal(sw_region_has(&preimage, at), needs);
		}
		int64_t count = 0;
		for (int e = 0; e < SIDE * SIDE; e++) {
			int64_t element[RANK];
			point(e, RANK, element);
			assert_int_equal(sw_region_has(&image, element), read[e]);
			count += read[e];
		}
		assert_int_equal(sw_region_size(&image), count);
	}
}

enum { MOST_ACCESSES = 6 };

static void joined_accesses_read_the_same(void **state)
{
	(void)state;
	draw random = draw_start("joined accesses");

	for (int n = 0; n < REGIONS; n++) {
		sw_arena_clear(arena);
		int count = 1 + draw_below(&random, MOST_ACCESSES), left;
		sw_access access[MOST_ACCESSES], first = draw_access(&random);
		sw_region of = draw_points(&random, LETTERS), part, all = {RANK, 0, NULL}, joined = {RANK, 0, NULL};
		for (int k = 0; k < count; k++) {
			sw_index *index = SW_NEW(arena, sw_index, RANK);
			memcpy(index, first.index, RANK * sizeof *index);
			for (int d = 0; d < RANK; d++)
				index[d].offset += draw_below(&random, 3);
			access[k] = (sw_access){RANK, index, sides, first.wrap};
			assert_true(sw_access_image(&access[k], &letters, &of, arena, &part));
			assert_true(sw_region_union(&all, &part, arena, &all));
		}
		left = sw_access_join(access, count, arena);
		assert_true(left >= 1 && left <= count);
		for (int k = 0; k < left; k++) {
			assert_true(sw_access_image(&access[k], &letters, &of, arena, &part));
			assert_true(sw_region_union(&joined, &part, arena, &joined));
		}
		assert_true(sw_region_equal(&all, &joined));
	}
}

static void nine_points_are_one_access(void **state)
{
	(void)state;
	sw_index index[9][RANK];
	sw_access access[9];

	for (int n = 0; n < 9; n++) {
		index[n][0] = (sw_index){.letter = 'i', .factor = 1, .offset = n / 3 - 1, .divisor = 1, .width = 1};
		index[n][1] = (sw_index){.letter = 'j', .factor = 1, .offset = n % 3 - 1, .divisor = 1, .width = 1};
		access[n] = (sw_access){RANK, index[n], sides, false};
	}
	assert_int_equal(sw_access_join(access, 9, arena), 1);
	assert_int_equal(access[0].index[0].width, 3);
	assert_int_equal(access[0].index[1].width, 3);
}

/* ---- texts ---- */

static const struct text_row {
	const char *text, *printed;
} texts[] = {
	{":", ":"},
	{"i", "i"},
	{" j ", "j"},
	{"5", "5"},
	{"i-1", "i-1"},
	{"i + 2", "i+2"},
	{"2*i+1", "2*i+1"},
	{"i*2 - 1", "2*i-1"},
	{"1+2*i", "2*i+1"},
	{"-i+23", "-i+23"},
	{"3-i", "-i+3"},
	{"-2*i+30", "-2*i+30"},
	{"i+i", "2*i"},
	{"i-i+4", "4"},
	{"0*i", "0"},
	{"i/2", "i/2"},
	{"(i+1)/2", "(i+1)/2"},
	{"( 2*i - 1 ) / 3", "(2*i-1)/3"},
	{"(i)/2", "i/2"},
	{"i/1", "i"},
};

static void texts_are_read_and_printed(void **state)
{
	const struct text_row *row = *state;
	sw_index index = index_of(row->text), again;
	sw_text text = {0};

	sw_index_print(&index, &text);
	assert_string_equal(sw_text_get(&text), row->printed);
	again = index_of(sw_text_get(&text));
	assert_int_equal(again.whole, index.whole);
	assert_int_equal(again.letter, index.letter);
	assert_int_equal(again.factor, index.factor);
	assert_int_equal(again.offset, index.offset);
	assert_int_equal(again.divisor, index.divisor);
	sw_text_free(&text);
}

static const struct refused_row {
	const char *text, *says; /* in message, expected or hint */
	size_t begin, end;
} refused[] = {
	{"i*i", "affine", 2, 3},
	{"2*i*j", "affine", 3, 4},
	{"i+j", "affine", 2, 3},
	{"i/0", "0", 2, 3},
	{"(i+1)/0", "0", 6, 7},
	{"2*i/3", "brackets", 3, 4},
	{"i/2+1", "affine", 3, 5},
	{"(i+1)", "division", 5, 5},
	{"(i+1", "never closed", 0, 1},
	{"row", "letter", 0, 3},
	{"i1", "letter", 0, 2},
	{"", "letter", 0, 0},
	{"2*", "letter", 2, 2},
	{"9999999*i", "too large", 9, 9},
	{"99999999999999999999", "too large", 0, 20},
	{"i/99999999", "1048576", 2, 10},
};

static void what_is_no_index_is_refused(void **state)
{
	const struct refused_row *row = *state;
	sw_diag diag = {0};
	sw_scan scan = {.text = sw_str_of(row->text), .syntax = SW_T01, .diag = &diag};
	sw_index index;
	sw_span at, letter;

	assert_false(sw_index_scan(&scan, &index, &at, &letter) && sw_scan_finish(&scan, "index"));
	if (strstr(diag.message, row->says) == NULL && strstr(diag.expected, row->says) == NULL &&
		strstr(diag.hint, row->says) == NULL)
		fail_msg("%s: %s; expected %s; %s", row->text, diag.message, diag.expected, diag.hint);
	assert_int_equal(diag.at.begin, row->begin);
	assert_int_equal(diag.at.end, row->end);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(images_are_those_of_all_indices),
		TEST(graphs_are_those_of_all_arcs),
		ROWS(large_families_are_not_counted_out, large, index),
		TEST(regions_are_those_of_all_points),
		TEST(joined_accesses_read_the_same),
		TEST(nine_points_are_one_access),
		ROWS(texts_are_read_and_printed, texts, text),
		ROWS(what_is_no_index_is_refused, refused, text),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
