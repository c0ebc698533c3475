/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions: state, snapshots, results.
 */
#include "session/session.h"

#include <shardwalk/between.h>
#include "session/machine.h"
#include "host/safe.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool session_init(struct session *session, struct console *console)
{
	*session = (struct session){.status = -1, .console = console};
	session->arena = sw_arena_new();
	settings_init(&session->state.settings);
	return session->arena != NULL;
}

/* ---- holding ---- */

static void plan_release(struct kept_plan *kept)
{
	assert(kept == NULL || kept->holders > 0);
	if (kept && --kept->holders == 0)
		sw_arena_free(kept->arena); /* `kept` itself lives in it */
}

static void walk_release(struct kept_walk *kept)
{
	assert(kept == NULL || kept->holders > 0);
	if (!kept || --kept->holders)
		return;
	sw_walk_free(kept->walk);
	free(kept);
}

struct held_plan {
	struct held_plan *before;
	struct kept_plan *plan;
};

void session_hold_chosen(struct session *session, struct kept_plan *plan)
{
	struct held_plan *held = SW_NEW(session->arena, struct held_plan, 1);
	if (!held)
		return; /* it is never released */
	*held = (struct held_plan){session->chosen, plan};
	session->chosen = held;
}

void session_hold(struct state *state)
{
	if (state->outside)
		state->outside->holders++;
	if (state->plan)
		state->plan->holders++;
	for (int kind = 0; kind < SW_WALK_KINDS; kind++)
		if (state->walks[kind])
			state->walks[kind]->holders++;
}

void session_release(struct state *state)
{
	struct outside *outside = state->outside;
	assert(outside == NULL || outside->holders > 0);
	state->outside = NULL;
	if (outside && --outside->holders == 0) {
		session_release(&outside->state);
		free(outside);
	}
	plan_release(state->plan);
	state->plan = NULL;
	for (int kind = 0; kind < SW_WALK_KINDS; kind++) {
		walk_release(state->walks[kind]);
		state->walks[kind] = NULL;
	}
}

void session_drop_plan(struct session *session)
{
	plan_release(session->state.plan);
	session->state.plan = NULL;
}

void session_drop_walk(struct session *session, sw_walk_kind kind)
{
	assert((unsigned)kind < SW_WALK_KINDS);
	struct state *state = &session->state;
	walk_release(state->walks[kind]);
	state->walks[kind] = NULL;
	state->has_focus = state->has_focus && state->walked != kind;
}

bool session_walks_begun(const struct state *state, int from)
{
	bool begun = false;
	for (int kind = from; kind < SW_WALK_KINDS; kind++)
		begun = begun || state->walks[kind];
	return begun;
}

void session_keep_walk(struct session *session, struct kept_walk *walk)
{
	session_drop_walk(session, walk->kind);
	session->state.walks[walk->kind] = walk;
	walk->holders++;
	if (!walk->number)
		walk->number = ++session->walk_count;
}

void session_walk_on(struct session *session, sw_walk_kind kind)
{
	assert((unsigned)kind < SW_WALK_KINDS);
	struct state *state = &session->state;
	state->has_focus = state->has_focus && state->walked == kind;
	state->walked = kind;
}

static void run_release(struct session *session, struct kept_run *kept)
{
	if (!kept)
		return;
	if (session->last_run == kept)
		session->last_run = NULL;
	sw_arena_free(kept->arena);
}

/* The next result's number; what stood in its place is forgotten. */
static int next_result(struct session *session)
{
	int number = ++session->result_count, index = number % SESSION_RESULTS;
	plan_release(session->results[index]);
	run_release(session, session->runs[index]);
	session->results[index] = NULL;
	session->runs[index] = NULL;
	return number;
}

static void keep_result(struct session *session, struct kept_plan *kept)
{
	kept->number = next_result(session);
	session->results[kept->number % SESSION_RESULTS] = kept;
	kept->holders++;
}

