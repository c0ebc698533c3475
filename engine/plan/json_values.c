/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a plan file: of the right kind, or refused with the place where they stand.
 */
#include "plan/json_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plan/json_place.h"

/* ---- what can go wrong ---- */

bool sw_reader_fail(const sw_reader *r, sw_code code, const char *key, const char *format, ...)
{
	char path[2 * SW_WHERE_SIZE], reason[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	snprintf(path, sizeof path, "%s%s", r->where, key);
	return sw_diag_set(r->diag, code, sw_json_locate(r->text, path), "'%s' %s", path, reason);
}

bool sw_reader_shift(const sw_reader *r, const char *key)
{
	if (!r->diag)
		return false;
	char path[2 * SW_WHERE_SIZE];
	snprintf(path, sizeof path, "%s%s", r->where, key);
	sw_span at = sw_json_locate(r->text, path);
	bool plain = at.end > at.begin && r->text.at[at.begin] == '"' &&
		!memchr(r->text.at + at.begin, '\\', at.end - at.begin);
	if (plain && (r->diag->at.begin || r->diag->at.end)) {
		sw_diag_shift(r->diag, at.begin + 1);
	} else {
		r->diag->at = at;
		r->diag->also = (sw_span){0, 0};
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

json_t *sw_reader_value(const sw_reader *r, json_t *object, const char *key, json_type kind, sw_needed need, bool *ok)
{
	json_t *value = json_object_get(object, key);
	*ok = true;
	if (!value || (need == OPTIONAL && json_is_null(value))) {
		if (need == REQUIRED)
			*ok = sw_reader_fail(r, SW_P01, key, "is missing");
		return NULL;
	}
	bool fits = kind == JSON_TRUE ? json_is_boolean(value) :
		kind == JSON_REAL         ? json_is_number(value) :
									json_typeof(value) == kind;
	if (!fits)
		*ok = sw_reader_fail(r, SW_P01, key, "is not %s", kind_names[kind]);
	return fits ? value : NULL;
}

/* The least that a number of this key can be.  Axes and their links, tiles, dimensions and devices have their own refusals. */
static const struct {
	const char *key;
	int least;
} leasts[] = {{"budget", 1}, {"live_budget", 1}, {"cost", 0}, {"lower_bound", 0}, {"weak_cost", 0}, {"model_cost", 0},
	{"model_bound", 0}, {"height", 1}, {"live_peak", 1}, {"permutes", 0}, {"settled", 0}, {"seen", 0}, {"edges", 0},
	{"seconds", 0}, {"localsize", 1}, {"elements", 0}, {"of", 0}, {"most_per_device", 0}, {"empty_devices", 0}};

static bool at_least(const sw_reader *r, json_t *value, const char *key)
{
	for (size_t i = 0; i < sizeof(leasts) / sizeof(*leasts); i++) {
		if (strcmp(leasts[i].key, key) != 0 || json_number_value(value) >= leasts[i].least)
			continue;
		sw_reader_fail(r, SW_P01, key, "is less than it can be");
		sw_diag_expected(r->diag, "at least %d", leasts[i].least);
		sw_diag_found(r->diag, "%.12g", json_number_value(value));
		return false;
	}
	return true;
}

bool sw_reader_int(const sw_reader *r, json_t *object, const char *key, sw_needed need, int64_t *out)
{
	bool ok;
	json_t *value = sw_reader_value(r, object, key, JSON_INTEGER, need, &ok);
	if (value)
		*out = json_integer_value(value);
	return ok && (!value || at_least(r, value, key));
}

bool sw_reader_number(const sw_reader *r, json_t *object, const char *key, sw_needed need, double *out)
{
	bool ok;
	json_t *value = sw_reader_value(r, object, key, JSON_REAL, need, &ok);
	if (value)
		*out = json_number_value(value);
	return ok && (!value || at_least(r, value, key));
}

bool sw_reader_bool(const sw_reader *r, json_t *object, const char *key, bool *out, bool *there)
{
	bool ok;
	json_t *value = sw_reader_value(r, object, key, JSON_TRUE, OPTIONAL, &ok);
	if (value)
		*out = json_is_true(value);
	if (there)
		*there = value != NULL;
	return ok;
}

bool sw_reader_string(const sw_reader *r, json_t *object, const char *key, sw_needed need, sw_str *out)
{
	bool ok;
	json_t *value = sw_reader_value(r, object, key, JSON_STRING, need, &ok);
	if (value)
		*out = (sw_str){json_string_value(value), json_string_length(value)};
	return ok;
}

bool sw_reader_keep(const sw_reader *r, sw_str text, const char **out)
{
	if (!text.at)
		return true;
	*out = sw_arena_copy(r->arena, text.at, text.length);
	return *out || sw_diag_memory(r->diag);
}

/* ---- types ---- */

bool sw_reader_type(const sw_reader *r, json_t *object, const char *key, sw_dtype dtype, sw_type *type)
{
	sw_str text = {0};
	if (!sw_reader_string(r, object, key, REQUIRED, &text))
		return false;
	if (!sw_type_parse(&r->plan->problem.mesh, text, type, r->diag))
		return sw_reader_shift(r, key);
	if (type->dtype_given && type->dtype != dtype)
		return sw_reader_fail(r, SW_P03, key, "has another element type than 'dtype'");
	type->dtype = dtype;
	type->dtype_given = true;
	return true;
}
