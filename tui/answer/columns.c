/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of rows, as cells and as fields: of one row, or of several that are folded.
 */
#include "answer/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/type.h>

#include "answer/words.h"

#define SHARE_BAR 4 /* columns of a bar in a cell */

/* ---- folds ---- */

/* Row `k` of those that are folded into one. */
static struct row_at folded_at(const struct row_at *at, int64_t k)
{
	struct row_at one = *at;

	assert(k >= 0 && k < at->fold.count);
	one.row = (const char *)at->fold.row + (size_t)at->fold.index[k] * at->fold.size;
	one.number = at->fold.index[k] + 1;
	one.fold.count = 0;
	return one;
}

static bool is_folded(const struct row_at *at)
{
	return at->fold.count > 1;
}

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

/* A number of any kind: whole ones exactly, which sums of folded rows are, too. */
struct number {
	int64_t count;
	double real;
};

static bool is_real(enum row_kind kind)
{
	return kind == ROW_NUMBER || kind == ROW_AMOUNT || kind == ROW_SHARE || kind == ROW_SECONDS;
}

static bool count_of_one(const struct row_column *column, const struct row_at *at, int64_t *count)
{
	const void *member = column->count_of == NULL ? member_of(column, at) : NULL;

	if (column->kind == ROW_NUMBERED)
		*count = at->number;
	else if (column->kind == ROW_FOLDED)
		*count = at->fold.count;
	else if (column->count_of != NULL)
		*count = column->count_of(at);
	else if (member == NULL)
		return false;
	else
		*count = whole_at(member, column->size);
	return column->any || *count >= column->least + column->above;
}

static bool real_of_one(const struct row_column *column, const struct row_at *at, double *number)
{
	const double *member = column->number_of == NULL ? member_of(column, at) : NULL;

	if (column->number_of == NULL && member == NULL)
		return false;
	*number = member != NULL ? *member : column->number_of(at);
	return column->any ? !isnan(*number) : column->above ? *number > 0 : *number >= 0;
}

static bool number_of_one(const struct row_column *column, const struct row_at *at, struct number *number)
{
	*number = (struct number){0, 0};
	return is_real(column->kind) ? real_of_one(column, at, &number->real) : count_of_one(column, at, &number->count);
}

/* Of rows that are folded the sum of those that are known; what does not fit is the largest number. */
static bool number_of(const struct row_column *column, const struct row_at *at, struct number *number)
{
	struct number sum = {0, 0};
	bool known = false;

	if (!is_folded(at) || !column->adds)
		return number_of_one(column, at, number);
	for (int64_t k = 0; k < at->fold.count; k++) {
		struct row_at one = folded_at(at, k);

		if (!number_of_one(column, &one, number))
			continue;
		known = true;
		sum.real += number->real;
		if (__builtin_add_overflow(sum.count, number->count, &sum.count))
			sum.count = INT64_MAX;
	}
	*number = sum;
	return known;
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

const char *column_name(const struct row_column *column, const void *of, const char *name, int part)
{
	return column->named != NULL && *name == '\0' ? column->named(of, part) : name;
}

/* ---- cells ---- */

static bool is_count(enum row_kind kind)
{
	return kind <= ROW_BYTES || kind == ROW_FLAG || kind == ROW_NUMBERED || kind == ROW_FOLDED;
}

bool column_is_number(const struct row_column *column)
{
	return (is_count(column->kind) && column->kind != ROW_FLAG) || is_real(column->kind);
}

enum role column_role(const struct row_column *column)
{
	return column->role != ROLE_TEXT ? column->role :
		column->kind == ROW_NUMBERED ? ROLE_LABEL :
		column->kind == ROW_SHARE    ? ROLE_BAR :
		column_is_number(column)     ? ROLE_NUMBER :
									   ROLE_TEXT;
}

static bool print_count(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	struct number number;

	if (!number_of(column, at, &number))
		return false;
	if (column->kind == ROW_LARGE)
		sw_print_count(text, number.count);
	else if (column->kind == ROW_BYTES)
		sw_print_bytes(text, number.count);
	else if (column->kind == ROW_DEVICE && at->mesh != NULL)
		sw_mesh_print_device(at->mesh, number.count, text);
	else
		sw_text_add_int(text, number.count);
	return true;
}

/* A bar, and per cent. */
static void print_share(double share, sw_text *text)
{
	canvas_text_bar(text, SHARE_BAR, share, 1);
	if (share > 0 && share < 0.005)
		sw_text_add(text, "  <1%");
	else
		sw_text_addf(text, " %3.0f%%", 100 * share);
}

static bool print_number(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	struct number number;

	if (!number_of(column, at, &number))
		return false;
	if (column->kind == ROW_NUMBER)
		sw_text_addf(text, "%.*f", column->digits, number.real);
	else if (column->kind == ROW_AMOUNT)
		sw_print_real_bytes(text, number.real);
	else if (column->kind == ROW_SHARE)
		print_share(number.real, text);
	else
		sw_text_add(text, words_seconds_to(number.real, column->digits > 0 ? column->digits : 3).text);
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
	struct number set = {0, 0};

	number_of(column, at, &set);
	sw_text_add(text, set.count ? column->mark : "");
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
	case ROW_AMOUNT:
	case ROW_SHARE:
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

/* As people read it. */
static bool print_read(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	return (column->print != NULL ? print_by : print_value)(column, at, text);
}

/* Have all rows that are folded the same? */
static bool is_one(const struct row_column *column, const struct row_at *at)
{
	sw_text first = {0}, other = {0};
	bool same = true;

	if (!is_folded(at) || column->adds || column->first || column->kind == ROW_FOLDED ||
		(at->fold.best && column_is_number(column)))
		return true;
	print_read(column, at, &first);
	for (int64_t k = 0; k < at->fold.count && same; k++) {
		struct row_at one = folded_at(at, k);

		sw_text_clear(&other);
		print_read(column, &one, &other);
		same = strcmp(sw_text_get(&first), sw_text_get(&other)) == 0;
	}
	sw_text_free(&first);
	sw_text_free(&other);
	return same;
}

bool column_print(const struct row_column *column, const struct row_at *at, sw_text *text)
{
	return is_one(column, at) && print_read(column, at, text);
}

bool column_number(const struct row_column *column, const struct row_at *at, double *number)
{
	struct number of;
	bool real = is_real(column->kind);

	if ((!real && !is_count(column->kind)) || !is_one(column, at) || !number_of(column, at, &of))
		return false;
	*number = real ? of.real : (double)of.count;
	return true;
}

/* ---- fields ---- */

static bool write_count(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	struct number number;

	if (!number_of(column, at, &number))
		return false;
	if (column->kind == ROW_FLAG)
		field_bool(in, key, number.count != 0);
	else
		field_int(in, key, number.count);
	return true;
}

static bool write_number(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	struct number number;

	if (!number_of(column, at, &number))
		return false;
	if (column->round > 0)
		field_digits(in, key, number.real, column->round);
	else
		field_number(in, key, number.real);
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

bool column_write(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in)
{
	bool text = column->kind >= ROW_WORD && column->kind <= ROW_TEXT;
	bool known = is_one(column, at) &&
		(is_real(column->kind) ? write_number :
				text           ? write_text :
								 write_count)(column, at, key, in);

	if (!known && !column->sparse)
		field_null(in, key);
	return true;
}
