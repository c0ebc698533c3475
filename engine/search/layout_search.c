/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over layouts, and the path found.
 */
#include "search/layout_search.h"

#include <string.h>

#include "cost/model.h"
#include "search/blanks.h"
#include "search/policy.h"
#include "step/row.h"

enum { BEAT_EDGES = 4096 }; /* at most so many between two beats of the pulse */

enum { SLICED = 1, PERMUTED = 2, AT_HOME = 4 };

/* ---- states ---- */

static int key_bytes(const sw_search *s)
{
	return sw_moves_key_bytes(&s->moves) + 1;
}

static void write_key(const sw_search *s, const sw_row_draft *rows, int flags, uint8_t *key)
{
	sw_row_draft_write(&s->moves, rows, key);
	key[key_bytes(s) - 1] = (uint8_t)flags;
}

void sw_search_alike(sw_search *s, bool (*alike)(const sw_search *s, int a, int b))
{
	const sw_space *space = s->space;
	sw_moves *m = &s->moves;
	uint64_t ends = sw_layout_used(&space->from, space->rank) | sw_layout_used(&space->to, space->rank) | m->mixed;
	uint64_t from = space->sums ? space->from.summed : 0, to = space->sums ? space->to.summed : 0;

	for (int b = 0; b < m->parts; b++)
		for (int a = 0; a < b && (ends & sw_part_bit(b)) == 0; a++)
			if ((ends & sw_part_bit(a)) == 0 && m->kind[b] == b && m->kind[a] == a &&
				((from >> a ^ from >> b) & 1) == 0 && ((to >> a ^ to >> b) & 1) == 0 && alike(s, a, b))
				sw_moves_like(m, a, b);
}

/* Of the edge from moves.before to moves.now; `again`: it goes on with the step before. */
static int64_t minor_of(const sw_search *s, bool again)
{
	const sw_moves *m = &s->moves;
	int64_t scale = s->limits->scale > 0 ? s->limits->scale : 1;
	int64_t volume = sw_model_move_cost(SW_MODEL_VOLUME, m->op, m->before.size * scale, m->now.size * scale,
		m->factor);

	return sw_minor(volume, sw_row(m->op)->among == SW_AMONG_PAIRS, !again);
}

/* What the gathers home add to the `minor` of what stands in moves.now. */
static int64_t minor_of_gathers(const sw_search *s)
{
	int64_t gathered = s->space->to_size - s->moves.now.size;

	return sw_minor(gathered, 0, gathered > 0);
}

/* Among ways of one cost, can those over the state that left the queue beat the one that is known?  After the first alltoall of a
 * normal form others push what dimensions still miss of `to`; a single one that does so sends the least. */
static bool beats_tie(const sw_search *s)
{
	const sw_moves *m = &s->moves;
	int64_t size = m->now.size, kept = size;

	if (s->limits->tie == 0 || !s->sliced)
		return true;
	for (int i = 0; i < m->rank; i++)
		for (int k = sw_moves_agreement(m, i); k < m->to.length[i]; k++)
			kept = sw_by_prime(kept, s->rule.least_prime);
	return kept == size || s->at.minor + sw_minor(size - kept, 0, 1) + minor_of_gathers(s) <= s->tie;
}

void sw_search_offer(sw_search *s)
{
	const sw_moves *m = &s->moves;
	bool again = (sw_op)s->at.tag == m->op && sw_is_one_with(m->op, m->op);
	bool moved = m->op == SW_ALLTOALL || m->op == SW_ALLPERMUTE;
	bool sliced = s->rule.normal && moved;
	bool permuted = s->permuted || (s->policy->once && m->op == SW_ALLPERMUTE);
	uint8_t key[SW_MAX_KEY + 1];

	if (m->now.size > s->limits->budget ||
		!sw_search_live(s, again ? s->space->from_size : m->before.size, m->now.size))
		return;
	int64_t price = s->policy->price(s), bound = s->policy->bound(s, sliced, permuted);
	int64_t cost = sw_cost_plus(s->at.cost, price);

	if (price < 0 || bound == SW_NEVER || sw_cost_plus(cost, bound) >= s->limits->below)
		return;
	int64_t minor = s->at.minor + minor_of(s, again);
	write_key(s, &m->now, (sliced ? SLICED : 0) | (permuted ? PERMUTED : 0), key);
	sw_store_offer(&s->store, key,
		&(sw_state){.cost = cost, .bound = bound, .parent = s->node, .minor = minor, .tag = (int32_t)m->op});
	if (m->arrived && minor + minor_of_gathers(s) < s->tie)
		s->tie = minor + minor_of_gathers(s);
	s->moves.failed = s->store.failed || sw_store_is_full(&s->store);
}

