/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that plan: plan and verify.
 */
#include "answer/watch.h"
#include "answer/words.h"
#include "command/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/between.h>
#include <shardwalk/uneven.h>

#include "answer/wrap.h"
#include <shardwalk/reduction_plan.h>

#include "command/placement/grouped.h"
#include "command/placement/reduction.h"
#include "command/repeat.h"
#include "command/theory.h"
#include "session/machine.h"
#include "host/interrupt.h"
#include "views/sets.h"

/* ---- what is wished for ---- */

static bool plan_request_strategy(const struct invocation *run, const struct word *word, sw_strategy *strategy,
	sw_diag *diag)
{
	struct setting_value value = *option_setting(run, OPTION_STRATEGY);
	if (word && !read_setting(run, word, SETTING_STRATEGY, &value, diag))
		return false;
	*strategy = (sw_strategy)value.number;
	return true;
}

/* Every --without counts. */
static unsigned plan_request_without(const struct invocation *run)
{
	unsigned without = (unsigned)run->session->state.settings.value[SETTING_WITHOUT].number;
	for (int i = 0; i < run->given_count; i++)
		if (run->given[i].option == OPTION_WITHOUT)
			without |= (unsigned)run->given[i].read->setting.number;
	return without;
}

/* Axes that are not placed lie as devices count; without axes the levels are the mesh. */
static bool placement_now(const struct placing *placing, const sw_mesh *mesh, sw_placement *placement)
{
	int64_t size[SW_MAX_PLACED];
	int straddles;

	for (int i = 0; i < mesh->count && i < SW_MAX_PLACED; i++)
		size[i] = mesh->axis[i].size;
	*placement = placing->placement;
	return placing->placed ||
		(mesh->count <= SW_MAX_PLACED &&
			sw_placement_row_major(&placing->system, size, mesh->count, placement, &straddles));
}

static bool request_ports(const struct invocation *run, struct plan_request *asked, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	sw_machine *machine = SW_NEW(run->arena, sw_machine, 1);
	sw_placement placement;
	sw_text name = {0};

	if (state->placing == NULL || !state->has[DEFINED_MESH])
		return machine_find(SW_MODEL_PORTS, "", 0, &asked->ports, diag);
	if (!placement_now(state->placing, &state->mesh, &placement)) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the model ports needs placed axes");
		return sw_diag_hint(diag, "`placements` lists the ways, `place 1` takes the first"), false;
	}
	sw_system_print(&state->placing->system, &name);
	const char *kept = sw_text_keep(&name, run->arena);
	if (machine == NULL || kept == NULL)
		return sw_diag_memory(diag);
	asked->ports = machine;
	asked->ports_mesh = &state->mesh;
	const sw_placed_mesh on = {&state->placing->system, &placement, &state->mesh};
	return sw_ports_machine(&on, allreduce_asked(run->session), kept, run->arena, machine, diag);
}

bool plan_request_machine(const struct plan_request *asked, const sw_mesh *mesh, sw_model *model,
	const sw_machine **machine, sw_diag *diag)
{
	*model = asked->model;
	if (asked->model != SW_MODEL_PORTS)
		return machine_find(asked->model, asked->hardware, mesh->devices, machine, diag);
	bool placed = sw_mesh_equal(mesh, asked->ports_mesh);
	*machine = placed ? asked->ports : NULL;
	*model = placed ? SW_MODEL_PORTS : SW_MODEL_PAPER;
	return true;
}

bool plan_request_read(const struct invocation *run, const struct word *strategy, struct plan_request *asked,
	sw_diag *diag)
{
	if (!plan_request_strategy(run, strategy, &asked->strategy, diag))
		return false;
	asked->prove = option_setting(run, OPTION_PROVE)->number;
	asked->memory = run->session->state.settings.value[SETTING_PLAN_MEMORY].size.count;
	asked->model = (sw_model)option_setting(run, OPTION_MODEL)->number;
	asked->hardware = run->session->state.settings.value[SETTING_HARDWARE].text;
	asked->budget = option_setting(run, OPTION_BUDGET)->size;
	asked->live = option_setting(run, OPTION_LIVE)->size;
	asked->ports = NULL;
	asked->without = plan_request_without(run);
	return asked->model != SW_MODEL_PORTS || request_ports(run, asked, diag);
}