bool session_keep_run(struct session *session, sw_arena *arena, const struct records *records)
{
	struct kept_run *kept = SW_NEW_ZERO(arena, struct kept_run, 1);
	if (!kept) {
		sw_arena_free(arena);
		return false;
	}
	kept->arena = arena;
	kept->records = *records;
	kept->number = next_result(session);
	session->runs[kept->number % SESSION_RESULTS] = session->last_run = kept;
	return true;
}

void session_ran_ways(struct session *session, const char *key)
{
	assert(session->last_run != NULL);
	struct kept_run *last = session->last_run;
	last->ways = sw_arena_copy(last->arena, key, strlen(key));
}

void session_ran_formula(struct session *session, const char *key, const char *plan)
{
	assert(session->last_run != NULL && plan != NULL);
	struct kept_run *last = session->last_run;
	struct run_formula *formula = SW_NEW(last->arena, struct run_formula, 1);
	if (formula == NULL)
		return;
	*formula = (struct run_formula){.key = sw_arena_copy(last->arena, key, strlen(key)),
		.plan = sw_arena_copy(last->arena, plan, strlen(plan)),
		.next = last->computed};
	if (formula->key != NULL && formula->plan != NULL)
		last->computed = formula;
}

static bool is_kept(const struct session *session, int64_t number)
{
	return number >= 1 && number <= session->result_count && number > session->result_count - SESSION_RESULTS;
}

const struct kept_run *session_run(const struct session *session, int64_t number)
{
	return is_kept(session, number) ? session->runs[number % SESSION_RESULTS] : NULL;
}

const struct kept_run *session_run_of_formula(const struct session *session, const char *key, const char **plan)
{
	for (int64_t number = session->result_count; is_kept(session, number); number--) {
		const struct kept_run *run = session_run(session, number);
		const struct run_formula *formula = run != NULL ? run->computed : NULL;
		while (formula != NULL && strcmp(formula->key, key) != 0)
			formula = formula->next;
		if (formula != NULL) {
			*plan = formula->plan;
			return run;
		}
	}
	return NULL;
}

void session_keep_plan(struct session *session, sw_arena *arena, const sw_plan *plan)
{
	struct kept_plan *kept = SW_NEW_ZERO(arena, struct kept_plan, 1);
	if (!kept) {
		sw_arena_free(arena);
		return;
	}
	kept->arena = arena;
	kept->plan = *plan;
	kept->holders = 1;
	session_drop_plan(session);
	session->state.plan = kept;
	session->state.subject = SUBJECT_PROBLEM;
	keep_result(session, kept);
}

const struct kept_plan *session_result(const struct session *session, int64_t number)
{
	return is_kept(session, number) ? session->results[number % SESSION_RESULTS] : NULL;
}

void session_forget_result(struct session *session, int64_t number)
{
	assert(number >= 0);
	if (session_result(session, number) == NULL)
		return;
	plan_release(session->results[number % SESSION_RESULTS]);
	session->results[number % SESSION_RESULTS] = NULL;
}

static struct kept_plan *keeps(const struct session *session, const sw_plan *plan)
{
	if (session->state.plan != NULL && &session->state.plan->plan == plan)
		return session->state.plan;
	for (int i = 0; i < SESSION_RESULTS; i++)
		if (session->results[i] != NULL && &session->results[i]->plan == plan)
			return session->results[i];
	return NULL;
}

const sw_owners *session_owners(const struct session *session, const sw_plan *plan)
{
	struct kept_plan *kept = keeps(session, plan);
	if (kept != NULL && kept->owners == NULL)
		kept->owners = sw_owners_of_plan(&kept->plan, kept->arena, NULL);
	return kept != NULL ? kept->owners : NULL;
}

/* ---- going back ---- */

static void snapshot_free(struct snapshot *snapshot)
{
	session_release(&snapshot->state);
	free(snapshot);
}

