/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Homes and uses of least total cost.
 */
#include <shardwalk/assign.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/assign_live.h"
#include "program/assign_net.h"

/* ---- reading out ---- */

static bool fill_homes(const sw_net *net, const int32_t *values, sw_arena *arena, const sw_type **homes)
{
	const sw_program *p = net->program;
	sw_type *home = SW_NEW(arena, sw_type, p->values);

	for (int v = 0; home != NULL && v < p->values; v++) {
		home[v] = p->value[v].home;
		if (p->value[v].open)
			sw_type_space_at(&net->value[v].space->types, sw_net_home(net, v, values), &home[v]);
	}
	*homes = home;
	return home != NULL;
}

/* Uses that are alike keep the type as it was written. */
static void fill_use(const sw_net *net, int k, int32_t state, sw_program_statement *statement, const sw_type *home)
{
	const sw_net_space *space = net->value[statement->operand[k]].space;

	if (sw_type_space_find(&space->types, home) == state)
		statement->use[k] = *home;
	else
		sw_type_space_at(&space->types, state, &statement->use[k]);
}

static void fill_statement(const sw_net *net, int s, const int32_t *values, const sw_type *homes,
	sw_program_statement *statement)
{
	const sw_form *form = sw_net_form(net, s, values);

	for (int k = 0; form != NULL && k < statement->count; k++)
		fill_use(net, k, form->use[k], statement, &homes[statement->operand[k]]);
	statement->home_given = true;
}

static bool fill_program(const sw_net *net, const int32_t *values, const sw_type *homes, sw_arena *arena,
	sw_program *assigned, sw_diag *diag)
{
	const sw_program *p = net->program;

	*assigned = *p;
	assigned->value = SW_NEW(arena, sw_value, p->values);
	assigned->statement = SW_NEW(arena, sw_program_statement, p->statements);
	if (assigned->value == NULL || assigned->statement == NULL)
		return sw_diag_memory(diag);
	memcpy(assigned->value, p->value, (size_t)p->values * sizeof *p->value);
	memcpy(assigned->statement, p->statement, (size_t)p->statements * sizeof *p->statement);
	for (int v = 0; v < p->values; v++) {
		assigned->value[v].home = homes[v];
		assigned->value[v].open = false;
	}
	for (int s = 0; s < p->statements; s++)
		fill_statement(net, s, values, homes, &assigned->statement[s]);
	if (p->result_open)
		assigned->result = homes[p->returned];
	assigned->result_open = false;
	return sw_program_type(assigned, true, arena, diag);
}

/* ---- finding ---- */

static bool same_homes(void *context, const int32_t *a, const int32_t *b)
{
	const sw_net *net = context;

	for (int v = 0; v < net->program->values; v++)
		if (net->program->value[v].open && sw_net_home(net, v, a) != sw_net_home(net, v, b))
			return false;
	return true;
}

static bool same_live(void *context, const int32_t *a, const int32_t *b)
{
	return same_homes(((sw_live *)context)->net, a, b);
}

static bool tighten_live(void *context, const bool *const *allowed, sw_choice_link *link, const double **own)
{
	return sw_live_tighten(context, allowed, link, own);
}

static bool judge_live(void *context, const int32_t *value, double *cost, int *branch, bool *left)
{
	return sw_live_judge(context, value, cost, branch, left);
}

/* Where tables could not be filled nothing is known but that nothing costs less than 0.  false: memory. */
static bool gave_up(const sw_net *net, sw_minimum *m)
{
	*m = (sw_minimum){.found = false};
	return net->store.failure != SW_COSTS_NO_MEMORY;
}

/* Elements are whole. */
static double without_ties(const sw_net *net, double cost)
{
	double rounded = net->options->machine != NULL ? cost : nearbyint(cost);

	return rounded > 0 ? rounded : 0;
}

static double most_ties(const sw_net *net)
{
	return net->options->machine != NULL ? 1e-17 : 0.5;
}

static bool fill_assignment(const sw_net *net, const sw_minimum *m, sw_arena *arena, sw_assignment *out,
	sw_diag *diag)
{
	out->found = m->found;
	out->proved = m->proved;
	out->whole = net->whole;
	out->full = net->store.failure == SW_COSTS_FULL;
	out->branches = m->branches;
	out->bound = m->bound > most_ties(net) ? without_ties(net, m->bound - most_ties(net)) : 0;
	if (!m->found)
		return true;
	out->products = sw_net_products(net, m->value);
	out->cost = without_ties(net, m->cost - sw_net_ties(net, m->value));
	if (m->proved)
		out->bound = out->cost;
	out->has_next = m->has_next;
	if (m->has_next)
		out->next_cost = without_ties(net, m->next_cost - sw_net_ties(net, m->next));
	return (fill_homes(net, m->value, arena, &out->home) &&
			   (!m->has_next || fill_homes(net, m->next, arena, &out->next))) ||
		sw_diag_memory(diag);
}

