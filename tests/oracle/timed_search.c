/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over layouts, priced by a machine.
 */
#include "timed_search.h"

#include <string.h>

#include "cost/latency.h"
#include "rows.h"

struct timed {
	const sw_space *space;
	const old_search_limits *limits;
	const sw_machine *machine;
	old_astar astar;
	int64_t tried;
	double bytes;                   /* of an element */
	double alpha, bandwidth;        /* the best there is */
	uint64_t all, anonymous;        /* parts; parts that neither end uses */
	bool placed;                    /* it matters which devices work together */
	uint64_t alike[SW_MAX_FACTORS]; /* of each part, those that cost the same to go over */
	double over[SW_MAX_FACTORS];    /* seconds of a permutation over a part, of tiles as large as those of `to` */
	old_rows to;
	int32_t node; /* whose edges are being enumerated */
	old_rows before;
	int64_t before_tile[SW_MAX_DIMS], before_size;
	old_rows now; /* that edges build */
	int64_t tile[SW_MAX_DIMS], size;
	sw_op op;
	unsigned popped; /* dimensions that were popped from */
};

static int64_t prime_of(const struct timed *s, int part)
{
	return s->space->factors.at[part].prime;
}

static void push(struct timed *s, int dim, int part)
{
	old_rows_push(&s->now, dim, part);
	s->tile[dim] /= prime_of(s, part);
	s->size /= prime_of(s, part);
}

static int pop(struct timed *s, int dim)
{
	int part = old_rows_pop(&s->now, dim);

	s->tile[dim] *= prime_of(s, part);
	s->size *= prime_of(s, part);
	return part;
}

/* ---- keys ---- */

static void write_key(const struct timed *s, uint8_t *key)
{
	int n = 0, parts = s->space->factors.count;

	for (int i = 0; i < s->space->rank; i++) {
		memcpy(key + n, s->now.at[i], (size_t)s->now.length[i]);
		n += s->now.length[i];
		key[parts + i] = (uint8_t)s->now.length[i];
	}
	memset(key + n, 0xff, (size_t)(parts - n));
}

static void read_key(struct timed *s, const uint8_t *key)
{
	int n = 0;

	s->size = 1;
	s->now.used = 0;
	for (int i = 0; i < s->space->rank; i++) {
		int length = key[s->space->factors.count + i];

		s->now.length[i] = 0;
		s->tile[i] = s->space->problem->from.global[i];
		s->size *= s->tile[i];
		while (length-- > 0)
			push(s, i, key[n++]);
	}
}

static void write_layout(const struct timed *s, const uint8_t *key, sw_layout *layout)
{
	int n = 0, parts = s->space->factors.count;

	memcpy(layout->order, key, (size_t)parts);
	for (int i = 0; i < s->space->rank; i++) {
		layout->first[i] = n;
		n += key[parts + i];
	}
	layout->first[s->space->rank] = n;
}

/* ---- seconds ---- */

/* The parts that stand elsewhere than before. */
static uint64_t moved_parts(const struct timed *s)
{
	uint64_t parts = 0;

	for (int i = 0; i < s->space->rank; i++) {
		const old_rows *rows[2] = {&s->before, &s->now};
		int same = 0;

		while (same < s->before.length[i] && same < s->now.length[i] && s->before.at[i][same] == s->now.at[i][same])
			same++;
		for (int r = 0; r < 2; r++)
			for (int k = same; k < rows[r]->length[i]; k++)
				parts |= old_part_bit(rows[r]->at[i][k]);
	}
	return parts;
}

static int64_t gathered(const struct timed *s)
{
	int64_t product = 1;

	for (int i = 0; i < s->space->rank; i++)
		if (s->tile[i] > s->before_tile[i])
			product *= s->tile[i] / s->before_tile[i];
	return product;
}

