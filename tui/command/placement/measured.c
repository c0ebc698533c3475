/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare published, compare FILE: seconds that others measured for sums over axes of placements, beside those of the model `ports`.
 */
#include "command/placement/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "command/placement/algorithms.h"
#include "command/placement/reduction.h"
#include "host/file.h"
#include "session/sample.h"

#define FAR 1.5     /* times, where measured and predicted disagree */
#define GAIN 1.25   /* a speed-up that is predicted, and */
#define NO_GAIN 1.1 /* one that is none */
#define FEW 10      /* rows of a file, and names in a sentence */

bool measured_are_in(const struct invocation *run, const struct word *file, sw_text *text)
{
	if (sw_str_is(file->text, PUBLISHED)) {
		measured_published(text);
		return true;
	}
	if (sw_str_is(file->text, "-") || !file_read_text(file_beside(run, file), text, NULL, NULL))
		return false;
	return measured_begin((sw_str){sw_text_get(text), text->length});
}

/* ---- which cells are looked at ---- */

/* Those of one hardware (NULL: any), with odd numbers, inside a node: each only where it is asked for. */
struct chosen {
	const struct table_of_times *cells;
	const char *hardware;
	bool odd, inside;
	enum measured_model by;
};

static bool is_chosen(const struct chosen *of, const struct measured *cell)
{
	return (of->hardware == NULL || strcmp(cell->hardware, of->hardware) == 0) &&
		(!of->odd || cell->number % 2 == 1) && (!of->inside || !cell->outer) && cell->by[of->by].there;
}

static int count_chosen(const struct chosen *of)
{
	int count = 0;

	for (int i = 0; i < of->cells->count; i++)
		count += is_chosen(of, &of->cells->cell[i]);
	return count;
}

enum figure { ALLREDUCE, OPTIMAL, SPEEDUP };

static double measured_figure(const struct measured *cell, enum figure figure)
{
	return figure == ALLREDUCE ? cell->allreduce : figure == OPTIMAL ? cell->optimal : cell->speedup;
}

static double predicted_figure(const struct predicted *predicted, enum figure figure)
{
	return figure == ALLREDUCE ? predicted->allreduce :
		figure == OPTIMAL      ? predicted->optimal :
								 predicted_speedup(predicted);
}

static double correlation(const struct chosen *of, enum figure figure, sw_arena *arena)
{
	const struct table_of_times *cells = of->cells;
	double *measured = SW_NEW(arena, double, cells->count), *said = SW_NEW(arena, double, cells->count);
	int count = 0;

	for (int i = 0; i < cells->count && measured != NULL && said != NULL; i++) {
		if (!is_chosen(of, &cells->cell[i]))
			continue;
		measured[count] = measured_figure(&cells->cell[i], figure);
		said[count++] = predicted_figure(&cells->cell[i].by[of->by], figure);
	}
	return count > 1 ? sample_rank_correlation(measured, said, count) : NAN;
}

/* Predicted over measured seconds of one all-reduce inside a unit of the outermost level: their geometric mean; NAN: none is. */
static double ratio_inside(const struct chosen *of, sw_arena *arena)
{
	const struct table_of_times *cells = of->cells;
	struct chosen inside = *of;
	double *ratio = SW_NEW(arena, double, cells->count);
	int count = 0;

	inside.inside = true;
	for (int i = 0; i < cells->count && ratio != NULL; i++)
		if (is_chosen(&inside, &cells->cell[i]))
			ratio[count++] = cells->cell[i].by[of->by].allreduce / cells->cell[i].allreduce;
	return count > 0 ? sample_geometric_mean(ratio, count) : NAN;
}

/* How many times measured and predicted seconds are apart; the time that contradicts its speed-up is left out. */
static double times_off(const struct measured *cell, enum measured_model by)
{
	double a = fabs(log(cell->allreduce / cell->by[by].allreduce));
	double b = cell->misprint ? 0 : fabs(log(cell->optimal / cell->by[by].optimal));

	return exp(fmax(a, b));
}

static int count_far(const struct chosen *of)
{
	int count = 0;

	for (int i = 0; i < of->cells->count; i++)
		count += is_chosen(of, &of->cells->cell[i]) && times_off(&of->cells->cell[i], of->by) > FAR;
	return count;
}

