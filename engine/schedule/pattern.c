/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the messages of one fetch in one step are called.
 */
#include "schedule/lower.h"

#include <stdlib.h>
#include <string.h>

/* A message, and the rank of its array. */
typedef struct ranked {
	const sw_schedule_message *message;
	int rank;
} ranked;

/* Does nobody send or receive twice? */
static bool each_once(const ranked *list, int64_t count, int64_t units, bool *seen)
{
	for (int64_t k = 0; k < count; k++) {
		bool *from = &seen[list[k].message->from + 1], *to = &seen[units + 1 + list[k].message->to + 1];
		if (*from || *to)
			return false;
		*from = *to = true;
	}
	return true;
}

/* From sender to receiver around the ends the shorter way; false: an end is a node's copy. */
static bool offset_of(const struct sw_lowered *lowered, int level, const sw_schedule_message *message,
	int64_t *offset)
{
	int64_t from = message->from, to = message->to;

	for (int axis = lowered->level_axes[level] - 1; axis >= 0; axis--) {
		int64_t size = lowered->size[axis], by = (to % size - from % size + size) % size;
		offset[axis] = 2 * by > size ? by - size : by;
		from /= size;
		to /= size;
	}
	return message->from >= 0 && message->to >= 0;
}

static bool is_shift(const struct sw_lowered *lowered, int level, const ranked *list, int64_t count, int64_t *offset)
{
	int64_t other[SW_MAX_AXES];

	for (int64_t k = 0; k < count; k++)
		if (!offset_of(lowered, level, list[k].message, k == 0 ? offset : other) ||
			(k > 0 && memcmp(offset, other, sizeof *offset * (size_t)lowered->level_axes[level]) != 0))
			return false;
	return true;
}

/* By senders, then boxes. */
static int compare(const sw_schedule_message *a, const sw_schedule_message *b, int rank)
{
	if (a->from != b->from)
		return (a->from > b->from) - (a->from < b->from);
	for (int k = 0; k < 2 * rank; k++)
		if (a->box[k] != b->box[k])
			return (a->box[k] > b->box[k]) - (a->box[k] < b->box[k]);
	return 0;
}

static int by_sender_and_box(const void *left, const void *right)
{
	const ranked *a = left, *b = right;

	return compare(a->message, b->message, a->rank);
}

/* Does one box go from one sender to several receivers? */
static bool is_broadcast(ranked *list, int64_t count)
{
	qsort(list, (size_t)count, sizeof *list, by_sender_and_box);
	for (int64_t first = 0; first < count; first++)
		for (int64_t k = first + 1; k < count && by_sender_and_box(&list[first], &list[k]) == 0; k++)
			if (list[k].message->to != list[first].message->to)
				return true;
	return false;
}

static sw_schedule_pattern_name name_of(const struct sw_lowered *lowered, int fetch, ranked *list, bool *seen,
	sw_schedule_pattern *pattern)
{
	const sw_fetch *is = &lowered->fetch[fetch];

	if (pattern->messages == 0)
		return SW_SCHEDULE_PATTERN_NONE;
	if (is->array == 0)
		return lowered->reduces ? SW_SCHEDULE_PATTERN_REDUCE : SW_SCHEDULE_PATTERN_WRITE;
	if (each_once(list, pattern->messages, lowered->units[is->level], seen))
		return is_shift(lowered, is->level, list, pattern->messages, pattern->offset) ? SW_SCHEDULE_PATTERN_SHIFT :
																						SW_SCHEDULE_PATTERN_PERMUTE;
	return is_broadcast(list, pattern->messages) ? SW_SCHEDULE_PATTERN_BROADCAST : SW_SCHEDULE_PATTERN_EXCHANGE;
}

bool sw_lowering_pattern(const sw_lowering *lowering, int fetch, const sw_schedule_messages *messages,
	sw_arena *scratch, sw_schedule_pattern *pattern)
{
	sw_arena_mark mark = sw_arena_here(scratch);
	int64_t units = lowering->in->units[lowering->fetch[fetch].level];
	ranked *list = SW_NEW(scratch, ranked, messages->count);
	int rank = lowering->in->formula->array[lowering->fetch[fetch].array].rank;
	bool *seen = SW_NEW_ZERO(scratch, bool, 2 * (units + 1));
	sw_schedule_pattern out = {.axes = lowering->in->level_axes[lowering->fetch[fetch].level]};

	if (list == NULL || seen == NULL)
		return false;
	for (int64_t k = 0; k < messages->count; k++)
		if (messages->message[k].fetch == fetch) {
			list[out.messages++] = (ranked){&messages->message[k], rank};
			out.elements += messages->message[k].elements;
		}
	out.name = name_of(lowering->in, fetch, list, seen, &out);
	sw_arena_back(scratch, mark);
	*pattern = out;
	return true;
}
