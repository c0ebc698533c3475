/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the last formula on more and more processors, weak scaling; `compare` of them.
 */
#include "command/compare/grow.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/words.h"
#include "command/compare/growth.h"
#include "session/session.h"

#define SLOW_MOST 4 /* operations on an element, below which memory bounds what is computed */

/* ---- rows ---- */

/* Of each letter; of equal ones once. */
static const char *sizes_text(const struct growth *growth, const sw_formula *formula)
{
	sw_text text = {0};
	bool same = true;

	for (int letter = 1; letter < formula->letters; letter++)
		same = same && formula->size[letter] == formula->size[0];
	for (int letter = 0; letter < (same ? 1 : formula->letters); letter++)
		sw_text_addf(&text, "%s%lld", letter > 0 ? " " : "", (long long)formula->size[letter]);
	return sw_text_keep(&text, growth->run->arena);
}

/* All that is computed, once, and all elements of arrays. */
static void weigh(const struct growth *growth, const sw_formula *formula, struct grown *row)
{
	double elements = 0;

	row->flops = (double)contest_flops_of_element(formula);
	for (int letter = 0; letter < formula->kept; letter++)
		row->flops *= (double)formula->size[letter];
	for (int n = 0; n < formula->arrays; n++) {
		double size = 1;
		for (int dim = 0; dim < formula->array[n].rank; dim++)
			size *= (double)formula->array[n].size[dim];
		elements += size;
	}
	row->bytes = elements * growth->bytes;
}

/* That of the session goes away. */
static bool keep_mesh(const struct growth *growth, struct grown *row)
{
	sw_mesh *mesh = SW_NEW(growth->run->arena, sw_mesh, 1);

	if (mesh == NULL || row->contender.mesh == NULL)
		return mesh != NULL;
	*mesh = *row->contender.mesh;
	mesh->order = NULL;
	row->contender.mesh = mesh;
	return true;
}

struct grown *growth_add(struct growth *growth, const struct contest *contest, const struct contender *contender,
	sw_diag *diag)
{
	const sw_machine *machine = contest->machine;
	double holds = machine != NULL && machine->hardware != NULL ? machine->hardware->holds : 0;
	struct grown *row;

	if (!SW_GROW(growth->run->arena, growth->row, growth->count, growth->room, 16)) {
		sw_diag_memory(diag);
		return NULL;
	}
	row = &growth->row[growth->count];
	*row = (struct grown){.processors = contest->processors,
		.contender = *contender,
		.sizes = sizes_text(growth, contest->formula),
		.live = (double)contender->peak * growth->bytes / 1e9,
		.live_bytes = sw_smaller(contender->peak, INT64_MAX / growth->bytes) * growth->bytes,
		.rate = NAN,
		.measured = NAN,
		.gflops = NAN,
		.gbytes = NAN,
		.efficiency = NAN,
		.memory = -1};
	if (row->sizes == NULL || !keep_mesh(growth, row)) {
		sw_diag_memory(diag);
		return NULL;
	}
	growth->count++;
	growth->machine = machine;
	weigh(growth, contest->formula, row);
	row->fits = holds <= 0 || row->live * 1e9 <= holds;
	if (contender->predicted > 0)
		row->rate = row->flops / (double)row->processors / contender->predicted / 1e9;
	growth->slow = row->flops < SLOW_MOST * row->bytes / growth->bytes;
	return row;
}

bool growth_leave_out(struct growth *growth, int64_t processors, const char *name, const char *why, sw_diag *diag)
{
	if (!SW_GROW(growth->run->arena, growth->out, growth->out_count, growth->out_room, 16))
		return sw_diag_memory(diag);
	growth->out[growth->out_count++] = (struct grown_out){processors, name, why};
	return true;
}

/* ---- the answer ---- */

static const struct grown *of(const struct row_at *at)
{
	return at->row;
}

static void print_grid(const struct row_at *at, sw_text *text)
{
	contender_print_grid(&of(at)->contender, text);
}

#define PREDICTED .when = GROWN_PREDICTED
#define MEASURED .when = GROWN_MEASURED
#define DRY .when = GROWN_DRY

#define KEY(name, is, member) ROW_AT(name, NULL, is, struct grown, member)

