/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare of the last formula on more and more processors: weak scaling.
 *
 * Letters whose dimensions are cut grow by one factor, so that the arrays that are cut most grow as the processors do.
 */
#include "command/compare/grow.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/number.h>

#include "answer/rows.h"
#include "answer/words.h"
#include "command/compare/compare_schedules.h"
#include "command/programs/algorithm.h"
#include "session/session.h"

#define ALGORITHMS_MOST 24

struct grown {
	int64_t processors;
	struct contender contender;
	const char *sizes;
	double live; /* GB */
	double rate; /* GFLOP/s of a processor */
	bool fits;
};

struct growth {
	struct invocation *run;
	struct contest *contest;
	int bytes;
	bool cut[SW_MAX_LETTERS];
	int most;                     /* dimensions of one array that are cut */
	int64_t size[SW_MAX_LETTERS]; /* on the present number of processors */
	int count;
	struct grown row[COUNTS_MOST * ALGORITHMS_MOST];
	sw_diag *diag;
};

/* ---- sizes ---- */

/* The number of the letter of a dimension; -1: its index is none. */
static int letter_of(const sw_formula *formula, const sw_formula_access *access, int dim)
{
	const char *at = memchr(formula->letter, access->index[dim].letter, (size_t)formula->letters);

	return at != NULL ? (int)(at - formula->letter) : -1;
}

/* Which letters are cut; where one processor has all, each may be. */
static void find_cuts(struct growth *growth)
{
	const sw_computation *computation = growth->run->session->state.formula->computation;
	const sw_formula *formula = &computation->formula;

	for (int whole = 0; whole < 2 && growth->most == 0; whole++)
		for (int n = 0; n < formula->accesses; n++) {
			const sw_formula_access *access = &formula->access[n];
			const sw_array_type *is = &computation->array[access->array].is;
			int cuts = 0;
			for (int dim = 0; dim < formula->array[access->array].rank; dim++) {
				int letter = letter_of(formula, access, dim);
				if (letter < 0 || (!whole && (!is->known || sw_type_cuts(&is->type, dim) < 2)))
					continue;
				growth->cut[letter] = true;
				cuts++;
			}
			growth->most = cuts > growth->most ? cuts : growth->most;
		}
}

static bool grow(const struct growth *growth, int64_t processors, int64_t *size)
{
	const sw_computation *computation = growth->run->session->state.formula->computation;
	double by = pow((double)processors / (double)computation->mesh.devices,
		1 / (double)(growth->most > 0 ? growth->most : 1));

	for (int letter = 0; letter < computation->formula.letters; letter++) {
		double grown = round((double)growth->size[letter] * by);
		size[letter] = growth->size[letter];
		if (!growth->cut[letter])
			continue;
		if (!(grown < 9e18))
			return sw_diag_set(growth->diag, SW_S09, (sw_span){0, 0}, "a size does not fit into 64 bits");
		size[letter] = sw_larger(1, (int64_t)grown);
	}
	return true;
}

static const char *sizes_text(const struct growth *growth, const int64_t *size)
{
	const sw_formula *formula = growth->contest->formula;
	sw_text text = {0};

	for (int letter = 0; letter < formula->letters; letter++) {
		bool same = letter > 0 && size[letter] == size[letter - 1];
		if (!same)
			sw_text_addf(&text, "%s%lld", letter > 0 ? " " : "", (long long)size[letter]);
	}
	return sw_text_keep(&text, growth->run->arena);
}

/* ---- rows ---- */

static bool add(struct growth *growth, const sw_recipe *recipe, const int64_t *size, double holds)
{
	struct grown *row = &growth->row[growth->count];
	sw_diag why;

	assert(growth->count < COUNTS_MOST * ALGORITHMS_MOST);
	if (!recipe->exact ||
		!contender_of_recipe(recipe, growth->contest->processors, growth->run->arena, &row->contender, &why))
		return recipe->exact && why.code == SW_E01 ? sw_diag_memory(growth->diag) : true;
	contest_predict(growth->contest, &row->contender);
	row->processors = growth->contest->processors;
	row->sizes = sizes_text(growth, size);
	row->live = (double)row->contender.peak * growth->bytes / 1e9;
	row->fits = holds <= 0 || row->live * 1e9 <= holds;
	row->rate = row->contender.predicted > 0 ? (double)row->contender.flops / row->contender.predicted / 1e9 : NAN;
	growth->count++;
	return row->sizes != NULL || sw_diag_memory(growth->diag);
}

static bool add_algorithm(struct growth *growth, const sw_schedule_algorithm *algorithm, const int64_t *size,
	double holds)
{
	const sw_formula *formula = growth->contest->formula;
	sw_recipe *recipe = SW_NEW(growth->run->arena, sw_recipe, 1);
	sw_recipe_question question;
	sw_diag why;

	if (recipe == NULL)
		return sw_diag_memory(growth->diag);
	if (!algorithm_question(growth->run, algorithm, &question, &why))
		return why.code != SW_E01 || sw_diag_memory(growth->diag);
	question.axes = 0;
	question.processors = growth->contest->processors;
	for (int n = 0; n < SW_SCHEME_LETTERS; n++) {
		const char *at = question.letter[n] != 0 ?
			memchr(formula->letter, question.letter[n], (size_t)formula->letters) :
			NULL;
		if (at != NULL)
			question.size[n] = size[at - formula->letter];
	}
	if (!sw_recipe_of(algorithm, &question, growth->run->arena, recipe, &why))
		return why.code != SW_E01 || sw_diag_memory(growth->diag);
	return add(growth, recipe, size, holds);
}

