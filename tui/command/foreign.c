/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings as other systems write them, where the language takes a type.
 */
#include "command/foreign.h"

#include <string.h>

#include "command/import/warned.h"
#include "language/line.h"

bool is_foreign(sw_str text)
{
	text = sw_str_trim(text);
	return text.length && sw_notation_guess(text) != SW_NOTATION_PAPER;
}

/* Some notations have a `;` in their texts, which ends a statement. */
static bool is_cut_off(const struct invocation *run, sw_str text)
{
	const sw_str line = run->position->text;
	if (text.at < line.at || text.at >= line.at + line.length)
		return false;
	sw_str rest = sw_str_behind(line, (size_t)(text.at - line.at));
	return rest.length > text.length && memchr(rest.at + text.length, ';', rest.length - text.length) &&
		sw_notation_known(rest);
}

static bool refuse_cut_off(const struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_notation_refuse(text, diag);
	sw_diag_hint(diag, "a ';' ends the statement: put a text that contains one in quotes");
	return refuse_at(run, text, diag);
}

bool refuse_unknown(const struct invocation *run, sw_str text, sw_diag *diag)
{
	if (is_cut_off(run, text))
		return refuse_cut_off(run, text, diag);

	sw_text list = {0};
	sw_text_add(&list, "notations, with an example of each:\n");
	for (int i = 0; i < SW_NOTATION_COUNT; i++)
		sw_text_addf(&list, "  %-20s %s\n", sw_notation_name((sw_notation)i), sw_notation_example((sw_notation)i));
	if (!run->session->json && !run->answer->for_programs)
		console_message(run->session->console, &list);
	sw_text_free(&list);
	sw_notation_refuse(text, diag);
	sw_diag_hint(diag, "`help explain` says what else can be explained");
	return refuse_at(run, text, diag);
}

const sw_type *known_shape(const struct state *state)
{
	if (state->has[DEFINED_SHAPE])
		return &state->shape;
	if (state->ends_of == ENDS_OF_WARNING)
		return NULL;
	return state->has[DEFINED_FROM] ? &state->from : state->has[DEFINED_TO] ? &state->to : NULL;
}

/* `numbers`: it is one of two ends; `placements`: as the other one is. */
static bool read_as(const struct invocation *run, sw_str text, bool numbers, bool placements, sw_sharding *sharding,
	sw_diag *diag)
{
	const struct state *state = &run->session->state;
	const sw_type *shape = known_shape(state);
	sw_notation_context context = {.mesh = warned_has_axes(state) ? &state->mesh : NULL,
		.rank = shape ? shape->rank : -1,
		.pads = session_pads(run->session),
		.shape = shape,
		.placements = placements,
		.numbers = numbers};
	return sw_sharding_parse(text, &context, run->arena, sharding, diag) || refuse_at(run, text, diag);
}

bool read_sharding(const struct invocation *run, sw_str text, sw_sharding *sharding, sw_diag *diag)
{
	return read_as(run, text, false, false, sharding, diag);
}

static const char iota_words[] = "; devices 0, 1, 2, ... are assumed";

/* What was read how, a sentence a line. */
static void say_note(const struct invocation *run, const sw_sharding *sharding)
{
	for (const char *at = sharding->note ? sharding->note : ""; *at;) {
		size_t length = strcspn(at, "\n");
		answer_remark(run->session, "%.*s", (int)length, at);
		at += length + (at[length] == '\n');
	}
}

/* Dimensions that the compiler may cut are not cut here. */
static void say_open(const struct invocation *run, const sw_sharding *sharding)
{
	for (int d = 0; d < sharding->rank; d++)
		if (sharding->open >> d & 1 && sharding->first[d] == sharding->first[d + 1])
			answer_remark(run->session,
				"dimension %d is open: the compiler may cut it, but here it is "
				"whole",
				d);
}

static void say_taken(const struct invocation *run, const sw_sharding *sharding)
{
	answer_remark(run->session, "read as %s%s", sw_sharding_called(sharding),
		sharding->assumed_iota ? iota_words : "");
	say_open(run, sharding);
	say_note(run, sharding);
}

static void say_both_taken(const struct invocation *run, const sw_sharding *from, const sw_sharding *to)
{
	const char *first = sw_sharding_called(from), *second = sw_sharding_called(to);
	bool other = strcmp(first, second) != 0;
	answer_remark(run->session, "read as %s%s%s%s", first, other ? " and " : "", other ? second : "",
		from->assumed_iota || to->assumed_iota ? iota_words : "");
	say_open(run, from);
	say_open(run, to);
	say_note(run, from);
	if (!from->note || !to->note || strcmp(from->note, to->note) != 0)
		say_note(run, to);
}

/* ---- meshes ---- */

