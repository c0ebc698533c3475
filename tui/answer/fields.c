/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values as a tree, and their way out as JSON.
 */
#include "answer/fields.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/json.h>
#include <shardwalk/problem_json.h>

enum kind { IS_NULL, IS_BOOL, IS_INT, IS_NUMBER, IS_TEXT, IS_RAW, IS_INTS, IS_LIST, IS_OBJECT };

struct fields {
	const char *key;
	enum kind kind;
	union {
		int64_t count; /* INT, BOOL; of INTS how many */
		double number;
		size_t length; /* of TEXT and RAW */
	};
	union {
		const char *text;
		const int64_t *ints;
		struct fields *first; /* in LIST and OBJECT */
	};
	struct fields **last;
	struct fields *next;
	sw_arena *arena; /* of LIST and OBJECT */
	bool *failed;    /* of the outermost */
};

struct fields *fields_new(sw_arena *arena)
{
	struct fields *fields = SW_NEW_ZERO(arena, struct fields, 1);
	bool *failed = SW_NEW_ZERO(arena, bool, 1);
	if (!fields || !failed)
		return NULL;
	*fields = (struct fields){.kind = IS_OBJECT, .arena = arena, .failed = failed};
	fields->last = &fields->first;
	return fields;
}

const char *fields_key(struct fields *in, sw_str key)
{
	return in ? sw_arena_copy(in->arena, key.at, key.length) : NULL;
}

bool fields_failed(const struct fields *fields)
{
	return !fields || *fields->failed;
}

/* ---- adding ---- */

static struct fields *add(struct fields *in, const char *key, enum kind kind)
{
	struct fields *value = in ? SW_NEW_ZERO(in->arena, struct fields, 1) : NULL;
	if (in)
		*in->failed |= !value;
	if (!value)
		return NULL;
	value->key = key;
	value->kind = kind;
	*in->last = value;
	in->last = &value->next;
	return value;
}

static struct fields *add_container(struct fields *in, const char *key, enum kind kind)
{
	struct fields *value = add(in, key, kind);
	if (!value)
		return NULL;
	value->arena = in->arena;
	value->failed = in->failed;
	value->last = &value->first;
	return value;
}

struct fields *field_object(struct fields *in, const char *key)
{
	return add_container(in, key, IS_OBJECT);
}

struct fields *field_list(struct fields *in, const char *key)
{
	return add_container(in, key, IS_LIST);
}

void field_null(struct fields *in, const char *key)
{
	add(in, key, IS_NULL);
}

static void add_count(struct fields *in, const char *key, enum kind kind, int64_t count)
{
	struct fields *value = add(in, key, kind);
	if (value)
		value->count = count;
}

void field_bool(struct fields *in, const char *key, bool value)
{
	add_count(in, key, IS_BOOL, value);
}

void field_int(struct fields *in, const char *key, int64_t value)
{
	add_count(in, key, IS_INT, value);
}

void field_count(struct fields *in, const char *key, int64_t value)
{
	add_count(in, key, value < 0 ? IS_NULL : IS_INT, value);
}

void field_number(struct fields *in, const char *key, double value)
{
	struct fields *field = add(in, key, IS_NUMBER);
	if (field)
		field->number = value;
}

void field_ints(struct fields *in, const char *key, const int64_t *values, int64_t count)
{
	struct fields *field = add(in, key, IS_INTS);
	int64_t *copy = field && count ? SW_NEW(in->arena, int64_t, count) : NULL;
	if (!field)
		return;
	*in->failed |= count && !copy;
	if (copy)
		memcpy(copy, values, (size_t)count * sizeof(*values));
	field->ints = copy;
	field->count = copy ? count : 0;
}

static void add_bytes(struct fields *in, const char *key, enum kind kind, sw_str bytes)
{
	struct fields *field = add(in, key, kind);
	if (!field)
		return;
	field->text = sw_arena_copy(in->arena, bytes.at, bytes.length);
	field->length = field->text ? bytes.length : 0;
	*in->failed |= !field->text;
}

void field_str(struct fields *in, const char *key, sw_str value)
{
	add_bytes(in, key, IS_TEXT, value);
}

void field_text(struct fields *in, const char *key, const char *value)
{
	if (value)
		add_bytes(in, key, IS_TEXT, sw_str_of(value));
	else
		field_null(in, key);
}

void field_printed(struct fields *in, const char *key, sw_text *value)
{
	add_bytes(in, key, IS_TEXT, (sw_str){sw_text_get(value), value->length});
	if (in)
		*in->failed |= value->failed;
	sw_text_free(value);
	*value = (sw_text){0};
}

