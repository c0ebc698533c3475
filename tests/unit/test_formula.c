/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas: texts both ways, refusals with their places, products, graphs, and what devices need, against all points and against
 * recorded cases.
 */
#include <shardwalk/distribution.h>
#include <shardwalk/formula.h>

#include "kit/cases.h"
#include "kit/indices.h"
#include "kit/problem.h"
#include "kit/sets.h"

/* ---- files ---- */

static const struct file {
	const char *name, *text;
} files[] = {
	{"ring", "5 1\n0 2\n1 3\n2 4\n3 5\n4 0\n"},
	{"some", "0\n\n2 0\n"},
	{"matrix.mtx", "%%MatrixMarket matrix coordinate real general\n% a remark\n3 4 3\n1 1 2.5\n3 2 1\n3 4 -1e3\n"},
	{"symmetric.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n"},
	{"far", "0 99999999999\n"},
	{"a b", "0\n1\n"},
	{"words", "0\nx\n"},
	{"dense.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n"},
	{"outside.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n"},
	{"short.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n2 1 1\n"},
};

static bool read_file(void *context, sw_str name, sw_str *text, sw_diag *diag)
{
	(void)context;
	for (size_t n = 0; n < COUNT(files); n++)
		if (sw_str_is(name, files[n].name)) {
			*text = sw_str_of(files[n].text);
			return true;
		}
	return sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "there is no such file");
}

static const sw_file_reader reader = {read_file, NULL};

static sw_formula formula_of(const char *text)
{
	sw_formula formula;
	sw_diag diag = {0};

	if (!sw_formula_parse(sw_str_of(text), &reader, arena, &formula, &diag))
		fail_msg("%s: %s; expected %s", text, diag.message, diag.expected);
	return formula;
}

/* ---- texts ---- */

static const struct text_row {
	const char *text, *printed; /* NULL: as it is */
} texts[] = {
	{"y[i] = 2*x[i] - x[i-1] - x[i+1]", NULL},
	{"y[i]=f(x[i],x[i-1])", "y[i] = f(x[i], x[i-1])"},
	{"k: y[i] = f(x[2*i], x[2*i+1])", NULL},
	{"kernel : y [ i ] = x [ i / 2 ]", "kernel: y[i] = x[i/2]"},
	{"y(i) = f(x(i), x(i-1))", "y[i] = f(x[i], x[i-1])"},
	{"y[i, j] = f(x[i, j], x[i+1, j]) wrap", NULL},
	{"y[i] = f(x[:])", NULL},
	{"y[i] = f(a[:], x[i])", NULL},
	{"y[i] = f(x[(i+1)/2], x[i/2])", NULL},
	{"y[i] += A[i, j]*x[j] on A", NULL},
	{"y[i] = A[i,j]*x[j]  wrap  on  y", "y[i] = A[i, j]*x[j] wrap on y"},
	{"B[i, j] = A[j, i]", NULL},
	{"s = x[i]*y[i]", NULL},
	{"s += x[i]", NULL},
	{"y[i] = -x[i]", NULL},
	{"y[i] = -0.5*x[i] + a*b[i] - 3", NULL},
	{"y[i] = f(g(x[i] - x[i-1]), 2*s)", NULL},
	{"y[i] = f(x[0])", NULL},
	{"y[i] = x(i)*z(i + 1)", "y[i] = x[i]*z[i+1]"},
	{"y[i] = f(x(graph ring))", "y[i] = f(x[graph ring])"},
	{"y[i] = f(x[graph 'a b'])", "y[i] = f(x[graph \"a b\"])"},
	{"y[i, j] = f(x[graph some, j], x[i, graph ring])", NULL},
	{"C[i, k] = A[i, j]*B[j, k]", NULL},
};

static void texts_are_read_and_printed(void **state)
{
	const struct text_row *row = *state;
	sw_formula formula = formula_of(row->text), again;
	sw_text text = {0}, second = {0};

	sw_formula_print(&formula, &text);
	assert_string_equal(sw_text_get(&text), row->printed != NULL ? row->printed : row->text);
	again = formula_of(sw_text_get(&text));
	sw_formula_print(&again, &second);
	assert_string_equal(sw_text_get(&second), sw_text_get(&text));
	assert_int_equal(again.letters, formula.letters);
	assert_memory_equal(again.letter, formula.letter, (size_t)formula.letters);
	assert_true(sw_formula_begins(sw_str_of(row->text)) || strchr(row->text, ':') != NULL);
	sw_text_free(&text);
	sw_text_free(&second);
}

