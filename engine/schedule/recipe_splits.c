/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * COSMA's strings of splits, `pm2,sm2,pk2`, as recipes.
 *
 * Source: https://github.com/eth-cscs/COSMA, the manual of its dry run.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/algorithm.h"

#define MOST_STEPS 4 /* loops in time */
#define LETTERS 3    /* i, j, k: COSMA's m, n, k */

static const char *const letters = "ijk";
static const char *const arrays = "ABC";
static const char *const dims[LETTERS] = {"ij", "ik", "kj"}; /* of each array */

typedef struct splits {
	int axes; /* letters that are cut in parallel, in the order of the string */
	int axis[LETTERS];
	int64_t parts[LETTERS]; /* in parallel, of each letter; 0: it is not */
	int steps;
	int step[MOST_STEPS]; /* the letters that are cut in steps */
	int64_t count[MOST_STEPS];
	int order, cut[LETTERS]; /* letters, by their first split */
} splits;

/* ---- reading ---- */

static bool refuse(sw_span at, const char *message, sw_str split, sw_diag *diag)
{
	sw_diag_set(diag, SW_D42, at, "'%.*s' %s", (int)split.length, split.at, message);
	sw_diag_expected(diag, "p or s, then m, n or k, then a number of parts, as in pm2,sm2,pk2");
	return false;
}

static bool add_parallel(splits *splits, int letter, int64_t parts)
{
	if (splits->parts[letter] == 0) {
		SW_ROOM(splits->axis, splits->axes);
		splits->axis[splits->axes++] = letter;
		splits->parts[letter] = 1;
	}
	return sw_mul(splits->parts[letter], parts, &splits->parts[letter]) && splits->parts[letter] <= SW_MAX_DEVICES;
}

static bool add_steps(splits *splits, int letter, int64_t parts)
{
	if (splits->steps == MOST_STEPS)
		return false;
	splits->step[splits->steps] = letter;
	splits->count[splits->steps++] = parts;
	return true;
}

static void note_letter(splits *splits, int letter)
{
	for (int n = 0; n < splits->order; n++)
		if (splits->cut[n] == letter)
			return;
	SW_ROOM(splits->cut, splits->order);
	splits->cut[splits->order++] = letter;
}

static bool read_split(sw_str split, sw_span at, splits *splits, sw_diag *diag)
{
	const char *dim = split.length < 3 ? NULL : memchr("mnk", split.at[1], 3);
	int64_t parts = 0;
	int letter;

	if (dim == NULL || (*split.at != 'p' && *split.at != 's'))
		return refuse(at, "is not a split", split, diag);
	if (!sw_read_int(sw_str_behind(split, 2), &parts, NULL) || parts < 1)
		return refuse(at, "has no number of parts", split, diag);
	letter = *dim == 'm' ? 0 : *dim == 'n' ? 1 : 2;
	note_letter(splits, letter);
	if (*split.at == 's')
		return add_steps(splits, letter, parts) ||
			refuse(at, "is one loop in time too many: at most 4 are allowed", split, diag);
	return add_parallel(splits, letter, parts) || refuse(at, "makes too many devices", split, diag);
}

static bool read_splits(sw_str text, splits *splits, sw_diag *diag)
{
	for (size_t at = 0; at <= text.length;) {
		size_t begin = at;
		sw_str split = sw_str_split(text, &at, SW_NESTING_PLAIN);

		if (split.length > 0)
			begin = (size_t)(split.at - text.at);
		if (!read_split(split, (sw_span){begin, begin + split.length}, splits, diag))
			return false;
	}
	if (splits->axes == 0 && add_parallel(splits, 0, 1))
		note_letter(splits, 0);
	return true;
}

/* ---- the scheme ---- */

static int dim_of(int array, int letter)
{
	const char *at = strchr(dims[array], letters[letter]);

	return at != NULL ? (int)(at - dims[array]) : -1;
}

/* Which loop in time fetches an array; -1: none. */
static int step_of(const splits *splits, int array)
{
	bool everywhere = true;

	for (int axis = 0; axis < splits->axes; axis++)
		everywhere &= dim_of(array, splits->axis[axis]) >= 0;
	for (int n = splits->steps - 1; n >= 0 && !everywhere; n--)
		if (dim_of(array, splits->step[n]) >= 0)
			return n;
	return -1;
}

