/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands about the session itself: help, quit.  Help is generated from the tables that dispatch.
 */
#define _GNU_SOURCE
#include "command/plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <shardwalk/number.h>
#include <shardwalk/reduction.h>

#include "command/export/export.h"
#include "command/manual.h"

/* ---- one command ---- */

static void put_lines(struct canvas *canvas, int *y, const char *lines)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");
		canvas_putf(canvas, 4, (*y)++, ROLE_OP, "%.*s", (int)length, lines);
		lines += length + (lines[length] == '\n');
	}
}

/* A name, and what it is about, at `x`. */
static void put_row(struct canvas *canvas, int *y, int x, enum role role, const char *name, const char *about)
{
	canvas_put(canvas, x, *y, role, name);
	*y = canvas_put_wrapped(canvas, 24, *y, canvas->width - 24, 0, ROLE_TEXT, about);
}

/* The words of an option that takes columns. */
static void put_columns(struct canvas *canvas, int *y, const struct command *command, enum option option)
{
	struct choice_row word[COLUMN_WORDS];
	enum kind kind = option_rows[option].kind;
	bool columns = kind == KIND_ORDER || kind == KIND_FOLD;
	int count = columns ? command_columns(command, kind == KIND_FOLD, word) : 0;
	sw_text words = {0};
	for (int n = 0; n < count; n++)
		sw_text_addf(&words, "%s%s", n ? ", " : "", word[n].name);
	if (count)
		*y = canvas_put_wrapped(canvas, 24, *y, canvas->width - 24, 0, ROLE_OP, sw_text_get(&words));
	sw_text_free(&words);
}

static void put_options(struct canvas *canvas, int *y, const struct command *command)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		if (!command_offers(command, (enum option)i))
			continue;
		sw_text name = {0};
		if (row->letter)
			sw_text_addf(&name, "-%c, ", row->letter);
		sw_text_addf(&name, "--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
		put_row(canvas, y, 2, ROLE_LABEL, sw_text_get(&name), row->about);
		put_columns(canvas, y, command, (enum option)i);
		sw_text_free(&name);
	}
}

static void put_kinds(struct canvas *canvas, int *y, const struct command *command)
{
	for (int i = 0; i < COMMAND_PARAMETERS && command->parameter[i].name; i++)
		put_row(canvas, y, 2, ROLE_LABEL, command->parameter[i].name, kind_rows[command->parameter[i].kind].about);
}

/* The same operations on chunks, by a form and a level. */
static void put_group_forms(struct canvas *canvas, int *y)
{
	sw_text text = {0};

	for (int n = 0; n < SW_CHUNK_OPS; n++)
		sw_text_addf(&text, "%s%s", n > 0 ? "|" : "", sw_op_name(sw_chunk_ops[n]));
	sw_text_add(&text, "  inside LEVEL | across LEVEL [in ANCESTOR] | masters LEVEL [in ANCESTOR]");
	*y = canvas_put_wrapped(canvas, 4, *y, canvas->width - 4, 2, ROLE_OP, sw_text_get(&text));
	sw_text_free(&text);
}

/* What may stand for an argument whose values are rows of a table. */
static void put_choices(struct canvas *canvas, int *y, enum kind kind)
{
	const struct kind_row *row = &kind_rows[kind];
	for (int n = 0; row->listed && row->choice(n).name; n++)
		put_row(canvas, y, 4, ROLE_OP, row->choice(n).name, row->choice(n).about);
	for (int n = 0; kind == KIND_OPERATION && n < SW_COLLECTIVES; n++)
		*y = canvas_put_wrapped(canvas, 4, *y, canvas->width - 4, 2, ROLE_OP, sw_collective_of((sw_op)n)->usage);
	if (kind == KIND_OPERATION)
		put_group_forms(canvas, y);
}

static void help_command(const struct invocation *run, const struct command *command)
{
	struct canvas *canvas = document_canvas(run->answer);
	sw_text usage = {0};
	int y = 0;
	canvas_reset(canvas, canvas->width < 100 ? canvas->width : 100);
	command_print_usage(command, false, &usage);
	canvas_put(canvas, 0, y++, ROLE_TITLE, sw_text_get(&usage));
	sw_text_clear(&usage);
	sw_text_addf(&usage, "%c%s.", toupper((unsigned char)*command->about), command->about + 1);
	if (command->help)
		sw_text_addf(&usage, " %s", command->help);
	y = canvas_put_wrapped(canvas, 0, y, canvas->width, 0, ROLE_TEXT, sw_text_get(&usage)) + 1;
	put_kinds(canvas, &y, command);
	for (int i = 0; i < COMMAND_PARAMETERS && command->parameter[i].name; i++)
		put_choices(canvas, &y, command->parameter[i].kind);
	put_options(canvas, &y, command);
	y += command->parameter[0].name || command_has_options(command);
	canvas_put(canvas, 0, y++, ROLE_LABEL, "example");
	put_lines(canvas, &y, command->example);
	sw_text_free(&usage);
}

