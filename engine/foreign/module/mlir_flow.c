/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings along operations of StableHLO: a dimension of a result is cut as the dimension of an operand that it comes
 * from.  Where two say different things, or a reshape cuts across, nothing is known: the compiler chooses there.
 */
#define _GNU_SOURCE
#include "foreign/module/mlir_flow.h"

#include <string.h>

/* Where a dimension of a result comes from; cuts NULL: it is whole. */
typedef struct origin {
	const mlir_cuts *cuts;
	int dim;
} origin;

/* ---- texts ---- */

/* `<@mesh, [...]>` with the mesh itself in the place of its name. */
static bool add_whole(mlir_flow *flow, sw_str text, sw_text *out)
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
	sw_str name = {text.at + 2, length - 2};
	const graph_mesh *mesh = mlir_mesh_named(flow->module, name);
	if (!mesh && !flow->undefined.length)
		flow->undefined = name;
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

/* How many parts `to` has in this dimension, where `from` has them first, too; -1: it has not. */
static int begins_as(const mlir_cuts *from, const mlir_cuts *to, int d)
{
	int count = to->first[d + 1] - to->first[d];
	if (count > from->first[d + 1] - from->first[d])
		return -1;
	for (int k = 0; k < count; k++) {
		const sw_part *a = &from->parts[from->first[d] + k], *b = &to->parts[to->first[d] + k];
		if (a->axis != b->axis || a->pre != b->pre || a->size != b->size)
			return -1;
	}
	return count;
}

/* Is one of these dimensions cut? */
static bool is_cut_in(const mlir_cuts *cuts, uint32_t dims)
{
	bool any = false;
	for (int d = 0; d < cuts->rank; d++)
		any |= (dims >> d & 1) && cuts->first[d + 1] > cuts->first[d];
	return any;
}

const mlir_cuts *mlir_fill_open(mlir_flow *flow, const mlir_cuts *from, const mlir_cuts *to, uint32_t open)
{
	origin dims[SW_MAX_DIMS];
	bool any = false;
	bool whole = to->first[to->rank] == 0;
	if (!from || from->rank != to->rank)
		return to;
	if (!whole && !same_mesh(from, to))
		return is_cut_in(from, open) ? NULL : to;
	for (int d = 0; d < to->rank; d++) {
		int said = begins_as(from, to, d);
		bool free = said >= 0 && (open >> d & 1);
		for (int p = from->first[d] + said; free && p < from->first[d + 1]; p++)
			free = !is_taken(to, to->first[to->rank], &from->parts[p]);
		dims[d] = (origin){free ? from : whole ? NULL : to, d};
		any |= free;
	}
	const mlir_cuts *made = any ? compose(flow, dims, to->rank) : NULL;
	return made ? made : to;
}

/* ---- operations ---- */

static int64_t cuts_along(const mlir_cuts *s, int d)
{
	int64_t cuts = 1;
	for (int p = s->first[d]; p < s->first[d + 1]; p++)
		cuts *= s->parts[p].size;
	return cuts;
}

/* The dimensions of the result that are cut as this operand, and as none before it; false: nothing is known of it. */
static bool add_origins(const mlir_cuts *s, const graph_dims *dims, const hlo_shape *to, origin *from)
{
	for (int d = 0; d < s->rank; d++) {
		int into = dims->into[d];
		bool cut = s->first[d + 1] > s->first[d];
		if (cut && dims->whole >> d & 1)
			return false;
		if (into < 0 || into >= to->rank || from[into].cuts)
			continue;
		if (cut && dims->even && to->dim[into] % cuts_along(s, d) != 0)
			return false;
		from[into] = (origin){s, d};
	}
	return true;
}

static const mlir_cuts *follow_operands(mlir_flow *flow, const graph_instruction *op, const hlo_shape *to)
{
	origin from[SW_MAX_DIMS] = {{NULL, 0}};
	graph_dims dims;
	for (int k = 0; k < op->operands; k++) {
		int value = graph_operand_of(flow->module, op, k);
		const mlir_cuts *s = value >= 0 ? flow->known[value] : NULL;
		if (!s || !graph_dims_of(flow->module, op, k, to, &dims))
			continue;
		if (dims.same)
			return s;
		if (s->rank != dims.from || !add_origins(s, &dims, to, from))
			return NULL;
	}
	return compose(flow, from, to->rank);
}

const mlir_cuts *mlir_follow(mlir_flow *flow, const graph_instruction *op, int k, sw_str said)
{
	hlo_flow by = hlo_flow_of(op->op);
	hlo_shape to;
	if (!graph_shape(flow->module, op->first_result + k, &to) || to.rank > SW_MAX_DIMS)
		return NULL;
	const mlir_cuts *own = said.length ? mlir_cuts_read(flow, said, to.rank) : NULL;
	if (own || (by != HLO_FLOW_SAID && by != HLO_FLOW_SUMS))
		return own ? own : follow_operands(flow, op, &to);
	said = mlir_sharding_in(op->attributes, by == HLO_FLOW_SAID ? "mhlo.sharding = " : "out_sharding=");
	return said.length ? mlir_cuts_read(flow, said, to.rank) : NULL;
}
