/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements of tensor distribution notation as values: boxes of devices, and types of any kind that say the same.
 *
 * Source: seed 003, section 3.2.
 */
#include <shardwalk/distal.h>

#include <assert.h>
#include <inttypes.h>

#include "array/distribution.h"
#include "index/family.h"

/* ---- boxes ---- */

static bool has_coordinates(const sw_mesh *mesh, const sw_distal *distal, int64_t device)
{
	for (int axis = 0; axis < distal->axes; axis++) {
		const sw_distal_place *place = &distal->place[axis];
		if (place->dim < 0 && place->at >= 0 && sw_mesh_coordinate(mesh, device, axis) != place->at)
			return false;
	}
	return true;
}

bool sw_distal_box(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal, int64_t device, int64_t *low,
	int64_t *high)
{
	int64_t block[SW_MAX_DIMS];

	assert(mesh->count == distal->axes && device >= 0 && device < mesh->devices);
	for (int dim = 0; dim < distal->rank; dim++) {
		low[dim] = 0;
		high[dim] = block[dim] = size[dim];
	}
	for (int i = 0; i < distal->cuts; i++) {
		int axis = distal->cut[i], dim = distal->place[axis].dim;
		assert(dim >= 0 && dim < distal->rank);
		block[dim] = sw_ceil_div(block[dim], mesh->axis[axis].size);
		low[dim] += sw_mesh_coordinate(mesh, device, axis) * block[dim];
		high[dim] = high[dim] - low[dim] > block[dim] ? low[dim] + block[dim] : high[dim];
	}
	for (int dim = 0; dim < distal->rank; dim++)
		if (low[dim] >= high[dim])
			return false;
	return has_coordinates(mesh, distal, device);
}

int64_t sw_distal_held(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal, int64_t device)
{
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS], held = 1;

	if (!sw_distal_box(mesh, size, distal, device, low, high))
		return 0;
	for (int dim = 0; dim < distal->rank; dim++)
		held *= high[dim] - low[dim];
	return held;
}

/* ---- as types ---- */

/* Do the axes divide every size that they cut?  *tile is what is left of each then. */
static bool divides(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal, int64_t tile[SW_MAX_DIMS])
{
	for (int dim = 0; dim < distal->rank; dim++)
		tile[dim] = size[dim];
	for (int i = 0; i < distal->cuts; i++) {
		int axis = distal->cut[i], dim = distal->place[axis].dim;
		if (tile[dim] % mesh->axis[axis].size != 0)
			return false;
		tile[dim] /= mesh->axis[axis].size;
	}
	return true;
}

/* `3{y,x}9`, the axes minor to major; tile 0 is not said. */
static void add_dimension(const sw_mesh *mesh, const sw_distal *distal, int dim, int64_t tile, int64_t size,
	sw_text *text)
{
	int count = 0;

	for (int i = distal->cuts - 1; i >= 0; i--) {
		int axis = distal->cut[i];
		if (distal->place[axis].dim != dim)
			continue;
		if (count == 0 && tile > 0)
			sw_text_add_int(text, tile);
		sw_text_add_char(text, count++ > 0 ? ',' : '{');
		sw_mesh_print_name(mesh->axis[axis].name, text);
	}
	sw_text_addf(text, "%s%" PRId64, count > 0 ? "}" : "", size);
}

static void add_fixed(const sw_mesh *mesh, const sw_distal *distal, sw_text *text)
{
	int count = 0;

	for (int axis = 0; axis < distal->axes; axis++) {
		const sw_distal_place *place = &distal->place[axis];
		if (place->dim >= 0 || place->at < 0)
			continue;
		sw_text_add(text, count++ > 0 ? ", " : " on {");
		sw_mesh_print_name(mesh->axis[axis].name, text);
		sw_text_addf(text, ": %" PRId64, place->at);
	}
	sw_text_add(text, count > 0 ? "}" : "");
}

void sw_distal_print_type(const sw_mesh *mesh, const sw_type *array, const sw_distal *distal, sw_text *text)
{
	int64_t size[SW_MAX_DIMS], tile[SW_MAX_DIMS];

	assert(array->rank == distal->rank && mesh->count == distal->axes);
	sw_type_real(array, size);
	bool even = divides(mesh, size, distal, tile);
	sw_text_addf(text, "%s[", array->dtype_given ? sw_dtype_name(array->dtype) : "");
	for (int dim = 0; dim < distal->rank; dim++) {
		sw_text_add(text, dim > 0 ? ", " : "");
		add_dimension(mesh, distal, dim, even ? tile[dim] : 0, size[dim], text);
	}
	sw_text_add(text, even ? "]" : "] by nested");
	add_fixed(mesh, distal, text);
}

/* ---- of types ---- */

