/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A canvas: a grid of cells, each a glyph and a role.
 *
 * Views draw into canvases and know neither terminals nor colours.  A canvas is printed as text, blitted to a
 * screen, or compared by a test.  Lines are kept as directions, so that they join when they cross; glyphs and
 * colours are chosen at output, where it is known whether they may be Unicode, and how many colours there are.
 *
 * Coordinates are columns and rows from 0.  A canvas grows downwards as it is drawn on; what lies right of its
 * width, or left of column 0, or above row 0, is clipped.  Where memory runs out `failed` is set and drawing
 * does nothing.
 */
#ifndef SHARDWALK_CANVAS_CANVAS_H
#define SHARDWALK_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/text.h>

#include "canvas/glyphs.h"

/* What a cell means.  One row each: identifier, name (as `help` lists it), what it stands for.  */
#define CANVAS_ROLES(X) \
	X(TEXT, "text", "plain text") \
	X(TITLE, "title", "heading of a view") \
	X(LABEL, "label", "name of a row, a column or a figure") \
	X(NUMBER, "number", "a figure") \
	X(DIM, "dim", "less important, folded or left out") \
	X(NOTE, "note", "a remark, or what to type next") \
	X(BORDER, "border", "lines of boxes and tables") \
	X(AXIS1, "axis 1", "first axis of the mesh; the eighth again") \
	X(AXIS2, "axis 2", "second axis") \
	X(AXIS3, "axis 3", "third axis") \
	X(AXIS4, "axis 4", "fourth axis") \
	X(AXIS5, "axis 5", "fifth axis") \
	X(AXIS6, "axis 6", "sixth axis") \
	X(AXIS7, "axis 7", "seventh axis") \
	X(GOOD, "good", "proved, right, within the bound") \
	X(BAD, "bad", "wrong, refused, above the bound") \
	X(WARN, "warn", "look here") \
	X(BUDGET, "budget", "the memory budget") \
	X(BAR, "bar", "bar of a size") \
	X(LIVE, "live", "bar of live memory: source and destination") \
	X(MOVED, "moved", "a tile that moves in this step") \
	X(KEPT, "kept", "a tile that stays where it is") \
	X(HEAT0, "heat 0", "nothing is sent") \
	X(HEAT1, "heat 1", "up to an eighth of the most that is sent") \
	X(HEAT2, "heat 2", "up to 2 eighths of the most") \
	X(HEAT3, "heat 3", "up to 3 eighths of the most") \
	X(HEAT4, "heat 4", "up to 4 eighths of the most") \
	X(HEAT5, "heat 5", "up to 5 eighths of the most") \
	X(HEAT6, "heat 6", "up to 6 eighths of the most") \
	X(HEAT7, "heat 7", "up to 7 eighths of the most") \
	X(HEAT8, "heat 8", "most is sent") \
	X(FRONTIER, "frontier", "node reached; its distance may fall") \
	X(SETTLED, "visited", "node whose distance is final") \
	X(UNSEEN, "unseen", "node never reached") \
	X(PATH, "path", "on the best path") \
	X(CURRENT, "current", "the present node or step") \
	X(GOAL, "goal", "the goal") \
	X(WALL, "above budget", "above the budget: no nodes here") \
	X(OP, "operation", "name of a collective") \
	X(TYPE, "type", "a distributed type") \
	X(UNLIT, "unlit", "what the selected device does not have") \
	CANVAS_HUE(X, 1) \
	CANVAS_HUE(X, 2) \
	CANVAS_HUE(X, 3) \
	CANVAS_HUE(X, 4) \
	CANVAS_HUE(X, 5) \
	CANVAS_HUE(X, 6) \
	CANVAS_HUE(X, 7) \
	CANVAS_HUE(X, 8)

