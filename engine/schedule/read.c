/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading schedules: chains of commands, and single ones.
 */
#include "schedule/state.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/algorithm.h>

#include "base/scan.h"

typedef struct reader {
	sw_draft draft;
	size_t at;
} reader;

/* ---- texts ---- */

/* The text with blanks in place of comments, so that places stay. */
static sw_str without_comments(sw_str text, sw_arena *arena)
{
	char *copy = sw_arena_copy(arena, text.at, text.length);

	for (size_t at = 0; copy != NULL && at + 1 < text.length; at++)
		if (copy[at] == '/' && copy[at + 1] == '/')
			for (; at < text.length && copy[at] != '\n'; at++)
				copy[at] = ' ';
	return (sw_str){copy, text.length};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void step_over_blanks(reader *r)
{
	while (r->at < r->draft.text.length && is_blank(r->draft.text.at[r->at]))
		r->at++;
}

static sw_schedule_word word_of(sw_str name)
{
	int word = 0;

	while (word < SW_SCHEDULE_WORD_COUNT && !sw_str_is(name, sw_command_rules[word].row.word))
		word++;
	return (sw_schedule_word)word;
}

static sw_str name_at(sw_str text, size_t at)
{
	size_t end = at;

	while (end < text.length &&
		(text.at[end] == '_' || (text.at[end] >= '0' && text.at[end] <= '9') ||
			(text.at[end] >= 'a' && text.at[end] <= 'z') || (text.at[end] >= 'A' && text.at[end] <= 'Z')))
		end++;
	return (sw_str){text.at + at, end - at};
}

bool sw_schedule_begins(sw_str line)
{
	sw_str text = sw_str_trim(line);
	sw_str name = name_at(text, 0);

	if (text.length > 1 && text.at[0] == '.')
		return name_at(text, 1).length > 0;
	return word_of(name) < SW_SCHEDULE_WORD_COUNT && sw_str_trim(sw_str_behind(text, name.length)).length > 0 &&
		sw_str_trim(sw_str_behind(text, name.length)).at[0] == '(';
}

/* ---- one command ---- */

#define ALGORITHMS_MOST 16

/* A word without a dot may have been meant as the name of an algorithm. */
static bool refuse_word(reader *r, sw_str name)
{
	const char *words[SW_SCHEDULE_WORD_COUNT + ALGORITHMS_MOST];
	const sw_schedule_algorithm *algorithm;
	int count = SW_SCHEDULE_WORD_COUNT;

	for (int k = 0; k < SW_SCHEDULE_WORD_COUNT; k++)
		words[k] = sw_command_rules[k].row.word;
	for (int n = 0; name.at == r->draft.text.at && n < ALGORITHMS_MOST; n++)
		if ((algorithm = sw_schedule_algorithm_at(n)) != NULL)
			words[count++] = algorithm->name;
	int near = sw_str_nearest(name, words, count);
	sw_draft_refuse(&r->draft, SW_D12, name, "%s is not a command of a schedule", sw_scan_quote(name).text);
	sw_diag_expected(r->draft.diag,
		"divide, split, collapse, reorder, distribute, communicate, rotate, parallelize, precompute or substitute");
	if (near >= 0)
		sw_diag_hint(r->draft.diag, "did you mean '%s'?", words[near]);
	return false;
}

bool sw_schedule_knows(sw_str text, sw_diag *diag)
{
	reader r = {.draft = {.text = text, .diag = diag}};

	step_over_blanks(&r);
	r.at += r.at < text.length && text.at[r.at] == '.';
	sw_str name = name_at(text, r.at);
	return name.length == 0 || word_of(name) < SW_SCHEDULE_WORD_COUNT || refuse_word(&r, name);
}

static bool refuse_syntax(reader *r, size_t begin, size_t end, const char *message)
{
	sw_draft_refuse(&r->draft, SW_D11, (sw_str){r->draft.text.at + begin, end - begin}, "%s", message);
	sw_diag_expected(r->draft.diag, "a command and its arguments, such as divide(i, io, ii, 2)");
	return false;
}

static bool refuse_count(reader *r, const sw_command *command)
{
	const sw_schedule_command_row *row = &sw_command_rules[command->word].row;

	sw_draft_refuse(&r->draft, SW_D13, command->text, "'%s' has %d argument%s here", row->word, command->arguments,
		command->arguments == 1 ? "" : "s");
	sw_diag_expected(r->draft.diag, "%s(%s)", row->word, row->arguments);
	sw_diag_hint(r->draft.diag, "for example %s", row->example);
	return false;
}

static bool read_arguments(reader *r, sw_str inside, sw_command *command)
{
	command->arguments = 0;
	for (size_t at = 0; sw_str_trim(inside).length > 0 && at <= inside.length;) {
		sw_str argument = sw_str_split(inside, &at, SW_NESTING_PLAIN);
		if (command->arguments == SW_MAX_ARGUMENTS)
			return refuse_count(r, command);
		if (argument.length == 0) {
			size_t begin = (size_t)(inside.at - r->draft.text.at);
			return refuse_syntax(r, begin, begin + inside.length, "an argument is empty");
		}
		command->argument[command->arguments++] = argument;
	}
	return true;
}

/* Reads the command that comes next. */
static bool read_command(reader *r, sw_command *command)
{
	sw_str text = r->draft.text;
	size_t begin = r->at;

	command->name = name_at(text, begin);
	if (command->name.length == 0)
		return refuse_syntax(r, begin, begin + (begin < text.length), "no command begins here");
	r->at += command->name.length;
	step_over_blanks(r);
	command->word = word_of(command->name);
	if (r->at == text.length || text.at[r->at] != '(')
		return command->word == SW_SCHEDULE_WORD_COUNT ?
			refuse_word(r, command->name) :
			refuse_syntax(r, begin, r->at + (r->at < text.length), "a bracket is missing after the command");
	size_t end = sw_str_balanced(text, r->at, SW_NESTING_PLAIN);
	if (end == 0)
		return refuse_syntax(r, r->at, r->at + 1, "this bracket is never closed");
	command->text = (sw_str){text.at + begin, end - begin};
	if (command->word == SW_SCHEDULE_WORD_COUNT)
		return refuse_word(r, command->name);
	if (!read_arguments(r, (sw_str){text.at + r->at + 1, end - r->at - 2}, command))
		return false;
	r->at = end;
	const sw_command_rule *rule = &sw_command_rules[command->word];
	return (command->arguments >= rule->least && command->arguments <= rule->most) || refuse_count(r, command);
}

/* ---- chains ---- */

/* Steps to the next command: over blanks, one dot, and a semicolon at the end. */
static bool next_command(reader *r, bool first, bool *more)
{
	sw_str text = r->draft.text;

	step_over_blanks(r);
	if (r->at < text.length && text.at[r->at] == ';') {
		size_t at = r->at++;
		step_over_blanks(r);
		if (r->at < text.length)
			return refuse_syntax(r, at, at + 1, "something follows the end of the chain");
	}
	*more = r->at < text.length;
	if (!*more)
		return !first || refuse_syntax(r, 0, text.length, "there is no command here");
	if (text.at[r->at] == '.') {
		r->at++;
		step_over_blanks(r);
	} else if (!first && text.at[r->at - 1] != '\n' && !is_blank(text.at[r->at - 1]))
		return refuse_syntax(r, r->at, r->at + 1, "a dot is missing between two commands");
	return true;
}

static const sw_schedule *read_chain(reader *r, const sw_schedule *schedule, int *count)
{
	sw_command command;
	bool more = true;

	for (*count = 0; next_command(r, *count == 0, &more); ++*count) {
		if (!more)
			return schedule;
		if (!read_command(r, &command) || !sw_command_rules[command.word].apply(&r->draft, &command))
			return NULL;
		schedule = sw_draft_schedule(&r->draft, schedule, command.text);
		r->draft.numbers = 0;
		if (schedule == NULL) {
			sw_diag_memory(r->draft.diag);
			return NULL;
		}
	}
	return NULL;
}

const sw_schedule *sw_schedule_read(const sw_schedule *schedule, sw_str text, sw_arena *arena, int *refused,
	sw_diag *diag)
{
	sw_diag unused;
	reader r = {.at = 0};
	int count = 0;

	assert(schedule != NULL && arena != NULL);
	if (!sw_draft_of(schedule, arena, &r.draft)) {
		sw_diag_memory(diag);
		return NULL;
	}
	r.draft.text = without_comments(text, arena);
	r.draft.diag = diag != NULL ? diag : &unused;
	if (r.draft.text.at == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	schedule = read_chain(&r, schedule, &count);
	if (refused != NULL)
		*refused = count;
	return schedule;
}
