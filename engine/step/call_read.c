/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading operations as a user writes them.
 *
 *     call   = "allpermute" [ type ] | "exchange" [ type ]
 *            | name "(" dim { "," ( dim | amount ) } ")" | name "(" pairs ")" | name list [ list ]
 *            | name "(" "gather" pairs [ "," ] "split" pairs ")"
 *            | name parts [ list list [ parts ] ]
 *     pairs  = pair { [ "," ] pair }                pair  = dim ":" amount
 *     list   = "[" entry { "," entry } "]"          entry = "[" dim "," amount "]"
 *     amount = factor | part | parts                parts = "{" part { "," part } "}"
 *     part   = axis [ ":" "(" pre ")" size ]
 */
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "array/parts.h"
#include "base/scan.h"
#include "step/call.h"
#include "step/part_list.h"
#include "base/room.h"

static const sw_span call_no_span = {0, 0};

/* "dimension `dim` by `factor`" as written; its parts, where they are named, are in the reader. */
typedef struct call_item {
	int dim;
	int64_t factor; /* 0: not said */
	sw_span dim_at, factor_at;
	int first, count;
} call_item;

typedef struct call_items {
	int count;
	call_item at[SW_MAX_DIMS];
} call_items;

typedef struct sw_call_reader {
	sw_scan scan;
	const sw_mesh *mesh;
	const sw_type *before, *to;
	const sw_collective *row;
	sw_span name;
	call_items gather, split;
	call_item sums, order; /* the parts that are summed, and those behind the lists: in which order they are pushed */
	int parts, fresh;      /* parts from `fresh` on are different ones */
	sw_str
		single; /* the last axis of size 1, which is left out: it cuts nothing and sums nothing; empty: there is none */
	sw_span single_at;
	sw_part part[2 * SW_MAX_PARTS];
	sw_span part_at[2 * SW_MAX_PARTS];
	sw_call call;
	sw_call_positions at;
} call_reader;

/* ---- numbers and parts ---- */

static bool call_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool call_refuse_dim_word(call_reader *reader, sw_str word, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_quote quote = sw_scan_quote(word);
	sw_diag_set(diag, SW_C02, at, "%s is not the number of a dimension", quote.text);
	sw_diag_expected(diag, "%s", reader->row->usage);
	sw_diag_found(diag, "%s", quote.text);
	if (sw_mesh_find(reader->mesh, word) >= 0)
		sw_diag_hint(diag, "dimensions come first, as numbers from 0; axes after them");
	return false;
}

static bool call_read_dim(call_reader *reader, call_item *item, sw_span open)
{
	int64_t dim;
	bool overflow = false;
	sw_str word = sw_scan_word(&reader->scan, &item->dim_at);
	if (word.length == 0)
		return sw_scan_unexpected(&reader->scan, "the number of a dimension", open);
	bool negative = word.length > 1 && word.at[0] == '-';
	sw_str digits = {word.at + negative, word.length - negative};
	if (!sw_read_int(digits, &dim, &overflow) && !overflow)
		return call_refuse_dim_word(reader, word, item->dim_at);
	if (overflow)
		dim = INT64_MAX;
	if (!sw_call_has_dim(reader->before, negative ? -dim : dim, item->dim_at, reader->scan.diag))
		return false;
	item->dim = (int)dim;
	return true;
}

static bool call_refuse_axis(call_reader *reader, sw_str name, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_quote quote = sw_scan_quote(name);
	int nearest = sw_mesh_nearest(reader->mesh, name);
	sw_text text = {0};
	sw_diag_set(diag, SW_T02, at, "the mesh has no axis %s", quote.text);
	sw_diag_expected(diag, "an axis of the mesh");
	sw_diag_found(diag, "%s", quote.text);
	if (nearest >= 0)
		sw_mesh_print_name(reader->mesh->axis[nearest].name, &text);
	else
		sw_mesh_print(reader->mesh, &text);
	sw_diag_hint(diag, nearest >= 0 ? "did you mean %s?" : "the mesh is %s", sw_text_get(&text));
	sw_text_free(&text);
	return false;
}

