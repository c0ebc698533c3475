/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which types are block-cyclic over a grid of two dimensions, as ScaLAPACK has matrices.
 *
 * Who has the first element, the runs of indices that it has, and the number of devices leave few matrices; each of them is made as a
 * type and compared.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/distribution.h>

#include "array/distribution.h"

#define MOST_DEVICES (1 << 16)

typedef struct search {
	const sw_mesh *mesh;
	const sw_holding *holding;
	sw_arena *arena;
	sw_block_cyclic *says;
	int64_t devices; /* that are defined */
} search;

/* ---- the part of a matrix ---- */

/* `only 2:8, :` and `crop` as the last word of a type are left to the call. */
static const sw_word *last_part(const sw_distribution *words)
{
	const sw_distribution_member *member = words->member;
	const sw_word *last = member->words > 0 ? &member->word[member->words - 1] : NULL;
	bool part = words->members == 1 && last != NULL && last->slice != NULL && last->rank == 2;

	for (int dim = 0; part && dim < 2; dim++)
		part = last->slice[dim].run > 0 && last->slice[dim].count == 1;
	return part ? last : NULL;
}

static void take_part(const sw_word *word, sw_block_cyclic *says)
{
	says->part = true;
	says->cropped = word->row == sw_word_named(sw_str_of("crop"));
	for (int dim = 0; dim < 2; dim++) {
		says->low[dim] = word->slice[dim].first;
		says->high[dim] = word->slice[dim].first + word->slice[dim].run;
	}
}

/* The same type without its last word. */
static bool without_part(const sw_mesh *mesh, const sw_distribution *words, const sw_word *last, sw_arena *arena,
	sw_holding *holding)
{
	sw_distribution *whole = SW_NEW(arena, sw_distribution, 1);
	sw_distribution_member *member = SW_NEW(arena, sw_distribution_member, 1);

	if (whole == NULL || member == NULL)
		return false;
	*member = *words->member;
	member->words--;
	*whole = *words;
	whole->tile = false;
	whole->member = member;
	if (!sw_type_replicated(words->type.dtype, last->rank_before, last->before, &whole->type, NULL))
		return false;
	return sw_holding_of_distribution(mesh, whole, mesh->order, arena, holding);
}

/* ---- candidates ---- */

/* Devices 0, 1, ... up to one that nothing is said of; -1: there is a gap. */
static int64_t defined_devices(const sw_holding *holding)
{
	int64_t count = 0;

	while (count < holding->devices && sw_holding_defined(holding, count))
		count++;
	for (int64_t d = count; d < holding->devices; d++)
		if (sw_holding_defined(holding, d))
			return -1;
	return count;
}

/* How many indices from 0 on are in a set that has 0. */
static int64_t first_run(const sw_indices *set, sw_arena *arena)
{
	sw_indices ordered;

	if (!sw_indices_in_order(set->family, set->count, 1 << 16, arena, &ordered) || ordered.count == 0)
		return 0;
	return ordered.family[0].first == 0 ? ordered.family[0].run : 0;
}

/* The device that has the first element, and how many rows and columns begin there; -1: none has it. */
static int64_t first_device(const search *s, int64_t block[2])
{
	static const int64_t origin[2] = {0, 0};
	int64_t device = 0;
	sw_region has;

	while (device < s->devices && !sw_holding_has(s->holding, device, origin))
		device++;
	if (device == s->devices || !sw_holding_region(s->holding, device, s->arena, &has))
		return -1;
	for (int i = 0; i < has.count; i++)
		if (sw_indices_has(&has.set[2 * i], 0) && sw_indices_has(&has.set[2 * i + 1], 0))
			for (int dim = 0; dim < 2; dim++)
				block[dim] = first_run(&has.set[2 * i + dim], s->arena);
	return block[0] > 0 && block[1] > 0 ? device : -1;
}

