/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trying a statement: case after case, until one refutes it; that one is made small and told as a script.
 */
#include <assert.h>
#include <string.h>

#include "theory/claims.h"

static const char *const kind_names[SW_STATEMENT_KINDS] = {"lemma", "theorem", "principle", "corollary", "case"};

static const struct {
	const char *name, *citation;
} papers[SW_PAPER_COUNT] = {
#define X(id, name, citation) {name, citation},
	SW_PAPERS(X)
#undef X
};

const char *sw_paper_name(sw_paper paper)
{
	assert((unsigned)paper < SW_PAPER_COUNT);
	return papers[paper].name;
}

const char *sw_paper_citation(sw_paper paper)
{
	assert((unsigned)paper < SW_PAPER_COUNT);
	return papers[paper].citation;
}

sw_paper sw_paper_named(sw_str name)
{
	int paper = 0;
	while (paper < SW_PAPER_COUNT && !sw_str_is(name, papers[paper].name))
		paper++;
	return (sw_paper)paper;
}

const char *sw_statement_kind_name(sw_statement_kind kind)
{
	assert((unsigned)kind < SW_STATEMENT_KINDS);
	return kind_names[kind];
}

sw_statement_kind sw_statement_kind_named(sw_str name)
{
	int kind = 0;
	while (kind < SW_STATEMENT_KINDS && !sw_str_is(name, kind_names[kind]))
		kind++;
	return (sw_statement_kind)kind;
}

const sw_statement *sw_statement_at(int n)
{
	assert(n >= 0);
	return n < sw_statement_row_count ? &sw_statement_rows[n].statement : NULL;
}

const sw_statement *sw_statement_of(sw_paper paper, sw_statement_kind kind, sw_str number)
{
	for (int n = 0; n < sw_statement_row_count; n++) {
		const sw_statement *statement = &sw_statement_rows[n].statement;
		bool of_paper = paper == SW_PAPER_COUNT || statement->paper == paper;
		if (of_paper && statement->kind == kind && sw_str_is(number, statement->number))
			return statement;
	}
	return NULL;
}

/* ---- the case as a script ---- */

static bool script_type_of(const sw_case *one, const sw_mesh *mesh, const sw_case_type *which, sw_text *text,
	sw_diag *diag)
{
	sw_type type;
	if (!sw_case_type_make(&one->mesh, mesh, which, &type, diag))
		return false;
	sw_type_print(mesh, &type, false, text);
	return true;
}

static bool script_type(const sw_case *one, const sw_mesh *mesh, int k, sw_text *text, sw_diag *diag)
{
	return script_type_of(one, mesh, &one->type[k], text, diag);
}

/* The type at which the low-level steps begin: `other`, of the same class as the first. */
static bool script_other(const sw_case *one, const sw_mesh *mesh, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const sw_case_type *other = sw_lowering_start(one, arena);
	if (!other)
		return sw_diag_memory(diag);
	sw_text_add(text, "\ntype other = ");
	if (!script_type_of(one, mesh, other, text, diag))
		return false;
	sw_text_add(text, "\nshow tiles other");
	return true;
}

/* Operations one by one, and what is to be seen then. */
static bool script_steps(const sw_case *one, const sw_mesh *mesh, sw_text *text, sw_diag *diag)
{
	for (int k = 0; k + 1 < one->count; k++) {
		sw_case_step step;
		sw_case_step_between(&one->mesh, &one->type[k], &one->type[k + 1], &step);
		sw_text_addf(text, "apply %s", sw_collective_of(step.op)->name);
		if (step.op == SW_DYNSLICE)
			sw_text_addf(text, "(%d, %s)", step.to, mesh->axis[step.axis].name);
		else if (step.op == SW_ALLGATHER)
			sw_text_addf(text, "(%d)", step.from);
		else if (step.op == SW_ALLTOALL)
			sw_text_addf(text, "(%d, %d)", step.from, step.to);
		else
			sw_text_add_char(text, ' ');
		if (step.op == SW_ALLPERMUTE && !script_type(one, mesh, k + 1, text, diag))
			return false;
		sw_text_add_char(text, '\n');
	}
	sw_text_add(text, "show heights\nnormalize\n");
	return true;
}

static bool script_of(const sw_statement_row *row, const sw_case *one, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_mesh mesh;
	bool pair = one->count > 1;
	if (!sw_case_mesh_make(&one->mesh, &mesh, diag))
		return false;
	sw_text_add(text, "mesh ");
	sw_mesh_print(&mesh, text);
	if (row->elsewhere && !script_other(one, &mesh, arena, text, diag))
		return false;
	sw_text_add(text, pair ? "\nredistribute " : "\nfrom ");
	if (!script_type(one, &mesh, 0, text, diag))
		return false;
	sw_text_add(text, pair ? " ~> " : "\nshow tiles from\n");
	if (!pair)
		return true;
	if (!script_type(one, &mesh, one->count - 1, text, diag))
		return false;
	sw_text_add_char(text, '\n');
	if (row->joined)
		return script_steps(one, &mesh, text, diag);
	sw_text_add(text, "compare\n");
	return true;
}

/* ---- trying ---- */

static bool trial_tell(const sw_statement_row *row, const sw_case *one, sw_arena *arena, sw_trial *trial,
	sw_diag *diag)
{
	sw_text text = {0};
	bool ok = script_of(row, one, arena, &text, diag);
	trial->refuted = true;
	trial->devices = sw_case_devices(&one->mesh);
	trial->rank = one->mesh.rank;
	trial->script = ok ? sw_arena_copy(arena, sw_text_get(&text), text.length) : NULL;
	sw_text_free(&text);
	return ok && (trial->script || sw_diag_memory(diag));
}

