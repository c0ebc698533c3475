/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers: tables are drawn into a canvas like every view.
 */
#include "command/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

void answer_error(struct session *session, const struct place *place, const sw_diag *diag, const char *name)
{
	sw_text text = {0};
	sw_diag ignored;
	sw_str source = place ? place->text : (sw_str){"", 0};
	sw_diag_write(diag, name, place ? place->file : NULL, place ? place->line : 0, source, &text);
	console_write(&session->console, &text, &ignored);
	sw_text_free(&text);
}

bool answer_line(struct session *session, sw_diag *diag, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	sw_text_add_char(&text, '\n');
	bool ok = console_write(&session->console, &text, diag);
	sw_text_free(&text);
	return ok;
}

bool answer_text(struct session *session, const char *command, sw_str printed, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', false);
	sw_json_key(&json, "schema");
	sw_json_string(&json, "shardwalk.text/1");
	sw_json_key(&json, "command");
	sw_json_string(&json, command);
	sw_json_key(&json, "text");
	sw_json_str(&json, printed);
	sw_json_close(&json);
	sw_text_add_char(&text, '\n');
	bool ok = console_write(&session->console, &text, diag) && console_flush(&session->console, diag);
	sw_text_free(&text);
	return ok;
}

/* ---- tables ---- */

struct table table_start(sw_arena *arena, const struct column *column)
{
	struct table table = {.arena = arena, .column = column};
	while (column[table.columns].head)
		table.columns++;
	return table;
}

static void table_take(struct table *table, const char *text, size_t length)
{
	if (table->cells == table->room) {
		int room = table->room ? 2 * table->room : 64;
		char **more = SW_NEW(table->arena, char *, room);
		if (!more) {
			table->failed = true;
			return;
		}
		if (table->cells)
			memcpy(more, table->cell, (size_t)table->cells * sizeof(*more));
		table->cell = more;
		table->room = room;
	}
	char *copy = sw_arena_copy(table->arena, text, length);
	table->failed |= !copy;
	table->cell[table->cells++] = copy;
}

void table_add(struct table *table, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	table_add_text(table, &text);
}

void table_add_if(struct table *table, bool there, int64_t number)
{
	sw_text text = {0};
	if (there)
		sw_print_count(&text, number);
	table_add_text(table, &text);
}

void table_add_text(struct table *table, sw_text *text)
{
	if (!table->failed)
		table_take(table, sw_text_get(text), text->length);
	sw_text_free(text);
	*text = (sw_text){0};
}

static void table_measure(const struct table *table, int *widths)
{
	for (int c = 0; c < table->columns; c++)
		widths[c] = canvas_text_width(table->column[c].head);
	for (int i = 0; i < table->cells; i++) {
		int width = canvas_text_width(table->cell[i]);
		if (width > widths[i % table->columns])
			widths[i % table->columns] = width;
	}
}

static int table_draw_row(const struct table *table, struct canvas *canvas, const int *widths, int y,
	char *const *cells)
{
	int x = 0, next = y + 1;
	for (int c = 0; c < table->columns; c++) {
		const struct column *column = &table->column[c];
		const char *text = cells ? cells[c] : column->head;
		enum role role = cells ? column->role : ROLE_LABEL;
		int room = canvas->width - x;
		if (column->right)
			canvas_put_right(canvas, x, y, widths[c], role, text);
		else if (c == table->columns - 1 && room > 12 && canvas_text_width(text) > room)
			next = canvas_put_wrapped(canvas, x, y, room, 0, role, text);
		else
			canvas_put(canvas, x, y, role, text);
		x += widths[c] + 2;
	}
	return next;
}

bool table_print(const struct table *table, struct session *session, sw_diag *diag)
{
	int widths[TABLE_COLUMNS] = {0};
	struct canvas canvas = {0};
	if (table->failed)
		return sw_diag_memory(diag);
	table_measure(table, widths);
	int whole = 0, last = table->columns - 1, room = session->console.width;
	for (int c = 0; c < last; c++)
		whole += widths[c] + 2;
	canvas_reset(&canvas, whole + (room - whole > 24 ? room - whole : 24));
	int y = *table->column[0].head ? table_draw_row(table, &canvas, widths, 0, NULL) : 0;
	for (int i = 0; i + table->columns <= table->cells; i += table->columns)
		y = table_draw_row(table, &canvas, widths, y, table->cell + i);
	bool ok = console_draw(&session->console, &canvas, diag);
	canvas_free(&canvas);
	return ok;
}

/* ---- pieces ---- */

static void add_entries(sw_text *text, const sw_entry *entries, int count)
{
	sw_text_add(text, " [");
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s[%d,%lld]", i ? ", " : "", entries[i].dim, (long long)entries[i].factor);
	sw_text_add_char(text, ']');
}

void answer_move(const sw_move *move, sw_text *text)
{
	const char *name = move->op == SW_DYNSLICE ? "split" : sw_collective_of(move->op)->name;
	sw_text_add(text, name);
	if (move->op == SW_ALLTOALL && move->gathers == 1 && move->splits == 1)
		sw_text_addf(text, "(%d, %d, %lld)", move->gather[0].dim, move->split[0].dim,
			(long long)move->gather[0].factor);
	else if (move->op == SW_ALLGATHER && move->gathers == 1)
		sw_text_addf(text, "(%d, %lld)", move->gather[0].dim, (long long)move->gather[0].factor);
	else {
		if (move->gathers)
			add_entries(text, move->gather, move->gathers);
		if (move->splits)
			add_entries(text, move->split, move->splits);
	}
}

const char *plural(int64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}
