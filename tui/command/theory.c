/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `verify lemma N`, `verify theorem N of PAPER`: the statements of the papers.
 */
#include "command/theory.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/theory.h>

#include "answer/watch.h"
#include "command/explain/paper.h"
#include "host/interrupt.h"

#define CASES_TRIED 2000 /* where nobody says how many */

/* What was asked for. */
struct trial_request {
	const sw_statement *statement;
	int64_t cases, seed;
	bool unsplit;
};

/* "lemma B.7 of placements", cut. */
struct statement_name {
	sw_statement_kind kind; /* SW_STATEMENT_KINDS: it is none */
	sw_str head, number;    /* empty: there is none */
	bool has_paper;
	sw_paper paper; /* SW_PAPER_COUNT: of any, or of one that is none */
	sw_str paper_word;
};

/* In quotes all of it is one word. */
static struct statement_name statement_name_of(const struct invocation *run)
{
	const struct word *word = argument(run, 0), *more = argument(run, 1);
	struct statement_name name = {.kind = SW_STATEMENT_KINDS, .paper = SW_PAPER_COUNT};
	if (!word)
		return name;
	sw_str rest = word->text;
	name.head = sw_str_word(&rest);
	name.kind = sw_statement_kind_named(name.head);
	rest = more && !sw_str_trim(rest).length ? more->text : rest;
	name.number = sw_str_word(&rest);
	name.has_paper = sw_str_is(sw_str_word(&rest), "of");
	name.paper_word = sw_str_word(&rest);
	if (name.has_paper)
		name.paper = sw_paper_named(name.paper_word);
	return name;
}

bool is_statement(const struct invocation *run)
{
	return statement_name_of(run).kind != SW_STATEMENT_KINDS;
}

/* ---- reading ---- */

/* "4.1, 4.2 of redistribution; 1 of book" */
static void expect_numbers(sw_statement_kind kind, sw_diag *diag)
{
	sw_text list = {0};
	sw_paper last = SW_PAPER_COUNT;
	for (int i = 0; sw_statement_at(i); i++) {
		const sw_statement *statement = sw_statement_at(i);
		if (statement->kind != kind)
			continue;
		bool same = statement->paper == last;
		if (!same && list.length > 0)
			sw_text_addf(&list, " of %s; ", sw_paper_name(last));
		sw_text_addf(&list, "%s%s", same ? ", " : "", statement->number);
		last = statement->paper;
	}
	if (list.length > 0)
		sw_text_addf(&list, " of %s", sw_paper_name(last));
	sw_diag_expected(diag, "a %s that can be tested: %s", sw_statement_kind_name(kind), sw_text_get(&list));
	sw_text_free(&list);
}

static bool refuse_paper(const struct invocation *run, const struct statement_name *name, sw_diag *diag)
{
	sw_text list = {0};
	sw_diag_set(diag, SW_L08, line_span(run->position->text, name->paper_word), "no paper is called '%.*s'",
		(int)(name->paper_word.length < 40 ? name->paper_word.length : 40), name->paper_word.at);
	for (int p = 0; p < SW_PAPER_COUNT; p++)
		sw_text_addf(&list, "%s%s", p ? ", " : "", sw_paper_name((sw_paper)p));
	sw_diag_expected(diag, "%s", sw_text_get(&list));
	sw_text_free(&list);
	return false;
}

static const sw_statement *read_statement(const struct invocation *run, sw_diag *diag)
{
	struct statement_name name = statement_name_of(run);
	bool numbered = name.number.length > 0;
	if (name.has_paper && name.paper == SW_PAPER_COUNT) {
		refuse_paper(run, &name, diag);
		return NULL;
	}
	const sw_statement *statement = numbered ? sw_statement_of(name.paper, name.kind, name.number) : NULL;
	if (statement)
		return statement;
	const struct word *wrong = argument(run, 1) ? argument(run, 1) : argument(run, 0);
	sw_diag_set(diag, numbered ? SW_L08 : SW_L03, line_span(run->position->text, wrong->raw),
		numbered ? "there is no %s '%.*s' to "
				   "test" :
				   "`verify %s` needs a number",
		sw_statement_kind_name(name.kind), (int)(name.number.length < 40 ? name.number.length : 40), name.number.at);
	expect_numbers(name.kind, diag);
	sw_diag_hint(diag, "`explain` lists all statements of the papers");
	return NULL;
}

