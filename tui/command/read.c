/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a statement to an invocation: the row of the command says how its words are read.
 */
#include "command/command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/evaluation.h>
#include <shardwalk/formula.h>
#include <shardwalk/number.h>
#include <shardwalk/reduction.h>
#include <shardwalk/schedule.h>
#include <shardwalk/uneven.h>

#include "command/ends.h"
#include "command/foreign.h"
#include "language/names.h"
#include "views/views.h"

const struct option_row option_rows[OPTION_COUNT] = {
#define X(id, option, short, takes, is, says, ...) \
	{.name = option, .letter = short, .value = takes, .kind = KIND_##is, .about = says, .range = {__VA_ARGS__}},
	OPTIONS(X)
#undef X
};

/* ---- finding commands ---- */

static const char *command_at(const void *context, int n)
{
	(void)context;
	return n < command_count ? commands[n].name : NULL;
}

/* Words that people type out of habit. */
static const char *other_word(sw_str name)
{
	return sw_str_is(name, "?") ? "help" : sw_str_is(name, "exit") ? "quit" : NULL;
}

static int shown_of(sw_str word)
{
	return (int)(word.length < 60 ? word.length : 60);
}

/* An operation that stands alone. */
static bool is_call(sw_str name)
{
	const char *open = memchr(name.at, '(', name.length);
	return open && sw_op_named((sw_str){name.at, (size_t)(open - name.at)}) != SW_OP_COUNT;
}

/* Commands that came after a release have no name here. */
static const char *older_command_at(const void *context, int n)
{
	const int *release = context;
	const char *name = command_at(NULL, n);
	return name && commands[n].late > *release ? "" : name;
}

/* A command by a beginning of its name, as the first release had it in which there is one; -1. */
static int find_command(sw_str name, sw_diag *diag)
{
	int release = 0, latest = 0, found = -1;
	const struct names older = {older_command_at, &release, "command", "`help` lists all commands"};
	for (int n = 0; n < command_count; n++)
		latest = commands[n].late > latest ? commands[n].late : latest;
	for (; found < 0 && release < latest; release++)
		found = name_find(&older, name, SW_L01, NULL);
	return found < 0 ? name_find(&older, name, SW_L01, diag) : found;
}

static bool is_view(sw_str name)
{
	int n = 0;
	while (n < view_count && !sw_str_is(name, views[n].name))
		n++;
	return n < view_count;
}

/* Words that are no commands, and where they belong. */
static void hint_place(sw_str name, sw_diag *diag)
{
	if (is_call(name))
		sw_diag_hint(diag, "`apply %.*s` applies the operation to the array", shown_of(name), name.at);
	else if (is_view(name))
		sw_diag_hint(diag, "`show %.*s` draws it", shown_of(name), name.at);
}

const struct command *command_named(sw_str name, sw_diag *diag)
{
	if (other_word(name))
		return command_exact(sw_str_of(other_word(name)));
	if (command_exact(name))
		return command_exact(name);
	int found = find_command(name, diag);
	if (found < 0 && diag && diag->code == SW_L01)
		diag->expected[0] = '\0';
	if (found < 0 && diag)
		hint_place(name, diag);
	return found < 0 ? NULL : &commands[found];
}

const struct command *command_exact(sw_str name)
{
	for (int i = 0; i < command_count; i++)
		if (sw_str_is(name, commands[i].name))
			return &commands[i];
	return NULL;
}

bool command_is_raw(sw_str first)
{
	const struct command *command = command_named(first, NULL);
	return command && command->raw;
}

void command_print_usage(const struct command *command, bool options, sw_text *text)
{
	sw_text_add(text, command->name);
	for (int i = 0; i < COMMAND_PARAMETERS && command->parameter[i].name; i++)
		sw_text_addf(text, command->parameter[i].optional ? " [%s]" : " %s", command->parameter[i].name);
	for (int i = 0; options && i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		if (command->options.has[i])
			sw_text_addf(text, row->value ? " [--%s %s]" : " [--%s]", row->name, row->value);
	}
}

/* ---- options ---- */

/* Words of `explain` are told as JSON where that is asked for, and as such it is not offered. */
static bool takes_option(const struct command *command, enum option option)
{
	return command->options.has[option] || (option == OPTION_JSON && command->fields);
}

/* The n-th option that the command takes, or -1. */
static int allowed_index(const struct command *command, int n)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (takes_option(command, (enum option)i) && n-- == 0)
			return i;
	return -1;
}

