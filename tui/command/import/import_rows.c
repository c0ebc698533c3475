/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of an import: from pairs of a log or chains of a module to two plans each.
 */
#include "answer/watch.h"
#include "command/import/import.h"
#include "command/import/import_beside.h"
#include "command/import/import_traffic.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/between.h>

#include "command/compare/compare.h"
#include "command/import/import_left_out.h"
#include "command/repeat.h"
#include "host/interrupt.h"
#include "session/pareto_set.h"

#define LEFTS_SHOWN 8 /* reasons why collectives of a module are in no plan */

/* ---- planning ---- */

static bool is_final(const sw_diag *diag)
{
	return diag->code == SW_S03 || diag->code == SW_E01 || diag->code == SW_S10;
}

/* Both plans of a row, which keeps what is shown of them; what they are in is given back. */
struct row_plans {
	const struct plan_request *asked;
	const sw_problem *problem;
	const sw_pulse *pulse;
	const sw_plan *now, *planned; /* NULL: there is none */
	sw_plan plan[2];
	sw_arena *work[2];
};

/* NULL: `why` says why there is none. */
static const sw_plan *plan_by(struct row_plans *plans, int k, sw_strategy strategy, sw_diag *why)
{
	struct plan_request own = *plans->asked;
	sw_plan_options options;
	own.strategy = sw_problem_has_words(plans->problem) ? SW_DIRECT : strategy;
	if (!plan_request_options(&own, plans->problem, plans->pulse, &options, why))
		return NULL;
	options.sizes_only = true;
	plans->work[k] = sw_arena_new();
	bool found = plans->work[k] ? sw_plan_find(plans->problem, &options, plans->work[k], &plans->plan[k], why) :
								  sw_diag_memory(why);
	return found ? &plans->plan[k] : NULL;
}

/* Between two meshes it is one exchange where that costs less than steps. */
static void take_exchange(struct row_plans *plans)
{
	struct row_plans other = {.asked = plans->asked, .problem = plans->problem, .pulse = plans->pulse};
	sw_diag why = {.code = SW_OK};
	if (!plans->planned || sw_problem_has_words(plans->problem))
		return;
	const sw_plan *exchange = plan_by(&other, 1, SW_DIRECT, &why);
	if (!exchange || exchange->cost >= plans->planned->cost) {
		sw_arena_free(other.work[1]);
		return;
	}
	sw_arena_free(plans->work[1]);
	plans->work[1] = other.work[1];
	plans->plan[1] = *exchange;
}

static void end_plans(const struct row_plans *plans)
{
	sw_arena_free(plans->work[0]);
	sw_arena_free(plans->work[1]);
}

static bool may_be_planned(const sw_plan *plan, const sw_plan_options *options)
{
	bool allowed = options->live_budget == 0 || plan->live_peak <= options->live_budget;
	for (int k = 0; k < plan->program.steps; k++)
		allowed = allowed && (options->without >> plan->program.step[k].op & 1) == 0;
	return allowed;
}

/* What the compiler does is a plan, too.  Another takes its place where it moves less, or as much and holds less or costs less, or
 * where the compiler's largest tile is above the bound. */
static const struct import_plan *better_of(const struct import_row *row, const struct row_plans *plans)
{
	const struct import_plan *now = row->now, *planned = row->planned;
	sw_plan_options options;
	if (!now || !planned || now->peak > planned->budget ||
		!plan_request_options(plans->asked, plans->problem, NULL, &options, NULL) ||
		!may_be_planned(plans->now, &options))
		return planned;
	if (now->bytes != planned->bytes)
		return planned->bytes < now->bytes ? planned : now;
	return planned->peak < now->peak || planned->cost < now->cost ? planned : now;
}

static double predicted(const sw_plan *plan, const sw_machine *machine)
{
	return plan && machine ? sw_predict_seconds(plan, -1, machine) : -1;
}

/* Can what a plan comes to in so many times be counted? */
static bool can_repeat(const struct import_plan *plan, int64_t runs, sw_diag *diag)
{
	return !plan ||
		(repeat_amount(plan->cost, runs, "elements", &(int64_t){0}, diag) &&
			repeat_amount(import_bytes(plan), runs, "bytes", &(int64_t){0}, diag));
}

/* How often in all, and how long each takes. */
static bool count_row(struct import *import, struct import_row *row, const struct row_plans *plans, sw_diag *diag)
{
	const sw_machine *machine = NULL;
	int64_t times = import->imports.times;
	if (!repeat_amount(row->runs, times, "times", &row->runs, diag) ||
		(times > 1 && (!can_repeat(row->now, row->runs, diag) || !can_repeat(row->planned, row->runs, diag))))
		return repeat_refuse(import->run, diag);
	if (plans->problem && !compare_machine(plans->asked, plans->problem->mesh.devices, &machine, NULL))
		machine = NULL;
	row->seconds_now = predicted(plans->now, machine);
	row->seconds_planned = predicted(plans->now && row->planned == row->now ? plans->now : plans->planned, machine);
	import->imports.machine = machine ? machine->name : import->imports.machine;
	return true;
}

