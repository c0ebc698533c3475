/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Images of indices under accesses, and what has a given image.
 *
 * A letter is multiplied, then moved and widened, then divided; each of these takes families to families.  Where divided runs
 * lie depends on where they lie between multiples of the divisor, which comes again after `divisor / gcd(step, divisor)` runs.
 */
#include <shardwalk/access.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "index/adjacency.h"

static const int64_t FAR = INT64_C(1) << 62;

/* ---- steps from families to families ---- */

/* The same with the sign of every index changed. */
static sw_family mirrored(sw_family f)
{
	f.first = 1 - sw_family_end(&f);
	return f;
}

/* factor * i + offset + n, n below the width, for a factor above 0.  Gaps that division by `divisor` closes are filled. */
static void scale(const sw_family *f, const sw_index *by, sw_families *out)
{
	int64_t factor = by->factor, width = by->width;
	int64_t at = factor * f->first + by->offset, step = f->count > 1 ? factor * f->step : 0;

	if (f->run == 1 || factor < width + by->divisor)
		sw_families_add(out, at, factor * (f->run - 1) + width, step, f->count);
	else if (f->count < f->run)
		for (int64_t k = 0; k < f->count; k++)
			sw_families_add(out, at + k * step, width, factor, f->run);
	else
		for (int64_t t = 0; t < f->run; t++)
			sw_families_add(out, at + t * factor, width, step, f->count);
}

/* The quotients of what lies in the runs of a family, whose first index is raised by `lift` in each run. */
static void divide_runs(const sw_family *f, int64_t lift, int64_t divisor, sw_families *out)
{
	int64_t turns = divisor / sw_gcd(f->step, divisor), shapes = sw_smaller(turns, f->count);

	for (int64_t k = 0; k < shapes; k++) {
		int64_t at = f->first + k * f->step;
		int64_t begin = sw_floor_div(at + lift, divisor), end = sw_floor_div(at + f->run - 1, divisor) + 1;
		int64_t step = f->count > turns ? f->step / divisor * turns + f->step % divisor * turns / divisor : 0;
		sw_families_add(out, begin, end - begin, step, (f->count - 1 - k) / turns + 1);
	}
}

/* All quotients, rounded down. */
static void divide(const sw_family *f, int64_t divisor, sw_families *out)
{
	if (f->count > 1 && f->step - f->run < divisor)
		sw_families_range(out, sw_floor_div(f->first, divisor), sw_floor_div(sw_family_end(f) - 1, divisor) + 1);
	else
		divide_runs(f, 0, divisor, out);
}

/* A family that comes to the same indices where it counts on from the other end of `size`.  Its step is at most half of that. */
static sw_family turned(const sw_family *f, int64_t size)
{
	int64_t step = f->step % size, count = sw_smaller(f->count, size / sw_gcd(step, size)), first = f->first;

	if (step > size - step) {
		step = size - step;
		first = first % size - (count - 1) * step;
	}
	first -= sw_floor_div(first, size) * size;
	if (count > 1 && f->run >= step)
		return (sw_family){first, f->run + (count - 1) * step, size, 1};
	return (sw_family){first, f->run, count > 1 ? step : f->run, count};
}

/* The indices to which a family comes that counts on from the other end. */
static void fold(const sw_family *family, int64_t size, sw_families *out)
{
	sw_family f = turned(family, size);
	sw_families cut = {.arena = out->arena};

	if (f.run >= size) {
		sw_families_range(out, 0, size);
		return;
	}
	for (int64_t at = 0; at < sw_family_end(&f); at += size) {
		cut.count = 0;
		sw_families_clip(&cut, &f, at, at + size);
		for (int n = 0; n < cut.count; n++)
			sw_families_add(out, cut.family[n].first - at, cut.family[n].run, cut.family[n].step,
				cut.family[n].count);
	}
	out->failed |= cut.failed;
}

/* ---- images ---- */

/* An index and where it is read. */
typedef struct reading {
	sw_index index; /* without common factors, the factor not below 0 */
	bool mirrors;   /* the sign of its letter was changed for that */
	int64_t size;
	bool wrap;
} reading;

static reading read_as(const sw_index *index, int64_t size, bool wrap)
{
	reading r = {*index, index->factor < 0, size, wrap};
	sw_index *i = &r.index;

	i->factor = r.mirrors ? -i->factor : i->factor;
	int64_t common = sw_gcd(i->factor, i->divisor);
	int64_t last = sw_floor_div(i->offset + i->width - 1, common);
	i->factor /= common;
	i->divisor /= common;
	i->offset = sw_floor_div(i->offset, common);
	i->width = last - i->offset + 1;
	return r;
}

