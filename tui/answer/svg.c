/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SVG: every cell is 9 by 18 units, and a monospaced font of 15 has glyphs 9 wide.
 *
 * A row of the canvas is one <text>, cut into runs of one role that each say where they start and how long they
 * are, so that columns stand in line in any font.  Blanks, also those under lines and bars, are part of the runs:
 * what one selects and copies is the text as a terminal shows it.
 */
#include "answer/svg.h"

#include <stdio.h>
#include <string.h>

#include "canvas/glyphs.h"
#include "answer/color.h"
#include "answer/xml.h"

enum { CELL_WIDTH = 9, CELL_HEIGHT = 18, BASELINE = 14, MARGIN = 9 };

/* How a half of a line is drawn: by its style, or heavy. */
enum stroke { STROKE_PLAIN, STROKE_HEAVY, STROKE_DASHED, STROKE_DOTTED, STROKE_COUNT };

struct svg {
	const struct canvas *canvas;
	sw_text *text;
	int columns, rows;
};

/* ---- what is in a cell ---- */

enum ink {
	INK_NONE,
	INK_PLAIN, /* a glyph that every font has */
	INK_SIGN,  /* one that may come from another font: it stands alone */
	INK_WIDE,  /* two columns */
	INK_BAR    /* drawn as a box */
};

/* How much of a cell a block fills, in eighths, from the left or from the bottom, and how densely, in quarters. */
struct block {
	int across, up, quarters;
};

static struct block block_of(uint32_t glyph)
{
	if (glyph == GLYPH_FULL)
		return (struct block){8, 8, 4};
	if (glyph > GLYPH_FULL && glyph < GLYPH_FULL + 8)
		return (struct block){GLYPH_FULL + 8 - (int)glyph, 8, 4};
	if (glyph > GLYPH_FULL - 8 && glyph < GLYPH_FULL)
		return (struct block){8, (int)glyph - GLYPH_FULL + 8, 4};
	if (glyph >= GLYPH_SHADE1 && glyph <= GLYPH_SHADE3)
		return (struct block){8, 8, (int)glyph - GLYPH_SHADE1 + 1};
	return (struct block){0, 0, 0};
}

static enum ink ink_at(const struct svg *svg, int x, int y)
{
	const struct cell *cell = canvas_cell_at(svg->canvas, x, y);
	if (cell->lines || !cell->glyph || cell->glyph == CELL_RIGHT_HALF || cell->glyph == GLYPH_UPPER)
		return INK_NONE;
	if (block_of(cell->glyph).quarters)
		return INK_BAR;
	if (canvas_cell_at(svg->canvas, x + 1, y)->glyph == CELL_RIGHT_HALF)
		return INK_WIDE;
	return cell->glyph < 0x250 && !cell->mark ? INK_PLAIN : INK_SIGN;
}

static bool is_text(enum ink ink)
{
	return ink == INK_PLAIN || ink == INK_SIGN || ink == INK_WIDE;
}

static bool is_drawn(const struct canvas *canvas, int x, int y)
{
	const struct cell *cell = canvas_cell_at(canvas, x, y);
	return cell->lines || cell->glyph;
}

static int row_end(const struct canvas *canvas, int y)
{
	int end = canvas->width;
	while (end > 0 && !is_drawn(canvas, end - 1, y))
		end--;
	return end;
}

void svg_extent(const struct canvas *canvas, int *columns, int *rows)
{
	*columns = *rows = 1;
	for (int y = 0; y < canvas->height; y++) {
		int end = row_end(canvas, y);
		if (end > 0)
			*rows = y + 1;
		if (end > *columns)
			*columns = end;
	}
}

/* ---- colours ---- */

static bool has_ground(struct canvas_look look)
{
	return look.background >= 0 || look.reverse;
}

/* The name of a role as a class: "axis-1". */
struct class
{
	char name[24];
};

static struct class class_of(enum role role)
{
	struct class class;
	snprintf(class.name, sizeof(class.name), "%s", role_name(role));
	for (char *at = strchr(class.name, ' '); at; at = strchr(at, ' '))
		*at = '-';
	return class;
}

