/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grid of cells: text that knows its width in columns, lines that join, bars to an eighth of a cell, and the
 * way out as text.
 */
#define _GNU_SOURCE /* wcwidth */
#include "canvas/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define ROWS_MAX (1 << 20)

/* ---- the grid ---- */

void canvas_reset(struct canvas *canvas, int width)
{
	width = width < 1 ? 1 : width;
	if (width != canvas->width) {
		free(canvas->cells);
		canvas->cells = NULL;
		canvas->capacity = 0;
	}
	canvas->width = width;
	canvas->height = 0;
	canvas->failed = false;
}

void canvas_free(struct canvas *canvas)
{
	free(canvas->cells);
	*canvas = (struct canvas){0};
}

static bool canvas_reserve(struct canvas *canvas, int rows)
{
	if (rows <= canvas->capacity)
		return true;
	int capacity = canvas->capacity ? canvas->capacity : canvas->width > 1024 ? 1 : 16;
	while (capacity < rows)
		capacity *= 2;
	struct cell *cells = NULL;
	if (rows <= ROWS_MAX)
		cells = realloc(canvas->cells, (size_t)capacity * (size_t)canvas->width * sizeof(*cells));
	if (!cells) {
		canvas->failed = true;
		return false;
	}
	canvas->cells = cells;
	canvas->capacity = capacity;
	return true;
}

static bool canvas_grow(struct canvas *canvas, int rows)
{
	if (rows <= canvas->height)
		return true;
	if (canvas->failed || !canvas_reserve(canvas, rows))
		return false;
	size_t width = (size_t)canvas->width;
	size_t used = (size_t)canvas->height * width, needed = (size_t)rows * width;
	memset(canvas->cells + used, 0, (needed - used) * sizeof(struct cell));
	canvas->height = rows;
	return true;
}

/* The cell to be drawn on, or NULL where it is clipped. */
static struct cell *canvas_cell(struct canvas *canvas, int x, int y)
{
	if (x < 0 || y < 0 || x >= canvas->width || !canvas_grow(canvas, y + 1))
		return NULL;
	return canvas->cells + (size_t)y * (size_t)canvas->width + x;
}

const struct cell *canvas_cell_at(const struct canvas *canvas, int x, int y)
{
	static const struct cell blank = {0};
	if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
		return &blank;
	return canvas->cells + (size_t)y * (size_t)canvas->width + x;
}

/* Empties a cell so that no half of a wide glyph stays behind. */
static void cell_clear(struct canvas *canvas, int x, int y)
{
	struct cell *cell = canvas_cell(canvas, x, y);
	if (!cell)
		return;
	if (cell->glyph == CELL_RIGHT_HALF && x > 0)
		cell[-1].glyph = 0;
	if (x + 1 < canvas->width && cell[1].glyph == CELL_RIGHT_HALF)
		cell[1].glyph = 0;
	*cell = (struct cell){.role = cell->role};
}

/* ---- text ---- */

/* One unit of text as it stands in cells. */
struct sign {
	uint32_t glyph;
	int width; /* columns; 0: a mark over the sign before it */
	size_t bytes;
};

