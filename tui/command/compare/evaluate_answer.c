/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an evaluation says: ratios, ranks and the worst cases, as pictures and as fields.
 */
#include "command/compare/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/compare/compare.h"
#include "command/compare/tally.h"
#include "views/draw.h"
#include "answer/order.h"
#include "views/evaluation.h"
#include "views/histogram.h"

enum { CLASSES = 4, WORST = 4, SLOWDOWN_DIGITS = 6 };

/* A measure of two plans: what they cost, or take. */
struct measured_pair {
	struct sample first, second;
	struct tally tally[SW_STRATEGY_COUNT];
	struct ratios ratios[SW_STRATEGY_COUNT];
	int ratio_count;
};

struct evaluation_answer {
	struct evaluation *e;
	struct sample search[SW_STRATEGY_COUNT], searches;
	int missing[SW_STRATEGY_COUNT];
	struct measured_pair cost, time;
	struct evaluation_search rows[SW_STRATEGY_COUNT];
	struct evaluation_class classes[CLASSES + 1];
	int class_count;
	struct evaluation_cases cases[2];
	sw_text about, cost_of, time_of, times;
	bool failed; /* memory is short */
};

typedef double plan_measure(const struct evaluated_plan *plan);

static double cost_of(const struct evaluated_plan *plan)
{
	return plan->planned ? plan->model_cost : -1;
}

static double time_of(const struct evaluated_plan *plan)
{
	return plan->seconds;
}

/* ---- RQ1 ---- */

static void add_searches(struct evaluation_answer *a)
{
	for (int n = 0; n < a->e->count; n++)
		for (int s = 0; s < a->e->strategies; s++) {
			const struct evaluated_plan *plan = &a->e->problem[n].plan[s];
			a->missing[s] += !plan->planned;
			if (plan->planned)
				a->failed |= !sample_add(&a->search[s], plan->searched) || !sample_add(&a->searches, plan->searched);
		}
	sample_sort(&a->searches);
	for (int s = 0; s < a->e->strategies; s++) {
		sample_sort(&a->search[s]);
		a->rows[s] = (struct evaluation_search){sw_strategy_name(a->e->strategy[s]), a->search[s].value,
			a->search[s].count, a->missing[s]};
	}
}

/* ---- RQ2 ---- */

/* The first strategy stands in front: its ratios are drawn. */
static void add_pair(struct evaluation_answer *a, plan_measure *measure, bool all, struct measured_pair *pair)
{
	const struct evaluation *e = a->e;
	for (int n = 0; n < e->count && e->strategies > 1; n++) {
		const struct evaluated_plan *plan = e->problem[n].plan;
		double against = measure(&plan[1]);
		if (!all && !e->problem[n].ran)
			continue;
		if (measure(&plan[0]) >= 0 && against >= 0)
			a->failed |= !sample_add(&pair->first, measure(&plan[0])) || !sample_add(&pair->second, against);
		for (int s = 0; s < e->strategies; s++) {
			pair->tally[s].ratios.missing += measure(&plan[s]) < 0;
			pair->tally[s].ratios.over += plan[s].planned && plan[s].over;
			if (measure(&plan[s]) >= 0 && against >= 0)
				a->failed |= !tally_add(&pair->tally[s], measure(&plan[s]), against);
		}
	}
	for (int s = 0; s < e->strategies; s++) {
		tally_finish(&pair->tally[s], sw_strategy_name(e->strategy[s]));
		pair->ratios[pair->ratio_count++] = pair->tally[s].ratios;
	}
}

/* ---- RQ3 ---- */

struct timed_problem {
	int number;
	double bytes; /* that a device moves by the plan that moves least */
};

/* What a plan cost and took: measured, or else predicted. */
static bool timed(const struct evaluated *row, int s, bool ran, double *cost, double *seconds, double *bytes)
{
	const struct evaluated_plan *plan = &row->plan[s];
	*cost = ran ? plan->ran_cost : plan->model_cost;
	*seconds = ran ? plan->seconds : plan->predicted;
	*bytes = ran ? plan->ran_bytes : (double)plan->cost * row->dtype_bytes;
	return plan->planned && (!ran || row->ran) && *seconds >= 0;
}

static int by_bytes(const void *left, const void *right)
{
	const struct timed_problem *a = left, *b = right;
	return a->bytes < b->bytes ? -1 : a->bytes > b->bytes ? 1 : a->number - b->number;
}

