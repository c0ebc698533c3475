/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every device holds: a type, or the base offsets of a step that is no type.
 *
 * Nothing here is allocated per device: with a type, the devices that hold a tile are the numbers whose digits
 * on the dimension's axes are given, and whose other digits are free.
 */
#ifndef SHARDWALK_VIEWS_HOLDING_H
#define SHARDWALK_VIEWS_HOLDING_H

#include <shardwalk/holding.h>

#include "views/views.h"

struct holding {
	const sw_mesh *mesh;
	sw_holding held;     /* of each slot of the mesh */
	const sw_type *type; /* that says it; NULL: none does */
	bool known;
	const int64_t *tile, *global;
	const sw_type *array; /* a type of the same array, for its sizes */
	const int64_t *ids;   /* the device in each slot of the mesh; NULL: its number */
	int rank;
	sw_dtype dtype;
	const char *name; /* how it is called in headings; may be NULL */
	int step;         /* of a plan; -1: of none */
};

struct holding holding_of_type(const sw_mesh *mesh, const sw_type *type, const char *name);

/* After step `k` of a plan, 0, and where it has no such step: before the first. */
struct holding holding_of_step(const sw_plan *plan, int k);

/* The device at each slot in the first and the last picture of `in`; NULL: its number. */
const int64_t *holding_order(const struct view_input *in, bool last);

/* The slot of the mesh that lies on `device`. */
int64_t holding_slot(const int64_t *ids, int64_t devices, int64_t device);

/* Is it said at all what the devices hold? */
bool holding_known(const struct holding *holding);

/* What a view of tiles shows: one holding, or two, before and after.  Returns how many; 0 with L07 where there is
 * nothing. */
int holding_choose(const struct view_input *in, const struct view_options *opt, struct holding shown[2],
	sw_diag *diag);

void holding_offset(const struct holding *holding, int64_t device, int64_t *offset);

/* Does the device in this slot hold the element? */
bool holding_has(const struct holding *holding, int64_t slot, const int64_t *element);

/* Tiles along a dimension. */
int64_t holding_tiles(const struct holding *holding, int dim);

/* Is all that `device` holds after already in what it holds before? */
bool holding_kept(const struct holding *before, const struct holding *after, int64_t device);

/* How many terms make up a value: 1 where values are whole.  Which of them, from 0 on, `device` holds. */
int64_t holding_terms(const struct holding *holding);
int64_t holding_term(const struct holding *holding, int64_t device);

/* Adds which term of its tile the device holds, ` term 1 of 2`; nothing where values are whole. */
void holding_term_text(const struct holding *holding, int64_t device, sw_text *text);

/* How many neighbouring devices, from any multiple of this number on, hold the same tile, and the same term of it. */
int64_t holding_run(const struct holding *holding);

/* Tiles asked for: dimension i stands at tile position[i], or anywhere where that is VIEW_ALL. */
struct tile_choice {
	int64_t position[SW_MAX_DIMS];
};

/* The devices that hold such tiles, ascending, at most `room` of them; returns how many are listed, *count how many
 * there are. */
int64_t holding_list(const struct holding *holding, const struct tile_choice *choice, int64_t room, int64_t *devices,
	int64_t *count);

/* A device that holds term `term` of such a tile; -1 where there is no such tile.  A type is needed. */
int64_t holding_term_device(const struct holding *holding, const struct tile_choice *choice, int64_t term);

/* The title of a view: the bytes on a device and on all, before and after where that is another number. */
int holding_title(const struct holding *shown, int count, const char *view, struct canvas *out);

/* Says which elements are padding, if any are; the next row. */
int holding_note(const struct holding *holding, struct canvas *out, int y);

/* Says where the slots of the mesh lie, if not on the devices of the same numbers; the next row. */
int holding_note_order(const struct holding *shown, int count, struct canvas *out, int y);

/* Adds the part of the array that a tile at `offset` is: `[0:3, :]`, a whole dimension being a colon. */
void holding_range_text(const struct holding *holding, const int64_t *offset, sw_text *text);

#endif