bool command_has_options(const struct command *command)
{
	int i = 0;
	while (i < OPTION_COUNT && !command->options.has[i])
		i++;
	return i < OPTION_COUNT;
}

bool command_offers(const struct command *command, enum option option)
{
	return command->options.has[option] && option != OPTION_MAN;
}

/* Names of the allowed options, with holes closed. */
static const char *allowed_at(const void *context, int n)
{
	int found = allowed_index(context, n);
	return found < 0 ? NULL : option_rows[found].name;
}

static bool is_option(sw_str raw)
{
	bool is_number = raw.length > 1 && raw.at[1] >= '0' && raw.at[1] <= '9';
	return raw.length > 1 && raw.at[0] == '-' && raw.at[1] != '>' && !is_number;
}

static int find_short(const struct command *command, sw_str raw)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (raw.length == 2 && command->options.has[i] && option_rows[i].letter == raw.at[1])
			return i;
	return -1;
}

/* Which of the options that the command takes is written most like this; -1: none is. */
static int nearest_allowed(const struct command *command, sw_str name)
{
	const char *all[OPTION_COUNT];
	int count = 0;
	for (; allowed_at(command, count); count++)
		all[count] = allowed_at(command, count);
	return name.length < NAME_NEAR ? sw_str_nearest(name, all, count) : -1;
}

static int find_option(const struct invocation *run, sw_str raw, sw_diag *diag)
{
	const struct command *command = run->command;
	if (raw.at[1] != '-') {
		int found = find_short(command, raw);
		if (found >= 0)
			return found;
	}
	sw_str name = raw.at[1] == '-' ? (sw_str){raw.at + 2, raw.length - 2} : raw;
	const char *equals = memchr(name.at, '=', name.length);
	if (equals)
		name.length = (size_t)(equals - name.at);
	const struct names names = {allowed_at, command, "option", "`help COMMAND` lists its options"};
	int found = name_find(&names, name, SW_L05, diag);
	if (found >= 0)
		return allowed_index(command, found);
	int near = diag->code == SW_L05 ? nearest_allowed(command, name) : -1;
	sw_str shown = {raw.at, (size_t)(name.at + name.length - raw.at)};
	diag->at = (sw_span){0, shown.length};
	refuse_at(run, shown, diag);
	if (diag->code == SW_L05)
		sw_diag_set(diag, SW_L05, diag->at, "'%s' has no option '%.*s'", command->name, AS_SHOWN(raw));
	if (command_has_options(command) && diag->code == SW_L05) {
		sw_text list = {0};
		for (int i = 0; allowed_at(command, i); i++)
			sw_text_addf(&list, "%s--%s", i ? ", " : "", allowed_at(command, i));
		sw_diag_expected(diag, "%s", sw_text_get(&list));
		sw_text_free(&list);
	}
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '--%s'?", allowed_at(command, near));
	else
		sw_diag_hint(diag, "`help %s` lists its options", command->name);
	return -1;
}

/* Takes the option at words[i] and its value; returns the index of the word after it, or -1. */
static int take_option(struct invocation *run, const struct word *words, int count, int i, sw_diag *diag)
{
	int found = find_option(run, words[i].raw, diag);
	if (found < 0)
		return -1;
	const struct option_row *row = &option_rows[found];
	const char *equals = words[i].text.at[1] == '-' ? memchr(words[i].text.at, '=', words[i].text.length) : NULL;
	struct word name = words[i], value = {{0}, {0}};
	if (equals && row->value) {
		size_t offset = (size_t)(equals + 1 - words[i].text.at);
		value.text = (sw_str){equals + 1, words[i].text.length - offset};
		value.raw = words[i].text.at == words[i].raw.at ? value.text : words[i].raw;
	} else if (equals) {
		sw_diag_set(diag, SW_L02, line_span(run->position->text, words[i].raw), "'--%s' takes no value", row->name);
		return -1;
	} else if (row->value && i + 1 == count) {
		sw_diag_set(diag, SW_L03, line_span(run->position->text, words[i].raw), "'--%s' needs a value", row->name);
		sw_diag_expected(diag, "%s", kind_rows[row->kind].about);
		return -1;
	} else if (row->value) {
		value = words[++i];
	}
	if (run->given_count == COMMAND_GIVEN) {
		sw_diag_set(diag, SW_L04, line_span(run->position->text, words[i].raw), "more than %d options",
			COMMAND_GIVEN);
		return -1;
	}
	run->given[run->given_count].option = (enum option)found;
	run->given[run->given_count].name = name;
	run->given[run->given_count++].value = value;
	return i + 1;
}