static int list_problems(const struct evaluation *e, bool ran, struct timed_problem *list)
{
	int count = 0;
	for (int n = 0; n < e->count; n++) {
		double least = -1, cost, seconds, bytes;
		for (int s = 0; s < e->strategies; s++)
			if (timed(&e->problem[n], s, ran, &cost, &seconds, &bytes) && (least < 0 || bytes < least))
				least = bytes;
		if (least >= 0)
			list[count++] = (struct timed_problem){n, least};
	}
	qsort(list, (size_t)count, sizeof(*list), by_bytes);
	return count;
}

static bool differ(double a, double b)
{
	return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b));
}

static void count_pairs(const double *cost, const double *seconds, int count, struct evaluation_class *out)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++) {
			if (!differ(cost[i], cost[j]))
				continue;
			out->pairs++;
			out->faster += differ(seconds[i], seconds[j]) && (cost[i] < cost[j]) == (seconds[i] < seconds[j]);
		}
}

static void add_class(struct evaluation_answer *a, bool ran, const struct timed_problem *list, int count, bool all)
{
	struct evaluation_class *out = &a->classes[a->class_count];
	struct sample costs = {.count = 0}, times = {.count = 0};
	*out = (struct evaluation_class){list[0].bytes, all ? -1 : list[count - 1].bytes, .problems = count};
	for (int i = 0; i < count; i++) {
		double cost[SW_STRATEGY_COUNT], seconds[SW_STRATEGY_COUNT], bytes;
		int here = 0;
		for (int s = 0; s < a->e->strategies; s++)
			here += timed(&a->e->problem[list[i].number], s, ran, &cost[here], &seconds[here], &bytes);
		for (int k = 0; k < here; k++)
			a->failed |= !sample_add(&costs, cost[k]) || !sample_add(&times, seconds[k]);
		count_pairs(cost, seconds, here, out);
	}
	out->plans = costs.count;
	out->correlation = sample_rank_correlation(costs.value, times.value,
		costs.count < times.count ? costs.count : times.count);
	sample_free(&costs);
	sample_free(&times);
	a->class_count++;
}

/* Classes of as many problems each, by what a device moves; and all of them. */
static void add_order(struct evaluation_answer *a, bool ran)
{
	struct timed_problem *list = malloc(sizeof(*list) * (size_t)(a->e->count ? a->e->count : 1));
	int count = list ? list_problems(a->e, ran, list) : 0;
	a->failed |= !list;
	for (int c = 0; c < CLASSES && count >= 2 * CLASSES; c++) {
		int from = (int)((int64_t)count * c / CLASSES), to = (int)((int64_t)count * (c + 1) / CLASSES);
		add_class(a, ran, list + from, to - from, false);
	}
	if (count)
		add_class(a, ran, list, count, true);
	free(list);
}

/* ---- the worst cases ---- */

/* The line that makes this problem the session's. */
static const char *opening(const struct evaluation *e, int n)
{
	sw_text line = {0};
	sw_text_add(&line, "evaluate");
	if (e->file)
		sw_text_addf(&line, strpbrk(e->file, " ;'\"#") ? " '%s'" : " %s", e->file);
	if (!e->file && e->devices != 8)
		sw_text_addf(&line, " --devices %lld", (long long)e->devices);
	if (!e->file && e->seed != 1)
		sw_text_addf(&line, " --seed %lld", (long long)e->seed);
	sw_text_addf(&line, " --take %d", n + 1);
	const char *kept = sw_text_keep(&line, e->run->arena);
	return kept ? kept : "";
}

struct worst {
	double ratio;
	int n;
};

/* Keeps the greatest in descending order. */
static int insert(struct worst *worst, int count, struct worst one)
{
	int at = count;
	while (at > 0 && worst[at - 1].ratio < one.ratio)
		at--;
	if (at == WORST)
		return count;
	int last = count < WORST ? count : WORST - 1;
	memmove(&worst[at + 1], &worst[at], sizeof(*worst) * (size_t)(last - at));
	worst[at] = one;
	return last + 1;
}

