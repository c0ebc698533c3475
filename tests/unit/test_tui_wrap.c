/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages that are broken at blanks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answer/wrap.h"

static const struct row {
	const char *name, *text;
	int width;
	const char *wrapped;
} rows[] = {
	{"what fits stays", "one two\n three\n", 8, "one two\n three\n"},
	{"words go on below", "one two three four\n", 9, "one two\n  three\n  four\n"},
	{"each row by itself", "one two three\nfour\n", 8, "one two\n  three\nfour\n"},
	{"a word that is too long stays whole", "a bbbbbbbbbbbb c\n", 6, "a bbbbbbbbbbbb\n  c\n"},
	{"columns count, not bytes", "\u00e4\u00e4\u00e4 \u00f6\u00f6\u00f6 \u00fc\n", 9,
		"\u00e4\u00e4\u00e4 \u00f6\u00f6\u00f6 \u00fc\n"},
	{"colours take no room", "\x1b[1mone\x1b[0m two\n", 7, "\x1b[1mone\x1b[0m two\n"},
	{"nor in rows that are broken", "\x1b[1mone\x1b[0m two three\n", 9, "\x1b[1mone\x1b[0m two\n  three\n"},
	{"without an end", "one two", 5, "one\n  two"},
	{"nothing", "", 5, ""},
};

static void check_row(void **state)
{
	const struct row *row = *state;
	sw_text out = {0};

	wrap_rows((sw_str){row->text, strlen(row->text)}, row->width, &out);
	assert_string_equal(sw_text_get(&out), row->wrapped);
	sw_text_free(&out);
}

int main(void)
{
	enum { ROWS = sizeof rows / sizeof *rows };
	struct CMUnitTest tests[ROWS];

	setlocale(LC_ALL, "C.UTF-8");
	for (int k = 0; k < ROWS; k++)
		tests[k] =
			(struct CMUnitTest){.name = rows[k].name, .test_func = check_row, .initial_state = (void *)&rows[k]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
