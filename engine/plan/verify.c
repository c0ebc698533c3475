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
 *
 * Where an end is no tile type, devices store what they have one element after the other, as many as the one with the most, and what is
 * right follows from the holdings.
 */
#include <shardwalk/plan.h>

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/transfers.h>

#include "index/box.h"
#include "plan/between.h"
#include "plan/check.h"
#include "plan/devices.h"
#include "plan/pieces.h"
#include "plan/tile_numbers.h"
#include "plan/shrink.h"

#define NOTHING (-1)
#define FILLING (-1) /* what comes before the first step */
#define DEFAULT_MEMORY ((int64_t)1 << 30)
#define AT_ONCE 2048                    /* numbers that are compared */
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
	bool sums;                   /* at any moment */
	int step;           /* that is executed; FILLING before the first, the number of steps for the comparison */
	sw_held held, next; /* before the step, and after it */
	sw_held compared;   /* `held` where it should be, with the pieces that devices should have */
	const sw_between *between; /* where an end is no tile type; else NULL */
} run;

static bool run_fail(const run *r, int k, const char *reason)
{
	if (k >= r->plan->program.steps)
		return sw_diag_set(r->diag, SW_P05, (sw_span){0, 0}, "the plan cannot be executed: %s", reason);
	return sw_diag_set(r->diag, SW_P05, (sw_span){0, 0}, "step %d ('%s') cannot be executed: %s", k + 1,
		sw_collective_of(r->plan->program.step[k].op)->name, reason);
}

/* ---- numbers ---- */

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

/* The global indices of elements of a tile at `offset`. */
static void indices_fill(const run *r, const int64_t *tile, const int64_t *offset, const sw_tile_part *part,
	int64_t *out)
{
	int64_t row, step[SW_MAX_DIMS] = {0};
	int outer = sw_box_rows(r->rank, tile, r->global, r->global, &row);
	int64_t number = part->begin / row;
	for (int i = outer - 1; i >= 0; i--) {
		step[i] = number % tile[i];
		number /= tile[i];
	}
	for (int64_t begin = part->begin % row, done = 0; done < part->count; begin = 0) {
		int64_t index = r->pass * r->all + begin, end = sw_smaller(done + row - begin, part->count);
		for (int i = 0; i < r->rank; i++)
			index += (offset[i] + step[i]) * r->stride[i];
		while (done < end)
			out[done++] = index++;
		sw_box_next(step, tile, outer);
	}
}

/* Asks, for a device, whether to go on. */
static bool run_beat(void *user, int64_t device)
{
	const run *r = user;
	int steps = r->plan->program.steps;
	if (device % 256 != 0 && r->held.size < 4096 && r->next.size < 4096)
		return true;
	if (sw_pulse_beat(r->pulse, "tiles", (r->step + 1) * r->devices + device, (steps + 2) * r->devices))
		return true;
	if (r->step == FILLING || r->step == steps)
		return sw_diag_set(r->diag, SW_S03, (sw_span){0, 0}, "stopped %s",
			r->step == FILLING ? "before the first step" : "while comparing what all devices hold at the end");
	return sw_diag_set(r->diag, SW_S03, (sw_span){0, 0}, "stopped while executing step %d", r->step + 1);
}

/* ---- between types of any kind ---- */

/* Numbers of a device while they are made. */
struct between_numbers {
	int64_t terms;
	int64_t *out;
};

static bool put_numbers(void *user, int64_t term, const sw_loops *loops)
{
	const struct between_numbers *n = user;
	int64_t step[SW_LOOPS] = {0};
	do {
		int64_t index = loops->from, at = loops->into;
		for (int i = 0; i < loops->loops; i++) {
			index += step[i] * loops->from_by[i];
			at += step[i] * loops->into_by[i];
		}
		if (n->terms > 1)
			n->out[at] = (int64_t)((uint64_t)n->out[at] + (uint64_t)term_value(index, term, n->terms));
		else
			n->out[at] = index;
	} while (sw_box_next(step, loops->count, loops->loops));
	return true;
}

