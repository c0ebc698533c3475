/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a plan file value by value: what the parts of the reader share.
 */
#ifndef SHARDWALK_PLAN_JSON_READER_H
#define SHARDWALK_PLAN_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/plan.h>

#include "plan/check.h"

typedef struct sw_reader {
	sw_str text;
	sw_arena *arena;
	sw_plan *plan;
	sw_diag *diag;
	bool prefix;               /* its steps may end anywhere */
	char where[SW_WHERE_SIZE]; /* the object that is being read: "" or "steps[2]." */
} sw_reader;

typedef enum sw_needed { OPTIONAL, REQUIRED } sw_needed;

/* Blames the value of `key` in the object that is being read, with its place in the text.  Returns false. */
bool sw_reader_fail(const sw_reader *r, sw_code code, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A text inside the file was refused by its own parser: moves the places into the file.  Returns false. */
bool sw_reader_shift(const sw_reader *r, const char *key);

/* The value of `key` if it is of this kind (JSON_TRUE: a truth value, JSON_REAL: any number).  NULL and *ok where it
 * is optional and not there, or null. */
json_t *sw_reader_value(const sw_reader *r, json_t *object, const char *key, json_type kind, sw_needed need,
	bool *ok);

/* A list that names each device once; NULL in *out without a diagnostic where the key is not there. */
bool sw_reader_ids(const sw_reader *r, json_t *object, const char *key, const int64_t **out);

/* Values by key; what is optional and not there leaves *out as it is. */
bool sw_reader_int(const sw_reader *r, json_t *object, const char *key, sw_needed need, int64_t *out);
bool sw_reader_number(const sw_reader *r, json_t *object, const char *key, sw_needed need, double *out);
bool sw_reader_bool(const sw_reader *r, json_t *object, const char *key, bool *out, bool *there);

/* A slice of the document, which lives as long as that; and a copy in the arena (nothing for no text). */
bool sw_reader_string(const sw_reader *r, json_t *object, const char *key, sw_needed need, sw_str *out);
bool sw_reader_keep(const sw_reader *r, sw_str text, const char **out);

/* A type over the plan's mesh, which may not name another element type than `dtype`. */
bool sw_reader_type(const sw_reader *r, json_t *object, const char *key, sw_dtype dtype, sw_type *type);

/* The steps of the plan with their types, groups, sources and maps (json_read_step.c). */
bool sw_reader_steps(sw_reader *r, json_t *root);

/* The devices at the places of the mesh, and the step that changes over to others. */
bool sw_reader_order(sw_reader *r, json_t *root);

#endif
