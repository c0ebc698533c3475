/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command batch: one problem a line in, one plan a line out, in the same order.
 *
 * Everything of a line lives in one arena that the next line clears.  A bad line is told of in its place; the
 * others go on.
 */
#define _GNU_SOURCE
#include "answer/watch.h"
#include "command/plan.h"
#include "command/ends.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <shardwalk/between.h>
#include <shardwalk/distribution.h>
#include <shardwalk/json.h>
#include <shardwalk/number.h>

#include "command/advise/advise.h"
#include "command/batch/lines.h"
#include "command/batch/problem_json.h"
#include "host/file.h"
#include "answer/report.h"
#include "host/interrupt.h"
#include "views/draw.h"

struct batch {
	const struct invocation *run;
	struct plan_request asked;
	struct position position; /* of the present line */
	sw_arena *arena;          /* of the present line */
	json_t *json;             /* the present line, where it is JSON */
	const char *name;         /* of the present problem; lives in `json` or the arena */
	struct keys_named named;  /* keys that nobody knows */
	sw_text out;              /* of the present line */
	sw_pulse pulse;
	unsigned flags;
	bool as_json, advises, several;
	bool pads;                  /* sizes that do not divide are padded, or ... */
	const sw_uneven_rule *rule; /* ... cut by this rule */
	bool relates;               /* both ends are answered by who needs what of whom */
	sw_advise_target target;    /* where it advises */
	sw_str program;             /* the text that positions are in, where the line is a program that is refused */
	problem_visit *visit;       /* NULL: the problem is planned */
	void *context;
	long long planned, failed;
};

/* May ends be of any kind? */
static bool takes_any(const struct batch *batch)
{
	return !batch->visit && !batch->advises;
}

/* ---- a line of JSON ---- */

static void say_remarks(const struct batch *batch, struct problem_json *line)
{
	if (line->remark.length)
		answer_remark(batch->run->session, "%s", sw_text_get(&line->remark));
	sw_text_free(&line->remark);
}

static bool read_json(struct batch *batch, sw_problem *problem, sw_diag *diag)
{
	struct problem_json line = {.line = batch->position.text,
		.pads = batch->pads,
		.rule = batch->rule,
		.any = takes_any(batch),
		.arena = batch->arena,
		.named = &batch->named};
	batch->named.line = batch->position.line;
	bool ok = problem_json_read(&line, problem, diag);
	batch->json = line.json;
	batch->name = line.name;
	say_remarks(batch, &line);
	return ok;
}

/* ---- a line of text: MESH FROM ~> TO  # name ---- */

static void take_comment(struct batch *batch, sw_str statement)
{
	sw_str line = batch->position.text;
	const char *end = statement.at + statement.length;
	const char *mark = memchr(end, '#', (size_t)(line.at + line.length - end));
	if (!mark)
		return;
	sw_str name = sw_str_trim((sw_str){mark + 1, (size_t)(line.at + line.length - mark - 1)});
	if (name.length)
		batch->name = sw_arena_copy(batch->arena, name.at, name.length);
}

static bool refuse_empty(sw_diag *diag)
{
	sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "the line is empty");
	sw_diag_hint(diag, "a line that starts with # is skipped; an empty line is a missing problem");
	return false;
}

static bool refuse_text(sw_str line, sw_str slice, sw_diag *diag)
{
	if (!*diag->hint)
		sw_diag_hint(diag, "a line is MESH FROM ~> TO, such as {x: 4} [3{x}12] ~> [12], or a JSON object");
	return line_refuse(line, slice, diag);
}

/* One end in a line of text; those of other systems need keys for what they leave open. */
static bool check_end(sw_str line, sw_str end, sw_diag *diag)
{
	end = sw_str_trim(end);
	enum written written = written_as(NULL, end);
	if (written == WRITTEN_UNKNOWN) {
		sw_notation_refuse(end, diag);
		return line_refuse(line, end, diag);
	}
	if (written != WRITTEN_AS_SHARDING)
		return true;
	sw_diag_set(diag, SW_B03, (sw_span){0, 0},
		"a line of text takes only types as the paper writes them, but "
		"this is %s",
		sw_notation_called(sw_notation_guess(end)));
	sw_diag_expected(diag, "a JSON object around it");
	sw_diag_hint(diag,
		"{\"mesh\": \"{x: 4}\", \"shape\": [16, 16], \"from\": \"P('x')\", \"to\": \"P(None, 'x')\"} is read");
	return line_refuse(line, end, diag);
}

