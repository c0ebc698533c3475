/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over types, whose parts are cut at any divisor.
 */
#include "search/type_search.h"

#include <string.h>

#include "base/room.h"
#include "cost/model.h"
#include "search/bound.h"

enum {
	MOST_PARTS = 64,
	MOST_AXIS = 65535,
	PART_BYTES = 5,
	KEY_BYTES = PART_BYTES * SW_MAX_FACTORS + SW_MAX_DIMS + 1
};
enum { PHASE_SLICE, PHASE_MOVE, PHASE_HOME };

/* A digit of one prime that an axis has in some order of its primes. */
struct digit {
	int axis;
	int64_t pre, prime;
	uint64_t overlaps; /* digits that cannot stand beside it, itself included */
};

/* The parts of one dimension, major to minor; neighbours that make one larger part are one. */
struct dimension {
	sw_part at[SW_MAX_FACTORS];
	int length;
	int64_t tile;
};

struct state {
	struct dimension dim[SW_MAX_DIMS];
	int64_t size;
	uint64_t taken; /* digits that overlap a part */
	bool sliced;    /* in a normal form: only alltoalls and the way home follow */
};

/* How far a dimension agrees with what `to` has, from the major end. */
struct agreement {
	bool pop, push;      /* it has more; `to` has more */
	int at;              /* parts that are equal */
	int64_t shared_size; /* and the size that both have of the next one */
};

struct search {
	const sw_space *space;
	const sw_search_limits *limits;
	const sw_mesh *mesh;
	sw_arena *arena;
	sw_store store;
	sw_bound_rule rule;
	struct digit digit[MOST_PARTS];
	int digits;
	int64_t divisor[MOST_PARTS]; /* from 2 on, of all axes */
	int divisors;
	uint64_t alike; /* digits of axes that neither end uses and that have one prime */
	int bytes;      /* of the parts in a key */
	struct dimension to[SW_MAX_DIMS];
	int64_t edges, tried; /* offered; ways of popping and pushing, those that led nowhere too */
	int32_t node;         /* whose edges are being enumerated */
	sw_state at;          /* and what is known of it */
	int64_t before;
	sw_op op;
	unsigned popped;
	enum { ANYWHERE, TOWARDS, HOME } aim; /* where an alltoall has to lead, see aim_of */
	bool arrived;
};

/* ---- digits ---- */

static bool beside(int64_t pre, int64_t size, int64_t other_pre, int64_t other_size)
{
	return other_pre % (pre * size) == 0 || pre % (other_pre * other_size) == 0;
}

static bool add_digits(struct search *s, int axis)
{
	int64_t size = s->mesh->axis[axis].size, primes[63];
	int count = sw_prime_factors(size, primes);
	for (int64_t pre = 1; pre < size; pre++) {
		if (size % pre != 0)
			continue;
		for (int k = 0; k < count; k++) {
			if ((k > 0 && primes[k] == primes[k - 1]) || size / pre % primes[k] != 0)
				continue;
			if (s->digits == MOST_PARTS)
				return false;
			s->digit[s->digits++] = (struct digit){axis, pre, primes[k], 0};
		}
	}
	return true;
}

static uint64_t bit(int k)
{
	return (uint64_t)1 << k;
}

static uint64_t overlapping(const struct search *s, const sw_part *part)
{
	uint64_t mask = 0;
	for (int k = 0; k < s->digits; k++)
		if (s->digit[k].axis == part->axis && !beside(part->pre, part->size, s->digit[k].pre, s->digit[k].prime))
			mask |= bit(k);
	return mask;
}

/* The divisors of all axes, ascending; false where there are too many. */
static bool make_divisors(struct search *s)
{
	int64_t most = 1;
	for (int a = 0; a < s->mesh->count; a++)
		most = s->mesh->axis[a].size > most ? s->mesh->axis[a].size : most;
	s->divisors = 0;
	for (int64_t f = 2; f <= most; f++) {
		bool divides = false;
		for (int a = 0; a < s->mesh->count && !divides; a++)
			divides = s->mesh->axis[a].size % f == 0;
		if (divides && s->divisors == MOST_PARTS)
			return false;
		if (divides)
			s->divisor[s->divisors++] = f;
	}
	return true;
}

