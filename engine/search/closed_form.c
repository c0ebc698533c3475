/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cheapest plan with several-dimension moves on a mesh of one prime: a handful of candidates, compared.
 */
#include "search/closed_form.h"

#include <assert.h>
#include <string.h>

#include "search/draft.h"

struct ends {
	const sw_space *space;
	int rank, parts;
	int64_t prime;
	uint64_t all;           /* every part of the mesh */
	int room[SW_MAX_DIMS];  /* how many parts each dimension can bear */
	int joint[SW_MAX_DIMS]; /* the longer of both ends */
	sw_layout_draft a, b;
	int a_level, b_level;       /* parts in use at both ends */
	int joint_level, top_level; /* in use by the join of the local types; by the smallest tile possible */
	bool comparable;            /* in every dimension one end continues the other */
};

enum middle { NOTHING, PERMUTE, ALLTOALL, ALLTOALL_PERMUTE };

struct candidate {
	enum middle middle;
	int level;
	int64_t cost, live;
	int steps;
};

/* How far both ends are refined so that one alltoall leads from one to the other.  In a dimension where `a` is
 * behind `b` it may only follow b's parts (chain); where it is not behind it may take any part (free). */
struct extension {
	int a_chain[SW_MAX_DIMS], b_chain[SW_MAX_DIMS];
	int a_free[SW_MAX_DIMS], b_free[SW_MAX_DIMS];
};

static void draft_cut(sw_layout_draft *draft, int dim, int length)
{
	while (draft->length[dim] > length)
		sw_draft_pop(draft, dim);
}

