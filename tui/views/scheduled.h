/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules in words and fields: loops, what moves in a step, what each processor keeps, and what all comes to.
 */
#ifndef SHARDWALK_VIEWS_SCHEDULED_H
#define SHARDWALK_VIEWS_SCHEDULED_H

#include <shardwalk/arena.h>
#include <shardwalk/schedule.h>

#include "answer/document.h"
#include "answer/fields.h"
#include "session/session.h"

/* A schedule, as far as its steps are done. */
struct step_words;
struct schedule_look {
	const sw_schedule *schedule;
	const sw_lowering *lowering;
	int64_t step; /* that it is at, from 1; 0: before the first, when nothing is fetched */
	int64_t *
		exact; /* what would move if only what is touched did: kept once it is known, negative until then; NULL: nobody keeps it */
	const struct step_words *
		*words; /* of each step, where somebody keeps them, in `arena` then (execution.c); else NULL */
	sw_arena *arena;
};

/* That of the session; of a formula without one its loops alone.  Errors: L07 with what to type; D35, D36, S08. */
bool session_schedule_look(struct session *session, struct schedule_look *look, sw_diag *diag);

/* Is it worked out who sends?  Not of billions of steps, whose other figures follow from formulas. */
bool schedule_has_senders(const sw_lowering *lowering);

/* Adds the keys of schema shardwalk.schedule/1: loops, notation, steps, what moves; `sent` where there are senders; on small problems the result, too, and the walk.  Errors:
 * those of sw_lowering_totals and of a run. */
bool schedule_fields(const struct schedule_look *look, const sw_pulse *pulse, struct fields *out, sw_diag *diag);

/* Says what all steps come to: "3 steps, 36 messages, 324 elements (A 0, B 162, C 162); ...".  Errors: as above. */
bool schedule_say(const struct schedule_look *look, const sw_pulse *pulse, struct document *answer, sw_diag *diag);

/* The same of figures that are there, of so many steps. */
void schedule_say_totals(const sw_formula *formula, int64_t steps, const sw_schedule_totals *totals,
	struct document *answer);

/* ---- words ---- */

/* The name of an array. */
sw_str schedule_array(const sw_lowering *lowering, int array);

/* Adds it, and behind it `@1` where the mesh has levels. */
void schedule_print_fetch(const sw_lowering *lowering, const sw_fetch *fetch, sw_text *text);

/* Adds a box, `[0-2, 3-5]`; of a single value `[]`. */
void schedule_print_box(const int64_t *box, int rank, sw_text *text);

/* Adds boxes with blanks between them, or `nothing`. */
void schedule_print_boxes(const sw_boxes *boxes, sw_text *text);

/* Adds where a shift goes on a mesh of at most two dimensions, `left`, else its offset, `(1, 0, -1)`. */
void schedule_print_offset(const sw_schedule_pattern *pattern, sw_text *text);

/* Adds a pattern: `shift left, 6 tiles of 9`. */
void schedule_print_pattern(const sw_schedule_pattern *pattern, const sw_schedule_messages *messages, int fetch,
	sw_text *text);

/* The axes of the mesh of one level. */
int schedule_axes(const sw_lowering *lowering, int level, int axis[SW_MAX_AXES]);

#endif
