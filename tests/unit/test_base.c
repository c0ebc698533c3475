/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of engine/base: arenas, text, numbers, diagnostics, the table of codes.
 */
#include <limits.h>
#include <math.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/number.h>
#include <shardwalk/text.h>

#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/mutate.h"

/* Arenas. */

static void arena_gives_aligned_separate_pieces(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	unsigned char *pieces[200];
	for (int i = 0; i < 200; i++) {
		pieces[i] = SW_NEW(arena, unsigned char, 7 * i + 1);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		memset(pieces[i], i, (size_t)(7 * i + 1));
	}
	for (int i = 0; i < 200; i++)
		for (int j = 0; j <= 7 * i; j++)
			assert_int_equal(pieces[i][j], i);
	sw_arena_free(arena);
	sw_arena_free(NULL);
}

static void arrays_of_an_arena_grow(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	int *numbers = NULL, room = 0;
	for (int i = 0; i < 1000; i++) {
		assert_true(SW_GROW(arena, numbers, i, room, 3));
		assert_int_equal(room % 3, 0);
		assert_in_range(room, i + 1, i < 3 ? 3 : 2 * i);
		numbers[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
	const int *before = numbers;
	assert_true(SW_GROW(arena, numbers, 1000, room, 3));
	assert_ptr_equal(numbers, before);
	room = INT_MAX;
	assert_false(SW_GROW(arena, numbers, INT_MAX, room, 3));
	assert_ptr_equal(numbers, before);
	sw_arena_free(arena);
}

static void arena_refuses_what_cannot_be(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	assert_null(sw_arena_alloc(arena, SIZE_MAX / 2, 3));
	assert_null(sw_arena_alloc(arena, SIZE_MAX, 1));
	assert_null(sw_arena_copy(arena, "", SIZE_MAX));
	assert_non_null(sw_arena_alloc(arena, 0, 16));
	sw_arena_free(arena);
}

static void arena_zero_and_copy(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	memset(SW_NEW(arena, char, 4096), 0xFF, 4096);
	sw_arena_clear(arena);
	int64_t *zero = SW_NEW_ZERO(arena, int64_t, 512);
	for (int i = 0; i < 512; i++)
		assert_int_equal(zero[i], 0);
	assert_string_equal(sw_arena_copy(arena, "shard and walk", 5), "shard");
	assert_string_equal(sw_arena_copy(arena, NULL, 0), "");
	sw_arena_free(arena);
}

static void arena_goes_back_and_clears(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_arena_mark empty = sw_arena_here(arena);
	char *kept = sw_arena_copy(arena, "kept", 4);
	sw_arena_mark mark = sw_arena_here(arena);
	char *first = SW_NEW(arena, char, 100);
	for (int round = 0; round < 50; round++) {
		sw_arena_back(arena, mark);
		assert_ptr_equal(SW_NEW(arena, char, 100), first);
		assert_non_null(SW_NEW(arena, char, 300000));
	}
	assert_string_equal(kept, "kept");
	assert_true(sw_arena_bytes(arena) < 1000000);
	sw_arena_back(arena, empty);
	sw_arena_clear(arena);
	size_t bytes = sw_arena_bytes(arena);
	assert_true(bytes >= 300000);
	assert_non_null(SW_NEW(arena, char, 300000));
	assert_int_equal(sw_arena_bytes(arena), bytes);
	sw_arena_free(arena);
}

/* Text. */

static void text_grows(void **state)
{
	(void)state;
	sw_text text = {0};
	assert_string_equal(sw_text_get(&text), "");
	for (int i = 0; i < 1000; i++) {
		sw_text_addf(&text, "%d", i % 10);
		sw_text_add_char(&text, ',');
		sw_text_add(&text, "");
		sw_text_add_str(&text, (sw_str){NULL, 0});
	}
	assert_int_equal(text.length, 2000);
	assert_int_equal(strlen(sw_text_get(&text)), 2000);
	assert_memory_equal(text.data + 1990, "5,6,7,8,9,", 10);
	sw_text_clear(&text);
	assert_string_equal(sw_text_get(&text), "");
	sw_text_addf(&text, "%*d", 5000, 7);
	assert_int_equal(text.length, 5000);
	assert_false(text.failed);
	sw_text_clear(&text);
	static const int64_t numbers[] = {0, 7, -10, INT64_MAX, INT64_MIN};
	for (int i = 0; i < 5; i++) {
		sw_text_add_int(&text, numbers[i]);
		sw_text_add_char(&text, ' ');
	}
	assert_string_equal(sw_text_get(&text), "0 7 -10 9223372036854775807 -9223372036854775808 ");
	sw_text_free(&text);
	assert_null(text.data);
}

/* Encodings of files. */

enum { NARROW, LITTLE, BIG };

/* Letters of UTF-8 below U+10000 and one pair, in one of three encodings. */
static void encode(const char *text, int order, sw_text *out)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		unsigned c = *at;
		if (order == NARROW) {
			sw_text_add_char(out, (char)c);
			continue;
		}
		if (c >= 0xE0)
			c = (c & 15u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u), at += 2;
		else if (c >= 0xC0)
			c = (c & 31u) << 6 | (at[1] & 63u), at++;
		sw_text_add_char(out, (char)(order == LITTLE ? c & 255 : c >> 8));
		sw_text_add_char(out, (char)(order == LITTLE ? c >> 8 : c & 255));
	}
}

