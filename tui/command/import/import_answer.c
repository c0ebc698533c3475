/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers of the command import: the table, one pair in words and figures, and JSON.
 */
#include "command/import/import.h"
#include "command/import/import_left_out.h"
#include "command/import/import_sums.h"
#include "command/import/import_traffic.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/between.h>

#include "answer/show.h"
#include "command/foreign.h"
#include "host/interrupt.h"
#include "views/draw.h"

/* ---- one row ---- */

static void add_source(struct table *table, const char *label, const char *source)
{
	if (!source)
		return;
	table_add(table, "%s", label);
	table_add(table, "%s", source);
}

/* `runs`: while the module runs once. */
static void add_program(struct table *table, const struct import_row *row, int64_t runs)
{
	add_source(table, "program", row->source);
	if (runs == 1 && !row->open && !row->untaken)
		return;
	table_add(table, "runs");
	if (row->untaken)
		table_add(table, "in a branch that is not counted");
	else
		table_add(table, "%lld %s in each run of the module%s", (long long)runs, plural(runs, "time", "times"),
			row->open ? "; a loop around it does not say how often it runs, so it counts once" : "");
}

static void add_gradient(struct table *table, const sw_log_pair *pair)
{
	if (!warned_is_gradient(pair))
		return;
	table_add(table, "gradient");
	table_add(table,
		"differentiation makes it: JAX transposes a constraint on the differentiated value into one on its "
		"gradient, so constrain that value");
}

static void add_value(struct table *table, const struct import_row *row, const sw_log_pair *pair)
{
	sw_text text = {0};
	if (!pair->names)
		return;
	sw_text_addf(&text, pair->entry ? "%s" : "%%%s", pair->name[0]);
	if (pair->more_names)
		sw_text_add(&text, " and others");
	else if (pair->names > 1)
		sw_text_addf(&text, " and %d more", pair->names - 1);
	sw_text_addf(&text, pair->op ? ", made by %s" : "%s", pair->op ? pair->op : "");
	sw_text_addf(&text, pair->op_name ? ", %s" : "%s", pair->op_name ? pair->op_name : "");
	table_add(table, "value");
	table_add_text(table, &text);
	if (pair->kind == SW_LOG_ASKED)
		add_program(table, row, pair->runs);
}

static void add_shape(struct table *table, const sw_log_pair *pair)
{
	if (pair->shape_is != SW_LOG_PRINTED && pair->shape_is != SW_LOG_ASSUMED)
		return;
	table_add(table, "shape");
	if (pair->shape_is == SW_LOG_PRINTED)
		table_add(table, "%s is that of one device", pair->shape);
	else
		table_add(table, "unknown: sizes that all devices divide are assumed, so bytes are right up to a factor");
}

/* Of how many devices the warning speaks, or what it is the whole of. */
static void add_group(struct table *table, const struct import_row *row)
{
	sw_text text = {0};
	if (row->whole) {
		table_add(table, "whole");
		table_add(table, "%s", row->whole->words);
	} else if (row->group.is != GROUP_NONE) {
		group_print(&row->group, &text);
		table_add(table, "group");
		table_add_text(table, &text);
	}
}

static void add_chain(struct table *table, const struct import_row *row, const sw_hlo_chain *chain)
{
	sw_text text = {0};
	sw_text_addf(&text, "%%%s, line %lld", chain->last, (long long)chain->line);
	sw_text_addf(&text, chain->op_name ? ", %s" : "%s", chain->op_name ? chain->op_name : "");
	table_add(table, "value");
	table_add_text(table, &text);
	add_program(table, row, chain->runs);
	for (int k = 0; k < chain->source_count; k++)
		if (strcmp(chain->sources[k], chain->source) != 0)
			add_source(table, "also", chain->sources[k]);
	for (sw_hlo_finding k = 0; k < SW_HLO_FINDING_COUNT; k++)
		if (chain->found >> k & 1) {
			table_add(table, "found");
			table_add(table, "%s", sw_hlo_finding_words(k));
		}
}

static void add_end(struct table *table, const char *label, const sw_mesh *mesh, const sw_type *type,
	const sw_distribution *words)
{
	sw_text text = {0};
	if (words)
		sw_type_print_any(mesh, type, words, true, &text);
	else
		sw_type_print(mesh, type, true, &text);
	table_add(table, "%s", label);
	table_add_text(table, &text);
}

