/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a type is by figures 6 and 7 of the first paper.
 *
 * Source: seed 000, section 4.1.
 */
#include "command/explain/type_rules.h"

#include <string.h>

#include "canvas/canvas.h"
#include "command/ends.h"
#include "command/explain/placed.h"
#include "views/draw.h"

#define DEVICES_TOLD 64

static sw_str first_word(sw_str text)
{
	size_t length = 0;
	while (length < text.length && text.at[length] != ' ' && text.at[length] != '\t')
		length++;
	return (sw_str){text.at, length};
}

static int put(struct canvas *out, int y, const char *label, int x, enum role role, sw_text *text)
{
	canvas_put(out, 0, y, ROLE_LABEL, label);
	y = canvas_put_wrapped(out, x, y, out->width - x, 2, role, sw_text_get(text));
	sw_text_clear(text);
	return y;
}

static void add_braces(const sw_mesh *mesh, const sw_part *parts, int count, sw_text *text)
{
	sw_text_add_char(text, '{');
	for (int i = 0; i < count; i++) {
		sw_text_add(text, i ? ", " : "");
		part_text(mesh, parts[i], text);
	}
	sw_text_add_char(text, '}');
}

/* ---- figure 6 ---- */

static int parts_of_all(const sw_type *type, sw_part parts[SW_MAX_PARTS])
{
	int count = 0;
	for (int d = 0; d < type->rank; d++)
		count += sw_type_parts(type, d, parts + count);
	return count;
}

static void draw_metafunctions(const sw_mesh *mesh, const sw_type *type, struct canvas *out)
{
	enum { AT = 12 };
	sw_part parts[SW_MAX_PARTS];
	sw_text text = {0};
	int y = 0;
	sw_type_print(mesh, type, type->dtype_given, &text);
	y = put(out, y, "type", AT, ROLE_TYPE, &text);
	add_braces(mesh, parts, parts_of_all(type, parts), &text);
	y = put(out, y, "axes", AT, ROLE_TEXT, &text);
	sw_text_addf(&text, "%d", type->rank);
	y = put(out, y, "rank", AT, ROLE_NUMBER, &text);
	sw_type_print_tile(type->global, type->rank, &text);
	y = put(out, y, "globaltype", AT, ROLE_TEXT, &text);
	sw_text_add(&text, words_count(sw_type_globalsize(type)).text);
	y = put(out, y, "globalsize", AT, ROLE_NUMBER, &text);
	sw_type_print_tile(type->tile, type->rank, &text);
	y = put(out, y, "localtype", AT, ROLE_TEXT, &text);
	sw_text_add(&text, words_count(sw_type_localsize(type)).text);
	y = put(out, y, "localsize", AT, ROLE_NUMBER, &text);
	int sums = sw_type_sums(type, parts);
	if (sums) {
		add_braces(mesh, parts, sums, &text);
		put(out, y, "sums", AT, ROLE_TEXT, &text);
	}
	sw_text_free(&text);
}

/* ---- figure 7, left: base offsets ---- */

static void add_dimension(const sw_mesh *mesh, int64_t tile, const sw_part *parts, int count, int64_t global,
	sw_text *text)
{
	sw_text_addf(text, "%lld", (long long)tile);
	if (!count)
		return;
	sw_text_add_char(text, '{');
	for (int i = 0; i < count; i++) {
		sw_text_add(text, i ? "," : "");
		part_text(mesh, parts[i], text);
	}
	sw_text_addf(text, "}%lld", (long long)global);
}

