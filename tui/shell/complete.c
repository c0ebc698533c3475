/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the cursor is: the statement, its command, the argument or option.  What may stand there is in candidates.c.
 */
#include "shell/complete.h"

#include <string.h>

#include "shell/candidates.h"

static sw_str slice(const char *begin, sw_str text)
{
	return (sw_str){begin, (size_t)(text.at + text.length - begin)};
}

/* The statement that the cursor is in. */
static sw_str statement_at_end(sw_str text)
{
	sw_str rest = text, statement, last = {text.at + text.length, 0};
	while (line_next(text, &rest, command_is_raw, &statement, NULL) == LINE_STATEMENT) {
		const char *after = statement.at + statement.length;
		bool ended = memchr(after, ';', (size_t)(rest.at - after)) || memchr(after, '\n', (size_t)(rest.at - after));
		last = ended ? slice(rest.at, text) : slice(statement.at, text);
	}
	if (rest.length)
		last = rest; /* a bracket or a quote is open */
	while (last.length && strchr(" \t\n;:", *last.at))
		last = slice(last.at + 1, text);
	return last;
}

/* ---- words before the cursor ---- */

struct words {
	struct word *word;
	int count;   /* that are finished */
	sw_str last; /* the one at the cursor, perhaps empty */
};

static bool cut_words(sw_str statement, sw_arena *arena, struct words *words)
{
	int count = line_words(statement, arena, &words->word);
	words->count = count;
	words->last = (sw_str){statement.at + statement.length, 0};
	if (count <= 0)
		return count == 0;
	sw_str raw = words->word[count - 1].raw;
	if (raw.at + raw.length == words->last.at && raw.length) {
		words->last = raw;
		words->count--;
	}
	return true;
}

static bool is_arrow(sw_str word)
{
	return sw_str_is(word, "~>") || sw_str_is(word, "->");
}

static bool has_arrow(const struct words *words)
{
	for (int i = 0; i < words->count; i++)
		if (is_arrow(words->word[i].raw))
			return true;
	return false;
}

/* ---- arguments and options ---- */

static int option_named(const struct command *command, sw_str name)
{
	int found = -1;
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		if (!command->options.has[i])
			continue;
		if (name.length == 2 && row->letter == name.at[1])
			return i;
		if (name.length > 2 && strncmp(row->name, name.at + 2, name.length - 2) == 0)
			found = found < 0 || strlen(row->name) == name.length - 2 ? i : found;
	}
	return found;
}

static bool is_option(const struct command *command, sw_str word)
{
	bool is_number = word.length > 1 && strchr("0123456789>", word.at[1]);
	return command_has_options(command) && word.length && *word.at == '-' && !is_number;
}

static void set_begin(struct spot *spot, const char *at)
{
	spot->out->begin = (size_t)(at - spot->text.at);
}

static void offer_kind(struct spot *spot, enum kind kind)
{
	spot->kind = kind;
	if (kind_rows[kind].complete)
		kind_rows[kind].complete(spot);
}

/* `--model=vol`: the value stands behind the sign. */
static void offer_value(struct spot *spot, int option, const char *at)
{
	spot->option = (enum option)option;
	spot->argument = slice(at, spot->text);
	set_begin(spot, at);
	offer_kind(spot, option_rows[option].kind);
}

static void offer_argument(struct spot *spot, const char *begin)
{
	const struct parameter *parameter = spot->index < COMMAND_PARAMETERS ? &spot->command->parameter[spot->index] :
																		   NULL;
	spot->argument = slice(begin, spot->text);
	set_begin(spot, begin);
	if (parameter && parameter->name)
		offer_kind(spot, parameter->kind);
	else if (begin == spot->text.at + spot->text.length)
		offer_options(spot);
}

