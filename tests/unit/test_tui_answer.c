/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers as documents: fields as JSON, tables that give way, rows that are both, pieces as text, and remarks in their order.
 */
#include <locale.h>

#include "answer/order.h"
#include "answer/show.h"
#include "canvas/table.h"
#include "kit/kit.h"

/* ---- fields ---- */

static void fields_are_json(void **state)
{
	struct document document;
	sw_text text = {0}, printed = {0};
	(void)state;
	document_start(&document, 80);
	document.for_programs = true;
	struct fields *fields = document_fields(&document, "shardwalk.test/1"), *list;
	field_bool(fields, "yes", true);
	field_count(fields, "known", 7);
	field_count(fields, "unknown", -1);
	field_text(fields, "quoted", "a \"b\"");
	field_text(fields, "nothing", NULL);
	field_digits(fields, "third", 1.0 / 3, 4);
	field_ints(fields, "ints", (const int64_t[]){3, 4}, 2);
	sw_text_add(&printed, "print");
	field_printed(fields, "printed", &printed);
	list = field_list(fields, "rows");
	field_int(field_object(list, NULL), "n", 1);
	field_members(field_object(list, NULL), sw_str_of("{\"m\": 2, \"o\": [3]}\n"));
	field_list(fields, "empty");
	assert_true(document_write_json(&document, true, &text, NULL));
	sw_text want = {0};
	sw_text_addf(&want,
		"{\"schema\": \"shardwalk.test/1\", \"yes\": true, \"known\": 7, \"unknown\": null, \"quoted\": \"a \\\"b\\\"\", "
		"\"nothing\": null, \"third\": 0.3333, \"ints\": [3, 4], \"printed\": \"print\", \"rows\": [{\"n\": 1}, "
		"{\"m\": 2, \"o\": [3]}], \"empty\": [], \"program\": \"%s\", \"units\": {\"elements\": [\"cost\", \"volume\", \"height\", "
		"\"live_peak\", \"localsize\", \"budget\"], \"bytes\": [\"bytes\"], \"seconds\": [\"seconds\"]}}\n",
		sw_written_by());
	assert_string_equal(sw_text_get(&text), sw_text_get(&want));
	sw_text_free(&want);
	sw_text_free(&text);
	document_clear(&document);
}

static void fields_stand_on_lines_of_their_own(void **state)
{
	struct document document;
	sw_text text = {0};
	(void)state;
	document_start(&document, 80);
	document.for_programs = true;
	struct fields *fields = document_fields(&document, NULL), *list = field_list(fields, "rows");
	field_int(field_object(list, NULL), "n", 1);
	field_int(field_object(list, NULL), "n", 2);
	assert_true(document_write_json(&document, false, &text, NULL));
	assert_string_equal(sw_text_get(&text), "{\n \"rows\": [\n  {\"n\": 1},\n  {\"n\": 2}\n ]\n}\n");
	sw_text_free(&text);
	document_clear(&document);
}

/* What is added where memory ran out is forgotten, and the document says so. */
static void nothing_is_added_to_nothing(void **state)
{
	(void)state;
	field_int(field_object(field_list(NULL, "a"), NULL), "b", 1);
	field_text(NULL, "c", "d");
	assert_true(fields_failed(NULL));
}

/* ---- tables ---- */

static const struct column columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL, .least = 3, .most = 3},
	{.head = "name", .role = ROLE_TEXT, .fit = CELL_CUT, .gap = 1, .wants = 6, .gives = 4},
	{.head = "first", .right = true, .role = ROLE_NUMBER, .drops = 1},
	{.head = "second", .right = true, .role = ROLE_NUMBER, .optional = true},
	{.head = "words", .role = ROLE_TEXT, .fit = CELL_WRAP, .indent = 1, .takes = 8},
	{0},
};

static const struct table_row {
	int width;
	const char *expected;
} table_rows_expected[] = {
	{60,
		"  # name        first  words\n"
		"  1 alpha beta    1 2  one two three\n"},
	{34,
		"  # name        first  words\n"
		"  1 alpha beta    1 2  one two\n"
		"                        three\n"},
	{24,
		"  # name        first\n"
		"  1 alpha beta    1 2\n"},
	{18,
		"  # name     first\n"
		"  1 alpha …    1 2\n"},
	{16,
		"  # name\n"
		"  1 alpha beta\n"},
	{9,
		"  # name\n"
		"  1 alph…\n"},
};

static void a_table_gives_way(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table_rows_expected) / sizeof(*table_rows_expected); i++) {
		const struct table_row *row = &table_rows_expected[i];
		struct table table;
		struct canvas canvas = {0};
		sw_text text = {0};
		table_start(&table, columns);
		table_add(&table, "1");
		table_add(&table, "alpha beta");
		table_add(&table, "1 2");
		table_add(&table, "%s", "");
		table_add(&table, "one two three");
		table_fit(&table, row->width);
		assert_true(table_width(&table) <= row->width);
		canvas_reset(&canvas, row->width);
		table_draw_row(&table, &canvas, table_draw_heads(&table, &canvas, 0), 0);
		canvas_print(&canvas, &(struct canvas_style){0}, &text);
		assert_string_equal(sw_text_get(&text), row->expected);
		sw_text_free(&text);
		canvas_free(&canvas);
		table_free(&table);
	}
}

