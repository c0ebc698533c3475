/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cheapest choices: elimination, and branching where that alone does not say.
 */
#include "program/minimum.h"

#include <math.h>
#include <string.h>

#include "program/eliminate.h"
#include "program/guess.h"
#include "program/narrow.h"

/* Solutions that are passed over because they are the same for the caller; in all they have so many choices. */
enum { MOST_SAME = 4096, MOST_PASSED = 1 << 19 };

/* Costs that are looked at, and made, in no time; and such a table that of it a few are made at most. */
enum { MOST_AT_ONCE = 1 << 22, WIDE = 1 << 20 };

/* Some values of one choice only. */
struct branch {
	const struct branch *above; /* NULL: all that there is */
	int choice;
	const bool *allowed;
	double bound;
};

struct hunt {
	const sw_choices *choices;
	const sw_minimum_options *options;
	sw_costs_store *store;
	const int32_t *unlike; /* what is looked for is not the same as these; NULL: anything */
	double cost;           /* of the best so far */
	int32_t *value;
	sw_guess guess;
	int32_t *early; /* values that were guessed before the search; NULL: none were */
	int open, room;
	struct branch **heap;
	int64_t branches, most; /* of the store */
	/* of the branch that is looked at */
	const bool **allowed;
	const double **own;
	sw_choice_link *link;
};

static bool no_memory(struct hunt *h)
{
	h->store->failure = SW_COSTS_NO_MEMORY;
	return false;
}

double sw_choices_cost(const sw_choices *choices, const int32_t *value)
{
	double cost = 0;

	for (int i = 0; i < choices->count; i++)
		cost += choices->choice[i].own != NULL ? choices->choice[i].own[value[i]] : 0;
	for (int k = 0; k < choices->links; k++) {
		const sw_choice_link *link = &choices->link[k];

		cost += sw_link_cost(&link->costs, value[link->first], value[link->second]);
	}
	return cost;
}

/* ---- open branches, the lowest bound first ---- */

static bool push(struct hunt *h, const struct branch *branch)
{
	struct branch *copy = SW_NEW(h->store->arena, struct branch, 1);
	int k = h->open;

	if (copy == NULL || !SW_GROW(h->store->arena, h->heap, h->open, h->room, 16))
		return no_memory(h);
	*copy = *branch;
	h->open++;
	for (; k > 0 && h->heap[(k - 1) / 2]->bound > copy->bound; k = (k - 1) / 2)
		h->heap[k] = h->heap[(k - 1) / 2];
	h->heap[k] = copy;
	return true;
}

static struct branch *pop(struct hunt *h)
{
	struct branch *first = h->heap[0], *last = h->heap[--h->open];
	int k = 0;

	for (int child = 1; child < h->open; k = child, child = 2 * k + 1) {
		if (child + 1 < h->open && h->heap[child + 1]->bound < h->heap[child]->bound)
			child++;
		if (h->heap[child]->bound >= last->bound)
			break;
		h->heap[k] = h->heap[child];
	}
	h->heap[k] = last;
	return first;
}

/* One side of a branching. */
static bool push_side(struct hunt *h, const struct branch *above, int choice, const bool *left, bool side,
	double bound)
{
	int count = h->choices->choice[choice].count;
	bool *allowed = SW_NEW(h->store->arena, bool, count), any = false;

	if (allowed == NULL)
		return no_memory(h);
	for (int v = 0; v < count; v++) {
		allowed[v] = left[v] == side && (h->allowed[choice] == NULL || h->allowed[choice][v]);
		any = any || allowed[v];
	}
	return !any || push(h, &(struct branch){above, choice, allowed, bound});
}

/* ---- one branch ---- */

static const double *own_of(struct hunt *h, int choice)
{
	const sw_choice *c = &h->choices->choice[choice];
	double *own;

	if (h->allowed[choice] == NULL)
		return c->own;
	own = sw_costs_draft(h->store, c->count, sizeof *own);
	if (own == NULL)
		return NULL;
	for (int v = 0; v < c->count; v++)
		own[v] = !h->allowed[choice][v] ? INFINITY : c->own != NULL ? c->own[v] : 0;
	return sw_costs_own(h->store, own, c->count);
}

