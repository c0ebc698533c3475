/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole screen as one canvas: panes with a line above each, then the message, the prompt, the useful keys.
 */
#include <stdio.h>
#include <string.h>

#include "screen/actions.h"
#include "screen/heads.h"
#include "screen/layout.h"
#include "screen/menu.h"
#include "screen/output.h"
#include "screen/panes.h"
#include "screen/played.h"
#include "screen/player.h"
#include "screen/waiting.h"
#include "views/draw.h"

#define ROWS_BELOW 3 /* message, prompt, keys */

struct pane *screen_pane(struct screen *screen, int view)
{
	for (int i = 0; i < screen->pane_count; i++)
		if (screen->panes[i].view == view)
			return &screen->panes[i];
	return NULL;
}

/* ---- one pane ---- */

static void picture_draw(struct screen *screen, struct pane *pane)
{
	sw_diag diag = {.code = SW_OK};
	const char *filter = screen->filter[pane->view].text;
	pane->frame = (struct frame){.row = -1};
	canvas_reset(&pane->picture, pane->width);
	if (!pane_draw_view(screen, pane->view, &(struct canvas_area){0, 0, pane->width, pane->height}, &pane->picture,
			&pane->frame, &diag)) {
		view_draw_empty(&diag, pane->width, &pane->picture);
		pane->frame = (struct frame){.row = -1, .empty = true};
		return;
	}
	if (*filter && pane->view != PANE_GRAPH && pane->view != PANE_IMPORTS)
		filter_rows(&pane->picture, filter, &pane->frame);
	if (*screen->search.text && pane->view == screen->viewpoint.view)
		search_mark(screen, &pane->picture);
}

/* The row behind what is to be seen with row `row`: all of its lines, and with the last of a list what is below it, too,
 * but not instead of a short list. */
static int seen_end(const struct pane *pane, int row, int stay)
{
	const struct frame *frame = &pane->frame;
	int end = heads_row_end(pane, row), most = row - stay + pane->height;
	bool last = frame->list.end && end == frame->list.end;
	if (last)
		end = pane->picture.height;
	if (last && frame->list.end - frame->list.head <= pane->height / 2)
		most = frame->list.head + pane->height;
	return end < most ? end : most;
}

/* What is chosen stays in sight; else the picture stands where it was scrolled to. */
static int picture_top(struct screen *screen, const struct pane *pane)
{
	int *top = &screen->viewpoint.top[pane->view], row = pane->frame.row;
	int lowest = pane->picture.height - pane->height;
	row = screen->found && pane->view == screen->viewpoint.view ? -1 : row;
	if (pane->frame.scrolls)
		*top = 0;
	int stay = heads_rows(&pane->frame, row, pane->height), end = row < 0 ? 0 : seen_end(pane, row, stay);
	if (row >= 0 && end > *top + pane->height)
		*top = end - pane->height;
	if (row >= 0 && row < *top + stay)
		*top = row - stay;
	lowest = lowest < 0 ? 0 : lowest;
	*top = *top > lowest ? lowest : *top < 0 ? 0 : *top;
	return *top;
}

/* The words of a row up to its colon; false: it is no heading of a part. */
static bool heading_text(const struct canvas *picture, int y, sw_text *text)
{
	uint32_t last = 0;
	for (int x = 0; x < picture->width; x++) {
		const struct cell *cell = canvas_cell_at(picture, x, y);
		if (cell->glyph && cell->role != ROLE_LABEL)
			break;
		if (cell->glyph == ':')
			return text->length > 0;
		if (cell->glyph >= 128 || (!cell->glyph && !last))
			break;
		last = cell->glyph;
		sw_text_addf(text, "%c", last ? (int)last : ' ');
	}
	sw_text_clear(text);
	return false;
}

