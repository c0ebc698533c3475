/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan to the copies of one rank.
 */
#include "program.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/transfers.h>

enum { ALIGNMENT = 64, MOST_RANKS = 4096 };

const int64_t *ex_program_tile(const ex_program *program, int k)
{
	return k == 0 ? program->plan->problem.from.tile : program->plan->steps[k - 1].tile;
}

const int64_t *ex_program_base(const ex_program *program, int k, int d)
{
	return program->map[k] + (int64_t)d * program->plan->problem.from.rank;
}

static bool tile_bytes(const ex_program *program, int k, int64_t *bytes)
{
	const int64_t *tile = ex_program_tile(program, k);
	*bytes = program->element;
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
	return (sw_tiles){.rank = from->rank,
		.devices = program->ranks,
		.global = from->global,
		.tile = ex_program_tile(program, k),
		.at = program->map[k]};
}

static const sw_transfers *transfers_of(const ex_program *program, int k, sw_arena *arena, ex_fault *fault)
{
	sw_tiles before = tiles_of(program, k), after = tiles_of(program, k + 1);
	sw_diag why;
	const sw_transfers *transfers = sw_transfers_new(program->steps[k].step, &before, &after, arena, &why);
	if (transfers == NULL && why.code == SW_P05)
		ex_fault_set(fault, EX_NO, "P05", "step %d cannot be run: %s", k + 1, why.message);
	else if (transfers == NULL)
		ex_fault_of(fault, &why);
	return transfers;
}

/* ---- steps ---- */

static bool covered(const ex_program *program, int k, const ex_step *step, ex_fault *fault)
{
	int64_t sum = 0;
	for (int i = 0; i < step->ins; i++)
		sum += step->in[i].bytes;
	if (sum == step->after)
		return true;
	return ex_fault_set(fault, EX_NO, "P05", "step %d brings %lld of the %lld bytes of the tile on device %d", k + 1,
		(long long)sum, (long long)step->after, program->rank);
}

static bool step_moves(const ex_program *program, int k, ex_step *step, ex_move *scratch, sw_arena *arena,
	ex_fault *fault)
{
	sw_arena *brief = sw_arena_new();
	const sw_transfers *transfers = brief ? transfers_of(program, k, brief, fault) : NULL;
	if (transfers) {
		step->ins = list_moves(program, k, transfers, true, scratch);
		step->in = keep_moves(arena, scratch, step->ins);
		step->outs = list_moves(program, k, transfers, false, scratch);
		step->out = keep_moves(arena, scratch, step->outs);
	}
	sw_arena_free(brief);
	if (transfers && step->in && step->out)
		return true;
	return brief && !transfers ? false : ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
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
	step->landing = step->after * program->ranks;
	return step_moves(program, k, step, scratch, arena, fault) && covered(program, k, step, fault);
}

/* Tiles stand at the low and the high end of the region by turns. */
static bool place_tiles(ex_program *program, ex_fault *fault)
{
	int64_t size;
	if (!tile_bytes(program, 0, &program->peak))
		return ex_fault_set(fault, EX_NO, "T10", "a tile is too large");
	for (int k = 0; k < program->count; k++) {
		if (!sw_add(program->steps[k].before, program->steps[k].after, &size))
			return ex_fault_set(fault, EX_NO, "T10", "the tiles of step %d are too large", k + 1);
		program->peak = sw_larger(program->peak, size);
	}
	if (!sw_add(program->peak, 2 * ALIGNMENT, &size))
		return ex_fault_set(fault, EX_NO, "T10", "the tiles are too large");
	program->region = size / ALIGNMENT * ALIGNMENT;
	for (int k = 0; k < program->count; k++) {
		ex_step *step = &program->steps[k];
		step->tile_before = program->tile_last;
		step->tile_after = program->tile_last ? 0 : (program->region - step->after) / ALIGNMENT * ALIGNMENT;
		program->tile_last = step->tile_after;
	}
	return true;
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

bool ex_program_make(const sw_plan *plan, int rank, sw_arena *arena, ex_program *program, ex_fault *fault)
{
	if (plan->problem.mesh.devices > MOST_RANKS)
		return ex_fault_set(fault, EX_NO, "S08", "%lld devices are more than the executor's %d ranks",
			(long long)plan->problem.mesh.devices, MOST_RANKS);
	if (sw_plan_has_sums(plan))
		return ex_fault_set(fault, EX_NO, "P05", "values that are still to be summed are not run on ranks yet");
	*program = (ex_program){.plan = plan,
		.rank = rank,
		.ranks = (int)plan->problem.mesh.devices,
		.element = sw_dtype_bytes(plan->problem.from.dtype),
		.count = plan->count};
	program->steps = SW_NEW_ZERO(arena, ex_step, plan->count);
	ex_move *scratch = SW_NEW(arena, ex_move, program->ranks);
	if (!program->steps || !scratch)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	if (!read_maps(program, arena, fault))
		return false;
	for (int k = 0; k < plan->count; k++)
		if (!step_make(program, k, scratch, arena, fault))
			return false;
	return place_tiles(program, fault);
}