static double edge_seconds(const struct timed *s)
{
	double whole = (double)s->size * s->bytes;
	const sw_mesh *mesh = &s->space->problem->mesh;
	sw_load load = {.group = 1};
	sw_reach reach;

	if (s->op != SW_ALLPERMUTE)
		sw_load_runs(s->before_tile, s->tile, s->space->rank, s->bytes, &load);
	if (s->op == SW_DYNSLICE) {
		load.packed = whole;
		load.passes = 1;
	} else if (s->op == SW_ALLPERMUTE) {
		load = (sw_load){.group = s->space->problem->mesh.devices, .rounds = 1, .bytes = whole};
	} else {
		load.group = gathered(s);
		load.rounds = load.group - 1;
		load.bytes = whole - whole / (double)load.group;
		load.passes = sw_load_gaps(s->before_tile, s->tile, s->space->rank);
		load.packed = (double)load.passes * load.bytes;
	}
	if (s->placed)
		sw_reach_parts(mesh, &s->space->factors, moved_parts(s), &reach);
	return sw_load_seconds(s->machine, s->op, &load, mesh, s->placed ? &reach : NULL);
}

/* What gathers have to bring at least, at the best bandwidth; and one latency where something has to leave its place. */
static int64_t bound_of(const struct timed *s)
{
	double seconds = 0;
	bool leaves = s->size < s->space->to_size;

	if (s->size < s->space->to_size && s->bandwidth > 0)
		seconds = (double)(s->space->to_size - s->size) * s->bytes / s->bandwidth;
	for (int i = 0; i < s->space->rank && !leaves; i++)
		leaves = s->now.length[i] > s->to.length[i] ||
			memcmp(s->now.at[i], s->to.at[i], (size_t)s->now.length[i]) != 0;
	return (int64_t)((seconds + (leaves ? s->alpha : 0)) * OLD_PICO * (1 - 1e-9));
}

static void offer(struct timed *s)
{
	const old_astar_node *node = &s->astar.nodes[s->node];
	uint8_t key[SW_MAX_FACTORS + SW_MAX_DIMS];
	double seconds = edge_seconds(s);
	int64_t bound = bound_of(s);

	s->astar.edges++;
	if (seconds < 0 || seconds > 1e6 || s->size > s->limits->budget ||
		(s->limits->live_budget > 0 && s->before_size + s->size > s->limits->live_budget))
		return;
	int64_t cost = node->cost + (int64_t)(seconds * OLD_PICO + 0.5);
	if (cost + bound >= s->limits->below)
		return;
	write_key(s, key);
	old_astar_offer(&s->astar, key, cost, node->steps + 1, bound, s->node, (int32_t)s->op);
}

static bool exhausted(const struct timed *s)
{
	return s->astar.edges + s->tried / 4 > s->limits->most_edges || s->astar.failed;
}

/* ---- edges ---- */

/* The parts of `pool` worth pushing: of those that neither end uses and that are alike only the first. */
static uint64_t distinct(const struct timed *s, uint64_t pool)
{
	uint64_t out = pool & ~s->anonymous;

	for (uint64_t rest = pool & s->anonymous; rest != 0; rest &= rest - 1) {
		int part = __builtin_ctzll(rest);

		if ((out & s->anonymous & s->alike[part]) == 0)
			out |= old_part_bit(part);
	}
	return out;
}

/* Pushes lists of unused parts onto dimensions from `dim` on, one dimension after the other, and offers each outcome. */
static void slices(struct timed *s, int dim)
{
	s->tried++;
	for (int i = dim; i < s->space->rank && !exhausted(s); i++)
		for (uint64_t rest = distinct(s, s->all & ~s->now.used); rest != 0 && !exhausted(s); rest &= rest - 1) {
			int part = __builtin_ctzll(rest);

			if (s->tile[i] % prime_of(s, part) != 0)
				continue;
			push(s, i, part);
			offer(s);
			slices(s, i);
			pop(s, i);
		}
}

