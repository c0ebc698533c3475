/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings along operations of StableHLO: a dimension of a result is cut as the dimension of an operand that it comes
 * from.  Where two say different things, or a reshape cuts across, nothing is known: the compiler chooses there.
 */
#define _GNU_SOURCE
#include "foreign/module/mlir_flow.h"
#include "base/room.h"

#include <string.h>

/* Where a dimension of a result comes from; cuts NULL: it is whole. */
typedef struct origin {
	const mlir_cuts *cuts;
	int dim;
} origin;

static const mlir_cuts *known_operand(const mlir_flow *flow, const graph_instruction *op, int k)
{
	int value = graph_operand_of(flow->module, op, k);
	return value >= 0 ? flow->known[value] : NULL;
}

static bool shape_of(const mlir_flow *flow, int value, mlir_shape *shape)
{
	return value >= 0 && mlir_shape_read(flow->module->value[value].type, shape) && shape->rank <= SW_MAX_DIMS;
}

/* ---- texts ---- */

/* `<@mesh, [...]>` with the mesh itself in the place of its name. */
static bool add_whole(const mlir_flow *flow, sw_str text, sw_text *out)
{
	size_t length = 2;
	sw_text_add(out, "#sdy.sharding");
	if (sw_str_starts(text, "<#sdy.")) {
		sw_text_add_char(out, '<');
		text = sw_str_behind(text, strlen("<#sdy."));
	}
	if (text.length < 2 || text.at[1] != '@') {
		sw_text_add_str(out, text);
		return true;
	}
	while (length < text.length && !strchr(",> ", text.at[length]))
		length++;
	const graph_mesh *mesh = mlir_mesh_named(flow->module, (sw_str){text.at + 2, length - 2});
	sw_text_add(out, "<mesh");
	if (mesh)
		sw_text_add_str(out, mesh->text);
	sw_text_add_str(out, (sw_str){text.at + length, text.length - length});
	return mesh != NULL;
}

static bool only_copies(const sw_sharding *s)
{
	for (int i = 0; i < s->subgroups; i++)
		if (s->subgroup[i] != SW_SUBGROUP_REPLICATED)
			return false;
	return s->kind == SW_SHARDING_TILED;
}

/* A text that was read: many say the same. */
struct mlir_said {
	sw_str text;
	int rank;
	const mlir_cuts *cuts;
	struct mlir_said *next;
};

static mlir_cuts *cuts_new(mlir_flow *flow, const sw_sharding *base, int rank, int parts)
{
	size_t size = sizeof(mlir_cuts) + (size_t)parts * sizeof(sw_part);
	mlir_cuts *made = sw_arena_alloc(flow->arena, 1, size);
	flow->failed |= !made;
	if (made) {
		memset(made, 0, size);
		made->base = base;
		made->rank = rank;
	}
	return made;
}

static const mlir_cuts *cuts_of(mlir_flow *flow, const sw_sharding *s, int rank)
{
	int parts = s->first[s->rank];
	mlir_cuts *made = parts && s->rank != rank ? NULL : cuts_new(flow, s, rank, parts);
	for (int d = 0; made && d < rank; d++)
		made->first[d + 1] = d < s->rank ? s->first[d + 1] : parts;
	if (made)
		memcpy(made->parts, s->parts, (size_t)parts * sizeof(*made->parts));
	return made;
}

static const mlir_cuts *parse(mlir_flow *flow, sw_str text, int rank)
{
	sw_text whole = {0};
	sw_sharding *s = SW_NEW_ZERO(flow->arena, sw_sharding, 1);
	bool right = rank <= SW_MAX_DIMS;
	if (right && text.length && *text.at == '<')
		right = add_whole(flow, text, &whole);
	else
		sw_text_add_str(&whole, text);
	flow->failed |= !s || whole.failed;
	right = right && !flow->failed &&
		sw_sharding_parse((sw_str){sw_text_get(&whole), whole.length}, NULL, flow->arena, s, NULL) && only_copies(s);
	sw_text_free(&whole);
	return right ? cuts_of(flow, s, rank) : NULL;
}

const mlir_cuts *mlir_cuts_read(mlir_flow *flow, sw_str text, int rank)
{
	uint32_t hash = 2166136261u + (uint32_t)rank;
	for (size_t i = 0; i < text.length; i++)
		hash = (hash ^ (unsigned char)text.at[i]) * 16777619u;
	struct mlir_said **bucket = &flow->said[(hash ^ hash >> 15) % MLIR_BUCKETS], *said = *bucket;
	while (said && (said->rank != rank || !sw_str_equal(said->text, text)))
		said = said->next;
	if (said)
		return said->cuts;
	said = SW_NEW(flow->arena, struct mlir_said, 1);
	flow->failed |= !said;
	if (!said)
		return NULL;
	*said = (struct mlir_said){text, rank, parse(flow, text, rank), *bucket};
	*bucket = said;
	return said->cuts;
}

