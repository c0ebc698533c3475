/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan to the copies of one rank.
 */
#include "program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

enum { ALIGNMENT = 64, MOST_RANKS = 4096 };

const int64_t *ex_program_tile(const ex_program *program, int k)
{
	assert(k >= 0 && k <= program->count);
	return program->plan->program.value[k].tile;
}

const int64_t *ex_program_base(const ex_program *program, int k, int d)
{
	assert(k >= 0 && k <= program->count && d >= 0 && d < program->ranks);
	return program->map[k] + (int64_t)d * program->plan->problem.from.rank;
}

int64_t ex_program_terms(const ex_program *program, int k)
{
	assert(k >= 0 && k <= program->count);
	return program->terms[k].term ? program->terms[k].terms : 1;
}

int64_t ex_program_term(const ex_program *program, int k, int d)
{
	assert(k >= 0 && k <= program->count && d >= 0 && d < program->ranks);
	return program->terms[k].term ? program->terms[k].term[d] : 0;
}

static bool tile_bytes(const ex_program *program, int k, int64_t *bytes)
{
	const int64_t *tile = ex_program_tile(program, k);
	*bytes = program->element;
	if (program->between)
		return sw_mul(*bytes, program->plan->program.value[k].localsize, bytes);
	for (int i = 0; i < program->plan->problem.from.rank; i++)
		if (!sw_mul(*bytes, tile[i], bytes))
			return false;
	return true;
}

/* ---- moves ---- */

static int64_t offset_in(const int64_t *tile, const int64_t *at, int rank)
{
	int64_t at_offset = 0;
	for (int i = 0; i < rank; i++)
		at_offset = at_offset * tile[i] + at[i];
	return at_offset;
}

static void move_of(const ex_program *program, int k, const sw_transfer *box, ex_move *move)
{
	int rank = program->plan->problem.from.rank;
	const int64_t *old = ex_program_tile(program, k), *new = ex_program_tile(program, k + 1);
	move->bytes = program->element;
	for (int i = 0; i < rank; i++)
		move->bytes *= box->extent[i];
	move->from = offset_in(old, box->from_at, rank) * program->element;
	move->into = offset_in(new, box->to_at, rank) * program->element;
	ex_shape_set(&move->shape, rank, program->element, box->extent, old, new);
}

/* What this rank gets from each other one, or what each gets from it. */
static int list_moves(const ex_program *program, int k, const sw_transfers *transfers, bool in, ex_move *move)
{
	int me = program->rank, count = 0;
	for (int r = 0; r < program->ranks; r++) {
		int peer = in ? (me - r + program->ranks) % program->ranks : (me + r) % program->ranks;
		sw_transfer box;
		if (!sw_transfers_between(transfers, in ? peer : me, in ? me : peer, &box))
			continue;
		move_of(program, k, &box, &move[count]);
		move[count++].peer = peer;
	}
	return count;
}

/* The same where devices have others than tiles: one after the other, sender after sender.  With `move` NULL, how many there are. */
static int list_loops(const ex_program *program, const sw_transfers *transfers, bool in, ex_move *move)
{
	int me = program->rank, count = 0;
	for (int r = 0; r < program->ranks; r++) {
		int peer = in ? (me - r + program->ranks) % program->ranks : (me + r) % program->ranks;
		int from = in ? peer : me, to = in ? me : peer;
		for (int64_t n = 0, all = sw_transfers_into(transfers, to); n < all; n++) {
			sw_transfer moved;
			if (!sw_transfers_get(transfers, to, n, &moved) || moved.from != from)
				continue;
			if (move) {
				move[count] = (ex_move){.peer = peer,
					.bytes = moved.loops->elements * program->element,
					.from = moved.loops->from * program->element,
					.into = moved.loops->into * program->element};
				ex_shape_of(&move[count].shape, program->element, moved.loops);
			}
			count++;
		}
	}
	return count;
}

static ex_move *keep_moves(sw_arena *arena, const ex_move *move, int count)
{
	ex_move *kept = SW_NEW(arena, ex_move, count);
	if (kept && count)
		memcpy(kept, move, sizeof(ex_move) * (size_t)count);
	return kept;
}

