/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cutting axes, and saying types again on the axes that come of it.
 */
#include "advise/finer.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

struct cuts {
	int count;
	int64_t at[SW_MAX_FACTORS + 2]; /* products of the more major parts, ascending */
};

static void cut(struct cuts *cuts, int64_t at)
{
	int k = cuts->count;

	while (k > 0 && cuts->at[k - 1] > at)
		k--;
	if (k > 0 && cuts->at[k - 1] == at)
		return;
	memmove(cuts->at + k + 1, cuts->at + k, (size_t)(cuts->count - k) * sizeof *cuts->at);
	cuts->at[k] = at;
	cuts->count++;
}

static void collect(const sw_type *const *types, int count, int axis, struct cuts *cuts)
{
	for (int t = 0; t < count; t++)
		for (int k = 0; k < types[t]->first[types[t]->rank + 1]; k++) {
			sw_part part = sw_type_part(types[t], k);

			if (part.axis != axis)
				continue;
			cut(cuts, part.pre);
			cut(cuts, part.pre * part.size);
		}
}

static bool ends_in_digit(const char *name)
{
	char last = name[0] == '\0' ? '\0' : name[strlen(name) - 1];

	return last >= '0' && last <= '9';
}

/* A name that neither mesh has: `x0`, or `x1_0` for an axis `x1`, with more strokes where that is taken. */
static bool name_piece(const sw_mesh *mesh, const sw_mesh *fine, const char *axis, int piece, char name[SW_NAME_SIZE])
{
	int strokes = ends_in_digit(axis);

	for (;; strokes++) {
		int length = snprintf(name, SW_NAME_SIZE, "%s%.*s%d", axis, strokes, "________", piece);

		if (length >= SW_NAME_SIZE || strokes > 8)
			return false;
		if (sw_mesh_find(mesh, sw_str_of(name)) < 0 && sw_mesh_find(fine, sw_str_of(name)) < 0)
			return true;
	}
}

static bool add_piece(const sw_axis *axis, const char *name, int64_t size, sw_mesh *out)
{
	if (!sw_mesh_add(out, sw_str_of(name), size, NULL))
		return false;
	out->axis[out->count - 1].bandwidth = axis->bandwidth;
	out->axis[out->count - 1].latency = axis->latency;
	return true;
}

static bool add_axis(const sw_mesh *mesh, int a, const struct cuts *cuts, sw_mesh *out)
{
	const sw_axis *axis = &mesh->axis[a];
	char name[SW_NAME_SIZE];

	if (cuts->count <= 2)
		return add_piece(axis, axis->name, axis->size, out);
	for (int k = 0; k + 1 < cuts->count; k++)
		if (cuts->at[k + 1] % cuts->at[k] != 0 || !name_piece(mesh, out, axis->name, k, name) ||
			!add_piece(axis, name, cuts->at[k + 1] / cuts->at[k], out))
			return false;
	return true;
}

bool sw_finer_mesh(const sw_mesh *mesh, const sw_type *const *types, int count, sw_mesh *out, bool *finer)
{
	*finer = false;
	*out = (sw_mesh){0};
	for (int a = 0; a < mesh->count; a++) {
		struct cuts cuts = {0};

		cut(&cuts, 1);
		cut(&cuts, mesh->axis[a].size);
		collect(types, count, a, &cuts);
		*finer = *finer || cuts.count > 2;
		if (!add_axis(mesh, a, &cuts, out))
			return false;
	}
	return true;
}

/* Adds the axes of `fine` that make up a part, minor to major. */
static bool add_parts(const sw_mesh *mesh, const sw_mesh *fine, const sw_part *part, sw_part *parts, int *count)
{
	const sw_axis *axis = &mesh->axis[part->axis];
	int64_t begin = axis->stride * (axis->size / (part->pre * part->size)), end = begin * part->size;

	for (int a = fine->count - 1; a >= 0 && begin < end; a--) {
		const sw_axis *piece = &fine->axis[a];

		if (piece->size == 1 || piece->stride != begin)
			continue;
		if (*count == SW_MAX_PARTS)
			return false;
		parts[(*count)++] = (sw_part){a, 1, piece->size};
		begin *= piece->size;
	}
	return begin == end;
}

bool sw_finer_type(const sw_mesh *mesh, const sw_mesh *fine, const sw_type *type, sw_type *out)
{
	sw_part coarse[SW_MAX_PARTS], parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS + 1], n = 0;

	for (int i = 0; i <= type->rank; i++) {
		int start = n, all = sw_type_parts(type, i, coarse);

		for (int k = 0; k < all; k++)
			if (!add_parts(mesh, fine, &coarse[k], parts, &n))
				return false;
		count[i] = n - start;
	}
	*out = *type;
	return sw_type_set_sums(fine, out, NULL, 0, NULL) && sw_type_partition(fine, out, count, parts, NULL) &&
		sw_type_set_sums(fine, out, parts + n - count[type->rank], count[type->rank], NULL);
}
