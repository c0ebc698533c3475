/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of groups as text, and steps with such a name.
 *
 *     step  = operation name
 *     name  = "inside" unit | ("across" | "masters") unit [ "in" unit ]
 *     unit  = "root" | level | number of a factor
 *
 * As the paper on placements writes them: (CPU, InsideGroup, AllReduce), (CPU, Parallel(server), AllReduce), Master(server).
 */
#include <shardwalk/reduction.h>

#include <assert.h>
#include <stdio.h>

#include <shardwalk/number.h>

#include "base/scan.h"

static const struct {
	const char *word, *other;
} forms[] = {
#define X(id, word, other, about) {word, other},
	SW_GROUP_FORMS(X)
#undef X
};

static const char *const printed_forms[SW_FORM_COUNT] = {"InsideGroup", "Parallel", "Master"};

static bool refuse_word(sw_scan *scan, sw_code code, sw_str word, sw_span at, const char *what, const char *expected)
{
	sw_quote quote = sw_scan_quote(word);

	if (word.length == 0)
		return sw_scan_unexpected(scan, expected, (sw_span){0, 0});
	sw_diag_set(scan->diag, code, at, "%s is not a valid %s", quote.text, what);
	sw_diag_expected(scan->diag, "%s", expected);
	sw_diag_found(scan->diag, "%s", quote.text);
	return false;
}

static bool read_op(sw_scan *scan, sw_op *op)
{
	const char *names[SW_CHUNK_OPS];
	sw_span at;
	sw_str word = sw_scan_word(scan, &at);

	*op = sw_chunk_op_named(word);
	if (*op != SW_OP_COUNT)
		return true;
	for (int n = 0; n < SW_CHUNK_OPS; n++)
		names[n] = sw_op_name(sw_chunk_ops[n]);
	refuse_word(scan, SW_C01, word, at, "operation on chunks",
		"allreduce, reducescatter, allgather, reduce or broadcast");
	int nearest = sw_str_nearest(word, names, SW_CHUNK_OPS);
	if (word.length > 0 && nearest >= 0)
		sw_diag_hint(scan->diag, "did you mean '%s'?", names[nearest]);
	return false;
}

static bool read_form(sw_scan *scan, sw_group_form *form)
{
	sw_span at;
	sw_str word = sw_scan_word(scan, &at);

	for (int i = 0; i < SW_FORM_COUNT; i++)
		if (sw_str_is(word, forms[i].word) || sw_str_is(word, forms[i].other)) {
			*form = (sw_group_form)i;
			return true;
		}
	return refuse_word(scan, SW_C02, word, at, "form of groups", "inside, across or masters");
}

/* The innermost factor that is not inside a unit of the level. */
static int factor_of_level(const sw_hierarchy *hierarchy, int level)
{
	int factor = 0;

	while (factor < hierarchy->count && hierarchy->digit[hierarchy->first[factor]].level <= level)
		factor++;
	return factor;
}

static bool refuse_unit(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy, sw_str word,
	sw_span at)
{
	char expected[96];
	int nearest = system != NULL ? sw_system_nearest(system, word) : -1;

	snprintf(expected, sizeof expected, "root, %sa factor from 0 to %d",
		system != NULL ? "a level of the system, or " : "", hierarchy->count);
	refuse_word(scan, SW_L08, word, at, "level", expected);
	if (nearest >= 0)
		sw_diag_hint(scan->diag, "did you mean '%s'?", system->level[nearest].name);
	return false;
}

/* A page has levels in capitals where the system has not. */
static int level_named(const sw_system *system, sw_str word)
{
	int level = sw_system_find(system, word);

	for (int i = 0; i < system->count && level < 0; i++)
		level = sw_str_same_letters(word, sw_str_of(system->level[i].name)) ? i : -1;
	return level;
}

/* Is a unit of the factor a unit of the level?  Not where a factor further in is of the level or of one above it: in hierarchies row by
 * row. */
static bool is_level(const sw_hierarchy *hierarchy, int factor, int level)
{
	for (int k = hierarchy->first[factor]; k < hierarchy->first[hierarchy->count]; k++)
		if (hierarchy->digit[k].level <= level && hierarchy->digit[k].size > 1)
			return false;
	return true;
}

