/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types of the paper, and arrays as the scaling book writes them.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

#include "array/parts.h"

static const sw_span nowhere = {0, 0};

/* ---- the paper ---- */

static void paper_sums(sw_sharding *out)
{
	int begin = out->first[out->rank], count = sw_type_sums(&out->shape, out->parts + begin);
	if (count == 0)
		return;
	out->subgroup[out->subgroups++] = SW_SUBGROUP_UNREDUCED;
	out->first[out->rank + 1] = begin + count;
}

bool sw_read_paper(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_scan *scan = &reader->scan;
	sw_mesh none = {0};
	const sw_mesh *mesh = reader->context && reader->context->mesh ? reader->context->mesh : &none;
	out->notation = SW_NOTATION_PAPER;
	if (!sw_type_parse_as(mesh, scan->text, reader->context && reader->context->pads, &out->shape, scan->diag))
		return false;
	scan->at = scan->text.length;
	out->mesh = *mesh;
	out->named = mesh != &none;
	out->has_shape = true;
	for (int d = 0; d < out->shape.rank; d++) {
		int begin = out->shape.first[d], end = out->shape.first[d + 1];
		for (int i = 0; i < end - begin; i++)
			out->parts[begin + i] = sw_type_part(&out->shape, end - 1 - i);
		out->first[d + 1] = end;
		out->priority[d] = -1;
	}
	out->rank = out->shape.rank;
	paper_sums(out);
	return true;
}

bool sw_print_paper(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_type type;
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_paper(s, arena, text, diag);
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_PAPER, "it has no tiles");
	if (s->mesh.order && s->notation != SW_NOTATION_PAPER)
		return sw_print_refuse(diag, SW_NOTATION_PAPER, "its mesh has the devices in order");
	if (!s->has_shape)
		return sw_print_refuse(diag, SW_NOTATION_PAPER, "the sizes of the array are unknown");
	if (!sw_sharding_type(s, NULL, arena, &type, diag))
		return false;
	sw_type_print(&s->mesh, &type, true, text);
	return true;
}

bool sw_mesh_paper(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	(void)diag;
	sw_text_add(text, "mesh ");
	sw_mesh_print(&s->mesh, text);
	return true;
}

/* ---- the scaling book ---- */

/* Subscripts as Unicode has them; there is no y, for which people take the Greek letter that looks like it. */
static const struct {
	const char *sign;
	char letter;
} book_signs[] = {{"\u2090", 'a'}, {"\u2091", 'e'}, {"\u2095", 'h'}, {"\u1d62", 'i'}, {"\u2c7c", 'j'},
	{"\u2096", 'k'}, {"\u2097", 'l'}, {"\u2098", 'm'}, {"\u2099", 'n'}, {"\u2092", 'o'}, {"\u209a", 'p'},
	{"\u1d63", 'r'}, {"\u209b", 's'}, {"\u209c", 't'}, {"\u1d64", 'u'}, {"\u1d65", 'v'}, {"\u2093", 'x'},
	{"\u1d67", 'y'}, {"\u2080", '0'}, {"\u2081", '1'}, {"\u2082", '2'}, {"\u2083", '3'}, {"\u2084", '4'},
	{"\u2085", '5'}, {"\u2086", '6'}, {"\u2087", '7'}, {"\u2088", '8'}, {"\u2089", '9'}};

/* What `text` begins with as a subscript, and in *length its bytes; 0: with none. */
static char book_sign(sw_str text, size_t *length)
{
	for (size_t i = 0; i < sizeof(book_signs) / sizeof(*book_signs); i++)
		if (sw_str_starts(text, book_signs[i].sign)) {
			*length = strlen(book_signs[i].sign);
			return book_signs[i].letter;
		}
	return '\0';
}

/* Bytes of a space that has no width, which pages put between letters. */
static size_t book_joiner(sw_str text)
{
	static const char *const joiners[] = {"\u200b", "\u2060", "\ufeff", "\u200c", "\u200d"};
	for (size_t i = 0; i < sizeof(joiners) / sizeof(*joiners); i++)
		if (sw_str_starts(text, joiners[i]))
			return strlen(joiners[i]);
	return 0;
}

/* The axis that a subscript of one letter stands for, in either case; -1: none. */
static int book_letter_axis(const sw_mesh *mesh, char letter)
{
	char upper = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
	int found = sw_mesh_find(mesh, (sw_str){&letter, 1});
	return found >= 0 ? found : sw_mesh_find(mesh, (sw_str){&upper, 1});
}

/* The axis whose name is the longest beginning of `text`, or the subscript that it begins with; -1: none.  The book
 * writes axes in capitals. */
