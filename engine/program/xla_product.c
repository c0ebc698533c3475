/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What XLA does to a product, by rules over letters.
 *
 * The result takes over what the operands cut, the larger array first.  Letters that are summed stay cut where both operands are
 * cut alike; where one has to follow the other the smaller moves, and where one alone is cut the other is sliced if nothing else
 * would use the devices and the product is smaller than the operand.  Everything else is gathered.  The rules were derived from
 * the 77 products of xla-products.jsonl and 320 others, and tried on 200 more: of these they give the cost of 180.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/plan.h>
#include <shardwalk/ways.h>

#include "base/room.h"

enum { LETTERS = 2 * SW_MAX_DIMS };

/* The axes that cut one letter, the major one first. */
typedef struct row {
	int count;
	int8_t axis[SW_MAX_AXES];
} row;

/* How all letters are cut; those that an array lacks are cut nowhere. */
typedef struct layout {
	row of[LETTERS];
} layout;

typedef struct xla {
	const sw_product *product;
	const sw_mesh *mesh;
	int letters;
	char letter[LETTERS];
	int64_t size[LETTERS];
	bool has[SW_EQUATION_SIDES][LETTERS];
	layout operand[2], wanted;
	layout spread; /* the result as shardings spread to it */
	layout made;   /* and as it is multiplied */
	layout sum;    /* of letters that are summed: how the tiles that are multiplied are cut */
	bool by_element;
	sw_diag *diag;
} xla;

/* ---- axes ---- */

static uint64_t set_of(const row *r)
{
	uint64_t set = 0;

	for (int k = 0; k < r->count; k++)
		set |= (uint64_t)1 << r->axis[k];
	return set;
}

static uint64_t all_of(const xla *x, const layout *l)
{
	uint64_t set = 0;

	for (int k = 0; k < x->letters; k++)
		set |= set_of(&l->of[k]);
	return set;
}

static int64_t cuts_of(const xla *x, const row *r)
{
	int64_t cuts = 1;

	for (int k = 0; k < r->count; k++)
		cuts *= x->mesh->axis[r->axis[k]].size;
	return cuts;
}

static bool begins(const row *start, const row *r)
{
	return start->count <= r->count && memcmp(start->axis, r->axis, (size_t)start->count) == 0;
}

static bool same(const row *a, const row *b)
{
	return a->count == b->count && begins(a, b);
}

static row free_start(const row *r, uint64_t used)
{
	row start = *r;

	for (start.count = 0; start.count < r->count && (used >> r->axis[start.count] & 1) == 0;)
		start.count++;
	return start;
}

/* The axes outside of a set, in the order of the mesh. */
static row outside(const xla *x, uint64_t set)
{
	row rest = {0};

	for (int k = 0; k < x->mesh->count; k++)
		if ((set >> k & 1) == 0) {
			SW_ROOM(rest.axis, rest.count);
			rest.axis[rest.count++] = (int8_t)k;
		}
	return rest;
}

/* Elements of a tile of the letters of one side, cut by a layout. */
static int64_t elements(const xla *x, int side, const layout *l)
{
	int64_t count = 1;

	for (int k = 0; k < x->letters; k++)
		if (x->has[side][k])
			count *= x->size[k] / cuts_of(x, &l->of[k]);
	return count;
}

static bool no_axis_twice(const xla *x, const layout *l)
{
	uint64_t seen = 0;

	for (int k = 0; k < x->letters; k++) {
		uint64_t set = set_of(&l->of[k]);

		if ((seen & set) != 0)
			return false;
		seen |= set;
	}
	return true;
}

/* ---- from types and back ---- */

static const sw_type *type_of(const xla *x, int side)
{
	const sw_product *p = x->product;

	return side == SW_EQUATION_A ? &p->a : side == SW_EQUATION_B ? &p->b : &p->as;
}

static bool refuse(const xla *x, const char *why)
{
	return sw_diag_set(x->diag, SW_S02, (sw_span){0, 0}, "it is not known what XLA does: %s", why);
}

static int letter_of(xla *x, int side, int dim)
{
	char letter = x->product->equation.letter[side][dim];
	int k = 0;

	while (k < x->letters && x->letter[k] != letter)
		k++;
	if (k == x->letters) {
		SW_ROOM(x->letter, x->letters);
		x->letter[x->letters++] = letter;
		x->size[k] = type_of(x, side)->global[dim];
	}
	return k;
}

