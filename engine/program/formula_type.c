/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types of what a formula makes and needs.
 */
#include "program/formula.h"

#include <shardwalk/number.h>

/* ---- what is made ---- */

/* The dimension of the array of the place that has a letter; -1: none. */
static int dimension_of(const sw_points *points, char letter)
{
	for (int d = 0; d < points->access.rank; d++)
		if (points->access.index[d].letter == letter)
			return d;
	return -1;
}

static bool cut_made(const sw_mesh *mesh, const sw_points *points, const sw_type *where, sw_type *made, sw_diag *diag)
{
	const sw_formula *formula = points->formula;
	sw_part part[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0}, parts = 0;

	for (int d = 0; d < formula->kept; d++) {
		int from = dimension_of(points, formula->letter[d]);
		count[d] = from >= 0 ? sw_type_parts(where, from, part + parts) : 0;
		parts += count[d];
	}
	return sw_type_partition_as(mesh, made, count, part, where->padding != 0, diag);
}

static bool sum_made(const sw_mesh *mesh, const sw_points *points, const sw_type *where, sw_type *made, sw_diag *diag)
{
	const sw_formula *formula = points->formula;
	sw_part part[SW_MAX_PARTS];
	int parts = 0;

	for (int letter = formula->kept; letter < formula->letters; letter++) {
		int from = dimension_of(points, formula->letter[letter]);
		parts += from >= 0 ? sw_type_parts(where, from, part + parts) : 0;
	}
	return sw_type_set_sums(mesh, made, part, parts, diag);
}

bool sw_formula_made_type(const sw_mesh *mesh, const sw_formula *formula, const sw_type *where, sw_type *made,
	sw_diag *diag)
{
	sw_points points;

	sw_formula_points(formula, NULL, &points);
	if (points.array > 0 && sw_type_terms(where) > 1) {
		sw_diag_set(diag, SW_T11, formula->array[points.array].at, "values of %s are partial sums",
			sw_scan_quote(formula->array[points.array].name).text);
		sw_diag_hint(diag, "redistribute it to a type without sums first");
		return false;
	}
	return sw_type_replicated(where->dtype, formula->kept, formula->array[0].size, made, diag) &&
		cut_made(mesh, &points, where, made, diag) && sum_made(mesh, &points, where, made, diag);
}

void sw_points_print_type(const sw_points *points, sw_str where, sw_text *text)
{
	const sw_formula *formula = points->formula;
	sw_index index[SW_MAX_DIMS];
	bool same = points->access.rank == formula->kept;

	for (int d = 0; d < formula->kept; d++) {
		int from = dimension_of(points, formula->letter[d]);
		index[d] = (sw_index){.whole = from < 0, .factor = 1, .divisor = 1, .width = 1};
		index[d].letter = from >= 0 ? SW_DIMENSION_LETTERS[from] : 0;
		same = same && from == d;
	}
	sw_text_add_str(text, where);
	if (same || formula->kept == 0)
		return;
	sw_text_add(text, " through ");
	sw_access_print(&(sw_access){formula->kept, index, NULL, false}, text);
	for (int d = 0; d < formula->kept; d++)
		sw_text_addf(text, "%s%lld", d > 0 ? ", " : " to ", (long long)formula->size[d]);
}

/* ---- what is needed, in words behind a type ---- */

/* An access, and the text of what it reads. */
typedef struct wording {
	const sw_points *points;
	sw_access access;
	uint32_t lacks; /* summed letters, a bit each, of which only 0 counts */
	sw_arena *arena;
	sw_text *text;
} wording;

static bool counts_at_0(const wording *w, char letter)
{
	int n = sw_formula_letter(w->points->formula, letter);

	return n >= 0 && (w->lacks >> n & 1);
}

/* `only :, 0`: what the place has where letters count that the term lacks. */
static void add_zeros(const wording *w)
{
	const sw_access *place = &w->points->access;
	bool some = false;

	for (int d = 0; d < place->rank; d++)
		some = some || counts_at_0(w, place->index[d].letter);
	for (int d = 0; d < place->rank && some; d++) {
		sw_text_add(w->text, d > 0 ? ", " : " only ");
		sw_text_add(w->text, counts_at_0(w, place->index[d].letter) ? "0" : ":");
	}
}

/* Is each index the letter of that dimension of the place, and a number added? */
static bool is_shift(const wording *w)
{
	const sw_access *place = &w->points->access, *access = &w->access;
	bool is = place->rank == access->rank;

	for (int d = 0; d < access->rank && is; d++) {
		sw_index plain = access->index[d];
		plain.offset = 0;
		is = sw_index_is_letter(&plain) && plain.letter == place->index[d].letter &&
			access->size[d] == place->size[d];
	}
	return is;
}

/* `shift 1, -2`; of nothing nothing. */
static void add_shift(const wording *w)
{
	bool moves = false;

	for (int d = 0; d < w->access.rank; d++)
		moves = moves || w->access.index[d].offset != 0;
	for (int d = 0; d < w->access.rank && moves; d++) {
		sw_text_add(w->text, d > 0 ? ", " : " shift ");
		sw_text_add_int(w->text, w->access.index[d].offset);
	}
	sw_text_add(w->text, moves && w->access.wrap ? " wrap" : "");
}

