/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands system, axes and place: parallelism axes laid on a system in levels.
 *
 * A system is the mesh of its levels; axes are the mesh that types speak of, in the order of device numbers until `place`
 * says which device lies where.
 */
#include "command/placement/placement.h"

#include <string.h>

#include <shardwalk/number.h>

#include "command/command.h"

/* ---- what is there ---- */

static struct placing *placing_copy(struct session *session)
{
	const struct placing *now = session->state.placing;
	struct placing *copy = SW_NEW_ZERO(session->arena, struct placing, 1);

	if (copy != NULL && now != NULL)
		*copy = *now;
	return copy;
}

/* ---- system ---- */

static bool named_system(const struct invocation *run, sw_str text, sw_system *system, sw_diag *diag)
{
	sw_str rest = text, name = sw_str_word(&rest);
	int64_t nodes = 1;

	if (rest.length > 0 && !sw_read_int(rest, &nodes, NULL))
		sw_diag_set(diag, SW_L11, (sw_span){0, 0}, "the number of nodes is not a whole number");
	else if (sw_system_named(name, nodes, system))
		return true;
	else {
		sw_diag_set(diag, SW_L08, (sw_span){0, 0},
			"there is no system with this name and this number of "
			"nodes");
		rest = name;
	}
	sw_diag_hint(diag,
		"p2-a100 N, p2-v100 N, p2-a100-fitted N and p2-v100-fitted N are known; otherwise write the levels: "
		"{node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}");
	return refuse_at(run, rest, diag);
}

/* The levels as the axes of a mesh, each with its link. */
static void mesh_of_levels(const sw_system *system, sw_mesh *mesh)
{
	memset(mesh, 0, sizeof *mesh);
	for (int j = 0; j < system->count; j++) {
		sw_mesh_add(mesh, sw_str_of(system->level[j].name), system->level[j].size, NULL);
		mesh->axis[j].bandwidth = system->level[j].bandwidth;
		mesh->axis[j].latency = system->level[j].latency;
		mesh->axis[j].level = j;
	}
}

/* Another mesh on the system, under the model that was set. */
static void lay_mesh(struct session *session, const sw_mesh *mesh, const struct placing *placing)
{
	sw_mesh named = *mesh;
	struct setting_value model = session->state.settings.value[SETTING_MODEL];

	session->state.placing = NULL;
	named.unit = sw_system_innermost(&placing->system);
	problem_take_mesh(session, &named);
	session->state.settings.value[SETTING_MODEL] = model;
	session->state.placing = placing;
}

static bool has_ports(const sw_system *system)
{
	for (int j = 0; j < system->count; j++)
		if (system->level[j].bandwidth <= 0)
			return false;
	return true;
}

bool command_system(struct invocation *run, sw_diag *diag)
{
	sw_str text = sw_str_trim(argument(run, 0)->raw);
	struct placing *placing = SW_NEW_ZERO(run->session->arena, struct placing, 1);
	sw_mesh mesh;

	if (placing == NULL)
		return sw_diag_memory(diag);
	if (text.length > 0 && *text.at == '{' && !sw_system_parse(text, &placing->system, diag))
		return refuse_at(run, text, diag);
	if (placing->system.count == 0 && !named_system(run, text, &placing->system, diag))
		return false;
	mesh_of_levels(&placing->system, &mesh);
	lay_mesh(run->session, &mesh, placing);
	if (has_ports(&placing->system))
		setting_read(SETTING_MODEL, sw_str_of(sw_model_name(SW_MODEL_PORTS)),
			&run->session->state.settings.value[SETTING_MODEL], NULL);
	return true;
}

/* ---- axes ---- */

/* The divisor of n that is nearest to `near`, by ratio. */
static int64_t nearest_divisor(int64_t n, int64_t near)
{
	int64_t best = 1;
	double least = -1;

	for (int64_t d = 1; d <= n / d; d++) {
		int64_t pair[2] = {d, n / d};

		for (int k = 0; k < 2 && n % d == 0; k++) {
			double ratio = (double)sw_larger(pair[k], near) / (double)sw_smaller(pair[k], near);

			if (least < 0 || ratio < least) {
				least = ratio;
				best = pair[k];
			}
		}
	}
	return best;
}

/* Axes of these names that fit: each as near as what the ones before it leave allows, the last one takes the rest. */
static void hint_axes(const sw_mesh *axes, int64_t devices, sw_diag *diag)
{
	sw_text text = {0};
	int64_t rest = devices;

	for (int i = 0; i < axes->count; i++) {
		int64_t size = i + 1 == axes->count ? rest : nearest_divisor(rest, axes->axis[i].size);

		sw_text_add(&text, i == 0 ? "{" : ", ");
		sw_mesh_print_name(axes->axis[i].name, &text);
		sw_text_addf(&text, ": %lld", (long long)size);
		rest /= size;
	}
	sw_diag_hint(diag, "these fit: %s}", sw_text_get(&text));
	sw_text_free(&text);
}

