/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the collectives of a module move, each of them, understood or not.
 */
#define _GNU_SOURCE
#include "foreign/module/hlo_parts.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "foreign/module/trips.h"

#define BESIDE_WORK ((int64_t)20000000) /* instructions that are looked at for what rings overlap with */

/* Does its type name operands, too?  That of an all-reduce does not. */
static bool starts(hlo_op op)
{
	static const hlo_op starting[] = {HLO_ALL_GATHER_START, HLO_ALL_TO_ALL_START, HLO_PERMUTE_START,
		HLO_REDUCE_SCATTER_START, HLO_BROADCAST_OVER_START, HLO_RAGGED_START};
	for (size_t k = 0; k < sizeof(starting) / sizeof(*starting); k++)
		if (starting[k] == op)
			return true;
	return false;
}

static const graph_instruction *at_of(const hlo_reading *r, int i)
{
	return &r->module->instruction[i];
}

/* Of `(operands, results, ...)` the results. */
static double result_bytes(const graph_instruction *at)
{
	sw_str part[2];
	bool two = starts(at->op) && hlo_tuple_shapes(at->shape, part, 2) >= 2;
	return traffic_type_bytes(two ? part[1] : at->shape);
}

/* ---- a ragged all-to-all ---- */

/* The place of a device in its group, or -1. */
static int64_t place_of(const hlo_groups *groups, int64_t devices, int64_t device)
{
	for (int64_t k = 0; groups->right && k < devices; k++)
		if (groups->member[k] == device)
			return k % groups->size;
	return -1;
}