static void expect_decoded(const sw_text *file, const char *expected, size_t zeros)
{
	sw_text text = {0};
	char *alone = malloc(file->length); /* reading behind its end is noticed */
	assert_non_null(alone);
	memcpy(alone, file->data, file->length);
	assert_int_equal(sw_text_decode((sw_str){alone, file->length}, &text), zeros);
	assert_string_equal(sw_text_get(&text), expected);
	assert_int_equal(text.length, strlen(expected));
	sw_text_free(&text);
	free(alone);
}

#define WIDE_TEXT "d\xC3\xA9 \xE2\x86\x92 \xE3\x81\xAB\n{devices=[2,1,4]<=[4,2]T(1,0)} \xE2\x86\x92 x\r\nend of it\n"
#define NARROW_TEXT "E0531 10:54:04.832741 1 spmd_partitioner.cc:569] [spmd]\n"

static void text_is_decoded(void **state)
{
	(void)state;
	static const char *const marks[] = {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"};
	for (int order = NARROW; order <= BIG; order++)
		for (int marked = 0; marked < 2; marked++) {
			sw_text file = {0};
			if (marked)
				sw_text_add(&file, marks[order]);
			encode(WIDE_TEXT, order, &file);
			assert_int_equal(sw_text_is_encoded((sw_str){file.data, file.length}), marked || order != NARROW);
			expect_decoded(&file, WIDE_TEXT, 0);
			sw_text_free(&file);
		}
	sw_text pair = {0};
	sw_text_add_str(&pair, (sw_str){"\xFF\xFE\x3D\xD8\x00\xDE\x3D\xD8\x20\x00!", 11});
	expect_decoded(&pair, "\xF0\x9F\x98\x80\xEF\xBF\xBD !", 0);
	sw_text_free(&pair);
}

/* What two programs appended, each in its own encoding, the second one perhaps with its mark. */
static void text_is_decoded_in_parts(void **state)
{
	(void)state;
	for (int first = NARROW; first <= BIG; first++)
		for (int second = NARROW; second <= BIG; second++)
			for (int marked = 0; marked < 2; marked++) {
				sw_text file = {0};
				encode(NARROW_TEXT NARROW_TEXT, first, &file);
				if (marked && second != NARROW)
					sw_text_add(&file, second == LITTLE ? "\xFF\xFE" : "\xFE\xFF");
				encode(NARROW_TEXT, second, &file);
				expect_decoded(&file, NARROW_TEXT NARROW_TEXT NARROW_TEXT, 0);
				sw_text_free(&file);
			}
}

/* Whatever the bytes are, the text has no zero in it, is not much longer, and stays what it is when it is decoded again. */
static void expect_text(const char *bytes, size_t length)
{
	sw_text once = {0}, again = {0};
	sw_text_decode((sw_str){bytes, length}, &once);
	assert_true(once.length <= length + length / 2 + 3);
	assert_null(once.length ? memchr(once.data, 0, once.length) : NULL);
	bool marked = once.length && (*once.data == '\xEF' || *once.data == '\xFE' || *once.data == '\xFF');
	assert_int_equal(sw_text_decode((sw_str){once.data, once.length}, &again), 0);
	bool same = again.length == once.length && (!once.length || memcmp(again.data, once.data, once.length) == 0);
	if (!marked && !same)
		fail_msg("%zu bytes become %zu, then %zu", length, once.length, again.length);
	sw_text_free(&once);
	sw_text_free(&again);
}

static void damaged_text_is_decoded(void **state)
{
	static const char *const parts[] = {"\xFF\xFE", "\xFE\xFF", "\xEF\xBB\xBF", "sharding={devices=[4]<=[4]}\n",
		"\xC3\xA9\xE2\x82\xAC"};
	draw from = draw_start("decode");
	mutant m;
	(void)state;
	for (int round = 0; round < 20000; round++) {
		mutant_start(&m, "");
		for (int k = draw_below(&from, 6); k >= 0; k--) {
			const char *part = parts[draw_below(&from, (int)(sizeof parts / sizeof *parts))];
			int wide = draw_below(&from, 3);
			for (const char *c = part; *c; c++) {
				if (wide == 2)
					mutant_insert(&m, m.length, "", 1);
				mutant_insert(&m, m.length, c, 1);
				if (wide == 1)
					mutant_insert(&m, m.length, "", 1);
			}
		}
		for (int k = draw_below(&from, 4); k > 0; k--)
			mutant_change(&m, &from);
		char *copy = mutant_copy(&m);
		assert_non_null(copy);
		expect_text(copy, m.length);
		free(copy);
	}
}

/* A crash leaves blocks of zero bytes, of any length. */
static void zero_bytes_are_blanks(void **state)
{
	(void)state;
	static const char zeros[5];
	for (int order = NARROW; order <= BIG; order++)
		for (size_t count = 1; count <= 4; count++) {
			sw_text file = {0}, text = {0};
			encode(NARROW_TEXT, order, &file);
			sw_text_add_str(&file, (sw_str){zeros, count});
			encode(NARROW_TEXT, order, &file);
			sw_text_add_str(&file, (sw_str){zeros, count});
			assert_true(order != NARROW || sw_text_decode((sw_str){file.data, file.length}, &text) == 2 * count);
			if (order != NARROW)
				sw_text_decode((sw_str){file.data, file.length}, &text);
			assert_memory_equal(text.data, NARROW_TEXT, strlen(NARROW_TEXT));
			assert_non_null(strstr(text.data + strlen(NARROW_TEXT), NARROW_TEXT));
			assert_true(text.length <= 2 * strlen(NARROW_TEXT) + 2 * count);
			sw_text_free(&file);
			sw_text_free(&text);
		}
}

static void text_trims_and_compares(void **state)
{
	(void)state;
	assert_true(sw_str_is(sw_str_trim(sw_str_of(" \t a b\r\n")), "a b"));
	assert_int_equal(sw_str_trim(sw_str_of(" \n ")).length, 0);
	assert_true(sw_str_equal((sw_str){NULL, 0}, sw_str_of("")));
	assert_false(sw_str_is(sw_str_of("ab"), "abc"));
}

/* The whole table of optimal string alignment, without bounds. */
static int naive_distance(sw_str a, sw_str b)
{
	int cell[20][20];
	for (size_t i = 0; i <= a.length; i++)
		for (size_t j = 0; j <= b.length; j++) {
			int best = i == 0 ? (int)j : j == 0 ? (int)i : 1000;
			if (i && j) {
				int replace = cell[i - 1][j - 1] + (a.at[i - 1] != b.at[j - 1]);
				int remove = cell[i - 1][j] + 1, insert = cell[i][j - 1] + 1;
				best = replace < remove ? replace : remove;
				best = insert < best ? insert : best;
			}
			if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1] &&
				cell[i - 2][j - 2] + 1 < best)
				best = cell[i - 2][j - 2] + 1;
			cell[i][j] = best;
		}
	return cell[a.length][b.length];
}