bool plan_request_options(const struct plan_request *asked, const sw_problem *problem, const sw_pulse *pulse,
	sw_plan_options *options, sw_diag *diag)
{
	*options = (sw_plan_options){.strategy = asked->strategy,
		.model = asked->model,
		.without = asked->without,
		.prove = asked->prove,
		.memory = asked->memory,
		.pulse = pulse,
		.unit = size_unit(&asked->budget, &asked->live)};
	if (!plan_request_machine(asked, &problem->mesh, &options->model, &options->machine, diag))
		return false;
	return size_elements(&asked->budget, problem, &options->budget, diag) &&
		size_elements(&asked->live, problem, &options->live_budget, diag);
}

static void hint_old_budget(sw_diag *diag)
{
	const sw_diag smallest = *diag;
	sw_diag_hint(diag,
		"this budget was set for another mesh: `budget 1x` is the larger tile of the two ends; "
		"%s",
		smallest.hint);
}

bool refuse_budget(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_BUDGET);
	if (!word)
		word = option_given(run, OPTION_LIVE);
	if (word && diag->code == SW_S01)
		diag->at = line_span(run->position->text, word->raw);
	else if (diag->code == SW_S01 && run->session->state.old_budget)
		hint_old_budget(diag);
	return false;
}

/* ---- the machine of predictions ---- */

bool compare_machine(const struct plan_request *asked, int64_t devices, const sw_machine **machine, sw_diag *diag)
{
	bool priced = sw_model_is_timed(asked->model) && asked->model != SW_MODEL_PORTS;
	return machine_find(priced ? asked->model : SW_MODEL_LATENCY, asked->hardware, devices, machine, diag);
}

bool compare_machine_on(const struct plan_request *asked, const sw_mesh *mesh, const sw_machine **machine,
	sw_diag *diag)
{
	*machine = asked->ports;
	return (asked->ports != NULL && sw_mesh_equal(asked->ports_mesh, mesh)) ||
		compare_machine(asked, mesh->devices, machine, diag);
}

/* ---- plan ---- */

bool view_answer(const struct invocation *run, view_function *draw, const struct view_input *in,
	const struct view_options *options, sw_diag *diag)
{
	struct view_options usual = view_options_default(run->answer->width);
	if (document_is_answered(run->answer))
		return true;
	return draw(in, options ? options : &usual, document_canvas(run->answer), diag);
}

/* The plan as it is; with more behind it where it leads through stops or is executed many times. */
static void answer_json(const struct invocation *run, const sw_plan *plan, const struct repeated *sum, sw_text *text)
{
	const struct kept_plan *kept = run->session->state.plan;
	const struct chain *chain = kept && plan == &kept->plan ? kept->chain : NULL;
	if (!chain && sum->times < 2) {
		document_json(run->answer, text);
		return;
	}
	struct fields *fields = document_fields(run->answer, NULL);
	field_members(fields, (sw_str){sw_text_get(text), text->length});
	if (chain)
		chain_fields(chain, &plan->problem.mesh, fields);
	repeat_fields(sum, fields);
	sw_text_free(text);
}

bool plan_answer(const struct invocation *run, const sw_plan *plan, double seconds, sw_diag *diag)
{
	struct repeated sum;
	if (!repeat_plan(run, plan, &sum, diag))
		return false;
	struct view_input in = {.mesh = &plan->problem.mesh, .plan = plan, .repeated = sum, .planned_in = seconds};
	sw_text text = {0};
	if (!run->answer->for_programs)
		return view_answer(run, view_plan, &in, NULL, diag);
	unsigned flags = (option_given(run, OPTION_MAPS) ? SW_JSON_MAPS : 0) |
		(run->session->console->out_terminal ? 0 : SW_JSON_LINE);
	if (!sw_plan_write(plan, flags, &text, diag)) {
		sw_text_free(&text);
		return false;
	}
	answer_json(run, plan, &sum, &text);
	return true;
}

