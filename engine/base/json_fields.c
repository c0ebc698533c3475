/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structs as tables of fields, both ways.
 */
#include <shardwalk/json_read.h>

#include <assert.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

/* ---- what is not known ---- */

static bool is_known(const sw_field *field, const char *at)
{
	switch (field->kind) {
	case SW_FIELD_INT:
		return *(const int64_t *)at >= field->least;
	case SW_FIELD_COUNT:
		return *(const int *)at >= field->least;
	case SW_FIELD_NUMBER:
	case SW_FIELD_SECONDS:
		return isfinite(*(const double *)at) && *(const double *)at >= (double)field->least;
	case SW_FIELD_BOOL:
		return true;
	default: /* a pointer, or the one that a list begins with */
		return *(const void *const *)at != NULL;
	}
}

static void forget(const sw_field *field, char *at)
{
	switch (field->kind) {
	case SW_FIELD_INT:
		*(int64_t *)at = field->least - (field->least > INT64_MIN);
		break;
	case SW_FIELD_COUNT:
		*(int *)at = field->least > INT_MIN ? (int)field->least - 1 : INT_MIN;
		break;
	case SW_FIELD_NUMBER:
	case SW_FIELD_SECONDS:
		*(double *)at = NAN;
		break;
	case SW_FIELD_BOOL:
		*(bool *)at = false;
		break;
	case SW_FIELD_TEXT:
	case SW_FIELD_OBJECT:
		*(const void **)at = NULL;
		break;
	default:
		*(sw_list *)at = (sw_list){NULL, 0};
	}
}

void sw_fields_forget(const sw_field *field, int count, void *of)
{
	for (int i = 0; i < count; i++)
		forget(&field[i], (char *)of + field[i].at);
}

/* ---- reading ---- */

static bool at_least(const sw_json_in *in, const json_t *value, const sw_field *field)
{
	if (json_number_value(value) >= (double)field->least)
		return true;
	sw_json_refuse(in, SW_OK, field->key, "is too small");
	sw_diag_expected(in->diag, "at least %lld", (long long)field->least);
	sw_diag_found(in->diag, "%.12g", json_number_value(value));
	return false;
}

/* An object that stands at `where` of the document. */
static bool take_struct(const sw_json_in *in, json_t *object, const char *where, const sw_fields *fields, void *of)
{
	assert(fields != NULL);
	sw_json_in inner = sw_json_inside(in, where);
	sw_fields_forget(fields->field, fields->count, of);
	return sw_fields_read(&inner, object, fields->field, fields->count, of);
}

static bool take_object(const sw_json_in *in, const sw_field *field, json_t *value, const void **at)
{
	char *room = SW_NEW_ZERO(in->arena, char, field->in->size);
	*at = room;
	return room ? take_struct(in, value, field->key, field->in, room) : sw_diag_memory(in->diag);
}

static size_t item_size(const sw_field *field)
{
	return field->kind == SW_FIELD_INTS ? sizeof(int64_t) :
		field->kind == SW_FIELD_NUMBERS ? sizeof(double) :
		field->kind == SW_FIELD_TEXTS   ? sizeof(const char *) :
										  field->in->size;
}

static bool item_fits(const sw_field *field, const json_t *item)
{
	return field->kind == SW_FIELD_INTS ? json_is_integer(item) :
		field->kind == SW_FIELD_NUMBERS ? json_is_number(item) :
		field->kind == SW_FIELD_TEXTS   ? json_is_string(item) :
										  json_is_object(item);
}

static bool take_item(const sw_json_in *in, const sw_field *field, json_t *item, const char *where, char *at)
{
	if (!item_fits(field, item))
		return sw_json_refuse(in, SW_OK, where, "has the wrong type");
	if (field->kind == SW_FIELD_INTS)
		*(int64_t *)at = json_integer_value(item);
	else if (field->kind == SW_FIELD_NUMBERS)
		*(double *)at = json_number_value(item);
	else if (field->kind == SW_FIELD_TEXTS)
		return sw_json_keep(in, (sw_str){json_string_value(item), json_string_length(item)}, (const char **)at);
	else
		return take_struct(in, item, where, field->in, at);
	return true;
}

