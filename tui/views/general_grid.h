/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array as a grid of cells, each with who holds it.
 */
#ifndef SHARDWALK_VIEWS_GENERAL_GRID_H
#define SHARDWALK_VIEWS_GENERAL_GRID_H

#include "views/owners.h"

/* What stands in a grid, for its legend. */
struct grid_signs {
	bool several, more, nobody, marked, element, folded, alike;
	bool wrapped;    /* a line that does not come again goes on in the next row */
	int64_t unit[2]; /* elements of a cell, down and across */
	int64_t period;  /* of a dimension that stands row below row: 0: none */
	int dims[2];     /* down and across; VIEW_ALL: the array has no such dimension */
};

/* Draws what device by device `held` says; `compare`: a second holding that is drawn in the same cells, or NULL.  `opt->height`: rows, 0: as
 * many as it takes.  false: no memory. */
bool grid_draw_holding(const sw_mesh *mesh, const sw_holding *held, const sw_holding *compare,
	const struct view_options *opt, struct canvas *out, int y, struct grid_signs *signs);

/* Explains what stands there; the next row. */
int grid_legend(const sw_mesh *mesh, const struct grid_signs *signs, const struct view_options *opt,
	struct canvas *out, int y);

#endif
