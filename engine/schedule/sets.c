/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which values letters have where some loops have one value and the others run: bounds, how many there are, and which.
 *
 * A letter is a tree of variables: cut into an outer and an inner one, rotated, or a part of a fused one; its leaves are loops.  Values
 * from an extent on do not exist, of the letter and of each variable on the way.
 */
#include "schedule/lower.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#define NONE INT64_MAX

enum { MOST_RANGES = 1 << 14, MOST_LEAVES = 16 };

typedef struct tree {
	const struct sw_lowered *lowered;
	const bool *fixed;
	const int64_t *value;
	const sw_range *part; /* of parts of fused variables; NULL: there are none */
} tree;

static bool is_cut(const tree *t, int v)
{
	return t->lowered->variable[v].kind == SW_VARIABLE_CUT;
}

/* The values of a leaf, all from low to high - 1. */
static sw_range leaf_range(const tree *t, int v)
{
	const sw_variable *is = &t->lowered->variable[v];

	if (is->kind == SW_VARIABLE_FIRST || is->kind == SW_VARIABLE_SECOND)
		return t->part[v];
	if (!t->fixed[v])
		return (sw_range){0, is->extent};
	return (sw_range){t->value[v], t->value[v] < is->extent ? t->value[v] + 1 : t->value[v]};
}

/* The smallest value; NONE: there is none. */
static int64_t smallest(const tree *t, int v)
{
	const sw_variable *is = &t->lowered->variable[v];

	if (!is_cut(t, v)) {
		sw_range range = leaf_range(t, v);
		return range.low < range.high ? range.low : NONE;
	}
	int64_t outer = smallest(t, is->of), inner = smallest(t, is->inner);
	if (outer == NONE || inner == NONE)
		return NONE;
	int64_t value = outer * t->lowered->variable[is->inner].extent + inner;
	return value < is->extent ? value : NONE;
}

/* The largest value below a limit; -1: there is none. */
static int64_t largest(const tree *t, int v, int64_t limit)
{
	const sw_variable *is = &t->lowered->variable[v];

	limit = sw_smaller(limit, is->extent);
	if (!is_cut(t, v)) {
		sw_range range = leaf_range(t, v);
		int64_t high = sw_smaller(range.high, limit);
		return high > range.low ? high - 1 : -1;
	}
	int64_t block = t->lowered->variable[is->inner].extent, least = smallest(t, is->inner);
	if (least == NONE || limit <= least)
		return -1;
	int64_t outer = largest(t, is->of, (limit - least - 1) / block + 1);
	if (outer < 0)
		return -1;
	return outer * block + largest(t, is->inner, limit - outer * block);
}

/* How many values are below a limit. */
static int64_t count_below(const tree *t, int v, int64_t limit)
{
	const sw_variable *is = &t->lowered->variable[v];

	limit = sw_smaller(limit, is->extent);
	if (!is_cut(t, v)) {
		sw_range range = leaf_range(t, v);
		return sw_larger(0, sw_smaller(range.high, limit) - range.low);
	}
	int64_t block = t->lowered->variable[is->inner].extent, outer = limit / block, rest = limit % block;
	int64_t whole = count_below(t, is->of, outer) * count_below(t, is->inner, block);
	if (rest == 0 || count_below(t, is->of, outer + 1) == count_below(t, is->of, outer))
		return whole;
	return whole + count_below(t, is->inner, rest);
}

static sw_range range_of(const tree *t, int v)
{
	int64_t low = smallest(t, v);

	if (low == NONE)
		return (sw_range){0, 0};
	return (sw_range){low, largest(t, v, t->lowered->variable[v].extent) + 1};
}

static tree tree_of(const struct sw_lowered *lowered, const sw_frame *frame, const int64_t *value,
	const sw_range *part)
{
	return (tree){lowered, frame->fixed, value, part};
}

sw_range sw_frame_range_slow(const struct sw_lowered *lowered, const sw_frame *frame, int letter,
	const int64_t *value)
{
	tree t = tree_of(lowered, frame, value, NULL);

	return range_of(&t, letter);
}

