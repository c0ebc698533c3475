/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading tensor distribution notation.
 *
 *     placement = text | "[" text { "," text } "]"      one a level of the mesh
 *     text      = { name } "->" { name | number | "*" } with a comma between each two of them where the text has one
 *
 * Source: seed 003, figure 4, and what section 3.2 asks of a placement that is valid.
 */
#define _GNU_SOURCE
#include <shardwalk/distal.h>

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/scan.h"

struct level {
	sw_str text;  /* of it alone */
	size_t arrow; /* in it */
	bool commas;  /* names stand between them */
	sw_str left[SW_MAX_DIMS + 1], right[SW_MAX_AXES + 1];
	int names, places;
	int first, end; /* its axes */
};

struct reader {
	const sw_mesh *mesh;
	int rank;
	sw_str text;
	struct level level;
	int64_t number, levels; /* of the level that is read, and how many the text has */
	sw_distal *out;
	sw_diag *diag;
};

static sw_span span_of(const struct reader *r, sw_str part)
{
	size_t begin = (size_t)(part.at - r->text.at);

	return (sw_span){begin, begin + part.length};
}

/* What stands before the arrow and behind it. */
static sw_str left_of(const struct level *level)
{
	return sw_str_trim((sw_str){level->text.at, level->arrow});
}

static sw_str right_of(const struct level *level)
{
	return sw_str_trim(sw_str_behind(level->text, level->arrow + 2));
}

static sw_span arrow_of(const struct reader *r)
{
	size_t begin = span_of(r, r->level.text).begin + r->level.arrow;

	return (sw_span){begin, begin + 2};
}

/* ---- refusals ---- */

