/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements of DTensor that no order of axes says, as types with words: `_StridedShard`, where devices keep several pieces of a dimension,
 * and where sizes do not divide.
 *
 * PyTorch shards along one dimension of the mesh after the other what is left of the tensor: `Shard` cuts it in chunks;
 * `_StridedShard(dim, split_factor=k)` cuts it in k chunks, each of these in chunks, and puts one of each together.
 *
 * Source: torch/distributed/tensor/placement_types.py, `_split_tensor`.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#define MOST_RUNS (1 << 16)

/* Digits of the index along a dimension, major first: of the devices along an axis, or (-1) of nothing yet. */
typedef struct digit {
	int axis;
	int64_t size;
} digit;

typedef struct digits {
	int count;
	digit at[SW_MAX_PARTS];
} digits;

/* ---- sizes that divide ---- */

/* Splits the digit so that its major part has this size. */
static bool split_digit(digits *d, int i, int64_t size)
{
	if (d->at[i].size == size)
		return true;
	if (d->at[i].size % size != 0 || d->count == SW_MAX_PARTS)
		return false;
	memmove(d->at + i + 1, d->at + i, (size_t)(d->count - i) * sizeof *d->at);
	d->count++;
	d->at[i].size = size;
	d->at[i + 1].size /= size;
	return true;
}

/* Goes over free digits, major first, that make up `size`; with an axis they become its own. */
static bool pass_free(digits *d, int *i, int64_t size, int axis)
{
	for (; size > 1 && *i < d->count; ++*i) {
		int64_t part = d->at[*i].size;
		if (d->at[*i].axis >= 0)
			continue;
		if (part > size ? part % size != 0 : size % part != 0)
			return false;
		part = part < size ? part : size;
		if (!split_digit(d, *i, part))
			return false;
		if (axis >= 0 && part != size)
			return false;
		d->at[*i].axis = axis;
		size /= part;
	}
	return size == 1;
}

/* The digits of one dimension of the tensor; false: something does not divide. */
static bool take_digits(const sw_mesh *mesh, const sw_strided *placed, int dim, int64_t size, digits *d)
{
	*d = (digits){1, {{-1, size}}};
	for (int axis = 0; axis < mesh->count; axis++) {
		int i = 0;
		if (placed[axis].dim != dim || mesh->axis[axis].size == 1)
			continue;
		if (!pass_free(d, &i, placed[axis].split, -1) || !pass_free(d, &i, mesh->axis[axis].size, axis))
			return false;
	}
	return true;
}

/* Minor to major: the tile, then axes and rounds. */
static void add_digits(const sw_mesh *mesh, const digits *d, int64_t size, sw_text *type)
{
	int last = d->count - 1;
	int64_t tile = 1;
	bool cut = false;

	for (; last >= 0 && d->at[last].axis < 0; last--)
		tile *= d->at[last].size;
	for (int i = last; i >= 0; i--)
		cut = cut || d->at[i].axis >= 0;
	if (cut)
		sw_text_addf(type, "%" PRId64 "{", tile);
	for (int i = last; i >= 0 && cut; i--) {
		sw_text_add(type, i < last ? "," : "");
		if (d->at[i].axis >= 0)
			sw_text_add(type, mesh->axis[d->at[i].axis].name);
		else if (i == 0)
			sw_text_add(type, "..");
		else
			sw_text_addf(type, "..%" PRId64, d->at[i].size);
	}
	sw_text_addf(type, "%s%" PRId64, cut ? "}" : "", size);
}

/* A bracket where every dimension divides. */
static bool add_bracket(const sw_mesh *mesh, const sw_strided *placed, const sw_type *shape, sw_text *type)
{
	digits d;

	sw_text_add_char(type, '[');
	for (int dim = 0; dim < shape->rank; dim++) {
		int64_t size = sw_type_size(shape, dim);
		if (!take_digits(mesh, placed, dim, size, &d))
			return false;
		sw_text_add(type, dim > 0 ? ", " : "");
		add_digits(mesh, &d, size, type);
	}
	sw_text_add_char(type, ']');
	return true;
}

/* ---- sizes that do not ---- */

/* Indices from `begin` to `end` - 1. */
typedef struct run {
	int64_t begin, end;
} run;

typedef struct runs {
	int count, room;
	run *at;
	int64_t length;
} runs;

static bool add_run(runs *list, run more, sw_arena *arena)
{
	if (more.end <= more.begin)
		return true;
	list->length += more.end - more.begin;
	if (list->count > 0 && list->at[list->count - 1].end == more.begin) {
		list->at[list->count - 1].end = more.end;
		return true;
	}
	if (!SW_GROW(arena, list->at, list->count, list->room, 4))
		return false;
	list->at[list->count++] = more;
	return true;
}

/* What stands at the places from `begin` to `end` - 1 of a list. */
static bool add_places(const runs *of, int64_t begin, int64_t end, sw_arena *arena, runs *into)
{
	for (int i = 0; i < of->count; i++) {
		run part = of->at[i];
		int64_t length = part.end - part.begin;
		int64_t low = begin > 0 ? begin : 0, high = end < length ? end : length;
		if (low < high && !add_run(into, (run){part.begin + low, part.begin + high}, arena))
			return false;
		begin -= length;
		end -= length;
	}
	return true;
}

/* Chunk `which` of `count`, as torch.chunk cuts `length` places from `begin` on. */
static run chunk(int64_t begin, int64_t length, int64_t count, int64_t which)
{
	int64_t size = length / count + (length % count != 0), product;
	int64_t low = sw_mul(size, which, &product) && product < length ? product : length;
	int64_t high = length - low < size ? length : low + size;

	return (run){begin + low, begin + high};
}