static int farthest_first(const void *a, const void *b)
{
	double x = times_off(a, BY_PORTS), y = times_off(b, BY_PORTS);

	return (x < y) - (x > y);
}

static bool has_fit(const struct table_of_times *cells)
{
	for (int i = 0; i < cells->count; i++)
		if (cells->cell[i].by[BY_FIT].there)
			return true;
	return false;
}

/* ---- summaries ---- */

struct summary {
	int faster, across;
	double mean, mean_across, largest;        /* of speed-ups above 1 */
	const struct measured *slowest, *fastest; /* of the reduction whose placements differ most */
};

static void compare_placements(const struct table_of_times *cells, const struct measured *cell, struct summary *s)
{
	for (int k = 0; k < cells->count; k++)
		if (cells->cell[k].reduction == cell->reduction &&
			(s->slowest == NULL ||
				cell->allreduce / cells->cell[k].allreduce > s->slowest->allreduce / s->fastest->allreduce)) {
			s->slowest = cell;
			s->fastest = &cells->cell[k];
		}
}

static struct summary summary_of(const struct table_of_times *cells)
{
	struct summary s = {.largest = 1};

	for (int i = 0; i < cells->count; i++) {
		const struct measured *cell = &cells->cell[i];

		s.largest = fmax(s.largest, cell->speedup);
		if (cell->speedup > 1) {
			s.faster++;
			s.mean += cell->speedup;
			s.across += cell->outer;
			s.mean_across += cell->outer ? cell->speedup : 0;
		}
		compare_placements(cells, cell, &s);
	}
	s.mean /= s.faster > 0 ? s.faster : 1;
	s.mean_across /= s.across > 0 ? s.across : 1;
	return s;
}

/* Programs of all placements of one sum that runs in one way; printed -1: not said. */
struct programs {
	const struct measured *first; /* of its cells; NULL: the sum does not run in this way */
	int64_t printed, printed_faster;
	struct predicted by[MEASURED_MODELS];
};

static struct programs programs_of(const struct table_of_times *cells, uint64_t reduction)
{
	struct programs of = {.printed = -1, .printed_faster = -1};

	for (int i = 0; i < cells->count; i++) {
		const struct measured *cell = &cells->cell[i];

		if (cell->reduction != reduction)
			continue;
		of.first = of.first != NULL ? of.first : cell;
		of.printed = cell->programs;
		of.printed_faster = cell->faster;
		for (int by = 0; by < MEASURED_MODELS; by++) {
			of.by[by].there = cell->by[by].there;
			of.by[by].programs += cell->by[by].programs;
			of.by[by].faster += cell->by[by].faster;
		}
	}
	return of;
}

static bool begins_reduction(const struct table_of_times *cells, int at)
{
	for (int i = 0; i < at; i++)
		if (cells->cell[i].reduction == cells->cell[at].reduction)
			return false;
	return true;
}

static bool begins_sum(const struct table_of_times *cells, int at)
{
	for (int i = 0; i < at; i++)
		if (strcmp(cells->cell[i].sum, cells->cell[at].sum) == 0)
			return false;
	return true;
}

/* The same sum as that of cell `at`, by rings or by trees. */
static struct programs programs_by(const struct table_of_times *cells, int at, const char *algorithm)
{
	for (int i = at; i < cells->count; i++)
		if (strcmp(cells->cell[i].sum, cells->cell[at].sum) == 0 && strcmp(cells->cell[i].algorithm, algorithm) == 0)
			return programs_of(cells, cells->cell[i].reduction);
	return (struct programs){.printed = -1, .printed_faster = -1};
}

/* What the table says of all programs. */
struct totals {
	int sums, reductions; /* that say how many programs there are, and how many are faster */
	int64_t printed, found, printed_faster, faster[MEASURED_MODELS];
};

static struct totals totals_of(const struct table_of_times *cells)
{
	struct totals t = {0};

