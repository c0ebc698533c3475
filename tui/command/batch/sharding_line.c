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

#include "views/sets.h"

struct asked {
	const char *format;  /* NULL: not said */
	sw_mesh mesh;        /* count 0: not said */
	sw_type shape, type; /* the size, where `sized`, and what the text means */
	bool sized;
	const sw_distribution *words; /* of a type that is no tile type; else NULL */
	bool sets;                    /* what devices have is listed */
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
	sw_json_refuse(&of->in, SW_B03, "format", "does not name a notation");
	sw_diag_expected(diag, "paper, book, jax, shardy, dtensor, hlo or another notation");
	sw_diag_hint(diag, "it may be left out: the beginning of the text shows its notation");
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
		return sw_json_refuse(&of->in, SW_B03, "shape", "is not a list of at most %d sizes", SW_MAX_DIMS);
	for (size_t i = 0; i < rank; i++) {
		global[i] = json_integer_value(json_array_get(sizes, i));
		if (global[i] < 1)
			return sw_json_refuse(&of->in, SW_T05, "shape", "has a size that is not a number of at least 1");
	}
	if (!sw_type_replicated(dtype, (int)rank, global, &asked->shape, diag))
		return sw_json_refuse_shifted(&of->in, "shape");
	asked->shape.dtype_given = given;
	return true;
}

/* A mesh, or only how many devices there are. */
static bool read_mesh_of(const struct problem_json *of, struct asked *asked, sw_diag *diag)
{
	json_t *mesh = json_object_get(of->json, "mesh"), *devices = json_object_get(of->json, "devices");
	if (mesh && !json_is_null(mesh))
		return sw_json_read_mesh(&of->in, of->json, "mesh", &asked->mesh);
	if (!json_is_integer(devices))
		return true;
	asked->mesh = (sw_mesh){.devices = 1};
	return sw_mesh_add(&asked->mesh, sw_str_of("d"), json_integer_value(devices), diag) ||
		sw_json_refuse_shifted(&of->in, "devices");
}

/* ---- the type ---- */

static bool refuse_format(const struct problem_json *of, const struct asked *asked, sw_notation found, sw_diag *diag)
{
	sw_json_refuse(&of->in, SW_B03, "format", "is %s, but the text is %s", asked->format, sw_notation_called(found));
	sw_diag_expected(diag, "%s", sw_notation_name(found));
	return false;
}

/* A text that says the sizes itself agrees with the line. */
static bool check_size(const struct problem_json *of, const struct asked *asked, sw_diag *diag)
{
	const sw_type *type = &asked->type, *shape = &asked->shape;
	bool same = type->rank == shape->rank;
	sw_text sizes = {0};
	for (int dim = 0; same && dim < type->rank; dim++)
		same = sw_type_size(type, dim) == sw_type_size(shape, dim);
	if (same)
		return true;
	for (int dim = 0; dim < type->rank; dim++)
		sw_text_addf(&sizes, "%s%lld", dim ? ", " : "", (long long)sw_type_size(type, dim));
	sw_json_refuse(&of->in, SW_T09, "shape", "is not that of the text");
	sw_diag_expected(diag, "[%s]", sw_text_get(&sizes));
	sw_text_free(&sizes);
	return false;
}

static bool read_meaning(struct problem_json *of, struct asked *asked, sw_diag *diag)
{
	sw_str text = problem_text(of, "text");
	sw_sharding *sharding = SW_NEW(of->arena, sw_sharding, 1);
	const sw_type *shape = asked->sized ? &asked->shape : NULL;
	const sw_notation_context context = {.mesh = asked->mesh.count ? &asked->mesh : NULL,
		.rank = shape ? shape->rank : -1,
		.pads = of->pads,
		.shape = shape};
	if (!sharding)
		return sw_diag_memory(diag);
	if (!sw_sharding_parse(text, &context, of->arena, sharding, diag))
		return sw_json_refuse_shifted(&of->in, "text");
	if (asked->format && !is_of_format(sharding->notation, asked->format))
		return refuse_format(of, asked, sharding->notation, diag);
	bool says_words = sharding->kind == SW_SHARDING_WORDS;
	if (!asked->mesh.count && says_words)
		asked->mesh = sharding->mesh;
	bool ok = asked->mesh.count ?
		sw_sharding_any(sharding, &asked->mesh, shape, of->arena, &asked->type, &asked->words, diag) :
		sw_sharding_type(sharding, shape, of->arena, &asked->type, diag);
	if (ok && !asked->mesh.count)
		asked->mesh = sharding->mesh;
	if (!ok)
		return sw_json_refuse_shifted(&of->in, "text");
	asked->sets = says_words || json_object_get(of->json, "devices");
	problem_remarks(of, sharding->note);
	return !says_words || !asked->sized || check_size(of, asked, diag);
}

/* A type of the language may be of any kind.  false: it is none, or a tile type. */
static bool read_words(const struct problem_json *of, struct asked *asked)
{
	const sw_distribution_names names = {.rule = of->rule, .pads = of->pads};
	sw_str text = problem_text(of, "text");
	bool own = !asked->format || strcmp(asked->format, sw_notation_name(SW_NOTATION_PAPER)) == 0;
	asked->sets = own && asked->mesh.count && !is_foreign(text) &&
		sw_type_parse_any(&asked->mesh, text, &names, of->arena, &asked->type, &asked->words, NULL) && asked->words;
	return asked->sets;
}

static bool add_sets(const struct problem_json *of, const struct asked *asked, struct fields *in, sw_diag *diag)
{
	const struct any_type type = {asked->type, asked->words};
	struct sets_look look;
	if (!sets_look_at(&asked->mesh, &type, asked->mesh.order, of->arena, &look, diag))
		return false;
	sets_row_major(&look, in);
	field_ints(in, "shape", asked->type.global, asked->type.rank);
	return true;
}

/* ---- the answer ---- */

/* A call of ScaLAPACK that moves a matrix says both ends: the answer is who needs what of whom. */
static bool moving_line(struct problem_json *of, const struct asked *asked, sw_diag *diag)
{
	sw_sharding *ends = SW_NEW(of->arena, sw_sharding, 2);
	sw_problem *problem = SW_NEW_ZERO(of->arena, sw_problem, 1);
	const sw_notation_context context = {.mesh = asked->mesh.count ? &asked->mesh : NULL, .rank = 2};
	sw_reading *reading = SW_NEW(of->arena, sw_reading, 1);
	if (!ends || !problem || !reading)
		return sw_diag_memory(diag);
	if (!sw_gemr2d_parse(problem_text(of, "text"), &context, of->arena, &ends[0], &ends[1], diag))
		return sw_json_refuse_shifted(&of->in, "text");
	if (!sw_sharding_problem(&ends[0], &ends[1], NULL, of->arena, reading, diag))
		return sw_json_refuse_shifted(&of->in, "text");
	*problem = reading->problem;
	return relation_line(of, problem, diag);
}

bool sharding_line(struct problem_json *of, sw_diag *diag)
{
	struct asked asked = {0};
	sw_text type = {0};
	if (!read_format(of, &asked, diag) || !read_mesh_of(of, &asked, diag) || !read_size(of, &asked, diag))
		return false;
	if (sw_notation_is_gemr2d(problem_text(of, "text")))
		return moving_line(of, &asked, diag);
	if (!(read_words(of, &asked) || read_meaning(of, &asked, diag)))
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
	return !asked.sets || add_sets(of, &asked, fields, diag);
}