static void distance_agrees_with_the_whole_table(void **state)
{
	(void)state;
	draw random = draw_start("distance");
	for (int round = 0; round < 20000; round++) {
		char letters[2][16];
		sw_str word[2];
		for (int w = 0; w < 2; w++) {
			word[w] = (sw_str){letters[w], (size_t)draw_below(&random, 13)};
			for (size_t i = 0; i < word[w].length; i++)
				letters[w][i] = (char)('a' + draw_below(&random, 3));
		}
		int limit = draw_below(&random, 14), right = naive_distance(word[0], word[1]);
		assert_int_equal(sw_str_distance(word[0], word[1], limit), right <= limit ? right : limit + 1);
	}
}

static void nearest_name(void **state)
{
	(void)state;
	static const char *const names[] = {"mesh", "plan", "compare", "verify", "X"};
	assert_int_equal(sw_str_nearest(sw_str_of("plna"), names, 5), 1);
	assert_int_equal(sw_str_nearest(sw_str_of("comapre"), names, 5), 2);
	assert_int_equal(sw_str_nearest(sw_str_of("VERIFY"), names, 5), 3);
	assert_int_equal(sw_str_nearest(sw_str_of("x"), names, 5), 4);
	assert_int_equal(sw_str_nearest(sw_str_of("y"), names, 5), -1);
	assert_int_equal(sw_str_nearest(sw_str_of("elephant"), names, 5), -1);
	assert_int_equal(sw_str_nearest(sw_str_of(""), names, 5), -1);
}