static const struct refused_row {
	const char *text;
	sw_code code;
	const char *says;
	const char *at, *also; /* the marked texts; NULL: no second place */
} refused[] = {
	{"", SW_F01, "too early", "", NULL},
	{"y[i]", SW_F01, "too early", "", NULL},
	{"y[i] = ", SW_F01, "too early", "", NULL},
	{"y[i] = x[i", SW_L06, "never closed", "[", NULL},
	{"y[i] = x[i*i]", SW_F07, "affine", "i", "i"},
	{"y[i] = x[i+j]", SW_F07, "affine", "j", "i"},
	{"y[i] = x[i/0]", SW_F07, "0", "0", NULL},
	{"y[i] = x[2*i/3]", SW_F07, "dividend", "/", NULL},
	{"y[i] = x[i] x[j]", SW_F01, "not allowed", "x", NULL},
	{"y[i] = (x[i])", SW_F01, "not allowed", "(", NULL},
	{"y[i] = 2x[i]", SW_F01, "not allowed", "x", NULL},
	{"y[i] = x[i]*-2", SW_F01, "not allowed", "-2", NULL},
	{"y[i] == x[i]", SW_F01, "not allowed", "=", NULL},
	{"y[i+1] = x[i]", SW_F08, "on the left is not a single letter", "i+1", NULL},
	{"y[0] = x[i]", SW_F08, "on the left is not a single letter", "0", NULL},
	{"y[:] = x[i]", SW_F08, "on the left is not a single letter", ":", NULL},
	{"y[i, i] = x[i]", SW_F05, "twice on the left", "i", "i"},
	{"y[i] = A[i, i+1]", SW_F05, "twice in one access", "i", "i"},
	{"y[i] = y[i-1]", SW_F06, "both sides", "y[i-1]", "y[i]"},
	{"y[i] += f(x[i], y[i])", SW_F06, "both sides", "y[i]", "y[i]"},
	{"y[i] = x[i] + x[i, j]", SW_F03, "2 indices here and 1", "x[i, j]", "x[i]"},
	{"y[i] = i*x[i]", SW_F10, "is a letter", "i", "i"},
	{"y[i] = x[i]*b[j-1]", SW_F09, "'j' has no size", "j", NULL},
	{"y[i] = x[:]", SW_F11, "outside of a function", ":", NULL},
	{"y[i] = x[graph ring]", SW_F11, "outside of a function", "ring", NULL},
	{"y[i] = f(x[graph none])", SW_B01, "no such file", "none", NULL},
	{"y[i] = f(x[graph words])", SW_F12, "line 2", "words", NULL},
	{"y[i] = f(x[graph dense.mtx])", SW_F12, "coordinate", "dense.mtx", NULL},
	{"y[i] = f(x[graph outside.mtx])", SW_F12, "outside", "outside.mtx", NULL},
	{"y[i] = f(x[graph short.mtx])", SW_F12, "number of entries", "short.mtx", NULL},
	{"s = f(x[graph ring])", SW_F12, "no letter", "ring", NULL},
	{"y[i] = x[i] on B", SW_F13, "is not an array of the formula", "B", NULL},
	{"y[i] = x[i-1] on x", SW_F13, "single letters as indices", "x", "x[i-1]"},
	{"y[i] = x[i] wrap wrap", SW_F01, "not allowed", "wrap", NULL},
	{"y[i] = x[i] --json", SW_F01, "not allowed", "-json", NULL},
};

static bool is_marked(const char *text, sw_span at, const char *marked)
{
	return at.end - at.begin == strlen(marked) && strncmp(text + at.begin, marked, strlen(marked)) == 0;
}

static void says(const char *text, const sw_diag *diag, sw_code code, const char *words, const char *at,
	const char *also)
{
	if (diag->code != code || strstr(diag->message, words) == NULL || !is_marked(text, diag->at, at) ||
		(also != NULL ? !is_marked(text, diag->also, also) || diag->also.begin == diag->at.begin :
						diag->also.end > diag->also.begin))
		fail_msg("%s: %s %s at %zu-%zu, also %zu-%zu", text, sw_code_info_of(diag->code)->name, diag->message,
			diag->at.begin, diag->at.end, diag->also.begin, diag->also.end);
}

static void what_is_no_formula_is_refused(void **state)
{
	const struct refused_row *row = *state;
	sw_formula formula;
	sw_diag diag = {0};

	assert_false(sw_formula_parse(sw_str_of(row->text), &reader, arena, &formula, &diag));
	says(row->text, &diag, row->code, row->says, row->at, row->also);
	assert_false(sw_formula_parse(sw_str_of(row->text), NULL, arena, &formula, NULL));
}

/* ---- sizes ---- */

/* Arrays of a formula by name: "y 24; x 24, 5". */
static bool set_arrays(sw_formula *formula, const char *arrays, sw_diag *diag)
{
	sw_str all = sw_str_of(arrays);

	while (all.length > 0) {
		size_t end = 0;
		while (end < all.length && all.at[end] != ';')
			end++;
		sw_str one = sw_str_trim((sw_str){all.at, end}), name = sw_str_word(&one);
		all = sw_str_behind(all, end + (end < all.length));
		int64_t size[SW_MAX_DIMS];
		int rank = 0, array = sw_formula_find(formula, name);
		for (char *at = (char *)one.at; one.length > 0 && at < one.at + one.length; at++)
			size[rank++] = strtoll(at, &at, 10);
		assert_true(array >= 0);
		if (!sw_formula_set_array(formula, array, rank, size, diag))
			return false;
	}
	return sw_formula_fit(formula, diag);
}

