/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that define the problem: mesh, types, ends, settings.
 */
#include "answer/order.h"
#include "command/command.h"
#include "command/ends.h"
#include "command/foreign.h"
#include "command/import/warned.h"
#include "host/safe.h"
#include "session/walks.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

/* ---- the element type of both ends ---- */

/* What one end says holds for both; an end that says nothing goes on saying nothing. */
static void agree_element_types(sw_type *a, sw_type *b)
{
	const sw_type *said = a->dtype_given ? a : b->dtype_given ? b : NULL;
	sw_dtype dtype = said ? said->dtype : SW_F32;
	a->dtype = a->dtype_given ? a->dtype : dtype;
	b->dtype = b->dtype_given ? b->dtype : dtype;
}

/* One that has words is not padded, and the other one is not either then (check_padding). */
static void agree_ends(struct state *state)
{
	if (!state->from_words && !state->to_words)
		sw_uneven_agree(&state->from, &state->to);
	agree_element_types(&state->from, &state->to);
}

/* ---- the mesh ---- */

/* The same type over another mesh, or under another rule for uneven sizes: read anew from its text. */
static bool carry_type(struct session *session, const sw_mesh *old, struct any_type *type)
{
	sw_text text = {0};
	struct any_type read;
	sw_type_print_any(old, &type->type, type->words, type->type.dtype_given, &text);
	const sw_distribution_names names = {.rule = session_uneven(session), .pads = session_pads(session)};
	bool ok = sw_type_parse_any(&session->state.mesh, (sw_str){sw_text_get(&text), text.length}, &names,
		session->arena, &read.type, &read.words, NULL);
	sw_text_free(&text);
	if (ok && !read.type.dtype_given)
		read.type.dtype = type->type.dtype;
	if (ok)
		*type = read;
	return ok;
}

static void say_dropped(sw_text *dropped, const char *what)
{
	sw_text_addf(dropped, "%s%s", dropped->length ? ", " : "", what);
}

/* Named types that the new mesh still understands, older ones first; those that are hidden stay behind. */
static const struct named_type *carry_names(struct session *session, const struct named_type *types,
	const sw_mesh *old, sw_text *dropped)
{
	if (!types)
		return NULL;
	const struct named_type *older = carry_names(session, types->next, old, dropped);
	if (session_type(session, sw_str_of(types->name)) != types)
		return older;
	struct named_type *named = SW_NEW(session->arena, struct named_type, 1);
	if (!named)
		return older;
	*named = *types;
	named->next = older;
	if (named->failed || carry_type(session, old, &named->is))
		return named;
	say_dropped(dropped, named->name);
	return older;
}

/* A budget in elements or bytes stays what it was, whatever it was meant for. */
static void keep_budget(struct session *session)
{
	const struct setting_value *budget = &session->state.settings.value[SETTING_BUDGET];
	if (budget->size.unit != SIZE_ELEMENTS && budget->size.unit != SIZE_BYTES)
		return;
	session->state.old_budget = true;
	answer_remark(session,
		"the budget of the old mesh stays, %s: `budget 1x` is the larger tile of the two "
		"ends",
		budget->text);
}

static void forget_end(struct state *state, enum definition what)
{
	session_put_end(state, what, &(struct any_type){0});
	state->has[what] = false;
}

static void carry_end(struct session *session, const sw_mesh *old, enum definition what, sw_text *dropped)
{
	struct any_type end;
	if (!session_any_end(&session->state, what, &end))
		return;
	if (carry_type(session, old, &end)) {
		session_put_end(&session->state, what, &end);
		return;
	}
	forget_end(&session->state, what);
	say_dropped(dropped, what == DEFINED_FROM ? "from" : "to");
}

static void carry_over(struct session *session, const sw_mesh *old, const char *why)
{
	struct state *state = &session->state;
	sw_text dropped = {0};
	state->types = carry_names(session, state->types, old, &dropped);
	carry_end(session, old, DEFINED_FROM, &dropped);
	carry_end(session, old, DEFINED_TO, &dropped);
	if (session_has_end(state, DEFINED_FROM) && session_has_end(state, DEFINED_TO))
		agree_ends(state);
	if (session_walks_begun(state, 0))
		say_dropped(&dropped, "the walk");
	if (state->plan)
		say_dropped(&dropped, "the plan");
	if (state->hand)
		say_dropped(&dropped, "the steps by hand");
	session_drop_work(session);
	keep_budget(session);
	if (dropped.length)
		answer_remark(session, "dropped with %s: %s (`undo` brings them back)", why, sw_text_get(&dropped));
	sw_text_free(&dropped);
}

