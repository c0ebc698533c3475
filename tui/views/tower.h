/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system drawn as the tree that it is: units of each level under the unit around them, the devices in the last row, and
 * groups of devices as coloured lines below them.
 */
#ifndef SHARDWALK_VIEWS_TOWER_H
#define SHARDWALK_VIEWS_TOWER_H

#include <shardwalk/reduction.h>

#include "canvas/canvas.h"

#define TOWER_UNITS 768
#define TOWER_LEVELS (SW_MAX_LEVELS + 1)

/* One unit, or several of one unit around them that are folded into one. */
struct tower_unit {
	int level, parent; /* parent: the unit around it, -1: none */
	int64_t first;     /* device of it */
	int64_t folded;    /* so many units; 0: it is one */
	int middle;        /* column, from that of the tower */
};

/* Ports of a level, as its lines are drawn. */
struct tower_lines {
	enum role role;
	unsigned weight; /* of canvas_lines */
};

struct tower {
	const sw_system *system;
	int levels, count, width, leaf; /* columns in all, of a device */
	bool ring;                      /* devices of a node are on a ring, in pairs below the node */
	bool brief;                     /* devices are numbers, below the letter of their unit */
	bool folds;                     /* not all devices are drawn */
	char name[TOWER_LEVELS][SW_NAME_SIZE];
	int64_t size[TOWER_LEVELS], devices[TOWER_LEVELS]; /* units in the one around them, devices in one */
	int shown[TOWER_LEVELS];                           /* units that are drawn in the one around them */
	int span[TOWER_LEVELS];                            /* columns of a unit */
	struct tower_unit unit[TOWER_UNITS];
	int leaves, leaf_at[TOWER_UNITS]; /* the units of the last row, by their devices */
};

/* Lays a system out in so many columns, units folded as far as needed.  false: they are too few. */
bool tower_make(const sw_system *system, int room, struct tower *tower);

/* Draws it in `rows` (2 or more) a level, one less for the outermost where `open`; the ring of nodes that have one follows.  `lines`: one
 * a level, and that of the ring; NULL: all alike.  Returns the next row. */
int tower_draw(const struct tower *tower, int x, int y, int rows, const struct tower_lines *lines,
	struct canvas *out);

/* The unit of the last row in which a device is. */
const struct tower_unit *tower_leaf(const struct tower *tower, int64_t device);

/* Groups of devices: `groups` of `size` each, one after the other. */
struct tower_groups {
	const int64_t *device;
	int64_t groups, size;
	int most; /* rows */
};

/* Draws each as a line that joins its members, side by side where they fit; *left gets how many are not drawn.  Returns the next row. */
int tower_groups_draw(const struct tower *tower, const struct tower_groups *groups, int x, int y, int64_t *left,
	struct canvas *out);

#endif
