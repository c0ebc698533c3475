/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what only distributions have in a bracket: rounds, first devices, stated pieces.
 */
#include "array/bracket_parse.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

static const sw_span nowhere = {0, 0};

void sw_type_add_braces(const sw_type_reader *reader, const sw_type_dimension *dimension, sw_text *text)
{
	sw_text_add_char(text, '{');
	for (int p = dimension->first_part; p < reader->parts; p++) {
		sw_text_add(text, p > dimension->first_part ? "," : "");
		sw_cut_entry_print(reader->mesh, &(sw_cut_entry){reader->part[p], reader->first[p]}, text);
	}
	sw_text_add_char(text, '}');
	if (text->length <= 60)
		return;
	sw_text_clear(text);
	sw_text_add(text, "{...}");
}

/* A number of the language whose range is told in T13. */
static bool read_number(sw_type_reader *reader, const char *what, int64_t low, int64_t high, int64_t *number)
{
	sw_code before = reader->scan.syntax;

	reader->scan.syntax = SW_T13;
	bool read = sw_scan_number(&reader->scan, what, low, high, number);
	reader->scan.syntax = before;
	return read;
}

/* ---- rounds ---- */

bool sw_type_refuse_parts(sw_type_reader *reader)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_T13, sw_scan_next_span(&reader->scan),
		"the braces of the type hold too many parts and rounds");
	sw_diag_expected(diag, "at most %d", SW_MAX_PARTS);
	sw_diag_found(diag, "one more");
	return false;
}

static bool take_rounds(sw_type_reader *reader, sw_type_dimension *dimension, int64_t rounds, sw_span at)
{
	if (reader->parts == SW_MAX_PARTS)
		return sw_type_refuse_parts(reader);
	dimension->rounds = true;
	reader->part[reader->parts] = (sw_part){.axis = SW_ROUNDS, .size = rounds};
	reader->first[reader->parts] = 0;
	reader->part_at[reader->parts++] = at;
	if (rounds > 0)
		sw_type_count_tiles(dimension, rounds);
	return true;
}

bool sw_type_read_rounds(sw_type_reader *reader, sw_type_dimension *dimension)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan);
	sw_str word = {scan->text.at + at.begin, at.end - at.begin};
	int64_t rounds = 0;

	reader->beyond = reader->arena == NULL;
	if (reader->beyond)
		return false;
	if (!sw_str_starts(word, ".."))
		return sw_scan_unexpected(scan, "an axis of the mesh, `..`, or `..3` for three rounds", dimension->open);
	scan->at = at.begin + 2;
	if (word.length > 2 && !read_number(reader, "number of rounds", 1, INT64_MAX, &rounds))
		return false;
	return take_rounds(reader, dimension, rounds, at);
}

static bool refuse_first_of_part(sw_type_reader *reader)
{
	sw_diag *diag = reader->scan.diag;
	const sw_part *part = &reader->part[reader->parts - 1];

	sw_diag_set(diag, SW_T13, sw_scan_next_span(&reader->scan), "`@` cannot follow a part of an axis");
	sw_diag_expected(diag, "a whole axis before it, such as %s@1", reader->mesh->axis[part->axis].name);
	sw_diag_found(diag, "a part of size %" PRId64, part->size);
	return false;
}

bool sw_type_read_first(sw_type_reader *reader, sw_type_dimension *dimension)
{
	const sw_part *part = &reader->part[reader->parts - 1];

	if (sw_scan_peek(&reader->scan) != '@')
		return true;
	reader->beyond = reader->arena == NULL;
	if (reader->beyond)
		return false;
	if (part->pre != 1 || part->size != reader->mesh->axis[part->axis].size)
		return refuse_first_of_part(reader);
	reader->scan.at++;
	dimension->rounds = true;
	return read_number(reader, "first coordinate", 0, part->size - 1, &reader->first[reader->parts - 1]);
}

/* ---- pieces ---- */

bool sw_type_at_pieces(sw_type_reader *reader)
{
	sw_scan *scan = &reader->scan;
	int next = sw_scan_peek(scan);
	size_t at = scan->at;

	while (at < scan->text.length && scan->text.at[at] >= '0' && scan->text.at[at] <= '9')
		at++;
	return next >= 0 && at > scan->at && at < scan->text.length && scan->text.at[at] == '+';
}

/* The number up to the next `+` or the end of the word. */
static bool read_piece(sw_type_reader *reader, size_t end, int64_t *piece)
{
	sw_scan *scan = &reader->scan, inside = *scan;
	const char *plus = memchr(scan->text.at + scan->at, '+', end - scan->at);

	inside.text.length = plus != NULL ? (size_t)(plus - scan->text.at) : end;
	inside.syntax = SW_T14;
	if (inside.at == inside.text.length)
		return sw_scan_unexpected(scan, "a whole number, the next piece", nowhere);
	if (!sw_scan_number(&inside, "piece", 0, INT64_MAX, piece))
		return false;
	scan->at = inside.at + (plus != NULL);
	return true;
}

