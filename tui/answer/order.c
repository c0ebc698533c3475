/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows by the values of a column.
 */
#define _GNU_SOURCE /* strverscmp */
#include "answer/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* All of them, though not all may be shown. */
static int64_t all_of(const struct rows *rows)
{
	return rows->order != NULL ? rows->order->count : rows->count;
}

/* ---- words ---- */

static bool can_order(const struct rows *rows, const struct row_column *column)
{
	return rows_say(rows, column) && column->kind != ROW_LIST && column->kind != ROW_OBJECT;
}

/* A column that names its order is one of few; where none does all are. */
static bool names_order(const struct rows *rows, bool folds)
{
	for (int c = 0; c < rows->columns; c++)
		if (can_order(rows, &rows->column[c]) && rows->column[c].order != NULL && rows->column[c].folds == folds)
			return true;
	return false;
}

/* NULL: it has none. */
static const char *word_of(const struct rows *rows, const struct row_column *column, bool named, bool folds)
{
	bool fits = can_order(rows, column) && (!folds || column->folds) && (!named || column->folds == folds);

	return !fits ? NULL : named ? column->order : column->key;
}

const char *rows_order_word(const struct rows *rows, bool folds, int n)
{
	bool named = names_order(rows, folds);
	int seen = 0;

	for (int c = 0; c < rows->columns; c++) {
		const char *word = word_of(rows, &rows->column[c], named, folds);
		bool again = false;

		for (int before = 0; before < c && word != NULL && !again; before++) {
			const char *other = word_of(rows, &rows->column[before], named, folds);
			again = other != NULL && strcmp(other, word) == 0;
		}
		if (word != NULL && *word != '\0' && !again && seen++ == n)
			return word;
	}
	return NULL;
}

bool rows_refuse(sw_str word, bool folds, const char *const *words, int count, sw_diag *diag)
{
	sw_text all = {0};
	int near = sw_str_nearest(word, words, count);

	for (int n = 0; n < count; n++)
		sw_text_addf(&all, "%s%s", n > 0 ? ", " : "", words[n]);
	sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "rows cannot be %s by '%.*s'", folds ? "folded" : "ordered",
		word.length < 40 ? (int)word.length : 40, word.at);
	sw_diag_expected(diag, "%s", count > 0 ? sw_text_get(&all) : "no column: these rows are never folded");
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", words[near]);
	sw_text_free(&all);
	return false;
}

#define WORDS_MOST 64 /* that are listed */

static bool refuse(const struct rows *rows, sw_str word, bool folds, sw_diag *diag)
{
	const char *words[WORDS_MOST];
	int count = 0;

	while (count < WORDS_MOST && (words[count] = rows_order_word(rows, folds, count)) != NULL)
		count++;
	return rows_refuse(word, folds, words, count, diag);
}

/* Has the column this word?  Those that name an order have it before those whose key it is. */
static bool has_word(const struct rows *rows, const struct row_column *column, sw_str word, bool named, bool folds)
{
	const char *own = word_of(rows, column, named, folds);

	return own != NULL && sw_str_is(word, own);
}

static bool any_has(const struct rows *rows, sw_str word, bool named, bool folds)
{
	for (int c = 0; c < rows->columns; c++)
		if (has_word(rows, &rows->column[c], word, named, folds))
			return true;
	return false;
}

bool rows_has(const struct rows *rows, sw_str word, bool folds, sw_diag *diag)
{
	return any_has(rows, word, true, folds) || any_has(rows, word, false, folds) || refuse(rows, word, folds, diag);
}

/* ---- values ---- */

struct value {
	int64_t at; /* among what is shown */
	bool known, rises;
	double number;
	const char *text; /* NULL: it is a number */
};

