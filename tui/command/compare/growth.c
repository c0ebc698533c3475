/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing the last formula, and whose schedule it has.
 */
#include "command/compare/growth.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/choice.h>
#include <shardwalk/computation.h>
#include <shardwalk/distal.h>
#include <shardwalk/number.h>

#include "command/programs/algorithm.h"
#include "command/programs/within.h"
#include "session/schedules.h"

/* ---- sizes ---- */

/* The number of the letter of a dimension; -1: its index is none. */
static int letter_of(const sw_formula *formula, const sw_formula_access *access, int dim)
{
	const char *at = memchr(formula->letter, access->index[dim].letter, (size_t)formula->letters);

	return at != NULL ? (int)(at - formula->letter) : -1;
}

/* Axes of the mesh that cut a dimension of an array, of any kind of type. */
static bool is_cut(const struct growth *growth, const sw_array_type *is, int dim)
{
	sw_distal home;
	const char *why;

	if (!is->known)
		return false;
	if (is->words == NULL)
		return sw_type_cuts(&is->type, dim) > 1;
	if (!sw_distal_of(&growth->formula->computation->mesh, &is->type, is->words, growth->run->arena, &home, &why))
		return false;
	for (int axis = 0; axis < home.axes; axis++)
		if (home.place[axis].dim == dim && growth->formula->computation->mesh.axis[axis].size > 1)
			return true;
	return false;
}

/* Which letters are cut; where one processor has all, each may be. */
static void find_cuts(struct growth *growth)
{
	const sw_computation *computation = growth->formula->computation;
	const sw_formula *formula = &computation->formula;

	for (int whole = 0; whole < 2 && growth->most == 0; whole++)
		for (int n = 0; n < formula->accesses; n++) {
			const sw_formula_access *access = &formula->access[n];
			int cuts = 0;
			for (int dim = 0; dim < formula->array[access->array].rank; dim++) {
				int letter = letter_of(formula, access, dim);
				if (letter < 0 || (!whole && !is_cut(growth, &computation->array[access->array].is, dim)))
					continue;
				growth->cut[letter] = true;
				cuts++;
			}
			growth->most = cuts > growth->most ? cuts : growth->most;
		}
}

static bool grow(const struct growth *growth, int64_t processors, int64_t *size, sw_diag *diag)
{
	const sw_computation *computation = growth->formula->computation;
	double by = pow((double)processors / (double)computation->mesh.devices,
		1 / (double)(growth->most > 0 ? growth->most : 1));

	for (int letter = 0; letter < computation->formula.letters; letter++) {
		double grown = round((double)computation->formula.size[letter] * by);
		size[letter] = computation->formula.size[letter];
		if (!growth->cut[letter])
			continue;
		if (!(grown < 9e18))
			return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "a size does not fit into 64 bits");
		size[letter] = sw_larger(1, (int64_t)grown);
	}
	return true;
}

/* ---- whose schedule it is ---- */

static bool same_command(sw_str a, sw_str b)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a.length && strchr(" \t\n", a.at[i]) != NULL)
			i++;
		while (j < b.length && strchr(" \t\n", b.at[j]) != NULL)
			j++;
		if (i == a.length || j == b.length)
			return i == a.length && j == b.length;
		if (a.at[i++] != b.at[j++])
			return false;
	}
}

static bool has_commands(const sw_schedule *schedule, const sw_recipe *recipe)
{
	bool same = schedule->commands == recipe->commands && !recipe->moved;

	for (int n = 0; n < recipe->commands && same; n++)
		same = same_command(sw_schedule_command_text(schedule, n), sw_str_of(recipe->command[n]));
	return same;
}

/* Its recipe for the present formula, on the present machine or the nearest. */
static bool recipe_of(const struct growth *growth, const sw_schedule_algorithm *algorithm, sw_recipe *recipe,
	sw_diag *why)
{
	sw_recipe_question question;

	return algorithm_question(growth->run, algorithm, &question, why) &&
		sw_recipe_of(algorithm, &question, growth->run->arena, recipe, why);
}

static void find_algorithm(struct growth *growth)
{
	const sw_schedule_algorithm *algorithm;
	sw_recipe *recipe = SW_NEW(growth->run->arena, sw_recipe, 1);
	sw_diag why;

	for (int n = 0; recipe != NULL && growth->algorithm == NULL && (algorithm = sw_schedule_algorithm_at(n)) != NULL;
		 n++)
		if (sw_schedule_algorithm_named(sw_str_of(algorithm->name)) == algorithm &&
			recipe_of(growth, algorithm, recipe, &why) && has_commands(growth->schedule->schedule, recipe))
			growth->algorithm = algorithm;
}

