/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: which loops are on which axes, what a step is, when what is fetched, and where arrays lie.
 *
 * Source: seed 003, sections 3.3, 5.2 and 6.
 */
#include "schedule/lower.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "program/formula.h"

enum { MOST_BOXES = 1 << 16 };

/* ---- loops in space ---- */

static void describe_mesh(const sw_mesh *mesh, struct sw_lowered *out)
{
	out->levels = (int)sw_mesh_levels(mesh);
	out->axes = mesh->count;
	for (int axis = 0; axis < mesh->count; axis++)
		out->size[axis] = mesh->axis[axis].size;
	for (int level = 0; level <= out->levels; level++) {
		int axes = 0;
		while (axes < mesh->count && mesh->axis[axes].level < level)
			axes++;
		out->level_axes[level] = axes;
		out->units[level] = sw_schedule_units(mesh, level);
	}
}

static bool refuse_many(const struct sw_lowered *lowered, int spaces, sw_diag *diag)
{
	sw_diag_set(diag, SW_D35, (sw_span){0, 0}, "%d loops are in space, but the mesh has %d %s", spaces, lowered->axes,
		lowered->axes == 1 ? "axis" : "axes");
	sw_diag_expected(diag, "%d or fewer", lowered->axes);
	sw_diag_found(diag, "%d", spaces);
	sw_diag_hint(diag, "leave the others in time, or fuse two first: collapse");
	return false;
}

static bool refuse_extent(const sw_variable *is, const sw_axis *axis, sw_diag *diag)
{
	sw_diag_set(diag, SW_D36, (sw_span){0, 0},
		"loop '%.*s' has %" PRId64 " iterations, but axis '%s' has %" PRId64 " devices", SW_STR_ARGS(is->name),
		is->extent, axis->name, axis->size);
	sw_diag_expected(diag, "%" PRId64 " or fewer", axis->size);
	sw_diag_found(diag, "%" PRId64, is->extent);
	sw_diag_hint(diag,
		"for more pieces than devices divide(%.*s, %.*s_o, %.*s_i, %" PRId64 ") first, and distribute the outer loop",
		SW_STR_ARGS(is->name), SW_STR_ARGS(is->name), SW_STR_ARGS(is->name), axis->size);
	return false;
}

/* Puts loops in space on the axes, outer ones on outer axes. */
static bool place_loops(struct sw_lowered *out, sw_arena *arena, sw_diag *diag)
{
	const sw_schedule *schedule = out->schedule;
	int *space = SW_NEW(arena, int, schedule->loops);

	if (space == NULL)
		return sw_diag_memory(diag);
	for (int k = 0; k < schedule->loops; k++)
		if (schedule->loop[k].distributed)
			space[out->spaces++] = schedule->loop[k].variable;
	if (out->spaces > out->axes)
		return refuse_many(out, out->spaces, diag);
	for (int k = 0; k < out->spaces; k++)
		if (out->variable[space[k]].extent > out->size[k])
			return refuse_extent(&out->variable[space[k]], &schedule->problem->mesh->axis[k], diag);
	out->space = space;
	return true;
}

/* ---- fetches ---- */

/* The level at which a communicate under a loop works: how many levels have loops in space down to it, one at least. */
static int level_at(const struct sw_lowered *lowered, int loop)
{
	int spaces = 0, level = 1;

	for (int k = 0; k <= loop; k++)
		spaces += lowered->schedule->loop[k].distributed;
	while (spaces > lowered->level_axes[level])
		level++;
	return level;
}

/* The loop under which an array is fetched where no command says it: the innermost one that no kernel runs. */
static int naive_loop(const sw_schedule *schedule)
{
	int loop = schedule->loops - 1;

	while (loop >= 0 && schedule->loop[loop].leaf)
		loop--;
	return loop;
}