/* Of one that has been read. */
static int known_letter(const xla *x, int side, int dim)
{
	int k = 0;

	while (x->letter[k] != x->product->equation.letter[side][dim])
		k++;
	return k;
}

static bool read_side(xla *x, int side, layout *into)
{
	const sw_type *type = type_of(x, side);

	for (int i = 0; i < type->rank; i++) {
		sw_part parts[SW_MAX_PARTS];
		int count = sw_type_parts(type, i, parts), k = letter_of(x, side, i);

		x->has[side][k] = true;
		for (int n = count - 1; n >= 0; n--) {
			if (parts[n].size != x->mesh->axis[parts[n].axis].size)
				return refuse(x, "a type splits an axis");
			into->of[k].axis[into->of[k].count++] = (int8_t)parts[n].axis;
		}
	}
	return true;
}

static bool read_product(xla *x)
{
	const sw_product *p = x->product;
	sw_part sums[SW_MAX_PARTS];

	if (sw_type_sums(&p->a, sums) > 0 || sw_type_sums(&p->b, sums) > 0)
		return refuse(x, "JAX refuses operands that are sums");
	if (!read_side(x, SW_EQUATION_A, &x->operand[0]) || !read_side(x, SW_EQUATION_B, &x->operand[1]) ||
		!read_side(x, SW_EQUATION_RESULT, &x->wanted))
		return false;
	x->by_element = true;
	for (int k = 0; k < x->letters; k++)
		x->by_element = x->by_element && x->has[0][k] && x->has[1][k] && x->has[2][k];
	return true;
}

/* The type of a side whose letters are cut like that, without sums. */
static bool to_type(const xla *x, int side, const layout *l, sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0;
	const sw_type *like = type_of(x, side);

	if (!sw_type_replicated(like->dtype, like->rank, like->global, type, x->diag))
		return false;
	for (int i = 0; i < like->rank; i++) {
		const row *r = &l->of[known_letter(x, side, i)];

		count[i] = r->count;
		for (int k = r->count - 1; k >= 0; k--) {
			SW_ROOM(parts, n);
			parts[n++] = (sw_part){r->axis[k], 1, x->mesh->axis[r->axis[k]].size};
		}
	}
	return sw_type_partition(x->mesh, type, count, parts, x->diag);
}

/* ---- the result, as shardings spread to it ---- */

/* A letter that both operands have and that is kept: where it is cut already. */
static const row *kept_row(const xla *x, int k)
{
	const row *a = &x->operand[0].of[k], *b = &x->operand[1].of[k], *wanted = &x->wanted.of[k];

	if (x->by_element || !x->has[0][k] || !x->has[1][k] || !x->has[2][k] || a->count == 0 || b->count == 0 ||
		cuts_of(x, a) != cuts_of(x, b) || cuts_of(x, a) != cuts_of(x, wanted))
		return NULL;
	return elements(x, 0, &x->operand[0]) > elements(x, 1, &x->operand[1]) ? a : b;
}

static void start_spread(xla *x)
{
	uint64_t kept = 0;

	x->spread = x->wanted;
	for (int k = 0; k < x->letters; k++) {
		const row *r = kept_row(x, k);

		if (r == NULL || same(r, &x->wanted.of[k]))
			continue;
		x->spread.of[k] = *r;
		kept |= set_of(r);
	}
	for (int k = 0; k < x->letters; k++)
		if (!(x->has[0][k] && x->has[1][k]) && (set_of(&x->spread.of[k]) & kept) != 0)
			x->spread.of[k].count = 0;
}

/* Letters of the result go on with what cuts them in an operand. */
static void spread_from(xla *x, int side)
{
	const layout *from = &x->operand[side], *other = &x->operand[1 - side];
	uint64_t used = all_of(x, &x->spread);

	for (int i = 0; i < type_of(x, side)->rank; i++) {
		int k = known_letter(x, side, i);
		const row *r = &from->of[k];
		row *into = &x->spread.of[k];

		if (!x->has[SW_EQUATION_RESULT][k] || !begins(into, r) ||
			!(begins(&other->of[k], r) || begins(r, &other->of[k])))
			continue;
		for (int n = into->count; n < r->count && (used >> r->axis[n] & 1) == 0; n++) {
			SW_ROOM(into->axis, into->count);
			into->axis[into->count++] = r->axis[n];
			used |= (uint64_t)1 << r->axis[n];
		}
	}
}

