/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published algorithms as the schedule of the session: `schedule cannon m=9 n=9 k=9`, `schedule cosma pm2,sm2,pk2`.
 */
#include "command/programs/algorithm.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/algorithm.h>
#include <shardwalk/computation.h>
#include <shardwalk/number.h>

#include "answer/words.h"
#include "command/programs/within.h"
#include "session/schedules.h"
#include "views/scheduled.h"

struct algorithm_asked {
	struct invocation *run;
	const sw_schedule_algorithm *algorithm;
	sw_recipe_question question;
	sw_formula formula; /* the statement, in its own names */
	sw_str splits;
	sw_diag *diag;
};

static bool is_letter(const sw_index *index)
{
	return !index->whole && index->letter != 0 && index->factor == 1 && index->offset == 0 && index->divisor == 1 &&
		index->graph == NULL;
}

static sw_str first_word(sw_str text)
{
	size_t length = 0;

	while (length < text.length && text.at[length] != ' ' && text.at[length] != '\t')
		length++;
	return (sw_str){text.at, length};
}

bool algorithm_begins(sw_str text)
{
	return sw_schedule_algorithm_named(first_word(text)) != NULL;
}

/* ---- sizes and names ---- */

/* Are all terms products of accesses, of as many as in the other formula? */
static bool same_terms(const sw_formula *a, const sw_formula *b)
{
	bool same = a->sum.terms == b->sum.terms;

	for (int k = 0; k < a->sum.terms && same; k++) {
		const sw_formula_term *mine = &a->sum.term[k], *there = &b->sum.term[k];
		same = mine->minus == there->minus && mine->factors == there->factors;
		for (int n = 0; n < mine->factors && same; n++)
			same = mine->factor[n].kind == SW_FACTOR_ACCESS && there->factor[n].kind == SW_FACTOR_ACCESS;
	}
	return same;
}

/* Does the present formula compute the same?  Then it gives its names, and sizes. */
static bool take_formula(struct algorithm_asked *a)
{
	const struct kept_formula *kept = a->run->session->state.formula;
	const sw_formula *own = &a->formula, *is = kept != NULL ? &kept->computation->formula : NULL;
	sw_recipe_question found = a->question;

	if (is == NULL || is->accesses != own->accesses || is->arrays != own->arrays || is->letters != own->letters ||
		!same_terms(own, is) || is->adds != own->adds || is->wrap || is->on >= 0)
		return false;
	for (int k = 0; k < own->accesses; k++) {
		const sw_formula_access *mine = &own->access[k], *there = &is->access[k];
		if (mine->array != there->array || own->array[mine->array].rank != is->array[there->array].rank)
			return false;
		found.array[mine->array] = is->array[there->array].name;
		for (int d = 0; d < own->array[mine->array].rank; d++) {
			const char *letter = strchr(a->algorithm->letters, mine->index[d].letter);
			int number = (int)(letter - a->algorithm->letters);
			const char *at = memchr(is->letter, there->index[d].letter, (size_t)is->letters);
			if (!is_letter(&there->index[d]) || at == NULL ||
				(found.letter[number] != 0 && found.letter[number] != *at))
				return false;
			found.letter[number] = *at;
			found.size[number] = is->size[at - is->letter];
		}
	}
	a->question = found;
	return true;
}

/* Else types by its own names of arrays give sizes. */
static void take_types(struct algorithm_asked *a)
{
	for (int k = 0; k < a->formula.accesses; k++) {
		const sw_formula_access *access = &a->formula.access[k];
		const sw_formula_array *array = &a->formula.array[access->array];
		const struct named_type *type = session_type(a->run->session, array->name);
		if (type == NULL || type->failed || type->is.type.rank != array->rank)
			continue;
		for (int d = 0; d < array->rank; d++) {
			const char *letter = strchr(a->algorithm->letters, access->index[d].letter);
			a->question.size[letter - a->algorithm->letters] = type->is.type.global[d];
		}
	}
}

/* ---- words behind the name ---- */

static const char matrices[] = "mnk";