/* NULL of NULL, for which `said` stays with the row. */
static const struct import_plan *show_plan(const sw_plan *plan, sw_arena *arena, sw_diag *said, const sw_diag **why)
{
	const struct import_plan *shown = plan ? import_plan_of(plan, arena) : NULL;
	sw_diag *kept = plan ? NULL : SW_NEW(arena, sw_diag, 1);
	if (!shown && !kept)
		sw_diag_memory(said);
	if (kept)
		*kept = *said;
	*why = kept;
	return shown;
}

/* As the compiler does, and as well as possible.  A plan that is no better is not kept. */
static bool plan_row(struct import *import, struct import_row *row, struct row_plans *plans, sw_diag *diag)
{
	sw_diag why = {.code = SW_OK}, why_now = {.code = SW_OK};
	plans->now = row->chain ? row->chain : plan_by(plans, 0, row->planner, &why_now);
	row->now = show_plan(plans->now, import->arena, &why_now, &row->why_now);
	plans->planned = plan_by(plans, 1, SW_FUSED, &why);
	if (row->pair && row->pair->two_meshes)
		take_exchange(plans);
	sw_arena_mark mark = sw_arena_here(import->arena);
	row->planned = show_plan(plans->planned, import->arena, &why, &row->why);
	row->planned = better_of(row, plans);
	if (row->now && row->planned == row->now)
		sw_arena_back(import->arena, mark);
	const sw_diag *bad = is_final(&why) ? &why : is_final(&why_now) ? &why_now : NULL;
	if (bad)
		*diag = *bad;
	return !bad;
}

/* Its problem is made for the time that it is planned. */
static bool plan_and_count(struct import *import, struct import_row *row, const struct plan_request *asked,
	const sw_pulse *pulse, sw_diag *diag)
{
	sw_problem room;
	struct row_plans plans = {.asked = asked, .problem = import_problem(row, &room), .pulse = pulse};
	bool ok = (!plans.problem || plan_row(import, row, &plans, diag)) && count_row(import, row, &plans, diag);
	end_plans(&plans);
	return ok;
}

bool import_plan_rows(struct import *import, struct import_row *rows, int count, sw_diag *diag)
{
	struct plan_request asked;
	struct watch watch;
	bool ok = true;
	if (!plan_request_read(import->run, NULL, &asked, diag))
		return false;
	watch_start(&watch, import->run->session->console);
	for (int i = 0; i < count && ok; i++)
		ok = (sw_pulse_beat(&watch.pulse, "pairs", i, count) ||
				 sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %d of %d pairs", i, count)) &&
			plan_and_count(import, &rows[i], &asked, &watch.pulse, diag);
	watch_end(&watch);
	return ok;
}

/* ---- order ---- */

bool import_sort(struct import *import, struct import_row *rows, int count, sw_diag *diag)
{
	struct imports *imports = &import->imports;
	struct rows sorted;
	struct imports usual = *imports;
	struct import_row *copy = SW_NEW(import->arena, struct import_row, count + 1);
	usual.row = rows;
	usual.count = count;
	usual.by = usual.fold = NULL;
	if (!copy)
		return sw_diag_memory(diag);
	if (!imports_rows(&usual, import->arena, &sorted, diag))
		return false;
	for (int i = 0; i < count; i++) {
		copy[i] = *(const struct import_row *)rows_at(&sorted, i, NULL).row;
		copy[i].number = i + 1;
	}
	imports->row = copy;
	imports->count = count;
	imports->traffic = import_traffic_of(import);
	imports_weigh(imports);
	return true;
}

const struct import_row *import_chosen(const struct import *import, sw_diag *diag)
{
	const struct imports *imports = &import->imports;
	diag->code = SW_OK;
	if (!import->takes) {
		const sw_traffic *traffic = import_traffic_of(import);
		bool whole = imports->count == 1 && (imports->row->planned || !traffic || !traffic->count);
		return whole ? imports->row : NULL;
	}
	if (import->number >= 1 && import->number <= imports->count)
		return &imports->row[import->number - 1];
	sw_str take = import->take.text;
	sw_diag_set(diag, SW_L12, line_span(import->run->position->text, import->take.raw), "there is no row %.*s",
		take.length < 40 ? (int)take.length : 40, take.at);
	if (imports->count)
		sw_diag_expected(diag, imports->count > 1 ? "1 to %d" : "%d", imports->count);
	else
		sw_diag_expected(diag, "no number: none of its collectives is a redistribution");
	sw_diag_hint(diag, "without a number, `import` shows all rows with their numbers");
	return NULL;
}

/* ---- a log ---- */

/* Messages of several systems, each with its count. */
static void say_kinds(const struct import *import)
{
	const sw_log *log = import->log;
	const struct {
		int64_t count;
		const char *one, *more;
	} kinds[] = {
		{log->warnings + log->repeats, "warning of XLA", "warnings of XLA"},
		{log->sequential, "warning of DTensor", "warnings of DTensor"},
		{log->indivisible, "error of JAX", "errors of JAX"},
		{log->plain, "pair A -> B", "pairs A -> B"},
	};
	sw_text text = {0};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].count)
			sw_text_addf(&text, "%s%lld %s", text.length ? ", " : "", (long long)kinds[i].count,
				plural(kinds[i].count, kinds[i].one, kinds[i].more));
	answer_remark(import->run->session, "read as a log: %s; %d different, on %lld %s", sw_text_get(&text), log->count,
		(long long)log->lines, plural(log->lines, "line", "lines"));
	sw_text_free(&text);
}