static void spread(xla *x)
{
	int larger = sw_type_globalsize(&x->product->a) >= sw_type_globalsize(&x->product->b) ? 0 : 1;

	start_spread(x);
	spread_from(x, larger);
	spread_from(x, 1 - larger);
}

/* ---- letters that are summed ---- */

/* Axes of the result that an operand lies at already. */
static uint64_t settled(const xla *x)
{
	uint64_t set = 0;

	for (int k = 0; k < x->letters; k++)
		for (int side = 0; side < 2; side++)
			if (x->has[side][k] && x->has[SW_EQUATION_RESULT][k] && same(&x->operand[side].of[k], &x->spread.of[k]))
				set |= set_of(&x->spread.of[k]);
	return set;
}

/* Both are cut, in different ways: which of them the other follows. */
static row follow_one(const xla *x, int k)
{
	const row *a = &x->operand[0].of[k], *b = &x->operand[1].of[k];
	uint64_t used = all_of(x, &x->spread), fixed = settled(x);
	bool a_larger = elements(x, 0, &x->operand[0]) >= elements(x, 1, &x->operand[1]);
	const row *order[2] = {a_larger ? a : b, a_larger ? b : a};

	if ((set_of(a) & set_of(b)) != 0) {
		row of_a = free_start(a, used), of_b = free_start(b, used);

		return same(&of_a, &of_b) ? of_a : (row){0};
	}
	if (cuts_of(x, a) != cuts_of(x, b))
		return (row){0};
	for (int n = 0; fixed != 0 && n < 2; n++)
		if ((set_of(order[n]) & (fixed | used)) == 0)
			return *order[n];
	for (int n = 0; n < 2; n++)
		if ((set_of(order[n]) & fixed) == 0)
			return *order[n];
	return (row){0};
}

/* One operand alone is cut: is the other sliced? */
static row slice_other(const xla *x, int k, int side)
{
	const layout *own = &x->operand[side];
	row idle = outside(x, all_of(x, &x->spread));

	for (int n = 0; n < x->letters; n++)
		if (x->spread.of[n].count > 0 && x->has[side][n] &&
			!(x->has[1 - side][n] && same(&own->of[n], &x->spread.of[n])))
			return (row){0};
	if (idle.count == 0 || cuts_of(x, &idle) != cuts_of(x, &own->of[k]) ||
		elements(x, SW_EQUATION_RESULT, &x->spread) >= elements(x, side, &x->spread))
		return (row){0};
	return set_of(&idle) == set_of(&own->of[k]) ? own->of[k] : idle;
}

static row summed_row(const xla *x, int k)
{
	const row *a = &x->operand[0].of[k], *b = &x->operand[1].of[k];

	if (same(a, b))
		return *a;
	if (a->count > 0 && b->count > 0)
		return follow_one(x, k);
	return slice_other(x, k, a->count > 0 ? 0 : 1);
}

static void sum_letters(xla *x)
{
	for (int k = 0; k < x->letters; k++)
		if (x->has[0][k] && x->has[1][k] && !x->has[SW_EQUATION_RESULT][k])
			x->sum.of[k] = summed_row(x, k);
}

/* ---- the result, as it is multiplied ---- */

/* What stands in where a letter of the result has to leave its axes to the sum. */
static row stand_in(const xla *x, int k, uint64_t summed)
{
	uint64_t taken = summed | all_of(x, &x->made);
	row idle = outside(x, taken | all_of(x, &x->spread));
	const row *lost = &x->spread.of[k];

	for (int side = 0; side < 2; side++) {
		const row *r = &x->operand[side].of[k];

		if (r->count > 0 && (set_of(r) & taken) == 0)
			return *r;
	}
	for (int n = 0; lost->count == 1 && n < idle.count; n++)
		if (x->mesh->axis[idle.axis[n]].size == x->mesh->axis[lost->axis[0]].size)
			return (row){.count = 1, .axis = {idle.axis[n]}};
	return (row){0};
}

static void make_result(xla *x)
{
	uint64_t summed = all_of(x, &x->sum);

	x->made = x->spread;
	for (int k = 0; k < x->letters; k++)
		if ((set_of(&x->made.of[k]) & summed) != 0)
			x->made.of[k].count = 0;
	for (int k = 0; k < x->letters; k++)
		if (x->made.of[k].count < x->spread.of[k].count)
			x->made.of[k] = stand_in(x, k, summed);
}

/* ---- the way of an operand ---- */

