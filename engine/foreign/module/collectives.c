/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the collectives of a program move, each of them, understood or not.
 */
#define _GNU_SOURCE
#include "foreign/module/collectives.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "foreign/module/dialect.h"
#include "foreign/module/hlo_parts.h"
#include "foreign/module/mlir.h"
#include "foreign/module/mlir_groups.h"

#define BESIDE_WORK ((int64_t)20000000) /* instructions that are looked at for what rings overlap with */

static const graph_instruction *at_of(const graph_reading *r, int i)
{
	return &r->module->instruction[i];
}

/* The instruction that makes operand k, or -1. */
static int maker_of(const graph_reading *r, int i, int k)
{
	return graph_maker(r->module, graph_operand(r->module, i, k));
}

/* ---- bytes ---- */

/* Which part of a tuple is what gets there: of `(operands, results, ...)` the results, of what is received the first.  The type of
 * an all-reduce that starts names no operands.  -1: all of it. */
static int result_part(hlo_op op)
{
	static const hlo_op starting[] = {HLO_ALL_GATHER_START, HLO_ALL_TO_ALL_START, HLO_PERMUTE_START,
		HLO_REDUCE_SCATTER_START, HLO_BROADCAST_OVER_START, HLO_RAGGED_START};
	for (size_t k = 0; k < sizeof(starting) / sizeof(*starting); k++)
		if (starting[k] == op)
			return 1;
	return op == HLO_RECV ? 0 : -1;
}

static double value_bytes(const graph_reading *r, int value)
{
	sw_str type = graph_type(r->module, value);
	mlir_shape read;
	if (!r->module->value || !mlir_shape_read(type, &read))
		return r->module->value ? 0 : traffic_type_bytes(type);
	double bytes = traffic_element_bytes(read.dtype);
	for (int d = 0; d < read.rank; d++)
		bytes *= (double)read.dim[d];
	return bytes;
}

static double result_bytes(const graph_reading *r, int i)
{
	const graph_instruction *at = at_of(r, i);
	int wanted = result_part(at->op);
	double sum = 0;
	sw_str part[2];
	for (int k = 0; k < at->results; k++)
		sum += value_bytes(r, at->first_result + k);
	if (r->module->value)
		return sum;
	bool some = wanted >= 0 && hlo_tuple_shapes(at->shape, part, 2) >= 2;
	return some ? traffic_type_bytes(part[wanted]) : value_bytes(r, i);
}

/* ---- a ragged all-to-all ---- */

/* The place of a device in its group, or -1. */
static int64_t place_of(const graph_groups *groups, int64_t devices, int64_t device)
{
	for (int64_t k = 0; groups->right && k < devices; k++)
		if (groups->member[k] == device)
			return k % groups->size;
	return -1;
}

/* Bytes that others send to each device, where the sizes are constants; false: they are not. */
static bool ragged_known(graph_reading *r, int i, const graph_groups *groups, sw_traffic_row *row)
{
	const graph_instruction *at = at_of(r, i);
	int sizes = at->operands == 6 ? graph_operand(r->module, i, 5) : -1;
	const graph_scalar *s = sizes >= 0 ? graph_scalar_of(r, sizes) : NULL;
	hlo_shape shape;
	double sum = 0, most = 0;
	int result = r->module->value ? at->first_result : i;
	if (!s || s->count < 1 || !groups->right || s->count % groups->size != 0 ||
		!graph_shape(r->module, result, &shape) || shape.rank < 1 || shape.dim[0] < 1)
		return false;
	double each = value_bytes(r, result) / (double)shape.dim[0];
	int64_t updates = s->count / groups->size;
	for (int64_t d = 0; d < r->devices; d++) {
		const int64_t *size = s->value + (s->own ? d * s->count : 0);
		int64_t own = place_of(groups, r->devices, d);
		double gets = 0;
		for (int64_t k = 0; k < s->count; k++)
			gets += k / updates != own ? each * (double)size[k] : 0;
		most = gets > most ? gets : most;
		sum += gets;
	}
	row->bytes = most;
	row->mean = sum / (double)r->devices;
	return true;
}

/* No more than the others of the group have, and than the result holds. */
static void ragged_weigh(graph_reading *r, int i, const graph_groups *groups, sw_traffic_row *row)
{
	int operand = graph_operand(r->module, i, 0);
	double others = operand >= 0 ? value_bytes(r, operand) * (double)(groups->come.largest - 1) : row->bytes;
	if (ragged_known(r, i, groups, row))
		return;
	row->at_most = true;
	row->bytes = others < row->bytes ? others : row->bytes;
	row->mean = row->mean < row->bytes ? row->mean : row->bytes;
}

/* ---- a halo ---- */