bool plan_find(const struct invocation *run, const sw_problem *problem, const sw_plan_options *wanted,
	sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	struct watch watch;
	sw_plan_options options = *wanted;
	watch_start(&watch, run->session->console);
	options.pulse = &watch.pulse;
	bool ok = sw_plan_find(problem, &options, arena, plan, diag);
	if (ok)
		plan->search.seconds = watch_seconds(&watch);
	watch_end(&watch);
	return ok;
}

/* What is summed on the way, on the axes as they lie, with the prices of the model; false: there is no such sum. */
static bool ports_of_plan(const struct invocation *run, const sw_plan *plan, const sw_priced_mesh *priced,
	sw_ports *ports)
{
	uint32_t summed = axes_summed(&plan->problem.from, &plan->problem.to);
	if (summed == 0)
		return false;
	if (plan->model == SW_MODEL_PORTS)
		return sw_ports_make(priced->on.system, priced->on.placement, summed, allreduce_asked(run->session), ports,
			NULL);
	return plan->model == SW_MODEL_LATENCY && sw_ports_of_latency(priced, summed, ports, NULL);
}

/* On a system a reduction program may be faster, alone or before or behind steps of types. */
static void mix_plan(const struct invocation *run, const sw_plan_options *wanted, sw_arena *arena, sw_plan *plan)
{
	const struct placing *placing = run->session->state.placing;
	sw_plan_options options = *wanted;
	sw_placement placement;
	sw_ports ports;
	struct watch watch;
	if (!placing || !placement_now(placing, &plan->problem.mesh, &placement))
		return;
	const sw_priced_mesh priced = {{&placing->system, &placement, &plan->problem.mesh}, options.machine};
	if (!ports_of_plan(run, plan, &priced, &ports) || ports.hierarchy.count == 0)
		return;
	const sw_contexts *contexts = contexts_asked(run->session, ports.hierarchy.count, NULL);
	if (!contexts)
		return;
	watch_start(&watch, run->session->console);
	options.pulse = &watch.pulse;
	sw_plan_mix(&(const sw_mixing){&ports, contexts, plan->machine}, &options, arena, plan);
	plan->search.seconds += watch_seconds(&watch);
	watch_end(&watch);
}

bool plan_request_fit(struct plan_request *asked, const sw_problem *problem)
{
	if (!sw_problem_has_words(problem) || sw_strategy_is(asked->strategy, SW_BETWEEN_ANY))
		return false;
	asked->strategy = SW_DIRECT;
	return true;
}

/* The setting is passed over, not what was asked for by name. */
static void pass_over(const struct invocation *run, const struct word *strategy, const sw_problem *problem,
	struct plan_request *asked)
{
	sw_strategy set = asked->strategy;
	if (!strategy && !option_given(run, OPTION_STRATEGY) && plan_request_fit(asked, problem))
		answer_remark(run->session, "%s plans between tile types only: the plan is %s", sw_strategy_name(set),
			sw_strategy_name(SW_DIRECT));
}

static bool refuse_renumbering(const struct invocation *run, sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, line_span(run->position->text, option_given(run, OPTION_RENUMBER)->raw),
		"a chain cannot change the order of devices on the way");
	return sw_diag_hint(diag, "plan each leg separately: A ~> B, then B ~> C"), false;
}

/* Gives the devices of `to` the best numbers, where that is asked for. */
static bool renumber(const struct invocation *run, sw_problem *problem, sw_arena *arena, sw_diag *diag)
{
	const int64_t *before = problem->to_order;
	int64_t kept;
	if (!option_given(run, OPTION_RENUMBER))
		return true;
	if (run->session->state.via)
		return refuse_renumbering(run, diag);
	if (!sw_problem_renumber(problem, arena, &kept, diag))
		return false;
	if (kept < 0)
		answer_remark(run->session, "too many pairs of devices overlap: all keep their numbers");
	else if (problem->to_order == before)
		answer_remark(run->session, "other numbers keep no more in place: all devices keep their numbers");
	return true;
}