/* ---- fused loops ---- */

typedef struct fusing {
	sw_piece piece;
	tree tree;
	sw_range *part;
	sw_piece_use use;
	void *user;
} fusing;

static bool use_pieces(fusing *f, int k);

/* The parts of a fused variable where these are its values: rows of the second one, cut at both ends. */
static bool use_rows(fusing *f, int k, sw_range range)
{
	const struct sw_lowered *lowered = f->piece.lowered;
	int first = lowered->fuse[k], second = lowered->variable[first].inner;
	int64_t row = lowered->variable[second].extent;

	while (range.low < range.high) {
		int64_t at = range.low / row, rest = range.low % row, rows = rest == 0 ? (range.high - range.low) / row : 0;
		int64_t end = rows > 0 ? (at + rows) * row : sw_smaller(range.high, (at + 1) * row);
		f->part[first] = (sw_range){at, at + sw_larger(rows, 1)};
		f->part[second] = rows > 0 ? (sw_range){0, row} : (sw_range){rest, end - at * row};
		if (!use_pieces(f, k + 1))
			return false;
		range.low = end;
	}
	return true;
}

static bool use_piece(fusing *f)
{
	const sw_formula *formula = f->piece.lowered->formula;

	for (int letter = 0; letter < formula->letters; letter++) {
		f->piece.range[letter] = range_of(&f->tree, letter);
		if (f->piece.range[letter].low == f->piece.range[letter].high)
			return true;
	}
	return f->use(f->user, &f->piece);
}

static bool use_pieces(fusing *f, int k)
{
	if (k == f->piece.lowered->fuses)
		return use_piece(f);
	int fused = f->piece.lowered->variable[f->piece.lowered->fuse[k]].of;
	int64_t extent = f->piece.lowered->variable[fused].extent;
	sw_range range = range_of(&f->tree, fused);
	if (count_below(&f->tree, fused, extent) == range.high - range.low)
		return use_rows(f, k, range);
	for (int64_t value = range.high - 1; value >= 0; value = largest(&f->tree, fused, value))
		if (!use_rows(f, k, (sw_range){value, value + 1}))
			return false;
	return true;
}

bool sw_frame_pieces(const struct sw_lowered *lowered, const sw_frame *frame, const int64_t *value, sw_piece_use use,
	void *user)
{
	sw_range part[SW_MAX_VARIABLES];
	fusing f = {.piece = {.lowered = lowered, .frame = frame, .value = value, .part = part},
		.part = part,
		.use = use,
		.user = user};

	assert(lowered->variables <= SW_MAX_VARIABLES);
	f.tree = tree_of(lowered, frame, value, part);
	if (lowered->fuses > 0)
		return use_pieces(&f, 0);
	for (int letter = 0; letter < lowered->formula->letters; letter++) {
		f.piece.range[letter] = sw_frame_range(lowered, frame, letter, value);
		if (f.piece.range[letter].low == f.piece.range[letter].high)
			return true;
	}
	return use(user, &f.piece);
}

int64_t sw_piece_count(const sw_piece *piece, int letter)
{
	tree t = tree_of(piece->lowered, piece->frame, piece->value, piece->part);

	return count_below(&t, letter, piece->range[letter].high);
}

/* ---- which values ---- */