static int by_merit(const struct growth *growth, const struct grown *a, const struct grown *b)
{
	if (a->fits != b->fits)
		return a->fits ? -1 : 1;
	return contest_is_better(growth->contest, &a->contender, &b->contender) ? -1 : 1;
}

static bool add_count(struct growth *growth, int64_t processors)
{
	const sw_schedule_algorithm *algorithm;
	int64_t size[SW_MAX_LETTERS];
	int first = growth->count;

	if (!contest_move(growth->run, processors, growth->contest, growth->diag) || !grow(growth, processors, size))
		return false;
	const sw_machine *machine = growth->contest->machine;
	double holds = machine != NULL && machine->hardware != NULL ? machine->hardware->holds : 0;
	for (int n = 0; (algorithm = sw_schedule_algorithm_at(n)) != NULL; n++)
		if (sw_schedule_algorithm_named(sw_str_of(algorithm->name)) == algorithm &&
			!add_algorithm(growth, algorithm, size, holds))
			return false;
	for (int n = first + 1; n < growth->count; n++) {
		struct grown one = growth->row[n];
		int at = n;
		for (; at > first && by_merit(growth, &one, &growth->row[at - 1]) < 0; at--)
			growth->row[at] = growth->row[at - 1];
		growth->row[at] = one;
	}
	return true;
}

/* ---- the answer ---- */

static void print_grid(const struct row_at *at, sw_text *text)
{
	const sw_mesh *mesh = ((const struct grown *)at->row)->contender.mesh;

	for (int axis = 0; axis < mesh->count; axis++)
		sw_text_addf(text, "%s%lld", axis > 0 ? "x" : "", (long long)mesh->axis[axis].size);
}

static const struct row_column columns[] = {
	ROW_AT("processors", "on", COUNT, struct grown, processors),
	ROW_AT("name", "schedule", WORD, struct grown, contender.name, .role = ROLE_LABEL),
	ROW_BY("grid", "grid", TEXT, .print = print_grid),
	ROW_AT("sizes", "sizes", WORD, struct grown, sizes),
	ROW_AT("steps", "steps", COUNT, struct grown, contender.steps, .as = {.drops = 2}),
	ROW_AT("volume", NULL, COUNT, struct grown, contender.volume),
	ROW_AT("max_received", NULL, COUNT, struct grown, contender.received),
	ROW_AT("max_peak", NULL, COUNT, struct grown, contender.peak),
	ROW_AT("live_gb", "GB", NUMBER, struct grown, live, .digits = 1),
	ROW_AT("fits", "fits", FLAG, struct grown, fits, .mark = "yes"),
	ROW_AT("idle", "idle", COUNT, struct grown, contender.idle),
	ROW_AT("predicted_seconds", "time", SECONDS, struct grown, contender.predicted),
	ROW_AT("gflops", "GFLOP/s", NUMBER, struct grown, rate, .digits = 0),
};

/* Of each algorithm where it first lives in more than there is. */
static void say_too_large(const struct growth *growth)
{
	for (int n = 0; n < growth->count; n++) {
		const struct grown *row = &growth->row[n];
		bool before = false;
		for (int k = 0; k < n; k++)
			before |= !growth->row[k].fits && strcmp(growth->row[k].contender.name, row->contender.name) == 0;
		if (!row->fits && !before)
			document_say(growth->run->answer, 2, "%s needs %.1f GB of a processor on %lld, and %s holds %.3g GB",
				row->contender.name, row->live, (long long)row->processors, growth->contest->machine->hardware->name,
				growth->contest->machine->hardware->holds / 1e9);
	}
}

static bool answer(const struct growth *growth)
{
	struct document *document = growth->run->answer;
	struct fields *out = document_fields(document, "shardwalk.schedules-grown/1");
	const struct rows rows = ROWS_OF(columns, growth->row, growth->count);

	field_text(out, "statement", growth->contest->statement);
	field_text(out, "machine", growth->contest->machine != NULL ? growth->contest->machine->name : NULL);
	document_line(document, "compare  %s, memory a processor stays", growth->contest->statement);
	if (!rows_answer(&rows, document, out, "schedules", growth->diag))
		return false;
	say_too_large(growth);
	return true;
}

bool compare_grown(struct invocation *run, sw_diag *diag)
{
	const struct value *counts = option_value(run, OPTION_GROW);
	struct growth *growth = SW_NEW_ZERO(run->arena, struct growth, 1);

	assert(counts != NULL && counts->count > 0);
	if (growth == NULL || (growth->contest = SW_NEW_ZERO(run->arena, struct contest, 1)) == NULL)
		return sw_diag_memory(diag);
	if (run->session->state.formula == NULL) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no formula yet");
		sw_diag_hint(diag, "schedule cannon m=2000 n=2000 k=2000, then compare --grow 1,2,4,8");
		return false;
	}
	growth->run = run;
	growth->diag = diag;
	if (!contest_begin(run, growth->contest, diag))
		return false;
	const sw_computation *computation = run->session->state.formula->computation;
	memcpy(growth->size, computation->formula.size, sizeof growth->size);
	growth->bytes = sw_dtype_bytes(computation->array[0].is.known ? computation->array[0].is.type.dtype : SW_F64);
	find_cuts(growth);
	for (int n = 0; n < counts->count; n++)
		if (!add_count(growth, counts->counts[n]))
			return false;
	return answer(growth);
}
