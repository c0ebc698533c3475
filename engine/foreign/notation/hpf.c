/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * High Performance Fortran: declarations with the directives that place them, with semicolons or line breaks between.
 *
 *     REAL X(24) ; DISTRIBUTE X(BLOCK(8)) ONTO P(4)
 *     PROCESSORS P(2,3) ; REAL A(9,9) ; DISTRIBUTE (CYCLIC(2), CYCLIC(2)) ONTO P :: A
 *     REAL X(6) ; DISTRIBUTE X(INDIRECT((/1,1,3,2,2,1/))) ONTO P(3)
 *     REAL X(24) ; TEMPLATE T(72) ; ALIGN X(I) WITH T(3*I) ; DISTRIBUTE T(CYCLIC(4)) ONTO P(3)
 *
 * What is aligned is the image of what the target has: the elements that lie at indices of the target, counted by their own.
 *
 * Source: HPF Language Specification 2.0, sections 3.3 and 3.4, and 8.4 (GEN_BLOCK, INDIRECT).
 */
#include "foreign/notation/read.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/access.h>
#include <shardwalk/number.h>

#define MOST_THINGS 32
#define FARTHEST (INT64_C(1) << 40)

static const sw_span nowhere = {0, 0};

enum what { UNKNOWN, ARRAY, TEMPLATE, PROCESSORS };
enum format { COLLAPSED, BLOCK, CYCLIC, GEN_BLOCK, INDIRECT };

/* How one dimension is distributed. */
typedef struct spread {
	enum format format;
	int64_t block;     /* 0: not said */
	sw_numbers listed; /* the sizes of the pieces, or the processor of each element */
	sw_span at;
} spread;

/* An index of the target: factor * dummy + offset, where `dim` is the dimension of the dummy; STAR and CONSTANT have none. */
enum { STAR = -1, CONSTANT = -2 };

typedef struct subscript {
	int dim;
	int64_t factor, offset;
	sw_span at;
} subscript;

typedef struct thing {
	sw_str name;
	sw_span at;
	enum what what;
	const char *dtype;
	int rank;
	int64_t low[SW_MAX_DIMS], size[SW_MAX_DIMS];
	int distributed; /* how many dimensions are said; 0: it is not */
	spread spread[SW_MAX_DIMS];
	sw_grid onto;
	sw_str onto_name;
	int with; /* what it is aligned with; -1: nothing */
	int subscripts;
	subscript subscript[SW_MAX_DIMS];
} thing;

typedef struct program {
	sw_reader *reader;
	int things;
	thing thing[MOST_THINGS];
	bool turned;
} program;

/* ---- words ---- */

static bool take_word(program *p, const char *word)
{
	size_t before = p->reader->scan.at;
	sw_span at;

	if (sw_str_same_letters(sw_scan_bare(&p->reader->scan, &at), sw_str_of(word)))
		return true;
	p->reader->scan.at = before;
	return false;
}

static bool take(program *p, const char *sign)
{
	return sw_read_sign(p->reader, sign);
}

static bool refuse(program *p, sw_span at, const char *why, const char *expected)
{
	sw_diag_set(p->reader->scan.diag, SW_N01, at, "%s", why);
	sw_diag_expected(p->reader->scan.diag, "%s", expected);
	return false;
}

/* The thing of this name, which is made where there is none; NULL: there are too many. */
static thing *thing_named(program *p, sw_str name, sw_span at)
{
	for (int i = 0; i < p->things; i++)
		if (sw_str_same_letters(p->thing[i].name, name))
			return &p->thing[i];
	if (p->things == MOST_THINGS) {
		refuse(p, at, "there are too many names", "at most 32");
		return NULL;
	}
	thing *made = &p->thing[p->things++];
	memset(made, 0, sizeof *made);
	made->name = name;
	made->at = at;
	made->dtype = "";
	made->with = -1;
	return made;
}

static thing *read_thing(program *p, const char *expected)
{
	sw_span at;
	sw_str name = sw_scan_bare(&p->reader->scan, &at);

	if (name.length > 0)
		return thing_named(p, name, at);
	sw_read_refuse(p->reader, expected);
	return NULL;
}

/* ---- declarations ---- */