static void a_cell_above_its_bound_is_marked(void **state)
{
	struct table table;
	struct canvas canvas = {0};
	(void)state;
	table_start(&table, columns);
	table_add(&table, "1");
	table_add(&table, "a");
	table_add_count(&table, 1234567);
	table_mark_over(&table);
	table_add_if(&table, false, 5);
	table_add(&table, "%s", "");
	table_fit(&table, 40);
	canvas_reset(&canvas, 40);
	table_draw_row(&table, &canvas, 0, 0);
	int end = table_at(&table, 2) + table.width[2];
	assert_int_equal(canvas_cell_at(&canvas, end, 0)->glyph, '!');
	assert_int_equal(canvas_cell_at(&canvas, end - 1, 0)->role, ROLE_BAD);
	assert_int_equal(table.width[3], 0);
	canvas_free(&canvas);
	table_free(&table);
}

/* ---- rows ---- */

struct port {
	double rate;
};

struct link {
	const char *name;
	int64_t bytes;
	double seconds;
	bool chosen;
	const struct port *port; /* NULL: none */
};

static const struct port port = {2.5};
static const struct link links[] = {{"near", 2048, 1e-6, true, &port}, {"far", -1, -1, false, NULL}};

static int64_t doubled(const struct row_at *at)
{
	return 2 * ((const struct link *)at->row)->bytes;
}

static void print_pair(const struct row_at *at, sw_text *text)
{
	const struct link *link = at->row;
	if (link->bytes >= 0)
		sw_text_addf(text, "%s/%lld", link->name, (long long)at->number);
}

static bool fill_list(const struct row_at *at, struct fields *in)
{
	field_int(in, NULL, at->number);
	return ((const struct link *)at->row)->bytes >= *(const int64_t *)at->of ||
		sw_diag_set(at->diag, SW_S03, (sw_span){0, 0}, "row %lld", (long long)at->number);
}

enum { WITH_PORTS = 1, PLAIN = 2 };

static const struct row_column link_columns[] = {
	ROW_BY(NULL, "#", NUMBERED),
	ROW_AT("name", "name", WORD, struct link, name),
	ROW_AT("bytes", "bytes", BYTES, struct link, bytes, .missing = "-", .place = 2),
	ROW_AT("seconds", "time", SECONDS, struct link, seconds, .missing = "?", .place = 1),
	ROW_AT("chosen", "", FLAG, struct link, chosen, .mark = "*", .place = 3),
	ROW_BY("twice", NULL, COUNT, .count_of = doubled, .sparse = true),
	ROW_BY("pair", NULL, TEXT, .print = print_pair),
	ROW_THROUGH("rate", "rate", NUMBER, struct link, port, struct port, rate, .digits = 1, .place = 4,
		.when = WITH_PORTS),
	ROW_BY("list", NULL, LIST, .fill = fill_list, .unless = PLAIN),
};

static const struct rows_row {
	const char *name;
	unsigned is;
	const char *table, *json;
} rows_expected[] = {
	{"all columns", WITH_PORTS,
		"#  name     time  bytes     rate\n"
		"1  near  1.00 us  2 KiB  *   2.5\n"
		"2  far         ?      -\n",
		"[{\"name\": \"near\", \"bytes\": 2048, \"seconds\": 1e-06, \"chosen\": true, \"twice\": 4096, \"pair\": \"near/1\", "
		"\"rate\": 2.5, \"list\": [1]}, {\"name\": \"far\", \"bytes\": null, \"seconds\": null, \"chosen\": false, \"pair\": null, "
		"\"rate\": null, \"list\": [2]}]"},
	{"without some", PLAIN,
		"#  name     time  bytes\n"
		"1  near  1.00 us  2 KiB  *\n"
		"2  far         ?      -\n",
		"[{\"name\": \"near\", \"bytes\": 2048, \"seconds\": 1e-06, \"chosen\": true, \"twice\": 4096, \"pair\": \"near/1\"}, "
		"{\"name\": \"far\", \"bytes\": null, \"seconds\": null, \"chosen\": false, \"pair\": null}]"},
};

static void print_document(struct document *document, bool for_programs, const struct rows *rows, sw_text *text)
{
	document_start(document, 60);
	document->for_programs = for_programs;
	assert_true(rows_answer(rows, document, document_fields(document, NULL), "rows", NULL));
	if (for_programs)
		assert_true(document_write_json(document, true, text, NULL));
	else
		assert_true(document_write_text(document, &(struct canvas_style){0}, true, text, NULL));
	document_clear(document);
}

