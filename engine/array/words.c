/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words behind types: on, only, crop, shift, through.
 */
#include "array/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/type.h>

#include "index/access.h"

static const sw_span nowhere = {0, 0};

/* ---- numbers ---- */

static bool is_digit(const sw_scan *scan, size_t at)
{
	return at < scan->text.length && scan->text.at[at] >= '0' && scan->text.at[at] <= '9';
}

bool sw_word_number(sw_scan *scan, const char *what, int64_t most, int64_t *number)
{
	sw_scan_peek(scan);
	sw_scan inside = *scan;
	size_t end = inside.at;

	while (is_digit(scan, end))
		end++;
	if (end == inside.at) {
		char expected[64];
		snprintf(expected, sizeof expected, "a whole number, the %s", what);
		return sw_scan_unexpected(scan, expected, nowhere);
	}
	inside.text.length = end;
	inside.syntax = SW_T16;
	if (!sw_scan_number(&inside, what, 0, most, number))
		return false;
	scan->at = end;
	return true;
}

/* `2` or `2-3`, in ascending order. */
static bool read_range(sw_scan *scan, const char *what, int64_t most, int64_t *low, int64_t *high)
{
	sw_scan_peek(scan);
	size_t begin = scan->at;

	if (!sw_word_number(scan, what, most, low))
		return false;
	*high = *low;
	if (!sw_scan_take(scan, '-'))
		return true;
	if (!sw_word_number(scan, what, most, high))
		return false;
	if (*low <= *high)
		return true;
	sw_diag_set(scan->diag, SW_T16, (sw_span){begin, scan->at}, "a range does not descend");
	sw_diag_expected(scan->diag, "%" PRId64 "-%" PRId64, *high, *low);
	sw_diag_found(scan->diag, "%" PRId64 "-%" PRId64, *low, *high);
	return false;
}

/* A word that says something of each dimension says it of `said` only. */
static bool refuse_dimensions(sw_scan *scan, const sw_word_place *place, int said, const char *what)
{
	sw_diag_set(scan->diag, SW_T16, sw_scan_since(scan, place->at.begin), "the array has %d %s", place->rank,
		place->rank == 1 ? "dimension" : "dimensions");
	if (place->rank == 1)
		sw_diag_expected(scan->diag, "1 %s", what);
	else
		sw_diag_expected(scan->diag, "%d %ss, separated by commas", place->rank, what);
	sw_diag_found(scan->diag, "%d", said);
	return false;
}

/* Behind what is said of each dimension there is no comma with a number or a slice. */
static bool check_dimensions(sw_scan *scan, const sw_word_place *place, const char *what)
{
	sw_scan behind = *scan;

	if (sw_scan_peek(&behind) != ',')
		return true;
	behind.at++;
	int next = sw_scan_peek(&behind);
	if (next != ':' && next != '+' && next != '-' && !(next >= '0' && next <= '9'))
		return true;
	*scan = behind;
	return refuse_dimensions(scan, place, place->rank + 1, what);
}

/* ---- on ---- */

static bool refuse_coordinate(sw_scan *scan, sw_span at)
{
	sw_diag_set(scan->diag, SW_T16, at, "the united types are on different meshes, so a coordinate has no meaning");
	sw_diag_expected(scan->diag, "numbers of devices");
	sw_diag_found(scan->diag, "an axis");
	return false;
}

static bool read_coordinate(sw_scan *scan, const sw_word_place *place, sw_span open, sw_coordinates *one)
{
	sw_str name;
	sw_span at;

	if (!sw_scan_name(scan, "an axis of the mesh", open, &name, &at))
		return false;
	if (place->mesh == NULL)
		return refuse_coordinate(scan, at);
	one->axis = sw_mesh_find(place->mesh, name);
	if (one->axis < 0) {
		sw_quote quote = sw_scan_quote(name);
		sw_diag_set(scan->diag, SW_T02, at, "the mesh has no axis %s", quote.text);
		sw_diag_expected(scan->diag, "an axis of the mesh");
		sw_diag_found(scan->diag, "%s", quote.text);
		return false;
	}
	one->size = place->mesh->axis[one->axis].size;
	one->stride = place->mesh->axis[one->axis].stride;
	return sw_scan_expect(scan, ':', "':' and a coordinate along the axis", open) &&
		read_range(scan, "coordinate", one->size - 1, &one->low, &one->high);
}