static const char *plural(int64_t count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

static bool refuse_syntax(const struct reader *r, sw_span at, const char *expected)
{
	sw_diag_set(r->diag, SW_N01, at, "this is not a placement");
	sw_diag_expected(r->diag, "%s", expected);
	if (at.end > at.begin)
		sw_diag_found(r->diag, "%s", sw_scan_quote((sw_str){r->text.at + at.begin, at.end - at.begin}).text);
	sw_diag_hint(r->diag,
		"xy->x0: dimensions, the arrow, and for each axis of the mesh a dimension, a coordinate or *");
	return false;
}

static bool refuse_levels(const struct reader *r)
{
	int64_t has = sw_mesh_levels(r->mesh);

	sw_diag_set(r->diag, SW_D01, span_of(r, sw_str_trim(r->text)),
		"the placement has %" PRId64 " %s, and the mesh has %" PRId64 " %s", r->levels,
		plural(r->levels, "text", "texts"), has, plural(has, "level", "levels"));
	sw_diag_expected(r->diag, "%" PRId64 " %s", has, plural(has, "text", "texts"));
	sw_diag_found(r->diag, "%" PRId64, r->levels);
	if (has > 1)
		sw_diag_hint(r->diag, "[xy->xy, zw->z] has one for each level, outermost first");
	else
		sw_diag_hint(r->diag, "the mesh has one level; `;` between its axes begins another: {x: 2; g: 2}");
	return false;
}

static bool refuse_tensor_rank(const struct reader *r)
{
	const struct level *level = &r->level;

	const char *more = level->names > SW_MAX_DIMS ? "more than " : "";
	int names = level->names > SW_MAX_DIMS ? SW_MAX_DIMS : level->names;

	sw_diag_set(r->diag, SW_D02, names > 0 ? span_of(r, left_of(level)) : arrow_of(r),
		"the placement names %s%d %s, and the array has %d", more, names, plural(names, "dimension", "dimensions"),
		r->rank);
	sw_diag_expected(r->diag, "%d %s on the left", r->rank, plural(r->rank, "name", "names"));
	sw_diag_found(r->diag, "%s%d", more, names);
	if (!level->commas && level->names > r->rank)
		sw_diag_hint(r->diag, "commas separate names longer than a letter: row,col->row,col");
	return false;
}

static bool refuse_machine_rank(const struct reader *r)
{
	const struct level *level = &r->level;
	int has = level->end - level->first, places = level->places > SW_MAX_AXES ? SW_MAX_AXES : level->places;
	const char *more = level->places > SW_MAX_AXES ? "more than " : "", *word = plural(places, "place", "places");

	if (r->levels > 1)
		sw_diag_set(r->diag, SW_D03, places > 0 ? span_of(r, right_of(level)) : arrow_of(r),
			"the placement has %s%d %s, and level %" PRId64 " of %" PRId64 " has %d %s", more, places, word,
			r->number + 1, r->levels, has, plural(has, "axis", "axes"));
	else
		sw_diag_set(r->diag, SW_D03, places > 0 ? span_of(r, right_of(level)) : arrow_of(r),
			"the placement has %s%d %s, and the mesh has %d %s", more, places, word, has,
			plural(has, "axis", "axes"));
	sw_diag_expected(r->diag, "%d %s on the right", has, plural(has, "place", "places"));
	sw_diag_found(r->diag, "%s%d", more, places);
	if (level->places < has)
		sw_diag_hint(r->diag, "* gives all devices along an axis the same, a number only one coordinate");
	return false;
}

static bool refuse_twice(const struct reader *r, sw_str first, sw_str again)
{
	sw_diag_set(r->diag, SW_D04, span_of(r, again), "%s appears twice on one side", sw_scan_quote(again).text);
	sw_diag_also(r->diag, span_of(r, first), "the first");
	sw_diag_expected(r->diag, "a name for each dimension, and each at one axis of a level at most");
	sw_diag_found(r->diag, "%s again", sw_scan_quote(again).text);
	sw_diag_hint(r->diag, "%s",
		again.at < r->level.text.at + r->level.arrow ?
			"each dimension has its own name: xy" :
			"* in its place gives all devices along that axis the same: xy->x*");
	return false;
}

static bool refuse_unknown(const struct reader *r, sw_str name)
{
	const struct level *level = &r->level;
	sw_text names = {0};

	for (int i = 0; i < level->names; i++) {
		sw_text_add(&names, i > 0 ? ", " : "");
		sw_text_add_str(&names, level->left[i]);
	}
	sw_diag_set(r->diag, SW_D05, span_of(r, name), "the array has no dimension %s", sw_scan_quote(name).text);
	sw_diag_also(r->diag, span_of(r, left_of(level)), "its dimensions");
	sw_diag_expected(r->diag, "%s%sa coordinate or *", sw_text_get(&names), level->names > 0 ? ", " : "");
	sw_diag_found(r->diag, "%s", sw_scan_quote(name).text);
	if (!level->commas && name.length == 1)
		sw_diag_hint(r->diag, "commas separate names longer than a letter: row,col->row,col");
	sw_text_free(&names);
	return false;
}

static bool refuse_range(const struct reader *r, sw_str number, int axis)
{
	const sw_axis *of = &r->mesh->axis[axis];

	sw_diag_set(r->diag, SW_D06, span_of(r, number), "axis '%s' has no coordinate %.*s", of->name,
		number.length < 30 ? (int)number.length : 30, number.at);
	sw_diag_expected(r->diag, "0 to %" PRId64, of->size - 1);
	sw_diag_found(r->diag, "%.*s", number.length < 30 ? (int)number.length : 30, number.at);
	sw_diag_hint(r->diag, "%" PRId64 " is the last; without commas each digit is a coordinate of its own",
		of->size - 1);
	return false;
}

/* ---- signs ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(sw_str sign)
{
	for (size_t i = 0; i < sign.length; i++)
		if (!is_letter(sign.at[i]) && (i == 0 || !is_digit(sign.at[i])))
			return false;
	return sign.length > 0;
}

static bool is_number(sw_str sign)
{
	for (size_t i = 0; i < sign.length; i++)
		if (!is_digit(sign.at[i]))
			return false;
	return sign.length > 0;
}

/* The signs of a side, between commas or one letter each; how many there are, one more than `room` at most. */
static int cut_signs(sw_str side, bool commas, sw_str *sign, int room)
{
	int count = 0;

	for (size_t at = 0; side.length > 0 && at <= side.length && count <= room;) {
		if (commas)
			sign[count] = sw_str_split(side, &at, SW_NESTING_PLAIN);
		else
			sign[count] = (sw_str){side.at + at++, 1};
		count++;
		if (!commas && at == side.length)
			break;
	}
	return count;
}

static bool check_signs(const struct reader *r)
{
	const struct level *level = &r->level;

	for (int i = 0; i < level->names && i <= SW_MAX_DIMS; i++)
		if (!is_name(level->left[i]))
			return refuse_syntax(r, span_of(r, level->left[i]), "the name of a dimension");
	for (int i = 0; i < level->places && i <= SW_MAX_AXES; i++) {
		sw_str sign = level->right[i];
		if (!is_name(sign) && !is_number(sign) && !sw_str_is(sign, "*"))
			return refuse_syntax(r, span_of(r, sign), "the name of a dimension, a coordinate or *");
	}
	return true;
}

/* ---- one level ---- */

static bool find_arrow(struct reader *r)
{
	struct level *level = &r->level;
	const char *arrow = memmem(level->text.at, level->text.length, "->", 2);

	if (arrow == NULL) {
		sw_span at = span_of(r, level->text);
		return refuse_syntax(r, at, "dimensions, `->` and places, such as xy->xy");
	}
	level->arrow = (size_t)(arrow - level->text.at);
	level->commas = memchr(level->text.at, ',', level->text.length) != NULL;
	level->names = cut_signs(left_of(level), level->commas, level->left, SW_MAX_DIMS);
	level->places = cut_signs(right_of(level), level->commas, level->right, SW_MAX_AXES);
	return check_signs(r);
}

static bool check_twice(const struct reader *r, const sw_str *sign, int count)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			if (is_name(sign[i]) && sw_str_equal(sign[i], sign[j]))
				return refuse_twice(r, sign[j], sign[i]);
	return true;
}