	for (int i = 0; i < cells->count; i++) {
		struct programs of = programs_of(cells, cells->cell[i].reduction);

		if (begins_sum(cells, i) && of.printed >= 0) {
			t.sums++;
			t.printed += of.printed;
			t.found += of.by[BY_PORTS].programs;
		}
		if (!begins_reduction(cells, i) || of.printed_faster < 0)
			continue;
		t.reductions++;
		t.printed_faster += of.printed_faster;
		for (int by = 0; by < MEASURED_MODELS; by++)
			t.faster[by] += of.by[by].faster;
	}
	return t;
}

/* Calls with the name of each hardware once, in the order in which they come. */
static const char *hardware_after(const struct table_of_times *cells, int *at)
{
	for (; *at < cells->count; (*at)++) {
		bool seen = false;

		for (int k = 0; k < *at; k++)
			seen = seen || strcmp(cells->cell[k].hardware, cells->cell[*at].hardware) == 0;
		if (!seen)
			return cells->cell[(*at)++].hardware;
	}
	return NULL;
}

/* ---- the answer in words ---- */

/* How well the seconds of some cells are predicted. */
struct agreement {
	const char *hardware, *rates, *numbers;
	double allreduce, optimal, speedup, inside; /* NAN: not known */
	int cells, far;
};

static struct agreement agreement_of(struct chosen of, sw_arena *arena)
{
	return (struct agreement){of.hardware != NULL ? of.hardware : "all", of.by == BY_FIT ? "fitted" : "published",
		of.odd ? "odd" : "all", correlation(&of, ALLREDUCE, arena), correlation(&of, OPTIMAL, arena),
		correlation(&of, SPEEDUP, arena), ratio_inside(&of, arena), count_chosen(&of), count_far(&of)};
}

enum { AGREEMENTS = 3 }; /* all cells, and those with odd numbers, by both models */

/* The hardware one by one, and all, of each; how many rows. */
static int list_agreements(const struct table_of_times *cells, sw_arena *arena, struct agreement **rows)
{
	static const struct {
		bool odd;
		enum measured_model by;
	} kinds[AGREEMENTS] = {{false, BY_PORTS}, {true, BY_PORTS}, {true, BY_FIT}};
	int count = 0;

	*rows = SW_NEW(arena, struct agreement, AGREEMENTS * (cells->count + 1));
	for (int k = 0; *rows != NULL && k < (has_fit(cells) ? AGREEMENTS : 1); k++) {
		struct chosen of = {.cells = cells, .odd = kinds[k].odd, .by = kinds[k].by};
		int at = 0;

		do {
			of.hardware = hardware_after(cells, &at);
			(*rows)[count++] = agreement_of(of, arena);
		} while (of.hardware != NULL);
	}
	return count;
}

static void print_label(const struct row_at *at, sw_text *text)
{
	const struct agreement *row = at->row;

	sw_text_addf(text, "%s%s%s", row->hardware[0] ? row->hardware : "-",
		strcmp(row->rates, "fitted") == 0 ? " fitted" : "", strcmp(row->numbers, "odd") == 0 ? ", odd" : "");
}

static const struct row_column agreement_columns[] = {
	ROW_AT("hardware", "hardware", WORD, struct agreement, hardware, .print = print_label, .role = ROLE_LABEL),
	ROW_AT("rates", NULL, WORD, struct agreement, rates),
	ROW_AT("numbers", NULL, WORD, struct agreement, numbers),
	ROW_AT("cells", "cells", COUNT, struct agreement, cells),
	ROW_AT("allreduce", "one allreduce", NUMBER, struct agreement, allreduce, .any = true, .digits = 3),
	ROW_AT("optimal", "best program", NUMBER, struct agreement, optimal, .any = true, .digits = 3),
	ROW_AT("speedup", "speed-up", NUMBER, struct agreement, speedup, .any = true, .digits = 3),
	ROW_AT("inside", "inside", NUMBER, struct agreement, inside, .any = true, .digits = 2, .sparse = true),
	ROW_AT("disagree", "far", COUNT, struct agreement, far),
};

