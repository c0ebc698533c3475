/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan from the steps of a chain: a mesh by common refinement of both ends, types where what the devices hold is
 * one, and maps where it is not.
 */
#include "foreign/module/hlo_parts.h"
#include "step/entries.h"
#include "step/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/notation.h>
#include <shardwalk/number.h>

typedef struct planning {
	graph_reading *r;
	const hlo_value *from;
	const hlo_step *step;
	int count;
	int32_t *slot; /* of the mesh, in which each device is */
	sw_type shape;
	sw_plan plan;
} planning;

static bool refuse(const char **reason, const char *why)
{
	*reason = why;
	return false;
}

/* ---- what devices hold, as a sharding ---- */

typedef struct held {
	int64_t tile, term;
	int64_t device;
} held;

static int compare_held(const void *a, const void *b)
{
	const held *x = a, *y = b;
	if (x->tile != y->tile)
		return x->tile < y->tile ? -1 : 1;
	return x->term != y->term ? (x->term < y->term ? -1 : 1) : (x->device > y->device) - (x->device < y->device);
}

/* The devices in the order of the tiles they hold before step `k`, and of the terms of each; false where these are not evenly
 * held. */
static bool tiles_list(const planning *p, int k, const int64_t *base, const int64_t *tile, held *list)
{
	int64_t terms = hlo_terms_before(p->step, p->count, k);
	int rank = p->from->rank;
	int64_t devices = p->r->devices, tiles = 1;
	for (int i = 0; i < rank; i++)
		if (p->from->global[i] % tile[i] != 0 || !sw_mul(tiles, p->from->global[i] / tile[i], &tiles) ||
			tiles > devices)
			return false;
	if (devices % tiles != 0 || devices / tiles % terms != 0)
		return false;
	for (int64_t d = 0; d < devices; d++) {
		list[d] = (held){0, hlo_term_before(p->step, p->count, k, d), d};
		for (int i = 0; i < rank; i++) {
			int64_t at = base ? base[d * rank + i] : 0;
			if (at < 0 || at % tile[i] != 0 || at >= p->from->global[i])
				return false;
			list[d].tile = list[d].tile * (p->from->global[i] / tile[i]) + at / tile[i];
		}
	}
	qsort(list, (size_t)devices, sizeof(*list), compare_held);
	for (int64_t d = 0; d < devices; d++)
		if (list[d].tile != d / (devices / tiles) || list[d].term != d / (devices / tiles / terms) % terms)
			return false;
	return true;
}

/* A sharding that lists its devices, before step `k`; NULL where tiles are not evenly held. */
static sw_sharding *sharding_of(const planning *p, int k, const int64_t *base, const int64_t *tile)
{
	int64_t terms = hlo_terms_before(p->step, p->count, k);
	graph_reading *r = p->r;
	int rank = p->from->rank;
	sw_sharding *s = SW_NEW_ZERO(r->brief, sw_sharding, 1);
	held *list = SW_NEW(r->brief, held, r->devices);
	int64_t *ids = SW_NEW(r->brief, int64_t, r->devices), copies = r->devices;
	if (!s || !list || !ids) {
		r->failed = true;
		return NULL;
	}
	if (!tiles_list(p, k, base, tile, list))
		return NULL;
	for (int64_t d = 0; d < r->devices; d++)
		ids[d] = list[d].device;
	s->mesh.devices = 1;
	for (int i = 0; i < rank; i++) {
		char name[SW_NAME_SIZE];
		int64_t cuts = p->from->global[i] / tile[i];
		snprintf(name, sizeof(name), "d%d", i);
		if (!sw_mesh_add(&s->mesh, sw_str_of(name), cuts, NULL))
			return NULL;
		s->first[i + 1] = s->first[i] + (cuts > 1);
		if (cuts > 1)
			s->parts[s->first[i]] = (sw_part){i, 1, cuts};
		copies /= cuts;
		s->priority[i] = -1;
	}
	s->first[rank + 1] = s->first[rank] + (terms > 1);
	s->parts[s->first[rank]] = (sw_part){rank, 1, terms};
	s->subgroup[s->subgroups++] = SW_SUBGROUP_UNREDUCED;
	if (!sw_mesh_add(&s->mesh, sw_str_of("terms"), terms, NULL) ||
		!sw_mesh_add(&s->mesh, sw_str_of("copies"), copies / terms, NULL))
		return NULL;
	s->notation = SW_NOTATION_HLO_LIST;
	s->rank = rank;
	s->mesh.order = ids;
	return s;
}

/* ---- devices in slots ---- */

/* The plan's own order, which lives as long as the chain. */
static bool slots_set(planning *p, const sw_reading *reading)
{
	graph_reading *r = p->r;
	if (!sw_device_order_copy(reading->problem.mesh.order, r->devices, r->arena, &p->plan.problem.mesh.order))
		return !(r->failed = true);
	p->slot = SW_NEW(r->brief, int32_t, r->devices);
	if (!p->slot)
		return !(r->failed = true);
	for (int64_t d = 0; d < r->devices; d++)
		p->slot[sw_device_at(p->plan.problem.mesh.order, d)] = (int32_t)d;
	return true;
}

static int64_t device_at(const planning *p, int64_t slot)
{
	return sw_device_at(p->plan.problem.mesh.order, slot);
}

/* ---- steps ---- */

static bool step_lists(planning *p, const hlo_step *from, sw_step *step)
{
	graph_reading *r = p->r;
	int32_t *list = from->member ? SW_NEW(r->arena, int32_t, r->devices) : NULL;
	if (!from->member)
		return true;
	if (!list)
		return !(r->failed = true);
	if (sw_row(from->op)->among == SW_AMONG_PAIRS) {
		for (int64_t d = 0; d < r->devices; d++)
			list[d] = p->slot[from->member[device_at(p, d)]];
		step->source = list;
		return true;
	}
	for (int64_t d = 0; d < r->devices; d++)
		list[d] = p->slot[from->member[d]];
	step->groups = list;
	step->group_size = from->size;
	return true;
}

