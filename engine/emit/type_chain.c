/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The types that constraints go through, on a mesh whose whole axes partition all of them.
 */
#include <assert.h>

#include "emit/write.h"

#include "advise/finer.h"

#define HINT_STEPS "the formats shard_map and mpi write the steps themselves"

int sw_emit_axes(const sw_type *type, int i, int axes[SW_MAX_PARTS])
{
	assert(i >= 0 && i <= type->rank);
	int count = 0;

	for (int k = type->first[i + 1] - 1; k >= type->first[i]; k--)
		axes[count++] = sw_type_part(type, k).axis;
	return count;
}

int sw_emit_sum_beside(const sw_type *one, const sw_type *other)
{
	int own[SW_MAX_PARTS], others[SW_MAX_PARTS];
	int count = sw_emit_axes(one, one->rank, own), other_count = sw_emit_axes(other, other->rank, others);

	for (int k = 0; k < count; k++) {
		bool found = false;

		for (int j = 0; j < other_count; j++)
			found = found || others[j] == own[k];
		if (!found)
			return own[k];
	}
	return -1;
}

static bool refuse_mesh(const sw_emitter *e)
{
	return sw_emit_refuse(e, HINT_STEPS,
		"no finer mesh has axes for all types: they cut an axis into factors in different orders, or need too many "
		"axes");
}

const sw_mesh *sw_emit_mesh_of(const sw_type_chain *chain, int k)
{
	assert(k >= 0 && k < chain->count);
	return chain->of ? chain->of[k] : &chain->mesh;
}

int sw_emit_mesh_number(const sw_type_chain *chain, int k)
{
	assert(k >= 0 && k < chain->count);
	int number = 0;

	for (int j = 1; chain->of && j <= k; j++)
		number += chain->of[j] != chain->of[j - 1];
	return number;
}

static bool fits(const sw_mesh *mesh, const sw_type *const *types, int count, sw_mesh *fine, bool *finer,
	sw_type *out)
{
	if (!sw_finer_mesh(mesh, types, count, fine, finer))
		return false;
	for (int k = 0; k < count; k++)
		if (!sw_finer_type(mesh, fine, types[k], &out[k]))
			return false;
	return true;
}

/* A mesh for as many of the types as one can say; how many. */
static int fit_most(const sw_mesh *mesh, const sw_type *const *types, int count, sw_mesh *fine, sw_type *out)
{
	bool finer;
	int n = 0;

	while (n < count && fits(mesh, types, n + 1, fine, &finer, out))
		n++;
	return n > 0 && n < count && !fits(mesh, types, n, fine, &finer, out) ? 0 : n;
}

static bool take_meshes(const sw_emitter *e, const sw_mesh *mesh, const sw_type *const *types, int count,
	sw_type_chain *chain, sw_type *out)
{
	chain->of = SW_NEW(e->arena, const sw_mesh *, count);
	for (int k = 0, n; k < count; k += n) {
		sw_mesh *fine = SW_NEW(e->arena, sw_mesh, 1);

		if (!chain->of || !fine)
			return sw_diag_memory(e->diag);
		n = fit_most(mesh, types + k, count - k, fine, out + k);
		if (n == 0)
			return refuse_mesh(e);
		for (int j = 0; j < n; j++)
			chain->of[k + j] = fine;
	}
	chain->mesh = *chain->of[0];
	return true;
}

static bool take_types(const sw_emitter *e, const sw_mesh *mesh, const sw_type *const *types, int count, bool several,
	sw_type_chain *chain)
{
	sw_type *out = SW_NEW(e->arena, sw_type, count);

	if (!out)
		return sw_diag_memory(e->diag);
	chain->of = NULL;
	chain->count = count;
	chain->type = out;
	return fits(mesh, types, count, &chain->mesh, &chain->finer, out) ||
		(several ? take_meshes(e, mesh, types, count, chain, out) : refuse_mesh(e));
}

bool sw_emit_way(const sw_emitter *e, const sw_type ***way, int *count)
{
	const sw_advice *advice = e->advice;
	int last = advice ? advice->via_count + 1 : e->plan->program.steps;
	const sw_type **types = *way = SW_NEW(e->arena, const sw_type *, last + 1);

	if (!types)
		return sw_diag_memory(e->diag);
	*count = last + 1;
	for (int k = 0; advice && k <= last; k++)
		types[k] = k == 0 ? &advice->problem.from : k == last ? &advice->problem.to : advice->via[k - 1];
	for (int k = 0; !advice && k <= last; k++) {
		types[k] = e->plan->program.value[k].type;
		if (!types[k])
			return sw_emit_refuse(e, HINT_STEPS,
				"what the devices hold after step %d is no type, so no constraint can say it", k);
	}
	return true;
}

bool sw_emit_type_chain(const sw_emitter *e, bool several, sw_type_chain *chain)
{
	const sw_mesh *mesh = e->advice ? &e->advice->problem.mesh : &e->plan->problem.mesh;
	const sw_type **way;
	int count;

	if (!sw_emit_way(e, &way, &count) || !take_types(e, mesh, way, count, several, chain))
		return false;
	chain->finer = chain->finer || (e->advice && e->advice->finer);
	return true;
}