/* What is allowed on a branch, and what things cost there. */
static bool enter(struct hunt *h, const struct branch *branch)
{
	const sw_choices *choices = h->choices;

	for (int i = 0; i < choices->count; i++)
		h->allowed[i] = NULL;
	for (const struct branch *b = branch; b->above != NULL; b = b->above)
		if (h->allowed[b->choice] == NULL)
			h->allowed[b->choice] = b->allowed;
	for (int i = 0; i < choices->count; i++)
		h->own[i] = own_of(h, i);
	memcpy(h->link, choices->link, (size_t)choices->links * sizeof *h->link);
	if (h->options->tighten != NULL && !h->options->tighten(h->options->context, h->allowed, h->link, h->own))
		return false;
	return h->store->failure == SW_COSTS_FINE;
}

static bool is_same(const struct hunt *h, const int32_t *value)
{
	return h->unlike != NULL && h->options->same(h->options->context, h->unlike, value);
}

static void consider(struct hunt *h, const int32_t *value, double cost)
{
	if (!(cost < h->cost) || is_same(h, value))
		return;
	h->cost = cost;
	memcpy(h->value, value, (size_t)h->choices->count * sizeof *value);
}

/* A choice whose copies have different values; -1: none has. */
static int torn(const struct hunt *h, const sw_elimination *e, const int32_t *value, int32_t *other)
{
	for (int i = h->choices->count; i < e->count; i++)
		if (value[i] != value[e->copy_of[i]]) {
			*other = value[i];
			return e->copy_of[i];
		}
	return -1;
}

static bool branch_on_copies(struct hunt *h, const struct branch *branch, int choice, int32_t a, int32_t b,
	double bound)
{
	int count = h->choices->choice[choice].count, middle = a > b ? a : b;
	bool *left = SW_NEW(h->store->arena, bool, count);

	if (left == NULL)
		return no_memory(h);
	for (int v = 0; v < count; v++)
		left[v] = v < middle;
	return push_side(h, branch, choice, left, true, bound) && push_side(h, branch, choice, left, false, bound);
}

static int most_values(const sw_choices *choices)
{
	int most = 1;

	for (int i = 0; i < choices->count; i++)
		most = choices->choice[i].count > most ? choices->choice[i].count : most;
	return most;
}

/* Any values are an upper bound where nothing else judges them. */
static bool take_up(struct hunt *h, const sw_elimination *e, const struct branch *branch, const sw_solution *solution)
{
	double cost = sw_choices_cost(h->choices, solution->value);
	int32_t other = 0;
	int choice = torn(h, e, solution->value, &other);
	bool *left;

	if (choice >= 0 && h->options->judge == NULL)
		consider(h, solution->value, cost);
	if (choice >= 0)
		return branch_on_copies(h, branch, choice, solution->value[choice], other, solution->cost);
	if (h->options->judge == NULL) {
		consider(h, solution->value, cost);
		return true;
	}
	left = SW_NEW_ZERO(h->store->arena, bool, most_values(h->choices));
	if (left == NULL)
		return no_memory(h);
	bool fine = h->options->judge(h->options->context, solution->value, &cost, &choice, left);
	consider(h, solution->value, cost);
	return fine ||
		(push_side(h, branch, choice, left, true, solution->cost) &&
			push_side(h, branch, choice, left, false, solution->cost));
}

/* The cheapest solution of a branch that is not the same as what is known. */
static bool first_of(struct hunt *h, const sw_elimination *e, sw_solutions *solutions, const sw_solution **found)
{
	*found = NULL;
	if (!sw_solutions_begin(solutions, e, h->store->arena))
		return no_memory(h);
	for (int k = 0; k < MOST_SAME && (int64_t)k * e->count < MOST_PASSED; k++) {
		*found = sw_solutions_next(solutions);
		if (*found == NULL || !is_same(h, (*found)->value))
			return true;
	}
	h->store->failure = SW_COSTS_FULL;
	return false;
}

