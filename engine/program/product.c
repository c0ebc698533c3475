/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rule EINSUM: what comes of multiplying tiles where they lie, or why they cannot be multiplied there.
 */
#include <assert.h>
#include <inttypes.h>

#include <shardwalk/number.h>
#include <shardwalk/product.h>

#include "array/parts.h"

/* Two operands, and what is said of them. */
typedef struct product {
	const sw_mesh *mesh;
	const sw_equation *equation;
	const sw_type *of[2];
	sw_diag *diag;
} product;

static const char *const name_of[] = {"A", "B", "the result"};

/* Says which rule is broken; false. */
static bool by_rule(sw_diag *diag, const char *rule)
{
	if (diag != NULL)
		diag->rule = rule;
	return false;
}

/* ---- sizes ---- */

static bool check_ranks(const product *p)
{
	for (int side = 0; side < 2; side++) {
		int letters = p->equation->rank[side], rank = p->of[side]->rank;

		if (letters == rank)
			continue;
		sw_diag_set(p->diag, SW_A03, (sw_span){0, 0}, "%s has %d dimension%s, the equation %d letter%s for it",
			name_of[side], rank, rank == 1 ? "" : "s", letters, letters == 1 ? "" : "s");
		sw_diag_expected(p->diag, "%d letter%s", rank, rank == 1 ? "" : "s");
		sw_diag_found(p->diag, "'%.*s'", letters, p->equation->letter[side]);
		sw_diag_hint(p->diag, "each dimension has a letter, and each letter a dimension");
		return by_rule(p->diag, SW_RULE_RANK);
	}
	return true;
}

static bool check_sizes(const product *p)
{
	const sw_equation *e = p->equation;

	for (int i = 0; i < e->rank[SW_EQUATION_A]; i++) {
		char letter = e->letter[SW_EQUATION_A][i];
		int k = sw_equation_find(e, SW_EQUATION_B, letter);

		if (k < 0 ||
			(p->of[0]->global[i] == p->of[1]->global[k] && sw_type_size(p->of[0], i) == sw_type_size(p->of[1], k)))
			continue;
		sw_diag_set(p->diag, SW_A04, (sw_span){0, 0}, "letter '%c' is %" PRId64 " in A and %" PRId64 " in B", letter,
			sw_type_size(p->of[0], i), sw_type_size(p->of[1], k));
		sw_diag_expected(p->diag, "one size for each letter");
		sw_diag_found(p->diag, "%" PRId64 " and %" PRId64, sw_type_size(p->of[0], i), sw_type_size(p->of[1], k));
		sw_diag_hint(p->diag, "dimension %d of A and dimension %d of B are one index", i, k);
		return by_rule(p->diag, SW_RULE_SIZE);
	}
	return true;
}

static bool check_dtypes(const product *p)
{
	const sw_type *a = p->of[0], *b = p->of[1];

	if (a->dtype == b->dtype || !a->dtype_given || !b->dtype_given)
		return true;
	sw_diag_set(p->diag, SW_T09, (sw_span){0, 0},
		"A has elements %s and B has elements "
		"%s",
		sw_dtype_name(a->dtype), sw_dtype_name(b->dtype));
	sw_diag_expected(p->diag, "one element type");
	sw_diag_hint(p->diag, "convert one of them first");
	return false;
}

/* Where a letter stands, in the first operand that has it. */
static const sw_type *type_with(const product *p, char letter, int *dim)
{
	*dim = sw_equation_find(p->equation, SW_EQUATION_A, letter);
	if (*dim >= 0)
		return p->of[0];
	*dim = sw_equation_find(p->equation, SW_EQUATION_B, letter);
	return p->of[1];
}

static bool whole_result(const product *p, sw_type *result)
{
	const sw_equation *e = p->equation;
	int rank = e->rank[SW_EQUATION_RESULT], dim;
	int64_t global[SW_MAX_DIMS], real[SW_MAX_DIMS];
	const sw_type *with = p->of[1]->dtype_given && !p->of[0]->dtype_given ? p->of[1] : p->of[0];

	for (int i = 0; i < rank; i++) {
		const sw_type *of = type_with(p, e->letter[SW_EQUATION_RESULT][i], &dim);

		global[i] = of->global[dim];
		real[i] = sw_type_size(of, dim);
	}
	if (!sw_type_replicated(with->dtype, rank, global, result, p->diag))
		return false;
	result->dtype_given = with->dtype_given;
	if (sw_type_padded(p->of[0]) || sw_type_padded(p->of[1]))
		sw_type_set_real(result, real);
	return true;
}

