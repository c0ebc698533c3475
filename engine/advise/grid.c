/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States of the grid and the steps between them.
 */
#include "advise/grid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/resize.h"
#include "cost/model.h"
#include "search/store.h"
#include "step/row.h"

enum { MOST_STATES = 200000, MOST_PERMUTED = 720 };

struct steps {
	sw_grid *grid;
	int left; /* permutations that may still be offered */
	int32_t origin;
	sw_grid_visit *visit;
	void *context;
};

/* ---- states ---- */

/* The number of the state with this key; a new one where there is none. -1: no room. */
static int32_t intern(sw_grid *grid, const uint8_t *key, int64_t size)
{
	int32_t count = grid->keys.count, room = grid->room == 0 ? 512 : 2 * grid->room;
	int32_t n = count < MOST_STATES ? sw_keys_add(&grid->keys, key) : sw_keys_find(&grid->keys, key);

	if (n >= 0 && n < count)
		return n;
	grid->capped = grid->capped || count == MOST_STATES;
	if (n >= 0 && n == grid->room) {
		if (sw_resize(&grid->states, room, sizeof *grid->states))
			grid->room = room;
		else
			n = -1;
	}
	grid->failed = grid->failed || (n < 0 && count < MOST_STATES);
	if (n >= 0)
		grid->states[n] = (sw_grid_state){.size = size, .home = grid->radius, .cost = SW_NEVER, .parent = -1};
	return n;
}

static int32_t add_end(sw_grid *grid, const sw_type *type)
{
	sw_layout layout;
	uint8_t key[SW_MAX_KEY];

	if (!sw_prime_parts_split(&grid->problem->mesh, &grid->atoms, type, layout.order, layout.first))
		return -1;
	sw_row_draft_fill(&grid->moves, &grid->moves.now, &grid->atoms, &layout);
	sw_row_draft_write(&grid->moves, &grid->moves.now, key);
	return intern(grid, key, sw_type_localsize(type));
}

bool sw_grid_init(sw_grid *grid, const sw_problem *problem, const sw_prime_parts *atoms, int64_t budget,
	unsigned without, bool ordered)
{
	*grid = (sw_grid){.problem = problem, .budget = budget, .without = without, .ordered = ordered};
	grid->atoms = *atoms;
	sw_moves_init(&grid->moves, &problem->from, atoms);
	grid->radius = SW_NEVER;
	grid->unit = budget / 1024 + 1;
	grid->failed = !sw_keys_init(&grid->keys, sw_moves_key_bytes(&grid->moves));
	if (grid->failed)
		return false;
	grid->from = add_end(grid, &problem->from);
	grid->to = add_end(grid, &problem->to);
	return grid->from >= 0 && grid->to >= 0;
}

void sw_grid_end(sw_grid *grid)
{
	sw_keys_free(&grid->keys);
	free(grid->states);
	grid->states = NULL;
}

void sw_grid_type(const sw_grid *grid, int32_t state, sw_type *type)
{
	assert(state >= 0 && state < grid->keys.count);
	const uint8_t *key = sw_keys_at(&grid->keys, state);
	int first[SW_MAX_DIMS + 1] = {0}, rank = grid->moves.rank;

	if (state == grid->from || state == grid->to) {
		*type = state == grid->from ? grid->problem->from : grid->problem->to;
		return;
	}
	for (int i = 0; i < rank; i++)
		first[i + 1] = first[i] + key[grid->moves.parts + i];
	sw_prime_parts_join(&grid->problem->mesh, &grid->atoms, &grid->problem->from, key, first, type);
}

/* ---- steps ---- */

bool sw_grid_exhausted(const sw_grid *grid)
{
	return sw_moves_exhausted(&grid->moves);
}

static bool in_order(const sw_moves *m)
{
	for (int r = 0; r < m->rows; r++)
		for (int k = 1; k < m->now.length[r]; k++)
			if (m->now.at[r][k - 1] > m->now.at[r][k])
				return false;
	return true;
}

static bool is_end(const sw_grid *grid, int32_t state)
{
	return state == grid->from || state == grid->to;
}

/* The factor of a gather backwards is told by sizes only. */
static int64_t factor_of(const sw_moves *m)
{
	if (!sw_only_gathers(m->op))
		return m->factor;
	return m->backward ? m->before.size / m->now.size : m->now.size / m->before.size;
}

static void offer(void *context)
{
	struct steps *s = context;
	sw_grid *grid = s->grid;
	sw_moves *m = &grid->moves;
	uint8_t key[SW_MAX_KEY];

	if (m->now.size > grid->budget || sw_grid_exhausted(grid))
		return;
	sw_row_draft_write(m, &m->now, key);
	if (grid->ordered && !in_order(m) && !is_end(grid, sw_keys_find(&grid->keys, key)))
		return;
	int32_t other = intern(grid, key, m->now.size);
	m->failed = grid->failed;
	if (other >= 0 && other != s->origin)
		s->visit(s->context, m->op, factor_of(m), other);
}

