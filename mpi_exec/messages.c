/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps by messages: pack what has gaps, send, receive, unpack what has gaps as it arrives.
 *
 * Chunks start in rounds: in round r a rank sends to the rank r places after it and receives from the one r places
 * before.  Buffers are slots of one size, together at most one tile; a message that needs one waits until one is free.
 * The earliest unfinished round has always been started on both sides, so this cannot lock up.
 */
#include "run.h"

#include <assert.h>
#include <sched.h>
#include <string.h>

#include <shardwalk/number.h>

#include "requests.h"

enum { SMALLEST_LIMIT = 64 << 10, LINE = 64, PAGE = 4096 };

static int64_t largest_tile(const ex_program *program)
{
	int64_t largest = 0;
	for (int k = 0; k < program->count; k++)
		largest = sw_larger(largest, sw_larger(program->steps[k].before, program->steps[k].after));
	return largest;
}

/* How many runs of a move one message takes: the same on both sides. */
static int64_t runs_per_message(const ex_move *move, int64_t limit)
{
	int64_t runs = limit / move->shape.run;
	return runs < 1 || move->shape.runs < 1 ? 1 : runs < move->shape.runs ? runs : move->shape.runs;
}

static int chunk_count(const ex_run *run, const ex_move *move, int count, int64_t limit)
{
	int64_t messages = 0;
	for (int i = 0; i < count; i++) {
		int64_t runs = runs_per_message(&move[i], limit);
		if (ex_messages_cross(run, move[i].peer))
			messages += (move[i].shape.runs + runs - 1) / runs;
	}
	return (int)messages;
}

/* `kept`: where what comes is kept for the sum; -1: it goes into the tile. */
static void add_messages(ex_messages *messages, const ex_move *move, bool in, int64_t kept, int64_t limit)
{
	int64_t runs = runs_per_message(move, limit);
	bool whole = in ? ex_shape_into_whole(&move->shape) : ex_shape_from_whole(&move->shape);
	for (int64_t first = 0; first < move->shape.runs; first += runs) {
		int64_t left = move->shape.runs - first;
		ex_message *message = &messages->message[messages->count++];
		*message =
			(ex_message){.move = move, .moves = 1, .in = in, .first = first, .count = left < runs ? left : runs};
		message->kept = kept < 0 ? -1 : kept + first * move->shape.run;
		message->direct = whole || message->count == 1 || kept >= 0;
	}
}

/* How many of the next moves, all to or from one rank, are one message. */
static int together(const ex_move *move, int left, int64_t limit)
{
	int64_t bytes = move->bytes;
	int count = 1;
	while (count < left && move[count].peer == move->peer && (bytes += move[count].bytes) <= limit)
		count++;
	return count;
}

static void add_packed(ex_messages *messages, const ex_move *move, int moves, bool in, int64_t kept)
{
	messages->message[messages->count++] =
		(ex_message){.move = move, .moves = moves, .in = in, .kept = kept, .direct = kept >= 0};
}

static int round_of(const ex_run *run, const ex_move *move, bool in)
{
	int ranks = run->program->ranks, me = run->program->rank;
	return in ? (me - move->peer + ranks) % ranks : (move->peer - me + ranks) % ranks;
}

/* Both lists are in the order of rounds; they are merged. */
static void merge_moves(const ex_run *run, int part, const ex_step *step, int64_t limit)
{
	ex_messages *messages = &run->messages[part];
	int i = 0, o = 0;
	while (i < step->ins || o < step->outs) {
		bool in = o == step->outs ||
			(i < step->ins && round_of(run, &step->in[i], true) <= round_of(run, &step->out[o], false));
		int64_t kept = in && step->adds ? run->kept[part][i] : -1;
		const ex_move *move = in ? &step->in[i] : &step->out[o];
		int moves = together(move, in ? step->ins - i : step->outs - o, limit);
		*(in ? &i : &o) += moves;
		if (!ex_messages_cross(run, move->peer))
			continue;
		if (moves > 1)
			add_packed(messages, move, moves, in, kept);
		else
			add_messages(messages, move, in, kept, limit);
	}
}

static int64_t message_bytes(const ex_message *message)
{
	int64_t bytes = 0;
	for (int i = 0; message->moves > 1 && i < message->moves; i++)
		bytes += message->move[i].bytes;
	return message->moves > 1 ? bytes : message->count * message->move->shape.run;
}

static void size_slots(ex_run *run, int64_t budget)
{
	int most = 0;
	for (int k = 0; k < 2 * run->program->count; k++) {
		int packed = 0;
		for (int i = 0; i < run->messages[k].count; i++) {
			if (run->messages[k].message[i].direct)
				continue;
			run->slot = sw_larger(run->slot, message_bytes(&run->messages[k].message[i]));
			packed++;
		}
		most = packed > most ? packed : most;
	}
	if (!run->slot)
		return;
	run->slot = (run->slot + 63) / 64 * 64;
	int64_t fit = sw_larger(2, budget / run->slot);
	run->slots = (int)(fit < most ? fit : most);
	run->staging_bytes = (run->slot * run->slots + PAGE - 1) / PAGE * PAGE;
}