static bool refuse_unsplit(const struct invocation *run, const sw_statement *statement, sw_diag *diag)
{
	for (int g = 0; g < run->given_count; g++)
		if (run->given[g].option == OPTION_UNSPLIT)
			sw_diag_set(diag, SW_L04, line_span(run->position->text, run->given[g].name.raw),
				"%s %s does not assume primes", sw_statement_kind_name(statement->kind), statement->number);
	sw_diag_hint(diag, "`--unsplit` is for statements of %s", sw_paper_name(SW_PAPER_REDISTRIBUTION));
	return false;
}

static bool read_request(const struct invocation *run, struct trial_request *request, sw_diag *diag)
{
	*request = (struct trial_request){read_statement(run, diag), CASES_TRIED, option_number(run, OPTION_SEED, 1),
		option_given(run, OPTION_UNSPLIT) != NULL};
	if (request->statement && request->statement->cases)
		request->cases = request->statement->cases;
	if (request->statement && request->unsplit && request->statement->paper != SW_PAPER_REDISTRIBUTION)
		return refuse_unsplit(run, request->statement, diag);
	request->cases = option_number(run, OPTION_RANDOM, request->cases);
	return request->statement;
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
	field_text(fields, "paper", sw_paper_name(statement->paper));
	field_text(fields, "about", statement->about);
	field_int(fields, "cases", request->cases);
	field_int(fields, "seed", request->seed);
	field_bool(fields, "unsplit", request->unsplit);
	field_int(fields, "held", trial->held);
	field_bool(fields, "refuted", trial->refuted);
	if (statement->printed) {
		field_text(fields, "printed", statement->printed);
		field_bool(fields, "misprinted", trial->misprinted);
	}
	if (!trial->refuted && !trial->misprinted)
		return;
	field_text(fields, "why", trial->why);
	field_int(fields, "devices", trial->devices);
	if (trial->rank)
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

/* That a statement is refuted is expected where axes are no primes, or where it is known not to hold. */
static const char *trial_remark(const struct trial_request *request, bool refuted)
{
	bool expected = refuted && request->statement->needs_primes && request->unsplit;
	if (request->unsplit)
		return expected ? ", axes unsplit: as expected" : ", axes unsplit";
	return refuted && request->statement->known ? ": as is known" : "";
}

static void draw_verdict(const struct trial_request *request, const sw_trial *trial, struct canvas *canvas)
{
	const sw_statement *statement = request->statement;
	sw_text name = {0};
	sw_text_addf(&name, "%s %s", sw_statement_kind_name(statement->kind), statement->number);
	if (statement->paper != SW_PAPER_REDISTRIBUTION)
		sw_text_addf(&name, " of %s", sw_paper_name(statement->paper));
	if (trial->refuted)
		canvas_putf(canvas, 0, 0, ROLE_TITLE, "%s is refuted by case %lld, seed %lld%s", sw_text_get(&name),
			(long long)trial->held + 1, (long long)request->seed, trial_remark(request, true));
	else
		canvas_putf(canvas, 0, 0, ROLE_TITLE, "%s held in %lld of %lld, seed %lld%s%s", sw_text_get(&name),
			(long long)trial->held, (long long)request->cases, (long long)request->seed, trial_remark(request, false),
			trial->misprinted ? "; as printed it is false" : "");
	sw_text_free(&name);
}

static void draw_case(const sw_trial *trial, struct canvas *canvas, int y)
{
	sw_text sizes = {0};
	sw_text_addf(&sizes, "%lld %s", (long long)trial->devices, plural(trial->devices, "device", "devices"));
	if (trial->rank)
		sw_text_addf(&sizes, ", %d %s", trial->rank, plural(trial->rank, "dimension", "dimensions"));
	canvas_putf(canvas, 2, y, ROLE_LABEL, "%s as a script: %s",
		trial->misprinted ? "the smallest case" : "the reduced case", sw_text_get(&sizes));
	sw_text_free(&sizes);
	draw_script(canvas, y + 2, trial->script);
}

static void draw_trial(const struct trial_request *request, const sw_trial *trial, struct canvas *canvas)
{
	const sw_statement *statement = request->statement;
	int y = 1;
	draw_verdict(request, trial, canvas);
	y = draw_row(canvas, y, "states", statement->about);
	y = draw_row(canvas, y, "drawn", statement->drawn);
	y = draw_row(canvas, y, "compared", statement->compared);
	if (statement->printed)
		y = draw_row(canvas, y, "printed", statement->printed);
	if (!trial->refuted && !trial->misprinted)
		return;
	y = draw_row(canvas, y, trial->misprinted ? "false" : "but", trial->why);
	if (statement->known)
		y = draw_row(canvas, y, "known", statement->known);
	draw_case(trial, canvas, y);
}

static bool refuse_statement(const struct invocation *run, const struct trial_request *request, const sw_trial *trial,
	sw_diag *diag)
{
	const sw_statement *statement = request->statement;
	const char *kind = sw_statement_kind_name(statement->kind);
	const struct word *named = argument(run, 1) ? argument(run, 1) : argument(run, 0);
	sw_diag_set(diag, SW_P08, line_span(run->position->text, named->raw), "%s '%s' is refuted by case %lld", kind,
		statement->number, (long long)trial->held + 1);
	sw_diag_expected(diag, "%s", statement->about);
	sw_diag_found(diag, "%s", trial->why);
	if (request->unsplit && statement->needs_primes)
		sw_diag_hint(diag, "this is expected: it needs axes of prime size; `verify %s %s` tests it with those", kind,
			statement->number);
	else if (statement->known)
		sw_diag_hint(diag, "this is known: %s", statement->known);
	else
		sw_diag_hint(diag, "this is a bug in the program; please report it with the lines of the case");
	return false;
}

static bool try_statement(const struct invocation *run, const struct trial_request *request, sw_trial *trial,
	sw_diag *diag)
{
	struct watch watch;
	watch_start(&watch, run->session->console);
	sw_trial_options options = {
		.cases = request->cases,
		.seed = (uint64_t)request->seed,
		.unsplit = request->unsplit,
		.pulse = &watch.pulse,
	};
	bool ok = sw_statement_try(request->statement, &options, run->arena, trial, diag);
	watch_end(&watch);
	return ok;
}

/* The statement of the same name in the next paper that has one, where none was named; NULL: there is none. */
static const sw_statement *next_of_name(const struct invocation *run, const sw_statement *statement)
{
	struct statement_name name = statement_name_of(run);
	const sw_statement *next = NULL;
	for (int p = (int)statement->paper + 1; p < SW_PAPER_COUNT && !next && !name.has_paper; p++)
		next = sw_statement_of((sw_paper)p, name.kind, name.number);
	return next;
}

/* The others of the same name, one below the other; in JSON a list beside the first. */
static bool verify_others(const struct invocation *run, struct trial_request *request, struct fields *fields,
	sw_diag *diag)
{
	struct fields *others = NULL;
	while (!request->unsplit && (request->statement = next_of_name(run, request->statement)) != NULL) {
		sw_trial trial;
		request->cases = option_number(run, OPTION_RANDOM,
			request->statement->cases ? request->statement->cases : CASES_TRIED);
		if (!try_statement(run, request, &trial, diag))
			return false;
		others = others || !fields ? others : field_list(fields, "others");
		fill_trial(request, &trial, fields ? field_object(others, NULL) : NULL);
		document_line(run->answer, "%s", "");
		draw_trial(request, &trial, document_canvas(run->answer));
		if (trial.refuted)
			return refuse_statement(run, request, &trial, diag);
	}
	return true;
}

bool verify_statement(struct invocation *run, sw_diag *diag)
{
	struct trial_request request;
	sw_trial trial;
	if (!read_request(run, &request, diag) || !try_statement(run, &request, &trial, diag))
		return false;
	struct fields *fields = document_fields(run->answer, "shardwalk.trial/1");
	fill_trial(&request, &trial, fields);
	draw_trial(&request, &trial, document_canvas(run->answer));
	if (trial.refuted)
		return refuse_statement(run, &request, &trial, diag);
	return verify_others(run, &request, fields, diag);
}

/* ---- printed numbers ---- */

static sw_str all_arguments(const struct invocation *run)
{
	const struct word *first = argument(run, 0), *last = argument(run, 1) ? argument(run, 1) : first;
	bool quoted = first && first->text.at != first->raw.at;
	if (!first || quoted)
		return first ? first->text : (sw_str){"", 0};
	return (sw_str){first->raw.at, (size_t)(last->raw.at + last->raw.length - first->raw.at)};
}

bool is_artefact(const struct invocation *run)
{
	return artefact_is_named(all_arguments(run));
}

/* Numbers that a paper prints are found in one way only. */
bool verify_artefact(const struct invocation *run, sw_diag *diag)
{
	for (int g = 0; g < run->given_count; g++)
		if (run->given[g].option != OPTION_JSON) {
			sw_diag_set(diag, SW_L04, line_span(run->position->text, run->given[g].name.raw),
				"'%s' is for plans and statements, not for printed numbers", option_rows[run->given[g].option].name);
			return false;
		}
	return artefact_verify(run, all_arguments(run), diag) || refuse_at(run, all_arguments(run), diag);
}