void mlir_cuts_give(const mlir_cuts *cuts, sw_sharding *out)
{
	*out = *cuts->base;
	out->rank = cuts->rank;
	out->subgroups = 0;
	out->open = 0;
	out->extends = false;
	memcpy(out->first, cuts->first, sizeof(cuts->first));
	memcpy(out->parts, cuts->parts, (size_t)cuts->first[cuts->rank] * sizeof(*out->parts));
	for (int d = 0; d < cuts->rank; d++)
		out->priority[d] = -1;
}

/* ---- dimensions ---- */

static bool same_mesh(const mlir_cuts *a, const mlir_cuts *b)
{
	const sw_sharding *x = a->base, *y = b->base;
	return x == y ||
		(sw_mesh_equal(&x->mesh, &y->mesh) && sw_device_order_equal(x->mesh.order, y->mesh.order, x->mesh.devices));
}

/* Is something of this part of an axis among the parts before `end`? */
static bool is_taken(const mlir_cuts *s, int end, const sw_part *part)
{
	for (int p = 0; p < end; p++) {
		const sw_part *other = &s->parts[p];
		if (other->axis == part->axis && other->pre < part->pre * part->size && part->pre < other->pre * other->size)
			return true;
	}
	return false;
}

/* What these dimensions make; NULL where they speak of different meshes, or need an axis twice. */
static const mlir_cuts *compose(mlir_flow *flow, const origin *from, int rank)
{
	const mlir_cuts *base = NULL;
	int parts = 0;
	for (int d = 0; d < rank; d++) {
		const mlir_cuts *s = from[d].cuts;
		base = base ? base : s;
		parts += s ? s->first[from[d].dim + 1] - s->first[from[d].dim] : 0;
	}
	mlir_cuts *made = base ? cuts_new(flow, base->base, rank, parts) : NULL;
	for (int d = 0; made && d < rank; d++) {
		const mlir_cuts *s = from[d].cuts;
		int first = made->first[d];
		made->first[d + 1] = first;
		if (s && !same_mesh(base, s))
			return NULL;
		for (int p = s ? s->first[from[d].dim] : 0; s && p < s->first[from[d].dim + 1]; p++) {
			if (is_taken(made, first, &s->parts[p]))
				return NULL;
			made->parts[made->first[d + 1]++] = s->parts[p];
		}
	}
	return made;
}

const mlir_cuts *mlir_fill_open(mlir_flow *flow, const mlir_cuts *from, const mlir_cuts *to, uint32_t open)
{
	origin dims[SW_MAX_DIMS];
	bool any = false;
	if (!from || from->rank != to->rank || !same_mesh(from, to))
		return to;
	for (int d = 0; d < to->rank; d++) {
		bool whole = to->first[d] == to->first[d + 1], free = whole && (open >> d & 1);
		for (int p = from->first[d]; free && p < from->first[d + 1]; p++)
			free = !is_taken(to, to->first[to->rank], &from->parts[p]);
		dims[d] = (origin){free ? from : to, d};
		any |= free;
	}
	const mlir_cuts *made = any ? compose(flow, dims, to->rank) : NULL;
	return made ? made : to;
}

/* ---- operations ---- */

static const mlir_cuts *follow_places(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	for (int k = 0; k < op->operands; k++) {
		const mlir_cuts *s = known_operand(flow, op, k);
		mlir_shape from;
		if (s && shape_of(flow, graph_operand_of(flow->module, op, k), &from) && from.rank == to->rank &&
			memcmp(from.dim, to->dim, (size_t)to->rank * sizeof(*to->dim)) == 0)
			return s;
	}
	return NULL;
}

static const mlir_cuts *follow_transpose(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	const mlir_cuts *s = known_operand(flow, op, 0);
	int64_t order[SW_MAX_DIMS];
	origin dims[SW_MAX_DIMS];
	if (!s || s->rank != to->rank || mlir_list(op->attributes, "dims = [", order, SW_MAX_DIMS) != to->rank)
		return NULL;
	for (int d = 0; d < to->rank; d++) {
		if (order[d] >= s->rank)
			return NULL;
		dims[d] = (origin){s, (int)order[d]};
	}
	return compose(flow, dims, to->rank);
}

