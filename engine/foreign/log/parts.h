/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the reader of logs: what a person sees of one, the kinds of lines that are looked for, and how a pair becomes a
 * problem.
 */
#ifndef SW_FOREIGN_LOG_PARTS_H
#define SW_FOREIGN_LOG_PARTS_H

#include <shardwalk/log.h>

#include "foreign/module/mlir_walk.h"

/* ---- cleaning ---- */

#define SW_LOG_LINE_MOST (((size_t)1 << 16) + 1) /* bytes of a line with its end; what is longer is read in parts */

/* Bytes, and the position of each in the text. */
typedef struct sw_log_bytes {
	char *byte;
	size_t *position; /* ascends */
	size_t count, room;
	bool failed; /* no memory */
} sw_log_bytes;

/* false: no memory. */
bool sw_log_bytes_add(sw_log_bytes *bytes, char c, size_t position);
void sw_log_bytes_free(sw_log_bytes *bytes);

/* A text as a person sees it, cleaned line by line as it is read: colours, escapes and backquotes are gone, and what stands
 * for a letter or a blank is that. */
typedef struct sw_log_clean {
	sw_str text;
	sw_log_bytes bytes; /* of what is read; lines end with '\n' */
	size_t end;         /* of the text up to where it is clean */
} sw_log_clean;

/* The line that begins at this byte of the text, with its end, or the part of a long one. */
sw_span sw_log_line_at(sw_str text, size_t at);

/* Cleans the next one.  false: the text is at its end, or no memory. */
bool sw_log_clean_more(sw_log_clean *clean);

/* The first clean byte whose position is `at`, or behind it. */
size_t sw_log_clean_find(const sw_log_clean *clean, size_t byte);

/* What stands before byte `at` of the text is not asked for again. */
void sw_log_clean_from(sw_log_clean *clean, size_t at);

/* ---- letters ---- */

/* Goes over the letters of clean bytes: blanks and line breaks are passed over. */
typedef struct sw_log_cursor {
	sw_log_clean *clean;
	size_t at;
	size_t lead,
		lead_length; /* what stands before the message on its line: where a line starts with the same it is passed over */
	bool gap;        /* an empty line was passed */
	bool blank;      /* before the last letter stood a blank that is no line break's */
} sw_log_cursor;

/* The next letter, -1 at the end. */
int sw_log_next(sw_log_cursor *cursor);

/* Adds the letter that was the last one.  false: no memory. */
bool sw_log_keep(const sw_log_cursor *cursor, sw_log_bytes *letters);

/* Are these the next ones?  The cursor gets behind them. */
bool sw_log_letters_at(sw_log_cursor *cursor, const char *word);

/* Bytes of the text that these letters stand on; of one at least. */
sw_span sw_log_span(const sw_log_bytes *letters, size_t begin, size_t length);

/* The letters of a piece as they are written, with the blanks between them. */
bool sw_log_quote(sw_log_cursor cursor, size_t skip, size_t count, sw_arena *arena, sw_str *out);

/* ---- what is found ---- */

/* The text of a sharding or a shape, and where it stands in the whole text. */
typedef struct sw_log_text {
	sw_str text;
	sw_span at;
	const size_t *position; /* of each of its bytes; NULL: they follow each other, if it is as long as `at` */
} sw_log_text;

static inline size_t sw_log_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A pair as it was found; slices live in the arena, empty ones were not there. */
typedef struct sw_log_found {
	sw_span at;
	size_t message_end; /* of a warning: nothing after it belongs to it */
	sw_log_text from, to, shape;
	sw_str value, op, operand, op_name;
	int64_t frame;      /* 0: not said */
	bool entry;         /* of two dictionaries: `value` is its key, and no other pair is the same */
	bool warned;        /* XLA's words, or what is left of them, stand there */
	sw_log_kind kind;   /* SW_LOG_PAIR: see `warned` */
	int64_t sequential; /* of DTensor: how many collectives run one after the other, and ... */
	sw_str axes;        /* ... the axes that they run over, as `"dp", "tp"`; empty: not said */
	bool own_mesh;      /* of its own, as DTensor has it: what it does depends on the axes */
	sw_log_merge merge;
	sw_str shown[2]; /* `from` and `to` in short; empty: as they are */
	sw_str source;   /* `FILE:LINE`; empty: not said */
	int64_t runs;    /* of a program; 0: once */
	int64_t loop;    /* line of the innermost loop around it; 0: none */
	bool open;
	bool untaken;             /* only branches lead to it that are not counted */
	int64_t dim, parts, size; /* of JAX: this dimension of this size has to be cut in so many parts */
	bool cut;                 /* the message ends before its second sharding does */
	bool shape_cut;           /* the message ends inside of its shape */
	bool is_global;           /* `shape` is that of the whole array */
	bool half;       /* a line with an arrow, and a sharding on one side of it: the other is empty, or never ends */
	int64_t repeats; /* "[repeated 3x across cluster]" */
} sw_log_found;