/* `{z: 0, y: 1-2}` */
static bool read_coordinates(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	sw_coordinates *list = NULL;
	sw_span open = sw_scan_next_span(scan);
	int room = 0;
	bool more = true;

	sw_scan_take(scan, '{');
	while (more) {
		if (!SW_GROW(place->arena, list, word->axes, room, 4))
			return sw_diag_memory(scan->diag);
		if (!read_coordinate(scan, place, open, &list[word->axes]) ||
			!sw_scan_list(scan, '}', "',' or '}' after a coordinate", open, &more))
			return false;
		word->axes++;
	}
	word->coordinates = list;
	return true;
}

static bool refuse_devices(sw_scan *scan, const sw_word_place *place)
{
	sw_diag_set(scan->diag, SW_T16, place->at, "without a mesh no device has a number");
	sw_diag_expected(scan->diag, "a mesh");
	sw_diag_found(scan->diag, "none");
	sw_diag_hint(scan->diag, "for instance: mesh {x: 4, y: 6}");
	return false;
}

/* `0,2-3` */
static bool read_devices(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	sw_family *list = NULL;
	int count = 0, room = 0;
	int64_t low, high;

	if (place->devices == 0)
		return refuse_devices(scan, place);
	do {
		if (!SW_GROW(place->arena, list, count, room, 4))
			return sw_diag_memory(scan->diag);
		if (!read_range(scan, "device", place->devices - 1, &low, &high))
			return false;
		list[count++] = (sw_family){low, high - low + 1, high - low + 1, 1};
	} while (sw_scan_take(scan, ','));
	return sw_indices_of(list, count, place->arena, &word->devices) || sw_diag_memory(scan->diag);
}

static bool read_on(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	bool coordinates = sw_scan_peek(scan) == '{';

	return (coordinates ? read_coordinates : read_devices)(scan, place, word);
}

static bool has_on(const sw_word *word, int64_t device)
{
	for (int i = 0; i < word->axes; i++) {
		const sw_coordinates *one = &word->coordinates[i];
		int64_t at = device / one->stride % one->size;
		if (at < one->low || at > one->high)
			return false;
	}
	return word->axes > 0 || sw_indices_has(&word->devices, device);
}

static void stretch_on(const sw_word *word, int64_t device, sw_stretch *stretch)
{
	for (int i = 0; i < word->axes; i++) {
		const sw_coordinates *one = &word->coordinates[i];
		if (one->stride > 1)
			sw_stretch_same(stretch, device, one->stride);
		else
			sw_stretch_end(stretch, one->high - device % one->size + 1);
	}
	for (int i = 0; i < word->devices.count; i++) {
		const sw_family *f = &word->devices.family[i];
		int64_t at = device - f->first;
		if (at >= 0 && at / f->step < f->count && at % f->step < f->run)
			sw_stretch_end(stretch, f->run - at % f->step);
	}
}

static void print_range(int64_t low, int64_t high, sw_text *text)
{
	sw_text_add_int(text, low);
	if (high == low)
		return;
	sw_text_add_char(text, '-');
	sw_text_add_int(text, high);
}

void sw_word_print_devices(const sw_indices *devices, sw_text *text)
{
	for (int i = 0; i < devices->count; i++)
		for (int64_t k = 0; k < devices->family[i].count; k++) {
			int64_t low = devices->family[i].first + k * devices->family[i].step;
			sw_text_add(text, i > 0 || k > 0 ? "," : "");
			print_range(low, low + devices->family[i].run - 1, text);
		}
}

