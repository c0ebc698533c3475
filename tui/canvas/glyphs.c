/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines, bars and signs, and their ASCII twins.
 */
#include "canvas/glyphs.h"

#include <stddef.h>

#define DIRECTIONS (LINE_UP | LINE_DOWN | LINE_LEFT | LINE_RIGHT)

/* By up 1, down 2, left 4, right 8. */
static const uint32_t light_lines[16] = {' ', 0x2502, 0x2502, 0x2502, 0x2500, 0x2518, 0x2510, 0x2524, 0x2500, 0x2514,
	0x250c, 0x251c, 0x2500, 0x2534, 0x252c, 0x253c};
static const uint32_t heavy_lines[16] = {' ', 0x2503, 0x2503, 0x2503, 0x2501, 0x251b, 0x2513, 0x252b, 0x2501, 0x2517,
	0x250f, 0x2523, 0x2501, 0x253b, 0x2533, 0x254b};
#define DASHED_ACROSS 0x254c
#define DASHED_DOWN 0x254e

uint32_t glyph_line(unsigned bits)
{
	unsigned directions = bits & DIRECTIONS;
	uint32_t light = light_lines[directions];
	if (bits & LINE_HEAVY)
		return heavy_lines[directions];
	if (!(bits & LINE_DASHED))
		return light;
	return light == light_lines[LINE_LEFT] ? DASHED_ACROSS : light == light_lines[LINE_UP] ? DASHED_DOWN : light;
}

uint32_t glyph_bar(int eighths)
{
	return GLYPH_FULL + 8 - (uint32_t)eighths;
}

uint32_t glyph_bar_up(int eighths)
{
	return GLYPH_FULL - 8 + (uint32_t)eighths;
}

static const struct twin {
	uint32_t code;
	char ascii;
} twins[] = {
#define X(id, code, ascii) {code, ascii},
	GLYPHS(X)
#undef X
		{0x2500, '-'},
	{0x2502, '|'}, {0x2501, '='}, {0x2503, 'H'}, {DASHED_ACROSS, '.'}, {DASHED_DOWN, ':'}, {0x2589, '#'},
	{0x258a, '='}, {0x258b, '='}, {0x258c, '='}, {0x258d, '-'}, {0x258e, '-'}, {0x258f, '-'}, {0x2587, '#'},
	{0x2586, '='}, {0x2585, '='}, {0x2584, '='}, {0x2583, '-'}, {0x2582, '_'}, {0x2581, '_'}};

uint32_t glyph_ascii(uint32_t code)
{
	if (code < 0x80)
		return code;
	for (size_t i = 0; i < sizeof(twins) / sizeof(*twins); i++)
		if (twins[i].code == code)
			return (uint32_t)twins[i].ascii;
	for (int bits = 0; bits < 16; bits++) {
		if (heavy_lines[bits] == code)
			return '#';
		if (light_lines[bits] == code)
			return '+';
	}
	return '?';
}