static int total(const int *counts, int rank)
{
	int sum = 0;

	for (int i = 0; i < rank; i++)
		sum += counts[i];
	return sum;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int exponent(int64_t n, int64_t prime)
{
	int e = 0;

	while (prime > 1 && n % prime == 0) {
		n /= prime;
		e++;
	}
	return e;
}

static void ends_init(struct ends *e, const sw_space *space)
{
	e->space = space;
	e->rank = space->rank;
	e->parts = space->factors.count;
	sw_space_one_prime(space, &e->prime);
	e->all = sw_part_bits(e->parts);
	sw_draft_read(&e->a, &space->from, e->rank);
	sw_draft_read(&e->b, &space->to, e->rank);
	e->comparable = true;
	for (int i = 0; i < e->rank; i++) {
		e->room[i] = exponent(space->problem->from.global[i], e->prime);
		e->joint[i] = larger(e->a.length[i], e->b.length[i]);
		e->comparable = e->comparable && sw_layout_comparable(&space->from, &space->to, i);
	}
	e->a_level = space->from.first[e->rank];
	e->b_level = space->to.first[e->rank];
	e->joint_level = total(e->joint, e->rank);
	e->top_level = smaller(e->parts, total(e->room, e->rank));
}

/* The part to take: the lowest of `wanted`, else the lowest of `free`. */
static int choose(uint64_t wanted, uint64_t free)
{
	uint64_t from = (wanted & free) != 0 ? wanted & free : free;

	return __builtin_ctzll(from);
}

/* Lengthens `draft` to `length`: first with the parts that `like` has at the same places, then with any part,
 * those that `like` uses before others. */
static void refine(const struct ends *e, sw_layout_draft *draft, const int *length, const sw_layout_draft *like)
{
	for (int i = 0; i < e->rank; i++)
		while (draft->length[i] < length[i] && draft->length[i] < like->length[i] &&
			(draft->used & sw_part_bit(like->at[i][draft->length[i]])) == 0)
			sw_draft_push(draft, i, like->at[i][draft->length[i]]);
	for (int i = 0; i < e->rank; i++)
		while (draft->length[i] < length[i])
			sw_draft_push(draft, i, choose(like->used, e->all & ~draft->used));
}

/* ---- none ---- */

static bool joins(const struct ends *e, sw_layout_draft *join)
{
	if (!e->comparable)
		return false;
	join->used = 0;
	for (int i = 0; i < e->rank; i++) {
		const sw_layout_draft *longer = e->a.length[i] > e->b.length[i] ? &e->a : &e->b;

		join->length[i] = 0;
		for (int k = 0; k < longer->length[i]; k++) {
			if ((join->used & sw_part_bit(longer->at[i][k])) != 0)
				return false;
			sw_draft_push(join, i, longer->at[i][k]);
		}
	}
	return true;
}

/* ---- one alltoall ---- */

/* How many of the parts by which `other` is ahead in dimension `dim` can `own` take over, in order? */
static int chain_length(const sw_layout_draft *own, const sw_layout_draft *other, int dim)
{
	int n = 0;

	while (own->length[dim] + n < other->length[dim] &&
		(own->used & sw_part_bit(other->at[dim][own->length[dim] + n])) == 0)
		n++;
	return n;
}

/* Takes chain parts as far as `*missing` asks; the dimensions in which free parts may follow get their bit. */
static unsigned take_chains(const struct ends *e, const sw_layout_draft *own, const sw_layout_draft *other,
	int *missing, int chain[SW_MAX_DIMS])
{
	unsigned open = 0;

	for (int i = 0; i < e->rank; i++) {
		chain[i] = smaller(chain_length(own, other, i), *missing);
		*missing -= chain[i];
		if (own->length[i] + chain[i] >= other->length[i])
			open |= 1u << i;
	}
	return open;
}

struct sharing {
	const struct ends *ends;
	unsigned a_open, b_open;
	int common; /* parts unused at both ends: only they can stand in both refinements at one place */
	long tries;
	struct extension *out;
};

/* Deals the free parts that both ends still need to the dimensions from `dim` on.  Where both take some in the
 * same dimension the shorter is the beginning of the longer: those parts have to be common. */
static bool deal(struct sharing *s, int dim, int a_missing, int b_missing, int common)
{
	const struct ends *e = s->ends;

	if (a_missing == 0 && b_missing == 0) {
		for (; dim < e->rank; dim++)
			s->out->a_free[dim] = s->out->b_free[dim] = 0;
		return true;
	}
	if (dim == e->rank || --s->tries < 0)
		return false;
	int room = e->room[dim] - e->joint[dim];
	int a_most = (s->a_open >> dim & 1) != 0 ? smaller(room, a_missing) : 0;
	int b_most = (s->b_open >> dim & 1) != 0 ? smaller(room, b_missing) : 0;

	for (int both = 0; both <= smaller(a_most, b_most) && both <= common; both++)
		for (int side = 0; side < 2; side++)
			for (int most = side == 0 ? a_most : b_most; most >= both; most--) {
				int a = side == 0 ? most : both, b = side == 0 ? both : most;

				s->out->a_free[dim] = a;
				s->out->b_free[dim] = b;
				if (deal(s, dim + 1, a_missing - a, b_missing - b, common - both))
					return true;
			}
	return false;
}

enum answer { NO, YES, GAVE_UP };

/* Can both ends be refined to `level` parts so that every dimension of one still continues that of the other? */
static enum answer extend(const struct ends *e, int level, struct extension *out)
{
	int a_missing = level - e->a_level, b_missing = level - e->b_level;
	struct sharing s = {.ends = e, .tries = 20000, .out = out};

	if (!e->comparable)
		return NO;
	s.a_open = take_chains(e, &e->a, &e->b, &a_missing, out->a_chain);
	s.b_open = take_chains(e, &e->b, &e->a, &b_missing, out->b_chain);
	s.common = __builtin_popcountll(e->all & ~e->a.used & ~e->b.used);
	if (deal(&s, 0, a_missing, b_missing, s.common))
		return YES;
	return s.tries < 0 ? GAVE_UP : NO;
}

static void push_chain(const struct ends *e, sw_layout_draft *draft, const sw_layout_draft *ahead, const int *chain)
{
	for (int i = 0; i < e->rank; i++)
		for (int k = 0; k < chain[i]; k++)
			sw_draft_push(draft, i, ahead->at[i][draft->length[i]]);
}

static void push_free(const struct ends *e, sw_layout_draft *draft, const int *count, const int *shared,
	const sw_layout_draft *like)
{
	for (int i = 0; i < e->rank; i++)
		for (int k = shared[i]; k < count[i]; k++)
			sw_draft_push(draft, i, choose(like->used, e->all & ~draft->used));
}

static void extend_drafts(const struct ends *e, const struct extension *ext, sw_layout_draft *a, sw_layout_draft *b)
{
	int shared[SW_MAX_DIMS];

	push_chain(e, a, &e->b, ext->a_chain);
	push_chain(e, b, &e->a, ext->b_chain);
	for (int i = 0; i < e->rank; i++) {
		shared[i] = smaller(ext->a_free[i], ext->b_free[i]);
		for (int k = 0; k < shared[i]; k++) {
			int part = choose(0, e->all & ~a->used & ~b->used);

			sw_draft_push(a, i, part);
			sw_draft_push(b, i, part);
		}
	}
	push_free(e, a, ext->a_free, shared, &e->b);
	push_free(e, b, ext->b_free, shared, a);
}

/* ---- one permute, or an alltoall and a permute ---- */

/* Adds up to `missing` to the lengths of `own` where `other` is longer, the smallest gaps first: dimensions
 * that become equal need not be moved. */
static void approach(const struct ends *e, const int *own, const int *other, int missing, int out[SW_MAX_DIMS])
{
	memcpy(out, own, (size_t)e->rank * sizeof *out);
	for (int gap = 1; gap <= SW_MAX_FACTORS && missing > 0; gap++)
		for (int i = 0; i < e->rank && missing > 0; i++)
			if (other[i] - own[i] == gap) {
				int more = smaller(gap, missing);

				out[i] += more;
				missing -= more;
			}
}

/* Lengths of `level` parts in all that are nowhere shorter than both ends. */
static void joint_lengths(const struct ends *e, int level, int out[SW_MAX_DIMS])
{
	int missing = level - e->joint_level;

	for (int i = 0; i < e->rank; i++) {
		int more = smaller(e->room[i] - e->joint[i], missing);

		out[i] = e->joint[i] + more;
		missing -= more;
	}
}

/* The layout to which one alltoall leads from `a`: lengths of `b`, its parts where they are at hand. */
static void move_towards(const struct ends *e, const sw_layout_draft *a, const sw_layout_draft *b,
	sw_layout_draft *moved)
{
	uint64_t popped;

	sw_draft_copy(moved, a, e->rank);
	for (int i = 0; i < e->rank; i++)
		draft_cut(moved, i, smaller(a->length[i], b->length[i]));
	popped = a->used & ~moved->used;
	for (int i = 0; i < e->rank; i++)
		while (moved->length[i] < b->length[i]) {
			uint64_t wanted = sw_part_bit(b->at[i][moved->length[i]]);
			int part = choose(wanted, popped);

			sw_draft_push(moved, i, part);
			popped &= ~sw_part_bit(part);
		}
}

/* ---- choosing ---- */

static int64_t size_at(const struct ends *e, int level)
{
	int64_t size = e->space->from_size;

	for (int k = e->a_level; k < level; k++)
		size /= e->prime;
	return size;
}

static struct candidate rate(const struct ends *e, enum middle middle, int level)
{
	static const int middles[] = {0, 1, 1, 2};
	int64_t size = size_at(e, level), from = e->space->from_size, to = e->space->to_size;
	bool slice = level > e->a_level, gather = level > e->b_level;
	struct candidate c = {middle, level, 0, 0, 0};

	c.cost = middles[middle] * size + (gather ? to : 0);
	c.steps = slice + middles[middle] + gather;
	c.live = c.steps == 0 ? size : 0;
	if (slice)
		c.live = from + size;
	if (middle != NOTHING && 2 * size > c.live)
		c.live = 2 * size;
	if (gather && size + to > c.live)
		c.live = size + to;
	return c;
}

static bool better(const struct candidate *a, const struct candidate *b)
{
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->steps != b->steps)
		return a->steps < b->steps;
	return a->live < b->live;
}

