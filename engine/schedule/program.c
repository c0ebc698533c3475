/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lowered schedule as steps of a program: what is fetched into buffers, which live until they are read for the last time, what is computed,
 * and what is given away.
 *
 * What the next step of the schedule reads is fetched before this one is computed, so that both can be done at once.
 */
#include "schedule/program.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>
#include <shardwalk/schedule_program.h>

#include "array/distribution.h"
#include "program/ops.h"
#include "program/typing.h"
#include "schedule/lower.h"

/* ---- units and fetches ---- */

int64_t sw_unit_devices(const sw_mesh *mesh, int level)
{
	return mesh->devices / sw_schedule_units(mesh, level);
}

int64_t sw_unit_first(const sw_mesh *mesh, int level, int64_t unit)
{
	return unit * sw_unit_devices(mesh, level);
}

int sw_fetch_inner(const sw_lowering *lowering, int array)
{
	int inner = -1;

	for (int f = 0; f < lowering->fetches; f++)
		if (lowering->fetch[f].array == array &&
			(inner < 0 || lowering->fetch[f].level > lowering->fetch[inner].level))
			inner = f;
	return inner;
}

int sw_fetch_outer(const sw_lowering *lowering, int fetch)
{
	const sw_fetch *of = &lowering->fetch[fetch];
	int outer = -1;

	for (int f = 0; f < lowering->fetches; f++)
		if (lowering->fetch[f].array == of->array && lowering->fetch[f].level < of->level &&
			(outer < 0 || lowering->fetch[f].level > lowering->fetch[outer].level))
			outer = f;
	return outer;
}

bool sw_region_of_boxes(const sw_boxes *boxes, sw_arena *arena, sw_region *region)
{
	int rank = boxes->rank;
	sw_indices *set = SW_NEW(arena, sw_indices, (int64_t)boxes->count * rank + 1);
	sw_family *family = SW_NEW(arena, sw_family, (int64_t)boxes->count * rank + 1);
	int count = 0;

	if (set == NULL || family == NULL)
		return false;
	for (int n = 0; n < boxes->count; n++) {
		bool empty = false;
		for (int d = 0; d < rank; d++) {
			const int64_t *at = boxes->at + 2 * ((int64_t)n * rank + d);
			set[count * rank + d] = sw_indices_range(at[0], at[1], &family[count * rank + d]);
			empty = empty || at[0] >= at[1];
		}
		count += !empty;
	}
	*region = (sw_region){rank, count, set};
	return true;
}

/* ---- what is unrolled ---- */

typedef struct unrolling {
	sw_typing *typing;
	const sw_lowering *lowering;
	const sw_formula *formula;
	const sw_value *value; /* that the statement makes */
	const sw_array_type *left;
	sw_span at;
	sw_diag *diag;
	int *home;          /* of each array, the value that has it as it was; of the left side where it is added up */
	int *buffer, *next; /* of each fetch, the value fetched last; and those of the next step.  -1: nothing is kept */
	bool in_place;
} unrolling;

/* What devices keep of a fetch. */
typedef struct kept {
	const sw_region *region;
} kept;

static bool kept_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	(void)arena;
	*region = ((const kept *)of)->region[device];
	return true;
}

static bool kept_defined(const void *of, int64_t device)
{
	const sw_region *region = &((const kept *)of)->region[device];

	return region->rank > 0 || region->count > 0;
}

bool sw_region_add_boxes(const sw_boxes *boxes, sw_arena *arena, sw_region *region)
{
	bool made = true;

	for (int n = 0; n < boxes->count && made; n++) {
		const sw_boxes one = {boxes->rank, 1, boxes->at + (int64_t)n * 2 * boxes->rank};
		sw_region box;
		made = sw_region_of_boxes(&one, arena, &box) && sw_region_union(region, &box, arena, region);
	}
	return made;
}

