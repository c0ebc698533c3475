/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States of the grid and the steps between them.
 */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "cost/model.h"
#include "astar.h"

enum { MOST_STATES = 200000, MOST_PERMUTED = 720 };

/* A state that is being changed. */
struct draft {
	uint8_t at[SW_MAX_DIMS][SW_MAX_FACTORS]; /* atoms, major to minor */
	int length[SW_MAX_DIMS];
	int64_t tile[SW_MAX_DIMS], size;
	uint64_t unused;
};

struct steps {
	old_grid *grid;
	struct draft draft;
	sw_op op;
	int64_t factor;  /* of what was popped */
	unsigned popped; /* dimensions that gave atoms away */
	int left;        /* permutations that may still be offered */
	int32_t origin;
	old_grid_visit *visit;
	void *context;
};

/* ---- states ---- */

static int rank_of(const old_grid *grid)
{
	return grid->problem->from.rank;
}

static uint32_t hash_of(const uint8_t *key)
{
	uint64_t hash = 1469598103934665603u, word;

	for (int k = 0; k < OLD_GRID_KEY; k += 8) {
		memcpy(&word, key + k, sizeof word);
		hash = (hash ^ word) * 1099511628211u;
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash ^ hash >> 32);
}

static bool rehash(old_grid *grid)
{
	uint32_t slots = grid->table == NULL ? 1024 : (grid->mask + 1) * 2;
	int32_t *table = calloc(slots, sizeof *table);

	if (table == NULL)
		return false;
	for (int32_t k = 0; k < grid->count; k++) {
		uint32_t at = hash_of(grid->states[k].key) & (slots - 1);

		while (table[at] != 0)
			at = (at + 1) & (slots - 1);
		table[at] = k + 1;
	}
	free(grid->table);
	grid->table = table;
	grid->mask = slots - 1;
	return true;
}

static bool grow(old_grid *grid)
{
	int32_t room = grid->room == 0 ? 512 : 2 * grid->room;
	old_grid_state *states;

	if (grid->count < grid->room)
		return (uint32_t)grid->count * 2 <= grid->mask || rehash(grid);
	states = realloc(grid->states, (size_t)room * sizeof *states);
	if (states == NULL)
		return false;
	grid->states = states;
	grid->room = room;
	return grid->table != NULL && (uint32_t)grid->count * 2 <= grid->mask ? true : rehash(grid);
}

/* The number of the state with this key; a new one where there is none. -1: no room. */
static int32_t intern(old_grid *grid, const uint8_t *key, int64_t size)
{
	uint32_t at = hash_of(key) & grid->mask;

	for (; grid->table[at] != 0; at = (at + 1) & grid->mask)
		if (memcmp(grid->states[grid->table[at] - 1].key, key, OLD_GRID_KEY) == 0)
			return grid->table[at] - 1;
	if (grid->count >= MOST_STATES) {
		grid->capped = true;
		return -1;
	}
	old_grid_state *state = &grid->states[grid->count];
	*state = (old_grid_state){.size = size, .home = grid->radius, .cost = OLD_NEVER, .parent = -1};
	memcpy(state->key, key, OLD_GRID_KEY);
	grid->table[at] = ++grid->count;
	grid->failed = grid->failed || !grow(grid);
	return grid->failed ? -1 : grid->count - 1;
}

static void write_key(const old_grid *grid, const struct draft *d, uint8_t *key)
{
	int n = 0;

	memset(key, 0xff, OLD_GRID_KEY);
	for (int i = 0; i < rank_of(grid); i++) {
		memcpy(key + n, d->at[i], (size_t)d->length[i]);
		n += d->length[i];
		key[SW_MAX_FACTORS + i] = (uint8_t)d->length[i];
	}
}

static void push(const old_grid *grid, struct draft *d, int dim, int atom)
{
	d->at[dim][d->length[dim]++] = (uint8_t)atom;
	d->tile[dim] /= grid->atoms.at[atom].prime;
	d->size /= grid->atoms.at[atom].prime;
	d->unused &= ~((uint64_t)1 << atom);
}

static int pop(const old_grid *grid, struct draft *d, int dim)
{
	int atom = d->at[dim][--d->length[dim]];

	d->tile[dim] *= grid->atoms.at[atom].prime;
	d->size *= grid->atoms.at[atom].prime;
	d->unused |= (uint64_t)1 << atom;
	return atom;
}

