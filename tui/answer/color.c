/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terminals' 256 colours as red, green and blue.
 */
#include "answer/color.h"

#include <math.h>

const struct color_scheme color_light = {{.colors = 256, .light = true}, "#ffffff", "#1b1f24"};
const struct color_scheme color_dark = {{.colors = 256}, "#16181d", "#e4e6ea"};

/* A cube of 6 by 6 by 6, then greys. */
static void color_split(int number, unsigned part[3])
{
	static const unsigned level[] = {0, 95, 135, 175, 215, 255};
	unsigned cube = (unsigned)number - 16, grey = 8 + 10 * ((unsigned)number - 232);
	part[0] = number >= 232 ? grey : level[cube / 36 % 6];
	part[1] = number >= 232 ? grey : level[cube / 6 % 6];
	part[2] = number >= 232 ? grey : level[cube % 6];
}

void color_add(sw_text *text, int number)
{
	unsigned part[3];
	color_split(number, part);
	sw_text_addf(text, "#%02x%02x%02x", part[0], part[1], part[2]);
}

/* Source: WCAG 2.1, relative luminance of sRGB. */
static double luminance(const unsigned part[3])
{
	static const double share[] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double value = part[i] / 255.0;
		sum += share[i] * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
	}
	return sum;
}

bool color_is_pale(int number, bool light)
{
	static const unsigned white[] = {0xff, 0xff, 0xff}, black[] = {0x16, 0x18, 0x1d};
	unsigned part[3];
	if (number < 0)
		return false;
	color_split(number, part);
	double a = luminance(part) + 0.05, b = luminance(light ? white : black) + 0.05;
	return (a > b ? a / b : b / a) < 3;
}

void color_add_role(sw_text *text, enum role role)
{
	struct canvas_look look = canvas_look_of(role, &color_light.style);
	int color = look.background >= 0 ? look.background : look.foreground;
	if (color < 0)
		sw_text_add(text, color_light.ink);
	else
		color_add(text, color);
}
