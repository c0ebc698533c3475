/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines, shapes and placements of arrays as lines of a batch have them.
 */
#ifndef SHARDWALK_COMMAND_PLACED_H
#define SHARDWALK_COMMAND_PLACED_H

#include <jansson.h>
#include <shardwalk/distal.h>
#include <shardwalk/json_read.h>
#include <shardwalk/mesh.h>
#include <shardwalk/type.h>

/* "machine": a list of sizes a level.  Errors: B03, M04, and those of sw_mesh_add. */
bool placed_read_machine(const sw_json_in *in, json_t *line, sw_mesh *mesh);

/* A list of sizes at a key of `json`.  Errors: B03, T06, and those of sw_type_replicated. */
bool placed_read_shape(const sw_json_in *in, json_t *json, const char *key, sw_type *array);

/* An array on a machine; `key` is that of its placement, in what `in` reads. */
struct placed {
	sw_json_in in;
	const char *key;
	sw_mesh mesh;
	sw_type array;
	sw_distal distal;
	bool written; /* it was read in the notation */
};

/* Reads the placement: a text, a list of texts, one a level, or an object with "parts" and "fixed".  Errors: B03, D01 to D06, N01. */
bool placed_read(struct placed *p, json_t *value);

#endif