/* `(24)`, `(0:23, 9)` */
static bool read_bounds(program *p, thing *of)
{
	sw_scan *scan = &p->reader->scan;
	sw_span open = sw_scan_next_span(scan), at;

	if (!sw_scan_expect(scan, '(', "'(' and the sizes", nowhere))
		return false;
	of->rank = 0;
	for (bool more = true; more;) {
		int64_t low = 1, high;
		at = sw_scan_next_span(scan);
		if (of->rank == SW_MAX_DIMS)
			return sw_read_refuse(p->reader, "at most 16 dimensions");
		if (!sw_read_signed(p->reader, &high))
			return sw_read_refuse(p->reader, "a size, or bounds such as 0:23");
		if (take(p, ":")) {
			low = high;
			if (!sw_read_signed(p->reader, &high))
				return sw_read_refuse(p->reader, "the upper bound");
		}
		at.end = scan->at;
		if (high < low || high > FARTHEST || low < -FARTHEST)
			return refuse(p, at, "there is no such dimension", "at least one element, and bounds of at most 2^40");
		of->low[of->rank] = low;
		of->size[of->rank++] = high - low + 1;
		if (!sw_scan_list(scan, ')', "a comma or ')'", open, &more))
			return false;
	}
	return true;
}

/* Names with bounds, and commas between them; where `shape` is not NULL a name may go without. */
static bool read_declared(program *p, enum what what, const char *dtype, const thing *shape)
{
	do {
		thing *made = read_thing(p, "the name of what is declared");
		if (made == NULL)
			return false;
		made->what = what;
		made->dtype = *dtype ? dtype : made->dtype;
		if (sw_read_sees(p->reader, "(")) {
			if (!read_bounds(p, made))
				return false;
		} else if (shape != NULL) {
			made->rank = shape->rank;
			memcpy(made->low, shape->low, sizeof made->low);
			memcpy(made->size, shape->size, sizeof made->size);
		}
	} while (sw_scan_take(&p->reader->scan, ','));
	return true;
}

/* `*8`, `(KIND=8)`: not more than steps over, but for the number. */
static int64_t read_kind(program *p)
{
	int64_t bytes = 0;
	size_t before = p->reader->scan.at;

	if (take(p, "*")) {
		sw_read_digits(p->reader, &bytes);
	} else if (take(p, "(")) {
		if (take_word(p, "KIND"))
			take(p, "=");
		if (!sw_read_digits(p->reader, &bytes) || !take(p, ")")) {
			p->reader->scan.at = before;
			return 0;
		}
	}
	return bytes;
}

/* `, DIMENSION(24) ::` and the names behind it. */
static bool read_attributes(program *p, enum what what, const char *dtype)
{
	thing shape = {.rank = 0};
	bool said = false;

	while (sw_scan_take(&p->reader->scan, ',')) {
		said = take_word(p, "DIMENSION");
		if (said ? !read_bounds(p, &shape) : !take_word(p, "DISTRIBUTE") && !take_word(p, "SAVE"))
			return said ? false : sw_read_refuse(p->reader, "DIMENSION(...)");
	}
	take(p, "::");
	return read_declared(p, what, dtype, shape.rank > 0 ? &shape : NULL);
}

static const struct kind_word {
	const char *word;
	const char *plain, *eight, *sixteen; /* element types, by the bytes that are said */
} kind_words[] = {
	{"REAL", "", "f64", ""},
	{"INTEGER", "i32", "i64", "i64"},
	{"COMPLEX", "c64", "c128", "c128"},
	{"LOGICAL", "i32", "i64", "i64"},
	{"DOUBLE", "f64", "f64", "f64"},
	{"DOUBLEPRECISION", "f64", "f64", "f64"},
};

