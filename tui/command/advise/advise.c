/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command advise, and advice for the lines of a batch.
 */
#include "answer/watch.h"
#include "command/advise/advise.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/emit.h>
#include <shardwalk/uneven.h>

#include "command/compare/compare.h"
#include "command/advise/advise_back.h"
#include "command/advise/advise_code.h"
#include "command/advise/advise_group.h"
#include "command/advise/advise_meshes.h"
#include "command/advise/advise_program.h"
#include "command/advise/advise_schedules.h"
#include "command/advise/advise_sure.h"
#include "command/batch/problem_keys.h"
#include "host/interrupt.h"
#include "views/advice.h"

bool advise_order(const sw_problem *problem, sw_diag *diag)
{
	if (sw_device_order_equal(problem->mesh.order, sw_problem_to_order(problem), problem->mesh.devices))
		return true;
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "the two ends list their devices in different orders");
	sw_diag_hint(diag,
		"`plan` has the step that changes the order; in JAX, `device_put` to the other mesh does it, between two jits");
	return false;
}

/* A mesh of a program has its devices where the sharding has them. */
static void remark_order(const struct invocation *run, int64_t devices)
{
	const int64_t *order = run->session->state.mesh.order;
	sw_text text = {0};
	if (!order)
		return;
	for (int64_t d = 0; d < devices && d < 32; d++)
		sw_text_addf(&text, " %lld", (long long)order[d]);
	answer_remark(run->session, "the mesh lists its devices in this order:%s%s", sw_text_get(&text),
		devices > 32 ? " ..." : "");
	sw_text_free(&text);
}

/* ---- one line of a batch ---- */

static bool set_text(json_t *object, const char *key, sw_text *text)
{
	bool ok = json_object_set_new(object, key, json_string(sw_text_get(text))) == 0;
	sw_text_clear(text);
	return ok;
}

/* Whoever reads the line pads by himself. */
static void line_type(const sw_advice *advice, const sw_type *type, sw_text *text)
{
	sw_type_print_real(&advice->problem.mesh, type, false, text);
}

static bool set_type(json_t *object, const char *key, const sw_advice *advice, const sw_type *type, sw_text *text)
{
	line_type(advice, type, text);
	return set_text(object, key, text);
}

/* Mesh and ends, where the line does not say them as the language does, or on another mesh. */
static bool set_problem(json_t *object, const sw_advice *advice, bool all, sw_text *text)
{
	const sw_problem *problem = &advice->problem;
	if (!all && !advice->finer)
		return true;
	for (int i = 0; i < KEYS_READ; i++)
		if (keys_read[i].notation)
			json_object_del(object, keys_read[i].name);
	sw_mesh_print(&problem->mesh, text);
	bool typed = json_is_string(json_object_get(object, "dtype"));
	return set_text(object, "mesh", text) && set_type(object, "from", advice, &problem->from, text) &&
		set_type(object, "to", advice, &problem->to, text) &&
		(typed || json_object_set_new(object, "dtype", json_string(sw_dtype_name(problem->from.dtype))) == 0);
}

static bool set_via(json_t *object, const sw_advice *advice, sw_text *text)
{
	json_t *via = json_array();
	bool ok = via != NULL;
	for (int k = 0; ok && k < advice->via_count; k++) {
		line_type(advice, advice->via[k], text);
		ok = json_array_append_new(via, json_string(sw_text_get(text))) == 0;
		sw_text_clear(text);
	}
	return json_object_set_new(object, "via", via) == 0 && ok;
}

/* Is it said as the language says it? */
static bool is_plain(json_t *line)
{
	return json_is_string(json_object_get(line, "mesh")) && !json_object_get(line, "to_mesh") &&
		json_string_length(json_object_get(line, "from")) && *json_string_value(json_object_get(line, "from")) == '[';
}

static bool line_json(const struct advise_line *of, const sw_advice *advice, sw_diag *diag)
{
	json_t *line = of->line->json, *object = line ? json_copy(line) : json_object();
	const char *name = of->line->name;
	sw_text text = {0};
	bool ok = object && (line || !name || json_object_set_new(object, "name", json_string(name)) == 0) &&
		set_problem(object, advice, !line || !is_plain(line), &text) && set_via(object, advice, &text);
	char *dumped = ok ? json_dumps(object, 0) : NULL;
	sw_text_free(&text);
	json_decref(object);
	if (!dumped)
		return sw_diag_memory(diag);
	sw_text_addf(of->line->out, "%s\n", dumped);
	free(dumped);
	return true;
}

