/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Domain maps of Chapel: block, cyclic, block-cyclic, stencil.
 *
 *     {1..8, 1..8} dmapped new blockDist(boundingBox={1..8, 1..8})      {0..9} dmapped Cyclic(startIdx=0)
 *     const D = {1..9, 1..9} dmapped new blockCycDist(startIdx=(1,1), blocksize=(2,3));
 *     var A = stencilDist.createArray({1..8}, real, fluff=(1,)) on 4
 *
 * Source: the documentation of BlockDist, CyclicDist, BlockCycDist and StencilDist; `_factor` in DSIUtil.chpl.
 */
#define _GNU_SOURCE
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#define MOST_LOCALES (1 << 14) /* along a dimension, where each has a piece that is stated */
#define FARTHEST (INT64_C(1) << 50)

static const sw_span nowhere = {0, 0};

enum kind { BLOCK, CYCLIC, BLOCK_CYCLIC, STENCIL };

/* Names of today and of older releases; the longer ones first where one begins another. */
static const struct {
	const char *name;
	enum kind kind;
} names[] = {
	{"blockCycDist", BLOCK_CYCLIC},
	{"BlockCyclic", BLOCK_CYCLIC},
	{"blockCyclicDist", BLOCK_CYCLIC},
	{"blockDist", BLOCK},
	{"Block", BLOCK},
	{"cyclicDist", CYCLIC},
	{"Cyclic", CYCLIC},
	{"stencilDist", STENCIL},
	{"Stencil", STENCIL},
};

typedef struct domain {
	int rank; /* 0: not said */
	int64_t low[SW_MAX_DIMS], size[SW_MAX_DIMS];
	sw_span at;
} domain;

typedef struct mapped {
	sw_reader *reader;
	enum kind kind;
	domain indices, box;
	int starts, blocks; /* how many are said; one holds for all dimensions */
	int64_t start[SW_MAX_DIMS], block[SW_MAX_DIMS];
	sw_grid grid;
	bool fluff;
	sw_span at;
} mapped;

/* ---- domains ---- */

static bool refuse_range(sw_reader *reader, sw_span at, const char *why)
{
	at.end = reader->scan.at > at.begin ? reader->scan.at : at.end;
	sw_diag_set(reader->scan.diag, SW_N01, at, "%s", why);
	sw_diag_expected(reader->scan.diag, "ranges such as 1..8, 0..<8 or 1..#8");
	return false;
}

/* `1..8`, `0..<8`, `1..#8` */
static bool read_range(sw_reader *reader, int64_t *low, int64_t *size)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	int64_t last;

	if (!sw_read_signed(reader, low) || !sw_read_sign(reader, ".."))
		return refuse_range(reader, at, "this is not a range of whole numbers");
	bool count = sw_read_sign(reader, "#"), open = !count && sw_read_sign(reader, "<");
	if (!sw_read_signed(reader, &last))
		return refuse_range(reader, at, "the end of the range is not a whole number");
	if (*low < -FARTHEST || *low > FARTHEST || last < -FARTHEST || last > FARTHEST)
		return refuse_range(reader, at, "the range is too large");
	*size = count ? last : last - *low + !open;
	if (sw_read_word(reader, "by"))
		return refuse_range(reader, at, "a range with a stride has gaps: no array of the language has");
	return *size >= 1 || refuse_range(reader, at, "the range is empty");
}

/* Ranges with commas up to something else. */
static bool read_ranges(sw_reader *reader, domain *of)
{
	size_t before;

	of->at = sw_scan_next_span(&reader->scan);
	do {
		if (of->rank == SW_MAX_DIMS)
			return sw_read_refuse(reader, "at most 16 dimensions");
		if (!read_range(reader, &of->low[of->rank], &of->size[of->rank]))
			return false;
		of->rank++;
		before = reader->scan.at;
		if (!sw_scan_take(&reader->scan, ','))
			break;
		int next = sw_scan_peek(&reader->scan);
		if ((next < '0' || next > '9') && next != '-')
			break;
	} while (true);
	reader->scan.at = before;
	of->at.end = reader->scan.at;
	return true;
}

static bool read_braces(sw_reader *reader, domain *of)
{
	sw_span open = sw_scan_next_span(&reader->scan);

	return sw_scan_expect(&reader->scan, '{', "a domain such as {1..8, 1..8}", nowhere) && read_ranges(reader, of) &&
		sw_scan_expect(&reader->scan, '}', "'}'", open);
}

