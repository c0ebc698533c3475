/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes, one processor at a time.
 */
#ifndef SHARDWALK_SCHEDULE_SCHEME_H
#define SHARDWALK_SCHEDULE_SCHEME_H

#include <shardwalk/number.h>
#include <shardwalk/scheme.h>

typedef struct sw_range {
	int64_t low, high; /* not in it; low where it is empty */
} sw_range;

static inline int64_t sw_blocks_of(int64_t size, int64_t parts)
{
	return size / parts + (size % parts != 0);
}

static inline int64_t sw_range_length(sw_range range)
{
	return range.high - range.low;
}

static inline sw_range sw_range_meet(sw_range a, sw_range b)
{
	sw_range both = {sw_larger(a.low, b.low), sw_smaller(a.high, b.high)};

	both.high = sw_larger(both.low, both.high);
	return both;
}

static inline bool sw_range_within(sw_range inner, sw_range outer)
{
	return inner.low >= outer.low && inner.high <= outer.high;
}

/* Block number `tile`, of so many elements, of a range. */
static inline sw_range sw_range_tile(sw_range whole, int64_t chunk, int64_t tile)
{
	int64_t low = sw_smaller(whole.low + tile * chunk, whole.high);

	return (sw_range){low, sw_smaller(low + chunk, whole.high)};
}

/* What all processors of a scheme share. */
typedef struct sw_scheme_plan {
	const sw_scheme *scheme;
	int64_t block[SW_SCHEME_LETTERS];
	int axis_of[SW_SCHEME_LETTERS];    /* -1: the letter is not in space */
	int64_t blocks[SW_SCHEME_AXES];    /* that are not empty; of an axis without a letter 1 */
	int64_t needers[SW_SCHEME_ARRAYS]; /* of each element */
} sw_scheme_plan;

/* Has an array a letter? */
bool sw_scheme_array_has(const sw_scheme_array *array, int letter);

/* Does it stay at home: has every coordinate of some axis a copy, so that each processor has what it needs? */
bool sw_scheme_array_stays(const sw_scheme *scheme, const sw_scheme_array *array);

void sw_scheme_plan_of(const sw_scheme *scheme, sw_scheme_plan *plan);

/* Has a processor points? */
bool sw_scheme_works(const sw_scheme_plan *plan, const int64_t *at);

/* What a processor has of a letter in all steps. */
sw_range sw_scheme_range(const sw_scheme_plan *plan, int letter, const int64_t *at);

/* What it has at home of a dimension of an array; false: it has nothing of the array. */
bool sw_scheme_home(const sw_scheme *scheme, const sw_scheme_array *array, const int64_t *at, sw_range *home);

/* Of which tile it works in step 0; of the others in turn. */
int64_t sw_scheme_first_tile(const sw_scheme *scheme, const int64_t *at);

/* Does somebody else send what was used in the step before? */
bool sw_scheme_passes_on(const sw_scheme_plan *plan, int array);

/* Adds to `sent` what is sent of such an array. */
void sw_scheme_pass_on(const sw_scheme_plan *plan, int array, int64_t *sent);

/* Do all figures fit into 64 bits, on so many processors? */
bool sw_scheme_fits(const sw_scheme *scheme, int64_t processors);

/* The number of a processor. */
int64_t sw_scheme_number(const sw_scheme *scheme, const int64_t *at);

/* The next processor; false: it was the last. */
bool sw_scheme_next(const sw_scheme *scheme, int64_t *at);

/* Elements alive on a processor, home included: most, and most while what comes next arrives. */
typedef struct sw_scheme_live {
	int64_t held, most, overlap;
} sw_scheme_live;

void sw_scheme_live_of(const sw_scheme_plan *plan, const int64_t *at, sw_scheme_live *live);

/* All of one processor; what is passed on is not in `sent`. */
typedef struct sw_scheme_one {
	bool works;
	int64_t wanted[SW_SCHEME_ARRAYS]; /* received of each array, of the left side given away */
	int64_t received, sent, flops;
	sw_scheme_live live;
} sw_scheme_one;

void sw_scheme_one_of(const sw_scheme_plan *plan, const int64_t *at, sw_scheme_one *one);

/* The largest figures of all processors, each that of one of them. */
void sw_scheme_most(const sw_scheme *scheme, sw_scheme_one *most);

#endif