/* Pushes parts of product `left` onto dimensions that were not popped from, from `dim` on; `alone`: onto that one only. */
static void pushes(struct timed *s, int dim, bool alone, int64_t left)
{
	s->tried++;
	if (left == 1) {
		offer(s);
		return;
	}
	for (int j = dim; j < s->space->rank && !exhausted(s); j++) {
		if ((s->popped >> j & 1) == 0)
			for (uint64_t rest = distinct(s, s->all & ~s->now.used); rest != 0 && !exhausted(s); rest &= rest - 1) {
				int part = __builtin_ctzll(rest);

				if (left % prime_of(s, part) != 0 || s->tile[j] % prime_of(s, part) != 0)
					continue;
				push(s, j, part);
				pushes(s, j, alone, left / prime_of(s, part));
				pop(s, j);
			}
		if (alone)
			return;
	}
}

static void after_pops(struct timed *s, int64_t factor)
{
	if (s->op == SW_ALLGATHER) {
		offer(s);
		return;
	}
	if (s->limits->multi_dim)
		pushes(s, 0, false, factor);
	for (int j = 0; j < s->space->rank && !s->limits->multi_dim; j++)
		if ((s->popped >> j & 1) == 0)
			pushes(s, j, true, factor);
}

/* Pops minor-most parts of dimensions from `dim` on, of one alone where only one may take part. */
static void pops(struct timed *s, int dim, int64_t factor)
{
	uint8_t parts[SW_MAX_FACTORS];
	int count = 0;

	s->tried++;
	if (dim == s->space->rank) {
		if (s->popped != 0)
			after_pops(s, factor);
		return;
	}
	pops(s, dim + 1, factor);
	if (!s->limits->multi_dim && s->popped != 0)
		return;
	s->popped |= 1u << dim;
	while (s->now.length[dim] > 0 && !exhausted(s)) {
		parts[count] = (uint8_t)pop(s, dim);
		factor *= prime_of(s, parts[count++]);
		pops(s, dim + 1, factor);
	}
	while (count > 0)
		push(s, dim, parts[--count]);
	s->popped &= ~(1u << dim);
}

/* ---- permutations ---- */

/* Among free parts whose prime divides `factor`: one that the array lies on now, or the quickest to go over; -1: none. */
static int free_part(const struct timed *s, int64_t factor, bool quick)
{
	int best = -1;

	for (uint64_t rest = s->all & ~s->now.used; rest != 0; rest &= rest - 1) {
		int part = __builtin_ctzll(rest);

		if (factor % prime_of(s, part) != 0)
			continue;
		if (!quick && (s->before.used & old_part_bit(part)) != 0)
			return part;
		if (best < 0 || (quick && s->over[part] < s->over[best]))
			best = part;
	}
	return best;
}

static void offer_permutation(struct timed *s)
{
	memcpy(s->tile, s->before_tile, sizeof s->tile);
	s->size = s->before_size;
	s->op = SW_ALLPERMUTE;
	if (!old_rows_equal(&s->now, &s->before, s->space->rank))
		offer(s);
}

/* Of what `to` has along each dimension as much from the major end as tiles allow; left[i]: the factor that is missing then. */
static void lay_as_to(struct timed *s, int64_t left[SW_MAX_DIMS])
{
	s->now.used = 0;
	for (int i = 0; i < s->space->rank; i++) {
		s->now.length[i] = 0;
		left[i] = s->space->problem->from.global[i] / s->before_tile[i];
		for (int k = 0; k < s->to.length[i] && left[i] % prime_of(s, s->to.at[i][k]) == 0; k++) {
			old_rows_push(&s->now, i, s->to.at[i][k]);
			left[i] /= prime_of(s, s->to.at[i][k]);
		}
	}
}

/* To where `to` goes on from: what it has, cut or split further until tiles are as they are now. */
static void permute_to_goal(struct timed *s, bool quick)
{
	int64_t left[SW_MAX_DIMS];

	lay_as_to(s, left);
	for (int i = 0; i < s->space->rank; i++)
		while (left[i] > 1) {
			int part = free_part(s, left[i], quick);

			if (part < 0)
				return;
			old_rows_push(&s->now, i, part);
			left[i] /= prime_of(s, part);
		}
	offer_permutation(s);
}

