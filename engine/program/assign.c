/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Homes and uses of least total cost.
 */
#include <shardwalk/assign.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/assign_fill.h"
#include "program/assign_live.h"
#include "program/typing.h"

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

/* Nothing costs less.  Costs are whole, ties less than what is told, and so is what they add to the cheapest. */
static double bound_of(const sw_net *net, const sw_minimum *m)
{
	if (m->found && m->proved)
		return without_ties(net, m->cost - sw_net_ties(net, m->value));
	return m->bound > most_ties(net) ? without_ties(net, m->bound - most_ties(net)) : 0;
}

static bool fill_assignment(sw_net *net, const sw_minimum *m, sw_arena *arena, sw_assignment *out, sw_diag *diag)
{
	out->found = m->found;
	out->proved = m->proved;
	out->whole = net->whole;
	out->full = net->store.failure == SW_COSTS_FULL;
	out->branches = m->branches;
	out->bound = bound_of(net, m);
	if (!m->found)
		return true;
	out->products = sw_net_products(net, m->value);
	out->cost = without_ties(net, m->cost - sw_net_ties(net, m->value));
	out->has_next = m->has_next;
	if (m->has_next)
		out->next_cost = without_ties(net, m->next_cost - sw_net_ties(net, m->next));
	return sw_fill_homes(net, m->value, arena, &out->home, diag) &&
		(!m->has_next || sw_fill_homes(net, m->next, arena, &out->next, diag));
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

/* What is looked for; `assigned` NULL: only whether there is something. */
struct sought {
	const sw_program *program;
	const sw_assign_options *options;
	sw_arena *arena;
	sw_program *assigned;
};

/* One search.  *cut: it had no room for some second types. */
static bool search(const struct sought *s, enum sw_net_kind kind, sw_assignment *out, bool *cut, sw_diag *diag)
{
	sw_arena *scratch = sw_arena_new();
	sw_net net;
	sw_minimum m = {.proved = true};

	if (scratch == NULL)
		return sw_diag_memory(diag);
	bool ok = sw_net_init(&net, s->program, s->options, kind, scratch, diag);

	if (ok && !net.impossible)
		ok = choose(&net, s->assigned != NULL, &m) || sw_diag_memory(diag);
	else if (!ok && net.store.failure != SW_COSTS_FINE)
		ok = gave_up(&net, &m) || sw_diag_memory(diag);
	ok = ok && fill_assignment(&net, &m, s->arena, out, diag);
	if (ok && m.found && s->assigned != NULL)
		ok = sw_fill_program(&net, m.value, s->arena, s->assigned, out, diag);
	*cut = net.cut;
	sw_net_end(&net);
	sw_arena_free(scratch);
	return ok;
}

/* What nothing costs less than, whatever second types there are. */
static bool find_bound(const sw_program *program, const sw_assign_options *options, sw_assignment *out, sw_diag *diag)
{
	sw_arena *scratch = sw_arena_new();
	sw_net net;
	sw_minimum m = {.bound = 0};

	if (scratch == NULL)
		return sw_diag_memory(diag);
	bool ok = sw_net_init(&net, program, options, SW_NET_RELAXED, scratch, diag);

	if (ok)
		ok = choose(&net, false, &m) || sw_diag_memory(diag);
	else if (net.store.failure != SW_COSTS_FINE)
		ok = gave_up(&net, &m) || sw_diag_memory(diag);
	out->bound = fmin(out->cost, bound_of(&net, &m));
	sw_net_end(&net);
	sw_arena_free(scratch);
	return ok;
}

/* Where distances between all types take too much room, those between types without sums may fit: nothing is proved. */
static bool search_without_sums(const struct sought *s, sw_assignment *out, sw_diag *diag)
{
	sw_assignment without = {.found = false};
	bool cut;

	if (out->found || !out->full || sw_net_gives_sums(s->program))
		return true;
	if (!search(s, SW_NET_WITHOUT_SUMS, &without, &cut, diag))
		return false;
	if (without.found) {
		*out = without;
		out->bound = 0;
		out->proved = !(out->cost > 0);
		out->full = !out->proved;
	}
	return true;
}

static bool attempt(const sw_program *program, const sw_assign_options *options, sw_arena *arena,
	sw_program *assigned, sw_assignment *out, sw_diag *diag)
{
	const struct sought s = {program, options, arena, assigned};
	bool cut = false;

	*out = (sw_assignment){.found = false};
	bool ok = search(&s, SW_NET_ALL, out, &cut, diag);
	if (ok && cut && out->found && assigned != NULL) {
		ok = find_bound(program, options, out, diag);
		out->proved = ok && !(out->bound < out->cost);
		out->full = out->full || !out->proved;
	}
	return ok && search_without_sums(&s, out, diag);
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
	sw_arena *scratch = sw_arena_new();
	sw_net net = {.spaces = 0};
	int room = 0;

	any.budget = any.live = 0;
	*count = 0;
	*list = NULL;
	bool ok = scratch != NULL && sw_net_init(&net, program, &any, SW_NET_ALL, scratch, NULL);
	for (int k = 0; ok && k < net.spaces; k++)
		for (int32_t a = 0; ok && a < net.space[k]->types.arrangements; a++) {
			ok = SW_GROW(arena, *list, *count, room, 64);
			if (ok)
				(*list)[(*count)++] = net.space[k]->types.size[a] * (options->bytes ? net.space[k]->bytes : 1);
		}
	sw_net_end(&net);
	sw_arena_free(scratch);
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

/* ---- all ---- */

static bool assign_bare(const sw_program *bare, const sw_assign_options *options, sw_arena *arena,
	sw_program *assigned, sw_assignment *assignment, sw_diag *diag)
{
	if (!attempt(bare, options, arena, assigned, assignment, diag))
		return false;
	if (assignment->found || !assignment->proved)
		return true;
	if (options->live > 0)
		assignment->smallest = smallest_live(bare, options);
	else if (options->budget > 0)
		assignment->smallest = smallest_budget(bare, options, arena);
	return true;
}

/* Of the values of the program instead of those that are written; NULL of NULL.  false: memory. */
static bool spread(const sw_program *program, const int *of, sw_arena *arena, const sw_type *const **homes)
{
	const sw_type **home = *homes == NULL ? NULL : SW_NEW(arena, const sw_type *, program->values);

	for (int v = 0; home != NULL && v < program->values; v++)
		home[v] = (*homes)[of[v]];
	if (*homes != NULL && home == NULL)
		return false;
	*homes = home;
	return true;
}

bool sw_assign(const sw_program *program, const sw_assign_options *options, sw_arena *arena, sw_program *assigned,
	sw_assignment *assignment, sw_diag *diag)
{
	sw_arena *scratch = sw_arena_new();
	int *of = scratch != NULL ? SW_NEW(scratch, int, program->values + 1) : NULL;
	sw_program bare;
	bool ok = (of != NULL && sw_program_bare(program, scratch, &bare, of)) || sw_diag_memory(diag);

	ok = ok && sw_program_of_tiles(program, diag) && assign_bare(&bare, options, arena, assigned, assignment, diag);
	if (ok && bare.values < program->values)
		ok = (spread(program, of, arena, &assignment->home) && spread(program, of, arena, &assignment->next)) ||
			sw_diag_memory(diag);
	sw_arena_free(scratch);
	return ok;
}
