/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The axis of time of a film: a row for each plan, and one for what a run measured, all in the same proportion.
 */
#include <assert.h>
#include <stdio.h>

#include <shardwalk/cost.h>

#include "views/film.h"

#define TOTAL_SIZE 128
#define ROOM_LEAST 10 /* columns; where totals leave less they are cut */

/* ---- seconds ---- */

double film_seconds(const sw_machine *timed, const sw_plan *plan, int k)
{
	if (!sw_model_is_timed(plan->model))
		return sw_predict_seconds(plan, k, timed ? timed : sw_machine_default());
	return k < 0 ? plan->model_cost : plan->program.step[k].model_cost;
}

bool film_times_known(const sw_machine *timed, const sw_plan *plan)
{
	bool known = film_seconds(timed, plan, -1) > 0;
	for (int k = 0; k < plan->program.steps; k++)
		known = known && film_seconds(timed, plan, k) >= 0;
	return known;
}

double film_passed(const sw_machine *timed, const sw_plan *plan, const struct view_options *opt, double longest)
{
	double at = 0;
	int step = opt->step < 0 ? 0 : opt->step, steps = plan->program.steps;
	for (int k = 0; k < step && k < steps; k++)
		at += film_seconds(timed, plan, k);
	if (step < steps)
		return at + film_seconds(timed, plan, step) * opt->passed;
	return longest > at ? at + (longest - at) * opt->passed : at;
}

void film_at_seconds(const sw_machine *timed, const sw_plan *plan, double seconds, struct view_options *opt)
{
	double same = film_seconds(timed, plan, -1) * 1e-6; /* what is added up in another order is the same moment */
	opt->step = 0;
	while (opt->step < plan->program.steps && seconds + same >= film_seconds(timed, plan, opt->step))
		seconds -= film_seconds(timed, plan, opt->step++);
	bool inside = opt->step < plan->program.steps && seconds > same;
	opt->passed = inside ? seconds / film_seconds(timed, plan, opt->step) : 0;
}

/* ---- a row ---- */

static int column_of(const struct films *films, double seconds)
{
	assert(films->all > 0);
	return STRIP_MARGIN + (int)(seconds / films->all * (films->room - 1) + 0.5);
}

/* A step from one moment to another. */
struct span {
	double from, to;
	enum role role;
};