static void set_home(const splits *splits, int array, sw_distal *home)
{
	static const char *const names[LETTERS] = {"xy", "xz", "zy"};

	*home = (sw_distal){.rank = 2, .axes = splits->axes};
	for (int dim = 0; dim < 2; dim++)
		home->name[dim] = (sw_str){&names[array][dim], 1};
	for (int axis = 0; axis < splits->axes; axis++) {
		int dim = dim_of(array, splits->axis[axis]);

		home->place[axis] = (sw_distal_place){dim, dim < 0 ? 0 : -1};
		if (dim >= 0)
			home->cut[home->cuts++] = axis;
	}
}

static void set_scheme(const splits *splits, const int64_t *size, sw_scheme *scheme)
{
	*scheme = (sw_scheme){.letters = LETTERS,
		.axes = splits->axes,
		.spaces = splits->axes,
		.time = -1,
		.steps = 1,
		.arrays = LETTERS};
	memcpy(scheme->size, size, LETTERS * sizeof *size);
	for (int axis = 0; axis < splits->axes; axis++) {
		scheme->space[axis] = splits->axis[axis];
		scheme->extent[axis] = splits->parts[splits->axis[axis]];
	}
	if (splits->steps == 1)
		sw_scheme_divide(scheme, splits->step[0], splits->count[0]);
	for (int array = 0; array < LETTERS; array++) {
		sw_scheme_array *of = &scheme->array[array];

		*of = (sw_scheme_array){.rank = 2, .stepwise = step_of(splits, array) >= 0};
		for (int dim = 0; dim < 2; dim++)
			of->letter[dim] = (int)(strchr(letters, dims[array][dim]) - letters);
		set_home(splits, array, &of->home);
	}
}

/* ---- commands, in the names of the row ---- */

typedef struct forms {
	const splits *splits;
	sw_arena *arena;
	sw_recipe *recipe;
	int cuts[LETTERS]; /* of each letter, that were made */
	int count;
	const char *form[SW_RECIPE_COMMANDS + 1];
	bool failed;
} forms;

static void keep_form(forms *f, sw_text *text)
{
	assert(f->count < SW_RECIPE_COMMANDS);
	f->form[f->count] = sw_text_keep(text, f->arena);
	f->failed |= f->form[f->count++] == NULL;
}

static int cuts_of(const splits *splits, int letter)
{
	int cuts = splits->parts[letter] > 0;

	for (int n = 0; n < splits->steps; n++)
		cuts += splits->step[n] == letter;
	return cuts;
}

/* What is left of a letter after so many cuts: i, ir, irr, and at the end ii. */
static void add_rest(sw_text *text, const splits *splits, int letter, int cuts)
{
	sw_text_add_char(text, letters[letter]);
	if (cuts == 0)
		return;
	if (cuts == cuts_of(splits, letter)) {
		sw_text_add_char(text, 'i');
		return;
	}
	for (int n = 0; n < cuts; n++)
		sw_text_add_char(text, 'r');
}

/* A loop in time: is, and the second one of a letter iss. */
static void add_step(sw_text *text, const splits *splits, int step)
{
	sw_text_add_char(text, letters[splits->step[step]]);
	for (int n = 0; n <= step; n++)
		if (splits->step[n] == splits->step[step])
			sw_text_add_char(text, 's');
}

/* step -1: the cut in parallel. */
static void add_divide(forms *f, int letter, int step)
{
	int64_t parts = step < 0 ? f->splits->parts[letter] : f->splits->count[step];
	sw_text text = {0};

	sw_text_add(&text, "divide(");
	add_rest(&text, f->splits, letter, f->cuts[letter]);
	sw_text_add_char(&text, ',');
	if (step < 0)
		sw_text_addf(&text, "%co", letters[letter]);
	else
		add_step(&text, f->splits, step);
	sw_text_add_char(&text, ',');
	add_rest(&text, f->splits, letter, ++f->cuts[letter]);
	sw_text_addf(&text, ",%lld)", (long long)parts);
	f->recipe->leaf[letter] = (f->recipe->leaf[letter] - 1) / parts + 1;
	keep_form(f, &text);
}

static void add_divides(forms *f)
{
	for (int n = 0; n < f->splits->order; n++) {
		int letter = f->splits->cut[n];

		if (f->splits->parts[letter] > 0)
			add_divide(f, letter, -1);
		for (int step = 0; step < f->splits->steps; step++)
			if (f->splits->step[step] == letter)
				add_divide(f, letter, step);
	}
}

