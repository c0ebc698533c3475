/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers of the command import: the table, one pair in words and figures, and JSON.
 */
#include "command/import.h"

#include <string.h>

#include <shardwalk/json.h>
#include <shardwalk/number.h>

#include "command/answer.h"
#include "command/foreign.h"
#include "views/draw.h"

bool import_answer_table(const struct import *import, sw_diag *diag)
{
	struct view_options options = view_options_default(import->run->session->console.width);
	struct view_input in = {.imports = &import->imports};
	return view_answer(import->run, view_imports, &in, &options, diag);
}

/* ---- one row ---- */

/* The line of the program, and how often it happens. */
static void add_program(struct table *table, const char *source, int64_t runs, bool open)
{
	if (source) {
		table_add(table, "program");
		table_add(table, "%s", source);
	}
	if (runs == 1 && !open)
		return;
	table_add(table, "runs");
	table_add(table, "%lld %s while the module runs once%s", (long long)runs, plural(runs, "time", "times"),
		open ? "; a loop around it does not say how often it runs, and counts once" : "");
}

static void add_value(struct table *table, const sw_log_pair *pair)
{
	sw_text text = {0};
	if (!pair->names)
		return;
	sw_text_addf(&text, "%%%s", pair->name[0]);
	if (pair->more_names)
		sw_text_add(&text, " and others");
	else if (pair->names > 1)
		sw_text_addf(&text, " and %d more", pair->names - 1);
	sw_text_addf(&text, pair->op ? ", made by %s" : "%s", pair->op ? pair->op : "");
	sw_text_addf(&text, pair->op_name ? ", %s" : "%s", pair->op_name ? pair->op_name : "");
	table_add(table, "value");
	table_add_text(table, &text);
	if (pair->kind == SW_LOG_ASKED)
		add_program(table, pair->source, pair->runs, pair->open);
}

