/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A new plan opens its film, and views are made when they open.
 */
#ifndef SHARDWALK_SCREEN_OPENS_H
#define SHARDWALK_SCREEN_OPENS_H

#include "screen/model.h"

/* What plans are made of, to see whether a new one was made. */
struct made {
	int plan;
	const void *program, *schedule;
};
struct made opens_now(const struct screen *screen);

/* Where a plan, or a program, was made since, its film opens, if nothing else of a plan has the focus and the setting `opens` says so. */
void opens_film(struct screen *screen, const struct made *before);

/* The command that makes what a view shows, when it is opened; NULL: it is there, or no command makes it. */
const char *opens_with(struct screen *screen, int view);

#endif