static sw_tiles tiles_of(const ex_program *program, int k)
{
	const sw_type *from = &program->plan->problem.from;
	sw_tiles tiles = program->terms[k];
	tiles.rank = from->rank;
	tiles.devices = program->ranks;
	tiles.global = from->global;
	tiles.tile = ex_program_tile(program, k);
	tiles.at = program->map[k];
	return tiles;
}

static const sw_transfers *transfers_of(const ex_program *program, int k, sw_arena *arena, ex_fault *fault)
{
	sw_diag why;
	const sw_transfers *transfers;
	if (program->between) {
		transfers = sw_plan_transfers(program->plan, k, arena, &why);
	} else {
		sw_tiles before = tiles_of(program, k), after = tiles_of(program, k + 1);
		transfers = sw_transfers_new(program->steps[k].step, &before, &after, arena, &why);
	}
	if (transfers == NULL && why.code == SW_P05)
		ex_fault_set(fault, EX_NO, "P05", "step %d cannot be run: %s", k + 1, why.message);
	else if (transfers == NULL)
		ex_fault_of(fault, &why);
	return transfers;
}

/* ---- sums ---- */

static bool same_place(const ex_move *a, const ex_move *b)
{
	return a->into == b->into && a->bytes == b->bytes;
}

/* Moves to one place are terms of one sum. */
static bool list_boxes(ex_step *step, sw_arena *arena)
{
	int *all = SW_NEW(arena, int, step->ins);
	step->box = SW_NEW_ZERO(arena, ex_box, step->ins);
	if (!all || !step->box)
		return false;
	for (int i = 0; i < step->ins; i++) {
		bool seen = false;
		for (int b = 0; b < step->boxes; b++)
			seen |= same_place(&step->in[step->box[b].in[0]], &step->in[i]);
		if (seen)
			continue;
		ex_box *box = &step->box[step->boxes++];
		box->in = all;
		for (int n = i; n < step->ins; n++)
			if (same_place(&step->in[i], &step->in[n]))
				box->in[box->count++] = n;
		all += box->count;
	}
	return true;
}

/* What ranks have may overlap in any way: all moves are of one box, and are added to what is there. */
static bool list_one_box(ex_step *step, sw_arena *arena)
{
	int *all = SW_NEW(arena, int, step->ins + 1);
	step->box = SW_NEW_ZERO(arena, ex_box, 1);
	if (!all || !step->box)
		return false;
	for (int i = 0; i < step->ins; i++)
		all[i] = i;
	*step->box = (ex_box){step->ins, all};
	step->boxes = step->overlaps = 1;
	return true;
}

/* Moves are in the order of rounds; terms are added in that of ranks, so that all ranks add in one order. */
static void order_terms(const ex_step *step)
{
	for (int b = 0; b < step->boxes; b++) {
		int *in = step->box[b].in;
		for (int i = 1; i < step->box[b].count; i++)
			for (int n = i; n > 0 && step->in[in[n]].peer < step->in[in[n - 1]].peer; n--) {
				int swap = in[n];
				in[n] = in[n - 1];
				in[n - 1] = swap;
			}
	}
}

static int by_peer(const void *left, const void *right)
{
	return ((const ex_move *)left)->peer - ((const ex_move *)right)->peer;
}

/* The n-th of `parts` parts of a tile, in bytes that begin on whole lines of the cache. */
static int64_t part_at(const ex_program *program, int64_t bytes, int n, int parts)
{
	int64_t unit = bytes >= (int64_t)ALIGNMENT * parts * 4 ? ALIGNMENT : program->element;
	return n == parts ? bytes : bytes / unit * n / parts * unit;
}

static ex_move part_move(const ex_program *program, const ex_step *step, const ex_move *whole, int n)
{
	int64_t at = part_at(program, step->after, n, step->ins),
			bytes = part_at(program, step->after, n + 1, step->ins) - at;
	return (ex_move){.peer = whole->peer,
		.bytes = bytes,
		.from = at,
		.into = at,
		.shape = {.run = bytes > 0 ? bytes : program->element, .runs = bytes > 0 ? 1 : 0}};
}