static void add_cases(struct evaluation_answer *a, plan_measure *measure, int slow, struct evaluation_cases *cases)
{
	const struct evaluation *e = a->e;
	struct worst worst[WORST];
	int count = 0;
	*cases = (struct evaluation_cases){.slow = sw_strategy_name(e->strategy[slow]),
		.fast = sw_strategy_name(e->strategy[!slow])};
	for (int n = 0; n < e->count; n++) {
		double above = measure(&e->problem[n].plan[slow]), below = measure(&e->problem[n].plan[!slow]);
		if (above <= 0 || below <= 0 || !differ(above, below) || above < below)
			continue;
		cases->above++;
		count = insert(worst, count, (struct worst){above / below, n});
	}
	struct evaluation_case *row = SW_NEW(e->run->arena, struct evaluation_case, WORST);
	a->failed |= !row;
	for (int i = 0; i < count && row; i++) {
		const struct evaluated *problem = &e->problem[worst[i].n];
		row[i] = (struct evaluation_case){worst[i].ratio, worst[i].n + 1, problem->bytes, problem->mesh,
			problem->from, problem->to, opening(e, worst[i].n)};
	}
	cases->row = row;
	cases->count = row ? count : 0;
}

/* ---- what it is about ---- */

static int count_ran(const struct evaluation *e)
{
	int count = 0;
	for (int n = 0; n < e->count; n++)
		count += e->problem[n].ran;
	return count;
}

static void say_about(struct evaluation_answer *a)
{
	const struct evaluation *e = a->e;
	const char *unit = sw_model_is_timed(e->asked.model) ? "seconds" : "elements per device";
	sw_text_add(&a->about, words_plural(e->count, "problem", "problems").text);
	if (e->file)
		sw_text_addf(&a->about, " of %s", e->file);
	else
		sw_text_addf(&a->about, " at random on %lld devices, %s, seed %lld", (long long)e->devices,
			e->count ? e->problem[0].mesh : "", (long long)e->seed);
	sw_text_addf(&a->cost_of, "%s, model %s", unit, sw_model_name(e->asked.model));
	sw_text_addf(&a->time_of, "%s run, arrays to %g", words_plural(count_ran(e), "problem", "problems").text,
		e->scale);
}

static void say_times(struct evaluation_answer *a, bool ran)
{
	const sw_machine *machine = NULL;
	if (ran) {
		sw_text_addf(&a->times, "time: measured, with arrays to %g of their elements", a->e->scale);
		return;
	}
	compare_machine(&a->e->asked, a->e->devices, &machine, NULL);
	if (machine && machine->hardware)
		sw_text_addf(&a->times, "time: predicted on hardware %s; `--run N` measures", machine->name);
	else
		sw_text_add(&a->times, "time: predicted for this machine; `--run N` measures");
}

/* ---- pictures ---- */

static void cost_words(double cost, sw_text *text)
{
	sw_text_add(text, words_amount(cost).text);
}

static void time_words(double seconds, sw_text *text)
{
	sw_text_add(text, words_seconds_to(seconds, 1).text);
}

static struct evaluation_pair pair_of(const struct measured_pair *pair, chart_words *words, const char *what,
	const sw_text *of)
{
	return (struct evaluation_pair){pair->first.value, pair->second.value, pair->first.count, pair->ratios,
		pair->ratio_count, words, what, sw_text_get(of)};
}

static void draw_parts(const struct evaluation_answer *a)
{
	const struct evaluation *e = a->e;
	bool timed_model = sw_model_is_timed(e->asked.model);
	struct document *document = e->run->answer;
	const struct evaluation_picture picture = {.about = sw_text_get(&a->about),
		.search = a->rows,
		.searches = e->strategies,
		.seconds = a->searches.value,
		.seconds_count = a->searches.count,
		.first = sw_strategy_name(e->strategy[0]),
		.second = e->strategies > 1 ? sw_strategy_name(e->strategy[1]) : NULL,
		.cost = pair_of(&a->cost, timed_model ? time_words : cost_words, "cost", &a->cost_of),
		.time = pair_of(&a->time, time_words, "time", &a->time_of),
		.classes = a->classes,
		.class_count = a->class_count,
		.times = sw_text_get(&a->times),
		.cases = a->cases,
		.cases_count = e->strategies > 1 ? 2 : 0,
		.arranged = document->arrangement};
	for (int i = 0; i < evaluation_part_count; i++)
		if (evaluation_parts[i].has(&picture))
			evaluation_parts[i].draw(&picture, document->width, document_canvas(document));
}

/* ---- fields ---- */