/* A line is one problem. */
static bool refuse_chain(sw_str line, sw_str arrow, sw_diag *diag)
{
	sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "a line has two types, but this one has a third");
	sw_diag_expected(diag, "MESH FROM ~> TO");
	sw_diag_hint(diag, "put each leg on a line of its own; the statement A ~> B ~> C plans them all");
	return line_refuse(line, arrow, diag);
}

static bool check_ends(sw_str line, sw_str text, sw_diag *diag)
{
	sw_str arrow = line_arrow(text), next = line_arrow(ends_behind(text, arrow));
	if (next.length && *next.at == '~')
		return refuse_chain(line, next, diag);
	return !arrow.length ||
		(check_end(line, (sw_str){text.at, (size_t)(arrow.at - text.at)}, diag) &&
			check_end(line, ends_behind(text, arrow), diag));
}

static bool read_text(struct batch *batch, sw_problem *problem, sw_diag *diag)
{
	sw_str line = batch->position.text, rest = line, statement;
	enum line_end end = line_next(line, &rest, NULL, &statement, diag);
	if (end == LINE_END)
		return refuse_empty(diag);
	if (end != LINE_STATEMENT)
		return false;
	take_comment(batch, statement);
	struct word *words;
	int count = line_words(statement, batch->arena, &words);
	if (count < 0)
		return sw_diag_memory(diag);
	const struct word *mesh_word = sw_str_is(words[0].raw, "mesh") && count > 1 ? &words[1] : &words[0];
	if (!sw_mesh_parse(mesh_word->raw, &problem->mesh, diag))
		return refuse_text(line, mesh_word->raw, diag);
	const char *after = mesh_word->raw.at + mesh_word->raw.length;
	sw_str ends = sw_str_trim((sw_str){after, (size_t)(statement.at + statement.length - after)});
	sw_mesh mesh = problem->mesh;
	if (!check_ends(line, ends, diag))
		return false;
	const sw_distribution_names names = {.rule = batch->rule};
	sw_arena *any = takes_any(batch) ? batch->arena : NULL;
	return sw_problem_parse_any(&mesh, ends, batch->pads, &names, any, problem, diag) ||
		refuse_text(line, ends, diag);
}

static bool is_json(sw_str line)
{
	size_t at = 1;
	while (at < line.length && (line.at[at] == ' ' || line.at[at] == '\t'))
		at++;
	bool object = line.length && *line.at == '{' && at < line.length && (line.at[at] == '"' || line.at[at] == '}');
	if (!object)
		return line.length && (*line.at == '[' || *line.at == '"');
	/* `{"odd name": 4} [..] ~> [..]` is text: a colon and a number follow the first key */
	const char *closed = memchr(line.at, '}', line.length);
	size_t first = closed ? (size_t)(closed - line.at) : 0;
	return !closed || memmem(line.at, first, "\"mesh\"", 6) || memmem(line.at, first, "\"from\"", 6) ||
		memmem(line.at, first, "~>", 2) || !memmem(closed, line.length - first, "~>", 2);
}

/* ---- answers ---- */

static void answer_plan_line(struct batch *batch, const sw_plan *plan)
{
	sw_text *out = &batch->out;
	sw_text_addf(out, "%-14s %-7s cost %12lld  height %12lld  %d %s", plan->name ? plan->name : "-",
		sw_strategy_name(plan->strategy), (long long)plan->cost, (long long)plan->height, plan->program.steps,
		plural(plan->program.steps, "step", "steps"));
	if (plan->permutes)
		sw_text_addf(out, ", %d %s", plan->permutes, plural(plan->permutes, "permute", "permutes"));
	if (sw_model_is_timed(plan->model))
		sw_text_addf(out, ", takes %s", words_seconds(plan->model_cost).text);
	if (plan->has_bound && plan->optimal)
		sw_text_add(out, ", optimal");
	else if (plan->has_bound && sw_model_is_timed(plan->model))
		sw_text_addf(out, ", at least %s", words_seconds(plan->model_bound).text);
	else if (plan->has_bound)
		sw_text_addf(out, ", at least %lld", (long long)plan->lower_bound);
	if (sw_type_padded(&plan->problem.from)) {
		sw_padding_count count;
		sw_type_padding(&plan->problem.mesh, &plan->problem.from, &count);
		sw_text_addf(out, ", %lld of %lld elements padding", (long long)count.total, (long long)count.elements);
	}
	sw_text_add_char(out, '\n');
}

