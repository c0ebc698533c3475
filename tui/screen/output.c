/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes what commands write, row by row, and keeps the last of them.
 */
#include "screen/output.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "screen/layout.h"
#include "host/interrupt.h"
#include "screen/listed.h"

#define OUTPUT_WIDTH 400

static void output_trim(struct screen *screen)
{
	struct canvas *output = &screen->output;
	int over = output->height - OUTPUT_MOST;
	if (over < OUTPUT_MOST / 4)
		return;
	memmove(output->cells, output->cells + (size_t)over * (size_t)output->width,
		(size_t)OUTPUT_MOST * (size_t)output->width * sizeof(*output->cells));
	output->height = OUTPUT_MOST;
	screen->answer_at = screen->answer_at > over ? screen->answer_at - over : 0;
}

/* The message is what a failure says first; else the last sentence, since tables begin with their heads. */
static void row_keep(struct screen *screen, const char *text, size_t length, bool bad)
{
	screen->answer_rows++;
	if (!length || screen->answer_bad)
		return;
	snprintf(screen->answer_line, sizeof(screen->answer_line), "%.*s", (int)(length < 255 ? length : 255), text);
	screen->answer_bad = bad;
}

static bool is_failure(const char *text)
{
	return strncmp(text, "error", 5) == 0;
}

/* A row without the sequences that would colour it on a terminal: the picture has colours of its own. */
static void row_plain(const char *text, size_t length, sw_text *row)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\033') {
			sw_text_add_char(row, text[i]);
			continue;
		}
		while (i < length && text[i] != 'm')
			i++;
	}
}

static void take_row(struct screen *screen, bool message, const char *text, size_t length)
{
	sw_text row = {0};
	row_plain(text, length, &row);
	bool bad = message && is_failure(sw_text_get(&row));
	canvas_putf(&screen->output, 0, screen->output.height,
		bad         ? ROLE_BAD :
			message ? ROLE_NOTE :
					  ROLE_TEXT,
		"%s ", sw_text_get(&row));
	row_keep(screen, sw_text_get(&row), row.length, bad);
	sw_text_free(&row);
}

static void take_text(void *context, bool message, const char *text, size_t length)
{
	struct screen *screen = context;
	screen->stale = true;
	while (length) {
		const char *end = memchr(text, '\n', length);
		size_t row = end ? (size_t)(end - text) : length;
		take_row(screen, message, text, row);
		text += row + (end != NULL);
		length -= row + (end != NULL);
	}
	output_trim(screen);
}

static void take_row_text(struct screen *screen, const struct canvas *canvas)
{
	const struct canvas_style style = {.ascii = screen->session->console->style.ascii};
	sw_text text = {0};
	canvas_print_rows(canvas, 0, 1, &style, &text);
	row_keep(screen, sw_text_get(&text), text.length ? text.length - 1 : 0, false);
	screen->answer_rows += canvas->height - 1;
	sw_text_free(&text);
}

static void take_canvas(void *context, const struct canvas *canvas)
{
	struct screen *screen = context;
	if (!canvas->height)
		return;
	canvas_copy(&screen->output, 0, screen->output.height, canvas);
	take_row_text(screen, canvas);
	output_trim(screen);
}

static void take_progress(void *context, const char *line)
{
	struct screen *screen = context;
	screen->stale |= strcmp(screen->progress, line) != 0;
	snprintf(screen->progress, sizeof(screen->progress), "%s", line);
}

static void take_wipe(void *context)
{
	struct screen *screen = context;
	screen->output.height = 0;
	screen->answer_at = 0;
}

static bool take_beat(void *context)
{
	struct screen *screen = context;
	if (screen->poll)
		screen->poll(screen);
	return !screen->stops;
}

static int take_wakes(void *context)
{
	struct screen *screen = context;
	return screen->wakes ? screen->wakes(screen) : -1;
}

static void take_terminal(void *context, bool released)
{
	struct screen *screen = context;
	if (screen->release_terminal)
		screen->release_terminal(screen, released);
}

static void take_resume(void *context)
{
	struct screen *screen = context;
	screen->stops = 0;
}

static void take_film(void *context, const struct film_moment *moment)
{
	struct screen *screen = context;
	if (screen->play)
		screen->play(screen, moment);
}

static bool take_hold(void *context)
{
	const struct screen *screen = context;
	return screen->played.held;
}

static void take_document(void *context, struct document *document)
{
	listed_take(context, document);
}

/* ---- in a window that is narrower now ---- */

enum { GAP_OF_TABLES = 3, LINES_FROM = 0x2500 };

