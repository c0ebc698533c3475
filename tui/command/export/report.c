/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a report says, part by part.
 */
#include "command/export/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shardwalk/between.h>
#include <shardwalk/computation.h>
#include <shardwalk/notation.h>
#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "command/files.h"
#include "command/export/picture.h"
#include "host/version.h"
#include "session/walks.h"
#include "views/draw.h"

enum {
	STEPS_MOST = 16,    /* whose tiles are drawn */
	ADVISED_MOST = 4096 /* devices: advice for more may take long */
};

struct report {
	const struct invocation *run;
	struct document *document;
};

/* ---- pieces ---- */

static void say(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct report *report, const char *format, ...)
{
	sw_text words = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&words, format, arguments);
	va_end(arguments);
	document_words(report->document, &words);
}

/* What a statement draws, or why it draws nothing. */
static void show(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void show(struct report *report, const char *format, ...)
{
	struct session *session = report->run->session;
	sw_text statement = {0};
	struct picture picture;
	sw_diag diag = {.code = SW_OK};
	bool quiet = session->console->quiet;
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&statement, format, arguments);
	va_end(arguments);
	session->console->quiet = true;
	if (picture_take(session, sw_text_get(&statement), report->document->width, &picture, &diag))
		document_picture(report->document, &picture.canvas, &picture.statement);
	else
		say(report, "`%s` shows nothing: %s.", sw_text_get(&statement), diag.message);
	session->console->quiet = quiet;
	picture_free(&picture);
	sw_text_free(&statement);
}

/* ---- the head ---- */

/* The day that SOURCE_DATE_EPOCH names, else today; in UTC. */
static void add_day(sw_text *text)
{
	const char *given = getenv("SOURCE_DATE_EPOCH");
	char *end = NULL, day[32];
	time_t now = time(NULL);
	errno = 0;
	long long seconds = given ? strtoll(given, &end, 10) : 0;
	if (given && *given && !*end && !errno)
		now = (time_t)seconds;
	struct tm parts;
	if (gmtime_r(&now, &parts) && strftime(day, sizeof(day), "%Y-%m-%d", &parts))
		sw_text_addf(text, ", %s", day);
}

static void write_head(struct report *report)
{
	const struct state *state = &report->run->session->state;
	sw_text title = {0}, under = {0};
	if (session_has_end(state, DEFINED_FROM)) {
		sw_text_addf(&title, "Redistribution of `%s", sw_dtype_name(state->from.dtype));
		sw_type_print_tile(state->from.global, state->from.rank, &title);
		sw_text_addf(&title, "` over %s", words_plural(state->mesh.devices, "device", "devices").text);
	} else {
		sw_text_add(&title, "A session of shardwalk");
	}
	sw_text_addf(&under, "shardwalk %s", version_number());
	add_day(&under);
	document_title(report->document, &title, &under);
}

/* ---- the problem ---- */

static void add_end(const struct state *state, const char *head, enum definition what, sw_text *lines)
{
	struct any_type end;
	if (!session_any_end(state, what, &end))
		return;
	sw_text_add(lines, head);
	sw_type_print_any(&state->mesh, &end.type, end.words, true, lines);
	sw_text_add_char(lines, '\n');
}

static void write_sizes(struct report *report)
{
	const struct state *state = &report->run->session->state;
	const sw_type *from = &state->from, *to = &state->to;
	int64_t all = sw_type_globalsize(from), before = sw_type_localsize(from);
	if (!state->has[DEFINED_FROM])
		return;
	sw_text words = {0};
	sw_text_addf(&words, "The array has %s, %s. A device holds %s of them at first",
		words_plural(all, "element", "elements").text, words_bytes(all, from->dtype).text, words_count(before).text);
	if (state->has[DEFINED_TO])
		sw_text_addf(&words, ", and %s at the end", words_count(sw_type_localsize(to)).text);
	sw_text_add_char(&words, '.');
	if (sw_type_padded(from)) {
		sw_text_add(&words, " This includes padding: ");
		sw_uneven_explain(from, state->has[DEFINED_TO] ? to : NULL, "; ", &words);
		sw_text_add_char(&words, '.');
	}
	document_words(report->document, &words);
}

static void write_problem(struct report *report)
{
	const struct state *state = &report->run->session->state;
	sw_text lines = {0};
	document_heading(report->document, "The problem");
	if (!state->has[DEFINED_MESH]) {
		say(report, "No mesh was defined.");
		return;
	}
	sw_text_add(&lines, "mesh ");
	sw_mesh_print(&state->mesh, &lines);
	sw_text_add_char(&lines, '\n');
	add_end(state, "from ", DEFINED_FROM, &lines);
	add_end(state, "to   ", DEFINED_TO, &lines);
	document_code(report->document, &lines);
	write_sizes(report);
	show(report, "show mesh");
}

/* ---- the types ---- */

