/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements of tensor distribution notation as text, as statements that bring an array to its places, and as colors.
 *
 * Source: seed 003, sections 3.2 and 5.3.
 */
#include <shardwalk/distal.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "index/family.h"

/* ---- names ---- */

/* The name of a dimension; x, y, z, w or a, b, c, ... where it has none. */
static sw_str name_of(const sw_distal *distal, int dim)
{
	static const char few[] = "xyzw", more[] = "abcdefghijklmnop";

	if (distal->name[dim].length > 0)
		return distal->name[dim];
	return (sw_str){(distal->rank <= 4 ? few : more) + dim, 1};
}

static bool has_long_signs(const sw_distal *distal, int first, int end)
{
	for (int dim = 0; dim < distal->rank; dim++)
		if (name_of(distal, dim).length > 1)
			return true;
	for (int axis = first; axis < end; axis++)
		if (distal->place[axis].dim < 0 && distal->place[axis].at > 9)
			return true;
	return false;
}

/* ---- as text ---- */

static void print_place(const sw_distal *distal, int axis, sw_text *text)
{
	const sw_distal_place *place = &distal->place[axis];

	if (place->dim >= 0)
		sw_text_add_str(text, name_of(distal, place->dim));
	else if (place->at >= 0)
		sw_text_add_int(text, place->at);
	else
		sw_text_add_char(text, '*');
}

static void print_level(const sw_mesh *mesh, const sw_distal *distal, int64_t level, sw_text *text)
{
	int first, end;

	sw_mesh_level(mesh, level, &first, &end);
	bool commas = has_long_signs(distal, first, end);
	bool pair = distal->rank > 1 || end - first > 1; /* with a comma somewhere */
	for (int dim = 0; dim < distal->rank; dim++) {
		sw_text_add(text, commas && dim > 0 ? "," : "");
		sw_text_add_str(text, name_of(distal, dim));
	}
	sw_text_add(text, "->");
	for (int axis = first; axis < end; axis++) {
		sw_text_add(text, commas && axis > first ? "," : "");
		print_place(distal, axis, text);
	}
	sw_text_add(text, commas && !pair ? "," : "");
}

static int64_t level_of(const sw_mesh *mesh, int axis)
{
	return mesh->axis[axis].level;
}

/* Has each dimension one axis of a level at most, and cuts an outer one before an inner one? */
static bool can_print(const sw_mesh *mesh, const sw_distal *distal, const char **why)
{
	*why = NULL;
	for (int i = 0; i < distal->cuts && *why == NULL; i++)
		for (int j = 0; j < i && *why == NULL; j++) {
			int minor = distal->cut[i], major = distal->cut[j];
			if (distal->place[minor].dim != distal->place[major].dim)
				continue;
			if (level_of(mesh, minor) == level_of(mesh, major))
				*why = "two axes of one level cut a dimension";
			else if (level_of(mesh, minor) < level_of(mesh, major))
				*why = "an axis of an inner level cuts a dimension before one of an outer level";
		}
	return *why == NULL;
}

bool sw_distal_print(const sw_mesh *mesh, const sw_distal *distal, sw_text *text, const char **why)
{
	int64_t levels = sw_mesh_levels(mesh);

	assert(mesh->count == distal->axes);
	if (!can_print(mesh, distal, why))
		return false;
	sw_text_add(text, levels > 1 ? "[" : "");
	for (int64_t level = 0; level < levels; level++) {
		sw_text_add(text, level > 0 ? ", " : "");
		print_level(mesh, distal, level, text);
	}
	sw_text_add(text, levels > 1 ? "]" : "");
	return true;
}

/* ---- the statement of section 5.3 ---- */

/* Loops of a statement: how often each dimension was cut before, and how many axes had a `*`. */
struct loops {
	const sw_mesh *mesh;
	const sw_distal *distal;
	int cuts[SW_MAX_DIMS];
	int copies;
};

/* `x`, what is left of it when it is cut `times` times: xi, xii, ... */
static void add_rest(const sw_distal *distal, int dim, int times, sw_text *text)
{
	sw_text_add_str(text, name_of(distal, dim));
	for (int i = 0; i < times; i++)
		sw_text_add_char(text, 'i');
}

/* The loop of an axis, without the coordinate of a fixed one; of those of one dimension the ones before it were passed. */
static void add_loop(struct loops *loops, int axis, sw_text *text)
{
	const sw_distal_place *place = &loops->distal->place[axis];

	if (place->dim < 0 && place->at >= 0) {
		sw_text_addf(text, "f%d", axis);
		return;
	}
	if (place->dim < 0) {
		sw_text_addf(text, "%c%d", "uvw"[loops->copies++ % 3], axis);
		return;
	}
	add_rest(loops->distal, place->dim, loops->cuts[place->dim]++, text);
	sw_text_add_char(text, 'o');
}