/* What makes a value, before anything that only writes it in another way; -1: nothing does. */
static int bare(const graph_reading *r, int i)
{
	while (
		i >= 0 && (at_of(r, i)->op == HLO_COPY || at_of(r, i)->op == HLO_BITCAST || at_of(r, i)->op == HLO_RESHAPE))
		i = maker_of(r, i, 0);
	return i;
}

/* A permute along rings or lines of a border that is cut out of one dimension. */
static void halo_find(const graph_reading *r, int i, sw_traffic_row *row)
{
	int cut = bare(r, maker_of(r, i, 0));
	int64_t bound[2 * HLO_DIMS];
	hlo_shape shape;
	sw_str text;
	if ((row->form != SW_TRAFFIC_RING && row->form != SW_TRAFFIC_LINE) || cut < 0 || at_of(r, cut)->op != HLO_SLICE ||
		!graph_shape(r->module, graph_operand(r->module, cut, 0), &shape) ||
		!graph_attribute(r->module, at_of(r, cut), "slice", &text) ||
		hlo_numbers(text, bound, 2 * HLO_DIMS) != 2 * shape.rank)
		return;
	traffic_halo(row, shape.rank, bound, shape.dim);
}

/* ---- what a ring overlaps with ---- */

enum { LEADS = 1, FOLLOWS = 2 };

/* Instructions of one computation, with those of computations inside, which belong to the instruction around them. */
typedef struct body {
	const graph_reading *r;
	int computation, first, count;
	int32_t *owner; /* of each, from `first` on */
	uint8_t *mark;  /* of owners */
} body;

static bool body_open(graph_reading *r, int i, body *b)
{
	const graph_computation *c = &r->module->computation[at_of(r, i)->computation];
	*b = (body){.r = r, .computation = at_of(r, i)->computation, .first = c->first, .count = c->count};
	b->owner = SW_NEW(r->brief, int32_t, c->count + 1);
	b->mark = SW_NEW_ZERO(r->brief, uint8_t, c->count + 1);
	if (!b->owner || !b->mark || i < c->first || i >= c->first + c->count)
		return false;
	for (int k = 0; k < c->count; k++)
		b->owner[k] = at_of(r, c->first + k)->computation == b->computation || k == 0 ? k : b->owner[k - 1];
	return true;
}

/* The owner of what makes operand k of an instruction, or -1: it is made outside. */
static int owner_of(const body *b, int at, int k)
{
	int maker = maker_of(b->r, b->first + at, k) - b->first;
	return maker >= 0 && maker < b->count ? b->owner[maker] : -1;
}

static void mark_leading(const body *b, int from)
{
	b->mark[from] |= LEADS;
	for (int at = b->count; at-- > 0;)
		for (int k = 0; (b->mark[b->owner[at]] & LEADS) && k < at_of(b->r, b->first + at)->operands; k++) {
			int owner = owner_of(b, at, k);
			if (owner >= 0 && owner <= at)
				b->mark[owner] |= LEADS;
		}
}

static void mark_following(const body *b, int from)
{
	b->mark[from] |= FOLLOWS;
	for (int at = from; at < b->count; at++)
		for (int k = 0; k < at_of(b->r, b->first + at)->operands; k++) {
			int owner = owner_of(b, at, k);
			if (owner >= 0 && (b->mark[owner] & FOLLOWS))
				b->mark[b->owner[at]] |= FOLLOWS;
		}
}

/* Products of its computation that neither lead to instruction `i` nor follow from it; -1: too much work. */
static int64_t beside_of(graph_reading *r, int i, int64_t *work)
{
	sw_arena_mark here = sw_arena_here(r->brief);
	int size = r->module->computation[at_of(r, i)->computation].count;
	int64_t count = 0;
	body b;
	bool can = *work >= size && body_open(r, i, &b);
	*work -= size;
	if (can) {
		mark_leading(&b, i - b.first);
		mark_following(&b, i - b.first);
	}
	for (int k = 0; can && k < b.count; k++) {
		const graph_instruction *at = at_of(r, b.first + k);
		count += b.owner[k] == k && !b.mark[k] && at->users && (at->op == HLO_DOT || at->op == HLO_CONVOLUTION);
	}
	sw_arena_back(r->brief, here);
	return can ? count : -1;
}

/* ---- all of them ---- */

/* Does it move anything between devices?  What the host sends does not. */
static bool is_collective(const graph_reading *r, int i)
{
	static const char *const hosts[] = {"is_host_transfer=true", "is_host_transfer = true"};
	sw_str rest;
	for (size_t k = 0; k < sizeof(hosts) / sizeof(*hosts) && at_of(r, i)->op == HLO_RECV; k++)
		if (sw_str_after(at_of(r, i)->attributes, hosts[k], &rest))
			return false;
	return hlo_traffic_of(at_of(r, i)->op) != SW_TRAFFIC_KIND_COUNT;
}

