/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run SUMS --compare reductions`: the programs of a list of sums on ranks, sum after sum.
 */
#include "launch/run_sums.h"

#include <string.h>

#include "host/file.h"
#include "answer/order.h"
#include "launch/job.h"

/* Seed 001, table 5. */
static const struct {
	int most, published; /* per cent */
} tops[RANKED_TOPS] = {{1, 52}, {5, 75}, {10, 92}};

static bool compares_reductions(const struct invocation *run)
{
	const struct word *compare = option_given(run, OPTION_COMPARE);
	return compare && sw_str_is(compare->text, "reductions");
}

bool sums_are_listed(const struct invocation *run)
{
	const struct word *list = argument(run, 0);
	return list && compares_reductions(run) && !sw_str_starts(list->text, "$");
}

/* ---- shares ---- */

static int share(const struct ranked_sums *ranked, int t)
{
	return 100 * ranked->within[t] / ranked->sums;
}

static void count_sum(struct ranked_sums *ranked, int place, int programs)
{
	ranked->sums++;
	ranked->programs = programs > ranked->programs ? programs : ranked->programs;
	for (int t = 0; t < RANKED_TOPS; t++)
		ranked->within[t] += place <= tops[t].most;
}

static void tell_shares(const struct ranked_sums *ranked, struct document *answer)
{
	sw_text text = {0}, published = {0};

	for (int t = 0; t < RANKED_TOPS; t++) {
		sw_text_addf(&text, "%stop %d %d %%", t > 0 ? ", " : "", tops[t].most, share(ranked, t));
		sw_text_addf(&published, "%s%d %%", t > 0 ? ", " : "", tops[t].published);
	}
	document_line(answer, "over %d %s: %s; published %s", ranked->sums, plural(ranked->sums, "sum", "sums"),
		sw_text_get(&text), sw_text_get(&published));
	sw_text_free(&published);
	sw_text_free(&text);
	int t = 0;
	while (t < RANKED_TOPS && tops[t].most < ranked->programs)
		t++;
	if (t < RANKED_TOPS)
		document_line(answer, "no sum had more than %d programs, so top %d is 100 %% whatever was predicted",
			ranked->programs, tops[t].most);
}

void sums_tell(const struct invocation *run, const struct records *records)
{
	struct ranked_sums *ranked = &run->session->ranked;
	int place = compares_reductions(run) ? records_place(records) : 0;

	if (place == 0)
		return;
	count_sum(ranked, place, records_complete(records));
	tell_shares(ranked, run->answer);
}

/* ---- a list ---- */

/* A sum of the list. */
struct listed {
	int line, programs, place; /* place 0: fewer than three have predicted times */
	sw_str text;
};

struct list {
	struct invocation *run;
	struct session session; /* of its own */
	struct position position;
	sw_str statement; /* that runs the programs of a sum */
	struct listed *sum;
	int count, room;
};

/* Options that are of one sum. */
static const enum option of_one[] = {OPTION_SAMPLES, OPTION_DRY_RUN, OPTION_COUNT};

/* The same options but that of the answer's form, which is one for all. */
static bool write_statement(struct list *list, sw_diag *diag)
{
	const struct invocation *run = list->run;
	sw_text text = {0};

	sw_text_add(&text, "run");
	for (int g = 0; g < run->given_count; g++) {
		if (run->given[g].option == OPTION_JSON)
			continue;
		if (run->given[g].value.raw.at != run->given[g].name.raw.at)
			sw_text_addf(&text, " --%s", option_rows[run->given[g].option].name);
		sw_text_add_char(&text, ' ');
		sw_text_add_str(&text, run->given[g].value.raw);
	}
	size_t length = text.length;
	list->statement = (sw_str){sw_text_keep(&text, run->arena), length};
	return list->statement.at || sw_diag_memory(diag);
}

/* What it answers and remarks is not shown: the list has an answer of its own. */
static bool run_quietly(struct list *list, const struct position *position, sw_str statement, sw_diag *diag)
{
	struct console *console = list->session.console;
	bool quiet = console->quiet;
	struct document answer;

	console->quiet = true;
	document_start(&answer, list->run->answer->width);
	bool ok = statement_answer(&list->session, position, statement, list->run->arena, &answer, diag);
	document_clear(&answer);
	console->quiet = quiet;
	return ok;
}

/* Runs the programs of the sum that is present now. */
static bool run_sum(struct list *list, sw_diag *diag)
{
	struct position position = {.file = list->position.file, .line = list->position.line, .text = list->statement};

	if (!SW_GROW(list->run->arena, list->sum, list->count, list->room, 16))
		return sw_diag_memory(diag);
	if (!run_quietly(list, &position, list->statement, diag)) {
		diag->at = diag->also = (sw_span){0, 0};
		return false;
	}
	const struct kept_run *kept = list->session.last_run;
	struct listed *sum = &list->sum[list->count++];
	*sum = (struct listed){.line = list->position.line, .text = sw_str_trim(list->position.text)};
	if (kept) {
		sum->programs = records_complete(&kept->records);
		sum->place = records_place(&kept->records);
	}
	return true;
}

static bool run_line(struct list *list, sw_diag *diag)
{
	sw_str rest = list->position.text, statement;
	enum line_end end;
	bool any = false;

	while ((end = line_next(list->position.text, &rest, command_is_raw, &statement, diag)) == LINE_STATEMENT) {
		if (!run_quietly(list, &list->position, statement, diag))
			return false;
		any = true;
	}
	return end == LINE_END && (!any || run_sum(list, diag));
}

static bool run_lines(struct list *list, sw_str text, sw_diag *diag)
{
	while (text.length > 0) {
		const char *end = memchr(text.at, '\n', text.length);
		size_t length = end ? (size_t)(end - text.at) : text.length;

		list->position.line++;
		list->position.text = (sw_str){text.at, length};
		if (!run_line(list, diag)) {
			*list->run->elsewhere = list->position;
			return false;
		}
		text = sw_str_behind(text, length + (end != NULL));
	}
	return true;
}

/* ---- what is told ---- */

static void print_place(const struct row_at *at, sw_text *text)
{
	int place = ((const struct listed *)at->row)->place;

	sw_text_addf(text, place > 0 ? "number %d" : "-", place);
}

static const struct row_column listed_columns[] = {
	ROW_AT("line", "line", COUNT, struct listed, line, .role = ROLE_LABEL),
	ROW_AT("sum", "sum", STR, struct listed, text, .role = ROLE_OP, .place = 1),
	ROW_AT("programs", "programs", COUNT, struct listed, programs),
	ROW_AT("place", "fastest is", COUNT, struct listed, place, .above = true, .print = print_place),
};

static void tops_fields(const struct ranked_sums *ranked, struct fields *list)
{
	for (int t = 0; t < RANKED_TOPS; t++) {
		struct fields *one = field_object(list, NULL);

		field_int(one, "top", tops[t].most);
		field_count(one, "per_cent", ranked->sums > 0 ? share(ranked, t) : -1);
		field_int(one, "published_per_cent", tops[t].published);
	}
}

static bool tell_list(const struct list *list, sw_diag *diag)
{
	struct document *answer = list->run->answer;
	struct fields *fields = document_fields(answer, "shardwalk.sums/1");
	const struct rows rows = ROWS_OF(listed_columns, list->sum, list->count);

	if (!rows_answer(&rows, answer, fields, "sums", diag))
		return false;
	tops_fields(&list->session.ranked, field_list(fields, "tops"));
	if (list->session.ranked.sums > 0)
		tell_shares(&list->session.ranked, answer);
	else if (option_given(list->run, OPTION_THROTTLE))
		document_line(answer, "fewer than three programs of a sum ran, too few for a ranking: raise `--limit`");
	return true;
}

static bool has_sums(const struct list *list, sw_diag *diag)
{
	if (list->count > 0)
		return true;
	sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "the file contains no sum");
	sw_diag_expected(diag, "on each line, statements that set up a sum, with `reduce {x} f32[640]` last");
	*list->run->elsewhere = list->position;
	return false;
}

bool run_sums(struct invocation *run, sw_diag *diag)
{
	const struct word *name = argument(run, 0);
	struct list *list = SW_NEW_ZERO(run->arena, struct list, 1);
	sw_text text = {0};

	if (!options_fit(run, of_one, "for one sum, not for a list",
			"type the statements of one line, then `run --compare reductions` without a file", diag))
		return false;
	if (!list || !session_init(&list->session, run->session->console))
		return sw_diag_memory(diag);
	if (!option_given(run, OPTION_THROTTLE))
		answer_remark(run->session,
			"there are no predictions without `--throttle`, which simulates the ports that they assume");
	list->run = run;
	list->position.file = file_name(run, name);
	bool ok = file_read(list->position.file, &text, diag) || refuse_at(run, name->raw, diag);
	char *copy = ok ? sw_arena_copy(run->arena, sw_text_get(&text), text.length) : NULL;
	ok = ok && (copy || sw_diag_memory(diag)) && write_statement(list, diag) &&
		run_lines(list, (sw_str){copy, text.length}, diag) && has_sums(list, diag);
	if (list->count > 0)
		ok = tell_list(list, ok ? diag : &(sw_diag){0}) && ok;
	sw_text_free(&text);
	session_end(&list->session);
	answer_dress(run->session);
	return ok;
}