static bool answer_agreement(const struct invocation *run, const struct table_of_times *cells, struct fields *fields,
	sw_diag *diag)
{
	struct agreement *row;
	int count = list_agreements(cells, run->arena, &row);
	const struct rows rows = ROWS_OF(agreement_columns, row, count);

	if (row == NULL)
		return sw_diag_memory(diag);
	document_say(run->answer, 0,
		"rank correlation of measured and predicted seconds, and of speedups; inside: predicted over measured "
		"seconds of one allreduce inside a node, geometric mean; far: cells that differ by more than %.2g "
		"times",
		FAR);
	if (!rows_answer(&rows, run->answer, fields, "correlations", diag))
		return false;
	if (has_fit(cells))
		document_say(run->answer, 0,
			"fitted: rates inside a node fitted to one allreduce inside a node in the even-numbered cells, as "
			"in systems p2-a100-fitted and p2-v100-fitted; the numbers here are from the odd-numbered cells, "
			"which were not used for the fit");
	return true;
}

/* Cells of which a program is predicted to gain, and none gained. */
static void say_unexplained(const struct invocation *run, const struct table_of_times *cells)
{
	enum measured_model by = has_fit(cells) ? BY_FIT : BY_PORTS;
	sw_text names = {0};
	int count = 0;

	for (int i = 0; i < cells->count; i++) {
		const struct measured *cell = &cells->cell[i];

		if (!cell->by[by].there || cell->speedup >= NO_GAIN || predicted_speedup(&cell->by[by]) < GAIN)
			continue;
		if (count++ < FEW)
			sw_text_addf(&names, "%s%s", count > 1 ? ", " : "", cell->name);
	}
	if (count > 0)
		document_say(run->answer, 0,
			"not explained: in %d cells a program is predicted to be at least %.3g times faster, but none was "
			"even a tenth faster: %s%s",
			count, GAIN, sw_text_get(&names), count > FEW ? ", ..." : "");
	sw_text_free(&names);
}

/* What is printed beside a cell. */
static void say_notes(const struct invocation *run, const struct table_of_times *cells)
{
	for (int i = 0; i < cells->count; i++) {
		const struct measured *cell = &cells->cell[i];

		if (cell->note[0] != '\0' || cell->misprint)
			document_say(run->answer, 0, "%s, %.2f s beside %.2f s, speedup %.3g: %s", cell->name, cell->optimal,
				cell->allreduce, cell->speedup, cell->note[0] != '\0' ? cell->note : "these contradict each other");
	}
}

static void say_summary(const struct invocation *run, const struct table_of_times *cells, const struct summary *s)
{
	document_line(run->answer, "measured  %d cells; a program is faster than one allreduce in %d", cells->count,
		s->faster);
	document_line(run->answer, "  mean speedup %.3f; of the %d across the outermost level %.3f; largest %.3g",
		s->mean, s->across, s->mean_across, s->largest);
	if (s->slowest != NULL && s->slowest != s->fastest)
		document_line(run->answer, "  one allreduce: %.2f s on %s, %.2f s on %s: %.4g times", s->slowest->allreduce,
			s->slowest->placement, s->fastest->allreduce, s->fastest->placement,
			s->slowest->allreduce / s->fastest->allreduce);
	if (cells->source != NULL)
		document_say(run->answer, 0, "source: %s", cells->source);
}

static void say_totals(const struct invocation *run, const struct totals *t)
{
	document_line(run->answer, "programs  %lld printed for %d sums, %lld found here", (long long)t->printed, t->sums,
		(long long)t->found);
	document_line(run->answer, "  faster than one allreduce: %lld printed in %d totals, %lld predicted",
		(long long)t->printed_faster, t->reductions, (long long)t->faster[BY_PORTS]);
}

/* A sum: its programs, and how many are faster by rings and by trees, as printed and as each model has it; -1: not said. */
struct sum_row {
	const char *sum;
	int64_t programs, found, faster[2][1 + MEASURED_MODELS];
	double synthesis;
};

static struct sum_row row_of_sum(const struct table_of_times *cells, int at)
{
	const struct programs by[] = {programs_by(cells, at, "ring"), programs_by(cells, at, "tree")},
						  *one = by[0].first != NULL ? &by[0] : &by[1];
	struct sum_row row = {.sum = cells->cell[at].sum,
		.programs = one->printed,
		.found = one->by[BY_PORTS].programs,
		.synthesis = cells->cell[at].synthesis};

