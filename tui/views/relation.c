/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who needs what of whom between both ends, and what the pattern of it is called.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/json.h>

#include "answer/rows.h"
#include "views/draw.h"
#include "views/sets.h"

#define DEVICES_SHOWN 64
#define MESSAGES_SHOWN 24
#define MESSAGES_LISTED 4096 /* what they have in common is looked for among as many */
#define OFFSETS_ALL 26       /* neighbours in three dimensions */
#define OFFSETS_SHOWN 8

bool relation_look_at(const sw_problem *problem, const sw_pulse *pulse, sw_arena *arena, struct relation_look *look,
	sw_diag *diag)
{
	*look = (struct relation_look){.problem = problem, .arena = arena};
	look->question = (sw_relation_question){.rule = problem->nearest ? SW_SENDER_NEAREST : SW_SENDER_BALANCED,
		.element = sw_dtype_bytes(problem->from.dtype),
		.mesh = &problem->mesh};
	if (!sets_check_padding(&problem->from, diag))
		return false;
	look->relation = sw_problem_relation_with(problem, pulse, arena, diag);
	return look->relation != NULL;
}

/* ---- what is told of it ---- */

struct told {
	int64_t count;        /* of messages */
	sw_messages messages; /* where they are few; else none */
	sw_tally sum;
	bool brief; /* there is too much to look at: only sizes are known, and where count is not 0 the messages */
	int64_t relabelled; /* kept under the best renumbering; -1: not known */
	sw_pattern pattern;
	sw_tally *tally;
};

static bool count_messages(const struct relation_look *look, struct told *told)
{
	told->count = sw_relation_count(look->relation, look->question.rule);
	if (told->count < 0 || told->count > MESSAGES_LISTED)
		return told->count >= 0;
	return sw_relation_messages(look->relation, look->question.rule, look->arena, &told->messages);
}

static bool tell_sizes(const struct relation_look *look, struct told *told)
{
	int64_t devices = look->problem->mesh.devices;
	told->tally = SW_NEW(look->arena, sw_tally, devices);
	if (told->tally == NULL || !sw_relation_tally(look->relation, look->question.rule, told->tally))
		return false;
	told->sum = sw_tally_sum(told->tally, devices);
	return true;
}

/* What is needed and not kept is received: of types that cut whole values nothing is missing. */
static bool tell_brief(const struct relation_look *look, struct told *told)
{
	told->brief = true;
	if (sw_relation_is_unique(look->relation) && !sw_relation_sums(look->relation))
		told->count = sw_relation_count(look->relation, look->question.rule);
	return told->count >= 0 && (told->count == 0 || tell_sizes(look, told));
}

static bool tell(const struct relation_look *look, struct told *told)
{
	int32_t *role = SW_NEW(look->arena, int32_t, look->problem->mesh.devices);
	*told = (struct told){.relabelled = -1};
	if (look->most > 0 && sw_relation_pairs(look->relation) > look->most)
		return tell_brief(look, told);
	return role != NULL && count_messages(look, told) && tell_sizes(look, told) &&
		sw_relation_pattern(look->relation, look->question.rule, look->question.mesh, look->arena, &told->pattern) &&
		sw_relation_relabel(look->relation, role, &told->relabelled);
}

/* `root 2`, `roots 0 and 1`, a root for each group. */
static void add_roots(const sw_pattern *pattern, sw_text *text)
{
	int32_t count = pattern->first_root != NULL ? pattern->first_root[pattern->groups] : 0;
	if (count > 0)
		sw_text_addf(text, ", %s ", plural(count, "root", "roots"));
	for (int32_t i = 0; i < count && i < 8; i++)
		sw_text_addf(text, "%s%d", i == 0 ? "" : i == count - 1 ? " and " : ", ", pattern->root[i]);
	if (count > 8)
		sw_text_addf(text, ", … %d more", count - 8);
}

static void add_vector(const int64_t *vector, int axes, sw_text *text)
{
	if (axes == 1) {
		sw_text_addf(text, "%+lld", (long long)vector[0]);
		return;
	}
	for (int i = 0; i < axes; i++)
		sw_text_addf(text, vector[i] != 0 ? "%s%+lld" : "%s%lld", i > 0 ? "," : "(", (long long)vector[i]);
	sw_text_add_char(text, ')');
}

