/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints on the way: those of a StableHLO program that follow one another, the value between them used for nothing else, and those
 * within a chain of a partitioned module.
 */
#define _GNU_SOURCE /* memmem */
#include "command/import/import_left_out.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/compare/compare.h"
#include "views/draw.h"

#define ROWS_MOST 2000 /* in which pairs are looked for */
#define SHOWN_MOST 8
#define WAY_MOST 16 /* rows that follow one another */

/* Rows from the first constraint to the last, all but the last of which are left out. */
struct needless {
	const struct import_row *first, *last;
	const struct import_row *way[WAY_MOST]; /* the last first */
	int rows, constraints;
	bool unnamed;                     /* a chain goes by a sharding that no constraint of it is seen to ask for */
	int64_t now, then;                /* bytes that a device gets, once */
	int64_t peak_now, peak_then;      /* of the largest tile */
	double seconds_now, seconds_then; /* predicted; below 0: not known */
};

/* ---- which follow one another ---- */

static bool is_constraint(const struct import_row *row)
{
	return row->pair != NULL && row->pair->op != NULL && strcmp(row->pair->op, "sharding_constraint") == 0;
}

static bool is_only(const sw_log_pair *pair)
{
	return pair->names == 1 && !pair->more_names && pair->problem != NULL;
}

/* The text of the function around a byte. */
static sw_str function_at(sw_str text, size_t at)
{
	static const char word[] = "func.func";
	size_t from = 0;
	const char *next;

	assert(at <= text.length);
	for (const char *found; (found = memmem(text.at + from, at - from, word, sizeof(word) - 1)) != NULL;)
		from = (size_t)(found - text.at) + 1;
	next = memmem(text.at + at, text.length - at, word, sizeof(word) - 1);
	return (sw_str){text.at + from, (next != NULL ? (size_t)(next - text.at) : text.length) - from};
}

/* How often `%NAME` is there. */
static int uses_of(sw_str text, const char *name)
{
	size_t length = strlen(name);
	int uses = 0;

	for (const char *at = text.at, *end = text.at + text.length;
		 (at = memmem(at, (size_t)(end - at), name, length)) != NULL; at += length) {
		char before = at > text.at ? at[-1] : ' ', after = at + length < end ? at[length] : ' ';

		uses += before == '%' && !isalnum((unsigned char)after) && after != '_' && after != '#';
	}
	return uses;
}

/* The value that the operation of this row makes, without `%`; empty: its line says none. */
static sw_str made_by(sw_str text, const sw_log_pair *pair)
{
	size_t from = pair->at.begin < text.length ? pair->at.begin : text.length, to;

	while (from > 0 && text.at[from - 1] != '\n')
		from--;
	while (from < text.length && text.at[from] == ' ')
		from++;
	for (to = from + 1; to < text.length && text.at[to] != ' ' && text.at[to] != '\n';)
		to++;
	return from < text.length && text.at[from] == '%' ? (sw_str){text.at + from + 1, to - from - 1} : (sw_str){"", 0};
}

/* The row whose constraint makes the value of this one, where nothing else uses that; NULL: none. */
static const struct import_row *row_before(const struct import *import, const struct import_row *row)
{
	const struct imports *imports = &import->imports;
	sw_str function;

	if (!is_constraint(row) || !is_only(row->pair))
		return NULL;
	function = function_at(import->text, row->pair->at.begin);
	for (int k = 0; k < imports->count; k++) {
		const struct import_row *other = &imports->row[k];
		const char *at;

		if (other == row || other->pair == NULL || !is_only(other->pair) || other->runs != row->runs ||
			strcmp(other->pair->to, row->pair->from) != 0)
			continue;
		at = import->text.at + other->pair->at.begin;
		if (at >= function.at && at < function.at + function.length &&
			sw_str_is(made_by(import->text, other->pair), row->pair->name[0]))
			return uses_of(function, row->pair->name[0]) == 2 ? other : NULL;
	}
	return NULL;
}

static bool is_followed(const struct import *import, const struct import_row *row)
{
	for (int k = 0; k < import->imports.count; k++)
		if (row_before(import, &import->imports.row[k]) == row)
			return true;
	return false;
}

/* ---- what it would be without ---- */

