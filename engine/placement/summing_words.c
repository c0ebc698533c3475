/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Premises of steps on chunks that fail, in words: one row each.
 */
#include "placement/summing.h"
#include "step/row.h"

#include <stdio.h>
#include <string.h>

/* ---- what devices hold ---- */

static bool holds(const sw_summing *summing, int64_t device, int chunk)
{
	const uint64_t *row = sw_chunks_row(&summing->chunks, (int)device, chunk);

	for (int w = 0; w < summing->chunks.words; w++)
		if (row[w] != 0)
			return true;
	return false;
}

static int held(const sw_summing *summing, int64_t device)
{
	int count = 0;

	for (int c = 0; c < summing->shares; c++)
		count += holds(summing, device, c);
	return count;
}

void sw_summing_print_chunks(const sw_summing *summing, int device, sw_text *text)
{
	int count = held(summing, device);

	sw_text_add(text, count == 0 ? "no chunk" : count == 1 ? "chunk" : "chunks");
	for (int c = 0, first = 1; c < summing->shares; c++) {
		int end = c;

		if (!holds(summing, device, c))
			continue;
		while (end + 1 < summing->shares && holds(summing, device, end + 1))
			end++;
		sw_text_addf(text, first ? " %d" : ", %d", c);
		if (end > c)
			sw_text_addf(text, "-%d", end);
		first = 0;
		c = end;
	}
}

/* ---- names in messages ---- */

struct names {
	char a[32], b[32]; /* two devices of the group */
	char a_holds[64], b_holds[64];
	const char *op;
	const char *article;
};

static void name_device(const sw_summing *summing, int64_t device, char name[32])
{
	sw_text text = {0};

	sw_system_print_device(summing->system, summing->device[device], &text);
	snprintf(name, 32, "%.31s", sw_text_get(&text));
	sw_text_free(&text);
}

static void name_chunks(const sw_summing *summing, int64_t device, char name[64])
{
	sw_text text = {0};

	sw_summing_print_chunks(summing, (int)device, &text);
	if (text.length < 63)
		snprintf(name, 64, "%s", sw_text_get(&text));
	else
		snprintf(name, 64, "%d chunks", held(summing, device));
	sw_text_free(&text);
}

static struct names names_of(const sw_summing *summing, sw_op op, int64_t a, int64_t b)
{
	struct names names = {.op = sw_row(op)->name};

	names.article = *names.op == 'a' ? "an" : "a";
	name_device(summing, a, names.a);
	name_device(summing, b, names.b);
	name_chunks(summing, a, names.a_holds);
	name_chunks(summing, b, names.b_holds);
	return names;
}

/* The word `chunks` stands once. */
static const char *numbers_of(const struct names *names)
{
	static const char word[] = "chunks ";
	size_t length = sizeof word - 1;
	bool both = strncmp(names->a_holds, word, length) == 0 && strncmp(names->b_holds, word, length) == 0;

	return names->b_holds + (both ? length : 0);
}

/* ---- who breaks it ---- */

struct refusal {
	const sw_summing *summing;
	sw_op op;
	const int64_t *member;
	int64_t size;
};

static bool same_chunks(const sw_summing *summing, int64_t a, int64_t b)
{
	for (int c = 0; c < summing->shares; c++)
		if (holds(summing, a, c) != holds(summing, b, c))
			return false;
	return true;
}

static void say_chunks_differ(const struct refusal *refusal, sw_diag *diag)
{
	int64_t m = 1;

	while (m + 1 < refusal->size && same_chunks(refusal->summing, refusal->member[0], refusal->member[m]))
		m++;
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[0], refusal->member[m]);
	sw_diag_set(diag, SW_R01, (sw_span){0, 0}, "%s holds %s, %s holds %s: %s %s would add different chunks", names.a,
		names.a_holds, names.b, numbers_of(&names), names.article, names.op);
}