static void pass_loops(struct loops *loops)
{
	memset(loops->cuts, 0, sizeof loops->cuts);
	loops->copies = 0;
}

static void add_loops(struct loops *loops, sw_text *text)
{
	const sw_distal *distal = loops->distal;

	sw_text_add(text, "forall");
	for (int axis = 0; axis < distal->axes; axis++) {
		sw_text_add_char(text, ' ');
		add_loop(loops, axis, text);
		if (distal->place[axis].dim < 0 && distal->place[axis].at >= 0)
			sw_text_addf(text, "=%" PRId64, distal->place[axis].at);
	}
	for (int dim = 0; dim < distal->rank; dim++) {
		sw_text_add_char(text, ' ');
		add_rest(distal, dim, loops->cuts[dim], text);
	}
}

static void add_divides(struct loops *loops, sw_text *text)
{
	const sw_distal *distal = loops->distal;

	pass_loops(loops);
	for (int axis = 0; axis < distal->axes; axis++) {
		int dim = distal->place[axis].dim;
		if (dim < 0)
			continue;
		sw_text_add(text, "divide(");
		add_rest(distal, dim, loops->cuts[dim], text);
		sw_text_add_char(text, ',');
		add_loop(loops, axis, text);
		sw_text_add_char(text, ',');
		add_rest(distal, dim, loops->cuts[dim], text);
		sw_text_addf(text, ",%" PRId64 "), ", loops->mesh->axis[axis].size);
	}
}

static void add_distributes(struct loops *loops, const char *name, sw_text *text)
{
	sw_text last = {0};

	pass_loops(loops);
	for (int axis = 0; axis < loops->distal->axes; axis++) {
		sw_text_clear(&last);
		add_loop(loops, axis, &last);
		sw_text_addf(text, "distribute(%s), ", sw_text_get(&last));
	}
	sw_text_addf(text, "communicate(%s,%s)", name, sw_text_get(&last));
	sw_text_free(&last);
}

void sw_distal_lower(const sw_mesh *mesh, const sw_distal *distal, const char *name, sw_text *text)
{
	struct loops loops = {.mesh = mesh, .distal = distal};

	assert(mesh->count == distal->axes);
	add_loops(&loops, text);
	sw_text_addf(text, ": %s(", name);
	for (int dim = 0; dim < distal->rank; dim++) {
		sw_text_add(text, dim > 0 ? "," : "");
		sw_text_add_str(text, name_of(distal, dim));
	}
	sw_text_add(text, ") s.t. ");
	add_divides(&loops, text);
	add_distributes(&loops, name, text);
}

/* ---- colors ---- */

void sw_distal_colors_begin(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal,
	sw_distal_colors *colors)
{
	*colors = (sw_distal_colors){.mesh = mesh, .distal = distal, .size = size, .count = 1};
	for (int axis = 0; axis < distal->axes; axis++)
		if (distal->place[axis].dim >= 0) {
			colors->axis[colors->axes++] = axis;
			colors->count *= mesh->axis[axis].size;
		}
}

/* The first device of the color: it is at 0 along axes that give the same to all. */
static void take_coordinates(const sw_distal_colors *colors, int64_t number, sw_distal_color *color)
{
	const sw_distal *distal = colors->distal;

	color->device = 0;
	color->devices = 1;
	for (int axis = 0; axis < distal->axes; axis++) {
		const sw_distal_place *place = &distal->place[axis];
		if (place->dim < 0 && place->at < 0)
			color->devices *= colors->mesh->axis[axis].size;
		if (place->dim < 0 && place->at >= 0)
			color->device += place->at * colors->mesh->axis[axis].stride;
	}
	for (int i = colors->axes - 1; i >= 0; i--) {
		const sw_axis *axis = &colors->mesh->axis[colors->axis[i]];
		color->coordinate[i] = number % axis->size;
		number /= axis->size;
		color->device += color->coordinate[i] * axis->stride;
	}
}

bool sw_distal_colors_next(sw_distal_colors *colors, sw_distal_color *color)
{
	while (colors->at < colors->count) {
		take_coordinates(colors, colors->at++, color);
		if (sw_distal_box(colors->mesh, colors->size, colors->distal, color->device, color->low, color->high))
			return true;
	}
	return false;
}

int64_t sw_distal_color_device(const sw_distal_colors *colors, const sw_distal_color *color, int64_t n)
{
	int64_t device = color->device;

	assert(n >= 0 && n < color->devices);
	for (int axis = colors->distal->axes - 1; axis >= 0; axis--) {
		const sw_distal_place *place = &colors->distal->place[axis];
		if (place->dim >= 0 || place->at >= 0)
			continue;
		device += n % colors->mesh->axis[axis].size * colors->mesh->axis[axis].stride;
		n /= colors->mesh->axis[axis].size;
	}
	return device;
}