/* Does every slot hold what the type says? */
static bool type_holds(const planning *p, const sw_type *type, const hlo_step *step)
{
	int64_t offset[SW_MAX_DIMS];
	if (sw_type_terms(type) != hlo_terms_before(p->step, p->count, (int)(step - p->step) + 1))
		return false;
	for (int64_t d = 0; d < p->r->devices; d++) {
		const int64_t *base = step->base ? step->base + device_at(p, d) * type->rank : NULL;
		sw_type_offset(&p->plan.problem.mesh, type, d, offset);
		for (int i = 0; i < type->rank; i++)
			if (offset[i] != (base ? base[i] : 0))
				return false;
	}
	return memcmp(type->tile, step->tile, (size_t)type->rank * sizeof(*type->tile)) == 0;
}

/* The type after a step: that of the end, one over the mesh, or none. */
static bool type_find(planning *p, const hlo_step *from, sw_type *type)
{
	const sw_mesh *mesh = &p->plan.problem.mesh;
	if (type_holds(p, &p->plan.problem.to, from)) {
		*type = p->plan.problem.to;
		return true;
	}
	sw_sharding *s = sharding_of(p, (int)(from - p->step) + 1, from->base, from->tile);
	return s && sw_sharding_over(s, mesh, &p->shape, p->r->brief, type, NULL) && type_holds(p, type, from);
}

static bool step_map(planning *p, const hlo_step *from, sw_value *made)
{
	graph_reading *r = p->r;
	int rank = p->from->rank;
	sw_type *type = SW_NEW(r->brief, sw_type, 1);
	if (!type)
		return !(r->failed = true);
	if (type_find(p, from, type)) {
		sw_type *kept = SW_NEW(r->arena, sw_type, 1);
		if (kept)
			*kept = *type;
		made->type = kept;
		return kept || !(r->failed = true);
	}
	int64_t *map = SW_NEW(r->arena, int64_t, r->devices * rank);
	for (int64_t d = 0; map && d < r->devices; d++)
		for (int i = 0; i < rank; i++)
			map[d * rank + i] = from->base ? from->base[device_at(p, d) * rank + i] : 0;
	made->map = map;
	return map || !(r->failed = true);
}

static bool step_make(planning *p, int k, const int64_t *before)
{
	const hlo_step *from = &p->step[k];
	sw_step *step = &p->plan.program.step[k];
	sw_value *made = &p->plan.program.value[k + 1];
	*step = (sw_step){.op = from->op};
	memcpy(made->tile, from->tile, sizeof(made->tile));
	return sw_step_entries_between(step, before, from->tile, p->from->rank, p->r->arena) &&
		step_lists(p, from, step) && step_map(p, from, made);
}

/* ---- ends ---- */

static bool shape_make(planning *p, sw_dtype dtype)
{
	bool made = sw_type_replicated(dtype, p->from->rank, p->from->global, &p->shape, NULL);
	p->shape.dtype_given = true;
	return made;
}

static bool ends_make(planning *p, const char **reason)
{
	graph_reading *r = p->r;
	const hlo_step *last = &p->step[p->count - 1];
	sw_reading *reading = SW_NEW(r->brief, sw_reading, 1);
	int64_t tile[SW_MAX_DIMS];
	if (!reading || !hlo_form_box(p->from->form, p->from->rank, tile))
		return refuse(reason, "its tiles are not boxes of the array");
	sw_sharding *from = sharding_of(p, 0, p->from->base, tile);
	sw_sharding *to = sharding_of(p, p->count, last->base, last->tile);
	if (!from || !to)
		return refuse(reason, "its tiles are not held by equally many devices");
	if (!sw_sharding_problem(from, to, &p->shape, r->brief, reading, NULL) || reading->problem.to_order ||
		reading->problem.from_words || reading->problem.to_words)
		return refuse(reason, "no mesh has axes for both of its ends");
	p->plan.problem = reading->problem;
	return slots_set(p, reading);
}

static void origin_set(planning *p)
{
	sw_plan *plan = &p->plan;
	int64_t a = sw_type_localsize(&plan->problem.from), b = sw_type_localsize(&plan->problem.to);
	plan->strategy = SW_XLA;
	plan->origin = "hlo";
	plan->model = SW_MODEL_PAPER;
	plan->budget = a > b ? a : b;
	plan->local_cost = -1;
}

bool hlo_plan_make(graph_reading *r, const hlo_value *from, sw_dtype dtype, const hlo_step *step, int count,
	sw_hlo_chain *chain, const char **reason)
{
	planning *p = SW_NEW_ZERO(r->brief, planning, 1);
	if (!p)
		return !(r->failed = true);
	*p = (planning){.r = r, .from = from, .step = step, .count = count};
	if (!shape_make(p, dtype))
		return refuse(reason, "its array is too large");
	if (!ends_make(p, reason))
		return false;
	origin_set(p);
	if (!sw_plan_room(&p->plan, count, r->arena))
		return !(r->failed = true);
	for (int k = 0; k < count; k++)
		if (!step_make(p, k, p->plan.program.value[k].tile))
			return false;
	p->plan.program.steps = count;
	if (!sw_plan_total(&p->plan, NULL) || !sw_plan_check(&p->plan, NULL))
		return refuse(reason, "its steps are not collectives on even tiles");
	chain->plan = p->plan;
	chain->found = hlo_found(r, from, step, count) | (unsigned)hlo_found_copies(&p->plan) << SW_HLO_FOUND_COPIES;
	return true;
}