/* `(pre)size` after the colon of a part. */
static bool call_read_extent(call_reader *reader, sw_part *part)
{
	static const sw_size_words words = {"part", SW_T08, SW_L12, SW_MAX_DEVICES};
	sw_scan *scan = &reader->scan;
	sw_span at, paren = sw_scan_next_span(scan);
	return sw_scan_expect(scan, '(', "'(' and the pre-size of a part", call_no_span) &&
		sw_scan_size(scan, words, paren, &part->pre, &at) &&
		sw_scan_expect(scan, ')', "')' after the pre-size", paren) &&
		sw_scan_size(scan, words, call_no_span, &part->size, &at);
}

/* An amount has axes of size 1 alone. */
static bool call_refuse_single(call_reader *reader, const call_item *item)
{
	sw_quote quote = sw_scan_quote(reader->single);
	sw_diag_set(reader->scan.diag, SW_C02, reader->single_at, "axis %s has size 1: it %s nothing", quote.text,
		item == &reader->sums ? "sums" : "splits");
	sw_diag_expected(reader->scan.diag, "an axis of at least size 2");
	sw_diag_found(reader->scan.diag, "size 1");
	sw_diag_hint(reader->scan.diag, "leave it out");
	return false;
}

static bool call_read_part(call_reader *reader, call_item *item, sw_span open)
{
	sw_scan *scan = &reader->scan;
	sw_str name;
	sw_span at;
	if (!sw_scan_name(scan, "an axis of the mesh", open, &name, &at))
		return false;
	int axis = sw_mesh_find(reader->mesh, name);
	if (axis < 0)
		return call_refuse_axis(reader, name, at);
	sw_part part = {axis, 1, reader->mesh->axis[axis].size};
	if (sw_scan_take(scan, ':') && !call_read_extent(reader, &part))
		return false;
	at.end = scan->at;
	if (!sw_part_check(reader->mesh, part, at, scan->diag))
		return false;
	if (part.size == 1) {
		reader->single = name;
		reader->single_at = at;
		return true;
	}
	int clash = sw_parts_clash(reader->part + reader->fresh, reader->parts - reader->fresh, part);
	if (clash >= 0)
		return sw_parts_refuse(reader->mesh, reader->part[reader->fresh + clash],
			reader->part_at[reader->fresh + clash], part, at, scan->diag);
	reader->part[reader->parts] = part;
	SW_ROOM(reader->part_at, reader->parts);
	reader->part_at[reader->parts++] = at;
	item->count++;
	item->factor *= part.size;
	return true;
}

static bool call_read_parts(call_reader *reader, call_item *item)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	bool more = sw_scan_take(&reader->scan, '{');
	while (more)
		if (!call_read_part(reader, item, open) ||
			!sw_scan_list(&reader->scan, '}', "',' or '}' after an axis", open, &more))
			return false;
	return true;
}

/* A factor, a part, or parts in braces. */
static bool call_read_amount(call_reader *reader, call_item *item, sw_span open)
{
	static const sw_size_words words = {"factor", SW_C02, SW_L12, SW_MAX_DEVICES};
	sw_scan *scan = &reader->scan;
	int next = sw_scan_peek(scan);
	if (call_is_digit(next) || next == '-')
		return sw_scan_size(scan, words, open, &item->factor, &item->factor_at);
	size_t begin = scan->at;
	item->factor = 1;
	item->first = reader->parts;
	reader->single.length = 0;
	if (!(next == '{' ? call_read_parts(reader, item) : call_read_part(reader, item, open)))
		return false;
	item->factor_at = (sw_span){begin, scan->at};
	return item->factor > 1 || reader->single.length == 0 || call_refuse_single(reader, item);
}

/* A factor; where an axis stands instead, its size is what is meant. */
static bool call_read_factor(call_reader *reader, call_item *item, sw_span open)
{
	int parts = reader->parts;
	if (!call_read_amount(reader, item, open))
		return false;
	if (item->count == 0)
		return true;
	reader->parts = parts;
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_C02, item->factor_at, "'%s' gathers by a factor, not by axes", reader->row->name);
	sw_diag_expected(diag, "a factor made of the innermost axes of the dimension");
	sw_diag_hint(diag, "the size is %" PRId64, item->factor);
	return false;
}

/* ---- arguments in parentheses ---- */