/* Where the text of a module is cut off, and what became of it. */
static void say_cut(const struct import *import, const sw_diag *cut, const char *of)
{
	if (cut)
		answer_remark(import->run->session, "%s%s: only the text before it was read", of, cut->message);
}

static void say_cut_line(const struct import *import, const sw_log *log, const char *of)
{
	if (log->cut_line)
		answer_remark(import->run->session,
			"%sline %lld: the text ends inside the module: only the text before was read", of,
			(long long)log->cut_line);
}

/* A StableHLO program. */
static void say_program(const struct import *import)
{
	struct session *session = import->run->session;
	const sw_log *log = import->log;
	int64_t pairs = 0;
	for (int i = 0; i < log->count; i++)
		pairs += log->pairs[i].kind == SW_LOG_ASKED ? log->pairs[i].count : 0;
	answer_remark(session,
		"read as the StableHLO module%s%s: %lld %s; it asks for %lld %s, %lld of them for values that have another",
		*log->module ? " " : "", log->module, (long long)log->partitions,
		plural(log->partitions, "device", "devices"), (long long)log->asked,
		plural(log->asked, "sharding", "shardings"), (long long)pairs);
	say_cut_line(import, log, "");
	if (log->warnings)
		answer_remark(session, "beside it %lld %s of XLA", (long long)(log->warnings + log->repeats),
			plural(log->warnings + log->repeats, "warning", "warnings"));
	if (log->bound)
		answer_remark(session, "line %lld: %s", (long long)import_line_at(import->text, log->bound->at.begin),
			log->bound->message);
	if (log->unsaid)
		answer_remark(session,
			"%lld more %s of values whose sharding is unknown, the first in line %lld: the compiler chooses "
			"there",
			(long long)log->unsaid, plural(log->unsaid, "is", "are"), (long long)log->unsaid_line);
	answer_remark(session,
		"the shardings of values follow from arguments and earlier constraints; in between, the compiler may "
		"choose others");
}

/* Two dictionaries: what one of them has alone is named. */
static void say_entries(const struct import *import)
{
	static const char *const which[] = {"first", "second"};
	struct session *session = import->run->session;
	const sw_log *log = import->log;
	answer_remark(session, "read as two dictionaries of shardings: %d %s in both", log->count,
		plural(log->count, "entry is", "entries are"));
	for (int k = 0; k < 2; k++) {
		const sw_log_alone *alone = &log->alone[k];
		if (alone->count)
			answer_remark(session, "only in the %s: %s%s", which[k], alone->names,
				alone->count > SW_LOG_NAMES ? " and others" : "");
	}
}

/* What JAX or PyTorch prints of one. */
static void say_printed(const struct import *import)
{
	const sw_log *log = import->log;
	int64_t collectives = 0;
	for (int i = 0; i < log->traffic.count; i++)
		collectives += log->traffic.row[i].count;
	answer_remark(import->run->session, "read as a %s: %lld %s, %d %s of shardings, on %lld %s", log->printed,
		(long long)collectives, plural(collectives, "collective", "collectives"), log->count,
		plural(log->count, "pair", "pairs"), (long long)log->lines, plural(log->lines, "line", "lines"));
	if (log->unsaid)
		answer_remark(import->run->session,
			"%lld more %s for a sharding of values whose sharding is unknown, the first in line %lld",
			(long long)log->unsaid, plural(log->unsaid, "asks", "ask"), (long long)log->unsaid_line);
}

