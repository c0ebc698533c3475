/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arrays of a schedule as tiles and as types: who has which element at home, and who needs it in a step.
 */
#include <assert.h>
#include <stdio.h>

#include <shardwalk/computation.h>
#include <shardwalk/schedule_walk.h>

#include "views/beside.h"
#include "views/draw.h"
#include "views/general.h"
#include "views/general_grid.h"
#include "views/schedule_views.h"
#include "views/scheduled.h"

#define GAP 2

/* An array: at home, and behind it what is needed in the step. */
struct held_array {
	const struct schedule_look *look;
	const struct view_options *opt;
	int array, fetch; /* fetch -1: nothing of it is fetched */
	int pictures;
	sw_holding_rule rule;
	sw_holding held[2];
	struct canvas picture[2];
	struct grid_signs signs;
};

/* What a processor needs in the step; `of` is a struct held_array. */
static bool needed_region(const void *of, int64_t processor, sw_arena *arena, sw_region *region)
{
	const struct held_array *a = of;
	sw_boxes need;

	assert(a->fetch >= 0 && a->look->step > 0);
	*region = (sw_region){a->look->lowering->schedule->problem->formula.array[a->array].rank, 0, NULL};
	return sw_lowering_need(a->look->lowering, a->fetch, a->look->step - 1, processor, arena, &need) &&
		sw_region_add_boxes(&need, arena, region);
}

static void find_holdings(struct held_array *a)
{
	const sw_lowering *lowering = a->look->lowering;
	const sw_schedule_problem *problem = lowering->schedule->problem;
	const sw_formula_array *is = &problem->formula.array[a->array];

	a->held[0] = *problem->home[a->array];
	a->fetch = sw_lowering_find(lowering, a->array, sw_mesh_levels(problem->mesh));
	a->pictures = a->look->step > 0 && a->fetch >= 0 ? 2 : 1;
	if (a->pictures < 2)
		return;
	a->rule = (sw_holding_rule){.region = needed_region, .of = a};
	sw_holding_of_rule(problem->mesh->devices, is->rank, is->size, &a->rule, &a->held[1]);
}

/* Above the grid: whose it is, and how large its cells are. */
static void draw_name(struct held_array *a, int k)
{
	const sw_str name = schedule_array(a->look->lowering, a->array);
	const int64_t *unit = a->signs.unit;
	sw_text text = {0};

	sw_text_add_str(&text, name);
	if (k == 0)
		sw_text_add(&text, " at home");
	else
		sw_text_addf(&text, " %s in step %lld", a->array == 0 ? "made" : "needed", (long long)a->look->step);
	if (k == 0 && (unit[0] > 1 || unit[1] > 1))
		sw_text_addf(&text, ", cells of %lld x %lld", (long long)unit[0], (long long)unit[1]);
	canvas_put_cut(&a->picture[k], 0, 0, a->picture[k].width, ROLE_LABEL, sw_text_get(&text));
	sw_text_free(&text);
}

static bool draw_one(struct held_array *a, int k, int width)
{
	struct view_options own = *a->opt;

	own.width = width;
	own.height = 0;
	canvas_reset(&a->picture[k], width);
	if (!grid_draw_holding(a->look->schedule->problem->mesh, &a->held[k], a->pictures == 2 ? &a->held[1 - k] : NULL,
			&own, &a->picture[k], 1, &a->signs))
		return false;
	draw_name(a, k);
	return true;
}

/* Side by side in two halves, where nothing has to be left out there; else one below the other. */
static bool draw_both(struct held_array *a)
{
	int width = a->opt->width, halves = a->pictures == 2 && (width - GAP) / 2 >= VIEW_MIN_WIDTH ? 2 : 1;

	for (; halves > 0; halves--) {
		a->signs = (struct grid_signs){.several = false};
		for (int k = 0; k < a->pictures; k++)
			if (!draw_one(a, k, halves == 2 ? (width - GAP) / 2 : width))
				return false;
		if (!a->signs.folded && !a->signs.wrapped)
			return true;
	}
	return true;
}

