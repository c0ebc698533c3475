/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the command line.
 *
 *     shardwalk [OPTIONS] FILE...                                        scripts
 *     shardwalk [OPTIONS] COMMAND [STATEMENT...] [ARGUMENTS] [OPTIONS]   one command
 *
 * The words of a command become a line of the language, so that both are read by the same parser and a mistake is
 * marked in that line.
 */
#include "shell/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/foreign.h"
#include "language/names.h"

/* How far the reading is. */
struct reader {
	int count, at;
	char **words;
	struct request *request;
	const char **left; /* words that are no options */
	int left_count;
	int argument;     /* of the command: so many were taken */
	bool raw;         /* it takes text of any kind, as `import`, `explain` and `export FORMAT FILE import` do */
	sw_text *shown;   /* the whole command line, for messages */
	size_t *position; /* of each word in it */
	sw_diag *diag;
};

static sw_span word_span(const struct reader *reader, int i)
{
	size_t begin = reader->position[i];
	return (sw_span){begin, begin + strlen(reader->words[i])};
}

/* ---- the program's own options ---- */

static void add_input(struct request *request, int kind, const char *words)
{
	request->inputs[request->input_count].kind = kind;
	request->inputs[request->input_count++].words = words;
}

static bool take_value(struct reader *reader, int option, const char **value)
{
	const struct program_option_row *row = &program_options[option];
	if (reader->at + 1 < reader->count) {
		*value = reader->words[++reader->at];
		return true;
	}
	sw_diag_set(reader->diag, SW_L03, word_span(reader, reader->at), "'-%c' needs %s", row->letter, row->value);
	return false;
}

static bool take_color(struct reader *reader, const char *value)
{
	struct setting_value read;
	reader->request->color = value ? value : "always";
	if (setting_read(SETTING_COLOR, sw_str_of(reader->request->color), &read, reader->diag))
		return true;
	reader->diag->at = word_span(reader, reader->at);
	return false;
}

static bool take_option(struct reader *reader, int option, const char *value)
{
	reader->request->has[option] = true;
	if (option == PROGRAM_COLOR)
		return take_color(reader, value);
	if (value) {
		sw_diag_set(reader->diag, SW_L02, word_span(reader, reader->at), "'--%s' takes no value",
			program_options[option].name);
		return false;
	}
	if (!program_options[option].value)
		return true;
	if (!take_value(reader, option, &value))
		return false;
	add_input(reader->request, option == PROGRAM_TEXT ? ERRAND_TEXT : ERRAND_FILE, value);
	return true;
}

static int find_program_option(const char *word)
{
	size_t length = strcspn(word, "=");
	for (int i = 0; i < PROGRAM_OPTION_COUNT; i++) {
		const struct program_option_row *row = &program_options[i];
		if (word[1] != '-' && row->letter == word[1] && !word[2])
			return i;
		if (word[1] == '-' && row->name && strlen(row->name) == length - 2 &&
			strncmp(row->name, word + 2, length - 2) == 0)
			return i;
	}
	return -1;
}

/* An option of the command: its value may stand in the next word. */
static int find_command_option(const struct command *command, const char *word)
{
	size_t length = strcspn(word, "=");
	int found = -1;
	for (int i = 0; command && i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		if (!command->options.has[i])
			continue;
		if (word[1] != '-' && row->letter && row->letter == word[1] && !word[2])
			return i;
		if (word[1] != '-' || strncmp(row->name, word + 2, length - 2) != 0 || length == 2)
			continue;
		if (strlen(row->name) == length - 2)
			return i;
		found = found == -1 ? i : -2;
	}
	return found;
}

static const char *option_at(const void *context, int n)
{
	const struct command *command = context;
	for (int i = 0; i < PROGRAM_OPTION_COUNT; i++)
		if (program_options[i].name && n-- == 0)
			return program_options[i].name;
	for (int i = 0; command && i < OPTION_COUNT; i++)
		if (command->options.has[i] && n-- == 0)
			return option_rows[i].name;
	return NULL;
}

static bool refuse_option(struct reader *reader)
{
	const char *word = reader->words[reader->at];
	const struct names names = {option_at, reader->request->command, "option",
		"`shardwalk --help` lists the options"};
	name_find(&names, sw_str_of(word + (word[1] == '-' ? 2 : 1)), SW_L05, reader->diag);
	sw_span position = word_span(reader, reader->at);
	char hint[sizeof(reader->diag->hint)];
	memcpy(hint, reader->diag->hint, sizeof(hint));
	char *near = strchr(hint, '\'');
	sw_diag_set(reader->diag, SW_L05, position, "there is no option '%.60s'", word);
	if (near)
		sw_diag_hint(reader->diag, "did you mean '--%s", near + 1);
	else
		sw_diag_hint(reader->diag,
			"`shardwalk --help` lists the options, `shardwalk help COMMAND` those of a "
			"command");
	return false;
}

