/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fusions of compiled modules, taken apart: what they compute stands in their place.  So are reductions of several arrays.  A compiler repeats work in each
 * fusion that needs it; what is the same is one instruction again, so that pieces of one value are seen as such.
 */
#define _GNU_SOURCE
#include "foreign/module/hlo_text.h"

#include <string.h>

#define DEEP 16      /* fusions within fusions */
#define MORE_MOST 4  /* times as many instructions, and a thousand */
#define SEEN_MOST 16 /* times as many are gone through, of which many are the same, and a thousand */

typedef struct inlining {
	const graph_module *old;
	graph_module *made;
	sw_arena *arena;
	sw_diag *diag;
	int instruction_room, operand_room;
	int *renumbered; /* of old instructions outside of fusions: the new one */
	int32_t *slot;   /* of new instructions from fusions, by what they compute; -1: empty */
	uint32_t mask;
	int shared;   /* in the table */
	int64_t seen; /* instructions of fusions that were gone through */
} inlining;

/* ---- what is the same ---- */

/* Attributes that say what is computed. */
static sw_str meaning(sw_str attributes)
{
	const char *at = memmem(attributes.at, attributes.length, ", metadata=", strlen(", metadata="));
	return at ? (sw_str){attributes.at, (size_t)(at - attributes.at)} : attributes;
}

static bool has_literal(hlo_op op)
{
	return op == HLO_CONSTANT || op == HLO_IOTA;
}

static uint32_t mix(uint32_t hash, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 16777619u;
	return hash;
}

static uint32_t hash_of(const graph_instruction *at, const int32_t *operand)
{
	sw_str attributes = meaning(at->attributes);
	uint32_t hash = mix(2166136261u ^ (uint32_t)at->computation, &at->op, sizeof(at->op));
	hash = mix(hash, operand, (size_t)at->operands * sizeof(*operand));
	hash = mix(hash, at->shape.at, at->shape.length);
	hash = mix(hash, attributes.at, attributes.length);
	hash = has_literal(at->op) ? mix(hash, at->inside.at, at->inside.length) : hash;
	return hash ^ hash >> 15;
}

static bool same(const inlining *n, const graph_instruction *a, const graph_instruction *b, const int32_t *operand)
{
	return a->op == b->op && a->op != HLO_OTHER && a->computation == b->computation && a->operands == b->operands &&
		memcmp(n->made->operand + a->first, operand, (size_t)b->operands * sizeof(*operand)) == 0 &&
		sw_str_equal(a->shape, b->shape) && sw_str_equal(meaning(a->attributes), meaning(b->attributes)) &&
		(!has_literal(a->op) || sw_str_equal(a->inside, b->inside));
}

/* The slot of an instruction that computes this, or an empty one. */
static int32_t *slot_of(const inlining *n, const graph_instruction *at, const int32_t *operand)
{
	for (uint32_t i = hash_of(at, operand);; i++) {
		int32_t *slot = &n->slot[i & n->mask];
		if (*slot < 0 || same(n, &n->made->instruction[*slot], at, operand))
			return slot;
	}
}

static bool more_slots(inlining *n)
{
	int32_t *old = n->slot;
	uint32_t room = n->mask + 1;
	if (old && 2 * (uint32_t)(n->shared + 1) < room)
		return true;
	n->mask = old ? 2 * room - 1 : 1023;
	n->slot = SW_NEW(n->arena, int32_t, n->mask + 1);
	if (!n->slot)
		return sw_diag_memory(n->diag);
	memset(n->slot, -1, ((size_t)n->mask + 1) * sizeof(*n->slot));
	for (uint32_t i = 0; old && i < room; i++)
		if (old[i] >= 0) {
			const graph_instruction *at = &n->made->instruction[old[i]];
			*slot_of(n, at, n->made->operand + at->first) = old[i];
		}
	return true;
}

/* ---- instructions ---- */

static int out_of_memory(inlining *n)
{
	sw_diag_memory(n->diag);
	return -1;
}