static bool is_of_matrices(const sw_schedule_algorithm *algorithm)
{
	return strcmp(algorithm->statement, sw_schedule_algorithm_at(0)->statement) == 0;
}

static bool refuse(const struct algorithm_asked *a, sw_str at, const char *what, sw_diag *diag)
{
	const char *letters = is_of_matrices(a->algorithm) ? matrices : a->algorithm->letters;
	sw_text sizes = {0};

	for (const char *letter = letters; *letter != '\0'; letter++)
		sw_text_addf(&sizes, "%c=N ", *letter);
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "%s", what);
	sw_diag_expected(diag, "%ssteps=N chunk=N", sw_text_get(&sizes));
	sw_text_free(&sizes);
	sizes = (sw_text){0};
	for (const char *letter = letters; *letter != '\0'; letter++)
		sw_text_addf(&sizes, " %c=8", *letter);
	sw_diag_hint(diag, "for instance: schedule %s%s", a->algorithm->name, sw_text_get(&sizes));
	sw_text_free(&sizes);
	return refuse_at(a->run, at, diag);
}

/* Where a number belongs; of a product of matrices m, n, k are i, j, k. */
static int64_t *place_of(struct algorithm_asked *a, sw_str key)
{
	const char *letter = key.length == 1 ? strchr(a->algorithm->letters, *key.at) : NULL;
	const char *matrix = key.length == 1 ? strchr(matrices, *key.at) : NULL;

	if (sw_str_is(key, "steps"))
		return &a->question.steps;
	if (sw_str_is(key, "chunk"))
		return &a->question.chunk;
	if (letter == NULL && matrix != NULL && strcmp(a->algorithm->letters, "ijk") == 0)
		letter = a->algorithm->letters + (matrix - matrices);
	return letter != NULL ? &a->question.size[letter - a->algorithm->letters] : NULL;
}

static bool read_word(struct algorithm_asked *a, sw_str word)
{
	size_t equals = sw_str_outside(word, 0, SW_NESTING_PLAIN, "=");
	int64_t *place = place_of(a, (sw_str){word.at, equals});

	if (equals == word.length && strcmp(a->algorithm->name, "cosma") == 0 && a->splits.length == 0) {
		a->splits = word;
		return true;
	}
	if (place == NULL)
		return refuse(a, word, "there is no such size", a->diag);
	if (equals == word.length || !sw_read_int(sw_str_behind(word, equals + 1), place, NULL) || *place < 1)
		return refuse(a, word, "a size is a number from 1 to 2^63 - 1", a->diag);
	return true;
}

static bool read_words(struct algorithm_asked *a, sw_str text)
{
	sw_str rest = sw_str_trim(sw_str_behind(text, first_word(text).length));

	while (rest.length > 0) {
		sw_str word = first_word(rest);
		if (!read_word(a, word))
			return false;
		rest = sw_str_trim(sw_str_behind(rest, word.length));
	}
	for (const char *letter = a->algorithm->letters; *letter != '\0'; letter++)
		if (a->question.size[letter - a->algorithm->letters] < 1)
			return refuse(a, text, "the sizes of the arrays are unknown", a->diag);
	return true;
}

static void take_machine(struct algorithm_asked *a, const sw_mesh *mesh)
{
	a->question.processors = mesh->devices;
	a->question.axes = mesh->count <= SW_SCHEME_AXES ? mesh->count : 0;
	for (int axis = 0; axis < a->question.axes; axis++) {
		a->question.extent[axis] = mesh->axis[axis].size;
		a->question.level[axis] = (int)mesh->axis[axis].level;
	}
}

/* ---- statements ---- */

/* The machine of the recipe as a mesh. */
static void print_mesh(const sw_recipe *recipe, sw_text *text)
{
	static const char *const names[] = {"x", "y", "z", "w", "u", "v", "s", "t"};

	sw_text_add(text, "mesh {");
	for (int axis = 0; axis < recipe->scheme.axes; axis++)
		sw_text_addf(text, "%s%s: %lld",
			axis == 0                                         ? "" :
				recipe->level[axis] > recipe->level[axis - 1] ? "; " :
																", ",
			names[axis], (long long)recipe->scheme.extent[axis]);
	sw_text_add_char(text, '}');
}

