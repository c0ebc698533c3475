/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an evaluation finds, as lines of JSON: written as it comes, read when it goes on.
 *
 * The first line says what was asked for; each other one is a problem with its plans, or what running these took.  A last line
 * that was cut off, by a full disk or a lost machine, is taken away.
 */
#define _GNU_SOURCE
#include "command/compare/evaluate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <shardwalk/json_read.h>

#include "host/file.h"
#include "host/safe.h"

#define START_SCHEMA "shardwalk.evaluate-start/1"
#define PROBLEM_SCHEMA "shardwalk.evaluate-problem/1"
#define RUN_SCHEMA "shardwalk.evaluate-run/1"

/* ---- what the lines are ---- */

/* What was asked for: an evaluation goes on only where this is the same. */
struct start_line {
	const char *schema, *file, *model, *hardware, *budget, *live;
	int64_t devices, seed, without;
	sw_list strategies;
};

struct problem_line {
	const char *schema, *name, *mesh, *from, *to;
	int64_t number, devices, bytes, dtype_bytes;
	bool ordered;
	sw_list plans;
};

struct run_line {
	const char *schema;
	int64_t number;
	double scale;
	sw_list plans;
};

static bool always(const void *of)
{
	(void)of;
	return true;
}

static bool is_planned(const void *of)
{
	return ((const struct evaluated_plan *)of)->planned;
}

static bool is_run(const void *of)
{
	return ((const struct evaluated_plan *)of)->seconds >= 0;
}

static const sw_field start_rows[] = {
	SW_FIELD("schema", TEXT, struct start_line, schema),
	SW_FIELD("file", TEXT, struct start_line, file),
	SW_FIELD("devices", INT, struct start_line, devices),
	SW_FIELD("seed", INT, struct start_line, seed),
	SW_FIELD("strategies", TEXTS, struct start_line, strategies),
	SW_FIELD("model", TEXT, struct start_line, model),
	SW_FIELD("hardware", TEXT, struct start_line, hardware),
	SW_FIELD("budget", TEXT, struct start_line, budget),
	SW_FIELD("live", TEXT, struct start_line, live),
	SW_FIELD("without", INT, struct start_line, without),
};
static const sw_fields start_table = SW_FIELDS(start_rows, struct start_line);

static const sw_field planned_rows[] = {
	SW_FIELD("strategy", TEXT, struct evaluated_plan, strategy, .needed = always),
	SW_FIELD("planned", BOOL, struct evaluated_plan, planned, .needed = always),
	SW_FIELD("cost", INT, struct evaluated_plan, cost, .needed = is_planned, .written = is_planned),
	SW_FIELD("model_cost", NUMBER, struct evaluated_plan, model_cost, .needed = is_planned, .written = is_planned),
	SW_FIELD("over", BOOL, struct evaluated_plan, over, .needed = is_planned, .written = is_planned),
	SW_FIELD("search_s", SECONDS, struct evaluated_plan, searched, .needed = is_planned, .written = is_planned),
	SW_FIELD("predicted_s", SECONDS, struct evaluated_plan, predicted, .written = is_planned),
};
static const sw_fields planned_table = SW_FIELDS(planned_rows, struct evaluated_plan);

static const sw_field problem_rows[] = {
	SW_FIELD("schema", TEXT, struct problem_line, schema),
	SW_FIELD("number", INT, struct problem_line, number, .needed = always),
	SW_FIELD("name", TEXT, struct problem_line, name),
	SW_FIELD("mesh", TEXT, struct problem_line, mesh, .needed = always),
	SW_FIELD("from", TEXT, struct problem_line, from, .needed = always),
	SW_FIELD("to", TEXT, struct problem_line, to, .needed = always),
	SW_FIELD("devices", INT, struct problem_line, devices, .least = 1, .needed = always),
	SW_FIELD("bytes", INT, struct problem_line, bytes, .needed = always),
	SW_FIELD("dtype_bytes", INT, struct problem_line, dtype_bytes, .least = 1, .needed = always),
	SW_FIELD("ordered", BOOL, struct problem_line, ordered),
	SW_FIELD("plans", OBJECTS, struct problem_line, plans, .in = &planned_table, .needed = always),
};
static const sw_fields problem_table = SW_FIELDS(problem_rows, struct problem_line);