/* D[8{x,y}32] = 8 x + D[16{y}32] = 8 x + 16 y + D[32] = 8 x + 16 y */
static int draw_dimension(const sw_mesh *mesh, const sw_type *type, int d, struct canvas *out, int y)
{
	sw_part parts[SW_MAX_PARTS];
	sw_text text = {0}, sum = {0};
	int count = sw_type_parts(type, d, parts);
	int64_t tile = type->tile[d];
	sw_text_add(&text, "D[");
	add_dimension(mesh, tile, parts, count, type->global[d], &text);
	sw_text_add_char(&text, ']');
	for (int i = 0; i < count; i++) {
		sw_text_addf(&sum, "%s%lld ", i ? " + " : "", (long long)tile);
		part_text(mesh, parts[i], &sum);
		tile *= parts[i].size;
		sw_text_addf(&text, " = %s + D[", sw_text_get(&sum));
		add_dimension(mesh, tile, parts + i + 1, count - i - 1, type->global[d], &text);
		sw_text_add_char(&text, ']');
	}
	sw_text_addf(&text, " = %s", count ? sw_text_get(&sum) : "0");
	y = canvas_put_wrapped(out, 2, y, out->width - 2, 2, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	sw_text_free(&sum);
	return y;
}

/* The same with the coordinates of a device. */
static void add_offset(const sw_mesh *mesh, const sw_type *type, int d, int64_t device, sw_text *text)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_parts(type, d, parts);
	int64_t tile = type->tile[d], offset = 0;
	for (int i = 0; i < count; i++) {
		int64_t at = device / part_stride(mesh, parts[i]) % parts[i].size;
		sw_text_addf(text, "%s%lld*%lld", i ? " + " : "", (long long)tile, (long long)at);
		offset += tile * at;
		tile *= parts[i].size;
	}
	if (count > 0)
		sw_text_add(text, " = ");
	sw_text_addf(text, "%lld", (long long)offset);
}

static void add_device(const sw_mesh *mesh, const sw_type *type, int64_t device, struct table *table)
{
	sw_text at = {0};
	table_add(table, "%lld", (long long)device);
	for (int a = 0; a < mesh->count; a++) {
		sw_text_add(&at, a ? " " : "");
		sw_mesh_print_name(mesh->axis[a].name, &at);
		sw_text_addf(&at, "=%lld", (long long)sw_mesh_coordinate(mesh, device, a));
	}
	table_add_text(table, &at);
	sw_text offsets = {0};
	for (int d = 0; d < type->rank; d++) {
		sw_text_add(&offsets, d ? ", " : "(");
		add_offset(mesh, type, d, device, &offsets);
	}
	sw_text_add(&offsets, type->rank ? ")" : "()");
	table_add_text(table, &offsets);
}

static int draw_devices(const sw_mesh *mesh, const sw_type *type, struct canvas *out, int y)
{
	static const struct column columns[] = {COLUMN_RIGHT("device", ROLE_LABEL), COLUMN_LEFT("at", ROLE_TEXT),
		{.head = "base offset", .role = ROLE_NUMBER, .fit = CELL_WRAP, .indent = 2, .least = 12, .takes = 12}, {0}};
	int64_t told = mesh->devices < DEVICES_TOLD ? mesh->devices : DEVICES_TOLD;
	struct table table;
	table_start(&table, columns);
	for (int64_t device = 0; device < told; device++)
		add_device(mesh, type, device, &table);
	table_fit(&table, out->width);
	y = table_draw_heads(&table, out, y);
	for (int row = 0; row < table_rows(&table); row++)
		y = table_draw_row(&table, out, y, row);
	table_free(&table);
	if (told < mesh->devices)
		y = draw_note(out, 2, y, ROLE_NOTE, "and %s more; `show devices` groups all of them",
			words_plural(mesh->devices - told, "device", "devices").text);
	return y;
}

/* ---- figure 7, right: well-formedness ---- */

static int draw_rule(struct canvas *out, int y, bool last, const char *rule, sw_text *text)
{
	canvas_put(out, 2, y, ROLE_DIM, last ? "└─" : "├─");
	canvas_put(out, 5, y, ROLE_LABEL, rule);
	y = canvas_put_wrapped(out, 14, y, out->width - 14, 2, ROLE_TEXT, sw_text_get(text));
	sw_text_clear(text);
	return y;
}