/* Which dimensions of both shapes are the same elements: from *i and *j on, up to where their products meet. */
static bool next_group(const mlir_shape *from, const mlir_shape *to, int *i, int *j)
{
	int64_t a = 1, b = 1;
	do {
		if (a <= b && *i < from->rank)
			a *= from->dim[(*i)++];
		else if (*j < to->rank)
			b *= to->dim[(*j)++];
		else
			return false;
		if (a > ((int64_t)1 << 40) || b > ((int64_t)1 << 40))
			return false;
	} while (a != b);
	return true;
}

static bool is_cut(const mlir_cuts *s, int d)
{
	return s->first[d + 1] > s->first[d];
}

static int64_t cuts_along(const mlir_cuts *s, int d)
{
	int64_t cuts = 1;
	for (int p = s->first[d]; p < s->first[d + 1]; p++)
		cuts *= s->parts[p].size;
	return cuts;
}

/* The one dimension in [begin, end) that is cut has to be the major one that counts; *out: that, or -1. */
static bool cut_in(const mlir_cuts *s, const mlir_shape *shape, int begin, int end, int *out)
{
	bool major = true;
	*out = -1;
	for (int d = begin; d < end; d++) {
		if (is_cut(s, d) && !major)
			return false;
		if (is_cut(s, d))
			*out = d;
		major &= shape->dim[d] == 1;
	}
	return true;
}

/* Sizes of 1 come and go; the major part of what is merged or split stays cut as it is. */
static const mlir_cuts *follow_reshape(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	const mlir_cuts *s = known_operand(flow, op, 0);
	mlir_shape from;
	origin dims[SW_MAX_DIMS] = {{NULL, 0}};
	int i = 0, j = 0;
	if (!s || !shape_of(flow, graph_operand_of(flow->module, op, 0), &from) || s->rank != from.rank)
		return NULL;
	while (i < from.rank || j < to->rank) {
		int begin = i, first = j, cut, d;
		if (!next_group(&from, to, &i, &j) || !cut_in(s, &from, begin, i, &cut))
			return NULL;
		for (d = first; d < j && to->dim[d] == 1;)
			d++;
		if (cut < 0)
			continue;
		if (d == j || to->dim[d] % cuts_along(s, cut) != 0)
			return NULL;
		dims[d] = (origin){s, cut};
	}
	for (int d = 0; d < to->rank; d++)
		if (dims[d].cuts)
			return compose(flow, dims, to->rank);
	for (int d = 0; d < to->rank; d++)
		dims[d] = (origin){s, 0};
	return to->rank && from.rank && !is_cut(s, 0) ? compose(flow, dims, to->rank) : NULL;
}

/* Dimension k of the operand becomes dimension position[k]. */
static const mlir_cuts *follow_broadcast(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	const mlir_cuts *s = known_operand(flow, op, 0);
	int64_t position[SW_MAX_DIMS];
	mlir_shape from;
	origin dims[SW_MAX_DIMS] = {{NULL, 0}};
	if (!s || !shape_of(flow, graph_operand_of(flow->module, op, 0), &from) || s->rank != from.rank || !from.rank ||
		mlir_list(op->attributes, "dims = [", position, SW_MAX_DIMS) != from.rank)
		return NULL;
	for (int d = 0; d < from.rank; d++)
		if (position[d] < to->rank && to->dim[position[d]] == from.dim[d])
			dims[position[d]] = (origin){s, d};
	return compose(flow, dims, to->rank);
}

/* The dimensions that are summed, or whatever is done along them, go. */
static const mlir_cuts *follow_reduce(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	const mlir_cuts *s = known_operand(flow, op, 0);
	int64_t gone[SW_MAX_DIMS];
	origin dims[SW_MAX_DIMS] = {{NULL, 0}};
	int count = mlir_list(op->attributes, "dimensions = [", gone, SW_MAX_DIMS), rank = 0;
	if (!s || count < 0 || s->rank - count != to->rank)
		return NULL;
	for (int d = 0; d < s->rank; d++) {
		bool stays = true;
		for (int k = 0; k < count; k++)
			stays &= gone[k] != d;
		if (stays && rank < SW_MAX_DIMS) {
			SW_ROOM(dims, rank);
			dims[rank++] = (origin){s, d};
		}
	}
	return rank == to->rank ? compose(flow, dims, rank) : NULL;
}

