/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardy's rounds.  What is left to do is kept as a difference: for every dimension the axes that it has and should
 * not have there (`in`), and the axes that it should have there and has not (`out`), without what both ends share
 * at the major end.
 *
 * A capacity says how often a dimension may still be cut in the step that is being made.
 */
#include "peers/shardy_reshard.h"

#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "peers/shardy_parts.h"
#include "base/room.h"
#include "step/row.h"

/* Where a part is wanted. */
struct wanted {
	sw_part part;
	int dim, index;
};

struct pass {
	sw_arena *arena;
	const sw_problem *problem;
	sw_shardy_plan *plan;
	int rank;
	sw_part_list in[SW_MAX_DIMS], out[SW_MAX_DIMS];
	sw_part_list now[SW_MAX_DIMS]; /* what a dimension has, with what both ends share */
	sw_part_list placed;           /* all parts of `in` */
	int64_t capacity[SW_MAX_DIMS];
	int wants;
	struct wanted want[SW_MAX_PARTS];
};

/* ---- why a step is there ---- */

typedef enum pattern {
	SLICE,
	SLICE_AT_SOURCE,
	SLICE_ELSEWHERE,
	REPLACE_FRONT,
	REPLACE_AXIS,
	REORDER,
	GATHER_LAST,
	IN_ORDER,
	OUT_OF_ORDER,
	GATHER
} pattern;

static const struct {
	const char *name, *why;
} patterns[] = {
	[SLICE] = {"slice", "axes that are free and wanted cut the dimension that wants them"},
	[SLICE_AT_SOURCE] = {"slice at the source",
		"the wanted axes follow one that an all-to-all will move: cut at its present place, so that they move "
		"along"},
	[SLICE_ELSEWHERE] = {"slice elsewhere",
		"a dimension that must be cut further is cut by an axis that another dimension wants, to be moved "
		"afterwards"},
	[REPLACE_FRONT] = {"replace at the front",
		"a dimension has axes it should not have and lacks others: the first ones are swapped"},
	[REPLACE_AXIS] = {"replace an axis", "an axis that must leave is swapped with one that is wanted"},
	[REORDER] = {"reorder for an all-to-all",
		"axes for one dimension are apart or in a different order: they are brought together"},
	[GATHER_LAST] = {"gather last",
		"an axis to be gathered follows one to be moved: it moves to the front to be gathered afterwards"},
	[IN_ORDER] = {"all-to-all in order", "the minor axes move to the place where they are wanted"},
	[OUT_OF_ORDER] = {"all-to-all out of order",
		"the minor axes move to the dimension that wants them, not yet in place"},
	[GATHER] = {"gather",
		"a dimension whose last axis is not wanted is gathered as far as it must change, all dimensions at once"},
};

/* ---- steps ---- */

static bool refuse(struct pass *p, sw_shardy_end end, sw_op op, pattern why)
{
	p->plan->end = end;
	p->plan->stopped.op = op;
	p->plan->stopped.pattern = patterns[why].name;
	return false;
}

/* Is every dimension cut as the step has to, and evenly? */
static bool cut_well(struct pass *p, sw_op op, pattern why)
{
	const sw_type *before = p->plan->last != NULL ? p->plan->last->type : &p->problem->from;

	for (int i = 0; i < p->rank; i++) {
		int64_t tiles = sw_shardy_parts_size(&p->now[i]), size = before->global[i];

		p->plan->stopped.dim = i;
		p->plan->stopped.tiles = tiles;
		if (sw_row(op)->among == SW_AMONG_PAIRS && tiles * before->tile[i] != size)
			return refuse(p, SW_SHARDY_RESIZES, op, why);
		if (size % tiles != 0)
			return refuse(p, SW_SHARDY_UNEVEN, op, why);
	}
	return true;
}

/* The type of what the dimensions have now. */
static bool type_now(const struct pass *p, sw_type *type)
{
	sw_part minor_first[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], total = 0;

	*type = p->problem->to;
	for (int i = 0; i < p->rank; i++) {
		count[i] = p->now[i].count;
		for (int k = count[i] - 1; k >= 0; k--) {
			SW_ROOM(minor_first, total);
			minor_first[total++] = p->now[i].at[k];
		}
	}
	return sw_type_partition(&p->problem->mesh, type, count, minor_first, NULL);
}

