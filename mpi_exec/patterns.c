/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exchanges by the library's collective that sends what their pattern sends, with a count for each rank: MPI_Allgatherv, MPI_Gatherv,
 * MPI_Scatterv, MPI_Bcast, MPI_Alltoallv, MPI_Reduce, MPI_Reduce_scatter, MPI_Allreduce.  What stays on a rank is copied there.
 *
 * Where a rank sends all it holds, that is its tile as it lies there, else moves are packed one after the other.  Those that hold
 * terms of the same elements pack them alike.
 */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>
#include <shardwalk/relation.h>

#include "requests.h"
#include "run.h"
#include "subarrays.h"

/* One row a pattern: how it is called, what it does with its buffers, and what has to hold. */
typedef struct ex_pattern_row {
	const char *call;                                                     /* NULL: it is no collective */
	bool adds, own;                                                       /* what stays on a rank goes with it, too */
	void (*start)(const ex_run *run, const ex_step *step, ex_pattern *p); /* fills counts and sizes */
	void (*perform)(ex_run *run, const ex_step *step, const ex_pattern *p); /* with what was packed in the staging */
} ex_pattern_row;

/* ---- moves ---- */

static int64_t bytes_with(const ex_move *move, int count, int peer)
{
	int64_t bytes = 0;
	for (int i = 0; i < count; i++)
		bytes += move[i].peer == peer ? move[i].bytes : 0;
	return bytes;
}

/* What goes to a rank, one move after the other; where that ends. */
static char *pack(const ex_run *run, const ex_step *step, int peer, char *buffer)
{
	for (int i = 0; i < step->outs; i++) {
		const ex_move *move = &step->out[i];
		ex_shape shape;
		if (move->peer != peer)
			continue;
		ex_shape_pack(&move->shape, &shape);
		ex_copy(&shape, buffer, run->region + step->tile_before + move->from, 0, shape.runs, EX_PLAIN);
		buffer += move->bytes;
	}
	return buffer;
}

static void unpack(const ex_run *run, const ex_step *step, int peer, const char *buffer)
{
	for (int i = 0; i < step->ins; i++) {
		const ex_move *move = &step->in[i];
		ex_shape shape;
		if (move->peer != peer)
			continue;
		ex_shape_unpack(&move->shape, &shape);
		ex_copy(&shape, run->region + step->tile_after + move->into, buffer, 0, shape.runs, EX_PLAIN);
		buffer += move->bytes;
	}
}

/* What comes of a rank, out of its tile, which is here from byte `begin` on. */
static void take(const ex_run *run, const ex_step *step, int peer, const char *tile, int64_t begin)
{
	for (int i = 0; i < step->ins; i++) {
		const ex_move *move = &step->in[i];
		if (move->peer == peer)
			ex_copy(&move->shape, run->region + step->tile_after + move->into, tile + move->from - begin, 0,
				move->shape.runs, EX_PLAIN);
	}
}

/* The bytes of the sender's tile from the first to behind the last that go to, or come of, a rank. */
static void span(const ex_move *move, int count, int peer, int64_t *begin, int64_t *end)
{
	*begin = INT64_MAX;
	*end = 0;
	for (int i = 0; i < count; i++) {
		int64_t last = move[i].from + move[i].shape.run;
		if (move[i].peer != peer)
			continue;
		for (int loop = 0; loop < move[i].shape.loops; loop++)
			last += (move[i].shape.count[loop] - 1) * move[i].shape.from[loop];
		*begin = sw_smaller(*begin, move[i].from);
		*end = sw_larger(*end, last);
	}
	*begin = sw_smaller(*begin, *end);
}

/* ---- counts ---- */

/* Where each part begins, one behind the other; how much they are together. */
static int64_t place(int members, const ex_count *count, ex_place *at)
{
	int64_t bytes = 0;
	for (int m = 0; m < members; m++) {
		at[m] = (ex_place)bytes;
		bytes += (int64_t)count[m];
	}
	return bytes;
}

