/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps as a library would do them: one MPI_Alltoall or MPI_Allgather per group, with packing before and unpacking
 * after.  For comparison and teaching; it needs memory for both sides.  Communicators are kept by partition.
 */
#include "run.h"

#include <assert.h>
#include <string.h>

#include "requests.h"

enum { KEPT = 64, PAGE = 4096 };

typedef struct kept {
	uint64_t partition; /* hash of the groups */
	int color, key;
	unsigned long used;
	MPI_Comm comm;
} kept;

/* Communicators belong to the process: there is one cache. */
static kept cache[KEPT];
static int cached;
static unsigned long uses;

static uint64_t hash_groups(const sw_step *step, int ranks)
{
	uint64_t hash = 1469598103934665603u ^ (uint64_t)step->group_size;
	for (int i = 0; i < ranks; i++)
		hash = (hash ^ (uint64_t)step->groups[i]) * 1099511628211u;
	return hash;
}

static int number_in_groups(const sw_step *step, int ranks, int rank)
{
	for (int i = 0; i < ranks; i++)
		if (step->groups[i] == rank)
			return i;
	return 0;
}

static kept *oldest(void)
{
	kept *old = &cache[0];
	for (int i = 1; i < KEPT; i++)
		if (cache[i].used < old->used)
			old = &cache[i];
	MPI_Comm_free(&old->comm);
	return old;
}

/* All ranks ask in the same order, so all find or make the same. */
static MPI_Comm group_comm(const ex_team *team, const sw_step *step)
{
	uint64_t partition = hash_groups(step, team->ranks);
	for (int i = 0; i < cached; i++) {
		if (cache[i].partition == partition) {
			cache[i].used = ++uses;
			return cache[i].comm;
		}
	}
	kept *slot = cached < KEPT ? &cache[cached++] : oldest();
	int number = number_in_groups(step, team->ranks, team->rank);
	*slot = (kept){.partition = partition,
		.used = ++uses,
		.color = number / (int)step->group_size,
		.key = number % (int)step->group_size};
	MPI_Comm_split(team->world, slot->color, slot->key, &slot->comm);
	return slot->comm;
}

void ex_collective_forget(void)
{
	while (cached > 0)
		MPI_Comm_free(&cache[--cached].comm);
}

/* A piece to each, packed beforehand; else the whole tile to all. */
static bool sends_pieces(const ex_step *step)
{
	return step->step->splits > 0;
}

/* All pieces that come are terms of one sum: what the library's own reductions do. */
static bool reduces(const ex_step *step)
{
	return step->adds && step->boxes == 1 && step->box[0].count == step->ins;
}

static bool is_collective(const ex_step *step)
{
	return step->step->group_size > 0;
}

/* Where pieces are added here, all of them are received. */
static int64_t received_bytes(const ex_step *step)
{
	return step->adds && sends_pieces(step) && !reduces(step) ? step->before : step->after;
}

int64_t ex_collective_buffers(const ex_run *run)
{
	int64_t most = 0;
	for (int k = 0; k < run->program->count; k++) {
		const ex_step *step = &run->program->steps[k];
		int64_t both = received_bytes(step) + (sends_pieces(step) ? step->before : 0);
		if (is_collective(step) && both > most)
			most = both;
	}
	return (most + PAGE - 1) / PAGE * PAGE;
}

static int member_of(const ex_run *run, const ex_step *step, int peer)
{
	return number_in_groups(step->step, run->team->ranks, peer) % (int)step->step->group_size;
}

static void pack_all(const ex_run *run, const ex_step *step, char *buffer)
{
	for (int i = 0; i < step->outs; i++) {
		const ex_move *move = &step->out[i];
		int member = member_of(run, step, move->peer);
		ex_shape shape;
		ex_shape_pack(&move->shape, &shape);
		ex_copy(&shape, buffer + member * move->bytes, run->region + step->tile_before + move->from, 0, shape.runs,
			EX_PLAIN);
	}
}

/* Where the piece of each member stands among those that were received. */
static void sum_all(ex_run *run, const ex_step *step, const char *buffer)
{
	int64_t *at = run->piece_at;
	for (int i = 0; i < step->ins; i++)
		at[i] = member_of(run, step, step->in[i].peer) * step->in[i].bytes;
	ex_run_sum(run, step, &(ex_received){buffer, at}, EX_PLAIN);
}

static void unpack_all(ex_run *run, const ex_step *step, const char *buffer)
{
	for (int i = 0; i < step->ins; i++) {
		const ex_move *move = &step->in[i];
		int member = member_of(run, step, move->peer);
		ex_shape shape;
		ex_shape_unpack(&move->shape, &shape);
		ex_copy(&shape, run->region + step->tile_after + move->into, buffer + member * move->bytes, 0, shape.runs,
			EX_PLAIN);
	}
}

/* What came of the only box goes to its place. */
static void unpack_sum(const ex_run *run, const ex_step *step, const char *buffer)
{
	const ex_move *move = &step->in[0];
	ex_shape shape;
	ex_shape_unpack(&move->shape, &shape);
	ex_copy(&shape, run->region + step->tile_after + move->into, buffer, 0, shape.runs, EX_PLAIN);
}

static void exchange_pieces(ex_run *run, const ex_step *step, MPI_Comm comm)
{
	char *packed = run->staging + received_bytes(step);
	MPI_Request request;
	sw_dtype dtype = run->program->plan->problem.from.dtype;
	pack_all(run, step, packed);
	if (reduces(step)) {
		ex_ireduce_scatter(comm, packed, run->staging, step->in[0].bytes, dtype, &request);
		ex_wait(&request);
		unpack_sum(run, step, run->staging);
		return;
	}
	ex_ialltoall(comm, packed, run->staging, step->before / step->step->group_size, &request);
	ex_wait(&request);
	(step->adds ? sum_all : unpack_all)(run, step, run->staging);
}

static void exchange_tiles(ex_run *run, const ex_step *step, MPI_Comm comm)
{
	MPI_Request request;
	const char *tile = run->region + step->tile_before;
	sw_dtype dtype = run->program->plan->problem.from.dtype;
	if (step->adds) {
		ex_iallreduce(comm, tile, run->region + step->tile_after, step->after, dtype, &request);
		ex_wait(&request);
		return;
	}
	ex_iallgather(comm, tile, run->staging, step->before, &request);
	ex_wait(&request);
	unpack_all(run, step, run->staging);
}

bool ex_collective_is(const ex_run *run, int k)
{
	assert(k >= 0 && k < run->program->count);
	return is_collective(&run->program->steps[k]);
}

void ex_collective_step(ex_run *run, int k)
{
	assert(ex_collective_is(run, k));
	const ex_step *step = &run->program->steps[k];
	MPI_Comm comm = group_comm(run->team, step->step);
	(sends_pieces(step) ? exchange_pieces : exchange_tiles)(run, step, comm);
}
