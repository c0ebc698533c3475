/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands that say where iterations happen, and when what they need is fetched.
 *
 * Source: seed 003, sections 3.3 and 5.2.
 */
#include "schedule/state.h"

#include <inttypes.h>

#include "base/scan.h"

/* ---- distribute ---- */

static bool may_distribute(sw_draft *draft, int variable, sw_str where)
{
	const sw_variable *is = &draft->variable[variable];
	bool made = false;

	for (int v = 0; v < draft->variables; v++)
		made = made || (draft->variable[v].kind == SW_VARIABLE_TURNED && draft->variable[v].of == variable);
	if (is->distributed || is->threads || is->leaf) {
		sw_draft_refuse(draft,
			is->distributed ? SW_D20 :
				is->threads ? SW_D21 :
							  SW_D31,
			where, "'%.*s' is %s", SW_STR_ARGS(is->name),
			is->distributed ? "already in space" :
				is->threads ? "a loop of threads" :
							  "run by a kernel");
		sw_diag_expected(draft->diag, "a loop in time: %s", sw_draft_in_time(draft));
		return false;
	}
	if (!made)
		return true;
	sw_draft_refuse(draft, SW_D25, where, "'%.*s' is rotated, so it is in time", SW_STR_ARGS(is->name));
	sw_diag_expected(draft->diag, "a loop that no rotation makes");
	sw_diag_found(draft->diag, "the loops are %s", sw_draft_loops(draft));
	sw_diag_hint(draft->diag, "distribute the loops that rotate it");
	return false;
}

static bool distribute(sw_draft *draft, const sw_names *names)
{
	for (int k = 0; k < names->count; k++) {
		if (!may_distribute(draft, names->variable[k], names->name[k]))
			return false;
		draft->variable[names->variable[k]].distributed = true;
		if (!sw_draft_relate(draft, "distribute(%.*s)", SW_STR_ARGS(names->name[k])))
			return false;
	}
	return true;
}

static bool is_grid(sw_str text)
{
	static const char word[] = "grid(";

	return text.length >= sizeof word - 1 && sw_str_same_letters((sw_str){text.at, sizeof word - 1}, sw_str_of(word));
}

static bool refuse_lengths(sw_draft *draft, sw_str where, int expected, int found)
{
	sw_draft_refuse(draft, SW_D13, where, "%d here, and %d loops to distribute", found, expected);
	sw_diag_expected(draft->diag, "%d", expected);
	sw_diag_found(draft->diag, "%d", found);
	sw_diag_hint(draft->diag, "distribute({i, j}, {io, jo}, {ii, ji}, Grid(2, 2))");
	return false;
}

/* The numbers of `Grid(2, 2)`. */
static bool read_grid(sw_draft *draft, sw_str text, int targets, int64_t *parts)
{
	size_t open = 5, at = 0;
	int count = 0;

	if (text.at[text.length - 1] != ')')
		return sw_draft_refuse(draft, SW_D11, text, "%s is not a grid", sw_scan_quote(text).text);
	sw_str inside = sw_str_trim((sw_str){text.at + open, text.length - open - 1});
	while (at <= inside.length && inside.length > 0) {
		sw_str number = sw_str_split(inside, &at, SW_NESTING_PLAIN);
		if (count == SW_MAX_ARGUMENTS || !sw_draft_number(draft, number, &parts[count]))
			return false;
		if (parts[count++] < 1) {
			sw_draft_refuse(draft, SW_D17, number, "%" PRId64 " parts", parts[count - 1]);
			sw_diag_expected(draft->diag, "1 or more");
			return false;
		}
	}
	return count == targets || refuse_lengths(draft, text, targets, count);
}

/* New names for the parts of the targets, all different. */
static bool check_new(sw_draft *draft, sw_names *lists, int targets)
{
	for (int side = 0; side < 2; side++)
		for (int k = 0; k < targets; k++) {
			sw_str name = lists[side].name[k];
			if (!sw_draft_free(draft, name))
				return false;
			for (int n = 0; n < side * targets + k; n++)
				if (sw_str_equal(lists[n / targets].name[n % targets], name)) {
					sw_draft_refuse(draft, SW_D16, name, "'%.*s' is named twice", SW_STR_ARGS(name));
					sw_diag_expected(draft->diag, "a name for each part");
					return false;
				}
		}
	return true;
}