struct choice {
	const struct ends *ends;
	int64_t live_budget, least_live;
	bool any, unsure;
	struct candidate best;
	struct extension extension;
};

static bool worth(struct choice *choice, const struct candidate *c)
{
	if (choice->least_live == 0 || c->live < choice->least_live)
		choice->least_live = c->live;
	if (choice->live_budget != 0 && c->live > choice->live_budget)
		return false;
	return !choice->any || better(c, &choice->best);
}

static void take(struct choice *choice, const struct candidate *c)
{
	choice->any = true;
	choice->best = *c;
}

static void consider_alltoall(struct choice *choice, int level)
{
	struct candidate c = rate(choice->ends, ALLTOALL, level);
	struct extension extension;

	if (!worth(choice, &c))
		return;
	enum answer answer = extend(choice->ends, level, &extension);
	if (answer == YES) {
		choice->extension = extension;
		take(choice, &c);
	} else if (answer == GAVE_UP) {
		choice->unsure = true;
	}
}

static void consider(struct choice *choice, enum middle middle, int level)
{
	struct candidate c = rate(choice->ends, middle, level);

	if (worth(choice, &c))
		take(choice, &c);
}

static void add_step(sw_layout_path *path, const struct ends *e, sw_op op, const sw_layout_draft *draft)
{
	assert(path->count < SW_CLOSED_STEPS);
	sw_layout_step *step = &path->step[path->count++];

	step->op = op;
	sw_draft_write(draft, e->rank, &step->layout);
}