static bool shard(const runs *of, int64_t split, int64_t count, int64_t which, sw_arena *arena, runs *into)
{
	*into = (runs){0};
	for (int64_t group = 0; group < split; group++) {
		run whole = chunk(0, of->length, split, group);
		run part = chunk(whole.begin, whole.end - whole.begin, count, which);
		if (!add_places(of, part.begin, part.end, arena, into))
			return false;
	}
	return true;
}

/* What a device has of one dimension. */
static bool runs_of(const sw_mesh *mesh, const sw_strided *placed, int dim, int64_t size, int64_t slot,
	sw_arena *arena, runs *has)
{
	runs next;

	*has = (runs){0};
	if (!add_run(has, (run){0, size}, arena))
		return false;
	for (int axis = 0; axis < mesh->count; axis++) {
		int64_t which = slot / mesh->axis[axis].stride % mesh->axis[axis].size;
		if (placed[axis].dim != dim)
			continue;
		if (!shard(has, placed[axis].split, mesh->axis[axis].size, which, arena, &next))
			return false;
		*has = next;
	}
	return true;
}

static void add_list(const runs *has, sw_text *type)
{
	for (int i = 0; i < has->count; i++) {
		sw_text_addf(type, "%s%" PRId64, i > 0 ? " " : "", has->at[i].begin);
		if (has->at[i].end > has->at[i].begin + 1)
			sw_text_addf(type, "-%" PRId64, has->at[i].end - 1);
	}
}

static void add_shape(const sw_type *shape, sw_text *type)
{
	for (int dim = 0; dim < shape->rank; dim++)
		sw_text_addf(type, "%s%" PRId64, dim > 0 ? ", " : "[", sw_type_size(shape, dim));
	sw_text_add_char(type, ']');
}

/* A member of the union for each combination of runs; one without elements says that the device is defined. */
static bool add_products(const sw_type *shape, const runs *has, int64_t device, sw_text *type, int64_t *members)
{
	int at[SW_MAX_DIMS] = {0}, dim;

	do {
		sw_text_add(type, type->length > 0 ? " union " : "");
		add_shape(shape, type);
		sw_text_addf(type, " on %" PRId64 " only ", device);
		for (dim = 0; dim < shape->rank; dim++) {
			run part = at[dim] < has[dim].count ? has[dim].at[at[dim]] : (run){0, 0};
			sw_text_addf(type, "%s%" PRId64 ":%" PRId64, dim > 0 ? ", " : "", part.begin, part.end);
		}
		if (++*members > MOST_RUNS)
			return false;
		for (dim = shape->rank - 1; dim >= 0 && ++at[dim] >= has[dim].count; dim--)
			at[dim] = 0;
	} while (dim >= 0);
	return true;
}

static bool refuse_size(sw_reader *reader, sw_span at)
{
	sw_diag_set(reader->scan.diag, SW_S08, at,
		"placements that do not divide the tensor are listed device by device");
	sw_diag_expected(reader->scan.diag, "at most %d runs of indices in all", MOST_RUNS);
	return false;
}

/* Device by device. */
static bool add_devices(sw_reader *reader, const sw_strided *placed, const sw_type *shape, sw_span at, sw_text *type)
{
	const sw_mesh *mesh = &reader->out->mesh;
	runs *has = SW_NEW(reader->arena, runs, shape->rank);
	int64_t all = 0, splits = 1;
	bool one = shape->rank == 1;

	if (has == NULL)
		return sw_diag_memory(reader->scan.diag);
	for (int axis = 0; axis < mesh->count; axis++)
		if (!sw_mul(splits, placed[axis].split > 1 ? placed[axis].split : 1, &splits))
			splits = INT64_MAX;
	if (mesh->devices > MOST_RUNS || splits > MOST_RUNS || mesh->devices * splits > MOST_RUNS)
		return refuse_size(reader, at);
	if (one)
		add_shape(shape, type);
	for (int64_t slot = 0; slot < mesh->devices; slot++) {
		int64_t device = mesh->order != NULL ? mesh->order[slot] : slot;
		for (int dim = 0; dim < shape->rank; dim++)
			if (!runs_of(mesh, placed, dim, sw_type_size(shape, dim), slot, reader->arena, &has[dim]))
				return sw_diag_memory(reader->scan.diag);
		if (one) {
			sw_text_addf(type, "%s%" PRId64 ": ", slot > 0 ? "; " : " at {", device);
			add_list(&has[0], type);
		} else if (!add_products(shape, has, device, type, &all)) {
			return refuse_size(reader, at);
		}
	}
	sw_text_add(type, one ? "}" : "");
	return true;
}

bool sw_read_strided(sw_reader *reader, const sw_strided *placed, const sw_type *shape, sw_span at)
{
	sw_text type = {0};
	const char *dtype = shape->dtype_given ? sw_dtype_name(shape->dtype) : "";

	sw_text_add(&type, dtype);
	if (shape->rank > 0 && reader->out->mesh.order == NULL && add_bracket(&reader->out->mesh, placed, shape, &type))
		return sw_read_words(reader, &type, at);
	sw_text_clear(&type);
	if (!add_devices(reader, placed, shape, at, &type)) {
		sw_text_free(&type);
		return false;
	}
	sw_read_note(reader,
		"the pieces do not divide: this is what released PyTorch does, which its own maintainers call wrong");
	return sw_read_words(reader, &type, at);
}