static void add_offsets(const sw_pattern *pattern, sw_text *text)
{
	if (pattern->by != NULL) {
		sw_text_add(text, ", by ");
		add_vector(pattern->by, pattern->axes, text);
	}
	if (pattern->offsets > 0)
		sw_text_addf(text, ", %s ", plural(pattern->offsets, "offset", "offsets"));
	for (int i = 0; i < pattern->offsets && (i < OFFSETS_SHOWN || pattern->offsets <= OFFSETS_ALL); i++) {
		sw_text_add(text, i == 0 ? "" : i == pattern->offsets - 1 ? " and " : ", ");
		add_vector(pattern->offset + (size_t)i * (size_t)pattern->axes, pattern->axes, text);
	}
	if (pattern->offsets > OFFSETS_ALL)
		sw_text_addf(text, ", … %d more", pattern->offsets - OFFSETS_SHOWN);
}

/* " in 4 groups", and where all have as many members " of 3". */
static void add_groups(const sw_pattern *pattern, sw_text *text)
{
	const int32_t *first = pattern->first_member;
	bool alike = true;
	if (pattern->groups <= 1 || pattern->pair != NULL)
		return;
	for (int32_t i = 1; i < pattern->groups; i++)
		alike = alike && first[i + 1] - first[i] == first[1] - first[0];
	sw_text_addf(text, " in %d groups", pattern->groups);
	if (alike)
		sw_text_addf(text, " of %d", first[1] - first[0]);
}

static void add_pattern(const sw_pattern *pattern, sw_text *text)
{
	sw_text_addf(text, "pattern %s", sw_pattern_text(pattern->name));
	add_groups(pattern, text);
	add_roots(pattern, text);
	add_offsets(pattern, text);
}

/* ---- the picture ---- */

/* A device as a row: lists of devices in words. */
struct related_row {
	int64_t device, in, out, kept, missing;
	const char *before, *after;
};

static const struct row_column related_columns[] = {
	ROW_AT("device", "device", DEVICE, struct related_row, device),
	ROW_AT("T", "needs of (T)", WORD, struct related_row, before, .role = ROLE_NUMBER,
		.as = {.fit = CELL_WRAP, .gives = 12}),
	ROW_AT("F", "is needed by (F)", WORD, struct related_row, after, .role = ROLE_NUMBER,
		.as = {.fit = CELL_WRAP, .gives = 13}),
	ROW_AT("in", "elements in", LARGE, struct related_row, in),
	ROW_AT("out", "out", LARGE, struct related_row, out),
	ROW_AT("kept", "stay", LARGE, struct related_row, kept),
	ROW_AT("missing", "missing", LARGE, struct related_row, missing, .when = 1),
};

static const char *list_text(const struct relation_look *look, const int32_t *list, int64_t count)
{
	const sw_mesh *mesh = &look->problem->mesh;
	sw_text text = {0};
	if (count == 0)
		sw_text_add_char(&text, '-');
	for (int64_t i = 0; i < count && i < 12; i++)
		sw_text_addf(&text, "%s%s", i > 0 ? " " : "", words_device(mesh, list[i]).text);
	if (count > 12)
		sw_text_addf(&text, " … %s: %lld", words_device(mesh, list[count - 1]).text, (long long)count);
	return sw_text_keep(&text, look->arena);
}

static bool fill_row(const struct relation_look *look, const struct told *told, int64_t device, int32_t *list,
	struct related_row *row)
{
	const sw_tally *tally = &told->tally[device];
	int64_t before = sw_relation_before(look->relation, device, list);
	*row = (struct related_row){.device = device,
		.in = tally->in,
		.out = tally->out,
		.kept = tally->kept,
		.missing = tally->missing};
	row->before = before < 0 ? NULL : list_text(look, list, before);
	int64_t after = sw_relation_after(look->relation, device, list);
	row->after = after < 0 ? NULL : list_text(look, list, after);
	return row->before != NULL && row->after != NULL;
}