/* A remark begins the row, and no lines are in it, as behind an offset. */
static bool is_note(const struct canvas *picture, int y)
{
	bool note = false, begun = false;
	for (int x = 0; x < picture->width; x++) {
		const struct cell *cell = canvas_cell_at(picture, x, y);
		if (cell->lines)
			return false;
		if (cell->glyph > ' ' && !begun)
			note = cell->role == ROLE_NOTE;
		begun = begun || cell->glyph > ' ';
	}
	return note;
}

/* Is there more in a row than lines? */
static bool is_written(const struct canvas *picture, int y)
{
	for (int x = 0; x < picture->width; x++)
		if (canvas_cell_at(picture, x, y)->glyph > ' ')
			return true;
	return false;
}

/* What a pane has no room for: the rest of the part that is in sight, the next part by its heading, or notes; in short the
 * first of these alone. */
static void below_text(const struct canvas *picture, int from, bool brief, sw_text *text)
{
	bool notes = false;
	int rows = 0;
	sw_text heading = {0};
	for (int y = from; y < picture->height && !heading.length; y++) {
		heading_text(picture, y, &heading);
		notes = notes || is_note(picture, y);
		rows += !notes && !heading.length && is_written(picture, y);
	}
	const char *next = heading.length ? sw_text_get(&heading) : "notes";
	if ((heading.length || notes) && rows)
		sw_text_addf(text, "below: %s%s%s ", words_plural(rows, "row", "rows").text, brief ? "" : ", ",
			brief ? "" : next);
	else if (heading.length || notes)
		sw_text_addf(text, "below: %s ", next);
	sw_text_free(&heading);
}

/* How many rows of a list are out of sight; false: none. */
static bool hidden_text(const struct pane *pane, int top, sw_text *text)
{
	int above, below;
	heads_hidden(pane, top, &above, &below);
	if (above)
		sw_text_addf(text, " %d above ", above);
	if (below)
		sw_text_addf(text, " %d below ", below);
	return above || below;
}

static void title_text(const struct screen *screen, const struct pane *pane, int top, sw_text *left, sw_text *right)
{
	const struct frame *frame = &pane->frame;
	const char *filter = screen->filter[pane->view].text;
	int below = pane->picture.height - pane->height;
	sw_text_addf(left, " %s%s ", pane_rows[pane->view].name,
		pane->view == screen->viewpoint.view && !prompt_hears(screen) ? "*" : "");
	if (*frame->object)
		sw_text_addf(left, " %s ", frame->object);
	if (*filter)
		sw_text_addf(left, " &%s ", filter);
	if (frame->of)
		sw_text_addf(right, " %lld of %lld ", frame->at, frame->of);
	if (frame->scrolls && frame->of)
		sw_text_addf(right, " %lld%% ", frame->at * 100 / frame->of);
	else if (!hidden_text(pane, top, right) && below > 0)
		sw_text_addf(right, " %d%% ", top * 100 / below);
}

/* As much of it as there is room for. */
static void title_add_below(const struct pane *pane, int top, int left, sw_text *right)
{
	int rows_above, rows_below, room = pane->width - left - canvas_text_width(sw_text_get(right)) - 4;
	heads_hidden(pane, top, &rows_above, &rows_below);
	if (pane->frame.scrolls || rows_below)
		return;
	for (int brief = 0; brief < 2; brief++) {
		sw_text below = {0};
		below_text(&pane->picture, top + pane->height, brief, &below);
		bool fits = canvas_text_width(sw_text_get(&below)) <= room;
		if (fits)
			sw_text_add(right, sw_text_get(&below));
		sw_text_free(&below);
		if (fits)
			return;
	}
}

