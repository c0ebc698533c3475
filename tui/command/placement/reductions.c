/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command reductions: the programs that make a sum over axes of a placement, and their seconds.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/summing.h>

#include "answer/order.h"
#include "command/placement/placement.h"
#include "command/plan.h"
#include "command/placement/reduction.h"
#include "host/interrupt.h"
#include "views/draw.h"

#define LENGTH_LISTED 5

struct found {
	sw_arena *arena;
	struct sum sum;
	sw_ports *ports;
	const sw_contexts *contexts;
	int limit;
	int64_t count;
	sw_context_path *path;
	bool complete;        /* nothing was left out for want of memory */
	sw_context_path best; /* of any length */
	double allreduce, bound;
	int64_t faster;
	bool right;
};

static bool list_programs(const struct invocation *run, struct found *found, sw_diag *diag)
{
	sw_reduction_bounds bounds = {found->limit, memory_of_searches(run->session), interrupt_pulse()};
	sw_reduction_listed listed;

	if (!sw_reduction_list(found->contexts, found->ports, found->sum.bytes, &bounds, run->arena, &listed, diag))
		return false;
	found->complete = sw_contexts_complete(found->contexts) && listed.length == found->limit;
	found->limit = listed.length;
	found->path = listed.path;
	found->count = listed.count;
	return true;
}

/* Seconds of the fastest program of any length; -1 where not all were looked at. */
static double proved_best(const struct found *found)
{
	return sw_contexts_complete(found->contexts) ? found->best.seconds : -1;
}

static bool find_programs(const struct invocation *run, struct found *found, sw_diag *diag)
{
	struct session *session = run->session;
	const struct placing *placing = session->state.placing;

	found->ports = SW_NEW(run->arena, sw_ports, 1);
	if (found->ports == NULL)
		return sw_diag_memory(diag);
	if (!sw_ports_make(&placing->system, &placing->placement, found->sum.axes, allreduce_asked(session), found->ports,
			diag))
		return false;
	if (found->ports->hierarchy.count == 0)
		return sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the axes summed over have size 1: nothing to do");
	found->contexts = contexts_asked(session, found->ports->hierarchy.count, diag);
	if (found->contexts == NULL)
		return false;
	if (!list_programs(run, found, diag))
		return false;
	if (!sw_reduction_best(found->contexts, found->ports, found->sum.bytes, 0, &found->best))
		return sw_diag_memory(diag);
	found->allreduce = sw_ports_allreduce(found->ports, found->sum.bytes);
	if (placing->system.topology == SW_TOPOLOGY_TREE)
		found->bound = sw_ports_bound(found->ports, found->sum.bytes);
	for (int64_t i = 0; i < found->count; i++)
		found->faster += found->path[i].seconds < found->allreduce * (1 - 1e-12);
	return true;
}

/* Of the program of a path, for as long as the arena is not taken back. */
static bool plan_of(const struct found *found, const sw_context_path *path, sw_plan *plan)
{
	return sw_context_path_plan(found->contexts, path, found->arena, plan);
}

static bool priced_plan_of(const struct found *found, const sw_context_path *path, sw_plan *plan)
{
	return plan_of(found, path, plan) && sw_reduction_price(found->ports, found->sum.bytes, plan);
}

static int sums_on(const struct found *found, const sw_context_path *path, const int64_t *sizes)
{
	sw_arena_mark mark = sw_arena_here(found->arena);
	sw_plan plan;
	int right = plan_of(found, path, &plan) ?
		sw_reduction_sums(&plan, sizes, found->ports->hierarchy.count, found->arena) :
		-1;

	sw_arena_back(found->arena, mark);
	return right;
}