static void add_premises(const sw_mesh *mesh, const sw_type *type, int d, sw_text *text)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_parts(type, d, parts);
	add_dimension(mesh, type->tile[d], parts, count, type->global[d], text);
	sw_text_add(text, ": ");
	for (int i = 0; i < count; i++) {
		sw_text_add(text, i ? ", " : "");
		part_text(mesh, parts[i], text);
		sw_text_addf(text, " has %lld", (long long)parts[i].size);
	}
	sw_text_addf(text, "%s%lld", count ? "; " : "", (long long)type->tile[d]);
	for (int i = 0; i < count; i++)
		sw_text_addf(text, " * %lld", (long long)parts[i].size);
	sw_text_addf(text, " = %lld%s", (long long)type->global[d], count > 1 ? "; all different" : "");
}

static void draw_rules(const sw_mesh *mesh, const sw_type *type, struct canvas *out, int y)
{
	sw_part parts[SW_MAX_PARTS];
	sw_text text = {0};
	int sums = sw_type_sums(type, parts);
	sw_type_print(mesh, type, type->dtype_given, &text);
	sw_text_add(&text, " is well-formed");
	y = put(out, y, "WF-TYPE", 9, ROLE_TITLE, &text);
	for (int d = 0; d < type->rank; d++) {
		add_premises(mesh, type, d, &text);
		y = draw_rule(out, y, false, "WF-DIM", &text);
	}
	sw_text_add(&text, "no axis cuts two dimensions");
	y = draw_rule(out, y, !sums, "WF-TYPE", &text);
	if (sums) {
		add_braces(mesh, parts, sums, &text);
		sw_text_add(&text, " are axes of the mesh, used once each, and cut no dimension");
		draw_rule(out, y, true, "WF-SUM", &text);
	}
	sw_text_free(&text);
}

static void draw_meaning(const sw_mesh *mesh, const sw_type *type, struct canvas *out)
{
	sw_text text = {0};
	sw_mesh_print(mesh, &text);
	int y = draw_title(out, 0, "base offsets over", sw_text_get(&text));
	sw_text_free(&text);
	for (int d = 0; d < type->rank; d++)
		y = draw_dimension(mesh, type, d, out, y);
	y = draw_devices(mesh, type, out, y + 1);
	draw_rules(mesh, type, out, y + 1);
}

/* ---- the command ---- */

static const struct asked {
	const char *word;
	void (*draw)(const sw_mesh *mesh, const sw_type *type, struct canvas *out);
	bool placed; /* of types of any kind, by the paper on schedules too */
} asked[] = {{"metafunctions", draw_metafunctions, false}, {"meaning", draw_meaning, true}};

static const struct asked *asked_of(sw_str text)
{
	sw_str word = first_word(text);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (sw_str_is(word, asked[i].word))
			return &asked[i];
	return NULL;
}

bool is_type_rules(sw_str text)
{
	return asked_of(text) != NULL;
}

static void draw_rules_of(const struct invocation *run, const struct asked *what, const sw_type *type)
{
	struct canvas *canvas = document_canvas(run->answer);
	canvas_reset(canvas, canvas->width < 100 ? canvas->width : 100);
	what->draw(&run->session->state.mesh, type, canvas);
}

bool explain_type_rules(struct invocation *run, sw_str text, sw_diag *diag)
{
	const struct asked *what = asked_of(text);
	sw_str word = first_word(text), rest = sw_str_trim(sw_str_behind(text, word.length));
	struct any_type type;
	if (!rest.length) {
		sw_diag_set(diag, SW_L03, (sw_span){0, 0}, "'explain %s' needs TYPE", what->word);
		sw_diag_expected(diag, "%s", kind_rows[KIND_TYPE].about);
		return refuse_at(run, text, diag);
	}
	if (!session_need(run->session, DEFINED_MESH, diag) || !read_any_type(run, rest, run->arena, &type, diag))
		return false;
	if (type.words != NULL && !what->placed)
		return sw_type_refuse_words(&run->session->state.mesh, &type.type, type.words, (sw_span){0, rest.length},
				   diag) ||
			refuse_at(run, rest, diag);
	if (type.words == NULL)
		draw_rules_of(run, what, &type.type);
	return !what->placed || explain_placed(run, rest, &type, diag);
}
