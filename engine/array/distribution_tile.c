/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which distributions are tile types.
 *
 * A bracket alone says so by its cuts.  What words make of it is compared device by device with the one tile type that it may be:
 * that which agrees where a device differs from device 0 along one axis.
 */
#include "array/distribution.h"

#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"

/* The parts of all dimensions, one dimension after the other. */
struct parts {
	int count[SW_MAX_DIMS], all;
	sw_part part[SW_MAX_PARTS];
};

/* ---- by cuts ---- */

/* Parts of a mesh as parts of another over the same devices; -1: they cut its axes otherwise. */
static int parts_of_mesh(const sw_mesh *own, const sw_part *part, int count, const sw_mesh *mesh, sw_part *into,
	int room)
{
	sw_part found[SW_MAX_PARTS];
	int made = 0;

	for (int i = 0; i < count; i++) {
		sw_digit digit = {.size = part[i].size, .stride = sw_part_stride(own, part[i])};
		int more = digit.size > 1 ? sw_parts_of_digit(mesh, digit, found, SW_MAX_PARTS) : 0;
		if (more < 0 || made + more > room)
			return -1;
		for (int k = more - 1; k >= 0; k--)
			into[made++] = found[k];
	}
	return made;
}

/* Of the bracket, without words. */
static bool parts_by_cuts(const sw_mesh *mesh, const sw_distribution_member *member, struct parts *parts)
{
	sw_part part[SW_MAX_PARTS];

	parts->all = 0;
	for (int dim = 0; dim < member->rank; dim++) {
		int room = SW_MAX_PARTS - parts->all, count;
		if (!sw_cut_tiles(&member->cut[dim], part, &count))
			return false;
		if (member->mesh != NULL)
			count = parts_of_mesh(member->mesh, part, count, mesh, parts->part + parts->all, room);
		else if (count <= room)
			memcpy(parts->part + parts->all, part, (size_t)count * sizeof *part);
		if (count < 0 || count > room)
			return false;
		parts->count[dim] = count;
		parts->all += count;
	}
	return true;
}

/* The same without rounds and sizes of blocks. */
static bool parts_of_cuts(const sw_mesh *mesh, const sw_distribution_member *member, struct parts *parts)
{
	parts->all = 0;
	for (int dim = 0; dim < member->rank; dim++) {
		parts->count[dim] = 0;
		for (int i = 0; i < member->cut[dim].entries; i++) {
			sw_part part = member->cut[dim].entry[i].part;
			const sw_mesh *own = member->mesh != NULL ? member->mesh : mesh;
			int more = sw_is_rounds(part) ?
				0 :
				parts_of_mesh(own, &part, 1, mesh, parts->part + parts->all, SW_MAX_PARTS - parts->all);
			if (more < 0)
				return false;
			parts->count[dim] += more;
			parts->all += more;
		}
	}
	return true;
}

void sw_distribution_near_tile(const sw_mesh *mesh, const sw_distribution *distribution, sw_type *type)
{
	const sw_distribution_member *member = &distribution->member[0];
	sw_diag ignored = {.code = SW_OK};
	struct parts parts;
	sw_type cut = distribution->type;

	*type = distribution->type;
	if (member->rank == type->rank && parts_of_cuts(mesh, member, &parts) &&
		sw_type_partition(mesh, &cut, parts.count, parts.part, &ignored))
		*type = cut;
}

/* ---- by what devices have ---- */

/* What cuts a dimension, with what one more of it adds to the offset. */
struct piece {
	sw_part part;
	int dim; /* -1: it cuts none */
	int64_t weight;
};

struct guess {
	const sw_mesh *mesh;
	const sw_distribution *distribution;
	sw_arena *arena;
	int64_t tile[SW_MAX_DIMS];
	int count;
	struct piece piece[SW_MAX_PARTS];
};

