/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `verify lemma N`, `verify theorem N`, `verify principle N`.
 */
#include "command/theory.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/theory.h>

#include "answer/watch.h"
#include "host/interrupt.h"
#include "language/names.h"

#define CASES_MOST 100000000

/* What was asked for. */
struct trial_request {
	const sw_statement *statement;
	int64_t cases, seed;
	bool unsplit;
};

bool is_statement(const struct invocation *run)
{
	const struct word *word = argument(run, 0);
	return word && sw_statement_kind_named(word->text) != SW_STATEMENT_KINDS;
}

/* ---- reading ---- */

static const char *statement_number(const void *context, int n)
{
	sw_statement_kind kind = *(const sw_statement_kind *)context;
	for (int i = 0; sw_statement_at(i); i++)
		if (sw_statement_at(i)->kind == kind && n-- == 0)
			return sw_statement_at(i)->number;
	return NULL;
}

/* "4.1, 4.2, 4.6" */
static void expect_numbers(sw_statement_kind kind, sw_diag *diag)
{
	sw_text list = {0};
	for (int n = 0; statement_number(&kind, n); n++)
		sw_text_addf(&list, "%s%s", n ? ", " : "", statement_number(&kind, n));
	sw_diag_expected(diag, "a %s that can be tried: %s", sw_statement_kind_name(kind), sw_text_get(&list));
	sw_text_free(&list);
}

static const sw_statement *read_statement(const struct invocation *run, sw_diag *diag)
{
	const struct word *head = argument(run, 0), *number = argument(run, 1);
	sw_statement_kind kind = sw_statement_kind_named(head->text);
	const sw_statement *statement = number ? sw_statement_of(kind, number->text) : NULL;
	if (statement)
		return statement;
	const struct word *wrong = number ? number : head;
	sw_diag_set(diag, number ? SW_L08 : SW_L03, line_span(run->position->text, wrong->raw),
		number ? "there is no %s '%.*s' to try" : "`verify %s` needs a number", sw_statement_kind_name(kind),
		number ? (int)(number->text.length < 40 ? number->text.length : 40) : 0, number ? number->text.at : "");
	expect_numbers(kind, diag);
	sw_diag_hint(diag, "`explain` lists all that the paper states");
	return NULL;
}

static bool read_request(const struct invocation *run, struct trial_request *request, sw_diag *diag)
{
	const struct word *cases = option_given(run, OPTION_RANDOM), *seed = option_given(run, OPTION_SEED);
	*request = (struct trial_request){read_statement(run, diag), 2000, 1, option_given(run, OPTION_UNSPLIT) != NULL};
	return request->statement && (!cases || read_count(run, cases, 1, CASES_MOST, &request->cases, diag)) &&
		(!seed || read_count(run, seed, 0, INT64_MAX, &request->seed, diag));
}

/* ---- answering ---- */

static void fill_script(struct fields *list, const char *script)
{
	while (*script) {
		size_t length = strcspn(script, "\n");
		field_str(list, NULL, (sw_str){script, length});
		script += length + (script[length] == '\n');
	}
}

static void fill_trial(const struct trial_request *request, const sw_trial *trial, struct fields *fields)
{
	const sw_statement *statement = request->statement;
	sw_text name = {0};
	sw_text_addf(&name, "%s %s", sw_statement_kind_name(statement->kind), statement->number);
	field_printed(fields, "statement", &name);
	field_text(fields, "about", statement->about);
	field_int(fields, "cases", request->cases);
	field_int(fields, "seed", request->seed);
	field_bool(fields, "unsplit", request->unsplit);
	field_int(fields, "held", trial->held);
	field_bool(fields, "refuted", trial->refuted);
	if (!trial->refuted)
		return;
	field_text(fields, "why", trial->why);
	field_int(fields, "devices", trial->devices);
	field_int(fields, "rank", trial->rank);
	fill_script(field_list(fields, "script"), trial->script);
}

static int draw_row(struct canvas *canvas, int y, const char *head, const char *words)
{
	canvas_put(canvas, 2, y, ROLE_LABEL, head);
	return canvas_put_wrapped(canvas, 12, y, canvas->width - 12, 0, ROLE_TEXT, words);
}

static void draw_script(struct canvas *canvas, int y, const char *script)
{
	while (*script) {
		int length = (int)strcspn(script, "\n");
		canvas_putf(canvas, 4, y++, ROLE_OP, "%.*s", length, script);
		script += length + (script[length] == '\n');
	}
}

static void draw_trial(const struct trial_request *request, const sw_trial *trial, struct canvas *canvas)
{
	const sw_statement *statement = request->statement;
	int y = 1;
	if (trial->refuted)
		canvas_putf(canvas, 0, 0, ROLE_TITLE, "%s %s is refuted by case %lld, seed %lld%s",
			sw_statement_kind_name(statement->kind), statement->number, (long long)trial->held + 1,
			(long long)request->seed,
			request->unsplit ? statement->needs_primes ? ", axes unsplit: as expected" : ", axes unsplit" : "");
	else
		canvas_putf(canvas, 0, 0, ROLE_TITLE, "%s %s held in %lld of %lld, seed %lld%s",
			sw_statement_kind_name(statement->kind), statement->number, (long long)trial->held,
			(long long)request->cases, (long long)request->seed, request->unsplit ? ", axes unsplit" : "");
	y = draw_row(canvas, y, "states", statement->about);
	y = draw_row(canvas, y, "drawn", statement->drawn);
	y = draw_row(canvas, y, "compared", statement->compared);
	if (!trial->refuted)
		return;
	y = draw_row(canvas, y, "but", trial->why);
	canvas_putf(canvas, 2, y, ROLE_LABEL, "the case, made small, as a script: %lld %s, %d %s",
		(long long)trial->devices, plural(trial->devices, "device", "devices"), trial->rank,
		plural(trial->rank, "dimension", "dimensions"));
	draw_script(canvas, y + 2, trial->script);
}

static bool refuse_statement(const struct invocation *run, const struct trial_request *request, const sw_trial *trial,
	sw_diag *diag)
{
	const sw_statement *statement = request->statement;
	const char *kind = sw_statement_kind_name(statement->kind);
	sw_diag_set(diag, SW_P08, line_span(run->position->text, argument(run, 1)->raw),
		"%s '%s' is refuted by case %lld", kind, statement->number, (long long)trial->held + 1);
	sw_diag_expected(diag, "%s", statement->about);
	sw_diag_found(diag, "%s", trial->why);
	if (request->unsplit && statement->needs_primes)
		sw_diag_hint(diag, "this is expected: it rests on axes of prime size; `verify %s %s` tries it with them",
			kind, statement->number);
	else
		sw_diag_hint(diag, "this is a fault of the program; please report it with the lines of the case");
	return false;
}

bool verify_statement(struct invocation *run, sw_diag *diag)
{
	struct trial_request request;
	struct watch watch;
	sw_trial trial;
	if (!read_request(run, &request, diag))
		return false;
	watch_start(&watch, run->session->console);
	sw_trial_options options = {
		.cases = request.cases,
		.seed = (uint64_t)request.seed,
		.unsplit = request.unsplit,
		.pulse = &watch.pulse,
	};
	bool ok = sw_statement_try(request.statement, &options, run->arena, &trial, diag);
	watch_end(&watch);
	if (!ok)
		return false;
	if (wants_json(run))
		fill_trial(&request, &trial, document_fields(run->answer, "shardwalk.trial/1"));
	else
		draw_trial(&request, &trial, document_canvas(run->answer));
	return !trial.refuted || refuse_statement(run, &request, &trial, diag);
}
