/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a JSON document: of the right kind, or refused with the position where they stand.
 */
#include <shardwalk/json_read.h>

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what can go wrong ---- */

/* The byte at which the parser gave up, or the last one. */
static sw_span position_of(const json_error_t *error, sw_str text)
{
	size_t at = error->position > 0 ? (size_t)error->position - 1 : 0;
	if (at >= text.length)
		at = text.length > 0 ? text.length - 1 : 0;
	return (sw_span){at, text.length > 0 ? at + 1 : at};
}

json_t *sw_json_parse(sw_str text, const char *before, sw_diag *diag)
{
	json_error_t error;
	json_t *root = json_loadb(text.at ? text.at : "", text.length, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		sw_diag_set(diag, SW_B04, position_of(&error, text), "%s%s", before, error.text);
	return root;
}

sw_json_in sw_json_inside(const sw_json_in *in, const char *key)
{
	sw_json_in inner = *in;
	int length = snprintf(inner.where, sizeof inner.where, "%s%s.", in->where, key);
	if (length < 0 || length >= (int)sizeof inner.where)
		inner.where[0] = '\0';
	return inner;
}

bool sw_json_refuse(const sw_json_in *in, sw_code code, const char *key, const char *format, ...)
{
	char path[2 * SW_WHERE_SIZE], reason[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	snprintf(path, sizeof path, "%s%s", in->where, key);
	code = code != SW_OK ? code : in->code != SW_OK ? in->code : SW_P01;
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

static bool is_of_kind(const json_t *value, sw_json_kind kind)
{
	switch (kind) {
	case SW_KIND_OBJECT:
		return json_is_object(value);
	case SW_KIND_LIST:
		return json_is_array(value);
	case SW_KIND_TEXT:
		return json_is_string(value);
	case SW_KIND_INT:
		return json_is_integer(value);
	case SW_KIND_NUMBER:
		return json_is_number(value);
	default:
		return json_is_boolean(value);
	}
}

static bool refuse_kind(const sw_json_in *in, const char *key, sw_json_kind kind)
{
	static const char *const names[] = {[SW_KIND_OBJECT] = "an object",
		[SW_KIND_LIST] = "a list",
		[SW_KIND_TEXT] = "text",
		[SW_KIND_INT] = "a whole number",
		[SW_KIND_NUMBER] = "a number",
		[SW_KIND_BOOL] = "true or false"};
	return sw_json_refuse(in, SW_OK, key, "is not %s", names[kind]);
}

bool sw_json_is(const sw_json_in *in, const json_t *value, const char *key, sw_json_kind kind)
{
	if (!value)
		return sw_json_refuse(in, SW_OK, key, "is missing");
	return is_of_kind(value, kind) || refuse_kind(in, key, kind);
}

json_t *sw_json_read_value(const sw_json_in *in, json_t *object, const char *key, sw_json_kind kind, sw_needed need,
	bool *ok)
{
	json_t *value = json_object_get(object, key);
	bool absent = need == SW_OPTIONAL && (!value || json_is_null(value));
	*ok = absent || sw_json_is(in, value, key, kind);
	return absent || !*ok ? NULL : value;
}

bool sw_json_read_string(const sw_json_in *in, json_t *object, const char *key, sw_needed need, sw_str *out)
{
	bool ok;
	json_t *value = sw_json_read_value(in, object, key, SW_KIND_TEXT, need, &ok);
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