/* What a unit keeps of a fetch: of the left side all that it adds up. */
static bool boxes_kept(const unrolling *u, int f, int64_t step, int64_t unit, sw_boxes *boxes)
{
	const struct sw_lowered *lowered = u->lowering->in;
	sw_box_list list = {.arena = u->typing->arena, .rank = u->formula->array[u->lowering->fetch[f].array].rank};

	if (f != lowered->copy)
		return (u->lowering->fetch[f].array == 0 ? sw_lowering_need : sw_lowering_buffer)(u->lowering, f, step, unit,
			u->typing->arena, boxes);
	if (!sw_lowered_copy(lowered, step, INT64_MAX, unit, &list))
		return false;
	*boxes = (sw_boxes){list.rank, list.count, list.at};
	return true;
}

/* The boxes of each unit are on its first device; *any: there are some.  What a device adds up it has all of that it makes. */
static bool keep(const unrolling *u, int f, int64_t step, kept *out, bool *any)
{
	const sw_fetch *fetch = &u->lowering->fetch[f];
	const sw_mesh *mesh = u->lowering->schedule->problem->mesh;
	sw_region *region = SW_NEW_ZERO(u->typing->arena, sw_region, mesh->devices);
	sw_boxes boxes;

	*any = false;
	for (int64_t d = 0; region != NULL && d < mesh->devices; d++)
		region[d].rank = u->formula->array[fetch->array].rank;
	for (int64_t unit = 0; region != NULL && unit < sw_schedule_units(mesh, fetch->level); unit++) {
		sw_region *of = &region[sw_unit_first(mesh, fetch->level, unit)];
		if (!boxes_kept(u, f, step, unit, &boxes) || !sw_region_add_boxes(&boxes, u->typing->arena, of))
			return false;
		*any = *any || of->count > 0;
	}
	out->region = region;
	return region != NULL;
}

/* ---- types ---- */

bool sw_words_sum_each(const sw_mesh *mesh, sw_arena *arena, sw_distribution *words)
{
	sw_distribution whole = *words;

	if (words->tile && !sw_distribution_of_type(mesh, &words->type, arena, &whole))
		return false;
	sw_distribution_member *member = SW_NEW(arena, sw_distribution_member, whole.members);
	if (member == NULL)
		return false;
	for (int n = 0; n < whole.members; n++) {
		member[n] = whole.member[n];
		member[n].each = true;
	}
	*words = whole;
	words->tile = false;
	words->each = true;
	words->member = member;
	return true;
}

static const sw_type *array_type(const unrolling *u, int array)
{
	return array == 0 ? &u->left->type : u->typing->program->value[u->home[array]].type;
}

/* The type of what is kept, device by device where it is none of tiles. */
static bool type_of_kept(const unrolling *u, int array, const kept *has, sw_array_type *type)
{
	const sw_formula_array *is = &u->formula->array[array];
	const sw_mesh *mesh = &u->typing->program->mesh;
	const sw_holding_rule rule = {kept_region, kept_defined, has, NULL};
	sw_distribution *words = SW_NEW(u->typing->arena, sw_distribution, 1);
	sw_holding holding;

	if (words == NULL)
		return sw_diag_memory(u->diag);
	sw_holding_of_rule(mesh->devices, is->rank, is->size, &rule, &holding);
	if (!sw_distribution_of_holding(mesh, &holding, array_type(u, array), u->typing->arena, words, u->diag))
		return false;
	if (array == 0 && !sw_words_sum_each(mesh, u->typing->arena, words))
		return sw_diag_memory(u->diag);
	type->type = words->type;
	type->type.dtype = array_type(u, array)->dtype;
	type->type.dtype_given = array_type(u, array)->dtype_given;
	type->words = words->tile ? NULL : words;
	return true;
}

/* ---- steps ---- */

/* A name of its own: `B_2` is what is fetched for step 2. */
static sw_str name_of(const unrolling *u, int array, const char *what, int64_t step)
{
	sw_text text = {0};

	sw_text_add_str(&text, u->formula->array[array].name);
	sw_text_addf(&text, "_%s%lld", what, (long long)step);
	const char *name = sw_text_keep(&text, u->typing->arena);
	return name != NULL ? sw_str_of(name) : (sw_str){NULL, 0};
}

static int *no_operands(const unrolling *u, int count)
{
	int *operand = SW_NEW(u->typing->arena, int, count + 1);

	for (int i = 0; operand != NULL && i < count; i++)
		operand[i] = SW_NO_OPERAND;
	return operand;
}

