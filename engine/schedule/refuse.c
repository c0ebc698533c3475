/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what commands name, and refusing it.
 */
#include "schedule/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/scan.h"

static sw_span place_of(const sw_draft *draft, sw_str what)
{
	size_t begin = what.at >= draft->text.at ? (size_t)(what.at - draft->text.at) : 0;

	return begin <= draft->text.length ? (sw_span){begin, begin + what.length} : (sw_span){0, draft->text.length};
}

bool sw_draft_refuse(sw_draft *draft, sw_code code, sw_str what, const char *format, ...)
{
	char message[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	return sw_diag_set(draft->diag, code, place_of(draft, what), "%s", message);
}

const char *sw_draft_loops(sw_draft *draft)
{
	sw_text text = {0};

	for (int k = 0; k < draft->loops; k++) {
		sw_text_add(&text, k > 0 ? ", " : "");
		sw_text_add_str(&text, draft->variable[draft->loop[k]].name);
	}
	const char *loops = sw_text_keep(&text, draft->arena);
	return loops != NULL ? loops : "";
}

/* The names of loops at the places below `end`, of those in time alone or of all. */
static const char *names_below(sw_draft *draft, int end, bool in_time)
{
	sw_text text = {0};

	for (int k = 0; k < end; k++) {
		const sw_variable *is = &draft->variable[draft->loop[k]];
		if (in_time && (is->distributed || is->threads || is->leaf))
			continue;
		sw_text_add(&text, text.length > 0 ? ", " : "");
		sw_text_add_str(&text, is->name);
	}
	bool none = text.length == 0;
	const char *names = sw_text_keep(&text, draft->arena);
	return none || names == NULL ? "there is none" : names;
}

const char *sw_draft_in_time(sw_draft *draft)
{
	return names_below(draft, draft->loops, true);
}

const char *sw_draft_outside(sw_draft *draft, int variable)
{
	return names_below(draft, sw_draft_place(draft, variable), false);
}

int sw_draft_find(const sw_draft *draft, sw_str name)
{
	for (int k = 0; k < draft->variables; k++)
		if (sw_str_equal(draft->variable[k].name, name))
			return k;
	return -1;
}

int sw_draft_place(const sw_draft *draft, int variable)
{
	for (int k = 0; k < draft->loops; k++)
		if (draft->loop[k] == variable)
			return k;
	return -1;
}

/* What a name became, in words: "it was cut into 'io' and 'ii'". */
static void tell_what_it_became(sw_draft *draft, int variable)
{
	const sw_variable *is = &draft->variable[variable], *of = &draft->variable[is->of];

	if (is->kind == SW_VARIABLE_CUT)
		sw_diag_hint(draft->diag, "it was cut into '%.*s' and '%.*s': name one of them", SW_STR_ARGS(of->name),
			SW_STR_ARGS(draft->variable[is->inner].name));
	else
		sw_diag_hint(draft->diag, "'%.*s' replaced it", SW_STR_ARGS(of->name));
}

static int refuse_unknown(sw_draft *draft, sw_str name)
{
	int best = -1;

	sw_draft_refuse(draft, SW_D14, name, "%s is not a loop", sw_scan_quote(name).text);
	sw_diag_expected(draft->diag, "a loop: %s", sw_draft_loops(draft));
	for (int k = 0; k < draft->loops; k++)
		if (sw_str_distance(draft->variable[draft->loop[k]].name, name, 1) <= 1)
			best = draft->loop[k];
	if (best >= 0)
		sw_diag_hint(draft->diag, "did you mean '%.*s'?", SW_STR_ARGS(draft->variable[best].name));
	return -1;
}

int sw_draft_loop(sw_draft *draft, sw_str name)
{
	int variable = sw_draft_find(draft, name);

	if (variable < 0)
		return refuse_unknown(draft, name);
	if (draft->variable[variable].kind == SW_VARIABLE_LOOP)
		return variable;
	sw_draft_refuse(draft, SW_D15, name, "'%.*s' is no longer a loop", SW_STR_ARGS(name));
	sw_diag_expected(draft->diag, "a loop: %s", sw_draft_loops(draft));
	tell_what_it_became(draft, variable);
	return -1;
}

static const char *owner_of(const sw_draft *draft, sw_str name)
{
	if (sw_draft_find(draft, name) >= 0)
		return "a loop";
	if (sw_formula_find(&draft->problem->formula, name) >= 0)
		return "an array";
	for (int k = 0; k < draft->workspaces; k++)
		if (sw_str_equal(draft->workspace[k].name, name))
			return "a workspace";
	return NULL;
}

bool sw_draft_free(sw_draft *draft, sw_str name)
{
	const char *owner = owner_of(draft, name);

	if (!sw_scan_is_bare(name)) {
		sw_draft_refuse(draft, SW_D13, name, "%s is not a name", sw_scan_quote(name).text);
		sw_diag_expected(draft->diag, "a name of letters, digits and '_'");
		return false;
	}
	if (owner == NULL)
		return true;
	sw_draft_refuse(draft, SW_D16, name, "'%.*s' is already the name of %s", SW_STR_ARGS(name), owner);
	sw_diag_expected(draft->diag, "an unused name");
	sw_diag_hint(draft->diag, "'%.*s_' is free", SW_STR_ARGS(name));
	return false;
}

/* ---- lists ---- */

static bool refuse_bracket(sw_draft *draft, sw_str text)
{
	sw_draft_refuse(draft, SW_D11, text, "%s is not a list", sw_scan_quote(text).text);
	sw_diag_expected(draft->diag, "{i, j}, or one name");
	return false;
}

bool sw_draft_list(sw_draft *draft, sw_str text, sw_names *names)
{
	names->count = 0;
	if (text.length == 0 || text.at[0] != '{') {
		names->name[names->count++] = text;
		return true;
	}
	if (text.at[text.length - 1] != '}')
		return refuse_bracket(draft, text);
	sw_str inside = sw_str_trim(sw_str_inner(text));
	for (size_t at = 0; inside.length > 0 && at <= inside.length;) {
		if (names->count == SW_MAX_ARGUMENTS)
			return sw_draft_refuse(draft, SW_D13, text, "more than %d names", SW_MAX_ARGUMENTS);
		sw_str name = sw_str_split(inside, &at, SW_NESTING_PLAIN);
		if (name.length == 0)
			return refuse_bracket(draft, text);
		names->name[names->count++] = name;
	}
	return true;
}

bool sw_draft_loop_list(sw_draft *draft, sw_str text, sw_names *names)
{
	if (!sw_draft_list(draft, text, names))
		return false;
	for (int k = 0; k < names->count; k++) {
		names->variable[k] = sw_draft_loop(draft, names->name[k]);
		if (names->variable[k] < 0)
			return false;
		for (int before = 0; before < k; before++)
			if (names->variable[before] == names->variable[k]) {
				sw_draft_refuse(draft, SW_D18, names->name[k], "'%.*s' is named twice", SW_STR_ARGS(names->name[k]));
				sw_diag_also(draft->diag, place_of(draft, names->name[before]), "here too");
				sw_diag_expected(draft->diag, "each loop once");
				sw_diag_hint(draft->diag, "leave it out here");
				return false;
			}
	}
	return true;
}

/* ---- numbers ---- */

static bool read_digits(sw_str text, int64_t *number)
{
	bool minus = text.length > 1 && text.at[0] == '-';
	int64_t value = 0;

	for (size_t at = minus; at < text.length; at++) {
		if (text.at[at] < '0' || text.at[at] > '9' || __builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, text.at[at] - '0', &value))
			return false;
	}
	*number = minus ? -value : value;
	return text.length > 0;
}