static const struct row_column columns[] = {
	ROW_AT("processors", "on", COUNT, struct grown, processors, .folds = true),
	ROW_AT("name", "schedule", WORD, struct grown, contender.name, .role = ROLE_LABEL, .folds = true),
	ROW_BY("grid", "grid", TEXT, .print = print_grid),
	ROW_AT("sizes", "sizes", WORD, struct grown, sizes, .as = {.drops = 3}),
	ROW_AT("steps", "steps", COUNT, struct grown, contender.steps, .unless = GROWN_MEASURED, .as = {.drops = 2}),
	ROW_AT("steps", NULL, COUNT, struct grown, contender.steps, MEASURED),
	KEY("volume", COUNT, contender.volume),
	KEY("max_received", COUNT, contender.received),
	KEY("max_peak", COUNT, contender.peak),
	ROW_AT("live_gb", "GB", NUMBER, struct grown, live, .digits = 1, PREDICTED),
	ROW_AT("live_gb", NULL, NUMBER, struct grown, live, .unless = GROWN_PREDICTED),
	ROW_AT(NULL, "live", BYTES, struct grown, live_bytes, .unless = GROWN_PREDICTED),
	ROW_AT("fits", "fits", FLAG, struct grown, fits, .mark = "yes", PREDICTED),
	ROW_AT("fits", NULL, FLAG, struct grown, fits, .unless = GROWN_PREDICTED),
	ROW_AT("idle", "idle", COUNT, struct grown, contender.idle, PREDICTED),
	ROW_AT("idle", NULL, COUNT, struct grown, contender.idle, .unless = GROWN_PREDICTED),
	ROW_AT("predicted_seconds", "time", SECONDS, struct grown, contender.predicted, PREDICTED),
	ROW_AT("predicted_seconds", "predicted", SECONDS, struct grown, contender.predicted, .unless = GROWN_PREDICTED,
		.as = {.drops = 1}),
	ROW_AT("gflops", "GFLOP/s", NUMBER, struct grown, rate, .digits = 0, .falls = true, PREDICTED),
	ROW_AT("gflops", NULL, NUMBER, struct grown, rate, .falls = true, .unless = GROWN_PREDICTED),
	ROW_AT("measured_seconds", "measured", SECONDS, struct grown, measured, MEASURED),
	ROW_AT("measured_gflops", NULL, NUMBER, struct grown, gflops, .falls = true, MEASURED),
	ROW_AT("measured_gbytes", NULL, NUMBER, struct grown, gbytes, .falls = true, MEASURED),
	ROW_AT(NULL, "GFLOP/s", NUMBER, struct grown, gflops, .digits = 2, .when = GROWN_FLOPS),
	ROW_AT(NULL, "GB/s", NUMBER, struct grown, gbytes, .digits = 2, .when = GROWN_BYTES),
	ROW_AT("efficiency", "efficiency", NUMBER, struct grown, efficiency, .digits = 2, .falls = true, MEASURED),
	ROW_AT("values", "values", COUNT, struct grown, values, DRY),
	ROW_AT("program_steps", NULL, COUNT, struct grown, program_steps, DRY),
	ROW_AT("bytes", "memory", BYTES, struct grown, memory, DRY),
};

/* Of each algorithm where it first lives in more than there is. */
static void say_too_large(const struct growth *growth)
{
	for (int n = 0; n < growth->count; n++) {
		const struct grown *row = &growth->row[n];
		bool before = false;
		for (int k = 0; k < n; k++)
			before |= !growth->row[k].fits && strcmp(growth->row[k].contender.name, row->contender.name) == 0;
		if (!row->fits && !before)
			document_say(growth->run->answer, 2,
				"%s needs %.1f GB on each of %lld devices, but %s holds "
				"%.3g GB",
				row->contender.name, row->live, (long long)row->processors, growth->machine->hardware->name,
				growth->machine->hardware->holds / 1e9);
	}
}

/* A reason without the number of processors, so that those of several numbers are one. */
static const char *reason_of(const struct growth *growth, const struct grown_out *out)
{
	char number[48];
	sw_text text = {0};

	snprintf(number, sizeof number, "of %lld device", (long long)out->processors);
	const char *at = strstr(out->why, number);
	if (at == NULL || (at[strlen(number)] != 's' && at[strlen(number)] != '\0'))
		return out->why;
	sw_text_add_str(&text, (sw_str){out->why, (size_t)(at - out->why)});
	sw_text_add(&text, "of so many devices");
	sw_text_add(&text, at + strlen(number) + (at[strlen(number)] == 's'));
	const char *kept = sw_text_keep(&text, growth->run->arena);
	return kept != NULL ? kept : out->why;
}