/* The cheapest choices.  false: memory. */
static bool choose(sw_net *net, bool next, sw_minimum *m)
{
	sw_live live;
	sw_minimum_options how = {.same = same_homes, .context = net, .next = next};

	if (net->options->live > 0) {
		if (!sw_live_init(&live, net))
			return false;
		how.judge = judge_live;
		how.tighten = tighten_live;
		how.same = same_live;
		how.context = &live;
	}
	return sw_minimum_find(&net->choices, &how, &net->store, m);
}

/* One search, whose tables live in `scratch`.  `assigned` NULL: only whether there is something. */
static bool search(const sw_program *program, const sw_assign_options *options, sw_arena *scratch, sw_arena *arena,
	sw_program *assigned, sw_assignment *out, sw_diag *diag)
{
	sw_net net;
	sw_minimum m = {.proved = true};
	bool ok = sw_net_init(&net, program, options, scratch, diag);

	if (ok && !net.impossible)
		ok = choose(&net, assigned != NULL, &m) || sw_diag_memory(diag);
	else if (!ok && net.store.failure != SW_COSTS_FINE)
		ok = gave_up(&net, &m) || sw_diag_memory(diag);
	ok = ok && fill_assignment(&net, &m, arena, out, diag);
	if (ok && m.found && assigned != NULL)
		ok = fill_program(&net, m.value, out->home, arena, assigned, diag);
	sw_net_end(&net);
	return ok;
}

static bool attempt(const sw_program *program, const sw_assign_options *options, sw_arena *arena,
	sw_program *assigned, sw_assignment *out, sw_diag *diag)
{
	sw_arena *scratch = sw_arena_new();

	*out = (sw_assignment){.found = false};
	bool ok = scratch != NULL ? search(program, options, scratch, arena, assigned, out, diag) : sw_diag_memory(diag);
	sw_arena_free(scratch);
	return ok;
}

/* ---- the smallest bound ---- */

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The sizes that tiles can have, as bounds are told. */
static bool list_sizes(const sw_program *program, const sw_assign_options *options, sw_arena *arena, int64_t **list,
	int *count)
{
	sw_assign_options any = *options;
	sw_net net;
	int room = 0;

	any.budget = any.live = 0;
	*count = 0;
	*list = NULL;
	bool ok = sw_net_init(&net, program, &any, arena, NULL);
	for (int k = 0; ok && k < net.spaces; k++)
		for (int32_t a = 0; ok && a < net.space[k]->types.arrangements; a++) {
			ok = SW_GROW(arena, *list, *count, room, 64);
			if (ok)
				(*list)[(*count)++] = net.space[k]->types.size[a] * (options->bytes ? net.space[k]->bytes : 1);
		}
	sw_net_end(&net);
	if (*count > 0)
		qsort(*list, (size_t)*count, sizeof **list, ascending);
	return ok;
}

/* Is there something within this bound, of tiles or of what is held at once? */
static bool admits(const sw_program *program, const sw_assign_options *options, int64_t bound, bool *found)
{
	sw_assign_options within = *options;
	sw_arena *arena = sw_arena_new();
	sw_assignment out = {.found = false};

	if (options->live > 0)
		within.live = bound;
	else
		within.budget = bound;
	bool ok = arena != NULL && attempt(program, &within, arena, NULL, &out, NULL) && (out.found || out.proved);
	sw_arena_free(arena);
	*found = out.found;
	return ok;
}

/* The smallest of the sizes that tiles can have; 0: not even the largest does, or it is not known. */
static int64_t smallest_budget(const sw_program *program, const sw_assign_options *options, sw_arena *arena)
{
	int64_t *size;
	int count, low = 0;
	bool found;

	if (!list_sizes(program, options, arena, &size, &count) || count == 0 ||
		!admits(program, options, size[count - 1], &found) || !found)
		return 0;
	for (int high = count - 1; low < high;) {
		int middle = low + (high - low) / 2;

		if (!admits(program, options, size[middle], &found))
			return 0;
		if (found)
			high = middle;
		else
			low = middle + 1;
	}
	return size[low];
}

static int64_t smallest_live(const sw_program *program, const sw_assign_options *options)
{
	int64_t low = options->live + 1, high;
	bool found;

	if (!sw_net_most(program, options->bytes, &high) || !admits(program, options, high, &found) || !found)
		return 0;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (!admits(program, options, middle, &found))
			return 0;
		if (found)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool sw_assign(const sw_program *program, const sw_assign_options *options, sw_arena *arena, sw_program *assigned,
	sw_assignment *assignment, sw_diag *diag)
{
	if (!attempt(program, options, arena, assigned, assignment, diag))
		return false;
	if (assignment->found || !assignment->proved)
		return true;
	if (options->live > 0)
		assignment->smallest = smallest_live(program, options);
	else if (options->budget > 0)
		assignment->smallest = smallest_budget(program, options, arena);
	return true;
}
