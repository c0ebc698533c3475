/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu of views.
 */
#define _GNU_SOURCE /* strcasestr */
#include "screen/menu.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "screen/enter.h"
#include "screen/panes.h"

#define NAME_AT 5
#define ABOUT_AT 18
#define BELOW 4 /* rows on the one that is chosen, with the line above them */

/* ---- what there is to see ---- */

static void look_at_views(struct screen *screen)
{
	struct menu *menu = &screen->menu;

	for (int view = 0; view < PANE_COUNT; view++) {
		sw_diag diag = {.code = SW_OK};
		menu->there[view] = pane_has(screen, view, &diag);
		if (!menu->there[view])
			snprintf(menu->why[view], sizeof(menu->why[view]), "%.90s%s%.90s", diag.message, *diag.hint ? "; " : "",
				diag.hint);
	}
}

/* ---- the rows ---- */

/* How well a view fits what is typed. */
enum fit { FIT_NAME, FIT_BEGINS, FIT_IN_NAME, FIT_ABOUT, FIT_NOT };

static enum fit fit_of(const struct screen *screen, int view)
{
	const char *filter = screen->ask.text, *name = pane_rows[view].name;

	if (*filter == '\0')
		return FIT_BEGINS;
	if (strcasecmp(name, filter) == 0)
		return FIT_NAME;
	if (strncasecmp(name, filter, strlen(filter)) == 0)
		return FIT_BEGINS;
	if (strcasestr(name, filter) != NULL)
		return FIT_IN_NAME;
	return strcasestr(pane_rows[view].about, filter) != NULL ? FIT_ABOUT : FIT_NOT;
}

/* The views that the filter leaves: the one of that name first; then those with something to see, and the others, in each those
 * whose names begin like this before those that have it in their sentences. */
static int list_views(const struct screen *screen, int list[PANE_COUNT])
{
	int count = 0;

	for (int there = 2; there >= 0; there--)
		for (int fit = there == 2 ? FIT_NAME : FIT_BEGINS; fit < (there == 2 ? FIT_BEGINS : FIT_NOT); fit++)
			for (int view = 0; view < PANE_COUNT; view++)
				if (fit_of(screen, view) == (enum fit)fit && (there == 2 || screen->menu.there[view] == there))
					list[count++] = view;
	return count;
}

static int chosen_of(const struct screen *screen, int count)
{
	int chosen = screen->menu.chosen;

	return chosen < 0 || count == 0 ? 0 : chosen >= count ? count - 1 : chosen;
}

/* ---- drawing ---- */

static void draw_row(const struct screen *screen, int view, bool chosen, struct canvas *out, int y)
{
	bool there = screen->menu.there[view];

	canvas_put_cut(out, 0, y, 2, ROLE_CURRENT, chosen ? "▶" : "");
	canvas_put_cut(out, 2, y, NAME_AT - 3, there ? ROLE_OP : ROLE_DIM, screen->menu.key[view]);
	canvas_put_cut(out, NAME_AT, y, ABOUT_AT - NAME_AT - 1,
		chosen    ? ROLE_CURRENT :
			there ? ROLE_TITLE :
					ROLE_DIM,
		pane_rows[view].name);
	canvas_put_cut(out, ABOUT_AT, y, out->width - ABOUT_AT, there ? ROLE_TEXT : ROLE_DIM,
		there ? pane_rows[view].about : screen->menu.why[view]);
}

/* All of what is said of one. */
static void draw_chosen(const struct screen *screen, int view, struct canvas *out, int y)
{
	canvas_hline(out, 0, y, out->width, ROLE_BORDER, 0);
	y = canvas_put_wrapped(out, 0, y + 1, out->width, 0, ROLE_TEXT, pane_rows[view].about);
	if (!screen->menu.there[view])
		canvas_put_wrapped(out, 0, y, out->width, 0, ROLE_NOTE, screen->menu.why[view]);
}

static void draw_title(struct canvas *out, int chosen, int count)
{
	char at[40];

	snprintf(at, sizeof(at), " %d of %d ", chosen + 1, count);
	canvas_hline(out, 0, 0, out->width, ROLE_BORDER, LINE_HEAVY);
	canvas_put_cut(out, 1, 0, out->width - 2, ROLE_TITLE, " views*  what else can I see of this ");
	if (count > 0)
		canvas_put_right(out, 0, 0, out->width - 1, ROLE_LABEL, at);
}

void menu_draw(const struct screen *screen, struct canvas *out, int height)
{
	struct canvas picture = {0};
	int list[PANE_COUNT], count = list_views(screen, list), chosen = chosen_of(screen, count);
	int below = height > 2 * BELOW && count > 0 ? BELOW : 0, rows = height - 1 - below;
	int top = chosen >= rows ? chosen - rows + 1 : 0;

	assert(height > 0);
	canvas_reset(&picture, out->width);
	draw_title(&picture, chosen, count);
	for (int k = top; k < count && k < top + rows; k++)
		draw_row(screen, list[k], k == chosen, &picture, 1 + k - top);
	if (count == 0)
		canvas_put_wrapped(&picture, 0, 1, picture.width, 0, ROLE_NOTE, "no view matches");
	if (below > 0)
		draw_chosen(screen, list[chosen], &picture, height - below);
	if (picture.height < height)
		canvas_put_glyph(&picture, 0, height - 1, ROLE_TEXT, ' ');
	canvas_copy_area(out, 0, 0, &picture, &(struct canvas_area){0, 0, picture.width, height});
	canvas_free(&picture);
}

/* ---- choosing ---- */

static bool menu_key(struct screen *screen, int key)
{
	int list[PANE_COUNT], count = list_views(screen, list), page = screen->height / 2;
	const struct {
		int key, by;
	} moves[] = {{KEY_NAME_UP, -1}, {KEY_NAME_DOWN, 1}, {KEY_NAME_WHEEL_UP, -1}, {KEY_NAME_WHEEL_DOWN, 1},
		{KEY_TAB, 1}, {KEY_NAME_BACKTAB, -1}, {KEY_NAME_PAGE_UP, -page}, {KEY_NAME_PAGE_DOWN, page},
		{KEY_NAME_HOME, -PANE_COUNT}, {KEY_NAME_END, PANE_COUNT}};

	for (size_t k = 0; k < sizeof(moves) / sizeof(*moves); k++) {
		if (moves[k].key != key)
			continue;
		screen->menu.chosen = chosen_of(screen, count) + moves[k].by;
		screen->menu.chosen = chosen_of(screen, count);
		return true;
	}
	return false;
}

static void menu_changed(struct screen *screen)
{
	screen->menu.chosen = 0;
}

/* A view without anything to see is opened too: it says what makes some. */
static void menu_done(struct screen *screen, bool accepted)
{
	int list[PANE_COUNT], count = list_views(screen, list);

	*screen->message = '\0';
	screen->menu.open = false;
	if (accepted && count > 0)
		screen->menu.view_open(screen, list[chosen_of(screen, count)]);
}

static const struct ask_row menu_row = {.sign = "view: ",
	.hint = "",
	.changed = menu_changed,
	.done = menu_done,
	.key = menu_key,
	.ends = "Enter opens it  Esc closes the menu  Up Down choose  typing filters"};

void menu_begin(struct screen *screen)
{
	assert(screen->menu.view_open != NULL);
	look_at_views(screen);
	screen->menu.open = true;
	screen->menu.chosen = 0;
	ask_begin(screen, &menu_row, "");
	*screen->message = '\0';
}