static void say_pairs(const struct import *import)
{
	struct session *session = import->run->session;
	const sw_log *log = import->log;
	if (log->module) {
		say_program(import);
		return;
	}
	if (log->entries) {
		say_entries(import);
		return;
	}
	if (log->printed) {
		say_printed(import);
		return;
	}
	if (log->sequential || log->indivisible) {
		say_kinds(import);
		return;
	}
	long long warnings = log->warnings + log->repeats, plain = log->plain;
	const char *pairs = plural(log->count, "pair", "pairs"), *lines = plural(log->lines, "line", "lines");
	if (warnings && plain)
		answer_remark(session, "read as an XLA log: %lld %s and %lld %s A -> B, %d different, on %lld %s", warnings,
			plural(warnings, "warning", "warnings"), plain, plural(plain, "pair", "pairs"), log->count,
			(long long)log->lines, lines);
	else if (warnings)
		answer_remark(session, "read as an XLA log: %lld %s, %d different %s, on %lld %s", warnings,
			plural(warnings, "warning", "warnings"), log->count, pairs, (long long)log->lines, lines);
	else
		answer_remark(session, "read as pairs of shardings: %lld %s, %d different, on %lld %s", plain,
			plural(plain, "pair", "pairs"), log->count, (long long)log->lines, lines);
}

static void say_left_out(const struct import *import)
{
	const sw_log *log = import->log;
	const sw_diag *why = &log->left_why;
	if (log->left_out)
		answer_remark(import->run->session, "%lld more %s like pairs and %s left out; the first, line %lld: %s",
			(long long)log->left_out, plural(log->left_out, "looks", "look"), plural(log->left_out, "is", "are"),
			(long long)log->left_line, why->message);
}

static bool has_module(const struct import *import)
{
	return import->before || import->asked;
}

/* Warnings that speak of fewer devices than there are. */
static void say_groups(const struct import *import)
{
	const struct imports *imports = &import->imports;
	struct session *session = import->run->session;
	int groups = 0, wholes = 0, open = 0;
	for (int i = 0; i < imports->count; i++) {
		groups += imports->row[i].group.is == GROUP_CERTAIN;
		open += imports->row[i].group.is == GROUP_POSSIBLE;
		wholes += imports->row[i].whole != NULL;
	}
	if (wholes)
		answer_remark(session, "%d %s about %s", wholes, plural(wholes, "is", "are"),
			has_module(import) ? "values of the module: its mesh, shape and shardings are used" :
								 "the present problem");
	if (groups && imports->count > 1)
		answer_remark(session,
			"%d %s about one group of the devices each: `import FILE N` and `advise` say what to type", groups,
			plural(groups, "is", "are"));
	if (open && imports->count > 1)
		answer_remark(session, "%d %s about %lld devices, which may be one group of several", open,
			plural(open, "is", "are"), (long long)import->log->devices);
}

/* A mesh of which the warning's devices are no groups. */
static void say_mesh(const struct import *import, const sw_log_pair *pair)
{
	int64_t devices = import->program.mesh.devices;
	if (import->program.known && pair->warned && pair->devices && devices % pair->devices)
		answer_remark(import->run->session,
			"the warning is about %lld devices, but the mesh has %lld: it is from another program, so its own "
			"mesh is derived",
			(long long)pair->devices, (long long)devices);
}

/* Rows that are counted only so far. */
static void say_uncounted(const struct import *import)
{
	int rows = 0;
	for (int i = 0; i < import->imports.count; i++)
		rows += import->imports.row[i].runs >= SW_RUNS_MOST;
	if (rows)
		answer_remark(import->run->session, "%d %s more often than %lld times, and %s as so many", rows,
			plural(rows, "row runs", "rows run"), (long long)SW_RUNS_MOST, plural(rows, "counts", "count"));
}

static void say_log(const struct import *import)
{
	say_pairs(import);
	say_left_out(import);
	say_groups(import);
	say_uncounted(import);
}

int64_t import_more(const struct import *import, const sw_log_pair *pair)
{
	return import->log->devices > pair->devices ? import->log->devices : 0;
}

static struct import_row row_of_pair(const sw_log_pair *pair, int index)
{
	struct import_row row = {.index = index,
		.count = pair->count,
		.runs = pair->runs,
		.loop = pair->loop,
		.open = pair->open,
		.untaken = pair->untaken,
		.line = pair->line,
		.source = pair->source,
		.from = pair->kind == SW_LOG_INDIVISIBLE ? NULL : pair->from,
		.to = pair->to,
		.name = pair->names ? pair->name[0] : NULL,
		.maker = pair->op,
		.means = pair->means,
		.remark = pair->remark,
		.planner = pair->kind == SW_LOG_SEQUENTIAL ? SW_DTENSOR : SW_XLA,
		.asks = -1,
		.assumed = pair->shape_is == SW_LOG_ASSUMED};
	row.pair = pair;
	row.others = -1;
	row.why = pair->why;
	row.found_mesh = pair->found_mesh;
	return row;
}

