/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of a batch that asks about placements, while it is answered.
 *
 * Readers refuse with B03 at the key, and say what it should be.
 */
#ifndef SHARDWALK_COMMAND_ASKED_H
#define SHARDWALK_COMMAND_ASKED_H

#include <jansson.h>

#include <shardwalk/reduction.h>

#include "command/batch/problem_json.h"

/* Refuses the key; returns false. */
bool asked_refuse(const struct problem_json *asked, const char *key, const char *expected);

/* Whole numbers from `least` on; how many, -1: refused. */
int asked_numbers(const struct problem_json *asked, const char *key, int64_t least, int64_t *number, int room);

/* A number above 0; `usual` where the key is missing in `of`. */
bool asked_whole(const struct problem_json *asked, json_t *of, const char *key, int64_t usual, int64_t *number);

/* The text of a key, or `usual`. */
const char *asked_text(const struct problem_json *asked, const char *key, const char *usual);

/* Sizes of levels under `key`, with their ports and the topology where the line gives them. */
bool asked_system(const struct problem_json *asked, const char *key, sw_system *system);

/* A matrix whose columns multiply to the levels. */
bool asked_matrix(const struct problem_json *asked, const sw_system *system, json_t *matrix, sw_placement *placement);

/* Numbers of axes, as bits. */
bool asked_summed(const struct problem_json *asked, json_t *reduce, int axes, uint32_t *summed);

/* Sizes of axes; how many, -1: refused. */
int asked_axes(const struct problem_json *asked, int64_t *axis);

/* `from`, `algorithm`, `masters` and `hierarchy`, whose words are known. */
bool asked_from_jax(const struct problem_json *asked, bool *jax);
bool asked_way(const struct problem_json *asked, sw_allreduce_way *way);
bool asked_masters(const struct problem_json *asked, bool *all);
bool asked_hierarchy(const struct problem_json *asked, sw_hierarchy_kind *kind);

/* The graph of the programs that sum over so many levels; NULL: refused. */
const sw_contexts *asked_contexts(const struct problem_json *asked, int factors);

/* `reducescatter parallel 1 in 0`, the numbers and words of the line: a text each of a list. */
void asked_program_fields(const sw_plan *program, struct fields *list);

/* ---- answers, by kind; false: refused ---- */

typedef bool asked_answer(const struct problem_json *asked);

asked_answer asked_placements, asked_order, asked_lowering;
asked_answer asked_program, asked_count, asked_total, asked_expressive;
asked_answer asked_best, asked_choose;

#endif