/* `{1..8}` behind the name of a domain and `=`, anywhere in the text. */
static bool find_named(sw_reader *reader, sw_str name, domain *of)
{
	sw_scan *scan = &reader->scan;
	size_t before = scan->at;

	for (size_t at = 0; at + name.length < scan->text.length; at++) {
		if (!sw_str_starts(sw_str_behind(scan->text, at), "{"))
			continue;
		sw_str left = sw_str_trim((sw_str){scan->text.at, at});
		if (left.length < 2 || left.at[left.length - 1] != '=')
			continue;
		left = sw_str_trim((sw_str){left.at, left.length - 1});
		if (left.length < name.length || memcmp(left.at + left.length - name.length, name.at, name.length) != 0)
			continue;
		scan->at = at;
		bool ok = read_braces(reader, of);
		scan->at = before;
		return ok;
	}
	return true;
}

/* A domain in braces, or the name of one, whose value may stand elsewhere; a name without a value is passed over. */
static bool read_domain(sw_reader *reader, domain *of)
{
	sw_span at;

	if (sw_read_sees(reader, "{"))
		return read_braces(reader, of);
	sw_str name = sw_scan_bare(&reader->scan, &at);
	if (name.length > 0 && !find_named(reader, name, of))
		return false;
	sw_py_value(&reader->scan);
	return true;
}

/* ---- arguments ---- */