static bool refuse_level(sw_scan *scan, const sw_hierarchy *hierarchy, sw_str word, sw_span at)
{
	sw_quote quote = sw_scan_quote(word);

	sw_diag_set(scan->diag, SW_L08, at, "no factor of this hierarchy has the units of %s", quote.text);
	sw_diag_expected(scan->diag, "root, or a factor from 0 to %d", hierarchy->count);
	return sw_diag_hint(scan->diag, "`set hierarchy e` goes level by level"), false;
}

static bool read_unit(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy, int *factor, sw_span *at)
{
	sw_str word = sw_scan_word(scan, at);
	int64_t number;
	int level = system != NULL ? level_named(system, word) : -1;

	if (level >= 0 && !is_level(hierarchy, factor_of_level(hierarchy, level), level))
		return refuse_level(scan, hierarchy, word, *at);
	if (level >= 0)
		*factor = factor_of_level(hierarchy, level);
	else if (sw_str_is(word, "root"))
		*factor = 0;
	else if (sw_read_int(word, &number, NULL) && number <= hierarchy->count)
		*factor = (int)number;
	else
		return refuse_unit(scan, system, hierarchy, word, *at);
	return true;
}

static bool is_above(sw_scan *scan, const sw_group_name *name, sw_span at, sw_span slice_at)
{
	if (name->ancestor < name->slice)
		return true;
	sw_diag_set(scan->diag, SW_C02, at, "the second level is not above the first");
	sw_diag_expected(scan->diag, "a level outside the first, such as root");
	sw_diag_also(scan->diag, slice_at, "the first");
	return false;
}

static bool read_ancestor(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy, sw_span slice_at,
	sw_group_name *name)
{
	sw_span word_at, at;
	sw_scan ahead = *scan;

	name->ancestor = 0;
	at = slice_at;
	if (sw_scan_peek(scan) >= 0) {
		if (!sw_str_is(sw_scan_word(&ahead, &word_at), "in"))
			return sw_scan_unexpected(scan, "`in` and a level above", (sw_span){0, 0});
		*scan = ahead;
		if (!read_unit(scan, system, hierarchy, &name->ancestor, &at))
			return false;
	}
	return is_above(scan, name, at, slice_at);
}

/* ---- as the paper on placements writes them ---- */

static bool is_printed_form(sw_str word, sw_group_form *form)
{
	for (int i = 0; i < SW_FORM_COUNT; i++)
		if (sw_str_same_letters(word, sw_str_of(printed_forms[i]))) {
			*form = (sw_group_form)i;
			return true;
		}
	return false;
}

static bool read_printed_form(sw_scan *scan, sw_group_form *form)
{
	sw_span at;
	sw_str word = sw_scan_word(scan, &at);

	return is_printed_form(word, form) ||
		refuse_word(scan, SW_C02, word, at, "form of groups", "InsideGroup, Parallel(LEVEL) or Master(LEVEL)");
}

/* `(server)`, where the form has an ancestor */
static bool read_printed_ancestor(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy,
	sw_span slice_at, sw_group_name *name)
{
	sw_span open = sw_scan_next_span(scan), at;

	return name->form == SW_FORM_INSIDE ||
		(sw_scan_expect(scan, '(', "'(' and a level above", (sw_span){0, 0}) &&
			read_unit(scan, system, hierarchy, &name->ancestor, &at) && sw_scan_expect(scan, ')', "')'", open) &&
			is_above(scan, name, at, slice_at));
}

/* `CPU, Parallel(server)`; the comma may be missing */
static bool read_printed_name(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy,
	sw_group_name *name)
{
	sw_span at;

	if (!read_unit(scan, system, hierarchy, &name->slice, &at))
		return false;
	sw_scan_take(scan, ',');
	return read_printed_form(scan, &name->form) && read_printed_ancestor(scan, system, hierarchy, at, name);
}

/* `(CPU, Parallel(server), AllReduce)`; the operation may be missing where a name is asked for */
static bool read_printed(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy, bool bare,
	sw_step *step)
{
	sw_span open = sw_scan_next_span(scan);

	if (!sw_scan_expect(scan, '(', "'('", (sw_span){0, 0}) || !read_printed_name(scan, system, hierarchy, &step->by))
		return false;
	if (!bare || sw_scan_peek(scan) == ',')
		return sw_scan_expect(scan, ',', "a comma and the operation", open) && read_op(scan, &step->op) &&
			sw_scan_expect(scan, ')', "')'", open);
	return sw_scan_expect(scan, ')', "')'", open);
}