/* Appends the step that led here.  false: the pass ends. */
static bool record(struct pass *p, sw_op op, pattern why)
{
	sw_shardy_step *step = SW_NEW(p->arena, sw_shardy_step, 1);
	sw_type *type = SW_NEW(p->arena, sw_type, 1);

	if (step == NULL || type == NULL)
		return refuse(p, SW_SHARDY_MEMORY, op, why);
	if (!cut_well(p, op, why))
		return false;
	if (!type_now(p, type))
		return refuse(p, SW_SHARDY_CLASH, op, why);
	*step = (sw_shardy_step){op, type, patterns[why].name, patterns[why].why, NULL};
	if (p->plan->last != NULL)
		p->plan->last->next = step;
	else
		p->plan->first = step;
	p->plan->last = step;
	p->plan->count++;
	return true;
}

/* ---- the difference ---- */

static bool done(const struct pass *p)
{
	for (int i = 0; i < p->rank; i++)
		if (p->in[i].count > 0 || p->out[i].count > 0)
			return false;
	return true;
}

static bool is_placed(const struct pass *p, sw_part part)
{
	return sw_shardy_parts_find(&p->placed, part) >= 0;
}

static void forget_placed(struct pass *p, sw_part part)
{
	int at = sw_shardy_parts_find(&p->placed, part);

	if (at >= 0)
		sw_shardy_parts_remove(&p->placed, at);
}

static void remember_placed(struct pass *p, sw_part part)
{
	if (!is_placed(p, part))
		sw_shardy_parts_push(&p->placed, part);
}

static const struct wanted *wanted(const struct pass *p, sw_part part)
{
	for (int k = 0; k < p->wants; k++)
		if (sw_part_same(p->want[k].part, part))
			return &p->want[k];
	return NULL;
}

static void note_wants(struct pass *p)
{
	p->wants = 0;
	for (int i = 0; i < p->rank; i++)
		for (int k = 0; k < p->out[i].count; k++) {
			SW_ROOM(p->want, p->wants);
			p->want[p->wants++] = (struct wanted){p->out[i].at[k], i, k};
		}
}

static void read_type(const sw_type *type, sw_part_list *lists)
{
	for (int i = 0; i < type->rank; i++) {
		lists[i].count = 0;
		for (int k = type->first[i + 1] - 1; k >= type->first[i]; k--)
			sw_shardy_parts_push(&lists[i], sw_type_part(type, k));
	}
}

static void collect(const sw_part_list *lists, int rank, sw_part_list *all)
{
	all->count = 0;
	for (int i = 0; i < rank; i++)
		for (int k = 0; k < lists[i].count; k++)
			sw_shardy_parts_push(all, lists[i].at[k]);
	sw_shardy_parts_sort(all);
}

static void align(sw_part_list *lists, int rank, const sw_part_list *others)
{
	for (int i = 0; i < rank; i++)
		sw_shardy_parts_align(&lists[i], others);
}

static void drop_common_prefix(sw_part_list *a, sw_part_list *b)
{
	while (a->count > 0 && b->count > 0 && sw_part_same(a->at[0], b->at[0])) {
		sw_shardy_parts_remove(a, 0);
		sw_shardy_parts_remove(b, 0);
	}
}

static void start(struct pass *p, sw_part_list *ins, sw_part_list *outs)
{
	read_type(&p->problem->from, p->in);
	read_type(&p->problem->from, p->now);
	read_type(&p->problem->to, p->out);
	collect(p->in, p->rank, ins);
	collect(p->out, p->rank, outs);
	align(p->in, p->rank, outs);
	align(p->out, p->rank, ins);
	for (int i = 0; i < p->rank; i++)
		drop_common_prefix(&p->in[i], &p->out[i]);
	collect(p->in, p->rank, &p->placed);
	note_wants(p);
}

/* ---- giving axes to dimensions that have room ---- */

/* Gives parts of `available` to one dimension, at the end or at the front; those that were cut for it go to `cut`
 * as well. */
static bool give(struct pass *p, sw_part_list *available, int dim, bool to_front, sw_part_list *cut)
{
	int at = to_front ? 0 : p->in[dim].count;
	bool any = false;

	for (int k = 0; k < available->count && p->capacity[dim] > 1;) {
		sw_shardy_part_fit fit;

		if (!sw_shardy_part_fits(available->at[k], &p->capacity[dim], &fit)) {
			k++;
			continue;
		}
		sw_shardy_parts_remove(available, k);
		sw_shardy_parts_insert(&p->in[dim], at++, fit.within);
		remember_placed(p, fit.within);
		any = true;
		if (fit.rest.size > 0) {
			sw_shardy_parts_push(cut, fit.within);
			sw_shardy_parts_insert(available, 0, fit.rest);
			k++;
		}
	}
	return any;
}

static void push_from(sw_part_list *list, const sw_part_list *added, int first)
{
	for (int k = first; k < added->count; k++)
		sw_shardy_parts_push_merged(list, added->at[k]);
}