/* What `to` has at this place; -1: nothing, or a part of another prime or not of `among`. */
static int wanted(const struct timed *s, int dim, int place, uint64_t among)
{
	int part = place < s->to.length[dim] ? s->to.at[dim][place] : -1;

	if (part < 0 || (among >> part & 1) == 0 || prime_of(s, part) != prime_of(s, s->before.at[dim][place]))
		return -1;
	return part;
}

/* Puts parts of `among` where `to` has them and leaves the others; places that lose theirs get one that is left over. */
static void permute_among(struct timed *s, uint64_t among)
{
	uint64_t open[SW_MAX_DIMS] = {0};

	old_rows_copy(&s->now, &s->before, s->space->rank);
	s->now.used &= ~among;
	for (int i = 0; i < s->space->rank; i++)
		for (int k = 0; k < s->now.length[i]; k++) {
			int part = wanted(s, i, k, among);

			if ((among >> s->before.at[i][k] & 1) == 0)
				continue;
			if (part < 0)
				open[i] |= old_part_bit(k);
			else
				s->now.used |= old_part_bit(part);
			s->now.at[i][k] = part < 0 ? s->now.at[i][k] : (uint8_t)part;
		}
	for (int i = 0; i < s->space->rank; i++)
		for (uint64_t rest = open[i]; rest != 0; rest &= rest - 1) {
			int k = __builtin_ctzll(rest), own = s->before.at[i][k];
			int part = (s->now.used >> own & 1) == 0 ? own : free_part(s, prime_of(s, own), false);

			if (part < 0)
				return;
			s->now.at[i][k] = (uint8_t)part;
			s->now.used |= old_part_bit(part);
		}
	offer_permutation(s);
}

/* Where it matters which axes a step goes over also permutations over the quick ones only, one set after the other. */
static void permutations(struct timed *s)
{
	permute_to_goal(s, false);
	if (!s->placed)
		return;
	permute_to_goal(s, true);
	for (int p = 0; p < s->space->factors.count; p++) {
		uint64_t among = 0;
		bool first = true;

		for (int q = 0; q < s->space->factors.count; q++) {
			among |= s->over[q] <= s->over[p] ? old_part_bit(q) : 0;
			first = first && (q >= p || s->over[q] < s->over[p] || s->over[q] > s->over[p]);
		}
		if (first)
			permute_among(s, among);
	}
}

static bool allows(const struct timed *s, sw_op op)
{
	return (s->limits->without >> op & 1) == 0;
}

static bool visit(void *context, int32_t node)
{
	struct timed *s = context;
	bool sliced = s->astar.nodes[node].tag == SW_DYNSLICE;

	read_key(s, s->astar.nodes[node].key);
	if (old_rows_equal(&s->now, &s->to, s->space->rank))
		return true;
	s->node = node;
	old_rows_copy(&s->before, &s->now, s->space->rank);
	memcpy(s->before_tile, s->tile, sizeof s->tile);
	s->before_size = s->size;
	s->popped = 0;
	s->op = SW_DYNSLICE;
	if (!sliced && allows(s, SW_DYNSLICE))
		slices(s, 0);
	for (s->op = SW_ALLGATHER; s->op <= SW_ALLTOALL; s->op++)
		if (allows(s, s->op))
			pops(s, 0, 1);
	if (allows(s, SW_ALLPERMUTE))
		permutations(s);
	if (exhausted(s))
		s->astar.edges = s->limits->most_edges + 1;
	return false;
}

/* ---- the search ---- */

