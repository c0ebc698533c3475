/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows in other orders, and rows that are folded into one: of any table with columns.
 */
#include <locale.h>

#include "answer/order.h"
#include "answer/show.h"
#include "kit/kit.h"

struct item {
	const char *place, *kind;
	int64_t bytes, runs;
	double seconds;
};

static const struct item items[] = {{"a.py:41", "sum", 100, 2, 3e-6}, {"a.py:9", "move", 300, 1, -1},
	{"b.py:1", "sum", -1, 4, 1e-6}, {NULL, "move", 200, 8, 2e-6}};

static double part_of(const struct row_at *at)
{
	const struct item *item = at->row;
	return item->bytes < 0 ? -1 : (double)item->bytes / 600;
}

enum { FOLDED = 1 };

static const struct row_column named_columns[] = {
	ROW_BY(NULL, "#", NUMBERED, .first = true),
	ROW_BY("rows", "rows", FOLDED, .when = FOLDED),
	ROW_AT("bytes", "bytes", BYTES, struct item, bytes, .adds = true, .order = "bytes"),
	ROW_BY("share", "share", SHARE, .number_of = part_of, .adds = true, .round = 3, .click = "bytes"),
	ROW_AT("runs", NULL, COUNT, struct item, runs, .adds = true),
	ROW_AT("place", "place", WORD, struct item, place, .order = "line", .missing = "-"),
	ROW_AT("time", "time", SECONDS, struct item, seconds, .order = "time", .unless = FOLDED),
	ROW_AT("kind", "kind", WORD, struct item, kind, .order = "kind", .folds = true),
};

/* Those without a word for an order have their keys. */
static const struct row_column keyed_columns[] = {
	ROW_BY("number", "#", NUMBERED, .rises = true),
	ROW_AT("bytes", "bytes", COUNT, struct item, bytes, .missing = "-"),
	ROW_AT("kind", "kind", WORD, struct item, kind),
};

static const struct order_row {
	const char *name, *by, *then;
	const char *numbers; /* of the rows, as they are shown */
} orders[] = {
	{"numbers fall, and what is not known is last", "bytes", NULL, "2 4 1 3"},
	{"texts rise, numbers in them as numbers", "line", NULL, "2 1 3 4"},
	{"times fall", "time", NULL, "1 4 3 2"},
	{"a key is a word as well", "runs", NULL, "4 3 1 2"},
	{"what is equal stays in the order before", "rows-kind", NULL, NULL},
	{"one order after another", "bytes", "line", "2 1 3 4"},
};

static void numbers_of(const struct rows *rows, sw_text *text)
{
	for (int64_t i = 0; i < rows_shown(rows); i++)
		sw_text_addf(text, "%s%lld", i > 0 ? " " : "", (long long)rows_at(rows, i, NULL).number);
}

static void rows_have_orders(void **state)
{
	const struct order_row *row = *state;
	struct rows rows = ROWS_OF(named_columns, items, 4);
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0};
	if (!row->numbers) {
		assert_false(rows_order(&rows, sw_str_of(row->by), arena, &diag));
		assert_int_equal(diag.code, SW_L08);
		assert_string_equal(diag.expected, "bytes, line, time");
	} else {
		assert_true(rows_order(&rows, sw_str_of(row->by), arena, &diag));
		assert_true(!row->then || rows_order(&rows, sw_str_of(row->then), arena, &diag));
		numbers_of(&rows, &text);
		assert_string_equal(sw_text_get(&text), row->numbers);
		sw_text_clear(&text);
		assert_true(rows_turn(&rows, arena, &diag) && rows_turn(&rows, arena, &diag));
		numbers_of(&rows, &text);
		assert_string_equal(sw_text_get(&text), row->numbers);
	}
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void print_rows(const struct rows *rows, bool for_programs, sw_text *text)
{
	struct document document;
	document_start(&document, 70);
	document.for_programs = for_programs;
	sw_text_clear(text);
	assert_true(rows_answer(rows, &document, document_fields(&document, NULL), "rows", NULL));
	if (for_programs)
		assert_true(document_write_json(&document, true, text, NULL));
	else
		assert_true(document_write_text(&document, &(struct canvas_style){.ascii = true}, true, text, NULL));
	document_clear(&document);
}

/* Numbers that add up do; of all else there is what is the same in each. */
static void rows_are_folded(void **state)
{
	struct rows rows = ROWS_OF(named_columns, items, 4, .is = FOLDED);
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	(void)state;
	assert_true(rows_fold(&rows, sw_str_of("kind"), arena, NULL));
	assert_int_equal(rows_shown(&rows), 2);
	print_rows(&rows, false, &text);
	assert_string_equal(sw_text_get(&text),
		"#  rows  bytes      share  place  kind\n"
		"1     2  100 B  =     17%  -      sum\n"
		"2     2  500 B  ###-  83%  -      move\n");
	assert_true(rows_order(&rows, sw_str_of("bytes"), arena, NULL));
	print_rows(&rows, true, &text);
	assert_string_equal(sw_text_get(&text),
		"{\"rows\": [{\"rows\": 2, \"bytes\": 500, \"share\": 0.833, \"runs\": 9, \"place\": null, \"kind\": \"move\"}, "
		"{\"rows\": 2, \"bytes\": 100, \"share\": 0.167, \"runs\": 6, \"place\": null, \"kind\": \"sum\"}]}\n");
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void words_are_listed(void **state)
{
	struct rows named = ROWS_OF(named_columns, items, 4), keyed = ROWS_OF(keyed_columns, items, 4);
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0};
	(void)state;
	assert_string_equal(rows_order_word(&named, true, 0), "kind");
	assert_null(rows_order_word(&named, true, 1));
	assert_string_equal(rows_order_word(&keyed, false, 2), "kind");
	assert_null(rows_order_word(&keyed, true, 0));
	assert_true(rows_has(&named, sw_str_of("kind"), true, &diag));
	assert_false(rows_fold(&keyed, sw_str_of("kind"), arena, &diag));
	assert_string_equal(diag.expected, "no column: these rows are never folded");
	assert_true(rows_order(&keyed, sw_str_of("kind"), arena, NULL));
	numbers_of(&keyed, &text);
	assert_string_equal(sw_text_get(&text), "2 4 1 3");
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* Where heads are, and what a click on them orders by. */
static void heads_have_words(void **state)
{
	const struct rows rows = ROWS_OF(named_columns, items, 4);
	struct head_spot spot[TABLE_COLUMNS];
	struct table table;
	(void)state;
	assert_true(rows_fill_table(&rows, &table, NULL));
	table_fit(&table, 80);
	assert_int_equal(rows_heads(&rows, &table, spot), 5);
	assert_string_equal(spot[1].word, "bytes");
	assert_int_equal(spot[0].x, 3);
	assert_int_equal(spot[0].width, 5);
	table_free(&table);
}

static void no_rows_have_orders_too(void **state)
{
	struct rows rows = ROWS_OF(named_columns, items, 0);
	sw_arena *arena = sw_arena_new();
	(void)state;
	assert_true(rows_fold(&rows, sw_str_of("kind"), arena, NULL));
	assert_true(rows_order(&rows, sw_str_of("bytes"), arena, NULL) && rows_turn(&rows, arena, NULL));
	assert_int_equal(rows_shown(&rows), 0);
	sw_arena_free(arena);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	static const struct kit_test tests[] = {
		ROWS(rows_have_orders, orders, name),
		TEST(rows_are_folded),
		TEST(words_are_listed),
		TEST(heads_have_words),
		TEST(no_rows_have_orders_too),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