static void add_row(const struct import_row *row, struct needless *found)
{
	int64_t peak = import_peak(row->now);

	found->way[found->rows++] = found->first = row;
	found->now += import_bytes(row->now);
	found->peak_now = peak > found->peak_now ? peak : found->peak_now;
	found->seconds_now = row->seconds_now < 0 || found->seconds_now < 0 ? -1 : found->seconds_now + row->seconds_now;
}

/* One more plan of the compiler's on the way that there would be. */
static bool add_way(struct import *import, const struct plan_request *asked, const sw_problem *problem,
	struct needless *found)
{
	sw_plan_options options = {.strategy = found->last->chain != NULL ? SW_XLA : found->last->planner,
		.sizes_only = true};
	const sw_machine *machine = NULL;
	sw_plan plan;
	sw_diag why;
	int bytes = sw_dtype_bytes(problem->from.dtype);

	if (!sw_plan_find(problem, &options, import->arena, &plan, &why))
		return false;
	double seconds = compare_machine(asked, problem->mesh.devices, &machine, NULL) && machine != NULL ?
		sw_predict_seconds(&plan, -1, machine) :
		-1;
	if (!sw_add(found->then, sw_nearest(sw_plan_volume(&plan) * bytes), &found->then))
		found->then = INT64_MAX;
	found->peak_then = plan.height * bytes > found->peak_then ? plan.height * bytes : found->peak_then;
	found->seconds_then = seconds < 0 || found->seconds_then < 0 ? -1 : found->seconds_then + seconds;
	return true;
}

/* A sum is made where the program makes it, and the constraint comes behind it. */
static bool add_ways(struct import *import, const struct plan_request *asked, const sw_problem *problem,
	struct needless *found)
{
	sw_problem sum = *problem, rest = *problem;

	if (sw_type_terms(&problem->from) == 1 || sw_type_terms(&problem->to) > 1)
		return add_way(import, asked, problem, found);
	if (!sw_type_set_sums(&problem->mesh, &rest.from, NULL, 0, NULL))
		return false;
	sum.to = rest.from;
	return add_way(import, asked, &sum, found) &&
		(sw_type_equal(&rest.from, &rest.to) || add_way(import, asked, &rest, found));
}

/* From the beginning of the first row to the end of the last, as the compiler does it; false: it does not, or gains nothing. */
static bool price(struct import *import, const struct plan_request *asked, struct needless *found)
{
	sw_problem room, end_room, problem;
	const sw_problem *from = import_problem(found->first, &room), *to = import_problem(found->last, &end_room);

	if (from == NULL || to == NULL || !sw_mesh_equal(&from->mesh, &to->mesh))
		return false;
	problem = *from;
	problem.to = to->to;
	sw_arena_mark mark = sw_arena_here(import->arena);
	bool planned = add_ways(import, asked, &problem, found);
	sw_arena_back(import->arena, mark);
	return planned && found->then < found->now;
}

/* May a chain go by a sharding on the way?  Of a sum the system decides that itself, and what nobody annotates may be another value. */
static bool may_go_by(const struct import_row *row)
{
	return row->chain != NULL && !row->at_most && row->chain->program.steps > 1 &&
		sw_type_terms(&row->chain->problem.from) == 1 && sw_type_terms(&row->chain->problem.to) == 1;
}

/* The constraints that lead to this row, where it is the last of several. */
static bool look_at(struct import *import, const struct plan_request *asked, const struct import_row *row,
	struct needless *found)
{
	bool constrained = row->chain != NULL && import->module->chains[row->index].constrained;
	bool within = constrained || may_go_by(row);

	*found = (struct needless){.first = row, .last = row, .constraints = within, .unnamed = !constrained && within};
	if (row->now == NULL || row->untaken || (!within && (!is_constraint(row) || is_followed(import, row))))
		return false;
	add_row(row, found);
	for (const struct import_row *before = row; !within && (before = row_before(import, before)) != NULL;) {
		if (before->now == NULL || before == row || found->rows == WAY_MOST)
			return false;
		add_row(before, found);
		found->constraints++;
	}
	return found->constraints > 0 && price(import, asked, found);
}