static layout goal_of(const xla *x, int side)
{
	layout goal = {0};

	for (int k = 0; k < x->letters; k++)
		if (x->has[side][k])
			goal.of[k] = x->has[SW_EQUATION_RESULT][k] ? x->made.of[k] : x->sum.of[k];
	return goal;
}

static int letter_with(const xla *x, const layout *l, int axis, int but)
{
	for (int k = 0; k < x->letters; k++)
		if (k != but && (set_of(&l->of[k]) >> axis & 1) != 0)
			return k;
	return -1;
}

/* An axis that the other operand needs goes to an idle one of its size before it is gathered. */
static void leave_axis(const xla *x, int side, const layout *goal, int k, int n, layout *now)
{
	const layout *other = &x->operand[1 - side];
	int axis = now->of[k].axis[n], at = letter_with(x, &x->made, axis, k);

	if ((set_of(&goal->of[k]) >> axis & 1) != 0 || at < 0 || (x->has[side][at] && now->of[at].count > 0) ||
		cuts_of(x, &other->of[at]) != cuts_of(x, &x->made.of[at]))
		return;
	row idle = outside(x, all_of(x, now) | all_of(x, &x->made) | all_of(x, &x->sum));
	for (int i = 0; i < idle.count; i++)
		if (x->mesh->axis[idle.axis[i]].size == x->mesh->axis[axis].size) {
			now->of[k].axis[n] = idle.axis[i];
			if (x->has[side][at])
				now->of[at] = goal->of[at];
			return;
		}
}

/* Letters that stand in both operands first, where both are cut. */
static layout batch_first(const xla *x, int side, const layout *goal, const layout *now)
{
	layout next = *now;

	for (int k = 0; k < x->letters; k++) {
		const row *other = &x->operand[1 - side].of[k];

		if (x->has[side][k] && x->has[1 - side][k] && x->has[SW_EQUATION_RESULT][k] && goal->of[k].count > 0 &&
			other->count > 0 && !same(other, &goal->of[k]))
			next.of[k] = goal->of[k];
	}
	return no_axis_twice(x, &next) ? next : *now;
}

/* Letters that are cut already change their axes before others are cut. */
static layout renamed_first(const xla *x, const layout *goal, const layout *now)
{
	layout next = {0};

	for (int k = 0; k < x->letters; k++) {
		if (now->of[k].count > 0)
			next.of[k] = goal->of[k];
		if (cuts_of(x, &next.of[k]) != cuts_of(x, &now->of[k]))
			return *now;
	}
	return no_axis_twice(x, &next) ? next : *now;
}

static bool add_stop(const xla *x, int side, const layout *l, sw_xla_product *found)
{
	int n = found->stops[side];

	if (!to_type(x, side, l, &found->stop[side][n]))
		return false;
	found->stops[side] += n == 0 || !sw_type_equal(&found->stop[side][n - 1], &found->stop[side][n]);
	return true;
}

static bool operand_way(const xla *x, int side, sw_xla_product *found)
{
	layout goal = goal_of(x, side), now = x->operand[side];

	if (!add_stop(x, side, &now, found))
		return false;
	for (int i = 0; i < type_of(x, side)->rank; i++) {
		int k = known_letter(x, side, i);

		for (int n = 0; n < now.of[k].count; n++)
			leave_axis(x, side, &goal, k, n, &now);
	}
	if (!add_stop(x, side, &now, found))
		return false;
	now = batch_first(x, side, &goal, &now);
	if (!add_stop(x, side, &now, found))
		return false;
	now = renamed_first(x, &goal, &now);
	return add_stop(x, side, &now, found) && add_stop(x, side, &goal, found);
}

/* ---- the way of the product ---- */

/* Adds the sums that the wanted type keeps. */
static bool keep_sums(const xla *x, sw_xla_product *found)
{
	sw_part sums[SW_MAX_PARTS], kept[SW_MAX_PARTS];
	int count = sw_type_sums(&x->product->as, sums), n = 0;
	uint64_t summed = all_of(x, &x->sum);

	for (int k = 0; k < count; k++) {
		if ((summed >> sums[k].axis & 1) == 0)
			return refuse(x, "the wanted result is a sum that the product is not");
		SW_ROOM(kept, n);
		kept[n++] = sums[k];
		summed &= ~((uint64_t)1 << sums[k].axis);
	}
	found->allreduce = summed != 0;
	for (int k = 0; n > 0 && k < found->stops[SW_EQUATION_RESULT]; k++)
		if (!sw_type_set_sums(x->mesh, &found->stop[SW_EQUATION_RESULT][k], kept, n, x->diag))
			return false;
	return true;
}