/* Executes all programs on a few devices of each factor: three tell 0, another and yet another apart. */
static bool check_programs(struct found *found, sw_diag *diag)
{
	const sw_hierarchy *hierarchy = &found->ports->hierarchy;
	int64_t sizes[SW_MAX_SUMMED], most = hierarchy->count <= 2 ? 3 : 2;

	for (int f = 0; f < hierarchy->count; f++)
		sizes[f] = sw_smaller(sw_hierarchy_size(hierarchy, f), most);
	found->right = true;
	for (int64_t i = 0; i < found->count; i++) {
		if (!sw_pulse_beat(interrupt_pulse(), "programs", i, found->count))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after executing %lld programs", (long long)i);
		int right = sums_on(found, &found->path[i], sizes);

		if (right < 0)
			return sw_diag_memory(diag);
		found->right = found->right && right == 1;
	}
	return true;
}

static bool is_tie(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static int64_t ties_from(const struct found *found, int64_t at)
{
	int64_t end = at + 1;

	while (end < found->count && is_tie(found->path[end].seconds, found->path[at].seconds))
		end++;
	return end - at;
}

/* Clauses with semicolons between them: where they are longer than a row, the last one stands in one of its own. */
static void say_clauses(const struct invocation *run, sw_text *text)
{
	const char *words = sw_text_get(text), *last = strrchr(words, ';');

	if (last == NULL || (int)strlen(words) <= run->answer->width)
		document_line(run->answer, "%s", words);
	else {
		document_line(run->answer, "%.*s;", (int)(last - words), words);
		document_line(run->answer, "  %s", last + 2);
	}
	sw_text_free(text);
}

static void say_programs(const struct invocation *run, const struct found *found)
{
	sw_text text = {0};

	if (hierarchy_asked(run->session) != SW_HIERARCHY_SUMMED_LEVELS)
		document_line(run->answer, "steps name levels of hierarchy e; `apply` reads those of %s",
			sw_hierarchy_letter(hierarchy_asked(run->session)));
	sw_text_add(&text, "reductions  ");
	sw_print_count(&text, found->count);
	sw_text_addf(&text, " programs of at most %d step%s; %s; ", found->limit, found->limit == 1 ? "" : "s",
		found->right ? "all are right" : "SOME ARE WRONG");
	if (found->faster == 0)
		sw_text_add(&text, "none is faster than one allreduce");
	else
		sw_text_addf(&text, "%lld %s faster than one allreduce", (long long)found->faster,
			found->faster == 1 ? "is" : "are");
	say_clauses(run, &text);
}

/* A program begins and ends with as much on each device, and has no more between. */
static void say_memory(const struct invocation *run)
{
	const struct state *state = &run->session->state;
	int64_t size = sw_type_localsize(&state->from);

	document_line(run->answer, "  %s a device, %s", words_bytes(size, state->from.dtype).text,
		words_on_all(size, state->from.dtype, SW_UNIT_ELEMENTS, state->mesh.devices).text);
}

static void memory_fields(const struct invocation *run, struct fields *fields)
{
	const struct state *state = &run->session->state;
	int64_t bytes, all;

	if (fields == NULL || !sw_mul(sw_type_localsize(&state->from), sw_dtype_bytes(state->from.dtype), &bytes))
		return;
	field_int(fields, "bytes", bytes);
	if (sw_mul(bytes, state->mesh.devices, &all))
		field_int(fields, "bytes_on_all_devices", all);
}

/* Programs of one time share a row of the table. */
struct listed {
	const sw_context_path *path;
	int64_t number, ties;
};

static bool fill_steps(const struct row_at *at, struct fields *list)
{
	const struct found *found = at->of;
	sw_arena_mark mark = sw_arena_here(found->arena);
	sw_plan plan;
	bool made = plan_of(found, ((const struct listed *)at->row)->path, &plan);

	if (made)
		reduction_steps_fields(found->ports, &plan, list);
	sw_arena_back(found->arena, mark);
	return made;
}

static bool fill_seconds(const struct row_at *at, struct fields *list)
{
	const struct found *found = at->of;
	sw_arena_mark mark = sw_arena_here(found->arena);
	sw_plan plan;
	bool made = priced_plan_of(found, ((const struct listed *)at->row)->path, &plan);

	for (int k = 0; made && k < plan.program.steps; k++)
		field_number(list, NULL, plan.program.step[k].model_cost);
	sw_arena_back(found->arena, mark);
	return made;
}

static void print_path(const struct found *found, const sw_context_path *path, sw_text *text)
{
	sw_arena_mark mark = sw_arena_here(found->arena);
	sw_plan plan;

	if (plan_of(found, path, &plan))
		reduction_steps_text(found->ports, &plan, text);
	sw_arena_back(found->arena, mark);
}

static void print_steps(const struct row_at *at, sw_text *text)
{
	const struct listed *row = at->row;

	print_path(at->of, row->path, text);
	if (row->ties > 1)
		sw_text_addf(text, "   (%lld more tie%s)", (long long)row->ties - 1, row->ties == 2 ? "" : "s");
}

static const struct row_column listed_columns[] = {
	ROW_AT(NULL, "", COUNT, struct listed, number, .role = ROLE_LABEL),
	ROW_BY("steps", NULL, LIST, .fill = fill_steps),
	ROW_BY("seconds", NULL, LIST, .fill = fill_seconds),
	ROW_THROUGH("total_s", "", SECONDS, struct listed, path, sw_context_path, seconds, .digits = 4, .folds = true),
	ROW_BY(NULL, "", TEXT, .print = print_steps),
};

const struct rows reductions_words = ROWS_WORDS(listed_columns);

static bool answer_programs(const struct invocation *run, const struct found *found, int64_t shown,
	struct fields *fields, sw_diag *diag)
{
	const struct listed best = {.path = &found->best};
	struct listed *row = SW_NEW(run->arena, struct listed, shown + 1);
	int64_t count = 0;

	if (row == NULL)
		return sw_diag_memory(diag);
	for (int64_t at = 0, ties; at < found->count && count < shown; at += ties) {
		ties = fields == NULL ? ties_from(found, at) : 1;
		row[count++] = (struct listed){&found->path[at], at + 1, ties};
	}
	const struct rows rows = ROWS_OF(listed_columns, row, count, .of = found, .rises = true),
					  one = ROWS_OF(listed_columns, &best, 1, .of = found);
	return rows_members(&one, field_object(fields, "best"), diag) &&
		rows_answer(&rows, run->answer, fields, "programs", diag);
}

static void say_left_out(const struct invocation *run, const struct found *found)
{
	say_incomplete(run, found->contexts);
	if (!found->complete && sw_contexts_complete(found->contexts))
		document_line(run->answer, "incomplete: programs of more steps do not fit into the setting `plan_memory`");
}

static void say_proof(const struct invocation *run, const struct found *found)
{
	bool best_listed = found->count > 0 && !(found->best.seconds < found->path[0].seconds * (1 - 1e-12));
	bool proved = sw_contexts_complete(found->contexts);
	sw_text text = {0};

	if (best_listed)
		sw_text_add(&text, proved ? "proved: no program of any length is faster" : "no program found is faster");
	else {
		sw_text_addf(&text, "a program of %d steps takes %s: ", found->best.count,
			words_seconds_to(found->best.seconds, 4).text);
		print_path(found, &found->best, &text);
		sw_text_add(&text,
			proved ? "; proved: no program of any length is "
					 "faster" :
					 "; no program found is faster");
	}
	if (found->bound > 0)
		sw_text_addf(&text, "; no algorithm needs less than %s", words_seconds_to(found->bound, 4).text);
	say_clauses(run, &text);
}

/* How many groups sum the same: those along axes that the type leaves unused. */
static int64_t copies(const struct state *state)
{
	int64_t used = 1;
	for (int i = 0; i < state->from.first[state->from.rank + 1]; i++)
		used *= sw_type_part(&state->from, i).size;
	return state->mesh.devices / used;
}

static void say_borrowing(const struct invocation *run)
{
	int64_t count = copies(&run->session->state);
	if (count > 1)
		answer_hint(run->session, "%lld groups each compute the same sum; `plan` may share the work",
			(long long)count);
}

/* ---- one program ---- */

static bool path_as_plan(const struct found *found, const sw_problem *problem, const sw_context_path *path,
	sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_plan program;

	if (!priced_plan_of(found, path, &program))
		return sw_diag_memory(diag);
	return reduction_as_plan(found->ports, problem, &program, proved_best(found), arena, plan, diag);
}

/* What is asked for: by its number, or else by its name. */
struct asked {
	int64_t number; /* from 1; 0: it has a name, or none is asked for */
	int named;      /* of SW_ALGORITHMS, or behind them the best; -1: it has a number */
};

static bool read_asked(const struct invocation *run, const struct found *found, struct asked *asked, sw_diag *diag)
{
	const struct word *word = argument(run, 0);

	*asked = (struct asked){.number = 0, .named = -1};
	if (word == NULL || strchr("0123456789-", *word->text.at) != NULL)
		return read_count(run, word, 1, found->count, &asked->number, diag);
	asked->named = choice_named(KIND_REDUCTION, word->text, diag);
	return asked->named >= 0 || refuse_at(run, word->raw, diag);
}

static bool refuse_setting(const struct invocation *run, sw_algorithm algorithm, sw_diag *diag)
{
	sw_diag_set(diag, SW_L07, line_span(run->position->text, argument(run, 0)->raw),
		"'%s' is not the kind of allreduce that is set", sw_algorithm_name(algorithm));
	return sw_diag_hint(diag, "first: set allreduce %s", algorithm == SW_ALGORITHM_TREE ? "tree" : "ring"), false;
}

/* With its seconds. */
static bool named_program(const struct invocation *run, const struct found *found, int named, sw_plan *program,
	sw_diag *diag)
{
	sw_algorithm algorithm = (sw_algorithm)named;

	if (named == SW_ALGORITHM_COUNT)
		return priced_plan_of(found, &found->best, program) || sw_diag_memory(diag);
	if (!sw_algorithm_is(algorithm, allreduce_asked(run->session)))
		return refuse_setting(run, algorithm, diag);
	return (sw_algorithm_plan(algorithm, found->ports->hierarchy.count, run->arena, program) &&
			   sw_reduction_price(found->ports, found->sum.bytes, program)) ||
		sw_diag_memory(diag);
}

static bool asked_as_plan(const struct invocation *run, const struct found *found, const struct asked *asked,
	sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_problem problem;
	sw_plan program;

	if (!session_problem(run->session, &problem, diag))
		return false;
	if (asked->named < 0)
		return path_as_plan(found, &problem, &found->path[asked->number - 1], arena, plan, diag);
	return named_program(run, found, asked->named, &program, diag) &&
		reduction_as_plan(found->ports, &problem, &program, proved_best(found), arena, plan, diag);
}

/* It becomes the present plan. */
static bool take_program(const struct invocation *run, const struct found *found, const struct asked *asked,
	sw_diag *diag)
{
	struct session *session = run->session;
	sw_arena *arena = sw_arena_new();
	sw_plan plan;

	assert(asked->number > 0 || asked->named >= 0);
	if (arena == NULL)
		return sw_diag_memory(diag);
	if (!asked_as_plan(run, found, asked, arena, &plan, diag)) {
		sw_arena_free(arena);
		return false;
	}
	session_keep_plan(session, arena, &plan);
	if (session->state.plan == NULL)
		return sw_diag_memory(diag);
	session->state.plan->program = (int)asked->number;
	session->state.plan->length = found->limit;
	if (asked->named >= 0) {
		const struct choice_row row = reduction_choice(asked->named);
		session->state.plan->algorithm = row.name;
		document_line(run->answer, "reduction %s: %s", row.name, row.about);
	} else {
		document_line(run->answer, "reduction %lld of %lld", (long long)asked->number, (long long)found->count);
	}
	return plan_answer(run, &session->state.plan->plan, 0, diag);
}

static struct fields *add_found(const struct invocation *run, const struct found *found)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.reductions/1");

	field_text(fields, "hierarchy", sw_hierarchy_letter(SW_HIERARCHY_SUMMED_LEVELS));
	field_count(fields, "count", found->count);
	field_int(fields, "limit", found->limit);
	field_bool(fields, "complete", found->complete);
	field_bool(fields, "right", found->right);
	field_int(fields, "faster", found->faster);
	memory_fields(run, fields);
	field_number(fields, "allreduce_s", found->allreduce);
	field_number(fields, "any_length_s", found->best.seconds);
	if (found->bound > 0)
		field_number(fields, "port_bound_s", found->bound);
	return fields;
}

