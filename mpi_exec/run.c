/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of a run, and its steps: copies inside the host, messages for the rest.
 */
#define _GNU_SOURCE
#include "run.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "watch.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { LINE = 64, PAGE = 4096, HUGE_PAGE = 2 << 20 };

const char *ex_transport_name(ex_transport transport)
{
	static const char *const names[] = {"auto", "shared", "messages"};
	return names[transport];
}

static int64_t round_up(int64_t n, int64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* ---- layout ---- */

static bool is_local(const ex_run *run, int peer)
{
	return run->transport == EX_SHARED && run->team->local_of[peer] >= 0;
}

bool ex_messages_cross(const ex_run *run, int peer)
{
	return peer != run->team->rank && !is_local(run, peer);
}

static int add_partner(const ex_run *run, int *partner, int count, int peer)
{
	if (peer == run->team->rank || !is_local(run, peer))
		return count;
	for (int i = 0; i < count; i++)
		if (partner[i] == peer)
			return count;
	partner[count] = peer;
	return count + 1;
}

static bool find_partners(ex_run *run, int k, sw_arena *arena)
{
	const ex_step *step = &run->program->steps[k];
	int *partner = SW_NEW(arena, int, step->ins + step->outs + 1), count = 0; /* what it does then meets the same */
	if (!partner)
		return false;
	for (int i = 0; i < step->ins; i++)
		count = add_partner(run, partner, count, step->in[i].peer);
	for (int i = 0; i < step->outs; i++)
		count = add_partner(run, partner, count, step->out[i].peer);
	run->partners[k] = partner;
	run->partner_count[k] = count;
	return true;
}

/* Which side of a step has gaps decides who copies, where that is the same on all ranks; large steps pass by the cache. */
static ex_choice first_choice(const ex_program *program, const ex_step *step)
{
	enum { CACHE = 24 << 20 };
	bool from_gaps = false, into_gaps = false;
	for (int i = 0; i < step->ins; i++) {
		from_gaps |= !ex_shape_from_whole(&step->in[i].shape);
		into_gaps |= !ex_shape_into_whole(&step->in[i].shape);
	}
	bool pulls = step->adds || step->fills || program->between;
	return (ex_choice){.push = from_gaps && !into_gaps && !pulls,
		.store = 2 * step->landing > CACHE ? EX_STREAM : EX_PLAIN};
}

bool ex_run_lay_out(ex_run *run, ex_team *team, const ex_program *program, ex_transport transport, ex_calls calls,
	sw_arena *arena, ex_fault *fault)
{
	int count = program->count;
	*run = (ex_run){.team = team,
		.program = program,
		.transport = transport,
		.calls = calls,
		.collectives = calls != EX_NO_CALLS,
		.share = {.file = -1}};
	run->choice = SW_NEW(arena, ex_choice, count);
	run->messages = SW_NEW_ZERO(arena, ex_messages, 2 * count);
	run->kept = SW_NEW_ZERO(arena, int64_t *, 2 * count);
	run->term = SW_NEW(arena, ex_term, program->ranks);
	run->partners = SW_NEW(arena, int *, count);
	run->partner_count = SW_NEW_ZERO(arena, int, count);
	run->piece_at = SW_NEW(arena, int64_t, program->ranks);
	run->left = SW_NEW(arena, int, program->ranks);
	bool ok = run->piece_at && run->left && run->choice && run->messages && run->kept && run->term && run->partners &&
		run->partner_count;
	for (int k = 0; ok && k < count; k++) {
		run->choice[k] = first_choice(program, &program->steps[k]);
		ok = find_partners(run, k, arena);
	}
	if (!ok || (run->collectives && !ex_patterns_lay_out(run, arena)) || !ex_messages_lay_out(run, arena))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	return true;
}

void ex_run_need(const ex_run *run, ex_need *need)
{
	need->tiles = round_up(run->program->region, PAGE);
	need->buffers = run->staging_bytes + (run->rings ? 2 * run->rings->bytes : 0);
	need->shared = run->transport == EX_SHARED;
}

/* ---- memory ---- */

/* Memory that begins on a huge page and asks for more of them; NULL where there is none. */
static char *private_memory(int64_t bytes)
{
	int64_t room = round_up(bytes, PAGE) + HUGE_PAGE;
	char *at = mmap(NULL, (size_t)room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	char *begin = (char *)round_up((intptr_t)at, HUGE_PAGE), *end = begin + round_up(bytes, PAGE);
	if (begin > at)
		munmap(at, (size_t)(begin - at));
	if (at + room > end)
		munmap(end, (size_t)(at + room - end));
	madvise(begin, (size_t)(end - begin), MADV_HUGEPAGE);
	return begin;
}

static void free_private(char *at, int64_t bytes)
{
	if (at)
		munmap(at, (size_t)round_up(bytes, PAGE));
}

/* The part that fills huge pages is made of them where the kernel can, the rest of small ones.
 * Peers then reach it with one fault for 2 MiB, and strided copies miss fewer translations. */
static bool reserve_mine(ex_run *run, ex_fault *fault)
{
	int64_t offset = run->team->local_rank * run->stride;
	int64_t huge = run->region_bytes / HUGE_PAGE * HUGE_PAGE;
	if (!ex_share_reserve(&run->share, offset, run->region_bytes, fault))
		return false;
	if (huge)
		madvise(run->region, (size_t)huge, MADV_COLLAPSE);
	return true;
}

static bool open_shared(ex_run *run, ex_fault *fault)
{
	ex_team *team = run->team;
	run->stride = round_up(run->region_bytes, run->region_bytes >= HUGE_PAGE ? HUGE_PAGE : PAGE);
	bool ok = ex_share_open(&run->share, team->local, run->stride * team->local_ranks, fault);
	if (!ex_agree(team, ok, fault))
		return false;
	run->region = run->share.at + run->stride * team->local_rank;
	return ex_agree(team, reserve_mine(run, fault), fault);
}

static bool open_private(ex_run *run, ex_fault *fault)
{
	run->region = private_memory(run->region_bytes);
	if (!run->region)
		ex_fault_set(fault, EX_LACKS, "E01", "cannot allocate %lld bytes for tiles: %s", (long long)run->region_bytes,
			strerror(errno));
	return ex_agree(run->team, run->region != NULL, fault);
}

static bool open_staging(ex_run *run, ex_fault *fault)
{
	run->staging = run->staging_bytes ? private_memory(run->staging_bytes) : NULL;
	bool ok = run->staging || !run->staging_bytes;
	if (!ok)
		ex_fault_set(fault, EX_LACKS, "E01", "cannot allocate %lld bytes for messages: %s",
			(long long)run->staging_bytes, strerror(errno));
	return ex_agree(run->team, ok, fault);
}

bool ex_run_open(ex_run *run, ex_fault *fault)
{
	run->region_bytes = round_up(run->program->region, PAGE);
	bool ok = run->transport == EX_SHARED ? open_shared(run, fault) : open_private(run, fault);
	return ok && open_staging(run, fault);
}

void ex_run_close(ex_run *run)
{
	if (run->share.at)
		ex_share_close(&run->share);
	else
		free_private(run->region, run->region_bytes);
	free_private(run->staging, run->staging_bytes);
	run->region = run->staging = NULL;
	ex_patterns_close(run);
}

void ex_run_join(ex_run *run, const ex_run *owner)
{
	assert(owner->region != NULL);
	run->share = owner->share;
	run->stride = owner->stride;
	run->region = owner->region;
	run->region_bytes = owner->region_bytes;
	run->staging = owner->staging;
}

char *ex_run_tile(const ex_run *run, int k)
{
	assert(k >= 0 && k <= run->program->count);
	const ex_program *program = run->program;
	return run->region + (k == program->count ? program->tile_last : program->steps[k].tile_before);
}

char *ex_run_at(const ex_run *run, int rank, int64_t offset)
{
	assert(rank >= 0 && rank < run->team->ranks);
	if (rank == run->team->rank)
		return run->region + offset;
	return run->share.at + run->team->local_of[rank] * run->stride + offset;
}

/* ---- steps ---- */

/* Of a rank of this host. */
static ex_rank_flags *flags_of(const ex_run *run, int rank)
{
	return &run->team->flags->rank_flags[run->team->local_of[rank]];
}

static void await_partners(const ex_run *run, int k, bool done, unsigned number)
{
	for (int i = 0; i < run->partner_count[k]; i++) {
		ex_rank_flags *rank_flags = flags_of(run, run->partners[k][i]);
		ex_team_wait(run->team, done ? &rank_flags->done : &rank_flags->ready, number);
	}
}

/* A step may read a partner's old tile and write its new one once the partner is through with the step before. */
static unsigned step_begin(ex_run *run, int k)
{
	unsigned number = ++run->team->number;
	ex_watch_step(k + 1, run->program->steps[k].step->op);
	await_partners(run, k, false, number - 1);
	return number;
}

static void step_end(ex_run *run, int k, unsigned number)
{
	if (!run->team->flags)
		return;
	ex_rank_flags *mine = &run->team->flags->rank_flags[run->team->local_rank];
	ex_flag_set(&mine->done, number);
	await_partners(run, k, true, number);
	ex_flag_set(&mine->ready, number);
}

void ex_run_alone(ex_run *run)
{
	unsigned number = ++run->team->number;
	if (!run->team->flags)
		return;
	ex_rank_flags *mine = &run->team->flags->rank_flags[run->team->local_rank];
	ex_flag_set(&mine->done, number);
	ex_flag_set(&mine->ready, number);
}

/* One of `parts` equal parts of a move: some of its runs, or a piece of its only run. */
static void copy_part(const ex_move *move, char *into, const char *from, ex_store store, int part, int parts)
{
	const ex_shape *shape = &move->shape;
	if (shape->runs > 1) {
		int64_t first = shape->runs * part / parts;
		ex_copy(shape, into, from, first, shape->runs * (part + 1) / parts - first, store);
	} else {
		int64_t size = move->bytes / parts / LINE * LINE, first = size * part;
		int64_t bytes = part == parts - 1 ? move->bytes - first : size;
		ex_copy_bytes(into + first, from + first, bytes, store);
	}
}

/* ---- sums ---- */

const ex_step *ex_run_half(const ex_run *run, int part)
{
	assert(part >= 0 && part < 2 * run->program->count);
	int count = run->program->count;
	return part < count ? &run->program->steps[part] : run->program->steps[part - count].then;
}

static ex_term term_of(const ex_run *run, const ex_step *step, const ex_received *received, int i)
{
	const ex_move *move = &step->in[i];
	ex_term term = {.shape = move->shape};
	if (received && received->at[i] >= 0) {
		ex_shape_unpack(&move->shape, &term.shape);
		term.from = received->packed + received->at[i];
	} else {
		term.from = ex_run_at(run, move->peer, step->tile_before) + move->from;
	}
	return term;
}

void ex_run_sum(ex_run *run, const ex_step *step, const ex_received *received, ex_store store)
{
	assert(step->adds);
	char *tile = run->region + step->tile_after;
	for (int b = 0; b < step->boxes; b++) {
		const ex_box *box = &step->box[b];
		for (int i = 0; i < box->count; i++)
			run->term[i] = term_of(run, step, received, box->in[i]);
		ex_sum(run->program->adder, run->term, box->count, tile + step->in[box->in[0]].into, 0,
			run->term[0].shape.runs, store);
	}
}

/* One move after the other is added to what is there. */
static void add_overlapping(ex_run *run, const ex_step *step, const ex_received *received)
{
	for (int n = 0; n < step->box->count; n++) {
		const ex_term term = term_of(run, step, received, step->box->in[n]);
		char *into = run->region + step->tile_after + step->in[step->box->in[n]].into;
		ex_cursor cursor;
		ex_cursor_start(&cursor, &term.shape, 0, term.shape.runs);
		for (; cursor.left > 0; ex_cursor_skip(&cursor, 1))
			ex_add_to(run->program->adder, into + cursor.into, term.from + cursor.from, term.shape.run);
	}
}

static void copy_block(ex_run *run, const ex_step *step, ex_choice choice, int part, int parts)
{
	int me = run->team->rank, count = choice.push ? step->outs : step->ins;
	for (int i = 0; i < count; i++) {
		const ex_move *move = choice.push ? &step->out[i] : &step->in[i];
		if (move->peer != me && !is_local(run, move->peer))
			continue;
		const char *from = ex_run_at(run, choice.push ? me : move->peer, step->tile_before);
		char *into = ex_run_at(run, choice.push ? move->peer : me, step->tile_after);
		copy_part(move, into + move->into, from + move->from, choice.store, part, parts);
	}
}

static void copy_moves(ex_run *run, const ex_step *step, ex_choice choice, int part, int parts)
{
	int64_t tile = (choice.push ? step->before : step->after) / parts;
	int blocks = choice.block ? (int)(tile / choice.block) + 1 : 1;
	for (int i = 0; i < blocks; i++)
		copy_block(run, step, choice, part * blocks + i, parts * blocks);
}

double ex_run_used(void)
{
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double ex_run_part(ex_run *run, int k, ex_choice choice, int part, int parts)
{
	assert(part >= 0 && part < parts);
	unsigned number = step_begin(run, k);
	double begin = ex_run_used();
	copy_moves(run, &run->program->steps[k], choice, part, parts);
	double used = ex_run_used() - begin;
	step_end(run, k, number);
	return used;
}

static bool step_as_collective(ex_run *run, int k)
{
	bool pattern = ex_pattern_call(run, k) != NULL;
	if (!pattern && !ex_collective_is(run, k))
		return false;
	unsigned number = step_begin(run, k);
	(pattern ? ex_pattern_step : ex_collective_step)(run, k);
	step_end(run, k, number);
	return true;
}

static void run_part(ex_run *run, int k, int part)
{
	const ex_step *step = ex_run_half(run, part);
	unsigned number = step_begin(run, k);
	if (step->clears)
		memset(run->region + step->tile_after, 0, (size_t)step->after);
	if (run->messages[part].count)
		ex_messages_run(run, part);
	const ex_received received = {run->staging ? run->staging + run->kept_at : NULL, run->kept[part]};
	if (step->overlaps)
		add_overlapping(run, step, &received);
	else if (step->adds)
		ex_run_sum(run, step, &received, run->choice[k].store);
	else
		copy_moves(run, step, run->choice[k], 0, 1);
	step_end(run, k, number);
}

/* ---- a step while the rank works ---- */

/* What comes from one rank of the host, or stays. */
static void copy_from(ex_run *run, const ex_step *step, int peer)
{
	for (int i = 0; i < step->ins; i++) {
		const ex_move *move = &step->in[i];
		if (move->peer == peer)
			copy_part(move, run->region + step->tile_after + move->into,
				ex_run_at(run, peer, step->tile_before) + move->from, EX_PLAIN, 0, 1);
	}
}

/* How many messages have not come yet from each rank. */
static void count_messages(const ex_run *run, int part, int *left)
{
	const ex_messages *messages = &run->messages[part];
	memset(left, 0, (size_t)run->team->ranks * sizeof(*left));
	for (int i = 0; i < messages->count; i++)
		left[messages->message[i].move->peer] += messages->message[i].in;
}

static bool take_message(ex_round *round, bool look, const ex_meanwhile *meanwhile)
{
	const ex_message *message = ex_messages_next(round, look);
	if (message && message->in && --round->run->left[message->move->peer] == 0)
		meanwhile->arrived(meanwhile->user, message->move->peer);
	return message;
}

/* From partners on this host, each as soon as it is through with the step before. */
static void take_from_partners(ex_run *run, int k, unsigned number, const ex_meanwhile *meanwhile)
{
	const ex_step *step = &run->program->steps[k];
	int count = run->partner_count[k], *partner = run->partners[k];
	for (int n = 0; n < count; n++) {
		int next = n;
		while (next < count && !ex_flag_reached(&flags_of(run, partner[next])->ready, number - 1))
			next++;
		next = next < count ? next : n;
		int peer = partner[next];
		partner[next] = partner[n];
		partner[n] = peer;
		ex_team_wait(run->team, &flags_of(run, peer)->ready, number - 1);
		copy_from(run, step, peer);
		meanwhile->arrived(meanwhile->user, peer);
	}
}

void ex_run_stay(ex_run *run, int k)
{
	copy_from(run, &run->program->steps[k], run->team->rank);
}

void ex_run_step_while(ex_run *run, int k, const ex_meanwhile *meanwhile)
{
	assert(k >= 0 && k < run->program->count);
	const ex_step *step = &run->program->steps[k];
	assert(!step->adds && !step->passes && !step->then);
	unsigned number = ++run->team->number;
	ex_round round;
	ex_watch_step(k + 1, step->step->op);
	count_messages(run, k, run->left);
	ex_messages_begin(run, k, &round);
	while (meanwhile->work(meanwhile->user))
		while (take_message(&round, true, meanwhile))
			;
	take_from_partners(run, k, number, meanwhile);
	while (round.finished < round.messages->count)
		take_message(&round, false, meanwhile);
	step_end(run, k, number);
}

/* In the tile, by messages of its own. */
static void pass_on(ex_run *run, int k)
{
	ex_watch_step(k + 1, run->program->steps[k].step->op);
	ex_rings_step(run->rings, k, ex_run_tile(run, k));
	ex_run_alone(run);
}

void ex_run_step(ex_run *run, int k)
{
	assert(k >= 0 && k < run->program->count);
	const ex_step *step = &run->program->steps[k];
	if (step->passes) {
		pass_on(run, k);
		return;
	}
	if (run->collectives && step_as_collective(run, k))
		return;
	run_part(run, k, k);
	if (step->then)
		run_part(run, k, run->program->count + k);
}

static void copy_reference(const ex_run *run, const ex_step *step, ex_store store)
{
	const char *from = run->region + step->tile_before;
	char *into = run->region + step->tile_after;
	for (int64_t at = 0, part; at < step->after; at += part) {
		part = step->after - at < step->before ? step->after - at : step->before;
		ex_copy_bytes(into + at, from, part, store);
	}
}

/* As many terms of as many bytes, all out of this rank's own tile. */
static void add_reference(ex_run *run, const ex_step *step, ex_store store)
{
	const char *from = run->region + step->tile_before;
	char *into = run->region + step->tile_after;
	for (int b = 0; b < step->boxes; b++) {
		const ex_box *box = &step->box[b];
		int64_t bytes = step->in[box->in[0]].bytes, places = step->before / (bytes ? bytes : 1);
		if (!bytes)
			continue;
		for (int i = 0; i < box->count; i++)
			run->term[i] = (ex_term){from + (places ? i % places : 0) * bytes, {.run = bytes, .runs = 1}};
		ex_sum(run->program->adder, run->term, box->count, into, 0, 1, store);
		into += bytes;
	}
}

void ex_run_reference(ex_run *run, int k, ex_store store)
{
	assert(k >= 0 && k < run->program->count);
	const ex_step *step = &run->program->steps[k];
	unsigned number = step_begin(run, k);
	bool boxes = step->adds && !step->overlaps;
	if (boxes)
		add_reference(run, step, store);
	if (!boxes || step->then)
		copy_reference(run, step, store);
	step_end(run, k, number);
}