static void start_draft(const old_grid *grid, struct draft *d)
{
	memset(d->length, 0, sizeof d->length);
	d->size = sw_type_globalsize(&grid->problem->from);
	memcpy(d->tile, grid->problem->from.global, sizeof d->tile);
	d->unused = grid->atoms.count == 0 ? 0 : ~(uint64_t)0 >> (64 - grid->atoms.count);
}

static void read_key(const old_grid *grid, const uint8_t *key, struct draft *d)
{
	int n = 0;

	start_draft(grid, d);
	for (int i = 0; i < rank_of(grid); i++)
		for (int k = 0; k < key[SW_MAX_FACTORS + i]; k++)
			push(grid, d, i, key[n++]);
}

static int32_t add_end(old_grid *grid, const sw_type *type)
{
	uint8_t order[SW_MAX_FACTORS], key[OLD_GRID_KEY];
	int first[SW_MAX_DIMS + 1];

	if (!sw_prime_parts_split(&grid->problem->mesh, &grid->atoms, type, order, first))
		return -1;
	memset(key, 0xff, sizeof key);
	memcpy(key, order, (size_t)first[type->rank]);
	for (int i = 0; i < type->rank; i++)
		key[SW_MAX_FACTORS + i] = (uint8_t)(first[i + 1] - first[i]);
	return intern(grid, key, sw_type_localsize(type));
}

bool old_grid_init(old_grid *grid, const sw_problem *problem, const sw_prime_parts *atoms, int64_t budget,
	unsigned without, bool ordered)
{
	*grid = (old_grid){.problem = problem,
		.budget = budget,
		.without = without,
		.ordered = ordered,
		.most_edges = INT64_MAX};
	grid->atoms = *atoms;
	grid->radius = OLD_NEVER;
	grid->unit = budget / 1024 + 1;
	grid->failed = !grow(grid);
	if (grid->failed)
		return false;
	grid->from = add_end(grid, &problem->from);
	grid->to = add_end(grid, &problem->to);
	return grid->from >= 0 && grid->to >= 0;
}

void old_grid_end(old_grid *grid)
{
	free(grid->states);
	free(grid->table);
	grid->states = NULL;
	grid->table = NULL;
}

void old_grid_type(const old_grid *grid, int32_t state, sw_type *type)
{
	const uint8_t *key = grid->states[state].key;
	int first[SW_MAX_DIMS + 1] = {0};

	if (state == grid->from || state == grid->to) {
		*type = state == grid->from ? grid->problem->from : grid->problem->to;
		return;
	}
	for (int i = 0; i < rank_of(grid); i++)
		first[i + 1] = first[i] + key[SW_MAX_FACTORS + i];
	sw_prime_parts_join(&grid->problem->mesh, &grid->atoms, &grid->problem->from, key, first, type);
}

/* ---- steps ---- */

bool old_grid_exhausted(const old_grid *grid)
{
	return grid->edges > grid->most_edges || grid->failed;
}

static bool in_order(const struct steps *s)
{
	for (int i = 0; s->grid->ordered && i < rank_of(s->grid); i++)
		for (int k = 1; k < s->draft.length[i]; k++)
			if (s->draft.at[i][k - 1] > s->draft.at[i][k])
				return false;
	return true;
}

static void offer(struct steps *s)
{
	old_grid *grid = s->grid;
	uint8_t key[OLD_GRID_KEY];
	int32_t other;

	grid->edges++;
	if (s->draft.size > grid->budget || old_grid_exhausted(grid))
		return;
	write_key(grid, &s->draft, key);
	if (!in_order(s) && memcmp(key, grid->states[grid->from].key, sizeof key) != 0 &&
		memcmp(key, grid->states[grid->to].key, sizeof key) != 0)
		return;
	other = intern(grid, key, s->draft.size);
	if (other >= 0 && other != s->origin)
		s->visit(s->context, s->op, s->factor, other);
}

static bool fits(const struct steps *s, int dim, int atom)
{
	return s->draft.tile[dim] % s->grid->atoms.at[atom].prime == 0;
}