static const sw_field ran_rows[] = {
	SW_FIELD("strategy", TEXT, struct evaluated_plan, strategy, .needed = always),
	SW_FIELD("measured_s", SECONDS, struct evaluated_plan, seconds),
	SW_FIELD("model_cost", NUMBER, struct evaluated_plan, ran_cost, .needed = is_run, .written = is_run),
	SW_FIELD("bytes", NUMBER, struct evaluated_plan, ran_bytes, .needed = is_run, .written = is_run),
};
static const sw_fields ran_table = SW_FIELDS(ran_rows, struct evaluated_plan);

static const sw_field run_rows[] = {
	SW_FIELD("schema", TEXT, struct run_line, schema),
	SW_FIELD("number", INT, struct run_line, number, .least = 1, .needed = always),
	SW_FIELD("scale", NUMBER, struct run_line, scale, .needed = always),
	SW_FIELD("plans", OBJECTS, struct run_line, plans, .in = &ran_table, .needed = always),
};
static const sw_fields run_table = SW_FIELDS(run_rows, struct run_line);

static bool print_line(const sw_fields *table, const void *of, sw_text *line, sw_diag *diag)
{
	sw_json json;
	sw_json_start(&json, line, true);
	sw_json_open(&json, '{', false);
	sw_fields_write(&json, table->field, table->count, of);
	sw_json_close(&json);
	sw_text_add_char(line, '\n');
	return !line->failed || sw_diag_memory(diag);
}

/* ---- writing ---- */

static bool refuse_writing(const struct evaluation *e, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RESUME);
	sw_diag_set(diag, SW_B02, line_span(e->run->position->text, word->raw), "writing '%.200s' failed: %s",
		e->journal_name, strerror(errno));
	return false;
}

/* Nobody who is killed in between loses more than a line. */
static bool write_line(struct evaluation *e, const sw_text *line, sw_diag *diag)
{
	if (!e->journal)
		return true;
	bool ok = fwrite(sw_text_get(line), 1, line->length, e->journal) == line->length && fflush(e->journal) == 0;
	return ok || refuse_writing(e, diag);
}

static bool add_line(struct evaluation *e, const sw_fields *table, const void *of, sw_diag *diag)
{
	sw_text line = {0};
	bool answered = e->run->answer->for_programs;
	if (!e->journal && !answered)
		return true;
	bool ok = print_line(table, of, &line, diag) && write_line(e, &line, diag);
	if (ok && answered) {
		document_lines(e->run->answer, &line);
		ok = answer_pass_on(e->run->session, diag);
	}
	sw_text_free(&line);
	return ok;
}

bool journal_planned(struct evaluation *e, int n, sw_diag *diag)
{
	const struct evaluated *row = &e->problem[n];
	const struct problem_line line = {.schema = PROBLEM_SCHEMA,
		.name = row->name,
		.mesh = row->mesh,
		.from = row->from,
		.to = row->to,
		.number = n + 1,
		.devices = row->devices,
		.bytes = row->bytes,
		.dtype_bytes = row->dtype_bytes,
		.ordered = row->ordered,
		.plans = {row->plan, e->strategies}};
	return add_line(e, &problem_table, &line, diag);
}

bool journal_ran(struct evaluation *e, int n, sw_diag *diag)
{
	const struct run_line line = {RUN_SCHEMA, n + 1, e->scale, {e->problem[n].plan, e->strategies}};
	return add_line(e, &run_table, &line, diag);
}

static bool print_start(const struct evaluation *e, sw_text *line, sw_diag *diag)
{
	const struct settings *settings = &e->run->session->state.settings;
	const struct word *budget = option_given(e->run, OPTION_BUDGET), *live = option_given(e->run, OPTION_LIVE);
	const char *names[SW_STRATEGY_COUNT];
	for (int s = 0; s < e->strategies; s++)
		names[s] = sw_strategy_name(e->strategy[s]);
	const struct start_line start = {.schema = START_SCHEMA,
		.file = e->file,
		.model = sw_model_name(e->asked.model),
		.hardware = e->asked.hardware,
		.budget = budget ? file_name(e->run, budget) : settings->value[SETTING_BUDGET].text,
		.live = live ? file_name(e->run, live) : settings->value[SETTING_LIVE].text,
		.devices = e->file ? 0 : e->devices,
		.seed = e->file ? 0 : e->seed,
		.without = e->asked.without,
		.strategies = {names, e->strategies}};
	return print_line(&start_table, &start, line, diag);
}

