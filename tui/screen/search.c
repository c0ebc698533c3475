/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching, which keeps all and shows what matches, and filtering, which hides the rest.
 *
 * The graph is searched by the names of its nodes, other views row by row.
 */
#define _GNU_SOURCE /* strcasestr */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "screen/actions.h"
#include "screen/heads.h"
#include "screen/panes.h"

/* ---- rows of a picture ---- */

static void row_text(const struct canvas *canvas, int y, sw_text *text)
{
	const struct canvas_style plain = {0};
	sw_text_clear(text);
	canvas_print_rows(canvas, y, y + 1, &plain, text);
}

static bool row_has(const struct canvas *canvas, int y, const char *needle, sw_text *text)
{
	row_text(canvas, y, text);
	return strcasestr(sw_text_get(text), needle) != NULL;
}

/* Of a list the head is there whatever is hidden. */
static bool is_kept(const struct frame *frame, int y)
{
	return y == frame->row || (frame->list.end && y >= frame->list.head && y < frame->list.from);
}

/* Where row y is, of which `kept` are left above it. */
static void frame_move(struct frame *frame, struct frame *moved, int y, int kept)
{
	if (frame->row == y)
		moved->row = kept;
	if (frame->heads_y == y)
		moved->heads_y = kept;
	if (frame->list.head == y)
		moved->list.head = kept;
	if (frame->list.from == y)
		moved->list.from = kept;
	if (frame->list.end == y)
		moved->list.end = kept;
}

void filter_rows(struct canvas *canvas, const char *needle, struct frame *frame)
{
	int kept = 0;
	struct frame moved = *frame;
	sw_text text = {0};
	for (int y = 0; y < canvas->height; y++) {
		frame_move(frame, &moved, y, kept);
		if (!is_kept(frame, y) && !row_has(canvas, y, needle, &text))
			continue;
		if (kept < y)
			memcpy(canvas->cells + (size_t)kept * (size_t)canvas->width,
				canvas->cells + (size_t)y * (size_t)canvas->width, (size_t)canvas->width * sizeof(struct cell));
		kept++;
	}
	frame_move(frame, &moved, canvas->height, kept);
	canvas->height = kept;
	*frame = moved;
	sw_text_free(&text);
}

/* Where the search came to stands out among the other matches. */
static enum role match_role(const struct screen *screen, const struct canvas *canvas, int x, int y)
{
	bool came = screen->found && y == screen->search.row;
	return came && canvas_cell_at(canvas, x, y)->role != ROLE_CURRENT ? ROLE_CURRENT : ROLE_WARN;
}

void search_mark(const struct screen *screen, struct canvas *canvas)
{
	int length = canvas_text_width(screen->search.text);
	const char *needle = screen->search.text;
	for (int y = 0; *needle && y < canvas->height; y++) {
		for (int x = 0; x + length <= canvas->width; x++) {
			int i = 0;
			while (needle[i] && (canvas_glyph_at(canvas, x + i, y, true) | 32) == ((unsigned char)needle[i] | 32u))
				i++;
			if (!needle[i])
				canvas_paint(canvas, x, y, length, match_role(screen, canvas, x, y));
		}
	}
}

static int rows_search(struct screen *screen, struct pane *pane, int from, int direction, bool *wrapped)
{
	int count = pane->picture.height, found = -1;
	sw_text text = {0};
	screen->search.at = screen->search.of = 0;
	*wrapped = false;
	for (int i = 1; i <= count && found < 0; i++) {
		int y = ((from + direction * i) % count + count) % count;
		if (row_has(&pane->picture, y, screen->search.text, &text))
			found = y;
	}
	for (int y = 0; y < count && found >= 0; y++) {
		bool has = row_has(&pane->picture, y, screen->search.text, &text);
		screen->search.of += has;
		screen->search.at += has && y <= found;
	}
	*wrapped = found >= 0 && (direction > 0 ? found <= from : found >= from);
	sw_text_free(&text);
	return found;
}

/* ---- searching ---- */

static bool graph_searched(const struct screen *screen)
{
	return screen->viewpoint.view == PANE_GRAPH && screen_walked(screen);
}

static bool search_from(struct screen *screen, int from, int direction, bool *wrapped)
{
	struct needle *search = &screen->search;
	if (graph_searched(screen)) {
		int id = graph_search(&screen->graph, search->text, from, direction, wrapped, &search->at, &search->of);
		if (id)
			graph_choose(screen, id);
		return id > 0;
	}
	struct pane *pane = screen_pane(screen, screen->viewpoint.view);
	int row = pane && pane->picture.height ? rows_search(screen, pane, from, direction, wrapped) : -1;
	if (row < 0)
		return false;
	screen->viewpoint.top[screen->viewpoint.view] = row - heads_rows(&pane->frame, row, pane->height);
	screen->search.row = row;
	screen->search.view = screen->viewpoint.view;
	screen->found = true;
	return true;
}

static void search_say(struct screen *screen, bool found, bool wrapped)
{
	const struct needle *search = &screen->search;
	if (found)
		screen_say(screen, ROLE_NOTE, "match %lld of %lld for '%.60s'%s", search->at, search->of, search->text,
			wrapped ? "; the search wrapped around" : "");
	else
		screen_say(screen, ROLE_WARN, "no match for '%.60s'", search->text);
}