/* The outermost of the commands for an array at a level; -1: there is none. */
static int stated_loop(const struct sw_lowered *lowered, int array, int level)
{
	const sw_schedule *schedule = lowered->schedule;
	int found = -1;

	for (int n = 0; n < schedule->communicates; n++)
		for (int k = 0; k < schedule->loops && schedule->communicate[n].array == array; k++)
			if (schedule->loop[k].variable == schedule->communicate[n].variable && level_at(lowered, k) == level &&
				(found < 0 || k < found))
				found = k;
	return found;
}

static bool find_fetches(struct sw_lowered *out, sw_arena *arena)
{
	sw_fetch *fetch = SW_NEW_ZERO(arena, sw_fetch, (int64_t)out->formula->arrays * out->levels);

	if (fetch == NULL)
		return false;
	out->copy = -1;
	for (int array = 0; array < out->formula->arrays; array++)
		for (int level = 1; level <= out->levels; level++) {
			int loop = stated_loop(out, array, level);
			if (loop < 0 && level < out->levels)
				continue;
			if (array == 0)
				*(level == out->levels ? &out->out : &out->copy) = out->fetches;
			fetch[out->fetches++] = (sw_fetch){.array = array,
				.level = level,
				.loop = loop >= 0 ? loop : naive_loop(out->schedule),
				.stated = loop >= 0};
		}
	out->fetch = fetch;
	return true;
}

/* Steps: iterations of the loops in time down to the innermost fetch, and how many of them each fetch lasts. */
static bool count_steps(struct sw_lowered *out, sw_arena *arena, sw_diag *diag)
{
	const sw_schedule *schedule = out->schedule;
	sw_fetch *fetch = (sw_fetch *)out->fetch;
	int *time = SW_NEW(arena, int, schedule->loops), deepest = -1;
	int64_t *extent = SW_NEW(arena, int64_t, schedule->loops);

	if (time == NULL || extent == NULL)
		return sw_diag_memory(diag);
	for (int k = 0; k < out->fetches; k++) {
		deepest = fetch[k].loop > deepest ? fetch[k].loop : deepest;
		fetch[k].every = 1;
	}
	out->steps = 1;
	for (int k = 0; k <= deepest; k++) {
		const sw_schedule_loop *loop = &schedule->loop[k];
		if (loop->distributed)
			continue;
		time[out->times] = loop->variable;
		extent[out->times++] = loop->extent;
		if (__builtin_mul_overflow(out->steps, loop->extent, &out->steps))
			return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "there are more steps than 64 bits count");
		for (int n = 0; n < out->fetches; n++)
			if (fetch[n].loop < k)
				fetch[n].every *= loop->extent;
	}
	out->time = time;
	out->time_extent = extent;
	return true;
}

/* ---- variables ---- */

static bool list_variables(struct sw_lowered *out, sw_arena *arena)
{
	int *turn = SW_NEW(arena, int, out->variables), *fuse = SW_NEW(arena, int, out->variables);

	if (turn == NULL || fuse == NULL)
		return false;
	for (int v = 0; v < out->variables; v++)
		if (out->variable[v].kind == SW_VARIABLE_TURNED)
			turn[out->turns++] = v;
	for (int fused = out->variables - 1; fused >= 0; fused--)
		for (int v = 0; v < fused; v++)
			if (out->variable[v].kind == SW_VARIABLE_FIRST && out->variable[v].of == fused)
				fuse[out->fuses++] = v;
	out->turn = turn;
	out->fuse = fuse;
	return true;
}

static bool list_readings(struct sw_lowered *out, sw_arena *arena)
{
	const sw_formula *formula = out->formula;
	struct sw_reading *reading = SW_NEW_ZERO(arena, struct sw_reading, formula->accesses);

	if (reading == NULL)
		return false;
	for (int k = 0; k < formula->accesses; k++) {
		const sw_formula_access *access = &formula->access[k];
		reading[k].array = access->array;
		reading[k].rank = formula->array[access->array].rank;
		reading[k].lacks = access->term >= 0 ? sw_formula_lacks(formula, access->term) : 0;
		for (int d = 0; d < reading[k].rank; d++)
			reading[k].letter[d] = sw_formula_letter(formula, access->index[d].letter);
	}
	out->reading = reading;
	return true;
}

