/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Device groups: who works with whom in every step.
 *
 * Source: seed 000, section 6.  Devices whose blocks before a step (the tile grown by what is gathered) and after
 * it (grown by what is split) are the same block form a class.  In a class every device is an edge from the piece
 * it brings to the piece it ends with; these edges make a regular bipartite multigraph, which splits into
 * perfect matchings (Koenig), and every matching is a group.  The matchings are found by colouring the edges in
 * the order of the devices, flipping a chain of two colours where no colour is free at both ends.
 *
 * Where values are still to be summed a tile stands once for each term: term t of tile n has the number t * tiles + n.  Terms
 * that a step adds up are pieces of its blocks, as parts of tiles are; a term that zeros or a pad makes is one after it.
 *
 * Above SW_MAX_LISTED devices the groups are derived from the digits of the types (iota.c) where they are lines
 * of digits, and listed as below where they are not.
 */
#include <shardwalk/plan.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "plan/finder.h"
#include "plan/lines.h"
#include "plan/tile_numbers.h"
#include "step/row.h"

#define SW_MAX_LISTED 4096

/* Where a tile lies in the grid of blocks, and which piece of its block it is. */
typedef struct spot {
	int32_t block, piece;
} spot;

typedef struct grouper {
	sw_plan *plan;
	sw_arena *arena;
	sw_diag *diag;
	int64_t devices;
	int32_t *before, *after; /* tile numbers */
	int before_at;           /* the map that `before` holds; -1: none */
	spot *from, *to;         /* spots of the tiles before and after */
	int64_t terms[2];        /* before and after: as many values make up the real one */
	int32_t *member;         /* [block][colour][piece]: that member of a group */
	int32_t *mate;           /* the same by the pieces brought, for colouring; else a counter */
	int32_t *group;          /* group of each device */
	int32_t *number;         /* of each group, in the order of their first devices */
} grouper;