static void add_ends(struct table *table, const sw_problem *problem)
{
	sw_text text = {0};
	table_add(table, "mesh");
	sw_mesh_print(&problem->mesh, &text);
	table_add_text(table, &text);
	add_end(table, "from", &problem->mesh, &problem->from, problem->from_words);
	add_end(table, "to", &problem->mesh, &problem->to, problem->to_words);
}

/* One end in words: "dimension 0 in 2 parts, 4 copies of each part". */
static void add_words(struct table *table, const char *label, const sw_mesh *mesh, const sw_type *type)
{
	int cut = 0;
	int64_t copies = sw_type_copies(mesh, type);
	sw_text text = {0};
	for (int d = 0; d < type->rank; d++)
		if (type->global[d] != type->tile[d])
			sw_text_addf(&text, "%sdimension %d in %lld parts", cut++ ? ", " : "", d,
				(long long)(type->global[d] / type->tile[d]));
	sw_text_add(&text, cut ? "" : "no dimension partitioned");
	if (copies > 1)
		sw_text_addf(&text, ", %lld copies of %s", (long long)copies, cut ? "each part" : "the whole");
	table_add(table, "%s", label);
	table_add_text(table, &text);
}

/* What a message of DTensor or JAX says, and what to do about it. */
static void add_message(struct table *table, const sw_log_pair *pair)
{
	const char *write = pair->kind == SW_LOG_SEQUENTIAL ? "offer" : "write"; /* `advise` weighs it */
	const char *const labels[] = {"means", write, "type"}, *const texts[] = {pair->means, pair->write, pair->type};
	for (int i = 0; i < 3; i++)
		if (texts[i]) {
			table_add(table, "%s", labels[i]);
			table_add(table, "%s", texts[i]);
		}
}

static const struct column labelled[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_LEFT("", ROLE_TEXT), {0}};

void import_answer_message(const struct import *import, const struct import_row *row)
{
	const sw_log_pair *pair = &import->log->pairs[row->index];
	if (pair->means)
		add_message(document_table(import->run->answer, labelled), pair);
}

static void add_row_ends(const struct import *import, const struct import_row *row)
{
	struct table *table = document_table(import->run->answer, labelled);
	sw_problem room;
	const sw_problem *problem = import_problem(row, &room);
	if (import->log) {
		add_value(table, row, &import->log->pairs[row->index]);
		if (import->log->pairs[row->index].kind != SW_LOG_ASKED)
			add_source(table, "program", row->source);
		add_gradient(table, &import->log->pairs[row->index]);
		add_shape(table, &import->log->pairs[row->index]);
		add_group(table, row);
	} else {
		add_chain(table, row, &import->module->chains[row->index]);
	}
	add_ends(table, problem);
	if (!sw_problem_has_words(problem)) {
		add_words(table, "now", &problem->mesh, &problem->from);
		add_words(table, "then", &problem->mesh, &problem->to);
	}
	if (import->log)
		add_message(table, &import->log->pairs[row->index]);
	const char *const notes[] = {import->log && row->chosen ? row->means : NULL, row->remark};
	for (int k = 0; k < 2; k++)
		if (notes[k]) {
			table_add(table, "note");
			table_add(table, "%s", notes[k]);
		}
	table_add(table, " ");
	table_add(table, " ");
}

static void add_bytes(struct table *table, int64_t bytes)
{
	sw_text text = {0};
	if (bytes < 0)
		sw_text_add_char(&text, '-');
	else
		sw_print_bytes(&text, bytes);
	table_add_text(table, &text);
}

static void add_plan(struct table *table, const char *name, const struct import_plan *plan, const sw_diag *why)
{
	sw_text steps = {0};
	table_add(table, "%s", name);
	add_bytes(table, import_bytes(plan));
	add_bytes(table, import_peak(plan));
	add_bytes(table, import_live(plan));
	table_add_if(table, plan != NULL, plan ? plan->cost : 0);
	for (int k = 0; plan && k < plan->count; k++)
		sw_text_addf(&steps, "%s%s", k ? ", " : "", import_step(plan, k, IMPORT_STEP));
	if (!plan || !plan->count)
		sw_text_add(&steps, plan ? "nothing to do" : why ? why->message : "");
	table_add_text(table, &steps);
}

