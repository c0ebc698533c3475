/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost models as a table: one function of sizes each.
 */
#include "cost/model.h"

#include <assert.h>

#include "step/row.h"

#include <shardwalk/number.h>

typedef int64_t move_cost(sw_op op, int64_t before, int64_t after, int64_t factor);

static int64_t paper_move(sw_op op, int64_t before, int64_t after, int64_t factor)
{
	(void)factor;
	return sw_paper_cost(op, before, after);
}

/* (f - 1) / f of what a device ends with; sizes are multiples of f wherever a group of f took part. */
static int64_t volume_move(sw_op op, int64_t before, int64_t after, int64_t factor)
{
	int64_t whole = sw_paper_cost(op, before, after);

	bool splits = sw_row(op)->among == SW_AMONG_GROUPS;
	return splits && factor > 0 ? whole - whole / factor : whole; /* 0: a mesh of one device has no factors */
}

/* The models in seconds are no functions of sizes alone: see latency.c and roofline.c. */
static const struct model_row {
	const char *name, *unit, *about;
	move_cost *cost;
} models[] = {
#define X(id, name, unit, about) {name, unit, about, id##_MOVE},
#define PAPER_MOVE paper_move
#define VOLUME_MOVE volume_move
#define LATENCY_MOVE NULL
#define CALIBRATED_MOVE NULL
#define ROOFLINE_MOVE NULL
#define PORTS_MOVE NULL
	SW_MODELS(X)
#undef X
};

const char *sw_model_name(sw_model model)
{
	assert((unsigned)model < SW_MODEL_COUNT);
	return models[model].name;
}

const char *sw_model_unit(sw_model model)
{
	assert((unsigned)model < SW_MODEL_COUNT);
	return models[model].unit;
}

const char *sw_model_about(sw_model model)
{
	assert((unsigned)model < SW_MODEL_COUNT);
	return models[model].about;
}

bool sw_model_is_timed(sw_model model)
{
	assert((unsigned)model < SW_MODEL_COUNT);
	return models[model].cost == NULL;
}

bool sw_model_parse(sw_str name, sw_model *model, sw_diag *diag)
{
	const char *names[SW_MODEL_COUNT];

	for (int m = 0; m < SW_MODEL_COUNT; m++) {
		names[m] = models[m].name;
		if (sw_str_is(name, names[m])) {
			*model = (sw_model)m;
			return true;
		}
	}
	sw_diag_set(diag, SW_S05, (sw_span){0, name.length}, "there is no cost model '%.*s'", (int)name.length, name.at);
	int near = sw_str_nearest(name, names, SW_MODEL_COUNT);
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", names[near]);
	else
		sw_diag_hint(diag, "models are: paper, volume, latency, calibrated, roofline, ports");
	return false;
}

int64_t sw_model_move_cost(sw_model model, sw_op op, int64_t before, int64_t after, int64_t factor)
{
	return models[model].cost(op, before, after, factor);
}

int64_t sw_model_least_alltoall(sw_model model, int64_t size)
{
	return models[model].cost(SW_ALLTOALL, size, size, 2);
}