/* *found: the statement was one. */
static bool read_declaration(program *p, bool *found)
{
	static const struct {
		const char *word;
		enum what what;
	} others[] = {{"DIMENSION", ARRAY}, {"TEMPLATE", TEMPLATE}, {"PROCESSORS", PROCESSORS}};

	*found = true;
	for (size_t i = 0; i < sizeof kind_words / sizeof *kind_words; i++) {
		if (!take_word(p, kind_words[i].word))
			continue;
		take_word(p, "PRECISION");
		int64_t bytes = read_kind(p);
		return read_attributes(p, ARRAY,
			bytes == 8    ? kind_words[i].eight :
				bytes > 8 ? kind_words[i].sixteen :
							kind_words[i].plain);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (take_word(p, others[i].word))
			return read_attributes(p, others[i].what, "");
	*found = false;
	return true;
}

/* ---- DISTRIBUTE ---- */

/* The numbers of GEN_BLOCK((/5,4,3,1/)) and INDIRECT((/1,1,3,2/)). */
static bool read_listed(program *p, const char *expected, sw_numbers *listed)
{
	bool open = take(p, "("), inner = open && take(p, "(");
	int64_t number;

	sw_read_pass(p->reader, "/[");
	while (sw_read_digits(p->reader, &number)) {
		if (!sw_numbers_add(listed, number, p->reader->arena, p->reader->scan.diag))
			return false;
		sw_read_pass(p->reader, ",");
	}
	sw_read_pass(p->reader, "/]");
	return (listed->count > 0 && open && (!inner || take(p, ")")) && take(p, ")")) ||
		sw_read_refuse(p->reader, expected);
}

static bool read_spread(program *p, spread *s)
{
	static const struct {
		const char *word;
		enum format format;
		const char *listed; /* NULL: it has no list */
	} formats[] = {{"BLOCK", BLOCK, NULL}, {"CYCLIC", CYCLIC, NULL},
		{"GEN_BLOCK", GEN_BLOCK, "GEN_BLOCK((/5,4,3,1/)), a number for each processor"},
		{"INDIRECT", INDIRECT, "INDIRECT((/1,1,3,2/)), a processor for each element"}};
	sw_span at = sw_scan_next_span(&p->reader->scan);

	*s = (spread){.format = COLLAPSED, .at = at};
	if (take(p, "*") || take(p, ":"))
		return true;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (!take_word(p, formats[i].word))
			continue;
		s->format = formats[i].format;
		if (formats[i].listed != NULL) {
			bool read = read_listed(p, formats[i].listed, &s->listed);
			s->at.end = p->reader->scan.at;
			return read;
		}
		if (!take(p, "("))
			return true;
		sw_scan_peek(&p->reader->scan);
		if (!sw_read_digits(p->reader, &s->block) || s->block < 1)
			return sw_read_refuse(p->reader, "the size of a block, 1 or more");
		return take(p, ")") || sw_read_refuse(p->reader, "')'");
	}
	return sw_read_refuse(p->reader,
		"BLOCK, BLOCK(8), CYCLIC, CYCLIC(4), GEN_BLOCK((/5,4,3,1/)), INDIRECT((/1,1,3,2/)) or *");
}

static bool read_spreads(program *p, thing *of)
{
	sw_scan *scan = &p->reader->scan;
	sw_span open = sw_scan_next_span(scan);
	bool more = true;

	if (!sw_scan_expect(scan, '(', "'(' and how each dimension is distributed", nowhere))
		return false;
	for (of->distributed = 0; more;)
		if (of->distributed == SW_MAX_DIMS || !read_spread(p, &of->spread[of->distributed++]) ||
			!sw_scan_list(scan, ')', "a comma or ')'", open, &more))
			return false;
	return true;
}

/* `ONTO P`, `ONTO P(4)` */
static bool read_onto(program *p, thing *of)
{
	sw_span at;
	thing *grid;

	if (!take_word(p, "ONTO"))
		return true;
	of->onto_name = sw_scan_bare(&p->reader->scan, &at);
	if (of->onto_name.length == 0)
		return sw_read_refuse(p->reader, "the processors, such as P(4)");
	grid = thing_named(p, of->onto_name, at);
	if (grid == NULL)
		return false;
	grid->what = PROCESSORS;
	return !sw_read_sees(p->reader, "(") || read_bounds(p, grid);
}

/* `:: A, B` behind a directive that names nothing: they are placed as `as` says. */
static bool read_placed(program *p, const thing *as)
{
	if (!take(p, "::"))
		return sw_read_refuse(p->reader, "`::` and the names of what it is about");
	do {
		thing *of = read_thing(p, "the name of an array");
		if (of == NULL)
			return false;
		of->distributed = as->distributed;
		memcpy(of->spread, as->spread, sizeof of->spread);
		of->onto_name = as->onto_name;
		of->with = as->with;
		of->subscripts = as->subscripts;
		memcpy(of->subscript, as->subscript, sizeof of->subscript);
	} while (sw_scan_take(&p->reader->scan, ','));
	return true;
}

static bool read_distribute(program *p)
{
	thing *as = SW_NEW_ZERO(p->reader->arena, thing, 1);
	bool listed = sw_read_sees(p->reader, "(");

	if (as == NULL)
		return sw_diag_memory(p->reader->scan.diag);
	as->with = -1;
	thing *of = listed ? as : read_thing(p, "the name of an array or template");
	return of != NULL && read_spreads(p, of) && read_onto(p, of) && (!listed || read_placed(p, as));
}

/* ---- ALIGN ---- */

/* The names of a list `(I, J)`: a dimension each; `*` and `:` have none. */
typedef struct dummies {
	int count;
	sw_str name[SW_MAX_DIMS]; /* empty: `*`; one colon: `:` */
} dummies;