/* Whose plan is the one that is there now. */
static const char *now_name(const struct import *import, const struct import_row *row)
{
	return import->module ? "compiler" : row->planner == SW_DTENSOR ? "DTensor now" : "XLA now";
}

static void add_plans(const struct import *import, const struct import_row *row)
{
	static const struct column columns[] = {COLUMN_LEFT("plan", ROLE_LABEL), COLUMN_RIGHT("bytes moved", ROLE_NUMBER),
		COLUMN_RIGHT("tile", ROLE_NUMBER), COLUMN_RIGHT("peak memory", ROLE_NUMBER),
		COLUMN_RIGHT("cost", ROLE_NUMBER), COLUMN_LEFT("steps", ROLE_OP), {0}};
	struct table *table = document_table(import->run->answer, columns);
	add_plan(table, now_name(import, row), row->now, row->why_now);
	add_plan(table, "planned", row->planned, row->why);
}

static void add_reasons(struct table *table, const char *name, const struct import_plan *plan)
{
	for (int k = 0; plan && k < plan->count; k++) {
		table_add(table, "%s", k ? "" : name);
		table_add(table, "%s", import_step(plan, k, IMPORT_STEP));
		table_add(table, "%s", import_step(plan, k, IMPORT_WHY));
	}
}

/* Why each step of both plans is there. */
static void add_whys(const struct import *import, const struct import_row *row)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_LEFT("", ROLE_OP),
		COLUMN_LEFT("", ROLE_TEXT), {0}};
	if (!(row->now && row->now->count) && !(row->planned && row->planned->count))
		return;
	document_line(import->run->answer, "\nwhy");
	struct table *table = document_table(import->run->answer, columns);
	add_reasons(table, now_name(import, row), row->now);
	add_reasons(table, "planned", row->planned);
}

static void add_verdict(struct document *answer, const struct import_row *row)
{
	int64_t now = import_bytes(row->now), planned = import_bytes(row->planned);
	int64_t peak_now = import_peak(row->now), peak = import_peak(row->planned);
	struct import_over over = import_over(row);
	sw_text out = {0};
	if (!row->now || !row->planned)
		return;
	if (import_keeps(row))
		sw_text_add(&out, "nothing can be gained: no plan moves less");
	else if (now > planned && planned > 0)
		sw_text_addf(&out, "the plan moves %s%.1f times less", row->at_most ? "at best " : "",
			(double)now / (double)planned);
	else if (now > planned)
		sw_text_addf(&out, "the plan moves nothing%s", row->at_most ? " at best" : "");
	else
		sw_text_add(&out, now == planned ? "the plan moves just as much" : "the plan moves more");
	if (now < planned && over.what)
		sw_text_addf(&out, ": the compiler's %s of %s is above the limit", over.what,
			words_bytes(over.now, SW_I8).text);
	if (peak_now > peak && peak > 0)
		sw_text_addf(&out, ", and its largest tile is %.1f times smaller", (double)peak_now / (double)peak);
	sw_text_add_char(&out, '\n');
	document_lines(answer, &out);
}

/* That these products fit was seen when the rows were counted. */
static void add_repeated(struct table *table, const struct import_row *row, const char *name,
	const struct import_plan *plan, double seconds)
{
	if (!plan)
		return;
	table_add(table, "%s", name);
	add_bytes(table, import_bytes(plan) * row->runs);
	table_add_count(table, plan->cost * row->runs);
	table_add(table, "%s", seconds < 0 ? "-" : words_seconds(import_seconds(row, seconds)).text);
}

/* What it comes to as often as it happens, where `times` was said. */
static void add_sums(const struct import *import, const struct import_row *row)
{
	static const struct column columns[] = {COLUMN_LEFT("in all", ROLE_LABEL),
		COLUMN_RIGHT("bytes moved", ROLE_NUMBER), COLUMN_RIGHT("cost", ROLE_NUMBER),
		COLUMN_RIGHT("time", ROLE_NUMBER), {0}};
	struct document *answer = import->run->answer;
	if (import->imports.times < 2)
		return;
	document_line(answer, "\n%s%s%s:", words_plural(row->runs, "time", "times").text,
		import->imports.machine ? ", time predicted on hardware " : "",
		import->imports.machine ? import->imports.machine : "");
	struct table *table = document_table(answer, columns);
	add_repeated(table, row, "now", row->now, row->seconds_now);
	add_repeated(table, row, "planned", row->planned, row->seconds_planned);
}

