/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems: two types of one array, and reading `FROM ~> TO`.
 *
 * Source: seed 000, section 2.5.
 */
#include <shardwalk/distribution.h>

#include <inttypes.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "base/scan.h"
#include "array/type_parse.h"

#define PROBLEM_RANK (-1)
#define PROBLEM_DTYPE (-2)
#define PROBLEM_SAME (-3)

void sw_type_agree(sw_type *a, sw_type *b)
{
	sw_uneven_agree(a, b);
	if (a->dtype_given == b->dtype_given)
		return;
	const sw_type *said = a->dtype_given ? a : b;
	sw_type *silent = a->dtype_given ? b : a;
	silent->dtype = said->dtype;
	silent->dtype_given = true;
}

/* The first dimension in which the arrays differ, or one of the constants above. */
static int problem_difference(const sw_type *from, const sw_type *to)
{
	if (from->rank != to->rank)
		return PROBLEM_RANK;
	for (int d = 0; d < from->rank; d++)
		if (from->global[d] != to->global[d] ||
			(from->padding != to->padding && sw_type_size(from, d) != sw_type_size(to, d)))
			return d;
	return from->dtype == to->dtype ? PROBLEM_SAME : PROBLEM_DTYPE;
}

static bool problem_refuse(const sw_type *from, const sw_type *to, int difference, sw_diag *diag)
{
	sw_span nowhere = {0, 0};
	if (difference == PROBLEM_RANK) {
		sw_diag_set(diag, SW_T09, nowhere, "the two types have different numbers of dimensions");
		sw_diag_expected(diag, "%d", from->rank);
		sw_diag_found(diag, "%d", to->rank);
	} else if (difference == PROBLEM_DTYPE) {
		sw_diag_set(diag, SW_T09, nowhere, "the two types have different element types");
		sw_diag_expected(diag, "%s", sw_dtype_name(from->dtype));
		sw_diag_found(diag, "%s%s", sw_dtype_name(to->dtype), to->dtype_given ? "" : " (none is given)");
	} else {
		sw_diag_set(diag, SW_T09, nowhere, "the two types have different sizes in dimension %d", difference);
		sw_diag_expected(diag, "%" PRId64, sw_type_size(from, difference));
		sw_diag_found(diag, "%" PRId64, sw_type_size(to, difference));
	}
	sw_diag_hint(diag, "a redistribution moves an array and keeps its shape and element type");
	return false;
}

bool sw_type_redistributable(const sw_type *from, const sw_type *to, sw_diag *diag)
{
	int difference = problem_difference(from, to);
	if (difference != PROBLEM_SAME)
		return problem_refuse(from, to, difference, diag);
	return sw_type_check_sums(from, diag) && sw_type_check_sums(to, diag);
}

static sw_span problem_position(const sw_type_positions *positions, int difference)
{
	if (difference >= 0)
		return positions->global[difference];
	bool dtype = difference == PROBLEM_DTYPE && positions->dtype.end > positions->dtype.begin;
	return dtype ? positions->dtype : positions->whole;
}

static bool problem_is_arrow(sw_str text, size_t at)
{
	return at + 1 < text.length && text.at[at + 1] == '>' && (text.at[at] == '~' || text.at[at] == '-');
}

/* Where the arrow stands outside quotes and brackets (`nested`: anywhere), or text.length. */
static size_t problem_arrow(sw_str text, bool nested)
{
	long depth = 0;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		if ((nested || depth <= 0) && problem_is_arrow(text, i))
			return i;
		const char *close = NULL;
		if (!nested && (c == '"' || c == '\''))
			close = memchr(text.at + i + 1, c, text.length - i - 1);
		if (close)
			i = (size_t)(close - text.at);
		depth += c == '[' || c == '{' || c == '(';
		depth -= c == ']' || c == '}' || c == ')';
	}
	return text.length;
}

static bool problem_refuse_arrow(sw_str text, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, text.length}, "there is no arrow between two types");
	sw_diag_expected(diag, "FROM ~> TO, such as [3{x}12, 12] ~> [12, 3{x}12]");
	sw_diag_found(diag, "%s", text.length ? sw_scan_quote(text).text : "an empty text");
	sw_diag_hint(diag, "write ~> (or ->) between the present type and the wanted type");
	return false;
}

static bool problem_is_empty(sw_str side)
{
	return sw_str_trim(side).length == 0;
}