/* Fills dimension `dim` on with atoms until there are as many tiles as before. */
static void fill(struct steps *s, int dim)
{
	sw_moves *m = &s->grid->moves;

	m->edges++;
	if (dim == m->rank) {
		s->left--;
		offer(s);
		return;
	}
	int64_t missing = m->now.tile[dim] / m->before.tile[dim];

	if (missing == 1) {
		fill(s, dim + 1);
		return;
	}
	for (uint64_t rest = m->all & ~m->now.used; rest != 0 && s->left > 0 && !sw_moves_exhausted(m);
		 rest &= rest - 1) {
		int atom = __builtin_ctzll(rest);

		if (missing % m->factor_of[atom] != 0)
			continue;
		sw_row_draft_push(m, &m->now, dim, atom);
		fill(s, dim);
		sw_row_draft_pop(m, &m->now, dim);
	}
}

static void permutations(struct steps *s)
{
	sw_moves *m = &s->grid->moves;

	s->left = MOST_PERMUTED;
	m->op = SW_ALLPERMUTE;
	sw_row_draft_clear(m, &m->now);
	fill(s, 0);
	s->grid->capped = s->grid->capped || s->left == 0;
}

static bool may(const sw_grid *grid, sw_op op)
{
	return (grid->without >> op & 1) == 0;
}

void sw_grid_steps(sw_grid *grid, int32_t state, bool backward, sw_grid_visit *visit, void *context)
{
	assert(state >= 0 && state < grid->keys.count);
	struct steps s = {.grid = grid, .origin = state, .visit = visit, .context = context};
	sw_moves *m = &grid->moves;

	sw_row_draft_read(m, sw_keys_at(&grid->keys, state), &m->now);
	m->offer = offer;
	m->context = &s;
	m->backward = backward;
	sw_moves_begin(m);
	if (may(grid, SW_DYNSLICE))
		sw_moves_slices(m, false);
	if (may(grid, SW_ALLGATHER))
		sw_moves_gathers(m, false);
	if (may(grid, SW_ALLTOALL))
		sw_moves_alltoalls(m, grid->multi_dim);
	if (may(grid, SW_ALLPERMUTE) && !(backward && grid->states[state].permuted))
		permutations(&s);
}

/* ---- the way home ---- */

enum { EFFORT_OF_STEP = 1 << 20 };

int32_t sw_grid_effort(const sw_grid *grid, int steps, double volume)
{
	double units = volume / (double)grid->unit;

	return steps * EFFORT_OF_STEP + (int32_t)(units < EFFORT_OF_STEP / 64 ? units : EFFORT_OF_STEP / 64);
}

struct measure {
	sw_grid *grid;
	sw_heap queue;
	int32_t state; /* whose steps are being looked at */
};

static void reach(struct measure *m, int32_t k, int64_t cost, int32_t effort)
{
	sw_grid_state *state = &m->grid->states[k];

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
	const sw_grid_state *state = &m->grid->states[m->state];

	int64_t before = m->grid->states[other].size;
	double volume = (double)sw_model_move_cost(SW_MODEL_VOLUME, op, before, state->size, factor);

	m->grid->states[other].permuted |= sw_row(op)->among == SW_AMONG_PAIRS;
	reach(m, other, state->home + sw_paper_cost(op, before, state->size),
		state->home_effort + sw_grid_effort(m->grid, 1, volume));
}

/* What is not known is at least this far. */
static void note_radius(sw_grid *grid, int64_t radius)
{
	grid->radius = radius;
	for (int32_t k = 0; k < grid->keys.count; k++)
		if (!grid->states[k].home_known) {
			grid->states[k].home = radius;
			grid->states[k].home_effort = 0;
		}
}

bool sw_grid_measure(sw_grid *grid, int64_t limit)
{
	struct measure m = {.grid = grid};
	int64_t radius = limit;

	reach(&m, grid->to, 0, 0);
	while (!grid->failed && m.queue.count > 0) {
		m.state = sw_heap_pop(&m.queue);
		if (grid->states[m.state].home >= limit)
			break;
		grid->states[m.state].home_known = true;
		sw_grid_steps(grid, m.state, true, reach_back, &m);
		if (sw_grid_exhausted(grid)) {
			radius = grid->states[m.state].home;
			grid->capped = true;
			break;
		}
	}
	sw_heap_free(&m.queue);
	note_radius(grid, radius);
	return !grid->failed;
}