static void print_on(const sw_mesh *mesh, const sw_word *word, sw_text *text)
{
	for (int i = 0; i < word->axes; i++) {
		sw_text_add(text, i > 0 ? ", " : "{");
		sw_mesh_print_name(mesh->axis[word->coordinates[i].axis].name, text);
		sw_text_add(text, ": ");
		print_range(word->coordinates[i].low, word->coordinates[i].high, text);
	}
	if (word->axes > 0)
		sw_text_add_char(text, '}');
	else
		sw_word_print_devices(&word->devices, text);
}

/* ---- only, crop ---- */

/* `b`, `:e`, `b:e`, `b:e:s`, `:` of a dimension of that size. */
static bool read_slice(sw_scan *scan, int64_t size, sw_family *slice)
{
	int64_t begin = 0, end = size, step = 1;
	bool first = sw_scan_peek(scan) != ':';
	size_t at = scan->at;

	if (first && !sw_word_number(scan, "index", size - 1, &begin))
		return false;
	if (!sw_scan_take(scan, ':')) {
		*slice = (sw_family){begin, 1, 1, 1};
		return true;
	}
	sw_scan_peek(scan);
	if (is_digit(scan, scan->at) && !sw_word_number(scan, "end of the slice", size, &end))
		return false;
	if (sw_scan_take(scan, ':') && !sw_word_number(scan, "step", INT64_MAX, &step))
		return false;
	if (step == 0 || begin > end) {
		sw_diag_set(scan->diag, SW_T16, (sw_span){at, scan->at}, "this is not a slice");
		sw_diag_expected(scan->diag, "the first index, the index after the last, and a step of at least 1");
		sw_diag_found(scan->diag, "%" PRId64 ":%" PRId64 ":%" PRId64, begin, end, step);
		return false;
	}
	int64_t count = (end - begin) / step + ((end - begin) % step != 0);
	if (step == 1 || count < 2)
		*slice = (sw_family){begin, count, sw_larger(count, 1), 1};
	else
		*slice = (sw_family){begin, 1, step, count};
	return true;
}

/* `only nothing`: no index of any dimension. */
static bool take_nothing(sw_scan *scan)
{
	sw_span at;

	sw_scan_peek(scan);
	size_t here = scan->at;
	if (sw_str_is(sw_scan_bare(scan, &at), "nothing"))
		return true;
	scan->at = here;
	return false;
}

static bool is_nothing(const sw_word *word)
{
	bool nothing = word->rank > 0;

	for (int dim = 0; dim < word->rank; dim++)
		nothing = nothing && word->slice[dim].first == 0 && word->slice[dim].run == 0;
	return nothing;
}

static bool read_only(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	sw_family *slice = SW_NEW(place->arena, sw_family, place->rank);

	if (slice == NULL)
		return sw_diag_memory(scan->diag);
	word->slice = slice;
	if (place->rank > 0 && take_nothing(scan)) {
		for (int dim = 0; dim < place->rank; dim++)
			slice[dim] = (sw_family){.step = 1, .count = 1};
		return true;
	}
	for (int dim = 0; dim < place->rank; dim++) {
		if (dim > 0 && !sw_scan_take(scan, ','))
			return refuse_dimensions(scan, place, dim, "slice");
		if (!read_slice(scan, place->size[dim], &slice[dim]))
			return false;
	}
	return check_dimensions(scan, place, "slice");
}

static int64_t slice_size(const sw_family *slice)
{
	return slice->run * slice->count;
}

static bool refuse_empty(sw_scan *scan, const sw_word_place *place, int dim)
{
	sw_diag_set(scan->diag, SW_T16, sw_scan_since(scan, place->at.begin), "dimension %d of the array would be empty",
		dim);
	sw_diag_expected(scan->diag, "at least one index in each dimension");
	sw_diag_found(scan->diag, "none");
	sw_diag_hint(scan->diag, "`only` keeps the array, and may leave nothing of it");
	return false;
}

