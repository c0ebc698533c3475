/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The policy that asks a machine: which axes move decides what a step takes.
 *
 * Further moves are permutations: to a layout that `to` goes on from, and over quick axes only.  All forms are searched, not
 * only normal ones: a gather of everything and a slice may be the fastest way for a small array.
 */
#include <math.h>
#include <string.h>

#include "cost/latency.h"
#include "cost/roofline.h"
#include "search/policy.h"
#include "step/row.h"

#define MOST_SECONDS 1e6 /* that a step may take */

static const sw_mesh *mesh_of(const sw_search *s)
{
	return &s->space->problem->mesh;
}

/* ---- the machine ---- */

/* Do steps over two parts take the same time? */
static bool take_the_same(const sw_search *s, int a, int b)
{
	const sw_prime_part *part = s->space->factors.at;

	return sw_parts_alike(s->limits->machine, mesh_of(s), &part[a], &part[b]);
}

static void init(sw_search *s)
{
	const sw_machine *machine = s->limits->machine;
	sw_seconds *seconds = &s->seconds;
	sw_load load = {.group = mesh_of(s)->devices, .rounds = 1};
	sw_reach reach;

	s->rule = (sw_bound_rule){.normal = false};
	seconds->bytes = sw_dtype_bytes(s->space->problem->from.dtype);
	seconds->placed = sw_slots_matter(machine, mesh_of(s));
	sw_machine_best(machine, mesh_of(s), &seconds->alpha, &seconds->bandwidth);
	load.bytes = load.tile = (double)s->space->to_size * seconds->bytes;
	for (int part = 0; seconds->placed && part < s->moves.parts; part++) {
		sw_reach_parts(mesh_of(s), &s->space->factors, sw_part_bit(part), &reach);
		seconds->over[part] = sw_load_seconds(machine, SW_ALLPERMUTE, &load, mesh_of(s), &reach);
	}
	sw_search_alike(s, take_the_same);
}

/* The parts of moves from the ends of rows. */
static uint64_t parts_at_ends(const sw_search *s)
{
	const sw_moves *m = &s->moves;
	uint8_t rest[SW_MAX_FACTORS];
	uint64_t parts = 0;

	for (int i = 0; i < m->rank; i++) {
		for (int k = sw_row_draft_rest(m, &m->before, &m->now, i, rest); k > 0; k--)
			parts |= sw_part_bit(rest[k - 1]);
		for (int k = sw_row_draft_rest(m, &m->now, &m->before, i, rest); k > 0; k--)
			parts |= sw_part_bit(rest[k - 1]);
	}
	return parts | (m->before.summed ^ m->now.summed);
}

/* Has a row a part that puts digits of the axis of `part` to the same places of a tile's number?  `weight` is that of `part`. */
static bool stands_in(const sw_search *s, const sw_row_draft *rows, int row, const sw_prime_part *part,
	int64_t weight)
{
	int64_t other_weight = 1;

	for (int k = rows->length[row] - 1; k >= 0; k--) {
		const sw_prime_part *other = &s->space->factors.at[rows->at[row][k]];
		int64_t end = part->pre * part->prime, other_end = other->pre * other->prime;

		if (other->axis == part->axis && other_end * other_weight == end * weight && other->pre < end &&
			part->pre < other_end)
			return true;
		other_weight *= other->prime;
	}
	return false;
}

/* The parts of `rows` that do not stand at the same place in `others`. */
static uint64_t parts_elsewhere(const sw_search *s, const sw_row_draft *rows, const sw_row_draft *others)
{
	uint64_t parts = 0;

	for (int i = 0; i < s->moves.rank; i++) {
		int64_t weight = 1;

		for (int k = rows->length[i] - 1; k >= 0; k--) {
			const sw_prime_part *part = &s->space->factors.at[rows->at[i][k]];

			if (!stands_in(s, others, i, part, weight))
				parts |= sw_part_bit(rows->at[i][k]);
			weight *= part->prime;
		}
	}
	return parts;
}

static uint64_t parts_moved(const sw_search *s)
{
	const sw_moves *m = &s->moves;

	return parts_elsewhere(s, &m->before, &m->now) | parts_elsewhere(s, &m->now, &m->before) |
		(m->before.summed ^ m->now.summed);
}

static uint64_t no_parts(const sw_search *s)
{
	(void)s;
	return 0;
}