/* Numbers. */

static void slices_begin_and_end(void **state)
{
	const sw_str text = {"abcd", 3};
	(void)state;
	assert_true(sw_str_starts(text, "") && sw_str_starts(text, "ab") && sw_str_starts(text, "abc"));
	assert_false(sw_str_starts(text, "abcd") || sw_str_starts(text, "b"));
	assert_true(sw_str_ends(text, "") && sw_str_ends(text, "bc") && sw_str_ends(text, "abc"));
	assert_false(sw_str_ends(text, "cd") || sw_str_ends(text, "xabc"));
	assert_true(sw_str_is(sw_str_behind(text, 1), "bc") && sw_str_is(sw_str_behind(text, 3), ""));
}

static void divisors_are_the_greatest(void **state)
{
	(void)state;
	for (int64_t a = 0; a < 40; a++)
		for (int64_t b = 0; b < 40; b++) {
			int64_t divisor = a > b ? a : b;
			while (divisor > 1 && (a % divisor || b % divisor))
				divisor--;
			assert_int_equal(sw_gcd(a, b), divisor);
		}
}

static void products_are_checked(void **state)
{
	(void)state;
	int64_t out = 5;
	assert_false(sw_mul(INT64_MAX, 2, &out));
	assert_false(sw_mul(INT64_MIN, -1, &out));
	assert_false(sw_add(INT64_MAX, 1, &out));
	assert_int_equal(out, 5);
	assert_true(sw_mul((int64_t)1 << 31, (int64_t)1 << 31, &out) && out == (int64_t)1 << 62);
	assert_true(sw_add(INT64_MAX, -1, &out) && out == INT64_MAX - 1);
}

