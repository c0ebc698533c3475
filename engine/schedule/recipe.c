/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of the table of algorithms for one machine, sizes and names.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/algorithm.h"

/* ---- scheme of a row ---- */

static int letter_number(const sw_schedule_algorithm *algorithm, char letter)
{
	const char *at = strchr(algorithm->letters, letter);

	assert(letter != '\0' && at != NULL);
	return (int)(at - algorithm->letters);
}

/* An axis cuts the dimension whose letter it has in space before others cut that. */
static void set_home(const sw_schedule_algorithm *algorithm, int number, const sw_scheme *scheme,
	sw_scheme_array *array)
{
	const char *home = algorithm->home[number];
	sw_distal *distal = &array->home;

	*distal = (sw_distal){.rank = array->rank, .axes = scheme->axes};
	for (int dim = 0; dim < array->rank; dim++)
		distal->name[dim] = (sw_str){&algorithm->names[number][dim], 1};
	for (int axis = 0; axis < scheme->axes; axis++) {
		bool cuts = home[axis] >= '0' && home[axis] <= '9';

		distal->place[axis] = (sw_distal_place){cuts ? home[axis] - '0' : -1, home[axis] == '.' ? 0 : -1};
	}
	for (int first = 1; first >= 0; first--)
		for (int axis = 0; axis < scheme->axes; axis++) {
			int dim = distal->place[axis].dim;
			bool own = dim >= 0 && axis < scheme->spaces && scheme->space[axis] == array->letter[dim];

			if (dim >= 0 && own == first) {
				SW_ROOM(distal->cut, distal->cuts);
				distal->cut[distal->cuts++] = axis;
			}
		}
}

/* Reads the letters of an access that begins here; returns its last sign. */
static const char *read_access(const sw_schedule_algorithm *algorithm, const char *at, sw_scheme_array *array)
{
	if (at[1] != '(')
		return at;
	for (at += 2; *at != ')'; at++)
		if (isalpha((unsigned char)*at)) {
			SW_ROOM(array->letter, array->rank);
			array->letter[array->rank++] = letter_number(algorithm, *at);
		}
	return at;
}

void sw_schedule_algorithm_scheme(const sw_schedule_algorithm *algorithm, const int64_t *size, sw_scheme *scheme)
{
	*scheme = (sw_scheme){.letters = (int)strlen(algorithm->letters),
		.axes = sw_schedule_algorithm_axes(algorithm),
		.spaces = (int)strlen(algorithm->space),
		.time = -1,
		.steps = 1};
	memcpy(scheme->size, size, sizeof *size * (size_t)scheme->letters);
	for (int axis = 0; axis < scheme->axes; axis++)
		scheme->extent[axis] = 1;
	for (int axis = 0; axis < scheme->spaces; axis++) {
		scheme->space[axis] = letter_number(algorithm, algorithm->space[axis]);
		scheme->turned[axis] = strchr(algorithm->turns, algorithm->space[axis]) != NULL;
	}
	for (const char *at = algorithm->statement; *at != '\0'; at++)
		if (isalpha((unsigned char)*at)) {
			sw_scheme_array *array = &scheme->array[scheme->arrays];

			SW_ROOM(scheme->array, scheme->arrays);
			array->stepwise = strchr(algorithm->stepwise, *at) != NULL;
			at = read_access(algorithm, at, array);
			set_home(algorithm, scheme->arrays++, scheme, array);
		}
}

/* ---- sizes ---- */

static int64_t steps_of(const char *text, const int64_t *extent)
{
	int64_t steps = *text == 'x' ? extent[0] : *text == 'z' ? extent[2] : 1;

	return strchr(text, '/') != NULL ? sw_larger(steps / extent[2], 1) : steps;
}

/* May the steps be others than its own? */
static bool has_steps(const sw_schedule_algorithm *algorithm)
{
	return algorithm->time != '\0' && (*algorithm->steps == '1' || *algorithm->steps == 'z');
}

