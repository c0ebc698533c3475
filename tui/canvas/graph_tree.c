/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A graph as a tree: what hangs from a node has columns of its own, packed row by row as close as names allow, so that
 * edges cross only where one goes up past what goes down.
 *
 * The edge to a child leaves its parent downwards, goes across in the row below it (its bus) and down to the child; a
 * child of a larger size stands above, and the same goes upwards.  Where the tree is too wide, children whose
 * descendants are all of their own size stand in lists, one in a row.
 */
#include "canvas/graph_layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The columns that a part of the tree takes in each of its rows, from row `top` on. */
struct span {
	int left, right; /* left > right: none */
};

struct outline {
	int top, rows;
	struct span *span;
};

struct tree {
	struct graph_layout *layout;
	const struct graph_node *node;
	int count;
	int64_t *sizes; /* of levels */
	int levels;
	int *first, *next;    /* child, sibling; -1: none */
	int *level, *row;     /* from 0: the largest; row in its level */
	int *offset;          /* column from the parent's */
	int *lines;           /* rows of what hangs from it, itself too, as a list */
	bool *alike;          /* all of that is of its level */
	bool *listed, *head;  /* stands in a list, as its first */
	bool *rises;          /* a child of it is larger */
	int *top, *high;      /* of a level: its first row, how many */
	int stack, gap, drop; /* most rows of a list, columns and rows between nodes */
	bool full, failed;
};

/* ---- outlines ---- */

static bool outline_cover(struct outline *line, int from, int to)
{
	int top = line->rows && line->top < from ? line->top : from;
	int end = line->rows && line->top + line->rows - 1 > to ? line->top + line->rows - 1 : to;
	if (line->rows == end - top + 1)
		return true;
	struct span *span = malloc((size_t)(end - top + 1) * sizeof(*span));
	if (!span)
		return false;
	for (int y = top; y <= end; y++) {
		bool there = line->rows && y >= line->top && y < line->top + line->rows;
		span[y - top] = there ? line->span[y - line->top] : (struct span){INT_MAX / 2, INT_MIN / 2};
	}
	free(line->span);
	*line = (struct outline){top, end - top + 1, span};
	return true;
}

static bool outline_add(struct outline *line, int y, int left, int right)
{
	if (!outline_cover(line, y, y))
		return false;
	struct span *span = &line->span[y - line->top];
	span->left = left < span->left ? left : span->left;
	span->right = right > span->right ? right : span->right;
	return true;
}

static bool outline_has(const struct outline *line, int y)
{
	return y >= line->top && y < line->top + line->rows &&
		line->span[y - line->top].left <= line->span[y - line->top].right;
}

/* How far right `other` has to go so that it stands right of `line` in every row. */
static int outline_shift(const struct outline *line, const struct outline *other, int gap)
{
	int shift = INT_MIN / 2;
	for (int y = other->top; y < other->top + other->rows; y++) {
		if (!outline_has(line, y) || !outline_has(other, y))
			continue;
		int least = line->span[y - line->top].right + gap + 1 - other->span[y - other->top].left;
		shift = least > shift ? least : shift;
	}
	return shift;
}

/* Adds `other`, shifted, and frees it. */
static bool outline_merge(struct outline *line, struct outline *other, int shift)
{
	bool ok = !other->rows || outline_cover(line, other->top, other->top + other->rows - 1);
	for (int i = 0; ok && i < other->rows; i++)
		if (other->span[i].left <= other->span[i].right)
			ok = outline_add(line, other->top + i, other->span[i].left + shift, other->span[i].right + shift);
	free(other->span);
	*other = (struct outline){0};
	return ok;
}

static void outline_move(struct outline *line, int by)
{
	for (int i = 0; i < line->rows; i++)
		if (line->span[i].left <= line->span[i].right)
			line->span[i] = (struct span){line->span[i].left + by, line->span[i].right + by};
}

