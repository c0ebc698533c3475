/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the brackets of distributed types.
 *
 *     type      = [ name ] "[" [ dimension { "," dimension } ] "]" [ "+" | "+{" [ part { "," part } ] "}" ]
 *     dimension = size | [ size | pieces ] "{" [ entry { "," entry } ] "}" size
 *     entry     = part [ "@" coordinate ] | ".." [ number ]
 *     part      = name [ ":" "(" pre ")" size | ":" size ]
 *
 * Pieces, `..` and `@` are those of distributions (cut_parse.c), as are words behind the bracket (distribution_parse.c): a tile
 * type that is written with them is read there, and is one.
 */
#include "array/bracket_parse.h"

#include <string.h>

#include <inttypes.h>
#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "array/packed.h"
#include "array/parts.h"
#include "base/scan.h"
#include "base/room.h"

static const sw_span type_nowhere = {0, 0};
static const sw_size_words type_size_words = {"size", SW_T05, SW_L12, INT64_MAX};
static const sw_size_words type_part_words = {"part size", SW_T08, SW_L12, SW_MAX_DEVICES};

/* The nearest axis, or else the axes there are. */
static void type_hint_axes(const sw_mesh *mesh, sw_str name, sw_diag *diag)
{
	sw_text names = {0};
	int nearest = sw_mesh_nearest(mesh, name);
	int begin = nearest < 0 ? 0 : nearest;
	int end = nearest < 0 ? mesh->count : nearest + 1;
	int shown = end - begin > 8 ? begin + 8 : end;
	for (int i = begin; i < shown; i++) {
		sw_text_add(&names, i > begin ? ", " : "");
		sw_mesh_print_name(mesh->axis[i].name, &names);
	}
	if (shown < end)
		sw_text_addf(&names, " and %d more", end - shown);
	if (nearest >= 0)
		sw_diag_hint(diag, "did you mean %s?", sw_text_get(&names));
	else
		sw_diag_hint(diag, "the mesh has the ax%s %s", mesh->count == 1 ? "is" : "es", sw_text_get(&names));
	sw_text_free(&names);
}

static bool type_refuse_axis(const sw_type_reader *reader, sw_str name, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_quote quote = sw_scan_quote(name);
	sw_diag_set(diag, SW_T02, at, "the mesh has no axis %s", quote.text);
	sw_diag_expected(diag, "an axis of the mesh");
	sw_diag_found(diag, "%s", quote.text);
	type_hint_axes(reader->mesh, name, diag);
	if (diag && reader->sums)
		diag->rule = SW_RULE_SUM;
	return false;
}

/* `c:2` as some papers write it: axis c, whose size is said once more. */
static bool type_read_said_size(sw_type_reader *reader, const sw_axis *axis, sw_span open)
{
	int64_t size;
	sw_span at;
	if (!sw_scan_size(&reader->scan, type_size_words, open, &size, &at))
		return false;
	if (size == axis->size)
		return true;
	sw_quote quote = sw_scan_quote(sw_str_of(axis->name));
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_M03, at, "axis %s has a different size in the mesh", quote.text);
	sw_diag_expected(diag, "%" PRId64, axis->size);
	sw_diag_found(diag, "%" PRId64, size);
	if (axis->size % size == 0)
		sw_diag_hint(diag, "write the axis alone, or a part of it: %s:(1)%" PRId64, quote.text, size);
	else
		sw_diag_hint(diag, "write the axis alone");
	return false;
}

/* `(pre)size` after the colon. */
static bool type_read_pre_size(sw_type_reader *reader, sw_part *part, sw_span open)
{
	sw_scan *scan = &reader->scan;
	sw_span at, paren = sw_scan_next_span(scan);
	return sw_scan_expect(scan, '(', "'(' and the pre-size of a part", open) &&
		sw_scan_size(scan, type_part_words, paren, &part->pre, &at) &&
		sw_scan_expect(scan, ')', "')' after the pre-size", paren) &&
		sw_scan_size(scan, type_part_words, open, &part->size, &at);
}

static bool type_read_extent(sw_type_reader *reader, sw_part *part, sw_span open)
{
	if (!sw_scan_take(&reader->scan, ':'))
		return true;
	if (sw_scan_peek(&reader->scan) == '(')
		return type_read_pre_size(reader, part, open);
	return type_read_said_size(reader, &reader->mesh->axis[part->axis], open);
}

