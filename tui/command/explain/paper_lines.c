/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements that explain an artefact, run in a session of their own: their answers, and numbers in them beside those that a
 * paper prints.
 */
#include "command/explain/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/json.h>
#include <shardwalk/json_read.h>
#include <shardwalk/number.h>

#include "command/command.h"
#include "views/draw.h"

/* A session with nothing defined, and the line that it runs. */
struct aside {
	struct session session;
	struct position position;
	sw_arena *arena;
};

static struct aside *aside_start(struct session *session, sw_arena *arena, sw_diag *diag)
{
	struct aside *aside = SW_NEW_ZERO(arena, struct aside, 1);
	if (!aside || !session_init(&aside->session, session->console)) {
		sw_diag_memory(diag);
		return NULL;
	}
	aside->arena = arena;
	aside->position.file = "explain";
	return aside;
}

/* The settings of the user's session dress the console again. */
static void aside_end(struct aside *aside, struct session *session)
{
	session_end(&aside->session);
	answer_dress(session);
}

/* The next statement of a row; false at the end. */
static bool next_statement(const char **lines, sw_str *statement)
{
	if (!**lines)
		return false;
	const char *end = strstr(*lines, "; ");
	size_t length = end ? (size_t)(end - *lines) : strlen(*lines);
	*statement = (sw_str){*lines, length};
	*lines += length + (end ? 2 : 0);
	return true;
}

/* The statements of a row are ours: what they remark is not shown, and a failure of one has no place in the user's line. */
static bool aside_run(struct aside *aside, sw_str statement, struct document *answer, sw_diag *diag)
{
	struct console *console = aside->session.console;
	bool quiet = console->quiet;
	aside->position.text = statement;
	console->quiet = true;
	bool ok = statement_answer(&aside->session, &aside->position, statement, aside->arena, answer, diag);
	console->quiet = quiet;
	if (ok)
		return true;
	diag->at = diag->also = (sw_span){0, 0};
	return false;
}

/* ---- answers ---- */

static void tell_statement(sw_str statement, struct document *answer)
{
	struct canvas *canvas = narrow_canvas(answer);
	sw_text line = {0};
	sw_text_addf(&line, "> %.*s", (int)statement.length, statement.at);
	canvas_put_wrapped(canvas, 0, 0, canvas->width, 2, ROLE_OP, sw_text_get(&line));
	sw_text_free(&line);
}

/* What a statement is refused with, that is to be. */
static void tell_refusal(const sw_diag *diag, struct document *answer)
{
	struct canvas *canvas = narrow_canvas(answer);
	sw_text line = {0};
	sw_text_addf(&line, "refused, %s: %s", sw_code_info_of(diag->code)->name, diag->message);
	canvas_put_wrapped(canvas, 0, 0, canvas->width, 2, ROLE_WALL, sw_text_get(&line));
	sw_text_free(&line);
}

/* One with `!` in front is to be refused. */
static bool run_shown(struct aside *aside, sw_str statement, struct document *answer, sw_diag *diag)
{
	struct document part;
	bool refused = *statement.at == '!';
	if (refused)
		statement = sw_str_trim((sw_str){statement.at + 1, statement.length - 1});
	document_start(&part, answer->width);
	tell_statement(statement, answer);
	bool ok = aside_run(aside, statement, &part, diag);
	document_join(answer, &part);
	if (!refused || ok)
		return ok;
	tell_refusal(diag, answer);
	return true;
}

bool paper_lines_answer(struct session *session, const char *lines, sw_arena *arena, struct document *answer,
	sw_diag *diag)
{
	struct aside *aside = aside_start(session, arena, diag);
	sw_str statement;
	if (!aside)
		return false;
	bool ok = true;
	document_line(answer, "%s", "");
	while (ok && next_statement(&lines, &statement))
		ok = run_shown(aside, statement, answer, diag);
	aside_end(aside, session);
	return ok;
}

/* ---- numbers ---- */

static const struct {
	const char *name;
	double scale;
} scales[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"KiB", 1024}, {"MiB", 1048576},
	{"GiB", 1073741824}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}};

static double scale_of(const char *unit)
{
	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
		size_t length = strlen(scales[i].name);
		bool ends = strncmp(unit, scales[i].name, length) == 0 && !strchr("abcdefghijklmnopqrstuvwxyz", unit[length]);
		if (ends || (strncmp(unit, scales[i].name, length) == 0 && !unit[length]))
			return scales[i].scale;
	}
	return 1;
}

/* A number as people print it, "about 11.6 us", "1 048 576 B": its value, and half a unit of its last digit that is not a zero
 * before the point.  false: it begins with none. */