static void check_factors(int64_t n)
{
	int64_t primes[63], product = 1;
	int count = sw_prime_factors(n, primes);
	for (int i = 0; i < count; i++) {
		assert_true(i == 0 || primes[i - 1] <= primes[i]);
		assert_true(sw_mul(product, primes[i], &product));
		for (int64_t d = 2; d * d <= primes[i] && d < 2000; d++)
			assert_int_not_equal(primes[i] % d, 0);
	}
	assert_int_equal(product, n);
}

static void factors_are_primes_ascending(void **state)
{
	(void)state;
	int64_t primes[63];
	assert_int_equal(sw_prime_factors(1, primes), 0);
	assert_int_equal(sw_prime_factors((int64_t)1 << 62, primes), 62);
	assert_int_equal(sw_prime_factors(INT64_MAX, primes), 7);
	assert_int_equal(primes[6], 649657);
	assert_int_equal(sw_prime_factors(9223372036854775783, primes), 1); /* the largest prime below 2^63 */
	assert_int_equal(sw_prime_factors(3037000493 * 3037000493, primes), 2);
	assert_int_equal(primes[1], 3037000493);
	for (int64_t n = 1; n < 70000; n += 3)
		check_factors(n);
	draw random = draw_start("factors");
	for (int i = 0; i < 300; i++)
		check_factors((int64_t)(draw_bits(&random) >> (1 + draw_below(&random, 40))) + 1);
}

static void numbers_are_read(void **state)
{
	(void)state;
	int64_t out = -7;
	bool overflow;
	assert_true(sw_read_int(sw_str_of("9223372036854775807"), &out, &overflow) && out == INT64_MAX && !overflow);
	assert_true(sw_read_int(sw_str_of("007"), &out, NULL) && out == 7);
	assert_false(sw_read_int(sw_str_of("9223372036854775808"), &out, &overflow));
	assert_true(overflow);
	static const char *const refused[] = {"", "-1", "+1", " 1", "1 ", "1.5", "0x10", "99999999999999999999x"};
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		assert_false(sw_read_int(sw_str_of(refused[i]), &out, &overflow));
		assert_false(overflow);
	}
	assert_int_equal(out, 7);
}

typedef struct number_row {
	int64_t n;
	const char *count;
	const char *bytes;
} number_row;

static const number_row numbers_are_printed_rows[] = {
	{0, "0", "0 B"},
	{999, "999", "999 B"},
	{1024, "1024", "1 KiB"},
	{1536, "1536", "1.5 KiB"},
	{10240, "10 240", "10 KiB"},
	{123456, "123 456", "120.6 KiB"},
	{1048575, "1 048 575", "1 MiB"},
	{32715571, "32 715 571", "31.2 MiB"},
	{-12345, "-12 345", "-12.1 KiB"},
	{-999, "-999", "-999 B"},
	{INT64_MAX, "9 223 372 036 854 775 807", "8 EiB"},
	{INT64_MIN, "-9 223 372 036 854 775 808", "-8 EiB"},
};

static void numbers_are_printed(void **state)
{
	const number_row *row = *state;
	sw_text text = {0};
	sw_text_clear(&text);
	sw_print_count(&text, row->n);
	assert_string_equal(sw_text_get(&text), row->count);
	sw_text_clear(&text);
	sw_print_bytes(&text, row->n);
	assert_string_equal(sw_text_get(&text), row->bytes);
	sw_text_free(&text);
}

typedef struct real_row {
	double bytes;
	int64_t nearest;
	const char *printed;
} real_row;

static const real_row real_amounts_are_printed_rows[] = {
	{-0x1p70, INT64_MIN, "-8 EiB"},
	{-1.5, -2, "-2 B"},
	{0, 0, "0 B"},
	{1023.4, 1023, "1023 B"},
	{1023.5, 1024, "1 KiB"},
	{0x1p52 + 1, 4503599627370497, "4 PiB"},
	{8.9e18, 8900000000000000000, "7.7 EiB"},
	{9e18, 9000000000000000000, "huge"},
	{0x1p63, INT64_MAX, "huge"},
	{2.95148e21, INT64_MAX, "huge"},
	{INFINITY, INT64_MAX, "huge"},
};

