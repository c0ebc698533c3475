/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reduction programs of all placements as bars, the fastest first, coloured by placement.
 */
#include "views/draw.h"
#include "views/summed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#define ROWS_SHOWN 40
#define TIME_ROOM 10
#define LETTER_AT (TIME_ROOM + 6)

/* ---- orders ---- */

const char *const sum_bar_orders[SUM_BAR_ORDERS] = {"time", "placement", "steps"};

static int by_time(const void *a, const void *b)
{
	const struct sum_bar *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int by_placement(const void *a, const void *b)
{
	const struct sum_bar *x = a, *y = b;

	return x->placement != y->placement ? x->placement - y->placement : by_time(a, b);
}

static int by_steps(const void *a, const void *b)
{
	const struct sum_bar *x = a, *y = b;

	return x->first->count != y->first->count ? x->first->count - y->first->count : by_time(a, b);
}

void sum_bars_order(struct sum_bars *bars, const char *by)
{
	int (*const orders[SUM_BAR_ORDERS])(const void *, const void *) = {by_time, by_placement, by_steps};

	assert(bars != NULL && by != NULL);
	for (int k = 0; k < SUM_BAR_ORDERS && bars->count > 0; k++)
		if (strcmp(by, sum_bar_orders[k]) == 0)
			qsort(bars->bar, (size_t)bars->count, sizeof *bars->bar, orders[k]);
}

/* ---- drawing ---- */

static double most_of(const struct sum_bars *bars)
{
	double most = 0;

	for (int k = 0; k < bars->count; k++)
		most = bars->bar[k].seconds > most ? bars->bar[k].seconds : most;
	return most;
}

static int steps_at(const struct canvas *out)
{
	return LETTER_AT + 3 + (out->width >= 100 ? 30 : 16);
}

static int draw_heads(struct canvas *out, int y)
{
	canvas_put_right(out, 0, y, 4, ROLE_LABEL, "#");
	canvas_put_right(out, 5, y, TIME_ROOM, ROLE_LABEL, "time");
	canvas_put(out, LETTER_AT, y, ROLE_LABEL, "placement");
	canvas_put(out, steps_at(out), y, ROLE_LABEL, "steps");
	return y + 1;
}

static void steps_text(const struct sum_look *look, const struct sum_bar *bar, sw_text *text)
{
	sw_hierarchy *hierarchy = calloc(1, sizeof *hierarchy);

	if (hierarchy == NULL)
		return;
	sw_hierarchy_make(&look->bars->placement[bar->placement], SW_HIERARCHY_SUMMED_LEVELS, look->summed, true,
		hierarchy);
	const sw_step *steps = sw_contexts_steps(bar->contexts);
	for (int k = 0; k < bar->first->count; k++) {
		sw_text_add(text, k > 0 ? "; " : "");
		sw_step_print(&look->placing->system, hierarchy, &steps[bar->first->step[k]], text);
	}
	free(hierarchy);
}

/* All steps of the one that is chosen are there, of others as many as fit. */
static int draw_bar(const struct sum_look *look, const struct sum_bar *bar, bool chosen, int y, struct canvas *out)
{
	int x = LETTER_AT, steps = steps_at(out), room = steps - 3 - x;
	enum role role = role_of_axis(bar->placement);
	sw_text text = {0};

	canvas_putf(out, 0, y, chosen ? ROLE_CURRENT : ROLE_LABEL, "%4lld", (long long)bar->rank);
	canvas_put_right(out, 5, y, TIME_ROOM, ROLE_NUMBER, words_seconds_to(bar->seconds, 4).text);
	canvas_putf(out, x, y, role, "%c", 'A' + bar->placement % 26);
	canvas_bar(out, x + 2, y, room, role, bar->seconds, most_of(look->bars));
	steps_text(look, bar, &text);
	if (bar->programs > 1)
		sw_text_addf(&text, " (%lld more)", (long long)bar->programs - 1);
	if (chosen)
		y = canvas_put_wrapped(out, steps, y, out->width - steps, 0, ROLE_TEXT, sw_text_get(&text)) - 1;
	else
		canvas_put_cut(out, steps, y, out->width - steps, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	return y + 1;
}

static int draw_placements(const struct sum_look *look, int y, struct canvas *out)
{
	for (int p = 0; p < look->bars->placements; p++) {
		sw_text text = {0};

		sw_placement_print(&look->bars->placement[p], &text);
		canvas_putf(out, 0, y, role_of_axis(p), "%c  %s", 'A' + p % 26, sw_text_get(&text));
		canvas_putf(out, (int)text.length + 5, y++, ROLE_DIM, "one allreduce %s",
			words_seconds_to(look->bars->allreduce[p], 4).text);
		sw_text_free(&text);
	}
	return y + 1;
}

/* All of them, or what is not folded. */
static int draw_bars(const struct sum_look *look, const struct view_options *opt, int y, struct canvas *out)
{
	const struct sum_bars *bars = look->bars;
	struct stretch stretches[STRETCHES_MAX];

	if (opt->whole) {
		for (int k = 0; k < bars->count; k++)
			y = draw_bar(look, &bars->bar[k], k == opt->step - 1, y, out);
		return y;
	}
	int n = fold_stretches(bars->count, ROWS_SHOWN, opt->step > 0 ? opt->step - 1 : -1, stretches);
	for (int k = 0; k < n; k++) {
		int64_t programs = 0;

		for (int64_t i = stretches[k].from; i <= stretches[k].to; i++)
			programs += bars->bar[i].programs;
		if (stretch_folded(stretches[k]))
			canvas_putf(out, LETTER_AT, y++, ROLE_DIM, "… %lld more programs", (long long)programs);
		else
			y = draw_bar(look, &bars->bar[stretches[k].from], stretches[k].from == opt->step - 1, y, out);
	}
	return y;
}

bool view_reductions(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct sum_look *look = in->look;
	sw_text text = {0};

	if (look == NULL || look->bars == NULL)
		return draw_missing(diag, "sum over placed axes", "type: system, axes and reduce {AXIS} f32[1024]");
	if (!draw_begin("reductions", opt, out))
		return true;
	sw_text_addf(&text, "%s on %s, predicted", words_plural(look->bars->programs, "program", "programs").text,
		words_plural(look->bars->placements, "placement", "placements").text);
	int y = draw_title(out, 0, "reductions", sw_text_get(&text));
	sw_text_free(&text);
	y = draw_heads(out, draw_placements(look, y, out));
	y = draw_bars(look, opt, y, out);
	draw_note(out, 0, y, ROLE_NOTE, "%s: the placement; programs of one placement that take equally long share a row",
		opt->letters ? "letter" : "letter and colour");
	return true;
}