const struct word *option_given(const struct invocation *run, enum option option)
{
	for (int i = run->given_count - 1; i >= 0; i--)
		if (run->given[i].option == option)
			return &run->given[i].value;
	return NULL;
}

bool options_fit(const struct invocation *run, const enum option *others, const char *are_for, const char *hint,
	sw_diag *diag)
{
	const struct word *word = NULL;
	while (*others != OPTION_COUNT && !(word = option_given(run, *others)))
		others++;
	if (!word)
		return true;
	sw_diag_set(diag, SW_L02, line_span(run->position->text, word->raw), "`--%s` is %s", option_rows[*others].name,
		are_for);
	sw_diag_hint(diag, "%s", hint);
	return false;
}

bool wants_json(const struct invocation *run)
{
	return option_given(run, OPTION_JSON) || (run->session->json && takes_option(run->command, OPTION_JSON));
}

/* ---- arguments ---- */

static const struct parameter *parameter_at(const struct command *command, int i)
{
	return i < COMMAND_PARAMETERS && command->parameter[i].name ? &command->parameter[i] : NULL;
}

/* The line of the example that calls the command itself; those before it only prepare. */
static sw_str own_example(const struct command *command)
{
	const char *line = command->example;
	size_t length = strlen(command->name);
	while (strncmp(line, command->name, length) != 0 && strchr(line, '\n'))
		line = strchr(line, '\n') + 1;
	return (sw_str){line, strcspn(line, "\n")};
}

static bool refuse_missing(const struct invocation *run, const struct parameter *parameter, sw_diag *diag)
{
	sw_str example = own_example(run->command);
	size_t end = (size_t)(run->statement.at + run->statement.length - run->position->text.at);
	sw_diag_set(diag, SW_L03, (sw_span){end, end}, "'%s' needs %s", run->command->name, parameter->name);
	sw_diag_expected(diag, "%s", kind_rows[parameter->kind].about);
	sw_diag_found(diag, "the end of the statement");
	sw_diag_hint(diag, "for instance: %.*s", (int)example.length, example.at);
	return false;
}

static bool refuse_more(const struct invocation *run, sw_str raw, sw_diag *diag)
{
	sw_text usage = {0};
	command_print_usage(run->command, false, &usage);
	sw_diag_set(diag, SW_L04, line_span(run->position->text, raw), "'%s' takes no further argument",
		run->command->name);
	sw_diag_expected(diag, "%s", sw_text_get(&usage));
	sw_diag_hint(diag, "`help %s` says more; put names with spaces in quotes", run->command->name);
	sw_text_free(&usage);
	return false;
}

/* The rest of the statement is one argument: it grows to the end of this word. */
static void extend(struct word *argument, sw_str raw)
{
	argument->raw.length = (size_t)(raw.at + raw.length - argument->raw.at);
	argument->text = argument->raw;
}

static bool take_argument(struct invocation *run, const struct word *word, sw_diag *diag)
{
	const struct parameter *last = run->count ? parameter_at(run->command, run->count - 1) : NULL;
	if (last && kind_rows[last->kind].rest) {
		extend(&run->argument[run->count - 1], word->raw);
		return true;
	}
	if (!parameter_at(run->command, run->count))
		return refuse_more(run, word->raw, diag);
	run->argument[run->count++] = *word;
	return true;
}

/* In a script a program or a file that the user did not name cannot be reached. */
static bool refuse_redirection(const struct invocation *run, sw_str raw, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, line_span(run->position->text, raw), "'%.*s' works only at an interactive prompt",
		(int)raw.length, raw.at);
	sw_diag_hint(diag, "redirect the program's own output, or put the sign in quotes");
	return false;
}

bool invocation_complete(struct invocation *run, sw_diag *diag)
{
	const struct parameter *next = parameter_at(run->command, run->count);
	bool complete = !next || next->optional || refuse_missing(run, next, diag);
	for (int i = 0; complete && i < run->given_count; i++) {
		const struct option_row *row = &option_rows[run->given[i].option];
		complete = read_value(run, &run->given[i].value, row->kind, row->range, &run->given[i].read, diag);
	}
	for (int i = 0; complete && i < run->count; i++) {
		const struct command *command = run->command;
		complete = read_value(run, &run->argument[i], command->parameter[i].kind, command->range, &run->read[i],
			diag);
	}
	return complete;
}