/* The leftmost column in rows from `from` to before `to`; INT_MAX / 2: there is none. */
static int outline_left(const struct outline *line, int from, int to)
{
	int left = INT_MAX / 2;
	for (int y = line->top; y < line->top + line->rows; y++)
		if (y >= from && y < to && outline_has(line, y) && line->span[y - line->top].left < left)
			left = line->span[y - line->top].left;
	return left;
}

static int outline_right(const struct outline *line)
{
	int right = INT_MIN / 2;
	for (int y = line->top; y < line->top + line->rows; y++)
		if (outline_has(line, y) && line->span[y - line->top].right > right)
			right = line->span[y - line->top].right;
	return right;
}

/* ---- rows ---- */

static bool is_below(const struct tree *tree, int child, int parent)
{
	return tree->level[child] >= tree->level[parent];
}

static bool may_be_listed(const struct tree *tree, int child, int parent)
{
	return tree->lines[child] <= tree->stack && tree->stack > 1 && tree->alike[child] &&
		is_below(tree, child, parent);
}

/* Rows of all children of `parent` that a list in this level would hold, and how many children these are. */
static int list_lines(const struct tree *tree, int parent, int level, int *children)
{
	int lines = 0;
	*children = 0;
	for (int c = tree->first[parent]; c >= 0; c = tree->next[c]) {
		if (tree->level[c] == level && may_be_listed(tree, c, parent)) {
			lines += tree->lines[c];
			++*children;
		}
	}
	return lines;
}

static int row_below(const struct tree *tree, int child, int parent)
{
	if (tree->level[child] != tree->level[parent])
		return 0;
	return tree->row[parent] + 1 + tree->drop + (tree->rises[child] ? tree->drop : 0);
}

/* How many lists of at most so many rows the children of this level take. */
static int lists_of(const struct tree *tree, int parent, int level, int most)
{
	int lists = 0, used = 0;
	for (int c = tree->first[parent]; c >= 0; c = tree->next[c]) {
		if (tree->level[c] != level || !may_be_listed(tree, c, parent))
			continue;
		bool head = !lists || used + tree->lines[c] > most;
		lists += head;
		used = (head ? 0 : used) + tree->lines[c];
	}
	return lists;
}

/* Gives the children of this level their rows in as few lists as there may be, of about the same height. */
static void list_rows(struct tree *tree, int parent, int level, int lines)
{
	int lists = lists_of(tree, parent, level, tree->stack), most = (lines + lists - 1) / lists, used = 0;
	bool first = true;
	while (most < tree->stack && lists_of(tree, parent, level, most) > lists)
		most++;
	for (int c = tree->first[parent]; c >= 0; c = tree->next[c]) {
		if (tree->level[c] != level || !may_be_listed(tree, c, parent))
			continue;
		tree->listed[c] = true;
		tree->head[c] = first || used + tree->lines[c] > most;
		used = tree->head[c] ? 0 : used;
		tree->row[c] = row_below(tree, c, parent) + used;
		used += tree->lines[c];
		first = false;
	}
}

static void children_rows(struct tree *tree, int parent)
{
	int children;
	for (int c = tree->first[parent], row = tree->row[parent] + 1; c >= 0; c = tree->next[c]) {
		if (tree->listed[parent]) {
			tree->listed[c] = true;
			tree->row[c] = row;
			row += tree->lines[c];
		} else if (!tree->listed[c]) {
			int lines = may_be_listed(tree, c, parent) ? list_lines(tree, parent, tree->level[c], &children) : 1;
			tree->row[c] = row_below(tree, c, parent);
			if (lines > 1)
				list_rows(tree, parent, tree->level[c], lines);
		}
	}
	for (int c = tree->first[parent]; c >= 0; c = tree->next[c])
		children_rows(tree, c);
}

/* Has a child that its edge goes down to by the row below? */
static bool has_bus(const struct tree *tree, int parent)
{
	for (int c = tree->first[parent]; c >= 0 && !tree->listed[parent]; c = tree->next[c])
		if (is_below(tree, c, parent))
			return true;
	return false;
}