static bool make_digits(struct search *s)
{
	s->digits = 0;
	for (int a = 0; a < s->mesh->count; a++)
		if (s->mesh->axis[a].size > MOST_AXIS || !add_digits(s, a))
			return false;
	for (int k = 0; k < s->digits; k++) {
		const struct digit *d = &s->digit[k];
		s->digit[k].overlaps = overlapping(s, &(sw_part){d->axis, d->pre, d->prime});
	}
	return make_divisors(s);
}

static bool uses_axis(const sw_type *type, int axis)
{
	for (int p = 0; p < type->first[type->rank]; p++)
		if (sw_type_part(type, p).axis == axis && sw_type_part(type, p).size > 1)
			return true;
	return false;
}

static bool has_one_prime(int64_t size)
{
	int64_t primes[63];
	int count = sw_prime_factors(size, primes);
	return count > 0 && primes[0] == primes[count - 1];
}

static void find_alike(struct search *s)
{
	const sw_problem *problem = s->space->problem;
	s->alike = 0;
	for (int k = 0; k < s->digits; k++) {
		int axis = s->digit[k].axis;
		if (!uses_axis(&problem->from, axis) && !uses_axis(&problem->to, axis) &&
			has_one_prime(s->mesh->axis[axis].size))
			s->alike |= bit(k);
	}
}

/* The digits worth pushing: of those that are alike only the first of each prime. */
static uint64_t distinct(const struct search *s, uint64_t pool)
{
	uint64_t out = pool & ~s->alike;
	for (uint64_t rest = pool & s->alike; rest != 0; rest &= rest - 1) {
		int k = __builtin_ctzll(rest);
		bool first = true;
		for (uint64_t seen = out & s->alike; seen != 0; seen &= seen - 1)
			first = first && s->digit[__builtin_ctzll(seen)].prime != s->digit[k].prime;
		if (first)
			out |= bit(k);
	}
	return out;
}

/* ---- states ---- */

static void count_taken(const struct search *s, struct state *st)
{
	st->taken = 0;
	for (int i = 0; i < s->space->rank; i++)
		for (int p = 0; p < st->dim[i].length; p++)
			st->taken |= overlapping(s, &st->dim[i].at[p]);
}

static uint64_t pool_of(const struct search *s, const struct state *st)
{
	return sw_part_bits(s->digits) & ~st->taken;
}

static void take(struct state *st, struct dimension *d, int64_t factor)
{
	d->at[d->length - 1].size /= factor;
	if (d->at[d->length - 1].size == 1)
		d->length--;
	d->tile *= factor;
	st->size *= factor;
}

static void put(struct state *st, struct dimension *d, const struct digit *digit)
{
	sw_part *last = d->length ? &d->at[d->length - 1] : NULL;
	if (last && last->axis == digit->axis && last->pre * last->size == digit->pre) {
		last->size *= digit->prime;
	} else {
		SW_ROOM(d->at, d->length);
		d->at[d->length++] = (sw_part){digit->axis, digit->pre, digit->prime};
	}
	d->tile /= digit->prime;
	st->size /= digit->prime;
}

static void read_type(const struct search *s, const sw_type *type, struct dimension *dim)
{
	sw_part parts[SW_MAX_PARTS];
	for (int i = 0; i < s->space->rank; i++) {
		dim[i].length = 0;
		dim[i].tile = type->tile[i];
		for (int p = sw_type_parts(type, i, parts) - 1; p >= 0; p--)
			if (parts[p].size > 1) {
				SW_ROOM(dim[i].at, dim[i].length);
				dim[i].at[dim[i].length++] = parts[p];
			}
	}
}

/* A key is: axis, pre and size of the parts in the order of dimensions, their number a dimension, the phase. */
static void write_key(const struct search *s, const struct state *st, int phase, uint8_t *key)
{
	uint8_t *out = key;
	memset(key, 0, (size_t)s->bytes);
	for (int i = 0; i < s->space->rank; i++) {
		const struct dimension *d = &st->dim[i];
		for (int p = 0; p < d->length; p++) {
			*out++ = (uint8_t)d->at[p].axis;
			*out++ = (uint8_t)(d->at[p].pre & 0xff);
			*out++ = (uint8_t)(d->at[p].pre >> 8);
			*out++ = (uint8_t)(d->at[p].size & 0xff);
			*out++ = (uint8_t)(d->at[p].size >> 8);
		}
		key[s->bytes + i] = (uint8_t)d->length;
	}
	key[s->bytes + s->space->rank] = (uint8_t)phase;
}

