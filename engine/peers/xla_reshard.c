/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The patterns of XLA's partitioner and the order in which it tries them.
 *
 * A pattern may look at a part of the problem as a problem of its own: devices in groups, or one dimension as
 * two.  Such a frame knows how its tilings look from outside; steps are always recorded as the whole array sees
 * them.
 */
#include "peers/xla_reshard.h"

#include <string.h>

#include "peers/xla_padding.h"
#include "peers/xla_pairs.h"
#include "base/room.h"

/* One way of looking at a part of the problem. */
struct frame {
	const struct frame *outer; /* NULL: the problem itself */
	const sw_grouping *groups; /* NULL: dimensions `split` and `split` + 1 are one outside */
	int split;
	int64_t size[SW_TILING_DIMS]; /* of the array inside, along each dimension, as the problem pads it */
	int64_t real[SW_TILING_DIMS]; /* the same without that padding: XLA pads each end by itself */
};

/* What is being resharded. */
struct held {
	const struct frame *frame;
	sw_tiling tiling;
};

struct pattern;

struct run {
	sw_order_room *room;
	sw_xla_plan *plan;
	const struct pattern *pattern; /* the one being tried */
	int depth;
};

typedef enum outcome { PASSED, MATCHED, FAILED } outcome;

/* Of a family the first that matches decides: where it fails the others are not tried. */
struct pattern {
	const char *name;
	outcome (*attempt)(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate);
	int family;
	const char *why;
};

static outcome reshard(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate);

/* ---- steps ---- */

static int uneven_dimension(const struct held *h)
{
	for (int i = 0; i < h->tiling.rank; i++)
		if (h->frame->size[i] % h->tiling.tiles[i] != 0)
			return i;
	return -1;
}

/* Is a tile still a box where both dimensions are one? */
static bool is_box(const struct frame *f, const sw_tiling *t)
{
	return t->tiles[f->split + 1] == 1 || t->tiles[f->split] == f->size[f->split];
}

static void outside(struct run *r, const struct frame *f, const sw_tiling *inner, sw_xla_step *step)
{
	sw_tiling now = *inner, next;

	for (; f->outer != NULL; f = f->outer) {
		if (f->groups != NULL) {
			sw_tiling_ungroup(r->room, f->groups, &now, &next);
		} else {
			step->scattered = step->scattered || !is_box(f, &now);
			if (step->uneven > f->split)
				step->uneven--;
			sw_tiling_merge(&now, f->split, &next);
		}
		now = next;
	}
	step->after = now;
}

/* Along each dimension of a frame: the parts that are split off, seen from the frame around it. */
static void merge_parts(int64_t *parts, int rank, int dim)
{
	parts[dim] *= parts[dim + 1];
	memmove(parts + dim + 1, parts + dim + 2, (size_t)(rank - dim - 2) * sizeof *parts);
}

/* What the frames around `inner` say: where its dimensions lie, and what of them stays. */
static void note_frames(const struct frame *f, int rank, sw_xla_warning *warning)
{
	int64_t stays[SW_TILING_DIMS];
	int now = rank;

	for (int i = 0; i < rank; i++) {
		stays[i] = 1;
		warning->of[i] = i;
	}
	for (; f->outer != NULL; f = f->outer) {
		for (int i = 0; f->groups != NULL && i < now; i++)
			stays[i] *= f->groups->tiles[i];
		if (f->groups != NULL)
			continue;
		merge_parts(stays, now--, f->split);
		for (int i = 0; i < rank; i++)
			warning->of[i] -= warning->of[i] > f->split;
	}
	memcpy(warning->stays, stays, (size_t)now * sizeof *stays);
}

static void warn(struct run *r, const struct held *h, const sw_tiling *target)
{
	sw_xla_warning *warning = &r->plan->warning[r->plan->warnings];
	sw_xla_step whole = {0};

	r->plan->rematerializes = true;
	if (r->plan->warnings == SW_XLA_WARNINGS)
		return;
	r->plan->warnings++;
	warning->steps = r->plan->count;
	warning->from = h->tiling;
	warning->to = *target;
	memcpy(warning->size, h->frame->real, sizeof warning->size);
	note_frames(h->frame, h->tiling.rank, warning);
	outside(r, h->frame, &h->tiling, &whole);
	warning->now = whole.after;
}