bool session_remember(struct session *session, sw_str statement, sw_diag *diag)
{
	if (session->tries > 0)
		return true;
	struct snapshot *snapshot = malloc(sizeof(*snapshot));
	if (!snapshot)
		return sw_diag_memory(diag);
	snapshot->state = session->state;
	session_hold(&snapshot->state);
	snprintf(snapshot->statement, sizeof(snapshot->statement), "%.*s",
		(int)(statement.length < 79 ? statement.length : 79), statement.at);
	if (session->undo_count == SESSION_UNDO) {
		snapshot_free(session->undo[0]);
		memmove(session->undo, session->undo + 1, (SESSION_UNDO - 1) * sizeof(*session->undo));
		session->undo_count--;
	}
	session->undo[session->undo_count++] = snapshot;
	return true;
}

void session_try(struct session *session, struct state *before)
{
	assert(session->tries >= 0);
	*before = session->state;
	session_hold(before);
	session->tries++;
}

void session_try_end(struct session *session, struct state *before)
{
	assert(session->tries > 0);
	session_release(&session->state);
	session->state = *before;
	session->tries--;
}

static void forget_undone(struct session *session)
{
	while (session->redo_count)
		snapshot_free(session->redo[--session->redo_count]);
}

static void session_forget(struct session *session)
{
	if (session->undo_count)
		snapshot_free(session->undo[--session->undo_count]);
}

bool session_same_type(const sw_type *a, const sw_type *b)
{
	return sw_type_equal(a, b) && a->padding == b->padding;
}

static bool said_alike(const sw_type *a, const sw_type *b)
{
	return session_same_type(a, b) && a->dtype_given == b->dtype_given;
}

static bool same_definitions(const struct state *a, const struct state *b)
{
	return memcmp(a->has, b->has, sizeof(a->has)) == 0 && memcmp(a->failed, b->failed, sizeof(a->failed)) == 0 &&
		(!a->has[DEFINED_MESH] || sw_mesh_equal(&a->mesh, &b->mesh)) &&
		(!a->has[DEFINED_SHAPE] || said_alike(&a->shape, &b->shape)) &&
		(!a->has[DEFINED_FROM] || said_alike(&a->from, &b->from)) &&
		(!a->has[DEFINED_TO] || said_alike(&a->to, &b->to)) && a->mesh.order == b->mesh.order &&
		a->from_words == b->from_words && a->to_words == b->to_words && a->to_order == b->to_order &&
		a->types == b->types && a->warning == b->warning && a->left_out == b->left_out && a->ends_of == b->ends_of &&
		a->via == b->via && a->program == b->program && a->formula == b->formula && a->tasks == b->tasks &&
		a->schedule == b->schedule && a->params == b->params && a->chosen == b->chosen && a->entered == b->entered &&
		a->entered_level == b->entered_level && a->entered_step == b->entered_step && a->placing == b->placing;
}

static bool same_place(const struct state *a, const struct state *b)
{
	return a->hand == b->hand && a->plan == b->plan && memcmp(a->walks, b->walks, sizeof(a->walks)) == 0 &&
		a->walked == b->walked && a->has_focus == b->has_focus &&
		(!a->has_focus || memcmp(a->focus, b->focus, sizeof(a->focus)) == 0);
}

static bool same_state(const struct state *a, const struct state *b)
{
	return same_definitions(a, b) && same_place(a, b) && settings_equal(&a->settings, &b->settings);
}

/* Puts the last snapshot back, for good. */
static void restore(struct session *session)
{
	struct snapshot *snapshot = session->undo[--session->undo_count];
	session_release(&session->state);
	session->state = snapshot->state;
	free(snapshot);
}

/* The state before a statement becomes the present one, and this one stands in its snapshot: or the other way round. */
static void exchange_state(struct session *session, struct snapshot *snapshot)
{
	struct state state = session->state;
	session->state = snapshot->state;
	snapshot->state = state;
	if (safe_is_on()) /* which nothing takes back */
		setting_read(SETTING_SAFE, sw_str_of("on"), &session->state.settings.value[SETTING_SAFE], NULL);
}

