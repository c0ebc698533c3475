/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes, types and problems as JSON, both ways, as plan files have them:
 *
 *     {"mesh": [{"axis": "x", "size": 4}], "dtype": "f32", "global": [12], "from": "[3{x}12]", "to": "[12]"}
 *
 * What is read may say its mesh as text too, or as {"x": 4}.  Every error has the position of the value in the document.
 */
#ifndef SHARDWALK_PROBLEM_JSON_H
#define SHARDWALK_PROBLEM_JSON_H

#include <stdbool.h>

#include <shardwalk/distribution.h>
#include <shardwalk/json.h>
#include <shardwalk/json_read.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* A list of axes; a type without its element type. */
void sw_json_mesh(sw_json *json, const sw_mesh *mesh);
void sw_json_type(sw_json *json, const sw_mesh *mesh, const sw_type *type);

/* A type of any kind, the same. */
void sw_json_type_any(sw_json *json, const sw_mesh *mesh, const sw_type *type, const sw_distribution *words);

/* Mesh, element type, sizes, padding and both ends, into the object that is open. */
void sw_json_problem(sw_json *json, const sw_problem *problem);

/* The mesh that is the value of `key`; of a list or an object without axes: none.  Errors: those of meshes, and the code of
 * `in`. */
bool sw_json_read_mesh(const sw_json_in *in, struct json_t *object, const char *key, sw_mesh *mesh);

/* The element type that is the value of `key`; where it is not there, *given is false and *dtype stays.  Error: T07. */
bool sw_json_read_dtype(const sw_json_in *in, struct json_t *object, const char *key, sw_dtype *dtype, bool *given);

/* The type that `value`, which stands at `key` of the object that is being read, says; sizes that do not divide are
 * padded with `pads`.  Errors: those of types, and the code of `in`. */
bool sw_json_read_type(const sw_json_in *in, struct json_t *value, const char *key, const sw_mesh *mesh, bool pads,
	sw_type *type);

/* The same of an array of this element type: no other may be named, P03. */
bool sw_json_read_type_of(const sw_json_in *in, struct json_t *value, const char *key, const sw_mesh *mesh,
	sw_dtype dtype, sw_type *type);

/* A type of any kind, of which `words` is NULL where it is a tile type, into the arena of `in`. */
bool sw_json_read_type_any(const sw_json_in *in, struct json_t *value, const char *key, const sw_mesh *mesh,
	sw_dtype dtype, sw_type *type, const sw_distribution **words);

/* A problem as sw_json_problem has it, its ends of any kind, into the arena of `in`.  What is said twice has to agree: P03. */
bool sw_json_read_problem(const sw_json_in *in, struct json_t *object, sw_problem *problem);

#pragma GCC visibility pop

#endif