static const struct fit_row {
	const char *text, *arrays;
	sw_code code;
	const char *says, *at, *also;
} fits[] = {
	{"y[i] = f(x[i], x[i-1])", "y 24; x 24", SW_OK, NULL, NULL, NULL},
	{"y[i] = f(x[i/2])", "y 24; x 12", SW_OK, NULL, NULL, NULL},
	{"y[i] = A[i, j]*x[j]", "A 4, 6; x 6", SW_OK, NULL, NULL, NULL},
	{"y[i] = f(x[graph ring])", "y 6; x 6", SW_OK, NULL, NULL, NULL},
	{"y[i] = x[i]", "y 24; x 12", SW_F04, "'i' is 12 here and 24", "i", "i"},
	{"y[i] = A[i, j]*x[j]", "y 4; A 4, 6; x 5", SW_F04, "'j' is 5 here and 6", "j", "j"},
	{"y[i] = x[i, j]", "y 4; x 4", SW_F03, "1 dimension, and 2 indices", "x[i, j]", NULL},
	{"y[i] = x[i-1]", "x 4", SW_F09, "'i' has no size", "i", NULL},
	{"y[i] = f(x[graph far])", "y 1; x 6", SW_F12, "100000000000 columns", "far", NULL},
	{"y[i] = f(x[graph ring])", "y 5; x 6", SW_F12, "6 lines", "ring", NULL},
	{"y[i] = f(x[graph ring])", "y 6; x 5", SW_F12, "6 columns", "ring", NULL},
};

static void letters_have_one_size(void **state)
{
	const struct fit_row *row = *state;
	sw_formula formula = formula_of(row->text);
	sw_diag diag = {0};
	bool fit = set_arrays(&formula, row->arrays, &diag);

	assert_int_equal(fit, row->code == SW_OK);
	if (!fit)
		says(row->text, &diag, row->code, row->says, row->at, row->also);
}

static void the_left_side_follows(void **state)
{
	(void)state;
	sw_formula formula = formula_of("y[i, j] = A[j, k]*x[k, i]");

	assert_true(set_arrays(&formula, "A 4, 6; x 6, 9", NULL));
	assert_int_equal(formula.array[0].size[0], 9);
	assert_int_equal(formula.array[0].size[1], 4);
	assert_int_equal(formula.kept, 2);
	assert_int_equal(formula.letters, 3);
}

static void where_a_formula_ends(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		size_t length;
		bool begins;
	} rows[] = {
		{"y[i] = -x[i]", 12, true},
		{"y[i] = x[i] --json", 12, true},
		{"y += x[i]", 9, true},
		{"y(i,j) = x[i]", 13, true},
		{"y[i]", 4, false},
		{"plan --json", 5, false},
		{"[4] ~> [4]", 10, false},
		{"x[i == 2", 8, false},
	};

	for (size_t n = 0; n < COUNT(rows); n++) {
		assert_int_equal(sw_formula_length(sw_str_of(rows[n].line)), rows[n].length);
		assert_int_equal(sw_formula_begins(sw_str_of(rows[n].line)), rows[n].begins);
	}
}

/* ---- products ---- */

static const char *const equations[] = {"ij,jk->ik", "ij,j->i", "i,j->ji", "ab,ab->", "bij,bjk->bik", "ij,ij->ij"};

static void equations_are_formulas(void **state)
{
	const char *const *text = *state;
	const sw_str names[] = {sw_str_of("A"), sw_str_of("B"), sw_str_of("C")};
	sw_equation equation, back;
	sw_formula formula, read;
	sw_text printed = {0}, again = {0};

	assert_true(sw_equation_parse(sw_str_of(*text), &equation, NULL));
	assert_true(sw_formula_of_equation(&equation, names, arena, &formula));
	sw_formula_print(&formula, &printed);
	read = formula_of(sw_text_get(&printed));
	assert_true(sw_formula_equation(&formula, &back));
	sw_equation_print(&back, &again);
	assert_string_equal(sw_text_get(&again), *text);
	sw_text_clear(&again);
	assert_true(sw_formula_equation(&read, &back));
	sw_equation_print(&back, &again);
	assert_string_equal(sw_text_get(&again), *text);
	sw_text_free(&printed);
	sw_text_free(&again);
}

static const char *const no_equations[] = {"y[i] = x[i]", "y[i] = 2*x[i]", "y[i] = A[i, j]*x[j] + b[i]*c[i]",
	"y[i] = -A[i, j]*x[j]", "y[i] += A[i, j]*x[j]", "y[i] = A[i, j]*x[j-1]", "y[i] = f(A[i, j])*x[j]",
	"y[i] = a[j]*b[j]", "y[i] = a[i]*b[i]*c[i]"};

static void others_are_none(void **state)
{
	const char *const *text = *state;
	sw_formula formula = formula_of(*text);
	sw_equation equation;

	assert_false(sw_formula_equation(&formula, &equation));
}

/* ---- what devices need ---- */

/* A formula whose arrays have these holdings. */
typedef struct computation {
	sw_formula formula;
	sw_holding held[8];
	sw_points points;
	sw_holding_rule rule;
	sw_holding made;
	sw_need need[8];
	int needs;
} computation;

static void start(computation *c)
{
	c->needs = 0;
	sw_formula_points(&c->formula, &c->held[sw_formula_place(&c->formula)], &c->points);
	sw_points_make(&c->points, &c->rule, &c->made);
	for (int k = 1; k < c->formula.arrays; k++)
		assert_true(sw_points_need(&c->points, k, &c->held[k], arena, &c->need[c->needs++]));
}

/* Compares with all points of all devices. */
static void element_of(int64_t number, int rank, const int64_t *size, int64_t *index)
{
	for (int d = rank - 1; d >= 0; d--) {
		index[d] = number % size[d];
		number /= size[d];
	}
}

static int64_t elements_of(int rank, const int64_t *size)
{
	int64_t all = 1;

	for (int d = 0; d < rank; d++)
		all *= size[d];
	return all;
}