static void remark_next(const struct import *import, const struct import_row *row)
{
	struct session *session = import->run->session;
	bool dtensor = import->log && row->planner == SW_DTENSOR;
	if (import->log && import->log->pairs[row->index].shape_is == SW_LOG_ASSUMED)
		answer_remark(session, "`import f32[...] LINE` gives the real shape");
	if (import->module)
		answer_remark(session,
			"the compiler's plan is now the present one: `show plan`, `verify`, `run`, "
			"`compare`");
	answer_remark(session, "`advise%s` says what to write in your program%s", dtensor ? " --for dtensor" : "",
		import->module ? "" : "; `plan` and `show tiles` draw it");
}

static void answer_row(const struct import *import, const struct import_row *row)
{
	bool planned = !import->log || import->log->pairs[row->index].kind != SW_LOG_INDIVISIBLE;
	add_row_ends(import, row);
	if (planned) {
		add_plans(import, row);
		add_verdict(import->run->answer, row);
		add_sums(import, row);
		add_whys(import, row);
	}
	remark_next(import, row);
}

/* ---- fields ---- */

static void add_problem(struct fields *in, const sw_problem *problem)
{
	if (problem)
		field_mesh(in, "mesh", &problem->mesh);
	else
		field_null(in, "mesh");
	field_ends(in, problem, false);
	field_text(in, "dtype", problem ? sw_dtype_name(problem->from.dtype) : NULL);
}

static void add_devices(struct fields *in, const char *key, const int64_t *ids, int64_t devices)
{
	if (ids)
		field_ints(in, key, ids, devices);
}

static void add_pair(struct fields *in, const sw_log_pair *pair, const char *source)
{
	static const char *const shapes[] = {"printed", "written", "given", "assumed"};
	struct fields *names = field_list(in, "names");
	for (int i = 0; i < pair->names; i++)
		field_text(names, NULL, pair->name[i]);
	field_text(in, "said_by",
		pair->kind == SW_LOG_SEQUENTIAL      ? "dtensor" :
			pair->kind == SW_LOG_INDIVISIBLE ? "jax" :
			pair->warned                     ? "xla" :
											   NULL);
	field_text(in, "op", pair->op);
	field_text(in, "op_name", pair->op_name);
	field_text(in, "source", source);
	field_text(in, "from_text", pair->kind == SW_LOG_INDIVISIBLE ? NULL : pair->from);
	field_text(in, "to_text", pair->to);
	field_text(in, "shape_text", pair->shape);
	field_text(in, "shape_is", pair->problem ? shapes[pair->shape_is] : NULL);
}

static void add_found(struct fields *in, unsigned found)
{
	struct fields *list = field_list(in, "found");
	for (sw_hlo_finding k = 0; k < SW_HLO_FINDING_COUNT; k++)
		if (found >> k & 1)
			field_text(list, NULL, sw_hlo_finding_name(k));
}

static void add_chain_fields(struct fields *in, const sw_hlo_chain *chain)
{
	field_text(field_list(in, "names"), NULL, chain->last);
	field_text(in, "first", chain->first);
	field_text(in, "computation", chain->computation);
	field_text(in, "op_name", chain->op_name);
	field_text(in, "source", chain->source);
	struct fields *sources = field_list(in, "sources");
	for (int k = 0; k < chain->source_count; k++)
		field_text(sources, NULL, chain->sources[k]);
	add_found(in, chain->found);
	field_bool(in, "annotated", chain->ends == SW_HLO_ANNOTATED);
}

/* One text of each step. */
static void add_steps(struct fields *in, const char *key, const struct import_plan *plan, enum import_text which)
{
	struct fields *list = plan ? field_list(in, key) : NULL;
	if (!plan)
		field_null(in, key);
	for (int k = 0; plan && k < plan->count; k++)
		field_text(list, NULL, import_step(plan, k, which));
}