static bool axes_fit(const struct invocation *run, const sw_mesh *axes, sw_str text, sw_diag *diag)
{
	int64_t devices = run->session->state.placing->system.devices;

	if (axes->devices == devices && axes->count <= SW_MAX_PLACED)
		return true;
	if (axes->count > SW_MAX_PLACED)
		sw_diag_set(diag, SW_M04, (sw_span){0, 0}, "at most %d axes can be placed", SW_MAX_PLACED);
	else {
		sw_diag_set(diag, SW_M03, (sw_span){0, 0},
			"the product of the axes is %lld, but there are %lld "
			"devices",
			(long long)axes->devices, (long long)devices);
		sw_diag_expected(diag, "axes whose product is %lld", (long long)devices);
		sw_diag_found(diag, "%lld", (long long)axes->devices);
		hint_axes(axes, devices, diag);
	}
	return refuse_at(run, text, diag);
}

/* New axes, not placed yet, are the mesh. */
static bool take_axes(struct session *session, const sw_mesh *axes, sw_diag *diag)
{
	struct placing *placing = placing_copy(session);

	if (placing == NULL)
		return sw_diag_memory(diag);
	placing->axes = *axes;
	placing->has_axes = true;
	placing->placed = false;
	lay_mesh(session, axes, placing);
	return true;
}

bool command_axes(struct invocation *run, sw_diag *diag)
{
	sw_str text = sw_str_trim(argument(run, 0)->raw);
	sw_mesh axes;

	if (!need_system(run->session, diag))
		return false;
	if (!sw_mesh_parse(text, &axes, diag))
		return refuse_at(run, text, diag);
	return axes_fit(run, &axes, text, diag) && take_axes(run->session, &axes, diag);
}

/* ---- place ---- */

/* The device in each slot of the axes, row-major. */
static const int64_t *order_of(struct session *session, const sw_mesh *axes, const sw_placement *placement)
{
	int64_t *order = SW_NEW(session->arena, int64_t, axes->devices);

	for (int64_t slot = 0; order != NULL && slot < axes->devices; slot++) {
		int64_t coordinate[SW_MAX_PLACED];

		for (int i = 0; i < axes->count; i++)
			coordinate[i] = sw_mesh_coordinate(axes, slot, i);
		order[slot] = sw_placement_device(placement, coordinate);
	}
	return order;
}

static bool is_identity(const int64_t *order, int64_t devices)
{
	for (int64_t slot = 0; slot < devices; slot++)
		if (order[slot] != slot)
			return false;
	return true;
}

static bool take_placement(struct invocation *run, const sw_placement *placement, sw_diag *diag)
{
	struct session *session = run->session;
	struct placing *placing = placing_copy(session);
	sw_mesh mesh;

	if (placing == NULL)
		return sw_diag_memory(diag);
	if (placing->system.devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"an order of %lld devices is too long, at most %lld "
			"are possible",
			(long long)placing->system.devices, (long long)SW_MAX_MAP_DEVICES);
	placing->placement = *placement;
	placing->placed = true;
	mesh = placing->axes;
	mesh.order = order_of(session, &placing->axes, placement);
	if (mesh.order == NULL)
		return sw_diag_memory(diag);
	if (is_identity(mesh.order, mesh.devices))
		mesh.order = NULL;
	lay_mesh(session, &mesh, placing);
	return true;
}

static bool place_row(struct invocation *run, sw_str text, int64_t row, sw_diag *diag)
{
	const struct kept_placements *listed = placements_listed(run, diag);

	if (listed == NULL)
		return false;
	if (row >= 1 && row <= listed->count)
		return take_placement(run, &listed->placement[row - 1], diag);
	sw_diag_set(diag, SW_L12, (sw_span){0, 0}, "the list has %d rows", listed->count);
	sw_diag_expected(diag, "a row of `placements`, 1 to %d", listed->count);
	return refuse_at(run, text, diag);
}

/* Lists of as many numbers each, `[2 4] [2 4]`: how many, 0 where there is something else. */
static int read_lists(sw_str text, char open, int64_t list[][SW_MAX_LEVELS], int room, int *columns)
{
	int rows = 0;

	while (text.length > 0) {
		size_t end = *text.at == open ? sw_str_balanced(text, 0, SW_NESTING_PLAIN) : 0;
		int count = end > 0 && rows < room ? read_numbers((sw_str){text.at + 1, end - 2}, list[rows], SW_MAX_LEVELS) :
											 0;

		if (count == 0 || (rows++ > 0 && count != *columns))
			return 0;
		*columns = count;
		while (end < text.length && strchr(" \t,", text.at[end]))
			end++;
		text = sw_str_behind(text, end);
	}
	return rows;
}

