/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON out: a writer straight into a sw_text, and the error object of every `--json`.
 *
 * Only writing is here; what is read goes through jansson.  The writer keeps commas, blanks and indentation right
 * and leaves the order of keys to the caller.
 */
#ifndef SHARDWALK_JSON_H
#define SHARDWALK_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_JSON_DEPTH 32

/* The name of the program and its version, "shardwalk 0.1.0", as documents tell who wrote them. */
const char *sw_written_by(void);

/* One document that is being written.  Its insides are the writer's. */
typedef struct sw_json {
	sw_text *text;
	bool line;    /* all on one line */
	bool compact; /* and no blanks; set it after sw_json_start */
	int digits; /* of numbers that may have a fraction, which they show; 0: the fewest.  Set it after sw_json_start */
	bool keyed; /* a key waits for its value */
	int depth;
	uint32_t filled; /* bit `depth`: something stands there already */
	uint32_t spread; /* bit `depth`: one item a line */
	char close[SW_JSON_DEPTH];
} sw_json;

/* Starts a document at the end of `text`; with `line` it takes no line break. */
void sw_json_start(sw_json *json, sw_text *text, bool line);

/* Opens an object ('{') or an array ('['); spread: each item on a line of its own, where the document may have
 * lines.  At most SW_JSON_DEPTH - 1 deep. */
void sw_json_open(sw_json *json, char bracket, bool spread);
void sw_json_close(sw_json *json);

/* The key of the next value in an object.  It is written as it is: no quotes or control characters in it. */
void sw_json_key(sw_json *json, const char *key);

void sw_json_int(sw_json *json, int64_t value);
void sw_json_bool(sw_json *json, bool value);
void sw_json_null(sw_json *json);

/* The shortest digits that read back to `value`, whatever the locale; whole numbers without a fraction; null for
 * what JSON cannot say (infinities, not a number).  Where the document says how many digits: these, 5.0 and 2.5e-6. */
void sw_json_number(sw_json *json, double value);

/* Text is escaped; bytes that are no UTF-8 become U+FFFD.  NULL becomes null. */
void sw_json_string(sw_json *json, const char *value);
void sw_json_str(sw_json *json, sw_str value);

/* An array of integers on one line. */
void sw_json_ints(sw_json *json, const int64_t *values, int64_t count);

/* A value that is JSON already. */
void sw_json_raw(sw_json *json, sw_str value);

/* A string that `text` receives between these two calls by other printers (sw_type_print and so on). */
size_t sw_json_text_begin(sw_json *json);
void sw_json_text_end(sw_json *json, size_t begin);

/* Adds the error object, schema shardwalk.error/1, on one line with a newline at its end:
 *
 *     {"schema": "shardwalk.error/1", "name": NAME, "error": {"code": "T04", "message": ..., "file": FILE, "line": 3,
 *      "column": 7, "length": 2, "expected": ..., "found": ..., "hint": ...}}
 *
 * `line` is the number of the first line of `source`, the text that the positions of the diagnostic speak of; its
 * line breaks are counted.  Columns count characters from 1.  Where nothing is known (name and file NULL, line 0,
 * no position, nothing expected) the value is null. */
void sw_diag_write(const sw_diag *diag, const char *name, const char *file, long line, sw_str source, sw_text *text);

/* The "error" object alone, as a value of a document. */
void sw_diag_write_value(sw_json *json, const sw_diag *diag, const char *file, long line, sw_str source);

#pragma GCC visibility pop

#endif
