/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan to the copies of one rank.
 */
#include "program.h"

#include <string.h>

#include <shardwalk/number.h>

enum { ALIGNMENT = 64, MOST_RANKS = 4096 };

/* Who may send to whom in one step. */
typedef struct sources {
	const ex_program *program;
	const int *host;
	int k;
	const sw_step *step;
	int *group_of; /* per device; NULL without groups */
	int *twins;    /* devices of each old tile together; exchange only */
	int *twin_first, *twin_count;
} sources;

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

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

/* Where s's old tile and d's new one meet; false where they do not. */
static bool move_between(const ex_program *program, int k, int s, int d, ex_move *move)
{
	int rank = program->plan->problem.from.rank;
	const int64_t *from = ex_program_base(program, k, s), *into = ex_program_base(program, k + 1, d);
	const int64_t *old = ex_program_tile(program, k), *new = ex_program_tile(program, k + 1);
	int64_t extent[SW_MAX_DIMS], at_from = 0, at_into = 0, bytes = program->element;
	for (int i = 0; i < rank; i++) {
		int64_t begin = max64(from[i], into[i]), end = min64(from[i] + old[i], into[i] + new[i]);
		if (begin >= end)
			return false;
		extent[i] = end - begin;
		at_from = at_from * old[i] + begin - from[i];
		at_into = at_into * new[i] + begin - into[i];
		bytes *= extent[i];
	}
	move->bytes = bytes;
	move->from = at_from * program->element;
	move->into = at_into * program->element;
	ex_shape_set(&move->shape, rank, program->element, extent, old, new);
	return true;
}

static int compare_offsets(const ex_program *program, int k, int a, int b)
{
	return memcmp(ex_program_base(program, k, a), ex_program_base(program, k, b),
		sizeof(int64_t) * (size_t)program->plan->problem.from.rank);
}

/* Of the devices that hold s's tile, the one from which d takes it: itself, else one of its host, else they
 * share the work. */
static int nearest_twin(const sources *q, int s, int d)
{
	const int *twin = q->twins + q->twin_first[s];
	int count = q->twin_count[s];
	for (int i = 0; i < count; i++)
		if (twin[i] == d)
			return d;
	int near = 0, ranks = q->program->ranks;
	for (int i = 0; q->host && i < count; i++)
		near += q->host[twin[i]] == q->host[d];
	int want = (int)((int64_t)d * (near ? near : count) / ranks);
	for (int i = 0; i < count; i++)
		if ((!near || q->host[twin[i]] == q->host[d]) && want-- == 0)
			return twin[i];
	return twin[0];
}

/* Does d take from s in this step? */
static bool takes(const sources *q, int d, int s)
{
	switch (q->step->op) {
	case SW_DYNSLICE:
		return s == d;
	case SW_ALLPERMUTE:
		return q->step->source[d] == s;
	case SW_ALLGATHER:
	case SW_ALLTOALL:
		return q->group_of[s] == q->group_of[d];
	default:
		return nearest_twin(q, s, d) == s;
	}
}