/* The first devices, and the one that is asked for. */
static bool draw_devices(const struct relation_look *look, const struct told *told, int64_t asked, struct canvas *out,
	int *y, sw_diag *diag)
{
	struct related_row row[DEVICES_SHOWN];
	int64_t devices = look->problem->mesh.devices, count = devices < DEVICES_SHOWN ? devices : DEVICES_SHOWN;
	int32_t *list = SW_NEW(look->arena, int32_t, devices);
	for (int64_t i = 0; i < count; i++) {
		int64_t device = i == count - 1 && asked > i && asked < devices ? asked : i;
		if (list == NULL || !fill_row(look, told, device, list, &row[i]))
			return sw_diag_memory(diag);
	}
	struct rows rows = ROWS_OF(related_columns, row, count, .mesh = &look->problem->mesh,
		.is = told->sum.missing != 0, .narrow = true);
	if (!rows_draw(&rows, out, y, diag))
		return false;
	if (devices > count)
		*y = draw_note(out, 0, *y, ROLE_DIM, "… %s; --device N shows one of them",
			words_plural(devices - count, "device more", "devices more").text);
	return true;
}

static bool draw_missing_elements(const struct relation_look *look, const struct told *told, struct canvas *out,
	int *y)
{
	int shown = 0;
	for (int64_t device = 0; device < look->problem->mesh.devices && shown < DEVICES_SHOWN; device++) {
		sw_region missing;
		sw_text text = {0};
		if (told->tally[device].missing == 0)
			continue;
		if (!sw_relation_missing(look->relation, device, look->arena, &missing))
			return false;
		region_text(&missing, look->arena, &text);
		*y = draw_note(out, 0, *y, ROLE_WARN, "device %s needs what no device holds: %s",
			words_device_first(&look->problem->mesh, device).text, sw_text_get(&text));
		sw_text_free(&text);
		shown++;
	}
	return true;
}

/* A few messages one by one; where there are more, what lists them. */
static int draw_messages(const struct relation_look *look, const struct told *told, struct canvas *out, int y)
{
	if (told->count > MESSAGES_SHOWN)
		return draw_note(out, 0, y, ROLE_DIM, "%s: `show relation --json` lists them",
			words_plural(told->count, "message", "messages").text);
	for (int64_t i = 0; i < told->messages.count; i++) {
		const sw_message *message = &told->messages.message[i];
		sw_text region = {0};
		region_text(&message->region, look->arena, &region);
		y = draw_note(out, 0, y, ROLE_TEXT, "%s to %s: %s", words_device(&look->problem->mesh, message->sender).text,
			words_device(&look->problem->mesh, message->receiver).text, sw_text_get(&region));
		sw_text_free(&region);
	}
	return y;
}

static void title_text(const sw_problem *problem, sw_text *text)
{
	sw_type_print_any(&problem->mesh, &problem->from, problem->from_words, problem->from.dtype_given, text);
	sw_text_add(text, " ~> ");
	sw_type_print_any(&problem->mesh, &problem->to, problem->to_words, problem->to.dtype_given, text);
}

/* How many elements each message has; 0: they differ, or there are no two. */
static int64_t elements_of_each(const sw_messages *messages)
{
	int64_t each = messages->count > 1 ? messages->message[0].elements : 0;
	for (int64_t i = 1; i < messages->count; i++)
		each = messages->message[i].elements == each ? each : 0;
	return each;
}

/* "; a message is 5 pieces of 1", where all are alike, of arrays of several dimensions. */
static void add_pieces(const struct relation_look *look, const struct told *told, int64_t each, sw_text *text)
{
	int64_t all = each > 1 && look->problem->from.rank > 1 ?
		sw_messages_pieces(&told->messages, look->problem->from.global) :
		0;
	int64_t pieces = all > 0 ? all / told->messages.count : 0;
	if (pieces > 0 && pieces * told->messages.count == all && each % pieces == 0)
		sw_text_addf(text, "; a message is %s of %s", words_plural(pieces, "piece", "pieces").text,
			words_count(each / pieces).text);
}

static struct words counted(int64_t n, const char *one, const char *many)
{
	struct words words;
	if (n >= 0)
		return words_plural(n, one, many);
	snprintf(words.text, sizeof(words.text), "more than 2^63 %.30s", many);
	return words;
}