/* Plans the session's problem and holds the plan; groups are made for those who need them. */
static bool make_plan(const struct invocation *run, const struct word *strategy, bool sizes_only, sw_diag *diag)
{
	sw_problem problem;
	struct plan_request asked;
	sw_plan_options options;
	sw_plan plan;
	const struct chain *chain = NULL;
	if (!plan_request_read(run, strategy, &asked, diag) || !session_any_problem(run->session, &problem, diag))
		return false;
	pass_over(run, strategy, &problem, &asked);
	if (!plan_request_options(&asked, &problem, NULL, &options, diag))
		return false;
	asked.sizes_only = options.sizes_only = sizes_only && problem.mesh.devices > GROUPED_DEVICES;
	sw_arena *arena = sw_arena_new();
	if (!arena)
		return sw_diag_memory(diag);
	bool found = renumber(run, &problem, arena, diag) &&
		(run->session->state.via ? chain_find(run, &asked, &problem, arena, &plan, &chain, diag) :
								   plan_find(run, &problem, &options, arena, &plan, diag));
	if (!found) {
		sw_arena_free(arena);
		return refuse_budget(run, diag);
	}
	if (asked.strategy == SW_FUSED && asked.without == 0 && !run->session->state.via)
		mix_plan(run, &options, arena, &plan);
	session_keep_plan(run->session, arena, &plan);
	if (run->session->state.plan) {
		run->session->state.plan->without = asked.without;
		run->session->state.plan->chain = chain;
		run->session->state.plan->renumbered = option_given(run, OPTION_RENUMBER) != NULL;
	}
	return session_plan(run->session, &(const sw_plan *){NULL}, diag);
}

/* `plan $1`: the plan that was found before. */
static bool show_result(const struct invocation *run, sw_diag *diag)
{
	const sw_plan *plan;
	return read_plan(run, argument(run, 0), &plan, diag) && plan_answer(run, plan, plan->search.seconds, diag);
}

/* Who has to send what, whatever the steps are; as far as it is found before one waits for it. */
static bool say_pattern(const struct invocation *run, const sw_plan *plan, sw_diag *diag)
{
	enum { MOST_DEVICES = 1 << 17, MOST_BETWEEN = 1 << 24, MOST_UNIQUE = 1 << 20, MOST_OTHERS = 1 << 17 };
	const sw_problem *problem = &plan->problem;
	struct relation_look look;
	if (document_is_answered(run->answer) || problem->mesh.devices > MOST_DEVICES || sw_type_padded(&problem->from) ||
		sw_type_padded(&problem->to))
		return true;
	if (!relation_look_at(problem, NULL, run->arena, &look, diag))
		return false;
	look.most = sw_problem_has_words(problem) ? MOST_BETWEEN :
		sw_relation_is_unique(look.relation)  ? MOST_UNIQUE :
												MOST_OTHERS;
	return relation_say(&look, run->answer) || sw_diag_memory(diag);
}

bool command_plan(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	if (argument(run, 0) && *argument(run, 0)->text.at == '$')
		return show_result(run, diag);
	if (!make_plan(run, argument(run, 0), !run->answer->for_programs, diag))
		return false;
	const sw_plan *plan = &session->state.plan->plan;
	if (!plan_answer(run, plan, plan->search.seconds, diag) || !say_pattern(run, plan, diag))
		return false;
	if (session->interactive)
		answer_remark(session, "this plan is $%d", session->state.plan->number);
	if (interrupt_signal())
		answer_remark(session, "stopped: this is the best plan so far");
	return true;
}

/* ---- plans that other commands take ---- */

static bool refuse_result(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L08, line_span(run->position->text, word->raw), "there is no result '%.*s'",
		AS_SHOWN(word->text));
	if (run->session->result_count)
		sw_diag_expected(diag, "$1 to $%d", run->session->result_count);
	sw_diag_hint(diag, "plans are numbered as they are made: $1, $2, ...");
	return false;
}

/* Is it said on this line how a plan is looked for? */
static bool asks_anew(const struct invocation *run)
{
	static const enum option said[] = {OPTION_STRATEGY, OPTION_MODEL, OPTION_BUDGET, OPTION_LIVE, OPTION_WITHOUT};
	bool any = false;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		any = any || option_given(run, said[i]) != NULL;
	return any;
}