/* Does an access read this element at this point? */
static bool reads(const sw_formula *formula, const sw_formula_access *access, const int64_t *point,
	const int64_t *element)
{
	const sw_formula_array *array = &formula->array[access->array];

	for (int d = 0; d < array->rank; d++) {
		const sw_index *index = &access->index[d];
		int64_t letter = 0;
		for (int l = 0; l < formula->letters; l++)
			letter = formula->letter[l] == index->letter ? point[l] : letter;
		int64_t sum = index->factor * letter + index->offset, size = array->size[d];
		int64_t at = (sum - (sum % index->divisor + index->divisor) % index->divisor) / index->divisor;
		at = formula->wrap ? (at % size + size) % size : at;
		if (!index->whole && at != element[d])
			return false;
	}
	return true;
}

/* Does the term of the access count at this point: are the summed letters that it lacks 0? */
static bool counts(const sw_formula *formula, const sw_formula_access *access, const int64_t *point)
{
	for (int l = formula->kept; l < formula->letters; l++) {
		bool has = false;
		for (int k = 0; k < formula->accesses; k++)
			for (int d = 0; d < formula->array[formula->access[k].array].rank; d++)
				has |= formula->access[k].term == access->term &&
					formula->access[k].index[d].letter == formula->letter[l];
		if (!has && point[l] != 0)
			return false;
	}
	return true;
}

/* The point that a device computes: the element of an array that is read there by a plain access is its own. */
static bool computes(const computation *c, int64_t device, const int64_t *point)
{
	int64_t element[SW_MAX_DIMS];

	for (int d = 0; d < c->points.access.rank; d++)
		for (int l = 0; l < c->formula.letters; l++)
			if (c->formula.letter[l] == c->points.access.index[d].letter)
				element[d] = point[l];
	return sw_holding_has(c->points.where, device, element);
}

static bool is_needed(const computation *c, int array, int64_t device, const int64_t *element, const int64_t *only)
{
	const sw_formula *f = &c->formula;
	int64_t point[SW_MAX_LETTERS];

	for (int64_t n = 0; n < elements_of(f->letters, f->size); n++) {
		element_of(n, f->letters, f->size, point);
		bool skips = !computes(c, device, point);
		for (int d = 0; d < f->kept && only != NULL; d++)
			skips = skips || point[d] != only[d];
		for (int k = 1; k < f->accesses && !skips; k++)
			if (f->access[k].array == array && counts(f, &f->access[k], point) &&
				reads(f, &f->access[k], point, element))
				return true;
	}
	return false;
}

/* Waits an element of the left side for a message? */
static bool waits(const computation *c, int64_t device, const int64_t *left)
{
	int64_t element[SW_MAX_DIMS];

	for (int k = 1; k < c->formula.arrays; k++) {
		const sw_formula_array *array = &c->formula.array[k];
		for (int64_t n = 0; n < elements_of(array->rank, array->size); n++) {
			element_of(n, array->rank, array->size, element);
			if (!sw_holding_has(&c->held[k], device, element) && is_needed(c, k, device, element, left))
				return true;
		}
	}
	return false;
}

static void check_device(const computation *c, int64_t device)
{
	const sw_formula_array *left = &c->formula.array[0];
	int64_t element[SW_MAX_DIMS];
	sw_region needed, interior, boundary, made;

	for (int k = 0; k < c->needs; k++) {
		const sw_formula_array *array = &c->formula.array[c->need[k].array];
		assert_true(sw_holding_region(&c->need[k].needed, device, arena, &needed));
		for (int64_t n = 0; n < elements_of(array->rank, array->size); n++) {
			element_of(n, array->rank, array->size, element);
			assert_int_equal(sw_region_has(&needed, element), is_needed(c, c->need[k].array, device, element, NULL));
		}
	}
	assert_true(sw_points_split(&c->points, c->need, c->needs, device, arena, &interior, &boundary));
	assert_true(sw_holding_region(&c->made, device, arena, &made));
	for (int64_t n = 0; n < elements_of(left->rank, left->size); n++) {
		element_of(n, left->rank, left->size, element);
		bool mine = sw_region_has(&made, element), later = mine && waits(c, device, element);
		assert_int_equal(sw_region_has(&boundary, element), later);
		assert_int_equal(sw_region_has(&interior, element), mine && !later);
	}
}

static const struct drawn_row {
	const char *text, *arrays;
} drawn[] = {
	{"y[i] = f(x[i], x[i-1], x[i+1])", "y 17; x 17"},
	{"y[i] = f(x[i-2], x[i+3]) wrap", "y 17; x 17"},
	{"y[i] = f(x[2*i], x[2*i+1])", "y 9; x 18"},
	{"y[i] = f(x[i/2], x[(i+1)/2])", "y 18; x 9"},
	{"y[i] = f(x[3*i-1], x[(2*i+1)/3]) wrap", "y 13; x 11"},
	{"y[i] = f(x[:], b[i])", "y 6; x 7; b 6"},
	{"y[i] = f(x[-i+10])", "y 11; x 11"},
	{"y[i] = f(x[3], x[i-1])", "y 11; x 11"},
	{"y[i, j] = f(x[i, j], x[i-1, j], x[i, j+1])", "y 5, 6; x 5, 6"},
	{"y[i, j] = f(x[i-1, j-1], x[i-1, j], x[i, j-1], x[i, j]) wrap", "y 5, 6; x 5, 6"},
	{"B[i, j] = A[j, i]", "B 4, 5; A 5, 4"},
	{"y[i] = A[i, j]*x[j]", "y 5; A 5, 6; x 6"},
	{"y[i] = A[i, j]*x[j] + b[i] on A", "y 5; A 5, 6; x 6; b 5"},
	{"y[i] = A[i, j]*x[j] + b[i]*c[k] on A", "y 4; A 4, 3; x 3; b 4; c 3"},
	{"y[i] = A[i, j]*x[j] on x", "y 4; A 4, 5; x 5"},
	{"y[i] = f(x[i], x[i-1]) on x", "y 11; x 11"},
};

