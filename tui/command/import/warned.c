/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a warning that may speak of one group of devices to the problem that it is about.
 */
#include "command/import/warned.h"

#include <string.h>

/* ---- what is known ---- */

static bool of_warning(const struct state *state)
{
	return state->warning && state->ends_of == ENDS_OF_WARNING;
}

bool warned_is_gradient(const sw_log_pair *pair)
{
	return pair->op_name && (strstr(pair->op_name, "transpose(jvp(") || strstr(pair->op_name, "add_any"));
}

bool warned_is_differentiated(const sw_log_pair *pair)
{
	return pair->op_name && strstr(pair->op_name, "jvp(") != NULL;
}

bool warned_is_said(const sw_log_pair *pair)
{
	bool constraint = pair->op_name && strstr(pair->op_name, "sharding_constraint");
	return pair->op && (strcmp(pair->op, "parameter") == 0 || (strcmp(pair->op, "copy") == 0 && constraint));
}

bool warned_gradient_now(const struct state *state)
{
	return of_warning(state) && warned_is_gradient(&state->warning->pair);
}

bool warned_has_axes(const struct state *state)
{
	return state->has[DEFINED_MESH] && !(of_warning(state) && state->found_mesh);
}

struct warned_program warned_program(const struct state *state)
{
	struct warned_program program = {.known = false};
	if (of_warning(state) && state->warning->has_mesh)
		program = (struct warned_program){true, state->warning->mesh};
	else if (!of_warning(state) && state->has[DEFINED_MESH] && !state->found_mesh)
		program = (struct warned_program){true, state->mesh};
	return program;
}

struct group warned_group(const sw_log_pair *pair, int64_t more, const sw_mesh *mesh)
{
	struct group group = {.is = GROUP_NONE, .devices = pair->devices};
	if (!pair->warned || pair->devices <= 0 || (mesh && mesh->devices == pair->devices))
		return group;
	group.by_mesh = mesh && mesh->devices > pair->devices && mesh->devices % pair->devices == 0;
	group.more = group.by_mesh ? mesh->devices : more;
	group.is = group.more ? GROUP_CERTAIN : GROUP_POSSIBLE;
	return group;
}

struct group warned_group_now(const struct state *state)
{
	const struct warning *warning = state->warning;
	if (!of_warning(state))
		return (struct group){.is = GROUP_NONE};
	return warned_group(&warning->pair, warning->more, warning->has_mesh ? &warning->mesh : NULL);
}

void warned_value(const sw_log_pair *pair, sw_text *text)
{
	if (!pair->names) {
		sw_text_add(text, "the value that the warning is about");
		return;
	}
	sw_text_addf(text, "%%%s", pair->name[0]);
	if (pair->operand)
		sw_text_addf(text, ", made of %%%s", pair->operand);
	if (pair->op_name)
		sw_text_addf(text, " (%s)", pair->op_name);
}

/* "%copy", or what stands for it */
static const char *name_of(const sw_log_pair *pair)
{
	return pair->names ? pair->name[0] : NULL;
}

int warned_lines(const struct group *group, const char *line[WARNED_LINES])
{
	int count = 0;
	if (group->is == GROUP_NONE)
		return 0;
	if (!group->by_mesh)
		line[count++] = "mesh {...}";
	line[count++] = "P(...) ~> P(...)";
	return count;
}

/* ---- as fields ---- */

/* An empty text says nothing. */
static void add_text(struct fields *in, const char *key, const char *text)
{
	field_text(in, key, text && *text ? text : NULL);
}

static void add_stays(struct fields *in, const sw_whole *whole)
{
	struct fields *list = field_list(in, "stays");
	for (int k = 0; whole && k < whole->stays; k++) {
		const sw_stay *stay = &whole->stay[k];
		struct fields *one = field_object(list, NULL);
		field_count(one, "dimension", stay->dim);
		field_count(one, "parts", stay->parts);
		add_text(one, "axes", stay->axes);
		add_text(one, "axes_after", stay->after);
	}
}