/* A text alone is a list of one. */
static bool take_list(const sw_json_in *in, const sw_field *field, json_t *value, sw_list *list)
{
	bool alone = !json_is_array(value);
	size_t size = item_size(field), count = alone ? 1 : json_array_size(value);
	char *items = SW_NEW_ZERO(in->arena, char, (count + 1) * size);
	if (!items)
		return sw_diag_memory(in->diag);
	for (size_t i = 0; i < count; i++) {
		char where[SW_WHERE_SIZE];
		snprintf(where, sizeof where, alone ? "%s" : "%s[%zu]", field->key, i);
		if (!take_item(in, field, alone ? value : json_array_get(value, i), where, items + i * size))
			return false;
	}
	*list = (sw_list){items, (int64_t)count};
	return true;
}

static bool take(const sw_json_in *in, const sw_field *field, json_t *value, char *at)
{
	switch (field->kind) {
	case SW_FIELD_INT:
		*(int64_t *)at = json_integer_value(value);
		return at_least(in, value, field);
	case SW_FIELD_COUNT:
		*(int *)at = json_integer_value(value) > INT_MAX ? INT_MAX : (int)json_integer_value(value);
		return at_least(in, value, field);
	case SW_FIELD_NUMBER:
	case SW_FIELD_SECONDS:
		*(double *)at = json_number_value(value);
		return at_least(in, value, field);
	case SW_FIELD_BOOL:
		*(bool *)at = json_is_true(value);
		return true;
	case SW_FIELD_TEXT:
		return sw_json_keep(in, (sw_str){json_string_value(value), json_string_length(value)}, (const char **)at);
	case SW_FIELD_OBJECT:
		return take_object(in, field, value, (const void **)at);
	default:
		return take_list(in, field, value, (sw_list *)at);
	}
}

static sw_json_kind kind_of(const sw_field *field, const json_t *value)
{
	static const sw_json_kind kinds[] = {[SW_FIELD_INT] = SW_KIND_INT,
		[SW_FIELD_COUNT] = SW_KIND_INT,
		[SW_FIELD_NUMBER] = SW_KIND_NUMBER,
		[SW_FIELD_SECONDS] = SW_KIND_NUMBER,
		[SW_FIELD_BOOL] = SW_KIND_BOOL,
		[SW_FIELD_TEXT] = SW_KIND_TEXT,
		[SW_FIELD_OBJECT] = SW_KIND_OBJECT,
		[SW_FIELD_INTS] = SW_KIND_LIST,
		[SW_FIELD_NUMBERS] = SW_KIND_LIST,
		[SW_FIELD_TEXTS] = SW_KIND_LIST,
		[SW_FIELD_OBJECTS] = SW_KIND_LIST};
	return field->kind == SW_FIELD_TEXTS && json_is_string(value) ? SW_KIND_TEXT : kinds[field->kind];
}

bool sw_fields_read(const sw_json_in *in, json_t *object, const sw_field *field, int count, void *of)
{
	for (int i = 0; i < count; i++) {
		bool ok;
		sw_needed need = field[i].needed && field[i].needed(of) ? SW_REQUIRED : SW_OPTIONAL;
		sw_json_kind kind = kind_of(&field[i], json_object_get(object, field[i].key));
		json_t *value = sw_json_read_value(in, object, field[i].key, kind, need, &ok);
		if (!ok || (value && !take(in, &field[i], value, (char *)of + field[i].at)))
			return false;
	}
	return true;
}

