/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch that place an array on a machine: which box each device has, and the statement that brings it there.
 *
 *     {"machine": [[2, 2], [2]], "shape": [8, 8], "distribution": ["xy->xy", "zw->z"]}
 *     {"machine": [[4, 3, 2]], "shape": [9, 12], "distribution": {"parts": [[0, 1, 2], []], "fixed": {}}}
 */
#include "command/batch/placed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/batch/lines.h"

bool placed_line_asked(json_t *line)
{
	return json_is_array(json_object_get(line, "machine")) && json_object_get(line, "distribution") != NULL &&
		json_object_get(line, "schedule") == NULL;
}

/* ---- the machine ---- */

static bool read_level(const sw_json_in *in, json_t *sizes, int level, sw_mesh *mesh)
{
	char where[SW_WHERE_SIZE], name[32];
	size_t i;
	json_t *size;

	snprintf(where, sizeof where, "machine[%d]", level);
	if (!json_is_array(sizes) || json_array_size(sizes) == 0)
		return sw_json_refuse(in, SW_B03, where, "is not a list of the sizes of a level");
	json_array_foreach(sizes, i, size)
	{
		snprintf(where, sizeof where, "machine[%d][%zu]", level, i);
		snprintf(name, sizeof name, "m%d", mesh->count);
		if (!json_is_integer(size))
			return sw_json_refuse(in, SW_B03, where, "is not a whole number");
		if (!sw_mesh_add(mesh, sw_str_of(name), json_integer_value(size), in->diag))
			return sw_json_refuse_shifted(in, where);
		mesh->axis[mesh->count - 1].level = level;
	}
	return true;
}

bool placed_read_machine(const sw_json_in *in, json_t *line, sw_mesh *mesh)
{
	json_t *levels = json_object_get(line, "machine"), *sizes;
	size_t level;

	if (json_array_size(levels) == 0)
		return sw_json_refuse(in, SW_B03, "machine", "has no level");
	json_array_foreach(levels, level, sizes)
	{
		if (level >= SW_MAX_AXES)
			return sw_json_refuse(in, SW_M04, "machine", "has more than %d levels", SW_MAX_AXES);
		if (!read_level(in, sizes, (int)level, mesh))
			return false;
	}
	return true;
}

bool placed_read_shape(const sw_json_in *in, json_t *json, const char *key, sw_type *array)
{
	json_t *sizes = json_object_get(json, key), *size;
	int64_t global[SW_MAX_DIMS];
	size_t i;

	if (!json_is_array(sizes))
		return sw_json_refuse(in, SW_B03, key, "is not a list of the sizes of the array");
	if (json_array_size(sizes) > SW_MAX_DIMS)
		return sw_json_refuse(in, SW_T06, key, "has more than %d dimensions", SW_MAX_DIMS);
	json_array_foreach(sizes, i, size)
	{
		if (!json_is_integer(size))
			return sw_json_refuse(in, SW_B03, key, "is not a list of whole numbers");
		global[i] = json_integer_value(size);
	}
	return sw_type_replicated(SW_F64, (int)json_array_size(sizes), global, array, in->diag) ||
		sw_json_refuse_shifted(in, key);
}

/* ---- the distribution ---- */

static bool parse_text(struct placed *p, sw_str text)
{
	p->written = true;
	return sw_distal_parse(&p->mesh, p->array.rank, text, &p->distal, p->in.diag) ||
		sw_json_refuse_shifted(&p->in, p->key);
}

/* One text a level, which become one text with brackets; a place in that is one in an item. */
static bool add_texts(const struct placed *p, json_t *list, sw_text *all, size_t *begin)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item)
	{
		if (!json_is_string(item) || i >= SW_MAX_AXES)
			return sw_json_refuse(&p->in, SW_B03, p->key, "is not a list of texts, one for each level");
		sw_text_add(all, i > 0 ? ", " : "[");
		begin[i] = all->length;
		sw_text_add(all, json_string_value(item));
	}
	sw_text_add(all, json_array_size(list) > 0 ? "]" : "[]");
	return true;
}

/* Moves the places of a refusal into the item of the list that they are in. */
static bool refuse_item(const struct placed *p, const size_t *begin, size_t count)
{
	sw_diag *diag = p->in.diag;
	char key[SW_WHERE_SIZE];
	size_t item = 0;

	if (diag->at.begin == 0 || count == 0)
		return sw_json_refuse_shifted(&p->in, p->key);
	while (item + 1 < count && begin[item + 1] <= diag->at.begin)
		item++;
	snprintf(key, sizeof key, "%.40s[%zu]", p->key, item);
	diag->at = (sw_span){diag->at.begin - begin[item], diag->at.end - begin[item]};
	if (diag->also.end > 0)
		diag->also = (sw_span){diag->also.begin - begin[item], diag->also.end - begin[item]};
	return sw_json_refuse_shifted(&p->in, key);
}

static bool read_texts(struct placed *p, json_t *list)
{
	sw_text all = {0};
	size_t begin[SW_MAX_AXES] = {0};

	if (!add_texts(p, list, &all, begin)) {
		sw_text_free(&all);
		return false;
	}
	size_t length = all.length;
	const char *kept = sw_text_keep(&all, p->in.arena);
	if (kept == NULL)
		return sw_diag_memory(p->in.diag);
	p->written = true;
	return sw_distal_parse(&p->mesh, p->array.rank, (sw_str){kept, length}, &p->distal, p->in.diag) ||
		refuse_item(p, begin, json_array_size(list));
}