bool is_foreign_mesh(sw_str text)
{
	static const char *const makers[] = {"Mesh", "AbstractMesh", "make_mesh", "DeviceMesh", "init_device_mesh",
		"ProcessMesh", "create_mesh", "create_distributed_mesh"};
	size_t end = 0, begin = 0;
	while (end < text.length && !strchr("( \t", text.at[end])) {
		begin = text.at[end] == '.' ? end + 1 : begin;
		end++;
	}
	if (end == text.length || text.at[end] != '(')
		return sw_str_is((sw_str){text.at, end}, "sdy.mesh") || sw_str_is((sw_str){text.at, end}, "shard.grid");
	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++)
		if (sw_str_is((sw_str){text.at + begin, end - begin}, makers[i]))
			return true;
	return false;
}

static bool refuse_mesh(const struct invocation *run, sw_str text, const char *found, sw_diag *diag)
{
	sw_diag_set(diag, SW_M01, (sw_span){0, text.length}, "this is not a mesh");
	sw_diag_expected(diag, "a mesh such as {x: 4, y: 6}");
	sw_diag_found(diag, "%s", found);
	sw_diag_hint(diag, "a mesh may also be written as JAX, PyTorch or Shardy write it: Mesh('x': 4, 'y': 6)");
	return refuse_at(run, text, diag);
}

bool read_any_mesh(const struct invocation *run, sw_str text, sw_mesh *mesh, sw_diag *diag)
{
	sw_sharding *sharding = SW_NEW(run->arena, sw_sharding, 1);
	if (!sharding)
		return sw_diag_memory(diag);
	if (line_is_mesh(text) || !is_foreign(text) || *text.at == '{') {
		bool ok = sw_mesh_parse(text, mesh, diag);
		if (!ok && diag && !*diag->hint)
			sw_diag_hint(diag, "for instance: mesh {x: 4, y: 6}, or mesh Mesh('x': 4, 'y': 6) as JAX prints it");
		return ok || refuse_at(run, text, diag);
	}
	if (!sw_sharding_parse(text, NULL, run->arena, sharding, diag))
		return diag->code == SW_N03 ? refuse_mesh(run, text, "a sharding without one", diag) :
									  refuse_at(run, text, diag);
	if (!sharding->mesh.count || (sharding->kind != SW_SHARDING_MESH && !sharding->own_mesh))
		return refuse_mesh(run, text, sw_sharding_called(sharding), diag);
	say_taken(run, sharding);
	*mesh = sharding->mesh;
	return true;
}

bool read_own_mesh(const struct invocation *run, sw_str text, sw_mesh *mesh, sw_diag *diag)
{
	sw_sharding *sharding = SW_NEW(run->arena, sw_sharding, 1);
	if (!sharding)
		return sw_diag_memory(diag);
	*mesh = (sw_mesh){0};
	if (!read_sharding(run, text, sharding, diag))
		return false;
	bool devices = sharding->kind == SW_SHARDING_TILED || sharding->kind == SW_SHARDING_WORDS;
	if (!devices || sharding->mesh.devices == 0)
		return true;
	if (sharding->mesh.order) {
		sw_diag_set(diag, SW_N05, (sw_span){0, text.length}, "the devices are not in the order 0, 1, 2, ...");
		sw_diag_expected(diag, "devices 0, 1, 2, ... in the order of a mesh");
		sw_diag_hint(diag, "both ends in one statement, `A ~> B`, keep the order as a list beside the mesh");
		return refuse_at(run, text, diag);
	}
	*mesh = sharding->mesh;
	return true;
}

/* ---- one end ---- */

/* What to do about a sharding that does not fit the mesh. */
static void hint_over(const sw_sharding *sharding, sw_diag *diag)
{
	sw_text mesh = {0};
	if (!diag || diag->code != SW_N05 || *diag->hint)
		return;
	sw_mesh_print(&sharding->mesh, &mesh);
	if (sharding->mesh.order)
		sw_diag_hint(diag, "both ends in one statement, `A ~> B`, keep the order as a list beside the mesh");
	else if (sharding->mesh.count)
		sw_diag_hint(diag, "`mesh %s` has as many devices; `A ~> B` in one statement finds the mesh itself",
			sw_text_get(&mesh));
	sw_text_free(&mesh);
}

/* The type that says the same where tiles do not. */
static void say_words(const struct invocation *run, const struct any_type *type)
{
	sw_text text = {0};
	if (!type->words)
		return;
	sw_type_print_any(&run->session->state.mesh, &type->type, type->words, type->type.dtype_given, &text);
	answer_remark(run->session, "the same: %s", sw_text_get(&text));
	sw_text_free(&text);
}

bool read_foreign_type(const struct invocation *run, sw_str text, sw_arena *arena, struct any_type *type,
	sw_diag *diag)
{
	const struct state *state = &run->session->state;
	sw_sharding *sharding = SW_NEW(run->arena, sw_sharding, 1);
	if (!sharding)
		return sw_diag_memory(diag);
	if (!read_sharding(run, text, sharding, diag))
		return false;
	if (!sw_sharding_any(sharding, &state->mesh, known_shape(state), arena, &type->type, &type->words, diag)) {
		hint_over(sharding, diag);
		diag->at = (sw_span){0, text.length};
		return refuse_at(run, text, diag);
	}
	say_taken(run, sharding);
	say_words(run, type);
	return true;
}