/* Whole tiles of a group to all of it, added: each member adds one part, and then all gather the parts. */
static bool is_all_reduce(const ex_step *step)
{
	bool whole = sw_sums_whole(step->step->op) && step->ins > 1 && step->ins == step->outs &&
		step->before == step->after;
	for (int i = 0; whole && i < step->ins; i++)
		whole = step->in[i].bytes == step->after && step->out[i].bytes == step->after;
	return whole;
}

static bool split_all_reduce(const ex_program *program, ex_step *step, sw_arena *arena)
{
	int members = step->ins, me = 0, count = 0;
	ex_step *then = SW_NEW_ZERO(arena, ex_step, 1);
	ex_move *whole = SW_NEW(arena, ex_move, members), *in = SW_NEW(arena, ex_move, members),
			*out = SW_NEW(arena, ex_move, members);
	if (!then || !whole || !in || !out)
		return false;
	memcpy(whole, step->in, (size_t)members * sizeof(*whole));
	qsort(whole, (size_t)members, sizeof(*whole), by_peer);
	while (whole[me].peer != program->rank)
		me++;
	*then = *step;
	then->adds = then->fills = then->clears = false;
	for (int r = 1; r < members; r++, count++) {
		int before = (me - r + members) % members, after = (me + r) % members;
		in[count] = part_move(program, step, &whole[before], before);
		out[count] = part_move(program, step, &whole[me], me);
		out[count].peer = whole[after].peer;
	}
	then->in = in;
	then->out = out;
	then->ins = then->outs = count;
	for (int r = 0; r < members; r++) {
		int before = (me - r + members) % members, after = (me + r) % members;
		step->in[r] = part_move(program, step, &whole[me], me);
		step->in[r].peer = whole[before].peer;
		step->out[r] = part_move(program, step, &whole[after], after);
	}
	step->then = then;
	return true;
}

/* ---- steps ---- */

/* Of boxes that are added the place counts once. */
static bool covered(const ex_program *program, int k, ex_step *step, ex_fault *fault)
{
	int64_t sum = 0;
	if (program->between) /* the checker has seen it */
		return step->clears = step->adds, true;
	for (int b = 0; b < step->boxes; b++)
		sum += step->in[step->box[b].in[0]].bytes;
	for (int i = 0; !step->adds && i < step->ins; i++)
		sum += step->in[i].bytes;
	step->clears = step->fills && sum < step->after;
	if (sum == step->after || step->clears)
		return true;
	return ex_fault_set(fault, EX_NO, "P05", "step %d brings %lld of the %lld bytes of the tile on device %d", k + 1,
		(long long)sum, (long long)step->after, program->rank);
}

/* The moves that come, or those that go. */
static ex_move *moves_of(const ex_program *program, int k, const sw_transfers *transfers, bool in, ex_move *scratch,
	sw_arena *arena, int *count)
{
	if (!program->between) {
		*count = list_moves(program, k, transfers, in, scratch);
		return keep_moves(arena, scratch, *count);
	}
	*count = list_loops(program, transfers, in, NULL);
	ex_move *move = SW_NEW(arena, ex_move, *count + 1);
	if (move)
		list_loops(program, transfers, in, move);
	return move;
}

static bool step_moves(const ex_program *program, int k, ex_step *step, ex_move *scratch, sw_arena *arena,
	ex_fault *fault)
{
	sw_arena *brief = sw_arena_new();
	const sw_transfers *transfers = brief ? transfers_of(program, k, brief, fault) : NULL;
	if (transfers) {
		step->in = moves_of(program, k, transfers, true, scratch, arena, &step->ins);
		step->out = moves_of(program, k, transfers, false, scratch, arena, &step->outs);
		step->adds = sw_transfers_add(transfers);
		step->fills = sw_transfers_fill(transfers);
	}
	sw_arena_free(brief);
	if (transfers && step->in && step->out &&
		(!step->adds || (program->between ? list_one_box : list_boxes)(step, arena)))
		return true;
	return brief && !transfers ? false : ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
}

