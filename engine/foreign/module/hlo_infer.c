/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sharding that a chain implies where nothing says it: pieces that are gathered lie side by side, and devices
 * that nothing tells apart hold the same.
 *
 * First each piece is given the dimension that it is of: one that an all-to-all brings is of the dimension with which
 * it is joined later.  Then where devices' tiles lie to one another follows from the groups.
 */
#include "foreign/module/hlo_parts.h"
#include "base/room.h"

#include <string.h>

#include <shardwalk/number.h>

#define IMPLY_TAGS 512
#define IMPLY_STEPS 64
#define IMPLY_DIGITS 16

typedef struct inferred_step {
	int count;
	int tag[IMPLY_DIGITS]; /* major to minor */
	int64_t size[IMPLY_DIGITS];
} inferred_step;

typedef struct inferring {
	graph_reading *r;
	const int *path;
	int rank, steps, tags;
	int parent[IMPLY_TAGS]; /* tags below rank are the array's dimensions */
	hlo_form form;
	inferred_step step[IMPLY_STEPS]; /* in their order: gathers and exchanges */
	int64_t tile[SW_MAX_DIMS];
	bool sums; /* steps sum */
} inferring;

/* ---- tags ---- */

static int tag_find(const inferring *m, int tag)
{
	while (m->parent[tag] != tag)
		tag = m->parent[tag];
	return tag;
}

static int tag_fresh(inferring *m)
{
	if (m->tags == IMPLY_TAGS)
		return -1;
	m->parent[m->tags] = m->tags;
	return m->tags++;
}

/* All tags of dimension k belong together, unless more than one of them is known. */
static void dim_unite(inferring *m, int k)
{
	int known = -1, any = -1;
	for (int i = m->form.first[k]; i < m->form.first[k + 1]; i++) {
		int tag = tag_find(m, m->form.atom[i].dim);
		any = tag;
		if (tag < m->rank && known >= 0 && tag != known)
			return;
		known = tag < m->rank ? tag : known;
	}
	for (int i = m->form.first[k]; i < m->form.first[k + 1]; i++)
		m->parent[tag_find(m, m->form.atom[i].dim)] = known >= 0 ? known : any;
}

static void form_unite(inferring *m)
{
	for (int k = 0; k < m->form.dims; k++)
		dim_unite(m, k);
}

static inferred_step *step_new(inferring *m)
{
	if (m->steps == IMPLY_STEPS)
		return NULL;
	m->step[m->steps].count = 0;
	return &m->step[m->steps++];
}

static bool tag_gather(inferring *m, const graph_instruction *at, int64_t size)
{
	inferred_step *step = step_new(m);
	int dim;
	if (!step || hlo_positions(at, "dimensions", m->form.dims, &dim, 1) != 1)
		return false;
	int first = m->form.first[dim];
	int tag = first < m->form.first[dim + 1] ? m->form.atom[first].dim : tag_fresh(m);
	if (tag < 0)
		return false;
	*step = (inferred_step){1, {tag}, {size}};
	return hlo_form_grow(&m->form, dim, &(sw_digit){.size = size, .stride = 0, .dim = tag}, 1);
}

/* What comes in has the sizes of what goes out. */
static bool tag_exchange(inferring *m, int i, int64_t size)
{
	inferred_step *step = step_new(m);
	sw_digit fresh[IMPLY_DIGITS];
	int dim;
	if (!step || !hlo_exchange_form(m->r, i, size, &m->form, &dim))
		return false;
	int64_t left = size;
	for (int k = m->form.first[dim]; left > 1; k++) {
		int64_t part = k < m->form.first[dim + 1] ? m->form.atom[k].size : 0;
		part = part > left ? left : part;
		int tag = tag_fresh(m);
		if (part < 1 || left % part != 0 || tag < 0 || step->count == IMPLY_DIGITS)
			return false;
		fresh[step->count] = (sw_digit){.size = part, .stride = 0, .dim = tag};
		step->tag[step->count] = tag;
		SW_ROOM(step->size, step->count);
		step->size[step->count++] = part;
		left /= part;
	}
	return hlo_form_replace(&m->form, dim, size, fresh, step->count);
}

