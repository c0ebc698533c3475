/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The local rules of global statements.
 */
#include "program/rules.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/collective.h>

#include "array/parts.h"
#include "base/room.h"
#include "program/ops.h"

static const sw_span rule_nowhere = {0, 0};

bool sw_rule_name(sw_diag *diag, const char *rule)
{
	if (diag)
		diag->rule = rule;
	return false;
}

static const char *rule_print(const sw_mesh *mesh, const sw_type *type, sw_text *text)
{
	sw_text_clear(text);
	sw_type_print(mesh, type, type->dtype_given, text);
	return sw_text_get(text);
}

/* ---- one function of a sum ---- */

typedef struct rule_finish {
	sw_op op;
	int64_t cost;
	sw_type type;
} rule_finish;

/* The type after a sum is reduced and scattered over dimension `dim`; false where its tile does not divide. */
static bool rule_scattered(const sw_mesh *mesh, const sw_type *type, int dim, sw_type *out)
{
	sw_part parts[SW_MAX_PARTS], all[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], summed = sw_type_sums(type, parts), total = 0;
	if (type->tile[dim] % sw_type_terms(type) != 0)
		return false;
	for (int d = 0; d < type->rank; d++) {
		int before = total;
		for (int i = 0; d == dim && i < summed; i++) {
			SW_ROOM(all, total);
			all[total++] = parts[i];
		}
		total += sw_type_parts(type, d, all + total);
		count[d] = total - before;
	}
	*out = *type;
	return sw_type_set_sums(mesh, out, NULL, 0, NULL) && sw_type_partition(mesh, out, count, all, NULL);
}

/* Puts a way to finish a sum among the two cheapest. */
static void rule_keep(rule_finish best[2], int *count, const rule_finish *way)
{
	int at = *count;
	while (at > 0 && best[at - 1].cost > way->cost)
		at--;
	if (at > 1)
		return;
	if (at == 0)
		best[1] = best[0];
	best[at] = *way;
	*count += *count < 2;
}

static int rule_finishes(const sw_mesh *mesh, const sw_type *type, rule_finish best[2])
{
	int64_t size = sw_type_localsize(type);
	int count = 0;
	rule_finish way = {.op = SW_ALLREDUCE, .cost = sw_paper_cost(SW_ALLREDUCE, size, size), .type = *type};
	if (sw_type_set_sums(mesh, &way.type, NULL, 0, NULL))
		rule_keep(best, &count, &way);
	way.op = SW_REDUCESCATTER;
	way.cost = sw_paper_cost(SW_REDUCESCATTER, size, size);
	for (int d = 0; d < type->rank; d++)
		if (rule_scattered(mesh, type, d, &way.type))
			rule_keep(best, &count, &way);
	return count;
}

static void rule_hint_finish(const sw_mesh *mesh, const sw_type *type, sw_diag *diag)
{
	rule_finish way[2];
	sw_text text = {0}, hint = {0};
	int count = rule_finishes(mesh, type, way);
	sw_text_add(&hint, "complete the sum first: redistribute it as ");
	for (int i = 0; i < count; i++)
		sw_text_addf(&hint, "%s%s (%s, cost %" PRId64 ")", i ? " or as " : "", rule_print(mesh, &way[i].type, &text),
			sw_collective_of(way[i].op)->name, way[i].cost);
	sw_diag_hint(diag, "%s", sw_text_get(&hint));
	sw_text_free(&text);
	sw_text_free(&hint);
}

bool sw_rule_unary(const sw_mesh *mesh, sw_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag)
{
	(void)mesh, (void)op, (void)none, (void)diag;
	*computed = *use[0];
	return true;
}

bool sw_rule_whole(const sw_mesh *mesh, sw_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag)
{
	sw_text text = {0};
	if (sw_type_terms(use[0]) == 1)
		return sw_rule_unary(mesh, op, none, use, computed, diag);
	sw_diag_set(diag, SW_A08, rule_nowhere, "%s of an incomplete sum", sw_op_name(op));
	sw_diag_expected(diag, "an operand without sums");
	sw_diag_found(diag, "%s", rule_print(mesh, use[0], &text));
	if (diag)
		rule_hint_finish(mesh, use[0], diag);
	sw_text_free(&text);
	return sw_rule_name(diag, SW_RULE_NO_SUM);
}

/* ---- two operands, element by element ---- */

static bool rule_same_sizes(const sw_type *a, const sw_type *b)
{
	return a->rank == b->rank && memcmp(a->global, b->global, (size_t)a->rank * sizeof(*a->global)) == 0;
}