/* ---- all commands ---- */

static const struct column help_columns[] = {COLUMN_LEFT("", ROLE_OP), COLUMN_LEFT("", ROLE_TEXT), {0}};

static void add_row(struct table *table, const struct command *command)
{
	sw_text usage = {0};
	sw_text_add(&usage, "  ");
	command_print_usage(command, false, &usage);
	table_add_text(table, &usage);
	table_add(table, "%s", command->about);
}

static void help_all(const struct invocation *run)
{
	struct table *table = document_table(run->answer, help_columns);
	const char *area = "";
	for (int i = 0; i < command_count; i++) {
		if (strcmp(area, commands[i].area) != 0) {
			area = commands[i].area;
			table_add(table, "%s", area);
			table_add(table, "%s", "");
		}
		add_row(table, &commands[i]);
	}
	document_line(run->answer,
		"\n`help COMMAND` says more, `help -k WORD` searches, `explain CODE` explains an error.");
}

static bool speaks_of(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

static void find_rows(struct table *table, const char *word)
{
	for (int i = 0; i < command_count; i++) {
		const struct command *row = &commands[i];
		if (speaks_of(row->name, word) || speaks_of(row->about, word) || speaks_of(row->help, word) ||
			speaks_of(row->example, word))
			add_row(table, row);
	}
	for (int i = 0; i < SETTING_COUNT; i++)
		if (speaks_of(setting_rows[i].name, word) || speaks_of(setting_rows[i].about, word)) {
			table_add(table, "  set %s", setting_rows[i].name);
			table_add(table, "%s", setting_rows[i].about);
		}
	for (int i = 0; i < SW_COLLECTIVES; i++) {
		const sw_collective *row = sw_collective_of((sw_op)i);
		if (speaks_of(row->name, word) || speaks_of(row->needs, word) || speaks_of(row->effect, word)) {
			table_add(table, "  explain %s", row->name);
			table_add(table, "%s", row->effect);
		}
	}
	for (int i = SW_OK + 1; i < SW_CODE_COUNT; i++) {
		const sw_code_info *row = sw_code_info_of((sw_code)i);
		if (row && (speaks_of(row->title, word) || speaks_of(row->rule, word))) {
			table_add(table, "  explain %s", row->name);
			table_add(table, "%s", row->title);
		}
	}
}

static bool help_keyword(const struct invocation *run, const struct word *keyword, sw_diag *diag)
{
	struct table *table = document_table(run->answer, help_columns);
	find_rows(table, file_name(run, keyword));
	if (table->cells)
		return true;
	sw_diag_set(diag, SW_L08, line_span(run->position->text, keyword->raw), "nothing is about '%.*s'",
		AS_SHOWN(keyword->text));
	sw_diag_hint(diag, "`help` lists all commands");
	return false;
}

bool command_help(struct invocation *run, sw_diag *diag)
{
	const struct word *name = argument(run, 0), *keyword = option_given(run, OPTION_KEYWORD);
	const struct value *man = option_value(run, OPTION_MAN);
	if (man)
		manual_answer(run, man->number);
	else if (!name && !keyword)
		help_all(run);
	if (man || (!name && !keyword))
		return true;
	if (keyword)
		return help_keyword(run, keyword, diag);
	const struct command *command = command_named(name->text, diag);
	if (!command && explain_knows(name->text))
		return command_explain(run, diag);
	if (!command)
		return refuse_at(run, name->raw, diag);
	help_command(run, command);
	return true;
}

/* ---- clear ---- */

bool command_clear(struct invocation *run, sw_diag *diag)
{
	(void)diag;
	console_clear(run->session->console);
	return true;
}

/* ---- quit ---- */

bool command_quit(struct invocation *run, sw_diag *diag)
{
	(void)diag;
	run->session->status = (int)argument_number(run, 0, -1);
	run->session->leaving = true;
	return true;
}