/* The size of the innermost axis as written. */
static bool call_minor_factor(call_reader *reader, call_item *item)
{
	const sw_type *type = reader->before;
	for (int p = type->first[item->dim]; p < type->first[item->dim + 1]; p++)
		if (sw_type_part(type, p).size > 1) {
			item->factor = sw_type_part(type, p).size;
			item->factor_at = item->dim_at;
			return true;
		}
	return sw_call_refuse_whole(type, item->dim, item->dim_at, reader->scan.diag);
}

static bool call_take_comma(call_reader *reader, sw_span open)
{
	return sw_scan_expect(&reader->scan, ',', "',' and the next argument", open);
}

bool sw_read_slice(call_reader *reader, sw_span open)
{
	call_item *item = &reader->split.at[reader->split.count++];
	return call_read_dim(reader, item, open) && call_take_comma(reader, open) && call_read_amount(reader, item, open);
}

bool sw_read_gather(call_reader *reader, sw_span open)
{
	call_item *item = &reader->gather.at[reader->gather.count++];
	if (!call_read_dim(reader, item, open))
		return false;
	if (sw_scan_take(&reader->scan, ','))
		return call_read_factor(reader, item, open);
	return call_minor_factor(reader, item);
}

bool sw_read_swap(call_reader *reader, sw_span open)
{
	call_item *from = &reader->gather.at[reader->gather.count++];
	call_item *to = &reader->split.at[reader->split.count++];
	if (!call_read_dim(reader, from, open) || !call_take_comma(reader, open) || !call_read_dim(reader, to, open))
		return false;
	if (!sw_scan_take(&reader->scan, ',')) {
		if (!call_minor_factor(reader, from))
			return false;
		to->factor = from->factor;
		to->factor_at = to->dim_at;
		return true;
	}
	if (!call_read_amount(reader, to, open))
		return false;
	from->factor = to->factor;
	from->factor_at = to->factor_at;
	return true;
}

/* The parts of a sum; pushed ones may be the same. */
static bool call_read_sums(call_reader *reader, sw_span open)
{
	sw_diag *diag = reader->scan.diag;
	if (!call_read_amount(reader, &reader->sums, open))
		return false;
	reader->fresh = reader->parts;
	if (reader->sums.count)
		return true;
	sw_diag_set(diag, SW_C02, reader->sums.factor_at, "'%s' names the axes of the sum", reader->row->name);
	sw_diag_expected(diag, "axes in braces, such as {%s}", reader->mesh->count ? reader->mesh->axis[0].name : "x");
	sw_diag_found(diag, "%s", reader->sums.factor > 1 ? "a factor" : "no axis");
	return false;
}

bool sw_read_sums(call_reader *reader, sw_span open)
{
	return call_read_sums(reader, open);
}

bool sw_read_scatter(call_reader *reader, sw_span open)
{
	call_item *item = &reader->split.at[reader->split.count++];
	if (!call_read_dim(reader, item, open) || !call_take_comma(reader, open) || !call_read_sums(reader, open))
		return false;
	item->factor = reader->sums.factor;
	item->factor_at = reader->sums.factor_at;
	return true;
}

/* ---- pairs of a dimension and an amount ---- */

/* Steps over `word` where it comes next. */
static bool call_take_word(sw_scan *scan, const char *word)
{
	sw_scan ahead = *scan;
	sw_span at;
	if (!sw_str_is(sw_scan_word(&ahead, &at), word))
		return false;
	scan->at = ahead.at;
	return true;
}

/* Do pairs come next, perhaps behind the word that says what they are for? */
static bool call_at_pairs(const call_reader *reader)
{
	sw_scan ahead = reader->scan;
	sw_span at;
	if (call_take_word(&ahead, "gather") || call_take_word(&ahead, "split"))
		return true;
	sw_scan_word(&ahead, &at);
	return at.end > at.begin && sw_scan_peek(&ahead) == ':';
}

/* Another pair, with or without a comma before it. */
static bool call_another_pair(sw_scan *scan)
{
	sw_scan ahead = *scan;
	sw_scan_take(&ahead, ',');
	int next = sw_scan_peek(&ahead);
	if (!call_is_digit(next) && next != '-')
		return false;
	scan->at = ahead.at;
	return true;
}

static bool call_refuse_entries(call_reader *reader)
{
	sw_diag_set(reader->scan.diag, SW_C02, sw_scan_next_span(&reader->scan),
		"more entries than a type has dimensions");
	sw_diag_expected(reader->scan.diag, "at most %d", SW_MAX_DIMS);
	return false;
}