static int read_key(const struct search *s, const uint8_t *key, struct state *st)
{
	const uint8_t *in = key;
	st->size = 1;
	for (int i = 0; i < s->space->rank; i++) {
		struct dimension *d = &st->dim[i];
		d->length = key[s->bytes + i];
		d->tile = s->space->problem->from.global[i];
		for (int p = 0; p < d->length; p++, in += PART_BYTES) {
			d->at[p] = (sw_part){in[0], in[1] | in[2] << 8, in[3] | in[4] << 8};
			d->tile /= d->at[p].size;
		}
		st->size *= d->tile;
	}
	count_taken(s, st);
	st->sliced = key[s->bytes + s->space->rank] != PHASE_SLICE;
	return key[s->bytes + s->space->rank];
}

/* ---- the way to go ---- */

static int64_t shared_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static struct agreement agree(const struct search *s, const struct state *st, int i)
{
	const struct dimension *is = &st->dim[i], *to = &s->to[i];
	struct agreement found = {.shared_size = 1};
	int least = is->length < to->length ? is->length : to->length;
	while (found.at < least && is->at[found.at].axis == to->at[found.at].axis &&
		is->at[found.at].pre == to->at[found.at].pre && is->at[found.at].size == to->at[found.at].size)
		found.at++;
	found.pop = found.at < is->length;
	found.push = found.at < to->length;
	if (!found.pop || !found.push)
		return found;
	const sw_part *a = &is->at[found.at], *b = &to->at[found.at];
	if (a->axis != b->axis || a->pre != b->pre)
		return found;
	found.shared_size = shared_divisor(a->size, b->size);
	found.pop = found.shared_size < a->size || found.at + 1 < is->length;
	found.push = found.shared_size < b->size || found.at + 1 < to->length;
	return found;
}

/* Can slices alone continue dimension `i`, which agrees so far, to what `to` has? */
static bool sliceable(const struct search *s, const struct state *st, int i, const struct agreement *found)
{
	if (st->sliced)
		return false;
	for (int p = found->at; p < s->to[i].length; p++) {
		sw_part part = s->to[i].at[p];
		if (p == found->at) {
			part.pre *= found->shared_size;
			part.size /= found->shared_size;
		}
		for (int k = 0; k < s->digits; k++)
			if ((st->taken & bit(k)) != 0 && s->digit[k].axis == part.axis && s->digit[k].pre % part.pre == 0 &&
				part.pre * part.size % (s->digit[k].pre * s->digit[k].prime) == 0)
				return false;
	}
	return true;
}

static int64_t missing(const struct search *s, const struct state *st)
{
	int pushes = 0, pops = 0, both = 0;
	if (!s->rule.normal)
		return sw_bound(&s->rule, 0, 0, st->size, st->sliced);
	for (int i = 0; i < s->space->rank; i++) {
		struct agreement found = agree(s, st, i);
		pops += found.pop;
		pushes += found.push && (found.pop || !sliceable(s, st, i, &found));
		both += found.pop && found.push;
	}
	int64_t bound = sw_bound(&s->rule, pushes, pops, st->size, st->sliced);
	if (bound != SW_NEVER && both > 0 && s->limits->several)
		bound += st->sliced ? st->size : s->rule.floor_size; /* popped by one alltoall, pushed by a later one */
	return bound;
}

static bool is_home(const struct search *s, const struct state *st)
{
	for (int i = 0; i < s->space->rank; i++)
		if (agree(s, st, i).push)
			return false;
	return true;
}

/* ---- edges ---- */

static bool live_allows(const struct search *s, int64_t before, int64_t after)
{
	return s->limits->live_budget == 0 || before + after <= s->limits->live_budget;
}

static void offer(struct search *s, const struct state *st, int phase, int64_t factor)
{
	uint8_t key[KEY_BYTES];
	bool again = s->op == SW_DYNSLICE && s->at.tag == SW_DYNSLICE;
	s->edges++;
	int64_t cost = s->at.cost + sw_model_move_cost(s->limits->model, s->op, s->before, st->size, factor);
	int64_t bound = missing(s, st);
	if (bound == SW_NEVER || cost + bound >= s->limits->below || st->size > s->limits->budget ||
		!live_allows(s, again ? s->space->from_size : s->before, st->size))
		return;
	write_key(s, st, phase, key);
	sw_state next = {.cost = cost,
		.bound = bound,
		.parent = s->node,
		.steps = s->at.steps + !again,
		.tag = (int32_t)s->op};
	sw_store_offer(&s->store, key, &next);
}

