/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about placements, orders of other programs, and groups of devices.
 *
 *     {"kind": "placements", "system": [2, 16], "axes": [2, 16]}
 */
#include "command/batch/asked.h"

#include <shardwalk/number.h>

#include "command/placement/ranking.h"

#define MATRICES_LISTED 40

/* ---- placements ---- */

static bool add_sample(const struct problem_json *asked, const sw_system *system, const struct ranked *row,
	int64_t index)
{
	const struct placements_of of = {.system = system};
	const struct rows rows = ranked_rows(row, 1, &of, RANKED_SAMPLE);
	struct fields *sample = field_object(asked->answer, "sample"), *list;

	field_int(sample, "index", index);
	list = field_list(sample, "coordinates");
	for (int64_t d = 0; d < system->devices && system->devices <= SW_MAX_MAP_DEVICES; d++) {
		int64_t coordinate[SW_MAX_PLACED];

		for (int i = 0; i < row->placement.axes; i++)
			coordinate[i] = sw_placement_coordinate(&row->placement, d, i);
		field_ints(list, NULL, coordinate, row->placement.axes);
	}
	return rows_members(&rows, sample, asked->in.diag);
}

bool asked_placements(const struct problem_json *asked)
{
	sw_system system;
	struct ranked row, chosen = {0};
	int64_t axis[SW_MAX_PLACED], count, number = 0;
	json_t *sample = json_object_get(asked->json, "sample");
	json_int_t index = sample != NULL ? json_integer_value(json_object_get(sample, "index")) : 0;
	int axes;

	if (!asked_system(asked, "system", &system) || (axes = asked_axes(asked, axis)) < 0)
		return false;
	count = sw_placements_count(&system, axis, axes);
	if (count < 0)
		return sw_diag_memory(asked->in.diag);
	field_int(asked->answer, "count", count);
	struct fields *list = count <= MATRICES_LISTED ? field_list(asked->answer, "matrices") : NULL;
	for (bool more = sw_placement_first(&system, axis, axes, &row.placement);
		 more && (list != NULL || number <= index); more = sw_placement_next(&system, &row.placement), number++) {
		ranked_matrix(&row.placement, field_list(list, NULL));
		if (number == index)
			chosen = row;
	}
	return number <= index || add_sample(asked, &system, &chosen, index);
}

/* ---- orders ---- */

/* The devices of the mesh, row-major over its axes. */
static void add_devices(const struct problem_json *asked, const sw_system *system, const sw_placement *placement)
{
	struct fields *list = field_list(asked->answer, "devices");

	for (int64_t slot = 0; slot < system->devices && system->devices <= SW_MAX_MAP_DEVICES; slot++) {
		int64_t coordinate[SW_MAX_PLACED], rest = slot;

		for (int i = placement->axes - 1; i >= 0; i--) {
			int64_t size = 1;

			for (int j = 0; j < placement->levels; j++)
				size *= placement->factor[i][j];
			coordinate[i] = rest % size;
			rest /= size;
		}
		field_int(list, NULL, sw_placement_device(placement, coordinate));
	}
}

/* 0: a size is below 1, or the product above 2^63 - 1. */
static int64_t product_of(const int64_t *size, int count)
{
	int64_t product = 1;

	for (int i = 0; i < count; i++)
		if (size[i] < 1 || !sw_mul(product, size[i], &product))
			return 0;
	return product;
}

/* *placed: there is such a placement. */
static bool place_megatron(const struct problem_json *asked, const sw_system *system, sw_placement *placement,
	bool *placed)
{
	json_t *axes = json_object_get(asked->json, "axes"), *sizes = json_object_get(asked->json, "sizes");
	int64_t size[SW_MAX_PLACED];
	int count = (int)json_array_size(axes), straddles;

	if (count < 1 || count > SW_MAX_PLACED)
		return asked_refuse(asked, "axes", "names of axes, slowest first");
	for (int i = 0; i < count; i++)
		size[i] = json_integer_value(json_object_get(sizes, json_string_value(json_array_get(axes, (size_t)i))));
	if (product_of(size, count) != system->devices)
		return asked_refuse(asked, "sizes",
			"a size for each axis, whose product is the number of devices of "
			"the system");
	*placed = sw_placement_row_major(system, size, count, placement, &straddles);
	return true;
}

static bool place_jax(const struct problem_json *asked, const sw_system *system, sw_placement *placement,
	bool *placed)
{
	int64_t inner[SW_MAX_PLACED], outer[SW_MAX_PLACED], units = system->level[0].size;
	int count = asked_numbers(asked, "mesh_shape", 1, inner, SW_MAX_PLACED), straddles;

	if (count < 0 || asked_numbers(asked, "dcn_mesh_shape", 1, outer, SW_MAX_PLACED) != count)
		return asked_refuse(asked, "dcn_mesh_shape", "as many sizes as mesh_shape has");
	if (product_of(outer, count) != units)
		return asked_refuse(asked, "dcn_mesh_shape", "sizes whose product is the outermost level");
	if (product_of(inner, count) != system->devices / units)
		return asked_refuse(asked, "mesh_shape",
			"sizes whose product is the number of devices in a unit of the outermost level");
	*placed = sw_placement_hybrid(system, outer, inner, count, placement, &straddles);
	return true;
}

bool asked_order(const struct problem_json *asked)
{
	bool jax, placed = false;
	sw_system system;
	sw_placement placement;

	if (!asked_system(asked, "system", &system) || !asked_from_jax(asked, &jax) ||
		!(jax ? place_jax(asked, &system, &placement, &placed) : place_megatron(asked, &system, &placement, &placed)))
		return false;
	if (!placed) {
		field_null(asked->answer, "matrix");
		return true;
	}
	ranked_matrix(&placement, field_list(asked->answer, "matrix"));
	add_devices(asked, &system, &placement);
	return true;
}

/* ---- groups ---- */

bool asked_lowering(const struct problem_json *asked)
{
	sw_system system;
	sw_placement placement;
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);
	sw_group_name name;
	uint32_t summed;
	sw_hierarchy_kind kind;

	if (hierarchy == NULL)
		return sw_diag_memory(asked->in.diag);
	if (!asked_system(asked, "system", &system) ||
		!asked_matrix(asked, &system, json_object_get(asked->json, "matrix"), &placement) ||
		!asked_summed(asked, json_object_get(asked->json, "reduce"), placement.axes, &summed) ||
		!asked_hierarchy(asked, &kind))
		return false;
	sw_hierarchy_make(&placement, kind, summed, false, hierarchy);
	if (!sw_group_name_parse(sw_str_of(asked_text(asked, "instruction", "")), NULL, hierarchy, &name, asked->in.diag))
		return false;

	int64_t groups, size, *list = sw_named_groups(hierarchy, &name, asked->arena, &groups, &size);
	if (list == NULL)
		return sw_diag_memory(asked->in.diag);
	struct fields *sizes = field_list(asked->answer, "sizes"), *members = field_list(asked->answer, "groups");
	for (int i = 0; i < hierarchy->count; i++)
		field_int(sizes, NULL, sw_hierarchy_size(hierarchy, i));
	for (int64_t g = 0; g < groups; g++)
		field_ints(members, NULL, list + g * size, size);
	return true;
}
