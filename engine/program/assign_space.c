/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spaces of types, and distances in them.
 */
#include "program/assign_space.h"

#include <string.h>

#include <shardwalk/number.h>

bool sw_net_goes_on(sw_net *net, int done)
{
	enum { OFTEN = 1024 };

	if (done % OFTEN != OFTEN - 1 || sw_pulse_beat(net->store.pulse, "statements", done, net->program->steps))
		return true;
	net->store.failure = SW_COSTS_STOPPED;
	return false;
}

static int64_t in_elements(int64_t bound, bool bytes, int size)
{
	return bytes && bound > 0 ? (bound >= size ? bound / size : 1) : bound;
}

int64_t sw_net_memory(const sw_assign_options *options)
{
	return options->memory > 0 ? options->memory : (int64_t)256 << 20;
}

static bool same_shape(const sw_type *a, const sw_type *b)
{
	return a->rank == b->rank && a->dtype == b->dtype &&
		memcmp(a->global, b->global, a->rank * sizeof *a->global) == 0;
}

/* What does not fit into what is left is no error of its own. */
static sw_net_space *no_room(sw_net *net, const sw_diag *why)
{
	if (why->code == SW_S08)
		sw_costs_full(&net->store);
	else if (net->diag != NULL)
		*net->diag = *why;
	return NULL;
}

static sw_net_space *add_space(sw_net *net, const sw_type *shape)
{
	sw_net_space *space = SW_NEW_ZERO(net->arena, sw_net_space, 1);
	const sw_assign_options *o = net->options;
	const sw_space_types types = {shape, o->machine != NULL ? NULL : &net->factors, net->kind != SW_NET_WITHOUT_SUMS};
	sw_diag why;

	if (space == NULL || !SW_GROW(net->arena, net->space, net->spaces, net->room, 8))
		return sw_diag_memory(net->diag), NULL;
	if (!sw_type_space_init(&space->types, &net->program->mesh, &types, (size_t)sw_costs_left(&net->store),
			net->arena, &why))
		return no_room(net, &why);
	space->distances = sw_distances_new(&space->types, o->machine, (size_t)sw_costs_left(&net->store), net->arena,
		&why);
	space->bytes = sw_dtype_bytes(shape->dtype);
	space->budget = in_elements(o->budget, o->bytes, space->bytes);
	net->whole = net->whole || !space->types.every;
	net->space[net->spaces++] = space;
	if (space->distances == NULL)
		return no_room(net, &why);
	net->store.beside = sw_larger(net->store.beside, sw_distances_beside(space->distances));
	return space;
}

sw_net_space *sw_net_space_of(sw_net *net, const sw_type *shape)
{
	for (int k = 0; k < net->spaces; k++)
		if (same_shape(&net->space[k]->types.shape, shape))
			return net->space[k];
	return add_space(net, shape);
}

int64_t sw_net_live(const sw_net *net, const sw_net_space *space)
{
	return in_elements(net->options->live, net->options->bytes, space->bytes);
}

/* Limits that allow the same steps are one: the largest sum of two tiles that is not above it. */
static int64_t limit_reached(const sw_type_space *types, int64_t limit)
{
	int64_t reached = 0;

	for (int32_t a = 0; a < types->arrangements; a++) {
		int64_t rest = limit - types->size[a];

		for (int32_t b = 0; b < types->arrangements && rest > 0; b++)
			if (types->size[b] <= rest && types->size[a] + types->size[b] > reached)
				reached = types->size[a] + types->size[b];
	}
	return reached > 0 ? reached : 1;
}

const sw_costs *sw_net_metric(sw_net *net, sw_net_space *space, int64_t limit)
{
	sw_distance_rules rules = {.without = net->options->without,
		.budget = space->budget,
		.live = limit > 0 ? limit_reached(&space->types, limit) : 0};

	for (int k = 0; k < space->limits; k++)
		if (space->limit[k] == rules.live)
			return space->metric[k];
	int room = space->room;
	if (!SW_GROW(net->arena, space->limit, space->limits, space->room, 4) ||
		!SW_GROW(net->arena, space->metric, space->limits, room, 4)) {
		net->store.failure = SW_COSTS_NO_MEMORY;
		return NULL;
	}
	const sw_costs *metric = sw_metric_make(&space->types, space->distances, &rules, net->options->machine == NULL,
		&net->store);
	if (metric == NULL)
		return NULL;
	space->limit[space->limits] = rules.live;
	space->metric[space->limits++] = metric;
	return metric;
}