static void record(struct run *r, struct held *h, sw_op op, const sw_tiling *after)
{
	sw_xla_step *step = &r->plan->step[r->plan->count];

	r->plan->received += sw_xla_received(h->frame->real, &h->tiling, after);
	h->tiling = *after;
	if (r->plan->count == SW_XLA_STEPS)
		return;
	*step =
		(sw_xla_step){.op = op, .pattern = r->pattern->name, .why = r->pattern->why, .uneven = uneven_dimension(h)};
	outside(r, h->frame, after, step);
	r->plan->count++;
}

static void permute(struct run *r, struct held *h, const sw_tiling *target)
{
	if (!sw_tiling_equal(&h->tiling, target))
		record(r, h, SW_ALLPERMUTE, target);
}

/* One gather a dimension, from the last to the first, until there are `tiles`. */
static void gather(struct run *r, struct held *h, const int64_t *tiles)
{
	sw_tiling next;

	r->plan->received += sw_xla_gathered(h->frame->real, &h->tiling, tiles);
	for (int i = h->tiling.rank - 1; i >= 0; i--) {
		if (h->tiling.tiles[i] == tiles[i])
			continue;
		sw_tiling_gather(r->room, &h->tiling, i, h->tiling.tiles[i] / tiles[i], &next);
		record(r, h, SW_ALLGATHER, &next);
	}
}

static void gather_all(struct run *r, struct held *h)
{
	int64_t one[SW_TILING_DIMS];

	for (int i = 0; i < h->tiling.rank; i++)
		one[i] = 1;
	gather(r, h, one);
}

/* ---- all-to-all ---- */

/* Pairs by ascending target whose sizes divide and that share no dimension: they can be one all-to-all. */
static unsigned mergeable(const struct held *h, const sw_tiling *target, const sw_xla_pairs *pairs)
{
	unsigned merged = 0, seen = 0;

	for (int k = 0; k < pairs->count; k++) {
		int from = pairs->pair[k].source, to = pairs->pair[k].target;

		if ((seen & (1u << from | 1u << to)) != 0 || h->frame->real[from] % h->tiling.tiles[from] != 0 ||
			h->frame->real[to] % target->tiles[to] != 0)
			continue;
		merged |= 1u << k;
		seen |= 1u << from | 1u << to;
	}
	return merged;
}

/* Can the pair change places?  Pairs are found one after the other; XLA merges them in another order, and then the
 * tiles of one need not divide those of the other: it ends in a failed check, or divides by 0. */
static bool divides(const sw_tiling *t, int source, int target)
{
	return t->tiles[source] % t->tiles[target] == 0;
}

/* The tiling after the pairs of a set, which leave `pairs`. */
static void exchange_pairs(struct run *r, sw_xla_pairs *pairs, unsigned set, sw_tiling *tiling)
{
	sw_xla_pairs rest = {0};
	sw_tiling next;

	for (int k = 0; k < pairs->count; k++) {
		if ((set >> k & 1) == 0) {
			SW_ROOM(rest.pair, rest.count);
			rest.pair[rest.count++] = pairs->pair[k];
			continue;
		}
		if (!divides(tiling, pairs->pair[k].source, pairs->pair[k].target)) {
			r->plan->crashes = true;
			return;
		}
		sw_tiling_exchange(r->room, tiling, pairs->pair[k].source, pairs->pair[k].target, &next);
		*tiling = next;
	}
	*pairs = rest;
}

/* All pairs at once as far as they do not meet; the next one alone where fewer than two can go together, or
 * after such a merged step. */
static void exchange(struct run *r, struct held *h, const sw_tiling *target, sw_xla_pairs pairs)
{
	bool merge = true;

	while (!r->plan->crashes && pairs.count > 0 && !sw_tiling_equal(&h->tiling, target)) {
		sw_xla_pairs sorted = pairs;
		sw_tiling next = h->tiling;
		unsigned set;

		sw_xla_pairs_sort(&sorted);
		set = merge ? mergeable(h, target, &sorted) : 0;
		if ((set & (set - 1)) != 0) {
			exchange_pairs(r, &sorted, set, &next);
			pairs = sorted;
			merge = false;
		} else {
			exchange_pairs(r, &pairs, 1, &next);
			merge = true;
		}
		if (!r->plan->crashes)
			record(r, h, SW_ALLTOALL, &next);
	}
	r->plan->crashes = r->plan->crashes || !sw_tiling_same_tiles(&h->tiling, target);
	if (!r->plan->crashes)
		permute(r, h, target);
}

/* ---- patterns, in the order of their trying ---- */

