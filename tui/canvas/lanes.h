/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree as rows in the order in which its nodes came, with a lane for each node that has children, from its row to
 * that of its last child; as histories of versions are drawn.  Where more lanes are open than may be the others have
 * none, and their children begin without a line.
 */
#ifndef SHARDWALK_CANVAS_LANES_H
#define SHARDWALK_CANVAS_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas/canvas.h"

#define LANES_MOST 64

struct lane_row {
	int parent; /* row before it, -1: none */
	bool path;  /* the line to it from its parent is heavy */
	int lane;   /* column / 2; -1: it has no children, and stands right of all lanes */
	int last;   /* row of its last child, its own where it has none: the lane is drawn to there */
};

/* Gives rows their lanes, at most so many, and LANES_MOST; returns how many lanes there are.  `parent` and `path` are set. */
int lanes_lay_out(struct lane_row *rows, int count, int most);

/* The column of a row's node. */
int lanes_column(const struct lane_row *row, int lanes);

/* Rows that were laid out, and how many lanes they have. */
struct lane_rows {
	const struct lane_row *row;
	int count, lanes;
};

/* Draws the lines of rows `from` to before `to` from (x, y) on; the cell of each node is left free. */
void lanes_draw(const struct lane_rows *rows, int from, int to, struct canvas *out, int x, int y);

#endif
