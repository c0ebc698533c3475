/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an evaluation finds, as lines of JSON: written as it comes, read when it goes on.
 *
 * The first line says what was asked for; each other one is a problem with its plans, or what running these took.  A last line
 * that was cut off, by a full disk or a lost machine, is taken away.
 */
#define _GNU_SOURCE
#include "command/evaluate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <shardwalk/json.h>

#include "host/file.h"

#define START_SCHEMA "shardwalk.evaluate-start/1"
#define PROBLEM_SCHEMA "shardwalk.evaluate-problem/1"
#define RUN_SCHEMA "shardwalk.evaluate-run/1"

enum { DIGITS = 9 };

/* ---- lines ---- */

static bool fields_line(struct fields *fields, sw_text *line, sw_diag *diag)
{
	if (fields_failed(fields))
		return sw_diag_memory(diag);
	fields_write(fields, true, line);
	return !line->failed || sw_diag_memory(diag);
}

static void start_line(const struct evaluation *e, struct fields *fields)
{
	const struct settings *settings = &e->run->session->state.settings;
	const struct word *budget = option_given(e->run, OPTION_BUDGET), *live = option_given(e->run, OPTION_LIVE);
	field_text(fields, "schema", START_SCHEMA);
	field_text(fields, "file", e->file);
	field_int(fields, "devices", e->file ? 0 : e->devices);
	field_int(fields, "seed", e->file ? 0 : e->seed);
	struct fields *strategies = field_list(fields, "strategies");
	for (int s = 0; s < e->strategies; s++)
		field_text(strategies, NULL, sw_strategy_name(e->strategy[s]));
	field_text(fields, "model", sw_model_name(e->asked.model));
	field_text(fields, "hardware", e->asked.hardware);
	field_str(fields, "budget", budget ? budget->text : sw_str_of(settings->value[SETTING_BUDGET].text));
	field_str(fields, "live", live ? live->text : sw_str_of(settings->value[SETTING_LIVE].text));
	field_int(fields, "without", e->asked.without);
}

static void planned_fields(const struct evaluation *e, int s, const struct evaluated_plan *plan, struct fields *in)
{
	field_text(in, "strategy", sw_strategy_name(e->strategy[s]));
	field_bool(in, "planned", plan->planned);
	if (!plan->planned)
		return;
	field_int(in, "cost", plan->cost);
	field_number(in, "model_cost", plan->model_cost);
	field_bool(in, "over", plan->over);
	field_digits(in, "search_s", plan->searched, DIGITS);
	field_digits(in, "predicted_s", plan->predicted, DIGITS);
}

static void problem_line(const struct evaluation *e, int n, struct fields *fields)
{
	const struct evaluated *row = &e->problem[n];
	field_text(fields, "schema", PROBLEM_SCHEMA);
	field_int(fields, "number", n + 1);
	field_text(fields, "name", row->name);
	field_text(fields, "mesh", row->mesh);
	field_text(fields, "from", row->from);
	field_text(fields, "to", row->to);
	field_int(fields, "devices", row->devices);
	field_int(fields, "bytes", row->bytes);
	field_int(fields, "dtype_bytes", row->dtype_bytes);
	field_bool(fields, "ordered", row->ordered);
	struct fields *plans = field_list(fields, "plans");
	for (int s = 0; s < e->strategies; s++)
		planned_fields(e, s, &row->plan[s], field_object(plans, NULL));
}

static void run_line(const struct evaluation *e, int n, struct fields *fields)
{
	field_text(fields, "schema", RUN_SCHEMA);
	field_int(fields, "number", n + 1);
	field_number(fields, "scale", e->scale);
	struct fields *plans = field_list(fields, "plans");
	for (int s = 0; s < e->strategies; s++) {
		const struct evaluated_plan *plan = &e->problem[n].plan[s];
		struct fields *one = field_object(plans, NULL);
		field_text(one, "strategy", sw_strategy_name(e->strategy[s]));
		field_digits(one, "measured_s", plan->seconds, DIGITS);
		if (plan->seconds < 0)
			continue;
		field_number(one, "model_cost", plan->ran_cost);
		field_number(one, "bytes", plan->ran_bytes);
	}
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

static bool add_line(struct evaluation *e, int n,
	void (*fill)(const struct evaluation *e, int n, struct fields *fields), sw_diag *diag)
{
	sw_text line = {0};
	if (!e->journal && !wants_json(e->run))
		return true;
	struct fields *fields = fields_new(e->scratch);
	fill(e, n, fields);
	bool ok = fields_line(fields, &line, diag) && write_line(e, &line, diag);
	if (ok && wants_json(e->run)) {
		document_lines(e->run->answer, &line);
		ok = answer_pass_on(e->run->session, diag);
	}
	sw_text_free(&line);
	return ok;
}

bool journal_planned(struct evaluation *e, int n, sw_diag *diag)
{
	return add_line(e, n, problem_line, diag);
}

bool journal_ran(struct evaluation *e, int n, sw_diag *diag)
{
	return add_line(e, n, run_line, diag);
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

static const char *text_of(const struct evaluation *e, json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));
	return text ? sw_arena_copy(e->run->arena, text, strlen(text)) : NULL;
}

