/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the devices that a warning of XLA speaks of are all that there are.
 */
#ifndef SHARDWALK_VIEWS_GROUP_H
#define SHARDWALK_VIEWS_GROUP_H

#include <stdint.h>

#include <shardwalk/text.h>

enum group_is { GROUP_NONE, GROUP_POSSIBLE, GROUP_CERTAIN };

/* GROUP_NONE: they are all, or nobody speaks of a warning. */
struct group {
	enum group_is is;
	int64_t devices; /* in it */
	int64_t more;    /* that there are, or at least; 0: not known */
	bool by_mesh;    /* the mesh says so; else other warnings of the log */
};

/* "the warning speaks of 4 devices, which may be one group of more" */
void group_print(const struct group *group, sw_text *text);

/* What the text of such a warning lacks. */
extern const char group_lacks[];

#endif
