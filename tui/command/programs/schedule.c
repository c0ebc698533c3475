/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of schedules: schedule, param.
 */
#include "command/programs/schedule.h"

#include <stdio.h>

#include <shardwalk/number.h>

#include "answer/watch.h"
#include "answer/words.h"
#include "command/compare/taken.h"
#include "command/programs/algorithm.h"
#include "session/schedules.h"
#include "views/scheduled.h"

/* ---- what is said of it ---- */

static void answer_notation(const sw_schedule *schedule, struct document *answer)
{
	sw_text text = {0};

	sw_schedule_print(schedule, &text);
	document_say(answer, 4, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* A command on one line, with one blank where there are several, and none before a comma or a bracket that closes. */
static void print_line(sw_str command, sw_text *text)
{
	for (size_t i = 0; i < command.length; i++) {
		size_t behind = i;
		while (behind < command.length &&
			(command.at[behind] == ' ' || command.at[behind] == '\t' || command.at[behind] == '\n'))
			behind++;
		if (behind > i && behind < command.length && command.at[behind] != ',' && command.at[behind] != ')')
			sw_text_add_char(text, ' ');
		i = behind;
		if (i < command.length)
			sw_text_add_char(text, command.at[i]);
	}
}

/* The commands, one a line, as they can be typed again. */
static void answer_commands(const sw_schedule *schedule, struct document *answer)
{
	for (int k = 0; k < schedule->commands; k++) {
		sw_text command = {0};
		print_line(sw_schedule_command_text(schedule, k), &command);
		document_line(answer, "%s.%s", k == 0 ? "schedule " : "", sw_text_get(&command));
		sw_text_free(&command);
	}
}

static bool answer_schedule(const struct invocation *run, bool commands, sw_diag *diag)
{
	struct schedule_look look;
	struct watch watch;
	bool ok;

	if (!session_schedule_look(run->session, &look, diag))
		return false;
	if (commands)
		answer_commands(look.schedule, run->answer);
	answer_notation(look.schedule, run->answer);
	watch_start(&watch, run->session->console);
	ok = schedule_say(&look, &watch.pulse, run->answer, diag) &&
		schedule_fields(&look, &watch.pulse, document_fields(run->answer, "shardwalk.schedule/1"), diag);
	watch_end(&watch);
	return ok;
}

/* An algorithm, or another row of `compare`. */
static bool take_row(struct invocation *run, sw_str text, sw_diag *diag)
{
	bool schedule = true, own = sw_str_is(text, "own");

	if (!own && !taken_set_own_aside(run->session, diag))
		return false;
	if (!(algorithm_begins(text) ? algorithm_take(run, text, &schedule, diag) :
								   taken_take(run, text, &schedule, diag)))
		return false;
	if (!own && (schedule || !algorithm_begins(text)))
		taken_is_row(run->session);
	return !schedule || answer_schedule(run, true, diag);
}

bool command_schedule(struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0);

	if (word == NULL)
		return session_schedule(run->session, diag) != NULL && answer_schedule(run, true, diag);
	if (algorithm_begins(word->raw) || taken_begins(word->raw))
		return take_row(run, word->raw, diag);
	if (!session_read_schedule(run->session, word->raw, diag))
		return refuse_at(run, word->raw, diag);
	return answer_schedule(run, false, diag);
}

/* ---- running it here ---- */

bool schedule_is_subject(const struct state *state)
{
	return state->subject == SUBJECT_SCHEDULE && state->entered == 0 && session_kept_schedule(state) != NULL;
}

/* Bytes of all arrays and buffers. */
static bool fits(const struct invocation *run, const sw_lowering *lowering, sw_diag *diag)
{
	int64_t memory = option_setting(run, OPTION_MEMORY)->size.count, bytes;
	sw_schedule_totals totals;

	if (option_given(run, OPTION_FULL) != NULL)
		return true;
	if (!sw_lowering_totals(lowering, false, NULL, run->arena, &totals, diag))
		return false;
	if (sw_mul(totals.most_peak, lowering->schedule->problem->mesh->devices * 8, &bytes) && bytes <= memory)
		return true;
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what devices hold takes %s",
		words_bytes(totals.most_peak * lowering->schedule->problem->mesh->devices, SW_F64).text);
	sw_diag_expected(diag, "at most %s", words_bytes(memory / 8, SW_F64).text);
	sw_diag_hint(diag, "`simulate --memory 8GiB`, or --full for no limit");
	return false;
}

static bool run_here(const struct invocation *run, const sw_lowering *lowering, sw_schedule_result *result,
	sw_diag *diag)
{
	struct watch watch;
	sw_schedule_result whole;
	bool ok;

	watch_start(&watch, run->session->console);
	ok = sw_lowering_run(lowering, &watch.pulse, run->arena, result, diag);
	watch_end(&watch);
	if (!ok || !sw_schedule_reference(lowering->schedule->problem, run->arena, &whole, diag))
		return false;
	if (whole.checksum == result->checksum && whole.sum == result->sum)
		return true;
	return sw_diag_set(diag, SW_P04, (sw_span){0, 0}, "the checksum is %lld, but one device computes %lld",
		(long long)result->checksum, (long long)whole.checksum);
}