/* Signs of all arrays are explained together; how large cells are is said above each. */
static void add_signs(struct grid_signs *all, const struct grid_signs *one)
{
	const struct grid_signs before = *all;

	*all = *one;
	all->unit[0] = all->unit[1] = 1;
	all->several |= before.several;
	all->more |= before.more;
	all->nobody |= before.nobody;
	all->marked |= before.marked;
	all->element |= before.element;
	all->folded |= before.folded;
	all->alike |= before.alike;
}

static bool draw_array(const struct schedule_look *look, const struct view_options *opt, int array,
	struct canvas *out, int *y, struct grid_signs *signs)
{
	struct held_array a = {.look = look, .opt = opt, .array = array};
	bool drawn;

	find_holdings(&a);
	drawn = draw_both(&a);
	if (drawn)
		*y = tiles_beside(out, *y, a.picture, a.pictures);
	add_signs(signs, &a.signs);
	canvas_free(&a.picture[0]);
	canvas_free(&a.picture[1]);
	return drawn;
}

static int draw_step_title(const struct schedule_look *look, const char *name, struct canvas *out)
{
	sw_text rest = {0};
	int y;

	if (look->step > 0)
		sw_text_addf(&rest, "step %lld of %lld  ", (long long)look->step, (long long)look->lowering->steps);
	if (look->step > 0)
		sw_lowering_print_at(look->lowering, look->step - 1, &rest);
	else
		sw_text_add(&rest, "before the first step: nothing is fetched yet");
	y = draw_title(out, 0, name, sw_text_get(&rest));
	sw_text_free(&rest);
	return y;
}

bool schedule_tiles(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct schedule_look *look = in->schedule;
	struct grid_signs signs = {.several = false};
	bool drawn = true;
	int y;

	if (!draw_begin("tiles", opt, out))
		return true;
	y = draw_step_title(look, "tiles", out);
	for (int k = 0; drawn && k < look->schedule->problem->formula.arrays; k++)
		drawn = draw_array(look, opt, k, out, &y, &signs);
	if (drawn)
		grid_legend(look->schedule->problem->mesh, &signs, opt, out, y);
	return drawn || sw_diag_memory(diag);
}

/* ---- types ---- */

/* The type of one array, as `show type` draws it alone. */
static bool draw_type(const struct view_input *in, const struct view_options *opt, int array, struct canvas *out,
	sw_diag *diag)
{
	const sw_computation *computation = in->formula;
	struct any_type type = {computation->array[array].is.type, computation->array[array].is.words};
	struct view_input own = {.mesh = &computation->mesh, .type = &type.type};
	struct general general;
	sw_arena *arena = sw_arena_new();
	sw_text name = {0};
	bool drawn = arena != NULL || sw_diag_memory(diag);

	sw_text_add_str(&name, computation->formula.array[array].name);
	own.type_name = sw_text_get(&name);
	if (drawn && type.words != NULL) {
		own.general = &general;
		drawn = general_of_type(own.mesh, &type, own.type_name, own.mesh->order, arena, &general, diag);
	}
	drawn = drawn && view_type(&own, opt, out, diag);
	sw_text_free(&name);
	sw_arena_free(arena);
	return drawn;
}

/* Below each other. */
bool schedule_types(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct canvas one = {0};
	int arrays = in->formula != NULL ? in->formula->formula.arrays : 0, y = 0;
	bool drawn = true;

	if (in->formula == NULL)
		return draw_missing(diag, "formula", "compute A(i,j) = B(i,k) * C(k,j), over types of A, B and C");
	if (!draw_begin("type", opt, out))
		return true;
	for (int k = 0; drawn && k < arrays; k++) {
		canvas_reset(&one, opt->width);
		drawn = draw_type(in, opt, k, &one, diag);
		canvas_copy(out, 0, y, &one);
		y = out->height + 1;
	}
	canvas_free(&one);
	return drawn;
}