/* The values of the letter, without its sign, that come near to the array, so that nothing overflows. */
static void near(const reading *r, int64_t *begin, int64_t *end)
{
	const sw_index *i = &r->index;
	int64_t low = r->wrap ? -FAR : 0, high;

	if (r->wrap || !sw_mul(r->size, i->divisor, &high) || high > FAR)
		high = FAR;
	*begin = sw_ceil_div(low - (i->width - 1) - i->offset, i->factor);
	*end = sw_floor_div(high - 1 - i->offset, i->factor) + 1;
}

static void place(const reading *r, const sw_families *values, sw_families *out)
{
	for (int n = 0; n < values->count; n++)
		if (r->wrap)
			fold(&values->family[n], r->size, out);
		else
			sw_families_clip(out, &values->family[n], 0, r->size);
	out->failed |= values->failed;
}

/* What is read by an index without a letter. */
static void constant(const reading *r, sw_families *values)
{
	const sw_index *i = &r->index;

	sw_families_range(values, sw_floor_div(i->offset, i->divisor),
		sw_floor_div(i->offset + i->width - 1, i->divisor) + 1);
}

static void image(const reading *r, const sw_indices *of, sw_families *values)
{
	sw_families clipped = {.arena = values->arena}, scaled = clipped;
	int64_t begin, end;

	near(r, &begin, &end);
	for (int n = 0; n < of->count; n++) {
		sw_family f = r->mirrors ? mirrored(of->family[n]) : of->family[n];
		sw_families_clip(&clipped, &f, begin, end);
	}
	for (int n = 0; n < clipped.count; n++)
		scale(&clipped.family[n], &r->index, &scaled);
	for (int n = 0; n < scaled.count; n++)
		divide(&scaled.family[n], r->index.divisor, values);
	values->failed |= clipped.failed || scaled.failed;
}

static bool whole(int64_t size, sw_arena *arena, sw_indices *all)
{
	sw_families out = {.arena = arena};

	sw_families_range(&out, 0, size);
	return sw_families_finish(&out, all);
}

static bool nothing(sw_indices *none)
{
	*none = (sw_indices){0, NULL};
	return true;
}

/* Is it what letters alone read, and are they read as they are? */
static bool as_it_is(const sw_index *index, const sw_indices *of, int64_t size)
{
	bool is = sw_index_is_letter(index);

	for (int n = 0; n < of->count && is; n++)
		is = sw_family_end(&of->family[n]) <= size;
	return is;
}

/* Does one run, of small numbers, become one run, ends aside? */
static bool stays_a_run(const sw_index *index, const sw_indices *of)
{
	const sw_family *f = of->family;
	int64_t small = INT64_C(1) << 40, factor = index->factor < 0 ? -index->factor : index->factor;

	return of->count == 1 && f->count == 1 && !index->whole && index->graph == NULL &&
		factor < index->width + index->divisor && sw_family_end(f) < small && index->offset < small &&
		index->offset > -small;
}

/* The run from `low` to `end` - 1, counted on from the other end: two where it goes over that. */
static bool wrap_run(int64_t low, int64_t end, int64_t size, sw_family *run, sw_indices *read)
{
	int64_t begin = low - sw_floor_div(low, size) * size, past = begin + (end - low) - size;

	if (end - low >= size) {
		*read = sw_indices_range(0, size, run);
	} else if (past <= 0) {
		*read = sw_indices_range(begin, begin + (end - low), run);
	} else {
		run[0] = (sw_family){0, past, past, 1};
		run[1] = (sw_family){begin, size - begin, size - begin, 1};
		*read = (sw_indices){2, run};
	}
	return true;
}

/* Tiles are runs: what is read of an array in tiles needs no families. */
static bool image_of_run(const sw_index *index, const sw_family *f, int64_t size, bool wrap, sw_arena *arena,
	sw_indices *read)
{
	int64_t first = index->factor * f->first, last = index->factor * (f->first + f->run - 1);
	int64_t low = sw_smaller(first, last) + index->offset;
	int64_t high = sw_larger(first, last) + index->offset + index->width - 1;
	sw_family *run = SW_NEW(arena, sw_family, 1 + wrap);

	if (run == NULL)
		return false;
	if (index->divisor > 1) {
		low = sw_floor_div(low, index->divisor);
		high = sw_floor_div(high, index->divisor);
	}
	if (wrap)
		return wrap_run(low, high + 1, size, run, read);
	*read = sw_indices_range(sw_larger(low, 0), sw_smaller(high + 1, size), run);
	return true;
}

