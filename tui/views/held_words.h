/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What processors hold in a step of a schedule, as short words: `B01←1`, tile (0, 1) of B, which comes from 1.
 */
#ifndef SHARDWALK_VIEWS_HELD_WORDS_H
#define SHARDWALK_VIEWS_HELD_WORDS_H

#include "views/scheduled.h"

/* What a processor has of an array in a step. */
struct held_word {
	const char *text;
	bool arrives; /* something of it comes in this step, */
	bool leaves;  /* or goes away */
};

/* All words of a step. */
struct held_words {
	const struct schedule_look *look;
	sw_arena *arena;
	sw_schedule_messages messages; /* none before the first step */
	int64_t processors;
	int arrays; /* that have words: where something moves, or is not at home */
	int *fetch; /* of each of them, -1: at home; */
	int *array;
	struct held_word *word; /* [processor * arrays + k] */
};

/* Those of the step that `look` is at.  false: no memory. */
bool held_words_of(const struct schedule_look *look, sw_arena *arena, struct held_words *words);

/* The processors that are looked at: so many of the first and of the last, and as many on either side of one (-1: of none). */
struct held_near {
	int64_t few, about;
};

static inline bool held_is_near(const struct held_near *near, int64_t processors, int64_t processor)
{
	return processor < near->few || processor >= processors - near->few ||
		(near->about >= 0 && processor >= near->about - near->few && processor <= near->about + near->few);
}

/* The same; the words of processors that are not near are empty. */
bool held_words_near(const struct schedule_look *look, const struct held_near *near, sw_arena *arena,
	struct held_words *words);

/* The most columns that one of them takes. */
int held_words_width(const struct held_words *words, int k);

/* Adds what moves of each array, as parts: `B: shift left, 6 tiles of 9`; how many parts there are, at most `room`.  -1: no memory. */
int held_parts(const struct held_words *words, sw_text *part, int room);

#endif