void sw_search_offer_home(sw_search *s, int64_t cost, int steps)
{
	sw_state home = {.cost = sw_cost_plus(s->at.cost, cost),
		.parent = s->node,
		.minor = s->at.minor + sw_minor(s->space->to_size - s->moves.now.size, 0, steps),
		.tag = SW_ALLGATHER};

	if (home.cost < s->limits->below)
		sw_store_offer(&s->store, s->goal, &home);
}

static bool goes_on(sw_search *s)
{
	s->stopped = s->stopped || !sw_pulse_beat(s->limits->pulse, s->policy->what, s->store.settled, 0);
	return !s->stopped;
}

/* One state in many dimensions has more edges than anybody waits for. */
static void offer_edge(void *search)
{
	sw_search *s = search;

	sw_search_offer(s);
	if (s->moves.edges % BEAT_EDGES == 0 && !goes_on(s))
		s->moves.failed = true;
}

static bool ask_hope(void *search)
{
	const sw_search *s = search;

	return s->policy->hope(s);
}

/* ---- the search ---- */

static void expand_sums(sw_search *s)
{
	if (sw_search_allows(s, SW_ZEROS))
		sw_moves_zeros(&s->moves);
	if (sw_search_allows(s, SW_PAD))
		sw_moves_pads(&s->moves);
	if (sw_search_allows(s, SW_ALLREDUCE))
		sw_moves_allreduces(&s->moves);
	if (sw_search_allows(s, SW_REDUCESCATTER))
		sw_moves_scatters(&s->moves, s->limits->multi_dim);
}

static void expand(sw_search *s)
{
	const sw_policy *policy = s->policy;
	bool slices = !s->sliced && !(policy->whole_slices && s->at.tag == SW_DYNSLICE);

	sw_moves_begin(&s->moves);
	policy->extra(s);
	if (slices && sw_search_allows(s, SW_DYNSLICE))
		sw_moves_slices(&s->moves, policy->whole_slices);
	if (!s->rule.normal && sw_search_allows(s, SW_ALLGATHER))
		sw_moves_gathers(&s->moves, s->limits->multi_dim);
	if (sw_search_allows(s, SW_ALLTOALL))
		sw_moves_alltoalls(&s->moves, s->limits->multi_dim);
	if (s->moves.sums)
		expand_sums(s);
}

static void offer_start(sw_search *s)
{
	uint8_t key[SW_MAX_KEY + 1];

	sw_row_draft_fill(&s->moves, &s->moves.now, &s->space->factors, &s->space->from);
	write_key(s, &s->moves.now, 0, key);
	sw_store_offer(&s->store, key,
		&(sw_state){.bound = s->policy->bound(s, false, false), .parent = -1, .tag = SW_OP_COUNT});
}

/* Reads the state that left the queue; false where it is the goal. */
static bool read_state(sw_search *s, int32_t node)
{
	const uint8_t *key = sw_keys_at(&s->store.keys, node);
	int flags = key[key_bytes(s) - 1];

	if (memcmp(key, s->goal, (size_t)key_bytes(s)) == 0)
		return false;
	s->node = node;
	s->at = s->store.states[node];
	s->sliced = (flags & SLICED) != 0;
	s->permuted = (flags & PERMUTED) != 0;
	sw_row_draft_read(&s->moves, key, &s->moves.now);
	return true;
}

static sw_search_end run(sw_search *s, int64_t *floor)
{
	for (;;) {
		int32_t node = sw_store_take(&s->store);

		if (s->store.failed)
			return SW_NO_MEMORY;
		if (node < 0) {
			*floor = s->limits->below;
			return SW_NOTHING;
		}
		*floor = s->store.states[node].cost + s->store.states[node].bound;
		if (!read_state(s, node))
			return SW_FOUND;
		if (!beats_tie(s))
			continue;
		expand(s);
		if (s->store.failed)
			return SW_NO_MEMORY;
		if (s->stopped)
			return SW_STOPPED;
		if (sw_moves_exhausted(&s->moves))
			return SW_GAVE_UP;
		if (!goes_on(s))
			return SW_STOPPED;
	}
}

/* ---- the path found ---- */

/* Of the parts like `part` one that stands nowhere yet: of those that left their rows, else of the others. */
static int choose_part(const sw_moves *m, int part, uint64_t left, uint64_t used)
{
	uint64_t pool = m->of_kind[m->kind[part]] & ~used;

	return __builtin_ctzll((pool & left) != 0 ? pool & left : pool);
}

