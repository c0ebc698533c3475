/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch about types of any kind: what devices hold, and who needs what of whom.
 */
#include "command/batch/lines.h"

#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/json.h>
#include <shardwalk/problem_json.h>

#include "views/sets.h"

static bool has_text(json_t *line, const char *key)
{
	return json_is_string(json_object_get(line, key));
}

bool type_line_asked(json_t *line)
{
	return has_text(line, "type") && json_object_get(line, "mesh") && !json_object_get(line, "from") &&
		!json_object_get(line, "to");
}

bool partial_line_asked(json_t *line)
{
	return has_text(line, "partial") && has_text(line, "to") && !json_object_get(line, "from");
}

bool held_line_asked(json_t *line)
{
	return json_is_array(json_object_get(line, "held")) && has_text(line, "from") && has_text(line, "to");
}

/* ---- reading ---- */

static bool read_mesh_of(const struct problem_json *of, sw_mesh *mesh)
{
	return sw_json_read_mesh(&of->in, of->json, "mesh", mesh);
}

/* A type of any kind from a text that stands in the line under this key. */
static bool read_any(const struct problem_json *of, const char *key, sw_str text, const sw_mesh *mesh,
	struct any_type *type)
{
	const sw_distribution_names names = {.rule = of->rule, .pads = of->pads};
	return sw_type_parse_any(mesh, text, &names, of->arena, &type->type, &type->words, of->in.diag) ||
		sw_json_refuse_shifted(&of->in, key);
}

static bool read_ends(const struct problem_json *of, const char *from_key, sw_str from, sw_problem *problem)
{
	struct any_type ends[2];
	*problem = (sw_problem){0};
	if (!read_mesh_of(of, &problem->mesh) || !read_any(of, from_key, from, &problem->mesh, &ends[0]) ||
		!read_any(of, "to", problem_text(of, "to"), &problem->mesh, &ends[1]))
		return false;
	problem->from = ends[0].type;
	problem->to = ends[1].type;
	problem->from_words = ends[0].words;
	problem->to_words = ends[1].words;
	return (sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, of->in.diag) &&
			   sw_type_redistributable(&problem->from, &problem->to, of->in.diag)) ||
		sw_json_refuse_shifted(&of->in, "to");
}

/* ---- what devices hold ---- */

static bool type_members(struct problem_json *of, const sw_mesh *mesh, const struct any_type *type,
	struct fields *fields, sw_diag *diag)
{
	struct sets_look look;
	return sets_look_at(mesh, type, mesh->order, of->arena, &look, diag) && sets_members(&look, fields, diag);
}

bool type_line(struct problem_json *of, sw_diag *diag)
{
	sw_mesh mesh;
	struct any_type type;
	sw_text text = {0};
	if (!read_mesh_of(of, &mesh) || !read_any(of, "type", problem_text(of, "type"), &mesh, &type))
		return false;
	struct fields *fields = problem_fields(of, "shardwalk.sets/1");
	sw_type_print_any(&mesh, &type.type, type.words, type.type.dtype_given, &text);
	problem_words(of, "%s", sw_text_get(&text));
	field_mesh(fields, "mesh", &mesh);
	field_printed(fields, "type", &text);
	field_ints(fields, "shape", type.type.global, type.type.rank);
	return type_members(of, &mesh, &type, fields, diag);
}

/* ---- who needs what of whom ---- */

/* Rows and columns of each device; null: nothing is said about it. */
static void add_local_sizes(const struct problem_json *of, const sw_type *type, const sw_distribution *words,
	int64_t devices, struct fields *ends)
{
	struct fields *list = field_list(ends, NULL);
	for (int64_t device = 0; device < devices; device++) {
		int64_t size[SW_MAX_DIMS];
		if (sw_type_local_sizes(type, words, device, of->arena, size))
			field_ints(list, NULL, size, type->rank);
		else
			field_null(list, NULL);
	}
}

static void add_sizes_of_ends(const struct problem_json *of, const sw_problem *problem, struct fields *in)
{
	struct fields *ends = field_list(in, "local_sizes");
	add_local_sizes(of, &problem->from, problem->from_words, problem->mesh.devices, ends);
	add_local_sizes(of, &problem->to, problem->to_words, problem->mesh.devices, ends);
}

/* Lines about block-cyclic matrices have sums of indices in place of regions. */
static bool is_lapack(const struct problem_json *of)
{
	return json_object_get(of->json, "desca") || json_object_get(of->json, "sub");
}

bool relation_line(struct problem_json *of, const sw_problem *problem, sw_diag *diag)
{
	struct relation_look look;
	sw_text words = {0};
	if (!relation_look_at(problem, NULL, of->arena, &look, diag))
		return false;
	look.question.sums = is_lapack(of);
	struct fields *fields = problem_fields(of, "shardwalk.relation/1");
	bool ok = fields ? relation_ends(&look, fields) && relation_members(&look, fields, diag) :
					   relation_sentence(&look, &words) || sw_diag_memory(diag);
	if (ok && is_lapack(of))
		add_sizes_of_ends(of, problem, fields);
	if (ok && !fields)
		problem_words(of, "%s", sw_text_get(&words));
	sw_text_free(&words);
	return ok;
}

