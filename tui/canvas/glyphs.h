/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Glyphs that views draw with, each with an ASCII twin of the same width.
 */
#ifndef SHARDWALK_CANVAS_GLYPHS_H
#define SHARDWALK_CANVAS_GLYPHS_H

#include <stdint.h>

/* Identifier, code point, ASCII twin. */
#define GLYPHS(X) \
	X(ELLIPSIS, 0x2026, '~') \
	X(REPLACEMENT, 0xfffd, '?') \
	X(ARROW_RIGHT, 0x2192, '>') \
	X(ARROW_LEFT, 0x2190, '<') \
	X(ARROW_UP, 0x2191, '^') \
	X(ARROW_DOWN, 0x2193, 'v') \
	X(NO_BREAK, 0xa0, ' ') \
	X(TIMES, 0xd7, 'x') \
	X(DOT, 0xb7, '.') \
	X(UPPER, 0x2580, '"') \
	X(FULL, 0x2588, '#') \
	X(SHADE1, 0x2591, ':') \
	X(SHADE2, 0x2592, '+') \
	X(SHADE3, 0x2593, '%') \
	X(SETTLED, 0x25cf, '*') \
	X(FRONTIER, 0x25cb, 'o') \
	X(CURRENT, 0x25b6, '>') \
	X(UNSEEN, 0x25cc, '?') \
	X(HOLDS, 0x25c0, '<') \
	X(RECEIVES, 0x25bc, 'v') \
	X(STAR, 0x2605, '@') \
	X(RISING, 0x2571, '/') \
	X(FALLING, 0x2572, '\\') \
	X(CROSSED, 0x2573, 'X') \
	X(THERE, 0x25a0, '#') \
	X(CAME, 0x25a3, '+') \
	X(DELTA, 0x394, 'd')

enum {
#define X(id, code, ascii) GLYPH_##id = code,
	GLYPHS(X)
#undef X
};

/* Directions in which a line leaves a cell, and how it is drawn. */
enum line_bits {
	LINE_UP = 1,
	LINE_DOWN = 2,
	LINE_LEFT = 4,
	LINE_RIGHT = 8,
	LINE_HEAVY = 16,     /* of the directions it comes with: a heavy line and a light one join */
	LINE_DASHED = 32,    /* straight pieces only */
	LINE_DOTTED = 64,    /* the same */
	LINE_ROUND = 128,    /* light corners */
	LINE_HEAVY_SHIFT = 8 /* in a cell: the directions that are heavy, so far from the directions */
};

/* The glyph of a cell of lines, by its line_bits. */
uint32_t glyph_line(unsigned bits);

/* A cell filled to `eighths` (1 to 8) from the left, or from the bottom. */
uint32_t glyph_bar(int eighths);
uint32_t glyph_bar_up(int eighths);

/* The ASCII twin; '?' for letters of other scripts. */
uint32_t glyph_ascii(uint32_t code);

#endif