static bool read_dummies(program *p, dummies *list)
{
	sw_scan *scan = &p->reader->scan;
	sw_span open = sw_scan_next_span(scan), at;

	list->count = 0;
	if (!sw_scan_take(scan, '('))
		return true;
	for (bool more = true; more;) {
		if (list->count == SW_MAX_DIMS)
			return sw_read_refuse(p->reader, "at most 16 dimensions");
		sw_str *name = &list->name[list->count++];
		at = sw_scan_next_span(scan);
		if (take(p, "*"))
			*name = (sw_str){"", 0};
		else if (take(p, ":"))
			*name = (sw_str){":", 1};
		else
			*name = sw_scan_bare(scan, &at);
		if (scan->at == at.begin)
			return sw_read_refuse(p->reader, "a name, such as I, `*` or `:`");
		if (!sw_scan_list(scan, ')', "a comma or ')'", open, &more))
			return false;
	}
	return true;
}

/* `3*I`, `I*3`, `I`, `5`: a part of a sum. */
static bool read_term(program *p, const dummies *list, int sign, subscript *s)
{
	sw_scan *scan = &p->reader->scan;
	int64_t factor = 1;
	sw_span at;

	sw_scan_peek(scan);
	bool number = sw_read_digits(p->reader, &factor);
	factor = number ? factor : 1;
	if (number && !take(p, "*")) {
		s->offset += sign * factor;
		return factor <= FARTHEST;
	}
	sw_str name = sw_scan_bare(scan, &at);
	int64_t behind = 1;
	if (!number && take(p, "*") && !sw_read_digits(p->reader, &behind))
		return false;
	if (name.length == 0 || factor > FARTHEST || behind > FARTHEST || !sw_mul(factor, behind, &factor) ||
		factor > FARTHEST)
		return false;
	for (int dim = 0; dim < list->count; dim++)
		if (list->name[dim].length > 0 && sw_str_same_letters(list->name[dim], name)) {
			if (s->dim >= 0 && s->dim != dim)
				return false;
			s->dim = dim;
			s->factor += sign * factor;
			return true;
		}
	return false;
}

static bool read_subscript(program *p, const dummies *list, int *colons, subscript *s)
{
	sw_scan *scan = &p->reader->scan;
	sw_span at = sw_scan_next_span(scan);

	*s = (subscript){.dim = STAR, .at = at};
	if (take(p, "*"))
		return true;
	if (take(p, ":")) {
		while (*colons < list->count && !sw_str_is(list->name[*colons], ":"))
			++*colons;
		s->dim = *colons < list->count ? (*colons)++ : STAR;
		s->factor = 0; /* index for index */
		return s->dim >= 0 || refuse(p, at, "there is no `:` left for this one", "as many of them at both places");
	}
	s->dim = CONSTANT;
	int sign = take(p, "-") ? -1 : 1;
	do {
		if (!read_term(p, list, sign, s)) {
			at.end = scan->at > at.end ? scan->at : at.end;
			return refuse(p, at, "an index of the target is affine in one of the names",
				"such as I, 3*I, I+1, 25-I, a number, `:` or `*`");
		}
		sign = take(p, "+") ? 1 : take(p, "-") ? -1 : 0;
	} while (sign != 0);
	s->at.end = scan->at;
	if (s->dim >= 0 && s->factor == 0)
		return refuse(p, s->at, "the name has the factor 0", "a number alone");
	return true;
}

/* `T(3*I, *)`, or `T`: index for index. */
static bool read_target(program *p, const dummies *list, thing *of)
{
	sw_scan *scan = &p->reader->scan;
	thing *target = read_thing(p, "the name of what it is aligned with");
	int colons = 0;
	bool more = true;

	if (target == NULL)
		return false;
	of->with = (int)(target - p->thing);
	of->subscripts = 0;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_take(scan, '('))
		return true;
	while (more)
		if (of->subscripts == SW_MAX_DIMS || !read_subscript(p, list, &colons, &of->subscript[of->subscripts++]) ||
			!sw_scan_list(scan, ')', "a comma or ')'", open, &more))
			return false;
	return true;
}

static bool read_align(program *p)
{
	thing *as = SW_NEW_ZERO(p->reader->arena, thing, 1);
	dummies list = {0};
	bool listed = sw_read_sees(p->reader, "(") || take_word(p, "WITH");

	if (as == NULL)
		return sw_diag_memory(p->reader->scan.diag);
	as->with = -1;
	if (listed && !sw_read_sees(p->reader, "("))
		return read_target(p, &list, as) && read_placed(p, as);
	thing *of = listed ? as : read_thing(p, "the name of an array");
	if (of == NULL || !read_dummies(p, &list))
		return false;
	if (!take_word(p, "WITH"))
		return sw_read_refuse(p->reader, "WITH and the target, such as WITH T(3*I)");
	return read_target(p, &list, of) && (!listed || read_placed(p, as));
}