static void count_moves(const ex_run *run, const ex_step *step, ex_pattern *p, bool own)
{
	for (int m = 0; m < p->members; m++) {
		bool counts = own || p->member[m] != run->team->rank;
		p->out[m] = (ex_count)(counts ? bytes_with(step->out, step->outs, p->member[m]) : 0);
		p->in[m] = (ex_count)(counts ? bytes_with(step->in, step->ins, p->member[m]) : 0);
	}
	p->out_bytes = place(p->members, p->out, p->out_at);
	p->in_bytes = place(p->members, p->in, p->in_at);
}

static void start_moves(const ex_run *run, const ex_step *step, ex_pattern *p)
{
	count_moves(run, step, p, false);
}

static void start_sums(const ex_run *run, const ex_step *step, ex_pattern *p)
{
	count_moves(run, step, p, true);
}

/* Besides, how many elements of the sum each gets. */
static void start_reduce_scatter(const ex_run *run, const ex_step *step, ex_pattern *p)
{
	count_moves(run, step, p, true);
	for (int m = 0; m < p->members; m++)
		p->in[m] = (ex_count)(p->out[m] / run->program->element);
	p->in_bytes = (int64_t)p->out[p->me];
}

/* Whole tiles come of all; one's own is sent as it lies there. */
static void start_tiles(const ex_run *run, const ex_step *step, ex_pattern *p)
{
	(void)step;
	for (int m = 0; m < p->members; m++)
		p->in[m] = (ex_count)(p->held[m] * run->program->element);
	p->in_bytes = place(p->members, p->in, p->in_at);
}

/* The same part of the root's tile comes to all. */
static void start_broadcast(const ex_run *run, const ex_step *step, ex_pattern *p)
{
	bool root = p->member[p->root[0]] == run->team->rank;
	int other = p->root[0] == 0 ? 1 : 0;
	if (root)
		span(step->out, step->outs, p->member[other], &p->begin, &p->end);
	else
		span(step->in, step->ins, p->member[p->root[0]], &p->begin, &p->end);
	p->in_bytes = root ? 0 : p->end - p->begin;
}

/* ---- what each does ---- */

static void pack_all(const ex_run *run, const ex_step *step, const ex_pattern *p)
{
	for (int m = 0; m < p->members; m++)
		if (p->out[m] > 0)
			pack(run, step, p->member[m], run->staging + p->in_bytes + p->out_at[m]);
}

static void unpack_all(const ex_run *run, const ex_step *step, const ex_pattern *p)
{
	for (int m = 0; m < p->members; m++)
		if (p->in[m] > 0)
			unpack(run, step, p->member[m], run->staging + p->in_at[m]);
}

static void perform_alltoall(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	pack_all(run, step, p);
	ex_alltoallv(p->comm, run->staging + p->in_bytes, p->out, p->out_at, run->staging, p->in, p->in_at);
	unpack_all(run, step, p);
}

/* To one root after the other. */
static void perform_gather(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	pack_all(run, step, p);
	for (int r = 0; r < p->roots; r++) {
		int root = p->root[r];
		ex_gatherv(p->comm, run->staging + p->in_bytes + p->out_at[root], p->out[root], run->staging, p->in, p->in_at,
			root);
	}
	unpack_all(run, step, p);
}

static void perform_scatter(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	pack_all(run, step, p);
	ex_scatterv(p->comm, run->staging + p->in_bytes, p->out, p->out_at, run->staging + p->in_at[p->root[0]],
		p->in[p->root[0]], p->root[0]);
	unpack_all(run, step, p);
}

static void perform_allgather(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	ex_allgatherv(p->comm, run->region + step->tile_before, p->in[p->me], run->staging, p->in, p->in_at);
	for (int m = 0; m < p->members; m++)
		if (m != p->me)
			take(run, step, p->member[m], run->staging + p->in_at[m], 0);
}

static void perform_broadcast(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	int root = p->root[0];
	char *part = p->me == root ? run->region + step->tile_before + p->begin : run->staging;
	ex_bcast_bytes(p->comm, part, p->end - p->begin, root);
	if (p->me != root)
		take(run, step, p->member[root], part, p->begin);
}