bool sw_index_image(const sw_index *index, const sw_indices *of, int64_t size, bool wrap, sw_arena *arena,
	sw_indices *read)
{
	sw_families values = {.arena = arena}, out = values;

	*read = *of;
	if (of->count == 0 || as_it_is(index, of, size))
		return true;
	if (stays_a_run(index, of))
		return image_of_run(index, of->family, size, wrap, arena, read);
	reading r = read_as(index, size, wrap);
	if (index->whole)
		return whole(size, arena, read);
	if (index->graph != NULL) {
		sw_arcs_add(index->graph->arc, index->graph->arcs, of, size, &out);
		return sw_families_unite(&out, read);
	}
	if (r.index.factor == 0)
		constant(&r, &values);
	else
		image(&r, of, &values);
	place(&r, &values, &out);
	return sw_families_unite(&out, read);
}

/* ---- what has a given image ---- */

/* The values that come to `f` where they count on from the other end, as far as values of the letter from `begin` on give them. */
static void unfold(const reading *r, const sw_family *f, int64_t begin, int64_t end, sw_families *out)
{
	const sw_index *i = &r->index;
	int64_t least = sw_floor_div(i->factor * begin + i->offset, i->divisor);
	int64_t most = sw_floor_div(i->factor * (end - 1) + i->offset + i->width - 1, i->divisor);
	int64_t turn = sw_floor_div(least, r->size), turns = sw_floor_div(most, r->size) - turn + 1;

	if (f->count <= turns)
		for (int64_t k = 0; k < f->count; k++)
			sw_families_add(out, f->first + k * f->step + turn * r->size, f->run, r->size, turns);
	else
		for (int64_t w = 0; w < turns; w++)
			sw_families_add(out, f->first + (turn + w) * r->size, f->run, f->step, f->count);
}

/* The numbers i with factor * i in the family. */
static void unscale(const sw_family *f, int64_t factor, sw_families *out)
{
	if (f->count == 1 || factor <= f->step) {
		divide_runs(f, factor - 1, factor, out);
		return;
	}
	int64_t first = sw_ceil_div(f->first, factor) * factor;
	int64_t count = sw_floor_div(sw_family_end(f) - 1 - first, factor) + 1;
	sw_family multiples = {first, 1, factor, count};
	sw_indices both = {0, NULL};
	if (count > 0 && !sw_indices_meet(&(sw_indices){1, f}, &(sw_indices){1, &multiples}, out->arena, &both))
		out->failed = true;
	for (int n = 0; n < both.count; n++)
		divide_runs(&both.family[n], factor - 1, factor, out);
}

/* The letter, without its sign, from `begin` to end - 1. */
static void preimage(const reading *r, const sw_indices *of, int64_t begin, int64_t end, sw_families *out)
{
	const sw_index *i = &r->index;
	sw_families values = {.arena = out->arena}, scaled = values, all = values;

	for (int n = 0; n < of->count; n++)
		if (r->wrap)
			unfold(r, &of->family[n], begin, end, &values);
		else
			sw_families_add(&values, of->family[n].first, of->family[n].run, of->family[n].step, of->family[n].count);
	for (int n = 0; n < values.count; n++) {
		const sw_family *f = &values.family[n];
		sw_families_add(&scaled, f->first * i->divisor - (i->width - 1) - i->offset,
			f->run * i->divisor + i->width - 1, f->step * i->divisor, f->count);
	}
	for (int n = 0; n < scaled.count; n++)
		unscale(&scaled.family[n], i->factor, &all);
	for (int n = 0; n < all.count; n++)
		sw_families_clip(out, &all.family[n], begin, end);
	out->failed |= values.failed || scaled.failed || all.failed;
}

/* Is anything of `of` read by an index without a letter? */
static bool meets(const reading *r, const sw_indices *of, sw_arena *arena, bool *met)
{
	sw_families values = {.arena = arena}, out = values;
	sw_indices read, both;

	constant(r, &values);
	place(r, &values, &out);
	if (!sw_families_unite(&out, &read) || !sw_indices_meet(&read, of, arena, &both))
		return false;
	*met = both.count > 0;
	return true;
}