static outcome by_permute(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	(void)may_replicate;
	if (h->tiling.whole || target->whole || !sw_tiling_same_tiles(&h->tiling, target))
		return PASSED;
	permute(r, h, target);
	return MATCHED;
}

static outcome by_exchange(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_xla_pairs pairs;

	(void)may_replicate;
	if (!sw_xla_pairs_find(&h->tiling, target, &pairs))
		return PASSED;
	exchange(r, h, target, pairs);
	return MATCHED;
}

static outcome by_slice(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_tiling cut;

	(void)may_replicate;
	if (h->tiling.whole || target->whole || h->tiling.copies == 1)
		return PASSED;
	if (!sw_tiling_refine(r->room, &h->tiling, target, &cut))
		return PASSED;
	record(r, h, SW_DYNSLICE, &cut);
	permute(r, h, target);
	return MATCHED;
}

/* The tiles of `tile` stand one dimension further in `copied`, and the last of them are its copies: then `between`
 * has the tiles of `tile` but for that last dimension. */
static bool shifted(sw_order_room *room, const sw_tiling *tile, const sw_tiling *copied, sw_tiling *between)
{
	int64_t tiles[SW_TILING_DIMS];
	int last = tile->rank - 1;

	if (tile->whole || copied->whole || tile->copies != 1 || copied->copies == 1 || tile->rank != copied->rank ||
		copied->tiles[0] != 1)
		return false;
	while (tile->tiles[last] == 1)
		last--;
	for (int i = 0; i < tile->rank; i++) {
		tiles[i] = i == last ? 1 : tile->tiles[i];
		if (tile->tiles[i] != (i + 1 < tile->rank ? copied->tiles[i + 1] : copied->copies))
			return false;
	}
	if (tile->tiles[last] != copied->copies || !sw_order_equal(&tile->order, &copied->order))
		return false;
	sw_tiling_make(room, tile->rank, tiles, &tile->order, between);
	return true;
}

static outcome by_shift_from_copies(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_xla_pairs pairs;
	sw_tiling between;

	(void)may_replicate;
	if (!shifted(r->room, target, &h->tiling, &between) || !sw_xla_pairs_find(&h->tiling, &between, &pairs))
		return PASSED;
	exchange(r, h, &between, pairs);
	reshard(r, h, target, true);
	return MATCHED;
}

static outcome by_gather(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_tiling fine;

	(void)may_replicate;
	if (h->tiling.whole || target->whole || target->copies == 1)
		return PASSED;
	if (!sw_tiling_refine(r->room, target, &h->tiling, &fine))
		return PASSED;
	permute(r, h, &fine);
	gather(r, h, target->tiles);
	return MATCHED;
}

static outcome by_shift_to_copies(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_xla_pairs pairs;
	sw_tiling between;

	(void)may_replicate;
	if (!shifted(r->room, &h->tiling, target, &between))
		return PASSED;
	reshard(r, h, &between, true);
	if (!sw_xla_pairs_find(&h->tiling, target, &pairs))
		return PASSED;
	exchange(r, h, target, pairs);
	return MATCHED;
}

/* The dimension that one end cuts into a multiple of the tiles of the other, and how many these are; -1: none. */
static int split_dimension(const struct held *h, const sw_tiling *target, int64_t *major)
{
	const int64_t *from = h->tiling.tiles, *to = target->tiles;
	int rank = h->tiling.rank, wider = -1;

	for (int i = 0; i < rank; i++) {
		int64_t low = from[i] < to[i] ? from[i] : to[i], high = from[i] < to[i] ? to[i] : from[i];

		if (low == high || low == 1 || high % low != 0 || (h->frame->real[i] + low - 1) / low * low % high != 0)
			continue;
		*major = low;
		for (int j = 0; j < rank; j++)
			if (from[j] != to[j] && (from[j] == 1 || to[j] == 1) && from[i] * from[j] == to[i] * to[j])
				return i;
		if (wider < 0 && from[i] > to[i])
			wider = i;
	}
	if (wider >= 0)
		*major = to[wider];
	return wider;
}

static void split_size(const int64_t *outer, int rank, int dim, int64_t major, int64_t *inner)
{
	memcpy(inner, outer, (size_t)dim * sizeof *inner);
	memcpy(inner + dim + 1, outer + dim, (size_t)(rank - dim) * sizeof *inner);
	inner[dim] = major;
	inner[dim + 1] = (outer[dim] + major - 1) / major;
}