static bool call_read_pairs(call_reader *reader, call_items *items, bool gather, sw_span open)
{
	do {
		if (items->count == SW_MAX_DIMS)
			return call_refuse_entries(reader);
		call_item *item = &items->at[items->count++];
		if (!call_read_dim(reader, item, open) ||
			!sw_scan_expect(&reader->scan, ':', "':' and by how much, as in 0:2", open) ||
			!(gather ? call_read_factor(reader, item, open) : call_read_amount(reader, item, open)))
			return false;
	} while (call_another_pair(&reader->scan));
	return true;
}

/* `gather 0:2 1:2, split 2:4`; where an operation does one of the two, its word may be left out. */
static bool call_read_all_pairs(call_reader *reader, sw_span open)
{
	bool gathers = reader->row->gathers, splits = reader->row->splits;
	sw_scan *scan = &reader->scan;
	if (gathers && !call_take_word(scan, "gather") && splits)
		return sw_scan_unexpected(scan, "'gather' and what is gathered, as in gather 0:2", open);
	if (gathers && !call_read_pairs(reader, &reader->gather, true, open))
		return false;
	if (gathers && splits)
		sw_scan_take(scan, ',');
	if (splits && !call_take_word(scan, "split") && gathers)
		return sw_scan_unexpected(scan, "'split' and what is cut, as in split 2:4", open);
	return !splits || call_read_pairs(reader, &reader->split, false, open);
}

static bool call_read_arguments(call_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	sw_scan_take(&reader->scan, '(');
	bool read = call_at_pairs(reader) ? call_read_all_pairs(reader, open) : reader->row->read(reader, open);
	return read && sw_scan_expect(&reader->scan, ')', "')' after the last argument", open);
}

/* ---- lists of entries, as other systems and JSON write them ---- */

static bool call_read_entry(call_reader *reader, call_items *items, bool gather)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	if (items->count == SW_MAX_DIMS)
		return call_refuse_entries(reader);
	call_item *item = &items->at[items->count++];
	return sw_scan_expect(scan, '[', "'[' of an entry [dimension, factor]", call_no_span) &&
		call_read_dim(reader, item, open) && call_take_comma(reader, open) &&
		(gather ? call_read_factor(reader, item, open) : call_read_amount(reader, item, open)) &&
		sw_scan_expect(scan, ']', "']' after the entry", open);
}

static bool call_read_list(call_reader *reader, call_items *items, bool gather)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "a list such as [[0, 2], [1, 2]]", call_no_span))
		return false;
	bool more = !(gather && reader->row->may_gather && sw_scan_take(scan, ']'));
	while (more)
		if (!call_read_entry(reader, items, gather) ||
			!sw_scan_list(scan, ']', "',' or ']' after an entry", open, &more))
			return false;
	return true;
}

static bool call_read_lists(call_reader *reader)
{
	return (!reader->row->gathers || call_read_list(reader, &reader->gather, true)) &&
		(!reader->row->splits || call_read_list(reader, &reader->split, false));
}

/* What stands behind the name: the sum, and where its row splits, what is popped, what is pushed, and in which order. */
static bool call_read_general(call_reader *reader)
{
	if (!call_read_sums(reader, reader->name))
		return false;
	if (!reader->row->splits)
		return true;
	if (!call_read_list(reader, &reader->gather, true) || !call_read_list(reader, &reader->split, false))
		return false;
	return sw_scan_peek(&reader->scan) != '{' || call_read_amount(reader, &reader->order, reader->name);
}

/* ---- the type to reach ---- */

static bool call_refuse_target(call_reader *reader)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_C02, reader->name, "'%s' needs a target type", reader->row->name);
	sw_diag_expected(diag, "%s", reader->row->usage);
	sw_diag_hint(diag, "write the type, or define it with `to`");
	return false;
}