/* Where the one box of a device begins, which has the sizes of the tile; false: there is none. */
static bool offset_of(struct guess *g, int64_t device, int64_t *offset, int64_t *size)
{
	sw_region region;
	sw_arena_mark here = sw_arena_here(g->arena);
	bool box = sw_distribution_defined(g->distribution, device) &&
		sw_distribution_region(g->distribution, device, g->arena, &region) && region.count == 1;

	for (int dim = 0; box && dim < region.rank; dim++) {
		const sw_indices *set = &region.set[dim];
		box = set->count == 1 && set->family->count == 1;
		offset[dim] = set->family->first;
		size[dim] = set->family->run;
	}
	sw_arena_back(g->arena, here);
	return box;
}

/* The offset of a device, if it has a tile. */
static bool tile_at(struct guess *g, int64_t device, int64_t *offset)
{
	int64_t size[SW_MAX_DIMS];

	return offset_of(g, device, offset, size) &&
		memcmp(size, g->tile, (size_t)g->distribution->type.rank * sizeof *size) == 0;
}

/* The only dimension in which an offset is not that of another, and by how much; -1: none.  false: there are several. */
static bool only_step(int rank, const int64_t *offset, const int64_t *before, int *dim, int64_t *weight)
{
	*dim = -1;
	for (int i = 0; i < rank; i++) {
		if (offset[i] == before[i])
			continue;
		if (*dim >= 0)
			return false;
		*dim = i;
		*weight = offset[i] - before[i];
	}
	return true;
}

/* One digit of the coordinate along an axis, of which `minor` are read: as far as each step adds the same. */
static bool guess_digit(struct guess *g, const sw_axis *axis, int number, int64_t *minor)
{
	const int rank = g->distribution->type.rank;
	int64_t start[SW_MAX_DIMS] = {0}, offset[SW_MAX_DIMS], weight = 0, size = 1;
	struct piece *piece = &g->piece[g->count];
	int dim;

	if (g->count == SW_MAX_PARTS || !tile_at(g, *minor * axis->stride, offset) ||
		!only_step(rank, offset, start, &dim, &weight))
		return false;
	for (size = 2; size * *minor < axis->size; size++) {
		if (dim >= 0)
			start[dim] = size * weight;
		if (!tile_at(g, size * *minor * axis->stride, offset) ||
			memcmp(offset, start, (size_t)rank * sizeof *offset) != 0)
			break;
	}
	if (axis->size % (size * *minor) != 0)
		return false;
	*minor *= size;
	*piece = (struct piece){{number, axis->size / *minor, size}, dim, weight};
	g->count += dim >= 0;
	return true;
}

static bool guess_axes(struct guess *g)
{
	for (int i = 0; i < g->mesh->count; i++)
		for (int64_t minor = 1; minor < g->mesh->axis[i].size;)
			if (!guess_digit(g, &g->mesh->axis[i], i, &minor))
				return false;
	return true;
}

/* The pieces of a dimension by weight, each as often as all before it: they cover it. */
static bool take_pieces(const struct guess *g, int dim, struct parts *parts)
{
	int64_t reached = g->tile[dim];
	bool more = true;

	parts->count[dim] = 0;
	while (more) {
		more = false;
		for (int i = 0; i < g->count && !more; i++) {
			more = g->piece[i].dim == dim && g->piece[i].weight == reached;
			if (!more)
				continue;
			parts->part[parts->all++] = g->piece[i].part;
			parts->count[dim]++;
			reached *= g->piece[i].part.size;
		}
	}
	return reached == g->distribution->type.global[dim];
}

/* Has every device the tile that the type says? */
static bool all_tiles_are(struct guess *g, const sw_type *type)
{
	int64_t offset[SW_MAX_DIMS], right[SW_MAX_DIMS];

	for (int64_t d = 0; d < g->mesh->devices; d++) {
		sw_type_offset(g->mesh, type, d, right);
		if (!tile_at(g, d, offset) || memcmp(offset, right, (size_t)type->rank * sizeof *offset) != 0)
			return false;
	}
	return true;
}

