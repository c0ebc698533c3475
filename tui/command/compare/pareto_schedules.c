/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pareto of the last formula.
 *
 * A schedule trades memory for messages in the loop in time that cuts what is fetched: it is read again with other numbers of parts.
 */
#include "command/compare/pareto_schedules.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/watch.h"
#include "answer/words.h"
#include "command/compare/compare_schedules.h"
#include "command/programs/algorithm.h"
#include "session/schedules.h"

#define POINTS_MOST 64
#define SENDERS_MOST (1 << 16) /* steps of processors, of which it is looked at who sends */

struct front {
	struct invocation *run;
	struct contest *contest;
	const struct kept_schedule *kept; /* NULL: there is none */
	int64_t smallest;                 /* live memory of all that were looked at */
	int count;
	struct contender point[POINTS_MOST + 1];
	sw_diag *diag;
};

/* ---- what is kept ---- */

/* Does no number speak for a? */
static bool beaten(const struct contest *contest, const struct contender *a, const struct contender *by)
{
	bool better = contest->by_time ? by->predicted <= a->predicted * (1 + 1e-9) :
									 by->volume <= a->volume && by->steps <= a->steps;

	return better && by->peak <= a->peak;
}

/* From the most memory to the least. */
static void keep(struct front *front, struct contender *one)
{
	int left = 0, at;

	front->smallest = sw_smaller(front->smallest, one->peak);
	contest_predict(front->contest, one);
	for (int k = 0; k < front->count; k++)
		if (beaten(front->contest, one, &front->point[k]))
			return;
	for (int k = 0; k < front->count; k++)
		if (!beaten(front->contest, &front->point[k], one))
			front->point[left++] = front->point[k];
	if (one->peak > front->contest->live || left >= POINTS_MOST) {
		front->count = left;
		return;
	}
	for (at = left; at > 0 && front->point[at - 1].peak < one->peak; at--)
		front->point[at] = front->point[at - 1];
	front->point[at] = *one;
	front->count = left + 1;
}

/* ---- a schedule in other numbers of steps ---- */

/* Argument n (from 0) of a command, without blanks around it. */
static sw_str argument_of(sw_str command, int n)
{
	size_t from = (size_t)((const char *)memchr(command.at, '(', command.length) - command.at) + 1, to;

	for (to = from; to < command.length && (n > 0 || (command.at[to] != ',' && command.at[to] != ')')); to++)
		if (command.at[to] == ',') {
			n--;
			from = to + 1;
		}
	return sw_str_trim((sw_str){command.at + from, to - from});
}

static bool begins(sw_str command, const char *word)
{
	size_t length = strlen(word);

	return command.length > length && memcmp(command.at, word, length) == 0 &&
		(command.at[length] == '(' || command.at[length] == ' ');
}

/* Is a loop one in time, by its own name or by that of what it is rotated to? */
static bool is_in_time(const sw_schedule *schedule, sw_str name)
{
	int loop = sw_schedule_find(schedule, name);

	for (int n = 0; n < schedule->commands && loop < 0; n++) {
		sw_str command = sw_schedule_command_text(schedule, n);
		if (begins(command, "rotate") && sw_str_equal(argument_of(command, 0), name))
			return true;
	}
	return loop >= 0 && !schedule->loop[loop].distributed && !schedule->loop[loop].leaf;
}

/* The number of the last command that cuts a loop in steps; -1: there is none. */
static int cut_of(const sw_schedule *schedule)
{
	for (int n = schedule->commands - 1; n >= 0; n--) {
		sw_str command = sw_schedule_command_text(schedule, n);
		if ((begins(command, "divide") || begins(command, "split")) && is_in_time(schedule, argument_of(command, 1)))
			return n;
	}
	return -1;
}

static const sw_schedule *before_command(const sw_schedule *schedule, int n)
{
	while (schedule->commands > n)
		schedule = schedule->before;
	return schedule;
}