/* Of the parts of each kind as many stay summed as are summed next; the others leave.  Returns those that join, by kind. */
static uint64_t leave_sums(const sw_moves *m, sw_row_draft *rows, const sw_row_draft *next)
{
	uint64_t stays = 0, joins = 0;

	for (uint64_t rest = next->summed; rest != 0; rest &= rest - 1) {
		uint64_t kind = m->of_kind[m->kind[__builtin_ctzll(rest)]], pool = rows->summed & kind & ~stays;

		if (pool != 0)
			stays |= pool & -pool;
		else
			joins |= rest & -rest;
	}
	sw_row_draft_unsum(m, rows, rows->summed & ~stays);
	return joins;
}

/* Parts of a kind are alike, but a path says which of them: what stays at its place is the same part.  `rows` are those of
 * the step before, of `next` only the kinds count. */
static void follow(const sw_moves *m, sw_row_draft *rows, const sw_row_draft *next)
{
	int kept[SW_MAX_ROWS];
	uint64_t before = rows->used;

	for (int r = 0; r < m->rows; r++) {
		int n = 0;

		while (n < rows->length[r] && n < next->length[r] && m->kind[rows->at[r][n]] == m->kind[next->at[r][n]])
			n++;
		kept[r] = n;
		while (rows->length[r] > n)
			sw_row_draft_pop(m, rows, r);
	}
	uint64_t joining = m->sums ? leave_sums(m, rows, next) : 0;
	for (int r = 0; r < m->rows; r++)
		for (int k = kept[r]; k < next->length[r]; k++)
			sw_row_draft_push(m, rows, r, choose_part(m, next->at[r][k], before, rows->used));
	for (; joining != 0; joining &= joining - 1)
		sw_row_draft_sum(m, rows, sw_part_bit(choose_part(m, __builtin_ctzll(joining), before, rows->used)));
}

static void write_step(const sw_search *s, sw_op op, const sw_row_draft *rows, sw_layout_step *step)
{
	int n = 0;

	step->op = op;
	memcpy(step->tile, rows->tile, sizeof step->tile);
	step->layout.summed = rows->summed;
	for (int i = 0; !s->moves.counted && i <= s->moves.rank; i++) {
		step->layout.first[i] = n;
		if (i == s->moves.rank)
			break;
		memcpy(step->layout.order + n, rows->at[i], (size_t)rows->length[i]);
		n += rows->length[i];
	}
}

/* Numbers of the states up to `node`, without the start, into `chain` from its end on; returns how many. */
static int chain_to(const sw_search *s, int32_t node, int32_t *chain, int room)
{
	int n = 0;

	for (int32_t k = node; s->store.states[k].parent >= 0; k = s->store.states[k].parent, n++)
		if (chain != NULL)
			chain[room - 1 - n] = k;
	return n;
}

/* Does the step to `next` go on with what the last one of a path does?  Of steps that leave devices to themselves each does, but
 * one that gathers another dimension where each step works on one. */
static bool continues(const sw_search *s, const sw_layout_path *path, const sw_row_draft *next)
{
	const sw_layout_step *last = &path->step[path->count - 1];
	const int64_t *before = path->count > 1 ? last[-1].tile : s->space->problem->from.tile;

	if (!sw_is_one_with(last->op, last->op) || s->limits->multi_dim || !sw_row(last->op)->gathers)
		return sw_is_one_with(last->op, last->op);
	for (int i = 0; i < s->moves.rank; i++)
		if ((last->tile[i] != before[i]) != (next->tile[i] != last->tile[i]))
			return false;
	return true;
}

/* Slices that follow each other are one step. */
static bool write_path(sw_search *s, int32_t node, sw_arena *arena, sw_layout_path *path)
{
	sw_row_draft *rows = &s->moves.before, *next = &s->moves.now;
	int count = chain_to(s, node, NULL, 0);
	int32_t *chain = SW_NEW(arena, int32_t, count);

	path->step = SW_NEW(arena, sw_layout_step, count + s->moves.rank); /* with the gathers home */
	if (chain == NULL || path->step == NULL)
		return false;
	chain_to(s, node, chain, count);
	sw_row_draft_fill(&s->moves, rows, &s->space->factors, &s->space->from);
	for (int k = 0; k < count; k++) {
		sw_op op = (sw_op)s->store.states[chain[k]].tag;
		bool again = path->count > 0 && path->step[path->count - 1].op == op && continues(s, path, next);

		sw_row_draft_read(&s->moves, sw_keys_at(&s->store.keys, chain[k]), next);
		follow(&s->moves, rows, next);
		write_step(s, op, rows, &path->step[again ? path->count - 1 : path->count++]);
	}
	return true;
}