/* What is right on a device at an end; what it does not store is what nothing has come to. */
static bool between_fill(const run *r, int end, int64_t device, int64_t size, int64_t *out)
{
	struct between_numbers numbers = {r->between->terms, out};
	sw_arena_mark mark = sw_arena_here(r->arena);
	for (int64_t e = 0; e < size; e++)
		out[e] = r->sums ? 0 : NOTHING;
	bool done = sw_between_right(r->between, end, device, r->arena, put_numbers, &numbers);
	sw_arena_back(r->arena, mark);
	return done || sw_diag_memory(r->diag);
}

static bool between_lay(const run *r, int k, sw_held *held)
{
	int64_t *size = held->arena ? SW_NEW(held->arena, int64_t, 1) : NULL;
	if (!size)
		return sw_diag_memory(r->diag);
	*size = held->size = r->plan->program.value[k].localsize;
	held->tiles = (sw_tiles){.rank = 1, .devices = r->devices, .global = size, .tile = size, .terms = 1};
	return true;
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
static bool run_sound(const run *r, const sw_value *made, const int64_t *now)
{
	for (int i = 0; i < r->rank; i++)
		if (made->tile[i] < 1 || made->tile[i] % r->unit[i] != 0 || r->global[i] % now[i] != 0)
			return false;
	return made->type || made->map || made->pieces;
}

/* The tiles before and after fit the entries, so that every box lies inside its tile. */
static bool run_fits(const run *r, int k, const int64_t *now)
{
	const sw_step *step = &r->plan->program.step[k];
	int64_t want[SW_MAX_DIMS], in, out;
	size_t bytes = (size_t)r->rank * sizeof *want;
	memcpy(want, r->held.tiles.tile, bytes);
	if (!run_sound(r, &r->plan->program.value[k + 1], now) ||
		!run_entries(r, step->gather, step->gathers, false, want, &in) ||
		!run_entries(r, step->split, step->splits, true, want, &out))
		return false;
	if (sw_step_on_pieces(r->plan, k))
		return memcmp(r->held.tiles.tile, now, bytes) == 0;
	if (sw_collective_of(step->op)->among == SW_AMONG_ALL)
		return true;
	int64_t members = sw_step_members(r->plan, k);
	if (members > 0 && step->splits > 0 && members != out)
		return false;
	return step->group_size == members && memcmp(want, now, bytes) == 0;
}

static int64_t in_units(const run *r, int dim, int64_t elements)
{
	return elements / r->unit[dim] * r->into[dim];
}

static void run_tile(const run *r, const int64_t *tile, int64_t *out, int64_t *size)
{
	*size = 1;
	for (int i = 0; i < r->rank; i++) {
		out[i] = in_units(r, i, tile[i]);
		*size *= out[i];
	}
}

/* Base offsets in units. */
static bool run_map(const run *r, int k, const int64_t *tile, int64_t *map)
{
	for (int64_t n = 0; n < r->devices * r->rank; n++) {
		int i = (int)(n % r->rank);
		if (map[n] < 0 || map[n] % r->unit[i] != 0 || in_units(r, i, map[n]) + tile[i] > r->global[i])
			return run_fail(r, k > 0 ? k - 1 : 0, "a tile is off the grid");
		map[n] = in_units(r, i, map[n]);
	}
	return true;
}

/* Which tiles devices have after step k - 1, in units. */
static bool run_lay(const run *r, int k, sw_held *held)
{
	sw_arena *arena = held->arena ? held->arena : sw_arena_new();
	*held = (sw_held){.arena = arena, .dtype = SW_I64};
	if (r->between)
		return between_lay(r, k, held);
	int64_t *tile = arena ? SW_NEW(arena, int64_t, SW_MAX_DIMS) : NULL;
	if (!tile)
		return sw_diag_memory(r->diag);
	run_tile(r, r->plan->program.value[k].tile, tile, &held->size);
	if (k > 0 && !run_fits(r, k - 1, tile))
		return run_fail(r, k - 1, "its tile does not match the factors");
	int64_t *map = (int64_t *)(uintptr_t)sw_plan_device_map(r->plan, k, arena, r->diag);
	if (!map || !run_map(r, k, tile, map))
		return false;
	held->tiles = (sw_tiles){.rank = r->rank, .devices = r->devices, .global = r->global, .tile = tile, .at = map};
	return sw_plan_terms(r->plan, k, arena, &held->tiles, r->diag);
}

/* Of boxes of tiles, or of the only dimension that the numbers of a tile in pieces have. */
static const sw_transfers *run_transfers(const run *r, int k)
{
	sw_tiles tiles[2] = {r->held.tiles, r->next.tiles};
	bool pieces = sw_step_on_pieces(r->plan, k);
	int64_t ignored;
	sw_diag why = {.code = SW_OK};
	if (pieces && !sw_step_piece_tiles(r->plan, k, r->arena, &ignored, tiles, r->diag))
		return NULL;
	for (int i = 0; pieces && i < 2; i++)
		tiles[i].global = tiles[i].tile = &r->held.size;
	const sw_transfers *transfers = r->between ?
		sw_between_transfers(r->between, &r->plan->program.step[k], r->arena, &why) :
		sw_plan_transfers_of(r->plan, k, tiles, r->arena, &why);
	if (transfers == NULL && why.code == SW_P05)
		run_fail(r, k, why.message);
	else if (transfers == NULL && r->diag)
		*r->diag = why;
	return transfers;
}

static bool run_step(run *r, int k)
{
	sw_arena_mark mark = sw_arena_here(r->arena);
	r->step = k;
	const sw_transfers *transfers = run_lay(r, k + 1, &r->next) ? run_transfers(r, k) : NULL;
	if (transfers)
		r->next.data = sw_devices_step(transfers, SW_I64, r->held.data, run_beat, r, r->diag);
	sw_arena_back(r->arena, mark);
	sw_held before = r->held;
	r->held = r->next;
	r->next = (sw_held){.arena = before.arena};
	sw_arena_clear(before.arena);
	free(before.data);
	return r->held.data;
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
	int64_t tile = sw_tile_number(r->rank, from->global, from->tile, index), offset[SW_MAX_DIMS];
	for (int64_t p = 0; p < r->devices; p++) {
		sw_type_offset(&r->plan->problem.mesh, from, p, offset);
		if (sw_tile_number(r->rank, from->global, from->tile, offset) == tile)
			return sw_device_at(r->plan->problem.mesh.order, p);
	}
	return -1;
}

/* ---- the same between types of any kind ---- */

static bool right_between(void *user, const sw_tile_part *part, void *out)
{
	const run *r = user;
	return run_beat(user, part->n) && between_fill(r, r->plan->program.steps > 0, part->device, part->count, out);
}

/* The first device that has an element before. */
static int64_t between_holder(const run *r, const int64_t *index)
{
	for (int64_t d = 0; d < r->devices; d++)
		if (sw_holding_has(&r->between->end[0], d, index))
			return d;
	return -1;
}

/* Of a number beyond what the device stores nothing is known. */
static bool between_wrong(run *r, const sw_difference *wrong)
{
	sw_verdict *v = r->verdict;
	sw_local local;
	int64_t element[SW_MAX_DIMS] = {0};
	v->right = false;
	v->wrong.copy_of = v->wrong.expected_from = v->wrong.found_from = -1;
	v->wrong.device = wrong->device;
	v->wrong.step = r->plan->program.steps;
	v->wrong.found[0] = NOTHING;
	if (!sw_between_local(r->between, 1, wrong->device, r->arena, &local))
		return sw_diag_memory(r->diag);
	if (sw_local_element(&local, wrong->at, element, v->wrong.index))
		v->wrong.expected_from = between_holder(r, element);
	memcpy(v->wrong.expected, element, sizeof element);
	if (r->sums) {
		v->wrong.sum = wrong->found;
		v->wrong.terms = 1;
	} else if ((int64_t)wrong->found != NOTHING) {
		wrong_index(r, (int64_t)wrong->found, v->wrong.found);
		v->wrong.found_from = between_holder(r, v->wrong.found);
	}
	return true;
}

/* All that is compared. */
static int64_t between_elements(const run *r)
{
	int64_t all = 0;
	for (int64_t d = 0; d < r->devices; d++)
		all += sw_holding_size(&r->between->end[1], d);
	return all;
}

static bool between_compare(run *r, bool *right)
{
	sw_comparison how = {&r->held, NULL, r->held.size, right_between, r, 0, NULL};
	sw_difference wrong;
	r->step = r->plan->program.steps;
	if (!sw_held_compare(&how, &wrong, r->diag))
		return false;
	*right = wrong.device < 0;
	return *right || between_wrong(r, &wrong);
}

/* ---- of tiles ---- */

/* The first element of a number of a tile: of a block, or of so much of a piece. */
static void verdict_index(run *r, int64_t element, const int64_t *offset)
{
	sw_verdict *v = r->verdict;
	const int64_t *tile = r->plan->problem.from.tile;
	if (r->pieces)
		element = sw_piece_begin(sw_type_localsize(&r->plan->problem.from), r->pieces, (int)(element / r->strip)) +
			element % r->strip + r->pass * r->strip;
	for (int i = r->rank - 1; i >= 0; i--) {
		int64_t size = r->pieces ? tile[i] : r->held.tiles.tile[i], unit = r->pieces ? 1 : r->unit[i];
		v->wrong.index[i] = element % size * unit;
		v->wrong.expected[i] = offset[i] / r->into[i] * r->unit[i] + v->wrong.index[i];
		element /= size;
	}
}

static void verdict_wrong(run *r, int step, const sw_difference *wrong)
{
	sw_verdict *v = r->verdict;
	const sw_tiles *tiles = &r->compared.tiles;
	v->right = false;
	v->wrong.copy_of = wrong->copy_of;
	v->wrong.device = wrong->device;
	v->wrong.step = step;
	verdict_index(r, wrong->at, tiles->at + wrong->device * r->rank);
	v->wrong.expected_from = wrong_holder(r, v->wrong.expected);
	v->wrong.found[0] = NOTHING;
	v->wrong.found_from = -1;
	if (r->sums) {
		v->wrong.sum = wrong->found;
		v->wrong.terms = tiles->terms;
		v->wrong.term = tiles->terms > 1 ? sw_held_term(&r->compared, wrong->device) : 0;
	} else if ((int64_t)wrong->found != NOTHING) {
		wrong_index(r, (int64_t)wrong->found, v->wrong.found);
		v->wrong.found_from = wrong_holder(r, v->wrong.found);
	}
}

/* What a number of a tile is where these of its first terms are added up. */
static uint64_t sum_of(int64_t index, int64_t terms, const uint64_t *which)
{
	uint64_t sum = 0;
	for (int64_t t = 0; t < terms; t++)
		if (which[t / 64] >> t % 64 & 1)
			sum += (uint64_t)term_value(index, t, terms);
	return sum;
}

/* Indices become the sums that pieces say.  Other pieces may be anything. */
static void pieces_fill(const run *r, const sw_tile_part *part, int64_t *out)
{
	const sw_pieces *pieces = r->compared.tiles.pieces;
	const int64_t *found = (const int64_t *)(const void *)sw_held_by(&r->compared, part->device) + part->begin;
	int piece = 0;
	for (int64_t e = 0; e < part->count; e++) {
		while (part->begin + e >= sw_piece_begin(r->held.size, pieces->count, piece + 1))
			piece++;
		out[e] = sw_pieces_has(pieces, part->device, piece) ?
			(int64_t)sum_of(out[e], r->held.tiles.terms, sw_pieces_terms(pieces, part->device, piece)) :
			found[e];
	}
}

static bool right_numbers(void *user, const sw_tile_part *part, void *out)
{
	const run *r = user;
	const sw_tiles *tiles = &r->compared.tiles;
	if (part->begin == 0 && !run_beat(user, part->n))
		return false;
	indices_fill(r, tiles->tile, tiles->at + part->device * r->rank, part, out);
	if (tiles->pieces)
		pieces_fill(r, part, out);
	return true;
}

/* Compares all tiles with a map, or devices with the sums that their pieces say: of terms that were sums already it is not known which
 * numbers they are.  The first that differs goes into the verdict as one after `step`.  false: stopped, or it cannot be told. */
static bool run_compare(run *r, int step, const int64_t *map, bool *right)
{
	sw_comparison how = {&r->compared, NULL, sw_smaller(r->held.size, AT_ONCE), right_numbers, r, 0, NULL};
	const sw_pieces *pieces = r->plan->program.value[step].pieces;
	sw_difference wrong;
	if (pieces && sw_plan_sums_before(r->plan, step) != r->plan->program.value->type)
		return true;
	r->step = r->plan->program.steps;
	r->compared = r->held;
	r->compared.tiles.at = map;
	if (pieces) {
		r->compared.tiles.terms = 1;
		r->compared.tiles.pieces = sw_plan_device_pieces(r->plan, step, pieces->count, r->arena, r->diag);
		if (!r->compared.tiles.pieces)
			return false;
	}
	if (!sw_held_compare(&how, &wrong, r->diag))
		return !wrong.why ? false : run_fail(r, 0, wrong.why);
	*right = wrong.device < 0;
	if (!*right)
		verdict_wrong(r, step, &wrong);
	return true;
}

static bool run_start(run *r)
{
	r->step = FILLING;
	if (!run_lay(r, 0, &r->held))
		return false;
	const sw_tiles *tiles = &r->held.tiles;
	r->held.data = malloc((size_t)(r->devices * r->held.size + 1) * sizeof(int64_t));
	if (!r->held.data)
		return sw_diag_memory(r->diag);
	for (int64_t d = 0; d < r->devices; d++) {
		int64_t *tile = (int64_t *)(void *)sw_held_by(&r->held, d);
		if (!run_beat(r, d))
			return false;
		if (r->between) {
			if (!between_fill(r, 0, d, r->held.size, tile))
				return false;
			continue;
		}
		indices_fill(r, tiles->tile, tiles->at + d * r->rank, &(sw_tile_part){.count = r->held.size}, tile);
		for (int64_t e = 0; tiles->terms > 1 && e < r->held.size; e++)
			tile[e] = term_value(tile[e], sw_held_term(&r->held, d), tiles->terms);
	}
	return true;
}

/* The comparison with what `to` says. */
static bool run_compare_end(run *r, bool *right)
{
	const sw_type *to = &r->plan->problem.to;
	int64_t want[SW_MAX_DIMS], size;
	int last = r->plan->program.steps > 0 ? r->plan->program.steps - 1 : 0;
	if (r->between)
		return between_compare(r, right);
	run_tile(r, to->tile, want, &size);
	if (r->plan->program.value[r->plan->program.steps].pieces)
		return sw_plan_reaches(r->plan, r->diag);
	if (memcmp(want, r->held.tiles.tile, (size_t)r->rank * sizeof *want) != 0)
		return run_fail(r, last, "the last tile is not that of 'to'");
	const int64_t *order = sw_problem_to_order(&r->plan->problem);
	if (r->sums && !sw_plan_reaches(r->plan, NULL))
		return run_fail(r, last, "its sums are not those of 'to'");
	int64_t *map = SW_NEW(r->arena, int64_t, r->devices * r->rank);
	if (!map)
		return sw_diag_memory(r->diag);
	for (int64_t p = 0; p < r->devices; p++)
		sw_type_offset(&r->plan->problem.mesh, to, p, map + sw_device_at(order, p) * r->rank);
	for (int64_t n = 0; n < r->devices * r->rank; n++)
		map[n] = in_units(r, (int)(n % r->rank), map[n]);
	return run_compare(r, r->plan->program.steps, map, right);
}

/* All steps, then the comparison with `to`; with `trace` also one after every step with what the plan says
 * there. */
static bool run_all(run *r, bool trace)
{
	bool done = run_start(r), right = true;
	for (int k = 0; done && right && k < r->plan->program.steps; k++) {
		done = run_step(r, k);
		if (done && (trace || (r->sums && r->passes == 1 && !r->between)) && k + 1 < r->plan->program.steps)
			done = run_compare(r, k + 1, r->held.tiles.at, &right);
	}
	if (done && right)
		done = r->prefix && !r->between ? run_compare(r, r->plan->program.steps, r->held.tiles.at, &right) :
										  run_compare_end(r, &right);
	bool strips = r->pieces && r->verdict->pieces == 0; /* have more than their pieces */
	r->verdict->elements = done ? r->devices * (strips ? sw_type_localsize(&r->plan->problem.from) : r->held.size) :
								  0;
	if (done && r->between)
		r->verdict->elements = between_elements(r);
	if (r->pieces)
		r->verdict->bytes = r->verdict->elements * (int64_t)sizeof(int64_t);
	sw_held_free(&r->held);
	sw_held_free(&r->next);
	return done;
}

/* ---- how much data ---- */

/* Bytes of all tiles at the highest point; false where that does not even fit a number. */
static bool run_bytes(const run *r, int64_t *bytes)
{
	int64_t tile[SW_MAX_DIMS], before = 0, after, most = 0, total;
	for (int k = 0; k <= r->plan->program.steps; k++) {
		if (r->between)
			after = r->plan->program.value[k].localsize;
		else
			run_tile(r, r->plan->program.value[k].tile, tile, &after);
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
			room = STRIP_MEMORY / (2 * (int64_t)sizeof(int64_t) * pieces * r->devices);
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
	if (!r->between && run_choose_pieces(r, options && options->full))
		return true;
	for (int i = 0; i < r->rank; i++)
		r->unit[i] = r->into[i] = 1;
	if (options && options->scale && !r->between)
		sw_problem_units(&r->plan->problem, r->unit);
	r->verdict->symbolic = !run_bytes(r, &r->verdict->bytes) || r->verdict->bytes > memory;
	if (r->verdict->symbolic && r->between)
		return false;
	if (r->verdict->symbolic) {
		run_unite(r);
		if (sw_plan_first_pieces(r->plan) >= 0 || !run_bytes(r, &r->verdict->bytes) || r->verdict->bytes > memory)
			return false;
	}
	run_measure(r);
	return true;
}

/* The data does not fit: the maps are checked instead, unless that is who asks. */
static bool cannot_hold(const run *r)
{
	r->verdict->symbolic = true;
	r->verdict->bytes = 0;
	if (r->data_only)
		return sw_diag_set(r->diag, SW_S08, (sw_span){0, 0}, "the data of the plan is too large to move");
	return (r->prefix ? sw_plan_check_prefix : sw_plan_check)(r->plan, r->diag);
}

static bool run_ends(run *r)
{
	bool any = sw_problem_has_words(&r->plan->problem);
	r->sums = sw_plan_has_sums(r->plan);
	if (any)
		r->between = sw_between_of(&r->plan->problem, r->arena, r->diag);
	r->sums = r->between ? r->between->terms > 1 || r->between->end[1].terms > 1 : r->sums;
	return !any || r->between;
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
	r.arena = sw_arena_new();
	if (!r.arena)
		return sw_diag_memory(diag);
	bool done = run_ends(&r);
	if (done && (r.devices > SW_MAX_MAP_DEVICES || !run_choose(&r, options))) {
		sw_arena_free(r.arena);
		return cannot_hold(&r);
	}
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