/* `+` behind each bracket of the type: every device has a term of its own of what it holds. */
static sw_str as_terms(const struct problem_json *of, sw_str text)
{
	sw_text terms = {0};
	int depth = 0;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		sw_text_add_char(&terms, c);
		if (c == ']' && depth == 0)
			sw_text_add_char(&terms, '+');
	}
	size_t length = terms.length;
	const char *kept = sw_text_keep(&terms, of->arena);
	return (sw_str){kept, kept ? length : 0};
}

bool partial_line(struct problem_json *of, sw_diag *diag)
{
	sw_problem problem;
	return read_ends(of, "partial", as_terms(of, problem_text(of, "partial")), &problem) &&
		relation_line(of, &problem, diag);
}

/* ---- sizes ---- */

/* A device by its number in the line, which may stand alone or first in a list. */
static bool read_device(const struct problem_json *of, const char *key, json_t *value, int64_t devices,
	int64_t *device)
{
	double number = json_is_number(value) ? json_number_value(value) : -1;
	*device = number >= 0 && number < (double)devices ? (int64_t)number : -1;
	return *device >= 0 ||
		sw_json_refuse(&of->in, SW_B03, key,
			"does not name a device "
			"of the mesh");
}

static void add_region(const sw_region *region, const sw_holding *held, sw_json *json)
{
	sw_json_int(json, sw_region_size(region));
	sw_sum_write(json, sw_region_sum(region, held->global));
}

static bool write_held(const struct problem_json *of, const sw_holding holding[2], sw_json *json, sw_diag *diag)
{
	size_t i;
	json_t *row, *rows = json_object_get(of->json, "held");
	json_array_foreach(rows, i, row)
	{
		json_t *first = json_is_array(row) ? json_array_get(row, 0) : row;
		int64_t device;
		if (!read_device(of, "held", first, holding->devices, &device))
			return false;
		sw_json_open(json, '[', false);
		sw_json_int(json, device);
		for (int end = 0; end < 2; end++) {
			sw_region region;
			if (!sw_holding_region(&holding[end], device, of->arena, &region))
				return sw_diag_memory(diag);
			add_region(&region, &holding[end], json);
		}
		sw_json_close(json);
	}
	return true;
}

/* What the first device holds and the second one needs. */
static bool write_pairs(const struct problem_json *of, const sw_holding holding[2], sw_json *json, sw_diag *diag)
{
	size_t i;
	json_t *row, *rows = json_object_get(of->json, "pairs");
	json_array_foreach(rows, i, row)
	{
		sw_region region[2], both;
		int64_t device[2];
		for (int end = 0; end < 2; end++)
			if (!read_device(of, "pairs", json_array_get(row, (size_t)end), holding->devices, &device[end]))
				return false;
		if (!sw_holding_region(&holding[0], device[0], of->arena, &region[0]) ||
			!sw_holding_region(&holding[1], device[1], of->arena, &region[1]) ||
			!sw_region_meet(&region[0], &region[1], of->arena, &both))
			return sw_diag_memory(diag);
		sw_json_open(json, '[', false);
		sw_json_int(json, device[0]);
		sw_json_int(json, device[1]);
		add_region(&both, &holding[0], json);
		sw_json_close(json);
	}
	return true;
}

typedef bool rows_writer(const struct problem_json *of, const sw_holding holding[2], sw_json *json, sw_diag *diag);

static bool add_rows(const struct problem_json *of, const char *key, rows_writer *write, const sw_holding holding[2],
	struct fields *in, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '[', false);
	bool ok = write(of, holding, &json, diag);
	if (ok) {
		sw_json_close(&json);
		field_raw(in, key, (sw_str){sw_text_get(&text), text.length});
	}
	sw_text_free(&text);
	return ok;
}

bool held_line(struct problem_json *of, sw_diag *diag)
{
	sw_problem problem;
	sw_holding holding[2];
	if (!read_ends(of, "from", problem_text(of, "from"), &problem))
		return false;
	if (!sw_problem_holdings(&problem, of->arena, &holding[0], &holding[1]))
		return sw_diag_memory(diag);
	struct fields *fields = problem_fields(of, "shardwalk.held/1");
	field_mesh(fields, "mesh", &problem.mesh);
	field_str(fields, "from", problem_text(of, "from"));
	field_str(fields, "to", problem_text(of, "to"));
	problem_words(of, "add --json to see what devices hold");
	return add_rows(of, "held", write_held, holding, fields, diag) &&
		add_rows(of, "pairs", write_pairs, holding, fields, diag);
}