/* Of these dimensions only what `to` has is left. */
static void home_dimensions(const sw_space *space, sw_layout *layout, unsigned dims)
{
	sw_layout out;
	int n = 0;

	for (int i = 0; i < space->rank; i++) {
		const sw_layout *of = (dims >> i & 1) != 0 ? &space->to : layout;

		out.first[i] = n;
		memcpy(out.order + n, of->order + of->first[i], (size_t)sw_layout_length(of, i));
		n += sw_layout_length(of, i);
	}
	out.first[space->rank] = n;
	out.summed = layout->summed;
	*layout = out;
}

/* Appends the gathers that lead home: one step where `multi_dim`, otherwise one a dimension, the smallest factors first. */
static void gather_home(const sw_space *space, bool multi_dim, sw_layout_path *path)
{
	sw_layout layout = path->count > 0 ? path->step[path->count - 1].layout : space->from;
	int64_t tile[SW_MAX_DIMS];

	for (;;) {
		unsigned dims = 0;
		int64_t least = INT64_MAX;

		sw_layout_tile(space, &space->factors, &layout, tile);
		for (int i = 0; i < space->rank; i++) {
			int64_t factor = space->problem->to.tile[i] / tile[i];

			if (factor == 1 || (!multi_dim && factor >= least))
				continue;
			least = factor;
			dims = (multi_dim ? dims : 0) | 1u << i;
		}
		if (dims == 0)
			return;
		home_dimensions(space, &layout, dims);
		sw_layout_tile(space, &space->factors, &layout, tile);
		sw_layout_step *step = &path->step[path->count++];
		*step = (sw_layout_step){.op = SW_ALLGATHER, .layout = layout};
		memcpy(step->tile, tile, sizeof step->tile);
	}
}

static bool write_result(sw_search *s, sw_arena *arena, sw_search_result *result)
{
	int32_t goal = sw_store_find(&s->store, s->goal);

	if (goal < 0)
		return true;
	result->cost = s->store.states[goal].cost;
	if (!write_path(s, s->policy->homeward ? s->store.states[goal].parent : goal, arena, &result->path))
		return false;
	if (s->policy->homeward && !s->moves.counted)
		gather_home(s->space, s->limits->multi_dim, &result->path);
	if (s->moves.blanks && !sw_name_blanks(s->space, &result->path))
		result->path.count = 0;
	return true;
}

static void set_goal(sw_search *s)
{
	sw_row_draft *rows = &s->moves.now;

	if (s->policy->homeward)
		sw_row_draft_clear(&s->moves, rows);
	else
		sw_row_draft_fill(&s->moves, rows, &s->space->to_factors, &s->space->to);
	write_key(s, rows, s->policy->homeward ? AT_HOME : 0, s->goal);
}

sw_search_end sw_layout_search(const sw_space *space, const sw_search_limits *limits, const sw_policy *policy,
	sw_arena *arena, sw_search_result *result)
{
	sw_search s; /* not cleared: most of its rows are never looked at */
	sw_search_end end = SW_NO_MEMORY;

	s.space = space;
	s.limits = limits;
	s.policy = policy;
	s.sliced = s.permuted = s.stopped = false;
	s.tie = limits->tie;
	sw_moves_init(&s.moves, &space->problem->from, &space->factors);
	if (space->mixed)
		sw_moves_mix(&s.moves, &space->problem->mesh, &space->factors);
	s.moves.sums = space->sums;
	s.moves.offer = offer_edge;
	s.moves.context = &s;
	s.moves.most_edges = limits->most_edges;
	policy->init(&s);
	s.moves.hope = policy->hope != NULL ? ask_hope : NULL;
	if (limits->blanks)
		sw_moves_blank(&s.moves);
	sw_row_draft_fill(&s.moves, &s.moves.to, &space->to_factors, &space->to);
	set_goal(&s);
	*result = (sw_search_result){.floor = 0};
	if (sw_store_init(&s.store, key_bytes(&s), false)) {
		s.store.prime = limits->tie > 0 ? s.rule.least_prime : 0;
		s.store.most_bytes = (size_t)(limits->most_bytes > 0 ? limits->most_bytes : SW_SEARCH_MEMORY);
		offer_start(&s);
		end = run(&s, &result->floor);
	}
	if (end != SW_NOTHING && end != SW_NO_MEMORY && !write_result(&s, arena, result))
		end = SW_NO_MEMORY;
	result->settled = s.store.settled;
	result->seen = s.store.keys.count;
	result->edges = s.moves.edges;
	result->full = end == SW_GAVE_UP && sw_store_is_full(&s.store) ? (int64_t)s.store.most_bytes : 0;
	sw_store_free(&s.store);
	return end;
}