static void realign(struct pass *p, sw_part_list *cut)
{
	sw_shardy_parts_sort(cut);
	align(p->out, p->rank, cut);
}

/* ---- slice ---- */

static void set_slice_capacities(struct pass *p)
{
	for (int i = 0; i < p->rank; i++) {
		int64_t a = sw_shardy_parts_size(&p->in[i]), b = sw_shardy_parts_size(&p->out[i]), out = b;

		while (b != 0) {
			int64_t rest = a % b;

			a = b;
			b = rest;
		}
		p->capacity[i] = out / a;
	}
}

/* Do the parts of `in` before its last `common` ones all lead elsewhere than to `target`? */
static bool others_lead_elsewhere(const struct pass *p, const sw_part_list *in, int common, int target)
{
	for (int k = in->count - common - 1; k >= 0; k--) {
		const struct wanted *want = wanted(p, in->at[k]);

		if (want != NULL && want->dim == target)
			return false;
	}
	return true;
}

/* For an all-to-all to come from `source`: the range [begin, end) of wanted axes of *target to cut `source` by. */
static bool range_at_source(struct pass *p, int source, int *target, int *begin, int *end)
{
	const sw_part_list *in = &p->in[source], *out;
	const struct wanted *want = in->count > 0 && p->out[source].count == 0 ? wanted(p, in->at[in->count - 1]) : NULL;
	int64_t added = 1, brought = 1;
	int common = 0;

	if (want == NULL || p->in[want->dim].count > 0)
		return false;
	*target = want->dim;
	out = &p->out[*target];
	*begin = sw_shardy_parts_find(out, in->at[in->count - 1]) + 1;
	if (*begin == 0 || *begin == out->count || is_placed(p, out->at[*begin]))
		return false;
	for (; common < in->count && common < *begin; common++) {
		sw_part part = in->at[in->count - 1 - common];

		if (!sw_part_same(part, out->at[*begin - 1 - common]))
			break;
		brought *= part.size;
	}
	if (!others_lead_elsewhere(p, in, common, *target))
		return false;
	for (*end = *begin; *end < out->count && !is_placed(p, out->at[*end]); ++*end)
		added *= out->at[*end].size;
	if (p->problem->to.global[source] % (sw_shardy_parts_size(&p->now[source]) * added) != 0)
		return false;
	p->capacity[*target] /= brought * added;
	return true;
}

static bool slice_at_source(struct pass *p)
{
	bool any = false;

	for (int source = 0; source < p->rank; source++) {
		int target, begin, end;

		if (!range_at_source(p, source, &target, &begin, &end))
			continue;
		for (int k = begin; k < end; k++) {
			sw_part part = p->out[target].at[k];

			sw_shardy_parts_push(&p->in[source], part);
			remember_placed(p, part);
			sw_shardy_parts_push_merged(&p->now[source], part);
		}
		any = true;
	}
	return any;
}

/* Cuts one dimension by the free axes that it wants; those without room go to `left`. */
static bool slice_dimension(struct pass *p, int dim, sw_part_list *left)
{
	sw_part_list *in = &p->in[dim], *out = &p->out[dim];
	bool any = false;

	for (int k = 0; k < out->count;) {
		sw_part part = out->at[k];
		sw_shardy_part_fit fit;

		if (is_placed(p, part)) {
			k++;
			continue;
		}
		if (!sw_shardy_part_fits(part, &p->capacity[dim], &fit)) {
			sw_shardy_parts_push(left, part);
			k++;
			continue;
		}
		any = true;
		sw_shardy_parts_push_merged(&p->now[dim], fit.within);
		if (in->count == 0 && k == 0) {
			sw_shardy_parts_remove(out, 0);
		} else {
			remember_placed(p, fit.within);
			sw_shardy_parts_push(in, fit.within);
			SW_ROOM(out->at, k);
			out->at[k++] = fit.within;
		}
		if (fit.rest.size > 0) {
			sw_shardy_parts_insert(out, k++, fit.rest);
			sw_shardy_parts_push(left, fit.rest);
		}
	}
	return any;
}

static bool try_slice(struct pass *p, sw_part_list *lists)
{
	sw_part_list *left = &lists[0], *cut = &lists[1];
	bool source, own = false, elsewhere = false;

	left->count = cut->count = 0;
	set_slice_capacities(p);
	source = slice_at_source(p);
	for (int i = 0; i < p->rank; i++)
		own |= slice_dimension(p, i, left);
	for (int i = 0; i < p->rank; i++) {
		int before = p->in[i].count;

		elsewhere |= give(p, left, i, false, cut);
		push_from(&p->now[i], &p->in[i], before);
	}
	realign(p, cut);
	note_wants(p);
	if (!source && !own && !elsewhere)
		return true;
	return record(p, SW_DYNSLICE, source ? SLICE_AT_SOURCE : own ? SLICE : SLICE_ELSEWHERE);
}