static int compare_values(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	int order = 0;

	if (x->known != y->known)
		return x->known ? -1 : 1;
	if (x->known && x->text != NULL)
		order = strverscmp(x->text, y->text);
	else if (x->known)
		order = (x->number > y->number) - (x->number < y->number);
	order = x->rises ? order : -order;
	return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

static bool text_of(const struct row_column *column, const struct row_at *at, sw_arena *arena, struct value *value)
{
	sw_text text = {0};

	value->known = column_print(column, at, &text) && text.length > 0;
	value->text = sw_text_keep(&text, arena);
	return value->text != NULL;
}

/* The values of all that is shown, as text where rows are folded by them. */
static struct value *values_of(const struct rows *rows, const struct row_column *column, bool as_text,
	sw_arena *arena)
{
	int64_t count = all_of(rows);
	struct value *value = SW_NEW(arena, struct value, count + 1);
	bool number = column_is_number(column) && !as_text;

	for (int64_t i = 0; i < count && value != NULL; i++) {
		struct row_at at = rows_at(rows, i, NULL);

		at.part = column->part;
		value[i] = (struct value){.at = i, .rises = column->rises || !number || (rows->rises && !column->falls)};
		if (number)
			value[i].known = column_number(column, &at, &value[i].number);
		else if (!text_of(column, &at, arena, &value[i]))
			return NULL;
	}
	return value;
}

/* ---- orders ---- */

struct room {
	struct row_order *order;
	int64_t *index, *first;
};

/* Room for so many rows, and as many folds at most. */
static bool make_room(int64_t rows, struct room *room, sw_arena *arena, sw_diag *diag)
{
	room->order = SW_NEW_ZERO(arena, struct row_order, 1);
	room->index = SW_NEW(arena, int64_t, rows + 1);
	room->first = SW_NEW(arena, int64_t, rows + 1);
	if (room->order == NULL || room->index == NULL || room->first == NULL)
		return sw_diag_memory(diag);
	*room->order = (struct row_order){.index = room->index, .first = room->first};
	room->first[0] = 0;
	return true;
}

static int64_t array_rows(const struct rows *rows)
{
	return rows->order != NULL ? rows->order->first[rows->order->count] : rows->count;
}

/* What is shown at `i` comes next in the room. */
static void add_shown(const struct rows *rows, int64_t i, struct room *room, int64_t *filled)
{
	const struct row_order *order = rows->order;
	int64_t from = order != NULL ? order->first[i] : i, to = order != NULL ? order->first[i + 1] : i + 1;

	for (int64_t k = from; k < to; k++)
		room->index[(*filled)++] = order != NULL ? order->index[k] : k;
}

/* What is shown in the order of these values: each by itself, or those of one text as one. */
static bool take_order(struct rows *rows, const struct value *value, bool folds, sw_arena *arena, sw_diag *diag)
{
	int64_t filled = 0, count = all_of(rows);
	struct room room;

	if (!make_room(array_rows(rows), &room, arena, diag))
		return false;
	room.order->folded = folds || (rows->order != NULL && rows->order->folded);
	for (int64_t i = 0; i < count; i++) {
		bool joins = folds && i > 0 && strcmp(value[i].text, value[i - 1].text) == 0;

		add_shown(rows, value[i].at, &room, &filled);
		room.order->count += !joins;
		room.first[room.order->count] = filled;
	}
	rows->order = room.order;
	return true;
}

static bool order_by(struct rows *rows, const struct row_column *column, sw_arena *arena, sw_diag *diag)
{
	struct value *value = values_of(rows, column, false, arena);

	if (value == NULL)
		return sw_diag_memory(diag);
	qsort(value, (size_t)all_of(rows), sizeof(*value), compare_values);
	return take_order(rows, value, false, arena, diag);
}

bool rows_order(struct rows *rows, sw_str word, sw_arena *arena, sw_diag *diag)
{
	bool named = any_has(rows, word, true, false);

	assert(rows != NULL && arena != NULL);
	if (!rows_has(rows, word, false, diag))
		return false;
	for (int c = rows->columns - 1; c >= 0; c--)
		if (has_word(rows, &rows->column[c], word, named, false) && !order_by(rows, &rows->column[c], arena, diag))
			return false;
	return true;
}

bool rows_turn(struct rows *rows, sw_arena *arena, sw_diag *diag)
{
	int64_t filled = 0, count = all_of(rows);
	struct room room;

	assert(rows != NULL && arena != NULL);
	if (!make_room(array_rows(rows), &room, arena, diag))
		return false;
	room.order->folded = rows->order != NULL && rows->order->folded;
	for (int64_t i = count - 1; i >= 0; i--) {
		add_shown(rows, i, &room, &filled);
		room.first[++room.order->count] = filled;
	}
	rows->order = room.order;
	return true;
}

/* ---- folds ---- */

/* Where the first of its text is, in place of its own text. */
static void number_folds(struct value *value, int64_t count, int64_t *first)
{
	for (int64_t i = 0; i < count; i++) {
		bool joins = i > 0 && strcmp(value[i].text, value[i - 1].text) == 0;
		first[i] = joins ? first[i - 1] : value[i].at;
	}
	for (int64_t i = 0; i < count; i++)
		value[i].number = (double)first[i];
}

/* As they come, whatever their digits are. */
static int compare_texts(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

static int compare_folds(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	return x->number != y->number ? (x->number > y->number) - (x->number < y->number) :
									(x->at > y->at) - (x->at < y->at);
}

static bool fold_by(struct rows *rows, const struct row_column *column, sw_arena *arena, sw_diag *diag)
{
	int64_t count = all_of(rows);
	struct value *value = values_of(rows, column, true, arena);
	int64_t *first = SW_NEW(arena, int64_t, count + 1);

	if (value == NULL || first == NULL)
		return sw_diag_memory(diag);
	qsort(value, (size_t)count, sizeof(*value), compare_texts);
	number_folds(value, count, first);
	qsort(value, (size_t)count, sizeof(*value), compare_folds);
	return take_order(rows, value, true, arena, diag);
}

bool rows_fold(struct rows *rows, sw_str word, sw_arena *arena, sw_diag *diag)
{
	bool named = any_has(rows, word, true, true);

	assert(rows != NULL && arena != NULL);
	for (int c = 0; c < rows->columns; c++)
		if (has_word(rows, &rows->column[c], word, named, true))
			return fold_by(rows, &rows->column[c], arena, diag);
	return refuse(rows, word, true, diag);
}

/* ---- answers ---- */

bool rows_arrange_as(struct rows *rows, struct arrangement *asked, sw_diag *diag)
{
	assert(rows != NULL);
	if (asked == NULL)
		return true;
	if (asked->fold.length > 0 && rows_has(rows, asked->fold, true, NULL)) {
		asked->folded = true;
		if (!rows_fold(rows, asked->fold, asked->arena, diag))
			return false;
	}
	if (asked->by.length == 0 || !rows_has(rows, asked->by, false, NULL))
		return true;
	asked->ordered = true;
	return rows_order(rows, asked->by, asked->arena, diag);
}

bool rows_arrange(struct rows *rows, struct document *document, sw_diag *diag)
{
	return rows_arrange_as(rows, document->arrangement, diag);
}

bool rows_answer(const struct rows *rows, struct document *document, struct fields *in, const char *key,
	sw_diag *diag)
{
	struct rows arranged = *rows;

	assert(rows != NULL && document != NULL);
	return rows_arrange(&arranged, document, diag) && rows_table(&arranged, document, diag) &&
		rows_list(&arranged, in, key, diag);
}