static void add_leaf(const forms *f, sw_text *text)
{
	for (int letter = 0; letter < LETTERS; letter++) {
		sw_text_add(text, letter > 0 ? "," : "");
		add_rest(text, f->splits, letter, f->cuts[letter]);
	}
}

static void add_spaces(const forms *f, sw_text *text)
{
	for (int axis = 0; axis < f->splits->axes; axis++)
		sw_text_addf(text, "%s%co", axis > 0 ? "," : "{", letters[f->splits->axis[axis]]);
}

static void add_order(forms *f)
{
	sw_text order = {0}, space = {0};

	sw_text_add(&order, "reorder(");
	add_spaces(f, &order);
	for (int step = 0; step < f->splits->steps; step++) {
		sw_text_add_char(&order, ',');
		add_step(&order, f->splits, step);
	}
	sw_text_add_char(&order, ',');
	add_leaf(f, &order);
	sw_text_add(&order, "})");
	keep_form(f, &order);
	sw_text_add(&space, "distribute(");
	add_spaces(f, &space);
	sw_text_add(&space, "})");
	keep_form(f, &space);
}

static void add_communicate(forms *f, int step)
{
	sw_text text = {0};
	int count = 0, n = 0;

	for (int array = 0; array < LETTERS; array++)
		count += step_of(f->splits, array) == step;
	if (count == 0)
		return;
	sw_text_add(&text, count > 1 ? "communicate({" : "communicate(");
	for (int array = 0; array < LETTERS; array++)
		if (step_of(f->splits, array) == step)
			sw_text_addf(&text, "%s%c", n++ > 0 ? "," : "", arrays[array]);
	sw_text_add(&text, count > 1 ? "}," : ",");
	if (step < 0)
		sw_text_addf(&text, "%co", letters[f->splits->axis[f->splits->axes - 1]]);
	else
		add_step(&text, f->splits, step);
	sw_text_add_char(&text, ')');
	keep_form(f, &text);
}

static bool write_commands(forms *f)
{
	sw_text leaf = {0};

	add_divides(f);
	add_order(f);
	for (int step = -1; step < f->splits->steps; step++)
		add_communicate(f, step);
	sw_text_add(&leaf, "substitute({");
	add_leaf(f, &leaf);
	sw_text_add(&leaf, "},gemm)");
	keep_form(f, &leaf);
	return !f->failed;
}

/* ---- the machine ---- */

static bool is_present(const sw_scheme *scheme, const sw_recipe_question *question)
{
	if (question->axes != scheme->axes)
		return false;
	for (int axis = 0; axis < scheme->axes; axis++)
		if (question->extent[axis] != scheme->extent[axis] || question->level[axis] != 0)
			return false;
	return true;
}

static bool check_processors(const sw_scheme *scheme, const sw_recipe_question *question, sw_str text, sw_diag *diag)
{
	int64_t processors = 1;

	for (int axis = 0; axis < scheme->axes; axis++)
		if (!sw_mul(processors, scheme->extent[axis], &processors))
			processors = INT64_MAX;
	if (processors == question->processors)
		return true;
	sw_diag_set(diag, SW_D42, (sw_span){0, text.length}, "these splits are for %lld devices", (long long)processors);
	sw_diag_found(diag, "%lld", (long long)question->processors);
	return false;
}

bool sw_recipe_of_splits(sw_str text, const sw_recipe_question *question, sw_arena *arena, sw_recipe *recipe,
	sw_diag *diag)
{
	const sw_schedule_algorithm *row = sw_schedule_algorithm_named(sw_str_of("cosma"));
	sw_recipe made = {.leaf = {question->size[0], question->size[1], question->size[2]}};
	splits splits = {0};
	forms forms = {.splits = &splits, .arena = arena, .recipe = &made};

	if (!read_splits(text, &splits, diag))
		return false;
	set_scheme(&splits, question->size, &made.scheme);
	if (!check_processors(&made.scheme, question, text, diag))
		return false;
	made.exact = splits.steps <= 1;
	if (!write_commands(&forms) || !sw_recipe_write(row, question, forms.form, arena, &made))
		return sw_diag_memory(diag);
	if (!is_present(&made.scheme, question) && !sw_recipe_remark("cosma", "its own machine", question, arena, &made))
		return sw_diag_memory(diag);
	*recipe = made;
	return true;
}