/* ---- statements ---- */

static bool take_sentinel(program *p)
{
	return take(p, "!HPF$") || take(p, "!hpf$") || take(p, "CHPF$") || take(p, "*HPF$");
}

static bool read_statement(program *p)
{
	bool found;

	while (take_sentinel(p)) {}
	if (take_word(p, "DISTRIBUTE"))
		return read_distribute(p);
	if (take_word(p, "ALIGN"))
		return read_align(p);
	size_t before = p->reader->scan.at;
	bool turned = sw_read_turned(p->reader);
	if (p->reader->scan.at > before) {
		p->turned = turned;
		return true;
	}
	if (!read_declaration(p, &found) || found)
		return found;
	return sw_read_refuse(p->reader, "a declaration, PROCESSORS, TEMPLATE, ALIGN or DISTRIBUTE");
}

static bool read_statements(program *p)
{
	sw_scan *scan = &p->reader->scan;

	sw_read_pass(p->reader, ";");
	while (sw_scan_peek(scan) >= 0) {
		if (!read_statement(p))
			return false;
		sw_read_pass(p->reader, ";");
	}
	return true;
}

/* ---- as a type ---- */

static bool refuse_name(program *p, const thing *of, const char *why, const char *expected)
{
	sw_diag_set(p->reader->scan.diag, SW_N03, of->at, "%.*s %s", (int)(of->name.length < 60 ? of->name.length : 60),
		of->name.at, why);
	sw_diag_expected(p->reader->scan.diag, "%s", expected);
	return false;
}

/* The dimensions that are dealt to processors. */
static int dealt(const thing *of)
{
	int count = 0;

	for (int dim = 0; dim < of->distributed; dim++)
		count += of->spread[dim].format != COLLAPSED;
	return count;
}

/* What ONTO says, or the mesh that is known. */
static bool take_processors(program *p, thing *of)
{
	const sw_mesh *mesh = p->reader->context != NULL ? p->reader->context->mesh : NULL;
	int count = dealt(of);
	thing *onto = of->onto_name.length > 0 ? thing_named(p, of->onto_name, of->at) : NULL;

	of->onto = (sw_grid){.turned = p->turned};
	if (onto != NULL && onto->rank > 0) {
		of->onto.count = onto->rank;
		memcpy(of->onto.size, onto->size, sizeof onto->size);
	} else if (mesh != NULL) {
		of->onto.count = mesh->count == count ? count : 1;
		for (int axis = 0; axis < of->onto.count; axis++)
			of->onto.size[axis] = mesh->count == count ? mesh->axis[axis].size : mesh->devices;
	} else {
		return refuse_name(p, of, "is distributed, but not onto given processors", "ONTO P(4)");
	}
	if (of->onto.count != count)
		return refuse_name(p, of, "has other dimensions than its processors",
			"a dimension of processors for each that is not `*`");
	if (count > 1 && onto != NULL)
		sw_read_note(p->reader, "processors are counted %s: HPF leaves that to the compiler",
			p->turned ? "column by column" : "row by row (`column-major` behind it: column by column)");
	return sw_read_take_grid(p->reader, &of->onto, of->at);
}

static bool refuse_block(program *p, const spread *s, int64_t size, int64_t processors)
{
	sw_diag *diag = p->reader->scan.diag;

	sw_diag_set(diag, SW_N01, s->at,
		"BLOCK(%" PRId64 ") on %" PRId64 " processors has fewer than %" PRId64 " elements", s->block, processors,
		size);
	sw_diag_expected(diag, "BLOCK(%" PRId64 ") at least", size / processors + (size % processors != 0));
	sw_diag_found(diag, "%" PRId64, s->block);
	return false;
}

static void add_pieces(const sw_numbers *pieces, sw_text *type)
{
	for (int64_t i = 0; i < pieces->count; i++)
		sw_text_addf(type, "%s%" PRId64, i > 0 ? "+" : "", pieces->at[i]);
}

static bool add_dimension(program *p, const thing *of, int dim, int grid, sw_text *type, bool *by)
{
	const spread *s = &of->spread[dim];
	int64_t size = of->size[dim], processors = of->onto.size[grid], product,
			block = s->block == 0 ? 1 :
		s->block < size           ? s->block :
									size;
	const char *axis = of->onto.name[grid];

	if (s->format == BLOCK && s->block > 0 && sw_mul(s->block, processors, &product) && product < size)
		return refuse_block(p, s, size, processors);
	if (s->format == BLOCK && s->block == 0) {
		*by = true;
		sw_text_addf(type, "{%s}", axis);
	} else if (s->format == GEN_BLOCK) {
		add_pieces(&s->listed, type);
		sw_text_addf(type, "{%s}", axis);
	} else {
		sw_text_addf(type, "%" PRId64 "{%s,..}", block, axis);
	}
	sw_text_addf(type, "%" PRId64, size);
	return true;
}