bool sw_type_read_pieces(sw_type_reader *reader, sw_type_dimension *dimension)
{
	sw_scan *scan = &reader->scan;
	int room = 0;
	bool more = true;

	reader->beyond = reader->arena == NULL;
	if (reader->beyond)
		return false;
	dimension->tile_at = sw_scan_next_span(scan);
	while (more) {
		if (!SW_GROW(reader->arena, dimension->piece, dimension->pieces, room, 16))
			return sw_diag_memory(scan->diag);
		if (!read_piece(reader, dimension->tile_at.end, &dimension->piece[dimension->pieces++]))
			return false;
		more = scan->at < dimension->tile_at.end || scan->text.at[scan->at - 1] == '+';
	}
	return true;
}

/* ---- checks ---- */

static bool refuse_no_block(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;
	sw_text braces = {0};

	sw_type_add_braces(reader, dimension, &braces);
	sw_diag_set(diag, SW_T13, dimension->braces, "rounds need the size of a block");
	sw_diag_expected(diag, "the size of a block before the brace");
	sw_diag_found(diag, "%s", sw_text_get(&braces));
	sw_diag_hint(diag, "write 1%s%" PRId64 " for single elements", sw_text_get(&braces), dimension->global);
	sw_text_free(&braces);
	return false;
}

/* Two `..`: nobody knows how often each goes on. */
static bool refuse_two_open(sw_type_reader *reader, int first, int second)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_T13, reader->part_at[first], "two `..` are without a number of rounds");
	sw_diag_also(diag, reader->part_at[second], "the other one");
	sw_diag_expected(diag, "a number after one of them, such as ..3");
	sw_diag_found(diag, "`..` twice");
	return false;
}

/* `..` before something else, and the size is no number of its rounds. */
static bool refuse_open(sw_type_reader *reader, const sw_type_dimension *dimension, int p, int64_t round)
{
	sw_diag *diag = reader->scan.diag;
	int64_t less = dimension->global / round * round, more;

	sw_diag_set(diag, SW_T13, reader->part_at[p],
		"in front of %s `..` makes whole rounds, and %" PRId64 " elements are none",
		sw_is_rounds(reader->part[p + 1]) ? "other rounds" : "an axis", dimension->global);
	sw_diag_also(diag, dimension->global_at, "the size");
	if (less > 0 && sw_add(less, round, &more))
		sw_diag_expected(diag, "a multiple of %" PRId64 ", such as %" PRId64 " or %" PRId64, round, less, more);
	else
		sw_diag_expected(diag, "a multiple of %" PRId64, round);
	sw_diag_found(diag, "%" PRId64, dimension->global);
	sw_diag_hint(diag, "`..` at the end of the braces fits any size");
	return false;
}

/* `..` in front of something else is as many rounds as the size has. */
static bool count_rounds(sw_type_reader *reader, sw_type_dimension *dimension, int p)
{
	int64_t round;

	if (!sw_mul(dimension->tile, dimension->tiles, &round))
		round = INT64_MAX;
	if (round == 0 || dimension->global % round != 0 || dimension->global == 0)
		return refuse_open(reader, dimension, p, round > 0 ? round : dimension->tiles);
	reader->part[p].size = dimension->global / round;
	sw_type_count_tiles(dimension, reader->part[p].size);
	return true;
}

static bool check_open(sw_type_reader *reader, sw_type_dimension *dimension)
{
	int open = -1;

	for (int p = dimension->first_part; p < reader->parts; p++) {
		if (!sw_is_rounds(reader->part[p]) || reader->part[p].size > 0)
			continue;
		if (open >= 0)
			return refuse_two_open(reader, open, p);
		open = p;
	}
	return open < 0 || open + 1 == reader->parts || count_rounds(reader, dimension, open);
}

static bool is_open(const sw_type_reader *reader, const sw_type_dimension *dimension)
{
	const sw_part *last = &reader->part[reader->parts - 1];

	return reader->parts > dimension->first_part && sw_is_rounds(*last) && last->size == 0;
}

static bool has_rounds(const sw_type_reader *reader, const sw_type_dimension *dimension)
{
	for (int p = dimension->first_part; p < reader->parts; p++)
		if (sw_is_rounds(reader->part[p]))
			return true;
	return false;
}

static bool refuse_rounds_of_pieces(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_T14, dimension->braces, "stated pieces have no rounds");
	sw_diag_also(diag, dimension->tile_at, "the pieces, one for each device");
	sw_diag_expected(diag, "axes alone");
	sw_diag_found(diag, "rounds among them");
	return false;
}

