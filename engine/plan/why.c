/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a step is there: which parts of axes leave which dimensions, and where they go.
 *
 * The types before and after a step, and the type that the plan is to reach, are cut into the largest parts of axes that
 * all of them have whole.  Each part then stands at one index before and at one after, and parts that go the same way are one clause.
 */
#include <assert.h>

#include <shardwalk/plan.h>

#include "array/prime_parts.h"
#include "array/parts.h"
#include "base/room.h"
#include "plan/between.h"
#include "plan/tile_numbers.h"
#include "step/row.h"

#define NOWHERE \
	(SW_MAX_DIMS + 1) /* the dimension of a part that cuts none: behind all others; the rank: it is summed over */
#define MOST_CUTS (6 * SW_MAX_FACTORS)

/* Where a part stands in a type: `at` is the index in its parts, minor to major. */
typedef struct sw_spot {
	int dim, at;
} sw_spot;

typedef struct sw_migrant {
	sw_part part;
	sw_spot from, to;
	bool arrived; /* it is where the plan's `to` has it */
	bool said;
} sw_migrant;

/* A type with its parts, of all dimensions and the sums. */
typedef struct sw_opened {
	const sw_type *type;
	int count;
	sw_part part[SW_MAX_PARTS];
} sw_opened;

enum { BEFORE, AFTER, WANTED, OPENED };

typedef struct sw_migration {
	const sw_plan *plan;
	const sw_type *before, *after;
	sw_opened of[OPENED]; /* where both are types */
	bool adds;            /* the step adds terms up */
	int count, clauses;
	sw_migrant at[2 * SW_MAX_FACTORS]; /* as they stand after the step, dimension after dimension, major to minor */
	sw_text *text;
} sw_migration;

/* ---- which parts there are ---- */

static bool part_covers(sw_part part, sw_part inner)
{
	return part.axis == inner.axis && part.pre <= inner.pre && inner.pre * inner.size <= part.pre * part.size;
}

static bool part_touches(sw_part a, sw_part b)
{
	return a.axis == b.axis && a.pre < b.pre * b.size && b.pre < a.pre * a.size;
}

static int dim_of(const sw_type *type, int at)
{
	int dim = 0;
	while (type->first[dim + 1] <= at)
		dim++;
	return dim;
}

static sw_spot spot_of(const sw_opened *of, sw_part part)
{
	for (int i = 0; i < of->count; i++)
		if (part_covers(of->part[i], part))
			return (sw_spot){dim_of(of->type, i), i};
	return (sw_spot){NOWHERE, -1};
}

static bool is_wanted(const sw_opened *to, sw_part part, int dim)
{
	for (int i = 0; i < to->count; i++)
		if (part_touches(to->part[i], part))
			return part_covers(to->part[i], part) && dim_of(to->type, i) == dim;
	return dim == NOWHERE;
}

static int add_cut(int64_t *cut, int count, int64_t value)
{
	int i = count;
	while (i > 0 && cut[i - 1] > value)
		i--;
	if (i > 0 && cut[i - 1] == value)
		return count;
	for (int k = count; k > i; k--)
		cut[k] = cut[k - 1];
	cut[i] = value;
	return count + 1;
}

/* Where the types cut an axis, ascending; 0 where these numbers do not divide each other. */
static int cuts_of(const sw_opened *of, int count, int axis, int64_t cut[MOST_CUTS])
{
	int cuts = 0;
	for (int t = 0; t < count; t++)
		for (int i = 0; i < of[t].count; i++) {
			sw_part part = of[t].part[i];
			if (part.axis != axis || part.size == 1)
				continue;
			cuts = add_cut(cut, cuts, part.pre);
			cuts = add_cut(cut, cuts, part.pre * part.size);
		}
	for (int i = 0; i + 1 < cuts; i++)
		if (cut[i + 1] % cut[i])
			return 0;
	return cuts;
}

static void add_migrant(sw_migration *m, sw_part part, sw_spot from, sw_spot to)
{
	if (m->count == 2 * SW_MAX_FACTORS || (from.dim == NOWHERE && to.dim == NOWHERE))
		return;
	SW_ROOM(m->at, m->count);
	m->at[m->count++] = (sw_migrant){part, from, to, is_wanted(&m->of[WANTED], part, to.dim), false};
}

/* Parts of an axis that both types cut by numbers which do not divide each other have nothing in common. */
static void add_apart(sw_migration *m, const sw_opened *of, int axis, bool leaves)
{
	static const sw_spot nowhere = {NOWHERE, -1};
	for (int i = 0; i < of->count; i++) {
		sw_spot spot = {dim_of(of->type, i), i};
		sw_part part = of->part[i];
		if (part.axis == axis && part.size > 1)
			add_migrant(m, part, leaves ? spot : nowhere, leaves ? nowhere : spot);
	}
}

