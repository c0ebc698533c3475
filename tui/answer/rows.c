/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of rows, as cells and as fields.
 */
#include "answer/rows.h"

#include <assert.h>
#include <math.h>

#include <shardwalk/number.h>
#include <shardwalk/type.h>

#include "answer/watch.h"
#include "answer/words.h"

/* ---- values ---- */

/* Where the member stands; NULL: what has it is not there. */
static const void *member_of(const struct row_column *column, const struct row_at *at)
{
	const char *of = at->row;

	if (column->through > 0)
		of = *(const char *const *)(of + column->through - 1);
	return of != NULL ? of + column->at : NULL;
}

static int64_t whole_at(const void *member, size_t size)
{
	return size == sizeof(int64_t) ? *(const int64_t *)member :
		size == sizeof(int)        ? *(const int *)member :
									 *(const bool *)member;
}

/* false: it is not known. */
static bool count_of(const struct row_column *column, const struct row_at *at, int64_t *count)
{
	const void *member = column->count_of == NULL ? member_of(column, at) : NULL;

	if (column->kind == ROW_NUMBERED)
		*count = at->number;
	else if (column->count_of != NULL)
		*count = column->count_of(at);
	else if (member == NULL)
		return false;
	else
		*count = whole_at(member, column->size);
	return column->any || *count >= column->least + column->above;
}

static bool number_of(const struct row_column *column, const struct row_at *at, double *number)
{
	const double *member = column->number_of == NULL ? member_of(column, at) : NULL;

	if (column->number_of == NULL && member == NULL)
		return false;
	*number = member != NULL ? *member : column->number_of(at);
	return column->any ? !isnan(*number) : column->above ? *number > 0 : *number >= 0;
}

/* NULL where there is none. */
static const char *word_of(const struct row_column *column, const struct row_at *at)
{
	const char *const *member = column->word_of == NULL ? member_of(column, at) : NULL;

	return column->word_of != NULL ? column->word_of(at) : member != NULL ? *member : NULL;
}

static const sw_type *type_of(const struct row_column *column, const struct row_at *at)
{
	const void *member = member_of(column, at);

	return member == NULL || column->size == sizeof(sw_type) ? member : *(const sw_type *const *)member;
}

static bool is_said(const struct row_column *column, const struct rows *rows)
{
	return (rows->is & column->when) == column->when && (rows->is & column->unless) == 0;
}

static struct row_at row_of(const struct rows *rows, int64_t i, sw_diag *diag)
{
	return (struct row_at){.row = (const char *)rows->row + (size_t)i * rows->size,
		.number = i + 1,
		.of = rows->of,
		.mesh = rows->mesh,
		.diag = diag};
}

static bool is_left_out(const struct rows *rows, int64_t i)
{
	struct row_at at = row_of(rows, i, NULL);

	return rows->only != NULL && !rows->only(&at);
}

static const char *name_of(const struct row_column *column, const struct rows *rows, const char *name, int part)
{
	return column->named != NULL && *name == '\0' ? column->named(rows->of, part) : name;
}

/* ---- cells ---- */

/* Numbers stand to the right. */
static bool is_number(enum row_kind kind)
{
	return kind <= ROW_SECONDS || kind == ROW_NUMBERED;
}

static enum role role_of(const struct row_column *column)
{
	return column->role != ROLE_TEXT ? column->role :
		column->kind == ROW_NUMBERED ? ROLE_LABEL :
		is_number(column->kind)      ? ROLE_NUMBER :
									   ROLE_TEXT;
}

static bool print_count(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	int64_t count;

	if (!count_of(column, at, &count))
		return false;
	if (column->kind == ROW_LARGE)
		sw_print_count(text, count);
	else if (column->kind == ROW_BYTES)
		sw_print_bytes(text, count);
	else
		sw_text_add_int(text, count);
	return true;
}

static bool print_number(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	double number;

	if (!number_of(column, at, &number))
		return false;
	if (column->kind == ROW_NUMBER)
		sw_text_addf(text, "%.*f", column->digits, number);
	else
		sw_text_add(text, words_seconds_to(number, column->digits > 0 ? column->digits : 3).text);
	return true;
}

static bool print_type(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	const sw_type *type = type_of(column, at);

	if (type != NULL)
		sw_type_print(at->mesh, type, column->dtype && type->dtype_given, text);
	return type != NULL;
}

static bool print_word(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	const char *word = word_of(column, at);

	sw_text_add(text, word != NULL ? word : "");
	return word != NULL;
}

static bool print_flag(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	int64_t set = 0;

	count_of(column, at, &set);
	sw_text_add(text, set ? column->mark : "");
	return true;
}

static bool print_by(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	size_t before = text->length;

	column->print(at, text);
	return text->length > before;
}

/* false: it is not known. */
static bool print_value(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	switch (column->kind) {
	case ROW_NUMBER:
	case ROW_SECONDS:
		return print_number(column, at, text);
	case ROW_FLAG:
		return print_flag(column, at, text);
	case ROW_WORD:
		return print_word(column, at, text);
	case ROW_STR:
		sw_text_add_str(text, *(const sw_str *)member_of(column, at));
		return true;
	case ROW_TYPE:
		return print_type(column, at, text);
	case ROW_TEXT:
		return print_by(column, at, text);
	case ROW_LIST:
	case ROW_OBJECT:
		return false;
	default:
		return print_count(column, at, text);
	}
}