static void add_case_fields(const struct evaluation_answer *a, struct fields *list)
{
	for (int i = 0; i < 2; i++) {
		const struct evaluation_cases *cases = &a->cases[i];
		struct fields *one = field_object(list, NULL);
		field_text(one, "slow", cases->slow);
		field_text(one, "fast", cases->fast);
		field_int(one, "problems", cases->above);
		struct fields *rows = field_list(one, "worst");
		for (int k = 0; k < cases->count; k++) {
			struct fields *row = field_object(rows, NULL);
			sw_text open = {0};
			sw_text_addf(&open, "mesh %s; %s ~> %s; compare", cases->row[k].mesh, cases->row[k].from,
				cases->row[k].to);
			field_int(row, "number", cases->row[k].number);
			field_digits(row, "slowdown", cases->row[k].slowdown, SLOWDOWN_DIGITS);
			field_int(row, "bytes", cases->row[k].bytes);
			field_text(row, "from", cases->row[k].from);
			field_text(row, "to", cases->row[k].to);
			field_printed(row, "open", &open);
		}
	}
}

static bool add_rows(const struct evaluation *e, struct rows rows, struct fields *fields, const char *key,
	sw_diag *diag)
{
	return rows_arrange(&rows, e->run->answer, diag) && rows_list(&rows, fields, key, diag);
}

static bool add_ratios(const struct evaluation *e, const struct measured_pair *pair, struct fields *fields,
	const char *key, sw_diag *diag)
{
	return add_rows(e, ratios_rows(pair->ratios, pair->ratio_count), fields, key, diag);
}

static bool answer_fields(const struct evaluation_answer *a, bool ran, sw_diag *diag)
{
	const struct evaluation *e = a->e;
	struct fields *fields = document_fields(e->run->answer, "shardwalk.evaluate/1");
	field_int(fields, "problems", e->count);
	field_bool(fields, "stopped", e->stopped);
	field_text(fields, "file", e->file);
	if (!e->file) {
		field_int(fields, "devices", e->devices);
		field_int(fields, "seed", e->seed);
	}
	field_text(fields, "model", sw_model_name(e->asked.model));
	bool ok = add_rows(e, evaluation_search_rows(a->rows, e->strategies), fields, "search", diag);
	if (e->strategies > 1) {
		field_text(fields, "against", sw_strategy_name(e->strategy[1]));
		ok = ok && add_ratios(e, &a->cost, fields, "cost_ratios", diag);
	}
	field_int(fields, "ran", count_ran(e));
	if (ran) {
		field_number(fields, "scale", e->scale);
		ok = ok && add_ratios(e, &a->time, fields, "time_ratios", diag);
	}
	field_text(fields, "times", ran ? "measured" : "predicted");
	ok = ok && add_rows(e, evaluation_class_rows(a->classes, a->class_count), fields, "order", diag);
	if (e->strategies > 1)
		add_case_fields(a, field_list(fields, "worst_cases"));
	return ok;
}

/* ---- the whole ---- */

static void end(struct evaluation_answer *a)
{
	struct measured_pair *pairs[] = {&a->cost, &a->time};
	for (int p = 0; p < 2; p++) {
		sample_free(&pairs[p]->first);
		sample_free(&pairs[p]->second);
		for (int s = 0; s < SW_STRATEGY_COUNT; s++)
			tally_free(&pairs[p]->tally[s]);
	}
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		sample_free(&a->search[s]);
	sample_free(&a->searches);
	sw_text_free(&a->about);
	sw_text_free(&a->cost_of);
	sw_text_free(&a->time_of);
	sw_text_free(&a->times);
}

bool evaluate_answer(struct evaluation *e, sw_diag *diag)
{
	struct evaluation_answer a = {.e = e};
	bool ran = count_ran(e) > 0;
	if (!e->count)
		return true;
	add_searches(&a);
	add_pair(&a, cost_of, true, &a.cost);
	if (ran)
		add_pair(&a, time_of, false, &a.time);
	add_order(&a, ran);
	for (int slow = 0; slow < 2 && e->strategies > 1; slow++)
		add_cases(&a, ran ? time_of : cost_of, slow, &a.cases[slow]);
	say_about(&a);
	say_times(&a, ran);
	bool ok = !a.failed ? answer_fields(&a, ran, diag) : sw_diag_memory(diag);
	if (ok)
		draw_parts(&a);
	end(&a);
	return ok;
}
