/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch that are programs.
 */
#define _GNU_SOURCE /* memmem */
#include "command/batch/lines.h"

#include <string.h>

#include <shardwalk/program.h>

#include "answer/fields.h"
#include "command/programs/assign.h"
#include "command/programs/spmd.h"

/* Behind blanks and comments. */
static sw_str first_word(sw_str text)
{
	for (text = sw_str_trim(text); sw_str_starts(text, "#") || sw_str_starts(text, "//");) {
		const char *end = memchr(text.at, '\n', text.length);
		text = end ? sw_str_trim(sw_str_behind(text, (size_t)(end - text.at))) : (sw_str){"", 0};
	}
	return text;
}

bool program_line_asked(json_t *line)
{
	if (!json_is_string(json_object_get(line, "text")) || json_object_get(line, "format") ||
		json_object_get(line, "from") || json_object_get(line, "to"))
		return false;
	sw_str word = first_word(problem_text(&(struct problem_json){.json = line}, "text"));
	return sw_str_starts(word, "mesh") && memmem(word.at, word.length, "fn", 2) != NULL;
}

/* The line of the text on which the rule broke, from 1. */
static int64_t line_at(sw_str text, sw_span at)
{
	int64_t line = 1;
	for (size_t i = 0; i + 1 < at.end && i < text.length; i++)
		line += text.at[i] == '\n';
	return line;
}

static bool answer_json(struct problem_json *of, const sw_program *program, sw_str text, sw_diag *diag)
{
	bool ok = true;
	struct fields *fields = problem_fields(of, "shardwalk.program/1");
	field_text(fields, "rule", program ? NULL : diag->rule);
	if (program) {
		program_line_fields(program, fields);
		if (sw_program_open(program))
			ok = assign_line_fields(of->json, program, of->pulse, of->arena, fields, diag);
	} else {
		field_int(fields, "line", line_at(text, diag->at));
		field_text(fields, "message", diag->message);
		field_diag(fields, "error", diag, NULL, 1, text);
	}
	return ok;
}

static void answer_words(const struct problem_json *of, const sw_program *program)
{
	int moves = sw_program_moves(program), values = 0;
	sw_text notes = {0};
	for (int v = 0; v < program->values; v++)
		values += sw_program_keeps(program, v);
	if (program->notes)
		sw_text_addf(&notes, ", %d note%s", program->notes, program->notes == 1 ? "" : "s");
	problem_words(of, "%d value%s, %d redistribution%s%s%s", values, values == 1 ? "" : "s", moves,
		moves == 1 ? "" : "s", sw_text_get(&notes), sw_program_open(program) ? ", types are open" : "");
	sw_text_free(&notes);
}

bool program_line(struct problem_json *of, sw_diag *diag)
{
	sw_program program;
	of->refused = problem_text(of, "text");
	bool typed = program_parse_in(of->arena, of->refused, &program, diag);
	if (of->for_programs)
		typed = answer_json(of, typed ? &program : NULL, of->refused, diag) && typed;
	else if (typed)
		answer_words(of, &program);
	return typed;
}