static void add_lines(struct fields *in, const struct group *group)
{
	const char *line[WARNED_LINES];
	int count = warned_lines(group, line);
	struct fields *list = field_list(in, "type");
	for (int k = 0; k < count; k++)
		field_text(list, NULL, line[k]);
}

void warned_fields(struct fields *in, const sw_log_pair *pair, const struct group *group, const sw_whole *whole)
{
	static const char *const is[] =
		{[GROUP_NONE] = "all", [GROUP_POSSIBLE] = "possible", [GROUP_CERTAIN] = "certain"};
	sw_text words = {0};
	if (!pair || !pair->warned) {
		field_null(in, "group");
		return;
	}
	struct fields *one = field_object(in, "group");
	group_print(group, &words);
	field_text(one, "is", !whole ? is[group->is] : whole->is ? "whole" : "other");
	field_count(one, "devices", pair->devices);
	field_count(one, "of", whole ? whole->devices : group->more ? group->more : -1);
	field_text(one, "known_by", group->is != GROUP_CERTAIN ? NULL : group->by_mesh ? "mesh" : "log");
	add_text(one, "value", name_of(pair));
	add_text(one, "words", whole ? whole->words : sw_text_get(&words));
	add_stays(one, whole);
	add_text(one, "idle_axes", whole ? whole->idle : NULL);
	field_count(one, "seen_as_two", whole ? whole->split : -1);
	add_text(one, "steps_first", whole ? whole->steps : NULL);
	add_lines(one, group);
	sw_text_free(&words);
}

/* ---- taking a warning ---- */

static const char *keep_text(struct session *session, const char *text, bool *ok)
{
	const char *copy = text ? sw_arena_copy(session->arena, text, strlen(text)) : NULL;
	*ok &= copy || !text;
	return copy;
}

static const sw_sharding *keep_sharding(struct session *session, const sw_sharding *sharding, bool *ok)
{
	sw_sharding *copy = sharding ? SW_NEW(session->arena, sw_sharding, 1) : NULL;
	*ok &= copy || !sharding;
	if (!copy)
		return NULL;
	*copy = *sharding;
	*ok &= sw_device_order_copy(sharding->mesh.order, sharding->mesh.devices, session->arena, &copy->mesh.order);
	return copy;
}

/* The pair with all that it points to in the session's arena. */
static bool keep_pair(struct session *session, const sw_log_pair *pair, sw_log_pair *kept)
{
	bool ok = true;
	*kept = *pair;
	kept->from = keep_text(session, pair->from, &ok);
	kept->to = keep_text(session, pair->to, &ok);
	kept->shape = keep_text(session, pair->shape, &ok);
	kept->op = keep_text(session, pair->op, &ok);
	kept->operand = keep_text(session, pair->operand, &ok);
	kept->op_name = keep_text(session, pair->op_name, &ok);
	kept->remark = keep_text(session, pair->remark, &ok);
	for (int k = 0; k < pair->names; k++)
		kept->name[k] = keep_text(session, pair->name[k], &ok);
	for (int k = 0; k < 2; k++)
		kept->ends[k] = keep_sharding(session, pair->ends[k], &ok);
	kept->problem = NULL;
	kept->why = NULL;
	kept->means = kept->write = kept->type = NULL;
	return ok;
}

bool warned_take(struct session *session, const struct warned_row *row, const struct warned_program *program,
	enum ends_of ends, sw_diag *diag)
{
	struct warning *warning = SW_NEW_ZERO(session->arena, struct warning, 1);
	if (!warning || !keep_pair(session, row->pair, &warning->pair))
		return sw_diag_memory(diag);
	warning->more = row->more;
	warning->back = row->back;
	warning->others = row->others;
	warning->chosen = row->chosen;
	warning->has_mesh = program->known;
	warning->mesh = program->mesh;
	session->state.warning = warning;
	session->state.ends_of = ends;
	return true;
}

/* ---- the program's mesh ---- */

static void drop_ends(struct session *session)
{
	struct state *state = &session->state;
	session_drop_work(session);
	state->has[DEFINED_FROM] = state->has[DEFINED_TO] = false;
	state->from_words = state->to_words = NULL;
	state->to_order = NULL;
	state->ends_of = ENDS_OF_NOTHING;
}

