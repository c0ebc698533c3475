/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks of a holding: sets are numbered, rows of numbers sorted, equal ones found beside each other.
 */
#include "relation/blocks.h"

#include <string.h>

#include "base/keys.h"

/* ---- numbers of sets ---- */

/* Families one after the other make a set: each key is a family behind what came before it. */
struct family_key {
	int64_t before; /* the number of the key of the families before, -1: none */
	sw_family family;
};

/* Where sets ascend, the last one is all that has to be compared; the first that does not starts a table. */
struct numbering {
	sw_sets *sets;
	sw_arena *arena, *scratch; /* of the sets, and of the table */
	bool tabled;
	sw_keys keys;
	int room;
	int32_t *of_key; /* the set that ends with this key; -1: none */
};

static bool same_set(const sw_indices *a, const sw_indices *b)
{
	return a->count == b->count && memcmp(a->family, b->family, (size_t)a->count * sizeof *a->family) == 0;
}

static int32_t append(struct numbering *n, const sw_indices *set)
{
	sw_sets *sets = n->sets;

	if (sets->count == sets->room && !SW_GROW(n->arena, sets->set, sets->count, sets->room, 64))
		return -1;
	sw_family *family = SW_NEW(n->arena, sw_family, set->count);
	if (family == NULL)
		return -1;
	for (int i = 0; i < set->count; i++)
		family[i] = set->family[i];
	sets->set[sets->count] = (sw_indices){set->count, family};
	return sets->count++;
}

/* The key of all families of a set; -1: no memory. */
static int32_t key_of(struct numbering *n, const sw_indices *set)
{
	int32_t key = -1;

	for (int i = 0; i < set->count; i++) {
		struct family_key next = {key, set->family[i]};
		int before = n->keys.count;
		key = sw_keys_add(&n->keys, (const uint8_t *)&next);
		if (key < 0 || !SW_GROW(n->scratch, n->of_key, key, n->room, 256))
			return -1;
		if (n->keys.count > before)
			n->of_key[key] = -1;
	}
	return key;
}

static bool start_table(struct numbering *n)
{
	n->tabled = true;
	if (!sw_keys_init(&n->keys, sizeof(struct family_key)))
		return false;
	for (int i = 0; i < n->sets->count; i++) {
		int32_t key = key_of(n, &n->sets->set[i]);
		if (key < 0)
			return false;
		n->of_key[key] = i;
	}
	return true;
}

static int32_t number_in_table(struct numbering *n, const sw_indices *set)
{
	int32_t key = key_of(n, set);

	if (key >= 0 && n->of_key[key] < 0)
		n->of_key[key] = append(n, set);
	return key < 0 ? -1 : n->of_key[key];
}

/* The number of a set; -1: no memory. */
static int32_t number_of(struct numbering *n, const sw_indices *set)
{
	int last = n->sets->count - 1;

	if (n->tabled)
		return number_in_table(n, set);
	if (last < 0 || set->family[0].first > n->sets->set[last].family[0].first)
		return append(n, set);
	if (same_set(set, &n->sets->set[last]))
		return last;
	return start_table(n) ? number_in_table(n, set) : -1;
}

/* ---- products ---- */

bool sw_products_add(sw_products *products, int32_t device, const int32_t *set)
{
	int64_t numbers = (int64_t)products->count * products->rank;

	if (products->count == products->device_room &&
		(numbers > INT32_MAX / 2 ||
			!SW_GROW(products->arena, products->device, products->count, products->device_room, 1024)))
		return false;
	while (numbers + products->rank >= products->set_room)
		if (!SW_GROW(products->arena, products->set, products->set_room, products->set_room, 1024))
			return false;
	products->device[products->count++] = device;
	for (int dim = 0; dim < products->rank; dim++)
		products->set[numbers + dim] = set[dim];
	return true;
}

struct collection {
	sw_products products;
	struct numbering numbering[SW_BLOCK_DIMS];
	sw_arena *regions; /* of one device after the other */
	sw_blocks *blocks;
};