/* The values of a letter that count. */
static sw_indices values_of(const wording *w, char letter, sw_family *family)
{
	int n = sw_formula_letter(w->points->formula, letter);

	return sw_indices_range(0, n < 0 || counts_at_0(w, letter) ? 1 : w->points->letters.size[n], family);
}

/* Does nothing that an index reads lie past an end, so that it does not matter whether ends are closed? */
static bool stays_inside(const wording *w, int d)
{
	sw_index index = w->access.index[d];
	sw_family family;
	sw_indices of = values_of(w, index.letter, &family);
	int64_t first = index.offset, last = index.factor * (of.family->run - 1) + index.offset;

	return sw_smaller(first, last) >= 0 && sw_larger(first, last) / index.divisor < w->access.size[d];
}

/* An index by the letters of dimensions.  What is read by a letter that the place lacks does not depend on the device: it is
 * `:`, within *slice.  false: no words say it. */
static bool reword(const wording *w, int d, sw_index *index, sw_family *slice)
{
	sw_family family;
	sw_indices read, of;

	*index = w->access.index[d];
	*slice = (sw_family){0, w->access.size[d], w->access.size[d], 1};
	int from = index->letter != 0 ? dimension_of(w->points, index->letter) : -1;
	if (index->graph != NULL)
		return false;
	if (from >= 0) {
		index->letter = SW_DIMENSION_LETTERS[from];
		return !w->access.wrap || stays_inside(w, d);
	}
	of = values_of(w, index->letter, &family);
	if (!sw_index_image(index, &of, w->access.size[d], w->access.wrap, w->arena, &read) || read.count > 1)
		return false;
	*slice = read.count == 1 ? read.family[0] : (sw_family){0, 0, 1, 1};
	index->whole = true;
	return slice->count == 1 || slice->run == 1;
}

static void add_slice(const sw_family *slice, int64_t size, sw_text *text)
{
	int64_t end = slice->first + (slice->count - 1) * slice->step + slice->run;

	if (slice->run == size)
		sw_text_add_char(text, ':');
	else
		sw_text_addf(text, "%lld:%lld", (long long)slice->first, (long long)end);
	if (slice->count > 1)
		sw_text_addf(text, ":%lld", (long long)slice->step);
}

/* `through 2*i, : to 24, 5 only :, 0:4`. */
static bool add_through(const wording *w)
{
	const sw_access *access = &w->access;
	sw_index index[SW_MAX_DIMS];
	sw_family slice[SW_MAX_DIMS];
	bool cut = false;

	for (int d = 0; d < access->rank; d++) {
		if (!reword(w, d, &index[d], &slice[d]))
			return false;
		cut = cut || slice[d].run * slice[d].count < access->size[d];
	}
	sw_text_add(w->text, " through ");
	sw_access_print(&(sw_access){access->rank, index, NULL, false}, w->text);
	for (int d = 0; d < access->rank; d++)
		sw_text_addf(w->text, "%s%lld", d > 0 ? ", " : " to ", (long long)access->size[d]);
	for (int d = 0; d < access->rank && cut; d++) {
		sw_text_add(w->text, d > 0 ? ", " : " only ");
		add_slice(&slice[d], access->size[d], w->text);
	}
	return true;
}

/* Is an access the same as one before it, in a term that lacks the same? */
static bool comes_again(const sw_formula *formula, int k)
{
	const sw_formula_access *one = &formula->access[k];
	bool again = false;

	for (int m = 1; m < k && !again; m++) {
		const sw_formula_access *other = &formula->access[m];
		again = other->array == one->array &&
			sw_formula_lacks(formula, other->term) == sw_formula_lacks(formula, one->term);
		for (int d = 0; d < formula->array[one->array].rank && again; d++)
			again = sw_index_equal(&one->index[d], &other->index[d]);
	}
	return again;
}

static bool add_types(const sw_need *need, sw_str where, sw_arena *arena, sw_text *text)
{
	const sw_formula *formula = need->points->formula;
	bool first = true;

	for (int k = 1; k < formula->accesses; k++) {
		const sw_formula_access *access = &formula->access[k];
		if (access->array != need->array || comes_again(formula, k))
			continue;
		wording w = {need->points, sw_formula_access_of(formula, access), sw_formula_lacks(formula, access->term),
			arena, text};
		sw_text_add(text, first ? "" : " union ");
		sw_text_add_str(text, where);
		add_zeros(&w);
		if (is_shift(&w))
			add_shift(&w);
		else if (w.access.rank == 0 || !add_through(&w))
			return false;
		first = false;
	}
	return true;
}

bool sw_need_print_type(const sw_need *need, sw_str where, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	sw_text types = {0};
	bool said = arena != NULL && add_types(need, where, arena, &types);

	if (said)
		sw_text_add(text, sw_text_get(&types));
	sw_text_free(&types);
	sw_arena_free(arena);
	return said;
}