/* A shape before a pasted line is that of the array. */
static bool shape_before(const struct import *import, sw_type *shape)
{
	static const sw_mesh none;
	size_t length = 0;
	while (length < import->text.length && (unsigned char)import->text.at[length] > ' ')
		length++;
	return !import->from_file && sw_type_parse(&none, (sw_str){import->text.at, length}, shape, NULL) &&
		shape->first[shape->rank] == 0;
}

static bool read_log(struct import *import, sw_diag *diag)
{
	sw_type shape;
	sw_log *log = SW_NEW_ZERO(import->arena, sw_log, 1);
	const struct state *state = &import->run->session->state;
	const struct warned_program *program = &import->program;
	struct watch watch;
	if (!log)
		return sw_diag_memory(diag);
	watch_start(&watch, import->run->session->console);
	const sw_type *given = shape_before(import, &shape) ? &shape : state->has[DEFINED_SHAPE] ? &state->shape : NULL;
	const sw_mesh *mesh = program->known ? &program->mesh : state->has[DEFINED_MESH] ? &state->mesh : NULL;
	sw_log_options options = {.mesh = mesh,
		.shape = given,
		.pads = session_pads(import->run->session),
		.pulse = &watch.pulse};
	bool ok = sw_log_read(import->text, &options, import->arena, log, diag);
	watch_end(&watch);
	import->log = log;
	return ok;
}

static bool refuse_row(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	*diag = *row->why;
	return import_refuse(import, diag);
}

/* A constraint of the StableHLO module of which XLA would say just this; false: there is none. */
static bool find_asked(const struct import *import, const sw_log_pair *pair, struct import_row *row, sw_diag *diag)
{
	const sw_log *asked = import->asked;
	sw_whole *whole = SW_NEW(import->arena, sw_whole, 1);
	sw_problem *problem = SW_NEW(import->arena, sw_problem, 1);
	diag->code = SW_OK;
	if (!whole || !problem)
		return sw_diag_memory(diag);
	for (int k = 0; k < asked->count; k++) {
		sw_arena_mark mark = sw_arena_here(import->arena);
		if (!asked->pairs[k].problem || asked->pairs[k].kind != SW_LOG_ASKED)
			continue;
		*problem = sw_log_problem_of(&asked->pairs[k]);
		if (sw_whole_check(pair, problem, import->arena, whole, NULL) && whole->is) {
			row->whole = whole;
			row->own = problem;
			row->found_mesh = asked->pairs[k].found_mesh;
			row->source = row->source ? row->source : asked->pairs[k].source;
			row->asks = asked == import->log ? k : -1;
			return true;
		}
		sw_arena_back(import->arena, mark);
	}
	return false;
}

static const char chosen_words[] =
	"nothing in the module asks for the second sharding: the partitioner chooses it for the uses of the value";

static bool find_value(const struct import *import, const sw_log_pair *pair, struct import_row *row, sw_diag *diag)
{
	const struct warned_program *program = &import->program;
	sw_arena_mark mark = sw_arena_here(import->arena);
	sw_hlo_found *at = SW_NEW(import->arena, sw_hlo_found, 1);
	diag->code = SW_OK;
	if (!at)
		return sw_diag_memory(diag);
	if (!sw_hlo_find_whole(import->before, pair, program->known ? &program->mesh : NULL, import->arena, at)) {
		sw_arena_back(import->arena, mark);
		return false;
	}
	row->whole = &at->whole;
	row->own = &at->reading.problem;
	row->chosen = at->chosen;
	row->others = at->others;
	row->means = !row->means && at->chosen ? chosen_words : row->means;
	row->found_mesh = at->reading.found_mesh;
	return true;
}

/* Why no value of the module is looked for, or none was found; NULL: it is no warning of XLA. */
static const char *why_not_found(const struct import *import, const sw_log_pair *pair)
{
	return !pair->warned ?
		NULL :
		pair->shape_is != SW_LOG_PRINTED ?
		"the value was not searched in the module: the warning does not give the shape on one device" :
		import->asked ?
		"no constraint of the module is between these shardings in this shape: the compiler chose one of them" :
		"no value of the module has these shardings in this shape: a later pass makes it, or the module is "
		"another one";
}

/* The line of the program, by the module's table of stack frames. */
static bool find_source(const struct import *import, const sw_log_pair *pair, struct import_row *row, sw_diag *diag)
{
	diag->code = SW_OK;
	if (import->before && pair->warned && !row->source)
		row->source = sw_hlo_before_source(import->before, pair, import->arena, diag);
	return diag->code == SW_OK;
}