static size_t utf8_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* The code point at `text` and its length; 0 where the bytes are not UTF-8. */
static uint32_t utf8_decode(const char *text, size_t *bytes)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	static const unsigned char keep[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	size_t length = utf8_length((unsigned char)text[0]);
	uint32_t code = (unsigned char)text[0] & keep[length];
	*bytes = 1;
	for (size_t i = 1; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (!length || code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	*bytes = length;
	return code;
}

/* Code points that would draw nothing, or turn the direction of what follows. */
static bool code_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
		(code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

static int code_width(uint32_t code)
{
	if (code < 0x300)
		return 1;
	int width = wcwidth((wchar_t)code);
	return width < 0 ? 1 : width;
}

static struct sign sign_at(const char *text, bool first)
{
	struct sign sign = {0};
	sign.glyph = utf8_decode(text, &sign.bytes);
	if (code_hidden(sign.glyph))
		sign.glyph = GLYPH_REPLACEMENT;
	sign.width = code_width(sign.glyph);
	if (sign.width == 0 && first) {
		sign.glyph = GLYPH_REPLACEMENT;
		sign.width = 1;
	}
	return sign;
}

int canvas_text_width(const char *text)
{
	int width = 0;
	for (const char *at = text; *at;) {
		struct sign sign = sign_at(at, at == text);
		width += sign.width;
		at += sign.bytes;
	}
	return width;
}

static bool glyph_blank(uint32_t glyph)
{
	return glyph == ' ' || glyph == GLYPH_NO_BREAK;
}

static void sign_put(struct canvas *canvas, int x, int y, enum role role, struct sign sign)
{
	if (sign.width == 0) {
		int over = canvas_cell_at(canvas, x - 1, y)->glyph == CELL_RIGHT_HALF ? x - 2 : x - 1;
		struct cell *cell = over < x && x <= canvas->width ? canvas_cell(canvas, over, y) : NULL;
		if (cell)
			cell->mark = sign.glyph & 0x1fffff;
		return;
	}
	if (x < 0 || x + sign.width > canvas->width)
		return;
	for (int i = 0; i < sign.width; i++) {
		cell_clear(canvas, x + i, y);
		struct cell *cell = canvas_cell(canvas, x + i, y);
		uint32_t glyph = i ? CELL_RIGHT_HALF : glyph_blank(sign.glyph) ? 0 : sign.glyph;
		if (cell)
			*cell = (struct cell){.glyph = glyph, .role = role};
	}
}

/* Writes at most `room` columns; returns the column after the last. */
static int text_put(struct canvas *canvas, int x, int y, int room, enum role role, const char *text)
{
	int end = x + room;
	for (const char *at = text; *at;) {
		struct sign sign = sign_at(at, at == text);
		if (x + sign.width > end)
			break;
		sign_put(canvas, x, y, role, sign);
		x += sign.width;
		at += sign.bytes;
	}
	return x;
}

int canvas_put(struct canvas *canvas, int x, int y, enum role role, const char *text)
{
	return text_put(canvas, x, y, (1 << 24), role, text);
}

int canvas_putf(struct canvas *canvas, int x, int y, enum role role, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	x = canvas_put(canvas, x, y, role, sw_text_get(&text));
	sw_text_free(&text);
	return x;
}

int canvas_put_cut(struct canvas *canvas, int x, int y, int room, enum role role, const char *text)
{
	if (room <= 0)
		return x;
	if (canvas_text_width(text) <= room)
		return canvas_put(canvas, x, y, role, text);
	x = text_put(canvas, x, y, room - 1, role, text);
	canvas_put_glyph(canvas, x, y, role, GLYPH_ELLIPSIS);
	return x + 1;
}

int canvas_put_end(struct canvas *canvas, int x, int y, int room, enum role role, const char *text)
{
	int width = canvas_text_width(text);
	const char *at = text;
	if (room <= 0 || width <= room)
		return room <= 0 ? x : canvas_put(canvas, x, y, role, text);
	while (*at && width > room - 1) {
		struct sign sign = sign_at(at, at == text);
		width -= sign.width;
		at += sign.bytes;
	}
	canvas_put_glyph(canvas, x, y, role, GLYPH_ELLIPSIS);
	return text_put(canvas, x + 1, y, room - 1, role, at);
}

void canvas_put_right(struct canvas *canvas, int x, int y, int room, enum role role, const char *text)
{
	int width = canvas_text_width(text);
	canvas_put_cut(canvas, width < room ? x + room - width : x, y, room, role, text);
}

void canvas_put_center(struct canvas *canvas, int x, int y, int room, enum role role, const char *text)
{
	int width = canvas_text_width(text);
	canvas_put_cut(canvas, width < room ? x + (room - width) / 2 : x, y, room, role, text);
}

/* How many bytes of `text` make the next row of `room` columns: up to a blank, or hard where there is none. */
static size_t wrap_next(const char *text, int room)
{
	size_t blank = 0;
	int width = 0;
	const char *at = text;
	while (*at) {
		struct sign sign = sign_at(at, at == text);
		if (*at == ' ' && at > text)
			blank = (size_t)(at - text);
		if (width + sign.width > room && at > text)
			return blank ? blank : (size_t)(at - text);
		width += sign.width;
		at += sign.bytes;
	}
	return (size_t)(at - text);
}

void canvas_goes_on(struct canvas *canvas, int x, int y, enum cell_goes_on how, int further)
{
	struct cell *cell = canvas_cell(canvas, x, y);
	if (!cell)
		return;
	cell->goes_on = how & 3;
	cell->further = further & 0x1ff;
}

int canvas_put_wrapped(struct canvas *canvas, int x, int y, int room, int indent, enum role role, const char *text)
{
	char *copy = strdup(text);
	if (!copy) {
		canvas->failed = true;
		return y;
	}
	room = room < 1 ? 1 : room;
	indent = indent < room ? indent : 0;
	int in = 0;
	enum cell_goes_on how = CELL_BEGINS;
	for (char *at = copy; *at; y++) {
		size_t bytes = wrap_next(at, room - in);
		char next = at[bytes];
		at[bytes] = '\0';
		text_put(canvas, x + in, y, room - in, role, at);
		canvas_goes_on(canvas, x + in, y, how, how == CELL_BEGINS ? indent + 1 : in);
		at[bytes] = next;
		how = next == ' ' ? CELL_AFTER_BLANK : CELL_INSIDE_WORD;
		at += bytes + strspn(at + bytes, " ");
		in = indent;
	}
	free(copy);
	return y;
}

void canvas_put_glyph(struct canvas *canvas, int x, int y, enum role role, uint32_t glyph)
{
	sign_put(canvas, x, y, role, (struct sign){.glyph = glyph, .width = code_width(glyph)});
}

void canvas_put_halves(struct canvas *canvas, int x, int y, enum role upper, enum role lower)
{
	canvas_put_glyph(canvas, x, y, upper, GLYPH_UPPER);
	struct cell *cell = x >= 0 && x < canvas->width ? canvas_cell(canvas, x, y) : NULL;
	if (cell)
		cell->lower = lower;
}

void canvas_paint(struct canvas *canvas, int x, int y, int room, enum role role)
{
	for (int i = 0; i < room; i++) {
		struct cell *cell = canvas_cell(canvas, x + i, y);
		if (cell)
			cell->role = role;
	}
}

/* ---- lines and bars ---- */

#define DIRECTIONS (LINE_UP | LINE_DOWN | LINE_LEFT | LINE_RIGHT)
#define STYLES (LINE_DASHED | LINE_DOTTED | LINE_ROUND)

/* As a cell has them: which directions are heavy, not that some are. */
static unsigned lines_of_cell(unsigned bits)
{
	unsigned heavy = bits & LINE_HEAVY ? (bits & DIRECTIONS) << LINE_HEAVY_SHIFT : 0;
	return (bits & (DIRECTIONS | STYLES)) | heavy;
}

/* What both have; a line that is broken in two ways is dotted, so that it is not taken for a whole one. */
static unsigned style_joined(unsigned a, unsigned b)
{
	const unsigned broken = LINE_DASHED | LINE_DOTTED;
	unsigned style = a & b & STYLES;
	bool differs = a & broken && b & broken && !(style & broken);
	return differs ? style | LINE_DOTTED : style;
}

void canvas_lines(struct canvas *canvas, int x, int y, enum role role, unsigned bits)
{
	struct cell *cell = canvas_cell(canvas, x, y);
	if (!cell)
		return;
	bits = lines_of_cell(bits);
	if (!cell->lines) {
		cell_clear(canvas, x, y);
		cell->lines = (uint16_t)bits;
	} else {
		unsigned style = style_joined(cell->lines, bits);
		cell->lines = (uint16_t)(((cell->lines | bits) & ~(unsigned)STYLES) | style);
	}
	cell->role = role;
}

/* Where a line goes: the next cell is (dx, dy) further, and the line leaves a cell by `back` and `ahead`. */
struct direction {
	int dx, dy;
	unsigned back, ahead;
};

static const struct direction rightwards = {1, 0, LINE_LEFT, LINE_RIGHT}, downwards = {0, 1, LINE_UP, LINE_DOWN};

static void line_draw(struct canvas *canvas, int x, int y, const struct direction *to, int length, enum role role,
	unsigned weight)
{
	for (int i = 0; i < length; i++) {
		unsigned bits = (i > 0 ? to->back : 0) | (i + 1 < length ? to->ahead : 0);
		canvas_lines(canvas, x + i * to->dx, y + i * to->dy, role, (bits ? bits : to->back | to->ahead) | weight);
	}
}

void canvas_hline(struct canvas *canvas, int x, int y, int length, enum role role, unsigned weight)
{
	line_draw(canvas, x, y, &rightwards, length, role, weight);
}

void canvas_vline(struct canvas *canvas, int x, int y, int length, enum role role, unsigned weight)
{
	line_draw(canvas, x, y, &downwards, length, role, weight);
}

void canvas_box(struct canvas *canvas, int x, int y, int width, int height, enum role role, unsigned weight)
{
	canvas_hline(canvas, x, y, width, role, weight);
	canvas_hline(canvas, x, y + height - 1, width, role, weight);
	canvas_vline(canvas, x, y, height, role, weight);
	canvas_vline(canvas, x + width - 1, y, height, role, weight);
}

/* value / most of `room` cells, in eighths of a cell. */
static int bar_eighths(int room, double value, double most)
{
	if (room <= 0 || !(value > 0) || !(most > 0))
		return 0;
	double part = value < most ? value / most : 1;
	int eighths = (int)(part * 8 * room + 0.5);
	return eighths < 1 ? 1 : eighths;
}

void canvas_bar(struct canvas *canvas, int x, int y, int room, enum role role, double value, double most)
{
	for (int left = bar_eighths(room, value, most); left > 0; left -= 8, x++)
		canvas_put_glyph(canvas, x, y, role, glyph_bar(left < 8 ? left : 8));
}

void canvas_bar_up(struct canvas *canvas, int x, int y, int room, enum role role, double value, double most)
{
	for (int left = bar_eighths(room, value, most); left > 0; left -= 8, y--)
		canvas_put_glyph(canvas, x, y, role, glyph_bar_up(left < 8 ? left : 8));
}

void canvas_copy(struct canvas *canvas, int x, int y, const struct canvas *from)
{
	canvas_copy_area(canvas, x, y, from, &(struct canvas_area){0, 0, from->width, from->height});
}

void canvas_copy_area(struct canvas *canvas, int x, int y, const struct canvas *from, const struct canvas_area *area)
{
	int skipped = x < 0 ? -x : 0, above = y < 0 ? -y : 0;
	skipped = area->x + skipped < 0 ? -area->x : skipped;
	above = area->y + above < 0 ? -area->y : above;
	int columns = from->width - area->x < area->width ? from->width - area->x : area->width;
	int rows = from->height - area->y < area->height ? from->height - area->y : area->height;
	if (columns > canvas->width - x)
		columns = canvas->width - x;
	if (columns <= skipped || rows <= above || !canvas_grow(canvas, y + rows))
		return;
	for (int row = above; row < rows; row++)
		memcpy(canvas_cell(canvas, x + skipped, y + row), canvas_cell_at(from, area->x + skipped, area->y + row),
			(size_t)(columns - skipped) * sizeof(struct cell));
}

/* ---- output ---- */

uint32_t canvas_glyph_at(const struct canvas *canvas, int x, int y, bool ascii)
{
	const struct cell *cell = canvas_cell_at(canvas, x, y);
	uint32_t glyph = cell->lines ? glyph_line(cell->lines) : cell->glyph;
	if (!glyph || glyph == CELL_RIGHT_HALF)
		return ' ';
	return ascii ? glyph_ascii(glyph) : glyph;
}

struct canvas_look canvas_look_at(const struct canvas *canvas, int x, int y, const struct canvas_style *style)
{
	const struct cell *cell = canvas_cell_at(canvas, x, y);
	struct canvas_look look = canvas_look_of((enum role)cell->role, style);
	if (cell->glyph != GLYPH_UPPER || cell->lines)
		return look;
	return (struct canvas_look){.foreground = look.background,
		.background = canvas_look_of((enum role)cell->lower, style).background};
}

static void utf8_add(sw_text *text, uint32_t code)
{
	if (code < 0x80) {
		sw_text_add_char(text, (char)code);
	} else if (code < 0x800) {
		sw_text_add_char(text, (char)(0xc0 | code >> 6));
		sw_text_add_char(text, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		sw_text_add_char(text, (char)(0xe0 | code >> 12));
		sw_text_add_char(text, (char)(0x80 | (code >> 6 & 0x3f)));
		sw_text_add_char(text, (char)(0x80 | (code & 0x3f)));
	} else {
		sw_text_add_char(text, (char)(0xf0 | code >> 18));
		sw_text_add_char(text, (char)(0x80 | (code >> 12 & 0x3f)));
		sw_text_add_char(text, (char)(0x80 | (code >> 6 & 0x3f)));
		sw_text_add_char(text, (char)(0x80 | (code & 0x3f)));
	}
}

void canvas_text_bar(sw_text *text, int room, double value, double most)
{
	int left = bar_eighths(room, value, most);
	for (int column = 0; column < room; column++, left -= 8)
		utf8_add(text, left <= 0 ? ' ' : glyph_bar(left < 8 ? left : 8));
}

static bool look_plain(struct canvas_look look)
{
	return look.foreground < 0 && look.background < 0 && !look.bold && !look.faint && !look.underline &&
		!look.reverse;
}

static bool look_equal(struct canvas_look a, struct canvas_look b)
{
	return a.foreground == b.foreground && a.background == b.background && a.bold == b.bold && a.faint == b.faint &&
		a.underline == b.underline && a.reverse == b.reverse;
}

static bool look_shows_on_blank(struct canvas_look look)
{
	return look.background >= 0 || look.underline || look.reverse;
}

static void look_add_color(sw_text *text, int color, int colors, int base)
{
	if (color < 0)
		return;
	if (colors > 16)
		sw_text_addf(text, ";%d;5;%d", base + 8, color);
	else
		sw_text_addf(text, ";%d", color < 8 ? base + color : base + 60 + color - 8);
}

/* Adds the escape sequence (SGR) that makes what follows look so. */
static void look_add(sw_text *text, struct canvas_look look, int colors)
{
	static const char *const codes[] = {";1", ";2", ";4", ";7"};
	const bool on[] = {look.bold, look.faint, look.underline, look.reverse};
	sw_text_add(text, "\033[0");
	for (int i = 0; i < 4; i++)
		if (on[i])
			sw_text_add(text, codes[i]);
	look_add_color(text, look.foreground, colors, 30);
	look_add_color(text, look.background, colors, 40);
	sw_text_add(text, "m");
}

static void cell_print(const struct canvas *canvas, int x, int y, bool ascii, sw_text *text)
{
	const struct cell *cell = canvas_cell_at(canvas, x, y);
	if (cell->glyph == CELL_RIGHT_HALF && !ascii)
		return;
	utf8_add(text, canvas_glyph_at(canvas, x, y, ascii));
	if (cell->mark && !ascii)
		utf8_add(text, cell->mark);
}

/* The column after the last that prints something; a right half prints a blank in ASCII. */
static int row_end(const struct canvas *canvas, int y, bool ascii)
{
	int end = canvas->width;
	while (end > 0 && canvas_glyph_at(canvas, end - 1, y, false) == ' ' &&
		(ascii || canvas_cell_at(canvas, end - 1, y)->glyph != CELL_RIGHT_HALF))
		end--;
	return end;
}

static void row_print(const struct canvas *canvas, int y, const struct canvas_style *style, sw_text *text)
{
	struct canvas_look now = {-1, -1, false, false, false, false};
	bool looks = style->colors > 0 || style->attributes;
	int end = row_end(canvas, y, style->ascii);
	for (int x = 0; x < end; x++) {
		struct canvas_look look = now;
		if (looks)
			look = canvas_look_at(canvas, x, y, style);
		bool blank = canvas_glyph_at(canvas, x, y, false) == ' ';
		if (!look_equal(look, now) && (!blank || look_shows_on_blank(look) || look_shows_on_blank(now))) {
			look_add(text, look, style->colors);
			now = look;
		}
		cell_print(canvas, x, y, style->ascii, text);
	}
	if (!look_plain(now))
		sw_text_add(text, "\033[0m");
	sw_text_add_char(text, '\n');
}

void canvas_print_rows(const struct canvas *canvas, int from, int to, const struct canvas_style *style, sw_text *text)
{
	for (int y = from < 0 ? 0 : from; y < to && y < canvas->height; y++)
		row_print(canvas, y, style, text);
}

void canvas_print(const struct canvas *canvas, const struct canvas_style *style, sw_text *text)
{
	canvas_print_rows(canvas, 0, canvas->height, style, text);
}
