/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows as tables and as fields.
 */
#include "answer/rows.h"

#include <assert.h>

#include "answer/watch.h"

bool rows_say(const struct rows *rows, const struct row_column *column)
{
	return rows->any_is || ((rows->is & column->when) == column->when && (rows->is & column->unless) == 0);
}

struct row_at rows_at(const struct rows *rows, int64_t i, sw_diag *diag)
{
	const struct row_order *order = rows->order;
	int64_t index = order != NULL ? order->index[order->first[i]] : i;
	struct row_at at = {.row = (const char *)rows->row + (size_t)index * rows->size,
		.number = index + 1,
		.of = rows->of,
		.mesh = rows->mesh,
		.diag = diag};

	assert(i >= 0 && (order == NULL || i < order->count));
	if (order != NULL)
		at.fold = (struct row_fold){rows->row, rows->size, order->index + order->first[i],
			order->first[i + 1] - order->first[i], rows->rises};
	return at;
}

int64_t rows_shown(const struct rows *rows)
{
	int64_t all = rows->order != NULL ? rows->order->count : rows->count;

	return rows->most > 0 && rows->most < all ? rows->most : all;
}

static bool is_left_out(const struct rows *rows, int64_t i)
{
	struct row_at at = rows_at(rows, i, NULL);

	return rows->only != NULL && !rows->only(&at);
}

static void add_cell(const struct row_column *column, const struct row_at *at, struct table *table)
{
	sw_text text = {0};
	enum role role = column->paint != NULL ? column->paint(at) : ROLE_COUNT;

	if (!column_print(column, at, &text) && column->missing != NULL)
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
	as->head = column_name(column, rows->of, column->heading, part);
	as->right = column_is_number(column) && !column->left;
	as->role = column_role(column);
}

/* Rows that are folded say how many they are, also where no column of theirs does. */
static const struct row_column folded_column = ROW_BY("rows", "rows", FOLDED, .least = 1);

static bool says_folds(const struct rows *rows)
{
	for (int c = 0; c < rows->columns; c++)
		if (rows->column[c].kind == ROW_FOLDED && rows_say(rows, &rows->column[c]))
			return true;
	return false;
}

static bool has_folds(const struct rows *rows)
{
	const struct row_order *order = rows->order;

	return order != NULL && order->count > 0 && order->folded && !says_folds(rows);
}

static void find_heads(const struct rows *rows, struct heads *heads)
{
	*heads = (struct heads){.count = 0};
	if (has_folds(rows))
		add_head(&folded_column, rows, 0, heads);
	for (int place = 0; place <= TABLE_COLUMNS; place++)
		for (int c = 0; c < rows->columns; c++) {
			const struct row_column *column = &rows->column[c];
			int parts = parts_of(column, rows);

			if (column->heading == NULL || column->place != place || !rows_say(rows, column))
				continue;
			for (int part = 0; part < parts; part++)
				add_head(column, rows, column->part + part, heads);
		}
}

static const char *click_word(const struct row_column *column)
{
	return column->click != NULL ? column->click : column->order != NULL ? column->order : column->key;
}

const char *rows_head_word(const struct rows *rows, sw_str head)
{
	for (int c = 0; c < rows->columns && head.length > 0; c++) {
		const struct row_column *column = &rows->column[c];
		const char *word = click_word(column);

		if (column->heading != NULL && sw_str_is(head, column->heading) && word != NULL && *word != '\0' &&
			rows_say(rows, column))
			return word;
	}
	return NULL;
}

int rows_heads(const struct rows *rows, const struct table *table, struct head_spot spot[TABLE_COLUMNS])
{
	struct heads heads;
	int count = 0;

	find_heads(rows, &heads);
	assert(heads.count == table->columns);
	for (int c = 0; c < heads.count; c++) {
		const struct row_column *column = heads.head[c].column;
		const char *word = click_word(column);

		if (word != NULL && table->width[c] > 0)
			spot[count++] = (struct head_spot){table_at(table, c), table->width[c], word};
	}
	return count;
}

bool rows_fill_table(const struct rows *rows, struct table *table, sw_diag *diag)
{
	struct heads heads;

	find_heads(rows, &heads);
	table_start(table, heads.column);
	for (int64_t i = 0; i < rows_shown(rows); i++) {
		struct row_at at = rows_at(rows, i, NULL);

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

static bool write_column(const struct rows *rows, const struct row_column *column, struct row_at *at,
	struct fields *in)
{
	if (column->key == NULL || !rows_say(rows, column))
		return true;
	const char *key = column_name(column, rows->of, column->key, column->part);
	at->part = column->part;
	if (column->kind >= ROW_LIST && column->kind <= ROW_OBJECT && at->fold.count > 1 && !column->first)
		return true;
	if (column->kind == ROW_LIST)
		return column->fill(at, field_list(in, key));
	if (column->kind == ROW_OBJECT)
		return column->fill(at, *key != '\0' ? field_object(in, key) : in);
	return column_write(column, at, key, in);
}

static bool write_row(const struct rows *rows, int64_t i, struct fields *in, sw_diag *diag)
{
	struct row_at at = rows_at(rows, i, diag);

	if (has_folds(rows) && !write_column(rows, &folded_column, &at, in))
		return false;
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

	for (int64_t i = 0; list != NULL && i < rows_shown(rows); i++)
		if (!list_goes_on(i, diag) || (!is_left_out(rows, i) && !write_row(rows, i, field_object(list, NULL), diag)))
			return false;
	return true;
}
