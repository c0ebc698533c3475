/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON both ways: values by key with places in errors, and structs as tables of fields.
 *
 * A table of fields says once what the keys of an object are: it writes a struct, reads it back, refuses values
 * that cannot be, and names what a file claims.
 */
#ifndef SHARDWALK_BASE_JSON_READ_H
#define SHARDWALK_BASE_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/json.h>
#include <shardwalk/text.h>

#define SW_WHERE_SIZE 96

/* A document that is being read. */
typedef struct sw_json_in {
	sw_str text; /* the whole of it */
	sw_arena *arena;
	sw_diag *diag;
	char where[SW_WHERE_SIZE]; /* the object that is being read: "" or "steps[2]." */
} sw_json_in;

typedef enum sw_needed { OPTIONAL, REQUIRED } sw_needed;

/* Blames the value of `key` in the object that is being read, with its place in the text.  Returns false. */
bool sw_json_refuse(const sw_json_in *in, sw_code code, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A text inside the document was refused by its own parser: moves the places into the document.  Returns false. */
bool sw_json_refuse_shifted(const sw_json_in *in, const char *key);

/* ---- values by key; what is optional and not there leaves *out as it is ---- */

/* The value of `key` if it is of this kind (JSON_TRUE: a truth value, JSON_REAL: any number).  NULL and *ok where it
 * is optional and not there, or null. */
json_t *sw_json_read_value(const sw_json_in *in, json_t *object, const char *key, json_type kind, sw_needed need,
	bool *ok);

bool sw_json_read_int(const sw_json_in *in, json_t *object, const char *key, sw_needed need, int64_t *out);
bool sw_json_read_number(const sw_json_in *in, json_t *object, const char *key, sw_needed need, double *out);

/* A slice of the document, which lives as long as that; and a copy in the arena (nothing for no text). */
bool sw_json_read_string(const sw_json_in *in, json_t *object, const char *key, sw_needed need, sw_str *out);
bool sw_json_keep(const sw_json_in *in, sw_str text, const char **out);

/* ---- structs ---- */

typedef enum sw_field_kind {
	SW_FIELD_INT,     /* int64_t */
	SW_FIELD_COUNT,   /* int */
	SW_FIELD_NUMBER,  /* double */
	SW_FIELD_SECONDS, /* double, written to the nanosecond */
	SW_FIELD_BOOL,    /* bool */
	SW_FIELD_TEXT     /* const char *, in the arena of who reads; NULL becomes null */
} sw_field_kind;

typedef struct sw_field {
	const char *key;
	sw_field_kind kind;
	size_t at;                       /* offsetof the member */
	int64_t least;                   /* numbers below are refused */
	bool (*needed)(const void *of);  /* must it be there, by what was read before it?  NULL: no */
	bool (*written)(const void *of); /* NULL: yes */
	bool (*claim)(const void *of);   /* is what a file says of it not proved here?  NULL: it is, or is checked */
} sw_field;

/* Writes the fields in their order into the object that is open. */
void sw_fields_write(sw_json *json, const sw_field *field, int count, const void *of);

/* Reads them in their order from `object`.  P01 where one is missing, of another kind, or below its least value. */
bool sw_fields_read(const sw_json_in *in, json_t *object, const sw_field *field, int count, void *of);

#endif