/* `1`, `(1, 1)`; anything else, such as `Space.low`, says nothing. */
static bool read_tuple(sw_reader *reader, int64_t *number, int *count)
{
	sw_span open = sw_scan_next_span(&reader->scan);

	*count = 0;
	if (!sw_read_sees(reader, "(")) {
		*count = sw_read_signed(reader, number);
		sw_py_value(&reader->scan);
		return true;
	}
	reader->scan.at = open.begin + 1;
	for (bool more = true; more;) {
		if (*count > 0 && sw_scan_take(&reader->scan, ')'))
			return true;
		if (*count == SW_MAX_DIMS || !sw_read_signed(reader, &number[*count]))
			return sw_read_refuse(reader, "a whole number for each dimension");
		++*count;
		if (!sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
	}
	return true;
}

/* `reshape(Locales, {0..2, 0..1})`: the sizes of the grid; `Locales` alone says none. */
static bool read_locales(sw_reader *reader, sw_grid *grid)
{
	size_t begin = reader->scan.at;
	domain shape = {0};

	sw_py_value(&reader->scan);
	size_t end = reader->scan.at;
	const char *brace = memchr(reader->scan.text.at + begin, '{', end - begin);
	if (brace == NULL)
		return true;
	reader->scan.at = (size_t)(brace - reader->scan.text.at);
	if (!read_braces(reader, &shape))
		return false;
	grid->count = shape.rank;
	memcpy(grid->size, shape.size, sizeof grid->size);
	reader->scan.at = end;
	return true;
}

static bool read_argument(mapped *m, int position)
{
	static const char *const keywords[] = {"boundingBox", "startIdx", "blocksize", "targetLocales", "fluff"};
	enum { BOX, START, SIZE, LOCALES, FLUFF, OTHER };
	bool boxed = m->kind == BLOCK || m->kind == STENCIL;
	int which = OTHER;
	sw_reader *reader = m->reader;
	size_t before = reader->scan.at;

	for (int i = 0; i < OTHER; i++)
		if (which == OTHER && sw_read_word(reader, keywords[i]))
			which = i;
	if (which != OTHER && !sw_read_sign(reader, "=")) {
		reader->scan.at = before;
		which = OTHER;
	}
	if (which == OTHER && position == 0)
		which = boxed ? BOX : START;
	else if (which == OTHER && position == 1 && m->kind == BLOCK_CYCLIC)
		which = SIZE;
	switch (which) {
	case BOX:
		return read_domain(reader, &m->box);
	case START:
		return read_tuple(reader, m->start, &m->starts);
	case SIZE:
		return read_tuple(reader, m->block, &m->blocks);
	case LOCALES:
		return read_locales(reader, &m->grid);
	default:
		m->fluff = m->fluff || which == FLUFF;
		sw_py_value(&reader->scan);
		return true;
	}
}

/* The arguments of the map; of `createDomain` and `createArray` the domain comes first. */
static bool read_arguments(mapped *m, bool creates)
{
	sw_reader *reader = m->reader;
	sw_span open = sw_scan_next_span(&reader->scan);
	bool more = true;
	int position = creates ? 2 : 0;

	if (!sw_scan_expect(&reader->scan, '(', "'(' and the arguments of the map", nowhere))
		return false;
	if (creates) {
		int next = sw_scan_peek(&reader->scan);
		bool ranges = (next >= '0' && next <= '9') || next == '-';
		if (!(ranges ? read_ranges(reader, &m->indices) : read_domain(reader, &m->indices)) ||
			!sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
	} else if (sw_scan_take(&reader->scan, ')')) {
		return true;
	}
	while (more)
		if (!read_argument(m, position++) || !sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
	return true;
}

/* ---- the text ---- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The place of the map's name with what opens its arguments; the length: there is none. */
static size_t find_map(mapped *m, sw_str text, size_t *behind)
{
	for (size_t at = 0; at < text.length; at++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			size_t end = at + strlen(names[i].name);
			if (!sw_str_starts(sw_str_behind(text, at), names[i].name) || (at > 0 && is_letter(text.at[at - 1])) ||
				end == text.length || is_letter(text.at[end]))
				continue;
			m->kind = names[i].kind;
			*behind = end;
			return at;
		}
	return text.length;
}

/* The domain in front of `dmapped`, or behind the map and `=`. */
static bool read_outer_domain(mapped *m, size_t map)
{
	sw_reader *reader = m->reader;
	sw_scan *scan = &reader->scan;
	size_t after = scan->at;
	const char *word = memmem(scan->text.at, map, "dmapped", 7);
	size_t dmapped = word != NULL ? (size_t)(word - scan->text.at) : 0;
	const char *brace = memrchr(scan->text.at, '{', dmapped);

	if (sw_read_sign(reader, "="))
		return read_domain(reader, &m->indices);
	if (brace != NULL) {
		scan->at = (size_t)(brace - scan->text.at);
		bool ok = read_braces(reader, &m->indices);
		scan->at = after;
		return ok;
	}
	sw_str left = sw_str_trim((sw_str){scan->text.at, dmapped});
	size_t begin = left.length;
	while (begin > 0 && is_letter(left.at[begin - 1]))
		begin--;
	return begin == left.length || find_named(reader, sw_str_behind(left, begin), &m->indices);
}

/* No map that is known: the word behind `dmapped` is the wrong one, where there is one. */
static bool refuse_map(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	const char *word = memmem(scan->text.at, scan->text.length, "dmapped", 7);
	if (word != NULL) {
		scan->at = (size_t)(word - scan->text.at) + 7;
		sw_read_sign(reader, "new ");
	}
	return sw_read_refuse(reader, "a domain `dmapped` by blockDist, cyclicDist, blockCycDist or stencilDist");
}

static bool read_text(mapped *m)
{
	sw_reader *reader = m->reader;
	sw_scan *scan = &reader->scan;
	size_t behind = 0, map = find_map(m, scan->text, &behind);

	if (map == scan->text.length)
		return refuse_map(reader);
	m->at = (sw_span){map, behind};
	scan->at = behind;
	bool creates = sw_read_sign(reader, ".createDomain") || sw_read_sign(reader, ".createArray");
	if (!read_arguments(m, creates))
		return false;
	sw_read_pass(reader, ")");
	if (!creates && !read_outer_domain(m, map))
		return false;
	sw_grid behind_it;
	sw_read_pass(reader, ";,");
	if (!sw_read_on_grid(reader, &behind_it))
		return false;
	if (behind_it.count > 0)
		m->grid = behind_it;
	sw_read_pass(reader, ";");
	return true;
}

/* ---- locales ---- */

/* As Chapel arranges locales in a grid: each prime factor to the smallest side, then sides in descending order. */
static void factor(int64_t locales, int rank, int64_t *side)
{
	for (int dim = 0; dim < rank; dim++)
		side[dim] = 1;
	for (int64_t prime = 2; locales > 1; prime++) {
		prime = prime * prime > locales ? locales : prime;
		while (locales % prime == 0) {
			int least = 0;
			for (int dim = 1; dim < rank; dim++)
				least = side[dim] < side[least] ? dim : least;
			side[least] *= prime;
			locales /= prime;
		}
	}
	for (int i = 0; i < rank; i++)
		for (int j = i + 1; j < rank; j++)
			if (side[i] < side[j]) {
				int64_t swapped = side[i];
				side[i] = side[j];
				side[j] = swapped;
			}
}

static bool refuse_locales(const mapped *m)
{
	sw_diag *diag = m->reader->scan.diag;

	sw_diag_set(diag, SW_N03, m->at, "the number of locales is unknown");
	sw_diag_expected(diag, "a mesh, such as mesh {r: 3, c: 2}, or `on 3 x 2` behind it");
	return false;
}

static void say_own_grid(mapped *m, const int64_t *own)
{
	sw_text text = {0};

	for (int dim = 0; dim < m->grid.count; dim++)
		sw_text_addf(&text, "%s%" PRId64, dim > 0 ? " x " : "", own[dim]);
	sw_read_note(m->reader, "the axes of the mesh are the grid of locales; without targetLocales Chapel makes it %s",
		sw_text_get(&text));
	sw_text_free(&text);
}

/* What is said, else the mesh where it has as many axes, else as Chapel arranges so many. */
static bool take_locales(mapped *m)
{
	const sw_notation_context *context = m->reader->context;
	const sw_mesh *mesh = context != NULL ? context->mesh : NULL;
	int rank = m->indices.rank;
	int64_t own[SW_MAX_DIMS];

	if (m->grid.count == 0 && mesh == NULL)
		return refuse_locales(m);
	if (m->grid.count == 0 || (m->grid.count == 1 && rank > 1)) {
		int64_t locales = m->grid.count == 1 ? m->grid.size[0] : mesh->devices;
		bool axes = m->grid.count == 0 && mesh->count == rank;
		factor(locales, rank, own);
		m->grid.count = rank;
		for (int dim = 0; dim < rank; dim++)
			m->grid.size[dim] = axes ? mesh->axis[dim].size : own[dim];
		if (axes && memcmp(own, m->grid.size, (size_t)rank * sizeof *own) != 0)
			say_own_grid(m, own);
	}
	if (m->grid.count == rank)
		return sw_read_take_grid(m->reader, &m->grid, m->at);
	sw_diag_set(m->reader->scan.diag, SW_N05, m->at, "the locales have %d dimensions, the domain %d", m->grid.count,
		rank);
	sw_diag_expected(m->reader->scan.diag, "as many, or one");
	return false;
}

/* ---- as a type ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t remainder_of(int64_t a, int64_t b)
{
	return a - floor_div(a, b) * b;
}

/* The first index that lies on a locale or on a later one, by the bounding box. */
static bool begin_of(const mapped *m, int dim, int64_t locale, int64_t *begin)
{
	int64_t locales = m->grid.size[dim], product;

	if (!sw_mul(m->box.size[dim], locale, &product))
		return false;
	*begin = m->box.low[dim] + product / locales + (product % locales != 0);
	return true;
}

static int64_t within(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* Where the domain is not its bounding box each locale has a piece; the first and last ones have all that lies outside. */
static bool add_pieces(mapped *m, int dim, sw_text *type)
{
	int64_t low = m->indices.low[dim], end = low + m->indices.size[dim], locales = m->grid.size[dim], at = low;

	if (locales > MOST_LOCALES) {
		sw_diag_set(m->reader->scan.diag, SW_S08, m->box.at, "the domain is not its bounding box");
		sw_diag_expected(m->reader->scan.diag, "the same, on more than %d locales", MOST_LOCALES);
		return false;
	}
	for (int64_t locale = 0; locale < locales; locale++) {
		int64_t next = end;
		if (locale + 1 < locales && !begin_of(m, dim, locale + 1, &next))
			return sw_diag_set(m->reader->scan.diag, SW_T10, m->at, "the bounding box is too large");
		next = locale + 1 < locales ? within(next, at, end) : end;
		sw_text_addf(type, "%s%" PRId64, locale > 0 ? "+" : "", next - at);
		at = next;
	}
	return true;
}

/* How far into a block the domain begins. */
static int64_t offset_of(const mapped *m, int dim)
{
	return m->kind == BLOCK_CYCLIC ? remainder_of(m->indices.low[dim] - m->start[dim], m->block[dim]) : 0;
}

static void add_rounds(const mapped *m, int dim, sw_text *type)
{
	int64_t locales = m->grid.size[dim], size = m->indices.size[dim] + offset_of(m, dim),
			block = m->kind == BLOCK_CYCLIC ? m->block[dim] : 1,
			first = remainder_of(floor_div(m->indices.low[dim] - m->start[dim], block), locales);

	sw_text_addf(type, "%" PRId64 "{%s", block < size ? block : size, m->grid.name[dim]);
	if (first > 0)
		sw_text_addf(type, "@%" PRId64, first);
	sw_text_addf(type, ",..}%" PRId64, size);
}

static bool is_box(const mapped *m, int dim)
{
	return m->indices.low[dim] == m->box.low[dim] && m->indices.size[dim] == m->box.size[dim];
}

/* Returns whether a rule is needed behind the bracket in *by. */
static bool add_dimension(mapped *m, int dim, sw_text *type, bool *by)
{
	if (m->kind == CYCLIC || m->kind == BLOCK_CYCLIC) {
		add_rounds(m, dim, type);
		return true;
	}
	bool box = is_box(m, dim) || m->grid.size[dim] == 1;
	*by = *by || box;
	if (!box && !add_pieces(m, dim, type))
		return false;
	sw_text_addf(type, "{%s}%" PRId64, m->grid.name[dim], m->indices.size[dim]);
	return true;
}

static void add_crop(const mapped *m, sw_text *type)
{
	bool crops = false;

	for (int dim = 0; dim < m->indices.rank; dim++)
		crops = crops || offset_of(m, dim) > 0;
	for (int dim = 0; crops && dim < m->indices.rank; dim++)
		sw_text_addf(type, "%s%" PRId64 ":%" PRId64, dim > 0 ? ", " : " crop ", offset_of(m, dim),
			offset_of(m, dim) + m->indices.size[dim]);
}

/* Indices of the language count from 0. */
static void say_lows(const mapped *m)
{
	sw_text text = {0};
	bool other = false;

	for (int dim = 0; dim < m->indices.rank; dim++) {
		other = other || m->indices.low[dim] != 0;
		sw_text_addf(&text, "%s%" PRId64, dim > 0 ? ", " : "", m->indices.low[dim]);
	}
	if (other)
		sw_read_note(m->reader, "indices of the domain begin at %s, those of the type at 0", sw_text_get(&text));
	sw_text_free(&text);
	if (m->kind == STENCIL)
		sw_read_note(m->reader,
			"what fluff says are copies beside the blocks, which updateFluff() fetches: `T union T shift 1 union T shift -1`");
}

/* One number holds for all dimensions; where none is said they begin with the domain. */
static bool spread(mapped *m, int64_t *number, int count, const int64_t *otherwise, const char *what)
{
	for (int dim = 0; dim < m->indices.rank; dim++)
		number[dim] = count == 0 ? otherwise[dim] : count == 1 ? number[0] : number[dim];
	if (count <= 1 || count == m->indices.rank)
		return true;
	sw_diag_set(m->reader->scan.diag, SW_N01, m->at, "%s has %d numbers, the domain %d %s", what, count,
		m->indices.rank, m->indices.rank == 1 ? "dimension" : "dimensions");
	sw_diag_expected(m->reader->scan.diag, "a number for each dimension");
	return false;
}

static bool refuse_block(const mapped *m)
{
	sw_diag_set(m->reader->scan.diag, SW_N01, m->at, "a block-cyclic map has blocks of 1 and more");
	sw_diag_expected(m->reader->scan.diag, "blocksize=2, or blocksize=(2,3)");
	return false;
}

/* What the map leaves out, and whether it goes with the domain. */
static bool complete(mapped *m)
{
	sw_diag *diag = m->reader->scan.diag;
	static const int64_t none[SW_MAX_DIMS];

	if (m->indices.rank == 0)
		m->indices = m->box;
	if (m->box.rank == 0)
		m->box = m->indices;
	if (m->indices.rank == 0) {
		sw_diag_set(diag, SW_N03, m->at, "the mapped indices are unknown");
		sw_diag_expected(diag, "a domain such as {1..8, 1..8} in front of `dmapped`");
		return false;
	}
	if (m->box.rank != m->indices.rank) {
		sw_diag_set(diag, SW_N05, m->box.at, "the bounding box has %d dimensions, the domain %d", m->box.rank,
			m->indices.rank);
		sw_diag_expected(diag, "as many");
		return false;
	}
	if (!spread(m, m->start, m->starts, m->indices.low, "startIdx") ||
		!spread(m, m->block, m->blocks, none, "blocksize"))
		return false;
	for (int dim = 0; dim < m->indices.rank; dim++) {
		if (m->kind == BLOCK_CYCLIC && m->block[dim] < 1)
			return refuse_block(m);
		if (m->start[dim] < -FARTHEST || m->start[dim] > FARTHEST || m->block[dim] > FARTHEST)
			return refuse_range(m->reader, m->at, "startIdx or blocksize goes too far");
	}
	return true;
}

bool sw_read_chapel(sw_reader *reader)
{
	mapped m = {.reader = reader};
	sw_text type = {0};
	bool by = false;

	reader->out->notation = SW_NOTATION_CHAPEL;
	if (!read_text(&m) || !complete(&m) || !take_locales(&m))
		return false;
	sw_text_add_char(&type, '[');
	for (int dim = 0; dim < m.indices.rank; dim++) {
		sw_text_add(&type, dim > 0 ? ", " : "");
		if (!add_dimension(&m, dim, &type, &by)) {
			sw_text_free(&type);
			return false;
		}
	}
	sw_text_add(&type, by ? "] by floor" : "]");
	add_crop(&m, &type);
	say_lows(&m);
	return sw_read_words(reader, &type, m.indices.at);
}