static bool read_quantity(const char *text, double *value, double *half)
{
	char digits[32];
	int count = 0, point = -1, last = 0;
	const char *at = strncmp(text, "about ", 6) == 0 ? text + 6 : text;
	for (; count < 31; at++) {
		bool blank = *at == ' ' && at[1] >= '0' && at[1] <= '9' && count;
		if (blank)
			continue;
		if (*at == '.' && at[1] >= '0' && at[1] <= '9' && point < 0)
			point = count;
		else if (*at < '0' || *at > '9')
			break;
		last = *at != '0' || point >= 0 ? count : last;
		digits[count++] = *at;
	}
	digits[count] = '\0';
	if (!count)
		return false;
	double scale = scale_of(*at == ' ' ? at + 1 : at);
	*value = strtod(digits, NULL) * scale;
	*half = 0.5 * scale * pow(10, point >= 0 ? point - last : count - 1 - last);
	if (at != text && strncmp(text, "about ", 6) == 0)
		*half = fmax(*half, 0.1 * *value);
	return true;
}

/* What stands behind words in a text, up to the end of the line or a comma, as a number. */
static bool behind_words(const char *text, const char *words, double *value)
{
	double half;
	const char *at = strstr(text, words);
	if (!at)
		return false;
	at += strlen(words);
	return read_quantity(at + strspn(at, " "), value, &half);
}

/* What stands in front of words, from the beginning of their line. */
static bool before_words(const char *text, const char *words, double *value)
{
	double half;
	const char *at = strstr(text, words);
	if (!at)
		return false;
	while (at > text && at[-1] != '\n')
		at--;
	return read_quantity(at + strspn(at, " "), value, &half);
}

/* Is the number in the text of the answer, and not in its JSON? */
static bool is_in_words(const char *key)
{
	return *key == '~' || *key == '<';
}

static bool number_at(const sw_text *json, const char *key, double *value)
{
	sw_str text = {sw_text_get(json), json->length};
	sw_span at = sw_json_locate(text, key);
	char *end;
	*value = strtod(text.at + at.begin, &end);
	return end != text.at + at.begin;
}

/* Runs the statements; the answer of the last one is `text`, as JSON or as words. */
static bool ask(struct session *session, const char *lines, bool json, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	static const struct canvas_style plain = {0};
	struct aside *aside = aside_start(session, arena, diag);
	sw_str statement;
	bool ok = aside != NULL;
	if (!ok)
		return false;
	while (ok && next_statement(&lines, &statement)) {
		struct document answer;
		aside->session.json = json && !*lines;
		document_start(&answer, 80);
		ok = aside_run(aside, statement, &answer, diag);
		if (ok && !*lines)
			ok = json ? document_write_json(&answer, true, text, diag) :
						document_write_text(&answer, &plain, true, text, diag);
		document_clear(&answer);
	}
	aside_end(aside, session);
	return ok;
}

static bool number_of(const char *key, const sw_text *answer, double *value)
{
	const char *text = sw_text_get(answer);
	return *key == '~' ? behind_words(text, key + 1, value) :
		*key == '<'    ? before_words(text, key + 1, value) :
						 number_at(answer, key, value);
}

static bool find_number(const struct printed *row, const sw_text *answer, double *value, sw_diag *diag)
{
	double divisor = 1;
	bool found = number_of(row->key, answer, value) && (!row->over || number_of(row->over, answer, &divisor));
	if (!found)
		return sw_diag_set(diag, SW_P06, (sw_span){0, 0}, "the answer to `%s` has no '%s'",
			row->lines ? row->lines : "", row->key);
	*value = *value / divisor * (row->times ? row->times : 1);
	return true;
}

static struct words words_of_value(char unit, double value)
{
	if (unit == 's')
		return words_seconds(value);
	if (unit == 'B')
		return words_bytes(sw_nearest(value), SW_I8);
	if (unit != 'x' && value == floor(value) && fabs(value) < 1e15)
		return words_count((int64_t)value);
	struct words words;
	snprintf(words.text, sizeof(words.text), unit == 'x' ? "%.3g x" : "%.4g", value);
	return words;
}

/* Is what is printed another number than what was found? */
static bool is_off(const struct printed *row, double value)
{
	double printed, half;
	return row->print && row->why && read_quantity(row->print, &printed, &half) &&
		fabs(value - printed) > half * (1 + 1e-9);
}

static const struct column columns[] = {
	{.head = "what", .role = ROLE_TEXT, .fit = CELL_WRAP, .most = 48},
	COLUMN_RIGHT("here", ROLE_NUMBER),
	{.head = "printed", .right = true, .role = ROLE_DIM, .optional = true},
	{0},
};

static void tell_reasons(const struct artefact *artefact, const double *values, struct document *answer)
{
	struct canvas *canvas = narrow_canvas(answer);
	const struct printed *told = NULL;
	int y = 0;
	for (int n = 0; artefact->printed[n].what; n++) {
		const struct printed *row = &artefact->printed[n];
		if (!is_off(row, values[n]) || (told && strcmp(told->print, row->print) == 0))
			continue;
		told = row;
		int x = canvas_putf(canvas, 0, y, ROLE_LABEL, "%s is printed: ", row->print);
		y = canvas_put_wrapped(canvas, x, y, canvas->width - x, 0, ROLE_TEXT, row->why);
	}
}

