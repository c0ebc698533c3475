/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about placements: what they ask is in the keys of the line, and the answer has those of its kind.
 */
#include "command/batch/lines.h"

#include <string.h>

#include "command/batch/asked.h"

/* ---- lines ---- */

static const struct {
	const char *kind;
	asked_answer *answer;
} kinds[] = {{"placements", asked_placements}, {"order", asked_order}, {"lowering", asked_lowering},
	{"program", asked_program}, {"count", asked_count}, {"total", asked_total}, {"best", asked_best},
	{"choose", asked_choose}, {"expressive", asked_expressive}};

static int kind_of(json_t *line)
{
	const char *kind = json_string_value(json_object_get(line, "kind"));

	for (size_t i = 0; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kind, kinds[i].kind) == 0)
			return (int)i;
	return -1;
}

bool placement_line_asked(json_t *line)
{
	return kind_of(line) >= 0 && (json_object_get(line, "system") != NULL || json_object_get(line, "sizes") != NULL);
}

bool placement_line(struct problem_json *of, sw_diag *diag)
{
	struct fields *fields = of->answer = fields_new(of->arena);
	bool incomplete = false;
	int kind = kind_of(of->json);

	field_text(fields, "schema", "shardwalk.placement/1");
	if (of->name != NULL)
		field_text(fields, "name", of->name);
	field_text(fields, "kind", kinds[kind].kind);
	of->incomplete = &incomplete;
	(void)diag;
	if (!kinds[kind].answer(of))
		return false;
	if (incomplete)
		field_bool(fields, "complete", false);
	return true;
}
