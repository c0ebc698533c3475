/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reading a program and reading a body share.
 */
#ifndef SW_PROGRAM_PARSE_H
#define SW_PROGRAM_PARSE_H

#include <shardwalk/program.h>

#include "base/scan.h"
#include "program/names.h"
#include "program/typing.h"

typedef struct sw_program_reader {
	sw_scan scan; /* over the text without comments */
	sw_str text;
	const sw_pulse *pulse;              /* may be NULL */
	const struct sw_file_reader *files; /* the same */
	sw_arena *arena;
	sw_program program;
	int statements; /* that were read */
	sw_type result; /* of the signature, where it is not open */
	const struct sw_distribution *result_words;
	sw_names names;   /* of values */
	sw_typing typing; /* of the program */
} sw_program_reader;

/* The word that comes next, which stays. */
sw_str sw_reader_peek(sw_program_reader *reader);

/* Steps over `word` where it comes next. */
bool sw_reader_take(sw_program_reader *reader, const char *word);

/* Steps over `word`, or refuses what stands there. */
bool sw_reader_expect(sw_program_reader *reader, const char *word, const char *expected);

/* Reads a name that no word of the language is; it points into the text of the program. */
bool sw_reader_name(sw_program_reader *reader, const char *expected, sw_str *name, sw_span *at);

/* Reads a name that `names` has not yet.  Error: A19, with both places. */
bool sw_reader_new(sw_program_reader *reader, const sw_names *names, const char *expected, sw_str *name, sw_span *at);

/* Reads a name that `names` has.  Error: A10. */
bool sw_reader_known(sw_program_reader *reader, const sw_names *names, int *is, sw_span *at);

/* Reads a type up to its end. */
bool sw_reader_type(sw_program_reader *reader, sw_type *type, sw_span *at);

/* The same of any kind: what is no tile type stands in quotes. */
bool sw_reader_any_type(sw_program_reader *reader, sw_type *type, const struct sw_distribution **words, sw_span *at);

/* Says where a rule was broken that was found without positions; returns false. */
bool sw_reader_at(sw_program_reader *reader, sw_span at);

/* Reads from the parenthesis of the parameters to the brace behind the body of this step, whose operands are known. */
bool sw_reader_body(sw_program_reader *reader, const sw_step *step, sw_program *body);

#endif