bool sw_product_shape(const sw_equation *equation, const sw_type *a, const sw_type *b, sw_type *result, sw_diag *diag)
{
	product p = {.equation = equation, .of = {a, b}, .diag = diag};

	return check_ranks(&p) && check_sizes(&p) && check_dtypes(&p) && whole_result(&p, result);
}

/* ---- where tiles lie ---- */

/* The parts of a dimension that cut it, or of the rank those that are summed: an axis of size 1 does neither. */
static int pieces(const sw_type *type, int dim, sw_part *parts)
{
	int count = sw_type_parts(type, dim, parts), kept = 0;

	for (int k = 0; k < count; k++)
		if (parts[k].size > 1)
			parts[kept++] = parts[k];
	return kept;
}

static bool cut_alike(const sw_type *a, int i, const sw_type *b, int k)
{
	sw_part of_a[SW_MAX_PARTS], of_b[SW_MAX_PARTS];

	return sw_parts_same(of_a, pieces(a, i, of_a), of_b, pieces(b, k, of_b));
}

/* The first letter of both that is cut in different ways; -1: there is none. */
static int cut_differently(const product *p, int *in_b)
{
	const sw_equation *e = p->equation;

	for (int i = 0; i < e->rank[SW_EQUATION_A]; i++) {
		*in_b = sw_equation_find(e, SW_EQUATION_B, e->letter[SW_EQUATION_A][i]);
		if (*in_b >= 0 && !cut_alike(p->of[0], i, p->of[1], *in_b))
			return i;
	}
	return -1;
}

static void add_cut(const product *p, int side, int dim, sw_text *text)
{
	sw_part parts[SW_MAX_PARTS];
	int count = pieces(p->of[side], dim, parts);

	if (count == 0) {
		sw_text_addf(text, "whole in %s", name_of[side]);
		return;
	}
	sw_text_add_char(text, '{');
	for (int k = 0; k < count; k++) {
		sw_text_add(text, k > 0 ? "," : "");
		sw_part_print(p->mesh, parts[k], text);
	}
	sw_text_addf(text, "} in %s", name_of[side]);
}

static bool check_shared(const product *p)
{
	int in_b, in_a = cut_differently(p, &in_b);
	sw_text how = {0};

	if (in_a < 0)
		return true;
	add_cut(p, 0, in_a, &how);
	sw_text_add(&how, ", ");
	add_cut(p, 1, in_b, &how);
	sw_diag_set(p->diag, SW_A05, (sw_span){0, 0}, "letter '%c' is partitioned differently in A and in B",
		p->equation->letter[SW_EQUATION_A][in_a]);
	sw_diag_expected(p->diag, "the same partition in both");
	sw_diag_found(p->diag, "%s", sw_text_get(&how));
	sw_diag_hint(p->diag, "redistribute one of them first; einsum lists the ways with their costs");
	sw_text_free(&how);
	return by_rule(p->diag, SW_RULE_SHARED);
}

/* A part of a dimension of one operand, or of its sums, that clashes with one of the other. */
typedef struct clash {
	int dim[2]; /* the rank: the sums */
	sw_part part[2];
} clash;

static bool dims_clash(const product *p, int i, int k, clash *found)
{
	sw_part of_a[SW_MAX_PARTS], of_b[SW_MAX_PARTS];
	int count_a = pieces(p->of[0], i, of_a), count_b = pieces(p->of[1], k, of_b);

	for (int n = 0; n < count_a; n++) {
		int at = sw_parts_clash(of_b, count_b, of_a[n]);
		if (at < 0)
			continue;
		*found = (clash){{i, k}, {of_a[n], of_b[at]}};
		return true;
	}
	return false;
}

/* Does one axis cut a letter of A alone and a letter of B alone? */
static bool letters_clash(const product *p, clash *found)
{
	const sw_equation *e = p->equation;

	for (int i = 0; i < e->rank[SW_EQUATION_A]; i++)
		for (int k = 0; k < e->rank[SW_EQUATION_B]; k++)
			if (sw_equation_find(e, SW_EQUATION_B, e->letter[SW_EQUATION_A][i]) < 0 &&
				sw_equation_find(e, SW_EQUATION_A, e->letter[SW_EQUATION_B][k]) < 0 && dims_clash(p, i, k, found))
				return true;
	return false;
}

