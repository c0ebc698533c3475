/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans that trade memory against cost or time: a table, and a picture with a point for each.
 */
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "views/draw.h"

enum { PICTURE_HEIGHT = 10, PICTURE_MOST = 64, TIME_DIGITS = 3, TIME_DIGITS_MOST = 10 };

struct pareto {
	const struct view_input *in;
	const struct view_options *opt;
	bool live, timed;
	int digits; /* of times: so many that neighbours in the table differ */
	double least_memory, most_memory, least_cost, most_cost;
};

static double memory_of(const struct pareto *p, int k)
{
	return (double)(p->live ? p->in->plans[k]->live_peak : p->in->plans[k]->height);
}

static void measure(struct pareto *p)
{
	for (int k = 0; k < p->in->plan_count; k++) {
		double memory = memory_of(p, k), cost = p->in->plans[k]->model_cost;
		p->least_memory = k == 0 || memory < p->least_memory ? memory : p->least_memory;
		p->most_memory = k == 0 || memory > p->most_memory ? memory : p->most_memory;
		p->least_cost = k == 0 || cost < p->least_cost ? cost : p->least_cost;
		p->most_cost = k == 0 || cost > p->most_cost ? cost : p->most_cost;
	}
}

static double time_of(const struct pareto *p, int k)
{
	return p->in->facts ? p->in->facts[k].predicted : -1;
}

/* Times that differ, but are written alike? */
static bool look_alike(double a, double b, int digits)
{
	return fabs(a - b) > 1e-9 * fabs(a) &&
		strcmp(words_seconds_to(a, digits).text, words_seconds_to(b, digits).text) == 0;
}

static void find_digits(struct pareto *p)
{
	p->digits = TIME_DIGITS;
	for (int k = 1; k < p->in->plan_count; k++)
		while (p->digits < TIME_DIGITS_MOST &&
			(look_alike(time_of(p, k - 1), time_of(p, k), p->digits) ||
				(p->timed && look_alike(p->in->plans[k - 1]->model_cost, p->in->plans[k]->model_cost, p->digits))))
			p->digits++;
}

static struct words cost_words(const struct pareto *p, double cost)
{
	return p->timed ? words_seconds_to(cost, p->digits) : words_count(sw_nearest(cost));
}

/* ---- the table ---- */

static const struct column columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL, .least = 3, .most = 3},
	{.head = "height", .right = true, .role = ROLE_NUMBER, .drops = 5},
	{.head = "live", .right = true, .role = ROLE_NUMBER, .drops = 4},
	{.head = "cost", .right = true, .role = ROLE_NUMBER, .drops = 2},
	{.head = "time", .right = true, .role = ROLE_NUMBER, .drops = 3, .optional = true},
	{.head = "steps", .right = true, .role = ROLE_NUMBER, .drops = 1},
	{.head = "by", .role = ROLE_OP, .fit = CELL_WRAP, .takes = 7},
	{0},
};

/* The operations of a plan, one after the other: what its shape is. */
static void shape_text(const sw_plan *plan, sw_text *text)
{
	for (int k = 0; k < plan->program.steps; k++)
		sw_text_addf(text, "%s%s", k ? ", " : "", sw_collective_of(plan->program.step[k].op)->name);
}

static void add_row(const struct pareto *p, int k, struct table *table)
{
	const sw_plan *plan = p->in->plans[k];
	sw_text shape = {0};
	table_add(table, "%d", k + 1);
	if (p->opt->step == k)
		table_paint(table, ROLE_CURRENT);
	table_add_count(table, plan->height);
	table_add_count(table, plan->live_peak);
	table_add(table, "%s", p->timed ? words_count(plan->cost).text : cost_words(p, plan->model_cost).text);
	table_add(table, "%s",
		p->timed         ? cost_words(p, plan->model_cost).text :
			p->in->facts ? words_seconds_to(time_of(p, k), p->digits).text :
						   "");
	table_add_count(table, plan->program.steps);
	shape_text(plan, &shape);
	table_add_text(table, &shape);
}

static int table_of_plans(const struct pareto *p, struct canvas *out, int y)
{
	struct table table;
	table_start(&table, columns);
	for (int k = 0; k < p->in->plan_count; k++)
		add_row(p, k, &table);
	table_fit(&table, p->opt->width);
	y = table_draw_ruled_heads(&table, out, y, out->width);
	for (int k = 0; k < p->in->plan_count; k++)
		y = table_draw_row(&table, out, y, k);
	table_free(&table);
	return y;
}

/* ---- what is known of the plans that are not there ---- */

/* How many are not proved to be the cheapest within their memory. */
static int unproved(const struct pareto *p)
{
	int count = 0;
	for (int k = 0; k < p->in->plan_count; k++)
		count += !p->in->plans[k]->optimal;
	return count;
}