static void answer_bad_line(struct batch *batch, const sw_diag *diag)
{
	struct session *session = batch->run->session;
	struct console *console = session->console;
	const sw_code_info *info = sw_code_info_of(diag->code);
	sw_text report = {0};
	bool program = batch->program.length > 0;
	const struct position inside = {batch->name ? batch->name : batch->position.file, 1, batch->program};
	if (!program || !batch->as_json)
		sw_text_clear(&batch->out);
	if (batch->as_json && !program)
		sw_diag_write(diag, batch->name, batch->position.file, batch->position.line, batch->position.text,
			&batch->out);
	else if (!batch->as_json)
		sw_text_addf(&batch->out, "%-14s error %s: %s\n", batch->name ? batch->name : "-", info ? info->name : "?",
			diag->message);
	report_draw(diag, program ? &inside : &batch->position, console->err_terminal ? console->width : 100,
		&console->err_style, &report);
	console_message(console, &report);
	sw_text_free(&report);
	batch->failed++;
}

static struct problem_json asked_line(struct batch *batch, sw_diag *diag)
{
	return (struct problem_json){.line = batch->position.text,
		.pads = batch->pads,
		.rule = batch->rule,
		.any = takes_any(batch),
		.arena = batch->arena,
		.json = batch->json,
		.in = {.text = batch->position.text, .arena = batch->arena, .diag = diag, .code = SW_B03},
		.name = batch->name,
		.session = batch->run->session,
		.pulse = &batch->pulse,
		.for_programs = batch->as_json,
		.out = &batch->out};
}

/* A program that is refused is answered too. */
static bool write_answer(struct batch *batch, const struct problem_json *line, bool ok, sw_diag *diag)
{
	batch->program = ok ? (sw_str){NULL, 0} : line->refused;
	if (!line->answer || !(ok || line->refused.length))
		return ok;
	sw_text_clear(&batch->out);
	return fields_line(line->answer, &batch->out, ok ? diag : &(sw_diag){.code = SW_OK}) && ok;
}

static bool one_step_of(struct batch *batch, const sw_problem *problem, sw_diag *diag)
{
	struct problem_json line = asked_line(batch, diag);
	return write_answer(batch, &line, one_step_line(&line, problem, diag), diag);
}

static bool relation_of(struct batch *batch, const sw_problem *problem, sw_diag *diag)
{
	struct problem_json line = asked_line(batch, diag);
	return write_answer(batch, &line, relation_line(&line, problem, diag), diag);
}

/* Lines that are not a redistribution: the first that fits. */
static const struct {
	line_asked *asked;
	line_answer *answer;
} kinds[] = {{schedule_line_asked, schedule_line}, {schedules_line_asked, schedules_line},
	{program_line_asked, program_line}, {placement_line_asked, placement_line}, {product_line_asked, product_line},
	{placed_line_asked, placed_line}, {tasks_line_asked, tasks_line}, {formula_line_asked, formula_line},
	{partial_line_asked, partial_line}, {held_line_asked, held_line}, {sharding_line_asked, sharding_line},
	{type_line_asked, type_line}, {NULL, NULL}};

/* Sums of indices may be larger than integers are: they are not read, and nor are the others exact then. */
static json_t *read_other(sw_str line)
{
	json_t *json = json_loadb(line.at, line.length, 0, NULL);
	bool sums = json == NULL && memmem(line.at, line.length, "\"held\"", 6) != NULL;
	return sums ? json_loadb(line.at, line.length, JSON_DECODE_INT_AS_REAL, NULL) : json;
}

/* Is it one of these?  Then *ok tells whether it was answered. */
static bool took_other(struct batch *batch, sw_str line, bool *ok, sw_diag *diag)
{
	static const char *const marks[] = {"\"kind\"", "\"text\"", "\"einsum\"", "\"kernel\"", "\"partial\"", "\"held\"",
		"\"type\"", "\"machine\"", "\"processors\""};
	bool marked = false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		marked = marked || memmem(line.at, line.length, marks[i], strlen(marks[i]));
	json_t *json = marked ? read_other(line) : NULL;
	int k = 0;
	while (kinds[k].asked && !kinds[k].asked(json))
		k++;
	if (!kinds[k].asked) {
		json_decref(json);
		return false;
	}
	batch->json = json;
	batch->name = json_string_value(json_object_get(json, "name"));
	struct problem_json of = asked_line(batch, diag);
	*ok = write_answer(batch, &of, kinds[k].answer(&of, diag), diag);
	say_remarks(batch, &of);
	return true;
}