bool sw_schedule_algorithm_is_free(const sw_schedule_algorithm *algorithm)
{
	return has_steps(algorithm) || algorithm->chunk > 0;
}

static bool refuse_parameter(const sw_schedule_algorithm *algorithm, const char *name, const char *hint,
	sw_diag *diag)
{
	sw_diag_set(diag, SW_D41, (sw_span){0, 0}, "'%s' has no '%s='", algorithm->name, name);
	sw_diag_hint(diag, "%s", hint);
	return false;
}

static bool set_steps(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, sw_scheme *scheme,
	sw_diag *diag)
{
	int letter = algorithm->time != '\0' ? letter_number(algorithm, algorithm->time) : -1;

	if (question->steps > 0 && !has_steps(algorithm))
		return refuse_parameter(algorithm, "steps", "its machine determines its steps; 'cosma' has steps=", diag);
	if (question->chunk > 0 && algorithm->chunk == 0)
		return refuse_parameter(algorithm, "chunk", "'summa' has chunk=", diag);
	if (letter < 0)
		return true;
	if (question->chunk > 0)
		sw_scheme_split(scheme, letter, question->chunk);
	else if (algorithm->chunk > 0)
		sw_scheme_split(scheme, letter,
			sw_larger(1, sw_smaller(algorithm->chunk, (scheme->size[letter] - 1) / scheme->extent[1] + 1)));
	else
		sw_scheme_divide(scheme, letter,
			question->steps > 0 ? question->steps : steps_of(algorithm->steps, scheme->extent));
	return true;
}

/* ---- texts ---- */

typedef struct writing {
	const sw_schedule_algorithm *algorithm;
	const sw_recipe_question *question;
	const sw_recipe *recipe;
	sw_text text;
} writing;

static bool is_suffix(sw_str word)
{
	for (size_t n = 0; n < word.length; n++)
		if (strchr("iosr", word.at[n]) == NULL)
			return false;
	return true;
}

/* Its array or loop may have another name here. */
static void write_word(writing *w, sw_str word)
{
	const char *letter = strchr(w->algorithm->letters, *word.at);
	int array = 0;

	for (const char *at = w->algorithm->statement; *at != '\0' && word.length == 1; at++) {
		if (*at == '(')
			at = strchr(at, ')');
		if (!isalpha((unsigned char)*at))
			continue;
		if (*at == *word.at) {
			sw_text_add(&w->text, w->recipe->array[array]);
			return;
		}
		array++;
	}
	if (letter != NULL && is_suffix((sw_str){word.at + 1, word.length - 1})) {
		char other = w->question->letter[letter - w->algorithm->letters];

		sw_text_add_char(&w->text, other != '\0' ? other : *letter);
		sw_text_add_str(&w->text, (sw_str){word.at + 1, word.length - 1});
		return;
	}
	sw_text_add_str(&w->text, word);
}

static void write_number(writing *w, char which)
{
	const sw_scheme *scheme = &w->recipe->scheme;
	const char *axis = strchr("xyzw", which);

	if (axis != NULL)
		sw_text_add_int(&w->text, scheme->extent[axis - "xyzw"]);
	else
		sw_text_add_int(&w->text, which == 'c' ? scheme->chunk : scheme->steps);
}

static const char *write_form(writing *w, const char *form, sw_arena *arena)
{
	size_t length;

	for (const char *at = form; *at != '\0'; at += length) {
		for (length = 0; isalpha((unsigned char)at[length]);)
			length++;
		if (length > 0) {
			write_word(w, (sw_str){at, length});
		} else if (*at == '$') {
			write_number(w, at[1]);
			length = 2;
		} else {
			sw_text_add_char(&w->text, *at);
			length = 1;
		}
	}
	return sw_text_keep(&w->text, arena);
}

