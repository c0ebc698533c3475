/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves of an array in a step, as the ends of a problem.
 */
#include <assert.h>

#include <shardwalk/distribution.h>
#include <shardwalk/schedule_program.h>

#include "schedule/lower.h"
#include "schedule/program.h"

typedef struct moving {
	const sw_lowering *lowering;
	const sw_mesh *mesh;
	int fetch;
	int64_t step;
	sw_arena *arena;
	sw_region *from, *to; /* of each device */
	bool moves;
	bool terms; /* that are added */
	bool apart; /* and in several nodes, of the same elements */
} moving;

static bool take_boxes(const moving *m, const sw_boxes *boxes, sw_region *from)
{
	sw_region taken = {boxes->rank, 0, NULL};

	return sw_region_add_boxes(boxes, m->arena, &taken) && sw_region_minus(from, &taken, m->arena, from);
}

/* ---- what is read ---- */

static bool have_homes(const moving *m)
{
	const struct sw_lowered *lowered = m->lowering->in;
	int array = m->lowering->fetch[m->fetch].array;

	for (int64_t d = 0; d < m->mesh->devices; d++) {
		sw_boxes home = sw_lowered_home(lowered, array, lowered->levels, d);
		if (!sw_region_add_boxes(&home, m->arena, &m->from[d]))
			return false;
	}
	return true;
}

/* The copies of nodes, of which units inside take. */
static bool have_copies(const moving *m)
{
	int outer = sw_fetch_outer(m->lowering, m->fetch);

	if (outer < 0)
		return true;
	const sw_fetch *copy = &m->lowering->fetch[outer];
	for (int64_t unit = 0; unit < sw_schedule_units(m->mesh, copy->level); unit++) {
		sw_boxes has;
		if (!sw_lowering_need(m->lowering, outer, m->step - m->step % copy->every, unit, m->arena, &has) ||
			!sw_region_add_boxes(&has, m->arena, &m->from[sw_unit_first(m->mesh, copy->level, unit)]))
			return false;
	}
	return true;
}

/* What a unit fetched before it has for others too, unless elements come from homes alone. */
static bool have_before(const moving *m, int64_t unit)
{
	const sw_fetch *fetch = &m->lowering->fetch[m->fetch];
	int64_t first = sw_unit_first(m->mesh, fetch->level, unit), before = m->step - fetch->every;
	sw_boxes has;

	if (before < 0)
		return true;
	if (!sw_lowering_need(m->lowering, m->fetch, before, unit, m->arena, &has))
		return false;
	return m->lowering->schedule->problem->from_home ? take_boxes(m, &has, &m->to[first]) :
													   sw_region_add_boxes(&has, m->arena, &m->from[first]);
}

static bool need_unit(const moving *m, int64_t unit)
{
	const struct sw_lowered *lowered = m->lowering->in;
	const sw_fetch *fetch = &m->lowering->fetch[m->fetch];
	sw_region *to = &m->to[sw_unit_first(m->mesh, fetch->level, unit)];
	sw_boxes need, home = sw_lowered_home(lowered, fetch->array, fetch->level, unit);

	return sw_lowering_need(m->lowering, m->fetch, m->step, unit, m->arena, &need) &&
		sw_region_add_boxes(&need, m->arena, to) && (fetch->level == lowered->levels || take_boxes(m, &home, to)) &&
		have_before(m, unit);
}

static bool fetch_ends(moving *m)
{
	const sw_fetch *fetch = &m->lowering->fetch[m->fetch];
	bool begins = sw_fetch_begins(fetch, m->step), needs = false;

	for (int64_t unit = 0; begins && unit < sw_schedule_units(m->mesh, fetch->level); unit++)
		if (!need_unit(m, unit))
			return false;
	for (int64_t d = 0; d < m->mesh->devices; d++)
		needs = needs || m->to[d].count > 0;
	m->moves = needs;
	return !needs || (have_homes(m) && have_copies(m));
}

/* ---- the left side ---- */

/* Is the message one of this fetch: from processors to keepers or copies of nodes, or from these copies on? */
static bool is_given(const moving *m, const sw_schedule_message *message)
{
	const struct sw_lowered *lowered = m->lowering->in;

	if (m->fetch == lowered->copy)
		return message->from == SW_NODE_COPY || message->fetch == m->fetch;
	return message->fetch == m->fetch && message->from != SW_NODE_COPY;
}

static int64_t first_in_node(const moving *m, int64_t device)
{
	int level = m->lowering->fetch[m->lowering->in->copy].level;

	return device - device % sw_unit_devices(m->mesh, level);
}

static int64_t giver_of(const moving *m, const sw_schedule_message *message)
{
	if (message->from == SW_NODE_COPY)
		return first_in_node(m, message->owner);
	return sw_unit_first(m->mesh, m->lowering->fetch[message->fetch].level, message->from);
}

static int64_t keeper_of(const moving *m, const sw_schedule_message *message)
{
	return message->to == SW_NODE_COPY ? first_in_node(m, message->from) : message->owner;
}

static bool count_keeper(void *user, int64_t unit, const int64_t *box)
{
	(void)unit;
	(void)box;
	return ++*(int *)user < 2;
}

/* Who alone keeps elements has added up a term of them there. */
static bool keeps_alone(const moving *m, const int64_t *box)
{
	const struct sw_lowered *lowered = m->lowering->in;
	int keepers = 0;

	sw_box_index_visit(&lowered->home_index[lowered->levels], box, count_keeper, &keepers);
	return keepers == 1;
}