	for (int k = 0; k < 2; k++) {
		row.faster[k][0] = by[k].printed_faster;
		for (int model = 0; model < MEASURED_MODELS; model++)
			row.faster[k][1 + model] = by[k].first != NULL && by[k].by[model].there ? by[k].by[model].faster : -1;
	}
	return row;
}

#define FITTED .as = {.drops = 1}

static const struct row_column sum_columns[] = {
	ROW_AT(NULL, "sum over axes", WORD, struct sum_row, sum, .role = ROLE_LABEL, .as = {.gives = 20}),
	ROW_AT(NULL, "programs", LARGE, struct sum_row, programs),
	ROW_AT(NULL, "found", LARGE, struct sum_row, found),
	ROW_AT(NULL, "ring", LARGE, struct sum_row, faster[0][0]),
	ROW_AT(NULL, "pred.", LARGE, struct sum_row, faster[0][1]),
	ROW_AT(NULL, "fitted", LARGE, struct sum_row, faster[0][2], FITTED),
	ROW_AT(NULL, "tree", LARGE, struct sum_row, faster[1][0]),
	ROW_AT(NULL, "pred.", LARGE, struct sum_row, faster[1][1]),
	ROW_AT(NULL, "fitted", LARGE, struct sum_row, faster[1][2], FITTED),
	ROW_AT(NULL, "synthesis", SECONDS, struct sum_row, synthesis, .above = true),
};

static bool say_programs(const struct invocation *run, const struct table_of_times *cells, const struct totals *t,
	sw_diag *diag)
{
	struct sum_row *row = SW_NEW(run->arena, struct sum_row, cells->count);
	int count = 0;

	if (row == NULL)
		return sw_diag_memory(diag);
	for (int i = 0; i < cells->count; i++)
		if (begins_sum(cells, i))
			row[count++] = row_of_sum(cells, i);
	const struct rows rows = ROWS_OF(sum_columns, row, count);
	say_totals(run, t);
	rows_table(&rows, run->answer, NULL);
	return true;
}

/* ---- cells ---- */

/* Of a figure what was measured, and what is predicted by each model. */
static double figure_of(const struct row_at *at)
{
	const struct measured *cell = at->row;
	enum figure figure = (enum figure)(at->part / (MEASURED_MODELS + 1));
	int by = at->part % (MEASURED_MODELS + 1) - 1;

	return by < 0           ? measured_figure(cell, figure) :
		!cell->by[by].there ? NAN :
							  predicted_figure(&cell->by[by], figure);
}

static int64_t disagrees(const struct row_at *at)
{
	return times_off(at->row, BY_PORTS) > FAR;
}

/* What a model says of it, where it says something. */
static bool fill_predicted(const struct row_at *at, struct fields *in)
{
	static const char *const keys[MEASURED_MODELS] = {"predicted", "fitted"};
	const struct predicted *by = &((const struct measured *)at->row)->by[at->part];
	struct fields *row = by->there ? field_object(in, keys[at->part]) : NULL;

	field_number(row, "allreduce_s", by->allreduce);
	field_number(row, "optimal_s", by->optimal);
	field_number(row, "speedup", predicted_speedup(by));
	field_int(row, "programs", by->programs);
	field_int(row, "faster", by->faster);
	return true;
}

#define FIGURE(key, heading, which, ...) \
	ROW_BY(key, heading, NUMBER, .number_of = figure_of, .part = (which), .digits = 2, __VA_ARGS__)