static void real_amounts_are_printed(void **state)
{
	const real_row *row = *state;
	sw_text text = {0};
	assert_int_equal(sw_nearest(row->bytes), row->nearest);
	sw_print_real_bytes(&text, row->bytes);
	assert_string_equal(sw_text_get(&text), row->printed);
	sw_text_free(&text);
}

/* Diagnostics. */

static void diagnostics_are_filled(void **state)
{
	(void)state;
	sw_diag diag;
	memset(&diag, 0xAA, sizeof(diag));
	assert_false(sw_diag_set(&diag, SW_T04, (sw_span){3, 5}, "size %d", 7));
	assert_string_equal(diag.message, "size 7");
	assert_string_equal(diag.hint, "");
	assert_int_equal(diag.also.end, 0);
	sw_diag_expected(&diag, "%s", "12");
	sw_diag_found(&diag, "13");
	sw_diag_hint(&diag, "write 12");
	sw_diag_shift(&diag, 10);
	assert_int_equal(diag.at.begin, 13);
	assert_int_equal(diag.at.end, 15);
	assert_int_equal(diag.also.begin, 0);
	sw_diag_also(&diag, (sw_span){1, 2}, "there");
	sw_diag_shift(&diag, 1);
	assert_int_equal(diag.also.begin, 2);
	assert_string_equal(diag.also_label, "there");
	assert_string_equal(diag.expected, "12");
	assert_string_equal(diag.found, "13");
	assert_false(sw_diag_memory(&diag));
	assert_int_equal(diag.code, SW_E01);
	assert_string_equal(diag.found, "");
}

static void diagnostics_may_be_null(void **state)
{
	(void)state;
	assert_false(sw_diag_set(NULL, SW_T04, (sw_span){3, 5}, "size"));
	sw_diag_expected(NULL, "x");
	sw_diag_found(NULL, "x");
	sw_diag_hint(NULL, "x");
	sw_diag_also(NULL, (sw_span){1, 2}, "x");
	sw_diag_shift(NULL, 1);
	assert_false(sw_diag_memory(NULL));
}

static void long_text_ends_in_dots(void **state)
{
	(void)state;
	sw_diag diag;
	sw_diag_set(&diag, SW_T01, (sw_span){0, 0}, "%0300d", 0);
	assert_int_equal(strlen(diag.message), sizeof(diag.message) - 1);
	assert_string_equal(diag.message + sizeof(diag.message) - 4, "...");
	for (int lead = 0; lead < 3; lead++) {
		sw_diag_found(&diag, "%*s%s%s%s%s", 180 + lead, "", "\u20ac\u20ac", "\u20ac\u20ac", "\u20ac\u20ac", "\u20ac");
		size_t length = strlen(diag.found);
		assert_string_equal(diag.found + length - 3, "...");
		assert_int_equal((length - 3 - (180 + (size_t)lead)) % 3, 0);
	}
}

static void every_code_is_explained(void **state)
{
	(void)state;
	int count = 0;
	for (int code = SW_OK + 1; code < SW_CODE_COUNT; code++, count++) {
		const sw_code_info *info = sw_code_info_of((sw_code)code);
		assert_non_null(info);
		assert_int_equal(strlen(info->name), 3);
		assert_int_equal(sw_code_named(info->name, 3), code);
		assert_true(strlen(info->title) > 3);
		assert_true(strlen(info->rule) > 60);
		assert_int_equal(info->rule[strlen(info->rule) - 1], '.');
		assert_non_null(strstr(info->example, "# right"));
		assert_true(strstr(info->example, "wrong") || code == SW_S03);
	}
	assert_true(count > 60);
	assert_null(sw_code_info_of(SW_OK));
	assert_null(sw_code_info_of(SW_CODE_COUNT));
	assert_int_equal(sw_code_named("t04", 3), SW_T04);
	assert_int_equal(sw_code_named("T04", 2), SW_OK);
	assert_int_equal(sw_code_named("Q99", 3), SW_OK);
}

