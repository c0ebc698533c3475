/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sharding says about devices: tables, lists, types.
 */
#include "foreign/notation/read.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "array/parts.h"
#include "base/room.h"

static const sw_span nowhere = {0, 0};

int64_t sw_sharding_cuts(const sw_sharding *sharding, int d)
{
	assert(d >= 0 && d <= sharding->rank);
	int64_t cuts = 1;
	for (int i = sharding->first[d]; i < sharding->first[d + 1]; i++)
		cuts *= sharding->parts[i].size;
	return cuts;
}

#define OUTSIDE "outside shard_map the array has another sharding: use its in_specs or out_specs"

static const struct {
	const char *why_not, *hint;
} tiles_kinds[] = {
	[SW_SHARDING_MAXIMAL] = {"the whole array is on one device (maximal)",
		"this planner has no scatter from one device or gather to it; use the sharding that the array has on "
		"all devices"},
	[SW_SHARDING_MANUAL] = {"the layout is manual: the program itself decides what each device holds", OUTSIDE},
	[SW_SHARDING_UNKNOWN] = {"the sharding is unknown",
		"use the one that the module has after the partitioning pass"},
	[SW_SHARDING_UNREDUCED] = {"every device holds a term of a sum (unreduced), but there is no mesh",
		"define one by `mesh`, or write {devices=[...] last_tile_dims={unreduced}}"},
	[SW_SHARDING_TUPLE] = {"this is a tuple of several shardings", "give one at a time"},
	[SW_SHARDING_MESH] = {"this is a mesh, not a sharding of an array",
		"`mesh` takes it; write a sharding over it here"},
	[SW_SHARDING_GROUPS] = {"these are groups of devices, which say nothing about tiles", "`explain` describes them"},
	[SW_SHARDING_PAIRS] = {"these are pairs of devices, which say nothing about "
						   "tiles",
		"`explain` describes them"},
	[SW_SHARDING_WORDS] = {"devices hold something other than tiles",
		"a type of another kind can express this: `explain` shows it"},
};

/* An order of devices lacks only the tiles, which the reader has to say. */
static bool tiles_refuse_order(const sw_sharding *s, sw_diag *diag)
{
	sw_text order = {0};
	sw_sharding_print(s, SW_NOTATION_HLO, NULL, &order, NULL);
	sw_diag_set(diag, SW_N03, nowhere, "an order of %" PRId64 " devices says nothing about tiles", s->mesh.devices);
	sw_diag_expected(diag, "the number of parts of each dimension, before `<=`");
	sw_diag_hint(diag, "`{devices=[%" PRId64 ",1]%s%s}` cuts the first of two dimensions in %" PRId64,
		s->mesh.devices, strncmp(sw_text_get(&order), "<=", 2) == 0 ? "" : "<=", sw_text_get(&order),
		s->mesh.devices);
	sw_text_free(&order);
	return false;
}

static bool is_whole_sum(const sw_sharding *s)
{
	return s->kind == SW_SHARDING_UNREDUCED && s->mesh.count > 0;
}

static bool refuse_combined(const sw_sharding *s, sw_diag *diag)
{
	bool mean = strcmp(s->combined, "avg") == 0;
	sw_diag_set(diag, SW_N02, nowhere, "devices hold values that '%.40s' combines, but a type can express only sums",
		s->combined);
	sw_diag_expected(diag, "Partial() or Partial(sum)");
	sw_diag_hint(diag, "%s",
		mean ? "a mean is a sum divided by the number of its terms: divide before or after, and write Partial(sum)" :
			   "use the sharding of the combined array");
	return false;
}

bool sw_tiles_only(const sw_sharding *s, bool states, sw_diag *diag)
{
	if (s->kind == SW_SHARDING_MESH && s->notation == SW_NOTATION_HLO)
		return tiles_refuse_order(s, diag);
	if (s->kind != SW_SHARDING_TILED && !(states && is_whole_sum(s))) {
		sw_diag_set(diag, SW_N02, nowhere, "%s", tiles_kinds[s->kind].why_not);
		sw_diag_expected(diag, "a tile of the array on every device");
		sw_diag_hint(diag, "%s", tiles_kinds[s->kind].hint);
		return false;
	}
	for (int g = 0; g < s->subgroups && states; g++) {
		if (sw_subgroup_first(s, g) == sw_subgroup_first(s, g + 1))
			continue;
		if (s->subgroup[g] == SW_SUBGROUP_COMBINED)
			return refuse_combined(s, diag);
		if (s->subgroup[g] != SW_SUBGROUP_MANUAL)
			continue;
		sw_diag_set(diag, SW_N02, nowhere, "devices run in manual mode: each may hold something different");
		sw_diag_expected(diag, "a tile of the array on every device");
		sw_diag_hint(diag, "%s", OUTSIDE);
		return false;
	}
	return true;
}

