/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare published, compare FILE: seconds that others measured for sums over axes of placements, beside those of the model `ports`.
 */
#include "command/placement/measured.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "command/placement/algorithms.h"
#include "command/placement/reduction.h"
#include "host/file.h"
#include "session/sample.h"
#include "views/draw.h"

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

/* A sentence that goes on in the next rows. */
static void say(const struct invocation *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const struct invocation *run, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;

	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	draw_note(document_canvas(run->answer), 0, 0, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

static void add_ratio(struct table *table, double ratio, const char *format)
{
	sw_text text = {0};

	if (!isnan(ratio))
		sw_text_addf(&text, strcmp(format, "3") == 0 ? "%.3f" : "%.2f", ratio);
	table_add_text(table, &text);
}

static void add_agreement(const struct invocation *run, struct table *table, const struct chosen *of,
	const char *rates)
{
	table_add(table, "%s%s%s",
		of->hardware == NULL ? "all" :
			of->hardware[0]  ? of->hardware :
							   "-",
		rates, of->odd ? ", odd" : "");
	table_add(table, "%d", count_chosen(of));
	for (int figure = ALLREDUCE; figure <= SPEEDUP; figure++)
		add_ratio(table, correlation(of, (enum figure)figure, run->arena), "3");
	add_ratio(table, ratio_inside(of, run->arena), "2");
	table_add(table, "%d", count_far(of));
}

/* The hardware one by one, and all. */
static void add_agreements(const struct invocation *run, struct table *table, struct chosen of, const char *rates)
{
	int at = 0;

	while ((of.hardware = hardware_after(of.cells, &at)) != NULL)
		add_agreement(run, table, &of, rates);
	add_agreement(run, table, &of, rates);
}

static void say_agreement(const struct invocation *run, const struct table_of_times *cells)
{
	static const struct column columns[] = {COLUMN_LEFT("hardware", ROLE_LABEL), COLUMN_RIGHT("cells", ROLE_NUMBER),
		COLUMN_RIGHT("one allreduce", ROLE_NUMBER), COLUMN_RIGHT("best program", ROLE_NUMBER),
		COLUMN_RIGHT("speed-up", ROLE_NUMBER), COLUMN_RIGHT("inside", ROLE_NUMBER), COLUMN_RIGHT("far", ROLE_NUMBER),
		{0}};
	struct chosen of = {.cells = cells};
	struct table *table;

	say(run,
		"rank correlation of measured and predicted seconds, and of speed-ups; inside: predicted over measured seconds of "
		"one allreduce inside a node, geometric mean; far: cells more than %.2g times apart",
		FAR);
	table = document_table(run->answer, columns);
	add_agreements(run, table, of, "");
	if (!has_fit(cells))
		return;
	of.odd = true;
	add_agreements(run, table, of, "");
	of.by = BY_FIT;
	add_agreements(run, table, of, " fitted");
	say(run,
		"fitted: rates inside a node that follow from one allreduce inside a node in cells with even numbers, as systems "
		"p2-a100-fitted and p2-v100-fitted have them; told here by the cells with odd numbers, from which nothing follows");
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
		say(run,
			"not explained: in %d cells a program is predicted at least %.3g times faster, and none was by a tenth: %s%s",
			count, GAIN, sw_text_get(&names), count > FEW ? ", ..." : "");
	sw_text_free(&names);
}

/* What is printed beside a cell. */
static void say_notes(const struct invocation *run, const struct table_of_times *cells)
{
	for (int i = 0; i < cells->count; i++) {
		const struct measured *cell = &cells->cell[i];

		if (cell->note[0] != '\0' || cell->misprint)
			say(run, "%s, %.2f s beside %.2f s, speed-up %.3g: %s", cell->name, cell->optimal, cell->allreduce,
				cell->speedup, cell->note[0] != '\0' ? cell->note : "these contradict each other");
	}
}

static void say_summary(const struct invocation *run, const struct table_of_times *cells, const struct summary *s)
{
	document_line(run->answer, "measured  %d cells; a program is faster than one allreduce in %d", cells->count,
		s->faster);
	document_line(run->answer, "  mean speed-up %.3f; of the %d across the outermost level %.3f; largest %.3g",
		s->mean, s->across, s->mean_across, s->largest);
	if (s->slowest != NULL && s->slowest != s->fastest)
		document_line(run->answer, "  one allreduce: %.2f s on %s, %.2f s on %s: %.4g times", s->slowest->allreduce,
			s->slowest->placement, s->fastest->allreduce, s->fastest->placement,
			s->slowest->allreduce / s->fastest->allreduce);
	if (cells->source != NULL)
		say(run, "source: %s", cells->source);
}

/* Printed and predicted "faster", two cells; empty where the sum does not run in this way. */
static void add_faster(struct table *table, const struct programs *of)
{
	table_add_if(table, of->printed_faster >= 0, of->printed_faster);
	table_add_if(table, of->first != NULL, of->by[BY_PORTS].faster);
	table_add_if(table, of->first != NULL && of->by[BY_FIT].there, of->by[BY_FIT].faster);
}

static void say_totals(const struct invocation *run, const struct totals *t)
{
	document_line(run->answer, "programs  %lld printed for %d sums, %lld found here", (long long)t->printed, t->sums,
		(long long)t->found);
	document_line(run->answer, "  faster than one allreduce: %lld printed in %d totals, %lld predicted",
		(long long)t->printed_faster, t->reductions, (long long)t->faster[BY_PORTS]);
}

static void say_programs(const struct invocation *run, const struct table_of_times *cells)
{
	static const struct column columns[] = {{.head = "sum over axes", .role = ROLE_LABEL, .gives = 20},
		COLUMN_RIGHT("programs", ROLE_NUMBER), COLUMN_RIGHT("found", ROLE_NUMBER), COLUMN_RIGHT("ring", ROLE_NUMBER),
		COLUMN_RIGHT("pred.", ROLE_NUMBER), {.head = "fitted", .right = true, .role = ROLE_NUMBER, .drops = 1},
		COLUMN_RIGHT("tree", ROLE_NUMBER), COLUMN_RIGHT("pred.", ROLE_NUMBER),
		{.head = "fitted", .right = true, .role = ROLE_NUMBER, .drops = 1}, COLUMN_RIGHT("synthesis", ROLE_NUMBER),
		{0}};
	struct totals t = totals_of(cells);
	struct table *table;

	if (t.sums == 0)
		return;
	say_totals(run, &t);
	table = document_table(run->answer, columns);
	for (int i = 0; i < cells->count; i++) {
		if (!begins_sum(cells, i))
			continue;
		struct programs ring = programs_by(cells, i, "ring"), tree = programs_by(cells, i, "tree");
		const struct programs *one = ring.first != NULL ? &ring : &tree;

		table_add(table, "%s", cells->cell[i].sum);
		table_add_if(table, one->printed >= 0, one->printed);
		table_add_count(table, one->by[BY_PORTS].programs);
		add_faster(table, &ring);
		add_faster(table, &tree);
		table_add(table, "%s", cells->cell[i].synthesis > 0 ? words_seconds(cells->cell[i].synthesis).text : "");
	}
}

/* What was measured, and what is predicted by each model. */
static void add_figures(struct table *table, const struct measured *cell, enum figure figure)
{
	table_add(table, "%.2f", measured_figure(cell, figure));
	for (int by = 0; by < MEASURED_MODELS; by++) {
		sw_text text = {0};

		if (cell->by[by].there)
			sw_text_addf(&text, "%.2f", predicted_figure(&cell->by[by], figure));
		table_add_text(table, &text);
	}
}

static void say_cells(const struct invocation *run, const struct table_of_times *cells, int rows)
{
	static const struct column columns[] = {COLUMN_LEFT("cell", ROLE_LABEL),
		{.head = "hardware", .role = ROLE_DIM, .drops = 2}, {.head = "placement", .role = ROLE_TEXT, .gives = 12},
		COLUMN_LEFT("as", ROLE_DIM), COLUMN_RIGHT("one", ROLE_NUMBER), COLUMN_RIGHT("pred.", ROLE_NUMBER),
		{.head = "fitted", .right = true, .role = ROLE_NUMBER, .drops = 1}, COLUMN_RIGHT("best", ROLE_NUMBER),
		COLUMN_RIGHT("pred.", ROLE_NUMBER), {.head = "fitted", .right = true, .role = ROLE_NUMBER, .drops = 1},
		COLUMN_RIGHT("speed-up", ROLE_NUMBER), COLUMN_RIGHT("pred.", ROLE_NUMBER),
		{.head = "fitted", .right = true, .role = ROLE_NUMBER, .drops = 1}, {0}};
	struct table *table;

	say(run, "seconds of one allreduce, of the best program, and the speed-up, each with what is predicted for it");
	table = document_table(run->answer, columns);
	for (int i = 0; i < rows; i++) {
		const struct measured *cell = &cells->cell[i];

		table_add(table, "%s", cell->name);
		table_add(table, "%s", cell->hardware);
		table_add(table, "%s", cell->placement);
		table_add(table, "%s", cell->algorithm);
		for (int figure = ALLREDUCE; figure <= SPEEDUP; figure++)
			add_figures(table, cell, (enum figure)figure);
	}
}

/* ---- the answer as fields ---- */

static void add_predicted_fields(struct fields *in, const char *key, const struct predicted *predicted)
{
	struct fields *row = field_object(in, key);

	field_number(row, "allreduce_s", predicted->allreduce);
	field_number(row, "optimal_s", predicted->optimal);
	field_number(row, "speedup", predicted_speedup(predicted));
	field_int(row, "programs", predicted->programs);
	field_int(row, "faster", predicted->faster);
}

static void add_cell_fields(struct fields *in, const struct measured *cell)
{
	field_text(in, "name", cell->name);
	field_text(in, "sum", cell->sum);
	field_text(in, "placement", cell->placement);
	field_number(in, "allreduce_s", cell->allreduce);
	field_number(in, "predicted_allreduce_s", cell->by[BY_PORTS].allreduce);
	field_number(in, "optimal_s", cell->optimal);
	field_number(in, "predicted_optimal_s", cell->by[BY_PORTS].optimal);
	field_number(in, "speedup", cell->speedup);
	if (cell->synthesis > 0)
		field_number(in, "synthesis_s", cell->synthesis);
	add_predicted_fields(in, "predicted", &cell->by[BY_PORTS]);
	if (cell->by[BY_FIT].there)
		add_predicted_fields(in, "fitted", &cell->by[BY_FIT]);
	field_bool(in, "disagrees", times_off(cell, BY_PORTS) > FAR);
}

static void add_agreement_fields(const struct invocation *run, struct fields *list, const struct chosen *of)
{
	struct fields *row = field_object(list, NULL);
	double inside = ratio_inside(of, run->arena);

	field_text(row, "hardware", of->hardware != NULL ? of->hardware : "all");
	field_text(row, "rates", of->by == BY_FIT ? "fitted" : "published");
	field_text(row, "numbers", of->odd ? "odd" : "all");
	field_int(row, "cells", count_chosen(of));
	field_number(row, "allreduce", correlation(of, ALLREDUCE, run->arena));
	field_number(row, "optimal", correlation(of, OPTIMAL, run->arena));
	field_number(row, "speedup", correlation(of, SPEEDUP, run->arena));
	if (!isnan(inside))
		field_number(row, "inside", inside);
	field_int(row, "disagree", count_far(of));
}

static void add_correlation_fields(const struct invocation *run, struct fields *fields,
	const struct table_of_times *cells)
{
	static const struct {
		bool odd;
		enum measured_model by;
	} kinds[] = {{false, BY_PORTS}, {true, BY_PORTS}, {true, BY_FIT}};
	struct fields *list = field_list(fields, "correlations");

	for (int k = 0; k < (has_fit(cells) ? 3 : 1); k++) {
		struct chosen of = {.cells = cells, .odd = kinds[k].odd, .by = kinds[k].by};
		int at = 0;

		while ((of.hardware = hardware_after(cells, &at)) != NULL)
			add_agreement_fields(run, list, &of);
		add_agreement_fields(run, list, &of);
	}
}

static void add_total_fields(struct fields *fields, const struct table_of_times *cells)
{
	struct totals t = totals_of(cells);

	if (t.sums == 0)
		return;
	field_int(fields, "sums", t.sums);
	field_int(fields, "programs", t.printed);
	field_int(fields, "programs_found", t.found);
	field_int(fields, "totals", t.reductions);
	field_int(fields, "faster_programs", t.printed_faster);
	field_int(fields, "predicted_faster_programs", t.faster[BY_PORTS]);
	field_int(fields, "fitted_faster_programs", t.faster[BY_FIT]);
}

static void add_measured_fields(const struct invocation *run, const struct table_of_times *cells,
	const struct summary *s)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.compare-measured/1"), *list;
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
	add_total_fields(fields, cells);
	add_correlation_fields(run, fields, cells);
	list = field_list(fields, "rows");
	for (int i = 0; i < cells->count; i++)
		add_cell_fields(field_object(list, NULL), &cells->cell[i]);
}

/* ---- the command ---- */

/* All that are published, in their order, where no number of rows is asked for; else the farthest. */
static void say_rows(const struct invocation *run, struct table_of_times *cells, int rows)
{
	struct chosen all = {.cells = cells};

	if (rows < cells->count) {
		qsort(cells->cell, (size_t)cells->count, sizeof *cells->cell, farthest_first);
		document_line(run->answer, "%d of %d disagree, more than %.2g times apart; the farthest:", count_far(&all),
			cells->count, FAR);
	} else {
		document_line(run->answer, "%d of %d disagree, more than %.2g times apart; all:", count_far(&all),
			cells->count, FAR);
	}
	say_cells(run, cells, rows);
}

bool compare_measured(struct invocation *run, const struct word *file, const sw_text *text, sw_diag *diag)
{
	struct table_of_times cells = {0};
	bool published = sw_str_is(file->text, PUBLISHED);
	struct summary s;
	int64_t shown;

	if (!measured_read(run, published ? PUBLISHED : file_name(run, file), (sw_str){sw_text_get(text), text->length},
			&cells, diag))
		return false;
	s = summary_of(&cells);
	if (wants_json(run)) {
		add_measured_fields(run, &cells, &s);
		return true;
	}
	if (!rows_to_show(run, cells.count, published ? cells.count : FEW, &shown, diag))
		return false;
	say_summary(run, &cells, &s);
	say_agreement(run, &cells);
	say_unexplained(run, &cells);
	say_notes(run, &cells);
	say_programs(run, &cells);
	say_rows(run, &cells, (int)sw_smaller(shown, cells.count));
	document_line(run->answer, "the ports were chosen with these seconds in view: it is a fit, no prediction");
	return true;
}