/* What is summed lies behind the sum. */
static void perform_reduce(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	int root = p->root[0], rank = run->team->rank;
	char *packed = run->staging + p->in_bytes;
	pack(run, step, p->member[root], packed);
	ex_reduce(p->comm, packed, run->staging, (int64_t)p->out[root], run->program->plan->problem.from.dtype, root);
	if (p->me == root)
		unpack(run, step, rank, run->staging);
}

static void perform_reduce_scatter(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	pack_all(run, step, p);
	ex_reduce_scatter(p->comm, run->staging + p->in_bytes, run->staging, p->in,
		run->program->plan->problem.from.dtype);
	unpack(run, step, run->team->rank, run->staging);
}

static void perform_allreduce(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	char *packed = run->staging + p->in_bytes;
	MPI_Request request;
	pack(run, step, run->team->rank, packed);
	ex_iallreduce(p->comm, packed, run->staging, (int64_t)p->out[p->me], run->program->plan->problem.from.dtype,
		&request);
	ex_wait(&request);
	unpack(run, step, run->team->rank, run->staging);
}

static const ex_pattern_row rows[SW_PATTERN_COUNT] = {
	[SW_PATTERN_BROADCAST] = {"MPI_Bcast", false, false, start_broadcast, perform_broadcast},
	[SW_PATTERN_SCATTER] = {"MPI_Scatterv", false, false, start_moves, perform_scatter},
	[SW_PATTERN_GATHER] = {"MPI_Gatherv", false, false, start_moves, perform_gather},
	[SW_PATTERN_ALLGATHER] = {"MPI_Allgatherv", false, false, start_tiles, perform_allgather},
	[SW_PATTERN_ALLTOALL] = {"MPI_Alltoallv", false, false, start_moves, perform_alltoall},
	[SW_PATTERN_REDUCE] = {"MPI_Reduce", true, false, start_sums, perform_reduce},
	[SW_PATTERN_REDUCESCATTER] = {"MPI_Reduce_scatter", true, false, start_reduce_scatter, perform_reduce_scatter},
	[SW_PATTERN_ALLREDUCE] = {"MPI_Allreduce", true, false, start_sums, perform_allreduce},
};

/* ---- whatever its pattern is ---- */

/* Counts are of types: one each, or none. */
static void start_subarrays(const ex_run *run, const ex_step *step, ex_pattern *p)
{
	(void)run;
	for (int m = 0; m < p->members; m++) {
		p->out[m] = bytes_with(step->out, step->outs, p->member[m]) > 0;
		p->in[m] = bytes_with(step->in, step->ins, p->member[m]) > 0;
	}
}

static void perform_subarrays(ex_run *run, const ex_step *step, const ex_pattern *p)
{
	const ex_parts out = {p->out, p->out_at, p->out_type}, in = {p->in, p->in_at, p->in_type};
	ex_alltoallw(p->comm, run->region + step->tile_before, &out, run->region + step->tile_after, &in);
}

static const ex_pattern_row packed = {"MPI_Alltoallv", false, false, start_moves, perform_alltoall},
							subarrays = {"MPI_Alltoallw", false, true, start_subarrays, perform_subarrays};

static bool make_types(const ex_run *run, const ex_step *step, ex_pattern *p, sw_arena *arena)
{
	p->out_type = SW_NEW(arena, MPI_Datatype, p->members);
	p->in_type = SW_NEW(arena, MPI_Datatype, p->members);
	if (!p->out_type || !p->in_type)
		return false;
	for (int m = 0; m < p->members; m++) {
		p->out_type[m] = ex_subarrays_type(run->program, step, p->member[m], true);
		p->in_type[m] = ex_subarrays_type(run->program, step, p->member[m], false);
	}
	return true;
}

/* Types that nobody has anything of are never null in a call. */
static void fill_types(MPI_Datatype *type, int count)
{
	for (int m = 0; m < count; m++)
		if (type[m] == MPI_DATATYPE_NULL)
			MPI_Type_dup(MPI_BYTE, &type[m]);
}