/* The mesh is that of all devices that the warning speaks of: its ends are over it. */
static bool take_over(struct session *session, const sw_mesh *mesh)
{
	struct state *state = &session->state;
	const sw_log_pair *pair = &state->warning->pair;
	sw_type shape, from, to;
	if (!sw_type_replicated(state->from.dtype, state->from.rank, state->from.global, &shape, NULL))
		return false;
	shape.dtype_given = state->from.dtype_given;
	if (!sw_sharding_over(pair->ends[0], mesh, &shape, session->arena, &from, NULL) ||
		!sw_sharding_over(pair->ends[1], mesh, &shape, session->arena, &to, NULL))
		return false;
	sw_type_agree(&from, &to);
	session_drop_work(session);
	problem_put_mesh(session, mesh);
	state->from = from;
	state->to = to;
	state->to_order = NULL;
	return true;
}

bool warned_new_mesh(struct session *session, const sw_mesh *mesh, sw_diag *diag)
{
	struct state *state = &session->state;
	const struct warning *before = state->warning;
	if (!of_warning(state))
		return true;
	if (before->pair.devices == mesh->devices && take_over(session, mesh)) {
		answer_remark(session, "the warning is about all devices of this mesh: its ends are over it");
		struct warned_program program = {.known = true, .mesh = *mesh};
		const struct warned_row row = {&before->pair, before->more, before->back, before->others, before->chosen};
		return warned_take(session, &row, &program, ENDS_OF_WARNING, diag);
	}
	drop_ends(session);
	return true;
}

void warned_say_missing(struct session *session)
{
	struct state *state = &session->state;
	if (!state->warning || state->ends_of != ENDS_OF_NOTHING || state->has[DEFINED_FROM] || state->has[DEFINED_TO])
		return;
	const sw_log_pair *pair = &state->warning->pair;
	struct group group = warned_group(pair, state->warning->more, &state->mesh);
	sw_text value = {0};
	warned_value(pair, &value);
	if (group.by_mesh)
		answer_remark(session,
			"the warning is about one group of %lld of these %lld devices; type the shardings of %s: P(...) ~> "
			"P(...)",
			(long long)group.devices, (long long)group.more, sw_text_get(&value));
	else
		answer_remark(session,
			"dropped: the ends of the warning, which is about %lld devices, but this mesh has %lld",
			(long long)group.devices, (long long)state->mesh.devices);
	sw_text_free(&value);
}

/* ---- the ends ---- */

void warned_before_ends(struct session *session)
{
	struct state *state = &session->state;
	if (!of_warning(state) || !state->warning->has_mesh || sw_mesh_equal(&state->mesh, &state->warning->mesh))
		return;
	drop_ends(session);
	problem_put_mesh(session, &state->warning->mesh);
	state->found_mesh = false;
}

bool warned_whole(const struct session *session, sw_arena *arena, sw_whole *whole, sw_diag *diag)
{
	const struct state *state = &session->state;
	sw_problem problem;
	diag->code = SW_OK;
	if (!state->warning || state->ends_of == ENDS_OF_WARNING || !state->has[DEFINED_MESH] ||
		!state->has[DEFINED_FROM] || !state->has[DEFINED_TO])
		return false;
	problem = (sw_problem){.mesh = state->mesh, .from = state->from, .to = state->to, .to_order = state->to_order};
	return sw_whole_check(&state->warning->pair, &problem, arena, whole, diag);
}

bool warned_after_ends(struct session *session, sw_arena *arena, sw_diag *diag)
{
	struct state *state = &session->state;
	sw_whole whole;
	if (!state->warning)
		return true;
	state->ends_of = ENDS_OF_NOTHING;
	if (!warned_whole(session, arena, &whole, diag))
		return diag->code == SW_OK;
	const char *name = name_of(&state->warning->pair), *sign = name ? " of %" : "";
	name = name ? name : "";
	if (whole.is) {
		state->ends_of = ENDS_OF_WHOLE;
		answer_remark(session, "this is the problem that the warning%s%s is about: %s", sign, name, whole.words);
	} else {
		answer_remark(session, "this is not the problem that the warning%s%s is about: %s", sign, name, whole.words);
	}
	return true;
}