static bool call_read_target(call_reader *reader)
{
	sw_call *call = &reader->call;
	sw_scan *scan = &reader->scan;
	sw_span at = {scan->at, scan->text.length};
	call->has_target = true;
	reader->at.target = reader->name;
	if (sw_scan_peek(scan) < 0) {
		if (reader->to)
			call->target = *reader->to;
		return reader->to ? true : call_refuse_target(reader);
	}
	at.begin = scan->at;
	if (!sw_type_parse_as(reader->mesh, (sw_str){scan->text.at + at.begin, at.end - at.begin},
			sw_type_padded(reader->before), &call->target, scan->diag)) {
		sw_diag_shift(scan->diag, at.begin);
		return false;
	}
	if (sw_type_padded(reader->before))
		sw_uneven_fit(&call->target, reader->before);
	if (!call->target.dtype_given)
		call->target.dtype = reader->before->dtype;
	reader->at.target = at;
	return true;
}

/* ---- the whole ---- */

/* The names of all operations, those of the general forms last. */
static int call_names(const char *names[2 * SW_COLLECTIVES])
{
	int count = 0;
	for (sw_op op = 0; op < SW_COLLECTIVES; op++)
		names[count++] = sw_collective_of(op)->name;
	for (sw_op op = 0; op < SW_COLLECTIVES; op++)
		if (sw_collective_of(op)->general)
			names[count++] = sw_collective_of(op)->general;
	return count;
}

static void expect_names(sw_diag *diag)
{
	sw_text names = {0};
	for (sw_op op = 0; op < SW_COLLECTIVES; op++)
		sw_text_addf(&names, "%s%s",
			op == 0                     ? "" :
				op + 1 < SW_COLLECTIVES ? ", " :
										  " or ",
			sw_collective_of(op)->name);
	sw_diag_expected(diag, "%s", sw_text_get(&names));
	sw_text_free(&names);
}

static bool call_refuse_name(call_reader *reader, sw_str name)
{
	const char *names[2 * SW_COLLECTIVES];
	int count = call_names(names);
	sw_diag *diag = reader->scan.diag;
	sw_quote quote = sw_scan_quote(name);
	int nearest = sw_str_nearest(name, names, count);
	if (name.length == 0)
		sw_diag_set(diag, SW_C01, sw_scan_next_span(&reader->scan), "no operation is named");
	else
		sw_diag_set(diag, SW_C01, reader->name, "%s is not an operation", quote.text);
	expect_names(diag);
	sw_diag_found(diag, "%s", name.length ? quote.text : "no word");
	if (nearest >= 0)
		sw_diag_hint(diag, "did you mean %s?", names[nearest]);
	else
		sw_diag_hint(diag, "for instance: allgather(0)");
	return false;
}

static bool call_read_name(call_reader *reader)
{
	sw_str name = sw_scan_word(&reader->scan, &reader->name);
	sw_op op = sw_op_named(name);
	if (op == SW_OP_COUNT)
		return call_refuse_name(reader, name);
	reader->row = sw_collective_of(op);
	reader->call.op = op;
	reader->at.op = reader->name;
	return true;
}

static bool call_read_rest(call_reader *reader)
{
	int next = sw_scan_peek(&reader->scan);
	if (!reader->row->read)
		return call_read_target(reader);
	if (next == '(')
		return call_read_arguments(reader) && sw_scan_finish(&reader->scan, "operation");
	if (next == '{' && reader->row->told == SW_TOLD_BY_PARTS)
		return call_read_general(reader) && sw_scan_finish(&reader->scan, "operation");
	if (next == '[' && reader->row->told == SW_TOLD_BY_FACTORS && (reader->row->gathers || reader->row->splits))
		return call_read_lists(reader) && sw_scan_finish(&reader->scan, "operation");
	return sw_scan_unexpected(&reader->scan, reader->row->usage, call_no_span);
}

static void call_sort(call_items *items)
{
	for (int i = 1; i < items->count; i++) {
		call_item item = items->at[i];
		int at = i;
		for (; at > 0 && items->at[at - 1].dim > item.dim; at--)
			items->at[at] = items->at[at - 1];
		items->at[at] = item;
	}
}

static void call_store_sums(call_reader *reader)
{
	sw_call *call = &reader->call;
	call->sums = reader->sums.count;
	for (int p = 0; p < call->sums; p++) {
		call->sum[p] = reader->part[reader->sums.first + p];
		reader->at.sum[p] = reader->part_at[reader->sums.first + p];
	}
}