/* ---- which it is ---- */

/* What the ends and the messages between them are, while it is looked for. */
typedef struct search {
	const ex_run *run;
	sw_arena *arena, *scratch;
	sw_holding from, to;
	sw_relation *relation;
	sw_pattern pattern;
} search;

/* A plan of one step without groups, which is an exchange if it is a collective; its senders are those of the relation. */
static bool find_pattern(search *s, const ex_step *step)
{
	const sw_plan *plan = s->run->program->plan;
	const sw_between *between = s->run->program->between;
	sw_diag why;
	if (s->run->program->count != 1 || step->step->group_size > 0 || step->then || step->passes)
		return false;
	s->relation = between ? between->relation : sw_problem_relation(&plan->problem, s->scratch, &why);
	return s->relation && (between || sw_relation_is_unique(s->relation)) &&
		sw_problem_holdings(&plan->problem, s->scratch, &s->from, &s->to) &&
		sw_relation_pattern(s->relation, step->step->rule, &plan->problem.mesh, s->arena, &s->pattern);
}

/* Do all members of a group hold the same elements before, or after? */
static bool alike(const search *s, const sw_holding *holding, int32_t group)
{
	const int32_t *member = s->pattern.member + s->pattern.first_member[group];
	int32_t members = s->pattern.first_member[group + 1] - s->pattern.first_member[group];
	sw_region first, other;
	if (!sw_holding_region(holding, member[0], s->scratch, &first))
		return false;
	for (int32_t m = 1; m < members; m++)
		if (!sw_holding_region(holding, member[m], s->scratch, &other) || !sw_region_equal(&first, &other))
			return false;
	return true;
}

/* The library adds what has the same place in all buffers. */
static bool adds_alike(const search *s)
{
	for (int32_t group = 0; group < s->pattern.groups; group++)
		if (!alike(s, &s->from, group) || (s->pattern.name == SW_PATTERN_ALLREDUCE && !alike(s, &s->to, group)))
			return false;
	return true;
}

static int number_of(const ex_pattern *p, int rank)
{
	int m = 0;
	while (m < p->members && p->member[m] != rank)
		m++;
	return m;
}

static bool room_for_counts(ex_pattern *p, sw_arena *arena)
{
	p->root = SW_NEW(arena, int, p->members + 1);
	p->held = SW_NEW(arena, int64_t, p->members + 1);
	p->out = SW_NEW_ZERO(arena, ex_count, p->members + 1);
	p->in = SW_NEW_ZERO(arena, ex_count, p->members + 1);
	p->out_at = SW_NEW_ZERO(arena, ex_place, p->members + 1);
	p->in_at = SW_NEW_ZERO(arena, ex_place, p->members + 1);
	return p->root && p->held && p->out && p->in && p->out_at && p->in_at;
}

/* The group of this rank; one that is in none is one by itself. */
static bool join_group(const search *s, ex_pattern *p)
{
	const sw_pattern *pattern = &s->pattern;
	int rank = s->run->team->rank;
	p->color = pattern->groups + rank;
	for (int32_t group = 0; group < pattern->groups && p->members == 0; group++) {
		p->member = pattern->member + pattern->first_member[group];
		p->members = pattern->first_member[group + 1] - pattern->first_member[group];
		p->color = group;
		p->me = number_of(p, rank);
		if (p->me == p->members) {
			p->members = 0;
			p->color = pattern->groups + rank;
		}
	}
	if (!room_for_counts(p, s->arena))
		return false;
	for (int m = 0; m < p->members; m++)
		p->held[m] = sw_holding_size(&s->from, p->member[m]);
	for (int32_t r = pattern->first_root && p->members ? pattern->first_root[p->color] : 0;
		 pattern->first_root && p->members && r < pattern->first_root[p->color + 1]; r++)
		p->root[p->roots++] = number_of(p, pattern->root[r]);
	return true;
}

