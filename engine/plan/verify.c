/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Execution of a plan on virtual devices, in this process: the proof that it does what it says.
 *
 * Every element is its own 64-bit global index; where values are still to be summed, devices hold terms that add up to it modulo
 * 2^64, all but the last of which come from the index and the number of the term.  Devices hold real tiles; a step moves boxes between them exactly
 * as its transfers say, which follow its groups and sources, whatever these say: what never arrives stays NOTHING.  In
 * the end every element is compared, and terms after every step: copies are equal, and terms add up.
 *
 * A plan moves whole blocks of the size that all its tiles have in common.  Where the data would not fit, and
 * where the caller asks for less, such a block is one element: the moves are the same.  Where tiles keep their shape and devices have
 * pieces of them, all elements of a piece share its way: one number of each is moved, or all of them some at a time.
 */
#include <shardwalk/plan.h>

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/transfers.h>

#include "index/box.h"
#include "plan/check.h"
#include "plan/devices.h"
#include "plan/pieces.h"
#include "plan/tile_numbers.h"
#include "plan/shrink.h"

#define NOTHING (-1)
#define FILLING (-1) /* what comes before the first step */
#define DEFAULT_MEMORY ((int64_t)1 << 30)
#define STRIP_MEMORY ((int64_t)1 << 26) /* of pieces that are moved some numbers at a time */

typedef struct run {
	const sw_plan *plan;
	const sw_pulse *pulse;
	sw_diag *diag;
	sw_verdict *verdict;
	sw_arena *arena;
	bool data_only; /* no maps instead of data */
	bool prefix;    /* the end is what the last step says, not `to` */
	int rank;
	int64_t devices;
	int64_t unit[SW_MAX_DIMS];   /* elements of the plan that move as one, along each dimension ... */
	int64_t into[SW_MAX_DIMS];   /* ... and are so many numbers here */
	int pieces;                  /* of a tile, each of `strip` numbers; 0: numbers are blocks of elements */
	int64_t strip, pass, passes; /* of so many numbers a piece; strips, one after the other */
	int64_t global[SW_MAX_DIMS]; /* in units, as all below */
	int64_t stride[SW_MAX_DIMS]; /* of the global index */
	int64_t all;                 /* numbers of the array */
	int64_t tile[SW_MAX_DIMS];   /* before the step */
	int64_t now[SW_MAX_DIMS];    /* after it */
	int64_t size, now_size;      /* elements of a tile */
	int64_t *map, *now_map;      /* base offsets */
	int64_t *scratch_map;
	bool sums;             /* at any moment */
	sw_tiles terms;        /* of what is held */
	sw_arena_mark scratch; /* where they end */
	int64_t *held, *next;  /* tiles, device after device; on the heap */
} run;

static bool run_fail(const run *r, int k, const char *reason)
{
	if (k >= r->plan->program.steps)
		return sw_diag_set(r->diag, SW_P05, (sw_span){0, 0}, "the plan cannot be executed: %s", reason);
	return sw_diag_set(r->diag, SW_P05, (sw_span){0, 0}, "step %d ('%s') cannot be executed: %s", k + 1,
		sw_collective_of(r->plan->program.step[k].op)->name, reason);
}

/* ---- numbers ---- */

/* The global index of the element `step` of the tile at `offset`. */
static int64_t global_index(const run *r, const int64_t *offset, const int64_t *step)
{
	int64_t index = r->pass * r->all;
	for (int i = 0; i < r->rank; i++)
		index += (offset[i] + step[i]) * r->stride[i];
	return index;
}