/* As many devices in another order: types stay, and plans do not. */
static bool is_reordered(const sw_mesh *old, const sw_mesh *mesh)
{
	return old->devices == mesh->devices && !sw_device_order_equal(old->order, mesh->order, mesh->devices);
}

void problem_put_mesh(struct session *session, const sw_mesh *mesh)
{
	if (session_set_mesh(session, mesh))
		answer_remark(session, "dropped with the old mesh: the system and its axes (`undo` brings them back)");
}

void problem_take_mesh(struct session *session, const sw_mesh *mesh)
{
	struct state *state = &session->state;
	sw_mesh old = state->mesh;
	bool had = state->has[DEFINED_MESH];
	problem_put_mesh(session, mesh);
	if (state->to_order || (had && is_reordered(&old, mesh)))
		session_drop_work(session);
	state->to_order = NULL;
	state->has[DEFINED_MESH] = true;
	state->failed[DEFINED_MESH] = 0;
	state->found_mesh = false;
	session_leave_ports(session);
	if (had && !sw_mesh_equal(&old, mesh))
		carry_over(session, &old, "the old mesh");
	if (session_hand(&session->state, true))
		state->hand = NULL;
}

bool problem_set_mesh(struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_mesh mesh;
	if (!read_any_mesh(run, text, &mesh, diag))
		return false;
	if (!sw_device_order_copy(mesh.order, mesh.devices, run->session->arena, &mesh.order))
		return sw_diag_memory(diag);
	if (!warned_new_mesh(run->session, &mesh, diag))
		return false;
	problem_take_mesh(run->session, &mesh);
	return true;
}

/* `mesh = jax.make_mesh(...)` is a line of a program. */
static sw_str without_sign(sw_str text)
{
	bool sign = text.length > 1 && *text.at == '=';
	return sign ? sw_str_trim((sw_str){text.at + 1, text.length - 1}) : text;
}

bool command_mesh(struct invocation *run, sw_diag *diag)
{
	if (!problem_set_mesh(run, mesh_without_name(without_sign(argument(run, 0)->raw)), diag))
		return false;
	warned_say_missing(run->session);
	return true;
}

/* ---- types ---- */

static bool is_name_byte(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && c >= '0' && c <= '9');
}

static size_t name_length(sw_str text)
{
	size_t length = 0;
	while (length < text.length && is_name_byte(text.at[length], length == 0))
		length++;
	return length;
}

static bool refuse_definition(const struct invocation *run, sw_str text, size_t at, sw_diag *diag)
{
	size_t end = at < text.length ? at + 1 : at;
	sw_diag_set(diag, SW_L02, (sw_span){at, end},
		at ? "'=' is missing after the name" : "a type's name starts with a letter");
	sw_diag_expected(diag, "NAME = TYPE");
	if (at < text.length)
		sw_diag_found(diag, "'%c'", text.at[at]);
	sw_diag_hint(diag, "for instance: type rows = [3{x}12, 12]");
	return refuse_at(run, text, diag);
}

static bool refuse_word_as_name(const struct invocation *run, sw_str name, sw_diag *diag)
{
	sw_diag_set(diag, SW_T12, (sw_span){0, name.length},
		"'%.*s' is a word used after types, not the name of a "
		"type",
		AS_SHOWN(name));
	sw_diag_expected(diag, "another name");
	sw_diag_hint(diag, "for instance: type %.*s_ = [3{x}12, 12]", AS_SHOWN(name));
	return refuse_at(run, name, diag);
}

/* Has it numbers of devices and no names of axes? */
static bool is_numbered(sw_str text)
{
	sw_notation notation = sw_notation_guess(text);
	return notation == SW_NOTATION_HLO || notation == SW_NOTATION_HLO_LIST;
}