/* ---- permute ---- */

static bool either_divides(sw_part a, sw_part b)
{
	return a.size % b.size == 0 || b.size % a.size == 0;
}

/* Do axes of a dimension stand so that no all-to-all could take them where they are wanted? */
static bool badly_ordered(const struct pass *p, int dim, sw_part *unwanted, pattern *why)
{
	int last_dim = -1, last_index = 0;
	unsigned seen = 0;

	for (int k = 0; k < p->in[dim].count; k++) {
		const struct wanted *want = wanted(p, p->in[dim].at[k]);

		*why = REORDER;
		if (want != NULL && (want->dim == dim || (seen >> want->dim & 1) != 0) &&
			(last_dim != want->dim || want->index != last_index + 1))
			return true;
		*why = GATHER_LAST;
		if (want == NULL && last_dim >= 0 && p->out[dim].count == 0)
			return true;
		if (want == NULL)
			*unwanted = p->in[dim].at[k];
		else
			seen |= 1u << want->dim;
		last_index = want == NULL ? last_index : want->index;
		last_dim = want == NULL ? -1 : want->dim;
	}
	return false;
}

static bool should_permute(const struct pass *p, pattern *why)
{
	sw_part unwanted = {.size = 0}, lacking = {.size = 0};

	for (int i = 0; i < p->rank; i++) {
		const sw_part_list *in = &p->in[i], *out = &p->out[i];

		*why = REPLACE_FRONT;
		if (in->count > 0 && out->count > 0 && either_divides(in->at[0], out->at[0]))
			return true;
		for (int k = 0; k < out->count; k++)
			if (!is_placed(p, out->at[k]))
				lacking = out->at[k];
		if (badly_ordered(p, i, &unwanted, why))
			return true;
	}
	*why = REPLACE_AXIS;
	return unwanted.size > 0 && lacking.size > 0 && either_divides(lacking, unwanted);
}

/* Puts the first wanted axes of a dimension in place of what it has.  What is wanted beyond that goes to `wants`,
 * what it had and nobody wants to `spare`, in the order in which it may come back. */
static void replace_front(struct pass *p, int dim, sw_part_list *wants, sw_part_list *spare)
{
	sw_part_list *in = &p->in[dim], *out = &p->out[dim];
	int64_t used = sw_shardy_parts_size(in);
	sw_shardy_part_fit fit;
	int kept = 0;

	p->capacity[dim] = used;
	sw_shardy_parts_pop(&p->now[dim], in, 0);
	while (out->count > 0 && sw_shardy_part_fits(out->at[0], &p->capacity[dim], &fit)) {
		sw_shardy_parts_push_merged(&p->now[dim], fit.within);
		sw_shardy_parts_remove(out, 0);
		if (fit.rest.size > 0)
			sw_shardy_parts_insert(out, 0, fit.rest);
	}
	for (int k = 0; k < out->count; k++)
		sw_shardy_parts_push(wants, out->at[k]);
	used /= p->capacity[dim];
	for (int k = 0; k < in->count; k++)
		if (wanted(p, in->at[k]) == NULL) {
			SW_ROOM(in->at, kept);
			in->at[kept++] = in->at[k];
		}
	in->count = kept;
	spare->count = 0;
	while (in->count > 0 && sw_shardy_part_fits(in->at[0], &used, &fit)) {
		sw_shardy_parts_remove(in, 0);
		sw_shardy_parts_push(spare, fit.within);
		if (fit.rest.size > 0)
			sw_shardy_parts_insert(in, 0, fit.rest);
	}
	for (int k = 0; k < in->count; k++)
		sw_shardy_parts_insert(spare, k, in->at[k]);
	in->count = 0;
}

static void give_back(struct pass *p, sw_part_list *spare, sw_part_list *all, sw_part_list *cut)
{
	cut->count = 0;
	for (int i = 0; i < p->rank; i++)
		give(p, &spare[i], i, true, cut);
	realign(p, cut);
	all->count = cut->count = 0;
	for (int i = 0; i < p->rank; i++)
		for (int k = 0; k < spare[i].count; k++)
			sw_shardy_parts_push(all, spare[i].at[k]);
	for (int i = 0; i < p->rank; i++)
		give(p, all, i, true, cut);
	realign(p, cut);
}