static bool pulse_until_three(void *context, const char *what, long long done, long long total)
{
	assert_string_equal(what, "nodes");
	assert_int_equal(total, 10);
	++*(int *)context;
	return done < 3;
}

static void pulse_asks(void **state)
{
	(void)state;
	int asked = 0;
	sw_pulse pulse = {pulse_until_three, &asked};
	assert_true(sw_pulse_beat(&pulse, "nodes", 2, 10));
	assert_false(sw_pulse_beat(&pulse, "nodes", 3, 10));
	assert_int_equal(asked, 2);
	assert_true(sw_pulse_beat(NULL, "nodes", 3, 10));
}

/* Bytes are told as they were typed, and what is to be typed is exact. */
static void sizes_as_typed(void **state)
{
	(void)state;
	static const struct {
		int64_t elements;
		int bytes;
		sw_unit unit;
		const char *said, *typed;
	} rows[] = {
		{6, 4, SW_UNIT_ELEMENTS, "6 elements", "6"},
		{1, 4, SW_UNIT_ELEMENTS, "1 element", "1"},
		{6, 4, SW_UNIT_BYTES, "24 B (6 elements)", "24B"},
		{10000, 4, SW_UNIT_BYTES, "40000 B (10 000 elements)", "40000B"},
		{1, 4, SW_UNIT_DECIMAL, "4 B (1 element)", "4B"},
		{INT64_C(7812500000), 4, SW_UNIT_DECIMAL, "31.25 GB (7 812 500 000 elements)", "31.25GB"},
		{INT64_C(8137500000), 4, SW_UNIT_DECIMAL, "32.55 GB (8 137 500 000 elements)", "32.55GB"},
		{INT64_C(8137500001), 4, SW_UNIT_DECIMAL, "32.55 GB (8 137 500 001 elements)", "32550000004B"},
		{1 << 29, 4, SW_UNIT_BINARY, "2 GiB (536 870 912 elements)", "2GiB"},
		{(1 << 29) + 256, 4, SW_UNIT_BINARY, "2 GiB (536 871 168 elements)", "2147484672B"},
		{1024, 16, SW_UNIT_DECIMAL, "16.38 kB (1024 elements)", "16.384kB"},
		{INT64_MAX, 16, SW_UNIT_DECIMAL, "147573952.59 TB (9 223 372 036 854 775 807 elements)", NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_string_equal(sw_size_said(rows[i].elements, rows[i].bytes, rows[i].unit).text, rows[i].said);
		if (rows[i].typed)
			assert_string_equal(sw_size_typed(rows[i].elements, rows[i].bytes, rows[i].unit).text, rows[i].typed);
	}
	sw_unit unit = SW_UNIT_BYTES;
	for (sw_unit u = SW_UNIT_ELEMENTS; u <= SW_UNIT_BINARY; u++)
		assert_true(sw_unit_parse(sw_str_of(sw_unit_name(u)), &unit) && unit == u);
	assert_false(sw_unit_parse(sw_str_of("TB"), &unit));
}

/* Words and brackets. */

static void words_are_taken(void **state)
{
	(void)state;
	sw_str rest = sw_str_of("  one\ttwo, [a b]  ");
	assert_true(sw_str_is(sw_str_word(&rest), "one") && sw_str_is(rest, "two, [a b]"));
	assert_true(sw_str_is(sw_str_word(&rest), "two,") && sw_str_is(sw_str_word(&rest), "[a"));
	assert_true(sw_str_is(sw_str_word(&rest), "b]") && rest.length == 0);
	assert_int_equal(sw_str_word(&rest).length, 0);
}

/* `text` begins with a bracket that closes after `length` bytes; 0: it never does. */
static void brackets_are_balanced(void **state)
{
	static const struct {
		sw_nesting as;
		const char *text;
		size_t length;
	} rows[] = {
		{SW_NESTING_PLAIN, "(a[1]{2}) b", 9},
		{SW_NESTING_PLAIN, "(a", 0},
		{SW_NESTING_PLAIN, ")a", 0},
		{SW_NESTING_PLAIN, "(')')", 3},
		{SW_NESTING_TYPES, "{'}': 4}", 8},
		{SW_NESTING_TYPES, "{a': 4}", 7},
		{SW_NESTING_TYPES, "[<]", 3},
		{SW_NESTING_VALUES, "[<]", 0},
		{SW_NESTING_PLAIN, "", 0},
		{SW_NESTING_PLAIN, "f(a)", 0},
		{SW_NESTING_PYTHON, "('(', \")\")", 10},
		{SW_NESTING_PYTHON, "('a)", 0},
		{SW_NESTING_HLO, "(\"\\\")\", /*)*/ -> >')", 20},
		{SW_NESTING_HLO, "(/*)", 0},
		{SW_NESTING_HLO, "(\")", 0},
		{SW_NESTING_MLIR, "<(a) -> b<\">\">> >", 15},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(sw_str_balanced(sw_str_of(rows[i].text), 0, rows[i].as), rows[i].length);
}

static void lists_are_split(void **state)
{
	static const struct {
		sw_nesting as;
		const char *list, *item[4];
	} rows[] = {
		{SW_NESTING_PLAIN, "", {""}},
		{SW_NESTING_PLAIN, " a , (b, c)d,", {"a", "(b, c)d", ""}},
		{SW_NESTING_PLAIN, "',',a", {"'", "'", "a"}},
		{SW_NESTING_TYPES, "',',a',b", {"','", "a'", "b"}},
		{SW_NESTING_PYTHON, "',',a',b", {"','", "a',b"}},
		{SW_NESTING_HLO, "/*a,*/ b, \",\"", {"/*a,*/ b", "\",\""}},
		{SW_NESTING_MLIR, "t<1,2>, (a, b) -> c", {"t<1,2>", "(a, b) -> c"}},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		sw_str list = sw_str_of(rows[i].list);
		int count = 0;
		for (size_t at = 0; at <= list.length; count++) {
			assert_non_null(rows[i].item[count]);
			assert_true(sw_str_is(sw_str_split(list, &at, rows[i].as), rows[i].item[count]));
		}
		assert_null(rows[i].item[count]);
	}
	assert_int_equal(sw_str_outside(sw_str_of("f(a=1) = b"), 0, SW_NESTING_PYTHON, "="), 7);
	assert_int_equal(sw_str_outside(sw_str_of("(a"), 0, SW_NESTING_PLAIN, "a"), 2);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(sizes_as_typed),
		TEST(arena_gives_aligned_separate_pieces),
		TEST(arrays_of_an_arena_grow),
		TEST(arena_refuses_what_cannot_be),
		TEST(arena_zero_and_copy),
		TEST(arena_goes_back_and_clears),
		TEST(text_grows),
		TEST(text_trims_and_compares),
		TEST(text_is_decoded),
		TEST(text_is_decoded_in_parts),
		TEST(damaged_text_is_decoded),
		TEST(zero_bytes_are_blanks),
		TEST(words_are_taken),
		TEST(brackets_are_balanced),
		TEST(lists_are_split),
		TEST(distance_agrees_with_the_whole_table),
		TEST(nearest_name),
		TEST(slices_begin_and_end),
		TEST(divisors_are_the_greatest),
		TEST(products_are_checked),
		TEST(factors_are_primes_ascending),
		TEST(numbers_are_read),
		ROWS(numbers_are_printed, numbers_are_printed_rows, count),
		ROWS(real_amounts_are_printed, real_amounts_are_printed_rows, printed),
		TEST(diagnostics_are_filled),
		TEST(diagnostics_may_be_null),
		TEST(long_text_ends_in_dots),
		TEST(every_code_is_explained),
		TEST(pulse_asks),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