/* `[[2 4] [2 4]]` or `[2 4] [2 4]`. */
static bool read_matrix(sw_str text, sw_placement *placement)
{
	sw_str inner = sw_str_trim(sw_str_inner(text));
	bool nested = sw_str_starts(inner, "[") && sw_str_balanced(text, 0, SW_NESTING_PLAIN) == text.length;

	memset(placement, 0, sizeof *placement);
	placement->axes = read_lists(nested ? inner : text, '[', placement->factor, SW_MAX_PLACED, &placement->levels);
	return placement->axes > 0;
}

static bool place_matrix(struct invocation *run, sw_str text, sw_diag *diag)
{
	const struct placing *placing = run->session->state.placing;
	sw_placement placement;

	if (!read_matrix(text, &placement) || placement.axes != placing->axes.count ||
		placement.levels != placing->system.count) {
		sw_diag_set(diag, SW_L02, (sw_span){0, 0},
			"this is not a matrix with a row for each axis and a column for each level");
		sw_diag_expected(diag, "%d rows of %d factors, such as [2 4] [2 4]", placing->axes.count,
			placing->system.count);
		return refuse_at(run, text, diag);
	}
	if (!sw_placement_fits(&placing->system, &placing->axes, &placement, diag))
		return refuse_at(run, text, diag);
	return take_placement(run, &placement, diag);
}

/* ---- orders of other programs, which bring their axes ---- */

static bool refuse_order(const struct invocation *run, sw_str text, const sw_mesh *axes, int straddles, sw_diag *diag)
{
	sw_diag_set(diag, SW_L13, (sw_span){0, 0},
		"this order is not a placement: axis '%s' crosses the border of "
		"a level",
		axes->axis[straddles].name);
	sw_diag_hint(diag, "its devices are not whole units of a level; change its size, or the size of a faster axis");
	return refuse_at(run, text, diag);
}

static bool take_order_of(struct invocation *run, sw_str text, const sw_mesh *axes, const sw_placement *placement,
	sw_diag *diag)
{
	const struct state before = run->session->state;

	if (!axes_fit(run, axes, text, diag))
		return false;
	if (take_axes(run->session, axes, diag) && take_placement(run, placement, diag))
		return true;
	run->session->state = before;
	return false;
}

#define MEGATRON_AXES 5
static const char *const megatron_axes[MEGATRON_AXES] = {"tp", "cp", "ep", "dp", "pp"};

static int megatron_axis(sw_str name)
{
	for (int i = 0; i < MEGATRON_AXES; i++)
		if (sw_str_is(name, megatron_axes[i]))
			return i;
	return -1;
}

/* `tp-cp-ep-dp-pp`, the fastest first; the axes of the order. */
static int read_megatron_order(sw_str order, int axis[MEGATRON_AXES])
{
	int count = 0;

	for (size_t at = 0, end; at <= order.length; at = end + 1) {
		end = sw_str_outside(order, at, SW_NESTING_PLAIN, "-");
		int found = megatron_axis((sw_str){order.at + at, end - at});

		if (found < 0 || count == MEGATRON_AXES)
			return -1;
		axis[count++] = found;
	}
	return count;
}

static bool refuse_megatron(const struct invocation *run, sw_str word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "this is not part of an order of Megatron");
	sw_diag_expected(diag, "an order such as tp-cp-ep-dp-pp, then sizes: tp=4 dp=4 pp=4");
	return refuse_at(run, word, diag);
}

/* What is wrong with a size: its name, its number, or that the order does not have it. */
static bool refuse_megatron_size(const struct invocation *run, sw_str word, int axis, bool ordered, sw_diag *diag)
{
	refuse_megatron(run, word, diag);
	if (axis < 0)
		sw_diag_hint(diag, "a size is NAME=NUMBER, and the names are tp, cp, ep, dp and pp");
	else if (ordered)
		sw_diag_hint(diag, "the size of %s is a number from 1 on", megatron_axes[axis]);
	else
		sw_diag_hint(diag, "%s is not in the given order", megatron_axes[axis]);
	return false;
}

static bool is_ordered(const int order[MEGATRON_AXES], int count, int axis)
{
	for (int k = 0; k < count; k++)
		if (order[k] == axis)
			return true;
	return false;
}