/* Adds a copy with these operands; its number, -1: no memory. */
static int add(inlining *n, graph_instruction at, const int32_t *operand)
{
	graph_module *m = n->made;
	at.first = m->operands;
	for (int k = 0; k < at.operands; k++) {
		if (!SW_GROW(n->arena, m->operand, m->operands, n->operand_room, 256))
			return out_of_memory(n);
		m->operand[m->operands++] = operand[k];
	}
	if (!SW_GROW(n->arena, m->instruction, m->instructions, n->instruction_room, 256))
		return out_of_memory(n);
	m->instruction[m->instructions] = at;
	return m->instructions++;
}

static int add_shared(inlining *n, graph_instruction at, const int32_t *operand)
{
	if (!more_slots(n))
		return -1;
	at.fused = true;
	int32_t *slot = slot_of(n, &at, operand);
	if (*slot >= 0)
		return *slot;
	*slot = add(n, at, operand);
	n->shared += *slot >= 0;
	return *slot;
}

/* ---- a piece that is cut out before its dimension is split off ---- */

typedef struct piece {
	int whole;     /* the instruction that it is cut from */
	int64_t k, of; /* the k-th of so many along the major dimension */
} piece;

static bool is_row_major(const hlo_shape *shape)
{
	for (int i = 0; i < shape->rank; i++)
		if (shape->major[i] != i)
			return false;
	return shape->rank > 0;
}

/* Is it `bitcast(slice(x))` with a first dimension of 1, of an even part of x along its major dimension? */
static bool piece_of(const inlining *n, const graph_instruction *at, const int32_t *operand, piece *out)
{
	const graph_module *m = n->made;
	const graph_instruction *cut = at->op == HLO_BITCAST && at->operands == 1 && operand[0] >= 0 ?
		&m->instruction[operand[0]] :
		NULL;
	int whole = cut && cut->op == HLO_SLICE ? graph_operand(m, operand[0], 0) : -1;
	int64_t bound[2 * HLO_DIMS];
	hlo_shape to, from;
	sw_str text;
	if (whole < 0 || !hlo_shape_read(at->shape, &to) || !hlo_shape_read(m->instruction[whole].shape, &from) ||
		to.dim[0] != 1 || to.rank < 2 || !is_row_major(&to) || !is_row_major(&from) ||
		!hlo_attribute(cut->attributes, "slice", &text) || hlo_numbers(text, bound, 2 * HLO_DIMS) != 2 * from.rank)
		return false;
	for (int d = 1; d < from.rank; d++)
		if (bound[2 * d] != 0 || bound[2 * d + 1] != from.dim[d])
			return false;
	int64_t size = bound[1] - bound[0];
	if (size < 1 || from.dim[0] % size != 0 || bound[0] % size != 0 || size == from.dim[0])
		return false;
	*out = (piece){whole, bound[0] / size, from.dim[0] / size};
	return true;
}

/* Where the elements from bound[2d] on lie in a row without a gap: the dimension behind which all are whole, and before
 * which it is one element of each; -1: they do not. */
static int cut_dimension(const hlo_shape *from, const int64_t *bound)
{
	int last = from->rank - 1, d = 0;
	while (last > 0 && bound[2 * last] == 0 && bound[2 * last + 1] == from->dim[last])
		last--;
	while (d < last && bound[2 * d + 1] - bound[2 * d] == 1)
		d++;
	return d == last ? last : -1;
}

/* Is it a slice that cuts a piece out of several dimensions at once, one of as many in a row as it fits in? */
static bool run_of(const inlining *n, const graph_instruction *at, const int32_t *operand, piece *out)
{
	const graph_module *m = n->made;
	int64_t bound[2 * HLO_DIMS], of = 1, k = 0;
	hlo_shape to, from;
	sw_str text;
	if (at->op != HLO_SLICE || at->operands != 1 || operand[0] < 0 || !hlo_shape_read(at->shape, &to) ||
		!hlo_shape_read(m->instruction[operand[0]].shape, &from) || to.rank < 2 || to.dim[0] != 1 ||
		!is_row_major(&to) || !is_row_major(&from) || !hlo_attribute(at->attributes, "slice", &text) ||
		hlo_numbers(text, bound, 2 * HLO_DIMS) != 2 * from.rank)
		return false;
	int last = cut_dimension(&from, bound);
	int64_t size = last > 0 ? bound[2 * last + 1] - bound[2 * last] : 0;
	if (size < 1 || from.dim[last] % size != 0 || bound[2 * last] % size != 0)
		return false;
	for (int d = 0; d <= last; d++) {
		int64_t pieces = d == last ? from.dim[d] / size : from.dim[d];
		k = k * pieces + (d == last ? bound[2 * d] / size : bound[2 * d]);
		of *= pieces;
	}
	*out = (piece){operand[0], k, of};
	return of > 1;
}