/* Roles with a background in one of the schemes have a box behind them. */
static bool role_has_ground(enum role role)
{
	return has_ground(canvas_look_of(role, &color_light.style)) ||
		has_ground(canvas_look_of(role, &color_dark.style));
}

/* Is text in a role's colour hard to read on the paper of one of the schemes?  Then only bars and lines have
 * it. */
static bool role_is_pale(enum role role)
{
	return !role_has_ground(role) &&
		(color_is_pale(canvas_look_of(role, &color_light.style).foreground, true) ||
			color_is_pale(canvas_look_of(role, &color_dark.style).foreground, false));
}

static void add_color_or(sw_text *text, const char *head, int color, const char *own)
{
	sw_text_add(text, head);
	if (color < 0)
		sw_text_add(text, own);
	else
		color_add(text, color);
}

static void add_role(enum role role, const struct color_scheme *scheme, sw_text *text)
{
	struct canvas_look look = canvas_look_of(role, &scheme->style);
	int front = look.reverse ? look.background : look.foreground;
	int back = look.reverse ? look.foreground : look.background;
	sw_text_addf(text, ".shardwalk .%s", class_of(role).name);
	add_color_or(text, "{color:", front, look.reverse ? scheme->paper : scheme->ink);
	sw_text_add(text, look.bold ? ";font-weight:bold" : "");
	sw_text_add(text, look.underline ? ";text-decoration:underline" : "");
	sw_text_add(text, look.faint ? ";opacity:.7" : "");
	sw_text_add(text, "}\n");
	if (role_is_pale(role))
		sw_text_addf(text, ".shardwalk tspan.%s{fill:%s}\n", class_of(role).name,
			color_is_pale(front, scheme->style.light) ? scheme->ink : "currentColor");
	if (!role_has_ground(role))
		return;
	sw_text_addf(text, ".shardwalk .on-%s", class_of(role).name);
	if (has_ground(look))
		add_color_or(text, "{fill:", back, scheme->ink);
	else
		sw_text_add(text, "{fill:none");
	sw_text_add(text, "}\n");
}

static void add_scheme(const struct color_scheme *scheme, const bool used[ROLE_COUNT], sw_text *text)
{
	sw_text_addf(text, ".shardwalk{color:%s}\n.shardwalk .paper{fill:%s}\n", scheme->ink, scheme->paper);
	for (int role = ROLE_TEXT + 1; role < ROLE_COUNT; role++)
		if (!used || used[role])
			add_role((enum role)role, scheme, text);
}

void svg_add_style(const bool used[ROLE_COUNT], sw_text *text)
{
	sw_text_add(text,
		".shardwalk text{font-family:ui-monospace,\"DejaVu Sans Mono\",\"Liberation Mono\",Menlo,Consolas,"
		"monospace;font-size:15px;white-space:pre}\n"
		".shardwalk text,.shardwalk tspan{fill:currentColor}\n"
		".shardwalk rect{shape-rendering:crispEdges}\n"
		".shardwalk path{fill:none;stroke:currentColor;stroke-linecap:square}\n"
		".shardwalk .heavy{stroke-width:3}\n.shardwalk .dashed{stroke-dasharray:3 3;stroke-linecap:butt}\n"
		".shardwalk .dotted{stroke-dasharray:1 3;stroke-linecap:butt}\n"
		".shardwalk .box{fill:currentColor}\n");
	add_scheme(&color_light, used, text);
	sw_text_add(text, "@media screen and (prefers-color-scheme:dark){\n");
	add_scheme(&color_dark, used, text);
	sw_text_add(text, "}\n");
}

static void find_roles(const struct svg *svg, bool used[ROLE_COUNT])
{
	for (int y = 0; y < svg->rows; y++)
		for (int x = 0; x < svg->columns; x++)
			used[canvas_cell_at(svg->canvas, x, y)->role] = used[canvas_cell_at(svg->canvas, x, y)->lower] = true;
}

