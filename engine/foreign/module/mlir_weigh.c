/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of a move are those of XLA's plan for it, which a table of an import shows, too.
 */
#include "foreign/module/mlir_weigh.h"

#include <assert.h>

#include <shardwalk/plan.h>

#define KNOWN 256 /* moves whose bytes are kept: many are alike */

typedef struct weighed {
	const mlir_cuts *from, *to; /* NULL: none is kept here */
	sw_str type;
	double bytes;
} weighed;

struct mlir_weigher {
	const graph_module *module;
	const sw_pulse *pulse;
	sw_arena *work;
	weighed known[KNOWN];
};

mlir_weigher *mlir_weigher_new(const graph_module *module, const sw_pulse *pulse, sw_arena *work)
{
	mlir_weigher *made = SW_NEW_ZERO(work, mlir_weigher, 1);

	if (made) {
		made->module = module;
		made->pulse = pulse;
		made->work = work;
	}
	return made;
}

/* As the compiler does, a size that does not divide is padded. */
static bool join(sw_sharding ends[2], const sw_type *shape, sw_arena *work, sw_reading *reading)
{
	if (sw_sharding_problem(&ends[0], &ends[1], shape, work, reading, NULL))
		return true;
	ends[0].pads = ends[1].pads = true;
	return sw_sharding_problem(&ends[0], &ends[1], shape, work, reading, NULL);
}

static double bytes_of(const mlir_weigher *weigher, int value, const mlir_cuts *from, const mlir_cuts *to)
{
	sw_plan_options options = {.strategy = SW_XLA, .sizes_only = true, .pulse = weigher->pulse};
	sw_sharding *ends = SW_NEW_ZERO(weigher->work, sw_sharding, 2);
	sw_reading *reading = SW_NEW_ZERO(weigher->work, sw_reading, 1);
	hlo_shape said;
	sw_type shape;
	sw_plan plan;
	sw_diag why = {.code = SW_OK};

	if (!ends || !reading || !graph_shape(weigher->module, value, &said) || !said.typed || said.rank > SW_MAX_DIMS ||
		!sw_type_replicated(said.dtype, said.rank, said.dim, &shape, NULL))
		return 0;
	mlir_cuts_give(from, &ends[0]);
	mlir_cuts_give(to, &ends[1]);
	if (!join(ends, &shape, weigher->work, reading) ||
		!sw_plan_find(&reading->problem, &options, weigher->work, &plan, &why))
		return 0;
	return sw_plan_volume(&plan) * sw_dtype_bytes(said.dtype);
}

double mlir_weigh(mlir_weigher *weigher, int value, const mlir_cuts *from, const mlir_cuts *to)
{
	assert(from != NULL && to != NULL && value >= 0 && value < weigher->module->values);
	sw_str type = graph_type(weigher->module, value);
	uintptr_t hash = (uintptr_t)from / 16 * 31 + (uintptr_t)to / 16 * 17 + type.length;
	weighed *slot = &weigher->known[hash % KNOWN];

	if (slot->from != from || slot->to != to || !sw_str_equal(slot->type, type)) {
		sw_arena_mark mark = sw_arena_here(weigher->work);
		*slot = (weighed){from, to, type, bytes_of(weigher, value, from, to)};
		sw_arena_back(weigher->work, mark);
	}
	return slot->bytes;
}