bool sw_index_preimage(const sw_index *index, const sw_indices *of, int64_t size, bool wrap, int64_t letters,
	sw_arena *arena, sw_indices *points)
{
	sw_families out = {.arena = arena};
	int64_t begin, end;
	bool met = true;

	*points = *of;
	if (of->count == 0 || ((!wrap || letters <= size) && as_it_is(index, of, letters)))
		return true;
	reading r = read_as(index, size, wrap);
	if (index->graph != NULL) {
		sw_arcs_add(index->graph->back, index->graph->arcs, of, letters, &out);
		return sw_families_unite(&out, points);
	}
	if (!index->whole && r.index.factor == 0 && !meets(&r, of, arena, &met))
		return false;
	if (!met)
		return nothing(points);
	if (index->whole || r.index.factor == 0)
		return whole(letters, arena, points);
	near(&r, &begin, &end);
	begin = sw_larger(begin, r.mirrors ? 1 - letters : 0);
	end = sw_smaller(end, r.mirrors ? 1 : letters);
	if (begin < end)
		preimage(&r, of, begin, end, &out);
	for (int n = 0; n < out.count && r.mirrors; n++)
		out.family[n] = mirrored(out.family[n]);
	return sw_families_unite(&out, points);
}

/* ---- regions ---- */

static int letter_at(const sw_letter_ranges *letters, char letter)
{
	for (int i = 0; i < letters->count; i++)
		if (letters->letter[i] == letter)
			return i;
	return -1;
}

/* A region of one product, whose sets are there. */
static sw_region product_of(int rank, const sw_indices *set)
{
	bool empty = false;

	for (int d = 0; d < rank; d++)
		empty |= set[d].count == 0;
	return (sw_region){rank, !empty, set};
}

static bool unite(sw_region *all, const sw_region *more, sw_arena *arena)
{
	if (more->count == 0)
		return true;
	if (all->count > 0)
		return sw_region_union(all, more, arena, all);
	*all = *more;
	return true;
}

static bool image_of_product(const sw_access *access, const sw_letter_ranges *letters, const sw_indices *point,
	sw_arena *arena, sw_region *read)
{
	sw_indices *set = SW_NEW(arena, sw_indices, access->rank);
	sw_family one;
	sw_indices any = sw_indices_range(0, 1, &one);

	for (int d = 0; d < access->rank && set != NULL; d++) {
		const sw_index *index = &access->index[d];
		int at = letter_at(letters, index->letter);
		assert(at >= 0 || index->whole || index->factor == 0);
		if (!sw_index_image(index, at >= 0 ? &point[at] : &any, access->size[d], access->wrap, arena, &set[d]))
			return false;
	}
	*read = product_of(access->rank, set);
	return set != NULL;
}

bool sw_access_image(const sw_access *access, const sw_letter_ranges *letters, const sw_region *of, sw_arena *arena,
	sw_region *read)
{
	sw_region all = {access->rank, 0, NULL}, part;

	assert(of->rank == letters->count);
	for (int n = 0; n < of->count; n++)
		if (!image_of_product(access, letters, sw_region_product(of, n), arena, &part) || !unite(&all, &part, arena))
			return false;
	*read = all;
	return true;
}

/* Narrows the values of the letter of an index to those for which something of `of` is read; *met: there are some. */
static bool narrow(const sw_access *access, int d, const sw_letter_ranges *letters, const sw_indices *of,
	sw_arena *arena, sw_indices *point, bool *met)
{
	const sw_index *index = &access->index[d];
	int at = letter_at(letters, index->letter);
	int64_t size = at >= 0 ? letters->size[at] : 1;
	sw_indices values;

	if (!sw_index_preimage(index, of, access->size[d], access->wrap, size, arena, &values))
		return false;
	*met = *met && values.count > 0;
	return at < 0 || sw_indices_meet(&point[at], &values, arena, &point[at]);
}

static bool preimage_of_product(const sw_access *access, const sw_letter_ranges *letters, const sw_indices *of,
	sw_arena *arena, sw_region *points)
{
	sw_indices *point = SW_NEW(arena, sw_indices, letters->count);
	bool met = true;

	if (point == NULL)
		return false;
	for (int i = 0; i < letters->count; i++)
		if (!whole(letters->size[i], arena, &point[i]))
			return false;
	for (int d = 0; d < access->rank; d++)
		if (!narrow(access, d, letters, &of[d], arena, point, &met))
			return false;
	*points = product_of(letters->count, point);
	points->count = met ? points->count : 0;
	return true;
}

bool sw_access_preimage(const sw_access *access, const sw_letter_ranges *letters, const sw_region *of,
	sw_arena *arena, sw_region *points)
{
	sw_region all = {letters->count, 0, NULL}, part;

	assert(of->rank == access->rank);
	for (int n = 0; n < of->count; n++)
		if (!preimage_of_product(access, letters, sw_region_product(of, n), arena, &part) ||
			!unite(&all, &part, arena))
			return false;
	*points = all;
	return true;
}