/* One product of a region, and the terms that it is of; one that is empty is left out. */
static bool collect_product(struct collection *c, int32_t device, const sw_indices *product, const sw_indices *terms)
{
	int32_t set[SW_BLOCK_DIMS];
	int rank = c->blocks->rank, dims = terms != NULL ? rank - 1 : rank;

	for (int dim = 0; dim < rank; dim++)
		if ((dim < dims ? &product[dim] : terms)->count == 0)
			return true;
	for (int dim = 0; dim < rank; dim++) {
		set[dim] = number_of(&c->numbering[dim], dim < dims ? &product[dim] : terms);
		if (set[dim] < 0)
			return false;
	}
	return sw_products_add(&c->products, device, set);
}

static bool collect_region(struct collection *c, int32_t device, const sw_region *region, const sw_indices *terms)
{
	for (int i = 0; i < region->count; i++)
		if (!collect_product(c, device, sw_region_product(region, i), terms))
			return false;
	return true;
}

/* Families of one dimension, that move. */
struct moving {
	sw_family *family;
	int count;
	int64_t step;
};

/* A copy of a region of which the sets that move can; how many these are; -1: no memory. */
static int make_movable(sw_region *region, const int64_t *step, struct moving **moving, sw_arena *arena)
{
	int sets = region->count * region->rank, count = 0;
	sw_indices *set = SW_NEW(arena, sw_indices, sets);
	struct moving *made = SW_NEW(arena, struct moving, sets);

	for (int i = 0; set != NULL && made != NULL && i < sets; i++) {
		set[i] = region->set[i];
		if (step[i % region->rank] == 0)
			continue;
		sw_family *family = SW_NEW(arena, sw_family, set[i].count);
		if (family == NULL)
			return -1;
		memcpy(family, set[i].family, (size_t)set[i].count * sizeof *family);
		set[i].family = family;
		made[count++] = (struct moving){family, set[i].count, step[i % region->rank]};
	}
	region->set = set;
	*moving = made;
	return set != NULL && made != NULL ? count : -1;
}

/* A region that is moved from each of these devices to the next. */
static bool collect_stretch(struct collection *c, int64_t device, int64_t devices, sw_region *region,
	const int64_t *step)
{
	struct moving *moving;
	int count = make_movable(region, step, &moving, c->regions);
	bool done = count >= 0;

	for (int64_t n = 0; done && n < devices; n++) {
		for (int i = 0; n > 0 && i < count; i++)
			for (int k = 0; k < moving[i].count; k++)
				moving[i].family[k].first += moving[i].step;
		done = collect_region(c, (int32_t)(device + n), region, NULL);
	}
	return done;
}

/* Devices from one on whose regions follow from that of the first, which are forgotten then; terms do not.  How many; 0: no
 * memory. */
static int64_t collect_some(struct collection *c, const sw_holding *holding, int64_t device, const sw_indices *terms)
{
	sw_arena_mark mark = sw_arena_here(c->regions);
	int64_t step[SW_MAX_DIMS], devices = terms == NULL ? sw_holding_stretch(holding, device, c->regions, step) : 1;
	sw_region region;
	bool done = sw_holding_region(holding, device, c->regions, &region);

	if (done && devices > 1)
		done = collect_stretch(c, device, devices, &region, step);
	else if (done)
		done = collect_region(c, (int32_t)device, &region, terms != NULL ? &terms[device] : NULL);
	sw_arena_back(c->regions, mark);
	return done ? devices : 0;
}

static bool collect(struct collection *c, const sw_holding *holding, const sw_indices *terms, sw_arena *arena)
{
	int64_t next = 0, some = 1;

	for (; some > 0 && next < holding->devices; next += some)
		some = sw_pulse_beat(c->blocks->pulse, "devices", next, holding->devices) ?
			collect_some(c, holding, next, terms) :
			0;
	return some > 0 && sw_blocks_finish(&c->products, arena, c->blocks);
}

static void start_collection(struct collection *c, sw_arena *arena, sw_arena *scratch)
{
	c->products = (sw_products){.rank = c->blocks->rank, .arena = scratch};
	for (int dim = 0; dim < c->blocks->rank; dim++)
		c->numbering[dim] = (struct numbering){.sets = &c->blocks->dim[dim], .arena = arena, .scratch = scratch};
}