/* Warnings about values of the module get them, with their shape and shardings; of others it is said why not. */
static bool find_in_module(const struct import *import, struct import_row *rows, int count, sw_diag *diag)
{
	int found = 0;
	if (import->before)
		say_cut(import, sw_hlo_before_cut(import->before), "the module of --module is cut off: ");
	if (import->asked && import->asked != import->log)
		say_cut_line(import, import->asked, "the module of --module is cut off: ");
	for (int i = 0; i < count && has_module(import); i++) {
		const sw_log_pair *pair = &import->log->pairs[rows[i].index];
		if (!find_source(import, pair, &rows[i], diag))
			return false;
		bool looked = pair->warned && pair->shape_is == SW_LOG_PRINTED;
		if (looked && (import->asked ? find_asked : find_value)(import, pair, &rows[i], diag)) {
			rows[i].group.is = GROUP_NONE;
			found++;
			continue;
		}
		if (looked && diag->code != SW_OK)
			return false;
		rows[i].means = rows[i].means ? rows[i].means : why_not_found(import, pair);
	}
	if (has_module(import) && !found)
		answer_remark(import->run->session, "the log warns about no value of the module: %s",
			import->asked ? "its constraints differ" :
							"it must be the module before partitioning, *before_spmd-partitioning*.txt");
	return true;
}

/* Warnings that are about the present problem get it, as it is in the program. */
static bool find_wholes(const struct import *import, struct import_row *rows, int count, sw_diag *diag)
{
	const struct session *session = import->run->session;
	const struct state *state = &session->state;
	sw_problem *problem = SW_NEW(import->arena, sw_problem, 1);
	if (!problem)
		return sw_diag_memory(diag);
	if (state->ends_of == ENDS_OF_WARNING || !session_problem(session, problem, NULL))
		return true;
	for (int i = 0; i < count && !has_module(import); i++) {
		sw_whole whole, *kept;
		sw_arena_mark mark = sw_arena_here(import->arena);
		const sw_log_pair *pair = &import->log->pairs[rows[i].index];
		if (!pair->warned || rows[i].whole)
			continue;
		if (!sw_whole_check(pair, problem, import->arena, &whole, diag))
			return false;
		sw_arena_back(import->arena, mark);
		if (!whole.is)
			continue;
		if (!(kept = SW_NEW(import->arena, sw_whole, 1)))
			return sw_diag_memory(diag);
		*kept = whole;
		rows[i].whole = kept;
		rows[i].own = problem;
		rows[i].group.is = GROUP_NONE;
	}
	return true;
}

/* What differs between the warning and the problem that was there before. */
static bool say_other(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	const sw_log_pair *pair = &import->log->pairs[row->index];
	const struct session *session = import->run->session;
	const struct state *state = &session->state;
	sw_problem problem;
	sw_whole whole;
	if (!row->group.by_mesh || state->ends_of == ENDS_OF_WARNING || !session_problem(session, &problem, NULL))
		return true;
	if (!sw_whole_check(pair, &problem, import->arena, &whole, diag))
		return false;
	answer_remark(import->run->session, "it is not about the previous problem: %s", whole.words);
	return true;
}

/* The same array, the other way? */
static bool goes_back(const struct import_row *row, const struct import_row *other)
{
	sw_problem room[2];
	const sw_problem *one = import_problem(row, &room[0]), *two = import_problem(other, &room[1]);
	return other->pair->warned && one && two && strcmp(other->from, row->to) == 0 &&
		strcmp(other->to, row->from) == 0 && one->from.rank == two->from.rank &&
		memcmp(one->from.global, two->from.global, (size_t)one->from.rank * sizeof(*one->from.global)) == 0;
}

/* The row that warns of the way back in a program that differentiates; 0: none. */
static int row_back(const struct import *import, const struct import_row *row)
{
	for (int k = 0; k < import->imports.count && warned_is_differentiated(row->pair); k++)
		if (goes_back(row, &import->imports.row[k]))
			return import->imports.row[k].number;
	return 0;
}

/* The warning's own ends, or those of the problem that it is about. */
static bool take_ends(struct import *import, const struct import_row *row, sw_diag *diag)
{
	struct session *session = import->run->session;
	const sw_log_pair *pair = &import->log->pairs[row->index];
	bool present = row->whole && !has_module(import) && !import->kept;
	sw_problem room;
	say_mesh(import, pair);
	if (!present && !row->whole && !say_other(import, row, diag))
		return false;
	if (!present && !take_problem(session, import_problem(row, &room), diag))
		return false;
	if (!present)
		session->state.found_mesh |= row->found_mesh;
	const struct warned_row taken = {pair, import_more(import, pair), row_back(import, row), row->others,
		row->chosen};
	return !pair->warned ||
		warned_take(session, &taken, &import->program, row->whole ? ENDS_OF_WHOLE : ENDS_OF_WARNING, diag);
}