static void line_text(const struct advise_line *of, const sw_advice *advice)
{
	sw_text now = {0}, via = {0};
	if (advice->has_now)
		sw_text_add_int(&now, advice->cost_now);
	for (int k = 0; k < advice->via_count; k++) {
		sw_text_add(&via, k ? " " : "  via ");
		sw_type_print(&advice->problem.mesh, advice->via[k], false, &via);
	}
	problem_words(of->line, "%-7s cost %12s to %12lld  height %12lld%s%s", sw_advise_name(of->target),
		now.length ? sw_text_get(&now) : "-", (long long)advice->cost_then, (long long)advice->height_then,
		sw_text_get(&via), advice->gains ? "" : "  nothing to gain");
	sw_text_free(&now);
	sw_text_free(&via);
}

static bool refuse_meshes(sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "the two ends are on different devices: no waypoint connects them");
	sw_diag_hint(diag, "`advise` on this redistribution alone says what `jax.device_put` does and what to write");
	return false;
}

bool advise_line(const struct advise_line *of, const sw_problem *problem, sw_diag *diag)
{
	sw_plan_options plan;
	sw_advice advice;
	const sw_machine *machine = NULL;
	if (sw_advise_between_meshes(problem))
		return refuse_meshes(diag);
	if (!plan_request_options(of->asked, problem, of->line->pulse, &plan, diag))
		return false;
	if (!compare_machine(of->asked, problem->mesh.devices, &machine, NULL))
		machine = NULL;
	sw_advise_options options = {.target = of->target,
		.budget = plan.budget,
		.unit = plan.unit,
		.without = plan.without,
		.several = of->several,
		.machine = machine,
		.pulse = of->line->pulse};
	if (!sw_advise(problem, &options, of->line->arena, &advice, diag))
		return false;
	if (of->line->for_programs)
		return line_json(of, &advice, diag);
	line_text(of, &advice);
	return true;
}

/* ---- what it comes to ---- */

static void add_up(const sw_plan *plan, const sw_machine *machine, struct advice_sum *sum)
{
	double seconds = machine ? sw_predict_seconds(plan, -1, machine) : -1;
	sum->volume += sw_plan_volume(plan);
	sum->seconds = seconds < 0 || sum->seconds < 0 ? -1 : sum->seconds + seconds;
	for (int k = 0; k < plan->program.steps; k++)
		sum->count[plan->program.step[k].op]++;
}

static void picture_of(const sw_advice *advice, const sw_machine *machine, struct advice_picture *picture)
{
	*picture = (struct advice_picture){.advice = advice, .machine = machine ? machine->name : NULL};
	if (advice->has_now)
		add_up(&advice->now, machine, &picture->now);
	else
		picture->now.seconds = -1;
	for (int k = 0; k <= advice->via_count; k++)
		add_up(&advice->hop[k], machine, &picture->then);
}

/* ---- as fields ---- */

static void add_counts(struct fields *in, const int64_t count[SW_COLLECTIVES])
{
	for (int op = 0; op < SW_COLLECTIVES; op++)
		if (count[op])
			field_int(in, sw_collective_of((sw_op)op)->name, count[op]);
}

static void add_side(struct fields *in, int64_t cost, int64_t height, const struct advice_sum *sum, sw_dtype dtype)
{
	field_int(in, "cost", cost);
	field_int(in, "height", height);
	field_number(in, "received_bytes", sum->volume * sw_dtype_bytes(dtype));
	if (sum->seconds < 0)
		field_null(in, "predicted_s");
	else
		field_number(in, "predicted_s", sum->seconds);
	add_counts(field_object(in, "collectives"), sum->count);
}

static void add_hop(struct fields *in, const sw_plan *hop)
{
	sw_text moves = {0};
	field_type(in, "to", &hop->problem.mesh, &hop->problem.to, true);
	field_int(in, "cost", hop->cost);
	field_int(in, "height", hop->height);
	advise_moves(&hop->problem.from, &hop->problem.to, &moves);
	field_printed(in, "moves", &moves);
	struct fields *steps = field_list(in, "steps");
	for (int k = 0; k < hop->program.steps; k++)
		field_text(steps, NULL, sw_collective_of(hop->program.step[k].op)->name);
}

static void add_problem(struct fields *in, const sw_advice *advice)
{
	const sw_problem *problem = &advice->problem;
	field_mesh(in, "mesh", &problem->mesh);
	field_bool(in, "finer", advice->finer);
	field_bool(in, "meshes", advice->meshes);
	field_bool(in, "written", advice->written);
	field_ends(in, problem, true);
	struct fields *via = field_list(in, "via");
	for (int k = 0; k < advice->via_count; k++)
		field_type(via, NULL, &problem->mesh, advice->via[k], true);
}

