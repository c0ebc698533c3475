/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The axes that a collective of a jaxpr is over, as groups or pairs of devices.
 */
#include "foreign/log/jaxpr.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/python.h"

#define DEVICES_MOST ((int64_t)1 << 16)

static int axis_named(const sw_mesh *mesh, sw_str name)
{
	for (int i = 0; mesh && i < mesh->count; i++)
		if (sw_str_is(name, mesh->axis[i].name))
			return i;
	return -1;
}

/* Adds an axis by its name.  false: the mesh has none of it, or it is there already. */
static bool add_axis(const sw_mesh *mesh, sw_str name, sw_jaxpr_axes *out)
{
	int axis = axis_named(mesh, name);
	for (int i = 0; i < out->count; i++)
		if (out->axis[i] == axis)
			return false;
	if (axis < 0 || out->count == SW_MAX_AXES)
		return false;
	out->axis[out->count++] = axis;
	out->size *= mesh->axis[axis].size;
	return true;
}

static int64_t items_of(sw_str list)
{
	int64_t count = 0;
	list = sw_py_inside(list, "([");
	for (sw_py_item item; sw_py_take(&list, &item);)
		count += item.text.length > 0;
	return count;
}

void sw_jaxpr_axes_read(sw_str axes, sw_str groups, sw_str size, const sw_mesh *mesh, sw_jaxpr_axes *out)
{
	int64_t said;
	sw_py_item item;
	*out = (sw_jaxpr_axes){.known = axes.length > 0, .size = 1, .devices = mesh ? mesh->devices : 1};
	axes = sw_py_inside(axes, "([");
	while (sw_py_take(&axes, &item)) {
		sw_str name = sw_str_unquoted(item.text);
		out->known &= !name.length || add_axis(mesh, name, out);
	}
	bool grouped = groups.length && !sw_str_is(groups, "None");
	groups = sw_py_inside(groups, "([");
	if (grouped) {
		out->size = sw_py_take(&groups, &item) ? items_of(item.text) : 0;
		out->known = out->size > 0;
	} else if (!out->known && sw_read_int(size, &said, NULL) && said > 0 && said <= DEVICES_MOST) {
		out->size = said;
		out->known = true;
	}
	out->size = out->known && out->size > 0 ? out->size : out->devices;
	out->devices = out->devices > out->size ? out->devices : out->size;
}

/* How far from the first device of its group the one with this number along the axes is. */
static int64_t offset_of(const sw_jaxpr_axes *axes, const sw_mesh *mesh, int64_t number)
{
	int64_t offset = 0;
	for (int i = axes->count; i-- > 0;) {
		const int64_t size = mesh->axis[axes->axis[i]].size;
		offset += number % size * mesh->axis[axes->axis[i]].stride;
		number /= size;
	}
	return offset;
}

static bool is_first(const sw_jaxpr_axes *axes, const sw_mesh *mesh, int64_t device)
{
	for (int i = 0; i < axes->count; i++)
		if (device / mesh->axis[axes->axis[i]].stride % mesh->axis[axes->axis[i]].size)
			return false;
	return true;
}

/* Numbers of the pairs, source, target, ...; how many, -1: they are none. */
static int64_t pairs_read(sw_str perm, int64_t size, int64_t *number, int64_t most)
{
	int64_t count = 0;
	perm = sw_py_inside(perm, "([");
	for (sw_py_item item, end; sw_py_take(&perm, &item);) {
		sw_str pair = sw_py_inside(item.text, "([");
		for (int k = 0; k < 2 && item.text.length; k++, count++)
			if (count == most || !sw_py_take(&pair, &end) || !sw_read_int(end.text, &number[count], NULL) ||
				number[count] < 0 || number[count] >= size)
				return -1;
	}
	return count;
}

traffic_groups sw_jaxpr_pairs(const sw_jaxpr_axes *axes, sw_str perm, const sw_mesh *mesh, sw_arena *work)
{
	traffic_groups wrong = traffic_whole(axes->devices);
	wrong.wrong = true;
	if (!axes->known || !axes->count || !mesh || axes->devices > DEVICES_MOST)
		return wrong;
	int64_t *number = SW_NEW(work, int64_t, 2 * axes->size), *member = SW_NEW(work, int64_t, 2 * axes->devices);
	int64_t count = number && member ? pairs_read(perm, axes->size, number, 2 * axes->size) : -1, all = 0;
	if (count < 0 || count % 2)
		return wrong;
	for (int64_t device = 0; device < axes->devices; device++)
		for (int64_t k = 0; k < count && is_first(axes, mesh, device); k++)
			member[all++] = device + offset_of(axes, mesh, number[k]);
	assert(all <= 2 * axes->devices);
	return traffic_pairs_of(all / 2, member, axes->devices, work);
}
