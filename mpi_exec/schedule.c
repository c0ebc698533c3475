/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the messages of a schedule to the copies of one rank.
 */
#include "schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A move, between which values, and when its turn is. */
typedef struct listed {
	ex_move move;
	int from, into, round, number;
} listed;

typedef struct listing {
	const sw_program *of;
	int s;
	ex_program *program;
	sw_arena *arena;
	listed *in, *out;
	int ins, outs, in_room, out_room;
	int64_t elements; /* that come to any rank */
	bool failed;
} listing;

static bool add(listing *l, const sw_iteration_move *move, bool in)
{
	int ranks = l->program->ranks, me = l->program->rank, *count = in ? &l->ins : &l->outs;
	int peer = (int)(in ? move->from : move->to);
	bool grown = in ? SW_GROW(l->arena, l->in, l->ins, l->in_room, 8) :
					  SW_GROW(l->arena, l->out, l->outs, l->out_room, 8);
	if (!grown)
		return false;
	listed *next = (in ? l->in : l->out) + *count;
	*next = (listed){.from = l->of->step[l->s].operand[move->operand],
		.into = sw_program_value_of(l->of, l->s),
		.round = in ? (me - peer + ranks) % ranks : (peer - me + ranks) % ranks,
		.number = (*count)++,
		.move = {.peer = peer,
			.bytes = move->loops->elements * l->program->element,
			.from = move->loops->from * l->program->element,
			.into = move->loops->into * l->program->element}};
	ex_shape_of(&next->move.shape, l->program->element, move->loops);
	return true;
}

static bool list_move(void *user, const sw_iteration_move *move)
{
	listing *l = user;
	int me = l->program->rank;
	l->elements += move->loops->elements;
	l->failed = (move->to == me && !add(l, move, true)) || (move->from == me && !add(l, move, false));
	return !l->failed;
}

/* Ranks begin with themselves, and both sides of a message are in one order. */
static int by_round(const void *left, const void *right)
{
	const listed *a = left, *b = right;
	return a->round != b->round ? a->round - b->round : a->number - b->number;
}

/* Where values lie is not known yet: places count from their beginnings, and which they are is kept beside the moves. */
static ex_move *moves_of(listed *list, int count, sw_arena *arena, int **values)
{
	ex_move *move = SW_NEW(arena, ex_move, count + 1);
	*values = SW_NEW(arena, int, 2 * count + 1);
	if (!move || !*values)
		return NULL;
	if (count)
		qsort(list, (size_t)count, sizeof *list, by_round);
	for (int i = 0; i < count; i++) {
		move[i] = list[i].move;
		(*values)[2 * i] = list[i].from;
		(*values)[2 * i + 1] = list[i].into;
	}
	return move;
}

static bool take_moves(listing *l, ex_step *step)
{
	ex_program *program = l->program;
	step->ins = l->ins;
	step->outs = l->outs;
	step->in = moves_of(l->in, l->ins, l->arena, &program->in_values);
	step->out = moves_of(l->out, l->outs, l->arena, &program->out_values);
	step->landing = l->elements * program->element;
	step->fills = true; /* ranks differ in what they copy: each reads what it gets */
	return step->in && step->out;
}

static bool make_step(const sw_program *of, int s, ex_program *program, sw_arena *arena, ex_fault *fault)
{
	listing l = {.of = of, .program = program, .arena = arena};
	ex_step *step = program->steps;
	sw_diag diag = {0};
	sw_arena *brief = sw_arena_new();
	bool all = brief != NULL;
	for (int n = s; all && n < s + program->fetches; n++) {
		l.s = n;
		all = sw_program_each_move(of, n, brief, list_move, &l, &diag);
	}
	sw_arena_free(brief);
	if (!all && diag.code && !l.failed)
		return ex_fault_of(fault, &diag);
	if (!all || !take_moves(&l, step))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	step->adds = sw_program_sends_terms(of, s);
	return !step->adds || ex_program_adds_moves(program, step, arena, fault);
}

bool ex_schedule_make(const sw_program *of, int s, int count, int rank, sw_arena *arena, ex_program *program,
	ex_fault *fault)
{
	const sw_value *made = &of->value[sw_program_value_of(of, s)];
	assert(sw_program_sends(of, s) && rank >= 0 && count > 0);
	*program = (ex_program){.rank = rank,
		.ranks = (int)of->mesh.devices,
		.element = sw_dtype_bytes(made->type->dtype),
		.count = 1,
		.fetches = count};
	program->steps = SW_NEW_ZERO(arena, ex_step, 1);
	if (!program->steps)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	program->steps->step = &of->step[s];
	for (int n = s; n < s + count; n++)
		program->steps->after += of->value[sw_program_value_of(of, n)].bytes;
	program->steps->before = program->steps->after;
	program->dtype = made->type->dtype;
	return make_step(of, s, program, arena, fault);
}

static void place(ex_move *move, int count, const int *values, const int64_t *at)
{
	for (int i = 0; i < count; i++) {
		move[i].from += at[values[2 * i]];
		move[i].into += at[values[2 * i + 1]];
	}
}

void ex_schedule_place(ex_program *program, const int64_t *at)
{
	place(program->steps->in, program->steps->ins, program->in_values, at);
	place(program->steps->out, program->steps->outs, program->out_values, at);
}