/* `NAME = [0, 1] x [0, 1]`; the count of the left list, -1: they differ in length. */
static int two_lists(sw_str text, const char *name, int64_t *left, int64_t *right)
{
	const char *at = memmem(text.at, text.length, name, strlen(name));
	if (!at)
		return 0;
	sw_str rest = {at, (size_t)(text.at + text.length - at)};
	int count = mlir_list(rest, name, left, SW_MAX_DIMS);
	return count >= 0 && mlir_list(rest, "] x [", right, SW_MAX_DIMS) == count ? count : -1;
}

static bool is_in(const int64_t *list, int count, int d)
{
	for (int k = 0; k < count; k++)
		if (list[k] == d)
			return true;
	return false;
}

/* Batch dimensions, then those of the left and those of the right operand that stay. */
static const mlir_cuts *follow_dot(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	const mlir_cuts *side[2] = {known_operand(flow, op, 0), known_operand(flow, op, 1)};
	int64_t batch[2][SW_MAX_DIMS], sum[2][SW_MAX_DIMS];
	origin dims[SW_MAX_DIMS] = {{NULL, 0}};
	mlir_shape shape[2];
	int batches = two_lists(op->attributes, "batching_dims = [", batch[0], batch[1]), rank = 0;
	int sums = two_lists(op->attributes, "contracting_dims = [", sum[0], sum[1]);
	if (batches < 0 || sums < 0 || (!side[0] && !side[1]))
		return NULL;
	for (int k = 0; k < 2; k++)
		if (!shape_of(flow, graph_operand_of(flow->module, op, k), &shape[k]) ||
			(side[k] && side[k]->rank != shape[k].rank))
			return NULL;
	for (int k = 0; k < batches && rank < SW_MAX_DIMS; k++) {
		const mlir_cuts *s = side[0] ? side[0] : side[1];
		int64_t d = side[0] ? batch[0][k] : batch[1][k];
		if (d >= s->rank)
			return NULL;
		SW_ROOM(dims, rank);
		dims[rank++] = (origin){s, (int)d};
	}
	for (int k = 0; k < 2; k++)
		for (int d = 0; d < shape[k].rank && rank < SW_MAX_DIMS; d++)
			if (!is_in(batch[k], batches, d) && !is_in(sum[k], sums, d)) {
				SW_ROOM(dims, rank);
				dims[rank++] = (origin){side[k], d};
			}
	return rank == to->rank ? compose(flow, dims, rank) : NULL;
}

static const mlir_cuts *follow_slices(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	const mlir_cuts *s = known_operand(flow, op, 0);
	mlir_shape from;
	origin dims[SW_MAX_DIMS];
	if (!s || !shape_of(flow, graph_operand_of(flow->module, op, 0), &from) || from.rank != to->rank ||
		s->rank != to->rank)
		return NULL;
	for (int d = 0; d < to->rank; d++) {
		if (from.dim[d] != to->dim[d] && is_cut(s, d))
			return NULL;
		dims[d] = (origin){s, d};
	}
	return compose(flow, dims, to->rank);
}

static const mlir_cuts *follow_said(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	sw_str text = mlir_sharding_in(op->attributes, "mhlo.sharding = ");
	return text.length ? mlir_cuts_read(flow, text, to->rank) : NULL;
}

static const mlir_cuts *follow_sums(mlir_flow *flow, const graph_instruction *op, const mlir_shape *to)
{
	sw_str text = mlir_sharding_in(op->attributes, "out_sharding=");
	return text.length ? mlir_cuts_read(flow, text, to->rank) : NULL;
}

static const mlir_cuts *(*const follow_by[HLO_FLOW_COUNT])(mlir_flow *flow, const graph_instruction *op,
	const mlir_shape *to) = {
	[HLO_FLOW_PLACES] = follow_places,
	[HLO_FLOW_TRANSPOSE] = follow_transpose,
	[HLO_FLOW_RESHAPE] = follow_reshape,
	[HLO_FLOW_BROADCAST] = follow_broadcast,
	[HLO_FLOW_REDUCE] = follow_reduce,
	[HLO_FLOW_DOT] = follow_dot,
	[HLO_FLOW_SLICES] = follow_slices,
	[HLO_FLOW_SAID] = follow_said,
	[HLO_FLOW_SUMS] = follow_sums,
};

const mlir_cuts *mlir_follow(mlir_flow *flow, const graph_instruction *op, int k, sw_str said)
{
	hlo_flow by = hlo_flow_of(op->op);
	mlir_shape to;
	if (!shape_of(flow, op->first_result + k, &to))
		return NULL;
	const mlir_cuts *own = said.length ? mlir_cuts_read(flow, said, to.rank) : NULL;
	return own ? own : follow_by[by] ? follow_by[by](flow, op, &to) : NULL;
}