static bool look_at(struct hunt *h, const struct branch *branch)
{
	sw_elimination elimination;
	sw_solutions solutions;
	const sw_solution *solution;

	h->branches++;
	if (!enter(h, branch) || !sw_eliminate(h->choices, h->link, h->own, false, h->store, &elimination) ||
		!first_of(h, &elimination, &solutions, &solution))
		return false;
	return solution == NULL || !(solution->cost < h->cost) || take_up(h, &elimination, branch, solution);
}

/* ---- all of them ---- */

/* What every solution costs at least: the cheapest value of each choice. */
static double least_own(const sw_choices *choices)
{
	double sum = 0;

	for (int i = 0; i < choices->count; i++) {
		const sw_choice *c = &choices->choice[i];
		double least = c->own == NULL ? 0 : INFINITY;

		for (int v = 0; c->own != NULL && v < c->count; v++)
			least = fmin(least, c->own[v]);
		sum += least;
	}
	return sum;
}

static bool begin(struct hunt *h)
{
	int count = h->choices->count;

	h->cost = INFINITY;
	h->value = SW_NEW(h->store->arena, int32_t, count);
	h->allowed = SW_NEW(h->store->arena, const bool *, count);
	h->own = SW_NEW(h->store->arena, const double *, count);
	h->link = SW_NEW(h->store->arena, sw_choice_link, h->choices->links);
	return (h->value != NULL && h->allowed != NULL && h->own != NULL && h->link != NULL) || no_memory(h);
}

/* *bound: nothing that is not known costs less.  false: it was not finished. */
static bool hunt(struct hunt *h, double *bound)
{
	if (!push(h, &(struct branch){.bound = least_own(h->choices)}))
		return false;
	for (*bound = h->heap[0]->bound; h->open > 0 && h->heap[0]->bound < h->cost;) {
		struct branch *branch = pop(h);

		*bound = fmax(*bound, branch->bound);
		if (!sw_pulse_beat(h->store->pulse, "branches", h->branches, 0))
			h->store->failure = SW_COSTS_STOPPED;
		if (h->store->failure != SW_COSTS_FINE || !look_at(h, branch))
			return false;
	}
	*bound = h->cost;
	return true;
}

/* ---- where the search ends early ---- */

/* Costs that thin_bound makes. */
static int64_t thin_work(const sw_choices *choices)
{
	int64_t work = 0;

	for (int k = 0; k < choices->links; k++)
		work += (int64_t)choices->link[k].costs.costs->rows * choices->link[k].costs.costs->cols;
	return work;
}

static bool is_short(const sw_choices *choices)
{
	return 2 * sw_guess_work(choices) + thin_work(choices) <= MOST_AT_ONCE;
}

/* Where guessing takes long it is done first: a search that is stopped has to end at once. */
static bool guess_early(struct hunt *h)
{
	int32_t *value = SW_NEW(h->store->arena, int32_t, h->choices->count);

	if (value == NULL)
		return no_memory(h);
	if (!sw_guess_init(&h->guess, h->choices, h->store))
		return false;
	if (is_short(h->choices))
		return true;
	if (!sw_guess_first(&h->guess, value))
		return false;
	h->early = value;
	return sw_guess_improve(&h->guess, value);
}

/* Without tables: a bound, and values that may be good. */
static bool thin_bound(struct hunt *h, sw_elimination *thin, int32_t *value, double *bound)
{
	sw_solutions solutions;
	const sw_solution *solution;

	for (int i = 0; i < h->choices->count; i++)
		h->own[i] = h->choices->choice[i].own;
	if (!sw_eliminate(h->choices, h->choices->link, h->own, true, h->store, thin) ||
		!first_of(h, thin, &solutions, &solution) || solution == NULL)
		return false;
	*bound = fmax(*bound, solution->cost);
	memcpy(value, solution->value, (size_t)h->choices->count * sizeof *value);
	return true;
}