static bool read_megatron_sizes(struct invocation *run, sw_str rest, const int order[MEGATRON_AXES], int count,
	int64_t size[MEGATRON_AXES], sw_diag *diag)
{
	while (rest.length > 0) {
		sw_str word = sw_str_word(&rest);
		size_t length = sw_str_outside(word, 0, SW_NESTING_PLAIN, "=");
		int axis = length < word.length ? megatron_axis((sw_str){word.at, length}) : -1;
		bool ordered = is_ordered(order, count, axis);

		if (!ordered || !sw_read_int(sw_str_behind(word, length + 1), &size[axis], NULL) || size[axis] < 1)
			return refuse_megatron_size(run, word, axis, ordered, diag);
	}
	return true;
}

static bool place_megatron(struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_str rest = text, order = sw_str_word(&rest);
	int axis[MEGATRON_AXES], count = read_megatron_order(order, axis), straddles = 0;
	int64_t size[MEGATRON_AXES] = {1, 1, 1, 1, 1}, sizes[SW_MAX_PLACED];
	sw_mesh axes = {0};
	sw_placement placement;

	if (count < 0)
		return refuse_megatron(run, order, diag);
	if (!read_megatron_sizes(run, rest, axis, count, size, diag))
		return false;
	for (int k = count - 1; k >= 0; k--)
		if (size[axis[k]] > 1 && !sw_mesh_add(&axes, sw_str_of(megatron_axes[axis[k]]), size[axis[k]], diag))
			return refuse_at(run, text, diag);
	if (axes.count == 0)
		return refuse_megatron(run, text, diag);
	for (int i = 0; i < axes.count; i++)
		sizes[i] = axes.axis[i].size;
	if (!axes_fit(run, &axes, text, diag))
		return false;
	if (!sw_placement_row_major(&run->session->state.placing->system, sizes, axes.count, &placement, &straddles))
		return refuse_order(run, text, &axes, straddles, diag);
	return take_order_of(run, text, &axes, &placement, diag);
}

/* The axes that are there keep their names where their sizes are these; else they are called axis0, axis1, ... */
static bool axes_of_shapes(const struct session *session, const int64_t *outer, const int64_t *inner, int count,
	sw_mesh *axes, sw_diag *diag)
{
	const struct placing *placing = session->state.placing;
	bool same = placing->has_axes && placing->axes.count == count;
	int64_t size;

	memset(axes, 0, sizeof *axes);
	for (int i = 0; i < count; i++)
		same = same && sw_mul(outer[i], inner[i], &size) && placing->axes.axis[i].size == size;
	for (int i = 0; i < count; i++) {
		char name[16];

		snprintf(name, sizeof name, "axis%d", i);
		if (!sw_mul(outer[i], inner[i], &size) || size < 1)
			return sw_diag_set(diag, SW_M03, (sw_span){0, 0}, "axis %d has no size", i);
		if (!sw_mesh_add(axes, sw_str_of(same ? placing->axes.axis[i].name : name), size, diag))
			return false;
	}
	return true;
}

static bool place_jax(struct invocation *run, sw_str text, sw_diag *diag)
{
	int64_t shape[2][SW_MAX_LEVELS]; /* mesh_shape and dcn_mesh_shape */
	int count = 0, straddles = 0;
	const sw_system *system = &run->session->state.placing->system;
	sw_placement placement;
	sw_mesh axes;
	int64_t units = 1;

	if (read_lists(text, '(', shape, 2, &count) != 2) {
		sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "these are not two shapes with the same number of axes");
		sw_diag_expected(diag, "mesh_shape and dcn_mesh_shape, such as (2,8) (4,1)");
		return refuse_at(run, text, diag);
	}
	if (!axes_of_shapes(run->session, shape[1], shape[0], count, &axes, diag) || !axes_fit(run, &axes, text, diag))
		return refuse_at(run, text, diag);
	for (int i = 0; i < count; i++)
		units *= shape[1][i];
	if (units != system->level[0].size) {
		sw_diag_set(diag, SW_M03, (sw_span){0, 0},
			"the product of dcn_mesh_shape is %lld, but there are %lld units of level '%s'", (long long)units,
			(long long)system->level[0].size, system->level[0].name);
		return refuse_at(run, text, diag);
	}
	if (!sw_placement_hybrid(system, shape[1], shape[0], count, &placement, &straddles))
		return refuse_order(run, text, &axes, straddles, diag);
	return take_order_of(run, text, &axes, &placement, diag);
}

bool command_place(struct invocation *run, sw_diag *diag)
{
	sw_str text = sw_str_trim(argument(run, 0)->raw), rest = text, first = sw_str_word(&rest);
	int64_t row;

	if (!need_system(run->session, diag))
		return false;
	if (sw_str_is(first, "megatron"))
		return place_megatron(run, rest, diag);
	if (sw_str_is(first, "jax"))
		return place_jax(run, rest, diag);
	if (!need_axes(run->session, diag))
		return false;
	return sw_read_int(text, &row, NULL) ? place_row(run, text, row, diag) : place_matrix(run, text, diag);
}