/* Is the holding that of the matrix over this grid? */
static bool is_matrix(const search *s, const sw_block_cyclic *m)
{
	char text[512];
	sw_mesh grid = {.devices = 1};
	sw_distribution made;
	sw_holding holding;

	for (int i = 0; i < 2; i++) {
		int dim = m->turned ? 1 - i : i;
		if (!sw_mesh_add(&grid, sw_str_of(dim == 0 ? "r" : "c"), m->grid[dim], NULL))
			return false;
	}
	snprintf(text, sizeof text,
		"[%" PRId64 "{r@%" PRId64 ",..}%" PRId64 ", %" PRId64 "{c@%" PRId64 ",..}%" PRId64 "]", m->block[0],
		m->first[0], m->size[0], m->block[1], m->first[1], m->size[1]);
	if (!sw_distribution_parse(&grid, sw_str_of(text), NULL, s->arena, &made, NULL) ||
		!sw_holding_of_distribution(&grid, &made, NULL, s->arena, &holding))
		return false;
	for (int64_t d = 0; d < s->devices; d++) {
		sw_region has, right;
		if (!sw_holding_region(s->holding, d, s->arena, &has) || !sw_holding_region(&holding, d, s->arena, &right) ||
			!sw_region_equal(&has, &right))
			return false;
	}
	return true;
}

static bool try_grid(const search *s, int64_t first, int64_t rows, bool turned)
{
	int64_t columns = s->devices / rows;
	sw_block_cyclic m = *s->says;
	sw_arena_mark mark = sw_arena_here(s->arena);

	m.grid[0] = rows;
	m.grid[1] = columns;
	m.turned = turned;
	m.first[0] = turned ? first % rows : first / columns;
	m.first[1] = turned ? first / rows : first % columns;
	bool found = is_matrix(s, &m);
	sw_arena_back(s->arena, mark);
	if (found)
		*s->says = m;
	return found;
}

/* Has another device the first element, too? */
static bool has_copies(const search *s, int64_t first)
{
	static const int64_t origin[2] = {0, 0};

	for (int64_t d = first + 1; d < s->devices; d++)
		if (sw_holding_has(s->holding, d, origin))
			return true;
	return false;
}

static const char *find_grid(search *s)
{
	int64_t first = first_device(s, s->says->block);

	if (first < 0)
		return "no device has the first element of the matrix";
	if (has_copies(s, first))
		return "devices hold copies, but a matrix has one owner for each element";
	for (int64_t rows = 1; rows <= s->devices; rows++)
		if (s->devices % rows == 0 && (try_grid(s, first, rows, false) || try_grid(s, first, rows, true)))
			return NULL;
	return "its blocks are not of one size, dealt out cyclically over the rows and columns of a grid";
}

/* ---- the whole ---- */

static const char *refuse_kind(const sw_holding *holding)
{
	if (holding->rank != 2)
		return "a matrix has two dimensions";
	if (holding->terms > 1)
		return "devices hold terms of sums";
	return holding->devices > MOST_DEVICES ? "there are more than 65536 devices" : NULL;
}

bool sw_block_cyclic_of(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, sw_arena *arena,
	sw_block_cyclic *says, const char **why_not)
{
	sw_holding holding;
	search s = {.mesh = mesh, .holding = &holding, .arena = arena, .says = says};
	const sw_word *part = words != NULL ? last_part(words) : NULL;
	bool ok = part != NULL ? without_part(mesh, words, part, arena, &holding) :
							 sw_holding_of_any(mesh, type, words, mesh->order, arena, &holding);

	*why_not = NULL;
	*says = (sw_block_cyclic){.part = false};
	if (!ok)
		return false;
	*why_not = refuse_kind(&holding);
	if (*why_not != NULL)
		return false;
	memcpy(says->size, holding.global, sizeof says->size);
	if (part != NULL)
		take_part(part, says);
	s.devices = defined_devices(&holding);
	*why_not = s.devices < 1 ? "the devices with elements are not the first devices of the mesh" : find_grid(&s);
	return *why_not == NULL;
}
