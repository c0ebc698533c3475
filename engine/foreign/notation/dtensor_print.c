/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements, one for each dimension of the mesh, as DTensor and OneFlow print them, and DTensor's meshes.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>

/* The dimension that a mesh dimension cuts, and the product of those to its right that cut before it. */
static int dtensor_cut_by(const sw_sharding *s, int axis, int64_t *split)
{
	*split = 1;
	for (int d = 0; d < s->rank; d++) {
		int64_t before = 1;
		for (int i = s->first[d]; i < s->first[d + 1]; i++) {
			if (s->parts[i].axis == axis) {
				*split = before;
				return d;
			}
			before *= s->parts[i].axis > axis ? s->parts[i].size : 1;
		}
	}
	return -1;
}

static bool is_in(const sw_sharding *s, int axis, sw_subgroup state)
{
	for (int g = 0; g < s->subgroups; g++)
		for (int i = sw_subgroup_first(s, g); i < sw_subgroup_first(s, g + 1); i++)
			if (s->parts[i].axis == axis && s->subgroup[g] == state)
				return true;
	return false;
}

struct words {
	const char *shard, *replicate, *partial;
};

static const struct words dtensor_words = {"Shard", "Replicate()", "Partial(sum)"};
static const struct words sbp_words = {"oneflow.sbp.split", "oneflow.sbp.broadcast", "oneflow.sbp.partial_sum"};

/* false: a dimension is cut in an order that only split factors say. */
static bool dtensor_print_placements(const sw_sharding *s, const struct words *words, sw_text *text)
{
	sw_sharding fine;
	bool plain = true;
	sw_sharding_refine(s, &fine);
	sw_text_add(text, "(");
	for (int axis = 0; axis < fine.mesh.count; axis++) {
		int64_t split;
		int d = dtensor_cut_by(&fine, axis, &split);
		sw_text_add(text, axis ? ", " : "");
		plain = plain && split <= 1;
		if (d >= 0 && split > 1)
			sw_text_addf(text, "_StridedShard(dim=%d, split_factor=%" PRId64 ")", d, split);
		else if (d >= 0)
			sw_text_addf(text, "%s(dim=%d)", words->shard, d);
		else if (is_in(&fine, axis, SW_SUBGROUP_COMBINED))
			sw_text_addf(text, "Partial(%s)", s->combined);
		else
			sw_text_add(text, is_in(&fine, axis, SW_SUBGROUP_UNREDUCED) ? words->partial : words->replicate);
	}
	sw_text_add(text, fine.mesh.count == 1 ? ",)" : ")");
	return plain;
}

bool sw_print_dtensor(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	bool tensor = s->own_mesh && s->notation == SW_NOTATION_DTENSOR;
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_dtensor(s, arena, text, diag);
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_DTENSOR, "it has no tiles");
	if (tensor) {
		sw_text_add(text, "DTensor(device_mesh=");
		sw_mesh_dtensor(s, arena, text, diag);
		sw_text_add(text, ", placements=");
	}
	dtensor_print_placements(s, &dtensor_words, text);
	sw_text_add(text, tensor ? ")" : "");
	return true;
}

bool sw_print_sbp(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_sbp(s, arena, text, diag);
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_SBP, "it has no tiles");
	return dtensor_print_placements(s, &sbp_words, text) ||
		sw_print_refuse(diag, SW_NOTATION_SBP, "the leftmost axis cuts a dimension first there");
}

#define ROWS_MOST 64 /* devices that are listed only to say the sizes of a mesh */

/* The devices at the places of a mesh in rows. */
static bool dtensor_print_rows(const sw_sharding *fine, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const int64_t *ids = fine->mesh.order;
	int64_t devices = fine->mesh.devices, *iota = NULL;
	if (devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "a list of more than 2^20 devices is too long");
	if (!ids)
		ids = iota = SW_NEW(arena, int64_t, devices);
	if (!ids)
		return sw_diag_memory(diag);
	for (int64_t i = 0; i < devices && iota; i++)
		iota[i] = i;
	sw_print_rows(&fine->mesh, ids, 0, 0, text);
	return true;
}

bool sw_mesh_sbp(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	sw_sharding_refine(s, &fine);
	if (!fine.mesh.order && fine.mesh.devices > ROWS_MOST)
		return sw_mesh_paper(&fine, arena, text, diag);
	sw_text_add(text, "oneflow.placement(type=\"cuda\", ranks=");
	if (!dtensor_print_rows(&fine, arena, text, diag))
		return false;
	sw_text_add(text, ")");
	return true;
}

bool sw_mesh_paddle(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_text_add(text, "ProcessMesh(");
	if (!dtensor_print_rows(s, arena, text, diag))
		return false;
	sw_text_add(text, ", dim_names=[");
	for (int i = 0; i < s->mesh.count; i++)
		sw_text_addf(text, "%s'%s'", i ? ", " : "", s->mesh.axis[i].name);
	sw_text_add(text, "])");
	return true;
}

bool sw_mesh_dtensor(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	(void)diag;
	sw_sharding_refine(s, &fine);
	const sw_mesh *mesh = &fine.mesh;
	sw_text_add(text, fine.mesh.order ? "DeviceMesh('cuda', " : "init_device_mesh('cuda', (");
	if (fine.mesh.order)
		sw_print_rows(mesh, fine.mesh.order, 0, 0, text);
	for (int i = 0; i < mesh->count && !fine.mesh.order; i++)
		sw_text_addf(text, "%s%" PRId64 "%s", i ? ", " : "", mesh->axis[i].size, mesh->count == 1 ? "," : "");
	sw_text_add(text, fine.mesh.order ? ", mesh_dim_names=(" : "), mesh_dim_names=(");
	for (int i = 0; i < mesh->count; i++)
		sw_text_addf(text, "%s'%s'%s", i ? ", " : "", mesh->axis[i].name, mesh->count == 1 ? "," : "");
	sw_text_add(text, "))");
	return true;
}