void session_commit(struct session *session, bool ok)
{
	assert(session->undo_count >= 0 && session->undo_count <= SESSION_UNDO);
	if (!session->undo_count)
		return;
	if (!ok)
		restore(session);
	else if (same_state(&session->state, &session->undo[session->undo_count - 1]->state))
		session_forget(session);
	else
		forget_undone(session);
}

bool session_undo(struct session *session, char what[80], sw_diag *diag)
{
	if (!session->undo_count) {
		sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "nothing to undo");
		sw_diag_hint(diag, "definitions, settings, plans and `apply` can be undone, the last %d of them",
			SESSION_UNDO);
		return false;
	}
	struct snapshot *snapshot = session->undo[--session->undo_count];
	exchange_state(session, snapshot);
	session->redo[session->redo_count++] = snapshot;
	memcpy(what, snapshot->statement, sizeof(snapshot->statement));
	return true;
}

bool session_redo(struct session *session, char what[80], sw_diag *diag)
{
	if (!session->redo_count) {
		sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "nothing to redo");
		sw_diag_hint(diag, "`redo` takes back `undo`, until something else changes");
		return false;
	}
	struct snapshot *snapshot = session->redo[--session->redo_count];
	exchange_state(session, snapshot);
	session->undo[session->undo_count++] = snapshot;
	memcpy(what, snapshot->statement, sizeof(snapshot->statement));
	return true;
}

struct place *session_place(const struct session *session)
{
	struct place *place = malloc(sizeof(*place));
	if (!place)
		return NULL;
	place->state = session->state;
	for (int kind = 0; kind < SW_WALK_KINDS; kind++)
		place->settled[kind] = place->state.walks[kind] ? sw_walk_settled(place->state.walks[kind]->walk) : 0;
	session_hold(&place->state);
	return place;
}

void session_place_free(struct place *place)
{
	if (place)
		session_release(&place->state);
	free(place);
}

/* A walk is one, however many hold it: it goes on, or back, to where it stood. */
static void walk_return(sw_walk *walk, int settled)
{
	sw_diag ignored;
	while (sw_walk_settled(walk) > settled && sw_walk_back(walk, &ignored))
		continue;
	while (sw_walk_settled(walk) < settled && sw_walk_step(walk, &ignored))
		continue;
}

bool session_return(struct session *session, const struct place *place, const char *statement, sw_diag *diag)
{
	if (!session_remember(session, sw_str_of(statement), diag))
		return false;
	session_release(&session->state);
	session->state = place->state;
	session_hold(&session->state);
	for (int kind = 0; kind < SW_WALK_KINDS; kind++)
		if (session->state.walks[kind])
			walk_return(session->state.walks[kind]->walk, place->settled[kind]);
	session_commit(session, true);
	return true;
}

void session_keep_moments(struct session *session, struct kept_moments *moments)
{
	if (session->moments)
		sw_arena_free(session->moments->arena);
	session->moments = moments;
}

void session_keep_picture(struct session *session, struct kept_picture *picture)
{
	session_keep_moments(session, NULL);
	if (session->picture_kept)
		sw_arena_free(session->picture_kept->arena);
	session->picture_kept = picture;
}

void session_end(struct session *session)
{
	while (session->undo_count)
		session_forget(session);
	forget_undone(session);
	for (int i = 0; i < SESSION_RESULTS; i++) {
		plan_release(session->results[i]);
		run_release(session, session->runs[i]);
	}
	session_place_free(session->aside);
	session_release(&session->state);
	for (struct held_plan *held = session->chosen; held; held = held->before)
		plan_release(held->plan);
	session_keep_picture(session, NULL);
	if (session->pareto_set)
		sw_arena_free(session->pareto_set->arena);
	if (session->compared)
		sw_arena_free(session->compared->arena);
	if (session->imports)
		sw_arena_free(session->imports->arena);
	if (session->placements)
		sw_arena_free(session->placements->arena);
	for (const struct kept_contexts *kept = session->contexts; kept; kept = kept->before)
		sw_contexts_free(kept->contexts);
	sw_arena_free(session->arena);
}

/* ---- what commands need ---- */