static bool whole_type(const sw_recipe *recipe, int array, sw_type *type, sw_diag *diag)
{
	const sw_scheme_array *is = &recipe->scheme.array[array];
	int64_t size[SW_MAX_DIMS];

	for (int d = 0; d < is->rank; d++)
		size[d] = recipe->scheme.size[is->letter[d]];
	if (!sw_type_replicated(SW_F64, is->rank, size, type, diag))
		return false;
	type->dtype_given = true;
	return true;
}

/* Before anything changes: are all arrays of sizes that can be counted? */
static bool check_sizes(const struct algorithm_asked *a, const sw_recipe *recipe)
{
	sw_type type;

	for (int k = 0; k < recipe->scheme.arrays; k++)
		if (!whole_type(recipe, k, &type, a->diag))
			return false;
	return true;
}

static bool print_type(const struct algorithm_asked *a, const sw_recipe *recipe, int array, sw_text *text)
{
	sw_type type;

	if (!whole_type(recipe, array, &type, a->diag))
		return false;
	sw_text_addf(text, "type %s = ", recipe->array[array]);
	sw_distal_print_type(&a->run->session->state.mesh, &type, &recipe->scheme.array[array].home, text);
	return true;
}

/* Runs a statement, which is a line of what is written. */
static bool run_text(const struct algorithm_asked *a, sw_text *text, sw_text *written)
{
	sw_text_addf(written, "%s\n", sw_text_get(text));
	bool ok = !text->failed ? statement_within(a->run, (sw_str){sw_text_get(text), text->length}, a->diag) :
							  sw_diag_memory(a->diag);

	sw_text_free(text);
	*text = (sw_text){0};
	return ok;
}

/* Machine, types and statement, a line each. */
static bool take_statements(const struct algorithm_asked *a, const sw_recipe *recipe, sw_text *written)
{
	sw_text text = {0};
	bool ok = check_sizes(a, recipe);

	if (ok && recipe->moved) {
		print_mesh(recipe, &text);
		ok = run_text(a, &text, written);
	}
	for (int k = 0; k < recipe->scheme.arrays && ok; k++)
		ok = print_type(a, recipe, k, &text) && run_text(a, &text, written);
	if (ok) {
		sw_text_addf(&text, "compute %s", recipe->statement);
		ok = run_text(a, &text, written);
	}
	sw_text_free(&text);
	return ok;
}

static bool take_recipe(const struct algorithm_asked *a, const sw_recipe *recipe, bool write)
{
	sw_text text = {0}, written = {0};
	bool ok = take_statements(a, recipe, &written);

	for (int k = 0; k < recipe->commands && ok; k++)
		sw_text_addf(&text, ".%s", recipe->command[k]);
	ok = ok && session_read_schedule(a->run->session, (sw_str){sw_text_get(&text), text.length}, a->diag);
	if (ok && write)
		document_lines(a->run->answer, &written);
	sw_text_free(&written);
	sw_text_free(&text);
	return ok;
}

/* Is the machine of the recipe another one than the mesh that is there? */
static bool is_elsewhere(const sw_mesh *mesh, const sw_recipe *recipe)
{
	bool same = mesh->count == recipe->scheme.axes;

	for (int axis = 0; axis < recipe->scheme.axes && same; axis++)
		same = mesh->axis[axis].size == recipe->scheme.extent[axis] && mesh->axis[axis].level == recipe->level[axis];
	return !same;
}

static bool find_recipe(struct algorithm_asked *a, sw_recipe *recipe)
{
	struct session *session = a->run->session;
	bool found = a->splits.length > 0 ?
		sw_recipe_of_splits(a->splits, &a->question, session->arena, recipe, a->diag) :
		sw_recipe_of(a->algorithm, &a->question, session->arena, recipe, a->diag);

	if (!found && a->splits.length > 0)
		return refuse_at(a->run, a->splits, a->diag);
	if (found)
		recipe->moved = is_elsewhere(&session->state.mesh, recipe);
	return found;
}

/* ---- more processors than are listed ---- */