/* From the last match on where that is in sight: the end of a picture cannot be scrolled to the top. */
static int search_place(struct screen *screen)
{
	sw_node node;
	if (graph_searched(screen))
		return screen_node(screen, &node) ? node.id : 0;
	const struct needle *search = &screen->search;
	const struct pane *pane = screen_pane(screen, screen->viewpoint.view);
	int top = screen->viewpoint.top[screen->viewpoint.view];
	bool in_sight = pane && search->view == screen->viewpoint.view && search->row >= top &&
		search->row < top + pane->height;
	return in_sight ? search->row : top;
}

void search_next(struct screen *screen, int direction)
{
	bool wrapped = false;
	bool found = search_from(screen, search_place(screen), direction, &wrapped);
	search_say(screen, found, wrapped);
}

static void search_changed(struct screen *screen)
{
	bool wrapped = false;
	snprintf(screen->search.text, sizeof(screen->search.text), "%s", screen->ask.text);
	if (*screen->search.text)
		search_say(screen, search_from(screen, screen->ask.from - 1, 1, &wrapped), wrapped);
}

static void search_done(struct screen *screen, bool accepted)
{
	if (!accepted)
		*screen->search.text = '\0';
}

static const struct ask_row search_row = {.sign = "/",
	.hint = "searches while you type",
	.changed = search_changed,
	.done = search_done};

void search_begin(struct screen *screen, int argument)
{
	if (screen->viewpoint.view == PANE_IMPORTS) {
		filter_begin(screen, argument);
		return;
	}
	if (graph_searched(screen))
		graph_prepare(&screen->graph);
	ask_begin(screen, &search_row, "");
	screen->ask.from = search_place(screen);
}

/* ---- filtering ---- */

static void filter_changed(struct screen *screen)
{
	struct needle *filter = &screen->filter[screen->viewpoint.view];
	snprintf(filter->text, sizeof(filter->text), "%s", screen->ask.text);
	screen->viewpoint.top[screen->viewpoint.view] = 0;
}

static void filter_done(struct screen *screen, bool accepted)
{
	struct needle *filter = &screen->filter[screen->viewpoint.view];
	if (!accepted)
		*filter->text = '\0';
	if (*filter->text)
		screen_say(screen, ROLE_NOTE, "only rows with '%.60s'; Esc shows all", filter->text);
	else
		*screen->message = '\0';
}

static const struct ask_row filter_row = {.sign = "&",
	.hint = "shows only matching rows",
	.changed = filter_changed,
	.done = filter_done};

void filter_begin(struct screen *screen, int argument)
{
	(void)argument;
	ask_begin(screen, &filter_row, screen->filter[screen->viewpoint.view].text);
}

/* ---- the line that is asked for ---- */

void ask_begin(struct screen *screen, const struct ask_row *row, const char *text)
{
	screen->ask.row = row;
	snprintf(screen->ask.text, sizeof(screen->ask.text), "%s", text);
	screen_say(screen, ROLE_NOTE, "%s; Enter keeps it, Esc drops it", row->hint);
}

static void ask_end(struct screen *screen, bool accepted)
{
	const struct ask_row *row = screen->ask.row;
	screen->ask.row = NULL;
	if (!accepted || !row->changed)
		*screen->message = '\0';
	row->done(screen, accepted);
}

static void ask_add(struct ask *ask, int key)
{
	sw_text character = {0};
	key_print(key, &character);
	size_t length = strlen(ask->text);
	if (key == KEY_SPACE)
		snprintf(ask->text + length, sizeof(ask->text) - length, " ");
	else if (length + character.length < sizeof(ask->text))
		snprintf(ask->text + length, sizeof(ask->text) - length, "%s", sw_text_get(&character));
	sw_text_free(&character);
}

/* The last character, however many bytes it has. */
static void ask_erase(struct ask *ask)
{
	size_t length = strlen(ask->text);
	while (length && ((unsigned char)ask->text[length - 1] & 0xc0) == 0x80)
		length--;
	ask->text[length ? length - 1 : 0] = '\0';
}

bool ask_key(struct screen *screen, int key)
{
	struct ask *ask = &screen->ask;
	if (!ask->row)
		return false;
	if (key == KEY_ENTERED || key == KEY_ESC || key == KEY_CONTROL('c')) {
		ask_end(screen, key == KEY_ENTERED);
		return true;
	}
	if (key == KEY_CONTROL('l') || key == KEY_CONTROL('z')) {
		screen->redraw = screen->redraw || key == KEY_CONTROL('l');
		screen->suspend = screen->suspend || key == KEY_CONTROL('z');
		return true;
	}
	if (ask->row->key && ask->row->key(screen, key))
		return true;
	if (key == KEY_NAME_BACKSPACE || key == 127 || key == 8)
		ask_erase(ask);
	else if (key == KEY_CONTROL('u'))
		*ask->text = '\0';
	else if (key >= KEY_SPACE && key < KEY_NAMED)
		ask_add(ask, key);
	else
		return true;
	if (ask->row->changed)
		ask->row->changed(screen);
	return true;
}
