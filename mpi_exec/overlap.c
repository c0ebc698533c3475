/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computing while messages travel.
 */
#include "overlap.h"

#include <assert.h>

#include <shardwalk/computation.h>

#include "watch.h"

/* ---- which steps ---- */

/* The operand of step `s` that step `move` brings; -1: none. */
static int operand_of(const sw_program *program, int move, int s)
{
	const sw_step *step = &program->step[s];
	for (int i = step->formula->formula.adds ? 1 : 0; i < step->operands && program->step[move].inside; i++)
		if (step->operand[i] == sw_program_value_of(program, move))
			return i;
	return -1;
}

bool ex_overlap_brings(const sw_program *program, int move, int s)
{
	return program->step[s].formula && operand_of(program, move, s) >= 0;
}

static bool can_wait(const ex_run *run)
{
	const ex_program *program = run->program;
	const ex_step *step = program->steps;
	return program->count == 1 && program->between && !step->adds && !step->passes && !step->then;
}

/* The first of the exchanges before step `s` that go with it; `s`: there are none, and *why says why. */
static int first_move(const sw_program *program, int s, const ex_run *run, const char **why)
{
	const sw_step *step = &program->step[s];
	int first = s;
	*why = step->equation           ? "a product is computed at once" :
		!sw_formula_parts_are(step) ? "several steps in a row sum over a letter" :
									  "nothing has to be sent";
	while (!step->equation && sw_formula_parts_are(step) && first > 0 && ex_overlap_brings(program, first - 1, s)) {
		if (!can_wait(&run[first - 1])) {
			*why = "what is needed comes by more than one exchange, or is summed";
			break;
		}
		first--;
	}
	return first;
}

/* ---- laying out ---- */

static bool lay_out_moves(const sw_program *program, int first, int s, ex_run *run, sw_arena *arena, ex_overlap *o)
{
	int moves = s - first, *move = SW_NEW(arena, int, moves);
	sw_formula_arrival *arrival = SW_NEW(arena, sw_formula_arrival, moves);
	o->constant = SW_NEW(arena, bool, moves);
	o->run = SW_NEW(arena, ex_run *, moves);
	if (!move || !arrival || !o->constant || !o->run)
		return false;
	for (int m = 0; m < moves; m++) {
		const ex_program *exchange = run[first + m].program;
		move[m] = first + m;
		o->run[m] = &run[first + m];
		o->constant[m] = program->value[sw_program_value_of(program, first + m)].constant;
		arrival[m] = (sw_formula_arrival){operand_of(program, first + m, s), exchange->between,
			exchange->steps->step->rule};
	}
	o->moves = moves;
	o->move = move;
	o->parts = sw_formula_parts_of(program, s, run[first].program->rank, arrival, moves, arena);
	return o->parts;
}

bool ex_overlap_lay_out(const sw_program *program, int s, ex_run *run, sw_arena *arena, ex_overlap **overlap,
	const char **why, ex_fault *fault)
{
	*overlap = NULL;
	*why = NULL;
	int first = program->step[s].formula ? first_move(program, s, run, why) : s;
	if (first == s)
		return true;
	*why = NULL;
	ex_overlap *o = SW_NEW_ZERO(arena, ex_overlap, 1);
	bool ok = o && lay_out_moves(program, first, s, run, arena, o);
	if (ok) {
		o->scratch = sw_arena_new();
		o->left = SW_NEW(arena, int, o->parts->parts);
		o->done = SW_NEW(arena, bool, o->parts->parts);
	}
	*overlap = o;
	return (ok && o->left && o->done && o->scratch) || ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
}

void ex_overlap_close(ex_overlap *overlap)
{
	if (overlap)
		sw_arena_free(overlap->scratch);
}

bool ex_overlap_has(const ex_overlap *overlap, int s)
{
	return overlap && s >= overlap->move[0] && s <= overlap->move[overlap->moves - 1];
}

/* ---- computing ---- */

static void compute_part(ex_overlap *o, int part)
{
	if (!sw_formula_parts_run(o->parts, part, o->operand, o->made, o->scratch))
		ex_watch_end("out of memory, while a formula was computed", "fewer elements take less");
	o->done[part] = true;
	ex_watch_work();
}

/* Does a part have to be left to those who send?  Of steps in a row each part reads what the parts before it made. */
static bool has_to_wait(const ex_overlap *o, int part)
{
	return o->parts->rows > 1 ? o->parts->part[part].senders > 0 : o->left[part] > 0;
}

/* All that can be, in order. */
static void compute_arrived(ex_overlap *o)
{
	for (int i = 0; i < o->parts->parts; i++)
		if (o->left[i] == 0 && !o->done[i])
			compute_part(o, i);
}

/* All that this rank keeps, of all operands: parts read them. */
static void stay(ex_overlap *o)
{
	for (int m = 0; m < o->moves; m++)
		if (!(o->again && o->constant[m]))
			ex_run_stay(o->run[m], 0);
	o->stays = true;
}

/* The next part that waits for nobody; behind the last of them, of steps in a row, what arrived meanwhile. */
static bool work(void *user)
{
	ex_overlap *o = user;
	if (!o->stays)
		stay(o);
	while (o->next < o->parts->parts && (o->done[o->next] || has_to_wait(o, o->next)))
		o->next++;
	if (o->next < o->parts->parts) {
		compute_part(o, o->next++);
		return true;
	}
	if (o->parts->rows > 1)
		compute_arrived(o);
	return false;
}

static void arrived(void *user, int peer)
{
	ex_overlap *o = user;
	for (int i = 0; i < o->parts->parts; i++) {
		const sw_formula_part *part = &o->parts->part[i];
		for (int n = 0; n < part->senders; n++)
			if (part->sender[n].device == peer && part->sender[n].arrival == o->arriving && --o->left[i] == 0 &&
				o->parts->rows == 1)
				compute_part(o, i);
	}
	if (o->parts->rows > 1 && o->next == o->parts->parts)
		compute_arrived(o);
}

static int waits_for(const ex_overlap *o, const sw_formula_part *part)
{
	int count = 0;
	for (int n = 0; n < part->senders; n++)
		count += !(o->again && o->constant[part->sender[n].arrival]);
	return count;
}

void ex_overlap_step(ex_overlap *overlap, bool again, const void *const *operand, void *made)
{
	assert(overlap->moves > 0);
	const ex_meanwhile meanwhile = {work, arrived, overlap};
	overlap->operand = operand;
	overlap->made = made;
	overlap->again = again;
	overlap->stays = false;
	overlap->next = 0;
	for (int i = 0; i < overlap->parts->parts; i++) {
		overlap->left[i] = waits_for(overlap, &overlap->parts->part[i]);
		overlap->done[i] = false;
	}
	sw_formula_parts_begin(overlap->parts, operand, made);
	for (int m = 0; m < overlap->moves; m++) {
		overlap->arriving = m;
		if (!(again && overlap->constant[m]))
			ex_run_step_while(overlap->run[m], 0, &meanwhile);
	}
	compute_arrived(overlap);
}
