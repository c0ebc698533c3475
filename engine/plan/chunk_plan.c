/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans on chunks, added up and checked: the premises of every step (seed 001, figure 8), the types beside them, every number.
 */
#include "plan/chunk_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "plan/tile_numbers.h"
#include "step/premise.h"
#include "step/row.h"

int64_t sw_plan_chunk_begin(const sw_plan *plan, int chunk)
{
	int64_t size = sw_type_localsize(&plan->problem.from), all = plan->chunks;

	return size / all * chunk + size % all * chunk / all;
}

struct chunk_walk {
	const sw_plan *plan;
	sw_diag *diag;
	char *where;
	sw_arena *arena;
	sw_pieces held;
	int64_t devices, size; /* elements of a tile */
	int64_t *at;           /* where the tile of each device begins: devices x rank */
	int32_t *term;         /* that each device begins with */
	int64_t *home;         /* its number with 0 along all that is summed */
	int32_t *seen;         /* scratch, a number a device */
	int32_t *count;        /* chunks that each device held before the step */
};

static bool fail(const struct chunk_walk *w, sw_code code, int k, const char *field, const char *why)
{
	if (k < 0)
		snprintf(w->where, SW_WHERE_SIZE, "%s", field);
	else
		snprintf(w->where, SW_WHERE_SIZE, "steps[%d].%s", k, field);
	return k < 0 ? sw_diag_set(w->diag, code, (sw_span){0, 0}, "%s", why) :
				   sw_diag_set(w->diag, code, (sw_span){0, 0}, "step %d ('%s'): %s", k + 1,
					   sw_row(w->plan->steps[k].op)->name, why);
}

/* The number of a device with its digits along the sums of a type alone. */
static int64_t along_sums(const sw_mesh *mesh, const sw_type *type, int64_t device)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);
	int64_t number = 0;

	for (int p = 0; p < count; p++) {
		int64_t stride = sw_part_stride(mesh, parts[p]);

		number += device / stride % parts[p].size * stride;
	}
	return number;
}

static bool walk_start(struct chunk_walk *w, const sw_plan *plan, char *where, sw_diag *diag)
{
	const sw_problem *problem = &plan->problem;
	int rank = problem->from.rank;

	*w = (struct chunk_walk){.plan = plan, .diag = diag, .where = where, .devices = problem->mesh.devices};
	where[0] = '\0';
	if (w->devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"a reduction program on %lld devices is too large to be checked", (long long)w->devices);
	w->arena = sw_arena_new();
	if (w->arena == NULL)
		return sw_diag_memory(diag);
	w->size = sw_type_localsize(&problem->from);
	w->at = SW_NEW(w->arena, int64_t, w->devices * (rank > 0 ? rank : 1));
	w->term = SW_NEW(w->arena, int32_t, w->devices);
	w->home = SW_NEW(w->arena, int64_t, w->devices);
	w->seen = SW_NEW(w->arena, int32_t, w->devices);
	w->count = SW_NEW(w->arena, int32_t, w->devices);
	if (w->at == NULL || w->term == NULL || w->home == NULL || w->seen == NULL || w->count == NULL)
		return sw_diag_memory(diag);
	for (int64_t p = 0; p < w->devices; p++) {
		sw_type_offset(&problem->mesh, &problem->from, p, w->at + p * rank);
		w->term[p] = (int32_t)sw_type_term(&problem->mesh, &problem->from, p);
		w->home[p] = p - along_sums(&problem->mesh, &problem->from, p) + along_sums(&problem->mesh, &problem->to, p);
	}
	return sw_pieces_start(&w->held, w->devices, plan->chunks, sw_type_terms(&problem->from), w->term, w->arena,
		diag);
}

/* Elements of so many chunks, the larger ones counted. */
static int64_t size_of(const struct chunk_walk *w, int chunks)
{
	int64_t all = w->plan->chunks;

	return w->size / all * chunks + (w->size % all * chunks + all - 1) / all;
}

/* ---- a step ---- */

static bool groups_are_sound(struct chunk_walk *w, int k)
{
	const sw_step *step = &w->plan->steps[k];

	if (sw_row(step->op)->hold == NULL)
		return fail(w, SW_P05, k, "op", "it has no form that works on chunks");
	if (step->gathers > 0 || step->splits > 0)
		return fail(w, SW_P05, k, step->gathers > 0 ? "gather" : "split", "it works on chunks, not on dimensions");
	if (step->groups == NULL || step->group_size < 2 || step->grouped < step->group_size ||
		step->grouped > w->devices || step->grouped % step->group_size != 0)
		return fail(w, SW_P05, k, "groups", "its groups are not of two or more devices each, all of one size");
	memset(w->seen, 0, sizeof *w->seen * (size_t)w->devices);
	for (int64_t n = 0; n < step->grouped; n++) {
		int32_t d = step->groups[n], first = step->groups[n - n % step->group_size];

		if (d < 0 || d >= w->devices || w->seen[d]++ != 0)
			return fail(w, SW_P05, k, "groups", "a device is in two groups, or there is no such device");
		if (w->home[d] != w->home[first])
			return fail(w, SW_P05, k, "groups", "a group crosses an axis that is not summed over");
	}
	return true;
}