static void add_axis(sw_migration *m, int axis)
{
	int64_t cut[MOST_CUTS];
	int cuts = cuts_of(m->of, OPENED, axis, cut);
	if (!cuts)
		cuts = cuts_of(m->of, WANTED, axis, cut);
	for (int i = 0; i + 1 < cuts; i++) {
		sw_part part = {axis, cut[i], cut[i + 1] / cut[i]};
		add_migrant(m, part, spot_of(&m->of[BEFORE], part), spot_of(&m->of[AFTER], part));
	}
	if (!cuts) {
		add_apart(m, &m->of[BEFORE], axis, true);
		add_apart(m, &m->of[AFTER], axis, false);
	}
}

/* Does `a` stand before `b`, dimension after dimension, major to minor? */
static bool stands_before(sw_spot a, sw_spot b, sw_part first, sw_part second)
{
	if (a.dim != b.dim)
		return a.dim < b.dim;
	return a.at != b.at ? a.at > b.at : first.pre < second.pre;
}

static bool comes_before(const sw_migrant *a, const sw_migrant *b)
{
	if (a->to.dim == NOWHERE && b->to.dim == NOWHERE && (a->from.dim != b->from.dim || a->from.at != b->from.at))
		return stands_before(a->from, b->from, a->part, b->part);
	return stands_before(a->to, b->to, a->part, b->part);
}

static void sort_migrants(sw_migration *m)
{
	for (int i = 1; i < m->count; i++) {
		sw_migrant migrant = m->at[i];
		int k = i;
		for (; k > 0 && comes_before(&migrant, &m->at[k - 1]); k--)
			m->at[k] = m->at[k - 1];
		m->at[k] = migrant;
	}
}

/* ---- clauses ---- */

static void start_clause(sw_migration *m)
{
	sw_text_add(m->text, m->clauses++ ? "; " : "");
}

static bool joins(sw_part major, sw_part minor)
{
	return major.axis == minor.axis && minor.pre == major.pre * major.size;
}

/* Appends a part, or makes the last one larger where both stand side by side and make one.  Returns the new count. */
static int push_part(sw_part *parts, int count, sw_part part, bool beside)
{
	if (!count || !beside || !joins(parts[count - 1], part)) {
		parts[count] = part;
		return count + 1;
	}
	parts[count - 1].size *= part.size;
	return count;
}

static void add_parts(const sw_migration *m, const sw_part *parts, int count, const char *between, const char *last)
{
	for (int i = 0; i < count; i++) {
		sw_text_add(m->text, !i ? "" : i + 1 < count ? between : last);
		sw_part_print(&m->plan->problem.mesh, parts[i], m->text);
	}
}

/* The run of neighbours in one dimension, from `i` on in steps of `by`, that make one part. */
static sw_part run_at(const sw_migration *m, int i, int by)
{
	sw_part part = m->at[i].part;
	for (int k = i + by; k >= 0 && k < m->count && m->at[k].to.dim == m->at[i].to.dim; k += by) {
		sw_part next = m->at[k].part;
		if (by > 0 ? !joins(part, next) : !joins(next, part))
			break;
		part = (sw_part){part.axis, by > 0 ? part.pre : next.pre, part.size * next.size};
	}
	return part;
}

/* Did the parts that stay in this dimension change their order? */
static bool is_reordered(const sw_migration *m, int dim)
{
	const sw_migrant *last = NULL;
	for (int i = 0; i < m->count; i++) {
		const sw_migrant *own = &m->at[i];
		if (own->to.dim != dim || own->from.dim != dim)
			continue;
		if (last && stands_before(own->from, last->from, own->part, last->part))
			return true;
		last = own;
	}
	return false;
}

/* Which part is outside of those that arrive at `first` to `last`, or inside. */
static void say_neighbour(const sw_migration *m, int first, int last, int members)
{
	int dim = m->at[first].to.dim;
	if (last - first + 1 != members || is_reordered(m, dim))
		return;
	bool inside = first > 0 && m->at[first - 1].to.dim == dim;
	bool outside = !inside && last + 1 < m->count && m->at[last + 1].to.dim == dim;
	if (!inside && !outside)
		return;
	sw_text_add(m->text, inside ? " inside " : " outside ");
	sw_part_print(&m->plan->problem.mesh, inside ? run_at(m, first - 1, -1) : run_at(m, last + 1, 1), m->text);
}

static void say_dimension(const sw_migration *m, const char *what, int dim)
{
	sw_text_add(m->text, what);
	sw_text_add_int(m->text, dim);
}

