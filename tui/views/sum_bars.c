/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reduction programs of all placements as bars, the fastest first, coloured by placement.
 */
#include "views/draw.h"
#include "views/summed.h"

#include <stdlib.h>

#include <shardwalk/number.h>

#define ROWS_SHOWN 40
#define TIME_ROOM 10

static double most_of(const struct sum_bars *bars)
{
	return bars->count > 0 ? bars->bar[bars->count - 1].seconds : 0;
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

static int draw_bar(const struct sum_look *look, const struct sum_bar *bar, int64_t rank, bool chosen, int y,
	struct canvas *out)
{
	int room = out->width >= 100 ? 30 : 16, x = TIME_ROOM + 6;
	enum role role = role_of_axis(bar->placement);
	sw_text text = {0};

	canvas_putf(out, 0, y, chosen ? ROLE_CURRENT : ROLE_LABEL, "%4lld", (long long)rank);
	canvas_put_right(out, 5, y, TIME_ROOM, ROLE_NUMBER, words_seconds_to(bar->seconds, 4).text);
	canvas_putf(out, x, y, role, "%c", 'A' + bar->placement % 26);
	canvas_bar(out, x + 2, y, room, role, bar->seconds, most_of(look->bars));
	steps_text(look, bar, &text);
	if (bar->programs > 1)
		sw_text_addf(&text, " (%lld more)", (long long)bar->programs - 1);
	canvas_put_cut(out, x + 3 + room, y, out->width - x - 3 - room, ROLE_TEXT, sw_text_get(&text));
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

bool view_reductions(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct sum_look *look = in->look;
	struct stretch stretches[STRETCHES_MAX];
	sw_text text = {0};
	int64_t rank = 1;

	if (look == NULL || look->bars == NULL)
		return draw_missing(diag, "sum over placed axes", "type: system, axes and reduce {AXIS} f32[1024]");
	if (!draw_begin("reductions", opt, out))
		return true;
	sw_text_addf(&text, "%s on %s, predicted", words_plural(look->bars->programs, "program", "programs").text,
		words_plural(look->bars->placements, "placement", "placements").text);
	int y = draw_title(out, 0, "reductions", sw_text_get(&text));
	sw_text_free(&text);
	y = draw_placements(look, y, out);
	int n = fold_stretches(look->bars->count, ROWS_SHOWN, opt->step > 0 ? opt->step - 1 : -1, stretches);
	for (int k = 0; k < n; k++) {
		const struct sum_bar *bar = &look->bars->bar[stretches[k].from];
		int64_t programs = 0;

		for (int64_t i = stretches[k].from; i <= stretches[k].to; i++)
			programs += look->bars->bar[i].programs;
		if (stretch_folded(stretches[k]))
			canvas_putf(out, TIME_ROOM + 6, y++, ROLE_DIM, "… %lld more programs", (long long)programs);
		else
			y = draw_bar(look, bar, rank, stretches[k].from == opt->step - 1, y, out);
		rank += programs;
	}
	draw_note(out, 0, y, ROLE_NOTE,
		"letter and colour: the placement; programs of one placement that take as long share a row");
	return true;
}
