/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems, placements and sums over them, on the screens: the pictures that `show` draws.
 */
#include <stdio.h>
#include <string.h>

#include "command/placement/sum_look.h"
#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/panes.h"
#include "views/summed.h"

/* Of a program the step with the cursor; of steps by hand the last. */
static bool draw_look(struct screen *screen, const char *name, int width, struct canvas *out, sw_diag *diag)
{
	const struct view *view = view_named(sw_str_of(name));
	const sw_plan *plan = screen_steps(screen);
	int step = plan && sum_look_steps(screen->session) == plan->program.steps ? plan_step(screen) : VIEW_ALL;
	sw_arena *arena = sw_arena_new();
	struct view_options options = view_options_default(width);
	struct view_input in = {0};

	if (arena == NULL)
		return sw_diag_memory(diag);
	in.look = sum_look_of(screen->session, view, step, (sw_str){"", 0}, arena, diag);
	options.letters = screen_letters(screen);
	bool drawn = in.look != NULL && view->draw(&in, &options, out, diag);
	sw_arena_free(arena);
	return drawn;
}

#define DRAW(name) \
	bool draw_##name(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, \
		sw_diag *diag) \
	{ \
		(void)height; \
		frame->row = -1; \
		return draw_look(screen, #name, width, out, diag); \
	}
DRAW(system)
DRAW(placement)
DRAW(groups)
DRAW(state)
DRAW(hierarchies)

/* ---- the programs of all placements, of which one is chosen ---- */

/* In the order that is asked for; NULL, and perhaps why in `diag`: there is no sum. */
static const struct sum_look *programs_look(struct screen *screen, sw_arena *arena, sw_diag *diag)
{
	const struct view *view = view_named(sw_str_of("reductions"));
	const char *by = screen->viewpoint.reduction_by;
	const struct sum_look *look = arena ? sum_look_of(screen->session, view, VIEW_ALL, (sw_str){"", 0}, arena, diag) :
										  NULL;

	if (look != NULL && look->bars != NULL && by != NULL)
		sum_bars_order(look->bars, by);
	return look;
}

/* As `reductions` counts the programs of its placement. */
static void name_bar(const struct sum_bar *bar, struct frame *frame)
{
	snprintf(frame->object, sizeof frame->object, "program %lld on placement %c; Enter takes it",
		(long long)bar->number, 'A' + bar->placement % 26);
}

/* A head that a click orders by: its place in the row of heads. */
static void find_head(const struct canvas *out, const char *word, struct frame *frame)
{
	int length = (int)strlen(word), y = frame->heads_y;

	for (int x = 0; x + length <= out->width; x++) {
		int same = 0;
		while (same < length && canvas_glyph_at(out, x + same, y, true) == (unsigned char)word[same])
			same++;
		if (same == length) {
			frame->head[frame->heads++] = (struct head_spot){x, length, word};
			return;
		}
	}
}

/* They are below a title, and a row for each placement with a blank one behind. */
static void keep_heads(const struct canvas *out, const struct sum_bars *bars, struct frame *frame)
{
	frame->heads_y = bars->placements + 2;
	for (int k = 0; k < SUM_BAR_ORDERS && frame->heads_y < out->height; k++)
		find_head(out, sum_bar_orders[k], frame);
	heads_keep(out, frame->heads_y, bars->count, frame);
}

static void choose_bar(struct screen *screen, const struct sum_bars *bars, const struct canvas *out,
	struct frame *frame)
{
	int chosen = screen->viewpoint.reduction;
	const char *by = screen->viewpoint.reduction_by;

	if (chosen > 0) {
		frame->row = row_chosen(out);
		frame->at = chosen;
		frame->of = bars->count;
		name_bar(&bars->bar[chosen - 1], frame);
	} else {
		snprintf(frame->object, sizeof frame->object, "by %s; Down chooses one", by != NULL ? by : sum_bar_orders[0]);
	}
}

bool draw_reductions(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	int *chosen = &screen->viewpoint.reduction;
	sw_arena *arena = sw_arena_new();
	struct view_options options = view_options_default(width);
	struct view_input in = {.look = programs_look(screen, arena, diag)};
	const struct sum_bars *bars = in.look != NULL ? in.look->bars : NULL;
	int count = bars != NULL ? bars->count : 0;
	(void)height;

	screen->reductions = count;
	*chosen = *chosen > count ? count : *chosen;
	options.step = *chosen;
	options.whole = true;
	options.letters = screen_letters(screen);
	bool drawn = in.look != NULL && view_reductions(&in, &options, out, diag);
	if (drawn && count > 0) {
		keep_heads(out, bars, frame);
		choose_bar(screen, bars, out, frame);
	}
	sw_arena_free(arena);
	return drawn;
}

void order_reductions(struct screen *screen, const char *by)
{
	screen->viewpoint.reduction_by = by;
	screen->viewpoint.reduction = 0;
	screen->viewpoint.top[PANE_REDUCTIONS] = 0;
}

bool move_reductions(struct screen *screen, int across, int down)
{
	int *chosen = &screen->viewpoint.reduction;
	bool moved = row_move(chosen, across + down, screen->reductions);

	if (moved && *chosen == 0)
		screen->viewpoint.top[PANE_REDUCTIONS] = 0;
	return moved;
}

/* Where the axes lie otherwise they are laid first. */
static bool take_placement(struct screen *screen, const sw_placement *placement)
{
	const struct placing *placing = screen->session->state.placing;
	sw_text asked = {0}, now = {0};

	sw_placement_print(placement, &asked);
	if (placing->placed)
		sw_placement_print(&placing->placement, &now);
	bool same = placing->placed && strcmp(sw_text_get(&asked), sw_text_get(&now)) == 0;
	bool ok = same || screen_do(screen, false, "place [%s]", sw_text_get(&asked));
	sw_text_free(&asked);
	sw_text_free(&now);
	return ok;
}

void open_reductions(struct screen *screen)
{
	sw_arena *arena = sw_arena_new();
	sw_diag diag;
	const struct sum_look *look = programs_look(screen, arena, &diag);
	const struct sum_bars *bars = look != NULL ? look->bars : NULL;
	int chosen = screen->viewpoint.reduction;

	if (bars == NULL || bars->count == 0)
		screen_say(screen, ROLE_NOTE, "there is no sum over placed axes yet; at the prompt: system, axes, reduce");
	else if (chosen < 1 || chosen > bars->count)
		screen_say(screen, ROLE_NOTE, "choose a program first: Down");
	else if (take_placement(screen, &bars->placement[bars->bar[chosen - 1].placement]))
		screen_do(screen, false, "reductions %lld", (long long)bars->bar[chosen - 1].number);
	sw_arena_free(arena);
}