/* The first rows of levels; returns how many rows there are in all. */
static int levels_stack(struct tree *tree)
{
	int y = 0;
	memset(tree->high, 0, (size_t)tree->levels * sizeof(*tree->high));
	memset(tree->top, 0, (size_t)tree->levels * sizeof(*tree->top));
	for (int i = 0; i < tree->count; i++) {
		int level = tree->level[i], rows = tree->row[i] + 1 + (has_bus(tree, i) ? tree->drop : 0);
		tree->high[level] = rows > tree->high[level] ? rows : tree->high[level];
		tree->top[level] = tree->rises[i] && level > 0 ? tree->drop : tree->top[level];
	}
	for (int level = 0; level < tree->levels; level++) {
		tree->top[level] += y;
		y = tree->top[level] + tree->high[level];
	}
	return y;
}

static int rows_assign(struct tree *tree)
{
	memset(tree->listed, 0, (size_t)tree->count);
	memset(tree->head, 0, (size_t)tree->count);
	for (int i = 0; i < tree->count; i++)
		if (tree->node[i].parent < 0) {
			tree->row[i] = 0;
			children_rows(tree, i);
		}
	return levels_stack(tree);
}

static int y_of(const struct tree *tree, int i)
{
	return tree->top[tree->level[i]] + tree->row[i];
}

/* ---- columns ---- */

static int name_of(const struct tree *tree, int i)
{
	return tree->full || tree->node[i].whole ? tree->node[i].full : tree->node[i].name;
}

/* Items of a list, from column `x` on; deeper ones stand further right. */
static bool list_outline(struct tree *tree, int i, int x, struct outline *line)
{
	bool ok = outline_add(line, y_of(tree, i), 0, x + name_of(tree, i) - 1);
	for (int c = tree->first[i]; ok && c >= 0; c = tree->next[c]) {
		tree->offset[c] = 1;
		ok = list_outline(tree, c, x + 1, line);
	}
	return ok;
}

static struct outline pack(struct tree *tree, int p);

/* The list that begins with `head`, its line in column 0 from the row below the parent on. */
static struct outline list_block(struct tree *tree, int parent, int head)
{
	struct outline line = {0};
	for (int y = y_of(tree, parent) + 1; y < y_of(tree, head); y++)
		tree->failed |= !outline_add(&line, y, 0, 0);
	for (int c = head; c >= 0; c = tree->next[c]) {
		if (tree->level[c] != tree->level[head] || !tree->listed[c])
			continue;
		if (c != head && tree->head[c])
			break;
		tree->failed |= !list_outline(tree, c, 1, &line);
	}
	return line;
}

/* Gives the items of a list their column; returns whether the best path goes through one. */
static bool list_offset(struct tree *tree, int head, int offset)
{
	bool straight = false;
	for (int c = head; c >= 0; c = tree->next[c]) {
		if (tree->level[c] != tree->level[head] || !tree->listed[c])
			continue;
		if (c != head && tree->head[c])
			break;
		tree->offset[c] = offset + 1;
		straight |= tree->node[c].straight;
	}
	return straight;
}

/* What hangs from a child, and the line that leads there from the row next to its parent, in column 0. */
static struct outline child_block(struct tree *tree, int parent, int child)
{
	if (tree->listed[child])
		return list_block(tree, parent, child);
	struct outline line = pack(tree, child);
	int from = y_of(tree, parent), to = y_of(tree, child), step = from < to ? 1 : -1;
	for (int y = from + step; y != to; y += step)
		tree->failed |= !outline_add(&line, y, 0, 0);
	return line;
}

struct bus {
	int first, last, straight, blocks; /* columns of its blocks */
};

