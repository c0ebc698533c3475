/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON in, with positions in errors; and structs as tables of fields, which are both ways.
 *
 * A table of fields says once what the keys of an object are: it writes a struct, reads it back, refuses values
 * that cannot be, and names what a file claims.  What is not known - a number that is not finite or below its least, a
 * NULL - is written as null, and null is read as if the key were not there.
 */
#ifndef SHARDWALK_JSON_READ_H
#define SHARDWALK_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/json.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

struct json_t; /* of jansson */

#define SW_WHERE_SIZE 96

/* A document that is being read. */
typedef struct sw_json_in {
	sw_str text; /* the whole of it */
	sw_arena *arena;
	sw_diag *diag;
	char where[SW_WHERE_SIZE]; /* the object that is being read: "" or "steps[2]." */
	sw_code code;              /* of values that are missing or cannot be; 0: P01 */
} sw_json_in;

typedef enum sw_needed { SW_OPTIONAL, SW_REQUIRED } sw_needed;

/* The parsed text, the caller's to release; NULL where it is no JSON or has a key twice: B04 at the byte where the parser
 * gave up, with its reason behind `before`. */
struct json_t *sw_json_parse(sw_str text, const char *before, sw_diag *diag);

/* The span of the value at `path` ("steps[2].groups[0]") in a text that is known to be JSON.  Where the path leaves
 * the text, the opening bracket of the last value that exists. */
sw_span sw_json_locate(sw_str text, const char *path);

/* The same document, for who reads the object at `key` of the one that is being read. */
sw_json_in sw_json_inside(const sw_json_in *in, const char *key);

/* Blames the value of `key` in the object that is being read, with its position in the text.  SW_OK: the code of `in`.
 * Returns false. */
bool sw_json_refuse(const sw_json_in *in, sw_code code, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A text inside the document was refused by its own parser: moves the positions into the document.  Returns false. */
bool sw_json_refuse_shifted(const sw_json_in *in, const char *key);

/* ---- values by key; what is optional and not there leaves *out as it is ---- */

/* The kinds that a value may be of. */
typedef enum sw_json_kind {
	SW_KIND_OBJECT,
	SW_KIND_LIST,
	SW_KIND_TEXT,
	SW_KIND_INT,
	SW_KIND_NUMBER,
	SW_KIND_BOOL
} sw_json_kind;

/* Is the value that stands at `key` there, and of this kind?  Refused where it is not. */
bool sw_json_is(const sw_json_in *in, const struct json_t *value, const char *key, sw_json_kind kind);

/* The value of `key` if it is of this kind.  NULL and *ok where it is optional and not there, or null. */
struct json_t *sw_json_read_value(const sw_json_in *in, struct json_t *object, const char *key, sw_json_kind kind,
	sw_needed need, bool *ok);

/* A slice of the document, which lives as long as that; and a copy in the arena (nothing for no text). */
bool sw_json_read_string(const sw_json_in *in, struct json_t *object, const char *key, sw_needed need, sw_str *out);
bool sw_json_keep(const sw_json_in *in, sw_str text, const char **out);

/* ---- structs ---- */

typedef enum sw_field_kind {
	SW_FIELD_INT,     /* int64_t */
	SW_FIELD_COUNT,   /* int */
	SW_FIELD_NUMBER,  /* double */
	SW_FIELD_SECONDS, /* double, written to the nanosecond */
	SW_FIELD_BOOL,    /* bool */
	SW_FIELD_TEXT,    /* const char * */
	SW_FIELD_OBJECT,  /* const STRUCT *, of the table `in` */
	SW_FIELD_INTS,    /* sw_list of int64_t */
	SW_FIELD_NUMBERS, /* sw_list of double */
	SW_FIELD_TEXTS,   /* sw_list of const char *; one alone is written as a text */
	SW_FIELD_OBJECTS  /* sw_list of structs of the table `in` */
} sw_field_kind;

/* Items one after the other; NULL: not known. */
typedef struct sw_list {
	const void *item;
	int64_t count;
} sw_list;

struct sw_field;

typedef struct sw_fields {
	const struct sw_field *field;
	int count;
	size_t size; /* of the struct */
} sw_fields;

typedef struct sw_field {
	const char *key;
	sw_field_kind kind;
	size_t at;                       /* offsetof the member */
	int64_t least;                   /* numbers below are refused */
	bool sparse;                     /* what is not known is left out, and not written as null */
	const sw_fields *in;             /* of OBJECT and OBJECTS */
	bool (*needed)(const void *of);  /* must it be there, by what was read before it?  NULL: no */
	bool (*written)(const void *of); /* NULL: yes */
	bool (*claim)(const void *of);   /* is what a file says of it not proved here?  NULL: it is, or is checked */
} sw_field;

/* A row: SW_FIELD("cost", INT, sw_plan, cost, .needed = always). */
#define SW_FIELD(name, kind_of, of, member, ...) \
	{ \
		.key = (name), .kind = SW_FIELD_##kind_of, .at = offsetof(of, member), __VA_ARGS__ \
	}

/* A table of rows that stand in an array: sw_fields table = SW_FIELDS(rows, sw_plan). */
#define SW_FIELDS(rows, of) \
	{ \
		rows, sizeof(rows) / sizeof(*(rows)), sizeof(of) \
	}

/* Writes the fields in their order into the object that is open. */
void sw_fields_write(sw_json *json, const sw_field *field, int count, const void *of);

/* Makes all members what is not known; truth values false. */
void sw_fields_forget(const sw_field *field, int count, void *of);

/* Reads them in their order from `object`; what is not there stays as it is.  Structs, lists and texts come to live in the
 * arena, and start as sw_fields_forget leaves them.  Where one is missing, of another kind or below its least value: the
 * code of `in`. */
bool sw_fields_read(const sw_json_in *in, struct json_t *object, const sw_field *field, int count, void *of);

/* Reads a whole document, an object: as sw_fields_read, after sw_fields_forget.  B04 where it is no JSON. */
bool sw_fields_parse(sw_str text, sw_arena *arena, const sw_fields *fields, void *of, sw_diag *diag);

#pragma GCC visibility pop

#endif
