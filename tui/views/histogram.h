/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ratios of several strategies as a table.
 */
#ifndef SHARDWALK_VIEWS_HISTOGRAM_H
#define SHARDWALK_VIEWS_HISTOGRAM_H

#include "views/views.h"

/* Geometric mean, extremes, and what was left out; returns the next row. */
int ratios_table_draw(const struct ratios *ratios, int count, struct canvas *out, int y);

#endif