static const struct {
	const char *name, *hint;
} definitions[DEFINITION_COUNT] = {
	[DEFINED_MESH] = {"mesh", "for instance: mesh {x: 4, y: 6}"},
	[DEFINED_SHAPE] = {"shape", "for instance: shape f32[12,12]"},
	[DEFINED_FROM] = {"from", NULL}, /* of the mesh that is there */
	[DEFINED_TO] = {"to", NULL},
};

/* Dimension i is cut by axis i + shift, counted in a circle, where that divides it. */
static void example_type(const sw_mesh *mesh, int rank, const int64_t *global, int shift, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int i = 0; i < rank; i++) {
		int axis = (i + shift) % (rank > mesh->count ? rank : mesh->count);
		int64_t size = axis < mesh->count ? mesh->axis[axis].size : 0;
		sw_text_add(text, i ? ", " : "");
		if (size > 1 && global[i] % size == 0)
			sw_text_addf(text, "%lld{%s}", (long long)(global[i] / size), mesh->axis[axis].name);
		sw_text_addf(text, "%lld", (long long)global[i]);
	}
	sw_text_add_char(text, ']');
}

void session_example(const struct session *session, sw_text *from, sw_text *to)
{
	const struct state *state = &session->state;
	int64_t global[SW_MAX_DIMS];
	int rank = 2;
	if (!state->has[DEFINED_MESH]) {
		sw_text_add(from, "[3{x}12, 2{y}12]");
		sw_text_add(to, "[2{y}12, 3{x}12]");
		return;
	}
	global[0] = global[1] = 2 * state->mesh.axis[0].size;
	if (state->mesh.count > 1 && state->mesh.axis[1].size != state->mesh.axis[0].size)
		global[0] = global[1] = global[0] * state->mesh.axis[1].size;
	if (session_has_end(state, DEFINED_FROM)) {
		rank = state->from.rank;
		memcpy(global, state->from.global, sizeof(*global) * (size_t)rank);
	}
	example_type(&state->mesh, rank, global, 0, from);
	example_type(&state->mesh, rank, global, 1, to);
}

static void hint_definition(const struct session *session, enum definition what, sw_diag *diag)
{
	sw_text from = {0}, to = {0};
	if (!diag)
		return;
	session_example(session, &from, &to);
	if (what == DEFINED_FROM || what == DEFINED_TO)
		sw_diag_hint(diag, "for instance: %s %s", definitions[what].name,
			sw_text_get(what == DEFINED_TO ? &to : &from));
	else
		sw_diag_hint(diag, "%s", definitions[what].hint);
	sw_text_free(&from);
	sw_text_free(&to);
}

static const sw_distribution **words_of(struct state *state, enum definition what)
{
	return what == DEFINED_FROM ? &state->from_words : &state->to_words;
}

bool session_any_end(const struct state *state, enum definition what, struct any_type *end)
{
	const sw_distribution *words = what == DEFINED_FROM ? state->from_words : state->to_words;
	*end = (struct any_type){what == DEFINED_FROM ? state->from : state->to, state->has[what] ? NULL : words};
	return state->has[what] || ((what == DEFINED_FROM || what == DEFINED_TO) && words != NULL);
}

bool session_has_end(const struct state *state, enum definition what)
{
	return session_any_end(state, what, &(struct any_type){0});
}

void session_put_end(struct state *state, enum definition what, const struct any_type *end)
{
	*(what == DEFINED_FROM ? &state->from : &state->to) = end->type;
	*words_of(state, what) = end->words;
	state->has[what] = end->words == NULL;
}

/* Only tile types are taken, and this end is none. */
static bool refuse_end(const struct session *session, enum definition what, const struct any_type *end, sw_diag *diag)
{
	sw_type_refuse_words(&session->state.mesh, &end->type, end->words, (sw_span){0, 0}, diag);
	if (diag)
		sw_diag_set(diag, SW_T17, (sw_span){0, 0}, "this needs tile types, but `%s` is not one",
			definitions[what].name);
	sw_diag_hint(diag, "`show sets %s` and `show relation` take any type", definitions[what].name);
	return false;
}

