/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A canvas as SVG: text that can be selected, lines as lines, bars as boxes, colours that follow the reader's
 * scheme.
 */
#ifndef SHARDWALK_ANSWER_SVG_H
#define SHARDWALK_ANSWER_SVG_H

#include <stdbool.h>

#include <shardwalk/text.h>

#include "canvas/canvas.h"

/* A file of its own starts with the XML declaration and has its style in itself; a picture in a page takes the
 * style of the page (svg_add_style).  `name` is what the picture is called, `about` says more; `number` tells
 * the pictures of a page apart. */
struct svg_options {
	const char *name, *about;
	bool in_page;
	int number;
};

void svg_add(const struct canvas *canvas, const struct svg_options *options, sw_text *text);

/* Adds the rules of CSS for the roles that are `used`, of all where that is NULL: light, and dark where the
 * reader prefers that on a screen. */
void svg_add_style(const bool used[ROLE_COUNT], sw_text *text);

/* The columns and rows that something is drawn on, at least 1 by 1. */
void svg_extent(const struct canvas *canvas, int *columns, int *rows);

#endif