static int64_t tiles_devices(const sw_sharding *s)
{
	return s->mesh.devices ? s->mesh.devices : 1;
}

static bool tiles_few(int64_t devices, sw_diag *diag)
{
	if (devices <= SW_MAX_MAP_DEVICES)
		return true;
	sw_diag_set(diag, SW_S08, nowhere, "a table of %" PRId64 " devices is too large", devices);
	sw_diag_expected(diag, "at most %" PRId64 " devices", SW_MAX_MAP_DEVICES);
	return false;
}

const int64_t *sw_sharding_table(const sw_sharding *s, sw_arena *arena, sw_diag *diag)
{
	int64_t devices = tiles_devices(s);
	if (!sw_tiles_only(s, false, diag) || !tiles_few(devices, diag))
		return NULL;
	int64_t *table = SW_NEW(arena, int64_t, devices * (s->rank ? s->rank : 1));
	if (!table) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int64_t slot = 0; slot < devices; slot++) {
		int64_t device = sw_device_at(s->mesh.order, slot);
		for (int d = 0; d < s->rank; d++) {
			int64_t tile = 0;
			for (int i = s->first[d]; i < s->first[d + 1]; i++)
				tile = tile * s->parts[i].size + slot / sw_part_stride(&s->mesh, s->parts[i]) % s->parts[i].size;
			table[device * s->rank + d] = tile;
		}
	}
	return table;
}

const int64_t *sw_sharding_devices(const sw_sharding *s, sw_arena *arena, sw_diag *diag)
{
	sw_digit digit[SW_MAX_PARTS + SW_MAX_AXES];
	sw_part rest[SW_MAX_PARTS];
	int64_t devices = tiles_devices(s);
	if (!sw_tiles_only(s, false, diag) || !tiles_few(devices, diag))
		return NULL;
	int64_t *list = SW_NEW(arena, int64_t, devices);
	if (!list) {
		sw_diag_memory(diag);
		return NULL;
	}
	int count = sw_digits_of_parts(&s->mesh, s->parts, s->first[s->rank + s->subgroups], digit);
	int others = sw_sharding_rest(s, ~0u, rest, SW_MAX_PARTS);
	others = others < SW_MAX_AXES ? others : SW_MAX_AXES;
	count += sw_digits_of_parts(&s->mesh, rest, others, digit + count);
	sw_digits_expand(digit, count, list);
	for (int64_t i = 0; i < devices && s->mesh.order; i++)
		list[i] = s->mesh.order[list[i]];
	return list;
}

static bool comes_before(sw_part a, sw_part b)
{
	return a.axis != b.axis ? a.axis < b.axis : a.pre < b.pre;
}

/* In the order of the mesh, the major part of an axis first: no other order means anything else. */
static void order_sums(sw_part *parts, int count)
{
	for (int i = 1; i < count; i++) {
		sw_part part = parts[i];
		int at = i;
		for (; at > 0 && comes_before(part, parts[at - 1]); at--)
			parts[at] = parts[at - 1];
		parts[at] = part;
	}
}

static void sum_all(sw_sharding *out)
{
	out->kind = SW_SHARDING_TILED;
	out->extends = out->rank == 0;
	out->subgroups = 0;
	int count = out->first[out->rank];
	for (int axis = 0; axis < out->mesh.count; axis++)
		if (out->mesh.axis[axis].size > 1)
			out->parts[count++] = (sw_part){axis, 1, out->mesh.axis[axis].size};
	out->first[out->rank + 1] = count;
	SW_ROOM(out->subgroup, out->subgroups);
	out->subgroup[out->subgroups++] = SW_SUBGROUP_UNREDUCED;
}

void sw_tiles_and_sums(const sw_sharding *s, sw_sharding *out)
{
	int count = s->first[s->rank];
	*out = *s;
	if (is_whole_sum(s)) {
		sum_all(out);
		return;
	}
	out->subgroups = 1;
	out->subgroup[0] = SW_SUBGROUP_UNREDUCED;
	for (int g = 0; g < s->subgroups; g++)
		for (int i = sw_subgroup_first(s, g); i < sw_subgroup_first(s, g + 1); i++)
			if (s->subgroup[g] == SW_SUBGROUP_UNREDUCED) {
				SW_ROOM(out->parts, count);
				out->parts[count++] = s->parts[i];
			}
	order_sums(out->parts + s->first[s->rank], count - s->first[s->rank]);
	out->first[s->rank + 1] = count;
}