static bool check_axes(const product *p)
{
	sw_text part = {0};
	clash c;

	if (!letters_clash(p, &c))
		return true;
	sw_part_print(p->mesh, c.part[0], &part);
	char i = p->equation->letter[SW_EQUATION_A][c.dim[0]], k = p->equation->letter[SW_EQUATION_B][c.dim[1]];
	sw_diag_set(p->diag, SW_A06, (sw_span){0, 0}, "axis %s cuts letter '%c' of A and letter '%c' of B",
		sw_text_get(&part), i, k);
	sw_diag_expected(p->diag, "one letter for each axis");
	sw_diag_found(p->diag, "tiles of '%c' and '%c' that meet only on the diagonal", i, k);
	sw_diag_hint(p->diag, "gather '%c' of A or '%c' of B over %s first", i, k, sw_text_get(&part));
	sw_text_free(&part);
	return by_rule(p->diag, SW_RULE_AXIS);
}

/* Is a sum of one operand used in the other, as a sum or to cut it? */
static bool sums_clash(const product *p, clash *found)
{
	int a = p->of[0]->rank, b = p->of[1]->rank;

	for (int k = b; k >= 0; k--)
		if (dims_clash(p, a, k, found))
			return true;
	for (int i = 0; i < a; i++)
		if (dims_clash(p, i, b, found))
			return true;
	return false;
}

static bool check_terms(const product *p)
{
	sw_text part = {0};
	clash c;

	if (!sums_clash(p, &c))
		return true;
	int sum = c.dim[0] == p->of[0]->rank ? 0 : 1, other = 1 - sum;
	bool both = c.dim[other] == p->of[other]->rank;
	sw_part_print(p->mesh, c.part[sum], &part);
	if (both)
		sw_diag_set(p->diag, SW_A07, (sw_span){0, 0}, "A and B are both sums over %s: their terms do not pair",
			sw_text_get(&part));
	else
		sw_diag_set(p->diag, SW_A07, (sw_span){0, 0}, "%s is a sum over %s, which cuts letter '%c' of %s",
			name_of[sum], sw_text_get(&part), p->equation->letter[other][c.dim[other]], name_of[other]);
	sw_diag_expected(p->diag, "a sum that the other operand does not use");
	sw_diag_found(p->diag, "%s in both", sw_text_get(&part));
	sw_diag_hint(p->diag, both ? "reduce one of them over %s first" : "reduce %s over it first, or gather the other",
		both ? sw_text_get(&part) : name_of[sum]);
	sw_text_free(&part);
	return by_rule(p->diag, SW_RULE_PAIRED);
}

/* ---- the result ---- */

static bool cut_result(const product *p, sw_type *result)
{
	const sw_equation *e = p->equation;
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0, dim;

	for (int i = 0; i < e->rank[SW_EQUATION_RESULT]; i++) {
		const sw_type *of = type_with(p, e->letter[SW_EQUATION_RESULT][i], &dim);

		count[i] = pieces(of, dim, parts + n);
		n += count[i];
	}
	return sw_type_partition(p->mesh, result, count, parts, p->diag);
}

/* What cuts letters that the result lacks, and the sums of the operands. */
static bool sum_result(const product *p, sw_type *result)
{
	const sw_equation *e = p->equation;
	sw_part parts[2 * SW_MAX_PARTS];
	int n = 0;

	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < e->rank[side]; i++) {
			char letter = e->letter[side][i];
			if (sw_equation_find(e, SW_EQUATION_RESULT, letter) < 0 &&
				(side == 0 || sw_equation_find(e, SW_EQUATION_A, letter) < 0))
				n += pieces(p->of[side], i, parts + n);
		}
		n += pieces(p->of[side], p->of[side]->rank, parts + n);
	}
	return sw_type_set_sums(p->mesh, result, parts, n, p->diag);
}

bool sw_product_local(const sw_mesh *mesh, const sw_equation *equation, const sw_type *a, const sw_type *b,
	sw_type *result, sw_diag *diag)
{
	product p = {mesh, equation, {a, b}, diag};
	sw_type out;

	if (!sw_product_shape(equation, a, b, &out, diag) || !check_shared(&p) || !check_axes(&p) || !check_terms(&p) ||
		!cut_result(&p, &out) || !sum_result(&p, &out))
		return false;
	*result = out;
	return true;
}

bool sw_product_flops(const sw_equation *equation, const sw_type *a, const sw_type *b, int64_t *flops, sw_diag *diag)
{
	assert(equation->rank[SW_EQUATION_A] == a->rank && equation->rank[SW_EQUATION_B] == b->rank);
	int64_t product = 2;

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < equation->rank[side]; i++) {
			if (side == 1 && sw_equation_find(equation, SW_EQUATION_A, equation->letter[side][i]) >= 0)
				continue;
			if (!sw_mul(product, (side == 0 ? a : b)->tile[i], &product))
				return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the operations of a device do not fit 64 bits");
		}
	*flops = product;
	return true;
}