/* The same as a slice of the whole whose major dimension is split: `slice(bitcast(x))`. */
static int add_piece(inlining *n, graph_instruction at, const piece *p)
{
	sw_text shape = {0}, cut = {0};
	hlo_shape to;
	const char *one = memchr(at.shape.at, '[', at.shape.length);
	graph_instruction split = at;
	int32_t operand = p->whole;
	hlo_shape_read(at.shape, &to);
	sw_text_add_str(&shape, (sw_str){at.shape.at, (size_t)(one + 1 - at.shape.at)});
	sw_text_addf(&shape, "%lld", (long long)p->of);
	sw_text_add_str(&shape, (sw_str){one + 2, at.shape.length - (size_t)(one + 2 - at.shape.at)});
	sw_text_addf(&cut, ", slice={[%lld:%lld]", (long long)p->k, (long long)p->k + 1);
	for (int d = 1; d < to.rank; d++)
		sw_text_addf(&cut, ", [0:%lld]", (long long)to.dim[d]);
	sw_text_add_char(&cut, '}');
	split.shape = (sw_str){sw_arena_copy(n->arena, sw_text_get(&shape), shape.length), shape.length};
	split.attributes = at.op == HLO_BITCAST ? at.attributes : (sw_str){"", 0};
	split.op = HLO_BITCAST;
	at.attributes = (sw_str){sw_arena_copy(n->arena, sw_text_get(&cut), cut.length), cut.length};
	at.op = HLO_SLICE;
	bool kept = split.shape.at && at.attributes.at && !shape.failed && !cut.failed;
	sw_text_free(&shape);
	sw_text_free(&cut);
	operand = kept ? add_shared(n, split, &operand) : -1;
	if (!kept)
		sw_diag_memory(n->diag);
	return operand >= 0 ? add_shared(n, at, &operand) : -1;
}

/* Dimensions of size 1 may stand anywhere in the order of both. */
static bool same_order(const hlo_shape *a, const hlo_shape *b)
{
	int i = 0, k = 0;
	bool same = a->rank == b->rank;
	for (int d = 0; d < a->rank && same; d++)
		same = a->dim[d] == b->dim[d];
	while (same && (i < a->rank || k < b->rank)) {
		if (i < a->rank && a->dim[a->major[i]] == 1)
			i++;
		else if (k < b->rank && b->dim[b->major[k]] == 1)
			k++;
		else
			same = i < a->rank && k < b->rank && a->major[i++] == b->major[k++];
	}
	return same;
}

/* Is it a copy of a bitcast that leaves the elements in their row?  Then it is a bitcast of what *operand becomes. */
static bool moves_nothing(const inlining *n, const graph_instruction *at, int32_t *operand)
{
	const graph_instruction *from = at->op == HLO_COPY && at->operands == 1 && *operand >= 0 ?
		&n->made->instruction[*operand] :
		NULL;
	hlo_shape to, before;
	if (!from || from->op != HLO_BITCAST || from->operands != 1 || !hlo_shape_read(at->shape, &to) ||
		!hlo_shape_read(from->shape, &before) || !same_order(&to, &before))
		return false;
	*operand = n->made->operand[from->first];
	return true;
}

static int add_fused(inlining *n, graph_instruction at, int32_t *operand)
{
	piece p;
	if (piece_of(n, &at, operand, &p) || run_of(n, &at, operand, &p))
		return add_piece(n, at, &p);
	if (moves_nothing(n, &at, operand))
		at.op = HLO_BITCAST;
	return add_shared(n, at, operand);
}