/* Which fetches have bounds that follow from one access. */
static bool find_single(struct sw_lowered *out, sw_arena *arena)
{
	out->only = SW_NEW_ZERO(arena, const struct sw_reading *, out->fetches);
	for (int fetch = 0; fetch < out->fetches && out->only != NULL; fetch++) {
		int accesses = 0;
		for (int k = 0; k < out->formula->accesses; k++)
			if (out->reading[k].array == out->fetch[fetch].array) {
				accesses++;
				out->only[fetch] = &out->reading[k];
			}
		if (accesses != 1 || out->fuses > 0 || out->only[fetch]->lacks != 0)
			out->only[fetch] = NULL;
	}
	return out->only != NULL;
}

static bool list_coordinates(struct sw_lowered *out, sw_arena *arena)
{
	int64_t processors = out->units[out->levels];
	int32_t *at = SW_NEW(arena, int32_t, processors * out->axes);

	if (at == NULL)
		return false;
	memset(at, 0, (size_t)out->axes * sizeof *at);
	for (int64_t p = 1; p < processors; p++) {
		int32_t *here = at + p * out->axes;
		memcpy(here, here - out->axes, (size_t)out->axes * sizeof *at);
		for (int axis = out->axes - 1; axis >= 0 && ++here[axis] == out->size[axis]; axis--)
			here[axis] = 0;
	}
	out->coordinate = at;
	return true;
}

static bool make_frames(struct sw_lowered *out, sw_arena *arena)
{
	int deepest = -1;

	out->frame = SW_NEW_ZERO(arena, const sw_frame *, out->fetches);
	if (out->frame == NULL)
		return false;
	for (int k = 0; k < out->fetches; k++) {
		deepest = out->fetch[k].loop > deepest ? out->fetch[k].loop : deepest;
		out->frame[k] = sw_frame_of(out, out->fetch[k].level, out->fetch[k].loop, arena);
		if (out->frame[k] == NULL)
			return false;
	}
	out->step = sw_frame_of(out, out->levels, deepest, arena);
	out->whole = sw_frame_of(out, out->levels, -1, arena);
	for (int k = 0; k < out->spaces; k++)
		out->reduces = out->reduces || out->variable[out->space[k]].summed;
	return out->step != NULL && out->whole != NULL;
}

/* ---- homes ---- */

/* Adds the boxes of a product of indices, dimension after dimension. */
static bool add_boxes(const sw_region *region, int product, int d, int64_t *box, sw_box_list *list)
{
	if (d == region->rank)
		return sw_box_list_add_copy(list, box);
	const sw_indices *set = &region->set[product * region->rank + d];
	for (int k = 0; k < set->count; k++)
		for (int64_t n = 0; n < set->family[k].count && list->count <= MOST_BOXES; n++) {
			box[2 * d] = set->family[k].first + n * set->family[k].step;
			box[2 * d + 1] = box[2 * d] + set->family[k].run;
			if (!add_boxes(region, product, d + 1, box, list))
				return false;
		}
	return true;
}

static bool add_home(const sw_holding *holding, int64_t device, sw_arena *scratch, sw_box_list *list)
{
	int64_t offset[SW_MAX_DIMS], box[2 * SW_MAX_DIMS];
	sw_region region;

	if (sw_holding_offset(holding, device, offset)) {
		for (int d = 0; d < holding->rank; d++) {
			box[2 * d] = offset[d];
			box[2 * d + 1] = offset[d] + holding->tile[d];
		}
		return sw_box_list_add_copy(list, box);
	}
	sw_arena_mark mark = sw_arena_here(scratch);
	bool added = sw_holding_region(holding, device, scratch, &region);
	for (int product = 0; added && product < region.count; product++)
		added = add_boxes(&region, product, 0, box, list);
	sw_arena_back(scratch, mark);
	return added;
}