/* ---- reading ---- */

static bool refuse_line(const struct evaluation *e, int number, const char *why, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RESUME);
	sw_diag_set(diag, SW_B04, line_span(e->run->position->text, word->raw), "line %d of '%.200s' %s", number,
		e->journal_name, why);
	sw_diag_expected(diag, "lines that `evaluate --resume` wrote");
	sw_diag_hint(diag, "name another file, or remove this one");
	return false;
}

/* Reads a line by its table. */
static bool read_line(const struct evaluation *e, sw_str text, json_t *line, const sw_fields *table, void *of,
	int number, sw_diag *diag)
{
	sw_diag why;
	sw_json_in in = {.text = text, .arena = e->run->arena, .diag = &why, .code = SW_B04};
	sw_fields_forget(table->field, table->count, of);
	return sw_fields_read(&in, line, table->field, table->count, of) ||
		refuse_line(e, number, "is not a line of an evaluation", diag);
}

/* Are these plans those of the strategies, in their order? */
static bool are_of(const struct evaluation *e, const sw_list *plans)
{
	const struct evaluated_plan *plan = plans->item;
	bool same = plans->count == e->strategies;
	for (int s = 0; same && s < e->strategies; s++)
		same = strcmp(plan[s].strategy, sw_strategy_name(e->strategy[s])) == 0;
	return same;
}

static double known(double number)
{
	return number >= 0 ? number : -1;
}

static bool take_problem_line(struct evaluation *e, const struct problem_line *line, sw_diag *diag)
{
	const struct evaluated_plan *read = line->plans.item;
	struct evaluated *row = evaluation_add(e, diag);
	if (!row)
		return false;
	row->name = line->name;
	row->mesh = line->mesh;
	row->from = line->from;
	row->to = line->to;
	row->devices = line->devices;
	row->bytes = line->bytes;
	row->dtype_bytes = (int)line->dtype_bytes;
	row->ordered = line->ordered;
	for (int s = 0; s < e->strategies; s++) {
		struct evaluated_plan *plan = &row->plan[s];
		plan->planned = read[s].planned;
		plan->over = read[s].over;
		plan->cost = read[s].cost;
		plan->model_cost = known(read[s].model_cost);
		plan->searched = known(read[s].searched);
		plan->predicted = known(read[s].predicted);
	}
	return true;
}

static void take_run_line(struct evaluation *e, const struct run_line *line)
{
	const struct evaluated_plan *read = line->plans.item;
	struct evaluated *row = &e->problem[line->number - 1];
	row->ran = true;
	for (int s = 0; s < e->strategies; s++) {
		row->plan[s].seconds = known(read[s].seconds);
		row->plan[s].ran_cost = known(read[s].ran_cost);
		row->plan[s].ran_bytes = known(read[s].ran_bytes);
	}
}

/* Times are of arrays of one scale; what was run says it where nothing more is to be run. */
static bool check_scale(struct evaluation *e, double scale, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RESUME);
	if (!e->runs)
		e->scale = scale;
	if (scale >= e->scale && scale <= e->scale)
		return true;
	sw_diag_set(diag, SW_L13, line_span(e->run->position->text, word->raw),
		"the results in '%.100s' were run at a scale of %g", e->journal_name, scale);
	sw_diag_expected(diag, "%g", e->scale);
	sw_diag_hint(diag, "`--scale %g` continues it", scale);
	return false;
}

static bool has_schema(json_t *line, const char *schema)
{
	const char *said = json_string_value(json_object_get(line, "schema"));
	return said && strcmp(said, schema) == 0;
}