static bool write_names(const writing *w, sw_arena *arena, sw_recipe *recipe)
{
	int array = 0;

	for (const char *at = w->algorithm->statement; *at != '\0'; at++) {
		sw_str name = {at, 1};

		if (*at == '(')
			at = strchr(at, ')');
		if (!isalpha((unsigned char)*at))
			continue;
		SW_ROOM(recipe->array, array);
		if (w->question->array[array].length > 0)
			name = w->question->array[array];
		recipe->array[array] = sw_arena_copy(arena, name.at, name.length);
		if (recipe->array[array++] == NULL)
			return false;
	}
	return true;
}

bool sw_recipe_write(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	const char *const *form, sw_arena *arena, sw_recipe *recipe)
{
	writing w = {algorithm, question, recipe, {0}};

	if (!write_names(&w, arena, recipe))
		return false;
	recipe->statement = write_form(&w, algorithm->statement, arena);
	for (int n = 0; n < SW_RECIPE_COMMANDS && form[n] != NULL; n++) {
		w.text = (sw_text){0};
		recipe->command[recipe->commands] = write_form(&w, form[n], arena);
		if (recipe->command[recipe->commands++] == NULL)
			return false;
	}
	return recipe->statement != NULL;
}

bool sw_recipe_remark(const char *what, const char *machine, const sw_recipe_question *question, sw_arena *arena,
	sw_recipe *recipe)
{
	const sw_scheme *scheme = &recipe->scheme;
	sw_text text = {0};

	recipe->moved = true;
	sw_text_addf(&text, "'%s' runs on %s,", what, machine);
	for (int axis = 0; axis < scheme->axes; axis++)
		sw_text_addf(&text, "%s %lld", axis > 0 ? " x" : "", (long long)scheme->extent[axis]);
	if (sw_scheme_processors(scheme) < question->processors)
		sw_text_addf(&text, ", and uses %lld of %lld devices", (long long)sw_scheme_processors(scheme),
			(long long)question->processors);
	recipe->remark = sw_text_keep(&text, arena);
	return recipe->remark != NULL;
}

/* The row of the same name that runs on the machine as it is; else the first, on the nearest machine. */
static bool find_machine(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_recipe *recipe, sw_diag *diag)
{
	const sw_schedule_algorithm *row = algorithm;

	while (row != NULL && !sw_schedule_algorithm_fits(row, question))
		row = sw_schedule_algorithm_other(row);
	recipe->moved = row == NULL;
	recipe->algorithm = row != NULL ? row : algorithm;
	sw_schedule_algorithm_scheme(recipe->algorithm, question->size, &recipe->scheme);
	if (row == NULL)
		return sw_schedule_algorithm_nearest(algorithm, question, &recipe->scheme, diag);
	memcpy(recipe->scheme.extent, question->extent, sizeof recipe->scheme.extent);
	memcpy(recipe->level, question->level, sizeof recipe->level);
	return true;
}

static int levels_of(const sw_recipe *recipe)
{
	return recipe->scheme.axes > 0 ? recipe->level[recipe->scheme.axes - 1] + 1 : 1;
}

bool sw_recipe_of(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, sw_arena *arena,
	sw_recipe *recipe, sw_diag *diag)
{
	sw_recipe made = {0};

	assert(question->axes <= SW_SCHEME_AXES && question->processors >= 1);
	if (!find_machine(algorithm, question, &made, diag) || !set_steps(made.algorithm, question, &made.scheme, diag))
		return false;
	made.exact = levels_of(&made) == 1;
	for (int letter = 0; letter < made.scheme.letters; letter++)
		made.leaf[letter] = letter == made.scheme.time ?
			sw_smaller(made.scheme.chunk, sw_scheme_block(&made.scheme, letter)) :
			sw_scheme_block(&made.scheme, letter);
	if (!sw_recipe_write(made.algorithm, question, made.algorithm->command, arena, &made) ||
		(made.moved &&
			!sw_recipe_remark(made.algorithm->name, sw_schedule_algorithm_machine(made.algorithm), question, arena,
				&made)))
		return sw_diag_memory(diag);
	*recipe = made;
	return true;
}