bool session_need(const struct session *session, enum definition what, sw_diag *diag)
{
	assert((unsigned)what < DEFINITION_COUNT);
	int line = session->state.failed[what];
	if (line && !session->interactive) {
		sw_diag_set(diag, SW_L14, (sw_span){0, 0}, "this needs `%s`, but its statement on line %d failed",
			definitions[what].name, line);
		sw_diag_hint(diag, "fix line %d first", line);
		return false;
	}
	if (session->state.has[what])
		return true;
	struct any_type end;
	if (session_any_end(&session->state, what, &end))
		return refuse_end(session, what, &end, diag);
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no `%s` is defined yet", definitions[what].name);
	hint_definition(session, what, diag);
	return false;
}

/* Of a problem: what is there, and what is missing. */
static void say_missing(const struct session *session, sw_diag *diag)
{
	static const enum definition parts[] = {DEFINED_MESH, DEFINED_FROM, DEFINED_TO};
	sw_text there = {0}, missing = {0};
	if (diag && diag->code == SW_L07) {
		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
			sw_text *list = session_has_end(&session->state, parts[i]) ? &there : &missing;
			sw_text_addf(list, "%s`%s`", list->length ? ", " : "", definitions[parts[i]].name);
		}
		sw_diag_expected(diag, "`mesh`, `from` and `to`");
		sw_diag_found(diag, "%s%s%s missing", sw_text_get(&there), there.length ? "; " : "", sw_text_get(&missing));
	}
	sw_text_free(&there);
	sw_text_free(&missing);
}

/* An end that is not there is said before that another one is no tile type. */
static bool need_ends(const struct session *session, sw_diag *diag)
{
	const struct state *state = &session->state;
	bool from = session_has_end(state, DEFINED_FROM), to = session_has_end(state, DEFINED_TO);
	if (from && !to)
		return session_need(session, DEFINED_TO, diag);
	return session_need(session, DEFINED_FROM, diag) && session_need(session, DEFINED_TO, diag);
}

bool session_problem(const struct session *session, sw_problem *problem, sw_diag *diag)
{
	const struct state *state = &session->state;
	if (!session_need(session, DEFINED_MESH, diag) || !need_ends(session, diag)) {
		say_missing(session, diag);
		return false;
	}
	*problem = (sw_problem){.mesh = state->mesh,
		.from = state->from,
		.to = state->to,
		.to_order = state->to_order,
		.nearest = state->entered_step};
	return sw_type_redistributable(&problem->from, &problem->to, diag);
}

bool session_any_problem(const struct session *session, sw_problem *problem, sw_diag *diag)
{
	const struct state *state = &session->state;
	struct any_type from, to;
	if (!session_any_end(state, DEFINED_FROM, &from) || !session_any_end(state, DEFINED_TO, &to))
		return session_problem(session, problem, diag);
	*problem = (sw_problem){.mesh = state->mesh,
		.from = from.type,
		.to = to.type,
		.to_order = state->to_order,
		.from_words = from.words,
		.to_words = to.words,
		.nearest = state->entered_step};
	return sw_type_redistributable(&problem->from, &problem->to, diag);
}

bool session_keep_orders(struct session *session, const sw_problem *problem, sw_diag *diag)
{
	struct state *state = &session->state;
	int64_t devices = problem->mesh.devices;
	bool kept = sw_device_order_copy(problem->mesh.order, devices, session->arena, &state->mesh.order) &&
		sw_device_order_copy(problem->to_order, devices, session->arena, &state->to_order);
	return kept || sw_diag_memory(diag);
}

bool session_pads(const struct session *session)
{
	return setting_is(&session->state.settings, SETTING_UNEVEN, "pad");
}

const sw_uneven_rule *session_uneven(const struct session *session)
{
	return setting_rule(sw_str_of(session->state.settings.value[SETTING_UNEVEN].text));
}