static void name_device(const void *of, int64_t device, sw_text *text)
{
	const struct chunk_walk *w = of;

	sw_text_addf(text, "device %lld", (long long)sw_device_at(w->plan->problem.mesh.order, device));
}

/* The device that begins with the term, in the sum of this one. */
static int64_t owner_of(const void *of, int64_t device, int64_t term)
{
	const struct chunk_walk *w = of;
	int64_t owner = 0;

	while (owner + 1 < w->devices && (w->term[owner] != term || w->home[owner] != w->home[device]))
		owner++;
	return owner;
}

static bool walk_step(struct chunk_walk *w, int k)
{
	const sw_step *step = &w->plan->steps[k];
	const sw_piece_names names = {w, name_device, owner_of};
	const int32_t *group;
	sw_diag why = {.code = SW_OK};

	if (!groups_are_sound(w, k))
		return false;
	for (int64_t d = 0; d < w->devices; d++)
		w->count[d] = sw_pieces_held(&w->held, d);
	sw_premise premise = sw_pieces_step(&w->held, step->op, step->groups, step->grouped, step->group_size, &group);
	if (premise == SW_PREMISE_HOLDS)
		return true;
	sw_premise_say(&(sw_refusal){&w->held, &names, step->op, group, step->group_size}, premise, &why);
	return fail(w, SW_P05, k, "groups", why.message);
}

/* ---- what follows from the steps ---- */

/* Of the group that has most to do: devices outside of all groups take no part. */
static int64_t cost_of(const struct chunk_walk *w, const sw_step *step)
{
	int64_t cost = 0;

	for (int64_t n = 0; n < step->grouped; n += step->group_size) {
		int before = 0, after = 0;

		for (int64_t m = n; m < n + step->group_size; m++) {
			int now = sw_pieces_held(&w->held, step->groups[m]);

			before = w->count[step->groups[m]] > before ? w->count[step->groups[m]] : before;
			after = now > after ? now : after;
		}
		cost = sw_larger(cost, sw_paper_cost(step->op, size_of(w, before), size_of(w, after)));
	}
	return cost;
}

/* The most that a device holds before and after the step, both together. */
static bool live_of(const struct chunk_walk *w, int64_t *live)
{
	*live = 0;
	for (int64_t d = 0; d < w->devices; d++) {
		int64_t own;

		if (!sw_add(size_of(w, w->count[d]), size_of(w, sw_pieces_held(&w->held, d)), &own))
			return false;
		*live = sw_larger(*live, own);
	}
	return true;
}

static bool add_step(struct chunk_walk *w, sw_plan *plan, int k)
{
	sw_step *step = &plan->steps[k];
	int64_t live;

	if (!walk_step(w, k))
		return false;
	plan->value[k + 1].localsize = size_of(w, sw_pieces_most(&w->held));
	step->cost = cost_of(w, step);
	if (!sw_add(plan->cost, step->cost, &plan->cost) || !live_of(w, &live))
		return sw_diag_set(w->diag, SW_S09, (sw_span){0, 0}, "the sizes of step %d do not fit into 64 bits", k + 1);
	plan->live_peak = sw_larger(plan->live_peak, live);
	return true;
}

static bool add_up(struct chunk_walk *w, sw_plan *plan)
{
	int phase = 0;

	plan->cost = 0;
	plan->height = plan->live_peak = w->size;
	plan->permutes = 0;
	plan->normal_form = true;
	for (int k = 0; k < plan->count; k++) {
		int now = sw_row(plan->steps[k].op)->phase;

		if (!add_step(w, plan, k))
			return false;
		plan->normal_form = plan->normal_form && phase <= now;
		phase = now;
	}
	return true;
}

bool sw_chunk_plan_total(sw_plan *plan, char where[SW_WHERE_SIZE], sw_diag *diag)
{
	struct chunk_walk w;
	bool done = walk_start(&w, plan, where, diag) && add_up(&w, plan);

	sw_arena_free(w.arena);
	return done;
}

/* ---- the check ---- */

/* Does every device hold every chunk, summed over just the terms that the type says? */
static bool holds_type(const struct chunk_walk *w, const sw_type *type)
{
	const sw_problem *problem = &w->plan->problem;
	int64_t terms = sw_type_terms(&problem->from), at[SW_MAX_DIMS];
	int32_t *join = SW_NEW(w->arena, int32_t, terms);
	int rank = problem->from.rank;

	if (join == NULL || type->rank != rank || type->dtype != problem->from.dtype ||
		memcmp(type->tile, problem->from.tile, sizeof *type->tile * (size_t)rank) != 0)
		return false;
	sw_terms_join(&problem->mesh, &problem->from, type, join);
	for (int64_t d = 0; d < w->devices; d++) {
		int64_t mine = sw_type_term(&problem->mesh, type, d);

		sw_type_offset(&problem->mesh, type, d, at);
		if (memcmp(at, w->at + d * rank, sizeof *at * (size_t)rank) != 0)
			return false;
		for (int c = 0; c < w->plan->chunks; c++)
			for (int64_t t = 0; t < terms; t++)
				if ((sw_pieces_terms(&w->held, d, c)[t / 64] >> t % 64 & 1) != (join[t] == mine))
					return false;
	}
	return true;
}