/* A type; a text that says over which devices it is brings the mesh where none is defined. */
static bool read_with_mesh(struct invocation *run, sw_str text, struct any_type *type, sw_diag *diag)
{
	struct state *state = &run->session->state, before = *state;
	sw_mesh mesh = {0};
	bool lacks = !state->has[DEFINED_MESH] && !state->failed[DEFINED_MESH];
	if (lacks && written_as(run->session, text) == WRITTEN_AS_SHARDING && !read_own_mesh(run, text, &mesh, diag))
		return false;
	if (!mesh.count)
		return read_any_type(run, text, run->session->arena, type, diag);
	problem_take_mesh(run->session, &mesh);
	state->found_mesh = is_numbered(text);
	if (!read_any_type(run, text, run->session->arena, type, diag)) {
		*state = before;
		return false;
	}
	sw_text words = {0};
	sw_mesh_print(&mesh, &words);
	answer_remark(run->session, "mesh %s comes with it", sw_text_get(&words));
	sw_text_free(&words);
	return true;
}

/* A named type as a row of the list. */
struct listed_type {
	const char *name;
	const struct any_type *is;
};

static void print_listed(const struct row_at *at, sw_text *text)
{
	const struct any_type *is = ((const struct listed_type *)at->row)->is;
	sw_type_print_any(at->mesh, &is->type, is->words, is->type.dtype_given, text);
}

static const struct row_column listed_columns[] = {
	ROW_AT("name", "name", WORD, struct listed_type, name, .role = ROLE_LABEL),
	ROW_BY("type", "type", TEXT, .print = print_listed, .role = ROLE_TYPE),
};

static bool answer_types(const struct invocation *run, const struct listed_type *row, int count, sw_diag *diag)
{
	struct rows rows = ROWS_OF(listed_columns, row, count, .mesh = &run->session->state.mesh, .narrow = true);
	return rows_answer(&rows, run->answer, NULL, "types", diag);
}

/* Older ones first, each name once. */
static bool list_types(const struct invocation *run, sw_diag *diag)
{
	const struct session *session = run->session;
	int count = 0, last;
	for (const struct named_type *type = session->state.types; type; type = type->next)
		count++;
	struct listed_type *row = SW_NEW(run->arena, struct listed_type, count);
	if (!row)
		return sw_diag_memory(diag);
	last = count;
	for (const struct named_type *type = session->state.types; type; type = type->next)
		if (!type->failed && session_type(session, sw_str_of(type->name)) == type)
			row[--last] = (struct listed_type){type->name, &type->is};
	if (last == count)
		document_line(run->answer, "no type has a name yet: type NAME = TYPE gives one");
	return last == count || answer_types(run, row + last, count - last, diag);
}

/* The type of this name alone; NULL: there is none. */
static const struct named_type *type_alone(const struct session *session, sw_str name)
{
	const struct named_type *named = session_type(session, name);
	return named && !named->failed ? named : NULL;
}

bool command_type(struct invocation *run, sw_diag *diag)
{
	if (!argument(run, 0))
		return list_types(run, diag);
	sw_str text = argument(run, 0)->raw;
	size_t length = name_length(text);
	if (!length || length >= SW_NAME_SIZE)
		return refuse_definition(run, text, 0, diag);
	size_t equals = length;
	while (equals < text.length && strchr(" \t", text.at[equals]))
		equals++;
	const struct named_type *alone = equals == text.length ? type_alone(run->session, text) : NULL;
	if (alone)
		return answer_types(run, &(struct listed_type){alone->name, &alone->is}, 1, diag);
	if (equals == text.length || text.at[equals] != '=')
		return refuse_definition(run, text, equals, diag);
	sw_str value = sw_str_trim((sw_str){text.at + equals + 1, text.length - equals - 1});
	struct any_type type;
	if (sw_distribution_is_word((sw_str){text.at, length}))
		return refuse_word_as_name(run, (sw_str){text.at, length}, diag);
	return read_with_mesh(run, value, &type, diag) &&
		session_name_type(run->session, (sw_str){text.at, length}, &type, 0, diag);
}

static bool set_shape(struct invocation *run, sw_str text, sw_diag *diag)
{
	struct state *state = &run->session->state;
	sw_mesh none = {0};
	sw_type shape;
	if (!sw_type_parse_as(&none, text, session_pads(run->session), &shape, diag))
		return refuse_at(run, text, diag);
	state->shape = shape;
	state->has[DEFINED_SHAPE] = true;
	state->failed[DEFINED_SHAPE] = 0;
	return true;
}