/* ---- words ---- */

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && word[1] != '>' && !(word[1] >= '0' && word[1] <= '9');
}

/* Does the command take its n-th argument as it is, with all that follows? */
static bool takes_rest(const struct command *command, int n)
{
	for (int i = 0; i <= n && i < COMMAND_PARAMETERS && command->parameter[i].name; i++)
		if (kind_rows[command->parameter[i].kind].rest)
			return true;
	return command->raw;
}

static void add_to_line(struct request *request, const char *word, bool as_it_is)
{
	sw_text_add_char(&request->line, ' ');
	if (as_it_is && *word)
		sw_text_add(&request->line, word);
	else
		line_print_word(sw_str_of(word), &request->line);
}

/* Does another word follow that is no option? */
static bool is_last(const struct reader *reader)
{
	for (int i = reader->at + 1; i < reader->count; i++)
		if (!is_option(reader->words[i]))
			return false;
	return true;
}

/* A statement that runs before the command: `mesh {...}`, or text with an arrow.  Where text of any kind is the argument
 * its last word is that text, and an arrow belongs to it. */
static bool is_statement(const struct reader *reader, const char *word)
{
	const struct command *command = reader->request->command;
	sw_str text = sw_str_trim(sw_str_of(word)), first = line_first(text);
	const struct command *row = command_exact(first);
	bool takes_arrow = reader->raw || command->parameter[0].kind == KIND_REDISTRIBUTION;
	if (reader->raw && is_last(reader))
		return false;
	return (row && row->statement && first.length < text.length) || line_is_mesh(text) || is_foreign_mesh(text) ||
		(!takes_arrow && line_arrow(text).length > 0);
}

/* `export svg - import TEXT` */
static bool begins_raw(const struct command *command, int argument, const char *word)
{
	const struct command *other = command_exact(sw_str_of(word));
	return other && other->raw && argument < COMMAND_PARAMETERS && command->parameter[argument].kind == KIND_EXPORTED;
}

static void take_word(struct reader *reader)
{
	struct request *request = reader->request;
	const char *word = reader->words[reader->at];
	if (!request->command && !reader->left_count && !request->input_count) {
		request->command = command_exact(sw_str_of(word));
		if (request->command) {
			sw_text_add(&request->line, word);
			reader->raw = request->command->raw;
			return;
		}
	}
	if (!request->command) {
		reader->left[reader->left_count++] = word;
	} else if (is_statement(reader, word)) {
		request->statements[request->statement_count++] = word;
	} else {
		reader->raw = reader->raw || begins_raw(request->command, reader->argument, word);
		add_to_line(request, word, takes_rest(request->command, reader->argument++));
	}
}

static void take_command_option(struct reader *reader, int found)
{
	const char *word = reader->words[reader->at];
	add_to_line(reader->request, word, reader->request->command->raw);
	if (option_rows[found].value && !strchr(word, '=') && reader->at + 1 < reader->count)
		add_to_line(reader->request, reader->words[++reader->at], reader->request->command->raw);
}

static bool read_word(struct reader *reader, bool *options)
{
	const char *word = reader->words[reader->at];
	if (*options && strcmp(word, "--") == 0) {
		*options = false;
		if (reader->request->command)
			sw_text_add(&reader->request->line, " --");
		return true;
	}
	if (!*options || !is_option(word)) {
		take_word(reader);
		return true;
	}
	int found = find_command_option(reader->request->command, word);
	if (found >= 0) {
		take_command_option(reader, found);
		return true;
	}
	found = find_program_option(word);
	const char *equals = strchr(word, '=');
	return found >= 0 ? take_option(reader, found, equals ? equals + 1 : NULL) : refuse_option(reader);
}

/* ---- the whole ---- */

static const char *command_at(const void *context, int n)
{
	(void)context;
	return n < command_count ? commands[n].name : NULL;
}

/* A quoted statement of raw text, such as "program FILE", needs no command before it. */
static bool is_raw_statement(const char *word)
{
	sw_str text = sw_str_trim(sw_str_of(word)), first = line_first(text);
	const struct command *row = command_exact(first);
	return row && row->statement && row->raw && first.length < text.length;
}