static void add_advice(struct fields *in, const struct advice_picture *of)
{
	const sw_advice *advice = of->advice;
	sw_dtype dtype = advice->problem.from.dtype;
	field_text(in, "for", sw_advise_name(advice->target));
	add_problem(in, advice);
	field_bool(in, "gains", advice->gains);
	field_text(in, "why", advice->why);
	field_bool(in, "complete", advice->complete);
	field_bool(in, "warns_now", advice->warns_now);
	field_int(in, "budget", advice->budget);
	if (advice->unit != SW_UNIT_ELEMENTS)
		field_number(in, "budget_bytes", (double)advice->budget * sw_dtype_bytes(dtype));
	if (advice->has_now)
		add_side(field_object(in, "now"), advice->cost_now, advice->height_now, &of->now, dtype);
	else
		field_null(in, "now");
	add_side(field_object(in, "then"), advice->cost_then, advice->height_then, &of->then, dtype);
	advise_weight_fields(advice, in);
	struct fields *hops = field_list(in, "hops");
	for (int k = 0; k <= advice->via_count; k++)
		add_hop(field_object(hops, NULL), &advice->hop[k]);
}

/* The constraint that is better left out, of the row that was imported last; NULL: none. */
static const struct kept_left_out *left_out_of(const struct state *state)
{
	const struct kept_left_out *kept = state->left_out;
	bool same = kept && state->has[DEFINED_FROM] && state->has[DEFINED_TO] &&
		sw_type_equal(&kept->from, &state->from) && sw_type_equal(&kept->to, &state->to);
	return same ? kept : NULL;
}

static void add_fields(const struct invocation *run, const struct advice_picture *of, sw_str code)
{
	const struct warning *warning = run->session->state.warning;
	struct fields *fields = document_fields(run->answer, "shardwalk.advice/1");
	add_advice(fields, of);
	warned_fields(fields, warning ? &warning->pair : NULL, of->group, of->whole);
	field_str(fields, "code", code);
	const struct kept_left_out *kept = left_out_of(&run->session->state);
	if (of->back)
		advise_back_fields(of->back, field_object(fields, "back"));
	else
		field_null(fields, "back");
	field_bool(fields, "chosen", of->chosen);
	field_count(fields, "other_uses", of->alike > 0 ? of->others : -1);
	field_text(fields, "bound", kept ? kept->bound : NULL);
	field_text(fields, "unsure", kept ? kept->unsure : NULL);
	field_text(fields, "left_out_constraint", kept ? kept->text : NULL);
}

/* ---- asking and answering ---- */

bool advise_find(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	sw_advise_target target, sw_advice *advice, sw_diag *diag)
{
	struct watch watch;
	sw_plan_options plan;
	const sw_machine *machine = NULL;
	if (!plan_request_options(asked, problem, NULL, &plan, diag))
		return false;
	if (!compare_machine(asked, problem->mesh.devices, &machine, NULL))
		machine = NULL;
	watch_start(&watch, run->session->console);
	sw_advise_options options = {.target = target,
		.budget = plan.budget,
		.unit = plan.unit,
		.without = plan.without,
		.several = option_given(run, OPTION_SEVERAL) != NULL,
		.machine = machine,
		.pulse = &watch.pulse};
	bool ok = sw_advise(problem, &options, run->arena, advice, diag);
	watch_end(&watch);
	return ok || refuse_budget(run, diag);
}

/* ---- the code to write ---- */

enum form { FORM_CONSTRAINT, FORM_SHARD_MAP, FORM_COUNT };
static const char *const forms[FORM_COUNT] = {"constraint", "shard_map"};

struct request {
	struct plan_request asked;
	struct group group; /* the problem is of one of these */
	bool checked;       /* a warning was imported, and this is another problem: */
	sw_whole whole;     /* whether it is the one that the warning is about */
	sw_problem problem;
	sw_advise_target target;
	enum form form;
	const sw_machine *machine;
};

static bool refuse_form(const struct invocation *run, const struct word *word, sw_advise_target target, sw_diag *diag)
{
	int near = sw_str_nearest(word->text, forms, FORM_COUNT);
	sw_diag_set(diag, SW_L02, line_span(run->position->text, word->raw), "no form of code%s is called '%.*s'",
		target == SW_ADVISE_JAX ? "" : " but JAX's", AS_SHOWN(word->text));
	sw_diag_expected(diag, target == SW_ADVISE_JAX ? "constraint or shard_map" : "no --form");
	if (near >= 0 && target == SW_ADVISE_JAX)
		sw_diag_hint(diag, "did you mean '%s'?", forms[near]);
	else
		sw_diag_hint(diag, "advise --for jax --form shard_map writes every step itself");
	return false;
}