static bool check_number(const struct chunk_walk *w, int k, const char *field, int64_t said, int64_t is)
{
	if (said == is)
		return true;
	fail(w, SW_P03, k, field, "it is not what the chunks say");
	sw_diag_expected(w->diag, "%lld", (long long)is);
	sw_diag_found(w->diag, "%lld", (long long)said);
	return false;
}

static bool check_step(struct chunk_walk *w, int k, const sw_plan *right)
{
	const sw_value *made = &w->plan->value[k + 1];

	if (!walk_step(w, k))
		return false;
	if (memcmp(made->tile, w->plan->problem.from.tile, sizeof *made->tile * (size_t)w->plan->problem.from.rank) != 0)
		return fail(w, SW_P03, k, "localtype", "chunks stay in the tile with which the devices begin");
	if (made->type != NULL && !holds_type(w, made->type))
		return fail(w, SW_P03, k, "type", "the devices hold other sums than its type says");
	return check_number(w, k, "localsize", made->localsize, right->value[k + 1].localsize) &&
		check_number(w, k, "cost", w->plan->steps[k].cost, right->steps[k].cost);
}

static bool check_figures(const struct chunk_walk *w, const sw_plan *right)
{
	const sw_plan *plan = w->plan;
	double seconds = 0;

	for (int k = 0; k < plan->count; k++)
		seconds += plan->steps[k].model_cost;
	if (plan->model != SW_MODEL_PAPER && fabs(seconds - plan->model_cost) > 1e-9 * fabs(seconds))
		return fail(w, SW_P03, -1, "model_cost", "'model_cost' is not the sum of the steps");
	if (plan->has_bound && plan->model_bound > plan->model_cost * (1 + 1e-6))
		return fail(w, SW_P03, -1, "model_bound", "the lower bound is above the cost");
	return check_number(w, -1, "cost", plan->cost, right->cost) &&
		check_number(w, -1, "height", plan->height, right->height) &&
		check_number(w, -1, "live_peak", plan->live_peak, right->live_peak) &&
		check_number(w, -1, "permutes", plan->permutes, right->permutes) &&
		check_number(w, -1, "normal_form", plan->normal_form, right->normal_form);
}

/* The same plan with its numbers made again. */
static bool total_again(const sw_plan *plan, sw_arena *arena, sw_plan *right, char *where, sw_diag *diag)
{
	*right = *plan;
	if (!sw_plan_own(right, 0, arena))
		return sw_diag_memory(diag);
	return sw_chunk_plan_total(right, where, diag);
}

bool sw_chunk_plan_check(const sw_plan *plan, bool prefix, char where[SW_WHERE_SIZE], sw_diag *diag)
{
	struct chunk_walk w;
	sw_plan right;
	bool done = walk_start(&w, plan, where, diag) &&
		check_number(&w, -1, "chunks", plan->chunks, sw_terms_joined(&plan->problem.from, &plan->problem.to)) &&
		total_again(plan, w.arena, &right, where, diag);

	for (int k = 0; done && k < plan->count; k++)
		done = check_step(&w, k, &right);
	if (done && !prefix && plan->count > 0 && plan->value[plan->count].type == NULL)
		done = fail(&w, SW_P03, plan->count - 1, "type", "its type is 'to', and is not said");
	if (done && !prefix && !holds_type(&w, &plan->problem.to))
		done = fail(&w, SW_P03, plan->count > 0 ? plan->count - 1 : -1, plan->count > 0 ? "type" : "to",
			"the devices do not end with what 'to' says");
	done = done && check_figures(&w, &right);
	sw_arena_free(w.arena);
	return done;
}

bool sw_chunk_plan_types(sw_plan *plan, const sw_type *types, const int32_t *probe, int factors, sw_diag *diag)
{
	char where[SW_WHERE_SIZE];
	struct chunk_walk w;
	bool done = walk_start(&w, plan, where, diag);

	for (int k = 0; done && k < plan->count; k++) {
		unsigned set = 0;

		done = walk_step(&w, k);
		for (int f = 0; done && f < factors; f++)
			set |= (unsigned)(sw_pieces_terms(&w.held, 0, 0)[w.term[probe[f]] / 64] >> w.term[probe[f]] % 64 & 1)
				<< f;
		if (done && holds_type(&w, &types[set]))
			plan->value[k + 1].type = &types[set];
	}
	sw_arena_free(w.arena);
	return done;
}