static bool take_row(struct import *import, const struct import_row *row, sw_diag *diag)
{
	if (!row->planned) {
		import_answer_message(import, row);
		return refuse_row(import, row, diag);
	}
	if (!take_ends(import, row, diag) || !import_left_out_keep(import, row, diag))
		return false;
	return import_answer(import, row, diag);
}

bool import_log_rows(struct import *import, sw_diag *diag)
{
	if (!read_log(import, diag) || !import_beside(import, diag))
		return false;
	int count = import->log->count;
	struct import_row *rows = SW_NEW(import->arena, struct import_row, count);
	if (!rows)
		return sw_diag_memory(diag);
	for (int i = 0; i < count; i++) {
		rows[i] = row_of_pair(&import->log->pairs[i], i);
		rows[i].group = warned_group(&import->log->pairs[i], import_more(import, &import->log->pairs[i]),
			import->program.known ? &import->program.mesh : NULL);
	}
	if (!find_in_module(import, rows, count, diag) || !find_wholes(import, rows, count, diag) ||
		!import_beside_join(import, rows, &count, diag) || !import_plan_rows(import, rows, count, diag))
		return false;
	import->imports.program = import->log->module || import->log->printed;
	return import_sort(import, rows, count, diag) && import_left_out_find(import, diag);
}

bool import_log(struct import *import, bool *nothing, sw_diag *diag)
{
	import->program = warned_program(&import->run->session->state);
	bool ok = import_log_rows(import, diag);
	*nothing = ok && !import->log->count && import->log->traffic.bytes <= 0 && !import->log->traffic.unsized;
	if (!ok || *nothing)
		return false;
	say_log(import);
	const struct import_row *row = import_chosen(import, diag);
	if (!row && diag->code != SW_OK)
		return false;
	return row ? take_row(import, row, diag) : import_answer_all(import, diag);
}

/* ---- a module ---- */

static void say_module(const struct import *import)
{
	struct session *session = import->run->session;
	const sw_hlo_import *module = import->module;
	const char *name = module->name ? module->name : "";
	answer_remark(session, "read as the HLO module%s%s: %lld %s, %lld %s, %lld %s, %d %s", *name ? " " : "", name,
		(long long)module->devices, plural(module->devices, "device", "devices"), (long long)module->instructions,
		plural(module->instructions, "instruction", "instructions"), (long long)module->collectives,
		plural(module->collectives, "collective", "collectives"), module->count,
		plural(module->count, "chain", "chains"));
	say_cut(import, module->cut, "");
	for (int i = 0; i < module->lefts && i < LEFTS_SHOWN; i++)
		answer_remark(session, "line %lld, %%%s%s: %s", (long long)module->left[i].line, module->left[i].first,
			module->left[i].count > 1 ? " and others" : "", module->left[i].reason);
	if (module->lefts > LEFTS_SHOWN)
		answer_remark(session, "and %d more reasons why collectives were left out", module->lefts - LEFTS_SHOWN);
}

static const struct {
	const char *name, *words;
} ends[] = {
	[SW_HLO_ANNOTATED] = {"annotated", NULL},
	[SW_HLO_IMPLIED] = {"implied", "no sharding is annotated: the ends are those that the steps need"},
	[SW_HLO_DERIVED] = {"derived", "the ends follow from annotated values that lead to this one"},
};

/* What was found in a chain, where a plan may save something; NULL: nothing. */
static const char *found_words(const sw_hlo_chain *chain, sw_arena *arena)
{
	sw_text text = {0};
	for (sw_hlo_finding k = 0; k < SW_HLO_FINDING_COUNT; k++)
		if (chain->found >> k & 1)
			sw_text_addf(&text, "%s%s", text.length ? "; " : "", sw_hlo_finding_words(k));
	return text.length ? sw_text_keep(&text, arena) : NULL;
}

static struct import_row row_of_chain(const sw_hlo_chain *chain, int index)
{
	return (struct import_row){.number = index + 1,
		.index = index,
		.count = chain->count,
		.runs = chain->runs,
		.asks = -1,
		.at_most = chain->at_most,
		.loop = chain->loop,
		.open = chain->open,
		.untaken = chain->untaken,
		.line = chain->line,
		.name = chain->last,
		.source = chain->source,
		.own = &chain->plan.problem,
		.chain = &chain->plan,
		.ends = ends[chain->ends].name,
		.remark = chain->remark ? chain->remark : ends[chain->ends].words};
}

/* What a row says of its ends, and that a plan saves no more than it says; NULL: there is no memory. */
static const char *bound_words(const struct import *import, const struct import_row *row)
{
	bool copies = import->module->chains[row->index].ends == SW_HLO_DERIVED;
	sw_text text = {0};
	sw_text_addf(&text, "%s%s, so a plan saves this or less", row->remark ? row->remark : "",
		copies ? "; what looks like copies may not be copies" : "");
	return sw_text_keep(&text, import->arena);
}