static bool start_table(int64_t units, int rank, sw_arena *arena, sw_box_table *table)
{
	*table = (sw_box_table){.units = units, .list = {.arena = arena, .rank = rank, .room = (int)units}};
	table->first = SW_NEW(arena, int32_t, units + 1);
	table->list.at = SW_NEW(arena, int64_t, units * 2 * (rank > 0 ? rank : 1));
	return table->first != NULL && table->list.at != NULL;
}

static bool home_of_processors(struct sw_lowered *out, int array, sw_arena *arena, sw_arena *scratch, sw_diag *diag)
{
	const sw_holding *holding = out->schedule->problem->home[array];
	sw_box_table *table = &out->home[array * (out->levels + 1) + out->levels];

	if (!start_table(out->units[out->levels], out->formula->array[array].rank, arena, table))
		return sw_diag_memory(diag);
	for (int64_t unit = 0; unit < table->units; unit++) {
		table->first[unit] = table->list.count;
		if (!add_home(holding, unit, scratch, &table->list))
			return sw_diag_memory(diag);
		if (table->list.count - table->first[unit] > MOST_BOXES) {
			sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "'%.*s' is more than %d boxes on device %" PRId64,
				SW_STR_ARGS(out->formula->array[array].name), MOST_BOXES, unit);
			return false;
		}
	}
	table->first[table->units] = table->list.count;
	return true;
}

/* A unit of an outer level has what the processors in it have, each box once. */
static bool home_of_units(struct sw_lowered *out, int array, int level, sw_arena *arena)
{
	const sw_box_table *inner = &out->home[array * (out->levels + 1) + out->levels];
	sw_box_table *table = &out->home[array * (out->levels + 1) + level];
	int64_t inside = inner->units / out->units[level];
	int rank = inner->list.rank;

	if (!start_table(out->units[level], rank, arena, table))
		return false;
	for (int64_t unit = 0; unit < table->units; unit++) {
		sw_box_list one = {.arena = arena, .rank = rank};
		table->first[unit] = table->list.count;
		for (int32_t k = inner->first[unit * inside]; k < inner->first[(unit + 1) * inside]; k++) {
			const int64_t *box = inner->list.at + (int64_t)k * 2 * rank;
			if (!sw_box_list_has(&one, box) &&
				(!sw_box_list_add_copy(&one, box) || !sw_box_list_add_copy(&table->list, box)))
				return false;
		}
	}
	table->first[table->units] = table->list.count;
	return true;
}

static bool find_homes(struct sw_lowered *out, sw_arena *arena, sw_diag *diag)
{
	int tables = out->formula->arrays * (out->levels + 1);
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL;

	out->home = SW_NEW_ZERO(arena, sw_box_table, tables);
	out->home_index = SW_NEW_ZERO(arena, sw_box_index, tables);
	if (!done || out->home == NULL || out->home_index == NULL)
		return sw_diag_memory(diag);
	for (int array = 0; array < out->formula->arrays && done; array++) {
		done = home_of_processors(out, array, arena, scratch, diag);
		for (int level = 1; level <= out->levels && done; level++) {
			int table = array * (out->levels + 1) + level;
			done = (level == out->levels || home_of_units(out, array, level, arena) || sw_diag_memory(diag)) &&
				(sw_box_index_of(&out->home[table], arena, &out->home_index[table]) || sw_diag_memory(diag));
		}
	}
	sw_arena_free(scratch);
	return done;
}

/* ---- the whole ---- */

static bool check_processors(const struct sw_lowered *lowered, sw_diag *diag)
{
	if (lowered->units[lowered->levels] <= SW_MAX_MAP_DEVICES)
		return true;
	sw_diag_set(diag, SW_S08, (sw_span){0, 0},
		"%" PRId64 " devices are more than %" PRId64 ", the most whose arrays can be located",
		lowered->units[lowered->levels], SW_MAX_MAP_DEVICES);
	sw_diag_hint(diag,
		"the algorithms have formulas for up to 2^40 devices: `schedule cannon m=N n=N k=N` on that mesh");
	return false;
}

