/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a type means in tensor distribution notation, for people and for programs.
 */
#include "command/explain/placed.h"

#include <stdio.h>

#include <shardwalk/distal.h>

#include "command/foreign.h"

#define COLORS_MOST 32  /* that are listed for people */
#define DEVICES_MOST 16 /* of a color, the same */

struct placed {
	const sw_mesh *mesh;
	const char *name; /* of the array in the statement */
	sw_distal distal;
	int64_t size[SW_MAX_DIMS];
	const char *why_not; /* the notation cannot say it; NULL: it can */
	sw_text text, statement;
};

/* ---- points ---- */

static void add_point(const int64_t *coordinate, int count, sw_text *text)
{
	sw_text_add_char(text, '(');
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%lld", i > 0 ? "," : "", (long long)coordinate[i]);
	sw_text_add_char(text, ')');
}

/* One element, or ranges of them. */
static void add_box(const struct placed *p, const sw_distal_color *color, sw_text *text)
{
	sw_text_add_char(text, '(');
	for (int dim = 0; dim < p->distal.rank; dim++) {
		sw_text_addf(text, "%s%lld", dim > 0 ? "," : "", (long long)color->low[dim]);
		if (color->high[dim] > color->low[dim] + 1)
			sw_text_addf(text, ":%lld", (long long)color->high[dim]);
	}
	sw_text_add_char(text, ')');
}

static void coordinates_of(const sw_mesh *mesh, int64_t device, int64_t *coordinate)
{
	for (int axis = 0; axis < mesh->count; axis++)
		coordinate[axis] = sw_mesh_coordinate(mesh, device, axis);
}

/* ---- for people ---- */

typedef void add_image(const struct placed *p, const sw_distal_colors *colors, const sw_distal_color *color,
	sw_text *text);

static void add_element(const struct placed *p, const sw_distal_colors *colors, const sw_distal_color *color,
	sw_text *text)
{
	add_box(p, color, text);
	sw_text_add(text, " -> ");
	add_point(color->coordinate, colors->axes, text);
}

static void add_devices(const struct placed *p, const sw_distal_colors *colors, const sw_distal_color *color,
	sw_text *text)
{
	int64_t coordinate[SW_MAX_AXES];

	add_point(color->coordinate, colors->axes, text);
	sw_text_add(text, " -> {");
	for (int64_t n = 0; n < color->devices && n < DEVICES_MOST; n++) {
		coordinates_of(p->mesh, sw_distal_color_device(colors, color, n), coordinate);
		sw_text_add(text, n > 0 ? ", " : "");
		add_point(coordinate, p->mesh->count, text);
	}
	if (color->devices > DEVICES_MOST)
		sw_text_addf(text, ", and %lld more", (long long)(color->devices - DEVICES_MOST));
	sw_text_add_char(text, '}');
}

