/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How roles look: one table, with 256, 16, 8 and no colours, on dark and on light backgrounds.
 *
 * Axes have the colours of Okabe and Ito, which people with any kind of colour vision can tell apart.  On light
 * backgrounds those that are too bright to be read are the background of black text.  Quantities have a ramp
 * of one hue.  Whatever a colour says, a letter, a pattern or the place says too.
 */
#include "canvas/canvas.h"

enum { BOLD = 1, FAINT = 2, UNDER = 4, REVERSE = 8 };

/* A colour as text, or, where `fill` is set, as the background of black text. */
struct paint {
	short color; /* -1: the terminal's own */
	bool fill;
	unsigned char attributes;
};

struct scheme_row {
	struct paint dark256, light256, dark16, light16, dark8, light8;
	unsigned char mono; /* attributes where there are no colours */
};

#define OWN(attributes) \
	{ \
		-1, false, attributes \
	}
#define INK(color, attributes) \
	{ \
		color, false, attributes \
	}
#define FILL(color) \
	{ \
		color, true, 0 \
	}
#define PLAIN(a) \
	{ \
		OWN(a), OWN(a), OWN(a), OWN(a), OWN(a), OWN(a), a \
	}
#define HUE(d256, l256, d16, l16, d8, l8, a, mono) \
	{ \
		INK(d256, a), INK(l256, a), INK(d16, a), INK(l16, a), INK(d8, a), INK(l8, a), mono \
	}

/* The same on both backgrounds: all are bright enough for black text. */
#define GROUND(c256, c16, c8) \
	{ \
		FILL(c256), FILL(c256), FILL(c16), FILL(c16), FILL(c8), FILL(c8), 0 \
	}

static const struct scheme_row scheme[ROLE_COUNT] = {
	[ROLE_TEXT] = PLAIN(0),
	[ROLE_TITLE] = PLAIN(BOLD),
	[ROLE_LABEL] = PLAIN(0),
	[ROLE_NUMBER] = PLAIN(0),
	[ROLE_DIM] = HUE(245, 242, 7, 8, -1, -1, 0, FAINT),
	[ROLE_NOTE] = HUE(245, 242, 7, 8, -1, -1, 0, FAINT),
	[ROLE_BORDER] = HUE(242, 246, 8, 8, -1, -1, 0, 0),
	[ROLE_AXIS1] = {INK(74, 0), FILL(74), INK(14, 0), FILL(14), INK(6, 0), FILL(6), 0},
	[ROLE_AXIS2] = {INK(214, 0), FILL(214), INK(3, 0), FILL(3), INK(3, 0), FILL(3), BOLD},
	[ROLE_AXIS3] = {INK(36, 0), FILL(36), INK(10, 0), FILL(10), INK(2, 0), FILL(2), UNDER},
	[ROLE_AXIS4] = {INK(227, 0), FILL(227), INK(11, 0), FILL(11), INK(3, BOLD), INK(5, BOLD), BOLD | UNDER},
	[ROLE_AXIS5] = {INK(166, 0), FILL(166), INK(9, 0), INK(1, 0), INK(1, 0), INK(1, 0), REVERSE},
	[ROLE_AXIS6] = {INK(175, 0), FILL(175), INK(13, 0), INK(5, 0), INK(5, 0), INK(5, 0), REVERSE | BOLD},
	[ROLE_AXIS7] = {INK(32, 0), INK(32, 0), INK(12, 0), INK(4, 0), INK(4, BOLD), INK(4, 0), REVERSE | UNDER},
	[ROLE_GOOD] = HUE(36, 29, 10, 2, 2, 2, 0, 0),
	[ROLE_BAD] = HUE(166, 160, 9, 1, 1, 1, BOLD, BOLD),
	[ROLE_WARN] = HUE(214, 130, 11, 5, 3, 5, 0, BOLD),
	[ROLE_BUDGET] = HUE(166, 160, 9, 1, 1, 1, 0, BOLD),
	[ROLE_BAR] = HUE(74, 32, 14, 4, 6, 4, 0, 0),
	[ROLE_LIVE] = HUE(175, 133, 13, 5, 5, 5, 0, FAINT),
	[ROLE_MOVED] = HUE(214, 130, 11, 1, 3, 1, BOLD, BOLD),
	[ROLE_KEPT] = HUE(245, 242, 7, 8, -1, -1, 0, FAINT),
	[ROLE_HEAT0] = HUE(240, 245, 8, 8, -1, -1, 0, FAINT),
	[ROLE_HEAT1] = HUE(24, 67, 4, 12, 4, 4, 0, FAINT),
	[ROLE_HEAT2] = HUE(25, 32, 4, 12, 4, 4, 0, FAINT),
	[ROLE_HEAT3] = HUE(31, 31, 12, 12, 4, 4, 0, 0),
	[ROLE_HEAT4] = HUE(32, 26, 12, 12, 6, 4, 0, 0),
	[ROLE_HEAT5] = HUE(38, 25, 6, 12, 6, 4, 0, 0),
	[ROLE_HEAT6] = HUE(74, 24, 6, 4, 6, 4, BOLD, BOLD),
	[ROLE_HEAT7] = HUE(117, 19, 14, 4, 6, 4, BOLD, BOLD),
	[ROLE_HEAT8] = HUE(195, 18, 15, 4, 7, 4, BOLD, BOLD),
	[ROLE_FRONTIER] = HUE(214, 130, 11, 3, 3, 5, 0, UNDER),
	[ROLE_SETTLED] = HUE(36, 29, 10, 2, 2, 2, 0, 0),
	[ROLE_UNSEEN] = HUE(245, 242, 7, 8, -1, -1, 0, FAINT),
	[ROLE_PATH] = HUE(227, 32, 15, 4, 7, 4, BOLD, BOLD),
	[ROLE_CURRENT] = PLAIN(REVERSE),
	[ROLE_GOAL] = HUE(175, 133, 13, 5, 5, 5, BOLD, BOLD),
	[ROLE_WALL] = HUE(166, 160, 9, 1, 1, 1, 0, BOLD),
	[ROLE_OP] = HUE(74, 32, 14, 4, 6, 4, 0, BOLD),
	[ROLE_TYPE] = PLAIN(0),
	[ROLE_UNLIT] = {FILL(237), FILL(253), FILL(8), FILL(7), OWN(0), OWN(0), FAINT},
	[ROLE_OWNER11] = GROUND(153, 14, 6),
	[ROLE_OWNER12] = GROUND(111, 12, 6),
	[ROLE_OWNER13] = GROUND(75, 6, 6),
	[ROLE_OWNER14] = GROUND(32, 4, 6),
	[ROLE_OWNER21] = GROUND(223, 11, 3),
	[ROLE_OWNER22] = GROUND(215, 11, 3),
	[ROLE_OWNER23] = GROUND(208, 3, 3),
	[ROLE_OWNER24] = GROUND(172, 3, 3),
	[ROLE_OWNER31] = GROUND(157, 10, 2),
	[ROLE_OWNER32] = GROUND(114, 10, 2),
	[ROLE_OWNER33] = GROUND(77, 2, 2),
	[ROLE_OWNER34] = GROUND(34, 2, 2),
	[ROLE_OWNER41] = GROUND(225, 13, 5),
	[ROLE_OWNER42] = GROUND(219, 13, 5),
	[ROLE_OWNER43] = GROUND(176, 5, 5),
	[ROLE_OWNER44] = GROUND(133, 5, 5),
	[ROLE_OWNER51] = GROUND(229, 15, 7),
	[ROLE_OWNER52] = GROUND(227, 15, 7),
	[ROLE_OWNER53] = GROUND(184, 7, 7),
	[ROLE_OWNER54] = GROUND(142, 7, 7),
	[ROLE_OWNER61] = GROUND(217, 9, 1),
	[ROLE_OWNER62] = GROUND(210, 9, 1),
	[ROLE_OWNER63] = GROUND(203, 1, 1),
	[ROLE_OWNER64] = GROUND(131, 1, 1),
	[ROLE_OWNER71] = GROUND(159, 12, 4),
	[ROLE_OWNER72] = GROUND(87, 12, 4),
	[ROLE_OWNER73] = GROUND(44, 4, 4),
	[ROLE_OWNER74] = GROUND(37, 4, 4),
	[ROLE_OWNER81] = GROUND(255, 8, -1),
	[ROLE_OWNER82] = GROUND(251, 8, -1),
	[ROLE_OWNER83] = GROUND(247, 8, -1),
	[ROLE_OWNER84] = GROUND(243, 8, -1),
};

