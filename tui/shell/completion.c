/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of two shells that differ in how they learn the words of the line and hand back what they offer; the branches
 * between are the same.  What a value may be the prompt's own completion says, in a session where nothing is defined.
 */
#include "shell/completion.h"

#include <string.h>

#include "command/program.h"
#include "language/names.h"
#include "shell/complete.h"

static const struct shell {
	const char *name, *head, *foot;
} shells[] = {
	{"bash",
		"# Completes words after shardwalk in bash; written by `shardwalk completion bash`.\n"
		"_shardwalk_words() { COMPREPLY+=($(compgen -W \"$*\" -- \"$word\")); }\n"
		"_shardwalk_files() { COMPREPLY+=($(compgen -f -- \"$word\")); }\n"
		"_shardwalk() {\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= one\n"
		"\tCOMPREPLY=()\n"
		"\tfor one in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n",
		"complete -o filenames -F _shardwalk shardwalk\n"},
	{"zsh",
		"#compdef shardwalk\n"
		"# Completes words after shardwalk in zsh; written by `shardwalk completion zsh`.\n"
		"_shardwalk_words() { compadd -- \"$@\"; }\n"
		"_shardwalk_files() { _files; }\n"
		"_shardwalk() {\n"
		"\tlocal word=${words[CURRENT]} before=${words[CURRENT-1]} command= one\n"
		"\tfor one in \"${(@)words[2,CURRENT-1]}\"; do\n",
		"if [ \"$funcstack[1]\" = _shardwalk ]; then _shardwalk \"$@\"; else compdef _shardwalk shardwalk; fi\n"},
};

CHOICES(shell_choice, (int)(sizeof(shells) / sizeof(*shells)), shells[n].name, "")

/* ---- what values may be ---- */

static bool is_plain(const char *word)
{
	return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] == '\0';
}

/* Adds what may come behind the line of the language. */
static void add_offered(struct session *session, const char *line, sw_text *text)
{
	struct candidates found = {0};
	complete(session, sw_str_of(line), &found);
	for (int i = 0; i < found.count; i++)
		if (is_plain(found.row[i].text))
			sw_text_addf(text, " %s", found.row[i].text);
	candidates_free(&found);
}

/* ---- the branches ---- */

static void add_names(const char *between, sw_text *text)
{
	for (int i = 0; i < command_count; i++)
		sw_text_addf(text, "%s%s", i ? between : "", commands[i].name);
}

static const struct command *command_with(enum option option)
{
	for (int i = 0; i < command_count; i++)
		if (command_offers(&commands[i], option))
			return &commands[i];
	return NULL;
}

/* "--strategy) ... ;;": the word before the cursor is an option that has a value. */
static void add_option(struct session *session, enum option option, sw_text *text)
{
	const struct command *command = command_with(option);
	const struct option_row *row = &option_rows[option];
	sw_text line = {0};
	if (!row->value || !command)
		return;
	sw_text_addf(text, "\t--%s) ", row->name);
	sw_text_addf(&line, "%s --%s ", command->name, row->name);
	if (kind_rows[row->kind].shell == SHELL_FILES)
		sw_text_add(text, "_shardwalk_files; ");
	else if (kind_rows[row->kind].shell == SHELL_WORDS) {
		sw_text_add(text, "_shardwalk_words");
		add_offered(session, sw_text_get(&line), text);
		sw_text_add(text, "; ");
	}
	sw_text_add(text, "return ;;\n");
	sw_text_free(&line);
}

static void add_program_options(sw_text *text)
{
	for (int i = 0; i < PROGRAM_OPTION_COUNT; i++)
		if (program_options[i].name)
			sw_text_addf(text, " --%s", program_options[i].name);
}

/* "plan) ... ;;": the command stands before the cursor. */
static void add_command(struct session *session, const struct command *command, sw_text *text)
{
	enum kind kind = command->parameter[0].name ? command->parameter[0].kind : KIND_NONE;
	sw_text line = {0};
	sw_text_addf(text, "\t%s) _shardwalk_words", command->name);
	sw_text_addf(&line, "%s ", command->name);
	if (kind_rows[kind].shell == SHELL_WORDS)
		add_offered(session, sw_text_get(&line), text);
	for (int option = 0; option < OPTION_COUNT; option++)
		if (command_offers(command, (enum option)option))
			sw_text_addf(text, " --%s", option_rows[option].name);
	sw_text_addf(text, "%s ;;\n", kind_rows[kind].shell == SHELL_FILES ? "; _shardwalk_files" : "");
	sw_text_free(&line);
}

static void add_branches(struct session *session, sw_text *text)
{
	sw_text_add(text, "\t\tcase $one in\n\t\t");
	add_names(" | ", text);
	sw_text_add(text, ") command=$one; break ;;\n\t\tesac\n\tdone\n\tcase $before in\n");
	for (int option = 0; option < OPTION_COUNT; option++)
		add_option(session, (enum option)option, text);
	sw_text_add(text,
		"\t-f) _shardwalk_files; return ;;\n\t-c) return ;;\n\tesac\n\tcase $command in\n\t'') _shardwalk_words ");
	add_names(" ", text);
	add_program_options(text);
	sw_text_add(text, "; _shardwalk_files ;;\n");
	for (int i = 0; i < command_count; i++)
		add_command(session, &commands[i], text);
	sw_text_add(text, "\tesac\n}\n");
}

bool command_completion(struct invocation *run, sw_diag *diag)
{
	int64_t shell = argument_number(run, 0, 0);
	sw_text text = {0};
	(void)diag;
	sw_text_add(&text, shells[shell].head);
	add_branches(run->session, &text);
	sw_text_add(&text, shells[shell].foot);
	document_lines(run->answer, &text);
	return true;
}
