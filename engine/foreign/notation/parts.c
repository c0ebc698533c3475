/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of a sharding's mesh: those that are left over, and finer meshes.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"

int sw_sharding_order(const sw_sharding *s, int room, int64_t *size, int *order)
{
	sw_digit digit[SW_MAX_PARTS + SW_MAX_AXES];
	sw_part rest[SW_MAX_PARTS];
	if (s->kind != SW_SHARDING_TILED || s->mesh.devices < 1)
		return 0;
	int count = sw_digits_of_parts(&s->mesh, s->parts, s->first[s->rank + s->subgroups], digit);
	int others = sw_sharding_rest(s, ~0u, rest, SW_MAX_AXES);
	count = sw_digits_merge(digit, count + sw_digits_of_parts(&s->mesh, rest, others, digit + count));
	return count <= room && sw_digits_order(digit, count, s->mesh.devices, size, order) ? count : 0;
}

/* ---- parts ---- */

/* The most major part of an axis from `pre` on among those used, or NULL. */
static const sw_part *rest_next(const sw_sharding *sharding, int end, unsigned states, int axis, int64_t pre)
{
	const sw_part *best = NULL;
	for (int i = 0; i < end; i++) {
		const sw_part *part = &sharding->parts[i];
		bool used = i < sharding->first[sharding->rank];
		for (int g = 0; g < sharding->subgroups && !used; g++)
			used = i >= sw_subgroup_first(sharding, g) && i < sw_subgroup_first(sharding, g + 1) &&
				states >> sharding->subgroup[g] & 1;
		if (used && part->axis == axis && part->pre >= pre && (!best || part->pre < best->pre))
			best = part;
	}
	return best;
}

int sw_sharding_rest(const sw_sharding *sharding, unsigned states, sw_part *rest, int room)
{
	const sw_mesh *mesh = &sharding->mesh;
	int count = 0, end = sharding->first[sharding->rank + sharding->subgroups];
	for (int axis = 0; axis < mesh->count; axis++) {
		for (int64_t pre = 1; pre < mesh->axis[axis].size && count < room;) {
			const sw_part *next = rest_next(sharding, end, states, axis, pre);
			int64_t until = next ? next->pre : mesh->axis[axis].size;
			if (until > pre)
				rest[count++] = (sw_part){axis, pre, until / pre};
			pre = next ? next->pre * next->size : until;
		}
	}
	return count;
}

/* ---- finer meshes ---- */

static bool refine_cuts(const sw_sharding *sharding, int axis, int64_t *cut, int *count)
{
	int64_t size = sharding->mesh.axis[axis].size;
	int end = sharding->first[sharding->rank + sharding->subgroups];
	*count = 0;
	for (int64_t at = 1; at < size && *count < SW_MAX_AXES;) {
		int64_t next = size;
		for (int i = 0; i < end; i++) {
			const sw_part *part = &sharding->parts[i];
			if (part->axis != axis)
				continue;
			if (part->pre > at && part->pre < next)
				next = part->pre;
			if (part->pre * part->size > at && part->pre * part->size < next)
				next = part->pre * part->size;
		}
		cut[(*count)++] = next;
		at = next;
	}
	return *count > 1;
}

static void refine_axis(const sw_sharding *sharding, int axis, sw_sharding *fine)
{
	const sw_axis *old = &sharding->mesh.axis[axis];
	int64_t cut[SW_MAX_AXES], before = 1;
	int count;
	if (!refine_cuts(sharding, axis, cut, &count)) {
		sw_mesh_add(&fine->mesh, sw_str_of(old->name), old->size, NULL);
		return;
	}
	for (int i = 0; i < count; i++) {
		char name[SW_NAME_SIZE + 8];
		snprintf(name, sizeof(name), "%.50s_%d", old->name, i + 1);
		while (sw_mesh_find(&sharding->mesh, sw_str_of(name)) >= 0 || sw_mesh_find(&fine->mesh, sw_str_of(name)) >= 0)
			strcat(name, "_");
		sw_mesh_add(&fine->mesh, sw_str_of(name), cut[i] / before, NULL);
		before = cut[i];
	}
}

/* The axes of the finer mesh that make up a part, major to minor. */
static int refine_part(const sw_sharding *sharding, sw_part part, const sw_mesh *fine, sw_part *out)
{
	int64_t low = sw_part_stride(&sharding->mesh, part), high = low * part.size;
	int count = 0;
	for (int i = 0; i < fine->count; i++)
		if (fine->axis[i].size > 1 && fine->axis[i].stride >= low && fine->axis[i].stride < high)
			out[count++] = (sw_part){i, 1, fine->axis[i].size};
	return count;
}

int64_t sw_sharding_summands(const sw_sharding *sharding)
{
	int64_t parts = 1;
	for (int g = 0; g < sharding->subgroups; g++)
		for (int i = sw_subgroup_first(sharding, g); i < sw_subgroup_first(sharding, g + 1); i++)
			parts *= sharding->subgroup[g] == SW_SUBGROUP_UNREDUCED ? sharding->parts[i].size : 1;
	return parts;
}

void sw_sharding_refine(const sw_sharding *sharding, sw_sharding *fine)
{
	*fine = *sharding;
	fine->mesh = (sw_mesh){.devices = sharding->mesh.devices, .order = sharding->mesh.order};
	for (int axis = 0; axis < sharding->mesh.count; axis++)
		refine_axis(sharding, axis, fine);
	int count = 0;
	for (int slot = 0; slot < sharding->rank + sharding->subgroups; slot++) {
		fine->first[slot] = count;
		for (int i = sharding->first[slot]; i < sharding->first[slot + 1]; i++)
			count += refine_part(sharding, sharding->parts[i], &fine->mesh, fine->parts + count);
	}
	fine->first[sharding->rank + sharding->subgroups] = count;
}