/* Groups of instruction `i`, in text or by axes, and the bytes of its result on a device. */
static const graph_groups *groups_of(graph_reading *r, int i, traffic_groups *come, double *result)
{
	const graph_instruction *at = at_of(r, i);
	bool permutes = hlo_traffic_of(at->op) == SW_TRAFFIC_PERMUTE;
	if (mlir_axes_read(r->module, at, r->devices, come, result))
		return NULL;
	const graph_groups *groups = permutes ? graph_pairs_of(r, at) : graph_groups_of(r, at);
	*come = groups ? groups->come : traffic_whole(r->devices);
	come->wrong |= !groups;
	*result = result_bytes(r, i);
	return groups;
}

static void weigh(graph_reading *r, int i, int64_t *work)
{
	sw_traffic_kind kind = hlo_traffic_of(at_of(r, i)->op);
	sw_traffic_row *row = &r->traffic[i];
	traffic_groups come;
	double result;
	const graph_groups *groups = groups_of(r, i, &come, &result);
	*row = (sw_traffic_row){.kind = kind, .line = at_of(r, i)->line, .count = 1, .beside = -1};
	traffic_weigh(row, result, &come, graph_all_devices(r));
	if (kind == SW_TRAFFIC_RAGGED && groups)
		ragged_weigh(r, i, groups, row);
	if (kind == SW_TRAFFIC_PERMUTE && groups)
		halo_find(r, i, row);
	if (row->form == SW_TRAFFIC_RING || row->form == SW_TRAFFIC_LINE)
		row->beside = beside_of(r, i, work);
}

bool graph_traffic_find(graph_reading *r)
{
	int64_t work = BESIDE_WORK;
	r->traffic = SW_NEW_ZERO(r->work, sw_traffic_row, r->module->instructions + 1);
	for (int i = 0; r->traffic && i < r->module->instructions && r->devices <= DEVICES_MOST; i++)
		if (is_collective(r, i))
			weigh(r, i, &work);
	return r->traffic && !r->failed;
}

/* ---- as rows ---- */

static const char *keep_text(graph_reading *r, sw_text *text, bool said)
{
	const char *copy = said && !text->failed ? sw_arena_copy(r->arena, sw_text_get(text), text->length) : NULL;
	r->failed |= said && !copy;
	sw_text_free(text);
	return copy;
}

static void name_row(graph_reading *r, int i, sw_traffic_row *row)
{
	const graph_instruction *at = at_of(r, i);
	sw_str in = r->module->computation[at->computation].name, name = at->name, metadata;
	sw_text text = {0}, source = {0};
	if (at->results)
		name = r->module->value[at->first_result].name;
	row->name = sw_arena_copy(r->arena, name.at, name.length);
	row->computation = sw_arena_copy(r->arena, in.at, in.length);
	r->failed |= !row->name || !row->computation;
	if (r->module->value) {
		r->failed |= !mlir_loc_read(r->module, at->loc, &text, &source);
		row->op_name = keep_text(r, &text, text.length > 0);
		row->source = keep_text(r, &source, source.length > 0);
	} else if (hlo_attribute(at->attributes, "metadata", &metadata)) {
		row->op_name = keep_text(r, &text, hlo_quoted(metadata, "op_name=\"", &text));
		row->source = keep_text(r, &source, hlo_source_add(r, metadata, &source));
	}
}

/* One array of several that an instruction of HLO moves adds to those before it, which have its name, too. */
static bool adds_to(const graph_reading *r, const collective *last, const collective *met)
{
	sw_str name = at_of(r, met->instruction)->name;
	return last && name.length && at_of(r, last->instruction)->name.at == name.at && last->planned == met->planned;
}

static void runs_of(const runs_part *part, sw_traffic_row *row)
{
	row->runs = part->count;
	row->loop = part->loop;
	row->open = part->open;
	row->untaken = part->untaken;
}

bool graph_traffic_give(graph_reading *r, const collective *met, int count, sw_traffic *traffic, int *room)
{
	traffic->branches += r->runs.branches;
	for (int k = 0; k < count && !r->failed; k++) {
		sw_traffic_row row = r->traffic[met[k].instruction];
		if (adds_to(r, k ? &met[k - 1] : NULL, &met[k])) {
			traffic->row[traffic->count - 1].bytes += row.bytes;
			traffic->row[traffic->count - 1].mean += row.mean;
			continue;
		}
		runs_of(&r->runs.part[met[k].part], &row);
		row.planned = met[k].planned;
		row.at_most |= met[k].partial;
		name_row(r, met[k].instruction, &row);
		if (!SW_GROW(r->arena, traffic->row, traffic->count, *room, 16))
			return false;
		traffic->row[traffic->count++] = row;
	}
	return !r->failed;
}