static void add_class(sw_text *text, enum role role)
{
	if (role != ROLE_TEXT)
		sw_text_addf(text, " class=\"%s\"", class_of(role).name);
}

/* ---- behind the text: grounds and bars ---- */

/* Two grounds in each cell of a run of such as are alike; where both are one they are one box.  Returns the column after it. */
static int add_halves(const struct svg *svg, int x, int y, int end)
{
	const struct cell *cell = canvas_cell_at(svg->canvas, x, y);
	const uint8_t role[] = {cell->role, cell->lower};
	bool whole = cell->role == cell->lower;
	int next = x + 1;
	while (next < end && canvas_cell_at(svg->canvas, next, y)->glyph == GLYPH_UPPER &&
		canvas_cell_at(svg->canvas, next, y)->role == role[0] &&
		canvas_cell_at(svg->canvas, next, y)->lower == role[1])
		next++;
	for (int half = 0; half < (whole ? 1 : 2); half++)
		if (role_has_ground((enum role)role[half]))
			sw_text_addf(svg->text, "<rect class=\"on-%s\" x=\"%d\" y=\"%g\" width=\"%d\" height=\"%g\"/>\n",
				class_of((enum role)role[half]).name, x * CELL_WIDTH, (y + half / 2.0) * CELL_HEIGHT,
				(next - x) * CELL_WIDTH, CELL_HEIGHT / (whole ? 1.0 : 2.0));
	return next;
}

static void add_grounds(const struct svg *svg, int y)
{
	int end = row_end(svg->canvas, y);
	for (int x = 0, next; x < end; x = next) {
		uint8_t role = canvas_cell_at(svg->canvas, x, y)->role;
		for (next = x + 1; next < end && canvas_cell_at(svg->canvas, next, y)->role == role &&
			 canvas_cell_at(svg->canvas, next, y)->glyph != GLYPH_UPPER;
			 next++)
			;
		if (canvas_cell_at(svg->canvas, x, y)->glyph == GLYPH_UPPER) {
			next = add_halves(svg, x, y, end);
		} else if (role_has_ground((enum role)role))
			sw_text_addf(svg->text, "<rect class=\"on-%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
				class_of(role).name, x * CELL_WIDTH, y * CELL_HEIGHT, (next - x) * CELL_WIDTH, CELL_HEIGHT);
	}
}

/* The full cells of a bar and the part of one that ends it are one box, a little less high than its row, so that one
 * sees which bars are as long as each other; returns the column after it. */
static int add_bar(const struct svg *svg, int x, int y)
{
	const struct cell *cell = canvas_cell_at(svg->canvas, x, y);
	struct block block = block_of(cell->glyph);
	int eighths = block.across, next = x + 1;
	while (eighths == 8 * (next - x) && ink_at(svg, next, y) == INK_BAR) {
		const struct cell *more = canvas_cell_at(svg->canvas, next, y);
		struct block part = block_of(more->glyph);
		if (more->role != cell->role || part.up != block.up || part.quarters != block.quarters)
			break;
		eighths += part.across;
		next++;
	}
	double height = CELL_HEIGHT * block.up / 8.0, gap = block.up == 8;
	sw_text_addf(svg->text, "<rect class=\"box %s\" x=\"%d\" y=\"%g\" width=\"%g\" height=\"%g\"",
		class_of(cell->role).name, x * CELL_WIDTH, (y + 1) * CELL_HEIGHT - height + gap, CELL_WIDTH * eighths / 8.0,
		height - 2 * gap);
	if (block.quarters < 4)
		sw_text_addf(svg->text, " fill-opacity=\"%g\"", (block.quarters + 1) / 5.0);
	sw_text_add(svg->text, "/>\n");
	return next;
}

static void add_bars(const struct svg *svg, int y)
{
	for (int x = 0; x < svg->columns;)
		x = ink_at(svg, x, y) == INK_BAR ? add_bar(svg, x, y) : x + 1;
}

/* ---- lines ---- */