static bool exhausted(const struct search *s)
{
	return s->edges + s->tried / 4 > s->limits->most_edges || s->store.failed;
}

static bool enough(const struct search *s)
{
	return s->arrived || exhausted(s);
}

/* As the policy `elements` has it: what an alltoall must do where only so much may still be spent. */
static int aim_of(const struct search *s)
{
	int64_t gather = s->before < s->space->to_size ? s->space->to_size : 0;
	int64_t left = s->limits->below - 1 - s->at.cost - gather;
	if (!s->rule.normal || !s->limits->several || left >= 3 * s->before)
		return ANYWHERE;
	return left >= 2 * s->before ? TOWARDS : HOME;
}

static bool stays_on_the_way(const struct search *s, const struct state *st, int i)
{
	if (s->aim == ANYWHERE)
		return true;
	struct agreement found = agree(s, st, i);
	return !found.push || (!found.pop && (s->aim == TOWARDS || (s->popped >> i & 1) == 0));
}

static bool leads_home(const struct search *s, const struct state *st, int i, const struct digit *digit)
{
	if (s->aim == ANYWHERE)
		return true;
	struct agreement found = agree(s, st, i);
	if (!found.push || found.pop)
		return true;
	const sw_part *next = &s->to[i].at[found.at];
	return next->axis == digit->axis && next->pre * found.shared_size == digit->pre &&
		next->size / found.shared_size % digit->prime == 0;
}

static void slices(struct search *s, struct state *st)
{
	uint64_t pool = distinct(s, pool_of(s, st));
	s->op = SW_DYNSLICE;
	for (int i = 0; i < s->space->rank; i++)
		for (uint64_t rest = pool; rest != 0; rest &= rest - 1) {
			const struct digit *digit = &s->digit[__builtin_ctzll(rest)];
			uint64_t taken = st->taken;
			if (st->dim[i].tile % digit->prime != 0)
				continue;
			put(st, &st->dim[i], digit);
			st->taken |= digit->overlaps;
			offer(s, st, PHASE_SLICE, 1);
			take(st, &st->dim[i], digit->prime);
			st->taken = taken;
		}
}

/* Pushes digits of product `left` onto dimensions from `from` on (onto that one alone where only one may take part) and
 * offers each outcome of an alltoall by `factor`. */
static void pushes(struct search *s, struct state *st, int from, bool alone, int64_t left, int64_t factor)
{
	s->tried++;
	if (left == 1) {
		if (s->aim == HOME && !is_home(s, st))
			return;
		s->arrived = s->aim == HOME;
		offer(s, st, s->rule.normal ? PHASE_MOVE : PHASE_SLICE, factor);
		return;
	}
	for (int j = from; j < s->space->rank && !enough(s); j++) {
		if ((s->popped >> j & 1) != 0)
			continue;
		for (uint64_t rest = distinct(s, pool_of(s, st)); rest != 0 && !enough(s); rest &= rest - 1) {
			const struct digit *digit = &s->digit[__builtin_ctzll(rest)];
			uint64_t taken = st->taken;
			if (left % digit->prime != 0 || st->dim[j].tile % digit->prime != 0 || !leads_home(s, st, j, digit))
				continue;
			put(st, &st->dim[j], digit);
			st->taken |= digit->overlaps;
			pushes(s, st, j, alone, left / digit->prime, factor);
			take(st, &st->dim[j], digit->prime);
			st->taken = taken;
		}
		if (alone || (s->aim == HOME && agree(s, st, j).push))
			return;
	}
}

static void after_pops(struct search *s, struct state *st, int64_t factor)
{
	bool was = st->sliced;
	uint64_t taken = st->taken;
	count_taken(s, st);
	if (s->op == SW_ALLGATHER) {
		offer(s, st, PHASE_SLICE, factor);
	} else {
		st->sliced = s->rule.normal;
		for (int j = 0; j < (s->limits->several ? 1 : s->space->rank); j++)
			if (s->limits->several || (s->popped >> j & 1) == 0)
				pushes(s, st, j, !s->limits->several, factor, factor);
	}
	st->taken = taken;
	st->sliced = was;
}