/* All parts that go where the one at `first` goes. */
static void say_way(sw_migration *m, int first)
{
	sw_part parts[2 * SW_MAX_FACTORS];
	int members = 0, count = 0, last = first;
	const sw_migrant way = m->at[first];
	for (int i = first; i < m->count; i++) {
		sw_migrant *own = &m->at[i];
		if (own->from.dim != way.from.dim || own->to.dim != way.to.dim || own->arrived != way.arrived)
			continue;
		count = push_part(parts, count, own->part, i == last + 1);
		own->said = true;
		members++;
		last = i;
	}
	start_clause(m);
	bool one = count == 1;
	add_parts(m, parts, count, ", ", " and ");
	if (way.from.dim == m->before->rank)
		sw_text_add(m->text,
			m->adds ? (one ? " is summed" : " are summed") : (one ? " leaves the sum" : " leave the sum"));
	else if (way.from.dim != NOWHERE)
		say_dimension(m, one ? " leaves dimension " : " leave dimension ", way.from.dim);
	if (way.to.dim != NOWHERE)
		sw_text_add(m->text, way.from.dim != NOWHERE ? " and" : "");
	if (way.to.dim == m->after->rank)
		sw_text_add(m->text, one ? " becomes a sum" : " become a sum");
	else if (way.to.dim != NOWHERE) {
		say_dimension(m, one ? " cuts dimension " : " cut dimension ", way.to.dim);
		say_neighbour(m, first, last, members);
		sw_text_add(m->text, one ? "" : ", outermost first");
	}
	sw_text_add(m->text, way.arrived ? "" : " for now");
}

static bool goes_over(const sw_migrant *m)
{
	return m->from.dim != NOWHERE && m->to.dim != NOWHERE && m->from.dim != m->to.dim;
}

static bool goes_away(const sw_migrant *m)
{
	return m->to.dim == NOWHERE;
}

static bool comes_in(const sw_migrant *m)
{
	return m->from.dim == NOWHERE;
}

static void say_all(sw_migration *m, bool (*which)(const sw_migrant *migrant))
{
	for (int i = 0; i < m->count; i++)
		if (!m->at[i].said && which(&m->at[i]))
			say_way(m, i);
}

static void say_order(sw_migration *m, int dim)
{
	sw_part parts[2 * SW_MAX_FACTORS];
	int count = 0;
	for (int i = 0; i < m->count; i++)
		if (m->at[i].to.dim == dim)
			count = push_part(parts, count, m->at[i].part, true);
	start_clause(m);
	sw_text_addf(m->text, "dimension %d is cut by ", dim);
	add_parts(m, parts, count, ", then ", ", then ");
}

static void open_type(const sw_type *type, sw_opened *of)
{
	of->type = type;
	of->count = 0;
	for (int dim = 0; dim <= type->rank; dim++)
		of->count += sw_type_parts(type, dim, of->part + of->count);
}

static void say_ways(sw_migration *m)
{
	open_type(m->before, &m->of[BEFORE]);
	open_type(m->after, &m->of[AFTER]);
	open_type(&m->plan->problem.to, &m->of[WANTED]);
	for (int axis = 0; axis < m->plan->problem.mesh.count; axis++)
		add_axis(m, axis);
	sort_migrants(m);
	say_all(m, goes_over);
	say_all(m, goes_away);
	say_all(m, comes_in);
	for (int dim = 0; dim < m->after->rank; dim++)
		if (is_reordered(m, dim))
			say_order(m, dim);
}

/* ---- steps between maps that are no types ---- */

static void say_entries(sw_migration *m, const sw_entry *entry, int count, const char *what)
{
	for (int i = 0; i < count; i++) {
		start_clause(m);
		sw_text_addf(m->text, what, entry[i].dim, (long long)entry[i].factor);
	}
}

static void say_factors(sw_migration *m, const sw_step *step)
{
	say_entries(m, step->gather, step->gathers, "dimension %d is put together from %lld pieces");
	say_entries(m, step->split, step->splits, "dimension %d is cut into %lld");
	if (!m->after) {
		start_clause(m);
		sw_text_add(m->text, "what devices then hold does not follow axes");
	}
}

/* ---- a step ---- */

static void say_action(sw_migration *m, int k)
{
	int64_t members = sw_step_members(m->plan, k);
	sw_text_add(m->text, m->clauses ? ": " : "");
	if (members > 0) {
		sw_text_add(m->text, "groups of ");
		sw_text_add_int(m->text, members);
		sw_text_add(m->text, " devices ");
	}
	const sw_plan *inside = m->plan->program.step[k].inside;
	sw_text_add(m->text, sw_row(m->plan->program.step[k].op)->action);
	for (int i = 0; inside && i < inside->program.steps; i++) {
		sw_text_add(m->text, i ? ", then " : ": ");
		sw_plan_print_step(inside, i, m->text);
	}
}

void sw_plan_why(const sw_plan *plan, int k, sw_text *text)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	if (step->passing != SW_PASSES_AT_ONCE) {
		sw_text_addf(text, "groups of %lld devices %s", (long long)step->group_size, sw_row(step->op)->action);
		return;
	}
	sw_migration m; /* not cleared: it has room for many parts */
	m.plan = plan;
	m.before = plan->program.value[k].type;
	m.after = plan->program.value[k + 1].type;
	m.text = text;
	m.adds = sw_adds_terms(step->op);
	m.count = m.clauses = 0;
	bool axes = !sw_problem_has_words(&plan->problem); /* no axes say what moves between other types */
	if (axes && m.before && m.after)
		say_ways(&m);
	else if (axes)
		say_factors(&m, step);
	if (step->order) {
		start_clause(&m);
		sw_text_add(text, "from here on, the slots of the mesh are on other devices");
	}
	say_action(&m, k);
}
