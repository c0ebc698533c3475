/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `compare` says of the last formula: the table, what is left out, and why the first is the first.
 */
#include "command/compare/compare_schedules.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/words.h"

/* ---- why ---- */

/* The first that is worse than the winner; NULL: none is. */
static const struct contender *next_of(const struct contest *contest)
{
	for (int n = 1; n < contest->count; n++)
		if (contest_is_better(contest, &contest->contender[0], &contest->contender[n]))
			return &contest->contender[n];
	return NULL;
}

/* Those that are as good as the winner, between that and `next`: "owner and own". */
static int add_equals(const struct contest *contest, const struct contender *next, sw_text *text)
{
	int count = next != NULL ? (int)(next - contest->contender) : contest->count;

	for (int n = 1; n < count; n++)
		sw_text_addf(text, "%s%s", n == 1 ? "" : n == count - 1 ? " and " : ", ", contest->contender[n].name);
	return count - 1;
}

static double percent_less(double little, double much)
{
	return much > 0 ? 100 * (1 - little / much) : 0;
}

/* Of which arrays it moves less, and of which more. */
static void add_arrays(const struct contender *first, const struct contender *next, sw_text *text)
{
	static const char *const words[] = {"less", "more"};
	const char *before = ": ";

	for (int more = 0; more < 2; more++)
		for (int n = 0; n < first->arrays && n < next->arrays; n++) {
			int64_t by = first->volumes[n] - next->volumes[n];
			if (by == 0 || (by > 0) != more)
				continue;
			sw_text_addf(text, "%s%s of %s %s", before, words_count(by > 0 ? by : -by).text, first->array[n],
				words[more]);
			before = ", ";
		}
}

static void add_volume(const struct contender *first, const struct contender *next, sw_text *text)
{
	sw_text_addf(text, "%s moves %s, %.3g %% less than %s", first->name,
		words_plural(first->volume, "element", "elements").text,
		percent_less((double)first->volume, (double)next->volume), next->name);
	if (first->arrays > 0 && next->arrays > 0)
		add_arrays(first, next, text);
}

static int64_t busiest(const struct contender *c)
{
	return sw_larger(c->received, c->sent);
}

/* What of its time the next spends more on. */
static void add_reasons(const struct contender *first, const struct contender *next, sw_text *text)
{
	const struct {
		int64_t first, next;
		const char *what, *one, *many;
	} reasons[] = {{busiest(first), busiest(next), "its busiest device receives or sends", "element", "elements"},
		{first->steps, next->steps, "it takes", "step", "steps"},
		{first->flops, next->flops, "its busiest device computes", "operation", "operations"}};
	const char *before = ": ";

	for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
		if (reasons[k].first < reasons[k].next) {
			sw_text_add(text, before);
			sw_text_addf(text, "%s %s, not %s", reasons[k].what,
				words_plural(reasons[k].first, reasons[k].one, reasons[k].many).text,
				words_count(reasons[k].next).text);
			before = ", and ";
		}
}

static void add_time(const struct contender *first, const struct contender *next, sw_text *text)
{
	sw_text_addf(text, "%s takes %s, %.3g %% less than %s", first->name, words_seconds(first->predicted).text,
		percent_less(first->predicted, next->predicted), next->name);
	add_reasons(first, next, text);
}

/* What is equal does not decide: then what decides. */
static void add_tie(const struct contest *contest, const struct contender *first, const struct contender *next,
	sw_text *text)
{
	bool volume = first->volume != next->volume;

	sw_text_addf(text, "%s %s as %s as %s, but ", first->name, contest->by_time ? "takes" : "moves",
		contest->by_time ? "long" : "much", next->name);
	if (volume)
		sw_text_addf(text, "moves %s elements in all, not %s", words_count(first->volume).text,
			words_count(next->volume).text);
	else if (first->peak != next->peak)
		sw_text_addf(text, "needs %s elements of memory, not %s", words_count(first->peak).text,
			words_count(next->peak).text);
	else
		sw_text_addf(text, "in %s, not %s", words_plural(first->steps, "step", "steps").text,
			words_count(next->steps).text);
}