static void one_plan_draw(const struct pareto *p, struct canvas *out, int y)
{
	if (!p->in->plans[0]->has_bound)
		draw_note(out, 0, y, ROLE_NOTE, "strategy %s makes the same plan for any amount of memory",
			sw_strategy_name(p->in->plans[0]->strategy));
	else if (unproved(p) || p->in->open_trades)
		draw_note(out, 0, y, ROLE_NOTE, "no other trade was found; more memory may allow a cheaper plan");
	else
		draw_note(out, 0, y, ROLE_NOTE, "one plan is best for every trade%s",
			p->timed ? "" :
					   "; under `model latency` more "
					   "memory may save time");
}

static void plans_draw(const struct pareto *p, struct canvas *out, int y)
{
	int open = unproved(p);
	y = draw_note(out, 0, y, ROLE_NOTE, "to the right: %s, elements per device; up: %s. `pareto N` takes a plan.",
		p->live ? "live memory" : "height", p->timed ? "time" : "cost");
	if (open)
		draw_note(out, 0, y, ROLE_NOTE, "for %d of the %d, the same memory may allow a cheaper plan", open,
			p->in->plan_count);
}

/* ---- the picture ---- */

static int scaled(double value, double least, double most, int room)
{
	return most > least ? (int)((value - least) / (most - least) * (room - 1) + 0.5) : 0;
}

/* The budget as a line: what stands right of it does not fit. */
static void wall_draw(const struct pareto *p, struct canvas *out, int x, int y, int room)
{
	double wall = (double)p->in->wall;
	if (!p->in->wall)
		return;
	int at = wall < p->least_memory ? -1 :
		wall >= p->most_memory      ? room + 1 :
									  scaled(wall, p->least_memory, p->most_memory, room);
	canvas_vline(out, x + at, y, PICTURE_HEIGHT, ROLE_WALL, LINE_DASHED);
}

static int picture_draw(const struct pareto *p, struct canvas *out, int y)
{
	struct words top = cost_words(p, p->most_cost), bottom = cost_words(p, p->least_cost);
	int left = canvas_text_width(top.text), low = canvas_text_width(bottom.text);
	left = (low > left ? low : left) + 1;
	int room = out->width - left - 4 < PICTURE_MOST ? out->width - left - 4 : PICTURE_MOST;
	if (room < 8)
		return y;
	canvas_put_right(out, 0, y, left - 1, ROLE_LABEL, top.text);
	canvas_put_right(out, 0, y + PICTURE_HEIGHT - 1, left - 1, ROLE_LABEL, bottom.text);
	canvas_vline(out, left, y, PICTURE_HEIGHT, ROLE_BORDER, 0);
	canvas_hline(out, left, y + PICTURE_HEIGHT, room + 4, ROLE_BORDER, 0);
	wall_draw(p, out, left + 2, y, room);
	for (int k = 0; k < p->in->plan_count; k++) {
		int x = left + 2 + scaled(memory_of(p, k), p->least_memory, p->most_memory, room);
		int row = PICTURE_HEIGHT - 1 -
			scaled(p->in->plans[k]->model_cost, p->least_cost, p->most_cost, PICTURE_HEIGHT);
		canvas_putf(out, x, y + row, p->opt->step == k ? ROLE_CURRENT : ROLE_BAR, "%d", k + 1);
	}
	y += PICTURE_HEIGHT + 1;
	struct words from = words_count(sw_nearest(p->least_memory)), to = words_count(sw_nearest(p->most_memory));
	canvas_put(out, left + 2, y, ROLE_LABEL, from.text);
	canvas_put_right(out, left + 2, y, room + 1, ROLE_LABEL, to.text);
	return y + 1;
}

bool view_pareto(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan_count)
		return draw_missing(diag, "trade of memory for cost", "after mesh and redistribute, type: pareto");
	if (!draw_begin("pareto", opt, out))
		return true;
	struct pareto p = {.in = in,
		.opt = opt,
		.live = in->against && strcmp(in->against, "live") == 0,
		.timed = sw_model_is_timed(in->plans[0]->model)};
	struct words count = words_plural(in->plan_count,
		"plan that no other plan "
		"beats",
		"plans that no other plan beats");
	sw_text rest = {0};
	sw_text_addf(&rest, "%s in both %s and %s, by the model %s", count.text, p.live ? "live memory" : "height",
		p.timed ? "time" : "cost", sw_model_name(in->plans[0]->model));
	int y = draw_title(out, 0, "pareto", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	measure(&p);
	find_digits(&p);
	y = table_of_plans(&p, out, y) + 1;
	if (in->plan_count == 1)
		y = draw_note(out, 0, y, ROLE_NOTE, "height, live and cost in elements per device");
	if (in->plan_count > 1)
		plans_draw(&p, out, picture_draw(&p, out, y));
	else
		one_plan_draw(&p, out, y);
	return true;
}