/* A part in the braces that `open` began, behind those that were read before. */
static bool type_read_part(sw_type_reader *reader, sw_span open)
{
	sw_scan *scan = &reader->scan;
	sw_str name;
	sw_span at;
	if (reader->parts == SW_MAX_PARTS)
		return sw_type_refuse_parts(reader);
	if (!sw_scan_name(scan, "an axis of the mesh", open, &name, &at))
		return false;
	int axis = sw_mesh_find(reader->mesh, name);
	if (axis < 0)
		return type_refuse_axis(reader, name, at);
	sw_part part = {axis, 1, reader->mesh->axis[axis].size};
	if (!type_read_extent(reader, &part, open))
		return false;
	at.end = scan->at;
	if (!sw_part_check(reader->mesh, part, at, scan->diag))
		return false;
	int clash = sw_parts_clash(reader->part, reader->parts, part);
	if (clash >= 0)
		return (reader->sums ? sw_parts_refuse_sum : sw_parts_refuse)(reader->mesh, reader->part[clash],
			reader->part_at[clash], part, at, scan->diag);
	SW_ROOM(reader->part_at, reader->parts);
	reader->part[reader->parts] = part;
	reader->first[reader->parts] = 0;
	reader->part_at[reader->parts++] = at;
	return true;
}

/* A part, or rounds. */
static bool type_read_entry(sw_type_reader *reader, sw_type_dimension *dimension)
{
	if (sw_scan_peek(&reader->scan) == '.')
		return sw_type_read_rounds(reader, dimension);
	if (!type_read_part(reader, dimension->open))
		return false;
	sw_type_count_tiles(dimension, reader->part[reader->parts - 1].size);
	return sw_type_read_first(reader, dimension);
}

static bool type_read_braces(sw_type_reader *reader, sw_type_dimension *dimension)
{
	sw_scan *scan = &reader->scan;
	dimension->has_braces = true;
	dimension->open = sw_scan_next_span(scan);
	sw_scan_take(scan, '{');
	bool more = !sw_scan_take(scan, '}');
	while (more)
		if (!type_read_entry(reader, dimension) ||
			!sw_scan_list(scan, '}', "',' or '}' after an axis", dimension->open, &more))
			return false;
	dimension->braces = (sw_span){dimension->open.begin, scan->at};
	return true;
}

/* Adds " * 4" for each part of the dimension. */
static void type_add_product(const sw_type_reader *reader, const sw_type_dimension *dimension, sw_text *text)
{
	for (int p = dimension->first_part; p < reader->parts; p++)
		sw_text_addf(text, " * %" PRId64, reader->part[p].size);
}

/* What to write for tile * parts, and what systems do with a size that does not divide. */
static void type_hint_uneven(const sw_type_reader *reader, const sw_type_dimension *dimension, const char *inner,
	int64_t right)
{
	sw_text write = {0};
	int first = dimension->first_part;
	sw_text_addf(&write, "write %" PRId64 "%s%" PRId64 "; ", dimension->tile, inner, right);
	sw_uneven_hint(reader->scan.diag, sw_text_get(&write), dimension->global, reader->part + first,
		reader->parts - first);
	sw_text_free(&write);
}

/* The tile was written, and tile * parts is not the global size. */
static bool type_refuse_product(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;
	sw_text product = {0}, braces = {0};
	type_add_product(reader, dimension, &product);
	sw_type_add_braces(reader, dimension, &braces);
	const char *inner = sw_text_get(&braces);
	int64_t tile = dimension->tile, tiles = dimension->tiles, global = dimension->global, right = 0;
	bool fits = sw_mul(tile, tiles, &right);
	sw_diag_set(diag, SW_T04, dimension->tile_at, "tile and axes do not multiply to the global size");
	sw_diag_also(diag, dimension->global_at, "the global size");
	if (fits)
		sw_diag_expected(diag, "%" PRId64 "%s = %" PRId64, tile, sw_text_get(&product), right);
	else
		sw_diag_expected(diag, "%" PRId64 "%s, below 2^63", tile, sw_text_get(&product));
	sw_diag_found(diag, "%" PRId64, global);
	if (dimension->rounds && fits)
		sw_diag_hint(diag, "write %" PRId64 "%s%" PRId64 ", or end the braces with `..`", tile, inner, right);
	else if (tiles == 1)
		sw_diag_hint(diag, "write %" PRId64 "%s%" PRId64 " or %" PRId64 "%s%" PRId64, tile, inner, tile, global,
			inner, global);
	else if (global % tiles == 0)
		sw_diag_hint(diag, "write %" PRId64 "%s%" PRId64 ", or leave the tile out: %s%" PRId64, global / tiles, inner,
			global, inner, global);
	else if (fits)
		type_hint_uneven(reader, dimension, inner, right);
	else
		sw_diag_hint(diag, "leave the tile out; the size must be divisible by %" PRId64, tiles);
	sw_text_free(&product);
	sw_text_free(&braces);
	return false;
}