static bool tag_slice(inferring *m, const graph_instruction *at)
{
	hlo_shape shape;
	if (!hlo_shape_read(at->shape, &shape) || shape.rank != m->form.dims)
		return false;
	for (int k = 0; k < shape.rank; k++)
		if (!hlo_form_shrink(&m->form, k, shape.dim[k]))
			return false;
	return true;
}

static bool scatters(hlo_op op)
{
	return op == HLO_REDUCE_SCATTER || op == HLO_REDUCE_SCATTER_START;
}

/* The dimension that a reduce-scatter cuts, and its piece of it; false where it says none. */
static bool scattered_dim(const graph_instruction *at, const hlo_form *form, int64_t size, int *dim, int64_t *piece)
{
	if (hlo_positions(at, "dimensions", form->dims, dim, 1) != 1)
		return false;
	*piece = hlo_form_size(form, *dim) / size;
	return *piece * size == hlo_form_size(form, *dim);
}

static bool tag_scatter(inferring *m, const graph_instruction *at, int64_t size)
{
	int dim;
	int64_t piece;
	return size == 1 || (scattered_dim(at, &m->form, size, &dim, &piece) && hlo_form_shrink(&m->form, dim, piece));
}

static bool tag_take(inferring *m, int i)
{
	const graph_instruction *at = &m->r->module->instruction[i];
	const graph_groups *groups;
	if (!m->r->link[i].step)
		return hlo_glue_form(m->r, i, &m->form);
	if (at->op == HLO_PERMUTE || at->op == HLO_PERMUTE_START)
		return true;
	if (at->op == HLO_DYNAMIC_SLICE)
		return tag_slice(m, at);
	groups = graph_groups_of(m->r, at);
	if (!groups || !groups->right)
		return false;
	if (hlo_reduces(at->op))
		return !scatters(at->op) || tag_scatter(m, at, groups->size);
	if (at->op == HLO_ALL_TO_ALL)
		return tag_exchange(m, i, groups->size);
	return groups->size == 1 || tag_gather(m, at, groups->size);
}

static bool all_known(const inferring *m)
{
	for (int s = 0; s < m->steps; s++)
		for (int k = 0; k < m->step[s].count; k++)
			if (tag_find(m, m->step[s].tag[k]) >= m->rank)
				return false;
	return true;
}

/* At the end the tensor's dimensions are the array's. */
static void place_unite(inferring *m)
{
	for (int k = 0; k < m->form.dims && m->form.dims == m->rank; k++)
		for (int i = m->form.first[k]; i < m->form.first[k + 1]; i++) {
			int tag = tag_find(m, m->form.atom[i].dim);
			if (tag >= m->rank)
				m->parent[tag] = k;
		}
}

static bool tags_run(inferring *m, int stop, bool in_place)
{
	m->steps = 0;
	m->tags = m->rank;
	for (int i = 0; i < m->rank; i++)
		m->parent[i] = i;
	hlo_form_start(&m->form, m->rank, m->tile);
	for (int i = 0; i < m->form.first[m->rank]; i++)
		m->form.atom[i].stride = 0;
	for (int k = 0; k < stop; k++) {
		if (!tag_take(m, m->path[k]))
			return false;
		form_unite(m);
	}
	if (in_place)
		place_unite(m);
	return all_known(m);
}

/* ---- places ---- */

/* Where tiles begin, each relative to another's: of device d it is that of rep[d] before the chain, and `more`. */
typedef struct relation {
	int rank;
	int64_t devices;
	int32_t *rep, *next_rep, *parent;
	int64_t *more, *next_more, *gap; /* gap: to the parent's tile, before the chain */
	bool described;                  /* something was said */
} relation;