bool command_reductions(struct invocation *run, sw_diag *diag)
{
	struct found found = {.arena = run->arena, .limit = (int)option_number(run, OPTION_LENGTH, LENGTH_LISTED)};
	struct asked asked;
	int64_t shown;

	if (!need_placement(run->session, diag) || !need_sum(run->session, &found.sum, diag))
		return false;
	session_walk_on(run->session, SW_WALK_CONTEXTS);
	if (!find_programs(run, &found, diag) || !rows_to_show(run, found.count, 10, &shown, diag) ||
		!read_asked(run, &found, &asked, diag))
		return false;
	if (argument(run, 0) != NULL) /* what it makes is followed, device by device */
		return take_program(run, &found, &asked, diag);
	if (!check_programs(&found, diag))
		return false;
	say_programs(run, &found);
	say_memory(run);
	if (!answer_programs(run, &found, shown, add_found(run, &found), diag))
		return false;
	say_left_out(run, &found);
	say_proof(run, &found);
	say_borrowing(run);
	return true;
}

bool reductions_as_plans(const struct invocation *run, sw_arena *arena, int most, sw_plan **plans, int *count,
	sw_diag *diag)
{
	struct found found = {.arena = run->arena, .limit = (int)option_number(run, OPTION_LENGTH, LENGTH_LISTED)};
	sw_problem problem;

	if (!need_placement(run->session, diag) || !need_sum(run->session, &found.sum, diag) ||
		!find_programs(run, &found, diag) || !session_problem(run->session, &problem, diag))
		return false;
	*count = found.count < most ? (int)found.count : most;
	*plans = SW_NEW(arena, sw_plan, *count);
	for (int i = 0; *plans != NULL && i < *count; i++) {
		sw_text name = {0};

		if (!path_as_plan(&found, &problem, &found.path[i], arena, &(*plans)[i], diag))
			return false;
		sw_text_addf(&name, "%d: ", i + 1);
		print_path(&found, &found.path[i], &name);
		(*plans)[i].name = sw_text_keep(&name, arena);
	}
	return *plans != NULL || sw_diag_memory(diag);
}