static int list_moves(const sources *q, bool in, ex_move *move)
{
	const ex_program *program = q->program;
	int me = program->rank, count = 0;
	for (int r = 0; r < program->ranks; r++) {
		int peer = in ? (me - r + program->ranks) % program->ranks : (me + r) % program->ranks;
		int s = in ? peer : me, d = in ? me : peer;
		if (takes(q, d, s) && move_between(program, q->k, s, d, &move[count]))
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

/* ---- groups and twins ---- */

static bool place_groups(sources *q, sw_arena *arena)
{
	int ranks = q->program->ranks;
	q->group_of = SW_NEW(arena, int, ranks);
	if (!q->group_of)
		return false;
	for (int i = 0; i < ranks; i++)
		q->group_of[q->step->groups[i]] = (int)(i / q->step->group_size);
	return true;
}

static bool find_twins(sources *q, sw_arena *arena)
{
	int ranks = q->program->ranks, used = 0;
	q->twins = SW_NEW(arena, int, ranks);
	q->twin_first = SW_NEW(arena, int, ranks);
	q->twin_count = SW_NEW_ZERO(arena, int, ranks);
	if (!q->twins || !q->twin_first || !q->twin_count)
		return false;
	for (int a = 0; a < ranks; a++) {
		if (q->twin_count[a])
			continue;
		int first = used;
		for (int b = a; b < ranks; b++)
			if (compare_offsets(q->program, q->k, a, b) == 0)
				q->twins[used++] = b;
		for (int i = first; i < used; i++) {
			q->twin_first[q->twins[i]] = first;
			q->twin_count[q->twins[i]] = used - first;
		}
	}
	return true;
}

static bool sources_known(sources *q, sw_arena *arena, ex_fault *fault)
{
	const sw_step *step = q->step;
	bool grouped = step->op == SW_ALLGATHER || step->op == SW_ALLTOALL;
	if ((grouped && !step->groups) || (step->op == SW_ALLPERMUTE && !step->source))
		return ex_fault_set(fault, EX_NO, "P05", "step %d does not say which devices take part", q->k + 1);
	if (!(grouped ? place_groups(q, arena) : step->op != SW_EXCHANGE || find_twins(q, arena)))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	return true;
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

static bool step_make(ex_program *program, int k, const int *host, ex_move *scratch, sw_arena *arena, ex_fault *fault)
{
	ex_step *step = &program->steps[k];
	sources q = {.program = program, .host = host, .k = k, .step = &program->plan->steps[k]};
	step->step = q.step;
	if (!tile_bytes(program, k, &step->before) || !tile_bytes(program, k + 1, &step->after))
		return ex_fault_set(fault, EX_NO, "T10", "a tile of step %d is too large", k + 1);
	if (!sources_known(&q, arena, fault))
		return false;
	step->ins = list_moves(&q, true, scratch);
	step->in = keep_moves(arena, scratch, step->ins);
	step->outs = list_moves(&q, false, scratch);
	step->out = keep_moves(arena, scratch, step->outs);
	step->landing = step->after * program->ranks;
	if (!step->in || !step->out)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	return covered(program, k, step, fault);
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
		program->peak = max64(program->peak, size);
	}
	if (!sw_add(program->peak, 2 * ALIGNMENT, &size))
		return ex_fault_set(fault, EX_NO, "T10", "the tiles are too large");
	program->region = size / ALIGNMENT * ALIGNMENT;
	for (int k = 0; k < program->count; k++) {
		ex_step *step = &program->steps[k];
		step->place_before = program->place_last;
		step->place_after = program->place_last ? 0 : (program->region - step->after) / ALIGNMENT * ALIGNMENT;
		program->place_last = step->place_after;
	}
	return true;
}

/* Ranks are devices; `map` tells what places hold. */
static const int64_t *map_of_ranks(const ex_program *program, int k, const int64_t *map, sw_arena *arena)
{
	const int64_t *device = sw_plan_devices(program->plan, k);
	int rank = program->plan->problem.from.rank;
	if (!device)
		return map;
	int64_t *moved = SW_NEW(arena, int64_t, (int64_t)program->ranks * rank + 1);
	for (int place = 0; moved && place < program->ranks; place++)
		memcpy(moved + device[place] * rank, map + (int64_t)place * rank, sizeof(*map) * (size_t)rank);
	return moved;
}

static bool read_maps(ex_program *program, sw_arena *arena, ex_fault *fault)
{
	int rank = program->plan->problem.from.rank;
	program->map = SW_NEW(arena, const int64_t *, program->count + 1);
	for (int k = 0; program->map && k <= program->count; k++) {
		sw_diag diag = {0};
		int64_t *map = SW_NEW(arena, int64_t, (int64_t)program->ranks * rank + 1);
		if (!map)
			return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
		if (!sw_plan_map(program->plan, k, map, &diag))
			return ex_fault_of(fault, &diag);
		program->map[k] = map_of_ranks(program, k, map, arena);
		if (!program->map[k])
			return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	}
	return program->map || ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
}

bool ex_program_make(const sw_plan *plan, int rank, const int *host, sw_arena *arena, ex_program *program,
	ex_fault *fault)
{
	if (plan->problem.mesh.devices > MOST_RANKS)
		return ex_fault_set(fault, EX_NO, "S08", "%lld devices are more than the executor's %d ranks",
			(long long)plan->problem.mesh.devices, MOST_RANKS);
	if (plan->uneven)
		return ex_fault_set(fault, EX_NO, "P05", "the plan passes through tiles of different sizes");
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
		if (!step_make(program, k, host, scratch, arena, fault))
			return false;
	return place_tiles(program, fault);
}