static bool relation_start(relation *x, graph_reading *r, int rank)
{
	int64_t n = r->devices;
	*x = (relation){.rank = rank, .devices = n};
	x->rep = SW_NEW(r->work, int32_t, n);
	x->next_rep = SW_NEW(r->work, int32_t, n);
	x->parent = SW_NEW(r->work, int32_t, n);
	x->more = SW_NEW_ZERO(r->work, int64_t, n * rank);
	x->next_more = SW_NEW_ZERO(r->work, int64_t, n * rank);
	x->gap = SW_NEW_ZERO(r->work, int64_t, n * rank);
	if (!x->rep || !x->next_rep || !x->parent || !x->more || !x->next_more || !x->gap) {
		r->failed = true;
		return false;
	}
	for (int64_t d = 0; d < n; d++)
		x->rep[d] = x->parent[d] = (int32_t)d;
	return true;
}

/* The root of d; d then hangs on it directly. */
static int32_t root_of(relation *x, int32_t d)
{
	int64_t sum[SW_MAX_DIMS] = {0};
	int32_t root = d;
	while (x->parent[root] != root) {
		for (int i = 0; i < x->rank; i++)
			sum[i] += x->gap[root * x->rank + i];
		root = x->parent[root];
	}
	if (root != d) {
		memcpy(x->gap + d * x->rank, sum, (size_t)x->rank * sizeof(*sum));
		x->parent[d] = root;
	}
	return root;
}

/* Device a's tile now begins `offset` after that of device b; false where that contradicts. */
static bool relate(relation *x, int32_t a, int32_t b, const int64_t *offset)
{
	int32_t ra = x->rep[a], rb = x->rep[b], top = root_of(x, ra), other = root_of(x, rb);
	int64_t gap[SW_MAX_DIMS];
	bool same = true;
	for (int i = 0; i < x->rank; i++) {
		gap[i] = x->gap[rb * x->rank + i] + x->more[b * x->rank + i] + offset[i] - x->more[a * x->rank + i] -
			x->gap[ra * x->rank + i];
		same = same && gap[i] == 0;
	}
	if (top == other)
		return same;
	x->parent[top] = other;
	memcpy(x->gap + top * x->rank, gap, (size_t)x->rank * sizeof(*gap));
	x->described = true;
	return true;
}

static void relation_swap(relation *x)
{
	int32_t *rep = x->rep;
	int64_t *more = x->more;
	x->rep = x->next_rep;
	x->next_rep = rep;
	x->more = x->next_more;
	x->next_more = more;
}

static void relation_set(relation *x, int32_t device, int32_t from, const int64_t *offset)
{
	x->next_rep[device] = x->rep[from];
	for (int i = 0; i < x->rank; i++)
		x->next_more[device * x->rank + i] = x->more[from * x->rank + i] + offset[i];
}

/* The digits of a step as atoms, by the tile before it. */
static bool digits_place(const inferring *m, const inferred_step *step, sw_digit *atom)
{
	int64_t tile[SW_MAX_DIMS];
	if (!hlo_form_box(&m->form, m->rank, tile))
		return false;
	for (int k = step->count - 1; k >= 0; k--) {
		int dim = tag_find(m, step->tag[k]);
		atom[k] = (sw_digit){.size = step->size[k], .stride = tile[dim], .dim = dim};
		if (!sw_mul(tile[dim], step->size[k], &tile[dim]))
			return false;
	}
	return true;
}

static void digits_offset(const sw_digit *atom, int count, int64_t j, int64_t *offset)
{
	memset(offset, 0, SW_MAX_DIMS * sizeof(*offset));
	for (int k = count - 1; k >= 0; k--) {
		offset[atom[k].dim] += j % atom[k].size * atom[k].stride;
		j /= atom[k].size;
	}
}