static void pops(struct search *s, struct state *st, int i, int64_t factor);

/* Pops of dimension `i` a divisor of its last part, or that part and more, and goes on to the next dimension. */
static void pop_part(struct search *s, struct state *st, int i, int64_t factor)
{
	struct dimension *d = &st->dim[i];
	sw_part last = d->at[d->length - 1];
	for (int k = 0; k < s->divisors && s->divisor[k] <= last.size && !enough(s); k++) {
		int64_t f = s->divisor[k];
		if (last.size % f != 0)
			continue;
		take(st, d, f);
		if (stays_on_the_way(s, st, i))
			pops(s, st, i + 1, factor * f);
		if (f == last.size && d->length > 0)
			pop_part(s, st, i, factor * f);
		d->length += f == last.size;
		d->at[d->length - 1] = last;
		d->tile /= f;
		st->size /= f;
	}
}

static void pops(struct search *s, struct state *st, int i, int64_t factor)
{
	s->tried++;
	if (i == s->space->rank) {
		if (s->popped != 0)
			after_pops(s, st, factor);
		return;
	}
	if (stays_on_the_way(s, st, i))
		pops(s, st, i + 1, factor);
	if ((!s->limits->several && s->popped != 0) || st->dim[i].length == 0)
		return;
	s->popped |= 1u << i;
	pop_part(s, st, i, factor);
	s->popped &= ~(1u << i);
}

static void go_home(struct search *s, const struct state *st)
{
	uint8_t key[KEY_BYTES] = {0};
	int64_t tile[SW_MAX_DIMS];
	int steps;
	for (int i = 0; i < s->space->rank; i++)
		tile[i] = st->dim[i].tile;
	int64_t cost = s->at.cost + sw_gather_cost(&s->rule, s->space, tile, &steps);
	if (cost >= s->limits->below || (steps > 0 && (s->limits->without >> SW_ALLGATHER & 1) != 0))
		return;
	if (steps > 0 &&
		!live_allows(s, s->limits->several ? st->size : s->space->to_size / s->rule.least_prime, s->space->to_size))
		return;
	key[s->bytes + s->space->rank] = PHASE_HOME;
	sw_store_offer(&s->store, key,
		&(sw_state){.cost = cost, .parent = s->node, .steps = s->at.steps + steps, .tag = SW_ALLGATHER});
}

static void expand(struct search *s, struct state *st)
{
	unsigned without = s->limits->without;
	s->before = st->size;
	s->popped = 0;
	s->aim = ANYWHERE;
	s->arrived = false;
	if (is_home(s, st))
		go_home(s, st);
	if (!st->sliced && (without >> SW_DYNSLICE & 1) == 0)
		slices(s, st);
	if ((without >> SW_ALLTOALL & 1) == 0) {
		s->op = SW_ALLTOALL;
		s->aim = aim_of(s);
		pops(s, st, 0, 1);
	}
	if (!s->rule.normal && (without >> SW_ALLGATHER & 1) == 0) {
		s->op = SW_ALLGATHER;
		pops(s, st, 0, 1);
	}
}

/* ---- the path found ---- */

static bool write_type(const struct search *s, const struct state *st, sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0;
	*type = s->space->problem->from;
	for (int i = 0; i < s->space->rank; i++) {
		count[i] = st->dim[i].length;
		for (int p = count[i] - 1; p >= 0; p--) {
			SW_ROOM(parts, n);
			parts[n++] = st->dim[i].at[p];
		}
	}
	return sw_type_partition(s->mesh, type, count, parts, NULL);
}

/* Slices that follow each other are one step. */
static bool add_step(const struct search *s, sw_op op, const struct state *st, sw_type_path *path)
{
	bool again = op == SW_DYNSLICE && path->count > 0 && path->step[path->count - 1].op == SW_DYNSLICE;
	sw_type *type = SW_NEW(s->arena, sw_type, 1);
	if (!type || !write_type(s, st, type))
		return false;
	path->step[again ? path->count - 1 : path->count++] = (sw_type_step){op, type};
	return true;
}

