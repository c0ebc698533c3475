/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps on pieces, derived again: from the pieces that devices have before a step, and its groups, which they have to have after it.
 *
 * A piece is taken by itself: who of a group has it, and of which terms it is the sum there.
 */
#include "plan/check_pieces.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/pieces.h>

#include "array/parts.h"
#include "plan/tile_numbers.h"

struct state {
	sw_piece_check *check;
	const sw_step *step;
	const sw_value *before, *after;
	const sw_type *type;   /* the last one: terms are counted by it */
	const sw_type *summed; /* before all steps that pass on what is summed: groups stay within its sums */
	int64_t devices, size;
	int count, words;
	uint64_t *had, *has; /* bits of terms: devices x count x words */
	uint64_t *sum;       /* of a piece */
};

static uint64_t *at(const struct state *s, uint64_t *bits, int64_t device, int piece)
{
	return bits + (device * s->count + piece) * s->words;
}

static bool is_there(const struct state *s, const uint64_t *terms)
{
	for (int w = 0; w < s->words; w++)
		if (terms[w] != 0)
			return true;
	return false;
}

static int held(const struct state *s, uint64_t *bits, int64_t device)
{
	int count = 0;

	for (int p = 0; p < s->count; p++)
		count += is_there(s, at(s, bits, device, p));
	return count;
}

/* ---- before ---- */

static bool begin(struct state *s)
{
	const sw_pieces *pieces = s->before->pieces != NULL ? s->before->pieces : s->after->pieces;

	s->count = pieces != NULL ? pieces->count : 1; /* whole tiles are one piece */
	s->words = (int)((sw_type_terms(s->type) + 63) / 64);
	int64_t all = s->devices * s->count * s->words;
	s->had = SW_NEW_ZERO(s->check->arena, uint64_t, all);
	s->has = SW_NEW_ZERO(s->check->arena, uint64_t, all);
	s->sum = SW_NEW_ZERO(s->check->arena, uint64_t, s->words);
	if (s->had == NULL || s->has == NULL || s->sum == NULL)
		return false;
	for (int64_t d = 0; d < s->devices; d++) {
		int64_t term = sw_type_term(&s->check->plan->problem.mesh, s->type, d);

		if (s->before->pieces != NULL)
			sw_pieces_get(s->before->pieces, d, at(s, s->had, d, 0));
		for (int p = 0; s->before->pieces == NULL && p < s->count; p++)
			at(s, s->had, d, p)[term / 64] = (uint64_t)1 << term % 64;
	}
	memcpy(s->has, s->had, sizeof *s->has * (size_t)all);
	return true;
}

/* Are pieces counted alike on both sides, and tiles of one size? */
static bool fits(const struct state *s)
{
	const sw_pieces *b = s->before->pieces, *a = s->after->pieces;
	int64_t terms = sw_type_terms(s->type);

	return (b == NULL || (b->terms == terms && b->devices == s->devices)) &&
		(a == NULL || (a->terms == terms && a->devices == s->devices)) &&
		(a == NULL || b == NULL || a->count == b->count) && (b != NULL || s->before->type != NULL) &&
		(a != NULL || s->after->type != NULL) &&
		memcmp(s->before->tile, s->after->tile, sizeof *s->after->tile * (size_t)s->type->rank) == 0;
}

/* Do two devices differ only along what is summed?  The others have values of their own, also where these are copies. */
static bool same_sum(const struct state *s, int64_t a, int64_t b)
{
	const sw_mesh *mesh = &s->check->plan->problem.mesh;
	sw_part part[SW_MAX_PARTS];
	int count = sw_type_sums(s->summed, part);
	int64_t apart = a - b;

	for (int p = 0; p < count; p++) {
		int64_t stride = sw_part_stride(mesh, part[p]), size = part[p].size;

		apart -= (a / stride % size - b / stride % size) * stride;
	}
	return apart == 0;
}