/* Draws until there is a case of the row. */
static bool trial_draw(const sw_statement_row *row, sw_draw *draw, const sw_trial_options *options, sw_arena *arena,
	const sw_trial *trial, sw_case *one, sw_diag *diag)
{
	sw_arena_mark here = sw_arena_here(arena);
	bool failed;
	for (bool drawn = false; !drawn; sw_arena_back(arena, here)) {
		if (!sw_pulse_beat(options->pulse, "cases", trial->held, options->cases))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %lld of %lld cases, all of which held",
				(long long)trial->held, (long long)options->cases);
		drawn = sw_case_draw(row, draw, options->unsplit, arena, one, &failed);
		if (failed)
			return sw_diag_memory(diag);
	}
	return true;
}

/* ---- cases that are drawn as they are tried ---- */

/* Draws until there is a case, and tries it. */
static sw_outcome own_once(const sw_statement_row *row, sw_draw *draw, const sw_trial_options *options,
	const sw_trial *trial, sw_try *work)
{
	sw_outcome outcome = SW_NO_CASE;
	while (outcome == SW_NO_CASE) {
		sw_arena_mark here = sw_arena_here(work->arena);
		if (!sw_pulse_beat(options->pulse, "cases", trial->held, options->cases)) {
			sw_diag_set(work->diag, SW_S03, (sw_span){0, 0}, "stopped after %lld of %lld cases, all of which held",
				(long long)trial->held, (long long)options->cases);
			return SW_FAILS;
		}
		sw_text_clear(work->script);
		outcome = row->own(row, draw, work);
		sw_arena_back(work->arena, here);
	}
	return outcome;
}

#define OWN_SMALLER 200 /* cases on fewer devices that are drawn before the last that refutes is the smallest */

static bool own_tell(const sw_try *work, sw_arena *arena, sw_trial *trial, sw_diag *diag)
{
	trial->devices = work->devices;
	trial->script = sw_arena_copy(arena, sw_text_get(work->script), work->script->length);
	return trial->script || sw_diag_memory(diag);
}

/* Looks for a case that refutes on fewer devices than the last, until drawing finds none. */
static bool own_shrink(const sw_statement_row *row, sw_draw *draw, const sw_trial_options *options, sw_arena *arena,
	sw_try *work, sw_trial *trial)
{
	char why[TRY_WHY];
	memcpy(why, work->why, sizeof why);
	trial->refuted = true;
	if (!own_tell(work, arena, trial, work->diag))
		return false;
	for (int tries = 0; tries < OWN_SMALLER && trial->devices > 2; tries++) {
		work->most = trial->devices - 1;
		sw_outcome outcome = own_once(row, draw, options, trial, work);
		if (outcome == SW_FAILS)
			return false;
		if (outcome == SW_HOLDS)
			continue;
		tries = 0;
		memcpy(why, work->why, sizeof why);
		if (!own_tell(work, arena, trial, work->diag))
			return false;
	}
	memcpy(trial->why, why, sizeof why);
	return true;
}

/* The smallest case that refutes what is printed where something else is meant. */
static bool own_printed(const sw_statement_row *row, sw_arena *arena, sw_trial *trial, sw_try *work)
{
	sw_outcome outcome = row->smallest != NULL ? row->smallest(work) : SW_HOLDS;

	trial->misprinted = outcome == SW_REFUTES;
	return outcome == SW_HOLDS || (outcome == SW_REFUTES && own_tell(work, arena, trial, work->diag));
}

static bool own_try(const sw_statement_row *row, const sw_trial_options *options, sw_arena *arena, sw_trial *trial,
	sw_try *work)
{
	sw_draw draw = {options->seed};
	for (; trial->held < options->cases; trial->held++) {
		work->most = row->devices;
		sw_outcome outcome = own_once(row, &draw, options, trial, work);
		if (outcome == SW_FAILS)
			return false;
		if (outcome == SW_REFUTES)
			return own_shrink(row, &draw, options, arena, work, trial);
	}
	return own_printed(row, arena, trial, work);
}

bool sw_statement_row_try(const sw_statement_row *row, const sw_trial_options *options, sw_arena *arena,
	sw_trial *trial, sw_diag *diag)
{
	sw_draw draw = {options->seed};
	sw_text script = {0};
	sw_case one;
	*trial = (sw_trial){0};
	sw_try work = {.arena = arena, .diag = diag, .why = trial->why, .script = &script, .pulse = options->pulse};
	if (row->own) {
		bool tried = own_try(row, options, arena, trial, &work);
		sw_text_free(&script);
		return tried;
	}
	for (; trial->held < options->cases; trial->held++) {
		sw_arena_mark here = sw_arena_here(arena);
		if (!trial_draw(row, &draw, options, arena, trial, &one, diag))
			return false;
		sw_outcome outcome = row->holds(&one, &work);
		sw_arena_back(arena, here);
		if (outcome == SW_FAILS)
			return false;
		if (outcome == SW_REFUTES)
			return sw_case_shrink(row, options->unsplit, &one, &work) && trial_tell(row, &one, arena, trial, diag);
	}
	return true;
}

bool sw_statement_try(const sw_statement *statement, const sw_trial_options *options, sw_arena *arena,
	sw_trial *trial, sw_diag *diag)
{
	int n = 0;
	while (&sw_statement_rows[n].statement != statement) {
		assert(n + 1 < sw_statement_row_count);
		n++;
	}
	return sw_statement_row_try(&sw_statement_rows[n], options, arena, trial, diag);
}