/* The line that is drawn now, all cells of one role and stroke; along rows or along columns. */
struct pen {
	const struct svg *svg;
	uint8_t role;
	enum stroke stroke;
	bool down;    /* along columns */
	int at;       /* the row or column */
	int from, to; /* in half cells; from == to: nothing */
	bool empty;   /* no path was begun */
};

static void pen_lift(struct pen *pen)
{
	static const char *const strokes[STROKE_COUNT] = {"", "heavy ", "dashed ", "dotted "};
	sw_text *text = pen->svg->text;
	if (pen->from == pen->to)
		return;
	if (pen->empty)
		sw_text_addf(text, "<path class=\"%s%s\" d=\"", strokes[pen->stroke], class_of(pen->role).name);
	pen->empty = false;
	if (pen->down)
		sw_text_addf(text, "M%g %gV%g", (pen->at + 0.5) * CELL_WIDTH, pen->from * CELL_HEIGHT / 2.0 + 0.5,
			pen->to * CELL_HEIGHT / 2.0 + 0.5);
	else
		sw_text_addf(text, "M%g %gH%g", pen->from * CELL_WIDTH / 2.0, (pen->at + 0.5) * CELL_HEIGHT + 0.5,
			pen->to * CELL_WIDTH / 2.0);
	pen->from = pen->to;
}

static void pen_draw(struct pen *pen, int half)
{
	if (pen->to != half || pen->from == pen->to) {
		pen_lift(pen);
		pen->from = half;
	}
	pen->to = half + 1;
}

static enum stroke stroke_of(const struct cell *cell, unsigned direction)
{
	if (cell->lines & direction << LINE_HEAVY_SHIFT)
		return STROKE_HEAVY;
	return cell->lines & LINE_DASHED ? STROKE_DASHED : cell->lines & LINE_DOTTED ? STROKE_DOTTED : STROKE_PLAIN;
}

static void pen_take(struct pen *pen, int x, int y)
{
	const struct cell *cell = canvas_cell_at(pen->svg->canvas, x, y);
	unsigned back = pen->down ? LINE_UP : LINE_LEFT, ahead = pen->down ? LINE_DOWN : LINE_RIGHT;
	int half = 2 * (pen->down ? y : x);
	if (!cell->lines || cell->role != pen->role)
		return;
	if (cell->lines & back && stroke_of(cell, back) == pen->stroke)
		pen_draw(pen, half);
	if (cell->lines & ahead && stroke_of(cell, ahead) == pen->stroke)
		pen_draw(pen, half + 1);
}

static void pen_cross(struct pen *pen, bool down)
{
	const struct svg *svg = pen->svg;
	int lines = down ? svg->columns : svg->rows, length = down ? svg->rows : svg->columns;
	pen->down = down;
	for (pen->at = 0; pen->at < lines; pen->at++) {
		pen->from = pen->to = 0;
		for (int i = 0; i < length; i++)
			pen_take(pen, down ? pen->at : i, down ? i : pen->at);
		pen_lift(pen);
	}
}

/* One path for each role and stroke that there is. */
static void add_lines(const struct svg *svg)
{
	bool there[ROLE_COUNT] = {false};
	for (int y = 0; y < svg->rows; y++) {
		for (int x = 0; x < svg->columns; x++) {
			const struct cell *cell = canvas_cell_at(svg->canvas, x, y);
			there[cell->role] |= cell->lines != 0;
		}
	}
	for (int role = 0; role < ROLE_COUNT; role++) {
		for (int stroke = 0; there[role] && stroke < STROKE_COUNT; stroke++) {
			struct pen pen = {.svg = svg, .role = (uint8_t)role, .stroke = (enum stroke)stroke, .empty = true};
			pen_cross(&pen, false);
			pen_cross(&pen, true);
			sw_text_add(svg->text, pen.empty ? "" : "\"/>\n");
		}
	}
}

/* ---- text ---- */

/* The first column from `x` on that has text, or `end`. */
static int skip_blanks(const struct svg *svg, int x, int y, int end)
{
	while (x < end && !is_text(ink_at(svg, x, y)))
		x++;
	return x;
}