static int book_axis(const sw_mesh *mesh, sw_str text, size_t *length)
{
	int best = -1;
	char letter = book_sign(text, length);
	if (letter)
		return book_letter_axis(mesh, letter);
	*length = 0;
	for (int i = 0; i < mesh->count; i++) {
		size_t name = strlen(mesh->axis[i].name);
		if (name <= *length || name > text.length || memcmp(mesh->axis[i].name, text.at, name) != 0)
			continue;
		best = i;
		*length = name;
	}
	return best;
}

/* Are these letters axes and nothing else? */
static bool book_all_axes(const sw_mesh *mesh, sw_str text)
{
	size_t length, i = 0;
	while (i < text.length) {
		sw_str rest = {text.at + i, text.length - i};
		size_t joiner = book_joiner(rest);
		if (!joiner && book_axis(mesh, rest, &length) < 0)
			return false;
		i += joiner ? joiner : length;
	}
	return text.length > 0;
}

/* XY: axes, major to minor, which stand at `begin` */
static bool book_axes(sw_reader *reader, sw_str word, size_t begin)
{
	const sw_mesh *mesh = &reader->out->mesh;
	for (size_t i = 0; i < word.length;) {
		sw_str rest = {word.at + i, word.length - i};
		size_t joiner = book_joiner(rest), length = 0;
		int axis = joiner ? -1 : book_axis(mesh, rest, &length);
		sw_str name = axis >= 0 ? sw_str_of(mesh->axis[axis].name) : (sw_str){rest.at, length ? length : 1};
		length = joiner ? joiner : length ? length : 1;
		if (!joiner && !sw_read_part(reader, name, (sw_span){begin + i, begin + i + length}, 1, 0))
			return false;
		i += length;
	}
	return true;
}

/* XY, {XY}, {X,Y}: subscripts, major to minor. */
static bool book_subscripts(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	bool braces = sw_scan_take(scan, '{');
	if (!sw_read_need_mesh(reader, open))
		return false;
	do {
		sw_span at;
		sw_str word = sw_scan_word(scan, &at);
		if (word.length == 0)
			return sw_read_refuse(reader, "axes of the mesh, such as X or XY");
		if (!book_axes(reader, word, at.begin))
			return false;
	} while (braces && sw_scan_take(scan, ','));
	return !braces || sw_scan_expect(scan, '}', "'}'", open);
}

/* The bytes of a dimension's name before its subscript, or all of them. */
static size_t book_name_length(sw_str word)
{
	size_t at = 0, length;
	while (at < word.length && word.at[at] != '_' && !book_sign((sw_str){word.at + at, word.length - at}, &length))
		at++;
	return at;
}

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Where an axis in capitals ends a name: the bytes before it, else 0. */
static size_t book_before_axis(const sw_mesh *mesh, sw_str name)
{
	for (size_t at = 1; at < name.length; at++)
		if (is_capital(name.at[at]) && book_all_axes(mesh, (sw_str){name.at + at, name.length - at}))
			return at;
	return 0;
}

static bool book_refuse_unmarked(sw_reader *reader, sw_str name, size_t before, sw_span at)
{
	sw_quote whole = sw_scan_quote(name), first = sw_scan_quote((sw_str){name.at, before});
	sw_quote axis = sw_scan_quote((sw_str){name.at + before, name.length - before});
	sw_diag_set(reader->scan.diag, SW_N01, at,
		"%s ends with %s, an axis of the mesh, which is not marked as a subscript", whole.text, axis.text);
	sw_diag_expected(reader->scan.diag, "%.*s_%.*s where it cuts dimension %s", (int)(before < 40 ? before : 40),
		name.at, (int)(name.length - before < 40 ? name.length - before : 40), name.at + before, first.text);
	sw_diag_hint(reader->scan.diag, "copies of a page lose subscripts; a whole dimension needs a name without axes");
	return false;
}

/* The bytes of the first letter. */
static size_t book_letter(sw_str name)
{
	size_t length = 1;
	while (length < name.length && ((unsigned char)name.at[length] & 0xC0) == 0x80)
		length++;
	return length;
}

/* A name without a subscript: one letter; or a letter and axes, as copies of the book have it; or a word. */
static bool book_unmarked(sw_reader *reader, sw_str name, sw_span at)
{
	const sw_mesh *mesh = &reader->out->mesh;
	bool capitals = name.length > 1;
	for (size_t i = 0; i < name.length; i++)
		capitals = capitals && is_capital(name.at[i]);
	if (!reader->out->named)
		sw_read_known_mesh(reader);
	if (!reader->out->named)
		return !capitals || sw_read_need_mesh(reader, at);
	size_t letter = book_letter(name);
	sw_str rest = {name.at + letter, name.length - letter};
	if (book_all_axes(mesh, rest)) {
		sw_read_note(reader, "%.*s is read as %.*s_%.*s: its subscript is not marked, and %.*s %s of the mesh",
			(int)name.length, name.at, (int)letter, name.at, (int)rest.length, rest.at, (int)rest.length, rest.at,
			sw_mesh_find(mesh, rest) >= 0 ? "is an axis" : "are axes");
		return book_axes(reader, rest, at.begin + letter);
	}
	size_t before = book_before_axis(mesh, name);
	return before == 0 || book_refuse_unmarked(reader, name, before, at);
}

