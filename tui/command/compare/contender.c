/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contenders, and what the rows of them say.
 */
#include "command/compare/contender.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- figures ---- */

struct contender contender_blank(const char *name)
{
	assert(name != NULL);
	return (struct contender){.name = name,
		.steps = -1,
		.volume = -1,
		.received = -1,
		.sent = -1,
		.held = -1,
		.peak = -1,
		.peak_overlap = -1,
		.flops = -1,
		.idle = -1,
		.excess = -1,
		.predicted = -1,
		.measured = -1};
}

static bool mesh_of(const sw_recipe *recipe, sw_mesh *mesh, sw_diag *diag)
{
	*mesh = (sw_mesh){0};
	for (int axis = 0; axis < recipe->scheme.axes; axis++) {
		char name[] = {"xyzwuvst"[axis], '\0'};
		if (!sw_mesh_add(mesh, sw_str_of(name), recipe->scheme.extent[axis], diag))
			return false;
		mesh->axis[axis].level = recipe->level[axis];
	}
	return true;
}

static void take_totals(const sw_schedule_totals *totals, struct contender *c)
{
	c->volume = totals->volume;
	c->received = totals->most_received;
	c->sent = totals->sent != NULL ? totals->most_sent : -1;
	c->held = totals->most_held;
	c->peak = totals->most_peak;
	c->peak_overlap = totals->most_peak_overlap;
	c->flops = totals->most_flops;
	c->idle = totals->idle;
	c->excess = totals->exact >= 0 ? totals->volume - totals->exact : -1;
	for (int n = 0; n < c->arrays; n++)
		c->volumes[n] = totals->volumes[n];
}

bool contender_of_recipe(const sw_recipe *recipe, int64_t processors, sw_arena *arena, struct contender *contender,
	sw_diag *diag)
{
	struct contender c = {.name = recipe->algorithm != NULL ? recipe->algorithm->name : "best",
		.remark = recipe->remark,
		.recipe = recipe,
		.steps = recipe->scheme.steps,
		.arrays = recipe->scheme.arrays,
		.predicted = -1,
		.measured = -1};
	sw_mesh *mesh = SW_NEW(arena, sw_mesh, 1);
	sw_schedule_totals totals;

	assert(recipe->exact && processors >= 1);
	if (mesh == NULL)
		return sw_diag_memory(diag);
	if (!mesh_of(recipe, mesh, diag) || !sw_scheme_totals(&recipe->scheme, arena, &totals, diag))
		return false;
	c.mesh = mesh;
	for (int n = 0; n < c.arrays; n++)
		c.array[n] = recipe->array[n];
	take_totals(&totals, &c);
	c.excess = 0; /* dimensions are letters: boxes are what is touched */
	c.idle += sw_larger(0, processors - mesh->devices);
	*contender = c;
	return true;
}

void contender_of_totals(const sw_lowering *lowering, const sw_schedule_totals *totals, struct contender *contender)
{
	const sw_schedule_problem *problem = lowering->schedule->problem;

	*contender = (struct contender){.name = "own",
		.mesh = problem->mesh,
		.schedule = lowering->schedule,
		.steps = lowering->steps,
		.arrays = (int)sw_smaller(problem->formula.arrays, SW_SCHEME_ARRAYS),
		.predicted = -1,
		.measured = -1};
	take_totals(totals, contender);
}

void contender_predict(const sw_schedule_rates *rates, struct contender *c)
{
	if (c->predicted < 0 && c->received >= 0 && c->flops >= 0 && c->steps > 0)
		c->predicted = sw_schedule_seconds(rates, sw_larger(c->received, c->sent), c->flops, sw_larger(0, c->held),
			c->steps);
}

/* ---- as rows ---- */

static const struct contender *of(const struct row_at *at)
{
	return at->row;
}

/* One list of sizes a level. */
static bool fill_machine(const struct row_at *at, struct fields *in)
{
	const sw_mesh *mesh = of(at)->mesh;
	struct fields *level = NULL;

	for (int axis = 0; axis < mesh->count; axis++) {
		if (axis == 0 || mesh->axis[axis].level > mesh->axis[axis - 1].level)
			level = field_list(in, NULL);
		field_int(level, NULL, mesh->axis[axis].size);
	}
	return true;
}