bool sw_fields_parse(sw_str text, sw_arena *arena, const sw_fields *fields, void *of, sw_diag *diag)
{
	sw_json_in in = {.text = text, .arena = arena, .diag = diag, .code = SW_P01};
	json_t *root = sw_json_parse(text, "this is not JSON: ", diag);
	if (!root)
		return false;
	bool ok = json_is_object(root) ||
		sw_diag_set(diag, SW_P01, sw_json_locate(text, ""), "the document is not an object");
	sw_fields_forget(fields->field, fields->count, of);
	ok = ok && sw_fields_read(&in, root, fields->field, fields->count, of);
	json_decref(root);
	return ok;
}

/* ---- writing ---- */

static void write_object(sw_json *json, const sw_fields *fields, const void *of)
{
	sw_json_open(json, '{', false);
	sw_fields_write(json, fields->field, fields->count, of);
	sw_json_close(json);
}

static void write_item(sw_json *json, const sw_field *field, const char *at)
{
	if (field->kind == SW_FIELD_INTS)
		sw_json_int(json, *(const int64_t *)at);
	else if (field->kind == SW_FIELD_NUMBERS)
		sw_json_number(json, *(const double *)at);
	else if (field->kind == SW_FIELD_TEXTS)
		sw_json_string(json, *(const char *const *)at);
	else
		write_object(json, field->in, at);
}

static void write_list(sw_json *json, const sw_field *field, const sw_list *list)
{
	if (field->kind == SW_FIELD_TEXTS && list->count == 1) {
		write_item(json, field, list->item);
		return;
	}
	sw_json_open(json, '[', false);
	for (int64_t i = 0; i < list->count; i++)
		write_item(json, field, (const char *)list->item + (size_t)i * item_size(field));
	sw_json_close(json);
}

/* Whole nanoseconds; those of less than 0.1 ms as sw_json_number has them, "2.1e-06", without printf. */
static void write_seconds(sw_json *json, double value)
{
	double whole = round(value * 1e9);
	char room[16] = "d.dddde-0d", *at = room;
	int power = -9;
	if (json->digits || !(whole >= 1 && whole < 1e5)) {
		sw_json_number(json, whole / 1e9);
		return;
	}
	int rest = (int)whole, scale = 1;
	while (rest / scale >= 10) {
		scale *= 10;
		power++;
	}
	*at++ = (char)('0' + rest / scale);
	for (rest %= scale; rest > 0; rest %= scale) {
		at += at == room + 1;
		scale /= 10;
		*at++ = (char)('0' + rest / scale);
	}
	at[0] = 'e';
	at[1] = '-';
	at[2] = '0';
	at[3] = (char)('0' - power);
	sw_json_raw(json, (sw_str){room, (size_t)(at + 4 - room)});
}

static void write_known(sw_json *json, const sw_field *field, const char *at)
{
	switch (field->kind) {
	case SW_FIELD_INT:
		sw_json_int(json, *(const int64_t *)at);
		break;
	case SW_FIELD_COUNT:
		sw_json_int(json, *(const int *)at);
		break;
	case SW_FIELD_NUMBER:
		sw_json_number(json, *(const double *)at);
		break;
	case SW_FIELD_SECONDS:
		write_seconds(json, *(const double *)at);
		break;
	case SW_FIELD_BOOL:
		sw_json_bool(json, *(const bool *)at);
		break;
	case SW_FIELD_TEXT:
		sw_json_string(json, *(const char *const *)at);
		break;
	case SW_FIELD_OBJECT:
		write_object(json, field->in, *(const void *const *)at);
		break;
	default:
		write_list(json, field, (const sw_list *)at);
	}
}

void sw_fields_write(sw_json *json, const sw_field *field, int count, const void *of)
{
	for (int i = 0; i < count; i++) {
		const char *at = (const char *)of + field[i].at;
		bool known = is_known(&field[i], at);
		if ((field[i].written && !field[i].written(of)) || (field[i].sparse && !known))
			continue;
		sw_json_key(json, field[i].key);
		if (known)
			write_known(json, &field[i], at);
		else
			sw_json_null(json);
	}
}