/* Every list of unused atoms at the minor end of a dimension; one atom alone where not `many`. */
static void push_lists(struct steps *s, int dim, bool many)
{
	for (uint64_t rest = s->draft.unused; rest != 0 && !old_grid_exhausted(s->grid); rest &= rest - 1) {
		int atom = __builtin_ctzll(rest);

		if (!fits(s, dim, atom))
			continue;
		push(s->grid, &s->draft, dim, atom);
		offer(s);
		if (many)
			push_lists(s, dim, true);
		pop(s->grid, &s->draft, dim);
	}
}

static void pop_lists(struct steps *s, int dim, bool many)
{
	uint8_t popped[SW_MAX_FACTORS];
	int count = 0;

	while (s->draft.length[dim] > 0 && (many || count == 0)) {
		popped[count++] = (uint8_t)pop(s->grid, &s->draft, dim);
		offer(s);
	}
	while (count > 0)
		push(s->grid, &s->draft, dim, popped[--count]);
}

/* Pushes atoms of product `left` onto dimension `dim`. */
static void push_product(struct steps *s, int dim, int64_t left)
{
	if (left == 1) {
		offer(s);
		return;
	}
	s->grid->edges++;
	for (uint64_t rest = s->draft.unused; rest != 0 && !old_grid_exhausted(s->grid); rest &= rest - 1) {
		int atom = __builtin_ctzll(rest);
		int64_t prime = s->grid->atoms.at[atom].prime;

		if (left % prime != 0 || !fits(s, dim, atom))
			continue;
		push(s->grid, &s->draft, dim, atom);
		push_product(s, dim, left / prime);
		pop(s->grid, &s->draft, dim);
	}
}

static void exchanges(struct steps *s, int dim)
{
	uint8_t popped[SW_MAX_FACTORS];
	int64_t factor = 1;
	int count = 0;

	while (s->draft.length[dim] > 0) {
		popped[count] = (uint8_t)pop(s->grid, &s->draft, dim);
		factor *= s->grid->atoms.at[popped[count++]].prime;
		s->factor = factor;
		for (int j = 0; j < rank_of(s->grid); j++)
			if (j != dim)
				push_product(s, j, factor);
	}
	while (count > 0)
		push(s->grid, &s->draft, dim, popped[--count]);
}

/* Pushes atoms of product `left` onto dimensions from `dim` on that gave none away. */
static void push_several(struct steps *s, int dim, int64_t left)
{
	if (left == 1) {
		offer(s);
		return;
	}
	s->grid->edges++;
	for (int j = dim; j < rank_of(s->grid); j++) {
		uint64_t pool = (s->popped >> j & 1) != 0 ? 0 : s->draft.unused;

		for (; pool != 0 && !old_grid_exhausted(s->grid); pool &= pool - 1) {
			int atom = __builtin_ctzll(pool);
			int64_t prime = s->grid->atoms.at[atom].prime;

			if (left % prime != 0 || !fits(s, j, atom))
				continue;
			push(s->grid, &s->draft, j, atom);
			push_several(s, j, left / prime);
			pop(s->grid, &s->draft, j);
		}
	}
}

/* Pops atoms of dimensions from `dim` on, in every way, and pushes as much elsewhere. */
static void exchange_several(struct steps *s, int dim, int64_t factor)
{
	uint8_t popped[SW_MAX_FACTORS];
	int count = 0;

	if (dim == rank_of(s->grid)) {
		s->factor = factor;
		if (factor > 1)
			push_several(s, 0, factor);
		return;
	}
	exchange_several(s, dim + 1, factor);
	s->popped |= 1u << dim;
	while (s->draft.length[dim] > 0 && !old_grid_exhausted(s->grid)) {
		popped[count] = (uint8_t)pop(s->grid, &s->draft, dim);
		factor *= s->grid->atoms.at[popped[count++]].prime;
		exchange_several(s, dim + 1, factor);
	}
	while (count > 0)
		push(s->grid, &s->draft, dim, popped[--count]);
	s->popped &= ~(1u << dim);
}

static bool may_fill(const struct steps *s)
{
	return s->left > 0 && !old_grid_exhausted(s->grid);
}

/* Fills dimension `dim` on with atoms until there are as many tiles as in `tile`. */
static void fill(struct steps *s, int dim, const int64_t *tile)
{
	if (dim == rank_of(s->grid)) {
		s->left--;
		offer(s);
		return;
	}
	int64_t missing = s->draft.tile[dim] / tile[dim];

	if (missing == 1) {
		fill(s, dim + 1, tile);
		return;
	}
	s->grid->edges++;
	for (uint64_t rest = s->draft.unused; rest != 0 && may_fill(s); rest &= rest - 1) {
		int atom = __builtin_ctzll(rest);

		if (missing % s->grid->atoms.at[atom].prime != 0)
			continue;
		push(s->grid, &s->draft, dim, atom);
		fill(s, dim, tile);
		pop(s->grid, &s->draft, dim);
	}
}