/* An element of a tuple that a fusion makes is what stands there. */
static int element_of(const inlining *n, const graph_instruction *at, const int32_t *operand)
{
	const graph_instruction *from = at->op == HLO_ELEMENT && at->operands == 1 && operand[0] >= 0 ?
		&n->made->instruction[operand[0]] :
		NULL;
	if (!from || from->op != HLO_TUPLE)
		return -1;
	int64_t index = hlo_element_index(at);
	return index >= 0 && index < from->operands ? n->made->operand[from->first + index] : -1;
}

/* The computation that an instruction stands for, or -1. */
static int fused_by(const inlining *n, const graph_instruction *at)
{
	sw_str text;
	return at->op == HLO_FUSION && hlo_attribute(at->attributes, "calls", &text) ?
		hlo_computation_named(n->old, text) :
		-1;
}

static bool has_room(const inlining *n)
{
	return n->made->instructions < MORE_MOST * n->old->instructions + 1000 &&
		n->seen < SEEN_MOST * (int64_t)n->old->instructions + 1000;
}

/* Puts what computation `c` does into `into`, of these values; its result, -1: it cannot be, or an error. */
static int expand(inlining *n, int c, int into, const int32_t *value, int values, int deep)
{
	const graph_computation *from = &n->old->computation[c];
	int32_t *map = SW_NEW(n->arena, int32_t, from->count + 1);
	if (!map)
		sw_diag_memory(n->diag);
	n->seen += from->count;
	for (int k = 0; map && k < from->count; k++) {
		graph_instruction at = n->old->instruction[from->first + k];
		int32_t *operand = SW_NEW(n->arena, int32_t, at.operands + 1);
		int64_t number;
		if (!operand) {
			sw_diag_memory(n->diag);
			return -1;
		}
		for (int i = 0; i < at.operands; i++) {
			int old = graph_operand(n->old, from->first + k, i);
			operand[i] = old >= from->first && old < from->first + k ? map[old - from->first] : -1;
		}
		int callee = deep < DEEP && has_room(n) ? fused_by(n, &at) : -1;
		at.computation = into;
		at.root = false;
		if (at.op == HLO_PARAMETER)
			map[k] = hlo_numbers(at.inside, &number, 1) == 1 && number >= 0 && number < values ? value[number] : -1;
		else if (callee >= 0 && callee != c)
			map[k] = expand(n, callee, into, operand, at.operands, deep + 1);
		else
			map[k] = element_of(n, &at, operand) >= 0 ? element_of(n, &at, operand) : add_fused(n, at, operand);
		if (n->diag->code != SW_OK)
			return -1;
	}
	return map && from->root >= from->first ? map[from->root - from->first] : -1;
}

/* ---- reductions of several arrays ---- */

static bool is_several(const graph_instruction *at)
{
	return hlo_reduces(at->op) && at->operands > 1;
}

/* The shapes of what each array becomes: those of the arrays, where only they are said. */
static bool several_shapes(const inlining *n, const graph_instruction *at, const int32_t *operand, sw_str *shape)
{
	bool scatters = at->op == HLO_REDUCE_SCATTER;
	for (int k = 0; k < at->operands; k++) {
		if (operand[k] < 0)
			return false;
		shape[k] = n->made->instruction[operand[k]].shape;
	}
	return !scatters || hlo_tuple_shapes(at->shape, shape, at->operands) == at->operands;
}

/* One reduction for each array, and a tuple of them; the tuple, -1: no memory, or an array is not there. */
static int add_several(inlining *n, graph_instruction at, const int32_t *operand)
{
	sw_str *shape = SW_NEW(n->arena, sw_str, at.operands);
	int32_t *part = SW_NEW(n->arena, int32_t, at.operands);
	graph_instruction tuple = at, one = at;
	if (!shape || !part)
		return out_of_memory(n);
	if (!several_shapes(n, &at, operand, shape))
		return -1;
	one.operands = 1;
	one.root = false;
	for (int k = 0; k < at.operands; k++) {
		one.shape = shape[k];
		part[k] = add(n, one, &operand[k]);
		if (part[k] < 0)
			return -1;
	}
	tuple.op = HLO_TUPLE;
	tuple.fused = !at.root;
	return add(n, tuple, part);
}

