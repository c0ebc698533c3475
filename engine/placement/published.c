/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How others sum: the programs that are published and released, by name.
 *
 * Source: seed 001, figure 10 and section 6: BlueConnect scatters level by level from the inside, all-reduces over the
 * outermost level and gathers back, as HCCL does; Horovod at first, Blink and PLink reduce to one device of each unit.
 */
#include <assert.h>

#include <shardwalk/reduction.h>

#include <shardwalk/number.h>

static void add(sw_plan *plan, sw_op op, sw_group_form form, int slice, int ancestor)
{
	plan->program.step[plan->program.steps++] = (sw_step){.op = op, .by = {form, slice, ancestor, NULL}};
}

static void one_allreduce(int factors, sw_plan *plan)
{
	(void)factors;
	add(plan, SW_ALLREDUCE, SW_FORM_INSIDE, 0, 0);
}

static void scatter_and_gather(int factors, sw_plan *plan)
{
	(void)factors;
	add(plan, SW_REDUCESCATTER, SW_FORM_INSIDE, 0, 0);
	add(plan, SW_ALLGATHER, SW_FORM_INSIDE, 0, 0);
}

/* Over factor i (from 1) alone. */
static void over_factor(int factors, int i, sw_op op, sw_plan *plan)
{
	if (i == factors)
		add(plan, op, SW_FORM_INSIDE, i - 1, 0);
	else
		add(plan, op, SW_FORM_ACROSS, i, i - 1);
}

static void level_by_level(int factors, sw_plan *plan)
{
	for (int i = factors; i > 1; i--)
		over_factor(factors, i, SW_REDUCESCATTER, plan);
	over_factor(factors, 1, SW_ALLREDUCE, plan);
	for (int i = 2; i <= factors; i++)
		over_factor(factors, i, SW_ALLGATHER, plan);
}

static void by_masters(int factors, sw_plan *plan)
{
	if (factors == 1) {
		one_allreduce(factors, plan);
		return;
	}
	add(plan, SW_REDUCE, SW_FORM_INSIDE, 1, 0);
	add(plan, SW_ALLREDUCE, SW_FORM_MASTERS, 1, 0);
	add(plan, SW_BROADCAST, SW_FORM_INSIDE, 1, 0);
}

static const struct {
	const char *name, *about;
	void (*make)(int factors, sw_plan *plan);
	bool ring, tree;
} rows[] = {
#define X(id, name, about, make, ring, tree) {name, about, make, ring, tree},
	SW_ALGORITHMS(X)
#undef X
};

const char *sw_algorithm_name(sw_algorithm algorithm)
{
	assert((unsigned)algorithm < SW_ALGORITHM_COUNT);
	return rows[algorithm].name;
}

const char *sw_algorithm_about(sw_algorithm algorithm)
{
	assert((unsigned)algorithm < SW_ALGORITHM_COUNT);
	return rows[algorithm].about;
}

bool sw_algorithm_is(sw_algorithm algorithm, sw_allreduce_way way)
{
	assert((unsigned)algorithm < SW_ALGORITHM_COUNT);
	return way == SW_ALLREDUCE_TREE ? rows[algorithm].tree : rows[algorithm].ring;
}

bool sw_algorithm_plan(sw_algorithm algorithm, int factors, sw_arena *arena, sw_plan *plan)
{
	assert(factors >= 1);
	*plan = (sw_plan){.program.step = SW_NEW(arena, sw_step, 2 * factors + 1)};
	if (plan->program.step != NULL)
		rows[algorithm].make(factors, plan);
	assert(plan->program.steps <= 2 * factors + 1);
	return plan->program.step != NULL;
}