static const sw_lowering *finish(struct sw_lowered *out, sw_arena *arena)
{
	sw_lowering *lowering = SW_NEW_ZERO(arena, sw_lowering, 1);
	int *time = SW_NEW(arena, int, out->times), *space = SW_NEW(arena, int, out->spaces);

	if (lowering == NULL || time == NULL || space == NULL)
		return NULL;
	for (int k = 0; k < out->times; k++)
		time[k] = sw_schedule_find(out->schedule, out->variable[out->time[k]].name);
	for (int k = 0; k < out->spaces; k++)
		space[k] = sw_schedule_find(out->schedule, out->variable[out->space[k]].name);
	*lowering = (sw_lowering){.schedule = out->schedule,
		.senders = SW_SENDER_NEAREST,
		.steps = out->steps,
		.times = out->times,
		.time = time,
		.spaces = out->spaces,
		.space = space,
		.fetches = out->fetches,
		.fetch = out->fetch,
		.in = out};
	return lowering;
}

const sw_lowering *sw_lowering_of(const sw_schedule *schedule, sw_arena *arena, sw_diag *diag)
{
	struct sw_lowered *out = SW_NEW_ZERO(arena, struct sw_lowered, 1);
	const sw_lowering *lowering = NULL;

	assert(schedule != NULL);
	if (out == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	out->schedule = schedule;
	out->formula = &schedule->problem->formula;
	out->variable = schedule->state->variable;
	out->variables = schedule->state->variables;
	describe_mesh(schedule->problem->mesh, out);
	if (!place_loops(out, arena, diag))
		return NULL;
	if (!find_fetches(out, arena)) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (!count_steps(out, arena, diag) || !check_processors(out, diag))
		return NULL;
	if (list_variables(out, arena) && list_readings(out, arena) && find_single(out, arena) &&
		make_frames(out, arena) && list_coordinates(out, arena)) {
		if (!find_homes(out, arena, diag))
			return NULL;
		lowering = finish(out, arena);
	}
	if (lowering == NULL)
		sw_diag_memory(diag);
	return lowering;
}

/* ---- what a step is ---- */

void sw_lowering_at(const sw_lowering *lowering, int64_t step, int64_t *value)
{
	assert(step >= 0 && step < lowering->steps);
	for (int k = lowering->times - 1; k >= 0; k--) {
		value[k] = step % lowering->in->time_extent[k];
		step /= lowering->in->time_extent[k];
	}
}

void sw_lowered_time(const struct sw_lowered *lowered, int64_t step, int64_t *value)
{
	for (int k = lowered->times - 1; k >= 0; k--) {
		value[lowered->time[k]] = step % lowered->time_extent[k];
		step /= lowered->time_extent[k];
	}
}

bool sw_lowered_place(const struct sw_lowered *lowered, int level, int64_t unit, int64_t *value)
{
	const int32_t *at = sw_lowered_coordinates(lowered, level, unit);
	bool busy = true;

	for (int axis = 0; axis < lowered->level_axes[level]; axis++)
		if (axis < lowered->spaces) {
			busy = busy && at[axis] < lowered->variable[lowered->space[axis]].extent;
			value[lowered->space[axis]] = at[axis];
		} else
			busy = busy && at[axis] == 0;
	return busy;
}

int sw_lowering_find(const sw_lowering *lowering, int array, int level)
{
	for (int k = 0; k < lowering->fetches; k++)
		if (lowering->fetch[k].array == array && lowering->fetch[k].level == level)
			return k;
	return -1;
}

bool sw_lowering_idle(const sw_lowering *lowering, int level, int64_t unit)
{
	int64_t value[SW_MAX_VARIABLES] = {0};

	return !sw_lowered_place(lowering->in, level, unit, value);
}

void sw_lowering_home(const sw_lowering *lowering, int array, int level, int64_t unit, sw_boxes *home)
{
	*home = sw_lowered_home(lowering->in, array, level, unit);
}