/* The axes of each dimension, major to minor, and coordinates that alone have the array. */
static void fill_parts(const sw_distal *home, struct fields *in)
{
	struct fields *parts = field_list(in, "parts"), *fixed = NULL;

	for (int dim = 0; dim < home->rank; dim++) {
		struct fields *list = field_list(parts, NULL);
		for (int cut = 0; cut < home->cuts; cut++)
			if (home->place[home->cut[cut]].dim == dim)
				field_int(list, NULL, home->cut[cut]);
	}
	for (int axis = 0; axis < home->axes; axis++)
		if (home->place[axis].dim < 0 && home->place[axis].at >= 0) {
			char key[12];
			snprintf(key, sizeof key, "%d", axis);
			fixed = fixed != NULL ? fixed : field_object(in, "fixed");
			field_int(fixed, fields_key(fixed, sw_str_of(key)), home->place[axis].at);
		}
}

static bool fill_distributions(const struct row_at *at, struct fields *in)
{
	const sw_recipe *recipe = of(at)->recipe;

	for (int n = 0; recipe != NULL && n < recipe->scheme.arrays; n++) {
		const sw_distal *home = &recipe->scheme.array[n].home;
		sw_text text = {0};
		const char *why;
		if (sw_distal_print(of(at)->mesh, home, &text, &why))
			field_text(in, recipe->array[n], sw_text_get(&text));
		else
			fill_parts(home, field_object(in, recipe->array[n]));
		sw_text_free(&text);
	}
	return true;
}

static bool fill_schedule(const struct row_at *at, struct fields *in)
{
	const sw_recipe *recipe = of(at)->recipe;
	const sw_schedule *schedule = of(at)->schedule;

	for (int n = 0; recipe != NULL && n < recipe->commands; n++)
		field_text(in, NULL, recipe->command[n]);
	for (int n = 0; schedule != NULL && n < schedule->commands; n++)
		field_str(in, NULL, sw_schedule_command_text(schedule, n));
	return true;
}

static bool fill_volumes(const struct row_at *at, struct fields *in)
{
	const struct contender *c = of(at);

	for (int n = 0; n < c->arrays && c->array[n] != NULL; n++)
		field_int(in, c->array[n], c->volumes[n]);
	return true;
}

void contender_print_grid(const struct contender *contender, sw_text *text)
{
	const sw_mesh *mesh = contender->mesh;

	for (int axis = 0; mesh != NULL && axis < mesh->count; axis++)
		sw_text_addf(text, "%s%lld",
			axis == 0                                               ? "" :
				mesh->axis[axis].level > mesh->axis[axis - 1].level ? "; " :
																	  "x",
			(long long)mesh->axis[axis].size);
}

static void print_grid(const struct row_at *at, sw_text *text)
{
	contender_print_grid(of(at), text);
}

#define COMPARED .when = CONTENDERS_COMPARED
#define COUNTED(key, heading, member, ...) ROW_AT(key, heading, COUNT, struct contender, member, __VA_ARGS__)

static const struct row_column columns[] = {
	ROW_BY(NULL, "#", NUMBERED, .role = ROLE_LABEL, .when = CONTENDERS_NUMBERED),
	ROW_AT("name", "schedule", WORD, struct contender, name, .role = ROLE_LABEL, COMPARED, .as = {.gives = 14}),
	ROW_BY("machine", NULL, LIST, .fill = fill_machine),
	ROW_BY(NULL, "grid", TEXT, .print = print_grid),
	ROW_BY("distributions", NULL, OBJECT, .fill = fill_distributions),
	ROW_BY("schedule", NULL, LIST, .fill = fill_schedule),
	COUNTED("steps", "steps", steps, .folds = true),
	ROW_AT("volume", "moved", LARGE, struct contender, volume, .folds = true),
	ROW_BY("volumes", NULL, OBJECT, .fill = fill_volumes),
	ROW_AT("max_received", "received", LARGE, struct contender, received, .as = {.drops = 4}),
	ROW_AT("max_sent", "sent", LARGE, struct contender, sent, .as = {.drops = 2}),
	COUNTED("max_held", NULL, held),
	ROW_AT("max_peak", "live", LARGE, struct contender, peak),
	COUNTED("max_peak_overlap", NULL, peak_overlap),
	COUNTED("max_flops", NULL, flops),
	COUNTED("idle", "idle", idle, COMPARED, .as = {.drops = 3}),
	ROW_AT("excess", "untouched", LARGE, struct contender, excess, COMPARED, .as = {.drops = 1}),
	ROW_AT("predicted_seconds", "predicted", SECONDS, struct contender, predicted, .when = CONTENDERS_TIMED),
	ROW_AT("measured_seconds", "measured", SECONDS, struct contender, measured, COMPARED, .as = {.optional = true}),
	ROW_AT("remark", NULL, WORD, struct contender, remark, COMPARED, .sparse = true),
};

const struct rows contender_words = ROWS_WORDS(columns);

struct rows contenders_rows(const struct contender *contender, int64_t count, unsigned is)
{
	return ROWS_OF(columns, contender, count, .is = is, .rises = true);
}