/* A step that reads these values, of which some may be none. */
typedef struct making {
	sw_step step;
	sw_iteration *iteration;
	int *home, *buffer;
} making;

static bool make(const unrolling *u, sw_does does, int64_t step, int fetch, making *m)
{
	sw_iteration *iteration = SW_NEW_ZERO(u->typing->arena, sw_iteration, 1);

	m->home = no_operands(u, u->formula->arrays);
	m->buffer = no_operands(u, u->lowering->fetches);
	m->iteration = iteration;
	if (iteration == NULL || m->home == NULL || m->buffer == NULL)
		return sw_diag_memory(u->diag);
	*iteration = (sw_iteration){.does = does,
		.lowering = u->lowering,
		.step = step,
		.fetch = fetch,
		.home = m->home,
		.buffer = m->buffer,
		.in_place = u->in_place};
	m->step = (sw_step){.op = sw_op_that_does(does), .at = u->at, .iteration = iteration};
	return true;
}

static void read_value(making *m, int value, int *operand)
{
	assert(value < 0 || m->step.operands < SW_MAX_OPERANDS);
	if (value < 0)
		return;
	*operand = m->step.operands;
	m->step.operand[m->step.operands++] = value;
}

static int add(const unrolling *u, const making *m, sw_str name, const sw_array_type *type)
{
	sw_value value = {.name = name, .at = u->value->at, .words = type->words};

	if (name.at == NULL) {
		sw_diag_memory(u->diag);
		return -1;
	}
	if (m->iteration->last) {
		value = *u->value;
		value.words = type->words;
	}
	return sw_typing_add(u->typing, &m->step, &value, &type->type, u->diag);
}

/* The left side is 0. */
static bool start(unrolling *u)
{
	making m;

	if (u->home[0] >= 0)
		return true;
	if (!make(u, SW_DOES_START, 0, -1, &m))
		return false;
	u->home[0] = add(u, &m, name_of(u, 0, "start", 0), u->left);
	return u->home[0] >= 0;
}

/* What a fetch brings for a step is read from homes, from what it brought before, and from the copy of the node. */
static bool fetch(unrolling *u, int f, int64_t step)
{
	int array = u->lowering->fetch[f].array, outer = sw_fetch_outer(u->lowering, f);
	kept *brought = SW_NEW(u->typing->arena, kept, 1);
	sw_array_type type;
	making m;
	bool any;

	if (brought == NULL || !keep(u, f, step, brought, &any))
		return sw_diag_memory(u->diag);
	if (!any) {
		u->next[f] = -1;
		return true;
	}
	if (!type_of_kept(u, array, brought, &type) || !make(u, SW_DOES_FETCH, step, f, &m))
		return false;
	read_value(&m, u->home[array], &m.home[array]);
	read_value(&m, u->buffer[f], &m.buffer[f]);
	if (outer >= 0)
		read_value(&m, u->next[outer], &m.buffer[outer]);
	u->next[f] = add(u, &m, name_of(u, array, u->lowering->fetch[f].level > 1 ? "at" : "for", step), &type);
	return u->next[f] >= 0;
}

/* All that begins in this step, outer levels first. */
static bool fetch_all(unrolling *u, int64_t step)
{
	bool made = true;

	memcpy(u->next, u->buffer, (size_t)u->lowering->fetches * sizeof *u->next);
	for (int f = 0; f < u->lowering->fetches && made && step < u->lowering->steps; f++)
		if (u->lowering->fetch[f].array > 0 && sw_fetch_begins(&u->lowering->fetch[f], step))
			made = fetch(u, f, step);
	return made;
}

/* Where the left side is added up, if that is not where it is kept. */
static bool add_up(unrolling *u, int f, int64_t step, kept *made, sw_array_type *type)
{
	bool any;

	if (!keep(u, f, step, made, &any))
		return sw_diag_memory(u->diag);
	return type_of_kept(u, 0, made, type);
}