/* Does the word belong to an argument, though it begins with a dash? */
static bool is_of_argument(const struct invocation *run, sw_str raw)
{
	const struct parameter *parameter = parameter_at(run->command, run->count > 0 ? run->count - 1 : 0);
	return parameter && kind_rows[parameter->kind].signs && !sw_str_starts(raw, "--");
}

bool invocation_take(struct invocation *run, const struct word *words, int count, sw_diag *diag)
{
	bool options = true;
	for (int i = 0; i < count;) {
		if (options && sw_str_is(words[i].raw, "--")) {
			options = false;
			i++;
		} else if (options && is_option(words[i].raw) && command_has_options(run->command) &&
			!is_of_argument(run, words[i].raw)) {
			i = take_option(run, words, count, i, diag);
			if (i < 0)
				return false;
		} else if (options && is_option(words[i].raw) && words[i].raw.at[1] == '-') {
			find_option(run, words[i].raw, diag);
			return false;
		} else if (sw_str_is(words[i].raw, "|") || sw_str_is(words[i].raw, ">")) {
			return refuse_redirection(run, words[i].raw, diag);
		} else if (!take_argument(run, &words[i++], diag)) {
			return false;
		}
	}
	return invocation_complete(run, diag);
}

static bool is_arrow(sw_str raw)
{
	return sw_str_is(raw, "~>") || sw_str_is(raw, "->");
}

/* `A ~> B` alone is a redistribution, also where A has the name of a command; `redistribute ~> B` lacks its A. */
static bool is_redistribution(const struct word *words, int count)
{
	const struct command *command = command_exact(words[0].raw);
	if (command && (count == 1 || !is_arrow(words[1].raw) || command->parameter[0].kind == KIND_REDISTRIBUTION))
		return false;
	for (int i = 0; i < count; i++)
		if (is_arrow(words[i].raw))
			return true;
	return false;
}

/* ---- text that is taken as it is, with options before and behind it ---- */

/* Which words are options: of an equation all with dashes, of other text those of the command as they are written in full. */
enum raw_option { RAW_NONE, RAW_ALONE, RAW_JOINED, RAW_VALUED };

static bool has_dashes(const struct command *command, sw_str word)
{
	return command->parameter[0].kind == KIND_PRODUCT && word.length > 2 && sw_str_starts(word, "--");
}

static enum raw_option raw_option_of(const struct command *command, sw_str word)
{
	const char *equals = memchr(word.at, '=', word.length);
	sw_str name = {word.at, equals ? (size_t)(equals - word.at) : word.length};
	for (int i = 0; i < OPTION_COUNT && sw_str_starts(name, "--"); i++)
		if (takes_option(command, (enum option)i) && sw_str_is(sw_str_behind(name, 2), option_rows[i].name))
			return !option_rows[i].value ? RAW_ALONE : equals ? RAW_JOINED : RAW_VALUED;
	return !has_dashes(command, word) ? RAW_NONE : equals ? RAW_ALONE : RAW_VALUED;
}

/* Puts an option and its value apart; how many words that is. */
static int part_option(enum raw_option is, sw_str word, sw_str next, sw_str out[2])
{
	const char *equals = is == RAW_JOINED ? memchr(word.at, '=', word.length) : NULL;
	size_t length = equals ? (size_t)(equals - word.at) : word.length;
	out[0] = (sw_str){word.at, length};
	out[1] = equals ? sw_str_behind(word, length + 1) : next;
	return 1 + (equals || (is == RAW_VALUED && next.length));
}

/* The option at the end of the text, or else at its start, which becomes less; how many words it has. */
static int cut_option(const struct command *command, sw_str *text, sw_str out[2])
{
	sw_str last = line_raw_last(*text), before = sw_str_trim((sw_str){text->at, text->length - last.length});
	sw_str name = line_raw_last(before), first = line_raw_first(*text), none = {text->at, 0};
	enum raw_option ends = raw_option_of(command, last), begins = raw_option_of(command, first);
	if (ends == RAW_NONE && raw_option_of(command, name) == RAW_VALUED) {
		*text = sw_str_trim((sw_str){before.at, before.length - name.length});
		return part_option(RAW_VALUED, name, last, out);
	}
	if (ends == RAW_ALONE || ends == RAW_JOINED || (ends == RAW_VALUED && has_dashes(command, last))) {
		*text = before;
		return part_option(ends, last, none, out);
	}
	if (begins == RAW_NONE)
		return 0;
	sw_str after = sw_str_trim(sw_str_behind(*text, first.length));
	sw_str value = begins == RAW_VALUED ? line_raw_first(after) : none;
	*text = sw_str_trim(sw_str_behind(after, value.length));
	return part_option(begins, first, value, out);
}