static void drop_unfit(struct session *session, enum definition what, const sw_type *type, const sw_type *like,
	const char *name)
{
	struct state *state = &session->state;
	if (!session_has_end(state, what) || sw_uneven_same_array(like, type, NULL))
		return;
	state->has[what] = false;
	*(what == DEFINED_FROM ? &state->from_words : &state->to_words) = NULL;
	bool sizes = type->rank == like->rank;
	for (int d = 0; sizes && d < type->rank; d++)
		sizes = sw_type_size(type, d) == sw_type_size(like, d);
	answer_remark(session, "dropped: %s, an array of another %s", name, sizes ? "element type" : "shape");
}

/* Ends that say no element type take that of the shape.  Does one change? */
static bool follow_shape(sw_type *end, const sw_type *shape)
{
	sw_dtype before = end->dtype;
	if (!end->dtype_given && shape->dtype_given)
		end->dtype = shape->dtype;
	return end->dtype != before;
}

bool command_shape(struct invocation *run, sw_diag *diag)
{
	struct state *state = &run->session->state;
	if (!set_shape(run, argument(run, 0)->raw, diag))
		return false;
	drop_unfit(run->session, DEFINED_FROM, &state->from, &state->shape, "from");
	drop_unfit(run->session, DEFINED_TO, &state->to, &state->shape, "to");
	bool from = follow_shape(&state->from, &state->shape), to = follow_shape(&state->to, &state->shape);
	if (!session_has_end(state, DEFINED_FROM) || !session_has_end(state, DEFINED_TO) || from || to)
		session_drop_work(run->session);
	return true;
}

static void say_padding(struct session *session)
{
	struct state *state = &session->state;
	sw_text words = {0};
	sw_uneven_explain(&state->from, &state->to, "; ", &words);
	if (words.length)
		answer_remark(session, "%s", sw_text_get(&words));
	sw_text_free(&words);
}

/* Padding is about tiles: an end that has words goes with one that is not padded.  T04 at the text. */
static bool check_padding(const struct invocation *run, sw_str text, const struct any_type *a,
	const struct any_type *b, sw_diag *diag)
{
	sw_type first = a->type, second = b->type;
	return sw_type_agree_any(&first, a->words, &second, b->words, diag) || refuse_at(run, text, diag);
}

static void define_end(struct session *session, enum definition what, const struct any_type *type)
{
	struct state *state = &session->state;
	struct any_type before, now;
	bool had = session_any_end(state, what, &before);
	session_put_end(state, what, type);
	if (session_has_end(state, what == DEFINED_FROM ? DEFINED_TO : DEFINED_FROM))
		agree_ends(state);
	session_any_end(state, what, &now);
	bool same = had && !before.words && !now.words && session_same_type(&before.type, &now.type);
	state->failed[what] = 0;
	state->ends_of = ENDS_OF_NOTHING;
	state->subject = SUBJECT_PROBLEM;
	if (!same || state->to_order || state->via)
		session_drop_work(session);
	state->to_order = NULL;
}

void problem_take_from(struct invocation *run, const struct any_type *type)
{
	warned_before_ends(run->session);
	drop_unfit(run->session, DEFINED_TO, &run->session->state.to, &type->type, "to");
	define_end(run->session, DEFINED_FROM, type);
}

bool command_from(struct invocation *run, sw_diag *diag)
{
	struct state *state = &run->session->state;
	struct any_type type, to;
	sw_str text = argument(run, 0)->raw;
	warned_before_ends(run->session);
	if (!read_with_mesh(run, text, &type, diag))
		return false;
	drop_unfit(run->session, DEFINED_TO, &state->to, &type.type, "to");
	if (session_any_end(state, DEFINED_TO, &to) && !check_padding(run, text, &type, &to, diag))
		return false;
	define_end(run->session, DEFINED_FROM, &type);
	return warned_after_ends(run->session, run->arena, diag);
}