/* What was found, and how sure it is, of a row that a plan may better. */
static void say_saving(const struct import *import, struct import_row *row)
{
	const sw_hlo_chain *chain = &import->module->chains[row->index];
	if (import_saving(row) > 0)
		row->means = found_words(chain, import->arena);
	if (row->at_most && row->planned && !import_keeps(row))
		row->remark = bound_words(import, row);
}

/* The compiler's plan becomes the present one: the session holds the arena from then on. */
static bool take_chain(struct import *import, const struct import_row *row, sw_diag *diag)
{
	struct session *session = import->run->session;
	bool has_mesh = session->state.has[DEFINED_MESH] && sw_mesh_equal(&session->state.mesh, &row->own->mesh);
	if (!take_problem(session, row->own, diag))
		return false;
	session->state.found_mesh |= !has_mesh;
	if (!import_left_out_keep(import, row, diag))
		return false;
	bool ok = import_answer(import, row, diag);
	sw_arena *arena = import->arena;
	const sw_plan *plan = import->kept ? plan_copy(row->chain, arena) : row->chain;
	if (!plan)
		return sw_diag_memory(diag);
	import->arena = NULL;
	session_keep_plan(session, arena, plan);
	return ok;
}

static bool refuse_module(const struct import *import, const sw_hlo_import *module, sw_diag *diag)
{
	sw_diag_set(diag, SW_N07, (sw_span){0, 0}, "the module has no chain of collectives that moves or sums a value");
	sw_diag_expected(diag,
		"all-reduce, reduce-scatter, all-gather, all-to-all, collective-permute, or dynamic-slice by the "
		"partition's number");
	if (module->lefts)
		sw_diag_found(diag, "%lld %s left out: %s", (long long)module->left_out,
			plural(module->left_out, "collective", "collectives"), module->left[0].reason);
	else
		sw_diag_found(diag, "%lld instructions", (long long)module->instructions);
	sw_diag_hint(diag, "it must be the module after the SPMD partitioning pass");
	return import_refuse(import, diag);
}

/* The rows over the mesh of --mesh, as far as its axes can say what the module's can. */
static void name_axes(const struct import *import, struct import_row *rows, int count)
{
	const sw_mesh *mesh = &import->run->session->state.mesh;
	int left = 0;
	for (int i = 0; i < count; i++) {
		sw_plan *over = SW_NEW(import->arena, sw_plan, 1);
		bool named = over && sw_plan_over(rows[i].chain, mesh, import->arena, over);
		left += !named;
		rows[i].chain = named ? over : rows[i].chain;
		rows[i].own = named ? &over->problem : rows[i].own;
	}
	if (mesh->devices != import->module->partitions)
		answer_remark(import->run->session,
			"--mesh has %lld devices, but the module has %lld: the module's "
			"own axes are used",
			(long long)mesh->devices, (long long)import->module->partitions);
	else if (left)
		answer_remark(import->run->session,
			"the axes of --mesh cannot express %d of %d chains: these use the module's own axes", left, count);
}

bool import_module(struct import *import, sw_diag *diag)
{
	sw_hlo_import *module = SW_NEW(import->arena, sw_hlo_import, 1);
	struct watch watch;
	if (!module)
		return sw_diag_memory(diag);
	watch_start(&watch, import->run->session->console);
	bool ok = sw_hlo_read_module(import->text, &watch.pulse, import->arena, module, diag);
	watch_end(&watch);
	if (!ok)
		return import_refuse(import, diag);
	import->module = module;
	say_module(import);
	if (!module->count && module->traffic.bytes <= 0)
		return refuse_module(import, module, diag);
	struct import_row *rows = SW_NEW(import->arena, struct import_row, module->count);
	if (!rows)
		return sw_diag_memory(diag);
	for (int i = 0; i < module->count; i++)
		rows[i] = row_of_chain(&module->chains[i], i);
	if (option_given(import->run, OPTION_MESH))
		name_axes(import, rows, module->count);
	if (!import_plan_rows(import, rows, module->count, diag))
		return false;
	for (int i = 0; i < module->count; i++)
		say_saving(import, &rows[i]);
	import->imports.chains = true;
	if (!import_sort(import, rows, module->count, diag) || !import_left_out_find(import, diag))
		return false;
	say_uncounted(import);
	const struct import_row *row = import_chosen(import, diag);
	if (!row && diag->code != SW_OK)
		return false;
	return row ? take_chain(import, row, diag) : import_answer_all(import, diag);
}

/* ---- one of the rows ---- */

bool import_take(struct import *import, const struct import_row *row, sw_diag *diag)
{
	return (import->module ? take_chain : take_row)(import, row, diag);
}