/* ---- arrays and statement ---- */

static bool run_text(const struct growth *growth, sw_text *text, sw_diag *diag)
{
	bool ok = text->failed ? sw_diag_memory(diag) :
							 statement_within(growth->run, (sw_str){sw_text_get(text), text->length}, diag);

	sw_text_free(text);
	*text = (sw_text){0};
	return ok;
}

/* Sizes of an array: those of the letters that index its dimensions. */
static bool size_of_array(const struct growth *growth, int array, const int64_t *size, int64_t *out)
{
	const sw_formula *formula = &growth->formula->computation->formula;
	int rank = formula->array[array].rank;

	for (int n = 0; n < formula->accesses; n++) {
		const sw_formula_access *access = &formula->access[n];
		for (int dim = 0; dim < rank && access->array == array; dim++) {
			int letter = letter_of(formula, access, dim);
			if (letter < 0)
				return false;
			out[dim] = size[letter];
		}
	}
	return true;
}

/* `type B = f64[...]` on the mesh that grew; false with a reason: no type is as it was. */
static bool print_type(const struct growth *growth, const sw_mesh *mesh, int array, const int64_t *size,
	sw_text *text, const char **why)
{
	const sw_computation *computation = growth->formula->computation;
	const sw_array_type *is = &computation->array[array].is;
	int64_t sizes[SW_MAX_DIMS];
	sw_diag diag;
	sw_distal home;
	sw_type type;

	*why = "an index of the formula is not a letter";
	if (!size_of_array(growth, array, size, sizes))
		return false;
	if (!sw_distal_of(&computation->mesh, &is->type, is->words, growth->run->arena, &home, why))
		return false;
	*why = "an array is too large";
	if (!sw_type_replicated(is->type.dtype, is->type.rank, sizes, &type, &diag))
		return false;
	for (int axis = 0; axis < home.axes; axis++)
		home.place[axis].at = sw_smaller(home.place[axis].at, mesh->axis[axis].size - 1);
	type.dtype_given = true;
	sw_text_addf(text, "type %.*s = ", (int)computation->formula.array[array].name.length,
		computation->formula.array[array].name.at);
	sw_distal_print_type(mesh, &type, &home, text);
	return true;
}

/* Each processor has all of it. */
static void print_whole(const struct growth *growth, int array, const int64_t *size, sw_text *text)
{
	const sw_computation *computation = growth->formula->computation;
	int64_t sizes[SW_MAX_DIMS];

	if (!size_of_array(growth, array, size, sizes))
		memcpy(sizes, computation->formula.array[array].size, sizeof sizes);
	sw_text_addf(text, "type %.*s = %s[", (int)computation->formula.array[array].name.length,
		computation->formula.array[array].name.at, sw_dtype_name(computation->array[array].is.type.dtype));
	for (int dim = 0; dim < computation->formula.array[array].rank; dim++)
		sw_text_addf(text, "%s%lld", dim > 0 ? ", " : "", (long long)sizes[dim]);
	sw_text_add_char(text, ']');
}

static bool move_arrays(const struct growth *growth, const sw_mesh *mesh, const int64_t *size, const char **why,
	sw_diag *diag)
{
	const sw_computation *computation = growth->formula->computation;
	sw_text text = {0};

	*why = NULL;
	for (int n = 0; n < computation->formula.arrays; n++) {
		const char *reason;
		if (!computation->array[n].is.known)
			continue;
		if (!print_type(growth, mesh, n, size, &text, &reason)) {
			*why = reason;
			sw_text_free(&text);
			text = (sw_text){0};
			print_whole(growth, n, size, &text);
		}
		if (!run_text(growth, &text, diag))
			return false;
	}
	sw_text_addf(&text, "compute %s", growth->formula->text);
	return run_text(growth, &text, diag);
}

/* ---- the schedule ---- */

/* Are these numbers, between commas, the sizes of axes `first` to `end` - 1? */
static bool are_sizes(const sw_mesh *mesh, int first, int end, sw_str numbers)
{
	size_t at = 0;
	int64_t number;

	while (at < numbers.length && first < end) {
		sw_str one = sw_str_trim(sw_str_split(numbers, &at, SW_NESTING_PLAIN));
		if (!sw_read_int(one, &number, NULL) || number != mesh->axis[first++].size)
			return false;
	}
	return first == end && at >= numbers.length && numbers.length > 0;
}

