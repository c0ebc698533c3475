/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of a table, their widths, and how they are drawn.
 */
#include "canvas/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#define CHOSEN_CELLS 2 /* a mark, and what names the row */
#define LAST_LEAST 24  /* columns that the last one has, however narrow the table is to be */

void table_start(struct table *table, const struct column *column)
{
	*table = (struct table){.columns = 0};
	for (; column[table->columns].head && table->columns < TABLE_COLUMNS; table->columns++)
		table->column[table->columns] = column[table->columns];
}

void table_free(struct table *table)
{
	free(table->cell);
	free(table->heads);
	sw_text_free(&table->text);
	*table = (struct table){.columns = 0};
}

/* ---- cells ---- */

static bool grow(struct table *table)
{
	if (table->cells < table->room)
		return true;
	int room = table->room ? 2 * table->room : 64;
	struct table_cell *more = realloc(table->cell, (size_t)room * sizeof(*more));
	if (!more)
		return false;
	table->cell = more;
	table->room = room;
	return true;
}

static void begin_cell(struct table *table)
{
	table->failed |= !grow(table);
	if (!table->failed)
		table->cell[table->cells] = (struct table_cell){table->text.length,
			table->column[table->cells % table->columns].role, false};
}

static void end_cell(struct table *table)
{
	if (table->failed)
		return;
	sw_text_add_char(&table->text, '\0');
	table->failed |= table->text.failed;
	table->cells++;
}

void table_add(struct table *table, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	begin_cell(table);
	sw_text_addv(&table->text, format, arguments);
	end_cell(table);
	va_end(arguments);
}

void table_add_text(struct table *table, sw_text *text)
{
	begin_cell(table);
	sw_text_add(&table->text, sw_text_get(text));
	end_cell(table);
	table->failed |= text->failed;
	sw_text_free(text);
	*text = (sw_text){0};
}

void table_add_count(struct table *table, int64_t number)
{
	begin_cell(table);
	sw_print_count(&table->text, number);
	end_cell(table);
}

void table_add_if(struct table *table, bool there, int64_t number)
{
	if (there)
		table_add_count(table, number);
	else
		table_add(table, "%s", "");
}

void table_paint(struct table *table, enum role role)
{
	if (!table->failed)
		table->cell[table->cells - 1].role = role;
}

void table_mark_over(struct table *table)
{
	table_paint(table, ROLE_BAD);
	if (!table->failed)
		table->cell[table->cells - 1].over = true;
}

int table_rows(const struct table *table)
{
	return table->cells / table->columns;
}

/* ---- widths ---- */

void table_leave_out(struct table *table, int column)
{
	table->left_out[column] = true;
}

static const char *text_of(const struct table *table, int cell)
{
	return table->text.data + table->cell[cell].at;
}

