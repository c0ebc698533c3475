/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lowering works out once: frames, in which letters have ranges, and where arrays lie.
 */
#ifndef SW_SCHEDULE_LOWER_H
#define SW_SCHEDULE_LOWER_H

#include "schedule/state.h"

/* ---- boxes (boxes.c) ----
 *
 * A box of rank d is 2 * d numbers, low and high of each dimension. */

typedef struct sw_box_list {
	sw_arena *arena;
	int rank, count, room;
	int64_t *at;
} sw_box_list;

static inline int64_t sw_bounds_size(const int64_t *box, int rank)
{
	int64_t size = 1;

	for (int d = 0; d < rank; d++)
		size *= box[2 * d + 1] - box[2 * d];
	return size;
}

/* How many elements two boxes have in common. */
static inline int64_t sw_bounds_common(const int64_t *a, const int64_t *b, int rank)
{
	int64_t size = 1;

	for (int d = 0; d < 2 * rank; d += 2) {
		int64_t low = a[d] > b[d] ? a[d] : b[d], high = a[d + 1] < b[d + 1] ? a[d + 1] : b[d + 1];
		if (high <= low)
			return 0;
		size *= high - low;
	}
	return size;
}

/* What they have in common; false: nothing. */
static inline bool sw_bounds_meet(const int64_t *a, const int64_t *b, int rank, int64_t *both)
{
	for (int d = 0; d < 2 * rank; d += 2) {
		both[d] = a[d] > b[d] ? a[d] : b[d];
		both[d + 1] = a[d + 1] < b[d + 1] ? a[d + 1] : b[d + 1];
		if (both[d + 1] <= both[d])
			return false;
	}
	return true;
}

static inline bool sw_bounds_inside(const int64_t *a, const int64_t *b, int rank)
{
	for (int d = 0; d < 2 * rank; d += 2)
		if (a[d] < b[d] || a[d + 1] > b[d + 1])
			return false;
	return true;
}

/* The same boxes, in the same order? */
bool sw_boxes_equal(const sw_boxes *a, const sw_boxes *b);

/* Is all of `a` in `b`?  false where there is no memory, too. */
bool sw_boxes_inside(const sw_boxes *a, const sw_boxes *b, sw_arena *scratch);

/* Room for one box more behind the list, which counts it; NULL: no memory. */
int64_t *sw_box_list_add(sw_box_list *list);
bool sw_box_list_add_copy(sw_box_list *list, const int64_t *box);

/* Takes a box out of all, cut dimension after dimension.  false: no memory. */
bool sw_box_list_minus(sw_box_list *list, const int64_t *box);

/* Has the list the box, as it is? */
bool sw_box_list_has(const sw_box_list *list, const int64_t *box);

/* Boxes of each unit: first[u] to first[u + 1] - 1. */
typedef struct sw_box_table {
	int64_t units;
	int32_t *first;
	sw_box_list list;
} sw_box_table;

static inline sw_boxes sw_box_table_of(const sw_box_table *table, int64_t unit)
{
	int rank = table->list.rank;

	return (sw_boxes){rank, table->first[unit + 1] - table->first[unit],
		table->list.at + (int64_t)table->first[unit] * 2 * rank};
}

/* ---- who has what (index.c) ---- */

/* The different boxes of a table, found by what they meet. */
typedef struct sw_box_index {
	const sw_box_table *table;
	int32_t *next; /* of each box of the table: the next one that is equal; -1: there is none */
	int32_t *unit; /* of each box: whose it is */
	int distinct;
	int32_t *head;          /* of each different one: its first box */
	int32_t *number;        /* of each box, along each dimension: that of its interval */
	int lines[SW_MAX_DIMS]; /* different intervals along a dimension, ascending */
	const int64_t *line[SW_MAX_DIMS];
	bool apart[SW_MAX_DIMS];   /* no two of them meet */
	double scale[SW_MAX_DIMS]; /* one by the length of the first, which begins at 0; 0: it does not */
	int32_t *cell;             /* by intervals: the different box; -1: none.  NULL: all are looked at */
} sw_box_index;

bool sw_box_index_of(const sw_box_table *table, sw_arena *arena, sw_box_index *index);

/* Calls `use` with every box of the table that meets this one.  false: `use` said so. */
typedef bool (*sw_box_use)(void *user, int64_t unit, const int64_t *box);
bool sw_box_index_visit(const sw_box_index *index, const int64_t *box, sw_box_use use, void *user);

/* ---- frames (sets.c) ---- */

typedef struct sw_range {
	int64_t low, high; /* low == high: nothing */
} sw_range;