static void draw_holding(draw *random, const sw_formula_array *array, int64_t devices, sw_holding *holding)
{
	sw_region *region = SW_NEW(arena, sw_region, devices);
	sw_type type;

	assert_true(sw_type_replicated(SW_F64, array->rank, array->size, &type, NULL));
	for (int64_t d = 0; d < devices; d++) {
		sw_indices *set = SW_NEW(arena, sw_indices, array->rank);
		bool empty = false;
		for (int k = 0; k < array->rank; k++) {
			set[k] = draw_indices(random, array->size[k]);
			empty |= set[k].count == 0;
		}
		region[d] = (sw_region){array->rank, !empty, set};
	}
	sw_holding_of_regions(devices, &type, 1, region, NULL, holding);
}

enum { TIMES = 12, DEVICES = 3 };

static void needs_are_those_of_all_points(void **state)
{
	const struct drawn_row *row = *state;
	draw random = draw_start(row->text);

	for (int n = 0; n < TIMES; n++) {
		sw_arena_clear(arena);
		computation c = {.formula = formula_of(row->text)};
		assert_true(set_arrays(&c.formula, row->arrays, NULL));
		for (int k = 0; k < c.formula.arrays; k++)
			draw_holding(&random, &c.formula.array[k], DEVICES, &c.held[k]);
		start(&c);
		for (int64_t d = 0; d < DEVICES; d++)
			check_device(&c, d);
	}
}

/* ---- needs in words ---- */

static const sw_distribution *named_here(const void *of, sw_str name)
{
	return sw_str_is(name, "place") ? of : NULL;
}

/* A type in words behind that of the place is held as expected. */
static void is_said(const sw_mesh *mesh, const char *words, const char *place, const sw_holding *expected)
{
	sw_distribution *where = SW_NEW(arena, sw_distribution, 1), *said = SW_NEW(arena, sw_distribution, 1);
	sw_distribution_names names = {.named = named_here, .of = where};
	sw_diag diag = {0};
	sw_holding held;

	assert_true(sw_distribution_parse(mesh, sw_str_of(place), NULL, arena, where, NULL));
	if (!sw_distribution_parse(mesh, sw_str_of(words), &names, arena, said, &diag))
		fail_msg("%s: %s", words, diag.message);
	assert_true(sw_holding_of_distribution(mesh, said, NULL, arena, &held));
	if (!sw_holding_equal(&held, expected))
		fail_msg("%s is held in another way", words);
}

static void needs_are_said(const sw_mesh *mesh, const computation *c, const char *place)
{
	sw_text text = {0};

	for (int k = 0; k < c->needs; k++) {
		sw_text_clear(&text);
		assert_true(sw_need_print_type(&c->need[k], sw_str_of("place"), &text));
		is_said(mesh, sw_text_get(&text), place, &c->need[k].needed);
	}
	sw_text_clear(&text);
	sw_points_print_type(&c->points, sw_str_of("place"), &text);
	if (c->formula.kept > 0)
		is_said(mesh, sw_text_get(&text), place, &c->made);
	sw_text_free(&text);
}

/* ---- known answers ---- */

static void hold(const sw_mesh *mesh, const char *text, sw_formula *formula, int array, sw_holding *holding)
{
	sw_distribution *read = SW_NEW(arena, sw_distribution, 1);
	sw_diag diag = {0};

	if (!sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, read, &diag))
		fail_msg("%s: %s", text, diag.message);
	assert_true(sw_formula_set_array(formula, array, read->type.rank, read->type.global, NULL));
	assert_true(sw_holding_of_distribution(mesh, read, NULL, arena, holding));
}

static const struct known_row {
	const char *formula, *mesh, *type[4]; /* of the arrays in the order of the text */
	const char *beta[3];                  /* of those on the right */
	const char *made;
} known[] = {
	{"y[i] = A[i, j]*x[j] on A", "{p: 3, q: 4}", {"[1{q,p}12]", "[4{p}12, 3{q}12]", "[1{p,q}12]"},
		{"[4{p}12, 3{q}12]", "[3{q}12]"}, "[4{p}12]+{q}"},
	{"y[i] = A[i, j]*x[j]", "{x: 4}", {"[3{x}12]", "[3{x}12, 12]", "[3{x}12]"}, {"[3{x}12, 12]", "[12]"}, "[3{x}12]"},
	{"y[i] = A[i, j]*x[j] on A", "{x: 4}", {"[3{x}12]", "[12, 3{x}12]", "[3{x}12]"}, {"[12, 3{x}12]", "[3{x}12]"},
		"[12]+{x}"},
	{"y[i] = A[i, j]*x[j] on A", "{x: 4}", {"[3{x}12]", "[12, 12]", "[3{x}12]"}, {"[12, 12]", "[12]"}, "[12]"},
	{"y[i] = f(a[:], x[i])", "{x: 4}", {"[3{x}12]", "[1]", "[3{x}12]"}, {"[1]", "[3{x}12]"}, "[3{x}12]"},
	{"y[i] = 2*x[i] - x[i-1] - x[i+1]", "{x: 4}", {"[3{x}12]", "[3{x}12]"},
		{"[3{x}12] union [3{x}12] shift 1 union [3{x}12] shift -1"}, "[3{x}12]"},
	{"y[i] = x[i/2]", "{x: 4}", {"[{x}6] by balanced", "[3] at {0: 0; 1: 1; 2: 2; 3: 2}"},
		{"[3] at {0: 0; 1: 1; 2: 2; 3: 2}"}, "[{x}6] by balanced"},
	{"B[i, j] = A[j, i]", "{x: 2, y: 2}", {"[2{x}4, 3{y}6]", "[3{x}6, 2{y}4]"}, {"[3{y}6, 2{x}4]"}, "[2{x}4, 3{y}6]"},
};