static bool ends_in_option(const struct command *command, sw_str text)
{
	sw_str last = line_raw_last(text), before = sw_str_trim((sw_str){text.at, text.length - last.length});
	enum raw_option ends = raw_option_of(command, last);
	return ends == RAW_ALONE || ends == RAW_JOINED || raw_option_of(command, line_raw_last(before)) == RAW_VALUED;
}

static bool is_digits(sw_str word)
{
	size_t length = 0;
	while (length < word.length && word.at[length] >= '0' && word.at[length] <= '9')
		length++;
	return length > 0 && length == word.length;
}

/* The number of a row may be behind options as well, `LOG --module FILE 2`: it is that of --take. */
static void take_raw_number(struct invocation *run, sw_str *text)
{
	sw_str last = line_raw_last(*text), before = sw_str_trim((sw_str){text->at, text->length - last.length});
	if (!takes_option(run->command, OPTION_TAKE) || !is_digits(last) || run->given_count == COMMAND_GIVEN ||
		raw_option_of(run->command, line_raw_last(before)) == RAW_VALUED || !ends_in_option(run->command, before))
		return;
	run->given[run->given_count++] =
		(struct given){.option = OPTION_TAKE, .name = {last, last}, .value = {last, last}};
	*text = before;
}

/* What was typed last counts: options are found from the ends, so the first that is found stands behind the others. */
static bool take_raw_options(struct invocation *run, sw_str *text, sw_diag *diag)
{
	struct word words[2];
	sw_str word[2];
	int count;
	take_raw_number(run, text);
	while (text->length > 0 && (count = cut_option(run->command, text, word)) > 0) {
		for (int i = 0; i < count; i++)
			words[i] = (struct word){word[i], line_unquote(word[i], run->arena)};
		if (take_option(run, words, count, 0, diag) < 0)
			return false;
	}
	for (int i = 0, k = run->given_count - 1; i < k; i++, k--) {
		struct given given = run->given[i];
		run->given[i] = run->given[k];
		run->given[k] = given;
	}
	return true;
}

static bool read_raw(struct invocation *run, sw_str first, sw_diag *diag)
{
	const char *end = run->statement.at + run->statement.length;
	const char *begin = first.at + first.length;
	sw_str rest = sw_str_trim((sw_str){begin, (size_t)(end - begin)});
	run->count = rest.length > 0;
	if (!take_raw_options(run, &rest, diag))
		return false;
	run->argument[0] = (struct word){rest, rest};
	return true;
}

/* `{1,0}` behind the bracket of a shape, as XLA prints an order in memory; empty where there is none. */
static sw_str layout_in(sw_str text)
{
	for (size_t i = 0; i + 2 < text.length; i++) {
		const char *end = memchr(text.at + i, '}', text.length - i);
		bool starts = text.at[i] == ']' && text.at[i + 1] == '{' && text.at[i + 2] >= '0' && text.at[i + 2] <= '9';
		if (starts && end)
			return (sw_str){text.at + i + 1, (size_t)(end - text.at) - i};
	}
	return (sw_str){"", 0};
}

/* Who takes the braces for a sharding is told what they are. */
static void say_layout(const struct invocation *run)
{
	sw_str layout = layout_in(run->statement);
	if (layout.length && run->command->run != command_import)
		answer_remark(run->session,
			"%.*s is the order of the dimensions in memory, minor to major: it "
			"partitions nothing",
			AS_SHOWN(layout));
}

/* The word is `src_mesh` or `dst_mesh`, as functions that move between meshes call their arguments: 1 or 2, else 0. */
static int mesh_keyword(sw_str word)
{
	static const char *const keywords[] = {"src_mesh", "dst_mesh", "source_mesh", "target_mesh", "src_device_mesh",
		"dst_device_mesh"};
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (sw_str_is(word, keywords[i]))
			return 1 + (int)(i % 2);
	return 0;
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
		c == '/';
}

sw_str mesh_without_name(sw_str text)
{
	size_t length = 0;
	while (length < text.length && is_word_byte(text.at[length]))
		length++;
	sw_str rest = sw_str_trim(sw_str_behind(text, length));
	bool named = mesh_keyword((sw_str){text.at, length}) && sw_str_starts(rest, "=");
	return named ? sw_str_trim(sw_str_behind(rest, 1)) : text;
}