static void title_draw(const struct screen *screen, const struct pane *pane, int top, struct canvas *out)
{
	sw_text left = {0}, right = {0};
	bool focus = pane->view == screen->viewpoint.view && !prompt_hears(screen);
	int y = pane->y - 1;
	title_text(screen, pane, top, &left, &right);
	title_add_below(pane, top, canvas_text_width(sw_text_get(&left)), &right);
	int room = canvas_text_width(sw_text_get(&right));
	canvas_hline(out, pane->x, y, pane->width, ROLE_BORDER, focus ? LINE_HEAVY : 0);
	if (room + 12 > pane->width)
		room = 0;
	canvas_put_cut(out, pane->x + 1, y, pane->width - room - 2, focus ? ROLE_TITLE : ROLE_LABEL, sw_text_get(&left));
	if (room)
		canvas_put_right(out, pane->x, y, pane->width - 1, ROLE_LABEL, sw_text_get(&right));
	sw_text_free(&left);
	sw_text_free(&right);
}

/* The head of a list stays above its rows. */
static void heads_draw(const struct screen *screen, const struct pane *pane, int top, struct canvas *out)
{
	int rows = heads_stay(&pane->frame, top, pane->height);
	const struct canvas_area heads = {screen->viewpoint.left[pane->view], pane->frame.list.head, pane->width, rows};
	canvas_copy_area(out, pane->x, pane->y, &pane->picture, &heads);
}

static void pane_draw_all(struct screen *screen, struct pane *pane, struct canvas *out)
{
	picture_draw(screen, pane);
	int top = picture_top(screen, pane), right = pane->picture.width - pane->width;
	int *left = &screen->viewpoint.left[pane->view];
	*left = right <= 0 ? 0 : *left > right ? right : *left;
	title_draw(screen, pane, top, out);
	const struct canvas_area seen = {*left, top, pane->width, pane->height};
	canvas_copy_area(out, pane->x, pane->y, &pane->picture, &seen);
	heads_draw(screen, pane, top, out);
	if (pane->x > 0)
		canvas_vline(out, pane->x - 1, pane->y - 1, pane->height + 1, ROLE_BORDER, 0);
}

/* ---- below the panes ---- */

/* What the key does now. */
static const char *label_of(const struct screen *screen, const struct action *action)
{
	if (strcmp(action->name, "go-pause") == 0 && !screen->running)
		return "play";
	bool film = screen->viewpoint.view == PANE_FILM, pinned = screen->viewpoint.has_element;
	if (film && strcmp(action->name, "path-down") == 0)
		return "beside";
	if (film && strcmp(action->name, "tiles-side") == 0)
		return !pinned ? "element" : screen->viewpoint.has_tile ? "device" : "tile";
	if (film && strcmp(action->name, "open-it") == 0)
		return pinned || screen->viewpoint.device != VIEW_ALL ? "into" : "pin";
	return action->label;
}

/* One key with its label where that fits in front of column `end`; returns where the next may stand. */
static int key_draw(const struct screen *screen, const char *name, struct canvas *out, int x, int y, int end)
{
	const struct action *action = action_named(sw_str_of(name));
	const char *label = label_of(screen, action);
	sw_text key = {0};
	action_keys(screen, action, false, &key);
	int width = canvas_text_width(sw_text_get(&key)) + 1 + canvas_text_width(label) + 2;
	if (key.length && x + width <= end + 2) {
		bool dim = action_refused(screen, action);
		x = canvas_put(out, x, y, dim ? ROLE_DIM : ROLE_TITLE, sw_text_get(&key)) + 1;
		x = canvas_put(out, x, y, ROLE_DIM, label) + 2;
	}
	sw_text_free(&key);
	return x;
}

