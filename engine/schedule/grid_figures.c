/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The largest figures of grids, and their seconds.
 */
#include <assert.h>
#include <math.h>

#include <shardwalk/choice.h>

#include "schedule/scheme.h"

void sw_grid_figures(const sw_scheme *scheme, sw_grid_choice *choice)
{
	sw_scheme_one most;

	sw_scheme_most(scheme, &most);
	choice->received = most.received;
	choice->sent = most.sent;
	choice->held = most.live.held;
	choice->peak = most.live.most;
	choice->flops = most.flops;
}

double sw_messages_seconds(const sw_schedule_rates *rates, double moved)
{
	assert(rates->bandwidth > 0 && moved >= 0);
	return moved > 0 ? moved * rates->bytes / rates->bandwidth + rates->latency : 0;
}

/* Source: the roofline, S. Williams and others 2009. */
double sw_leaf_seconds(const sw_schedule_rates *rates, double flops, double elements)
{
	double computing = rates->flops > 0 ? flops / rates->flops : 0;
	double reading = rates->memory > 0 ? elements * rates->bytes / rates->memory : 0;

	assert(flops >= 0 && elements >= 0);
	return fmax(computing, reading);
}

double sw_overlapped_seconds(const sw_schedule_rates *rates, double leaf, double messages)
{
	return rates->overlap ? fmax(leaf, messages) : leaf + messages;
}

double sw_schedule_seconds(const sw_schedule_rates *rates, int64_t moved, int64_t flops, int64_t elements,
	int64_t steps)
{
	assert(steps >= 1);
	double leaf = sw_leaf_seconds(rates, (double)flops / (double)steps, (double)elements / (double)steps);
	double messages = sw_messages_seconds(rates, (double)moved / (double)steps);

	return messages + (double)(steps - 1) * sw_overlapped_seconds(rates, leaf, messages) + leaf;
}

void sw_schedule_rates_of(const sw_hardware *hardware, int64_t processors, int bytes, bool overlap,
	sw_schedule_rates *rates)
{
	bool far = hardware->node > 0 && processors > hardware->node;

	*rates = (sw_schedule_rates){.flops = hardware->flops,
		.bandwidth = far ? hardware->network : hardware->bandwidth,
		.latency = far ? hardware->network_latency : hardware->latency,
		.memory = hardware->memory,
		.bytes = bytes,
		.overlap = overlap};
}