static void sums_text(const struct relation_look *look, const struct told *told, sw_text *text)
{
	int64_t each = elements_of_each(&told->messages);
	if (told->brief && told->count == 0) {
		sw_text_add(text, "`show relation` counts the messages, and names their pattern");
		return;
	}
	sw_text_add(text, words_plural(told->count, "message", "messages").text);
	if (each > 0)
		sw_text_addf(text, " of %s", words_count(each).text);
	sw_text_addf(text, ", %s (%s), ", counted(told->sum.in, "element", "elements").text,
		words_all(told->sum.in, look->problem->from.dtype, SW_UNIT_ELEMENTS).text);
	sw_text_addf(text, "%s, ", counted(told->sum.kept, "stays", "stay").text);
	if (told->brief) {
		sw_text_add(text, "`show relation` names the pattern");
		return;
	}
	add_pattern(&told->pattern, text);
	add_pieces(look, told, each, text);
}

bool relation_sentence(const struct relation_look *look, sw_text *text)
{
	struct told told;
	if (!tell(look, &told))
		return false;
	sums_text(look, &told, text);
	return true;
}

/* Nothing where no more stays by it. */
static void renumbering_text(const struct told *told, sw_text *text)
{
	if (told->relabelled > told->sum.kept)
		sw_text_addf(text, "with the best renumbering of the target's devices %s stay; `plan --renumber` uses it",
			words_count(told->relabelled).text);
}

bool relation_say(const struct relation_look *look, struct document *document)
{
	struct told told;
	sw_text text = {0};
	if (!tell(look, &told))
		return false;
	sums_text(look, &told, &text);
	document_say(document, 0, "%s", sw_text_get(&text));
	sw_text_clear(&text);
	renumbering_text(&told, &text);
	if (text.length > 0)
		document_say(document, 0, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return true;
}

bool view_relation(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct relation_look *look = in->relation;
	struct told told;
	sw_text title = {0}, sums = {0}, renumbering = {0};
	if (look == NULL)
		return draw_missing(diag, "problem", "type: TYPE ~> TYPE");
	if (!draw_begin("relation", opt, out))
		return true;
	if (!tell(look, &told))
		return sw_diag_memory(diag);
	title_text(look->problem, &title);
	int y = draw_title(out, 0, "relation", sw_text_get(&title));
	sw_text_free(&title);
	sums_text(look, &told, &sums);
	y = draw_note(out, 0, y, ROLE_TEXT, "%s", sw_text_get(&sums));
	sw_text_free(&sums);
	renumbering_text(&told, &renumbering);
	if (renumbering.length > 0)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&renumbering));
	sw_text_free(&renumbering);
	if (!draw_devices(look, &told, opt->device, out, &y, diag))
		return false;
	y = draw_messages(look, &told, out, y);
	return draw_missing_elements(look, &told, out, &y) || sw_diag_memory(diag);
}

/* ---- for programs ---- */

bool relation_members(const struct relation_look *look, struct fields *in, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', false);
	bool ok = sw_relation_write(look->relation, &look->question, &json) || sw_diag_memory(diag);
	if (ok) {
		sw_json_close(&json);
		field_members(in, (sw_str){sw_text_get(&text), text.length});
	}
	sw_text_free(&text);
	return ok;
}

bool relation_ends(const struct relation_look *look, struct fields *in)
{
	const sw_problem *of = look->problem;
	sw_text from = {0}, to = {0};
	sw_type_print_any(&of->mesh, &of->from, of->from_words, of->from.dtype_given, &from);
	sw_type_print_any(&of->mesh, &of->to, of->to_words, of->to.dtype_given, &to);
	field_mesh(in, "mesh", &of->mesh);
	field_printed(in, "from", &from);
	field_printed(in, "to", &to);
	field_text(in, "dtype", sw_dtype_name(of->from.dtype));
	return in != NULL;
}

bool relation_fields(const struct view_input *in, const struct view_options *opt, struct fields *fields,
	sw_diag *diag)
{
	(void)opt;
	if (in->relation == NULL)
		return draw_missing(diag, "problem", "type: TYPE ~> TYPE");
	return (relation_ends(in->relation, fields) || sw_diag_memory(diag)) &&
		relation_members(in->relation, fields, diag);
}