static void split_frame(const struct held *h, int dim, int64_t major, struct frame *f)
{
	f->outer = h->frame;
	f->groups = NULL;
	f->split = dim;
	split_size(h->frame->size, h->tiling.rank, dim, major, f->size);
	split_size(h->frame->real, h->tiling.rank, dim, major, f->real);
}

static outcome by_split(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	struct held inner;
	struct frame f;
	sw_tiling goal;
	int64_t major = 1;

	(void)may_replicate;
	if (h->tiling.whole || target->whole || h->tiling.copies != target->copies || h->tiling.rank >= SW_TILING_DIMS)
		return PASSED;
	int dim = split_dimension(h, target, &major);
	if (dim < 0)
		return PASSED;
	split_frame(h, dim, major, &f);
	inner.frame = &f;
	sw_tiling_split(&h->tiling, dim, major, &inner.tiling);
	sw_tiling_split(target, dim, major, &goal);
	reshard(r, &inner, &goal, false);
	if (!sw_tiling_equal(&inner.tiling, &goal))
		return FAILED;
	sw_tiling_merge(&inner.tiling, dim, &h->tiling);
	return reshard(r, h, target, false);
}

static outcome by_one_gather(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_tiling between;

	(void)may_replicate;
	if (h->tiling.whole || target->whole || target->copies == 1)
		return PASSED;
	for (int i = 0; i < h->tiling.rank; i++) {
		if (h->tiling.tiles[i] == 1 || h->tiling.tiles[i] * h->tiling.copies != target->copies)
			continue;
		sw_tiling_gather(r->room, &h->tiling, i, h->tiling.tiles[i], &between);
		reshard(r, h, &between, true);
		return reshard(r, h, target, false);
	}
	return PASSED;
}

static outcome by_cut_of_copies(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_tiling between;

	(void)may_replicate;
	if (h->tiling.whole || target->whole || h->tiling.copies == 1 || target->copies != 1)
		return PASSED;
	for (int i = 0; i < h->tiling.rank; i++) {
		if (target->tiles[i] == 1 || h->tiling.tiles[i] != 1 || target->tiles[i] % h->tiling.copies != 0)
			continue;
		sw_tiling_cut_copies(r->room, &h->tiling, i, &between);
		reshard(r, h, &between, true);
		return reshard(r, h, target, false);
	}
	return PASSED;
}

static outcome by_groups(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	sw_grouping groups, goal;
	struct frame f;
	struct held inner;
	unsigned dims = 0;

	(void)may_replicate;
	for (int i = 0; i < h->tiling.rank; i++)
		if (h->tiling.tiles[i] != 1 && h->tiling.tiles[i] == target->tiles[i])
			dims |= 1u << i;
	if (h->tiling.whole || target->whole || dims == 0)
		return PASSED;
	sw_tiling_group(r->room, &h->tiling, dims, &groups);
	sw_tiling_group(r->room, target, dims, &goal);
	sw_grouping_align(r->room, &goal, &groups);
	f = (struct frame){.outer = h->frame, .groups = &groups};
	for (int i = 0; i < h->tiling.rank; i++) {
		f.size[i] = (h->frame->size[i] + groups.tiles[i] - 1) / groups.tiles[i];
		f.real[i] = (h->frame->real[i] + groups.tiles[i] - 1) / groups.tiles[i];
	}
	inner = (struct held){&f, groups.inner};
	reshard(r, &inner, &goal.inner, true);
	sw_tiling_ungroup(r->room, &groups, &inner.tiling, &h->tiling);
	reshard(r, h, target, true);
	return MATCHED;
}

static outcome by_replication(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	if (!h->tiling.whole && !target->whole) {
		if (!may_replicate)
			return FAILED;
		warn(r, h, target);
	}
	gather_all(r, h);
	if (!target->whole)
		record(r, h, SW_DYNSLICE, target);
	return MATCHED;
}