static int gap_of(const struct table *table, int column)
{
	return table->column[column].gap ? table->column[column].gap : column ? 2 : 0;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* The width of its widest cell; 0: all are empty. */
static int widest(const struct table *table, int column)
{
	int width = 0;
	for (int i = column; i < table->cells; i += table->columns)
		width = larger(width, canvas_text_width(text_of(table, i)));
	return width;
}

static void measure(struct table *table)
{
	for (int c = 0; c < table->columns; c++) {
		const struct column *column = &table->column[c];
		int cells = widest(table, c), width = larger(cells, larger(column->least, canvas_text_width(column->head)));
		if (table->left_out[c] || column->takes || (column->optional && !cells))
			width = 0;
		table->width[c] = column->most && width > column->most ? column->most : width;
	}
}

/* The end of the columns before this one. */
static int end_before(const struct table *table, int column)
{
	int x = 0;
	for (int c = 0; c < column; c++)
		x += table->width[c] ? gap_of(table, c) + table->width[c] : 0;
	return x;
}

int table_at(const struct table *table, int column)
{
	return end_before(table, column) + gap_of(table, column);
}

int table_width(const struct table *table)
{
	return end_before(table, table->columns);
}

/* The width without what no other column is left out for. */
static int wanted(const struct table *table)
{
	int width = table_width(table);
	for (int c = 0; c < table->columns; c++)
		if (table->column[c].wants && table->width[c] > table->column[c].wants)
			width -= table->width[c] - table->column[c].wants;
	return width;
}

static void drop(struct table *table, int width)
{
	for (int turn = 1; turn <= table->columns; turn++)
		for (int c = 0; c < table->columns; c++)
			if (table->column[c].drops == turn && wanted(table) > width)
				table->width[c] = 0;
}

static void give(struct table *table, int width)
{
	for (int c = 0; c < table->columns; c++) {
		int over = table_width(table) - width, gives = table->column[c].gives;
		if (over > 0 && gives)
			table->width[c] = larger(gives < table->width[c] ? gives : table->width[c], table->width[c] - over);
	}
}

static void take(struct table *table, int width)
{
	for (int c = 0; c < table->columns; c++) {
		int left = width - table_width(table) - gap_of(table, c);
		if (table->column[c].takes)
			table->width[c] = left >= table->column[c].takes ? left : table->column[c].least;
	}
}

void table_fit(struct table *table, int width)
{
	measure(table);
	drop(table, width);
	give(table, width);
	take(table, width);
}

/* ---- a table that is kept ---- */

int table_headed(const struct table *table, const char *head)
{
	for (int c = 0; c < table->columns; c++)
		if (strcmp(table->column[c].head, head) == 0)
			return c;
	return -1;
}

const char *table_text(const struct table *table, int row, int column)
{
	assert(row >= 0 && row < table_rows(table) && column >= 0 && column < table->columns);
	return text_of(table, row * table->columns + column);
}

bool table_own(struct table *table)
{
	size_t length = 0, at = 0;
	for (int c = 0; c < table->columns; c++)
		length += strlen(table->column[c].head) + 1;
	char *heads = malloc(length + 1);
	if (!heads)
		return false;
	for (int c = 0; c < table->columns; c++) {
		size_t size = strlen(table->column[c].head) + 1;
		memcpy(heads + at, table->column[c].head, size);
		table->column[c].head = heads + at;
		at += size;
	}
	free(table->heads);
	table->heads = heads;
	return true;
}

void table_choose(struct table *table, int row)
{
	for (int i = 0; i < table->cells; i++) {
		enum role own = table->column[i % table->columns].role;
		bool first = i % table->columns < CHOSEN_CELLS;
		if (first && i / table->columns == row)
			table->cell[i].role = ROLE_CURRENT;
		else if (table->cell[i].role == ROLE_CURRENT)
			table->cell[i].role = own;
	}
}

/* ---- drawing ---- */

static void draw_end(const struct column *column, int width, struct canvas *canvas, int x, int y, enum role role,
	const char *text)
{
	const char *rest = column->less && canvas_text_width(text) > width ? strstr(text, column->less) : NULL;
	sw_text kept = {0};
	if (rest)
		sw_text_add_str(&kept, (sw_str){text, (size_t)(rest - text)});
	canvas_put_end(canvas, x, y, width, role, rest ? sw_text_get(&kept) : text);
	canvas->failed |= kept.failed;
	sw_text_free(&kept);
}

static int draw_cell(const struct table *table, struct canvas *canvas, int x, int y, int c, enum role role,
	const char *text)
{
	const struct column *column = &table->column[c];
	int width = table->width[c];
	if (column->right)
		canvas_put_right(canvas, x, y, width, role, text);
	else if (column->fit == CELL_WRAP)
		return canvas_put_wrapped(canvas, x, y, width, column->indent, role, text);
	else if (column->fit == CELL_CUT)
		canvas_put_cut(canvas, x, y, width, role, text);
	else if (column->fit == CELL_END)
		draw_end(column, width, canvas, x, y, role, text);
	else
		canvas_put(canvas, x, y, role, text);
	return y + 1;
}

int table_draw_heads(const struct table *table, struct canvas *canvas, int y)
{
	int next = y + 1, x = 0;
	for (int c = 0; c < table->columns; c++) {
		if (!table->width[c])
			continue;
		x += gap_of(table, c);
		if (table->column[c].gives)
			canvas_put_cut(canvas, x, y, table->width[c], ROLE_LABEL, table->column[c].head);
		else
			next = larger(next, draw_cell(table, canvas, x, y, c, ROLE_LABEL, table->column[c].head));
		x += table->width[c];
	}
	return next;
}

int table_draw_ruled_heads(const struct table *table, struct canvas *canvas, int y, int width)
{
	y = table_draw_heads(table, canvas, y);
	canvas_hline(canvas, 0, y, width, ROLE_BORDER, 0);
	return y + 1;
}

int table_draw_row(const struct table *table, struct canvas *canvas, int y, int row)
{
	return table_draw_part(table, canvas, y, row, table->columns);
}

int table_draw_part(const struct table *table, struct canvas *canvas, int y, int row, int columns)
{
	int next = y + 1, x = 0;
	for (int c = 0; c < columns && !table->failed; c++) {
		int i = row * table->columns + c;
		if (!table->width[c])
			continue;
		x += gap_of(table, c);
		next = larger(next, draw_cell(table, canvas, x, y, c, table->cell[i].role, text_of(table, i)));
		x += table->width[c];
		if (table->cell[i].over)
			canvas_put(canvas, x, y, ROLE_BAD, "!");
	}
	canvas->failed |= table->failed;
	return next;
}

/* Do columns say that they give way? */
static bool gives_way(const struct table *table)
{
	for (int c = 0; c < table->columns; c++)
		if (table->column[c].gives)
			return true;
	return false;
}

void table_draw(struct table *table, int width, struct canvas *canvas)
{
	int last = table->columns - 1, y = 0;
	table_fit(table, gives_way(table) ? width : TABLE_WIDEST);
	int before = table_at(table, last), room = larger(width - before, LAST_LEAST);
	canvas_reset(canvas, before + room);
	if (!table->column[last].right && table->width[last] > room) {
		table->column[last].fit = CELL_WRAP;
		table->width[last] = room;
	}
	if (*table->column[0].head && table->cells)
		y = table_draw_heads(table, canvas, y);
	for (int row = 0; row < table_rows(table); row++)
		y = table_draw_row(table, canvas, y, row);
	canvas->failed |= table->failed;
}