/* Both over the mesh that the session has. */
static bool ends_over_mesh(const struct invocation *run, const sw_sharding *from, const sw_sharding *to,
	const sw_type *shape, sw_arena *arena, sw_problem *problem)
{
	const struct state *state = &run->session->state;
	if (!state->has[DEFINED_MESH])
		return false;
	problem->mesh = state->mesh;
	problem->to_order = NULL;
	return sw_sharding_any(from, &state->mesh, shape, arena, &problem->from, &problem->from_words, NULL) &&
		sw_sharding_any(to, &state->mesh, shape ? shape : &problem->from, arena, &problem->to, &problem->to_words,
			NULL) &&
		sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, NULL) &&
		sw_type_redistributable(&problem->from, &problem->to, NULL);
}

static void say_reading(const struct invocation *run, const sw_reading *reading)
{
	struct session *session = run->session;
	sw_text mesh = {0};
	sw_mesh_print(&reading->problem.mesh, &mesh);
	if (reading->found_mesh)
		answer_remark(session, "mesh %s was derived from the devices", sw_text_get(&mesh));
	if (*reading->remark)
		answer_remark(session, "%s", reading->remark);
	sw_text_free(&mesh);
}

sw_str trace_first(sw_str left)
{
	if (left.length && left.at[left.length - 1] == '-') /* `A-->B` of DTensor: merged into one collective */
		left.length--;
	return sw_str_trim(left);
}

sw_str trace_last(sw_str right)
{
	for (sw_str arrow = line_arrow(right); arrow.length; arrow = line_arrow(right)) {
		const char *end = arrow.at + arrow.length;
		right = sw_str_trim((sw_str){end, (size_t)(right.at + right.length - end)});
	}
	return right;
}

bool sharding_is_wrong(const sw_sharding *sharding, const sw_type *shape, int64_t devices, sw_arena *arena,
	sw_code code)
{
	sw_type type;
	sw_diag diag = {.code = SW_OK};
	bool ok = sw_sharding_type(sharding, shape, arena, &type, &diag);
	if (!ok && (diag.code != SW_N03 || code == SW_N03))
		return diag.code == code;
	return code == SW_N05 && devices && sharding->mesh.devices && sharding->mesh.devices != devices;
}

static const sw_type *shape_for(const struct state *state, const sw_sharding *other)
{
	return state->has[DEFINED_SHAPE] ? &state->shape : other->has_shape ? &other->shape : NULL;
}

bool is_first_wrong(const struct invocation *run, const sw_sharding *first, const sw_sharding *second, sw_code code)
{
	const struct state *state = &run->session->state;
	int64_t devices = state->has[DEFINED_MESH] ? state->mesh.devices : 0;
	return sharding_is_wrong(first, shape_for(state, second), devices, run->arena, code);
}

bool read_foreign_ends(struct invocation *run, sw_str left, sw_str right, sw_problem *problem, bool *found_mesh,
	sw_diag *diag)
{
	const struct state *state = &run->session->state;
	sw_sharding *from = SW_NEW(run->arena, sw_sharding, 2), *to = from + 1;
	sw_reading *reading = SW_NEW(run->arena, sw_reading, 1);
	sw_type follows;
	if (!from || !reading)
		return sw_diag_memory(diag);
	if (!read_as(run, left, true, false, from, diag) || !read_as(run, right, true, false, to, diag) ||
		(sw_sharding_settles(from, to) && !read_as(run, left, true, true, from, diag)) ||
		(sw_sharding_settles(to, from) && !read_as(run, right, true, true, to, diag)))
		return false;
	say_both_taken(run, from, to);
	*found_mesh = state->found_mesh;
	bool said = state->has[DEFINED_SHAPE] || from->has_shape || to->has_shape;
	const sw_type *shape = state->has[DEFINED_SHAPE] ? &state->shape : NULL;
	shape = !said && warned_shape(run, from, to, &follows) ? &follows : shape;
	bool words = from->kind == SW_SHARDING_WORDS || to->kind == SW_SHARDING_WORDS ||
		(from->mesh.devices && to->mesh.devices && from->mesh.devices != to->mesh.devices) || from->numbers ||
		to->numbers;
	sw_arena *arena = words ? run->session->arena : run->arena; /* words live on in the problem */
	if (ends_over_mesh(run, from, to, shape, arena, problem))
		return true;
	if (!sw_sharding_problem(from, to, shape, arena, reading, diag)) {
		sw_str wrong = is_first_wrong(run, from, to, diag->code) ? left : right;
		diag->at = (sw_span){0, wrong.length};
		return refuse_at(run, wrong, diag);
	}
	say_reading(run, reading);
	*problem = reading->problem;
	*found_mesh = reading->found_mesh;
	return true;
}