/* Goes over the words that are finished, as the command would; `begin` is where the argument at the cursor starts. */
static int pending_option(struct spot *spot, const struct words *words, const char **begin)
{
	int option = -1;
	for (int i = 1; i < words->count; i++) {
		sw_str word = words->word[i].raw;
		if (option >= 0) {
			option = -1;
		} else if (is_option(spot->command, word)) {
			option = memchr(word.at, '=', word.length) ? -1 : option_named(spot->command, word);
			option = option >= 0 && !option_rows[option].value ? -1 : option;
		} else {
			const struct parameter *parameter = &spot->command->parameter[spot->index];
			bool rest = spot->index < COMMAND_PARAMETERS && parameter->name && kind_rows[parameter->kind].rest;
			if (rest && !*begin)
				*begin = word.at;
			if (!rest && spot->index++ == 0)
				spot->first = words->word[i].text;
			if (spot->index > COMMAND_PARAMETERS)
				spot->index = COMMAND_PARAMETERS;
		}
	}
	return option;
}

/* Does what stands there end before a word that begins with `--`, which nothing in it can? */
static bool ends_before_options(const struct spot *spot)
{
	const struct parameter *parameter = &spot->command->parameter[spot->index];
	return spot->index < COMMAND_PARAMETERS && parameter->name && kind_rows[parameter->kind].signs;
}

static void offer_in_command(struct spot *spot, const struct words *words)
{
	const char *begin = NULL, *equals = memchr(words->last.at, '=', words->last.length);
	int option = pending_option(spot, words, &begin);
	if (option >= 0) {
		offer_value(spot, option, words->last.at);
	} else if (is_option(spot->command, words->last) && (!begin || ends_before_options(spot))) {
		option = equals ? option_named(spot->command, (sw_str){words->last.at, (size_t)(equals - words->last.at)}) :
						  -1;
		if (equals && option >= 0)
			offer_value(spot, option, equals + 1);
		else if (!equals)
			offer_options(spot);
	} else {
		offer_argument(spot, begin ? begin : words->last.at);
	}
}

/* The command: named, or meant by a dot, an arrow or a type. */
static const struct command *command_of(const struct session *session, const struct words *words)
{
	sw_str first = words->count ? words->word[0].raw : words->last;
	const struct command *command = words->count ? command_exact(first) : NULL;
	bool is_type = (first.length && *first.at == '[') || (words->count && session_type(session, first));
	if (!command && first.length && *first.at == '.')
		return command_exact(sw_str_of("schedule"));
	if (!command && (is_type || has_arrow(words)))
		return command_exact(sw_str_of("redistribute"));
	return command || !words->count ? command : command_named(first, NULL);
}

static bool is_named(const struct words *words, const struct command *command)
{
	return words->count && command_named(words->word[0].raw, NULL) == command;
}

/* `COMMAND > FILE`: only the file can be completed. */
static bool offer_redirection(struct spot *spot, const struct words *words)
{
	for (int i = 1; i < words->count; i++) {
		sw_str word = words->word[i].raw;
		if (!sw_str_is(word, ">") && !sw_str_is(word, "|"))
			continue;
		spot->argument = words->last;
		if (*word.at == '>')
			offer_kind(spot, KIND_FILE);
		return true;
	}
	return false;
}

static void offer_statement(struct spot *spot, sw_str statement, sw_arena *arena)
{
	struct words words;
	if (!cut_words(statement, arena, &words))
		return;
	set_begin(spot, words.last.at);
	spot->command = command_of(spot->session, &words);
	if (!spot->command && !words.count) {
		spot->argument = statement;
		offer_commands(spot);
	} else if (spot->command && !is_named(&words, spot->command)) {
		offer_argument(spot, statement.at);
	} else if (spot->command && !offer_redirection(spot, &words)) {
		offer_in_command(spot, &words);
	}
}

void complete(struct session *session, sw_str text, struct candidates *out)
{
	*out = (struct candidates){.arena = sw_arena_new(), .begin = text.length};
	struct spot spot = {.session = session, .out = out, .text = text, .option = OPTION_COUNT};
	if (out->arena)
		offer_statement(&spot, statement_at_end(text), out->arena);
}