/* ---- stated owners ---- */

static bool refuse_owner(program *p, const spread *s, int64_t low, int64_t processors, int64_t owner)
{
	sw_diag *diag = p->reader->scan.diag;

	sw_diag_set(diag, SW_N01, s->at, "INDIRECT names processor %" PRId64 ", which does not exist", owner);
	sw_diag_expected(diag, "%" PRId64 " to %" PRId64, low, low + processors - 1);
	return false;
}

/* One processor that there is for each element. */
static bool check_owners(program *p, const thing *of, int64_t low)
{
	const spread *s = &of->spread[0];
	sw_diag *diag = p->reader->scan.diag;

	if (of->rank != 1)
		return refuse_name(p, of, "has several dimensions, and the processors of INDIRECT are those of a line",
			"INDIRECT of an array of one dimension; a union of types says others");
	for (int64_t i = 0; i < s->listed.count; i++)
		if (s->listed.at[i] < low || s->listed.at[i] - low >= of->onto.size[0])
			return refuse_owner(p, s, low, of->onto.size[0], s->listed.at[i]);
	if (s->listed.count == of->size[0])
		return true;
	sw_diag_set(diag, SW_N01, s->at, "INDIRECT names a processor for each element");
	sw_diag_expected(diag, "%" PRId64 " processors", of->size[0]);
	sw_diag_found(diag, "%" PRId64, s->listed.count);
	return false;
}

/* The elements of each processor one after the other: of processor n those from first[n] to first[n + 1] - 1. */
static bool sort_elements(program *p, const thing *of, int64_t low, int64_t *first, int64_t *element)
{
	const sw_numbers *owner = &of->spread[0].listed;

	if (first == NULL || element == NULL)
		return sw_diag_memory(p->reader->scan.diag);
	for (int64_t i = 0; i < owner->count; i++)
		first[owner->at[i] - low + 2]++;
	for (int64_t n = 2; n < of->onto.size[0] + 2; n++)
		first[n] += first[n - 1];
	for (int64_t i = 0; i < owner->count; i++)
		element[first[owner->at[i] - low + 1]++] = i;
	return true;
}

/* `[6] at {0: 0-1 5; 1: 3-4; 2: 2}` */
static bool add_indirect(program *p, const thing *of, sw_text *type)
{
	const thing *onto = of->onto_name.length > 0 ? thing_named(p, of->onto_name, of->at) : NULL;
	int64_t low = onto != NULL && onto->rank > 0 ? onto->low[0] : 1, processors = of->onto.size[0];
	int64_t *first = SW_NEW_ZERO(p->reader->arena, int64_t, processors + 2);
	int64_t *element = SW_NEW(p->reader->arena, int64_t, of->spread[0].listed.count + 1);

	if (!check_owners(p, of, low) || !sort_elements(p, of, low, first, element))
		return false;
	sw_text_addf(type, "[%" PRId64 "] at {", of->size[0]);
	for (int64_t n = 0; n < processors; n++) {
		sw_text_addf(type, "%s%" PRId64 ":", n > 0 ? "; " : "", n);
		for (int64_t i = first[n], end; i < first[n + 1]; i = end) {
			for (end = i + 1; end < first[n + 1] && element[end] == element[end - 1] + 1;)
				end++;
			sw_text_addf(type, " %" PRId64, element[i]);
			if (end > i + 1)
				sw_text_addf(type, "-%" PRId64, element[end - 1]);
		}
	}
	sw_text_add_char(type, '}');
	return true;
}

static bool add_distributed(program *p, thing *of, sw_text *type)
{
	bool by = false;
	int grid = 0;

	if (of->distributed != of->rank)
		return refuse_name(p, of, "has other dimensions than its directive", "BLOCK, CYCLIC or * for each dimension");
	if (!take_processors(p, of))
		return false;
	for (int dim = 0; dim < of->rank; dim++)
		if (of->spread[dim].format == INDIRECT)
			return add_indirect(p, of, type);
	sw_text_add_char(type, '[');
	for (int dim = 0; dim < of->rank; dim++) {
		sw_text_add(type, dim > 0 ? ", " : "");
		if (of->spread[dim].format == COLLAPSED)
			sw_text_addf(type, "%" PRId64, of->size[dim]);
		else if (!add_dimension(p, of, dim, grid++, type, &by))
			return false;
	}
	sw_text_add(type, by ? "] by ceil" : "]");
	return true;
}