/* Terms that come by messages are kept until all are there, those of one message one after the other; how much room they take. */
static bool keep_terms(ex_run *run, int part, const ex_step *step, int64_t *room, sw_arena *arena)
{
	int64_t bytes = 0, *kept = SW_NEW(arena, int64_t, step->ins);
	run->kept[part] = kept;
	for (int i = 0; kept && i < step->ins; i++) {
		bool crosses = step->adds && ex_messages_cross(run, step->in[i].peer);
		kept[i] = crosses ? bytes : -1;
		int64_t unit = step->overlaps ? 1 : LINE;
		bytes += crosses ? (step->in[i].bytes + unit - 1) / unit * unit : 0;
	}
	*room = sw_larger(*room, bytes);
	return kept != NULL;
}

bool ex_messages_lay_out(ex_run *run, sw_arena *arena)
{
	const ex_program *program = run->program;
	int64_t budget = largest_tile(program), limit = sw_larger(SMALLEST_LIMIT, budget / 2), room = 0;
	int most = 0;
	for (int part = 0; part < 2 * program->count; part++) {
		const ex_step *step = ex_run_half(run, part);
		if (!step)
			continue;
		int count = chunk_count(run, step->in, step->ins, limit) + chunk_count(run, step->out, step->outs, limit);
		run->messages[part].message = SW_NEW(arena, ex_message, count);
		if (!run->messages[part].message || !keep_terms(run, part, step, &room, arena))
			return false;
		merge_moves(run, part, step, limit);
		most = count > most ? count : most;
	}
	size_slots(run, budget);
	run->kept_at = run->staging_bytes;
	run->staging_bytes += (room + PAGE - 1) / PAGE * PAGE;
	if (run->collectives)
		run->staging_bytes = sw_larger(run->staging_bytes,
			sw_larger(ex_collective_buffers(run), ex_patterns_buffers(run)));
	run->request = SW_NEW(arena, MPI_Request, most);
	run->slot_of = SW_NEW(arena, int, most);
	run->slot_free = SW_NEW(arena, int, run->slots);
	return run->request && run->slot_of && run->slot_free;
}

/* ---- one exchange ---- */

static char *message_in_tile(const ex_round *p, const ex_message *message)
{
	ex_cursor cursor;
	ex_cursor_start(&cursor, &message->move->shape, message->first, message->count);
	if (message->in)
		return p->run->region + p->step->tile_after + message->move->into + cursor.into;
	return p->run->region + p->step->tile_before + message->move->from + cursor.from;
}

/* Runs of a move, between a tile and a buffer that begins with them. */
static void move_copy(const ex_round *p, const ex_move *move, bool in, int64_t first, int64_t count, char *buffer)
{
	ex_shape shape;
	if (in) {
		ex_shape_unpack(&move->shape, &shape);
		ex_copy(&shape, p->run->region + p->step->tile_after + move->into, buffer - first * shape.run, first, count,
			EX_PLAIN);
	} else {
		ex_shape_pack(&move->shape, &shape);
		ex_copy(&shape, buffer - first * shape.run, p->run->region + p->step->tile_before + move->from, first, count,
			EX_PLAIN);
	}
}

static void message_copy(const ex_round *p, const ex_message *message, char *buffer)
{
	if (message->moves == 1)
		move_copy(p, message->move, message->in, message->first, message->count, buffer);
	for (int i = 0; message->moves > 1 && i < message->moves; i++) {
		const ex_move *move = &message->move[i];
		move_copy(p, move, message->in, 0, move->shape.runs, buffer);
		buffer += move->bytes;
	}
}

/* Starts message i; false where it has to wait for a slot. */
static bool message_start(ex_round *p, int i)
{
	ex_run *run = p->run;
	const ex_message *message = &p->messages->message[i];
	char *data;
	run->slot_of[i] = -1;
	if (message->kept >= 0) {
		data = run->staging + run->kept_at + message->kept;
	} else if (message->direct) {
		data = message_in_tile(p, message);
	} else {
		if (p->free == 0)
			return false;
		run->slot_of[i] = run->slot_free[--p->free];
		data = run->staging + run->slot * run->slot_of[i];
		if (!message->in)
			message_copy(p, message, data);
	}
	if (message->in)
		ex_irecv(run->team->world, data, message_bytes(message), message->move->peer, p->k, &run->request[i]);
	else
		ex_isend(run->team->world, data, message_bytes(message), message->move->peer, p->k, &run->request[i]);
	return true;
}

static void message_finish(ex_round *p, int i)
{
	ex_run *run = p->run;
	const ex_message *message = &p->messages->message[i];
	if (run->slot_of[i] >= 0) {
		if (message->in)
			message_copy(p, message, run->staging + run->slot * run->slot_of[i]);
		run->slot_free[p->free++] = run->slot_of[i];
	}
	p->finished++;
}

static void start_all(ex_round *p)
{
	while (p->started < p->messages->count && message_start(p, p->started))
		p->started++;
}

void ex_messages_begin(ex_run *run, int part, ex_round *round)
{
	assert(part >= 0 && part < 2 * run->program->count);
	*round = (ex_round){.run = run, .step = ex_run_half(run, part), .messages = &run->messages[part], .k = part};
	for (int i = 0; i < run->slots; i++)
		run->slot_free[round->free++] = i;
	start_all(round);
}

const ex_message *ex_messages_next(ex_round *round, bool look)
{
	if (round->finished == round->messages->count)
		return NULL;
	int i = look ? ex_look_any(round->started, round->run->request) :
				   ex_wait_any(round->started, round->run->request);
	if (i < 0)
		return NULL;
	message_finish(round, i);
	start_all(round);
	return &round->messages->message[i];
}

void ex_messages_run(ex_run *run, int part)
{
	ex_round round;
	ex_messages_begin(run, part, &round);
	while (ex_messages_next(&round, false))
		;
}