static int dimension_named(const struct level *level, sw_str name)
{
	for (int dim = 0; dim < level->names; dim++)
		if (sw_str_equal(level->left[dim], name))
			return dim;
	return -1;
}

static bool check_names(const struct reader *r)
{
	const struct level *level = &r->level;

	for (int i = 0; i < level->places; i++)
		if (is_name(level->right[i]) && dimension_named(level, level->right[i]) < 0)
			return refuse_unknown(r, level->right[i]);
	return true;
}

/* What the sign says that stands for an axis. */
static bool take_place(const struct reader *r, sw_str sign, int axis)
{
	sw_distal *out = r->out;
	sw_distal_place *place = &out->place[axis];

	*place = (sw_distal_place){-1, -1};
	if (is_number(sign))
		return (sw_read_int(sign, &place->at, NULL) && place->at < r->mesh->axis[axis].size) ||
			refuse_range(r, sign, axis);
	if (!is_name(sign))
		return true;
	place->dim = dimension_named(&r->level, sign);
	out->cut[out->cuts++] = axis;
	return true;
}

static bool read_level(struct reader *r)
{
	struct level *level = &r->level;

	if (!find_arrow(r))
		return false;
	if (level->names != r->rank)
		return refuse_tensor_rank(r);
	if (level->places != level->end - level->first)
		return refuse_machine_rank(r);
	if (!check_twice(r, level->left, level->names) || !check_twice(r, level->right, level->places) || !check_names(r))
		return false;
	for (int dim = 0; r->number == 0 && dim < r->rank; dim++)
		r->out->name[dim] = level->left[dim];
	for (int i = 0; i < level->places; i++)
		if (!take_place(r, level->right[i], level->first + i))
			return false;
	return true;
}

/* ---- levels ---- */

static int count_commas(sw_str text)
{
	int count = 0;

	for (size_t i = 0; i < text.length; i++)
		count += text.at[i] == ',';
	return count;
}

/* Of the signs between two arrows, how many are places of the first text?  The others are the names of the next one, which stand
 * between commas, or are one word of letters. */
static int places_between(const struct reader *r, sw_str left, int signs)
{
	int axes = r->level.end - r->level.first, names = signs - axes;

	if (r->rank < 2)
		return signs - 1;
	if (memchr(left.at, ',', left.length) == NULL)
		return 1;
	return names == 1 || names == r->rank ? axes : signs > r->rank ? signs - r->rank : 1;
}

/* The next text of `[text, text]`. */
static sw_str next_text(const struct reader *r, sw_str list, size_t *at)
{
	sw_str rest = sw_str_behind(list, *at);
	const char *arrow = memmem(rest.at, rest.length, "->", 2);
	size_t left = arrow != NULL ? (size_t)(arrow - rest.at) : rest.length, end = left;
	sw_str behind = sw_str_behind(rest, left < rest.length ? left + 2 : left);
	const char *next = memmem(behind.at, behind.length, "->", 2);
	sw_str between = {behind.at, next != NULL ? (size_t)(next - behind.at) : 0};
	int places = next != NULL ? places_between(r, (sw_str){rest.at, left}, count_commas(between) + 1) : INT_MAX;

	while (end < rest.length && (end < left || rest.at[end] != ',' || --places > 0))
		end++;
	*at += end < rest.length ? end + 1 : end;
	return sw_str_trim((sw_str){rest.at, end});
}