/* Runs what each row asks, once for rows that read the same answer. */
static bool find_all(struct session *session, const struct artefact *artefact, double *values, sw_arena *arena,
	sw_diag *diag)
{
	sw_text answer = {0};
	const char *lines = NULL;
	bool json = false, ok = true;
	for (int n = 0; ok && artefact->printed[n].what; n++) {
		const struct printed *row = &artefact->printed[n];
		bool wants = !is_in_words(row->key);
		if (row->lines || wants != json) {
			lines = row->lines ? row->lines : lines;
			json = wants;
			sw_text_clear(&answer);
			ok = ask(session, lines, json, arena, &answer, diag);
		}
		ok = ok && find_number(row, &answer, &values[n], diag);
	}
	sw_text_free(&answer);
	return ok;
}

/* The numbers of a row, `*count` of them. */
static double *find_values(struct session *session, const struct artefact *artefact, sw_arena *arena, int *count,
	sw_diag *diag)
{
	for (*count = 0; artefact->printed[*count].what;)
		++*count;
	double *values = SW_NEW_ZERO(arena, double, *count);
	if (!values)
		sw_diag_memory(diag);
	return values && find_all(session, artefact, values, arena, diag) ? values : NULL;
}

static void add_number(struct table *table, const struct printed *row, double value)
{
	table_add(table, "%s", row->what);
	table_add(table, "%s", words_of_value(row->unit, value).text);
	table_add(table, "%s%s", row->print ? row->print : "", row->print && !row->why ? " measured" : "");
}

/* Options side by side: a column each, whose numbers follow each other.  Returns how many numbers there are. */
static int tell_options(const struct printed *row, const double *values, struct document *answer)
{
	struct column heads[TABLE_COLUMNS] = {COLUMN_LEFT("what", ROLE_TEXT)};
	int count = 0, options = 0;
	for (; row[count].what && row[count].option; count++)
		if (!count || strcmp(row[count].option, row[count - 1].option) != 0)
			heads[++options] = (struct column)COLUMN_RIGHT(row[count].option, ROLE_NUMBER);
	if (!count)
		return 0;
	struct table *table = document_table(answer, heads);
	for (int n = 0; n < count / options; n++) {
		table_add(table, "%s", row[n].what);
		for (int at = n; at < count; at += count / options)
			table_add(table, "%s", words_of_value(row[at].unit, values[at]).text);
	}
	document_line(answer, "%s", "");
	return count;
}

bool paper_printed_answer(struct session *session, const struct artefact *artefact, sw_arena *arena,
	struct document *answer, sw_diag *diag)
{
	int count;
	double *values = find_values(session, artefact, arena, &count, diag);
	if (!values)
		return false;
	document_line(answer, "%s", "");
	int told = tell_options(artefact->printed, values, answer);
	struct table *table = document_table(answer, columns);
	for (int n = told; n < count; n++)
		add_number(table, &artefact->printed[n], values[n]);
	tell_reasons(artefact, values, answer);
	return true;
}

/* ---- how many agree ---- */

static bool is_near(const struct printed *row, double value)
{
	double printed, half;
	return read_quantity(row->print, &printed, &half) && value <= printed * AGREEMENT_NEAR &&
		printed <= value * AGREEMENT_NEAR;
}

static bool agrees(const struct printed *row, double value)
{
	return row->why ? !is_off(row, value) : is_near(row, value);
}

static void add_agreement(const struct printed *row, double value, struct agreement *sum)
{
	++*(row->why ? &sum->printed : &sum->measured);
	*(row->why ? &sum->agree : &sum->near) += agrees(row, value);
}

static void add_number_fields(const struct printed *row, double value, struct fields *fields)
{
	struct fields *one = field_object(fields, NULL);
	field_text(one, "what", row->what);
	field_number(one, "found", value);
	field_text(one, "printed", row->print);
	field_bool(one, "measured", !row->why);
	field_bool(one, "agrees", agrees(row, value));
}

bool paper_printed_verify(const struct invocation *run, const struct artefact *artefact, struct fields *fields,
	struct agreement *sum, struct document *others, sw_diag *diag)
{
	int count;
	double *values = find_values(run->session, artefact, run->arena, &count, diag);
	if (!values)
		return false;
	struct table *table = document_table(others, columns);
	for (int n = 0; n < count; n++) {
		const struct printed *row = &artefact->printed[n];
		if (!row->print)
			continue;
		add_agreement(row, values[n], sum);
		add_number_fields(row, values[n], fields);
		if (!agrees(row, values[n]))
			add_number(table, row, values[n]);
	}
	tell_reasons(artefact, values, others);
	return true;
}