static const struct role_text {
	const char *name, *about;
} role_texts[ROLE_COUNT] = {
#define X(id, name, about) {name, about},
	CANVAS_ROLES(X)
#undef X
};

const char *role_name(enum role role)
{
	return role_texts[role].name;
}

const char *role_about(enum role role)
{
	return role_texts[role].about;
}

enum role role_of_axis(int i)
{
	return ROLE_AXIS1 + (unsigned)i % 7;
}

enum role role_of_owner(int hue, int light)
{
	return ROLE_OWNER11 + (unsigned)(hue * CANVAS_LIGHTS + light) % (CANVAS_HUES * CANVAS_LIGHTS);
}

enum role role_of_heat(int level)
{
	return ROLE_HEAT0 + (unsigned)(level < 0 ? 0 : level > 8 ? 8 : level);
}

static struct paint paint_of(const struct scheme_row *row, const struct canvas_style *style)
{
	if (style->colors >= 256)
		return style->light ? row->light256 : row->dark256;
	if (style->colors >= 16)
		return style->light ? row->light16 : row->dark16;
	if (style->colors >= 8)
		return style->light ? row->light8 : row->dark8;
	return (struct paint)OWN(row->mono);
}

struct canvas_look canvas_look_of(enum role role, const struct canvas_style *style)
{
	struct paint paint = paint_of(&scheme[role < ROLE_COUNT ? role : ROLE_TEXT], style);
	int black = style->colors >= 256 ? 16 : 0;
	struct canvas_look look = {
		.foreground = paint.fill ? black : paint.color,
		.background = paint.fill ? paint.color : -1,
		.bold = paint.attributes & BOLD,
		.faint = paint.attributes & FAINT,
		.underline = paint.attributes & UNDER,
		.reverse = paint.attributes & REVERSE,
	};
	return look;
}