static bool problem_refuse_empty(const char *side, size_t arrow, sw_diag *diag)
{
	sw_diag_set(diag, SW_T01, (sw_span){arrow, arrow + 2}, "there is no type %s the arrow", side);
	sw_diag_expected(diag, "FROM ~> TO, such as [3{x}12, 12] ~> [12, 3{x}12]");
	sw_diag_found(diag, "nothing %s it", side);
	return false;
}

static bool problem_read_sides(const sw_any_reader *r, sw_any_read *from, sw_any_read *to)
{
	sw_str text = r->text;
	size_t arrow = problem_arrow(text, false);
	if (arrow == text.length)
		arrow = problem_arrow(text, true);
	if (arrow == text.length)
		return problem_refuse_arrow(text, r->diag);
	size_t right = arrow + 2;
	if (problem_is_empty((sw_str){text.at, arrow}))
		return problem_refuse_empty("before", arrow, r->diag);
	if (problem_is_empty((sw_str){text.at + right, text.length - right}))
		return problem_refuse_empty("after", arrow, r->diag);
	return sw_type_read_any(r, 0, arrow, from) && sw_type_read_any(r, right, text.length, to);
}

bool sw_type_agree_any(sw_type *a, const sw_distribution *a_words, sw_type *b, const sw_distribution *b_words,
	sw_diag *diag)
{
	bool mixed = (a_words != NULL && b->padding != 0) || (b_words != NULL && a->padding != 0);
	if (!mixed) {
		sw_type_agree(a, b);
		return true;
	}
	sw_diag_set(diag, SW_T04, (sw_span){0, 0}, "one type is padded, but the other is not a tile type");
	sw_diag_expected(diag, "a rule instead of padding, such as `by %s`", sw_uneven_name(SW_UNEVEN_CEIL));
	return false;
}

/* Do both say the same array, and are their elements such that they can be summed? */
static bool problem_check(sw_any_read *from, sw_any_read *to, sw_diag *diag)
{
	if (!sw_type_agree_any(&from->type, from->words, &to->type, to->words, diag)) {
		if (diag)
			diag->at = from->words ? to->at.whole : from->at.whole;
		return false;
	}
	int difference = problem_difference(&from->type, &to->type);
	if (difference != PROBLEM_SAME) {
		problem_refuse(&from->type, &to->type, difference, diag);
		if (diag)
			diag->at = problem_position(&to->at, difference);
		sw_diag_also(diag, problem_position(&from->at, difference), "the array as it is");
		return false;
	}
	if (sw_type_check_sums(&from->type, diag) && sw_type_check_sums(&to->type, diag))
		return true;
	if (diag)
		diag->at = sw_type_check_sums(&from->type, NULL) ? to->at.whole : from->at.whole;
	return false;
}

static bool problem_read(const sw_any_reader *r, sw_problem *problem)
{
	sw_any_read from, to;
	if (!problem_read_sides(r, &from, &to) || !problem_check(&from, &to, r->diag))
		return false;
	*problem = (sw_problem){.mesh = *r->mesh,
		.from = from.type,
		.to = to.type,
		.from_words = from.words,
		.to_words = to.words};
	return true;
}

bool sw_problem_parse(const sw_mesh *mesh, sw_str text, sw_problem *problem, sw_diag *diag)
{
	return sw_problem_parse_as(mesh, text, false, problem, diag);
}

bool sw_problem_parse_as(const sw_mesh *mesh, sw_str text, bool pads, sw_problem *problem, sw_diag *diag)
{
	return problem_read(&(sw_any_reader){.mesh = mesh, .text = text, .pads = pads, .diag = diag}, problem);
}

bool sw_problem_parse_any(const sw_mesh *mesh, sw_str text, bool pads, const sw_distribution_names *names,
	sw_arena *arena, sw_problem *problem, sw_diag *diag)
{
	return problem_read(&(sw_any_reader){mesh, text, pads, names, arena, diag}, problem);
}

bool sw_problem_holdings(const sw_problem *problem, sw_arena *arena, sw_holding *from, sw_holding *to)
{
	const sw_mesh *mesh = &problem->mesh;
	return sw_holding_of_any(mesh, &problem->from, problem->from_words, mesh->order, arena, from) &&
		sw_holding_of_any(mesh, &problem->to, problem->to_words, sw_problem_to_order(problem), arena, to);
}

const int64_t *sw_problem_to_order(const sw_problem *problem)
{
	return problem->to_order ? problem->to_order : problem->mesh.order;
}

bool sw_problem_ordered(const sw_problem *problem)
{
	return problem->mesh.order || problem->to_order;
}
