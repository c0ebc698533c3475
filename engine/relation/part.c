/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that overlap, cut into blocks that do not: in each dimension the sets become cells, of which each set has some.
 */
#include "relation/meetings.h"

/* ---- do they overlap? ---- */

static bool find_overlap(sw_blocks *blocks, sw_arena *scratch, bool *overlap)
{
	sw_meetings m;

	if (!sw_meetings_of(blocks, blocks, true, scratch, &m))
		return false;
	for (int32_t block = 0; !*overlap && block < blocks->count; block++) {
		if (!sw_meetings_ask(&m, block))
			return false;
		*overlap = m.count > 1;
	}
	return true;
}

bool sw_blocks_overlap(sw_blocks *blocks, sw_arena *arena, bool *overlap)
{
	bool disjoint = true;

	*overlap = false;
	if (!sw_meetings_index(blocks, arena))
		return false;
	for (int dim = 0; dim < blocks->rank; dim++)
		disjoint = disjoint && sw_finder_disjoint(blocks->finder[dim]);
	if (disjoint)
		return true;
	sw_arena *scratch = sw_arena_new();
	bool found = scratch != NULL && find_overlap(blocks, scratch, overlap);
	sw_arena_free(scratch);
	return found;
}

/* ---- cells ---- */

/* Cells of a dimension.  Owners are the sets that a cell is part of. */
struct cells {
	const sw_sets *sets;
	const sw_pulse *pulse;
	sw_sets *made;
	sw_arena *arena, *scratch;
	int32_t *owners, *parts; /* of each cell its sets, of each set its cells: the first item of a list, -1: none */
	int owners_room;
	int items, room;
	struct item {
		int32_t value, next;
	} * item;
	int32_t *seen; /* of each cell, the set for which it was looked at last */
	int seen_room;
};

static bool push(struct cells *c, int32_t *list, int32_t value)
{
	if (!SW_GROW(c->scratch, c->item, c->items, c->room, 1024))
		return false;
	c->item[c->items] = (struct item){value, *list};
	*list = c->items++;
	return true;
}

static bool connect(struct cells *c, int32_t cell, int32_t set)
{
	return push(c, &c->owners[cell], set) && push(c, &c->parts[set], cell);
}

/* -1: no memory. */
static int32_t new_cell(struct cells *c, const sw_indices *indices)
{
	sw_sets *made = c->made;
	int32_t cell = made->count;

	if (!SW_GROW(c->arena, made->set, made->count, made->room, 64) ||
		!SW_GROW(c->scratch, c->owners, made->count, c->owners_room, 64) ||
		!SW_GROW(c->scratch, c->seen, made->count, c->seen_room, 64))
		return -1;
	made->set[made->count++] = *indices;
	c->owners[cell] = c->seen[cell] = -1;
	return cell;
}

/* What a cell has in common with `rest`, which is left with the others, becomes a cell of `set` too. */
static bool split(struct cells *c, int32_t cell, int32_t set, sw_indices *rest)
{
	sw_indices both, left, whole = c->made->set[cell];

	if (!sw_indices_meet(&whole, rest, c->arena, &both) || !sw_indices_minus(&whole, &both, c->arena, &left))
		return false;
	if (both.count == 0)
		return true;
	if (left.count > 0) {
		int32_t other = new_cell(c, &left);
		if (other < 0)
			return false;
		for (int32_t i = c->owners[cell]; i >= 0; i = c->item[i].next)
			if (!connect(c, other, c->item[i].value))
				return false;
		c->seen[other] = set;
	}
	c->made->set[cell] = both;
	return connect(c, cell, set) && sw_indices_minus(rest, &both, c->arena, rest);
}

/* Cuts the cells of an earlier set where a set meets them. */
static bool split_cells(struct cells *c, int32_t earlier, int32_t set, sw_indices *rest)
{
	for (int32_t i = c->parts[earlier]; i >= 0 && rest->count > 0; i = c->item[i].next) {
		int32_t cell = c->item[i].value;
		if (c->seen[cell] == set)
			continue;
		c->seen[cell] = set;
		if (!split(c, cell, set, rest))
			return false;
	}
	return true;
}

static bool add_set(struct cells *c, sw_finder *finder, int32_t set, int32_t *near)
{
	sw_indices rest = c->sets->set[set];
	int count = sw_finder_near(finder, &rest, near);

	for (int i = 0; i < count && rest.count > 0; i++)
		if (near[i] < set && !split_cells(c, near[i], set, &rest))
			return false;
	if (rest.count == 0)
		return true;
	int32_t cell = new_cell(c, &rest);
	return cell >= 0 && connect(c, cell, set);
}

/* Cuts the sets of a dimension into cells. */
static bool cut_sets(struct cells *c)
{
	sw_finder finder;
	int32_t *near = SW_NEW(c->scratch, int32_t, c->sets->count);

	c->parts = SW_NEW(c->scratch, int32_t, c->sets->count);
	if (near == NULL || c->parts == NULL || !sw_finder_of(c->sets, c->scratch, &finder))
		return false;
	for (int32_t set = 0; set < c->sets->count; set++)
		c->parts[set] = -1;
	for (int32_t set = 0; set < c->sets->count; set++)
		if (!sw_pulse_beat(c->pulse, "sets cut", set, c->sets->count) || !add_set(c, &finder, set, near))
			return false;
	return true;
}

/* ---- blocks of cells ---- */

/* Every product of cells of the sets of a row, from dimension `dim` on. */
static bool add_cells(const struct cells *cells, const int32_t *row, int dim, int32_t device, int32_t *set,
	sw_products *products)
{
	if (dim == products->rank)
		return sw_products_add(products, device, set);
	for (int32_t i = cells[dim].parts[row[dim]]; i >= 0; i = cells[dim].item[i].next) {
		set[dim] = cells[dim].item[i].value;
		if (!add_cells(cells, row, dim + 1, device, set, products))
			return false;
	}
	return true;
}

static bool add_blocks(const sw_blocks *blocks, const struct cells *cells, sw_products *products)
{
	int32_t set[SW_BLOCK_DIMS];

	for (int32_t device = 0; device < blocks->devices; device++)
		for (int32_t i = blocks->first_block[device]; i < blocks->first_block[device + 1]; i++)
			if (!add_cells(cells, blocks->set + (int64_t)blocks->block[i] * blocks->rank, 0, device, set, products))
				return false;
	return true;
}

static bool part(sw_blocks *blocks, sw_arena *arena, sw_arena *scratch)
{
	sw_blocks made = {.rank = blocks->rank, .devices = blocks->devices, .pulse = blocks->pulse};
	sw_products products = {.rank = blocks->rank, .arena = scratch};
	struct cells cells[SW_BLOCK_DIMS];

	for (int dim = 0; dim < blocks->rank; dim++) {
		cells[dim] =
			(struct cells){.sets = &blocks->dim[dim], .pulse = blocks->pulse, .arena = arena, .scratch = scratch};
		cells[dim].made = &made.dim[dim];
		if (!cut_sets(&cells[dim]))
			return false;
	}
	if (!add_blocks(blocks, cells, &products) || !sw_blocks_finish(&products, arena, &made))
		return false;
	*blocks = made;
	return true;
}

bool sw_blocks_part(sw_blocks *blocks, sw_arena *arena)
{
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL && part(blocks, arena, scratch);

	sw_arena_free(scratch);
	return done;
}