/* The letters of the formula where the loops in space of the first levels, and those in time down to one, have values, and the others run. */
typedef struct sw_frame {
	int level, loop;
	bool *fixed; /* of each variable: it has one value */
	struct sw_frame_letter {
		int leaves; /* variables with one value that the range follows from */
		const int *leaf;
		const int64_t *stride;
		int64_t ranges;
		const sw_range *range; /* by these values; NULL: worked out each time */
		bool never_empty;      /* as is known of such */
	} letter[SW_MAX_LETTERS];
} sw_frame;

struct sw_lowered {
	const sw_schedule *schedule;
	const sw_formula *formula;
	const sw_variable *variable;
	int variables, turns, fuses, levels, axes, spaces, times;
	const int *turn;           /* rotated variables */
	const int *fuse;           /* fused variables, those that are made last first */
	const int *space, *time;   /* variables */
	int64_t size[SW_MAX_AXES]; /* of the mesh */
	const int32_t *coordinate; /* of each processor, along all axes */
	int level_axes[SW_MAX_AXES + 1];
	int64_t units[SW_MAX_AXES + 1];
	int64_t steps;
	const int64_t *time_extent;
	int fetches;
	const sw_fetch *fetch;
	const struct sw_reading **
		only; /* of each fetch: the one access of its array, where nothing is fused and its term lacks no letter; else NULL */
	const sw_frame **frame;       /* of each fetch */
	const sw_frame *step, *whole; /* of a processor in a step, and in all of them */
	int out, copy; /* the fetches of the left side: of processors; of what nodes keep of it, -1: nothing */
	const struct sw_reading {
		int array, rank, letter[SW_MAX_DIMS];
		uint32_t lacks; /* it counts where these letters are 0 */
	} * reading;        /* of each access of the formula */
	sw_box_table *home; /* of array a at level k: [a * (levels + 1) + k] */
	sw_box_index *home_index;
	bool reduces; /* a loop in space comes from a summed letter */
};

/* Gives the loops that have values theirs: those in space by the unit's coordinates, those in time by the step.  `value` is by variable.  false: the
 * unit is idle. */
bool sw_lowered_place(const struct sw_lowered *lowered, int level, int64_t unit, int64_t *value);
void sw_lowered_time(const struct sw_lowered *lowered, int64_t step, int64_t *value);

/* The coordinates of a unit, along the axes of its level and those before. */
static inline const int32_t *sw_lowered_coordinates(const struct sw_lowered *lowered, int level, int64_t unit)
{
	int64_t inside = level == lowered->levels ? 1 : lowered->units[lowered->levels] / lowered->units[level];

	return lowered->coordinate + unit * inside * lowered->axes;
}

/* Rotated variables, once both are there. */
static inline void sw_lowered_turn(const struct sw_lowered *lowered, int64_t *value)
{
	for (int k = 0; k < lowered->turns; k++) {
		const sw_variable *is = &lowered->variable[lowered->turn[k]];
		int64_t sum = value[is->of];
		for (int n = 0; n < is->bys; n++)
			sum += value[is->by[n]];
		/* A division takes as long as all else here. */
		for (int n = 0; n < 3 && sum >= is->extent; n++)
			sum -= is->extent;
		value[lowered->turn[k]] = sum < is->extent ? sum : sum % is->extent;
	}
}

/* A frame, made where none is like it.  NULL: no memory. */
const sw_frame *sw_frame_of(struct sw_lowered *lowered, int level, int loop, sw_arena *arena);

/* The ranges of all letters, piece after piece where loops are fused: points are products of what letters have in their ranges.  `use` gets the values
 * that belong to it.  false: `use` said so. */
typedef struct sw_piece {
	const struct sw_lowered *lowered;
	const sw_frame *frame;
	const int64_t *value;
	const sw_range *part; /* of variables that fused ones stand for */
	sw_range range[SW_MAX_LETTERS];
} sw_piece;
typedef bool (*sw_piece_use)(void *user, const sw_piece *piece);
bool sw_frame_pieces(const struct sw_lowered *lowered, const sw_frame *frame, const int64_t *value, sw_piece_use use,
	void *user);

/* How many values a letter has in a piece, and which. */
int64_t sw_piece_count(const sw_piece *piece, int letter);
bool sw_piece_indices(const sw_piece *piece, int letter, sw_arena *arena, sw_indices *indices);

/* The range of a letter where no loops are fused. */
sw_range sw_frame_range_slow(const struct sw_lowered *lowered, const sw_frame *frame, int letter,
	const int64_t *value);

/* The number of a range in the table of a letter. */
static inline int64_t sw_frame_number(const struct sw_frame_letter *letter, const int64_t *value)
{
	int64_t at = 0;

	for (int k = 0; k < letter->leaves; k++)
		at += value[letter->leaf[k]] * letter->stride[k];
	return at;
}

