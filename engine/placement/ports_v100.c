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

/* What a step sends.  NULL: no memory. */
static sw_messages *sent(const sw_ports *ports, const sw_step *step, const double *bytes)
{
	sw_arena *arena = sw_arena_new();
	sw_messages *messages = sw_messages_new(ports->system);
	int64_t groups, size,
		*list = arena == NULL ? NULL : sw_named_groups(&ports->hierarchy, &step->by, arena, &groups, &size);

	for (int64_t g = 0; list != NULL && messages != NULL && g < groups; g++)
		sw_messages_group(messages, step->op, ports->way, list + g * size, size,
			bytes[class_of(ports, list[g * size])]);
	if (list == NULL) {
		sw_messages_free(messages);
		messages = NULL;
	}
	sw_arena_free(arena);
	return messages;
}

double sw_ports_v100_seconds(const sw_ports *ports, const sw_step *step, const double *bytes)
{
	sw_messages *messages = sent(ports, step, bytes);
	double seconds = messages != NULL ? sw_messages_busiest(messages) : NAN;

	sw_messages_free(messages);
	return seconds;
}

bool sw_ports_v100_loads(const sw_ports *ports, const sw_step *step, const double *bytes, sw_port_load *load)
{
	sw_messages *messages = sent(ports, step, bytes);
	double seconds[SW_V100_PORTS];

	if (messages == NULL)
		return false;
	sw_messages_v100(messages, seconds);
	for (int k = 0; k < SW_V100_PORTS; k++) {
		load[k].seconds = seconds[k];
		load[k].bytes = seconds[k] * load[k].bandwidth;
	}
	sw_messages_free(messages);
	return true;
}
