/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Digits: lists, texts and groups, against lists of numbers written out.
 */
#include "kit/draw.h"
#include "index/digits.h"
#include "kit/kit.h"

enum { MOST = 96 };

/* A permuted mixed radix of at most MOST numbers. */
static int draw_digits(draw *random, sw_digit *digit, int64_t *total)
{
	int count = draw_below(random, 5);

	*total = 1;
	for (int k = 0; k < count; k++) {
		int64_t size = 1 + draw_below(random, 3);

		digit[k] = (sw_digit){.size = size, .stride = *total};
		*total *= size;
	}
	for (int k = count - 1; k > 0; k--) {
		int other = draw_below(random, k + 1);
		sw_digit kept = digit[k];

		digit[k] = digit[other];
		digit[other] = kept;
	}
	return count;
}

static void same_values(const sw_digit *a, int a_count, const sw_digit *b, int b_count, int64_t total)
{
	int64_t one[MOST], two[MOST];

	sw_digits_expand(a, a_count, one);
	sw_digits_expand(b, b_count, two);
	assert_memory_equal(one, two, sizeof *one * (size_t)total);
}

static void test_lists(void **state)
{
	draw random = draw_start("digits");
	sw_digit digit[8], other[SW_MAX_DIGITS];
	int64_t total, value[MOST];

	(void)state;
	for (int n = 0; n < 2000; n++) {
		int count = draw_digits(&random, digit, &total), found;

		sw_digits_expand(digit, count, value);
		for (int64_t i = 0; i < total; i++)
			assert_int_equal(value[i], sw_digits_at(digit, count, i));
		found = sw_digits_of_list(value, total, other, SW_MAX_DIGITS);
		assert_true(found >= 0);
		same_values(digit, count, other, found, total);
		memcpy(other, digit, sizeof digit);
		int merged = sw_digits_merge(other, count);
		assert_true(merged <= count);
		same_values(digit, count, other, merged, total);
	}
}

static void test_texts(void **state)
{
	draw random = draw_start("digits");
	sw_digit digit[8], read[SW_MAX_DIGITS];
	int64_t total, again;

	(void)state;
	for (int n = 0; n < 2000; n++) {
		int count = draw_digits(&random, digit, &total);
		sw_text text = {0};
		sw_diag diag;

		count = sw_digits_merge(digit, count);
		assert_true(sw_digits_print(digit, count, total, &text));
		sw_scan scan = {.text = {text.data, text.length}, .syntax = SW_N01, .diag = &diag};
		int found = sw_digits_scan(&scan, read, SW_MAX_DIGITS, &again);
		assert_true(found >= 0 && again == total && scan.at == text.length);
		same_values(digit, count, read, found, total);
		sw_text_free(&text);
	}
}

/* Each group is what it was, in its order; groups stand in the order of the other digits. */
static void test_groups(void **state)
{
	draw random = draw_start("digits");
	sw_digit digit[8], member[SW_MAX_DIGITS];
	int64_t total, value[MOST];

	(void)state;
	for (int n = 0; n < 2000; n++) {
		int count = sw_digits_merge(digit, draw_digits(&random, digit, &total)),
			inside = draw_below(&random, count + 1);
		sw_groups groups, read;
		sw_text text = {0};

		sw_groups_over(digit, inside, total, &groups);
		assert_int_equal(groups.groups * groups.size, total);
		sw_groups_print(&groups, &text);
		assert_true(sw_groups_parse((sw_str){text.data, text.length}, total, &read));
		assert_int_equal(read.size, groups.size);
		same_values(groups.digit, groups.count, read.digit, read.count, total);
		int members = sw_groups_members(&read, member);
		assert_true(members >= 0);
		same_values(digit, inside, member, members, groups.size);
		sw_digits_expand(read.digit, read.count, value);
		for (int64_t i = groups.size; i < total; i += groups.size)
			assert_true(value[i] > value[i - groups.size]);
		sw_text_free(&text);
	}
}

static void test_what_is_none(void **state)
{
	static const int64_t lists[][4] = {{1, 0, 2, 3}, {0, 2, 1, 4}, {0, 0, 1, 1}, {0, 3, 2, 1}};
	sw_digit digit[SW_MAX_DIGITS];
	sw_groups groups;

	(void)state;
	for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
		assert_int_equal(sw_digits_of_list(lists[n], 4, digit, SW_MAX_DIGITS), -1);
	assert_true(sw_groups_parse(sw_str_of("[4,3]<=[2,6]T(1,0)"), 12, &groups));
	assert_int_equal(sw_groups_members(&groups, digit), -1);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_lists),
		TEST(test_texts),
		TEST(test_groups),
		TEST(test_what_is_none),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
