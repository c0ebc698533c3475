/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines, bars and signs, and their ASCII twins.
 */
#include "canvas/glyphs.h"

#include <stdbool.h>
#include <stddef.h>

#define ACROSS 0x2500
#define DOWN 0x2502

/* A light direction counts its place of 1 (up), 3 (down), 9 (left) and 27 (right), a heavy one twice that. */
static const uint32_t lines[81] = {' ', 0x2502, 0x2503, 0x2502, 0x2502, 0x257f, 0x2503, 0x257d, 0x2503, 0x2500,
	0x2518, 0x251a, 0x2510, 0x2524, 0x2526, 0x2512, 0x2527, 0x2528, 0x2501, 0x2519, 0x251b, 0x2511, 0x2525, 0x2529,
	0x2513, 0x252a, 0x252b, 0x2500, 0x2514, 0x2516, 0x250c, 0x251c, 0x251e, 0x250e, 0x251f, 0x2520, 0x2500, 0x2534,
	0x2538, 0x252c, 0x253c, 0x2540, 0x2530, 0x2541, 0x2542, 0x257e, 0x2535, 0x2539, 0x252d, 0x253d, 0x2543, 0x2531,
	0x2545, 0x2549, 0x2501, 0x2515, 0x2517, 0x250d, 0x251d, 0x2521, 0x250f, 0x2522, 0x2523, 0x257c, 0x2536, 0x253a,
	0x252e, 0x253e, 0x2544, 0x2532, 0x2546, 0x254a, 0x2501, 0x2537, 0x253b, 0x252f, 0x253f, 0x2547, 0x2533, 0x2548,
	0x254b};

/* Straight pieces and corners in a style. */
static const struct styled {
	unsigned style;
	uint32_t light, glyph;
} styled[] = {{LINE_DASHED, ACROSS, 0x254c}, {LINE_DASHED, DOWN, 0x254e}, {LINE_DOTTED, ACROSS, 0x2508},
	{LINE_DOTTED, DOWN, 0x250a}, {LINE_ROUND, 0x250c, 0x256d}, {LINE_ROUND, 0x2510, 0x256e},
	{LINE_ROUND, 0x2518, 0x256f}, {LINE_ROUND, 0x2514, 0x2570}};

uint32_t glyph_line(unsigned bits)
{
	unsigned place = 0, power = 1;
	for (unsigned direction = LINE_UP; direction <= LINE_RIGHT; direction *= 2, power *= 3)
		if (bits & direction)
			place += bits & direction << LINE_HEAVY_SHIFT ? 2 * power : power;
	for (size_t i = 0; i < sizeof(styled) / sizeof(*styled); i++)
		if (bits & styled[i].style && lines[place] == styled[i].light)
			return styled[i].glyph;
	return lines[place];
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
	{0x2502, '|'}, {0x2501, '='}, {0x2503, 'H'}, {0x254c, ':'}, {0x254e, ':'}, {0x2508, '.'}, {0x250a, '.'},
	{0x257c, '='}, {0x257e, '='}, {0x257d, 'H'}, {0x257f, 'H'}, {0x256d, '+'}, {0x256e, '+'}, {0x256f, '+'},
	{0x2570, '+'}, {0x2589, '#'}, {0x258a, '='}, {0x258b, '='}, {0x258c, '='}, {0x258d, '-'}, {0x258e, '-'},
	{0x258f, '-'}, {0x2587, '#'}, {0x2586, '='}, {0x2585, '='}, {0x2584, '='}, {0x2583, '-'}, {0x2582, '_'},
	{0x2581, '_'}};

/* Where a heavy line goes down, a joint is as the line itself; never a sign of what is filled. */
static char joint_ascii(size_t place)
{
	return place % 3 == 2 || place / 3 % 3 == 2 ? 'H' : '+';
}

uint32_t glyph_ascii(uint32_t code)
{
	if (code < 0x80)
		return code;
	for (size_t i = 0; i < sizeof(twins) / sizeof(*twins); i++)
		if (twins[i].code == code)
			return (uint32_t)twins[i].ascii;
	for (size_t place = 0; place < sizeof(lines) / sizeof(*lines); place++)
		if (lines[place] == code)
			return (uint32_t)joint_ascii(place);
	return '?';
}