/* The dimension that is gathered next: the smallest factor first; -1 where all are home. */
static int next_home(const struct search *s, const struct state *st)
{
	int next = -1;
	int64_t least = INT64_MAX;
	for (int i = 0; i < s->space->rank; i++) {
		int64_t factor = s->to[i].tile / st->dim[i].tile;
		if (factor > 1 && factor < least) {
			least = factor;
			next = i;
		}
	}
	return next;
}

static bool add_gathers(const struct search *s, struct state *st, sw_type_path *path)
{
	for (int next = next_home(s, st); next >= 0; next = next_home(s, st)) {
		for (int i = 0; i < s->space->rank; i++)
			if (i == next || s->limits->several)
				st->dim[i] = s->to[i];
		if (!add_step(s, SW_ALLGATHER, st, path))
			return false;
	}
	return true;
}

/* The states up to the one from which gathers lead home, the start left out, into `chain` from its end on; how many. */
static int chain_to(const struct search *s, int32_t goal, int32_t *chain, int room)
{
	int n = 0;
	for (int32_t k = s->store.states[goal].parent; s->store.states[k].parent >= 0; k = s->store.states[k].parent, n++)
		if (chain)
			chain[room - 1 - n] = k;
	return n;
}

static bool write_path(const struct search *s, int32_t goal, sw_type_path *path)
{
	int count = chain_to(s, goal, NULL, 0);
	int32_t *chain = SW_NEW(s->arena, int32_t, count);
	struct state st;
	path->count = 0;
	path->step = SW_NEW(s->arena, sw_type_step, count + SW_MAX_DIMS);
	if (!chain || !path->step)
		return false;
	chain_to(s, goal, chain, count);
	read_type(s, &s->space->problem->from, st.dim);
	for (int k = 0; k < count; k++) {
		read_key(s, sw_keys_at(&s->store.keys, chain[k]), &st);
		if (!add_step(s, (sw_op)s->store.states[chain[k]].tag, &st, path))
			return false;
	}
	return add_gathers(s, &st, path);
}

/* ---- the search ---- */

static void offer_start(struct search *s)
{
	uint8_t key[KEY_BYTES];
	struct state st = {.size = s->space->from_size};
	read_type(s, &s->space->problem->from, st.dim);
	count_taken(s, &st);
	write_key(s, &st, PHASE_SLICE, key);
	sw_store_offer(&s->store, key, &(sw_state){.bound = missing(s, &st), .parent = -1, .tag = SW_OP_COUNT});
}

static sw_search_end run(struct search *s, int32_t *goal, int64_t *floor)
{
	struct state st;
	for (;;) {
		s->node = *goal = sw_store_take(&s->store);
		if (s->store.failed)
			return SW_NO_MEMORY;
		if (s->node < 0) {
			*floor = s->limits->below;
			return SW_NOTHING;
		}
		s->at = s->store.states[s->node];
		*floor = s->at.cost + s->at.bound;
		if (read_key(s, sw_keys_at(&s->store.keys, s->node), &st) == PHASE_HOME)
			return SW_FOUND;
		expand(s, &st);
		if (exhausted(s))
			return s->store.failed ? SW_NO_MEMORY : SW_GAVE_UP;
		if (!sw_pulse_beat(s->limits->pulse, "types", s->store.settled, 0))
			return SW_STOPPED;
	}
}

sw_search_end sw_type_search(const sw_space *space, const sw_search_limits *limits, sw_arena *arena,
	sw_type_path *path)
{
	struct search s = {.space = space, .limits = limits, .mesh = &space->problem->mesh, .arena = arena};
	sw_search_end end = SW_NO_MEMORY;
	int32_t goal = -1;
	*path = (sw_type_path){.floor = 0};
	if (!make_digits(&s))
		return SW_GAVE_UP;
	find_alike(&s);
	s.bytes = PART_BYTES * space->factors.count;
	sw_bound_init(&s.rule, space, limits->model, limits->several, limits->without == 0);
	read_type(&s, &space->problem->to, s.to);
	if (sw_store_init(&s.store, s.bytes + space->rank + 1, false)) {
		offer_start(&s);
		end = run(&s, &goal, &path->floor);
	}
	if (end == SW_FOUND) {
		path->cost = s.store.states[goal].cost;
		end = write_path(&s, goal, path) ? end : SW_NO_MEMORY;
	}
	path->settled = s.store.settled;
	path->seen = s.store.keys.count;
	path->edges = s.edges;
	sw_store_free(&s.store);
	return end;
}