static bool leaf(unrolling *u, int64_t step)
{
	int inner = sw_fetch_inner(u->lowering, 0);
	kept *made = SW_NEW(u->typing->arena, kept, 1);
	sw_array_type type = *u->left;
	making m;

	if (made == NULL || !make(u, SW_DOES_LEAF, step, -1, &m))
		return sw_diag_memory(u->diag);
	if (!u->in_place && !add_up(u, inner, step, made, &type))
		return false;
	read_value(&m, u->home[0], &m.home[0]);
	read_value(&m, u->in_place ? -1 : u->buffer[inner], &m.buffer[inner]);
	for (int k = 1; k < u->formula->arrays; k++) {
		int f = sw_fetch_inner(u->lowering, k);
		read_value(&m, u->home[k], &m.home[k]);
		if (f >= 0)
			read_value(&m, u->buffer[f], &m.buffer[f]);
	}
	m.iteration->last = u->in_place && step + 1 == u->lowering->steps;
	int value = add(u, &m, name_of(u, 0, "after", step), &type);
	*(u->in_place ? &u->home[0] : &u->buffer[inner]) = value;
	return value >= 0;
}

/* What was added up is given to who keeps it, or to the copies of nodes, by which the rest goes. */
static bool give(unrolling *u, int f, int64_t step, bool to_copies)
{
	int inner = sw_fetch_inner(u->lowering, 0), outer = sw_fetch_outer(u->lowering, inner);
	kept *made = SW_NEW(u->typing->arena, kept, 1);
	sw_array_type type = *u->left;
	making m;

	if (made == NULL || !make(u, SW_DOES_GIVE, step, f, &m))
		return sw_diag_memory(u->diag);
	if (to_copies && !add_up(u, outer, sw_smaller(step, u->lowering->steps - 1), made, &type))
		return false;
	read_value(&m, u->home[0], &m.home[0]);
	read_value(&m, u->buffer[f], &m.buffer[f]);
	if (to_copies)
		read_value(&m, u->buffer[outer], &m.buffer[outer]);
	m.iteration->to_copies = to_copies;
	m.iteration->last = step == u->lowering->steps && f == (outer >= 0 ? outer : inner);
	int value = add(u, &m, name_of(u, 0, to_copies ? "node" : f == outer ? "nodes" : "given", step), &type);
	*(to_copies ? &u->buffer[outer] : &u->home[0]) = value;
	return value >= 0;
}

/* Before a step, or behind the last one. */
static bool give_all(unrolling *u, int64_t step)
{
	int inner = sw_fetch_inner(u->lowering, 0), outer = sw_fetch_outer(u->lowering, inner);
	bool last = step == u->lowering->steps, given = true;

	if (u->in_place)
		return true;
	if (outer >= 0 && !last && u->buffer[outer] >= 0 && sw_fetch_begins(&u->lowering->fetch[outer], step) &&
		!give(u, outer, step, false))
		return false;
	if (last || sw_fetch_begins(&u->lowering->fetch[inner], step))
		given = (outer < 0 || give(u, inner, step, true)) && give(u, inner, step, false);
	return given && (outer < 0 || !last || give(u, outer, step, false));
}

/* Is the left side always added up where it is kept? */
static bool is_in_place(const unrolling *u, bool *in_place)
{
	int f = sw_fetch_inner(u->lowering, 0);
	const sw_fetch *fetch = &u->lowering->fetch[f];
	int64_t units = sw_schedule_units(u->lowering->schedule->problem->mesh, fetch->level);
	sw_boxes boxes;

	*in_place = sw_fetch_outer(u->lowering, f) < 0;
	for (int64_t step = 0; *in_place && step < u->lowering->steps; step += fetch->every)
		for (int64_t unit = 0; *in_place && unit < units; unit++) {
			sw_arena_mark mark = sw_arena_here(u->typing->arena);
			if (!sw_lowering_need(u->lowering, f, step, unit, u->typing->arena, &boxes))
				return false;
			*in_place = boxes.count == 0 ||
				sw_lowered_in_place(u->lowering->in, fetch->level, unit, &boxes, u->typing->arena);
			sw_arena_back(u->typing->arena, mark);
		}
	return true;
}

/* ---- the whole ---- */