static bool is_among(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

#define WIDE_BAR 72 /* columns from which pane and prompt have their place too */

/* What stops what goes on, the keys of the view, the menu of views where there is room, and those that are always there; help and leaving stay longest. */
static void keys_draw(const struct screen *screen, struct canvas *out, int y)
{
	static const char *const in_work[] = {"interrupt", NULL}, *const in_film[] = {"go-pause", "escape", NULL};
	static const char *const nothing[] = {NULL},
							 *const wide[] = {"view-help", "pane-next", "go-prompt", "leave-picture", NULL};
	static const char *const narrow[] = {"view-help", "leave-picture", "pane-next", "go-prompt", NULL};
	static const char *const menu[] = {"view-menu", NULL};
	bool is_wide = out->width >= WIDE_BAR;
	const char *const *first = screen->busy ? in_work : screen->running ? in_film : nothing;
	const char *const *lists[] = {first, actions_useful(screen), menu, is_wide ? wide : narrow};
	int x = 0, reserve = is_wide ? 38 : 17;
	for (int list = 0; list < 4; list++)
		for (int i = 0; lists[list][i]; i++)
			if (!list || !is_among(first, lists[list][i]))
				x = key_draw(screen, lists[list][i], out, x, y, out->width - (list < 3 ? reserve : 0));
}

/* Those of the tour; help and leaving where there is room. */
static void strip_keys_draw(const struct screen *screen, const struct strip *strip, struct canvas *out, int y)
{
	int x = 0;
	for (const struct strip_key *row = strip->keys; row->key; row++) {
		int width = canvas_text_width(row->key) + 1 + canvas_text_width(row->label);
		const char *label = x + width <= out->width ? row->label : "leave";
		x = canvas_put(out, x, y, ROLE_TITLE, row->key) + 1;
		x = canvas_put_cut(out, x, y, out->width - x, ROLE_DIM, label) + 2;
	}
	(void)key_draw(screen, "view-help", out, x, y, strip->keys == player_keys ? out->width : 0);
}

/* Where one is, what is pressed, and what is to be seen. */
static void strip_draw(const struct strip *strip, struct canvas *out, int y)
{
	char left[112], right[112];
	snprintf(left, sizeof(left), " %s ", strip->left);
	snprintf(right, sizeof(right), " %s ", strip->right);
	canvas_hline(out, 0, y, out->width, ROLE_BORDER, 0);
	canvas_put(out, 1, y, ROLE_TITLE, left);
	if (*strip->right)
		canvas_put_right(out, 0, y, out->width - 1, ROLE_LABEL, right);
	canvas_put_wrapped(out, 2, y + 1, out->width - 4, 0, ROLE_TEXT, strip->words);
}

static void typing_keys_draw(const struct screen *screen, struct canvas *out, int y)
{
	canvas_put_cut(out, 0, y, out->width, ROLE_DIM,
		screen->busy ? "Enter: run the line when the work has ended  C-c stops it  Esc to the picture" :
					   "Enter runs  Tab completes  Up history  Esc drops the line, then back to the picture");
}

/* While something is asked for: what ends that. */
static void asked_keys_draw(const struct screen *screen, struct canvas *out, int y)
{
	const char *ends = screen->ask.row->ends;
	canvas_put_cut(out, 0, y, out->width, ROLE_DIM,
		ends ? ends : "Enter keeps it  Esc drops it  Backspace and C-u erase");
}

static void message_draw(const struct screen *screen, struct canvas *out, int y)
{
	bool free = !*screen->message && prompt_hears(screen); /* the prompt has the place of what it says */
	canvas_put_cut(out, 0, y, out->width, free ? ROLE_WARN : screen->message_role,
		free ? screen->progress : screen->message);
}

/* How far the work is, and the line that runs next. */
static void progress_draw(const struct screen *screen, struct canvas *out, int y)
{
	sw_text next = {0};
	if (screen->waiting.count)
		sw_text_addf(&next, "  then: %.30s", screen->waiting.line[0]);
	if (screen->waiting.count > 1)
		sw_text_addf(&next, " and %d more", screen->waiting.count - 1);
	int room = out->width - canvas_text_width(sw_text_get(&next));
	canvas_put_cut(out, 0, y, room, ROLE_WARN, screen->progress);
	canvas_put_right(out, 0, y, out->width, ROLE_NOTE, sw_text_get(&next));
	sw_text_free(&next);
}

/* The columns of the first `bytes` of a text. */
static int columns_of(const char *text, int bytes)
{
	char part[4096];
	snprintf(part, sizeof(part), "%.*s", bytes, text);
	return canvas_text_width(part);
}

/* A line that is too long shows the part around the cursor. */
static struct cursor line_draw(struct canvas *out, int y, const char *sign, const char *line, int point)
{
	int left = canvas_put(out, 0, y, ROLE_OP, sign), room = out->width - left;
	int column = columns_of(line, point), from = 0;
	while (column - columns_of(line, from) >= room && line[from])
		from++;
	while (((unsigned char)line[from] & 0xc0) == 0x80)
		from++;
	int first = columns_of(line, from);
	canvas_put_cut(out, left, y, room, ROLE_TEXT, line + from);
	return (struct cursor){left + column - first, y, true};
}

/* Of several lines, which were pasted, the last one is shown, and how many there are. */
static struct cursor typed_draw(const struct screen *screen, struct canvas *out, int y)
{
	const char *line = screen->line ? screen->line : "", *last = strrchr(line, '\n');
	const char *prompt = screen->busy && !screen->searching ? "then> " : screen->prompt;
	char sign[240];
	int lines = 1;
	if (!last || screen->line_point < last + 1 - line)
		return line_draw(out, y, prompt, line, screen->line_point);
	for (const char *at = line; *at; at++)
		lines += *at == '\n';
	snprintf(sign, sizeof(sign), "%s(%d lines) ", prompt, lines);
	return line_draw(out, y, sign, last + 1, screen->line_point - (int)(last + 1 - line));
}

/* The prompt; while a command works, how far it is, up to when somebody goes to the prompt. */
static struct cursor prompt_draw(const struct screen *screen, struct canvas *out, int y)
{
	if (screen->ask.row)
		return line_draw(out, y, screen->ask.row->sign, screen->ask.text, (int)strlen(screen->ask.text));
	if (prompt_hears(screen))
		return typed_draw(screen, out, y);
	if (*screen->progress || (screen->busy && screen->waiting.count)) {
		progress_draw(screen, out, y);
		return (struct cursor){0, y, false};
	}
	canvas_putf(out, 0, y, ROLE_DIM, "%s%s", screen->prompt, screen->line ? screen->line : "");
	return (struct cursor){0, y, false};
}

/* On the tour message and prompt share a row. */
static struct cursor strip_prompt_draw(const struct screen *screen, const struct strip *strip, struct canvas *out,
	int y)
{
	if (*screen->progress || screen->ask.row || prompt_hears(screen))
		return prompt_draw(screen, out, y);
	if (*screen->message)
		message_draw(screen, out, y);
	else if (strip->line)
		canvas_putf(out, 0, y, ROLE_DIM, "shardwalk> %s", strip->line);
	return (struct cursor){0, y, false};
}

/* What stands above the prompt: completions, or what was answered as it fits the screen. */
struct answers {
	const struct canvas *rows;
	struct canvas fitted;
	int at, count; /* the row where the answer begins; rows that are shown */
};

/* While one types, and up to the next key, as far as a third of the screen goes. */
static void answers_find(const struct screen *screen, int width, int height, struct answers *answers)
{
	int most = height / 3;
	bool shown = screen->typing || screen->ahead || screen->answered;
	*answers = (struct answers){.rows = &screen->listed, .at = screen->answer_at};
	if (!shown || height < 2 * SCREEN_MIN_HEIGHT || screen->viewpoint.view == PANE_OUTPUT)
		return;
	if (!screen->listed.height) {
		int from = screen->output.height - 4 * most;
		from = from < screen->answer_at ? from : screen->answer_at;
		output_fit(screen, from > 0 ? from : 0, width, &answers->fitted, &answers->at);
		answers->rows = &answers->fitted;
	}
	answers->count = answers->rows->height < most ? answers->rows->height : most;
}

/* The last of them; where that is longer, its beginning. */
static void answers_draw(const struct screen *screen, struct answers *answers, struct canvas *out, int y)
{
	bool listed = answers->rows == &screen->listed;
	int count = answers->count, first = answers->rows->height - count, rest = first - answers->at;
	char title[80] = " answers; 8 shows them all ";
	if (count && !listed && !screen->busy && rest > 0) {
		first = answers->at;
		snprintf(title, sizeof(title), " the answer, %d of %d rows; 8 shows all of it ", count, count + rest);
	}
	if (count) {
		canvas_hline(out, 0, y, out->width, ROLE_BORDER, 0);
		canvas_put_cut(out, 1, y, out->width - 2, ROLE_LABEL, listed ? " possible " : title);
		canvas_copy_area(out, 0, y + 1, answers->rows, &(struct canvas_area){0, first, answers->rows->width, count});
	}
	canvas_free(&answers->fitted);
}

/* ---- all of it ---- */

static struct cursor too_small(const struct screen *screen, struct canvas *out, int width, int height)
{
	char text[80];
	snprintf(text, sizeof(text), "%dx%d: needs %dx%d", width, height, SCREEN_MIN_WIDTH, SCREEN_MIN_HEIGHT);
	canvas_put_wrapped(out, 0, 0, width, 0, ROLE_WARN, text);
	return height > 1 ? prompt_draw(screen, out, height - 1) : (struct cursor){0, 0, false};
}

/* Exactly as high as the screen: rows that were not drawn on are there, and what is below is not. */
static void fit_height(struct canvas *out, int height)
{
	if (out->height < height)
		canvas_put_glyph(out, 0, height - 1, ROLE_TEXT, ' ');
	out->height = height;
}

/* Message, prompt and keys, from row y on. */
static struct cursor bottom_draw(const struct screen *screen, struct canvas *out, int y)
{
	message_draw(screen, out, y);
	struct cursor cursor = prompt_draw(screen, out, y + 1);
	if (screen->ask.row)
		asked_keys_draw(screen, out, y + 2);
	else if (prompt_hears(screen))
		typing_keys_draw(screen, out, y + 2);
	else
		keys_draw(screen, out, y + 2);
	return cursor;
}

static struct cursor strip_bottom_draw(const struct screen *screen, const struct strip *strip, struct canvas *out,
	int y)
{
	strip_draw(strip, out, y);
	fit_height(out, y + STRIP_ROWS);
	struct cursor cursor = strip_prompt_draw(screen, strip, out, y + STRIP_ROWS);
	if (screen->ask.row)
		asked_keys_draw(screen, out, y + STRIP_ROWS + 1);
	else if (prompt_hears(screen))
		typing_keys_draw(screen, out, y + STRIP_ROWS + 1);
	else
		strip_keys_draw(screen, strip, out, y + STRIP_ROWS + 1);
	return cursor;
}

struct cursor screen_compose(struct screen *screen, int width, int height, struct canvas *out)
{
	struct cursor cursor;
	struct strip strip;
	screen->width = width;
	screen->height = height;
	canvas_reset(out, width);
	if (width < SCREEN_MIN_WIDTH || height < SCREEN_MIN_HEIGHT) {
		cursor = too_small(screen, out, width, height);
		fit_height(out, height);
		return cursor;
	}
	bool said = height >= STRIP_LEAST && (played_strip(screen, &strip) || player_strip(screen, &strip));
	struct answers answers;
	answers_find(screen, width, height, &answers);
	int below = said ? STRIP_ROWS + 2 : ROWS_BELOW, above = height - below - answers.count - (answers.count > 0);
	layout_place(screen, width, above);
	for (int i = 0; i < screen->pane_count; i++)
		pane_draw_all(screen, &screen->panes[i], out);
	fit_height(out, above);
	if (screen->menu.open)
		menu_draw(screen, out, above);
	answers_draw(screen, &answers, out, above);
	fit_height(out, height - below);
	cursor = said ? strip_bottom_draw(screen, &strip, out, height - below) : bottom_draw(screen, out, height - below);
	fit_height(out, height);
	return cursor;
}
