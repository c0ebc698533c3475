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

/* ---- in a window of another width ---- */

enum { GAP_OF_TABLES = 3, LINES_FROM = 0x2500, READABLE = 100 };

/* The columns that a row takes, where they are more than `least`. */
static int row_width(const struct canvas *canvas, int y, int least)
{
	int width = canvas->width;
	const struct cell *cell = canvas_cell_at(canvas, 0, y);
	while (width > least && (!cell[width - 1].glyph || cell[width - 1].glyph == ' ') && !cell[width - 1].lines)
		width--;
	return width;
}

/* Are there words with fewer than `gap` blanks between them from a column on: no table, no picture?  *first: the first column of them. */
static bool row_is_words(const struct canvas *canvas, int y, int from, int gap, int *first)
{
	int blanks = 0, width = row_width(canvas, y, 0);
	while (from < width && canvas_glyph_at(canvas, from, y, false) == ' ')
		from++;
	*first = from;
	for (int x = from; x < width; x++) {
		uint32_t glyph = canvas_glyph_at(canvas, x, y, false);
		blanks = glyph == ' ' ? blanks + 1 : 0;
		if (canvas_cell_at(canvas, x, y)->lines || glyph >= LINES_FROM || blanks >= gap)
			return false;
	}
	return from < width;
}

/* A sentence that takes some rows: in the first it begins in column `x`, perhaps behind a label, in the others `further` in. */
struct sentence {
	int y, rows, x, further;
	bool labelled;
};

/* The first cell of a row that goes on with the one before; NULL: it does not. */
static const struct cell *cell_going_on(const struct canvas *canvas, int y, int *x)
{
	if (y >= canvas->height || !row_is_words(canvas, y, 0, GAP_OF_TABLES, x))
		return NULL;
	const struct cell *cell = canvas_cell_at(canvas, *x, y);
	return cell->goes_on == CELL_AFTER_BLANK || cell->goes_on == CELL_INSIDE_WORD ? cell : NULL;
}

/* Where the last text in a row begins that may be broken; -1: there is none. */
static int text_begins(const struct canvas *canvas, int y)
{
	int x = row_width(canvas, y, 0) - 1;
	while (x >= 0 &&
		(canvas_cell_at(canvas, x, y)->goes_on != CELL_BEGINS || canvas_cell_at(canvas, x, y)->further == 0))
		x--;
	return x;
}

/* May what begins in column x of a row, behind a label, be broken by itself? */
static bool is_labelled(const struct canvas *canvas, int y, int x, int width)
{
	int first;
	return x <= width / 2 && canvas_glyph_at(canvas, x - 1, y, false) == ' ' &&
		row_is_words(canvas, y, x, GAP_OF_TABLES - 1, &first);
}

/* The sentence that begins in a row; rows 0: there is none.  Of messages nothing is known but their words. */
static struct sentence sentence_at(const struct canvas *canvas, int y, int width)
{
	int first, next, x = text_begins(canvas, y);
	bool words = row_is_words(canvas, y, 0, GAP_OF_TABLES, &first);
	struct sentence found = {.y = y, .x = x, .labelled = x > first};
	if (x < 0)
		return (struct sentence){y, words && !cell_going_on(canvas, y, &next), first, 2, false};
	found.further = (int)canvas_cell_at(canvas, x, y)->further - 1;
	found.rows = found.labelled ? is_labelled(canvas, y, x, width) : words;
	while (found.rows > 0 && found.rows < OUTPUT_MOST && cell_going_on(canvas, y + found.rows, &next) &&
		next == x + found.further)
		found.rows++;
	return found;
}

static void add_row(const struct canvas *canvas, int y, int from, sw_text *text)
{
	const struct canvas_style plain = {0};
	struct canvas row = {0};
	sw_text words = {0};
	canvas_reset(&row, canvas->width);
	canvas_copy_area(&row, 0, 0, canvas, &(struct canvas_area){from, y, canvas->width - from, 1});
	canvas_print_rows(&row, 0, 1, &plain, &words);
	if (words.length)
		words.data[--words.length] = '\0';
	sw_text_add(text, sw_text_get(&words) + strspn(sw_text_get(&words), " "));
	sw_text_free(&words);
	canvas_free(&row);
}

static void add_sentence(const struct canvas *canvas, const struct sentence *sentence, int width, struct canvas *out)
{
	sw_text text = {0};
	width = width < READABLE || row_width(canvas, sentence->y, READABLE) > READABLE ? width : READABLE;
	int y = sentence->y, x = sentence->x < width / 2 || sentence->labelled ? sentence->x : 0, top = out->height, next;
	for (int row = 0; row < sentence->rows; row++) {
		const struct cell *cell = row ? cell_going_on(canvas, y + row, &next) : NULL;
		if (cell && cell->goes_on == CELL_AFTER_BLANK)
			sw_text_add_char(&text, ' ');
		add_row(canvas, y + row, row ? 0 : sentence->x, &text);
	}
	if (sentence->labelled)
		canvas_copy_area(out, 0, top, canvas, &(struct canvas_area){0, y, sentence->x, 1});
	canvas_put_wrapped(out, x, top, width - x, sentence->further,
		(enum role)canvas_cell_at(canvas, sentence->x, y)->role, sw_text_get(&text));
	sw_text_free(&text);
}

/* The width that the answer was made for that a row belongs to; 0: it is not known. */
static int width_before(const struct canvas *canvas, int y)
{
	while (y >= 0 && canvas_cell_at(canvas, 0, y)->goes_on != CELL_HEADS)
		y--;
	return y >= 0 ? (int)canvas_cell_at(canvas, 0, y)->further : 0;
}

/* The widest row, or `width` where none is wider. */
static int widest_row(const struct canvas *canvas, int from, int width)
{
	for (int y = from; y < canvas->height; y++)
		width = row_width(canvas, y, width < canvas->width ? width : canvas->width);
	return width;
}

void output_fit(const struct screen *screen, int from, int width, struct canvas *out, int *at)
{
	const struct canvas *output = &screen->output;
	int row = *at, rows, made = width_before(output, from);
	assert(width > 0 && from >= 0);
	canvas_reset(out, widest_row(output, from, width));
	for (int y = from; y < output->height; y += rows) {
		const struct cell *cell = canvas_cell_at(output, 0, y);
		made = cell->goes_on == CELL_HEADS ? (int)cell->further : made;
		bool wide = row_width(output, y, width) > width;
		struct sentence sentence = {0};
		int before = out->height;
		if (wide || made != width)
			sentence = sentence_at(output, y, width);
		bool breaks = sentence.rows > (wide ? 0 : 1);
		rows = breaks ? sentence.rows : 1;
		if (row >= y && row < y + rows)
			*at = before;
		if (breaks)
			add_sentence(output, &sentence, width, out);
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
		int length = (int)strcspn(line, "\n"), y = screen->output.height;
		canvas_putf(&screen->output, 0, y, ROLE_OP, "%s%.*s", sign, length, line);
		canvas_goes_on(&screen->output, 0, y, CELL_HEADS, screen->session->console->width);
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