bool sw_blocks_check(const sw_holding *holding, sw_diag *diag)
{
	return holding->devices <= SW_MAX_MAP_DEVICES ||
		sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"who needs what from whom is computed only for at most %lld "
			"devices",
			(long long)SW_MAX_MAP_DEVICES);
}

bool sw_blocks_of(const sw_holding *holding, const sw_indices *terms, const sw_pulse *pulse, sw_arena *arena,
	sw_blocks *blocks, sw_diag *diag)
{
	struct collection c = {.blocks = blocks};

	if (!sw_blocks_check(holding, diag))
		return false;
	*blocks =
		(sw_blocks){.rank = holding->rank + (terms != NULL), .devices = (int32_t)holding->devices, .pulse = pulse};
	sw_arena *scratch = sw_arena_new();
	c.regions = sw_arena_new();
	start_collection(&c, arena, scratch);
	bool done = scratch != NULL && c.regions != NULL && collect(&c, holding, terms, arena);
	for (int dim = 0; dim < blocks->rank; dim++)
		if (c.numbering[dim].tabled)
			sw_keys_free(&c.numbering[dim].keys);
	sw_arena_free(c.regions);
	sw_arena_free(scratch);
	return done || sw_diag_memory(diag);
}

/* ---- from products to blocks ---- */

static const int32_t *row_of(const sw_products *products, int32_t n)
{
	return products->set + (int64_t)n * products->rank;
}

static int compare_rows(const sw_products *products, int32_t a, int32_t b)
{
	const int32_t *one = row_of(products, a), *other = row_of(products, b);

	for (int dim = 0; dim < products->rank; dim++)
		if (one[dim] != other[dim])
			return one[dim] < other[dim] ? -1 : 1;
	return 0;
}

/* The first row that is not more than the one before it, or, where equal ones may stand beside each other, that is less. */
static int32_t first_fall(const sw_products *products, int32_t from, bool equal)
{
	int32_t n = from > 1 ? from : 1;

	while (n < products->count && compare_rows(products, n - 1, n) < equal)
		n++;
	return n < products->count ? n : products->count;
}

/* Sorts `order` by the number in one dimension, those of one number as they stand; `first` counts from 0 on. */
static void sort_by(const sw_products *products, int dim, int32_t *first, int32_t **order, int32_t **other)
{
	int32_t *from = *order, *to = *other;

	for (int32_t n = 0; n < products->count; n++)
		first[row_of(products, n)[dim] + 1]++;
	for (int32_t i = 0, sum = 0; sum < products->count; i++)
		first[i] = sum += first[i];
	for (int32_t n = 0; n < products->count; n++)
		to[first[row_of(products, from[n])[dim]]++] = from[n];
	*order = to;
	*other = from;
}

/* The products in the order of their rows; NULL: no memory. */
static int32_t *sorted(const sw_products *products, int32_t fall, const sw_blocks *blocks)
{
	int32_t *order = SW_NEW(products->arena, int32_t, products->count);
	int32_t *other = SW_NEW(products->arena, int32_t, products->count);

	if (order == NULL || other == NULL)
		return NULL;
	for (int32_t n = 0; n < products->count; n++)
		order[n] = n;
	bool ascend = first_fall(products, fall, true) == products->count;
	for (int dim = ascend ? -1 : products->rank - 1; dim >= 0; dim--) {
		int32_t *first = SW_NEW_ZERO(products->arena, int32_t, blocks->dim[dim].count + 1);
		if (first == NULL)
			return NULL;
		sort_by(products, dim, first, &order, &other);
	}
	return order;
}

/* Equal rows are one block.  Products stand in the order of devices, as do the blocks of these. */
static void group(const sw_products *products, const int32_t *order, sw_blocks *blocks)
{
	for (int32_t n = 0; n < products->count; n++) {
		if (n == 0 || compare_rows(products, order[n - 1], order[n]) != 0) {
			blocks->first_holder[blocks->count] = n;
			for (int dim = 0; dim < products->rank; dim++)
				blocks->set[(int64_t)blocks->count * products->rank + dim] = row_of(products, order[n])[dim];
			blocks->count++;
		}
		blocks->holder[n] = products->device[order[n]];
		blocks->block[order[n]] = blocks->count - 1;
	}
	blocks->first_holder[blocks->count] = products->count;
}