/* Gathers and exchanges: the members' tiles lie side by side. */
static bool place_groups(inferring *m, relation *x, int i, const inferred_step *step, const graph_groups *groups)
{
	const graph_instruction *at = &m->r->module->instruction[i];
	bool gathers = at->op != HLO_ALL_TO_ALL;
	int64_t offset[SW_MAX_DIMS], minor = 1;
	sw_digit atom[IMPLY_DIGITS];
	int dim;
	if (!(gathers ? hlo_positions(at, "dimensions", m->form.dims, &dim, 1) == 1 :
					hlo_exchange_form(m->r, i, groups->size, &m->form, &dim)) ||
		!digits_place(m, step, atom))
		return false;
	if (!gathers)
		minor = hlo_form_size(&m->form, dim) / groups->size;
	for (int64_t d = 0; d < x->devices; d++) {
		int32_t first = groups->member[d / groups->size * groups->size];
		digits_offset(atom, step->count, d % groups->size, offset);
		if (!relate(x, groups->member[d], first, offset))
			return false;
		memset(offset, 0, sizeof(offset));
		if (!gathers)
			hlo_form_offset(&m->form, dim, d % groups->size * minor, offset);
		relation_set(x, groups->member[d], first, offset);
	}
	relation_swap(x);
	return gathers ? hlo_form_grow(&m->form, dim, atom, step->count) :
					 hlo_form_replace(&m->form, dim, groups->size, atom, step->count);
}

static bool place_permute(inferring *m, relation *x, const graph_instruction *at)
{
	const graph_groups *pairs = graph_pairs_of(m->r, at);
	static const int64_t none[SW_MAX_DIMS];
	if (!pairs || !pairs->right)
		return false;
	for (int64_t d = 0; d < x->devices; d++)
		relation_set(x, (int32_t)d, pairs->member[d], none);
	relation_swap(x);
	return true;
}

/* Sums: the members hold terms of one tile, and keep the sum or a piece of it. */
static bool place_sum(inferring *m, relation *x, const graph_instruction *at, const graph_groups *groups)
{
	static const int64_t none[SW_MAX_DIMS];
	int64_t piece;
	int dim;
	m->sums = x->described = true;
	if (groups->size == 1)
		return true;
	for (int64_t d = 0; d < x->devices; d++)
		if (!relate(x, groups->member[d], groups->member[d / groups->size * groups->size], none))
			return false;
	if (!scatters(at->op))
		return true;
	if (!scattered_dim(at, &m->form, groups->size, &dim, &piece))
		return false;
	for (int64_t d = 0; d < x->devices; d++)
		hlo_form_offset(&m->form, dim, d % groups->size * piece, x->more + groups->member[d] * m->rank);
	return hlo_form_shrink(&m->form, dim, piece);
}

static bool place_take(inferring *m, relation *x, int i, int *step)
{
	const graph_instruction *at = &m->r->module->instruction[i];
	if (!m->r->link[i].step)
		return hlo_glue_form(m->r, i, &m->form);
	if (at->op == HLO_PERMUTE || at->op == HLO_PERMUTE_START)
		return place_permute(m, x, at);
	if (at->op == HLO_DYNAMIC_SLICE) {
		x->described = true;
		return hlo_slice_form(m->r, i, &m->form, m->rank, x->more);
	}
	const graph_groups *groups = graph_groups_of(m->r, at);
	if (groups && hlo_reduces(at->op))
		return place_sum(m, x, at, groups);
	if (!groups || (groups->size == 1 && at->op != HLO_ALL_TO_ALL))
		return groups != NULL;
	return place_groups(m, x, i, &m->step[(*step)++], groups);
}