int64_t ex_program_elements(const ex_program *program, int k)
{
	if (program->between)
		return sw_holding_size(&program->between->end[k > 0], program->rank);
	return ex_tile_elements(program->plan, k);
}

int64_t ex_tile_elements(const sw_plan *plan, int k)
{
	assert(k >= 0 && k <= plan->program.steps);
	int64_t elements = 1;
	for (int i = 0; i < plan->problem.from.rank; i++)
		elements *= plan->program.value[k].tile[i];
	return elements;
}

/* Bytes of the pieces that the members of groups have after a step that passes them on. */
static bool landing_of_pieces(const ex_program *program, int k, int64_t *landing, sw_arena *arena)
{
	const sw_plan *plan = program->plan;
	const sw_step *step = &plan->program.step[k];
	int64_t size = ex_tile_elements(plan, k);
	const sw_pieces *after = sw_plan_pieces(plan, k + 1, sw_plan_pieces_of_tile(plan), arena, NULL);
	for (int64_t m = 0; after && m < step->grouped; m++)
		for (int p = 0; p < after->count; p++)
			if (sw_pieces_has(after, step->groups[m], p))
				*landing += (sw_piece_begin(size, after->count, p + 1) - sw_piece_begin(size, after->count, p)) *
					program->element;
	return after;
}

/* Bytes that land in new tiles, over all ranks. */
static int64_t landing_of(const ex_program *program, const ex_step *step)
{
	int64_t elements = 0;
	if (!program->between)
		return step->after * program->ranks;
	for (int d = 0; d < program->ranks; d++)
		elements += sw_holding_size(&program->between->end[1], d);
	return elements * program->element;
}

static bool step_make(ex_program *program, int k, ex_move *scratch, sw_arena *arena, ex_fault *fault)
{
	ex_step *step = &program->steps[k];
	sw_diag diag = {0};
	sw_step *on_ranks = SW_NEW(arena, sw_step, 1);
	step->step = on_ranks;
	if (!on_ranks)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	if (!sw_step_on_devices(program->plan, k, arena, on_ranks, &diag))
		return ex_fault_of(fault, &diag);
	if (!tile_bytes(program, k, &step->before) || !tile_bytes(program, k + 1, &step->after))
		return ex_fault_set(fault, EX_NO, "T10", "a tile of step %d is too large", k + 1);
	step->passes = on_ranks->passing != SW_PASSES_AT_ONCE;
	program->passing += step->passes;
	if (step->passes)
		return landing_of_pieces(program, k, &step->landing, arena) ||
			ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	step->landing = landing_of(program, step);
	if (!step_moves(program, k, step, scratch, arena, fault) || !covered(program, k, step, fault))
		return false;
	if (is_all_reduce(step) && !split_all_reduce(program, step, arena))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	order_terms(step);
	return true;
}

/* Tiles stand at the low and the high end of the region by turns. */
static bool place_tiles(ex_program *program, ex_fault *fault)
{
	int64_t size;
	if (!tile_bytes(program, 0, &program->peak))
		return ex_fault_set(fault, EX_NO, "T10", "a tile is too large");
	for (int k = 0; k < program->count; k++) {
		const ex_step *step = &program->steps[k];
		if (!sw_add(step->before, step->passes ? 0 : step->after, &size))
			return ex_fault_set(fault, EX_NO, "T10", "the tiles of step %d are too large", k + 1);
		program->peak = sw_larger(program->peak, size);
	}
	if (!sw_add(program->peak, 2 * ALIGNMENT, &size))
		return ex_fault_set(fault, EX_NO, "T10", "the tiles are too large");
	program->region = size / ALIGNMENT * ALIGNMENT;
	for (int k = 0; k < program->count; k++) {
		ex_step *step = &program->steps[k];
		step->tile_before = program->tile_last;
		if (step->passes)
			step->tile_after = step->tile_before;
		else
			step->tile_after = program->tile_last ? 0 : (program->region - step->after) / ALIGNMENT * ALIGNMENT;
		program->tile_last = step->tile_after;
		if (step->then)
			step->then->tile_before = step->then->tile_after = step->tile_after;
	}
	return true;
}