static bool refuse_length(const unrolling *u)
{
	const sw_lowering *lowering = u->lowering;
	int64_t devices = lowering->schedule->problem->mesh->devices, all;

	if (sw_mul(lowering->steps, devices, &all) && all <= SW_MAX_ITERATIONS)
		return true;
	sw_diag_set(u->diag, SW_S08, u->at, "a schedule of %lld steps on %lld devices is too long to run",
		(long long)lowering->steps, (long long)devices);
	sw_diag_expected(u->diag, "at most %d steps of a device in all", SW_MAX_ITERATIONS);
	return false;
}

static bool refuse_arrays(const unrolling *u)
{
	int operands = 2;

	for (int k = 1; k < u->formula->arrays; k++)
		operands += 2;
	return operands <= SW_MAX_OPERANDS ||
		sw_diag_set(u->diag, SW_F14, u->at, "a schedule of more than %d arrays cannot run", SW_MAX_OPERANDS / 2);
}

static bool unroll(unrolling *u)
{
	bool made = is_in_place(u, &u->in_place) || sw_diag_memory(u->diag);

	made = made && start(u) && fetch_all(u, 0);
	for (int64_t step = 0; step < u->lowering->steps && made; step++) {
		for (int f = 0; f < u->lowering->fetches; f++)
			if (u->lowering->fetch[f].array > 0)
				u->buffer[f] = u->next[f];
		made = (step == 0 || give_all(u, step)) && fetch_all(u, step + 1) && leaf(u, step);
	}
	return made && give_all(u, u->lowering->steps);
}

int sw_typing_schedule(sw_typing *typing, const sw_lowering *lowering, const int *of, sw_span at,
	const sw_value *value, const sw_array_type *left, sw_diag *diag)
{
	const sw_formula *formula = &lowering->schedule->problem->formula;
	unrolling u = {typing, lowering, formula, value, left, at, diag, NULL, NULL, NULL, false};

	u.home = SW_NEW(typing->arena, int, formula->arrays);
	u.buffer = SW_NEW(typing->arena, int, lowering->fetches + 1);
	u.next = SW_NEW(typing->arena, int, lowering->fetches + 1);
	if (u.home == NULL || u.buffer == NULL || u.next == NULL) {
		sw_diag_memory(diag);
		return -1;
	}
	memcpy(u.home, of, (size_t)formula->arrays * sizeof *of);
	for (int f = 0; f < lowering->fetches; f++)
		u.buffer[f] = u.next[f] = -1;
	return refuse_length(&u) && refuse_arrays(&u) && unroll(&u) ? u.home[0] : -1;
}

/* ---- of a schedule ---- */

/* The arrays that are read are inputs. */
static bool add_inputs(sw_typing *typing, const sw_formula *formula, const sw_array_type *type, int *of)
{
	bool added = true;

	for (int k = 0; k < formula->arrays && added; k++) {
		const sw_value value = {.name = formula->array[k].name, .type = &type[k].type, .words = type[k].words};
		of[k] = -1;
		if (k == 0 && !formula->adds)
			continue;
		of[k] = typing->program->values;
		added = sw_typing_input(typing, &value);
	}
	return added;
}

bool sw_program_of_schedule(const sw_schedule *schedule, const sw_array_type *type, sw_arena *arena,
	sw_program *program, sw_diag *diag)
{
	const sw_formula *formula = &schedule->problem->formula;
	const sw_lowering *lowering = sw_lowering_of(schedule, arena, diag);
	sw_typing *typing = SW_NEW_ZERO(arena, sw_typing, 1);
	int *of = SW_NEW(arena, int, formula->arrays);
	const sw_value value = {.name = formula->array[0].name, .given = true};

	if (lowering == NULL)
		return false;
	*program = (sw_program){.mesh = *schedule->problem->mesh, .name = sw_str_of("main")};
	if (typing == NULL || of == NULL)
		return sw_diag_memory(diag);
	typing->program = program;
	typing->arena = arena;
	typing->likely = 16;
	if (!add_inputs(typing, formula, type, of))
		return sw_diag_memory(diag);
	int made = sw_typing_schedule(typing, lowering, of, (sw_span){0, 0}, &value, &type[0], diag);
	return made >= 0 && sw_typing_return(typing, made, NULL, NULL, false, diag) && sw_typing_finish(typing, diag);
}
