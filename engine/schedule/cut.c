/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands that cut, fuse and order loops.
 *
 * Source: seed 003, sections 2 and 5.1.
 */
#include "schedule/state.h"

#include <inttypes.h>

/* ---- divide and split ---- */

static int64_t rounded_up(int64_t a, int64_t b)
{
	return a / b + (a % b != 0);
}

static bool refuse_parts(sw_draft *draft, const sw_command *command, int64_t number, const char *what)
{
	const sw_str *name = command->argument;

	sw_draft_refuse(draft, SW_D17, name[3], "%" PRId64 " %s", number, what);
	sw_diag_expected(draft->diag, "1 or more");
	sw_diag_found(draft->diag, "%" PRId64, number);
	sw_diag_hint(draft->diag, "%.*s(%.*s, %.*s, %.*s, 1)", SW_STR_ARGS(command->name), SW_STR_ARGS(name[0]),
		SW_STR_ARGS(name[1]), SW_STR_ARGS(name[2]));
	return false;
}

bool sw_draft_cut(sw_draft *draft, bool parts, int variable, const sw_str names[2], int64_t number)
{
	sw_variable is = draft->variable[variable];
	int64_t other = rounded_up(is.extent, number);
	int outer = sw_draft_add(draft, names[0], parts ? number : other, is.summed);
	int inner = sw_draft_add(draft, names[1], parts ? other : number, is.summed), both[] = {outer, inner};

	if (outer < 0 || inner < 0)
		return false;
	if (!sw_draft_replace(draft, sw_draft_place(draft, variable), 1, both, 2))
		return sw_diag_memory(draft->diag);
	draft->variable[variable].kind = SW_VARIABLE_CUT;
	draft->variable[variable].of = outer;
	draft->variable[variable].inner = inner;
	return sw_draft_relate(draft, "%s(%.*s,%.*s,%.*s,%" PRId64 ")", parts ? "divide" : "split", SW_STR_ARGS(is.name),
		SW_STR_ARGS(names[0]), SW_STR_ARGS(names[1]), number);
}

static bool free_pair(sw_draft *draft, const sw_str names[2])
{
	if (!sw_draft_free(draft, names[0]) || !sw_draft_free(draft, names[1]))
		return false;
	if (!sw_str_equal(names[0], names[1]))
		return true;
	sw_draft_refuse(draft, SW_D16, names[1], "'%.*s' is already the name of the outer loop", SW_STR_ARGS(names[1]));
	sw_diag_expected(draft->diag, "two names");
	sw_diag_hint(draft->diag, "'%.*s_' for one of them", SW_STR_ARGS(names[1]));
	return false;
}

static bool cut(sw_draft *draft, const sw_command *command, bool parts)
{
	int64_t number;
	int variable = sw_draft_loop(draft, command->argument[0]);

	if (variable < 0 ||
		!sw_draft_may_change(draft, variable, command->argument[0],
			command->word == SW_SCHEDULE_DIVIDE ? "divide" : "split"))
		return false;
	if (!free_pair(draft, &command->argument[1]) || !sw_draft_number(draft, command->argument[3], &number))
		return false;
	if (number < 1)
		return refuse_parts(draft, command, number, parts ? "parts" : "iterations a piece");
	return sw_draft_cut(draft, parts, variable, &command->argument[1], number);
}

bool sw_apply_divide(sw_draft *draft, const sw_command *command)
{
	return cut(draft, command, true);
}

bool sw_apply_split(sw_draft *draft, const sw_command *command)
{
	return cut(draft, command, false);
}

/* ---- collapse ---- */