/* For every device the smallest one that holds the same part of the same sum; parts of a sum have no other names. */
static const int64_t *summands_first(const sw_sharding *s, sw_arena *arena, sw_diag *diag)
{
	sw_sharding *sums = SW_NEW(arena, sw_sharding, 1);
	int64_t devices = tiles_devices(s), copies = devices;
	int64_t *least = SW_NEW(arena, int64_t, devices);
	if (!sums || !least) {
		sw_diag_memory(diag);
		return NULL;
	}
	sw_tiles_and_sums(s, sums);
	const int64_t *list = sw_sharding_devices(sums, arena, diag);
	for (int i = 0; i < sums->first[sums->rank + 1]; i++)
		copies /= sums->parts[i].size;
	for (int64_t i = 0; list && i < devices; i += copies) {
		int64_t first = list[i];
		for (int64_t k = i; k < i + copies; k++)
			first = list[k] < first ? list[k] : first;
		for (int64_t k = i; k < i + copies; k++)
			least[list[k]] = first;
	}
	return list ? least : NULL;
}

/* Do the devices hold parts of different sums, or of sums over other devices? */
static bool summands_differ(const sw_sharding *a, const sw_sharding *b, bool *differ, sw_arena *arena, sw_diag *diag)
{
	int64_t devices = tiles_devices(a), parts = sw_sharding_summands(a);
	*differ = parts != sw_sharding_summands(b);
	if (devices != tiles_devices(b) || parts == 1 || *differ)
		return true;
	const int64_t *left = summands_first(a, arena, diag), *right = summands_first(b, arena, diag);
	*differ = left && right && memcmp(left, right, sizeof(*left) * (size_t)devices) != 0;
	return left && right;
}

int64_t sw_sharding_differ(const sw_sharding *a, const sw_sharding *b, sw_arena *arena, int64_t *first, sw_diag *diag)
{
	int64_t devices = tiles_devices(a) > tiles_devices(b) ? tiles_devices(a) : tiles_devices(b), differ = 0;
	bool same_rank = a->rank == b->rank || (a->rank < b->rank ? a->extends : b->extends);
	bool any = !a->first[a->rank] || !b->first[b->rank];
	if (a->kind == SW_SHARDING_WORDS || b->kind == SW_SHARDING_WORDS)
		return sw_words_differ(a, b, arena, first, diag);
	if (!sw_tiles_only(a, false, diag) || !sw_tiles_only(b, false, diag))
		return -1;
	if (!same_rank || (tiles_devices(a) != tiles_devices(b) && !any)) {
		sw_diag_set(diag, SW_N05, nowhere,
			same_rank ? "they are over %" PRId64 " and over %" PRId64 " devices" :
						"they are of arrays of %" PRId64 " and of %" PRId64 " dimensions",
			same_rank ? tiles_devices(a) : (int64_t)a->rank, same_rank ? tiles_devices(b) : (int64_t)b->rank);
		sw_diag_expected(diag, "both of one array on the same devices");
		sw_diag_hint(diag,
			same_rank ? "explain each alone; two can be compared only over the same devices" :
						"is last_tile_dim_replicate missing in one? its last dimension then only counts copies");
		return -1;
	}
	const int64_t *left = sw_sharding_table(a, arena, diag), *right = sw_sharding_table(b, arena, diag);
	if (!left || !right)
		return -1;
	bool sums;
	if (!summands_differ(a, b, &sums, arena, diag))
		return -1;
	int rank = a->rank > b->rank ? a->rank : b->rank;
	for (int64_t device = 0; device < devices; device++) {
		bool same = !sums;
		for (int d = 0; d < rank; d++) {
			int64_t here = d < a->rank && device < tiles_devices(a) ? left[device * a->rank + d] : 0;
			int64_t there = d < b->rank && device < tiles_devices(b) ? right[device * b->rank + d] : 0;
			bool cut = (d < a->rank ? sw_sharding_cuts(a, d) : 1) == (d < b->rank ? sw_sharding_cuts(b, d) : 1);
			same = same && here == there && cut;
		}
		if (!same && differ++ == 0)
			*first = device;
	}
	return differ;
}