static bool give(moving *m, const sw_schedule_message *message)
{
	const sw_boxes box = {m->lowering->schedule->problem->formula.array[0].rank, 1, message->box};

	m->moves = true;
	return sw_region_add_boxes(&box, m->arena, &m->from[giver_of(m, message)]) &&
		sw_region_add_boxes(&box, m->arena, &m->to[keeper_of(m, message)]);
}

static bool add_own_term(moving *m, const sw_schedule_message *message)
{
	const sw_boxes box = {m->lowering->schedule->problem->formula.array[0].rank, 1, message->box};

	return message->to == SW_NODE_COPY || !keeps_alone(m, message->box) ||
		sw_region_add_boxes(&box, m->arena, &m->from[keeper_of(m, message)]);
}

/* Does something with each message that is looked at: those behind the last step, where there are some. */
static bool each_given(moving *m, const sw_schedule_messages *list,
	bool (*use)(moving *, const sw_schedule_message *))
{
	bool behind = false;

	for (int64_t k = list->count - list->outs; k < list->count; k++)
		behind = behind || (list->message[k].behind && is_given(m, &list->message[k]));
	for (int64_t k = list->count - list->outs; k < list->count; k++)
		if (list->message[k].behind == behind && is_given(m, &list->message[k]) && !use(m, &list->message[k]))
			return false;
	return true;
}

/* Are elements in several of the regions of devices? */
static bool find_shared(const moving *m, const sw_region *region, bool *shared)
{
	sw_region all = {m->lowering->schedule->problem->formula.array[0].rank, 0, NULL};
	int64_t size = 0;

	for (int64_t d = 0; d < m->mesh->devices; d++) {
		if (!sw_region_union(&all, &region[d], m->arena, &all))
			return false;
		size += sw_region_size(&region[d]);
	}
	*shared = size > sw_region_size(&all);
	return true;
}

static bool find_terms(moving *m)
{
	const struct sw_lowered *lowered = m->lowering->in;
	bool given, kept;

	if (!find_shared(m, m->from, &given) || !find_shared(m, m->to, &kept))
		return false;
	m->terms = lowered->reduces || given;
	m->apart = m->terms && kept && lowered->copy >= 0 && m->fetch != lowered->copy;
	return true;
}

static bool give_ends(moving *m)
{
	sw_schedule_messages list;

	return sw_lowering_messages(m->lowering, m->step, m->arena, &list) && each_given(m, &list, give) &&
		find_terms(m) && (!m->terms || each_given(m, &list, add_own_term));
}

/* ---- types ---- */

static bool has_some(const void *of, int64_t device)
{
	return ((const sw_region *)of)[device].count > 0;
}

static bool region_at(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	(void)arena;
	*region = ((const sw_region *)of)[device];
	return true;
}

static bool type_of(const moving *m, const sw_region *region, const sw_type *array, bool terms, sw_array_type *type,
	sw_diag *diag)
{
	const sw_formula_array *is = &m->lowering->schedule->problem->formula.array[m->lowering->fetch[m->fetch].array];
	const sw_holding_rule rule = {region_at, has_some, region, NULL};
	sw_distribution *words = SW_NEW(m->arena, sw_distribution, 1);
	sw_holding holding;

	if (words == NULL)
		return sw_diag_memory(diag);
	sw_holding_of_rule(m->mesh->devices, is->rank, is->size, &rule, &holding);
	if (!sw_distribution_of_holding(m->mesh, &holding, array, m->arena, words, diag))
		return false;
	if (terms && !sw_words_sum_each(m->mesh, m->arena, words))
		return sw_diag_memory(diag);
	*type = (sw_array_type){.known = true, .type = words->type, .words = words->tile ? NULL : words};
	type->type.dtype = array->dtype;
	type->type.dtype_given = array->dtype_given;
	return true;
}

static bool start(moving *m)
{
	int rank = m->lowering->schedule->problem->formula.array[m->lowering->fetch[m->fetch].array].rank;

	m->from = SW_NEW_ZERO(m->arena, sw_region, m->mesh->devices);
	m->to = SW_NEW_ZERO(m->arena, sw_region, m->mesh->devices);
	for (int64_t d = 0; m->from != NULL && m->to != NULL && d < m->mesh->devices; d++)
		m->from[d].rank = m->to[d].rank = rank;
	return m->from != NULL && m->to != NULL;
}

bool sw_lowering_ends(const sw_lowering *lowering, int fetch, int64_t step, const sw_type *array, sw_arena *arena,
	sw_array_type end[2], sw_diag *diag)
{
	moving m = {.lowering = lowering,
		.mesh = lowering->schedule->problem->mesh,
		.fetch = fetch,
		.step = step,
		.arena = arena};
	bool given = lowering->fetch[fetch].array == 0;
	const sw_formula_array *is = &lowering->schedule->problem->formula.array[lowering->fetch[fetch].array];

	assert(fetch >= 0 && fetch < lowering->fetches && step >= 0 && step < lowering->steps);
	if (m.mesh->devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what each of %lld devices has is too much to list",
			(long long)m.mesh->devices);
	if (!start(&m) || !(given ? give_ends : fetch_ends)(&m))
		return sw_diag_memory(diag);
	if (!m.moves)
		return sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "'%.*s' is not %s in this step", SW_STR_ARGS(is->name),
			given ? "sent" : "fetched");
	if (m.apart) {
		sw_diag_set(diag, SW_T11, (sw_span){0, 0},
			"each node adds terms of '%.*s' separately, which no type "
			"can express",
			SW_STR_ARGS(is->name));
		sw_diag_hint(diag, "`enter %.*s@1` is what moves between nodes", SW_STR_ARGS(is->name));
		return false;
	}
	return type_of(&m, m.from, array, m.terms, &end[0], diag) && type_of(&m, m.to, array, false, &end[1], diag);
}