/* Where tiles go: over which parts of axes, and whether any device may send to any. */
static const struct going {
	uint64_t (*parts)(const sw_search *s);
	bool anywhere;
} goings[SW_AMONG_COUNT] = {
	[SW_AMONG_NONE] = {no_parts, false},
	[SW_AMONG_GROUPS] = {parts_at_ends, false},
	[SW_AMONG_PAIRS] = {parts_moved, true},
}; /* no move is among all */

static const struct going *going_of(const sw_search *s)
{
	return &goings[sw_row(s->moves.op)->among];
}

/* The places along each axis between which a move goes; those of a permutation are a stretch of neighbours, as they are of pairs. */
static void reach_of_move(const sw_search *s, sw_reach *reach)
{
	const struct going *going = going_of(s);

	sw_reach_parts(mesh_of(s), &s->space->factors, going->parts(s), reach);
	for (int axis = 0; going->anywhere && axis < mesh_of(s)->count; axis++)
		reach->count[axis] = reach->block[axis];
}

/* ---- permutations over links ---- */

enum { MOST_ROUTED = 256 }; /* devices up to which the tiles of a permutation are followed over the links */

/* The number of the tile in a slot, and of its term where values are still to be summed. */
static int64_t tile_in(const sw_search *s, const sw_row_draft *rows, int64_t slot)
{
	int64_t number = 0;

	for (int i = 0; i < s->moves.rank; i++)
		for (int k = 0; k < rows->length[i]; k++) {
			const sw_prime_part *part = &s->space->factors.at[rows->at[i][k]];

			number = number * part->prime + slot / part->stride % part->prime;
		}
	for (uint64_t rest = rows->summed; rest != 0; rest &= rest - 1) {
		const sw_prime_part *part = &s->space->factors.at[__builtin_ctzll(rest)];

		number = number * part->prime + slot / part->stride % part->prime;
	}
	return number;
}

/* The tiles in all slots, before and after a permutation. */
struct routed {
	int64_t slots;
	int32_t before[MOST_ROUTED], now[MOST_ROUTED];
};

static void list_tiles(const sw_search *s, struct routed *routed)
{
	routed->slots = mesh_of(s)->devices;
	for (int64_t slot = 0; slot < routed->slots; slot++) {
		routed->before[slot] = (int32_t)tile_in(s, &s->moves.before, slot);
		routed->now[slot] = (int32_t)tile_in(s, &s->moves.now, slot);
	}
}

/* The next slot from `slot` on that lets go of a tile. */
static int64_t next_giver(const struct routed *routed, int64_t slot, int32_t tile)
{
	while (slot < routed->slots && (routed->before[slot] != tile || routed->now[slot] == tile))
		slot++;
	return slot;
}

/* Seconds of a permutation from moves.before to moves.now, with the sources that plans have: who has the right tile keeps it, and
 * the k-th other that lets go of it gives it to the k-th that lacks it.  Negative where there are too many to look at. */
static double routed_seconds(const sw_search *s, double tile)
{
	const sw_mesh *mesh = mesh_of(s);
	int16_t next[MOST_ROUTED] = {0};
	struct routed routed;

	if (mesh->devices > MOST_ROUTED)
		return -1;
	sw_routes *routes = sw_routes_new(s->limits->machine, mesh);
	if (routes == NULL)
		return -1;
	list_tiles(s, &routed);
	bool known = true;
	for (int64_t slot = 0; known && slot < mesh->devices; slot++) {
		int32_t number = routed.now[slot];

		if (routed.before[slot] == number)
			continue;
		int64_t from = next_giver(&routed, next[number], number);
		known = from < mesh->devices;
		next[number] = (int16_t)(from + 1);
		if (known)
			sw_routes_send(routes, from, slot, tile);
	}
	double seconds = known ? sw_roofline_seconds(sw_routes_bound(routes)) : -1;
	sw_routes_free(routes);
	return seconds;
}

static double move_seconds(const sw_search *s, const sw_load *load, const sw_reach *reach)
{
	const sw_machine *machine = s->limits->machine;
	bool routed = machine->roofline && going_of(s)->anywhere;
	double seconds = routed ? routed_seconds(s, load->tile) : -1;

	return seconds >= 0 ? seconds : sw_load_seconds(machine, s->moves.op, load, mesh_of(s), reach);
}

/* As a bound: less than the seconds by so much that rounding does not raise it. */
static int64_t whole_below(double seconds)
{
	return (int64_t)(fmin(seconds, MOST_SECONDS) * SW_PICO * (1 - 1e-9));
}