static bool summed_alike(const product *p)
{
	const sw_equation *e = p->equation;

	for (int i = 0; i < e->rank[SW_EQUATION_A]; i++) {
		char letter = e->letter[SW_EQUATION_A][i];
		int k = sw_equation_find(e, SW_EQUATION_B, letter);

		if (k >= 0 && sw_equation_find(e, SW_EQUATION_RESULT, letter) < 0 && sw_type_cuts(p->of[0], i) > 1 &&
			cut_alike(p->of[0], i, p->of[1], k))
			return true;
	}
	return false;
}

unsigned sw_product_cases(const sw_mesh *mesh, const sw_equation *equation, const sw_type *a, const sw_type *b)
{
	product p = {mesh, equation, {a, b}, NULL};
	unsigned cases = 0;
	clash found;
	int in_b;

	cases |= cut_differently(&p, &in_b) >= 0 ? 1u << 2 : 0;
	cases |= summed_alike(&p) ? 1u << 3 : 0;
	cases |= letters_clash(&p, &found) ? 1u << 4 : 0;
	cases |= sw_type_terms(a) > 1 || sw_type_terms(b) > 1 ? 1u : 0;
	return cases != 0 ? cases : 1u << 1;
}

/* ---- cases in words ---- */

static void tell_different(const product *p, sw_text *text)
{
	int in_b, in_a = cut_differently(p, &in_b);

	if (in_a < 0)
		return;
	sw_text_addf(text, "letter %c is cut ", p->equation->letter[SW_EQUATION_A][in_a]);
	add_cut(p, 0, in_a, text);
	sw_text_add(text, ", ");
	add_cut(p, 1, in_b, text);
}

static void add_parts(const product *p, int side, int dim, sw_text *text)
{
	sw_part parts[SW_MAX_PARTS];
	int count = pieces(p->of[side], dim, parts);

	for (int k = 0; k < count; k++) {
		sw_text_add(text, k == 0 ? "" : k + 1 < count ? ", " : " and ");
		sw_part_print(p->mesh, parts[k], text);
	}
	sw_text_add(text, dim == p->of[side]->rank ? "" : count == 1 ? " cuts" : " cut");
}

static void tell_summed(const product *p, sw_text *text)
{
	const sw_equation *e = p->equation;
	bool first = true;

	for (int i = 0; i < e->rank[SW_EQUATION_A]; i++) {
		char letter = e->letter[SW_EQUATION_A][i];
		int k = sw_equation_find(e, SW_EQUATION_B, letter);

		if (k < 0 || sw_equation_find(e, SW_EQUATION_RESULT, letter) >= 0 || sw_type_cuts(p->of[0], i) == 1 ||
			!cut_alike(p->of[0], i, p->of[1], k))
			continue;
		sw_text_add(text, first ? "" : ", ");
		add_parts(p, 0, i, text);
		sw_text_addf(text, " %c, which is summed, alike in both", letter);
		first = false;
	}
}

static void tell_axis(const product *p, sw_text *text)
{
	clash c;

	if (!letters_clash(p, &c))
		return;
	sw_part_print(p->mesh, c.part[0], text);
	sw_text_addf(text, " cuts %c of A and %c of B, so only tiles on the diagonal would be computed",
		p->equation->letter[SW_EQUATION_A][c.dim[0]], p->equation->letter[SW_EQUATION_B][c.dim[1]]);
}

static void tell_sums(const product *p, sw_text *text)
{
	bool first = true;

	for (int side = 0; side < 2; side++) {
		if (sw_type_terms(p->of[side]) == 1)
			continue;
		sw_text_addf(text, "%s%s is a sum over ", first ? "" : ", ", name_of[side]);
		add_parts(p, side, p->of[side]->rank, text);
		first = false;
	}
}

static void tell_nothing(const product *p, sw_text *text)
{
	(void)p;
	sw_text_add(text, "no axis prevents it");
}

void sw_product_tell(const sw_mesh *mesh, const sw_equation *equation, const sw_type *a, const sw_type *b, int which,
	sw_text *text)
{
	static void (*const tell[])(const product *p, sw_text *text) = {tell_sums, tell_nothing, tell_different,
		tell_summed, tell_axis};
	product p = {mesh, equation, {a, b}, NULL};

	if (which >= 0 && which < (int)(sizeof tell / sizeof *tell))
		tell[which](&p, text);
}
