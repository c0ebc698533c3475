/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command import: placements of matrices by other libraries, and calls that move them.
 *
 * A descriptor of ScaLAPACK, a domain map of Chapel and the like become `from`; a call of p?gemr2d with its descriptors, or two placements
 * with an arrow between them, become the problem.
 */
#define _GNU_SOURCE /* memmem */
#include "command/import/import.h"

#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/notation.h>

#include "command/foreign.h"
#include "language/line.h"
#include "views/draw.h"
#include "views/sets.h"

static bool has_words(sw_str text)
{
	return sw_notation_has_words(sw_notation_guess(sw_str_trim(text)));
}

/* `float32[16@x,32]` of jax.typeof, and nothing else. */
static bool is_array_type(sw_str text)
{
	size_t name = 0;
	while (name < text.length && text.at[name] != '[' && text.at[name] > ' ')
		name++;
	sw_str sizes = sw_str_behind(text, name);
	return name && sizes.length && memchr(sizes.at, '@', sizes.length) && !memchr(text.at, '\n', text.length) &&
		sw_str_balanced(sizes, 0, SW_NESTING_PLAIN) == sizes.length &&
		sw_notation_guess(text) == SW_NOTATION_JAX_TYPE;
}

/* One sharding as JAX, XLA or PyTorch print it, alone, with the mesh that it is over. */
static bool is_printed(sw_str text)
{
	static const char *const begins[] = {"ShapeDtypeStruct(", "NamedSharding(", "jax.ShapeDtypeStruct(", "Spec(",
		"DTensorSpec(", "DTensor(", "goo.gle/debug", "type: OTHER", "type: MAXIMAL", "type: TUPLE",
		"type: REPLICATED", "type: MANUAL", "tile_assignment_dimensions:", "\xE2\x94\x8C", "{devices=", "{mesh[",
		"{replicated", "{maximal", "{manual", "{unknown", "(Shard(", "(Replicate(", "(Partial(", "PartitionSpec(",
		"P(", "SingleDeviceSharding(", "GSPMDSharding("};
	bool moves;
	text = sw_str_trim(text);
	if (memmem(text.at, text.length, "->", 2))
		return false;
	if (sw_notation_call(text, &moves).length || is_array_type(text))
		return !line_arrow(text).length;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (sw_str_starts(text, begins[i]))
			return !line_arrow(text).length;
	return false;
}

/* The sentences of both ends, each once. */
static void say_notes(const struct import *import, const char *first, const char *second)
{
	for (int end = 0; end < 2; end++) {
		const char *at = end ? second : first;
		if (!at || (end && first && strcmp(first, second) == 0))
			continue;
		for (; *at; at += *at == '\n') {
			size_t length = strcspn(at, "\n");
			answer_remark(import->run->session, "%.*s", (int)length, at);
			at += length;
		}
	}
}

static sw_notation_context context_of(const struct import *import)
{
	return (sw_notation_context){.mesh = import->mesh_before,
		.rank = -1,
		.pads = session_pads(import->run->session),
		.shape = known_shape(&import->run->session->state)};
}

/* ---- problems ---- */

/* Over the mesh of the session where it has devices enough, else over one of both grids. */
static bool over_mesh(const struct import *import, const sw_sharding *from, const sw_sharding *to,
	sw_problem *problem, sw_diag *diag)
{
	sw_arena *arena = import->run->session->arena;
	const sw_mesh *mesh = import->mesh_before;
	sw_reading *reading = SW_NEW(import->run->arena, sw_reading, 1);
	if (!reading)
		return sw_diag_memory(diag);
	if (mesh && !mesh->order) {
		*problem = (sw_problem){.mesh = *mesh};
		return sw_sharding_any(from, mesh, NULL, arena, &problem->from, &problem->from_words, diag) &&
			sw_sharding_any(to, mesh, NULL, arena, &problem->to, &problem->to_words, diag) &&
			sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, diag) &&
			sw_type_redistributable(&problem->from, &problem->to, diag);
	}
	bool ok = sw_sharding_problem(from, to, NULL, arena, reading, diag);
	*problem = reading->problem;
	return ok;
}

static bool answer_problem(const struct import *import, const sw_problem *problem, sw_diag *diag)
{
	struct document *document = import->run->answer;
	struct relation_look look;
	sw_text lines = {0};
	if (!relation_look_at(problem, NULL, import->run->arena, &look, diag))
		return false;
	struct fields *fields = document_fields(document, "shardwalk.relation/1");
	if (fields)
		return (relation_ends(&look, fields) || sw_diag_memory(diag)) && relation_members(&look, fields, diag);
	for (int end = 0; end < 2; end++) {
		sw_text_add(&lines, end ? "to    " : "from  ");
		sw_type_print_any(&problem->mesh, end ? &problem->to : &problem->from,
			end ? problem->to_words : problem->from_words, problem->from.dtype_given, &lines);
		sw_text_add_char(&lines, '\n');
	}
	document_lines(document, &lines);
	if (!relation_say(&look, document))
		return sw_diag_memory(diag);
	answer_remark(import->run->session, "it is now the problem: `plan` plans it, `export scalapack` writes the call");
	return true;
}