static int64_t price(const sw_search *s)
{
	const sw_moves *m = &s->moves;
	int64_t members = going_of(s)->anywhere ? mesh_of(s)->devices : m->factor;
	sw_load load;
	sw_reach reach;

	sw_load_tiles(m->op, m->before.tile, m->now.tile, m->rank, s->seconds.bytes, members, &load);
	if (s->seconds.placed)
		reach_of_move(s, &reach);
	double seconds = move_seconds(s, &load, s->seconds.placed ? &reach : NULL);
	return seconds >= 0 && seconds <= MOST_SECONDS ? (int64_t)(seconds * SW_PICO + 0.5) : -1;
}

/* Does another part cut a dimension than `to` has there, so that some device holds nothing of what it needs?  Parts that cut one
 * axis in different ways always have something in common. */
static bool cut_otherwise(const sw_moves *m, int dim, int agreed)
{
	uint8_t now[SW_MAX_FACTORS], to[SW_MAX_FACTORS];

	if (agreed == m->now.length[dim] || agreed == m->to.length[dim])
		return false;
	if (m->mixed == 0)
		return true;
	sw_row_draft_rest(m, &m->to, &m->now, dim, now);
	sw_row_draft_rest(m, &m->now, &m->to, dim, to);
	return (m->meets[now[0]] & sw_part_bit(to[0])) == 0;
}

/* A sum that `to` has not takes one latency; what devices hold of a term may be made of zeros. */
static int64_t bound_with_sums(const sw_search *s)
{
	bool open = (s->moves.now.summed & ~s->moves.to.summed) != 0;

	return open ? whole_below(s->seconds.alpha) : 0;
}

/* What some device has to get from others at least, at the best bandwidth; and one latency where something has to leave its
 * place. */
static int64_t bound(const sw_search *s, bool sliced, bool permuted)
{
	const sw_moves *m = &s->moves;
	int64_t common = 1;
	bool leaves = false;

	(void)sliced, (void)permuted;
	if (m->sums)
		return bound_with_sums(s);
	for (int i = 0; i < m->rank; i++) {
		int agreed = sw_moves_agreement(m, i);

		leaves = leaves || agreed < m->now.length[i];
		common *= m->now.tile[i] < m->to.tile[i] ? m->now.tile[i] : m->to.tile[i];
		if (cut_otherwise(m, i, agreed))
			common = 0;
	}
	double bytes = (double)(s->space->to_size - common) * s->seconds.bytes;
	double seconds = s->seconds.bandwidth > 0 ? bytes / s->seconds.bandwidth : 0;
	double alpha = leaves ? s->seconds.alpha : 0;
	double least = !s->limits->machine->roofline ? seconds + alpha : seconds > alpha ? seconds : alpha;
	return whole_below(least);
}

/* ---- permutations ---- */

/* Among free parts whose prime divides `factor`: one that the array lies on now, or the quickest to go over; -1: none. */
static int free_part(const sw_search *s, int64_t factor, bool quick)
{
	const sw_moves *m = &s->moves;
	int best = -1;

	for (uint64_t rest = m->all & ~m->now.used; rest != 0; rest &= rest - 1) {
		int part = __builtin_ctzll(rest);

		if (factor % m->factor_of[part] != 0)
			continue;
		if (!quick && (m->before.used & sw_part_bit(part)) != 0)
			return part;
		if (best < 0 || (quick && s->seconds.over[part] < s->seconds.over[best]))
			best = part;
	}
	return best;
}

/* Offers what stands in the rows where they have the tiles of before, and puts those back. */
static void offer_permutation(sw_search *s, bool whole)
{
	sw_moves *m = &s->moves;
	bool same = true;

	for (int i = 0; i < m->rank; i++)
		same = same && m->now.summed == m->before.summed && m->now.length[i] == m->before.length[i] &&
			memcmp(m->now.at[i], m->before.at[i], (size_t)m->now.length[i]) == 0;
	m->op = SW_ALLPERMUTE;
	if (whole && !same) {
		m->edges++;
		sw_search_offer(s);
	}
	sw_row_draft_copy(m, &m->now, &m->before);
}

