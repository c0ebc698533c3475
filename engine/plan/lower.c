/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering to types: paths over layouts, and over local types as far as layouts can express them.
 */
#include "plan/lower.h"

#include <string.h>

#include "plan/lower_map.h"
#include "search/draft.h"
#include "step/row.h"

void sw_lower_path(sw_lowering *l, const sw_layout_path *path)
{
	for (int k = 0; k < path->count && !l->failed; k++)
		if (k + 1 < path->count)
			sw_lower_to_layout(l, path->step[k].op, &l->space->factors, &path->step[k].layout);
		else
			sw_lower_to_type(l, path->step[k].op, &l->space->problem->to);
}

/* ---- moving a layout to another local type ---- */

/* Takes the innermost parts of one dimension whose product is `factor`; false where there are none such. */
static bool pop_factor(const sw_prime_parts *factors, sw_layout_draft *draft, int dim, int64_t factor,
	uint64_t *popped)
{
	while (factor > 1) {
		if (draft->length[dim] == 0)
			return false;
		int part = sw_draft_pop(draft, dim);
		if (factor % factors->at[part].prime != 0)
			return false;
		factor /= factors->at[part].prime;
		*popped |= sw_part_bit(part);
	}
	return true;
}

/* The part of the pool to put next: the one that `like` has at this index, else the lowest that divides. */
static int choose_part(const sw_prime_parts *factors, const sw_layout_draft *draft, int dim, int64_t factor,
	uint64_t pool, const sw_layout_draft *like)
{
	int best = -1;

	if (like != NULL && draft->length[dim] < like->length[dim]) {
		int wanted = like->at[dim][draft->length[dim]];

		if ((pool & sw_part_bit(wanted)) != 0 && factor % factors->at[wanted].prime == 0)
			return wanted;
	}
	for (; pool != 0; pool &= pool - 1) {
		int part = __builtin_ctzll(pool);

		if (factor % factors->at[part].prime != 0)
			continue;
		if (like == NULL || (like->used & sw_part_bit(part)) == 0)
			return part;
		if (best < 0)
			best = part;
	}
	return best;
}

/* Puts parts of product `factor` of the pool onto one dimension. */
static bool push_factor(const sw_prime_parts *factors, sw_layout_draft *draft, int dim, int64_t factor,
	uint64_t *pool, const sw_layout_draft *like)
{
	while (factor > 1) {
		int part = choose_part(factors, draft, dim, factor, *pool, like);

		if (part < 0)
			return false;
		sw_draft_push(draft, dim, part);
		*pool &= ~sw_part_bit(part);
		factor /= factors->at[part].prime;
	}
	return true;
}

/* Brings `draft` from one local type to another: innermost parts leave where the tile grows; where it shrinks popped
 * parts arrive, or where nothing was popped unused ones.  `like` is what one would like to see.  false where the
 * parts at the minor end do not make up a factor. */
static bool shift_draft(const sw_lowering *l, const sw_prime_parts *factors, sw_layout_draft *draft,
	const int64_t *before, const int64_t *after, const sw_layout_draft *like)
{
	uint64_t popped = 0;

	for (int i = 0; i < l->space->rank; i++)
		if (after[i] > before[i] && !pop_factor(factors, draft, i, after[i] / before[i], &popped))
			return false;
	uint64_t pool = popped != 0 ? popped : sw_part_bits(factors->count) & ~draft->used;
	for (int i = 0; i < l->space->rank; i++)
		if (after[i] < before[i] && !push_factor(factors, draft, i, before[i] / after[i], &pool, like))
			return false;
	return true;
}

/* ---- paths over local types ---- */

/* A path while it is lowered: state k is that after k steps, the permutation left out. */
struct walk {
	sw_lowering *l;
	const sw_layout_path *path;
	int count; /* steps without the permutation */
	const sw_layout_step **step;
	int permute;                   /* steps before the permutation of the path; -1: none */
	bool free_place;               /* it may stand anywhere among steps of its size */
	int forward;                   /* layouts are known up to this state */
	int backward;                  /* and from this state on, seen from the end */
	sw_layout_draft *ahead, *back; /* count + 1 of each */
};