/* Every value of the outer one with all of the inner ones: families of families. */
static bool combine(sw_family outer, const sw_indices *inner, int64_t block, sw_arena *arena, sw_indices *all)
{
	int64_t values = outer.run * outer.count;
	sw_family *family = SW_NEW(arena, sw_family, inner->count * values);
	int count = 0;

	if (family == NULL)
		return false;
	for (int k = 0; k < inner->count; k++) {
		sw_family f = inner->family[k];
		if (f.run == block) {
			family[count++] = (sw_family){outer.first * block, outer.run * block,
				(outer.count > 1 ? outer.step : outer.run) * block, outer.count};
			continue;
		}
		if (f.count == 1 && (outer.run == 1 || outer.count == 1)) {
			int64_t step = outer.run > 1 ? 1 : outer.step;
			family[count++] = (sw_family){outer.first * block + f.first, f.run, values > 1 ? step * block : f.run,
				values};
			continue;
		}
		for (int64_t n = 0; n < values; n++) {
			int64_t at = outer.first + n / outer.run * outer.step + n % outer.run;
			family[count++] = (sw_family){at * block + f.first, f.run, f.step, f.count};
		}
	}
	*all = (sw_indices){count, family};
	return true;
}

static bool indices_of(const tree *t, int v, sw_arena *arena, sw_indices *indices);

static bool cut_indices(const tree *t, int v, sw_arena *arena, sw_indices *indices)
{
	const sw_variable *is = &t->lowered->variable[v];
	sw_indices outer, inner, all, limit, sum = {0, NULL};
	sw_family whole;

	if (!indices_of(t, is->of, arena, &outer) || !indices_of(t, is->inner, arena, &inner))
		return false;
	for (int k = 0; k < outer.count; k++)
		if (!combine(outer.family[k], &inner, t->lowered->variable[is->inner].extent, arena, &all) ||
			!sw_indices_union(&sum, &all, arena, &sum))
			return false;
	limit = sw_indices_range(0, is->extent, &whole);
	return sw_indices_meet(&sum, &limit, arena, indices);
}

static bool indices_of(const tree *t, int v, sw_arena *arena, sw_indices *indices)
{
	if (is_cut(t, v))
		return cut_indices(t, v, arena, indices);
	sw_family *family = SW_NEW(arena, sw_family, 1);
	sw_range range = leaf_range(t, v);
	if (family == NULL)
		return false;
	*indices = sw_indices_range(range.low, range.high, family);
	return true;
}

bool sw_piece_indices(const sw_piece *piece, int letter, sw_arena *arena, sw_indices *indices)
{
	tree t = tree_of(piece->lowered, piece->frame, piece->value, piece->part);

	return indices_of(&t, letter, arena, indices);
}

/* ---- frames ---- */

/* The variables with one value that the range of one follows from; -1: they are too many. */
static int leaves_of(const struct sw_lowered *lowered, const sw_frame *frame, int v, int *leaf, int count)
{
	const sw_variable *is = &lowered->variable[v];

	if (count < 0)
		return -1;
	if (is->kind == SW_VARIABLE_CUT)
		return leaves_of(lowered, frame, is->inner, leaf, leaves_of(lowered, frame, is->of, leaf, count));
	if (!frame->fixed[v])
		return count;
	if (count == MOST_LEAVES)
		return -1;
	leaf[count] = v;
	return count + 1;
}

/* Gives the leaves of a letter the values of which a range is number `at`. */
static void set_leaves(const struct sw_lowered *lowered, const struct sw_frame_letter *letter, int64_t at,
	int64_t *value)
{
	for (int k = 0; k < letter->leaves; k++)
		value[letter->leaf[k]] = at / letter->stride[k] % lowered->variable[letter->leaf[k]].extent;
}

/* true: none of them is empty. */
static bool fill_ranges(const struct sw_lowered *lowered, const sw_frame *frame, int letter, sw_range *range)
{
	const struct sw_frame_letter *is = &frame->letter[letter];
	int64_t value[SW_MAX_VARIABLES] = {0};
	bool full = true;

	for (int64_t at = 0; at < is->ranges; at++) {
		set_leaves(lowered, is, at, value);
		range[at] = sw_frame_range_slow(lowered, frame, letter, value);
		full = full && range[at].low < range[at].high;
	}
	return full;
}