bool command_to(struct invocation *run, sw_diag *diag)
{
	struct state *state = &run->session->state;
	sw_str text = argument(run, 0)->raw;
	struct any_type type, from;
	warned_before_ends(run->session);
	if (!read_with_mesh(run, text, &type, diag))
		return false;
	bool other = session_any_end(state, DEFINED_FROM, &from);
	if (other && !sw_uneven_same_array(&from.type, &type.type, diag)) {
		diag->at = diag->also = (sw_span){0, 0};
		sw_diag_hint(diag, "give `from` first, then `to` of the same array");
		return refuse_at(run, text, diag);
	}
	if (other && !check_padding(run, text, &from, &type, diag))
		return false;
	define_end(run->session, DEFINED_TO, &type);
	if (other)
		say_padding(run->session);
	return warned_after_ends(run->session, run->arena, diag);
}

/* ---- both ends at once ---- */

static bool is_bracketed(sw_str text)
{
	return memchr(text.at, '[', text.length) != NULL;
}

/* One side of the arrow is empty: often a shell took the words apart. */
static bool refuse_side(const struct invocation *run, sw_str arrow, bool left, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "there is no type %s the arrow", left ? "before" : "after");
	sw_diag_expected(diag, "FROM ~> TO, such as [3{x}12, 12] ~> [12, 3{x}12]");
	sw_diag_hint(diag, "write both types in one statement; in a shell, put it in quotes");
	return refuse_at(run, arrow, diag);
}

/* Both are read at once where they can be told apart by their brackets, so that an error has the places of both. */
static bool read_literals(struct invocation *run, const struct ends *ends, struct any_type *from, struct any_type *to,
	sw_diag *diag)
{
	sw_problem problem;
	struct names_here here;
	sw_str text = {ends->from.at, (size_t)(ends->to.at + ends->to.length - ends->from.at)};
	if (!sw_problem_parse_any(&run->session->state.mesh, text, session_pads(run->session),
			names_here(run, run->session->arena, &here), run->session->arena, &problem, diag))
		return refuse_at(run, text, diag);
	*from = (struct any_type){problem.from, problem.from_words};
	*to = (struct any_type){problem.to, problem.to_words};
	return fit_shape(run, ends->from, &from->type, diag) && fit_shape(run, ends->to, &to->type, diag);
}

static bool read_ends(struct invocation *run, const struct ends *ends, struct any_type *from, struct any_type *to,
	sw_diag *diag)
{
	sw_arena *arena = run->session->arena;
	if (ends->arrow.length && (!ends->from.length || !ends->to.length))
		return refuse_side(run, ends->arrow, !ends->from.length, diag);
	if (!ends->arrow.length || (is_bracketed(ends->from) && is_bracketed(ends->to)))
		return read_literals(run, ends, from, to, diag);
	if (!read_any_type(run, ends->from, arena, from, diag) || !read_any_type(run, ends->to, arena, to, diag))
		return false;
	if (sw_uneven_same_array(&from->type, &to->type, diag))
		return check_padding(run, ends->to, from, to, diag);
	sw_diag_also(diag, line_span(run->position->text, ends->from), "this is another array");
	diag->at = line_span(run->position->text, ends->to);
	return false;
}

static bool take_order(struct session *session, const sw_problem *problem, sw_diag *diag)
{
	if (!sw_problem_ordered(problem))
		return true;
	session_drop_work(session);
	return session_keep_orders(session, problem, diag);
}

bool problem_take(struct invocation *run, const sw_problem *problem, bool found_mesh, sw_diag *diag)
{
	struct state *state = &run->session->state;
	sw_mesh old = state->mesh;
	bool had = state->has[DEFINED_MESH];
	problem_put_mesh(run->session, &problem->mesh);
	state->found_mesh = found_mesh;
	session_leave_ports(run->session);
	state->has[DEFINED_MESH] = true;
	state->failed[DEFINED_MESH] = 0;
	if (had && !sw_mesh_equal(&old, &problem->mesh))
		carry_over(run->session, &old, "the old mesh");
	if (had && is_reordered(&old, &problem->mesh))
		session_drop_work(run->session);
	define_end(run->session, DEFINED_FROM, &(struct any_type){problem->from, problem->from_words});
	define_end(run->session, DEFINED_TO, &(struct any_type){problem->to, problem->to_words});
	say_padding(run->session);
	return take_order(run->session, problem, diag);
}

