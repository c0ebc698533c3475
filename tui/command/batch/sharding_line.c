/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the text of a sharding means, as a type.
 */
#include "command/batch/lines.h"

#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/json.h>
#include <shardwalk/notation.h>
#include <shardwalk/problem_json.h>

struct asked {
	const char *format;  /* NULL: not said */
	sw_mesh mesh;        /* count 0: not said */
	sw_type shape, type; /* the size, where `sized`, and what the text means */
	bool sized;
	const sw_distribution *words; /* of a type of the language that is no tile type; else NULL */
};

bool sharding_line_asked(json_t *line)
{
	bool ends = json_object_get(line, "from") || json_object_get(line, "to");
	return !ends && json_is_string(json_object_get(line, "text"));
}

/* ---- what the line says ---- */

static bool read_format(const struct problem_json *of, struct asked *asked, sw_diag *diag)
{
	json_t *format = json_object_get(of->json, "format");
	asked->format = json_string_value(format);
	if (!format || json_is_null(format))
		return true;
	for (int i = 0; asked->format && i < SW_NOTATION_COUNT; i++)
		if (strcmp(asked->format, sw_notation_name((sw_notation)i)) == 0)
			return true;
	sw_json_refuse(&of->in, SW_B03, "format", "names no notation");
	sw_diag_expected(diag, "paper, book, jax, shardy, dtensor, hlo or another one that is read");
	sw_diag_hint(diag, "it may be left out: how the text begins tells its notation");
	return false;
}

/* Texts of XLA are of three kinds, which all begin alike: `hlo` is all of them. */
static bool is_of_format(sw_notation notation, const char *format)
{
	return strncmp(sw_notation_name(notation), format, strlen(format)) == 0;
}

static bool read_size(const struct problem_json *of, struct asked *asked, sw_diag *diag)
{
	json_t *sizes = json_object_get(of->json, "shape");
	int64_t global[SW_MAX_DIMS];
	size_t rank = json_array_size(sizes);
	sw_dtype dtype = SW_F32;
	bool given = false;
	asked->sized = sizes && !json_is_null(sizes);
	if (!sw_json_read_dtype(&of->in, of->json, "dtype", &dtype, &given))
		return false;
	if (!asked->sized)
		return true;
	if (!json_is_array(sizes) || rank > SW_MAX_DIMS)
		return sw_json_refuse(&of->in, SW_B03, "shape", "is no list of at most %d sizes", SW_MAX_DIMS);
	for (size_t i = 0; i < rank; i++) {
		global[i] = json_integer_value(json_array_get(sizes, i));
		if (global[i] < 1)
			return sw_json_refuse(&of->in, SW_T05, "shape", "has a size that is no number of at least 1");
	}
	if (!sw_type_replicated(dtype, (int)rank, global, &asked->shape, diag))
		return sw_json_refuse_shifted(&of->in, "shape");
	asked->shape.dtype_given = given;
	return true;
}

static bool read_mesh_of(const struct problem_json *of, struct asked *asked)
{
	json_t *mesh = json_object_get(of->json, "mesh");
	return !mesh || json_is_null(mesh) || sw_json_read_mesh(&of->in, of->json, "mesh", &asked->mesh);
}

/* ---- the type ---- */

static bool refuse_format(const struct problem_json *of, const struct asked *asked, sw_notation found, sw_diag *diag)
{
	sw_json_refuse(&of->in, SW_B03, "format", "is %s, and the text is %s", asked->format, sw_notation_called(found));
	sw_diag_expected(diag, "%s", sw_notation_name(found));
	return false;
}

static bool read_meaning(const struct problem_json *of, struct asked *asked, sw_diag *diag)
{
	sw_str text = problem_text(of, "text");
	sw_sharding *sharding = SW_NEW(of->arena, sw_sharding, 1);
	const sw_notation_context context = {asked->mesh.count ? &asked->mesh : NULL,
		asked->sized ? asked->shape.rank : -1, of->pads};
	const sw_type *shape = asked->sized ? &asked->shape : NULL;
	if (!sharding)
		return sw_diag_memory(diag);
	if (!sw_sharding_parse(text, &context, of->arena, sharding, diag))
		return sw_json_refuse_shifted(&of->in, "text");
	if (asked->format && !is_of_format(sharding->notation, asked->format))
		return refuse_format(of, asked, sharding->notation, diag);
	bool ok = asked->mesh.count ? sw_sharding_over(sharding, &asked->mesh, shape, of->arena, &asked->type, diag) :
								  sw_sharding_type(sharding, shape, of->arena, &asked->type, diag);
	if (ok && !asked->mesh.count)
		asked->mesh = sharding->mesh;
	return ok || sw_json_refuse_shifted(&of->in, "text");
}

/* A type of the language may be of any kind.  false: it is none, or a tile type. */
static bool read_words(const struct problem_json *of, struct asked *asked)
{
	const sw_distribution_names names = {.rule = of->rule, .pads = of->pads};
	sw_str text = problem_text(of, "text");
	bool own = !asked->format || strcmp(asked->format, sw_notation_name(SW_NOTATION_PAPER)) == 0;
	return own && asked->mesh.count && !is_foreign(text) &&
		sw_type_parse_any(&asked->mesh, text, &names, of->arena, &asked->type, &asked->words, NULL) && asked->words;
}

/* ---- the answer ---- */

bool sharding_line(struct problem_json *of, sw_diag *diag)
{
	struct asked asked = {0};
	sw_text type = {0};
	if (!read_format(of, &asked, diag) || !read_mesh_of(of, &asked) || !read_size(of, &asked, diag) ||
		!(read_words(of, &asked) || read_meaning(of, &asked, diag)))
		return false;
	struct fields *fields = problem_fields(of, "shardwalk.type/1");
	field_mesh(fields, "mesh", &asked.mesh);
	field_str(fields, "text", problem_text(of, "text"));
	if (asked.words)
		sw_type_print_any(&asked.mesh, &asked.type, asked.words, asked.type.dtype_given, &type);
	else
		sw_type_print(&asked.mesh, &asked.type, asked.type.dtype_given, &type);
	problem_words(of, "%s", sw_text_get(&type));
	field_printed(fields, "type", &type);
	const struct any_type any = {asked.type, asked.words};
	return !asked.words || type_members(of, &asked.mesh, &any, fields, diag);
}
