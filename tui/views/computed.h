/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computations in words: what each device holds, needs and makes, who sends how much to whom, and how a formula goes on step by step.
 */
#ifndef SHARDWALK_VIEWS_COMPUTED_H
#define SHARDWALK_VIEWS_COMPUTED_H

#include <shardwalk/computation.h>

#include "answer/rows.h"
#include "views/sets.h"

/* What moves of an array: "10 messages of 1, 10 elements (40 B), 24 stay, pattern halo, offsets -1 and +1".  false: no memory. */
bool messages_words(const sw_computation *computation, int array, sw_text *text);

/* "local", "local and tight", "not local: device 0 lacks 4". */
bool local_words(const sw_computation *computation, int array, sw_text *text);

/* The type of an array, as the language writes it; nothing where it is not known. */
void array_type_print(const sw_computation *computation, const sw_array_type *type, sw_text *text);

/* What a device has of an array that is read, by the number of its need. */
struct computed_row {
	int64_t device;
	int input;
};

/* A row a device and array, of the first devices; `room` is for these.  And how many devices are left out. */
#define COMPUTED_ROWS 64
struct rows computed_rows(const sw_computation *computation, struct computed_row room[COMPUTED_ROWS]);
int64_t computed_left_out(const sw_computation *computation, const struct rows *rows);

/* Adds alpha, beta and gamma of each device, and what follows from them. */
bool computed_answer(const sw_computation *computation, struct document *document, sw_diag *diag);

/* Adds the counts, and both graphs. */
bool tasks_answer(const sw_computation *computation, const sw_tasks *tasks, struct document *document, sw_diag *diag);

/* How far a repeated formula is. */
struct tasks_look {
	const sw_computation *computation;
	const sw_tasks *tasks;
	int64_t done; /* rounds */
};

/* That of the session, as far as it was walked.  L07 with what to type. */
bool session_tasks_look(const struct session *session, struct tasks_look *look, sw_diag *diag);

/* Add the keys of schemas shardwalk.compute/1 and shardwalk.tasks/1. */
bool computed_fields(const sw_computation *computation, struct fields *out, sw_diag *diag);
bool tasks_fields(const sw_computation *computation, const sw_tasks *tasks, struct fields *out, sw_diag *diag);

#endif
