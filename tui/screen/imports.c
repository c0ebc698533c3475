/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was imported last as a list: the row under the cursor, rows that a filter leaves, one that is taken, its advice.
 */
#define _GNU_SOURCE /* strcasestr */
#include "screen/imports.h"

#include <stdio.h>
#include <string.h>

#include "screen/enter.h"
#include "screen/panes.h"
#include "views/imports.h"

/* What the list says of a row under its cursor: of chains their operations too. */
static bool row_has(const struct import_row *row, bool chain, const char *needle)
{
	sw_text text = {0};
	import_row_text(row, &text);
	sw_text_addf(&text, " %s %s %s %s ", row->name ? row->name : "", row->maker ? row->maker : "",
		row->source ? row->source : "", row->means ? row->means : "");
	if (chain)
		import_row_steps(row, &text);
	bool has = strcasestr(sw_text_get(&text), needle) != NULL;
	sw_text_free(&text);
	return has;
}

/* The rows that the filter leaves; false: nothing was imported, or there is no memory. */
static bool list_rows(const struct screen *screen, sw_arena *arena, struct imports *list)
{
	const struct kept_imports *kept = screen->session->imports;
	const char *filter = screen->filter[PANE_IMPORTS].text;
	struct import_row *rows = kept && arena ? SW_NEW(arena, struct import_row, kept->imports->count) : NULL;
	if (!rows)
		return false;
	*list = *kept->imports;
	list->count = 0;
	list->row = rows;
	for (int i = 0; i < kept->imports->count; i++)
		if (!*filter || row_has(&kept->imports->row[i], list->chains, filter))
			rows[list->count++] = kept->imports->row[i];
	return true;
}

static int chosen_of(const struct screen *screen, const struct imports *list)
{
	int chosen = screen->viewpoint.import;
	return chosen < list->count ? chosen : list->count > 0 ? list->count - 1 : 0;
}

bool draw_imports(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct imports list;
	sw_arena *arena = sw_arena_new();
	(void)width;
	bool there = list_rows(screen, arena, &list);
	if (!there) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no table of imports was shown yet");
		sw_diag_hint(diag, "import a log or a module with several: import FILE");
	} else if (!list.count) {
		canvas_put(out, 0, 0, ROLE_NOTE, "no row has this; Esc shows all again");
	} else {
		int chosen = chosen_of(screen, &list);
		imports_draw_list(&list, chosen, height, out, NULL, diag);
		frame->at = chosen + 1;
		frame->of = list.count;
		frame->scrolls = true;
		snprintf(frame->object, sizeof(frame->object), "row %d; Enter takes it, y copies its advice",
			list.row[chosen].number);
	}
	sw_arena_free(arena);
	return there;
}

bool move_imports(struct screen *screen, int across, int down)
{
	struct imports list;
	sw_arena *arena = sw_arena_new();
	bool there = list_rows(screen, arena, &list) && list.count;
	if (there) {
		int at = chosen_of(screen, &list) + across + down;
		screen->viewpoint.import = at < 0 ? 0 : at >= list.count ? list.count - 1 : at;
	}
	sw_arena_free(arena);
	return there;
}

/* The row under the cursor becomes the problem; *planner: the system that says it. */
static bool take_row(struct screen *screen, sw_strategy *planner)
{
	struct imports list;
	sw_arena *arena = sw_arena_new();
	bool there = list_rows(screen, arena, &list) && list.count;
	int number = there ? list.row[chosen_of(screen, &list)].number : 0;
	*planner = there ? list.row[chosen_of(screen, &list)].planner : SW_XLA;
	sw_arena_free(arena);
	if (!there)
		screen_say(screen, ROLE_NOTE, "there is no row to take; at the prompt: import FILE");
	return there && screen_do(screen, false, "import --take %d", number);
}

void open_imports(struct screen *screen)
{
	sw_strategy planner;
	take_row(screen, &planner);
}

void imports_copy(struct screen *screen)
{
	sw_strategy planner;
	const struct canvas_style style = {.ascii = screen->session->console->style.ascii};
	if (!take_row(screen, &planner))
		return;
	int before = screen->output.height;
	if (!screen_do(screen, false, planner == SW_DTENSOR ? "advise --for dtensor" : "advise"))
		return;
	before = before < screen->output.height ? before + 1 : 0;
	sw_text_clear(&screen->copied);
	canvas_print_rows(&screen->output, before, screen->output.height, &style, &screen->copied);
	screen_say(screen, ROLE_NOTE,
		"the row is the problem now, and its advice is copied, if the terminal allows it (8 shows it)");
}
