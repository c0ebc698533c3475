/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ports of nodes with eight V100: message by message, since a ring of links is no level.
 */
#include "placement/ports.h"

#include <math.h>

#include "placement/messages.h"

/* Which digits of a device's factors are not 0. */
static int class_of(const sw_ports *ports, int64_t device)
{
	const sw_hierarchy *hierarchy = &ports->hierarchy;
	int class = 0;

	for (int f = 0; f < hierarchy->count; f++) {
		bool other = false;

		for (int k = hierarchy->first[f]; k < hierarchy->first[f + 1]; k++)
			other = other || device / hierarchy->digit[k].stride % hierarchy->digit[k].size != 0;
		class = class << 1 | other;
	}
	return class;
}

double sw_ports_v100_seconds(const sw_ports *ports, const sw_reduction_step *step, const double *bytes)
{
	sw_arena *arena = sw_arena_new();
	sw_messages *messages = sw_messages_new(ports->system);
	int64_t groups, size,
		*list = arena == NULL ? NULL : sw_reduction_groups(&ports->hierarchy, step, arena, &groups, &size);
	double seconds = NAN;

	if (list != NULL && messages != NULL) {
		for (int64_t g = 0; g < groups; g++)
			sw_messages_group(messages, step->op, ports->way, list + g * size, size,
				bytes[class_of(ports, list[g * size])]);
		seconds = sw_messages_busiest(messages);
	}
	sw_messages_free(messages);
	sw_arena_free(arena);
	return seconds;
}