/* A number that tells elements and terms apart, whatever is added. */
static uint64_t term_mix(int64_t index, int64_t term)
{
	uint64_t z = (uint64_t)index * 0x9E3779B97F4A7C15u + (uint64_t)term * 0xD1B54A32D192ED03u + 0x632BE59BD9B4E019u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* What a device begins with of the element `index`: the last term makes the sum of all the index, modulo 2^64. */
static int64_t term_value(int64_t index, int64_t term, int64_t terms)
{
	if (term + 1 < terms)
		return (int64_t)term_mix(index, term);
	uint64_t others = 0;
	for (int64_t t = 0; t < term; t++)
		others += term_mix(index, t);
	return (int64_t)((uint64_t)index - others);
}

static void tile_fill(const run *r, const int64_t *offset, const int64_t *tile, int64_t term, int64_t *data)
{
	int64_t step[SW_MAX_DIMS] = {0};
	int last = r->rank - 1;
	do {
		int64_t index = global_index(r, offset, step);
		for (int64_t k = 0; k < (last < 0 ? 1 : tile[last]); k++)
			*data++ = term_value(index + k, term, r->terms.terms);
	} while (sw_box_next(step, tile, last));
}

/* The first element of a tile that is not what `offset` says, or -1. */
static int64_t tile_wrong(const run *r, const int64_t *offset, const int64_t *tile, const int64_t *data)
{
	int64_t step[SW_MAX_DIMS] = {0}, done = 0;
	int last = r->rank - 1;
	do {
		int64_t index = global_index(r, offset, step);
		for (int64_t k = 0; k < (last < 0 ? 1 : tile[last]); k++, done++)
			if (data[done] != index + k)
				return done;
	} while (sw_box_next(step, tile, last));
	return -1;
}

/* ---- tiles ---- */

static int64_t *held_by(const run *r, int64_t device)
{
	return r->held + device * r->size;
}

static int64_t *next_of(const run *r, int64_t device)
{
	return r->next + device * r->now_size;
}

/* Asks, for a device, whether to go on.  k: a step; FILLING before the first, the number of steps for the comparison. */
static bool run_beat(const run *r, int k, int64_t device)
{
	if (device % 256 != 0 && r->now_size < 4096 && r->size < 4096)
		return true;
	if (sw_pulse_beat(r->pulse, "tiles", (k + 1) * r->devices + device, (r->plan->program.steps + 2) * r->devices))
		return true;
	if (k == FILLING || k == r->plan->program.steps)
		return sw_diag_set(r->diag, SW_S03, (sw_span){0, 0}, "stopped %s",
			k == FILLING ? "before the first step" : "while comparing what all devices hold at the end");
	return sw_diag_set(r->diag, SW_S03, (sw_span){0, 0}, "stopped while executing step %d", k + 1);
}

/* ---- one step ---- */

/* Grows (or cuts) the tile by every entry; sets the product of the factors. */
static bool run_entries(const run *r, const sw_entry *entry, int count, bool cut, int64_t *tile, int64_t *product)
{
	*product = 1;
	for (int e = 0; e < count; e++) {
		int64_t factor = entry[e].factor;
		if (entry[e].dim < 0 || entry[e].dim >= r->rank || factor < 2 || !sw_mul(*product, factor, product))
			return false;
		int64_t *at = &tile[entry[e].dim];
		if (cut ? *at % factor != 0 : !sw_mul(*at, factor, at))
			return false;
		if (cut)
			*at /= factor;
	}
	return true;
}

/* The tile after the step is one of the array's grid, and what the devices hold then is known. */
static bool run_sound(const run *r, const sw_value *made)
{
	for (int i = 0; i < r->rank; i++)
		if (made->tile[i] < 1 || made->tile[i] % r->unit[i] != 0 || r->global[i] % r->now[i] != 0)
			return false;
	return made->type || made->map || made->pieces;
}

/* The tiles before and after fit the entries, so that every box lies inside its tile. */
static bool run_fits(const run *r, int k)
{
	const sw_step *step = &r->plan->program.step[k];
	int64_t want[SW_MAX_DIMS], in, out;
	memcpy(want, r->tile, sizeof want);
	if (!run_sound(r, &r->plan->program.value[k + 1]) ||
		!run_entries(r, step->gather, step->gathers, false, want, &in) ||
		!run_entries(r, step->split, step->splits, true, want, &out))
		return false;
	if (sw_step_on_pieces(r->plan, k))
		return memcmp(r->tile, r->now, (size_t)r->rank * sizeof *want) == 0;
	if (sw_collective_of(step->op)->among == SW_AMONG_ALL)
		return true;
	int64_t members = sw_step_members(r->plan, k);
	if (members > 0 && step->splits > 0 && members != out)
		return false;
	return step->group_size == members && memcmp(want, r->now, (size_t)r->rank * sizeof *want) == 0;
}

static int64_t in_units(const run *r, int dim, int64_t elements)
{
	return elements / r->unit[dim] * r->into[dim];
}

/* The base offsets after step k - 1, in units. */
static bool run_map(const run *r, int k, int64_t *map)
{
	if (!sw_plan_map(r->plan, k, r->scratch_map, r->diag))
		return false;
	sw_device_order_rows(sw_plan_order(r->plan, k), r->devices, r->rank, r->scratch_map, map);
	for (int64_t d = 0; d < r->devices; d++)
		for (int i = 0; i < r->rank; i++) {
			int64_t *offset = &map[d * r->rank + i];
			if (*offset < 0 || *offset % r->unit[i] != 0 || in_units(r, i, *offset) + r->now[i] > r->global[i])
				return run_fail(r, k > 0 ? k - 1 : 0, "a tile is off the grid");
			*offset = in_units(r, i, *offset);
		}
	return true;
}

static void run_tile(const run *r, const int64_t *tile, int64_t *out, int64_t *size)
{
	*size = 1;
	for (int i = 0; i < r->rank; i++) {
		out[i] = in_units(r, i, tile[i]);
		*size *= out[i];
	}
}

/* What a step moves: boxes of tiles, or of the only dimension that the numbers of a tile in pieces have. */
static bool run_tiles(const run *r, int k, sw_tiles tiles[2])
{
	if (sw_step_on_pieces(r->plan, k)) {
		int64_t ignored;
		if (!sw_step_piece_tiles(r->plan, k, r->arena, &ignored, tiles, r->diag))
			return false;
		for (int i = 0; i < 2; i++)
			tiles[i].global = tiles[i].tile = &r->size;
		return true;
	}
	tiles[0] = (sw_tiles){.rank = r->rank, .devices = r->devices, .global = r->global, .tile = r->tile, .at = r->map};
	tiles[1] =
		(sw_tiles){.rank = r->rank, .devices = r->devices, .global = r->global, .tile = r->now, .at = r->now_map};
	return sw_plan_terms(r->plan, k, r->arena, &tiles[0], r->diag) &&
		sw_plan_terms(r->plan, k + 1, r->arena, &tiles[1], r->diag);
}

static const sw_transfers *run_transfers(const run *r, int k, const sw_tiles tiles[2])
{
	sw_step step;
	sw_diag why;
	if (!sw_step_on_devices(r->plan, k, r->arena, &step, r->diag))
		return NULL;
	if (step.groups == NULL && step.groups_text != NULL)
		step.groups = sw_step_groups(r->plan, k, r->arena);
	const sw_transfers *transfers = sw_transfers_new(&step, &tiles[0], &tiles[1], r->arena, &why);
	if (transfers == NULL && why.code == SW_P05)
		run_fail(r, k, why.message);
	else if (transfers == NULL && r->diag)
		*r->diag = why;
	return transfers;
}

/* Sums begin as 0: all of the tile, or the pieces that the device has then. */
static void run_clear(const run *r, const sw_pieces *pieces, int64_t device)
{
	if (!pieces)
		memset(next_of(r, device), 0, (size_t)r->now_size * sizeof *r->next);
	for (int p = 0; pieces && p < pieces->count; p++) {
		int64_t begin = sw_piece_begin(r->now_size, pieces->count, p);
		int64_t end = sw_piece_begin(r->now_size, pieces->count, p + 1);
		if (sw_pieces_has(pieces, device, p))
			memset(next_of(r, device) + begin, 0, (size_t)(end - begin) * sizeof *r->next);
	}
}

/* Everything that comes into a device. */
static void run_device(const run *r, const sw_tiles tiles[2], const sw_transfers *transfers, int64_t device)
{
	if (sw_transfers_fill(transfers))
		run_clear(r, tiles[1].pieces, device);
	sw_device_take(transfers, SW_I64, device, r->held, r->next);
}

static bool run_move(const run *r, int k)
{
	sw_arena_mark mark = sw_arena_here(r->arena);
	sw_tiles tiles[2];
	const sw_transfers *transfers = run_tiles(r, k, tiles) ? run_transfers(r, k, tiles) : NULL;
	bool done = transfers != NULL;
	for (int64_t d = 0; done && d < r->devices; d++) {
		done = run_beat(r, k, d);
		if (done)
			run_device(r, tiles, transfers, sw_transfers_device(transfers, d));
	}
	sw_arena_back(r->arena, mark);
	return done;
}

/* The terms of what is held after step k - 1. */
static bool run_terms(run *r, int k)
{
	r->terms = (sw_tiles){.terms = 1};
	if (!r->sums)
		return true;
	sw_arena_back(r->arena, r->scratch);
	return sw_plan_terms(r->plan, k, r->arena, &r->terms, r->diag);
}

static bool run_step(run *r, int k)
{
	run_tile(r, r->plan->program.value[k + 1].tile, r->now, &r->now_size);
	if (!run_fits(r, k))
		return run_fail(r, k, "its tile is not what the factors make");
	if (!run_map(r, k + 1, r->now_map))
		return false;
	size_t bytes = (size_t)(r->devices * r->now_size) * sizeof *r->next;
	r->next = malloc(bytes);
	if (!r->next)
		return sw_diag_memory(r->diag);
	memset(r->next, NOTHING, bytes);
	bool done = run_move(r, k);
	free(r->held);
	r->held = r->next;
	r->next = NULL;
	int64_t *kept = r->map;
	r->map = r->now_map;
	r->now_map = kept;
	memcpy(r->tile, r->now, sizeof r->tile);
	r->size = r->now_size;
	return done && run_terms(r, k + 1);
}

/* ---- the verdict ---- */

/* The coordinates of a global index, in elements of the plan. */
static void wrong_index(const run *r, int64_t index, int64_t *out)
{
	for (int i = 0; i < r->rank; i++) {
		out[i] = index / r->stride[i] / r->into[i] * r->unit[i];
		index %= r->stride[i];
	}
}

/* The first device that holds an element in `from`. */
static int64_t wrong_holder(const run *r, const int64_t *index)
{
	const sw_type *from = &r->plan->problem.from;
	for (int64_t p = 0; p < r->devices; p++) {
		int64_t offset[SW_MAX_DIMS];
		bool inside = true;
		sw_type_offset(&r->plan->problem.mesh, from, p, offset);
		for (int i = 0; i < r->rank; i++)
			inside = inside && index[i] >= offset[i] && index[i] < offset[i] + from->tile[i];
		if (inside)
			return sw_device_at(r->plan->problem.mesh.order, p);
	}
	return -1;
}

/* The first element of a number of a tile: of a block, or of so much of a piece. */
static void verdict_index(run *r, int64_t element, const int64_t *offset)
{
	sw_verdict *v = r->verdict;
	const int64_t *tile = r->plan->problem.from.tile;
	if (r->pieces)
		element = sw_piece_begin(sw_type_localsize(&r->plan->problem.from), r->pieces, (int)(element / r->strip)) +
			element % r->strip + r->pass * r->strip;
	for (int i = r->rank - 1; i >= 0; i--) {
		int64_t size = r->pieces ? tile[i] : r->tile[i], unit = r->pieces ? 1 : r->unit[i];
		v->wrong.index[i] = element % size * unit;
		v->wrong.expected[i] = offset[i] / r->into[i] * r->unit[i] + v->wrong.index[i];
		element /= size;
	}
}

static void verdict_place(run *r, int step, int64_t device, int64_t element, const int64_t *offset)
{
	sw_verdict *v = r->verdict;
	v->right = false;
	v->wrong.copy_of = -1;
	v->wrong.device = device;
	v->wrong.step = step;
	verdict_index(r, element, offset);
	v->wrong.expected_from = wrong_holder(r, v->wrong.expected);
	v->wrong.found[0] = NOTHING;
	v->wrong.found_from = -1;
}

static void verdict_wrong(run *r, int step, int64_t device, int64_t element, const int64_t *offset)
{
	sw_verdict *v = r->verdict;
	int64_t found = held_by(r, device)[element];
	verdict_place(r, step, device, element, offset);
	if (r->sums) {
		v->wrong.sum = (uint64_t)found;
		v->wrong.terms = 1;
		return;
	}
	if (found == NOTHING)
		return;
	wrong_index(r, found, v->wrong.found);
	v->wrong.found_from = wrong_holder(r, v->wrong.found);
}

/* What the devices hold of one tile: a device of each term, and of which term the others are copies. */
typedef struct tile_holders {
	int64_t tiles;
	int32_t *first; /* tiles x terms: the first device that holds the term; -1: none */
} tile_holders;

static int64_t tile_number(const run *r, const int64_t *map, int64_t device)
{
	return sw_tile_number(r->rank, r->global, r->tile, map + device * r->rank);
}

static int64_t term_of(const run *r, int64_t device)
{
	return r->terms.term ? r->terms.term[device] : 0;
}

static void verdict_terms(run *r, int step, int64_t device, int64_t element, const int64_t *offset, uint64_t sum)
{
	verdict_place(r, step, device, element, offset);
	r->verdict->wrong.terms = r->terms.terms;
	r->verdict->wrong.term = term_of(r, device);
	r->verdict->wrong.sum = sum;
}

/* A copy of a term that differs from the first device's; -1: none. */
static bool copies_equal(run *r, int step, const int64_t *map, const tile_holders *h)
{
	for (int64_t d = 0; d < r->devices; d++) {
		int64_t at = tile_number(r, map, d) * r->terms.terms + term_of(r, d);
		const int64_t *mine = held_by(r, d), *first = held_by(r, h->first[at]);
		for (int64_t e = 0; e < r->size; e++)
			if (mine[e] != first[e]) {
				verdict_terms(r, step, d, e, map + d * r->rank, (uint64_t)mine[e]);
				r->verdict->wrong.copy_of = h->first[at];
				return false;
			}
	}
	return true;
}

/* Do the terms of a tile add up to the index of every element? */
static bool terms_add_up(run *r, int step, const int64_t *map, const int32_t *first)
{
	int64_t at[SW_MAX_DIMS] = {0}, element = 0;
	const int64_t *offset = map + first[0] * r->rank;
	do {
		uint64_t sum = 0;
		for (int64_t t = 0; t < r->terms.terms; t++)
			sum += (uint64_t)held_by(r, first[t])[element];
		if (sum != (uint64_t)global_index(r, offset, at)) {
			verdict_terms(r, step, first[0], element, offset, sum);
			return false;
		}
		element++;
	} while (sw_box_next(at, r->tile, r->rank));
	return true;
}

static bool find_holders(run *r, const int64_t *map, tile_holders *h)
{
	h->tiles = 1;
	for (int i = 0; i < r->rank; i++)
		h->tiles *= r->global[i] / r->tile[i];
	if (h->tiles > r->devices / r->terms.terms)
		return run_fail(r, 0, "there are more terms of tiles than devices");
	h->first = SW_NEW(r->arena, int32_t, h->tiles * r->terms.terms);
	if (!h->first)
		return sw_diag_memory(r->diag);
	memset(h->first, -1, (size_t)(h->tiles * r->terms.terms) * sizeof *h->first);
	for (int64_t d = r->devices - 1; d >= 0; d--)
		h->first[tile_number(r, map, d) * r->terms.terms + term_of(r, d)] = (int32_t)d;
	for (int64_t n = 0; n < h->tiles * r->terms.terms; n++)
		if (h->first[n] < 0)
			return run_fail(r, 0, "nobody holds one of the terms");
	return true;
}

/* Copies of a term are equal, and the terms of every tile add up to it.  false: it cannot be told. */
static bool run_compare_terms(run *r, int step, const int64_t *map, bool *right)
{
	tile_holders h = {0};
	if (!find_holders(r, map, &h))
		return false;
	*right = copies_equal(r, step, map, &h);
	for (int64_t n = 0; *right && n < h.tiles; n++) {
		if (!run_beat(r, r->plan->program.steps, n))
			return false;
		*right = terms_add_up(r, step, map, h.first + n * r->terms.terms);
	}
	return true;
}

/* What a number of a tile is where these of its first terms are added up. */
static uint64_t sum_of(const run *r, int64_t index, const uint64_t *terms)
{
	uint64_t sum = 0;
	for (int64_t t = 0; t < r->terms.terms; t++)
		if (terms[t / 64] >> t % 64 & 1)
			sum += (uint64_t)term_value(index, t, r->terms.terms);
	return sum;
}

/* The first number of a tile that is not the sum that its piece says, or -1. */
static int64_t pieces_wrong(const run *r, const sw_pieces *pieces, int64_t device, const int64_t *offset)
{
	int64_t step[SW_MAX_DIMS] = {0}, element = 0;
	int piece = 0;
	do {
		while (element >= sw_piece_begin(r->size, pieces->count, piece + 1))
			piece++;
		const uint64_t *terms = sw_pieces_terms(pieces, device, piece);
		if (sw_pieces_has(pieces, device, piece) &&
			(uint64_t)held_by(r, device)[element] != sum_of(r, global_index(r, offset, step), terms))
			return element;
		element++;
	} while (sw_box_next(step, r->tile, r->rank));
	return -1;
}

/* Devices have the sums that their pieces say.  Of terms that were sums already it is not known which numbers they are. */
static bool run_compare_pieces(run *r, int step, const int64_t *map, bool *right)
{
	if (sw_plan_sums_before(r->plan, step) != r->plan->program.value->type)
		return true;
	const sw_pieces *pieces = sw_plan_device_pieces(r->plan, step, r->plan->program.value[step].pieces->count,
		r->arena, r->diag);
	for (int64_t d = 0; pieces && *right && d < r->devices; d++) {
		if (!run_beat(r, r->plan->program.steps, d))
			return false;
		int64_t wrong = pieces_wrong(r, pieces, d, map + d * r->rank);
		*right = wrong < 0;
		if (!*right)
			verdict_wrong(r, step, d, wrong, map + d * r->rank);
	}
	return pieces != NULL;
}

/* Compares all tiles with a map; the first that differs goes into the verdict as one after `step`.  false: stopped. */
static bool run_compare(run *r, int step, const int64_t *map, bool *right)
{
	*right = true;
	if (r->plan->program.value[step].pieces)
		return run_compare_pieces(r, step, map, right);
	if (r->terms.terms > 1)
		return run_compare_terms(r, step, map, right);
	for (int64_t d = 0; *right && d < r->devices; d++) {
		if (!run_beat(r, r->plan->program.steps, d))
			return false;
		int64_t wrong = tile_wrong(r, map + d * r->rank, r->tile, held_by(r, d));
		*right = wrong < 0;
		if (!*right)
			verdict_wrong(r, step, d, wrong, map + d * r->rank);
	}
	return true;
}

static bool run_start(run *r)
{
	run_tile(r, r->plan->problem.from.tile, r->tile, &r->size);
	memcpy(r->now, r->tile, sizeof r->now);
	if (!run_map(r, 0, r->map) || !run_terms(r, 0))
		return false;
	r->held = malloc((size_t)(r->devices * r->size) * sizeof *r->held);
	if (!r->held)
		return sw_diag_memory(r->diag);
	for (int64_t d = 0; d < r->devices; d++) {
		if (!run_beat(r, FILLING, d))
			return false;
		tile_fill(r, r->map + d * r->rank, r->tile, term_of(r, d), held_by(r, d));
	}
	return true;
}

/* The comparison with what `to` says. */
static bool run_compare_end(run *r, bool *right)
{
	const sw_type *to = &r->plan->problem.to;
	int64_t want[SW_MAX_DIMS], size;
	run_tile(r, to->tile, want, &size);
	if (r->plan->program.value[r->plan->program.steps].pieces)
		return sw_plan_reaches(r->plan, r->diag);
	if (memcmp(want, r->tile, (size_t)r->rank * sizeof *want) != 0)
		return run_fail(r, r->plan->program.steps > 0 ? r->plan->program.steps - 1 : 0,
			"the last tile is not that of 'to'");
	const int64_t *order = sw_problem_to_order(&r->plan->problem);
	if (r->sums && !sw_plan_reaches(r->plan, NULL))
		return run_fail(r, r->plan->program.steps > 0 ? r->plan->program.steps - 1 : 0,
			"its sums are not those of 'to'");
	for (int64_t p = 0; p < r->devices; p++)
		sw_type_offset(&r->plan->problem.mesh, to, p, r->now_map + sw_device_at(order, p) * r->rank);
	for (int64_t n = 0; n < r->devices * r->rank; n++)
		r->now_map[n] = in_units(r, (int)(n % r->rank), r->now_map[n]);
	return run_compare(r, r->plan->program.steps, r->now_map, right);
}

/* Of a tile, without what strips have beyond their pieces. */
static int64_t run_elements(const run *r)
{
	return sw_type_localsize(&r->plan->problem.from);
}

/* All steps, then the comparison with `to`; with `trace` also one after every step with what the plan says
 * there. */
static bool run_all(run *r, bool trace)
{
	bool done = run_start(r), right = true;
	for (int k = 0; done && right && k < r->plan->program.steps; k++) {
		done = run_step(r, k);
		if (done && (trace || (r->sums && r->passes == 1)) && k + 1 < r->plan->program.steps)
			done = run_compare(r, k + 1, r->map, &right);
	}
	if (done && right)
		done = r->prefix ? run_compare(r, r->plan->program.steps, r->map, &right) : run_compare_end(r, &right);
	r->verdict->elements = done ? r->devices * (r->pieces && r->verdict->pieces == 0 ? run_elements(r) : r->size) : 0;
	if (r->pieces)
		r->verdict->bytes = r->verdict->elements * (int64_t)sizeof *r->held;
	free(r->held);
	r->held = NULL;
	return done;
}

/* ---- how much data ---- */

/* Bytes of all tiles at the highest point; false where that does not even fit a number. */
static bool run_bytes(const run *r, int64_t *bytes)
{
	int64_t tile[SW_MAX_DIMS], before, after, most, total;
	run_tile(r, r->plan->problem.from.tile, tile, &before);
	most = before;
	for (int k = 0; k < r->plan->program.steps; k++) {
		run_tile(r, r->plan->program.value[k + 1].tile, tile, &after);
		if (!sw_add(before, after, &total))
			return false;
		most = total > most ? total : most;
		before = after;
	}
	return sw_mul(most, r->devices, &most) && sw_mul(most, (int64_t)sizeof(int64_t), bytes);
}

/* What all tiles of the plan have in common moves as one. */
static void run_unite(run *r)
{
	for (int i = 0; i < r->rank; i++) {
		r->unit[i] = sw_gcd(r->plan->problem.from.tile[i], r->plan->problem.to.tile[i]);
		for (int k = 0; k < r->plan->program.steps; k++)
			r->unit[i] = sw_gcd(r->unit[i], r->plan->program.value[k + 1].tile[i]);
	}
}

static void run_measure(run *r)
{
	int64_t stride = 1;
	for (int i = r->rank - 1; i >= 0; i--) {
		r->global[i] = in_units(r, i, r->plan->problem.from.global[i]);
		r->stride[i] = stride;
		stride *= r->global[i];
	}
	r->all = stride;
}

/* Tiles that keep their shape while devices pass on pieces of them: each piece is as many numbers as the others. */
static bool run_choose_pieces(run *r, bool full)
{
	const sw_plan *plan = r->plan;
	int64_t size = sw_type_localsize(&plan->problem.from), pieces = sw_plan_pieces_of_tile(plan);
	bool keeps = pieces > 0 && r->rank > 0;
	for (int k = 0; keeps && k < plan->program.steps; k++)
		keeps = memcmp(plan->program.value[k + 1].tile, plan->program.value->tile,
					(size_t)r->rank * sizeof(int64_t)) == 0;
	if (!keeps)
		return false;
	int64_t most = (size + pieces - 1) / pieces,
			room = STRIP_MEMORY / (2 * (int64_t)sizeof *r->held * pieces * r->devices);
	r->pieces = (int)pieces;
	r->strip = full ? sw_smaller(most, sw_larger(room, 1)) : 1;
	r->passes = full ? (most + r->strip - 1) / r->strip : 1;
	for (int i = 0; i < r->rank; i++) {
		r->unit[i] = plan->problem.from.tile[i];
		r->into[i] = i == r->rank - 1 ? pieces * r->strip : 1;
	}
	r->verdict->pieces = full ? 0 : pieces;
	run_measure(r);
	return true;
}

/* Chooses the units; false where even the smallest data would not fit. */
static bool run_choose(run *r, const sw_verify_options *options)
{
	int64_t memory = options && options->memory > 0 ? options->memory : DEFAULT_MEMORY;
	r->passes = 1;
	if (run_choose_pieces(r, options && options->full))
		return true;
	for (int i = 0; i < r->rank; i++)
		r->unit[i] = r->into[i] = 1;
	if (options && options->scale)
		sw_problem_units(&r->plan->problem, r->unit);
	r->verdict->symbolic = !run_bytes(r, &r->verdict->bytes) || r->verdict->bytes > memory;
	if (r->verdict->symbolic) {
		run_unite(r);
		if (sw_plan_first_pieces(r->plan) >= 0 || !run_bytes(r, &r->verdict->bytes) || r->verdict->bytes > memory)
			return false;
	}
	run_measure(r);
	return true;
}

static bool run_memory(run *r)
{
	r->map = SW_NEW(r->arena, int64_t, r->devices * r->rank);
	r->now_map = SW_NEW(r->arena, int64_t, r->devices * r->rank);
	r->scratch_map = SW_NEW(r->arena, int64_t, r->devices * r->rank);
	r->scratch = sw_arena_here(r->arena);
	return (r->map && r->now_map && r->scratch_map) || sw_diag_memory(r->diag);
}

/* The data does not fit: the maps are checked instead, unless that is who asks. */
static bool cannot_hold(const run *r)
{
	r->verdict->symbolic = true;
	r->verdict->bytes = 0;
	if (r->data_only)
		return sw_diag_set(r->diag, SW_S08, (sw_span){0, 0}, "the data of the plan is too large to be moved");
	return (r->prefix ? sw_plan_check_prefix : sw_plan_check)(r->plan, r->diag);
}

static bool verify_flat(const sw_plan *plan, const sw_verify_options *options, sw_verdict *verdict, sw_diag *diag)
{
	*verdict = (sw_verdict){.right = true, .devices = plan->problem.mesh.devices};
	run r = {
		.plan = plan,
		.pulse = options ? options->pulse : NULL,
		.prefix = options && options->prefix,
		.data_only = options && options->data_only,
		.diag = diag,
		.verdict = verdict,
		.rank = plan->problem.from.rank,
		.devices = plan->problem.mesh.devices,
	};
	if (r.devices > SW_MAX_MAP_DEVICES || !run_choose(&r, options))
		return cannot_hold(&r);
	r.arena = sw_arena_new();
	if (!r.arena)
		return sw_diag_memory(diag);
	r.sums = sw_plan_has_sums(plan);
	bool done = run_memory(&r);
	for (; done && verdict->right && r.pass < r.passes; r.pass++)
		done = run_all(&r, false);
	r.pass -= r.pass > 0;
	if (done && !verdict->right && plan->program.steps > 1 && !r.sums)
		done = run_all(&r, true);
	sw_arena_free(r.arena);
	return done;
}

bool sw_plan_verify(const sw_plan *plan, const sw_verify_options *options, sw_verdict *verdict, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	sw_plan flat;
	int *outer;
	if (!arena || !sw_plan_unfold(plan, arena, &flat, &outer)) {
		sw_arena_free(arena);
		return sw_diag_memory(diag);
	}
	bool done = verify_flat(&flat, options, verdict, diag);
	if (done && !verdict->right)
		verdict->wrong.step = verdict->wrong.step > 0 ? outer[verdict->wrong.step - 1] + 1 : 0;
	sw_arena_free(arena);
	return done;
}
