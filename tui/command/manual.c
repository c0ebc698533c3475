/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables as mdoc lists.
 */
#include "command/manual.h"

#include <ctype.h>
#include <string.h>

#include <shardwalk/collective.h>
#include <shardwalk/sequence.h>

#include "command/export/export.h"
#include "command/explain/topics.h"
#include "language/names.h"
#include "command/program.h"
#include "views/views.h"

/* Text that mdoc takes as it is: no leading dots, no names of functions, and signs that stay what they are
 * when copied from the page. */
static void add_words(sw_text *text, const char *words)
{
	static const char *const escapes[128] = {
		['\\'] = "\\e",
		['-'] = "\\-",
		['~'] = "\\(ti",
		['^'] = "\\(ha",
		['`'] = "\\(ga",
		['\''] = "\\(aq",
	};
	bool start = true;
	for (; words && *words; words++) {
		const char *escape = *words > 0 ? escapes[(int)*words] : NULL;
		if (start && *words == '.')
			sw_text_add(text, "\\&");
		start = *words == '\n';
		if (escape)
			sw_text_add(text, escape);
		else
			sw_text_add_char(text, *words);
		if (words[0] == '(' && words[1] == ')')
			sw_text_add(text, "\\&");
	}
}

static void add_sentence(sw_text *text, const char *words)
{
	size_t at = text->length;
	add_words(text, words);
	if (at < text->length)
		text->data[at] = (char)toupper((unsigned char)text->data[at]);
	sw_text_add(text, ".\n");
}

static void list_start(sw_text *text)
{
	sw_text_add(text, ".Bl -tag -width Ds\n");
}

static void list_item(sw_text *text, const char *name)
{
	sw_text_add(text, ".It Ic ");
	add_words(text, name);
	sw_text_add_char(text, '\n');
}

/* Sentences, each on a line of its own, as mdoc wants it. */
static void add_prose(sw_text *text, const char *words)
{
	for (; words && *words; words++) {
		char letter[2] = {*words, '\0'};
		add_words(text, letter);
		if (*words == '.' && words[1] == ' ' && isupper((unsigned char)words[2])) {
			sw_text_add_char(text, '\n');
			words++;
		}
	}
	sw_text_add_char(text, '\n');
}

static void add_example(sw_text *text, const char *example)
{
	sw_text_add(text, ".Bd -literal -offset indent\n");
	add_words(text, example);
	sw_text_add(text, example[strlen(example) - 1] == '\n' ? ".Ed\n" : "\n.Ed\n");
}

/* ---- the tables ---- */

static void manual_commands(sw_text *text)
{
	const char *area = "";
	for (int i = 0; i < command_count; i++) {
		const struct command *row = &commands[i];
		sw_text usage = {0};
		if (strcmp(area, row->area) != 0) {
			if (*area)
				sw_text_add(text, ".El\n");
			area = row->area;
			sw_text_addf(text, ".Ss %c%s\n", toupper((unsigned char)*area), area + 1);
			list_start(text);
		}
		command_print_usage(row, true, &usage);
		list_item(text, sw_text_get(&usage));
		add_sentence(text, row->about);
		if (row->help)
			add_prose(text, row->help);
		add_example(text, row->example);
		sw_text_free(&usage);
	}
	sw_text_add(text, ".El\n");
}

static void manual_options(sw_text *text)
{
	list_start(text);
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		sw_text name = {0};
		if (row->letter)
			sw_text_addf(&name, "-%c, ", row->letter);
		sw_text_addf(&name, "--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
		list_item(text, sw_text_get(&name));
		add_sentence(text, row->about);
		sw_text_free(&name);
	}
	sw_text_add(text, ".El\n");
}

static void manual_program(sw_text *text)
{
	list_start(text);
	for (int i = 0; i < PROGRAM_OPTION_COUNT; i++) {
		sw_text name = {0};
		program_option_print(i, &name);
		list_item(text, sw_text_get(&name));
		add_sentence(text, program_options[i].about);
		sw_text_free(&name);
	}
	sw_text_add(text, ".El\n");
}

static void manual_settings(sw_text *text)
{
	list_start(text);
	for (int i = 0; i < SETTING_COUNT; i++) {
		sw_text range = {0};
		setting_print_range((enum setting)i, &range);
		list_item(text, setting_rows[i].name);
		add_sentence(text, setting_rows[i].about);
		sw_text_add(text, "Values: ");
		add_words(text, sw_text_get(&range));
		sw_text_add(text, "; default: ");
		add_words(text, setting_rows[i].initial);
		sw_text_add(text, ".\n");
		sw_text_free(&range);
	}
	sw_text_add(text, ".El\n");
}

static void manual_codes(sw_text *text)
{
	sw_text_add(text, ".Bl -tag -width T04 -compact\n");
	for (int i = SW_OK + 1; i < SW_CODE_COUNT; i++) {
		const sw_code_info *row = sw_code_info_of((sw_code)i);
		list_item(text, row->name);
		add_sentence(text, row->title);
	}
	sw_text_add(text, ".El\n");
}

