/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines at random: links of a mesh, hardware that is listed, rates as `calibrate` might have measured them.
 */
#ifndef TESTS_KIT_MACHINE_H
#define TESTS_KIT_MACHINE_H

#include <shardwalk/arena.h>
#include <shardwalk/cost.h>
#include <shardwalk/hardware.h>

#include "kit/problem.h"

static inline void draw_links(draw *random, sw_mesh *mesh)
{
	static const double bandwidths[] = {0, 1e9, 10e9, 400e9}, latencies[] = {0, 1e-6, 20e-6, 1e-3};

	for (int a = 0; a < mesh->count; a++) {
		mesh->axis[a].bandwidth = bandwidths[draw_below(random, 4)];
		mesh->axis[a].latency = latencies[draw_below(random, 4)];
	}
}

static inline void draw_sizes(draw *random, sw_problem *problem)
{
	for (int i = 0; i < problem->from.rank; i++) {
		int64_t times = (int64_t)1 << draw_below(random, 9);

		problem->from.global[i] *= times;
		problem->from.tile[i] *= times;
		problem->to.global[i] *= times;
		problem->to.tile[i] *= times;
	}
}

/* A machine as `calibrate` might have measured it. */
static inline void draw_machine(draw *random, sw_rate rates[4], sw_run_rate runs[4], sw_machine *machine)
{
	static const sw_op ops[] = {SW_ALLGATHER, SW_ALLTOALL, SW_ALLPERMUTE, SW_DYNSLICE};

	for (int k = 0; k < 4; k++)
		rates[k] = (sw_rate){.op = ops[k],
			.alpha = 1e-6 * (1 + draw_below(random, 30)),
			.bandwidth = ops[k] == SW_DYNSLICE ? 0 : 1e9 * (1 + draw_below(random, 20)),
			.copy = 1e9 * (1 + draw_below(random, 20))};
	runs[0] = (sw_run_rate){64, 2, 4, 3, 8, 5, 6, 0};
	runs[1] = (sw_run_rate){4096, 2, 1.5, 1.5, 2, 1.7, 1.6, 0};
	runs[2] = (sw_run_rate){64, 16, 6, 5, 9, 8, 7, 0};
	runs[3] = (sw_run_rate){4096, 16, 2, 1.5, 3, 2, 2.5, 0};
	*machine = (sw_machine){.name = "drawn",
		.start = 1e-6,
		.links = true,
		.count = 4,
		.rate = rates,
		.runs = 4,
		.run = runs};
}

static inline void choose_machine(draw *random, sw_arena *arena, sw_plan_options *options, sw_machine *machine)
{
	static const char *const hardware[] = {"h100", "v5p", "v5e", "a100"};
	int kind = draw_below(random, 6);
	sw_rate *rates = SW_NEW(arena, sw_rate, 4);
	sw_run_rate *runs = SW_NEW(arena, sw_run_rate, 4);

	options->model = kind == 5 ? SW_MODEL_CALIBRATED : SW_MODEL_LATENCY;
	options->machine = machine;
	if (kind < 4)
		assert_true(sw_hardware_machine(sw_hardware_named(sw_str_of(hardware[kind])), arena, machine));
	else if (kind == 4)
		options->machine = NULL;
	else
		draw_machine(random, rates, runs, machine);
}

#endif