/* A share that two members have of one chunk: -1 where there is none. */
static int common_share(const sw_summing *summing, int64_t a, int64_t b, int *chunk)
{
	for (int c = 0; c < summing->shares; c++) {
		const uint64_t *x = sw_chunks_row(&summing->chunks, (int)a, c);
		const uint64_t *y = sw_chunks_row(&summing->chunks, (int)b, c);

		for (int w = 0; w < summing->chunks.words; w++)
			if (x[w] & y[w]) {
				*chunk = c;
				return 64 * w + __builtin_ctzll(x[w] & y[w]);
			}
	}
	return -1;
}

/* The device whose share it is, in the sum of this one. */
static int owner_of(const sw_summing *summing, int64_t of, int share)
{
	const sw_placement *placement = summing->sum.placement;

	for (int d = 0; d < summing->devices; d++) {
		bool same = summing->share[d] == share;

		for (int i = 0; same && i < placement->axes; i++)
			same = (summing->sum.summed >> i & 1) ||
				sw_placement_coordinate(placement, summing->device[d], i) ==
					sw_placement_coordinate(placement, summing->device[of], i);
		if (same)
			return d;
	}
	return 0;
}

static void say_added_twice(const struct refusal *refusal, sw_diag *diag)
{
	int64_t a = 0, b = 1;
	int chunk = 0, share = -1;
	char owner[32];

	for (int64_t i = 0; i < refusal->size && share < 0; i++)
		for (int64_t j = i + 1; j < refusal->size && share < 0; j++) {
			share = common_share(refusal->summing, refusal->member[i], refusal->member[j], &chunk);
			a = i;
			b = j;
		}
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[a], refusal->member[b]);
	name_device(refusal->summing, owner_of(refusal->summing, refusal->member[a], share < 0 ? 0 : share), owner);
	sw_diag_set(diag, SW_R02, (sw_span){0, 0},
		"%s and %s both hold the share of %s in chunk %d: %s %s would add it twice", names.a, names.b, owner, chunk,
		names.article, names.op);
}

static void say_indivisible(const struct refusal *refusal, sw_diag *diag)
{
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[0], refusal->member[1]);

	sw_diag_set(diag, SW_R03, (sw_span){0, 0},
		"%s holds %s, as the others do, which %lld devices cannot share evenly", names.a, names.a_holds,
		(long long)refusal->size);
}

static void say_counts_differ(const struct refusal *refusal, sw_diag *diag)
{
	int64_t m = 1;

	while (m + 1 < refusal->size &&
		held(refusal->summing, refusal->member[0]) == held(refusal->summing, refusal->member[m]))
		m++;
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[0], refusal->member[m]);
	sw_diag_set(diag, SW_R04, (sw_span){0, 0}, "%s holds %s, %s holds %s: %s %s takes as many from each", names.a,
		names.a_holds, names.b, names.b_holds, names.article, names.op);
}

static void say_same_chunk(const struct refusal *refusal, sw_diag *diag)
{
	int64_t a = 0, b = 1;
	int chunk = -1;

	for (int c = 0; c < refusal->summing->shares && chunk < 0; c++)
		for (int64_t i = 0; i < refusal->size && chunk < 0; i++)
			for (int64_t j = i + 1; j < refusal->size && chunk < 0; j++)
				if (holds(refusal->summing, refusal->member[i], c) &&
					holds(refusal->summing, refusal->member[j], c)) {
					chunk = c;
					a = i;
					b = j;
				}
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[a], refusal->member[b]);
	sw_diag_set(diag, SW_R05, (sw_span){0, 0}, "%s and %s both hold chunk %d: %s %s gathers different chunks",
		names.a, names.b, chunk, names.article, names.op);
}

/* Has the root all that the member has? */
static bool root_knows(const sw_summing *summing, int64_t root, int64_t member, int *chunk)
{
	for (int c = 0; c < summing->shares; c++) {
		const uint64_t *x = sw_chunks_row(&summing->chunks, (int)root, c);
		const uint64_t *y = sw_chunks_row(&summing->chunks, (int)member, c);

		*chunk = c;
		for (int w = 0; w < summing->chunks.words; w++)
			if (y[w] & ~x[w])
				return false;
	}
	return true;
}

