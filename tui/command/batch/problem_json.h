/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A problem as an object of JSON, one line of a batch: types of the language, or shardings of other systems.
 */
#ifndef SHARDWALK_COMMAND_PROBLEM_JSON_H
#define SHARDWALK_COMMAND_PROBLEM_JSON_H

#include <shardwalk/json_read.h>

#include "answer/fields.h"
#include "command/foreign.h"
#include "command/batch/problem_keys.h"
#include "session/session.h"

struct problem_json {
	sw_str line;
	bool pads;                  /* sizes that do not divide are padded, or ... */
	const sw_uneven_rule *rule; /* ... cut by this rule; NULL: by none */
	bool any;                   /* ends may be of any kind */
	bool described;             /* descriptors say the ends */
	sw_arena *arena;
	struct keys_named *named; /* of the whole run */
	json_t *json;             /* what was read; the caller's to release */
	sw_json_in in;            /* the same, for those who read values of it */
	const char *name;         /* "name" or "id"; lives in `json` or the arena */
	sw_text remark;           /* what should be said beside the answer, in lines; the caller's to free */
	/* of the answer: */
	struct session *session;
	const sw_pulse *pulse;
	bool for_programs;
	struct fields *answer; /* for programs */
	sw_text *out;          /* for people */
	bool *incomplete;      /* set where programs were left out for want of memory */
	sw_str refused;        /* the text that positions are in, where the line is a program that is refused */
};

/* The text of a key of the line; without a place where there is none. */
sw_str problem_text(const struct problem_json *of, const char *key);

/* Begins the answer for programs, in the arena of the line, with its schema and the name; NULL where people read it. */
struct fields *problem_fields(struct problem_json *of, const char *schema);

/* Says it to people, behind the name. */
void problem_words(const struct problem_json *of, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps sentences, one a line, to be said beside the answer. */
void problem_remarks(struct problem_json *of, const char *lines);

/* Reads the line.  Errors: B03, B04, and those of meshes, types and notations, marked in the line. */
bool problem_json_read(struct problem_json *of, sw_problem *problem, sw_diag *diag);

#endif