/* Bytes that others send to each device, where the sizes are constants; false: they are not. */
static bool ragged_known(hlo_reading *r, int i, const hlo_groups *groups, sw_traffic_row *row)
{
	const graph_instruction *at = at_of(r, i);
	int sizes = at->operands == 6 ? graph_operand(r->module, i, 5) : -1;
	const hlo_scalar *s = sizes >= 0 ? hlo_scalar_of(r, sizes) : NULL;
	hlo_shape shape;
	double sum = 0, most = 0;
	if (!s || s->count < 1 || !groups->right || s->count % groups->size != 0 || !hlo_shape_read(at->shape, &shape) ||
		shape.rank < 1 || shape.dim[0] < 1)
		return false;
	double each = traffic_type_bytes(at->shape) / (double)shape.dim[0];
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
static void ragged_weigh(hlo_reading *r, int i, const hlo_groups *groups, sw_traffic_row *row)
{
	int operand = graph_operand(r->module, i, 0);
	double others = operand >= 0 ? traffic_type_bytes(at_of(r, operand)->shape) * (double)(groups->come.largest - 1) :
								   row->bytes;
	if (ragged_known(r, i, groups, row))
		return;
	row->at_most = true;
	row->bytes = others < row->bytes ? others : row->bytes;
	row->mean = row->mean < row->bytes ? row->mean : row->bytes;
}

/* ---- a halo ---- */

/* The value before anything that only writes it in another way. */
static int bare(const hlo_reading *r, int i)
{
	while (
		i >= 0 && (at_of(r, i)->op == HLO_COPY || at_of(r, i)->op == HLO_BITCAST || at_of(r, i)->op == HLO_RESHAPE))
		i = graph_operand(r->module, i, 0);
	return i;
}

/* A permute along rings or lines of a border that is cut out of one dimension. */
static void halo_find(const hlo_reading *r, int i, sw_traffic_row *row)
{
	int cut = bare(r, graph_operand(r->module, i, 0)), whole = cut >= 0 ? graph_operand(r->module, cut, 0) : -1;
	int64_t bound[2 * HLO_DIMS];
	hlo_shape shape;
	sw_str text;
	if ((row->form != SW_TRAFFIC_RING && row->form != SW_TRAFFIC_LINE) || whole < 0 ||
		at_of(r, cut)->op != HLO_SLICE || !hlo_shape_read(at_of(r, whole)->shape, &shape) ||
		!hlo_attribute(at_of(r, cut)->attributes, "slice", &text) ||
		hlo_numbers(text, bound, 2 * HLO_DIMS) != 2 * shape.rank)
		return;
	traffic_halo(row, shape.rank, bound, shape.dim);
}

/* ---- what a ring overlaps with ---- */

enum { LEADS = 1, FOLLOWS = 2 };

static void mark_leading(const hlo_reading *r, int i, int first, uint8_t *mark)
{
	mark[i - first] |= LEADS;
	for (int at = i; at >= first; at--)
		for (int k = 0; (mark[at - first] & LEADS) && k < at_of(r, at)->operands; k++) {
			int operand = graph_operand(r->module, at, k);
			if (operand >= first && operand < at)
				mark[operand - first] |= LEADS;
		}
}

static void mark_following(const hlo_reading *r, int i, int first, int end, uint8_t *mark)
{
	mark[i - first] |= FOLLOWS;
	for (int at = i + 1; at < end; at++)
		for (int k = 0; k < at_of(r, at)->operands; k++) {
			int operand = graph_operand(r->module, at, k);
			if (operand >= first && operand < end && (mark[operand - first] & FOLLOWS))
				mark[at - first] |= FOLLOWS;
		}
}

/* Products of its computation that neither lead to instruction `i` nor follow from it; -1: too much work. */
static int64_t beside_of(hlo_reading *r, int i, int64_t *work)
{
	const graph_computation *c = &r->module->computation[at_of(r, i)->computation];
	sw_arena_mark here = sw_arena_here(r->brief);
	uint8_t *mark = *work >= c->count ? SW_NEW_ZERO(r->brief, uint8_t, c->count + 1) : NULL;
	int64_t count = 0;
	*work -= c->count;
	if (!mark || i < c->first || i >= c->first + c->count)
		return -1;
	mark_leading(r, i, c->first, mark);
	mark_following(r, i, c->first, c->first + c->count, mark);
	for (int at = c->first; at < c->first + c->count; at++)
		count += !mark[at - c->first] && at_of(r, at)->users &&
			(at_of(r, at)->op == HLO_DOT || at_of(r, at)->op == HLO_CONVOLUTION);
	sw_arena_back(r->brief, here);
	return count;
}

/* ---- all of them ---- */

static void weigh(hlo_reading *r, int i, sw_traffic_kind kind, int64_t *work)
{
	const graph_instruction *at = at_of(r, i);
	sw_traffic_row *row = &r->traffic[i];
	bool permutes = kind == SW_TRAFFIC_PERMUTE;
	const hlo_groups *groups = permutes ? hlo_pairs_of(r, at) : hlo_groups_of(r, at);
	traffic_groups come = groups ? groups->come : traffic_whole(r->devices);
	come.wrong |= !groups;
	*row = (sw_traffic_row){.kind = kind, .line = at->line, .count = 1, .beside = -1};
	traffic_weigh(row, result_bytes(at), &come, r->devices);
	if (kind == SW_TRAFFIC_RAGGED && groups)
		ragged_weigh(r, i, groups, row);
	if (permutes)
		halo_find(r, i, row);
	if (row->form == SW_TRAFFIC_RING || row->form == SW_TRAFFIC_LINE)
		row->beside = beside_of(r, i, work);
}

bool hlo_traffic_find(hlo_reading *r)
{
	int64_t work = BESIDE_WORK;
	r->traffic = SW_NEW_ZERO(r->work, sw_traffic_row, r->module->instructions);
	for (int i = 0; r->traffic && i < r->module->instructions; i++) {
		sw_traffic_kind kind = hlo_traffic_of(at_of(r, i)->op);
		if (kind != SW_TRAFFIC_KIND_COUNT)
			weigh(r, i, kind, &work);
	}
	return r->traffic && !r->failed;
}

double hlo_traffic_bytes(const hlo_reading *r, int i)
{
	assert(i >= 0 && i < r->module->instructions);
	return r->traffic[i].bytes;
}

/* ---- as rows ---- */

static const char *keep_text(hlo_reading *r, sw_text *text, bool said)
{
	const char *copy = said && !text->failed ? sw_arena_copy(r->arena, sw_text_get(text), text->length) : NULL;
	r->failed |= said && !copy;
	sw_text_free(text);
	return copy;
}

static void name_row(hlo_reading *r, int i, sw_traffic_row *row)
{
	const graph_instruction *at = at_of(r, i);
	sw_str name = at->name, in = r->module->computation[at->computation].name, metadata;
	sw_text text = {0};
	row->name = sw_arena_copy(r->arena, name.at, name.length);
	row->computation = sw_arena_copy(r->arena, in.at, in.length);
	r->failed |= !row->name || !row->computation;
	if (!hlo_attribute(at->attributes, "metadata", &metadata))
		return;
	row->op_name = keep_text(r, &text, hlo_quoted(metadata, "op_name=\"", &text));
	row->source = keep_text(r, &text, hlo_source_add(r, metadata, &text));
}

/* One array of several that an instruction moves adds to those before it. */
static bool adds_to(const sw_traffic_row *last, const sw_traffic_row *row)
{
	return last && last->line == row->line && last->kind == row->kind && last->planned == row->planned;
}

bool hlo_traffic_give(hlo_reading *r, sw_traffic *traffic)
{
	int room = 0;
	*traffic = (sw_traffic){.branches = r->branches};
	for (int i = 0; i < r->module->instructions && !r->failed; i++) {
		const hlo_runs *runs = &r->runs[at_of(r, i)->computation];
		sw_traffic_row row = r->traffic[i], *last = traffic->count ? &traffic->row[traffic->count - 1] : NULL;
		if (!row.count)
			continue;
		row.planned = r->judged[i] == 1;
		row.runs = runs->count;
		row.loop = runs->loop;
		row.open = runs->open;
		row.untaken = runs->untaken;
		if (adds_to(last, &row)) {
			last->bytes += row.bytes;
			last->mean += row.mean;
			continue;
		}
		name_row(r, i, &row);
		if (!SW_GROW(r->arena, traffic->row, traffic->count, room, 16))
			return false;
		traffic->row[traffic->count++] = row;
	}
	return !r->failed && traffic_finish(traffic, r->arena);
}
