/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours of roles outside of terminals.
 */
#ifndef SHARDWALK_ANSWER_COLOR_H
#define SHARDWALK_ANSWER_COLOR_H

#include <stdbool.h>

#include <shardwalk/text.h>

#include "canvas/canvas.h"

/* What a role that has no colour of its own is written in, and on. */
struct color_scheme {
	struct canvas_style style;
	const char *paper, *ink;
};
extern const struct color_scheme color_light, color_dark;

/* Adds a number of the terminals' 256 colours, 16 to 255, as "#rrggbb". */
void color_add(sw_text *text, int number);

/* Is there less than 3 : 1 between this colour and the paper of the light or dark scheme?  -1, the scheme's
 * own, is not pale. */
bool color_is_pale(int number, bool light);

/* Adds the colour that marks a role on light paper, of its text or of its ground: never a light one for text. */
void color_add_role(sw_text *text, enum role role);

#endif