bool sw_tiles_type(const sw_sharding *s, const sw_mesh *mesh, const sw_part *parts, const int *first,
	const sw_type *shape, sw_type *type, sw_diag *diag)
{
	int rank = s->rank;
	sw_part minor[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0};
	for (int d = 0; d < rank; d++) {
		count[d] = first[d + 1] - first[d];
		for (int i = 0; i < count[d]; i++)
			minor[first[d] + i] = parts[first[d + 1] - 1 - i];
	}
	int kept = first[rank];
	memmove(minor, minor + (rank ? first[0] : 0), sizeof(*minor) * (size_t)(kept - (rank ? first[0] : 0)));
	int64_t real[SW_MAX_DIMS];
	sw_type_real(shape, real);
	if (!sw_type_replicated(shape->dtype, shape->rank, real, type, diag))
		return false;
	type->dtype_given = shape->dtype_given;
	return sw_type_partition_as(mesh, type, count, minor, s->pads, diag) &&
		sw_type_set_sums(mesh, type, parts + first[rank], first[rank + 1] - first[rank], diag);
}

/* A dimension whose size does not divide; -1: none. */
static int tiles_uneven(const sw_sharding *s, const sw_type *shape)
{
	for (int d = 0; d < s->rank && d < shape->rank; d++)
		if (sw_type_size(shape, d) % sw_sharding_cuts(s, d) != 0)
			return d;
	return -1;
}

void sw_tiles_hint(const sw_sharding *s, const sw_type *shape, sw_diag *diag)
{
	sw_part minor[SW_MAX_PARTS];
	int d = diag && diag->code == SW_T04 ? tiles_uneven(s, shape) : -1;
	if (d < 0)
		return;
	int count = s->named ? s->first[d + 1] - s->first[d] : 1;
	minor[0].size = sw_sharding_cuts(s, d);
	for (int i = 0; s->named && i < count; i++)
		minor[i] = s->parts[s->first[d + 1] - 1 - i];
	sw_uneven_hint(diag, "", sw_type_size(shape, d), minor, count);
}

/* Do the dimensions of the text go with those of an array? */
static bool tiles_rank(const sw_sharding *s, int rank, sw_diag *diag)
{
	if (s->rank == rank || (s->rank < rank && s->extends))
		return true;
	sw_diag_set(diag, SW_N05, nowhere, "the sharding has %d %s, the array %d", s->rank,
		s->rank == 1 ? "dimension" : "dimensions", rank);
	sw_diag_expected(diag, "%d %s", rank, rank == 1 ? "dimension" : "dimensions");
	sw_diag_found(diag, "%d", s->rank);
	if (s->rank == rank + 1 && (s->notation == SW_NOTATION_HLO || s->notation == SW_NOTATION_HLO_LIST))
		sw_diag_hint(diag, "is last_tile_dim_replicate missing? the last dimension then only counts copies");
	else
		sw_diag_hint(diag, "is this the array that `shape` says? its sizes may also come first, f32[16,16] A ~> B");
	return false;
}

bool sw_tiles_shape(const sw_sharding *s, const sw_type **shape, sw_diag *diag)
{
	*shape = s->has_shape ? &s->shape : *shape;
	if (*shape)
		return tiles_rank(s, (*shape)->rank, diag);
	sw_diag_set(diag, SW_N03, nowhere, "the sizes of the array are unknown");
	sw_diag_expected(diag, "its shape, such as f32[16,16]");
	sw_diag_hint(diag, "give them by `shape f32[16,16]` first");
	return false;
}

/* Whole dimensions behind those that the text says, before the subgroups. */
static void tiles_extend(sw_sharding *s, int rank)
{
	int more = rank - s->rank, slots = s->subgroups + 1;
	memmove(s->first + rank, s->first + s->rank, sizeof(*s->first) * (size_t)slots);
	for (int d = s->rank; d < rank; d++) {
		s->first[d] = s->first[rank];
		s->priority[d] = -1;
	}
	s->rank += more;
}

bool sw_sharding_take_shape(sw_sharding *s, const sw_type *shape, sw_diag *diag)
{
	if (s->kind != SW_SHARDING_TILED || s->has_shape)
		return true;
	if (!tiles_rank(s, shape->rank, diag))
		return false;
	tiles_extend(s, shape->rank);
	s->shape = *shape;
	s->has_shape = true;
	return true;
}

bool sw_sharding_type(const sw_sharding *s, const sw_type *shape, sw_arena *arena, sw_type *type, sw_diag *diag)
{
	sw_sharding *sums = SW_NEW(arena, sw_sharding, 1);
	if (!sums)
		return sw_diag_memory(diag);
	if (!sw_tiles_only(s, true, diag))
		return false;
	sw_tiles_and_sums(s, sums);
	return sw_tiles_shape(sums, &shape, diag) &&
		sw_tiles_type(s, &s->mesh, sums->parts, sums->first, shape, type, diag);
}