/* The reorder that brings the loop at the place `second` directly inside that at `first`. */
static void hint_order(sw_draft *draft, int first, int second)
{
	int begin = first < second ? first : second, end = first < second ? second : first;
	sw_str pair[] = {draft->variable[draft->loop[first]].name, draft->variable[draft->loop[second]].name};
	sw_text between = {0};

	for (int k = begin + 1; k < end; k++) {
		sw_text_add(&between, k > begin + 1 ? ", " : "");
		sw_text_add_str(&between, draft->variable[draft->loop[k]].name);
	}
	if (first < second)
		sw_diag_hint(draft->diag, "reorder({%.*s, %.*s, %s}) first", SW_STR_ARGS(pair[0]), SW_STR_ARGS(pair[1]),
			sw_text_get(&between));
	else
		sw_diag_hint(draft->diag, "reorder({%s, %.*s, %.*s}) first", sw_text_get(&between), SW_STR_ARGS(pair[0]),
			SW_STR_ARGS(pair[1]));
	sw_text_free(&between);
}

static bool refuse_nested(sw_draft *draft, const sw_command *command, int first, int second)
{
	const sw_str *name = command->argument;

	sw_draft_refuse(draft, SW_D19, (sw_str){name[0].at, (size_t)(name[1].at - name[0].at) + name[1].length},
		"'%.*s' is not directly inside '%.*s'", SW_STR_ARGS(name[1]), SW_STR_ARGS(name[0]));
	sw_diag_expected(draft->diag, "two loops that follow each other in %s", sw_draft_loops(draft));
	if (first == second + 1)
		sw_diag_hint(draft->diag, "collapse(%.*s, %.*s, %.*s)", SW_STR_ARGS(name[1]), SW_STR_ARGS(name[0]),
			SW_STR_ARGS(name[2]));
	else if (first != second)
		hint_order(draft, first, second);
	return false;
}

static bool fuse(sw_draft *draft, int first, int second, sw_str name)
{
	const sw_variable *a = &draft->variable[first], *b = &draft->variable[second];
	int64_t extent;

	if (__builtin_mul_overflow(a->extent, b->extent, &extent)) {
		sw_draft_refuse(draft, SW_S09, name, "'%.*s' would have more iterations than 64 bits count",
			SW_STR_ARGS(name));
		return false;
	}
	int fused = sw_draft_add(draft, name, extent, a->summed || b->summed);
	if (fused < 0)
		return false;
	if (!sw_draft_replace(draft, sw_draft_place(draft, first), 2, &fused, 1))
		return sw_diag_memory(draft->diag);
	draft->variable[first].kind = SW_VARIABLE_FIRST;
	draft->variable[second].kind = SW_VARIABLE_SECOND;
	draft->variable[first].of = draft->variable[second].of = fused;
	draft->variable[first].inner = second;
	draft->variable[second].inner = first;
	return true;
}

bool sw_apply_collapse(sw_draft *draft, const sw_command *command)
{
	const sw_str *name = command->argument;
	int first = sw_draft_loop(draft, name[0]), second = first < 0 ? -1 : sw_draft_loop(draft, name[1]);

	if (second < 0)
		return false;
	if (!sw_draft_may_change(draft, first, name[0], "collapse") ||
		!sw_draft_may_change(draft, second, name[1], "collapse"))
		return false;
	if (sw_draft_place(draft, second) != sw_draft_place(draft, first) + 1)
		return refuse_nested(draft, command, sw_draft_place(draft, first), sw_draft_place(draft, second));
	return sw_draft_free(draft, name[2]) && fuse(draft, first, second, name[2]) &&
		sw_draft_relate(draft, "collapse(%.*s,%.*s,%.*s)", SW_STR_ARGS(name[0]), SW_STR_ARGS(name[1]),
			SW_STR_ARGS(name[2]));
}

/* ---- reorder ---- */