/* All commands behind command `cut`, which has other parts; NULL: it is refused. */
static const sw_schedule *with_steps(const sw_schedule *schedule, int cut, int64_t extent, int64_t steps,
	sw_arena *arena, sw_diag *diag)
{
	const sw_schedule *made = before_command(schedule, cut);
	sw_str command = sw_schedule_command_text(schedule, cut);
	sw_str last = argument_of(command, 3);
	int64_t number = begins(command, "split") ? (extent - 1) / steps + 1 : steps;
	sw_text text = {0};
	const char *kept;

	sw_text_addf(&text, "%.*s%lld)", (int)(last.at - command.at), command.at, (long long)number);
	for (int n = cut + 1; n < schedule->commands; n++) {
		sw_text_add_char(&text, '.');
		sw_schedule_print_command(schedule, n, &text);
	}
	kept = sw_text_keep(&text, arena);
	if (kept == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	return sw_schedule_read(made, sw_str_of(kept), arena, NULL, diag);
}

static bool add_schedule(struct front *front, const sw_schedule *schedule)
{
	struct watch watch;
	sw_schedule_totals totals;
	struct contender one;
	const sw_lowering *lowering = sw_lowering_of(schedule, front->run->arena, front->diag);
	bool ok, senders;

	if (lowering == NULL)
		return front->diag->code != SW_E01;
	senders = lowering->steps <= SENDERS_MOST && lowering->steps * front->contest->processors <= SENDERS_MOST;
	watch_start(&watch, front->run->session->console);
	ok = sw_lowering_totals(lowering, senders, &watch.pulse, front->run->arena, &totals, front->diag);
	watch_end(&watch);
	if (!ok)
		return false;
	contender_of_totals(lowering, &totals, &one);
	keep(front, &one);
	return true;
}

static bool add_steps(struct front *front, int cut, int64_t extent, int64_t steps)
{
	sw_diag why;
	const sw_schedule *schedule = with_steps(front->kept->schedule, cut, extent, steps, front->run->arena, &why);

	if (schedule != NULL)
		return add_schedule(front, schedule);
	if (why.code == SW_E01)
		*front->diag = why;
	return why.code != SW_E01;
}

/* Powers of two, and single elements. */
static bool find_steps(struct front *front)
{
	const sw_schedule *schedule = front->kept->schedule;
	int cut = cut_of(schedule);

	if (!add_schedule(front, schedule) || cut < 0)
		return cut < 0 && front->count > 0;
	const sw_schedule *before = before_command(schedule, cut);
	int loop = sw_schedule_find(before, argument_of(sw_schedule_command_text(schedule, cut), 0));
	assert(loop >= 0);
	int64_t extent = before->loop[loop].extent;
	for (int64_t steps = 1; steps < extent; steps *= 2)
		if (!add_steps(front, cut, extent, steps))
			return false;
	return add_steps(front, cut, extent, extent);
}

/* ---- all schedules of the family ---- */

static bool find_grids(struct front *front)
{
	sw_scheme scheme;
	sw_grid_question question;
	const sw_grid_choice *choice;
	sw_grid_choice best;

	if (!contest_family(front->contest, &scheme, &question, front->diag))
		return false;
	int count = sw_grid_front(&question, front->run->arena, &choice);
	if (count < 0)
		return sw_diag_memory(front->diag);
	if (count == 0 && sw_grid_choose(&question, &best, 1, &front->smallest, front->diag) == 0)
		return front->diag->code == SW_S01;
	for (int k = 0; k < count && front->count < POINTS_MOST; k++) {
		sw_recipe *recipe = SW_NEW(front->run->arena, sw_recipe, 1);
		struct contender one;
		if (recipe == NULL)
			return sw_diag_memory(front->diag);
		if (!contest_recipe(front->contest, &choice[k].scheme, front->run->arena, recipe, front->diag) ||
			!contender_of_recipe(recipe, front->contest->processors, front->run->arena, &one, front->diag))
			return false;
		keep(front, &one);
	}
	return true;
}

/* ---- the answer ---- */

static bool refuse_memory(const struct front *front)
{
	sw_diag_set(front->diag, SW_S01, (sw_span){0, 0}, "no schedule fits into that memory");
	sw_diag_expected(front->diag, "at least %lld elements on a device", (long long)front->smallest);
	sw_diag_found(front->diag, "%lld", (long long)front->contest->live);
	return refuse_budget(front->run, front->diag);
}

static void add_sentence(const struct front *front, sw_text *text)
{
	const struct contender *most = &front->point[0], *least = &front->point[front->count - 1];

	sw_text_addf(text, "live memory goes from %s elements in %s", words_count(most->peak).text,
		words_plural(most->steps, "step", "steps").text);
	sw_text_addf(text, " to %s in %s; ", words_count(least->peak).text, words_count(least->steps).text);
	if (most->volume == least->volume)
		sw_text_addf(text, "%s moved in both", words_plural(most->volume, "element is", "elements are").text);
	else
		sw_text_addf(text, "%s moved, and %s", words_plural(most->volume, "element is", "elements are").text,
			words_count(least->volume).text);
}

static bool answer(const struct front *front)
{
	struct document *document = front->run->answer;
	struct fields *out = document_fields(document, "shardwalk.pareto-schedules/1");
	unsigned timed = front->contest->rates.bandwidth > 0 ? CONTENDERS_TIMED : 0;
	const struct rows rows = contenders_rows(front->point, front->count, CONTENDERS_NUMBERED | timed);
	sw_text text = {0};

	field_text(out, "statement", front->contest->statement);
	field_text(out, "by", front->contest->by_time ? "time" : "volume");
	if (!rows_answer(&rows, document, out, "schedules", front->diag))
		return false;
	if (front->count > 1) {
		add_sentence(front, &text);
		document_say(document, 0, "%s", sw_text_get(&text));
		sw_text_free(&text);
	}
	document_say(document, 0, "`pareto N` takes one of them");
	return true;
}

/* ---- one of them ---- */

static bool take_own(const struct front *front, const sw_schedule *schedule)
{
	struct session *session = front->run->session;
	sw_text text = {0};
	bool ok;

	for (int n = 0; n < schedule->commands; n++) {
		sw_str command = sw_schedule_command_text(schedule, n);
		sw_text_addf(&text, ".%.*s\n", (int)command.length, command.at);
	}
	session->state.schedule = NULL;
	ok = session_read_schedule(session, (sw_str){sw_text_get(&text), text.length}, front->diag);
	sw_text_free(&text);
	return ok;
}

static bool take(const struct front *front)
{
	int64_t number;

	if (!read_count(front->run, argument(front->run, 0), 1, front->count, &number, front->diag))
		return false;
	const struct contender *one = &front->point[number - 1];
	if (!(one->recipe != NULL ? algorithm_take_recipe(front->run, one->recipe, false, front->diag) :
								take_own(front, one->schedule)))
		return false;
	field_int(document_fields(front->run->answer, "shardwalk.taken/1"), "number", number);
	document_say(front->run->answer, 0, "it is now the schedule: %s, %s moved, %s live",
		words_plural(one->steps, "step", "steps").text, words_plural(one->volume, "element", "elements").text,
		words_count(one->peak).text);
	return true;
}

bool pareto_schedules(struct invocation *run, sw_diag *diag)
{
	struct front *front = SW_NEW_ZERO(run->arena, struct front, 1);

	if (front == NULL)
		return sw_diag_memory(diag);
	front->run = run;
	front->diag = diag;
	front->smallest = INT64_MAX;
	front->kept = session_kept_schedule(&run->session->state);
	front->contest = SW_NEW_ZERO(run->arena, struct contest, 1);
	if (front->contest == NULL)
		return sw_diag_memory(diag);
	if (!contest_begin(run, front->contest, diag) || !(front->kept != NULL ? find_steps(front) : find_grids(front)))
		return false;
	if (front->count == 0)
		return refuse_memory(front);
	return argument(run, 0) != NULL ? take(front) : answer(front);
}