/* Deals the parts behind the lists out to the entries, minor ones first. */
static bool call_store_order(call_reader *reader)
{
	sw_call *call = &reader->call;
	sw_part_list order = {0}, pushed = {0};
	if (!reader->order.count)
		return true;
	for (int p = 0; p < reader->order.count; p++)
		sw_part_list_append(&order, reader->part[reader->order.first + p]);
	for (int s = 0; s < call->splits; s++) {
		sw_part_list own = {0};
		if (reader->split.at[s].count || !sw_part_list_pop(&order, call->split[s].factor, &own))
			break;
		call->count[s] = own.count;
		for (int p = 0; p < own.count; p++, pushed.count++) {
			call->pushed[pushed.count] = own.at[p];
			reader->at.pushed[pushed.count] = reader->order.factor_at;
		}
	}
	if (!order.count && call->count[call->splits - 1])
		return true;
	sw_diag_set(reader->scan.diag, SW_C02, reader->order.factor_at,
		"the axes after the lists do not make their factors");
	sw_diag_expected(reader->scan.diag, "exactly the pushed axes, minor to major");
	sw_diag_hint(reader->scan.diag, "without them, the popped axes are pushed first, then the summed ones");
	return false;
}

/* Writes what was read into the call, entries by ascending dimension. */
static void call_store(call_reader *reader)
{
	sw_call *call = &reader->call;
	int pushed = 0;
	call_sort(&reader->gather);
	call_sort(&reader->split);
	for (int g = 0; g < reader->gather.count; g++) {
		const call_item *item = &reader->gather.at[g];
		SW_ROOM(call->gather, call->gathers);
		call->gather[call->gathers++] = (sw_entry){item->dim, item->factor};
		reader->at.gather_dim[g] = item->dim_at;
		reader->at.gather_factor[g] = item->factor_at;
	}
	for (int s = 0; s < reader->split.count; s++) {
		const call_item *item = &reader->split.at[s];
		SW_ROOM(call->split, call->splits);
		call->split[call->splits++] = (sw_entry){item->dim, item->factor};
		call->count[s] = item->count;
		reader->at.split_dim[s] = item->dim_at;
		reader->at.split_factor[s] = item->factor_at;
		for (int p = 0; p < item->count; p++, pushed++) {
			call->pushed[pushed] = reader->part[item->first + p];
			reader->at.pushed[pushed] = reader->part_at[item->first + p];
		}
	}
}

/* Either all split entries name their parts or none does. */
static bool call_refuse_half_named(call_reader *reader)
{
	for (int s = 1; s < reader->split.count; s++)
		if (!reader->split.at[s].count != !reader->split.at[0].count) {
			sw_diag_set(reader->scan.diag, SW_C02, reader->split.at[s].factor_at, "factors and axes cannot be mixed");
			sw_diag_also(reader->scan.diag, reader->split.at[0].factor_at, "the other way here");
			sw_diag_expected(reader->scan.diag, "factors in all entries, or axes in all");
			sw_diag_hint(reader->scan.diag, "name the axes of every entry");
			return true;
		}
	return false;
}

/* What the scanner refuses belongs to the operation's arguments. */
static bool call_explain(const call_reader *reader)
{
	sw_diag *diag = reader->scan.diag;
	if (diag && diag->code == SW_T01)
		diag->code = SW_C02;
	if (diag && diag->code == SW_C02 && !diag->hint[0])
		sw_diag_hint(diag, "usage: %s", reader->row->usage);
	return false;
}

bool sw_call_read(const sw_mesh *mesh, const sw_type *before, const sw_type *to, sw_str text, sw_call *call,
	sw_type *after, sw_diag *diag)
{
	call_reader reader = {.scan = {text, 0, SW_C02, diag}, .mesh = mesh, .before = before, .to = to};
	if (!call_read_name(&reader))
		return false;
	if (!call_read_rest(&reader))
		return reader.row->read ? call_explain(&reader) : false;
	if (call_refuse_half_named(&reader))
		return false;
	call_store(&reader);
	call_store_sums(&reader);
	if (!call_store_order(&reader))
		return call_explain(&reader);
	if (!sw_call_check(mesh, before, &reader.call, &reader.at, after, diag))
		return call_explain(&reader);
	*call = reader.call;
	call->target.dtype_given = call->target.dtype_given && !before->dtype_given;
	return true;
}