static bool group_refuse(const grouper *g, int k, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool group_refuse(const grouper *g, int k, const char *format, ...)
{
	char reason[160];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	const char *name = sw_collective_of(g->plan->program.step[k].op)->name;
	return sw_diag_set(g->diag, SW_P05, (sw_span){0, 0}, "step %d is not an '%s': %s", k + 1, name, reason);
}

/* ---- spots ---- */

/* Fills the spots of a grid of tiles of which `factor` neighbours along each dimension make a block.  Pieces count
 * row-major over the dimensions that have a factor. */
static void spots_fill(const int64_t *global, const int64_t *tile, const int64_t *factor, int rank, spot *out)
{
	int64_t tiles = 1;
	int32_t blocks = 1, pieces = 1;
	out[0] = (spot){0, 0};
	for (int i = rank - 1; i >= 0; i--) {
		if (global[i] == tile[i])
			continue;
		int64_t count = global[i] / tile[i];
		int32_t f = (int32_t)factor[i], piece = 0, block = 0;
		for (int64_t p = 1; p < count; p++) {
			if (++piece == f) {
				piece = 0;
				block++;
			}
			for (int64_t t = 0; t < tiles; t++)
				out[p * tiles + t] = (spot){out[t].block + block * blocks, out[t].piece + piece * pieces};
		}
		tiles *= count;
		blocks *= (int32_t)(count / f);
		pieces *= f;
	}
}

static int64_t factors_of(const sw_entry *entry, int count, int rank, int64_t factor[SW_MAX_DIMS])
{
	int64_t product = 1;
	for (int i = 0; i < rank; i++)
		factor[i] = 1;
	for (int e = 0; e < count; e++) {
		factor[entry[e].dim] = entry[e].factor;
		product *= entry[e].factor;
	}
	return product;
}

/* The entries fit the tiles before and after, dimension by dimension, and the operation. */
static bool group_entries(const grouper *g, int k, const int64_t *gather, const int64_t *split)
{
	const sw_step *step = &g->plan->program.step[k];
	const int64_t *global = g->plan->problem.from.global, *tile = g->plan->program.value[k].tile;
	const int64_t *now = g->plan->program.value[k + 1].tile;
	if (!sw_takes_entries(step->op, step->gathers, step->splits))
		return group_refuse(g, k, "it gathers along %d dimensions and splits along %d", step->gathers, step->splits);
	for (int i = 0; i < g->plan->problem.from.rank; i++) {
		if (gather[i] > 1 && split[i] > 1)
			return group_refuse(g, k, "dimension %d is gathered and split", i);
		int64_t grown = 0;
		if (!sw_mul(tile[i], gather[i], &grown) || global[i] % grown != 0)
			return group_refuse(g, k, "tiles of %lld cannot be gathered by %lld along dimension %d",
				(long long)tile[i], (long long)gather[i], i);
		if (now[i] < 1 || now[i] != grown / split[i] || grown % split[i] != 0)
			return group_refuse(g, k, "its tile has %lld along dimension %d", (long long)now[i], i);
	}
	return true;
}

/* Repeats the spots of a grid for each term: which term of the narrow side it is within tells blocks apart, and which one within
 * that is a piece. */
static void spots_of_terms(spot *out, int64_t tiles, int64_t terms, const int32_t *within, int32_t *met,
	int64_t pieces)
{
	int64_t blocks = 1;
	for (int64_t n = 0; n < tiles; n++)
		blocks = out[n].block >= blocks ? out[n].block + 1 : blocks;
	memset(met, 0, (size_t)terms * sizeof *met);
	for (int64_t t = 0; t < terms; t++)
		met[within[t]]++;
	for (int64_t t = terms - 1; t >= 0; t--) {
		int64_t number = --met[within[t]];
		for (int64_t n = 0; n < tiles; n++)
			out[t * tiles + n] = (spot){(int32_t)(out[n].block + within[t] * blocks),
				(int32_t)(out[n].piece + number * pieces)};
	}
}

static void terms_themselves(int32_t *within, int64_t terms)
{
	for (int64_t t = 0; t < terms; t++)
		within[t] = (int32_t)t;
}

static int64_t tiles_of(const grouper *g, const int64_t *tile)
{
	int64_t weight[SW_MAX_DIMS];
	return sw_grid_weights(g->plan->problem.from.global, tile, g->plan->problem.from.rank, weight);
}

/* Adds the terms to the spots of both sides. */
static bool group_terms(grouper *g, int k, int64_t gathered, int64_t split)
{
	const sw_step *step = &g->plan->program.step[k];
	const sw_type *sums[] = {sw_plan_sums_before(g->plan, k), sw_plan_sums_before(g->plan, k + 1)};
	int wide = sw_side_of_terms(step->op);
	sw_arena_mark mark = sw_arena_here(g->arena);
	int32_t *within = SW_NEW(g->arena, int32_t, g->devices), *met = g->member;
	bool fits = g->terms[0] == g->terms[1] || (wide >= 0 && g->terms[wide] % g->terms[!wide] == 0);
	if (!within)
		return sw_diag_memory(g->diag);
	if (!fits)
		return group_refuse(g, k, "%lld terms become %lld", (long long)g->terms[0], (long long)g->terms[1]);
	for (int side = 0; side < 2; side++) {
		terms_themselves(within, g->terms[side]);
		if (side == wide)
			sw_terms_join(&g->plan->problem.mesh, sums[side], sums[!side], within);
		spots_of_terms(side ? g->to : g->from, tiles_of(g, g->plan->program.value[k + side].tile), g->terms[side],
			within, met, side ? split : gathered);
	}
	sw_arena_back(g->arena, mark);
	return true;
}

/* Fills `from` and `to`; checks that every device's block stays the same. */
static bool group_spots(grouper *g, int k)
{
	const sw_step *step = &g->plan->program.step[k];
	const sw_type *shape = &g->plan->problem.from;
	int64_t gather[SW_MAX_DIMS], split[SW_MAX_DIMS];
	int64_t f = factors_of(step->gather, step->gathers, shape->rank, gather);
	int64_t back = factors_of(step->split, step->splits, shape->rank, split);
	if (!group_entries(g, k, gather, split))
		return false;
	int64_t brought = sw_step_members(g->plan, k);
	if (brought > 0 && step->splits > 0 && brought != back)
		return group_refuse(g, k, "it brings %lld pieces and splits %lld", (long long)brought, (long long)back);
	spots_fill(shape->global, g->plan->program.value[k].tile, gather, shape->rank, g->from);
	spots_fill(shape->global, g->plan->program.value[k + 1].tile, split, shape->rank, g->to);
	if ((g->terms[0] > 1 || g->terms[1] > 1) && !group_terms(g, k, f, back))
		return false;
	for (int64_t d = 0; d < g->devices; d++)
		if (g->from[g->before[d]].block != g->to[g->after[d]].block)
			return group_refuse(g, k, "device %lld ends with data that is not in its block", (long long)d);
	return true;
}

/* ---- matchings ---- */

/* Allgather: the k-th device that brings a piece goes into the k-th group of its block. */
static void match_replicas(grouper *g, int64_t f, int64_t copies)
{
	memset(g->mate, 0, (size_t)(g->devices / copies) * sizeof *g->mate);
	for (int64_t d = 0; d < g->devices; d++) {
		spot at = g->from[g->before[d]];
		int64_t colour = g->mate[at.block * f + at.piece]++;
		g->member[(at.block * copies + colour) * f + at.piece] = (int32_t)d;
	}
}

/* Alltoall without replicas: every block is one group. */
static void match_single(grouper *g, int64_t f)
{
	for (int64_t d = 0; d < g->devices; d++) {
		spot at = g->to[g->after[d]];
		g->member[at.block * f + at.piece] = (int32_t)d;
	}
}

/* The colours that are free at every piece brought (`left`) and at every piece ended with (`right`). */
typedef struct colouring {
	grouper *g;
	int64_t f, copies;
	int words;
	uint64_t *left, *right;
} colouring;

static uint64_t *colours_at(const colouring *c, uint64_t *side, spot at)
{
	return side + (at.block * c->f + at.piece) * c->words;
}

static void colour_flip(uint64_t *free_colours, int64_t colour)
{
	free_colours[colour / 64] ^= (uint64_t)1 << (colour % 64);
}

/* The first colour that is free in both sets (which may be one), or -1. */
static int64_t colour_common(const colouring *c, const uint64_t *a, const uint64_t *b)
{
	for (int w = 0; w < c->words; w++)
		if (a[w] & b[w])
			return w * 64 + __builtin_ctzll(a[w] & b[w]);
	return -1;
}

static int32_t *colour_member(const colouring *c, int32_t *table, spot at, int64_t colour)
{
	return &table[(at.block * c->copies + colour) * c->f + at.piece];
}

/* Gives device `d` the colour `a`, free where it comes from but not where it ends; `b` is free where it ends.
 * The chain of devices that alternate between a and b from there on swaps the two. */
static void colour_chain(const colouring *c, int32_t d, int64_t a, int64_t b)
{
	grouper *g = c->g;
	spot from = g->from[g->before[d]];
	colour_flip(colours_at(c, c->left, from), a);
	*colour_member(c, g->mate, from, a) = d;
	colour_flip(colours_at(c, c->right, g->to[g->after[d]]), b);
	for (;;) {
		spot to = g->to[g->after[d]];
		int32_t *held = colour_member(c, g->member, to, a);
		int32_t moved = *held;
		*held = d;
		if (moved < 0) {
			colour_flip(colours_at(c, c->right, to), a);
			colour_flip(colours_at(c, c->right, to), b);
			*colour_member(c, g->member, to, b) = -1;
			return;
		}
		*colour_member(c, g->member, to, b) = moved;
		from = g->from[g->before[moved]];
		held = colour_member(c, g->mate, from, b);
		d = *held;
		*held = moved;
		if (d < 0) {
			colour_flip(colours_at(c, c->left, from), a);
			colour_flip(colours_at(c, c->left, from), b);
			*colour_member(c, g->mate, from, a) = -1;
			return;
		}
		*colour_member(c, g->mate, from, a) = d;
	}
}

static void colour_device(const colouring *c, int32_t d)
{
	grouper *g = c->g;
	spot from = g->from[g->before[d]], to = g->to[g->after[d]];
	uint64_t *left = colours_at(c, c->left, from), *right = colours_at(c, c->right, to);
	int64_t colour = colour_common(c, left, right);
	if (colour < 0) {
		colour_chain(c, d, colour_common(c, left, left), colour_common(c, right, right));
		return;
	}
	colour_flip(left, colour);
	colour_flip(right, colour);
	*colour_member(c, g->mate, from, colour) = d;
	*colour_member(c, g->member, to, colour) = d;
}

static void colours_free_all(const colouring *c, uint64_t *side, int64_t pieces)
{
	for (int64_t p = 0; p < pieces; p++)
		for (int w = 0; w < c->words; w++) {
			int64_t left = c->copies - (int64_t)w * 64;
			side[p * c->words + w] = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
		}
}

/* Alltoall with replicas. */
static bool match_colours(grouper *g, int64_t f, int64_t copies)
{
	sw_arena_mark mark = sw_arena_here(g->arena);
	colouring c = {.g = g, .f = f, .copies = copies, .words = (int)((copies + 63) / 64)};
	int64_t pieces = g->devices / copies;
	c.left = SW_NEW(g->arena, uint64_t, 2 * pieces * c.words);
	if (!c.left)
		return sw_diag_memory(g->diag);
	c.right = c.left + pieces * c.words;
	colours_free_all(&c, c.left, 2 * pieces);
	memset(g->member, -1, (size_t)g->devices * sizeof *g->member);
	memset(g->mate, -1, (size_t)g->devices * sizeof *g->mate);
	for (int64_t d = 0; d < g->devices; d++)
		colour_device(&c, (int32_t)d);
	sw_arena_back(g->arena, mark);
	return true;
}

/* ---- one step ---- */

/* Copies the groups out of `member`, in the order of the smallest device of each. */
static void group_in_order(grouper *g, int64_t f, int32_t *out)
{
	int64_t groups = g->devices / f;
	for (int64_t n = 0; n < groups; n++) {
		g->number[n] = -1;
		for (int64_t m = 0; m < f; m++)
			g->group[g->member[n * f + m]] = (int32_t)n;
	}
	int32_t next = 0;
	for (int64_t d = 0; d < g->devices; d++) {
		int32_t n = g->group[d];
		if (g->number[n] >= 0)
			continue;
		g->number[n] = next;
		for (int64_t m = 0; m < f; m++)
			out[next * f + m] = g->member[n * f + m];
		next++;
	}
}

static bool list_nobody(grouper *g, int k, int32_t *out)
{
	(void)out;
	return group_spots(g, k);
}

static bool list_groups(grouper *g, int k, int32_t *out)
{
	const sw_step *step = &g->plan->program.step[k];
	if (!group_spots(g, k))
		return false;
	int64_t copies = g->devices / tiles_of(g, g->plan->program.value[k].tile) / g->terms[0];
	if (step->splits == 0)
		match_replicas(g, step->group_size, copies);
	else if (copies == 1)
		match_single(g, step->group_size);
	else if (!match_colours(g, step->group_size, copies))
		return false;
	group_in_order(g, step->group_size, out);
	return true;
}

static bool group_same_tile(const grouper *g, int k)
{
	const int64_t *tile = g->plan->program.value[k].tile;
	for (int i = 0; i < g->plan->problem.from.rank; i++)
		if (tile[i] != g->plan->program.value[k + 1].tile[i])
			return group_refuse(g, k, "tiles of %lld become tiles of %lld along dimension %d", (long long)tile[i],
				(long long)g->plan->program.value[k + 1].tile[i], i);
	int64_t before = sw_type_terms(sw_plan_sums_before(g->plan, k)),
			after = sw_type_terms(sw_plan_sums_before(g->plan, k + 1));
	if (before != after)
		return group_refuse(g, k, "%lld terms become %lld", (long long)before, (long long)after);
	return true;
}

/* Allpermute: who has the right tile keeps it; of the others, the k-th that lets go of a tile gives it to the k-th
 * that lacks it. */
static bool list_sources(grouper *g, int k, int32_t *out)
{
	int32_t *first = g->member, *next = g->mate;
	if (!group_same_tile(g, k))
		return false;
	for (int64_t d = 0; d < g->devices; d++)
		first[d] = -1;
	for (int64_t d = g->devices - 1; d >= 0; d--) {
		if (g->before[d] == g->after[d])
			continue;
		next[d] = first[g->before[d]];
		first[g->before[d]] = (int32_t)d;
	}
	for (int64_t d = 0; d < g->devices; d++) {
		out[d] = (int32_t)d;
		if (g->before[d] == g->after[d])
			continue;
		int32_t giver = first[g->after[d]];
		if (giver < 0)
			return group_refuse(g, k, "no device has a tile to send to device %lld", (long long)d);
		out[d] = giver;
		first[g->after[d]] = next[giver];
	}
	return true;
}

/* ---- all steps ---- */

static bool grouper_memory(grouper *g)
{
	g->before = SW_NEW(g->arena, int32_t, 6 * g->devices);
	g->from = SW_NEW(g->arena, spot, 2 * g->devices);
	if (!g->before || !g->from)
		return sw_diag_memory(g->diag);
	g->after = g->before + g->devices;
	g->member = g->after + g->devices;
	g->mate = g->member + g->devices;
	g->group = g->mate + g->devices;
	g->number = g->group + g->devices;
	g->to = g->from + g->devices;
	g->before_at = -1;
	return true;
}

static bool grouper_numbers(grouper *g, int k, int32_t *number)
{
	sw_diag why;
	const sw_type *sums = sw_plan_sums_before(g->plan, k);
	if (!sw_tile_numbers_at(g->plan, k, number, g->member, &why))
		return group_refuse(g, k > 0 ? k - 1 : 0, "%s", why.message);
	if (sw_type_terms(sums) == 1)
		return true;
	int64_t tiles = tiles_of(g, g->plan->program.value[k].tile);
	sw_term_numbers_of_type(&g->plan->problem.mesh, sums, g->member);
	if (tiles * sw_type_terms(sums) > g->devices)
		return group_refuse(g, k > 0 ? k - 1 : 0, "there are more terms of tiles than devices");
	for (int64_t p = 0; p < g->devices; p++)
		number[p] += (int32_t)(g->member[p] * tiles);
	return true;
}

/* What devices end with, by the slots in which they are before a step that changes their order. */
static void renumber_after(const grouper *g, int k)
{
	const int64_t *before = sw_plan_order(g->plan, k), *after = g->plan->program.step[k].order;
	for (int64_t p = 0; p < g->devices; p++)
		g->member[sw_device_at(after, p)] = g->after[p];
	for (int64_t p = 0; p < g->devices; p++)
		g->after[p] = g->member[sw_device_at(before, p)];
}

typedef enum how { LISTED, WRITTEN, NOTHING, FAILED } how;

/* How who works together is found. */
static const struct lister {
	bool (*list)(grouper *g, int k, int32_t *out); /* device by device; NULL: nobody needs to know */
	how (*write)(grouper *g, int k);               /* from types alone */
	void (*put)(sw_step *step, const int32_t *list);
	bool by_slots; /* what devices end with counts by the slots before */
} listers[SW_AMONG_COUNT];

/* Lists the groups, or the sources, of a step into `out`. */
static bool group_list(grouper *g, int k, int32_t *out)
{
	const sw_step *step = &g->plan->program.step[k];
	g->terms[0] = sw_type_terms(sw_plan_sums_before(g->plan, k));
	g->terms[1] = sw_type_terms(sw_plan_sums_before(g->plan, k + 1));
	if (g->before_at != k && !grouper_numbers(g, k, g->before))
		return false;
	if (!grouper_numbers(g, k + 1, g->after))
		return false;
	const struct lister *lister = &listers[sw_row(step->op)->among];
	bool renumbered = step->order && lister->by_slots;
	if (renumbered)
		renumber_after(g, k);
	bool done = lister->list(g, k, out);
	int32_t *kept = g->before;
	g->before = g->after;
	g->after = kept;
	g->before_at = renumbered ? -1 : k + 1;
	return done;
}

/* A step of a mesh too large to list, from its types alone. */
static how group_written(grouper *g, int k)
{
	if (!g->plan->program.value[k].type || !g->plan->program.value[k + 1].type)
		return LISTED;
	return listers[sw_row(g->plan->program.step[k].op)->among].write(g, k);
}

static how write_sources(grouper *g, int k)
{
	return group_same_tile(g, k) ? NOTHING : FAILED;
}

/* Are the groups of the step lines of the mesh?  LISTED: they are not. */
static how find_lines(grouper *g, int k, sw_groups *iota)
{
	const sw_value *before = &g->plan->program.value[k];
	bool legal = true,
		 line = sw_groups_of_step(&g->plan->problem.mesh, before[0].type, before[1].type, &g->plan->program.step[k],
			 iota, &legal);
	if (!legal)
		group_refuse(g, k, "devices end with data that is not in their blocks");
	return !legal ? FAILED : line ? WRITTEN : LISTED;
}

static how write_nobody(grouper *g, int k)
{
	sw_groups none;
	return find_lines(g, k, &none) == FAILED ? FAILED : NOTHING;
}

static how write_groups(grouper *g, int k)
{
	sw_step *step = &g->plan->program.step[k];
	sw_groups iota;
	sw_text text = {0};
	how found = find_lines(g, k, &iota);
	if (found != WRITTEN)
		return found;
	sw_groups_print(&iota, &text);
	step->groups_text = text.failed ? NULL : sw_arena_copy(g->arena, sw_text_get(&text), text.length);
	sw_text_free(&text);
	if (!step->groups_text)
		sw_diag_memory(g->diag);
	return step->groups_text ? WRITTEN : FAILED;
}

static void put_groups(sw_step *step, const int32_t *list)
{
	step->groups = list;
}

static void put_sources(sw_step *step, const int32_t *list)
{
	step->source = list;
}

static const struct lister listers[SW_AMONG_COUNT] = {
	[SW_AMONG_NONE] = {list_nobody, write_nobody, NULL, true},
	[SW_AMONG_GROUPS] = {list_groups, write_groups, put_groups, true},
	[SW_AMONG_PAIRS] = {list_sources, write_sources, put_sources, false},
	[SW_AMONG_ALL] = {NULL, NULL, NULL, false},
};

static bool group_too_many(const grouper *g, int k)
{
	sw_diag_set(g->diag, SW_S08, (sw_span){0, 0},
		"the groups of step %d are not lines of the mesh, and %lld devices are too many to list", k + 1,
		(long long)g->devices);
	sw_diag_expected(g->diag, "at most %lld devices", (long long)SW_MAX_MAP_DEVICES);
	return false;
}

/* Decides how step `k` is told, and makes room for its list. */
static bool group_prepare(grouper *g, int k, int32_t **out)
{
	sw_step *step = &g->plan->program.step[k];
	*out = NULL;
	if (step->passing != SW_PASSES_AT_ONCE)
		return true;
	step->groups = NULL;
	step->groups_text = NULL;
	step->source = NULL;
	step->group_size = sw_step_members(g->plan, k);
	step->grouped = step->group_size > 0 ? g->devices : 0;
	const struct lister *lister = &listers[sw_row(step->op)->among];
	if (lister->list == NULL)
		return true;
	bool list = g->devices <= SW_MAX_LISTED || (step->order && g->devices <= SW_MAX_MAP_DEVICES);
	how told = list ? LISTED : group_written(g, k);
	if (told != LISTED)
		return told != FAILED;
	if (g->devices > SW_MAX_MAP_DEVICES)
		return group_too_many(g, k);
	*out = SW_NEW(g->arena, int32_t, g->devices);
	if (!*out)
		return sw_diag_memory(g->diag);
	if (lister->put)
		lister->put(step, *out);
	return true;
}

static bool group_steps(sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	grouper g = {.plan = plan, .arena = arena, .diag = diag, .devices = plan->problem.mesh.devices};
	int32_t **out = SW_NEW(arena, int32_t *, plan->program.steps);
	bool listed = false;
	if (!out)
		return sw_diag_memory(diag);
	for (int k = 0; k < plan->program.steps; k++) {
		if (!group_prepare(&g, k, &out[k]))
			return false;
		listed = listed || out[k];
	}
	if (!listed)
		return true;
	sw_arena_mark mark = sw_arena_here(arena);
	bool done = grouper_memory(&g);
	for (int k = 0; done && k < plan->program.steps; k++)
		done = !out[k] || group_list(&g, k, out[k]);
	sw_arena_back(arena, mark);
	return done;
}

bool sw_plan_group(sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	return group_steps(plan, arena, diag) && sw_plan_record_senders(plan, arena, diag);
}