/* ---- alignments as words ---- */

/* Where along the target the first element lies, and how far apart two neighbours are, counted from 0. */
typedef struct line {
	int64_t first, step;
} line;

static bool refuse_outside(program *p, const thing *of, const thing *target, const subscript *s, int64_t index)
{
	sw_diag *diag = p->reader->scan.diag;
	int dim = (int)(s - of->subscript);
	int64_t high = target->low[dim] + target->size[dim] - 1;

	sw_diag_set(diag, SW_N01, s->at,
		"an element would be at index %" PRId64 " of the target, which has %" PRId64 " to %" PRId64,
		target->low[dim] + index, target->low[dim], high);
	sw_diag_expected(diag, "a target that goes from %" PRId64 " or less to %" PRId64 " or more",
		index < 0 ? target->low[dim] + index : target->low[dim], index < 0 ? high : target->low[dim] + index);
	return false;
}

static bool line_of(program *p, const thing *of, const thing *target, int t, line *l)
{
	const subscript *s = &of->subscript[t];
	int64_t last;

	if (s->dim == CONSTANT) {
		*l = (line){s->offset - target->low[t], 0};
		last = l->first;
	} else {
		int64_t low = of->low[s->dim];
		bool colon = s->factor == 0;
		l->step = colon ? 1 : s->factor;
		if (colon)
			l->first = 0;
		else if (!sw_mul(s->factor, low, &l->first) || l->first < -FARTHEST || l->first > FARTHEST)
			return refuse_outside(p, of, target, s, INT32_MAX);
		else
			l->first += s->offset - target->low[t];
		if (!sw_mul(l->step, of->size[s->dim] - 1, &last) || last < -FARTHEST || last > FARTHEST)
			return refuse_outside(p, of, target, s, INT32_MAX);
		last += l->first;
	}
	if (l->first < 0 || l->first >= target->size[t])
		return refuse_outside(p, of, target, s, l->first);
	return (last >= 0 && last < target->size[t]) || refuse_outside(p, of, target, s, last);
}

/* The elements of the target at which something lies, where what lies between them would be rounded to it. */
static void add_slice(const line *l, int64_t size, sw_text *text)
{
	int64_t last = l->first + l->step * (size - 1), low = l->step < 0 ? last : l->first,
			high = l->step < 0 ? l->first : last, step = l->step < 0 ? -l->step : l->step;

	if (l->step == 0)
		sw_text_addf(text, "%" PRId64, l->first);
	else if (step == 1)
		sw_text_add_char(text, ':');
	else
		sw_text_addf(text, "%" PRId64 ":%" PRId64 ":%" PRId64, low, high + 1, step);
}

/* The index of an element by that of the target. */
static void add_index(const line *l, int t, sw_text *text)
{
	int64_t step = l->step < 0 ? -l->step : l->step;
	bool round = step != 1;

	sw_text_add(text, round && l->first != 0 ? "(" : "");
	if (l->step < 0)
		sw_text_addf(text, "%" PRId64 "-%c", l->first, SW_DIMENSION_LETTERS[t]);
	else if (l->first == 0)
		sw_text_add_char(text, SW_DIMENSION_LETTERS[t]);
	else
		sw_text_addf(text, "%c-%" PRId64, SW_DIMENSION_LETTERS[t], l->first);
	sw_text_add(text, round && l->first != 0 ? ")" : "");
	if (round)
		sw_text_addf(text, "/%" PRId64, step);
}

/* Does every element lie at its own index? */
static bool is_same(const thing *of, const thing *target, const line *lines)
{
	bool same = of->rank == target->rank;

	for (int t = 0; same && t < target->rank; t++)
		same = of->subscript[t].dim == t && lines[t].first == 0 && lines[t].step == 1 &&
			of->size[t] == target->size[t];
	return same;
}

static void add_words(const thing *of, const thing *target, const line *lines, sw_text *type)
{
	bool slices = false;

	for (int t = 0; t < target->rank; t++)
		slices = slices || (of->subscript[t].dim != STAR && lines[t].step != 1 && lines[t].step != -1);
	for (int t = 0; slices && t < target->rank; t++) {
		int dim = of->subscript[t].dim;
		sw_text_add(type, t > 0 ? ", " : " only ");
		if (dim == STAR)
			sw_text_add_char(type, ':');
		else
			add_slice(&lines[t], dim >= 0 ? of->size[dim] : 1, type);
	}
	for (int dim = 0; dim < of->rank; dim++) {
		int t = 0;
		while (t < target->rank && of->subscript[t].dim != dim)
			t++;
		sw_text_add(type, dim > 0 ? ", " : " through ");
		if (t == target->rank)
			sw_text_add_char(type, ':');
		else
			add_index(&lines[t], t, type);
	}
	for (int dim = 0; dim < of->rank; dim++)
		sw_text_addf(type, "%s%" PRId64, dim > 0 ? ", " : " to ", of->size[dim]);
}