static const struct pattern patterns[] = {
	{"permute", by_permute, 0, "Both ends have the same tiles; only their devices differ."},
	{"all-to-all", by_exchange, 0, "The numbers of tiles along the dimensions are the same, but in another order."},
	{"slice", by_slice, 0, "Copies of a tile are cut into smaller tiles; no dimension has fewer tiles than before."},
	{"shift from copies", by_shift_from_copies, 0,
		"The tiles move to the next dimension, and the first of them use up the copies."},
	{"gather", by_gather, 0, "Every number of tiles becomes a divisor of itself, and the devices get copies."},
	{"shift to copies", by_shift_to_copies, 0,
		"The tiles move to the next dimension, and the last of them become copies."},
	{"split dimension", by_split, 1,
		"A dimension has a multiple of its tiles at the other end; treated as two dimensions, one of them "
		"stays."},
	{"gather one dimension", by_one_gather, 1,
		"Gathering one dimension makes as many copies as are needed at the end."},
	{"cut the copies", by_cut_of_copies, 1, "All copies become tiles of a dimension that has none yet."},
	{"groups", by_groups, 2,
		"Dimensions with the same tiles at both ends stay; the rest is a smaller problem within their groups."},
	{"replicate", by_replication, 3, "No pattern is left: every device gets the whole array and takes its tile."},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns, DEEPEST = 48 };

/* Tries one pattern; what it recorded before it failed is forgotten. */
static outcome attempt(struct run *r, const struct pattern *p, struct held *h, const sw_tiling *target,
	bool may_replicate)
{
	const struct pattern *outer = r->pattern;
	struct held before = *h;
	int count = r->plan->count;
	double received = r->plan->received;
	outcome result;

	r->pattern = p;
	result = p->attempt(r, h, target, may_replicate);
	r->pattern = outer;
	if (result == MATCHED || r->plan->crashes)
		return result;
	*h = before;
	r->plan->count = count;
	r->plan->received = received;
	return result;
}

/* FAILED: `h` is as before, because replication was not allowed. */
static outcome reshard(struct run *r, struct held *h, const sw_tiling *target, bool may_replicate)
{
	int failed = 0;

	if (sw_tiling_equal(&h->tiling, target) || r->plan->crashes)
		return MATCHED;
	if (r->depth == DEEPEST)
		return FAILED;
	r->depth++;
	for (int k = 0; k < PATTERNS; k++) {
		if (failed > 0 && patterns[k].family == failed)
			continue;
		outcome result = attempt(r, &patterns[k], h, target, may_replicate);

		if (result == MATCHED || r->plan->crashes)
			break;
		if (result == FAILED)
			failed = patterns[k].family;
	}
	r->depth--;
	return r->plan->crashes || sw_tiling_equal(&h->tiling, target) ? MATCHED : FAILED;
}

void sw_xla_reshard(sw_order_room *room, const sw_problem *problem, sw_xla_plan *plan)
{
	sw_xla_reshard_on(room, problem, NULL, NULL, plan);
}

/* The tiling of a type whose places are these devices. */
static void tiling_on(sw_order_room *room, const sw_problem *problem, const sw_type *type, const int64_t *devices,
	sw_tiling *out)
{
	sw_order order, composed;

	sw_tiling_of_type(room, &problem->mesh, type, out);
	if (devices == NULL)
		return;
	sw_order_of_list(room, devices, problem->mesh.devices, &order);
	sw_order_compose(room, &order, &out->order, &composed);
	sw_tiling_make(room, out->rank, out->tiles, &composed, out);
}

static void reshard_whole(sw_order_room *room, const struct frame *whole, const sw_tiling *from, const sw_tiling *to,
	sw_xla_plan *plan)
{
	struct run r = {.room = room, .plan = plan};
	struct held h = {.frame = whole, .tiling = *from};

	plan->count = plan->warnings = 0;
	plan->rematerializes = plan->crashes = false;
	plan->received = 0;
	plan->complete = reshard(&r, &h, to, true) == MATCHED && plan->count < SW_XLA_STEPS;
}

void sw_xla_reshard_tilings(sw_order_room *room, const int64_t *size, const sw_tiling *from, const sw_tiling *to,
	sw_xla_plan *plan)
{
	struct frame whole = {0};

	memcpy(whole.size, size, (size_t)from->rank * sizeof *whole.size);
	memcpy(whole.real, size, (size_t)from->rank * sizeof *whole.real);
	reshard_whole(room, &whole, from, to, plan);
}

void sw_xla_reshard_on(sw_order_room *room, const sw_problem *problem, const int64_t *before, const int64_t *after,
	sw_xla_plan *plan)
{
	struct frame whole = {0};
	sw_tiling from, to;

	memcpy(whole.size, problem->from.global, (size_t)problem->from.rank * sizeof *whole.size);
	sw_type_real(&problem->from, whole.real);
	tiling_on(room, problem, &problem->from, before, &from);
	tiling_on(room, problem, &problem->to, after, &to);
	reshard_whole(room, &whole, &from, &to, plan);
}
