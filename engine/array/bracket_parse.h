/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the bracket of a type and keeping where its sizes stand, for those who have more to say about them.
 */
#ifndef SHARDWALK_ARRAY_BRACKET_PARSE_H
#define SHARDWALK_ARRAY_BRACKET_PARSE_H

#include <shardwalk/diag.h>
#include <shardwalk/number.h>
#include <shardwalk/type.h>

#include "array/cut.h"
#include "base/scan.h"

typedef struct sw_type_positions {
	sw_span whole;
	sw_span dtype;               /* empty where none was given */
	sw_span global[SW_MAX_DIMS]; /* the global size of each dimension */
} sw_type_positions;

/* A type as far as it was read, with the position of everything that may be disputed. */
typedef struct sw_type_reader {
	sw_scan scan;
	const sw_mesh *mesh;
	bool pads;           /* sizes that do not divide */
	sw_arena *arena;     /* for what only a distribution says; NULL: a tile type is read ... */
	bool beyond;         /* ... and this is more, or may be: no error is set */
	sw_uneven_rule rule; /* of sizes that do not divide; SW_UNEVEN_RULE_COUNT: there is none */
	bool open_sizes;     /* a dimension says neither tile nor pieces, but axes */
	bool uneven;         /* and the rule was needed */
	sw_span open;        /* the opening bracket */
	sw_type type;
	sw_cut cut[SW_MAX_DIMS]; /* of each dimension, where there is an arena */
	sw_type_positions positions;
	int64_t elements; /* product of the global sizes so far */
	bool sums;        /* behind the bracket */
	bool each;        /* `+` alone */
	sw_span sums_at;
	int parts; /* as written, not merged; those of the sums last */
	sw_part part[SW_MAX_PARTS];
	int64_t first[SW_MAX_PARTS]; /* `@` */
	sw_span part_at[SW_MAX_PARTS];
} sw_type_reader;

/* A dimension while it is read. */
typedef struct sw_type_dimension {
	bool has_tile, has_braces;
	int64_t tile;  /* as written */
	int64_t tiles; /* product of the sizes of parts and rounds */
	int64_t global;
	int first_part; /* among the parts as written */
	int pieces;     /* as stated, one behind the other; 0: none are */
	int64_t *piece;
	bool rounds;  /* `..` or `@` stands in the braces */
	sw_span open; /* the opening brace */
	sw_span braces;
	sw_span tile_at; /* the tile, or the pieces */
	sw_span global_at;
} sw_type_dimension;

/* So many times as many tiles; beyond all numbers INT64_MAX. */
static inline void sw_type_count_tiles(sw_type_dimension *dimension, int64_t times)
{
	if (!sw_mul(dimension->tiles, times, &dimension->tiles))
		dimension->tiles = INT64_MAX;
}

/* Starts to read where `scan` is. */
void sw_type_reader_start(sw_type_reader *reader, const sw_mesh *mesh, const sw_scan *scan, sw_arena *arena);

/* A text that stands in quotes as a whole, up to the last quote of that kind, is read inside of them.  *length is that of all;
 * what follows the quotes is refused in the end. */
bool sw_type_open_quotes(sw_scan *scan, size_t *length);
bool sw_type_close_quotes(sw_scan *scan, size_t length);

/* Reads element type, bracket and sums into `type` and `cut`; stops behind them. */
bool sw_type_read_bracket(sw_type_reader *reader);

/* Reads the sums `+{x,y}` or `+` behind a bracket or a name.  `type` is what they belong to. */
bool sw_type_read_sums(sw_type_reader *reader);

/* ---- what only distributions have: cut_parse.c ---- */

/* Pieces `5+4+3` in the place of the tile: do they begin here?  Then they are read. */
bool sw_type_at_pieces(sw_type_reader *reader);
bool sw_type_read_pieces(sw_type_reader *reader, sw_type_dimension *dimension);

/* `..` or `..3` in the braces, and `@1` behind the axis that was read last, where one stands there. */
bool sw_type_read_rounds(sw_type_reader *reader, sw_type_dimension *dimension);
bool sw_type_read_first(sw_type_reader *reader, sw_type_dimension *dimension);

/* Checks a dimension that no tile type has, and counts the rounds of a `..` in front of others. */
bool sw_type_check_cut(sw_type_reader *reader, sw_type_dimension *dimension);

/* Do rounds cover the dimension in blocks of `tile`: have they no end, or are they as many as it has blocks? */
bool sw_type_rounds_fit(const sw_type_reader *reader, const sw_type_dimension *dimension, int64_t tile);

/* Refuses one more part or round than a type has room for. */
bool sw_type_refuse_parts(sw_type_reader *reader);

/* Keeps how dimension `d` is cut: in blocks of `tile`, or, where that is 0, in pieces. */
bool sw_type_keep_cut(sw_type_reader *reader, const sw_type_dimension *dimension, int d, int64_t tile);

/* Adds the braces as they were written. */
void sw_type_add_braces(const sw_type_reader *reader, const sw_type_dimension *dimension, sw_text *text);

/* The place of a word outside of brackets and quotes, from `at` on and before the next `union`; the length where there is none. */
size_t sw_type_word(sw_str text, size_t at, const char *word);

#endif