static void consider_improved(struct hunt *h, int32_t *value)
{
	sw_guess_improve(&h->guess, value);
	consider(h, value, sw_choices_cost(h->choices, value));
}

static void consider_guesses(struct hunt *h, double *bound)
{
	int32_t *value = SW_NEW(h->store->arena, int32_t, h->choices->count);
	sw_elimination thin;

	if (value == NULL)
		return;
	if (thin_bound(h, &thin, value, bound))
		consider_improved(h, value);
	if (h->early == NULL && sw_guess_first(&h->guess, value))
		consider_improved(h, value);
}

/* After the work was ended: what can be said at once, and where room was short what can be said without tables.  It may take what
 * the search had to leave. */
static void fall_back(struct hunt *h, double *bound)
{
	const sw_pulse *pulse = h->store->pulse;
	enum sw_costs_failure failure = h->store->failure;
	bool stopped = failure == SW_COSTS_STOPPED;

	if (h->early != NULL)
		consider(h, h->early, sw_choices_cost(h->choices, h->early));
	if (h->own == NULL || h->options->judge != NULL || (stopped && !is_short(h->choices)))
		return;
	h->store->failure = SW_COSTS_FINE;
	h->store->pulse = stopped ? NULL : pulse;
	h->store->most = h->most;
	consider_guesses(h, bound);
	h->store->pulse = pulse;
	h->store->failure = h->store->failure == SW_COSTS_STOPPED ? SW_COSTS_STOPPED : failure;
}

/* The one after the best. */
static void hunt_next(struct hunt *first, sw_minimum *m)
{
	struct hunt h = {.choices = first->choices, .options = first->options, .store = first->store, .unlike = m->value};
	double bound;

	if (!begin(&h) || !hunt(&h, &bound) || !(h.cost < INFINITY))
		return;
	m->has_next = true;
	m->next = h.value;
	m->next_cost = h.cost;
}

/* What is known at the end. */
static void tell(const struct hunt *h, double bound, bool proved, sw_minimum *m)
{
	m->found = h->cost < INFINITY;
	m->proved = proved || (m->found && bound >= h->cost);
	m->cost = h->cost;
	m->bound = fmin(bound, h->cost);
	m->value = h->value;
	m->branches = h->branches;
}

static bool find(const sw_choices *choices, const sw_minimum_options *options, sw_costs_store *store, int64_t most,
	sw_minimum *m)
{
	struct hunt h = {.choices = choices, .options = options, .store = store, .most = most};
	double bound = 0;
	bool proved = begin(&h) && (options->judge != NULL || guess_early(&h)) && hunt(&h, &bound);

	if (store->failure == SW_COSTS_NO_MEMORY)
		return false;
	if (!proved)
		fall_back(&h, &bound);
	tell(&h, bound, proved, m);
	if (m->found && m->proved && options->next && store->failure == SW_COSTS_FINE)
		hunt_next(&h, m);
	return store->failure != SW_COSTS_NO_MEMORY;
}

/* ---- wide tables ---- */

static bool is_wide(const sw_choices *choices)
{
	for (int k = 0; k < choices->links; k++)
		if ((int64_t)choices->link[k].costs.costs->rows * choices->link[k].costs.costs->cols > WIDE)
			return true;
	return false;
}

/* What the caller knows of values, asked about those that are left. */
struct narrowed {
	const sw_minimum_options *options;
	const sw_narrowed *left;
	int32_t *a, *b; /* room for values as they were before */
};

static const int32_t *as_before(const sw_narrowed *left, const int32_t *value, int32_t *before)
{
	for (int i = 0; i < left->choices.count; i++)
		before[i] = left->value[i][value[i]];
	return before;
}

static bool same_before(void *context, const int32_t *a, const int32_t *b)
{
	struct narrowed *n = context;

	return n->options->same(n->options->context, as_before(n->left, a, n->a), as_before(n->left, b, n->b));
}