static bool refuse_number_of_pieces(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_T14, dimension->tile_at, "there are %d pieces for %" PRId64 " devices", dimension->pieces,
		dimension->tiles);
	sw_diag_also(diag, dimension->braces, "the devices that have one each");
	sw_diag_expected(diag, "%" PRId64 " pieces", dimension->tiles);
	sw_diag_found(diag, "%d", dimension->pieces);
	sw_diag_hint(diag, "a device that holds nothing has a piece of 0");
	return false;
}

static bool refuse_sum_of_pieces(sw_type_reader *reader, const sw_type_dimension *dimension, int64_t sum)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_T14, dimension->tile_at, "the pieces do not add up to the size");
	sw_diag_also(diag, dimension->global_at, "the size");
	sw_diag_expected(diag, "%" PRId64, dimension->global);
	sw_diag_found(diag, "%" PRId64, sum);
	return false;
}

static bool check_pieces(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	int64_t sum = 0;

	if (has_rounds(reader, dimension))
		return refuse_rounds_of_pieces(reader, dimension);
	if (dimension->pieces != dimension->tiles)
		return refuse_number_of_pieces(reader, dimension);
	for (int i = 0; i < dimension->pieces; i++)
		if (!sw_add(sum, dimension->piece[i], &sum))
			sum = INT64_MAX;
	return sum == dimension->global || refuse_sum_of_pieces(reader, dimension, sum);
}

bool sw_type_check_cut(sw_type_reader *reader, sw_type_dimension *dimension)
{
	if (dimension->pieces > 0)
		return check_pieces(reader, dimension);
	if (!has_rounds(reader, dimension))
		return true;
	if (!dimension->has_tile)
		return refuse_no_block(reader, dimension);
	return check_open(reader, dimension);
}

bool sw_type_rounds_fit(const sw_type_reader *reader, const sw_type_dimension *dimension, int64_t tile)
{
	int64_t product;

	return is_open(reader, dimension) || (sw_mul(tile, dimension->tiles, &product) && product == dimension->global);
}

/* ---- kept ---- */

static bool keep_entries(sw_type_reader *reader, const sw_type_dimension *dimension, sw_cut *cut)
{
	int count = reader->parts - dimension->first_part;
	sw_cut_entry *entry = SW_NEW(reader->arena, sw_cut_entry, count);

	for (int i = 0; entry != NULL && i < count; i++)
		entry[i] = (sw_cut_entry){reader->part[dimension->first_part + i], reader->first[dimension->first_part + i]};
	cut->entries = count;
	cut->entry = entry;
	return entry != NULL;
}

static bool keep_pieces(sw_type_reader *reader, const sw_type_dimension *dimension, sw_cut *cut)
{
	int64_t *begin = SW_NEW(reader->arena, int64_t, dimension->pieces + 1);

	if (begin == NULL)
		return false;
	begin[0] = 0;
	for (int i = 0; i < dimension->pieces; i++)
		begin[i + 1] = begin[i] + dimension->piece[i];
	cut->begin = begin;
	return true;
}

static bool keep_rule(sw_type_reader *reader, const sw_type_dimension *dimension, sw_cut *cut)
{
	sw_uneven *uneven = SW_NEW(reader->arena, sw_uneven, 1);
	int64_t share[SW_MAX_PARTS];
	int count = reader->parts - dimension->first_part;

	for (int i = 0; i < count; i++)
		share[i] = reader->part[reader->parts - 1 - i].size;
	cut->rule = reader->rule;
	cut->uneven = uneven;
	return uneven != NULL && sw_uneven_start(dimension->global, share, count, uneven, reader->scan.diag);
}

static bool refuse_families(sw_type_reader *reader, const sw_type_dimension *dimension)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_T13, dimension->braces, "there are too many nested rounds");
	sw_diag_expected(diag, "at most %d, but for the longest", SW_MOST_ROUNDS);
	sw_diag_found(diag, "more");
	return false;
}

bool sw_type_keep_cut(sw_type_reader *reader, const sw_type_dimension *dimension, int d, int64_t tile)
{
	sw_cut *cut = &reader->cut[d];

	if (reader->arena == NULL)
		return true;
	*cut = (sw_cut){.size = dimension->global, .tile = tile};
	bool kept = keep_entries(reader, dimension, cut) &&
		(dimension->pieces == 0 || keep_pieces(reader, dimension, cut)) &&
		(dimension->pieces > 0 || tile > 0 || keep_rule(reader, dimension, cut)) &&
		sw_cut_count(reader->mesh, cut, reader->arena);
	if (!kept)
		return sw_diag_memory(reader->scan.diag);
	return sw_cut_families(cut) <= SW_MOST_ROUNDS || refuse_families(reader, dimension);
}