static bool check_tiles(const sw_problem *problem, sw_diag *diag)
{
	const sw_type *type = problem->from_words ? &problem->from : &problem->to;
	const sw_distribution *words = problem->from_words ? problem->from_words : problem->to_words;
	return !words || sw_type_refuse_words(&problem->mesh, type, words, (sw_span){0, 0}, diag);
}

static bool plan_line(struct batch *batch, sw_diag *diag)
{
	sw_problem problem;
	sw_plan_options options;
	sw_plan plan;
	sw_str line = sw_str_trim(batch->position.text);
	if (!line_is_text(batch->position.text, diag))
		return false;
	bool json = is_json(line), ok;
	if (json && took_other(batch, line, &ok, diag))
		return ok;
	if (!(json ? read_json(batch, &problem, diag) : read_text(batch, &problem, diag)))
		return false;
	if (batch->relates)
		return relation_of(batch, &problem, diag);
	if (!batch->visit && !batch->advises && one_step_asked(batch->json))
		return check_tiles(&problem, diag) && one_step_of(batch, &problem, diag);
	if (batch->visit)
		return batch->visit(batch->context, &problem, batch->name, batch->arena, &batch->out, diag);
	struct problem_json of = asked_line(batch, diag);
	if (batch->advises)
		return advise_order(&problem, diag) &&
			advise_line(&(struct advise_line){batch->target, batch->several, &batch->asked, &of}, &problem, diag);
	struct plan_request asked = batch->asked;
	if (sw_problem_has_words(&problem) && !sw_strategy_is(asked.strategy, SW_BETWEEN_ANY) &&
		!option_given(batch->run, OPTION_STRATEGY))
		asked.strategy = SW_DIRECT;
	if (!plan_request_options(&asked, &problem, &batch->pulse, &options, diag))
		return false;
	options.sizes_only = !batch->as_json;
	if (!sw_plan_find(&problem, &options, batch->arena, &plan, diag))
		return false;
	plan.name = batch->name;
	if (batch->as_json)
		return sw_plan_write(&plan, batch->flags, &batch->out, diag);
	answer_plan_line(batch, &plan);
	return true;
}

/* false: it was stopped, or nothing more can be written. */
static bool run_line(struct batch *batch, sw_diag *diag)
{
	sw_diag bad = {.code = SW_OK};
	sw_arena_clear(batch->arena);
	sw_text_clear(&batch->out);
	batch->name = NULL;
	batch->json = NULL;
	batch->program = (sw_str){NULL, 0};
	bool ok = plan_line(batch, &bad);
	bool stopped = !ok && bad.code == SW_S03;
	if (!ok && !stopped)
		answer_bad_line(batch, &bad);
	json_decref(batch->json);
	if (stopped)
		return false;
	batch->planned++;
	document_lines(batch->run->answer, &batch->out);
	return answer_pass_on(batch->run->session, diag);
}

/* ---- the file ---- */

static bool not_interrupted(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return !interrupt_signal();
}

static bool is_comment(sw_str line)
{
	line = sw_str_trim(line);
	return line.length && *line.at == '#';
}

static bool refuse_reading(struct batch *batch, long long why, sw_diag *diag)
{
	if (why == -2)
		sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "line %d is longer than %zu MiB", batch->position.line,
			FILE_MOST_LINE >> 20);
	else
		sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "reading '%s' failed at line %d", batch->position.file,
			batch->position.line);
	return false;
}

/* Files that people take for problems. */
static bool check_kind(const struct batch *batch, sw_diag *diag)
{
	const struct word *name = argument(batch->run, 0);
	sw_str line = sw_str_trim(batch->position.text);
	if (line.length < 10 || memcmp(line.at, "HloModule ", 10) != 0)
		return true;
	sw_diag_set(diag, SW_B03, line_span(batch->run->position->text, name->raw),
		"'%.100s' is an HLO module, not a file of problems", batch->position.file);
	sw_diag_expected(diag, "a problem on each line, MESH FROM ~> TO or a JSON object");
	sw_diag_hint(diag,
		"`import FILE` reads it and lists its redistributions; `import FILE 1` makes the first one the "
		"problem");
	return false;
}

