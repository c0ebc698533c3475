/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan in PyTorch's DTensor, as a program that moves one array from type to type.
 *
 * Where several axes of a mesh cut one dimension, DTensor takes the first axis for the most major one.  So the
 * axes are put into an order that fits all types on the way; the mesh then lists its devices transposed.
 */
#include "emit/dtensor.h"
#include "emit/program.h"

/* ---- the order of the axes ---- */

/* Has axis b to stand behind an axis that is not done yet? */
static bool waits(const sw_type_chain *chain, int b, const bool *done)
{
	int axes[SW_MAX_PARTS];

	for (int t = 0; t < chain->count; t++)
		for (int i = 0; i < chain->type[t].rank; i++) {
			int count = sw_emit_axes(&chain->type[t], i, axes);
			bool behind = false;

			for (int k = 0; k < count && axes[k] != b; k++)
				behind = behind || !done[axes[k]];
			for (int k = 0; k < count; k++)
				if (axes[k] == b && behind)
					return true;
		}
	return false;
}

bool sw_dtensor_order(const sw_type_chain *chain, int order[SW_MAX_AXES])
{
	bool done[SW_MAX_AXES] = {false};

	for (int n = 0; n < chain->mesh.count; n++) {
		int a = 0;

		while (a < chain->mesh.count && (done[a] || waits(chain, a, done)))
			a++;
		if (a == chain->mesh.count)
			return false;
		done[a] = true;
		order[n] = a;
	}
	return true;
}

/* A process group of PyTorch has its ranks in ascending order, whatever the mesh says: along an axis that lists
 * them otherwise its collectives bring the pieces in the wrong order. */
bool sw_dtensor_ascends(const sw_emitter *e, const sw_mesh *mesh, const int64_t *devices)
{
	for (int a = 0; devices && a < mesh->count; a++) {
		const sw_axis *axis = &mesh->axis[a];

		for (int64_t p = 0; p + axis->stride < mesh->devices; p++)
			if (sw_mesh_coordinate(mesh, p, a) + 1 < axis->size && devices[p] > devices[p + axis->stride])
				return sw_emit_refuse(e, "the formats jax and shardy take devices in any order",
					"along axis '%s' the devices do not ascend, and PyTorch sorts the ranks of a group", axis->name);
	}
	return true;
}

/* ---- pieces ---- */

static void add_order(sw_text *text, const int *order, int count)
{
	bool moves = false;

	for (int n = 0; n < count; n++)
		moves = moves || order[n] != n;
	if (!moves)
		return;
	sw_text_add(text, ".permute(");
	for (int n = 0; n < count; n++)
		sw_text_addf(text, "%s%d", n ? ", " : "", order[n]);
	sw_text_add_char(text, ')');
}

void sw_dtensor_mesh(sw_text *text, const sw_mesh *mesh, const int64_t *devices, const int *order, const char *device)
{
	sw_text_addf(text, "DeviceMesh(%s, torch.", device);
	if (devices)
		sw_python_order(text, "tensor([", devices, mesh->devices, "]).reshape(");
	else
		sw_text_addf(text, "arange(%lld).reshape(", (long long)mesh->devices);
	for (int a = 0; a < mesh->count; a++)
		sw_text_addf(text, "%s%lld", a ? ", " : "", (long long)mesh->axis[a].size);
	sw_text_add_char(text, ')');
	add_order(text, order, mesh->count);
	sw_text_add(text, ", mesh_dim_names=");
	sw_python_axes(text, mesh, order, mesh->count);
	sw_text_add_char(text, ')');
}

/* The dimension that an axis cuts; the rank where it is summed, -1: neither. */
static int dimension_of(const sw_type *type, int axis)
{
	for (int i = 0; i <= type->rank; i++)
		for (int k = type->first[i]; k < type->first[i + 1]; k++)
			if (sw_type_part(type, k).axis == axis)
				return i;
	return -1;
}

void sw_dtensor_placements(sw_text *text, const sw_mesh *mesh, const sw_type *type, const int *order)
{
	sw_text_add_char(text, '[');
	for (int n = 0; n < mesh->count; n++) {
		int i = dimension_of(type, order ? order[n] : n);

		sw_text_add(text, n ? ", " : "");
		if (i == type->rank)
			sw_text_add(text, "Partial()");
		else
			sw_text_addf(text, i < 0 ? "Replicate()" : "Shard(%d)", i);
	}
	sw_text_add_char(text, ']');
}

void sw_dtensor_redistribute(sw_text *text, const sw_mesh *mesh, const sw_type *type, const int *order)
{
	sw_text_add(text, ".redistribute(placements=");
	sw_dtensor_placements(text, mesh, type, order);
	sw_text_add_char(text, ')');
}

/* ---- a plan ---- */

bool sw_emit_dtensor(sw_emitter *e)
{
	sw_program_emitter w;
	sw_type_chain chain;

	if (!sw_emit_type_chain(e, false, &chain) || !sw_program_of_types(e, chain.type, chain.count, NULL, &w))
		return false;
	w.mesh = chain.mesh;
	return sw_emit_program_dtensor(&w);
}

bool sw_emit_dtensor_lines(sw_emitter *e, const sw_type_chain *chain)
{
	int order[SW_MAX_AXES];
	bool moves = chain->finer || e->mesh->unnamed;

	if (!sw_dtensor_ascends(e, &chain->mesh, e->mesh->devices))
		return false;
	if (!sw_dtensor_order(chain, order))
		return sw_emit_refuse(e, "the format jax has no such order", SW_DTENSOR_NO_ORDER);
	for (int n = 0; n < chain->mesh.count; n++)
		moves = moves || order[n] != n;
	if (e->mesh->unnamed)
		sw_emit_line(e, "assert x.device_mesh.size() == %lld", (long long)e->devices);
	if (moves) {
		sw_text_add(e->text, "mesh = ");
		sw_dtensor_mesh(e->text, &chain->mesh, e->mesh->devices, order, "x.device_mesh.device_type");
		sw_text_add(e->text, "\nx = DTensor.from_local(x.to_local(), mesh, ");
		sw_dtensor_placements(e->text, &chain->mesh, &chain->type[0], order);
		sw_text_add(e->text, ", run_check=False)\n");
	}
	for (int k = 1; k < chain->count; k++) {
		sw_text_add(e->text, "x = x");
		sw_dtensor_redistribute(e->text, &chain->mesh, &chain->type[k], order);
		sw_text_add_char(e->text, '\n');
	}
	return true;
}