static void is_held(const sw_mesh *mesh, const sw_holding *made, const char *text)
{
	sw_distribution read;
	sw_holding expected;
	sw_diag diag = {0};

	if (!sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, &read, &diag))
		fail_msg("%s: %s", text, diag.message);
	assert_true(sw_holding_of_distribution(mesh, &read, NULL, arena, &expected));
	assert_true(sw_holding_equal(made, &expected));
}

static void known_needs(void **state)
{
	const struct known_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	computation c = {.formula = formula_of(row->formula)};

	for (int k = 0; k < c.formula.arrays; k++)
		hold(&mesh, row->type[k], &c.formula, k, &c.held[k]);
	assert_true(sw_formula_fit(&c.formula, NULL));
	start(&c);
	for (int k = 0; k < c.needs; k++)
		is_held(&mesh, &c.need[k].needed, row->beta[k]);
	needs_are_said(&mesh, &c, row->type[sw_formula_place(&c.formula)]);
	int place = sw_formula_place(&c.formula);
	sw_type where, made;
	sw_text text = {0};
	if (strchr(row->type[place], '}') != NULL && strstr(row->type[place], "by") == NULL) {
		where = type_of(&mesh, row->type[place]);
		assert_true(sw_formula_made_type(&mesh, &c.formula, &where, &made, NULL));
		sw_type_print(&mesh, &made, false, &text);
		assert_string_equal(sw_text_get(&text), row->made);
		sw_text_free(&text);
	}
}

static const struct worded_row {
	const char *formula, *place;
	const char *arrays;
	const char *type; /* of the array 1; NULL: no words say it */
} worded[] = {
	{"y[i] = 2*x[i] - x[i-1] - x[i+1]", "[3{x}12]", "y 12; x 12", "u union u shift -1 union u shift 1"},
	{"y[i] = f(x[i-1], x[i+1], x[i-1]) wrap", "[3{x}12]", "y 12; x 12", "u shift -1 wrap union u shift 1 wrap"},
	{"y[i, j] = f(x[i, j], x[i-1, j])", "[3{x}12, 5]", "y 12, 5; x 12, 5", "u union u shift -1, 0"},
	{"y[i] = f(x[2*i], x[2*i+1])", "[3{x}12]", "y 12; x 24", "u through 2*i to 24 union u through 2*i+1 to 24"},
	{"B[i, j] = A[j, i]", "[3{x}12, 5]", "B 12, 5; A 5, 12", "u through j, i to 5, 12"},
	{"y[i] = x[j]*A[i, j]", "[3{x}12]", "y 12; A 12, 7; x 7", "u through : to 7"},
	{"y[i] = x[2*j]*A[i, j]", "[3{x}12]", "y 12; A 12, 7; x 20", "u through : to 20 only 0:13:2"},
	{"y[i] = x[j+7]*A[i, j]", "[3{x}12]", "y 12; A 12, 7; x 7", "u through : to 7 only 0:0"},
	{"y[k] = x[i]*A[k, i] on A", "[6, 3{x}12]", "A 6, 12; x 12", "u through j to 12"},
	{"y[i] = b[i] + A[i, j] on A", "[4, 3{x}12]", "A 4, 12; b 4", "u only :, 0 through i to 4"},
	{"y[i] = f(x[2*i]) wrap", "[3{x}12]", "y 12; x 12", NULL},
	{"y[i] = f(x[2*i]) wrap", "[3{x}12]", "y 12; x 24", "u through 2*i to 24"},
	{"y[i] = f(x[5], x[i/2])", "[3{x}12]", "y 12; x 6", "u through : to 6 only 5:6 union u through i/2 to 6"},
	{"y[i] = f(x[graph ring])", "[6]", "y 6; x 6", NULL},
};

static void needs_have_words(void **state)
{
	const struct worded_row *row = *state;
	sw_mesh mesh = mesh_of("{x: 4}");
	sw_type type = type_of(&mesh, row->place);
	computation c = {.formula = formula_of(row->formula)};
	sw_text text = {0};

	assert_true(set_arrays(&c.formula, row->arrays, NULL));
	int place = sw_formula_place(&c.formula);
	assert_true(sw_holding_of_type(&mesh, &type, NULL, arena, &c.held[place]));
	start(&c);
	assert_int_equal(sw_need_print_type(&c.need[0], sw_str_of("u"), &text), row->type != NULL);
	assert_string_equal(sw_text_get(&text), row->type != NULL ? row->type : "");
	c.needs = row->type != NULL;
	needs_are_said(&mesh, &c, row->place);
	sw_text_free(&text);
}