/* `ALIGN X WITH T` without subscripts: index for index. */
static bool fill_subscripts(program *p, thing *of, const thing *target)
{
	if (of->subscripts == 0)
		for (int t = 0; t < target->rank && t < of->rank; t++)
			of->subscript[of->subscripts++] = (subscript){.dim = t, .factor = 0, .at = of->at};
	return of->subscripts == target->rank ||
		refuse_name(p, of, "is aligned with an index for each dimension of the target, and these are others",
			"as many as the target has");
}

static bool twice(program *p, const thing *of)
{
	for (int t = 0; t < of->subscripts; t++)
		for (int u = 0; u < t; u++)
			if (of->subscript[t].dim >= 0 && of->subscript[t].dim == of->subscript[u].dim)
				return !refuse(p, of->subscript[t].at, "the name is in two indices", "each in one at most");
	return false;
}

static bool add_type(program *p, thing *of, int depth, sw_text *type);

static bool add_aligned(program *p, thing *of, int depth, sw_text *type)
{
	thing *target = &p->thing[of->with];
	line lines[SW_MAX_DIMS];

	if (depth == MOST_THINGS)
		return refuse(p, of->at, "the alignments form a cycle", "a template or array that is distributed");
	if (!add_type(p, target, depth + 1, type) || !fill_subscripts(p, of, target) || twice(p, of))
		return false;
	for (int t = 0; t < target->rank; t++)
		if (of->subscript[t].dim >= of->rank)
			return refuse(p, of->subscript[t].at, "the array has fewer dimensions",
				"a name for each of its dimensions");
	for (int t = 0; t < target->rank; t++)
		if (of->subscript[t].dim != STAR && !line_of(p, of, target, t, &lines[t]))
			return false;
	if (!is_same(of, target, lines))
		add_words(of, target, lines, type);
	return true;
}

static bool add_type(program *p, thing *of, int depth, sw_text *type)
{
	if (of->rank == 0)
		return refuse_name(p, of, "is placed, but its sizes are unknown", "a declaration, such as REAL X(24)");
	if (of->with >= 0)
		return add_aligned(p, of, depth, type);
	if (of->distributed > 0)
		return add_distributed(p, of, type);
	return refuse_name(p, of, "is neither distributed nor aligned", "DISTRIBUTE and its name");
}

/* The first array that is placed, else the first template. */
static thing *asked(program *p)
{
	for (int what = ARRAY; what <= TEMPLATE; what++)
		for (int i = 0; i < p->things; i++) {
			thing *of = &p->thing[i];
			bool is = what == ARRAY ? of->what == ARRAY || of->what == UNKNOWN : of->what == TEMPLATE;
			if (is && (of->distributed > 0 || of->with >= 0))
				return of;
		}
	return NULL;
}

/* Says of which array of several the type is, and where its indices begin. */
static void say_array(program *p, const thing *of)
{
	sw_text lows = {0};

	for (int dim = 0; dim < of->rank; dim++)
		sw_text_addf(&lows, "%s%" PRId64, dim > 0 ? ", " : "", of->low[dim]);
	sw_read_note(p->reader, "indices of %.*s begin at %s, those of the type at 0",
		(int)(of->name.length < 60 ? of->name.length : 60), of->name.at, sw_text_get(&lows));
	sw_text_free(&lows);
}

bool sw_read_hpf(sw_reader *reader)
{
	program *p = SW_NEW_ZERO(reader->arena, program, 1);
	sw_text words = {0}, type = {0};

	reader->out->notation = SW_NOTATION_HPF;
	if (p == NULL)
		return sw_diag_memory(reader->scan.diag);
	p->reader = reader;
	if (!read_statements(p))
		return false;
	thing *of = asked(p);
	if (of == NULL)
		return refuse(p, (sw_span){0, reader->scan.text.length}, "nothing is distributed",
			"DISTRIBUTE X(BLOCK) ONTO P(4)");
	bool ok = add_type(p, of, 0, &words);
	sw_text_addf(&type, "%s%s", of->dtype, sw_text_get(&words));
	sw_text_free(&words);
	if (!ok) {
		sw_text_free(&type);
		return false;
	}
	say_array(p, of);
	return sw_read_words(reader, &type, of->at);
}
