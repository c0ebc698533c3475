/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who has what: the different boxes of many units, and those that meet one.
 *
 * Blocks share few intervals along each dimension: boxes are found by the numbers of their intervals.
 */
#include "schedule/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"

/* ---- intervals along a dimension ---- */

static int by_interval(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	if (a[0] != b[0])
		return (a[0] > b[0]) - (a[0] < b[0]);
	return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Intervals of boxes along a dimension, each once, with their numbers. */
typedef struct collecting {
	int64_t *line;
	int32_t *slot; /* a table of numbers, -1: free */
	int count, mask;
	int32_t last; /* the number that was found last */
} collecting;

static inline bool is_interval(const collecting *c, int32_t number, const int64_t *interval)
{
	return c->line[2 * number] == interval[0] && c->line[2 * number + 1] == interval[1];
}

static int32_t number_in(collecting *c, const int64_t *interval)
{
	/* Neighbours share intervals. */
	if (c->count > 0 && is_interval(c, c->last, interval))
		return c->last;
	uint64_t hash = ((uint64_t)interval[0] * UINT64_C(0x9e3779b97f4a7c15)) ^
		((uint64_t)interval[1] * UINT64_C(0xc2b2ae3d27d4eb4f));
	int at = (int)(hash >> 40) & c->mask;

	while (c->slot[at] >= 0 && !is_interval(c, c->slot[at], interval))
		at = (at + 1) & c->mask;
	if (c->slot[at] < 0) {
		c->line[2 * c->count] = interval[0];
		c->line[2 * c->count + 1] = interval[1];
		c->slot[at] = c->count++;
	}
	c->last = c->slot[at];
	return c->last;
}

typedef struct numbered {
	int64_t interval[2];
	int32_t number;
} numbered;

static int by_number(const void *left, const void *right)
{
	return by_interval(((const numbered *)left)->interval, ((const numbered *)right)->interval);
}

/* Puts the intervals in order; new[number] is where each is then. */
static bool order_line(collecting *c, int32_t *new, sw_arena *arena)
{
	numbered *list = SW_NEW(arena, numbered, c->count);
	bool sorted = true;

	for (int k = 1; k < c->count && sorted; k++)
		sorted = by_interval(c->line + (int64_t)2 * (k - 1), c->line + (int64_t)2 * k) < 0;
	for (int k = 0; k < c->count && list != NULL; k++)
		list[k] = (numbered){{c->line[2 * k], c->line[2 * k + 1]}, k};
	if (list == NULL)
		return false;
	if (!sorted)
		qsort(list, (size_t)c->count, sizeof *list, by_number);
	for (int k = 0; k < c->count; k++) {
		c->line[2 * k] = list[k].interval[0];
		c->line[2 * k + 1] = list[k].interval[1];
		new[list[k].number] = k;
	}
	return true;
}

/* Numbers the intervals of all boxes along dimension d. */
static bool find_line(sw_box_index *index, int d, int32_t *number, sw_arena *arena)
{
	const sw_box_list *list = &index->table->list;
	int size = 16;

	while (size < 2 * list->count)
		size *= 2;
	collecting c = {SW_NEW(arena, int64_t, 2 * (int64_t)list->count + 2), SW_NEW(arena, int32_t, size), 0, size - 1,
		0};
	int32_t *new = SW_NEW(arena, int32_t, list->count);
	if (c.line == NULL || c.slot == NULL || new == NULL)
		return false;
	memset(c.slot, 0xff, (size_t)size * sizeof *c.slot);
	for (int k = 0; k < list->count; k++)
		number[(int64_t)k * list->rank + d] = number_in(&c, list->at + ((int64_t)k * list->rank + d) * 2);
	if (!order_line(&c, new, arena))
		return false;
	for (int k = 0; k < list->count; k++)
		number[(int64_t)k * list->rank + d] = new[number[(int64_t)k * list->rank + d]];
	index->lines[d] = c.count;
	index->line[d] = c.line;
	index->scale[d] = c.count > 0 && c.line[0] == 0 && c.line[1] > 0 ? 1.0 / (double)c.line[1] : 0;
	index->apart[d] = true;
	for (int k = 1; k < c.count; k++)
		index->apart[d] = index->apart[d] && c.line[2 * k] >= c.line[2 * k - 1];
	return true;
}

static bool find_lines(sw_box_index *index, sw_arena *arena)
{
	const sw_box_list *list = &index->table->list;

	index->number = SW_NEW(arena, int32_t, (int64_t)list->count * list->rank);
	for (int d = 0; d < list->rank && index->number != NULL; d++)
		if (!find_line(index, d, index->number, arena))
			return false;
	return index->number != NULL;
}

/* The first interval of a line that ends behind a number, where no two meet. */
static int first_behind(const sw_box_index *index, int d, int64_t number)
{
	const int64_t *line = index->line[d];
	int high = index->lines[d];
	double guess = ((double)number + 0.5) * index->scale[d];

	/* Blocks are of one size, mostly; a division takes longer. */
	if (guess < high && line[2 * (int)guess] <= number && number < line[2 * (int)guess + 1])
		return (int)guess;
	return (int)SW_LOWER_BOUND(0, high, line[2 * at + 1] <= number);
}

/* ---- cells ---- */

/* How many cells there are; 0: too many for the boxes. */
static int64_t cells_of(const sw_box_index *index)
{
	int64_t cells = 1, most = 16 * (int64_t)index->table->list.count + 64;

	for (int d = 0; d < index->table->list.rank && cells <= most; d++)
		cells *= index->lines[d];
	return cells <= most ? cells : 0;
}

static int64_t cell_of(const sw_box_index *index, int32_t k)
{
	int64_t cell = 0;

	for (int d = 0; d < index->table->list.rank; d++)
		cell = cell * index->lines[d] + index->number[(int64_t)k * index->table->list.rank + d];
	return cell;
}

/* Which different box equals box k, where there are no cells; -1: none yet. */
static int32_t look_for(const sw_box_index *index, const int64_t *box)
{
	const sw_box_list *list = &index->table->list;

	for (int32_t k = 0; k < index->distinct; k++)
		if (memcmp(list->at + (int64_t)index->head[k] * 2 * list->rank, box, sizeof *box * 2 * (size_t)list->rank) ==
			0)
			return k;
	return -1;
}

static void add_box(sw_box_index *index, int32_t k)
{
	const sw_box_list *list = &index->table->list;
	const int64_t *box = list->at + (int64_t)k * 2 * list->rank;
	int64_t cell = index->cell != NULL ? cell_of(index, k) : 0;
	int32_t is = index->cell != NULL ? index->cell[cell] : look_for(index, box);

	if (is < 0) {
		is = index->distinct++;
		index->head[is] = -1;
		if (index->cell != NULL)
			index->cell[cell] = is;
	}
	index->next[k] = index->head[is];
	index->head[is] = k;
}

bool sw_box_index_of(const sw_box_table *table, sw_arena *arena, sw_box_index *index)
{
	int count = table->list.count;

	*index = (sw_box_index){.table = table};
	index->next = SW_NEW(arena, int32_t, count);
	index->unit = SW_NEW(arena, int32_t, count);
	index->head = SW_NEW(arena, int32_t, count);
	if (index->next == NULL || index->unit == NULL || index->head == NULL || !find_lines(index, arena))
		return false;
	int64_t cells = cells_of(index);
	if (cells > 0) {
		index->cell = SW_NEW(arena, int32_t, cells);
		if (index->cell == NULL)
			return false;
		memset(index->cell, 0xff, (size_t)cells * sizeof *index->cell);
	}
	for (int64_t unit = 0; unit < table->units; unit++)
		for (int32_t k = table->first[unit]; k < table->first[unit + 1]; k++)
			index->unit[k] = (int32_t)unit;
	for (int32_t k = count - 1; k >= 0; k--)
		add_box(index, k);
	return true;
}

/* ---- visits ---- */

static bool visit_equals(const sw_box_index *index, int32_t distinct, sw_box_use use, void *user)
{
	const sw_box_list *list = &index->table->list;

	for (int32_t k = index->head[distinct]; k >= 0; k = index->next[k])
		if (!use(user, index->unit[k], list->at + (int64_t)k * 2 * list->rank))
			return false;
	return true;
}

/* The intervals along a dimension that meet those of a box: from the first to the one before *end, perhaps others between. */
static int meeting(const sw_box_index *index, int d, const int64_t *box, int *end)
{
	const int64_t *line = index->line[d];
	int first = index->apart[d] ? first_behind(index, d, box[2 * d]) : 0;

	*end = first;
	while (*end < index->lines[d] && line[2 * *end] < box[2 * d + 1])
		++*end;
	return first;
}

/* Visits the cells whose intervals from dimension d on meet those of the box. */
static bool visit_cells(const sw_box_index *index, int d, int64_t cell, const int64_t *box, sw_box_use use,
	void *user)
{
	int end, k = meeting(index, d, box, &end);

	for (; k < end; k++) {
		int64_t here = cell * index->lines[d] + k;
		if (index->line[d][2 * k + 1] <= box[2 * d])
			continue;
		if (d + 1 < index->table->list.rank) {
			if (!visit_cells(index, d + 1, here, box, use, user))
				return false;
		} else if (index->cell[here] >= 0 && !visit_equals(index, index->cell[here], use, user))
			return false;
	}
	return true;
}

/* The one cell that a box meets at most; -1: there may be others. */
static int64_t only_cell(const sw_box_index *index, const int64_t *box)
{
	int64_t cell = 0;

	for (int d = 0; d < index->table->list.rank; d++) {
		int k = index->apart[d] ? first_behind(index, d, box[2 * d]) : index->lines[d];
		if (k == index->lines[d] || index->line[d][2 * k] > box[2 * d] || index->line[d][2 * k + 1] < box[2 * d + 1])
			return -1;
		cell = cell * index->lines[d] + k;
	}
	return cell;
}

bool sw_box_index_visit(const sw_box_index *index, const int64_t *box, sw_box_use use, void *user)
{
	const sw_box_list *list = &index->table->list;
	int64_t both[2 * SW_MAX_DIMS];

	if (index->cell != NULL && list->rank > 0) {
		int64_t cell = only_cell(index, box);
		if (cell >= 0)
			return index->cell[cell] < 0 || visit_equals(index, index->cell[cell], use, user);
		return visit_cells(index, 0, 0, box, use, user);
	}
	for (int32_t k = 0; k < index->distinct; k++)
		if (sw_bounds_meet(box, list->at + (int64_t)index->head[k] * 2 * list->rank, list->rank, both) &&
			!visit_equals(index, k, use, user))
			return false;
	return true;
}