/* Before MPI 4 an int counts bytes. */
static bool fits(const ex_pattern *p)
{
	return sizeof(ex_count) > sizeof(int) || p->in_bytes + p->out_bytes <= INT_MAX;
}

/* All ranks are one group. */
static bool join_all(const search *s, ex_pattern *p)
{
	int ranks = s->run->program->ranks;
	int32_t *member = SW_NEW(s->arena, int32_t, ranks);
	for (int rank = 0; member && rank < ranks; rank++)
		member[rank] = rank;
	p->member = member;
	p->members = ranks;
	p->me = s->run->team->rank;
	return member && room_for_counts(p, s->arena);
}

/* One exchange by the call that was asked for. */
static bool lay_out_asked(search *s, const ex_step *step, ex_pattern *p)
{
	bool types = s->run->calls == EX_BY_ALLTOALLW;
	if (step->adds || step->then || step->passes)
		return true;
	if (!join_all(s, p))
		return false;
	p->row = types ? &subarrays : &packed;
	p->row->start(s->run, step, p);
	if (!types)
		return true;
	if (!make_types(s->run, step, p, s->arena))
		return false;
	fill_types(p->out_type, p->members);
	fill_types(p->in_type, p->members);
	return true;
}

static bool lay_out(search *s, const ex_step *step, ex_pattern *p)
{
	if (s->run->calls > EX_BY_COLLECTIVES)
		return lay_out_asked(s, step, p);
	if (!find_pattern(s, step))
		return true;
	const ex_pattern_row *row = &rows[s->pattern.name];
	if (!row->call || (row->adds && !adds_alike(s)))
		return true;
	if (!join_group(s, p))
		return false;
	if (p->members > 0)
		row->start(s->run, step, p);
	double all = fits(p);
	ex_team_reduce(s->run->team, &all, 1, MPI_MIN);
	p->row = all > 0 ? row : NULL;
	return true;
}

bool ex_patterns_lay_out(ex_run *run, sw_arena *arena)
{
	search s = {.run = run, .arena = arena, .scratch = sw_arena_new()};
	run->pattern = SW_NEW_ZERO(arena, ex_pattern, run->program->count);
	bool done = run->pattern && s.scratch;
	for (int k = 0; done && k < run->program->count; k++) {
		run->pattern[k].comm = MPI_COMM_NULL;
		done = lay_out(&s, &run->program->steps[k], &run->pattern[k]);
	}
	sw_arena_free(s.scratch);
	return done;
}

int64_t ex_patterns_buffers(const ex_run *run)
{
	int64_t most = 0;
	for (int k = 0; k < run->program->count; k++)
		if (run->pattern[k].row)
			most = sw_larger(most, run->pattern[k].in_bytes + run->pattern[k].out_bytes);
	return most;
}

const char *ex_pattern_call(const ex_run *run, int k)
{
	const ex_pattern_row *row = run->pattern ? run->pattern[k].row : NULL;
	return row ? row->call : NULL;
}

/* ---- a step ---- */

void ex_pattern_step(ex_run *run, int k)
{
	const ex_step *step = &run->program->steps[k];
	ex_pattern *p = &run->pattern[k];
	assert(p->row);
	if (p->comm == MPI_COMM_NULL)
		MPI_Comm_split(run->team->world, p->color, run->team->rank, &p->comm);
	if (step->clears)
		memset(run->region + step->tile_after, 0, (size_t)step->after);
	if (!p->row->own && (!p->row->adds || p->members == 0))
		take(run, step, run->team->rank, run->region + step->tile_before, 0);
	if (p->members > 0)
		p->row->perform(run, step, p);
}

void ex_patterns_close(ex_run *run)
{
	for (int k = 0; run->pattern && k < run->program->count; k++) {
		ex_pattern *p = &run->pattern[k];
		if (p->comm != MPI_COMM_NULL)
			MPI_Comm_free(&p->comm);
		if (p->out_type) {
			ex_subarrays_free(p->out_type, p->members);
			ex_subarrays_free(p->in_type, p->members);
		}
	}
}