static bool write_route(const struct timed *s, int32_t goal, old_route *route)
{
	int n = 0;

	for (int32_t k = goal; s->astar.nodes[k].parent >= 0; k = s->astar.nodes[k].parent)
		n++;
	if (n > OLD_MAX_HOPS)
		return false;
	route->count = n;
	for (int32_t k = goal; s->astar.nodes[k].parent >= 0; k = s->astar.nodes[k].parent) {
		old_hop *hop = &route->hop[--n];

		hop->op = (sw_op)s->astar.nodes[k].tag;
		write_layout(s, s->astar.nodes[k].key, &hop->layout);
	}
	return true;
}

static void set_alike(struct timed *s)
{
	const sw_prime_parts *factors = &s->space->factors;
	const sw_mesh *mesh = &s->space->problem->mesh;

	for (int a = 0; a < factors->count; a++)
		for (int b = 0; b < factors->count; b++)
			if (sw_parts_alike(s->machine, mesh, &factors->at[a], &factors->at[b]))
				s->alike[a] |= old_part_bit(b);
}

static void set_over(struct timed *s)
{
	const sw_mesh *mesh = &s->space->problem->mesh;
	sw_load load = {.group = mesh->devices, .rounds = 1, .bytes = (double)s->space->to_size * s->bytes};
	sw_reach reach;

	for (int part = 0; s->placed && part < s->space->factors.count; part++) {
		sw_reach_parts(mesh, &s->space->factors, old_part_bit(part), &reach);
		s->over[part] = sw_load_seconds(s->machine, SW_ALLPERMUTE, &load, mesh, &reach);
	}
}

static void timed_init(struct timed *s, const sw_space *space, const old_search_limits *limits,
	const sw_machine *machine)
{
	*s = (struct timed){.space = space, .limits = limits, .machine = machine};
	s->bytes = sw_dtype_bytes(space->problem->from.dtype);
	s->all = old_part_bits(space->factors.count);
	s->anonymous = s->all & ~sw_layout_used(&space->from, space->rank) & ~sw_layout_used(&space->to, space->rank);
	s->placed = sw_slots_matter(machine, &space->problem->mesh);
	set_alike(s);
	set_over(s);
	old_rows_read(&s->to, &space->to, space->rank);
	sw_machine_best(machine, &space->problem->mesh, &s->alpha, &s->bandwidth);
}

static void offer_start(struct timed *s)
{
	uint8_t key[SW_MAX_FACTORS + SW_MAX_DIMS];

	old_rows_read(&s->now, &s->space->from, s->space->rank);
	write_key(s, key);
	read_key(s, key);
	old_astar_offer(&s->astar, key, 0, 0, bound_of(s), -1, SW_OP_COUNT);
}

/* The goal, where a way to it is known although it may not be the best. */
static int32_t offered_goal(struct timed *s)
{
	uint8_t key[SW_MAX_FACTORS + SW_MAX_DIMS];

	old_rows_copy(&s->now, &s->to, s->space->rank);
	write_key(s, key);
	return old_astar_find(&s->astar, key);
}

old_search_end old_timed_search(const sw_space *space, const old_search_limits *limits, const sw_machine *machine,
	sw_arena *arena, old_axis_result *result)
{
	struct timed s;
	int32_t goal;

	timed_init(&s, space, limits, machine);
	result->route.count = 0;
	if (!old_astar_init(&s.astar, arena, space->factors.count + space->rank))
		return OLD_NO_MEMORY;
	offer_start(&s);
	old_search_end end = old_astar_run(&s.astar, visit, &s, limits->most_edges, limits->below, limits->pulse,
		"states", &goal, &result->floor);
	if (end == OLD_GAVE_UP || end == OLD_STOPPED)
		goal = offered_goal(&s);
	if (end != OLD_NOTHING && end != OLD_NO_MEMORY && goal >= 0) {
		result->cost = s.astar.nodes[goal].cost;
		if (!write_route(&s, goal, &result->route))
			end = OLD_GAVE_UP;
	}
	old_astar_end(&s.astar);
	result->settled = s.astar.settled;
	result->seen = s.astar.count;
	result->edges = s.astar.edges;
	return end;
}