/* Groups of one size, each of one sum; a device is in one at most. */
static bool groups_hold(const struct state *s)
{
	const sw_step *step = s->step;
	bool *seen = SW_NEW_ZERO(s->check->arena, bool, s->devices);

	if (seen == NULL || step->groups == NULL || step->group_size < 2 || step->grouped < step->group_size ||
		step->grouped > s->devices || step->grouped % step->group_size != 0)
		return false;
	for (int64_t n = 0; n < step->grouped; n++) {
		int32_t d = step->groups[n];

		if (d < 0 || d >= s->devices || seen[d] || !same_sum(s, d, step->groups[n - n % step->group_size]))
			return false;
		seen[d] = true;
	}
	return true;
}

/* ---- a group ---- */

/* Adds what the members have of a piece, in s->sum; how many have it, or -1 where a term comes twice. */
static int64_t add_piece(struct state *s, const int32_t *member, int piece)
{
	int64_t holders = 0;

	memset(s->sum, 0, sizeof *s->sum * (size_t)s->words);
	for (int64_t m = 0; m < s->step->group_size; m++) {
		const uint64_t *own = at(s, s->had, member[m], piece);

		holders += is_there(s, own);
		for (int w = 0; w < s->words; w++) {
			if ((s->sum[w] & own[w]) != 0)
				return -1;
			s->sum[w] |= own[w];
		}
	}
	return holders;
}

/* Member m gets the sum of a piece, or nothing of it. */
static void put(const struct state *s, int32_t device, int piece, bool gets)
{
	uint64_t *own = at(s, s->has, device, piece);

	for (int w = 0; w < s->words; w++)
		own[w] = gets ? s->sum[w] : 0;
}

static bool add_group(struct state *s, const int32_t *member)
{
	int64_t size = s->step->group_size, all = held(s, s->had, member[0]), nth = 0;
	sw_piece_rule rule = s->check->rule;

	if (all == 0 || (rule == SW_PIECES_ADD_SHARE && all % size != 0))
		return false;
	for (int p = 0; p < s->count; p++) {
		int64_t holders = add_piece(s, member, p);

		if (holders != 0 && holders != size)
			return false;
		int64_t keeper = rule == SW_PIECES_ADD_SHARE ? nth / (all / size) : rule == SW_PIECES_ADD_FIRST ? 0 : -1;
		for (int64_t m = 0; m < size; m++)
			put(s, member[m], p, keeper < 0 || keeper == m);
		nth += holders > 0;
	}
	return true;
}

static bool join_group(struct state *s, const int32_t *member)
{
	int64_t size = s->step->group_size, each = held(s, s->had, member[0]);

	for (int64_t m = 0; m < size; m++)
		if (each == 0 || held(s, s->had, member[m]) != each)
			return false;
	for (int p = 0; p < s->count; p++) {
		int64_t holders = 0;

		for (int64_t m = 0; m < size; m++)
			holders += is_there(s, at(s, s->had, member[m], p));
		if (holders > 1)
			return false;
		add_piece(s, member, p);
		for (int64_t m = 0; m < size; m++)
			put(s, member[m], p, true);
	}
	return true;
}

static bool copy_group(struct state *s, const int32_t *member)
{
	int64_t words = (int64_t)s->count * s->words;
	bool more = false;

	for (int64_t m = 1; m < s->step->group_size; m++) {
		const uint64_t *first = at(s, s->had, member[0], 0), *own = at(s, s->had, member[m], 0);

		for (int64_t w = 0; w < words; w++) {
			if ((own[w] & ~first[w]) != 0)
				return false;
			more = more || (first[w] & ~own[w]) != 0;
		}
		memcpy(at(s, s->has, member[m], 0), first, sizeof *first * (size_t)words);
	}
	return more;
}

static bool do_groups(struct state *s)
{
	for (int64_t n = 0; n < s->step->grouped; n += s->step->group_size) {
		const int32_t *member = s->step->groups + n;
		bool done = s->check->rule == SW_PIECES_JOIN ? join_group(s, member) :
			s->check->rule == SW_PIECES_COPY         ? copy_group(s, member) :
													   add_group(s, member);
		if (!done)
			return false;
	}
	return true;
}

/* ---- after ---- */