/* The first owners of elements, by hue and lightness; their rows differ in nothing that one reads. */
#define CANVAS_OWNER "who held an element first: hue by the largest axis, lightness by the others"
#define CANVAS_HUE(X, hue) \
	X(OWNER##hue##1, "owner " #hue "1", CANVAS_OWNER) \
	X(OWNER##hue##2, "owner " #hue "2", CANVAS_OWNER) \
	X(OWNER##hue##3, "owner " #hue "3", CANVAS_OWNER) \
	X(OWNER##hue##4, "owner " #hue "4", CANVAS_OWNER)
#define CANVAS_HUES 8
#define CANVAS_LIGHTS 4

enum role {
#define X(id, name, about) ROLE_##id,
	CANVAS_ROLES(X)
#undef X
		ROLE_COUNT
};

const char *role_name(enum role role);
const char *role_about(enum role role);

/* The role of axis `i` (from 0) of a mesh: seven take turns. */
enum role role_of_axis(int i);

/* The role of a first owner, by hue (0 to CANVAS_HUES - 1) and lightness (0 to CANVAS_LIGHTS - 1, dark last). */
enum role role_of_owner(int hue, int light);

/* The role of heat `level`, 0 to 8. */
enum role role_of_heat(int level);

struct cell {
	uint32_t glyph;       /* code point; 0: blank; CELL_RIGHT_HALF: right column of the wide glyph before it */
	uint32_t mark : 21;   /* combining code point over the glyph, or 0 */
	uint32_t goes_on : 2; /* cell_goes_on, of the first cell of a row */
	uint32_t further : 9;
	uint16_t lines; /* line_bits where the cell is a line: then there is no glyph */
	uint8_t role;
	uint8_t lower; /* of GLYPH_UPPER: the role of its lower half, ROLE_TEXT where that is empty */
};
#define CELL_RIGHT_HALF UINT32_MAX
/* Of a text that may be broken: in its first row `further` is 1 more than the columns that the others start further in, in these it is they; and
 * whether they go on behind a blank or inside a word.  Of an answer: CELL_HEADS, and `further` is the width that it was made for. */
enum cell_goes_on { CELL_BEGINS, CELL_AFTER_BLANK, CELL_INSIDE_WORD, CELL_HEADS };

struct canvas {
	int width;
	int height;   /* rows drawn on so far */
	int capacity; /* rows there is room for */
	struct cell *cells;
	bool failed;
};

/* Makes a canvas of this width (at least 1) without rows.  `canvas` is {0} or was used before. */
void canvas_reset(struct canvas *canvas, int width);
void canvas_free(struct canvas *canvas);

/* ---- text ---- */

/* Columns that a text takes.  Bytes that are not UTF-8 and control characters count one: they are drawn as a
 * replacement. */
int canvas_text_width(const char *text);

/* Writes a text; returns the column after it. */
int canvas_put(struct canvas *canvas, int x, int y, enum role role, const char *text);
int canvas_putf(struct canvas *canvas, int x, int y, enum role role, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Writes a text into `room` columns, cut with an ellipsis where it is longer; returns the column after it. */
int canvas_put_cut(struct canvas *canvas, int x, int y, int room, enum role role, const char *text);

/* The same of which the end is kept: "…gen.py:119". */
int canvas_put_end(struct canvas *canvas, int x, int y, int room, enum role role, const char *text);

/* At the right end of the room; a text that is too long is cut. */
void canvas_put_right(struct canvas *canvas, int x, int y, int room, enum role role, const char *text);
void canvas_put_center(struct canvas *canvas, int x, int y, int room, enum role role, const char *text);

/* Writes a text in as many rows as it takes, between columns x and x + room, broken at blanks (a no-break space
 * is drawn as a blank and keeps together); rows after the
 * first start `indent` columns further in.  Returns the row after the last. */
int canvas_put_wrapped(struct canvas *canvas, int x, int y, int room, int indent, enum role role, const char *text);

/* Says what cell_goes_on does of the row of a text that begins in column x. */
void canvas_goes_on(struct canvas *canvas, int x, int y, enum cell_goes_on how, int further);

void canvas_put_glyph(struct canvas *canvas, int x, int y, enum role role, uint32_t glyph);

/* Two grounds in one cell, one above the other; where there are no colours they are not told apart. */
void canvas_put_halves(struct canvas *canvas, int x, int y, enum role upper, enum role lower);

/* Gives `room` columns another role. */
void canvas_paint(struct canvas *canvas, int x, int y, int room, enum role role);

/* ---- lines and bars ---- */

/* Lines from (x, y) on, `length` cells long; `weight` is 0, LINE_HEAVY, LINE_DASHED or LINE_DOTTED.  Both ends point into the
 * line only; lines that share a cell join. */
void canvas_hline(struct canvas *canvas, int x, int y, int length, enum role role, unsigned weight);
void canvas_vline(struct canvas *canvas, int x, int y, int length, enum role role, unsigned weight);
void canvas_box(struct canvas *canvas, int x, int y, int width, int height, enum role role, unsigned weight);
void canvas_lines(struct canvas *canvas, int x, int y, enum role role, unsigned bits);

/* The same as text, with blanks up to `room` columns. */
void canvas_text_bar(sw_text *text, int room, double value, double most);

/* A bar of value / most of `room` columns, to an eighth of a column; at least an eighth where value > 0. */
void canvas_bar(struct canvas *canvas, int x, int y, int room, enum role role, double value, double most);

/* The same upwards from row y, `room` rows at most. */
void canvas_bar_up(struct canvas *canvas, int x, int y, int room, enum role role, double value, double most);

/* Copies all of `from`, which is another canvas, to (x, y). */
void canvas_copy(struct canvas *canvas, int x, int y, const struct canvas *from);

/* A rectangle of cells; (x, y) is its upper left one. */
struct canvas_area {
	int x, y, width, height;
};

/* Copies that part of `from` to (x, y).  What lies outside `from` is left. */
void canvas_copy_area(struct canvas *canvas, int x, int y, const struct canvas *from, const struct canvas_area *area);

/* ---- output ---- */

struct canvas_style {
	bool ascii;      /* twins instead of Unicode */
	int colors;      /* 0, 8, 16 or 256 */
	bool light;      /* dark text on a light background */
	bool attributes; /* bold, underline and reverse even where colors is 0 */
};

/* How a role looks: colour numbers of the terminal, -1 the terminal's own. */
struct canvas_look {
	int foreground, background;
	bool bold, faint, underline, reverse;
};
struct canvas_look canvas_look_of(enum role role, const struct canvas_style *style);

/* How a cell looks; the ink of halves is the ground of the upper one. */
struct canvas_look canvas_look_at(const struct canvas *canvas, int x, int y, const struct canvas_style *style);

/* The code point of a cell, lines joined, in Unicode or as its ASCII twin; ' ' for blanks and right halves. */
uint32_t canvas_glyph_at(const struct canvas *canvas, int x, int y, bool ascii);
const struct cell *canvas_cell_at(const struct canvas *canvas, int x, int y);

/* Adds the canvas as lines of text, without blanks at their ends, with escape sequences where the style has
 * colours or attributes. */
void canvas_print(const struct canvas *canvas, const struct canvas_style *style, sw_text *text);
void canvas_print_rows(const struct canvas *canvas, int from, int to, const struct canvas_style *style,
	sw_text *text);

#endif
