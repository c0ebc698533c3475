/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Digits: lists of devices as sums of digit * stride, what is left over of a mesh, and finer meshes.
 */
#include "notation/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"

#define RADIX_DIMS 64

/* Does every block of `k` repeat the first, shifted by its own first entry, in steps of `stride`? */
static bool radix_repeats(const int64_t *list, int64_t count, int64_t step, int64_t k, int64_t stride)
{
	for (int64_t block = 0; block < count; block += k)
		for (int64_t j = 1; j < k; j++)
			if (list[(block + j) * step] != list[block * step] + j * stride)
				return false;
	return true;
}

/* The entries `step` apart. */
static int radix_factor(const int64_t *list, int64_t count, int64_t step, sw_radix *radix, int room)
{
	if (count == 1)
		return 0;
	int64_t stride = list[step] - list[0], run = 2;
	if (room == 0 || stride <= 0)
		return -1;
	while (run < count && list[run * step] == list[0] + run * stride)
		run++;
	for (int64_t k = run; k > 1; k--) {
		if (count % k != 0 || !radix_repeats(list, count, step, k, stride))
			continue;
		int more = radix_factor(list, count / k, step * k, radix, room - 1);
		if (more < 0)
			continue;
		radix[more] = (sw_radix){k, stride};
		return more + 1;
	}
	return -1;
}

int sw_radix_of_list(const int64_t *list, int64_t count, sw_radix *radix, int room)
{
	return list[0] == 0 ? radix_factor(list, count, 1, radix, room) : -1;
}

int sw_radix_merge(sw_radix *radix, int count)
{
	int kept = 0;
	for (int i = 0; i < count; i++) {
		sw_radix *last = kept ? &radix[kept - 1] : NULL;
		if (radix[i].size == 1)
			continue;
		if (last && last->stride == radix[i].size * radix[i].stride)
			*last = (sw_radix){last->size * radix[i].size, radix[i].stride};
		else
			radix[kept++] = radix[i];
	}
	return kept;
}

static int radix_compare(const void *a, const void *b)
{
	const sw_radix *left = a, *right = b;
	return left->stride < right->stride ? 1 : left->stride > right->stride ? -1 : 0;
}

/* Sorted by descending stride: is it a mixed radix of all the devices? */
static bool radix_sort(const sw_radix *radix, int count, int64_t devices, sw_radix *sorted)
{
	if (count)
		memcpy(sorted, radix, (size_t)count * sizeof *sorted);
	qsort(sorted, (size_t)count, sizeof *sorted, radix_compare);
	int64_t stride = 1;
	for (int i = count - 1; i >= 0; i--) {
		if (sorted[i].stride != stride)
			return false;
		stride *= sorted[i].size;
	}
	return stride == devices;
}

static int radix_index(const sw_radix *sorted, int64_t stride)
{
	int i = 0;
	while (sorted[i].stride != stride)
		i++;
	return i;
}

bool sw_radix_print(const sw_radix *radix, int count, int64_t devices, sw_text *text)
{
	sw_radix sorted[SW_MAX_PARTS];
	if (!radix_sort(radix, count, devices, sorted))
		return false;
	if (count <= 1) {
		sw_text_addf(text, "[%" PRId64 "]", devices);
		return true;
	}
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%" PRId64, i ? "," : "[", sorted[i].size);
	sw_text_add(text, "]T(");
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%d", i ? "," : "", radix_index(sorted, radix[i].stride));
	sw_text_add(text, ")");
	return true;
}

int sw_sharding_order(const sw_sharding *s, int room, int64_t *size, int *order)
{
	sw_radix digit[SW_MAX_PARTS + SW_MAX_AXES], sorted[SW_MAX_PARTS];
	sw_part rest[SW_MAX_PARTS];
	if (s->kind != SW_SHARDING_TILED || s->mesh.devices < 1)
		return 0;
	int count = sw_radix_of_parts(&s->mesh, s->parts, s->first[s->rank + s->subgroups], digit);
	int others = sw_sharding_rest(s, ~0u, rest, SW_MAX_AXES);
	count = sw_radix_merge(digit, count + sw_radix_of_parts(&s->mesh, rest, others, digit + count));
	if (count > room || count > SW_MAX_PARTS || !radix_sort(digit, count, s->mesh.devices, sorted))
		return 0;
	for (int i = 0; i < count; i++) {
		size[i] = sorted[i].size;
		order[i] = radix_index(sorted, digit[i].stride);
	}
	return count;
}

/* The permutation after `T`, or the identity of one dimension. */
static bool radix_read_order(sw_reader *reader, int dims, int64_t *order, sw_span dims_at)
{
	sw_diag *diag = reader->scan.diag;
	bool seen[RADIX_DIMS] = {false};
	order[0] = 0;
	if (!sw_read_word(reader, "T")) {
		if (dims == 1)
			return true;
		sw_diag_set(diag, SW_N01, dims_at, "a list over %d dimensions says in which order they are read", dims);
		sw_diag_expected(diag, "T(...) after the dimensions");
		return false;
	}
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '(', "'(' and the order of the dimensions", (sw_span){0, 0}))
		return false;
	int count = sw_read_numbers(reader, ')', open, "number of the dimension", 0, order, RADIX_DIMS);
	bool right = count == dims;
	for (int i = 0; i < count && right; i++) {
		right = order[i] < dims && !seen[order[i]];
		if (right)
			seen[order[i]] = true;
	}
	if (count < 0 || right)
		return right;
	sw_diag_set(diag, SW_N01, (sw_span){open.begin, reader->scan.at}, "this is no order of %d dimensions", dims);
	sw_diag_expected(diag, "each of 0 to %d once", dims - 1);
	return false;
}

int sw_radix_read(sw_reader *reader, sw_radix *radix, int room, int64_t *devices)
{
	int64_t dim[RADIX_DIMS], order[RADIX_DIMS], stride[RADIX_DIMS];
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '[', "'[' and the dimensions of the devices", (sw_span){0, 0}))
		return -1;
	int dims = sw_read_numbers(reader, ']', open, "size of the dimension", 1, dim, room < RADIX_DIMS ? room :
	                           RADIX_DIMS);
	sw_span at = {open.begin, reader->scan.at};
	if (dims < 0)
		return -1;
	*devices = 1;
	for (int i = dims - 1; i >= 0; i--) {
		stride[i] = *devices;
		if (!sw_mul(*devices, dim[i], devices) || *devices > SW_MAX_DEVICES) {
			sw_diag_set(reader->scan.diag, SW_M05, at, "more than 2^40 devices");
			return -1;
		}
	}
	if (!radix_read_order(reader, dims, order, at))
		return -1;
	for (int i = 0; i < dims; i++)
		radix[i] = (sw_radix){dim[order[i]], stride[order[i]]};
	return dims;
}

void sw_radix_expand(const sw_radix *radix, int count, int64_t *list)
{
	int64_t done = 1;
	list[0] = 0;
	for (int i = count - 1; i >= 0; i--) {
		for (int64_t j = 1; j < radix[i].size; j++)
			for (int64_t p = 0; p < done; p++)
				list[j * done + p] = list[p] + j * radix[i].stride;
		done *= radix[i].size;
	}
}

/* ---- parts ---- */

int sw_radix_of_parts(const sw_mesh *mesh, const sw_part *parts, int count, sw_radix *radix)
{
	for (int i = 0; i < count; i++)
		radix[i] = (sw_radix){parts[i].size, sw_part_stride(mesh, parts[i])};
	return count;
}

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
	fine->mesh = (sw_mesh){.devices = sharding->mesh.devices};
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