/* The axis of a number in `parts` or `fixed`, which nothing used before. */
static bool take_axis(struct placed *p, const char *key, bool number, int64_t axis)
{
	const sw_distal_place *place = &p->distal.place[axis >= 0 && axis < p->mesh.count ? axis : 0];

	if (!number || axis < 0 || axis >= p->mesh.count)
		return sw_json_refuse(&p->in, SW_D03, key,
			"does not name an axis of the machine, 0 to "
			"%d",
			p->mesh.count - 1);
	return (place->dim < 0 && place->at < 0) || sw_json_refuse(&p->in, SW_D04, key, "names an axis twice");
}

static bool read_cuts(struct placed *p, json_t *axes, int dim)
{
	size_t i;
	json_t *axis;
	char key[SW_WHERE_SIZE];

	snprintf(key, sizeof key, "%.40s.parts[%d]", p->key, dim);
	if (!json_is_array(axes))
		return sw_json_refuse(&p->in, SW_B03, key, "is not a list of axes of the machine");
	json_array_foreach(axes, i, axis)
	{
		int64_t number = json_integer_value(axis);
		if (!take_axis(p, key, json_is_integer(axis), number))
			return false;
		p->distal.place[number].dim = dim;
		p->distal.cut[p->distal.cuts++] = (int)number;
	}
	return true;
}

static bool read_fixed(struct placed *p, json_t *fixed)
{
	const char *name;
	json_t *at;
	char key[SW_WHERE_SIZE];

	json_object_foreach(fixed, name, at)
	{
		int64_t axis = -1;
		bool number = sw_read_int(sw_str_of(name), &axis, NULL);
		snprintf(key, sizeof key, "%.40s.fixed.%.40s", p->key, name);
		if (!take_axis(p, key, number, axis))
			return false;
		if (!json_is_integer(at) || json_integer_value(at) < 0 || json_integer_value(at) >= p->mesh.axis[axis].size)
			return sw_json_refuse(&p->in, SW_D06, key, "is not a coordinate of the axis, 0 to %" PRId64,
				p->mesh.axis[axis].size - 1);
		p->distal.place[axis].at = json_integer_value(at);
	}
	return true;
}

static bool read_parts(struct placed *p, json_t *object)
{
	json_t *parts = json_object_get(object, "parts"), *axes;
	size_t dim;

	p->distal = (sw_distal){.rank = p->array.rank, .axes = p->mesh.count};
	for (int axis = 0; axis < p->mesh.count; axis++)
		p->distal.place[axis] = (sw_distal_place){-1, -1};
	if (!json_is_array(parts) || (int)json_array_size(parts) != p->array.rank)
		return sw_json_refuse(&p->in, SW_D02, p->key, "is not a list with an item for each dimension");
	json_array_foreach(parts, dim, axes)
	{
		if (!read_cuts(p, axes, (int)dim))
			return false;
	}
	return read_fixed(p, json_object_get(object, "fixed"));
}

bool placed_read(struct placed *p, json_t *value)
{
	if (json_is_object(value))
		return read_parts(p, value);
	if (json_is_array(value))
		return read_texts(p, value);
	if (!json_is_string(value))
		return sw_json_refuse(&p->in, SW_B03, p->key, "is not a text, a list of texts or an object of parts");
	return parse_text(p, sw_str_of(json_string_value(value)));
}

/* ---- the answer ---- */

static void add_boxes(const struct placed *p, struct fields *in)
{
	struct fields *boxes = field_list(in, "boxes");
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS];

	for (int64_t device = 0; device < p->mesh.devices; device++) {
		if (!sw_distal_box(&p->mesh, p->array.global, &p->distal, device, low, high)) {
			field_null(boxes, NULL);
			continue;
		}
		struct fields *box = field_list(boxes, NULL);
		for (int dim = 0; dim < p->array.rank; dim++)
			field_ints(box, NULL, (const int64_t[]){low[dim], high[dim]}, 2);
	}
}

static bool add_held(const struct placed *p, struct fields *in)
{
	int64_t *held = SW_NEW(p->in.arena, int64_t, p->mesh.devices);

	for (int64_t device = 0; held != NULL && device < p->mesh.devices; device++)
		held[device] = sw_distal_held(&p->mesh, p->array.global, &p->distal, device);
	if (held != NULL)
		field_ints(in, "held", held, p->mesh.devices);
	return held != NULL || sw_diag_memory(p->in.diag);
}

static bool answer_fields(const struct placed *p, struct fields *fields)
{
	sw_text text = {0};

	field_mesh(fields, "mesh", &p->mesh);
	sw_distal_print_type(&p->mesh, &p->array, &p->distal, &text);
	field_printed(fields, "type", &text);
	add_boxes(p, fields);
	if (!add_held(p, fields))
		return false;
	text = (sw_text){0};
	if (p->written) {
		sw_distal_lower(&p->mesh, &p->distal, "T", &text);
		field_printed(fields, "lowered", &text);
	}
	return true;
}

static bool refuse_devices(const struct placed *p)
{
	return sw_json_refuse(&p->in, SW_S08, "machine",
		"has %" PRId64 " devices, and boxes are listed of %" PRId64 " at most", p->mesh.devices, SW_MAX_MAP_DEVICES);
}

bool placed_line(struct problem_json *of, sw_diag *diag)
{
	struct placed p = {.in = of->in, .key = "distribution"};
	sw_text text = {0};

	(void)diag;
	if (!placed_read_machine(&of->in, of->json, &p.mesh) ||
		!placed_read_shape(&of->in, of->json, "shape", &p.array) ||
		!placed_read(&p, json_object_get(of->json, p.key)))
		return false;
	if (p.mesh.devices > SW_MAX_MAP_DEVICES)
		return refuse_devices(&p);
	struct fields *fields = problem_fields(of, "shardwalk.schedule/1");
	if (fields != NULL)
		return answer_fields(&p, fields);
	sw_distal_print_type(&p.mesh, &p.array, &p.distal, &text);
	problem_words(of, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return true;
}