void contest_why(const struct contest *contest, sw_text *text)
{
	const struct contender *first = &contest->contender[0], *next = next_of(contest);
	sw_text equals = {0};

	assert(contest->count > 0);
	int count = add_equals(contest, next, &equals);
	if (next == NULL)
		sw_text_addf(text, count > 0 ? "%s is as good as %s" : "%s is the only row%s", first->name,
			sw_text_get(&equals));
	else if (first->peak <= contest->live && next->peak > contest->live)
		sw_text_addf(text, "only %s fits into %s elements", first->name, words_count(contest->live).text);
	else if (contest->by_time && first->predicted < next->predicted * (1 - 1e-9))
		add_time(first, next, text);
	else if (!contest->by_time && first->volume < next->volume)
		add_volume(first, next, text);
	else
		add_tie(contest, first, next, text);
	if (next != NULL && count > 0)
		sw_text_addf(text, "; %s %s as well", sw_text_get(&equals), count > 1 ? "do" : "does");
	sw_text_free(&equals);
}

/* ---- the answer ---- */

/* Those of one reason are said together, where the first of them is. */
static void say_left_out(const struct contest *contest, int first, struct document *answer)
{
	const char *why = contest->left_out[first].why, *before = "";
	sw_text names = {0};

	for (int n = 0; n < contest->left_out_count; n++) {
		if (strcmp(contest->left_out[n].why, why) != 0)
			continue;
		if (n < first)
			return;
		sw_text_addf(&names, "%s%s", before, contest->left_out[n].name);
		before = ", ";
	}
	document_say(answer, 2, "left out: %s, because %s", sw_text_get(&names), why);
	sw_text_free(&names);
}

static void tell_others(const struct contest *contest, struct document *answer, struct fields *out)
{
	struct fields *left_out = field_object(out, "left_out");

	for (int n = 0; n < contest->count; n++)
		if (contest->contender[n].remark != NULL)
			document_say(answer, 2, "%s", contest->contender[n].remark);
	for (int n = 0; n < contest->left_out_count; n++) {
		field_text(left_out, contest->left_out[n].name, contest->left_out[n].why);
		say_left_out(contest, n, answer);
	}
}

/* Hardware of the table is no machine that anything was run on. */
static void tell_machines(const struct contest *contest, struct document *answer)
{
	bool measured = false;

	for (int n = 0; n < contest->count; n++)
		measured = measured || contest->contender[n].measured >= 0;
	if (measured && contest->machine != NULL && contest->machine->hardware != NULL)
		document_say(answer, 2,
			"predicted on hardware %s, which knows nothing about this machine, where it was measured",
			contest->machine->name);
}

bool contest_answer(const struct invocation *run, const struct contest *contest, sw_diag *diag)
{
	struct fields *out = document_fields(run->answer, "shardwalk.schedules/1");
	unsigned timed = contest->rates.bandwidth > 0 ? CONTENDERS_TIMED : 0;
	const struct rows rows = contenders_rows(contest->contender, contest->count, CONTENDERS_COMPARED | timed);
	sw_text why = {0};

	field_text(out, "statement", contest->statement);
	field_int(out, "processors", contest->processors);
	field_text(out, "by", contest->by_time ? "time" : "volume");
	field_text(out, "machine", contest->machine != NULL ? contest->machine->name : NULL);
	document_line(run->answer, "compare  %s on %s, by %s", contest->statement,
		words_plural(contest->processors, "device", "devices").text,
		contest->by_time ? "predicted time" : "what is moved");
	if (!rows_answer(&rows, run->answer, out, "schedules", diag))
		return false;
	document_say(run->answer, 0, "moved: elements of all; received, sent and live: of the busiest device");
	contest_why(contest, &why);
	document_say(run->answer, 0, "%s", sw_text_get(&why));
	field_printed(out, "why", &why);
	tell_machines(contest, run->answer);
	tell_others(contest, run->answer, out);
	return true;
}

bool compare_schedules(struct invocation *run, sw_diag *diag)
{
	struct contest *contest = SW_NEW_ZERO(run->arena, struct contest, 1);

	if (contest == NULL)
		return sw_diag_memory(diag);
	return contest_begin(run, contest, diag) && contest_find(run, contest, diag) &&
		contest_answer(run, contest, diag);
}