static void span_draw(const struct films *films, const struct span *span, struct canvas *out, int y)
{
	int from = column_of(films, span->from), to = column_of(films, span->to);
	struct words words = words_seconds(span->to - span->from);
	int width = canvas_text_width(words.text) + 2;
	if (to > from)
		canvas_hline(out, from, y, to - from + 1, span->role, 0);
	canvas_lines(out, from, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	canvas_lines(out, to, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	if (to - from > width)
		canvas_putf(out, from + (to - from + 1 - width) / 2, y, span->role == ROLE_BORDER ? ROLE_NUMBER : span->role,
			" %s ", words.text);
}

static void total_text(const struct films *films, const struct film *film, char text[TOTAL_SIZE])
{
	snprintf(text, TOTAL_SIZE, "%s%s%.40s", words_seconds(film_seconds(films->film[0].timed, film->plan, -1)).text,
		films->count > 1 ? " " : "", films->count > 1 ? film->name : "");
}

static void plan_draw(const struct films *films, const struct film *film, struct canvas *out, int y)
{
	double at = 0;
	char total[TOTAL_SIZE];
	total_text(films, film, total);
	canvas_put(out, 0, y, ROLE_LABEL, film == films->film ? "time" : "");
	int group = film_steps_a_picture(film->plan->program.steps);
	group = film->strip.stride > group ? film->strip.stride : group;
	for (int k = 0, to; k < film->plan->program.steps; k = to) {
		double next = at;
		for (to = k; to < film->plan->program.steps && to < k + group; to++)
			next += film_seconds(films->film[0].timed, film->plan, to);
		bool about = film->strip.about > k && film->strip.about <= to;
		struct span span = {at, next, about ? ROLE_MOVED : ROLE_BORDER};
		span_draw(films, &span, out, y);
		at = next;
	}
	canvas_put(out, column_of(films, film_seconds(films->film[0].timed, film->plan, -1)) + 2, y, ROLE_NUMBER, total);
}

/* ---- what was measured ---- */

static double measured_all(const struct times *times)
{
	double sum = 0;
	for (int k = 0; times && k < times->count; k++)
		sum += times->step[k].seconds.median;
	return sum;
}

static void measured_text(const struct times *times, char text[TOTAL_SIZE])
{
	snprintf(text, TOTAL_SIZE, "%s measured", words_seconds(measured_all(times)).text);
}

/* From one quantile to the other, around the median where the step ends. */
static void whisker_draw(const struct films *films, double from, const sw_spread *seconds, struct canvas *out, int y)
{
	int low = column_of(films, from + seconds->p10), high = column_of(films, from + seconds->p90),
		last = STRIP_MARGIN + films->room - 1;
	bool beyond = high > last;
	high = beyond ? last : high;
	if (high > low)
		canvas_hline(out, low, y, high - low + 1, ROLE_NUMBER, 0);
	canvas_lines(out, low, y, ROLE_NUMBER, LINE_UP | LINE_DOWN);
	if (!beyond)
		canvas_lines(out, high, y, ROLE_NUMBER, LINE_UP | LINE_DOWN);
	canvas_lines(out, column_of(films, from + seconds->median), y, ROLE_NUMBER, LINE_UP | LINE_DOWN | LINE_HEAVY);
}

static int measured_draw(const struct films *films, struct canvas *out, int y)
{
	const struct times *times = films->measured;
	double at = 0;
	char total[TOTAL_SIZE];
	if (measured_all(times) <= 0)
		return y;
	measured_text(times, total);
	canvas_put(out, 0, y, ROLE_LABEL, "run");
	for (int k = 0; k < times->count; k++) {
		const sw_spread *seconds = &times->step[k].seconds;
		struct span span = {at, at + seconds->median, ROLE_BORDER};
		span_draw(films, &span, out, y);
		if (seconds->p90 > 0)
			whisker_draw(films, at, seconds, out, y + 1);
		at += seconds->median;
	}
	canvas_put(out, column_of(films, at) + 2, y, ROLE_NUMBER, total);
	return y + 2;
}

/* ---- the axis ---- */

static void fit(struct films *films)
{
	char text[TOTAL_SIZE];
	int widest = 0;
	films->all = measured_all(films->measured);
	for (int i = 0; i <= films->count; i++) {
		const struct film *film = &films->film[i];
		if (i < films->count)
			total_text(films, film, text);
		else
			measured_text(films->measured, text);
		if (i < films->count && film_seconds(films->film[0].timed, film->plan, -1) > films->all)
			films->all = film_seconds(films->film[0].timed, film->plan, -1);
		if ((i < films->count || measured_all(films->measured) > 0) && canvas_text_width(text) > widest)
			widest = canvas_text_width(text);
	}
	films->room = films->film[0].opt.width - STRIP_MARGIN - widest - 1;
	if (films->room < ROOM_LEAST)
		films->room = films->film[0].opt.width - STRIP_MARGIN;
}

int film_axis_draw(struct films *films, struct canvas *out, int y)
{
	for (int i = 0; i < films->count; i++)
		if (!film_times_known(films->film[0].timed, films->film[i].plan))
			return y;
	assert(films->count >= 1 && films->count <= FILMS_MOST);
	fit(films);
	const struct film *first = &films->film[0], *last = &films->film[films->count - 1];
	double now = film_passed(films->film[0].timed, first->plan, &first->opt,
		film_seconds(films->film[0].timed, last->plan, -1));
	canvas_put_glyph(out, column_of(films, now), y++, ROLE_MOVED, GLYPH_RECEIVES);
	for (int i = 0; i < films->count; i++)
		plan_draw(films, &films->film[i], out, y++);
	return measured_draw(films, out, y);
}