/* ---- joined accesses ---- */

static bool same_but_offset(const sw_index *a, const sw_index *b)
{
	return a->whole == b->whole && a->graph == b->graph && a->letter == b->letter && a->factor == b->factor &&
		a->divisor == b->divisor;
}

bool sw_index_equal(const sw_index *a, const sw_index *b)
{
	return same_but_offset(a, b) && (a->whole || (a->offset == b->offset && a->width == b->width));
}

/* The only dimension in which two accesses differ, by offsets that meet there; the rank: they are the same; -1: they cannot be
 * joined. */
static int dimension_to_join(const sw_access *a, const sw_access *b)
{
	int found = a->rank;

	for (int d = 0; d < a->rank; d++) {
		const sw_index *i = &a->index[d], *k = &b->index[d];
		if (sw_index_equal(i, k))
			continue;
		if (found < a->rank || !same_but_offset(i, k) || i->offset + i->width < k->offset ||
			k->offset + k->width < i->offset)
			return -1;
		found = d;
	}
	return found;
}

static bool join_pair(sw_access *into, const sw_access *from, int dim, sw_arena *arena)
{
	sw_index *index = SW_NEW(arena, sw_index, into->rank);

	if (index == NULL)
		return false;
	if (dim < into->rank) {
		memcpy(index, into->index, (size_t)into->rank * sizeof *index);
		const sw_index *other = &from->index[dim];
		int64_t end = sw_larger(index[dim].offset + index[dim].width, other->offset + other->width);
		index[dim].offset = sw_smaller(index[dim].offset, other->offset);
		index[dim].width = end - index[dim].offset;
		into->index = index;
	}
	return true;
}

/* Joins the first with others behind it; how many are left, -1: no memory. */
static int join_first(sw_access *access, int count, sw_arena *arena)
{
	for (int k = 1; k < count; k++) {
		int dim = dimension_to_join(&access[0], &access[k]);
		if (dim < 0)
			continue;
		if (!join_pair(&access[0], &access[k], dim, arena))
			return -1;
		access[k] = access[--count];
		k = 0;
	}
	return count;
}

int sw_access_join(sw_access *access, int count, sw_arena *arena)
{
	for (int before = 0; before != count;) {
		before = count;
		for (int i = 0; i < count; i++) {
			int left = join_first(access + i, count - i, arena);
			if (left < 0)
				return -1;
			count = i + left;
		}
	}
	return count;
}

/* ---- text ---- */

bool sw_index_is_letter(const sw_index *index)
{
	return !index->whole && index->graph == NULL && index->letter != 0 && index->factor == 1 && index->offset == 0 &&
		index->divisor == 1 && index->width == 1;
}

static void print_affine(const sw_index *index, sw_text *text)
{
	if (index->letter == 0) {
		sw_text_add_int(text, index->offset);
		return;
	}
	if (index->factor == -1)
		sw_text_add_char(text, '-');
	else if (index->factor != 1)
		sw_text_addf(text, "%lld*", (long long)index->factor);
	sw_text_add_char(text, index->letter);
	if (index->offset != 0)
		sw_text_addf(text, "%+lld", (long long)index->offset);
}

/* The name of a file, in quotes where it would end too early. */
static void print_file(sw_str name, sw_text *text)
{
	const char *quote = "";

	if (name.length == 0 || *name.at == '"' || *name.at == '\'')
		quote = "\"";
	for (size_t i = 0; i < name.length; i++)
		if (strchr(" \t\r\n,])", name.at[i]) != NULL)
			quote = "\"";
	if (*quote != '\0' && memchr(name.at, '"', name.length) != NULL)
		quote = "'";
	sw_text_add(text, quote);
	sw_text_add_str(text, name);
	sw_text_add(text, quote);
}

void sw_index_print(const sw_index *index, sw_text *text)
{
	bool bare = index->factor == 1 && index->offset == 0;

	if (index->whole || index->graph != NULL) {
		sw_text_add(text, index->whole ? ":" : "graph ");
		if (index->graph != NULL)
			print_file(index->graph->name, text);
		return;
	}
	sw_text_add(text, index->divisor > 1 && !bare ? "(" : "");
	print_affine(index, text);
	sw_text_add(text, index->divisor > 1 && !bare ? ")" : "");
	if (index->divisor > 1)
		sw_text_addf(text, "/%lld", (long long)index->divisor);
}

void sw_access_print(const sw_access *access, sw_text *text)
{
	for (int d = 0; d < access->rank; d++) {
		sw_text_add(text, d > 0 ? ", " : "");
		sw_index_print(&access->index[d], text);
	}
}
