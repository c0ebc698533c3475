/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about placements, orders of other programs, and groups of devices.
 *
 *     {"kind": "placements", "system": [2, 16], "axes": [2, 16]}
 */
#include "command/batch/asked.h"

#include <shardwalk/number.h>

#define MATRICES_LISTED 40

/* ---- placements ---- */

static void write_sample(const struct asked *asked, const sw_system *system, const sw_placement *placement,
	int64_t index)
{
	sw_json *json = asked->json;

	sw_json_key(json, "sample");
	sw_json_open(json, '{', false);
	sw_json_key(json, "index");
	sw_json_int(json, index);
	sw_json_key(json, "coordinates");
	sw_json_open(json, '[', false);
	for (int64_t d = 0; d < system->devices && system->devices <= SW_MAX_MAP_DEVICES; d++) {
		int64_t coordinate[SW_MAX_PLACED];

		for (int i = 0; i < placement->axes; i++)
			coordinate[i] = sw_placement_coordinate(placement, d, i);
		sw_json_ints(json, coordinate, placement->axes);
	}
	sw_json_close(json);
	sw_json_key(json, "parts");
	asked_write_parts(json, system, placement);
	sw_json_close(json);
}

bool asked_placements(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	int64_t axis[SW_MAX_PLACED], count, number = 0;
	json_t *sample = json_object_get(asked->line, "sample");
	json_int_t index = sample != NULL ? json_integer_value(json_object_get(sample, "index")) : 0;
	int axes;

	if (!asked_system(asked, "system", &system) || (axes = asked_axes(asked, axis)) < 0)
		return false;
	count = sw_placements_count(&system, axis, axes);
	if (count < 0)
		return sw_diag_memory(asked->diag);
	sw_json_key(asked->json, "count");
	sw_json_int(asked->json, count);
	if (count <= MATRICES_LISTED) {
		sw_json_key(asked->json, "matrices");
		sw_json_open(asked->json, '[', false);
		for (bool more = sw_placement_first(&system, axis, axes, &placement); more;
			 more = sw_placement_next(&system, &placement))
			asked_write_matrix(asked->json, &placement);
		sw_json_close(asked->json);
	}
	for (bool more = sw_placement_first(&system, axis, axes, &placement); more && number <= index;
		 more = sw_placement_next(&system, &placement), number++)
		if (number == index)
			write_sample(asked, &system, &placement, index);
	return true;
}

/* ---- orders ---- */

/* The devices of the mesh, row-major over its axes. */
static void write_devices(sw_json *json, const sw_system *system, const sw_placement *placement)
{
	sw_json_key(json, "devices");
	sw_json_open(json, '[', false);
	for (int64_t slot = 0; slot < system->devices && system->devices <= SW_MAX_MAP_DEVICES; slot++) {
		int64_t coordinate[SW_MAX_PLACED], rest = slot;

		for (int i = placement->axes - 1; i >= 0; i--) {
			int64_t size = 1;

			for (int j = 0; j < placement->levels; j++)
				size *= placement->factor[i][j];
			coordinate[i] = rest % size;
			rest /= size;
		}
		sw_json_int(json, sw_placement_device(placement, coordinate));
	}
	sw_json_close(json);
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
static bool place_megatron(const struct asked *asked, const sw_system *system, sw_placement *placement, bool *placed)
{
	json_t *axes = json_object_get(asked->line, "axes"), *sizes = json_object_get(asked->line, "sizes");
	int64_t size[SW_MAX_PLACED];
	int count = (int)json_array_size(axes), straddles;

	if (count < 1 || count > SW_MAX_PLACED)
		return asked_refuse(asked, "axes", "names of axes, slowest first");
	for (int i = 0; i < count; i++)
		size[i] = json_integer_value(json_object_get(sizes, json_string_value(json_array_get(axes, (size_t)i))));
	if (product_of(size, count) != system->devices)
		return asked_refuse(asked, "sizes", "a size for each axis, which multiply to the devices of the system");
	*placed = sw_placement_row_major(system, size, count, placement, &straddles);
	return true;
}

static bool place_jax(const struct asked *asked, const sw_system *system, sw_placement *placement, bool *placed)
{
	int64_t inner[SW_MAX_PLACED], outer[SW_MAX_PLACED], units = system->level[0].size;
	int count = asked_numbers(asked, "mesh_shape", 1, inner, SW_MAX_PLACED), straddles;

	if (count < 0 || asked_numbers(asked, "dcn_mesh_shape", 1, outer, SW_MAX_PLACED) != count)
		return asked_refuse(asked, "dcn_mesh_shape", "as many sizes as mesh_shape has");
	if (product_of(outer, count) != units)
		return asked_refuse(asked, "dcn_mesh_shape", "sizes that multiply to the outermost level");
	if (product_of(inner, count) != system->devices / units)
		return asked_refuse(asked, "mesh_shape",
			"sizes that multiply to the devices of a unit of the outermost level");
	*placed = sw_placement_hybrid(system, outer, inner, count, placement, &straddles);
	return true;
}

bool asked_order(const struct asked *asked)
{
	bool jax, placed = false;
	sw_system system;
	sw_placement placement;

	if (!asked_system(asked, "system", &system) || !asked_from_jax(asked, &jax) ||
		!(jax ? place_jax(asked, &system, &placement, &placed) : place_megatron(asked, &system, &placement, &placed)))
		return false;
	sw_json_key(asked->json, "matrix");
	if (placed)
		asked_write_matrix(asked->json, &placement);
	else
		sw_json_null(asked->json);
	if (placed)
		write_devices(asked->json, &system, &placement);
	return true;
}

/* ---- groups ---- */

bool asked_lowering(const struct asked *asked)
{
	sw_system system;
	sw_placement placement;
	sw_hierarchy *hierarchy = SW_NEW(asked->arena, sw_hierarchy, 1);
	sw_reduction_step step;
	uint32_t summed;
	sw_hierarchy_kind kind;
	sw_text text = {0};

	if (hierarchy == NULL)
		return sw_diag_memory(asked->diag);
	if (!asked_system(asked, "system", &system) ||
		!asked_matrix(asked, &system, json_object_get(asked->line, "matrix"), &placement) ||
		!asked_summed(asked, json_object_get(asked->line, "reduce"), placement.axes, &summed) ||
		!asked_hierarchy(asked, &kind))
		return false;
	sw_hierarchy_make(&placement, kind, summed, false, hierarchy);
	sw_text_addf(&text, "allreduce %s", asked_text(asked, "instruction", ""));
	bool read = sw_reduction_step_parse(sw_str_of(sw_text_get(&text)), NULL, hierarchy, &step, asked->diag);
	sw_text_free(&text);
	if (!read)
		return false;

	int64_t groups, size, *list = sw_reduction_groups(hierarchy, &step, asked->arena, &groups, &size);
	if (list == NULL)
		return sw_diag_memory(asked->diag);
	sw_json_key(asked->json, "sizes");
	sw_json_open(asked->json, '[', false);
	for (int i = 0; i < hierarchy->count; i++)
		sw_json_int(asked->json, sw_hierarchy_size(hierarchy, i));
	sw_json_close(asked->json);
	sw_json_key(asked->json, "groups");
	sw_json_open(asked->json, '[', false);
	for (int64_t g = 0; g < groups; g++)
		sw_json_ints(asked->json, list + g * size, size);
	sw_json_close(asked->json);
	return true;
}