/* Without a command all words are scripts, or statements of raw text; the first script has to be there. */
static bool take_scripts(struct reader *reader)
{
	struct request *request = reader->request;
	for (int i = 0; i < reader->left_count; i++)
		add_input(request, is_raw_statement(reader->left[i]) ? ERRAND_TEXT : ERRAND_FILE, reader->left[i]);
	if (!reader->left_count || is_raw_statement(reader->left[0]) || strcmp(reader->left[0], "-") == 0 ||
		access(reader->left[0], F_OK) == 0)
		return true;
	const char *word = reader->left[0];
	const struct names names = {command_at, NULL, "command", "`shardwalk --help` shows the usage"};
	name_find(&names, sw_str_of(word), SW_L01, reader->diag);
	int i = 0;
	while (reader->words[i] != word)
		i++;
	char hint[sizeof(reader->diag->hint)];
	memcpy(hint, reader->diag->hint, sizeof(hint));
	bool part = reader->diag->code == SW_OK || reader->diag->code == SW_L09;
	sw_diag_set(reader->diag, SW_L01, word_span(reader, i), "'%.60s' is neither a command nor a file", word);
	sw_diag_hint(reader->diag, "%s",
		part ? "write commands in full on the command line; `shardwalk help` lists them" : hint);
	return false;
}

static bool read_all(struct reader *reader)
{
	bool options = true;
	for (reader->at = 0; reader->at < reader->count; reader->at++)
		if (!read_word(reader, &options))
			return false;
	return take_scripts(reader);
}

bool request_read(int count, char **arguments, struct request *request, sw_text *shown, sw_diag *diag)
{
	size_t room = (size_t)count + 1;
	*request = (struct request){.inputs = calloc(room, sizeof(*request->inputs)),
		.statements = calloc(room, sizeof(*request->statements))};
	struct reader reader = {.count = count, .words = arguments, .request = request, .shown = shown, .diag = diag};
	reader.left = calloc(room, sizeof(*reader.left));
	reader.position = calloc(room, sizeof(*reader.position));
	sw_text_add(shown, "shardwalk");
	for (int i = 0; reader.position && i < count; i++) {
		sw_text_add_char(shown, ' ');
		reader.position[i] = shown->length;
		sw_text_add(shown, arguments[i]);
	}
	bool memory = request->inputs && request->statements && reader.left && reader.position && !shown->failed;
	bool ok = memory ? read_all(&reader) : sw_diag_memory(diag);
	free(reader.left);
	free(reader.position);
	return ok;
}

void request_free(struct request *request)
{
	free(request->inputs);
	free(request->statements);
	sw_text_free(&request->line);
}

void request_print_help(sw_text *text)
{
	sw_text_add(text,
		"usage: shardwalk [OPTIONS] [FILE...]\n"
		"       shardwalk COMMAND [STATEMENT...] [ARGUMENTS] [OPTIONS]\n\n"
		"Plans how to move a distributed array between layouts on many devices.\n"
		"FILEs are scripts. A STATEMENT is a `mesh`, `type`, `shape`, `from` or `to` statement or `TYPE ~> "
		"TYPE`, in quotes:\n\n"
		"    shardwalk plan 'mesh {x: 4, y: 6}' '[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'\n\noptions\n");
	for (int i = 0; i < PROGRAM_OPTION_COUNT; i++) {
		sw_text name = {0};
		program_option_print(i, &name);
		sw_text_addf(text, "  %-28s %s\n", sw_text_get(&name), program_options[i].about);
		sw_text_free(&name);
	}
	const char *area = "";
	sw_text_add(text, "\ncommands\n");
	for (int i = 0; i < command_count; i++) {
		sw_text usage = {0};
		if (strcmp(area, commands[i].area) != 0)
			sw_text_addf(text, "%s", *area ? "\n" : "");
		area = commands[i].area;
		command_print_usage(&commands[i], false, &usage);
		sw_text_addf(text, "  %-28s %s\n", sw_text_get(&usage), commands[i].about);
		sw_text_free(&usage);
	}
	sw_text_add(text,
		"\n`shardwalk help COMMAND` lists the options of a command. Exit status: 0 done; 1 the answer is no, "
		"or a command\nfailed; 2 wrong usage; 3 something is missing here; 130, 131, 143, 129 interrupted, quit, "
		"terminated, hung up;\n141 the reader of the output has closed it.\n");
}