static bool take_ends(struct import *import, const sw_sharding *from, const sw_sharding *to, sw_diag *diag)
{
	sw_problem *problem = SW_NEW(import->run->arena, sw_problem, 1);
	if (!problem)
		return sw_diag_memory(diag);
	if (!over_mesh(import, from, to, problem, diag)) {
		if (!diag->at.end)
			diag->at = (sw_span){0, import->text.length};
		return import_refuse(import, diag);
	}
	answer_remark(import->run->session, "read as %s", sw_sharding_called(from));
	say_notes(import, from->note, to->note);
	return problem_take(import->run, problem, false, diag) && answer_problem(import, problem, diag);
}

static bool take_call(struct import *import, sw_diag *diag)
{
	sw_sharding *ends = SW_NEW(import->run->arena, sw_sharding, 2);
	const sw_notation_context context = context_of(import);
	if (!ends)
		return sw_diag_memory(diag);
	if (!sw_gemr2d_parse(import->text, &context, import->run->arena, &ends[0], &ends[1], diag))
		return import_refuse(import, diag);
	return take_ends(import, &ends[0], &ends[1], diag);
}

/* A placement of the text; positions are in all of it. */
static bool read_part(struct import *import, sw_str part, sw_sharding *sharding, sw_diag *diag)
{
	const sw_notation_context context = context_of(import);
	part = sw_str_trim(part);
	if (sw_sharding_parse(part, &context, import->run->arena, sharding, diag))
		return true;
	sw_diag_shift(diag, (size_t)(part.at - import->text.at));
	return import_refuse(import, diag);
}

static bool take_arrow(struct import *import, sw_str left, sw_str right, sw_diag *diag)
{
	sw_sharding *ends = SW_NEW(import->run->arena, sw_sharding, 2);
	if (!ends)
		return sw_diag_memory(diag);
	return read_part(import, left, &ends[0], diag) && read_part(import, right, &ends[1], diag) &&
		take_ends(import, &ends[0], &ends[1], diag);
}

/* ---- one placement ---- */

static bool answer_one(const struct import *import, const struct any_type *type, sw_diag *diag)
{
	const struct invocation *run = import->run;
	struct sets_look *look = SW_NEW(run->arena, struct sets_look, 1);
	struct view_options options = view_options_default(run->answer->width);
	struct view_input in = {.sets = look};
	if (!look)
		return sw_diag_memory(diag);
	if (!sets_look_at(&run->session->state.mesh, type, NULL, run->arena, look, diag))
		return false;
	struct fields *fields = document_fields(run->answer, "shardwalk.sets/1");
	if (fields)
		return sets_fields(&in, &options, fields, diag);
	answer_remark(run->session, "it is now `from`: `to TYPE` says where it goes");
	return view_sets(&in, &options, document_canvas(run->answer), diag);
}

static bool take_one(struct import *import, sw_diag *diag)
{
	struct invocation *run = import->run;
	sw_sharding *sharding = SW_NEW(run->arena, sw_sharding, 1);
	struct any_type type;
	if (!sharding)
		return sw_diag_memory(diag);
	if (!read_part(import, import->text, sharding, diag))
		return false;
	const sw_mesh *mesh = import->mesh_before ? import->mesh_before : &sharding->mesh;
	if (!sw_sharding_any(sharding, mesh, known_shape(&run->session->state), run->session->arena, &type.type,
			&type.words, diag)) {
		diag->at = (sw_span){0, import->text.length};
		return import_refuse(import, diag);
	}
	answer_remark(run->session, "read as %s", sw_sharding_called(sharding));
	say_notes(import, sharding->note, NULL);
	if (!import->mesh_before)
		problem_take_mesh(run->session, &sharding->mesh);
	problem_take_from(run, &type);
	return answer_one(import, &type, diag);
}

bool import_placed(struct import *import, bool *taken, sw_diag *diag)
{
	sw_str text = import->text, arrow = line_arrow(text);
	sw_str right = sw_str_behind(text, arrow.length ? (size_t)(arrow.at - text.at) + arrow.length : text.length);
	*taken = true;
	if (sw_notation_is_gemr2d(text))
		return take_call(import, diag);
	if (arrow.length && has_words((sw_str){text.at, (size_t)(arrow.at - text.at)}))
		return take_arrow(import, (sw_str){text.at, (size_t)(arrow.at - text.at)}, right, diag);
	*taken = has_words(text) || is_printed(text);
	return !*taken || take_one(import, diag);
}