static const int64_t *tile_at(const struct walk *w, int state)
{
	return state == 0 ? w->l->space->problem->from.tile : w->step[state - 1]->tile;
}

static bool walk_init(struct walk *w, sw_lowering *l, const sw_layout_path *path)
{
	w->step = SW_NEW(l->arena, const sw_layout_step *, path->count);
	if (w->step == NULL)
		return false;
	w->l = l;
	w->path = path;
	w->count = 0;
	w->permute = -1;
	for (int k = 0; k < path->count; k++)
		if (sw_row(path->step[k].op)->among == SW_AMONG_PAIRS)
			w->permute = w->count;
		else
			w->step[w->count++] = &path->step[k];
	w->ahead = SW_NEW(l->arena, sw_layout_draft, w->count + 1);
	w->back = SW_NEW(l->arena, sw_layout_draft, w->count + 1);
	return w->ahead != NULL && w->back != NULL;
}

/* Follows layouts from `from` on as far as they go. */
static void walk_ahead(struct walk *w)
{
	const sw_space *space = w->l->space;
	sw_layout_draft like;

	sw_draft_read(&like, &space->to, space->rank);
	sw_draft_read(&w->ahead[0], &space->from, space->rank);
	for (w->forward = 0; w->forward < w->count; w->forward++) {
		sw_layout_draft *next = &w->ahead[w->forward + 1];

		sw_draft_copy(next, &w->ahead[w->forward], space->rank);
		if (!shift_draft(w->l, &space->factors, next, tile_at(w, w->forward), tile_at(w, w->forward + 1),
				space->one_order ? &like : NULL))
			return;
	}
}

/* The layout from which the gathers home lead to `to`, and layouts before it as far as they go.  Where the layouts
 * from the start are known they are liked. */
static void walk_back(struct walk *w)
{
	const sw_space *space = w->l->space;
	bool known = space->one_order && w->forward == w->count;

	w->backward = w->count;
	sw_draft_read(&w->back[w->count], &space->to, space->rank);
	shift_draft(w->l, &space->to_factors, &w->back[w->count], space->problem->to.tile, tile_at(w, w->count),
		known ? &w->ahead[w->count] : NULL);
	for (int k = w->count - 1; k >= 0 && sw_swaps(w->step[k]->op); k--) {
		sw_draft_copy(&w->back[k], &w->back[k + 1], space->rank);
		if (!shift_draft(w->l, &space->to_factors, &w->back[k], tile_at(w, k + 1), tile_at(w, k),
				space->one_order && w->forward >= k ? &w->ahead[k] : NULL))
			return;
		w->backward = k;
	}
}

/* Does state `ahead` lead home by gathers alone? */
static bool leads_home(const struct walk *w)
{
	const sw_space *space = w->l->space;
	sw_layout layout;

	if (!space->one_order || w->forward < w->count)
		return false;
	sw_draft_write(&w->ahead[w->count], space->rank, &layout);
	return sw_layout_extends(&layout, &space->to, space->rank);
}

static void emit_draft(sw_lowering *l, sw_op op, const sw_prime_parts *factors, const sw_layout_draft *draft)
{
	sw_layout layout;

	sw_draft_write(draft, l->space->rank, &layout);
	sw_lower_to_layout(l, op, factors, &layout);
}

static int64_t size_of(const struct walk *w, int state)
{
	int64_t size = 1;

	for (int i = 0; i < w->l->space->rank; i++)
		size *= tile_at(w, state)[i];
	return size;
}

/* The last position for the permutation where both sides are layouts; -1 where there is none. */
static int place_permute(const struct walk *w)
{
	for (int k = w->forward; k >= w->backward; k--)
		if (w->permute < 0 ? size_of(w, k) == size_of(w, w->count) : size_of(w, k) == size_of(w, w->permute))
			return k;
	return -1;
}