/* The columns that a row takes, where they are more than `least`. */
static int row_width(const struct canvas *canvas, int y, int least)
{
	int width = canvas->width;
	const struct cell *cell = canvas_cell_at(canvas, 0, y);
	while (width > least && (!cell[width - 1].glyph || cell[width - 1].glyph == ' ') && !cell[width - 1].lines)
		width--;
	return width;
}

/* Words with single blanks between them: no table, no picture.  *from: the first column of them. */
static bool row_is_words(const struct canvas *canvas, int y, int width, int *from)
{
	int blanks = 0;
	for (*from = 0; *from < width && canvas_glyph_at(canvas, *from, y, false) == ' ';)
		++*from;
	for (int x = *from; x < width; x++) {
		uint32_t glyph = canvas_glyph_at(canvas, x, y, false);
		blanks = glyph == ' ' ? blanks + 1 : 0;
		if (canvas_cell_at(canvas, x, y)->lines || glyph >= LINES_FROM || blanks >= GAP_OF_TABLES)
			return false;
	}
	return true;
}

static void add_words(const struct canvas *canvas, int y, int from, int width, struct canvas *out)
{
	const struct canvas_style plain = {0};
	sw_text text = {0};
	canvas_print_rows(canvas, y, y + 1, &plain, &text);
	if (text.length)
		text.data[--text.length] = '\0';
	int indent = from < width / 2 ? from : 0;
	const char *words = sw_text_get(&text);
	canvas_put_wrapped(out, indent, out->height, width - indent, 2, (enum role)canvas_cell_at(canvas, from, y)->role,
		words + strspn(words, " "));
	sw_text_free(&text);
}

void output_fit(const struct screen *screen, int width, struct canvas *out, int *at)
{
	const struct canvas *output = &screen->output;
	int row = *at;
	assert(width > 0);
	canvas_reset(out, output->width);
	for (int y = 0; y < output->height; y++) {
		int wide = row_width(output, y, width), from, before = out->height;
		if (y == row)
			*at = before;
		if (wide > width && row_is_words(output, y, wide, &from))
			add_words(output, y, from, width, out);
		else
			canvas_copy_area(out, 0, before, output, &(struct canvas_area){0, y, output->width, 1});
		if (out->height == before)
			canvas_put(out, 0, before, ROLE_TEXT, " ");
	}
}

void output_begin(struct screen *screen)
{
	canvas_reset(&screen->output, OUTPUT_WIDTH);
	screen->taker = (struct console_taker){screen, take_text, take_canvas, take_progress, take_wipe, take_beat,
		take_wakes, take_terminal, take_resume, take_film, take_hold, take_document};
}

/* The columns that an answer may have: those of the pane where it will stand. */
static int answer_width(const struct screen *screen)
{
	bool beside = strcmp(layouts[screen->viewpoint.layout].name, "talk") == 0 && screen->pane_count == 2;
	int width = beside ? screen->panes[1].width : screen->width;
	return width < SCREEN_MIN_WIDTH ? SCREEN_MIN_WIDTH : width > OUTPUT_WIDTH ? OUTPUT_WIDTH : width;
}

void screen_capture(struct screen *screen, bool on)
{
	struct console *console = screen->session->console;
	console->taker = on ? &screen->taker : NULL;
	if (on) {
		console->width = answer_width(screen);
	} else {
		answer_dress(screen->session);
	}
}

/* The line as it was typed, of a paste row by row. */
static void echo_rows(struct screen *screen, const char *line)
{
	const char *sign = "> ";
	do {
		int length = (int)strcspn(line, "\n");
		canvas_putf(&screen->output, 0, screen->output.height, ROLE_OP, "%s%.*s", sign, length, line);
		line += length + (line[length] == '\n');
		sign = "  ";
	} while (*line);
}

struct work output_open(struct screen *screen, const char *line, bool shown)
{
	struct work before = {screen->begun, screen->stops, screen->busy};
	screen_capture(screen, true);
	*screen->answer_line = '\0';
	screen->answer_bad = false;
	clock_gettime(CLOCK_MONOTONIC, &screen->begun);
	screen->answer_rows = 0;
	screen->answer_at = screen->busy ? screen->answer_at : screen->output.height;
	screen->answered = false;
	screen->stops = 0;
	screen->busy = true;
	if (shown)
		echo_rows(screen, line);
	return before;
}

void output_close(struct screen *screen, const struct work *before)
{
	screen->busy = before->busy;
	if (screen->busy) {
		screen->stops = before->stops;
		screen->begun = before->begun;
	} else {
		*screen->progress = '\0';
		screen->typing |= screen->ahead;
		screen->ahead = false;
	}
	if (!screen->busy && interrupt_signal() == SIGINT)
		interrupt_clear();
	screen->viewpoint.top[PANE_OUTPUT] = screen->answer_at;
	screen->answer_first = true;
}