/* What was found among the values that are left; beyond `most` nothing follows from it. */
static bool take_narrowed(const struct narrowed *n, const sw_minimum *found, double most, sw_arena *arena,
	sw_minimum *m)
{
	int32_t *value = SW_NEW(arena, int32_t, n->left->choices.count);
	int32_t *next = SW_NEW(arena, int32_t, n->left->choices.count);

	if (value == NULL || next == NULL)
		return false;
	if (found->found && found->cost <= m->cost) {
		m->cost = found->cost;
		m->value = as_before(n->left, found->value, value);
	}
	m->bound = fmax(m->bound, fmin(found->bound, m->cost));
	m->proved = m->bound >= m->cost;
	m->branches += found->branches;
	m->has_next = m->proved && found->has_next && found->next_cost <= most;
	if (m->has_next) {
		m->next_cost = found->next_cost;
		m->next = as_before(n->left, found->next, next);
	}
	return true;
}

/* Among values with which something costs `most` or less; sums of costs are rounded.  false: memory. */
static bool find_narrowed(struct hunt *h, const sw_elimination *thin, double most, sw_minimum *m)
{
	enum { ROUNDED = 1 << 30 };
	sw_narrowed left;
	struct narrowed n = {h->options, &left, SW_NEW(h->store->arena, int32_t, h->choices->count),
		SW_NEW(h->store->arena, int32_t, h->choices->count)};
	sw_minimum_options options = {.same = same_before, .context = &n, .next = h->options->next};
	sw_minimum found = {.found = false};

	most += most / ROUNDED;
	if (n.a == NULL || n.b == NULL)
		return no_memory(h);
	if (!sw_narrow(h->choices, thin, most, h->store, &left))
		return h->store->failure != SW_COSTS_NO_MEMORY;
	return find(&left.choices, &options, h->store, h->most, &found) &&
		(take_narrowed(&n, &found, most, h->store->arena, m) || no_memory(h));
}

/* First what costs as much as the best at most, which few values do; then what the best but one may cost. */
static bool find_both(struct hunt *h, const sw_elimination *thin, sw_minimum *m)
{
	double beside;

	if (!find_narrowed(h, thin, m->cost, m))
		return false;
	if (!h->options->next || !m->proved || m->has_next || h->store->failure != SW_COSTS_FINE ||
		!sw_guess_beside(&h->guess, m->value, h->options->same, h->options->context, &beside))
		return h->store->failure != SW_COSTS_NO_MEMORY;
	return find_narrowed(h, thin, beside, m);
}

/* Where tables are wide values that are of no use are looked for first, beside the best that can be guessed. */
static bool find_wide(const sw_choices *choices, const sw_minimum_options *options, sw_costs_store *store,
	int64_t most, sw_minimum *m)
{
	struct hunt h = {.choices = choices, .options = options, .store = store, .most = most};
	sw_elimination thin;
	int32_t *value = SW_NEW(store->arena, int32_t, choices->count);
	double bound = 0;

	if (value == NULL)
		return no_memory(&h);
	bool thinned = begin(&h) && guess_early(&h) && thin_bound(&h, &thin, value, &bound);
	bool none = !thinned && store->failure == SW_COSTS_FINE;
	if (store->failure == SW_COSTS_NO_MEMORY)
		return false;
	if (thinned)
		consider_improved(&h, value);
	if (thinned && h.early != NULL)
		consider(&h, h.early, sw_choices_cost(choices, h.early));
	if (!thinned && !none)
		fall_back(&h, &bound);
	tell(&h, bound, none, m);
	if (thinned && store->failure == SW_COSTS_FINE)
		return m->found ? find_both(&h, &thin, m) : find(choices, options, store, most, m);
	return store->failure != SW_COSTS_NO_MEMORY;
}

bool sw_minimum_find(const sw_choices *choices, const sw_minimum_options *options, sw_costs_store *store,
	sw_minimum *m)
{
	bool wide = options->judge == NULL && is_wide(choices);
	int64_t most = store->most;

	*m = (sw_minimum){.proved = false};
	store->most -= store->most / 5;
	return wide ? find_wide(choices, options, store, most, m) : find(choices, options, store, most, m);
}