/* ---- the shape ---- */

/* Both over the mesh, or over the one that they bring themselves. */
static bool read_ends(const struct invocation *run, const sw_sharding *from, const sw_sharding *to,
	const sw_type *shape, sw_reading *reading)
{
	const struct state *state = &run->session->state;
	sw_problem *problem = &reading->problem;
	if (!state->has[DEFINED_MESH])
		return sw_sharding_problem(from, to, shape, run->arena, reading, NULL);
	*reading = (sw_reading){.problem = {.mesh = state->mesh}};
	return (sw_sharding_over(from, &state->mesh, shape, run->arena, &problem->from, NULL) &&
			   sw_sharding_over(to, &state->mesh, shape, run->arena, &problem->to, NULL)) ||
		sw_sharding_problem(from, to, shape, run->arena, reading, NULL);
}

/* Sizes that all devices divide, where there are so few of them that they have an array of that many elements, else
 * those that both ends divide. */
static bool any_shape(const sw_sharding *from, const sw_sharding *to, int64_t devices, int rank, sw_type *shape)
{
	int64_t global[SW_MAX_DIMS];
	for (int d = 0; d < rank; d++)
		global[d] = devices;
	if (sw_type_replicated(SW_F32, rank, global, shape, NULL))
		return true;
	for (int d = 0; d < rank; d++)
		global[d] = (d < from->rank ? sw_sharding_cuts(from, d) : 1) * (d < to->rank ? sw_sharding_cuts(to, d) : 1);
	return sw_type_replicated(SW_F32, rank, global, shape, NULL);
}

/* *is: with this shape it is the whole. */
static bool shape_of_rank(const struct invocation *run, const sw_sharding *from, const sw_sharding *to, int rank,
	sw_type *shape, bool *is)
{
	const sw_log_pair *pair = &run->session->state.warning->pair;
	const sw_mesh *mesh = from->mesh.devices ? &from->mesh : &run->session->state.mesh;
	int64_t global[SW_MAX_DIMS];
	sw_reading *reading = SW_NEW(run->arena, sw_reading, 1);
	sw_whole whole;
	if (!reading || !any_shape(from, to, mesh->devices, rank, shape) || !read_ends(run, from, to, shape, reading))
		return false;
	if (!sw_whole_shape(pair, &reading->problem, run->arena, global) ||
		!sw_type_replicated(pair->dtype, rank, global, shape, NULL))
		return false;
	shape->dtype_given = true;
	*is = read_ends(run, from, to, shape, reading) &&
		sw_whole_check(pair, &reading->problem, run->arena, &whole, NULL) && whole.is;
	return true;
}

static void say_shape(const struct invocation *run, const sw_type *shape)
{
	sw_text text = {0};
	sw_text_add(&text, sw_dtype_name(shape->dtype));
	sw_type_print_tile(shape->global, shape->rank, &text);
	answer_remark(run->session, "shape %s follows from the warning's %s of one device", sw_text_get(&text),
		run->session->state.warning->pair.shape);
	sw_text_free(&text);
}

bool warned_shape(const struct invocation *run, const sw_sharding *from, const sw_sharding *to, sw_type *shape)
{
	const struct warning *warning = run->session->state.warning;
	bool tiled = from->kind == SW_SHARDING_TILED && to->kind == SW_SHARDING_TILED;
	int least = from->rank > to->rank ? from->rank : to->rank;
	bool found = false, is = false;
	if (!warning || warning->pair.shape_is != SW_LOG_PRINTED || !tiled)
		return false;
	for (int rank = warning->pair.rank; rank >= least && rank > 0 && !is; rank--) {
		sw_type tried;
		if (!shape_of_rank(run, from, to, rank, &tried, &is) || (found && !is))
			continue;
		*shape = tried;
		found = true;
	}
	if (found)
		say_shape(run, shape);
	return found;
}