static bool read_form(const struct invocation *run, sw_advise_target target, enum form *form, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_FORM);
	*form = FORM_CONSTRAINT;
	if (!word)
		return true;
	for (int k = 0; k < FORM_COUNT && target == SW_ADVISE_JAX; k++)
		if (sw_str_is(word->text, forms[k])) {
			*form = (enum form)k;
			return true;
		}
	return refuse_form(run, word, target, diag);
}

/* The plan by which a program leaves the compiler no choice is that of the strategy that is set. */
static bool write_steps(const struct invocation *run, const struct request *ask, sw_advice *advice, sw_text *code,
	sw_diag *diag)
{
	sw_plan_options options;
	sw_plan plan;
	if (!plan_request_options(&ask->asked, &ask->problem, NULL, &options, diag) ||
		!plan_find(run, &ask->problem, &options, run->arena, &plan, diag))
		return false;
	sw_advise_options advised = {.target = ask->target,
		.budget = options.budget,
		.unit = options.unit,
		.without = options.without,
		.machine = ask->machine};
	return sw_advise_steps(&plan, &advised, run->arena, advice, diag) &&
		(ask->group.is == GROUP_NONE ? sw_emit(SW_EMIT_SHARD_MAP, &plan, NULL, run->arena, code, diag) :
									   sw_emit_steps(&plan, run->arena, code, diag));
}

/* Are the lines for the forward value of a gradient? */
static bool asks_forward(const struct invocation *run, const struct request *ask)
{
	return ask->target == SW_ADVISE_JAX && ask->form == FORM_CONSTRAINT &&
		(warned_gradient_now(&run->session->state) ||
			(ask->checked && ask->whole.is && warned_is_gradient(&run->session->state.warning->pair)));
}

/* The warning of which the ends are; NULL: they are of none. */
static const struct warning *warning_of(const struct invocation *run, const struct request *ask)
{
	const struct state *state = &run->session->state;
	bool is = state->warning && ask->target == SW_ADVISE_JAX && ask->form == FORM_CONSTRAINT &&
		(state->ends_of == ENDS_OF_WARNING || (ask->checked && ask->whole.is));
	return is ? state->warning : NULL;
}

/* What the lines do beside what they are for. */
static void look_beside(const struct invocation *run, const struct request *ask, const sw_advice *advice,
	struct advise_back *back, struct advice_picture *picture)
{
	const struct warning *warning = warning_of(run, ask);
	if (!warning)
		return;
	picture->alike = warning->pair.count;
	picture->others = warning->others;
	picture->said = warned_is_said(&warning->pair);
	picture->chosen = warning->chosen;
	picture->product = warning->pair.op && strcmp(warning->pair.op, "dot") == 0;
	if (warned_is_differentiated(&warning->pair) && advise_back_find(advice, warning->back, run->arena, back))
		picture->back = back;
}

static bool write_waypoints(const struct invocation *run, const struct request *ask, sw_advice *advice, sw_text *code,
	sw_diag *diag)
{
	const struct state *state = &run->session->state;
	const sw_emit_mesh mesh = {.unnamed = state->found_mesh, .devices = state->mesh.order};
	sw_text lines = {0};
	bool forward = asks_forward(run, ask);
	bool ok = advise_find(run, &ask->asked, &ask->problem, ask->target, advice, diag) &&
		sw_emit_advice(advice, &mesh, run->arena, forward ? &lines : code, diag);
	if (ok && forward)
		advise_code_forward((sw_str){sw_text_get(&lines), lines.length}, code);
	sw_text_free(&lines);
	return ok;
}

static void add_left_out(const struct invocation *run, bool lines, sw_text *text)
{
	const struct kept_left_out *kept = left_out_of(&run->session->state);
	if (kept && kept->text)
		sw_text_addf(text, "\n%s\n\n%s\n",
			kept->offer ? "You may leave out a constraint on the "
						  "way:" :
						  "Leave a constraint out of your program:",
			kept->text);
	if (kept)
		advise_sure_row(kept, lines, text);
}

/* Where a module moves more than XLA does by itself between the same ends, no waypoint is what saves. */
static void look_on_way(const struct invocation *run, sw_advice *advice)
{
	const struct kept_left_out *kept = left_out_of(&run->session->state);
	double alone = sw_plan_volume(&advice->now) * sw_dtype_bytes(advice->problem.from.dtype);
	if (kept && !advice->gains && advice->has_now && (double)kept->now > alone)
		advice->why = "no waypoint is needed: from end to end, XLA moves less than the module does in its "
					  "steps";
}