static const char no_axes[] = "parts of axes cut a dimension, but here only whole axes can";
static const char no_words[] = "words say what devices have, but here only coordinates of axes can";
static const char no_rule[] = "its pieces differ: here an axis divides the size of the block before it, rounded up";

/* Adds an axis that cuts, minor to the ones before it. */
static bool add_cut(const sw_mesh *mesh, sw_part part, int dim, sw_distal *distal)
{
	if (part.axis < 0 || part.size != mesh->axis[part.axis].size)
		return false;
	distal->place[part.axis].dim = dim;
	distal->cut[distal->cuts++] = part.axis;
	return true;
}

static bool cuts_of_type(const sw_mesh *mesh, const sw_type *type, sw_distal *distal)
{
	for (int dim = 0; dim < type->rank; dim++) {
		sw_part parts[SW_MAX_PARTS];
		for (int i = sw_type_parts(type, dim, parts) - 1; i >= 0; i--)
			if (!add_cut(mesh, parts[i], dim, distal))
				return false;
	}
	return true;
}

static bool cuts_of_member(const sw_mesh *mesh, const sw_distribution_member *member, sw_distal *distal)
{
	for (int dim = 0; dim < member->rank; dim++)
		for (int i = member->cut[dim].entries - 1; i >= 0; i--)
			if (!add_cut(mesh, member->cut[dim].entry[i].part, dim, distal))
				return false;
	return true;
}

/* A device by its number, where no axis cuts. */
static bool fix_device(const sw_mesh *mesh, const sw_indices *devices, sw_distal *distal)
{
	if (distal->cuts > 0 || devices->count != 1 || sw_indices_size(devices) != 1)
		return false;
	for (int axis = 0; axis < distal->axes; axis++)
		distal->place[axis].at = sw_mesh_coordinate(mesh, devices->family[0].first, axis);
	return true;
}

static bool fix_axes(const sw_word *word, sw_distal *distal)
{
	for (int i = 0; i < word->axes; i++) {
		const sw_coordinates *one = &word->coordinates[i];
		sw_distal_place *place = &distal->place[one->axis];
		if (place->dim >= 0 || one->low != one->high || (place->at >= 0 && place->at != one->low))
			return false;
		place->at = one->low;
	}
	return true;
}

static bool words_of_member(const sw_mesh *mesh, const sw_distribution_member *member, sw_distal *distal)
{
	static const char on[] = "on";

	for (int i = 0; i < member->words; i++) {
		const sw_word *word = &member->word[i];
		if (word->row != sw_word_named(sw_str_of(on)) ||
			!(word->axes > 0 ? fix_axes(word, distal) : fix_device(mesh, &word->devices, distal)))
			return false;
	}
	return true;
}

static bool of_member(const sw_mesh *mesh, const sw_distribution *words, sw_distal *distal, const char **why)
{
	const sw_distribution_member *member = words->member;

	if (words->members > 1 || member->at != NULL)
		*why = "it is a list or a union, but here all devices have equal boxes";
	else if (member->sums > 0 || member->each)
		*why = "it has partial sums, but here values are complete";
	else if (member->mesh != NULL && !sw_mesh_equal(member->mesh, mesh))
		*why = "it is over its own mesh";
	else if (!cuts_of_member(mesh, member, distal))
		*why = no_axes;
	else if (!words_of_member(mesh, member, distal))
		*why = no_words;
	return *why == NULL;
}

/* Says the placement what the type says? */
static bool says_same(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, sw_arena *arena,
	const sw_distal *distal)
{
	sw_text text = {0};
	sw_type again;
	const sw_distribution *again_words;

	sw_distal_print_type(mesh, type, distal, &text);
	bool same = sw_type_parse_any(mesh, (sw_str){sw_text_get(&text), text.length}, NULL, arena, &again, &again_words,
					NULL) &&
		sw_type_same_any(mesh, type, words, &again, again_words);
	sw_text_free(&text);
	return same;
}

bool sw_distal_of(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, sw_arena *arena,
	sw_distal *distal, const char **why)
{
	sw_distal made = {.rank = type->rank, .axes = mesh->count};
	sw_part sum[SW_MAX_PARTS];

	*why = NULL;
	for (int axis = 0; axis < made.axes; axis++)
		made.place[axis] = (sw_distal_place){-1, -1};
	if (words != NULL)
		of_member(mesh, words, &made, why);
	else if (sw_type_sums(type, sum) > 0)
		*why = "it has partial sums, but here values are complete";
	else if (sw_type_padded(type))
		*why = no_rule;
	else if (!cuts_of_type(mesh, type, &made))
		*why = no_axes;
	if (*why == NULL && !says_same(mesh, type, words, arena, &made))
		*why = no_rule;
	if (*why == NULL)
		*distal = made;
	return *why == NULL;
}