/* Takes down that the name stood for this number in the command. */
static bool name_number(sw_draft *draft, sw_str name, int64_t number)
{
	if (!SW_GROW(draft->arena, draft->number, draft->numbers, draft->number_room, 4))
		return sw_diag_memory(draft->diag);
	draft->number[draft->numbers++] = (sw_schedule_number){name, number};
	return true;
}

bool sw_draft_number(sw_draft *draft, sw_str text, int64_t *number)
{
	const sw_schedule_problem *problem = draft->problem;

	if (read_digits(text, number))
		return true;
	for (int k = 0; k < problem->numbers; k++)
		if (sw_str_equal(problem->number[k].name, text)) {
			*number = problem->number[k].value;
			return name_number(draft, text, *number);
		}
	sw_draft_refuse(draft, SW_D13, text, "%s is not a number", sw_scan_quote(text).text);
	sw_diag_expected(draft->diag, "a number, an axis for its size, or a parameter");
	for (int k = 0; k < problem->numbers; k++)
		if (sw_str_same_letters(problem->number[k].name, text) ||
			sw_str_distance(problem->number[k].name, text, 1) <= 1)
			sw_diag_hint(draft->diag, "did you mean '%.*s', which is %" PRId64 "?",
				SW_STR_ARGS(problem->number[k].name), problem->number[k].value);
	return false;
}