bool read_plan(const struct invocation *run, const struct word *word, const sw_plan **plan, sw_diag *diag)
{
	struct session *session = run->session;
	int64_t number = 0;
	if (word && *word->raw.at == '$') {
		const struct kept_plan *kept = read_result(word, &number) ? session_result(session, number) : NULL;
		if (kept)
			*plan = &kept->plan;
		return kept || refuse_result(run, word, diag);
	}
	bool defined = session_has_end(&session->state, DEFINED_FROM) && session_has_end(&session->state, DEFINED_TO);
	if (!session_plan(session, plan, diag) && !word && !defined)
		return false;
	if ((word || !session->state.plan || asks_anew(run)) && !make_plan(run, word, false, diag))
		return false;
	return session_plan(session, plan, diag);
}

bool read_solution(const struct invocation *run, const struct word *word, const sw_plan **plan, sw_diag *diag)
{
	if ((word == NULL && only_grouped(run->session) && !grouped_reach_the_sum(run, diag)) ||
		!read_plan(run, word, plan, diag))
		return false;
	if (sw_plan_reaches(*plan, diag))
		return true;
	if (diag->code == SW_P07)
		sw_diag_hint(diag, "`plan` finds a solution; `verify --prefix` executes the steps as far as they go");
	return false;
}

/* ---- verify ---- */

static void print_index(const int64_t *index, int rank, sw_text *text)
{
	sw_type_print_tile(index, rank, text);
}

/* A term that is wrong: another value than a copy of it, or terms that do not add up. */
static bool refuse_term(const sw_mesh *mesh, const sw_verdict *verdict, int rank, sw_diag *diag)
{
	sw_text at = {0}, expected = {0};
	print_index(verdict->wrong.index, rank, &at);
	print_index(verdict->wrong.expected, rank, &expected);
	sw_diag_set(diag, SW_P04, (sw_span){0, 0},
		"device %s holds a wrong term %lld of %lld at %s of its tile after step %d",
		words_device_first(mesh, verdict->wrong.device).text, (long long)verdict->wrong.term,
		(long long)verdict->wrong.terms, sw_text_get(&at), verdict->wrong.step);
	if (verdict->wrong.copy_of >= 0)
		sw_diag_expected(diag, "the value that device %s, a copy of it, holds",
			words_device_first(mesh, verdict->wrong.copy_of).text);
	else
		sw_diag_expected(diag, "terms that add up to element %s", sw_text_get(&expected));
	if (verdict->wrong.copy_of >= 0)
		sw_diag_found(diag, "%llu", (unsigned long long)verdict->wrong.sum);
	else
		sw_diag_found(diag, "a sum of %llu", (unsigned long long)verdict->wrong.sum);
	sw_text_free(&at);
	sw_text_free(&expected);
	return false;
}

static bool refuse_element(const sw_plan *plan, const sw_verdict *verdict, sw_diag *diag)
{
	const sw_mesh *mesh = &plan->problem.mesh;
	int rank = plan->problem.to.rank;
	if (verdict->wrong.terms > 1)
		return refuse_term(mesh, verdict, rank, diag);
	sw_text at = {0}, expected = {0}, found = {0};
	print_index(verdict->wrong.index, rank, &at);
	print_index(verdict->wrong.expected, rank, &expected);
	if (verdict->wrong.found[0] < 0 && rank)
		sw_text_add(&found, "nothing");
	else
		print_index(verdict->wrong.found, rank, &found);
	sw_diag_set(diag, SW_P04, (sw_span){0, 0}, "device %s holds a wrong element at %s of its tile after step %d",
		words_device_first(mesh, verdict->wrong.device).text, sw_text_get(&at), verdict->wrong.step);
	sw_diag_expected(diag, "element %s, which device %s had at the beginning", sw_text_get(&expected),
		words_device_first(mesh, verdict->wrong.expected_from).text);
	if (verdict->wrong.found_from >= 0)
		sw_diag_found(diag, "element %s, from device %s", sw_text_get(&found),
			words_device_first(mesh, verdict->wrong.found_from).text);
	else
		sw_diag_found(diag, "%s", sw_text_get(&found));
	sw_text_free(&at);
	sw_text_free(&expected);
	sw_text_free(&found);
	return false;
}

