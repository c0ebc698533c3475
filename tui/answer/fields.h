/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields: what an answer says to a program, as objects, lists and values in an arena.
 *
 * An item of a list has no key (NULL).  Where memory runs out a container is NULL, and what is added to NULL is
 * forgotten: whoever made the outermost one asks fields_failed.
 */
#ifndef SHARDWALK_ANSWER_FIELDS_H
#define SHARDWALK_ANSWER_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/json_read.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

struct fields;

/* An object that stands in nothing. */
struct fields *fields_new(sw_arena *arena);
bool fields_failed(const struct fields *fields);

/* Objects and lists inside of others. */
struct fields *field_object(struct fields *in, const char *key);
struct fields *field_list(struct fields *in, const char *key);

/* A key that was printed, or is no C string, as long as the fields live. */
const char *fields_key(struct fields *in, sw_str key);

/* Keys are kept as they are; texts and numbers are copied. */
void field_null(struct fields *in, const char *key);
void field_bool(struct fields *in, const char *key, bool value);
void field_int(struct fields *in, const char *key, int64_t value);
void field_count(struct fields *in, const char *key, int64_t value); /* null where it is negative */
void field_number(struct fields *in, const char *key, double value);
void field_ints(struct fields *in, const char *key, const int64_t *values, int64_t count);
void field_text(struct fields *in, const char *key, const char *value); /* NULL becomes null */
void field_str(struct fields *in, const char *key, sw_str value);
void field_digits(struct fields *in, const char *key, double value, int digits); /* null where it is negative */
void field_printed(struct fields *in, const char *key, sw_text *value);          /* and frees the text */

/* JSON that somebody else wrote; it is trimmed. */
void field_raw(struct fields *in, const char *key, sw_str json);

/* The members of an object that somebody else wrote. */
void field_members(struct fields *in, sw_str json);

/* A mesh as plan files have it: a list of axes. */
void field_axes(struct fields *in, const char *key, const sw_mesh *mesh);

/* A struct by the table of its fields (json_read.h). */
void field_struct(struct fields *in, const char *key, const sw_fields *table, const void *of);

/* A mesh and a type as the language writes them. */
void field_mesh(struct fields *in, const char *key, const sw_mesh *mesh);
void field_type(struct fields *in, const char *key, const sw_mesh *mesh, const sw_type *type, bool dtype);

/* "from" and "to", whose element types stand in them with `dtype`; without a problem both are null. */
void field_ends(struct fields *in, const sw_problem *problem, bool dtype);

/* The object of an error, as sw_diag_write_value has it; NULL becomes null. */
void field_diag(struct fields *in, const char *key, const sw_diag *diag, const char *file, long line, sw_str source);

/* Adds an object as a line of its own.  E01 where memory ran out before. */
bool fields_line(const struct fields *fields, sw_text *text, sw_diag *diag);

/* Adds them as JSON with a newline at the end: on one line, or what stands in the outermost object, and items of lists in
 * it, on lines of their own. */
void fields_write(const struct fields *fields, bool line, sw_text *text);

#endif