/* A divide a target, the outer parts brought outside and distributed. */
static bool distribute_parts(sw_draft *draft, const sw_names *targets, const sw_names lists[2], const int64_t *parts)
{
	sw_names order = {0}, outer = lists[0];

	for (int k = 0; k < targets->count; k++) {
		sw_str names[2] = {lists[0].name[k], lists[1].name[k]};
		if (!sw_draft_may_change(draft, targets->variable[k], targets->name[k], "divide") ||
			!sw_draft_cut(draft, true, targets->variable[k], names, parts[k]))
			return false;
	}
	for (int side = 0; side < 2; side++)
		for (int k = 0; k < targets->count; k++) {
			order.name[order.count] = lists[side].name[k];
			order.variable[order.count++] = sw_draft_find(draft, lists[side].name[k]);
		}
	for (int k = 0; k < outer.count; k++)
		outer.variable[k] = order.variable[k];
	return sw_draft_reorder(draft, &order) && distribute(draft, &outer);
}

static bool distribute_compound(sw_draft *draft, const sw_command *command)
{
	sw_names targets, lists[2];
	int64_t parts[SW_MAX_ARGUMENTS];

	if (command->arguments != 4 || !is_grid(command->argument[3])) {
		sw_draft_refuse(draft, SW_D13, command->text, "distribute in parts takes three lists and a grid");
		sw_diag_expected(draft->diag, "distribute({i, j}, {io, jo}, {ii, ji}, Grid(2, 2))");
		return false;
	}
	if (!sw_draft_list(draft, command->argument[0], &targets))
		return false;
	for (int side = 0; side < 2; side++) {
		if (!sw_draft_list(draft, command->argument[side + 1], &lists[side]))
			return false;
		if (lists[side].count != targets.count)
			return refuse_lengths(draft, command->argument[side + 1], targets.count, lists[side].count);
	}
	if (2 * targets.count > SW_MAX_ARGUMENTS || targets.count == 0)
		return refuse_lengths(draft, command->argument[0], 1, targets.count);
	return read_grid(draft, command->argument[3], targets.count, parts) &&
		sw_draft_loop_list(draft, command->argument[0], &targets) && check_new(draft, lists, targets.count) &&
		distribute_parts(draft, &targets, lists, parts);
}

bool sw_apply_distribute(sw_draft *draft, const sw_command *command)
{
	bool lists = false;
	sw_names names;

	for (int k = 0; k < command->arguments; k++)
		lists = lists || is_grid(command->argument[k]) || (k > 0 && command->argument[k].at[0] == '{');
	if (lists)
		return distribute_compound(draft, command);
	for (int k = 0; k < command->arguments; k++) {
		if (!sw_draft_loop_list(draft, command->argument[k], &names))
			return false;
		if (names.count == 0) {
			sw_draft_refuse(draft, SW_D13, command->argument[k], "no loop is named");
			sw_diag_expected(draft->diag, "a loop of %s", sw_draft_loops(draft));
			return false;
		}
		if (!distribute(draft, &names))
			return false;
	}
	return true;
}

/* ---- communicate ---- */

static bool refuse_array(sw_draft *draft, sw_str name)
{
	const sw_formula *formula = &draft->problem->formula;

	sw_draft_refuse(draft, SW_D28, name, "the statement has no array %s", sw_scan_quote(name).text);
	sw_diag_expected(draft->diag, "an array of %.*s", SW_STR_ARGS(draft->problem->statement));
	for (int k = 0; k < formula->arrays; k++)
		if (sw_str_same_letters(formula->array[k].name, name))
			sw_diag_hint(draft->diag, "did you mean '%.*s'?", SW_STR_ARGS(formula->array[k].name));
	return false;
}