/* Sums what `to` does, and of what it has nowhere, as many terms as before; false where that cannot be. */
static bool keep_terms(sw_moves *m)
{
	uint64_t pools[] = {m->to.summed, m->before.summed & ~m->to.used, m->all & ~m->to.used};
	int64_t left = 1;

	for (uint64_t rest = m->before.summed; rest != 0; rest &= rest - 1)
		left *= m->factor_of[__builtin_ctzll(rest)];
	for (int p = 0; p < 3; p++)
		for (uint64_t rest = pools[p] & ~m->now.used; rest != 0; rest &= rest - 1)
			if (left % m->factor_of[__builtin_ctzll(rest)] == 0) {
				sw_row_draft_sum(m, &m->now, rest & -rest);
				left /= m->factor_of[__builtin_ctzll(rest)];
			}
	return left == 1;
}

/* To where `to` goes on from: of what it has along each dimension as much from the major end as tiles allow, cut or split
 * further until tiles are as they are now. */
static void permute_to_goal(sw_search *s, bool quick)
{
	sw_moves *m = &s->moves;
	bool whole = true;

	sw_row_draft_clear(m, &m->now);
	if (m->sums && !keep_terms(m))
		whole = false;
	for (int i = 0; i < m->rank; i++)
		for (int k = 0; k < m->to.length[i] && m->now.tile[i] / m->before.tile[i] % m->factor_of[m->to.at[i][k]] == 0;
			 k++)
			sw_row_draft_push(m, &m->now, i, m->to.at[i][k]);
	for (int i = 0; i < m->rank; i++)
		while (whole && m->now.tile[i] > m->before.tile[i]) {
			int part = free_part(s, m->now.tile[i] / m->before.tile[i], quick);

			whole = part >= 0;
			if (whole)
				sw_row_draft_push(m, &m->now, i, part);
		}
	offer_permutation(s, whole);
}

/* What `to` has at this place; -1: nothing, or a part of another prime or not of `among`. */
static int wanted(const sw_moves *m, int dim, int place, uint64_t among)
{
	int part = place < m->to.length[dim] ? m->to.at[dim][place] : -1;

	if (part < 0 || (among >> part & 1) == 0 || m->factor_of[part] != m->factor_of[m->before.at[dim][place]])
		return -1;
	return part;
}

/* Puts parts of `among` where `to` has them and leaves the others; places that lose theirs get one that is left over. */
static void permute_among(sw_search *s, uint64_t among)
{
	sw_moves *m = &s->moves;
	uint64_t open[SW_MAX_DIMS] = {0};
	bool whole = true;

	m->now.used &= ~among;
	for (int i = 0; i < m->rank; i++)
		for (int k = 0; k < m->now.length[i]; k++) {
			int part = wanted(m, i, k, among);

			if ((among >> m->before.at[i][k] & 1) == 0)
				continue;
			if (part < 0)
				open[i] |= sw_part_bit(k);
			else
				m->now.used |= sw_part_bit(part);
			m->now.at[i][k] = part < 0 ? m->now.at[i][k] : (uint8_t)part;
		}
	for (int i = 0; i < m->rank; i++)
		for (uint64_t rest = open[i]; rest != 0 && whole; rest &= rest - 1) {
			int k = __builtin_ctzll(rest), own = m->before.at[i][k];
			int part = (m->now.used >> own & 1) == 0 ? own : free_part(s, m->factor_of[own], false);

			whole = part >= 0;
			if (!whole)
				break;
			m->now.at[i][k] = (uint8_t)part;
			m->now.used |= sw_part_bit(part);
		}
	offer_permutation(s, whole);
}

/* Where it matters which axes a step goes over also permutations over the quick ones only, one set after the other. */
static void permutations(sw_search *s)
{
	const double *over = s->seconds.over;
	int parts = s->moves.parts;

	if (!sw_search_allows(s, SW_ALLPERMUTE))
		return;
	permute_to_goal(s, false);
	if (!s->seconds.placed)
		return;
	permute_to_goal(s, true);
	for (int p = 0; p < parts && !s->moves.sums; p++) {
		uint64_t among = 0;
		bool first = true;

		for (int q = 0; q < parts; q++) {
			among |= over[q] <= over[p] ? sw_part_bit(q) : 0;
			first = first && (q >= p || over[q] < over[p] || over[q] > over[p]);
		}
		if (first)
			permute_among(s, among);
	}
}

/* Every one that there is. */
static void all_permutations(sw_search *s)
{
	if (sw_search_allows(s, SW_ALLPERMUTE))
		sw_moves_permutations(&s->moves);
}

const sw_policy sw_policy_seconds = {"states", false, false, true, init, price, bound, permutations, NULL};
const sw_policy sw_policy_seconds_all = {"states", false, false, true, init, price, bound, all_permutations, NULL};