/* Of the elements that were compared, those that are no padding; 0 where nothing is padded. */
static int64_t real_elements(const sw_plan *plan)
{
	const sw_type *to = &plan->problem.to, *last = plan->program.value[plan->program.steps].type;
	sw_padding_count count = {0};
	if (!sw_type_padded(to))
		return 0;
	sw_type end = last ? *last : *to;
	end.padding = to->padding;
	sw_type_padding(&plan->problem.mesh, &end, &count);
	return count.elements - count.total;
}

static void verify_fields(const struct invocation *run, const sw_plan *plan, const sw_verdict *verdict)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.verify/1");
	field_bool(fields, "verified", verdict->right);
	if (option_given(run, OPTION_PREFIX)) {
		field_bool(fields, "solution", sw_plan_reaches(plan, NULL));
		field_int(fields, "steps", plan->program.steps);
	}
	field_bool(fields, "symbolic", verdict->symbolic);
	field_int(fields, "devices", verdict->devices);
	if (verdict->pieces > 0)
		field_int(fields, "chunks", verdict->pieces);
	field_int(fields, "elements", verdict->elements);
	if (real_elements(plan))
		field_int(fields, "unpadded_elements", real_elements(plan));
	field_int(fields, "bytes", verdict->bytes);
}

/* One number went the way of each piece. */
static void say_pieces(const sw_plan *plan, const sw_verdict *verdict, sw_text *line)
{
	sw_text_add(line, "verified: ");
	sw_print_count(line, verdict->elements);
	sw_text_addf(line, " numbers on %lld devices are right, one for each chunk (", (long long)verdict->devices);
	sw_print_bytes(line, verdict->bytes);
	sw_text_add(line, " moved);\n`verify --full` moves all ");
	sw_print_count(line, verdict->devices * sw_type_localsize(&plan->problem.from));
	sw_text_add(line, " elements");
}

/* How much was compared, and whether it is right. */
/* What reaches devices in all its steps, all devices taken together. */
static double moved_bytes(const sw_plan *plan)
{
	return sw_plan_volume(plan) * (double)plan->problem.mesh.devices * sw_dtype_bytes(plan->problem.from.dtype);
}

static void say_compared(const sw_plan *plan, const sw_verdict *verdict, bool solves, sw_text *line)
{
	if (verdict->pieces > 0) {
		say_pieces(plan, verdict, line);
		return;
	}
	if (verdict->symbolic) {
		sw_text_add(line, solves ? "verified by the maps of " : "checked as far as it goes, by the maps of ");
		sw_print_count(line, verdict->devices);
		sw_text_add(line,
			verdict->devices > SW_MAX_MAP_DEVICES ?
				" devices: data is moved on up to 2^20" :
				" devices: the data is larger than the setting\n`memory`; `verify --full` moves it anyway");
		return;
	}
	sw_text_add(line, solves ? "verified: all " : "executed as far as it goes: all ");
	sw_print_count(line, verdict->elements);
	sw_text_add(line, " elements on ");
	sw_print_count(line, verdict->devices);
	sw_text_addf(line, " %s are %s (", plural(verdict->devices, "device", "devices"),
		solves ? "right" : "as the steps say");
	sw_print_real_bytes(line, moved_bytes(plan));
	sw_text_add(line, " moved)");
	if (real_elements(plan)) {
		sw_text_add(line, "; ");
		sw_print_count(line, real_elements(plan));
		sw_text_add(line, " of them are the array, the others padding");
	}
}

/* Sentences fit the terminal; a file gets them whole. */
static void add_wrapped(const struct invocation *run, sw_text *lines)
{
	sw_text wrapped = {0};
	wrap_rows((sw_str){sw_text_get(lines), lines->length},
		run->session->console->out_terminal ? run->answer->width : INT_MAX, &wrapped);
	sw_text_free(lines);
	document_lines(run->answer, &wrapped);
}