/* What the end of several reductions hands on is their tuple. */
static bool ends_several(const inlining *n, const graph_instruction *at, const int32_t *operand)
{
	return (at->op == HLO_ALL_REDUCE_DONE || at->op == HLO_REDUCE_SCATTER_DONE) && at->operands == 1 &&
		operand[0] >= 0 && n->made->instruction[operand[0]].op == HLO_TUPLE;
}

static bool take(inlining *n, int i, int32_t *operand)
{
	const graph_instruction *at = &n->old->instruction[i];
	int callee = has_room(n) ? fused_by(n, at) : -1;
	for (int k = 0; k < at->operands; k++) {
		int old = graph_operand(n->old, i, k);
		operand[k] = old >= 0 ? n->renumbered[old] : -1;
	}
	n->renumbered[i] = callee >= 0   ? expand(n, callee, at->computation, operand, at->operands, 0) :
		is_several(at)               ? add_several(n, *at, operand) :
		ends_several(n, at, operand) ? operand[0] :
									   element_of(n, at, operand);
	if (n->renumbered[i] < 0 && n->diag->code == SW_OK)
		n->renumbered[i] = add(n, *at, operand);
	return n->diag->code == SW_OK;
}

/* ---- the module ---- */

/* Which computations only stand for fusions. */
static void find_fused(const inlining *n, bool *fused)
{
	for (int i = 0; i < n->old->instructions; i++) {
		int callee = fused_by(n, &n->old->instruction[i]);
		if (callee >= 0 && !n->old->computation[callee].entry)
			fused[callee] = true;
	}
}

/* What of a fusion is used by nobody any more uses nothing. */
static void count_users(graph_module *m)
{
	for (int i = 0; i < m->instructions; i++)
		m->instruction[i].users = 0;
	for (int c = 0; c < m->computations; c++)
		if (m->computation[c].root >= 0)
			m->instruction[m->computation[c].root].users++;
	for (int i = m->instructions; i-- > 0;) {
		const graph_instruction *at = &m->instruction[i];
		for (int k = 0; k < at->operands && (at->users || !at->fused); k++)
			if (m->operand[at->first + k] >= 0)
				m->instruction[m->operand[at->first + k]].users++;
	}
}

static bool inline_all(inlining *n, const bool *fused)
{
	int32_t *operand = NULL;
	int room = 0;
	for (int c = 0; c < n->old->computations; c++) {
		const graph_computation *from = &n->old->computation[c];
		graph_computation *to = &n->made->computation[c];
		to->first = n->made->instructions;
		for (int i = from->first; !fused[c] && i < from->first + from->count; i++) {
			int needed = n->old->instruction[i].operands + 1;
			if (needed > room) {
				room = 2 * needed;
				operand = SW_NEW(n->arena, int32_t, room);
			}
			if (!operand)
				return sw_diag_memory(n->diag);
			if (!take(n, i, operand))
				return false;
		}
		to->count = n->made->instructions - to->first;
		to->root = fused[c] || from->root < 0 ? -1 : n->renumbered[from->root];
	}
	return true;
}

bool hlo_inline(graph_module *module, sw_arena *arena, sw_diag *diag)
{
	graph_module made = *module;
	sw_diag own = {.code = SW_OK};
	inlining n = {.old = module, .made = &made, .arena = arena, .diag = &own};
	bool *fused = SW_NEW_ZERO(arena, bool, module->computations + 1), any = false;
	made.instruction = NULL;
	made.operand = NULL;
	made.instructions = made.operands = 0;
	made.computation = SW_NEW(arena, graph_computation, module->computations + 1);
	n.renumbered = SW_NEW(arena, int, module->instructions + 1);
	if (!fused || !made.computation || !n.renumbered)
		return sw_diag_memory(diag);
	memset(n.renumbered, -1, (size_t)module->instructions * sizeof(*n.renumbered));
	memcpy(made.computation, module->computation, (size_t)module->computations * sizeof(*made.computation));
	find_fused(&n, fused);
	for (int c = 0; c < module->computations; c++)
		any |= fused[c];
	for (int i = 0; i < module->instructions && !any; i++)
		any = is_several(&module->instruction[i]);
	if (!any)
		return true;
	if (!inline_all(&n, fused)) {
		*diag = own;
		return false;
	}
	count_users(&made);
	*module = made;
	return true;
}