/* Where the run that starts at `x` ends: its blanks included, up to the next one. */
static int run_end(const struct svg *svg, int x, int y, int end)
{
	enum ink ink = ink_at(svg, x, y);
	uint8_t role = canvas_cell_at(svg->canvas, x, y)->role;
	int at = x + (ink == INK_WIDE ? 2 : 1);
	while (at < end && ink != INK_SIGN) {
		int next = skip_blanks(svg, at, y, end);
		if (next >= end || next - at > 1 || ink_at(svg, next, y) != ink ||
			canvas_cell_at(svg->canvas, next, y)->role != role)
			break;
		at = next + (ink == INK_WIDE ? 2 : 1);
	}
	return skip_blanks(svg, at, y, end);
}

static void add_run(const struct svg *svg, int x, int y, int end)
{
	sw_text *text = svg->text;
	sw_text_add(text, "<tspan");
	if (is_text(ink_at(svg, x, y)))
		add_class(text, (enum role)canvas_cell_at(svg->canvas, x, y)->role);
	sw_text_addf(text, " x=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\">", x * CELL_WIDTH,
		(end - x) * CELL_WIDTH);
	for (; x < end; x++) {
		const struct cell *cell = canvas_cell_at(svg->canvas, x, y);
		if (cell->glyph == CELL_RIGHT_HALF)
			continue;
		xml_add_code(text, is_text(ink_at(svg, x, y)) ? cell->glyph : ' ');
		if (cell->mark)
			xml_add_code(text, cell->mark);
	}
	sw_text_add(text, "</tspan>");
}

static void add_row(const struct svg *svg, int y)
{
	int end = row_end(svg->canvas, y), first;
	while (end > 0 && !is_text(ink_at(svg, end - 1, y)) &&
		canvas_cell_at(svg->canvas, end - 1, y)->glyph != CELL_RIGHT_HALF)
		end--;
	first = skip_blanks(svg, 0, y, end);
	if (!end)
		return;
	sw_text_addf(svg->text, "<text xml:space=\"preserve\" y=\"%d\">", y * CELL_HEIGHT + BASELINE);
	if (first > 0)
		add_run(svg, 0, y, first);
	for (int x = first, next; x < end; x = next) {
		next = run_end(svg, x, y, end);
		add_run(svg, x, y, next);
	}
	sw_text_add(svg->text, "</text>\n");
}

/* ---- the whole ---- */

static void add_head(const struct svg *svg, const struct svg_options *options)
{
	int width = svg->columns * CELL_WIDTH + 2 * MARGIN, height = svg->rows * CELL_HEIGHT + 2 * MARGIN;
	sw_text *text = svg->text;
	if (!options->in_page)
		sw_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	sw_text_addf(text,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"shardwalk\" "
		"role=\"graphics-document document\" aria-labelledby=\"name%d about%d\" ",
		options->number, options->number);
	sw_text_addf(text, "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height, width, height);
	sw_text_addf(text, "<title id=\"name%d\">", options->number);
	xml_add(text, options->name);
	sw_text_addf(text, "</title>\n<desc id=\"about%d\">", options->number);
	xml_add(text, options->about);
	sw_text_add(text, "</desc>\n");
}

void svg_add(const struct canvas *canvas, const struct svg_options *options, sw_text *text)
{
	struct svg svg = {.canvas = canvas, .text = text};
	bool used[ROLE_COUNT] = {false};
	svg_extent(canvas, &svg.columns, &svg.rows);
	add_head(&svg, options);
	find_roles(&svg, used);
	if (!options->in_page) {
		sw_text_add(text, "<style>\n");
		svg_add_style(used, text);
		sw_text_add(text, "</style>\n");
	}
	sw_text_addf(text,
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n"
		"<g transform=\"translate(%d %d)\">\n",
		MARGIN, MARGIN);
	for (int y = 0; y < svg.rows; y++) {
		add_grounds(&svg, y);
		add_bars(&svg, y);
	}
	add_lines(&svg);
	for (int y = 0; y < svg.rows; y++)
		add_row(&svg, y);
	sw_text_add(text, "</g>\n</svg>\n");
}