/* No tile was written, and the global size does not split evenly. */
static bool type_refuse_split(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;
	sw_text braces = {0};
	sw_type_add_braces(reader, dimension, &braces);
	const char *inner = sw_text_get(&braces);
	int64_t below = dimension->global - dimension->global % dimension->tiles;
	int64_t above;
	sw_diag_set(diag, SW_T04, dimension->global_at, "the size does not split evenly over the axes");
	sw_diag_also(diag, dimension->braces, "these make %" PRId64 " tiles", dimension->tiles);
	bool fits = sw_add(below, dimension->tiles, &above);
	if (below && fits)
		sw_diag_expected(diag, "a size divisible by %" PRId64 ", such as %s%" PRId64 " or %s%" PRId64,
			dimension->tiles, inner, below, inner, above);
	else
		sw_diag_expected(diag, "a size divisible by %" PRId64 ", such as %s%" PRId64, dimension->tiles, inner,
			below ? below : above);
	sw_diag_found(diag, "%" PRId64, dimension->global);
	int first = dimension->first_part;
	sw_uneven_hint(diag, "", dimension->global, reader->part + first, reader->parts - first);
	sw_text_free(&braces);
	return false;
}

/* Nothing follows the braces. */
static bool type_refuse_no_global(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;
	sw_text braces = {0};
	int64_t global;
	sw_type_add_braces(reader, dimension, &braces);
	sw_scan_unexpected(&reader->scan, "the global size after '}'", type_nowhere);
	sw_diag_also(diag, dimension->braces, "the axes of the dimension");
	if (dimension->has_tile && sw_mul(dimension->tile, dimension->tiles, &global))
		sw_diag_hint(diag, "write %" PRId64 "%s%" PRId64, dimension->tile, sw_text_get(&braces), global);
	else
		sw_diag_hint(diag, "write the size of the whole dimension after the braces");
	sw_text_free(&braces);
	return false;
}

static bool type_refuse_elements(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_T10, dimension->global_at, "the array has more elements than 64 bits count");
	sw_diag_expected(diag, "fewer than 2^63 elements in the whole array");
	sw_diag_found(diag, "%" PRId64 " * %" PRId64, reader->elements, dimension->global);
	sw_diag_hint(diag, "make this or another dimension smaller");
	return false;
}

/* Is there a rule for sizes that do not divide?  Reading a tile type one looks for it behind the bracket. */
static bool type_is_ruled(sw_type_reader *reader)
{
	sw_str text = reader->scan.text;
	reader->beyond = reader->arena == NULL && sw_type_word(text, reader->scan.at, "by") < text.length;
	return reader->beyond || reader->rule != SW_UNEVEN_RULE_COUNT;
}

/* A dimension that only a distribution has: whole in the type, and cut beside it. */
static bool type_store_cut(sw_type_reader *reader, sw_type_dimension *dimension)
{
	int d = reader->type.rank;
	bool divides = dimension->global % dimension->tiles == 0;
	int64_t tile = dimension->has_tile ? dimension->tile : divides ? dimension->global / dimension->tiles : 0;
	bool blocks = dimension->pieces == 0 && tile > 0;
	reader->beyond |= reader->arena == NULL;
	if (reader->beyond || !sw_type_check_cut(reader, dimension))
		return false;
	if (blocks && !sw_type_rounds_fit(reader, dimension, tile))
		return type_refuse_product(reader, dimension);
	if (!blocks && dimension->pieces == 0 && !type_is_ruled(reader))
		return type_refuse_split(reader, dimension);
	if (!sw_mul(reader->elements, dimension->global, &reader->elements))
		return type_refuse_elements(reader, dimension);
	reader->type.rank++;
	reader->uneven |= !blocks && dimension->pieces == 0;
	sw_packed_add(&reader->type, d, NULL, 0);
	reader->type.tile[d] = reader->type.global[d] = dimension->global;
	reader->type.padding *= dimension->global;
	reader->positions.global[d] = dimension->global_at;
	return sw_type_keep_cut(reader, dimension, d, blocks ? tile : 0);
}