/* ---- premises of a change ---- */

static bool refuse_change(sw_draft *draft, sw_code code, sw_str where, const char *why, const char *hint)
{
	sw_draft_refuse(draft, code, where, "'%.*s' %s", SW_STR_ARGS(where), why);
	sw_diag_expected(draft->diag, "another loop of %s", sw_draft_loops(draft));
	sw_diag_hint(draft->diag, "%s", hint);
	return false;
}

/* Does a relation, such as communicate(B,k), begin with the word, and have the name behind it? */
static bool relates(sw_str relation, const char *word, sw_str name)
{
	size_t length = strlen(word);

	if (relation.length <= length || memcmp(relation.at, word, length) != 0)
		return false;
	for (size_t at = length; at + name.length < relation.length; at++)
		if (memcmp(relation.at + at, name.at, name.length) == 0 && strchr("(,{", relation.at[at - 1]) != NULL &&
			strchr("),}", relation.at[at + name.length]) != NULL)
			return true;
	return false;
}

/* The command that has to come later: "divide it before communicate(B,k)". */
static const char *move_before(sw_draft *draft, const char *verb, const char *word, sw_str name)
{
	sw_text text = {0};

	sw_text_addf(&text, "%s it before", verb);
	for (int k = 0; k < draft->relations; k++)
		if (relates(draft->relation[k], word, name)) {
			sw_text_addf(&text, " %.*s", SW_STR_ARGS(draft->relation[k]));
			break;
		}
	const char *hint = sw_text_keep(&text, draft->arena);
	return hint != NULL ? hint : "";
}

/* The loop in whose place a rotation put this one; -1: none did. */
static int turned_from(const sw_draft *draft, int variable)
{
	for (int v = 0; v < draft->variables; v++)
		if (draft->variable[v].kind == SW_VARIABLE_TURNED && draft->variable[v].of == variable)
			return v;
	return -1;
}

static bool refuse_turned(sw_draft *draft, int variable, sw_str where, const char *verb)
{
	int from = turned_from(draft, variable);
	sw_str name = draft->variable[from < 0 ? variable : from].name;

	refuse_change(draft, SW_D24, where, "is part of a rotation", move_before(draft, verb, "rotate", name));
	if (from >= 0 && strcmp(verb, "rotate") == 0)
		sw_diag_hint(draft->diag, "name all loops in one rotate: rotate(%.*s, {...}, %.*s)", SW_STR_ARGS(name),
			SW_STR_ARGS(where));
	else if (from >= 0)
		sw_diag_hint(draft->diag, "'%.*s' was '%.*s': %s", SW_STR_ARGS(where), SW_STR_ARGS(name),
			move_before(draft, verb, "rotate", name));
	return false;
}

bool sw_draft_may_change(sw_draft *draft, int variable, sw_str where, const char *verb)
{
	const sw_variable *is = &draft->variable[variable];

	if (is->distributed)
		return refuse_change(draft, SW_D20, where, "is already in space",
			move_before(draft, verb, "distribute", where));
	if (is->threads)
		return refuse_change(draft, SW_D21, where, "is a loop of threads",
			move_before(draft, verb, "parallelize", where));
	if (is->turns)
		return refuse_turned(draft, variable, where, verb);
	if (is->communicates)
		return refuse_change(draft, SW_D26, where, "has a communicate",
			move_before(draft, verb, "communicate", where));
	if (is->leaf)
		return refuse_change(draft, SW_D31, where, "is run by a kernel",
			move_before(draft, verb, "substitute", where));
	return true;
}