/* `I_XY`, `I`, `16`, and perhaps `:64`: one dimension; *size 0: not said. */
static bool book_dim(sw_reader *reader, int64_t *size)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	sw_str word = sw_scan_word(scan, &at);
	size_t length = book_name_length(word);
	if (length == 0) {
		scan->at = at.begin;
		return sw_read_refuse(reader, "the letter of a dimension, such as I or I_X");
	}
	sw_str name = {word.at, length};
	bool ok;
	if (length == word.length) {
		ok = book_unmarked(reader, name, at);
	} else if (word.at[length] == '_') {
		scan->at = at.begin + length + 1;
		ok = book_subscripts(reader);
	} else {
		sw_str rest = {word.at + length, word.length - length};
		ok = sw_read_need_mesh(reader, at) && book_axes(reader, rest, at.begin + length);
	}
	*size = 0;
	return ok && sw_read_end_dim(reader, at) &&
		(!sw_scan_take(scan, ':') || sw_read_number(reader, "size of the dimension", 1, INT64_MAX, size));
}

/* Sizes count where every dimension says one. */
static bool book_shape(sw_reader *reader, sw_str name, const int64_t *size)
{
	sw_sharding *out = reader->out;
	sw_dtype dtype;
	bool given = sw_dtype_parse(name, &dtype, NULL);
	for (int d = 0; d < out->rank; d++)
		if (size[d] == 0)
			return true;
	if (out->rank == 0)
		return true;
	if (!sw_type_replicated(given ? dtype : SW_F32, out->rank, size, &out->shape, reader->scan.diag))
		return false;
	out->shape.dtype_given = given;
	out->has_shape = true;
	return true;
}

static bool book_sums(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_take(scan, '{'))
		return true;
	sw_span at = sw_scan_next_span(scan);
	if (!sw_read_sign(reader, "U_") && !sw_read_sign(reader, "U"))
		return sw_read_refuse(reader, "U_ and the axes of a sum");
	return book_subscripts(reader) && sw_scan_expect(scan, '}', "'}'", open) &&
		sw_read_end_subgroup(reader, SW_SUBGROUP_UNREDUCED, at);
}

bool sw_read_book(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_str name;
	sw_span at;
	reader->out->notation = SW_NOTATION_BOOK;
	if (!sw_scan_name(scan, "the name of an array, such as A", nowhere, &name, &at))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and the dimensions", nowhere))
		return false;
	int64_t size[SW_MAX_DIMS + 1];
	for (bool more = !sw_scan_take(scan, ']'); more;)
		if (!book_dim(reader, &size[reader->out->rank]) || !sw_scan_list(scan, ']', "a comma or ']'", open, &more))
			return false;
	return book_sums(reader) && book_shape(reader, name, size);
}

static void book_print_axes(const sw_sharding *s, int slot, sw_text *text)
{
	bool lone = true;
	for (int i = s->first[slot]; i < s->first[slot + 1]; i++)
		lone = lone && s->mesh.axis[s->parts[i].axis].name[1] == '\0';
	sw_text_add(text, lone ? "_" : "_{");
	for (int i = s->first[slot]; i < s->first[slot + 1]; i++)
		sw_text_addf(text, "%s%s", !lone && i > s->first[slot] ? "," : "", s->mesh.axis[s->parts[i].axis].name);
	sw_text_add(text, lone ? "" : "}");
}

bool sw_print_book(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	static const char letters[] = "IJKLMNOPQRSTUVWX";
	sw_sharding fine;
	(void)arena;
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_BOOK, "it has no tiles");
	if (s->mesh.order)
		return sw_print_refuse(diag, SW_NOTATION_BOOK, "its mesh has the devices in order");
	sw_sharding_refine(s, &fine);
	sw_text_add(text, "A[");
	for (int d = 0; d < fine.rank; d++) {
		sw_text_addf(text, "%s%c", d ? ", " : "", letters[d]);
		if (fine.first[d] < fine.first[d + 1])
			book_print_axes(&fine, d, text);
	}
	sw_text_add(text, "]");
	for (int g = 0; g < fine.subgroups; g++)
		if (fine.subgroup[g] == SW_SUBGROUP_UNREDUCED && fine.first[fine.rank + g] < fine.first[fine.rank + g + 1]) {
			sw_text_add(text, " {U");
			book_print_axes(&fine, fine.rank + g, text);
			sw_text_add(text, "}");
		}
	return true;
}

bool sw_mesh_book(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	sw_sharding_refine(s, &fine);
	return sw_mesh_paper(&fine, arena, text, diag);
}