static void sums_of_what_lies_once(void **state)
{
	(void)state;
	static const struct {
		const char *place;
		int64_t terms; /* 0: refused */
	} rows[] = {
		{"[4, {x}6] by chunk", 4},
		{"[{x}4, 6] by balanced", 1},
		{"[4, 6] on 2", 1},
		{"[1{x}4, 6] union [1{x}4, 6] shift 1", 1},
		{"[4, 1{x,..}6] union [4, 1{x,..}6] shift 1", 4},
		{"[4, 6] only :, 0:3 on 0-1 union [4, 6] only :, 3:6 on 2", 0},
		{"[4, 6] only :, 0:3 on 0 union [4, 6] only :, 3:6 on 2", 4},
	};
	sw_mesh mesh = mesh_of("{x: 4}");

	for (size_t n = 0; n < COUNT(rows); n++) {
		computation c = {.formula = formula_of("y[i] = A[i, j] on A")};
		sw_diag diag = {0};
		hold(&mesh, rows[n].place, &c.formula, 1, &c.held[1]);
		assert_true(sw_formula_fit(&c.formula, NULL));
		start(&c);
		assert_int_equal(sw_points_sum(&c.points, &c.made, &diag), rows[n].terms > 0);
		if (rows[n].terms > 0)
			assert_int_equal(c.made.terms, rows[n].terms);
		else
			assert_int_equal(diag.code, SW_T11);
	}
}

static void local_and_tight(void **state)
{
	(void)state;
	static const struct {
		const char *x;
		bool local, tight;
	} rows[] = {
		{"[24]", true, false},
		{"[4{x}24] union [4{x}24] shift 1 union [4{x}24] shift -1", true, true},
		{"[4{x}24]", false, false},
	};
	sw_mesh mesh = mesh_of("{x: 6}");

	for (size_t n = 0; n < COUNT(rows); n++) {
		computation c = {.formula = formula_of("y[i] = 2*x[i] - x[i-1] - x[i+1]")};
		bool local, tight;
		hold(&mesh, "[4{x}24]", &c.formula, 0, &c.held[0]);
		hold(&mesh, rows[n].x, &c.formula, 1, &c.held[1]);
		assert_true(sw_formula_fit(&c.formula, NULL));
		start(&c);
		assert_true(sw_need_local(&c.need[0], &local, &tight));
		assert_int_equal(local, rows[n].local);
		assert_int_equal(tight, rows[n].tight);
	}
}

/* y[i] on device p, in tiles of 3 of 6, needs the neighbours in a ring. */
static void graphs_say_what_is_needed(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 2}");
	computation c = {.formula = formula_of("y[i] = f(x[graph ring])")};
	sw_region interior, boundary;
	sw_text text = {0};

	hold(&mesh, "[3{x}6]", &c.formula, 0, &c.held[0]);
	hold(&mesh, "[3{x}6]", &c.formula, 1, &c.held[1]);
	assert_true(sw_formula_fit(&c.formula, NULL));
	start(&c);
	is_held(&mesh, &c.need[0].needed, "[6] at {0: 0-3 5; 1: 0 2-5}");
	assert_true(sw_points_split(&c.points, c.need, 1, 0, arena, &interior, &boundary));
	sw_region_print(&interior, &text);
	assert_string_equal(sw_text_get(&text), "[1:2]");
	sw_text_free(&text);
}

/* ---- stretches ---- */

/* Each device of a stretch needs what the one before needs, moved by the step. */
static int64_t check_stretch(const sw_holding *needed, int64_t device)
{
	int64_t step[SW_MAX_DIMS] = {0}, element[SW_MAX_DIMS], moved[SW_MAX_DIMS];
	int64_t devices = sw_holding_stretch(needed, device, arena, step);
	sw_region first, later;

	assert_in_range(devices, 1, needed->devices - device);
	assert_true(sw_holding_region(needed, device, arena, &first));
	for (int64_t k = 1; k < devices; k++) {
		assert_true(sw_holding_defined(needed, device + k));
		assert_true(sw_holding_region(needed, device + k, arena, &later));
		assert_int_equal(sw_region_size(&later), sw_region_size(&first));
		for (int64_t n = 0; n < elements_of(needed->rank, needed->global); n++) {
			element_of(n, needed->rank, needed->global, element);
			bool inside = true;
			for (int d = 0; d < needed->rank; d++) {
				moved[d] = element[d] - k * step[d];
				inside = inside && moved[d] >= 0;
			}
			assert_int_equal(sw_region_has(&later, element), inside && sw_region_has(&first, moved));
		}
	}
	return devices;
}

