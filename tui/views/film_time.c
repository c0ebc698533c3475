/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The axis of time of a film: a row for each plan, and one for what a run measured, all in the same proportion.
 */
#include <assert.h>

#include <shardwalk/cost.h>

#include "views/film.h"

#define MEASURED "measured"

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

/* Of one of several plans. */
static const char *name_of(const struct films *films, const struct film *film)
{
	return films->count > 1 ? film->name : "";
}

static void plan_draw(const struct films *films, const struct film *film, struct canvas *out, int y)
{
	const sw_machine *timed = films->film[0].timed;
	double at = 0;
	canvas_put(out, 0, y, ROLE_LABEL, film == films->film ? "time" : "");
	int group = film_steps_a_picture(film->plan->program.steps);
	group = film->strip.stride > group ? film->strip.stride : group;
	for (int k = 0, to; k < film->plan->program.steps; k = to) {
		double next = at;
		for (to = k; to < film->plan->program.steps && to < k + group; to++)
			next += film_seconds(timed, film->plan, to);
		axis_step_draw(&films->axis, at, next, film->strip.about > k && film->strip.about <= to, out, y);
		at = next;
	}
	axis_total_draw(&films->axis, film_seconds(timed, film->plan, -1), name_of(films, film), out, y);
}

/* ---- what was measured ---- */

static double measured_all(const struct times *times)
{
	double sum = 0;
	for (int k = 0; times && k < times->count; k++)
		sum += times->step[k].seconds.median;
	return sum;
}

/* From one quantile to the other, around the median where the step ends. */
static void whisker_draw(const struct films *films, double from, const sw_spread *seconds, struct canvas *out, int y)
{
	const struct time_axis *axis = &films->axis;
	int low = axis_column(axis, from + seconds->p10), high = axis_column(axis, from + seconds->p90),
		last = axis_last(axis);
	bool beyond = high > last;
	high = beyond ? last : high;
	if (high > low)
		canvas_hline(out, low, y, high - low + 1, ROLE_NUMBER, 0);
	canvas_lines(out, low, y, ROLE_NUMBER, LINE_UP | LINE_DOWN);
	if (!beyond)
		canvas_lines(out, high, y, ROLE_NUMBER, LINE_UP | LINE_DOWN);
	canvas_lines(out, axis_column(axis, from + seconds->median), y, ROLE_NUMBER, LINE_UP | LINE_DOWN | LINE_HEAVY);
}

static int measured_draw(const struct films *films, struct canvas *out, int y)
{
	const struct times *times = films->measured;
	double at = 0;
	if (measured_all(times) <= 0)
		return y;
	canvas_put(out, 0, y, ROLE_LABEL, "run");
	for (int k = 0; k < times->count; k++) {
		const sw_spread *seconds = &times->step[k].seconds;
		axis_step_draw(&films->axis, at, at + seconds->median, false, out, y);
		if (seconds->p90 > 0)
			whisker_draw(films, at, seconds, out, y + 1);
		at += seconds->median;
	}
	axis_total_draw(&films->axis, at, MEASURED, out, y);
	return y + 2;
}

/* ---- the axis ---- */

static void fit(struct films *films)
{
	double measured = measured_all(films->measured);
	films->axis = (struct time_axis){.all = 0};
	for (int i = 0; i < films->count; i++) {
		const struct film *film = &films->film[i];
		axis_take(&films->axis, film_seconds(films->film[0].timed, film->plan, -1), name_of(films, film));
	}
	if (measured > 0)
		axis_take(&films->axis, measured, MEASURED);
	axis_fit(&films->axis, films->film[0].opt.width);
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
	axis_now_draw(&films->axis, now, out, y++);
	for (int i = 0; i < films->count; i++)
		plan_draw(films, &films->film[i], out, y++);
	return measured_draw(films, out, y);
}