int64_t *sw_frame_counts(const struct sw_lowered *lowered, const sw_frame *frame, int letter, sw_arena *arena)
{
	const struct sw_frame_letter *is = &frame->letter[letter];
	int64_t value[SW_MAX_VARIABLES] = {0}, *counts = SW_NEW(arena, int64_t, is->ranges);
	tree t = tree_of(lowered, frame, value, NULL);

	for (int64_t at = 0; at < is->ranges && counts != NULL; at++) {
		set_leaves(lowered, is, at, value);
		counts[at] = count_below(&t, letter, lowered->variable[letter].extent);
	}
	return counts;
}

/* Are ranges read about as often as they are worked out? */
static bool is_worth(const struct sw_lowered *lowered, int64_t ranges)
{
	int64_t reads;

	return !sw_mul(lowered->steps, lowered->units[lowered->levels], &reads) || (ranges + 3) / 4 <= reads;
}

/* Works out the ranges of a letter for all values of its leaves, where these are few. */
static bool tabulate(const struct sw_lowered *lowered, sw_frame *frame, int letter, sw_arena *arena)
{
	int leaf[MOST_LEAVES], leaves = leaves_of(lowered, frame, letter, leaf, 0);
	int64_t ranges = 1;

	for (int k = 0; k < leaves && ranges <= MOST_RANGES; k++)
		ranges = lowered->variable[leaf[k]].extent > MOST_RANGES ? MOST_RANGES + 1 :
																   ranges * lowered->variable[leaf[k]].extent;
	if (leaves < 0 || ranges > MOST_RANGES || !is_worth(lowered, ranges))
		return true;
	int *kept = SW_NEW(arena, int, leaves);
	int64_t *stride = SW_NEW(arena, int64_t, leaves), next = 1;
	sw_range *range = SW_NEW(arena, sw_range, ranges);
	if (kept == NULL || stride == NULL || range == NULL)
		return false;
	for (int k = leaves - 1; k >= 0; k--) {
		kept[k] = leaf[k];
		stride[k] = next;
		next *= lowered->variable[leaf[k]].extent;
	}
	frame->letter[letter] =
		(struct sw_frame_letter){.leaves = leaves, .leaf = kept, .stride = stride, .ranges = ranges};
	frame->letter[letter].never_empty = fill_ranges(lowered, frame, letter, range);
	frame->letter[letter].range = range;
	return true;
}

/* Which variables have one value: loops in space of the first levels, those in time down to `loop`, and what is rotated by such. */
static void fix_variables(const struct sw_lowered *lowered, sw_frame *frame)
{
	const sw_schedule *schedule = lowered->schedule;

	for (int k = 0; k < lowered->spaces && k < lowered->level_axes[frame->level]; k++)
		frame->fixed[lowered->space[k]] = true;
	for (int k = 0; k <= frame->loop; k++)
		if (!schedule->loop[k].distributed)
			frame->fixed[schedule->loop[k].variable] = true;
	for (int k = 0; k < lowered->turns; k++) {
		const sw_variable *is = &lowered->variable[lowered->turn[k]];
		bool fixed = frame->fixed[is->of];
		for (int n = 0; n < is->bys; n++)
			fixed = fixed && frame->fixed[is->by[n]];
		frame->fixed[lowered->turn[k]] = fixed;
	}
}

const sw_frame *sw_frame_of(struct sw_lowered *lowered, int level, int loop, sw_arena *arena)
{
	for (int k = 0; k < lowered->fetches; k++)
		if (lowered->frame[k] != NULL && lowered->frame[k]->level == level && lowered->frame[k]->loop == loop)
			return lowered->frame[k];
	sw_frame *frame = SW_NEW_ZERO(arena, sw_frame, 1);
	if (frame == NULL)
		return NULL;
	frame->level = level;
	frame->loop = loop;
	frame->fixed = SW_NEW_ZERO(arena, bool, lowered->variables);
	if (frame->fixed == NULL)
		return NULL;
	fix_variables(lowered, frame);
	for (int letter = 0; letter < lowered->formula->letters && lowered->fuses == 0; letter++)
		if (!tabulate(lowered, frame, letter, arena))
			return NULL;
	return frame;
}