static bool read_crop(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	int64_t *size = SW_NEW(place->arena, int64_t, place->rank);

	if (size == NULL)
		return sw_diag_memory(scan->diag);
	if (!read_only(scan, place, word))
		return false;
	for (int dim = 0; dim < place->rank; dim++) {
		size[dim] = slice_size(&word->slice[dim]);
		if (size[dim] == 0)
			return refuse_empty(scan, place, dim);
	}
	word->size = size;
	return true;
}

static bool act_only(const sw_word *word, sw_arena *arena, sw_indices *set)
{
	for (int dim = 0; dim < word->rank; dim++) {
		sw_indices slice = {slice_size(&word->slice[dim]) > 0, &word->slice[dim]};
		if (!sw_indices_meet(&set[dim], &slice, arena, &set[dim]))
			return false;
	}
	return true;
}

static bool act_crop(const sw_word *word, sw_arena *arena, sw_indices *set)
{
	for (int dim = 0; dim < word->rank; dim++)
		if (!sw_indices_places(&set[dim], &word->slice[dim], arena, &set[dim]))
			return false;
	return true;
}

/* A slice that holds all of it does nothing. */
static void stretch_only(const sw_word *word, int64_t device, sw_stretch *stretch)
{
	(void)device;
	for (int dim = 0; dim < word->rank; dim++) {
		const sw_family *slice = &word->slice[dim];
		if (slice->count > 1 && stretch->step[dim] != 0)
			sw_stretch_end(stretch, 1);
		sw_stretch_within(stretch, dim, slice->first, slice->first + slice->run);
	}
}

static void stretch_crop(const sw_word *word, int64_t device, sw_stretch *stretch)
{
	stretch_only(word, device, stretch);
	for (int dim = 0; dim < word->rank; dim++) {
		sw_stretch_move(stretch, dim, -word->slice[dim].first);
	}
}

static void print_slice(const sw_family *slice, int64_t size, sw_text *text)
{
	bool strided = slice->count > 1;

	sw_text_add_int(text, slice->first);
	if (slice->run == 1 && !strided)
		return;
	sw_text_add_char(text, ':');
	sw_text_add_int(text,
		strided ? slice->first + sw_smaller(slice->count * slice->step, size - slice->first) :
				  slice->first + slice->run);
	if (strided)
		sw_text_addf(text, ":%" PRId64, slice->step);
}

static void print_only(const sw_mesh *mesh, const sw_word *word, sw_text *text)
{
	(void)mesh;
	if (is_nothing(word)) {
		sw_text_add(text, "nothing");
		return;
	}
	for (int dim = 0; dim < word->rank; dim++) {
		bool whole = word->slice[dim].first == 0 && word->slice[dim].run == word->before[dim];
		sw_text_add(text, dim > 0 ? ", " : "");
		if (whole)
			sw_text_add_char(text, ':');
		else
			print_slice(&word->slice[dim], word->before[dim], text);
	}
}

/* ---- shift ---- */

static bool refuse_value(sw_scan *scan, const sw_word_place *place)
{
	sw_diag_set(scan->diag, SW_T16, place->at, "a single value has no dimension to be shifted along");
	sw_diag_expected(scan->diag, "an array");
	sw_diag_found(scan->diag, "[]");
	return false;
}

static bool read_distance(sw_scan *scan, int64_t *by)
{
	sw_scan inside = *scan;

	inside.syntax = SW_T16;
	bool read = sw_scan_number(&inside, "distance", -INT64_MAX, INT64_MAX, by);
	scan->at = inside.at;
	return read;
}

/* One distance, along dimension 0, or one a dimension. */
static bool read_distances(sw_scan *scan, const sw_word_place *place, int64_t *by)
{
	if (!read_distance(scan, &by[0]))
		return false;
	bool each = place->rank > 1 && sw_scan_peek(scan) == ',';
	for (int dim = 1; each && dim < place->rank; dim++) {
		if (!sw_scan_take(scan, ','))
			return refuse_dimensions(scan, place, dim, "distance");
		if (!read_distance(scan, &by[dim]))
			return false;
	}
	return check_dimensions(scan, place, "distance");
}