/* Every device's tile before the chain; those that nothing relates begin at 0 alike. */
static bool relation_base(relation *x, graph_reading *r, const int64_t *tile, int64_t *base, int64_t *global)
{
	int64_t *low = SW_NEW_ZERO(r->work, int64_t, x->devices * x->rank);
	if (!low)
		return !(r->failed = true);
	for (int64_t d = 0; d < x->devices; d++) {
		int32_t root = root_of(x, (int32_t)d);
		for (int i = 0; i < x->rank; i++) {
			int64_t gap = x->gap[d * x->rank + i] * (root != d), *least = &low[root * x->rank + i];
			base[d * x->rank + i] = gap;
			*least = gap < *least ? gap : *least;
		}
	}
	memcpy(global, tile, (size_t)x->rank * sizeof(*tile));
	for (int64_t d = 0; d < x->devices; d++)
		for (int i = 0; i < x->rank; i++) {
			int64_t end, at = base[d * x->rank + i] - low[root_of(x, (int32_t)d) * x->rank + i];
			base[d * x->rank + i] = at;
			if (!sw_add(at, tile[i], &end))
				return false;
			global[i] = end > global[i] ? end : global[i];
		}
	return true;
}

/* Devices that nothing relates hold no copies for all that is known: along dimension 0 what belongs together comes after one another.
 * Where not all of it is of one size they begin at 0 alike. */
static bool spread(relation *x, graph_reading *r, int64_t *base, int64_t *global, const int64_t *tile)
{
	int32_t *number = SW_NEW(r->work, int32_t, x->devices);
	int64_t *extent = SW_NEW_ZERO(r->work, int64_t, x->devices), together, count = 0;
	if (!number || !extent)
		return !(r->failed = true);
	for (int64_t d = 0; d < x->devices; d++) {
		int32_t root = root_of(x, (int32_t)d);
		int64_t end = base[d * x->rank] + tile[0];
		number[d] = root == d ? (int32_t)count++ : -1;
		extent[root] = end > extent[root] ? end : extent[root];
	}
	for (int64_t d = 0; d < x->devices; d++)
		if (extent[root_of(x, (int32_t)d)] != global[0])
			return true;
	if (!sw_mul(global[0], count, &together) || together > HLO_MOST)
		return true;
	for (int64_t d = 0; d < x->devices; d++)
		base[d * x->rank] += number[root_of(x, (int32_t)d)] * global[0];
	global[0] = together;
	return true;
}

static const hlo_value *places_find(inferring *m, int stop, const hlo_shape *shape)
{
	graph_reading *r = m->r;
	relation x;
	int step = 0;
	int64_t *base = SW_NEW(r->work, int64_t, r->devices * m->rank), global[SW_MAX_DIMS];
	if (!base || !relation_start(&x, r, m->rank)) {
		r->failed = true;
		return NULL;
	}
	m->sums = false;
	hlo_form_start(&m->form, m->rank, m->tile);
	for (int k = 0; k < stop; k++)
		if (!place_take(m, &x, m->path[k], &step))
			return NULL;
	if (!x.described || !relation_base(&x, r, m->tile, base, global))
		return NULL;
	if (m->sums && m->rank > 0 && !spread(&x, r, base, global, m->tile))
		return NULL;
	return hlo_value_plain(r, shape, global, base);
}

static bool infer_start(inferring *m, const hlo_shape *shape)
{
	int64_t size = 1;
	if (shape->rank > SW_MAX_DIMS)
		return false;
	m->rank = shape->rank;
	memcpy(m->tile, shape->dim, (size_t)shape->rank * sizeof(*m->tile));
	for (int i = 0; i < shape->rank; i++)
		if (shape->dim[i] < 1 || !sw_mul(size, shape->dim[i], &size) || size > HLO_MOST)
			return false;
	return true;
}

const hlo_value *hlo_infer(graph_reading *r, int source, const int *path, int count, int last)
{
	inferring *m = SW_NEW(r->brief, inferring, 1);
	hlo_shape shape;
	if (!m) {
		r->failed = true;
		return NULL;
	}
	m->r = r;
	m->path = path;
	if (!hlo_shape_read(r->module->instruction[source].shape, &shape) || !infer_start(m, &shape))
		return NULL;
	for (int in_place = 0; in_place < 2; in_place++)
		for (int stop = last + 1; stop <= count; stop++)
			if (tags_run(m, stop, in_place))
				return places_find(m, stop, &shape);
	return NULL;
}