static bool is_plain(const struct found *found, const sw_context_path *path)
{
	for (int k = 0; k < path->count; k++) {
		const sw_step *step = &sw_contexts_steps(found->contexts)[path->step[k]];
		const sw_collective *row = sw_collective_of(step->op);

		if (step->by.form == SW_FORM_MASTERS || row->leaves == SW_LEAVES_ROOT || row->brings == SW_BRINGS_ROOT)
			return false;
	}
	return true;
}

void reductions_hint_plain(const struct invocation *run, sw_diag *diag)
{
	struct found found = {.arena = run->arena, .limit = (int)option_number(run, OPTION_LENGTH, LENGTH_LISTED)};
	sw_text steps = {0};
	sw_diag why;
	int64_t i = 0;

	if (present_sum(run->session, &found.sum) != 1 || !need_placement(run->session, &why) ||
		!find_programs(run, &found, &why))
		return;
	while (i < found.count && !is_plain(&found, &found.path[i]))
		i++;
	if (i == found.count)
		return;
	print_path(&found, &found.path[i], &steps);
	sw_diag_hint(diag, "`reductions %lld` is the next best program that has one: %s, %s", (long long)i + 1,
		sw_text_get(&steps), words_seconds_to(found.path[i].seconds, 4).text);
	sw_text_free(&steps);
}
