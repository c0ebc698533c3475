/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of a sum on numbers, as a library carries them out: buffers are added element by element, cut in equal parts, joined and
 * copied, whatever is in them and whatever the premises say.  What is right shows at the end.
 */
#ifndef TESTS_KIT_BY_LIBRARY_H
#define TESTS_KIT_BY_LIBRARY_H

#include <string.h>

#include <shardwalk/summing.h>

/* A device's buffer: the chunks that it thinks it has, in ascending order, and a number of each. */
struct buffer {
	int count;
	int *chunk;
	uint64_t *number;
};

struct numbers {
	const sw_summing *summing;
	struct buffer *buffer; /* of each device */
	struct buffer joined;
	bool
		stuck; /* a step that no library carries out: members bring buffers of other lengths, or cannot share one evenly */
};

/* What a device brings to a chunk: no two are alike, and neither are sums of some of them. */
static inline uint64_t brought(int64_t device, int chunk)
{
	uint64_t x = (uint64_t)device * 0x9e3779b97f4a7c15u + (uint64_t)chunk + 1;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* More than all chunks are never right. */
static inline int room_of(const sw_summing *summing)
{
	return 2 * summing->shares;
}

static inline bool new_buffer(struct buffer *buffer, int room, sw_arena *arena)
{
	buffer->count = 0;
	buffer->chunk = SW_NEW(arena, int, room);
	buffer->number = SW_NEW(arena, uint64_t, room);
	return buffer->chunk != NULL && buffer->number != NULL;
}

static inline bool start_numbers(struct numbers *numbers, sw_arena *arena)
{
	const sw_summing *summing = numbers->summing;

	numbers->buffer = SW_NEW(arena, struct buffer, summing->devices);
	if (numbers->buffer == NULL || !new_buffer(&numbers->joined, room_of(summing), arena))
		return false;
	for (int d = 0; d < summing->devices; d++) {
		struct buffer *own = &numbers->buffer[d];

		if (!new_buffer(own, room_of(summing), arena))
			return false;
		for (int c = 0; c < summing->shares; c++) {
			own->chunk[c] = c;
			own->number[c] = brought(summing->device[d], c);
		}
		own->count = summing->shares;
	}
	return true;
}

static inline void copy_buffer(const struct buffer *from, int begin, int count, struct buffer *to)
{
	memmove(to->chunk, from->chunk + begin, sizeof *to->chunk * (size_t)count);
	memmove(to->number, from->number + begin, sizeof *to->number * (size_t)count);
	to->count = count;
}

/* ---- collectives ---- */

static inline struct buffer *of(struct numbers *numbers, int64_t member)
{
	return &numbers->buffer[member];
}

/* Element by element, as many as the first has. */
static inline void add_up(struct numbers *numbers, const int64_t *member, int64_t size)
{
	struct buffer *sum = &numbers->joined;

	copy_buffer(of(numbers, member[0]), 0, of(numbers, member[0])->count, sum);
	for (int64_t m = 1; m < size; m++)
		for (int i = 0; i < sum->count && i < of(numbers, member[m])->count; i++)
			sum->number[i] += of(numbers, member[m])->number[i];
}

/* What all have, one after the other, then in the order of chunks. */
static inline void join(struct numbers *numbers, const int64_t *member, int64_t size)
{
	struct buffer *all = &numbers->joined;

	all->count = 0;
	for (int64_t m = 0; m < size; m++) {
		const struct buffer *one = of(numbers, member[m]);

		for (int i = 0; i < one->count && all->count < room_of(numbers->summing); i++) {
			int at = all->count++;

			for (; at > 0 && all->chunk[at - 1] > one->chunk[i]; at--) {
				all->chunk[at] = all->chunk[at - 1];
				all->number[at] = all->number[at - 1];
			}
			all->chunk[at] = one->chunk[i];
			all->number[at] = one->number[i];
		}
	}
}

static inline void gather(struct numbers *numbers, sw_op op, const int64_t *member, int64_t size)
{
	switch (sw_collective_of(op)->brings) {
	case SW_BRINGS_PARTS:
		join(numbers, member, size);
		break;
	case SW_BRINGS_ROOT:
		copy_buffer(of(numbers, member[0]), 0, of(numbers, member[0])->count, &numbers->joined);
		break;
	default:
		add_up(numbers, member, size);
	}
}

static inline void hand_out(struct numbers *numbers, sw_op op, const int64_t *member, int64_t size)
{
	sw_leaves leaves = sw_collective_of(op)->leaves;
	int count = numbers->joined.count, each = count / (int)size;

	for (int64_t m = 0; m < size; m++) {
		if (leaves == SW_LEAVES_PARTS)
			copy_buffer(&numbers->joined, (int)m * each, each, of(numbers, member[m]));
		else if (leaves == SW_LEAVES_ALL || m == 0)
			copy_buffer(&numbers->joined, 0, count, of(numbers, member[m]));
		else
			of(numbers, member[m])->count = 0;
	}
}

/* Are buffers as long as each other, where the step takes them from all, and can the first be shared? */
static inline bool fits(struct numbers *numbers, sw_op op, const int64_t *member, int64_t size)
{
	const sw_collective *row = sw_collective_of(op);
	int count = of(numbers, member[0])->count;

	for (int64_t m = 1; m < size && row->brings != SW_BRINGS_ROOT; m++)
		if (of(numbers, member[m])->count != count)
			return false;
	return row->leaves != SW_LEAVES_PARTS || count % size == 0;
}

static inline bool carry_out(struct numbers *numbers, const sw_step *step, sw_arena *arena)
{
	int64_t groups, size, *list = sw_named_groups(&numbers->summing->small, &step->by, arena, &groups, &size);

	for (int64_t g = 0; list != NULL && g < groups; g++) {
		numbers->stuck = numbers->stuck || !fits(numbers, step->op, list + g * size, size);
		gather(numbers, step->op, list + g * size, size);
		hand_out(numbers, step->op, list + g * size, size);
	}
	return list != NULL;
}

/* ---- what is right ---- */

static inline bool same_sum(const sw_summing *summing, int a, int b)
{
	for (int i = 0; i < summing->sum.placement->axes; i++)
		if (!(summing->sum.summed >> i & 1) &&
			sw_placement_coordinate(summing->sum.placement, summing->device[a], i) !=
				sw_placement_coordinate(summing->sum.placement, summing->device[b], i))
			return false;
	return true;
}

/* The sum of every chunk, for each device: those of one sum share them.  NULL: no memory. */
static inline const uint64_t **sums_of(const sw_summing *summing, sw_arena *arena)
{
	const uint64_t **sum = SW_NEW(arena, const uint64_t *, summing->devices);

	for (int d = 0; sum != NULL && d < summing->devices; d++) {
		int first = 0;

		while (first < d && !same_sum(summing, first, d))
			first++;
		uint64_t *own = first < d ? NULL : SW_NEW_ZERO(arena, uint64_t, summing->shares);
		if (first == d && own == NULL)
			return NULL;
		for (int e = d; first == d && e < summing->devices; e++)
			for (int c = 0; c < summing->shares && same_sum(summing, d, e); c++)
				own[c] += brought(summing->device[e], c);
		sum[d] = first < d ? sum[first] : own;
	}
	return sum;
}

/* Executes the steps on numbers: each device brings one for each chunk.  Has every device the sum of every chunk in the end, and could a
 * library do every step? */
static inline bool summed_by_library(const sw_summing *summing, const sw_step *steps, int count, sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(arena);
	struct numbers numbers = {.summing = summing};
	bool right = start_numbers(&numbers, arena);

	for (int k = 0; right && k < count; k++)
		right = carry_out(&numbers, &steps[k], arena);
	const uint64_t **sum = right ? sums_of(summing, arena) : NULL;

	for (int d = 0; sum != NULL && d < summing->devices; d++)
		for (int c = 0; c < summing->shares; c++) {
			const struct buffer *own = &numbers.buffer[d];

			right = right && own->count == summing->shares && own->chunk[c] == c && own->number[c] == sum[d][c];
		}
	sw_arena_back(arena, mark);
	return right && sum != NULL && !numbers.stuck;
}

#endif