static void permutations(struct steps *s)
{
	struct draft before = s->draft;

	s->left = MOST_PERMUTED;
	start_draft(s->grid, &s->draft);
	fill(s, 0, before.tile);
	s->grid->capped = s->grid->capped || s->left == 0;
	s->draft = before;
}

static bool may(struct steps *s, sw_op op)
{
	s->op = op;
	return (s->grid->without >> op & 1) == 0;
}

void old_grid_steps(old_grid *grid, int32_t state, bool backward, old_grid_visit *visit, void *context)
{
	struct steps s = {.grid = grid, .origin = state, .visit = visit, .context = context};

	read_key(grid, grid->states[state].key, &s.draft);
	for (int i = 0; i < rank_of(grid); i++) {
		if (may(&s, SW_DYNSLICE) && backward)
			pop_lists(&s, i, false);
		else if (may(&s, SW_DYNSLICE))
			push_lists(&s, i, false);
		if (may(&s, SW_ALLGATHER) && backward)
			push_lists(&s, i, true);
		else if (may(&s, SW_ALLGATHER))
			pop_lists(&s, i, true);
		if (may(&s, SW_ALLTOALL) && !grid->multi_dim)
			exchanges(&s, i);
	}
	if (may(&s, SW_ALLTOALL) && grid->multi_dim)
		exchange_several(&s, 0, 1);
	if (may(&s, SW_ALLPERMUTE) && !(backward && grid->states[state].permuted))
		permutations(&s);
}

/* ---- the way home ---- */

enum { EFFORT_OF_STEP = 1 << 20 };

int32_t old_grid_effort(const old_grid *grid, int steps, double volume)
{
	double units = volume / (double)grid->unit;

	return steps * EFFORT_OF_STEP + (int32_t)(units < EFFORT_OF_STEP / 64 ? units : EFFORT_OF_STEP / 64);
}

struct measure {
	old_grid *grid;
	sw_heap queue;
	int32_t state; /* whose steps are being looked at */
};

static void reach(struct measure *m, int32_t k, int64_t cost, int32_t effort)
{
	old_grid_state *state = &m->grid->states[k];

	if (state->home_known || cost > state->home || (cost == state->home && effort >= state->home_effort))
		return;
	state->home = cost;
	state->home_effort = effort;
	if (!sw_heap_put(&m->queue, k, cost, effort))
		m->grid->failed = true;
}

static void reach_back(void *context, sw_op op, int64_t factor, int32_t other)
{
	struct measure *m = context;
	const old_grid_state *state = &m->grid->states[m->state];

	int64_t before = m->grid->states[other].size;
	double volume = (double)sw_model_move_cost(SW_MODEL_VOLUME, op, before, state->size, factor);

	m->grid->states[other].permuted |= op == SW_ALLPERMUTE;
	reach(m, other, state->home + sw_paper_cost(op, before, state->size),
		state->home_effort + old_grid_effort(m->grid, 1, volume));
}

/* What is not known is at least this far. */
static void note_radius(old_grid *grid, int64_t radius)
{
	grid->radius = radius;
	for (int32_t k = 0; k < grid->count; k++)
		if (!grid->states[k].home_known) {
			grid->states[k].home = radius;
			grid->states[k].home_effort = 0;
		}
}

bool old_grid_measure(old_grid *grid, int64_t limit)
{
	struct measure m = {.grid = grid};
	int64_t radius = limit;

	reach(&m, grid->to, 0, 0);
	while (!grid->failed && m.queue.count > 0) {
		m.state = sw_heap_pop(&m.queue);
		if (grid->states[m.state].home >= limit)
			break;
		grid->states[m.state].home_known = true;
		old_grid_steps(grid, m.state, true, reach_back, &m);
		if (old_grid_exhausted(grid)) {
			radius = grid->states[m.state].home;
			grid->capped = true;
			break;
		}
	}
	sw_heap_free(&m.queue);
	note_radius(grid, radius);
	return !grid->failed;
}