/* Why more is moved: what the compiler's plan has above its bound, in bytes; null where that is not why. */
static void add_bound(struct fields *in, const struct import_row *row)
{
	struct import_over over = import_over(row);
	if (!over.what || import_bytes(row->planned) <= import_bytes(row->now)) {
		field_null(in, "bound");
		return;
	}
	struct fields *bound = field_object(in, "bound");
	field_text(bound, "of", over.what);
	field_int(bound, "now", over.now);
	field_int(bound, "planned", over.planned);
}

/* Both plans in figures. */
static void add_figures(struct fields *in, const struct import_row *row)
{
	field_count(in, "bytes_now", import_bytes(row->now));
	field_count(in, "bytes_planned", import_bytes(row->planned));
	field_count(in, "peak_now", import_peak(row->now));
	field_count(in, "peak_planned", import_peak(row->planned));
	field_count(in, "cost_now", row->now ? row->now->cost : -1);
	field_count(in, "cost_planned", row->planned ? row->planned->cost : -1);
	field_count(in, "live_peak_now", import_live(row->now));
	field_count(in, "live_peak_planned", import_live(row->planned));
	add_bound(in, row);
	field_digits(in, "seconds_now", row->seconds_now, 9);
	field_digits(in, "seconds_planned", row->seconds_planned, 9);
	add_steps(in, "steps_now", row->now, IMPORT_STEP);
	add_steps(in, "steps_planned", row->planned, IMPORT_STEP);
	add_steps(in, "why_now", row->now, IMPORT_WHY);
	add_steps(in, "why_planned", row->planned, IMPORT_WHY);
}

/* The compiler's plan as `export plan` writes it. */
static bool add_whole(struct fields *in, const sw_plan *plan, sw_diag *diag)
{
	sw_text text = {0};
	bool ok = sw_plan_write(plan, SW_JSON_LINE, &text, diag);
	field_raw(in, "plan", (sw_str){sw_text_get(&text), text.length});
	sw_text_free(&text);
	return ok;
}

/* What its columns do not have. */
static bool add_row(const struct imports *imports, const struct import_row *row, struct fields *in, sw_diag *diag)
{
	const struct import *import = imports->context;
	const sw_log_pair *pair = import->log ? &import->log->pairs[row->index] : NULL;
	sw_problem room;
	const sw_problem *problem = import_problem(row, &room);
	if (pair)
		add_pair(in, pair, row->source);
	else
		add_chain_fields(in, &import->module->chains[row->index]);
	add_problem(in, problem);
	if (problem) {
		add_devices(in, "devices", problem->mesh.order, problem->mesh.devices);
		add_devices(in, "to_devices", sw_problem_to_order(problem), problem->mesh.devices);
	}
	add_figures(in, row);
	if (import->module) {
		field_text(in, "ends", row->ends);
		field_bool(in, "at_most", row->at_most);
	}
	field_text(in, "remark", row->remark);
	if (pair) {
		field_text(in, "means", row->means);
		field_text(in, "write", pair->write);
		field_text(in, "type", pair->type);
		warned_fields(in, pair, &row->group, row->whole);
	}
	field_diag(in, "error", row->why ? row->why : row->why_now, import_source(import), 1, import->text);
	return !import->module || add_whole(in, row->chain, diag);
}

static bool has_messages(const sw_log *log)
{
	return log->warnings || log->sequential || log->indivisible;
}

/* What looked like a pair and was none, with the first reason. */
/* Where the text of a module is cut off. */
static void add_cut_line(struct fields *in, int64_t line)
{
	if (line)
		field_int(in, "cut_line", line);
	else
		field_null(in, "cut_line");
}

static void add_log(const struct import *import, struct fields *in)
{
	const sw_log *log = import->log;
	if (log->module) {
		field_text(in, "module", log->module);
		field_count(in, "partitions", log->partitions);
		field_count(in, "asked", log->asked);
		field_count(in, "unsaid", log->unsaid);
		add_cut_line(in, log->cut_line);
	}
	field_int(in, "lines", log->lines);
	field_int(in, "found", log->warnings + log->repeats + log->sequential + log->indivisible + log->plain);
	field_int(in, "left_out", log->left_out);
	field_diag(in, "left_why", log->left_out ? &log->left_why : NULL, import_source(import), 1, import->text);
}