static bool read_name(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy, sw_group_name *name)
{
	sw_span at;

	return read_form(scan, &name->form) && read_unit(scan, system, hierarchy, &name->slice, &at) &&
		(name->form == SW_FORM_INSIDE || read_ancestor(scan, system, hierarchy, at, name));
}

static bool read_step(sw_scan *scan, const sw_system *system, const sw_hierarchy *hierarchy, sw_step *step)
{
	if (sw_scan_peek(scan) == '(')
		return read_printed(scan, system, hierarchy, false, step);
	return read_op(scan, &step->op) && read_name(scan, system, hierarchy, &step->by);
}

/* Does the text begin with an operation; or with a unit, and a form as it is printed? */
static bool begins_with_op(sw_scan ahead)
{
	sw_span at;

	return sw_chunk_op_named(sw_scan_word(&ahead, &at)) != SW_OP_COUNT;
}

static bool begins_as_printed(sw_scan ahead)
{
	sw_span at;
	sw_group_form form;

	sw_scan_word(&ahead, &at);
	sw_scan_take(&ahead, ',');
	return is_printed_form(sw_scan_word(&ahead, &at), &form);
}

bool sw_step_parse(sw_str text, const sw_system *system, const sw_hierarchy *hierarchy, sw_step *step, sw_diag *diag)
{
	sw_scan scan = {.text = text, .syntax = SW_C02, .diag = diag};
	sw_step read = {0};

	if (!read_step(&scan, system, hierarchy, &read) || !sw_scan_finish(&scan, "step"))
		return false;
	*step = read;
	return true;
}

bool sw_group_name_parse(sw_str text, const sw_system *system, const sw_hierarchy *hierarchy, sw_group_name *name,
	sw_diag *diag)
{
	sw_scan scan = {.text = text, .syntax = SW_C02, .diag = diag};
	sw_step read = {0};
	bool done;

	if (sw_scan_peek(&scan) == '(')
		done = read_printed(&scan, system, hierarchy, true, &read);
	else if (begins_with_op(scan))
		done = read_step(&scan, system, hierarchy, &read);
	else if (begins_as_printed(scan))
		done = read_printed_name(&scan, system, hierarchy, &read.by);
	else
		done = read_name(&scan, system, hierarchy, &read.by);
	if (!done || !sw_scan_finish(&scan, "groups"))
		return false;
	*name = read.by;
	return true;
}

/* ---- printing ---- */

/* The name of the level whose units the factor has; else its number. */
static void print_unit(const sw_system *system, const sw_hierarchy *hierarchy, int factor, sw_text *text)
{
	int level = factor == 0 ? -1 : hierarchy->digit[hierarchy->first[factor - 1]].level;

	if (factor == 0)
		sw_text_add(text, "root");
	else if (system != NULL && factor_of_level(hierarchy, level) == factor && is_level(hierarchy, factor, level))
		sw_mesh_print_name(system->level[level].name, text);
	else
		sw_text_addf(text, "%d", factor);
}

void sw_group_name_print(const sw_system *system, const sw_hierarchy *hierarchy, const sw_group_name *name,
	sw_text *text)
{
	assert(name->slice <= hierarchy->count && name->ancestor <= hierarchy->count);
	sw_text_addf(text, "%s ", forms[name->form].word);
	print_unit(system, hierarchy, name->slice, text);
	if (name->form != SW_FORM_INSIDE && name->ancestor > 0) {
		sw_text_add(text, " in ");
		print_unit(system, hierarchy, name->ancestor, text);
	}
}

void sw_step_print(const sw_system *system, const sw_hierarchy *hierarchy, const sw_step *step, sw_text *text)
{
	sw_text_addf(text, "%s ", sw_op_name(step->op));
	sw_group_name_print(system, hierarchy, &step->by, text);
}

void sw_step_print_plain(const sw_step *step, sw_text *text)
{
	const sw_group_name *name = &step->by;

	sw_text_addf(text, "%s %s %d", sw_op_name(step->op), forms[name->form].other, name->slice);
	if (name->form != SW_FORM_INSIDE)
		sw_text_addf(text, " in %d", name->ancestor);
}