static struct bus pack_below(struct tree *tree, int p, struct outline *all)
{
	struct bus bus = {.straight = INT_MIN};
	for (int c = tree->first[p]; c >= 0; c = tree->next[c]) {
		if (!is_below(tree, c, p) || (tree->listed[c] && !tree->head[c]))
			continue;
		struct outline block = child_block(tree, p, c);
		int shift = bus.blocks++ ? outline_shift(all, &block, tree->gap) : 0;
		tree->failed |= !outline_merge(all, &block, shift);
		tree->offset[c] = shift;
		if (tree->listed[c] ? list_offset(tree, c, shift) : tree->node[c].straight)
			bus.straight = shift;
		bus.first = bus.blocks == 1 ? shift : bus.first;
		bus.last = shift;
	}
	return bus;
}

/* Does the edge to a node come from below, or from above? */
static bool comes_up(const struct tree *tree, int i)
{
	return tree->node[i].parent >= 0 && !is_below(tree, i, tree->node[i].parent);
}

static bool comes_down(const struct tree *tree, int i)
{
	return tree->node[i].parent >= 0 && is_below(tree, i, tree->node[i].parent);
}

/* The column of a parent over what hangs below it. */
static int column_of(const struct tree *tree, int p, const struct bus *bus, const struct outline *all)
{
	int y = y_of(tree, p), x = (bus->first + bus->last) / 2, name = name_of(tree, p);
	if (!bus->blocks)
		return 0;
	if (comes_up(tree, p))
		x = outline_left(all, INT_MIN, INT_MAX) - 1;
	else if (bus->straight != INT_MIN)
		x = bus->straight;
	if (outline_has(all, y) && x + name + tree->gap > all->span[y - all->top].left)
		x = all->span[y - all->top].left - tree->gap - name;
	return x;
}

static void move_children(struct tree *tree, int p, int by)
{
	for (int c = tree->first[p]; c >= 0; c = tree->next[c])
		if (is_below(tree, c, p))
			tree->offset[c] += by;
}

/* Children that stand above, to the right of the edge that comes from there. */
static void pack_above(struct tree *tree, int p, struct outline *all)
{
	int y = y_of(tree, p), last = INT_MIN, port = comes_down(tree, p) ? 1 : 0;
	for (int c = tree->first[p]; c >= 0; c = tree->next[c]) {
		if (is_below(tree, c, p))
			continue;
		struct outline block = child_block(tree, p, c);
		int shift = outline_shift(all, &block, tree->gap), least = 1 - outline_left(&block, INT_MIN, y);
		shift = shift < port ? port : shift;
		shift = port && shift < least ? least : shift;
		tree->failed |= !outline_merge(all, &block, shift);
		tree->offset[c] = shift;
		last = shift;
	}
	if (last != INT_MIN)
		tree->failed |= !outline_add(all, y - 1, port, last);
}

/* What hangs from node p, with p in column 0. */
static struct outline pack(struct tree *tree, int p)
{
	struct outline all = {0};
	struct bus bus = pack_below(tree, p, &all);
	int x = column_of(tree, p, &bus, &all), port = comes_up(tree, p) ? 1 : 0, y = y_of(tree, p);
	outline_move(&all, -x);
	move_children(tree, p, -x);
	tree->failed |= !outline_add(&all, y, 0, name_of(tree, p) - 1);
	if (bus.blocks) {
		int first = bus.first - x < port ? bus.first - x : port, last = bus.last - x > port ? bus.last - x : port;
		tree->failed |= !outline_add(&all, y + 1, first, last);
	}
	pack_above(tree, p, &all);
	return all;
}

