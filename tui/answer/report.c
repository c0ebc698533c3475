/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing diagnostics:
 *
 *     error[T04]: 3 * 4 of axis 'x' is not 13
 *      --> demo.sw:3:13
 *       |  from [3{x}13, 2{y}12]
 *       |             ^^
 *       |       ~~~~ the tile and its axes give 12
 *     expected: 12
 *     found: 13
 *     help: write 12, or another tile
 *
 * Only a window of the line is looked at, so that a line of a megabyte costs as little as a short one.
 */
#define _GNU_SOURCE
#include "answer/report.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define NEAR 600 /* bytes looked at on either side of the position */
#define TAB 4

/* One character of the line as it is shown. */
struct sign {
	size_t at; /* its first byte in the line */
	size_t bytes;
	int columns;
	char shown[8];
};

struct window {
	struct sign *signs;
	int count;
	bool cut_before, cut_after;
};

/* The character at `at`; where there is none, its length is 1 and its value negative. */
static int decode(const char *text, size_t room, size_t *length)
{
	mbstate_t state = {0};
	unsigned char first = (unsigned char)*text;
	wchar_t wide;
	*length = 1;
	if (first < 0x80)
		return first;
	size_t got = mbrtowc(&wide, text, room, &state);
	if (got == (size_t)-1 || got == (size_t)-2 || got == 0)
		return -1;
	*length = got;
	return (int)wide;
}

static struct sign sign_at(sw_str line, size_t at)
{
	struct sign sign = {.at = at};
	int code = decode(line.at + at, line.length - at, &sign.bytes);
	int columns = code <= 0 ? -1 : wcwidth((wchar_t)code);
	if (code == '\t') {
		sign.columns = TAB;
		memset(sign.shown, ' ', TAB);
	} else if (columns < 0) {
		sign.bytes = 1;
		sign.columns = snprintf(sign.shown, sizeof(sign.shown), "<%02X>", (unsigned char)line.at[at]);
	} else {
		sign.columns = columns;
		memcpy(sign.shown, line.at + at, sign.bytes);
	}
	return sign;
}