static bool take_wrap(sw_scan *scan)
{
	sw_span at;
	size_t before = scan->at;

	if (sw_str_is(sw_scan_bare(scan, &at), "wrap"))
		return true;
	scan->at = before;
	return false;
}

static bool read_shift(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	int64_t *by = SW_NEW_ZERO(place->arena, int64_t, place->rank);

	if (by == NULL)
		return sw_diag_memory(scan->diag);
	if (place->rank == 0)
		return refuse_value(scan, place);
	if (!read_distances(scan, place, by))
		return false;
	word->wrap = take_wrap(scan);
	word->by = by;
	return true;
}

static bool act_shift(const sw_word *word, sw_arena *arena, sw_indices *set)
{
	for (int dim = 0; dim < word->rank; dim++)
		if (word->by[dim] != 0 &&
			!sw_indices_shift(&set[dim], word->by[dim], word->size[dim], word->wrap, arena, &set[dim]))
			return false;
	return true;
}

/* Nothing may pass the ends. */
static void stretch_shift(const sw_word *word, int64_t device, sw_stretch *stretch)
{
	(void)device;
	for (int dim = 0; dim < word->rank; dim++) {
		sw_stretch_move(stretch, dim, word->by[dim]);
		sw_stretch_within(stretch, dim, 0, word->size[dim]);
	}
}

static void print_shift(const sw_mesh *mesh, const sw_word *word, sw_text *text)
{
	int last = 0;

	(void)mesh;
	for (int dim = 1; dim < word->rank; dim++)
		last = word->by[dim] != 0 ? word->rank - 1 : last;
	for (int dim = 0; dim <= last; dim++) {
		sw_text_add(text, dim > 0 ? ", " : "");
		sw_text_add_int(text, word->by[dim]);
	}
	sw_text_add(text, word->wrap ? " wrap" : "");
}

/* ---- through ---- */

/* The dimension before the word that an index is affine in; -1: none. */
static int dimension_of(const sw_index *index)
{
	const char *found = index->letter != 0 ? strchr(SW_DIMENSION_LETTERS, index->letter) : NULL;

	return found != NULL ? (int)(found - SW_DIMENSION_LETTERS) : -1;
}

static bool refuse_letter_twice(sw_scan *scan, sw_span first, sw_span second, char letter)
{
	sw_diag_set(scan->diag, SW_T16, second, "'%c' is in two indices: the image would be a diagonal", letter);
	sw_diag_also(scan->diag, first, "the first");
	sw_diag_expected(scan->diag, "each dimension in one index at most");
	sw_diag_found(scan->diag, "'%c' again", letter);
	return false;
}

/* The indices up to `to`; how many, or -1. */
static int read_indices(sw_scan *scan, const sw_word_place *place, sw_index index[SW_MAX_DIMS])
{
	sw_span at, letter, used[SW_MAX_DIMS] = {{0, 0}};
	int rank = 0;

	do {
		if (rank == SW_MAX_DIMS) {
			sw_scan_unexpected(scan, "`to`: an array has at most 16 dimensions", nowhere);
			return -1;
		}
		if (!sw_index_scan(scan, &index[rank], &at, &letter) ||
			!sw_index_check_dimension(scan, &index[rank], letter, place->rank))
			return -1;
		int dim = dimension_of(&index[rank]);
		if (dim >= 0 && used[dim].end > 0) {
			refuse_letter_twice(scan, used[dim], letter, index[rank].letter);
			return -1;
		}
		if (dim >= 0)
			used[dim] = letter;
		rank++;
	} while (sw_scan_take(scan, ','));
	return rank;
}

static bool read_to(sw_scan *scan)
{
	sw_span at;
	size_t before = scan->at;

	if (sw_str_is(sw_scan_bare(scan, &at), "to"))
		return true;
	scan->at = before;
	return sw_scan_unexpected(scan, "an index, or `to` and the sizes of the array", nowhere);
}