static const struct stretch_row {
	const char *formula, *y, *arrays;
	int64_t device, devices; /* how many at least */
} stretches[] = {
	{"y[i] = f(x[i-1], x[i], x[i+1])", "[3{x}24]", "y 24; x 24", 1, 6},
	{"y[i] = f(x[i-1], x[i], x[i+1])", "[3{x}24]", "y 24; x 24", 0, 1},
	{"y[i] = f(x[i-1], x[i+2]) wrap", "[3{x}24]", "y 24; x 24", 1, 6},
	{"y[i] = f(x[2*i], x[2*i+1])", "[3{x}24]", "y 24; x 48", 0, 8},
	{"y[i] = f(x[i/3])", "[3{x}24]", "y 24; x 8", 0, 8},
	{"y[i] = f(x[i/2])", "[3{x}24]", "y 24; x 12", 0, 1},
	{"y[i] = f(x[-i+23])", "[3{x}24]", "y 24; x 24", 0, 1},
	{"y[i] = f(x[:])", "[3{x}24]", "y 24; x 5", 0, 8},
	{"y[i] = f(x[i-1], x[2*i])", "[3{x}24]", "y 24; x 48", 0, 1},
	{"y[i] = f(x[2*i+40])", "[3{x}24]", "y 24; x 48", 0, 1},
	{"y[i] = x[i]*b[j]", "[3{x}24]", "y 24; x 24; b 4", 0, 1},
	{"y[i, j] = f(x[i, j], x[i-1, j], x[i, j+1])", "[3{x}24, 3]", "y 24, 3; x 24, 3", 1, 7},
	{"y[i] = f(x[i-1], x[i+1])", "[1{x,..}24]", "y 24; x 24", 0, 1},
};

static void stretches_move(void **state)
{
	const struct stretch_row *row = *state;
	sw_mesh mesh = mesh_of("{x: 8}");
	computation c = {.formula = formula_of(row->formula)};

	assert_true(set_arrays(&c.formula, row->arrays, NULL));
	hold(&mesh, row->y, &c.formula, 0, &c.held[0]);
	start(&c);
	for (int64_t d = 0; d < mesh.devices; d++) {
		int64_t devices = check_stretch(&c.need[0].needed, d);
		assert_true(d != row->device || devices >= row->devices);
	}
}

/* ---- recorded kernels ---- */

static void is_kernel(const json_t *line)
{
	const char *kernel = json_string_value(json_object_get(line, "kernel"));
	sw_mesh mesh = mesh_of(json_string_value(json_object_get(line, "mesh")));
	computation c = {.formula = formula_of(kernel)};
	bool local, tight;

	assert_int_equal(c.formula.wrap, json_is_true(json_object_get(line, "wrap")));
	hold(&mesh, json_string_value(json_object_get(line, "y")), &c.formula, 0, &c.held[0]);
	hold(&mesh, json_string_value(json_object_get(line, "x")), &c.formula, 1, &c.held[1]);
	assert_true(sw_formula_fit(&c.formula, NULL));
	start(&c);
	assert_int_equal(c.needs, 1);
	for (int64_t d = 0; d < mesh.devices; d++) {
		const json_t *beta = json_array_get(json_object_get(line, "beta"), (size_t)d);
		sw_region needed, interior, boundary, expected = region_of(beta, c.formula.array[1].rank);
		assert_int_equal(sw_holding_defined(&c.need->needed, d), !json_is_null(beta));
		assert_true(sw_holding_region(&c.need->needed, d, arena, &needed));
		is_region(&needed, &expected, "beta", d);
		check_stretch(&c.need->needed, d);
		assert_true(sw_points_split(&c.points, c.need, 1, d, arena, &interior, &boundary));
		expected = region_of(json_array_get(json_object_get(line, "boundary"), (size_t)d), c.formula.array[0].rank);
		is_region(&boundary, &expected, "boundary", d);
		assert_int_equal(sw_region_size(&interior),
			json_integer_value(json_array_get(json_object_get(line, "interior"), (size_t)d)));
	}
	needs_are_said(&mesh, &c, json_string_value(json_object_get(line, "y")));
	assert_true(sw_need_local(c.need, &local, &tight));
	assert_int_equal(local, json_is_true(json_object_get(line, "local")));
}

static void recorded_kernels(void **state)
{
	(void)state;
	char line[1 << 16];
	FILE *file = cases_open("imp-kernels.jsonl");
	int count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		json_t *read = json_loads(line, 0, NULL);
		assert_non_null(read);
		sw_arena_clear(arena);
		is_kernel(read);
		json_decref(read);
		count++;
	}
	fclose(file);
	assert_true(count >= 10);
}

/* Lines that begin with `kernel` hold the words that they have to. */
static void recorded_refusals(void **state)
{
	(void)state;
	char line[1 << 12];
	FILE *file = cases_open("imp-bad.jsonl");
	int count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		json_t *read = json_loads(line, 0, NULL), *word;
		sw_str text = sw_str_of(json_string_value(json_object_get(read, "statement")));
		sw_formula formula;
		sw_diag diag = {0};
		size_t n;
		if (sw_str_starts(text, "kernel ")) {
			assert_false(sw_formula_parse(sw_str_behind(text, 7), NULL, arena, &formula, &diag));
			json_array_foreach(json_object_get(read, "says"), n, word)
				assert_non_null(strstr(diag.message, json_string_value(word)));
			count++;
		}
		json_decref(read);
	}
	fclose(file);
	assert_true(count >= 2);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(texts_are_read_and_printed, texts, text),
		ROWS(what_is_no_formula_is_refused, refused, text),
		ROWS(letters_have_one_size, fits, text),
		TEST(the_left_side_follows),
		TEST(where_a_formula_ends),
		TEXTS(equations_are_formulas, equations),
		TEXTS(others_are_none, no_equations),
		ROWS(needs_are_those_of_all_points, drawn, text),
		ROWS(known_needs, known, formula),
		ROWS(needs_have_words, worded, formula),
		TEST(sums_of_what_lies_once),
		ROWS(stretches_move, stretches, formula),
		TEST(local_and_tight),
		TEST(graphs_say_what_is_needed),
		TEST(recorded_kernels),
		TEST(recorded_refusals),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