void ex_program_place(ex_program *program, const int64_t *at)
{
	program->tile_last = at[program->count];
	for (int k = 0; k < program->count; k++) {
		ex_step *step = &program->steps[k];
		step->tile_before = at[k];
		step->tile_after = at[k + 1];
		if (step->then)
			step->then->tile_before = step->then->tile_after = step->tile_after;
	}
}

static bool find_adder(ex_program *program, ex_fault *fault)
{
	sw_dtype dtype = program->dtype;
	program->adder = ex_adder_of(dtype);
	if (program->adder)
		return true;
	ex_fault_set(fault, EX_NO, "P05", "elements of type %s are not added on ranks", sw_dtype_name(dtype));
	return ex_fault_hint(fault, "`verify` executes the plan in one process; bf16, f16 and wider types run");
}

bool ex_program_adds_moves(ex_program *program, ex_step *step, sw_arena *arena, ex_fault *fault)
{
	if (!find_adder(program, fault))
		return false;
	if (!list_one_box(step, arena))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	order_terms(step);
	return true;
}

/* What ranks have where an end is no tile type. */
static bool read_between(ex_program *program, sw_arena *arena, ex_fault *fault)
{
	sw_diag diag = {0};
	program->between = sw_between_of(&program->plan->problem, arena, &diag);
	program->terms = SW_NEW_ZERO(arena, sw_tiles, program->count + 1);
	if (!program->between)
		return ex_fault_of(fault, &diag);
	if (!program->terms)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	bool adds = program->between->terms > 1 || program->between->end[1].terms > 1;
	return !adds || find_adder(program, fault);
}

/* Ranks are devices. */
static bool read_maps(ex_program *program, sw_arena *arena, ex_fault *fault)
{
	program->map = SW_NEW(arena, const int64_t *, program->count + 1);
	for (int k = 0; program->map && k <= program->count; k++) {
		sw_diag diag = {0};
		program->map[k] = sw_plan_device_map(program->plan, k, arena, &diag);
		if (!program->map[k])
			return ex_fault_of(fault, &diag);
	}
	return program->map || ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
}

static bool read_terms(ex_program *program, sw_arena *arena, ex_fault *fault)
{
	sw_diag diag = {0};
	const sw_plan *plan = program->plan;
	program->terms = SW_NEW_ZERO(arena, sw_tiles, program->count + 1);
	if (!program->terms)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	if (!sw_plan_has_sums(plan))
		return true;
	for (int k = 0; k <= program->count; k++)
		if (!sw_plan_terms(plan, k, arena, &program->terms[k], &diag))
			return ex_fault_of(fault, &diag);
	return find_adder(program, fault);
}

bool ex_program_make(const sw_plan *plan, int rank, sw_arena *arena, ex_program *program, ex_fault *fault)
{
	assert(rank >= 0);
	if (plan->problem.mesh.devices > MOST_RANKS)
		return ex_fault_set(fault, EX_NO, "S08", "%lld devices are more than the executor's %d ranks",
			(long long)plan->problem.mesh.devices, MOST_RANKS);
	*program = (ex_program){.plan = plan,
		.rank = rank,
		.ranks = (int)plan->problem.mesh.devices,
		.dtype = plan->problem.from.dtype,
		.element = sw_dtype_bytes(plan->problem.from.dtype),
		.count = plan->program.steps};
	program->steps = SW_NEW_ZERO(arena, ex_step, plan->program.steps);
	ex_move *scratch = SW_NEW(arena, ex_move, program->ranks);
	if (!program->steps || !scratch)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	bool any = sw_problem_has_words(&plan->problem);
	if (any ? !read_between(program, arena, fault) :
			  !read_maps(program, arena, fault) || !read_terms(program, arena, fault))
		return false;
	for (int k = 0; k < plan->program.steps; k++)
		if (!step_make(program, k, scratch, arena, fault))
			return false;
	return place_tiles(program, fault);
}