static bool measure(sw_arena *arena, sw_blocks *blocks)
{
	for (int dim = 0; dim < blocks->rank; dim++) {
		sw_sets *sets = &blocks->dim[dim];
		sets->size = SW_NEW(arena, int64_t, sets->count);
		if (sets->size == NULL)
			return false;
		for (int i = 0; i < sets->count; i++)
			sets->size[i] = sw_indices_size(&sets->set[i]);
	}
	blocks->size = SW_NEW(arena, int64_t, blocks->count);
	if (blocks->size != NULL && blocks->rank == 1)
		memcpy(blocks->size, blocks->dim[0].size, (size_t)blocks->count * sizeof *blocks->size);
	for (int32_t b = 0; blocks->size != NULL && blocks->rank != 1 && b < blocks->count; b++) {
		blocks->size[b] = 1;
		for (int dim = 0; dim < blocks->rank; dim++)
			blocks->size[b] *= blocks->dim[dim].size[blocks->set[(int64_t)b * blocks->rank + dim]];
	}
	return blocks->size != NULL;
}

static void list_blocks(const sw_products *products, sw_blocks *blocks)
{
	int32_t n = 0;

	for (int32_t device = 0; device <= blocks->devices; device++) {
		blocks->first_block[device] = n;
		while (n < products->count && products->device[n] == device)
			n++;
	}
}

/* Every product is a block of its own, in their order. */
static void keep_order(const sw_products *products, sw_blocks *blocks)
{
	blocks->count = products->count;
	if (products->rank > 0)
		memcpy(blocks->set, products->set, (size_t)products->count * (size_t)products->rank * sizeof *blocks->set);
	memcpy(blocks->holder, products->device, (size_t)products->count * sizeof *blocks->holder);
	for (int32_t n = 0; n < products->count; n++)
		blocks->block[n] = blocks->first_holder[n] = n;
	blocks->first_holder[products->count] = products->count;
}

static bool make_room(const sw_products *products, sw_arena *arena, sw_blocks *blocks)
{
	blocks->count = 0;
	blocks->set = SW_NEW(arena, int32_t, (int64_t)products->count * products->rank);
	blocks->first_holder = SW_NEW(arena, int32_t, products->count + 1);
	blocks->holder = SW_NEW(arena, int32_t, products->count);
	blocks->first_block = SW_NEW(arena, int32_t, blocks->devices + 1);
	blocks->block = SW_NEW(arena, int32_t, products->count);
	return blocks->set != NULL && blocks->first_holder != NULL && blocks->holder != NULL &&
		blocks->first_block != NULL && blocks->block != NULL;
}

bool sw_blocks_finish(const sw_products *products, sw_arena *arena, sw_blocks *blocks)
{
	int32_t fall = first_fall(products, 0, false);

	if (!make_room(products, arena, blocks))
		return false;
	if (products->count == 0) {
		blocks->first_holder[0] = 0;
	} else if (fall == products->count) {
		keep_order(products, blocks);
	} else {
		int32_t *order = sorted(products, fall, blocks);
		if (order == NULL)
			return false;
		group(products, order, blocks);
	}
	list_blocks(products, blocks);
	return measure(arena, blocks);
}

bool sw_block_held(const sw_blocks *blocks, int32_t block, int32_t device)
{
	int32_t low = blocks->first_holder[block], high = blocks->first_holder[block + 1];

	while (high - low > 1) {
		int32_t middle = low + (high - low) / 2;
		if (blocks->holder[middle] <= device)
			low = middle;
		else
			high = middle;
	}
	return blocks->holder[low] == device;
}

bool sw_blocks_are_runs(const sw_blocks *blocks)
{
	for (int i = 0; blocks->rank == 1 && i < blocks->dim[0].count; i++)
		if (blocks->dim[0].set[i].count != 1 || blocks->dim[0].set[i].family->count != 1)
			return false;
	return blocks->rank == 1;
}