bool import_left_out_find(struct import *import, sw_diag *diag)
{
	const struct imports *imports = &import->imports;
	struct plan_request asked;

	import->left_outs = 0;
	if ((import->log == NULL || import->log->module == NULL) && import->module == NULL)
		return true;
	if (imports->count > ROWS_MOST || !plan_request_read(import->run, NULL, &asked, diag))
		return imports->count > ROWS_MOST;
	import->left_out = SW_NEW(import->arena, struct needless, imports->count + 1);
	if (import->left_out == NULL)
		return sw_diag_memory(diag);
	for (int k = 0; k < imports->count; k++)
		import->left_outs += look_at(import, &asked, &imports->row[k], &import->left_out[import->left_outs]);
	return true;
}

/* ---- what is told ---- */

static bool is_offer(const struct needless *found)
{
	return found->unnamed || found->peak_then > found->peak_now ||
		(found->seconds_now >= 0 && found->seconds_then > found->seconds_now * 1.001);
}

/* The line of the first constraint that is left out; NULL: not said.  A row has that of the constraint that ends it. */
static const char *source_of(const struct import *import, const struct needless *found)
{
	return found->last->chain != NULL ? import->module->chains[found->last->index].constraint : found->first->source;
}

static void add_what(const struct import *import, const struct needless *found, sw_text *text)
{
	const struct import_row *last = found->last;
	const char *source = source_of(import, found);

	if (found->unnamed)
		sw_text_addf(text, "the shardings on the way from %%%s to %%%s", import->module->chains[last->index].first,
			last->name);
	else if (found->last->pair == NULL)
		sw_text_addf(text, "the constraint before %%%s", last->name);
	else if (found->constraints == 1)
		sw_text_addf(text, "the constraint %%%s", last->pair->name[0]);
	else
		sw_text_addf(text, "the %d constraints up to %%%s, the first", found->constraints, last->pair->name[0]);
	if (source != NULL)
		sw_text_addf(text, ", %s", source);
}

static void add_rises(const struct needless *found, sw_text *text)
{
	if (found->peak_then > found->peak_now) {
		sw_text_add(text, "; the largest tile rises from ");
		sw_print_bytes(text, found->peak_now);
		sw_text_add(text, " to ");
		sw_print_bytes(text, found->peak_then);
	}
	if (found->seconds_now >= 0 && found->seconds_then > found->seconds_now * 1.001)
		sw_text_addf(text, "; the predicted time rises from %s to %s", words_seconds(found->seconds_now).text,
			words_seconds(found->seconds_then).text);
}

/* "without the constraint %2, a.py:11, a device gets 224 KiB in place of 672 KiB" */
static void print_one(const struct import *import, const struct needless *found, sw_text *text)
{
	sw_text_add(text, is_offer(found) ? "an offer: without " : "without ");
	add_what(import, found, text);
	sw_text_add(text, ", each device receives ");
	sw_print_bytes(text, found->then);
	sw_text_add(text, " in place of ");
	sw_print_bytes(text, found->now);
	if (found->last->runs > 1)
		sw_text_addf(text, ", %lld times", (long long)found->last->runs);
	add_rises(found, text);
}

static double saved_of(const struct needless *found)
{
	return (double)(found->now - found->then) * (double)found->last->runs;
}

static bool concerns(const struct needless *found, const struct import_row *row)
{
	for (int k = 0; k < found->rows; k++)
		if (found->way[k] == row)
			return true;
	return false;
}

static void say_all(const struct import *import)
{
	double saved = 0;
	sw_text text = {0};

	document_line(import->run->answer, "\nwithout some constraints on the way:");
	for (int k = 0; k < import->left_outs; k++) {
		saved += saved_of(&import->left_out[k]);
		sw_text_clear(&text);
		print_one(import, &import->left_out[k], &text);
		if (k < SHOWN_MOST)
			document_say(import->run->answer, 2, "%s", sw_text_get(&text));
	}
	if (import->left_outs > SHOWN_MOST)
		document_line(import->run->answer, "  and %d more", import->left_outs - SHOWN_MOST);
	sw_text_clear(&text);
	sw_print_real_bytes(&text, saved);
	document_line(import->run->answer, "  this saves %s in all; leave out those that nothing else needs",
		sw_text_get(&text));
	sw_text_free(&text);
}