bool schedule_simulate(struct invocation *run, sw_diag *diag)
{
	const struct kept_schedule *kept = session_schedule(run->session, diag);
	struct fields *fields;
	sw_schedule_result result;

	if (kept == NULL || !fits(run, kept->lowering, diag) || !run_here(run, kept->lowering, &result, diag))
		return false;
	document_say(run->answer, 0, "right: checksum %lld, sum %lld, as on one device; %s, each computed once",
		(long long)result.checksum, (long long)result.sum, words_plural(result.points, "point", "points").text);
	fields = document_fields(run->answer, "shardwalk.schedule_run/1");
	field_int(fields, "sum", result.sum);
	field_int(fields, "checksum", result.checksum);
	field_ints(fields, "first", result.first, result.firsts);
	field_int(fields, "points", result.points);
	return true;
}

/* ---- numbers with names ---- */

static bool is_name(sw_str name)
{
	bool letters = name.length > 0 && name.length < SW_NAME_SIZE && (name.at[0] < '0' || name.at[0] > '9');

	for (size_t k = 0; k < name.length && letters; k++)
		letters = (name.at[k] >= 'a' && name.at[k] <= 'z') || (name.at[k] >= 'A' && name.at[k] <= 'Z') ||
			(name.at[k] >= '0' && name.at[k] <= '9') || name.at[k] == '_';
	return letters;
}

static void list_params(const struct session *session, struct document *answer)
{
	struct fields *list = field_object(document_fields(answer, "shardwalk.params/1"), "params");

	for (const struct kept_param *param = session->state.params; param != NULL; param = param->next) {
		if (session_param(&session->state, sw_str_of(param->name)) != param)
			continue;
		document_line(answer, "param %s = %lld", param->name, (long long)param->value);
		field_int(list, param->name, param->value);
	}
	if (session->state.params == NULL)
		document_line(answer, "no number has a name yet; param chunkSize = 3 names one");
}

static bool refuse_param(const struct invocation *run, sw_str at, const char *expected, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "this is not a %s", expected);
	sw_diag_expected(diag, "NAME = NUMBER");
	sw_diag_hint(diag, "for instance: param chunkSize = 3");
	return refuse_at(run, at, diag);
}

bool command_param(struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	int64_t value;

	if (word == NULL) {
		list_params(run->session, run->answer);
		return true;
	}
	sw_str text = word->raw;
	size_t equals = sw_str_outside(text, 0, SW_NESTING_PLAIN, "=");
	sw_str name = sw_str_trim((sw_str){text.at, equals});
	sw_str number = sw_str_trim(sw_str_behind(text, equals + (equals < text.length)));
	if (!is_name(name))
		return refuse_param(run, name.length > 0 ? name : text, "name", diag);
	if (!sw_read_int(number, &value, NULL))
		return refuse_param(run, number.length > 0 ? number : text, "number", diag);
	return session_name_param(run->session, name, value, diag);
}

/* ---- saving ---- */

/* Older numbers first. */
static void save_params(const struct state *state, const struct kept_param *param, sw_text *text)
{
	if (param == NULL)
		return;
	save_params(state, param->next, text);
	if (session_param(state, sw_str_of(param->name)) == param)
		sw_text_addf(text, "param %s = %lld\n", param->name, (long long)param->value);
}

void schedule_save_params(const struct state *state, sw_text *text)
{
	save_params(state, state->params, text);
}

/* Do the names of numbers in the last command stand for the same today? */
static bool means_the_same(const struct state *state, const sw_schedule *schedule)
{
	const sw_mesh *mesh = schedule->problem->mesh;
	bool same = true;

	for (int k = 0; k < schedule->numbers && same; k++) {
		const struct kept_param *param = session_param(state, schedule->number[k].name);
		int axis = param == NULL ? sw_mesh_find(mesh, schedule->number[k].name) : -1;
		same = param != NULL ? param->value == schedule->number[k].value :
							   axis >= 0 && mesh->axis[axis].size == schedule->number[k].value;
	}
	return same;
}

void schedule_save(const struct state *state, sw_text *text)
{
	const struct kept_schedule *kept = session_kept_schedule(state);

	for (int k = 0; kept != NULL && k < kept->schedule->commands; k++) {
		const sw_schedule *after = sw_schedule_after(kept->schedule, k);
		sw_text command = {0};

		if (means_the_same(state, after))
			sw_text_add_str(&command, after->command);
		else
			sw_schedule_print_command(kept->schedule, k, &command);
		sw_text_add(text, "schedule .");
		print_line((sw_str){sw_text_get(&command), command.length}, text);
		sw_text_add_char(text, '\n');
		sw_text_free(&command);
	}
}