static bool product_way(const xla *x, sw_xla_product *found)
{
	layout cut = x->made;

	for (int k = 0; k < x->letters; k++)
		if (begins(&cut.of[k], &x->wanted.of[k]))
			cut.of[k] = x->wanted.of[k];
	return add_stop(x, SW_EQUATION_RESULT, &x->made, found) &&
		(!no_axis_twice(x, &cut) || add_stop(x, SW_EQUATION_RESULT, &cut, found)) &&
		add_stop(x, SW_EQUATION_RESULT, &x->wanted, found) && keep_sums(x, found);
}

/* ---- what it costs ---- */

enum { TIMED_DEVICES = 4096 };

/* Adds what a plan costs. */
static void add_plan(const sw_plan *plan, const sw_machine *machine, sw_xla_product *found)
{
	double seconds = machine != NULL ? sw_predict_seconds(plan, -1, machine) : -1;

	found->cost += plan->cost;
	found->seconds = seconds < 0 || found->seconds < 0 ? -1 : found->seconds + seconds;
}

static bool add_moves(const xla *x, int side, const sw_machine *machine, sw_arena *arena, sw_xla_product *found)
{
	for (int k = 0; k + 1 < found->stops[side]; k++) {
		sw_problem *move = SW_NEW_ZERO(arena, sw_problem, 1);
		const sw_plan_options options = {.strategy = SW_XLA,
			.sizes_only = machine == NULL || x->mesh->devices > TIMED_DEVICES};
		sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);

		if (move == NULL || plan == NULL)
			return sw_diag_memory(x->diag);
		*move = (sw_problem){.mesh = *x->mesh, .from = found->stop[side][k], .to = found->stop[side][k + 1]};
		if (!sw_plan_find(move, &options, arena, plan, x->diag))
			return false;
		add_plan(plan, machine, found);
	}
	return true;
}

/* Where tiles are multiplied, as the rule says. */
static bool add_allreduce(const xla *x, const sw_type *a, const sw_type *b, const sw_machine *machine,
	sw_arena *arena, sw_xla_product *found)
{
	sw_problem *sum = SW_NEW_ZERO(arena, sw_problem, 1);
	sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);

	if (!found->allreduce)
		return true;
	if (sum == NULL || plan == NULL)
		return sw_diag_memory(x->diag);
	*sum = (sw_problem){.mesh = *x->mesh, .to = found->stop[SW_EQUATION_RESULT][0]};
	if (!sw_product_local(x->mesh, &x->product->equation, a, b, &sum->from, x->diag) ||
		!sw_plan_one_step(sum, SW_ALLREDUCE, arena, plan, x->diag))
		return false;
	add_plan(plan, machine, found);
	return true;
}

static bool add_up(const xla *x, const sw_machine *machine, sw_arena *arena, sw_xla_product *found)
{
	const sw_type *a = &found->stop[0][found->stops[0] - 1], *b = &found->stop[1][found->stops[1] - 1];

	found->seconds = machine != NULL ? 0 : -1;
	found->memory = sw_type_localsize(a) + sw_type_localsize(b) +
		sw_type_localsize(&found->stop[SW_EQUATION_RESULT][0]);
	return sw_product_flops(&x->product->equation, a, b, &found->flops, x->diag) &&
		add_moves(x, SW_EQUATION_A, machine, arena, found) && add_moves(x, SW_EQUATION_B, machine, arena, found) &&
		add_allreduce(x, a, b, machine, arena, found) && add_moves(x, SW_EQUATION_RESULT, machine, arena, found);
}

bool sw_xla_product_find(const sw_product *product, const sw_machine *machine, sw_arena *arena, sw_xla_product *found,
	sw_diag *diag)
{
	assert(product->wanted);
	xla *x = SW_NEW_ZERO(arena, xla, 1);
	sw_type result;

	if (x == NULL)
		return sw_diag_memory(diag);
	*x = (xla){.product = product, .mesh = &product->mesh, .diag = diag};
	*found = (sw_xla_product){0};
	if (!sw_product_shape(&product->equation, &product->a, &product->b, &result, diag) ||
		!sw_type_redistributable(&result, &product->as, diag) || !read_product(x))
		return false;
	spread(x);
	sum_letters(x);
	make_result(x);
	return operand_way(x, SW_EQUATION_A, found) && operand_way(x, SW_EQUATION_B, found) && product_way(x, found) &&
		add_up(x, machine, arena, found);
}