static bool add_communicate(sw_draft *draft, int array, int variable, sw_str name)
{
	const sw_variable *is = &draft->variable[variable];

	for (int k = 0; k < draft->communicates; k++)
		if (draft->communicate[k].array == array && draft->communicate[k].variable == variable) {
			sw_draft_refuse(draft, SW_D27, name, "'%.*s' is already communicated under '%.*s'", SW_STR_ARGS(name),
				SW_STR_ARGS(is->name));
			sw_diag_expected(draft->diag, "each array once under a loop");
			sw_diag_hint(draft->diag, "leave '%.*s' out here", SW_STR_ARGS(name));
			return false;
		}
	if (!SW_GROW(draft->arena, draft->communicate, draft->communicates, draft->communicate_room, 8))
		return sw_diag_memory(draft->diag);
	draft->communicate[draft->communicates++] = (sw_schedule_communicate){array, variable};
	return sw_draft_relate(draft, "communicate(%.*s,%.*s)", SW_STR_ARGS(name), SW_STR_ARGS(is->name));
}

/* The innermost loop outside of the kernel, as a command. */
static void hint_outside(sw_draft *draft, sw_str arrays)
{
	for (int k = draft->loops - 1; k >= 0; k--)
		if (!draft->variable[draft->loop[k]].leaf) {
			sw_diag_hint(draft->diag, "communicate(%.*s, %.*s)", SW_STR_ARGS(arrays),
				SW_STR_ARGS(draft->variable[draft->loop[k]].name));
			return;
		}
}

bool sw_apply_communicate(sw_draft *draft, const sw_command *command)
{
	sw_names arrays;

	if (!sw_draft_list(draft, command->argument[0], &arrays))
		return false;
	if (arrays.count == 0)
		return sw_draft_refuse(draft, SW_D13, command->argument[0], "no array is named");
	for (int k = 0; k < arrays.count; k++)
		if (sw_formula_find(&draft->problem->formula, arrays.name[k]) < 0)
			return refuse_array(draft, arrays.name[k]);
	int variable = sw_draft_loop(draft, command->argument[1]);
	if (variable < 0)
		return false;
	if (draft->variable[variable].leaf) {
		sw_draft_refuse(draft, SW_D34, command->argument[1], "'%.*s' is run by a kernel",
			SW_STR_ARGS(command->argument[1]));
		sw_diag_expected(draft->diag, "a loop outside it");
		hint_outside(draft, command->argument[0]);
		return false;
	}
	for (int k = 0; k < arrays.count; k++)
		if (!add_communicate(draft, sw_formula_find(&draft->problem->formula, arrays.name[k]), variable,
				arrays.name[k]))
			return false;
	draft->variable[variable].communicates = true;
	return true;
}

/* ---- rotate ---- */

static bool refuse_inner(sw_draft *draft, sw_str inner, int target)
{
	sw_str name = draft->variable[target].name;

	sw_draft_refuse(draft, SW_D23, inner, "'%.*s' is inside '%.*s'", SW_STR_ARGS(inner), SW_STR_ARGS(name));
	sw_diag_expected(draft->diag, "a loop outside '%.*s': %s", SW_STR_ARGS(name), sw_draft_outside(draft, target));
	sw_diag_found(draft->diag, "the loops are %s", sw_draft_loops(draft));
	sw_diag_hint(draft->diag, "reorder({%.*s, %.*s}) first brings it outside", SW_STR_ARGS(inner), SW_STR_ARGS(name));
	return false;
}

static bool may_rotate(sw_draft *draft, int target, const sw_names *by, sw_str where)
{
	for (int k = 0; k < by->count; k++)
		if (by->variable[k] == target) {
			sw_draft_refuse(draft, SW_D22, by->name[k], "'%.*s' cannot be rotated by itself", SW_STR_ARGS(where));
			sw_diag_expected(draft->diag, "loops outside it: %s", sw_draft_outside(draft, target));
			sw_diag_found(draft->diag, "the loops are %s", sw_draft_loops(draft));
			return false;
		}
	if (draft->variable[target].distributed) {
		sw_draft_refuse(draft, SW_D25, where, "'%.*s' is in space, but a rotation is in time", SW_STR_ARGS(where));
		sw_diag_expected(draft->diag, "a loop in time: %s", sw_draft_in_time(draft));
		return false;
	}
	if (!sw_draft_may_change(draft, target, where, "rotate"))
		return false;
	for (int k = 0; k < by->count; k++)
		if (sw_draft_place(draft, by->variable[k]) > sw_draft_place(draft, target))
			return refuse_inner(draft, by->name[k], target);
	return true;
}