static bool rule_refuse_unlike(const sw_mesh *mesh, sw_op op, const sw_type *const *use, bool alike, sw_diag *diag)
{
	sw_text text[2] = {{0}, {0}};
	const char *first = rule_print(mesh, use[0], &text[0]), *second = rule_print(mesh, use[1], &text[1]);
	bool sum[2] = {sw_type_terms(use[0]) > 1, sw_type_terms(use[1]) > 1};
	sw_diag_set(diag, SW_A09, rule_nowhere, "%s of %s and %s", sw_op_name(op), first, second);
	sw_diag_expected(diag, alike ? "operands of the same type" : "operands of the same sizes");
	sw_diag_found(diag, "%s and %s", first, second);
	if (alike && sum[0] != sum[1] && rule_same_sizes(use[0], use[1]))
		sw_diag_hint(diag,
			"the copy would be added once for each device; redistribute it as %s first (zeros makes it a sum at no "
			"cost)",
			sum[0] ? first : second);
	else if (rule_same_sizes(use[0], use[1]))
		sw_diag_hint(diag, "redistribute one of them first: as %s, or the other as %s", first, second);
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return sw_rule_name(diag, SW_RULE_ALIKE);
}

/* Element types agree, and where they are to be alike both types; else A09. */
static bool rule_agree(const sw_mesh *mesh, sw_op op, const sw_type *const *use, bool alike, sw_type agreed[2],
	sw_diag *diag)
{
	agreed[0] = *use[0];
	agreed[1] = *use[1];
	bool same = rule_same_sizes(use[0], use[1]);
	if (same)
		sw_type_agree(&agreed[0], &agreed[1]);
	return (same && agreed[0].dtype == agreed[1].dtype &&
			   (!alike || sw_type_same_map(mesh, &agreed[0], &agreed[1]))) ||
		rule_refuse_unlike(mesh, op, use, alike, diag);
}

/* The equation of a product element by element: abc,abc->abc. */
static sw_equation rule_elements(int rank)
{
	sw_equation equation = {.rank = {rank, rank, rank}};
	for (int side = 0; side < SW_EQUATION_SIDES; side++)
		for (int d = 0; d < rank; d++)
			equation.letter[side][d] = (char)('a' + d);
	return equation;
}

bool sw_rule_elements(const sw_mesh *mesh, sw_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag)
{
	sw_type agreed[2];
	(void)none;
	if (!rule_agree(mesh, op, use, false, agreed, diag))
		return false;
	sw_equation equation = rule_elements(use[0]->rank);
	return sw_product_local(mesh, &equation, &agreed[0], &agreed[1], computed, diag);
}

bool sw_rule_alike(const sw_mesh *mesh, sw_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag)
{
	(void)none;
	sw_type agreed[2];
	if (!rule_agree(mesh, op, use, true, agreed, diag))
		return false;
	*computed = agreed[0];
	return true;
}

/* ---- all ---- */

bool sw_rule_product(const sw_mesh *mesh, sw_op op, const sw_equation *equation, const sw_type *const *use,
	sw_type *computed, sw_diag *diag)
{
	(void)op;
	return sw_product_local(mesh, equation, use[0], use[1], computed, diag);
}

bool sw_rule_compute(const sw_mesh *mesh, sw_op op, const sw_equation *equation, const sw_type *const *use,
	sw_type *computed, sw_diag *diag)
{
	return sw_operation_of(op)->rule(mesh, op, equation, use, computed, diag);
}

bool sw_rule_shape(sw_op op, const sw_equation *equation, const sw_type *const *use, sw_type *whole, sw_diag *diag)
{
	static const sw_mesh nothing = {.devices = 1};
	sw_type array[2];
	const sw_type *of[2] = {&array[0], &array[1]};
	int operands = sw_operation_of(op)->operands;
	for (int i = 0; i < operands; i++) {
		memset(&array[i], 0, sizeof(array[i]));
		if (!sw_type_replicated(use[i]->dtype, use[i]->rank, use[i]->global, &array[i], diag))
			return false;
		array[i].dtype_given = use[i]->dtype_given;
	}
	return sw_rule_compute(&nothing, op, equation, of, whole, diag);
}

bool sw_rule_same_array(const sw_mesh *mesh, const sw_type *from, sw_type *to, sw_diag *diag)
{
	sw_type source = *from, target = *to;
	sw_text text[2] = {{0}, {0}};
	sw_type_agree(&source, &target);
	if (sw_type_redistributable(&source, &target, NULL)) {
		*to = target;
		return true;
	}
	const char *first = rule_print(mesh, from, &text[0]), *second = rule_print(mesh, to, &text[1]);
	sw_diag_set(diag, SW_A17, rule_nowhere, "%s and %s are not the same array", first, second);
	sw_diag_expected(diag, "the sizes and the element type of %s", first);
	sw_diag_found(diag, "%s", second);
	sw_diag_hint(diag, "a redistribution moves an array and keeps its shape and element type");
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return sw_rule_name(diag, SW_RULE_REDISTRIBUTE);
}