/* One list of columns is the table that people read, and the list that programs read. */
static void rows_are_a_table_and_a_list(void **state)
{
	const struct rows_row *row = *state;
	const int64_t least = -1;
	const struct rows rows = ROWS_OF(link_columns, links, 2, .of = &least, .is = row->is);
	struct document document;
	sw_text text = {0}, want = {0};
	print_document(&document, false, &rows, &text);
	assert_string_equal(sw_text_get(&text), row->table);
	sw_text_clear(&text);
	print_document(&document, true, &rows, &text);
	sw_text_addf(&want, "{\"rows\": %s}\n", row->json);
	assert_string_equal(sw_text_get(&text), sw_text_get(&want));
	sw_text_free(&want);
	sw_text_free(&text);
}

/* What a column refuses is refused, and said by it. */
static void a_column_refuses(void **state)
{
	const int64_t least = 0;
	const struct rows rows = ROWS_OF(link_columns, links, 2, .of = &least);
	struct document document;
	sw_diag diag = {.code = SW_OK};
	(void)state;
	document_start(&document, 60);
	document.for_programs = true;
	assert_false(rows_list(&rows, document_fields(&document, NULL), "rows", &diag));
	assert_string_equal(diag.message, "row 2");
	assert_true(rows_list(&rows, NULL, "rows", &diag));
	document_clear(&document);
}

/* ---- pieces ---- */

static const struct column two[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_LEFT("", ROLE_TEXT), {0}};

static void remark(struct document *document, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	document_remark(document, format, arguments);
	va_end(arguments);
}

static void fill(struct document *document)
{
	document_start(document, 30);
	document_line(document, "a %s", "line");
	remark(document, "a %s", "remark");
	struct table *table = document_table(document, two);
	table_add(table, "key");
	table_add(table, "value");
	document_table(document, two); /* without rows it is nothing */
	canvas_put(document_canvas(document), 2, 0, ROLE_TEXT, "picture");
}

static void pieces_are_text(void **state)
{
	struct document document;
	sw_text text = {0};
	(void)state;
	fill(&document);
	assert_true(document_write_text(&document, &(struct canvas_style){0}, false, &text, NULL));
	assert_string_equal(sw_text_get(&text), "a line\nkey  value\n  picture\n");
	sw_text_clear(&text);
	assert_true(document_write_text(&document, &(struct canvas_style){0}, true, &text, NULL));
	assert_string_equal(sw_text_get(&text), "a line\na remark\nkey  value\n  picture\n");
	sw_text_free(&text);
	document_clear(&document);
	assert_true(document_is_empty(&document));
}

static void pieces_are_a_picture(void **state)
{
	struct document document;
	struct canvas canvas = {0};
	sw_text text = {0};
	(void)state;
	fill(&document);
	document_line(&document, "  a row of text that is too long for it");
	assert_true(document_draw(&document, &canvas, NULL));
	canvas_print(&canvas, &(struct canvas_style){0}, &text);
	assert_string_equal(sw_text_get(&text),
		"a line\nkey  value\n  picture\n  a row of text that is too\n    long for it\n");
	sw_text_free(&text);
	canvas_free(&canvas);
	document_clear(&document);
}

/* ---- where it goes ---- */

static void take_text(void *context, bool message, const char *words, size_t length)
{
	sw_text_addf(context, "%s%.*s", message ? "! " : "", (int)length, words);
}

static void take_canvas(void *context, const struct canvas *canvas)
{
	canvas_print(canvas, &(struct canvas_style){0}, context);
}

/* A remark is told at once where nothing stands before it, else in its place. */
static void remarks_stand_where_they_were_made(void **state)
{
	sw_text text = {0};
	const struct console_taker taker = {.context = &text, .text = take_text, .canvas = take_canvas};
	struct console console = console_of_process();
	struct document document;
	struct session session;
	sw_diag diag;
	(void)state;
	console.taker = &taker;
	assert_true(session_init(&session, &console));
	document_start(&document, 30);
	session.answer = &document;
	answer_remark(&session, "at %s", "once");
	assert_string_equal(sw_text_get(&text), "! at once\n");
	document_line(&document, "a line");
	answer_remark(&session, "behind it");
	assert_string_equal(sw_text_get(&text), "! at once\n");
	assert_true(answer_flush(&session, &diag));
	assert_string_equal(sw_text_get(&text), "! at once\na line\n! behind it\n");
	document.whole = true;
	answer_remark(&session, "kept");
	assert_false(document_is_empty(&document));
	document_clear(&document);
	sw_text_free(&text);
	session_end(&session);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	static const struct kit_test tests[] = {
		TEST(fields_are_json),
		TEST(fields_stand_on_lines_of_their_own),
		TEST(nothing_is_added_to_nothing),
		TEST(a_table_gives_way),
		TEST(a_cell_above_its_bound_is_marked),
		ROWS(rows_are_a_table_and_a_list, rows_expected, name),
		TEST(a_column_refuses),
		TEST(pieces_are_text),
		TEST(pieces_are_a_picture),
		TEST(remarks_stand_where_they_were_made),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