/* All of it, from column 0 on; returns how many columns it takes. */
static int columns_assign(struct tree *tree)
{
	struct outline all = {0};
	for (int i = 0, roots = 0; i < tree->count && !tree->failed; i++) {
		if (tree->node[i].parent >= 0)
			continue;
		struct outline block = pack(tree, i);
		int shift = roots++ ? outline_shift(&all, &block, tree->gap + 1) : 0;
		shift = shift == INT_MIN / 2 ? 0 : shift;
		tree->failed |= !outline_merge(&all, &block, shift);
		tree->offset[i] = shift;
	}
	int left = outline_left(&all, INT_MIN, INT_MAX), right = outline_right(&all);
	for (int i = 0; i < tree->count; i++)
		if (tree->node[i].parent < 0)
			tree->offset[i] -= left;
	free(all.span);
	return right - left + 1;
}

/* ---- trying ---- */

struct attempt {
	int stack, gap, drop;
	bool full;
};

static bool attempt_fits(struct tree *tree, struct attempt attempt)
{
	const struct graph_layout *layout = tree->layout;
	tree->stack = attempt.stack;
	tree->gap = attempt.gap;
	tree->drop = attempt.drop;
	tree->full = attempt.full;
	int rows = rows_assign(tree);
	tree->layout->used = rows;
	return (!layout->height || rows <= layout->height) && columns_assign(tree) < layout->width && !tree->failed;
}

#define GAP_MOST 9     /* columns between nodes */
#define GAP_IN_PANE 22 /* in a pane, where operations have room beside the edges */
#define DROP_IN_PANE 3 /* rows between nodes there */

/* More room between nodes, as far as there is some, and then between rows. */
static void attempt_widen(struct tree *tree, struct attempt attempt)
{
	struct attempt best = attempt;
	for (int gap = tree->layout->height ? GAP_IN_PANE : GAP_MOST; gap > attempt.gap && best.gap == attempt.gap;
		 gap--) {
		attempt.gap = gap;
		if (attempt_fits(tree, attempt))
			best = attempt;
		attempt.gap = 1;
	}
	attempt = best;
	for (int drop = DROP_IN_PANE; tree->layout->height && drop > 1 && best.drop == 1; drop--) {
		attempt.drop = drop;
		if (attempt_fits(tree, attempt))
			best = attempt;
	}
	attempt_fits(tree, best);
}

/* With lists of at most so many rows, or shorter ones. */
static bool attempt_lists(struct tree *tree, int most, bool full)
{
	for (int stack = 2; stack <= most && !tree->failed; stack += 1 + stack / 4) {
		struct attempt attempt = {.stack = stack, .gap = 1, .drop = 1, .full = full};
		if (attempt_fits(tree, attempt)) {
			attempt_widen(tree, attempt);
			return true;
		}
	}
	return false;
}

static bool attempt_wide(struct tree *tree, bool full)
{
	struct attempt attempt = {.stack = 1, .gap = 1, .drop = 1, .full = full};
	bool fits = attempt_fits(tree, attempt);
	if (fits)
		attempt_widen(tree, attempt);
	return fits;
}

/* As wide as it wants to be, else in ever longer lists; names in full where that fits. */
static bool attempts_make(struct tree *tree)
{
	int most = tree->layout->height ? tree->layout->height : tree->count;
	return attempt_wide(tree, true) || attempt_wide(tree, false) || attempt_lists(tree, most, true) ||
		attempt_lists(tree, most, false);
}

/* ---- the whole ---- */

static int *numbers(int count)
{
	return calloc((size_t)count + 1, sizeof(int));
}

static bool tree_begin(struct tree *tree)
{
	int n = tree->count;
	tree->levels = graph_levels(tree->node, n, &tree->sizes);
	tree->first = numbers(n);
	tree->next = numbers(n);
	tree->level = numbers(n);
	tree->row = numbers(n);
	tree->offset = numbers(n);
	tree->lines = numbers(n);
	tree->alike = calloc((size_t)n + 1, 1);
	tree->listed = calloc((size_t)n + 1, 1);
	tree->head = calloc((size_t)n + 1, 1);
	tree->rises = calloc((size_t)n + 1, 1);
	tree->top = numbers(n);
	tree->high = numbers(n);
	return tree->levels >= 0 && tree->first && tree->next && tree->level && tree->row && tree->offset &&
		tree->lines && tree->alike && tree->listed && tree->head && tree->rises && tree->top && tree->high;
}