static void add_shape(struct table *table, const sw_log_pair *pair)
{
	if (pair->shape_is != SW_LOG_PRINTED && pair->shape_is != SW_LOG_ASSUMED)
		return;
	table_add(table, "shape");
	if (pair->shape_is == SW_LOG_PRINTED)
		table_add(table, "%s is that of one device", pair->shape);
	else
		table_add(table,
			"nothing says it: sizes that all devices divide are assumed; bytes are right up to a factor");
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

static void add_chain(struct table *table, const sw_hlo_chain *chain)
{
	sw_text text = {0};
	sw_text_addf(&text, "%%%s, line %lld", chain->last, (long long)chain->line);
	sw_text_addf(&text, chain->op_name ? ", %s" : "%s", chain->op_name ? chain->op_name : "");
	table_add(table, "value");
	table_add_text(table, &text);
	add_program(table, chain->source, chain->runs, chain->open);
}

static void add_ends(struct table *table, const sw_problem *problem)
{
	sw_text text = {0};
	table_add(table, "mesh");
	sw_mesh_print(&problem->mesh, &text);
	table_add_text(table, &text);
	table_add(table, "from");
	sw_type_print(&problem->mesh, &problem->from, true, &text);
	table_add_text(table, &text);
	table_add(table, "to");
	sw_type_print(&problem->mesh, &problem->to, true, &text);
	table_add_text(table, &text);
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
	sw_text_add(&text, cut ? "" : "no dimension cut");
	if (copies > 1)
		sw_text_addf(&text, ", %lld copies of %s", (long long)copies, cut ? "each part" : "the whole");
	table_add(table, "%s", label);
	table_add_text(table, &text);
}

/* What a message of DTensor or JAX says, and what to do about it. */
static void add_message(struct table *table, const sw_log_pair *pair)
{
	const char *const labels[] = {"means", "write", "type"}, *const texts[] = {pair->means, pair->write, pair->type};
	for (int i = 0; i < 3; i++)
		if (texts[i]) {
			table_add(table, "%s", labels[i]);
			table_add(table, "%s", texts[i]);
		}
}

bool import_answer_message(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	static const struct column columns[] = {{"", false, ROLE_LABEL}, {"", false, ROLE_TEXT},
		{NULL, false, ROLE_TEXT}};
	const sw_log_pair *pair = &import->log->pairs[row->index];
	struct table table = table_start(import->run->arena, columns);
	if (!pair->means || wants_json(import->run))
		return true;
	add_message(&table, pair);
	return table_print(&table, import->run->session, diag);
}

static bool print_ends(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	static const struct column columns[] = {{"", false, ROLE_LABEL}, {"", false, ROLE_TEXT},
		{NULL, false, ROLE_TEXT}};
	struct table table = table_start(import->run->arena, columns);
	if (import->log) {
		add_value(&table, &import->log->pairs[row->index]);
		add_shape(&table, &import->log->pairs[row->index]);
		add_group(&table, row);
	} else {
		add_chain(&table, &import->module->chains[row->index]);
	}
	add_ends(&table, row->problem);
	add_words(&table, "now", &row->problem->mesh, &row->problem->from);
	add_words(&table, "then", &row->problem->mesh, &row->problem->to);
	if (import->log)
		add_message(&table, &import->log->pairs[row->index]);
	if (row->remark) {
		table_add(&table, "note");
		table_add(&table, "%s", row->remark);
	}
	table_add(&table, " ");
	table_add(&table, " ");
	return table_print(&table, import->run->session, diag);
}

static bool write_text(const struct import *import, sw_text *text, sw_diag *diag)
{
	bool ok = !text->failed ? console_write(&import->run->session->console, text, diag) : sw_diag_memory(diag);
	sw_text_free(text);
	return ok;
}

/* "all-gather, dynamic slice", with what each does. */
static void steps_text(const sw_plan *plan, sw_text *text)
{
	for (int k = 0; k < plan->count; k++) {
		sw_text_add(text, k ? ", " : "");
		step_text(plan, k, text);
	}
	if (!plan->count)
		sw_text_add(text, "nothing to do");
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

static void add_plan(struct table *table, const char *name, const sw_plan *plan, const sw_diag *why)
{
	sw_text steps = {0};
	table_add(table, "%s", name);
	add_bytes(table, import_bytes(plan));
	add_bytes(table, import_peak(plan));
	table_add_if(table, plan != NULL, plan ? plan->cost : 0);
	if (plan)
		steps_text(plan, &steps);
	else
		sw_text_add(&steps, why->message);
	table_add_text(table, &steps);
}

static bool print_plans(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	static const struct column columns[] = {{"plan", false, ROLE_LABEL}, {"bytes moved", true, ROLE_NUMBER},
		{"peak", true, ROLE_NUMBER}, {"cost", true, ROLE_NUMBER}, {"steps", false, ROLE_OP},
		{NULL, false, ROLE_TEXT}};
	struct table table = table_start(import->run->arena, columns);
	add_plan(&table,
		import->module                 ? "compiler" :
			row->planner == SW_DTENSOR ? "DTensor now" :
										 "XLA now",
		row->now, &row->why_now);
	add_plan(&table, "planned", row->planned, &row->why);
	return table_print(&table, import->run->session, diag);
}

static void add_reasons(struct table *table, const char *name, const sw_plan *plan)
{
	sw_text text = {0};
	for (int k = 0; plan && k < plan->count; k++) {
		table_add(table, "%s", k ? "" : name);
		step_text(plan, k, &text);
		table_add_text(table, &text);
		sw_plan_why(plan, k, &text);
		table_add_text(table, &text);
	}
}

/* Why each step of both plans is there. */
static bool print_reasons(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	static const struct column columns[] = {{"", false, ROLE_LABEL}, {"", false, ROLE_OP}, {"", false, ROLE_TEXT},
		{NULL, false, ROLE_TEXT}};
	struct table table = table_start(import->run->arena, columns);
	add_reasons(&table, import->module ? "compiler" : "XLA now", row->now);
	add_reasons(&table, "planned", row->planned);
	return !table.cells ||
		(answer_line(import->run->session, diag, "\nwhy") && table_print(&table, import->run->session, diag));
}

static void add_verdict(const struct import_row *row, sw_text *out)
{
	int64_t now = import_bytes(row->now), planned = import_bytes(row->planned);
	int64_t peak_now = import_peak(row->now), peak = import_peak(row->planned);
	if (!row->now || !row->planned)
		return;
	if (now > planned && planned > 0)
		sw_text_addf(out, "the plan moves %.1f times less", (double)now / (double)planned);
	else if (now > planned)
		sw_text_add(out, "the plan moves nothing");
	else
		sw_text_add(out, now == planned ? "the plan moves as much" : "the plan moves more");
	if (peak_now > peak && peak > 0)
		sw_text_addf(out, ", and holds %.1f times less at its peak", (double)peak_now / (double)peak);
	sw_text_add_char(out, '\n');
}

bool import_answer_row(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	struct console *console = &import->run->session->console;
	sw_text out = {0};
	bool planned = !import->log || import->log->pairs[row->index].kind != SW_LOG_INDIVISIBLE;
	if (!print_ends(import, row, diag) || (planned && !print_plans(import, row, diag)))
		return false;
	if (planned)
		add_verdict(row, &out);
	if (!write_text(import, &out, diag) || (planned && !print_reasons(import, row, diag)))
		return false;
	bool dtensor = import->log && row->planner == SW_DTENSOR;
	if (import->log && import->log->pairs[row->index].shape_is == SW_LOG_ASSUMED)
		console_remark(console, "`import f32[...] LINE` says the real shape");
	if (import->module)
		console_remark(console, "the compiler's plan is the present one: `show plan`, `verify`, `run`, `compare`");
	console_remark(console, "`advise%s` says what to write in your program%s", dtensor ? " --for dtensor" : "",
		import->module ? "" : "; `plan` and `show tiles` draw it");
	return true;
}

/* ---- JSON ---- */

static void write_number(sw_json *json, const char *key, int64_t number)
{
	sw_json_key(json, key);
	if (number < 0)
		sw_json_null(json);
	else
		sw_json_int(json, number);
}

static void write_string(sw_json *json, const char *key, const char *value)
{
	sw_json_key(json, key);
	sw_json_string(json, value);
}

static void write_problem(sw_json *json, const sw_problem *problem)
{
	static const char *const keys[] = {"mesh", "from", "to"};
	for (int i = 0; i < 3; i++) {
		sw_json_key(json, keys[i]);
		if (!problem) {
			sw_json_null(json);
			continue;
		}
		size_t begin = sw_json_text_begin(json);
		if (i == 0)
			sw_mesh_print(&problem->mesh, json->text);
		else
			sw_type_print(&problem->mesh, i == 1 ? &problem->from : &problem->to, false, json->text);
		sw_json_text_end(json, begin);
	}
	write_string(json, "dtype", problem ? sw_dtype_name(problem->from.dtype) : NULL);
}

static void write_devices(sw_json *json, const char *key, const int64_t *ids, int64_t devices)
{
	if (!ids)
		return;
	sw_json_key(json, key);
	sw_json_ints(json, ids, devices);
}

static void write_pair(sw_json *json, const sw_log_pair *pair)
{
	static const char *const shapes[] = {"printed", "written", "given", "assumed"};
	sw_json_key(json, "names");
	sw_json_open(json, '[', false);
	for (int i = 0; i < pair->names; i++)
		sw_json_string(json, pair->name[i]);
	sw_json_close(json);
	write_string(json, "said_by",
		pair->kind == SW_LOG_SEQUENTIAL      ? "dtensor" :
			pair->kind == SW_LOG_INDIVISIBLE ? "jax" :
			pair->warned                     ? "xla" :
											   NULL);
	write_string(json, "op", pair->op);
	write_string(json, "op_name", pair->op_name);
	write_string(json, "source", pair->source);
	write_string(json, "from_text", pair->kind == SW_LOG_INDIVISIBLE ? NULL : pair->from);
	write_string(json, "to_text", pair->to);
	write_string(json, "shape_text", pair->shape);
	write_string(json, "shape_is", pair->reading ? shapes[pair->shape_is] : NULL);
}

static void write_chain(sw_json *json, const sw_hlo_chain *chain)
{
	sw_json_key(json, "names");
	sw_json_open(json, '[', false);
	sw_json_string(json, chain->last);
	sw_json_close(json);
	write_string(json, "first", chain->first);
	write_string(json, "computation", chain->computation);
	write_string(json, "op_name", chain->op_name);
	write_string(json, "source", chain->source);
	sw_json_key(json, "annotated");
	sw_json_bool(json, chain->ends == SW_HLO_ANNOTATED);
}

/* What `print` adds about each step. */
static void write_steps(sw_json *json, const char *key, const sw_plan *plan,
	void (*print)(const sw_plan *plan, int k, sw_text *text))
{
	sw_json_key(json, key);
	if (!plan) {
		sw_json_null(json);
		return;
	}
	sw_json_open(json, '[', false);
	for (int k = 0; k < plan->count; k++) {
		size_t begin = sw_json_text_begin(json);
		print(plan, k, json->text);
		sw_json_text_end(json, begin);
	}
	sw_json_close(json);
}

/* Both plans in figures. */
static void write_plans(sw_json *json, const struct import_row *row)
{
	write_number(json, "bytes_now", import_bytes(row->now));
	write_number(json, "bytes_planned", import_bytes(row->planned));
	write_number(json, "peak_now", import_peak(row->now));
	write_number(json, "peak_planned", import_peak(row->planned));
	write_number(json, "cost_now", row->now ? row->now->cost : -1);
	write_number(json, "cost_planned", row->planned ? row->planned->cost : -1);
	write_steps(json, "steps_now", row->now, step_text);
	write_steps(json, "steps_planned", row->planned, step_text);
	write_steps(json, "why_now", row->now, sw_plan_why);
	write_steps(json, "why_planned", row->planned, sw_plan_why);
}

/* The compiler's plan as `export plan` writes it. */
static bool write_whole(sw_json *json, const sw_plan *plan, sw_diag *diag)
{
	sw_text text = {0};
	bool ok = sw_plan_write(plan, SW_JSON_LINE, &text, diag);
	if (ok) {
		sw_json_key(json, "plan");
		sw_json_raw(json, sw_str_trim((sw_str){sw_text_get(&text), text.length}));
	}
	sw_text_free(&text);
	return ok;
}

static void write_error(const struct import *import, sw_json *json, const struct import_row *row)
{
	const sw_diag *why = row->why.code != SW_OK ? &row->why : row->why_now.code != SW_OK ? &row->why_now : NULL;
	sw_json_key(json, "error");
	if (why)
		sw_diag_write_value(json, why, import_source(import), 1, import->text);
	else
		sw_json_null(json);
}

static bool write_row(const struct import *import, sw_json *json, const struct import_row *row, sw_diag *diag)
{
	sw_json_open(json, '{', false);
	write_number(json, "row", row->number);
	write_number(json, "count", row->count);
	write_number(json, "runs", row->runs);
	sw_json_key(json, "bytes_saved");
	sw_json_number(json, import_saving(row));
	write_number(json, "line", row->line);
	if (import->log)
		write_pair(json, &import->log->pairs[row->index]);
	else
		write_chain(json, &import->module->chains[row->index]);
	write_problem(json, row->problem);
	if (row->problem) {
		write_devices(json, "devices", row->before, row->problem->mesh.devices);
		write_devices(json, "to_devices", row->after, row->problem->mesh.devices);
	}
	write_plans(json, row);
	if (import->module)
		write_string(json, "ends", row->ends);
	write_string(json, "remark", row->remark);
	if (import->log) {
		write_string(json, "means", row->means);
		write_string(json, "write", import->log->pairs[row->index].write);
		write_string(json, "type", import->log->pairs[row->index].type);
		warned_json(json, &import->log->pairs[row->index], &row->group, row->whole);
	}
	write_error(import, json, row);
	bool ok = !import->module || write_whole(json, row->now, diag);
	sw_json_close(json);
	return ok;
}

/* What looked like a pair and was none, with the first reason. */
static void write_left_out(const struct import *import, sw_json *json)
{
	const sw_log *log = import->log;
	write_number(json, "left_out", log->left_out);
	sw_json_key(json, "left_why");
	if (log->left_out)
		sw_diag_write_value(json, &log->left_why, import_source(import), 1, import->text);
	else
		sw_json_null(json);
}

static bool has_messages(const sw_log *log)
{
	return log->warnings || log->sequential || log->indivisible;
}

static void write_program(sw_json *json, const sw_log *log)
{
	write_string(json, "module", log->module);
	write_number(json, "partitions", log->partitions);
	write_number(json, "asked", log->asked);
	write_number(json, "unsaid", log->unsaid);
}

static void write_head(const struct import *import, sw_json *json)
{
	write_string(json, "schema", "shardwalk.import/1");
	write_string(json, "kind",
		!import->log                  ? "hlo" :
			import->log->module       ? "stablehlo" :
			has_messages(import->log) ? "warnings" :
										"pairs");
	write_string(json, "source", import_source(import));
	if (import->log && import->log->module)
		write_program(json, import->log);
	if (import->log) {
		write_number(json, "lines", import->log->lines);
		write_number(json, "found",
			import->log->warnings + import->log->repeats + import->log->sequential + import->log->indivisible +
				import->log->plain);
		write_left_out(import, json);
		return;
	}
	write_string(json, "module", import->module->name);
	write_number(json, "partitions", import->module->partitions);
	write_number(json, "instructions", import->module->instructions);
	write_number(json, "collectives", import->module->collectives);
	write_number(json, "left_out", import->module->left_out);
}

static void write_total(const struct import *import, sw_json *json)
{
	struct import_total total = import_sum(&import->imports);
	sw_json_key(json, "total");
	sw_json_open(json, '{', false);
	write_number(json, "count", total.occurrences);
	write_number(json, "planned", total.planned);
	write_number(json, "failed", total.failed);
	write_number(json, "runs", total.runs);
	sw_json_key(json, "bytes_now");
	sw_json_number(json, total.bytes_now);
	sw_json_key(json, "bytes_planned");
	sw_json_number(json, total.bytes_planned);
	sw_json_key(json, "bytes_saved");
	sw_json_number(json, total.saved);
	write_number(json, "peak_now", total.peak_now);
	write_number(json, "peak_planned", total.peak_planned);
	sw_json_close(json);
}

bool import_answer_json(const struct import *import, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	bool ok = true;
	sw_json_start(&json, &text, !import->run->session->console.out_terminal);
	sw_json_open(&json, '{', true);
	write_head(import, &json);
	sw_json_key(&json, "rows");
	sw_json_open(&json, '[', true);
	for (int i = 0; i < import->imports.count && ok; i++)
		ok = write_row(import, &json, &import->imports.row[i], diag);
	sw_json_close(&json);
	write_total(import, &json);
	sw_json_close(&json);
	sw_text_add_char(&text, '\n');
	if (ok)
		return write_text(import, &text, diag);
	sw_text_free(&text);
	return false;
}