static double number_of(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : -1;
}

/* The strategies of a line are those of the first line, in its order. */
static json_t *plan_of(const struct evaluation *e, json_t *line, int s)
{
	json_t *plan = json_array_get(json_object_get(line, "plans"), (size_t)s);
	const char *name = json_string_value(json_object_get(plan, "strategy"));
	return name && strcmp(name, sw_strategy_name(e->strategy[s])) == 0 ? plan : NULL;
}

static bool take_problem_line(struct evaluation *e, json_t *line, sw_diag *diag)
{
	struct evaluated *row = evaluation_add(e, diag);
	if (!row)
		return false;
	row->name = text_of(e, line, "name");
	row->mesh = text_of(e, line, "mesh");
	row->from = text_of(e, line, "from");
	row->to = text_of(e, line, "to");
	row->devices = json_integer_value(json_object_get(line, "devices"));
	row->bytes = json_integer_value(json_object_get(line, "bytes"));
	row->dtype_bytes = (int)json_integer_value(json_object_get(line, "dtype_bytes"));
	row->ordered = json_is_true(json_object_get(line, "ordered"));
	for (int s = 0; s < e->strategies; s++) {
		json_t *one = plan_of(e, line, s);
		struct evaluated_plan *plan = &row->plan[s];
		plan->planned = json_is_true(json_object_get(one, "planned"));
		plan->over = json_is_true(json_object_get(one, "over"));
		plan->cost = json_integer_value(json_object_get(one, "cost"));
		plan->model_cost = number_of(one, "model_cost");
		plan->searched = number_of(one, "search_s");
		plan->predicted = number_of(one, "predicted_s");
	}
	return true;
}

/* Times are of arrays of one scale; what was run says it where nothing more is to be run. */
static bool check_scale(struct evaluation *e, json_t *line, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RESUME);
	double scale = number_of(line, "scale");
	if (!e->runs)
		e->scale = scale;
	if (scale >= e->scale && scale <= e->scale)
		return true;
	sw_diag_set(diag, SW_L13, line_span(e->run->position->text, word->raw),
		"what '%.100s' has was run at a scale of %g", e->journal_name, scale);
	sw_diag_expected(diag, "%g", e->scale);
	sw_diag_hint(diag, "`--scale %g` goes on with it", scale);
	return false;
}

static bool take_run_line(struct evaluation *e, json_t *line, int n)
{
	e->problem[n].ran = true;
	for (int s = 0; s < e->strategies; s++) {
		json_t *one = plan_of(e, line, s);
		struct evaluated_plan *plan = &e->problem[n].plan[s];
		plan->seconds = number_of(one, "measured_s");
		plan->ran_cost = number_of(one, "model_cost");
		plan->ran_bytes = number_of(one, "bytes");
	}
	return true;
}

static bool is_whole_problem(const struct evaluation *e, json_t *line)
{
	static const char *const texts[] = {"mesh", "from", "to"};
	bool whole = json_integer_value(json_object_get(line, "number")) == e->count + 1 &&
		json_integer_value(json_object_get(line, "dtype_bytes")) > 0;
	for (int i = 0; i < 3; i++)
		whole = whole && json_is_string(json_object_get(line, texts[i]));
	for (int s = 0; s < e->strategies; s++)
		whole = whole && plan_of(e, line, s);
	return whole;
}

static bool take_line(struct evaluation *e, json_t *line, int number, sw_diag *diag)
{
	const char *schema = json_string_value(json_object_get(line, "schema"));
	int64_t n = json_integer_value(json_object_get(line, "number"));
	if (schema && strcmp(schema, PROBLEM_SCHEMA) == 0 && is_whole_problem(e, line))
		return take_problem_line(e, line, diag);
	if (schema && strcmp(schema, RUN_SCHEMA) == 0 && n >= 1 && n <= e->count)
		return check_scale(e, line, diag) && take_run_line(e, line, (int)n - 1);
	return refuse_line(e, number, "is no problem of an evaluation", diag);
}

/* Is the first line about the same evaluation?  What differs is named. */
static bool check_start(const struct evaluation *e, json_t *found, sw_diag *diag)
{
	sw_text line = {0};
	struct fields *fields = fields_new(e->scratch);
	start_line(e, fields);
	const char *key;
	json_t *value, *wanted = fields_line(fields, &line, diag) ? json_loads(sw_text_get(&line), 0, NULL) : NULL;
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
		sw_diag_hint(diag, "name another file, or ask for the same; `--problems` and `--run` may grow");
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
		json_t *line = json_loadb(at, (size_t)(end - at), 0, NULL);
		ok = line ? number ? take_line(e, line, number + 1, diag) : check_start(e, line, diag) :
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
	struct fields *fields = fields_new(e->scratch);
	start_line(e, fields);
	bool ok = fields_line(fields, &line, diag) && write_line(e, &line, diag);
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
	if (!read_journal(e, &whole, diag))
		return diag->at.end ? false : refuse_at_file(e->run, word, diag);
	if (e->count > e->problems)
		e->count = (int)e->problems;
	e->resumed = e->count;
	e->journal = fopen(e->journal_name, "ae");
	return e->journal ? whole || begin_journal(e, diag) : refuse_writing(e, diag);
}