/* Checks a dimension that was read and puts it into the type. */
static bool type_store_dimension(sw_type_reader *reader, sw_type_dimension *dimension)
{
	sw_type *type = &reader->type;
	sw_part merged[SW_MAX_PARTS];
	int64_t product, global = dimension->global;
	bool padded = !reader->pads || sw_uneven_pad(global, dimension->tiles, &global);
	reader->open_sizes |= !dimension->has_tile && dimension->pieces == 0;
	if (dimension->pieces > 0 || dimension->rounds)
		return type_store_cut(reader, dimension);
	if (dimension->has_tile && (!padded || !sw_mul(dimension->tile, dimension->tiles, &product) || product != global))
		return type_refuse_product(reader, dimension);
	if (!padded || global % dimension->tiles != 0)
		return type_is_ruled(reader) ? type_store_cut(reader, dimension) : type_refuse_split(reader, dimension);
	if (!sw_mul(reader->elements, global, &reader->elements))
		return type_refuse_elements(reader, dimension);
	int d = type->rank++;
	int length = 0;
	for (int p = dimension->first_part; p < reader->parts; p++)
		length = sw_parts_push(merged, 0, length, reader->part[p]);
	sw_packed_add(type, d, merged, length);
	type->global[d] = global;
	type->padding = type->padding * global + global - dimension->global;
	type->tile[d] = global / dimension->tiles;
	reader->positions.global[d] = dimension->global_at;
	return sw_type_keep_cut(reader, dimension, d, type->tile[d]);
}

static bool type_refuse_rank(sw_type_reader *reader)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_T06, sw_scan_next_span(&reader->scan), "the type has more than %d dimensions", SW_MAX_DIMS);
	sw_diag_expected(diag, "at most %d dimensions", SW_MAX_DIMS);
	sw_diag_found(diag, "dimension number %d", SW_MAX_DIMS + 1);
	sw_diag_hint(diag, "join neighbouring dimensions that are not partitioned");
	return false;
}

/* Member by member: to clear the whole takes a tenth of what it takes to read a type. */
static void type_start_dimension(const sw_type_reader *reader, sw_type_dimension *dimension)
{
	dimension->has_tile = dimension->has_braces = dimension->rounds = false;
	dimension->tile = dimension->global = 0;
	dimension->tiles = 1;
	dimension->first_part = reader->parts;
	dimension->pieces = 0;
	dimension->piece = NULL;
	dimension->open = dimension->braces = dimension->tile_at = dimension->global_at = type_nowhere;
}

static bool type_read_dimension(sw_type_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_type_dimension dimension;
	type_start_dimension(reader, &dimension);
	if (reader->type.rank == SW_MAX_DIMS)
		return type_refuse_rank(reader);
	if (sw_type_at_pieces(reader)) {
		if (!sw_type_read_pieces(reader, &dimension))
			return false;
	} else if (sw_scan_peek(scan) != '{') {
		if (!sw_scan_size(scan, type_size_words, reader->open, &dimension.tile, &dimension.tile_at))
			return false;
		dimension.has_tile = true;
	}
	if (dimension.has_tile && sw_scan_peek(scan) != '{') {
		dimension.global = dimension.tile;
		dimension.global_at = dimension.tile_at;
		return type_store_dimension(reader, &dimension);
	}
	if (sw_scan_peek(scan) != '{')
		return sw_scan_unexpected(scan, "'{' and the axes whose devices have the pieces", reader->open);
	if (!type_read_braces(reader, &dimension))
		return false;
	int next = sw_scan_peek(scan);
	if (next == ',' || next == ']')
		return type_refuse_no_global(reader, &dimension);
	return sw_scan_size(scan, type_size_words, reader->open, &dimension.global, &dimension.global_at) &&
		type_store_dimension(reader, &dimension);
}

/* The element type in front of the bracket, where one stands there. */
static bool type_read_dtype(sw_type_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	sw_str name = sw_scan_word(scan, &at);
	reader->type.dtype = SW_F32;
	reader->type.dtype_given = name.length > 0;
	reader->positions.dtype = at;
	if (name.length == 0 || sw_dtype_parse(name, &reader->type.dtype, scan->diag))
		return true;
	sw_diag_shift(scan->diag, at.begin);
	return false;
}