static void verify_answer(const struct invocation *run, const sw_plan *plan, const sw_verdict *verdict)
{
	const struct state *state = &run->session->state;
	sw_text line = {0};
	sw_diag end = {.code = SW_OK};
	bool reaches = sw_plan_reaches(plan, &end),
		 open = state->plan && plan == &state->plan->plan && !session_has_end(state, DEFINED_TO);
	say_compared(plan, verdict, reaches && !open, &line);
	if (!reaches)
		sw_text_addf(&line, "\nthis is not a solution: it %s", end.message);
	else if (open)
		sw_text_add(&line, "\nno `to` is defined");
	sw_text_add_char(&line, '\n');
	add_wrapped(run, &line);
}

bool plan_with_groups(const struct invocation *run, const sw_plan *plan, sw_plan *grouped, sw_diag *diag)
{
	*grouped = *plan;
	bool missing = false;
	for (int i = 0; i < plan->program.steps; i++)
		missing |= plan->program.step[i].group_size > 1 && !plan->program.step[i].groups &&
			!plan->program.step[i].groups_text;
	if (!missing)
		return true;
	if (!sw_plan_own(grouped, 0, run->arena))
		return sw_diag_memory(diag);
	return sw_plan_group(grouped, run->arena, diag);
}

/* A number and the options of drawn cases belong to a statement. */
static bool verifies_plan(const struct invocation *run, sw_diag *diag)
{
	static const enum option drawn[] = {OPTION_RANDOM, OPTION_SEED, OPTION_UNSPLIT};
	const struct word *word = argument(run, 1);
	for (size_t i = 0; i < sizeof(drawn) / sizeof(*drawn) && !word; i++)
		for (int g = 0; g < run->given_count && !word; g++)
			word = run->given[g].option == drawn[i] ? &run->given[g].name : NULL;
	if (!word)
		return true;
	sw_diag_set(diag, SW_L04, line_span(run->position->text, word->raw),
		"'%.*s' belongs to a statement, not to a plan", (int)(word->raw.length < 40 ? word->raw.length : 40),
		word->raw.at);
	sw_diag_hint(diag, "`verify lemma 4.6` tests a statement; `verify` and `verify $1` execute a plan");
	return false;
}

/* Is there nothing to verify but the statement that a formula is? */
static bool formula_is_present(const struct state *state)
{
	return state->subject == SUBJECT_FORMULA && state->formula && !state->entered;
}

bool command_verify(struct invocation *run, sw_diag *diag)
{
	const sw_plan *plan;
	sw_plan grouped;
	if (is_statement(run))
		return verify_statement(run, diag);
	if (is_artefact(run))
		return verify_artefact(run, diag);
	if (!verifies_plan(run, diag))
		return false;
	if (argument(run, 0) == NULL && only_grouped(run->session))
		return verify_grouped(run, diag);
	if (argument(run, 0) == NULL && formula_is_present(&run->session->state))
		return command_simulate(run, diag);
	bool prefix = option_given(run, OPTION_PREFIX);
	int64_t memory = option_setting(run, OPTION_MEMORY)->size.count;
	if (!(prefix ? read_plan : read_solution)(run, argument(run, 0), &plan, diag) ||
		!plan_with_groups(run, plan, &grouped, diag))
		return false;
	struct watch watch;
	watch_start(&watch, run->session->console);
	sw_verify_options options = {.memory = option_given(run, OPTION_FULL) ? INT64_MAX : memory,
		.pulse = &watch.pulse,
		.prefix = prefix,
		.full = option_given(run, OPTION_FULL)};
	sw_verdict verdict;
	bool ok = sw_plan_verify(&grouped, &options, &verdict, diag);
	watch_end(&watch);
	if (!ok && diag->code == SW_E01)
		sw_diag_hint(diag, "`verify --memory 1MiB` proves it by the maps of the devices, without the data");
	if (!ok)
		return false;
	if (!verdict.right)
		return refuse_element(plan, &verdict, diag);
	verify_fields(run, plan, &verdict);
	verify_answer(run, plan, &verdict);
	return true;
}