static int64_t count_arrows(sw_str text)
{
	int64_t count = 0;

	for (size_t i = 0; i + 1 < text.length; i++)
		count += text.at[i] == '-' && text.at[i + 1] == '>';
	return count;
}

static bool read_levels(struct reader *r, sw_str list)
{
	if (r->levels != sw_mesh_levels(r->mesh))
		return refuse_levels(r);
	for (size_t at = 0; r->number < r->levels; r->number++) {
		sw_mesh_level(r->mesh, r->number, &r->level.first, &r->level.end);
		r->level.text = next_text(r, list, &at);
		if (!read_level(r))
			return false;
	}
	return true;
}

bool sw_distal_parse(const sw_mesh *mesh, int rank, sw_str text, sw_distal *distal, sw_diag *diag)
{
	sw_distal out = {.rank = rank, .axes = mesh->count};
	struct reader r = {.mesh = mesh, .rank = rank, .text = text, .out = &out, .diag = diag};
	sw_str whole = sw_str_trim(text);
	bool list = sw_str_starts(whole, "[") && sw_str_ends(whole, "]");

	r.levels = list ? count_arrows(whole) : 1;
	if (list)
		whole = sw_str_trim(sw_str_inner(whole));
	if (list && r.levels == 0)
		return refuse_syntax(&r, span_of(&r, whole), "dimensions, `->` and places, such as [xy->xy, zw->z]");
	if (!read_levels(&r, whole))
		return false;
	*distal = out;
	return true;
}

/* ---- where one begins ---- */

/* `f64[9, 9]`: how long the sizes in front are; 0: there are none. */
static size_t sizes_length(sw_str text)
{
	size_t at = 0;

	while (at < text.length && (is_letter(text.at[at]) || is_digit(text.at[at])))
		at++;
	if (at == text.length || text.at[at] != '[' || (at > 0 && is_digit(*text.at)))
		return 0;
	for (at++; at < text.length && text.at[at] != ']'; at++)
		if (!is_digit(text.at[at]) && !is_blank(text.at[at]) && text.at[at] != ',')
			return 0;
	return at < text.length ? at + 1 : 0;
}

/* The position behind names: words, or words with commas between them. */
static size_t behind_names(sw_str text)
{
	size_t at = 0;
	bool comma = true;

	while (at < text.length) {
		bool sign = is_letter(text.at[at]) || is_digit(text.at[at]);
		if (!is_blank(text.at[at]) && text.at[at] != ',' && (!sign || !comma))
			break;
		comma = text.at[at] == ',' || (comma && is_blank(text.at[at]));
		for (; sign && at < text.length && (is_letter(text.at[at]) || is_digit(text.at[at])); at++)
			;
		at += !sign;
	}
	return at;
}

/* `S01R` and `S1` of other systems: as dimensions their digits would be names. */
static bool has_axis_numbers(sw_str names)
{
	bool numbers = false;

	for (size_t i = 0; i < names.length; i++) {
		if (!is_digit(names.at[i]) && names.at[i] != 'S' && names.at[i] != 'R')
			return false;
		numbers = numbers || is_digit(names.at[i]);
	}
	return numbers;
}

/* Names up to an arrow; without names an arrow and a place that no type begins with. */
static bool begins_text(sw_str text)
{
	size_t at = behind_names(text);

	if (!sw_str_starts(sw_str_behind(text, at), "->"))
		return false;
	sw_str right = sw_str_trim(sw_str_behind(text, at + 2));
	bool place = right.length > 0 && (is_digit(*right.at) || *right.at == '*');
	return at == 0 ? place : !is_digit(*text.at) && !has_axis_numbers(sw_str_trim((sw_str){text.at, at}));
}

bool sw_distal_is(sw_str text, sw_str *sizes, sw_str *places)
{
	text = sw_str_trim(text);
	size_t length = sizes_length(text);
	sw_str behind = sw_str_trim(sw_str_behind(text, length));
	*sizes = (sw_str){text.at, length};
	*places = behind;
	sw_str first = sw_str_starts(behind, "[") ? sw_str_trim(sw_str_behind(behind, 1)) : behind;
	return length > 0 && begins_text(first);
}