/* Refines both ends as the chosen candidate asks, and writes down the way between them. */
static void build(const struct choice *choice, sw_layout_path *path)
{
	const struct ends *e = choice->ends;
	sw_layout_draft a, b, moved;
	int length[SW_MAX_DIMS];
	int level = choice->best.level;

	sw_draft_copy(&a, &e->a, e->rank);
	sw_draft_copy(&b, &e->b, e->rank);
	switch (choice->best.middle) {
	case NOTHING:
		joins(e, &a);
		sw_draft_copy(&b, &a, e->rank);
		break;
	case PERMUTE:
		joint_lengths(e, level, length);
		refine(e, &a, length, &e->b);
		refine(e, &b, length, &a);
		break;
	case ALLTOALL:
		extend_drafts(e, &choice->extension, &a, &b);
		break;
	case ALLTOALL_PERMUTE:
		approach(e, e->a.length, e->b.length, level - e->a_level, length);
		refine(e, &a, length, &e->b);
		approach(e, e->b.length, e->a.length, level - e->b_level, length);
		refine(e, &b, length, &a);
		break;
	}
	if (level > e->a_level)
		add_step(path, e, SW_DYNSLICE, &a);
	if (choice->best.middle == ALLTOALL_PERMUTE) {
		move_towards(e, &a, &b, &moved);
		add_step(path, e, SW_ALLTOALL, &moved);
	}
	if (choice->best.middle == ALLTOALL)
		add_step(path, e, SW_ALLTOALL, &b);
	else if (choice->best.middle != NOTHING && !sw_draft_equal(&a, &b, e->rank))
		add_step(path, e, SW_ALLPERMUTE, &b);
	if (level > e->b_level)
		add_step(path, e, SW_ALLGATHER, &e->b);
}

bool sw_closed_form(const sw_space *space, int64_t live_budget, sw_closed_result *result)
{
	struct ends e;
	sw_layout_draft join;
	struct choice choice = {.ends = &e, .live_budget = live_budget};

	ends_init(&e, space);
	if (joins(&e, &join))
		consider(&choice, NOTHING, e.joint_level);
	for (int level = e.top_level; level >= larger(e.a_level, e.b_level); level--) {
		consider_alltoall(&choice, level); /* before a permute, which sends more at the same cost */
		if (level >= e.joint_level)
			consider(&choice, PERMUTE, level);
		if (level < e.joint_level)
			consider(&choice, ALLTOALL_PERMUTE, level);
	}
	result->least_live = choice.least_live;
	if (!choice.any)
		return false;
	result->path = (sw_layout_path){0, result->step};
	build(&choice, &result->path);
	result->cost = choice.best.cost;
	result->optimal = !choice.unsure;
	return true;
}