/* The next such word from *at on; empty: there is none. */
static sw_str next_mesh_keyword(sw_str text, size_t *at)
{
	while (*at < text.length) {
		size_t begin = *at;
		while (*at < text.length && is_word_byte(text.at[*at]))
			++*at;
		sw_str word = {text.at + begin, *at - begin};
		if (mesh_keyword(word))
			return word;
		++*at;
	}
	return (sw_str){text.at, 0};
}

/* One name in front of a mesh is that of one mesh. */
static bool names_one_mesh(const struct invocation *run, sw_str word, size_t at)
{
	sw_str other = next_mesh_keyword(run->statement, &at), first = sw_str_trim(run->statement);
	const struct word *argument = run->count ? &run->argument[0] : NULL;
	bool begins = first.at == word.at || (argument && argument->raw.at == word.at);
	sw_str mesh = {word.at, (size_t)(run->statement.at + run->statement.length - word.at)};
	return begins && !other.length && mesh_without_name(mesh).at != mesh.at;
}

/* A problem between two meshes, in a statement that says one. */
static bool refuse_two_meshes(const struct invocation *run, sw_diag *diag)
{
	size_t at = 0;
	bool says = !run->command || strcmp(run->command->area, "define") == 0 || run->command->run == command_explain ||
		run->command->run == command_plan || run->command->run == command_advise;
	sw_str word = says ? next_mesh_keyword(run->statement, &at) : (sw_str){NULL, 0};
	if (!word.length || names_one_mesh(run, word, at))
		return false;
	sw_diag_set(diag, SW_N05, (sw_span){0, 0}, "there are two meshes: each sharding must name its own");
	sw_diag_expected(diag, "`A ~> B` with a mesh in each, or `mesh {x: 4}` for both before it");
	sw_diag_hint(diag,
		"for instance: f32[16] NamedSharding(mesh=Mesh('x': 4), spec=P('x')) ~> "
		"NamedSharding(mesh=Mesh('y': 2), spec=P('y'))");
	diag->at = line_span(run->position->text, word);
	return true;
}

static bool invocation_cut(struct invocation *run, sw_diag *diag)
{
	struct word *words;
	int count = line_words(run->statement, run->arena, &words);
	if (count < 0)
		return sw_diag_memory(diag);
	bool arrow = is_redistribution(words, count);
	bool mesh = !arrow &&
		(line_is_mesh(words[0].raw) || is_foreign_mesh(words[0].raw) ||
			mesh_without_name(run->statement).at != run->statement.at);
	bool formula = !arrow && !mesh && !command_exact(words[0].raw) && sw_formula_begins(run->statement);
	bool chain = !arrow && !mesh && sw_str_starts(words[0].raw, ".") && sw_schedule_begins(run->statement);
	run->command = arrow ? command_exact(sw_str_of("redistribute")) :
		mesh             ? command_exact(sw_str_of("mesh")) :
		formula          ? command_exact(sw_str_of("compute")) :
		chain            ? command_exact(sw_str_of("schedule")) :
						   command_named(words[0].raw, diag);
	if (!run->command)
		return refuse_at(run, words[0].raw, diag);
	if (run->command->raw) {
		return read_raw(run, mesh ? (sw_str){words[0].raw.at, 0} : words[0].raw, diag) &&
			invocation_complete(run, diag);
	}
	int skip = !arrow && !mesh && !formula && !chain;
	return invocation_take(run, words + skip, count - skip, diag);
}

static bool starts_with_two_meshes(struct invocation *run, sw_diag *diag)
{
	struct invocation plain = *run;
	plain.command = command_exact(sw_str_of("mesh"));
	sw_str first = line_first(run->statement);
	size_t length = 0;
	while (length < first.length && is_word_byte(first.at[length]))
		length++;
	return mesh_keyword((sw_str){first.at, length}) && refuse_two_meshes(&plain, diag);
}

bool invocation_read(struct invocation *run, sw_diag *diag)
{
	if (starts_with_two_meshes(run, diag))
		return false;
	bool cut = invocation_cut(run, diag);
	if (refuse_two_meshes(run, diag) || !cut)
		return false;
	say_layout(run);
	return true;
}

const struct word *argument(const struct invocation *run, int i)
{
	return i < run->count ? &run->argument[i] : NULL;
}

bool refuse_at(const struct invocation *run, sw_str slice, sw_diag *diag)
{
	return line_refuse(run->position->text, slice, diag);
}