static void say_root_knows_less(const struct refusal *refusal, sw_diag *diag)
{
	int64_t m = 1;
	int chunk = 0;

	while (m + 1 < refusal->size && root_knows(refusal->summing, refusal->member[0], refusal->member[m], &chunk))
		m++;
	root_knows(refusal->summing, refusal->member[0], refusal->member[m], &chunk);
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[0], refusal->member[m]);
	sw_diag_set(diag, SW_R06, (sw_span){0, 0},
		"%s holds shares of chunk %d that %s, the root, does not: %s %s would lose them", names.b, chunk, names.a,
		names.article, names.op);
}

static void say_nothing_new(const struct refusal *refusal, sw_diag *diag)
{
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[0], refusal->member[1]);

	sw_diag_set(diag, SW_R07, (sw_span){0, 0},
		"%s, the root, holds what the others of its group hold already: %s %s would tell nothing new", names.a,
		names.article, names.op);
}

static void say_nothing(const struct refusal *refusal, sw_diag *diag)
{
	struct names names = names_of(refusal->summing, refusal->op, refusal->member[0],
		refusal->member[refusal->size - 1]);

	sw_diag_set(diag, SW_R08, (sw_span){0, 0}, "no device of the group from %s to %s holds anything", names.a,
		names.b);
}

static const struct {
	void (*say)(const struct refusal *refusal, sw_diag *diag);
	const char *hint;
} rows[] = {
	[SW_PREMISE_CHUNKS_DIFFER] = {say_chunks_differ,
		"an allgather brings the chunks together, a sum across other units adds equal ones"},
	[SW_PREMISE_NOTHING] = {say_nothing,
		"after a reduce only the first devices hold something: use `masters`, or a broadcast"},
	[SW_PREMISE_ADDED_TWICE] = {say_added_twice,
		"sum across units whose devices hold other shares, or between their masters"},
	[SW_PREMISE_INDIVISIBLE] = {say_indivisible, "an allreduce leaves the chunks whole"},
	[SW_PREMISE_COUNTS_DIFFER] = {say_counts_differ, "gather where all devices of a group hold as much"},
	[SW_PREMISE_SAME_CHUNK] = {say_same_chunk, "an allreduce adds what devices hold of the same chunks"},
	[SW_PREMISE_ROOT_KNOWS_LESS] = {say_root_knows_less, "reduce to the first device before, or use an allreduce"},
	[SW_PREMISE_NOTHING_NEW] = {say_nothing_new, "leave it out"},
};

bool sw_summing_refuse(const sw_summing *summing, sw_op op, const int64_t *member, int64_t size, sw_premise premise,
	sw_diag *diag)
{
	struct refusal refusal = {summing, op, member, size};

	if (diag == NULL)
		return false;
	rows[premise].say(&refusal, diag);
	sw_diag_hint(diag, "%s; `explain %s` tells the rule", rows[premise].hint, sw_code_info_of(diag->code)->name);
	return false;
}

bool sw_summing_refuse_axis(const sw_summing *summing, const sw_reduction_step *step, int axis, sw_arena *arena,
	sw_diag *diag)
{
	sw_arena_mark mark = sw_arena_here(arena);
	int64_t groups, size, *list = sw_reduction_groups(&summing->small, step, arena, &groups, &size);
	int64_t other = 1;

	if (list == NULL)
		return sw_diag_memory(diag);
	while (other + 1 < size &&
		sw_placement_coordinate(summing->sum.placement, summing->device[list[other]], axis) ==
			sw_placement_coordinate(summing->sum.placement, summing->device[list[0]], axis))
		other++;
	struct names names = names_of(summing, step->op, list[0], list[other]);
	sw_arena_back(arena, mark);
	sw_diag_set(diag, SW_R09, (sw_span){0, 0},
		"%s and %s work together, which differ along '%s', and that is not summed: %s %s would mix values", names.a,
		names.b, summing->axes->axis[axis].name, names.article, names.op);
	sw_diag_hint(diag,
		"`set hierarchy e` makes groups of the axes that are summed alone; `explain R09` tells the rule");
	return false;
}