static bool redistribute_foreign(struct invocation *run, const struct ends *ends, sw_diag *diag)
{
	struct state *state = &run->session->state;
	struct state before = *state;
	sw_problem problem;
	bool found_mesh;
	if ((ends->shape.length && !set_shape(run, ends->shape, diag)) ||
		!read_foreign_ends(run, ends->from, ends->to, &problem, &found_mesh, diag)) {
		*state = before;
		return false;
	}
	return problem_take(run, &problem, found_mesh, diag) && warned_after_ends(run->session, run->arena, diag);
}

static bool redistribute_pair(struct invocation *run, sw_str text, sw_diag *diag)
{
	struct ends ends;
	struct state *state = &run->session->state;
	struct any_type from, to;
	ends_cut(run->session, text, run->arena, &ends);
	if (ends.mesh.length && !problem_set_mesh(run, ends.mesh, diag))
		return false;
	warned_before_ends(run->session);
	bool words = sw_notation_has_words(sw_notation_guess(ends.from)) ||
		sw_notation_has_words(sw_notation_guess(ends.to));
	if (ends.foreign && !(words && state->has[DEFINED_MESH]))
		return redistribute_foreign(run, &ends, diag);
	if (!session_need(run->session, DEFINED_MESH, diag))
		return false;
	struct state before = *state;
	if ((ends.shape.length && !set_shape(run, ends.shape, diag)) || !read_ends(run, &ends, &from, &to, diag)) {
		*state = before;
		return false;
	}
	if (!from.words && !to.words)
		sw_type_agree(&from.type, &to.type);
	define_end(run->session, DEFINED_FROM, &from);
	define_end(run->session, DEFINED_TO, &to);
	say_padding(run->session);
	return warned_after_ends(run->session, run->arena, diag);
}

/* ---- through stops ---- */

/* What was the end becomes the last stop, and `text` the end. */
static bool go_further(struct invocation *run, sw_str text, const struct stop **via, sw_diag *diag)
{
	struct session *session = run->session;
	struct state *state = &session->state;
	struct stop *stop = SW_NEW(session->arena, struct stop, 1);
	sw_type type;
	if (!stop)
		return sw_diag_memory(diag);
	if (!sw_str_trim(text).length)
		return refuse_side(run, text, false, diag);
	if (!read_type(run, text, &type, diag))
		return false;
	if (!sw_uneven_same_array(&state->from, &type, diag)) {
		diag->also = (sw_span){0, 0};
		return refuse_at(run, sw_str_trim(text), diag);
	}
	stop->type = state->to;
	stop->before = *via;
	*via = stop;
	define_end(session, DEFINED_TO, &(struct any_type){.type = type});
	return true;
}

/* All parts of a chain lie on the same devices, and none is padded. */
static bool check_chain(const struct invocation *run, sw_str text, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	if (!session_need(run->session, DEFINED_FROM, diag) || !session_need(run->session, DEFINED_TO, diag))
		return refuse_at(run, text, diag);
	bool moves = state->to_order && !sw_device_order_equal(state->mesh.order, state->to_order, state->mesh.devices);
	if (!moves && !sw_type_padded(&state->from) && !sw_type_padded(&state->to))
		return true;
	sw_diag_set(diag, SW_S02, (sw_span){0, 0},
		moves ? "a chain cannot change the order of devices on the way" : "a chain of padded arrays is not planned");
	sw_diag_hint(diag, "plan each leg separately: A ~> B, then B ~> C");
	return refuse_at(run, text, diag);
}

/* `A ~> B ~> C`: the first leg is a problem like any other, and each further type makes its end a stop. */
static bool redistribute_chain(struct invocation *run, sw_str text, sw_str second, sw_diag *diag)
{
	const struct stop *via = NULL;
	if (!redistribute_pair(run, (sw_str){text.at, (size_t)(second.at - text.at)}, diag) ||
		!check_chain(run, text, diag))
		return false;
	for (sw_str arrow = second; arrow.length;) {
		sw_str rest = ends_behind(text, arrow), next = ends_stop(rest);
		if (!go_further(run, (sw_str){rest.at, (size_t)(next.at - rest.at)}, &via, diag) ||
			!check_chain(run, text, diag))
			return false;
		text = rest;
		arrow = next;
	}
	run->session->state.via = via;
	return true;
}