/* The first line says what the text was taken for: here that is no question. */
static const char *after_first_line(const char *lines)
{
	const char *end = strchr(lines, '\n');
	return end && end[1] ? end + 1 : lines;
}

/* A sharding in sentences, one a line. */
static void explain_type(struct report *report, const sw_type *type)
{
	sw_text text = {0}, words = {0}, lines = {0};
	sw_diag diag;
	sw_arena *arena = sw_arena_new();
	const sw_mesh *mesh = &report->run->session->state.mesh;
	const sw_notation_context context = {.mesh = mesh, .rank = type->rank};
	sw_sharding *sharding = arena ? SW_NEW(arena, sw_sharding, 1) : NULL;
	sw_type_print(mesh, type, true, &text);
	if (sharding && sw_sharding_parse((sw_str){sw_text_get(&text), text.length}, &context, arena, sharding, &diag)) {
		sw_sharding_explain(sharding, &words);
		sw_text_add(&lines, after_first_line(sw_text_get(&words)));
		document_code(report->document, &lines);
	}
	sw_text_free(&text);
	sw_text_free(&words);
	sw_arena_free(arena);
}

static void write_types(struct report *report)
{
	const struct state *state = &report->run->session->state;
	const struct {
		const char *head, *name;
		const sw_type *type;
		bool has;
	} ends[] = {
		{"At first", "from", &state->from, state->has[DEFINED_FROM]},
		{"At the end", "to", &state->to, state->has[DEFINED_TO]},
	};
	for (int i = 0; i < 2; i++) {
		if (!ends[i].has)
			continue;
		document_heading(report->document, ends[i].head);
		explain_type(report, ends[i].type);
		show(report, "show type %s", ends[i].name);
	}
}

/* ---- types of any kind, and formulas ---- */

static bool has_words(const struct state *state, enum definition what)
{
	struct any_type end;
	return session_any_end(state, what, &end) && end.words != NULL;
}

/* Of ends of which one is no tile type. */
static void write_sets(struct report *report)
{
	const struct state *state = &report->run->session->state;
	bool both = true;
	if (!has_words(state, DEFINED_FROM) && !has_words(state, DEFINED_TO))
		return;
	document_heading(report->document, "What devices hold");
	for (int what = DEFINED_FROM; what <= DEFINED_TO; what++) {
		const char *name = what == DEFINED_FROM ? "from" : "to";
		both = both && session_has_end(state, (enum definition)what);
		if (!session_has_end(state, (enum definition)what))
			continue;
		show(report, "show tiles %s", name);
		show(report, "show sets %s", name);
	}
	if (!both)
		return;
	document_heading(report->document, "Who needs what from whom");
	show(report, "show relation");
}

/* Does a name still say the type that an array of the formula has? */
static bool says_still(const struct session *session, sw_str name, const sw_array_type *is)
{
	const struct named_type *named = session_type(session, name);
	return named != NULL && !named->failed && named->is.words == is->words &&
		(is->words != NULL || sw_type_equal(&named->is.type, &is->type));
}

static void show_arrays(struct report *report)
{
	const struct session *session = report->run->session;
	const sw_computation *computation = session->state.formula->computation;
	for (int k = 0; k < computation->formula.arrays; k++) {
		sw_str name = computation->formula.array[k].name;
		if (says_still(session, name, &computation->array[k].is))
			show(report, "show tiles %.*s", (int)name.length, name.at);
	}
}

static void write_formula(struct report *report)
{
	const struct state *state = &report->run->session->state;
	if (state->formula == NULL)
		return;
	document_heading(report->document, "The formula");
	say(report, "`compute %s`", state->formula->text);
	show_arrays(report);
	show(report, "show needs");
	if (session_tasks(report->run->session, NULL))
		show(report, "show tasks");
}

/* ---- the plan ---- */

static struct words say_amount(const sw_plan *plan, double amount)
{
	return sw_model_is_timed(plan->model) ? words_seconds(amount) :
		plan->model == SW_MODEL_PAPER     ? words_count(sw_nearest(amount)) :
											words_amount(amount);
}

static void say_bound(const sw_plan *plan, sw_text *words)
{
	const char *less = sw_model_is_timed(plan->model) ? "takes" : "costs";
	double bound = plan->model == SW_MODEL_PAPER ? (double)plan->lower_bound : plan->model_bound;
	if (plan->has_bound && plan->program.claimed)
		sw_text_addf(words,
			"; the file claims, without a proof here, that no plan of this kind %s less than %s; `plan` proves "
			"what it finds",
			less, say_amount(plan, bound).text);
	else if (plan->has_bound && plan->optimal)
		sw_text_addf(words, ", and no plan of this kind %s less", less);
	else if (plan->has_bound && bound > 0)
		sw_text_addf(words, "; no plan of this kind %s less than %s", less, say_amount(plan, bound).text);
}