/* What `explain` tells of each strategy, or of each model. */
static void manual_topics(int kind, sw_text *text)
{
	list_start(text);
	for (int n = 0; topic_at(n); n++) {
		const struct topic *topic = topic_at(n);
		if ((int)topic->kind != kind)
			continue;
		list_item(text, topic_name(topic));
		add_sentence(text, topic_about(topic));
		for (int i = 0; i < TOPIC_PARTS && topic->part[i].head; i++) {
			sw_text_addf(text, ".Pp\n%c%s:\n", toupper((unsigned char)*topic->part[i].head), topic->part[i].head + 1);
			add_prose(text, topic->part[i].words);
		}
	}
	sw_text_add(text, ".El\n");
}

static void manual_strategies(sw_text *text)
{
	manual_topics(TOPIC_STRATEGY, text);
}

static void manual_notations(sw_text *text)
{
	sw_text example = {0};
	list_start(text);
	for (int i = 0; i < SW_NOTATION_COUNT; i++) {
		list_item(text, sw_notation_name((sw_notation)i));
		sw_text_clear(&example);
		sw_text_addf(&example, "%s: `%s`", sw_notation_called((sw_notation)i), sw_notation_example((sw_notation)i));
		add_sentence(text, sw_text_get(&example));
	}
	sw_text_add(text, ".El\n");
	sw_text_free(&example);
}

static void manual_models(sw_text *text)
{
	manual_topics(TOPIC_MODEL, text);
}

static void manual_choices(choice_function *choice, sw_text *text)
{
	list_start(text);
	for (int n = 0; choice(n).name; n++) {
		list_item(text, choice(n).name);
		add_sentence(text, choice(n).about);
	}
	sw_text_add(text, ".El\n");
}

static void manual_views(sw_text *text)
{
	manual_choices(view_choice, text);
}

static void manual_formats(sw_text *text)
{
	manual_choices(format_choice, text);
}

static void manual_operations(sw_text *text)
{
	list_start(text);
	for (int i = 0; i < SW_COLLECTIVES; i++) {
		const sw_collective *row = sw_collective_of((sw_op)i);
		list_item(text, row->usage);
		sw_text_add(text, "Needs: ");
		add_words(text, row->needs);
		sw_text_add(text, ".\nEffect: ");
		add_words(text, row->effect);
		sw_text_add(text, ".\nCost: ");
		add_words(text, row->cost);
		sw_text_add(text, ".\n");
	}
	sw_text_add(text, ".El\n");
}

static void manual_lemmas(sw_text *text)
{
	list_start(text);
	for (int i = SW_LEMMA_NONE + 1; i < SW_LEMMA_COUNT; i++) {
		list_item(text, sw_lemma_name((sw_lemma)i));
		add_sentence(text, sw_lemma_about((sw_lemma)i));
	}
	sw_text_add(text, ".El\n");
}

static void manual_elements(sw_text *text)
{
	static const struct {
		const char *name;
		int bytes;
		const char *aliases;
	} rows[] = {
#define X(id, name, bytes, aliases) {name, bytes, aliases},
		SW_DTYPES(X)
#undef X
	};
	sw_text_add(text, ".Bl -tag -width f8e4m3b11fnuz -compact\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		list_item(text, rows[i].name);
		sw_text_addf(text, "%d %s; also ", rows[i].bytes, plural(rows[i].bytes, "byte", "bytes"));
		for (const char *at = rows[i].aliases; *at; at++)
			sw_text_add(text, *at == ' ' ? ", " : (char[]){*at, '\0'});
		sw_text_add(text, ".\n");
	}
	sw_text_add(text, ".El\n");
}

static const struct {
	const char *name;
	void (*print)(sw_text *text);
} manuals[] = {{"commands", manual_commands}, {"options", manual_options}, {"program", manual_program},
	{"settings", manual_settings}, {"codes", manual_codes}, {"strategies", manual_strategies},
	{"models", manual_models}, {"views", manual_views}, {"operations", manual_operations}, {"lemmas", manual_lemmas},
	{"elements", manual_elements}, {"formats", manual_formats}, {"notations", manual_notations}};

CHOICES(manual_choice, (int)(sizeof(manuals) / sizeof(*manuals)), manuals[n].name, "")

/* Breaks a line of prose at a blank before column 79; a new line must not start like a request. */
static void add_filled(sw_text *out, sw_str line)
{
	while (line.length > 78) {
		size_t at = 78;
		while (at > 0 && (line.at[at] != ' ' || strchr(".'", line.at[at + 1])))
			at--;
		if (!at)
			break;
		sw_text_add_str(out, (sw_str){line.at, at});
		sw_text_add_char(out, '\n');
		line = (sw_str){line.at + at + 1, line.length - at - 1};
	}
	sw_text_add_str(out, line);
	sw_text_add_char(out, '\n');
}

/* Prose is filled; requests and examples stand as they are. */
static void fill_lines(const char *at, sw_text *out)
{
	bool literal = false;
	while (*at) {
		sw_str line = {at, strcspn(at, "\n")};
		at += line.length + (at[line.length] == '\n');
		literal = strncmp(line.at, ".Bd", 3) == 0 || (literal && strncmp(line.at, ".Ed", 3) != 0);
		if (!literal && *line.at != '.') {
			add_filled(out, line);
			continue;
		}
		sw_text_add_str(out, line);
		sw_text_add_char(out, '\n');
	}
}

void manual_answer(const struct invocation *run, int64_t table)
{
	sw_text text = {0}, filled = {0};
	manuals[table].print(&text);
	fill_lines(sw_text_get(&text), &filled);
	document_lines(run->answer, &filled);
	sw_text_free(&text);
}