/* Has every device every piece, with the terms that make up its own by the type? */
static bool is_type(const struct state *s)
{
	const sw_mesh *mesh = &s->check->plan->problem.mesh;
	int64_t terms = sw_type_terms(s->type);
	int32_t *join = SW_NEW(s->check->arena, int32_t, terms);

	if (join == NULL)
		return false;
	sw_terms_join(mesh, s->type, s->after->type, join);
	for (int64_t d = 0; d < s->devices; d++)
		for (int p = 0; p < s->count; p++)
			for (int64_t t = 0; t < terms; t++)
				if ((at(s, s->has, d, p)[t / 64] >> t % 64 & 1) != (join[t] == sw_type_term(mesh, s->after->type, d)))
					return false;
	return true;
}

static bool same_places(const struct state *s)
{
	const sw_mesh *mesh = &s->check->plan->problem.mesh;
	int64_t one[SW_MAX_DIMS], other[SW_MAX_DIMS];
	bool same = true;

	for (int64_t d = 0; same && d < s->devices; d++) {
		sw_type_offset(mesh, s->type, d, one);
		sw_type_offset(mesh, s->after->type, d, other);
		same = memcmp(one, other, sizeof *one * (size_t)s->type->rank) == 0;
	}
	return same;
}

static bool is_after(const struct state *s)
{
	if (s->after->type != NULL)
		return same_places(s) && is_type(s);
	for (int64_t d = 0; d < s->devices; d++)
		for (int p = 0; p < s->count; p++)
			if (memcmp(at(s, s->has, d, p), sw_pieces_terms(s->after->pieces, d, p),
					sizeof *s->has * (size_t)s->words) != 0)
				return false;
	return true;
}

/* Elements of so many pieces, the larger ones counted. */
static int64_t size_of(const struct state *s, int64_t pieces)
{
	return s->size / s->count * pieces + (s->size % s->count * pieces + s->count - 1) / s->count;
}

static void measure(const struct state *s)
{
	sw_piece_check *check = s->check;

	for (int64_t n = 0; n < s->step->grouped; n += s->step->group_size) {
		int64_t before = 0, after = 0;

		for (int64_t m = n; m < n + s->step->group_size; m++) {
			before = sw_larger(before, held(s, s->had, s->step->groups[m]));
			after = sw_larger(after, held(s, s->has, s->step->groups[m]));
		}
		check->cost = sw_larger(check->cost,
			check->cost_before * size_of(s, before) + check->cost_after * size_of(s, after));
	}
	for (int64_t d = 0; d < s->devices; d++) {
		int64_t now = size_of(s, held(s, s->has, d));

		check->most = sw_larger(check->most, now);
		check->live = sw_larger(check->live, now + size_of(s, held(s, s->had, d)));
	}
}

const char *sw_check_pieces(sw_piece_check *check, const char **field)
{
	assert(check->k >= 0 && check->k < check->plan->program.steps);
	const sw_plan *plan = check->plan;
	struct state s = {.check = check,
		.step = &plan->program.step[check->k],
		.before = &plan->program.value[check->k],
		.after = &plan->program.value[check->k + 1],
		.type = sw_plan_sums_before(plan, check->k),
		.summed = sw_plan_sums_before(plan, check->k),
		.devices = plan->problem.mesh.devices,
		.size = 1};

	for (int k = check->k; k >= 0 && plan->program.step[k].passing != SW_PASSES_AT_ONCE; k--)
		s.summed = sw_plan_sums_before(plan, k);
	check->most = check->cost = check->live = 0;
	check->code = SW_P05;
	for (int i = 0; i < s.type->rank; i++)
		s.size *= s.before->tile[i];
	*field = "op";
	if (check->rule == SW_PIECES_NEVER || s.step->gathers > 0 || s.step->splits > 0)
		return "it works on whole tiles, and devices have pieces of them";
	*field = "type";
	check->code = SW_P03;
	if (!fits(&s))
		return "what devices have before and after is not pieces of the same tiles";
	check->code = SW_P05;
	*field = NULL;
	if (!begin(&s))
		return "";
	*field = "groups";
	if (!groups_hold(&s))
		return "its groups are not of two or more devices of one sum each, all of one size";
	if (!do_groups(&s))
		return "the devices of a group do not have its input";
	*field = s.after->type != NULL ? "type" : "groups";
	check->code = s.after->type != NULL ? SW_P03 : SW_P05;
	if (!is_after(&s))
		return s.after->type != NULL ? "the devices do not hold the sums of its type" :
									   "the devices have other pieces than its groups make";
	measure(&s);
	return NULL;
}