static int draw_map(const struct placed *p, const char *name, add_image *add, struct canvas *out, int y)
{
	sw_distal_colors colors;
	sw_distal_color color;
	sw_text text = {0};
	int count = 0;

	sw_text_addf(&text, "%s = {", name);
	sw_distal_colors_begin(p->mesh, p->size, &p->distal, &colors);
	while (count < COLORS_MOST && sw_distal_colors_next(&colors, &color)) {
		sw_text_add(&text, count++ > 0 ? ", " : "");
		add(p, &colors, &color, &text);
	}
	sw_text_add(&text, count == COLORS_MOST && sw_distal_colors_next(&colors, &color) ? ", ...}" : "}");
	y = canvas_put_wrapped(out, 2, y, out->width - 2, 2, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static void draw(struct placed *p, struct canvas *out)
{
	int y = out->height > 0 ? out->height + 1 : 0;

	canvas_put(out, 0, y, ROLE_TITLE, "tensor distribution notation");
	y = canvas_put_wrapped(out, 30, y, out->width - 30, 0, ROLE_TEXT,
		p->why_not != NULL ? p->why_not : sw_text_get(&p->text));
	y = draw_map(p, "P", add_element, out, y);
	y = draw_map(p, "F", add_devices, out, y);
	if (p->why_not == NULL)
		canvas_put_wrapped(out, 2, y, out->width - 2, 2, ROLE_TEXT, sw_text_get(&p->statement));
}

/* ---- for programs ---- */

static void add_box_field(const struct placed *p, const sw_distal_color *color, struct fields *in)
{
	struct fields *box = field_list(in, "box");

	for (int dim = 0; dim < p->distal.rank; dim++)
		field_ints(box, NULL, (const int64_t[]){color->low[dim], color->high[dim]}, 2);
}

static void add_processors(const struct placed *p, const sw_distal_colors *colors, const sw_distal_color *color,
	struct fields *in)
{
	struct fields *list = field_list(in, "processors");
	int64_t coordinate[SW_MAX_AXES];

	for (int64_t n = 0; n < color->devices; n++) {
		coordinates_of(p->mesh, sw_distal_color_device(colors, color, n), coordinate);
		field_ints(list, NULL, coordinate, p->mesh->count);
	}
}

static void add_maps(const struct placed *p, struct fields *in)
{
	struct fields *partition = field_list(in, "P"), *placing = field_list(in, "F");
	sw_distal_colors colors;
	sw_distal_color color;

	sw_distal_colors_begin(p->mesh, p->size, &p->distal, &colors);
	while (sw_distal_colors_next(&colors, &color)) {
		struct fields *of = field_object(partition, NULL), *to = field_object(placing, NULL);
		add_box_field(p, &color, of);
		field_ints(of, "color", color.coordinate, colors.axes);
		field_ints(to, "color", color.coordinate, colors.axes);
		add_processors(p, &colors, &color, to);
	}
}

static void add_fields(const struct placed *p, struct fields *in)
{
	field_mesh(in, "mesh", p->mesh);
	field_ints(in, "shape", p->size, p->distal.rank);
	field_text(in, "distribution", p->why_not == NULL ? sw_text_get(&p->text) : NULL);
	if (p->why_not != NULL)
		field_text(in, "why_not", p->why_not);
	if (p->mesh->devices <= SW_MAX_MAP_DEVICES)
		add_maps(p, in);
	field_text(in, "lowered", p->why_not == NULL ? sw_text_get(&p->statement) : NULL);
}

/* ---- both ---- */

static bool refuse(const struct invocation *run, sw_str text, const char *why, sw_diag *diag)
{
	if (why == NULL)
		return sw_diag_memory(diag);
	sw_diag_set(diag, SW_N02, (sw_span){0, text.length}, "%s cannot express this: %s",
		sw_notation_called(SW_NOTATION_DISTAL), why);
	sw_diag_expected(diag, "boxes by the axes of the mesh, such as [3{x}9, 9] on {y: 0}");
	return refuse_at(run, text, diag);
}

/* Of tiles that the notation cannot say people have what stands before it; programs have the maps. */
static void answer(const struct invocation *run, struct placed *p, bool tiles)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.meaning/1");

	if (sw_distal_print(p->mesh, &p->distal, &p->text, &p->why_not))
		sw_distal_lower(p->mesh, &p->distal, p->name, &p->statement);
	if (fields != NULL)
		add_fields(p, fields);
	else if (p->why_not == NULL || !tiles)
		draw(p, document_canvas(run->answer));
}

bool explain_placed(const struct invocation *run, sw_str text, const struct any_type *type, sw_diag *diag)
{
	struct placed p = {.mesh = &run->session->state.mesh, .name = "T"};
	const char *why;

	if (p.mesh->order != NULL)
		why = "the devices are in another order";
	else if (sw_distal_of(p.mesh, &type->type, type->words, run->arena, &p.distal, &why))
		why = NULL;
	else if (why == NULL)
		return sw_diag_memory(diag);
	if (why != NULL)
		return type->words == NULL || refuse(run, text, why, diag);
	if (written_as(run->session, text) == WRITTEN_AS_NAME)
		p.name = sw_arena_copy(run->arena, text.at, text.length);
	if (p.name == NULL)
		return sw_diag_memory(diag);
	sw_type_real(&type->type, p.size);
	answer(run, &p, type->words == NULL);
	sw_text_free(&p.text);
	sw_text_free(&p.statement);
	return true;
}
