/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the reader of logs: a cursor that sees through what terminals and collectors do to lines, the two kinds of
 * pairs that are looked for, and how a pair becomes a problem.
 */
#ifndef SHARDWALK_IMPORT_LOG_PARTS_H
#define SHARDWALK_IMPORT_LOG_PARTS_H

#include <shardwalk/log.h>

#include "foreign/module/mlir_walk.h"

/* Goes over the letters of a text: blanks, line breaks, colours and escapes are passed over. */
typedef struct sw_log_cursor {
	sw_str text;
	size_t at;
	sw_str lead; /* what stands before the message on its line: where a line starts with the same it is passed over */
	bool gap;    /* an empty line was passed */
	bool blank;  /* before the last letter stood a blank that is no line break's */
} sw_log_cursor;

/* The letters of a piece as they are written, with the blanks between them. */
bool sw_log_quote(sw_log_cursor cursor, size_t skip, size_t count, sw_arena *arena, sw_str *out);

/* The next letter, -1 at the end. */
int sw_log_next(sw_log_cursor *cursor);

/* Where the letters after count[0], count[1], ... more ones stand; counts ascend. */
void sw_log_places(sw_log_cursor cursor, const size_t *count, size_t *place, int places);

/* Lines as a person sees them: colours, escapes and backquotes are gone.  Each byte knows its place in the whole text. */
typedef struct sw_log_line {
	sw_text text;
	size_t *place;
	size_t room;
} sw_log_line;

/* Adds bytes of a text, and a blank before them where there are some already.  false: no memory. */
bool sw_log_line_add(sw_log_line *line, sw_str text, sw_span span);

void sw_log_line_free(sw_log_line *line);

/* The text of a sharding or a shape, and where it stands in the whole text. */
typedef struct sw_log_text {
	sw_str text;
	sw_span at;
	const size_t *place; /* of each of its bytes; NULL: they follow each other, if it is as long as `at` */
} sw_log_text;

/* What a message begins with. */
typedef enum sw_log_opening {
	SW_LOG_OPENS_REMATERIALIZATION, /* XLA's words */
	SW_LOG_OPENS_SHARDING,          /* its first sharding, where the words are missing */
	SW_LOG_OPENS_REDISTRIBUTING,    /* DTensor */
	SW_LOG_OPENS_ONE_OF,            /* JAX, one after the other: `One of ... was given the sharding` */
	SW_LOG_OPENS_IMPLIES,           /* `Sharding A implies that` */
	SW_LOG_OPENS_SHARD_MAP
} sw_log_opening;

/* A pair as it was found; slices live in the arena, empty ones were not there. */
typedef struct sw_log_found {
	sw_span at;
	size_t message_end; /* of a warning: nothing after it belongs to it */
	sw_log_text from, to, shape;
	sw_str value, op, operand, op_name;
	bool warned;        /* XLA's words, or what is left of them, stand there */
	sw_log_kind kind;   /* SW_LOG_PAIR: see `warned` */
	int64_t sequential; /* of DTensor: how many collectives run one after the other, and ... */
	sw_str axes;        /* ... the axes that they run over, as `"dp", "tp"`; empty: not said */
	bool own_mesh;      /* of its own, as DTensor has it: what it does depends on the axes */
	sw_log_merge merge;
	sw_str shown[2]; /* `from` and `to` in short; empty: as they are */
	sw_str source;   /* `FILE:LINE`; empty: not said */
	int64_t runs;    /* of a program; 0: once */
	bool open;
	int64_t dim, parts, size; /* of JAX: this dimension of this size has to be cut in so many parts */
	bool cut;                 /* the message ends before its second sharding does */
	bool shape_cut;           /* the message ends inside of its shape */
	bool is_global;           /* `shape` is that of the whole array */
	bool half;       /* a line with an arrow, and a sharding on one side of it: the other is empty, or never ends */
	int64_t repeats; /* "[repeated 3x across cluster]" */
} sw_log_found;

/* The next warning from *at on; *at gets the place from which to look for the one after it.  false: there is none, or
 * an error in `diag`. */
bool sw_log_warning(sw_str text, size_t *at, const sw_pulse *pulse, sw_arena *arena, sw_log_found *found,
	sw_diag *diag);

/* The message of DTensor or JAX whose opening the cursor stands behind.  false: it is none, or an error in `diag`. */
bool sw_log_said(sw_log_cursor start, sw_log_opening opening, sw_arena *arena, sw_text *letters, sw_log_found *found,
	sw_diag *diag);

/* A place in a StableHLO program that asks for a sharding; `whole` is the text that the module is in.  Errors: E01. */
bool sw_log_asked(mlir_module *module, sw_str whole, const mlir_move *move, sw_arena *arena, sw_log_found *found,
	sw_diag *diag);

/* Goes over the pairs of one line. */
typedef struct sw_log_plain {
	const sw_log_line *line;
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

/* Fills what a message of DTensor or JAX means, from what was found; `pair->reading` is settled.  false: no memory. */
bool sw_log_mean(const sw_log_found *found, sw_arena *arena, sw_log_pair *pair);

/* Makes the pair a problem, or says why it is none; *read tells whether one of its ends can be read.  false: no
 * memory. */
bool sw_log_settle(const sw_log_found *found, const sw_log_options *options, sw_arena *arena, sw_log_pair *pair,
	bool *read, sw_diag *diag);

#endif
