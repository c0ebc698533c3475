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
static bool list_rows(struct screen *screen, sw_arena *arena, struct imports *list)
{
	const struct kept_imports *kept = screen->session->imports;
	if (screen->viewpoint.import_of != kept) {
		screen->viewpoint.import_by = screen->viewpoint.import_fold = NULL;
		screen->viewpoint.import_turned = false;
	}
	screen->viewpoint.import_of = kept;
	const char *filter = screen->filter[PANE_IMPORTS].text;
	struct import_row *rows = kept && arena ? SW_NEW(arena, struct import_row, kept->imports->count + 1) : NULL;
	if (!rows)
		return false;
	*list = *kept->imports;
	list->count = 0;
	list->row = rows;
	list->by = screen->viewpoint.import_by ? screen->viewpoint.import_by : list->by;
	list->fold = screen->viewpoint.import_fold ? screen->viewpoint.import_fold : list->fold;
	list->fold = list->fold && *list->fold ? list->fold : NULL;
	list->turned = screen->viewpoint.import_turned;
	for (int i = 0; i < kept->imports->count; i++)
		if (!*filter || row_has(&kept->imports->row[i], list->chains, filter))
			rows[list->count++] = kept->imports->row[i];
	return true;
}

/* Which row is chosen, from 0 of those that are shown; *row: it, of a fold the first; -1: there is none. */
static int chosen_of(const struct screen *screen, const struct imports *list, sw_arena *arena,
	const struct import_row **row, int64_t *shown)
{
	int chosen = screen->viewpoint.import;
	struct rows rows;
	*shown = list->count && imports_rows(list, arena, &rows, NULL) ? rows_shown(&rows) : 0;
	if (*shown <= 0)
		return -1;
	chosen = chosen < *shown ? chosen : (int)*shown - 1;
	*row = rows_at(&rows, chosen, NULL).row;
	return chosen;
}

static void name_frame(const struct imports *list, const struct import_row *row, struct frame *frame)
{
	if (list->fold)
		snprintf(frame->object, sizeof(frame->object), "by %s; row %d is its first, Enter takes it", list->fold,
			row->number);
	else
		snprintf(frame->object, sizeof(frame->object), "row %d; Enter takes it, y copies its advice", row->number);
}

static bool draw_list(const struct screen *screen, const struct imports *list, int height, struct canvas *out,
	struct frame *frame, sw_diag *diag)
{
	struct import_heads heads = {0};
	if (!imports_draw_list(list, screen->viewpoint.import, height, out, &heads, diag))
		return false;
	frame->scrolls = true;
	if (!heads.shown)
		return true;
	frame->at = heads.chosen + 1;
	frame->of = heads.shown;
	frame->heads = heads.count;
	frame->heads_y = heads.y;
	memcpy(frame->head, heads.spot, sizeof(frame->head));
	name_frame(list, heads.row, frame);
	return true;
}

bool draw_imports(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct imports list;
	sw_arena *arena = sw_arena_new();
	(void)width;
	bool there = list_rows(screen, arena, &list);
	if (!there) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no table of imports shown yet");
		sw_diag_hint(diag, "import a log or a module with several: import FILE");
	} else if (!list.count && *screen->filter[PANE_IMPORTS].text) {
		canvas_put(out, 0, 0, ROLE_NOTE, "no row matches; Esc shows all again");
	} else {
		there = draw_list(screen, &list, height, out, frame, diag);
	}
	sw_arena_free(arena);
	return there;
}

bool move_imports(struct screen *screen, int across, int down)
{
	struct imports list;
	sw_arena *arena = sw_arena_new();
	const struct import_row *row;
	int64_t shown;
	bool there = list_rows(screen, arena, &list) && list.count;
	if (there) {
		int at = chosen_of(screen, &list, arena, &row, &shown) + across + down;
		screen->viewpoint.import = at < 0 ? 0 : at >= shown ? (int)shown - 1 : at;
	}
	sw_arena_free(arena);
	return there;
}

/* The row under the cursor becomes the problem; *planner: the system that says it. */
static bool take_row(struct screen *screen, sw_strategy *planner)
{
	struct imports list;
	sw_arena *arena = sw_arena_new();
	const struct import_row *row = NULL;
	int64_t shown;
	bool there = list_rows(screen, arena, &list) && chosen_of(screen, &list, arena, &row, &shown) >= 0;
	int number = there ? row->number : 0;
	*planner = there ? row->planner : SW_XLA;
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
		"the row is now the problem, and its advice is copied if the terminal allows it (8 shows it)");
}

/* ---- their order ---- */

static const char *const orders[] = {"bytes", "saved", "time", "line"};
static const char *const folds[] = {"", "line", "loop", "kind"};

static size_t place_of(const char *word, const char *const words[], size_t count)
{
	for (size_t k = 0; word && k < count; k++)
		if (strcmp(word, words[k]) == 0)
			return k;
	return 0;
}

void imports_order_by(struct screen *screen, const char *word)
{
	struct viewpoint *at = &screen->viewpoint;
	const struct kept_imports *kept = screen->session->imports;
	const char *by = at->import_by ? at->import_by : kept && kept->imports->by ? kept->imports->by : orders[0];
	at->import_turned = strcmp(by, word) == 0 && !at->import_turned;
	at->import_by = word;
	at->import = 0;
	screen_say(screen, ROLE_NOTE, "sorted by %s%s", word, at->import_turned ? ", the last first" : "");
}

void imports_order_next(struct screen *screen)
{
	const size_t count = sizeof(orders) / sizeof(*orders);
	screen->viewpoint.import_turned = false;
	imports_order_by(screen, orders[(place_of(screen->viewpoint.import_by, orders, count) + 1) % count]);
}

void imports_fold_next(struct screen *screen)
{
	const size_t count = sizeof(folds) / sizeof(*folds);
	struct viewpoint *at = &screen->viewpoint;
	at->import_fold = folds[(place_of(at->import_fold, folds, count) + 1) % count];
	at->import_by = at->import_by ? orders[place_of(at->import_by, orders, sizeof(orders) / sizeof(*orders))] : NULL;
	at->import = 0;
	if (*at->import_fold)
		screen_say(screen, ROLE_NOTE, "rows of one %s are merged", at->import_fold);
	else
		screen_say(screen, ROLE_NOTE, "rows are not merged");
}