static bool parts_by_devices(struct guess *g, struct parts *parts)
{
	int64_t offset[SW_MAX_DIMS];
	const sw_type *array = &g->distribution->type;

	parts->all = 0;
	if (g->mesh->devices > SW_MAX_MAP_DEVICES || !offset_of(g, 0, offset, g->tile))
		return false;
	for (int dim = 0; dim < array->rank; dim++)
		if (offset[dim] != 0 || array->global[dim] % g->tile[dim] != 0)
			return false;
	if (!guess_axes(g))
		return false;
	for (int dim = 0; dim < array->rank; dim++)
		if (!take_pieces(g, dim, parts))
			return false;
	return parts->all == g->count;
}

/* ---- sums ---- */

static int by_pre(const sw_part *a, const sw_part *b)
{
	return (a->pre > b->pre) - (a->pre < b->pre);
}

/* The parts of an axis that are in none of the dimensions. */
static int parts_left(const sw_mesh *mesh, const sw_type *type, int axis, sw_part *left)
{
	sw_part used[SW_MAX_PARTS];
	int count = 0, made = 0;
	int64_t reached = 1;

	for (int i = 0; i < type->first[type->rank]; i++) {
		sw_part part = sw_type_part(type, i);
		int at = count;
		if (part.axis != axis)
			continue;
		for (; at > 0 && by_pre(&used[at - 1], &part) > 0; at--)
			used[at] = used[at - 1];
		used[at] = part;
		count++;
	}
	for (int i = 0; i <= count; i++) {
		int64_t next = i < count ? used[i].pre : mesh->axis[axis].size;
		if (next > reached)
			left[made++] = (sw_part){axis, reached, next / reached};
		reached = i < count ? next * used[i].size : reached;
	}
	return made;
}

/* `+` of a tile type: over all that cuts nothing. */
static bool sum_over_rest(const sw_mesh *mesh, sw_type *type, sw_diag *diag)
{
	sw_part sum[SW_MAX_PARTS];
	int count = 0;

	for (int axis = 0; axis < mesh->count; axis++)
		count += parts_left(mesh, type, axis, sum + count);
	return sw_type_set_sums(mesh, type, sum, count, diag);
}

/* The sums that are said; false: they are no sums of the tile type. */
static bool sum_as_said(const sw_mesh *mesh, const sw_distribution_member *member, sw_type *type)
{
	sw_part sum[SW_MAX_PARTS];
	int count = member->sums;

	if (member->mesh != NULL)
		count = parts_of_mesh(member->mesh, member->sum, count, mesh, sum, SW_MAX_PARTS);
	else if (count > 0)
		memcpy(sum, member->sum, (size_t)count * sizeof *sum);
	return count >= 0 && sw_type_set_sums(mesh, type, sum, count, NULL);
}

/* ---- both ---- */

static bool find_tile_type(const sw_mesh *mesh, sw_arena *arena, const sw_distribution *d, sw_type *type)
{
	const sw_distribution_member *member = d->member;
	bool bracket = d->members == 1 && member->words == 0 && member->at == NULL;
	struct guess guess = {.mesh = mesh, .distribution = d, .arena = arena};
	struct parts parts;

	if (bracket && member->devices < mesh->devices)
		return false;
	if (!(bracket ? parts_by_cuts(mesh, member, &parts) : parts_by_devices(&guess, &parts)))
		return false;
	*type = d->type;
	return sw_type_partition(mesh, type, parts.count, parts.part, NULL) && (bracket || all_tiles_are(&guess, type));
}

bool sw_distribution_settle(const sw_mesh *mesh, sw_arena *arena, sw_distribution *distribution, sw_diag *diag)
{
	sw_type type;
	bool tile = find_tile_type(mesh, arena, distribution, &type);

	if (tile && distribution->each && !sum_over_rest(mesh, &type, diag))
		return false;
	if (!tile || (!distribution->each && !sum_as_said(mesh, distribution->member, &type)))
		return true;
	return sw_distribution_of_type(mesh, &type, arena, distribution) || sw_diag_memory(diag);
}