/* How many bytes at the scanner are a layout `{1,0}` or `{1,0:T(8,128)}`, each dimension once; 0: it is none. */
static size_t layout_length(const sw_type_reader *reader)
{
	const sw_scan *scan = &reader->scan;
	uint32_t seen = 0;
	size_t at = scan->at;
	char before = '{';
	if (at >= scan->text.length || scan->text.at[at] != '{')
		return 0;
	while (++at < scan->text.length && (before == '{' || before == ',')) {
		int dim = 0;
		for (; at < scan->text.length && scan->text.at[at] >= '0' && scan->text.at[at] <= '9' && dim < SW_MAX_DIMS;
			 at++)
			dim = dim * 10 + scan->text.at[at] - '0';
		before = at < scan->text.length ? scan->text.at[at] : '\0';
		if (dim >= reader->type.rank || seen >> dim & 1)
			return 0;
		seen |= (uint32_t)1 << dim;
	}
	const char *end = before == '}' ? scan->text.at + at - 1 :
		before == ':'               ? memchr(scan->text.at + at, '}', scan->text.length - at) :
									  NULL;
	bool whole = seen + 1 == (uint32_t)1 << reader->type.rank && reader->type.rank > 0;
	return end && whole ? (size_t)(end + 1 - (scan->text.at + scan->at)) : 0;
}

/* `+{x,y}`, the brace at the scanner. */
static bool type_read_sum_axes(sw_type_reader *reader)
{
	sw_scan *scan = &reader->scan;
	int first = reader->parts;
	sw_span open = sw_scan_next_span(scan);
	sw_scan_take(scan, '{');
	reader->sums = true;
	bool more = !sw_scan_take(scan, '}');
	while (more)
		if (!type_read_part(reader, open) || !sw_scan_list(scan, '}', "',' or '}' after an axis", open, &more))
			return false;
	int count = sw_parts_order_sums(reader->part + first, reader->parts - first);
	sw_packed_add(&reader->type, reader->type.rank, reader->part + first, count);
	return true;
}

bool sw_type_read_sums(sw_type_reader *reader)
{
	sw_scan *scan = &reader->scan;
	if (sw_scan_peek(scan) != '+')
		return true;
	size_t plus = scan->at++;
	reader->each = scan->at >= scan->text.length || scan->text.at[scan->at] != '{';
	reader->beyond = reader->each && reader->arena == NULL;
	if (reader->beyond || (!reader->each && !type_read_sum_axes(reader)))
		return false;
	reader->sums_at = (sw_span){plus, scan->at};
	if (reader->each ? sw_sums_check(reader->type.dtype, scan->diag) : sw_type_check_sums(&reader->type, scan->diag))
		return true;
	if (scan->diag)
		scan->diag->at = reader->sums_at;
	sw_diag_also(scan->diag, reader->positions.dtype, "the element type");
	return false;
}

bool sw_type_read_bracket(sw_type_reader *reader)
{
	sw_scan *scan = &reader->scan;
	if (!type_read_dtype(reader))
		return false;
	reader->open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "a type such as f32[3{x}12, 2{y}12]", type_nowhere))
		return false;
	bool more = !sw_scan_take(scan, ']');
	while (more)
		if (!type_read_dimension(reader) ||
			!sw_scan_list(scan, ']', "',' or ']' after a dimension", reader->open, &more))
			return false;
	size_t layout = layout_length(reader);
	scan->at += layout;
	if (!sw_type_read_sums(reader))
		return false;
	scan->at += layout ? 0 : layout_length(reader);
	return true;
}

bool sw_type_open_quotes(sw_scan *scan, size_t *length)
{
	int next = sw_scan_peek(scan);
	size_t open = scan->at;
	*length = scan->text.length;
	if (next != '"' && next != '\'')
		return true;
	size_t end = *length - 1;
	while (scan->text.at[end] != scan->text.at[open])
		end--;
	if (end == open) {
		scan->at = *length;
		return sw_scan_unexpected(scan, "the closing quote", (sw_span){open, open + 1});
	}
	scan->at = open + 1;
	scan->text.length = end;
	return true;
}

bool sw_type_close_quotes(sw_scan *scan, size_t length)
{
	bool quoted = scan->text.length < length;
	if (!sw_scan_finish(scan, "type"))
		return false;
	scan->at = quoted ? scan->text.length + 1 : length;
	scan->text.length = length;
	return sw_scan_finish(scan, "type");
}

void sw_type_reader_start(sw_type_reader *reader, const sw_mesh *mesh, const sw_scan *scan, sw_arena *arena)
{
	reader->scan = *scan;
	reader->mesh = mesh;
	reader->arena = arena;
	reader->pads = reader->beyond = reader->open_sizes = reader->uneven = reader->sums = reader->each = false;
	reader->rule = SW_UNEVEN_RULE_COUNT;
	reader->elements = 1;
	reader->parts = 0;
	memset(&reader->type, 0, sizeof(reader->type)); /* whole: states of sessions are compared as bytes */
}