static bool relate_rotation(sw_draft *draft, const sw_command *command, const sw_names *by)
{
	sw_text list = {0};

	for (int k = 0; k < by->count; k++) {
		sw_text_add(&list, k > 0 ? "," : "");
		sw_text_add_str(&list, by->name[k]);
	}
	bool related = sw_draft_relate(draft, "rotate(%.*s,{%s},%.*s)", SW_STR_ARGS(command->argument[0]),
		sw_text_get(&list), SW_STR_ARGS(command->argument[2]));
	sw_text_free(&list);
	return related;
}

static bool rotate(sw_draft *draft, int target, const sw_names *by, sw_str name)
{
	sw_variable is = draft->variable[target];
	int *by_variable = SW_NEW(draft->arena, int, by->count);
	int made = sw_draft_add(draft, name, is.extent, is.summed);

	if (made < 0)
		return false;
	if (by_variable == NULL || !sw_draft_replace(draft, sw_draft_place(draft, target), 1, &made, 1))
		return sw_diag_memory(draft->diag);
	for (int k = 0; k < by->count; k++) {
		by_variable[k] = by->variable[k];
		draft->variable[by->variable[k]].turns = true;
	}
	draft->variable[made].turns = true;
	sw_variable *turned = &draft->variable[target];
	turned->kind = SW_VARIABLE_TURNED;
	turned->of = made;
	turned->by = by_variable;
	turned->bys = by->count;
	return true;
}

bool sw_apply_rotate(sw_draft *draft, const sw_command *command)
{
	int target = sw_draft_loop(draft, command->argument[0]);
	sw_names by;

	if (target < 0 || !sw_draft_loop_list(draft, command->argument[1], &by))
		return false;
	if (by.count == 0) {
		sw_draft_refuse(draft, SW_D13, command->argument[1], "no loop to rotate by");
		sw_diag_expected(draft->diag, "loops outside '%.*s': %s", SW_STR_ARGS(command->argument[0]),
			sw_draft_outside(draft, target));
		return false;
	}
	return may_rotate(draft, target, &by, command->argument[0]) && sw_draft_free(draft, command->argument[2]) &&
		rotate(draft, target, &by, command->argument[2]) && relate_rotation(draft, command, &by);
}

/* ---- parallelize ---- */

static bool refuse_race(sw_draft *draft, int variable, sw_str where)
{
	const sw_formula *formula = &draft->problem->formula;

	sw_draft_refuse(draft, SW_D29, where, "threads of '%.*s' would add to the same elements of '%.*s' at once",
		SW_STR_ARGS(draft->variable[variable].name), SW_STR_ARGS(formula->array[0].name));
	sw_diag_expected(draft->diag, "a loop that is not summed over, or reduce");
	sw_diag_hint(draft->diag, "parallelize(%.*s, threads, reduce)", SW_STR_ARGS(where));
	return false;
}

bool sw_apply_parallelize(sw_draft *draft, const sw_command *command)
{
	const sw_str *argument = command->argument;
	int variable = sw_draft_loop(draft, argument[0]);
	bool reduces = command->arguments == 3;

	if (variable < 0)
		return false;
	for (int k = 1; k < command->arguments; k++)
		if (!sw_str_same_letters(argument[k], sw_str_of(k == 1 ? "threads" : "reduce"))) {
			sw_draft_refuse(draft, SW_D13, argument[k], "%s is not allowed here", sw_scan_quote(argument[k]).text);
			sw_diag_expected(draft->diag, k == 1 ? "threads" : "reduce");
			return false;
		}
	sw_variable *is = &draft->variable[variable];
	if (is->distributed || is->threads || is->leaf) {
		sw_draft_refuse(draft,
			is->distributed ? SW_D20 :
				is->threads ? SW_D21 :
							  SW_D31,
			argument[0], "'%.*s' is %s", SW_STR_ARGS(argument[0]),
			is->distributed ? "in space" :
				is->threads ? "already a loop of threads" :
							  "run by a kernel");
		sw_diag_expected(draft->diag, "a loop in time: %s", sw_draft_in_time(draft));
		return false;
	}
	if (is->summed && !reduces)
		return refuse_race(draft, variable, argument[0]);
	is->threads = true;
	is->reduces = reduces;
	return sw_draft_relate(draft, "parallelize(%.*s,threads%s)", SW_STR_ARGS(argument[0]), reduces ? ",reduce" : "");
}