static void add_cell(const struct row_column *column, const struct row_at *at, struct table *table)
{
	sw_text text = {0};
	enum role role = column->paint != NULL ? column->paint(at) : ROLE_COUNT;

	if (!(column->print != NULL ? print_by : print_value)(column, at, &text) && column->missing != NULL)
		sw_text_add(&text, column->missing);
	table_add_text(table, &text);
	if (role != ROLE_COUNT)
		table_paint(table, role);
}

/* ---- tables ---- */

/* The columns of a table, in its order. */
struct heads {
	int count;
	struct column column[TABLE_COLUMNS + 1];
	struct head {
		const struct row_column *column;
		int part;
	} head[TABLE_COLUMNS];
};

static int parts_of(const struct row_column *column, const struct rows *rows)
{
	return column->parts != NULL ? column->parts(rows->of) : 1;
}

static void add_head(const struct row_column *column, const struct rows *rows, int part, struct heads *heads)
{
	int parts = parts_of(column, rows);
	struct column *as = &heads->column[heads->count];

	assert(heads->count < TABLE_COLUMNS);
	heads->head[heads->count++] = (struct head){column, part};
	*as = column->as;
	as->drops += as->drops > 0 ? column->part + parts - 1 - part : 0;
	as->head = name_of(column, rows, column->heading, part);
	as->right = is_number(column->kind) && !column->left;
	as->role = role_of(column);
}

static void find_heads(const struct rows *rows, struct heads *heads)
{
	*heads = (struct heads){.count = 0};
	for (int place = 0; place <= TABLE_COLUMNS; place++)
		for (int c = 0; c < rows->columns; c++) {
			const struct row_column *column = &rows->column[c];
			int parts = parts_of(column, rows);

			if (column->heading == NULL || column->place != place || !is_said(column, rows))
				continue;
			for (int part = 0; part < parts; part++)
				add_head(column, rows, column->part + part, heads);
		}
}

bool rows_fill_table(const struct rows *rows, struct table *table, sw_diag *diag)
{
	struct heads heads;

	find_heads(rows, &heads);
	table_start(table, heads.column);
	for (int64_t i = 0; i < rows->count; i++) {
		struct row_at at = row_of(rows, i, NULL);

		if (!list_goes_on(i, diag))
			return false;
		for (int c = 0; c < heads.count && !is_left_out(rows, i); c++) {
			at.part = heads.head[c].part;
			add_cell(heads.head[c].column, &at, table);
		}
	}
	return true;
}

bool rows_table(const struct rows *rows, struct document *document, sw_diag *diag)
{
	static const struct column none[] = {{0}};

	return document->for_programs || rows_fill_table(rows, document_table(document, none), diag);
}

bool rows_draw(const struct rows *rows, struct canvas *out, int *y, sw_diag *diag)
{
	struct table table;
	bool ok = rows_fill_table(rows, &table, diag);

	table_fit(&table, out->width);
	*y = table_draw_ruled_heads(&table, out, *y, rows->narrow ? table_width(&table) : out->width);
	for (int row = 0; ok && row < table_rows(&table) && (ok = list_goes_on(row, diag)); row++)
		*y = table_draw_row(&table, out, *y, row);
	table_free(&table);
	return ok;
}

/* ---- fields ---- */

static bool write_count(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	int64_t count;

	if (!count_of(column, at, &count))
		return false;
	if (column->kind == ROW_FLAG)
		field_bool(in, key, count != 0);
	else
		field_int(in, key, count);
	return true;
}

static bool write_number(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	double number;

	if (!number_of(column, at, &number))
		return false;
	if (column->round > 0)
		field_digits(in, key, number, column->round);
	else
		field_number(in, key, number);
	return true;
}

static bool write_text(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	sw_text text = {0};
	bool known = print_value(column, at, &text) || column->any;

	if (known)
		field_printed(in, key, &text);
	sw_text_free(&text);
	return known;
}

static bool write_value(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	bool number = column->kind == ROW_NUMBER || column->kind == ROW_SECONDS;
	bool text = column->kind >= ROW_WORD && column->kind <= ROW_TEXT;
	bool known = (number ? write_number : text ? write_text : write_count)(column, at, key, in);

	if (!known && !column->sparse)
		field_null(in, key);
	return true;
}

static bool write_column(const struct rows *rows, const struct row_column *column, struct row_at *at,
	struct fields *in)
{
	if (column->key == NULL || !is_said(column, rows))
		return true;
	const char *key = name_of(column, rows, column->key, column->part);
	at->part = column->part;
	if (column->kind == ROW_LIST)
		return column->fill(at, field_list(in, key));
	if (column->kind == ROW_OBJECT)
		return column->fill(at, *key != '\0' ? field_object(in, key) : in);
	return write_value(column, at, key, in);
}

static bool write_row(const struct rows *rows, int64_t i, struct fields *in, sw_diag *diag)
{
	struct row_at at = row_of(rows, i, diag);

	for (int c = 0; c < rows->columns; c++)
		if (!write_column(rows, &rows->column[c], &at, in))
			return false;
	return true;
}

bool rows_members(const struct rows *rows, struct fields *in, sw_diag *diag)
{
	return in == NULL || write_row(rows, 0, in, diag);
}

bool rows_list(const struct rows *rows, struct fields *in, const char *key, sw_diag *diag)
{
	struct fields *list = in != NULL ? field_list(in, key) : NULL;

	for (int64_t i = 0; list != NULL && i < rows->count; i++)
		if (!list_goes_on(i, diag) || (!is_left_out(rows, i) && !write_row(rows, i, field_object(list, NULL), diag)))
			return false;
	return true;
}

bool rows_answer(const struct rows *rows, struct document *document, struct fields *in, const char *key,
	sw_diag *diag)
{
	return rows_table(rows, document, diag) && rows_list(rows, in, key, diag);
}