/* The rotation that the order breaks: a loop by which another is rotated, inside of it. */
static bool check_rotations(sw_draft *draft, const int *loop, sw_str where)
{
	for (int v = 0; v < draft->variables; v++) {
		const sw_variable *is = &draft->variable[v];
		int turned = -1;
		for (int k = 0; is->kind == SW_VARIABLE_TURNED && k < draft->loops; k++) {
			turned = loop[k] == is->of ? k : turned;
			for (int n = 0; n < is->bys && turned >= 0; n++)
				if (loop[k] == is->by[n]) {
					const sw_variable *inside = &draft->variable[is->by[n]], *r = &draft->variable[is->of];
					sw_draft_refuse(draft, SW_D23, where, "'%.*s' would be inside '%.*s', which it rotates",
						SW_STR_ARGS(inside->name), SW_STR_ARGS(r->name));
					sw_diag_expected(draft->diag, "'%.*s' outside '%.*s'", SW_STR_ARGS(inside->name),
						SW_STR_ARGS(r->name));
					sw_diag_found(draft->diag, "in the order so far: %s", sw_draft_loops(draft));
					sw_diag_hint(draft->diag, "name '%.*s' too, before '%.*s'", SW_STR_ARGS(inside->name),
						SW_STR_ARGS(r->name));
					return false;
				}
		}
	}
	return true;
}

/* Loops of a kernel stay the innermost ones, in their order. */
static bool check_leaf(sw_draft *draft, const int *loop, sw_str where)
{
	for (int k = 0; k < draft->loops; k++)
		if (loop[k] != draft->loop[k] && draft->variable[loop[k]].leaf) {
			sw_draft_refuse(draft, SW_D31, where, "a kernel runs '%.*s'", SW_STR_ARGS(draft->variable[loop[k]].name));
			sw_diag_expected(draft->diag, "loops outside the kernel");
			sw_diag_hint(draft->diag, "reorder before substitute");
			return false;
		}
	return true;
}

bool sw_draft_reorder(sw_draft *draft, const sw_names *names)
{
	int *loop = SW_NEW(draft->arena, int, draft->loops);
	sw_text list = {0};
	int next = 0;

	if (loop == NULL)
		return sw_diag_memory(draft->diag);
	for (int k = 0; k < draft->loops; k++) {
		bool listed = false;
		for (int n = 0; n < names->count; n++)
			listed = listed || names->variable[n] == draft->loop[k];
		loop[k] = listed ? names->variable[next++] : draft->loop[k];
	}
	if (names->count > 0 &&
		(!check_rotations(draft, loop, names->name[0]) || !check_leaf(draft, loop, names->name[0])))
		return false;
	draft->loop = loop;
	for (int n = 0; n < names->count; n++) {
		sw_text_add(&list, n > 0 ? "," : "");
		sw_text_add_str(&list, names->name[n]);
	}
	bool related = sw_draft_relate(draft, "reorder(%s)", sw_text_get(&list));
	sw_text_free(&list);
	return related;
}

/* `reorder(i, j)` says the same as `reorder({i, j})`. */
static sw_str whole_list(const sw_command *command)
{
	const sw_str *last = &command->argument[command->arguments - 1];

	return (sw_str){command->argument[0].at, (size_t)(last->at - command->argument[0].at) + last->length};
}

bool sw_apply_reorder(sw_draft *draft, const sw_command *command)
{
	sw_names names = {0};

	if (command->arguments == 1)
		return sw_draft_loop_list(draft, command->argument[0], &names) && sw_draft_reorder(draft, &names);
	for (int k = 0; k < command->arguments; k++) {
		names.name[k] = command->argument[k];
		names.variable[k] = sw_draft_loop(draft, command->argument[k]);
		if (names.variable[k] < 0)
			return false;
		for (int before = 0; before < k; before++)
			if (names.variable[before] == names.variable[k]) {
				sw_draft_refuse(draft, SW_D18, names.name[k], "'%.*s' is named twice in %.*s",
					SW_STR_ARGS(names.name[k]), SW_STR_ARGS(whole_list(command)));
				sw_diag_expected(draft->diag, "each loop once");
				sw_diag_hint(draft->diag, "leave it out here");
				return false;
			}
	}
	names.count = command->arguments;
	return sw_draft_reorder(draft, &names);
}