static bool run_file(struct batch *batch, FILE *file, int64_t limit, sw_diag *diag)
{
	struct watch watch;
	char *line = NULL;
	size_t room = 0;
	bool ok = true;
	watch_start(&watch, batch->run->session->console);
	while (ok && batch->planned < limit && sw_pulse_beat(&watch.pulse, "problems", batch->planned, 0)) {
		long long length = file_line(file, &line, &room);
		batch->position.line++;
		if (length == -1 || interrupt_signal())
			break;
		if (length < 0) {
			ok = refuse_reading(batch, length, diag);
			break;
		}
		batch->position.text = (sw_str){line, (size_t)length};
		ok = check_kind(batch, diag);
		if (ok && !is_comment(batch->position.text) && !run_line(batch, diag) && !interrupt_signal())
			ok = false;
	}
	watch_end(&watch);
	free(line);
	return ok;
}

/* Every bad line was told of in its place: standard output gets nothing more. */
static void batch_verdict(const struct batch *batch)
{
	struct session *session = batch->run->session;
	struct console *console = session->console;
	if (interrupt_signal())
		answer_remark(session, "stopped after %lld %s", batch->planned,
			plural(batch->planned, "problem", "problems"));
	else if (!batch->planned)
		answer_remark(session, "no problems in '%s'", batch->position.file);
	else if (console->err_terminal && !batch->failed)
		answer_remark(session, "%lld %s planned", batch->planned, plural(batch->planned, "problem", "problems"));
	if (!batch->failed)
		return;
	answer_remark(session, "%lld of %lld %s could not be planned", batch->failed, batch->planned,
		plural(batch->planned, "problem", "problems"));
	session->failures++;
	session->last = SW_B03;
}

static bool run_batch(struct batch *batch, const struct word *name, sw_diag *diag)
{
	const struct word *limit = option_given(batch->run, OPTION_LIMIT);
	limit = limit ? limit : option_given(batch->run, OPTION_PROBLEMS);
	int64_t most = INT64_MAX;
	if (!read_count(batch->run, limit, 1, INT64_MAX, &most, diag))
		return false;
	const char *uneven = option_setting(batch->run, OPTION_UNEVEN)->text;
	batch->pads = strcmp(uneven, "pad") == 0;
	batch->rule = setting_rule(sw_str_of(uneven));
	FILE *file = file_open(batch->position.file, diag);
	if (!file) {
		diag->at = line_span(batch->run->position->text, name->raw);
		return false;
	}
	batch->arena = sw_arena_new();
	bool ok = batch->arena ? run_file(batch, file, most, diag) : sw_diag_memory(diag);
	sw_arena_free(batch->arena);
	sw_text_free(&batch->out);
	sw_text_free(&batch->named.names);
	file_close(file);
	if (ok)
		batch_verdict(batch);
	return ok;
}

bool problems_visit(const struct invocation *run, const struct word *file, problem_visit *visit, void *context,
	sw_diag *diag)
{
	struct batch batch = {.run = run,
		.position = {.file = file_name(run, file)},
		.pulse = {not_interrupted, NULL},
		.as_json = run->answer->for_programs,
		.visit = visit,
		.context = context};
	return run_batch(&batch, file, diag);
}

bool command_batch(struct invocation *run, sw_diag *diag)
{
	const struct word *name = argument(run, 0);
	struct batch batch = {.run = run, .position = {.file = file_name(run, name)}, .pulse = {not_interrupted, NULL}};
	batch.as_json = run->answer->for_programs || option_given(run, OPTION_MAPS);
	batch.flags = SW_JSON_LINE | (option_given(run, OPTION_MAPS) ? SW_JSON_MAPS : 0);
	batch.advises = option_given(run, OPTION_ADVISE) != NULL;
	batch.target = (sw_advise_target)option_number(run, OPTION_ADVISE, 0);
	batch.relates = option_number(run, OPTION_ANSWER, 0) == 1;
	batch.several = option_given(run, OPTION_SEVERAL) != NULL;
	if (!plan_request_read(run, NULL, &batch.asked, diag))
		return false;
	if (!option_given(run, OPTION_PROVE))
		batch.asked.prove = 0;
	return run_batch(&batch, name, diag);
}