static void add_module(const struct import *import, struct fields *in, const sw_hlo_import *module)
{
	field_text(in, "module", module->name);
	field_count(in, "partitions", module->partitions);
	field_int(in, "instructions", module->instructions);
	field_int(in, "collectives", module->collectives);
	add_cut_line(in, module->cut ? import_line_at(import->text, module->cut->at.begin) : 0);
	field_int(in, "left_out", module->left_out);
	struct fields *left = field_list(in, "left");
	for (int i = 0; i < module->lefts; i++) {
		struct fields *one = field_object(left, NULL);
		field_text(one, "first", module->left[i].first);
		field_int(one, "line", module->left[i].line);
		field_int(one, "count", module->left[i].count);
		field_text(one, "reason", module->left[i].reason);
	}
}

static void add_head(const struct import *import, struct fields *in)
{
	const sw_log *log = import->log;
	field_text(in, "kind",
		!log                  ? "hlo" :
			log->module       ? "stablehlo" :
			log->printed      ? log->printed :
			has_messages(log) ? "warnings" :
								"pairs");
	field_text(in, "source", import_source(import));
	if (log)
		add_log(import, in);
	else
		add_module(import, in, import->module);
}

static void add_total(struct fields *in, const struct import_total *total)
{
	field_int(in, "count", total->occurrences);
	field_int(in, "planned", total->planned);
	field_int(in, "failed", total->failed);
	field_int(in, "runs", total->runs);
	field_number(in, "bytes_now", total->bytes_now);
	field_number(in, "bytes_planned", total->bytes_planned);
	field_number(in, "bytes_saved", total->saved);
	field_number(in, "bytes_saved_implied", total->at_most);
	field_number(in, "seconds_now", total->seconds_now);
	field_number(in, "seconds_planned", total->seconds_planned);
	field_count(in, "peak_now", total->peak_now);
	field_count(in, "peak_planned", total->peak_planned);
}

/* All rows in their order, and where they are folded what is folded. */
static bool add_rows(const struct import *import, struct fields *in, sw_diag *diag)
{
	struct imports each = import->imports;
	struct rows rows;
	each.fold = NULL;
	each.fill = add_row;
	each.context = import;
	if (!imports_rows(&each, import->run->arena, &rows, diag) || !rows_list(&rows, in, "rows", diag))
		return false;
	return !import->imports.fold ||
		(imports_rows(&import->imports, import->run->arena, &rows, diag) && rows_list(&rows, in, "folds", diag));
}

static bool add_fields(const struct import *import, struct fields *fields, sw_diag *diag)
{
	const struct import_total total = import_sum(&import->imports);
	add_head(import, fields);
	if (!add_rows(import, fields, diag)) {
		document_clear(import->run->answer);
		return false;
	}
	if (import->module) {
		import_findings_fields(import, fields);
		import_sums_fields(import, fields);
	}
	import_left_out_fields(import, fields);
	if (!import_traffic_fields(import, fields, diag))
		return false;
	add_total(field_object(fields, "total"), &total);
	field_int(fields, "times", import->imports.times);
	field_text(fields, "machine", import->imports.machine);
	return true;
}

/* What is drawn so far is written: a log of many lines is no picture that has to be whole. */
static bool next_part(void *context, struct canvas **out, sw_diag *diag)
{
	const struct invocation *run = context;
	if (!sw_pulse_beat(interrupt_pulse(), "rows", 0, 0))
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before everything was written");
	if (!answer_pass_on(run->session, diag))
		return false;
	*out = document_canvas(run->answer);
	return true;
}

/* A pager gets the table as a whole. */
static bool answer_table(const struct import *import, sw_diag *diag)
{
	struct invocation *run = import->run;
	const struct view_parts parts = {next_part, run};
	struct view_input in = {.imports = &import->imports};
	struct view_options options = view_options_default(run->answer->width);
	options.parts = run->session->interactive || run->answer->whole ? NULL : &parts;
	return view_answer(run, view_imports, &in, &options, diag);
}

bool import_answer(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	struct fields *fields = document_fields(import->run->answer, "shardwalk.import/1");
	if (fields)
		return add_fields(import, fields, diag);
	if (row)
		answer_row(import, row);
	else if (!import->imports.count)
		import_traffic_most(import);
	else if (!answer_table(import, diag))
		return false;
	import_left_out_say(import, row);
	if (import->kept)
		return true;
	import_sums(import);
	return import_traffic(import, diag);
}