/* On which numbers of processors a name is left out for this reason, as text in the arena. */
static const char *left_out_on(const struct growth *growth, const char *name, const char *why)
{
	const char *before = "";
	sw_text on = {0};

	for (int k = 0; k < growth->out_count; k++)
		if (strcmp(growth->out[k].name, name) == 0 && strcmp(reason_of(growth, &growth->out[k]), why) == 0) {
			sw_text_addf(&on, "%s%lld", before, (long long)growth->out[k].processors);
			before = ", ";
		}
	const char *kept = sw_text_keep(&on, growth->run->arena);
	return kept != NULL ? kept : "";
}

/* Those of one reason, on the same numbers of processors, are said together where the first of them is. */
static void say_out(const struct growth *growth, int first)
{
	const char *why = reason_of(growth, &growth->out[first]), *before = "";
	const char *on = left_out_on(growth, growth->out[first].name, why);
	int64_t processors = growth->out[first].processors;
	sw_text names = {0};

	for (int n = 0; n < growth->out_count; n++) {
		const struct grown_out *out = &growth->out[n];
		if (strcmp(reason_of(growth, out), why) != 0 || strcmp(left_out_on(growth, out->name, why), on) != 0)
			continue;
		if (n < first) {
			sw_text_free(&names);
			return;
		}
		if (out->processors == processors) {
			sw_text_addf(&names, "%s%s", before, out->name);
			before = ", ";
		}
	}
	document_say(growth->run->answer, 2, "left out: %s on %s, because %s", sw_text_get(&names), on, why);
	sw_text_free(&names);
}

const struct rows growth_words = ROWS_WORDS(columns);

static const struct row_column out_columns[] = {
	ROW_AT("processors", NULL, COUNT, struct grown_out, processors),
	ROW_AT("name", NULL, WORD, struct grown_out, name),
	ROW_AT("why", NULL, WORD, struct grown_out, why),
};

bool growth_answer(const struct growth *growth, const char *schema, const char *title, unsigned is, sw_diag *diag)
{
	struct document *document = growth->run->answer;
	struct fields *out = document_fields(document, schema);
	const struct rows rows = ROWS_OF(columns, growth->row, growth->count, .is = is, .rises = true);
	const struct rows left_out = ROWS_OF(out_columns, growth->out, growth->out_count);

	field_text(out, "statement", growth->statement);
	field_text(out, "machine",
		growth->model != NULL       ? growth->model :
			growth->machine != NULL ? growth->machine->name :
									  NULL);
	document_line(document, "%s", title);
	if (!rows_answer(&rows, document, out, "schedules", diag) || !rows_list(&left_out, out, "left_out", diag))
		return false;
	if ((is & GROWN_PREDICTED) != 0)
		say_too_large(growth);
	for (int n = 0; n < growth->out_count; n++)
		say_out(growth, n);
	return true;
}

/* ---- compare ---- */

/* Those that fit are first; else they are as `compare` has them. */
static bool add_all(struct growth *growth, const struct contest *contest, sw_diag *diag)
{
	int first = growth->count;

	for (int n = 0; n < contest->count; n++) {
		struct grown *row = growth_add(growth, contest, &contest->contender[n], diag);
		if (row == NULL)
			return false;
		struct grown one = *row;
		int at = growth->count - 1;
		for (; one.fits && at > first && !growth->row[at - 1].fits; at--)
			growth->row[at] = growth->row[at - 1];
		growth->row[at] = one;
	}
	for (int n = 0; n < contest->left_out_count; n++)
		if (!growth_leave_out(growth, contest->processors, contest->left_out[n].name, contest->left_out[n].why, diag))
			return false;
	return true;
}

bool compare_grown(struct invocation *run, sw_diag *diag)
{
	const struct value *counts = option_value(run, OPTION_GROW);
	struct growth *growth = SW_NEW(run->arena, struct growth, 1);
	struct contest *contest = SW_NEW(run->arena, struct contest, 1);
	sw_text title = {0};

	assert(counts != NULL && counts->count > 0);
	if (growth == NULL || contest == NULL)
		return sw_diag_memory(diag);
	if (!growth_begin(run, growth, diag))
		return false;
	for (int n = 0; n < counts->count; n++) {
		struct state before;
		session_try(run->session, &before);
		bool ok = growth_move(growth, counts->counts[n], contest, diag) && add_all(growth, contest, diag);
		session_try_end(run->session, &before);
		if (!ok)
			return false;
	}
	sw_text_addf(&title, "compare  %s, constant memory per device", growth->statement);
	bool ok = growth_answer(growth, "shardwalk.schedules-grown/1", sw_text_get(&title), GROWN_PREDICTED, diag);
	sw_text_free(&title);
	return ok;
}
