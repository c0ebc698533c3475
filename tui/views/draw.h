/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views have in common: titles, folding, types with coloured axes, operations and groups in words.
 */
#ifndef SHARDWALK_VIEWS_DRAW_H
#define SHARDWALK_VIEWS_DRAW_H

#include <shardwalk/text.h>

#include "answer/words.h"
#include "views/views.h"

/* ---- beginning ---- */

/* Clears the canvas.  false where it is too narrow for any picture: then it says so, and the view is done. */
bool draw_begin(const char *view, const struct view_options *opt, struct canvas *out);

/* Fills L07: `what` is not there, `hint` says what to type. */
bool draw_missing(sw_diag *diag, const char *what, const char *hint);

/* A heading: its name, then what follows, in as many rows as it takes.  Returns the next row. */
int draw_title(struct canvas *out, int y, const char *name, const char *rest);

/* A sentence in role `role`, wrapped.  Returns the next row. */
int draw_note(struct canvas *out, int x, int y, enum role role, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Says what parts of a cell are, where a bar in the rows above `end` ends within one.  Returns the next row. */
int draw_note_ends(struct canvas *out, int end, int y);

/* ---- folding ---- */

/* Things `from` to `to` of a row of things: one, or several folded into one. */
struct stretch {
	int64_t from, to;
};
#define STRETCHES_MAX 256

static inline bool stretch_folded(struct stretch stretch)
{
	return stretch.from < stretch.to;
}

/* At most `room` (1 to STRETCHES_MAX) stretches for `count` things, the first and the last ones and `keep` (-1: none)
 * unfolded as far as that goes.  Returns how many stretches. */
int fold_stretches(int64_t count, int room, int64_t keep, struct stretch stretches[STRETCHES_MAX]);

/* ---- types and axes ---- */

/* A type in its canonical text, axis names in their roles, in as many rows as it takes, broken between dimensions; returns the next row. */
int draw_type_rows(struct canvas *out, int x, int y, int room, const sw_mesh *mesh, const sw_type *type, bool dtype);

/* A part of an axis, `x` or `x:(2)3`. */
void part_text(const sw_mesh *mesh, sw_part part, sw_text *text);

/* The devices that differ by one in the part's digit differ by this in number. */
int64_t part_stride(const sw_mesh *mesh, sw_part part);

/* ---- steps ---- */

/* Why step `k` (0-based) is there, and which dimensions of the tiles it changes, in a sentence without its full stop. */
void step_sentence(const sw_plan *plan, int k, sw_text *text);

/* Explains `0:2` where an operation of several dimensions is written so; returns the next row. */
bool entries_are_pairs(int gathers, int splits);
int pairs_note(struct canvas *out, int y);

/* The elements that a device has at once around step `k`, from 1; 0: before the first. */
int64_t step_live(const sw_plan *plan, int k);

/* The seconds of step `k` (from 0) in the film, of all of them where k < 0: those of the plan's model, else of `latency` on the machine
 * `timed`; below 0: not known. */
double film_seconds(const sw_machine *timed, const sw_plan *plan, int k);

/* How many steps are between two pictures of a film of so many, where nobody chose that. */
int film_steps_a_picture(int steps);

/* So many columns have room for so many pictures of a film, each of so many columns. */
int film_columns(int pictures, int columns);

/* What the full width of bars of memory is.  A budget far above everything does not flatten them. */
double step_memory_most(const sw_plan *plan);

/* Who works together in a step, folded into `room` columns: `[0 6] [1 7] ... 12 groups of 2`. */
void step_groups_text(const sw_plan *plan, int k, int room, sw_text *text);

/* A list of devices of a mesh by runs, in at most `room` columns: `0-7`, `0,4,8..28`, else `0+31`: the first and how many more.
 * `listed` of `count` devices are in `devices`, ascending. */
void devices_text(const sw_mesh *mesh, const int64_t *devices, int64_t listed, int64_t count, int room,
	sw_text *text);

#endif
