/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the reader of logs: a cursor that sees through what terminals and collectors do to lines, the two kinds of
 * pairs that are looked for, and how a pair becomes a problem.
 */
#ifndef SHARDWALK_IMPORT_LOG_PARTS_H
#define SHARDWALK_IMPORT_LOG_PARTS_H

#include <shardwalk/log.h>

/* Goes over the letters of a text: blanks, line breaks, colours and escapes are passed over. */
typedef struct sw_log_cursor {
	sw_str text;
	size_t at;
	sw_str lead;  /* what stands before the message on its line: where a line starts with the same it is passed over */
	bool gap;     /* an empty line was passed */
} sw_log_cursor;

/* The next letter, -1 at the end. */
int sw_log_next(sw_log_cursor *cursor);

/* Where the letters after count[0], count[1], ... more ones stand; counts ascend. */
void sw_log_places(sw_log_cursor cursor, const size_t *count, size_t *place, int places);

/* The text of a sharding, and where it stands in the whole text. */
typedef struct sw_log_text {
	sw_str text;
	sw_span at;
} sw_log_text;

/* A pair as it was found; slices live in the arena, empty ones were not there. */
typedef struct sw_log_found {
	sw_span at;
	sw_log_text from, to;
	sw_str shape, value, op, op_name;
	bool cut;          /* the message ends before its second sharding does */
	bool is_global;    /* `shape` is that of the whole array */
	int64_t repeats;   /* "[repeated 3x across cluster]" */
} sw_log_found;

/* The next warning from *at on; *at gets the place from which to look for the one after it.  false: there is none, or
 * an error in `diag`. */
bool sw_log_warning(sw_str text, size_t *at, const sw_pulse *pulse, sw_arena *arena, sw_log_found *found, sw_diag *diag);

/* Is this line `A -> B`, perhaps with a shape before or after it? */
bool sw_log_plain(sw_str text, sw_span line, sw_log_found *found);

/* Makes the pair a problem, or says why it is none.  false: no memory. */
bool sw_log_settle(const sw_log_found *found, const sw_log_options *options, sw_arena *arena, sw_log_pair *pair,
    sw_diag *diag);

#endif