static inline sw_range sw_frame_range(const struct sw_lowered *lowered, const sw_frame *frame, int letter,
	const int64_t *value)
{
	const struct sw_frame_letter *is = &frame->letter[letter];

	if (is->range == NULL)
		return sw_frame_range_slow(lowered, frame, letter, value);
	return is->range[sw_frame_number(is, value)];
}

/* How many values a letter has by the numbers of its ranges.  NULL: no memory. */
int64_t *sw_frame_counts(const struct sw_lowered *lowered, const sw_frame *frame, int letter, sw_arena *arena);

/* ---- needs (needs.c) ---- */

/* The bounds of the one access of a fetch; false: there are no points. */
static inline bool sw_lowered_bound(const struct sw_lowered *lowered, int fetch, const int64_t *value, int64_t *box)
{
	const struct sw_reading *only = lowered->only[fetch];
	const sw_frame *frame = lowered->frame[fetch];

	for (int d = 0; d < only->rank; d++) {
		sw_range range = sw_frame_range(lowered, frame, only->letter[d], value);
		if (range.low == range.high)
			return false;
		box[2 * d] = range.low;
		box[2 * d + 1] = range.high;
	}
	for (int letter = 0; letter < lowered->formula->letters; letter++)
		if (!frame->letter[letter].never_empty) {
			sw_range range = sw_frame_range(lowered, frame, letter, value);
			if (range.low == range.high)
				return false;
		}
	return true;
}

/* Adds what a unit needs at a fetch; `value` has its values.  false: no memory. */
bool sw_lowered_need(const struct sw_lowered *lowered, int fetch, const int64_t *value, sw_box_list *list);

/* What all units need in the step of a fetch.  false: no memory. */
bool sw_lowered_needs(const struct sw_lowered *lowered, int fetch, int64_t step, sw_arena *arena,
	sw_box_table *table);

static inline sw_boxes sw_lowered_home(const struct sw_lowered *lowered, int array, int level, int64_t unit)
{
	return sw_box_table_of(&lowered->home[array * (lowered->levels + 1) + level], unit);
}

/* Is it summed where it lies: all at home, and nobody else has any of it? */
bool sw_lowered_in_place(const struct sw_lowered *lowered, int level, int64_t unit, const sw_boxes *boxes,
	sw_arena *scratch);

/* What a unit needs from the last fetch up to this step on. */
bool sw_lowered_need_at(const struct sw_lowered *lowered, int fetch, int64_t step, int64_t unit, sw_box_list *list);

/* What of the left side a processor gives away before this step; steps: behind the last one. */
bool sw_lowered_given(const struct sw_lowered *lowered, int64_t step, int64_t processor, sw_box_list *list);

/* What a node keeps of the left side in a step: what it needs itself, and what is given to it in the steps since then, but before `until`. */
bool sw_lowered_copy(const struct sw_lowered *lowered, int64_t step, int64_t until, int64_t node, sw_box_list *list);

/* What a unit keeps beside its home. */
bool sw_lowered_buffer(const struct sw_lowered *lowered, int fetch, int64_t step, int64_t unit, sw_box_list *list);

/* The elements of the workspaces of a processor in a step. */
int64_t sw_lowered_workspaces(const struct sw_lowered *lowered, int64_t processor, int64_t step);
int64_t sw_lowered_workspaces_of(const struct sw_lowered *lowered, const int64_t *value);

/* ---- all steps of a processor at once (letter_sums.c) ---- */

struct sw_letter_sums;

/* Elements alive beside its home: the most, and the most while what comes next arrives; whether it makes something of the left side, and the
 * bounds of that. */
typedef struct sw_letter_figures {
	int64_t live, overlap;
	bool gives;
	int64_t box[2 * SW_MAX_DIMS];
} sw_letter_figures;

/* *sums is NULL where steps have to be walked.  `arena` is that of what follows too.  false: no memory. */
bool sw_letter_sums_of(const struct sw_lowered *lowered, sw_arena *arena, struct sw_letter_sums **sums);

/* The figures of a processor; `value` has those of its loops in space, `moved` gets the elements that arrive, by array.  false: its steps have
 * to be walked. */
bool sw_letter_sums_add(const struct sw_letter_sums *sums, int64_t unit, int64_t *value, int64_t *moved,
	sw_letter_figures *figures);

/* How many elements it gives to somebody else with this box at home, in all steps; -1: they do not fit. */
int64_t sw_letter_sums_given(const struct sw_letter_sums *sums, const int64_t *home);

/* A box as a region.  false: no memory. */
bool sw_lowered_box_region(const int64_t *box, int rank, sw_arena *arena, sw_region *region);

#endif