static void tree_end(struct tree *tree)
{
	void *const parts[] = {tree->sizes, tree->first, tree->next, tree->level, tree->row, tree->offset, tree->lines,
		tree->alike, tree->listed, tree->head, tree->rises, tree->top, tree->high};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		free(parts[i]);
}

static void lines_count(struct tree *tree, int i)
{
	tree->lines[i] = 1;
	tree->alike[i] = true;
	for (int c = tree->first[i]; c >= 0; c = tree->next[c]) {
		lines_count(tree, c);
		tree->lines[i] += tree->lines[c];
		tree->alike[i] &= tree->alike[c] && tree->level[c] == tree->level[i];
		tree->rises[i] |= tree->level[c] < tree->level[i];
	}
}

static void tree_read(struct tree *tree)
{
	for (int i = 0; i < tree->count; i++)
		tree->first[i] = tree->next[i] = -1;
	for (int i = tree->count - 1; i >= 0; i--) {
		int parent = tree->node[i].parent;
		while (tree->sizes[tree->level[i]] != tree->node[i].size)
			tree->level[i]++;
		if (parent < 0)
			continue;
		tree->next[i] = tree->first[parent];
		tree->first[parent] = i;
	}
	for (int i = 0; i < tree->count; i++)
		if (tree->node[i].parent < 0)
			lines_count(tree, i);
}

static void place_below(struct tree *tree, int i, int x)
{
	struct graph_layout *layout = tree->layout;
	struct graph_place *place = &layout->place[i];
	int parent = tree->node[i].parent;
	*place = (struct graph_place){.x = x, .y = y_of(tree, i), .strip = tree->level[i], .bus = -1};
	if (parent >= 0) {
		bool nested = tree->listed[i] && tree->listed[parent], up = comes_up(tree, i);
		bool aside = up ? comes_down(tree, parent) : comes_up(tree, parent);
		place->way = tree->listed[i] ? GRAPH_LIST : up ? GRAPH_UP : GRAPH_DOWN;
		place->port = layout->place[parent].x + (aside && !nested ? 1 : 0);
		place->bus = nested ? -1 : layout->place[parent].y + (up ? -1 : 1);
	}
	for (int c = tree->first[i]; c >= 0; c = tree->next[c])
		place_below(tree, c, x + tree->offset[c]);
}

static bool strips_make(struct tree *tree)
{
	struct graph_layout *layout = tree->layout;
	layout->strip = calloc((size_t)tree->levels + 1, sizeof(*layout->strip));
	if (!layout->strip)
		return false;
	layout->strips = tree->levels;
	for (int level = 0; level < tree->levels; level++)
		layout->strip[level] = (struct graph_strip){.most = tree->sizes[level],
			.least = tree->sizes[level],
			.y = tree->top[level],
			.rows = tree->high[level]};
	for (int i = 0; i < tree->count; i++) {
		layout->strip[tree->level[i]].nodes++;
		layout->strip[tree->level[i]].shown++;
	}
	return true;
}

enum graph_fit graph_tree_place(struct graph_layout *layout)
{
	struct tree tree = {.layout = layout, .node = layout->node, .count = layout->count};
	bool ok = tree_begin(&tree), fits = false;
	if (ok) {
		tree_read(&tree);
		fits = attempts_make(&tree);
		ok = !tree.failed && (!fits || strips_make(&tree));
	}
	for (int i = 0; ok && fits && i < tree.count; i++)
		if (tree.node[i].parent < 0)
			place_below(&tree, i, tree.offset[i] + 1);
	layout->tree = ok && fits;
	layout->full = tree.full;
	layout->drop = tree.drop;
	tree_end(&tree);
	return !ok ? GRAPH_NO_MEMORY : fits ? GRAPH_FITS : GRAPH_TOO_LARGE;
}
