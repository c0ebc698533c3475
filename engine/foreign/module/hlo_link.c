/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which instructions only move a value, from where, and which one alone uses what they make.  An all-to-all may take
 * its pieces as slices of one value, and give them as elements of a tuple that a concatenation puts together.
 */
#include "foreign/module/hlo_parts.h"

#include <string.h>

static const graph_instruction *at_of(const graph_reading *r, int i)
{
	return i >= 0 ? &r->module->instruction[i] : NULL;
}

/* `{[0:2], [4:8]}`: does it cut dimension `*dim` alone, and there into `of` equal pieces of which this is piece k? */
static bool slice_is_piece(const graph_reading *r, int i, int64_t k, int64_t of, int *dim)
{
	const graph_instruction *at = at_of(r, i), *whole = at_of(r, graph_operand(r->module, i, 0));
	hlo_shape from;
	sw_str text;
	int64_t bound[2 * HLO_DIMS];
	if (!whole || at->op != HLO_SLICE || !hlo_attribute(at->attributes, "slice", &text) ||
		!hlo_shape_read(whole->shape, &from) || hlo_numbers(text, bound, 2 * HLO_DIMS) != 2 * from.rank)
		return false;
	bool cut = false;
	for (int d = 0; d < from.rank; d++) {
		int64_t piece = from.dim[d] / of;
		if (bound[2 * d] == 0 && bound[2 * d + 1] == from.dim[d])
			continue;
		if (cut || (*dim >= 0 && *dim != d) || from.dim[d] % of != 0 || bound[2 * d] != k * piece ||
			bound[2 * d + 1] != (k + 1) * piece)
			return false;
		*dim = d;
		cut = true;
	}
	return cut;
}

/* The value whose slices an all-to-all exchanges, or -1. */
static int sliced_source(const graph_reading *r, int i)
{
	const graph_instruction *at = at_of(r, i);
	int source = -1, dim = -1;
	for (int k = 0; k < at->operands; k++) {
		int piece = graph_operand(r->module, i, k);
		if (piece < 0 || at_of(r, piece)->users != 1 || !slice_is_piece(r, piece, k, at->operands, &dim))
			return -1;
		int from = graph_operand(r->module, piece, 0);
		if (k > 0 && from != source)
			return -1;
		source = from;
	}
	return source;
}

/* The all-to-all whose pieces a concatenation puts together in their order, or -1. */
static int joined_source(const graph_reading *r, int i)
{
	const graph_instruction *at = at_of(r, i);
	int source = -1;
	for (int k = 0; k < at->operands; k++) {
		int piece = graph_operand(r->module, i, k);
		if (piece < 0 || at_of(r, piece)->users != 1 || at_of(r, piece)->op != HLO_ELEMENT ||
			hlo_element_index(at_of(r, piece)) != k)
			return -1;
		int from = graph_operand(r->module, piece, 0);
		if (from < 0 || (k > 0 && from != source))
			return -1;
		source = from;
	}
	if (source < 0 || at_of(r, source)->op != HLO_ALL_TO_ALL || at_of(r, source)->operands != at->operands)
		return -1;
	return source;
}

static hlo_link link_of(graph_reading *r, int i)
{
	const graph_instruction *at = at_of(r, i);
	hlo_link link = {.source = -1, .consumer = -1};
	hlo_class kind = hlo_class_of(at->op);
	if (at->op == HLO_CONCATENATE) {
		link.source = joined_source(r, i);
		link.pieces = true;
	} else if (at->op == HLO_ALL_TO_ALL && at->operands > 1) {
		link = (hlo_link){sliced_source(r, i), -1, true, true};
	} else if (kind == HLO_GLUE && at->operands == 1) {
		link.source = graph_operand(r->module, i, 0);
	} else if (kind == HLO_MOVES && !hlo_reduces(at->op) &&
		(at->op == HLO_DYNAMIC_SLICE ? hlo_slices_by_device(r, i) : at->operands == 1)) {
		link.source = graph_operand(r->module, i, 0);
		link.step = true;
	} else if (hlo_reduces(at->op) && at->operands == 1 && hlo_combines_by(r->module, i) == HLO_ADD) {
		link.source = graph_operand(r->module, i, 0);
		link.step = true;
	}
	return link;
}

/* Does `i` use all that there is of its source? */
static bool uses_alone(const graph_reading *r, int i)
{
	int wanted = r->link[i].pieces ? at_of(r, i)->operands : 1;
	return at_of(r, r->link[i].source)->users == wanted;
}

bool hlo_links_find(graph_reading *r)
{
	r->link = SW_NEW(r->work, hlo_link, r->module->instructions);
	if (!r->link)
		return false;
	for (int i = 0; i < r->module->instructions; i++)
		r->link[i] = link_of(r, i);
	for (int i = 0; i < r->module->instructions; i++)
		if (r->link[i].source >= 0 && uses_alone(r, i))
			r->link[r->link[i].source].consumer = i;
	return true;
}
