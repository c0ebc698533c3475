/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a JSON document: of the right kind, or refused with the place where they stand.
 */
#include "base/json_read.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json_place.h"

/* ---- what can go wrong ---- */

bool sw_json_refuse(const sw_json_in *in, sw_code code, const char *key, const char *format, ...)
{
	char path[2 * SW_WHERE_SIZE], reason[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	snprintf(path, sizeof path, "%s%s", in->where, key);
	return sw_diag_set(in->diag, code, sw_json_locate(in->text, path), "'%s' %s", path, reason);
}

bool sw_json_refuse_shifted(const sw_json_in *in, const char *key)
{
	if (!in->diag)
		return false;
	char path[2 * SW_WHERE_SIZE];
	snprintf(path, sizeof path, "%s%s", in->where, key);
	sw_span at = sw_json_locate(in->text, path);
	bool plain = at.end > at.begin && in->text.at[at.begin] == '"' &&
		!memchr(in->text.at + at.begin, '\\', at.end - at.begin);
	if (plain && (in->diag->at.begin || in->diag->at.end)) {
		sw_diag_shift(in->diag, at.begin + 1);
	} else {
		in->diag->at = at;
		in->diag->also = (sw_span){0, 0};
	}
	return false;
}

/* ---- values by key ---- */

static const char *const kind_names[] = {[JSON_OBJECT] = "an object",
	[JSON_ARRAY] = "a list",
	[JSON_STRING] = "text",
	[JSON_INTEGER] = "a whole number",
	[JSON_REAL] = "a number",
	[JSON_TRUE] = "true or false"};

json_t *sw_json_read_value(const sw_json_in *in, json_t *object, const char *key, json_type kind, sw_needed need,
	bool *ok)
{
	json_t *value = json_object_get(object, key);
	*ok = true;
	if (!value || (need == OPTIONAL && json_is_null(value))) {
		if (need == REQUIRED)
			*ok = sw_json_refuse(in, SW_P01, key, "is missing");
		return NULL;
	}
	bool fits = kind == JSON_TRUE ? json_is_boolean(value) :
		kind == JSON_REAL         ? json_is_number(value) :
									json_typeof(value) == kind;
	if (!fits)
		*ok = sw_json_refuse(in, SW_P01, key, "is not %s", kind_names[kind]);
	return fits ? value : NULL;
}

bool sw_json_read_int(const sw_json_in *in, json_t *object, const char *key, sw_needed need, int64_t *out)
{
	bool ok;
	json_t *value = sw_json_read_value(in, object, key, JSON_INTEGER, need, &ok);
	if (value)
		*out = json_integer_value(value);
	return ok;
}

bool sw_json_read_number(const sw_json_in *in, json_t *object, const char *key, sw_needed need, double *out)
{
	bool ok;
	json_t *value = sw_json_read_value(in, object, key, JSON_REAL, need, &ok);
	if (value)
		*out = json_number_value(value);
	return ok;
}

bool sw_json_read_string(const sw_json_in *in, json_t *object, const char *key, sw_needed need, sw_str *out)
{
	bool ok;
	json_t *value = sw_json_read_value(in, object, key, JSON_STRING, need, &ok);
	if (value)
		*out = (sw_str){json_string_value(value), json_string_length(value)};
	return ok;
}

bool sw_json_keep(const sw_json_in *in, sw_str text, const char **out)
{
	if (!text.at)
		return true;
	*out = sw_arena_copy(in->arena, text.at, text.length);
	return *out || sw_diag_memory(in->diag);
}

/* ---- structs ---- */

static bool at_least(const sw_json_in *in, json_t *value, const sw_field *field)
{
	if (json_number_value(value) >= (double)field->least)
		return true;
	sw_json_refuse(in, SW_P01, field->key, "is less than it can be");
	sw_diag_expected(in->diag, "at least %lld", (long long)field->least);
	sw_diag_found(in->diag, "%.12g", json_number_value(value));
	return false;
}

static bool field_take(const sw_json_in *in, const sw_field *field, json_t *value, char *at)
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
	default:
		return sw_json_keep(in, (sw_str){json_string_value(value), json_string_length(value)}, (const char **)at);
	}
}

bool sw_fields_read(const sw_json_in *in, json_t *object, const sw_field *field, int count, void *of)
{
	static const json_type kinds[] = {[SW_FIELD_INT] = JSON_INTEGER,
		[SW_FIELD_COUNT] = JSON_INTEGER,
		[SW_FIELD_NUMBER] = JSON_REAL,
		[SW_FIELD_SECONDS] = JSON_REAL,
		[SW_FIELD_BOOL] = JSON_TRUE,
		[SW_FIELD_TEXT] = JSON_STRING};
	for (int i = 0; i < count; i++) {
		bool ok;
		sw_needed need = field[i].needed && field[i].needed(of) ? REQUIRED : OPTIONAL;
		json_t *value = sw_json_read_value(in, object, field[i].key, kinds[field[i].kind], need, &ok);
		if (!ok || (value && !field_take(in, &field[i], value, (char *)of + field[i].at)))
			return false;
	}
	return true;
}

static void field_write(sw_json *json, sw_field_kind kind, const char *at)
{
	switch (kind) {
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
		sw_json_number(json, round(*(const double *)at * 1e9) / 1e9);
		break;
	case SW_FIELD_BOOL:
		sw_json_bool(json, *(const bool *)at);
		break;
	default:
		sw_json_string(json, *(const char *const *)at);
	}
}

void sw_fields_write(sw_json *json, const sw_field *field, int count, const void *of)
{
	for (int i = 0; i < count; i++) {
		if (field[i].written && !field[i].written(of))
			continue;
		sw_json_key(json, field[i].key);
		field_write(json, field[i].kind, (const char *)of + field[i].at);
	}
}