bool problem_set_ends(struct invocation *run, sw_str text, sw_diag *diag)
{
	return redistribute_pair(run, text, diag);
}

bool command_redistribute(struct invocation *run, sw_diag *diag)
{
	sw_str text = argument(run, 0)->raw, first = ends_stop(text);
	sw_str second = first.length ? ends_stop(ends_behind(text, first)) : first;
	return second.length ? redistribute_chain(run, text, second, diag) : redistribute_pair(run, text, diag);
}

/* ---- settings ---- */

static void list_settings(const struct invocation *run)
{
	static const struct column columns[] = {COLUMN_LEFT("setting", ROLE_LABEL), COLUMN_LEFT("value", ROLE_NUMBER),
		COLUMN_LEFT("default", ROLE_DIM), COLUMN_LEFT("meaning", ROLE_TEXT), {0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < SETTING_COUNT; i++) {
		sw_text meaning = {0};
		table_add(table, "%s", setting_rows[i].name);
		table_add(table, "%s", run->session->state.settings.value[i].text);
		table_add(table, "%s", setting_rows[i].initial);
		sw_text_addf(&meaning, "%s (", setting_rows[i].about);
		setting_print_range((enum setting)i, &meaning);
		sw_text_add_char(&meaning, ')');
		table_add_text(table, &meaning);
	}
}

/* What was padded is refused now, and what follows may be padded. */
static void change_uneven(struct session *session)
{
	struct state *state = &session->state;
	const sw_mesh mesh = state->mesh;
	bool padded = (state->has[DEFINED_FROM] && sw_type_padded(&state->from)) ||
		(state->has[DEFINED_TO] && sw_type_padded(&state->to));
	for (const struct named_type *named = state->types; named; named = named->next)
		padded |= !named->failed && sw_type_padded(&named->is.type);
	if (padded)
		carry_over(session, &mesh, "the padding");
}

static bool change_setting(struct invocation *run, enum setting setting, const struct word *word, sw_diag *diag)
{
	struct session *session = run->session;
	struct setting_value value;
	if (!read_setting(run, word, setting, &value, diag))
		return false;
	if (setting == SETTING_SAFE && value.number)
		safe_begin();
	else if (setting == SETTING_SAFE && safe_refuses(diag, "'safe' stays on"))
		return false;
	session->state.settings.value[setting] = value;
	if (setting == SETTING_BUDGET)
		session->state.old_budget = false;
	if (setting == SETTING_UNEVEN)
		change_uneven(session);
	for (int ended = session_steer_walks(session, setting); ended > 0; ended--)
		answer_remark(session, "the walk starts over: '%s' has changed", setting_rows[setting].name);
	answer_dress(session);
	return true;
}

/* `set NAME = VALUE` is `set NAME VALUE`. */
static struct word without_equals(const struct word *word)
{
	struct word value = *word;
	if (value.text.length && *value.text.at == '=') {
		value.raw = value.text = sw_str_trim((sw_str){value.text.at + 1, value.text.length - 1});
	}
	return value;
}

bool command_set(struct invocation *run, sw_diag *diag)
{
	const struct word *name = argument(run, 0), *value = argument(run, 1);
	if (!name) {
		list_settings(run);
		return true;
	}
	enum setting setting = setting_named(name->text, diag);
	if (setting == SETTING_COUNT)
		return refuse_at(run, name->raw, diag);
	if (value) {
		struct word word = without_equals(value);
		return change_setting(run, setting, &word, diag);
	}
	sw_text range = {0};
	setting_print_range(setting, &range);
	document_say(run->answer, 0, "%s = %s   (%s; %s)", setting_rows[setting].name,
		run->session->state.settings.value[setting].text, setting_rows[setting].about, sw_text_get(&range));
	sw_text_free(&range);
	return true;
}

bool command_budget(struct invocation *run, sw_diag *diag)
{
	return change_setting(run, SETTING_BUDGET, argument(run, 0), diag);
}

bool command_model(struct invocation *run, sw_diag *diag)
{
	return change_setting(run, SETTING_MODEL, argument(run, 0), diag);
}