void import_left_out_say(const struct import *import, const struct import_row *row)
{
	sw_text text = {0};

	if (row == NULL && import->left_outs > 0)
		say_all(import);
	for (int k = 0; row != NULL && k < import->left_outs; k++) {
		if (!concerns(&import->left_out[k], row))
			continue;
		sw_text_clear(&text);
		print_one(import, &import->left_out[k], &text);
		document_say(import->run->answer, 0, "%s", sw_text_get(&text));
	}
	sw_text_free(&text);
}

/* "no annotation says both ends: of the 48 KiB that its steps bring to a device a plan saves 32 KiB or less" */
static void print_bound(const struct import_row *row, sw_text *text)
{
	if (row->chain == NULL || !row->at_most || import_saving(row) <= 0)
		return;
	sw_text_add(text, "No annotation of the module gives both ends: of the ");
	sw_print_bytes(text, import_bytes(row->now));
	sw_text_add(text, " that its steps bring to a device, a plan saves ");
	sw_print_bytes(text, import_bytes(row->now) - import_bytes(row->planned));
	sw_text_add(text, " or less.");
}

/* Why lines between the ends of a row may save more or less: what leads to its first end was not written; NULL: it was. */
static const char *why_unsure(const struct import *import, const struct import_row *row)
{
	bool chain = row->chain != NULL && import->module->chains[row->index].ends != SW_HLO_ANNOTATED;
	bool asked = row->pair != NULL && row->pair->kind == SW_LOG_ASKED && row->pair->op != NULL && !is_constraint(row);

	return chain || asked ?
		"The compiler chose the first sharding, and may choose another one with these lines: more or less may be saved." :
		NULL;
}

static const char *keep_text(struct session *session, sw_text *text)
{
	return text->length ? sw_text_keep(text, session->arena) : NULL;
}

bool import_left_out_keep(const struct import *import, const struct import_row *row, sw_diag *diag)
{
	struct session *session = import->run->session;
	struct kept_left_out kept = {.from = session->state.from, .to = session->state.to}, *there = NULL;
	sw_text text = {0}, bound = {0};
	int k = 0;

	while (k < import->left_outs && !concerns(&import->left_out[k], row))
		k++;
	if (k < import->left_outs) {
		print_one(import, &import->left_out[k], &text);
		kept.offer = is_offer(&import->left_out[k]);
	}
	print_bound(row, &bound);
	kept.unsure = bound.length ? NULL : why_unsure(import, row);
	kept.now = row->chain != NULL ? import_bytes(row->now) : 0;
	kept.text = keep_text(session, &text);
	kept.bound = keep_text(session, &bound);
	bool failed = (text.length && !kept.text) || (bound.length && !kept.bound);
	sw_text_free(&text);
	sw_text_free(&bound);
	if (!failed && (kept.text || kept.bound || kept.unsure)) {
		there = SW_NEW(session->arena, struct kept_left_out, 1);
		failed = there == NULL;
	}
	if (failed)
		return sw_diag_memory(diag);
	if (there)
		*there = kept;
	session->state.left_out = there;
	return true;
}

/* ---- fields ---- */

static void add_seconds(struct fields *in, const char *key, double seconds)
{
	if (seconds < 0)
		field_null(in, key);
	else
		field_number(in, key, seconds);
}

static void add_fields(const struct import *import, const struct needless *found, struct fields *in)
{
	field_int(in, "first", found->first->number);
	field_int(in, "last", found->last->number);
	field_text(in, "value", found->last->pair != NULL ? found->last->pair->name[0] : found->last->name);
	field_text(in, "source", source_of(import, found));
	field_int(in, "constraints", found->unnamed ? 0 : found->constraints);
	field_int(in, "runs", found->last->runs);
	field_int(in, "bytes_now", found->now);
	field_int(in, "bytes_without", found->then);
	field_int(in, "peak_now", found->peak_now);
	field_int(in, "peak_without", found->peak_then);
	add_seconds(in, "seconds_now", found->seconds_now);
	add_seconds(in, "seconds_without", found->seconds_then);
	field_bool(in, "offer", is_offer(found));
}

void import_left_out_fields(const struct import *import, struct fields *in)
{
	struct fields *list = field_list(in, "left_out_constraints");

	for (int k = 0; k < import->left_outs; k++)
		add_fields(import, &import->left_out[k], field_object(list, NULL));
}
