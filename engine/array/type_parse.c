/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading tile types: as brackets, or, where more than that stands there, as distributions that are tile types.
 */
#include "array/type_parse.h"

#include "array/distribution_parse.h"

/* A bracket and nothing else, which is what most types are.  `reader->beyond` where it may be a distribution. */
static bool read_bracket_alone(sw_type_reader *reader, sw_type_positions *positions)
{
	sw_scan *scan = &reader->scan;
	size_t length;
	sw_scan_peek(scan);
	size_t begin = scan->at;
	if (!sw_type_open_quotes(scan, &length))
		return false;
	reader->beyond = sw_type_word(scan->text, scan->at, "over") < scan->text.length;
	if (reader->beyond || !sw_type_read_bracket(reader))
		return false;
	sw_span next = sw_scan_next_span(scan);
	reader->beyond = sw_scan_is_bare((sw_str){scan->text.at + next.begin, next.end - next.begin});
	if (reader->beyond || !sw_type_close_quotes(scan, length))
		return false;
	positions->dtype = reader->positions.dtype;
	for (int d = 0; d < reader->type.rank; d++)
		positions->global[d] = reader->positions.global[d];
	positions->whole = (sw_span){begin, begin + sw_str_trim(scan->text).length};
	return true;
}

bool sw_type_refuse_words(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, sw_span at,
	sw_diag *diag)
{
	sw_text text = {0};
	sw_type_print_any(mesh, type, words, false, &text);
	sw_diag_set(diag, SW_T17, at, "this is not a tile type, and only a tile type is allowed here");
	sw_diag_expected(diag, "a type with one tile on every device, all of one size, such as [3{x}12, 2{y}12]");
	sw_diag_found(diag, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return false;
}

static bool read_distribution(const sw_mesh *mesh, sw_str text, sw_type *type, sw_type_positions *positions,
	sw_diag *diag)
{
	sw_distribution distribution;
	sw_arena *arena = sw_arena_new();
	bool read = arena != NULL ? sw_distribution_read(mesh, text, NULL, arena, &distribution, positions, diag) :
								sw_diag_memory(diag);
	if (read && !distribution.tile)
		read = sw_type_refuse_words(mesh, &distribution.type, &distribution, positions->whole, diag);
	if (read)
		*type = distribution.type;
	sw_arena_free(arena);
	return read;
}

/* A tile type that is a bracket and no more.  `beyond`: it may be a distribution, and no error is set. */
static bool read_tile(const sw_mesh *mesh, sw_str text, bool pads, sw_type *type, sw_type_positions *positions,
	bool *beyond, sw_diag *diag)
{
	sw_type_reader reader;
	sw_type_reader_start(&reader, mesh, &(sw_scan){.text = text, .syntax = SW_T01, .diag = diag}, NULL);
	reader.pads = pads;
	bool read = read_bracket_alone(&reader, positions);
	if (read)
		*type = reader.type;
	*beyond = reader.beyond;
	return read;
}

bool sw_type_read(const sw_mesh *mesh, sw_str text, bool pads, sw_type *type, sw_type_positions *positions,
	sw_diag *diag)
{
	bool beyond;
	return read_tile(mesh, text, pads, type, positions, &beyond, diag) ||
		(beyond && read_distribution(mesh, text, type, positions, diag));
}

static bool begins_with_name(const sw_distribution_names *names, sw_str text)
{
	sw_scan scan = {.text = text};
	sw_span at;
	sw_str name = sw_scan_bare(&scan, &at);
	return name.length > 0 && names->named != NULL && names->named(names->of, name) != NULL;
}

static void shift_span(sw_span *span, size_t offset)
{
	span->begin += offset;
	span->end += offset;
}

static void shift_positions(sw_type_positions *positions, int rank, size_t offset)
{
	shift_span(&positions->whole, offset);
	shift_span(&positions->dtype, offset);
	for (int d = 0; d < rank; d++)
		shift_span(&positions->global[d], offset);
}

/* `(A union B)+` is no tile type, and is refused by those who read unions. */
static bool begins_with_parenthesis(sw_str text)
{
	text = sw_str_trim(text);
	return text.length > 0 && *text.at == '(';
}

static bool read_any(const sw_any_reader *r, sw_str text, sw_any_read *read)
{
	bool refers = begins_with_parenthesis(text) ||
		(r->names != NULL && (r->names->rule != NULL || begins_with_name(r->names, text)));
	bool beyond = true;
	read->words = NULL;
	if (r->arena == NULL)
		return sw_type_read(r->mesh, text, r->pads, &read->type, &read->at, r->diag);
	if (!refers && read_tile(r->mesh, text, r->pads, &read->type, &read->at, &beyond, r->diag))
		return true;
	if (!beyond)
		return false;
	sw_distribution *made = SW_NEW(r->arena, sw_distribution, 1);
	if (made == NULL)
		return sw_diag_memory(r->diag);
	if (!sw_distribution_read(r->mesh, text, r->names, r->arena, made, &read->at, r->diag))
		return false;
	read->type = made->type;
	read->words = made->tile ? NULL : made;
	return true;
}

bool sw_type_read_any(const sw_any_reader *reader, size_t begin, size_t end, sw_any_read *read)
{
	if (!read_any(reader, (sw_str){reader->text.at + begin, end - begin}, read)) {
		sw_diag_shift(reader->diag, begin);
		return false;
	}
	shift_positions(&read->at, read->type.rank, begin);
	return true;
}

bool sw_type_parse_any(const sw_mesh *mesh, sw_str text, const sw_distribution_names *names, sw_arena *arena,
	sw_type *type, const sw_distribution **words, sw_diag *diag)
{
	const sw_any_reader reader = {mesh, text, names != NULL && names->pads, names, arena, diag};
	sw_any_read read;
	if (!sw_type_read_any(&reader, 0, text.length, &read))
		return false;
	*type = read.type;
	*words = read.words;
	return true;
}

bool sw_type_parse(const sw_mesh *mesh, sw_str text, sw_type *type, sw_diag *diag)
{
	return sw_type_parse_as(mesh, text, false, type, diag);
}

bool sw_type_parse_as(const sw_mesh *mesh, sw_str text, bool pads, sw_type *type, sw_diag *diag)
{
	sw_type_positions positions;
	return sw_type_read(mesh, text, pads, type, &positions, diag);
}