static void say_model(const sw_plan *plan, sw_text *words)
{
	sw_text_addf(words, ", and %s under `%s`%s", say_amount(plan, plan->model_cost).text, sw_model_name(plan->model),
		plan->program.claimed && !plan->timed_here && sw_model_is_timed(plan->model) ? ", claimed by the file" : "");
}

static void say_plan(struct report *report, const sw_plan *plan)
{
	sw_text words = {0};
	sw_text_addf(&words,
		"The strategy `%s`%s has a plan of %s, %s among them. It costs %s per device under the model "
		"`paper`",
		plan->origin ? plan->origin : sw_strategy_name(plan->strategy),
		plan->program.claimed ? " (as its file claims)" : "", words_plural(plan->program.steps, "step", "steps").text,
		words_plural(plan->permutes, "permutation", "permutations").text,
		words_plural(plan->cost, "element", "elements").text);
	if (plan->model != SW_MODEL_PAPER)
		say_model(plan, &words);
	say_bound(plan, &words);
	sw_text_addf(&words, ". No device ever holds more than %s, %s",
		words_plural(plan->height, "element", "elements").text,
		words_bytes(plan->height, plan->problem.from.dtype).text);
	if (plan->budget > 0)
		sw_text_addf(&words, "; the budget is %s",
			words_short(plan->budget, plan->problem.from.dtype, plan->unit).text);
	sw_text_add(&words, plan->budget > 0 && plan->height > plan->budget ? ", which this plan exceeds." : ".");
	sw_diag end = {.code = SW_OK};
	if (!sw_plan_reaches(plan, &end))
		sw_text_addf(&words, " It is not a solution: it %s.", end.message);
	document_words(report->document, &words);
	if (plan->note) {
		sw_text_add(&words, plan->note);
		document_code(report->document, &words);
	}
}

static void say_steps(struct report *report, const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text words = {0};
		sw_text_add_char(&words, '`');
		sw_plan_print_step(plan, k, &words);
		sw_text_add(&words, "`: ");
		step_sentence(plan, k, &words);
		sw_text_add_char(&words, '.');
		document_item(report->document, &words);
	}
}

static void write_tiles(struct report *report, const sw_plan *plan)
{
	document_heading(report->document, "Tiles, step by step");
	if (!plan->program.steps)
		show(report, "show tiles --step 0");
	for (int k = 1; k <= plan->program.steps && k <= STEPS_MOST; k++)
		show(report, "show tiles --step %d", k);
	if (plan->program.steps > STEPS_MOST)
		say(report, "%d more steps are not drawn.", plan->program.steps - STEPS_MOST);
}

/* Of a plan between types of any kind: the views that take them. */
static void write_exchange(struct report *report)
{
	show(report, "show plan");
	document_heading(report->document, "Memory and traffic");
	show(report, "show heights");
	show(report, "show traffic");
}

static void write_plan(struct report *report)
{
	const struct state *state = &report->run->session->state;
	sw_diag diag = {.code = SW_OK};
	const sw_plan *plan;
	if (!state->plan && !(session_has_end(state, DEFINED_FROM) && session_has_end(state, DEFINED_TO)))
		return;
	document_heading(report->document, "The plan");
	if (!read_plan(report->run, NULL, &plan, &diag)) {
		say(report, "There is none: %s.", diag.message);
		return;
	}
	if (sw_problem_has_words(&plan->problem)) {
		write_exchange(report);
		return;
	}
	if (!plan_on_tiles(plan, &diag)) {
		say(report, "There is none: %s.", diag.message);
		return;
	}
	say_plan(report, plan);
	show(report, "show plan");
	say_steps(report, plan);
	document_heading(report->document, "Memory and traffic");
	show(report, "show heights");
	show(report, "show traffic");
	write_tiles(report, plan);
}

/* ---- what else was found ---- */

static void write_findings(struct report *report)
{
	struct session *session = report->run->session;
	const struct state *state = &session->state;
	if (state->has[DEFINED_FROM] && state->has[DEFINED_TO]) {
		document_heading(report->document, "Strategies side by side");
		show(report, "compare");
		if (state->mesh.devices <= ADVISED_MOST) {
			document_heading(report->document, "What to write in a program");
			show(report, "advise");
		}
	}
	if (session_begun(session)) {
		document_heading(report->document, session_walk_row(session_begun(session)->kind)->title);
		show(report, "show graph");
	}
	if (session->last_run) {
		document_heading(report->document, "Measured");
		show(report, "show times");
	}
}

static void write_script(struct report *report)
{
	sw_text script = {0};
	save_session(report->run->session, &script);
	document_heading(report->document, "Repeat it");
	say(report, "`shardwalk` restores the session from these lines.");
	document_code(report->document, &script);
}

void report_fill(const struct invocation *run, struct document *document)
{
	struct report report = {run, document};
	write_head(&report);
	write_problem(&report);
	write_types(&report);
	write_sets(&report);
	write_formula(&report);
	write_plan(&report);
	write_findings(&report);
	write_script(&report);
}