static bool refuse_elements(sw_scan *scan, sw_span at)
{
	sw_diag_set(scan->diag, SW_T10, at, "the array has more elements than 64 bits count");
	sw_diag_expected(scan->diag, "fewer than 2^63 elements in the whole array");
	sw_diag_found(scan->diag, "%s", sw_scan_quote((sw_str){scan->text.at + at.begin, at.end - at.begin}).text);
	return false;
}

static bool read_sizes(sw_scan *scan, int rank, int64_t *size)
{
	static const sw_size_words words = {"size", SW_T05, SW_L12, INT64_MAX};
	int64_t elements = 1;
	sw_span at;

	for (int dim = 0; dim < rank; dim++) {
		if (dim > 0 && !sw_scan_expect(scan, ',', "',' and the size of the next dimension", nowhere))
			return false;
		if (!sw_scan_size(scan, words, nowhere, &size[dim], &at))
			return false;
		if (!sw_mul(elements, size[dim], &elements))
			return refuse_elements(scan, at);
	}
	return true;
}

static bool read_through(sw_scan *scan, const sw_word_place *place, sw_word *word)
{
	sw_index read[SW_MAX_DIMS];
	int rank = read_indices(scan, place, read);

	if (rank < 0)
		return false;
	sw_index *index = SW_NEW(place->arena, sw_index, rank);
	int64_t *size = SW_NEW(place->arena, int64_t, rank);
	if (index == NULL || size == NULL)
		return sw_diag_memory(scan->diag);
	memcpy(index, read, (size_t)rank * sizeof *index);
	word->index = index;
	word->rank = rank;
	word->size = size;
	return read_to(scan) && read_sizes(scan, rank, size);
}

static bool act_through(const sw_word *word, sw_arena *arena, sw_indices *set)
{
	static const sw_family one = {0, 1, 1, 1};
	sw_indices before[SW_MAX_DIMS];
	bool empty = false;

	for (int dim = 0; dim < word->rank_before; dim++) {
		before[dim] = set[dim];
		empty |= set[dim].count == 0;
	}
	for (int dim = 0; dim < word->rank; dim++) {
		int of = dimension_of(&word->index[dim]);
		sw_indices any = {!empty, &one};
		if (!sw_index_image(&word->index[dim], of >= 0 && !empty ? &before[of] : &any, word->size[dim], false, arena,
				&set[dim]))
			return false;
	}
	return true;
}

static void stretch_through(const sw_word *word, int64_t device, sw_stretch *stretch)
{
	(void)word;
	(void)device;
	sw_stretch_end(stretch, 1);
}

static void print_through(const sw_mesh *mesh, const sw_word *word, sw_text *text)
{
	(void)mesh;
	for (int dim = 0; dim < word->rank; dim++) {
		sw_text_add(text, dim > 0 ? ", " : "");
		sw_index_print(&word->index[dim], text);
	}
	for (int dim = 0; dim < word->rank; dim++) {
		sw_text_add(text, dim > 0 ? ", " : " to ");
		sw_text_add_int(text, word->size[dim]);
	}
}

/* ---- rows ---- */

static const sw_word_row rows[] = {
	{"on", read_on, print_on, has_on, NULL, stretch_on},
	{"only", read_only, print_only, NULL, act_only, stretch_only},
	{"crop", read_crop, print_only, NULL, act_crop, stretch_crop},
	{"shift", read_shift, print_shift, NULL, act_shift, stretch_shift},
	{"through", read_through, print_through, NULL, act_through, stretch_through},
};

const sw_word_row *sw_word_row_at(int n)
{
	return n >= 0 && (size_t)n < sizeof rows / sizeof *rows ? &rows[n] : NULL;
}

const sw_word_row *sw_word_named(sw_str name)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (sw_str_is(name, rows[i].word))
			return &rows[i];
	return NULL;
}
