/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every unit test needs: cmocka, and tables whose rows are tests of their own, each counted and named.
 *
 *     static const struct answer { const char *problem; int64_t cost; } answers[] = {...};
 *
 *     static void known_answer(void **state)
 *     {
 *         const struct answer *row = *state;
 *         ...
 *     }
 *
 *     int main(void)
 *     {
 *         static const struct kit_test tests[] = {
 *             TEST(nothing_is_lost),
 *             ROWS(known_answer, answers, problem),   named after this member, a text
 *             TEXTS(refused, texts),                  rows that are texts themselves
 *             NUMBERED(known_sum, sums),              named by their numbers
 *         };
 *         return kit_run(tests, COUNT(tests), NULL, NULL);
 *     }
 */
#ifndef TESTS_KIT_H
#define TESTS_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* A test, or one for each row of a table. */
struct kit_test {
	const char *name;
	CMUnitTestFunction function;
	const void *rows;          /* NULL: no table */
	const char *const *called; /* the name of the first row, NULL: rows are numbered */
	size_t count, size;        /* of a table: rows, and the bytes of one */
	CMFixtureFunction setup, teardown;
};

#define TEST(test) \
	{ \
#test, test, NULL, NULL, 0, 0, NULL, NULL \
	}
#define TEST_WITH(test, setup, teardown) \
	{ \
#test, test, NULL, NULL, 0, 0, setup, teardown \
	}
#define ROWS(test, table, member) \
	{ \
#test, test, table, &(table)->member, COUNT(table), sizeof *(table), NULL, NULL \
	}
#define TEXTS(test, table) \
	{ \
#test, test, table, table, COUNT(table), sizeof *(table), NULL, NULL \
	}
#define NUMBERED(test, table) \
	{ \
#test, test, table, NULL, COUNT(table), sizeof *(table), NULL, NULL \
	}

/* The number of a row in its table. */
#define ROW_NUMBER(row, table) ((size_t)((row) - (table)))

/* What is no plain letter would be misread in a protocol of lines. */
static inline void kit_plain(char *name)
{
	for (; *name != '\0'; name++)
		if (*name < ' ' || *name > '~' || *name == '#')
			*name = '.';
}

static inline char *kit_row_name(const struct kit_test *test, size_t row)
{
	size_t room = strlen(test->name) + 100;
	char *name = malloc(room);
	const char *called;

	if (name == NULL)
		abort();
	if (test->called == NULL) {
		snprintf(name, room, "%s, row %zu", test->name, row + 1);
		return name;
	}
	memcpy(&called, (const char *)test->called + row * test->size, sizeof called);
	snprintf(name, room, "%s: %.80s", test->name, called != NULL ? called : "none");
	kit_plain(name);
	return name;
}

static inline struct CMUnitTest kit_unit(const struct kit_test *test, size_t row)
{
	struct CMUnitTest unit = {.test_func = test->function,
		.setup_func = test->setup,
		.teardown_func = test->teardown};
	const void *at = test->rows == NULL ? NULL : (const char *)test->rows + row * test->size;

	memcpy(&unit.initial_state, &at, sizeof at);
	unit.name = at == NULL ? test->name : kit_row_name(test, row);
	return unit;
}

/* Runs all of them; setup and teardown are those of the program. */
static inline int kit_run(const struct kit_test *tests, size_t count, CMFixtureFunction setup,
	CMFixtureFunction teardown)
{
	size_t all = 0, n = 0;
	struct CMUnitTest *units;
	int failed;

	for (size_t k = 0; k < count; k++)
		all += tests[k].rows == NULL ? 1 : tests[k].count;
	units = calloc(all, sizeof *units);
	if (units == NULL)
		abort();
	for (size_t k = 0; k < count; k++)
		for (size_t row = 0; row < (tests[k].rows == NULL ? 1 : tests[k].count); row++)
			units[n++] = kit_unit(&tests[k], row);
	failed = _cmocka_run_group_tests("tests", units, all, setup, teardown);
	n = 0;
	for (size_t k = 0; k < count; k++)
		for (size_t row = 0; row < (tests[k].rows == NULL ? 1 : tests[k].count); row++, n++)
			if (tests[k].rows != NULL)
				free((void *)units[n].name);
	free(units);
	return failed;
}

#endif
