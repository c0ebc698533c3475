/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computing while messages travel.
 */
#include "overlap.h"

#include <shardwalk/computation.h>

#include "watch.h"

/* The operand that an exchange of one step brings, which is done last before step `s`; -1: there is none. */
static int arriving(const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	int last = -1;
	for (int i = 0; i < step->operands; i++) {
		int by = sw_program_maker(program, step->operand[i]);
		bool brings = by >= 0 && by == s - 1 && program->step[by].inside;
		last = brings && !(i == 0 && step->formula->formula.adds) ? i : last;
	}
	return last;
}

static bool can_wait(const ex_run *run)
{
	const ex_program *program = run->program;
	const ex_step *step = program->steps;
	return program->count == 1 && program->between && !step->adds && !step->passes && !step->then;
}

bool ex_overlap_lay_out(const sw_program *program, int s, ex_run *run, sw_arena *arena, ex_overlap **overlap,
	ex_fault *fault)
{
	*overlap = NULL;
	const sw_step *step = &program->step[s];
	bool once = step->formula && !step->equation && step->times <= 1;
	int operand = once ? arriving(program, s) : -1;
	if (operand < 0 || !can_wait(&run[s - 1]))
		return true;
	const ex_program *exchange = run[s - 1].program;
	ex_overlap *o = SW_NEW_ZERO(arena, ex_overlap, 1);
	if (o) {
		o->move = s - 1;
		o->run = &run[s - 1];
		o->scratch = sw_arena_new();
		o->parts = sw_formula_parts_of(program, s, exchange->rank, operand, exchange->between,
			exchange->steps->step->rule, arena);
	}
	if (o && o->parts)
		o->left = SW_NEW(arena, int, o->parts->parts);
	*overlap = o;
	return (o && o->left && o->scratch) || ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
}

void ex_overlap_close(ex_overlap *overlap)
{
	if (overlap)
		sw_arena_free(overlap->scratch);
}

static void compute_part(ex_overlap *o, int part)
{
	if (!sw_formula_parts_run(o->parts, part, o->operand, o->made, o->scratch))
		ex_watch_end("out of memory, while a formula was computed", "fewer elements take less");
	ex_watch_work();
}

/* The next part that waits for nobody. */
static bool work(void *user)
{
	ex_overlap *o = user;
	while (o->next < o->parts->parts && o->parts->part[o->next].senders > 0)
		o->next++;
	if (o->next == o->parts->parts)
		return false;
	compute_part(o, o->next++);
	return true;
}

static void arrived(void *user, int peer)
{
	ex_overlap *o = user;
	for (int i = 0; i < o->parts->parts; i++) {
		const sw_formula_part *part = &o->parts->part[i];
		for (int n = 0; n < part->senders; n++)
			if (part->sender[n] == peer && --o->left[i] == 0)
				compute_part(o, i);
	}
}

void ex_overlap_step(ex_overlap *overlap, const void *const *operand, void *made)
{
	const ex_meanwhile meanwhile = {work, arrived, overlap};
	overlap->operand = operand;
	overlap->made = made;
	overlap->next = 0;
	for (int i = 0; i < overlap->parts->parts; i++)
		overlap->left[i] = overlap->parts->part[i].senders;
	sw_formula_parts_begin(overlap->parts, operand, made);
	ex_run_step_while(overlap->run, 0, &meanwhile);
}