/* Adds a command.  Where its `Grid` says the sizes of a level in numbers it says those of the mesh that grew. */
static void add_command(const struct growth *growth, const sw_mesh *mesh, sw_str command, int64_t *level,
	sw_text *text)
{
	const sw_mesh *before = &growth->formula->computation->mesh;
	int first, behind;
	size_t open = 0, end;

	sw_text_add_char(text, '.');
	while (open < command.length && !sw_str_starts(sw_str_behind(command, open), "Grid("))
		open++;
	open = sw_smaller((int64_t)open + 5, (int64_t)command.length);
	end = sw_str_outside(command, open, SW_NESTING_PLAIN, ")");
	sw_mesh_level(before, *level, &first, &behind);
	if (first == behind || !are_sizes(before, first, behind, (sw_str){command.at + open, end - open})) {
		sw_text_add_str(text, command);
		return;
	}
	sw_text_add_str(text, (sw_str){command.at, open});
	for (int axis = first; axis < behind; axis++)
		sw_text_addf(text, "%s%lld", axis > first ? "," : "", (long long)mesh->axis[axis].size);
	sw_text_add_str(text, sw_str_behind(command, end));
	++*level;
}

/* The commands that were typed, on the mesh that grew. */
static bool read_own(const struct growth *growth, const sw_mesh *mesh, const char **why, sw_diag *diag)
{
	sw_text text = {0};
	sw_diag reason;
	int64_t level = 0;

	for (int n = 0; n < growth->schedule->schedule->commands; n++)
		add_command(growth, mesh, sw_schedule_command_text(growth->schedule->schedule, n), &level, &text);
	bool ok = !text.failed &&
		session_read_schedule(growth->run->session, (sw_str){sw_text_get(&text), text.length}, &reason);
	bool failed = text.failed || (!ok && reason.code == SW_E01);
	sw_text_free(&text);
	if (!ok && !failed)
		*why = sw_arena_copy(growth->run->arena, reason.message, strlen(reason.message));
	return !failed || sw_diag_memory(diag);
}

/* The same algorithm on the mesh that grew. */
static bool find_recipe(const struct growth *growth, struct contest *contest, sw_diag *diag)
{
	sw_recipe *recipe = SW_NEW(growth->run->arena, sw_recipe, 1);
	sw_diag why;

	if (recipe == NULL)
		return sw_diag_memory(diag);
	if (recipe_of(growth, growth->algorithm, recipe, &why)) {
		contest->own = recipe;
		return true;
	}
	contest->no_own = sw_arena_copy(growth->run->arena, why.message, strlen(why.message));
	return (contest->no_own != NULL && why.code != SW_E01) || sw_diag_memory(diag);
}

static bool move_schedule(const struct growth *growth, const sw_mesh *mesh, struct contest *contest, sw_diag *diag)
{
	if (growth->schedule == NULL)
		return true;
	if (growth->algorithm != NULL)
		return find_recipe(growth, contest, diag);
	return contest->no_arrays != NULL || read_own(growth, mesh, &contest->no_own, diag);
}

/* ---- all of it ---- */

bool growth_begin(struct invocation *run, struct growth *growth, sw_diag *diag)
{
	const struct state *state = &run->session->state;

	*growth = (struct growth){.run = run, .formula = state->formula, .schedule = session_kept_schedule(state)};
	if (growth->formula == NULL) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no formula yet");
		sw_diag_hint(diag, "schedule cannon m=2000 n=2000 k=2000, then %s --grow 1,2,4,8", run->command->name);
		return false;
	}
	const sw_computation *computation = growth->formula->computation;
	growth->bytes = sw_dtype_bytes(computation->array[0].is.known ? computation->array[0].is.type.dtype : SW_F64);
	growth->statement = growth->formula->text;
	find_cuts(growth);
	if (growth->schedule != NULL && growth->schedule->lowering != NULL)
		find_algorithm(growth);
	return true;
}

bool growth_move(const struct growth *growth, int64_t processors, struct contest *contest, sw_diag *diag)
{
	int64_t size[SW_MAX_LETTERS];
	sw_text text = {0};
	sw_mesh mesh;
	const char *no_arrays;

	assert(growth->run->session->tries > 0 && processors >= 1);
	if (!sw_mesh_of_proportions(&growth->formula->computation->mesh, processors, &mesh, diag) ||
		!grow(growth, processors, size, diag))
		return false;
	growth->run->session->state.types = NULL; /* those over the mesh that was would be told of */
	sw_text_add(&text, "mesh ");
	sw_mesh_print(&mesh, &text);
	*contest = (struct contest){0};
	if (!run_text(growth, &text, diag) || !move_arrays(growth, &mesh, size, &no_arrays, diag))
		return false;
	contest->no_arrays = no_arrays;
	contest->any_machine = true;
	return move_schedule(growth, &mesh, contest, diag) && contest_begin(growth->run, contest, diag) &&
		contest_find(growth->run, contest, diag);
}