static bool try_permute(struct pass *p, sw_part_list *lists)
{
	sw_part_list *wants = &lists[0], *cut = &lists[1], *spare = &lists[2];
	pattern why;

	if (!should_permute(p, &why))
		return true;
	p->placed.count = wants->count = cut->count = 0;
	for (int i = 0; i < p->rank; i++)
		replace_front(p, i, wants, &spare[i]);
	for (int i = 0; i < p->rank; i++)
		give(p, wants, i, false, cut);
	realign(p, cut);
	give_back(p, spare, wants, cut);
	note_wants(p);
	for (int i = 0; i < p->rank; i++)
		push_from(&p->now[i], &p->in[i], 0);
	return record(p, SW_ALLPERMUTE, why);
}

/* ---- all-to-all ---- */

/* The first of the minor axes of `source` that are wanted in one other dimension; -1: there are none. */
static int movable(const struct pass *p, int source, int *target)
{
	const sw_part_list *in = &p->in[source];
	int first = in->count;

	*target = -1;
	for (; first > 0; first--) {
		const struct wanted *want = wanted(p, in->at[first - 1]);

		if (want == NULL || want->dim == source || (*target >= 0 && want->dim != *target))
			break;
		*target = want->dim;
	}
	return *target < 0 ? -1 : first;
}

static bool begins_with(const sw_part_list *out, const sw_part_list *in, int first)
{
	if (in->count - first > out->count)
		return false;
	for (int k = first; k < in->count; k++)
		if (!sw_part_same(in->at[k], out->at[k - first]))
			return false;
	return true;
}

static void move(struct pass *p, int source, int first, int target)
{
	sw_part_list *in = &p->in[source], *target_in = &p->in[target], *out = &p->out[target];

	sw_shardy_parts_pop(&p->now[source], in, first);
	for (int k = first; k < in->count; k++) {
		sw_part part = in->at[k];

		sw_shardy_parts_push_merged(&p->now[target], part);
		forget_placed(p, part);
		if (target_in->count == 0 && out->count > 0 && sw_part_same(out->at[0], part)) {
			sw_shardy_parts_remove(out, 0);
		} else {
			sw_shardy_parts_push(target_in, part);
			remember_placed(p, part);
		}
	}
	in->count = first;
}

static bool try_all_to_alls(struct pass *p, bool in_order)
{
	for (int source = 0; source < p->rank; source++) {
		int target, first;

		while ((first = movable(p, source, &target)) >= 0) {
			if (in_order && !begins_with(&p->out[target], &p->in[source], first))
				break;
			move(p, source, first, target);
			if (!record(p, SW_ALLTOALL, in_order ? IN_ORDER : OUT_OF_ORDER))
				return false;
		}
	}
	return true;
}

/* ---- gather ---- */

/* The pass looks at the last axis only: where nobody wants it, all go that the dimension should not have, wanted or
 * not, and the others are taken for placed ever after. */
static bool try_gather(struct pass *p)
{
	bool any = false;

	for (int i = 0; i < p->rank; i++) {
		sw_part_list *in = &p->in[i];

		if (in->count == 0 || wanted(p, in->at[in->count - 1]) != NULL)
			continue;
		any = true;
		forget_placed(p, in->at[in->count - 1]);
		sw_shardy_parts_pop(&p->now[i], in, 0);
		in->count = 0;
	}
	return !any || record(p, SW_ALLGATHER, GATHER);
}

/* Whatever is left are axes of size 1. */
static bool arrived(const struct pass *p)
{
	const sw_type *last = p->plan->last != NULL ? p->plan->last->type : &p->problem->from;

	return sw_type_same_map(&p->problem->mesh, last, &p->problem->to);
}

void sw_shardy_reshard(sw_arena *arena, const sw_problem *problem, sw_shardy_plan *plan)
{
	struct pass *p = SW_NEW(arena, struct pass, 1);
	sw_part_list *lists = SW_NEW(arena, sw_part_list, SW_MAX_DIMS + 2);

	*plan = (sw_shardy_plan){.end = SW_SHARDY_MEMORY};
	if (p == NULL || lists == NULL)
		return;
	p->arena = arena;
	p->problem = problem;
	p->plan = plan;
	p->rank = problem->to.rank;
	plan->end = SW_SHARDY_SHORT;
	start(p, &lists[0], &lists[1]);
	for (int round = 0; round < 2 && !done(p); round++)
		if (!try_slice(p, lists) || !try_permute(p, lists) || !try_all_to_alls(p, true) ||
			!try_all_to_alls(p, false) || !try_gather(p))
			return;
	if (done(p) || arrived(p))
		plan->end = SW_SHARDY_DONE;
}