static const struct row_column cell_columns[] = {
	ROW_AT("name", "cell", WORD, struct measured, name, .role = ROLE_LABEL),
	ROW_AT(NULL, "hardware", WORD, struct measured, hardware, .role = ROLE_DIM, .as = {.drops = 2}),
	ROW_AT("sum", NULL, WORD, struct measured, sum),
	ROW_AT("placement", "placement", WORD, struct measured, placement, .as = {.gives = 12}),
	ROW_AT(NULL, "as", WORD, struct measured, algorithm, .role = ROLE_DIM),
	FIGURE("allreduce_s", "one", 0),
	FIGURE("predicted_allreduce_s", "pred.", 1),
	FIGURE(NULL, "fitted", 2, FITTED),
	FIGURE("optimal_s", "best", 3),
	FIGURE("predicted_optimal_s", "pred.", 4),
	FIGURE(NULL, "fitted", 5, FITTED),
	FIGURE("speedup", "speed-up", 6),
	FIGURE(NULL, "pred.", 7),
	FIGURE(NULL, "fitted", 8, FITTED),
	ROW_AT("synthesis_s", NULL, NUMBER, struct measured, synthesis, .above = true, .sparse = true),
	ROW_BY("", NULL, OBJECT, .fill = fill_predicted, .part = BY_PORTS),
	ROW_BY("", NULL, OBJECT, .fill = fill_predicted, .part = BY_FIT),
	ROW_BY("disagrees", NULL, FLAG, .count_of = disagrees),
};

/* For people all that are published, in their order, where no number of rows is asked for, else the farthest; programs get all. */
static bool answer_cells(const struct invocation *run, struct table_of_times *cells, int shown, struct fields *fields,
	sw_diag *diag)
{
	struct chosen all = {.cells = cells};
	bool some = fields == NULL && shown < cells->count;
	const struct rows rows = ROWS_OF(cell_columns, cells->cell, some ? shown : cells->count);

	if (some)
		qsort(cells->cell, (size_t)cells->count, sizeof *cells->cell, farthest_first);
	document_line(run->answer, "%d of %d differ by more than %.2g times; %s:", count_far(&all), cells->count, FAR,
		some ? "the farthest" : "all");
	document_say(run->answer, 0,
		"seconds of one allreduce and of the best program, and the speedup, each with its prediction");
	return rows_answer(&rows, run->answer, fields, "rows", diag);
}

/* ---- the command ---- */

static void add_total_fields(struct fields *fields, const struct totals *t)
{
	field_int(fields, "sums", t->sums);
	field_int(fields, "programs", t->printed);
	field_int(fields, "programs_found", t->found);
	field_int(fields, "totals", t->reductions);
	field_int(fields, "faster_programs", t->printed_faster);
	field_int(fields, "predicted_faster_programs", t->faster[BY_PORTS]);
	field_int(fields, "fitted_faster_programs", t->faster[BY_FIT]);
}

static struct fields *add_head(const struct invocation *run, const struct table_of_times *cells,
	const struct summary *s)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.compare-measured/1");
	struct chosen all = {.cells = cells};

	if (cells->source != NULL)
		field_text(fields, "source", cells->source);
	field_int(fields, "cells", cells->count);
	field_int(fields, "faster", s->faster);
	field_number(fields, "mean_speedup", s->mean);
	field_int(fields, "across", s->across);
	field_number(fields, "mean_speedup_across", s->mean_across);
	field_number(fields, "largest_speedup", s->largest);
	if (s->slowest != NULL)
		field_number(fields, "largest_ratio_of_placements", s->slowest->allreduce / s->fastest->allreduce);
	field_int(fields, "disagree", count_far(&all));
	return fields;
}

bool compare_measured(struct invocation *run, const struct word *file, const sw_text *text, sw_diag *diag)
{
	struct table_of_times cells = {0};
	bool published = sw_str_is(file->text, PUBLISHED);
	int64_t shown;

	if (!measured_read(run, published ? PUBLISHED : file_name(run, file), (sw_str){sw_text_get(text), text->length},
			&cells, diag) ||
		!rows_to_show(run, cells.count, published ? cells.count : FEW, &shown, diag))
		return false;
	struct summary s = summary_of(&cells);
	struct totals t = totals_of(&cells);
	struct fields *fields = add_head(run, &cells, &s);
	if (t.sums > 0)
		add_total_fields(fields, &t);
	say_summary(run, &cells, &s);
	if (!answer_agreement(run, &cells, fields, diag))
		return false;
	say_unexplained(run, &cells);
	say_notes(run, &cells);
	if (t.sums > 0 && !say_programs(run, &cells, &t, diag))
		return false;
	if (!answer_cells(run, &cells, (int)shown, fields, diag))
		return false;
	document_line(run->answer, "the ports were chosen to match these seconds: this is a fit, not a prediction");
	return true;
}