/* What to write, and where a warning may be about more: what moves, and what to type. */
static void add_code(const struct invocation *run, const struct advice_picture *picture, enum form form, sw_str code)
{
	const struct warning *warning = run->session->state.warning;
	const sw_advice *advice = picture->advice;
	sw_text text = {0};
	if (code.length && picture->gradient)
		advise_code_gradient(&text);
	if (code.length && form == FORM_SHARD_MAP)
		sw_text_add(&text, "\nThe steps themselves, as a program:\n\n");
	else if (code.length)
		advise_code_head(&advice->weight, sw_advice_is_better(advice), advice->problem.from.dtype, &text);
	sw_text_add_str(&text, code);
	if (code.length && picture->product)
		sw_text_add(&text,
			"\nx is a product with its dimensions in XLA's order, as above. If the program's einsum has them "
			"in\nanother order, reorder the entries of P in the same way.\n");
	if (code.length && picture->back)
		advise_back_say(picture->back, picture->gradient, &text);
	if (code.length)
		advise_sure_warning(picture, &text);
	if (picture->group->is == GROUP_NONE)
		advise_flatten_say(advice, &text);
	add_left_out(run, code.length > 0, &text);
	if (picture->group->is == GROUP_CERTAIN)
		advise_group_moves(picture->advice, warning, &text);
	if (picture->group->is != GROUP_NONE)
		advise_group_asks(warning, picture->group, &text);
	document_lines(run->answer, &text);
}

static bool answer_picture(const struct invocation *run, const struct advice_picture *picture, enum form form,
	sw_str code, sw_diag *diag)
{
	struct view_input in = {.advice = picture};
	bool ok = view_answer(run, view_advice, &in, NULL, diag);
	add_code(run, picture, form, code);
	return ok;
}

/* ---- the command ---- */

/* What stands in the statement. */
static bool read_statement(struct invocation *run, struct request *ask, sw_diag *diag)
{
	ask->target = (sw_advise_target)option_number(run, OPTION_FOR, SW_ADVISE_JAX);
	return read_form(run, ask->target, &ask->form, diag) && (!argument(run, 0) || command_redistribute(run, diag));
}

static bool read_request(struct invocation *run, struct request *ask, sw_diag *diag)
{
	return plan_request_read(run, NULL, &ask->asked, diag) && session_problem(run->session, &ask->problem, diag) &&
		advise_order(&ask->problem, diag) &&
		compare_machine(&ask->asked, ask->problem.mesh.devices, &ask->machine, diag);
}

/* Is the problem of a group, or the one that a warning is about? */
static bool read_warning(const struct invocation *run, struct request *ask, sw_diag *diag)
{
	ask->group = warned_group_now(&run->session->state);
	ask->checked = warned_whole(run->session, run->arena, &ask->whole, diag);
	return ask->checked || diag->code == SW_OK;
}

bool command_advise(struct invocation *run, sw_diag *diag)
{
	struct request ask;
	sw_advice advice;
	struct advice_picture picture;
	struct advise_back back;
	sw_text code = {0};
	if (advise_schedules_asked(run))
		return advise_schedules(run, diag);
	if (advise_program_asked(run))
		return advise_program(run, (sw_advise_target)option_number(run, OPTION_FOR, SW_ADVISE_JAX), diag);
	if (!read_statement(run, &ask, diag))
		return false;
	if (ask.form == FORM_CONSTRAINT && advise_meshes_asked(run))
		return advise_meshes(run, ask.target, diag);
	bool ok = read_request(run, &ask, diag) && read_warning(run, &ask, diag) &&
		(ask.form == FORM_SHARD_MAP ? write_steps : write_waypoints)(run, &ask, &advice, &code, diag);
	sw_str lines = {sw_text_get(&code), code.length};
	if (ok) {
		remark_order(run, ask.problem.mesh.devices);
		look_on_way(run, &advice);
		picture_of(&advice, ask.machine, &picture);
		picture.group = &ask.group;
		picture.gradient = asks_forward(run, &ask);
		picture.whole = ask.checked ? &ask.whole : NULL;
		look_beside(run, &ask, &advice, &back, &picture);
		if (ask.group.is == GROUP_CERTAIN)
			lines.length = 0;
		add_fields(run, &picture, lines);
		ok = answer_picture(run, &picture, ask.form, lines, diag);
	}
	sw_text_free(&code);
	return ok;
}