static void tell_figures(const sw_recipe *recipe, const sw_schedule_totals *totals, struct fields *out)
{
	struct fields *commands = field_list(out, "schedule"), *volumes;

	field_text(out, "statement", recipe->statement);
	for (int k = 0; k < recipe->commands; k++)
		field_text(commands, NULL, recipe->command[k]);
	field_int(out, "steps", recipe->scheme.steps);
	field_int(out, "volume", totals->volume);
	volumes = field_object(out, "volumes");
	for (int k = 0; k < recipe->scheme.arrays; k++)
		field_int(volumes, recipe->array[k], totals->volumes[k]);
	field_int(out, "max_received", totals->most_received);
	field_int(out, "max_held", totals->most_held);
	field_int(out, "max_peak", totals->most_peak);
	field_int(out, "max_peak_overlap", totals->most_peak_overlap);
	field_int(out, "max_flops", totals->most_flops);
}

static bool answer_figures(const struct algorithm_asked *a, const sw_recipe *recipe)
{
	struct document *answer = a->run->answer;
	sw_schedule_totals totals;
	sw_formula formula;

	if (!sw_formula_parse(sw_str_of(recipe->statement), NULL, a->run->arena, &formula, a->diag) ||
		!sw_scheme_figures(&recipe->scheme, a->run->arena, &totals, a->diag))
		return false;
	for (int k = 0; k < recipe->commands; k++)
		document_line(answer, "%s.%s", k == 0 ? "schedule " : "", recipe->command[k]);
	schedule_say_totals(&formula, recipe->scheme.steps, &totals, answer);
	document_say(answer, 0,
		"numbers from formulas; the session keeps schedules, with lists of messages, of at most %s devices",
		words_count(SW_MAX_MAP_DEVICES).text);
	tell_figures(recipe, &totals, document_fields(answer, "shardwalk.schedule/1"));
	return true;
}

bool algorithm_take(struct invocation *run, sw_str text, bool *schedule, sw_diag *diag)
{
	struct algorithm_asked a = {.run = run, .algorithm = sw_schedule_algorithm_named(first_word(text)), .diag = diag};
	sw_recipe recipe;

	if (!session_need(run->session, DEFINED_MESH, diag))
		return false;
	if (!sw_formula_parse(sw_str_of(a.algorithm->statement), NULL, run->arena, &a.formula, diag))
		return false;
	take_machine(&a, &run->session->state.mesh);
	if (!take_formula(&a))
		take_types(&a);
	if (!read_words(&a, text) || !find_recipe(&a, &recipe))
		return false;
	if (recipe.remark != NULL)
		document_say(run->answer, 0, "%s", recipe.remark);
	*schedule = !recipe.exact || sw_scheme_processors(&recipe.scheme) <= SW_MAX_MAP_DEVICES;
	if (*schedule ? take_recipe(&a, &recipe, true) : answer_figures(&a, &recipe))
		return true;
	diag->at = diag->also = (sw_span){0, 0};
	return false;
}

/* ---- for others ---- */

bool algorithm_question(struct invocation *run, const sw_schedule_algorithm *algorithm, sw_recipe_question *question,
	sw_diag *diag)
{
	struct algorithm_asked a = {.run = run, .algorithm = algorithm, .diag = diag};

	assert(algorithm != NULL);
	*diag = (sw_diag){.code = SW_OK};
	if (!sw_formula_parse(sw_str_of(algorithm->statement), NULL, run->arena, &a.formula, diag))
		return false;
	take_machine(&a, &run->session->state.mesh);
	if (!take_formula(&a))
		return false;
	*question = a.question;
	return true;
}

bool algorithm_take_recipe(struct invocation *run, const sw_recipe *recipe, bool write, sw_diag *diag)
{
	const struct algorithm_asked a = {.run = run, .diag = diag};
	sw_recipe here = *recipe;

	here.moved = is_elsewhere(&run->session->state.mesh, recipe);
	if (recipe->remark != NULL)
		document_say(run->answer, 0, "%s", recipe->remark);
	if (take_recipe(&a, &here, write))
		return true;
	diag->at = diag->also = (sw_span){0, 0};
	return false;
}