const struct hand_step *session_hand(const struct state *state, bool on_chunks)
{
	return state->hand && state->hand->on_chunks == on_chunks ? state->hand : NULL;
}

bool session_add_hand(struct session *session, const struct hand_step *step, sw_diag *diag)
{
	assert(session->state.hand == NULL || session->state.hand->on_chunks == step->on_chunks);
	struct hand_step *kept = SW_NEW(session->arena, struct hand_step, 1);
	if (!kept)
		return sw_diag_memory(diag);
	*kept = *step;
	kept->before = session->state.hand;
	kept->count = kept->before ? kept->before->count + 1 : 1;
	session->state.hand = kept;
	return true;
}

const struct named_type *session_type(const struct session *session, sw_str name)
{
	const struct named_type *type = session->state.types;
	while (type && !sw_str_is(name, type->name))
		type = type->next;
	return type;
}

bool session_name_type(struct session *session, sw_str name, const struct any_type *type, int failed, sw_diag *diag)
{
	struct named_type *named = SW_NEW_ZERO(session->arena, struct named_type, 1);
	if (!named)
		return sw_diag_memory(diag);
	snprintf(named->name, sizeof(named->name), "%.*s", (int)name.length, name.at);
	if (type)
		named->is = *type;
	named->failed = failed;
	named->next = session->state.types;
	session->state.types = named;
	return true;
}

void session_leave_ports(struct session *session)
{
	struct setting_value *model = &session->state.settings.value[SETTING_MODEL];
	session->state.placing = NULL;
	if (model->number == SW_MODEL_PORTS)
		setting_read(SETTING_MODEL, sw_str_of(setting_rows[SETTING_MODEL].initial), model, NULL);
}

bool session_set_mesh(struct session *session, const sw_mesh *mesh)
{
	struct state *state = &session->state;
	bool leaves = state->placing != NULL && state->has[DEFINED_MESH] && !sw_mesh_equal(&state->mesh, mesh);
	state->mesh = *mesh;
	if (leaves)
		session_leave_ports(session);
	return leaves;
}

void session_enter_mesh(struct session *session, const sw_mesh *mesh)
{
	struct state *state = &session->state;
	if (state->has[DEFINED_MESH] && state->mesh.devices == mesh->devices)
		state->mesh = *mesh;
	else
		(void)session_set_mesh(session, mesh);
}

bool plan_on_tiles(const sw_plan *plan, sw_diag *diag)
{
	if (sw_problem_has_words(&plan->problem)) {
		sw_diag_set(diag, SW_T17, (sw_span){0, 0}, "this needs tile types, but an end of the plan is not one");
		sw_diag_hint(diag,
			"`show plan`, `show tiles`, `show heights`, `show traffic`, `show sets` and `show relation` take any type");
		return false;
	}
	if (sw_plan_first_pieces(plan) < 0)
		return true;
	sw_diag_set(diag, SW_P06, (sw_span){0, 0},
		"the plan is a reduction program: its steps work on chunks, not on types");
	sw_diag_hint(diag,
		"plan, heights, state (what devices hold), groups and system (the load) draw it; verify, run, export "
		"plan and export mpi work, too; `plan` makes a plan over types");
	return false;
}

bool session_plan(const struct session *session, const sw_plan **plan, sw_diag *diag)
{
	if (session->state.plan) {
		*plan = &session->state.plan->plan;
		return true;
	}
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no plan yet");
	sw_diag_hint(diag, "`plan` makes one, `open FILE` reads one");
	return false;
}

/* It is about something else than the problem. */
static bool goes_on(const struct kept_walk *walk)
{
	return walk && (walk->tasks || walk->schedule);
}

void session_drop_work(struct session *session)
{
	session_drop_plan(session);
	for (int kind = 0; kind < SW_WALK_KINDS; kind++)
		if (!goes_on(session->state.walks[kind]))
			session_drop_walk(session, (sw_walk_kind)kind);
	session_walk_on(session, SW_WALK_TYPES);
	session->state.hand = NULL;
	session->state.via = NULL;
}