static bool take_line(struct evaluation *e, sw_str text, json_t *line, int number, sw_diag *diag)
{
	struct problem_line problem;
	struct run_line run;
	if (has_schema(line, PROBLEM_SCHEMA)) {
		if (!read_line(e, text, line, &problem_table, &problem, number, diag))
			return false;
		if (problem.number == e->count + 1 && are_of(e, &problem.plans))
			return take_problem_line(e, &problem, diag);
	} else if (has_schema(line, RUN_SCHEMA)) {
		if (!read_line(e, text, line, &run_table, &run, number, diag) || !check_scale(e, run.scale, diag))
			return false;
		if (run.number <= e->count && are_of(e, &run.plans)) {
			take_run_line(e, &run);
			return true;
		}
	}
	return refuse_line(e, number, "is not a line of this evaluation", diag);
}

/* Is the first line about the same evaluation?  What differs is named. */
static bool check_start(const struct evaluation *e, json_t *found, sw_diag *diag)
{
	sw_text line = {0};
	const char *key;
	json_t *value, *wanted = print_start(e, &line, diag) ? json_loads(sw_text_get(&line), 0, NULL) : NULL;
	bool same = wanted != NULL;
	sw_text_free(&line);
	json_object_foreach(wanted, key, value)
	{
		if (!same || json_equal(value, json_object_get(found, key)))
			continue;
		char *was = json_dumps(json_object_get(found, key), JSON_ENCODE_ANY),
			 *is = json_dumps(value, JSON_ENCODE_ANY);
		const struct word *word = option_given(e->run, OPTION_RESUME);
		sw_diag_set(diag, SW_L13, line_span(e->run->position->text, word->raw),
			"'%.100s' is of another evaluation: \"%s\" differs", e->journal_name, key);
		sw_diag_expected(diag, "%s", is ? is : "?");
		sw_diag_found(diag, "%s", was ? was : "nothing");
		sw_diag_hint(diag, "name another file, or use the same options; `--problems` and `--run` may grow");
		free(was);
		free(is);
		same = false;
	}
	json_decref(wanted);
	return same;
}

/* Takes all whole lines; *whole: how long they are. */
static bool take_lines(struct evaluation *e, const sw_text *text, size_t *whole, sw_diag *diag)
{
	bool ok = true;
	int number = 0;
	const char *start = sw_text_get(text), *at = start, *end;
	while (ok && (end = memchr(at, '\n', text->length - (size_t)(at - start)))) {
		sw_str bytes = {at, (size_t)(end - at)};
		json_t *line = json_loadb(bytes.at, bytes.length, 0, NULL);
		ok = line ? number ? take_line(e, bytes, line, number + 1, diag) : check_start(e, line, diag) :
					refuse_line(e, number + 1, "is not JSON", diag);
		json_decref(line);
		number++;
		at = end + 1;
	}
	*whole = (size_t)(at - start);
	return ok;
}

static bool read_journal(struct evaluation *e, size_t *whole, sw_diag *diag)
{
	sw_text text = {0};
	*whole = 0;
	if (access(e->journal_name, F_OK) != 0)
		return true;
	bool ok = file_read(e->journal_name, &text, diag) && take_lines(e, &text, whole, diag);
	size_t length = text.length;
	sw_text_free(&text);
	if (ok && *whole < length && truncate(e->journal_name, (off_t)*whole) != 0)
		return refuse_writing(e, diag);
	return ok;
}

static bool begin_journal(struct evaluation *e, sw_diag *diag)
{
	sw_text line = {0};
	bool ok = print_start(e, &line, diag) && write_line(e, &line, diag);
	sw_text_free(&line);
	return ok;
}

bool journal_open(struct evaluation *e, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RESUME);
	size_t whole;
	if (!word)
		return true;
	e->journal_name = file_name(e->run, word);
	if (safe_refuses(diag, "'%.80s' would be written", e->journal_name))
		return false;
	if (!read_journal(e, &whole, diag))
		return diag->at.end ? false : refuse_at_file(e->run, word, diag);
	if (e->count > e->problems)
		e->count = (int)e->problems;
	e->resumed = e->count;
	e->journal = fopen(e->journal_name, "ae");
	return e->journal ? whole || begin_journal(e, diag) : refuse_writing(e, diag);
}