/* A message whose opening was found, and its letters as far as a reader gathers them. */
typedef struct sw_log_message {
	sw_log_cursor start; /* behind the opening */
	sw_log_bytes *letters;
	sw_arena *arena;
	sw_diag *diag;
} sw_log_message;

/* Fills what a message says; found->at.begin is known.  false: it is none of its kind, or an error in `diag`. */
typedef bool sw_log_reader(const sw_log_message *message, sw_log_found *found);

/* XLA: behind its words; from `sharding {` on, where only a value or `go from` before it tells that it is a warning. */
sw_log_reader sw_log_warned, sw_log_warned_of_value, sw_log_warned_go_from;

/* DTensor; JAX, one after the other: `One of ... was given the sharding`, `Sharding A implies that`, of shard_map. */
sw_log_reader sw_log_redistributing, sw_log_given, sw_log_implied, sw_log_specs;

/* A line, or several that are one, without blanks at its ends. */
typedef struct sw_log_line {
	sw_str text;
	const size_t *position; /* of each byte */
} sw_log_line;

/* Goes over the pairs of one line. */
typedef struct sw_log_plain {
	sw_log_line line;
	bool begun;
	size_t at, end;    /* of the line, what is still to be read */
	sw_log_found last; /* the pair before */
} sw_log_plain;

/* Could a pair be in it?  A quick look. */
bool sw_log_may_pair(sw_str text);

/* The next `A -> B`, perhaps with a shape before or after it.  false: there is none; `found->half` then tells whether
 * there is the half of one. */
bool sw_log_plain_next(sw_log_plain *plain, sw_log_found *found);

/* Does the sharding that this line begins or ends in go on in the next one? */
bool sw_log_goes_on(sw_str line, sw_str next);

/* ---- scanning ---- */

/* Takes what was found; nothing of it was in the arena at `before`. */
typedef bool sw_log_taker(void *context, const sw_log_found *found, sw_arena_mark before);

/* Goes over a text once, and gives all that is found to `take`, in its order; with `plain` lines A -> B too.  false: an error in
 * `diag`. */
bool sw_log_scan(sw_str text, bool plain, const sw_pulse *pulse, sw_arena *arena, sw_log_taker *take, void *context,
	sw_diag *diag);

/* Two dictionaries of shardings: gives the entries that both have, in the order of the first, and lists in `alone` those that one of them
 * has.  *any: the text is two dictionaries.  false: an error in `diag`. */
bool sw_log_entries(sw_str text, sw_arena *arena, sw_log_taker *take, void *context, sw_log_alone alone[2], bool *any,
	sw_diag *diag);

/* An operation of a StableHLO program that asks for a sharding; `whole` is the text that the module is in.  Errors: E01. */
bool sw_log_asked(graph_module *module, sw_str whole, const mlir_move *move, sw_arena *arena, sw_log_found *found,
	sw_diag *diag);

/* ---- what it means ---- */

/* What a pair is resolved to, beside its texts. */
typedef struct sw_log_resolved {
	sw_sharding ends[2]; /* the pair points to them */
	bool is_problem;     /* the two ... */
	sw_reading reading;  /* ... as one */
	sw_diag why;         /* else the reason */
} sw_log_resolved;

/* Fills what a message of DTensor or JAX means, from what was found and resolved.  false: no memory. */
bool sw_log_mean(const sw_log_found *found, sw_arena *arena, sw_log_resolved *resolved, sw_log_pair *pair);

/* Makes the pair a problem, or says why it is none; *read tells whether one of its ends can be read.  false: no memory. */
bool sw_log_resolve(const sw_log_found *found, const sw_log_options *options, sw_arena *arena,
	sw_log_resolved *resolved, sw_log_pair *pair, bool *read, sw_diag *diag);

#endif