static void type_of_draft(const struct walk *w, const sw_prime_parts *factors, const sw_layout_draft *draft,
	sw_type *type)
{
	const sw_problem *problem = w->l->space->problem;
	sw_layout layout;

	sw_draft_write(draft, w->l->space->rank, &layout);
	sw_prime_parts_join(&problem->mesh, factors, &problem->to, layout.order, layout.first, type);
}

/* The last state whose two layouts put every tile on the same devices; -1 where there is none. */
static int place_meeting(const struct walk *w)
{
	const sw_space *space = w->l->space;
	sw_type ahead, back;

	for (int k = w->forward; k >= w->backward; k--) {
		type_of_draft(w, &space->factors, &w->ahead[k], &ahead);
		type_of_draft(w, &space->to_factors, &w->back[k], &back);
		if (sw_type_same_map(&space->problem->mesh, &ahead, &back))
			return k;
	}
	return -1;
}

/* The layouts from `from` up to state `change`, those from `to` after it; in between a permutation where one is
 * needed. */
static void emit_layouts(struct walk *w, int change, bool permute)
{
	const sw_space *space = w->l->space;

	for (int k = 0; k <= w->count; k++) {
		if (k == change && permute)
			emit_draft(w->l, SW_ALLPERMUTE, &space->to_factors, &w->back[k]);
		if (k == w->count)
			break;
		if (k < change)
			emit_draft(w->l, w->step[k]->op, &space->factors, &w->ahead[k + 1]);
		else
			emit_draft(w->l, w->step[k]->op, &space->to_factors, &w->back[k + 1]);
	}
}

/* Maps from the first state on that no layout expresses, and a permutation at their end where it is needed. */
static bool emit_maps(struct walk *w)
{
	const sw_space *space = w->l->space;
	int known = w->forward < w->count ? w->forward : 0;

	if (space->problem->mesh.devices > SW_MAX_MAP_DEVICES)
		return false;
	for (int k = 0; k < known; k++)
		emit_draft(w->l, w->step[k]->op, &space->factors, &w->ahead[k + 1]);
	for (int k = known; k < w->count; k++)
		if (!sw_lower_to_map(w->l, w->step[k]->op, w->step[k]->tile))
			return false;
	if (!sw_lower_map_leads_home(w->l))
		emit_draft(w->l, SW_ALLPERMUTE, &space->to_factors, &w->back[w->count]);
	return true;
}

/* The gathers home, one a dimension in the order asked for; maps where the step before has one. */
static bool emit_home(sw_lowering *l, bool multi_dim, const int64_t *home, int homes)
{
	const sw_space *space = l->space;
	int64_t tile[SW_MAX_DIMS];

	memcpy(tile, l->plan->program.value[l->plan->program.steps].tile, sizeof tile);
	for (;;) {
		int64_t least = INT64_MAX;
		int chosen = -1, open = 0;

		for (int i = 0; i < space->rank; i++) {
			int64_t factor = space->problem->to.tile[i] / tile[i];
			int64_t rank = homes > 0 ? home[i] : factor;

			open += factor > 1;
			if (factor > 1 && rank < least) {
				least = rank;
				chosen = i;
			}
		}
		if (open == 0)
			return true;
		if (multi_dim || open == 1) {
			sw_lower_to_type(l, SW_ALLGATHER, &space->problem->to);
			return true;
		}
		tile[chosen] = space->problem->to.tile[chosen];
		if (!sw_lower_gather_one(l, chosen, tile))
			return false;
	}
}

bool sw_lower_local(sw_lowering *l, const sw_layout_path *path, bool multi_dim, const int64_t *home, int homes)
{
	struct walk w;
	int change;

	if (!walk_init(&w, l, path))
		return false;
	walk_ahead(&w);
	walk_back(&w);
	if (leads_home(&w))
		emit_layouts(&w, w.count, false);
	else if ((change = place_meeting(&w)) >= 0)
		emit_layouts(&w, change, false);
	else if ((change = place_permute(&w)) >= 0)
		emit_layouts(&w, change, true);
	else if (!emit_maps(&w))
		return false;
	return emit_home(l, multi_dim, home, homes) && !l->failed;
}