void field_raw(struct fields *in, const char *key, sw_str json)
{
	add_bytes(in, key, IS_RAW, sw_str_trim(json));
}

void field_members(struct fields *in, sw_str json)
{
	json = sw_str_trim(json);
	if (json.length > 2)
		field_raw(in, NULL, sw_str_inner(json));
}

void field_digits(struct fields *in, const char *key, double value, int digits)
{
	char text[40];
	int length = snprintf(text, sizeof(text), "%.*g", digits, value);
	if (value < 0)
		field_null(in, key);
	else
		field_raw(in, key, (sw_str){text, (size_t)length});
}

void field_mesh(struct fields *in, const char *key, const sw_mesh *mesh)
{
	sw_text text = {0};
	sw_mesh_print(mesh, &text);
	field_printed(in, key, &text);
}

void field_type(struct fields *in, const char *key, const sw_mesh *mesh, const sw_type *type, bool dtype)
{
	sw_text text = {0};
	sw_type_print(mesh, type, dtype, &text);
	field_printed(in, key, &text);
}

static void field_end(struct fields *in, const char *key, const sw_problem *problem, const sw_type *type,
	const sw_distribution *words, bool dtype)
{
	sw_text text = {0};

	if (words == NULL) {
		field_type(in, key, &problem->mesh, type, dtype);
		return;
	}
	sw_type_print_any(&problem->mesh, type, words, dtype, &text);
	field_printed(in, key, &text);
}

void field_ends(struct fields *in, const sw_problem *problem, bool dtype)
{
	if (!problem) {
		field_null(in, "from");
		field_null(in, "to");
		return;
	}
	field_end(in, "from", problem, &problem->from, problem->from_words, dtype);
	field_end(in, "to", problem, &problem->to, problem->to_words, dtype);
}

/* ---- what others write ---- */

static void add_written(struct fields *in, const char *key, sw_text *text)
{
	field_raw(in, key, (sw_str){sw_text_get(text), text->length});
	if (in)
		*in->failed |= text->failed;
	sw_text_free(text);
}

void field_struct(struct fields *in, const char *key, const sw_fields *table, const void *of)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', false);
	sw_fields_write(&json, table->field, table->count, of);
	sw_json_close(&json);
	add_written(in, key, &text);
}

void field_axes(struct fields *in, const char *key, const sw_mesh *mesh)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	sw_json_mesh(&json, mesh);
	add_written(in, key, &text);
}

void field_diag(struct fields *in, const char *key, const sw_diag *diag, const char *file, long line, sw_str source)
{
	sw_text text = {0};
	sw_json json;
	if (!diag) {
		field_null(in, key);
		return;
	}
	sw_json_start(&json, &text, true);
	sw_diag_write_value(&json, diag, file, line, source);
	add_written(in, key, &text);
}

/* ---- JSON ---- */

static void write_value(const struct fields *value, bool outer, sw_json *json);

static void write_all(const struct fields *value, bool outer, sw_json *json)
{
	bool spread = outer || (value->kind == IS_LIST && value->first && value->first->kind == IS_OBJECT);
	sw_json_open(json, value->kind == IS_OBJECT ? '{' : '[', spread);
	for (const struct fields *field = value->first; field; field = field->next) {
		if (field->key)
			sw_json_key(json, field->key);
		write_value(field, false, json);
	}
	sw_json_close(json);
}

static void write_value(const struct fields *value, bool outer, sw_json *json)
{
	switch (value->kind) {
	case IS_NULL:
		sw_json_null(json);
		break;
	case IS_BOOL:
		sw_json_bool(json, value->count);
		break;
	case IS_INT:
		sw_json_int(json, value->count);
		break;
	case IS_NUMBER:
		sw_json_number(json, value->number);
		break;
	case IS_TEXT:
		sw_json_str(json, (sw_str){value->text, value->length});
		break;
	case IS_RAW:
		sw_json_raw(json, (sw_str){value->text, value->length});
		break;
	case IS_INTS:
		sw_json_ints(json, value->ints, value->count);
		break;
	default:
		write_all(value, outer, json);
	}
}

void fields_write(const struct fields *fields, bool line, sw_text *text)
{
	sw_json json;
	sw_json_start(&json, text, line);
	write_value(fields, true, &json);
	sw_text_add_char(text, '\n');
}

bool fields_line(const struct fields *fields, sw_text *text, sw_diag *diag)
{
	if (fields_failed(fields))
		return sw_diag_memory(diag);
	fields_write(fields, true, text);
	return true;
}