void report_show_bytes(sw_str bytes, sw_text *text)
{
	for (size_t at = 0; at < bytes.length;) {
		struct sign sign = sign_at(bytes, at);
		sw_text_add(text, sign.shown);
		at += sign.bytes;
	}
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* The line of a text of several lines in which the position begins. */
static sw_str line_of(sw_str text, size_t at)
{
	size_t begin = at < text.length ? at : text.length, end = begin;
	while (begin > 0 && text.at[begin - 1] != '\n')
		begin--;
	while (end < text.length && text.at[end] != '\n' && end < at + NEAR * 4)
		end++;
	if (end > begin && text.at[end - 1] == '\r')
		end--;
	return (sw_str){text.at + begin, end - begin};
}

/* Reads signs around `mark` until `room` columns are full: the position first, then what stands before and after it. */
static void window_fill(struct window *window, sw_str line, sw_span mark, int room)
{
	size_t from = mark.begin > NEAR ? mark.begin - NEAR : 0;
	size_t to = line.length - mark.begin > NEAR ? mark.begin + NEAR : line.length;
	while (from < mark.begin && is_continuation(line.at[from]))
		from++;
	int count = 0, first = 0;
	for (size_t at = from; at < to; count++) {
		window->signs[count] = sign_at(line, at);
		at += window->signs[count].bytes;
		if (window->signs[count].at <= mark.begin)
			first = count;
	}
	int begin = first, end = first, used = 0;
	while (end < count && window->signs[end].at < mark.end && used + window->signs[end].columns <= room - 8)
		used += window->signs[end++].columns;
	for (bool more = true; more;) {
		more = false;
		if (begin > 0 && used + window->signs[begin - 1].columns <= room) {
			used += window->signs[--begin].columns;
			more = true;
		}
		if (end < count && used + window->signs[end].columns <= room) {
			used += window->signs[end++].columns;
			more = true;
		}
	}
	window->cut_before = begin > 0 || from > 0;
	window->cut_after = end < count || to < line.length;
	memmove(window->signs, window->signs + begin, (size_t)(end - begin) * sizeof(*window->signs));
	window->count = end - begin;
}

/* ---- colours ---- */

static void add_color(sw_text *text, int color, int colors)
{
	if (colors == 256)
		sw_text_addf(text, "\033[38;5;%dm", color);
	else
		sw_text_addf(text, "\033[%dm", color < 8 ? 30 + color : 82 + color);
}

static void paint(sw_text *text, const struct canvas_style *style, enum role role, const char *words)
{
	struct canvas_look look = canvas_look_of(role, style);
	size_t before = text->length;
	if ((style->colors || style->attributes) && (look.bold || role == ROLE_BAD))
		sw_text_add(text, "\033[1m");
	if (style->colors && look.foreground >= 0)
		add_color(text, look.foreground, style->colors);
	bool painted = text->length > before;
	sw_text_add(text, words);
	if (painted)
		sw_text_add(text, "\033[0m");
}

static void add_gutter(sw_text *text, const struct canvas_style *style)
{
	sw_text_add(text, "  ");
	paint(text, style, ROLE_DIM, "|");
	sw_text_add(text, "  ");
}

static void add_window(const struct window *window, const struct canvas_style *style, sw_text *text)
{
	const char *dots = style->ascii ? "..." : "…";
	if (window->cut_before)
		sw_text_add(text, dots);
	for (int i = 0; i < window->count; i++)
		sw_text_add(text, window->signs[i].shown);
	if (window->cut_after)
		sw_text_add(text, dots);
}

/* A row of marks under the window.  An empty position is marked by one sign, also behind the end of the line. */
static void add_marks(const struct window *window, sw_span mark, char c, enum role role, const char *label,
	const struct canvas_style *style, sw_text *text)
{
	sw_text marks = {0};
	int before = window->cut_before ? (style->ascii ? 3 : 1) : 0;
	int columns = 0;
	for (int i = 0; i < window->count; i++) {
		const struct sign *sign = &window->signs[i];
		bool inside = sign->at + sign->bytes > mark.begin &&
			(sign->at < mark.end || (mark.begin == mark.end && sign->at <= mark.begin));
		if (!inside && !columns)
			before += sign->columns;
		if (inside)
			columns += sign->columns ? sign->columns : 1;
	}
	for (int i = 0; i < (columns ? columns : 1); i++)
		sw_text_add_char(&marks, c);
	if (*label)
		sw_text_addf(&marks, " %s", label);
	add_gutter(text, style);
	sw_text_addf(text, "%*s", before, "");
	paint(text, style, role, sw_text_get(&marks));
	sw_text_add_char(text, '\n');
	sw_text_free(&marks);
}

/* ---- the parts of a report ---- */

static bool has_position(sw_span span)
{
	return span.begin || span.end;
}

static bool window_holds(const struct window *window, sw_span mark)
{
	if (!window->count)
		return false;
	const struct sign *last = &window->signs[window->count - 1];
	return mark.begin >= window->signs[0].at && mark.begin <= last->at;
}

/* The line around `mark`; a second position in the same window is marked as well and taken away from `*also`. */
static void add_position(const sw_diag *diag, sw_str text_of, sw_span at, sw_span *also, int room,
	const struct canvas_style *style, sw_text *text)
{
	struct sign signs[2 * NEAR + 8];
	struct window window = {.signs = signs};
	sw_str line = line_of(text_of, at.begin);
	size_t start = (size_t)(line.at - text_of.at);
	sw_span mark = {at.begin - start, at.end - start};
	bool is_second = also == NULL;
	window_fill(&window, line, mark, room);
	add_gutter(text, style);
	add_window(&window, style, text);
	sw_text_add_char(text, '\n');
	add_marks(&window, mark, is_second ? '~' : '^', is_second ? ROLE_WARN : ROLE_BAD,
		is_second ? diag->also_label : "", style, text);
	if (is_second || !has_position(*also) || also->begin < start)
		return;
	sw_span second = {also->begin - start, also->end - start};
	if (!window_holds(&window, second))
		return;
	add_marks(&window, second, '~', ROLE_WARN, diag->also_label, style, text);
	*also = (sw_span){0, 0};
}

static void add_remark(const char *head, const char *words, enum role role, const struct canvas_style *style,
	sw_text *text)
{
	if (!*words)
		return;
	paint(text, style, role, head);
	sw_text_addf(text, " ");
	report_show_bytes(sw_str_of(words), text);
	sw_text_add_char(text, '\n');
}

static void add_head(const sw_diag *diag, const struct canvas_style *style, sw_text *text)
{
	const sw_code_info *info = sw_code_info_of(diag->code);
	sw_text head = {0};
	sw_text_addf(&head, "error[%s]:", info ? info->name : "?");
	add_remark(sw_text_get(&head),
		*diag->message ? diag->message :
			info       ? info->title :
						 "something went wrong",
		ROLE_BAD, style, text);
	sw_text_free(&head);
}

struct report_where report_locate(const struct position *position, sw_span span)
{
	struct report_where where = {0};
	if (!position)
		return where;
	where.line = position->line;
	if (!has_position(span) || span.begin > position->text.length)
		return where;
	sw_str line = line_of(position->text, span.begin);
	const char *end = position->text.at + span.begin;
	for (const char *at = position->text.at; at < line.at; at++)
		where.line += *at == '\n';
	where.column = 1;
	for (const char *at = line.at; at < end; at++)
		where.column += !is_continuation(*at);
	for (size_t at = span.begin; at < span.end && at < position->text.length; at++)
		where.length += !is_continuation(position->text.at[at]);
	return where;
}

static void add_where(const sw_diag *diag, const struct position *position, const struct canvas_style *style,
	sw_text *text)
{
	if (!position || !position->file)
		return;
	struct report_where where = report_locate(position, diag->at);
	sw_text line = {0};
	report_show_bytes(sw_str_of(position->file), &line);
	if (where.line)
		sw_text_addf(&line, ":%lld", where.line);
	if (where.column)
		sw_text_addf(&line, ":%lld", where.column);
	add_remark(" -->", sw_text_get(&line), ROLE_DIM, style, text);
	sw_text_free(&line);
}

void report_draw(const sw_diag *diag, const struct position *position, int width, const struct canvas_style *style,
	sw_text *text)
{
	int room = (width < 32 ? 32 : width) - 12;
	sw_span also = diag->also;
	add_head(diag, style, text);
	add_where(diag, position, style, text);
	if (position && has_position(diag->at) && diag->at.begin <= position->text.length) {
		add_position(diag, position->text, diag->at, &also, room, style, text);
		if (has_position(also) && also.begin <= position->text.length)
			add_position(diag, position->text, also, NULL, room, style, text);
	}
	add_remark("expected:", diag->expected, ROLE_LABEL, style, text);
	add_remark("found:", diag->found, ROLE_LABEL, style, text);
	add_remark("help:", diag->hint, ROLE_NOTE, style, text);
}
