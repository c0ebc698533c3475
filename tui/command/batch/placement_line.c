/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about placements: what they ask is in the keys of the line, and the answer has those of its kind.
 */
#include "command/batch/placement_line.h"

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

bool placement_line(struct session *session, json_t *line, sw_str text, sw_arena *arena, sw_text *out, sw_diag *diag)
{
	sw_json json;
	bool incomplete = false;
	struct asked asked = {session, line, text, arena, &json, diag, &incomplete};
	const char *name = json_string_value(json_object_get(line, "name"));
	int kind = kind_of(line);

	sw_json_start(&json, out, true);
	sw_json_open(&json, '{', false);
	sw_json_key(&json, "schema");
	sw_json_string(&json, "shardwalk.placement/1");
	if (name != NULL) {
		sw_json_key(&json, "name");
		sw_json_string(&json, name);
	}
	sw_json_key(&json, "kind");
	sw_json_string(&json, kinds[kind].kind);
	if (!kinds[kind].answer(&asked)) {
		sw_text_clear(out);
		return false;
	}
	if (incomplete) {
		sw_json_key(&json, "complete");
		sw_json_bool(&json, false);
	}
	sw_json_close(&json);
	sw_text_add_char(out, '\n');
	return true;
}
