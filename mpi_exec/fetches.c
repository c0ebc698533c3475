/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step of a schedule is computed part by part, and between the parts messages go on.
 */
#include "fetches.h"

#include <assert.h>

#include "schedule.h"
#include "watch.h"

enum { PARTS = 8 };

/* The first of the fetches directly before a leaf that are for a later step of the schedule; the leaf: there is none. */
static int first_fetch(const sw_program *program, int leaf)
{
	const sw_iteration *of = program->step[leaf].iteration;
	int s = leaf;
	while (s > 0 && sw_step_does(&program->step[s - 1], SW_DOES_FETCH) &&
		program->step[s - 1].iteration->lowering == of->lowering && program->step[s - 1].iteration->step > of->step)
		s--;
	return s;
}

bool ex_fetches_lay_out(const sw_program *program, int s, const ex_run *all, const int64_t *at, sw_arena *arena,
	ex_fetches **fetches, ex_fault *fault)
{
	bool leaf = sw_step_does(&program->step[s], SW_DOES_LEAF) && all->transport == EX_MESSAGES;
	int first = leaf ? first_fetch(program, s) : s;
	*fetches = NULL;
	if (first == s)
		return true;
	ex_fetches *f = SW_NEW_ZERO(arena, ex_fetches, 1);
	if (!f)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	f->program = program;
	f->leaf = s;
	f->first = first;
	if (!ex_schedule_make(program, first, s - first, all->team->rank, arena, &f->brings, fault))
		return false;
	ex_schedule_place(&f->brings, at);
	*fetches = f;
	return ex_run_lay_out(&f->run, all->team, &f->brings, all->transport, EX_NO_CALLS, arena, fault);
}

static void compute_part(ex_fetches *f)
{
	const sw_leaf_part part = {f->operand, NULL, f->made, f->brings.rank, f->next++, PARTS};
	if (!sw_program_leaf(f->program, f->leaf, &part, f->by))
		ex_watch_end("out of memory, while a schedule was computed", "fewer elements take less");
	ex_watch_work();
}

static bool work(void *user)
{
	ex_fetches *f = user;
	assert(f->next < PARTS);
	compute_part(f);
	return f->next < PARTS;
}

/* What comes is read by the next leaf. */
static void arrived(void *user, int peer)
{
	(void)user, (void)peer;
}

void ex_fetches_step(ex_fetches *fetches, const sw_multiplier *by, const void *const *operand, void *made)
{
	const ex_meanwhile meanwhile = {work, arrived, fetches};
	fetches->by = by;
	fetches->operand = operand;
	fetches->made = made;
	fetches->next = 0;
	ex_run_step_while(&fetches->run, 0, &meanwhile);
}
